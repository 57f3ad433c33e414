"""Patterns of schemas, which anybody may have written, ready to search."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex

MAX_PATTERN_LETTERS: Final = 5_000
"""How long a pattern may be; reading one takes the longer the longer it is."""


class UnreadablePatternError(Exception):
    """A pattern is of another dialect, too long, or none at all."""


@lru_cache(maxsize=256)
def compiled_pattern(pattern: str) -> regex.Pattern[str]:
    """Return a pattern ready to search.

    Raises:
        UnreadablePatternError: It cannot be read here.
    """
    import regex  # noqa: PLC0415 -- few schemas have patterns

    if len(pattern) > MAX_PATTERN_LETTERS:
        raise UnreadablePatternError(f"is longer than {MAX_PATTERN_LETTERS:,} letters")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise UnreadablePatternError(f"is no regular expression ({error})") from None
