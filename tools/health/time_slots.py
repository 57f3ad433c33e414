"""Read how tools did, slot by slot, from the file that `HealthSeries` writes.

Each row that Python fetches from SQLite lets every other thread run first. Under thousands of calls a second that
costs more than the query, so the database returns all slots as one text, and slots that are over are cached.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.health.file import opened

GROWTH: Final = 1.05
"""From one bin of durations to the next: a percentile is off by 2.5 % of itself at most."""
LATE: Final = timedelta(seconds=60)
"""How long after its end a slot may grow until it is taken for what it is."""
KNOWN: Final = timedelta(seconds=30)
"""For how long that is believed, lest another program added to it even later."""
_LEAST_S: Final = 1e-5
_LOG_GROWTH: Final = math.log(GROWTH)
_NO_RUNS: Final = (0, 0, None, None, None)


class TimeSpan(NamedTuple):
    """A stretch of time up to now, and how finely it is told.

    Attributes:
        length_s: Seconds it is long.
    """

    length_s: int
    slot_s: int


SPANS: Final = {
    "5 min": TimeSpan(300, 5),
    "1 h": TimeSpan(3600, 60),
    "24 h": TimeSpan(86_400, 900),
    "7 d": TimeSpan(604_800, 7200),
}
"""The spans by the names people choose them by."""


class Slot(NamedTuple):
    """What happened in one slot.

    Attributes:
        length_s: Seconds it is long.
        calls: How many calls of each kind of caller ended in it: `you`, `agent`, `batch`, or another word.
        runs: How many of them ran.
        failures: How many runs failed.
        failed: How many of them failed for each kind of caller; a kind without failures is left out.
        p50_ms: What half of the runs did not exceed, within 2.5 %; None without runs.
        p95_ms: What 95% of them did not exceed.
        p99_ms: What 99% of them did not exceed.
    """

    begins_at: datetime
    length_s: int
    calls: dict[str, int]
    runs: int
    failures: int
    failed: dict[str, int]
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None

    @property
    def success_rate(self) -> float | None:
        """The share of runs that succeeded, from 0 to 1; None without runs."""
        return (self.runs - self.failures) / self.runs if self.runs else None


class _Over(NamedTuple):
    """The slots of one question that were over when they were read.

    Attributes:
        question: The span, the tools that are told apart, and which.
        first: The number of the first slot that was asked for.
        end: That of the first one that was not over.
        slots_by_tool: They themselves, oldest first.
    """

    question: tuple[TimeSpan, str, str | None]
    first: int
    end: int
    read_at: datetime
    slots_by_tool: Mapping[str, list[Slot]]


class SlotReader:
    """Read slots. Those that are over are remembered: whoever asks four times a second pays for the newest ones.

    In any thread.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._over: dict[str, _Over] = {}

    def forget(self) -> None:
        """Read all anew: something was added where nobody expects it."""
        self._over = {}

    def all_together(self, span: TimeSpan, now: datetime, tool: str | None) -> list[Slot]:
        """Return the slots of one tool, oldest first; None is all together."""
        question = span, "''", tool
        return self._newest(question, now, "(:value IS NULL OR tool = :value)").get("", [])

    def by_tool(self, span: TimeSpan, now: datetime, tools: Collection[str]) -> dict[str, list[Slot]]:
        """Return the slots of several tools, oldest first."""
        question = span, "tool", json.dumps(sorted(tools))
        return self._newest(question, now, "tool IN (SELECT value FROM json_each(:value))")

    def totals(self, span: TimeSpan, now: datetime) -> dict[str, Slot]:
        """Return what happened in all slots of a span together, by tool."""
        asked = _Asked("tool", "0", ":value IS NULL", span, _first(span, now), None)
        return {tool: slot for tool, (slot,) in asked.slots(self._path).items()}

    def _newest(self, question: tuple[TimeSpan, str, str | None], now: datetime, where: str) -> dict[str, list[Slot]]:
        span, tool, value = question
        first = _first(span, now)
        over_by_tool = self._over  # another one after `forget`
        over = over_by_tool.get(tool)
        if over is None or over.question != question or not over.first <= first <= over.end or not _is_fresh(over, now):
            over = _Over(question, first, first, now, {})
        found: dict[str, list[Slot]] = defaultdict(list)
        for name, slots in over.slots_by_tool.items():
            found[name] = [slot for slot in slots if _number(slot.begins_at, span) >= first]
        for name, slots in _Asked(tool, "slot", where, span, over.end, value).slots(self._path).items():
            found[name] += slots
        end = max(over.end, _number(now - LATE, span))
        old = {name: [slot for slot in slots if _number(slot.begins_at, span) < end] for name, slots in found.items()}
        over_by_tool[tool] = _Over(question, first, end, over.read_at, old)
        return {name: slots for name, slots in found.items() if slots}


def _is_fresh(over: _Over, now: datetime) -> bool:
    return timedelta() <= now - over.read_at < KNOWN


def _first(span: TimeSpan, now: datetime) -> int:
    """Return the number of the first slot of a span that ends now."""
    return math.floor((now.timestamp() - span.length_s) / span.slot_s) + 1


def _number(at: datetime, span: TimeSpan) -> int:
    return math.floor(at.timestamp() / span.slot_s)


class _Asked(NamedTuple):
    """Ask for slots; the answers are put together by the database, away from Python.

    Each row that Python fetches lets other threads have their turn first, so that all of them come as one text.

    Attributes:
        tool: What the tool is in the answer, in a query.
        where: Which calls to look at, by the third value.
        span: One of `SPANS`.
        first: The number of the first slot to look at.
    """

    tool: str
    slot: str
    where: str
    span: TimeSpan
    first: int
    value: str | None

    def slots(self, path: Path) -> dict[str, list[Slot]]:
        """Return the slots by tool, oldest first."""
        if not path.exists():
            return {}
        with closing(opened(path)) as file:
            # Others keep what they have in the same file, and may have begun it.
            if file.execute(_TABLES, ("calls", "failed", "runs")).fetchone() != (3,):
                return {}
            calls, failed = self._by_caller(file, "calls", "calls"), self._by_caller(file, "failed", "failures")
            told = {(tool, slot): numbers for tool, slot, *numbers in self._runs(file)}
        found: dict[str, list[Slot]] = defaultdict(list)
        for key in sorted(calls):
            tool, slot = key
            runs, failures, *places = told.get(key, _NO_RUNS)
            p50_ms, p95_ms, p99_ms = (None if place is None else ms_of(place) for place in places)
            begins_at, length_s = datetime.fromtimestamp(slot * self.span.slot_s, UTC), self.span.slot_s
            of_caller = failed.get(key, {})
            found[tool].append(Slot(begins_at, length_s, calls[key], runs, failures, of_caller, p50_ms, p95_ms, p99_ms))
        return found

    def _by_caller(self, file: sqlite3.Connection, table: str, what: str) -> dict[tuple[str, int], dict[str, int]]:
        """Return how many there were for each kind of caller, by tool and slot."""
        query = f"""
            SELECT json_group_array(json_array(tool, slot, caller, count)) FROM (
                SELECT {self.tool} AS tool, {self.slot} AS slot, caller, SUM({what}) AS count
                FROM {table} {self._where} GROUP BY 1, 2, 3
            )"""  # noqa: S608 -- our own words
        found: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
        for tool, slot, caller, count in self._fetched(file, query):
            found[tool, slot][caller] = count
        return found

    def _runs(self, file: sqlite3.Connection) -> list[Any]:
        """Return tool, slot, runs, failures, and the bins of three percentiles."""
        bins = ", ".join(f"MIN(CASE WHEN 100 * seen >= {percent} * total THEN bin END)" for percent in (50, 95, 99))
        query = f"""
            WITH bins AS (
                SELECT {self.tool} AS tool, {self.slot} AS slot, bin, SUM(runs) AS runs, SUM(failures) AS failures
                FROM runs {self._where} GROUP BY 1, 2, 3
            ), ranked AS (
                SELECT tool, slot, bin, runs, failures, SUM(runs) OVER (PARTITION BY tool, slot) AS total,
                    SUM(runs) OVER (PARTITION BY tool, slot ORDER BY bin) AS seen FROM bins
            )
            SELECT json_group_array(json(row)) FROM (
                SELECT json_array(tool, slot, SUM(runs), SUM(failures), {bins}) AS row FROM ranked GROUP BY tool, slot
            )"""  # noqa: S608 -- our own words
        return self._fetched(file, query)

    @property
    def _where(self) -> str:
        return f"WHERE slot_s = :slot_s AND slot >= :first AND {self.where}"

    def _fetched(self, file: sqlite3.Connection, query: str) -> list[Any]:
        values = {"slot_s": self.span.slot_s, "first": self.first, "value": self.value}
        found: list[Any] = json.loads(file.execute(query, values).fetchone()[0])
        return found


def bin_of(elapsed_s: float) -> int:
    """Return the bin of a duration."""
    return math.ceil(math.log(max(elapsed_s, _LEAST_S) / _LEAST_S) / _LOG_GROWTH)


def ms_of(place: int) -> float:
    """Return the milliseconds that stand for a bin, as far from its ends in proportion."""
    upper_s = _LEAST_S * GROWTH**place
    return 2000 * upper_s / (1 + GROWTH)


_TABLES: Final = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?)"
