"""Lists of frozen rows: what stands in each cell is a value, the model and the delegate only carry and paint it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.assets import Picture
from console.theme import FontRole
from console.widgets import StatusName, TextTone

CELL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `Cell` of an index."""

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
_ROOT: Final = QModelIndex()


class Cell(NamedTuple):
    """What stands in a cell.

    Attributes:
        text: Its words.
        tone: Their colour.
        font: Their step of the type scale.
        status: A status whose glyph stands before them; None for none.
        icon: An icon before them; empty for none.
        picture: An icon of somebody else in its place; None for ours.
        is_link: Whether a click on the words does something.
        is_strong: Whether they are the name of the row.
        tip: What is said when the pointer rests here; empty for the words themselves.
    """

    text: str
    tone: TextTone = "text2"
    font: FontRole = "small"
    status: StatusName | None = None
    icon: str = ""
    picture: Picture | None = None
    is_link: bool = False
    is_strong: bool = False
    tip: str = ""


class Column(NamedTuple):
    """A column.

    Attributes:
        head: Its name.
        width: Logical pixels; 0 takes what the others leave.
        is_number: Whether its words stand at the right.
        priority: The higher, the sooner it is left out where there is too little room; 0 stays.
    """

    head: str
    width: int
    is_number: bool = False
    priority: int = 0


class RowModel(QAbstractTableModel, Generic[Row]):
    """List frozen rows.

    Args:
        columns: The columns.
        cells_of: Gives what stands in each column for a row.
        key_of: Tells rows apart.
        parent: Its owner.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        cells_of: Callable[[Row], tuple[Cell, ...]],
        key_of: Callable[[Row], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: tuple[Row, ...] = ()
        self._cells_of = cells_of
        self._key_of = key_of
        self._cells: list[tuple[Cell, ...]] = []

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; what is the same stays as it is."""
        rows = tuple(rows)
        if rows == self.rows:
            return
        if [self._key_of(row) for row in rows] != [self._key_of(row) for row in self.rows]:
            self.beginResetModel()
            self.rows = rows
            self._cells = [self._cells_of(row) for row in rows]
            self.endResetModel()
            return
        changed = [place for place, row in enumerate(rows) if row != self.rows[place]]
        self.rows = rows
        for place in changed:
            self._cells[place] = self._cells_of(rows[place])
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(self.columns) - 1))

    def place_of(self, key: str) -> int:
        """Give where a row stands; -1 when it does not."""
        return next((place for place, row in enumerate(self.rows) if self._key_of(row) == key), -1)

    def key_at(self, place: int) -> str:
        """Give the key of the row at a place; empty when there is none."""
        return self._key_of(self.rows[place]) if 0 <= place < len(self.rows) else ""

    def cell(self, place: int, column: int) -> Cell:
        """Give what stands in a cell."""
        return self._cells[place][column]

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return how many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what stands in a cell, its words, or what is said of it."""
        if not index.isValid():
            return None
        cell = self._cells[index.row()][index.column()]
        if role == CELL_ROLE:
            return cell
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return cell.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell.tip or cell.text
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a column."""
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return self.columns[section].head
        return None
