"""Answer what is typed into the palette: the newest text only, and nothing on the window's thread that takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtCore import QObject, SignalInstance, Slot

from console.call_storage import CallStorage
from console.language import tr, tr_count
from console.palette.rows import (
    PaletteGroup,
    PaletteRow,
    Query,
    RowKind,
    call_row,
    nothing_rows,
    query_of,
    rows_of,
    server_row,
)
from console.tasks import TaskScope
from console.tool_finder import NamedThing, ToolFinder
from tools.calls import PROBE_CALLER
from tools.errors import HistoryError

_MOST: Final = {
    RowKind.TOOL: 8,
    RowKind.COMMAND: 5,
    RowKind.CALL: 4,
    RowKind.SETTING: 4,
    RowKind.SERVER: 3,
    RowKind.PROMPT: 4,
}
"""How many of each kind are listed beside the others."""

_MOST_ALONE: Final = 50
"""How many are listed of what is looked for alone."""

_MOST_RECENT: Final = 6
_KEPT_CALLS: Final = 200
"""How many of the newest calls are looked through for a tool's name or arguments."""

_PATIENCE_S: Final = 0.15
"""How long tools are waited for until the rest is shown without them."""


class PaletteViewPort(Protocol):
    """What the presenter needs of `PaletteView`."""

    typed: SignalInstance
    closed: SignalInstance

    @property
    def text(self) -> str:
        """What stands in the line."""

    def show_rows(self, rows: Sequence[PaletteRow], count: str) -> None:
        """List what was found."""


@dataclass(frozen=True)
class PalettePorts:
    """What the palette needs of the rest of the program.

    Attributes:
        finder: Finds tools and what else has a name.
        tool: Gives the row of a tool; None when it is gone.
        commands: Gives what can be done now, settings among them.
        servers: Gives the names of the MCP servers.
        records: Have the calls of the past.
        picks: Gives what was chosen last, newest first.
    """

    finder: ToolFinder
    tool: Callable[[str], PaletteRow | None]
    commands: Callable[[], Sequence[PaletteRow]]
    servers: Callable[[], Sequence[str]]
    prompts: Callable[[], Sequence[PaletteRow]]
    records: CallStorage
    picks: Callable[[], Sequence[str]]


class PalettePresenter(QObject):
    """Fill the palette.

    Args:
        ports: Where rows come from.
    """

    def __init__(
        self, view: PaletteViewPort, ports: PalettePorts, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._ports = ports
        self._commands: tuple[PaletteRow, ...] = ()
        self._calls: asyncio.Task[list[PaletteRow]] | None = None
        self._number = 0
        self._answered = 0
        self._task: asyncio.Task[None] | None = None
        self._is_open = False
        self._scope = scope
        view.typed.connect(self._on_view_typed)
        view.closed.connect(self._on_view_closed)

    def open(self) -> None:
        """Look at what there is now, and answer what stands in the line."""
        self._is_open = True
        self._commands = tuple(self._ports.commands())
        self._calls = self._scope.start(self._recent_calls(), "look up recent calls")
        self._ask()

    @Slot()
    def _on_view_typed(self) -> None:
        if self._is_open:
            self._ask()

    @Slot()
    def _on_view_closed(self) -> None:
        self._is_open = False
        self._number += 1
        for task in filter(None, (self._task, self._calls)):
            task.cancel()
        self._task = None

    def _ask(self) -> None:
        self._number += 1
        if self._task is None:
            self._task = self._scope.start(self._answer(), "search for the palette")

    async def _answer(self) -> None:
        """Answer the newest text until no newer one came meanwhile."""
        while self._answered != self._number:
            self._answered = number = self._number
            await self._answer_once(query_of(self._view.text), number)
        self._task = None

    async def _answer_once(self, query: Query, number: int) -> None:
        if query.kind or not query.text:
            self._show(query, await self._without_tools(query), number)
            return
        tools = asyncio.ensure_future(self._tools(query))
        try:
            others = await self._without_tools(query)
            done, _ = await asyncio.wait([tools], timeout=_PATIENCE_S)
            if not done:
                self._show(query, others, number, is_looking=True)
            found = await tools
        finally:
            tools.cancel()
        groups = [PaletteGroup(tr("Tools"), found), *others]
        # Tools that were found by other words or in spite of typing errors stand behind what has the very words.
        if not any(row.spans for row in found) and any(row.spans for _, rows in others for row in rows):
            groups = [*groups[1:], groups[0]]
        if not any(rows for _, rows in groups):
            near = self._ports.tool(await self._ports.finder.nearest(query.text))
            groups = [PaletteGroup(tr("The nearest name"), [near] if near is not None else [])]
            self._show(query, groups, number, is_nothing=True)
        else:
            self._show(query, groups, number)

    async def _without_tools(self, query: Query) -> list[PaletteGroup]:
        match query.kind:
            case ">":
                found = await self._ranked(query, self._commands, _MOST_ALONE)
                return list(_apart(found))
            case "@":
                servers = [server_row(name) for name in self._ports.servers()]
                return [PaletteGroup(tr("Servers"), await self._ranked(query, servers, _MOST_ALONE))]
            case "#":
                return [PaletteGroup(tr("Calls"), await self._past_calls(query))]
        if not query.text:
            recent = self._recent()
            listed = {row.pick for row in recent}
            rest = [row for row in self._commands if row.pick not in listed and row.kind is RowKind.COMMAND]
            calls = (await self._known_calls())[: _MOST[RowKind.CALL]]
            return [
                PaletteGroup(tr("Recently used"), recent),
                PaletteGroup(tr("Recent calls"), calls),
                PaletteGroup(tr("Commands"), rest),
            ]
        found = await self._ranked(query, self._commands, _MOST_ALONE)
        commands, settings = _apart(found)
        calls = [row.marked(query.words) for row in await self._known_calls() if row.contains(query.words)]
        servers = await self._ranked(query, [server_row(name) for name in self._ports.servers()], _MOST[RowKind.SERVER])
        prompts = await self._ranked(query, self._ports.prompts(), _MOST[RowKind.PROMPT])
        return [
            PaletteGroup(commands.title, commands.rows[: _MOST[RowKind.COMMAND]]),
            PaletteGroup(tr("Prompts"), prompts),
            PaletteGroup(tr("Recent calls"), calls[: _MOST[RowKind.CALL]]),
            PaletteGroup(tr("Servers"), servers),
            PaletteGroup(settings.title, settings.rows[: _MOST[RowKind.SETTING]]),
        ]

    async def _tools(self, query: Query) -> list[PaletteRow]:
        names = await self._ports.finder.find(query.text, _MOST_ALONE)
        used = {row.text for row in await self._known_calls()}
        rows = [row.marked(query.words) for row in map(self._ports.tool, names) if row is not None]
        # Of those that have the very words, what was used lately comes first; the sort keeps the order of the rest.
        rows.sort(key=lambda row: not (row.spans and row.key in used))
        return rows[: _MOST[RowKind.TOOL]]

    async def _ranked(self, query: Query, rows: Sequence[PaletteRow], limit: int) -> list[PaletteRow]:
        if not query.text:
            return list(rows)
        things = [NamedThing(row.text, (row.detail, *row.words)) for row in rows]
        found = await self._ports.finder.rank(things, query.text, limit)
        return [rows[place].marked(query.words) for place in found]

    def _recent(self) -> list[PaletteRow]:
        """Return what was chosen last, as far as it is still there."""
        commands = {row.pick: row for row in (*self._commands, *self._ports.prompts())}
        found = []
        for pick in self._ports.picks():
            kind, _, key = pick.partition(":")
            row = self._ports.tool(key) if kind == RowKind.TOOL.value else commands.get(pick)
            found += [row] if row is not None else []
        return found[:_MOST_RECENT]

    async def _known_calls(self) -> list[PaletteRow]:
        return [] if self._calls is None else await asyncio.shield(self._calls)

    async def _recent_calls(self) -> list[PaletteRow]:
        return await self._searched("", _KEPT_CALLS) if self._ports.records.is_open else []

    async def _past_calls(self, query: Query) -> list[PaletteRow]:
        found = await self._searched(query.text, _MOST_ALONE) if self._ports.records.is_open else []
        return [row.marked(query.words) for row in found]

    async def _searched(self, text: str, limit: int) -> list[PaletteRow]:
        from tools.history import HistoryQuery  # noqa: PLC0415 -- the window is shown without a database

        # To look at a tool is no use of it.
        query = HistoryQuery(text=text, limit=limit, without_callers=(PROBE_CALLER,))
        try:
            page = await self._ports.records.search(query)
        except HistoryError as error:
            return [PaletteRow(RowKind.FACT, "history", tr("Calls cannot be looked up: {error}", error=error))]
        return [call_row(row) for row in page.rows]

    def _show(
        self,
        query: Query,
        groups: Iterable[PaletteGroup],
        number: int,
        *,
        is_looking: bool = False,
        is_nothing: bool = False,
    ) -> None:
        """List an answer, unless something else was typed meanwhile."""
        if number != self._number or not self._is_open:
            return
        rows = rows_of(groups)
        count = sum(row.is_choice for row in rows)
        if is_looking:
            words = tr("Looking through the tools…")
        elif is_nothing:
            words = tr("0 results")
        else:
            words = tr_count(count, "1 result", "{count:,} results") if query.text or query.kind else ""
        if (not count and not is_looking) or is_nothing:
            rows = [*nothing_rows(query), *rows]
        self._view.show_rows(rows, words)


def _apart(rows: Iterable[PaletteRow]) -> tuple[PaletteGroup, PaletteGroup]:
    """Return commands and settings, each below their heading."""
    listed = list(rows)
    return (
        PaletteGroup(tr("Commands"), [row for row in listed if row.kind is RowKind.COMMAND]),
        PaletteGroup(tr("Settings"), [row for row in listed if row.kind is RowKind.SETTING]),
    )
