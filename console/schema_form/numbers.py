"""Numbers as people type them, exact at any size and with any number of digits."""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from typing import Any, Final, Self

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS: Final = 4300
_SMALLEST_POWER: Final = -400


class ExactNumber(float):
    """A number with more digits than a float holds, as it was typed.

    Whoever knows only floats gets the nearest one, so it can go wherever a float can. It compares by all its digits,
    and writing it gives them back; a tool that asks for a `Decimal` gets them as well.
    """

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]
        # What __new__ takes.
        return (self.text,)

    def __deepcopy__(self, _: Any) -> ExactNumber:
        return self

    def __repr__(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(Decimal(self.text))

    def __eq__(self, other: object) -> bool:
        return bool(Decimal(self.text) == _exact(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return bool(Decimal(self.text) < _exact(other))

    def __le__(self, other: float) -> bool:
        return bool(Decimal(self.text) <= _exact(other))

    def __gt__(self, other: float) -> bool:
        return bool(Decimal(self.text) > _exact(other))

    def __ge__(self, other: float) -> bool:
        return bool(Decimal(self.text) >= _exact(other))


def number_from_text(text: str, *, whole: bool) -> int | float | None:
    """Read a number, with spaces around it or not.

    Returns:
        An int for whole numbers, however long; for others a float, an `ExactNumber` where a float would change it;
        None if the text is no (finite) number.
    """
    stripped = text.strip()
    if _WHOLE.fullmatch(stripped) and len(stripped) <= _MOST_DIGITS:
        return int(stripped)
    if whole or "_" in stripped:
        return None
    try:
        return decimal_number(stripped)
    except ValueError:
        return None


def decimal_number(text: str) -> float:
    """Read a number with a point or an exponent.

    Raises:
        ValueError: It is no number, has too many digits, or is too large or too close to zero for any float.
    """
    number = float(text)
    if not math.isfinite(number) or len(text) > _MOST_DIGITS:
        raise ValueError(text)
    exact = Decimal(text)
    if exact == Decimal(repr(number)):
        return number
    if exact.adjusted() < _SMALLEST_POWER:
        raise ValueError(text)
    return ExactNumber(_spelled(text))


def stepped(number: float, steps: int, step: float, low: float | None, high: float | None) -> int | float:
    """Return the number some steps away, kept inside its bounds (None for no limit); 0.1 + 0.2 is 0.3 here."""
    moved = Fraction(repr(number)) + steps * Fraction(repr(step))
    if low is not None:
        moved = max(moved, Fraction(repr(low)))
    if high is not None:
        moved = min(moved, Fraction(repr(high)))
    is_whole = moved.denominator == 1 and not isinstance(number, float)
    return int(moved) if is_whole else _number_of(moved)


def _number_of(fraction: Fraction) -> float:
    context = Context(prec=_MOST_DIGITS, traps=[Inexact])
    try:
        return decimal_number(format(context.divide(Decimal(fraction.numerator), Decimal(fraction.denominator)), "f"))
    except (Inexact, ValueError):
        return float(fraction)


def _exact(other: object) -> Any:
    """Return a number as it is written, not as a float comes near to it."""
    return Decimal(repr(other)) if isinstance(other, float) and math.isfinite(other) else other


def _spelled(text: str) -> str:
    """Spell a number that Python reads as JSON does: no plus sign, a digit on each side of the point."""
    sign, rest = ("-", text[1:]) if text.startswith("-") else ("", text.removeprefix("+"))
    digits, letter, power = rest.lower().partition("e")
    whole, point, part = digits.partition(".")
    return f"{sign}{whole.lstrip('0') or '0'}{point if part else ''}{part}{letter}{power}"
