"""What the menu of a plan offers: parameters and limits, values of a run, a plan from a table, the plan's runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from console.batch.compare_presenter import KeptRunsPort, PlanRuns
from console.batch.compare_view import RunsDialog, RunsModel, StepComparisonModel
from console.batch.document import PlanEditError
from console.batch.document_csv_view import CsvDialog
from console.batch.document_presenter import OpenPlan
from console.batch.document_text import CsvTable, guessed_columns, mapping_schema, plan_of_csv, read_table
from console.batch.editors_presenter import note_of
from console.batch.parameters_presenter import (
    BACKEND_SCHEMA,
    PlanSettings,
    backend_problem,
    values_schema,
    values_to_keep,
)
from console.batch.parameters_view import SettingsSheet, ValuesDialog, ValuesDialogText
from console.batch.presenter import BatchPresenter
from console.batch.view import BatchView
from console.comparison import ComparedSide, open_comparison
from console.language import tr, translated
from console.tasks import Compute, OwnTasks, TaskScope
from console.tool_list import ToolList
from console.widgets import Button, Menu
from tools.batch import BatchPlan, Step
from tools.batch.steps import given_shown

_ACTIONS: Final = (
    ("settings", tr("Parameters and limits…")),
    ("values", tr("Run with other values…")),
    ("backend", tr("Where it runs…")),
    ("", ""),
    ("csv", tr("New plan from a CSV file…")),
    ("runs", tr("Runs of this plan…")),
)
_WHERE: Final = ValuesDialogText(
    tr("Where the plan's tools run"),
    tr(
        "On a Dask cluster that runs already, or on this computer. Calls are judged, asked about and recorded here in "
        "any case, and tools that hide something stay here. It counts for runs that begin from now on, of all plans."
    ),
    tr("Keep"),
    "check",
)


class BatchMenu(QObject):
    """Own the menu of the plan, and the sheets and dialogs behind it.

    Args:
        hidden_of: Names the parameters of a plan that nobody is to read; takes more than a frame.
        folder: Returns the folder that relative paths of the plan start from.

    Signals:
        plan_made(BatchPlan): Let this plan take the place of the one that is open.
        backend_chosen(str): Let the tools of runs that begin from now on run there; empty is this computer.
    """

    noticed = Signal(str)
    plan_made = Signal(object)
    run_requested = Signal(object)
    backend_chosen = Signal(str)

    def __init__(
        self,
        view: BatchView,
        opened: OpenPlan,
        presenter: BatchPresenter,
        *,
        runs: KeptRunsPort,
        tools: ToolList,
        hidden_of: Callable[[BatchPlan], frozenset[str]],
        folder: Callable[[], Path],
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._opened = opened
        self._presenter = presenter
        self._runs = runs
        self._tools = tools
        self._hidden_of = hidden_of
        self._folder = folder
        self._scope = scope
        self._compute = compute
        self._values: dict[Path | None, Mapping[str, Any]] = {}
        self._tasks = OwnTasks(scope)
        self._csv: tuple[CsvDialog, CsvTable] | None = None
        self._backend = ""
        self.sheet = SettingsSheet()
        self.sheet.hide()
        view.side.add_sheet(self.sheet)
        self.settings = PlanSettings(opened.document, self.sheet, sources=self._sources, parent=self)
        self.button = Button(tr("More"), kind="ghost", chevron=True)
        self.button.setAccessibleName(tr("More about the plan"))
        self._menu = Menu(tr("More about the plan"), self.button)
        self._actions: dict[str, QAction] = {}
        for key, words in _ACTIONS:
            if key:
                self._actions[key] = self._menu.addAction(words)
                self._actions[key].setData(key)
            else:
                self._menu.addSeparator()
        self._menu.aboutToShow.connect(self._on_menu_about_to_show)
        self._menu.triggered.connect(self._on_menu_triggered)
        self.button.setMenu(self._menu)
        presenter.parameters_wanted.connect(self.ask_for_values)
        view.table_chosen.connect(self.open_table)

    def set_running(self, *, running: bool) -> None:
        """Offer only what can be done while a plan runs, or everything."""
        self.settings.set_running(running=running)
        for key in ("values", "backend", "csv"):
            self._actions[key].setEnabled(not running)

    def close(self) -> None:
        """Let go of the plan and of what is under way."""
        self.settings.close_sheet()
        self.settings.close()
        self._tasks.cancel()

    def _sources(self, names: Sequence[str]) -> Sequence[str]:
        tools = [tool for name in names if (tool := self._tools.find(name)) is not None]
        return list(dict.fromkeys(tool.source.name for tool in tools))

    @Slot()
    def _on_menu_about_to_show(self) -> None:
        self._actions["values"].setVisible(bool(self._opened.plan.parameters))

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        match action.data():
            case "settings":
                self.settings.open_sheet()
            case "values":
                self.ask_for_values()
            case "backend":
                self.ask_for_backend()
            case "csv":
                self._view.ask_for_file("table")
            case "runs":
                self.show_runs()

    @Slot()
    def ask_for_values(self) -> None:
        """Ask for the values that a run is given, beginning with those of the run before."""
        self._tasks.start(self._ask_for_values(), "ask for the values of a run")

    async def _ask_for_values(self) -> None:
        plan = None
        while plan is not self._opened.plan:
            plan = self._opened.plan
            hidden = await self._compute(self._hidden_of, plan)
        path = self._opened.path
        values = values_to_keep(plan, self._values.get(path, {}))
        words = ValuesDialogText(
            tr("Run {title}", title=self._opened.title), tr("The plan takes these values."), tr("Run"), "play"
        )
        dialog = ValuesDialog(
            words, values_schema(plan, hidden), values, base=self._folder(), parent=self._view.window()
        )
        dialog.given.connect(self._on_values_given)
        dialog.open()

    @Slot(dict)
    def _on_values_given(self, values: dict[str, Any]) -> None:
        self._values[self._opened.path] = values
        self._presenter.run(values)

    def show_backend(self, backend: str) -> None:
        """Say where tools run: on a cluster, as `dask://host:port`, or on this computer when it is empty."""
        self._backend = backend
        self._actions["backend"].setText(tr("Runs on {backend}…", backend=backend) if backend else tr("Where it runs…"))

    def ask_for_backend(self) -> None:
        """Ask for the cluster that tools run on."""
        dialog = ValuesDialog(
            _WHERE,
            BACKEND_SCHEMA,
            {"cluster": self._backend} if self._backend else {},
            base=self._folder(),
            parent=self._view.window(),
            problem=backend_problem,
        )
        dialog.given.connect(self._on_backend_given)
        dialog.open()

    @Slot(dict)
    def _on_backend_given(self, values: dict[str, Any]) -> None:
        self.backend_chosen.emit(str(values.get("cluster", "")).strip())

    @Slot(str)
    def open_table(self, path: str) -> None:
        """Ask how the rows of a table become calls."""
        self._tasks.start(self._open_table(Path(path)), "read a table")

    async def _open_table(self, path: Path) -> None:
        try:
            table: CsvTable = await self._compute(read_table, path)
        except PlanEditError as error:
            self.noticed.emit(translated(error))
            return
        dialog = CsvDialog(path.name, table.columns, table.samples, self._tools.names, self._view.window())
        self._csv = dialog, table
        dialog.tool_changed.connect(self._on_csv_tool_changed)
        dialog.chosen.connect(self._on_csv_chosen)
        dialog.finished.connect(self._on_csv_finished)
        dialog.open()

    @Slot(str)
    def _on_csv_tool_changed(self, name: str) -> None:
        if self._csv is None:
            return
        dialog, table = self._csv
        tool = self._tools.find(name)
        note = note_of(name, tool, without="")
        if tool is None:
            dialog.show_tool(mapping_schema({}, ()), {}, note)
        else:
            guessed = guessed_columns(tool.input_schema, table.columns)
            dialog.show_tool(mapping_schema(tool.input_schema, table.columns), guessed, note, name=tool.name)

    @Slot(str, dict)
    def _on_csv_chosen(self, name: str, mapping: dict[str, str]) -> None:
        tool = self._tools.find(name)
        if self._csv is not None and tool is not None:
            self.plan_made.emit(plan_of_csv(self._csv[1], tool.name, tool.input_schema, mapping))

    @Slot()
    def _on_csv_finished(self) -> None:
        self._csv = None

    def show_runs(self) -> None:
        """Show the runs of the plan, and compare two of them."""
        plan, runs, changes = (self._opened.plan.name, self._opened.path), RunsModel(), StepComparisonModel()
        dialog = RunsDialog(self._opened.title, runs, changes, self._view.window())
        presenter = PlanRuns(
            plan,
            dialog,
            (runs, changes),
            runs=self._runs,
            given=self._given,
            scope=self._scope,
            compute=self._compute,
        )
        presenter.values_compared.connect(self._on_runs_values_compared)
        presenter.open_requested.connect(self.run_requested)
        dialog.open()

    def _given(self, step: Step) -> Mapping[str, Any]:
        return given_shown(self._tools.find(step.tool), step.arguments)

    @Slot(object, object)
    def _on_runs_values_compared(self, before: ComparedSide, after: ComparedSide) -> None:
        open_comparison(self._view.window(), before, after, compute=self._compute, scope=self._scope)
