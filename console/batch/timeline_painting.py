"""Paint the bars of one lane of a timeline."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen

from console.batch.timeline_layout import THIN, Bar, Box, Boxes, Scale
from console.theme import StatusColors, Theme
from console.widgets.status import STATUS

BAR_HEIGHT: Final = 20
_RADIUS: Final = 4.0
_WORDS_FROM: Final = 22.0
_INSET: Final = 8.0
_ROOM: Final = 14.0
_NARROWEST: Final = 2.0
"""No letter is narrower, in logical pixels; to measure words that cannot fit costs more than their bar."""


class BarPainter:
    """Paint bars; what they have in common is made once.

    Args:
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

    def paint(self, boxes: Boxes, selected: Sequence[Box], top: float) -> None:
        """Paint the bars of a lane: what went wrong and what is selected over all others, so that it is never hidden.

        Args:
            boxes: Where they stand.
            selected: Those of the selected step.
            top: The upper edge of the bars.
        """
        over = [*(box for box in boxes.over if box.bar.step != self._selected), *selected]
        places = [_place_under(boxes.under, box) for box in over]
        free = _free_parts(boxes.under, over, places)
        for place, box in enumerate(boxes.under):
            if box.is_thin:
                is_filled = not box.bar.is_planned
                self._paint_bar(box.bar, self._rect(box, top), is_filled=is_filled)
            elif box.bar.step != self._selected:
                self._paint_bar(box.bar, self._rect(box, top))
                left, right = free.get(place, (box.left, box.right))
                self._paint_words(box.bar, left, right, top, self._scale.right)
        for box, under in zip(over, places, strict=True):
            self._paint_bar(box.bar, self._rect(box, top), is_marked=box.bar.step == self._selected)
            room = self._scale.right if box.next_s is None else self._scale.x(box.next_s)
            self._paint_words(box.bar, box.left, box.right, top, room if under is None else box.right)

    def _rect(self, box: Box, top: float) -> QRectF:
        return QRectF(box.left, top, box.right - box.left, BAR_HEIGHT)

    def _paint_bar(self, bar: Bar, rect: QRectF, *, is_filled: bool = False, is_marked: bool = False) -> None:
        painter, tone = self._painter, self._tone(bar)
        width = 2.0 if bar.is_critical and not bar.is_planned else 1.0
        radius = min(_RADIUS, rect.width() / 2)
        if is_filled or (rect.width() <= THIN and not bar.is_planned):
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
        if bar.review_s and not bar.is_planned:
            self._paint_waiting(bar, rect)
        painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius)
        if is_marked:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._mark, 2))
            painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), radius + 3, radius + 3)

    def _paint_waiting(self, bar: Bar, rect: QRectF) -> None:
        """Hatch the part in which a person was waited for; how long is known, not when, so it is drawn first."""
        share = min(1.0, bar.review_s / (bar.ended_s - bar.began_s)) if bar.ended_s > bar.began_s else 0.0
        waiting = QRectF(rect.left(), rect.top(), rect.width() * share, rect.height())
        self._painter.save()
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QBrush(self._theme.status.warn.fill, Qt.BrushStyle.BDiagPattern))
        self._painter.drawRect(waiting)
        self._painter.restore()

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
            if len(words) * _NARROWEST + _ROOM > right - left:
                continue
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


def _place_under(under: Sequence[Box], over: Box) -> int | None:
    """Return the place of the bar on which the end of another is painted; None when there is none."""
    place = bisect_right(under, over.right, key=_left) - 1
    if place < 0 or under[place].is_thin or under[place].bar is over.bar:
        return None
    return place if over.right < under[place].right else None


def _free_parts(
    under: Sequence[Box], over: Sequence[Box], places: Sequence[int | None]
) -> dict[int, tuple[float, float]]:
    """Return between where the words of bars may stand on which something else is painted, by their place."""
    free: dict[int, tuple[float, float]] = {}
    for box, place in zip(over, places, strict=True):
        if place is not None:
            left, right = free.get(place, (under[place].left, under[place].right))
            # The wider of the two parts that are left of it.
            free[place] = (left, min(right, box.left)) if box.left - left > right - box.right else (box.right, right)
    return free


def _left(box: Box) -> float:
    return box.left
