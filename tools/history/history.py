"""`History`: what happened, kept on disk, to be searched, replayed and compared."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from operator import itemgetter
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Final

from tools.calls import PROBE_CALLER, CallStatus
from tools.errors import HistoryError
from tools.history.asking import ids_of, row_ids
from tools.history.database import VERSION, connect_to_read, described, identity, is_damage, is_index_damage
from tools.history.encoding import LIST_COLUMNS, list_row, moment_of, opened, record_of_row, row_bound
from tools.history.exporting import ExportFormat, write_export
from tools.history.intake import Intake
from tools.history.ledger import Ledger, new_run_name
from tools.history.records import (
    CallerUse,
    DecidedCall,
    DecisionPage,
    HistoryChange,
    HistoryPage,
    HistoryQuery,
    OpenReport,
    Retention,
)
from tools.history.retention import read_retention, write_retention
from tools.history.writer import Writer
from tools.listeners import listening

if TYPE_CHECKING:
    from datetime import datetime

    from tools.calls import CallRecord, ToolCall
    from tools.history.records import HistoryRow
    from tools.history.retention import Pruning
    from tools.vault import Vault

FLUSH_TIMEOUT_S: Final = 10.0
COUNTED: Final = 1_000
"""Up to so many calls are counted; beyond it a page says "more than"."""

_UNREAD: Final = "the history cannot be read"
_MADE_WITHIN_S: Final = 2.0
_AMONG: Final = "calls.id IN (SELECT value FROM json_each(?))"
_CALLS: Final = "calls JOIN runs ON runs.id = calls.run"
_WHOLE: Final = "calls.id, runs.name || '-' || call, record, sealed"
_SELECTED_AT_ONCE: Final = 10_000
_READ_AT_ONCE: Final = 100


class History:
    """Record the calls of executors, and answer questions about them.

    Events come in on any thread and cost a few microseconds; one thread writes. Questions may be asked from any thread,
    also of a history that is not open; they take milliseconds, so a window asks them in a thread. When the file cannot
    be read, each raises a `HistoryError` that says why. Each has a connection of its own: a file that was put aside or
    thrown away stays open in the connections to it.

    Args:
        folder: Where everything is kept; several programs may use one at a time.
        retention: What is kept for how long; None goes by what `keep` was told last, in whichever program.
        vault: Seals what tools want encrypted; None keeps nothing of it.
        clock: The time in seconds since the epoch.
        yield_to_ui: Called in the writing thread before every few hundred calls; it may wait some milliseconds for a
            thread that must not, such as that of a window. None never waits.
    """

    def __init__(
        self,
        folder: Path,
        *,
        retention: Retention | None = None,
        vault: Vault | None = None,
        clock: Callable[[], float] = time,
        yield_to_ui: Callable[[], object] | None = None,
    ) -> None:
        self.run: Final = new_run_name()
        self._folder = folder
        self._fixed_retention = retention
        self._ledger = Ledger(folder, self.run, clock)
        self.path: Final = self._ledger.path
        self._vault = vault
        self._is_open = False
        self._writer = Writer(self._ledger, self.run, lambda: self.retention, vault, yield_to_ui)

    @property
    def receive(self) -> Intake:
        """What an executor tells its events to; it takes a few microseconds a call and never waits."""
        return self._writer.intake

    @property
    def problem(self) -> str:
        """What keeps calls from being recorded, for a person; empty when all is well."""
        if not self._is_open:
            return "the history is not open"
        problem, lost = self._writer.problem, self.lost
        if not lost:
            return problem
        return f"{problem or 'the disk was slower than the calls'}; {lost:,} calls were not recorded"

    @property
    def lost(self) -> int:
        """How many calls could not be recorded since the history was opened."""
        return self._writer.intake.lost

    def open(self) -> OpenReport:
        """Open the file and begin to record.

        Returns:
            What was found: calls that were running when an earlier program ended, a damaged file that was put aside.

        Raises:
            HistoryError: When nothing can be written; the message says what to do. The program goes on without: events
                are dropped, and questions find nothing.
        """
        report = self._ledger.open()
        self._writer.start()
        self._is_open = True
        return report

    def close(self) -> None:
        """Write what came in, end this run, and let the file go. Calls that still run are given up in it."""
        if self._is_open:
            self._is_open = False
            self._writer.stop()

    def flush(self, timeout_s: float = FLUSH_TIMEOUT_S) -> None:
        """Wait until all that was received is on disk, where it survives the program's death, and can be found.

        Raises:
            HistoryError: When it is not, and why.
        """
        if not self._is_open:
            raise HistoryError(self.problem)
        done: Future[None] = Future()
        self._writer.intake.await_writing(done)
        try:
            done.result(timeout_s)
        except TimeoutError as error:
            msg = f"the disk did not take the newest calls within {timeout_s:g} s"
            raise HistoryError(msg) from error

    async def settled(self, call: ToolCall | str) -> None:
        """Wait until a call of this run ended and is on disk, where it survives the program's death.

        Raises:
            HistoryError: When it cannot be written, and why.
        """
        if not self._is_open:
            raise HistoryError(self.problem)
        await asyncio.wrap_future(self._writer.intake.settled(call))

    def watch(self, watcher: Callable[[HistoryChange], None]) -> Callable[[], None]:
        """Tell a function what changed: once a commit, on the writer's thread.

        Returns:
            The undo.
        """
        return listening(self._writer.watchers, watcher)

    def forget(self, records: Sequence[str]) -> int:
        """Take calls away for good; those that run stay.

        Returns:
            How many went.

        Raises:
            HistoryError: When they cannot be taken away.
        """
        with self._snapshot() as connection:
            ids = row_ids(connection, records)
        return self._do(lambda pruning: pruning.forget(ids))

    @property
    def retention(self) -> Retention:
        """What is kept for how long; it may read a file."""
        return self._fixed_retention or read_retention(self._folder)

    def keep(self, retention: Retention) -> None:
        """Let another retention count from now on, in every program that writes here.

        What it does not keep goes with the next upkeep, so that a slip of the hand can be taken back before.

        Raises:
            HistoryError: When it cannot be written down.
        """
        write_retention(self._folder, retention)

    def prune(self) -> int:
        """Let go what the retention does not keep, now; it happens by itself every minute.

        Returns:
            How many calls went.

        Raises:
            HistoryError: When they cannot be taken away.
        """
        return self._do(lambda pruning: pruning.prune(self.retention))

    def _do(self, work: Callable[[Pruning], Iterator[int]]) -> int:
        if not self._is_open:
            raise HistoryError(self.problem)
        return self._writer.order(work(self._ledger.pruning)).result()

    @property
    def _is_readable(self) -> bool:
        """Whether there is a file to read, or one is being made."""
        if self._is_open:
            return True
        with self._telling():
            if identity(self.path) is None:
                return False
            with closing(connect_to_read(self.path)) as connection:
                return _version_of(connection) == VERSION

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say what keeps the file from being read."""
        try:
            yield
        except MemoryError as error:
            raise HistoryError("what was asked for does not fit into memory; ask for less", _UNREAD) from error
        except sqlite3.Error as error:
            if self._is_open and (is_damage(error) or is_index_damage(error)):
                self._writer.look_for_damage()
            raise HistoryError(described(error, self.path), _UNREAD) from error

    @contextmanager
    def _snapshot(self) -> Iterator[sqlite3.Connection]:
        """Let several questions see the same moment."""
        with self._telling(), closing(self._connected()) as connection:
            connection.execute("BEGIN")
            yield connection

    def _connected(self) -> sqlite3.Connection:
        deadline = monotonic() + _MADE_WITHIN_S
        while True:
            problem: Exception = HistoryError(f"{self.path.name} holds no calls; it was begun and never made whole")
            try:
                with ExitStack() as stack:
                    connection = stack.enter_context(closing(connect_to_read(self.path)))
                    if _version_of(connection):
                        stack.pop_all()
                        return connection
            except sqlite3.OperationalError as error:
                problem = error
            if monotonic() > deadline:
                raise problem
            # The writer puts a fresh file in the place of a damaged one right now.
            sleep(0.005)

    def search(self, query: HistoryQuery | None = None) -> HistoryPage:
        """Return a page of the calls that a query chooses, newest first."""
        query = query or HistoryQuery()
        if not self._is_readable:
            return HistoryPage()
        with self._snapshot() as connection:
            limit = max(1, query.limit)
            # On the first page one look answers both what is on it and how many there are.
            most = limit + 1 if query.before is not None else max(limit, COUNTED) + 1
            ids = ids_of(connection, query, most)
            rows = tuple(self._rows(connection, ids[:limit]))
            next_before = ids[limit - 1] if len(ids) > limit else None
            if query.before is not None:
                ids = ids_of(connection, query._replace(before=None), COUNTED + 1)
        exact = len(ids) <= max(limit, COUNTED)
        return HistoryPage(rows, len(ids) if exact else COUNTED, exact, next_before)

    def get(self, record: str) -> CallRecord | None:
        """Return a whole call; None when there is none of this id."""
        if not self._is_readable:
            return None
        with self._snapshot() as connection:
            found = [self._record(connection, row_id) for row_id in row_ids(connection, (record,))]
        return found[0] if found else None

    def export(self, query: HistoryQuery, path: Path, form: ExportFormat | None = None) -> int:
        """Write the calls that a query chooses into a file, newest first, at most as many as its `limit` says.

        See `write_export`; it returns how many there are.
        """
        return write_export(self._each(query), path, form)

    def _each(self, query: HistoryQuery) -> Iterator[CallRecord]:
        """Yield all calls that a query chooses, newest first, a page at a time; its limit counts them all."""
        before, left = query.before, query.limit
        while left > 0:
            wanted = min(_SELECTED_AT_ONCE, left)
            with self._snapshot() as connection:
                ids = ids_of(connection, query._replace(before=before), wanted)
            for start in range(0, len(ids), _READ_AT_ONCE):
                yield from self._whole(ids[start : start + _READ_AT_ONCE])
            if len(ids) < wanted:
                return
            before, left = ids[-1], left - len(ids)

    def _whole(self, ids: Sequence[int]) -> list[CallRecord]:
        with self._snapshot() as connection:
            found = [self._record(connection, row_id) for row_id in ids]
        return [record for record in found if record is not None]

    def _record(self, connection: sqlite3.Connection, row_id: int, *, whole: bool = True) -> CallRecord | None:
        """Return a call by its number; None when it left meanwhile."""
        statement = f"SELECT {_WHOLE} FROM {_CALLS} WHERE calls.id = ?"  # noqa: S608 -- our own names only
        columns = connection.execute(statement, (row_id,)).fetchone()
        if columns is None:
            return None
        _, key, text, sealed = columns
        if not whole:
            return record_of_row(key, text, None)

        def parts() -> dict[str, bytes]:
            uses = "SELECT part, digest FROM blob_uses WHERE call = ? AND part NOT LIKE 'attachment %'"
            found = connection.execute(uses, (row_id,)).fetchall()
            return {part: self._ledger.blobs.read(digest) for part, digest in found}

        return record_of_row(key, text, sealed, vault=self._vault, parts=parts)

    def decisions(self, query: HistoryQuery | None = None) -> DecisionPage:
        """Return the decisions about a page of the calls that a query chooses, the newest first.

        Questions that wait are not among them. The `limit` counts calls, of which each may have several decisions.
        """
        query = query or HistoryQuery()
        if not self._is_readable:
            return DecisionPage()
        limit = max(1, query.limit)
        with self._snapshot() as connection:
            ids = ids_of(connection, query._replace(decided=True), limit + 1)
        rows = [
            (one.decided_at, DecidedCall(record.id, number, record.tool.name, record.caller, record.status, one))
            for record in self._whole(ids[:limit])
            for number, one in enumerate(record.decisions)
            if one.decided_at is not None
        ]
        rows.sort(key=itemgetter(0), reverse=True)
        return DecisionPage(tuple(row for _, row in rows), ids[limit - 1] if len(ids) > limit else None)

    def attachment(self, record: str, number: int) -> bytes:
        """Return the content of an attachment, counted from 0.

        Raises:
            HistoryError: When it is not kept any more, or the file cannot be read.
            VaultError: When it is sealed and does not open.
        """
        part = f"attachment {number}"
        uses = "calls JOIN blob_uses AS uses ON uses.call = calls.id"
        with self._snapshot() as connection:
            ids = row_ids(connection, (record,))
            statement = f"SELECT digest, record FROM {uses} WHERE calls.id = ? AND part = ?"  # noqa: S608 -- our own names
            found = connection.execute(statement, (*ids, part)).fetchone() if ids else None
        if found is None:
            msg = f"the history has no attachment {number + 1} of the call {record!r}"
            raise HistoryError(msg)
        content = self._ledger.blobs.read(found[0])
        return opened(record, part, content, self._vault) if record_of_row(record, found[1], None).sealed else content

    def timings(self, tool: str, limit: int = 50) -> tuple[CallRecord, ...]:
        """Return the newest calls of a tool that ended, newest first, without what is large or sealed of them.

        Probes are left out.
        """
        if not self._is_readable:
            return ()
        ended = tuple(status for status in CallStatus if status.final)
        with self._snapshot() as connection:
            ids = ids_of(
                connection, HistoryQuery(tools=(tool,), statuses=ended, without_callers=(PROBE_CALLER,)), limit
            )
            found = [self._record(connection, row_id, whole=False) for row_id in ids]
        return tuple([record for record in found if record is not None])

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tools and the callers that there are calls of, each sorted."""
        if not self._is_readable:
            return (), ()
        with self._snapshot() as connection:
            known = connection.execute("SELECT kind, name FROM names ORDER BY name").fetchall()
            tools = [name for kind, name in known if kind == "tool"]
            callers = [name for kind, name in known if kind == "caller"]
            # The calls of some may have left.
            return (
                tuple([name for name in tools if ids_of(connection, HistoryQuery(tools=(name,)), 1)]),
                tuple([name for name in callers if ids_of(connection, HistoryQuery(callers=(name,)), 1)]),
            )

    def caller_uses(self, callers: str, since: datetime) -> tuple[CallerUse, ...]:
        """Return what callers used, by caller, tool and ending.

        Args:
            callers: What the names of the callers begin with, such as `agent:`.
            since: The earliest moment of the proposals.
        """
        if not self._is_readable:
            return ()
        statement = (
            "SELECT caller, tool, status, COUNT(*), MAX(id) FROM calls WHERE id >= ? AND substr(caller, 1, ?) = ?"
            " GROUP BY caller, tool, status ORDER BY caller, tool, status"
        )
        with self._snapshot() as connection:
            found = connection.execute(statement, (row_bound(since), len(callers), callers)).fetchall()
        return tuple(
            CallerUse(caller, tool, CallStatus(status), calls, moment_of(newest))
            for caller, tool, status, calls, newest in found
        )

    def _rows(self, connection: sqlite3.Connection, ids: list[int]) -> list[HistoryRow]:
        statement = f"SELECT {LIST_COLUMNS} FROM {_CALLS} WHERE {_AMONG} ORDER BY calls.id DESC"  # noqa: S608 -- our names
        return [list_row(columns) for columns in connection.execute(statement, (json.dumps(ids),))]


def _version_of(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version
