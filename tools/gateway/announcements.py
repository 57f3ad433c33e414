"""What agents are told without having asked: that lists changed, and that resources have another content."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from mcp import MCPError
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)

from tools.gateway.verbatim_results import is_older, session_id

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

MOST_SESSIONS: Final = 1_000
"""How many agents' sessions of the older era are open at once, at most."""

Watch = Callable[[str], Awaitable[Callable[[], None]]]
"""Has changes of the resource at an address told, and returns the undo."""

ListChanged = type[ToolsListChanged] | type[PromptsListChanged] | type[ResourcesListChanged]


class AgentSession:
    """One session of an agent of the older era.

    Args:
        session: Sends what it is told.

    Attributes:
        log_level: The least that it wants to be told of what tools log.
        watched: The undo of each resource that it watches, by address.
    """

    def __init__(self, session: ServerSession) -> None:
        self.session = session
        self.log_level: types.LoggingLevel = "info"
        self.watched: dict[str, Callable[[], None]] = {}

    def end(self) -> None:
        """Watch nothing any more."""
        while self.watched:
            self.watched.popitem()[1]()


class Announcements:
    """Tell agents: sessions of the older era one by one, those of the newer one at a bus that they listen at."""

    def __init__(self) -> None:
        # The SDK tells nobody of the end of a session, so the oldest are let go.
        self._sessions: OrderedDict[str, AgentSession] = OrderedDict()
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._loop = asyncio.get_running_loop()
        self._telling: asyncio.Task[None] | None = None
        self._changed: set[ListChanged] = set()
        self._updated: set[str] = set()

    def session_of(self, context: ServerRequestContext[Any, Any]) -> AgentSession | None:
        """Return the session that a request belongs to, which is told from now on; None in the newer era."""
        if not is_older(context):
            return None
        found = self._sessions.setdefault(session_id(context), AgentSession(context.session))
        found.session = context.session
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)[1].end()
        return found

    async def listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams, watch: Watch
    ) -> types.SubscriptionsListenResult:
        """Answer `subscriptions/listen`: tell of what is asked for until the agent hangs up."""
        wanted = params.notifications
        watched: dict[str, Callable[[], None]] = {}
        try:
            for uri in wanted.resource_subscriptions or ():
                try:
                    watched[uri] = await watch(uri)
                except MCPError:
                    # What cannot be watched is left out of what is acknowledged.
                    continue
            honored = wanted.model_copy(update={"resource_subscriptions": [*watched] or None})
            return await self._listening(context, params.model_copy(update={"notifications": honored}))
        finally:
            for undo in watched.values():
                undo()

    def list_changed(self, *kinds: ListChanged) -> None:
        """Have agents told that they may list again; on the loop."""
        self._changed.update(kinds)
        self._begin()

    def updated(self, uri: str) -> None:
        """Have agents that watch a resource told that it has another content; on the loop."""
        self._updated.add(uri)
        self._begin()

    def _begin(self) -> None:
        if self._telling is None or self._telling.done():
            self._telling = self._loop.create_task(self._tell(), name="changes, for agents")

    async def _tell(self) -> None:
        # Of many changes at once, agents are told one time.
        while self._changed or self._updated:
            changed, self._changed = self._changed, set()
            updated, self._updated = self._updated, set()
            for kind in changed:
                await self._bus.publish(kind())
            for uri in updated:
                await self._bus.publish(ResourceUpdated(uri))
            for agent in list(self._sessions.values()):
                await _tell_session(agent, changed, updated)

    async def aclose(self) -> None:
        """Tell agents nothing any more."""
        self._listening.close()
        for agent in self._sessions.values():
            agent.end()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.wait({self._telling})


async def _tell_session(agent: AgentSession, changed: set[ListChanged], updated: set[str]) -> None:
    # To a session that is over, this says nothing.
    session = agent.session
    if ToolsListChanged in changed:
        await session.send_tool_list_changed()
    if PromptsListChanged in changed:
        await session.send_prompt_list_changed()
    if ResourcesListChanged in changed:
        await session.send_resource_list_changed()
    for uri in updated & agent.watched.keys():
        await session.send_resource_updated(uri)
