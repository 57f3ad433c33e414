"""The servers behind the Servers page: asked on the engine's thread, told in the words and values that it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from time import perf_counter
from typing import Final

from console.engine import Engine
from console.language import tr
from console.prompts.rows import prompt_row
from console.servers.pictures import OfferedIcons, ServerPictures, icons_of_prompts, icons_of_resources
from console.servers.ports import ResourceReading, ServersSnapshot
from console.servers.rows import LogRow, ServerDetail, ServerHeader, TemplateArgumentDraft
from console.servers.snapshots import (
    CachedServer,
    ServerOfferings,
    ServerRowFactory,
    ServerSnapshot,
    ServersNews,
    content_of,
    log_row,
    resource_row,
    template_row,
)
from console.tasks import Compute
from console.widgets import format_duration_ms
from tools.card import SourceKind
from tools.errors import ServerConfigError, ToolError
from tools.mcp.message_log import MessageLogLine
from tools.mcp.prompt_sync import ServerPrompt
from tools.mcp.remote_tool import RemoteTool
from tools.mcp.server_primitives import Resource, ResourceTemplate
from tools.mcp.servers import Servers
from tools.mcp.state import ResourcesChanged, ResourceUpdated, ServerEvent, ServerRemoved, ServerState, ServerStatus
from tools.mcp.store import ServerStore
from tools.registry import ToolRegistry
from tools.tool import Prompt

_MOST_LINES: Final = 5_000


class EngineServers:
    """Be the `ServerPort` to running servers, and the `OfferPort` to what they offer.

    Args:
        servers: They; from the engine's thread.
        store: What the disk knows of them.
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
        self._rows = ServerRowFactory(store, self._pictures, again)
        self._kept: dict[str, CachedServer] = {}

    async def listing(self) -> ServersSnapshot:
        seen = await self._engine.call(self._all_seen)
        listing: ServersSnapshot = await self._compute(self._rows.listing, seen)
        return listing

    async def detail(self, name: str, /) -> ServerDetail:
        seen = await self._engine.call(self._seen, name)
        if seen is None:
            return ServerDetail(ServerHeader(name))
        detail: ServerDetail = await self._compute(self._rows.detail, name, seen)
        offers = await self._engine.call(self._offered, name)
        return self._rows.with_offers(detail, seen, offers)

    async def log(self, name: str, /, after: int) -> Sequence[LogRow]:
        lines = await self._engine.call(self._lines, name, after)
        rows: Sequence[LogRow] = await self._compute(_log_rows, lines)
        return rows

    async def news(self) -> ServersNews:
        seen = await self._engine.call(self._all_seen)
        news: ServersNews = await self._compute(self._rows.news, seen)
        return news

    async def known(self) -> frozenset[str]:
        """Return the servers whose tools are known, connected or not; on the engine's thread."""
        return frozenset(state.name for state in self._servers.states if self._servers.judgements(state.name))

    async def _all_seen(self) -> dict[str, ServerSnapshot]:
        names: dict[str, dict[str, str]] = {}
        for tool in self._registry:
            if tool.source.kind is SourceKind.SERVER and isinstance(tool.origin, RemoteTool):
                names.setdefault(tool.source.name, {})[tool.origin.definition.name] = tool.name
        called = {server: tuple(own) for server, own in names.items()}
        seen = {}
        for state in self._servers.states:
            name, kept = state.name, self._keep(state.name)
            judgements = self._servers.judgements(name)
            self._pictures.want(state, judgements, self._icons(name))
            others = {server: own for server, own in called.items() if server != name}
            seen[name] = ServerSnapshot(state, judgements, names.get(name, {}), others, kept)
        return seen

    def _keep(self, name: str) -> CachedServer:
        return self._kept.setdefault(name, CachedServer())

    async def _kept_of(self, name: str) -> CachedServer:
        return self._keep(name)

    async def _seen(self, name: str) -> ServerSnapshot | None:
        return (await self._all_seen()).get(name)

    async def _lines(self, name: str, after: int) -> tuple[MessageLogLine, ...]:
        known = {state.name for state in self._servers.states}
        return self._servers.log(name).lines(after, _MOST_LINES) if name in known else ()

    async def connect(self, name: str, /) -> None:
        await self._engine.call(self._servers.start, name)

    async def disconnect(self, name: str, /) -> None:
        await self._engine.call(self._servers.stop, name)

    async def restart(self, name: str, /) -> None:
        await self._engine.call(self._servers.restart, name)

    async def ping(self, name: str, /) -> str:
        elapsed_s = await self._engine.call(self._servers.ping, name)
        return tr("{name} answered in {elapsed_s}", name=name, elapsed_s=format_duration_ms(elapsed_s * 1000))

    async def sign_in(self, name: str, /) -> None:
        sign_in_at = await self._compute(_imported_sign_in)
        await self._engine.call(sign_in_at, name, self._servers, self._store)

    async def approve(self, name: str, tools: Mapping[str, str], /) -> Collection[str]:
        seen = await self._engine.call(self._seen, name)
        if seen is None:
            return ()
        approved: Collection[str] = await self._compute(self._approve_shown, name, seen, tools)
        await self._engine.call(self._servers.look_again, name)
        return approved

    def _approve_shown(self, name: str, seen: ServerSnapshot, tools: Mapping[str, str]) -> Collection[str]:
        definitions = ((judgement, judgement.definition) for judgement in seen.judgements)
        shown = {now.name: judgement for judgement, now in definitions if tools.get(now.name) == now.digest}
        if shown:
            self._store.approve(name, shown.values(), shown)
        return tuple(shown)

    async def block(self, name: str, tool: str, /) -> None:
        seen = await self._engine.call(self._seen, name)
        if seen is not None:
            await self._compute(self._store.block, name, seen.judgements, tool)
            await self._engine.call(self._servers.look_again, name)

    async def switch(self, name: str, tool: str, /, *, is_on: bool) -> None:
        await self._compute(self._store.switch_tool, name, tool, is_on)
        await self.apply()
        self._again()

    async def apply(self) -> None:
        await self._engine.call(self._servers.apply, self._store.wanted)

    async def read(self, name: str, uri: str, values: Mapping[str, str], /) -> ResourceReading:
        kept = await self._engine.call(self._kept_of, name)
        template = kept.offers[1].templates.get(uri) if kept.offers is not None else None
        if template is not None:
            try:
                uri = template.filled(values)
            except ValueError as error:
                raise ServerConfigError(tr("{uri} cannot be filled in: {error}", uri=uri, error=error)) from error
        began = perf_counter()
        contents = await self._engine.call(self._servers.read_resource, name, uri)
        elapsed = format_duration_ms((perf_counter() - began) * 1_000)
        return content_of(contents, uri, elapsed)

    async def follow(self, name: str, uri: str, /, *, follows: bool) -> None:
        kept = await self._engine.call(self._kept_of, name)
        if follows:
            kept.followed[uri] = await self._engine.call(self._subscribed, name, uri)
        else:
            await self._engine.call(self._servers.unsubscribe, name, uri)
            kept.followed.pop(uri, None)

    async def complete(self, name: str, half: TemplateArgumentDraft, /) -> Sequence[str]:
        found = await self._engine.call(
            self._servers.complete, name, half.uri_template, half.argument, half.written, half.others
        )
        return found.values

    def take(self, event: ServerEvent) -> None:
        """Follow what happens to servers; it must be quick."""
        if isinstance(event, ResourceUpdated):
            self._tell(tr("{uri} of {name} changed", uri=event.uri, name=event.name))
        if isinstance(event, ResourcesChanged):
            self._keep(event.name).is_stale = True
        if isinstance(event, ServerRemoved):
            kept = self._kept.pop(event.name, CachedServer())
            if kept.fetching is not None:
                kept.fetching.cancel()
            self._pictures.forget(event.name)
        self._again()

    async def aclose(self) -> None:
        """End what is under way."""
        fetching = [kept.fetching for kept in self._kept.values() if kept.fetching is not None]
        for task in fetching:
            task.cancel()
        await asyncio.gather(*fetching, return_exceptions=True)
        await self._pictures.aclose()

    async def _subscribed(self, name: str, uri: str) -> datetime:
        """Ask to be told when a resource changes; return since when the connection stands that tells it."""
        await self._servers.subscribe(name, uri)
        return self._servers.state(name).since

    async def _offered(self, name: str) -> ServerOfferings:
        """Return what is known of a server's resources and prompts, and ask for resources that are not known yet."""
        state, kept = self._servers.state(name), self._keep(name)
        prompts = tuple(prompt_row(prompt.card) for prompt in self._prompts_of(name))
        if state.status is not ServerStatus.CONNECTED:
            return ServerOfferings(prompts=prompts, icons=self._icons(name))
        is_due = kept.is_stale or kept.offers is None or kept.offers[0] != state.since
        if state.offers.resources and is_due and kept.fetching is None:
            # What is announced from here on may not be in the answer: it needs another look.
            kept.is_stale = False
            kept.fetching = asyncio.get_running_loop().create_task(self._fetch(kept, state), name=f"offers of {name}")
        known = kept.offers[1] if kept.offers is not None else ServerOfferings()
        return known._replace(prompts=prompts, icons=self._icons(name))

    def _prompts_of(self, name: str) -> list[Prompt]:
        return [
            one for one in self._registry.prompts if (one.source.kind, one.source.name) == (SourceKind.SERVER, name)
        ]

    def _icons(self, name: str) -> OfferedIcons:
        """Return what a server's offers name for themselves."""
        kept = self._keep(name)
        functions = (prompt.function for prompt in self._prompts_of(name))
        prompts = icons_of_prompts(one.offered for one in functions if isinstance(one, ServerPrompt))
        return {**(kept.offers[1].icons if kept.offers is not None else {}), **prompts}

    async def _fetch(self, kept: CachedServer, state: ServerState) -> None:
        name = state.name
        resources: tuple[Resource, ...] = ()
        templates: tuple[ResourceTemplate, ...] = ()
        try:
            resources = await self._servers.resources(name)
            templates = await self._servers.resource_templates(name)
        except ToolError as error:
            self._tell(tr("{name} did not say what else it offers: {error}", name=name, error=error))
        finally:
            kept.fetching = None
        offers = ServerOfferings(
            (*map(resource_row, resources), *map(template_row, templates)),
            (),
            {template.uri_template: template for template in templates},
            icons_of_resources(resources, templates),
        )
        kept.offers = state.since, offers
        self._again()


def _imported_sign_in() -> Callable[..., Awaitable[None]]:
    from tools.mcp.sign_in import sign_in_at  # noqa: PLC0415 -- it brings the SDK, which few need before a server runs

    return sign_in_at


def _log_rows(lines: Sequence[MessageLogLine]) -> list[LogRow]:
    return [log_row(line) for line in lines]
