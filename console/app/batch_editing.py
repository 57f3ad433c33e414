"""The writing of plans on the Batch page: table, sheet of a step, and what is asked beside them, wired to the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut

from console.app.batch_menu import BatchMenu
from console.app.dialogs import QuestionBox
from console.app.project import folder_of
from console.batch.compare_presenter import KeptRunsPort
from console.batch.document import PlanEditError
from console.batch.document_presenter import OpenPlan
from console.batch.editors_presenter import PlanEditor
from console.batch.editors_step_view import StepSheet
from console.batch.editors_table_view import TableEditing
from console.batch.files_presenter import PlanFilesPresenter
from console.batch.graph_view import GraphView
from console.batch.model import PlanModel
from console.batch.presenter import BatchPresenter
from console.batch.rows import RunUpdate
from console.batch.view import BatchView
from console.tasks import Compute, TaskScope
from console.tool_list import ToolList
from console.widgets import Button
from tools.batch import BatchPlan
from tools.execution import Executor


class BatchEditing(QObject):
    """Own what a person writes plans with.

    Args:
        view: The Batch page.
        model: The steps in its table.
        opened: The plan that is open.
        presenter: Conducts the page.
        files: Opens and begins plans.
        runs: Knows the runs that were written down.
        tools: The tools.
        executor: Has the project folder.
        hidden_of: Names the parameters of a plan that nobody is to read; takes more than a frame.
        scope: Owns the tasks.
        compute: Runs what takes more than a frame.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
    """

    noticed = Signal(str)

    def __init__(
        self,
        view: BatchView,
        model: PlanModel,
        opened: OpenPlan,
        presenter: BatchPresenter,
        files: PlanFilesPresenter,
        *,
        runs: KeptRunsPort,
        tools: ToolList,
        executor: Executor,
        hidden_of: Callable[[BatchPlan], frozenset[str]],
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._opened = opened
        self._presenter = presenter
        self._files = files
        self._executor = executor
        self._graph: GraphView | None = None
        self.table = TableEditing(view.table, model)
        self.sheet = StepSheet()
        self.sheet.hide()
        view.add_sheet(self.sheet)
        view.row_actions = self.table.actions_for_rows()
        self.editor = PlanEditor(
            opened.document,
            self.table,
            self.sheet,
            tools=tools,
            problems=self._problems,
            folder=self.folder,
            parent=self,
        )
        opened.add_writer(self.table.take_over)
        opened.add_writer(self.editor.take_draft)
        self._add = Button("Add step", kind="ghost", icon="plus")
        self._add.setToolTip("Add a step (Ins)")
        self._add.clicked.connect(self.editor.add_step)
        view.plan_head.add_button(self._add)
        save = QShortcut(QKeySequence("Ctrl+S"), view)
        save.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        save.activated.connect(self._on_save_activated)
        self.menu = BatchMenu(
            view,
            opened,
            presenter,
            runs=runs,
            tools=tools,
            hidden_of=hidden_of,
            folder=self.folder,
            scope=scope,
            compute=compute,
            parent=self,
        )
        self._wire()

    def _wire(self) -> None:
        opened, presenter, files = self._opened, self._presenter, self._files
        self.menu.noticed.connect(self.noticed)
        self.menu.plan_made.connect(files.begin)
        self.menu.run_requested.connect(files.reopen)
        files.leave_asked.connect(self._on_files_leave_asked)
        self.editor.noticed.connect(self.noticed)
        self.editor.applied.connect(self._on_editor_applied)
        opened.problems_changed.connect(self.editor.look_again)
        opened.replaced.connect(self._on_opened_replaced)
        presenter.chosen.connect(self._on_presenter_chosen)
        presenter.edit_requested.connect(self._on_presenter_edit_requested)
        presenter.updated.connect(self._on_presenter_updated)

    def folder(self) -> Path:
        """Return the folder that relative paths of the plan start from."""
        path = self._opened.path
        return folder_of(self._executor) if path is None else path.parent

    def add_calls(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
        """Add steps that call tools with these arguments, and say whether that was possible."""
        if self._presenter.facts.phase.goes_on:
            self.noticed.emit("A run goes on; its plan gets no further steps before it is over")
            return False
        self.editor.add_calls(calls)
        return True

    def take_graph(self, graph: GraphView) -> None:
        """Let steps be connected in a graph too, and changes be taken back wherever the plan is shown."""
        self._graph = graph
        for panel in self._view.panels:
            self.table.offer_history(panel)
        graph.set_editable(editable=not self._presenter.facts.phase.goes_on)
        graph.connect_requested.connect(self._on_graph_connect_requested)

    def save_first(self, then: Callable[[], None]) -> None:
        """Save the plan as Ctrl+S does, and then do something; nothing, when that fails or is given up."""
        self._files.save_first(then)

    def close(self) -> None:
        """Let go of the plan."""
        self.table.cancel()
        self.editor.close_sheet()
        self.editor.close()
        self.menu.close()

    def _problems(self) -> Sequence[Any]:
        return self._opened.problems

    def _place_of(self, step: str) -> int | None:
        try:
            return self._opened.document.place_of(step)
        except PlanEditError:
            return None

    @Slot()
    def _on_opened_replaced(self) -> None:
        # What was being written of the plan before is of no other one.
        self.table.give_up()
        self.editor.close_sheet()

    @Slot()
    def _on_save_activated(self) -> None:
        self._view.header.file_requested.emit("save")

    @Slot(str)
    def _on_presenter_chosen(self, step: str) -> None:
        place = self._place_of(step)
        if place is not None:
            self.editor.follow_selection(place)

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
        if self._graph is not None:
            self._graph.set_editable(editable=not goes_on)

    @Slot(str, str)
    def _on_graph_connect_requested(self, needed: str, waiting: str) -> None:
        refusal = self.editor.connect_steps(needed, waiting)
        if self._graph is not None:
            self._graph.show_refusal(refusal)

    @Slot()
    def _on_files_leave_asked(self) -> None:
        title = self._opened.title
        text = f"{title} has changes that are not saved. Another plan in its place loses them."
        box = QuestionBox("Lose the changes of this plan?", text, "Lose them", self._view.window(), save="Save")
        box.agreed.connect(self._files.leave)
        box.save_requested.connect(self._files.save_and_leave)
        box.open()

    @Slot(int)
    def _on_editor_applied(self, place: int) -> None:
        step = self._opened.plan.steps[place].id
        if self._presenter.has_failed(step):
            self.noticed.emit(f"{step} is changed; Retry runs it as it is now")
