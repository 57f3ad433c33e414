"""The second version of the file: what many calls share stands once, and the rest of a call is one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tools.history.body import packed
from tools.history.trace import WAITED

if TYPE_CHECKING:
    import sqlite3

NO_SHAPE: Final = 0
"""The number in the place of a shape when a trace has none that others share."""

_TABLES: Final = (
    """
    CREATE TABLE kinds (
        id INTEGER PRIMARY KEY,
        tool INTEGER NOT NULL,
        definition INTEGER NOT NULL,
        caller INTEGER NOT NULL,
        status INTEGER NOT NULL,
        flags INTEGER NOT NULL,
        shape INTEGER NOT NULL,
        UNIQUE (tool, definition, caller, status, flags, shape)
    )
    """,
    "ALTER TABLE calls RENAME TO calls_1",
    # The key is the run's number and the call's; a call that has not ended has its run's number in `running` as well.
    """
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY, key NOT NULL, kind INTEGER NOT NULL, body BLOB NOT NULL, running INTEGER
    )
    """,
)
_MOVED: Final = (
    f"""
    INSERT INTO kinds (tool, definition, caller, status, flags, shape)
    SELECT DISTINCT tool, definition, caller, status, flags, ifnull(shape, {NO_SHAPE}) FROM calls_1
    """,  # noqa: S608 -- our own names only
    f"""
    INSERT INTO calls
    SELECT
        calls_1.id,
        CASE typeof(call) WHEN 'integer' THEN run << 40 | call ELSE run || '-' || call END,
        kinds.id,
        body_of_1(elapsed_us, arguments, result, error, extra, times),
        CASE WHEN calls_1.status < 3 THEN run END
    FROM calls_1 JOIN kinds USING (tool, definition, caller, status, flags)
    WHERE kinds.shape = ifnull(calls_1.shape, {NO_SHAPE})
    ORDER BY calls_1.id
    """,  # noqa: S608 -- likewise
    "DROP TABLE calls_1",
    "CREATE UNIQUE INDEX calls_by_key ON calls (key)",
    "CREATE INDEX calls_running ON calls (running) WHERE running IS NOT NULL",
)


def second_version(connection: sqlite3.Connection) -> None:
    """Make a file of version 1 one of version 2, within a transaction."""
    connection.create_function("body_of_1", 6, _body, deterministic=True)
    try:
        for statement in (*_TABLES, *_MOVED):
            connection.execute(statement)
    finally:
        connection.create_function("body_of_1", 6, None)


def _body(elapsed_us: int, *columns: str | bytes | None) -> bytes:
    arguments, result, error, extra, times = (
        column.encode() if isinstance(column, str) else column for column in columns
    )
    return packed(elapsed_us, arguments, result, error, extra, WAITED, times or b"")
