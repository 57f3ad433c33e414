"""Numbers about calls, by tool and by who asked: how many, how they ended, how long they took; and the tools' own."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final, NamedTuple

from tools.calls import CallRecord, CallStatus, ErrorKind, Event, Measured, ToolCall, ToolResponse, TraceStep
from tools.calls.outcome import CACHE_HIT, EXECUTED, QUEUES, new_tuple
from tools.metrics.stats import MOST_CALLS, CallWindow, ToolRun, ToolStats, WaitTimes, stats_of

_RAN: Final = frozenset({CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.TIMED_OUT})
MOST_CALLERS: Final = 200
"""How many callers of one tool are told apart."""
OTHER_CALLERS: Final = "(others)"
"""Counts the callers beyond that."""
MOST_NAMES: Final = 1000
"""How many counters and measures of tools are kept, and how many names that no tool has."""
UNKNOWN_TOOLS: Final = "(unknown tools)"
"""Counts the calls of further names that no tool has: a model can invent any number of them."""

_NOTABLE_S: Final = 0.001
"""A call that was quicker than this waited for nothing worth telling apart."""


class EndedCall(NamedTuple):
    """One ended call, as it is counted.

    Attributes:
        elapsed_s: Seconds from the proposal to the end without waiting for people, permits and further attempts.
        from_cache: Whether nothing ran because the result was known.
        ran: Whether the tool was started, and not withdrawn.
        failure: How the tool failed; None when it did not, or when the status is all that is known. A call may succeed
            although its tool failed, because another one answered.
        message: What the failure said, without secrets; empty without one.
        raised: Whether the call failed because the tool raised what it did not mean to.
        waits: What the call took beside; None for nothing.
        arguments: What tells calls with other arguments apart; only a hash of it is kept, of failures.
    """

    tool: str
    status: CallStatus
    elapsed_s: float
    from_cache: bool = False
    caller: str = ""
    ran: bool = True
    failure: ErrorKind | None = None
    message: str = ""
    raised: bool = False
    waits: WaitTimes | None = None
    arguments: object = None


def ended_of(call: ToolCall | CallRecord, elapsed_s: float) -> EndedCall:
    """Return how an ended call is counted.

    A tool in whose place another one answered has failed, however well the call ended; unless it was never started.
    """
    outcome: ToolResponse | CallRecord
    tool, outcome = (call.name, call.response) if isinstance(call, ToolCall) else (call.tool.name, call)
    error, status, from_cache = outcome.error, outcome.status, outcome.cache_use is CACHE_HIT
    ran = bool(outcome.attempts) and not from_cache and status in _RAN
    if elapsed_s < _NOTABLE_S and error is None and not outcome.fallback:
        # For the chain with one listener, which stays ahead of every peer (`bench_call`).
        return new_tuple(
            EndedCall, (tool, status, elapsed_s, from_cache, call.caller, ran, None, "", False, None, None)
        )
    waits = _waits(outcome.steps, len(outcome.attempts))
    failure, message = None, ""
    if ran and error is not None:
        failure, message = error.kind, error.message
    elif ran and outcome.fallback:
        failure, message = ErrorKind.TOOL, f"{outcome.fallback!r} answered in its place"
    return EndedCall(
        tool,
        status,
        elapsed_s if waits is None else max(0.0, elapsed_s - waits.review_s - waits.queued_s),
        from_cache,
        call.caller,
        ran,
        failure,
        message,
        raised=error is not None and bool(error.traceback),
        waits=waits,
        arguments=call.arguments if failure is not None else None,
    )


def _waits(steps: Iterable[TraceStep], attempts: int) -> WaitTimes | None:
    waiting = [step for step in steps if step.waiting_s]
    if not waiting and attempts <= 1:
        return None
    queued_s = sum(step.waiting_s for step in waiting if step.kind in QUEUES)
    return WaitTimes(max(0, attempts - 1), sum(step.waiting_s for step in waiting) - queued_s, queued_s)


def _now() -> datetime:
    return datetime.now(UTC)


class ToolNumbers(NamedTuple):
    """What is known of one tool's calls so far, by everybody or by one caller.

    Attributes:
        total: All calls that ended.
        by_status: The same by how they ended.
        cache_hits: How many were answered from the cache.
        errors: How many of the failed ones raised what the tool did not mean to: the rest said that they failed.
        running_s: Seconds that the calls which ran took together.
    """

    total: int
    by_status: dict[CallStatus, int]
    cache_hits: int
    errors: int = 0
    running_s: float = 0.0
    runs: int = 0

    @property
    def failures(self) -> int:
        """How many calls failed in a way that the tool itself told."""
        return self.by_status.get(CallStatus.FAILED, 0) - self.errors


class Measure(NamedTuple):
    """What was observed under one name."""

    number: int
    total: float
    smallest: float
    largest: float
    latest: float

    @property
    def mean(self) -> float:
        return self.total / self.number


_MOST_FAILED: Final = 100
"""How many different arguments are told apart."""


@dataclass(slots=True)
class _CallerRecord:
    """One caller's calls of one tool."""

    by_status: Counter[CallStatus] = field(default_factory=Counter)
    hits: int = 0
    errors: int = 0
    runs: int = 0
    running_s: float = 0.0


class _ToolRecord:
    __slots__ = ("by_caller", "failed_at", "last_error", "window")

    def __init__(self, most_calls: int) -> None:
        self.by_caller: dict[str, _CallerRecord] = {}
        self.window = CallWindow(most_calls)
        self.last_error: tuple[float, str] | None = None
        self.failed_at: dict[int, float] = {}
        """When runs since the last success failed, by a hash of their arguments; a success empties it."""

    def add(self, ended_s: float, ended: EndedCall) -> None:
        failure = ended.failure
        if failure is None and ended.status is not EXECUTED:
            failure = ErrorKind.TOOL
        self.window.add(ended_s, ended.elapsed_s, failure, ended.waits)
        if failure is not None:
            self.last_error = (ended_s, ended.message)
            # Readers on other threads go through the one that they have.
            failed_at = {**self.failed_at, hash(repr(ended.arguments)): ended_s}
            if len(failed_at) > _MOST_FAILED:
                # The oldest goes: a window that moves on counts none but new ones.
                del failed_at[min(failed_at, key=failed_at.__getitem__)]
            self.failed_at = failed_at
        elif self.failed_at:
            self.failed_at = {}


_NEVER_RAN: Final = _ToolRecord(1)


class ToolMetrics:
    """Count calls by tool and caller, and what tools count themselves. Fed by the executor; read from any thread.

    Args:
        clock: Seconds that only grow.
        most_calls: How many of a tool's newest runs are kept.
        wall: The time of day.
    """

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        most_calls: int = MOST_CALLS,
        wall: Callable[[], datetime] = _now,
    ) -> None:
        self.clock = clock
        self.wall = wall
        self.most_calls = most_calls
        self._record_by_tool: dict[str, _ToolRecord] = {}
        self._counters: dict[tuple[str, str], float] = {}
        self._measures: dict[tuple[str, str], Measure] = {}
        self._lock = threading.Lock()

    def record(self, ended: EndedCall) -> None:
        tool, status, elapsed_s, from_cache, caller, ran, _, _, raised, _, _ = ended
        try:
            of_tool = self._record_by_tool[tool]
            record = of_tool.by_caller[caller]
        except KeyError:
            of_tool, record = self._new_record(tool, caller, status)
        record.by_status[status] += 1
        if from_cache:
            record.hits += 1
        elif ran and status in _RAN:
            record.runs += 1
            record.running_s += elapsed_s
            record.errors += raised and status is not EXECUTED
            of_tool.add(self.clock(), ended)

    def recall(self, ended: EndedCall, ago_s: float) -> None:
        """Add a run of the past to a tool's newest runs, and to nothing else; oldest first, before the first new one.

        Args:
            ago_s: Seconds since it ended.
        """
        with self._lock:
            of_tool = self._record_by_tool.setdefault(ended.tool, _ToolRecord(self.most_calls))
        of_tool.add(self.clock() - ago_s, ended)

    def _new_record(self, name: str, caller: str, status: CallStatus) -> tuple[_ToolRecord, _CallerRecord]:
        with self._lock:
            is_full = len(self._record_by_tool) >= MOST_NAMES
            if is_full and status is CallStatus.NOT_FOUND and name not in self._record_by_tool:
                name = UNKNOWN_TOOLS
            of_tool = self._record_by_tool.setdefault(name, _ToolRecord(self.most_calls))
            if caller not in of_tool.by_caller and len(of_tool.by_caller) >= MOST_CALLERS:
                caller = OTHER_CALLERS
            return of_tool, of_tool.by_caller.setdefault(caller, _CallerRecord())

    def numbers(self, name: str, caller: str | None = None) -> ToolNumbers:
        """Return one tool's numbers; all zero when it never ran.

        Args:
            caller: Only the calls of this caller; None is everybody.
        """
        by_caller = self._record_by_tool.get(name, _NEVER_RAN).by_caller
        records = [record for who, record in tuple(by_caller.items()) if caller in {None, who}]
        by_status: Counter[CallStatus] = Counter()
        for record in records:
            by_status.update(dict(record.by_status))
        return ToolNumbers(
            total=by_status.total(),
            by_status=dict(by_status),
            cache_hits=sum(record.hits for record in records),
            errors=sum(record.errors for record in records),
            running_s=math.fsum(record.running_s for record in records),
            runs=sum(record.runs for record in records),
        )

    def stats(self, name: str, since_s: float = 0.0, most_calls: int | None = None) -> ToolStats:
        """Return what the newest runs of a tool come to, whoever asked; empty when it never ran.

        Args:
            since_s: Only runs that ended at this reading of the clock or later.
            most_calls: Only that many of the newest; None for all that are kept.
        """
        of_tool = self._record_by_tool.get(name, _NEVER_RAN)
        runs, error = of_tool.window.runs(since_s, most_calls), of_tool.last_error
        hits = sum(record.hits for record in tuple(of_tool.by_caller.values()))
        ended_s = of_tool.window.newest_s
        return replace(
            stats_of(runs),
            cache_hits=hits,
            failed_in_a_row=sum(at_s >= since_s for at_s in of_tool.failed_at.values()),
            last_error=None if error is None else error[1],
            last_error_at=None if error is None else self._when(error[0]),
            last_run_at=None if ended_s is None else self._when(ended_s),
        )

    def runs(self, name: str, since_s: float = 0.0) -> list[ToolRun]:
        """Return the newest runs of a tool, one by one; see `stats`."""
        return self._record_by_tool.get(name, _NEVER_RAN).window.runs(since_s)

    def has_new_runs(self, name: str) -> bool:
        """Return whether a tool ran since somebody last asked for its stats."""
        return self._record_by_tool.get(name, _NEVER_RAN).window.has_new

    def names(self) -> tuple[str, ...]:
        return tuple(self._record_by_tool)

    def callers(self, name: str) -> tuple[str, ...]:
        return tuple(self._record_by_tool.get(name, _NEVER_RAN).by_caller)

    def count(self, name: str, value: float = 1.0, *, tool: str = "") -> None:
        """Let a counter grow.

        Args:
            name: What is counted, such as `rows`.
            tool: Whose counter it is; empty is the program's own.

        Raises:
            ValueError: When the value is no number, or would be one name too many.
        """
        key = self._checked(name, tool, value, self._counters)
        with self._lock:
            self._counters[key] = self._counters.get(key, 0.0) + value

    def observe(self, name: str, value: float, *, tool: str = "") -> None:
        """Add one value to those that have a mean and bounds.

        Args:
            name: What was measured, with its unit, such as `size_bytes`.
            tool: Whose it is; empty is the program's own.

        Raises:
            ValueError: When the value is no number, or would be one name too many.
        """
        key = self._checked(name, tool, value, self._measures)
        with self._lock:
            known = self._measures.get(key)
            if known is None:
                self._measures[key] = Measure(1, value, value, value, value)
            else:
                smallest, largest = min(known.smallest, value), max(known.largest, value)
                self._measures[key] = Measure(known.number + 1, known.total + value, smallest, largest, value)

    def counter(self, name: str, *, tool: str = "") -> float:
        """Return what a counter has come to; 0 when nobody counted."""
        return self._counters.get((tool, name), 0.0)

    def measure(self, name: str, *, tool: str = "") -> Measure | None:
        """Return what was observed under a name; None when nobody did."""
        return self._measures.get((tool, name))

    def counters(self, tool: str = "") -> dict[str, float]:
        """Return all counters of a tool, or of the program, by name."""
        with self._lock:
            return {name: value for (whose, name), value in self._counters.items() if whose == tool}

    def measures(self, tool: str = "") -> dict[str, Measure]:
        """Return everything observed by a tool, or by the program, by name."""
        with self._lock:
            return {name: value for (whose, name), value in self._measures.items() if whose == tool}

    def take(self, event: Event) -> None:
        """Take what a running tool counts or measures; listens to the executor."""
        if isinstance(event, Measured):
            name, value, counted = event.measurement
            (self.count if counted else self.observe)(name, value, tool=event.call.name)

    def _when(self, moment_s: float) -> datetime:
        return self.wall() - timedelta(seconds=self.clock() - moment_s)

    @staticmethod
    def _checked(name: str, tool: str, value: float, known: Mapping[tuple[str, str], object]) -> tuple[str, str]:
        key = tool, name
        if not math.isfinite(value):
            msg = f"expected a finite number for {name!r}, got {value!r}"
            raise ValueError(msg)
        if key not in known and len(known) >= MOST_NAMES:
            msg = (
                f"{name!r} would be one name more than the {MOST_NAMES:,} that are kept; put what varies into the value"
            )
            raise ValueError(msg)
        return key
