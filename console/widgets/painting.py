"""Paint parts that custom widgets and item delegates share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPen, QRegion
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from console.theme import Theme, draw_words, upright

_MOST_TEXTS: Final = 4096
_MARK: Final = 16
_RIGHT: Final = Qt.TextElideMode.ElideRight
_WHOLE: Final = Qt.TextElideMode.ElideNone


class TextFace:
    """Measure and paint lines of text in one font; the same ones are painted again and again.

    Get it from `text_face`, which has one for each font.

    Attributes:
        metrics: Its measures, as Qt rounds them.
    """

    def __init__(self, font: QFont) -> None:
        self.font = QFont(font)
        self.metrics = QFontMetrics(font)
        exact = QFontMetricsF(font)
        self._ascent, self._descent = exact.ascent(), exact.descent()
        self._advances: dict[str, int] = {}
        self._shortened: dict[tuple[str, int, Qt.TextElideMode], tuple[str, int]] = {}

    def baseline(self, height: int) -> int:
        """Give how far below the top the baseline of middle-aligned text is.

        Qt rounds ascent and descent first, which puts 13 px text one pixel too low.

        Args:
            height: Of what the text stands in, in logical pixels.
        """
        return math.floor((height - self._ascent - self._descent) / 2 + self._ascent)

    def advance(self, line: str) -> int:
        """Give how wide a line is in logical pixels."""
        known = self._advances.get(line)
        if known is None:
            if len(self._advances) >= _MOST_TEXTS:
                self._advances.clear()
            known = self._advances[line] = self.metrics.horizontalAdvance(line)
        return known

    def shortened(self, text: str, width: int, elide: Qt.TextElideMode = _RIGHT) -> tuple[str, int]:
        """Return a text as it fits into a width, in one line, and how wide it is then.

        Args:
            width: How wide it may be in logical pixels.
        """
        known = self._shortened.get((text, width, elide))
        if known is None:
            if len(self._shortened) >= _MOST_TEXTS:
                self._shortened.clear()
            known = self._shortened[text, width, elide] = self._shorten(text.replace("\n", " "), width, elide)
        return known

    def _shorten(self, line: str, width: int, elide: Qt.TextElideMode) -> tuple[str, int]:
        taken = self.metrics.horizontalAdvance(line)
        if elide is _WHOLE or taken < width:
            return line, taken
        # Costs several times as much as the width, which is rounded.
        shown = self.metrics.elidedText(line, elide, width)
        return shown, self.metrics.horizontalAdvance(shown)

    def paint(  # noqa: PLR0917 -- a rectangle made for each cell of a table would cost as much as its words
        self,
        painter: QPainter,
        ink: QColor,
        text: str,
        left: int,
        top: int,
        width: int,
        height: int,
        *,
        at_right: bool = False,
        elide: Qt.TextElideMode = _RIGHT,
    ) -> None:
        """Paint one line in the middle of a place, shortened to it.

        Args:
            left: The place's left edge in logical pixels.
            top: Its upper edge.
            at_right: Whether the text ends at its right edge.
        """
        shown, taken = self.shortened(text, width, elide)
        painter.setFont(self.font)
        painter.setPen(ink)
        # At a point, text is painted three times as fast as in a rectangle.
        draw_words(painter, left + width - taken if at_right else left, top + self.baseline(height), shown, taken)


@lru_cache(maxsize=64)
def text_face(font: QFont) -> TextFace:
    """Return what is known of a font; fonts are looked up by what they are, so one that was changed is another one."""
    return TextFace(font)


LatencyClass = Literal["fast", "medium", "slow"]

LATENCY_BARS: Final = {"fast": 1, "medium": 2, "slow": 3}
_BAR_HEIGHTS: Final = (4.0, 7.5, 11.0)
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_box(
    painter: QPainter,
    rect: QRect,
    radius: float,
    *,
    fill: QColor | None = None,
    border: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Paint a rounded rectangle whose border lies inside `rect` and falls on whole pixels.

    What the first picture of the window shows is filled by this, not by `fillRect`: for its first call PySide makes all
    presets of gradients.

    Args:
        rect: Outer edges in logical pixels.
        radius: Outer corner radius in logical pixels.
        fill: Inside colour; None for none.
        border: Border colour; None for none.
        width: Border width in logical pixels.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    if border is None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(rect), radius, radius)
    else:
        painter.setPen(QPen(border, width))
        half = width / 2
        inner = QRectF(rect).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(inner, max(0.0, radius - half), max(0.0, radius - half))
    painter.restore()


def paint_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: QColor,
    *,
    align: Qt.AlignmentFlag = _LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint one line of text, shortened to the rectangle.

    Args:
        rect: Logical pixels.
        text: One line; line breaks are not obeyed.
        align: Where it stands in the rectangle.
    """
    painter.setFont(font)
    painter.setPen(color)
    face = text_face(font)
    shown, taken = face.shortened(text, rect.width(), elide)
    across, down = _placement(align)
    left, top = rect.x(), rect.y()
    if across:
        left += (rect.width() - taken) * across // 2
    if down is None:
        baseline = top + face.baseline(rect.height())
    else:
        baseline = top + (rect.height() - face.metrics.descent() if down else face.metrics.ascent())
    # At a point, text is painted three times as fast as in a rectangle.
    draw_words(painter, left, baseline, shown, taken)


@lru_cache(maxsize=32)
def _placement(align: Qt.AlignmentFlag) -> tuple[int, int | None]:
    """Give how many halves of the spare width stand at the left, and 0 for the top, 1 for the bottom, None for between.

    Taking flags apart costs more than painting a word.
    """
    across = 2 if align & Qt.AlignmentFlag.AlignRight else 1 if align & Qt.AlignmentFlag.AlignHCenter else 0
    if align & Qt.AlignmentFlag.AlignVCenter:
        return across, None
    return across, 1 if align & Qt.AlignmentFlag.AlignBottom else 0


def paint_focus_ring(painter: QPainter, rect: QRect, radius: float, theme: Theme) -> None:
    """Paint the 2 px focus line just inside a rectangle."""
    paint_box(painter, rect, radius, border=theme.color.focus, width=theme.size.focus_ring)


def paint_row(painter: QPainter, option: QStyleOptionViewItem, theme: Theme, *, divider: bool = False) -> None:
    """Paint the background of a row in its state: selected, under the pointer or neither.

    Args:
        option: The delegate's option, for its rectangle and state.
        theme: Where the colours come from.
        divider: Whether a 1 px line closes the row.
    """
    rect: QRect = option.rect
    state: QStyle.StateFlag = option.state
    if state & QStyle.StateFlag.State_Selected:
        active = bool(state & QStyle.StateFlag.State_Active)
        painter.fillRect(rect, theme.color.selected if active else theme.color.selected_inactive)
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, theme.color.hover)
    if divider:
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.color.divider)


def paint_match(painter: QPainter, rect: QRect, text: str, spans: list[tuple[int, int]], theme: Theme) -> None:
    """Paint the mark behind matched letters; the text itself is painted by the caller, over it.

    Args:
        painter: Where to paint; its font is the text's.
        rect: Where the text stands, left aligned.
        spans: First letter and the one past the last of each match.
        theme: Where the colours come from.
    """
    metrics = painter.fontMetrics()
    top = rect.y() + (rect.height() - 16) // 2
    for start, end in spans:
        left = metrics.horizontalAdvance(text[:start])
        right = metrics.horizontalAdvance(text[:end])
        paint_box(painter, QRect(rect.x() + left, top, right - left, 16), 2, fill=theme.color.match_bg)


def paint_marked(  # noqa: PLR0917 -- as `TextFace.paint`
    painter: QPainter,
    words: QRect,
    text: str,
    spans: Sequence[tuple[int, int]],
    face: TextFace,
    ink: QColor,
    theme: Theme,
) -> int:
    """Paint one line over the marks of its matches; where it is cut short, so are they.

    Args:
        words: Where the line stands.
        spans: First letter and the one past the last of each match.
        theme: Where the colours of marks come from.

    Returns:
        How wide it is as it was painted.
    """
    shown, taken = face.shortened(text, words.width())
    with upright(painter, words.x(), taken):
        _paint_marked(painter, words, (shown, text), spans, face, ink, theme)
    return taken


def _paint_marked(  # noqa: PLR0917 -- as `TextFace.paint`
    painter: QPainter,
    words: QRect,
    line: tuple[str, str],
    spans: Sequence[tuple[int, int]],
    face: TextFace,
    ink: QColor,
    theme: Theme,
) -> None:
    color, (shown, text) = theme.color, line
    whole = len(shown) if shown == text else len(shown) - 1
    matched = QRegion()
    for start, end in spans:
        if start < whole:
            left = words.x() + face.advance(shown[:start])
            width = words.x() + face.advance(shown[: min(end, whole)]) - left
            mark = QRect(left, words.y() + (words.height() - _MARK) // 2, width, _MARK)
            paint_box(painter, mark, 2, fill=color.match_bg)
            matched += mark
    x, y = words.x(), words.y() + face.baseline(words.height())
    painter.setFont(face.font)
    painter.setPen(ink)
    if not spans or color.match_text == ink:
        painter.drawText(x, y, shown)
        return
    painter.save()
    painter.setClipRegion(QRegion(words) - matched)
    painter.drawText(x, y, shown)
    painter.setPen(color.match_text)
    painter.setClipRegion(matched)
    painter.drawText(x, y, shown)
    painter.restore()


def paint_latency_bars(painter: QPainter, rect: QRect, latency: LatencyClass | None, theme: Theme) -> None:
    """Paint one, two or three rising bars, 13 by 11 px, at the right of a rectangle.

    Args:
        rect: Logical pixels.
        latency: The class; None paints nothing.
        theme: Where the colours come from; the bars are grey, as latency is no status.
    """
    if latency is None:
        return
    filled = LATENCY_BARS[latency]
    bottom = rect.y() + (rect.height() + 12) // 2
    left = rect.x() + rect.width() - 13
    painter.setPen(Qt.PenStyle.NoPen)
    for index, height in enumerate(_BAR_HEIGHTS):
        painter.setBrush(theme.color.text3 if index < filled else theme.color.border_strong)
        painter.drawRect(QRectF(left + index * 5, bottom - height, 3, height))


def pill_size(text: str, theme: Theme) -> tuple[int, int]:
    """Give width and height of a count pill in logical pixels."""
    advance = QFontMetrics(theme.font("caption", tabular=True)).horizontalAdvance(text)
    return max(16, advance + 10), 16


def paint_pill(painter: QPainter, rect: QRect, text: str, theme: Theme, *, accent: bool = False) -> None:
    """Paint a count pill.

    Args:
        rect: Outer edges.
        theme: Where the colours come from.
        accent: Whether the count waits for the user.
    """
    fill = theme.color.accent if accent else theme.status.idle.soft
    color = theme.color.on_accent if accent else theme.color.text2
    paint_box(painter, rect, theme.radius.small, fill=fill)
    paint_text(painter, rect, text, theme.font("caption", tabular=True), color, align=Qt.AlignmentFlag.AlignCenter)
