"""`BatchRun`: one run of a plan, from the first step to the last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tools.batch.agreement import Agreement, Surroundings
from tools.batch.clock import RunClock
from tools.batch.cluster import cluster_at
from tools.batch.expressions import ExpressionError
from tools.batch.graph import ToolDependencyGraph
from tools.batch.journal import Ended, InMemory, Journal
from tools.batch.lanes import Lanes
from tools.batch.listener import BatchListener, StepProgress, Telling
from tools.batch.past import SKIPPED_BY_SOMEBODY, skipped_rows
from tools.batch.performing import Performer, caller_of, ready_step, usual_s
from tools.batch.plan import Approve, BatchPlan, OnFailure, Step, title_of
from tools.batch.result import BatchResult, RowCounts, StepResult
from tools.batch.rowing import Rowing
from tools.batch.schedule import Schedule
from tools.batch.scopes import Scopes
from tools.batch.states import StepState
from tools.batch.step_rows import StepRows
from tools.batch.stepping import CANCELLED, Stepper
from tools.batch.workers import Workers
from tools.calls import ExitEarly
from tools.errors import CallStateError, PlanError, PlanProblem

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch.journal import Keeper
    from tools.batch.past import PastRun
    from tools.batch.performing import ReadyStep
    from tools.calls import ToolCall
    from tools.execution import Executor


class BatchRun:
    """Run the steps of a plan, each as soon as those have ended that it waits for.

    It may be made on any thread, and is used on that of the executor's event loop alone. When it is over, what failed
    can be put back, and `go` goes on.

    Args:
        plan: What runs.
        steps: The same with its expressions read, as it was checked.
        executor: Runs the calls.
        folder: What relative paths in the plan start from.
        parameters: What the plan is given, defaults filled in.
        listener: Who is told.
        journal: Where it is written down; None keeps results in memory.
        past: What an earlier part of the run came to; None begins anew.
        backend: The cluster that tools run on, as `dask://host:port`; empty runs them here.
        file: Where the plan stands, which it is called by if it has no name; None for nowhere.

    Attributes:
        plan: The plan.
        folder: What relative paths in it start from.
        parameters: What it is given, by name.
        graph: What each step waits for.
        schedule: How far each step is.
        results: What came of the steps that ended, by step.
        rowing: How far the rows of steps are, by step.
        clock: Tells how long the run has been under way.
        began_before_s: When steps began that an earlier part of the run came to, by step, as the clock says it.
    """

    def __init__(
        self,
        plan: BatchPlan,
        steps: Mapping[str, ReadyStep],
        executor: Executor,
        *,
        folder: Path,
        parameters: Mapping[str, Any] | None = None,
        listener: BatchListener | None = None,
        journal: Journal | None = None,
        past: PastRun | None = None,
        backend: str = "",
        file: Path | None = None,
    ) -> None:
        self.plan = plan
        self._title = title_of(plan.name, file)
        self.results: dict[str, StepResult] = {}
        self._executor = executor
        self.folder = folder
        self.parameters = dict(parameters or {})
        self.clock = RunClock(0.0 if past is None else past.elapsed_s)
        self.began_before_s: Mapping[str, float] = {} if past is None else past.began_s
        self._tell = Telling(listener)
        self._journal = journal
        if journal is not None:
            journal.clock = self.clock
        self._keeper: Keeper = journal or InMemory()
        self._rows = StepRows(self._keeper, folder, {} if past is None else past.rows)
        self.rowing: Mapping[str, Rowing] = self._rows.begun
        self._steps = dict(steps)
        self.graph = ToolDependencyGraph()
        self.graph.add_all({name: step.needs for name, step in self._steps.items()})
        borne = (step.id for step in plan.steps if step.continue_on_failure)
        self.schedule = Schedule(self.graph, usual_s(self._steps, executor.metrics), borne)
        self._performer = Performer(executor, self._keeper, caller_of(plan, file), self, self.cancel)
        tools = {name: ready.tool for name, ready in self._steps.items()}
        workers = 0 if backend else executor.workers.size
        self._lanes = Lanes(plan.limits, tools, self.schedule.is_due, self.schedule.share, workers=workers)
        self._scopes = Scopes(self.results, self.schedule.states, self.parameters)
        self._stepper = Stepper(
            self._steps,
            self.schedule,
            self._scopes,
            self._rows,
            self._performer,
            tell=self._tell,
            end=self._end,
            wake=self._wake,
        )
        self._workers = Workers(
            self.schedule,
            self._lanes,
            self._steps,
            plan.limits.parallelism,
            advance=self._stepper.advance,
            has_begun=self.rowing.__contains__,
            is_behind=self._tell.is_behind,
        )
        self._stopped: tuple[StepState, str] | None = None
        self._is_stopping = False
        self._asking: asyncio.Task[Any] | None = None
        self._backend = backend
        if past is not None:
            self._take_over(past)

    # Life

    async def go(self) -> BatchResult:
        """Run until every step has ended or been cancelled, and return what came of them.

        Raises:
            ToolConfigurationError: When the plan asks for all of it at once, and nobody is there to ask; or the
                cluster cannot be used.
            HistoryError: When it cannot be written down any more; what is written can be resumed.
        """
        self._stopped = None
        self._is_stopping = False
        self._tell(BatchListener.on_batch_start, len(self._steps))
        if self.plan.approve is Approve.PLAN:
            await self._agree()
        if not self._backend:
            await self._run()
        else:
            async with cluster_at(self._backend) as self._performer.cluster:
                await self._run()
            self._performer.cluster = None
        self._note_over()
        result = self.result()
        self._tell(BatchListener.on_batch_complete, result.successes, result.failures, result.total_duration)
        return result

    async def _run(self) -> None:
        self.clock.go()
        limits = self.plan.limits
        timer = None
        if limits.timeout_s is not None:
            timer = asyncio.get_running_loop().call_later(limits.timeout_s, self._on_time_up)
        unlisten = self._executor.add_listener(StepProgress(self, self.step_of, self._tell))
        try:
            await self._workers.run()
        finally:
            unlisten()
            if timer is not None:
                timer.cancel()
            self.clock.stop()

    def result(self) -> BatchResult:
        """Return what came of the steps so far; those that did not run say why."""
        return BatchResult(
            {step.id: self.results.get(step.id) or self._unrun(step.id) for step in self.plan.steps}, self.clock()
        )

    def _unrun(self, name: str) -> StepResult:
        schedule = self.schedule
        reason, held_by = schedule.reasons.get(name), schedule.held_by.get(name, "")
        return StepResult(success=False, error=reason, state=schedule.states[name], held_by=held_by)

    def close(self) -> None:
        """Let the journal go; what is in it can be resumed."""
        if self._journal is not None:
            self._journal.close()

    # What people ask for

    @property
    def is_paused(self) -> bool:
        """Whether nothing begins."""
        return self._workers.is_paused

    def pause(self) -> None:
        """Begin nothing more; what runs goes on to its end."""
        self._workers.is_paused = True

    def resume(self) -> None:
        """Go on."""
        self._workers.is_paused = False
        self._workers.wake()

    def cancel(self, reason: str = "the batch was cancelled") -> None:
        """Stop what runs, and begin nothing more."""
        self._stop(StepState.CANCELLED, reason)

    def cancel_step(self, name: str) -> None:
        """Stop one step; what waits for it is skipped."""
        if self.schedule.states[name] is StepState.QUEUED:
            self._end(name, Ended(StepState.CANCELLED, None, CANCELLED))
        elif self.schedule.states[name] is StepState.RUNNING:
            self._performer.cancel(name)
            self._scopes.stop(name)
            self._stepper.stop_rows(name)
        self._workers.wake()

    def skip(self, name: str, reason: str = SKIPPED_BY_SOMEBODY) -> list[str]:
        """Let those go on that wait for a step which failed or has not begun; what it has no result for is null.

        Returns:
            The steps that run now because of it.

        Raises:
            CallStateError: When it runs or has succeeded.
        """
        state = self.schedule.states[name]
        if state is StepState.RUNNING or state.succeeded:
            msg = f"step {name!r} is {state.value}; only one that has not begun or did not succeed can be skipped"
            raise CallStateError(msg)
        self._note(passed=name)
        go_on = self.schedule.pass_over(name, reason)
        rows = self._rows.of(name)
        self.results.pop(name, None)
        if rows is not None:
            self.results[name] = skipped_rows(rows)
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
        rows = self._rows.of(name)
        if rows is None or not rows.failed:
            msg = f"step {name!r} has no rows that did not succeed; skip the step itself"
            raise CallStateError(msg)
        self._note(passed=name, rows=list(rows.failed))
        rows.failed.update(dict.fromkeys(rows.failed, (StepState.SKIPPED, SKIPPED_BY_SOMEBODY)))
        if not self._rows.are_over(name):
            return self._again([name], keeping_rows_of=[name])
        # Nothing of it is left to run, so when it ran and for how long stays as it was.
        go_on = [other for other in self.schedule.again([name]) if other != name]
        self._put_back(go_on, keeping_rows_of=())
        before = self.results[name]
        elapsed_s = before.elapsed_s
        self.rowing[name].count_again()
        self._note(end=name, state=StepState.DONE.value, s=elapsed_s, review_s=before.review_s)
        self._end(name, Ended(StepState.DONE, None, "", elapsed_s, review_s=before.review_s), is_written=True)
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
            msg = "the plan has other steps now, or they wait for others; run it from its beginning"
            raise CallStateError(msg)
        states = self.schedule.states
        changed = [
            name
            for name, state in states.items()
            if name in ready and not state.succeeded and state is not StepState.RUNNING
        ]
        if self._journal is not None and any(ready[name].hides for name in changed):
            self._journal.seal()
        for name in changed:
            if ready[name].step.rows != self._steps[name].step.rows and self._rows.of(name) is not None:
                # What came of the rows of before is not what comes of these.
                self._rows.forget(name)
                self._note(again=name)
            self._steps[name] = ready[name]
            self._lanes.assign(name, ready[name].tool)
        if changed:
            self._workers.wake()
            self.plan = self.plan.model_copy(update={"steps": tuple(self._steps[step.id].step for step in plan.steps)})
            self._note(
                steps=[step.model_dump(mode="json", by_alias=True, exclude_defaults=True) for step in self.plan.steps]
            )
        return changed

    def _read(self, step: Step) -> ReadyStep:
        try:
            return ready_step(step, self._executor.registry)
        except ExpressionError as error:
            raise PlanError([PlanProblem(f"step {step.id}", str(error), step.id)]) from error

    @property
    def unsure(self) -> list[str]:
        """The steps that may have run, or rows of them, and that nobody has decided about."""
        held = [name for name, state in self.schedule.states.items() if state is StepState.MAY_HAVE_RUN]
        return list(dict.fromkeys([*held, *self._rows.unsure]))

    def row_counts(self, name: str) -> RowCounts | None:
        """Return how the rows of a step ended so far, in an earlier part of the run too; None when none began."""
        rowing, found, past = self.rowing.get(name), self.results.get(name), self._rows.of(name)
        if rowing is not None:
            return rowing.counts
        return found.rows if found is not None else None if past is None else past.counts

    def step_of(self, call: ToolCall) -> str:
        """Return the step that a call under way belongs to; empty when it is none of this run."""
        return self._performer.step_of(call)

    # How it goes

    async def _agree(self) -> None:
        """Ask once about everything that is left; nothing runs when the answer is no."""
        waiting = [self._steps[name] for name, state in self.schedule.states.items() if not state.ended]
        agreement = self._performer.agreement = Agreement(self._executor, self._tell)
        around = Surroundings(self._executor, self._performer.caller, self.folder, self.parameters)
        self._asking = asyncio.ensure_future(agreement.ask(self._title, waiting, around))
        try:
            outcome = await self._asking
        except asyncio.CancelledError:
            if self._stopped is None:
                raise
            return
        finally:
            self._asking = None
            self._tell(BatchListener.on_agreed)
        if outcome is not None and isinstance(outcome.decision, ExitEarly):
            said = f": {outcome.decision.reason}" if outcome.decision.reason else ""
            self._stop(StepState.DENIED, f"the plan was refused before it ran{said}")

    def _end(self, name: str, ended: Ended, *, is_written: bool = False) -> None:
        if not is_written and ended.state is not StepState.CANCELLED:
            self._keeper.end(name, None, ended)
        if self._stopped is not None and ended.state is StepState.CANCELLED:
            ended = ended._replace(state=self._stopped[0], error=self._stopped[1])
        state = ended.state
        rowing = self.rowing.get(name) if self.rowing else None
        self.results[name] = StepResult(
            state.succeeded,
            ended.value if rowing is None else rowing.past.results,
            ended.error or None,
            state,
            ended.elapsed_s,
            ended.attempts,
            None if rowing is None else rowing.counts,
            ended.shown,
            {} if rowing is None else dict(rowing.past.failed),
            review_s=ended.review_s,
        )
        self._scopes.forget(name)
        skipped = self.schedule.end(name, state, ended.error)
        if self._tell.is_heard:
            # What it takes with it has ended too by now, and is told one by one.
            completed = self.schedule.ended - len(skipped)
            self._told_end(name, state, ended.error, completed)
            for place, other in enumerate(skipped, 1):
                self._told_end(other, StepState.SKIPPED, self.schedule.reasons[other], completed + place)
        if state.failed and self.plan.on_failure is OnFailure.STOP and not self._is_stopping:
            self._stop(StepState.CANCELLED, f"step {name!r} failed, and the plan stops then")

    def _told_end(self, name: str, state: StepState, reason: str, completed: int) -> None:
        total = len(self._steps)
        self._tell(BatchListener.on_state_change, name, state, reason)
        self._tell(BatchListener.on_tool_complete, name, state.succeeded, completed, total)

    def _stop(self, state: StepState, reason: str) -> None:
        self._stopped = state, reason
        self._is_stopping = True
        self._workers.is_paused = False
        self._rows.stop()
        for name, now in list(self.schedule.states.items()):
            if now is StepState.QUEUED:
                self.schedule.end(name, state, reason)
                if self._tell.is_heard:
                    self._told_end(name, state, reason, self.schedule.ended)
        self._performer.cancel()
        self._scopes.stop()
        if self._asking is not None:
            self._asking.cancel()
        self._workers.wake()

    def _on_time_up(self) -> None:
        self._stop(StepState.TIMED_OUT, f"the batch's time of {self.plan.limits.timeout_s:g} s was up")

    def _wake(self) -> None:
        self._workers.wake()

    # What was before

    def _refuse_running(self, name: str) -> None:
        running = self.schedule.running_behind(name)
        if running:
            what = "it" if running[0] == name else f"step {running[0]!r}, which waits for it,"
            msg = f"step {name!r} cannot begin again while {what} runs; cancel it, or let it end first"
            raise CallStateError(msg)

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
            if name in kept and self._rows.of(name) is not None:
                self._note(again=name, rows=self._rows.put_back(name))
            else:
                self._rows.forget(name)
                self._note(again=name)
            self._tell(BatchListener.on_state_change, name, StepState.QUEUED, "")
        self._workers.wake()

    def _note_over(self) -> None:
        if self._stopped is not None:
            state, why = self._stopped
            self._note(stopped=state.value, error=why)
        self._note(over=True)

    def _note(self, **facts: Any) -> None:
        if self._journal is not None:
            self._journal.note(**facts)

    def _take_over(self, past: PastRun) -> None:
        """Count as ended what an earlier part of the run finished."""
        self.results.update(past.replay(self.schedule, lambda name: self._steps[name].is_idempotent))
