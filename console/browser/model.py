"""The tools tree as a Qt model that filters its own rows.

A proxy model over ten thousand rows takes seconds for one keystroke; going through the rows here and resetting takes a
few milliseconds. One change of the registry is inserted or removed row by row instead, as long as no filter is set.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.assets import Picture
from console.browser.tool_tree import (
    FAMILIES,
    NOTICES,
    Family,
    FamilyNode,
    GroupNode,
    ToolRow,
    ToolSourceRow,
    ToolTree,
    Traits,
    distance,
)
from console.language import number, tr, tr_count
from console.tool_list import SOURCE_WORDS
from console.widgets.matches import match_spans
from tools.sentences import begin_sentence

ITEM_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `TreeItem` of an index."""

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
# The ids of indexes: 0 for families, then one for the children of each family, then one for those of each group.
_IN_FAMILY: Final = 1
_IN_GROUP: Final = 1 + len(FAMILIES)
_LARGEST_CHANGE: Final = 200
_ANY: Final = Traits()
_ICONS: Final[dict[Family, str]] = {
    "built-in": "box",
    "plugin": "puzzle",
    "server": "server",
    "api": "globe",
    "program": "square-terminal",
}


class ItemKind(Enum):
    """What one row of the tree is."""

    FAMILY = auto()
    GROUP = auto()
    TOOL = auto()
    FACT = auto()
    LINK = auto()


@dataclass(frozen=True, slots=True)
class TreeItem:
    """Be one row of the tree as delegates and views read it.

    Attributes:
        key: Stays the same over filtering and reloading; no other row has it. A tool's is its name.
        count: How many tools are below it; empty for a tool.
        icon: The name of its icon; empty for none.
        picture: An icon of somebody else in its place; None for ours.
        dimmed: Whether a filter left nothing of it, or the tool is switched off.
        spans: Where the filter's words stand in `text`.
        tool: The tool; None for anything else.
        failure: The plugin or server that could not be loaded; None for anything else.
        server: The server it is; empty for anything else.
        api: The API it is; empty for anything else.
        path: The plugin file it comes from; empty for none.
        notice: All lines of the notice that this row is one line of; empty for anything else.
        family: The family that the notice stands below; None for anything else.
    """

    kind: ItemKind
    key: str
    text: str
    count: str = ""
    icon: str = ""
    picture: Picture | None = None
    dimmed: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    tool: ToolRow | None = None
    starred: bool = False
    failure: ToolSourceRow | None = None
    server: str = ""
    api: str = ""
    path: str = ""
    notice: tuple[str, ...] = ()
    family: Family | None = None


class ToolTreeModel(QAbstractItemModel):
    """Show tools below their groups below their families, in one column.

    Without a filter, built-in tools that were not chosen are left out, and a last row of theirs offers to show all.
    While a filter is set, groups without a match are left out; families and plugin files stay, dimmed and closed.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tool_tree = ToolTree()
        self._server_pictures: Mapping[str, Picture] = {}
        self._tool_pictures: Mapping[str, Picture] = {}
        self._pictured: frozenset[str] = frozenset()
        self._starred: frozenset[str] = frozenset()

    @property
    def total(self) -> int:
        return len(self._tool_tree)

    @property
    def found(self) -> int:
        """Give how many tools the filter leaves; all of them without one."""
        return self._tool_tree.found

    @property
    def filtered(self) -> bool:
        return self._tool_tree.filtered

    def set_rows(self, rows: Iterable[ToolRow]) -> None:
        self.beginResetModel()
        self._tool_tree.clear()
        for row in rows:
            self._tool_tree.add(row)
        self._tool_tree.show()
        self._follow_pictures()
        self.endResetModel()

    def set_failures(self, failures: Iterable[ToolSourceRow]) -> None:
        """Show these plugins, and no others, as not loaded."""
        if self._tool_tree.set_failures(failures):
            self._show_again()

    def set_pictures(self, servers: Mapping[str, Picture], tools: Mapping[str, Picture]) -> None:
        """Show icons that servers and tools have themselves, by name; all others have ours or none."""
        if (servers, tools) == (self._server_pictures, self._tool_pictures):
            return
        self._server_pictures, self._tool_pictures = servers, tools
        self._follow_pictures()
        self._tell_servers()

    def _follow_pictures(self) -> bool:
        """Find out below which servers tools have icons: there all of them have one, so that they stand in line.

        Returns:
            Whether that is others now.
        """
        groups = (self._tool_tree.group_of(name) for name in self._tool_pictures)
        before, self._pictured = self._pictured, frozenset(group.title for group in groups if group is not None)
        return before != self._pictured

    def _tell_servers(self) -> None:
        """Tell that servers and their tools may look different."""
        for group in self._tool_tree.families["server"].shown:
            self._tell(self._group_index(group))
            if group.shown:
                first, last = (self.createIndex(row, 0, _IN_GROUP + group.serial) for row in (0, len(group.shown) - 1))
                self.dataChanged.emit(first, last)

    def set_filter(self, text: str, traits: Traits = _ANY) -> None:
        """Keep only tools that contain every word of a text and have some traits; nothing given keeps all."""
        if self._tool_tree.set_filter(text, traits):
            self._show_again()

    @property
    def is_guess(self) -> bool:
        """Whether no name has the filter's words, so that what is shown only comes close."""
        return self._tool_tree.is_guess

    def set_chosen(self, chosen: Collection[str] | None) -> None:
        """Show only these of the built-in tools as long as nobody looks for others; None shows all."""
        wanted = None if chosen is None else frozenset(chosen)
        if wanted != self._tool_tree.chosen:
            self._tool_tree.chosen = wanted
            self._show_again()

    def set_kept(self, names: Collection[str]) -> None:
        """Show these built-in tools beside the chosen ones."""
        tree, wanted = self._tool_tree, frozenset(names)
        changed = wanted ^ tree.kept
        tree.kept = wanted
        if tree.is_narrowed and any(tree.row_of(name) for name in changed - (tree.chosen or frozenset())):
            self._show_again()

    def set_starred(self, names: Collection[str]) -> None:
        """Mark tools that the person starred, and no others."""
        changed = self._starred.symmetric_difference(names)
        self._starred = frozenset(names)
        self._tell(*(index for index in map(self.index_of, changed) if index.isValid()))

    @property
    def shows_all(self) -> bool:
        """Whether all built-in tools are shown although some were chosen."""
        return self._tool_tree.shows_all

    def set_shows_all(self, *, shows_all: bool) -> None:
        if shows_all != self._tool_tree.shows_all:
            self._tool_tree.shows_all = shows_all
            self._show_again()

    @property
    def offer(self) -> str:
        """What is offered below the built-in tools; empty for nothing."""
        return self._tool_tree.families["built-in"].offer

    def leaves_out(self, name: str) -> bool:
        """Say whether a tool is not shown because it was not chosen."""
        return (
            self._tool_tree.is_narrowed
            and self._tool_tree.row_of(name) is not None
            and not self.index_of(name).isValid()
        )

    def set_related(self, named: Sequence[str], further: Sequence[str]) -> None:
        """Say which tools mean about what the filter says; they count where no name has its words.

        Args:
            named: Those by whose names, best first.
            further: Those that are shown where nothing else comes close, best first.
        """
        tree = self._tool_tree
        if (tuple(named), tuple(further)) == (tree.named, tree.further):
            return
        tree.named, tree.further = tuple(named), tuple(further)
        if tree.is_guess:
            self._show_again()

    def set_loading(self, *, loading: bool) -> None:
        """Say whether tools are being looked for; until that ends nothing is said to be missing."""
        if loading != self._tool_tree.loading:
            self._tool_tree.loading = loading
            self._show_again()

    def apply(self, added: Sequence[ToolRow], removed: Collection[str]) -> None:
        """Follow one change of the registry; a tool that is removed and added again stays where it is.

        Args:
            added: New rows, or new versions of known ones.
            removed: Names that are gone, unless `added` has them; unknown names are passed over.
        """
        changed = [row for row in added if self._tool_tree.stays_in_group(row)]
        staying = {row.name for row in changed}
        new = [row for row in added if row.name not in staying]
        leaving = dict.fromkeys((*removed, *(row.name for row in new)))
        gone = [name for name in leaving if name not in staying and self._tool_tree.group_of(name)]
        leaving_rows = filter(None, (self._tool_tree.row_of(name) for name in gone))
        one_by_one = self._tool_tree.follows_rows((*new, *leaving_rows))
        if not one_by_one or len(new) + len(gone) > _LARGEST_CHANGE:
            for name in gone:
                self._tool_tree.take(name)
            self._tool_tree.replace(changed)
            for row in new:
                self._tool_tree.add(row)
            self._tool_tree.drop_empty_groups()
            self._follow_pictures()
            self._show_again()
            return
        groups = self._tool_tree.replace(changed)
        if len(changed) <= _LARGEST_CHANGE:
            self._tell(*(index for index in (self.index_of(row.name) for row in changed) if index.isValid()))
        else:
            for group in groups:
                if group.shown:
                    first, last = (
                        self.createIndex(row, 0, _IN_GROUP + group.serial) for row in (0, len(group.shown) - 1)
                    )
                    self.dataChanged.emit(first, last)
        for name in gone:
            self._remove(name)
        for (family, title), rows in groupby(new, key=lambda row: (row.source.family, row.group)):
            self._insert(family, title, list(rows))
        if self._tool_pictures and self._follow_pictures():
            self._tell_servers()

    def index_of(self, name: str) -> QModelIndex:
        """Give the index of a tool; an invalid one when it is not shown."""
        group = self._tool_tree.group_of(name)
        row = group.place_of(name) if group is not None else -1
        return self.createIndex(row, 0, _IN_GROUP + group.serial) if group is not None and row >= 0 else QModelIndex()

    def first_tool(self) -> QModelIndex:
        """Give the first tool that is shown; an invalid index when there is none."""
        first = next((group for group in self._tool_tree.shown_groups() if group.shown), None)
        return self.createIndex(0, 0, _IN_GROUP + first.serial) if first is not None else QModelIndex()

    def best_tool(self) -> QModelIndex:
        """Give the shown tool whose name the filter's words fit best; an invalid index when none is shown."""
        shown = [tool for group in self._tool_tree.shown_groups() for tool in group.shown]
        tree = self._tool_tree
        rank = {name: place for place, name in enumerate(dict.fromkeys((*tree.named, *tree.further)))}
        best = min(
            shown, key=lambda tool: (*distance(tool.name, tree.words), rank.get(tool.name, len(rank))), default=None
        )
        return QModelIndex() if best is None else self.index_of(best.name)

    def parents(self) -> list[QModelIndex]:
        """Give everything that has children at present, families first."""
        found = [self._family_index(node) for node in self._tool_tree.shown if node.rows]
        return found + [self._group_index(group) for group in self._tool_tree.shown_groups() if group.shown]

    def item(self, index: _Index) -> TreeItem:
        row, place = index.row(), index.internalId()
        if place == 0:
            return self._family_item(self._tool_tree.shown[row])
        if place >= _IN_GROUP:
            return self._tool_item(self._tool_tree.group(place - _IN_GROUP).shown[row])
        node = self._family(place)
        if row < len(node.shown):
            return self._group_item(node.shown[row])
        if node.offer:
            return TreeItem(ItemKind.LINK, f"{node.family}/offer", node.offer, family=node.family)
        kind = ItemKind.LINK if row else ItemKind.FACT
        return TreeItem(kind, f"{node.family}/{row}", node.notice[row], notice=node.notice, family=node.family)

    def index(self, row: int, column: int, parent: _Index = _ROOT) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, 0) if row < len(self._tool_tree.shown) else QModelIndex()
        place = parent.internalId()
        if place == 0:
            node = self._tool_tree.shown[parent.row()]
            known = row < node.rows
            return self.createIndex(row, 0, _IN_FAMILY + FAMILIES.index(node.family)) if known else QModelIndex()
        groups = self._family(place).shown if place < _IN_GROUP else ()
        group = groups[parent.row()] if parent.row() < len(groups) else None
        known = group is not None and row < len(group.shown)
        return self.createIndex(row, 0, _IN_GROUP + group.serial) if group is not None and known else QModelIndex()

    def parent(self, index: _Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        place = index.internalId() if index.isValid() else 0
        if place == 0:
            return QModelIndex()
        if place >= _IN_GROUP:
            return self._group_index(self._tool_tree.group(place - _IN_GROUP))
        return self._family_index(self._family(place))

    def rowCount(self, parent: _Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self._tool_tree.shown)
        place = parent.internalId()
        if place == 0:
            return self._tool_tree.shown[parent.row()].rows
        if place >= _IN_GROUP:
            return 0
        groups = self._family(place).shown
        return len(groups[parent.row()].shown) if parent.row() < len(groups) else 0

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 1

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return _NONE
        place = index.internalId()
        if place >= _IN_GROUP:
            return _LEAF
        if place:
            node = self._family(place)
            if node.notice:
                return _LEAF if index.row() else _LABEL
            if index.row() >= len(node.shown):
                return _LEAF
        return _BRANCH

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the item itself, its text, its tooltip or its words for a screen reader."""
        if not index.isValid():
            return None
        if role == ITEM_ROLE:
            return self.item(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.item(index).text
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(self.item(index), self._tokens(index))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(self.item(index))
        return None

    def _tokens(self, index: _Index) -> int:
        """Return what a tool, a group or a family costs in each request, about."""
        row, place = index.row(), index.internalId()
        if place == 0:
            return self._tool_tree.shown[row].tokens
        if place >= _IN_GROUP:
            return self._tool_tree.group(place - _IN_GROUP).shown[row].tokens
        groups = self._family(place).shown
        return groups[row].tokens if row < len(groups) else 0

    def _family_item(self, node: FamilyNode) -> TreeItem:
        found, total = node.found, node.total
        return TreeItem(
            ItemKind.FAMILY,
            node.family,
            SOURCE_WORDS[node.family].title,
            count=self._count(found, total),
            icon=_ICONS[node.family],
            dimmed=self.filtered and not found,
        )

    def _group_item(self, group: GroupNode) -> TreeItem:
        is_server = group.family.family == "server"
        return TreeItem(
            ItemKind.GROUP,
            f"{group.family.family}/{group.title}",
            group.title,
            count=self._count(len(group.shown), len(group.tools)) if group.tools else "",
            icon="file-code" if group.path else "server" if is_server and self._server_pictures else "",
            picture=self._server_pictures.get(group.title) if is_server else None,
            dimmed=self.filtered and not group.shown,
            failure=group.failure,
            server=group.title if is_server else "",
            api=group.title if group.family.family == "api" else "",
            path=group.path,
        )

    def _tool_item(self, tool: ToolRow) -> TreeItem:
        text = tool.label or tool.name
        return TreeItem(
            ItemKind.TOOL,
            tool.name,
            text,
            icon="wrench" if tool.source.family == "server" and tool.group in self._pictured else "",
            picture=self._tool_pictures.get(tool.name),
            dimmed=bool(tool.disabled),
            spans=tuple(match_spans(text, self._tool_tree.words)),
            tool=tool,
            starred=tool.name in self._starred,
            path=tool.source.path,
        )

    def _count(self, found: int, total: int) -> str:
        return (
            tr("{count:,} of {total:,}", count=found, total=total)
            if total and (self.filtered or found != total)
            else number(total)
        )

    def _family(self, place: int) -> FamilyNode:
        return self._tool_tree.families[FAMILIES[place - _IN_FAMILY]]

    def _family_index(self, node: FamilyNode) -> QModelIndex:
        return self.createIndex(node.row, 0, 0)

    def _group_index(self, group: GroupNode) -> QModelIndex:
        return self.createIndex(group.row, 0, _IN_FAMILY + FAMILIES.index(group.family.family))

    def _show_again(self) -> None:
        self.beginResetModel()
        self._tool_tree.show()
        self.endResetModel()

    def _tell(self, *indexes: QModelIndex) -> None:
        for index in indexes:
            self.dataChanged.emit(index, index)

    def _insert(self, family: Family, title: str, rows: list[ToolRow]) -> None:
        """Insert the tools of one group; without a filter, what is shown is what there is."""
        node = self._tool_tree.families[family]
        self._show_family(node)
        group = self._tool_tree.group_titled(family, title)
        if group is None:
            self._set_notice(node, visible=False)
            at = node.place_for(title)
            self.beginInsertRows(self._family_index(node), at, at)
            for row in rows:
                self._tool_tree.add(row)
            node.groups[at].shown = node.groups[at].tools
            node.shown.insert(at, node.groups[at])
            node.number()
            self.endInsertRows()
        else:
            above = self._group_index(group)
            self.beginInsertRows(above, len(group.tools), len(group.tools) + len(rows) - 1)
            for row in rows:
                self._tool_tree.add(row)
            self.endInsertRows()
            self._tell(above)
        self._tell(self._family_index(node))

    def _remove(self, name: str) -> None:
        group = self._tool_tree.group_of(name)
        if group is None:
            return
        node = group.family
        if len(group.tools) > 1 or group.failure is not None:
            at = group.place_of(name)
            self.beginRemoveRows(self._group_index(group), at, at)
            self._tool_tree.take(name)
            self.endRemoveRows()
            self._tell(self._group_index(group), self._family_index(node))
            return
        self.beginRemoveRows(self._family_index(node), group.row, group.row)
        self._tool_tree.take(name)
        self._tool_tree.drop(group)
        node.shown.remove(group)
        node.number()
        self.endRemoveRows()
        self._tell(self._family_index(node))
        if not node.groups:
            self._set_notice(node, visible=True)
            self._hide_family(node)

    def _set_notice(self, node: FamilyNode, *, visible: bool) -> None:
        lines = len(NOTICES[node.family])
        if node.has_notice == visible or not lines:
            return
        above = self._family_index(node)
        if visible:
            self.beginInsertRows(above, 0, lines - 1)
            node.has_notice = True
            self.endInsertRows()
        else:
            self.beginRemoveRows(above, 0, lines - 1)
            node.has_notice = False
            self.endRemoveRows()

    def _show_family(self, node: FamilyNode) -> None:
        if node in self._tool_tree.shown:
            return
        at = len(
            [other for other in self._tool_tree.shown if FAMILIES.index(other.family) < FAMILIES.index(node.family)]
        )
        self.beginInsertRows(_ROOT, at, at)
        self._tool_tree.shown.insert(at, node)
        self._number_families()
        self.endInsertRows()

    def _hide_family(self, node: FamilyNode) -> None:
        if NOTICES[node.family]:
            return
        self.beginRemoveRows(_ROOT, node.row, node.row)
        self._tool_tree.shown.remove(node)
        self._number_families()
        self.endRemoveRows()

    def _number_families(self) -> None:
        for row, node in enumerate(self._tool_tree.shown):
            node.row = row


_LEAF: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_LABEL: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
_NONE: Final = Qt.ItemFlag.NoItemFlags
_BRANCH: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_MOST_FINDINGS: Final = 3
_LATENCY_WORDS: Final = {"fast": tr("fast"), "medium": tr("medium"), "slow": tr("slow")}
_HEALTH_WORDS: Final = {"up": tr("Up"), "degraded": tr("Degraded"), "down": tr("Down"), "unknown": tr("No run lately")}


def _facts(item: TreeItem) -> list[str]:
    tool = item.tool
    if tool is None:
        return []
    word = _HEALTH_WORDS[tool.health]
    why = tool.health_reason
    facts = [f"{word}: {why}" if why else word]
    if tool.health == "unknown" and why:
        # It ran, but too few times to say how it does.
        facts = [begin_sentence(why)]
    facts += [tr("It {why}", why=tool.disabled)] if tool.disabled else []
    facts += [tr("It {why}", why=tool.lacks)] if tool.lacks else []
    facts += [tr("Starred")] if item.starred else []
    facts += [tr("Asks before it runs")] if tool.asks_first else []
    facts += tool.risks
    facts += [tr("Usually {speed}", speed=_LATENCY_WORDS[tool.latency])] if tool.latency else []
    count = len(tool.findings)
    facts += [tr_count(count, "1 finding in its description", "{count} findings in its description")] if count else []
    return facts


def _findings(tool: ToolRow) -> list[str]:
    more = len(tool.findings) - _MOST_FINDINGS
    return [*tool.findings[:_MOST_FINDINGS], *([tr("And {count} more", count=more)] if more > 0 else [])]


def _trouble(failure: ToolSourceRow) -> str:
    words = {"server": tr("is not connected"), "api": tr("has no tools")}
    what = words.get(failure.family, tr("could not be loaded"))
    return f"{what}: {failure.error_line}"


def _tooltip(item: TreeItem, tokens: int) -> str:
    if item.failure is not None:
        return f"{item.text} {_trouble(item.failure)}"
    costs = tr("≈ {count:,} tokens in each request, estimated", count=tokens) if tokens else ""
    lines = [item.path, costs]
    if item.tool is not None:
        facts = " · ".join(filter(None, (*_facts(item), costs)))
        lines = [item.tool.title or item.text, item.tool.description, facts, *_findings(item.tool)]
    return "\n".join(line for line in lines if line)


def _spoken(item: TreeItem) -> str:
    tools = tr_count(1, "1 tool", "{count:,} tools") if item.count == "1" else tr("{count} tools", count=item.count)
    parts = [item.text, item.count and tools, *_facts(item)]
    if item.failure is not None:
        parts.append(_trouble(item.failure))
    return ", ".join(part for part in parts if part)
