"""Paint the rows of a table of calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from console.assets import paint_icon
from console.call_table.model import CallTableModel, Column
from console.theme import Theme, ThemeName, load_theme
from console.widgets import SeenRow, Stripe, middle_baseline, paint_status, spinner_clock, status_color

__all__ = ["CELL_LEFT", "CELL_RIGHT", "GLYPH", "CallPainter"]

CELL_LEFT: Final = 12
"""Space before the words of a cell and of its head in logical pixels."""

CELL_RIGHT: Final = 12
"""Space behind right-aligned words in logical pixels."""

GLYPH: Final = 14
"""How wide the sign of a caller or a status is in logical pixels."""

_GLYPH_GAP: Final = 6
_TIGHT: Final = 4
_COLUMNS: Final = tuple(Column)
_CALLER_ICONS: Final = MappingProxyType({"agent": "bot", "batch": "workflow", "you": "user"})
_OTHER_CALLER: Final = "square-terminal"


class CallPainter:
    """Paint calls: time, tool, caller with its icon, arguments in code, status with its glyph, and duration.

    Args:
        painter: Where to paint.
        theme: Where the colours come from.
        stripes: The columns that are painted.
        model: The calls.
        dense: Whether rows have no line between them.
    """

    def __init__(
        self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], model: CallTableModel, *, dense: bool
    ) -> None:
        self._painter = painter
        self._theme = theme
        self._stripes = stripes
        self._model = model
        self._dense = dense
        self._left = min((stripe.left for stripe in stripes), default=0)
        self._width = max((stripe.left + stripe.width for stripe in stripes), default=0) - self._left

    def paint(self, row: SeenRow) -> None:
        """Paint one row."""
        place, top, height, ground, is_selected, _ = row
        painter, theme, model = self._painter, self._theme, self._model
        # `index` asks the model first whether there is such a cell.
        index_of = model.createIndex
        if ground is not None:
            painter.fillRect(self._left, top, self._width, height, ground)
        if not self._dense:
            height -= 1
            painter.fillRect(self._left, top + height, self._width, 1, theme.color.divider)
        status = model.status_at(index_of(place, Column.STATUS))
        for number, left, width in self._stripes:
            column = _COLUMNS[number]
            text, ink, before = model.words_at(index_of(place, column)), theme.color.text2, 0
            if column is Column.CALLER or column is Column.STATUS:
                glyph = QRect(left + CELL_LEFT, top + (height - GLYPH) // 2, GLYPH, GLYPH)
                before = GLYPH + _GLYPH_GAP
                if column is Column.CALLER:
                    paint_icon(painter, glyph, _CALLER_ICONS.get(text.partition(":")[0], _OTHER_CALLER), ink, theme)
                else:
                    ink = status_color(status, theme)
                    turn = spinner_clock().turn if status == "running" else 0.0
                    paint_status(painter, glyph, status, theme, turn=turn, color=ink)
            elif column is Column.TOOL:
                ink = theme.color.selected_text if is_selected else theme.color.text
            elif column is Column.DURATION and status == "waiting":
                ink = status_color(status, theme)
            self._paint_text(column, text, left + before, top, width - before, height, ink)

    def _paint_text(  # noqa: PLR0917 -- a rectangle made for each cell would cost as much as its words
        self, column: Column, text: str, left: int, top: int, width: int, height: int, ink: QColor
    ) -> None:
        painter, theme = self._painter, self._theme.name
        room = width - CELL_LEFT - _TIGHT
        shown, taken = _shortened(theme, column, text, room)
        painter.setFont(_font(theme, column))
        painter.setPen(ink)
        x = left + _TIGHT + room - taken if column is Column.DURATION else left + CELL_LEFT
        painter.drawText(x, top + _baseline(theme, column, height), shown)


@lru_cache(maxsize=16)
def _font(theme: ThemeName, column: Column) -> QFont:
    style = load_theme(theme)
    if column is Column.ARGUMENTS:
        font = style.font("code")
        font.setPixelSize(style.type_scale["caption"].size)
        return font
    font = style.font("small", tabular=column in {Column.TIME, Column.DURATION})
    if column is Column.TOOL:
        font.setWeight(QFont.Weight.Medium)
    return font


@lru_cache(maxsize=16)
def _metrics(theme: ThemeName, column: Column) -> QFontMetrics:
    return QFontMetrics(_font(theme, column))


@lru_cache(maxsize=32)
def _baseline(theme: ThemeName, column: Column, height: int) -> int:
    return middle_baseline(height, _font(theme, column).key())


@lru_cache(maxsize=1024)
def _shortened(theme: ThemeName, column: Column, text: str, width: int) -> tuple[str, int]:
    """Return a text as it fits into a width, and how wide it is then."""
    metrics = _metrics(theme, column)
    line = text.replace("\n", " ")
    taken = metrics.horizontalAdvance(line)
    if taken < width:
        return line, taken
    # Costs several times as much as the width, which is rounded.
    shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)
    return shown, metrics.horizontalAdvance(shown)
