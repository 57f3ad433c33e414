"""Durations as ISO 8601 writes them and as people do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_ISO: Final = re.compile(
    r"P(?=.)(?:(\d+)W|(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?)",
    re.ASCII,
)
_NAMES: Final = ("week", "year", "month", "day", "hour", "minute", "second")
_PART: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s*([a-z]+)", re.ASCII | re.IGNORECASE)
_LEADING: Final = re.compile(r"^0+(?=\d)")
_CLOCK: Final = re.compile(r"(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?", re.ASCII)
# In the order in which ISO 8601 writes them; a month has no letter of its own.
_LETTERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("y", "yr", "year", "years"), "Y"),
    **dict.fromkeys(("mo", "month", "months"), "MO"),
    **dict.fromkeys(("w", "week", "weeks"), "W"),
    **dict.fromkeys(("d", "day", "days"), "D"),
    **dict.fromkeys(("h", "hr", "hour", "hours"), "H"),
    **dict.fromkeys(("m", "min", "minute", "minutes"), "M"),
    **dict.fromkeys(("s", "sec", "second", "seconds"), "S"),
}
_DATE_LETTERS: Final = ("Y", "MO", "D")
_TIME_LETTERS: Final = ("H", "M", "S")


def duration_words(text: str) -> str:
    """Read a duration aloud: `PT1H30M` is `1 hour 30 minutes`; "" for what is none.

    Args:
        text: As ISO 8601 writes it.
    """
    found = _ISO.fullmatch(text)
    if found is None:
        return ""
    parts = [
        f"{amount} {name}{'' if amount == '1' else 's'}"
        for amount, name in zip(found.groups(), _NAMES, strict=True)
        if amount
    ]
    return " ".join(parts)


def iso_duration(text: str) -> str | None:
    """Write a duration that a person typed as ISO 8601 does; None when it is none, or is written so already.

    Args:
        text: `90 min`, `1h 30m`, `2 days` or `1:30:00`.
    """
    stripped = text.strip()
    clock = _CLOCK.fullmatch(stripped)
    if clock is not None:
        amounts = [("H", clock[1]), ("M", clock[2]), *([("S", clock[3])] if clock[3] else [])]
    else:
        parts = list(_PART.finditer(stripped))
        if not parts or _PART.sub("", stripped).strip(" ,"):
            return None
        amounts = [(_LETTERS.get(part[2].lower(), ""), part[1].replace(",", ".")) for part in parts]
    return _written({letter: _LEADING.sub("", amount) for letter, amount in amounts}, len(amounts))


def _written(amounts: Mapping[str, str], count: int) -> str | None:
    """Put amounts into ISO 8601's order; None where it has no way to write them."""
    is_whole = all(amount.isdigit() for letter, amount in amounts.items() if letter != "S")
    if "" in amounts or len(amounts) != count or not is_whole or ("W" in amounts and count > 1):
        return None
    if "W" in amounts:
        return f"P{amounts['W']}W"
    days = "".join(f"{amounts[letter]}{letter[0]}" for letter in _DATE_LETTERS if letter in amounts)
    time = "".join(f"{amounts[letter]}{letter}" for letter in _TIME_LETTERS if letter in amounts)
    return f"P{days}{'T' if time else ''}{time}"
