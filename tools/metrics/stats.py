"""What the runs of a tool within a window come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tools.calls import ErrorKind

if TYPE_CHECKING:
    import numpy as np

    from tools.metrics.window import Runs


@dataclass(frozen=True, slots=True)
class ToolStats:
    """What is known of a tool's runs within a window. Times are milliseconds in the tool itself, exact.

    Attributes:
        count: How many runs: calls that started the tool and were not withdrawn. Answers from the cache, and calls that
            were refused, cancelled or given up, are none.
        successes: How many succeeded.
        failures_by_kind: How many failed, by kind, the most frequent first.
        min_ms: The quickest run; None without runs, like the other times.
        mean_ms: The mean of all.
        p50_ms: What half of the runs did not exceed, by nearest rank.
        p95_ms: What 95% of them did not exceed.
        p99_ms: What 99% of them did not exceed.
        max_ms: The slowest run.
        retries: How often a run had to start the tool again.
        waiting_for_review_ms: How long the runs waited for people, together.
        queueing_ms: How long they waited for permits and places, together.
        cache_hits: How many calls were answered from the cache since the program began.
        last_error: What the newest failure said; None when none is known.
        last_error_at: When that was.
        last_run_at: When the newest run ended; None when none is known.
        failed_in_a_row: With how many different arguments the newest runs failed, one after the other.
    """

    count: int = 0
    successes: int = 0
    failures_by_kind: Mapping[ErrorKind, int] = field(default_factory=dict)
    min_ms: float | None = None
    mean_ms: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    max_ms: float | None = None
    retries: int = 0
    waiting_for_review_ms: float = 0.0
    queueing_ms: float = 0.0
    cache_hits: int = 0
    last_error: str | None = None
    last_error_at: datetime | None = None
    last_run_at: datetime | None = None
    failed_in_a_row: int = 0

    @property
    def failures(self) -> int:
        """How many runs failed."""
        return self.count - self.successes

    @property
    def success_rate(self) -> float | None:
        """The share of runs that succeeded, from 0 to 1; None without runs."""
        return self.successes / self.count if self.count else None


def percentile(values: np.ndarray[Any, Any], percent: int) -> float:
    """Return what a percentage of some values did not exceed, by nearest rank.

    Args:
        values: At least one.
        percent: From 0 to 100.
    """
    import numpy as np  # noqa: PLC0415 -- see `CallWindow`

    rank = _rank(len(values), percent)
    return float(np.partition(values, rank)[rank])


def stats_of(runs: Runs) -> ToolStats:
    """Return what some runs come to; what a window does not know is left empty.

    Args:
        runs: Of one tool.
    """
    if not runs.count:
        return ToolStats()
    # Sorting once is quicker than three partitions.
    elapsed_s = runs.elapsed_s.copy()
    elapsed_s.sort()
    min_ms, p50_ms, p95_ms, p99_ms, max_ms = (
        float(elapsed_s[_rank(runs.count, percent)]) * 1000 for percent in (0, 50, 95, 99, 100)
    )
    failures_by_kind = runs.failures_by_kind()
    return ToolStats(
        count=runs.count,
        successes=runs.count - sum(failures_by_kind.values()),
        failures_by_kind=failures_by_kind,
        min_ms=min_ms,
        mean_ms=float(elapsed_s.sum()) * 1000 / runs.count,
        p50_ms=p50_ms,
        p95_ms=p95_ms,
        p99_ms=p99_ms,
        max_ms=max_ms,
        retries=runs.waits.retries,
        waiting_for_review_ms=runs.waits.review_s * 1000,
        queueing_ms=runs.waits.queued_s * 1000,
    )


def _rank(count: int, percent: int) -> int:
    return max(0, -(-percent * count // 100) - 1)
