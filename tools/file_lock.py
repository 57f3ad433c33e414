"""A lock between programs: one file that one of them holds at a time."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt  # noqa: TID251 -- the other systems have the other one
else:
    import fcntl  # noqa: TID251 -- as above

LOCK_TIMEOUT_S: Final = 5.0
"""How long a program waits for another one that holds a lock, in seconds."""

_FAR_BYTES: Final = 1 << 40
_PAUSE_S: Final = 0.005
_PRIVATE: Final = 0o600


@contextlib.contextmanager
def held(path: Path, timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[None]:
    """Hold a lock file, which is made when there is none and never deleted.

    Raises:
        TimeoutError: When another program holds it too long.
        OSError: When its folder is not there or must not be written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _PRIVATE)
    try:
        deadline = time.monotonic() + timeout_s
        while not _try(descriptor):
            if time.monotonic() > deadline:
                raise TimeoutError(f"another program has held {path} for {timeout_s:g} s; end it")
            time.sleep(_PAUSE_S)
        yield
    finally:
        # Closing lets the lock go; the system does so too when the program is killed.
        os.close(descriptor)


def claim(descriptor: int) -> bool:
    """Take an open file for this program alone, until it is closed; return whether nobody else has it.

    Others may read it all the same.
    """
    where = os.lseek(descriptor, 0, os.SEEK_CUR)
    # On Windows a place that is locked cannot be read, so it is one where nothing is.
    os.lseek(descriptor, _FAR_BYTES, os.SEEK_SET)
    try:
        return _try(descriptor)
    finally:
        os.lseek(descriptor, where, os.SEEK_SET)


def _try(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except PermissionError:
        if sys.platform == "win32":  # what a lock that is taken is called there
            return False
        raise
    return True
