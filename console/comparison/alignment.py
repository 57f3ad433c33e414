"""How sequences are aligned: the longest common part, then the elements of two lists."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from rapidfuzz.distance import Indel

from console.comparison.identity import CONTAINERS, Identities


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


LIKENESS_STEPS: Final = 2_000_000
"""Enough to find the items that are alike in whatever comes; about a second."""

_PIECE: Final = 8_192
"""Items that are aligned at once, which holds the interpreter for some 10 ms: time and memory grow with the square."""

_BETWEEN_ANCHORS: Final = 1_024

_Run = tuple[int, int, int]
_Corner = tuple[int, int]


class MatchingBlock(NamedTuple):
    """A part of both sequences.

    Attributes:
        same: Whether the items are the same; then both parts are equally long.
        left: Where it begins in the first sequence.
        right: Where it begins in the second sequence.
    """

    same: bool
    left: int
    left_end: int
    right: int
    right_end: int


def align(left: Sequence[int], right: Sequence[int]) -> list[MatchingBlock]:
    """Return the parts that are the same and those that are not, in order, alternating.

    Equal numbers stand for equal items. Short sequences have the fewest differences. Long ones are held together by
    items that are unique on both sides, and what lies between those is aligned piece by piece, so the answer is always
    right, if not always the shortest.

    Source: the anchors are those of Bram Cohen's patience diff.
    """
    end = (len(left), len(right))
    anchors = _anchors(left, right) if max(end) > _PIECE else []
    regions = pairwise([(0, 0), *anchors, end])
    runs = [run for begin, last in regions for run in _aligned_in_pieces(left, right, begin, last)]
    return _blocks(runs, *end)


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


def _anchors(left: Sequence[int], right: Sequence[int]) -> list[_Corner]:
    """Return items that are unique on both sides and stand in the same order, each some way behind the one before."""
    places, others = _unique(left), _unique(right)
    pairs = sorted((place, others[item]) for item, place in places.items() if item in others)
    anchors: list[_Corner] = []
    next_place = next_other = _BETWEEN_ANCHORS
    for index in longest_rise([place for _, place in pairs]):
        place, other = pairs[index]
        if place >= next_place or other >= next_other:
            anchors.append((place, other))
            next_place, next_other = place + _BETWEEN_ANCHORS, other + _BETWEEN_ANCHORS
    return anchors


def _unique(items: Sequence[int]) -> dict[int, int]:
    """Return the places of the items that are there once."""
    count = Counter(items)
    return {item: place for place, item in enumerate(items) if count[item] == 1}


def _aligned_in_pieces(left: Sequence[int], right: Sequence[int], begin: _Corner, last: _Corner) -> Iterator[_Run]:
    """Yield where equal items begin on both sides, and how many there are."""
    place, other = begin
    while place < last[0] and other < last[1]:
        ones, others = left[place : min(last[0], place + _PIECE)], right[other : min(last[1], other + _PIECE)]
        equal = [code for code in Indel.opcodes(ones, others) if code.tag == "equal"]
        for code in equal:
            yield place + code.src_start, other + code.dest_start, code.src_end - code.src_start
        # The next piece begins where both sides are known to be at the same place.
        is_cut = place + len(ones) < last[0] or other + len(others) < last[1]
        place += equal[-1].src_end if equal and is_cut else len(ones)
        other += equal[-1].dest_end if equal and is_cut else len(others)


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


_KEY_FIELDS: Final = (
    ("id",),
    ("uuid",),
    ("key",),
    ("name",),
    ("path", "line", "column"),
    ("file", "line", "column"),
    ("path", "line"),
    ("file", "line"),
    ("path",),
    ("file",),
    ("url",),
    ("title",),
)
_LIKE_ENOUGH: Final = 0.55
_MOST_LIKENESSES: Final = 2_500
_LIKENESS_STEPS: Final = 5


class Pair(NamedTuple):
    """What became of an item.

    Attributes:
        left: Its place in the first list; None if it is not there.
        right: Its place in the second list; None if it is not there.
        moved: Whether it stands in another order than its neighbours.
    """

    left: int | None
    right: int | None
    moved: bool = False


def match_items(
    left: Sequence[Any], right: Sequence[Any], identities: Identities, effort: StepBudget, *, is_swapped: bool = False
) -> list[Pair]:
    """Pair the items of two lists, in the order of the second; what is only in the first stands where it stood.

    Objects are matched by what names them, if every one of them is named once: `id`, `name`, `path` and the like.
    Other items are matched in order, the equal ones first, then those that are alike; an equal item elsewhere has
    moved.

    Args:
        effort: How much it may cost; without any left, items are matched by their places.
        is_swapped: Whether the second list comes first where two matches are equally good.
    """
    one, other = (right, left) if is_swapped else (left, right)
    matched = _by_key(one, other)
    if matched is None:
        matched = _by_order(one, other, identities, effort)
    else:
        matched += _left_over(one, other, matched, identities, effort)
    if is_swapped:
        matched = [(second, first) for first, second in matched]
    return _merged(matched, len(left), len(right))


def _by_key(left: Sequence[Any], right: Sequence[Any]) -> list[tuple[int, int]] | None:
    """Match objects by the first field, or fields, that name each of them; None if nothing does."""
    if not left or not right:
        return None
    if not all(isinstance(item, dict) for item in (*left, *right)):
        return None
    for fields in _KEY_FIELDS:
        ones = _places(left, fields)
        others = _places(right, fields) if ones is not None else None
        if ones is not None and others is not None:
            return [(place, others[key]) for key, place in ones.items() if key in others]
    return None


def _left_over(
    left: Sequence[Any],
    right: Sequence[Any],
    matched: list[tuple[int, int]],
    identities: Identities,
    effort: StepBudget,
) -> list[tuple[int, int]]:
    """Match items whose names changed with those that stand between the same neighbours and are alike."""
    named = sorted(matched)
    rise = [named[index] for index in longest_rise([right for _, right in named])]
    taken, taken_right = {left for left, _ in matched}, {right for _, right in matched}
    pairs: list[tuple[int, int]] = []
    start = first = 0
    for end, last in [*rise, (len(left), len(right))]:
        if start < end and first < last:
            ones = [place for place in range(start, end) if place not in taken]
            others = [place for place in range(first, last) if place not in taken_right]
            pairs += _alike(left, right, ones, others, identities, effort)
        start, first = end + 1, last + 1
    return pairs


def _places(items: Sequence[Mapping[str, Any]], fields: tuple[str, ...]) -> dict[tuple[Any, ...], int] | None:
    """Return the place of each object by its key; None if one has none, or two have the same."""
    places: dict[tuple[Any, ...], int] = {}
    for place, item in enumerate(items):
        parts: list[Any] = []
        for field in fields:
            value = item.get(field)
            if not isinstance(value, str | int):
                return None
            parts.append((type(value).__name__, value))
        if places.setdefault(tuple(parts), place) != place:
            return None
    return places


def _by_order(
    left: Sequence[Any], right: Sequence[Any], identities: Identities, effort: StepBudget
) -> list[tuple[int, int]]:
    ones, others = [identities.of(item) for item in left], [identities.of(item) for item in right]
    matched: list[tuple[int, int]] = []
    blocks = align(ones, others)
    gone: dict[int, list[int]] = {}
    for block in blocks:
        if block.same:
            matched += zip(range(block.left, block.left_end), range(block.right, block.right_end), strict=True)
        else:
            for place in range(block.left_end - 1, block.left - 1, -1):
                gone.setdefault(ones[place], []).append(place)
    taken_left: set[int] = set()
    taken_right: set[int] = set()
    for block in blocks:
        if block.same:
            continue
        for place in range(block.right, block.right_end):
            if known := gone.get(others[place]):
                matched.append((known[-1], place))
                taken_left.add(known.pop())
                taken_right.add(place)
    for block in blocks:
        if not block.same:
            free_left = [place for place in range(block.left, block.left_end) if place not in taken_left]
            free_right = [place for place in range(block.right, block.right_end) if place not in taken_right]
            matched += _alike(left, right, free_left, free_right, identities, effort)
    return matched


def _alike(  # noqa: PLR0917 -- two lists, the places in each, and what is known of both
    left: Sequence[Any],
    right: Sequence[Any],
    ones: list[int],
    others: list[int],
    identities: Identities,
    effort: StepBudget,
) -> list[tuple[int, int]]:
    """Match items that are not equal but alike, in their order."""
    if not ones or not others:
        return []
    pairs = len(ones) * len(others)
    if pairs > _MOST_LIKENESSES or not effort.take(_LIKENESS_STEPS * pairs):
        return [
            (one, other)
            for one, other in zip(ones, others, strict=False)
            if _likeness(left[one], right[other], identities) >= _LIKE_ENOUGH
        ]
    likeness = [[_likeness(left[one], right[other], identities) for other in others] for one in ones]
    return [(ones[row], others[column]) for row, column in best_path(likeness, _LIKE_ENOUGH)]


def best_path(likeness: list[list[float]], least: float) -> list[tuple[int, int]]:
    """Choose pairs that rise on both sides and are together as alike as can be.

    Args:
        likeness: How alike the item of each row is to that of each column, from 0 to 1.
        least: Pairs that are less alike are none.

    Returns:
        Row and column of each pair.
    """
    rows, columns = len(likeness), len(likeness[0])
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            value = likeness[row][column]
            together = best[row + 1][column + 1] + value if value >= least else 0.0
            best[row][column] = max(together, best[row + 1][column], best[row][column + 1])
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < rows and column < columns:
        value = likeness[row][column]
        if value >= least and best[row][column] == best[row + 1][column + 1] + value:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _likeness(one: Any, other: Any, identities: Identities) -> float:
    """Say how much of two values that are not equal is equal, from 0 to 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        if not one or not other:
            return 0.0
        alike = sum(_part_likeness(part, other[name], identities) for name, part in one.items() if name in other)
        return alike / max(len(one), len(other))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        if not one or not other:
            return 0.0
        parts = {identities.of(part) for part in one}
        return _LIKE_ENOUGH + (1 - _LIKE_ENOUGH) * sum(identities.of(part) in parts for part in other) / max(
            len(one), len(other)
        )
    if isinstance(one, CONTAINERS) or isinstance(other, CONTAINERS):
        return 0.0
    # One value in the place of another.
    return 0.6


def _part_likeness(one: Any, other: Any, identities: Identities) -> float:
    """Say how much of two values under the same name is equal; not looking inside, where most may be."""
    if identities.of(one) == identities.of(other):
        return 1.0
    return 0.6 if isinstance(one, CONTAINERS) and type(one) is type(other) else 0.2


def _merged(matched: list[tuple[int, int]], left_length: int, right_length: int) -> list[Pair]:
    """Put pairs and single items in order."""
    matched.sort(key=lambda pair: pair[1])
    stays = set(longest_rise([left for left, _ in matched]))
    left_by_right = {right: left for left, right in matched}
    staying = {matched[index][1] for index in stays}
    gone = [True] * left_length
    for left, _ in matched:
        gone[left] = False
    pairs: list[Pair] = []
    read = 0
    # Between two items that stay, what was there comes before what is there now.
    ends = [*sorted(staying), right_length]
    start = 0
    for end in ends:
        match = left_by_right[end] if end < right_length else left_length
        pairs += [Pair(place, None) for place in range(read, match) if gone[place]]
        for right in range(start, end):
            pairs.append(Pair(left_by_right.get(right), right, moved=right in left_by_right))
        if end < right_length:
            pairs.append(Pair(match, end))
        read, start = match + 1, end + 1
    return pairs
