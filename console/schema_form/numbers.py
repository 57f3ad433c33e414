"""Numbers as people type them, exact at any size."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

__all__ = ["number_from_text", "stepped", "text_of_number"]

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS: Final = 4300


def number_from_text(text: str, *, whole: bool) -> int | float | None:
    """Read a number.

    Args:
        text: As typed; spaces around it do not count.
        whole: Whether only whole numbers count.

    Returns:
        An int for whole numbers, however long; a float for others; None if the text is no (finite) number.
    """
    stripped = text.strip()
    if _WHOLE.fullmatch(stripped) and len(stripped) <= _MOST_DIGITS:
        return int(stripped)
    if whole or "_" in stripped:
        return None
    try:
        number = float(stripped)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def text_of_number(number: float) -> str:
    """Write a number so that reading it gives the same one: 200, 0.5, 1e+22."""
    return repr(number)


def stepped(number: float, steps: int, step: float, low: float | None, high: float | None) -> int | float:
    """Return the number some steps away, kept inside its bounds; 0.1 + 0.2 is 0.3 here.

    Args:
        number: Where to start.
        steps: How many steps, down if negative.
        step: The size of one.
        low: The smallest number allowed; None for no limit.
        high: The largest number allowed; None for no limit.
    """
    moved = Fraction(repr(number)) + steps * Fraction(repr(step))
    if low is not None:
        moved = max(moved, Fraction(repr(low)))
    if high is not None:
        moved = min(moved, Fraction(repr(high)))
    is_whole = moved.denominator == 1 and not isinstance(number, float)
    return int(moved) if is_whole else float(moved)
