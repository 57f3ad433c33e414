"""Paint the cells of a table: a style sheet would take ten times as long."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.json_view import is_container
from console.theme import Theme, theme_of
from console.viewers.table_model import RowsModel
from console.viewers.tabular import cell_text
from console.widgets import paint_row, paint_text
from tools.spec import MISSING

__all__ = ["CellDelegate", "cell_font"]

_PADDING: Final = 8
_WIDEST: Final = 11
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cell_font(theme: Theme) -> QFont:
    """Return the font of a cell, whose digits are all as wide."""
    return theme.font("small", tabular=True)


class CellDelegate(QStyledItemDelegate):
    """Paint the cells of a `RowsModel`: numbers at the right, what says something about a value rather than it pale."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(80, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one cell."""
        theme = theme_of()
        model = index.model()
        paint_row(painter, option, theme, divider=True)
        value = model.value_at(index) if isinstance(model, RowsModel) else MISSING
        if value is MISSING:
            return
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        ink = theme.color.text
        if option.state & QStyle.StateFlag.State_Selected:
            ink = theme.color.selected_text
        elif value is None or is_container(value):
            ink = theme.color.text3
        room: QRect = option.rect.adjusted(_PADDING, 0, -_PADDING, -1)
        text = cell_text(value)
        # To measure a text takes as long as to paint it, and most are far shorter than their cell.
        fits = len(text) * _WIDEST <= room.width() and text.isascii()
        elide = Qt.TextElideMode.ElideNone if fits else Qt.TextElideMode.ElideRight
        align = _RIGHT if is_number else _LEFT
        paint_text(painter, room, text, cell_font(theme), ink, align=align, elide=elide)
