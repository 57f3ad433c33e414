"""Paint the bars of one lane of a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from console.batch.timeline_rows import Bar
from console.theme import StatusColors, Theme
from console.widgets.status import STATUS

__all__ = ["BAR_HEIGHT", "BarPainter", "Scale"]

BAR_HEIGHT: Final = 20
_RADIUS: Final = 4.0
_LEAST: Final = 4.0
_THIN: Final = 5.0
"""Up to which width a bar is only filled: its outline alone would fill it."""
_THIN_PLANNED: Final = 14.0
"""The same for what is planned: dashes around less are only noise."""
_WORDS_FROM: Final = 22.0
_INSET: Final = 8.0
_ROOM: Final = 14.0


class Scale(NamedTuple):
    """Where moments of a run stand in the picture.

    Attributes:
        left: Where the time begins that is seen, in logical pixels.
        right: Where the picture ends.
        begins_s: When that is, in seconds from the start of the run.
        per_s: Logical pixels for each second.
    """

    left: float
    right: float
    begins_s: float
    per_s: float

    def x(self, at_s: float) -> float:
        """Return where a moment stands."""
        return self.left + (at_s - self.begins_s) * self.per_s

    def moment(self, x: float) -> float:
        """Return the moment at a place."""
        return self.begins_s + (x - self.left) / self.per_s

    def span(self, bar: Bar) -> tuple[float, float]:
        """Return where a bar begins and ends; each is wide enough to be seen."""
        left = round(self.x(bar.began_s))
        return left, max(left + _LEAST, round(self.x(bar.ended_s)))


class BarPainter:
    """Paint bars; what they have in common is made once.

    Args:
        painter: Where to paint.
        theme: Where the colours come from.
        scale: Where moments stand.
        selected: The step whose bars are marked; empty for none.
        mark: The colour of the mark.
    """

    def __init__(self, painter: QPainter, theme: Theme, scale: Scale, selected: str, mark: QColor) -> None:
        self._painter = painter
        self._theme = theme
        self._scale = scale
        self._selected = selected
        self._mark = mark
        self._font = theme.font("caption")
        self._metrics = QFontMetrics(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, bars: Sequence[Bar], top: float) -> None:
        """Paint the bars of a lane.

        Short ones that touch each other are one box, for a lane may have thousands; what went wrong and what is
        selected is painted over all others, so that it is never hidden.

        Args:
            bars: In the order in which they begin.
            top: The upper edge of the bars.
        """
        over: list[tuple[int, Bar]] = []
        run: list[float] | None = None
        run_of: Bar | None = None
        for index, bar in enumerate(bars):
            left, right = self._scale.span(bar)
            if right < self._scale.left:
                continue
            if bar.step == self._selected or STATUS[bar.status].tone == "error":
                over.append((index, bar))
                continue
            is_thin = right - left <= (_THIN_PLANNED if bar.is_planned else _THIN)
            if run is not None and run_of is not None:
                if is_thin and left <= run[1] + 1 and _is_alike(bar, run_of):
                    run[1] = max(run[1], right)
                    continue
                self._paint_run(run, run_of, top)
                run = None
            if is_thin:
                run, run_of = [left, right], bar
            else:
                self._paint_bar(bar, QRectF(left, top, right - left, BAR_HEIGHT))
                self._paint_words(bar, left, right, top, self._scale.right)
        if run is not None and run_of is not None:
            self._paint_run(run, run_of, top)
        for index, bar in over:
            left, right = self._scale.span(bar)
            self._paint_bar(bar, QRectF(left, top, right - left, BAR_HEIGHT))
            following = bars[index + 1] if index + 1 < len(bars) else None
            room = self._scale.right if following is None else self._scale.x(following.began_s)
            self._paint_words(bar, left, right, top, room)

    def _paint_run(self, run: Sequence[float], bar: Bar, top: float) -> None:
        self._paint_bar(bar, QRectF(run[0], top, run[1] - run[0], BAR_HEIGHT), is_filled=not bar.is_planned)

    def _paint_bar(self, bar: Bar, rect: QRectF, *, is_filled: bool = False) -> None:
        painter, tone = self._painter, self._tone(bar)
        width = 2.0 if bar.is_critical and not bar.is_planned else 1.0
        radius = min(_RADIUS, rect.width() / 2)
        if is_filled or (rect.width() <= _THIN and not bar.is_planned):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone.fill)
            width = 0.0
        elif bar.is_planned:
            pen = QPen(self._theme.color.accent if bar.is_critical else self._theme.color.text3, width)
            pen.setDashPattern([4, 3])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            painter.setPen(QPen(tone.fill, width))
            painter.setBrush(tone.soft)
        half = width / 2
        painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius)
        if bar.step == self._selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._mark, 2))
            painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), radius + 3, radius + 3)

    def _paint_words(self, bar: Bar, left: float, right: float, top: float, room: float) -> None:
        left = max(left, self._scale.left)
        went_wrong = STATUS[bar.status].tone == "error"
        if (bar.is_planned and bar.note) or (right - left < _WORDS_FROM and not went_wrong):
            return
        name = f"{bar.number} {bar.step}"
        long = f"{name}, {bar.note}" if bar.note else name
        if went_wrong:
            long = f"{name} {STATUS[bar.status].word.lower()}"
        ink = self._theme.color.text3 if bar.is_planned else self._tone(bar).text
        for words in (long, name, str(bar.number)):
            if self._metrics.horizontalAdvance(words) + _ROOM <= right - left:
                self._write(words, left + _INSET, top, ink)
                return
        beside = right + 6
        if went_wrong and beside + self._metrics.horizontalAdvance(long) + 4 < min(room, self._scale.right):
            self._write(long, beside, top, ink)

    def _write(self, words: str, left: float, top: float, ink: QColor) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(ink)
        baseline = top + (BAR_HEIGHT + self._metrics.ascent() - self._metrics.descent()) / 2
        self._painter.drawText(QPointF(round(left), round(baseline)), words)

    def _tone(self, bar: Bar) -> StatusColors:
        return self._theme.tone(STATUS[bar.status].tone)


def _is_alike(one: Bar, other: Bar) -> bool:
    return one.status == other.status and one.is_planned == other.is_planned and one.is_critical == other.is_critical
