"""A picture, made smaller where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget


class PictureView(QWidget):
    """Show a picture.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self.setAccessibleName("Picture")

    def show_image(self, image: QImage) -> None:
        """Show another picture; a null one shows nothing."""
        self._image = image
        size = "" if image.isNull() else f"{image.width()} by {image.height()} pixels"
        self.setAccessibleDescription(size)
        self.setToolTip(size)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 200)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture in the middle."""
        if self._image.isNull():
            return
        room = self.rect().adjusted(12, 12, -12, -12)
        size = self._image.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left = room.x() + (room.width() - size.width()) // 2
        top = room.y() + (room.height() - size.height()) // 2
        painter.drawImage(QRect(QPoint(left, top), size), self._image)
