"""SQLite files: read through a connection that cannot write, its statements kept to the one file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from tools.catalog._database import READ_ONLY, ChangeDone, DatabaseKind, Parameters, ResultRows, Watch
from tools.catalog._sqlite import SqliteGuard
from tools.errors import ToolFailure

_LOCK_WAIT_S: Final = 5.0
_PRIMARY_CODE: Final = 0xFF
_LARGEST_VALUE_BYTES: Final = 64 * 1024 * 1024


@contextmanager
def opened(path: Path, name: str, watch: Watch, *, writes: bool) -> Iterator[SqliteSession]:
    """Open a file for one call.

    Args:
        name: What it is called in messages.
        watch: Stops statements.
        writes: Whether statements may change it.

    Raises:
        ToolFailure: SQLite refuses a statement, or it was stopped.
    """
    guard = SqliteGuard(allow_writes=writes)
    address = f"{path.as_uri()}?mode={'rw' if writes else 'ro'}"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=_LOCK_WAIT_S)) as database:
            database.text_factory = _text
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE_BYTES)
            if not writes:
                database.execute("PRAGMA query_only = ON")
            database.set_authorizer(guard)
            with watch.stopping(database.interrupt):
                yield SqliteSession(database)
    except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
        refused = watch.reason or guard.reason
        if not refused and getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE == sqlite3.SQLITE_READONLY:
            refused = READ_ONLY
        raise ToolFailure(refused or f"SQLite refuses this on {name!r}: {error}") from error


class SqliteSession:
    """One open SQLite file."""

    kind = DatabaseKind.SQLITE

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def query(self, sql: str, parameters: Parameters) -> ResultRows:
        """Run a statement; the connection itself refuses what writes."""
        cursor = self._database.execute(sql, parameters)
        return ResultRows([column[0] for column in cursor.description or ()], cursor)

    def change(self, sql: str, parameters: Parameters, *, kept: bool) -> ChangeDone:
        """Run a statement. What changes rows has a transaction in any case; VACUUM and others refuse one."""
        if not kept:
            self._database.execute("BEGIN")
        columns, rows = self.query(sql, parameters)
        # A changing statement has to run to its end before its rows are counted.
        returned = list(rows)
        return ChangeDone(columns, iter(returned), self._database.total_changes)

    def commit(self) -> None:
        self._database.commit()

    def explain(self, sql: str, parameters: Parameters, *, measured: bool) -> ResultRows:
        """Say in which order tables and indexes would be read."""
        if measured:
            raise ToolFailure("SQLite measures no plan; call it with measure=false")
        return ResultRows(["plan"], _indented(self.query(f"EXPLAIN QUERY PLAN {sql}", parameters).rows))


def _indented(rows: Iterator[Any]) -> Iterator[tuple[str]]:
    depths = {0: 0}
    for number, parent, _, text in rows:
        depths[number] = depths.get(parent, 0) + 1
        yield ("  " * (depths[number] - 1) + text,)


def _text(value: bytes) -> str:
    return value.decode(errors="replace")
