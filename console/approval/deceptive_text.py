"""Letters that do not show, that turn others around, or that look like others: text that reads differently.

Source: Unicode Technical Report 36, "Unicode Security Considerations", on bidirectional text and invisible characters,
and on words of mixed scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u2069\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
# Scripts with letters that look like Latin ones; a word of one of them alone is a word of that language.
_ALIKE: Final = {
    "Cyrillic": re.compile(r"[\u0400-\u052f]"),
    "Greek": re.compile(r"[\u0370-\u03ff]"),
    "Armenian": re.compile(r"[\u0530-\u058f]"),
}
_LONGEST_SEARCHED: Final = 100_000
_BEFORE: Final = 40
_AFTER: Final = 40
_MOST: Final = 3


def disguises(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of arguments what their text really is, where some of its letters do not show.

    Args:
        values: The arguments as JSON.

    Returns:
        A sentence for each text, for a few of them at most.
    """
    found: list[str] = []
    for name, value in values.items():
        for text in _texts(value):
            hidden = _HIDDEN.search(text)
            if hidden is not None and len(found) < _MOST:
                found.append(f"{name} is really {_spelled_out(text, hidden.start())}")
    return tuple(found)


def lookalikes(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of arguments which of their words mix Latin letters with others that look like them.

    Args:
        values: The arguments as JSON.

    Returns:
        A sentence for each word, for a few of them at most.
    """
    found: list[str] = []
    for name, value in values.items():
        for text in _texts(value):
            found += [f"{name} has {words}" for words in islice(_mixed(text[:_LONGEST_SEARCHED]), _MOST)]
    return tuple(found[:_MOST])


def _mixed(text: str) -> Iterator[str]:
    if text.isascii():
        return
    for word in _WORD.findall(text):
        for script, letters in _ALIKE.items():
            if letters.search(word) is not None and _LATIN.search(word) is not None:
                yield _taken_apart(word, script)


def _taken_apart(word: str, script: str) -> str:
    """Return a word with its foreign letters spelled out."""
    shown = _ALIKE[script].sub(lambda match: f"{match[0]}<U+{ord(match[0]):04X}>", word[:_BEFORE])
    return f"{shown}, which mixes Latin and {script} letters"


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        now = waiting.pop()
        if isinstance(now, str):
            yield now
        elif isinstance(now, Mapping):
            waiting += reversed([*now, *now.values()])
        elif isinstance(now, Sequence):
            waiting += reversed(now)


def _spelled_out(text: str, place: int) -> str:
    start, end = max(0, place - _BEFORE), place + _AFTER
    part = text[start:end].replace("\n", " ")
    shown = _HIDDEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", part)
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
