"""Compare two texts line by line: parts that are the same, and hunks whose lines stand beside each other."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pydantic_core import PydanticSerializationError, to_json

from console.comparison.alignment import ALIGNMENT_STEPS, MatchingBlock, StepBudget, align, best_path
from console.json_view.pretty import json_text
from console.json_view.text_lines import TextRows
from console.schema_form import ABSENT

_ALL_LINES: Final = 1 << 62
_MOST_PAIRS: Final = 2_500
_LIKE_ENOUGH: Final = 0.4
_CONTEXT_LINES: Final = 3
_PAIR_STEPS: Final = 4

LinePair = tuple[int | None, int | None]
"""A line of each text, from 0; None for nothing on that side."""


class Hunk(NamedTuple):
    """A part of both texts.

    Attributes:
        block: Which lines.
        pairs: Lines beside each other; empty where they are the same, or too many to be compared, and then they stand
            beside each other in their order.
    """

    block: MatchingBlock
    pairs: tuple[LinePair, ...] = ()

    @property
    def same(self) -> bool:
        return self.block.same

    @property
    def left_lines(self) -> int:
        """How many lines the first text has here."""
        return self.block.left_end - self.block.left

    @property
    def right_lines(self) -> int:
        """How many lines the second text has here."""
        return self.block.right_end - self.block.right

    @property
    def rows(self) -> int:
        """How many rows it takes with the texts side by side."""
        return len(self.pairs) or max(self.left_lines, self.right_lines)

    def pair(self, row: int) -> LinePair:
        """Return what stands beside each other in a row of the hunk."""
        if self.pairs:
            return self.pairs[row]
        left = self.block.left + row if row < self.left_lines else None
        right = self.block.right + row if row < self.right_lines else None
        return left, right

    def beside(self, line: int, *, is_left: bool) -> int | None:
        """Return the line of the other text that a changed line stands beside; None for none."""
        if not self.pairs:
            row = line - (self.block.left if is_left else self.block.right)
            return self.pair(row)[1 if is_left else 0]
        here, there = (0, 1) if is_left else (1, 0)
        return next((pair[there] for pair in self.pairs if pair[here] == line), None)


class TextDifference(NamedTuple):
    """Two texts, compared.

    Attributes:
        left: The lines of the first.
        right: The lines of the second.
        hunks: Their parts in order.
        differing: Which of them differ.
    """

    left: TextRows
    right: TextRows
    hunks: tuple[Hunk, ...]
    differing: tuple[int, ...]

    def left_line(self, line: int) -> str:
        return line_of(self.left, line)

    def right_line(self, line: int) -> str:
        return line_of(self.right, line)


def line_of(rows: TextRows, line: int) -> str:
    """Return a line of a text, without its end."""
    row = rows.row(line)
    return rows.text[row.start : row.end]


def written_side_by_side(left: Any, right: Any) -> tuple[str, str]:
    """Write two values as text, in the same way, so that what is equal reads equal.

    Args:
        left: Text, which stays as it is; any other JSON value; or `ABSENT`, which is no text.
        right: Likewise.
    """
    try:
        return _written(left), _written(right)
    except (PydanticSerializationError, RecursionError, ValueError):
        return _written_slowly(left), _written_slowly(right)


def compare_texts(left: str, right: str) -> TextDifference:
    """Compare two texts; from any thread."""
    ones, others = TextRows(left), TextRows(right)
    for rows in (ones, others):
        rows.extend(_ALL_LINES)
    number_by_line: dict[str, int] = {}
    numbers = [
        [number_by_line.setdefault(line, len(number_by_line)) for line in _lines(rows)] for rows in (ones, others)
    ]
    effort = StepBudget(ALIGNMENT_STEPS)
    hunks = tuple([_hunk(block, ones, others, effort) for block in align(numbers[0], numbers[1], effort)])
    return TextDifference(ones, others, hunks, tuple([place for place, hunk in enumerate(hunks) if not hunk.same]))


def unified_diff(difference: TextDifference, left_name: str, right_name: str) -> str:
    """Write a difference as a patch, three lines around each change; "" when there is none.

    Args:
        difference: Two texts, compared.
        left_name: What the first is called.
        right_name: What the second is called.

    Source: the unified format of POSIX `diff -u`.
    """
    parts = [f"--- {left_name}\n+++ {right_name}\n"]
    group: list[Hunk] = []
    hunks = difference.hunks
    for place, hunk in enumerate(hunks):
        group.append(hunk)
        splits = hunk.same and hunk.left_lines > 2 * _CONTEXT_LINES
        if splits or place == len(hunks) - 1:
            parts += _unified_group(difference, group)
            group = [hunk]
    return "".join(parts) if len(parts) > 1 else ""


def _unified_group(difference: TextDifference, group: list[Hunk]) -> list[str]:
    """Write the hunks between two long parts that are the same."""
    if all(hunk.same for hunk in group):
        return []
    first, last = group[0].block, group[-1].block
    left = max(first.left, first.left_end - _CONTEXT_LINES) if first.same else first.left
    right = first.right_end - (first.left_end - left) if first.same else first.right
    left_end = min(last.left_end, last.left + _CONTEXT_LINES) if last.same else last.left_end
    right_end = last.right + (left_end - last.left) if last.same else last.right_end
    # What stands behind the last line break is no line if it is empty.
    most, other_most = (rows.line_count - (not line_of(rows, rows.line_count - 1)) for rows in difference[:2])
    left_end, right_end = min(left_end, most), min(right_end, other_most)
    lines = [f"@@ -{_span(left, left_end)} +{_span(right, right_end)} @@\n"]
    for hunk in group:
        block = hunk.block
        start, end = max(left, block.left), min(left_end, block.left_end)
        lines += [_patch_line(" " if block.same else "-", difference.left, line) for line in range(start, end)]
        if not block.same:
            end = min(right_end, block.right_end)
            lines += [_patch_line("+", difference.right, line) for line in range(block.right, end)]
    return lines


def _patch_line(sign: str, rows: TextRows, line: int) -> str:
    text = f"{sign}{line_of(rows, line)}\n"
    is_last = line == rows.line_count - 1
    return f"{text}\\ No newline at end of file\n" if is_last else text


def _span(start: int, end: int) -> str:
    count = end - start
    # An empty part is named by the line before it.
    return f"{start + 1 if count else start},{count}" if count != 1 else f"{start + 1}"


def _lines(rows: TextRows) -> list[str]:
    """Return the lines as they are compared: the last one, which has no line break, is like no other."""
    lines = rows.text.replace("\r\n", "\n").split("\n")
    lines[-1] += "\n"
    return lines


def _hunk(block: MatchingBlock, left: TextRows, right: TextRows, effort: StepBudget) -> Hunk:
    ones, others = block.left_end - block.left, block.right_end - block.right
    if block.same or not ones or not others or ones == others == 1:
        return Hunk(block)
    if ones * others > _MOST_PAIRS or not effort.take(_PAIR_STEPS * ones * others):
        return Hunk(block)
    texts = [line_of(left, line).strip() for line in range(block.left, block.left_end)]
    other_texts = [line_of(right, line).strip() for line in range(block.right, block.right_end)]
    likeness = [[_likeness(text, other) for other in other_texts] for text in texts]
    return Hunk(block, tuple(_beside(block, best_path(likeness, _LIKE_ENOUGH))))


def _beside(block: MatchingBlock, matched: list[tuple[int, int]]) -> list[LinePair]:
    """Put the lines that are alike beside each other, and the others above the next of those."""
    pairs: list[LinePair] = []
    left, right = block.left, block.right
    for row, column in [*matched, (block.left_end - block.left, block.right_end - block.right)]:
        end, other_end = block.left + row, block.right + column
        pairs += [(line, None) for line in range(left, end)]
        pairs += [(None, line) for line in range(right, other_end)]
        if end < block.left_end and other_end < block.right_end:
            pairs.append((end, other_end))
        left, right = end + 1, other_end + 1
    return pairs


def _likeness(one: str, other: str) -> float:
    """Say how much two lines begin and end alike, from 0 to 1."""
    most = max(len(one), len(other))
    if not most:
        return 1.0
    least = min(len(one), len(other), 400)
    start = next((place for place in range(least) if one[place] != other[place]), least)
    end = next((place for place in range(least - start) if one[-1 - place] != other[-1 - place]), least - start)
    return (start + end) / min(most, 400)


def _written(value: Any) -> str:
    if value is ABSENT or isinstance(value, str):
        return "" if value is ABSENT else value
    return to_json(value, indent=2, inf_nan_mode="constants").decode()


def _written_slowly(value: Any) -> str:
    if value is ABSENT or isinstance(value, str):
        return "" if value is ABSENT else value
    try:
        return json_text(value)
    except RecursionError:
        return "Too many values inside each other to be written as text."
