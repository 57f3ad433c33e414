"""The graph of a plan: its head, and the surface on which it is seen, moved, zoomed and connected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QToolTip, QWidget

from console.batch.graph_layout import NODE_HEIGHT, NODE_WIDTH, Layout
from console.batch.graph_model import Graph, NodeState
from console.batch.graph_painting import MARGIN, GraphPainting, StillPicture, Viewport, drawing_of, fitting, picture_of
from console.batch.rows import circle_of
from console.language import tr
from console.theme import Theme, painter_of, theme_of
from console.widgets import (
    EmptyState,
    IconButton,
    Menu,
    PanelHeader,
    TextLabel,
    TurningWidget,
    ask_save_path,
    format_count,
    format_duration_ms,
    lead_focus,
    paint_box,
    paint_status,
    paint_text,
    set_surface,
    spinner_clock,
    vbox,
)

Direction = Literal["up", "down", "left", "right", "first", "last"]
_MOST_NAMES: Final = 6


def step_beside(layout: Layout, name: str, direction: Direction) -> str:
    """Return the step that an arrow key leads to.

    Up leads to what the step waits for, down to what waits for it: to the nearest of them. Where there is none, to the
    nearest step of the next layer. Left and right lead through the layer.

    Args:
        layout: Where everything stands.
        name: Where to begin; empty, or a step that is not there, begins with the first one.

    Returns:
        The step; the same one when there is none in that direction, empty when there is none at all.
    """
    names = [node.name for node in layout.graph.nodes]
    if not names:
        return ""
    if direction == "last":
        return names[-1]
    if direction == "first" or name not in layout.places:
        return names[0]
    number = next(index for index, layer in enumerate(layout.layers) if name in layer)
    layer = layout.layers[number]
    place = layer.index(name)
    if direction in {"left", "right"}:
        return layer[min(max(place + (1 if direction == "right" else -1), 0), len(layer) - 1)]
    goes_up = direction == "up"
    edges = layout.graph.edges
    joined = [needed for needed, waiting in edges if waiting == name] if goes_up else []
    joined = joined if goes_up else [waiting for needed, waiting in edges if needed == name]
    following = number + (-1 if goes_up else 1)
    near = layout.layers[following] if 0 <= following < len(layout.layers) else ()
    x = layout.places[name][0]
    return min(joined or near, key=lambda other: abs(layout.places[other][0] - x), default=name)


def words_of_step(painting: GraphPainting, name: str) -> str:
    """Say what a step is, how far it is, and what it waits for."""
    node, state = painting.node(name), painting.state(name)
    edges = painting.layout.graph.edges
    needs = [needed for needed, waiting in edges if waiting == name]
    word = tr("{word}, {rows} rows", word=state.word, rows=state.rows) if state.rows else state.word
    head = f"{node.number} {node.name}: {word}"
    lines = [head, node.tool]
    if needs:
        more, named = len(needs) - _MOST_NAMES, ", ".join(needs[:_MOST_NAMES])
        lines.append(
            tr("after {needs} and {count} more", needs=named, count=more)
            if more > 0
            else tr("after {needs}", needs=named)
        )
    return "\n".join(lines)


_HANDLE: Final = 4.5
HANDLE_REACH: Final = 9.0
"""How near to its dot a step is taken hold of, in logical pixels of the screen."""
_BUBBLE: Final = 28


def why_not(graph: Graph, needed: str, waiting: str) -> str:
    """Return why a step cannot wait for another one, in words; empty when it can."""
    if (needed, waiting) in graph.edges:
        return tr("{waiting} waits for {needed} already", waiting=waiting, needed=needed)
    needs: dict[str, list[str]] = {}
    for edge in graph.edges:
        needs.setdefault(edge.waiting, []).append(edge.needed)
    circle = circle_of(waiting, [needed], lambda name: needs.get(name, ()))
    if not circle:
        return ""
    way = " → ".join(circle[:0:-1])
    return tr("{needed} waits for {waiting} already: {circle}", needed=needed, waiting=waiting, circle=way)


def handle_of(painting: GraphPainting, sight: Viewport, name: str) -> QPointF:
    """Return where the dot of a step is, from which it is connected."""
    x, y = painting.layout.places[name]
    return sight.point((x + NODE_WIDTH / 2, y + NODE_HEIGHT))


def is_on_handle(painting: GraphPainting, sight: Viewport, name: str, point: QPointF) -> bool:
    """Return whether a point is on a step's dot, or near enough."""
    return (point - handle_of(painting, sight, name)).manhattanLength() <= HANDLE_REACH


def paint_handle(painter: QPainter, theme: Theme, place: QPointF) -> None:
    """Paint the dot of a step."""
    painter.setPen(QPen(theme.color.accent, 1.5))
    painter.setBrush(theme.color.surface)
    painter.drawEllipse(place, _HANDLE, _HANDLE)


class Connecting:
    """Be the new edge while it is drawn.

    Attributes:
        source: The step that is held by its dot; empty when none is.
        target: The step under the pointer; empty when there is none.
        refusal: Why source and target cannot be connected; it stays for a while to be read.
    """

    def __init__(self) -> None:
        self.source = ""
        self.target = ""
        self.pointer = QPointF()
        self.refusal = ""

    def begin(self, source: str, pointer: QPointF) -> None:
        self.source, self.target, self.pointer, self.refusal = source, "", pointer, ""

    def lead(self, graph: Graph, target: str, pointer: QPointF) -> None:
        """Go on to a place, over a step or over none."""
        self.target = target if target != self.source else ""
        self.pointer = pointer
        self.refusal = why_not(graph, self.source, target) if self.target else ""

    def end(self) -> tuple[str, str] | None:
        """Let go; return the step that was held and the one under the pointer, if they can be connected."""
        source, target = self.source, self.target
        self.source = self.target = ""
        return (source, target) if source and target and not self.refusal else None

    def forget(self) -> None:
        self.source = self.target = self.refusal = ""

    def paint(self, painter: QPainter, theme: Theme, painting: GraphPainting, sight: Viewport, size: QSize) -> None:
        if self.source:
            color = theme.status.error.fill if self.refusal else theme.color.accent
            painter.setPen(QPen(color, 2, Qt.PenStyle.DashLine if self.refusal else Qt.PenStyle.SolidLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawLine(handle_of(painting, sight, self.source), self.pointer)
            if self.target:
                painter.drawRoundedRect(sight.rect(painting.layout.places[self.target]).adjusted(-3, -3, 3, 3), 8, 8)
        if self.refusal:
            self._paint_refusal(painter, theme, size)

    def _paint_refusal(self, painter: QPainter, theme: Theme, size: QSize) -> None:
        font = theme.font("small")
        width = min(size.width() - 16, QFontMetrics(font).horizontalAdvance(self.refusal) + 42)
        left = min(max(8.0, self.pointer.x() - width / 2), size.width() - width - 8.0)
        below = self.pointer.y() + 18
        top = below if below + _BUBBLE + 8 < size.height() else self.pointer.y() - 18 - _BUBBLE
        box = QRect(round(left), round(top), width, _BUBBLE)
        tone = theme.status.error
        paint_box(painter, box, theme.radius.medium, fill=tone.soft, border=tone.border)
        paint_status(painter, QRect(box.x() + 8, box.y() + 7, 14, 14), "failed", theme)
        paint_text(painter, box.adjusted(28, 0, -8, 0), self.refusal, font, tone.text)


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


class GraphCanvas(TurningWidget):
    """Show a laid out graph.

    The wheel zooms on the pointer; dragging the ground, with Space or with the middle button moves it; F fits it. Arrow
    keys go from step to step along what they wait for. Dragging the dot below a step to another one asks to let that
    wait for it.

    What stands still is painted into a pixmap once; only steps that change are painted into it again.

    Attributes:
        selection: The selected step; empty when there is none.
        connecting: The new edge that is drawn.

    Signals:
        menu_requested(str, QPoint): What can be done with this step, or with none, is wanted at a place of the screen.
        connect_requested(str, str): The second step shall wait for the first.
    """

    selected = Signal(str)
    opened = Signal(str)
    menu_requested = Signal(str, QPoint)
    connect_requested = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        # Steps follow each other from left to right, as in the timeline.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setObjectName("graph")
        self.setAccessibleName(tr("Graph"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.painting = GraphPainting(Layout())
        self.sight = Viewport()
        self._is_fitted = True
        self._is_editable = False
        self.selection = ""
        self._wanted = ""
        self._hovered = ""
        self._picture = StillPicture()
        self._moving_from: QPointF | None = None
        self._holds_space = False
        self.connecting = Connecting()

    def show_painting(self, painting: GraphPainting) -> None:
        """Show another graph; what is known of steps that stay, stays, and so does what is seen of a changed plan."""
        before, self.painting = self.painting, painting
        places = painting.layout.places
        painting.take({name: state for name, state in before.states.items() if name in places})
        painting.set_critical(before.critical_way)
        self.connecting.forget()
        self._hovered = ""
        came = self._wanted if self._wanted in places and self._wanted != self.selection else ""
        self.selection = self._wanted if self._wanted in places else ""
        if self._is_fitted or places.keys().isdisjoint(before.layout.places):
            self.fit()
        else:
            self._show(self.sight)
        if came:
            self._bring_into_sight(came)
        self._describe()
        self.follow_clock()
        self._forget_picture()

    def show_states(self, states: Mapping[str, NodeState]) -> None:
        """Show how far some steps are; the others stay as they are."""
        painting = self.painting
        known = {name: state for name, state in states.items() if name in painting.layout.places}
        changed = [name for name, state in known.items() if painting.state(name) != state]
        outgrown = [name for name in changed if len(painting.state(name).rows) != len(known[name].rows)]
        if not changed:
            return
        if painting.take(known):
            self._forget_picture()
        else:
            self._picture.paint_again(painting, self.sight, changed)
            for name in outgrown:
                self._picture.paint_around(painting, self.sight, name)
            self.update()
        self.follow_clock()
        self._describe()

    def show_critical(self, names: Sequence[str]) -> None:
        if tuple(names) != self.painting.critical_way:
            self.painting.set_critical(names)
            self._forget_picture()

    def select(self, name: str) -> None:
        """Select a step, and bring it into sight, as soon as the graph has it; empty selects none."""
        self._wanted = name
        if name == self.selection:
            return
        self.selection = name if name in self.painting.layout.places else ""
        if self.selection:
            self._bring_into_sight(self.selection)
        self._describe()
        self.update()

    def show_refusal(self, words: str) -> None:
        """Say where the pointer is why two steps were not connected."""
        self.connecting.refusal = words
        self.update()

    def set_editable(self, *, editable: bool) -> None:
        """Let steps be connected here, or not."""
        if editable != self._is_editable:
            self._is_editable = editable
            self.connecting.forget()
            self.update()

    def fit(self) -> None:
        self._show(fitting(self.painting.layout, self.size()))
        self._is_fitted = True

    def zoom_in(self) -> None:
        self.zoom(_KEY_ZOOM)

    def zoom_out(self) -> None:
        self.zoom(1 / _KEY_ZOOM)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show everything larger or smaller.

        Args:
            factor: How many times as large.
            at: What stays where it is, in logical pixels of the widget; None for the middle.
        """
        fixed = QPointF(self.width() / 2, self.height() / 2) if at is None else at
        self._is_fitted = False
        self._show(self.sight.zoomed(factor, fixed))

    def move_by(self, right: int, down: int) -> None:
        self._is_fitted = False
        self._show(self.sight._replace(left=self.sight.left + right, top=self.sight.top + down))

    def _show(self, sight: Viewport) -> None:
        """Look at another part of the graph, of which something always stays in sight."""
        before, self.sight = self.sight, sight.within(self.painting.layout, self.size())
        if self.sight == before:
            return
        if self.sight.scale == before.scale:
            self._picture.shift(self.painting, self.sight, before)
        else:
            self._forget_picture()
        self.update()

    def _bring_into_sight(self, name: str) -> None:
        rect = self.sight.rect(self.painting.layout.places[name])
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
        painter = painter_of(self)
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(0, 0, self._picture.pixmap(self.painting, theme, self.sight, self.size(), ratio))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_rings(painter, theme)
        if self.selection:
            self._paint_selection(painter, theme)
        if self._hovered and self._is_editable and not self.connecting.source:
            paint_handle(painter, theme, handle_of(self.painting, self.sight, self._hovered))
        self.connecting.paint(painter, theme, self.painting, self.sight, self.size())

    def _paint_rings(self, painter: QPainter, theme: Theme) -> None:
        turn, painting = spinner_clock().turn, self.painting
        for name, state in painting.states.items():
            if state.status == "running":
                icon = painting.icon_rect(name, self.sight)
                if icon is not None and icon.intersects(self.rect()):
                    paint_status(painter, icon, "running", theme, turn=turn)

    def _paint_selection(self, painter: QPainter, theme: Theme) -> None:
        self.painting.paint_way(painter, theme, self.sight, self.selection)
        scale = self.sight.scale
        out = 3 * min(1.0, max(scale, 0.4))
        rect = self.sight.rect(self.painting.layout.places[self.selection]).adjusted(-out, -out, out, out)
        painter.setPen(QPen(theme.color.focus if self.hasFocus() else theme.color.text3, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, 8 * scale, 8 * scale)
        self.painting.paint_pill(painter, theme, self.sight, self.selection)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a step, take hold of its dot, or of the ground."""
        self.connecting.forget()
        at = event.position()
        moves = event.button() == Qt.MouseButton.MiddleButton or self._holds_space
        source = "" if moves else self._grabbed(at)
        name = "" if moves else self._at(at)
        if event.button() == Qt.MouseButton.LeftButton and source:
            self.connecting.begin(source, at)
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
        if self.connecting.source:
            self.connecting.lead(self.painting.layout.graph, self._at(at), at)
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
        joined = self.connecting.end()
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
            QToolTip.showText(event.globalPos(), words_of_step(self.painting, name) if name else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from step to step, zoom, fit, open; let go of a new edge."""
        key = event.key()
        if key in _DIRECTIONS:
            self._choose(step_beside(self.painting.layout, self.selection, _DIRECTIONS[Qt.Key(key)]))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.selection:
            self.opened.emit(self.selection)
        elif key == Qt.Key.Key_F and not event.modifiers():
            self.fit()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        elif key == Qt.Key.Key_Space:
            self._holds_space = True
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif key == Qt.Key.Key_Escape and (self.connecting.source or self.connecting.refusal):
            self.connecting.forget()
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
            rect = self.sight.rect(self.painting.layout.places[self.selection]) if self.selection else QRectF()
            self.menu_requested.emit(self.selection, self.mapToGlobal(rect.center().toPoint()))
        else:
            self.menu_requested.emit(self._at(QPointF(event.pos())), event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Go on showing everything, if everything was shown."""
        super().resizeEvent(event)
        if self._is_fitted:
            self.fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.selection and event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}:
            self._choose(step_beside(self.painting.layout, "", "first"))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._holds_space = False
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = ""
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._picture.forget()

    def is_turning(self) -> bool:
        return any(state.status == "running" for state in self.painting.states.values())

    def _at(self, point: QPointF) -> str:
        return self.painting.node_at(point, self.sight)

    def _grabbed(self, point: QPointF) -> str:
        """Return the step whose dot is at a point."""
        if not self._is_editable:
            return ""
        name = self.painting.node_at(point, self.sight, HANDLE_REACH / self.sight.scale)
        return name if name and is_on_handle(self.painting, self.sight, name, point) else ""

    def _choose(self, name: str) -> None:
        if name and name != self.selection:
            self.select(name)
            self.selected.emit(name)

    def _describe(self) -> None:
        self.setAccessibleDescription(words_of_step(self.painting, self.selection) if self.selection else "")


_LINE: Final = (18, 3)
_NO_STEPS: Final = (tr("No steps yet"), tr("Steps and what they wait for will show here."))
_LONG_FROM: Final = 1000
"""From how many steps on it takes so long to lay them out that somebody wonders."""
_MOST_DRAWN: Final = 3000
"""How many steps are drawn; the picture of more would hold the window up, and nobody could read it."""


_SIGHTS: Final = {"fit": GraphCanvas.fit, "in": GraphCanvas.zoom_in, "out": GraphCanvas.zoom_out}
_ACTIONS: Final = (
    ("fit", tr("Fit the graph")),
    ("in", tr("Zoom in")),
    ("out", tr("Zoom out")),
    ("png", tr("Save as PNG…")),
    ("svg", tr("Save as SVG…")),
    ("dot", tr("Save as DOT…")),
)
_BEFORE_EXPORTS: Final = 3


class _ThickLine(QWidget):
    """The sign of the way that takes longest."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(*_LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter_of(self).fillRect(QRect(0, 0, self.width(), self.height()), theme_of(self).color.accent)


class GraphView(QWidget):
    """Show the graph of a plan.

    Attributes:
        canvas: The surface with the graph; it takes the focus.
        graph: The graph that is wanted on show; its layout may be under way.

    Signals:
        layout_wanted: Whoever lays out shall do so with `wanted`, and answer with `show_painting`.
        menu_requested(str, QPoint): What can be done with this step is wanted at a place of the screen.
        laid_out: Another graph is on show; states of its steps can be shown.
        export_chosen(str, str): Write the graph in this form, `png`, `svg` or `dot`, to this file.
    """

    layout_wanted = Signal()
    menu_requested = Signal(str, QPoint)
    laid_out = Signal()
    export_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("graphPanel")
        set_surface(self, "panel")
        self.setMinimumSize(180, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.graph = Graph()
        self.canvas = GraphCanvas()
        self._line, self._legend = _ThickLine(), TextLabel("", "caption", "text2")
        self._empty = EmptyState("workflow", *_NO_STEPS)
        self._pages = QStackedWidget()
        self._zoom_out = IconButton("zoom-out", tr("Zoom out"), shortcut_hint="-")
        self._zoom_in = IconButton("zoom-in", tr("Zoom in"), shortcut_hint="+")
        self._fit = IconButton("maximize", tr("Fit the graph"), shortcut_hint="F")
        self._menu = Menu(tr("Graph"), self)
        self._export = ""
        self._build()
        lead_focus(self, self.canvas)

    def _build(self) -> None:
        head = PanelHeader(tr("Graph"))
        for part in (self._line, self._legend):
            head.add_label(part)
        for button in (self._zoom_out, self._zoom_in, self._fit):
            head.add_button(button)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.canvas)
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self._pages, 1)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.canvas.menu_requested.connect(self._on_canvas_menu_requested)
        self._zoom_out.clicked.connect(self.canvas.zoom_out)
        self._zoom_in.clicked.connect(self.canvas.zoom_in)
        self._fit.clicked.connect(self.canvas.fit)
        self.show_critical((), None)
        self._choose_page()

    @property
    def wanted(self) -> Graph | None:
        """The graph that is to be laid out, or is; None when it has too many steps to be drawn."""
        return self.graph if len(self.graph.nodes) <= _MOST_DRAWN else None

    def show_graph(self, graph: Graph) -> None:
        """Show another graph as soon as it is laid out; until then, the one before stays."""
        if graph != self.graph:
            self.graph = graph
            if self.wanted is None:
                self.canvas.show_painting(GraphPainting(Layout()))
            else:
                self.layout_wanted.emit()
            self._choose_page()

    def show_painting(self, painting: GraphPainting) -> None:
        self.canvas.show_painting(painting)
        self._choose_page()
        self.laid_out.emit()

    def show_critical(self, names: Sequence[str], length_s: float | None) -> None:
        """Show the way that takes longest.

        Args:
            names: Its steps, first to last; empty when nobody knows.
            length_s: How long it takes, or is expected to; None when nobody knows.
        """
        self.canvas.show_critical(names)
        words = tr("critical path")
        if length_s is not None:
            words += f", {format_duration_ms(length_s * 1000)}"
        self._legend.setText(words)
        for part in (self._line, self._legend):
            part.setVisible(bool(names))

    def picture(self) -> QImage:
        return picture_of(self.canvas.painting, theme_of(self))

    def drawing(self) -> str:
        return drawing_of(self.canvas.painting, theme_of(self))

    def _on_canvas_menu_requested(self, name: str, place: QPoint) -> None:
        if name:
            self.menu_requested.emit(name, place)
            return
        self._menu.clear()
        for key, words in _ACTIONS:
            self._menu.addAction(words).setData(key)
        self._menu.insertSeparator(self._menu.actions()[_BEFORE_EXPORTS])
        self._menu.popup(place)

    def _on_menu_triggered(self, action: QAction) -> None:
        key = action.data()
        if key in _SIGHTS:
            _SIGHTS[key](self.canvas)
            return
        self._export = key
        title = tr("Save the graph as {format}", format=key.upper())
        ask_save_path(self, title, f"graph.{key}", self._on_dialog_file_selected).setDefaultSuffix(key)

    def _on_dialog_file_selected(self, path: str) -> None:
        self.export_chosen.emit(self._export, path)

    def _choose_page(self) -> None:
        has_steps, steps = bool(self.canvas.painting.layout.places), len(self.graph.nodes)
        if steps > _MOST_DRAWN:
            self._empty.show_text(
                tr("{steps} steps are too many to draw", steps=format_count(steps)),
                tr("The graph can be saved as DOT."),
            )
        elif steps > _LONG_FROM:
            self._empty.show_text(
                tr("Laying out {steps} steps", steps=format_count(steps)), tr("The plan can be used meanwhile.")
            )
        else:
            self._empty.show_text(*_NO_STEPS)
        self._pages.setCurrentWidget(self.canvas if has_steps or 0 < steps <= _LONG_FROM else self._empty)
        for button in (self._zoom_out, self._zoom_in, self._fit):
            button.setEnabled(has_steps)
