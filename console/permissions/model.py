"""The rules as a Qt table, and the tools below their sources as a Qt tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.permissions.rows import PermissionRow, PermissionSourceRow, RuleColumn, RuleRow, ToolColumn, Wish
from console.widgets.formats import format_count

Index = QModelIndex | QPersistentModelIndex

EFFECT_WORDS: Final[Mapping[str, str]] = MappingProxyType({"allow": "Allow", "ask": "Ask", "deny": "Deny"})
WISH_WORDS: Final[Mapping[Wish, str]] = MappingProxyType(
    {Wish.DEFAULT: "Default", Wish.ASK: "Ask", Wish.ALWAYS: "Always", Wish.NEVER: "Never"}
)
_RULE_HEADS: Final = ("Answer", "Rule", "Lasts", "Kept", "Used", "Last used")
_TOOL_HEADS: Final = ("Source and tool", "Risk", "Permission")
_ROOT: Final = QModelIndex()


class RuleModel(QAbstractTableModel):
    """List rules, what counts first standing first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RuleRow, ...] = ()

    def show_rows(self, rows: Sequence[RuleRow]) -> None:
        """Show other rules; what is the same stays as it is."""
        rows = tuple(rows)
        if [row.id for row in rows] != [row.id for row in self.rows]:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        changed = [place for place, row in enumerate(rows) if row != self.rows[place]]
        self.rows = rows
        for place in changed:
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(RuleColumn) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(RuleColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row, RuleColumn(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == RuleColumn.WORDS:
            return row.words
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == RuleColumn.WORDS and row.suspended:
            return f"{row.words}. It does not count: {row.suspended}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _RULE_HEADS[section]
        return None

    @staticmethod
    def _words(row: RuleRow, column: RuleColumn) -> str:
        return {
            RuleColumn.EFFECT: EFFECT_WORDS[row.effect],
            RuleColumn.WORDS: row.words,
            RuleColumn.LASTS: row.lasts,
            RuleColumn.PLACE: row.place,
            RuleColumn.USES: format_count(row.uses) if row.uses else "",
            RuleColumn.LAST_USED: row.last_used,
        }[column]


class PermissionModel(QAbstractItemModel):
    """List sources with their tools below them; a text narrows the tools."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[PermissionSourceRow, ...] = ()
        self._needle = ""
        self.sources: tuple[PermissionSourceRow, ...] = ()

    def show_sources(self, sources: Sequence[PermissionSourceRow]) -> None:
        """Show other sources; what is the same stays as it is."""
        self._all = tuple(sources)
        self._narrow()

    def set_filter(self, text: str) -> None:
        """Show only tools with this text in their names, and all tools of a source with it in its own."""
        self._needle = text.strip().casefold()
        self._narrow()

    def source_at(self, index: Index) -> PermissionSourceRow | None:
        """Return the source in a row; None when a tool stands there."""
        return None if index.internalId() else self.sources[index.row()]

    def tool_at(self, index: Index) -> PermissionRow | None:
        """Return the tool in a row; None when a source stands there."""
        above = int(index.internalId())
        return self.sources[above - 1].tools[index.row()] if above else None

    def wish_at(self, index: Index) -> Wish:
        """Return what the person wants of a row."""
        row = self.tool_at(index) or self.sources[index.row()]
        return row.wish

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """Return the index of a row: a source, or a tool below it, which carries the place of its source."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override] # QObject has one of that name, too
        above = int(index.internalId()) if index.isValid() else 0
        return self.createIndex(above - 1, 0, 0) if above else QModelIndex()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return how many sources there are, or tools below one."""
        if not parent.isValid():
            return len(self.sources)
        source = self.source_at(parent)
        return len(source.tools) if source is not None and not parent.column() else 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return len(ToolColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        tool = self.tool_at(index)
        column = ToolColumn(index.column())
        if column is ToolColumn.WISH:
            return WISH_WORDS[self.wish_at(index)]
        if column is ToolColumn.NAME:
            return tool.name if tool is not None else self.sources[index.row()].name
        if tool is not None:
            return tool.risk
        count = len(self.sources[index.row()].tools)
        return "1 tool" if count == 1 else f"{format_count(count)} tools"

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _TOOL_HEADS[section]
        return None

    def _narrow(self) -> None:
        shown = tuple(source for source in map(self._narrowed, self._all) if source is not None)
        if _names(shown) != _names(self.sources):
            self.beginResetModel()
            self.sources = shown
            self.endResetModel()
            return
        before, self.sources = self.sources, shown
        last = len(ToolColumn) - 1
        for place, (old, new) in enumerate(zip(before, shown, strict=True)):
            if old == new:
                continue
            above = self.index(place, 0)
            self.dataChanged.emit(above, self.index(place, last))
            if new.tools:
                self.dataChanged.emit(self.index(0, 0, above), self.index(len(new.tools) - 1, last, above))

    def _narrowed(self, source: PermissionSourceRow) -> PermissionSourceRow | None:
        if self._needle in source.name.casefold():
            return source
        tools = tuple(tool for tool in source.tools if self._needle in tool.name.casefold())
        return source._replace(tools=tools) if tools else None


def _names(sources: Sequence[PermissionSourceRow]) -> list[tuple[str, tuple[str, ...]]]:
    return [(source.name, tuple(tool.name for tool in source.tools)) for source in sources]
