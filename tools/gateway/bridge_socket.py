"""The socket that bridges connect to, in a folder of its own: nobody else can connect to it, or listen in its place."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_FOLDER: Final = "tool-console-"
_SOCKET: Final = "bridge"
_PRIVATE: Final = 0o600
_READY_S: Final = 1.0


@contextmanager
def private_socket() -> Iterator[socket.socket]:
    """Give a socket that has a path; the path and its folder are removed at the end.

    Raises:
        OSError: There is no room for it.
    """
    if sys.platform == "win32":
        raise OSError("expected a system with sockets that have paths, got one without")
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    # Nobody else can enter such a folder.
    parent = runtime if os.access(runtime, os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(prefix=_FOLDER, dir=parent) as folder,
        socket.socket(socket.AF_UNIX) as bound,
    ):
        path = Path(folder) / _SOCKET
        bound.bind(str(path))
        path.chmod(_PRIVATE)
        yield bound


def remove_left(where: str | int) -> None:
    """Remove the socket of a program that was killed, and its folder; what a program listens on stays.

    Args:
        where: The path of the socket; a port is nothing that is left.
    """
    if isinstance(where, int) or sys.platform == "win32":
        return
    path = Path(where)
    if path.name != _SOCKET or not path.parent.name.startswith(_FOLDER):
        return
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_READY_S)
        try:
            asking.connect(where)
        except (ConnectionRefusedError, FileNotFoundError):
            # A folder with anything else in it is not removed; one that stays is in nobody's way.
            with suppress(OSError):
                path.unlink(missing_ok=True)
                path.parent.rmdir()
        except OSError:
            # Somebody may listen there.
            return
