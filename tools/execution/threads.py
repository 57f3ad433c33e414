"""Threads for synchronous tools: reused, named, and abandoned when a tool in one cannot be stopped."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any


class _Job:
    __slots__ = ("abandoned", "arguments", "context", "function", "future", "loop", "running")

    def __init__(self, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        self.function = function
        self.arguments = arguments
        self.loop = asyncio.get_running_loop()
        self.context: Context = copy_context()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.running = False
        self.abandoned = False


class ToolThreads:
    """Run functions in daemon threads that never keep the program alive.

    A thread whose job was given up on is *abandoned*: it ends by itself when its function returns, it is counted
    meanwhile, and a fresh thread may take its place. Python cannot kill a thread; the count says so honestly.

    Args:
        limit: Most threads that work at a time, abandoned ones not counted; further jobs wait their turn.
    """

    def __init__(self, limit: int = 64, name: str = "tool") -> None:
        self._limit = limit
        self._name = name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._unclaimed = 0
        self._abandoned = 0
        self._number = 0
        self._closed = False

    @property
    def abandoned(self) -> int:
        """How many threads still run a job that nobody waits for."""
        return self._abandoned

    async def run(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Return `function(**arguments)`, run in a thread with this task's context variables.

        A cancelled wait abandons the thread; what the function returns then is dropped.
        """
        job = _Job(function, arguments)
        with self._lock:
            self._claim()
        self._jobs.put(job)
        try:
            return await job.future
        except asyncio.CancelledError:
            self._abandon(job)
            raise

    def _claim(self) -> None:
        """See to it that a thread takes one job more; with the lock held."""
        if self._idle:
            self._idle -= 1
        elif len(self._threads) - self._abandoned < self._limit:
            self._start_thread()
        else:
            self._unclaimed += 1

    def _abandon(self, job: _Job) -> None:
        """Wait no longer for a job; its thread, if it has one, no longer counts."""
        with self._lock:
            job.abandoned = True
            self._abandoned += job.running
            if job.running and self._unclaimed:
                self._unclaimed -= 1
                self._start_thread()

    def close(self) -> None:
        """Let idle threads end now, and busy ones after their job."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._jobs.put(None)
            self._idle = 0

    def join(self, timeout_s: float) -> int:
        """Wait for all threads to end.

        Args:
            timeout_s: The longest wait in seconds for each thread.

        Returns:
            How many still run.
        """
        for thread in tuple(self._threads):
            thread.join(timeout_s)
        return len(self._threads)

    def _start_thread(self) -> None:
        self._number += 1
        thread = threading.Thread(target=self._work, name=f"{self._name}-{self._number}", daemon=True)
        self._threads.add(thread)
        thread.start()

    def _work(self) -> None:
        wanted = True
        while wanted:
            job = self._jobs.get()
            wanted = job is not None and self._do(job)
        with self._lock:
            self._threads.discard(threading.current_thread())

    def _do(self, job: _Job) -> bool:
        """Do a job; return whether this thread is still wanted afterwards."""
        with self._lock:
            was_run = job.running = not job.abandoned
        result: Any = None
        error: BaseException | None = None
        if was_run:
            try:
                result = job.context.run(job.function, **job.arguments)
            except BaseException as caught:  # noqa: BLE001 -- it is handed to whoever waits
                error = caught
        with self._lock:
            left_behind = was_run and job.abandoned
            job.running = False
            self._abandoned -= left_behind
            wanted = self._unclaimed > 0 or not (left_behind or self._closed)
            if self._unclaimed:
                self._unclaimed -= 1
            elif wanted:
                # Idle before the loop hears of the result, or its next job would start another thread.
                self._idle += 1
        if was_run:
            with contextlib.suppress(RuntimeError):  # a closed loop: nobody waits any more
                job.loop.call_soon_threadsafe(_settle, job.future, result, error)
        return wanted


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    elif isinstance(error, StopIteration):
        # A future cannot hold it, and a coroutine that raised it would look as if it had returned.
        stopped = RuntimeError("the tool raised StopIteration")
        stopped.__cause__ = error
        future.set_exception(stopped)
    else:
        future.set_exception(error)
