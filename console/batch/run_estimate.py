"""What is still to come of a run: when each step will begin and end, and which way takes longest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from console.batch.rows import StepFacts, StepRow
from console.responsiveness.heartbeat import yielding
from tools.batch import StepState, ToolDependencyGraph
from tools.batch.schedule import LimitKey, Schedule
from tools.errors import DependencyCycleError

_TOLD_FROM: Final = 0.02
"""From which share on a step's own word about how far it is counts for more than what its tool usually takes."""


class Known(NamedTuple):
    """What is known of the tools of a plan, by the names that it calls them.

    Attributes:
        usual_s: What calls usually take in seconds: half of them take no longer. Tools of which nobody knows are not
            there.
        lanes: The lanes in which calls need a place besides that of a worker, and how many places each has; of tools
            that need none, nothing is there.
    """

    usual_s: Mapping[str, float] = {}
    lanes: Mapping[str, Mapping[LimitKey, int]] = {}


class Expected(NamedTuple):
    """When a step is expected to run.

    Attributes:
        begins_s: Seconds from the start of the run; for what runs already, now.
        worker: The lane it will stand in, from 0 on.
    """

    begins_s: float
    ends_s: float
    worker: int


class RunEstimate(NamedTuple):
    """What is still to come.

    Attributes:
        expected: When steps will run that have not ended, as far as anybody knows.
        ends_s: When all of it will be over that goes on by itself, in seconds from the start of the run; None when
            nobody knows.
        critical: The way that takes longest, first step to last; empty when nobody knows how long anything takes.
        critical_s: How long that takes; None when nobody knows of all of its steps.
        retried: The steps that did not succeed; what waits for them is expected as if they were run again now.
    """

    expected: Mapping[str, Expected] = {}
    ends_s: float | None = None
    critical: tuple[str, ...] = ()
    critical_s: float | None = None
    retried: tuple[str, ...] = ()


def estimate_run(
    rows: Sequence[StepRow],
    known: Known,
    *,
    workers: int,
    now_s: float = 0.0,
    yield_to_ui: Callable[[], object] | None = None,
) -> RunEstimate:
    """Foresee the rest of a run, as its schedule would go: longest way first.

    Args:
        workers: How many calls run at a time.
        now_s: Seconds since the start of the run.
        yield_to_ui: Called between steps; it may wait for the window. None never waits.
    """
    planned = _Planned(rows, known, workers, now_s, yield_to_ui)
    expected = planned.expected()
    by_itself = [row.planned.step for row in rows if _goes_on(row.facts)]
    is_known = by_itself and all(step in expected for step in by_itself)
    critical, critical_s = planned.longest_way()
    return RunEstimate(
        expected,
        max(expected[step].ends_s for step in by_itself) if is_known else None,
        critical,
        critical_s,
        tuple(row.planned.step for row in rows if row.planned.step in planned.retried),
    )


class _Planned:
    """The steps of a run with what each of them costs."""

    def __init__(
        self,
        rows: Sequence[StepRow],
        known: Known,
        workers: int,
        now_s: float,
        yield_to_ui: Callable[[], object] | None,
    ) -> None:
        self._yield_to_ui = yield_to_ui
        self._rows = {row.planned.step: row for row in rows}
        self._known = known
        self._workers = max(1, workers)
        self._now_s = now_s
        blocked = {row.facts.held_by for row in rows if _is_blocked(row.facts)}
        self.retried = {row.planned.step for row in rows if row.planned.step in blocked and row.facts.state.failed}
        self._left_s = {step: self._left(self._rows[step]) for step in self._each(self._rows)}
        self._graph = self._make_graph()
        self._schedule = Schedule(self._graph, {step: left_s or 0.0 for step, left_s in self._left_s.items()})
        self._order = list(self._schedule.states)

    def _make_graph(self) -> ToolDependencyGraph:
        graph, rows = ToolDependencyGraph(), self._rows
        needs = {step: [name for name in rows[step].planned.needs if name in rows] for step in self._each(rows)}
        try:
            graph.add_all(needs)
        except DependencyCycleError:
            # What stands in a circle, or waits for one, never runs: nothing is foreseen behind what stands before it.
            sorter = TopologicalSorter(needs)
            with suppress(CycleError):
                sorter.prepare()
            free: list[str] = []
            while ready := sorter.get_ready():
                free += ready
                sorter.done(*ready)
            graph.add_all({step: needs[step] for step in free})
        return graph

    def _each(self, steps: Iterable[str]) -> Iterator[str]:
        return yielding(steps, self._yield_to_ui)

    def _left(self, row: StepRow) -> float | None:
        """Return how many seconds a step will still take; 0 when it ended, None when nobody knows."""
        facts, usual_s = row.facts, self._known.usual_s.get(row.planned.tool)
        if facts.is_waiting:
            return None
        if facts.state is StepState.RUNNING:
            return self._rest(row, usual_s)
        if not self._is_to_come(row):
            return 0.0
        if row.planned.has_rows:
            total = facts.rows.total if facts.rows is not None else None
            if total is None or usual_s is None:
                return None
            done = 0 if facts.rows is None else facts.rows.done
            return usual_s * (total - done) / self._at_a_time(row)
        return usual_s

    def _at_a_time(self, row: StepRow) -> int:
        """Return how many rows of a step run at a time, at most."""
        return min((self._workers, *self._known.lanes.get(row.planned.tool, {}).values()))

    def _rest(self, row: StepRow, usual_s: float | None) -> float | None:
        facts = row.facts
        ran_s = self._now_s - facts.began_s if facts.began_s is not None else 0.0
        if facts.share is not None and facts.share >= _TOLD_FROM and ran_s > 0:
            return ran_s * (1 - facts.share) / facts.share
        if facts.rows is not None:
            total = facts.rows.total
            return None if usual_s is None or total is None else usual_s * total / self._at_a_time(row)
        return None if usual_s is None else max(0.0, usual_s - ran_s)

    def _is_to_come(self, row: StepRow) -> bool:
        facts = row.facts
        return facts.state is StepState.QUEUED or _is_blocked(facts) or row.planned.step in self.retried

    def longest_way(self) -> tuple[tuple[str, ...], float | None]:
        """Return the steps that take longest one after the other, what ran counted as long as it took."""
        graph, order = self._graph, self._order
        cost_s = {step: self._whole(step) for step in self._each(order)}
        way_s: dict[str, float] = {}
        for step in self._each(reversed(order)):
            behind_s = max((way_s[other] for other in graph.get_dependents(step)), default=0.0)
            way_s[step] = (cost_s[step] or 0.0) + behind_s
        first = max(order, key=way_s.__getitem__, default=None)
        if first is None or not way_s[first]:
            return (), None
        way = [first]
        while behind := [step for step in graph.get_dependents(way[-1]) if way_s[step] > 0]:
            way.append(max(behind, key=way_s.__getitem__))
        is_known = all(cost_s[step] is not None for step in way)
        return tuple(way), way_s[first] if is_known else None

    def _whole(self, step: str) -> float | None:
        facts, left_s = self._rows[step].facts, self._left_s[step]
        if facts.state is StepState.RUNNING:
            ran_s = self._now_s - facts.began_s if facts.began_s is not None else 0.0
            return None if left_s is None else ran_s + left_s
        return left_s if self._is_to_come(self._rows[step]) else facts.own_s or 0.0

    def expected(self) -> dict[str, Expected]:
        """Return when each step will run, in a run where each takes what it usually takes."""
        schedule = self._schedule
        course = _Course(self._workers, self._now_s)
        for step in self._each(self._order):
            row = self._rows[step]
            if (limits := self._known.lanes.get(row.planned.tool)) is not None:
                schedule.limit(step, limits)
            if row.facts.state is StepState.RUNNING:
                schedule.go_on(step)
                course.go_on(step, self._left_s[step], row.facts.worker)
            elif not self._is_to_come(row):
                schedule.end(step, StepState.DONE)

        def next_end() -> str | None:
            while course.has_room and (step := schedule.take()) is not None:
                left_s = self._left_s[step]
                if left_s is not None:
                    course.begin(step, left_s)
                else:
                    # One of which nobody knows how long it takes never begins, and leaves its places to others.
                    schedule.release(schedule.current_limits(step))
            return course.next_end()

        for ended in self._each(iter(next_end, None)):
            schedule.release(schedule.current_limits(ended))
            schedule.end(ended, StepState.DONE)
        return course.expected


class _Course:
    """Let steps run one after the other on so many workers, each in a lane."""

    def __init__(self, workers: int, now_s: float) -> None:
        self.expected: dict[str, Expected] = {}
        self._now_s = now_s
        self._free = workers
        self._lanes = list(range(workers))
        self._running: list[tuple[float, int, str]] = []

    @property
    def has_room(self) -> bool:
        return self._free > 0

    def go_on(self, step: str, left_s: float | None, lane: int) -> None:
        """Let a step run in a lane; without an end, it keeps its place for ever."""
        if lane in self._lanes:
            self._lanes.remove(lane)
            heapify(self._lanes)
        self._free -= 1
        if left_s is not None:
            self.expected[step] = Expected(self._now_s, self._now_s + left_s, lane)
            heappush(self._running, (self._now_s + left_s, lane, step))

    def begin(self, step: str, left_s: float) -> None:
        self.go_on(step, left_s, heappop(self._lanes))

    def next_end(self) -> str | None:
        """Go on to the next end of a step, and return that; None when nothing ends any more."""
        if not self._running:
            return None
        self._now_s, lane, step = heappop(self._running)
        self._free += 1
        heappush(self._lanes, lane)
        return step


def _is_blocked(facts: StepFacts) -> bool:
    return facts.state is StepState.SKIPPED and bool(facts.held_by)


def _goes_on(facts: StepFacts) -> bool:
    return facts.state in {StepState.QUEUED, StepState.RUNNING}
