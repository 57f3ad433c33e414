"""Where events come in: on the hot path of every call, so it keeps little and never waits for the disk."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from tools.calls import (
    CallerAwaited,
    CallFinished,
    CallProposed,
    CallStarted,
    ReviewAsked,
    ReviewDecided,
    ToolCall,
    weight_of,
)
from tools.errors import HistoryError

if TYPE_CHECKING:
    from tools.calls import CallRecord, Event

MOST_WAITING: Final = 20_000
"""Most ended calls that wait to be written; what comes on top is counted, not kept."""

CROWDED: Final = 2_000
"""From so many on the calls give the writer a moment: a stream of tiny ones would else keep the interpreter busy."""

TOGETHER: Final = 64
"""After so many calls of a crowd they give it one."""

MOMENT_S: Final = 0.006

MOST_HELD_BYTES: Final = 256 * 1024**2
"""Most memory that large results hold while they wait."""

CLOSED: Final = "the history was closed before it was done"

RECORDED_TIMEOUT_S: Final = 10.0
"""Longest wait of a call for its record: a file that another program keeps locked holds no call for ever."""


class OpenRow:
    """The place in the file of a call that is written before it ends."""

    __slots__ = ("row",)

    def __init__(self) -> None:
        self.row = 0
        """The row's id; 0 before there is one."""


class Ended(NamedTuple):
    """A call that ended and is not written yet."""

    record: CallRecord
    slot: OpenRow | None
    weight_bytes: int


class Intake:
    """Receive the events of calls, and hold what the writer takes from it.

    Attributes:
        wants: The events it is told.
        changed: The open calls to which something happened that is not written.
        slots: The open calls that are written or are being written. Whoever made a call that waits for its start keeps
            it or not, so nothing else holds it here.
        ended: The calls that ended and are not written yet, oldest first.
        lost: How many ended calls could not be kept.
        limit: Most calls in `ended`; 0 keeps none.
        resting: Whether the writer waits to be woken.
        stuck: Whether nothing can be written for now, so that giving the writer time is of no use.
    """

    wants: Final = (CallProposed, CallStarted, ReviewAsked, ReviewDecided, CallerAwaited, CallFinished)

    def __init__(self, wake: Callable[[], None]) -> None:
        self.changed: dict[ToolCall, None] = {}
        self.slots: WeakKeyDictionary[ToolCall, OpenRow] = WeakKeyDictionary()
        self.ended: deque[Ended] = deque()
        self.lost = 0
        self.limit = 0
        self.resting = False
        self.stuck = False
        self._wake = wake
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []
        self._waiting_by_call: dict[ToolCall, list[Future[None]]] = {}
        self._held_bytes = 0
        self._closed = False

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self._end(event)
        elif not self.limit:
            return
        elif isinstance(event, CallProposed | CallStarted | ReviewAsked | ReviewDecided | CallerAwaited):
            call = event.call
            if isinstance(event, CallProposed) and call.arguments:
                # Before the tool can change them.
                call.asked_arguments()
            self.changed[call] = None
        if self.resting:
            self.resting = False
            self._wake()

    def _end(self, event: CallFinished) -> None:
        call, record = event.call, event.record
        weight = weight_of(record)
        with self._lock:
            self.changed.pop(call, None)
            slot = self.slots.pop(call, None)
            if len(self.ended) >= self.limit or self._held_bytes + weight > MOST_HELD_BYTES:
                self.lost += 1
            else:
                self._held_bytes += weight
                self.ended.append(Ended(record, slot, weight))
            waiting = self._waiting_by_call.pop(call, None)
            if waiting:
                self._waiting += waiting
        if waiting:
            self.hurry()
        count = len(self.ended)
        if count > CROWDED and not count % TOGETHER and not self.stuck:
            sleep(MOMENT_S)

    def take(self, most: int) -> list[Ended]:
        """Return so many ended calls at most, oldest first; they are the caller's now."""
        with self._lock:
            taken = [self.ended.popleft() for _ in range(min(most, len(self.ended)))]
            self._held_bytes -= sum([one.weight_bytes for one in taken])
        return taken

    def take_changed(self, longer_than_s: float) -> dict[ToolCall, OpenRow]:
        """Return the open calls that need a row, or a changed one; short ones are written once, at their end.

        What happens to them from now on marks them as changed again.
        """
        latest = perf_counter() - longer_than_s
        with self._lock:
            taken = {
                call: self.slots.setdefault(call, OpenRow())
                for call in self.changed.copy()
                if not longer_than_s or call.started <= latest or call in self.slots
            }
            for call in taken:
                del self.changed[call]
        return taken

    def put_back(self, call: ToolCall) -> None:
        """Mark a call as changed that could not be written, unless it ended meanwhile."""
        with self._lock:
            if call in self.slots:
                self.changed[call] = None

    def settled(self, call: ToolCall | str) -> Future[None]:
        """Return what is done once a call ended and is on disk."""
        done: Future[None] = Future()
        with self._lock:
            known = next((one for one in (*self.changed.copy(), *self.slots) if call in (one, one.id)), None)
            if known is not None and not self._closed:
                self._waiting_by_call.setdefault(known, []).append(done)
                return done
        self.await_writing(done)
        return done

    def await_writing(self, done: Future[None]) -> None:
        """Tell a future when all that came in until now is on disk."""
        with self._lock:
            if not self._closed:
                self._waiting.append(done)
        if self._closed:
            done.set_exception(HistoryError(CLOSED))
        self.hurry()

    async def until_recorded(self) -> None:
        """Return when all that came in until now survives the program's death; at once while nothing can be written.

        A history that fails says so itself, and holds no call.
        """
        if not self.limit or self.stuck:
            return
        done: Future[None] = Future()
        self.await_writing(done)
        with suppress(HistoryError, TimeoutError):
            async with asyncio.timeout(RECORDED_TIMEOUT_S):
                await asyncio.wrap_future(done)

    def take_waiting(self) -> list[Future[None]]:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return waiting

    def close(self) -> list[Future[None]]:
        """Take nothing in any more, and let nobody wait for the end of a call.

        Returns:
            The futures that wait for what came in until now.
        """
        with self._lock:
            self._closed, self.limit = True, 0
            given_up = [done for waiting in self._waiting_by_call.values() for done in waiting]
            self._waiting_by_call.clear()
        for done in given_up:
            if done.set_running_or_notify_cancel():
                done.set_exception(HistoryError(CLOSED))
        return self.take_waiting()

    def hurry(self) -> None:
        self.resting = False
        self._wake()
