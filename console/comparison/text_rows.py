"""Which rows two compared texts are shown in: one below the other or side by side, whole or folded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from typing import Final, NamedTuple

from console.comparison.lines import Hunk, TextDifference

CONTEXT: Final = 3
"""Lines that stay around a change."""


class ShownRow(NamedTuple):
    """One row.

    Attributes:
        hunk: The part it belongs to, from 0.
        left: Line of the first text; None for none.
        right: Line of the second text; None for none.
        hidden: How many lines it stands for; 0 unless it is a fold.
    """

    hunk: int
    left: int | None
    right: int | None
    hidden: int = 0


_SAME, _FOLD, _REMOVED, _ADDED, _PAIRS = range(5)


class ShownRows:
    """The rows of two compared texts, made when they are asked for.

    Args:
        difference: The texts.
        side_by_side: Whether lines stand beside each other.
        only_differences: Whether longer parts that are the same are folded.
        opened: Parts that are shown whole nevertheless.
    """

    def __init__(
        self,
        difference: TextDifference,
        *,
        side_by_side: bool,
        only_differences: bool,
        opened: Collection[int] = (),
    ) -> None:
        self._hunks = hunks = difference.hunks
        # Hunk, kind and offset of each segment; there may be a hundred thousand.
        self._segments: list[tuple[int, int, int]] = []
        self._starts: list[int] = []
        self._row_by_hunk: list[int] = []
        self.count = 0
        last = len(hunks) - 1
        add = self._add
        for number, hunk in enumerate(hunks):
            block = hunk.block
            self._row_by_hunk.append(self.count)
            if block.same:
                lines = block.left_end - block.left
                before, after = (0 if number == 0 else CONTEXT), (0 if number == last else CONTEXT)
                if not only_differences or lines - before - after <= 1 or number in opened:
                    add(number, _SAME, 0, lines)
                else:
                    add(number, _SAME, 0, before)
                    add(number, _FOLD, lines - before - after, 1)
                    add(number, _SAME, lines - after, after)
            elif side_by_side:
                add(number, _PAIRS, 0, hunk.rows)
            else:
                add(number, _REMOVED, 0, block.left_end - block.left)
                add(number, _ADDED, 0, block.right_end - block.right)

    def row(self, index: int) -> ShownRow:
        """Return a row by its index, which must be below `count`."""
        place = bisect_right(self._starts, index) - 1
        number, kind, offset = self._segments[place]
        hunk = self._hunks[number]
        if kind == _FOLD:
            return ShownRow(number, None, None, offset)
        offset += index - self._starts[place]
        if kind == _PAIRS:
            return ShownRow(number, *hunk.pair(offset))
        left = None if kind == _ADDED else hunk.block.left + offset
        right = None if kind == _REMOVED else hunk.block.right + offset
        return ShownRow(number, left, right)

    def hunk(self, row: ShownRow) -> Hunk:
        """Return the part a row belongs to."""
        return self._hunks[row.hunk]

    def first_row(self, hunk: int) -> int:
        """Return the index of the first row of a part."""
        return self._row_by_hunk[hunk]

    def _add(self, hunk: int, kind: int, offset: int, length: int) -> None:
        if length:
            self._segments.append((hunk, kind, offset))
            self._starts.append(self.count)
            self.count += length
