"""Paint a laid out graph, on the screen or into a file, at any scale and seen from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer

from console.assets import icon_pixmap
from console.batch.graph_layout import LAYER_PITCH, NODE_HEIGHT, NODE_WIDTH, Layout, Point
from console.batch.graph_model import GraphEdge, GraphNode, NodeState
from console.language import tr
from console.theme import FontRole, Theme, ThemeName, load_theme
from console.theme.sheet import icon_svg
from console.widgets.status import STATUS

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
        x, y = place
        scale = self.scale
        return QRectF(self.left + x * scale, self.top + y * scale, NODE_WIDTH * scale, NODE_HEIGHT * scale)

    def point(self, place: Point) -> QPointF:
        return QPointF(self.left + place[0] * self.scale, self.top + place[1] * self.scale)

    def back(self, seen: QRectF) -> QRectF:
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


WORDS_FROM: Final = 0.55
"""From which scale on a step's name can be read."""
SHAPES_FROM: Final = 0.45
"""From which scale on a step's sign can be told from others."""
_ICON: Final = 14
_PAD: Final = 8
_TEXT_LEFT: Final = 27
_TEXT_RIGHT: Final = 4
_RADIUS: Final = 6.0
_BAR: Final = 3
_PILL_HEIGHT: Final = 14
_BEHIND: Final = 3
"""By how much the second outline of a step with rows stands out, in logical pixels."""
NOT_STARTED: Final = frozenset({"queued", "blocked", "skipped"})


class _Look(NamedTuple):
    """How steps in one state are painted at one scale."""

    pen: QPen
    ground: QBrush
    icon: QPixmap | None


class NodePainter:
    """Paint steps at one scale; what steps have in common is made once.

    Args:
        scale: Pixels of the picture for each logical pixel of the graph.
        as_vectors: Whether signs are drawn with lines, rings too, for files that keep these.
    """

    def __init__(self, painter: QPainter, theme: Theme, scale: float, *, as_vectors: bool = False) -> None:
        self._painter = painter
        self._theme = theme
        self._scale = scale
        self._as_vectors = as_vectors
        self._looks: dict[tuple[str, bool, bool], _Look] = {}
        self._font = _font(theme.name, "small", scale)
        self._metrics = QFontMetrics(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=scale >= SHAPES_FROM)

    def paint(self, rect: QRectF, node: GraphNode, state: NodeState, *, is_critical: bool) -> None:
        scale, painter = self._scale, self._painter
        if scale < SHAPES_FROM:
            painter.fillRect(rect, self._dot(state, is_critical=is_critical))
            return
        key = state.status, is_critical, state.is_blocking
        look = self._looks.get(key)
        if look is None:
            look = self._looks[key] = self._make_look(*key)
        half, radius = look.pen.widthF() / 2, _RADIUS * scale
        inner = rect.adjusted(half, half, -half, -half)
        painter.setPen(look.pen)
        painter.setBrush(look.ground)
        if node.has_rows:
            painter.drawRoundedRect(inner.translated(_BEHIND * scale, _BEHIND * scale), radius, radius)
        painter.drawRoundedRect(inner, radius, radius)
        if state.share is not None and state.status not in NOT_STARTED:
            self._paint_bar(rect, state, state.share)
        self._paint_icon(rect, state, look)
        if scale >= WORDS_FROM:
            self._paint_name(rect, node.name)
        self.paint_pill(rect, state)

    def _make_look(self, status: str, is_critical: bool, is_blocking: bool) -> _Look:
        theme, scale = self._theme, self._scale
        tone = theme.tone(STATUS[status].tone)
        is_open = status in NOT_STARTED
        border = tone.fill if is_blocking and tone is theme.status.error else tone.border
        border = theme.color.accent if is_critical else theme.color.border_strong if is_open else border
        pen = QPen(border, (2.0 if is_critical else 1.0) * min(max(scale, 0.5), 1.0))
        if is_open:
            pen.setDashPattern([3.5, 2.5] if is_critical else [4, 3])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        return _Look(pen, QBrush(theme.color.surface if is_open else tone.soft), self._make_icon(status))

    def _make_icon(self, status: str) -> QPixmap | None:
        shape = STATUS[status].shape
        if shape == "ring" or self._as_vectors:
            return None
        color = self._theme.tone(STATUS[status].tone).fill
        side = max(1, round(_icon_side(self._scale)))
        ratio = self._painter.device().devicePixelRatioF()
        return icon_pixmap(shape, side, color, ratio, self._theme.icon_stroke(side))

    def _dot(self, state: NodeState, *, is_critical: bool) -> QColor:
        color = self._theme.color
        if state.status in NOT_STARTED:
            return color.accent_border if is_critical else color.border_strong
        return self._theme.tone(STATUS[state.status].tone).fill

    def _paint_bar(self, rect: QRectF, state: NodeState, share: float) -> None:
        height, radius = max(1.5, _BAR * self._scale), _RADIUS * self._scale - 1
        outline, bar = QPainterPath(), QPainterPath()
        outline.addRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)
        bar.addRect(QRectF(rect.x(), rect.bottom() - height - 0.5, rect.width() * share, height + 0.5))
        self._painter.fillPath(outline.intersected(bar), self._theme.tone(STATUS[state.status].tone).fill)

    def _paint_icon(self, rect: QRectF, state: NodeState, look: _Look) -> None:
        place = icon_place(rect, self._scale)
        if look.icon is not None:
            self._painter.drawPixmap(whole_pixel(place.x(), place.y()), look.icon)
        elif self._as_vectors:
            shape = STATUS[state.status].shape
            color = self._theme.tone(STATUS[state.status].tone).fill
            svg = icon_svg("loader-circle" if shape == "ring" else shape, color, self._theme.icon_stroke(_ICON))
            QSvgRenderer(QByteArray(svg.encode())).render(self._painter, place)

    def _paint_name(self, rect: QRectF, name: str) -> None:
        left = rect.x() + _TEXT_LEFT * self._scale
        width = int(rect.width() - (_TEXT_LEFT + _TEXT_RIGHT) * self._scale)
        words = _elided(name, self._theme.name, self._font.pixelSize(), width)
        self._paint_words(words, self._font, self._theme.color.text, QPointF(left, rect.center().y()))

    def _paint_words(self, words: str, font: QFont, color: QColor, middle: QPointF) -> None:
        painter = self._painter
        painter.setFont(font)
        painter.setPen(color)
        metrics = self._metrics if font is self._font else QFontMetrics(font)
        below = (metrics.ascent() - metrics.descent()) / 2
        painter.drawText(whole_pixel(middle.x(), middle.y() + below), words)

    def paint_pill(self, rect: QRectF, state: NodeState) -> None:
        """Paint how many rows are done over the upper edge, at the right, so that the name keeps its room."""
        words = state.rows
        if not words or self._scale < WORDS_FROM:
            return
        scale, painter, color = self._scale, self._painter, self._theme.color
        font = _font(self._theme.name, "caption", scale * 0.92)
        room = QFontMetrics(font).horizontalAdvance(words)
        width, height = room + 10 * scale, _PILL_HEIGHT * scale
        pill = QRectF(rect.right() - 5 * scale - width, rect.y() - height / 2, width, height)
        painter.setPen(QPen(color.border_strong, 1))
        painter.setBrush(color.surface)
        painter.drawRoundedRect(pill, height / 2, height / 2)
        self._paint_words(words, font, color.text2, QPointF(pill.center().x() - room / 2, pill.center().y()))


def whole_pixel(x: float, y: float) -> QPoint:
    """Return the nearest pixel; halves always go the same way, so that what is moved looks as it did.

    `round` goes to the even one.
    """
    return QPoint(floor(x + 0.5), floor(y + 0.5))


def icon_place(rect: QRectF, scale: float) -> QRectF:
    """Return where the sign of a step is painted: before its name, or alone in the middle."""
    side = _icon_side(scale)
    left = rect.x() + _PAD * scale if scale >= WORDS_FROM else rect.center().x() - side / 2
    return QRectF(left, rect.center().y() - side / 2, side, side)


def _icon_side(scale: float) -> float:
    return _ICON * scale * (1.0 if scale >= WORDS_FROM else 1.4)


@lru_cache(maxsize=128)
def _font(theme: ThemeName, role: FontRole, scale: float) -> QFont:
    """Return a font of the type scale, of medium weight, as large as a graph at this scale needs it."""
    style = load_theme(theme)
    # Counts stay as wide while they count.
    font = style.font(role, tabular=role == "caption")
    font.setPixelSize(max(1, round(style.type_scale[role].size * scale)))
    font.setWeight(QFont.Weight.Medium)
    return font


@lru_cache(maxsize=4096)
def _elided(name: str, theme: ThemeName, pixels: int, width: int) -> str:
    """Return a name shortened to a width in its middle: names of steps often begin alike.

    To shorten costs as much as to paint.
    """
    font = load_theme(theme).font("small")
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.Medium)
    return QFontMetrics(font).elidedText(name, Qt.TextElideMode.ElideMiddle, width)


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

    Attributes:
        states: How far the steps are; what is missing is queued.
        critical_way: The steps of the way that takes longest, first to last.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.states: dict[str, NodeState] = {}
        self.critical_way: tuple[str, ...] = ()
        self.critical: frozenset[str] = frozenset()
        self._critical_edges: frozenset[tuple[str, str]] = frozenset()
        self._node_by_name = {node.name: node for node in layout.graph.nodes}
        self._ways = [_way(route) for route in layout.routes]
        self._heads = [_head(route[-1]) for route in layout.routes]
        self._sides = [_sides(route) for route in layout.routes]
        self._passing = _passing(layout)
        self._kinds: list[_Kind] | None = None

    def set_critical(self, names: Sequence[str]) -> None:
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
        return self.states.get(name, _QUEUED)

    def node(self, name: str) -> GraphNode:
        return self._node_by_name[name]

    def node_at(self, point: QPointF, sight: Viewport, slack: float = 0.0) -> str:
        """Return the step at a point of the picture; empty when there is none.

        Args:
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


class StillPicture:
    """Be the picture of a graph without what moves over it: rings, selection, what is being connected.

    A step that changes is painted over its former picture, and a move scrolls the picture. Tests compare it with one
    painted from scratch.
    """

    def __init__(self) -> None:
        self._pixmap: QPixmap | None = None
        self._theme: Theme | None = None

    def forget(self) -> None:
        self._pixmap = None

    def pixmap(self, painting: GraphPainting, theme: Theme, sight: Viewport, size: QSize, ratio: float) -> QPixmap:
        pixmap = self._pixmap
        if pixmap is None or pixmap.size() != size * ratio or self._theme is not theme:
            self._pixmap = pixmap = QPixmap(size * ratio)
            pixmap.setDevicePixelRatio(ratio)
            self._theme = theme
            self._paint(painting, sight, QRect(0, 0, size.width(), size.height()))
        return pixmap

    def paint_again(self, painting: GraphPainting, sight: Viewport, names: Iterable[str]) -> None:
        """Paint some steps over what was painted of them; no edge passes behind a step."""
        if self._pixmap is None or self._theme is None:
            return
        places, ratio = painting.layout.places, self._pixmap.devicePixelRatio()
        seen = QRectF(0, 0, self._pixmap.width() / ratio, self._pixmap.height() / ratio)
        rects = {name: sight.rect(places[name]) for name in names}
        shown = [name for name, rect in rects.items() if rect.intersects(seen)]
        painter = QPainter(self._pixmap)
        for name in shown:
            # Round corners that are painted again and again would lose their softness.
            painter.fillRect(rects[name], self._theme.color.panel)
        painting.paint_nodes(painter, self._theme, sight, shown)
        painter.end()

    def paint_around(self, painting: GraphPainting, sight: Viewport, name: str) -> None:
        """Paint one step anew with what is around it, as what stands over its edge comes, goes or grows."""
        if self._pixmap is not None:
            rect = sight.rect(painting.layout.places[name])
            out = 10 * sight.scale + 1
            whole = QRect(QPoint(), self._pixmap.deviceIndependentSize().toSize())
            self._paint(painting, sight, rect.adjusted(-1, -out, out, out).toAlignedRect() & whole)

    def shift(self, painting: GraphPainting, sight: Viewport, before: Viewport) -> None:
        """Move what is painted, and paint only what came into sight."""
        pixmap = self._pixmap
        if pixmap is None:
            return
        ratio = pixmap.devicePixelRatio()
        # Edges that a picture is held at are whole numbers, which have no `is_integer` before Python 3.12.
        right, down = float(sight.left - before.left), float(sight.top - before.top)
        across, along = right * ratio, down * ratio
        if not across.is_integer() or not along.is_integer() or not right.is_integer() or not down.is_integer():
            self.forget()
            return
        pixmap.scroll(int(across), int(along), pixmap.rect())
        wide, high = round(pixmap.width() / ratio), round(pixmap.height() / ratio)
        x, y, whole = int(right), int(down), QRect(0, 0, wide, high)
        self._paint(painting, sight, QRect(0 if x > 0 else wide + x, 0, abs(x), high) & whole)
        self._paint(painting, sight, QRect(0, 0 if y > 0 else high + y, wide, abs(y)) & whole)

    def _paint(self, painting: GraphPainting, sight: Viewport, part: QRect) -> None:
        if self._pixmap is None or self._theme is None or part.isEmpty():
            return
        painter = QPainter(self._pixmap)
        painter.setClipRect(part)
        painter.fillRect(part, self._theme.color.panel)
        painting.paint(painter, self._theme, sight, QRectF(part))
        painter.end()


_LARGEST_PX: Final = 16_000
"""How wide or high a picture may be, in pixels: beyond that programs refuse it."""


def picture_of(painting: GraphPainting, theme: Theme) -> QImage:
    """Return all of a graph, twice as large as on the screen, or as large as pictures may be."""
    size = _size_of(painting)
    ratio = min(2.0, _LARGEST_PX / max(size.width(), size.height()))
    image = QImage(size * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    _paint(painter, painting, theme, size)
    painter.end()
    return image


def drawing_of(painting: GraphPainting, theme: Theme) -> str:
    """Return all of a graph as an SVG document."""
    written, size = QByteArray(), _size_of(painting)
    generator = QSvgGenerator()
    generator.setTitle(tr("Graph of a plan"))
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(), size))
    buffer = QBuffer(written)
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    _paint(painter, painting, theme, size)
    painter.end()
    return bytes(written.data()).decode()


def _size_of(painting: GraphPainting) -> QSize:
    return QSize(ceil(painting.layout.width) + 2 * MARGIN, ceil(painting.layout.height) + 2 * MARGIN)


def _paint(painter: QPainter, painting: GraphPainting, theme: Theme, size: QSize) -> None:
    whole = QRect(QPoint(), size)
    painter.fillRect(whole, theme.color.panel)
    painting.paint(painter, theme, Viewport(1.0, MARGIN, MARGIN), QRectF(whole), as_vectors=True)
