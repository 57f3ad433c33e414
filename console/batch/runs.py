"""Runs of plans on the engine's thread: begun, looked ahead at, stopped, and told to the window in turns."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.batch.engine_run import EngineRun, RunWatch
from console.batch.rows import FailedRow, RunAction, RunUpdate, SavedRun, StepInspection
from console.batch.run_estimate import Known
from console.engine import FRAME_MS, Engine, on_engine
from console.language import tr, translated
from console.responsiveness.ui_throttle import RETRY_MS, ui_throttle
from console.tasks import Compute
from tools.atomic_write import write_pieces
from tools.batch import BatchExecutor, BatchPlan, BatchRun, StepState, steps
from tools.batch.checking import filled_parameters
from tools.batch.expressions import ExpressionError
from tools.batch.journal import Journal
from tools.batch.plan_approval import PlanContext, preview_approval
from tools.batch.result import RowResults
from tools.batch.rows import missing_file
from tools.batch.runs import PastRun, is_over, is_under_way, journals_in, past_run, prune, run_id
from tools.batch.schedule import LimitKey, limits_of
from tools.batch.step_previews import preview
from tools.batch.steps import ReadyStep, caller_of, ready_steps
from tools.errors import CallStateError, ToolError
from tools.execution.executor import Executor

if TYPE_CHECKING:
    from console.batch.rows import RunFacts, StepFacts
    from tools.batch import Step
    from tools.calls import PlannedStep
    from tools.registry import ToolRegistry

_MOST_AT_A_TIME: Final = 400
"""Steps that are told of at a time; more would hold the window up."""
_PAUSE_SHARE: Final = 3.0
"""How much longer than a turn took nothing is told of afterwards; it takes longer while tools keep a computer busy."""
_LONGEST_PAUSE_S: Final = 0.25


class RunUpdates(QObject):
    """Put together what is told of a run until its next turn; of each step only the newest counts.

    What comes from the engine's thread comes before everything else that waits in the window's. While it is told of
    directly, and takes longer than the next one takes to come, nothing is painted and no key is taken.
    """

    updated = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts: RunFacts | None = None
        self._told: RunFacts | None = None
        self._steps: dict[str, StepFacts] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._throttle = ui_throttle()

    @Slot(object)
    def take(self, update: RunUpdate) -> None:
        """Take in what changed; it is told at once, or after the pause."""
        self._facts = update.facts
        self._steps.update(update.steps)
        if not self._timer.isActive():
            self._timer.start(0)

    @Slot()
    def forget(self) -> None:
        """Drop what was not told yet: it is of another run."""
        self._facts = self._told = None
        self._steps.clear()

    @Slot()
    def _on_timer_timeout(self) -> None:
        facts = self._facts
        if facts is None:
            return
        if self._throttle.has_to_wait("run"):
            self._timer.start(RETRY_MS)
            return
        steps = {name: self._steps.pop(name) for name in list(islice(self._steps, _MOST_AT_A_TIME))}
        if not self._steps:
            self._facts = None
        elif self._told is not None and not facts.phase.goes_on:
            # That it is over is told with the last of it.
            facts = self._told
        self._told = facts
        began_s = perf_counter()
        self.updated.emit(RunUpdate(facts, steps))
        self._throttle.note()
        pause_s = min(_LONGEST_PAUSE_S, (perf_counter() - began_s) * _PAUSE_SHARE)
        self._timer.start(max(FRAME_MS, round(pause_s * 1000)))

    def stop(self) -> None:
        self.forget()
        self._timer.stop()


def told(run: BatchRun | None, plan: BatchPlan, name: str, most: int, registry: ToolRegistry) -> StepInspection:
    """Return what is known of a step, on the engine's thread.

    Args:
        run: A run of the plan; None when it did not run.
        most: How many of its rows are told of at most.
        registry: The tools, which know what is secret.
    """
    step = next((step for step in plan.steps if step.id == name), None)
    if step is None:
        return StepInspection({})
    if run is not None and name not in run.schedule.states:
        run = None
    arguments, later, problems = _given(run, plan, step, registry)
    if run is None:
        return StepInspection(arguments, later, problems)
    found, fan_out = run.results.get(name), run.fan_outs.get(name)
    result = None if found is None else found.display
    if fan_out is not None:
        result = fan_out.states.results.shown
    if isinstance(result, RowResults):
        result = result[:most]
    return StepInspection(arguments, later, problems, result is not None, result, failed_rows(run, name, most))


def failed_rows(run: BatchRun, name: str, most: int) -> list[FailedRow]:
    """Return the first rows of a step that did not succeed."""
    fan_out = run.fan_outs.get(name)
    failed = {} if fan_out is None else fan_out.states.not_done
    return [FailedRow(row, *failed[row]) for row in sorted(failed)[:most]]


def _given_shown(step: Step, arguments: Mapping[str, Any], registry: ToolRegistry) -> Mapping[str, Any]:
    """Return arguments of a step as people may see them: what its tool hides is hidden."""
    return steps.given_shown(registry.find(step.tool), arguments)


def _given(
    run: BatchRun | None, plan: BatchPlan, step: Step, registry: ToolRegistry
) -> tuple[Mapping[str, Any], Sequence[str], Sequence[str]]:
    try:
        if run is None:
            known = preview(plan, step)
        else:
            # What an earlier tool hides of its result is not to be read here either.
            seen = {name: item._replace(result=item.display) for name, item in run.results.items()}
            known = preview(plan, step, parameters=run.parameters, folder=run.folder, results=seen)
    except ExpressionError as error:
        return _given_shown(step, step.arguments, registry), (), (translated(error),)
    return _given_shown(step, known.arguments, registry), known.later, known.problems


_AT_A_TIME: Final = 20
"""Steps that are judged before others have the engine."""

_WILL_ASK: Final = tr("Will ask you first")
_MAY_ASK: Final = tr("May ask you first")


async def asking(plan: BatchPlan, folder: Path, file: Path | None, executor: Executor) -> dict[str, str]:
    """Return what is to be said of steps of a sound plan before they run, by name; on the engine's thread.

    That they will ask, or that their rows are not there.
    """
    steps = await asyncio.to_thread(ready_steps, plan, executor.registry)
    around = PlanContext(executor, caller_of(plan, file), folder, filled_parameters(plan, {}))
    asks: dict[str, str] = {}
    # Rows may be many, and each would be judged: of those steps only what their tool says is looked at.
    single = [step for step in steps.values() if step.step.rows is None]
    for number, step in enumerate(steps.values()):
        if step.step.rows is not None and (words := _words_of_tool(step, executor)):
            asks[step.step.id] = words
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    asks.update(await asyncio.to_thread(_without_rows, list(steps.values()), folder))
    async for found in preview_approval(single, around):
        if words := _words(found.step):
            asks[found.step.name] = words
    return asks


def _without_rows(steps: Sequence[ReadyStep], folder: Path) -> dict[str, str]:
    """Return which steps have no rows now because a file is not there that no step before could write, in words."""
    found = {}
    for ready in steps:
        if ready.step.rows is not None and not ready.needs and (name := missing_file(ready.step.rows, folder)):
            found[ready.step.id] = tr("Its rows are not there yet: {name}", name=name)
    return found


def known(plan: BatchPlan, executor: Executor, workers: int) -> Known:
    """Return what is known of a plan's tools: what calls take, and how many run at a time.

    Args:
        workers: How many worker processes there are for it; 0 where its tools run elsewhere.
    """
    usual_s: dict[str, float] = {}
    lanes: dict[str, Mapping[LimitKey, int]] = {}
    for name in {step.tool for step in plan.steps}:
        tool = executor.registry.find(name)
        if tool is None:
            continue
        p50_ms = executor.metrics.stats(tool.name).p50_ms
        if p50_ms is not None:
            usual_s[name] = p50_ms / 1000
        if places := limits_of(tool, plan.limits, workers):
            lanes[name] = places
    return Known(usual_s, lanes)


def _words_of_tool(step: ReadyStep, executor: Executor) -> str:
    certain = None if step.tool is None else executor.proposals.certain_reasons(step.tool)
    if certain is None:
        return ""
    return _WILL_ASK if certain else _MAY_ASK


def _words(step: PlannedStep) -> str:
    if step.refusal:
        return tr("Will be refused: {refusal}", refusal=step.refusal)
    if step.asking or (step.is_open and step.concerns):
        return _WILL_ASK
    return _MAY_ASK if step.is_open else ""


_CLOSE_S: Final = 5.0
_NAMED: Final = 5
_log = logging.getLogger(__name__)


class BatchRuns(QObject):
    """Hold one run: begin it, go on with one that was written down, stop it, put parts of it back.

    Signals:
        updated(RunUpdate): Something of the run changed; from the engine's thread.

    Attributes:
        folder: Where runs are written down.
        backend: Where the tools of runs that begin or go on from now on run; see `BatchExecutor`.
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
        self.backend = ""
        self._held: EngineRun | None = None
        self._is_making_ready = False
        # Held on the engine's loop while one run takes the place of another.
        self._changing = asyncio.Lock()

    @property
    def goes_on(self) -> bool:
        """Whether a run has not come to its end, or is just being made ready."""
        return self._is_making_ready or (self._held is not None and self._held.goes_on)

    async def asking(self, plan: BatchPlan, folder: Path, file: Path | None) -> Mapping[str, str]:
        """Return whether steps of a sound plan will ask before they run, in words, by name; others are left out."""
        return await self._engine.call(asking, plan, folder, file, self._executor)

    async def known(self, plan: BatchPlan) -> Known:
        """Return what is known of the plan's tools: what calls take, and how many run at a time."""
        workers = 0 if self.backend else self._executor.workers.size
        found: Known = await self._compute(known, plan, self._executor, workers)
        return found

    async def begin(
        self, plan: BatchPlan, folder: Path, parameters: Mapping[str, Any], *, file: Path | None = None
    ) -> None:
        """Run a plan from its beginning; what was run before is let go.

        Args:
            folder: What its relative paths start from.
            file: Where it stands; None before it is saved for the first time.

        Raises:
            PlanError: When the plan does not fit the tools.
            HistoryError: When the run cannot be written down.
            VaultError: When what a tool hides cannot be sealed there.
            CallStateError: When another run is just being made ready.
        """
        with self._making_ready():
            await self._compute(self._prune)
            resolved = None if file is None else await self._compute(file.resolve)
            await self._begin(plan, folder, parameters, resolved)

    @contextlib.contextmanager
    def _making_ready(self) -> Iterator[None]:
        if self._is_making_ready:
            raise CallStateError(tr("another run is just being made ready; try again in a moment"))
        self._is_making_ready = True
        try:
            yield
        finally:
            self._is_making_ready = False

    def _prune(self) -> None:
        try:
            prune(self.folder, datetime.now(UTC))
        except OSError as error:
            _log.warning("old runs cannot be deleted: %s", error)

    @on_engine
    async def _begin(self, plan: BatchPlan, folder: Path, parameters: Mapping[str, Any], file: Path | None) -> None:
        async with self._changing:
            await self._let_go()
            journal = self.folder / f"{run_id(plan, file)}.jsonl"
            watch = self._make_watch()
            batches = BatchExecutor(executor=self._executor, backend=self.backend)
            # Thousands of steps take seconds, in which other calls go on.
            run = await asyncio.to_thread(
                batches.prepare,
                plan,
                listener=watch,
                parameters=parameters,
                folder=folder,
                journal=journal,
                file=file,
            )
            self._held = EngineRun(run, watch, journal.stem, datetime.now(UTC), file)
            self._held.go()

    async def reopen(self, kept: SavedRun) -> tuple[BatchPlan, Path]:
        """Hold a run that was written down, and return its plan and folder; nothing goes on before somebody says so.

        Raises:
            PlanError: When the plan does not fit the tools any more.
            HistoryError: When there is no such journal.
            CallStateError: When another run is just being made ready.
        """
        with self._making_ready():
            return await self._reopen(kept)

    @on_engine
    async def _reopen(self, kept: SavedRun) -> tuple[BatchPlan, Path]:
        async with self._changing:
            await self._let_go()
            watch = self._make_watch()
            batches = BatchExecutor(executor=self._executor, backend=self.backend)
            run = await asyncio.to_thread(batches.resume, kept.journal, watch)
            self._held = EngineRun(run, watch, kept.journal.stem, kept.started_at, kept.file)
            watch.touch(*run.schedule.states)
            return run.plan, run.folder

    async def tell(self, plan: BatchPlan, file: Path | None) -> None:
        """Tell of every step once more, if the run that is held is of this plan; otherwise let it go.

        Args:
            file: Where it stands; None before it is saved for the first time.
        """
        resolved = None if file is None else await self._compute(file.resolve)
        await self._tell(plan, resolved)

    @on_engine
    async def _tell(self, plan: BatchPlan, file: Path | None) -> None:
        async with self._changing:
            held = self._held
            if held is None or held.goes_on:
                return
            # A plan that was saved since then has a file now; one that is shown without its file has none.
            is_there = file is None or held.file is None or file == held.file
            if is_there and plan == held.run.plan:
                held.watch.touch(*held.run.schedule.states)
            else:
                await self._let_go()

    def _make_watch(self) -> RunWatch:
        watch = RunWatch(lambda names: self._publish(watch, names), self._engine.heartbeat.is_late)
        return watch

    def _publish(self, watch: RunWatch, names: set[str]) -> None:
        # What a run that was let go had still to tell is nobody's any more.
        if self._held is not None and self._held.watch is watch:
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self.updated.emit(self._held.update(names))

    async def kept(self, *, interrupted: bool) -> list[SavedRun]:
        """Return the runs that were written down, the newest first.

        Args:
            interrupted: Only those that did not come to their end.
        """
        # What is written at this moment is not read; what is held but over is a run like any other.
        is_left_out = self._held is not None and (interrupted or self._held.goes_on)
        held = self._held.id if is_left_out and self._held is not None else ""
        found: list[SavedRun] = await self._compute(self._kept, interrupted, held)
        return found

    def _kept(self, interrupted: bool, held: str) -> list[SavedRun]:
        found = []
        for journal in journals_in(self.folder):
            if journal.stem == held:
                continue
            try:
                if interrupted and (is_over(journal) or is_under_way(journal)):
                    continue
                past = past_run(journal)
            except (OSError, ToolError) as error:
                _log.warning("a run cannot be shown: %s", error)
                continue
            found.append(self._kept_run(journal, past))
        return found

    def _kept_run(self, journal: Path, past: PastRun) -> SavedRun:
        results = past.result.results
        tools = {step.id: self._executor.registry.find(step.tool) for step in past.plan.steps}
        held = [name for name, item in results.items() if item.state is StepState.MAY_HAVE_RUN]
        # What may run twice simply begins again.
        unsure = tuple(name for name in held if (tool := tools[name]) is None or not tool.spec.idempotent)
        # What a condition or somebody skipped is not left to do; what was skipped because of another step is.
        done = sum(item.success or (item.state is StepState.SKIPPED and not item.held_by) for item in results.values())
        failed = past.result.failures - len(held)
        facts = past.plan.name, past.started_at, len(past.plan.steps), done, failed, len(unsure)
        return SavedRun(journal, *facts, unsure[:_NAMED], past.is_over, past.file)

    async def dismiss(self, journal: Path) -> None:
        """Offer a run no more that was interrupted; what came of it stays."""
        await self._compute(_dismiss, journal)

    async def revise(self, plan: BatchPlan) -> None:
        """Let what runs from now on run as a changed plan says.

        Raises:
            CallStateError: Other steps are in it, or they wait for others; it has to run from its beginning.
        """
        await self._do(BatchRun.revise, plan)

    async def act(self, action: RunAction, step: str = "") -> None:
        """Do what a person asked of the run, or of one of its steps.

        Raises:
            CallStateError: There is no run, or it is in no state for that.
        """
        await self._do(_ACTIONS[action], *((step,) if step else ()))

    @on_engine
    async def told(self, plan: BatchPlan, step: str, most: int) -> StepInspection:
        """Return what a step is given and what came of it, with at most so many of its rows."""
        run = None if self._held is None else self._held.run
        return told(run, plan, step, most, self._executor.registry)

    async def export(self, kind: str, path: Path) -> None:
        """Write what came of the run for other programs, `json`, `csv`, `junit` or `dot`; nothing when there is none.

        Raises:
            OSError: When the file cannot be written.
            HistoryError: When what came of it cannot be read.
        """
        pieces = await self._exported(kind)
        if pieces is not None:
            await self._compute(write_pieces, path, pieces)

    @on_engine
    async def _exported(self, kind: str) -> Iterator[str] | None:
        return None if self._held is None else self._held.exported(kind)

    @on_engine
    async def _do(self, action: Callable[..., Any], *given: Any) -> None:
        held = self._held
        if held is None:
            raise CallStateError(tr("there is no run; run the plan first"))
        action(held.run, *given)
        held.watch.touch()
        held.go()

    async def close(self) -> None:
        """Stop the run where it is, so that it can go on another time."""
        with contextlib.suppress(TimeoutError):  # a tool blocks the engine; what was written can be resumed
            await asyncio.wait_for(self._engine.call(self._stop), _CLOSE_S)

    async def _stop(self) -> None:
        async with self._changing:
            await self._let_go()

    async def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await held.close()


def _dismiss(journal: Path) -> None:
    with Journal(journal, is_new=False) as kept:
        kept.claim()
        kept.mend()
        kept.note(over=True)


def _cancel(run: BatchRun, step: str = "") -> None:
    if step:
        run.cancel_step(step)
    else:
        run.cancel()


def _resume(run: BatchRun) -> None:
    """Go on after a pause, a cancellation or the end of the program."""
    if run.is_paused:
        run.resume()
        return
    for name, state in list(run.schedule.states.items()):
        if state is StepState.CANCELLED:
            run.retry(name)


_ACTIONS: Final[Mapping[RunAction, Callable[..., object]]] = {
    RunAction.PAUSE: BatchRun.pause,
    RunAction.RESUME: _resume,
    RunAction.CANCEL: _cancel,
    RunAction.RETRY_FAILED: BatchRun.retry_failed,
    RunAction.RETRY: BatchRun.retry,
    RunAction.RERUN: BatchRun.rerun_from,
    RunAction.SKIP: BatchRun.skip,
    RunAction.SKIP_ROWS: BatchRun.skip_rows,
}
