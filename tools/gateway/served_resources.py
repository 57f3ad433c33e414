"""The resources of servers, as agents list, read and watch them."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, unquote

import mcp_types as types
from mcp import MCPError
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from tools.errors import ServerRefusedError, ToolError
from tools.gateway.verbatim_results import is_older, without_envelope
from tools.mcp.remote_tool import names_of
from tools.mcp.servers import Servers
from tools.mcp.state import ResourcesChanged, ResourceUpdated, ServerRemoved, ServerStatus, StateChanged

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from tools.gateway.agents import Agent
    from tools.mcp.connection import Connection
    from tools.mcp.state import ServerEvent
    from tools.registry import ToolRegistry, Unregister

SHARED: Final = "tool-console://"
"""What the address of a resource begins with here that several servers have; the server and its own address follow."""

_NOT_FOUND: Final = -32002
"""The code of the older era for an address that nobody has. Source: MCP 2025-11-25, "Resources", error handling."""


class _Offered(NamedTuple):
    """What a server listed over a connection."""

    connection: Connection
    resources: tuple[Mapping[str, Any], ...]
    templates: tuple[Mapping[str, Any], ...]


class _Place(NamedTuple):
    """A resource of a server, by the server's own address."""

    server: str
    uri: str


class ServedResources:
    """Offer the resources of connected servers; from the servers' event loop.

    An address is that of its server. Where several servers list the same one, each has it behind a prefix that names
    the server, and the plain one is refused, so that no agent reads from another server than it means. A server that
    sleeps is not woken for its list; its resources are there once it is connected.

    Args:
        registry: Knows the servers.
        on_list_changed: Is told that there are other resources.
        on_updated: Is told the address, as agents know it, of a resource that has another content.
    """

    def __init__(
        self, registry: ToolRegistry, on_list_changed: Callable[[], None], on_updated: Callable[[str], None]
    ) -> None:
        self._registry = registry
        self._on_list_changed = on_list_changed
        self._on_updated = on_updated
        self._servers: Servers | None = None
        self._unwatch: Unregister | None = None
        self._offered: dict[str, _Offered] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._statuses: dict[str, ServerStatus] = {}
        # How many watch a resource by which address.
        self._watched: defaultdict[_Place, Counter[str]] = defaultdict(Counter)
        self._watching_again: set[asyncio.Task[None]] = set()
        self.follow()

    def follow(self) -> None:
        """Look which servers the registry knows."""
        found = next((one for one in self._registry.providers if isinstance(one, Servers)), None)
        if found is self._servers:
            return
        if self._unwatch is not None:
            self._unwatch()
        self._servers = found
        self._unwatch = None if found is None else found.watch(self._on_event)
        self._statuses = {} if found is None else {state.name: state.status for state in found.states}
        self._on_list_changed()

    async def listed(self, agent: Agent) -> list[dict[str, Any]]:
        """Return the resources that an agent may read, as `resources/list` has them."""
        offered = await self._all()
        owners = _owners(offered, "resources", "uri")
        return [
            {**item, "uri": _known_as(server, str(item.get("uri")), owners)}
            for server, one in offered.items()
            for item in one.resources
            if _sees(agent, server, item)
        ]

    async def templates(self, agent: Agent) -> list[dict[str, Any]]:
        """Return the templates of resources that an agent may read, as `resources/templates/list` has them."""
        offered = await self._all()
        owners = _owners(offered, "templates", "uriTemplate")
        return [
            {**item, "uriTemplate": _known_as(server, str(item.get("uriTemplate")), owners)}
            for server, one in offered.items()
            for item in one.templates
            if _sees(agent, server, item)
        ]

    async def read(self, context: ServerRequestContext[Any, Any], agent: Agent, uri: str) -> dict[str, Any]:
        """Return what `resources/read` is answered with.

        Raises:
            MCPError: Nobody has a resource of that address, several have, or its server does not give it.
        """
        place, connection = await self._found(context, agent, uri)
        try:
            read = without_envelope(await connection.read(place.uri))
        except ServerRefusedError as error:
            cause = error.__cause__
            if isinstance(cause, MCPError) and place.uri == uri and cause.code != _NOT_FOUND:
                raise MCPError(cause.code, cause.message, cause.data or {"uri": uri}) from error
            raise _refused(context, uri, str(error)) from error
        except ToolError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error
        if place.uri == uri:
            return read
        contents = [
            {**item, "uri": uri} if isinstance(item, dict) and item.get("uri") == place.uri else item
            for item in read.get("contents", ())
        ]
        return {**read, "contents": contents}

    async def template_of(
        self, context: ServerRequestContext[Any, Any], agent: Agent, uri_template: str
    ) -> tuple[Connection, str]:
        """Return who has a template, and its server's own form of it.

        Raises:
            MCPError: Nobody has, or several have.
        """
        place, connection = await self._found(context, agent, uri_template)
        return connection, place.uri

    async def watch(self, context: ServerRequestContext[Any, Any], agent: Agent, uri: str) -> Callable[[], None]:
        """Have changes of a resource told.

        Returns:
            The undo.

        Raises:
            MCPError: Nobody has a resource of that address, several have, or its server does not watch it.
        """
        place, connection = await self._found(context, agent, uri)
        if connection.offers.subscriptions and not self._watched[place].total():
            try:
                await connection.subscribe(place.uri)
            except ToolError as error:
                raise MCPError(types.INTERNAL_ERROR, str(error)) from error
        self._watched[place][uri] += 1
        return lambda: self._watch_no_more(place, uri)

    def _watch_no_more(self, place: _Place, uri: str) -> None:
        self._watched[place] -= Counter([uri])
        if self._watched[place]:
            return
        del self._watched[place]
        connection = None if self._servers is None else self._servers.connection(place.server)
        if connection is not None:
            self._start(connection.unsubscribe(place.uri))

    async def _found(
        self, context: ServerRequestContext[Any, Any], agent: Agent, uri: str
    ) -> tuple[_Place, Connection]:
        """Return whose an address is: who lists it, else whose template it fits, else the only server's."""
        offered = await self._all()
        named, own = _split(uri)
        places = [named] if named in offered else _having(offered, own) or ([*offered] if len(offered) == 1 else [])
        if len(places) > 1:
            several = " and ".join(map(repr, places))
            example = _prefixed(places[0], uri)
            raise _refused(context, uri, f"{several} have {uri!r} both; name one of them, as in {example}")
        if not places or not _sees(agent, places[0], _item(offered[places[0]], own)):
            raise _refused(context, uri, f"no resource has the address {uri!r}; list the resources")
        return _Place(places[0], own), offered[places[0]].connection

    async def _all(self) -> dict[str, _Offered]:
        """Return what each connected server has, by its name."""
        if self._servers is None:
            return {}
        names = [state.name for state in self._servers.states if state.offers.resources]
        found = await asyncio.gather(*map(self._listed, names))
        return {name: one for name, one in zip(names, found, strict=True) if one is not None}

    async def _listed(self, name: str) -> _Offered | None:
        async with self._turns[name]:
            connection = None if self._servers is None else self._servers.connection(name)
            known = self._offered.get(name)
            if connection is None or not connection.is_open:
                return None
            if known is not None and known.connection is connection:
                return known
            try:
                resources = await connection.listed("resources/list")
                templates: list[dict[str, Any]] = []
                with suppress(ServerRefusedError):
                    templates = await connection.listed("resources/templates/list")
            except ToolError as error:
                connection.log.note(f"its resources could not be listed for an agent: {error}", "error")
                return None
            self._offered[name] = _Offered(connection, tuple(resources), tuple(templates))
            return self._offered[name]

    def _on_event(self, event: ServerEvent) -> None:
        match event:
            case ResourceUpdated(name, uri):
                for known_as in tuple(self._watched.get(_Place(name, uri), ())):
                    self._on_updated(known_as)
            case ResourcesChanged(name) | ServerRemoved(name):
                self._forget(name)
            case StateChanged(state):
                former, self._statuses[state.name] = self._statuses.get(state.name), state.status
                if former is not state.status and ServerStatus.CONNECTED in {former, state.status}:
                    self._forget(state.name)
                    if state.status is ServerStatus.CONNECTED:
                        self._start(self._watch_again(state.name))

    def _forget(self, name: str) -> None:
        self._offered.pop(name, None)
        self._on_list_changed()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(_quietly(work), name="subscriptions of agents")
        self._watching_again.add(task)
        task.add_done_callback(self._watching_again.discard)

    async def _watch_again(self, name: str) -> None:
        """Have a new connection tell what the former one was to tell."""
        connection = None if self._servers is None else self._servers.connection(name)
        for place in [place for place in self._watched if place.server == name]:
            if connection is not None and connection.offers.subscriptions:
                await connection.subscribe(place.uri)

    async def aclose(self) -> None:
        """Follow the servers no longer."""
        if self._unwatch is not None:
            self._unwatch()
        for task in self._watching_again:
            task.cancel()
        await asyncio.gather(*self._watching_again, return_exceptions=True)


async def _quietly(work: Any) -> None:
    with suppress(ToolError):
        await work


def _owners(offered: Mapping[str, _Offered], field: str, key: str) -> Counter[str]:
    """Return how many servers have each address."""
    return Counter(
        address for one in offered.values() for address in {str(item.get(key)) for item in getattr(one, field)}
    )


def _known_as(server: str, uri: str, owners: Mapping[str, int]) -> str:
    return uri if owners[uri] == 1 else _prefixed(server, uri)


def _prefixed(server: str, uri: str) -> str:
    return f"{SHARED}{quote(server, safe='')}/{uri}"


def _split(uri: str) -> tuple[str, str]:
    """Return the server and the address that one with a prefix is made of; an empty server for any other."""
    if not uri.startswith(SHARED):
        return "", uri
    server, _, own = uri.removeprefix(SHARED).partition("/")
    return unquote(server), own


def _having(offered: Mapping[str, _Offered], uri: str) -> list[str]:
    """Return the servers that list an address or a template; those with a fitting template where none does."""
    listing = [name for name, one in offered.items() if _item(one, uri, by_template=False) is not None]
    return listing or [name for name, one in offered.items() if _item(one, uri) is not None]


def _item(offered: _Offered, uri: str, *, by_template: bool = True) -> Mapping[str, Any] | None:
    for item in offered.resources:
        if item.get("uri") == uri:
            return item
    for item in offered.templates:
        if item.get("uriTemplate") == uri or (by_template and _fits(str(item.get("uriTemplate")), uri)):
            return item
    return None


def _fits(uri_template: str, uri: str) -> bool:
    try:
        return UriTemplate.parse(uri_template).match(uri) is not None
    except InvalidUriTemplate:
        return False


def _sees(agent: Agent, server: str, item: Mapping[str, Any] | None) -> bool:
    """Return whether an agent is told of a resource: it has a name like the server's tools."""
    name = "" if item is None else str(item.get("name", ""))
    return agent.sees(names_of(server, [name])[0])


def _refused(context: ServerRequestContext[Any, Any], uri: str, message: str) -> MCPError:
    return MCPError(_NOT_FOUND if is_older(context) else types.INVALID_PARAMS, message, {"uri": uri})
