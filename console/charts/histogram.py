"""The small charts without axes of time: a histogram and a sparkline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.charts.lines import Tick, duration_ticks, line_pen
from console.language import tr
from console.theme import Theme, painter_of, theme_of
from console.widgets import format_duration_ms, paint_text

_HEIGHT: Final = 72
_AXIS: Final = 18
_STEPS: Final = 2
_LEAST_BAR: Final = 1.0
_GAP: Final = 1
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTER: Final = Qt.AlignmentFlag.AlignCenter


class Histogram(QWidget):
    """Show bars of equal width from 0 to some time: grey up to the limit, amber above it."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: tuple[int, ...] = ()
        self._end_ms = 0.0
        self._limit_ms: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._name()

    def show_counts(self, counts: Sequence[int], end_ms: float, limit_ms: float | None) -> None:
        """Show how often runs took about how long.

        Args:
            counts: Runs of each bar, from the quickest to the slowest; none of them shows that nothing ran.
            end_ms: Where the last bar ends, in milliseconds; the first begins at 0.
            limit_ms: From where on runs are too slow, in milliseconds; None draws no limit.
        """
        self._counts, self._end_ms, self._limit_ms = tuple(counts), end_ms, limit_ms
        self._name()
        self.update()

    def _name(self) -> None:
        runs = sum(self._counts)
        end = format_duration_ms(self._end_ms)
        if not runs:
            name = tr("No runs")
        elif self._limit_ms is None:
            name = tr("{runs:,} runs up to {end}", runs=runs, end=end)
        else:
            limit = format_duration_ms(self._limit_ms)
            name = tr("{runs:,} runs up to {end}, the limit is {limit}", runs=runs, end=end, limit=limit)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(264, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        font = theme.font("caption", tabular=True)
        font.setWeight(QFont.Weight.Normal)
        if not any(self._counts):
            paint_text(painter, self.rect(), tr("No runs"), font, theme.color.text3, align=_CENTER)
            return
        bottom = self.height() - _AXIS
        self._paint_bars(painter, theme, bottom)
        painter.fillRect(0, bottom, self.width(), 1, theme.plot.grid)
        for tick in duration_ticks(self._end_ms / 1000, _STEPS):
            self._paint_tick(painter, theme, font, tick)
        if self._limit_ms is not None and self._limit_ms < self._end_ms:
            self._paint_limit(painter, theme, font, self._limit_ms, bottom)

    def _paint_bars(self, painter: QPainter, theme: Theme, bottom: int) -> None:
        most, width = max(self._counts), self.width() / len(self._counts)
        slot_ms = self._end_ms / len(self._counts)
        for place, count in enumerate(self._counts):
            if not count:
                continue
            height = max(_LEAST_BAR, count / most * bottom)
            # A bar that the limit falls into is judged by its middle: most of it is on that side.
            above = self._limit_ms is not None and (place + 0.5) * slot_ms > self._limit_ms
            color = theme.status.warn.fill if above else theme.color.border_strong
            left, right = round(place * width), round((place + 1) * width)
            painter.fillRect(QRectF(left, bottom - height, max(1, right - left - _GAP), height), color)

    def _paint_tick(self, painter: QPainter, theme: Theme, font: QFont, tick: Tick) -> None:
        x = round(tick.at * 1000 / self._end_ms * self.width())
        width = QFontMetrics(font).horizontalAdvance(tick.text) + 1
        left = min(max(x - width // 2, 0), self.width() - width)
        words = QRect(left, self.height() - _AXIS + 2, width, 16)
        paint_text(painter, words, tick.text, font, theme.plot.axis, elide=Qt.TextElideMode.ElideNone)

    def _paint_limit(self, painter: QPainter, theme: Theme, font: QFont, limit_ms: float, bottom: int) -> None:
        x = round(limit_ms / self._end_ms * self.width()) + 0.5
        pen = line_pen(theme, "threshold")
        painter.setPen(pen)
        painter.drawLine(QLineF(x, 0, x, bottom))
        text = format_duration_ms(limit_ms)
        width = QFontMetrics(font).horizontalAdvance(text) + 1
        is_left = x - width - 4 >= 0
        words = QRect(round(x) - width - 4 if is_left else round(x) + 4, 0, width, 14)
        paint_text(painter, words, text, font, pen.color(), align=_RIGHT if is_left else _LEFT)


_LINE: Final = 1.5
_DOT: Final = 2.25


def paint_sparkline(painter: QPainter, rect: QRectF, numbers: Sequence[float | None], color: QColor) -> None:
    """Paint numbers as a line from the left to the right of a rectangle, with a dot at the last.

    The least number stands at the bottom, the greatest at the top; equal numbers stand at the bottom, where nothing
    happens. What is not known is a gap; a number between two gaps is a dot.

    Args:
        rect: Logical pixels; line and dot stay inside.
        numbers: Oldest first, evenly spaced; None is a gap.
        color: Of line and dot.
    """
    known = [number for number in numbers if number is not None]
    if not known:
        return
    inner = rect.adjusted(_DOT, _DOT, -_DOT, -_DOT)
    least, extent = min(known), max(known) - min(known)
    step = inner.width() / max(1, len(numbers) - 1)
    runs: list[list[QPointF]] = [[]]
    for place, number in enumerate(numbers):
        if number is None:
            runs.append([])
            continue
        height = (number - least) / extent * inner.height() if extent else 0.0
        runs[-1].append(QPointF(inner.left() + place * step, inner.bottom() - height))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, _LINE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    for run in runs:
        if len(run) > 1:
            painter.drawPolyline(QPolygonF(run))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for run in runs:
        if len(run) == 1:
            painter.drawEllipse(run[0], _LINE, _LINE)
    if runs[-1]:
        painter.drawEllipse(runs[-1][-1], _DOT, _DOT)
    painter.restore()
