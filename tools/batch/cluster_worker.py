"""What runs on the workers of a Dask cluster: each has worker processes of its own, in which tools run as they do here.

Whatever a tool says on the way leaves as an event, in the frames that worker processes speak; nothing of it is pickled.
Only a program that uses a cluster imports this, and the workers themselves do.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import Mapping
from typing import Any, Final

from distributed import Worker, WorkerPlugin, get_worker

from tools.batch.cluster_messages import BEGUN_BEFORE, CANCEL, GO, HALT, SAY, TOO_LATE
from tools.execution.workers import WorkerPool
from tools.execution.workers.call_receiver import CallReceiver
from tools.execution.workers.failures import described
from tools.execution.workers.process import WorkerProcess
from tools.execution.workers.protocol import FrameKind, frame, write_with_bytes
from tools.execution.workers.references import read_reference
from tools.schema import json_bytes

GO_S: Final = 30.0
"""Seconds until a call that must not run twice takes silence for an answer: there is no program any more."""
_PARTS_OF_RESULT: Final = frozenset({"keep_for", "attach", "detach", "count", "observe"})


async def perform(order: Mapping[str, Any]) -> bytes:
    """Run one call on the worker that this is called on; return what came of it as frames."""
    plugin = get_worker().plugins[order["plugin"]]
    assert isinstance(plugin, ClusterWorker)  # noqa: S101 -- the name is ours alone
    return await plugin.run(order)


def hear(name: str, call: str, word: str, said: bytes = b"", *, dask_worker: Worker | None = None) -> None:
    """Take what the program says about a call that runs on this worker."""
    plugin = None if dask_worker is None else dask_worker.plugins.get(name)
    if isinstance(plugin, ClusterWorker):
        plugin.hear(call, word, said)


def version() -> str:
    """Return the version of this library on a worker."""
    return importlib.metadata.version("tool-console")


class ClusterWorker(WorkerPlugin):
    """Run calls on one worker of a cluster."""

    def __init__(self, name: str) -> None:
        self.name = name

    def setup(self, worker: Worker) -> None:
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
                return frame(FrameKind.FAILED, json_bytes(described(error)))
        finally:
            del self._running[order["call"]]

    def hear(self, call: str, word: str, said: bytes) -> None:
        running = self._running.get(call)
        if running is not None:
            running.hear(word, said)

    def tell(self, call: str, said: bytes = b"", *, begins: bool = False) -> None:
        """Tell the program something about a call."""
        self._worker.log_event(
            self.name, {"call": call, "worker": self._worker.address, "begins": begins, "said": said}
        )

    async def _performed(self, order: Mapping[str, Any], running: _Running) -> bytes:
        _, reference = read_reference(order["reference"])
        worker = self._pool.take(reference) or await self._pool.wait_for_worker(reference)
        running.process = worker
        try:
            about = order["arguments"], running, order["who"], order["surroundings"]
            await worker.call(reference, *about, reception=_Relay)
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- every way a tool can fail is told to the program
            if not running.is_failed:
                # Nothing of the tool's: its process died, or did not start.
                running.kept.append(frame(FrameKind.FAILED, json_bytes({**described(error), "traceback": ""})))
        finally:
            running.process = None
            self._pool.release(worker)
        return b"".join(running.kept)


class _Running:
    """One call while it runs: what its tool says goes to the program, and what the program says to the tool.

    Attributes:
        listens: Whether the tool can hear that it is to stop.
        word: Whether a call that must not run twice may begin here, as soon as the program says so.
        kept: What belongs to the result and is told with it, as frames.
        is_failed: Whether the last of these says that the tool failed.
    """

    def __init__(self, worker: ClusterWorker, call: str, *, listens: bool) -> None:
        self.listens = listens
        self.kept: list[bytes] = []
        self.task: asyncio.Future[bytes] | None = None
        self.process: WorkerProcess | None = None
        self.is_cancelled = self.is_failed = False
        self._worker = worker
        self._call = call
        self.word: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def hear(self, word: str, said: bytes) -> None:
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

    def take(self, method: str, words: list[Any]) -> None:
        if method == "attach":
            said = frame(FrameKind.ATTACH, write_with_bytes(words[1:], words[0]))
        elif method == "ask":
            said = frame(FrameKind.ASK, json_bytes(words))
        else:
            said = frame(FrameKind.SAY, json_bytes([method, *words]))
        if method in _PARTS_OF_RESULT:
            self.kept.append(said)
        else:
            self._worker.tell(self._call, said)


class _Relay(CallReceiver):
    """Keep the frames that make up the result as well, as they came."""

    def take(self, kind: FrameKind, body: bytes) -> None:
        super().take(kind, body)
        assert isinstance(self.talk, _Running)  # noqa: S101 -- it is used for calls on a cluster alone
        if kind >= FrameKind.OPEN_LIST:
            self.talk.kept.append(frame(kind, body))
            self.talk.is_failed = kind is FrameKind.FAILED
