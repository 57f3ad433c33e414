"""What is known of servers at one moment, and the rows of the Servers page that are made of it, in any thread."""

from __future__ import annotations

from asyncio import Task
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from console.assets import Picture
from console.prompts.rows import PromptRow
from console.servers.offer_rows import change_row, finding_row, offered_tool, parts_of
from console.servers.pictures import OfferedIcons, Pictures, ServerPictures
from console.servers.ports import ServersSnapshot
from console.servers.rows import DefinitionChangeRow, OfferedTool, ResourceRow, ServerCounts, ServerDetail
from console.servers.state_rows import ServerRowContext, head_of, server_row
from tools.mcp.config import ServerConfig
from tools.mcp.differences import differences
from tools.mcp.offered import ResourceTemplate
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.poisoning import suspicions
from tools.mcp.secrets import address_of
from tools.mcp.state import ServerState, ServerStatus
from tools.mcp.store import ServerStore

_MOST_JUDGED: Final = 400
"""Definitions that are looked at for tricks at a time: a millisecond each, and a server may have thousands."""


class ServerOfferings(NamedTuple):
    """What a connected server offers besides tools.

    Attributes:
        resources: What it lets one read.
        prompts: The texts it makes.
        templates: Templates of resources by what they are written as.
        icons: What resources and prompts name for themselves.
    """

    resources: tuple[ResourceRow, ...] = ()
    prompts: tuple[PromptRow, ...] = ()
    templates: Mapping[str, ResourceTemplate] = MappingProxyType({})
    icons: OfferedIcons = MappingProxyType({})


@dataclass(eq=False)
class CachedServer:
    """Be what is kept of one server as long as it is there; each part is written by one thread only.

    Attributes:
        offers: What it offers, and since when the connection stands that told it; by the engine's thread.
        fetching: Asks for that; by the engine's thread.
        is_stale: Whether the server announced since it was asked that it offers something else; by the engine's thread.
        followed: Which resources are followed, until the connection ends that was asked for it, which began then; by
            the window's thread.
        tool_rows: The rows of its tools, and what they were made of; by whoever makes rows, one at a time.
        change_rows: As above, of those that changed.
    """

    offers: tuple[datetime, ServerOfferings] | None = None
    fetching: Task[None] | None = None
    is_stale: bool = False
    followed: dict[str, datetime] = field(default_factory=dict)
    tool_rows: dict[str, tuple[tuple[object, ...], OfferedTool]] = field(default_factory=dict)
    change_rows: dict[str, tuple[DefinitionJudgement, DefinitionChangeRow]] = field(default_factory=dict)


class ServerSnapshot(NamedTuple):
    """What is known of one server at one moment.

    Attributes:
        state: How it stands.
        judgements: Its tools, and how each stands to what was approved.
        names: What they are called here, by its own names.
        others: What the tools of other servers are called, by server: a definition that speaks of them is suspicious.
        kept: What is kept of it.
    """

    state: ServerState
    judgements: tuple[DefinitionJudgement, ...]
    names: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]
    kept: CachedServer


class ServersNews(NamedTuple):
    """What the rest of the window shows of servers.

    Attributes:
        troubles: Why servers are not connected that should be, by name.
        waiting: How many definitions are not what was approved, and not decided about.
        pictures: The icons that are there.
    """

    troubles: Mapping[str, str]
    waiting: int
    pictures: Pictures


class ServerRowFactory:
    """Make rows of what is known of servers. It waits for a disk, so it belongs into a thread of its own.

    Args:
        store: What the disk knows of them.
        pictures: Has their icons.
        again: Is called when there is more to show.
    """

    def __init__(self, store: ServerStore, pictures: ServerPictures, again: Callable[[], None]) -> None:
        self._store = store
        self._pictures = pictures
        self._again = again

    def listing(self, seen: Mapping[str, ServerSnapshot]) -> ServersSnapshot:
        """Return how all servers stand."""
        rows, store = [], self._store
        allowed, now = store.may_start(), datetime.now(UTC)
        wanted = {config.name for config in store.wanted if config.enabled}
        for config in store.configs:
            known = seen.get(config.name)
            state = known.state if known is not None else _off(config, now)
            judgements = known.judgements if known is not None else ()
            standing = _standing(config, judgements, now, wanted, may_start=allowed[config.name])
            row = server_row(state.model_copy(update={"tool_count": len(judgements)}), standing)
            rows.append(row._replace(picture=self._pictures.of_server(state)))
        # One that has no icon of its own stands in line with those that have.
        if any(row.picture for row in rows):
            rows = [row._replace(icon="server") for row in rows]
        connected = sum(known.state.status is ServerStatus.CONNECTED for known in seen.values())
        summary = ServerCounts(len(rows), connected, sum(row.tools for row in rows))
        profile = "" if store.profile is None else store.profile.name
        return ServersSnapshot(
            tuple(rows), summary, store.problem, tuple(known.name for known in store.profiles), profile
        )

    def detail(self, name: str, seen: ServerSnapshot) -> ServerDetail:
        """Return what is shown of a server without what it offers besides tools."""
        config = self._store.find(name)
        allowed = self._store.consents.may_start(config)
        wanted = {known.name for known in self._store.wanted if known.enabled}
        standing = _standing(config, seen.judgements, datetime.now(UTC), wanted, may_start=allowed)
        tools = tuple(self._tools(name, seen, set(config.disabled_tools)))
        changes = tuple(
            _change(judgement, seen.kept)._replace(picture=self._pictures.of_tool(name, judgement))
            for judgement in seen.judgements
            if judgement.is_suspended
        )
        if any(row.picture for row in tools):
            tools = tuple(row._replace(icon="wrench") for row in tools)
        head = head_of(seen.state, standing)._replace(picture=self._pictures.of_server(seen.state))
        return ServerDetail(head, changes, tools)

    def with_offers(self, detail: ServerDetail, seen: ServerSnapshot, offers: ServerOfferings) -> ServerDetail:
        """Return what is shown of a server with all that it offers."""
        state, kept, pictures = seen.state, seen.kept, self._pictures
        resources = tuple(
            row._replace(
                is_followed=kept.followed.get(row.uri) == state.since,
                picture=pictures.of_resource(state.name, row.uri, offers.icons),
            )
            for row in offers.resources
        )
        prompts = tuple(
            row._replace(picture=pictures.of_prompt(state.name, row.label, offers.icons)) for row in offers.prompts
        )
        return detail._replace(
            resources=resources,
            prompts=prompts,
            can_follow=state.offers.subscriptions,
            can_complete=state.offers.completions,
        )

    def news(self, seen: Mapping[str, ServerSnapshot]) -> ServersNews:
        """Return what the rest of the window shows of servers."""
        known, tools = self._pictures, dict[str, Picture]()
        servers = {name: picture for name, one in seen.items() if (picture := known.of_server(one.state))}
        for name, one in seen.items():
            tools |= known.of_tools(name, one.judgements, one.names)
        troubles = {
            name: str(one.state.fault)
            for name, one in seen.items()
            if one.state.fault is not None and one.state.status is not ServerStatus.CONNECTED
        }
        judgements = (judgement for one in seen.values() for judgement in one.judgements)
        waiting = sum(judgement.verdict is PinVerdict.CHANGED for judgement in judgements)
        return ServersNews(troubles, waiting, Pictures(servers, tools))

    def _tools(self, server: str, seen: ServerSnapshot, disabled: Collection[str]) -> Iterator[OfferedTool]:
        """Give the rows of a server's tools; of very many, some are looked at for tricks with each look."""
        left, kept = _MOST_JUDGED, seen.kept.tool_rows
        for judgement in seen.judgements:
            name = judgement.definition.name
            is_on, full_name = name not in disabled, seen.names.get(name, "")
            picture = self._pictures.of_tool(server, judgement)
            made_of = (judgement, full_name, is_on, seen.others)
            known = kept.get(name)
            if known is not None and known[0] == made_of:
                yield known[1]._replace(picture=picture)
            elif left:
                left -= 1
                findings = suspicions(judgement.definition, seen.others)
                row = offered_tool(judgement, full_name, map(finding_row, findings), is_on=is_on)
                kept[name] = made_of, row
                yield row._replace(picture=picture)
            else:
                row = offered_tool(judgement, full_name, (), is_on=is_on)
                yield row._replace(picture=picture, is_examined=False)
        if not left:
            self._again()


def _change(judgement: DefinitionJudgement, kept: CachedServer) -> DefinitionChangeRow:
    name = judgement.definition.name
    known = kept.change_rows.get(name)
    if known is not None and known[0] == judgement:
        return known[1]
    found = () if judgement.approved is None else differences(judgement.approved, judgement.definition)
    row = change_row(judgement, *parts_of(found))
    kept.change_rows[name] = judgement, row
    return row


def _standing(
    config: ServerConfig,
    judgements: Iterable[DefinitionJudgement],
    now: datetime,
    wanted: Collection[str],
    *,
    may_start: bool,
) -> ServerRowContext:
    changed = sum(judgement.verdict is PinVerdict.CHANGED for judgement in judgements)
    return ServerRowContext(changed, may_start, config.enabled, config.name in wanted, now)


def _off(config: ServerConfig, now: datetime) -> ServerState:
    return ServerState(name=config.name, transport=config.transport, address=address_of(config), since=now)
