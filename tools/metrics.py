"""Numbers about calls: how many, how they ended, how long they took."""

from __future__ import annotations

import threading
from collections import Counter, deque
from typing import Final, NamedTuple

from tools.calls import CallStatus

_EXECUTED: Final = CallStatus.EXECUTED
WINDOW: Final = 1000
"""How many durations are kept for each tool."""


class ToolNumbers(NamedTuple):
    """What is known of one tool's calls so far.

    Attributes:
        total: All calls that ended.
        by_status: The same by how they ended.
        cache_hits: How many were answered from the cache.
        durations_s: The newest durations of calls that ran, oldest first, at most `WINDOW`.
    """

    total: int
    by_status: dict[CallStatus, int]
    cache_hits: int
    durations_s: tuple[float, ...]

    def percentile_s(self, share: float) -> float | None:
        """Return the duration that this share of the kept calls did not exceed (nearest rank); None without calls.

        Args:
            share: From 0 to 1, such as 0.5 for the median.
        """
        if not self.durations_s:
            return None
        ordered = sorted(self.durations_s)
        return ordered[min(len(ordered) - 1, max(0, -(-round(share * 1000) * len(ordered) // 1000) - 1))]


class _Record:
    __slots__ = ("by_status", "cache_hits", "durations_s", "executed")

    def __init__(self) -> None:
        self.executed = 0
        self.by_status: Counter[CallStatus] = Counter()
        self.cache_hits = 0
        self.durations_s: deque[float] = deque(maxlen=WINDOW)


class ToolMetrics:
    """Count calls by tool. Fed by the executor; read from any thread."""

    def __init__(self) -> None:
        self._record_by_tool: dict[str, _Record] = {}
        self._lock = threading.Lock()

    def record(self, name: str, status: CallStatus, elapsed_s: float, *, from_cache: bool) -> None:
        """Add one ended call.

        Args:
            name: The tool.
            status: How the call ended.
            elapsed_s: Seconds it took.
            from_cache: Whether nothing ran.
        """
        record = self._record_by_tool.get(name)
        if record is None:
            with self._lock:
                record = self._record_by_tool.setdefault(name, _Record())
        if status is _EXECUTED:
            record.executed += 1
            if from_cache:
                record.cache_hits += 1
            else:
                record.durations_s.append(elapsed_s)
            return
        record.by_status[status] += 1
        if from_cache:
            record.cache_hits += 1
        elif status is CallStatus.FAILED:
            record.durations_s.append(elapsed_s)

    def numbers(self, name: str) -> ToolNumbers:
        """Return one tool's numbers; all zero when it never ran."""
        record = self._record_by_tool.get(name) or _Record()
        by_status = {**({CallStatus.EXECUTED: record.executed} if record.executed else {}), **record.by_status}
        return ToolNumbers(sum(by_status.values()), by_status, record.cache_hits, tuple(record.durations_s.copy()))

    def names(self) -> tuple[str, ...]:
        """Return the tools that have numbers."""
        return tuple(self._record_by_tool)
