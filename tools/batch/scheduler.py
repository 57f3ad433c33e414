"""`Scheduler`: runs the steps that may start, as many at a time as the plan and the tools allow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

from tools.spec import Isolation

if TYPE_CHECKING:
    from tools.batch.plan import Limits
    from tools.batch.schedule import Schedule
    from tools.tool import Tool

_POLL_S: Final = 0.002
"""Seconds between two questions to a listener that was behind."""
_MOST_BEHIND_S: Final = 1.0
"""Seconds that calls wait for a listener at most: it slows a run down, and does not stop it."""
_TURN_S: Final = 0.005
"""Seconds after which a worker lets other tasks have the event loop, when none of its calls waits for anything."""

LimitKey = tuple[str, str]
"""What the calls under one limit share: that they run alone, or in worker processes; their tool; their source."""


def limits_of(tool: Tool, limits: Limits, workers: int) -> dict[LimitKey, int]:
    """Return the limits that the calls of a tool are under, and how many calls each of them lets run at a time."""
    found: dict[LimitKey, int] = {}
    if not tool.spec.parallelizable:
        found["alone", ""] = 1
    if workers and tool.isolation is Isolation.PROCESS:
        # Without a worker process a call would count as running, and its time would pass while it waits.
        found["workers", ""] = workers
    if tool.name in limits.tools:
        found["tool", tool.name] = limits.tools[tool.name]
    if tool.source.name in limits.sources:
        found["source", tool.source.name] = limits.sources[tool.source.name]
    return found


class _Limit:
    def __init__(self, free: int) -> None:
        self.free = free
        self.waiting: dict[str, None] = {}


class ConcurrencyLimits:
    """Admit so many calls of a tool, of a source, in worker processes, and one at a time of all that run alone."""

    def __init__(self, limits: Limits, schedule: Schedule, workers: int) -> None:
        self._plan_limits = limits
        self._schedule = schedule
        self._workers = workers
        self._by_key: dict[LimitKey, _Limit] = {}
        self._by_step: dict[str, Sequence[_Limit]] = {}

    def assign(self, name: str, tool: Tool | None) -> None:
        """Set the tool of a step; a step that waits for a place tries again."""
        sizes = {} if tool is None else limits_of(tool, self._plan_limits, self._workers)
        before = self._by_step.pop(name, ())
        if sizes:
            self._by_step[name] = [self._by_key.setdefault(key, _Limit(size)) for key, size in sizes.items()]
        waited = [limit for limit in before if name in limit.waiting]
        for limit in waited:
            del limit.waiting[name]
        if waited:
            self._schedule.share(name)

    def acquire(self, name: str) -> bool:
        """Take a place for a step under each of its limits; without one, it waits at the first limit that has none."""
        limits = self._by_step.get(name, ())
        for limit in limits:
            if not limit.free:
                limit.waiting[name] = None
                # It may have been called for a place that it cannot use yet, and another step can.
                self._call_next([other for other in limits if other is not limit])
                return False
        for limit in limits:
            limit.free -= 1
            limit.waiting.pop(name, None)
        return True

    def of(self, name: str) -> Sequence[_Limit]:
        """Return what `release` gives back for a call of a step that begins now: its tool may change meanwhile."""
        return self._by_step.get(name, ())

    def release(self, limits: Sequence[_Limit]) -> None:
        """Give the places of a call back, and queue the step that waited longest for each."""
        for limit in limits:
            limit.free += 1
        self._call_next(limits)

    def _call_next(self, limits: Sequence[_Limit]) -> None:
        for limit in limits:
            while limit.free and limit.waiting:
                name = next(iter(limit.waiting))
                del limit.waiting[name]
                if self._schedule.is_due(name):
                    self._schedule.share(name)
                    break


class Scheduler:
    """Run steps with so many workers at most, each of which takes the next step that may start until none may.

    Args:
        schedule: Knows which step is next.
        limits: The limits of the plan.
        tools: The tool of each step; None where there is none.
        workers: How many worker processes there are; 0 where tools run elsewhere.
        run_step: Makes the call of a step, or of its next row.
        is_behind: Tells whether calls should begin later.

    Attributes:
        is_paused: Whether nothing begins.
    """

    def __init__(
        self,
        schedule: Schedule,
        limits: Limits,
        tools: Mapping[str, Tool | None],
        *,
        workers: int,
        run_step: Callable[[str], Awaitable[None]],
        is_behind: Callable[[], bool],
    ) -> None:
        self.is_paused = False
        self.limits = ConcurrencyLimits(limits, schedule, workers)
        for name, tool in tools.items():
            self.limits.assign(name, tool)
        self._schedule = schedule
        self._places = limits.parallelism
        self._run_step = run_step
        self._is_behind = is_behind
        self._running = 0
        self._group: asyncio.TaskGroup | None = None
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Run until no step may start any more; a paused scheduler waits until it is not.

        Raises:
            Exception: The first error of a worker, which ends all of them.
        """
        changed = self._changed = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                self.wake()
                while self._running or (self.is_paused and not self._schedule.is_over):
                    changed.clear()
                    await changed.wait()
                # No worker begins in a group that is about to end.
                self._group = None
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            self._group = None
            self._running = 0

    def wake(self, *, but: int = 0) -> None:
        """Begin workers for the steps that may start, as far as there are free places.

        Args:
            but: How many workers take a step in any case.
        """
        if self._group is None:
            return
        ready = 0 if self.is_paused else self._schedule.ready - but
        for _ in range(min(ready, self._places - self._running)):
            self._running += 1
            self._group.create_task(self._work())
        if not self._running:
            self._changed.set()

    async def _work(self) -> None:
        limits, schedule = self.limits, self._schedule
        turn = perf_counter()
        try:
            while True:
                if self._is_behind():
                    await self._caught_up()
                name = None if self.is_paused else schedule.take(limits.acquire)
                if name is None:
                    break
                taken = limits.of(name)
                try:
                    await self._run_step(name)
                finally:
                    limits.release(taken)
                if schedule.ready > 1:
                    self.wake(but=1)
                if perf_counter() - turn > _TURN_S:
                    await asyncio.sleep(0)
                    turn = perf_counter()
        finally:
            self._running -= 1
            if not self._running:
                self._changed.set()

    async def _caught_up(self) -> None:
        """Wait until the listener keeps up again."""
        until = perf_counter() + _MOST_BEHIND_S
        while self._is_behind() and perf_counter() < until:  # noqa: ASYNC110 -- only the listener knows when
            await asyncio.sleep(_POLL_S)
