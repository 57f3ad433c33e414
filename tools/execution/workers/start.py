"""Start a tool in a worker process, for one attempt of a call.

A provider of workers is the executor's own pool or a cluster (`Executor.execute(call, places=...)`).
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Protocol

from tools.calls import OnTimeout
from tools.config import Configurator
from tools.context import ToolContext
from tools.execution.questions import context_of
from tools.execution.workers.chunks import is_long, send_parts
from tools.execution.workers.failures import described, without_json_form
from tools.execution.workers.protocol import FrameKind, ProtocolError, frame
from tools.execution.workers.references import reference_of
from tools.execution.workers.worker_context import words_of
from tools.schema import json_bytes
from tools.spec import Isolation
from tools.tool import Injection, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.errors import ToolCrashError
    from tools.execution.run import Run
    from tools.execution.workers.call_receiver import ToolMessageHandler
    from tools.execution.workers.references import ToolReference

_LEVELS: Final = frozenset({"debug", "info", "warning", "error"})


class CallWorker(Protocol):
    """Run one call at a time, and hear nothing of others: a worker process, or something like one elsewhere."""

    pid: int | None
    ended: bool
    error: ToolCrashError | None

    async def call(
        self,
        reference: ToolReference,
        arguments: bytes | list[bytes],
        talk: ToolMessageHandler,
        who: bytes,
        surroundings: bytes,
    ) -> Any:
        """Run a tool, as `WorkerProcess.call` does."""

    def send(self, data: bytes) -> None:
        """Send a frame to the tool."""


class WorkerProvider(Protocol):
    """Lend places to calls, as a `WorkerPool` does."""

    def take(self, reference: ToolReference, /) -> Any:
        """Return a place; None when a call has to wait for one."""

    async def wait_for_worker(self, reference: ToolReference, /) -> Any:
        """Wait for a place."""

    def release(self, worker: Any, /) -> None:
        """Take a place back."""


class WorkerStart:
    """Start one tool in a worker process, each time it is called.

    Args:
        places: Where it runs; None means the executor's own worker processes. Elsewhere it is told no settings.

    Raises:
        ToolConfigurationError: No other process can find the tool.
    """

    def __init__(self, tool: Tool, places: WorkerProvider | None = None) -> None:
        self._tool = tool
        self._places = places
        self._reference = reference_of(tool)
        self._listens = tool.is_async or any(item.kind is Injection.CONTEXT for item in tool.injected)
        self._facts: tuple[object, ...] = ()
        self._surroundings = b""

    async def __call__(self, run: Run) -> Any:
        pool: WorkerProvider = self._places or run.services.workers
        if self._reference.folder is not run.services.project_dir and self._places is None:
            self._reference = self._reference._replace(folder=run.services.project_dir)
        arguments = await self._written(run) if is_long(run.arguments) else _whole(self._tool, run.arguments)
        worker: CallWorker = pool.take(self._reference) or await self._wait(run, pool)
        response = run.call.response
        response.isolation, response.worker_pid = Isolation.PROCESS, worker.pid
        talk = _Talk(run, worker, listens=self._listens)
        if self._places is not None:
            talk.wait()
        who = surroundings = b""
        if self._tool.injected:
            who, surroundings = (
                json_bytes((run.call.id, run.call.caller, run.call.session)),
                self._written_surroundings(run),
            )
        try:
            return await worker.call(self._reference, arguments, talk, who, surroundings)
        finally:
            talk.end()
            response.worker_killed = worker.ended and worker.error is None
            pool.release(worker)

    async def _written(self, run: Run) -> list[bytes]:
        """Write long arguments in a thread, piece by piece, so that the event loop goes on meanwhile."""
        given = {"tool": self._tool, "arguments": run.arguments}
        pieces: list[bytes] = await run.services.threads.run(_in_pieces, given)
        return pieces

    def _written_surroundings(self, run: Run) -> bytes:
        """Return what surrounds a call, written anew only when it is not what it was the last time."""
        services = run.services
        config = services.config if self._places is None else Configurator()
        facts = services.project_dir, config, run.grants, services.review_handler is not None
        if facts != self._facts:
            folder, config, grants, has_reviewer = self._facts = facts
            told = {
                "project_dir": str(folder),
                "config": dict(config),
                "grants": sorted(grants),
                "has_reviewer": has_reviewer,
            }
            self._surroundings = json_bytes(told)
        return self._surroundings

    async def _wait(self, run: Run, pool: WorkerProvider) -> CallWorker:
        """Wait for a worker; the tool's time does not run meanwhile."""
        with run.waiting():
            place: CallWorker = await pool.wait_for_worker(self._reference)
            return place


def _whole(tool: Tool, arguments: Mapping[str, Any]) -> bytes:
    try:
        return tool.arguments.dump_json(arguments)
    except TypeError as error:
        raise without_json_form(error) from error


def _in_pieces(tool: Tool, arguments: Mapping[str, Any]) -> list[bytes]:
    pieces: list[bytes] = []

    def add(kind: FrameKind, body: bytes) -> None:
        pieces.append(frame(kind, body))

    try:
        send_parts(tool.arguments.dump(arguments), add)
    except TypeError as error:
        raise without_json_form(error) from error
    return pieces


class _Talk:
    """Bring what a tool says in its worker to its call, and the answers back."""

    def __init__(self, run: Run, worker: CallWorker, *, listens: bool) -> None:
        self.listens = listens
        self._run = run
        self._worker = worker
        self._asking: set[asyncio.Task[None]] = set()
        self._over = False
        self._waiting = ExitStack()
        self._made: ToolContext | None = None

    @property
    def _context(self) -> ToolContext:
        if self._made is None:
            self._made = context_of(self._run)
        return self._made

    def wait(self) -> None:
        """Let the tool's time stand still until it begins: the place has others to run as well."""
        self._waiting.enter_context(self._run.waiting())

    def begin(self) -> None:
        self._waiting.close()

    def take(self, method: str, words: list[Any]) -> None:
        """Let the call's context say it; put a question, and send its answer."""
        if method == "ask":
            self._put(*words)
            return
        if method == "log" and words[0] not in _LEVELS:
            words[0] = "info"
        getattr(self._context, method)(*words)

    def _put(self, number: int, question: Any) -> None:
        match question:
            case [str(description), str(prompt), int() | float() as timeout_s, str(word)] if word in _SILENCES:
                asking = self._ask(number, description, prompt, timeout_s, OnTimeout(word))
            case _:
                raise ProtocolError(f"expected a question, got {str(question)[:40]!r}")
        task = asyncio.get_running_loop().create_task(asking, name="question of a worker")
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, number: int, description: str, prompt: str, timeout_s: float, on_timeout: OnTimeout) -> None:
        try:
            decision = await self._context.request_approval(
                description, prompt=prompt, timeout_s=timeout_s, on_timeout=on_timeout
            )
            answer = frame(FrameKind.ANSWER, json_bytes([number, words_of(decision)]))
        except Exception as error:  # noqa: BLE001 -- whatever it is, the tool that asked has to know
            answer = frame(FrameKind.REFUSAL, json_bytes([number, described(error)]))
        if not self._over:
            self._worker.send(answer)

    def end(self) -> None:
        """Take back what nobody answered."""
        self.begin()
        self._over = True
        for task in tuple(self._asking):
            task.cancel()


_SILENCES: Final = frozenset(item.value for item in OnTimeout)
