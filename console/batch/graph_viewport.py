"""Which part of a graph is seen, and how large."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize

from console.batch.graph_layout import NODE_HEIGHT, NODE_WIDTH, Layout, Point

MARGIN: Final = 20
"""Around a graph of which everything is seen, in logical pixels."""
_LARGEST: Final = 2.0
_SMALLEST: Final = 0.02
_STAY: Final = 60
"""How much of a graph stays in sight wherever it is moved, in logical pixels."""


class Viewport(NamedTuple):
    """Which part of a graph is seen, and how large.

    Attributes:
        scale: Pixels of the picture for each logical pixel of the graph.
        left: Where the graph's left edge is in the picture.
        top: Where its upper edge is.
    """

    scale: float = 1.0
    left: float = 0.0
    top: float = 0.0

    def rect(self, place: Point) -> QRectF:
        """Return where a step stands in the picture."""
        x, y = place
        scale = self.scale
        return QRectF(self.left + x * scale, self.top + y * scale, NODE_WIDTH * scale, NODE_HEIGHT * scale)

    def point(self, place: Point) -> QPointF:
        """Return where a point of the graph is in the picture."""
        return QPointF(self.left + place[0] * self.scale, self.top + place[1] * self.scale)

    def back(self, seen: QRectF) -> QRectF:
        """Return which part of the graph a part of the picture shows."""
        left, top = (seen.x() - self.left) / self.scale, (seen.y() - self.top) / self.scale
        return QRectF(left, top, seen.width() / self.scale, seen.height() / self.scale)

    def zoomed(self, factor: float, fixed: QPointF) -> Viewport:
        """Return what is seen so many times larger, with one point of the picture where it was."""
        scale = min(max(self.scale * factor, _SMALLEST), _LARGEST)
        factor = scale / self.scale
        left = fixed.x() + (self.left - fixed.x()) * factor
        top = fixed.y() + (self.top - fixed.y()) * factor
        return Viewport(scale, float(round(left)), float(round(top)))

    def within(self, layout: Layout, size: QSize) -> Viewport:
        """Return what is seen with some of the graph in sight, whatever was asked for."""
        wide, high = layout.width * self.scale, layout.height * self.scale
        left = min(max(self.left, float(round(_STAY - wide))), size.width() - _STAY)
        return Viewport(self.scale, left, min(max(self.top, float(round(_STAY - high))), size.height() - _STAY))


def fitting(layout: Layout, size: QSize) -> Viewport:
    """Return how all of a graph is seen in a picture of this size, nothing larger than it is."""
    wide, high = size.width() - 2 * MARGIN, size.height() - 2 * MARGIN
    scale = 1.0
    if layout.width > 0 and wide > 0 and high > 0:
        scale = max(min(1.0, wide / layout.width, high / layout.height), _SMALLEST)
    return Viewport(scale, float(round((size.width() - layout.width * scale) / 2)), float(MARGIN))
