"""Calls and guards behind the pages of tools, reached on the engine's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Slot

from console.call_result.recent import RecentCall, RecentCalls, lengths_of
from console.call_storage import CallStorage
from console.engine import Engine
from console.tasks import TaskScope
from tools.calls import CallRecord, GuardState, record_of
from tools.errors import ExitEarlyError, HistoryError, ReviewTimeoutError, ToolConfigurationError
from tools.execution.executor import Executor

_log = logging.getLogger(__name__)


class PastTimings(QObject):
    """Read the timings of a tool's former calls when its page is opened for the first time."""

    def __init__(
        self, records: CallStorage, recent: RecentCalls, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._records = records
        self._recent = recent
        self._scope = scope
        self._asked: set[str] = set()

    @Slot(str)
    def recall(self, name: str) -> None:
        if name not in self._asked:
            self._asked.add(name)
            self._scope.start(self._read(name), f"read the timings of {name}")  # type: ignore[unused-awaitable]

    async def _read(self, name: str) -> None:
        try:
            timings = await self._records.timings(name)
        except HistoryError as error:
            # That there is no history is told where the history is shown.
            _log.info("the former calls of %s cannot be read: %s", name, error)
            return
        self._recent.put_before(name, recent_calls(timings, self._records.is_of_this_run))


def recent_calls(records: tuple[CallRecord, ...], is_of_this_run: Callable[[str], bool]) -> list[RecentCall]:
    """Return what is known of the calls of earlier runs, oldest first.

    Args:
        records: Newest first.
        is_of_this_run: Whether a record is of this run, whose calls are known already.
    """
    return [
        RecentCall(
            record.id, record.own_s, record.status, len(record.attempts), record.from_cache, lengths_of(record.steps)
        )
        for record in reversed(records)
        if not is_of_this_run(record.id)
    ]


Answer = TypeVar("Answer")


class EngineCalls:
    """Run, look at and stop calls on the engine's thread; the window knows them by their ids."""

    def __init__(self, engine: Engine, executor: Executor) -> None:
        self._engine = engine
        self._executor = executor

    async def run(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        begun: Callable[[CallRecord], None],
        *,
        bypass_cache: bool = False,
    ) -> CallRecord:
        loop = asyncio.get_running_loop()
        return await self._engine.call(self._run, name, arguments, begun, loop, bypass_cache=bypass_cache)

    async def _run(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        begun: Callable[[CallRecord], None],
        loop: asyncio.AbstractEventLoop,
        *,
        bypass_cache: bool,
    ) -> CallRecord:
        call = await self._executor.propose(name, arguments, bypass_cache=bypass_cache)
        with suppress(RuntimeError):  # the window's loop is closed: the program ends
            loop.call_soon_threadsafe(begun, record_of(call))
        # What concerns the whole run reaches the caller as an exception as well; the record says the same. The last two
        # come from a tool, on this thread: let through, they would end the engine's loop and then the window's.
        with suppress(ToolConfigurationError, ExitEarlyError, ReviewTimeoutError, KeyboardInterrupt, SystemExit):
            await self._executor.execute(call)
        return record_of(call)

    async def record(self, call_id: str) -> CallRecord | None:
        return await self._engine.call(self._record, call_id)

    async def _record(self, call_id: str) -> CallRecord | None:
        call = self._executor.live_call(call_id)
        return None if call is None else record_of(call)

    def stop(self, call_id: str) -> None:
        self._engine.post(self._stop, call_id)

    def _stop(self, call_id: str) -> None:
        call = self._executor.live_call(call_id)
        if call is not None:
            call.cancel()


class EngineGuards:
    """Look at the tools' guards on the engine's thread, and set them back there."""

    def __init__(self, engine: Engine, executor: Executor) -> None:
        self._engine = engine
        self._executor = executor

    async def states(self, name: str) -> Sequence[GuardState]:
        return await self._engine.call(self._on_loop, self._executor.guards, name)

    async def reset(self, name: str) -> int:
        return await self._engine.call(self._on_loop, self._executor.reset_guards, name)

    async def clear_cache(self, name: str) -> int:
        return await self._engine.call(self._on_loop, self._executor.clear_cache, name)

    async def _on_loop(self, function: Callable[[str], Answer], name: str) -> Answer:
        return function(name)
