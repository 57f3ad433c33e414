"""The tools of the Health page as Qt models: the table, and the tiles above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.health.rows import HealthColumn, HealthRow, Order, Status, line_of, listed, status_word, words_of
from console.widgets.formats import format_full_time

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `HealthRow`."""

LINE_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""Gives the numbers of a tile's curve."""

ROOT: Final = QModelIndex()
"""The parent of all rows."""

Index = QModelIndex | QPersistentModelIndex

_HEADS: Final = ("Tool", "Source", "Status", "Success", "P50", "P95", "P99", "Calls", "Note")
_RIGHT: Final = frozenset(
    {HealthColumn.SUCCESS, HealthColumn.P50, HealthColumn.P95, HealthColumn.P99, HealthColumn.CALLS}
)
_MOST_STEPS: Final = 50
"""From how many changes on it is quicker to begin anew than to tell of each."""


class HealthModel(QAbstractTableModel):
    """List tools, sorted and narrowed.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[HealthRow] = ()
        self._rows: list[HealthRow] = []
        self._place_by_tool: dict[str, int] = {}
        self._order = Order()
        self._statuses: tuple[Status, ...] = ()

    @property
    def rows(self) -> Sequence[HealthRow]:
        """Give the rows that are listed, in their order."""
        return self._rows

    @property
    def order(self) -> Order:
        """Give how they are sorted."""
        return self._order

    def show(self, rows: Sequence[HealthRow]) -> None:
        """Show other rows; what stays keeps its selection."""
        self._all = rows
        self._follow(listed(rows, self._order, self._statuses))

    def set_order(self, order: Order) -> None:
        """Sort in another way."""
        if order != self._order:
            self._order = order
            self._follow(listed(self._all, order, self._statuses))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(HealthColumn) - 1)

    def set_statuses(self, statuses: tuple[Status, ...]) -> None:
        """List only tools with one of these statuses; empty admits all."""
        if statuses != self._statuses:
            self._statuses = statuses
            self._follow(listed(self._all, self._order, statuses))

    def place_of(self, tool: str) -> int:
        """Give where a tool is listed; -1 when it is not."""
        return self._place_by_tool.get(tool, -1)

    def text_of(self, places: Sequence[int]) -> str:
        """Give rows as lines of words with tabs between, as spreadsheets take them."""
        return "\n".join(line_of(self._rows[place]) for place in places)

    def rowCount(self, parent: Index = ROOT) -> int:
        """Count the tools that are listed."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(HealthColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name a column, and say how it is sorted."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _HEADS[section]
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and section == self._order.column:
            return "sorted, largest first" if self._order.descending else "sorted, smallest first"
        return Qt.AlignmentFlag.AlignRight if role == Qt.ItemDataRole.TextAlignmentRole and section in _RIGHT else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, more words of it, or the whole row."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], HealthColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return words_of(row, column)
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(row, column)
        return None

    def _follow(self, rows: list[HealthRow]) -> None:
        """Tell what changed: what left, what came, who moved, who is painted anew."""
        before, after = set(self._place_by_tool), {row.tool for row in rows}
        if len(before ^ after) > _MOST_STEPS:
            self.beginResetModel()
            self._take(rows)
            self.endResetModel()
            return
        for place in sorted((self._place_by_tool[tool] for tool in before - after), reverse=True):
            self.beginRemoveRows(ROOT, place, place)
            del self._rows[place]
            self.endRemoveRows()
        new = [row for row in rows if row.tool not in before]
        if new:
            self.beginInsertRows(ROOT, len(self._rows), len(self._rows) + len(new) - 1)
            self._rows += new
            self.endInsertRows()
        if [row.tool for row in self._rows] != [row.tool for row in rows]:
            self._move(rows)
        else:
            changed = [place for place, row in enumerate(rows) if row != self._rows[place]]
            self._take(rows)
            if changed:
                last = self.index(changed[-1], len(HealthColumn) - 1)
                self.dataChanged.emit(self.index(changed[0], 0), last)

    def _move(self, rows: list[HealthRow]) -> None:
        self.layoutAboutToBeChanged.emit()
        tools = [row.tool for row in self._rows]
        self._take(rows)
        indexes = self.persistentIndexList()
        moved = [self.index(self._place_by_tool[tools[index.row()]], index.column()) for index in indexes]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def _take(self, rows: list[HealthRow]) -> None:
        self._rows = rows
        self._place_by_tool = {row.tool: place for place, row in enumerate(rows)}


class TileModel(QAbstractListModel):
    """Tell of the worst tools, as many as there is room for.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[HealthRow] = ()
        self._rows: Sequence[HealthRow] = ()
        self._lines: Mapping[str, tuple[float | None, ...]] = {}
        self._statuses: tuple[Status, ...] = ()
        self._room = 0

    @property
    def rows(self) -> Sequence[HealthRow]:
        """Give the tools that have a tile, the worst first."""
        return self._rows

    def show(self, rows: Sequence[HealthRow], lines: Mapping[str, tuple[float | None, ...]]) -> None:
        """Show other tools.

        Args:
            rows: All tools, the worst first.
            lines: Their curves, by tool.
        """
        self._all, self._lines = rows, lines
        self._follow()

    def set_statuses(self, statuses: tuple[Status, ...]) -> None:
        """Show only tools with one of these statuses; empty admits all."""
        if statuses != self._statuses:
            self._statuses = statuses
            self._follow()

    def set_room(self, room: int) -> None:
        """Say how many tiles there is room for."""
        if room != self._room:
            self._room = room
            self._follow()

    def place_of(self, tool: str) -> int:
        """Give the place of a tool's tile; -1 when it has none."""
        return next((place for place, row in enumerate(self._rows) if row.tool == tool), -1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a tile's name, its row, its curve, or all of it in words."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.tool
        if role == ROW_ROLE:
            return row
        if role == LINE_ROLE:
            return self._lines.get(row.tool, ())
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            status, success, p95 = (
                words_of(row, column) for column in (HealthColumn.STATUS, HealthColumn.SUCCESS, HealthColumn.P95)
            )
            words = f"{row.tool}: {status}, success {success}, P95 {p95}"
            return f"{words}\n{row.note}" if row.note and role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def _follow(self) -> None:
        fitting = (row for row in self._all if not self._statuses or row.status in self._statuses)
        rows = [row for row in fitting if row.has_run][: self._room]
        tools = [row.tool for row in rows]
        if tools == [row.tool for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()


def _tooltip(row: HealthRow, column: HealthColumn) -> str:
    if column is HealthColumn.STATUS and row.since is not None:
        return f"{status_word(row.status)} since {format_full_time(row.since)}"
    return words_of(row, column)
