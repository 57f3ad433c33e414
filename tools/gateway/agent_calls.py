"""Calls of agents: made, held, and answered in the way that each client understands when a person takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tools.calls import Progress
from tools.errors import GatewayError, RateLimitError, UnavailableError
from tools.execution.rate_limits import TokenBucket
from tools.gateway.answers import answer_of, fitted, refusal_answer, waiting_answer, waiting_words
from tools.gateway.handover import KnownAnswer
from tools.gateway.held_calls import HeldRequest, Waiting
from tools.gateway.http_timeouts import GONE, WRITTEN
from tools.gateway.request_states import LAST_ROUND, RequestState
from tools.gateway.verbatim_results import result_for, session_id
from tools.spec import RateLimit

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from pydantic import JsonValue

    from tools.gateway.agents import Agent
    from tools.gateway.client_questions import ClientRequest
    from tools.gateway.held_calls import HeldCalls, Outcome
    from tools.gateway.hold_times import HoldTimes
    from tools.gateway.served_tools import ServedTool


class AgentCalls:
    """Make the calls that agents ask for; on the executor's loop.

    A request is held while a person is asked, as long as its client bears it. After that, clients of the newer era are
    given a sealed state to come back with, which their libraries do by themselves; the others are told to call again.

    Args:
        held: Holds the calls that wait for a person.
        hold_times: Knows how long clients bear to wait.
        calls_a_minute: How many calls an agent may make in a minute.
        largest_result_bytes: The size of the largest result that is handed on.
        keeps_history: Whether a person finds whole results in the history.

    Attributes:
        held: Holds the calls that wait for a person.
    """

    def __init__(
        self,
        held: HeldCalls,
        hold_times: HoldTimes,
        *,
        calls_a_minute: int,
        largest_result_bytes: int,
        keeps_history: bool,
    ) -> None:
        self.held = held
        self._hold_times = hold_times
        self._buckets: dict[str, TokenBucket] = {}
        self.limit(calls_a_minute)
        self._largest_bytes = largest_result_bytes
        self._keeps_history = keeps_history

    async def answer(
        self,
        context: ServerRequestContext[Any, Any],
        agent: Agent,
        tool: ServedTool,
        arguments: Mapping[str, Any],
        asking: ClientRequest,
        *,
        request_state: str | None = None,
    ) -> Mapping[str, Any] | types.InputRequiredResult:
        """Make a call, or come back to one that is held, and return what its request is answered with.

        Returns:
            The result as the agent gets it, or that the client is to come back.
        """
        state = None if request_state is None else RequestState.read(request_state)
        progress = _ProgressReport(context)
        client = client_name(context)
        scope = {} if context.request is None else context.request.scope
        is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        request = HeldRequest(
            progress,
            self._hold_times.of(agent, client),
            scope.get(GONE),
            takes_questions=is_modern,
            written=scope.get(WRITTEN),
        )
        loop = asyncio.get_running_loop()
        began = loop.time()
        is_left = True
        try:
            if state is None:
                await self.admit(agent)
            held_id = "" if state is None else state.held_id
            held = self.held.attach(agent, tool.tool, arguments, held_id, session_id(context))
            outcome = await held.client.attended(asking, self.held.outcome(held, request))
            is_left = request.is_gone
        except (RateLimitError, UnavailableError) as error:
            is_left = False
            return refusal_answer(str(error))
        except GatewayError as error:
            is_left = False
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        finally:
            if is_left and progress.is_waiting:
                self._hold_times.note_left(agent, client, loop.time() - began)
            await progress.aclose()
        if not isinstance(outcome, Waiting):
            return result_for(context, self.answer_of(outcome))
        rounds = 0 if state is None else state.round
        questions = held.client.requests if is_modern else {}
        if questions or (is_modern and rounds < LAST_ROUND):
            return types.InputRequiredResult(
                input_requests=dict(questions) or None,
                request_state=RequestState(outcome.held_id, rounds + 1).written(),
            )
        return waiting_answer(outcome, has_output="outputSchema" in tool.definition)

    async def outcome_of(
        self, context: ServerRequestContext[Any, Any], agent: Agent, tool: str, asking: ClientRequest
    ) -> Outcome | Waiting:
        """Make a call without arguments for a request that is none of a tool, and return what came of it.

        Raises:
            MCPError: No further call is made now.
        """
        scope = {} if context.request is None else context.request.scope
        request = HeldRequest(lambda _: None, self._hold_times.of(agent, client_name(context)), scope.get(GONE))
        try:
            await self.admit(agent)
            held = self.held.attach(agent, tool, {}, session=session_id(context))
            return await held.client.attended(asking, self.held.outcome(held, request))
        except (RateLimitError, UnavailableError) as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error

    def answer_of(self, call: Outcome) -> dict[str, JsonValue]:
        """Return what a request is answered with when its call ended, at most as large as is handed on."""
        if isinstance(call, KnownAnswer):
            return call.answer
        whole_at = f"the history of Tool Console, call {call.id}" if self._keeps_history else ""
        return fitted(answer_of(call), call, self._largest_bytes, whole_at)

    def limit(self, calls_a_minute: int) -> None:
        self._limit = RateLimit(requests=calls_a_minute, per_s=60.0, burst_size=calls_a_minute, throw_on_limit=True)
        self._buckets.clear()

    async def admit(self, agent: Agent) -> None:
        """Count a call of an agent.

        Raises:
            RateLimitError: It makes too many.
        """
        bucket = self._buckets.get(agent.name)
        if bucket is None:
            bucket = self._buckets[agent.name] = TokenBucket(self._limit)
        await bucket.acquire()


def client_name(context: ServerRequestContext[Any, Any]) -> str:
    """Return what the program of an agent calls itself; empty when it does not say."""
    params = context.session.client_params
    return "" if params is None else params.client_info.name


class _ProgressReport:
    """Passes on how far a call is, in its order and without holding it up; the numbers only grow.

    Attributes:
        is_waiting: Whether the call waits for a person, as far as the request was told.
    """

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self.is_waiting = False
        self._context = context
        self._newest: Progress | Waiting | None = None
        self._last = 0.0
        self._sending: asyncio.Task[None] | None = None

    def __call__(self, progress: Progress | Waiting) -> None:
        self.is_waiting = isinstance(progress, Waiting)
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
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)


_LEAST: Final = 1e-6
