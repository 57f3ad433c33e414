"""Tell which programs are alive: each holds a lock on a file of its own, which the system lets go when it dies."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from tools.file_lock import claim


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


def take_away(folder: Path, run: str) -> None:
    """Remove what a dead run left."""
    with contextlib.suppress(OSError):
        _file_of(folder, run).unlink()


def _file_of(folder: Path, run: str) -> Path:
    return folder / f"{run}.lock"
