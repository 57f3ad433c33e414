"""One call of a step: its arguments worked out, made, made again when it failed, stopped in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.clock import ReviewClock
from tools.batch.expressions import (
    Expression,
    ExpressionError,
    compiled,
    expression_of,
    templates_in,
    used_in,
    worked_out,
)
from tools.batch.journal import Ended
from tools.batch.plan import title_of
from tools.batch.states import StepState
from tools.calls import MASK, CallOrigin, CallStatus, ToolCall
from tools.errors import ExitEarlyError, HistoryError, MayHaveRunError, ReviewTimeoutError, ToolConfigurationError
from tools.spec import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch.agreement import Agreement
    from tools.batch.cluster import Cluster
    from tools.batch.expressions import Filled
    from tools.batch.journal import Keeper
    from tools.batch.plan import BatchPlan, Step
    from tools.execution import Executor
    from tools.execution.workers.start import Places
    from tools.metrics import ToolMetrics
    from tools.registry import ToolRegistry
    from tools.tool import Tool

_STATES: Final[Mapping[CallStatus, StepState]] = {
    CallStatus.DENIED: StepState.DENIED,
    CallStatus.TIMED_OUT: StepState.TIMED_OUT,
    CallStatus.CANCELLED: StepState.CANCELLED,
    CallStatus.ABORTED: StepState.CANCELLED,
}
_PENDING: Final = CallStatus.PENDING
_EXECUTED: Final = CallStatus.EXECUTED
_LOOK_AGAIN_S: Final = 1.0
"""Seconds that a call has left after an answer that came when its time was up already."""
_SAID: Final[Mapping[StepState, str]] = {
    StepState.FAILED: "it failed",
    StepState.DENIED: "it was denied",
    StepState.TIMED_OUT: "it took too long",
    StepState.CANCELLED: "it was cancelled",
    StepState.MAY_HAVE_RUN: "it may have run",
}
_AGAIN: Final = frozenset({StepState.FAILED, StepState.TIMED_OUT})


class ReadyStep(NamedTuple):
    """One step with its expressions read.

    Attributes:
        name: Its id.
        step: The step.
        tool: Its tool; None when no tool has that name now.
        arguments: The arguments, with templates in them.
        condition: What must hold; None when nothing must.
        rows: The rows, with templates in them, where the plan says them itself; None when it does not.
        needs: The steps that must have ended: those it says, and those it uses.
        uses: The steps whose results or states it uses.
        is_plain: Whether nothing of it has to be worked out when it begins.
        is_idempotent: Whether a call of it may be made twice.
        hides: Whether its tool hides anything of its arguments or its result.
        retries: How often a call that failed is made again.
        called: The name by which the plan calls its tool.
        timeout_s: Seconds one call may take; None has no further limit.
    """

    name: str
    step: Step
    tool: Tool | None
    arguments: Filled
    condition: Expression | None
    rows: Filled
    needs: tuple[str, ...]
    uses: tuple[str, ...]
    is_plain: bool
    is_idempotent: bool
    hides: bool
    retries: int
    called: str
    timeout_s: float | None


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
    condition = expression_of(step.condition) if step.condition else None
    rows = compiled(step.rows.values) if step.rows is not None else None
    arguments = compiled(step.arguments)
    is_plain = condition is None and step.rows is None and not any(True for _ in templates_in(arguments))
    is_idempotent = tool is not None and tool.spec.idempotent
    hides = tool is not None and hides_something(tool)
    retries = step.retries if is_idempotent else 0
    uses = used_in([arguments, rows], condition)
    needs = tuple(dict.fromkeys((*step.depends_on, *uses)))
    facts = is_plain, is_idempotent, hides, retries, step.tool, step.timeout_s
    return ReadyStep(step.id, step, tool, arguments, condition, rows, needs, uses, *facts)


def usual_s(steps: Mapping[str, ReadyStep], metrics: ToolMetrics) -> dict[str, float]:
    """Return what each step usually takes in seconds, by what is known of its tool; 0 when nothing is."""
    names = {name: ready.step.tool if ready.tool is None else ready.tool.name for name, ready in steps.items()}
    usual = {tool: (metrics.stats(tool).p50_ms or 0.0) / 1000 for tool in set(names.values())}
    return {name: usual[tool] for name, tool in names.items()}


def hides_something(tool: Tool) -> bool:
    """Return whether what a tool is given or returns is not for everybody's eyes."""
    security = tool.policies.security
    return tool.masking is not None or (security is not None and (security.sensitive or security.encrypt))


def shown_arguments(tool: Tool | None, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return arguments as people may see them, although they may not fit the tool, or not yet."""
    masking = None if tool is None else tool.masking
    return arguments if masking is None else masking.arguments(arguments, fit=False)


def caller_of(plan: BatchPlan, file: Path | None = None) -> str:
    """Return who makes the calls of a plan; one without a name is called like the file it stands in."""
    return f"batch: {title_of(plan.name, file)}"


class Performer:
    """Make the calls of a run.

    Args:
        executor: Runs them.
        keeper: What began and ended is written there.
        caller: Who makes them.
        owner: What they belong to.
        stop: Told why nothing more is to begin, when a reviewer ends the whole run.

    Attributes:
        caller: Who makes them.
        agreement: What somebody agreed to before; None when nobody was asked.
        cluster: Where tools run that can run elsewhere; None runs all of them here.
    """

    def __init__(
        self,
        executor: Executor,
        keeper: Keeper,
        caller: str,
        owner: object,
        stop: Callable[[str], None],
    ) -> None:
        self._executor = executor
        self._keeper = keeper
        self.caller = caller
        self._origin = CallOrigin(owner)
        self._step_by_call: dict[ToolCall, str] = {}
        self._review_clocks: dict[str, ReviewClock] = {}
        self.agreement: Agreement | None = None
        self.cluster: Cluster | None = None
        self._stop = stop

    async def perform(
        self, ready: ReadyStep, row: int | None, scope: Mapping[str, Any], mark: int = 0
    ) -> tuple[Ended, int]:
        """Make the call of a step, or of one of its rows; return how it ended, and where the result is kept.

        Args:
            ready: The step.
            row: The number of the row, from 0 on; None when the step has none.
            scope: What its expressions look at.
            mark: By what the row is known again.
        """
        name, keeper = ready.name, self._keeper
        began = perf_counter()
        try:
            arguments = ready.arguments if ready.is_plain else worked_out(ready.arguments, scope)
        except ExpressionError as error:
            ended = Ended(StepState.FAILED, None, str(error))
            return ended, keeper.end(name, row, ended)
        start = None
        if ready.is_idempotent:
            keeper.begin(name, row, mark)
        else:
            start = _Start(self._executor, keeper, (name, row, mark), began)
        reviewed_s = 0.0 if row is not None else self.review_s(name)
        call, state, why = await self._make(ready, arguments, start=start)
        if start is not None and start.problem is not None:
            raise start.problem
        attempts = 1
        while attempts <= ready.retries and state in _AGAIN:
            attempts += 1
            call, state, why = await self._make(ready, arguments, call.id)
        value = call.response.json_result if state.succeeded else None
        # Whoever is cancelled while somebody is asked, say, has not begun, and may simply begin another time.
        made = "" if state is StepState.CANCELLED and not call.response.attempts and attempts == 1 else call.id
        ended = Ended(state, None if value is MISSING else value, why, perf_counter() - began, attempts, made)
        if row is None:
            ended = ended._replace(review_s=self.review_s(name) - reviewed_s)
        if ready.hides or call.answered_by is not None:
            ended = _shown(ended, call)
        place = keeper.end(name, row, ended)
        if not ready.is_idempotent:
            await keeper.settle()
        return ended, place

    async def _make(
        self, ready: ReadyStep, arguments: Mapping[str, Any], retry_of: str = "", start: _Start | None = None
    ) -> tuple[ToolCall, StepState, str]:
        """Make one call; return it, how it ended, and why it did not succeed."""
        origin = self._origin._replace(retry_of=retry_of) if retry_of else self._origin
        call = await self._executor.propose(ready.called, arguments, caller=self.caller, origin=origin)
        response = call.response
        limit: _Limit | None = None
        if response.status is _PENDING:
            self._step_by_call[call] = ready.name
            clock = self._review_clocks.setdefault(ready.name, ReviewClock())
            call.on_review = clock.on_review
            clock.begin()
            begins = None
            if ready.timeout_s is not None:
                limit = _Limit(call, ready.timeout_s)
                begins = limit.start
            try:
                if self.agreement is not None:
                    await self.agreement.bring(call, ready.name)
                places = self._places(call, begins, start)
                await self._executor.execute(call, places=places, released=start)
            except ExitEarlyError as error:
                # The response says that it was denied.
                self._stop(f"the reviewer stopped the run: {error}")
            except (ToolConfigurationError, ReviewTimeoutError):
                # The response says the same.
                pass
            finally:
                del self._step_by_call[call]
                clock.end()
                if limit is not None:
                    limit.stop()
        if response.status is _EXECUTED:
            return call, StepState.CACHED if response.from_cache else StepState.DONE, ""
        if limit is not None and limit.has_passed:
            return call, StepState.TIMED_OUT, f"it took longer than the {ready.timeout_s:g} s that the plan gives it"
        if response.error is not None and response.error.type_name == MayHaveRunError.__name__:
            return call, StepState.MAY_HAVE_RUN, response.error.message
        message = response.error.message if response.error is not None else response.status.value.replace("_", " ")
        return call, _STATES.get(response.status, StepState.FAILED), message

    def _places(self, call: ToolCall, begins: Callable[[], None] | None, start: _Start | None) -> Places | None:
        """Return where a tool runs, None for here; what its time begins with is told when that is."""
        if self.cluster is not None and call.tool is not None:
            # There a call may wait long for its place.
            places = self.cluster.places_for(call.tool, begins)
            if places is not None:
                return places
        if begins is not None:
            begins()
        if start is not None:
            start.begins = begins
        return None

    def cancel(self, name: str = "") -> None:
        """Stop the calls of one step, or of all."""
        for call, step in list(self._step_by_call.items()):
            if not name or step == name:
                call.cancel()

    def review_s(self, name: str) -> float:
        """Return for how long nothing of a step ran because a person was asked about it."""
        clock = self._review_clocks.get(name)
        return 0.0 if clock is None else clock.total_s

    def step_of(self, call: ToolCall) -> str:
        """Return the step that a call under way belongs to; empty when it is none of these."""
        return self._step_by_call.get(call, "")


def _shown(ended: Ended, call: ToolCall) -> Ended:
    """Return how a call ended with what people may see of it: of a sensitive one neither its result nor its words."""
    if call.sensitive:
        error = f"{_SAID.get(ended.state, _SAID[StepState.FAILED])}; its tool is sensitive, so no more is told"
        return ended._replace(error=error if ended.error else "", shown=None if ended.value is None else MASK)
    shown = call.display_result() if ended.state.succeeded else MISSING
    return ended._replace(shown=shown)


class _Start:
    """Put on record for good that a call begins, once nobody is asked about it any more and before its tool starts.

    Whoever is asked when the program dies did not let it begin, so it may simply be asked about again.

    Args:
        executor: Runs the call; its history has the call first, so that no death of the program leaves one that began
            by its journal and is missing there.
        keeper: Where it is written.
        what: The step, the number of its row, and by what that is known again.
        came: When the call came up, as `perf_counter` said.

    Attributes:
        begins: Called when its time begins to count; None when something else sees to that.
        problem: Why it cannot be written; None when it can.
    """

    def __init__(self, executor: Executor, keeper: Keeper, what: tuple[str, int | None, int], came: float) -> None:
        self._executor = executor
        self._keeper = keeper
        self._what = what
        self._came = came
        self.begins: Callable[[], None] | None = None
        self.problem: HistoryError | None = None

    async def __call__(self) -> None:
        """Write it down, and return when the disk has it."""
        try:
            if self._keeper.outlives_program:
                await self._executor.until_recorded()
            self._keeper.begin(*self._what, waited_s=perf_counter() - self._came, is_once=True)
            await self._keeper.settle()
        except HistoryError as error:
            self.problem = error
            raise
        if self.begins is not None:
            self.begins()


class _Limit:
    """Stop a call after a time in which nobody was asked about it."""

    def __init__(self, call: ToolCall, limit_s: float) -> None:
        self.has_passed = False
        self._call = call
        self._limit_s = limit_s
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Count from now on; from the beginning where the call begins once more."""
        self.stop()
        self._timer = self._loop.call_later(self._limit_s, self._on_time)

    def _on_time(self) -> None:
        if self._call.response.status is CallStatus.WAITING_FOR_REVIEW:
            self._timer = self._loop.call_later(_LOOK_AGAIN_S, self._on_time)
        else:
            self.has_passed = self._call.cancel()

    def stop(self) -> None:
        """Count no more."""
        if self._timer is not None:
            self._timer.cancel()
