"""The keys that work on the item of a list in which they are pressed."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent


class ItemKey(StrEnum):
    """What is done with the current item, and how the keys are called."""

    UP = "Alt+Up"
    DOWN = "Alt+Down"
    ADD = "Alt+Insert"
    REMOVE = "Alt+Delete"
    DUPLICATE = "Alt+Shift+Down"


_ALT: Final = Qt.KeyboardModifier.AltModifier
_KEYS: Final = {
    (Qt.Key.Key_Up, _ALT): ItemKey.UP,
    (Qt.Key.Key_Down, _ALT): ItemKey.DOWN,
    (Qt.Key.Key_Insert, _ALT): ItemKey.ADD,
    (Qt.Key.Key_Delete, _ALT): ItemKey.REMOVE,
    (Qt.Key.Key_Down, _ALT | Qt.KeyboardModifier.ShiftModifier): ItemKey.DUPLICATE,
}


def item_key(event: QEvent) -> ItemKey | None:
    """Return what a key press means for the item it happens in; None when it means nothing.

    Fields ignore these keys, so that they come to the list around the field.
    """
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
        return None
    # The arrow keys of some keyboards count as those of the number pad.
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _KEYS.get((Qt.Key(event.key()), modifiers))
