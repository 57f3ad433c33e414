"""Calls as tasks of the revision 2025-11-25: made at once, asked after, and their results fetched when they are there.

Source: MCP 2025-11-25, "Tasks". The SDK has the types only, so its methods are added by hand.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from math import inf
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import MCPError

from tools.errors import RateLimitError, UnavailableError
from tools.gateway.answers import refusal_answer, waiting_words
from tools.gateway.defaults import MOVES_KEY
from tools.gateway.handover import HandedTask
from tools.gateway.held_calls import HeldRequest, Waiting
from tools.gateway.http_timeouts import GONE
from tools.gateway.verbatim_results import result_for, session_id

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.lowlevel import Server
    from pydantic import JsonValue

    from tools.calls import Progress
    from tools.gateway.agent_calls import AgentCalls
    from tools.gateway.agents import Agent
    from tools.gateway.held_calls import HeldCall
    from tools.gateway.served_tools import ServedTool

TASKS_VERSION: Final = "2025-11-25"
"""The one revision that has tasks in its core."""

TASKS_CAPABILITY: Final = types.ServerTasksCapability(
    list=types.TasksListCapability(),
    cancel=types.TasksCancelCapability(),
    requests=types.ServerTasksRequestsCapability(tools=types.TasksToolsCapability(call=types.TasksCallCapability())),
)
"""What clients are told that they may do with tasks."""

MOST_TASKS: Final = 100
"""How many tasks an agent has, at most; the oldest that ended are forgotten first."""

PRESENCE_S: Final = 15.0
"""How long a client counts as there after it asked for its task, in seconds."""

LEAST_TTL_MS: Final = 600_000
"""How long a task is kept at least, in milliseconds."""

_POLL_MS: Final = 1_000
_MOST_TTL_MS: Final = 86_400_000
_RELATED: Final = "io.modelcontextprotocol/related-task"

Called = Callable[["ServerRequestContext[Any, Any]", str], "tuple[Agent, ServedTool]"]
"""Returns whose call it is, and of which tool."""


class AgentTask:
    """A call that an agent asks after.

    While its client asks, the client counts as there: a call that is allowed starts then, and not for nobody. A tool
    that runs is not stopped when its client stays away.

    Args:
        held: The call; None when it is not held any more.
        ttl_ms: How long the task is kept, in milliseconds from its beginning.
        handed: The task as another program handed it over; None for a new one.

    Attributes:
        id: Unguessable.
        ended: What the call is answered with, done when that is there.
        is_cancelled: Whether it was given up.
        ttl_ms: How long the task is kept.
    """

    def __init__(
        self, agent: str, calls: AgentCalls, held: HeldCall | None, ttl_ms: int, handed: HandedTask | None = None
    ) -> None:
        self.id = secrets.token_urlsafe() if handed is None else handed.id
        self.agent = agent
        self.ended: asyncio.Future[dict[str, JsonValue]] = asyncio.get_running_loop().create_future()
        self.is_cancelled = False
        self._calls = calls
        self._held = held
        self.ttl_ms = ttl_ms
        self._updated_at = datetime.now(UTC)
        self._created_at = self._updated_at if handed is None else handed.created_at
        self._said = ""
        self._gone: asyncio.Future[None] | None = None
        self._leaves: asyncio.TimerHandle | None = None
        self._attending: asyncio.Task[None] | None = None
        if handed is not None:
            self.is_cancelled = handed.is_cancelled
        if handed is not None and handed.answer is not None:
            self.ended.set_result(handed.answer)
        elif held is None:
            # Its call ended, and its outcome was taken by another request.
            self._end(refusal_answer("another request with the same arguments took the outcome of this call"))

    @property
    def left_s(self) -> float:
        """How long it is still kept, in seconds."""
        ends = self._created_at + timedelta(milliseconds=self.ttl_ms)
        return max(0.0, (ends - datetime.now(UTC)).total_seconds())

    @property
    def handed(self) -> HandedTask:
        """The task, for another program."""
        return HandedTask(
            id=self.id,
            agent=self.agent,
            held_id="" if self._held is None else self._held.id,
            ttl_ms=self.ttl_ms,
            created_at=self._created_at,
            answer=self.ended.result() if self.ended.done() else None,
            is_cancelled=self.is_cancelled,
        )

    @property
    def state(self) -> types.Task:
        """How it stands, as clients are told."""
        return types.Task(
            task_id=self.id,
            # WORKAROUND @modelcontextprotocol/sdk 1.32.2: its client fetches no result of a task that failed, so an
            # agent would not read why a person refused. The result says whether it is an error.
            status="cancelled" if self.is_cancelled else "completed" if self.ended.done() else "working",
            status_message=self._said or None,
            created_at=self._created_at.isoformat(),
            last_updated_at=self._updated_at.isoformat(),
            ttl=self.ttl_ms,
            poll_interval=_POLL_MS,
        )

    def attend(self) -> None:
        """Count its client as there from now on, for a while."""
        if self._held is None or self.ended.done():
            return
        loop = asyncio.get_running_loop()
        if self._leaves is not None:
            self._leaves.cancel()
        if self._attending is None or self._attending.done():
            gone = self._gone = loop.create_future()
            self._attending = loop.create_task(self._attend(self._held, gone), name="task of an agent")
        self._leaves = loop.call_later(PRESENCE_S, self._leave)

    def _leave(self) -> None:
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)

    async def _attend(self, held: HeldCall, gone: asyncio.Future[None]) -> None:
        try:
            outcome = await self._calls.held.outcome(held, HeldRequest(self._note, inf, gone, stops=False))
        except UnavailableError as error:
            self._end(refusal_answer(str(error)))
            return
        if not isinstance(outcome, Waiting):
            self._end(self._calls.answer_of(outcome))

    def _note(self, progress: Progress | Waiting) -> None:
        self._say(waiting_words(progress) if isinstance(progress, Waiting) else progress.text)

    def _say(self, words: str) -> None:
        self._said, self._updated_at = words, datetime.now(UTC)

    def _end(self, answer: dict[str, JsonValue]) -> None:
        self._say("")
        if not self.ended.done():
            self.ended.set_result({**answer, "_meta": {_RELATED: {"taskId": self.id}}})

    def cancel(self) -> None:
        self.is_cancelled = True
        self._end(refusal_answer("the task was cancelled"))
        if self._held is not None:
            self._held.stop()

    async def aclose(self) -> None:
        """Wait for the call no longer."""
        if self._leaves is not None:
            self._leaves.cancel()
        if self._attending is not None:
            self._attending.cancel()
            await asyncio.wait({self._attending})


class AgentTasks:
    """Keep the tasks of agents, and answer what clients ask about them; on the executor's loop.

    Args:
        called: Returns whose call it is, and of which tool, by the tool's name.
    """

    def __init__(
        self, calls: AgentCalls, called: Called, agent_name: Callable[[ServerRequestContext[Any, Any]], str]
    ) -> None:
        self._calls = calls
        self._called = called
        self._agent_name = agent_name
        self._tasks: dict[str, AgentTask] = {}
        self._expiring: dict[str, asyncio.TimerHandle] = {}

    def add_to(self, server: Server[Any]) -> None:
        """Have a server answer what clients ask about tasks."""
        server.middleware.append(self._begin)
        server.add_request_handler("tasks/get", types.GetTaskRequestParams, self._get)
        server.add_request_handler("tasks/result", types.GetTaskPayloadRequestParams, self._result)
        server.add_request_handler("tasks/cancel", types.CancelTaskRequestParams, self._cancel)
        server.add_request_handler("tasks/list", types.PaginatedRequestParams, self._list)

    async def _begin(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Make a task of a call that asks for one.

        WORKAROUND mcp 2.3.0: a handler of `tools/call` may answer with results only, a middleware with a task as well.
        """
        params = ctx.params or {}
        if ctx.method != "tools/call" or ctx.protocol_version != TASKS_VERSION or params.get("task") is None:
            return await call_next(ctx)
        asked = types.CallToolRequestParams.model_validate(params, by_name=False)
        agent, tool = self._called(ctx, asked.name)
        self._make_room(agent)
        try:
            await self._calls.admit(agent)
            held = self._calls.held.attach(agent, tool.tool, asked.arguments or {}, session=session_id(ctx))
        except (RateLimitError, UnavailableError) as error:
            raise MCPError(types.INVALID_REQUEST, str(error)) from error
        ttl_ms = asked.task.ttl if asked.task is not None and asked.task.ttl is not None else LEAST_TTL_MS
        task = AgentTask(agent.name, self._calls, held, min(max(ttl_ms, LEAST_TTL_MS), _MOST_TTL_MS))
        self._add(task)
        task.attend()
        return types.CreateTaskResult(task=task.state)

    def _add(self, task: AgentTask) -> None:
        self._tasks[task.id] = task
        self._expiring[task.id] = asyncio.get_running_loop().call_later(task.left_s, self._expire, task)

    def take(self, handed: Iterable[HandedTask]) -> None:
        """Keep the tasks that another program handed over; their calls are held already."""
        for task in handed:
            self._add(AgentTask(task.agent, self._calls, self._calls.held.find(task.held_id), task.ttl_ms, task))

    def hand_over(self) -> tuple[HandedTask, ...]:
        """Give up no task any more when its time is over, and return all of them, for another program."""
        for expiring in self._expiring.values():
            expiring.cancel()
        return tuple(task.handed for task in self._tasks.values())

    def _make_room(self, agent: Agent) -> None:
        own = [task for task in self._tasks.values() if task.agent == agent.name]
        if len(own) < MOST_TASKS:
            return
        ended = next((task for task in own if task.ended.done()), None)
        if ended is None:
            message = f"expected at most {MOST_TASKS} tasks that are not ended; wait for some of them, or cancel them"
            raise MCPError(types.INVALID_REQUEST, message)
        self._forget(ended)

    def _expire(self, task: AgentTask) -> None:
        if not task.ended.done():
            task.cancel()
        self._forget(task)

    def _forget(self, task: AgentTask) -> None:
        self._expiring.pop(task.id).cancel()
        del self._tasks[task.id]

    def _find(self, ctx: ServerRequestContext[Any, Any], task_id: str) -> AgentTask:
        task = self._tasks.get(task_id)
        if task is None or task.agent != self._agent_name(ctx):
            raise MCPError(types.INVALID_PARAMS, f"no task is called {task_id!r}; list the tasks")
        return task

    async def _get(self, ctx: ServerRequestContext[Any, Any], params: types.GetTaskRequestParams) -> types.Task:
        task = self._find(ctx, params.task_id)
        task.attend()
        return task.state

    async def _result(
        self, ctx: ServerRequestContext[Any, Any], params: types.GetTaskPayloadRequestParams
    ) -> dict[str, Any]:
        task = self._find(ctx, params.task_id)
        held = self._calls.held
        ends: set[asyncio.Future[Any]] = {task.ended, held.moving}
        gone = None if ctx.request is None else ctx.request.scope.get(GONE)
        if gone is not None:
            ends.add(gone)
        while not any(end.done() for end in ends):
            task.attend()
            await asyncio.wait(ends, timeout=PRESENCE_S / 2, return_when=asyncio.FIRST_COMPLETED)
        if task.ended.done():
            return dict(result_for(ctx, task.ended.result()))
        if held.moving.done():
            await held.moved()
            message = "another program begins to serve the tools, and has the task; ask for its result again"
            raise MCPError(types.INTERNAL_ERROR, message, {MOVES_KEY: True})
        return {}

    async def _cancel(self, ctx: ServerRequestContext[Any, Any], params: types.CancelTaskRequestParams) -> types.Task:
        task = self._find(ctx, params.task_id)
        if task.ended.done():
            raise MCPError(types.INVALID_PARAMS, f"expected a task that works, got one that is {task.state.status}")
        task.cancel()
        return task.state

    async def _list(
        self, ctx: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams
    ) -> types.ListTasksResult:
        name = self._agent_name(ctx)
        return types.ListTasksResult(tasks=[task.state for task in self._tasks.values() if task.agent == name])

    async def aclose(self) -> None:
        for task in list(self._tasks.values()):
            self._forget(task)
            await task.aclose()
