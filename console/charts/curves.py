"""Curves as one item of a scene, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from console.charts.lines import Points, lone_points

_Numbers = NDArray[np.float64]
_DOT: Final = 4.0


class Curves(pg.PlotCurveItem):
    """Draw curves with one pen, as one item: many items cost several times as much.

    A point without neighbours is a dot. Of more points than a screen can tell apart, the least and the greatest of
    each column of pixels are drawn.
    """

    def __init__(self) -> None:
        super().__init__(antialias=True, connect="finite")
        self._pen = QPen()
        self._curves: list[_Numbers] = []
        self._dots = QPolygonF()
        self._fitted = (0.0, 0.0, 0)

    def show_curves(self, curves: Sequence[Points]) -> None:
        """Show curves, each from the left to the right; `fit` is called afterwards."""
        self._curves = [np.array(curve, dtype=np.float64) for curve in curves if curve]
        self._dots = QPolygonF([QPointF(*dot) for curve in curves for dot in lone_points(curve)])
        self._fitted = (0.0, 0.0, 0)

    def fit(self, begins: float, ends: float, width: int) -> None:
        """Draw no more than can be seen.

        Args:
            begins: Left end of what is in sight.
            ends: Right end of it.
            width: How many pixels that is.
        """
        if self._fitted == (begins, ends, width):
            return
        self._fitted = (begins, ends, width)
        gap = np.full((1, 2), np.nan)
        parts = [part for curve in self._curves for part in (in_sight(curve, begins, ends, width), gap)]
        joined = np.concatenate(parts) if parts else np.empty((0, 2))
        self.setData(joined[:, 0], joined[:, 1])

    def set_pen(self, pen: QPen) -> None:
        """Draw with another pen, whose width is in logical pixels whatever the scale of the plot."""
        self._pen = pen
        self.setPen(pen)

    @property
    def color(self) -> QColor:
        """The colour of the curves."""
        return self._pen.color()

    def pixelPadding(self) -> float:
        """Return how far what is painted reaches beyond the points, in logical pixels."""
        return max(_DOT, float(super().pixelPadding()))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the lines, and a dot where no line leads."""
        # A pen that no scale changes counts the pixels of the screen.
        ratio = painter.deviceTransform().m11() / self.sceneTransform().m11()
        pen = QPen(self._pen)
        pen.setCosmetic(True)
        pen.setWidthF(self._pen.widthF() * ratio)
        self.opts["pen"] = pen
        super().paint(painter, option, widget)
        if not self._dots.isEmpty():
            pen = QPen(self.color, _DOT * ratio, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPoints(self._dots)


def in_sight(points: _Numbers, begins: float, ends: float, width: int) -> _Numbers:
    """Return what has to be drawn of a curve: all of it as long as that is little.

    Otherwise what is in sight with a neighbour at either side, of each column of pixels the least and the greatest.

    Args:
        points: Rows of place and number, by place; a number that is NaN is a gap.
        begins: Left end of what is in sight.
        ends: Right end of it.
        width: How many pixels that is.
    """
    if len(points) <= 2 * width or width < 1:
        return points
    first, last = np.searchsorted(points[:, 0], (begins, ends))
    points = points[max(0, first - 1) : last + 1]
    if len(points) <= 2 * width:
        return points
    places, numbers = points.T
    starts = np.unique(np.searchsorted(places, np.linspace(places[0], places[-1], width, endpoint=False)))
    thinned = np.repeat(points[starts], 2, axis=0)
    thinned[0::2, 1] = np.fmin.reduceat(numbers, starts)
    thinned[1::2, 1] = np.fmax.reduceat(numbers, starts)
    return thinned
