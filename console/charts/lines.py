"""Points, marks and tables of what plots show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

from PySide6.QtGui import QColor, QPen

from console.theme import Theme
from tools.health.slots import Slot

LineName = Literal["p50", "p95", "p99", "threshold"]
Caller = Literal["agent", "batch", "you", "other", "failed"]
CALLERS: Final[dict[Caller, str]] = {
    "agent": "agents",
    "batch": "batch",
    "you": "you",
    "other": "others",
    "failed": "failed",
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
        bottom: The lowest.
    """
    moved: list[float] = []
    for place in places:
        moved.append(min(place, moved[-1] - apart if moved else bottom))
    least = top
    for number in reversed(range(len(moved))):
        moved[number] = max(moved[number], least)
        least = moved[number] + apart
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
