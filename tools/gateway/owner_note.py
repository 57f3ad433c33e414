"""The note of the program that serves agents, in the data folder; light, since the bridge reads it."""

from __future__ import annotations

import hmac
import json
import socket
from pathlib import Path
from typing import Final, NamedTuple

from tools.atomic_write import write_whole
from tools.gateway.defaults import HOST, LAST_PORT, OWNER_FILE

_READY_S: Final = 2.0


class OwnerNote(NamedTuple):
    """Which program serves agents, and how programs of the same person reach it.

    Attributes:
        port: Where agents reach it over HTTP.
        bridge: Where bridges reach it: the path of a socket, or a port where there are no such sockets.
        secret: What the desk asks for, and what the program proves to bridges that it knows.
    """

    pid: int
    port: int
    desk_port: int
    bridge: str | int
    secret: str


def write_note(data: Path, note: OwnerNote) -> None:
    """Write the note into a data folder, in a file that only this person can read.

    Raises:
        OSError: It cannot be written.
    """
    file = data / OWNER_FILE
    file.unlink(missing_ok=True)
    write_whole(file, json.dumps(note._asdict()))


def read_note(data: Path) -> OwnerNote | None:
    """Return the note of a data folder; None when there is none, or none that can be read."""
    try:
        note = OwnerNote(**json.loads((data / OWNER_FILE).read_bytes()))
        return note if 0 < note.port <= LAST_PORT and 0 < note.desk_port <= LAST_PORT else None
    except (OSError, ValueError, TypeError):
        return None


def served_note(data: Path) -> OwnerNote | None:
    """Return the note of the program that serves agents now; None when none does."""
    note = read_note(data)
    try:
        if note is not None:
            # A program that was killed leaves its note behind.
            socket.create_connection((HOST, note.desk_port), _READY_S).close()
    except OSError:
        return None
    return note


def served_port(data: Path) -> int | None:
    """Return where agents reach the program that serves them now over HTTP; None when none does."""
    note = served_note(data)
    return None if note is None else note.port


def proof(secret: str, challenge: bytes) -> bytes:
    """Return what a program answers to a challenge of a bridge that knows the secret: that it wrote the note.

    Without it, another user could listen where a program did that was killed, and be sent tokens.
    """
    return hmac.digest(secret.encode(), b"bridge " + challenge, "sha256").hex().encode()
