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
from collections import Counter, deque
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from tools.calls import CallFinished, CallRecord, Event
from tools.health.file import FILE_NAME, write
from tools.health.time_slots import LATE, SPANS, Slot, SlotReader, TimeSpan, bin_of
from tools.metrics import ended_of

_MOST_WAITING: Final = 100_000
_FINEST_S: Final = 5
"""Every slot begins where one of these does, so that calls are put together in the finest first."""
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
        self._reader = SlotReader(self.path)

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self.add(event.record)

    def add(self, record: CallRecord) -> None:
        """Take the record of an ended call; a probe is no use of its tool."""
        if record.is_probe:
            return
        ended = ended_of(record, record.elapsed_s)
        slot = math.floor((record.proposed_s + record.elapsed_s) / _FINEST_S)
        place = bin_of(ended.elapsed_s) if ended.ran else None
        self._new.append((slot, record.tool.name, kind_of_caller(record.caller), place, ended.failure is not None))

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

    def slots(self, span: TimeSpan, now: datetime, tool: str | None = None) -> list[Slot]:
        """Return the slots of a span in which something happened, oldest first.

        Args:
            span: One of `SPANS`.
            now: The time of day, where it ends.
            tool: Only this tool's calls; None is all together.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        return self._reader.all_together(span, now, tool)

    def slots_by_tool(self, span: TimeSpan, now: datetime, tools: Collection[str]) -> dict[str, list[Slot]]:
        """Return the slots of a span of several tools, which takes hardly longer than those of one.

        Args:
            span: One of `SPANS`.
            now: The time of day, where it ends.
            tools: Their names; a tool without calls is not in the answer.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        return self._reader.by_tool(span, now, tools)

    def totals(self, span: TimeSpan, now: datetime) -> dict[str, Slot]:
        """Return what happened within a span by tool, all of a tool's calls as one slot as long as the span.

        Args:
            span: One of `SPANS`.
            now: The time of day, where it ends.

        Raises:
            sqlite3.Error: When the file cannot be read.
        """
        begins_at = now - timedelta(seconds=span.length_s)
        totals = self._reader.totals(span, now)
        return {tool: slot._replace(begins_at=begins_at, length_s=span.length_s) for tool, slot in totals.items()}

    def _write(self, new: list[_Told], now: datetime) -> None:
        calls: Counter[tuple[int, int, str, str]] = Counter()
        failed: Counter[tuple[int, int, str, str]] = Counter()
        runs: Counter[tuple[int, int, str, int]] = Counter()
        failures: Counter[tuple[int, int, str, int]] = Counter()
        alike = Counter(new)
        for (finest, tool, caller, place, is_failure), count in alike.items():
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
        if min(finest for finest, *_ in alike) * _FINEST_S < (now - LATE).timestamp():
            self._reader.forget()


def kind_of_caller(caller: str) -> str:
    """Return what kind of caller somebody is: `agent` of `agent:writer`, `you` of `you`."""
    return caller.partition(":")[0]


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
