"""The rules as a Qt table, and the tools below their sources as a Qt tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.language import tr, tr_count
from console.permissions.rows import (
    PLACES,
    UNTIL_EXIT,
    UNTIL_REMOVED,
    PermissionMode,
    PermissionRow,
    PermissionSourceRow,
    RuleRow,
    ToolColumn,
)
from console.widgets import Cell, Column, TableModel, TextTone, format_count

Index = QModelIndex | QPersistentModelIndex

EFFECT_WORDS: Final[Mapping[str, str]] = MappingProxyType({"allow": tr("Allow"), "ask": tr("Ask"), "deny": tr("Deny")})
WISH_WORDS: Final[Mapping[PermissionMode, str]] = MappingProxyType(
    {
        PermissionMode.DEFAULT: tr("Default"),
        PermissionMode.ASK: tr("Ask"),
        PermissionMode.ALWAYS: tr("Always"),
        PermissionMode.NEVER: tr("Never"),
    }
)
_TOOL_HEADS: Final = (tr("Source and tool"), tr("Risk"), tr("Permission"))
_ROOT: Final = QModelIndex()
_RULE_ICONS: Final[Mapping[str, tuple[str, TextTone]]] = MappingProxyType(
    {"allow": ("circle-check", "ok"), "ask": ("shield-question-mark", "warn"), "deny": ("circle-x", "error")}
)
_RULE_COLUMNS: Final = (
    Column(
        tr("Answer"),
        112,
        samples=tuple(Cell(EFFECT_WORDS[effect], icon=icon) for effect, (icon, _) in _RULE_ICONS.items()),
    ),
    Column(tr("Rule")),
    Column(tr("Lasts"), 148, samples=(Cell(UNTIL_EXIT), Cell(UNTIL_REMOVED))),
    Column(tr("Kept"), 112, samples=tuple(map(Cell, PLACES.values()))),
    Column(tr("Used"), 64, is_number=True),
    Column(tr("Last used"), 112, is_tabular=True),
)


class RuleModel(TableModel[RuleRow]):
    """List rules, what counts first standing first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_RULE_COLUMNS, _rule_cells, attrgetter("id"), parent)


def _rule_cells(row: RuleRow) -> tuple[Cell, ...]:
    """Give the cells of a rule: what it answers, its words, how long it lasts; grey when it does not count."""
    icon, tone = _RULE_ICONS[row.effect]
    quiet: TextTone = "text2"
    words = Cell(row.words, "text")
    if row.suspended or not row.is_on:
        icon, tone, quiet = "circle-pause", "idle", "text3"
        spoken = (
            tr("{words}. It does not count: {suspended}", words=row.words, suspended=row.suspended)
            if row.suspended
            else ""
        )
        words = Cell(f"{row.suspended or tr('Switched off')}: {row.words}", quiet, tip=row.words, spoken=spoken)
    return (
        Cell(EFFECT_WORDS[row.effect], tone, icon=icon),
        words,
        Cell(row.lasts, quiet),
        Cell(row.place, quiet),
        Cell(format_count(row.uses) if row.uses else "", quiet),
        Cell(row.last_used, quiet),
    )


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

    def wish_at(self, index: Index) -> PermissionMode:
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
        return tr_count(count, "1 tool", "{count:,} tools")

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
