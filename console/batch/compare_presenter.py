"""What stands behind the list of a plan's runs: reads them, compares two, away from the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from console.batch.compare_rows import RunComparison, compare_runs, state_words, summary_words
from console.batch.compare_view import RunsDialog, RunsModel, StepComparisonModel
from console.call_table import now_utc
from console.comparison import ComparedSide
from console.language import tr
from console.schema_form import ABSENT
from console.tasks import Compute, OwnTasks, TaskScope
from console.widgets.formats import format_when
from tools.batch.result import RowResults
from tools.batch.runs import PastRun, is_run_of, past_run
from tools.errors import HistoryError

if TYPE_CHECKING:
    from console.batch.rows import SavedRun
    from tools.batch import Step


class KeptRunsPort(Protocol):
    """Know the runs that were written down."""

    async def kept(self, *, interrupted: bool) -> Sequence[SavedRun]:
        """Return them, the newest first.

        Args:
            interrupted: Only those that did not come to their end.
        """
        ...


class PlanRuns(QObject):
    """Conduct the list of a plan's runs.

    Args:
        plan: The plan's name, and its file; None before it is saved for the first time.
        models: The runs, and in what two of them differ.
        given: Returns the arguments of a step as people may see them.

    Signals:
        values_compared(ComparedSide, ComparedSide): What a step was given in two runs, and its results, to be compared.
        open_requested(SavedRun): Show this run on the page.
    """

    values_compared = Signal(object, object)
    open_requested = Signal(object)

    def __init__(
        self,
        plan: tuple[str, Path | None],
        dialog: RunsDialog,
        models: tuple[RunsModel, StepComparisonModel],
        *,
        runs: KeptRunsPort,
        given: Callable[[Step], Mapping[str, Any]],
        scope: TaskScope,
        compute: Compute,
        clock: Callable[[], datetime] = now_utc,
    ) -> None:
        super().__init__(dialog)
        self._plan = plan
        self._dialog = dialog
        self._model, self._changes = models
        self._runs = runs
        self._given = given
        self._compute = compute
        self._clock = clock
        self._tasks = OwnTasks(scope)
        self._wanted: tuple[Path, Path] | None = None
        self._compared: tuple[PastRun, PastRun] | None = None
        dialog.compare_requested.connect(self._on_dialog_compare_requested)
        dialog.values_requested.connect(self._on_dialog_values_requested)
        dialog.open_requested.connect(self._on_dialog_open_requested)
        dialog.finished.connect(self._on_dialog_finished)
        self._tasks.start(self._list(), "list the runs of a plan")

    async def _list(self) -> None:
        found: Sequence[SavedRun] = await self._runs.kept(interrupted=False)
        name, file = self._plan
        plan = name, None if file is None else await self._compute(file.resolve)
        self._model.show_rows([run for run in found if is_run_of((run.plan, run.file), plan)])
        self._dialog.show_done()

    @Slot(object, object)
    def _on_dialog_compare_requested(self, before: Path, after: Path) -> None:
        self._wanted = before, after
        self._tasks.start(self._compare(before, after), "compare two runs")

    async def _compare(self, before: Path, after: Path) -> None:
        try:
            old, new, comparison = await self._compute(_compared, before, after)
        except HistoryError as error:
            if self._wanted == (before, after):
                self._dialog.show_no_comparison(tr("These runs cannot be compared"), str(error))
            return
        if self._wanted == (before, after):
            self._compared = old, new
            self._changes.show_rows(comparison.steps)
            self._dialog.show_comparison(summary_words(comparison))

    @Slot(str)
    def _on_dialog_values_requested(self, step: str) -> None:
        if self._compared is not None:
            self._tasks.start(self._compare_values(step, *self._compared), "compare a step of two runs")

    async def _compare_values(self, step: str, before: PastRun, after: PastRun) -> None:
        now = self._clock()
        sides = [await self._compute(_side, step, run, now, self._given) for run in (before, after)]
        self.values_compared.emit(*sides)

    @Slot(object)
    def _on_dialog_open_requested(self, journal: Path) -> None:
        for run in self._model.rows:
            if run.journal == journal:
                self.open_requested.emit(run)

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._tasks.cancel()


def _compared(before: Path, after: Path) -> tuple[PastRun, PastRun, RunComparison]:
    old, new = past_run(before), past_run(after)
    return old, new, compare_runs(old, new)


def _side(name: str, run: PastRun, now: datetime, given: Callable[[Step], Mapping[str, Any]]) -> ComparedSide:
    steps = {step.id: (number, step) for number, step in enumerate(run.plan.steps, 1)}
    if name not in steps:
        return ComparedSide(name, tr("{time} · not in this run", time=format_when(run.started_at, now)))
    _, step = steps[name]
    result = run.result.results[name]
    value = list(result.display) if isinstance(result.display, RowResults) else result.display
    held_by = steps[result.held_by][0] if result.held_by else 0
    state = state_words(result, held_by).lower()
    subtitle = f"{format_when(run.started_at, now)} · {state}"
    shown = value if value is not None else result.error or ABSENT
    return ComparedSide(name, subtitle, dict(given(step)), shown)
