"""The graph as a picture: kept on the screen, where only what changes is painted anew, or written to a file.

A step that changes is painted over its former picture, a move scrolls the picture, and only rings, selection and a
new edge are painted each time. Tests compare the picture with one painted from scratch. A line wider than one pixel
of the screen costs ten times as much as a thin one.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator

from console.batch.graph_painting import MARGIN, GraphPainting, Viewport
from console.theme import Theme


class StillPicture:
    """Be the picture of a graph without what moves over it: rings, selection, what is being connected."""

    def __init__(self) -> None:
        self._pixmap: QPixmap | None = None
        self._theme: Theme | None = None

    def forget(self) -> None:
        self._pixmap = None

    def pixmap(self, painting: GraphPainting, theme: Theme, sight: Viewport, size: QSize, ratio: float) -> QPixmap:
        """Return the picture.

        Args:
            painting: The graph.
            theme: Where the colours come from.
            sight: Which part of it is seen.
            size: In logical pixels.
            ratio: Device pixels for each logical pixel.
        """
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
        """Move what is painted, and paint only what came into sight.

        Args:
            painting: The graph.
            sight: Which part of it is seen now.
            before: Which part was seen before, as large.
        """
        pixmap = self._pixmap
        if pixmap is None:
            return
        ratio = pixmap.devicePixelRatio()
        right, down = sight.left - before.left, sight.top - before.top
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
    generator.setTitle("Graph of a plan")
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
