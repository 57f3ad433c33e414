"""The surface on which the graph of a plan is seen, moved, zoomed and connected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from console.batch.graph_connecting import HANDLE_REACH, Connecting, handle_of, is_on_handle, paint_handle
from console.batch.graph_layout import Layout
from console.batch.graph_painting import GraphPainting
from console.batch.graph_picture import StillPicture
from console.batch.graph_rows import NodeState
from console.batch.graph_viewport import MARGIN, Viewport, fitting
from console.batch.graph_walking import Direction, step_beside, words_of_step
from console.theme import Theme, theme_of
from console.widgets import paint_status, spinner_clock

_KEY_ZOOM: Final = 1.25
_WHEEL_STEP: Final = 1.0016
_DIRECTIONS: Final[Mapping[int, Direction]] = {
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Home: "first",
    Qt.Key.Key_End: "last",
}


class GraphCanvas(QWidget):
    """Show a laid out graph.

    The wheel zooms on the pointer; dragging the ground, with Space or with the middle button moves it; F fits it. Arrow
    keys go from step to step along what they wait for. Dragging the dot below a step to another one asks to let that
    wait for it.

    What stands still is painted into a pixmap once; only steps that change are painted into it again.

    Args:
        parent: Its owner.

    Signals:
        selected(str): Another step was selected here.
        opened(str): More about this step is wanted.
        menu_requested(str, QPoint): What can be done with this step, or with none, is wanted at a place of the screen.
        connect_requested(str, str): The second step shall wait for the first.
    """

    selected = Signal(str)
    opened = Signal(str)
    menu_requested = Signal(str, QPoint)
    connect_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graph")
        self.setAccessibleName("Graph")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._painting = GraphPainting(Layout())
        self._sight = Viewport()
        self._is_fitted = True
        self._is_editable = False
        self._selected = ""
        self._wanted = ""
        self._hovered = ""
        self._picture = StillPicture()
        self._moving_from: QPointF | None = None
        self._holds_space = False
        self._connecting = Connecting()

    @property
    def sight(self) -> Viewport:
        """Which part of the graph is seen, and how large."""
        return self._sight

    @property
    def painting(self) -> GraphPainting:
        return self._painting

    @property
    def selection(self) -> str:
        """The selected step; empty when there is none."""
        return self._selected

    @property
    def refusal(self) -> str:
        """Why two steps cannot be connected, as it is shown; empty when nothing is."""
        return self._connecting.refusal

    def show_painting(self, painting: GraphPainting) -> None:
        """Show another graph; what is known of steps that stay, stays, and so does what is seen of a changed plan."""
        before, self._painting = self._painting, painting
        places = painting.layout.places
        painting.take({name: state for name, state in before.states.items() if name in places})
        painting.set_critical(before.critical_way)
        self._connecting.forget()
        self._hovered = ""
        came = self._wanted if self._wanted in places and self._wanted != self._selected else ""
        self._selected = self._wanted if self._wanted in places else ""
        if self._is_fitted or places.keys().isdisjoint(before.layout.places):
            self.fit()
        else:
            self._show(self._sight)
        if came:
            self._bring_into_sight(came)
        self._describe()
        self._follow_clock()
        self._forget_picture()

    def show_states(self, states: Mapping[str, NodeState]) -> None:
        """Show how far some steps are; the others stay as they are."""
        painting = self._painting
        known = {name: state for name, state in states.items() if name in painting.layout.places}
        changed = [name for name, state in known.items() if painting.state(name) != state]
        outgrown = [name for name in changed if len(painting.state(name).rows) != len(known[name].rows)]
        if not changed:
            return
        if painting.take(known):
            self._forget_picture()
        else:
            self._picture.paint_again(painting, self._sight, changed)
            for name in outgrown:
                self._picture.paint_around(painting, self._sight, name)
            self.update()
        self._follow_clock()
        self._describe()

    def show_critical(self, names: Sequence[str]) -> None:
        """Show the way that takes longest, first step to last."""
        if tuple(names) != self._painting.critical_way:
            self._painting.set_critical(names)
            self._forget_picture()

    def select(self, name: str) -> None:
        """Select a step, and bring it into sight, as soon as the graph has it; empty selects none."""
        self._wanted = name
        if name == self._selected:
            return
        self._selected = name if name in self._painting.layout.places else ""
        if self._selected:
            self._bring_into_sight(self._selected)
        self._describe()
        self.update()

    def show_refusal(self, words: str) -> None:
        """Say where the pointer is why two steps were not connected."""
        self._connecting.refusal = words
        self.update()

    def set_editable(self, *, editable: bool) -> None:
        """Let steps be connected here, or not."""
        if editable != self._is_editable:
            self._is_editable = editable
            self._connecting.forget()
            self.update()

    def fit(self) -> None:
        """Show all of the graph, but nothing larger than it is."""
        self._show(fitting(self._painting.layout, self.size()))
        self._is_fitted = True

    def zoom_in(self) -> None:
        """Show everything larger."""
        self.zoom(_KEY_ZOOM)

    def zoom_out(self) -> None:
        """Show everything smaller."""
        self.zoom(1 / _KEY_ZOOM)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show everything larger or smaller.

        Args:
            factor: How many times as large.
            at: What stays where it is, in logical pixels of the widget; None for the middle.
        """
        fixed = QPointF(self.width() / 2, self.height() / 2) if at is None else at
        self._is_fitted = False
        self._show(self._sight.zoomed(factor, fixed))

    def move_by(self, right: int, down: int) -> None:
        """Move the graph by so many logical pixels."""
        self._is_fitted = False
        self._show(self._sight._replace(left=self._sight.left + right, top=self._sight.top + down))

    def _show(self, sight: Viewport) -> None:
        """Look at another part of the graph, of which something always stays in sight."""
        before, self._sight = self._sight, sight.within(self._painting.layout, self.size())
        if self._sight == before:
            return
        if self._sight.scale == before.scale:
            self._picture.shift(self._painting, self._sight, before)
        else:
            self._forget_picture()
        self.update()

    def _bring_into_sight(self, name: str) -> None:
        rect = self._sight.rect(self._painting.layout.places[name])
        seen = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        if seen.contains(rect) or self._is_fitted:
            return
        middle = seen.center() - rect.center()
        self.move_by(round(middle.x()), round(middle.y()))

    def _forget_picture(self) -> None:
        self._picture.forget()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, and over it what moves: rings, selection, what is being connected."""
        theme = theme_of(self)
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(0, 0, self._picture.pixmap(self._painting, theme, self._sight, self.size(), ratio))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_rings(painter, theme)
        if self._selected:
            self._paint_selection(painter, theme)
        if self._hovered and self._is_editable and not self._connecting.source:
            paint_handle(painter, theme, handle_of(self._painting, self._sight, self._hovered))
        self._connecting.paint(painter, theme, self._painting, self._sight, self.size())

    def _paint_rings(self, painter: QPainter, theme: Theme) -> None:
        turn, painting = spinner_clock().turn, self._painting
        for name, state in painting.states.items():
            if state.status == "running":
                icon = painting.icon_rect(name, self._sight)
                if icon is not None and icon.intersects(self.rect()):
                    paint_status(painter, icon, "running", theme, turn=turn)

    def _paint_selection(self, painter: QPainter, theme: Theme) -> None:
        self._painting.paint_way(painter, theme, self._sight, self._selected)
        scale = self._sight.scale
        out = 3 * min(1.0, max(scale, 0.4))
        rect = self._sight.rect(self._painting.layout.places[self._selected]).adjusted(-out, -out, out, out)
        painter.setPen(QPen(theme.color.focus if self.hasFocus() else theme.color.text3, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, 8 * scale, 8 * scale)
        self._painting.paint_pill(painter, theme, self._sight, self._selected)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a step, take hold of its dot, or of the ground."""
        self._connecting.forget()
        at = event.position()
        moves = event.button() == Qt.MouseButton.MiddleButton or self._holds_space
        source = "" if moves else self._grabbed(at)
        name = "" if moves else self._at(at)
        if event.button() == Qt.MouseButton.LeftButton and source:
            self._connecting.begin(source, at)
        elif name:
            self._choose(name)
        elif event.button() in {Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton}:
            self._moving_from = at
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the ground or the end of a new edge, or see what is under the pointer."""
        at = event.position()
        if self._moving_from is not None:
            way = at - self._moving_from
            self._moving_from = at
            self.move_by(round(way.x()), round(way.y()))
            return
        if self._connecting.source:
            self._connecting.lead(self._painting.layout.graph, self._at(at), at)
            self.update()
            return
        hovered = self._at(at) or self._grabbed(at)
        if hovered != self._hovered:
            self._hovered = hovered
            self.update()
        grabs = bool(hovered) and self._grabbed(at) == hovered
        self.setCursor(Qt.CursorShape.CrossCursor if grabs else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the ground go, or ask for the new edge."""
        if self._moving_from is not None:
            self._moving_from = None
            self.unsetCursor()
        joined = self._connecting.end()
        if joined is not None:
            self.connect_requested.emit(*joined)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a step; on the ground, show everything."""
        name = self._at(event.position())
        if name:
            self.opened.emit(name)
        else:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.pixelDelta().y()
        self.zoom(_WHEEL_STEP**turned, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Zoom with two fingers; say what is under the pointer."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1 + event.value(), event.position())
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            name = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), words_of_step(self._painting, name) if name else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from step to step, zoom, fit, open; let go of a new edge."""
        key = event.key()
        if key in _DIRECTIONS:
            self._choose(step_beside(self._painting.layout, self._selected, _DIRECTIONS[Qt.Key(key)]))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._selected:
            self.opened.emit(self._selected)
        elif key == Qt.Key.Key_F and not event.modifiers():
            self.fit()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        elif key == Qt.Key.Key_Space:
            self._holds_space = True
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif key == Qt.Key.Key_Escape and (self._connecting.source or self._connecting.refusal):
            self._connecting.forget()
            self.update()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._holds_space = False
            self.unsetCursor()
        super().keyReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for what can be done with the step under the pointer, or with the selected one."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            rect = self._sight.rect(self._painting.layout.places[self._selected]) if self._selected else QRectF()
            self.menu_requested.emit(self._selected, self.mapToGlobal(rect.center().toPoint()))
        else:
            self.menu_requested.emit(self._at(QPointF(event.pos())), event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Go on showing everything, if everything was shown."""
        super().resizeEvent(event)
        if self._is_fitted:
            self.fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self._selected and event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}:
            self._choose(step_beside(self._painting.layout, "", "first"))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the keys go elsewhere."""
        super().focusOutEvent(event)
        self._holds_space = False
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = ""
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        """Turn the rings while they are seen."""
        super().showEvent(event)
        self._follow_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest, and keep no picture, while nobody looks."""
        super().hideEvent(event)
        self._picture.forget()
        self._follow_clock()

    def _follow_clock(self) -> None:
        turns = self.isVisible() and any(state.status == "running" for state in self._painting.states.values())
        spinner_clock().set_turning(self, turning=turns)

    def _at(self, point: QPointF) -> str:
        return self._painting.node_at(point, self._sight)

    def _grabbed(self, point: QPointF) -> str:
        """Return the step whose dot is at a point."""
        if not self._is_editable:
            return ""
        name = self._painting.node_at(point, self._sight, HANDLE_REACH / self._sight.scale)
        return name if name and is_on_handle(self._painting, self._sight, name, point) else ""

    def _choose(self, name: str) -> None:
        if name and name != self._selected:
            self.select(name)
            self.selected.emit(name)

    def _describe(self) -> None:
        self.setAccessibleDescription(words_of_step(self._painting, self._selected) if self._selected else "")
