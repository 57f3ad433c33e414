"""The timeline of a run: its bars, the time that is seen, and where bars stand; made away from the window's thread."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from console.batch.rows import StepRow, has_run, share_words, status_of
from console.batch.run_estimate import RunEstimate
from console.charts.lines import Tick
from console.language import number, tr
from console.responsiveness.heartbeat import yielding
from console.widgets.formats import format_countdown, format_review
from console.widgets.status import STATUS, StatusName
from tools.batch import StepState


class Grouping(StrEnum):
    """By what the lanes of a timeline are told apart."""

    WORKER = "worker"
    STEP = "step"


class Bar(NamedTuple):
    """One stretch of time in which a step ran, or is expected to run.

    Attributes:
        number: Its place in the plan, from 1 on.
        worker: The lane it stands in when lanes are workers, from 0 on.
        began_s: Seconds from the start of the run.
        note: What is said behind the step's name: `61%`; empty for nothing.
        is_planned: Whether it is only expected; with a note, it is the rest of what runs already.
        is_critical: Whether it is on the chain of steps that takes longest.
        review_s: The part of it in which the step only waited for a person.
    """

    step: str
    number: int
    worker: int
    began_s: float
    ended_s: float
    status: StatusName
    note: str = ""
    is_planned: bool = False
    is_critical: bool = False
    review_s: float = 0.0


class Timeline(NamedTuple):
    """All bars of a run.

    Attributes:
        bars: In the order in which they began; those that are planned come last.
        steps: The steps' names in the plan's order.
        workers: The names of the lanes, when lanes are workers.
        now_s: Seconds from the start of the run until now; None when nothing runs.
        note: How to read it: `dashed: planned from each tool's usual P50`; empty when nothing is planned.
    """

    bars: tuple[Bar, ...] = ()
    steps: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()
    now_s: float | None = None
    note: str = ""


_LEAST: Final = 4.0
THIN: Final = 5.0
"""Up to which width a bar is only filled: its outline alone would fill it."""
_THIN_PLANNED: Final = 14.0
"""The same for what is planned: dashes around less are only noise."""
_WRONG: Final = frozenset(name for name, status in STATUS.items() if status.tone == "error")


class Scale(NamedTuple):
    """Where moments of a run stand in the picture.

    Attributes:
        left: Where the time begins that is seen, in logical pixels.
        right: Where the picture ends.
        begins_s: When that is, in seconds from the start of the run.
        per_s: Logical pixels for each second.
    """

    left: float
    right: float
    begins_s: float
    per_s: float

    def x(self, at_s: float) -> float:
        return self.left + (at_s - self.begins_s) * self.per_s

    def moment(self, x: float) -> float:
        return self.begins_s + (x - self.left) / self.per_s

    def span(self, bar: Bar) -> tuple[float, float]:
        """Return where a bar begins and ends; each is wide enough to be seen."""
        left = round(self.x(bar.began_s))
        return left, max(left + _LEAST, round(self.x(bar.ended_s)))


class Box(NamedTuple):
    """A bar in the picture, or several short ones that touch each other.

    Attributes:
        bar: The bar; the first of several.
        is_thin: Whether it is short, or several that are.
        next_s: When the next bar of the lane begins; None when there is none.
    """

    left: float
    right: float
    bar: Bar
    is_thin: bool = False
    next_s: float | None = None


class Boxes(NamedTuple):
    """What is painted of a lane.

    Attributes:
        under: What is painted first.
        over: What went wrong, which nothing may hide.
    """

    under: tuple[Box, ...] = ()
    over: tuple[Box, ...] = ()


def boxes_of(bars: Sequence[Bar], scale: Scale) -> Boxes:
    """Return where bars stand, in the order in which they begin.

    Short ones that touch each other are one box, for a lane may have thousands.
    """
    under: list[Box] = []
    over: list[Box] = []
    first: Bar | None = None
    begins = ends = 0.0
    zero, begins_s, per_s = scale.left, scale.begins_s, scale.per_s
    for index, bar in enumerate(bars):
        # As `Scale.span` says; to call that would cost as much as all the rest.
        left = float(round(zero + (bar.began_s - begins_s) * per_s))
        right = max(left + _LEAST, float(round(zero + (bar.ended_s - begins_s) * per_s)))
        if right < zero:
            continue
        if bar.status in _WRONG:
            following = bars[index + 1].began_s if index + 1 < len(bars) else None
            over.append(Box(left, right, bar, next_s=following))
            continue
        is_thin = right - left <= (_THIN_PLANNED if bar.is_planned else THIN)
        if first is not None:
            if is_thin and left <= ends + 1 and _is_alike(bar, first):
                ends = max(ends, right)
                continue
            under.append(Box(begins, ends, first, is_thin=True))
            first = None
        if is_thin:
            first, begins, ends = bar, left, right
        else:
            under.append(Box(left, right, bar))
    if first is not None:
        under.append(Box(begins, ends, first, is_thin=True))
    return Boxes(tuple(under), tuple(over))


def _is_alike(one: Bar, other: Bar) -> bool:
    return one.status == other.status and one.is_planned == other.is_planned and one.is_critical == other.is_critical


_CLOCK_STEPS_S: Final = (*(5, 10, 15, 30), *(60, 120, 300, 600, 900, 1800), *(3600, 7200, 14_400, 43_200, 86_400))
_CLOCK_FROM_S: Final = 20.0
_FACTORS: Final = (1, 2, 5, 10)
_SHORTEST_S: Final = 0.001
_SLACK: Final = 1.04
_MADE_AT_ONCE: Final = 64
"""Up to how many lines are made before somebody looks: more are lines of single steps, which are made in no time."""


class RunTimeRange(NamedTuple):
    """A stretch of a run's time."""

    begins_s: float
    ends_s: float

    @property
    def length_s(self) -> float:
        return self.ends_s - self.begins_s

    def zoomed(self, factor: float, at_s: float, whole: RunTimeRange) -> RunTimeRange:
        """Return a stretch with the same moment at the same place, so many times shorter, within the whole."""
        length_s = min(max(self.length_s / factor, _SHORTEST_S), whole.length_s)
        begins_s = at_s - (at_s - self.begins_s) / self.length_s * length_s
        return RunTimeRange(begins_s, begins_s + length_s).within(whole)

    def moved(self, by_s: float, whole: RunTimeRange) -> RunTimeRange:
        """Return a stretch as long, so many seconds later, within the whole."""
        return RunTimeRange(self.begins_s + by_s, self.ends_s + by_s).within(whole)

    def within(self, whole: RunTimeRange) -> RunTimeRange:
        """Return a stretch as long that does not leave the whole."""
        if self.length_s >= whole.length_s:
            return whole
        begins_s = min(max(self.begins_s, whole.begins_s), whole.ends_s - self.length_s)
        return RunTimeRange(begins_s, begins_s + self.length_s)


class VisibleTime(NamedTuple):
    """How much of a run's time is seen where.

    Attributes:
        left: Where the time begins, in logical pixels.
        right: Where the picture ends.
        pixels: How many pixels the time has.
        stretch: What is seen of it; None for all.
    """

    left: float
    right: float
    pixels: int
    stretch: RunTimeRange | None = None

    def scale(self, whole: RunTimeRange) -> Scale:
        stretch = self.stretch or whole
        return Scale(self.left, self.right, stretch.begins_s, self.pixels / stretch.length_s)


class Lane(NamedTuple):
    """What stands in one line of a timeline.

    Attributes:
        starts: When each of them begins, for searching.
        longest_s: How long the longest of them is, in seconds.
    """

    name: str
    bars: tuple[Bar, ...]
    starts: tuple[float, ...]
    longest_s: float

    def seen(self, stretch: RunTimeRange) -> Sequence[Bar]:
        first = bisect_left(self.starts, stretch.begins_s - self.longest_s)
        return self.bars[first : bisect_left(self.starts, stretch.ends_s)]


def whole_of(timeline: Timeline) -> RunTimeRange:
    """Return the stretch that shows everything, with a little room behind."""
    last_s = max((bar.ended_s for bar in timeline.bars), default=0.0)
    return RunTimeRange(0.0, max(last_s, timeline.now_s or 0.0, _SHORTEST_S) * _SLACK)


class Lanes:
    """The lines of a timeline; each is made when somebody looks at it, for there may be thousands.

    Args:
        grouping: What lines are told apart by.
        room: Where they will be seen: if they are few, they are made for it at once. None when nobody knows.
        yield_to_ui: Called between bars; it may wait for the window. None never waits.

    Attributes:
        whole: The stretch that shows everything.
    """

    def __init__(
        self,
        timeline: Timeline,
        grouping: Grouping,
        room: VisibleTime | None = None,
        yield_to_ui: Callable[[], object] | None = None,
    ) -> None:
        self.grouping = grouping
        self.whole = whole_of(timeline)
        is_by_step = grouping is Grouping.STEP
        self._names = timeline.steps if is_by_step else timeline.workers
        place = {name: index for index, name in enumerate(timeline.steps)} if is_by_step else {}
        self._bars: list[list[Bar]] = [[] for _ in self._names]
        self._lane_by_step: dict[str, int] = {}
        self._lanes: dict[int, Lane] = {}
        self._boxes: dict[int, tuple[Scale, Boxes]] = {}
        for bar in yielding(timeline.bars, yield_to_ui):
            lane = place.get(bar.step, -1) if is_by_step else bar.worker
            if 0 <= lane < len(self._bars):
                self._bars[lane].append(bar)
                self._lane_by_step.setdefault(bar.step, lane)
        if room is not None and len(self) <= _MADE_AT_ONCE:
            scale, stretch = room.scale(self.whole), room.stretch or self.whole
            for number in range(len(self)):
                self.boxes(number, scale, stretch)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> Lane:
        lane = self._lanes.get(number)
        if lane is None:
            bars = self._bars[number]
            longest_s = max((bar.ended_s - bar.began_s for bar in bars), default=0.0)
            starts = tuple(bar.began_s for bar in bars)
            lane = self._lanes[number] = Lane(self._names[number], tuple(bars), starts, longest_s)
        return lane

    def boxes(self, number: int, scale: Scale, stretch: RunTimeRange) -> Boxes:
        known = self._boxes.get(number)
        if known is not None and known[0] == scale:
            return known[1]
        made = boxes_of(self[number].seen(stretch), scale)
        self._boxes[number] = scale, made
        return made

    def boxes_of_step(self, step: str, number: int, scale: Scale) -> list[Box]:
        if not step:
            return []
        bars = self._bars[number]
        boxes = [
            Box(*scale.span(bar), bar, next_s=bars[place + 1].began_s if place + 1 < len(bars) else None)
            for place, bar in enumerate(bars)
            if bar.step == step
        ]
        return [box for box in boxes if box.right >= scale.left]

    def number_of(self, step: str) -> int | None:
        """Return the line in which a step's first bar stands; None when it has none."""
        return self._lane_by_step.get(step)

    def bar_of(self, step: str) -> Bar | None:
        """Return a step's first bar; None when it has none."""
        number = self._lane_by_step.get(step)
        return None if number is None else next(bar for bar in self._bars[number] if bar.step == step)


def elapsed_ticks(stretch: RunTimeRange, most: int) -> tuple[Tick, ...]:
    """Choose at most so many round marks of the time since a run began: `0:30`, for short times `1.5 s` or `20 ms`."""
    rough = stretch.length_s / max(most, 1)
    if stretch.length_s >= _CLOCK_FROM_S:
        step_s = float(next((step for step in _CLOCK_STEPS_S if step >= rough), 0))
        step_s = step_s or math.ceil(rough / _CLOCK_STEPS_S[-1]) * _CLOCK_STEPS_S[-1]
    else:
        power = 10.0 ** math.floor(math.log10(rough))
        step_s = next(power * factor for factor in _FACTORS if power * factor >= rough * 0.999)
    return tuple(Tick(at_s, elapsed_text(at_s, stretch, step_s)) for at_s in _marks(stretch, step_s))


def elapsed_text(at_s: float, stretch: RunTimeRange, step_s: float) -> str:
    """Write a time since a run began as finely as marks need that stand so many seconds apart."""
    if stretch.length_s >= _CLOCK_FROM_S:
        return format_countdown(at_s)
    scale, unit = (1.0, "s") if stretch.ends_s >= 1.0 else (1000.0, "ms")
    digits = max(0, -math.floor(math.log10(step_s * scale) + 1e-9))
    return f"{number(at_s * scale, f'.{digits}f')} {unit}" if at_s else "0"


def _marks(stretch: RunTimeRange, step_s: float) -> list[float]:
    first = math.ceil(stretch.begins_s / step_s - 1e-9)
    last = math.floor(stretch.ends_s / step_s + 1e-9)
    return [number * step_s for number in range(first, last + 1)]


_ALL_WORKERS: Final = 8
"""Up to how many workers have a line each, also when nothing ran on them."""
_NUMBERS: Final = 3


def timeline_of(
    rows: Sequence[StepRow],
    estimate: RunEstimate,
    *,
    workers: int,
    now_s: float | None,
    yield_to_ui: Callable[[], object] | None = None,
) -> Timeline:
    """Return the bars of a run.

    Args:
        estimate: What is still to come.
        workers: How many calls run at a time.
        now_s: Seconds since the start of the run; None when it does not go on.
        yield_to_ui: Called between steps; it may wait for the window. None never waits.
    """
    critical = frozenset(estimate.critical)
    happened = sorted(_happened(yielding(rows, yield_to_ui), now_s, critical), key=_start)
    planned = sorted(_planned(yielding(rows, yield_to_ui), estimate, critical), key=_start)
    bars = (*happened, *planned)
    lanes = max((bar.worker + 1 for bar in bars), default=0)
    if workers <= _ALL_WORKERS:
        lanes = max(lanes, workers)
    # More steps with rows than workers run at a time: they take turns.
    names = tuple(tr("Worker {number}", number=lane + 1) if lane < workers else tr("In turn") for lane in range(lanes))
    steps = tuple(row.planned.step for row in rows)
    return Timeline(bars, steps, names, now_s, _note(rows, estimate) if planned else "")


def _happened(rows: Iterable[StepRow], now_s: float | None, critical: frozenset[str]) -> Iterator[Bar]:
    for row in rows:
        facts = row.facts
        if facts.began_s is None or not has_run(facts):
            continue
        if facts.elapsed_s is not None:
            ended_s = facts.began_s + facts.elapsed_s
        elif facts.state is StepState.RUNNING and now_s is not None:
            ended_s = max(now_s, facts.began_s)
        else:
            continue
        step, note = row.planned.step, share_words(facts)
        yield Bar(
            step,
            row.planned.number,
            facts.worker,
            facts.began_s,
            ended_s,
            status_of(facts),
            ", ".join(filter(None, (note, format_review(facts.review_s)))),
            is_critical=step in critical,
            review_s=facts.review_s,
        )


def _planned(rows: Iterable[StepRow], estimate: RunEstimate, critical: frozenset[str]) -> Iterator[Bar]:
    for row in rows:
        step = row.planned.step
        expected = estimate.expected.get(step)
        if expected is None:
            continue
        # Behind the bar of what runs already, its name stands once.
        note = tr("the rest") if row.facts.state is StepState.RUNNING else ""
        yield Bar(
            step,
            row.planned.number,
            expected.worker,
            expected.begins_s,
            expected.ends_s,
            "queued",
            note,
            is_planned=True,
            is_critical=step in critical,
        )


def _note(rows: Iterable[StepRow], estimate: RunEstimate) -> str:
    note = tr("dashed: planned from each tool's usual P50")
    retried = frozenset(estimate.retried) & estimate.expected.keys()
    numbers = [row.planned.number for row in rows if row.planned.step in retried]
    if not numbers:
        return note
    if len(numbers) > _NUMBERS:
        return tr("{note}, once {count} steps are retried", note=note, count=len(numbers))
    first, last = ", ".join(map(str, numbers[:-1])), numbers[-1]
    if not first:
        return tr("{note}, once step {last} is retried", note=note, last=last)
    return tr("{note}, once steps {first} and {last} are retried", note=note, first=first, last=last)


def _start(bar: Bar) -> float:
    return bar.began_s
