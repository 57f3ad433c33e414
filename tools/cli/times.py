"""Times and ages as people type them."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime, timedelta
from typing import Final

_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_LONGEST_S: Final = 1000 * 365 * 86_400
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
    seconds = float(match[1]) * _SECONDS[match[2]]
    if seconds > _LONGEST_S:
        msg = f"expected at most a thousand years, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return timedelta(seconds=seconds)


def moment(text: str) -> datetime:
    """Return a time: as ISO 8601 writes it, in this computer's zone unless it says another, or an age before now.

    Raises:
        argparse.ArgumentTypeError: When it is none.
    """
    if _AGE.fullmatch(text.strip()):
        return datetime.now(UTC) - age(text)
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        msg = f"expected a time such as 2026-11-22 or 2026-11-22T14:30, or an age such as 12h, got {text!r}"
        raise argparse.ArgumentTypeError(msg) from error


def local(time: datetime) -> str:
    """Return a time as this computer's clock shows it."""
    return time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
