"""`CallRunner`: one call of a step; its arguments worked out, made, made again when it failed, stopped in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.batch.clock import ReviewClock
from tools.batch.expressions import ExpressionError, worked_out
from tools.batch.result import StepResult, StepState
from tools.calls import MASK, CallEnd, CallOrigin, CallStatus, ToolCall, end_of
from tools.errors import ExitEarlyError, HistoryError, ReviewTimeoutError, ToolConfigurationError
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.batch.cluster import Cluster, ClusterWorkers
    from tools.batch.plan_approval import PlanApproval
    from tools.batch.result import ResultStore
    from tools.batch.steps import ReadyStep
    from tools.execution import Executor

_STATES: Final[Mapping[CallStatus, StepState]] = {
    CallStatus.DENIED: StepState.DENIED,
    CallStatus.TIMED_OUT: StepState.TIMED_OUT,
    CallStatus.CANCELLED: StepState.CANCELLED,
    CallStatus.ABORTED: StepState.CANCELLED,
}
_POLL_S: Final = 1.0
"""Seconds that a call has left after an answer that came when its time was up already."""
_SENSITIVE: Final[Mapping[StepState, str]] = {
    StepState.DENIED: "it was denied",
    StepState.TIMED_OUT: "it took too long",
    StepState.CANCELLED: "it was cancelled",
    StepState.MAY_HAVE_RUN: "it may have run",
}
_RETRIED: Final = frozenset({StepState.FAILED, StepState.TIMED_OUT})


class CallRunner:
    """Make the calls of a run.

    Args:
        store: Where their begin and end are written.
        caller: The caller of the calls.
        owner: What they belong to.
        stop: Called with the reason when a reviewer ends the whole run.

    Attributes:
        caller: The caller of the calls.
        approval: The approval of the whole plan; None when nobody was asked.
        cluster: Where tools run that can run elsewhere; None runs all of them here.
    """

    def __init__(
        self, executor: Executor, store: ResultStore, caller: str, owner: object, stop: Callable[[str], None]
    ) -> None:
        self.caller = caller
        self.approval: PlanApproval | None = None
        self.cluster: Cluster | None = None
        self._executor = executor
        self._store = store
        self._origin = CallOrigin(owner)
        self._stop = stop
        self._step_by_call: dict[ToolCall, str] = {}
        self._review_clocks: dict[str, ReviewClock] = {}

    async def run_call(
        self, ready: ReadyStep, variables: Mapping[str, Any], row: int | None = None, digest: int = 0
    ) -> tuple[StepResult, int]:
        """Make the call of a step, or of one of its rows; return how it ended, and the place of the result."""
        name, store = ready.name, self._store
        began = perf_counter()
        try:
            arguments = ready.arguments if ready.is_plain else worked_out(ready.arguments, variables)
        except ExpressionError as error:
            ended = StepResult(StepState.FAILED, None, str(error))
            return ended, store.end(name, row, ended)
        start = None
        if ready.is_idempotent:
            store.begin(name, row, digest)
        else:
            start = _OnceStart(store, (name, row, digest), began)
        reviewed_s = self.review_s(name)
        end, state, why = await self._attempt(ready, arguments, start=start)
        if start is not None and start.problem is not None:
            raise start.problem
        attempts = 1
        while attempts <= ready.retries and state in _RETRIED:
            attempts += 1
            end, state, why = await self._attempt(ready, arguments, end.id)
        # A call that was cancelled while a person was asked has not begun, and may simply begin another time.
        made = "" if state is StepState.CANCELLED and not end.has_begun and attempts == 1 else end.id
        # With rows it is the step that waits for a person, not each row.
        review_s = self.review_s(name) - reviewed_s if row is None else 0.0
        value, shown = end.result, end.shown
        if end.sensitive:
            shown = MISSING if value is None else MASK
            why = why and f"{_SENSITIVE.get(state, 'it failed')}; its tool is sensitive, so no more is told"
        ended = StepResult(state, value, why, perf_counter() - began, attempts, made, shown, review_s)
        place = store.end(name, row, ended)
        if not ready.is_idempotent:
            await store.settle()
        return ended, place

    async def _attempt(
        self, ready: ReadyStep, arguments: Mapping[str, Any], retry_of: str = "", start: _OnceStart | None = None
    ) -> tuple[CallEnd, StepState, str | None]:
        """Make one call; return what came of it, how it ended, and why it did not succeed."""
        origin = self._origin._replace(retry_of=retry_of) if retry_of else self._origin
        call = await self._executor.propose(ready.step.tool, arguments, caller=self.caller, origin=origin)
        limit, places = None, None
        if call.response.status is CallStatus.PENDING:
            self._step_by_call[call] = ready.name
            clock = self._review_clocks.setdefault(ready.name, ReviewClock())
            call.on_review = clock.on_review
            clock.begin()
            if ready.step.timeout_s is not None:
                limit = _TimeLimit(call, ready.step.timeout_s)
            try:
                if self.approval is not None:
                    await self.approval.apply(call, ready.name)
                places = self._places(call, limit, start)
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
        end = end_of(call, hides=ready.hides)
        if end.status is CallStatus.EXECUTED:
            return end, StepState.CACHED if end.from_cache else StepState.DONE, None
        if limit is not None and limit.has_passed:
            return (
                end,
                StepState.TIMED_OUT,
                f"it took longer than the {ready.step.timeout_s:g} s that the plan gives it",
            )
        may_have_run = places is not None and places.may_have_run
        state = StepState.MAY_HAVE_RUN if may_have_run else _STATES.get(end.status, StepState.FAILED)
        return end, state, end.error

    def _places(self, call: ToolCall, limit: _TimeLimit | None, start: _OnceStart | None) -> ClusterWorkers | None:
        """Return where a tool runs, None for here, and start the time limit when it begins there."""
        begins = None if limit is None else limit.start
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
        for call, step in list(self._step_by_call.items()):
            if not name or step == name:
                call.cancel()

    def review_s(self, name: str) -> float:
        """Return for how long nothing of a step ran because a person was asked about it."""
        clock = self._review_clocks.get(name)
        return 0.0 if clock is None else clock.total_s

    def step_of(self, call: ToolCall) -> str:
        return self._step_by_call.get(call, "")


class _OnceStart:
    """Write down for good that a call that must run once begins, after the last question and before its tool starts.

    A call about which a person is asked when the program dies did not begin, so it may simply be asked about again.

    Args:
        store: Where it is written.
        what: The step, the number of its row, and the row's digest.
        proposed: When the call was proposed, as `perf_counter` said.

    Attributes:
        begins: Called when its time begins to count; None when the time limit runs already.
        problem: Why it cannot be written; None when it can.
    """

    def __init__(self, store: ResultStore, what: tuple[str, int | None, int], proposed: float) -> None:
        self._store = store
        self._what = what
        self._proposed = proposed
        self.begins: Callable[[], None] | None = None
        self.problem: HistoryError | None = None

    async def __call__(self) -> None:
        try:
            await self._store.begin_once(*self._what, perf_counter() - self._proposed)
        except HistoryError as error:
            self.problem = error
            raise
        if self.begins is not None:
            self.begins()


class _TimeLimit:
    """Stop a call after a time in which no person was asked about it."""

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
            self._timer = self._loop.call_later(_POLL_S, self._on_time)
        else:
            self.has_passed = self._call.cancel()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
