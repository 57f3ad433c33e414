"""Write what the Health page shows to files; for threads that are not the window's."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QImage, QImageWriter

__all__ = ["png_of", "write"]


def png_of(image: QImage) -> bytes:
    """Return a picture as the content of a PNG file."""
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(written.data())


def write(path: Path, content: str | bytes) -> None:
    """Write a file; the lines of a text end as they do in it.

    Raises:
        OSError: It cannot be written.
    """
    path.write_bytes(content.encode() if isinstance(content, str) else content)
