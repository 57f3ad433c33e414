"""The terminal as the system knows it: which device it is, and what was typed there and not read yet."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

if sys.platform != "win32":
    import termios  # noqa: TID251 -- everything here says what Windows does without


def device_of(source: TextIO) -> int | None:
    """Return the number of the device that a person types on; None when nobody does, or devices have no numbers."""
    number = None
    # What no file is has no number, and a stream that was closed none any more.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if sys.platform != "win32" and source.isatty():
            number = os.fstat(source.fileno()).st_rdev
    return number


def drop_typed(source: TextIO) -> None:
    """Drop what the system holds of it, half a line too; Windows holds it where nothing can drop it."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError, ValueError, AttributeError, termios.error):
            number = source.fileno()
            if not _is_in_background(number):
                termios.tcflush(number, termios.TCIFLUSH)


def _is_in_background(number: int) -> bool:
    """Tell whether the system would stop this program for a change of its terminal."""
    is_elsewhere = False
    if sys.platform != "win32":
        # A terminal that is not ours has no foreground that we could ask for.
        with contextlib.suppress(OSError):
            is_elsewhere = os.tcgetpgrp(number) != os.getpgrp()
    return is_elsewhere
