"""Everything of the Batch page put together: plan, table, sheets, graph, timeline, and the run behind them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot

from console.batch.document import PlanEditError
from console.batch.document_presenter import OpenPlan
from console.batch.drafts import BatchDrafts
from console.batch.editors_presenter import PlanEditor
from console.batch.editors_step_view import StepSheet
from console.batch.editors_table_view import TableEditing
from console.batch.files_presenter import PlanFilesPresenter
from console.batch.graph_view import GraphView
from console.batch.menu_presenter import BatchMenu
from console.batch.model import PlanModel
from console.batch.panels_presenter import GraphPresenter, PanelsPresenter, StepPresenter
from console.batch.presenter import BatchPresenter
from console.batch.rows import RunUpdate
from console.batch.runs import BatchRuns, RunUpdates
from console.batch.step_view import FailedRowsModel, StepView
from console.batch.timeline_layout import Grouping
from console.batch.timeline_view import TimelineView
from console.batch.view import BatchView
from console.engine import Engine
from console.language import tr
from console.preferences import Preferences
from console.tasks import Compute, TaskScope
from console.tool_list import ToolList
from console.widgets import Button, CommandAction
from console.widgets.dialogs import QuestionBox
from tools.batch import BatchPlan
from tools.batch.checking import plan_problems
from tools.batch.cluster import check_backend
from tools.batch.expressions import ExpressionError
from tools.batch.steps import hidden_parameters, ready_steps
from tools.errors import PlanProblem, ToolConfigurationError
from tools.execution.executor import Executor
from tools.workbench import RUNS_FOLDER

_LANES: Final = "batch/lanes"


class BatchParts(QObject):
    """Make the parts of the Batch page and wire them.

    Args:
        folder: Where runs and drafts are kept.
        project_dir: Gives the folder that plans without a file start from.
        tools_loaded: Waits until plugin files are loaded.
    """

    noticed = Signal(str)

    def __init__(
        self,
        executor: Executor,
        tools: ToolList,
        engine: Engine,
        *,
        folder: Path,
        project_dir: Callable[[], Path],
        tools_loaded: Callable[[], Awaitable[object]],
        preferences: Preferences,
        scope: TaskScope,
        compute: Compute,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._registry = executor.registry
        self._yield_to_ui = engine.heartbeat.yield_to_ui
        self._project_dir = project_dir
        self._preferences = preferences
        model = PlanModel(self)
        self.view = BatchView(model)
        self.runs = BatchRuns(engine, executor, folder / RUNS_FOLDER, compute=compute, parent=self)
        self.opened = OpenPlan(self._problems_of, compute=compute, scope=scope, parent=self)
        tasks: Any = {"scope": scope, "compute": compute, "parent": self}
        shown: Any = {"runs": self.runs, **tasks}
        self.presenter = BatchPresenter(
            model, self.view, self.opened, memory=preferences, project_dir=project_dir, **shown
        )
        self.files = PlanFilesPresenter(self.view, self.opened, tools_loaded=tools_loaded, memory=preferences, **shown)
        self.menu = BatchMenu(
            self.view,
            self.opened,
            self.presenter,
            tools=tools,
            hidden_of=self._hidden_of,
            folder=self.folder,
            **shown,
        )
        self._make_editors(model, tools)
        self._make_panels(model, tasks)
        self.drafts = BatchDrafts(self.opened, self.files, folder / "drafts", **tasks)
        self._updates = RunUpdates(self)
        self._wire()
        self.take_backend(preferences.batch_backend)
        self._timeline.set_grouping(Grouping(preferences.choice(_LANES, tuple(Grouping), Grouping.WORKER)))
        self.presenter.recall()

    def _make_editors(self, model: PlanModel, tools: ToolList) -> None:
        view, opened = self.view, self.opened
        self.table = TableEditing(view.table, model)
        self.sheet = StepSheet()
        view.side.add_sheet(self.sheet)
        view.row_actions = self.table.actions_for_rows()
        self.editor = PlanEditor(
            opened.document,
            self.table,
            self.sheet,
            tools=tools,
            problems=lambda: opened.problems,
            folder=self.folder,
            parent=self,
        )
        opened.add_writer(self.table.take_over)
        opened.add_writer(self.editor.take_draft)
        self._add = Button(tr("Add step"), kind="ghost", icon="plus")
        self._add.setToolTip(tr("Add a step (Ins)"))
        self._add.clicked.connect(self.editor.add_step)
        view.plan_head.add_button(self._add)
        view.plan_head.add_button(self.menu.button)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        save = CommandAction("batch.save", view, context=inside)
        save.triggered.connect(self.files.save)

    def _make_panels(self, model: PlanModel, tasks: Any) -> None:
        view = self.view
        self._step_view = StepView(FailedRowsModel(self))
        self._step = StepPresenter(model, self._step_view, self.opened, runs=self.runs, **tasks)
        self._graph = GraphView()
        self._graph_presenter = GraphPresenter(self._graph, **tasks)
        self._timeline = TimelineView()
        self._panels = PanelsPresenter(
            model,
            self.presenter,
            graph=self._graph,
            timeline=self._timeline,
            strip=view.strip,
            runs=self.runs,
            yield_to_ui=self._yield_to_ui,
            **tasks,
        )
        view.place_graph(self._graph)
        view.place_timeline(self._timeline)
        view.side.add_sheet(self._step_view)
        for panel in view.panels:
            self.table.offer_history(panel)
        self._graph.canvas.set_editable(editable=True)

    def _wire(self) -> None:
        view, opened, presenter, files = self.view, self.opened, self.presenter, self.files
        for part in (self.menu, self.editor, files, presenter, self._graph_presenter, self._step, self.drafts):
            part.noticed.connect(self.noticed)
        self.runs.updated.connect(self._updates.take, Qt.ConnectionType.QueuedConnection)
        self._updates.updated.connect(presenter.take)
        presenter.forgotten.connect(self._updates.forget)
        presenter.chosen.connect(self._on_presenter_chosen)
        presenter.edit_requested.connect(self._on_presenter_edit_requested)
        presenter.updated.connect(self._on_presenter_updated)
        presenter.updated.connect(self._step.take)
        presenter.plan_shown.connect(self._step.look_again)
        self.menu.plan_made.connect(files.begin)
        self.menu.run_requested.connect(files.reopen)
        self.menu.backend_chosen.connect(self._on_menu_backend_chosen)
        files.leave_asked.connect(self._on_files_leave_asked)
        self.editor.applied.connect(self._on_editor_applied)
        opened.problems_changed.connect(self.editor.look_again)
        opened.replaced.connect(self._on_opened_replaced)
        view.table.opened.connect(self._on_step_opened)
        for panel in (self._graph.canvas, self._timeline.canvas):
            panel.opened.connect(self._on_step_opened)
            panel.selected.connect(presenter.choose)
        self._graph.menu_requested.connect(self._on_graph_menu_requested)
        self._graph.canvas.connect_requested.connect(self._on_graph_connect_requested)
        self._step_view.closed.connect(self._on_step_view_closed)

    def folder(self) -> Path:
        """Return the folder that relative paths of the plan start from."""
        path = self.opened.path
        return self._project_dir() if path is None else path.parent

    def add_calls(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
        """Add steps that call tools with these arguments, and say whether that was possible."""
        if self.presenter.facts.phase.goes_on:
            self.noticed.emit(tr("A run goes on; its plan gets no further steps before it is over"))
            return False
        self.editor.add_calls(calls)
        return True

    def remember(self) -> None:
        self.presenter.remember()
        self._preferences.set_choice(_LANES, self._timeline.canvas.grouping)

    def close(self) -> None:
        self._updates.stop()
        self.table.cancel()
        self.editor.close_sheet()
        for part in (
            self._step,
            self._graph_presenter,
            self._panels,
            self.editor,
            self.menu,
            self.presenter,
            self.files,
            self.opened,
        ):
            part.close()

    def _problems_of(self, plan: BatchPlan) -> Sequence[PlanProblem]:
        return plan_problems(plan, self._registry, yield_to_ui=self._yield_to_ui)

    def _hidden_of(self, plan: BatchPlan) -> frozenset[str]:
        """Name the parameters of a plan that nobody is to read on the screen; all of them when nobody can tell."""
        try:
            return hidden_parameters(plan, ready_steps(plan, self._registry).values())
        except ExpressionError:
            return frozenset(plan.parameters)

    def _place_of(self, step: str) -> int | None:
        try:
            return self.opened.document.place_of(step)
        except PlanEditError:
            return None

    @Slot(str)
    def _on_menu_backend_chosen(self, backend: str) -> None:
        if self.take_backend(backend):
            self._preferences.batch_backend = backend
            self.noticed.emit(
                tr("Plans run their tools on {backend}", backend=backend)
                if backend
                else tr("Plans run on this computer")
            )

    def take_backend(self, backend: str) -> bool:
        """Let plans run their tools there; return whether they can."""
        try:
            if backend:
                check_backend(backend)
        except ToolConfigurationError as error:
            self.noticed.emit(tr("Plans cannot run there: {error}", error=error))
            return False
        self.runs.backend = backend
        self.menu.show_backend(backend)
        return True

    @Slot()
    def _on_opened_replaced(self) -> None:
        # What was being written of the plan before is of no other one.
        self.table.give_up()
        self.editor.close_sheet()

    @Slot(str)
    def _on_presenter_chosen(self, step: str) -> None:
        place = self._place_of(step)
        if place is not None:
            self.editor.follow_selection(place)
        self._graph.canvas.select(step)
        self._timeline.canvas.select(step)
        if not self._step_view.isHidden():
            self._step.show_step(step)

    @Slot(str)
    def _on_presenter_edit_requested(self, step: str) -> None:
        place = self._place_of(step)
        if place is not None:
            self.editor.open_sheet(place)

    @Slot(object)
    def _on_presenter_updated(self, update: RunUpdate) -> None:
        goes_on = update.facts.phase.goes_on
        self.editor.set_running(running=goes_on)
        self.menu.set_running(running=goes_on)
        self._add.setEnabled(not goes_on)
        self._graph.canvas.set_editable(editable=not goes_on)

    @Slot(str, str)
    def _on_graph_connect_requested(self, needed: str, waiting: str) -> None:
        self._graph.canvas.show_refusal(self.editor.connect_steps(needed, waiting))

    @Slot(str, QPoint)
    def _on_graph_menu_requested(self, step: str, place: QPoint) -> None:
        self.presenter.choose(step)
        self.view.show_step_menu(place)

    @Slot()
    def _on_files_leave_asked(self) -> None:
        text = tr(
            "{title} has changes that are not saved. Another plan in its place loses them.", title=self.opened.title
        )
        box = QuestionBox(
            tr("Lose the changes of this plan?"), text, tr("Lose them"), self.view.window(), save=tr("Save")
        )
        box.agreed.connect(self.files.leave)
        box.save_requested.connect(self.files.save_and_leave)
        box.open()

    @Slot(int)
    def _on_editor_applied(self, place: int) -> None:
        step = self.opened.plan.steps[place].id
        if self.presenter.has_failed(step):
            self.noticed.emit(tr("{step} is changed; Retry runs it as it is now", step=step))

    @Slot(str)
    def _on_step_opened(self, step: str) -> None:
        self._step.show_step(step)
        self._step_view.show()
        self._step_view.setFocus()

    @Slot()
    def _on_step_view_closed(self) -> None:
        self._step.close_step()
        self._step_view.hide()
        self.view.table.setFocus()
