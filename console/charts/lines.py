"""Points, marks and tables of what plots show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from PySide6.QtGui import QColor, QPen

from console.language import dated, number, tr
from console.theme import Theme
from tools.health.time_slots import Slot

_FACTORS: Final = (1.0, 2.0, 5.0, 10.0)
_DAY_S: Final = 86_400
_TIME_STEPS_S: Final = (
    *(5, 10, 15, 30),
    *(60, 120, 300, 600, 900, 1800),
    *(3600, 7200, 10_800, 21_600, 43_200),
    *(_DAY_S, 2 * _DAY_S, 7 * _DAY_S),
)
_SHARES: Final = ((0.8, 0.9, 1.0), (0.5, 0.75, 1.0), (0.0, 0.5, 1.0))
# Numbers this close to zero have no tenth.
_SHORTEST_AXIS_S: Final = 1e-12


class Tick(NamedTuple):
    """One mark of an axis.

    Attributes:
        at: Where it stands, in the unit of the axis.
    """

    at: float
    text: str


def _round_step(length: float, most: int) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that divides a length into at most so many steps.

    Args:
        length: Above 0.
        most: How many steps there may be.
    """
    rough = length / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in _FACTORS if power * factor >= rough * 0.999)


def duration_ticks(length_s: float, most: int, *, beyond: bool = False) -> tuple[Tick, ...]:
    """Choose marks of a duration from 0 on, all in one unit.

    Args:
        length_s: How long the axis has to be, in seconds.
        most: How many marks there may be behind the zero.
        beyond: Whether the last mark stands at the end of the axis or behind it, rather than at it or before.
    """
    if length_s < _SHORTEST_AXIS_S:
        return (Tick(0.0, "0"),)
    step = _round_step(length_s, most)
    count = math.ceil(length_s / step - 1e-9) if beyond else math.floor(length_s / step + 1e-9)
    scale, unit = (1.0, "s") if max(length_s, count * step) >= 1.0 else (1000.0, "ms")
    digits = max(0, -math.floor(math.log10(step * scale) + 1e-9))
    texts = (f"{number(i * step * scale, f'.{digits}f')} {unit}" for i in range(1, count + 1))
    return (Tick(0.0, "0"), *(Tick(i * step, text) for i, text in enumerate(texts, 1)))


def count_ticks(greatest: int, most: int) -> tuple[Tick, ...]:
    """Choose marks for counts from 0 up to the first at or above the greatest count.

    Args:
        greatest: 0 or more.
        most: How many marks there may be behind the zero.
    """
    step = max(1, round(_round_step(max(1, greatest), most)))
    return tuple(Tick(count, number(count)) for count in range(0, max(1, math.ceil(greatest / step)) * step + 1, step))


def share_ticks(least: float) -> tuple[Tick, ...]:
    """Choose marks for shares up to 100%, from 80%, 50% or 0% on.

    Args:
        least: What must still be on the axis, from 0 to 1.
    """
    shares = next(shares for shares in _SHARES if shares[0] <= least)
    return tuple(Tick(share, f"{share:.0%}") for share in shares)


def time_ticks(begins_s: float, ends_s: float, most: int) -> tuple[Tick, ...]:
    """Choose marks at round local times of day.

    Args:
        begins_s: Begin of the axis in seconds since the epoch.
        most: How many marks there is room for.
    """
    length_s = ends_s - begins_s
    step_s = next((step for step in _TIME_STEPS_S if length_s / step <= most), _TIME_STEPS_S[-1])
    offset = datetime.fromtimestamp(begins_s, UTC).astimezone().utcoffset()
    offset_s = offset.total_seconds() if offset is not None else 0.0
    first = math.ceil((begins_s + offset_s) / step_s)
    last = math.floor((ends_s + offset_s) / step_s)
    times = (number * step_s - offset_s for number in range(first, last + 1))
    return tuple(Tick(at_s, time_text(at_s, step_s)) for at_s in times)


def time_text(at_s: float, step_s: float) -> str:
    """Write a local time as finely as what stands beside it needs.

    Args:
        at_s: Seconds since the epoch.
        step_s: How far apart such times are, in seconds.
    """
    local = datetime.fromtimestamp(at_s, UTC).astimezone()
    if step_s < 60:
        return local.strftime("%H:%M:%S")
    return dated(local, "%H:%M" if step_s < _DAY_S else "%a %d")


def moment_text(at_s: float, slot_s: float) -> str:
    """Write the local time of a slot as finely as the slot is long, with the day where slots are hours.

    Args:
        at_s: When it begins, in seconds since the epoch.
        slot_s: How long it is, in seconds.
    """
    text = time_text(at_s, min(slot_s, 3600))
    return text if slot_s < 3600 else f"{time_text(at_s, _DAY_S)} {text}"


LineName = Literal["p50", "p95", "p99", "threshold"]
Caller = Literal["agent", "batch", "you", "other", "failed"]
CALLERS: Final[dict[Caller, str]] = {
    "agent": tr("agents"),
    "batch": tr("batch"),
    "you": tr("you"),
    "other": tr("others"),
    "failed": tr("failed"),
}
"""What calls are told apart by, from the bottom of a bar to its top, and the words for it."""


def line_pen(theme: Theme, name: LineName) -> QPen:
    """Return the pen of a kind of curve."""
    line = theme.plot_line[name]
    pen = QPen(line.color, line.width)
    if line.dashes:
        pen.setDashPattern([length / line.width for length in line.dashes])
    return pen


def caller_color(theme: Theme, caller: Caller) -> QColor:
    """Return the colour of the bars of a kind of caller."""
    colors: dict[Caller, QColor] = {
        "agent": theme.plot.s1,
        "batch": theme.plot.s6,
        "you": theme.plot.s5,
        "other": theme.plot.s4,
        "failed": theme.plot.threshold,
    }
    return colors[caller]


Points = list[tuple[float, float]]
"""Seconds since the epoch and a number, oldest first; a number that is NaN is a gap."""


def moment_of(slot: Slot) -> float:
    """Return the moment that a slot goes by: when it begins, in seconds since the epoch."""
    return slot.begins_at.timestamp()


def points_of(slots: Sequence[Slot], number: Callable[[Slot], float | None], ends_s: float) -> Points:
    """Return the points of a curve.

    A slot stands at its middle, the one that is not over yet at the end of what has passed.

    Args:
        slots: Oldest first.
        number: What is drawn of a slot; None is a gap.
        ends_s: Where the axis ends, in seconds since the epoch.
    """
    points: Points = []
    before_s = None
    for slot in slots:
        begins_s = moment_of(slot)
        if before_s is not None and begins_s > before_s + slot.length_s * 1.5:
            points.append(((before_s + begins_s + slot.length_s) / 2, math.nan))
        found = number(slot)
        points.append((min(begins_s + slot.length_s / 2, ends_s), math.nan if found is None else found))
        before_s = begins_s
    return points


def lone_points(points: Points) -> Points:
    """Return the points with a gap at either side, which no line leads to."""
    known = [False, *(not math.isnan(number) for _, number in points), False]
    return [
        point for place, point in enumerate(points, 1) if known[place] and not known[place - 1] and not known[place + 1]
    ]


def crossed_at(points: Points, limit: float) -> float | None:
    """Return since when a curve has been above a limit; None when it is not above it at its end.

    Returns:
        Where the drawn line crosses the limit, or where the first known point above it is, in seconds since the epoch.
    """
    known = [point for point in points if not math.isnan(point[1])]
    above = 0
    while above < len(known) and known[-1 - above][1] > limit:
        above += 1
    if not above:
        return None
    first_s, first = known[-above]
    place = points.index((first_s, first))
    before_s, before = points[place - 1] if place else (first_s, math.nan)
    if math.isnan(before):
        return first_s
    return before_s + (first_s - before_s) * (limit - before) / (first - before)


def spread(places: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Move places apart so that words there do not overlap, as little as it takes.

    Args:
        places: From the lowest on the screen, which is the greatest number, to the highest.
        apart: How far apart neighbours must be.
        top: The highest that there is room for.
    """
    moved: list[float] = []
    for place in places:
        moved.append(min(place, moved[-1] - apart if moved else bottom))
    least = top
    for at in reversed(range(len(moved))):
        moved[at] = max(moved[at], least)
        least = moved[at] + apart
    return moved


_HEAD: Final = ("begins at", "seconds", "calls", "runs", "failed", "P50 ms", "P95 ms", "P99 ms")


def table_of(slots: Iterable[Slot]) -> str:
    """Return a line for each slot below a line of names, cells parted by tabs; a cell nobody knows is empty."""
    rows = [_HEAD, *(_row(slot) for slot in slots)]
    return "".join("\t".join(row) + "\n" for row in rows)


def _row(slot: Slot) -> tuple[str, ...]:
    times = (f"{ms:.3f}" if ms is not None else "" for ms in (slot.p50_ms, slot.p95_ms, slot.p99_ms))
    counts = (slot.length_s, sum(slot.calls.values()), slot.runs, slot.failures)
    return (slot.begins_at.isoformat(), *map(str, counts), *times)
