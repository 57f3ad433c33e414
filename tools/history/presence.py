"""Tell which programs are alive: each holds a lock on a file of its own, which the system lets go when it dies."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class Presence:
    """Hold the lock of one run of the program.

    Args:
        folder: Where the files of all runs are.
        run: The run's name.

    Raises:
        OSError: When the file cannot be made or locked.
    """

    def __init__(self, folder: Path, run: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = _file_of(folder, run)
        self._file = self._path.open("ab")
        try:
            _lock(self._file)
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
        file = _file_of(folder, run).open("rb+")
    except FileNotFoundError:
        return False
    except OSError:
        # It cannot be looked at, so nobody may call it dead.
        return True
    with file:
        try:
            _lock(file)
        except OSError:
            return True
    return False


def take_away(folder: Path, run: str) -> None:
    """Remove what a dead run left."""
    with contextlib.suppress(OSError):
        _file_of(folder, run).unlink()


def _file_of(folder: Path, run: str) -> Path:
    return folder / f"{run}.lock"
