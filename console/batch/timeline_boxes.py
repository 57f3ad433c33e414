"""Where the bars of a lane stand in the picture, short ones put together; made away from the window's thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from console.batch.timeline_rows import Bar
from console.widgets.status import STATUS

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
        """Return where a moment stands."""
        return self.left + (at_s - self.begins_s) * self.per_s

    def moment(self, x: float) -> float:
        """Return the moment at a place."""
        return self.begins_s + (x - self.left) / self.per_s

    def span(self, bar: Bar) -> tuple[float, float]:
        """Return where a bar begins and ends; each is wide enough to be seen."""
        left = round(self.x(bar.began_s))
        return left, max(left + _LEAST, round(self.x(bar.ended_s)))


class Box(NamedTuple):
    """A bar in the picture, or several short ones that touch each other.

    Attributes:
        left: Where it begins, in logical pixels.
        right: Where it ends.
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
    """Return where bars stand; short ones that touch each other are one box, for a lane may have thousands.

    Args:
        bars: In the order in which they begin.
        scale: Where moments stand.
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
