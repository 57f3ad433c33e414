"""The newest runs of a tool, and what they come to."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Final, NamedTuple

from tools.calls import ErrorKind
from tools.calls.outcome import new_tuple

MOST_CALLS: Final = 1000
"""How many runs of a tool are kept unless somebody asks for more."""


class WaitTimes(NamedTuple):
    """What a run took beside one turn in the tool."""

    retries: int = 0
    review_s: float = 0.0
    queued_s: float = 0.0


class ToolRun(NamedTuple):
    """One run of a tool.

    Attributes:
        ended_s: When it ended, by a clock that only grows.
        elapsed_s: Seconds in the tool, without waiting for people and permits.
        failure: What kind of failure it was; None when it succeeded.
        waits: What it took beside; None for nothing.
    """

    ended_s: float
    elapsed_s: float
    failure: ErrorKind | None = None
    waits: WaitTimes | None = None


class CallWindow:
    """Keep the newest runs of one tool. Written and read from any thread, and writing waits for nobody.

    Attributes:
        has_new: Whether a run was added since somebody last asked for the runs.
    """

    __slots__ = ("_runs", "has_new")

    def __init__(self, most_calls: int = MOST_CALLS) -> None:
        self._runs: deque[ToolRun] = deque(maxlen=max(1, most_calls))
        self.has_new = False

    @property
    def newest_s(self) -> float | None:
        """When the newest run ended; None for never."""
        return self._runs[-1].ended_s if self._runs else None

    def add(
        self, ended_s: float, elapsed_s: float, failure: ErrorKind | None = None, waits: WaitTimes | None = None
    ) -> None:
        """Add one run, of those names; the oldest one goes when there is no more room."""
        self._runs.append(new_tuple(ToolRun, (ended_s, elapsed_s, failure, waits)))
        self.has_new = True

    def runs(self, since_s: float = 0.0, most_calls: int | None = None) -> list[ToolRun]:
        """Return the runs of the window, in the order of their ends."""
        self.has_new = False
        runs = self._copy()
        if most_calls is not None:
            runs = runs[max(0, len(runs) - max(0, most_calls)) :]
        return runs[bisect_left(runs, since_s, key=itemgetter(0)) :]

    def _copy(self) -> list[ToolRun]:
        while True:
            try:
                return list(self._runs)
            except RuntimeError:  # a run was added meanwhile
                continue


@dataclass(frozen=True, slots=True)
class ToolStats:
    """What is known of a tool's runs within a window. Times are milliseconds in the tool itself, exact.

    Attributes:
        count: How many runs: calls that started the tool and were not withdrawn. Answers from the cache, and calls that
            were refused, cancelled or given up, are none.
        successes: How many succeeded.
        failures_by_kind: How many failed, by kind, the most frequent first.
        min_ms: The quickest run; None without runs, like the other times.
        p50_ms: What half of the runs did not exceed, by nearest rank.
        p95_ms: What 95% of them did not exceed.
        p99_ms: What 99% of them did not exceed.
        max_ms: The slowest run.
        retries: How often a run had to start the tool again.
        waiting_for_review_ms: How long the runs waited for people, together.
        queueing_ms: How long they waited for permits and places, together.
        cache_hits: How many calls were answered from the cache since the program began.
        last_error: What the newest failure said; None when none is known.
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
        return self.count - self.successes

    @property
    def success_rate(self) -> float | None:
        """The share of runs that succeeded, from 0 to 1; None without runs."""
        return self.successes / self.count if self.count else None


def percentile(values: Sequence[float], percent: int) -> float:
    """Return what a percentage of some values did not exceed, by nearest rank.

    Args:
        percent: From 0 to 100.
    """
    return _at_rank(sorted(values), percent)


def stats_of(runs: Sequence[ToolRun]) -> ToolStats:
    """Return what some runs of one tool come to; what a window does not know is left empty."""
    if not runs:
        return ToolStats()
    elapsed_s = sorted([run.elapsed_s for run in runs])
    failures_by_kind = Counter([run.failure for run in runs if run.failure is not None])
    waits = [run.waits for run in runs if run.waits is not None]
    return ToolStats(
        count=len(runs),
        successes=len(runs) - failures_by_kind.total(),
        failures_by_kind=dict(failures_by_kind.most_common()),
        min_ms=elapsed_s[0] * 1000,
        mean_ms=math.fsum(elapsed_s) * 1000 / len(runs),
        p50_ms=_at_rank(elapsed_s, 50) * 1000,
        p95_ms=_at_rank(elapsed_s, 95) * 1000,
        p99_ms=_at_rank(elapsed_s, 99) * 1000,
        max_ms=elapsed_s[-1] * 1000,
        retries=sum(wait.retries for wait in waits),
        waiting_for_review_ms=math.fsum(wait.review_s for wait in waits) * 1000,
        queueing_ms=math.fsum(wait.queued_s for wait in waits) * 1000,
    )


def _at_rank(ordered: Sequence[float], percent: int) -> float:
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]
