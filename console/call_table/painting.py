"""Paint the rows of a table of calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QPainter

from console.assets import paint_icon
from console.call_table.model import CallColumn, CallTableModel
from console.theme import Theme, ThemeName, load_theme
from console.widgets import SeenRow, Stripe, TextFace, paint_status, spinner_clock, status_color, text_face

CELL_LEFT: Final = 12
"""Space before the words of a cell and of its head in logical pixels."""

CELL_RIGHT: Final = 12
"""Space behind right-aligned words in logical pixels."""

GLYPH: Final = 14
"""How wide the sign of a caller or a status is in logical pixels."""

_GLYPH_GAP: Final = 6
_TIGHT: Final = 4
_COLUMNS: Final = tuple(CallColumn)
_CALLER_ICONS: Final = MappingProxyType({"agent": "bot", "batch": "workflow", "you": "user"})
_OTHER_CALLER: Final = "square-terminal"


class CallPainter:
    """Paint calls: time, tool, caller with its icon, arguments in code, status with its glyph, and duration.

    Args:
        painter: Where to paint.
        theme: Where the colours come from.
        stripes: The columns that are painted.
        model: The calls.
    """

    def __init__(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], model: CallTableModel) -> None:
        self._painter = painter
        self._theme = theme
        self._stripes = stripes
        self._model = model

    def paint(self, row: SeenRow) -> None:
        place, top, height, is_selected, _ = row
        painter, theme, model = self._painter, self._theme, self._model
        # `index` asks the model first whether there is such a cell.
        index_of = model.createIndex
        status = model.status_at(index_of(place, CallColumn.STATUS))
        for number, left, width in self._stripes:
            column = _COLUMNS[number]
            text, ink, before = model.words_at(index_of(place, column)), theme.color.text2, 0
            if column is CallColumn.CALLER or column is CallColumn.STATUS:
                glyph = QRect(left + CELL_LEFT, top + (height - GLYPH) // 2, GLYPH, GLYPH)
                before = GLYPH + _GLYPH_GAP
                if column is CallColumn.CALLER:
                    paint_icon(painter, glyph, _CALLER_ICONS.get(text.partition(":")[0], _OTHER_CALLER), ink, theme)
                else:
                    ink = status_color(status, theme)
                    turn = spinner_clock().turn if status == "running" else 0.0
                    paint_status(painter, glyph, status, theme, turn=turn, color=ink)
            elif column is CallColumn.TOOL:
                ink = theme.color.selected_text if is_selected else theme.color.text
            elif column is CallColumn.DURATION and status == "waiting":
                ink = status_color(status, theme)
            at_right = column is CallColumn.DURATION
            begins = left + before + (_TIGHT if at_right else CELL_LEFT)
            room = width - before - CELL_LEFT - _TIGHT
            _face(theme.name, column).paint(painter, ink, text, begins, top, room, height, at_right=at_right)


@lru_cache(maxsize=16)
def _face(theme: ThemeName, column: CallColumn) -> TextFace:
    style = load_theme(theme)
    if column is CallColumn.ARGUMENTS:
        font = style.font("code")
        font.setPixelSize(style.type_scale["caption"].size)
        return text_face(font)
    font = style.font("small", tabular=column in {CallColumn.TIME, CallColumn.DURATION})
    if column is CallColumn.TOOL:
        font.setWeight(QFont.Weight.Medium)
    return text_face(font)
