"""How much one result may hold, and how long work says where it stands and stops when asked."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from tools.catalog._paths import shown
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.context import LogLevel

MAX_CHARS: Final = 1_000_000
"""Most characters of text in one result."""

MAX_ENTRIES: Final = 10_000
"""Most rows, files or matches in one result."""

MAX_COUNTED_BYTES: Final = 64_000_000
"""The largest file whose lines are counted for their own sake."""

MAX_CELL_CHARS: Final = 10_000
"""Most characters of one table cell in a result."""

_REPORT_EVERY_S: Final = 0.1
_LOGGED_SKIPS: Final = 100
_UNITS: Final = ("kB", "MB", "GB", "TB", "PB")


class Watcher(Protocol):
    """What long work needs of the call that it is done for; `ToolContext` is one."""

    @property
    def project_dir(self) -> Path:
        """The folder that relative paths mean."""

    @property
    def cancelled(self) -> bool:
        """Whether the work is to stop."""

    def log(self, level: LogLevel, text: str) -> None:
        """Take a line about the work."""

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        """Take how far the work is."""


class Unwatched(NamedTuple):
    """Stand for a call where there is none: in a dry run, nobody reads a log.

    Attributes:
        project_dir: The folder that relative paths mean.
    """

    project_dir: Path

    @property
    def cancelled(self) -> bool:
        """Dry runs are not cancelled; they have a time limit of their own."""
        return False

    def log(self, level: LogLevel, text: str) -> None:
        """Drop a line."""

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        """Drop how far the work is."""


def readable_size(size_bytes: float) -> str:
    """Return a size as people read it, such as `2.1 MB`; the units are powers of 1,000."""
    if size_bytes < 1000:  # noqa: PLR2004 -- one kilobyte
        return f"{size_bytes:.0f} bytes" if size_bytes != 1 else "1 byte"
    power = 1
    # What would be rounded up to 1,000 belongs to the next unit.
    while power < len(_UNITS) and size_bytes / 1000**power >= 999.95:  # noqa: PLR2004 -- see above
        power += 1
    return f"{size_bytes / 1000**power:.1f} {_UNITS[power - 1]}"


def counted(count: int, one: str, several: str = "") -> str:
    """Return a count with its noun, such as `1 file` or `1,204 files`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def say_cut(ctx: Watcher, what: str) -> None:
    """Log that a result was cut."""
    ctx.log("warning", f"the result was cut: {what}")


def cut_text(text: str, limit: int, ctx: Watcher) -> tuple[str, bool]:
    """Return a text no longer than a limit and whether it was cut; a cut is logged."""
    if len(text) <= limit:
        return text, False
    say_cut(ctx, f"{limit:,} of {len(text):,} characters are kept")
    return text[:limit], True


def stop_if_cancelled(ctx: Watcher) -> None:
    """End the work of a call that somebody stopped.

    Raises:
        ToolFailure: The call was cancelled or timed out.
    """
    if ctx.cancelled:
        raise ToolFailure("stopped before the end, because the call was cancelled")


class ProgressThrottle:
    """Say how far a loop is, at most ten times a second, and stop it when the call is cancelled.

    Args:
        ctx: The running call.
        total: The amount of work; None when nobody knows.
        clock: Seconds that only grow.
    """

    def __init__(self, ctx: Watcher, total: float | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._ctx = ctx
        self._total = total
        self._clock = clock
        self._next = clock() + _REPORT_EVERY_S
        self.done = 0.0

    def step(self, amount: float = 1, text: str = "") -> None:
        """Count some work.

        Args:
            amount: How much of the total it is.
            text: What is being done.

        Raises:
            ToolFailure: The call was cancelled.
        """
        self.done += amount
        stop_if_cancelled(self._ctx)
        now = self._clock()
        if now >= self._next:
            self._next = now + _REPORT_EVERY_S
            self._ctx.progress(self.done, self._total, text)


class Skipped:
    """Count what a tool passed over, and log the first hundred with their reasons.

    Args:
        ctx: The running call.
    """

    def __init__(self, ctx: Watcher) -> None:
        self._ctx = ctx
        self.count = 0

    def add(self, path: Path, reason: str) -> None:
        """Count one path that was passed over."""
        self.count += 1
        if self.count <= _LOGGED_SKIPS:
            self._ctx.log("info", f"skipped {shown(path, self._ctx.project_dir)}: {reason}")

    def summarise(self) -> None:
        """Log how many more there were than lines."""
        if self.count > _LOGGED_SKIPS:
            self._ctx.log("info", f"skipped {self.count - _LOGGED_SKIPS:,} more")
