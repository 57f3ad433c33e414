"""What dead programs left behind: calls that were running, and calls that are not in the index yet."""

from __future__ import annotations

import sqlite3
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.calls import CallError, CallStatus, ErrorKind
from tools.history import index
from tools.history.body import body_of, stored
from tools.history.database import transaction
from tools.history.encoding import NUMBER_BY_STATUS
from tools.history.keys import call_of
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
    name = connection.execute("SELECT name FROM runs WHERE id = ?", (run,)).fetchone()
    found = connection.execute(
        "SELECT calls.id, calls.key, calls.kind, kinds.status, calls.body FROM calls"
        " JOIN kinds ON kinds.id = calls.kind WHERE calls.running = ? ORDER BY calls.id",
        (run,),
    ).fetchall()
    if not found:
        return ()
    aborted = {kind: _aborted_kind(connection, kind) for _, _, kind, _, _ in found}
    why = {status: json_of(CallError(ErrorKind.ABORTED, words)).encode() for status, words in _WORDS.items()}
    update = "UPDATE calls SET kind = ?, body = ?, running = NULL WHERE id = ?"
    connection.executemany(
        update,
        [
            (aborted[kind], stored(body_of(body)._replace(error=why[status])), row_id)
            for row_id, _, kind, status, body in found
        ],
    )
    noted = "INSERT INTO unindexed (run, ids) VALUES (?, ?)"
    connection.execute(noted, (run, array("q", [row_id for row_id, *_ in found]).tobytes()))
    return tuple(f"{name[0]}-{call_of(key)}" for _, key, _, _, _ in found)


def _aborted_kind(connection: sqlite3.Connection, kind: int) -> int:
    """Return the number of the kind that calls of this one become when they are given up."""
    columns = "tool, definition, caller, status, flags, shape"
    as_aborted = f"SELECT tool, definition, caller, {_ABORTED}, flags, shape FROM kinds WHERE id = ?"  # noqa: S608 -- our own names only
    connection.execute(f"INSERT OR IGNORE INTO kinds ({columns}) {as_aborted}", (kind,))
    found = f"SELECT id FROM kinds WHERE ({columns}) = ({as_aborted})"  # noqa: S608 -- likewise
    number: int = connection.execute(found, (kind,)).fetchone()[0]
    return number


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
