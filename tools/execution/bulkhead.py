"""The bulkhead of one tool: so many calls of it run at a time, the others wait their turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import GuardKind, GuardState, StepKind, StepNote, StepOutcome
from tools.errors import UnavailableError

if TYPE_CHECKING:
    from tools.execution.run import CallNext, Run

WAIT_S: Final = 60.0
"""How long a call waits for its turn when its tool has no limit in total."""
REMEDY: Final = "Try again when fewer calls of it run, or stop one of them."


class Bulkhead:
    """Hand out so many places, in the order they are asked for.

    A thread that was given up on no longer has the place of its call: nobody can say when it ends.
    """

    def __init__(self, name: str, places: int, wait_s: float = WAIT_S) -> None:
        self.places = places
        self.wait_s = wait_s
        self._name = name
        self._taken = 0
        self._waiting: OrderedDict[asyncio.Future[None], None] = OrderedDict()

    @property
    def state(self) -> GuardState:
        waiting = len(self._waiting)
        words = f"{self._taken} of {self.places} places are taken"
        if waiting:
            words += ", 1 call waits" if waiting == 1 else f", {waiting} calls wait"
        return GuardState(GuardKind.BULKHEAD, "full" if self._taken >= self.places else "free", words, waiting=waiting)

    async def acquire(self) -> bool:
        """Take a place, which must be given back by `release`; return whether it had to be waited for.

        Raises:
            UnavailableError: When none became free in time.
        """
        if self._taken < self.places and not self._waiting:
            self._taken += 1
            return False
        loop = asyncio.get_running_loop()
        place: asyncio.Future[None] = loop.create_future()
        self._waiting[place] = None
        limit = loop.call_later(self.wait_s, self._give_up, place)
        try:
            await place
        except BaseException:
            if self._waiting.pop(place, place) is not None and not place.cancelled() and place.exception() is None:
                # The place came together with the cancellation.
                self.release()
            raise
        finally:
            limit.cancel()
        return True

    def _give_up(self, place: asyncio.Future[None]) -> None:
        if self._waiting.pop(place, place) is not None or place.done():
            return
        ahead = len(self._waiting)
        others = f", and {ahead} more calls wait" if ahead else ""
        taken = "its only place was" if self.places == 1 else f"its {self.places} places were all"
        msg = f"{self._name!r} was not started: {taken} taken for {self.wait_s:g} s{others}"
        place.set_exception(UnavailableError(msg, None, REMEDY))

    def release(self) -> None:
        """Give a place back; whoever waits longest takes it over."""
        while self._waiting:
            place, _ = self._waiting.popitem(last=False)
            if not place.done():
                place.set_result(None)
                return
        self._taken -= 1


class BulkheadStep:
    """Take a place, or wait for one, and give it back when the tool has ended."""

    def __init__(self, bulkhead: Bulkhead) -> None:
        self._bulkhead = bulkhead

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        began = perf_counter()
        try:
            waited = await self._bulkhead.acquire()
        except UnavailableError:
            run.record(StepKind.BULKHEAD, began, StepOutcome.FAILED, StepNote.FULL, waiting_s=perf_counter() - began)
            raise
        try:
            outcome, waiting_s = (StepOutcome.WAITED, perf_counter() - began) if waited else (StepOutcome.OK, 0.0)
            run.record(StepKind.BULKHEAD, began, outcome, waiting_s=waiting_s)
            return await call_next(run)
        finally:
            self._bulkhead.release()
