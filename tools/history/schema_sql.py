"""The tables, and the steps by which a file of an earlier version becomes one of this version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final

from tools.errors import HistoryError
from tools.history.second_version import second_version

APPLICATION_ID: Final = 0x546F6F6C
"""Written into the file's header, so that another program's database is not taken for a history: `Tool`."""

Migration = str | Callable[[sqlite3.Connection], None]
"""One step to the next version: statements, or a function that executes some; it runs inside a transaction."""

FIRST: Final = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    pid INTEGER NOT NULL,
    opened_us INTEGER NOT NULL,
    closed_us INTEGER
);
-- Traces without their times. A call whose trace nobody shares has all of it, as text, in `times`.
CREATE TABLE shapes (id INTEGER PRIMARY KEY, shape TEXT NOT NULL UNIQUE);
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE definitions (
    id INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    digest TEXT NOT NULL,
    source TEXT NOT NULL,
    UNIQUE (digest, version, source)
);
-- An id is the moment of the proposal in microseconds times 1,024, plus a number of the run: newest first is by id.
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    call NOT NULL,
    tool INTEGER NOT NULL,
    definition INTEGER NOT NULL,
    caller INTEGER NOT NULL,
    status INTEGER NOT NULL,
    elapsed_us INTEGER NOT NULL,
    shape INTEGER,
    times NOT NULL,
    flags INTEGER NOT NULL,
    arguments,
    result,
    error,
    extra
);
CREATE UNIQUE INDEX calls_by_call ON calls (run, call);
CREATE INDEX calls_open ON calls (run) WHERE status < 3;
CREATE TABLE unindexed (batch INTEGER PRIMARY KEY, run INTEGER NOT NULL, ids BLOB NOT NULL);
CREATE TABLE blobs (digest TEXT PRIMARY KEY, stored_bytes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE blob_uses (
    call INTEGER NOT NULL,
    part TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (call, part)
) WITHOUT ROWID;
CREATE INDEX blob_uses_by_digest ON blob_uses (digest);
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""

MIGRATIONS: Final[tuple[Migration, ...]] = (FIRST, second_version)
"""What makes version 1 of an empty file, version 2 of version 1, and so on. Steps are added, never changed."""


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Bring a file to the newest version, all of it or nothing.

    Args:
        connection: In autocommit mode.
        migrations: The steps, oldest first.

    Returns:
        The version that the file had.

    Raises:
        HistoryError: When a newer program made the file, or another program altogether.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = check(connection, len(migrations))
        for migration in migrations[found:]:
            if isinstance(migration, str):
                for statement in statements(migration):
                    connection.execute(statement)
            else:
                migration(connection)
        if found < len(migrations):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return found


def check(connection: sqlite3.Connection, known: int = len(MIGRATIONS)) -> int:
    """Return a file's version; nothing is written.

    Args:
        connection: To the file.
        known: The newest version that this program knows.

    Raises:
        HistoryError: When a newer program made the file, or another program altogether.
    """
    found, owner, holds_tables = _at_one_moment(connection)
    if owner != APPLICATION_ID and (owner or found or holds_tables):
        msg = "the file in the history's place is another program's database; move it away, or name another data folder"
        raise HistoryError(msg)
    if found > known:
        msg = (
            f"the history was written by a newer version of this program (schema {found}, this one knows {known});"
            " update the program, or give it another data folder"
        )
        raise HistoryError(msg)
    return found


def _at_one_moment(connection: sqlite3.Connection) -> tuple[int, int, bool]:
    """Return version, owner and whether there are tables, of one state: another program may make the file meanwhile."""
    begun = not connection.in_transaction
    if begun:
        connection.execute("BEGIN")
    try:
        # The first question takes the state that all are answered from.
        holds_tables = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
    finally:
        if begun:
            connection.execute("COMMIT")
    return found, owner, holds_tables


def statements(script: str) -> list[str]:
    """Return the statements of a script one by one; `executescript` would end the transaction around it."""
    found: list[str] = []
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            found.append(pending.strip())
            pending = ""
    return found
