"""`BatchRun`: one run of a plan, from the first step to the last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.batch.clock import ElapsedClock
from tools.batch.cluster import cluster_at
from tools.batch.expressions import ExpressionError
from tools.batch.graph import ToolDependencyGraph
from tools.batch.listener import BatchListener, SafeListener
from tools.batch.plan import Approve, BatchPlan, OnFailure, Step, title_of
from tools.batch.plan_approval import PlanApproval, PlanContext
from tools.batch.result import SKIPPED_BY_SOMEBODY, BatchResult, RowCounts, RowResults, RowStates, StepResult, StepState
from tools.batch.rows import CANCELLED, FanOut, RowError, fan_out_of
from tools.batch.run_call import CallRunner, StepProgress
from tools.batch.schedule import Schedule, limits_of
from tools.batch.steps import caller_of, ready_step, usual_s
from tools.calls import ExitEarly
from tools.errors import CallStateError, PlanError, PlanProblem

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch.journal import Journal
    from tools.batch.runs import PastRun
    from tools.batch.steps import ReadyStep
    from tools.execution.executor import Executor

_AT_A_TIME: Final = 200
"""Results of rows that are read before other tasks have their turn."""
_POLL_S: Final = 0.002
"""Seconds between two questions to a listener that was behind."""
_MOST_BEHIND_S: Final = 1.0
"""Seconds that calls wait for a listener at most: it slows a run down, and does not stop it."""
_TURN_S: Final = 0.005
"""Seconds after which a worker lets other tasks have the event loop, when no call waits for anything meanwhile."""


_NONE: Final[Mapping[str, Any]] = {}


class _ActiveStep:
    """What is known of a step from its begin to its end, unless it is one call whose arguments stand in the plan.

    Attributes:
        variables: What its expressions look at; None until it is gathered.
        is_stopped: Whether it was stopped before anything of it ran.
    """

    def __init__(self) -> None:
        self.began = perf_counter()
        self.variables: Mapping[str, Any] | None = None
        self.is_stopped = False


async def _read(results: RowResults) -> list[Any]:
    values: list[Any] = []
    for begin in range(0, len(results), _AT_A_TIME):
        values += results[begin : begin + _AT_A_TIME]
        await asyncio.sleep(0)
    return values


class BatchRun:
    """Run the steps of a plan, each as soon as the steps before it have ended.

    So many workers as the plan has places take the next step that may start, each until none may.

    It may be made on any thread, and is used on that of the executor's event loop alone. When it is over, failed steps
    can be put back, and `go` goes on.

    Args:
        folder: What relative paths in the plan start from.
        file: The file of the plan, by which a plan without a name is called; None for no file.
        journal: Where the run is written down; None keeps results in memory.
        past: An earlier part of the run; None begins anew.
        backend: The cluster that tools run on, as `dask://host:port`; empty runs them here.

    Attributes:
        results: The results of the steps that ended, by step.
        fan_outs: The rows of the steps that began in this part of the run, by step.
        began_before_s: When steps began in an earlier part of the run, by step, in seconds of the clock.
    """

    def __init__(
        self,
        plan: BatchPlan,
        steps: Mapping[str, ReadyStep],
        executor: Executor,
        listener: BatchListener | None,
        *,
        folder: Path,
        parameters: Mapping[str, Any],
        file: Path | None = None,
        journal: Journal | None = None,
        past: PastRun | None = None,
        backend: str = "",
    ) -> None:
        self.plan = plan
        self.folder = folder
        self.parameters = dict(parameters)
        self.results: dict[str, StepResult] = {}
        self.clock = ElapsedClock(0.0 if past is None else past.elapsed_s)
        self.began_before_s: Mapping[str, float] = {} if past is None else past.began_s
        self.graph = ToolDependencyGraph()
        self.graph.add_all({name: step.needs for name, step in steps.items()})
        borne = (step.id for step in plan.steps if step.continue_on_failure)
        self.schedule = Schedule(self.graph, usual_s(steps, executor.metrics), borne)
        self._title = title_of(plan.name, file)
        self._steps = dict(steps)
        self._executor = executor
        self._backend = backend
        self._tell = SafeListener(listener)
        self._journal = journal
        if journal is not None:
            journal.clock = self.clock
        self.fan_outs: dict[str, FanOut] = {}
        self._rows: dict[str, RowStates] = {} if past is None else dict(past.rows)
        self._active: dict[str, _ActiveStep] = {}
        self._calls = CallRunner(executor, journal, caller_of(plan, file), self, self._tell)
        self._workers = 0 if backend else executor.workers.size
        for name in self._steps:
            self._set_limits(name)
        self._busy = 0
        self._group: asyncio.TaskGroup | None = None
        self._changed = asyncio.Event()
        self.is_paused = False
        self._held_since: float | None = None
        self._stopped: tuple[StepState, str] | None = None
        self._is_stopping = False
        self._asking: asyncio.Task[Any] | None = None
        if past is not None:
            repeatable = {name for name, step in steps.items() if step.is_idempotent}
            self.results.update(past.replay(self.schedule, repeatable))

    async def go(self) -> BatchResult:
        """Run until every step has ended or been cancelled, and return the results.

        Raises:
            ToolConfigurationError: When the plan is to be approved as a whole, and nobody is there to ask; or the
                cluster cannot be used.
            HistoryError: When it cannot be written down any more; what is written can be resumed.
        """
        self._stopped = None
        self._is_stopping = False
        self._tell(BatchListener.on_batch_start, len(self._steps))
        if self.plan.approve is Approve.PLAN:
            await self._ask_for_approval()
        if not self._backend:
            await self._run()
        else:
            async with cluster_at(self._backend) as cluster:
                self._calls.cluster = cluster
                await self._run()
            self._calls.cluster = None
        self._note_over()
        result = self.result()
        self._tell(BatchListener.on_batch_complete, result.successes, result.failures, result.total_duration)
        return result

    async def _run(self) -> None:
        self.clock.go()
        limits = self.plan.limits
        timer = None
        if limits.timeout_s is not None:
            why = f"the batch's time of {limits.timeout_s:g} s was up"
            timer = asyncio.get_running_loop().call_later(limits.timeout_s, self._stop, StepState.TIMED_OUT, why)
        unlisten = self._executor.add_listener(StepProgress(self._calls))
        writing = (
            None
            if self._journal is None
            else asyncio.create_task(self._journal.write_begins(self._executor.until_recorded))
        )
        try:
            await self._run_workers()
        finally:
            if writing is not None:
                writing.cancel()
                await asyncio.wait([writing])
            unlisten()
            if timer is not None:
                timer.cancel()
            self.clock.stop()

    def _note_over(self) -> None:
        if self._stopped is not None:
            state, why = self._stopped
            self._note(stopped=state.value, error=why)
        self._note(over=True)

    def result(self) -> BatchResult:
        """Return the results so far; steps that did not run say why."""
        names = (step.id for step in self.plan.steps)
        return BatchResult({name: self.results.get(name) or self.schedule.unrun(name) for name in names}, self.clock())

    def close(self) -> None:
        """Close the journal; its run can be resumed."""
        if self._journal is not None:
            self._journal.close()

    def pause(self) -> None:
        self.is_paused = True

    def resume(self) -> None:
        self.is_paused = False
        self._wake()

    def cancel(self, reason: str = "the batch was cancelled") -> None:
        self._stop(StepState.CANCELLED, reason)

    def cancel_step(self, name: str) -> None:
        """Stop one step; what waits for it is skipped."""
        if self.schedule.states[name] is StepState.QUEUED:
            self._end(name, StepResult(StepState.CANCELLED, None, CANCELLED))
        elif self.schedule.states[name] is StepState.RUNNING:
            self._calls.cancel(name)
            if (active := self._active.get(name)) is not None:
                active.is_stopped = True
            fan_out = self.fan_outs.get(name)
            if fan_out is not None:
                fan_out.stop()
                self._end_rows(name, fan_out)
        self._wake()

    def skip(self, name: str, reason: str = SKIPPED_BY_SOMEBODY) -> list[str]:
        """Let those go on that wait for a step which failed or has not begun; what it has no result for is null.

        Returns:
            The steps that run now because of it.

        Raises:
            CallStateError: When it runs or has succeeded.
        """
        state = self.schedule.states[name]
        if state is StepState.RUNNING or state.succeeded:
            raise CallStateError(
                f"step {name!r} is {state.value}; only one that has not begun or did not succeed can be skipped"
            )
        self._note(passed=name)
        go_on = self.schedule.pass_over(name, reason)
        self.results.pop(name, None)
        if (rows := self._rows.get(name)) is not None:
            self.results[name] = rows.skipped_step()
        self._tell(BatchListener.on_state_change, name, StepState.SKIPPED, reason)
        self._put_back(go_on, keeping_rows_of=())
        if self.schedule.is_over:
            # Nothing is left to go on with.
            self._note(over=True)
        return go_on

    def skip_rows(self, name: str) -> list[str]:
        """Let a step count as done without its rows that did not succeed; their results are null.

        Returns:
            The steps that run again: the step, if rows of it have not run yet, and what waits for it.

        Raises:
            CallStateError: When it runs, or has no such rows.
        """
        self._refuse_running(name)
        rows, fan_out = self._rows.get(name), self.fan_outs.get(name)
        if rows is None or not rows.failed:
            raise CallStateError(f"step {name!r} has no rows that did not succeed; skip the step itself")
        self._note(passed=name, rows=list(rows.failed))
        rows.skip(tuple(rows.failed))
        if fan_out is None or not fan_out.is_over or fan_out.is_stopped or fan_out.broken:
            return self._again([name], keeping_rows_of=[name])
        # Nothing of it is left to run, so when it ran and for how long stays as it was.
        go_on = [other for other in self.schedule.again([name]) if other != name]
        self._put_back(go_on, keeping_rows_of=())
        before = self.results[name]
        self._note(end=name, state=StepState.DONE.value, s=before.elapsed_s, review_s=before.review_s)
        self._end(name, before._replace(state=StepState.DONE, error=None), is_written=True)
        if self.schedule.is_over:
            self._note(over=True)
        return go_on

    def retry_failed(self) -> list[str]:
        """Put back what failed and what was skipped because of it; rows that succeeded stay as they are.

        What something that runs now waits for stays as it is, and so does what is unsure: somebody has to look at each.

        Returns:
            The steps that run again.
        """
        schedule, unsure = self.schedule, set(self.unsure)
        failed = [name for name, state in schedule.states.items() if state.failed and name not in unsure]
        failed = [name for name in failed if not schedule.running_behind(name)]
        return self._again(failed, keeping_rows_of=failed)

    def retry(self, name: str) -> list[str]:
        """Put one step back, and what waits for it; its rows that succeeded stay as they are.

        Returns:
            The steps that run again.

        Raises:
            CallStateError: When it runs, or something that waits for it.
        """
        self._refuse_running(name)
        return self._again([name], keeping_rows_of=[name])

    def rerun_from(self, name: str) -> list[str]:
        """Put back a step and everything that waits for it, whatever came of them.

        Returns:
            The steps that run again.

        Raises:
            CallStateError: When it runs, or something that waits for it.
        """
        self._refuse_running(name)
        return self._again([name], keeping_rows_of=())

    def revise(self, plan: BatchPlan) -> list[str]:
        """Let steps that run from now on run as a changed plan says; what succeeded or runs stays as it was.

        Args:
            plan: The same steps, each waiting for the same; not checked but for that.

        Returns:
            The steps that are changed.

        Raises:
            CallStateError: When other steps are in it, or they wait for others.
            PlanError: When an expression of a changed step cannot be read.
            VaultError: When a changed step hides something, and there is no key to seal that with.
        """
        before = self._steps
        ready = {
            step.id: self._read(step) for step in plan.steps if step.id not in before or step != before[step.id].step
        }
        if {step.id for step in plan.steps} != set(before) or any(
            set(step.needs) != set(before[name].needs) for name, step in ready.items()
        ):
            raise CallStateError("the plan has other steps now, or they wait for others; run it from its beginning")
        states = self.schedule.states
        changed = [
            name
            for name, state in states.items()
            if name in ready and not state.succeeded and state is not StepState.RUNNING
        ]
        if self._journal is not None and any(ready[name].hides for name in changed):
            self._journal.seal()
        for name in changed:
            if ready[name].step.rows != self._steps[name].step.rows and name in self._rows:
                # What came of the rows of before is not what comes of these.
                self._forget_rows(name)
            self._steps[name] = ready[name]
            self._set_limits(name)
        if changed:
            self._wake()
            self.plan = self.plan.model_copy(update={"steps": tuple(self._steps[step.id].step for step in plan.steps)})
            self._note(
                steps=[step.model_dump(mode="json", by_alias=True, exclude_defaults=True) for step in self.plan.steps]
            )
        return changed

    def _set_limits(self, name: str) -> None:
        tool = self._steps[name].tool
        self.schedule.limit(name, {} if tool is None else limits_of(tool, self.plan.limits, self._workers))

    def _read(self, step: Step) -> ReadyStep:
        try:
            return ready_step(step, self._executor.registry)
        except ExpressionError as error:
            raise PlanError([PlanProblem(f"step {step.id}", str(error), step.id)]) from error

    @property
    def unsure(self) -> list[str]:
        """The steps that may have run, or rows of them, and that nobody has decided about."""
        held = StepState.MAY_HAVE_RUN
        steps = [name for name, state in self.schedule.states.items() if state is held]
        rows = [name for name, rows in self._rows.items() if any(state is held for state, _ in rows.failed.values())]
        return list(dict.fromkeys([*steps, *rows]))

    def row_counts(self, name: str) -> RowCounts | None:
        """Return how the rows of a step ended so far, in an earlier part of the run too; None when none began."""
        fan_out, found, rows = self.fan_outs.get(name), self.results.get(name), self._rows.get(name)
        if fan_out is not None:
            return fan_out.counts
        return found.rows if found is not None else None if rows is None else rows.counts()

    async def _ask_for_approval(self) -> None:
        """Ask once about everything that is left; nothing runs when the answer is no."""
        waiting = [self._steps[name] for name, state in self.schedule.states.items() if not state.ended]
        approval = self._calls.approval = PlanApproval(self._executor, self._tell)
        context = PlanContext(self._executor, self._calls.caller, self.folder, self.parameters)
        self._asking = asyncio.ensure_future(approval.ask(self._title, waiting, context))
        try:
            outcome = await self._asking
        except asyncio.CancelledError:
            if self._stopped is None:
                raise
            return
        finally:
            self._asking = None
            self._tell(BatchListener.on_approval_end)
        if outcome is not None and isinstance(outcome.decision, ExitEarly):
            said = f": {outcome.decision.reason}" if outcome.decision.reason else ""
            self._stop(StepState.DENIED, f"the plan was refused before it ran{said}")

    async def _run_workers(self) -> None:
        """Run until no step may start any more; a paused run waits until it is not.

        Raises:
            Exception: The first error of a worker, which ends all of them.
        """
        changed = self._changed = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                self._wake()
                while self._busy or (self.is_paused and not self.schedule.is_over):
                    changed.clear()
                    await changed.wait()
                # No worker begins in a group that is about to end.
                self._group = None
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            self._group = None
            self._busy = 0

    def _wake(self, *, but: int = 0) -> None:
        """Begin workers for the steps that may start, as far as there are free places.

        Args:
            but: How many workers take a step in any case.
        """
        if self._group is None:
            return
        ready = 0 if self.is_paused else self.schedule.ready - but
        for _ in range(min(ready, self.plan.limits.parallelism - self._busy)):
            self._busy += 1
            self._group.create_task(self._work())
        if not self._busy:
            self._changed.set()

    async def _work(self) -> None:
        schedule, tell = self.schedule, self._tell
        try:
            while True:
                if tell.is_heard and tell.is_behind():
                    await self._caught_up()
                name = None if self.is_paused else schedule.take()
                if name is None:
                    break
                limits = schedule.current_limits(name)
                try:
                    await self._run_step(name)
                finally:
                    if limits:
                        schedule.release(limits)
                if schedule.ready > 1 and self._busy < self.plan.limits.parallelism:
                    self._wake(but=1)
                now = perf_counter()
                if self._held_since is None:
                    self._held_since = now
                    asyncio.get_running_loop().call_soon(self._on_turn)
                elif now - self._held_since > _TURN_S:
                    await asyncio.sleep(0)
        finally:
            self._busy -= 1
            if not self._busy:
                self._changed.set()

    def _on_turn(self) -> None:
        self._held_since = None

    async def _caught_up(self) -> None:
        until = perf_counter() + _MOST_BEHIND_S
        while self._tell.is_behind() and perf_counter() < until:  # noqa: ASYNC110 -- only the listener knows when
            await asyncio.sleep(_POLL_S)

    async def _run_step(self, name: str) -> None:
        """Make the call of a step, or of its next row, and end the step after the last."""
        ready = self._steps[name]
        variables = _NONE
        if ready.is_plain:
            self._tell_start(name)
        else:
            try:
                active = self._active.get(name) or await self._begin_step(ready)
                if active is None:
                    return
                variables = active.variables or _NONE
                if ready.step.rows is not None:
                    if name not in self.fan_outs:
                        states = self._rows.setdefault(name, RowStates(self._calls.store))
                        self.fan_outs[name] = fan_out_of(ready, variables, self.folder, states)
                    await self._run_row(ready, self.fan_outs[name], variables)
                    return
            except (ExpressionError, RowError) as error:
                self._end(name, StepResult(StepState.FAILED, None, str(error)))
                return
        ended, _ = await self._calls.run_call(ready, variables)
        self._stop_if_asked()
        self._end(name, ended, is_written=True)

    async def _begin_step(self, ready: ReadyStep) -> _ActiveStep | None:
        """Gather the variables of a step; return None when it is not to run."""
        name = ready.name
        active = self._active[name] = _ActiveStep()
        steps = {}
        for other in ready.uses:
            found = self.results.get(other)
            value = None if found is None else found.result
            if isinstance(value, RowResults):
                value = await _read(value)
            steps[other] = {"result": value, "status": self.schedule.states[other].value}
        if active.is_stopped:
            self._end(name, StepResult(StepState.CANCELLED, None, CANCELLED))
            return None
        active.variables = {"steps": steps, "parameters": self.parameters}
        if ready.condition is not None and not ready.condition.value(active.variables):
            why = f"its condition does not hold: {ready.step.condition}"
            self._end(name, StepResult(StepState.SKIPPED, None, why))
            return None
        self._tell_start(name)
        return active

    def _tell_start(self, name: str) -> None:
        if self._tell.is_heard:
            self._tell(BatchListener.on_state_change, name, StepState.RUNNING, "")
            self._tell(BatchListener.on_tool_start, name)

    async def _run_row(self, ready: ReadyStep, fan_out: FanOut, variables: Mapping[str, Any]) -> None:
        name, row = ready.name, await fan_out.next_row()
        if row is not None:
            # Another worker takes the row after this one.
            self.schedule.share(name)
            self._wake()
            of_row = {**variables, "row": row.value, "index": row.number}
            ended, place = await self._calls.run_call(ready, of_row, row)
            self._stop_if_asked()
            fan_out.end(row.number, ended, place)
            if self._tell.is_heard:
                counts = fan_out.counts
                done = counts.done + counts.failed + counts.skipped
                self._tell(BatchListener.on_row_complete, name, row.number, ended.state, done, counts.total)
        self._end_rows(name, fan_out)

    def _end_rows(self, name: str, fan_out: FanOut) -> None:
        """End a step if its last row has ended; once, whichever worker comes last."""
        if fan_out.is_over and self.fan_outs.get(name) is fan_out and not self.schedule.states[name].ended:
            state, why = fan_out.ended()
            elapsed_s = perf_counter() - self._active[name].began
            self._end(name, StepResult(state, None, why, elapsed_s, review_s=fan_out.clock.total_s))

    def _end(self, name: str, ended: StepResult, *, is_written: bool = False) -> None:
        if not is_written and ended.state is not StepState.CANCELLED:
            self._calls.store.end(name, None, ended)
        if self._stopped is not None and ended.state is StepState.CANCELLED:
            ended = ended._replace(state=self._stopped[0], error=self._stopped[1])
        state, why, fan_out = ended.state, ended.error or "", self.fan_outs.get(name)
        self.results[name] = ended if fan_out is None else fan_out.states.result(ended, fan_out.counts)
        self._active.pop(name, None)
        skipped = self.schedule.end(name, state, why)
        if self._tell.is_heard:
            # The steps that are skipped with it have ended too by now, and are told one by one.
            completed = self.schedule.ended - len(skipped)
            self._tell_end(name, state, why, completed)
            for number, other in enumerate(skipped, 1):
                self._tell_end(other, StepState.SKIPPED, self.schedule.reasons[other], completed + number)
        if state.failed and self.plan.on_failure is OnFailure.STOP and not self._is_stopping:
            self._stop(StepState.CANCELLED, f"step {name!r} failed, and the plan stops then")

    def _tell_end(self, name: str, state: StepState, reason: str, completed: int) -> None:
        self._tell(BatchListener.on_state_change, name, state, reason)
        self._tell(BatchListener.on_tool_complete, name, state.succeeded, completed, len(self._steps))

    def _stop_if_asked(self) -> None:
        if self._calls.stops_run:
            reason, self._calls.stops_run = self._calls.stops_run, ""
            self.cancel(reason)

    def _stop(self, state: StepState, reason: str) -> None:
        self._stopped = state, reason
        self._is_stopping = True
        self.is_paused = False
        for fan_out in self.fan_outs.values():
            fan_out.stop()
        for name, now in list(self.schedule.states.items()):
            if now is StepState.QUEUED:
                self.schedule.end(name, state, reason)
                if self._tell.is_heard:
                    self._tell_end(name, state, reason, self.schedule.ended)
        self._calls.cancel()
        for active in self._active.values():
            active.is_stopped = True
        if self._asking is not None:
            self._asking.cancel()
        self._wake()

    def _refuse_running(self, name: str) -> None:
        running = self.schedule.running_behind(name)
        if running:
            what = "it" if running[0] == name else f"step {running[0]!r}, which waits for it,"
            raise CallStateError(f"step {name!r} cannot begin again while {what} runs; cancel it, or let it end first")

    def _again(self, names: Iterable[str], *, keeping_rows_of: Iterable[str]) -> list[str]:
        again = self.schedule.again(names)
        self._put_back(again, keeping_rows_of=keeping_rows_of)
        return again

    def _put_back(self, names: Iterable[str], *, keeping_rows_of: Iterable[str]) -> None:
        kept = frozenset(keeping_rows_of)
        # What stopped the others does not concern these, while the last of the others may still be winding down.
        self._is_stopping = False
        for name in names:
            self.results.pop(name, None)
            if name in kept and name in self._rows:
                failed = self._rows[name].failed
                self.fan_outs.pop(name, None)
                self._note(again=name, rows=list(failed))
                failed.clear()
            else:
                self._forget_rows(name)
            self._tell(BatchListener.on_state_change, name, StepState.QUEUED, "")
        self._wake()

    def _forget_rows(self, name: str) -> None:
        """Let a step begin with its first row."""
        self.fan_outs.pop(name, None)
        self._rows.pop(name, None)
        self._note(again=name)

    def _note(self, **facts: Any) -> None:
        if self._journal is not None:
            self._journal.note(**facts)
