"""Runs of plans on the engine's thread, and how far they are, told to the window at most 30 times a second."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal

from console.app.batch_foresight import foresee
from console.batch.ports import FailedRow, Foresight, KeptRun, StepTold
from console.batch.rows import Phase, RunFacts, RunUpdate, StepFacts, result_words
from console.engine import FRAME_MS, Engine
from console.tasks import Compute
from tools.batch import BatchExecutor, BatchListener, BatchPlan, BatchResult, BatchRun, Step, StepState
from tools.batch.exporting import as_csv, as_json, as_junit
from tools.batch.expressions import ExpressionError
from tools.batch.forecast import StepPreview, preview
from tools.batch.journal import Journal, RowResults
from tools.batch.runs import is_over, journals_in, past_run, run_id
from tools.calls import Event, Progress, ReviewAsked, ReviewDecided
from tools.errors import CallStateError, HistoryError
from tools.execution import Executor

if TYPE_CHECKING:
    from tools.batch.rowing import Rowing

__all__ = ["BatchRuns"]

Answer = TypeVar("Answer")

_WRITERS: Final[Mapping[str, Callable[[BatchPlan, BatchResult], str]]] = {
    "json": as_json,
    "csv": as_csv,
    "junit": as_junit,
}
_CLOSE_S: Final = 5.0
_NAMED: Final = 5
_log = logging.getLogger(__name__)


class _Watch(BatchListener):
    """Take note of what changed, and tell of all of it after a frame; on the engine's thread.

    Args:
        publish: Told the names of steps of which something changed.
    """

    def __init__(self, publish: Callable[[set[str]], None]) -> None:
        self._publish = publish
        self._changed: set[str] = set()
        self._planned = False
        self._busy: list[str | None] = []
        self.began_s: dict[str, float] = {}
        self.worker: dict[str, int] = {}
        self.progress: dict[str, Progress] = {}
        self.waiting: dict[str, int] = {}

    def touch(self, *names: str) -> None:
        """Tell of steps soon; of none, when only the run itself stands otherwise."""
        self._changed.update(names)
        if not self._planned:
            self._planned = True
            asyncio.get_running_loop().call_later(FRAME_MS / 1000, self._on_time)

    def _on_time(self) -> None:
        self._planned = False
        changed, self._changed = self._changed, set()
        self._publish(changed)

    def on_state_change(self, name: str, state: StepState, reason: str) -> None:
        del reason
        if state is StepState.RUNNING:
            self.began_s[name] = perf_counter()
            self._take_lane(name)
        else:
            self.progress.pop(name, None)
            self._leave_lane(name)
        if state is StepState.QUEUED:
            self.began_s.pop(name, None)
        self.touch(name)

    def on_step_progress(self, name: str, progress: Progress) -> None:
        self.progress[name] = progress
        self.touch(name)

    def on_row_complete(self, name: str, row: int, state: StepState, done: int, total: int | None) -> None:
        del row, state, done, total
        self.touch(name)

    def on_batch_start(self, total: int) -> None:
        del total
        self.touch()

    def on_batch_complete(self, successes: int, failures: int, duration: float) -> None:
        del successes, failures, duration
        self.touch()

    def _take_lane(self, name: str) -> None:
        free = next((lane for lane, held in enumerate(self._busy) if held is None), len(self._busy))
        self._busy[free : free + 1] = [name]
        self.worker[name] = free

    def _leave_lane(self, name: str) -> None:
        if name in self._busy:
            self._busy[self._busy.index(name)] = None


class BatchRuns(QObject):
    """Hold one run: begin it, go on with one that was written down, stop it, put parts of it back.

    Args:
        engine: Has the thread that runs it.
        executor: Runs the calls.
        folder: Where runs are written down.
        compute: Runs what takes more than a frame.
        parent: Its owner.

    Signals:
        updated(RunUpdate): Something of the run changed; from the engine's thread.
    """

    updated = Signal(object)

    def __init__(
        self, engine: Engine, executor: Executor, folder: Path, *, compute: Compute, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._compute = compute
        self._engine = engine
        self._executor = executor
        self.folder = folder
        self._held: _Held | None = None

    @property
    def goes_on(self) -> bool:
        """Whether a run has not come to its end."""
        return self._held is not None and self._held.goes_on

    async def foresee(self, plan: BatchPlan, folder: Path) -> Foresight:
        """Return what is known of a sound plan before it runs."""
        return await self._engine.call(foresee, plan, folder, self._executor)

    async def begin(self, plan: BatchPlan, folder: Path, parameters: Mapping[str, Any]) -> None:
        """Run a plan from its beginning; what was run before is let go.

        Raises:
            PlanError: When the plan does not fit the tools.
            HistoryError: When the run cannot be written down.
        """
        await self._engine.call(self._begin, plan, folder, parameters)

    async def _begin(self, plan: BatchPlan, folder: Path, parameters: Mapping[str, Any]) -> None:
        await self._let_go()
        journal = self.folder / f"{run_id(plan)}.jsonl"
        watch = self._make_watch()
        batches = BatchExecutor(executor=self._executor)
        run = batches.prepare(plan, listener=watch, parameters=parameters, folder=folder, journal=journal)
        self._held = _Held(run, watch, self._executor, journal.stem, datetime.now(UTC))
        self._held.go()

    async def reopen(self, journal: Path, started_at: datetime) -> tuple[BatchPlan, Path]:
        """Hold a run that was written down, and return its plan and folder; nothing goes on before somebody says so.

        Raises:
            PlanError: When the plan does not fit the tools any more.
            HistoryError: When there is no such journal.
        """
        return await self._engine.call(self._reopen, journal, started_at)

    async def _reopen(self, journal: Path, started_at: datetime) -> tuple[BatchPlan, Path]:
        await self._let_go()
        watch = self._make_watch()
        run = BatchExecutor(executor=self._executor).resume(journal, watch)
        self._held = _Held(run, watch, self._executor, journal.stem, started_at)
        watch.touch(*run.schedule.states)
        return run.plan, run.folder

    async def tell(self, plan: BatchPlan) -> None:
        """Tell of every step once more, if the run that is held is of this plan's steps; otherwise let it go."""
        await self._engine.call(self._tell, [step.id for step in plan.steps])

    async def _tell(self, steps: list[str]) -> None:
        held = self._held
        if held is None or held.goes_on:
            return
        if set(steps) == set(held.run.schedule.states):
            held.watch.touch(*steps)
        else:
            await self._let_go()

    def _make_watch(self) -> _Watch:
        return _Watch(self._publish)

    def _publish(self, names: set[str]) -> None:
        if self._held is not None:
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self.updated.emit(self._held.update(names))

    # What was written down

    async def kept(self, *, interrupted: bool) -> list[KeptRun]:
        """Return the runs that were written down, the newest first.

        Args:
            interrupted: Only those that did not come to their end.
        """
        held = "" if self._held is None else self._held.id
        found: list[KeptRun] = await self._compute(_kept, self.folder, interrupted, held)
        return found

    async def dismiss(self, journal: Path) -> None:
        """Offer a run no more that was interrupted; what came of it stays."""
        await self._compute(_dismiss, journal)

    # What the person asks for

    async def revise(self, plan: BatchPlan) -> None:
        """Let what runs from now on run as a changed plan says.

        Raises:
            CallStateError: Other steps are in it, or they wait for others; it has to run from its beginning.
        """
        await self._with(BatchRun.revise, plan)

    async def pause(self) -> None:
        """Begin nothing more; what runs goes on to its end."""
        await self._with(BatchRun.pause)

    async def resume(self) -> None:
        """Go on after a pause, a cancellation or the end of the program."""
        await self._with(_resume)

    async def cancel(self) -> None:
        """Stop what runs, and begin nothing more."""
        await self._with(BatchRun.cancel)

    async def cancel_step(self, step: str) -> None:
        """Stop one step."""
        await self._with(BatchRun.cancel_step, step)

    async def skip(self, step: str) -> None:
        """Let those go on that wait for a step which did not succeed."""
        await self._with(BatchRun.skip, step)

    async def retry(self, step: str) -> None:
        """Run a step again, and what waits for it."""
        await self._with(BatchRun.retry, step)

    async def retry_failed(self) -> None:
        """Run everything again that failed."""
        await self._with(BatchRun.retry_failed)

    async def rerun_from(self, step: str) -> None:
        """Run a step and everything that waits for it again, whatever came of them."""
        await self._with(BatchRun.rerun_from, step)

    async def told(self, plan: BatchPlan, step: str, most: int) -> StepTold:
        """Return what a step is given and what came of it, as far as that is known.

        Args:
            plan: The plan as it stands.
            step: One of its steps.
            most: How many of its rows are told of at most.
        """
        return await self._engine.call(self._told, plan, step, most)

    async def _told(self, plan: BatchPlan, name: str, most: int) -> StepTold:
        step = next((step for step in plan.steps if step.id == name), None)
        held = self._held
        if step is None:
            return StepTold({})
        run = None if held is None or name not in held.run.schedule.states else held.run
        try:
            known = preview(plan, step) if run is None else _previewed(run, plan, step)
            given = known.arguments, known.later, known.problems
        except ExpressionError as error:
            given = step.arguments, (), (str(error),)
        found = None if run is None else run.results.get(name)
        rowing = None if run is None else run.rowing.get(name)
        rows = found.result if found is not None and isinstance(found.result, RowResults) else None
        if rowing is not None:
            rows = rowing.past.results
        result = rows[:most] if rows is not None else None if found is None else found.result
        failed = [] if held is None or rowing is None else held.failed_rows(name, most)
        return StepTold(*given, result is not None, result, failed)

    async def exported(self, kind: str) -> str:
        """Return what came of the run for other programs: `json`, `csv`, `junit` or `dot`."""
        return await self._asked(lambda held: held.exported(kind)) or ""

    async def _with(self, action: Callable[..., Any], *given: Any) -> None:
        await self._engine.call(self._do, action, *given)

    async def _do(self, action: Callable[..., Any], *given: Any) -> None:
        held = self._held
        if held is None:
            msg = "there is no run; run the plan first"
            raise CallStateError(msg)
        action(held.run, *given)
        held.watch.touch(*given)
        held.go()

    async def _asked(self, question: Callable[[_Held], Answer]) -> Answer | None:
        async def ask() -> Answer | None:
            return None if self._held is None else question(self._held)

        return await self._engine.call(ask)

    # Life

    async def close(self) -> None:
        """Stop the run where it is, so that it can go on another time."""
        if self._held is not None:
            with contextlib.suppress(TimeoutError):  # a tool blocks the engine; what was written can be resumed
                await asyncio.wait_for(self._engine.call(self._let_go), _CLOSE_S)

    async def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await held.close()


def _kept(folder: Path, interrupted: bool, held: str) -> list[KeptRun]:
    found = []
    for journal in journals_in(folder):
        if journal.stem == held or (interrupted and is_over(journal)):
            continue
        try:
            past = past_run(journal)
        except HistoryError as error:
            _log.warning("a run cannot be shown: %s", error)
            continue
        results = past.result.results
        unsure = tuple(name for name, item in results.items() if item.state is StepState.MAY_HAVE_RUN)
        done = sum(item.success for item in results.values())
        failed = past.result.failures - len(unsure)
        facts = past.plan.name, past.started_at, len(past.plan.steps), done, failed, len(unsure)
        found.append(KeptRun(journal, *facts, unsure[:_NAMED], past.is_over))
    return found


def _dismiss(journal: Path) -> None:
    with Journal(journal) as kept:
        kept.note(over=True)


def _previewed(run: BatchRun, plan: BatchPlan, step: Step) -> StepPreview:
    return preview(plan, step, parameters=run.parameters, folder=run.folder, results=run.results)


def _resume(run: BatchRun) -> None:
    if run.is_paused:
        run.resume()
        return
    for name, state in list(run.schedule.states.items()):
        if state is StepState.CANCELLED:
            run.retry(name)


class _Held:
    """One run, the task that runs it, and what is told of it; on the engine's thread."""

    def __init__(self, run: BatchRun, watch: _Watch, executor: Executor, run_id: str, started_at: datetime) -> None:
        self.run = run
        self.watch = watch
        self.id = run_id
        self._started_at = started_at
        self._task: asyncio.Task[BatchResult] | None = None
        self._zero_s = perf_counter()
        self._took_s = 0.0
        self._has_gone = False
        self._unlisten = executor.add_listener(self._receive)

    @property
    def goes_on(self) -> bool:
        return self._task is not None and not self._task.done()

    def go(self) -> None:
        """Go on when there is something to do and nobody does it."""
        if self.goes_on or not any(state is StepState.QUEUED for state in self.run.schedule.states.values()):
            return
        self._zero_s = perf_counter() - self._took_s
        self._has_gone = True
        self._task = asyncio.get_running_loop().create_task(self.run.go(), name=f"batch {self.id}")
        self._task.add_done_callback(self._on_done)
        self.watch.touch()

    def _on_done(self, task: asyncio.Task[BatchResult]) -> None:
        self._took_s = perf_counter() - self._zero_s
        self.watch.touch()
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    async def close(self) -> None:
        self._unlisten()
        task = self._task
        if task is not None and not task.done():
            # Not `cancel` of the run: that would end it for good.
            task.cancel()
            await asyncio.wait([task])
        self.run.close()

    def _receive(self, event: Event) -> None:
        if not isinstance(event, ReviewAsked | ReviewDecided):
            return
        origin = event.call.origin
        if origin is None or origin.owner is not self.run:
            return
        step = self.run.step_of(event.call)
        if step:
            count = self.watch.waiting.get(step, 0) + (1 if isinstance(event, ReviewAsked) else -1)
            self.watch.waiting[step] = max(0, count)
            self.watch.touch(step)

    # What is told

    def update(self, names: Iterable[str]) -> RunUpdate:
        return RunUpdate(self._facts(), {name: self._step(name) for name in names})

    def _facts(self) -> RunFacts:
        zero_s = self._zero_s if self.goes_on else None
        workers = self.run.plan.limits.parallelism
        return RunFacts(self._phase(), self.id, self._started_at, zero_s, self._took_s, workers)

    def _phase(self) -> Phase:
        if self.goes_on:
            return Phase.PAUSED if self.run.is_paused else Phase.RUNNING
        states = self.run.schedule.states.values()
        if not self._has_gone and any(state in {StepState.QUEUED, StepState.MAY_HAVE_RUN} for state in states):
            return Phase.INTERRUPTED
        return Phase.CANCELLED if any(state is StepState.CANCELLED for state in states) else Phase.OVER

    def _step(self, name: str) -> StepFacts:
        run, watch = self.run, self.watch
        state = run.schedule.states[name]
        found = run.results.get(name)
        rowing = run.rowing.get(name)
        rows = rowing.counts if rowing is not None else None if found is None else found.rows
        began_s = watch.began_s.get(name)
        result = "" if found is None or isinstance(found.result, RowResults) else result_words(found.result)
        progress = watch.progress.get(name)
        return StepFacts(
            name,
            state,
            share=_share(state, rowing, progress),
            progress="" if progress is None else progress.text,
            began_s=None if began_s is None else began_s - self._zero_s,
            elapsed_s=None if found is None else found.elapsed_s,
            attempts=0 if found is None else found.attempts,
            rows=rows,
            result=result,
            error=(found.error if found is not None else run.schedule.reasons.get(name)) or "",
            held_by=run.schedule.held_by.get(name, ""),
            is_waiting=state is StepState.RUNNING and bool(watch.waiting.get(name)),
            worker=watch.worker.get(name, 0),
        )

    def failed_rows(self, step: str, most: int) -> list[FailedRow]:
        rowing = self.run.rowing.get(step)
        if rowing is None:
            return []
        failed = rowing.past.failed
        return [FailedRow(row, *failed[row]) for row in sorted(failed)[:most]]

    def exported(self, kind: str) -> str:
        if kind == "dot":
            return self.run.graph.to_dot(self.run.schedule.states)
        return _WRITERS[kind](self.run.plan, self.run.result())


def _share(state: StepState, rowing: Rowing | None, progress: Progress | None) -> float | None:
    if state is not StepState.RUNNING:
        return None
    if rowing is not None:
        counts = rowing.counts
        return (counts.done + counts.failed) / counts.total if counts.total else None
    if progress is None or not progress.total:
        return None
    return min(1.0, max(0.0, progress.done / progress.total))
