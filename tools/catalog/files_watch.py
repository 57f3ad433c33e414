"""Wait for something to happen to a file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from tools.catalog._bounds import readable_size
from tools.catalog._paths import refusals, shown
from tools.catalog._patterns import PATTERN_TIMEOUT_S, compiled, time_limited
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    import regex

WatchedFor = Literal["exists", "missing", "changes", "contains", "settles"]

_POLL_S: Final = 0.25
_LONGEST_LINE: Final = 2000
_MOST_READ_BYTES: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class Watched:
    """What became of a file that was watched."""

    path: Annotated[str, Field(description="Path within the project folder, absolute when outside it.")]
    happened: Annotated[bool, Field(description="Whether it happened; false when the time was over before.")]
    waited_s: Annotated[float, Field(description="How long that took, in seconds.")]
    size_bytes: Annotated[int | None, Field(description="Size of the file now, in bytes; null when it is missing.")]
    line: Annotated[str | None, Field(description="The line that was waited for; null for other conditions.")]


class WatchingFiles:
    """The tool that waits for a file.

    Args:
        pause: Waits so many seconds.
        clock: Seconds that only grow.
    """

    def __init__(
        self, pause: Callable[[float], Awaitable[None]] = asyncio.sleep, clock: Callable[[], float] = monotonic
    ) -> None:
        self._pause = pause
        self._clock = clock

    @tool(
        keywords=("wait", "watch", "tail", "poll", "ready"),
        latency=Latency.SLOW,
        read_only=True,
        open_world=False,
        timeout_s=3700,
        examples=(
            ToolExample(
                input={"path": "README.md", "until": "exists"}, description="A file that another program makes"
            ),
            ToolExample(
                input={
                    "path": "build/out.log",
                    "until": "contains",
                    "pattern": "made by",
                    "from_start": True,
                    "timeout_s": 5,
                },
                description="A line in a log",
            ),
        ),
    )
    async def watch_file(
        self,
        path: Annotated[Path, Param("The file"), PathRole()],
        until: Annotated[WatchedFor, Param("What to wait for; settles is a size that stays the same for two seconds")],
        *,
        pattern: Annotated[
            str | None, Param("A regular expression for a line, for contains"), Field(max_length=1000)
        ] = None,
        from_start: Annotated[bool, Param("Look at lines that are there already, for contains")] = False,
        timeout_s: Annotated[float, Param("How long to wait at most", unit="s"), Field(gt=0, le=3600)] = 60.0,
        ctx: ToolContext,
    ) -> Watched:
        """Wait until a file exists, is gone, changes, settles, or gets a line that matches; at most for a given time.

        When the time is over, that is a result with happened=false, not a failure.
        """
        if (pattern is None) == (until == "contains"):
            raise ToolFailure(f"expected pattern with until=contains only, got until={until} and pattern={pattern!r}")
        name = shown(path, ctx.project_dir)
        condition = _Condition(path, until, compiled(pattern) if pattern else None, name, from_start=from_start)
        began = self._clock()
        while True:
            with refusals(f"watch {name!r}"):
                happened = condition.holds(self._clock())
            waited = self._clock() - began
            if happened or waited >= timeout_s:
                return Watched(name, happened, round(waited, 3), condition.size_bytes, condition.line)
            size = "missing" if condition.size_bytes is None else readable_size(condition.size_bytes)
            ctx.progress(waited, timeout_s, f"{name}: {size}")
            await self._pause(min(_POLL_S, timeout_s - waited))


class _Condition:
    """Look again and again whether something has happened to a file."""

    _SETTLED_S: Final = 2.0

    def __init__(
        self, path: Path, until: WatchedFor, pattern: regex.Pattern[str] | None, name: str, *, from_start: bool
    ) -> None:
        self._path = path
        self._until = until
        self._pattern = pattern
        self._name = name
        self._first = self._state()
        self._last = self._first
        self._since: float | None = None
        self._read = 0 if from_start or self._first is None else self._first[0]
        self._rest = b""
        self.line: str | None = None

    @property
    def size_bytes(self) -> int | None:
        """The size when it was last looked at; None for a file that is missing."""
        return None if self._last is None else self._last[0]

    def _state(self) -> tuple[int, int, int] | None:
        try:
            status = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return status.st_size, status.st_mtime_ns, status.st_ino

    def holds(self, now: float) -> bool:
        """Return whether it has happened.

        Args:
            now: The time, in seconds.
        """
        before, self._last = self._last, self._state()
        if self._until == "exists":
            return self._last is not None
        if self._until == "missing":
            return self._last is None
        if self._until == "changes":
            return self._last != self._first
        if self._until == "contains":
            return self._last is not None and self._found(self._last[0])
        if self._last is None or self._last != before or self._since is None:
            self._since = now
        return self._last is not None and now - self._since >= self._SETTLED_S

    def _found(self, size_bytes: int) -> bool:
        if size_bytes < self._read:
            # A shorter file is a new one, as when a log is rotated.
            self._read, self._rest = 0, b""
        with self._path.open("rb") as stream:
            stream.seek(self._read)
            content = self._rest + stream.read(_MOST_READ_BYTES)
            self._read = stream.tell()
        *lines, self._rest = content.split(b"\n")
        self._rest = self._rest[-_LONGEST_LINE:]
        with time_limited(self._pattern.pattern if self._pattern else "", self._name):
            for line in (*lines, self._rest):
                text = line[:_LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
                if self._pattern is not None and self._pattern.search(text, timeout=PATTERN_TIMEOUT_S):
                    self.line = text
                    return True
        return False
