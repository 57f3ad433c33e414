"""How a cell of the table of tools is painted, and where the action of a row stands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.health.model import ROW_ROLE
from console.health.rows import Column, HealthRow, words_of
from console.theme import Theme, theme_of
from console.widgets import paint_row, paint_status, paint_text, status_color

__all__ = ["CELL_LEFT", "CELL_RIGHT", "NUMBERS", "PAGE_LEFT", "HealthDelegate", "action_rect"]

PAGE_LEFT: Final = 20
"""Space before the words of the first column: they stand below what is above the table."""

CELL_LEFT: Final = 12
"""Space before the words of other cells in logical pixels."""

CELL_RIGHT: Final = 12
"""Space behind right-aligned words in logical pixels."""

NUMBERS: Final = frozenset({Column.SUCCESS, Column.P50, Column.P95, Column.P99, Column.CALLS})
"""The columns whose words stand at the right."""

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
    theme = theme_of()
    width = QFontMetrics(_link_font(theme)).horizontalAdvance(row.remedy.words) + 1
    left = cell.right() - PAGE_LEFT - width + 1
    return QRect(left, cell.y(), width, cell.height()) if left > cell.x() else QRect()


class HealthDelegate(QStyledItemDelegate):
    """Paint the tool, its source, its status with the glyph, its numbers, and the note with the action behind it.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(80, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        row: HealthRow = index.data(ROW_ROLE)
        theme, column = theme_of(), Column(index.column())
        painter.save()
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(0, 0, 0, -1)
        if column is Column.NOTE:
            _paint_note(painter, option, row, theme)
        elif column is Column.STATUS:
            _paint_status(painter, cell, row, theme)
        else:
            ink = theme.color.text2
            if column is Column.TOOL:
                is_selected = option.state & QStyle.StateFlag.State_Selected
                ink = theme.color.selected_text if is_selected else theme.color.text
            elif column is Column.P95 and row.is_slow:
                ink = theme.status.warn.text
            elif column in NUMBERS and not row.has_run:
                ink = theme.color.text3
            left = PAGE_LEFT if column is Column.TOOL else CELL_LEFT
            is_number = column in NUMBERS
            words = cell.adjusted(4 if is_number else left, 0, -CELL_RIGHT if is_number else -4, 0)
            paint_text(
                painter,
                words,
                words_of(row, column),
                _font(column, theme),
                ink,
                align=_RIGHT if is_number else _LEFT,
            )
        painter.restore()


def _paint_status(painter: QPainter, cell: QRect, row: HealthRow, theme: Theme) -> None:
    glyph = QRect(cell.x() + CELL_LEFT, cell.y() + (cell.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
    paint_status(painter, glyph, row.status, theme)
    words = cell.adjusted(CELL_LEFT + _GLYPH + 6, 0, -4, 0)
    font = _font(Column.STATUS, theme)
    paint_text(painter, words, words_of(row, Column.STATUS), font, status_color(row.status, theme))


def _paint_note(painter: QPainter, option: QStyleOptionViewItem, row: HealthRow, theme: Theme) -> None:
    cell: QRect = option.rect.adjusted(0, 0, 0, -1)
    link = action_rect(cell, row)
    words = cell.adjusted(CELL_LEFT, 0, -PAGE_LEFT, 0)
    # Of most tools nothing is known; what can be done about that need not be read on every line.
    is_meant = option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
    is_quiet = row.status == "unknown" or cell.width() < _ROOMY
    if row.remedy is not None and link.isValid() and (is_meant or not is_quiet):
        paint_text(painter, link, row.remedy.words, _link_font(theme), theme.color.accent_text)
        words.setRight(link.x() - _GAP)
    ink = theme.color.text3 if row.status == "unknown" and not is_meant else theme.color.text2
    paint_text(painter, words, row.note, theme.font("small"), ink)


def _link_font(theme: Theme) -> QFont:
    font = theme.font("small")
    font.setWeight(QFont.Weight.Medium)
    return font


def _font(column: Column, theme: Theme) -> QFont:
    font = theme.font("small", tabular=column in NUMBERS)
    if column is Column.TOOL:
        font.setWeight(QFont.Weight.Medium)
    return font
