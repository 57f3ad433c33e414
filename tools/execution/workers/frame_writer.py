"""What waits to be sent to a worker process: taken whole, sent as fast as the worker reads."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Iterable
from typing import Final

from tools.execution.workers.launch import CAN_WATCH

PART: Final = 256 * 1024
"""Most bytes sent at a time, so that a worker that reads fast never keeps the event loop to itself."""


class FrameWriter:
    """Send bytes through a socket that never waits, in their order and without copying them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: socket.socket) -> None:
        self._loop = loop
        self._socket = connection
        self._waiting: deque[memoryview] = deque()
        self._task: asyncio.Task[None] | None = None

    def send(self, data: bytes) -> None:
        """Send bytes now, or as soon as the other side takes them; without another side they are dropped."""
        if self._waiting:
            self._waiting.append(memoryview(data))
            return
        try:
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # it is dead, which is noticed elsewhere
        if sent < len(data):
            self._waiting.append(memoryview(data)[sent:])
            self._send_on()

    def send_all(self, pieces: Iterable[bytes]) -> None:
        """Send many pieces, after what waits already, and none of them right now."""
        begins = not self._waiting
        self._waiting.extend(map(memoryview, pieces))
        if begins and self._waiting:
            self._send_on()

    def close(self) -> None:
        self._waiting.clear()
        if not self._loop.is_closed():
            if self._task is not None:
                self._task.cancel()
            if CAN_WATCH:
                self._loop.remove_writer(self._socket)

    def _send_on(self) -> None:
        if CAN_WATCH:
            self._loop.add_writer(self._socket, self._on_writable)
        else:
            self._task = self._loop.create_task(self._work(), name="words for a worker")

    def _on_writable(self) -> None:
        room = PART
        try:
            while room > 0 and self._waiting:
                first = self._waiting[0]
                sent = self._socket.send(first[:room])
                room -= sent
                if sent < len(first):
                    self._waiting[0] = first[sent:]
                else:
                    self._waiting.popleft()
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()
        if not self._waiting:
            self._loop.remove_writer(self._socket)

    async def _work(self) -> None:
        """Send where the loop cannot tell when the socket takes more."""
        with contextlib.suppress(OSError):
            while self._waiting:
                for at in range(0, len(self._waiting[0]), PART):
                    await self._loop.sock_sendall(self._socket, self._waiting[0][at : at + PART])
                self._waiting.popleft()
