"""A bounded number of long-lived worker processes, lent to one call at a time each."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ToolCrashError
from tools.execution.workers.launch import WorkerLimits
from tools.execution.workers.process import WorkerProcess
from tools.execution.workers.references import ToolReference
from tools.paths import plain_path

MOST: Final = 4
IDLE_S: Final = 300.0


class _Waiter(NamedTuple):
    reference: ToolReference
    future: asyncio.Future[WorkerProcess]


class WorkerPool:
    """Lend worker processes to calls, in the order in which the calls ask.

    A worker is started when a call finds none, and stays for the next calls. It is replaced when it died, was killed,
    has run many calls, holds much memory or has loaded another state of the plugin that a call needs; it is ended when
    nobody needed it for a while. A pool serves one event loop at a time; in another one it begins anew.

    A pool that keeps a spare has, once it is used, always one more worker than run calls, so that no call has to wait
    for a start because the worker of the last one died.

    In a worker, relative paths mean the project folder: a call gets one that was started in its project.

    Args:
        size: Most workers that run calls at a time; None is the number of processors, at most four.
        idle_s: Seconds after which an idle worker is ended.
        limits: What one worker may use up.
        keeps_spare: Whether it keeps a worker more than that, from the end of the next call on.
        folder: Where workers start of which nobody says it; None is the current folder. May be changed from any thread.

    Attributes:
        started: How many workers were started so far.
    """

    def __init__(
        self,
        size: int | None = None,
        *,
        idle_s: float = IDLE_S,
        limits: WorkerLimits | None = None,
        keeps_spare: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.size = size or min(MOST, os.cpu_count() or 1)
        self.limits = limits or WorkerLimits()
        self.keeps_spare = keeps_spare
        self.folder = plain_path(folder or Path.cwd())
        self._idle_s = idle_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._workers: set[WorkerProcess] = set()
        self._idle: list[WorkerProcess] = []
        self._lent: set[WorkerProcess] = set()
        self._waiters: deque[_Waiter] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self.started = 0

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers that live."""
        return tuple(sorted(worker.pid for worker in self._workers if not worker.ended))

    @property
    def waiting(self) -> int:
        return len(self._waiters)

    @property
    def idle(self) -> int:
        return len(self._idle)

    def take(self, reference: ToolReference) -> WorkerProcess | None:
        """Return an idle worker that suits a tool, best one that knows it; None when a call has to wait for one."""
        if self._loop is not asyncio.get_running_loop():
            self._begin()
        return None if self._waiters else self._pick(reference)

    def _pick(self, reference: ToolReference) -> WorkerProcess | None:
        if len(self._lent) >= self.size:
            return None
        idle = [worker for worker in self._idle[::-1] if worker.folder == self._folder_of(reference)]
        suiting = [worker for worker in idle if worker.suits(reference) and worker.lives()]
        if not suiting:
            return None
        worker = max(suiting, key=lambda item: (item.knows(reference), item.has_loaded(reference)))
        self._idle.remove(worker)
        self._lent.add(worker)
        return worker

    def _folder_of(self, reference: ToolReference) -> Path:
        return reference.folder or self.folder

    async def wait_for_worker(self, reference: ToolReference) -> WorkerProcess:
        """Wait for a worker, behind those who wait already.

        Raises:
            ToolCrashError: A worker cannot be started.
        """
        waiter = _Waiter(reference, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            self._serve()
            return await waiter.future
        except asyncio.CancelledError:
            if waiter.future.done() and not waiter.future.cancelled() and waiter.future.exception() is None:
                self.release(waiter.future.result())
            raise
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)

    def release(self, worker: WorkerProcess) -> None:
        if worker not in self._lent:
            return  # the pool was closed meanwhile
        self._lent.remove(worker)
        if worker.worn or worker.calls >= self.limits.max_calls:
            worker.kill()
        if not worker.ended:
            worker.idle_since = asyncio.get_running_loop().time()
            self._idle.append(worker)
            if self._timer is None:
                self._end_idle()
        if self._waiters:
            self._serve()
        if self.keeps_spare and len(self._idle) <= 1:
            self._provide_spare()

    def forget(self, files: Iterable[Path]) -> None:
        """End workers that imported one of these plugin files; those that run a call end after it."""
        paths = {str(path) for path in files}
        for worker in [worker for worker in self._workers if not paths.isdisjoint(worker.plugins)]:
            if worker in self._lent:
                worker.worn = True
            else:
                self._dismiss(worker)

    def warm_up(self) -> None:
        """Start a worker if there is none, so that the first call need not wait for that."""
        if self._loop is not asyncio.get_running_loop():
            self._begin()
        if not self.pids:
            self._start()

    async def aclose(self) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, and whatever they run, and wait until they are gone; from any loop, or none."""
        workers, self._workers = self._workers, set()
        self._idle.clear()
        self._lent.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.close()
        error = ToolCrashError("it waited for a worker process, and all of them were ended")
        for waiter in self._waiters:
            if not waiter.future.done() and not waiter.future.get_loop().is_closed():
                waiter.future.set_exception(error)
        self._waiters.clear()

    def _begin(self) -> None:
        """Serve the running loop; what served another one cannot any more."""
        self.close()
        self._loop = asyncio.get_running_loop()

    def _serve(self) -> None:
        """Give workers to those who wait, and start workers for those who get none."""
        while self._waiters:
            waiter = self._waiters[0]
            if waiter.future.done():
                self._waiters.popleft()
                continue
            worker = self._pick(waiter.reference)
            if worker is None:
                break
            self._waiters.popleft()
            waiter.future.set_result(worker)
        living = [worker for worker in self._workers if not worker.ended]
        starting = sum(not worker.ready for worker in living)
        while starting < len(self._waiters) and len(self._lent) + starting < self.size and self._room(living):
            if not self._start(self._folder_of(self._waiters[starting].reference)):
                return
            starting += 1
            living = [worker for worker in self._workers if not worker.ended]

    def _room(self, living: list[WorkerProcess]) -> bool:
        """Return whether another worker may start; idle ones that suit nobody who waits make room."""
        if len(living) < self.size:
            return True
        if self._idle:
            self._dismiss(self._idle.pop(0))
            return True
        return False

    def _start(self, folder: Path | None = None) -> bool:
        folder = folder or self.folder
        self._workers = {worker for worker in self._workers if not worker.gone}
        try:
            worker = WorkerProcess(self.limits, self._on_ready, self._on_end, folder)
        except OSError as error:
            self._refuse(ToolCrashError(f"a worker process could not be started: {_why_not(error, folder)}"))
            return False
        self.started += 1
        self._workers.add(worker)
        return True

    def _provide_spare(self) -> None:
        if sum(not worker.ended for worker in self._workers) <= max(1, len(self._lent)):
            self._start()

    def _refuse(self, error: ToolCrashError) -> None:
        """Tell the first who waits that there is no worker, so that nobody waits for ever."""
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.future.done():
                waiter.future.set_exception(error)
                return

    def _on_ready(self, worker: WorkerProcess) -> None:
        worker.idle_since = asyncio.get_running_loop().time()
        # Whoever has run calls goes first: it knows tools.
        self._idle.insert(0, worker)
        if self._timer is None:
            self._end_idle()
        self._serve()

    def _on_end(self, worker: WorkerProcess) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
        if worker in self._workers and not worker.ready and worker.error is not None:
            worker.error.args = (f"a worker process did not start: {worker.error}",)
            self._refuse(worker.error)
        if worker not in self._workers or worker.dismissed:
            return
        if self._waiters:
            self._serve()
        elif worker.calls and not self.pids:
            # Whoever calls next need not wait until a worker has started.
            self._start()

    def _dismiss(self, worker: WorkerProcess) -> None:
        """End a worker that needs no successor."""
        worker.dismissed = True
        worker.kill()

    def _end_idle(self) -> None:
        """End workers that nobody needed for a while, and look again later as long as there are any."""
        loop = asyncio.get_running_loop()
        self._timer = None
        now = loop.time()
        ends = [worker.idle_since + self._idle_s for worker in self._idle]
        # The spare is needed as long as another worker is.
        spared = 1 if self.keeps_spare and (self._lent or max(ends, default=now) > now) else 0
        for worker in self._idle[spared:]:
            if worker.idle_since + self._idle_s <= now:
                self._dismiss(worker)
        if self._idle:
            next_end = min(
                (worker.idle_since + self._idle_s for worker in self._idle[spared:]), default=now + self._idle_s
            )
            self._timer = loop.call_later(max(0.01, next_end - now), self._end_idle)


def _why_not(error: OSError, folder: Path) -> str:
    return str(error) if folder.is_dir() else f"the project folder {str(folder)!r} is gone; choose another one"
