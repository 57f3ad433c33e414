"""The Batch page: made when somebody looks, fed by the run on the engine's thread, wired to the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.app.project import folder_of
from console.batch.closing_rows import RunProgress, progress_of
from console.engine import Engine
from console.lazy_page import LazyPage
from console.preferences import Preferences
from console.records import Records
from console.tasks import TaskScope
from console.tool_list import ToolList
from tools.errors import ToolConfigurationError
from tools.execution import Executor
from tools.workbench import RUNS_FOLDER

if TYPE_CHECKING:
    from console.app.batch_drafts import BatchDrafts
    from console.app.batch_editing import BatchEditing
    from console.app.batch_panels import BatchPanels
    from console.app.batch_runs import BatchRuns
    from console.app.batch_updates import RunUpdates
    from console.batch.document_presenter import OpenPlan
    from console.batch.files_presenter import PlanFilesPresenter
    from console.batch.presenter import BatchPresenter
    from console.batch.rows import RunUpdate
    from console.batch.view import BatchView
    from tools.batch import BatchPlan
    from tools.errors import PlanProblem


class Batches(QObject):
    """Own the Batch page and the run behind it.

    Args:
        executor: Runs the calls.
        tools: The tools.
        engine: Has the thread that runs them.
        records: Has threads, and the folder where runs are written down.
        preferences: Remember what was chosen.
        scope: Owns the tasks of the window.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        updated(RunFacts): Something of the run changed.
    """

    noticed = Signal(str)
    updated = Signal(object)

    def __init__(
        self,
        executor: Executor,
        tools: ToolList,
        engine: Engine,
        records: Records,
        *,
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._executor = executor
        self._tools = tools
        self._engine = engine
        self._records = records
        self._preferences = preferences
        self._scope = scope
        self._runs: BatchRuns | None = None
        self._updates: RunUpdates | None = None
        self._view: BatchView | None = None
        self._presenter: BatchPresenter | None = None
        self._files: PlanFilesPresenter | None = None
        self.editing: BatchEditing | None = None
        self._panels: BatchPanels | None = None
        self._drafts: BatchDrafts | None = None
        self.opened: OpenPlan | None = None
        self.place = LazyPage("Batch")
        self.place.wanted.connect(self._on_place_wanted)

    @property
    def goes_on(self) -> bool:
        """Whether a run has not come to its end."""
        return self._runs is not None and self._runs.goes_on

    @Slot()
    def _on_place_wanted(self) -> None:
        from console.app.batch_drafts import BatchDrafts  # noqa: PLC0415 -- as below
        from console.app.batch_editing import BatchEditing  # noqa: PLC0415 -- no window is shown later for it
        from console.app.batch_panels import BatchPanels  # noqa: PLC0415 -- as above
        from console.app.batch_runs import BatchRuns  # noqa: PLC0415 -- as above
        from console.app.batch_updates import RunUpdates  # noqa: PLC0415 -- as above
        from console.batch.document_presenter import OpenPlan  # noqa: PLC0415 -- as above
        from console.batch.files_presenter import PlanFilesPresenter  # noqa: PLC0415 -- as above
        from console.batch.model import PlanModel  # noqa: PLC0415 -- as above
        from console.batch.presenter import BatchPresenter  # noqa: PLC0415 -- as above
        from console.batch.view import BatchView  # noqa: PLC0415 -- as above

        model = PlanModel(self)
        self._view = BatchView(model)
        folder, compute = self._records.folder / RUNS_FOLDER, self._records.compute
        self._runs = BatchRuns(self._engine, self._executor, folder, compute=compute, parent=self)
        self.opened = OpenPlan(self._problems, compute=compute, scope=self._scope, parent=self)
        memory, scope = self._preferences, self._scope
        self._presenter = BatchPresenter(
            model,
            self._view,
            self.opened,
            runs=self._runs,
            memory=memory,
            scope=scope,
            compute=compute,
            project_dir=self._project_dir,
            parent=self,
        )
        self._files = PlanFilesPresenter(
            self._view, self.opened, runs=self._runs, memory=memory, scope=scope, compute=compute, parent=self
        )
        self.editing = BatchEditing(
            self._view,
            model,
            self.opened,
            self._presenter,
            self._files,
            runs=self._runs,
            tools=self._tools,
            executor=self._executor,
            hidden_of=self._hidden_of,
            scope=scope,
            compute=compute,
            parent=self,
        )
        self._panels = BatchPanels(
            model,
            self._view,
            self.opened,
            self._presenter,
            runs=self._runs,
            scope=scope,
            compute=compute,
            yield_to_ui=self._engine.heartbeat.yield_to_ui,
            parent=self,
        )
        self.editing.take_graph(self._panels.graph_view)
        self.editing.menu.backend_chosen.connect(self._on_menu_backend_chosen)
        self._take_backend(self._preferences.batch_backend)
        self._panels.recall(self._preferences)
        drafts = self._records.folder / "drafts"
        self._drafts = BatchDrafts(self.opened, self._files, drafts, compute=compute, scope=scope, parent=self)
        for part in (self.editing, self._files, self._presenter, self._panels, self._drafts):
            part.noticed.connect(self.noticed)
        self._updates = RunUpdates(self)
        self._runs.updated.connect(self._updates.take, Qt.ConnectionType.QueuedConnection)
        self._updates.updated.connect(self._presenter.take)
        self._presenter.forgotten.connect(self._updates.forget)
        self._presenter.updated.connect(self._on_presenter_updated)
        self._presenter.recall()
        self.place.fill(self._view)

    @Slot(str)
    def _on_menu_backend_chosen(self, backend: str) -> None:
        if self._take_backend(backend):
            self._preferences.batch_backend = backend
            self.noticed.emit(f"Plans run their tools on {backend}" if backend else "Plans run on this computer")

    def _take_backend(self, backend: str) -> bool:
        """Let plans run their tools there; return whether they can."""
        if self._runs is None or self.editing is None:
            return False
        if backend:
            from tools.batch.cluster import check_backend  # noqa: PLC0415 -- few plans run on one

            try:
                check_backend(backend)
            except ToolConfigurationError as error:
                self.noticed.emit(f"Plans cannot run there: {error}")
                return False
        self._runs.backend = backend
        self.editing.menu.show_backend(backend)
        return True

    def _project_dir(self) -> Path:
        return folder_of(self._executor)

    @property
    def progress(self) -> RunProgress:
        """How far the run is."""
        if self._presenter is None or self.opened is None:
            return RunProgress()
        counts = {group.value: count for group, count in self._presenter.counts.items()}
        facts = self._presenter.facts
        return progress_of(self.opened.title, counts, asks=facts.asks, looking=facts.looking)

    @property
    def is_unfinished(self) -> bool:
        """Whether something that is being written cannot be taken over into the plan, and so not be kept either."""
        return self.opened is not None and not self.opened.settle()

    def unsaved(self) -> str:
        """Take over what is being written; return what people call a plan that is not saved, "" when there is none."""
        opened = self.opened
        return opened.title if opened is not None and opened.would_lose() else ""

    @Slot(object)
    def _on_presenter_updated(self, update: RunUpdate) -> None:
        self.updated.emit(update.facts)

    def look_again(self) -> None:
        """Take in that tools came or went: what was wrong with a plan may be right now, and the other way round."""
        if self.opened is not None:
            self.opened.check_again()

    def open(self, path: Path) -> None:
        """Open a plan on the page, which is in front."""
        self._make_if_needed()
        if self._files is not None:
            self._files.open(path)

    def open_table(self, path: Path) -> None:
        """Ask how the rows of a table become a plan."""
        self._make_if_needed()
        if self.editing is not None:
            self.editing.menu.open_table(str(path))

    def add_calls(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Add steps that call tools with these arguments to the plan that is open.

        Args:
            calls: Tools and their arguments.

        Returns:
            What people call the plan; empty when nothing could be added.
        """
        self._make_if_needed()
        if self.editing is None or self.opened is None or not self.editing.add_calls(calls):
            return ""
        return self.opened.title

    def begin_calls(self, name: str, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Begin a plan whose steps call tools with these arguments.

        Args:
            name: What the plan is called.
            calls: Tools and their arguments.
        """
        from console.batch.document import steps_of_calls  # noqa: PLC0415 -- no window is shown later for it
        from tools.batch import BatchPlan  # noqa: PLC0415 -- as above

        self._make_if_needed()
        if self._files is not None:
            self._files.begin(BatchPlan(name=name, steps=tuple(steps_of_calls(calls))))

    def _make_if_needed(self) -> None:
        if self._view is None:
            self._on_place_wanted()

    def _problems(self, plan: BatchPlan) -> Sequence[PlanProblem]:
        from tools.batch.checking import plan_problems  # noqa: PLC0415 -- no window is shown later for it

        return plan_problems(plan, self._executor.registry, yield_to_ui=self._engine.heartbeat.yield_to_ui)

    def _hidden_of(self, plan: BatchPlan) -> frozenset[str]:
        """Name the parameters of a plan that nobody is to read on the screen; all of them when nobody can tell."""
        from tools.batch.expressions import ExpressionError  # noqa: PLC0415 -- as above
        from tools.batch.steps import hidden_parameters, ready_steps  # noqa: PLC0415 -- as above

        try:
            return hidden_parameters(plan, ready_steps(plan, self._executor.registry).values())
        except ExpressionError:
            return frozenset(plan.parameters)

    def remember(self) -> None:
        """Keep what the person chose for the next start."""
        if self._presenter is not None:
            self._presenter.remember()
        if self._panels is not None:
            self._panels.remember(self._preferences)

    async def stop(self) -> None:
        """Stop the run where it is, so that it can go on another time, and keep the plan that is not saved."""
        if self._drafts is not None:
            await self._drafts.keep()
        if self._runs is not None:
            await self._runs.close()

    def close(self) -> None:
        """Let go of what is under way."""
        if self._updates is not None:
            self._updates.stop()
        for part in (self._panels, self.editing, self._presenter, self._files, self.opened):
            if part is not None:
                part.close()
