"""A Dask cluster as the place where tools run: checks, questions and records stay here, only the tools are elsewhere.

What travels is the name of the tool in its module, or the text of its plugin file, the arguments as JSON, the id of the
call and its caller, and the folder that relative paths mean. Tools that hide something, that read the program's
settings or that another process cannot find run here, as ever.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import logging
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

from tools.batch.cluster_messages import BEGUN_BEFORE, CANCEL, GO, HALT, SAY, TOO_LATE
from tools.batch.steps import hides_something
from tools.errors import MayHaveRunError, ToolConfigurationError, ToolCrashError
from tools.execution.workers import WorkerLimits
from tools.execution.workers.call_receiver import CallReceiver, ToolMessageHandler
from tools.execution.workers.protocol import FrameBuffer, ProtocolError
from tools.execution.workers.references import ToolReference, reference_of, write_reference
from tools.tool import Injection, Tool

Client = Any
"""A `distributed.Client`; the library is not typed, and not always there."""

Future = Any
"""A `distributed.Future`."""

PREFIXES: Final = {"dask://": "tcp://", "dask+tls://": "tls://"}
CONNECTING_S: Final = 10.0
AHEAD: Final = 2
"""Calls sent for each thread of the cluster, so that none of them rests while the next call is on its way."""

LOOK_AGAIN_S: Final = 2.0
"""Seconds between two looks at how many places the cluster has, while calls wait for one."""

_SENDER_S: Final = 0.02
"""Seconds longer than the library's sender waits between two messages."""
_GIVEN_UP: Final = frozenset({"closing", "closed"})
"""What the library says of a connection that it tries no more."""
_GONE: Final = "the scheduler of the cluster does not answer any more; the call had not begun"

_log = logging.getLogger(__name__)


@asynccontextmanager
async def cluster_at(backend: str) -> AsyncIterator[Cluster]:
    """Use a cluster.

    Args:
        backend: Where its scheduler is, as `dask://host:port`, or `dask+tls://host:port` with Dask's own settings.

    Raises:
        ToolConfigurationError: When the package is not installed, nobody answers, or the workers lack this program.
    """
    cluster = Cluster(await _connected(_address(backend)))
    try:
        await cluster.open()
        yield cluster
    finally:
        await cluster.aclose()


def check_backend(backend: str) -> None:
    """Refuse what is no address of a cluster, or cannot be used.

    Raises:
        ToolConfigurationError: It is none, or the package is not installed.
    """
    _address(backend)
    _require_library()


def _require_library() -> None:
    if importlib.util.find_spec("distributed") is None:
        raise ToolConfigurationError(
            "a Dask cluster needs the package 'distributed', which is not installed: pip install 'tool-console[dask]'"
        )


def _address(backend: str) -> str:
    for prefix, scheme in PREFIXES.items():
        host, _, port = backend.removeprefix(prefix).rpartition(":")
        if backend.startswith(prefix) and host and port.isdigit():
            return f"{scheme}{host}:{port}"
    raise ToolConfigurationError(f"expected a backend such as dask://host:8786, got {backend!r}")


async def _connected(address: str) -> Client:
    _require_library()
    # Few programs use a cluster, and the library takes most of a second to load.
    distributed: Any = await asyncio.to_thread(importlib.import_module, "distributed")
    try:
        return await distributed.Client(address, asynchronous=True, set_as_default=False, timeout=CONNECTING_S)
    except (OSError, TimeoutError, ValueError) as error:
        raise ToolConfigurationError(
            f"no Dask scheduler answers at {address}: {error}; start one with `dask scheduler`, or name another"
        ) from error


class Cluster:
    """Lend the places of a cluster to calls, as a pool of worker processes does."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._name = f"tool-console-{os.urandom(6).hex()}"
        self._calls: dict[str, _Call] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._freed = asyncio.Event()
        self._places = 0
        self._lent = 0

    async def open(self) -> None:
        """Let every worker have what runs tools there.

        Raises:
            ToolConfigurationError: When a worker lacks this program, or has another version of it.
        """
        from tools.batch import cluster_worker  # noqa: PLC0415 -- needs the library

        mine = cluster_worker.version()
        theirs = await self._client.run(cluster_worker.version, on_error="return")
        for address, version in theirs.items():
            if version != mine:
                came = f"{type(version).__name__}: {version}" if isinstance(version, Exception) else repr(version)
                raise ToolConfigurationError(
                    f"the worker {address} needs tool-console {mine}, as here, but has not: {came}; install it there"
                )
        self._client.subscribe_topic(self._name, self._on_event)
        await self._client.register_plugin(cluster_worker.ClusterWorker(self._name), name=self._name)
        await self._count()

    async def aclose(self) -> None:
        """Leave the cluster; whatever still runs of ours there ends."""
        for call in self._calls.values():
            call.fail(ToolCrashError("the cluster was left"))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CONNECTING_S)
        if not self.is_gone:
            with contextlib.suppress(OSError, ValueError, TimeoutError):
                async with asyncio.timeout(CONNECTING_S):
                    await self._client.unregister_worker_plugin(self._name)
        await self._client.close()
        # WORKAROUND distributed 2026.8: a sender whose connection the scheduler closed first still waits for its next
        # interval. An event loop that ends in the turn in which that passes logs a TimeoutError nobody retrieved;
        # timers go off in order, so the sender has ended when this one does.
        await asyncio.sleep(_SENDER_S)

    def places_for(self, tool: Tool, begins: Callable[[], None] | None = None) -> ClusterWorkers | None:
        """Return where calls of a tool run, None for here; `begins` is called each time one begins there."""
        return None if why_here(tool) else ClusterWorkers(self, once=not tool.spec.idempotent, begins=begins)

    @property
    def is_gone(self) -> bool:
        """Whether the library has given the scheduler up: messages go nowhere then, and no error tells of it."""
        return self._client.status in _GIVEN_UP

    def take(self) -> bool:
        is_free = self._lent < self._places
        self._lent += is_free
        return is_free

    async def wait(self) -> None:
        """Wait for a place, and look now and then whether the cluster has more of them by now.

        Raises:
            ToolCrashError: When the scheduler does not answer any more.
        """
        while not self.take():
            if self.is_gone:
                raise ToolCrashError(_GONE)
            self._freed.clear()
            try:
                async with asyncio.timeout(LOOK_AGAIN_S):
                    await self._freed.wait()
            except TimeoutError:
                try:
                    await self._count()
                except OSError as error:
                    raise ToolCrashError(_GONE) from error

    def give_back(self) -> None:
        self._lent -= 1
        self._freed.set()

    async def _count(self) -> None:
        threads = await self._client.nthreads()
        self._places = AHEAD * sum(threads.values())

    def submit(self, call: _Call, order: dict[str, Any]) -> Future:
        from tools.batch.cluster_worker import perform  # noqa: PLC0415 -- needs the library

        self._calls[call.id] = call
        return self._client.submit(
            perform, {**order, "plugin": self._name, "call": call.id}, key=f"{self._name}-{call.id}", pure=False
        )

    def forget(self, call: _Call) -> None:
        self._calls.pop(call.id, None)

    def tell(self, worker: str, call: str, word: str, said: bytes = b"") -> None:
        """Say something about a call to a worker; nothing when there is none."""
        if not worker:
            return
        from tools.batch.cluster_worker import hear  # noqa: PLC0415 -- needs the library

        self.start(self._client.run(hear, self._name, call, word, said, workers=[worker], on_error="ignore"))

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_told)

    def _on_told(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            # The worker is gone; what that means for its calls, the scheduler says.
            _log.info("a worker of the cluster did not hear: %s", task.exception())

    def _on_event(self, event: tuple[float, dict[str, Any]]) -> None:
        told = event[1]
        call = self._calls.get(told["call"])
        if call is not None:
            call.take(told["worker"], told["said"], begins=told["begins"])
        elif told["begins"]:
            # It was stopped here while it was on its way.
            self.tell(told["worker"], told["call"], CANCEL)


def why_here(tool: Tool) -> str:
    """Return why a tool cannot run on a cluster; empty when it can."""
    if hides_something(tool):
        return "it hides something, which stays on this computer"
    if any(item.kind is Injection.CONFIG for item in tool.injected):
        return "it reads the settings of the program, which stay on this computer"
    try:
        reference_of(tool)
    except ToolConfigurationError as error:
        return str(error)
    return ""


class ClusterWorkers:
    """Lend places to the attempts of one call.

    Attributes:
        may_have_run: Whether the last attempt was lost, and nobody can tell whether it ran.
    """

    def __init__(self, cluster: Cluster, *, once: bool, begins: Callable[[], None] | None = None) -> None:
        self.cluster = cluster
        self.once = once
        self.begins = begins
        self.may_have_run = False

    def take(self, reference: ToolReference) -> _Call | None:
        del reference
        return _Call(self) if self.cluster.take() else None

    async def wait_for_worker(self, reference: ToolReference) -> _Call:
        del reference
        await self.cluster.wait()
        return _Call(self)

    def release(self, worker: _Call) -> None:
        self.cluster.forget(worker)
        self.cluster.give_back()


class _Call:
    """One place of the cluster, for one call.

    Attributes:
        worker: The worker that runs it; empty before it began. One that must not run twice stays where it began first.
    """

    pid: Final = None
    ended: Final = False
    error: Final = None

    def __init__(self, places: ClusterWorkers) -> None:
        self.id = os.urandom(8).hex()
        self.worker = ""
        places.may_have_run = False
        self._places = places
        self._cluster = places.cluster
        self._is_halted = False
        self._talk: ToolMessageHandler | None = None
        self._reception: CallReceiver | None = None

    async def call(
        self,
        reference: ToolReference,
        arguments: bytes | list[bytes],
        talk: ToolMessageHandler,
        who: bytes = b"",
        surroundings: bytes = b"",
    ) -> Any:
        self._talk = talk
        loop = asyncio.get_running_loop()
        reception = self._reception = CallReceiver(loop, talk, WorkerLimits().result_bytes, _nothing)
        order = {
            # Text: what one system pickles of a path, another cannot open.
            "reference": write_reference(reference),
            "arguments": arguments,
            "who": who,
            "surroundings": surroundings,
            "once": self._places.once,
            "listens": talk.listens,
        }
        if self._cluster.is_gone:
            raise ToolCrashError(_GONE)
        future = self._cluster.submit(self, order)
        try:
            frames = await self._outcome_of(future, reception)
        except asyncio.CancelledError:
            self._cluster.tell(self.worker, self.id, CANCEL)
            self._cluster.start(future.cancel())
            raise
        if frames == TOO_LATE and not self._is_halted:
            raise ToolCrashError(f"{self.worker} waited too long for the word to begin, so nothing of it ran")
        if frames in {BEGUN_BEFORE, TOO_LATE}:
            raise self._lost("the worker that had begun it was lost")
        for kind, body in FrameBuffer().feed(frames):
            reception.take(kind, body)
        try:
            return await reception.outcome
        except ToolCrashError as error:
            # What came is only called so; the worker process that died was the cluster's.
            raise ToolCrashError(f"{error}, on {self.worker}") from error

    def send(self, data: bytes) -> None:
        self._cluster.tell(self.worker, self.id, SAY, data)

    def take(self, worker: str, said: bytes, *, begins: bool) -> None:
        if begins and self._places.once and self.worker:
            self._is_halted = True
            self._cluster.tell(worker, self.id, HALT)
            return
        if begins:
            begun_before, self.worker = self.worker, worker
            if self._places.begins is not None:
                self._places.begins()
            if self._talk is not None:
                self._talk.begin()
                self._talk.take("log", ["info", f"{'begun again' if begun_before else 'runs'} on {worker}"])
            if self._places.once:
                self._cluster.tell(worker, self.id, GO)
            return
        if self._reception is not None and worker == self.worker:
            try:
                for kind, body in FrameBuffer().feed(said):
                    self._reception.take(kind, body)
            except ProtocolError as error:
                self.fail(error)

    def fail(self, error: Exception) -> None:
        if self._reception is not None:
            self._reception.fail(error)

    async def _outcome_of(self, future: Future, reception: CallReceiver) -> bytes:
        """Wait for what the cluster returns, or for what ends it here."""
        result = asyncio.ensure_future(future.result())
        try:
            ends = result, reception.outcome
            while not (await asyncio.wait(ends, timeout=LOOK_AGAIN_S, return_when=asyncio.FIRST_COMPLETED))[0]:
                if self._cluster.is_gone:
                    # What was sent in the moment in which it was given up is held for ever.
                    raise self._lost("the scheduler of the cluster is gone")
            if not result.done():
                # Only an error comes before the result.
                reception.outcome.result()
            frames = await result
        except (asyncio.CancelledError, ToolCrashError):
            raise
        except Exception as error:
            raise self._lost(_why_lost(error)) from error
        finally:
            result.cancel()
        if not isinstance(frames, bytes):
            raise self._lost(f"the cluster answered with a {type(frames).__name__}")
        return frames

    def _lost(self, why: str) -> ToolCrashError:
        if self._places.once and self.worker:
            self._places.may_have_run = True
            return MayHaveRunError(f"{why}; it may have run on {self.worker}: look before it runs again")
        return ToolCrashError(why if self.worker else f"{why}; it had not begun")


def _why_lost(error: Exception) -> str:
    """Return what the library says of a call without a result, in words that do not need the library."""
    if isinstance(error, concurrent.futures.CancelledError):
        return "the scheduler of the cluster is gone, or took the call back"
    if type(error).__name__ == "KilledWorker":
        return "each worker of the cluster that ran it died"
    said = str(error).strip().partition("\n")[0]
    return f"the cluster lost it ({type(error).__name__}: {said})"


def _nothing() -> None:
    """Bring in nothing: what the tool printed came before its end."""
