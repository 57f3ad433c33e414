"""What dead programs left behind: calls that were running."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from tools.calls import CallError, CallStatus, ErrorKind
from tools.history.database import LEAVE, OPEN, REENTER, transaction
from tools.history.encoding import aborted
from tools.history.presence import is_alive, take_away

if TYPE_CHECKING:
    from pathlib import Path

_ENDED: Final = CallError(ErrorKind.ABORTED, "the program ended while it ran")
_NEVER_STARTED: Final = CallError(ErrorKind.ABORTED, "the call was made and never started")


def abort_open_calls(connection: sqlite3.Connection, run: int) -> tuple[str, ...]:
    """Give the calls up that a run which is over never ended; within a transaction.

    Args:
        connection: The writer's.
        run: The run's number.

    Returns:
        The ids of their records.
    """
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

    Args:
        connection: The writer's, outside a transaction.
        folder: Where the runs' locks are.
        own: This run's name.
        now_us: Microseconds since the epoch.

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
        take_away(folder, name)
    return tuple(given_up)
