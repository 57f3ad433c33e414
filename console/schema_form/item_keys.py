"""What is done with the current item of a list: the keys and their words."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from console.schema_form.flat_schema import Schema


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


def items_count(count: int, word: str = "item") -> str:
    """Count things: `1 item`, `1,204 items`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def items_rule(schema: Schema) -> str:
    """Say how many items a list may have, and that none may come twice; "" when all is allowed."""
    bounds = bounds_rule(schema.get("minItems"), schema.get("maxItems"))
    parts = [bounds, "each once" if schema.get("uniqueItems") is True else ""]
    return ", ".join(part for part in parts if part)


def bounds_rule(low: int | None, high: int | None) -> str:
    """Say between which counts something has to be: `at least 1, at most 5`, `exactly 2`; "" for no limit."""
    low = low or 0
    if low and low == high:
        return f"exactly {low}"
    parts = [f"at least {low}" if low else "", f"at most {high}" if high is not None else ""]
    return ", ".join(part for part in parts if part)
