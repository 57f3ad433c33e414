"""The process of a stdio server: started so that it never outlives this program, and ended with all that it started.

The server is started through a shell that first starts a watcher. A pipe that only this program holds open ends with
this program, however that ended; then the watcher ends the server's process group.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import psutil

from tools.programs import Captured, exited, find_program, kill_group, signal_group

STDERR_BYTES: Final = 64 * 1024
"""How much of the end of a server's stderr is kept."""

GRACE_S: Final = 2.0
"""Seconds a server gets to end by itself once its input is closed, and again after it was asked to."""

INHERITED: Final = (
    ("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE",
     "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE")
    if sys.platform == "win32"
    else ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER")
)  # fmt: skip
"""The variables that every server gets. Others may hold secrets of other programs."""

# The shell starts a watcher and becomes the server. The watcher reads from a pipe that only this program holds open:
# when this program is gone, however it went, the pipe ends and the watcher ends the group. It is part of the group
# itself, so the group's number cannot be somebody else's by then. Numbers above 9 are for no shell's `<&`.
_GUARDED: Final = (
    'if [ -r /dev/fd/{0} ]; then {{ read -r _ </dev/fd/{0}; kill -9 0; }} </dev/null >/dev/null 2>&1 & fi; exec "$@"'
)
_READ_BYTES: Final = 1 << 14
_CHUNK_BYTES: Final = 1 << 18
_REST_S: Final = 0.005


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """Return what a server finds in its environment.

    Args:
        more: What its entry adds.
    """
    # A shell may have exported functions, which look like variables.
    kept = {name: value for name in INHERITED if (value := os.environ.get(name)) and not value.startswith("()")}
    return {**kept, **more}


class ServerProcess:
    """Hold one running server.

    Args:
        guard: Our end of the watcher's pipe; None where there is no watcher.
        on_line: Receives each line of its stderr.

    Attributes:
        stdin: What it reads.
        stdout: What it writes.
    """

    def __init__(self, process: asyncio.subprocess.Process, guard: int | None, on_line: Callable[[str], None]) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("a server is started with pipes")
        self.stdin: asyncio.StreamWriter = process.stdin
        self.stdout: asyncio.StreamReader = process.stdout
        self._process = process
        self._guard = guard
        self._captured = Captured(STDERR_BYTES, keep_end=True, on_line=on_line)
        self._draining = asyncio.create_task(self._drain(process.stderr), name=f"stderr of {process.pid}")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended, negative for a signal; None while it runs."""
        return self._process.returncode

    @property
    def last_words(self) -> str:
        """The end of what it wrote on stderr."""
        return self._captured.text

    async def exited(self, within_s: float) -> int | None:
        """Wait a while for its end, and return how it ended; None when it still runs."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await exited(self._process)
        return self._process.returncode

    async def end(self, grace_s: float) -> None:
        """End it and all that it started: by closing its input, then politely, then for good.

        Args:
            grace_s: Seconds it gets each time.

        Source: MCP 2025-11-25, "Shutdown".
        """
        descendants = _descendants(self.pid)
        try:
            self.stdin.close()
            if await self.exited(grace_s) is None:
                descendants |= _descendants(self.pid)
                signal_group(self.pid, signal.SIGTERM)
                await self.exited(grace_s)
        finally:
            # Its group may have members left even when it has gone.
            self._kill(descendants)
            if self._guard is not None:
                os.close(self._guard)
                self._guard = None
        await self.exited(grace_s)
        await self._let_go()

    def kill(self) -> None:
        """End it at once, without waiting."""
        self._kill(_descendants(self.pid))

    async def _let_go(self) -> None:
        self._draining.cancel()
        await asyncio.gather(self._draining, return_exceptions=True)
        # WORKAROUND asyncio has no public way to close pipes that somebody who left the group still holds.
        self._process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001
        await asyncio.sleep(0)

    async def _drain(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(_READ_BYTES):
            self._captured.add(chunk)
            if len(chunk) == _READ_BYTES:
                # Who writes without end leaves room for others, and waits with a full pipe.
                await asyncio.sleep(_REST_S)
        self._captured.add(b"")

    def _kill(self, descendants: set[psutil.Process]) -> None:
        kill_group(self.pid)
        for process in descendants:
            # psutil looks first whether the number is still the same process.
            with contextlib.suppress(psutil.Error):
                process.kill()


def _descendants(pid: int) -> set[psutil.Process]:
    """Return a process and what it started, also what left its group."""
    try:
        process = psutil.Process(pid)
        return {process, *process.children(recursive=True)}
    except psutil.Error:
        return set()


async def start(
    argv: tuple[str, ...], env: Mapping[str, str], cwd: Path, on_line: Callable[[str], None]
) -> ServerProcess:
    """Start a server's program.

    Args:
        argv: The program and its arguments.
        env: What is added to the few variables that every server inherits.
        on_line: Receives each line of its stderr.

    Raises:
        ToolFailure: There is no such program or folder.
        OSError: It cannot be started.
    """
    whole = environment(env)
    program = find_program(argv[0], cwd, whole)
    pipe = asyncio.subprocess.PIPE
    if sys.platform == "win32":
        process = await asyncio.create_subprocess_exec(
            program, *argv[1:], stdin=pipe, stdout=pipe, stderr=pipe, env=whole, cwd=cwd, limit=_CHUNK_BYTES
        )
        ours = None
    else:
        theirs, ours = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                "/bin/sh", "-c", _GUARDED.format(theirs), "tool-console", program, *argv[1:],
                stdin=pipe, stdout=pipe, stderr=pipe, env=whole, cwd=cwd, limit=_CHUNK_BYTES,
                pass_fds=(theirs,), start_new_session=True,
            )  # fmt: skip
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
    return ServerProcess(process, ours, on_line)
