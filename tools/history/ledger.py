"""The file as its one writer has it open: this run's place in it, its rows, its index, and its upkeep."""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.calls import CallError, CallStatus, ErrorKind
from tools.errors import HistoryError
from tools.file_lock import claim, held
from tools.history.blobs import BlobFolder
from tools.history.database import (
    BUSY_TIMEOUT_S,
    ENTER,
    FILE_NAME,
    LEAVE,
    OPEN,
    REENTER,
    connect_to_read,
    described,
    identity,
    is_damage,
    look_through,
    make_index_anew,
    open_file,
    put_aside,
    transaction,
    version_of,
)
from tools.history.encoding import RUN_BITS, CallRow, aborted
from tools.history.records import OpenReport, Retention
from tools.history.retention import Pruning
from tools.history.words import marks_of

_UNSTORABLE: Final = (UnicodeError, OverflowError, sqlite3.DataError)
"""What SQLite's binding says of a value that it cannot hold."""

_TAKEN: Final = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID, sqlite3.SQLITE_CONSTRAINT_UNIQUE}
)
"""What an id that is taken is called; another number helps against nothing else."""

LOCK: Final = "lock"
"""The file that a program holds while it opens or makes the history's."""

_DAMAGED: Final = "damaged; it"
_EMPTIED: Final = "emptied by another program or a crash: the calls before now are gone from it. It"

MOST_REMEMBERED: Final = 10_000
"""How many names are kept at hand."""

_INSERT: Final = """
INSERT INTO calls (id, run, call, tool, caller, status, decided, elapsed_s, listed, record, sealed, words)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_CHANGE: Final = """
UPDATE calls SET status = ?, decided = ?, elapsed_s = ?, listed = ?, record = ?, sealed = ?, words = ?
WHERE id = ? AND run = ? AND instr(call || '.', ? || '.') = 1
"""
"""`_inserted` may have put a number behind the call's id."""


def new_run_name() -> str:
    """Return a name for one start of the program, short enough to be read out."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(letters) for _ in range(8))


_ENDED: Final = CallError(ErrorKind.ABORTED, "the program ended while it ran")
_NEVER_STARTED: Final = CallError(ErrorKind.ABORTED, "the call was made and never started")


class RunLock:
    """Hold the lock of one run of the program, which the system lets go when the program dies.

    Raises:
        OSError: When the file cannot be made or locked.
    """

    def __init__(self, folder: Path, run: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = _file_of(folder, run)
        self._file = self._path.open("ab")
        try:
            if not claim(self._file.fileno()):
                raise BlockingIOError(f"{self._path} is locked")
        except OSError:
            self._file.close()
            raise

    @property
    def holds(self) -> bool:
        """Whether the lock's file is still where others look for it."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except OSError:
            return False

    def leave(self) -> None:
        """Let go of the lock and take the file away."""
        with suppress(OSError):
            # A missing file is only tidier: whoever looks for the lock finds it free either way.
            if sys.platform != "win32":
                self._path.unlink()
        self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def is_alive(folder: Path, run: str) -> bool:
    """Return whether the program of a run still holds its lock."""
    try:
        with _file_of(folder, run).open("rb+") as file:
            return not claim(file.fileno())
    except FileNotFoundError:
        return False
    except OSError:
        # It cannot be looked at, so nobody may call it dead.
        return True


def _file_of(folder: Path, run: str) -> Path:
    return folder / f"{run}.lock"


def abort_open_calls(connection: sqlite3.Connection, run: int) -> tuple[str, ...]:
    """Give the calls up that a run which is over never ended, within a transaction; return the ids of their records."""
    columns = "calls.id, runs.name || '-' || call, status, listed, record"
    tables = "calls JOIN runs ON runs.id = calls.run"
    statement = f"SELECT {columns} FROM {tables} WHERE run = ? AND {OPEN} ORDER BY calls.id"  # noqa: S608 -- our own words
    given_up = connection.execute(statement, (run,)).fetchall()
    for row_id, _, status, listed, record in given_up:
        why = _NEVER_STARTED if status == CallStatus.PENDING else _ENDED
        connection.execute(LEAVE, (row_id,))
        values = (CallStatus.ABORTED, *aborted(listed, record, why), row_id)
        connection.execute("UPDATE calls SET status = ?, listed = ?, record = ? WHERE id = ?", values)
        connection.execute(REENTER, (row_id,))
    return tuple([key for _, key, *_ in given_up])


def end_dead_runs(connection: sqlite3.Connection, folder: Path, own: str, now_us: int) -> tuple[str, ...]:
    """Find runs whose program is gone, end them, and give up what they left open.

    Returns:
        The ids of the records of calls that were given up.
    """
    runs = connection.execute("SELECT id, name FROM runs WHERE closed_us IS NULL AND name != ?", (own,)).fetchall()
    dead = [(number, name) for number, name in runs if not is_alive(folder, name)]
    given_up: list[str] = []
    for number, name in dead:
        with transaction(connection):
            given_up += abort_open_calls(connection, number)
            connection.execute("UPDATE runs SET closed_us = ? WHERE id = ?", (now_us, number))
        with suppress(OSError):
            _file_of(folder, name).unlink()
    return tuple(given_up)


class Ledger:
    """Write through one connection, on one thread.

    Attributes:
        pruning: Lets calls go from the file that is open.
    """

    pruning: Pruning

    def __init__(self, folder: Path, run: str, clock: Callable[[], float]) -> None:
        self.path = folder / FILE_NAME
        self.blobs = BlobFolder(folder / "blobs")
        self._runs = folder / "runs"
        self._run = run
        self._clock = clock
        self._names: set[tuple[str, str]] = set()
        self._slot = secrets.randbelow(1 << RUN_BITS)
        self._connection: sqlite3.Connection | None = None
        self._presence: RunLock | None = None
        self._number = 0

    def open(self, *, damaged: bool = False) -> OpenReport:
        """Open the file, or a fresh one when it is damaged, and end the runs of programs that are gone.

        Args:
            damaged: Whether the file that is open is, so that it is put aside first.

        Raises:
            HistoryError: When nothing can be written; the message says why, and what to do.
        """
        kept_aside: Path | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Nothing is written beside a file that is not ours.
            with suppress(sqlite3.Error), closing(connect_to_read(self.path)) as looking:
                version_of(looking)
            # One program at a time: another one would take the file that is being made for one that was emptied.
            with held(self.path.with_name(LOCK), BUSY_TIMEOUT_S):
                # Who saw the same damage first has put the file aside already, and begun a healthy one.
                fault = _DAMAGED if damaged and self.in_place else _EMPTIED if self._is_emptied() else ""
                self._let_go()
                try:
                    kept_aside = put_aside(self.path, self._now()) if fault else None
                    connection = open_file(self.path)
                except sqlite3.DatabaseError as error:
                    if fault or not is_damage(error):
                        raise
                    fault = _DAMAGED
                    kept_aside = put_aside(self.path, self._now())
                    connection = open_file(self.path)
                self._identity = identity(self.path)
            try:
                aborted = self._enter(connection)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise HistoryError(described(error, self.path), "calls are not recorded") from error
        if kept_aside is None:
            return OpenReport(aborted)
        message = f"The history was {fault} is kept as {kept_aside.name}, and a new one was begun"
        return OpenReport(aborted, kept_aside, message)

    def _is_emptied(self) -> bool:
        """Return whether the file has nothing in it although runs were recorded: SQLite would take it for a new one."""
        try:
            return not self.path.stat().st_size and self._runs.is_dir()
        except FileNotFoundError:
            return False

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _enter(self, connection: sqlite3.Connection) -> tuple[str, ...]:
        if self._presence is not None and not self._presence.holds:
            self._presence.leave()
            self._presence = None
        if self._presence is None:
            self._presence = RunLock(self._runs, self._run)
        with transaction(connection):
            row = (self._run, os.getpid(), self._now_us())
            connection.execute("INSERT OR IGNORE INTO runs (name, pid, opened_us) VALUES (?, ?, ?)", row)
            found = connection.execute("SELECT id FROM runs WHERE name = ?", (self._run,)).fetchone()
        aborted = end_dead_runs(connection, self._runs, self._run, self._now_us())
        self._number = found[0]
        self._names.clear()
        self._connection = connection
        self.pruning = Pruning(connection, self.blobs, self._clock)
        return aborted

    @property
    def in_place(self) -> bool:
        """Whether the open file still stands where it belongs; somebody may have thrown it away."""
        return self._connection is not None and identity(self.path) == self._identity

    def write(self, rows: Sequence[CallRow]) -> list[int]:
        """Write rows and what they are found by, all or none; return their ids in order.

        Raises:
            sqlite3.Error: When the file does not take them.
            OSError: When a large content cannot be written.
        """
        texts: list[tuple[int, str]] = []
        try:
            with transaction(self.connection):
                texts += map(self._put, rows)
                # In the order of the ids: the index writes what it holds in memory before it takes a lower one.
                self.connection.executemany(ENTER, sorted(dict(texts).items()))
        except BaseException:
            # The transaction that wrote the names was rolled back.
            self._names.clear()
            raise
        return [row_id for row_id, _ in texts]

    def _put(self, row: CallRow) -> tuple[int, str]:
        """Insert or change a row; return its id and what is indexed of it."""
        try:
            row_id = self._put_whole(row)
        except _UNSTORABLE:
            row = row.blank()
            row_id = self._put_whole(row)
        return row_id, marks_of(row.tool, row.caller, row.status, decided=row.decided) + row.words

    def _put_whole(self, row: CallRow) -> int:
        self._keep_name("tool", row.tool)
        self._keep_name("caller", row.caller)
        row_id = row.row_id if row.row_id and self._changed(row) else self._inserted(row)
        for part, blob in row.blobs:
            # Within the transaction, so that nobody collects the file between its writing and its first use.
            stored_bytes = self.blobs.write(blob)
            self.connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (blob.digest, stored_bytes))
            self.connection.execute("INSERT OR REPLACE INTO blob_uses VALUES (?, ?, ?)", (row_id, part, blob.digest))
        return row_id

    def _changed(self, row: CallRow) -> bool:
        """Change a row; return False when the file has none, since somebody put a fresh one in its place."""
        self.connection.execute(LEAVE, (row.row_id,))
        words = row.words if row.keeps_words else None
        values = (row.status, row.decided, row.elapsed_s, row.listed, row.record, row.sealed, words)
        where = (row.row_id, self._number, row.call)
        return self.connection.execute(_CHANGE, (*values, *where)).rowcount > 0

    def _inserted(self, row: CallRow) -> int:
        moment, call, number = row.proposed_us, row.call, 1
        words = row.words if row.keeps_words else None
        values = (row.tool, row.caller, row.status, row.decided, row.elapsed_s, row.listed, row.record)
        while True:
            row_id = (moment << RUN_BITS) | self._slot
            try:
                self.connection.execute(_INSERT, (row_id, self._number, call, *values, row.sealed, words))
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorcode not in _TAKEN:
                    raise
                # Two executors count their calls alike, or two calls were proposed in the same microsecond.
                taken = "SELECT 1 FROM calls WHERE run = ? AND call = ?"
                if self.connection.execute(taken, (self._number, call)).fetchone():
                    number += 1
                    call = f"{row.call}.{number}"
                else:
                    moment += 1
            else:
                return row_id

    def _keep_name(self, kind: str, name: str) -> None:
        if (kind, name) not in self._names:
            self.connection.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", (kind, name))
            if len(self._names) >= MOST_REMEMBERED:
                self._names.clear()
            self._names.add((kind, name))

    def make_index_anew(self) -> None:
        make_index_anew(self.connection)

    @property
    def connection(self) -> sqlite3.Connection:
        """The open connection.

        Raises:
            HistoryError: When there is none.
        """
        if self._connection is None:
            msg = "the history is not open"
            raise HistoryError(msg)
        return self._connection

    def upkeep(self, retention: Retention) -> Iterator[int]:
        """Recover and prune, a slice at a time; yields after each how many calls it took away."""
        end_dead_runs(self.connection, self._runs, self._run, self._now_us())
        yield 0
        yield from self.pruning.prune(retention)
        yield from self.pruning.strays()

    def look_through(self) -> Iterator[int]:
        look_through(self.connection)
        yield 0

    def close(self) -> None:
        """End this run: nothing of it is left open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                with transaction(connection):
                    abort_open_calls(connection, self._number)
                    ended = "UPDATE runs SET closed_us = ? WHERE id = ?"
                    connection.execute(ended, (self._now_us(), self._number))
            finally:
                connection.close()
        if self._presence is not None:
            self._presence.leave()
            self._presence = None

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def _now_us(self) -> int:
        return round(self._clock() * 1e6)
