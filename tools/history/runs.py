"""Runs of the program: which are alive, and what dead ones left behind.

Each run holds a lock on a file of its own, which the system lets go when the program dies.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from pathlib import Path
from typing import Final

from tools.calls import CallError, CallStatus, ErrorKind
from tools.file_lock import claim
from tools.history.database import LEAVE, OPEN, REENTER, transaction
from tools.history.encoding import aborted

_ENDED: Final = CallError(ErrorKind.ABORTED, "the program ended while it ran")
_NEVER_STARTED: Final = CallError(ErrorKind.ABORTED, "the call was made and never started")


class RunLock:
    """Hold the lock of one run of the program.

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
        with contextlib.suppress(OSError):
            # A missing file is only tidier: whoever looks for the lock finds it free either way.
            if sys.platform != "win32":
                self._path.unlink()
        self._file.close()
        with contextlib.suppress(OSError):
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
        with contextlib.suppress(OSError):
            _file_of(folder, name).unlink()
    return tuple(given_up)
