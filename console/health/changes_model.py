"""The changes of the tools' health as a Qt model, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import IntEnum
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.call_table.model import now_utc
from console.health.rows import Status, status_word
from console.widgets.formats import format_full_time, format_when

CHANGE_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `HealthChangeRow`."""

_ROOT: Final = QModelIndex()
_HEADS: Final = ("Time", "Tool", "Change", "Why")
_Index = QModelIndex | QPersistentModelIndex


class HealthChangeColumn(IntEnum):
    """The columns, left to right."""

    TIME = 0
    TOOL = 1
    CHANGE = 2
    REASON = 3


class HealthChangeRow(NamedTuple):
    """One change.

    Attributes:
        at: When it was noticed.
        tool: The tool.
        before: What it was.
        after: What it is since then.
        reason: Why; empty when it is up.
    """

    at: datetime
    tool: str
    before: Status
    after: Status
    reason: str


class HealthChangesModel(QAbstractTableModel):
    """List changes.

    Args:
        clock: Gives the time, for the words of it.
        parent: Its owner.
    """

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._rows: Sequence[HealthChangeRow] = ()

    @property
    def rows(self) -> Sequence[HealthChangeRow]:
        """Give the changes, newest first."""
        return self._rows

    def show(self, rows: Sequence[HealthChangeRow]) -> None:
        """Show other changes, newest first; those that came on top keep the place of the rest."""
        new = len(rows) - len(self._rows)
        if new >= 0 and tuple(rows[new:]) == tuple(self._rows):
            if new:
                self.beginInsertRows(_ROOT, 0, new - 1)
                self._rows = rows
                self.endInsertRows()
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(HealthChangeColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return _HEADS[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, more words of it, or the whole change."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], HealthChangeColumn(index.column())
        if role == CHANGE_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole and column is HealthChangeColumn.TIME:
            return format_full_time(row.at)
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return self._words_of(row, column)
        return None

    def _words_of(self, row: HealthChangeRow, column: HealthChangeColumn) -> str:
        match column:
            case HealthChangeColumn.TIME:
                return format_when(row.at, self._clock())
            case HealthChangeColumn.TOOL:
                return row.tool
            case HealthChangeColumn.CHANGE:
                return f"{status_word(row.before)} → {status_word(row.after)}"
            case HealthChangeColumn.REASON:
                return row.reason
