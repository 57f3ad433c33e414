"""What a worker's standard output and standard error say, line by line."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import threading
from collections.abc import Callable, Iterable
from typing import IO, Final

from tools.execution.workers.launch import CAN_WATCH

CHUNK: Final = 64 * 1024
LONGEST_LINE: Final = 16 * 1024
"""A longer line, in bytes, is cut there."""

MOST_DRAINED: Final = 4 << 20
"""Most bytes read at once when a call ends; a pipe holds far less."""


class Outputs:
    """Watch a worker's output streams together.

    Args:
        loop: The event loop that watches them.
        streams: The read ends of the pipes, and the levels their lines are logged at.
        on_line: Takes level and line.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        streams: Iterable[tuple[IO[bytes] | None, str]],
        on_line: Callable[[str, str], None],
    ) -> None:
        self._readers = [OutputReader(loop, stream, level, on_line) for stream, level in streams if stream is not None]
        # One question to the system for all streams, at the end of each call.
        self._poll = select.poll() if CAN_WATCH else None
        for reader in self._readers:
            if self._poll is not None:
                self._poll.register(reader.descriptor, select.POLLIN)
            else:
                threading.Thread(target=reader.pump, name="worker output", daemon=True).start()

    @property
    def broken(self) -> bool:
        """Whether the tool closed a stream, which a later one may want to write to."""
        for reader in self._readers:  # noqa: SIM110 -- at the end of each call; any() takes three times as long
            if reader.at_end:
                return True
        return False

    def drain(self) -> None:
        if self._poll is not None and self._poll.poll(0):
            waiting = self._readers
        else:
            waiting = [reader for reader in self._readers if reader.unfinished]
        for reader in waiting:
            reader.drain()

    def close(self) -> None:
        for reader in self._readers:
            reader.close()


class OutputReader:
    """Cut one output stream into lines.

    Attributes:
        unfinished: The beginning of a line whose end is still to come.
        at_end: Whether nobody can write to it any more.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, stream: IO[bytes], level: str, on_line: Callable[[str, str], None]
    ) -> None:
        self._loop = loop
        self._stream = stream
        self._level = level
        self._on_line = on_line
        self.unfinished = b""
        self.at_end = False
        self._fd = stream.fileno()
        if CAN_WATCH:
            os.set_blocking(self._fd, False)
            loop.add_reader(self._fd, self._on_readable)

    @property
    def descriptor(self) -> int:
        return self._fd

    def _on_readable(self) -> None:
        self._read()
        if self.at_end:
            self._loop.remove_reader(self._fd)

    def _read(self) -> int:
        """Take what is there; return how many bytes that was, 0 at the end of the stream, -1 when nothing came yet."""
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return -1
        except OSError:
            data = b""
        self._take(data)
        return len(data)

    def pump(self) -> None:
        """Read in a thread of its own, where the loop cannot tell when there is something to read."""
        data = b"."
        while data:
            try:
                data = os.read(self._fd, CHUNK)
            except OSError:
                data = b""
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(self._take, data)

    def _take(self, data: bytes) -> None:
        self.at_end = not data
        if data:
            *lines, rest = (self.unfinished + data).split(b"\n")
            for line in lines:
                self._tell(line)
            while len(rest) > LONGEST_LINE:
                self._tell(rest[:LONGEST_LINE])
                rest = rest[LONGEST_LINE:]
            self.unfinished = rest

    def _tell(self, line: bytes) -> None:
        self._on_line(self._level, line.rstrip(b"\r").decode(errors="replace"))

    def drain(self) -> None:
        """Take all that was written so far, an unfinished line included."""
        if self._stream.closed:
            return
        total = 0
        while CAN_WATCH and total < MOST_DRAINED and (size := self._read()) > 0:
            total += size
        if self.unfinished:
            rest, self.unfinished = self.unfinished, b""
            self._tell(rest)

    def close(self) -> None:
        if not self._stream.closed:
            if CAN_WATCH and not self._loop.is_closed():
                self._loop.remove_reader(self._fd)
            self._stream.close()
