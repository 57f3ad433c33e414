"""The workers of a run: each takes the step that is next and has a place, again and again, until nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tools.batch.lanes import Lanes
    from tools.batch.performing import ReadyStep
    from tools.batch.schedule import Schedule

_LOOK_S: Final = 0.002
"""How often it is looked whether a listener that was behind keeps up again."""
_MOST_BEHIND_S: Final = 1.0
"""How long calls wait for one at most: it slows a run down, and does not stop it."""
_TURN_S: Final = 0.005
"""Seconds after which a worker lets others have the loop, when none of its calls waits for anything."""


class Workers:
    """Advance steps, so many at a time.

    Args:
        schedule: Knows which step is next.
        lanes: Know which have to wait for others of their kind.
        steps: All steps, by name.
        places: How many calls run at a time.
        advance: Makes the call of a step, or of its next row.
        has_begun: Tells whether a step that has to wait made calls already.
        is_behind: Tells whether calls should begin later.

    Attributes:
        is_paused: Whether nothing begins.
    """

    def __init__(
        self,
        schedule: Schedule,
        lanes: Lanes,
        steps: Mapping[str, ReadyStep],
        places: int,
        *,
        advance: Callable[[str], Awaitable[None]],
        has_begun: Callable[[str], bool],
        is_behind: Callable[[], bool],
    ) -> None:
        self.is_paused = False
        self._schedule = schedule
        self._lanes = lanes
        self._steps = steps
        self._places = places
        self._advance = advance
        self._has_begun = has_begun
        self._is_behind = is_behind
        self._keeping_up: asyncio.Event | None = None
        self._idle: list[asyncio.Future[None]] = []
        self._busy = 0

    async def run(self) -> None:
        """Work until nothing is left to do.

        Raises:
            Exception: What ended one of them, and so all of them.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(self._places):
                    group.create_task(self._work(), name=f"batch worker {number + 1}")
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors

    def wake(self, *, but: int = 0) -> None:
        """Wake as many workers as there may be something for; all of them when nothing is left to do.

        Args:
            but: How many are awake already and look for something themselves.
        """
        schedule, count = self._schedule, len(self._idle)
        is_over = not self._busy and (schedule.is_over or not (schedule.ready or self.is_paused))
        for _ in range(count if is_over else min(count, schedule.ready, max(0, self._places - self._busy - but))):
            waiting = self._idle.pop()
            if not waiting.done():
                waiting.set_result(None)

    async def _work(self) -> None:
        turn = perf_counter()
        while True:
            if self._is_behind():
                await self._caught_up()
            name = self._take()
            if name is None:
                if not self._busy and (not self.is_paused or self._schedule.is_over):
                    self.wake()
                    return
                waiting = asyncio.get_running_loop().create_future()
                self._idle.append(waiting)
                await waiting
                turn = perf_counter()
                continue
            self._busy += 1
            try:
                await self._advance(name)
            finally:
                self._busy -= 1
                self._lanes.leave(name)
            if self._idle:
                # One of the places that are free is this worker's own.
                self.wake(but=1)
            if perf_counter() - turn > _TURN_S:
                await asyncio.sleep(0)
                turn = perf_counter()

    async def _caught_up(self) -> None:
        """Wait until who listens keeps up again; one worker looks, and the others wait for it."""
        if self._keeping_up is not None:
            await self._keeping_up.wait()
            return
        keeping_up = self._keeping_up = asyncio.Event()
        until = perf_counter() + _MOST_BEHIND_S
        try:
            while self._is_behind() and perf_counter() < until:  # noqa: ASYNC110 -- only its listener knows when
                await asyncio.sleep(_LOOK_S)
        finally:
            self._keeping_up = None
            keeping_up.set()

    def _take(self) -> str | None:
        if self.is_paused:
            return None
        while (name := self._schedule.take()) is not None:
            if self._lanes.enter(name):
                return name
            # It waits in its lane now, and comes back when that has a place.
            if not self._has_begun(name):
                self._schedule.put_off(name)
        return None
