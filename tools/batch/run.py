"""`BatchRun`: one run of a plan, from the first step to the last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.batch.expressions import ExpressionError, worked_out
from tools.batch.graph import ToolDependencyGraph
from tools.batch.journal import Ended, InMemory, Journal, PastRows, RowResults
from tools.batch.lanes import Lanes
from tools.batch.listener import BatchListener, Telling
from tools.batch.performing import Performer, ready_steps
from tools.batch.plan import BatchPlan, OnFailure
from tools.batch.result import BatchResult, StepResult
from tools.batch.rowing import Rowing
from tools.batch.rows import RowError, open_rows
from tools.batch.schedule import Schedule
from tools.batch.states import StepState
from tools.calls import Progressed
from tools.errors import CallStateError, ExitEarlyError

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch.journal import Keeper
    from tools.batch.past import PastRun
    from tools.calls import ToolCall
    from tools.execution import Executor

_TURN_S: Final = 0.005
"""Seconds after which a worker lets others have the loop, when none of its calls waits for anything."""


class BatchRun:
    """Run the steps of a plan, each as soon as those have ended that it waits for.

    From the event loop of the executor, like everything here. When it is over, what failed can be put back, and `go`
    goes on.

    Args:
        plan: What runs; checked already.
        executor: Runs the calls.
        folder: What relative paths in the plan start from.
        parameters: What the plan is given, defaults filled in.
        graph: Further things that steps wait for; None adds none.
        listener: Who is told.
        journal: Where it is written down; None keeps results in memory.
        past: What an earlier part of the run came to; None begins anew.

    Attributes:
        plan: The plan.
        graph: What each step waits for.
        schedule: How far each step is.
        results: What came of the steps that ended, by step.
        rowing: How far the rows of steps are, by step.
    """

    def __init__(
        self,
        plan: BatchPlan,
        executor: Executor,
        *,
        folder: Path,
        parameters: Mapping[str, Any] | None = None,
        graph: ToolDependencyGraph | None = None,
        listener: BatchListener | None = None,
        journal: Journal | None = None,
        past: PastRun | None = None,
    ) -> None:
        self.plan = plan
        self.results: dict[str, StepResult] = {}
        self.rowing: dict[str, Rowing] = {}
        self._executor = executor
        self._folder = folder
        self._parameters = dict(parameters or {})
        self._tell = Telling(listener)
        self._is_heard = listener is not None
        self._journal = journal
        self._keeper: Keeper = journal or InMemory()
        self._steps = ready_steps(plan, executor.registry)
        self.graph = ToolDependencyGraph()
        self.graph.add_all({name: step.needs for name, step in self._steps.items()})
        for name, needed in () if graph is None else graph.edges:
            if name in self._steps and needed in self._steps:
                self.graph.add_dependency(name, needed)
        borne = (step.id for step in plan.steps if step.continue_on_failure)
        self.schedule = Schedule(self.graph, self._usual_s(), borne)
        self._performer = Performer(executor, self._keeper, f"batch: {plan.name}", self)
        self._lanes = Lanes(plan.limits, {name: ready.tool for name, ready in self._steps.items()})
        self._past_rows: dict[str, PastRows] = {}
        self._began_s: dict[str, float] = {}
        self._idle: list[asyncio.Future[None]] = []
        self._busy = 0
        self._elapsed_s = 0.0
        self._paused = False
        self._stopped: tuple[StepState, str] | None = None
        if past is not None:
            self._take_over(past)

    # Life

    async def go(self) -> BatchResult:
        """Run until every step has ended or been cancelled, and return what came of them."""
        began = perf_counter()
        limits = self.plan.limits
        timer = None
        if limits.timeout_s is not None:
            timer = asyncio.get_running_loop().call_later(limits.timeout_s, self._on_time_up)
        unlisten = self._executor.add_listener(_Progress(self, self._tell))
        self._stopped = None
        self._tell(BatchListener.on_batch_start, len(self._steps))
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(limits.parallelism):
                    group.create_task(self._work(), name=f"batch worker {number + 1}")
        finally:
            unlisten()
            if timer is not None:
                timer.cancel()
            self._elapsed_s += perf_counter() - began
        if self._journal is not None:
            self._journal.note(over=True)
        result = self.result()
        self._tell(BatchListener.on_batch_complete, result.successes, result.failures, result.total_duration)
        return result

    def result(self) -> BatchResult:
        """Return what came of the steps so far; those that did not run say why."""
        return BatchResult(
            {step.id: self.results.get(step.id) or self._unrun(step.id) for step in self.plan.steps}, self._elapsed_s
        )

    def _unrun(self, name: str) -> StepResult:
        schedule = self.schedule
        return StepResult(success=False, error=schedule.reasons.get(name), state=schedule.states[name])

    def close(self) -> None:
        """Let the journal go; what is in it can be resumed."""
        if self._journal is not None:
            self._journal.close()

    # What people ask for

    @property
    def is_paused(self) -> bool:
        """Whether nothing begins."""
        return self._paused

    def pause(self) -> None:
        """Begin nothing more; what runs goes on to its end."""
        self._paused = True

    def resume(self) -> None:
        """Go on."""
        self._paused = False
        self._wake()

    def cancel(self, reason: str = "the batch was cancelled") -> None:
        """Stop what runs, and begin nothing more."""
        self._stop(StepState.CANCELLED, reason)

    def cancel_step(self, name: str) -> None:
        """Stop one step; what waits for it is skipped."""
        if self.schedule.states[name] is StepState.QUEUED:
            self._end(name, Ended(StepState.CANCELLED, None, "somebody cancelled it"))
            return
        if name in self.rowing:
            self.rowing[name].stop()
        self._performer.cancel(name)

    def skip(self, name: str, reason: str = "somebody skipped it") -> None:
        """Let those go on that wait for a step which failed or has not begun; its result is null.

        Raises:
            CallStateError: When it runs or has succeeded.
        """
        state = self.schedule.states[name]
        if state is StepState.RUNNING or state.succeeded:
            msg = f"step {name!r} is {state.value}; only one that has not begun or did not succeed can be skipped"
            raise CallStateError(msg)
        self._put_back(self.schedule.again([name]), keeping_rows_of=())
        if self._journal is not None:
            self._journal.note(passed=name)
        self.schedule.pass_over(name, reason)
        self._tell(BatchListener.on_state_change, name, StepState.SKIPPED, reason)
        self._wake()

    def retry_failed(self) -> list[str]:
        """Put back what failed and what was skipped because of it; rows that succeeded stay as they are.

        Returns:
            The steps that run again.
        """
        failed = [name for name, state in self.schedule.states.items() if state.failed]
        again = self.schedule.again(failed)
        self._put_back(again, keeping_rows_of=failed)
        return again

    def retry(self, name: str) -> list[str]:
        """Put one step back, and what waits for it; its rows that succeeded stay as they are.

        Returns:
            The steps that run again.
        """
        again = self.schedule.again([name])
        self._put_back(again, keeping_rows_of=[name])
        return again

    def rerun_from(self, name: str) -> list[str]:
        """Put back a step and everything that waits for it, whatever came of them.

        Returns:
            The steps that run again.
        """
        again = self.schedule.again([name])
        self._put_back(again, keeping_rows_of=())
        return again

    def step_of(self, call: ToolCall) -> str:
        """Return the step that a call under way belongs to; empty when it is none of this run."""
        return self._performer.step_of(call)

    # How it goes

    async def _work(self) -> None:
        turn = perf_counter()
        while True:
            name = self._take()
            if name is None:
                if not self._busy and not self._paused:
                    self._wake()
                    return
                waiting = asyncio.get_running_loop().create_future()
                self._idle.append(waiting)
                await waiting
                turn = perf_counter()
                continue
            self._busy += 1
            try:
                await self._advance(name)
            except ExitEarlyError as error:
                self.cancel(f"the reviewer stopped the run: {error}")
            finally:
                self._busy -= 1
                for other in self._lanes.leave(name):
                    self.schedule.share(other)
            self._wake()
            if perf_counter() - turn > _TURN_S:
                await asyncio.sleep(0)
                turn = perf_counter()

    def _take(self) -> str | None:
        if self._paused:
            return None
        while (name := self.schedule.take()) is not None:
            if self._lanes.enter(name):
                return name
            # It waits in its lane now, and comes back when that has a place.
            if name not in self.rowing:
                self.schedule.states[name] = StepState.QUEUED
        return None

    def _wake(self) -> None:
        """Wake as many workers as there may be something for; all of them when nothing is left to do."""
        over = not self._busy and not self.schedule.ready and not self._paused
        for _ in range(len(self._idle) if over else min(len(self._idle), self.schedule.ready)):
            waiting = self._idle.pop()
            if not waiting.done():
                waiting.set_result(None)

    async def _advance(self, name: str) -> None:
        """Make the call of a step, or of its next row."""
        ready = self._steps[name]
        scope = {} if ready.is_plain else self._scope(ready.needs)
        try:
            if name not in self._began_s:
                self._began_s[name] = perf_counter()
                if ready.condition is not None and not ready.condition.value(scope):
                    self._end(
                        name, Ended(StepState.SKIPPED, None, f"its condition does not hold: {ready.step.condition}")
                    )
                    return
                if self._is_heard:
                    self._tell(BatchListener.on_state_change, name, StepState.RUNNING, "")
                    self._tell(BatchListener.on_tool_start, name)
            if ready.step.rows is not None:
                await self._advance_row(name, scope)
                return
        except (ExpressionError, RowError) as error:
            self._end(name, Ended(StepState.FAILED, None, str(error)))
            return
        ended, _ = await self._performer.perform(ready, None, scope)
        self._end(name, ended, is_written=True)

    async def _advance_row(self, name: str, scope: dict[str, Any]) -> None:
        ready = self._steps[name]
        rowing = self.rowing.get(name)
        if rowing is None:
            assert ready.step.rows is not None  # noqa: S101 -- who calls has looked
            source = open_rows(ready.step.rows, self._folder, worked_out(ready.rows, scope))
            past = self._past_rows.pop(name, None) or PastRows(RowResults(self._keeper), {})
            rowing = self.rowing[name] = Rowing(source, past)
        taken = await rowing.take()
        if taken is not None:
            number, row = taken
            self.schedule.share(name)
            self._wake()
            scope["row"], scope["index"] = row, number
            ended, place = await self._performer.perform(ready, number, scope)
            rowing.end(number, ended, place)
            counts = rowing.counts
            done = counts.done + counts.failed
            self._tell(BatchListener.on_row_complete, name, number, ended.state, done, counts.total)
        if rowing.is_over and not self.schedule.states[name].ended:
            self._end(name, self._rows_ended(name, rowing))

    def _rows_ended(self, name: str, rowing: Rowing) -> Ended:
        elapsed_s = perf_counter() - self._began_s[name]
        failed = rowing.past.failed
        if rowing.is_stopped:
            return Ended(StepState.CANCELLED, None, "somebody cancelled it", elapsed_s)
        if not failed:
            return Ended(StepState.DONE, None, "", elapsed_s)
        first = min(failed)
        states = {state for state, _ in failed.values()}
        state = states.pop() if len(states) == 1 else StepState.FAILED
        total = rowing.counts.done + len(failed)
        said = f"{len(failed)} of {total} rows did not succeed; row {first + 1}: {failed[first][1]}"
        return Ended(state, None, said, elapsed_s)

    def _end(self, name: str, ended: Ended, *, is_written: bool = False) -> None:
        if self._stopped is not None and ended.state is StepState.CANCELLED:
            ended = ended._replace(state=self._stopped[0], error=self._stopped[1])
        if not is_written and ended.state is not StepState.CANCELLED:
            self._keeper.end(name, None, ended)
        rowing = self.rowing.get(name)
        self.results[name] = StepResult(
            ended.state.succeeded,
            ended.value if rowing is None else rowing.past.results,
            ended.error or None,
            ended.state,
            ended.elapsed_s,
            ended.attempts,
            None if rowing is None else rowing.counts,
        )
        skipped = self.schedule.end(name, ended.state, ended.error)
        self._told_end(name, ended.state, ended.error)
        for other in skipped:
            self._told_end(other, StepState.SKIPPED, self.schedule.reasons[other])
        if ended.state.failed and self.plan.on_failure is OnFailure.STOP and self._stopped is None:
            self._stop(StepState.CANCELLED, f"step {name!r} failed, and the plan stops then")
        self._wake()

    def _told_end(self, name: str, state: StepState, reason: str) -> None:
        if not self._is_heard:
            return
        total = len(self._steps)
        self._tell(BatchListener.on_state_change, name, state, reason)
        self._tell(BatchListener.on_tool_complete, name, state.succeeded, self.schedule.ended, total)

    def _stop(self, state: StepState, reason: str) -> None:
        self._stopped = state, reason
        self._paused = False
        for rowing in self.rowing.values():
            rowing.stop()
        for name, now in list(self.schedule.states.items()):
            if now is StepState.QUEUED:
                self.schedule.end(name, state, reason)
                self._told_end(name, state, reason)
        self._performer.cancel()
        self._wake()

    def _on_time_up(self) -> None:
        self._stop(StepState.TIMED_OUT, f"the batch's time of {self.plan.limits.timeout_s:g} s was up")

    def _scope(self, needs: Iterable[str]) -> dict[str, Any]:
        steps = {}
        for name in needs:
            found = self.results.get(name)
            result = None if found is None else found.result
            value = list(result) if isinstance(result, RowResults) else result
            steps[name] = {"result": value, "status": self.schedule.states[name].value}
        return {"steps": steps, "parameters": self._parameters}

    def _usual_s(self) -> dict[str, float]:
        usual: dict[str, float] = {}
        for name, ready in self._steps.items():
            stats = None if ready.tool is None else self._executor.metrics.stats(ready.tool.name)
            usual[name] = (stats.p50_ms or 0.0) / 1000 if stats is not None else 0.0
        return usual

    # What was before

    def _put_back(self, names: Iterable[str], *, keeping_rows_of: Iterable[str]) -> None:
        kept = frozenset(keeping_rows_of)
        for name in names:
            self.results.pop(name, None)
            self._began_s.pop(name, None)
            rowing = self.rowing.pop(name, None)
            past = self._past_rows.pop(name, None) if rowing is None else rowing.past
            if past is not None and name in kept:
                self._past_rows[name] = past
                self._note_again(name, list(past.failed))
                past.failed.clear()
            else:
                self._note_again(name, [None])
            self._tell(BatchListener.on_state_change, name, StepState.QUEUED, "")
        self._wake()

    def _note_again(self, name: str, rows: Iterable[int | None]) -> None:
        if self._journal is not None:
            for row in rows:
                self._journal.note(again=name, **({} if row is None else {"row": row}))

    def _take_over(self, past: PastRun) -> None:
        """Count as ended what an earlier part of the run finished."""
        self._past_rows = dict(past.rows)
        self.results = past.replay(self.schedule, lambda name: self._steps[name].is_idempotent)


class _Progress:
    """Hand on what the calls of a run say of themselves."""

    wants = (Progressed,)

    def __init__(self, run: BatchRun, tell: Telling) -> None:
        self._run = run
        self._tell = tell

    def __call__(self, event: Any) -> None:
        origin = event.call.origin
        if origin is not None and origin.owner is self._run:
            self._tell(BatchListener.on_step_progress, self._run.step_of(event.call), event.progress)
