"""A profile as a person edits it: patterns, boxes before tools, and what is said otherwise of one."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, NamedTuple

from console.language import tr
from console.widgets import Cell, Column, TableModel, format_count

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

HINTS: Final = {
    "readOnlyHint": tr("Only reads"),
    "destructiveHint": tr("May destroy"),
    "idempotentHint": tr("Again changes nothing more"),
    "openWorldHint": tr("Reaches outside"),
}
"""What a profile may say of a tool's risk, with words for people."""


class ToolWords(NamedTuple):
    """What a profile says otherwise of one tool.

    Attributes:
        name: What agents call it; empty for its own name.
        description: What it does; empty for its own description.
        hints: What agents are told of its risk, by the names of `HINTS`.
    """

    name: str = ""
    description: str = ""
    hints: tuple[tuple[str, bool], ...] = ()


class ProfileDraft(NamedTuple):
    """A profile while it is edited.

    Attributes:
        tools: Patterns of what agents see.
        without: Patterns of what they do not see all the same.
        prefixes: What names begin with, by the server or toolkit.
        words: What is said otherwise, by the tool.
        is_new: Whether it is kept for the first time.
    """

    name: str = ""
    tools: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, ToolWords], ...] = ()
    is_new: bool = False

    def words_of(self, tool: str) -> ToolWords:
        return dict(self.words).get(tool, ToolWords())

    def with_words(self, tool: str, words: ToolWords) -> ProfileDraft:
        """Return it with something else said of a tool."""
        others = {known: said for known, said in self.words if known != tool}
        return self._replace(words=tuple(sorted((others | ({tool: words} if any(words) else {})).items())))

    def with_tool(self, tool: str, known: Iterable[str], *, is_seen: bool) -> ProfileDraft:
        """Return it with one tool shown, or not; patterns that fit others too stay as long as they can.

        Args:
            known: All tools, into which a pattern that leaves this one out comes apart.
            is_seen: Whether agents shall see it.
        """
        if not is_seen:
            tools = tuple(pattern for pattern in self.tools if pattern != tool)
            without = (*self.without, tool) if fits(tool, tools) and not fits(tool, self.without) else self.without
            return self._replace(tools=tools, without=without)
        kept = [pattern for pattern in self.without if not fnmatchcase(tool, pattern)]
        apart = [pattern for pattern in self.without if fnmatchcase(tool, pattern) and pattern != tool]
        kept += [name for name in known if name != tool and fits(name, tuple(apart)) and fits(name, self.tools)]
        tools = self.tools if fits(tool, self.tools) else (*self.tools, tool)
        return self._replace(tools=tools, without=tuple(dict.fromkeys(kept)))


def fits(name: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a name is one of some patterns, or fits one."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


class ShownTool(NamedTuple):
    """One tool, as a draft would show it.

    Attributes:
        is_seen: Whether agents would see it.
        served_name: What they would call it.
        tokens: About how many tokens its definition would have.
        definition: What they would be told, as JSON.
        changed: What is said otherwise.
    """

    tool: str
    source: str
    description: str
    is_seen: bool
    served_name: str
    tokens: int
    definition: str
    changed: tuple[str, ...] = ()


class ProfilePreview(NamedTuple):
    """What a draft comes to.

    Attributes:
        problem: Why it cannot be kept; empty when it can.
    """

    tools: tuple[ShownTool, ...] = ()
    problem: str = ""

    @property
    def words(self) -> str:
        """How many tools agents would see, at what cost."""
        seen = [tool for tool in self.tools if tool.is_seen]
        tokens = sum(tool.tokens for tool in seen)
        return tr(
            "{seen} of {tools} tools, about {tokens} tokens",
            seen=len(seen),
            tools=format_count(len(self.tools)),
            tokens=format_count(tokens),
        )


_COLUMNS: Final = (
    Column(tr("Tool"), least=180, is_checkable=True, sort=lambda row: row.tool),
    Column(tr("Agents call it"), 150, priority=1),
    Column(tr("From"), 110, priority=2, sort=lambda row: (row.source, row.tool)),
    Column(tr("Tokens"), 64, is_number=True, sort=lambda row: row.tokens, descends=True),
)


class ShownToolModel(TableModel[ShownTool]):
    """List tools with a box before each that agents see."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, _cells, _key, parent)


def _key(row: ShownTool) -> str:
    return row.tool


def _cells(row: ShownTool) -> tuple[Cell, ...]:
    ours = tr("Ours: {changed}", changed=", ".join(row.changed)) if row.changed else ""
    return (
        Cell(row.tool, "text" if row.is_seen else "text3", is_checked=row.is_seen, tip=row.description),
        Cell(row.served_name if row.is_seen else "", "accent" if row.changed else "text2", tip=ours),
        Cell(row.source, "text3"),
        Cell(format_count(row.tokens), "text2" if row.is_seen else "text3"),
    )
