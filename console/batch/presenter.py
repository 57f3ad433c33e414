"""What stands behind the Batch page: opens plans, runs them, brings what came of their steps into the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.batch.document import PlanDocument
from console.batch.failure_view import Failure
from console.batch.header_view import Abilities
from console.batch.model import PlanModel
from console.batch.rows import Group, Phase, RunFacts, RunUpdate, StepRow, group_of, planned_steps, status_of
from console.batch.view import BatchView
from console.tasks import Compute, TaskScope
from console.widgets.formats import format_count, format_countdown, format_time
from tools.errors import HistoryError, PlanError, PlanProblem, ToolError
from tools.whole_file import write_whole

if TYPE_CHECKING:
    from console.batch.ports import MemoryPort, PlansPort, RunsPort

__all__ = ["BatchPresenter"]

_TICK_MS: Final = 250
_NUMBERS: Final = 5
_FAILED: Final = (Group.FAILED, Group.UNSURE)


def now_utc() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


class BatchPresenter(QObject):
    """Conduct the Batch page.

    Args:
        model: The steps.
        view: Shows them.
        document: The plan as it is written.
        plans: Reads and checks plans.
        runs: Runs them.
        memory: Remembers what a person chose.
        scope: Owns the tasks.
        compute: Runs what takes more than a frame.
        clock: Gives the time.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        changed: Another plan, another phase or another selection.
    """

    noticed = Signal(str)
    changed = Signal()

    def __init__(
        self,
        model: PlanModel,
        view: BatchView,
        document: PlanDocument,
        *,
        plans: PlansPort,
        runs: RunsPort,
        memory: MemoryPort,
        scope: TaskScope,
        compute: Compute,
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._document = document
        self._plans = plans
        self._runs = runs
        self._memory = memory
        self._scope = scope
        self._compute = compute
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._path: Path | None = None
        self._facts = RunFacts()
        self._problems: Sequence[PlanProblem] = ()
        self._step = ""
        self._has_plan = False
        self._ticker = QTimer(self)
        self._ticker.setInterval(_TICK_MS)
        self._ticker.timeout.connect(self._on_ticker_timeout)
        self._unsubscribe = document.subscribe(self._on_document_changed)
        self._connect_view()
        self._view.header.show_recent(memory.recent_plans)
        self._show()

    def _connect_view(self) -> None:
        view, header = self._view, self._view.header
        header.plan_chosen.connect(self._on_header_plan_chosen)
        header.run_requested.connect(self._on_header_run_requested)
        header.pause_requested.connect(self._on_header_pause_requested)
        header.resume_requested.connect(self._on_header_resume_requested)
        header.cancel_requested.connect(self._on_header_cancel_requested)
        header.retry_requested.connect(self._on_header_retry_requested)
        view.strip.groups_chosen.connect(self._on_strip_groups_chosen)
        view.file_chosen.connect(self._on_view_file_chosen)
        view.export_chosen.connect(self._on_view_export_chosen)
        view.step_chosen.connect(self.choose)
        view.step_action_requested.connect(self._on_view_step_action_requested)

    # What others ask

    @property
    def path(self) -> Path | None:
        """The file of the plan; None when it has none yet."""
        return self._path

    @property
    def facts(self) -> RunFacts:
        """How the run stands."""
        return self._facts

    @property
    def step(self) -> str:
        """The step that is selected; empty for none."""
        return self._step

    @Slot(str)
    def choose(self, step: str) -> None:
        """Select a step everywhere."""
        if step != self._step:
            self._step = step
            self._view.choose(step)
            self._show_failure()
            self.changed.emit()

    def open(self, path: Path) -> None:
        """Open the plan in a file."""
        self._start(self._open(path), f"open the plan {path.name}")

    def new(self) -> None:
        """Begin an empty plan."""
        self._start(self._begin_new(), "begin a new plan")

    def close(self) -> None:
        """Let go of what is under way."""
        self._unsubscribe()
        self._ticker.stop()
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._scope.start(work, name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Plans

    async def _open(self, path: Path) -> None:
        if self._runs.goes_on:
            self.noticed.emit("A run goes on; let it end or cancel it before another plan is opened")
            return
        try:
            plan = await self._plans.load(path)
        except PlanError as error:
            self._view.show_banner(f"{path.name} cannot be opened.", _listed(error.problems))
            return
        self._view.show_banner("")
        self._path = path
        self._memory.add_recent_plan(path)
        self._view.header.show_recent(self._memory.recent_plans)
        self._facts = RunFacts()
        self._model.forget_run()
        self._has_plan = True
        self._document.reset(plan)

    async def _begin_new(self) -> None:
        if self._runs.goes_on:
            self.noticed.emit("A run goes on; let it end or cancel it before another plan is begun")
            return
        from tools.batch import BatchPlan  # noqa: PLC0415 -- only for its value

        self._path = None
        self._facts = RunFacts()
        self._model.forget_run()
        self._has_plan = True
        self._document.reset(BatchPlan(name="new plan"))

    def _on_document_changed(self) -> None:
        self._start(self._follow_document(), "show the plan")

    async def _follow_document(self) -> None:
        plan = self._document.plan
        steps = await self._compute(planned_steps, plan)
        if plan is not self._document.plan:
            return
        self._model.show_plan(steps, _by_step(self._problems))
        self._show()
        problems = await self._plans.problems(plan)
        if plan is self._document.plan:
            self._problems = problems
            self._model.show_plan(steps, _by_step(problems))
            self._show()
            self.changed.emit()

    async def _save(self, path: Path) -> None:
        plan = self._document.plan
        try:
            await self._plans.save(path, plan)
        except PlanError as error:
            self.noticed.emit(str(error))
            return
        self._path = path
        self._memory.add_recent_plan(path)
        self._view.header.show_recent(self._memory.recent_plans)
        self._document.mark_saved(plan)
        self._show()
        self.noticed.emit(f"{path.name} is saved")

    # The run

    @Slot(object)
    def take(self, update: RunUpdate) -> None:
        """Take in how far the run is."""
        before = self._facts.phase
        self._facts = update.facts
        self._model.take(update.steps, update.facts.zero_s)
        self._show()
        if before is not update.facts.phase:
            self.changed.emit()

    def _show(self) -> None:
        facts = self._facts
        counts = self._model.counts
        failed = sum(counts.get(group, 0) for group in _FAILED)
        name = self._document.plan.name if self._has_plan else ""
        self._view.show_plan(name, is_dirty=self._document.is_dirty)
        self._view.header.badge.show_phase(facts.phase, failed=failed)
        self._view.header.show_words(self._words())
        cancelled = counts.get(Group.CANCELLED, 0)
        goes_on = facts.phase.goes_on
        self._view.header.show_abilities(
            Abilities(
                run=self._has_plan and bool(self._model.rows) and not goes_on and not self._problems,
                pause=facts.phase is Phase.RUNNING,
                resume=facts.phase in {Phase.PAUSED, Phase.INTERRUPTED} or (not goes_on and bool(cancelled)),
                cancel=goes_on,
                failed=failed if facts.run else 0,
                export=bool(facts.run),
            )
        )
        self._view.show_run()
        self._show_times()
        self._show_failure()
        if facts.phase is Phase.RUNNING and not self._ticker.isActive():
            self._ticker.start()
        elif not goes_on:
            self._ticker.stop()

    def _words(self) -> str:
        steps = len(self._model.rows)
        words = ["1 step" if steps == 1 else f"{format_count(steps)} steps"]
        workers = self._facts.workers or self._document.plan.limits.parallelism
        words.append("1 worker" if workers == 1 else f"{format_count(workers)} workers")
        if self._facts.started_at is not None:
            words.append(f"started {format_time(self._facts.started_at, self._clock())}")
        return " · ".join(words) if self._has_plan else ""

    def _show_times(self) -> None:
        elapsed_s = self._model.now_s if self._facts.zero_s is not None else self._facts.elapsed_s
        elapsed = format_countdown(elapsed_s) if self._facts.run and elapsed_s is not None else ""
        self._view.strip.show_times(elapsed, "")

    @Slot()
    def _on_ticker_timeout(self) -> None:
        self._model.tick()
        self._show_times()

    def _show_failure(self) -> None:
        chosen = self._model.row_of(self._step)
        if chosen is None or group_of(chosen.facts) not in _FAILED:
            chosen = self._model.first_of(_FAILED)
        self._view.failure.show_failure(None if chosen is None else self._failure(chosen))

    def _failure(self, row: StepRow) -> Failure:
        waiting = [other.planned.number for other in self._model.rows if other.facts.held_by == row.planned.step]
        further = ""
        if waiting:
            numbers = ", ".join(map(str, waiting[:_NUMBERS])) + (" …" if len(waiting) > _NUMBERS else "")
            steps, wait = ("Step", "waits") if len(waiting) == 1 else ("Steps", "wait")
            further = f"{steps} {numbers} {wait} for this one."
        fact = f"Step {row.planned.number}, {row.planned.step}."
        return Failure(row.planned.step, status_of(row.facts), fact, row.facts.error, further)

    # What the person asks for

    @Slot(str)
    def _on_header_plan_chosen(self, path: str) -> None:
        self.open(Path(path))

    @Slot(str, str)
    def _on_view_file_chosen(self, key: str, path: str) -> None:
        match key:
            case "open":
                self.open(Path(path))
            case "new":
                self.new()
            case "save" if self._path is None:
                self._view.ask_for_file("save as", f"{self._document.plan.name}.yaml")
            case "save":
                assert self._path is not None  # noqa: S101 -- the case above
                self._start(self._save(self._path), "save the plan")
            case _:
                self._start(self._save(Path(path)), "save the plan")

    @Slot()
    def _on_header_run_requested(self) -> None:
        self._start(self._run(), "run the plan")

    async def _run(self) -> None:
        self._model.forget_run()
        self._facts = RunFacts(Phase.STARTING)
        self._show()
        folder = self._path.parent if self._path is not None else Path.cwd()
        try:
            await self._runs.begin(self._document.plan, folder, {})
        except (PlanError, HistoryError) as error:
            self._facts = RunFacts()
            self._show()
            self._view.show_banner("The plan did not run.", str(error))

    @Slot()
    def _on_header_pause_requested(self) -> None:
        self._ask(self._runs.pause(), "pause the run")

    @Slot()
    def _on_header_resume_requested(self) -> None:
        self._ask(self._runs.resume(), "go on with the run")

    @Slot()
    def _on_header_cancel_requested(self) -> None:
        self._ask(self._runs.cancel(), "cancel the run")

    @Slot()
    def _on_header_retry_requested(self) -> None:
        self._ask(self._runs.retry_failed(), "retry what failed")

    @Slot(str, str)
    def _on_view_step_action_requested(self, key: str, step: str) -> None:
        match key:
            case "retry":
                self._ask(self._runs.retry(step), f"retry {step}")
            case "rerun":
                self._ask(self._runs.rerun_from(step), f"run again from {step}")
            case "skip":
                self._ask(self._runs.skip(step), f"skip {step}")
            case "cancel":
                self._ask(self._runs.cancel_step(step), f"stop {step}")

    def _ask(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._start(self._asked(work), name)

    async def _asked(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ToolError as error:
            self.noticed.emit(str(error))

    @Slot(tuple)
    def _on_strip_groups_chosen(self, groups: tuple[Group, ...]) -> None:
        self._model.set_groups(groups)
        self._view.choose(self._step)

    @Slot(str, str)
    def _on_view_export_chosen(self, kind: str, path: str) -> None:
        self._start(self._export(kind, Path(path)), "export the run")

    async def _export(self, kind: str, path: Path) -> None:
        text = await self._runs.exported(kind)
        try:
            await self._compute(write_whole, path, text)
        except OSError as error:
            self.noticed.emit(f"{path.name} cannot be written ({error.strerror or error}); choose another place")
        else:
            self.noticed.emit(f"{path.name} is written")


def _by_step(problems: Sequence[PlanProblem]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for problem in problems:
        if problem.step:
            found.setdefault(problem.step, problem.message)
    return found


def _listed(problems: Sequence[PlanProblem]) -> str:
    first = str(problems[0])
    more = len(problems) - 1
    return first if not more else f"{first}; and {more} more"
