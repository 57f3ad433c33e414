"""The inside of a worker process: wait for a call, run the tool, tell what came of it, and so on.

The main thread itself reads calls and runs tools, so that a call that needs nothing else costs no change of threads.
While a tool runs that wants to hear something, a second thread reads; it hands the reading back with the first frame
that is not about the running call.
"""

from __future__ import annotations

import asyncio
import faulthandler
import inspect
import json
import os
import queue
import socket
import sys
import threading
from collections import deque
from collections.abc import Awaitable
from functools import partial
from time import perf_counter
from typing import Any, Final

from tools.calls import CallOrigin, ToolCall
from tools.declare import make_tool
from tools.errors import ArgumentsError, RefusedArgumentsError, ToolConfigurationError
from tools.execution.outcomes import PLAIN, bytes_of
from tools.execution.workers.chunks import ValueBuilder, send_value
from tools.execution.workers.failures import described, restored
from tools.execution.workers.loop import WorkerLoop
from tools.execution.workers.protocol import CALL_HEADER, FrameBuffer, FrameKind, frame, read_json
from tools.execution.workers.references import ToolReference, read_reference, tool_of
from tools.execution.workers.spin_wait import SWIFT_S, WAKEFUL_S, looking_at, yield_processor
from tools.execution.workers.system import bound_memory, die_with_parent, held_bytes, peak_bytes, socket_of
from tools.execution.workers.worker_context import WorkerCallContext, WorkerContext, decision_of
from tools.http import HttpClients
from tools.schema import json_bytes
from tools.tool import Injection, Tool, ToolResult

SENT_AT_ONCE: Final = 64 * 1024
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


class Worker:
    """Run calls until the program goes away.

    Args:
        kept_bytes: Holding more memory than this, the worker says that it is worn.
    """

    def __init__(self, connection: HostConnection, kept_bytes: int) -> None:
        self._connection = connection
        self._listener = Listener(connection)
        self._kept_bytes = kept_bytes
        self._references: dict[int, ToolReference] = {}
        self._tools: dict[int, Tool] = {}
        self._http = HttpClients()
        self._surroundings = WorkerCallContext({})
        self._arguments = ValueBuilder()
        self._loop: WorkerLoop | None = None
        self._outgoing = bytearray()

    def serve(self) -> None:
        while True:
            kind, body = self._listener.next()
            if kind is FrameKind.CALL:
                self._run(body)
            elif kind >= FrameKind.OPEN_LIST:
                self._arguments.take(kind, body)
            elif kind is FrameKind.CONTEXT:
                self._surroundings = WorkerCallContext(read_json(body))
            elif kind is FrameKind.TOOL:
                number, reference = read_reference(body)
                self._references[number] = reference

    def _run(self, body: bytes) -> None:
        context: WorkerContext | None = None
        running: Running | None = None
        try:
            number, size = CALL_HEADER.unpack_from(body)
            given = body[CALL_HEADER.size + size :] or self._built_arguments()
            tool = self._tools.get(number)
            if tool is None:
                tool = self._tools[number] = _found(self._references[number])
            arguments: Any = _checked(tool, given)
            if tool.injected:
                name, caller, session = read_json(body[CALL_HEADER.size : CALL_HEADER.size + size])
                call = ToolCall(name, tool, tool.name, given, caller, perf_counter())
                call.origin = CallOrigin(session=session)
                call.arguments = arguments
                context = WorkerContext(call, self._surroundings, self._http, self._connection.say)
                running = Running(context)
                context.listen = partial(self._listener.listen, running)
                self._listener.begin(running)
                arguments = {**arguments, **_injected(tool, context)}
            result = self._result(tool, arguments, running)
            self._tell_result(tool, result)
        except BaseException as error:  # noqa: BLE001 -- every way a tool can fail is told to the program
            self._outgoing.clear()
            self._say(FrameKind.FAILED, json_bytes(described(error)))
        finally:
            if running is not None:
                self._listener.end()
            if context is not None:
                context.give_up()
        self._end_call()

    def _built_arguments(self) -> bytes:
        builder, self._arguments = self._arguments, ValueBuilder()
        return json_bytes(builder.value)

    def _result(self, tool: Tool, arguments: Any, running: Running | None) -> Any:
        try:
            result = tool.function(**arguments)
        except StopIteration as error:
            # In a thread it becomes this too: no coroutine can raise it.
            raise RuntimeError("the tool raised StopIteration") from error
        if type(result) in PLAIN or not inspect.isawaitable(result):
            return result
        return self._awaited(result, running or Running(None))

    def _awaited(self, awaitable: Any, running: Running) -> Any:
        loop = self._loop
        if loop is None:
            loop = self._loop = WorkerLoop()
            asyncio.set_event_loop(loop)
        task = loop.begin(awaitable if inspect.iscoroutine(awaitable) else _outcome_of(awaitable))
        try:
            if not task.done():
                running.follow(task)
                self._listener.begin(running)
                self._listener.listen(running)
                loop.run_until_complete(task)
            return task.result()
        finally:
            self._listener.end()
            if not loop.idle:
                if task.done() and not task.cancelled():
                    task.exception()
                left = asyncio.all_tasks(loop)
                for other in left:
                    other.cancel()
                if left:
                    loop.run_until_complete(asyncio.wait(left, timeout=1.0))

    def _tell_result(self, tool: Tool, result: Any) -> None:
        if type(result) not in PLAIN:
            if type(result) is ToolResult:
                self._tell_tool_result(tool, result)
                return
            if result is None:
                self._say(FrameKind.NOTHING, b"")
                return
            data = bytes_of(result)
            if data is not None:
                self._say(FrameKind.BYTES, data)
                return
        written = self._written(tool, result)
        if written is not None:
            send_value(written[0], self._say)

    def _tell_tool_result(self, tool: Tool, result: ToolResult) -> None:
        values: list[Any] = [str(result.output) if result.success else ""]
        if result.success and result.structured is not None:
            written = self._written(tool, result.structured)
            if written is None:
                return
            values.append(written[0])
        self._say(FrameKind.RESULT, json_bytes([result.success, result.error]))
        send_value(values, self._say)

    def _written(self, tool: Tool, value: Any) -> tuple[Any] | None:
        """Return a value as JSON, alone in a tuple; None when it has no JSON form, which is told then."""
        try:
            return (tool.output.dump(value),)
        except TypeError as error:
            self._say(FrameKind.FAILED, json_bytes(described(error, no_json_form=True)))
            return None

    def _say(self, kind: FrameKind, body: bytes) -> None:
        """Send a frame of the result, together with others where that can be."""
        self._outgoing += frame(kind, body)
        if len(self._outgoing) > SENT_AT_ONCE:
            self._connection.send(self._outgoing)
            self._outgoing.clear()

    def _end_call(self) -> None:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except Exception:  # noqa: BLE001, S110 -- the tool may have closed it, or put something else in its place
            pass
        if peak_bytes() > self._kept_bytes and held_bytes() > self._kept_bytes:
            self._outgoing[:0] = frame(FrameKind.WORN)
        if self._outgoing:
            self._connection.send(self._outgoing)
            self._outgoing.clear()


def _found(reference: ToolReference) -> Tool:
    try:
        if reference.part:
            from tools.execution.workers.declaration_server import tool_of_part  # noqa: PLC0415 -- most calls ask nothing of the kind

            return tool_of_part(reference)
        return tool_of(reference)
    except ToolConfigurationError:
        raise
    except Exception as error:
        where = reference.plugin.path if reference.plugin is not None else reference.module
        error.add_note(f"The worker process could not load {where}.")
        raise


async def _outcome_of(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


def _checked(tool: Tool, given: bytes) -> dict[str, Any]:
    try:
        return tool.arguments.validate_json(given)
    except ArgumentsError as error:
        raise RefusedArgumentsError(error.problems) from None


def _injected(tool: Tool, context: WorkerContext) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for item in tool.injected:
        match item.kind:
            case Injection.CONTEXT:
                values[item.python_name] = context
            case Injection.CONFIG:
                values[item.python_name] = context.config
            case Injection.SESSION:
                values[item.python_name] = context.session
            case Injection.PROJECT_DIR:
                values[item.python_name] = str(context.project_dir) if item.type is str else context.project_dir
            case _:
                values[item.python_name] = None
    return values


def _prepare() -> None:
    """Declare a tool: the first one of a process takes much longer, and a worker that is ready had better be."""

    def nothing() -> None: ...

    make_tool("nothing", "Do nothing.", nothing)


def main(words: list[str]) -> int:
    """Be a worker process.

    Args:
        words: The number of the connection's descriptor, and what the program told as JSON.
    """
    told = json.loads(words[1])
    connection = HostConnection(socket_of(words[0]))
    die_with_parent(told["parent"])
    bound_memory(told["memory_bytes"])
    faulthandler.enable()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    _prepare()
    connection.say(FrameKind.READY, b"")
    Worker(connection, told["kept_bytes"]).serve()
    return 0
