"""A table of texts: what is asked about several calls at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from console.theme import theme_of
from console.widgets import RowTable, TableHead, paint_row, paint_text, set_surface

_CELL: Final = 12
_WIDEST: Final = 420
_ROOT: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class _CellsModel(QAbstractTableModel):
    """One row of texts for each call."""

    def __init__(self, heads: Sequence[str], cells: Sequence[Sequence[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._heads = heads
        self._cells = cells

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._cells)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return self._heads[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return self._cells[index.row()][index.column()]
        return None


class _CellDelegate(QStyledItemDelegate):
    """Paint arguments in the code face, as the dialog does."""

    def __init__(self, code: Collection[int], parent: QWidget) -> None:
        super().__init__(parent)
        self._code = code

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = theme_of()
        painter.save()
        paint_row(painter, option, theme, divider=True)
        is_code = index.column() in self._code
        font = theme.font("code" if is_code else "small")
        font.setPixelSize(theme.type_scale["small"].size)
        words: QRect = option.rect.adjusted(_CELL, 0, -4, -1)
        paint_text(painter, words, str(index.data()), font, theme.color.text if is_code else theme.color.text2)
        painter.restore()


class CellsTable(RowTable):
    """Show rows of texts under their heads; each column has the room its words need, up to a limit.

    Args:
        heads: What stands above each column.
        cells: The texts, row by row.
        name: What a screen reader calls it.
        code: The columns that are written in the code face.
        parent: Its owner.
    """

    def __init__(
        self,
        heads: Sequence[str],
        cells: Sequence[Sequence[str]],
        name: str,
        *,
        code: Collection[int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, scrolls_sideways=True)
        self.setAccessibleName(name)
        set_surface(self, "surface")
        self.setModel(_CellsModel(heads, cells, self))
        self.setItemDelegate(_CellDelegate(code, self))
        self.setHorizontalHeader(TableHead(self))
        metrics = QFontMetrics(theme_of(self).font("code"))
        for place, words in enumerate(zip(heads, *cells, strict=True)):
            self.setColumnWidth(place, min(_WIDEST, max(map(metrics.horizontalAdvance, words)) + 2 * _CELL + 4))
        self.horizontalHeader().setStretchLastSection(True)
