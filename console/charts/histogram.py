"""How often runs took about how long, and which of them are above a limit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme import theme_of

__all__ = ["Histogram"]


class Histogram(QWidget):
    """Show bars of equal width from 0 to some time: grey up to the limit, amber above it.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: tuple[int, ...] = ()
        self._end_ms = 0.0
        self._limit_ms: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_counts(self, counts: Sequence[int], end_ms: float, limit_ms: float | None) -> None:
        """Show how often runs took about how long.

        Args:
            counts: Runs of each bar, from the quickest to the slowest; none of them shows that nothing ran.
            end_ms: Where the last bar ends, in milliseconds; the first begins at 0.
            limit_ms: From where on runs are too slow, in milliseconds; None draws no limit.
        """
        self._counts, self._end_ms, self._limit_ms = tuple(counts), end_ms, limit_ms
        self.update()

    def sizeHint(self) -> QSize:
        """Return what bars and axis take."""
        return QSize(264, 68)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars."""
        theme, most = theme_of(self), max(self._counts, default=0)
        painter = QPainter(self)
        for place, count in enumerate(self._counts):
            width = self.width() / len(self._counts)
            height = count / most * self.height() if most else 0.0
            begins_ms = place * self._end_ms / len(self._counts)
            above = self._limit_ms is not None and begins_ms >= self._limit_ms
            color = theme.status.warn.fill if above else theme.color.border_strong
            painter.fillRect(QRectF(place * width, self.height() - height, width - 1, height), color)
