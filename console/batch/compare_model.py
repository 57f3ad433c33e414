"""The runs of a plan, and in what two of them differ, as Qt models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.batch.compare_rows import ComparedOutcome, StepComparison
from console.batch.ports import SavedRun
from console.widgets.formats import format_count, format_duration_ms, format_full_time, format_when

RUN_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `SavedRun`."""

CHANGE_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""Gives the `StepComparison`."""

_ROOT: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


def now_utc() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


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
    """List the runs of a plan, the newest first.

    Args:
        clock: Gives the time.
        parent: Its owner.
    """

    HEADS: Final = ("Started", "State", "Done", "Failed")

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._runs: tuple[SavedRun, ...] = ()

    @property
    def runs(self) -> Sequence[SavedRun]:
        return self._runs

    def show_runs(self, runs: Sequence[SavedRun]) -> None:
        """List other runs."""
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
    """List the steps of two runs side by side.

    Args:
        parent: Its owner.
    """

    HEADS: Final = ("Step", "Earlier", "Later", "What differs")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[StepComparison, ...] = ()
        self._shown: list[StepComparison] = []
        self._only_different = True

    @property
    def steps(self) -> Sequence[StepComparison]:
        """Give the steps that are listed."""
        return self._shown

    def show_steps(self, steps: Sequence[StepComparison]) -> None:
        """Compare other steps."""
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
        """Count the steps that are listed."""
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
