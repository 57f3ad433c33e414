"""Tasks of the window's loop, each owned by a scope that ends them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from console.language import translated
from tools import ToolError

_log = logging.getLogger(__name__)


class Compute(Protocol):
    """Run a function that takes more than a frame away from the window's thread."""

    def __call__(self, function: Callable[..., Any], /, *args: Any) -> Awaitable[Any]:
        """Return what `function(*args)` returned."""
        ...


class TaskScope:
    """Own tasks: those that fail are reported, those that still run when it closes are cancelled.

    Args:
        on_error: Told about an exception that a task let through; None writes it to the log.
    """

    def __init__(self, name: str, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._name = name
        self._on_error = on_error
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(
        self, work: Coroutine[Any, Any, Any], name: str = "", *, refused: Callable[[str], None] | None = None
    ) -> asyncio.Task[Any]:
        """Start a coroutine as a task of this scope.

        Args:
            refused: Told in one line what kept the work from being done: a `ToolError` or an `OSError`. None leaves
                these to `on_error`, as all others are.

        Raises:
            RuntimeError: When the scope is closed.
        """
        if self._closed:
            work.close()
            msg = f"the task scope {self._name!r} is closed"
            raise RuntimeError(msg)
        task = asyncio.get_running_loop().create_task(work, name=f"{self._name}: {name}" if name else self._name)
        self._tasks.add(task)
        task.add_done_callback(partial(self._on_task_done, refused))
        return task

    def _on_task_done(self, refused: Callable[[str], None] | None, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if refused is not None and isinstance(error, (ToolError, OSError)):
            refused(translated(error))
        elif self._on_error is not None:
            self._on_error(error)
        else:
            _log.error("%s failed", task.get_name(), exc_info=error)

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    async def close(self) -> None:
        """Cancel what still runs and wait for it."""
        self._closed = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


class OwnTasks:
    """Tasks of one page among those of a scope: when the page closes, these are cancelled and no others."""

    def __init__(self, scope: TaskScope) -> None:
        self._scope = scope
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any], name: str, *, refused: Callable[[str], None] | None = None) -> None:
        task = self._scope.start(work, name, refused=refused)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()


class Repeated:
    """Work of which one runs at a time: asked for while it runs, it runs once more after that.

    Attributes:
        is_wanted: Whether it was asked for since it began last.
    """

    def __init__(self, scope: TaskScope, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._scope = scope
        self._work = work
        self._name = name
        self._task: asyncio.Task[None] | None = None
        self.is_wanted = False

    def ask(self) -> None:
        self.is_wanted = True
        if not self.is_running:
            self._task = self._scope.start(self._repeat(), self._name)

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _repeat(self) -> None:
        while self.is_wanted:
            self.is_wanted = False
            await self._work()

    def cancel(self) -> None:
        """Stop what runs; it can be asked for again."""
        task, self._task = self._task, None
        self.is_wanted = False
        if task is not None:
            task.cancel()
