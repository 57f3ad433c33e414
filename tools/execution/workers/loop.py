"""The event loop of a worker process, which begins a coroutine without being started for it."""

from __future__ import annotations

import asyncio
import sys
from asyncio import _set_running_loop
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, TypeVarTuple

if sys.platform == "win32" and not TYPE_CHECKING:
    _Loop = asyncio.ProactorEventLoop
else:
    _Loop = asyncio.SelectorEventLoop

_Words = TypeVarTuple("_Words")


class WorkerLoop(_Loop):
    """Take the first step of a coroutine at once, and run only for what has to wait.

    To start and stop a loop for a coroutine that never waits takes several times as long as the coroutine itself.

    Attributes:
        idle: Whether nothing was put on it since a coroutine began, such as another task.
    """

    # The base class asks whether it is running while it is made.
    idle = True
    _beginning = False
    _stepping = False
    _first: tuple[Callable[..., object], tuple[Any, ...], Context | None] | None = None

    def __init__(self) -> None:
        super().__init__()
        self._hooks: tuple[Any, Any] = (None, None)
        self.run_until_complete(self._learn_hooks())

    async def _learn_hooks(self) -> None:
        """Note how the loop looks after asynchronous generators while it runs."""
        self._hooks = sys.get_asyncgen_hooks()

    def begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Make a task of a coroutine and take its first step; for the rest of it the loop has to run.

        Whatever the step raises is found in the task.
        """
        self._beginning = True
        task = self.create_task(work)
        self._beginning = False
        first, self._first = self._first, None
        self.idle = first is not None
        if first is not None:
            self._take(*first)
        return task

    def _take(self, step: Callable[..., object], args: tuple[Any, ...], context: Context | None) -> None:
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(*self._hooks)
        _set_running_loop(self)
        self._stepping = True
        try:
            (context or copy_context()).run(step, *args)
        except (SystemExit, KeyboardInterrupt):
            pass  # a task lets these out as well as keeping them
        finally:
            self._stepping = False
            _set_running_loop(None)
            sys.set_asyncgen_hooks(*hooks)

    def call_soon(
        self, callback: Callable[[*_Words], object], *args: *_Words, context: Context | None = None
    ) -> asyncio.Handle:
        """Call a function soon; the first step of a task that begins is left to `begin`."""
        if self._beginning:
            self._beginning = False
            self._first = callback, args, context
            return asyncio.Handle(callback, args, self, context)
        self.idle = False
        return super().call_soon(callback, *args, context=context)

    def is_running(self) -> bool:
        """Return whether it runs, or takes the first step of a coroutine."""
        return self._stepping or super().is_running()
