"""Which parts of a sentence are code: paths, quoted names and the values of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_QUOTED: Final = r"`([^`\n]+)`"
_PATH: Final = r"(?<![\w/])((?:~|\.{1,2})?/[^\s,;:'\"]*[^\s,;:.'\")])"
_WINDOWS_PATH: Final = r"\b([A-Za-z]:\\[^\s,;'\"]+)"
_CODE: Final = re.compile(f"{_QUOTED}|{_PATH}|{_WINDOWS_PATH}")
_MOST_LETTERS: Final = 20_000
_SHORTEST_VALUE: Final = 3


class SentencePart(NamedTuple):
    """A part of a sentence.

    Attributes:
        text: The letters.
        code: Whether it is shown in the code face.
        strong: Whether it is shown in the semibold weight.
        muted: Whether it is shown as a hint.
    """

    text: str
    code: bool = False
    strong: bool = False
    muted: bool = False


def pieces(text: str, values: Iterable[str] = ()) -> tuple[SentencePart, ...]:
    """Split a sentence into words and code.

    Args:
        text: The sentence; back quotes around code are taken away.
        values: Values of arguments; where one stands in the sentence, it is code.
    """
    if len(text) > _MOST_LETTERS:
        return (SentencePart(text),)
    known = sorted({value for value in values if len(value) >= _SHORTEST_VALUE and value in text}, key=len)
    named = [rf"(?<![\w/]){re.escape(value)}(?![\w/])" for value in reversed(known)]
    found = re.compile("|".join((*named, _CODE.pattern)))
    parts: list[SentencePart] = []
    end = 0
    for match in found.finditer(text):
        if match.start() > end:
            parts.append(SentencePart(text[end : match.start()]))
        parts.append(SentencePart(next(filter(None, match.groups()), match.group()), code=True))
        end = match.end()
    if end < len(text) or not parts:
        parts.append(SentencePart(text[end:]))
    return tuple(parts)


def plain(parts: Iterable[SentencePart]) -> str:
    """Return the letters of all pieces, as a screen reader says them."""
    return "".join(part.text for part in parts)
