"""How the rows of the table of tools are painted, and where the action of a row stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from console.health.rows import HealthColumn, HealthRow, words_of
from console.theme import Theme, ThemeName, load_theme, theme_of
from console.widgets import SeenRow, Stripe, paint_status, paint_text, status_color

PAGE_LEFT: Final = 20
"""Space before the words of the first column: they stand below what is above the table."""

CELL_LEFT: Final = 12
"""Space before the words of other cells in logical pixels."""

CELL_RIGHT: Final = 12
"""Space behind right-aligned words in logical pixels."""

NUMBERS: Final = frozenset(
    {HealthColumn.SUCCESS, HealthColumn.P50, HealthColumn.P95, HealthColumn.P99, HealthColumn.CALLS}
)
"""The columns whose words stand at the right."""

_COLUMNS: Final = tuple(HealthColumn)
_GAP: Final = 16
_ROOMY: Final = 360
"""From this width of the note on its action is always shown; below it where the pointer or the selection is."""

_GLYPH: Final = 10
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def action_rect(cell: QRect, row: HealthRow) -> QRect:
    """Give where the words of a row's action stand in the cell of its note; empty when it has none.

    Args:
        cell: The cell.
        row: The tool.
    """
    if row.remedy is None:
        return QRect()
    width = _link_width(theme_of().name, row.remedy.words)
    left = cell.right() - PAGE_LEFT - width + 1
    return QRect(left, cell.y(), width, cell.height()) if left > cell.x() else QRect()


class HealthPainter:
    """Paint the tool, its source, its status with the glyph, its numbers, and the note with the action behind it.

    Args:
        painter: Where to paint.
        theme: Where the colours come from.
        stripes: The columns that are painted.
    """

    def __init__(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe]) -> None:
        self._painter = painter
        self._theme = theme
        self._stripes = stripes

    def paint(self, seen: SeenRow, row: HealthRow) -> None:
        """Paint one row.

        Args:
            seen: Where it stands.
            row: The tool.
        """
        for number, left, width in self._stripes:
            column, cell = _COLUMNS[number], QRect(left, seen.top, width, seen.height)
            if column is HealthColumn.NOTE:
                self._paint_note(cell, row, is_meant=seen.is_selected or seen.is_hovered)
            elif column is HealthColumn.STATUS:
                self._paint_status(cell, row)
            else:
                self._paint_words(cell, column, row, is_selected=seen.is_selected)

    def _paint_words(self, cell: QRect, column: HealthColumn, row: HealthRow, *, is_selected: bool) -> None:
        theme = self._theme
        ink = theme.color.text2
        if column is HealthColumn.TOOL:
            ink = theme.color.selected_text if is_selected else theme.color.text
        elif column is HealthColumn.P95 and row.is_slow:
            ink = theme.status.warn.text
        elif column in NUMBERS and not row.has_run:
            ink = theme.color.text3
        left = PAGE_LEFT if column is HealthColumn.TOOL else CELL_LEFT
        is_number = column in NUMBERS
        words = cell.adjusted(4 if is_number else left, 0, -CELL_RIGHT if is_number else -4, 0)
        align = _RIGHT if is_number else _LEFT
        paint_text(self._painter, words, words_of(row, column), _font(theme.name, column), ink, align=align)

    def _paint_status(self, cell: QRect, row: HealthRow) -> None:
        theme = self._theme
        glyph = QRect(cell.x() + CELL_LEFT, cell.y() + (cell.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
        paint_status(self._painter, glyph, row.status, theme)
        words = cell.adjusted(CELL_LEFT + _GLYPH + 6, 0, -4, 0)
        font = _font(theme.name, HealthColumn.STATUS)
        paint_text(self._painter, words, words_of(row, HealthColumn.STATUS), font, status_color(row.status, theme))

    def _paint_note(self, cell: QRect, row: HealthRow, *, is_meant: bool) -> None:
        theme = self._theme
        link = action_rect(cell, row)
        words = cell.adjusted(CELL_LEFT, 0, -PAGE_LEFT, 0)
        # Of most tools nothing is known; what can be done about that need not be read on every line.
        is_quiet = (row.status == "unknown" and not row.few) or cell.width() < _ROOMY
        if row.remedy is not None and link.isValid() and (is_meant or not is_quiet):
            paint_text(self._painter, link, row.remedy.words, _link_font(theme.name), theme.color.accent_text)
            words.setRight(link.x() - _GAP)
        ink = theme.color.text3 if row.status == "unknown" and not (is_meant or row.few) else theme.color.text2
        paint_text(self._painter, words, row.note, _font(theme.name, HealthColumn.NOTE), ink)


@lru_cache(maxsize=4)
def _link_font(theme: ThemeName) -> QFont:
    font = load_theme(theme).font("small")
    font.setWeight(QFont.Weight.Medium)
    return font


@lru_cache(maxsize=256)
def _link_width(theme: ThemeName, words: str) -> int:
    return QFontMetrics(_link_font(theme)).horizontalAdvance(words) + 1


@lru_cache(maxsize=32)
def _font(theme: ThemeName, column: HealthColumn) -> QFont:
    font = load_theme(theme).font("small", tabular=column in NUMBERS)
    if column is HealthColumn.TOOL:
        font.setWeight(QFont.Weight.Medium)
    return font
