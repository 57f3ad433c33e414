"""Align two sequences: which items of one are items of the other, in a time that no input can drive up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple


class StepBudget:
    """A number of steps that is used up."""

    def __init__(self, steps: int) -> None:
        self._steps = steps

    @property
    def is_spent(self) -> bool:
        return self._steps <= 0

    def take(self, steps: int) -> bool:
        """Use some steps up, and tell whether there were as many."""
        self._steps -= steps
        return self._steps >= 0


ALIGNMENT_STEPS: Final = 2_000_000
"""Enough for a fair alignment of whatever comes; about a second."""

_MOST_DIFFERENCES: Final = 600
_MOST_DEPTH: Final = 16
_SMALL: Final = 4096

_Run = tuple[int, int, int]
_Region = tuple[int, int, int, int, int]


class MatchingBlock(NamedTuple):
    """A part of both sequences.

    Attributes:
        same: Whether the items are the same; then both parts are equally long.
        left: Where it begins in the first sequence.
        left_end: Where it ends there.
        right: Where it begins in the second sequence.
        right_end: Where it ends there.
    """

    same: bool
    left: int
    left_end: int
    right: int
    right_end: int


def align(left: Sequence[int], right: Sequence[int], effort: StepBudget | None = None) -> list[MatchingBlock]:
    """Return the parts that are the same and those that are not, in order, alternating.

    What both begin and end with is cut off first, then items that are unique on both sides hold the rest together, and
    what stands between those is compared step by step. Where that would take too long, items at the same distance from
    the beginning are compared, so the answer is always right, if not always the shortest.

    Args:
        left: Items, equal numbers for equal items.
        right: Likewise.
        effort: How much it may cost; None for `ALIGNMENT_STEPS`.

    Source: the anchors are those of Bram Cohen's patience diff; the steps those of Myers, "An O(ND) Difference
    Algorithm and Its Variations" (1986).
    """
    return _blocks(_Alignment(left, right, effort or StepBudget(ALIGNMENT_STEPS)).runs(), len(left), len(right))


def longest_rise(values: Sequence[int]) -> list[int]:
    """Return the places of a longest sequence of rising values."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(tails, value)
        before.append(places[length - 1] if length else -1)
        if length == len(tails):
            tails.append(value)
            places.append(place)
        else:
            tails[length] = value
            places[length] = place
    rise: list[int] = []
    place = places[-1] if places else -1
    while place >= 0:
        rise.append(place)
        place = before[place]
    return rise[::-1]


class _Alignment:
    """One comparison, with the steps it may still take."""

    def __init__(self, left: Sequence[int], right: Sequence[int], effort: StepBudget) -> None:
        self._left = left
        self._right = right
        self._effort = effort
        self._runs: list[_Run] = []

    def runs(self) -> list[_Run]:
        """Return where equal items begin on both sides, and how many there are."""
        waiting: list[_Region] = [(0, len(self._left), 0, len(self._right), 0)]
        while waiting:
            waiting += self._look_at(*waiting.pop())
        self._runs.sort()
        return self._runs

    def _look_at(self, low: int, high: int, first: int, last: int, depth: int) -> list[_Region]:
        """Compare a region, or cut it into smaller ones."""
        left, right = self._left, self._right
        start = low
        while low < high and first < last and left[low] == right[first]:
            low += 1
            first += 1
        if low > start:
            self._runs.append((start, first - (low - start), low - start))
        end = high
        while high > low and last > first and left[high - 1] == right[last - 1]:
            high -= 1
            last -= 1
        if end > high:
            self._runs.append((high, last, end - high))
        if low == high or first == last or high - low == last - first == 1:
            return []
        if (high - low) * (last - first) > _SMALL and depth < _MOST_DEPTH:
            anchors = self._anchors(low, high, first, last)
            if anchors:
                return _between(anchors, (low, high, first, last, depth))
        self._runs += self._walk(low, high, first, last) or self._in_step(low, high, first, last)
        return []

    def _anchors(self, low: int, high: int, first: int, last: int) -> list[tuple[int, int]]:
        """Return the items that are unique on both sides and stand in the same order."""
        places = _unique(self._left, low, high)
        others = _unique(self._right, first, last)
        pairs = [(place, others[item]) for item, place in places.items() if item in others]
        pairs.sort()
        return [pairs[index] for index in longest_rise([place for _, place in pairs])]

    def _walk(self, low: int, high: int, first: int, last: int) -> list[_Run] | None:
        """Find the fewest differences; None when there are too many to find."""
        left, right = self._left, self._right
        width, height = high - low, last - first
        reached = {1: 0}
        trail: list[dict[int, int]] = []
        for differences in range(min(width + height, _MOST_DIFFERENCES) + 1):
            trail.append(reached.copy())
            if not self._effort.take(2 * differences + 1):
                return None
            for diagonal in range(-differences, differences + 1, 2):
                down = diagonal == -differences or (
                    diagonal != differences and reached[diagonal - 1] < reached[diagonal + 1]
                )
                x = reached[diagonal + 1] if down else reached[diagonal - 1] + 1
                y = x - diagonal
                start = x
                while x < width and y < height and left[low + x] == right[first + y]:
                    x += 1
                    y += 1
                self._effort.take(x - start)
                reached[diagonal] = x
                if x >= width and y >= height:
                    return _walked_back(trail, width, height, low, first)
        return None

    def _in_step(self, low: int, high: int, first: int, last: int) -> list[_Run]:
        """Compare items at the same distance from the beginning."""
        left, right, runs = self._left, self._right, []
        start = -1
        length = min(high - low, last - first)
        for offset in range(length + 1):
            if offset < length and left[low + offset] == right[first + offset]:
                start = offset if start < 0 else start
            elif start >= 0:
                runs.append((low + start, first + start, offset - start))
                start = -1
        return runs


def _unique(items: Sequence[int], low: int, high: int) -> dict[int, int]:
    """Return the places of the items that are there once."""
    places: dict[int, int] = {}
    often: set[int] = set()
    for place in range(low, high):
        item = items[place]
        if item in places:
            often.add(item)
        else:
            places[item] = place
    for item in often:
        del places[item]
    return places


def _between(anchors: list[tuple[int, int]], region: _Region) -> list[_Region]:
    """Return the regions from each anchor to the next; each begins with its anchor, which its start then finds."""
    low, high, first, last, depth = region
    corners = [(low, first), *anchors, (high, last)]
    if corners[1] == (low, first):
        del corners[0]
    return [(begin[0], end[0], begin[1], end[1], depth + 1) for begin, end in pairwise(corners)]


def _walked_back(trail: list[dict[int, int]], x: int, y: int, low: int, first: int) -> list[_Run]:
    """Read the runs off the way that was walked."""
    runs: list[_Run] = []
    for differences in range(len(trail) - 1, -1, -1):
        reached = trail[differences]
        diagonal = x - y
        down = diagonal == -differences or (diagonal != differences and reached[diagonal - 1] < reached[diagonal + 1])
        before_x = reached[diagonal + 1] if down else reached[diagonal - 1]
        before_y = before_x - (diagonal + 1 if down else diagonal - 1)
        start = before_x if down else before_x + 1
        if x > start:
            runs.append((low + start, first + start - diagonal, x - start))
        x, y = before_x, before_y
    return runs


def _blocks(runs: list[_Run], left_length: int, right_length: int) -> list[MatchingBlock]:
    """Put runs that touch together, and what lies between them in blocks of its own."""
    blocks: list[MatchingBlock] = []
    left = right = 0
    for start, first, length in [*runs, (left_length, right_length, 0)]:
        if start > left or first > right:
            blocks.append(MatchingBlock(same=False, left=left, left_end=start, right=right, right_end=first))
        elif blocks and length and blocks[-1].same:
            blocks[-1] = blocks[-1]._replace(left_end=start + length, right_end=first + length)
            left, right = start + length, first + length
            continue
        if length:
            blocks.append(
                MatchingBlock(same=True, left=start, left_end=start + length, right=first, right_end=first + length)
            )
        left, right = start + length, first + length
    return blocks
