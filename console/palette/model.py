"""The rows of the palette as a Qt model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.palette.rows import PaletteRow

PALETTE_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `PaletteRow` of an index."""

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class PaletteModel(QAbstractListModel):
    """List rows; headings and facts cannot be chosen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PaletteRow, ...] = ()

    @property
    def rows(self) -> tuple[PaletteRow, ...]:
        return self._rows

    def show_rows(self, rows: Sequence[PaletteRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def next_choice(self, row: int, by: int) -> int:
        """Return the row of the next one that can be chosen, round and round; -1 when there is none.

        Args:
            row: Where to begin; -1 before the first.
            by: 1 goes down, -1 up.
        """
        count = len(self._rows)
        start = row if row >= 0 or by > 0 else 0
        places = ((start + by * step) % count for step in range(1, count + 1))
        return next((place for place in places if self._rows[place].is_choice), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        enabled = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return enabled | Qt.ItemFlag.ItemIsSelectable if self._rows[index.row()].is_choice else enabled

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the row itself, its text, or its words for a screen reader."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == PALETTE_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        return None
