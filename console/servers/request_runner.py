"""Work that a person asked for: done beside everything else, and what goes wrong is said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from console.servers.rows import as_sentence
from console.tasks import TaskScope
from tools.errors import ToolError


class RequestRunner:
    """Run what the page is asked for.

    Args:
        tell: Takes a sentence about what could not be done.
    """

    def __init__(self, scope: TaskScope, tell: Callable[[str], None]) -> None:
        self._scope = scope
        self._tell = tell
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    def run(
        self,
        name: str,
        work: Callable[..., Coroutine[Any, Any, None]],
        *args: Any,
        failed: Callable[[str], None] | None = None,
    ) -> asyncio.Task[None] | None:
        """Start some work.

        Args:
            name: What it does, for messages: `ping github`.
            args: With what.
            failed: Takes the sentence about what went wrong; None tells it as everything else.

        Returns:
            The task; None after the end.
        """
        if self._is_closed:
            return None
        task = self._scope.start(self._told(work, args, failed or self._tell), name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        self._is_closed = True
        for task in tuple(self._tasks):
            task.cancel()

    @staticmethod
    async def _told(
        work: Callable[..., Coroutine[Any, Any, None]], args: tuple[Any, ...], failed: Callable[[str], None]
    ) -> None:
        try:
            await work(*args)
        except (ToolError, OSError) as error:
            failed(as_sentence(str(error), *(arg for arg in args if isinstance(arg, str))))
