"""The marks that say what a field holds: a dot, a small ring for the default, a dashed ring, a crossed one for null."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from console.assets import paint_icon
from console.schema_form.editor import FieldState
from console.theme import Theme
from console.widgets import paint_box

_ICON: Final = 12
_DOT: Final = 5
_RING: Final = 7
_SIGNS: Final = {FieldState.ABSENT: "circle-dashed", FieldState.NULL: "circle-slash"}


def paint_state(painter: QPainter, room: QRect, state: FieldState, ink: QColor, theme: Theme) -> None:
    """Paint the mark of a state into the middle of its room."""
    sign = _SIGNS.get(state)
    size = _ICON - 2 if sign else _RING if state is FieldState.DEFAULT else _DOT
    box = QRect(room.x() + (room.width() - size) // 2, room.y() + (room.height() - size) // 2, size, size)
    if sign is not None:
        paint_icon(painter, box, sign, ink, theme)
    elif state is FieldState.DEFAULT:
        paint_box(painter, box, _RING / 2, border=ink)
    else:
        paint_box(painter, box, _DOT / 2, fill=ink)
