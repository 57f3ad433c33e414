"""All servers a person wants: their tools in the registry, and everything else that they offer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ToolError, ToolNotFoundError
from tools.listeners import listening
from tools.mcp.elicitation import DeclineAll, Questions
from tools.mcp.prompt_sync import PromptSync
from tools.mcp.secrets import address_of
from tools.mcp.server_primitives import (
    Completion,
    Resource,
    ResourceContent,
    ResourceTemplate,
    content_of,
    resource_of,
    template_of,
)
from tools.mcp.state import (
    LogExtended,
    PromptsChanged,
    ResourcesChanged,
    ResourceUpdated,
    ServerEvent,
    ServerRemoved,
    ServerState,
    ServerStatus,
    StateChanged,
)
from tools.mcp.supervisor import BACK_OFF_S, NoConsentError, Resolve, ServerSupervisor
from tools.mcp.tool_sync import ToolSync
from tools.tool import Probe

if TYPE_CHECKING:
    from tools.mcp.config import ServerConfig, Target
    from tools.mcp.connection import Connection
    from tools.mcp.consent import Consents
    from tools.mcp.definitions import Definition
    from tools.mcp.listed_cache import ListedCache
    from tools.mcp.message_log import MessageLog
    from tools.mcp.pins import DefinitionJudgement, Pins
    from tools.registry import ToolRegistry, Unregister

SETTLE_S: Final = 0.2
"""Seconds in which announcements of changes are taken as one."""

_TOOLS: Final = "notifications/tools/list_changed"
_RESOURCES: Final = "notifications/resources/list_changed"
_PROMPTS: Final = "notifications/prompts/list_changed"
_UPDATED: Final = "notifications/resources/updated"


class Server:
    """Be one server: its life, its tools and prompts, and what it announces.

    Attributes:
        life: Starts and ends it.
        listing: Its tools.
        prompts: Its prompts.
    """

    def __init__(self, config: ServerConfig, around: Servers) -> None:
        self.config = config
        self._around = around
        self.life = ServerSupervisor(
            config,
            resolve=around.resolve,
            questions=around.questions,
            now=around.now,
            address=address_of(config),
            on_state=lambda state: around.tell(StateChanged(state)),
            on_connected=self._on_connected,
            on_notified=self._on_notified,
            on_growth=lambda: around.tell(LogExtended(config.name)),
            back_off_s=around.back_off_s,
        )
        self.listing = ToolSync(
            config,
            around.registry,
            self,
            Probe(function=self._answers),
            pins=around.pins,
            consents=around.consents,
            remembered=around.remembered,
            on_change=around.tell,
        )
        self.prompts = PromptSync(config, around.registry, self, around.remembered)
        self._refreshing: set[asyncio.Task[None]] = set()
        self._due: set[str] = set()

    async def connected(self) -> Connection:
        """Return the open connection for a call; start the server if it was not wanted yet."""
        connection = await self.life.connected()
        self.life.called()
        return connection

    @property
    def connection(self) -> Connection | None:
        """The open connection; None while there is none."""
        return self.life.connection

    async def ping(self) -> float:
        """Return how many seconds it takes to answer."""
        return await (await self.life.connected()).ping()

    async def _answers(self) -> None:
        """Find out for all its tools whether it answers; one that sleeps is not woken for that."""
        if self.life.state.status is not ServerStatus.OFF:
            await self.ping()

    async def approved(self, definition: Definition) -> None:
        """Take note that a person let a definition run that was new."""
        await asyncio.to_thread(self.listing.approved, definition)
        await self.listing.look_again()

    async def _on_connected(self, connection: Connection) -> None:
        await self._list_tools(connection)
        # Its tools need not wait for them.
        self._start(self._list_prompts(connection), "prompts")

    async def _list_tools(self, connection: Connection) -> None:
        await self.listing.refresh(connection)
        self.life.changed(tool_count=len(self.listing.judgements))

    async def _list_prompts(self, connection: Connection) -> None:
        try:
            if await self.prompts.refresh(connection):
                self._around.tell(PromptsChanged(self.config.name))
        except ToolError as error:
            self.life.log.note(f"its prompts could not be listed: {error}", "error")

    def _start(self, work: Coroutine[Any, Any, None], what: str) -> None:
        task = asyncio.create_task(work, name=f"{what} of {self.config.name}")
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    def _on_notified(self, method: str, uri: str) -> None:
        name, tell = self.config.name, self._around.tell
        if method in {_TOOLS, _PROMPTS} - self._due:
            self._due.add(method)
            self._start(self._refresh(method), "tools" if method == _TOOLS else "prompts")
        elif method == _RESOURCES:
            tell(ResourcesChanged(name))
        elif method == _UPDATED:
            tell(ResourceUpdated(name, uri))

    async def _refresh(self, method: str) -> None:
        """List the tools or the prompts anew, once for all announcements of a moment."""
        await asyncio.sleep(SETTLE_S)
        # What is announced from here on is not in the answer: it needs another look.
        self._due.discard(method)
        connection = self.life.connection
        if connection is None:
            return
        if method == _PROMPTS:
            await self._list_prompts(connection)
            return
        try:
            await self._list_tools(connection)
        except ToolError as error:
            self.life.log.note(f"its tools could not be listed again: {error}", "error")

    def becomes(self, config: ServerConfig) -> bool:
        """Take over another entry if nothing of it concerns what runs, and tell whether that was so."""
        alike = {"disabled_tools": config.disabled_tools, "description": config.description}
        if self.config.model_copy(update=alike) != config:
            return False
        self.config = config
        self.listing.become(config)
        return True

    async def recall(self) -> None:
        """Show the tools and prompts that it listed last."""
        try:
            await self.listing.recall()
            await self.prompts.recall()
        except ToolError as error:
            # It is as if nothing were remembered: its start lists them.
            self.life.log.note(f"what it listed last time is not known: {error}", "warning")
        if self.listing.judgements:
            self.life.changed(tool_count=len(self.listing.judgements))

    async def end(self, status: ServerStatus) -> None:
        """End it; it has this status afterwards."""
        refreshing = tuple(self._refreshing)
        for task in refreshing:
            task.cancel()
        await asyncio.gather(*refreshing, return_exceptions=True)
        self._due.clear()
        await self.life.stop(status)

    async def settled(self) -> None:
        """Wait until all that is being listed is listed."""
        await asyncio.gather(*self._refreshing, return_exceptions=True)

    def drop(self) -> None:
        """Take its tools and prompts out of the registry."""
        self.listing.drop()
        self.prompts.drop()


class Servers:
    """Keep the servers that a person wants, and their tools in a registry; from one event loop, the executor's.

    Args:
        resolve: Fills entries in.
        pins: Which definitions were approved; None approves all.
        consents: Which servers may start; None lets all of them.
        remembered: What servers listed last; None knows their tools only once they run.
        questions: Who answers what servers ask; nobody declines.
        back_off_s: Seconds before each further attempt to connect.

    Attributes:
        resolve: Fills entries in, those that a person let start.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        *,
        resolve: Resolve,
        pins: Pins | None = None,
        consents: Consents | None = None,
        remembered: ListedCache | None = None,
        questions: Questions | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        back_off_s: Sequence[float] = BACK_OFF_S,
    ) -> None:
        self.registry = registry
        self.pins = pins
        self.consents = consents
        self.remembered = remembered
        self.questions = questions or DeclineAll()
        self.now = now
        self.back_off_s = back_off_s
        self._fill_in = resolve
        self._servers: dict[str, Server] = {}
        self._watchers: list[Callable[[ServerEvent], None]] = []
        self._changing = asyncio.Lock()
        self._withdraw = registry.add_provider(self)

    @property
    def configs(self) -> tuple[ServerConfig, ...]:
        """The entries, in their order."""
        return tuple(server.config for server in self._servers.values())

    @property
    def states(self) -> tuple[ServerState, ...]:
        return tuple(server.life.state for server in self._servers.values())

    def state(self, name: str) -> ServerState:
        """Return how a server stands.

        Raises:
            ToolNotFoundError: There is none of that name.
        """
        return self._server(name).life.state

    def judgements(self, name: str) -> tuple[DefinitionJudgement, ...]:
        """Return a server's tools as it listed them last, and how each stands to what was approved."""
        return self._server(name).listing.judgements

    def log(self, name: str) -> MessageLog:
        """Return what went over a server's wire, and what it said."""
        return self._server(name).life.log

    def url(self, name: str) -> str:
        """Return the address at which a server is reached; empty for a process, and for what is not connected."""
        connection = self._server(name).life.connection
        return "" if connection is None else connection.url

    def connection(self, name: str) -> Connection | None:
        """Return the open connection to a server; None while there is none."""
        server = self._servers.get(name)
        return None if server is None else server.connection

    def watch(self, watcher: Callable[[ServerEvent], None]) -> Unregister:
        """Tell a function about events, from the event loop's thread.

        Returns:
            The undo.
        """
        return listening(self._watchers, watcher)

    def tell(self, event: ServerEvent) -> None:
        for watcher in tuple(self._watchers):
            watcher(event)

    def resolve(self, config: ServerConfig) -> Target:
        """Fill an entry in; it may wait, so it is called in a thread.

        Raises:
            NoConsentError: No person let this server start as it is.
            ServerConfigError: Something is missing.
            VaultError: The keyring does not answer.
        """
        if self.consents is not None and not self.consents.may_start(config):
            raise NoConsentError(f"nobody agreed yet that {address_of(config)} is started")
        return self._fill_in(config)

    async def apply(self, configs: Iterable[ServerConfig]) -> None:
        """Want these servers, and no others: what is new is off, what changed is started anew if it ran.

        A server of which only tools were switched on or off, or its description changed, goes on as it is.
        """
        wanted = {config.name: config for config in configs}
        # Two at a time would take away what the other still needs.
        async with self._changing:
            again = await self._become(wanted)
        await self._start_all(again)

    async def _become(self, wanted: Mapping[str, ServerConfig]) -> list[str]:
        """Have the wanted servers; return which of them are to be started, as they ran before."""
        known = self._servers
        for name in [name for name in known if name not in wanted]:
            await self._remove(name)
        again = []
        for name, config in wanted.items():
            former = known.get(name)
            if former is not None and former.config == config:
                continue
            if former is not None and former.becomes(config):
                continue
            if former is not None:
                if former.life.state.status not in {ServerStatus.OFF, ServerStatus.STOPPED} and config.enabled:
                    again.append(name)
                await self._remove(name)
            known[name] = Server(config, self)
            self.tell(StateChanged(known[name].life.state))
            if config.enabled:
                await known[name].recall()
        self._servers = {name: known[name] for name in wanted}
        return again

    async def remove(self, name: str) -> None:
        """Want a server no more: end it, and take its tools away."""
        async with self._changing:
            await self._remove(name)

    async def _remove(self, name: str) -> None:
        server = self._server(name)
        await server.end(ServerStatus.OFF)
        server.drop()
        del self._servers[name]
        self.tell(ServerRemoved(name))

    async def start_enabled(self, *, lazily: bool = False) -> None:
        """Start all servers that are enabled, side by side; one that fails harms no other.

        Args:
            lazily: Whether servers whose tools are known from last time wait for the first call.
        """
        enabled = [(name, server) for name, server in self._servers.items() if server.config.enabled]
        await self._start_all([name for name, server in enabled if not (lazily and server.listing.judgements)])

    async def _start_all(self, names: Iterable[str]) -> None:
        starts: list[Coroutine[Any, Any, None]] = [self._try(name) for name in names]
        await asyncio.gather(*starts)

    async def _try(self, name: str) -> None:
        # Its state says what went wrong.
        with contextlib.suppress(ToolError):
            await self.start(name)

    async def start(self, name: str) -> None:
        """Start a server, if it does not run.

        Raises:
            UnavailableError: It does not come up; its state says why.
        """
        await self._server(name).life.start()

    async def stop(self, name: str) -> None:
        """End a server; its tools stay listed, and their calls are refused."""
        await self._server(name).end(ServerStatus.STOPPED)

    async def sleep(self, name: str) -> None:
        """End a server until it is wanted again: its tools stay listed, and a call of one starts it."""
        await self._server(name).end(ServerStatus.OFF)

    async def restart(self, name: str) -> None:
        """End a server and start it again.

        Raises:
            UnavailableError: It does not come up; its state says why.
        """
        server = self._server(name)
        await server.end(ServerStatus.OFF)
        await server.life.start()

    async def ping(self, name: str) -> float:
        """Return how many seconds a server takes to answer.

        Raises:
            UnavailableError: It does not.
        """
        server = self._server(name)
        elapsed_s = await server.ping()
        server.life.changed()
        return elapsed_s

    async def look_again(self, name: str) -> None:
        """Judge a server's tools anew, as when a person approved or blocked one."""
        await self._server(name).listing.look_again()

    async def refresh(self, name: str) -> None:
        """List a server's tools anew."""
        server = self._server(name)
        await server.listing.refresh(await server.life.connected())

    async def settled(self) -> None:
        """Wait until what servers are listing beside their tools is listed."""
        await asyncio.gather(*(server.settled() for server in self._servers.values()))

    async def resources(self, name: str) -> tuple[Resource, ...]:
        return tuple(map(resource_of, await self._listed(name, "resources/list")))

    async def resource_templates(self, name: str) -> tuple[ResourceTemplate, ...]:
        return tuple(map(template_of, await self._listed(name, "resources/templates/list")))

    async def read_resource(self, name: str, uri: str) -> tuple[ResourceContent, ...]:
        """Return what is in a resource.

        Raises:
            ServerRefusedError: The server has none of that address.
        """
        found = await (await self._connection(name)).read(uri)
        contents = found.get("contents")
        given = contents if isinstance(contents, list) else ()
        return tuple(content_of(item) for item in given if isinstance(item, dict))

    async def subscribe(self, name: str, uri: str) -> None:
        """Be told when a resource changes, as long as the server stays connected."""
        await (await self._connection(name)).subscribe(uri)

    async def unsubscribe(self, name: str, uri: str) -> None:
        await (await self._connection(name)).unsubscribe(uri)

    async def complete(
        self, name: str, uri_template: str, argument: str, value: str, others: Mapping[str, str]
    ) -> Completion:
        """Return what a half-written argument of a template may become.

        Args:
            others: What the other arguments are.
        """
        return await (await self._connection(name)).complete("", uri_template, argument, value, others)

    async def aclose(self) -> None:
        self._withdraw()
        async with self._changing:
            await asyncio.gather(*(server.end(ServerStatus.OFF) for server in self._servers.values()))
            for server in self._servers.values():
                server.drop()
            self._servers.clear()

    async def _listed(self, name: str, method: str) -> Sequence[Mapping[str, Any]]:
        return await (await self._connection(name)).listed(method)

    async def _connection(self, name: str) -> Connection:
        return await self._server(name).life.connected()

    def _server(self, name: str) -> Server:
        found = self._servers.get(name)
        if found is None:
            raise ToolNotFoundError(f"there is no server {name!r}; look at the list of servers")
        return found
