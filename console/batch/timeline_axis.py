"""The time axis of a timeline: which stretch is seen, which marks it has, and what stands in which lane."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from console.batch.timeline_boxes import Box, Boxes, Scale, boxes_of
from console.batch.timeline_rows import Bar, Grouping, Timeline
from console.charts.lines import Tick
from console.heartbeat import yielding
from console.widgets.formats import format_countdown

_CLOCK_STEPS_S: Final = (*(5, 10, 15, 30), *(60, 120, 300, 600, 900, 1800), *(3600, 7200, 14_400, 43_200, 86_400))
_CLOCK_FROM_S: Final = 20.0
_FACTORS: Final = (1, 2, 5, 10)
_SHORTEST_S: Final = 0.001
_SLACK: Final = 1.04
_MADE_AT_ONCE: Final = 64
"""Up to how many lines are made before somebody looks: more are lines of single steps, which are made in no time."""


class RunTimeRange(NamedTuple):
    """A stretch of a run's time.

    Attributes:
        begins_s: Seconds from the start of the run.
        ends_s: The same, later.
    """

    begins_s: float
    ends_s: float

    @property
    def length_s(self) -> float:
        """How long it is, in seconds."""
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
        """Return where moments stand, when the run takes that long."""
        stretch = self.stretch or whole
        return Scale(self.left, self.right, stretch.begins_s, self.pixels / stretch.length_s)


class Lane(NamedTuple):
    """What stands in one line of a timeline.

    Attributes:
        name: What the line is called.
        bars: Its bars, as they begin.
        starts: When each of them begins, for searching.
        longest_s: How long the longest of them is, in seconds.
    """

    name: str
    bars: tuple[Bar, ...]
    starts: tuple[float, ...]
    longest_s: float

    def seen(self, stretch: RunTimeRange) -> Sequence[Bar]:
        """Return the bars that may reach into a stretch."""
        first = bisect_left(self.starts, stretch.begins_s - self.longest_s)
        return self.bars[first : bisect_left(self.starts, stretch.ends_s)]


def whole_of(timeline: Timeline) -> RunTimeRange:
    """Return the stretch that shows everything, with a little room behind."""
    last_s = max((bar.ended_s for bar in timeline.bars), default=0.0)
    return RunTimeRange(0.0, max(last_s, timeline.now_s or 0.0, _SHORTEST_S) * _SLACK)


class Lanes:
    """The lines of a timeline; each is made when somebody looks at it, for there may be thousands.

    Args:
        timeline: The bars.
        grouping: What lines are told apart by.
        room: Where they will be seen: if they are few, they are made for it at once. None when nobody knows.
        yield_to_ui: Called between bars; it may wait for the window. None never waits.

    Attributes:
        grouping: The same.
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
        """Return how many lines there are."""
        return len(self._names)

    def __getitem__(self, number: int) -> Lane:
        """Return one line."""
        lane = self._lanes.get(number)
        if lane is None:
            bars = self._bars[number]
            longest_s = max((bar.ended_s - bar.began_s for bar in bars), default=0.0)
            starts = tuple(bar.began_s for bar in bars)
            lane = self._lanes[number] = Lane(self._names[number], tuple(bars), starts, longest_s)
        return lane

    def boxes(self, number: int, scale: Scale, stretch: RunTimeRange) -> Boxes:
        """Return where the bars of a line stand that are seen."""
        known = self._boxes.get(number)
        if known is not None and known[0] == scale:
            return known[1]
        made = boxes_of(self[number].seen(stretch), scale)
        self._boxes[number] = scale, made
        return made

    def boxes_of_step(self, step: str, number: int, scale: Scale) -> list[Box]:
        """Return where the bars of one step stand in a line."""
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
    """Choose round marks of the time since a run began: `0:30` for long stretches, `1.5 s` or `20 ms` for short ones.

    Args:
        stretch: What is seen.
        most: How many marks there is room for.
    """
    rough = stretch.length_s / max(most, 1)
    if stretch.length_s >= _CLOCK_FROM_S:
        step_s = float(next((step for step in _CLOCK_STEPS_S if step >= rough), 0))
        step_s = step_s or math.ceil(rough / _CLOCK_STEPS_S[-1]) * _CLOCK_STEPS_S[-1]
    else:
        power = 10.0 ** math.floor(math.log10(rough))
        step_s = next(power * factor for factor in _FACTORS if power * factor >= rough * 0.999)
    return tuple(Tick(at_s, elapsed_text(at_s, stretch, step_s)) for at_s in _marks(stretch, step_s))


def elapsed_text(at_s: float, stretch: RunTimeRange, step_s: float) -> str:
    """Write a time since a run began as finely as what stands beside it needs.

    Args:
        at_s: The time in seconds.
        stretch: What is seen.
        step_s: How fine it is to be, in seconds.
    """
    if stretch.length_s >= _CLOCK_FROM_S:
        return format_countdown(at_s)
    scale, unit = (1.0, "s") if stretch.ends_s >= 1.0 else (1000.0, "ms")
    digits = max(0, -math.floor(math.log10(step_s * scale) + 1e-9))
    return f"{at_s * scale:.{digits}f} {unit}" if at_s else "0"


def _marks(stretch: RunTimeRange, step_s: float) -> list[float]:
    first = math.ceil(stretch.begins_s / step_s - 1e-9)
    last = math.floor(stretch.ends_s / step_s + 1e-9)
    return [number * step_s for number in range(first, last + 1)]
