"""What stands behind the Batch page: shows the plan that is open, runs it, brings what came of it into the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.batch.document_presenter import OpenPlan
from console.batch.model import PlanModel
from console.batch.rows import (
    FAILED_GROUPS,
    Group,
    Phase,
    RunAction,
    RunFacts,
    RunUpdate,
    StepRow,
    WrittenStep,
    abilities_of,
    cells_of,
    failure_of,
    group_of,
    plan_words,
    planned_steps,
    sentence,
    why_not,
)
from console.batch.view import BatchView
from console.call_table import now_utc
from console.language import tr
from console.tasks import Compute, OwnTasks, Repeated, TaskScope
from console.widgets.formats import format_countdown
from tools.errors import PlanProblem, ToolError
from tools.paths import is_folder

if TYPE_CHECKING:
    from console.batch.runs import BatchRuns
    from console.preferences import Preferences
    from tools.batch import BatchPlan


_TICK_MS: Final = 250


class BatchPresenter(QObject):
    """Conduct the Batch page.

    Args:
        project_dir: Gives the folder that plans without a file start from.

    Attributes:
        plan: The plan that is in the table; None before there is one.
        step: The step that is selected; empty for none.

    Signals:
        parameters_wanted: The plan is to run, and has parameters without a default; `run` takes the values.
        edit_requested(str): The arguments of this step are to be changed.
        replaced: Another plan takes the place of the one that was in the table.
        forgotten: What was known of the steps of a run is known no more.
        plan_shown: The steps of the plan are in the table, after a change of it.
        updated(RunUpdate): Something of the run changed, and is in the table.
        chosen(str): This step is selected now; empty for none.
    """

    noticed = Signal(str)
    parameters_wanted = Signal()
    edit_requested = Signal(str)
    replaced = Signal()
    forgotten = Signal()
    plan_shown = Signal()
    updated = Signal(object)
    ticked = Signal()
    chosen = Signal(str)

    def __init__(
        self,
        model: PlanModel,
        view: BatchView,
        opened: OpenPlan,
        *,
        runs: BatchRuns,
        memory: Preferences,
        scope: TaskScope,
        compute: Compute,
        project_dir: Callable[[], Path],
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._opened = opened
        self._runs = runs
        self._memory = memory
        self._compute = compute
        self._project_dir = project_dir
        self._clock = clock
        self._tasks = OwnTasks(scope)
        self._foreseeing = Repeated(scope, self._foresee, "look ahead at a plan")
        self.facts = RunFacts()
        self.plan: BatchPlan | None = None
        self._is_replaced = False
        self.planned: Sequence[WrittenStep] = ()
        self.step = ""
        self._is_closed = False
        self._told_failure: tuple[StepRow | None, int] | None = None
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.timeout.connect(self._on_ticker_timeout)
        view.dialog_folder = self._dialog_folder
        opened.replaced.connect(self._on_opened_replaced)
        opened.changed.connect(self._on_opened_changed)
        opened.problems_changed.connect(self._on_opened_problems_changed)
        self._connect_view()
        self._show()

    def _dialog_folder(self, chosen_last: Path | None) -> Path | None:
        """Return where dialogs begin: beside the plan, in the project folder, or where a file was chosen last."""
        path = self._opened.path
        places = (None if path is None else path.parent, self._project_dir(), chosen_last)
        return next((place for place in places if place is not None and is_folder(place)), None)

    def _connect_view(self) -> None:
        view, header = self._view, self._view.header
        header.run_requested.connect(self._on_header_run_requested)
        header.action_requested.connect(self._ask)
        view.strip.groups_chosen.connect(self._on_strip_groups_chosen)
        view.export_chosen.connect(self._on_view_export_chosen)
        view.table.chosen.connect(self.choose)
        view.step_action_requested.connect(self._on_view_step_action_requested)

    @property
    def counts(self) -> Mapping[Group, int]:
        return self._model.counts

    def has_failed(self, step: str) -> bool:
        """Return whether a step failed, and somebody has to look at it."""
        row = self._model.row_of(step)
        return row is not None and group_of(row.facts) in FAILED_GROUPS

    @Slot(str)
    def choose(self, step: str) -> None:
        if step != self.step:
            self.step = step
            self._view.table.choose(step)
            self._show_failure()
            self.chosen.emit(step)

    def run(self, parameters: Mapping[str, Any]) -> None:
        self._tasks.start(self._run(parameters), "run the plan")

    def recall(self) -> None:
        for splitter in self._view.splitters:
            sizes = self._memory.sizes(splitter.objectName())
            if len(sizes) == splitter.count() and all(sizes):
                splitter.setSizes(list(sizes))
        self._view.table.set_widths(self._memory.sizes("planTable"))

    def remember(self) -> None:
        for splitter in self._view.splitters:
            self._memory.set_sizes(splitter.objectName(), tuple(splitter.sizes()))
        self._memory.set_sizes("planTable", self._view.table.widths)

    def close(self) -> None:
        self._is_closed = True
        self._ticker.stop()
        self._tasks.cancel()
        self._foreseeing.cancel()

    @Slot()
    def _on_opened_replaced(self) -> None:
        self._is_replaced = True

    @Slot()
    def _on_opened_changed(self) -> None:
        self._tasks.start(self._follow_plan(), "show the plan")

    async def _follow_plan(self) -> None:
        plan, path = self._opened.plan, self._opened.path
        if plan is not self.plan or self._is_replaced:
            planned: Sequence[WrittenStep] = await self._compute(planned_steps, plan)
            if plan is not self._opened.plan:
                return
            is_another = self._is_another(plan)
            self.plan, self.planned, self._is_replaced = plan, planned, False
            if is_another:
                self._forget(Phase.READY)
                self.replaced.emit()
            self._model.show_plan(planned, _by_step(self._opened.problems))
            if is_another:
                await self._runs.tell(plan, path)
        self._show()
        self.plan_shown.emit()

    def _forget(self, phase: Phase) -> None:
        self.facts = RunFacts(phase)
        self._model.forget_run()
        self.forgotten.emit()

    def _is_another(self, plan: BatchPlan) -> bool:
        """Return whether a plan is not the one that is in the table, changed."""
        if self.plan is None or self._is_replaced:
            return True
        return not {step.id for step in plan.steps} & {step.id for step in self.plan.steps}

    @Slot()
    def _on_opened_problems_changed(self) -> None:
        if self.plan is self._opened.plan:
            self._model.show_plan(self.planned, _by_step(self._opened.problems))
        self._model.show_cell_problems(cells_of(self._opened.problems, self._opened.plan))
        self._show()
        self._foreseeing.ask()

    async def _foresee(self) -> None:
        """Ask what is known before the plan runs."""
        plan, path = self._opened.plan, self._opened.path
        if not self._opened.problems:
            asks = await self._runs.asking(plan, self._project_dir() if path is None else path.parent, path)
            if plan is self._opened.plan:
                self._model.show_asks(asks)

    @Slot(object)
    def take(self, update: RunUpdate) -> None:
        if self._is_closed:
            return
        if update.facts.problem and update.facts.problem != self.facts.problem:
            why = sentence(update.facts.problem)
            self.noticed.emit(
                tr("The run ended early: {why} What is done is kept; start the program again to go on", why=why)
            )
        self.facts = update.facts
        self._model.take(update.steps, update.facts.zero_s)
        self._show()
        self.updated.emit(update)

    def _show(self) -> None:
        facts, view = self.facts, self._view
        failed, unsure = (self._model.counts.get(group, 0) for group in (Group.FAILED, Group.UNSURE))
        title = self._opened.title if self.plan is not None else ""
        view.show_plan(title, is_dirty=self._opened.document.is_dirty, file=self._opened.path)
        view.show_phase(facts.phase, failed=failed, unsure=unsure, is_wrong=bool(self._opened.problems))
        workers = facts.workers or self._opened.plan.limits.parallelism
        words = plan_words(facts, len(self._model.steps), workers, self._opened.problems, self._clock())
        view.header.show_words("" if self.plan is None else words, is_vital=bool(facts.looking))
        cancelled = self._model.counts.get(Group.CANCELLED, 0)
        is_sound = bool(self._model.steps) and self._opened.is_checked and not self._opened.problems
        # What may have run is looked at one by one, and does not run again with what failed.
        abilities = abilities_of(facts, failed=failed, cancelled=cancelled, is_sound=is_sound)
        view.header.show_abilities(abilities._replace(unsure=unsure, why=why_not(facts, self._opened.problems)))
        view.show_run()
        self._show_times()
        self._show_failure()
        if facts.phase.goes_on and not self._ticker.isActive():
            self._ticker.start()
        elif not facts.phase.goes_on:
            self._ticker.stop()

    def _show_times(self) -> None:
        elapsed_s = self._model.now_s if self.facts.zero_s is not None else self.facts.elapsed_s
        is_known = bool(self.facts.run) and self.facts.phase is not Phase.INTERRUPTED
        elapsed = format_countdown(elapsed_s) if is_known and elapsed_s is not None else ""
        self._view.strip.show_elapsed(elapsed)

    @Slot()
    def _on_ticker_timeout(self) -> None:
        self._model.tick()
        self._show_times()
        self.ticked.emit()

    def _show_failure(self) -> None:
        row = self._model.row_of(self.step)
        if row is None or group_of(row.facts) not in FAILED_GROUPS:
            row = self._model.first_failed
        # Who waits for a step is looked up among all of them: only when something of that changed.
        told = row, self._model.counts.get(Group.BLOCKED, 0)
        if told != self._told_failure:
            self._told_failure = told
            failure = None if row is None else failure_of(row, self._model.steps.waiting_for(row.planned.step))
            self._view.failure.show_failure(failure)

    @Slot()
    def _on_header_run_requested(self) -> None:
        if not self._opened.settle():
            return
        plan = self._opened.plan
        if any(parameter.default is None for parameter in plan.parameters.values()):
            self.parameters_wanted.emit()
        else:
            self.run({})

    async def _run(self, parameters: Mapping[str, Any]) -> None:
        self._forget(Phase.STARTING)
        self.take(RunUpdate(self.facts, {}))
        path = self._opened.path
        folder = self._project_dir() if path is None else path.parent
        try:
            await self._runs.begin(self._opened.plan, folder, parameters, file=path)
        except ToolError as error:
            self.take(RunUpdate(RunFacts(), {}))
            self.noticed.emit(tr("The plan did not run: {error}", error=error))

    @Slot(str, str)
    def _on_view_step_action_requested(self, key: str, step: str) -> None:
        if key == "edit":
            self.edit_requested.emit(step)
        else:
            self._ask(key, step)

    @Slot(str)
    def _ask(self, key: str, step: str = "") -> None:
        action = RunAction(key)
        if not action.revises or self._opened.settle():
            self._tasks.start(self._asked(action, step), f"{key} {step or 'the run'}")

    async def _asked(self, action: RunAction, step: str) -> None:
        try:
            if action.revises:
                await self._runs.revise(self._opened.plan)
            await self._runs.act(action, step)
        except ToolError as error:
            self.noticed.emit(sentence(str(error)))

    @Slot(tuple)
    def _on_strip_groups_chosen(self, groups: tuple[Group, ...]) -> None:
        self._model.set_groups(groups)
        self._view.table.choose(self.step)

    @Slot(str, str)
    def _on_view_export_chosen(self, kind: str, path: str) -> None:
        self._tasks.start(self._export(kind, Path(path)), "export the run")

    async def _export(self, kind: str, path: Path) -> None:
        try:
            await self._runs.export(kind, path)
        except ToolError as error:
            self.noticed.emit(tr("{name} is not written: {error}", name=path.name, error=error))
        except OSError as error:
            self.noticed.emit(
                tr(
                    "{name} cannot be written ({reason}); choose another place",
                    name=path.name,
                    reason=error.strerror or error,
                )
            )
        else:
            self.noticed.emit(tr("{name} is written", name=path.name))


def _by_step(problems: Sequence[PlanProblem]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for problem in problems:
        if problem.step:
            found.setdefault(problem.step, problem.message)
    return found
