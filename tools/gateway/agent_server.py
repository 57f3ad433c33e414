"""The MCP server that agents talk to: the tools of a registry, each call passing the executor."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from tools.calls import Progress
from tools.errors import RateLimitError
from tools.execution.limits import TokenBucket
from tools.gateway.answers import answer_of, refusal_answer, waiting_answer, waiting_words
from tools.gateway.held_calls import HeldCalls, Waiting
from tools.gateway.offered_tools import OfferedTools
from tools.spec import RateLimit

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    from tools.execution import Executor
    from tools.gateway.agents import Agent
    from tools.registry import RegistryChange

CALLS_A_MINUTE: Final = 60
"""How many calls an agent may make in a minute."""

_INSTRUCTIONS: Final = (
    "A person may be asked before a tool runs. A result that begins with 'Pending:' is no failure: call the tool again"
    " with the same arguments to wait on."
)

AgentOf = Callable[["ServerRequestContext[Any, Any]"], "Agent"]
"""Returns whose request it is."""

_log = logging.getLogger(__name__)


class AgentServer:
    """Answer what agents ask for; on the executor's loop.

    Args:
        executor: Runs the calls.
        agent_of: Returns whose request it is.
        held: Holds the calls that wait for a person.
        version: The version of this program.
        calls_a_minute: How many calls an agent may make in a minute.

    Attributes:
        server: The server of the SDK, which any transport can serve.
    """

    def __init__(
        self,
        executor: Executor,
        agent_of: AgentOf,
        held: HeldCalls,
        *,
        version: str = "",
        calls_a_minute: int = CALLS_A_MINUTE,
    ) -> None:
        self._agent_of = agent_of
        self._held = held
        self._offered = OfferedTools(executor.registry)
        self._limit = RateLimit(requests=calls_a_minute, per_s=60.0, burst_size=calls_a_minute, throw_on_limit=True)
        self._buckets: dict[str, TokenBucket] = {}
        # Sessions of the older era are told of changes one by one; those of the newer one listen at the bus.
        self._sessions: weakref.WeakSet[ServerSession] = weakref.WeakSet()
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._telling: set[asyncio.Task[None]] = set()
        self._unwatch = executor.registry.watch(self._on_registry_change)
        self.server: Server[Any] = Server(
            "tool-console",
            title="Tool Console",
            version=version,
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_subscriptions_listen=self._listening,
        )

    async def _list_tools(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        self._sessions.add(context.session)
        offered = self._offered.of(self._agent_of(context))
        return types.ListToolsResult.model_validate({"tools": [dict(tool.definition) for tool in offered]})

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        agent = self._agent_of(context)
        tool = self._offered.find(agent, params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"no tool is called {params.name!r}; list the tools")
        try:
            await self._bucket(agent).acquire()
        except RateLimitError as error:
            return types.CallToolResult.model_validate(refusal_answer(str(error)))
        progress = _ProgressReport(context)
        arguments: Mapping[str, Any] = params.arguments or {}
        try:
            outcome = await self._held.outcome(agent, tool.tool, arguments, progress)
        finally:
            await progress.aclose()
        answer = waiting_answer(outcome) if isinstance(outcome, Waiting) else answer_of(outcome)
        return types.CallToolResult.model_validate(answer)

    def _bucket(self, agent: Agent) -> TokenBucket:
        return self._buckets.setdefault(agent.name, TokenBucket(self._limit))

    def _on_registry_change(self, _: RegistryChange) -> None:
        telling = asyncio.get_running_loop().create_task(self._tell_of_change(), name="tools changed, for agents")
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _tell_of_change(self) -> None:
        await self._bus.publish(ToolsListChanged())
        for session in list(self._sessions):
            if session.protocol_version != LATEST_HANDSHAKE_VERSION:
                continue
            try:
                await session.send_tool_list_changed()
            except Exception:  # noqa: BLE001 -- an agent that left must not keep the others from being told
                _log.debug("an agent could not be told of changed tools", exc_info=True)
                self._sessions.discard(session)

    async def aclose(self) -> None:
        """Tell agents of changes no longer."""
        self._unwatch()
        self._listening.close()
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)


class _ProgressReport:
    """Passes on how far a call is, in its order and without holding it up; the numbers only grow."""

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self._context = context
        self._newest: Progress | Waiting | None = None
        self._last = 0.0
        self._sending: asyncio.Task[None] | None = None

    def __call__(self, progress: Progress | Waiting) -> None:
        # Of several that come while one is on its way, the newest counts.
        self._newest = progress
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send(), name="progress for an agent")

    async def _send(self) -> None:
        while (progress := self._newest) is not None:
            self._newest = None
            if isinstance(progress, Waiting):
                # The tool counts from 0 once it runs.
                done, total, text = self._last + _LEAST, None, waiting_words(progress)
            else:
                done, total, text = progress
                if done <= self._last:
                    continue
            self._last = done
            await self._context.session.report_progress(done, total, text or None)

    async def aclose(self) -> None:
        """Send what is left."""
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)


_LEAST: Final = 1e-6
