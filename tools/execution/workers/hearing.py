"""Who reads in a worker process, and who is told: the main thread, an event loop or a second thread."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import socket
import threading
from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.execution.workers.failures import restored
from tools.execution.workers.inside import decision_of
from tools.execution.workers.protocol import FrameBuffer, Kind, frame, read_json
from tools.execution.workers.waking import SWIFT_S, WAKEFUL_S, give_way, looking_at

if TYPE_CHECKING:
    from tools.execution.workers.inside import WorkerContext

LOST: Final = 70
"""The exit code of a worker that cannot reach the program any more."""

CHUNK: Final = 64 * 1024
"""Most bytes read at a time; the C library fetches room for more from the system anew each time, which takes longer
than a short call."""

NOT_WAITING: Final[int] = getattr(socket, "MSG_DONTWAIT", 0)
"""Makes reading return at once; 0 where the system has no such thing."""

ABOUT_THE_CALL: Final = frozenset({Kind.CANCEL, Kind.ANSWER, Kind.REFUSAL})


class Connection:
    """Read frames from the program and send frames to it; sending is safe from any thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._frames = FrameBuffer()
        self._read: deque[tuple[Kind, bytes]] = deque()
        self._lock = threading.Lock()
        self._has_words = looking_at(connection)
        self._swift = False
        self.descriptor = connection.fileno()

    def read(self) -> tuple[Kind, bytes]:
        """Wait for the next frame; without the program there is no reason to live on."""
        while not self._read:
            self._receive(0)
        return self._read.popleft()

    def read_now(self) -> Iterator[tuple[Kind, bytes]]:
        """Return the frames about the running call that are there, without waiting."""
        with contextlib.suppress(BlockingIOError):
            self._receive(NOT_WAITING)
        while self._read and self._read[0][0] in ABOUT_THE_CALL:
            yield self._read.popleft()

    def read_wakefully(self) -> tuple[Kind, bytes]:
        """Do what `read` does, but stay awake a moment when the last frame came soon."""
        if self._read:
            return self._read.popleft()
        began = perf_counter()
        if self._swift:
            until = began + WAKEFUL_S
            while perf_counter() < until and not self._has_words():
                give_way()
        read = self.read()
        self._swift = perf_counter() - began < SWIFT_S
        return read

    def _receive(self, flags: int) -> None:
        try:
            data = self._socket.recv(CHUNK, flags)
        except BlockingIOError:
            raise
        except OSError:
            os._exit(LOST)
        if not data:
            os._exit(0)
        self._read.extend(self._frames.feed(data))

    def send(self, data: bytes | bytearray) -> None:
        """Send whole frames."""
        with self._lock:
            try:
                self._socket.sendall(data)
            except OSError as error:
                os.write(2, f"the connection to the program is lost: {error}\n".encode())
                os._exit(LOST)

    def say(self, kind: Kind, body: bytes) -> None:
        """Send one frame."""
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
        """Cancel this task when the call is to stop."""
        with self._lock:
            self._task = task
            if self._stopped:
                task.cancel()

    def hear(self, kind: Kind, body: bytes) -> None:
        """Take what the program says about the call; from whatever thread reads."""
        if kind is Kind.CANCEL:
            with self._lock:
                self._stopped = True
                if self._context is not None:
                    self._context.stop()
                if self._task is not None:
                    self._task.get_loop().call_soon_threadsafe(self._task.cancel)
        elif self._context is not None:
            number, told = read_json(body)
            self._context.answer(number, decision_of(told) if kind is Kind.ANSWER else restored(told))


class Listener:
    """Read for the main thread while that runs a tool, and hand over what is meant for it.

    A synchronous tool can hear only through its context, so its call is listened to from the moment on when it asks the
    context something that the program has to say. An asynchronous one is listened to by its event loop, which stays
    ready to read between the calls: to tell the system so anew each time takes longer than a short call.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._wanted = threading.Semaphore(0)
        self._handed: queue.SimpleQueue[tuple[Kind, bytes]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._reading = False
        self._thread: threading.Thread | None = None
        self._running: Running | None = None
        self._heard_by_loop: Running | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self, running: Running) -> None:
        """Take note of the call that can hear."""
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

    def listen_by(self, loop: asyncio.AbstractEventLoop, running: Running) -> None:
        """Let an event loop read, unless the thread does already or the loop cannot."""
        with self._lock:
            by_loop = not self._reading and bool(NOT_WAITING)
            # Where the loop reads, nobody may start the thread from now on.
            self._running = None if by_loop else running
            self._heard_by_loop = running if by_loop else None
        if by_loop:
            if self._loop is None:
                loop.add_reader(self._connection.descriptor, self._hear_now)
                self._loop = loop
            return
        if self._loop is not None:
            self._loop.remove_reader(self._connection.descriptor)
            self._loop = None
        self.listen(running)

    def _hear_now(self) -> None:
        for kind, body in self._connection.read_now():
            if self._heard_by_loop is not None:
                self._heard_by_loop.hear(kind, body)

    def end(self) -> None:
        """Take note that the call is over."""
        with self._lock:
            self._running = self._heard_by_loop = None

    def next(self) -> tuple[Kind, bytes]:
        """Return the next frame for the main thread."""
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
