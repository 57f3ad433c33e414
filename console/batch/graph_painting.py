"""Paint a laid out graph, on the screen or into a file, at any scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from console.batch.graph_layout import LAYER_PITCH, NODE_HEIGHT, NODE_WIDTH, Layout, Point
from console.batch.graph_nodes import SHAPES_FROM, NodePainter, icon_place, whole_pixel
from console.batch.graph_rows import GraphEdge, GraphNode, NodeState
from console.batch.graph_viewport import Viewport
from console.theme import Theme

_HEAD: Final = (7.0, 4.0)
"""How long an arrow's head is, and half of how wide."""
_FINE_UP_TO: Final = 200
"""Up to how many edges those on fine screens are as wide as elsewhere: lines of more than one of their pixels take ten
times as long to paint."""
_QUEUED: Final = NodeState()
_HELD: Final = frozenset({"blocked", "skipped"})


class _Kind(IntEnum):
    """How an edge is painted; later ones over earlier ones."""

    PLAIN = 0
    BLOCKED = 1
    CRITICAL = 2


class GraphPainting:
    """Hold what is painted of a graph: where it stands, how far its steps are, which way takes longest.

    Args:
        layout: Where everything stands.
        states: How far the steps are; what is missing is queued.
        critical: The steps of the way that takes longest, first to last.
    """

    def __init__(
        self, layout: Layout, states: Mapping[str, NodeState] | None = None, critical: Sequence[str] = ()
    ) -> None:
        self.layout = layout
        self.states = dict(states or {})
        self.critical_way: tuple[str, ...] = ()
        self.critical: frozenset[str] = frozenset()
        self._critical_edges: frozenset[tuple[str, str]] = frozenset()
        self._node_by_name = {node.name: node for node in layout.graph.nodes}
        self._ways = [_way(route) for route in layout.routes]
        self._heads = [_head(route[-1]) for route in layout.routes]
        self._sides = [_sides(route) for route in layout.routes]
        self._passing = _passing(layout)
        self._kinds: list[_Kind] | None = None
        self.set_critical(critical)

    def set_critical(self, names: Sequence[str]) -> None:
        """Let another way take longest, first step to last."""
        self.critical_way = tuple(names)
        self.critical = frozenset(names)
        self._critical_edges = frozenset(pairwise(names))
        self._kinds = None

    def take(self, states: Mapping[str, NodeState]) -> bool:
        """Take in how far some steps are, and say whether edges look otherwise because of it."""
        differs = any(_edges_differ(self.state(name), state) for name, state in states.items())
        self.states.update(states)
        if differs:
            self._kinds = None
        return differs

    def state(self, name: str) -> NodeState:
        """Return how far a step is."""
        return self.states.get(name, _QUEUED)

    def node(self, name: str) -> GraphNode:
        """Return a step."""
        return self._node_by_name[name]

    def node_at(self, point: QPointF, sight: Viewport, slack: float = 0.0) -> str:
        """Return the step at a point of the picture; empty when there is none.

        Args:
            point: In the picture.
            sight: What the picture shows.
            slack: How far beside a step still counts, in logical pixels of the graph.
        """
        seen = sight.back(QRectF(point.x(), point.y(), 0, 0)).adjusted(-slack, -slack, slack, slack)
        return next(self._names_in(seen), "")

    def icon_rect(self, name: str, sight: Viewport) -> QRect | None:
        """Return where the sign of a step is painted; None where steps are too small for signs."""
        if sight.scale < SHAPES_FROM:
            return None
        place = icon_place(sight.rect(self.layout.places[name]), sight.scale)
        side = max(1, round(place.width()))
        return QRect(whole_pixel(place.x(), place.y()), QSize(side, side))

    def is_blocked(self, needed: str, waiting: str) -> bool:
        """Return whether a step does not run because of how another one ended."""
        return self.state(needed).is_blocking and self.state(waiting).status in _HELD

    def paint(
        self, painter: QPainter, theme: Theme, sight: Viewport, seen: QRectF, *, as_vectors: bool = False
    ) -> None:
        """Paint a part of the graph.

        Args:
            painter: Where to paint.
            theme: Where the colours come from.
            sight: What the picture shows.
            seen: The part of the picture that is painted.
            as_vectors: Whether icons are drawn with lines, for files that keep these.
        """
        part = sight.back(seen)
        self._paint_edges(painter, theme, sight, part)
        self.paint_nodes(painter, theme, sight, self._names_in(part.adjusted(-4, -10, 4, 4)), as_vectors=as_vectors)

    def paint_nodes(
        self, painter: QPainter, theme: Theme, sight: Viewport, names: Iterable[str], *, as_vectors: bool = False
    ) -> None:
        """Paint some steps; without the ring of what runs, unless as vectors: on the screen it turns."""
        nodes, places, states, critical = self._node_by_name, self.layout.places, self.states, self.critical
        node_painter = NodePainter(painter, theme, sight.scale, as_vectors=as_vectors)
        for name in names:
            state = states.get(name, _QUEUED)
            node_painter.paint(sight.rect(places[name]), nodes[name], state, is_critical=name in critical)

    def paint_pill(self, painter: QPainter, theme: Theme, sight: Viewport, name: str) -> None:
        """Paint how many rows of a step are done once more, over what was painted around it."""
        NodePainter(painter, theme, sight.scale).paint_pill(sight.rect(self.layout.places[name]), self.state(name))

    def paint_way(self, painter: QPainter, theme: Theme, sight: Viewport, name: str) -> None:
        """Paint the edges of one step once more, darker."""
        mine = [
            index
            for index, edge in enumerate(self.layout.graph.edges)
            if name in edge and edge not in self._critical_edges and not self.is_blocked(*edge)
        ]
        self._paint_ways(painter, sight, mine, QPen(theme.color.text2, 2))

    def _names_in(self, part: QRectF) -> Iterator[str]:
        places = self.layout.places
        first = max(0, int((part.top() - NODE_HEIGHT) // LAYER_PITCH))
        last = max(0, int(part.bottom() // LAYER_PITCH) + 1)
        left, right = part.left() - NODE_WIDTH, part.right()
        top, bottom = part.top() - NODE_HEIGHT, part.bottom()
        for layer in self.layout.layers[first:last]:
            for name in layer:
                x, y = places[name]
                if left <= x <= right and top <= y <= bottom:
                    yield name

    def _paint_edges(self, painter: QPainter, theme: Theme, sight: Viewport, part: QRectF) -> None:
        found: dict[_Kind, list[int]] = {kind: [] for kind in _Kind}
        kinds, sides = self._kinds, self._sides
        if kinds is None:
            kinds = self._kinds = [self._kind(edge) for edge in self.layout.graph.edges]
        left, right = part.left(), part.right()
        first = max(0, int(part.top() // LAYER_PITCH) - 1)
        last = max(0, int(part.bottom() // LAYER_PITCH) + 1)
        for index in sorted(set().union(*self._passing[first:last])):
            least, greatest = sides[index]
            if least <= right and greatest >= left:
                found[kinds[index]].append(index)
        dashed = QPen(theme.status.error.fill, 1.25)
        dashed.setDashPattern([4, 3])
        for kind, pen in (
            (_Kind.PLAIN, QPen(theme.color.border_field, 1)),
            (_Kind.BLOCKED, dashed),
            (_Kind.CRITICAL, QPen(theme.color.accent, 2.5)),
        ):
            if found[kind]:
                self._paint_ways(painter, sight, found[kind], pen)

    def _kind(self, edge: GraphEdge) -> _Kind:
        if edge in self._critical_edges:
            return _Kind.CRITICAL
        return _Kind.BLOCKED if self.is_blocked(*edge) else _Kind.PLAIN

    def _paint_ways(self, painter: QPainter, sight: Viewport, edges: Sequence[int], pen: QPen) -> None:
        scale, ways, heads = sight.scale, self._ways, self._heads
        if pen.widthF() == 1:
            pen.setCosmetic(True)
            is_small = len(ways) <= _FINE_UP_TO
            pen.setWidthF(painter.device().devicePixelRatioF() if is_small else 1.0)
        elif scale < 1:
            # What stands out still does when everything is small.
            pen.setWidthF(max(min(pen.widthF(), 2.0), pen.widthF() * scale) / scale)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(sight.left, sight.top)
        painter.scale(scale, scale)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for index in edges:
            painter.drawPath(ways[index])
        if scale >= SHAPES_FROM:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            for index in edges:
                painter.drawPolygon(heads[index])
        painter.restore()


def _way(route: tuple[Point, ...]) -> QPainterPath:
    """Return an edge as a path: a curve from layer to layer, upright through those that it passes."""
    way = QPainterPath(QPointF(*route[0]))
    for index in range(0, len(route) - 1, 2):
        (x1, y1), (x2, y2) = route[index], route[index + 1]
        if index + 2 == len(route):
            y2 -= _HEAD[0] - 1
        if x1 == x2:
            way.lineTo(x2, y2)
        else:
            middle = (y2 - y1) * 0.6
            way.cubicTo(x1, y1 + middle, x2, y2 - middle, x2, y2)
        if index + 2 < len(route):
            way.lineTo(*route[index + 2])
    return way


def _head(end: Point) -> QPolygonF:
    x, y = end
    length, half = _HEAD
    return QPolygonF([QPointF(x - half, y - length), QPointF(x + half, y - length), QPointF(x, y)])


def _sides(route: tuple[Point, ...]) -> tuple[float, float]:
    """Return how far left and right an edge reaches, with its head."""
    across = [x for x, _ in route]
    slack = _HEAD[1]
    return min(across) - slack, max(across) + slack


def _passing(layout: Layout) -> list[list[int]]:
    """Return the edges that pass from each layer to the next one."""
    found: list[list[int]] = [[] for _ in layout.layers]
    for index, route in enumerate(layout.routes):
        for layer in range(int(route[0][1] // LAYER_PITCH), int(route[-1][1] // LAYER_PITCH)):
            found[layer].append(index)
    return found


def _edges_differ(one: NodeState, other: NodeState) -> bool:
    return one.is_blocking != other.is_blocking or (one.status in _HELD) != (other.status in _HELD)
