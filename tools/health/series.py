"""How tools did over time: counts and latencies, rolled up into ever coarser slots and kept over restarts.

Every call is added to one slot of each resolution. A slot knows how many calls of each kind of caller ended in it, and
how many runs took about how long: durations fall into bins of which each is 5% wider than the one before, so that a
percentile read from them is wrong by at most 2.5%. All numbers of a slot only grow, and are added up in the file: two
programs at once share one series. A slot without calls does not exist; what shows a series leaves a gap there.
"""

from __future__ import annotations

import json
import math
import sqlite3
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Collection
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.calls import CallFinished, Event
from tools.health.file import FILE_NAME, opened, write
from tools.metrics import ended_of

GROWTH: Final = 1.05
RELATIVE_ERROR: Final = (GROWTH - 1) / (GROWTH + 1)
"""How far a percentile may be off, as a share of itself."""
_LEAST_S: Final = 1e-5
_LOG_GROWTH: Final = math.log(GROWTH)
_MOST_WAITING: Final = 100_000
_NO_RUNS: Final = (0, 0, None, None, None)


class Span(NamedTuple):
    """A stretch of time up to now, and how finely it is told.

    Attributes:
        length_s: Seconds it is long.
        slot_s: Seconds of one slot.
    """

    length_s: int
    slot_s: int


SPANS: Final = {
    "5 min": Span(300, 5),
    "1 h": Span(3600, 60),
    "24 h": Span(86_400, 900),
    "7 d": Span(604_800, 7200),
}
"""The spans by the names people choose them by."""
_FINEST_S: Final = 5
"""Every slot begins where one of these does, so that calls are put together in the finest first."""


class Slot(NamedTuple):
    """What happened in one slot.

    Attributes:
        begins_at: When it begins.
        length_s: Seconds it is long.
        calls: How many calls of each kind of caller ended in it: `you`, `agent`, `batch`, or another word.
        runs: How many of them ran.
        failures: How many runs failed.
        failed: How many of them failed for each kind of caller; a kind without failures is left out.
        p50_ms: What half of the runs did not exceed, within `RELATIVE_ERROR`; None without runs.
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


_Told = tuple[int, str, str, int | None, bool]
"""The finest slot in which a call ended, its tool, the kind of its caller, the bin of its duration (None when it did
not run), and whether its tool failed."""


class HealthSeries:
    """Roll ended calls up into slots, in memory until `flush` adds them to the file.

    Listens to an executor; reading and flushing may happen in any other thread.

    Args:
        folder: Where the file is kept; it is made when it is missing.
    """

    wants: Final = (CallFinished,)

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._lock = threading.Lock()
        self._new: deque[_Told] = deque(maxlen=_MOST_WAITING)
        self._forgotten: dict[int, int] = {}

    def __call__(self, event: Event) -> None:
        """Take an ended call."""
        if isinstance(event, CallFinished) and not event.call.is_probe:
            call = event.call
            ran, own_s, failure, *_ = ended_of(call, call.response.elapsed_s)
            slot = math.floor((call.proposed_s + call.response.elapsed_s) / _FINEST_S)
            place = bin_of(own_s) if ran else None
            self._new.append((slot, call.name, kind_of_caller(call.caller), place, failure is not None))

    def flush(self, now: datetime) -> None:
        """Add what is new to the file, and forget the slots that no span shows any more.

        A damaged file is moved aside, and a new one begun.

        Args:
            now: The time of day.

        Raises:
            sqlite3.Error: When it cannot be written; nothing is lost, the next flush tries again.
            OSError: When the folder cannot be made.
        """
        with self._lock:
            new = [self._new.popleft() for _ in range(len(self._new))]
            if not new:
                return
            try:
                self._write(new, now)
            except BaseException:
                self._new.extendleft(reversed(new))
                raise

    def slots(self, span: Span, now: datetime, tool: str | None = None) -> list[Slot]:
        """Return the slots of a span in which something happened, oldest first.

        Args:
            span: One of `SPANS`.
            now: The time of day, where it ends.
            tool: Only this tool's calls; None is all together.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        return self._read(("''", "slot"), span, now, "(?3 IS NULL OR tool = ?3)", tool).get("", [])

    def slots_by_tool(self, span: Span, now: datetime, tools: Collection[str]) -> dict[str, list[Slot]]:
        """Return the slots of a span of several tools, which takes hardly longer than those of one.

        Args:
            span: One of `SPANS`.
            now: The time of day, where it ends.
            tools: Their names; a tool without calls is not in the answer.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        names = json.dumps(list(tools))
        return self._read(("tool", "slot"), span, now, "tool IN (SELECT value FROM json_each(?3))", names)

    def totals(self, span: Span, now: datetime) -> dict[str, Slot]:
        """Return what happened within a span by tool, all of a tool's calls as one slot as long as the span.

        Args:
            span: One of `SPANS`.
            now: The time of day, where it ends.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        begins_at = now - timedelta(seconds=span.length_s)
        found = self._read(("tool", "0"), span, now, "?3 IS NULL", None)
        return {tool: slot._replace(begins_at=begins_at, length_s=span.length_s) for tool, (slot,) in found.items()}

    def _read(
        self, by: tuple[str, str], span: Span, now: datetime, where: str, value: str | None
    ) -> dict[str, list[Slot]]:
        """Return the slots of a span by tool, oldest first.

        Args:
            by: What to tell apart, as the tool and the slot of a query.
            span: One of `SPANS`.
            now: The time of day, where it ends.
            where: Which calls to look at, by the third value.
            value: That value.
        """
        if not self.path.exists():
            return {}
        first = math.floor((now.timestamp() - span.length_s) / span.slot_s) + 1
        asked = _Asked(*by, f"WHERE slot_s = ?1 AND slot >= ?2 AND {where}", (span.slot_s, first, value))
        with closing(opened(self.path)) as file:
            # Others keep what they have in the same file, and may have begun it.
            if file.execute(_TABLES, ("calls", "failed", "runs")).fetchone() != (3,):
                return {}
            calls, failed = asked.by_caller(file, "calls"), asked.by_caller(file, "failures")
            told = {(tool, slot): numbers for tool, slot, *numbers in asked.runs(file)}
        slots_by_tool: dict[str, list[Slot]] = defaultdict(list)
        for tool, slot in sorted(calls):
            key = tool, slot
            runs, failures, *places = told.get(key, _NO_RUNS)
            p50_ms, p95_ms, p99_ms = (None if place is None else ms_of(place) for place in places)
            begins_at = datetime.fromtimestamp(slot * span.slot_s, UTC)
            slots_by_tool[tool].append(
                Slot(begins_at, span.slot_s, calls[key], runs, failures, failed.get(key, {}), p50_ms, p95_ms, p99_ms)
            )
        return dict(slots_by_tool)

    def _write(self, new: list[_Told], now: datetime) -> None:
        calls: Counter[tuple[int, int, str, str]] = Counter()
        failed: Counter[tuple[int, int, str, str]] = Counter()
        runs: Counter[tuple[int, int, str, int]] = Counter()
        failures: Counter[tuple[int, int, str, int]] = Counter()
        for (finest, tool, caller, place, is_failure), count in Counter(new).items():
            for span in SPANS.values():
                slot = finest * _FINEST_S // span.slot_s
                calls[span.slot_s, slot, tool, caller] += count
                if place is None:
                    continue
                runs[span.slot_s, slot, tool, place] += count
                if is_failure:
                    failures[span.slot_s, slot, tool, place] += count
                    failed[span.slot_s, slot, tool, caller] += count
        oldest = {span.slot_s: math.floor((now.timestamp() - span.length_s) / span.slot_s) for span in SPANS.values()}

        def change(file: sqlite3.Connection) -> None:
            file.execute(_ADD_CALLS, (json.dumps([(*key, count) for key, count in calls.items()]),))
            file.execute(_ADD_FAILED, (json.dumps([(*key, count) for key, count in failed.items()]),))
            file.execute(_ADD_RUNS, (json.dumps([(*key, count, failures[key]) for key, count in runs.items()]),))
            for slot_s, slot in oldest.items() - self._forgotten.items():
                for table in ("calls", "failed", "runs"):
                    file.execute(
                        f"DELETE FROM {table} WHERE slot_s = ? AND slot < ?",  # noqa: S608 -- our own words
                        (slot_s, slot),
                    )

        write(self.path, now, _LAYOUT, change)
        self._forgotten = oldest


class _Asked(NamedTuple):
    """Ask for slots; the answers are put together by the database, away from Python.

    Each row that Python fetches lets other threads have their turn first, so that all of them come as one text.

    Attributes:
        tool: What to tell apart, of a query.
        slot: The same.
        where: Which calls to look at.
        values: The values in it.
    """

    tool: str
    slot: str
    where: str
    values: tuple[int, int, str | None]

    def by_caller(self, file: sqlite3.Connection, what: str) -> dict[tuple[str, int], dict[str, int]]:
        """Return how many `calls` or `failures` each kind of caller had, by tool and slot."""
        table = "failed" if what == "failures" else what
        query = f"""
            SELECT json_group_array(json_array(tool, slot, caller, count)) FROM (
                SELECT {self.tool} AS tool, {self.slot} AS slot, caller, SUM({what}) AS count
                FROM {table} {self.where} GROUP BY 1, 2, 3
            )"""  # noqa: S608 -- our own words
        found: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
        for tool, slot, caller, count in self._fetched(file, query):
            found[tool, slot][caller] = count
        return found

    def runs(self, file: sqlite3.Connection) -> list[Any]:
        """Return tool, slot, runs, failures, and the bins of three percentiles."""
        bins = ", ".join(f"MIN(CASE WHEN 100 * seen >= {percent} * total THEN bin END)" for percent in (50, 95, 99))
        query = f"""
            WITH bins AS (
                SELECT {self.tool} AS tool, {self.slot} AS slot, bin, SUM(runs) AS runs, SUM(failures) AS failures
                FROM runs {self.where} GROUP BY 1, 2, 3
            ), ranked AS (
                SELECT tool, slot, bin, runs, failures, SUM(runs) OVER (PARTITION BY tool, slot) AS total,
                    SUM(runs) OVER (PARTITION BY tool, slot ORDER BY bin) AS seen FROM bins
            )
            SELECT json_group_array(json(row)) FROM (
                SELECT json_array(tool, slot, SUM(runs), SUM(failures), {bins}) AS row FROM ranked GROUP BY tool, slot
            )"""  # noqa: S608 -- our own words
        return self._fetched(file, query)

    def _fetched(self, file: sqlite3.Connection, query: str) -> list[Any]:
        found: list[Any] = json.loads(file.execute(query, self.values).fetchone()[0])
        return found


def kind_of_caller(caller: str) -> str:
    """Return what kind of caller somebody is: `agent` of `agent:writer`, `you` of `you`."""
    return caller.partition(":")[0]


def bin_of(elapsed_s: float) -> int:
    """Return the bin of a duration."""
    return math.ceil(math.log(max(elapsed_s, _LEAST_S) / _LEAST_S) / _LOG_GROWTH)


def ms_of(place: int) -> float:
    """Return the milliseconds that stand for a bin, as far from its ends in proportion."""
    upper_s = _LEAST_S * GROWTH**place
    return 2000 * upper_s / (1 + GROWTH)


_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS calls (
    slot_s INTEGER, slot INTEGER, tool TEXT, caller TEXT, calls INTEGER NOT NULL,
    PRIMARY KEY (slot_s, slot, tool, caller)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failed (
    slot_s INTEGER, slot INTEGER, tool TEXT, caller TEXT, failures INTEGER NOT NULL,
    PRIMARY KEY (slot_s, slot, tool, caller)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
    slot_s INTEGER, slot INTEGER, tool TEXT, bin INTEGER, runs INTEGER NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (slot_s, slot, tool, bin)
) WITHOUT ROWID;
"""
_TABLES: Final = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?)"
_ADD_CALLS: Final = """
INSERT INTO calls
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE TRUE
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls
"""
_ADD_FAILED: Final = """
INSERT INTO failed
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE TRUE
ON CONFLICT DO UPDATE SET failures = failures + excluded.failures
"""
_ADD_RUNS: Final = """
INSERT INTO runs
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?) WHERE TRUE
ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, failures = failures + excluded.failures
"""
