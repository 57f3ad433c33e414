"""The exit codes, which scripts rely on."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from tools.calls import CallStatus


class Exit(IntEnum):
    """What the process returns."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    DENIED = 3
    INVALID_ARGUMENTS = 4
    FAILED = 5
    TIMED_OUT = 6
    TAMPERED = 7
    INTERRUPTED = 130


EXIT_BY_STATUS: Final = {
    CallStatus.EXECUTED: Exit.OK,
    CallStatus.DENIED: Exit.DENIED,
    CallStatus.REJECTED: Exit.INVALID_ARGUMENTS,
    CallStatus.NOT_FOUND: Exit.USAGE,
    CallStatus.TIMED_OUT: Exit.TIMED_OUT,
    CallStatus.CANCELLED: Exit.INTERRUPTED,
}
"""How a call's end becomes an exit code; anything else is `FAILED`."""
