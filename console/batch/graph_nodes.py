"""Paint the steps of a graph."""

from __future__ import annotations

from functools import lru_cache
from math import floor
from typing import Final, NamedTuple

from PySide6.QtCore import QByteArray, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer

from console.assets import icon_pixmap
from console.batch.graph_rows import GraphNode, NodeState
from console.theme import FontRole, Theme, ThemeName, load_theme
from console.theme.sheet import icon_svg
from console.widgets.status import STATUS

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
        painter: Where to paint.
        theme: Where the colours come from.
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
    """Return where the sign of a step is painted: before its name, or alone in the middle.

    Args:
        rect: Where the step stands in the picture.
        scale: Pixels of the picture for each logical pixel of the graph.
    """
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
