"""The runs of a plan, and in what two of them differ, in a dialog over the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from console.batch.compare_rows import ComparedOutcome, StepComparison
from console.batch.rows import SavedRun, now_utc
from console.theme import theme_of
from console.widgets import (
    BarFrame,
    Button,
    ElidedLabel,
    EmptyState,
    RowTable,
    SegmentedControl,
    StatusName,
    TextLabel,
    ThinSplitter,
    WindowDialog,
    paint_row,
    paint_status,
    paint_text,
    set_surface,
    status_color,
)
from console.widgets.formats import format_count, format_duration_ms, format_full_time, format_when

RUN_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `SavedRun`."""

CHANGE_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""Gives the `StepComparison`."""

_ROOT: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class RunColumn(IntEnum):
    """The columns of the runs, left to right."""

    STARTED = 0
    STATE = 1
    DONE = 2
    FAILED = 3


class StepComparisonColumn(IntEnum):
    """The columns of the comparison, left to right."""

    STEP = 0
    BEFORE = 1
    AFTER = 2
    CHANGE = 3


class RunsModel(QAbstractTableModel):
    """List the runs of a plan, the newest first."""

    HEADS: Final = ("Started", "State", "Done", "Failed")

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._runs: tuple[SavedRun, ...] = ()

    @property
    def runs(self) -> Sequence[SavedRun]:
        return self._runs

    def show_runs(self, runs: Sequence[SavedRun]) -> None:
        self.beginResetModel()
        self._runs = tuple(runs)
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(RunColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_name = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self.HEADS[section] if is_name else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, or the run."""
        if not index.isValid():
            return None
        run = self._runs[index.row()]
        if role == RUN_ROLE:
            return run
        if role == Qt.ItemDataRole.ToolTipRole:
            return format_full_time(run.started_at)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match RunColumn(index.column()):
            case RunColumn.STARTED:
                return format_when(run.started_at, self._clock())
            case RunColumn.STATE:
                return _state_words(run)
            case RunColumn.DONE:
                return f"{format_count(run.done)} of {format_count(run.steps)}"
            case RunColumn.FAILED:
                return format_count(run.failed) if run.failed else ""


class StepComparisonModel(QAbstractTableModel):
    """List the steps of two runs side by side."""

    HEADS: Final = ("Step", "Earlier", "Later", "What differs")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[StepComparison, ...] = ()
        self._shown: list[StepComparison] = []
        self._only_different = True

    @property
    def steps(self) -> Sequence[StepComparison]:
        return self._shown

    def show_steps(self, steps: Sequence[StepComparison]) -> None:
        self._all = tuple(steps)
        self._list_anew()

    def set_only_different(self, *, only: bool) -> None:
        """List only what differs, or everything."""
        self._only_different = only
        self._list_anew()

    def _list_anew(self) -> None:
        self.beginResetModel()
        self._shown = [step for step in self._all if step.differences or not self._only_different]
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(StepComparisonColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_name = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self.HEADS[section] if is_name else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, or the step."""
        if not index.isValid():
            return None
        step = self._shown[index.row()]
        if role == CHANGE_ROLE:
            return step
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return None
        match StepComparisonColumn(index.column()):
            case StepComparisonColumn.STEP:
                return step.step
            case StepComparisonColumn.BEFORE:
                return _words(step.before)
            case StepComparisonColumn.AFTER:
                return _words(step.after)
            case StepComparisonColumn.CHANGE:
                return step.words or "Nothing"


def _state_words(run: SavedRun) -> str:
    """Say how a run stands: it is done only when nothing of it is left to do, or to look at."""
    if not run.is_over:
        return "Interrupted"
    if run.failed or run.unsure:
        return "Failed" if run.failed else "Unsure"
    return "Stopped" if run.done < run.steps else "Done"


def _words(outcome: ComparedOutcome | None) -> str:
    if outcome is None:
        return ""
    parts = [outcome.word]
    if outcome.elapsed_s is not None:
        parts.append(format_duration_ms(outcome.elapsed_s * 1000))
    return ", ".join(parts)


_LARGEST: Final = QSize(1160, 680)
_MARGIN: Final = 64
_LEFT: Final = 8
_GLYPH: Final = 14
_RUNS_WIDTH: Final = 400
_RUN_WIDTHS: Final = MappingProxyType({RunColumn.STARTED: 140, RunColumn.STATE: 104, RunColumn.DONE: 88})
_CHANGE_WIDTHS: Final = MappingProxyType(
    {StepComparisonColumn.STEP: 144, StepComparisonColumn.BEFORE: 148, StepComparisonColumn.AFTER: 148}
)
_STATES: Final = MappingProxyType(
    {
        "Interrupted": "warning",
        "Failed": "failed",
        "Unsure": "warning",
        "Stopped": "cancelled",
        "Done": "success",
    }
)


class _Delegate(QStyledItemDelegate):
    """Paint a cell with the sign of a state before its words, where it has one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(40, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = theme_of()
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(_LEFT, 0, -4, -1)
        status = _status(index)
        font, ink = theme.font("small", tabular=True), theme.color.text2
        if status is not None:
            place = QRect(cell.x(), cell.y() + (cell.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
            paint_status(painter, place, status, theme)
            cell.setLeft(place.right() + 7)
            ink = status_color(status, theme)
        elif index.column() == 0:
            font.setWeight(QFont.Weight.Medium)
            ink = theme.color.text
        paint_text(painter, cell, str(index.data() or ""), font, ink)


def _status(index: QModelIndex | QPersistentModelIndex) -> StatusName | None:
    if index.data(RUN_ROLE) is not None:
        return _STATES[index.data()] if index.column() == RunColumn.STATE else None  # type: ignore[return-value]
    step = index.data(CHANGE_ROLE)
    outcome = {StepComparisonColumn.BEFORE: step.before, StepComparisonColumn.AFTER: step.after}.get(
        StepComparisonColumn(index.column())
    )
    return None if outcome is None else outcome.status


class _Table(RowTable):
    """Rows whose first columns are as wide as their owner says; the last takes the rest."""

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        widths: Mapping[RunColumn, int] | Mapping[StepComparisonColumn, int],
        last: int,
    ) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName(name)
        set_surface(self, "surface")
        self.setMouseTracking(True)
        self.horizontalHeader().setSectionResizeMode(last, QHeaderView.ResizeMode.Stretch)
        for column, width in widths.items():
            self.setColumnWidth(column, width)


class RunsDialog(WindowDialog):
    """Show the runs of a plan, and compare two of them.

    Args:
        plan: What people call the plan.
        changes: In what two of them differ.

    Signals:
        compare_requested(Path, Path): Compare these two runs, the earlier one first.
        values_requested(str): Compare what a step was given in the two runs, and its result.
        open_requested(Path): Show this run on the page.
    """

    compare_requested = Signal(object, object)
    values_requested = Signal(str)
    open_requested = Signal(object)

    def __init__(self, plan: str, runs: RunsModel, changes: StepComparisonModel, parent: QWidget) -> None:
        super().__init__(f"Runs of {plan}", parent)
        set_surface(self, "surface")
        self._runs, self._changes = runs, changes
        runs.setParent(self)
        changes.setParent(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = BarFrame(44, surface="surface", edge="bottom", margins=(20, 12))
        head.row.addWidget(TextLabel(f"Runs of {plan}", "title"))
        head.row.addWidget(TextLabel("Choose one to compare it with the run before, or two", "small", "text3"))
        head.row.addStretch(1)
        column.addWidget(head)
        column.addWidget(self._make_content(), 1)
        foot = BarFrame(52, surface="surface", edge="top", margins=(20, 20))
        self.open_run = Button("Show this run", icon="external-link")
        self.open_run.setToolTip("Show it on the page, where it can go on")
        self.open_run.clicked.connect(self._on_open_run_clicked)
        close = Button("Close", shortcut_hint="Esc")
        close.clicked.connect(self.accept)
        foot.row.addWidget(self.open_run)
        foot.row.addStretch(1)
        foot.row.addWidget(close)
        column.addWidget(foot)
        self.resize((parent.window().size() - QSize(_MARGIN, _MARGIN)).boundedTo(_LARGEST))
        runs.modelReset.connect(self._on_runs_reset)
        self._on_runs_reset()

    def _make_content(self) -> QWidget:
        self._pages = QStackedWidget()
        self._loading = EmptyState("history", "Looking for runs", "")
        self._none = EmptyState("history", "No run yet", "Every run of the plan is kept here.")
        splitter = ThinSplitter(Qt.Orientation.Horizontal)
        self.runs = _Table(self._runs, "Runs of the plan", _RUN_WIDTHS, RunColumn.FAILED)
        self.runs.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.runs.selectionModel().selectionChanged.connect(self._on_runs_selection_changed)
        self.runs.doubleClicked.connect(self._on_open_run_clicked)
        splitter.addWidget(self.runs)
        splitter.addWidget(self._make_comparison())
        splitter.setSizes([_RUNS_WIDTH, _LARGEST.width() - _RUNS_WIDTH])
        splitter.setStretchFactor(1, 1)
        for page in (self._loading, self._none, splitter):
            self._pages.addWidget(page)
        self._splitter = splitter
        return self._pages

    def _make_comparison(self) -> QWidget:
        panel = QWidget()
        column = QVBoxLayout(panel)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = BarFrame(36, surface="panel", edge="bottom", margins=(12, 8))
        self.summary = ElidedLabel("", "small", "text")
        self.which = SegmentedControl(("Differences", "All steps"), "List", height=24)
        self.which.selected.connect(self._on_which_selected)
        bar.row.addWidget(self.summary, 1)
        bar.row.addWidget(self.which)
        column.addWidget(bar)
        self._lists = QStackedWidget()
        self.changes = _Table(self._changes, "What differs", _CHANGE_WIDTHS, StepComparisonColumn.CHANGE)
        # A double click activates too.
        self.changes.activated.connect(self._on_changes_activated)
        self.changes.setToolTip("Double-click a step to compare what it was given and what came of it")
        self._alike = EmptyState("circle-check", "Nothing differs", "Both runs came to the same, step by step.")
        self._one = EmptyState("git-compare", "Nothing to compare with", "Choose two runs.")
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
        return [self._runs.runs[place].journal for place in places]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        over = self.parentWidget()
        if over is not None:
            frame = self.frameGeometry()
            frame.moveCenter(over.window().frameGeometry().center())
            self.move(frame.topLeft())

    def _on_runs_reset(self) -> None:
        if self._runs.rowCount():
            self._pages.setCurrentWidget(self._splitter)
            self.runs.selectRow(0)
            self.runs.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_runs_selection_changed(self) -> None:
        chosen = self.chosen
        self.open_run.setEnabled(len(chosen) == 1)
        journals = [run.journal for run in self._runs.runs]
        if len(chosen) == 1 and journals.index(chosen[0]) + 1 < len(journals):
            self.compare_requested.emit(journals[journals.index(chosen[0]) + 1], chosen[0])
        elif len(chosen) == 2:
            self.compare_requested.emit(chosen[1], chosen[0])
        elif len(chosen) == 1:
            self.show_no_comparison("Nothing to compare with", "This is the first run of the plan.")
        else:
            self.show_no_comparison("Choose one run, or two", "One is compared with the run before it.")

    def _on_which_selected(self, index: int) -> None:
        self._changes.set_only_different(only=index == 0)
        if self._lists.currentWidget() is not self._one:
            self.show_comparison(self.summary.text)

    def _on_changes_activated(self, index: QModelIndex) -> None:
        self.values_requested.emit(index.data(CHANGE_ROLE).step)

    def _on_open_run_clicked(self) -> None:
        chosen = self.chosen
        if len(chosen) == 1:
            self.accept()
            self.open_requested.emit(chosen[0])
