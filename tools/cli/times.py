"""Times and ages as people type them."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime, timedelta
from typing import Final

_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGE: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhdw])")


def age(text: str) -> timedelta:
    """Return a span of time such as `90d`, `12h` or `30m`.

    Raises:
        argparse.ArgumentTypeError: When it is none.
    """
    match = _AGE.fullmatch(text.strip())
    if match is None:
        msg = f"expected a number and one of s, m, h, d, w, such as 12h, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    try:
        return timedelta(**{_UNITS[match[2]]: float(match[1])})
    except OverflowError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is longer than time is counted") from error


def moment(text: str) -> datetime:
    """Return a time: as ISO 8601 writes it, in this computer's zone unless it says another, or an age before now.

    Raises:
        argparse.ArgumentTypeError: When it is none.
    """
    if _AGE.fullmatch(text.strip()):
        try:
            return datetime.now(UTC) - age(text)
        except OverflowError as error:
            raise argparse.ArgumentTypeError(f"{text!r} is before time is counted") from error
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        msg = f"expected a time such as 2026-11-22 or 2026-11-22T14:30, or an age such as 12h, got {text!r}"
        raise argparse.ArgumentTypeError(msg) from error


def local(time: datetime) -> str:
    """Return a time as this computer's clock shows it."""
    return time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
