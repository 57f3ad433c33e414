"""What a page needs of the engine, over an executor on the test's own loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from PySide6.QtCore import QObject, Signal

from console.check.engine_checks import EngineChecks
from console.engine import Engine, Inbox
from console.tool_page.engine_ports import EngineCalls
from tools import Executor


class OwnLoop:
    """Run at once what the engine would run on its thread."""

    async def call(self, function: Callable[..., Awaitable[Any]], *args: Any, **kwargs: Any) -> Any:
        return await function(*args, **kwargs)

    def post(self, function: Callable[..., object], *args: object) -> None:
        function(*args)


def own_calls(executor: Executor) -> EngineCalls:
    """Start, look at and stop calls on the test's own loop."""
    return EngineCalls(cast("Engine", OwnLoop()), executor)


def own_checks(executor: Executor) -> EngineChecks:
    """Check tools on the test's own loop."""
    return EngineChecks(cast("Engine", OwnLoop()), executor.registry, executor)


class OwnEvents(QObject):
    """Bring what an executor tells when a test says so."""

    events = Signal(list)

    def __init__(self, executor: Executor) -> None:
        super().__init__()
        self._inbox = Inbox(list)
        executor.add_listener(self._inbox)

    def deliver(self) -> None:
        while batch := self._inbox.take():
            self.events.emit(batch)
