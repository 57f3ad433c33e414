"""How a cell of a list of past calls is painted."""

from typing import Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.assets import paint_icon
from console.history.model import ROW_ROLE, Column
from console.history.rows import status_name
from console.theme import Theme, theme_of
from console.widgets import paint_row, paint_status, paint_text, spinner_clock, status_color

__all__ = ["CELL_LEFT", "CELL_RIGHT", "HistoryDelegate"]

CELL_LEFT: Final = 12
"""Space before the words of a cell and of its head in logical pixels."""

CELL_RIGHT: Final = 12
"""Space behind right-aligned words in logical pixels."""

_ICON: Final = 14
_ICON_GAP: Final = 6
_ALIGN_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_ALIGN_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _caller_icon(caller: str) -> str:
    family = caller.partition(":")[0]
    return {"agent": "bot", "batch": "workflow", "you": "user"}.get(family, "square-terminal")


class HistoryDelegate(QStyledItemDelegate):
    """Paint time, tool, caller with its icon, arguments in code, status with its glyph, and duration."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(80, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        row: Any = index.data(ROW_ROLE)
        text: str = index.data(Qt.ItemDataRole.DisplayRole)
        theme = theme_of()
        painter.save()
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(0, 0, 0, -1)
        words = cell.adjusted(CELL_LEFT, 0, -4, 0)
        column = Column(index.column())
        if column is Column.DURATION:
            words = cell.adjusted(4, 0, -CELL_RIGHT, 0)
        glyph = QRect(words.x(), cell.y() + (cell.height() - _ICON) // 2, _ICON, _ICON)
        ink = theme.color.text2
        if column is Column.CALLER:
            paint_icon(painter, glyph, _caller_icon(row.caller), ink, theme)
            words.setLeft(glyph.right() + 1 + _ICON_GAP)
        elif column is Column.STATUS:
            status = status_name(row.status, from_cache=row.from_cache)
            ink = status_color(status, theme)
            paint_status(painter, glyph, status, theme, turn=spinner_clock().turn, color=ink)
            words.setLeft(glyph.right() + 1 + _ICON_GAP)
        elif column is Column.TOOL:
            ink = theme.color.selected_text if option.state & QStyle.StateFlag.State_Selected else theme.color.text
        align = _ALIGN_RIGHT if column is Column.DURATION else _ALIGN_LEFT
        paint_text(painter, words, text, _font(column, theme), ink, align=align)
        painter.restore()


def _font(column: Column, theme: Theme) -> QFont:
    if column is Column.ARGUMENTS:
        font = theme.font("code")
        font.setPixelSize(theme.type_scale["caption"].size)
        return font
    font = theme.font("small", tabular=column in {Column.TIME, Column.DURATION})
    if column is Column.TOOL:
        font.setWeight(QFont.Weight.Medium)
    return font
