"""The file as its one writer has it open: this run's place in it, its batches, its index, and its upkeep."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from os import getpid
from pathlib import Path
from typing import Any, Final

from tools.errors import HistoryError
from tools.history import index
from tools.history.blobs import BlobFolder
from tools.history.body import damage
from tools.history.database import FILE_NAME, described, identity, is_damage, open_file, put_aside, transaction
from tools.history.encoding import RUN_BITS, Fields, Row, blank
from tools.history.inserting import Inserter, Written
from tools.history.presence import Presence
from tools.history.records import OpenReport, Retention
from tools.history.recovery import abort_open_calls, end_dead_runs, index_everything, index_leftovers
from tools.history.retention import Pruning
from tools.history.schema_sql import MIGRATIONS, Migration

_UNSTORABLE: Final = (UnicodeError, OverflowError, sqlite3.DataError)
"""What SQLite's binding says of a value that it cannot hold."""

_NO_INDEX: Final = (
    "This Python's SQLite has no full-text index (FTS5): searching for words looks at every call and is slow"
)


def new_run_name() -> str:
    """Return a name for one start of the program, short enough to be read out."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(letters) for _ in range(8))


class Ledger:
    """Write through one connection, on one thread.

    Args:
        folder: Where the file, the large contents and the runs' locks are.
        run: This run's name.
        clock: The time in seconds since the epoch.
        migrations: The steps to the newest version of the schema.

    Attributes:
        path: The file.
        blobs: The large contents.
        unindexed: What waits for the index: a call's id, then its text, and so on.
    """

    def __init__(
        self, folder: Path, run: str, clock: Callable[[], float], migrations: Sequence[Migration] = MIGRATIONS
    ) -> None:
        self.path = folder / FILE_NAME
        self.blobs = BlobFolder(folder / "blobs")
        self.unindexed: list[Any] = []
        self._runs = folder / "runs"
        self._run = run
        self._clock = clock
        self._migrations = migrations
        self._slot = secrets.randbelow(1 << RUN_BITS)
        self._connection: sqlite3.Connection | None = None
        self._presence: Presence | None = None
        self._number = 0

    def open(self) -> OpenReport:
        """Open the file, or a fresh one when it is damaged, and end the runs of programs that are gone.

        Raises:
            HistoryError: When nothing can be written; the message says why, and what to do.
        """
        kept_aside: Path | None = None
        is_emptied = False
        try:
            is_emptied = self._is_emptied()
            try:
                if is_emptied:
                    raise damage("it is empty")
                connection = open_file(self.path, self._migrations)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                kept_aside = put_aside(self.path, self._now())
                connection = open_file(self.path, self._migrations)
            try:
                aborted = self._enter(connection)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            msg = f"calls are not recorded: {described(error, self.path)}"
            raise HistoryError(msg) from error
        messages = [] if self._indexed else [_NO_INDEX]
        if kept_aside is not None and is_emptied:
            messages.append(
                "The history was emptied by another program or a crash: the calls before now are gone from it."
                f" What was left is kept as {kept_aside.name}, and a new one was begun"
            )
        elif kept_aside is not None:
            messages.append(f"The history was damaged; it is kept as {kept_aside.name}, and a new one was begun")
        return OpenReport(aborted, kept_aside, ". ".join(messages))

    def _is_emptied(self) -> bool:
        """Return whether the file has nothing in it although runs were recorded: SQLite would take it for a new one."""
        try:
            is_empty = not self.path.stat().st_size
        except FileNotFoundError:
            return False
        # Two programs that begin the first history together find an empty file, and no runs yet.
        return is_empty and self._runs.is_dir()

    def _enter(self, connection: sqlite3.Connection) -> tuple[str, ...]:
        """Take this run's place in the file."""
        if self._presence is not None and not self._presence.holds:
            self._presence.leave()
            self._presence = None
        if self._presence is None:
            self._presence = Presence(self._runs, self._run)
        self._indexed = index.is_available(connection)
        with transaction(connection):
            if self._indexed:
                index.prepare(connection)
            row = (self._run, getpid(), round(self._clock() * 1e6))
            connection.execute("INSERT OR IGNORE INTO runs (name, pid, opened_us) VALUES (?, ?, ?)", row)
            found = connection.execute("SELECT id FROM runs WHERE name = ?", (self._run,)).fetchone()
        aborted = end_dead_runs(connection, self._runs, self._run, round(self._clock() * 1e6))
        self._number = found[0]
        self._connection = connection
        self._inserter = Inserter(connection, self._number, self._slot, self.blobs)
        self._pruning = Pruning(connection, self.blobs, indexed=self._indexed)
        self._identity = identity(self.path)
        self.unindexed = []
        return aborted

    @property
    def unindexed_calls(self) -> int:
        """How many calls wait for the index."""
        return len(self.unindexed) // 2

    @property
    def in_place(self) -> bool:
        """Whether the open file still stands where it belongs; somebody may have thrown it away."""
        return self._connection is not None and identity(self.path) == self._identity

    def reopen(self, *, damaged: bool) -> OpenReport:
        """Open the file anew.

        Args:
            damaged: Whether the one that is open is put aside first.

        Raises:
            HistoryError: As `open`.
        """
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if not damaged:
            return self.open()
        try:
            kept_aside = put_aside(self.path, self._now())
        except OSError as error:
            msg = f"calls are not recorded: {described(error, self.path)}"
            raise HistoryError(msg) from error
        return self.open()._replace(kept_aside=kept_aside)

    def write(self, rows: Sequence[Fields]) -> list[int]:
        """Write rows, all or none.

        Returns:
            The id of each row, in order.

        Raises:
            sqlite3.Error: When the file does not take them.
            OSError: When a large content cannot be written.
        """
        try:
            return self._write(rows, self._inserter.write)
        except (sqlite3.IntegrityError, *_UNSTORABLE):
            self._inserter.forget_numbers()
            return self._write(rows, self._write_singly)
        except BaseException:
            self._inserter.forget_numbers()
            raise

    def _write(self, rows: Sequence[Fields], into: Callable[[Sequence[Fields]], Written]) -> list[int]:
        with transaction(self.connection):
            written = into(rows)
            if written.texts and self._indexed:
                self._inserter.note_unindexed(written.texts[::2])
        if self._indexed:
            self.unindexed += written.texts
        return written.ids

    def _write_singly(self, rows: Sequence[Fields]) -> Written:
        all_of_them = Written([], [])
        for row in rows:
            try:
                written = self._inserter.write_one(row)
            except _UNSTORABLE:
                written = self._inserter.write_one(blank(Row._make(row)))
            all_of_them.ids.extend(written.ids)
            all_of_them.texts.extend(written.texts)
        return all_of_them

    def index_pending(self) -> None:
        """Bring the index up to date with what was written."""
        if not self.unindexed:
            return
        with transaction(self.connection):
            index.enter(self.connection, self.unindexed)
            self.connection.execute("DELETE FROM unindexed WHERE run = ?", (self._number,))
        self.unindexed = []

    def renew_index(self) -> None:
        """Throw a damaged index away; `upkeep` fills the new one."""
        with transaction(self.connection):
            self.connection.execute("UPDATE facts SET value = 0 WHERE name = 'index_version'")
            index.prepare(self.connection)
        self.unindexed = []

    def index_anew(self) -> Iterator[int]:
        """Make the whole index anew, a slice at a time; yields 0 after each."""
        self.renew_index()
        yield 0
        yield from self.catch_up()

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
        """Recover, index and prune, a slice at a time; yields after each how many calls it took away."""
        end_dead_runs(self.connection, self._runs, self._run, round(self._clock() * 1e6))
        yield 0
        yield from self.catch_up()
        yield from self.prune(retention)
        for _ in self._pruning.strays():
            yield 0

    def catch_up(self) -> Iterator[int]:
        """Enter into the index what earlier programs did not get to, a slice at a time; yields 0 after each."""
        if self._indexed:
            for work in (index_leftovers(self.connection, self._number), index_everything(self.connection)):
                for _ in work:
                    yield 0

    def prune(self, retention: Retention) -> Iterator[int]:
        """Do what a retention asks for, a slice at a time; yields after each how many calls it took away."""
        self.index_pending()
        yield from self._pruning.slices(retention, self._clock)

    def forget(self, ids: Sequence[int]) -> Iterator[int]:
        """Take calls away, a slice at a time; yields after each how many."""
        self.index_pending()
        yield from self._pruning.forget(ids)

    def is_whole(self) -> bool:
        """Look the whole file through for damage."""
        found: str = self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        return found == "ok"

    def close(self) -> None:
        """End this run: nothing of it is left open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                with transaction(connection):
                    abort_open_calls(connection, self._number)
                    ended = "UPDATE runs SET closed_us = ? WHERE id = ?"
                    connection.execute(ended, (round(self._clock() * 1e6), self._number))
            finally:
                connection.close()
        if self._presence is not None:
            self._presence.leave()
            self._presence = None

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)
