"""The servers behind the Servers page: asked on the engine's thread, told in the words and values that it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from types import MappingProxyType
from typing import Final, NamedTuple

from console.app.server_offers import (
    change_row,
    content_of,
    finding_row,
    offered_tool,
    parts_of,
    prompt_row,
    resource_row,
    template_row,
)
from console.app.server_pictures import OfferedIcons, Pictures, ServerPictures, icons_of_offers
from console.app.server_rows import Standing, head_of, log_row, server_row
from console.assets import Picture
from console.engine import Engine
from console.servers.ports import Listing, Reading
from console.servers.rows import (
    ChangeRow,
    Detail,
    HalfWritten,
    Head,
    LogRow,
    OfferedTool,
    PromptRow,
    ResourceRow,
    Summary,
)
from console.tasks import Compute
from console.widgets import format_duration_ms
from tools.errors import ServerConfigError, ToolError
from tools.mcp.config import ServerConfig
from tools.mcp.differences import differences
from tools.mcp.events import PromptsChanged, ResourcesChanged, ResourceUpdated, ServerEvent, ServerRemoved
from tools.mcp.offered import RemotePrompt, Resource, ResourceTemplate
from tools.mcp.pins import Judgement, Verdict
from tools.mcp.poisoning import suspicions
from tools.mcp.remote_tool import RemoteTool
from tools.mcp.server import address_of
from tools.mcp.servers import Servers
from tools.mcp.state import ServerState, ServerStatus
from tools.mcp.store import ServerStore
from tools.mcp.wire_log import LogLine
from tools.registry import ToolRegistry
from tools.tool import SourceKind

__all__ = ["EngineServers"]

_MOST_LINES: Final = 5_000
_MOST_JUDGED: Final = 400
"""Definitions that are looked at for tricks at a time: a millisecond each, and a server may have thousands."""


class _Seen(NamedTuple):
    """What is known of one server at one moment, on the engine's thread."""

    state: ServerState
    judgements: tuple[Judgement, ...]
    names: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]
    """What the tools of other servers are called, by server: a definition that speaks of them is suspicious."""


class _Offers(NamedTuple):
    """What a connected server offers besides tools."""

    resources: tuple[ResourceRow, ...] = ()
    prompts: tuple[PromptRow, ...] = ()
    templates: Mapping[str, ResourceTemplate] = MappingProxyType({})
    icons: OfferedIcons = MappingProxyType({})


class EngineServers:
    """Be the port to running servers, and to what they offer.

    Args:
        servers: They; from the engine's thread.
        store: What the disk knows of them.
        registry: Has their tools.
        engine: Runs them.
        compute: Runs what waits for a disk, or takes more than a frame.
        again: Is called from any thread when there is more to show.
        tell: Takes a sentence for the person, from any thread.
    """

    def __init__(
        self,
        servers: Servers,
        store: ServerStore,
        registry: ToolRegistry,
        *,
        engine: Engine,
        compute: Compute,
        again: Callable[[], None],
        tell: Callable[[str], None],
    ) -> None:
        self._servers = servers
        self._store = store
        self._registry = registry
        self._engine = engine
        self._compute = compute
        self._again = again
        self._tell = tell
        self._pictures = ServerPictures(servers, again)
        self._offers: dict[str, tuple[datetime, _Offers]] = {}
        self._fetching: dict[str, asyncio.Task[None]] = {}
        self._shown: dict[str, tuple[Judgement, ...]] = {}
        # Until the connection ends that was asked for it, which began then.
        self._followed: dict[tuple[str, str], datetime] = {}
        self._tool_rows: dict[tuple[str, str], tuple[tuple[object, ...], OfferedTool]] = {}
        self._change_rows: dict[tuple[str, str], tuple[Judgement, ChangeRow]] = {}

    # How they stand

    async def listing(self) -> Listing:
        """Return how all servers stand."""
        seen = await self._engine.call(self._all_seen)
        listing: Listing = await self._compute(self._listed, seen)
        return listing

    def _listed(self, seen: Mapping[str, _Seen]) -> Listing:
        rows = []
        allowed, now = self._store.may_start(), datetime.now(UTC)
        wanted = {config.name for config in self._store.wanted if config.enabled}
        for config in self._store.configs:
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
        summary = Summary(len(rows), connected, sum(row.tools for row in rows))
        store = self._store
        profile = "" if store.profile is None else store.profile.name
        return Listing(tuple(rows), summary, store.problem, tuple(known.name for known in store.profiles), profile)

    async def detail(self, name: str, /) -> Detail:
        """Return all that is shown of a server but its log and settings."""
        seen = await self._engine.call(self._seen, name)
        if seen is None:
            return Detail(Head(name))
        detail: Detail = await self._compute(self._detailed, name, seen)
        offers = await self._engine.call(self._offered, name)
        since, icons = seen.state.since, offers.icons
        resources = tuple(
            row._replace(
                is_followed=self._followed.get((name, row.uri)) == since,
                picture=self._pictures.of_resource(name, row.uri, icons),
            )
            for row in offers.resources
        )
        prompts = tuple(row._replace(picture=self._pictures.of_prompt(name, row.name, icons)) for row in offers.prompts)
        self._shown[name] = seen.judgements
        return detail._replace(
            resources=resources,
            prompts=prompts,
            can_follow=seen.state.offers.subscriptions,
            can_complete=seen.state.offers.completions,
        )

    def _detailed(self, name: str, seen: _Seen) -> Detail:
        config = self._store.find(name)
        allowed = self._store.consents.may_start(config)
        wanted = {known.name for known in self._store.wanted if known.enabled}
        standing = _standing(config, seen.judgements, datetime.now(UTC), wanted, may_start=allowed)
        disabled = set(config.disabled_tools)
        tools = tuple(self._tool_rows_of(name, seen, disabled))
        changes = tuple(self._change_row(name, judgement) for judgement in seen.judgements if judgement.is_suspended)
        if any(row.picture for row in tools):
            tools = tuple(row._replace(icon="wrench") for row in tools)
        head = head_of(seen.state, standing)._replace(picture=self._pictures.of_server(seen.state))
        return Detail(head, changes, tools)

    async def pictures(self) -> Pictures:
        """Return the icons that are there."""
        seen = await self._engine.call(self._all_seen)
        pictures: Pictures = await self._compute(self._pictured, seen)
        return pictures

    def _pictured(self, seen: Mapping[str, _Seen]) -> Pictures:
        known, tools = self._pictures, dict[str, Picture]()
        servers = {name: picture for name, one in seen.items() if (picture := known.of_server(one.state))}
        for name, one in seen.items():
            tools |= known.of_tools(name, one.judgements, one.names)
        return Pictures(servers, tools)

    def _tool_rows_of(self, server: str, seen: _Seen, disabled: Collection[str]) -> Iterator[OfferedTool]:
        """Give the rows of a server's tools; of very many, some are looked at for tricks with each look."""
        left = _MOST_JUDGED
        for judgement in seen.judgements:
            name = judgement.definition.name
            is_on, full_name = name not in disabled, seen.names.get(name, "")
            picture = self._pictures.of_tool(server, judgement)
            made_of = (judgement, full_name, is_on, seen.others)
            known = self._tool_rows.get((server, name))
            if known is not None and known[0] == made_of:
                yield known[1]._replace(picture=picture)
            elif left:
                left -= 1
                findings = suspicions(judgement.definition, seen.others)
                row = offered_tool(judgement, full_name, map(finding_row, findings), is_on=is_on)
                self._tool_rows[server, name] = made_of, row
                yield row._replace(picture=picture)
            else:
                yield offered_tool(judgement, full_name, (), is_on=is_on)._replace(picture=picture)
        if not left:
            self._again()

    def _change_row(self, server: str, judgement: Judgement) -> ChangeRow:
        name = judgement.definition.name
        known = self._change_rows.get((server, name))
        if known is not None and known[0] == judgement:
            return known[1]
        found = () if judgement.approved is None else differences(judgement.approved, judgement.definition)
        row = change_row(judgement, *parts_of(found))
        self._change_rows[server, name] = judgement, row
        return row

    async def log(self, name: str, /, after: int) -> Sequence[LogRow]:
        """Return the lines after a number, the oldest first."""
        lines = await self._engine.call(self._lines, name, after)
        rows: Sequence[LogRow] = await self._compute(_log_rows, lines)
        return rows

    async def troubles(self) -> Mapping[str, str]:
        """Return why servers are not connected that should be, by name."""
        seen = await self._engine.call(self._all_seen)
        return {
            name: str(known.state.fault)
            for name, known in seen.items()
            if known.state.fault is not None and known.state.status is not ServerStatus.CONNECTED
        }

    async def known(self) -> frozenset[str]:
        """Return the servers whose tools are known, connected or not; on the engine's thread."""
        return frozenset(state.name for state in self._servers.states if self._servers.judgements(state.name))

    async def waiting(self) -> int:
        """Return how many definitions are not what was approved, and not decided about."""
        seen = await self._engine.call(self._all_seen)
        judgements = (judgement for known in seen.values() for judgement in known.judgements)
        return sum(judgement.verdict is Verdict.CHANGED for judgement in judgements)

    async def _all_seen(self) -> dict[str, _Seen]:
        names: dict[str, dict[str, str]] = {}
        for tool in self._registry:
            if tool.source.kind is SourceKind.SERVER and isinstance(tool.origin, RemoteTool):
                names.setdefault(tool.source.name, {})[tool.origin.definition.name] = tool.name
        called = {server: tuple(own) for server, own in names.items()}
        for state in self._servers.states:
            offers = self._offers.get(state.name)
            self._pictures.want(
                state, self._servers.judgements(state.name), offers[1].icons if offers is not None else {}
            )
        return {
            state.name: _Seen(
                state,
                self._servers.judgements(state.name),
                names.get(state.name, {}),
                {server: own for server, own in called.items() if server != state.name},
            )
            for state in self._servers.states
        }

    async def _seen(self, name: str) -> _Seen | None:
        return (await self._all_seen()).get(name)

    async def _lines(self, name: str, after: int) -> tuple[LogLine, ...]:
        known = {state.name for state in self._servers.states}
        return self._servers.log(name).lines(after, _MOST_LINES) if name in known else ()

    # What is done with them

    async def connect(self, name: str, /) -> None:
        """Start a server."""
        await self._engine.call(self._servers.start, name)

    async def disconnect(self, name: str, /) -> None:
        """End a server."""
        await self._engine.call(self._servers.stop, name)

    async def restart(self, name: str, /) -> None:
        """End a server and start it again."""
        await self._engine.call(self._servers.restart, name)

    async def ping(self, name: str, /) -> str:
        """Ask a server whether it is there."""
        elapsed_s = await self._engine.call(self._servers.ping, name)
        return f"{name} answered in {format_duration_ms(elapsed_s * 1_000)}"

    async def sign_in(self, name: str, /) -> None:
        """Let the person sign in at a server, in their browser, and start it."""
        sign_in_at = await self._compute(_imported_sign_in)
        await self._engine.call(sign_in_at, name, self._servers, self._store)

    # What they offer

    async def approve(self, name: str, tools: Collection[str], /) -> None:
        """Let tools run as they were shown last; one that its server changed since stays paused."""
        await self._compute(self._store.approve, name, self._shown.get(name, ()), tools)
        await self._engine.call(self._servers.look_again, name)

    async def block(self, name: str, tool: str, /) -> None:
        """Keep a tool from running."""
        seen = await self._engine.call(self._seen, name)
        if seen is not None:
            await self._compute(self._store.block, name, seen.judgements, tool)
            await self._engine.call(self._servers.look_again, name)

    async def switch(self, name: str, tool: str, /, *, is_on: bool) -> None:
        """Let a tool be called, or not."""
        await self._compute(self._store.switch_tool, name, tool, is_on)
        await self.apply()
        self._again()

    async def apply(self) -> None:
        """Let the servers be as the disk says."""
        await self._engine.call(self._servers.apply, self._store.wanted)

    async def read(self, name: str, uri: str, values: Mapping[str, str], /) -> Reading:
        """Read a resource; of a template the one with these values in it."""
        known = self._offers.get(name)
        template = known[1].templates.get(uri) if known is not None else None
        if template is not None:
            try:
                uri = template.filled(values)
            except ValueError as error:
                raise ServerConfigError(f"{uri} cannot be filled in: {error}") from error
        began = perf_counter()
        contents = await self._engine.call(self._servers.read_resource, name, uri)
        elapsed = format_duration_ms((perf_counter() - began) * 1_000)
        return content_of(contents, uri, elapsed)

    async def follow(self, name: str, uri: str, /, *, follows: bool) -> None:
        """Be told when a resource changes, or no longer."""
        if follows:
            self._followed[name, uri] = await self._engine.call(self._subscribed, name, uri)
        else:
            await self._engine.call(self._servers.unsubscribe, name, uri)
            self._followed.pop((name, uri), None)

    async def complete(self, name: str, half: HalfWritten, /) -> Sequence[str]:
        """Return what a half-written argument of a prompt or a template may become."""
        where = {"prompt" if half.is_prompt else "uri_template": half.of}
        complete = partial(
            self._servers.complete, name, argument=half.argument, value=half.written, others=half.others, **where
        )
        found = await self._engine.call(complete)
        return found.values

    async def prompt(self, name: str, prompt: str, arguments: Mapping[str, str], /) -> str:
        """Return the text of a prompt."""
        found = await self._engine.call(self._servers.get_prompt, name, prompt, arguments)
        return found.text

    # On the engine's thread

    def take(self, event: ServerEvent) -> None:
        """Follow what happens to servers; it must be quick."""
        if isinstance(event, ResourceUpdated):
            self._tell(f"{event.uri} of {event.name} changed")
        if isinstance(event, ResourcesChanged | PromptsChanged | ServerRemoved):
            self._offers.pop(event.name, None)
        if isinstance(event, ServerRemoved):
            self._shown.pop(event.name, None)
            self._pictures.forget(event.name)
        self._again()

    async def aclose(self) -> None:
        """End what is under way."""
        await self._pictures.aclose()

    async def _subscribed(self, name: str, uri: str) -> datetime:
        """Ask to be told when a resource changes; return since when the connection stands that tells it."""
        await self._servers.subscribe(name, uri)
        return self._servers.state(name).since

    async def _offered(self, name: str) -> _Offers:
        """Return what is known of a server's resources and prompts, and ask for it if it is not known yet."""
        state = self._servers.state(name)
        known = self._offers.get(name)
        if state.status is not ServerStatus.CONNECTED:
            return _Offers()
        wanted = state.offers.resources or state.offers.prompts
        if wanted and (known is None or known[0] != state.since) and name not in self._fetching:
            task = asyncio.get_running_loop().create_task(self._fetch(name, state), name=f"offers of {name}")
            self._fetching[name] = task
        return known[1] if known is not None else _Offers()

    async def _fetch(self, name: str, state: ServerState) -> None:
        resources: tuple[Resource, ...] = ()
        templates: tuple[ResourceTemplate, ...] = ()
        prompts: tuple[RemotePrompt, ...] = ()
        try:
            if state.offers.resources:
                resources = await self._servers.resources(name)
                templates = await self._servers.resource_templates(name)
            if state.offers.prompts:
                prompts = await self._servers.prompts(name)
        except ToolError as error:
            self._tell(f"{name} did not say what else it offers: {error}")
        finally:
            self._offers[name] = (
                state.since,
                _Offers(
                    (*map(resource_row, resources), *map(template_row, templates)),
                    tuple(map(prompt_row, prompts)),
                    {template.uri_template: template for template in templates},
                    icons_of_offers(resources, templates, prompts),
                ),
            )
            self._fetching.pop(name, None)
            self._again()


def _standing(
    config: ServerConfig, judgements: Sequence[Judgement], now: datetime, wanted: Collection[str], *, may_start: bool
) -> Standing:
    changed = sum(judgement.verdict is Verdict.CHANGED for judgement in judgements)
    return Standing(changed, may_start, config.enabled, config.name in wanted, now)


def _off(config: ServerConfig, now: datetime) -> ServerState:
    return ServerState(name=config.name, transport=config.transport, address=address_of(config), since=now)


def _imported_sign_in() -> Callable[..., Awaitable[None]]:
    from tools.mcp.sign_in import sign_in_at  # noqa: PLC0415 -- it brings the SDK, which few need before a server runs

    return sign_in_at


def _log_rows(lines: Sequence[LogLine]) -> list[LogRow]:
    return [log_row(line) for line in lines]
