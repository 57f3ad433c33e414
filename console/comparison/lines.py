"""Compare two texts line by line: parts that are the same, and hunks whose lines stand beside each other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

from pydantic_core import PydanticSerializationError, to_json
from rapidfuzz.distance import Postfix, Prefix

from console.comparison.alignment import LIKENESS_STEPS, MatchingBlock, StepBudget, align, best_path
from console.json_view.pretty import json_text
from console.json_view.text_lines import TextRows
from console.language import tr
from console.schema_form import ABSENT

_WORD: Final = re.compile(r"\w+|\W")
_DIGIT: Final = re.compile(r"\d")
_LETTER: Final = re.compile(r"\w")
_SHORT: Final = 2
_CONTEXT: Final = 40
_MOST_COMPARED: Final = 2_000
_MOST_SHOWN: Final = 400


class LinePart(NamedTuple):
    """A part of one line."""

    text: str
    changed: bool = False


class LineDifference(NamedTuple):
    """Two lines that differ."""

    old: tuple[LinePart, ...]
    new: tuple[LinePart, ...]
    shortened: bool


def written(value: Any) -> str:
    """Write a value as people read it: text as it is, everything else as JSON; "not given" for nothing."""
    if value is ABSENT:
        return tr("not given")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def difference(old: Any, new: Any) -> LineDifference:
    """Compare two values, `ABSENT` for none.

    What both begin and end with is cut to a few letters, so that a long text costs no more than a short one and the
    change is in sight.
    """
    before, after = written(old), written(new)
    if before == after:  # the text "1" and the number 1
        before, after = (json.dumps(value, ensure_ascii=False) for value in (old, new))
    start = _word_start(before, after, Prefix.similarity(before, after))
    end = _word_end(before, after, _common_end(before, after, start))
    head, tail = before[:start], before[len(before) - end :]
    middles = before[start : len(before) - end], after[start : len(after) - end]
    old_parts, new_parts = _compared(*middles)
    lead, is_cut = (f"…{head[-_CONTEXT:]}", True) if len(head) > 2 * _CONTEXT else (head, False)
    rest = f"{tail[:_CONTEXT]}…" if len(tail) > 2 * _CONTEXT else tail
    is_cut = is_cut or len(tail) > 2 * _CONTEXT or max(map(len, middles)) > _MOST_SHOWN
    old_line, new_line = (tuple(_joined([LinePart(lead), *parts, LinePart(rest)])) for parts in (old_parts, new_parts))
    return LineDifference(old_line, new_line, is_cut)


def changed_spans(one: str, other: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Find the words that only one of two lines has.

    Returns:
        First letter and the one past the last of each part, for both lines.
    """
    start = _word_start(one, other, Prefix.similarity(one, other))
    end = _word_end(one, other, _common_end(one, other, start))
    last, other_last = len(one) - end, len(other) - end
    if max(last, other_last) - start > _MOST_COMPARED:
        return ([(start, last)] if last > start else []), ([(start, other_last)] if other_last > start else [])
    words, others = (
        [(start + word.start(), start + word.end()) for word in _WORD.finditer(text)]
        for text in (one[start:last], other[start:other_last])
    )
    old: list[tuple[int, int]] = []
    new: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, [one[a:b] for a, b in words], [other[a:b] for a, b in others], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            old += [(words[i1][0], words[i2 - 1][1])] if i2 > i1 else []
            new += [(others[j1][0], others[j2 - 1][1])] if j2 > j1 else []
    return old, new


def _common_end(one: str, other: str, start: int) -> int:
    """Return how many letters two texts end with alike, behind those that they begin with."""
    return min(Postfix.similarity(one, other), min(len(one), len(other)) - start)


def _word_start(one: str, other: str, start: int) -> int:
    """Go back to where a number begins that differs, or a word that differs but for a letter or two."""
    letters = _DIGIT if _begins(_DIGIT, one, other, start) else _LETTER if _begins(_LETTER, one, other, start) else None
    begin = start
    while letters is not None and begin and letters.match(one[begin - 1]):
        begin -= 1
    return begin if letters is _DIGIT or start - begin <= _SHORT else start


def _word_end(one: str, other: str, end: int) -> int:
    """Go on to where a number ends that differs, or a word that differs but for a letter or two; from the end."""
    return _word_start(one[::-1][: end + 1], other[::-1][: end + 1], end)


def _begins(letters: re.Pattern[str], one: str, other: str, start: int) -> bool:
    return any(letters.match(text[start : start + 1]) for text in (one, other))


def _compared(one: str, other: str) -> tuple[list[LinePart], list[LinePart]]:
    """Mark what is only in one of two texts that begin and end differently."""
    if max(len(one), len(other)) > _MOST_COMPARED:
        return [_shortened(LinePart(one, changed=True))], [_shortened(LinePart(other, changed=True))]
    words, others = _WORD.findall(one), _WORD.findall(other)
    old: list[LinePart] = []
    new: list[LinePart] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        old.append(LinePart("".join(words[i1:i2]), tag != "equal"))
        new.append(LinePart("".join(others[j1:j2]), tag != "equal"))
    return [_shortened(part) for part in old], [_shortened(part) for part in new]


def _shortened(part: LinePart) -> LinePart:
    text = part.text
    if len(text) <= _MOST_SHOWN:
        return part
    return part._replace(text=f"{text[: _MOST_SHOWN // 2]}…{text[-_MOST_SHOWN // 2 :]}")


def _joined(parts: list[LinePart]) -> Iterator[LinePart]:
    """Put neighbours of one kind together, and show line breaks and tabs as signs."""
    held: LinePart | None = None
    for part in parts:
        if not part.text:
            continue
        shown = LinePart(part.text.replace("\r\n", "\n").replace("\n", "⏎").replace("\t", "⇥"), part.changed)
        if held is not None and held.changed == shown.changed:
            held = LinePart(held.text + shown.text, held.changed)
        else:
            if held is not None:
                yield held
            held = shown
    if held is not None:
        yield held


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
    """Two texts, compared."""

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
    """Write two values as text, in the same way, so that what is equal reads equal; text stays as it is."""
    try:
        return _as_text(left, _written), _as_text(right, _written)
    except (PydanticSerializationError, RecursionError, ValueError):
        return _as_text(left, _written_slowly), _as_text(right, _written_slowly)


def compare_texts(left: str, right: str) -> TextDifference:
    """Compare two texts; from any thread."""
    ones, others = TextRows(left), TextRows(right)
    for rows in (ones, others):
        rows.extend(_ALL_LINES)
    number_by_line: dict[str, int] = {}
    numbers = [
        [number_by_line.setdefault(line, len(number_by_line)) for line in _lines(rows)] for rows in (ones, others)
    ]
    effort = StepBudget(LIKENESS_STEPS)
    hunks = tuple([_hunk(block, ones, others, effort) for block in align(numbers[0], numbers[1])])
    return TextDifference(ones, others, hunks, tuple([place for place, hunk in enumerate(hunks) if not hunk.same]))


def unified_diff(difference: TextDifference, left_name: str, right_name: str) -> str:
    """Write a difference as a patch, three lines around each change; "" when there is none.

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
    start = Prefix.similarity(one[:least], other[:least])
    end = min(Postfix.similarity(one[-least:], other[-least:]), least - start) if least else 0
    return (start + end) / min(most, 400)


def _as_text(value: Any, write: Callable[[Any], str]) -> str:
    return "" if value is ABSENT else value if isinstance(value, str) else write(value)


def _written(value: Any) -> str:
    return to_json(value, indent=2, inf_nan_mode="constants").decode()


def _written_slowly(value: Any) -> str:
    try:
        return json_text(value)
    except RecursionError:
        return tr("Too many values inside each other to be written as text.")
