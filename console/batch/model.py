"""The steps of a plan as a Qt model: what the plan says, and how far each step of the run is."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from time import perf_counter
from typing import Any, Final

from PySide6.QtCore import QObject

from console.batch.rows import (
    FAILED_GROUPS,
    CellProblems,
    Group,
    PlanColumn,
    PlanRows,
    StepFacts,
    StepRow,
    WrittenStep,
    duration_words,
    group_of,
    has_run,
    outcome_words,
    share_words,
    status_of,
    status_words,
    step_samples,
)
from console.call_table import arguments_cell
from console.language import tr
from console.widgets import STATUS, Cell, Column, StatusName, TableModel, runs_of
from console.widgets.table_model import ROOT

_COLUMNS: Final = (
    Column("#", 40, is_number=True),
    Column(tr("Step"), 120),
    Column(tr("Tool"), 136, priority=3),
    Column(tr("Arguments"), 108, priority=4),
    Column(tr("After"), 64, is_tabular=True, priority=2),
    Column(tr("Status"), 118, samples=step_samples()),
    Column(tr("Progress", "column"), 64),
    Column(tr("Duration"), 68, is_number=True, priority=1),
    Column(tr("Result"), least=96),
)
"""The columns in the order of `PlanColumn`."""

_MOVING: Final = (PlanColumn.STATUS, PlanColumn.RESULT)
"""The first and the last column that a run changes."""

_MOST_STRETCHES: Final = 8
"""From how many stretches of rows on that come or go it is quicker to begin anew than to tell of each."""

_NEAR: Final = 16
"""How many rows between two that changed are told of as well, so that one word is enough for both."""


def cells_of_step(row: StepRow, now_s: float | None = None) -> tuple[Cell, ...]:
    """Return what stands in each column for a step, so many seconds after the start of its run."""
    planned, facts = row.planned, row.facts
    cannot_run = bool(row.problem) and not has_run(facts)
    status: StatusName = "rejected" if cannot_run else status_of(facts)
    words = tr("Cannot run") if cannot_run else status_words(row)
    is_bad = cannot_run or group_of(facts) is Group.FAILED
    return (
        Cell(str(planned.number), "text3"),
        Cell(planned.step, "text", is_strong=True),
        Cell(planned.tool),
        arguments_cell(planned.arguments),
        Cell(planned.after),
        Cell(words, STATUS[status].tone, status=status, tip=f"{words}: {facts.error}" if facts.error else ""),
        Cell(share_words(facts)),
        Cell(duration_words(facts, now_s)),
        Cell(outcome_words(row), "error" if is_bad else "text2"),
    )


class _ListedRows(Sequence[StepRow]):
    """The steps at some places of a plan."""

    def __init__(self, steps: PlanRows, places: Sequence[int]) -> None:
        self._steps = steps
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, place: Any) -> Any:
        return self._steps[self._places[place]]


class PlanModel(TableModel[StepRow]):
    """List the steps of a plan, narrowed to some groups.

    Whatever happens costs as much as it changes, or as is in sight: plans have thousands of steps.

    Attributes:
        steps: All steps as they are now, in the plan's order, whether they are listed or not; `copy` what shall stay.
            A row is made for each look at it: for one step ask `row_of`.
        counts: How many steps each group has; a group without any may be missing.
        groups: What the list is narrowed to; empty admits all.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, self._cells, attrgetter("planned.step"), parent)
        self.steps = PlanRows()
        self.cell_problems: CellProblems = {}
        self._shown: Sequence[int] = range(0)
        self.groups: frozenset[Group] = frozenset()
        self._group_by_place: dict[int, Group] = {}
        self.counts: dict[Group, int] = {}
        self._running: set[int] = set()
        self._failed: set[int] = set()
        self._zero_s: float | None = None

    def _cells(self, row: StepRow) -> tuple[Cell, ...]:
        cells = cells_of_step(row, self.now_s)
        wrong = self.cell_problems.get(row.planned.number - 1)
        if not wrong:
            return cells
        return tuple(cell._replace(tip=wrong.get(column, cell.tip)) for column, cell in enumerate(cells))

    @property
    def share(self) -> float:
        """Give how much of the plan is done, from 0 to 1; what runs counts with its share, what was cancelled not."""
        if not self.steps:
            return 0.0
        left = {Group.QUEUED, Group.RUNNING, Group.WAITING, Group.BLOCKED, Group.CANCELLED}
        over = sum(count for group, count in self.counts.items() if group not in left)
        return (over + self.running_share) / len(self.steps)

    @property
    def running_share(self) -> float:
        """Give how much of the steps that run is done, in steps."""
        planned = self.steps.planned
        return sum(self.steps.facts_of(planned[place].step).share or 0.0 for place in self._running)

    def row_of(self, step: str) -> StepRow | None:
        """Give a step; None when the plan has none of this name."""
        place = self.steps.place_by_step.get(step)
        return None if place is None else self.steps[place]

    @property
    def first_failed(self) -> StepRow | None:
        """Give the first step that somebody has to look at; None when there is none."""
        return self.steps[min(self._failed)] if self._failed else None

    def place_of(self, key: str) -> int:
        """Return where a step is listed; -1 when it is not."""
        place = self.steps.place_by_step.get(key)
        return -1 if place is None else self._shown_at(place)

    def show_cell_problems(self, problems: CellProblems) -> None:
        if problems != self.cell_problems:
            self.cell_problems = problems
            if self._shown:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, PlanColumn.RESULT))

    def show_plan(self, steps: Sequence[WrittenStep], problems: Mapping[str, str] | None = None) -> None:
        """Show another plan, or the same one after a change; what is known of steps that stay is kept."""
        wrong, rows = problems or {}, self.steps
        before, problems_before = rows.planned, rows.problems
        if steps is not before and [step.step for step in steps] != [step.step for step in before]:
            self.beginResetModel()
            self.steps = PlanRows(steps, rows.facts, wrong, rows.asks)
            places = self.steps.place_by_step
            self.steps.facts = {step: facts for step, facts in rows.facts.items() if step in places}
            self._count_anew()
            self._list_anew()
            self.endResetModel()
            return
        rows.planned, rows.problems = steps, wrong
        changed = set(self._places(_other(wrong, problems_before)))
        if steps is not before:
            pairs = enumerate(zip(before, steps, strict=True))
            changed.update(place for place, (was, now) in pairs if was is not now and was != now)
        self._tell(changed, PlanColumn.NUMBER, PlanColumn.RESULT)

    def show_asks(self, asks: Mapping[str, str]) -> None:
        """Say which steps will ask before they run, in words, by name."""
        changed = list(self._places(_other(asks, self.steps.asks)))
        self.steps.asks = asks
        self._tell(changed, PlanColumn.RESULT, PlanColumn.RESULT)

    def forget_run(self) -> None:
        self.beginResetModel()
        self.steps.facts.clear()
        self._zero_s = None
        self._count_anew()
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
            place = self.steps.place_by_step.get(step)
            if place is not None and self.steps.facts_of(step) != now:
                self._take_one(place, step, now)
                changed.append(place)
        if self.groups and changed:
            self._list_changed(changed)
        self._tell(changed, *_MOVING)

    def _take_one(self, place: int, step: str, now: StepFacts) -> None:
        before, after = self._group_by_place.get(place, Group.QUEUED), group_of(now)
        if before is not after:
            self._group_by_place[place] = after
            self.counts[before] -= 1
            self.counts[after] = self.counts.get(after, 0) + 1
            (self._running.add if after is Group.RUNNING else self._running.discard)(place)
            (self._failed.add if after in FAILED_GROUPS else self._failed.discard)(place)
        self.steps.facts[step] = now

    @property
    def running(self) -> list[int]:
        return [shown for place in self._running if (shown := self._shown_at(place)) >= 0]

    def tick(self) -> None:
        """Let the durations of what runs be painted anew."""
        for shown in self.running:
            index = self.index(shown, PlanColumn.DURATION)
            self.dataChanged.emit(index, index)

    def set_groups(self, groups: Collection[Group]) -> None:
        """List only steps of these groups; empty lists all."""
        wanted = frozenset(groups)
        if wanted != self.groups:
            self.beginResetModel()
            self.groups = wanted
            self._list_anew()
            self.endResetModel()

    @property
    def now_s(self) -> float | None:
        """Give how many seconds the run has taken; None when it does not go on."""
        return None if self._zero_s is None else perf_counter() - self._zero_s

    def _shown_at(self, place: int) -> int:
        """Give where the step of a place in the plan is listed; -1 when it is not."""
        if not self.groups:
            return place
        shown = bisect_left(self._shown, place)
        return shown if shown < len(self._shown) and self._shown[shown] == place else -1

    def _places(self, steps: Iterable[str]) -> Iterator[int]:
        return (place for step in steps if (place := self.steps.place_by_step.get(step)) is not None)

    def _count_anew(self) -> None:
        place_by_step = self.steps.place_by_step
        groups = {place_by_step[step]: group_of(facts) for step, facts in self.steps.facts.items()}
        self._group_by_place = groups
        self.counts = dict(Counter(groups.values()))
        waiting = len(self.steps) - len(groups)
        if waiting:
            self.counts[Group.QUEUED] = self.counts.get(Group.QUEUED, 0) + waiting
        self._running = {place for place, group in groups.items() if group is Group.RUNNING}
        self._failed = {place for place, group in groups.items() if group in FAILED_GROUPS}

    def _is_fitting(self, place: int) -> bool:
        return not self.groups or self._group_by_place.get(place, Group.QUEUED) in self.groups

    def _list_anew(self) -> None:
        every = range(len(self.steps))
        self._list(list(filter(self._is_fitting, every)) if self.groups else every)

    def _list(self, places: Sequence[int]) -> None:
        self._shown = places
        self.rows = _ListedRows(self.steps, places)

    def _list_changed(self, changed: Iterable[int]) -> None:
        """Tell of the rows that come and go because they stand otherwise now."""
        places = set(changed)
        gone = [place for place in places if not self._is_fitting(place) and self._shown_at(place) >= 0]
        come = [place for place in places if self._is_fitting(place) and self._shown_at(place) < 0]
        going = runs_of(sorted(self._shown_at(place) for place in gone))
        kept = list(self._shown)
        for first, last in reversed(going):
            del kept[first : last + 1]
        # Those stand together between which nothing is listed.
        coming = [(at, list(some)) for at, some in groupby(sorted(come), partial(bisect_left, kept))]
        if len(going) + len(coming) > _MOST_STRETCHES:
            self.beginResetModel()
            self._list_anew()
            self.endResetModel()
            return
        listed = list(self._shown)
        self._list(listed)
        # From the end, so that what is before stays where it is.
        for first, last in reversed(going):
            self.beginRemoveRows(ROOT, first, last)
            del listed[first : last + 1]
            self.endRemoveRows()
        for first, some in reversed(coming):
            self.beginInsertRows(ROOT, first, first + len(some) - 1)
            listed[first:first] = some
            self.endInsertRows()

    def _tell(self, places: Iterable[int], first: PlanColumn, last: PlanColumn) -> None:
        """Tell of rows that changed, in stretches: whatever is told of is painted anew."""
        shown = sorted(at for place in places if (at := self._shown_at(place)) >= 0)
        begin = 0
        for end, at in enumerate(shown, 1):
            if end == len(shown) or shown[end] > at + _NEAR:
                self.dataChanged.emit(self.index(shown[begin], first), self.index(at, last))
                begin = end


def _other(one: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    """Return of which names the words are others."""
    return {name for name in one.keys() | other.keys() if one.get(name, "") != other.get(name, "")}
