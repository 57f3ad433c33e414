"""What dead programs left behind: calls that were running, and calls that are not in the index yet."""

from __future__ import annotations

import sqlite3
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.calls import CallError, CallStatus, ErrorKind
from tools.history import index
from tools.history.database import transaction
from tools.history.encoding import NUMBER_BY_STATUS
from tools.history.presence import is_alive, take_away
from tools.history.writing import json_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDED: Final = "the program ended while it ran"
NEVER_STARTED: Final = "the call was made and never started"
_ABORTED: Final = NUMBER_BY_STATUS[CallStatus.ABORTED]
_WORDS: Final = {
    NUMBER_BY_STATUS[CallStatus.PENDING]: NEVER_STARTED,
    NUMBER_BY_STATUS[CallStatus.WAITING_FOR_REVIEW]: ENDED,
    NUMBER_BY_STATUS[CallStatus.EXECUTING]: ENDED,
}
_SLICE: Final = 512


def abort_open_calls(connection: sqlite3.Connection, run: int) -> tuple[str, ...]:
    """Give the calls up that a run which is over never ended; within a transaction.

    Returns:
        The ids of their records.
    """
    found = connection.execute(
        "SELECT calls.id, runs.name || '-' || calls.call, calls.status FROM calls JOIN runs ON runs.id = calls.run"
        " WHERE calls.run = ? AND calls.status < 3 ORDER BY calls.id",
        (run,),
    ).fetchall()
    if not found:
        return ()
    ids = [row_id for row_id, _, _ in found]
    update = "UPDATE calls SET status = ?, error = ? WHERE id = ?"
    why = {status: json_of(CallError(ErrorKind.ABORTED, words)) for status, words in _WORDS.items()}
    connection.executemany(update, [(_ABORTED, why[status], row_id) for row_id, _, status in found])
    noted = "INSERT INTO unindexed (run, ids) VALUES (?, ?)"
    connection.execute(noted, (run, array("q", ids).tobytes()))
    return tuple(record for _, record, _ in found)


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
    aborted: list[str] = []
    for number, name in dead:
        with transaction(connection):
            aborted += abort_open_calls(connection, number)
            connection.execute("UPDATE runs SET closed_us = ? WHERE id = ?", (now_us, number))
        take_away(folder, name)
    return tuple(aborted)


def index_leftovers(connection: sqlite3.Connection, own: int) -> Iterator[None]:
    """Enter into the index what ended runs did not get to, a slice at a time; yields after each."""
    while True:
        left = connection.execute(
            "SELECT batch, ids FROM unindexed WHERE run != ? AND run IN"
            " (SELECT id FROM runs WHERE closed_us IS NOT NULL) ORDER BY batch LIMIT 1",
            (own,),
        ).fetchone()
        if left is None:
            return
        batch, packed = left
        ids = array("q")
        ids.frombytes(packed)
        with transaction(connection):
            # Somebody else may have been quicker.
            if connection.execute("DELETE FROM unindexed WHERE batch = ?", (batch,)).rowcount:
                for start in range(0, len(ids), _SLICE):
                    index.enter(connection, index.stored_texts(connection, ids[start : start + _SLICE].tolist()))
        yield


def index_everything(connection: sqlite3.Connection) -> Iterator[None]:
    """Enter into a new index all ended calls that were there before it, newest first; yields after each slice.

    It goes on where an earlier program stopped.
    """
    while True:
        with transaction(connection):
            fact = connection.execute("SELECT value FROM facts WHERE name = 'index_below'").fetchone()
            found = connection.execute(
                "SELECT id FROM calls WHERE id < ? ORDER BY id DESC LIMIT ?", (fact[0] if fact else 0, _SLICE)
            ).fetchall()
            if found:
                index.enter(connection, index.stored_texts(connection, [row_id for (row_id,) in found]))
                connection.execute("UPDATE facts SET value = ? WHERE name = 'index_below'", found[-1])
            else:
                connection.execute("DELETE FROM facts WHERE name = 'index_below'")
        if not found:
            return
        yield
