"""One worker process, seen from the program: started, talked to, listened to, and ended for real."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import IO, Any, Final

from tools.errors import ToolCrashError
from tools.execution.workers.call_receiver import CallReceiver, ToolMessageHandler
from tools.execution.workers.launch import WorkerLimits, how_it_ended, launched
from tools.execution.workers.protocol import CALL_HEADER, FrameBuffer, FrameKind, ProtocolError, frame
from tools.execution.workers.references import ToolReference, write_reference
from tools.execution.workers.spin_wait import SWIFT_S, WAKEFUL_S, looking_at, yield_processor
from tools.execution.workers.system import CAN_WATCH, has_ended, never_wait, pidfd_of, poller
from tools.programs import kill_group

_log = logging.getLogger(__name__)

CHUNK: Final = 64 * 1024
"""Most bytes read at a time, so that a worker that talks without end never keeps the event loop to itself."""

START_S: Final = 60.0
"""Seconds a worker may take until it says that it is ready."""

POLL_S: Final = 0.25
"""Seconds between two looks at whether a process ended, where the system does not tell."""

TAIL: Final = 30
"""How many of the last lines on standard error are shown when a worker dies."""

ENDING_S: Final = 1.0
"""Seconds between a closed connection and the end of the process that still passes as one."""

LONGEST_LINE: Final = 16 * 1024
"""A longer line, in bytes, is cut there."""

MOST_DRAINED: Final = 4 << 20
"""Most bytes read at once when a call ends; a pipe holds far less."""


class Outputs:
    """Watch a worker's output streams together.

    Args:
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
        self._has_words = poller(*(reader.descriptor for reader in self._readers))
        if self._has_words is None:
            for reader in self._readers:
                threading.Thread(target=reader.pump, name="worker output", daemon=True).start()

    @property
    def broken(self) -> bool:
        """Whether the tool closed a stream, which a later one may want to write to."""
        return any(reader.at_end for reader in self._readers)

    def drain(self) -> None:
        if self._has_words is not None and self._has_words():
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
        descriptor: The stream's number in this process.
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
        self.descriptor = stream.fileno()
        if CAN_WATCH:
            never_wait(self.descriptor)
            loop.add_reader(self.descriptor, self._on_readable)

    def _on_readable(self) -> None:
        self._read()
        if self.at_end:
            self._loop.remove_reader(self.descriptor)

    def _read(self) -> int:
        """Take what is there; return how many bytes that was, 0 at the end of the stream, -1 when nothing came yet."""
        try:
            data = os.read(self.descriptor, CHUNK)
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
                data = os.read(self.descriptor, CHUNK)
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
                self._loop.remove_reader(self.descriptor)
            self._stream.close()


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


class WorkerProcess:
    """Own one worker process and its connection.

    Attributes:
        calls: How many calls it was given.
        ready: Whether it has started.
        worn: Whether it should be replaced after this call.
        dismissed: Whether it was ended because nobody needs it, so that none takes its place.
        ended: Whether it is given up, dead or about to be.
        gone: Whether nothing of it is left.
        error: How it died; None when it lives or was ended on purpose.
        idle_since: The loop's time when its last call ended.
        plugins: The numbers of the plugin files it has loaded, by path.
    """

    def __init__(
        self,
        limits: WorkerLimits,
        on_ready: Callable[[WorkerProcess], None],
        on_end: Callable[[WorkerProcess], None],
        folder: Path,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._limits = limits
        self._on_ready = on_ready
        self._on_end = on_end
        self.folder = folder
        self.calls = 0
        self.ready = self.worn = self.dismissed = self.ended = self.gone = False
        self.idle_since = 0.0
        self.error: ToolCrashError | None = None
        self.plugins: dict[str, int] = {}
        self._numbers: dict[ToolReference, int] = {}
        self._swift: set[int] = set()
        self._surroundings = b""
        self._closed = False
        self._reception: CallReceiver | None = None
        self._frames = FrameBuffer()
        self._tail: deque[str] = deque(maxlen=TAIL)
        self._socket, theirs = socket.socketpair()
        try:
            self._process = launched(theirs, limits, folder)
        except BaseException:
            self._socket.close()
            raise
        finally:
            theirs.close()
        self.pid = self._process.pid
        self._watch()

    def _watch(self) -> None:
        loop, process = self._loop, self._process
        self._outputs = Outputs(loop, ((process.stdout, "info"), (process.stderr, "warning")), self._on_line)
        self._socket.setblocking(False)
        self._outgoing = FrameWriter(loop, self._socket)
        self._has_words = looking_at(self._socket)
        self._reading: asyncio.Task[None] | None = None
        if CAN_WATCH:
            loop.add_reader(self._socket, self._on_readable)
        else:
            self._reading = loop.create_task(self._read_on(), name="words of a worker")
        self._timer: asyncio.TimerHandle | None = loop.call_later(START_S, self._on_start_timeout)
        self._poll_timer: asyncio.TimerHandle | None = None
        self._pidfd = pidfd_of(self.pid)
        if self._pidfd is not None:
            loop.add_reader(self._pidfd, self._on_exit)
        else:
            self._poll()

    def knows(self, reference: ToolReference) -> bool:
        return reference in self._numbers

    def suits(self, reference: ToolReference) -> bool:
        """Return whether it can run this tool: it has loaded no other state of its plugin file."""
        plugin = reference.plugin
        return plugin is None or self.plugins.get(str(plugin.path), plugin.number) == plugin.number

    def has_loaded(self, reference: ToolReference) -> bool:
        """Return whether it has imported a tool's plugin file, so that nobody need wait for that."""
        plugin = reference.plugin
        return plugin is not None and self.plugins.get(str(plugin.path)) == plugin.number

    def lives(self) -> bool:
        """Return whether the process is still there; it may have died while no event loop was running."""
        if not self.ended and self._has_exited():
            self._on_exit()
        return not self.ended

    async def call(
        self,
        reference: ToolReference,
        arguments: bytes | list[bytes],
        talk: ToolMessageHandler,
        who: bytes = b"",
        surroundings: bytes = b"",
        *,
        reception: type[CallReceiver] = CallReceiver,
    ) -> Any:
        """Run a tool and return what it returned: a `WorkerResult`, a `ToolResult`, bytes or None.

        Cancelled, it tells the tool, and kills the worker when the tool does not end at once.

        Args:
            arguments: The arguments as JSON, or frames that hold them in pieces.
            who: The call, its caller and its session as JSON; empty when the tool asks for neither.
            surroundings: What surrounds the call as JSON; empty when the tool asks for none of it.
            reception: What takes the frames about the call.

        Raises:
            ToolCrashError: The worker died.
            BaseException: What the tool raised, told by `restored`.
        """
        number = self._numbers.get(reference)
        if number is None:
            number = self._introduce(reference)
        began = perf_counter()
        self.calls += 1
        self._tail.clear()
        taking = self._reception = reception(self._loop, talk, self._limits.result_bytes, self._drain)
        if self.ended:
            taking.fail(self.error or ToolCrashError("its worker process was ended"))
        if surroundings and surroundings != self._surroundings:
            self._surroundings = surroundings
            self.send(frame(FrameKind.CONTEXT, surroundings))
        if isinstance(arguments, list):
            self._outgoing.send_all(() if self.ended else arguments)
            arguments = b""
        self.send(frame(FrameKind.CALL, CALL_HEADER.pack(number, len(who)) + who + arguments))
        try:
            if number in self._swift:
                await self._look_out(taking.outcome)
            return await taking.outcome
        except asyncio.CancelledError:
            outcome = taking.outcome
            if outcome.cancel() or outcome.cancelled():
                await self._stop(taking)
            else:
                outcome.exception()  # it came too late for whoever asked to stop
            raise
        finally:
            self.worn = self.worn or taking.worn or self._outputs.broken
            self._reception = None
            if perf_counter() - began < SWIFT_S:
                self._swift.add(number)
            else:
                self._swift.discard(number)

    async def _look_out(self, outcome: asyncio.Future[Any]) -> None:
        """Keep the event loop awake a moment, in which it does whatever else it has to do."""
        until = perf_counter() + WAKEFUL_S
        while not (outcome.done() or self._closed) and perf_counter() < until:
            if self._has_words():
                self._on_readable()
            else:
                yield_processor()
                await asyncio.sleep(0)

    def _introduce(self, reference: ToolReference) -> int:
        number = self._numbers[reference] = len(self._numbers) + 1
        plugin = reference.plugin
        if plugin is not None:
            self.plugins[str(plugin.path)] = plugin.number
        self.send(frame(FrameKind.TOOL, write_reference(reference, number)))
        return number

    async def _stop(self, reception: CallReceiver) -> None:
        """Ask the tool to end, give it a moment if it can hear, and end its process otherwise."""
        if not self.ended and reception.talk.listens and self._limits.grace_s:
            last = reception.renew()
            self.send(frame(FrameKind.CANCEL))
            try:
                await asyncio.wait((last,), timeout=self._limits.grace_s)
            finally:
                if not last.done():
                    last.cancel()
                    self.kill()
                elif not last.cancelled():
                    last.exception()
        else:
            self.kill()

    def send(self, data: bytes) -> None:
        if not self.ended:
            self._outgoing.send(data)

    async def _read_on(self) -> None:
        """Read where the loop cannot tell when there is something to read."""
        with contextlib.suppress(OSError):
            while data := await self._loop.sock_recv(self._socket, CHUNK):
                self._receive(data)
        if not self.ended:
            self._on_closed()

    def kill(self) -> None:
        self._give_up(None)

    def close(self, timeout_s: float = 5.0) -> None:
        """End the process, and wait until it is gone; from any loop, or none."""
        self.kill()
        if not self.gone:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout_s)
            self._forget()

    def _on_readable(self) -> None:
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._receive(data)
        else:
            self._on_closed()

    def _receive(self, data: bytes) -> None:
        try:
            for kind, body in self._frames.feed(data):
                if self._reception is not None:
                    self._reception.take(kind, body)
                elif kind is FrameKind.READY and not self.ready:
                    self._take_ready()
                elif kind >= FrameKind.OPEN_LIST or kind < FrameKind.SAY:
                    raise ProtocolError(f"expected silence between calls, got {kind.name}")
                # Else a thread that a tool left behind goes on talking.
        except Exception as error:  # noqa: BLE001 -- whatever a worker sends must not harm the event loop
            what = error if isinstance(error, ProtocolError) else f"{type(error).__name__}: {error}"
            self._give_up(self._crash(f"its worker process sent what cannot be read: {what}"))

    def _take_ready(self) -> None:
        self.ready = True
        if self._timer is not None:
            self._timer.cancel()
        self._on_ready(self)

    def _drain(self) -> None:
        """Take what the tool printed before it ended."""
        if not self.gone:
            self._outputs.drain()

    def _on_line(self, level: str, text: str) -> None:
        if level == "warning":
            self._tail.append(text)
        if self._reception is not None:
            self._reception.talk.take("log", [level, text])
        else:
            _log.debug("worker %d wrote %s", self.pid, text)

    def _on_start_timeout(self) -> None:
        self._give_up(self._crash(f"it was not ready after {START_S:g} s"))

    def _on_closed(self) -> None:
        """Wait a moment for the end of a process that closed its connection: how it ended is worth telling."""
        self._closed = True
        if CAN_WATCH:
            self._loop.remove_reader(self._socket)
        if self._timer is not None:
            self._timer.cancel()
        self._await_exit(self._loop.time() + ENDING_S)

    def _await_exit(self, until: float) -> None:
        if self.ended:
            return
        if self._has_exited():
            self._on_exit()
        elif self._loop.time() > until:
            self._give_up(self._crash("its worker process closed its connection"))
        else:
            self._timer = self._loop.call_later(0.005, self._await_exit, until)

    def _has_exited(self) -> bool:
        """Return whether the process is over; what it left behind is ended before its number can be another's."""
        if self._process.returncode is None:
            try:
                is_over = has_ended(self.pid)
            except ChildProcessError:
                is_over = None  # somebody else has asked the system already
            if is_over:
                kill_group(self.pid)
            elif is_over is not None:
                return False
        return self._process.poll() is not None

    def _poll(self) -> None:
        """Look whether the process ended, where the system cannot tell when it does."""
        self._on_exit()
        if not self.gone:
            self._poll_timer = self._loop.call_later(POLL_S, self._poll)

    def _on_exit(self) -> None:
        """Take what it said last, then tell how it ended."""
        if not self._has_exited():
            return
        with contextlib.suppress(OSError):
            while not self.ended and (data := self._socket.recv(CHUNK)):
                self._receive(data)
        if not self.ended:
            self._give_up(self._crash(how_it_ended(self._process.returncode)))
        self._forget()

    def _crash(self, message: str) -> ToolCrashError:
        self._drain()
        code = self._process.returncode if self._has_exited() else None
        return ToolCrashError(message, exit_code=code, output="\n".join(self._tail))

    def _give_up(self, error: ToolCrashError | None) -> None:
        """Use it no more, end it, and tell who waits for it."""
        if self.ended:
            return
        self.ended = True
        self.error = error
        if self._timer is not None:
            self._timer.cancel()
        self._outgoing.close()
        if not self._loop.is_closed():
            if self._reading is not None:
                self._reading.cancel()
            if CAN_WATCH:
                self._loop.remove_reader(self._socket)
        self._socket.close()
        if self._process.returncode is None:
            kill_group(self.pid)
            with contextlib.suppress(OSError):
                self._process.kill()
        if self._reception is not None and not self._loop.is_closed():
            self._reception.fail(error or ToolCrashError("its worker process was ended"))
        self._on_end(self)

    def _forget(self) -> None:
        """Let go of everything that is still open for a process that is gone."""
        self._outputs.close()
        if self._pidfd is not None:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None
        if self._poll_timer is not None:
            self._poll_timer.cancel()
        self.gone = True
