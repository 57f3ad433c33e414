"""Look for a text in a large one, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LETTERS_AT_ONCE: Final = 1_000_000


def places(text: str, needle: str, start: int, *, backwards: bool) -> Iterator[int | None]:
    """Yield where a text stands, or None after each piece in which it does not; once around the whole text.

    Args:
        text: Where to look.
        needle: What to look for; upper and lower case are the same.
        start: Offset to begin at: the first place at or behind it, or the last one before it.
        backwards: Whether to go to the beginning.
    """
    pattern = re.compile(re.escape(needle), re.IGNORECASE)
    extra = len(needle) - 1
    look = _down if backwards else _up
    for low, high in (
        ((0, start + extra), (start, len(text))) if backwards else ((start, len(text)), (0, start + extra))
    ):
        yield from look(pattern, text, low, min(high, len(text)), extra)


def _up(pattern: re.Pattern[str], text: str, low: int, high: int, extra: int) -> Iterator[int | None]:
    position = low
    while position < high:
        end = min(high, position + _LETTERS_AT_ONCE + extra)
        found = pattern.search(text, position, end)
        if found is not None:
            yield found.start()
            position = found.end()
        else:
            yield None
            position = end - extra if end < high else high


def _down(pattern: re.Pattern[str], text: str, low: int, high: int, extra: int) -> Iterator[int | None]:
    position = high
    while position > low:
        begin = max(low, position - _LETTERS_AT_ONCE - extra)
        starts = [found.start() for found in pattern.finditer(text, begin, position)]
        yield from reversed(starts)
        if not starts:
            yield None
        position = begin + extra if begin > low else low
