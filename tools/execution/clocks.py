"""What time it is for guards, and times in words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, Final

MINUTE_S: Final = 120
"""From here on a time is told in minutes."""


def now_utc() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)


class Clocks:
    """Tell how much time passes, and what time of day that is."""

    def __init__(self, monotonic_s: Callable[[], float] = monotonic, wall: Callable[[], datetime] = now_utc) -> None:
        self.monotonic = monotonic_s
        self._wall = wall

    def when(self, moment_s: float) -> datetime:
        """Return the time of day of a reading of the growing seconds, be it past or to come."""
        try:
            return self._wall() + timedelta(seconds=moment_s - self.monotonic())
        except OverflowError:
            return datetime.max.replace(tzinfo=UTC)

    @staticmethod
    def call_later(delay_s: float, function: Callable[..., None], *args: Any) -> None:
        """Call a function in a while, if an event loop runs; without one nobody is there to be told."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        loop.call_later(delay_s, function, *args)


def after(delay_s: float) -> str:
    """Return how long something takes, as in `in 24 s`."""
    return f"in {duration(delay_s)}"


def ago(passed_s: float) -> str:
    """Return how long ago something was, as in `3 s ago`."""
    return f"{duration(passed_s)} ago" if passed_s >= 1 else "just now"


def duration(seconds: float) -> str:
    """Return a duration in seconds or minutes."""
    if seconds < 10:  # noqa: PLR2004 -- one decimal is of use below
        return f"{max(seconds, 0.1):.1f} s"
    return f"{seconds:.0f} s" if seconds < MINUTE_S else f"{seconds / 60:.0f} min"
