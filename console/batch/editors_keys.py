"""Keys that several sheets of the Batch page share."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def is_submit(event: QKeyEvent) -> bool:
    """Say whether a key lets hold what stands in a sheet: Ctrl+Enter."""
    return event.key() in _RETURN_KEYS and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
