"""What runs on the workers of a Dask cluster: each has worker processes of its own, in which tools run as they do here.

Whatever a tool says on the way leaves as an event, in the frames that worker processes speak; nothing of it is pickled.
Only a program that uses a cluster imports this, and the workers themselves do.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from distributed import Worker, WorkerPlugin, get_worker

from tools.batch.cluster import BEGUN_BEFORE, CANCEL, GO, HALT, SAY, TOO_LATE
from tools.errors import ToolCrashError
from tools.execution.workers import WorkerPool
from tools.execution.workers.failures import WorkerToolError, described
from tools.execution.workers.pieces import send_value
from tools.execution.workers.process import WorkerProcess
from tools.execution.workers.protocol import Kind, WorkerResult, frame, write_json, write_with_bytes
from tools.execution.workers.references import Reference
from tools.tool import PluginFile, ToolResult

GO_S: Final = 30.0
"""Seconds until a call that must not run twice takes silence for an answer: there is no program any more."""


async def perform(order: Mapping[str, Any]) -> bytes:
    """Run one call on the worker that this is called on; return what came of it as frames."""
    hands = get_worker().plugins[order["hands"]]
    assert isinstance(hands, Hands)  # noqa: S101 -- the name is ours alone
    return await hands.run(order)


def hear(hands: str, call: str, word: str, said: bytes = b"", *, dask_worker: Worker | None = None) -> None:
    """Take what the program says about a call that runs on this worker."""
    plugin = None if dask_worker is None else dask_worker.plugins.get(hands)
    if isinstance(plugin, Hands):
        plugin.hear(call, word, said)


def version() -> str:
    """Return the version of this library on a worker."""
    return importlib.metadata.version("tool-console")


class Hands(WorkerPlugin):
    """Run calls on one worker of a cluster."""

    def __init__(self, name: str) -> None:
        self.name = name

    def setup(self, worker: Worker) -> None:
        """Be on a worker now."""
        self._worker = worker
        self._pool = WorkerPool(size=worker.state.nthreads)
        self._running: dict[str, _Running] = {}
        # The first call need not wait for its process.
        self._pool.warm_up()

    async def teardown(self, worker: Worker) -> None:
        """Leave it: what still runs is told to end, has the moment that a cancelled call has here, and ends then."""
        del worker
        # The program may have left before it heard that a call began, so its own word to end need not have come.
        running = tuple(self._running.values())
        for call in running:
            call.hear(CANCEL, b"")
        if tasks := [call.task for call in running if call.task is not None]:
            await asyncio.wait(tasks)
        self._pool.close()

    async def run(self, order: Mapping[str, Any]) -> bytes:
        """Run one call; return what came of it as frames."""
        running = self._running[order["call"]] = _Running(self, order["call"], listens=order["listens"])
        try:
            self.tell(order["call"], begins=True)
            if order["once"]:
                try:
                    async with asyncio.timeout(GO_S):
                        may_run = await running.word
                except TimeoutError:
                    return TOO_LATE
                # Both words may have come in one turn.
                if not may_run or running.is_cancelled:
                    return BEGUN_BEFORE
            running.task = asyncio.ensure_future(self._performed(order, running))
            try:
                return await running.task
            except asyncio.CancelledError as error:
                if not running.is_cancelled:
                    raise
                return frame(Kind.FAILED, write_json(described(error)))
        finally:
            del self._running[order["call"]]

    def hear(self, call: str, word: str, said: bytes) -> None:
        """Take what the program says about a call."""
        running = self._running.get(call)
        if running is not None:
            running.hear(word, said)

    def tell(self, call: str, said: bytes = b"", *, begins: bool = False) -> None:
        """Tell the program something about a call."""
        self._worker.log_event(
            self.name, {"call": call, "worker": self._worker.address, "begins": begins, "said": said}
        )

    async def _performed(self, order: Mapping[str, Any], running: _Running) -> bytes:
        reference = _reference(order["reference"])
        worker = self._pool.take(reference) or await self._pool.wait_for_worker(reference)
        running.process = worker
        try:
            given = order["arguments"]
            result = await worker.call(reference, given, running, order["who"], order["surroundings"])
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- every way a tool can fail is told to the program
            return b"".join(running.kept) + frame(Kind.FAILED, write_json(_described(error)))
        finally:
            running.process = None
            self._pool.release(worker)
        return b"".join((*running.kept, *_frames_of(result)))


class _Running:
    """One call while it runs: what its tool says goes to the program, and what the program says to the tool.

    Attributes:
        listens: Whether the tool can hear that it is to stop.
        word: Whether a call that must not run twice may begin here, as soon as the program says so.
        kept: What belongs to the result and is told with it, as frames.
    """

    def __init__(self, hands: Hands, call: str, *, listens: bool) -> None:
        self.listens = listens
        self.kept: list[bytes] = []
        self.task: asyncio.Future[bytes] | None = None
        self.process: WorkerProcess | None = None
        self.is_cancelled = False
        self._hands = hands
        self._call = call
        self.word: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def hear(self, word: str, said: bytes) -> None:
        """Take what the program says."""
        if word in {GO, HALT} and not self.word.done():
            self.word.set_result(word == GO)
        elif word == CANCEL and not self.is_cancelled:
            # Told once more, it would lose the moment in which it may tidy up.
            self.is_cancelled = True
            if not self.word.done():
                self.word.set_result(False)
            if self.task is not None:
                self.task.cancel()
        elif word == SAY and self.process is not None:
            self.process.send(said)

    def begin(self) -> None:
        """Take no notice: here it does not wait."""

    def take(self, kind: Kind, words: list[Any]) -> None:
        """Tell the program what the tool says, at once or with the result that it belongs to."""
        said = frame(kind, write_with_bytes(words[:-1], words[-1]) if kind is Kind.ATTACH else write_json(words))
        if kind in _PARTS_OF_RESULT:
            self.kept.append(said)
        else:
            self._hands.tell(self._call, said)


_PARTS_OF_RESULT: Final = frozenset({Kind.KEEP, Kind.ATTACH, Kind.DETACH, Kind.MEASURE})


def _reference(told: Mapping[str, Any]) -> Reference:
    plugin = told["plugin"]
    if plugin is None:
        return Reference(**told)
    path, text, number = plugin
    return Reference(**{**told, "plugin": PluginFile(Path(path), text, number)})


def _described(error: BaseException) -> dict[str, Any]:
    """Return what travels of an exception that came from a worker process already."""
    told = described(error)
    if isinstance(error, WorkerToolError):
        told["classes"] += [list(place) for place in error.told_classes]
        told["traceback"] = error.traceback_text
    elif isinstance(error, ToolCrashError):
        told["traceback"] = ""
    return told


def _frames_of(result: Any) -> list[bytes]:
    """Return a result as the frames that a worker process would have sent."""
    frames: list[bytes] = []

    def say(kind: Kind, body: bytes) -> None:
        frames.append(frame(kind, body))

    if result is None:
        say(Kind.NOTHING, b"")
    elif isinstance(result, bytes):
        say(Kind.BYTES, result)
    elif isinstance(result, ToolResult):
        _say_tool_result(result, say, None)
    elif result.problem:
        say(Kind.FAILED, write_json({"no_json_form": True, "text": result.problem}))
    elif result.tool_result is not None:
        _say_tool_result(result.tool_result, say, result)
    else:
        send_value(result.value, say)
    return frames


def _say_tool_result(result: ToolResult, say: Any, structured: WorkerResult | None) -> None:
    values = 0 if not result.success else 1 if structured is None else 2
    say(Kind.RESULT, write_json([result.success, result.error, values]))
    if values:
        send_value(result.output, say)
    if structured is not None:
        send_value(structured.value, say)
