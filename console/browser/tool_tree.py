"""The tools as plain rows, and as a tree of families, groups and tools."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from console.language import tr

Family = Literal["built-in", "plugin", "server", "api", "program"]
"""Which top row of the tree something belongs to."""

Health = Literal["up", "degraded", "down", "unknown"]
Latency = Literal["fast", "medium", "slow"]

FAMILIES: Final[tuple[Family, ...]] = ("built-in", "plugin", "server", "api", "program")
"""All families, in the order they are shown."""

NAMED_FAMILIES: Final[frozenset[Family]] = frozenset({"plugin", "server", "api"})
"""Those whose groups are sources: files, servers, APIs."""


@dataclass(frozen=True, slots=True)
class ToolSourceRow:
    """Say where tools come from, or why none came.

    Attributes:
        family: The top row it is listed under.
        name: The name shown, such as a plugin file's or a server's.
        path: The plugin file; empty for anything else.
        error: Why it could not be loaded or reached; empty when it was.
        traceback: Where that happened; empty when it was loaded.
    """

    family: Family
    name: str
    path: str = ""
    error: str = ""
    traceback: str = ""

    @property
    def error_line(self) -> str:
        """The first line of the error that says something."""
        return next((line.strip() for line in self.error.splitlines() if line.strip()), "")


@dataclass(frozen=True, slots=True)
class ToolRow:
    """Be one tool as the tree shows it.

    Attributes:
        group: The toolkit, category, plugin file or server it is listed under.
        label: What is shown of it there; empty for its whole name.
        title: A name for people; empty when it has none.
        keywords: Words it can be found by.
        asks_first: Whether a person is asked before each call.
        risks: What it says of its risk that a person should know, a few words each.
        latency: How long a call usually takes; None when nobody said.
        health_reason: Why it is not up; empty when it is.
        disabled: Why its calls are refused, as the end of a sentence; empty when they are accepted.
        lacks: Which libraries it needs that are not installed, as the end of a sentence; empty when none.
        findings: What is wrong with how it is described, a sentence each; hints are left out.
        is_misdescribed: Whether a model is told something false of it.
        tokens: What it costs in each request, about; 0 until that is known.
    """

    name: str
    source: ToolSourceRow
    group: str
    label: str = ""
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    asks_first: bool = False
    risks: tuple[str, ...] = ()
    latency: Latency | None = None
    health: Health = "unknown"
    health_reason: str = ""
    disabled: str = ""
    lacks: str = ""
    findings: tuple[str, ...] = ()
    is_misdescribed: bool = False
    tokens: int = 0
    names_text: str = field(init=False, repr=False, compare=False)
    all_text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keep what a filter looks at as one text each, as a keystroke looks at every tool there is."""
        names = "\n".join((self.name, self.title, *self.keywords)).casefold()
        object.__setattr__(self, "names_text", names)
        object.__setattr__(self, "all_text", f"{names}\n{self.description.casefold()}")


@dataclass(frozen=True, slots=True)
class Traits:
    """What tools shall have in common, besides words.

    Attributes:
        asks_first: Whether only those stay that ask before they run.
        latencies: Only those this fast stay; empty keeps all.
    """

    asks_first: bool = False
    latencies: frozenset[Latency] = frozenset()

    def __bool__(self) -> bool:
        return self.asks_first or bool(self.latencies)

    def fit(self, row: ToolRow) -> bool:
        return (row.asks_first or not self.asks_first) and (not self.latencies or row.latency in self.latencies)


def filter_words(text: str) -> tuple[str, ...]:
    """Split what a person typed into the words that a tool must all contain."""
    return tuple(text.casefold().split())


def named_by(rows: Sequence[ToolRow], words: tuple[str, ...]) -> list[ToolRow]:
    """Give the rows that contain every word in their name, title or keywords, in their order."""
    found = list(rows)
    for word in words:
        found = [row for row in found if word in row.names_text]
    return found


def coming_close(
    rows: Sequence[ToolRow], words: tuple[str, ...], named: Collection[str] = (), further: Collection[str] = ()
) -> list[ToolRow]:
    """Give the rows for words that no name has, so that a person who does not know the name still gets there.

    Args:
        words: Of `filter_words`.
        named: Tools whose names mean the same, as the search engine knows.
        further: Tools that are shown where nothing else comes close.

    Returns:
        Those with every word in their description and those whose names mean the same, else the further ones; in their
        order.
    """
    found = list(rows)
    for word in words:
        found = [row for row in found if word in row.all_text]
    close = set(named or (() if found else further))
    if close:
        close.update(row.name for row in found)
        found = [row for row in rows if row.name in close]
    return found


def distance(name: str, words: Iterable[str]) -> tuple[int, int]:
    """Tell how far a tool's name is from the words of a filter that found it, to compare tools by.

    Args:
        words: As `filter_words` gives them.

    Returns:
        How many words are not in the name, then 0 for the very name, 1 when it begins with the first word, else 2.
    """
    low, words = name.casefold(), tuple(words)
    missing = sum(word not in low for word in words)
    if low == "_".join(words):
        return missing, 0
    return missing, 1 if words and low.startswith(words[0]) else 2


NOTICES: Final[dict[Family, tuple[str, ...]]] = {
    "built-in": (tr("No built-in tools are loaded."),),
    "plugin": (tr("No plugin files yet."), tr("Choose a Python file…")),
    "server": (tr("No servers connected."), tr("Connect a server…")),
    "api": (),
    "program": (),
}
"""What stands below a family that has nothing: one fact, and one link where the person can do something about it."""

LOOKING: Final = tr("Looking for them…")
"""The fact as long as tools are being looked for."""


CHOSEN_OFFER: Final = tr("Show those chosen for this project")
"""What is offered where all built-in tools are shown."""


@dataclass(slots=True, eq=False)
class GroupNode:
    """One toolkit, category or plugin file.

    Attributes:
        serial: Its number, which no other group ever has.
        family: What it stands below.
        path: The plugin file; empty for anything else.
        failure: Why the plugin could not be loaded; None when it was.
        shown: Those the filter leaves; the very list `tools` without a filter.
        row: Where it stands among the groups shown.
    """

    serial: int
    family: "FamilyNode"
    title: str
    path: str = ""
    failure: ToolSourceRow | None = None
    tools: list[ToolRow] = field(default_factory=list)
    shown: list[ToolRow] = field(default_factory=list)
    row: int = 0

    @property
    def tokens(self) -> int:
        """What its tools that can be called cost in each request, about."""
        return sum(tool.tokens for tool in self.tools if not tool.disabled)

    def place_of(self, name: str) -> int:
        """Give where a tool stands among those shown; -1 when it is not."""
        return next((row for row, tool in enumerate(self.shown) if tool.name == name), -1)


@dataclass(slots=True, eq=False)
class FamilyNode:
    """One top row.

    Attributes:
        shown: Those the filter leaves.
        has_notice: Whether the notice stands in place of the groups.
        is_looked_for: Whether nobody can say yet that there are none.
        offer: What is offered in a row below the groups; empty for nothing.
        row: Where it stands among the families shown.
    """

    family: Family
    groups: list[GroupNode] = field(default_factory=list)
    shown: list[GroupNode] = field(default_factory=list)
    has_notice: bool = False
    is_looked_for: bool = False
    offer: str = ""
    row: int = 0

    @property
    def notice(self) -> tuple[str, ...]:
        """The lines that stand in place of groups; none while there are groups, or a filter."""
        if not self.has_notice:
            return ()
        fact, *links = NOTICES[self.family]
        return (LOOKING if self.is_looked_for else fact, *links)

    @property
    def rows(self) -> int:
        """How many rows stand directly below it."""
        return len(self.shown) + bool(self.offer) or len(self.notice)

    @property
    def total(self) -> int:
        return sum(len(group.tools) for group in self.groups)

    @property
    def tokens(self) -> int:
        """What its tools that can be called cost in each request, about."""
        return sum(group.tokens for group in self.groups)

    @property
    def found(self) -> int:
        """How many tools the filter leaves."""
        return sum(len(group.shown) for group in self.shown)

    def place_for(self, title: str) -> int:
        """Give where a group belongs: plugins and servers by name, as they come and go; the rest at the end."""
        if self.family not in NAMED_FAMILIES:
            return len(self.groups)
        return bisect_left(self.groups, title.casefold(), key=_folded_title)

    def number(self) -> None:
        for row, group in enumerate(self.shown):
            group.row = row


def _folded_title(group: GroupNode) -> str:
    return group.title.casefold()


class ToolTree:
    """Hold the families; every change is made visible by `show`, or by the model that makes it row by row.

    Attributes:
        families: All families by name.
        shown: Those that are shown.
        words: What the person typed; empty for nothing.
        traits: What tools shall have in common.
        loading: Whether tools are being looked for, so that nobody can say yet that there are none.
        named: Tools whose names mean what the words mean, best first, as the search engine knows.
        further: Tools that are shown where nothing else comes close, best first.
        is_guess: Whether no name has the words, so that what is shown only comes close.
        chosen: The built-in tools that are shown without a filter; None shows all.
        kept: Those that are shown besides.
        shows_all: Whether the person wants to see all the same.
    """

    def __init__(self) -> None:
        self.families = {family: FamilyNode(family) for family in FAMILIES}
        self.shown: list[FamilyNode] = []
        self.words: tuple[str, ...] = ()
        self.traits = Traits()
        self.loading = False
        self.named: tuple[str, ...] = ()
        self.further: tuple[str, ...] = ()
        self.is_guess = False
        self.chosen: frozenset[str] | None = None
        self.kept: frozenset[str] = frozenset()
        self.shows_all = False
        self._groups: dict[int, GroupNode] = {}
        self._group_by_title: dict[tuple[Family, str], GroupNode] = {}
        self._group_by_tool: dict[str, GroupNode] = {}
        self._failures: tuple[ToolSourceRow, ...] = ()
        self._next_serial = 0
        self.show()

    def __len__(self) -> int:
        return len(self._group_by_tool)

    @property
    def found(self) -> int:
        """How many tools the filter leaves."""
        return sum(family.found for family in self.shown)

    @property
    def filtered(self) -> bool:
        return bool(self.words or self.traits)

    @property
    def is_narrowed(self) -> bool:
        """Whether built-in tools are left out that were not chosen."""
        return self.chosen is not None and not self.shows_all and not self.filtered

    def follows_rows(self, rows: Iterable[ToolRow]) -> bool:
        """Say whether rows that come or go can be shown one by one, as nothing is left out where they stand."""
        return not self.filtered and (self.chosen is None or all(row.source.family != "built-in" for row in rows))

    def group(self, serial: int) -> GroupNode:
        return self._groups[serial]

    def group_of(self, name: str) -> GroupNode | None:
        """Give the group of a tool; None when there is no such tool."""
        return self._group_by_tool.get(name)

    def group_titled(self, family: Family, title: str) -> GroupNode | None:
        """Give a group by its title; None when there is none."""
        return self._group_by_title.get((family, title))

    def row_of(self, name: str) -> ToolRow | None:
        """Give a tool, shown or not; None when there is none of exactly that name."""
        group = self._group_by_tool.get(name)
        return None if group is None else next(tool for tool in group.tools if tool.name == name)

    def stays_in_group(self, row: ToolRow) -> bool:
        """Say whether a tool of that name is already where this row belongs."""
        group = self._group_by_tool.get(row.name)
        return group is not None and (group.family.family, group.title) == (row.source.family, row.group)

    def clear(self) -> None:
        """Forget all tools, but not the failures."""
        for family in self.families.values():
            family.groups.clear()
        self._groups.clear()
        self._group_by_title.clear()
        self._group_by_tool.clear()
        self._place_failures()

    def add(self, row: ToolRow) -> None:
        """Put a tool at the end of its group; one that is there already is replaced where it stands."""
        if self.stays_in_group(row):
            tools = self._group_by_tool[row.name].tools
            tools[[tool.name for tool in tools].index(row.name)] = row
            return
        self.take(row.name)
        family = row.source.family
        group = self.group_titled(family, row.group) or self._make_group(family, row.group, row.source.path)
        group.tools.append(row)
        self._group_by_tool[row.name] = group

    def replace(self, rows: Iterable[ToolRow]) -> set[GroupNode]:
        """Put new versions of tools where they stand, in one go for each group, and return these groups."""
        rows_by_group: dict[GroupNode, dict[str, ToolRow]] = {}
        for row in rows:
            rows_by_group.setdefault(self._group_by_tool[row.name], {})[row.name] = row
        for group, new in rows_by_group.items():
            group.tools[:] = [new.get(tool.name, tool) for tool in group.tools]
            if group.shown is not group.tools:
                group.shown[:] = [new.get(tool.name, tool) for tool in group.shown]
        return set(rows_by_group)

    def take(self, name: str) -> None:
        """Remove a tool; an unknown name is passed over."""
        group = self._group_by_tool.pop(name, None)
        if group is not None:
            del group.tools[[tool.name for tool in group.tools].index(name)]

    def drop(self, group: GroupNode) -> None:
        """Remove a group that has nothing left."""
        group.family.groups.remove(group)
        del self._groups[group.serial]
        del self._group_by_title[group.family.family, group.title]

    def drop_empty_groups(self) -> None:
        """Remove all groups that have neither a tool nor a failure."""
        for group in [group for group in self._groups.values() if not group.tools and group.failure is None]:
            self.drop(group)

    def set_failures(self, failures: Iterable[ToolSourceRow]) -> bool:
        """Keep which plugins could not be loaded.

        Returns:
            Whether anything changed.
        """
        wanted = tuple(failures)
        if wanted == self._failures:
            return False
        self._failures = wanted
        self._place_failures()
        return True

    def set_filter(self, text: str, traits: Traits) -> bool:
        """Keep what to look for.

        Returns:
            Whether anything changed.
        """
        wanted = (filter_words(text), traits)
        if wanted == (self.words, self.traits):
            return False
        self.words, self.traits = wanted
        if not self.words:
            self.named = self.further = ()
        return True

    def show(self) -> None:
        """Work out what the filter leaves."""
        filtered = self.filtered
        self.is_guess = False
        found = self._matching() if filtered else self.kept | (self.chosen or frozenset())
        narrowed = self.is_narrowed
        self.shown = [node for node in self.families.values() if node.groups or NOTICES[node.family]]
        for row, node in enumerate(self.shown):
            node.row = row
        for node in self.families.values():
            partly = filtered or (narrowed and node.family == "built-in")
            for group in node.groups:
                group.shown = [row for row in group.tools if row.name in found] if partly else group.tools
            stay = not partly or node.family in NAMED_FAMILIES
            node.shown = [group for group in node.groups if stay or group.shown]
            node.has_notice = bool(NOTICES[node.family]) and not (node.groups or filtered)
            node.is_looked_for = self.loading
            node.number()
        built_in = self.families["built-in"]
        built_in.offer = self._offer(built_in.total)

    def _offer(self, total: int) -> str:
        if self.chosen is None or self.filtered or not total:
            return ""
        return CHOSEN_OFFER if self.shows_all else tr("Show all {total:,} built-in tools", total=total)

    def _matching(self) -> Collection[str]:
        rows = [row for group in self._groups.values() for row in group.tools]
        found = named_by(rows, self.words)
        if not found and self.words:
            self.is_guess = True
            found = coming_close(rows, self.words, self.named, self.further)
        return {row.name for row in found if not self.traits or self.traits.fit(row)}

    def shown_groups(self) -> Iterator[GroupNode]:
        for family in self.shown:
            yield from family.shown

    def _make_group(self, family: Family, title: str, path: str) -> GroupNode:
        node = self.families[family]
        group = GroupNode(self._next_serial, node, title, path)
        self._next_serial += 1
        self._groups[group.serial] = group
        self._group_by_title[family, title] = group
        node.groups.insert(node.place_for(title), group)
        return group

    def _place_failures(self) -> None:
        for group in self._groups.values():
            group.failure = None
        for failure in self._failures:
            known = self.group_titled(failure.family, failure.name)
            group = known or self._make_group(failure.family, failure.name, failure.path)
            group.failure = failure
        self.drop_empty_groups()
