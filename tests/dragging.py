"""Files that are dragged over a window."""

from __future__ import annotations

import warnings

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent


def drag_enter(data: QMimeData) -> QDragEnterEvent:
    """Return the event of something that is dragged into a window to be copied."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    with warnings.catch_warnings():
        # WORKAROUND PySide6 6.12: deprecated, and 6.11 has no other constructor.
        warnings.simplefilter("ignore", DeprecationWarning)
        return QDragEnterEvent(QPoint(300, 300), copy, data, left, none)
