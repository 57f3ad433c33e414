"""Judge a tool by what its newest runs came to."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from tools.calls import ErrorKind
from tools.health.limits import FAILED_IN_A_ROW, HealthLimits
from tools.health.probe_outcome import Check, ProbeSummary
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
        reason: Why it is not up, in one sentence without a full stop; None when it is up.
        checked: What its newest probes say; None when none counts.
    """

    status: HealthStatus
    tool_name: str
    stats: ToolStats
    reason: str | None
    checked: ProbeSummary | None = None


class ToolHealthIndicator:
    """Judge one tool.

    Args:
        limits: From where on it is degraded or down.
    """

    def __init__(self, tool_name: str, limits: HealthLimits) -> None:
        self.tool_name = tool_name
        self.limits = limits

    def judge(self, stats: ToolStats, checked: ProbeSummary | None = None) -> Health:
        """Say how the tool does.

        Limits hold once there is evidence: enough runs, or several failures in a row at different arguments. Of fewer
        runs a tool is up while none failed; when some did, nobody knows, and the reason tells how many.

        A share or a time exactly at its limit is still within. Probes that fail in a row count before everything else,
        too few successes before too much time. Where the runs are too few to say anything, a probe that passed does,
        until enough others in a row failed.

        Args:
            stats: Of the runs within the window of the limits.
            checked: What the newest probes say; None when none did within that window.
        """
        status, reason = self._verdict(stats)
        if checked is not None and not _ran_well_since(stats, checked.latest):
            status, reason = self._checked(checked, status, reason)
        return Health(status, self.tool_name, stats, reason, checked)

    def _checked(
        self, checked: ProbeSummary, status: HealthStatus, reason: str | None
    ) -> tuple[HealthStatus, str | None]:
        failed, latest = checked.failed_in_a_row, checked.latest
        said = f": {latest.message}" if latest.message else ""
        if failed >= self.limits.failed_checks:
            probes = "its probe failed" if failed == 1 else f"its last {failed:,} probes failed"
            return HealthStatus.DOWN, f"{probes}{said}"
        if status is not HealthStatus.UNKNOWN:
            return status, reason
        if checked.passed_within(self.limits.window_s):
            return HealthStatus.UP, None
        enough = self.limits.failed_checks
        return status, f"its probe failed {_times(failed)}, of the {enough:,} in a row that count{said}"

    def _verdict(self, stats: ToolStats) -> tuple[HealthStatus, str | None]:
        limits, rate, p95_ms = self.limits, stats.success_rate, stats.p95_ms
        if rate is None or p95_ms is None:
            return HealthStatus.UNKNOWN, "it has not run lately"
        enough = min(limits.least_calls, limits.window_calls)
        if stats.count < enough and stats.failed_in_a_row < FAILED_IN_A_ROW:
            if not stats.failures:
                return HealthStatus.UP, None
            return HealthStatus.UNKNOWN, f"{failed_words(stats)}, too few runs to judge"
        if rate < limits.success_down:
            return HealthStatus.DOWN, _too_few(stats, rate, limits.success_down)
        if rate < limits.success_up:
            return HealthStatus.DEGRADED, _too_few(stats, rate, limits.success_up)
        if p95_ms > limits.p95_ms:
            return HealthStatus.DEGRADED, f"P95 is {_time(p95_ms, limits.p95_ms)}, above {_time(limits.p95_ms, p95_ms)}"
        return HealthStatus.UP, None


def _ran_well_since(stats: ToolStats, check: Check) -> bool:
    """Return whether the newest run is a success, and newer than a probe."""
    ran, failed = stats.last_run_at, stats.last_error_at
    return ran is not None and ran > check.at and (failed is None or failed < ran)


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


def failed_words(stats: ToolStats) -> str:
    """Return how many of a few runs failed: `failed once`, `failed 2 of 3`."""
    return "failed once" if stats.count == 1 else f"failed {stats.failures:,} of {stats.count:,}"


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
