"""Connect two steps of a graph with the pointer: what is held, where it leads, and why it cannot."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from console.batch.graph_layout import NODE_HEIGHT, NODE_WIDTH
from console.batch.graph_painting import GraphPainting
from console.batch.graph_rows import Graph, circle_of
from console.batch.graph_viewport import Viewport
from console.theme import Theme
from console.widgets import paint_box, paint_status, paint_text

_HANDLE: Final = 4.5
HANDLE_REACH: Final = 9.0
"""How near to its dot a step is taken hold of, in logical pixels of the screen."""
_BUBBLE: Final = 28


def why_not(graph: Graph, needed: str, waiting: str) -> str:
    """Return why a step cannot wait for another one, in words; empty when it can."""
    if (needed, waiting) in graph.edges:
        return f"{waiting} waits for {needed} already"
    circle = circle_of(graph.edges, needed, waiting)
    return f"{needed} waits for {waiting} already: {' → '.join(circle[:-1])}" if circle else ""


def handle_of(painting: GraphPainting, sight: Viewport, name: str) -> QPointF:
    """Return where the dot of a step is, from which it is connected."""
    x, y = painting.layout.places[name]
    return sight.point((x + NODE_WIDTH / 2, y + NODE_HEIGHT))


def is_on_handle(painting: GraphPainting, sight: Viewport, name: str, point: QPointF) -> bool:
    """Return whether a point is on a step's dot, or near enough."""
    return (point - handle_of(painting, sight, name)).manhattanLength() <= HANDLE_REACH


def paint_handle(painter: QPainter, theme: Theme, place: QPointF) -> None:
    """Paint the dot of a step."""
    painter.setPen(QPen(theme.color.accent, 1.5))
    painter.setBrush(theme.color.surface)
    painter.drawEllipse(place, _HANDLE, _HANDLE)


class Connecting:
    """Be the new edge while it is drawn.

    Attributes:
        source: The step that is held by its dot; empty when none is.
        target: The step under the pointer; empty when there is none.
        pointer: Where the pointer is.
        refusal: Why source and target cannot be connected; it stays for a while to be read.
    """

    def __init__(self) -> None:
        self.source = ""
        self.target = ""
        self.pointer = QPointF()
        self.refusal = ""

    def begin(self, source: str, pointer: QPointF) -> None:
        """Take hold of a step."""
        self.source, self.target, self.pointer, self.refusal = source, "", pointer, ""

    def lead(self, graph: Graph, target: str, pointer: QPointF) -> None:
        """Go on to a place, over a step or over none."""
        self.target = target if target != self.source else ""
        self.pointer = pointer
        self.refusal = why_not(graph, self.source, target) if self.target else ""

    def end(self) -> tuple[str, str] | None:
        """Let go; return the step that was held and the one under the pointer, if they can be connected."""
        source, target = self.source, self.target
        self.source = self.target = ""
        return (source, target) if source and target and not self.refusal else None

    def forget(self) -> None:
        """Let go of everything."""
        self.source = self.target = self.refusal = ""

    def paint(self, painter: QPainter, theme: Theme, painting: GraphPainting, sight: Viewport, size: QSize) -> None:
        """Paint the new edge, and why it cannot be."""
        if self.source:
            color = theme.status.error.fill if self.refusal else theme.color.accent
            painter.setPen(QPen(color, 2, Qt.PenStyle.DashLine if self.refusal else Qt.PenStyle.SolidLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawLine(handle_of(painting, sight, self.source), self.pointer)
            if self.target:
                painter.drawRoundedRect(sight.rect(painting.layout.places[self.target]).adjusted(-3, -3, 3, 3), 8, 8)
        if self.refusal:
            self._paint_refusal(painter, theme, size)

    def _paint_refusal(self, painter: QPainter, theme: Theme, size: QSize) -> None:
        font = theme.font("small")
        width = min(size.width() - 16, QFontMetrics(font).horizontalAdvance(self.refusal) + 42)
        left = min(max(8.0, self.pointer.x() - width / 2), size.width() - width - 8.0)
        below = self.pointer.y() + 18
        top = below if below + _BUBBLE + 8 < size.height() else self.pointer.y() - 18 - _BUBBLE
        box = QRect(round(left), round(top), width, _BUBBLE)
        tone = theme.status.error
        paint_box(painter, box, theme.radius.medium, fill=tone.soft, border=tone.border)
        paint_status(painter, QRect(box.x() + 8, box.y() + 7, 14, 14), "failed", theme)
        paint_text(painter, box.adjusted(28, 0, -8, 0), self.refusal, font, tone.text)
