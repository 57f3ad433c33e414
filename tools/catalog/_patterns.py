"""Patterns that people and models write: compiled with clear failures, matched with a time limit."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

PATTERN_TIMEOUT_S: Final = 2.0
"""How long one pattern may try one text, in seconds. `regex` lets other threads run meanwhile."""


class MatchKind(StrEnum):
    """How a pattern is read."""

    REGULAR_EXPRESSION = "regular_expression"
    PLAIN_TEXT = "plain_text"
    WHOLE_WORD = "whole_word"


def compiled(
    pattern: str,
    kind: MatchKind = MatchKind.REGULAR_EXPRESSION,
    *,
    case_sensitive: bool = True,
    multiline: bool = False,
    dot_all: bool = False,
) -> regex.Pattern[str]:
    """Return a pattern ready to match.

    Args:
        case_sensitive: Whether upper and lower case differ.
        multiline: Whether `^` and `$` match at each line.
        dot_all: Whether `.` matches line ends too.

    Raises:
        ToolFailure: It is no regular expression; the message says where.
    """
    import regex  # noqa: PLC0415 -- the tools are listed without it

    flags = regex.UNICODE
    if not case_sensitive:
        flags |= regex.IGNORECASE
    if multiline:
        flags |= regex.MULTILINE
    if dot_all:
        flags |= regex.DOTALL
    source = pattern
    if kind is not MatchKind.REGULAR_EXPRESSION:
        source = regex.escape(pattern, special_only=True)
    if kind is MatchKind.WHOLE_WORD:
        source = rf"(?<!\w){source}(?!\w)"
    try:
        return regex.compile(source, flags)
    except (regex.error, OverflowError, RecursionError) as error:
        position = getattr(error, "pos", None)
        where = "" if position is None else f" at character {position + 1}"
        reason = getattr(error, "msg", "it is too large")
        raise ToolFailure(
            f"{pattern!r} is no regular expression: {reason}{where}; put a backslash before signs meant literally"
        ) from error


@contextmanager
def time_limited(pattern: str, where: str) -> Iterator[None]:
    """Turn a pattern that tries for too long into a failure.

    Raises:
        ToolFailure: The time limit passed.
    """
    try:
        yield
    except TimeoutError as error:
        raise ToolFailure(
            f"the pattern {pattern!r} took more than {PATTERN_TIMEOUT_S:g} s on {where};"
            " make it simpler, for example without nested repetitions such as (a+)+"
        ) from error
