"""A table of any length as a Qt model: only what is in sight is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.json_view import plain_text
from console.viewers.tabular import TableContent, cell_text
from tools.spec import MISSING

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_EMPTY: Final = TableContent((), (), ())
_LONGEST_TIP: Final = 2000


class RowsModel(QAbstractTableModel):
    """Show some rows of a table, in some order. The rows must not change while they are shown.

    Args:
        parent: Its owner.
    """

    VALUE_ROLE: Final = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = _EMPTY
        self._order: Sequence[int] = ()
        self._sorted_by: tuple[int, bool] | None = None

    @property
    def table(self) -> TableContent:
        """Return the whole table."""
        return self._table

    @property
    def order(self) -> Sequence[int]:
        """Return the numbers of the rows that are shown, in their order."""
        return self._order

    def show_table(self, table: TableContent) -> None:
        """Show another table, all of its rows."""
        self.beginResetModel()
        self._table = table
        self._order = range(len(table.rows))
        self._sorted_by = None
        self.endResetModel()

    def show_order(self, order: Sequence[int], sorted_by: tuple[int, bool] | None = None) -> None:
        """Show some of the rows, in this order.

        Args:
            order: Their numbers.
            sorted_by: The column they are sorted by, and whether the largest comes first; None for none.
        """
        # To tell Qt of each row that comes or goes takes a hundred times as long.
        self.beginResetModel()
        self._order = order
        self._sorted_by = sorted_by
        self.endResetModel()

    def clear(self) -> None:
        """Show nothing, and let the table go."""
        self.show_table(_EMPTY)

    def row_at(self, index: _Index) -> int:
        """Return the number of a row in the whole table."""
        return self._order[index.row()]

    def value_at(self, index: _Index) -> Any:
        """Return the value of a cell; `MISSING` when its row has none there."""
        return self._table.cell(self._order[index.row()], index.column())

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return how many rows are shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._table.names)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows, its value, or where it stands."""
        if not index.isValid() or index.row() >= len(self._order):
            return None
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return cell_text(self.value_at(index))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            value = self.value_at(index)
            return _RIGHT if isinstance(value, int | float) and not isinstance(value, bool) else None
        if role == self.VALUE_ROLE:
            return self.value_at(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            value = self.value_at(index)
            return None if value is MISSING or not isinstance(value, str) else plain_text(value)[:_LONGEST_TIP]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a column."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._table.names):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._table.names[section]
        if role == Qt.ItemDataRole.DisplayRole:
            # Qt paints its own arrow over names that stand at the right.
            arrow = {(section, False): " ↑", (section, True): " ↓"}.get(self._sorted_by or (-1, False), "")
            return f"{self._table.names[section]}{arrow}"
        if role == Qt.ItemDataRole.TextAlignmentRole and self._table.rows:
            value = self._table.cell(0, section)
            return _RIGHT if isinstance(value, int | float) and not isinstance(value, bool) else None
        return None
