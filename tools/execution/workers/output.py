"""What a worker's standard output and standard error say, line by line."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import IO, Final

CHUNK: Final = 64 * 1024
LONGEST_LINE: Final = 16 * 1024
"""A longer line, in bytes, is cut there."""

MOST_DRAINED: Final = 4 << 20
"""Most bytes read at once when a call ends; a pipe holds far less."""


class OutputReader:
    """Cut one output stream into lines.

    Args:
        loop: The event loop that watches it.
        stream: The read end of the pipe.
        level: The level its lines are logged at.
        on_line: Takes level and line.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, stream: IO[bytes], level: str, on_line: Callable[[str, str], None]
    ) -> None:
        self._loop = loop
        self._stream = stream
        self._level = level
        self._on_line = on_line
        self._rest = b""
        self._fd = stream.fileno()
        os.set_blocking(self._fd, False)
        loop.add_reader(self._fd, self._on_readable)

    def _on_readable(self) -> None:
        if not self._read():
            self._loop.remove_reader(self._fd)

    def _read(self) -> int:
        """Take what is there; return how many bytes that was, 0 at the end of the stream, -1 when nothing came yet."""
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return -1
        except OSError:
            return 0
        if data:
            *lines, rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._tell(line)
            while len(rest) > LONGEST_LINE:
                self._tell(rest[:LONGEST_LINE])
                rest = rest[LONGEST_LINE:]
            self._rest = rest
        return len(data)

    def _tell(self, line: bytes) -> None:
        self._on_line(self._level, line.rstrip(b"\r").decode(errors="replace"))

    def drain(self) -> None:
        """Take all that was written so far, an unfinished line included."""
        if self._stream.closed:
            return
        total = 0
        while total < MOST_DRAINED and (size := self._read()) > 0:
            total += size
        if self._rest:
            rest, self._rest = self._rest, b""
            self._tell(rest)

    def close(self) -> None:
        """Let go of the stream."""
        if not self._stream.closed:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._fd)
            self._stream.close()
