"""`CallRunner`: one call of a step; its arguments worked out, made, made again when it failed, stopped in time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from functools import partial
from threading import get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.batch.expressions import ExpressionError, worked_out
from tools.batch.listener import BatchListener, SafeListener
from tools.batch.result import ResultStore, StepResult, StepState
from tools.calls import MASK, CallOrigin, CallStatus, Progressed, ToolCall
from tools.errors import ExitEarlyError, HistoryError, ReviewTimeoutError, ToolConfigurationError
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.batch.clock import ReviewClock
    from tools.batch.cluster import Cluster, ClusterWorkers
    from tools.batch.journal import Journal
    from tools.batch.plan_approval import PlanApproval
    from tools.batch.rows import FanOutRow
    from tools.batch.steps import ReadyStep
    from tools.execution.executor import Executor
    from tools.execution.run import Run

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
        journal: Where their begin and end are written; None keeps results in memory.

    Attributes:
        approval: The approval of the whole plan; None when nobody was asked.
        cluster: Where tools run that can run elsewhere; None runs all of them here.
        stops_run: Why a reviewer ended the whole run; empty when nobody did.
    """

    def __init__(
        self, executor: Executor, journal: Journal | None, caller: str, owner: object, tell: SafeListener
    ) -> None:
        self.caller = caller
        self.store = journal or ResultStore()
        self.approval: PlanApproval | None = None
        self.cluster: Cluster | None = None
        self.stops_run = ""
        self._executor = executor
        self._journal = journal
        self.owner = owner
        self.tell = tell
        self._origin = CallOrigin(owner)
        self._step_by_call: dict[ToolCall, str] = {}

    async def run_call(
        self, ready: ReadyStep, variables: Mapping[str, Any], row: FanOutRow | None = None
    ) -> tuple[StepResult, int]:
        """Make the call of a step, or of one of its rows; return how it ended, and the place of the result."""
        name, journal, number = ready.name, self._journal, None if row is None else row.number
        began = perf_counter()
        try:
            arguments = ready.arguments if ready.is_plain else worked_out(ready.arguments, variables)
        except ExpressionError as error:
            ended = StepResult(StepState.FAILED, None, str(error))
            return ended, self.store.end(name, number, ended)
        clock = None if row is None else row.clock
        start = None
        what = name, number, 0 if row is None else row.digest
        if not ready.is_idempotent and (journal is not None or ready.step.timeout_s is not None):
            start = _Release(self._executor, journal, what, began)
        elif journal is not None:
            journal.begin(*what)
        call, state, why = await self._attempt(ready, arguments, clock, start=start)
        if start is not None and start.problem is not None:
            raise start.problem
        attempts, review_s = 1, call.response.review_s
        while attempts <= ready.retries and state in _RETRIED:
            attempts += 1
            call, state, why = await self._attempt(ready, arguments, clock, retry_of=call.id)
            review_s += call.response.review_s
        # A call that was cancelled while a person was asked has not begun, and may simply begin another time.
        made = "" if state is StepState.CANCELLED and not call.response.attempts and attempts == 1 else call.id
        # Where nothing can be hidden, the result is not looked through: each step of a batch waits for that.
        hides = ready.hides or call.answered_by is not None
        value, shown = _result_of(call, hides=hides)
        if hides and call.sensitive:
            shown = MISSING if value is None else MASK
            why = why and f"{_SENSITIVE.get(state, 'it failed')}; its tool is sensitive, so no more is told"
        # With rows it is the step that waits for a person, not each row.
        review_s = review_s if row is None else 0.0
        ended = StepResult(state, value, why, perf_counter() - began, attempts, made, shown, review_s)
        place = self.store.end(name, number, ended)
        if journal is not None and not ready.is_idempotent:
            await journal.settle()
        return ended, place

    async def _attempt(
        self,
        ready: ReadyStep,
        arguments: Mapping[str, Any],
        clock: ReviewClock | None,
        *,
        retry_of: str = "",
        start: _Release | None = None,
    ) -> tuple[ToolCall, StepState, str | None]:
        """Make one call; return it, how it ended, and why it did not succeed."""
        origin = self._origin._replace(retry_of=retry_of) if retry_of else self._origin
        call = await self._executor.propose(ready.step.tool, arguments, caller=self.caller, origin=origin)
        limit, places = None, None
        if call.response.status is CallStatus.PENDING:
            self._step_by_call[call] = ready.name
            call.on_review = partial(self._on_review, ready.name, clock)
            if clock is not None:
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
                self.stops_run = f"the reviewer stopped the run: {error}"
            except (ToolConfigurationError, ReviewTimeoutError):
                # The response says the same.
                pass
            finally:
                del self._step_by_call[call]
                if clock is not None:
                    clock.end()
                if limit is not None:
                    limit.stop()
        response = call.response
        if response.succeeded:
            return call, StepState.CACHED if response.from_cache else StepState.DONE, None
        if limit is not None and limit.has_passed:
            why = f"it took longer than the {ready.step.timeout_s:g} s that the plan gives it"
            return call, StepState.TIMED_OUT, why
        may_have_run = places is not None and places.may_have_run
        state = StepState.MAY_HAVE_RUN if may_have_run else _STATES.get(response.status, StepState.FAILED)
        why = response.status.value.replace("_", " ") if response.error is None else response.error.message
        return call, state, why

    def _places(self, call: ToolCall, limit: _TimeLimit | None, start: _Release | None) -> ClusterWorkers | None:
        """Return where a tool runs, None for here, and start the time limit when it begins there."""
        if self.cluster is not None and call.tool is not None:
            # There a call may wait long for its place.
            places = self.cluster.places_for(call.tool, None if limit is None else limit.start)
            if places is not None:
                return places
        if limit is not None:
            limit.start()
            if start is not None:
                start.limit = limit
        return None

    def _on_review(self, step: str, clock: ReviewClock | None, waits: bool) -> None:  # noqa: FBT001 -- as it is called
        if clock is not None:
            clock.on_review(waits)
        self.tell(BatchListener.on_step_review, step, waits)

    def cancel(self, name: str = "") -> None:
        for call, step in list(self._step_by_call.items()):
            if not name or step == name:
                call.cancel()

    def step_of(self, call: ToolCall) -> str:
        return self._step_by_call.get(call, "")


def _result_of(call: ToolCall, *, hides: bool) -> tuple[Any, Any]:
    """Return the result of a call as JSON, None when there is none, and as people may see it, `MISSING` if alike."""
    result = call.response.json_result if call.response.succeeded else MISSING
    if result is MISSING:
        return None, MISSING
    shown = call.display_result() if hides else result
    return result, MISSING if shown is result else shown


class StepProgress:
    """Hand on what the calls of a run say of themselves, from whatever thread, on the thread of the run."""

    wants = (Progressed,)

    def __init__(self, calls: CallRunner) -> None:
        self._calls = calls
        self._loop = asyncio.get_running_loop()
        self._thread = get_ident()

    def __call__(self, event: Any) -> None:
        origin = event.call.origin
        if origin is None or origin.owner is not self._calls.owner:
            return
        if get_ident() == self._thread:
            self._hand_on(event)
        else:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(self._hand_on, event)

    def _hand_on(self, event: Any) -> None:
        step = self._calls.step_of(event.call)
        if step:
            self._calls.tell(BatchListener.on_step_progress, step, event.progress)


class _Release:
    """What happens to a call that must run once after the last question about it, and before its tool starts.

    That it begins is written down for good, and its time begins to count. A call about which a person is asked when the
    program dies did not begin, so it may simply be asked about again.

    Args:
        what: The step, the number of its row, and the row's digest.
        proposed: When the call was proposed, as `perf_counter` said.

    Attributes:
        limit: Its time limit; None when it has none, or runs where somebody else tells when it begins.
        problem: Why it cannot be written; None when it can.
    """

    def __init__(
        self, executor: Executor, journal: Journal | None, what: tuple[str, int | None, int], proposed: float
    ) -> None:
        self._executor = executor
        self._journal = journal
        self._what = what
        self._proposed = proposed
        self.limit: _TimeLimit | None = None
        self.problem: HistoryError | None = None

    async def __call__(self, _: Run) -> None:
        try:
            if self._journal is not None:
                # The history knows first, so that no call that began by the journal is missing there.
                await self._executor.until_recorded()
                await self._journal.begin_once(*self._what, perf_counter() - self._proposed)
        except HistoryError as error:
            self.problem = error
            raise
        if self.limit is not None:
            self.limit.start()


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
