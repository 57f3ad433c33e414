"""What changed between two values, as two short lines, and which words changed between two long ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

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
        return "not given"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def difference(old: Any, new: Any) -> LineDifference:
    """Compare two values.

    What both begin and end with is cut to a few letters, so that a long text costs no more than a short one and the
    change is in sight.

    Args:
        old: The value as asked; `ABSENT` for none.
        new: The value now.
    """
    before, after = written(old), written(new)
    if before == after:  # the text "1" and the number 1
        before, after = (json.dumps(value, ensure_ascii=False) for value in (old, new))
    start = _word_start(before, after, _common_start(before, after))
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
    start = _word_start(one, other, _common_start(one, other))
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


def _common_start(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: str, other: str, start: int) -> int:
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


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
