"""Calls as a Qt model: the columns, and what Qt asks of them; which calls there are, a pane's own model says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from enum import IntEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from console.widgets.status import StatusName


STATUS_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the name of a call's status."""

ROOT: Final = QModelIndex()
"""The parent of all rows."""

Index = QModelIndex | QPersistentModelIndex


class CallColumn(IntEnum):
    """The columns, left to right."""

    TIME = 0
    TOOL = 1
    CALLER = 2
    ARGUMENTS = 3
    STATUS = 4
    DURATION = 5


_COLUMNS: Final = len(CallColumn)
_HEADS: Final = ("Time", "Tool", "Caller", "Arguments", "Status", "Duration")


def now_utc() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


def runs_of(places: Iterable[int]) -> list[tuple[int, int]]:
    """Join places that stand together, and give the first and the last of each run.

    Args:
        places: Each once, the lowest first.
    """
    runs = []
    for _, group in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        runs.append((run[0], run[-1]))
    return runs


class CallTableModel(QAbstractTableModel):
    """List calls. A subclass says how many there are, and gives the id, the status and the words of each.

    Args:
        clock: Gives the time, for the words of it.
        parent: Its owner.
    """

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock

    def id_at(self, index: Index) -> str:
        """Give the id of the call of a valid index."""
        raise NotImplementedError

    def status_at(self, index: Index) -> StatusName:
        """Give how the call of a valid index stands."""
        raise NotImplementedError

    def words_at(self, index: Index) -> str:
        """Give what stands in a cell."""
        raise NotImplementedError

    def tooltip_at(self, index: Index) -> str:
        """Give what is told of a cell that the pointer rests on."""
        raise NotImplementedError

    def tell_changed(self, places: Iterable[int], from_column: CallColumn = CallColumn.TIME) -> None:
        """Have rows painted anew, from a column on.

        Args:
            places: Each once, the lowest first.
            from_column: The first column that changed.
        """
        for first, last in runs_of(places):
            self.dataChanged.emit(self.index(first, from_column), self.index(last, CallColumn.DURATION))

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else _COLUMNS

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return _HEADS[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, more words of it, or the status of its call."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words_at(index)
        if role == STATUS_ROLE:
            return self.status_at(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tooltip_at(index)
        return None
