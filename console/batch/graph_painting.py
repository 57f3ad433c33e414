"""Paint a laid out graph, on the screen or into a file, at any scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtSvg import QSvgRenderer

from console.batch.graph_layout import LAYER_PITCH, NODE_HEIGHT, NODE_WIDTH, Layout, Point
from console.batch.graph_rows import GraphNode, NodeState
from console.theme import FontRole, Theme, ThemeName, load_theme
from console.theme.sheet import icon_svg
from console.widgets import STATUS, paint_status, paint_text

__all__ = ["GraphPainting", "Sight", "font_of"]

_ICON: Final = 14
_PAD: Final = 8
_TEXT_LEFT: Final = 28
_RADIUS: Final = 6.0
_BAR: Final = 3
_PILL_HEIGHT: Final = 14
_BEHIND: Final = 3
"""By how much the second outline of a step with rows stands out, in logical pixels."""
_HEAD: Final = (7.0, 4.0)
"""How long an arrow's head is, and half of how wide."""
_WORDS_FROM: Final = 0.55
_SHAPES_FROM: Final = 0.2
_NOT_STARTED: Final = frozenset({"queued", "blocked", "skipped"})
_QUEUED: Final = NodeState()


class Sight(NamedTuple):
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
        self.critical_way = tuple(critical)
        self.critical = frozenset(critical)
        self._critical_edges = frozenset(pairwise(critical))
        self._node_by_name = {node.name: node for node in layout.graph.nodes}
        self._ways = [_way(route) for route in layout.routes]
        self._boxes = [_box(route) for route in layout.routes]

    def state(self, name: str) -> NodeState:
        """Return how far a step is."""
        return self.states.get(name, _QUEUED)

    def node(self, name: str) -> GraphNode:
        """Return a step."""
        return self._node_by_name[name]

    def node_at(self, point: QPointF, sight: Sight, slack: float = 0.0) -> str:
        """Return the step at a point of the picture; empty when there is none.

        Args:
            point: In the picture.
            sight: What the picture shows.
            slack: How far beside a step still counts, in logical pixels of the graph.
        """
        seen = sight.back(QRectF(point.x(), point.y(), 0, 0)).adjusted(-slack, -slack, slack, slack)
        return next(self._names_in(seen), "")

    def icon_rect(self, name: str, sight: Sight) -> QRect | None:
        """Return where the sign of a step is painted; None where steps are too small for signs."""
        scale = sight.scale
        if scale < _SHAPES_FROM:
            return None
        rect = sight.rect(self.layout.places[name])
        has_words = scale >= _WORDS_FROM
        side = _ICON * scale * (1.0 if has_words else 1.4)
        left = rect.x() + _PAD * scale if has_words else rect.center().x() - side / 2
        return QRect(round(left), round(rect.center().y() - side / 2), max(1, round(side)), max(1, round(side)))

    def is_blocked(self, needed: str, waiting: str) -> bool:
        """Return whether a step does not run because of how another one ended."""
        return self.state(needed).is_blocking and self.state(waiting).status in {"blocked", "skipped"}

    def paint(self, painter: QPainter, theme: Theme, sight: Sight, seen: QRectF, *, as_vectors: bool = False) -> None:
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
        self, painter: QPainter, theme: Theme, sight: Sight, names: Iterable[str], *, as_vectors: bool = False
    ) -> None:
        """Paint some steps; the running ring of a step is left out where it turns, which is on the screen."""
        places = self.layout.places
        if sight.scale < _SHAPES_FROM:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            for name in names:
                painter.fillRect(sight.rect(places[name]), self._dot_color(name, theme))
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for name in names:
            self._paint_node(painter, theme, sight, name, as_vectors=as_vectors)

    def paint_way(self, painter: QPainter, theme: Theme, sight: Sight, name: str) -> None:
        """Paint the edges of one step once more, darker."""
        for index, edge in enumerate(self.layout.graph.edges):
            if name in edge and edge not in self._critical_edges and not self.is_blocked(*edge):
                self._paint_edge(painter, sight, index, QPen(theme.color.text2, 1.5))

    def names_seen(self, sight: Sight, seen: QRectF) -> Iterator[str]:
        """Return the steps that stand at least partly in a part of the picture."""
        return self._names_in(sight.back(seen))

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

    # Edges

    def _paint_edges(self, painter: QPainter, theme: Theme, sight: Sight, part: QRectF) -> None:
        plain: list[int] = []
        blocked: list[int] = []
        critical: list[int] = []
        x1, y1, x2, y2 = part.left(), part.top(), part.right(), part.bottom()
        edges = self.layout.graph.edges
        for index, (left, top, right, bottom) in enumerate(self._boxes):
            if left > x2 or right < x1 or top > y2 or bottom < y1:
                continue
            edge = edges[index]
            kind = critical if edge in self._critical_edges else blocked if self.is_blocked(*edge) else plain
            kind.append(index)
        dashed = QPen(theme.status.error.fill, 1.25)
        dashed.setDashPattern([4, 3])
        for kind, pen in (
            (plain, QPen(theme.color.border_field, 1)),
            (blocked, dashed),
            (critical, QPen(theme.color.accent, 2.5)),
        ):
            for index in kind:
                self._paint_edge(painter, sight, index, pen)

    def _paint_edge(self, painter: QPainter, sight: Sight, index: int, pen: QPen) -> None:
        scale = sight.scale
        line = QPen(pen)
        line.setWidthF(pen.widthF() if scale >= 1 else max(1.0, pen.widthF() * scale) / scale)
        line.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(sight.left, sight.top)
        painter.scale(scale, scale)
        painter.setPen(line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._ways[index])
        if scale >= _SHAPES_FROM:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            x, y = self.layout.routes[index][-1]
            length, half = _HEAD
            painter.drawPolygon(
                QPolygonF([QPointF(x - half, y - length), QPointF(x + half, y - length), QPointF(x, y)])
            )
        painter.restore()

    # Steps

    def _dot_color(self, name: str, theme: Theme) -> QColor:
        state = self.state(name)
        if name in self.critical and state.status in _NOT_STARTED:
            return theme.color.accent_border
        return theme.color.border_strong if state.status in _NOT_STARTED else theme.tone(STATUS[state.status].tone).fill

    def _paint_node(self, painter: QPainter, theme: Theme, sight: Sight, name: str, *, as_vectors: bool) -> None:
        node, state = self._node_by_name[name], self.state(name)
        scale = sight.scale
        rect = sight.rect(self.layout.places[name])
        self._paint_box(painter, theme, rect, node, min(1.0, scale))
        if state.share is not None and state.status not in _NOT_STARTED:
            _paint_bar(painter, theme, rect, state, scale)
        icon = self.icon_rect(name, sight)
        if icon is not None:
            _paint_icon(painter, theme, icon, state, as_vectors=as_vectors)
        if scale < _WORDS_FROM:
            return
        left = rect.x() + _TEXT_LEFT * scale
        words = QRectF(left, rect.y(), rect.right() - 6 * scale - left, rect.height()).toRect()
        paint_text(painter, words, name, font_of(theme, "small", scale), theme.color.text)
        if state.rows:
            _paint_pill(painter, theme, rect, state.rows, scale)

    def _paint_box(self, painter: QPainter, theme: Theme, rect: QRectF, node: GraphNode, scale: float) -> None:
        state = self.state(node.name)
        tone = theme.tone(STATUS[state.status].tone)
        is_open = state.status in _NOT_STARTED
        is_critical = node.name in self.critical
        border = tone.fill if state.is_blocking and tone is theme.status.error else tone.border
        border = theme.color.accent if is_critical else theme.color.border_strong if is_open else border
        width = (2.0 if is_critical else 1.0) * max(scale, 0.5)
        pen = QPen(border, width)
        if is_open:
            pen.setDashPattern([3.5, 2.5] if is_critical else [4, 3])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        half, radius = width / 2, _RADIUS * scale
        inner = rect.adjusted(half, half, -half, -half)
        painter.setPen(pen)
        painter.setBrush(theme.color.surface if is_open else tone.soft)
        if node.has_rows:
            painter.drawRoundedRect(inner.translated(_BEHIND * scale, _BEHIND * scale), radius, radius)
        painter.drawRoundedRect(inner, radius, radius)


def font_of(theme: Theme, role: FontRole, scale: float) -> QFont:
    """Return a font of the type scale, of medium weight, as large as a graph at this scale needs it."""
    return _scaled_font(theme.name, role, max(1, round(theme.type_scale[role].size * scale)))


@lru_cache(maxsize=128)
def _scaled_font(theme: ThemeName, role: FontRole, pixels: int) -> QFont:
    font = load_theme(theme).font(role)
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.Medium)
    return font


def _paint_bar(painter: QPainter, theme: Theme, rect: QRectF, state: NodeState, scale: float) -> None:
    height = max(1.5, _BAR * scale)
    outline = QPainterPath()
    outline.addRoundedRect(rect.adjusted(1, 1, -1, -1), _RADIUS * scale - 1, _RADIUS * scale - 1)
    bar = QPainterPath()
    bar.addRect(QRectF(rect.x(), rect.bottom() - height - 0.5, rect.width() * (state.share or 0.0), height + 0.5))
    painter.fillPath(outline.intersected(bar), theme.tone(STATUS[state.status].tone).fill)


def _paint_icon(painter: QPainter, theme: Theme, rect: QRect, state: NodeState, *, as_vectors: bool) -> None:
    shape = STATUS[state.status].shape
    if as_vectors:
        color = theme.tone(STATUS[state.status].tone).fill
        name = "loader-circle" if shape == "ring" else shape
        svg = icon_svg(name, color, theme.icon_stroke(_ICON))
        QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(rect))
    elif shape != "ring":
        paint_status(painter, rect, state.status, theme)


def _paint_pill(painter: QPainter, theme: Theme, rect: QRectF, text: str, scale: float) -> None:
    """Paint how many rows are done over the upper edge, at the right, so that the name keeps its room."""
    font = font_of(theme, "caption", scale * 0.92)
    width = QFontMetrics(font).horizontalAdvance(text) + 10 * scale
    height = _PILL_HEIGHT * scale
    pill = QRectF(rect.right() - 5 * scale - width, rect.y() - height / 2, width, height)
    painter.setPen(QPen(theme.color.border_strong, 1))
    painter.setBrush(theme.color.surface)
    painter.drawRoundedRect(pill, height / 2, height / 2)
    paint_text(painter, pill.toRect(), text, font, theme.color.text2, align=Qt.AlignmentFlag.AlignCenter)


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


def _box(route: tuple[Point, ...]) -> tuple[float, float, float, float]:
    across = [x for x, _ in route]
    slack = _HEAD[1]
    return min(across) - slack, route[0][1], max(across) + slack, route[-1][1]
