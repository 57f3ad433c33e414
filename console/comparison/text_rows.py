"""Which rows two compared texts are shown in: one below the other or side by side, whole or folded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from typing import Final, NamedTuple

from console.comparison.lines import Hunk, TextDifference

__all__ = ["ShownRow", "ShownRows"]

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


class _Segment(NamedTuple):
    hunk: int
    kind: str
    offset: int
    length: int


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
        self._hunks = difference.hunks
        self._segments: list[_Segment] = []
        self._starts: list[int] = []
        self._row_by_hunk: list[int] = []
        self.count = 0
        last = len(self._hunks) - 1
        for number, hunk in enumerate(self._hunks):
            self._row_by_hunk.append(self.count)
            if hunk.same:
                folds = only_differences and number not in opened
                self._add_same(number, hunk.left_lines, folds=folds, is_first=number == 0, is_last=number == last)
            elif side_by_side:
                self._add(number, "pairs", 0, hunk.rows)
            else:
                self._add(number, "removed", 0, hunk.left_lines)
                self._add(number, "added", 0, hunk.right_lines)

    def row(self, index: int) -> ShownRow:
        """Return a row by its index, which must be below `count`."""
        place = bisect_right(self._starts, index) - 1
        segment = self._segments[place]
        hunk, offset = self._hunks[segment.hunk], segment.offset + index - self._starts[place]
        block = hunk.block
        if segment.kind == "same":
            return ShownRow(segment.hunk, block.left + offset, block.right + offset)
        if segment.kind == "fold":
            return ShownRow(segment.hunk, None, None, segment.offset)
        if segment.kind == "removed":
            return ShownRow(segment.hunk, block.left + offset, None)
        if segment.kind == "added":
            return ShownRow(segment.hunk, None, block.right + offset)
        return ShownRow(segment.hunk, *hunk.pair(offset))

    def hunk(self, row: ShownRow) -> Hunk:
        """Return the part a row belongs to."""
        return self._hunks[row.hunk]

    def first_row(self, hunk: int) -> int:
        """Return the index of the first row of a part."""
        return self._row_by_hunk[hunk]

    def _add_same(self, number: int, lines: int, *, folds: bool, is_first: bool, is_last: bool) -> None:
        before = 0 if is_first else CONTEXT
        after = 0 if is_last else CONTEXT
        hidden = lines - before - after
        if not folds or hidden <= 1:
            self._add(number, "same", 0, lines)
            return
        self._add(number, "same", 0, before)
        self._add_fold(number, hidden)
        self._add(number, "same", lines - after, after)

    def _add(self, number: int, kind: str, offset: int, length: int) -> None:
        if length:
            self._segments.append(_Segment(number, kind, offset, length))
            self._starts.append(self.count)
            self.count += length

    def _add_fold(self, number: int, hidden: int) -> None:
        self._segments.append(_Segment(number, "fold", hidden, 1))
        self._starts.append(self.count)
        self.count += 1
