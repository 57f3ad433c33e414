"""The changes of the tools' health: kept over restarts, listed, and told once."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from tools.health.file import FILE_NAME, opened, write
from tools.health.indicator import HealthStatus
from tools.health.monitor import HealthChange

KEPT: Final = timedelta(days=90)
"""How long changes are kept."""
QUIET: Final = timedelta(minutes=10)
"""For how long nobody is told a second time that the same tool is in the same trouble."""
MOST_LISTED: Final = 500
"""How many changes are listed unless somebody asks for more."""
_TROUBLE: Final = frozenset({HealthStatus.DEGRADED, HealthStatus.DOWN})
_SINCE: Final = datetime(1970, 1, 1, tzinfo=UTC)


class _Told:
    """What was told of one tool, and when."""

    __slots__ = ("at_by_status", "last")

    def __init__(self) -> None:
        self.last: HealthStatus | None = None
        self.at_by_status: dict[HealthStatus, datetime] = {}

    def tell(self, status: HealthStatus, at: datetime) -> None:
        self.last = status
        self.at_by_status[status] = at

    def lately(self, status: HealthStatus, at: datetime) -> bool:
        told_at = self.at_by_status.get(status)
        return told_at is not None and at - told_at < QUIET


class Transitions:
    """Keep what a `HealthMonitor` notices, and tell the news of it.

    News is that a tool is degraded or down, and that one of which this was told is up again. What a tool that goes back
    and forth comes to is news once in `QUIET`, unless it lasts; the list has every change. For one thread.

    Args:
        folder: Where the file is kept; it is made when it is missing.
        notify: Whether changes of a tool are told at all; None tells those of every tool.
    """

    def __init__(self, folder: Path, notify: Callable[[str], bool] | None = None) -> None:
        self.path = folder / FILE_NAME
        self._notify = notify
        self._told: dict[str, _Told] = {}
        self._held: dict[str, HealthChange] = {}
        self._new: list[HealthChange] = []

    def take(self, changes: Iterable[HealthChange], now: datetime) -> tuple[HealthChange, ...]:
        """Take what was noticed, oldest first, and return the news; it is kept with the next `flush`.

        Args:
            changes: They may be none: what was not told so as not to repeat it is told when it lasts.
            now: The time of day.
        """
        taken = tuple(changes)
        self._new += taken
        return (*(change for change in taken if self._is_news(change)), *self._lasting(now))

    def flush(self, now: datetime) -> None:
        """Add what is new to the file, and forget what is older than `KEPT`.

        Args:
            now: The time of day.

        Raises:
            sqlite3.Error: When it cannot be written; nothing is lost, the next flush tries again.
            OSError: When the folder cannot be made.
        """
        new = list(self._new)
        if not new:
            return

        def change(file: sqlite3.Connection) -> None:
            file.executemany("INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?, ?)", map(_row, new))
            file.execute("DELETE FROM changes WHERE at_us < ?", (_us(now - KEPT),))

        write(self.path, now, _LAYOUT, change)
        del self._new[: len(new)]

    def newest(self, tool: str | None = None, limit: int = MOST_LISTED) -> list[HealthChange]:
        """Return the newest changes that are kept, newest first, whichever program noticed them.

        Args:
            tool: Only this tool's; None is all.
            limit: How many at most.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        return self._read(
            "WHERE :tool IS NULL OR tool = :tool ORDER BY at_us DESC LIMIT :limit", {"tool": tool, "limit": limit}
        )

    def latest(self) -> dict[str, HealthChange]:
        """Return the newest change of each tool, with which a monitor goes on after a start.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        newest = "WHERE (tool, at_us) IN (SELECT tool, MAX(at_us) FROM changes GROUP BY tool)"
        return {change.tool_name: change for change in self._read(newest, {})}

    def _is_news(self, change: HealthChange) -> bool:
        self._held.pop(change.tool_name, None)
        if self._notify is not None and not self._notify(change.tool_name):
            return False
        told = self._told.setdefault(change.tool_name, _Told())
        if change.after is HealthStatus.UP:
            is_news = (told.last or change.before) in _TROUBLE
        else:
            is_news = change.after in _TROUBLE and not told.lately(change.after, change.at)
            if change.after in _TROUBLE and not is_news and told.last is not change.after:
                self._held[change.tool_name] = change
        if is_news:
            told.tell(change.after, change.at)
        return is_news

    def _lasting(self, now: datetime) -> list[HealthChange]:
        """Return the trouble that was not told, because it had been lately, and that is there for good."""
        lasting = [
            change for change in self._held.values() if not self._told[change.tool_name].lately(change.after, now)
        ]
        for change in lasting:
            del self._held[change.tool_name]
            self._told[change.tool_name].tell(change.after, now)
        return lasting

    def _read(self, rest: str, values: Mapping[str, object]) -> list[HealthChange]:
        if not self.path.exists():
            return []
        with closing(opened(self.path)) as file:
            if file.execute("SELECT 1 FROM sqlite_master WHERE name = 'changes'").fetchone() is None:
                return []
            rows = file.execute(f"SELECT at_us, tool, before, after, reason FROM changes {rest}", values)  # noqa: S608 -- ours
            return [_change(*row) for row in rows]


def _us(at: datetime) -> int:
    return math.floor((at - _SINCE) / timedelta(microseconds=1))


def _row(change: HealthChange) -> tuple[int, str, str, str, str | None]:
    return _us(change.at), change.tool_name, change.before.value, change.after.value, change.reason


def _change(at_us: int, tool: str, before: str, after: str, reason: str | None) -> HealthChange:
    at = _SINCE + timedelta(microseconds=at_us)
    return HealthChange(tool, HealthStatus(before), HealthStatus(after), reason, at)


_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS changes (
    at_us INTEGER, tool TEXT, before TEXT NOT NULL, after TEXT NOT NULL, reason TEXT,
    PRIMARY KEY (at_us, tool)
) WITHOUT ROWID;
"""
