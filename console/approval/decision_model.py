"""Decisions of the past as a Qt model: the newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from console.approval.decision_rows import HEADS, DecidedRow
from console.approval.queue_rows import caller_words
from console.widgets.formats import format_full_time, format_time

DECIDED_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `DecidedRow`."""

_ROOT: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class DecisionColumn(IntEnum):
    """The columns, left to right."""

    TIME = 0
    TOOL = 1
    CALLER = 2
    OUTCOME = 3
    NOTE = 4
    REMEMBERED = 5
    BY = 6
    TAKEN = 7


class DecisionModel(QAbstractTableModel):
    """List decisions, newest first.

    Args:
        now: Gives the aware time, for the words of it.
        parent: Its owner.

    Signals:
        more_wanted(): The next page is wanted; `append` brings it.
    """

    more_wanted = Signal()

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._rows: list[DecidedRow] = []
        self._has_more = False
        self._is_asked = False

    @property
    def rows(self) -> Sequence[DecidedRow]:
        """The decisions that are listed so far."""
        return self._rows

    def show(self, rows: Sequence[DecidedRow], *, has_more: bool, anew: bool) -> bool:
        """Take the newest decisions: new ones are put on top, changed ones change where they stand.

        Args:
            rows: The newest, newest first.
            has_more: Whether there is a next page.
            anew: Whether they answer another question than those that are listed.

        Returns:
            Whether the list was begun anew, because they do not follow on what was listed.
        """
        self._is_asked = False
        fresh = None if anew else self._fresh(rows)
        if fresh is not None:
            self._put_on_top(rows, fresh)
            return False
        self.beginResetModel()
        self._rows = list(rows)
        self._has_more = has_more
        self.endResetModel()
        return True

    def _fresh(self, rows: Sequence[DecidedRow]) -> int | None:
        """Count the rows that stand before what is listed; None when they do not follow on it."""
        if not self._rows:
            return None
        first = self._rows[0].key
        fresh = next((place for place, row in enumerate(rows) if row.key == first), None)
        if fresh is None:
            return None
        same = zip(rows[fresh:], self._rows, strict=False)
        return fresh if all(new.key == old.key for new, old in same) else None

    def append(self, rows: Sequence[DecidedRow], *, has_more: bool) -> None:
        """List the next page."""
        self._has_more, self._is_asked = has_more, False
        known = {row.key for row in self._rows}
        new = [row for row in rows if row.key not in known]
        if new:
            self.beginInsertRows(_ROOT, len(self._rows), len(self._rows) + len(new) - 1)
            self._rows += new
            self.endInsertRows()

    def _put_on_top(self, rows: Sequence[DecidedRow], fresh: int) -> None:
        if fresh:
            self.beginInsertRows(_ROOT, 0, fresh - 1)
            self._rows[:0] = rows[:fresh]
            self.endInsertRows()
        for place in range(fresh, len(rows)):
            if self._rows[place] != rows[place]:
                self._rows[place] = rows[place]
                self.dataChanged.emit(self.index(place, 0), self.index(place, len(HEADS) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Count the decisions that are listed so far."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return HEADS[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, more words of it, or the decision."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == DECIDED_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            is_time = index.column() == DecisionColumn.TIME
            return format_full_time(row.decided_at) if is_time else self._words(row, index.column())
        return None

    def canFetchMore(self, parent: Index) -> bool:
        """Say whether there is a next page."""
        return not parent.isValid() and self._has_more and not self._is_asked

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._is_asked = True
            self.more_wanted.emit()

    def _words(self, row: DecidedRow, column: int) -> str:
        return (
            format_time(row.decided_at, self._now()),
            row.tool,
            caller_words(row.caller),
            row.outcome,
            row.note,
            row.remembered,
            row.by,
            row.taken,
        )[column]
