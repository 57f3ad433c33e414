"""One call of a step: its arguments worked out, made, made again when it failed, stopped in time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.expressions import Expression, ExpressionError, compiled, needs_of, templates_in, worked_out
from tools.batch.journal import Ended
from tools.batch.states import StepState
from tools.calls import CallOrigin, CallStatus, ToolCall
from tools.errors import ReviewTimeoutError, ToolConfigurationError
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.batch.expressions import Filled
    from tools.batch.journal import Keeper
    from tools.batch.plan import BatchPlan, Step
    from tools.execution import Executor
    from tools.registry import ToolRegistry
    from tools.tool import Tool

_STATES: Final[Mapping[CallStatus, StepState]] = {
    CallStatus.DENIED: StepState.DENIED,
    CallStatus.TIMED_OUT: StepState.TIMED_OUT,
    CallStatus.CANCELLED: StepState.CANCELLED,
    CallStatus.ABORTED: StepState.CANCELLED,
}
_LOOK_AGAIN_S: Final = 1.0
"""Seconds that a call has left after an answer that came when its time was up already."""
_AGAIN: Final = frozenset({StepState.FAILED, StepState.TIMED_OUT})


class ReadyStep(NamedTuple):
    """One step with its expressions read.

    Attributes:
        step: The step.
        tool: Its tool; None when no tool has that name now.
        arguments: The arguments, with templates in them.
        condition: What must hold; None when nothing must.
        rows: The rows, with templates in them, where the plan says them itself; None when it does not.
        needs: The steps that must have ended: those it says, and those whose results it uses.
        is_plain: Whether nothing of it has to be worked out when it begins.
        is_idempotent: Whether a call of it may be made twice.
    """

    step: Step
    tool: Tool | None
    arguments: Filled
    condition: Expression | None
    rows: Filled
    needs: tuple[str, ...]
    is_plain: bool
    is_idempotent: bool


def ready_steps(plan: BatchPlan, registry: ToolRegistry) -> dict[str, ReadyStep]:
    """Return the steps of a plan with their expressions read.

    Raises:
        ExpressionError: When one cannot be read.
    """
    return {step.id: ready_step(step, registry) for step in plan.steps}


def ready_step(step: Step, registry: ToolRegistry) -> ReadyStep:
    """Return one step with its expressions read.

    Raises:
        ExpressionError: When one cannot be read.
    """
    tool = registry.lookup(step.tool) or registry.find(step.tool)
    condition = Expression(step.condition) if step.condition else None
    rows = compiled(step.rows.values) if step.rows is not None else None
    arguments = compiled(step.arguments)
    is_plain = condition is None and step.rows is None and not any(True for _ in templates_in(arguments))
    is_idempotent = tool is not None and tool.spec.idempotent
    return ReadyStep(step, tool, arguments, condition, rows, needs_of(step), is_plain, is_idempotent)


class Performer:
    """Make the calls of a run.

    Args:
        executor: Runs them.
        keeper: What began and ended is written there.
        caller: Who makes them.
        owner: What they belong to.
    """

    def __init__(self, executor: Executor, keeper: Keeper, caller: str, owner: object) -> None:
        self._executor = executor
        self._keeper = keeper
        self._caller = caller
        self._origin = CallOrigin(owner)
        self._step_by_call: dict[ToolCall, str] = {}

    async def perform(self, ready: ReadyStep, row: int | None, scope: Mapping[str, Any]) -> tuple[Ended, int]:
        """Make the call of a step, or of one of its rows; return how it ended, and where the result is kept.

        Raises:
            ExitEarlyError: When a reviewer stopped the whole run; the end of the call is written down.
        """
        name = ready.step.id
        began = perf_counter()
        try:
            arguments = ready.arguments if ready.is_plain else worked_out(ready.arguments, scope)
        except ExpressionError as error:
            ended = Ended(StepState.FAILED, None, str(error))
            return ended, self._keeper.end(name, row, ended)
        self._keeper.begin(name, row)
        if not ready.is_idempotent:
            await self._keeper.settle()
        made = await self._make(ready, arguments)
        attempts = 1
        while attempts <= ready.step.retries and ready.is_idempotent and made.state in _AGAIN:
            attempts += 1
            made = await self._make(ready, arguments, made.call.id)
        response = made.call.response
        value = response.json_result if made.state.succeeded and response.json_result is not MISSING else None
        ended = Ended(made.state, value, made.error, perf_counter() - began, attempts, made.call.id)
        place = self._keeper.end(name, row, ended)
        if not ready.is_idempotent:
            await self._keeper.settle()
        return ended, place

    async def _make(self, ready: ReadyStep, arguments: Mapping[str, Any], retry_of: str = "") -> _Made:
        origin = self._origin._replace(retry_of=retry_of) if retry_of else self._origin
        call = self._executor.create_call(ready.step.tool, arguments, caller=self._caller, origin=origin)
        if call.response.status.final:
            return _Made(call)
        self._step_by_call[call] = ready.step.id
        limit_s = ready.step.timeout_s
        limit = None if limit_s is None else _Limit(call, limit_s)
        try:
            await self._executor.execute(call)
        except (ToolConfigurationError, ReviewTimeoutError):
            # The response says the same.
            pass
        finally:
            del self._step_by_call[call]
            if limit is not None:
                limit.stop()
        return _Made(call, limit_s if limit is not None and limit.has_passed else None)

    def cancel(self, name: str = "") -> None:
        """Stop the calls of one step, or of all."""
        for call, step in list(self._step_by_call.items()):
            if not name or step == name:
                call.cancel()

    def step_of(self, call: ToolCall) -> str:
        """Return the step that a call under way belongs to; empty when it is none of these."""
        return self._step_by_call.get(call, "")


class _Made(NamedTuple):
    """A call that ended, and the limit of its step that ended it; None when it ended by itself."""

    call: ToolCall
    limit_s: float | None = None

    @property
    def state(self) -> StepState:
        """How it ended."""
        response = self.call.response
        if response.succeeded:
            return StepState.CACHED if response.from_cache else StepState.DONE
        return StepState.TIMED_OUT if self.limit_s is not None else _STATES.get(response.status, StepState.FAILED)

    @property
    def error(self) -> str:
        """Why it did not succeed; empty when it did."""
        response = self.call.response
        if response.succeeded:
            return ""
        if self.limit_s is not None:
            return f"it took longer than the {self.limit_s:g} s that the plan gives it"
        return response.error.message if response.error is not None else response.status.value.replace("_", " ")


class _Limit:
    """Stop a call after a time in which nobody was asked about it."""

    def __init__(self, call: ToolCall, limit_s: float) -> None:
        self.has_passed = False
        self._call = call
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(limit_s, self._on_time)

    def _on_time(self) -> None:
        if self._call.response.status is CallStatus.WAITING_FOR_REVIEW:
            self._timer = self._loop.call_later(_LOOK_AGAIN_S, self._on_time)
        else:
            self.has_passed = self._call.cancel()

    def stop(self) -> None:
        self._timer.cancel()
