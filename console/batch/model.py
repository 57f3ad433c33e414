"""The steps of a plan as a Qt model: what the plan says, and how far each step of the run is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from time import perf_counter
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.batch.rows import (
    FAILED_GROUPS,
    Column,
    Group,
    PlannedStep,
    StepFacts,
    StepRow,
    counts_of,
    group_of,
    line_of,
    status_words,
    words_of,
)

__all__ = ["ROOT", "ROW_ROLE", "Index", "PlanModel"]

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `StepRow`."""

ROOT: Final = QModelIndex()
"""The parent of all rows."""

Index = QModelIndex | QPersistentModelIndex

HEADS: Final = ("#", "Step", "Tool", "Arguments", "After", "Status", "Progress", "Duration", "Result")
RIGHT: Final = frozenset({Column.NUMBER, Column.DURATION})
"""The columns whose words stand at the right."""

_MOVING: Final = (Column.STATUS, Column.RESULT)
"""The first and the last column that a run changes."""

_MOST_STEPS: Final = 50
"""From how many rows on that come or go it is quicker to begin anew than to tell of each."""


class PlanModel(QAbstractTableModel):
    """List the steps of a plan, narrowed to some groups.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[StepRow] = []
        self._place_by_step: dict[str, int] = {}
        self._shown: list[int] = []
        self._shown_by_place: dict[int, int] = {}
        self._groups: frozenset[Group] = frozenset()
        self._counts: dict[Group, int] = {}
        self._running: set[int] = set()
        self._failed: set[int] = set()
        self._zero_s: float | None = None

    # What it holds

    @property
    def rows(self) -> Sequence[StepRow]:
        """Give all steps, in the plan's order, whether they are listed or not."""
        return self._all

    @property
    def counts(self) -> Mapping[Group, int]:
        """Give how many steps each group has; a group without any may be missing."""
        return self._counts

    @property
    def groups(self) -> frozenset[Group]:
        """Give what the list is narrowed to; empty admits all."""
        return self._groups

    @property
    def share(self) -> float:
        """Give how much of the plan is over, from 0 to 1; what runs counts with its own share."""
        if not self._all:
            return 0.0
        left = {Group.QUEUED, Group.RUNNING, Group.WAITING, Group.BLOCKED}
        over = sum(count for group, count in self._counts.items() if group not in left)
        return (over + self.running_share) / len(self._all)

    @property
    def running_share(self) -> float:
        """Give how much of the steps that run is done, in steps."""
        return sum(self._all[place].facts.share or 0.0 for place in self._running)

    def row_of(self, step: str) -> StepRow | None:
        """Give a step; None when the plan has none of this name."""
        place = self._place_by_step.get(step)
        return None if place is None else self._all[place]

    @property
    def first_failed(self) -> StepRow | None:
        """Give the first step that somebody has to look at; None when there is none."""
        return self._all[min(self._failed)] if self._failed else None

    def row_at(self, index: Index) -> StepRow:
        """Give the step of a valid index."""
        return self._all[self._shown[index.row()]]

    def place_of(self, step: str) -> int:
        """Give where a step is listed; -1 when it is not."""
        place = self._place_by_step.get(step)
        return -1 if place is None else self._shown_by_place.get(place, -1)

    def text_of(self, places: Sequence[int]) -> str:
        """Give listed rows as lines of words with tabs between, as spreadsheets take them."""
        return "\n".join(line_of(self._all[self._shown[place]]) for place in places)

    # What changes

    def show_plan(self, steps: Sequence[PlannedStep], problems: Mapping[str, str] | None = None) -> None:
        """Show another plan, or the same one after a change; what is known of steps that stay is kept.

        Args:
            steps: The steps in order.
            problems: What is wrong with steps, by name.
        """
        wrong = problems or {}
        known = {row.planned.step: row for row in self._all}
        rows = [_row(step, wrong.get(step.step, ""), known.get(step.step)) for step in steps]
        before = [row.planned.step for row in self._all]
        if before == [step.step for step in steps]:
            changed = [place for place, row in enumerate(rows) if row is not self._all[place]]
            for place in changed:
                self._all[place] = rows[place]
            self._tell(changed, Column.NUMBER, Column.RESULT)
            return
        self.beginResetModel()
        self._all = rows
        self._place_by_step = {step.step: place for place, step in enumerate(steps)}
        self._all = [self._held(row) if row.facts.held_by else row for row in rows]
        self._count_anew()
        self._list_anew()
        self.endResetModel()

    def show_asks(self, asks: Mapping[str, str]) -> None:
        """Say which steps will ask before they run, in words, by name."""
        changed = [place for place, row in enumerate(self._all) if row.asks != asks.get(row.planned.step, "")]
        for place in changed:
            row = self._all[place]
            self._all[place] = row._replace(asks=asks.get(row.planned.step, ""))
        self._tell(changed, Column.RESULT, Column.RESULT)

    def forget_run(self) -> None:
        """Let no step have run."""
        self.beginResetModel()
        fresh = ((row.planned, StepFacts(row.planned.step), row.problem, 0, row.asks) for row in self._all)
        self._all = [StepRow(*row) for row in fresh]
        self._zero_s = None
        self._counts = {Group.QUEUED: len(self._all)} if self._all else {}
        self._running.clear()
        self._failed.clear()
        self._list_anew()
        self.endResetModel()

    def take(self, facts: Mapping[str, StepFacts], zero_s: float | None) -> None:
        """Take in how far steps are.

        Args:
            facts: Of steps that changed, by name.
            zero_s: What `perf_counter` said at the start of the run; None when nothing runs.
        """
        self._zero_s = zero_s
        changed: list[int] = []
        for step, now in facts.items():
            place = self._place_by_step.get(step)
            if place is not None and self._all[place].facts != now:
                self._take_one(place, now)
                changed.append(place)
        if self._groups and changed:
            self._list_changed()
        self._tell(changed, *_MOVING)

    def _take_one(self, place: int, now: StepFacts) -> None:
        row = self._all[place]
        before, after = group_of(row.facts), group_of(now)
        if before is not after:
            self._counts[before] -= 1
            self._counts[after] = self._counts.get(after, 0) + 1
            (self._running.add if after is Group.RUNNING else self._running.discard)(place)
            (self._failed.add if after in FAILED_GROUPS else self._failed.discard)(place)
        self._all[place] = self._held(row._replace(facts=now))

    def tick(self) -> None:
        """Let the durations of what runs be painted anew."""
        for place in self._running:
            shown = self._shown_by_place.get(place)
            if shown is not None:
                index = self.index(shown, Column.DURATION)
                self.dataChanged.emit(index, index)

    def set_groups(self, groups: Collection[Group]) -> None:
        """List only steps of these groups; empty lists all."""
        wanted = frozenset(groups)
        if wanted != self._groups:
            self.beginResetModel()
            self._groups = wanted
            self._list_anew()
            self.endResetModel()

    # What Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        """Count the steps that are listed."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        return Qt.AlignmentFlag.AlignRight if role == Qt.ItemDataRole.TextAlignmentRole and section in RIGHT else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the words of a cell, more words of it, or the whole row."""
        if not index.isValid():
            return None
        # This is asked for each cell that is painted; the rest is not.
        if role == ROW_ROLE:
            return self.row_at(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return words_of(self.row_at(index), Column(index.column()), self.now_s)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(self.row_at(index), Column(index.column()), self.now_s)
        return None

    @property
    def now_s(self) -> float | None:
        """Give how many seconds the run has taken; None when it does not go on."""
        return None if self._zero_s is None else perf_counter() - self._zero_s

    # Within

    def _held(self, row: StepRow) -> StepRow:
        place = self._place_by_step.get(row.facts.held_by) if row.facts.held_by else None
        number = 0 if place is None else place + 1
        return row if number == row.held_by else row._replace(held_by=number)

    def _count_anew(self) -> None:
        self._counts = counts_of(self._all)
        groups = [group_of(row.facts) for row in self._all]
        self._running = {place for place, group in enumerate(groups) if group is Group.RUNNING}
        self._failed = {place for place, group in enumerate(groups) if group in FAILED_GROUPS}

    def _fitting(self) -> list[int]:
        if not self._groups:
            return list(range(len(self._all)))
        return [place for place, row in enumerate(self._all) if group_of(row.facts) in self._groups]

    def _list_anew(self) -> None:
        self._shown = self._fitting()
        self._shown_by_place = {place: shown for shown, place in enumerate(self._shown)}

    def _list_changed(self) -> None:
        """Tell of the rows that come and go because they stand otherwise now."""
        fitting = self._fitting()
        before, after = set(self._shown), set(fitting)
        if before == after:
            return
        if len(before ^ after) > _MOST_STEPS:
            self.beginResetModel()
            self._list_anew()
            self.endResetModel()
            return
        for shown in sorted((self._shown_by_place[place] for place in before - after), reverse=True):
            self.beginRemoveRows(ROOT, shown, shown)
            del self._shown[shown]
            self.endRemoveRows()
        for shown, place in enumerate(fitting):
            if place not in before:
                self.beginInsertRows(ROOT, shown, shown)
                self._shown.insert(shown, place)
                self.endInsertRows()
        self._list_anew()

    def _tell(self, places: Sequence[int], first: Column, last: Column) -> None:
        shown = [self._shown_by_place[place] for place in places if place in self._shown_by_place]
        if shown:
            self.dataChanged.emit(self.index(min(shown), first), self.index(max(shown), last))


def _row(step: PlannedStep, problem: str, known: StepRow | None) -> StepRow:
    if known is None:
        return StepRow(step, StepFacts(step.step), problem)
    # Of 10,000 rows few are others.
    if known.problem == problem and known.planned == step:
        return known
    return StepRow(step, known.facts, problem, known.held_by, known.asks)


def _tooltip(row: StepRow, column: Column, now_s: float | None) -> str:
    if column is Column.STATUS and row.facts.error:
        return f"{status_words(row)}: {row.facts.error}"
    return words_of(row, column, now_s)
