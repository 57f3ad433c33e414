"""How both ends of a connection wait: awake for a moment, because to be woken takes longer than a short call."""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Final


def _stay() -> None:
    """Do nothing, where a process cannot give its processor to another one."""


give_way: Final[Callable[[], object]] = _stay if sys.platform == "win32" else os.sched_yield
"""Lets whoever else wants this processor have it, so that two who wait for each other on the same one do not wait in
vain until their time is used up."""


def looking_at(connection: socket.socket) -> Callable[[], object]:
    """Return what tells whether something can be read, without waiting; half the time of trying to read in vain."""
    if sys.platform == "win32":
        return lambda: select.select([connection], [], [], 0)[0]
    looking = select.poll()
    looking.register(connection, select.POLLIN)
    return partial(looking.poll, 0)


WAKEFUL_S: Final = 0.00015 if give_way is not _stay and (os.cpu_count() or 1) > 1 else 0.0
"""Seconds to look out before going to sleep."""

SWIFT_S: Final = 4 * WAKEFUL_S
"""What came within so many seconds is worth staying awake for the next time: most of them may have been sleep."""
