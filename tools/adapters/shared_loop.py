"""`SharedLoop`: one event loop for coroutines of any thread, as an executor belongs to one loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class SharedLoop:
    """Run coroutines on one event loop, whoever asks for them.

    That is the loop of the first coroutine which asks while it runs. Where a thread without a loop asks first, a thread
    is started that runs one until `close`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closing = asyncio.Event()

    async def run(self, start: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run a coroutine at home and await it, in whatever loop."""
        here = asyncio.get_running_loop()
        with self._lock:
            home = self._loop = self._living() or here
        if home is here:
            return await start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(start(), home))

    def run_blocking(self, start: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run a coroutine at home, and block this thread until it ended.

        Raises:
            RuntimeError: On the thread of the home loop itself, which would wait for itself.
        """
        with self._lock:
            home = self._loop = self._living() or self._started()
        if asyncio._get_running_loop() is home:  # noqa: SLF001 -- the public one raises instead of answering
            raise RuntimeError("a blocking call would stop the event loop that it runs on; await the asynchronous one")
        future = asyncio.run_coroutine_threadsafe(start(), home)
        try:
            return future.result()
        except BaseException:
            # Whoever is interrupted while waiting wants no more of it.
            future.cancel()
            raise

    def close(self, last: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """End the thread if one was started, after a last coroutine in it."""
        with self._lock:
            thread, loop = self._thread, self._loop
            self._thread = self._loop = None
        if thread is None or loop is None:
            return
        try:
            asyncio.run_coroutine_threadsafe(last(), loop).result()
        finally:
            loop.call_soon_threadsafe(self._closing.set)
            thread.join()

    def _living(self) -> asyncio.AbstractEventLoop | None:
        """Return the home loop while it runs; a program may have ended one and begun another."""
        return self._loop if self._loop is not None and (self._thread or self._loop.is_running()) else None

    def _started(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=_serve, args=(loop, self._closing), name="exported-tools", daemon=True)
        self._thread.start()
        return loop


def _serve(loop: asyncio.AbstractEventLoop, closing: asyncio.Event) -> None:
    async def until_closed() -> None:
        await closing.wait()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(until_closed())
