"""What workers and their program ask of the operating system, and what takes its place where it has no such thing.

Windows has no process groups, no descriptors that a child inherits one by one, and no event loop that watches pipes;
only Linux ends a child with its parent, bounds its memory and gives out descriptors of processes.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from time import sleep
from typing import Final

if sys.platform != "win32":
    import resource  # noqa: TID251 -- everything here says what Windows does without
    import select

CAN_WATCH: Final[bool] = sys.platform != "win32"
"""Whether event loops tell when something can be read; those of Windows do not."""

_PARENT_S: Final = 1.0


def poller(*sources: int | socket.socket) -> Callable[[], object] | None:
    """Return what tells at once whether one of these can be read; None where the system cannot be asked that."""
    asking: Callable[[], object] | None = None
    if sys.platform != "win32":
        poll = select.poll()
        for source in sources:
            poll.register(source, select.POLLIN)
        asking = partial(poll.poll, 0)
    return asking


def never_wait(descriptor: int) -> None:
    """Let reading from a pipe return at once, where event loops can watch it."""
    if sys.platform != "win32":
        os.set_blocking(descriptor, False)


def pidfd_of(pid: int) -> int | None:
    """Return what becomes readable when a process ends; None where the system has no such thing."""
    descriptor = None
    if sys.platform == "linux":
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            descriptor = None
    return descriptor


def has_ended(pid: int) -> bool | None:
    """Return whether a child is over, and leave it as it is; None where the system cannot be asked that.

    Raises:
        ChildProcessError: It was waited for already.
    """
    is_over = None
    if sys.platform == "linux":
        is_over = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return is_over


def peak_bytes() -> int:
    """Return the most memory that this process ever held."""
    if sys.platform == "win32":
        peak = held_bytes()
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if sys.platform != "darwin":
            peak *= 1024
    return peak


def held_bytes() -> int:
    """Return how much memory this process holds."""
    import psutil  # noqa: PLC0415 -- few workers ever hold much

    return int(psutil.Process().memory_info().rss)


def bound_memory(limit_bytes: int | None) -> None:
    """Let this process have no more memory than that, where the system can do so."""
    if limit_bytes is not None and sys.platform == "linux":
        # What may be written to counts, not addresses that are only set aside.
        resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))


def die_with_parent(parent: int) -> None:
    """Let the system end this process when the program ends, whatever it is doing then."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 -- other systems have another way

        pr_set_pdeathsig, sigkill = 1, 9
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill)
        if os.getppid() != parent:
            os._exit(0)
    else:
        threading.Thread(target=_end_after, args=(parent,), name="watch the program", daemon=True).start()


def _end_after(parent: int) -> None:
    import psutil  # noqa: PLC0415 -- Linux needs none of this

    while psutil.pid_exists(parent):
        sleep(_PARENT_S)
    os._exit(0)


def socket_of(word: str) -> socket.socket:
    """Return the connection to the program, by the word that it gave: a descriptor, or that standard input has it."""
    if sys.platform == "win32":
        connection = socket.fromshare(sys.stdin.buffer.read())
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    else:
        connection = socket.socket(fileno=int(word))
    return connection
