"""How both ends of a connection wait: awake for a moment, because to be woken takes longer than a short call.

The goal of `bench_isolation` needs it: an isolated call takes three to four times as long as a pipe without.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Final

from tools.execution.workers.system import CAN_WATCH, poller

_CAN_LOOK: Final = hasattr(os, "sched_yield") and CAN_WATCH and (os.cpu_count() or 1) > 1

WAKEFUL_S: Final = 0.00015 if _CAN_LOOK else 0.0
"""Seconds to look out before going to sleep; none where two who look out would only be in each other's way."""

SWIFT_S: Final = 4 * WAKEFUL_S
"""What came within so many seconds is worth staying awake for the next time: most of them may have been sleep."""


def _stay() -> None:
    """Do nothing, where nobody looks out."""


yield_processor: Final[Callable[[], object]] = getattr(os, "sched_yield", _stay)
"""Lets whoever else wants this processor have it, so that two who wait for each other on the same one do not wait in
vain until their time is used up."""


def looking_at(connection: socket.socket) -> Callable[[], object]:
    """Return what tells whether something can be read, in half the time of trying to read in vain."""
    return (poller(connection) if _CAN_LOOK else None) or _stay
