"""Curves as one item of a scene, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from console.charts.lines import Points, lone_points

__all__ = ["Curves", "decimated"]

_Numbers = NDArray[np.float64]
_DOT: Final = 4.0


class Curves(pg.PlotCurveItem):
    """Draw curves with one pen, as one item: many items cost several times as much.

    A point without neighbours is a dot. Of more points than a screen can tell apart, the least and the greatest of
    each column of pixels are drawn.
    """

    def __init__(self) -> None:
        super().__init__(antialias=True, connect="finite")
        self._dots = QPolygonF()

    def show_curves(self, curves: Sequence[Points], width: int) -> None:
        """Show curves.

        Args:
            curves: Each from the left to the right.
            width: Of the plot, in logical pixels.
        """
        self._dots = QPolygonF([QPointF(*dot) for curve in curves for dot in lone_points(curve)])
        gap = np.full((1, 2), np.nan)
        parts = [part for curve in curves if curve for part in (decimated(np.array(curve), width), gap)]
        joined = np.concatenate(parts) if parts else np.empty((0, 2))
        self.setData(joined[:, 0], joined[:, 1])

    def pixelPadding(self) -> float:
        """Return how far what is painted reaches beyond the points, in logical pixels."""
        return max(_DOT, float(super().pixelPadding()))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the lines, and a dot where no line leads."""
        super().paint(painter, option, widget)
        if not self._dots.isEmpty():
            color = self.opts["pen"].color()
            pen = QPen(color, _DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPoints(self._dots)


def decimated(points: _Numbers, width: int) -> _Numbers:
    """Return points of which no column of pixels has more than its least and its greatest.

    Args:
        points: Rows of place and number, by place; a number that is NaN is a gap.
        width: How many columns there are.
    """
    if len(points) <= 2 * width:
        return points
    places, numbers = points.T
    starts = np.unique(np.searchsorted(places, np.linspace(places[0], places[-1], width, endpoint=False)))
    thinned = np.repeat(points[starts], 2, axis=0)
    thinned[0::2, 1] = np.fmin.reduceat(numbers, starts)
    thinned[1::2, 1] = np.fmax.reduceat(numbers, starts)
    return thinned
