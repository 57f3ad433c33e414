"""Threads for synchronous tools: reused, named, and abandoned when a tool in one cannot be stopped."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from time import perf_counter
from typing import Any, Protocol


class Turn(Protocol):
    """What is told when it has to wait for its turn in a crew, and when that comes."""

    def on_wait(self) -> None:
        """Take note that all places of the crew are taken."""

    def on_turn(self, began: float) -> None:
        """Take note that a thread took it over, at that reading of `perf_counter`."""


class _Job:
    __slots__ = ("abandoned", "arguments", "context", "crew", "function", "future", "loop", "running", "turn", "waits")

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: dict[str, Any],
        crew: Crew | None = None,
        turn: Turn | None = None,
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.crew = crew
        self.turn = turn
        self.loop = asyncio.get_running_loop()
        self.context: Context = copy_context()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.running = False
        self.abandoned = False
        self.waits = False

    def tell_turn(self, began: float) -> None:
        """Tell whoever waits for its turn that it came, once; in the event loop."""
        if self.waits and self.turn is not None:
            self.waits = False
            self.turn.on_turn(began)


class ToolThreads:
    """Run functions in daemon threads that never keep the program alive.

    A thread whose job was given up on is *abandoned*: it ends by itself when its function returns, it is counted
    meanwhile, and a fresh thread may take its place. Python cannot kill a thread; the count says so honestly.

    Args:
        limit: Most threads that work at a time, abandoned ones not counted; further jobs wait their turn.
        name: What the threads are called.
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
        return await self._outcome(_Job(function, arguments))

    def crew(self, size: int) -> Crew:
        """Return so many places among the threads, for jobs that belong together."""
        return Crew(self, size)

    async def _outcome(self, job: _Job) -> Any:
        with self._lock:
            if is_put := job.crew is None or job.crew.admit(job):
                self._claim()
        if is_put:
            self._jobs.put(job)
        elif job.turn is not None:
            job.waits = True
            job.turn.on_wait()
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
            was_running = job.running
            self._abandoned += was_running
            if was_running and self._unclaimed:
                self._unclaimed -= 1
                self._start_thread()
        if was_running:
            # Its turn came just now, and nobody was told yet.
            job.tell_turn(perf_counter())
            if job.crew is not None:
                # Later, as those that wait may be given up together with it.
                job.loop.call_soon(self._pass_on, job.crew)
        job.waits = False

    def _pass_on(self, crew: Crew) -> None:
        """Let another thread take over the place of one that was left behind."""
        with self._lock:
            follower = crew.pass_on()
            if follower is not None:
                self._claim()
        if follower is not None:
            self._jobs.put(follower)
            follower.tell_turn(perf_counter())

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
            wanted = job is not None and self._do_all(job)
        with self._lock:
            self._threads.discard(threading.current_thread())

    def _do_all(self, job: _Job) -> bool:
        """Do a job, and after it those of its crew that wait; return whether this thread is still wanted afterwards."""
        follower: _Job | None = job
        while follower is not None:
            job = follower
            with self._lock:
                job.running = not job.abandoned
            result: Any = None
            error: BaseException | None = None
            if was_run := job.running:
                try:
                    result = job.context.run(job.function, **job.arguments)
                except BaseException as caught:  # noqa: BLE001 -- it is handed to whoever waits
                    error = caught
            with self._lock:
                left_behind = was_run and job.abandoned
                job.running = False
                self._abandoned -= left_behind
                # Whoever left a job behind gave its place to the next one.
                follower = job.crew.pass_on() if job.crew is not None and not left_behind else None
            if was_run or follower is not None:
                began = perf_counter()
                with contextlib.suppress(RuntimeError):  # a closed loop: nobody waits any more
                    job.loop.call_soon_threadsafe(_settle, job, result, error, follower, began)
        with self._lock:
            if self._unclaimed:
                self._unclaimed -= 1
                return True
            if left_behind or self._closed:
                return False
            self._idle += 1
            return True


class Crew:
    """Places for jobs that belong together, so many of which run at a time.

    More of them can be handed in: a thread that has done one takes the next at once, without waiting until the event
    loop has come to that. For jobs of a few milliseconds that way would be a good part of their time.

    Args:
        threads: Whose threads work.
        size: How many jobs run at a time.
    """

    def __init__(self, threads: ToolThreads, size: int) -> None:
        self._threads = threads
        self._free = size
        self._waiting: deque[_Job] = deque()

    async def run(self, function: Callable[..., Any], arguments: dict[str, Any], turn: Turn) -> Any:
        """Return `function(**arguments)` as `ToolThreads.run` does, once one of the places is free.

        Args:
            function: What is run.
            arguments: What it is given.
            turn: Told, in the event loop, when it has to wait.
        """
        return await self._threads._outcome(_Job(function, arguments, self, turn))  # noqa: SLF001 -- two halves of one

    def admit(self, job: _Job) -> bool:
        """Give a job a place, or let it wait for one; with the threads' lock held."""
        if self._free:
            self._free -= 1
            return True
        self._waiting.append(job)
        return False

    def pass_on(self) -> _Job | None:
        """Give a place that became free to the job that waits longest; with the threads' lock held."""
        while self._waiting:
            job = self._waiting.popleft()
            if not job.abandoned:
                return job
        self._free += 1
        return None


def _settle(job: _Job, result: Any, error: BaseException | None, follower: _Job | None, began: float) -> None:
    if follower is not None:
        follower.tell_turn(began)
    if job.future.done():
        return
    if error is None:
        job.future.set_result(result)
    elif isinstance(error, StopIteration):
        # A future cannot hold it, and a coroutine that raised it would look as if it had returned.
        stopped = RuntimeError("the tool raised StopIteration")
        stopped.__cause__ = error
        job.future.set_exception(stopped)
    else:
        job.future.set_exception(error)
