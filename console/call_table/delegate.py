"""How a cell of a table of calls is painted."""

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.assets import paint_icon
from console.call_table.model import STATUS_ROLE, Column
from console.theme import Theme, theme_of
from console.widgets import StatusName, paint_row, paint_status, paint_text, spinner_clock, status_color

__all__ = ["ALIGN_RIGHT", "CELL_LEFT", "CELL_RIGHT", "CallDelegate", "row_height"]

CELL_LEFT: Final = 12
"""Space before the words of a cell and of its head in logical pixels."""

CELL_RIGHT: Final = 12
"""Space behind right-aligned words in logical pixels."""

ALIGN_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

_ICON: Final = 14
_ICON_GAP: Final = 6
_ALIGN_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_CALLER_ICONS: Final = {"agent": "bot", "batch": "workflow", "you": "user"}
_OTHER_CALLER: Final = "square-terminal"


def row_height(theme: Theme, *, dense: bool) -> int:
    """Give the height of a row in logical pixels.

    Args:
        theme: Has the sizes.
        dense: Whether the table shows as many calls as can be read.
    """
    return theme.size.row_table_dense if dense else theme.size.row_table


class CallDelegate(QStyledItemDelegate):
    """Paint time, tool, caller with its icon, arguments in code, status with its glyph, and duration.

    Args:
        dense: Whether rows are low and without lines between them.
        parent: Its owner.
    """

    def __init__(self, *, dense: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dense = dense

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(80, row_height(theme_of(), dense=self._dense))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        text: str = index.data(Qt.ItemDataRole.DisplayRole)
        status: StatusName = index.data(STATUS_ROLE)
        theme = theme_of()
        painter.save()
        paint_row(painter, option, theme, divider=not self._dense)
        cell: QRect = option.rect if self._dense else option.rect.adjusted(0, 0, 0, -1)
        words = cell.adjusted(CELL_LEFT, 0, -4, 0)
        column = Column(index.column())
        if column is Column.DURATION:
            words = cell.adjusted(4, 0, -CELL_RIGHT, 0)
        glyph = QRect(words.x(), cell.y() + (cell.height() - _ICON) // 2, _ICON, _ICON)
        ink = theme.color.text2
        if column is Column.CALLER:
            paint_icon(painter, glyph, _CALLER_ICONS.get(text.partition(":")[0], _OTHER_CALLER), ink, theme)
            words.setLeft(glyph.right() + 1 + _ICON_GAP)
        elif column is Column.STATUS:
            ink = status_color(status, theme)
            paint_status(painter, glyph, status, theme, turn=spinner_clock().turn, color=ink)
            words.setLeft(glyph.right() + 1 + _ICON_GAP)
        elif column is Column.TOOL:
            ink = theme.color.selected_text if option.state & QStyle.StateFlag.State_Selected else theme.color.text
        elif column is Column.DURATION and status == "waiting":
            ink = status_color(status, theme)
        align = ALIGN_RIGHT if column is Column.DURATION else _ALIGN_LEFT
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
