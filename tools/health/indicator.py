"""Judge a tool by what its newest runs came to."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from tools.calls import ErrorKind
from tools.health.limits import HealthLimits
from tools.metrics import ToolStats


class HealthStatus(StrEnum):
    """How a tool did lately, from good to bad but for the last, which says that nobody knows."""

    UP = "up"
    DEGRADED = "degraded"
    DOWN = "down"
    UNKNOWN = "unknown"


class Health(NamedTuple):
    """What can be said of one tool.

    Attributes:
        status: How it did.
        tool_name: The tool.
        stats: What it was judged by.
        reason: Why it is not up, in one sentence without a full stop; None when it is up.
    """

    status: HealthStatus
    tool_name: str
    stats: ToolStats
    reason: str | None


class ToolHealthIndicator:
    """Judge one tool.

    Args:
        tool_name: The tool.
        limits: From where on it is degraded or down.
    """

    def __init__(self, tool_name: str, limits: HealthLimits) -> None:
        self.tool_name = tool_name
        self.limits = limits

    def judge(self, stats: ToolStats) -> Health:
        """Say how the tool does.

        A share or a time exactly at its limit is still within. Too few successes count before too much time.

        Args:
            stats: Of the runs within the window of the limits.
        """
        status, reason = self._verdict(stats)
        return Health(status, self.tool_name, stats, reason)

    def _verdict(self, stats: ToolStats) -> tuple[HealthStatus, str | None]:
        limits, rate, p95_ms = self.limits, stats.success_rate, stats.p95_ms
        if rate is None or p95_ms is None:
            return HealthStatus.UNKNOWN, "it has not run lately"
        if stats.count < limits.least_calls:
            runs = "1 run" if stats.count == 1 else f"{stats.count:,} runs"
            return HealthStatus.UNKNOWN, f"{runs} of the {limits.least_calls:,} it takes to judge"
        if rate < limits.success_down:
            return HealthStatus.DOWN, _too_few(stats, rate, limits.success_down)
        if rate < limits.success_up:
            return HealthStatus.DEGRADED, _too_few(stats, rate, limits.success_up)
        if p95_ms > limits.p95_ms:
            return HealthStatus.DEGRADED, f"P95 is {_time(p95_ms, limits.p95_ms)}, above {_time(limits.p95_ms, p95_ms)}"
        return HealthStatus.UP, None


def worst(statuses: list[HealthStatus]) -> HealthStatus:
    """Return the worst of some statuses; what nobody knows counts only when nothing is known at all."""
    order = (HealthStatus.DOWN, HealthStatus.DEGRADED, HealthStatus.UP)
    return next((status for status in order if status in statuses), HealthStatus.UNKNOWN)


def _too_few(stats: ToolStats, rate: float, limit: float) -> str:
    # Too few successes means that there are failures.
    kind, count = next(iter(stats.failures_by_kind.items()))
    often = f"; {_FAILURES.get(kind, kind.value)} {_times(count)}"
    return f"success is {_share(rate, limit)}, below {_share(limit, rate)}{often}"


def _share(share: float, beside: float) -> str:
    return f"{_distinct(share * 100, beside * 100)}%"


def _time(ms: float, beside_ms: float) -> str:
    return f"{_distinct(ms, beside_ms)} ms" if ms < _SECOND_MS else f"{_distinct(ms / 1000, beside_ms / 1000)} s"


def _distinct(number: float, beside: float) -> str:
    """Write a number with three digits, or as many as it takes to tell it from the other."""
    digits = next(
        digits for digits in _DIGITS if digits == _DIGITS[-1] or f"{number:.{digits}g}" != f"{beside:.{digits}g}"
    )
    return f"{number:.{digits}g}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


_SECOND_MS: Final = 1000
_DIGITS: Final = (3, 5, 9, 17)
_FAILURES: Final = {
    ErrorKind.TOOL: "failed",
    ErrorKind.TIMEOUT: "timed out",
    ErrorKind.CRASHED: "crashed",
    ErrorKind.CONTRACT: "broke its contract",
    ErrorKind.UNAVAILABLE: "was not available",
    ErrorKind.CONFIGURATION: "was not configured",
    ErrorKind.RATE_LIMIT: "hit a rate limit",
}
