"""Who reads in a worker process, and who is told: the main thread, or a second thread while a tool runs."""

from __future__ import annotations

import asyncio
import os
import queue
import socket
import threading
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.execution.workers.failures import restored
from tools.execution.workers.protocol import FrameBuffer, FrameKind, frame, read_json
from tools.execution.workers.spin_wait import SWIFT_S, WAKEFUL_S, looking_at, yield_processor
from tools.execution.workers.worker_context import decision_of

if TYPE_CHECKING:
    from tools.execution.workers.worker_context import WorkerContext

LOST: Final = 70
"""The exit code of a worker that cannot reach the program any more."""

CHUNK: Final = 64 * 1024
"""Most bytes read at a time; the C library fetches room for more from the system anew each time, which takes longer
than a short call."""

ABOUT_THE_CALL: Final = frozenset({FrameKind.CANCEL, FrameKind.ANSWER, FrameKind.REFUSAL})


class HostConnection:
    """Read frames from the program and send frames to it; sending is safe from any thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._frames = FrameBuffer()
        self._read: deque[tuple[FrameKind, bytes]] = deque()
        self._lock = threading.Lock()
        self._has_words = looking_at(connection)
        self._swift = False

    def read(self) -> tuple[FrameKind, bytes]:
        """Wait for the next frame; without the program there is no reason to live on."""
        while not self._read:
            self._receive()
        return self._read.popleft()

    def read_wakefully(self) -> tuple[FrameKind, bytes]:
        """Do what `read` does, but stay awake a moment when the last frame came soon."""
        if self._read:
            return self._read.popleft()
        began = perf_counter()
        if self._swift:
            until = began + WAKEFUL_S
            while perf_counter() < until and not self._has_words():
                yield_processor()
        read = self.read()
        self._swift = perf_counter() - began < SWIFT_S
        return read

    def _receive(self) -> None:
        try:
            data = self._socket.recv(CHUNK)
        except OSError:
            os._exit(LOST)
        if not data:
            os._exit(0)
        self._read.extend(self._frames.feed(data))

    def send(self, data: bytes | bytearray) -> None:
        with self._lock:
            try:
                self._socket.sendall(data)
            except OSError as error:
                os.write(2, f"the connection to the program is lost: {error}\n".encode())
                os._exit(LOST)

    def say(self, kind: FrameKind, body: bytes) -> None:
        self.send(frame(kind, body))


class Running:
    """One call that can hear.

    Args:
        context: What its tool speaks through; None when it has nothing of the kind.
    """

    def __init__(self, context: WorkerContext | None) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._stopped = False
        self._task: asyncio.Task[Any] | None = None

    def follow(self, task: asyncio.Task[Any]) -> None:
        with self._lock:
            self._task = task
            if self._stopped:
                task.cancel()

    def hear(self, kind: FrameKind, body: bytes) -> None:
        """Take what the program says about the call; from whatever thread reads."""
        if kind is FrameKind.CANCEL:
            with self._lock:
                self._stopped = True
                if self._context is not None:
                    self._context.stop()
                if self._task is not None:
                    self._task.get_loop().call_soon_threadsafe(self._task.cancel)
        elif self._context is not None:
            number, told = read_json(body)
            self._context.answer(number, decision_of(told) if kind is FrameKind.ANSWER else restored(told))


class Listener:
    """Read for the main thread while that runs a tool, and hand over what is meant for it.

    A call is listened to as soon as its tool can hear: a synchronous one when it asks its context something that the
    program has to say, an asynchronous one when it waits for the first time.
    """

    def __init__(self, connection: HostConnection) -> None:
        self._connection = connection
        self._wanted = threading.Semaphore(0)
        self._handed: queue.SimpleQueue[tuple[FrameKind, bytes]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._reading = False
        self._thread: threading.Thread | None = None
        self._running: Running | None = None

    def begin(self, running: Running) -> None:
        self._running = running

    def listen(self, running: Running) -> None:
        """Let a thread read until a frame comes that is not about the call, if the call still runs."""
        with self._lock:
            if self._reading or self._running is not running:
                return
            self._reading = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="listener", daemon=True)
                self._thread.start()
            self._wanted.release()

    def end(self) -> None:
        with self._lock:
            self._running = None

    def next(self) -> tuple[FrameKind, bytes]:
        if not self._reading:
            return self._connection.read_wakefully()
        handed = self._handed.get()
        self._reading = False
        return handed

    def _work(self) -> None:
        while True:
            self._wanted.acquire()
            kind, body = self._connection.read()
            while kind in ABOUT_THE_CALL:
                running = self._running
                if running is not None:
                    running.hear(kind, body)
                kind, body = self._connection.read()
            self._handed.put((kind, body))
