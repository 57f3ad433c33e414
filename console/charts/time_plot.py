"""What all plots over time have in common: axes, the moment under the cursor, and a range to zoom to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QMargins, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from console.charts.lines import Tick, moment_text, time_ticks
from console.theme import Theme, theme_of
from console.widgets import paint_box, paint_text

_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_DRAG_PX: Final = 6
_LABEL_PX: Final = 84
_LINE: Final = 16
_SLACK: Final = 2
"""By how many pixels curves may leave the area, so that a line along its edge is as wide as any other."""


class PlotFrame(NamedTuple):
    """The stretch of time that plots show.

    Attributes:
        begins_s: Its begin in seconds since the epoch.
    """

    begins_s: float
    ends_s: float
    slot_s: int


class TimePlot(pg.GraphicsView):
    """Show something over time.

    Subclasses add their items to `box`, choose the marks of the upright axis in `fit` and say what they show of a
    moment. A moment is the begin of a slot, in seconds since the epoch.

    Args:
        margins: Around the area, for what stands at the axes.

    Signals:
        moment_hovered(float | None): The cursor is at this moment now; None when it left.
        moment_chosen(float): This moment was clicked.
        range_chosen(float, float): Show only what is between these two, in seconds since the epoch.
        reset_requested: Show everything again.
        pin_requested: Keep the moment that is shown, or let go of it.
        menu_requested(QPoint): Open the menu at this place of the screen.
    """

    moment_hovered = Signal(object)
    moment_chosen = Signal(float)
    range_chosen = Signal(float, float)
    reset_requested = Signal()
    pin_requested = Signal()
    menu_requested = Signal(object)

    _is_made = False
    """False while the base class is being made, which sends events already."""

    def __init__(self, name: str, margins: QMargins, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False)
        # Time goes from left to right for everybody.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setAccessibleName(name)
        # Keys come to the plot, which has a name.
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(pg.GraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0)
        self.box.setFlag(self.box.GraphicsItemFlag.ItemIsFocusable, False)
        self.addItem(self.box)
        self._margins = margins
        self.frame = PlotFrame(0.0, 1.0, 1)
        self.ticks: tuple[Tick, ...] = (Tick(0.0, ""), Tick(1.0, ""))
        self.notice = ""
        self.moment: float | None = None
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self._theme: Theme | None = None
        self._is_made = True
        self._restyle()

    @property
    def area(self) -> QRectF:
        """The rectangle between the axes, in logical pixels."""
        return QRectF(self.rect().marginsRemoved(self._margins))

    def show_frame(self, frame: PlotFrame) -> None:
        self.frame = frame
        self.refit()

    def refit(self) -> None:
        """Choose the marks of the upright axis for what is in sight, and lay out."""
        self.ticks = self.fit()
        least, greatest = self.ticks[0].at, self.ticks[-1].at
        slack = (greatest - least) * _SLACK / max(1.0, self.area.height())
        self.box.setRange(
            xRange=(self.frame.begins_s, self.frame.ends_s),
            yRange=(least - slack, greatest + slack),
            padding=0,
            disableAutoRange=True,
        )
        # Left to the paint event, it would change the scene there, and everything would be painted a second time.
        self.box.updateMatrix()
        self.viewport().update()

    def show_notice(self, words: str) -> None:
        """Say in the middle why there is nothing to see; "" says nothing."""
        self.notice = words
        self.viewport().update()

    def show_moment(self, moment: float | None) -> None:
        """Mark a moment; None marks none."""
        if moment != self.moment:
            self.moment = moment
            self.viewport().update()

    def fit(self) -> tuple[Tick, ...]:
        """Return the marks of the upright axis, from its lower to its upper end."""
        raise NotImplementedError

    def style_items(self, theme: Theme) -> None:
        raise NotImplementedError

    def dots_at(self, moment: float) -> Sequence[tuple[float, QColor]]:
        """Return the numbers of curves at a moment, and the colours of their dots."""
        return ()

    def paint_behind(self, painter: QPainter, theme: Theme) -> None:
        """Paint under the items, over the grid."""

    def paint_before(self, painter: QPainter, theme: Theme) -> None:
        """Paint over the items, under the marked moment."""

    def x_of(self, at_s: float) -> float:
        """Return where a time stands, in logical pixels."""
        area, frame = self.area, self.frame
        return area.left() + (at_s - frame.begins_s) / (frame.ends_s - frame.begins_s) * area.width()

    def y_of(self, number: float) -> float:
        """Return where a number stands, in logical pixels."""
        area, least, greatest = self.area, self.ticks[0].at, self.ticks[-1].at
        return area.bottom() - (number - least) / (greatest - least) * area.height()

    def middle_of(self, moment: float) -> float:
        return min(moment + self.frame.slot_s / 2, self.frame.ends_s)

    def sizeHint(self) -> QSize:
        return QSize(160, 80)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self._is_made:
            self.box.setGeometry(self.area.adjusted(0, -_SLACK, 0, _SLACK))
            self.refit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._is_made and event.type() in {QEvent.Type.PaletteChange, QEvent.Type.StyleChange}:
            self._restyle()

    def _restyle(self) -> None:
        theme = theme_of(self)
        if theme is not self._theme:
            self._theme = theme
            self.setBackground(theme.color.surface)
            self.style_items(theme)
            self.viewport().update()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint surface, grid and the words at the axes."""
        theme = theme_of(self)
        painter.fillRect(rect, theme.color.surface)
        area, ink, font = self.area, theme.plot.axis, theme.font("caption", tabular=True)
        font.setWeight(font.Weight.Normal)
        last = self.height()
        for tick in self.ticks:
            y = round(self.y_of(tick.at))
            painter.fillRect(QRectF(area.left(), y, area.width(), 1), theme.plot.grid)
            if last - y < _LINE:  # the marks of a low plot would lie over each other
                continue
            last = y
            words = QRect(0, y - _LINE // 2, round(area.left()) - 8, _LINE)
            paint_text(painter, words, tick.text, font, ink, align=_RIGHT, elide=Qt.TextElideMode.ElideNone)
        frame = self.frame
        metrics = QFontMetrics(font)
        for tick in time_ticks(frame.begins_s, frame.ends_s, max(2, round(area.width() / _LABEL_PX))):
            self._paint_time(painter, tick, metrics.horizontalAdvance(tick.text), ink)
        self.paint_behind(painter, theme)

    def _paint_time(self, painter: QPainter, tick: Tick, width: int, ink: QColor) -> None:
        x = round(self.x_of(tick.at))
        left = min(max(x - width // 2, round(self.area.left())), self.width() - width - 2)
        if self.moment is None or abs(x - self.x_of(self.middle_of(self.moment))) > width + 10:
            words = QRect(left, round(self.area.bottom()) + 4, width, _LINE)
            paint_text(painter, words, tick.text, painter.font(), ink, elide=Qt.TextElideMode.ElideNone)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint what lies over the items: limits, names, the marked moment, the range that is being dragged."""
        theme = theme_of(self)
        self.paint_before(painter, theme)
        if self._pressed is not None and self._dragged is not None:
            left, right = sorted((self._pressed.x(), self._dragged.x()))
            band = QRectF(left, self.area.top(), right - left, self.area.height()).intersected(self.area)
            painter.fillRect(band, theme.plot.band)
        elif self.moment is not None:
            self._paint_moment(painter, theme, self.moment)
        if self.notice:
            font = theme.font("small")
            box = QRect(0, 0, QFontMetrics(font).horizontalAdvance(self.notice) + 16, 24)
            box.moveCenter(self.area.center().toPoint())
            painter.fillRect(box, theme.color.surface)
            paint_text(painter, box, self.notice, font, theme.color.text3, align=_CENTER)

    def _paint_moment(self, painter: QPainter, theme: Theme, moment: float) -> None:
        area, x = self.area, round(self.x_of(self.middle_of(moment)))
        if not area.left() <= x <= area.right():
            return
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), theme.plot.axis)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.color.surface)
        for number, color in self.dots_at(moment):
            painter.setPen(QPen(color, 1.5))
            painter.drawEllipse(QPointF(x + 0.5, self.y_of(number)), 3.75, 3.75)
        painter.restore()
        text = moment_text(moment, self.frame.slot_s)
        font = theme.font("caption", tabular=True)
        width = QFontMetrics(font).horizontalAdvance(text) + 12
        left = min(max(x - width // 2, 0), self.width() - width)
        tag = QRect(left, round(area.bottom()) + 3, width, 18)
        paint_box(painter, tag, theme.radius.small, fill=theme.color.tooltip)
        paint_text(painter, tag, text, font, theme.color.tooltip_text, align=_CENTER)

    def moment_at(self, x: float) -> float | None:
        """Return the moment at a place; None when it is not between the axes.

        Args:
            x: Logical pixels from the left.
        """
        area, frame = self.area, self.frame
        if not area.left() <= x <= area.right():
            return None
        at_s = self._time_at(x)
        return min(at_s, frame.ends_s - 1e-3) // frame.slot_s * frame.slot_s

    def _time_at(self, x: float) -> float:
        area, frame = self.area, self.frame
        share = min(max((x - area.left()) / max(1.0, area.width()), 0.0), 1.0)
        return frame.begins_s + share * (frame.ends_s - frame.begins_s)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.area.contains(event.position()):
            self._pressed, self._dragged = event.position(), None
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the moment under the cursor, or the range that is being dragged."""
        if self._pressed is None:
            inside = self.area.contains(event.position())
            self.viewport().setCursor(Qt.CursorShape.CrossCursor if inside else Qt.CursorShape.ArrowCursor)
            self.moment_hovered.emit(self.moment_at(event.position().x()) if inside else None)
        elif self._dragged is not None or abs(event.position().x() - self._pressed.x()) >= _DRAG_PX:
            self._dragged = event.position()
            self.viewport().update()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the moment that was clicked, or zoom to the range that was dragged."""
        event.accept()
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            return
        pressed, dragged = self._pressed, self._dragged
        self._pressed = self._dragged = None
        self.viewport().update()
        if dragged is not None:
            begins_s, ends_s = sorted((self._time_at(pressed.x()), self._time_at(dragged.x())))
            self.range_chosen.emit(begins_s, ends_s)
        elif (moment := self.moment_at(pressed.x())) is not None:
            self.moment_chosen.emit(moment)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.reset_requested.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.moment_hovered.emit(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the marked moment, choose or pin it, or show everything again."""
        frame, key = self.frame, event.key()
        newest = (frame.ends_s - 1e-3) // frame.slot_s * frame.slot_s
        moment = self.moment
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            step = frame.slot_s if key == Qt.Key.Key_Right else -frame.slot_s
            wanted = newest if moment is None else moment + step
            self.moment_hovered.emit(min(max(wanted, frame.begins_s // frame.slot_s * frame.slot_s), newest))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and moment is not None:
            self.moment_chosen.emit(moment)
        elif key == Qt.Key.Key_P and moment is not None:
            self.pin_requested.emit()
        elif key == Qt.Key.Key_Escape and moment is not None:
            self.moment_hovered.emit(None)
        elif key in {Qt.Key.Key_0, Qt.Key.Key_Minus}:
            self.reset_requested.emit()
        else:
            event.ignore()
