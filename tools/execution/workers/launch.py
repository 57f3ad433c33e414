"""Start a worker process, watch for its end, and say how it ended."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tools.paths import NO_PROJECT
from tools.programs import ending_of

OPTION: Final = "--tool-worker"
"""The word that makes a frozen program a worker: given it first, the program has to do nothing but return what
`tools.execution.workers.worker.main` returns for the words after it."""

CODE: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2])['path'];"
    " from tools.execution.workers.worker import main; main(sys.argv[1:])"
)


class WorkerLimits(NamedTuple):
    """What one worker may use up.

    Attributes:
        memory_bytes: Most memory it may ask for; None means no limit. Linux only.
        kept_bytes: A worker that holds more than this after a call is replaced.
        max_calls: A worker that ran so many calls is replaced.
        result_bytes: Most bytes one call may send back.
        grace_s: Seconds a stopped tool has to end by itself before its worker is killed.
    """

    memory_bytes: int | None = 4 << 30
    kept_bytes: int = 512 << 20
    max_calls: int = 10_000
    result_bytes: int = 512 << 20
    grace_s: float = 0.5


def launched(theirs: socket.socket, limits: WorkerLimits, folder: Path) -> subprocess.Popen[bytes]:
    """Start a worker that talks through a socket; in a session of its own, so that all it starts can be ended too.

    Args:
        theirs: The worker's end of the connection.
        limits: What it may use up.
        folder: Its current folder; the home folder in the place of `NO_PROJECT`.

    Raises:
        OSError: It cannot be started.
    """
    if folder == NO_PROJECT:
        folder = Path.home()
    told = {
        # "" means the current folder, which is another one there: its modules must not become importable.
        "path": [str(Path(entry).absolute()) for entry in sys.path],
        "memory_bytes": limits.memory_bytes,
        "kept_bytes": limits.kept_bytes,
        "parent": os.getpid(),
    }
    start = [sys.executable, OPTION] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-c", CODE]
    if sys.platform == "win32":
        words = [*start, "stdin", json.dumps(told)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, cwd=folder)
        if process.stdin is not None:
            process.stdin.write(theirs.share(process.pid))
            process.stdin.close()
    else:
        process = subprocess.Popen(
            [*start, str(theirs.fileno()), json.dumps(told)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            bufsize=0,
            cwd=folder,
        )
    return process


def how_it_ended(code: int | None) -> str:
    """Return what an exit code means, as one sentence without a full stop."""
    how = "ended with" if code is None or code >= 0 else "was ended by"
    return f"its worker process {how} {ending_of(code)}"
