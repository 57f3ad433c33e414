"""A font with what was measured of it: to find out how wide a text is costs more than to paint it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter

_MOST_TEXTS: Final = 4096
_RIGHT: Final = Qt.TextElideMode.ElideRight
_WHOLE: Final = Qt.TextElideMode.ElideNone


class TextFace:
    """Measure and paint lines of text in one font; the same ones are painted again and again.

    Get it from `text_face`, which has one for each font.

    Attributes:
        font: It.
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
            text: The text.
            width: How wide it may be in logical pixels.
            elide: Where it is shortened.
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
            painter: Where to paint.
            ink: The colour.
            text: The text.
            left: The place's left edge in logical pixels.
            top: Its upper edge.
            width: How wide it is.
            height: How high it is.
            at_right: Whether the text ends at its right edge.
            elide: Where the text is shortened.
        """
        shown, taken = self.shortened(text, width, elide)
        painter.setFont(self.font)
        painter.setPen(ink)
        # At a point, text is painted three times as fast as in a rectangle.
        painter.drawText(left + width - taken if at_right else left, top + self.baseline(height), shown)


@lru_cache(maxsize=64)
def text_face(font: QFont) -> TextFace:
    """Return what is known of a font; fonts are looked up by what they are, so one that was changed is another one."""
    return TextFace(font)
