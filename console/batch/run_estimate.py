"""What is still to come of a run: when each step will begin and end, and which way takes longest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from console.batch.rows import StepFacts, StepRow
from console.interpreter.heartbeat import yielding
from tools.batch import StepState
from tools.batch.schedule import LimitKey

_TOLD_FROM: Final = 0.02
"""From which share on a step's own word about how far it is counts for more than what its tool usually takes."""


_NO_LANES: Final[Mapping[LimitKey, int]] = {}

_Ready = tuple[tuple[float, int], str, str, float]
"""A step that may begin: its rank, its name, its tool, and how many seconds it takes."""


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
        rows: The steps, and how far they are.
        known: What is known of its tools.
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
        self._left_s: dict[str, float | None] = {}
        self._needs: dict[str, list[str]] = {}
        self._waiting: dict[str, list[str]] = {step: [] for step in self._rows}
        for step in self._each(self._rows):
            row = self._rows[step]
            self._left_s[step] = self._left(row)
            needs = self._needs[step] = [needed for needed in row.planned.needs if needed in self._rows]
            for needed in needs:
                self._waiting[needed].append(step)
        self._order = self._sorted()
        self._place = {step: place for place, step in enumerate(self._order)}
        if len(self._order) < len(self._rows):
            # What stands in a circle, or waits for one, never runs: nothing is foreseen behind what stands before it.
            self._waiting = {
                step: [other for other in self._waiting[step] if other in self._place] for step in self._order
            }
        self._way_s = self._ways()

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
        return min((self._workers, *self._known.lanes.get(row.planned.tool, _NO_LANES).values()))

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

    def _sorted(self) -> list[str]:
        """Return the steps, each after what it waits for; those of a circle are left out."""
        missing = {step: len(needs) for step, needs in self._needs.items()}
        order = [step for step, count in missing.items() if not count]
        for step in self._each(order):
            for other in self._waiting[step]:
                missing[other] -= 1
                if not missing[other]:
                    order.append(other)
        return order

    def _ways(self) -> dict[str, float]:
        """Return how long the longest way is from the begin of each step, by what is left of each."""
        found: dict[str, float] = {}
        for step in self._each(reversed(self._order)):
            behind = max((found[other] for other in self._waiting[step]), default=0.0)
            found[step] = (self._left_s[step] or 0.0) + behind
        return found

    def longest_way(self) -> tuple[tuple[str, ...], float | None]:
        """Return the steps that take longest one after the other, what ran counted as long as it took."""
        cost_s = {step: self._whole(step) for step in self._each(self._order)}
        way_s: dict[str, float] = {}
        following: dict[str, str] = {}
        for step in self._each(reversed(self._order)):
            behind = max(self._waiting[step], key=lambda other: way_s[other], default=None)
            if behind is not None and way_s[behind] > 0:
                following[step] = behind
            way_s[step] = (cost_s[step] or 0.0) + (0.0 if behind is None else way_s[behind])
        first = max(self._order, key=way_s.__getitem__, default=None)
        if first is None or not way_s[first]:
            return (), None
        way = [first]
        while way[-1] in following:
            way.append(following[way[-1]])
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
        course = _Course(self._workers, self._now_s, self._known.lanes)
        missing: dict[str, int] = {}
        for step in self._each(self._order):
            row = self._rows[step]
            missing[step] = sum(self._is_open(needed) for needed in self._needs[step])
            if row.facts.state is StepState.RUNNING:
                course.go_on(step, row.planned.tool, self._left_s[step], row.facts.worker)
            elif self._is_to_come(row) and not missing[step]:
                course.ready(step, row.planned.tool, self._left_s[step], self._rank(step))
        for ended in self._each(iter(course.next_end, None)):
            for other in self._waiting[ended]:
                missing[other] -= 1
                row = self._rows[other]
                if not missing[other] and self._is_to_come(row):
                    course.ready(other, row.planned.tool, self._left_s[other], self._rank(other))
        return course.expected

    def _is_open(self, step: str) -> bool:
        row = self._rows[step]
        return row.facts.state is StepState.RUNNING or self._is_to_come(row)

    def _rank(self, step: str) -> tuple[float, int]:
        return -self._way_s[step], self._place[step]


class _Course:
    """Let steps run one after the other on so many workers."""

    def __init__(self, workers: int, now_s: float, lanes: Mapping[str, Mapping[LimitKey, int]]) -> None:
        self.expected: dict[str, Expected] = {}
        self._now_s = now_s
        self._free = workers
        self._lanes = lanes
        self._busy: dict[LimitKey, int] = {}
        self._spare: list[int] = []
        self._count = 0
        self._running: list[tuple[float, int, str, str]] = []
        self._ready: list[_Ready] = []
        self._held_back: dict[LimitKey, list[_Ready]] = {}

    def go_on(self, step: str, tool: str, left_s: float | None, lane: int) -> None:
        """Let a step go on that runs; without an end, it keeps its place for ever."""
        for other in range(self._count, lane):
            heappush(self._spare, other)
        if lane in self._spare:
            self._spare.remove(lane)
            heapify(self._spare)
        self._count = max(self._count, lane + 1)
        self._start(step, tool, left_s, lane)

    def ready(self, step: str, tool: str, left_s: float | None, rank: tuple[float, int]) -> None:
        """Let a step begin as soon as there is room; one of which nobody knows how long it takes never does."""
        if left_s is not None:
            heappush(self._ready, (rank, step, tool, left_s))

    def next_end(self) -> str | None:
        """Let begin what can, go on to the next end of a step, and return that; None when nothing ends any more."""
        self._begin()
        if not self._running:
            return None
        self._now_s, lane, step, tool = heappop(self._running)
        self._free += 1
        heappush(self._spare, lane)
        for key in self._lanes_of(tool):
            self._busy[key] -= 1
        self._call_next(self._lanes_of(tool))
        return step

    def _begin(self) -> None:
        while self._ready and self._free > 0:
            item = heappop(self._ready)
            _, step, tool, left_s = item
            lanes = self._lanes_of(tool)
            full = next((key for key, places in lanes.items() if self._busy.get(key, 0) >= places), None)
            if full is not None:
                heappush(self._held_back.setdefault(full, []), item)
                # It was called for a place that it cannot use yet; others can.
                self._call_next(lanes)
                continue
            if not self._spare:
                heappush(self._spare, self._count)
                self._count += 1
            self._start(step, tool, left_s, heappop(self._spare))

    def _lanes_of(self, tool: str) -> Mapping[LimitKey, int]:
        return self._lanes.get(tool, _NO_LANES)

    def _call_next(self, lanes: Mapping[LimitKey, int]) -> None:
        for key, places in lanes.items():
            if self._busy.get(key, 0) < places and (waiting := self._held_back.get(key)):
                heappush(self._ready, heappop(waiting))

    def _start(self, step: str, tool: str, left_s: float | None, lane: int) -> None:
        self._free -= 1
        for key in self._lanes_of(tool):
            self._busy[key] = self._busy.get(key, 0) + 1
        if left_s is not None:
            self.expected[step] = Expected(self._now_s, self._now_s + left_s, lane)
            heappush(self._running, (self._now_s + left_s, lane, step, tool))


def _is_blocked(facts: StepFacts) -> bool:
    return facts.state is StepState.SKIPPED and bool(facts.held_by)


def _goes_on(facts: StepFacts) -> bool:
    return facts.state in {StepState.QUEUED, StepState.RUNNING}
