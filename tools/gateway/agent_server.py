"""The MCP server that agents talk to: the tools of a registry, each call passing the executor."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import mcp_types as types
from mcp import MCPError
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, PromptsListChanged, ToolsListChanged
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tools.errors import ToolError
from tools.gateway.agent_tasks import TASKS_CAPABILITY, TASKS_VERSION, AgentTasks
from tools.gateway.handed_on import definition_for, hand_on, handed_on, without_envelope
from tools.gateway.request_states import SealedStates
from tools.gateway.served_prompts import RenderPrompt, prompts_for
from tools.gateway.served_tools import ServedTools

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.models import InitializationOptions
    from mcp.server.session import ServerSession

    from tools.gateway.agent_calls import AgentCalls
    from tools.gateway.agents import Agent
    from tools.gateway.served_tools import ServedTool
    from tools.registry import RegistryChange, ToolRegistry

_NAME: Final = "tool-console"
_INSTRUCTIONS: Final = (
    "A person may be asked before a tool runs. A result that begins with 'Pending:' is no failure: call the tool again"
    " with the same arguments to wait on."
)

MOST_SESSIONS: Final = 1_000
"""How many agents' sessions of the older era are open at once, at most."""

AgentOf = Callable[["ServerRequestContext[Any, Any]"], "Agent"]
"""Returns whose request it is."""


class AgentUse(NamedTuple):
    """What an agent did since it is served.

    Attributes:
        calls: How many calls it made.
        first_at: When it asked for something first.
        last_at: When it asked for something last.
    """

    calls: int
    first_at: datetime
    last_at: datetime


class AgentServer:
    """Answer what agents ask for; on the executor's loop.

    Args:
        registry: The tools and prompts.
        agent_of: Returns whose request it is.
        calls: Makes the calls.
        render_prompt: Returns what a prompt says.
        version: The version of this program.

    Attributes:
        server: The server of the SDK, which any transport can serve.
        uses: What each agent did, by its name.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        agent_of: AgentOf,
        calls: AgentCalls,
        *,
        render_prompt: RenderPrompt,
        version: str = "",
    ) -> None:
        self._agent_of = agent_of
        self._calls = calls
        self._registry = registry
        self._render_prompt = render_prompt
        self._offered = ServedTools(registry)
        self.uses: dict[str, AgentUse] = {}
        # Sessions of the older era are told of changes one by one; those of the newer one listen at the bus. The SDK
        # tells nobody of the end of a session, so the oldest are let go.
        self._sessions: OrderedDict[str, ServerSession] = OrderedDict()
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._loop = asyncio.get_running_loop()
        self._telling: asyncio.Task[None] | None = None
        self._has_changed = False
        self._unwatch = registry.watch(self._on_registry_change)
        self.server: Server[Any] = _TellingServer(
            _NAME,
            title="Tool Console",
            version=version,
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_subscriptions_listen=self._listening,
        )
        self.server.middleware.append(SealedStates(self._agent_name, _NAME))
        self.server.middleware.append(hand_on)
        self._tasks = AgentTasks(calls, self._called, self._agent_name)
        self._tasks.add_to(self.server)

    async def _list_tools(self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None) -> Any:
        self._note_session(context)
        agent = self._agent_of(context)
        self._note_use(agent, calls=0)
        # Any call may be made as a task, where there are some.
        more = {"execution": {"taskSupport": "optional"}} if context.protocol_version == TASKS_VERSION else {}
        offered = self._offered.of(agent)
        return handed_on(context, {"tools": [{**definition_for(context, tool.definition), **more} for tool in offered]})

    def _agent_name(self, context: ServerRequestContext[Any, Any]) -> str:
        return self._agent_of(context).name

    def _called(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> tuple[Agent, ServedTool]:
        agent = self._agent_of(context)
        tool = self._offered.find(agent, params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"no tool is called {params.name!r}; list the tools")
        self._note_use(agent, calls=1)
        return agent, tool

    async def _call_tool(self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> Any:
        agent, tool = self._called(context, params)
        return await self._calls.answer(context, agent, tool, params)

    async def _list_prompts(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> Any:
        self._note_session(context)
        served = prompts_for(self._agent_of(context), self._registry)
        return handed_on(context, {"prompts": [prompt.definition for prompt in served.values()]})

    async def _get_prompt(self, context: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams) -> Any:
        prompt = prompts_for(self._agent_of(context), self._registry).get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"no prompt is called {params.name!r}; list the prompts")
        try:
            said = await self._render_prompt(prompt.prompt.name, prompt.read(params.arguments or {}))
        except ToolError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        if said.written is not None:
            return handed_on(context, without_envelope(said.written))
        return handed_on(context, {"description": said.description, "messages": said.messages})

    def _on_registry_change(self, _: RegistryChange) -> None:
        """Have agents told; a thread may have loaded the tools."""
        self._loop.call_soon_threadsafe(self._begin_telling)

    def _begin_telling(self) -> None:
        self._has_changed = True
        if self._telling is None or self._telling.done():
            self._telling = self._loop.create_task(self._tell_of_change(), name="tools changed, for agents")

    async def _tell_of_change(self) -> None:
        # Of many changes at once, agents are told one time.
        while self._has_changed:
            self._has_changed = False
            await self._bus.publish(ToolsListChanged())
            await self._bus.publish(PromptsListChanged())
            for session in list(self._sessions.values()):
                # To one that is over, this says nothing.
                await session.send_tool_list_changed()
                await session.send_prompt_list_changed()

    def _note_use(self, agent: Agent, *, calls: int) -> None:
        now = datetime.now(UTC)
        former = self.uses.get(agent.name, AgentUse(0, now, now))
        self.uses[agent.name] = AgentUse(former.calls + calls, former.first_at, now)

    def _note_session(self, context: ServerRequestContext[Any, Any]) -> None:
        if context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return
        headers = {} if context.request is None else context.request.headers
        self._sessions[headers.get(MCP_SESSION_ID_HEADER, "")] = context.session
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)

    async def aclose(self) -> None:
        """Tell agents of changes no longer."""
        self._unwatch()
        self._listening.close()
        await self._tasks.aclose()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.wait({self._telling})


class _TellingServer(Server[Any]):
    """Says to sessions of the older era that they are told of changed tools and prompts, which the SDK leaves out."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True, prompts_changed=True)
        said = super().create_initialization_options(options, experimental_capabilities, extensions)
        said.capabilities.tasks = TASKS_CAPABILITY
        return said
