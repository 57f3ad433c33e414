"""The tables, and whose file it is that holds them."""

from __future__ import annotations

import sqlite3
from typing import Final

from tools.errors import HistoryError

APPLICATION_ID: Final = 0x43616C6C
"""Written into the file's header, so that another program's database is not taken for a history: `Call`."""

DRAFT_ID: Final = 0x546F6F6C
"""What stood there before the first version."""

VERSION: Final = 1

OPEN: Final = "status IN ('pending', 'waiting_for_review', 'executing')"
"""The calls that have not ended, as SQL."""

_TABLES: Final = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        pid INTEGER NOT NULL,
        opened_us INTEGER NOT NULL,
        closed_us INTEGER
    )
    """,
    # An id is the moment of the proposal in microseconds times 1,024, plus a number of the run: newest first is by id.
    # `listed` is what a list shows, `record` the record without what is sealed or stands in the blobs, and `words` what
    # the index has of it where the record alone does not tell.
    """
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        call TEXT NOT NULL,
        tool TEXT NOT NULL,
        caller TEXT NOT NULL,
        status TEXT NOT NULL,
        decided INTEGER NOT NULL,
        elapsed_s REAL NOT NULL,
        listed TEXT NOT NULL,
        record TEXT NOT NULL,
        sealed BLOB,
        words TEXT
    )
    """,
    "CREATE UNIQUE INDEX calls_by_call ON calls (run, call)",
    f"CREATE INDEX calls_open ON calls (run) WHERE {OPEN}",
    "CREATE TABLE names (kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID",
    "CREATE TABLE blobs (digest TEXT PRIMARY KEY, stored_bytes INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE blob_uses (
        call INTEGER NOT NULL,
        part TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (call, part)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX blob_uses_by_digest ON blob_uses (digest)",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
)


class EarlierVersionError(HistoryError):
    """Report a file of ours that this program does not read."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file; nothing happens to one that has them.

    Args:
        connection: In autocommit mode.

    Raises:
        HistoryError: As `check`.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not check(connection):
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check(connection: sqlite3.Connection) -> int:
    """Return a file's version, 0 for an empty one; nothing is written.

    Raises:
        EarlierVersionError: When an earlier version of this program made the file.
        HistoryError: When a newer one made it, or another program altogether.
    """
    found, owner, holds_tables = _at_one_moment(connection)
    if owner == DRAFT_ID:
        raise EarlierVersionError("the history was written by an earlier version of this program")
    if owner != APPLICATION_ID and (owner or found or holds_tables):
        msg = "the file in the history's place is another program's database; move it away, or name another data folder"
        raise HistoryError(msg)
    if found > VERSION:
        msg = (
            f"the history was written by a newer version of this program (schema {found}, this one knows {VERSION});"
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
