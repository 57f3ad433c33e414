"""The runs of a plan, and in what two of them differ, in a dialog over the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget, QWidget

from console.batch.compare_rows import ComparedOutcome, StepComparison
from console.batch.rows import SavedRun
from console.call_table import now_utc
from console.language import tr
from console.widgets import (
    BarFrame,
    Button,
    Cell,
    CentredDialog,
    Column,
    ElidedLabel,
    EmptyState,
    SegmentedControl,
    TableModel,
    TableView,
    TextLabel,
    ThinSplitter,
    set_surface,
    vbox,
)
from console.widgets.formats import format_count, format_duration_ms, format_full_time, format_when

_INTERRUPTED: Final = Cell(tr("Interrupted"), "status", status="warning")
_FAILED: Final = Cell(tr("Failed"), "status", status="failed")
_UNSURE: Final = Cell(tr("Unsure"), "status", status="warning")
_STOPPED: Final = Cell(tr("Stopped"), "status", status="cancelled")
_DONE: Final = Cell(tr("Done"), "status", status="success")
_RUN_COLUMNS: Final = (
    Column(tr("Started"), 140, is_tabular=True),
    Column(tr("State"), 104, samples=(_INTERRUPTED, _FAILED, _UNSURE, _STOPPED, _DONE)),
    Column(tr("Done"), 88, is_tabular=True),
    Column(tr("Failed"), least=64, is_tabular=True),
)
_STEP_COLUMNS: Final = tuple(
    Column(title, width, is_tabular=True)
    for title, width in ((tr("Step"), 128), (tr("Earlier"), 136), (tr("Later"), 136), (tr("What differs"), 0))
)


class RunsModel(TableModel[SavedRun]):
    """List the runs of a plan, the newest first."""

    def __init__(self, clock: Callable[[], datetime] = now_utc) -> None:
        super().__init__(_RUN_COLUMNS, self._cells, lambda run: str(run.journal))
        self._clock = clock

    def _cells(self, run: SavedRun) -> tuple[Cell, ...]:
        tip = format_full_time(run.started_at)
        return (
            Cell(format_when(run.started_at, self._clock()), "text", is_strong=True, tip=tip),
            _state_of(run)._replace(tip=tip),
            Cell(tr("{done} of {steps}", done=format_count(run.done), steps=format_count(run.steps)), tip=tip),
            Cell(format_count(run.failed) if run.failed else "", tip=tip),
        )


class StepComparisonModel(TableModel[StepComparison]):
    """List the steps of two runs side by side."""

    def __init__(self) -> None:
        super().__init__(_STEP_COLUMNS, _step_cells, lambda step: step.step)
        self.set_only_different(only=True)

    def set_only_different(self, *, only: bool) -> None:
        self.narrow((lambda step: bool(step.differences)) if only else None)


def _step_cells(step: StepComparison) -> tuple[Cell, ...]:
    name = Cell(step.step, "text", is_strong=True)
    return name, _outcome_cell(step.before), _outcome_cell(step.after), Cell(step.words or tr("Nothing"))


def _outcome_cell(outcome: ComparedOutcome | None) -> Cell:
    return Cell(_words(outcome)) if outcome is None else Cell(_words(outcome), "status", status=outcome.status)


def _state_of(run: SavedRun) -> Cell:
    """Say how a run stands: it is done only when nothing of it is left to do, or to look at."""
    if not run.is_over:
        return _INTERRUPTED
    if run.failed:
        return _FAILED
    if run.unsure:
        return _UNSURE
    return _STOPPED if run.done < run.steps else _DONE


def _words(outcome: ComparedOutcome | None) -> str:
    if outcome is None:
        return ""
    parts = [outcome.word]
    if outcome.elapsed_s is not None:
        parts.append(format_duration_ms(outcome.elapsed_s * 1000))
    return ", ".join(parts)


_LARGEST: Final = QSize(1160, 680)
_MARGIN: Final = 64
_RUNS_WIDTH: Final = 400


class RunsDialog(CentredDialog):
    """Show the runs of a plan, and compare two of them.

    Signals:
        compare_requested(Path, Path): Compare these two runs, the earlier one first.
        values_requested(str): Compare what a step was given in the two runs, and its result.
        open_requested(Path): Show this run on the page.
    """

    compare_requested = Signal(object, object)
    values_requested = Signal(str)
    open_requested = Signal(object)

    def __init__(self, plan: str, runs: RunsModel, changes: StepComparisonModel, parent: QWidget) -> None:
        super().__init__(tr("Runs of {plan}", plan=plan), parent)
        set_surface(self, "surface")
        self._runs, self._changes = runs, changes
        runs.setParent(self)
        changes.setParent(self)
        column = vbox(self)
        head = BarFrame(44, surface="surface", edge="bottom", margins=(20, 12))
        head.row.addWidget(TextLabel(tr("Runs of {plan}", plan=plan), "title"))
        head.row.addWidget(TextLabel(tr("Choose one to compare it with the run before, or two"), "small", "text3"))
        head.row.addStretch(1)
        column.addWidget(head)
        column.addWidget(self._make_content(), 1)
        foot = BarFrame(52, surface="surface", edge="top", margins=(20, 20))
        self.open_run = Button(tr("Show this run"), icon="external-link")
        self.open_run.setToolTip(tr("Show it on the page, where it can go on"))
        self.open_run.clicked.connect(self._on_open_run_clicked)
        close = Button(tr("Close"), shortcut_hint="Esc")
        close.clicked.connect(self.accept)
        foot.row.addWidget(self.open_run)
        foot.row.addStretch(1)
        foot.row.addWidget(close)
        column.addWidget(foot)
        self.resize((parent.window().size() - QSize(_MARGIN, _MARGIN)).boundedTo(_LARGEST))
        runs.rows_changed.connect(self._on_runs_reset)
        self._on_runs_reset()

    def _make_content(self) -> QWidget:
        self._pages = QStackedWidget()
        self._loading = EmptyState("history", tr("Looking for runs"), "")
        self._none = EmptyState("history", tr("No run yet"), tr("Every run of the plan is kept here."))
        splitter = ThinSplitter(Qt.Orientation.Horizontal)
        self.runs = TableView(self._runs, tr("Runs of the plan"), edge=8, left=8)
        self.runs.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.runs.selectionModel().selectionChanged.connect(self._on_runs_selection_changed)
        self.runs.opened.connect(self._on_open_run_clicked)
        splitter.addWidget(self.runs)
        splitter.addWidget(self._make_comparison())
        width = max(_RUNS_WIDTH, self.runs.columns_width)
        splitter.setSizes([width, _LARGEST.width() - width])
        splitter.setStretchFactor(1, 1)
        for page in (self._loading, self._none, splitter):
            self._pages.addWidget(page)
        self._splitter = splitter
        return self._pages

    def _make_comparison(self) -> QWidget:
        panel = QWidget()
        column = vbox(panel)
        bar = BarFrame(36, surface="panel", edge="bottom", margins=(12, 8))
        self.summary = ElidedLabel("", "small", "text")
        self.which = SegmentedControl((tr("Differences"), tr("All steps")), tr("List"), height=24)
        self.which.selected.connect(self._on_which_selected)
        bar.row.addWidget(self.summary, 1)
        bar.row.addWidget(self.which)
        column.addWidget(bar)
        self._lists = QStackedWidget()
        self.changes = TableView(self._changes, tr("What differs"), edge=8, left=8, scrolls_sideways=True)
        self.changes.opened.connect(self.values_requested)
        self.changes.setToolTip(tr("Double-click a step to compare what it was given and what came of it"))
        self._alike = EmptyState("circle-check", tr("Nothing differs"), tr("Both runs came to the same, step by step."))
        self._one = EmptyState("git-compare", tr("Nothing to compare with"), tr("Choose two runs."))
        for page in (self.changes, self._alike, self._one):
            self._lists.addWidget(page)
        column.addWidget(self._lists, 1)
        return panel

    def show_done(self) -> None:
        """Take note that all runs are listed."""
        self._pages.setCurrentWidget(self._splitter if self._runs.rowCount() else self._none)

    def show_comparison(self, summary: str) -> None:
        """Say in how much the two runs differ; the steps are in the model."""
        self.summary.set_text(summary)
        self._lists.setCurrentWidget(self.changes if self._changes.rowCount() else self._alike)

    def show_no_comparison(self, fact: str, sentence: str) -> None:
        self.summary.set_text("")
        self._one.show_text(fact, sentence)
        self._lists.setCurrentWidget(self._one)

    @property
    def chosen(self) -> Sequence[Path]:
        places = sorted(index.row() for index in self.runs.selectionModel().selectedRows())
        return [self._runs.rows[place].journal for place in places]

    def _on_runs_reset(self) -> None:
        if self._runs.rowCount():
            self._pages.setCurrentWidget(self._splitter)
            self.runs.selectRow(0)
            self.runs.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_runs_selection_changed(self) -> None:
        chosen = self.chosen
        self.open_run.setEnabled(len(chosen) == 1)
        journals = [run.journal for run in self._runs.rows]
        if len(chosen) == 1 and journals.index(chosen[0]) + 1 < len(journals):
            self.compare_requested.emit(journals[journals.index(chosen[0]) + 1], chosen[0])
        elif len(chosen) == 2:
            self.compare_requested.emit(chosen[1], chosen[0])
        elif len(chosen) == 1:
            self.show_no_comparison(tr("Nothing to compare with"), tr("This is the first run of the plan."))
        else:
            self.show_no_comparison(tr("Choose one run, or two"), tr("One is compared with the run before it."))

    def _on_which_selected(self, index: int) -> None:
        self._changes.set_only_different(only=index == 0)
        if self._lists.currentWidget() is not self._one:
            self.show_comparison(self.summary.text)

    def _on_open_run_clicked(self) -> None:
        chosen = self.chosen
        if len(chosen) == 1:
            self.accept()
            self.open_requested.emit(chosen[0])
