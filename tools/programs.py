"""Run another program to its end, with everything it starts: bounded output, a real time limit, nothing left behind."""

from __future__ import annotations

import asyncio
import codecs
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from tools.errors import ToolFailure

OnLine = Callable[[str], None]

# Small enough that thousands of short lines from one piece do not hold up the event loop.
_READ_BYTES: Final = 1 << 14
_POLL_S: Final = 0.05
_LATE_OUTPUT_S: Final = 0.5
_LONGEST_LINE: Final = 2000


class Captured:
    """Keep the beginning or the end of a stream.

    Args:
        max_bytes: How much is kept.
        keep_end: Whether the end is kept instead of the beginning.
        on_line: Receives each line as it comes, overlong ones in pieces; None when nobody looks.

    Attributes:
        total_bytes: How much came in all.
    """

    def __init__(self, max_bytes: int, *, keep_end: bool = False, on_line: OnLine | None = None) -> None:
        self._kept = bytearray()
        self._max_bytes = max_bytes
        self._keep_end = keep_end
        self._on_line = on_line
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._line = ""
        self.total_bytes = 0

    @property
    def content(self) -> bytes:
        return bytes(self._kept[-self._max_bytes :] if self._keep_end else self._kept[: self._max_bytes])

    @property
    def text(self) -> str:
        """What was kept, as text; bytes that are no UTF-8 become replacement characters."""
        return self.content.decode("utf-8", errors="replace")

    @property
    def truncated(self) -> bool:
        """Whether more came than was kept."""
        return self.total_bytes > self._max_bytes

    def add(self, chunk: bytes) -> None:
        """Take the next piece of the stream; an empty one ends it."""
        self.total_bytes += len(chunk)
        if self._keep_end:
            self._kept += chunk
            if len(self._kept) > 2 * self._max_bytes:
                del self._kept[: -self._max_bytes]
        elif len(self._kept) < self._max_bytes:
            self._kept += chunk
        if self._on_line is not None:
            self._tell(self._on_line, self._decoder.decode(chunk, final=not chunk), last=not chunk)

    def _tell(self, on_line: OnLine, text: str, *, last: bool) -> None:
        *lines, rest = (self._line + text).split("\n")
        if last and rest:
            lines.append(rest)
            rest = ""
        while len(rest) > _LONGEST_LINE:
            lines.append(rest[:_LONGEST_LINE])
            rest = rest[_LONGEST_LINE:]
        self._line = rest
        for line in lines:
            for start in range(0, max(len(line), 1), _LONGEST_LINE):
                on_line(line[start : start + _LONGEST_LINE].rstrip("\r"))


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How a program ended.

    Attributes:
        exit_code: Its exit code; negative is the signal that killed it.
        timed_out: Whether it was killed because the time was over.
        left_running: Whether something it started was still holding its output, and was killed.
        elapsed_s: How long it ran.
    """

    exit_code: int
    timed_out: bool
    left_running: bool
    elapsed_s: float


async def run_program(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdout: Captured,
    stderr: Captured,
    timeout_s: float | None,
    stdin: bytes | None = None,
    grace_s: float = 0.0,
) -> ProgramEnd:
    """Run a program to its end; whatever it started and left behind is killed with it.

    Args:
        argv: The program and its arguments; no shell reads them.
        env: Its whole environment.
        stdout: Takes its output.
        stderr: Takes its error output.
        timeout_s: How long it may run, in seconds; None as long as it wants.
        stdin: What it reads; None gives it nothing.
        grace_s: How long it may take to end when asked to, before it is killed.

    Raises:
        ToolFailure: When it cannot be started.
    """
    began = perf_counter()
    process = await _start(argv, cwd, env, has_input=stdin is not None)
    streams = [
        asyncio.create_task(_drain(stream, captured), name=f"read {argv[0]}")
        for stream, captured in ((process.stdout, stdout), (process.stderr, stderr))
        if stream is not None
    ]
    if stdin is not None:
        streams.append(asyncio.create_task(_feed(process, stdin), name=f"feed {argv[0]}"))
    timed_out = left_running = False
    try:
        async with asyncio.timeout(timeout_s) as limit:
            await exited(process)
            _, late = await asyncio.wait(streams, timeout=_LATE_OUTPUT_S)
            left_running = bool(late)
    except TimeoutError:
        if not limit.expired():
            raise
        timed_out = True
    finally:
        await _end(process, streams, grace_s)
    exit_code = process.returncode if process.returncode is not None else -signal.SIGTERM
    return ProgramEnd(exit_code, timed_out, left_running, perf_counter() - began)


def find_program(name: str, cwd: Path, env: Mapping[str, str]) -> str:
    """Return the path of a program as the system would find it.

    Raises:
        ToolFailure: When there is none, or no such folder.
    """
    if not cwd.is_dir():
        raise ToolFailure(f"expected a folder to start {name!r} in, but {str(cwd)!r} is none")
    place = str(cwd / name) if os.path.dirname(name) else name  # noqa: PTH120 -- Path("./x") loses the dot
    found = shutil.which(place, path=env.get("PATH"))
    if found is None:
        raise ToolFailure(f"no program {name!r} can be run: expected one on PATH, or a path to an executable file")
    return found


async def _start(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], *, has_input: bool
) -> asyncio.subprocess.Process:
    program = find_program(argv[0], cwd, env)
    quiet = asyncio.subprocess.DEVNULL
    pipe = asyncio.subprocess.PIPE
    try:
        return await asyncio.create_subprocess_exec(
            program,
            *argv[1:],
            cwd=cwd,
            env=dict(env),
            stdin=pipe if has_input else quiet,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ToolFailure(f"{argv[0]!r} cannot be started in {cwd}: {reason}") from error


async def _drain(stream: asyncio.StreamReader, captured: Captured) -> None:
    while chunk := await stream.read(_READ_BYTES):
        captured.add(chunk)
    captured.add(b"")


async def _feed(process: asyncio.subprocess.Process, content: bytes) -> None:
    stdin = process.stdin
    if stdin is None:
        return
    # A program may end without reading what it was given; that is its own business.
    with suppress(BrokenPipeError, ConnectionResetError):
        stdin.write(content)
        await stdin.drain()
        stdin.close()
        await stdin.wait_closed()


async def exited(process: asyncio.subprocess.Process) -> None:
    """Wait until the program itself has ended, whoever still holds its pipes.

    WORKAROUND Process.wait() waits for the pipes too in some releases of Python 3.12 and 3.13.
    """
    waiting = asyncio.ensure_future(process.wait())
    try:
        while process.returncode is None:
            await asyncio.wait({waiting}, timeout=_POLL_S)
    finally:
        waiting.cancel()


async def _end(process: asyncio.subprocess.Process, streams: Sequence[asyncio.Task[None]], grace_s: float) -> None:
    """End what still runs: politely first when there is time for that, then for good."""
    try:
        if process.returncode is None and grace_s:
            signal_group(process.pid, signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(exited(process), grace_s)
    finally:
        if process.returncode is None or not all(task.done() for task in streams):
            kill_group(process.pid)
    if process.returncode is None:
        await exited(process)
    _, late = await asyncio.wait(streams, timeout=_LATE_OUTPUT_S)
    for task in late:
        task.cancel()
    results = await asyncio.gather(*streams, return_exceptions=True)
    if late:
        # WORKAROUND asyncio has no public way to close the pipes that a program which left the group still holds.
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001
    for result in results:
        if isinstance(result, Exception):
            raise result


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a program and what it started, as far as that did not turn away on purpose."""
    if sys.platform == "win32":
        kill_group(pid)
    else:
        # The group may be gone already, which is what is wanted.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)


def kill_group(pid: int) -> None:
    """End a program and what it started at once, likewise."""
    if sys.platform == "win32":
        import psutil  # noqa: PLC0415 -- other systems end groups of processes themselves

        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(pid)
            for process in (*parent.children(recursive=True), parent):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
    else:
        signal_group(pid, signal.SIGKILL)


def ending_of(code: int | None) -> str:
    """Return what ended a process, in a few words: its exit code, or the signal that killed it."""
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return name + _MEANINGS.get(name, "")


_MEANINGS: Final = {
    "SIGSEGV": " (segmentation fault: it touched memory that is not its own)",
    "SIGABRT": " (it aborted itself)",
    "SIGBUS": " (bus error)",
    "SIGFPE": " (arithmetic error)",
    "SIGILL": " (illegal instruction)",
    "SIGKILL": " (by somebody outside, or because memory ran out)",
    "SIGTERM": " (by somebody outside)",
}
