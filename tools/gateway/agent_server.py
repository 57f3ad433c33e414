"""The MCP server that agents talk to: the tools of a registry, each call passing the executor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import mcp_types as types
from mcp import MCPError
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import PromptsListChanged, ResourcesListChanged, ToolsListChanged
from mcp_types import SERVER_INFO_META_KEY

from tools.errors import ToolError
from tools.gateway import built_in_resources
from tools.gateway.agent_tasks import TASKS_CAPABILITY, TASKS_VERSION, AgentTasks
from tools.gateway.announcements import Announcements
from tools.gateway.built_in_resources import BuiltInResource, definition_of
from tools.gateway.client_questions import ClientRequest
from tools.gateway.completions import completed
from tools.gateway.multi_round_requests import MultiRoundRequests
from tools.gateway.profiles import AgentProfile
from tools.gateway.request_states import SealedStates
from tools.gateway.served_prompts import RenderPrompt, ServedPrompt, prompts_for
from tools.gateway.served_resources import ServedResources
from tools.gateway.served_tools import ServedTools
from tools.gateway.verbatim_results import definition_for, hand_on, handed_on, without_envelope

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.models import InitializationOptions

    from tools.gateway.agent_calls import AgentCalls
    from tools.gateway.agents import Agent
    from tools.gateway.served_tools import ServedTool
    from tools.registry import RegistryChange, ToolRegistry

_NAME: Final = "tool-console"
_INSTRUCTIONS: Final = (
    "A person may be asked before a tool runs. A result that begins with 'Pending:' is no failure: call the tool again"
    " with the same arguments to wait on."
)

MOST_UNSEEN: Final = 100
"""Of how many tools that an agent does not see its calls are counted."""

_LONGEST_NAME: Final = 128

_WHOLE_RESULT: Final = {"resultType": "complete", "content": [], "isError": False}
"""What the result of a call says of itself where its tool says nothing else."""

AgentOf = Callable[["ServerRequestContext[Any, Any]"], "Agent"]
"""Returns whose request it is."""

AgentHere = Callable[[], "Agent | None"]
"""Returns whose request is read right now; None where it is nobody's."""


class AgentUse(NamedTuple):
    """What an agent did since it is served.

    Attributes:
        calls: How many calls it made.
        lists: How often it was told of its tools.
        tokens: About how many tokens their definitions had, all times together.
        last_at: When it asked for something last.
        unseen: How often it called tools that it does not see, by their names; of `MOST_UNSEEN` names at most.
    """

    calls: int
    lists: int
    tokens: int
    last_at: datetime
    unseen: Mapping[str, int] = MappingProxyType({})

    def with_unseen(self, name: str) -> AgentUse:
        """Return it with one more call of a tool that the agent does not see; the oldest name is forgotten."""
        counted = {**self.unseen, name: self.unseen.get(name, 0) + 1}
        return self._replace(unseen=dict(list(counted.items())[-MOST_UNSEEN:]))


class AgentServer:
    """Answer what agents ask for; on the executor's loop.

    Args:
        agent_of: Returns whose request it is.
        agent_here: Returns whose request is read right now, before it is known what it asks for.
        state_key: What seals the states that clients come back with.

    Attributes:
        server: The server of the SDK, which any transport can serve.
        uses: What each agent did, by its name.
        tasks: The calls that agents ask after.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        agent_of: AgentOf,
        agent_here: AgentHere,
        calls: AgentCalls,
        *,
        render_prompt: RenderPrompt,
        state_key: bytes,
        version: str = "",
    ) -> None:
        self._agent_of = agent_of
        self._agent_here = agent_here
        self._calls = calls
        self._registry = registry
        self._render_prompt = render_prompt
        self._offered = ServedTools(registry)
        self.uses: dict[str, AgentUse] = {}
        self._announcements = Announcements()
        self._resources = ServedResources(
            registry, lambda: self._announcements.list_changed(ResourcesListChanged), self._announcements.updated
        )
        self._reading = MultiRoundRequests()
        self._loop = asyncio.get_running_loop()
        self._unwatch = registry.watch(self._on_registry_change)
        self.server: Server[Any] = _TellingServer(
            _NAME,
            title="Tool Console",
            version=version,
            instructions=_INSTRUCTIONS,
            # Else the SDK lists all tools before each call, which takes longer than the call.
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_completion=self._complete,
            on_subscriptions_listen=self._listen,
        )
        self.server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_log_level)
        self._sealed = SealedStates(state_key, self._agent_name, _NAME)
        # The SDK's own one makes spans, which nothing here takes.
        self.server.middleware[:] = self._sealed, hand_on
        self._said_of_us = {SERVER_INFO_META_KEY: self.server.server_info_stamp}
        self.tasks = AgentTasks(calls, self._called, self._agent_name)
        self.tasks.add_to(self.server)

    async def _list_tools(self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None) -> Any:
        self._announcements.session_of(context)
        agent = self._agent_of(context)
        # Any call may be made as a task, where there are some.
        more = {"execution": {"taskSupport": "optional"}} if context.protocol_version == TASKS_VERSION else {}
        offered = self._offered.of(agent)
        self._note_use(agent, lists=1, tokens=sum(tool.tokens for tool in offered))
        return handed_on(context, {"tools": [{**definition_for(context, tool.definition), **more} for tool in offered]})

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        """Return the input schema of a tool, which the headers of a call are compared with."""
        agent = self._agent_here()
        tool = None if agent is None else self._offered.find(agent, name)
        document = None if tool is None else tool.definition.get("inputSchema")
        return document if isinstance(document, dict) else None

    def _agent_name(self, context: ServerRequestContext[Any, Any]) -> str:
        return self._agent_of(context).name

    def _called(
        self, context: ServerRequestContext[Any, Any], name: str, request_state: str | None = None
    ) -> tuple[Agent, ServedTool]:
        """Return who calls which tool, and count the call unless its client comes back to one that is held."""
        agent = self._agent_of(context)
        tool = self._offered.find(agent, name)
        if tool is None:
            self._note_unseen(agent, name)
            raise MCPError(types.INVALID_PARAMS, f"no tool is called {name!r}; list the tools")
        self._note_use(agent, calls=int(request_state is None))
        return agent, tool

    async def _call_tool(self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> Any:
        agent, tool = self._called(context, params.name, params.request_state)
        asking = self._asking(context, params.input_responses)
        answer = await self._calls.answer(
            context, agent, tool, params.arguments or {}, asking, request_state=params.request_state
        )
        return answer if isinstance(answer, types.InputRequiredResult) else handed_on(context, answer)

    async def answer_call(self, context: ServerRequestContext[Any, Any]) -> Any:
        """Answer a call of the newer era whose parameters are known to be good; return the result as the wire has it.

        This is what the SDK does with a request, without what it checks again.
        """
        params = context.params or {}
        agent, tool = self._called(context, params["name"])
        asking = self._asking(context, None)
        answer = await self._calls.answer(context, agent, tool, params.get("arguments") or {}, asking)
        if isinstance(answer, types.InputRequiredResult):
            written = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
            return await self._sealed.sealed(context, {**written, "_meta": self._said_of_us})
        return {**_WHOLE_RESULT, **answer, "_meta": {**(answer.get("_meta") or {}), **self._said_of_us}}

    def has_headers(self, context: ServerRequestContext[Any, Any]) -> bool:
        """Return whether arguments of the tool that a request calls are to stand in headers as well."""
        tool = self._offered.find(self._agent_of(context), (context.params or {})["name"])
        return tool is not None and tool.has_headers

    async def _list_prompts(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> Any:
        self._announcements.session_of(context)
        served = prompts_for(self._agent_of(context), self._registry)
        return handed_on(context, {"prompts": [prompt.definition for prompt in served.values()]})

    async def _get_prompt(self, context: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams) -> Any:
        prompt = prompts_for(self._agent_of(context), self._registry).get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"no prompt is called {params.name!r}; list the prompts")
        asking = self._asking(context, params.input_responses)
        read = await self._reading.result(asking, params.request_state, lambda: self._said(prompt, params.arguments))
        return read if isinstance(read, types.InputRequiredResult) else handed_on(context, read)

    async def _said(self, prompt: ServedPrompt, arguments: Mapping[str, str] | None) -> dict[str, Any]:
        try:
            said = await self._render_prompt(prompt.prompt.name, prompt.read(arguments or {}))
        except ToolError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        if said.written is not None:
            return without_envelope(said.written)
        return {"description": said.description, "messages": said.messages}

    def _asking(
        self, context: ServerRequestContext[Any, Any], given: Mapping[str, types.InputResponse] | None
    ) -> ClientRequest:
        session = self._announcements.session_of(context)
        asking = ClientRequest(context, given or {})
        if session is not None:
            asking.log_level = session.log_level
        return asking

    async def _list_resources(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> Any:
        self._announcements.session_of(context)
        agent = self._agent_of(context)
        own = [definition_of(resource) for resource in self._own_resources(agent)]
        return handed_on(context, {"resources": own + await self._resources.listed(agent)})

    def _own_resources(self, agent: Agent) -> list[BuiltInResource]:
        return list(built_in_resources.seen(self._registry, self._offered.of(agent)))

    async def _list_templates(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> Any:
        return handed_on(context, {"resourceTemplates": await self._resources.templates(self._agent_of(context))})

    async def _read_resource(
        self, context: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> Any:
        agent = self._agent_of(context)
        asking = self._asking(context, params.input_responses)
        own = next((resource for resource in self._own_resources(agent) if resource.uri == params.uri), None)
        if own is not None:
            run = partial(self._calls.outcome_of, context, agent, asking=asking)
            return handed_on(context, await built_in_resources.read(own, run))
        read = await self._reading.result(
            asking, params.request_state, lambda: self._resources.read(context, agent, params.uri)
        )
        return read if isinstance(read, types.InputRequiredResult) else handed_on(context, read)

    async def _subscribe(
        self, context: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        session = self._announcements.session_of(context)
        undo = await self._resources.watch(context, self._agent_of(context), params.uri)
        if session is None or params.uri in session.watched:
            undo()
        else:
            session.watched[params.uri] = undo
        return types.EmptyResult()

    async def _unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        session = self._announcements.session_of(context)
        undo = None if session is None else session.watched.pop(params.uri, None)
        if undo is not None:
            undo()
        return types.EmptyResult()

    async def _listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        agent = self._agent_of(context)
        return await self._announcements.listen(context, params, lambda uri: self._resources.watch(context, agent, uri))

    async def _complete(self, context: ServerRequestContext[Any, Any], params: types.CompleteRequestParams) -> Any:
        agent = self._agent_of(context)
        return handed_on(context, await completed(context, params, agent, self._registry, self._resources))

    async def _set_log_level(
        self, context: ServerRequestContext[Any, Any], params: types.SetLevelRequestParams
    ) -> types.EmptyResult:
        session = self._announcements.session_of(context)
        if session is not None:
            session.log_level = params.level
        return types.EmptyResult()

    def _on_registry_change(self, change: RegistryChange) -> None:
        """Have agents told; a thread may have loaded the tools."""
        self._loop.call_soon_threadsafe(self._follow, change)

    def _follow(self, change: RegistryChange) -> None:
        if change.added or change.removed or change.switched:
            self._announcements.list_changed(ToolsListChanged)
        if change.has_other_prompts:
            self._announcements.list_changed(PromptsListChanged)
        if change.has_other_providers:
            self._resources.follow()

    def tell_of_profiles(self) -> None:
        """Tell agents that what they see may be another now."""
        for changed in (ToolsListChanged, PromptsListChanged, ResourcesListChanged):
            self._announcements.list_changed(changed)

    def _note_use(self, agent: Agent, *, calls: int = 0, lists: int = 0, tokens: int = 0) -> None:
        now = datetime.now(UTC)
        former = self.uses.get(agent.name, AgentUse(0, 0, 0, now))
        self.uses[agent.name] = former._replace(
            calls=former.calls + calls, lists=former.lists + lists, tokens=former.tokens + tokens, last_at=now
        )

    def _note_unseen(self, agent: Agent, name: str) -> None:
        hidden = self._offered.shown(AgentProfile()).tools.get(name)
        self._note_use(agent)
        counted = name[:_LONGEST_NAME] if hidden is None else hidden.tool
        self.uses[agent.name] = self.uses[agent.name].with_unseen(counted)

    async def aclose(self) -> None:
        self._unwatch()
        self._offered.close()
        await self.tasks.aclose()
        await self._reading.aclose()
        await self._resources.aclose()
        await self._announcements.aclose()


class _TellingServer(Server[Any]):
    """Says to sessions of the older era that they are told of changed lists, which the SDK leaves out."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(
            tools_changed=True, prompts_changed=True, resources_changed=True
        )
        said = super().create_initialization_options(options, experimental_capabilities, extensions)
        said.capabilities.tasks = TASKS_CAPABILITY
        return said
