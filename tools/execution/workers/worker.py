"""The inside of a worker process: wait for a call, run the tool, tell what came of it, and so on.

The main thread itself reads calls and runs tools, so that a call that needs nothing else costs no change of threads.
While a tool runs that can hear (it has a context, or is asynchronous), a second thread reads instead: answers and the
wish to stop arrive there. It hands the reading back with the first frame that is for the main thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import inspect
import json
import os
import queue
import socket
import sys
import threading
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from tools.calls import ToolCall
from tools.config import Configurator
from tools.errors import ToolConfigurationError
from tools.execution.outcomes import bytes_of
from tools.execution.workers.failures import described, restored
from tools.execution.workers.inside import WorkerContext, decision_of
from tools.execution.workers.pieces import send_value
from tools.execution.workers.protocol import FrameBuffer, Kind, frame, read_json, write_json
from tools.execution.workers.references import Reference, tool_of
from tools.http import HttpClients
from tools.tool import Injection, PluginFile, Tool, ToolResult

LOST: Final = 70
"""The exit code of a worker that cannot reach the program any more."""

CHUNK: Final = 256 * 1024
SENT_AT_ONCE: Final = 64 * 1024
NOTHING_TOLD: Final[dict[str, Any]] = {
    "call": "",
    "caller": "",
    "project_dir": ".",
    "config": {},
    "grants": [],
    "has_reviewer": False,
}


class Connection:
    """Read frames from the program and send frames to it; sending is safe from any thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._frames = FrameBuffer()
        self._read: list[tuple[Kind, bytes]] = []
        self._lock = threading.Lock()

    def read(self) -> tuple[Kind, bytes]:
        """Wait for the next frame; without the program there is no reason to live on."""
        while not self._read:
            try:
                data = self._socket.recv(CHUNK)
            except OSError:
                os._exit(LOST)
            if not data:
                os._exit(0)
            self._read = list(self._frames.feed(data))
            self._read.reverse()
        return self._read.pop()

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


class Listener:
    """Read for the main thread while that runs a tool, and hand over what is meant for it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._wanted = threading.Semaphore(0)
        self._handed: queue.SimpleQueue[tuple[Kind, bytes]] = queue.SimpleQueue()
        self._reading = False
        self._thread: threading.Thread | None = None
        self.running: Running | None = None

    def listen(self, running: Running) -> None:
        """Hear for a call until another frame than one about it comes."""
        self.running = running
        if not self._reading:
            self._reading = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="listener", daemon=True)
                self._thread.start()
            self._wanted.release()

    def next(self) -> tuple[Kind, bytes]:
        """Return the next frame for the main thread."""
        if not self._reading:
            return self._connection.read()
        handed = self._handed.get()
        self._reading = False
        return handed

    def _work(self) -> None:
        while True:
            self._wanted.acquire()
            while True:
                kind, body = self._connection.read()
                if kind not in {Kind.CANCEL, Kind.ANSWER, Kind.REFUSAL}:
                    break
                running = self.running
                if running is not None:
                    running.hear(kind, body)
            self._handed.put((kind, body))


class Running:
    """One call that can hear."""

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
        """Take what the program says about the call; from the listening thread."""
        if kind is Kind.CANCEL:
            with self._lock:
                self._stopped = True
                if self._context is not None:
                    self._context.stop()
                if self._task is not None and not self._task.get_loop().is_closed():
                    self._task.get_loop().call_soon_threadsafe(self._task.cancel)
        elif self._context is not None:
            number, told = read_json(body)
            self._context.answer(number, decision_of(told) if kind is Kind.ANSWER else restored(told))


class Worker:
    """Run calls until the program goes away.

    Args:
        connection: The way to the program.
        kept_bytes: Holding more memory than this, the worker says that it is worn.
    """

    def __init__(self, connection: Connection, kept_bytes: int) -> None:
        self._connection = connection
        self._listener = Listener(connection)
        self._kept_bytes = kept_bytes
        self._references: dict[int, Reference] = {}
        self._tools: dict[int, Tool] = {}
        self._http = HttpClients()
        self._told = NOTHING_TOLD
        self._loop: asyncio.AbstractEventLoop | None = None
        self._outgoing = bytearray()

    def serve(self) -> None:
        """Take one frame after another."""
        while True:
            kind, body = self._listener.next()
            if kind is Kind.CALL:
                self._run(body)
            elif kind is Kind.CONTEXT:
                self._told = read_json(body)
            elif kind is Kind.TOOL:
                self._learn(body)

    def _learn(self, body: bytes) -> None:
        size = int.from_bytes(body[:4], "little")
        told = read_json(body[4 : 4 + size])
        plugin = None
        if "path" in told:
            plugin = PluginFile(Path(told["path"]), body[4 + size :], told["load"])
        self._references[told["number"]] = Reference(told["tool"], told["module"], told["qualname"], plugin)

    def _run(self, body: bytes) -> None:
        told, self._told = self._told, NOTHING_TOLD
        context: WorkerContext | None = None
        try:
            number = int.from_bytes(body[:4], "little")
            tool = self._tools.get(number)
            if tool is None:
                tool = self._tools[number] = _found(self._references[number])
            arguments: Any = tool.arguments.validate_json(body[4:])
            if tool.injected:
                call = ToolCall(told["call"], tool, tool.name, body[4:], told["caller"], perf_counter())
                call.arguments = arguments
                context = WorkerContext(call, told, self._http, self._connection.say)
                arguments = {**arguments, **_injected(tool, context, told)}
            result = self._result(tool, arguments, context)
            self._tell_result(tool, result)
        except BaseException as error:  # noqa: BLE001 -- every way a tool can fail is told to the program
            self._outgoing.clear()
            self._say(Kind.FAILED, write_json(described(error)))
        finally:
            self._listener.running = None
            if context is not None:
                context.give_up()
        self._end_call()

    def _result(self, tool: Tool, arguments: Any, context: WorkerContext | None) -> Any:
        running = Running(context)
        if context is not None or tool.is_async:
            self._listener.listen(running)
        try:
            result = tool.function(**arguments)
        except StopIteration as error:
            # In a thread it becomes this too: no coroutine can raise it.
            raise RuntimeError("the tool raised StopIteration") from error
        if inspect.isawaitable(result):
            self._listener.listen(running)
            return self._awaited(result, running)
        return result

    def _awaited(self, awaitable: Any, running: Running) -> Any:
        async def wait() -> Any:
            return await awaitable

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        task = self._loop.create_task(wait())
        running.follow(task)
        try:
            return self._loop.run_until_complete(task)
        finally:
            if task.done() and not task.cancelled():
                task.exception()
            left = asyncio.all_tasks(self._loop)
            for other in left:
                other.cancel()
            if left:
                self._loop.run_until_complete(asyncio.wait(left, timeout=1.0))

    def _tell_result(self, tool: Tool, result: Any) -> None:
        if type(result) is ToolResult:
            self._tell_tool_result(tool, result)
            return
        if result is None:
            self._say(Kind.NOTHING, b"")
            return
        data = bytes_of(result)
        if data is not None:
            self._say(Kind.BYTES, data)
            return
        written = self._written(tool, result)
        if written is not None:
            send_value(written[0], self._say)

    def _tell_tool_result(self, tool: Tool, result: ToolResult) -> None:
        written: tuple[Any] | None = None
        if result.success and result.structured is not None:
            written = self._written(tool, result.structured)
            if written is None:
                return
        values = 0 if not result.success else 1 if written is None else 2
        self._say(Kind.RESULT, write_json([result.success, result.error, values]))
        if values:
            send_value(str(result.output), self._say)
        if written is not None:
            send_value(written[0], self._say)

    def _written(self, tool: Tool, value: Any) -> tuple[Any] | None:
        """Return a value as JSON, alone in a tuple; None when it has no JSON form, which is told then."""
        try:
            return (tool.output.dump(value),)
        except TypeError as error:
            self._say(Kind.FAILED, write_json(described(error, no_json_form=True)))
            return None

    def _say(self, kind: Kind, body: bytes) -> None:
        """Send a frame of the result, together with others where that can be."""
        self._outgoing += frame(kind, body)
        if len(self._outgoing) > SENT_AT_ONCE:
            self._connection.send(self._outgoing)
            self._outgoing.clear()

    def _end_call(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            # The tool may have closed it, or put something of its own in its place.
            with contextlib.suppress(Exception):
                stream.flush()
        if _held_bytes(self._kept_bytes) > self._kept_bytes:
            self._outgoing[:0] = frame(Kind.WORN)
        if self._outgoing:
            self._connection.send(self._outgoing)
            self._outgoing.clear()


def _found(reference: Reference) -> Tool:
    try:
        return tool_of(reference)
    except ToolConfigurationError:
        raise
    except Exception as error:
        where = reference.plugin.path if reference.plugin is not None else reference.module
        error.add_note(f"The worker process could not load {where}.")
        raise


def _injected(tool: Tool, context: WorkerContext, told: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for item in tool.injected:
        match item.kind:
            case Injection.CONTEXT:
                values[item.python_name] = context
            case Injection.CONFIG:
                values[item.python_name] = Configurator(told["config"])
            case Injection.PROJECT_DIR:
                values[item.python_name] = told["project_dir"] if item.type is str else context.project_dir
            case _:
                values[item.python_name] = None
    return values


def _held_bytes(unless_below: int) -> int:
    """Return how much memory this process holds; 0 when it never held as much as the bound."""
    try:
        import resource  # noqa: PLC0415 -- Windows has none
    except ImportError:
        import psutil  # noqa: PLC0415 -- as above

        return int(psutil.Process().memory_info().rss)
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    if peak <= unless_below or sys.platform != "linux":
        return peak if peak > unless_below else 0
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _die_with_parent(parent: int) -> None:
    """Let the system end this process when the program ends, whatever it is doing then."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 -- other systems have another way

        pr_set_pdeathsig, sigkill = 1, 9
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill)
    if os.getppid() != parent:
        os._exit(0)


def _bound_memory(limit_bytes: int | None) -> None:
    if limit_bytes is not None and sys.platform == "linux":
        import resource  # noqa: PLC0415 -- Windows has none

        # What may be written to counts, not addresses that are only set aside.
        resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))


def main(words: list[str]) -> int:
    """Be a worker process.

    Args:
        words: The number of the connection's descriptor, and what the program told as JSON.
    """
    told = json.loads(words[1])
    connection = Connection(socket.socket(fileno=int(words[0])))
    _die_with_parent(told["parent"])
    _bound_memory(told["memory_bytes"])
    faulthandler.enable()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    connection.say(Kind.READY, b"")
    Worker(connection, told["kept_bytes"]).serve()
    return 0
