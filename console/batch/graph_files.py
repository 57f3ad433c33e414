"""The whole graph as a picture, and as a drawing for programs that keep lines."""

from __future__ import annotations

from math import ceil
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from console.batch.graph_painting import GraphPainting
from console.batch.graph_viewport import MARGIN, Viewport
from console.theme import Theme

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
