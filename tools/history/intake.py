"""Where events come in: on the hot path of every call, so it keeps little and never waits for the disk."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from tools.calls import CallFinished, CallProposed, CallStarted, CallStatus, ReviewAsked, ReviewDecided, ToolCall
from tools.errors import HistoryError
from tools.history.writing import is_large

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

RECORDED_TIMEOUT_S: Final = 10.0
"""Longest wait of a call for its record: a file that another program keeps locked holds no call for ever."""

SHORT_TEXT: Final = 1_000
LARGE_WEIGHT_BYTES: Final = 1_000_000
"""What a large value that is no text is taken to weigh; to know it better, it would have to be written."""


class Entry:
    """Hold a call on its way into the file.

    Attributes:
        call: The call; None while it waits for its start and whoever made it may let go of it, and once it ended.
        record: What may be kept of it; None before it ended.
        changed: Whether something happened since it was last written.
        row: The row's id; 0 before it has one.
        weight_bytes: About how much memory it holds, as far as that is known and much.
        waiting: Who waits until its end is on disk.
    """

    __slots__ = ("call", "changed", "record", "row", "waiting", "weight_bytes")

    def __init__(self, call: ToolCall) -> None:
        self.call: ToolCall | None = call
        self.record: CallRecord | None = None
        self.changed = False
        self.row = self.weight_bytes = 0
        self.waiting: tuple[Future[None], ...] = ()


class Intake:
    """Receive the events of calls, and hold what the writer takes from it.

    Args:
        wake: Wakes the writer when it rests.

    Attributes:
        wants: The events it is told.
        open: The calls that have not ended, each with what is known of it.
        ended: The calls that ended and are not written yet, oldest first.
        lost: How many ended calls could not be kept.
        limit: Most calls in `ended`; 0 keeps none.
        resting: Whether the writer waits to be woken.
        stuck: Whether nothing can be written for now, so that giving the writer time is of no use.
    """

    wants: Final = (CallProposed, CallStarted, ReviewAsked, ReviewDecided, CallFinished)

    def __init__(self, wake: Callable[[], None]) -> None:
        self.open: dict[ToolCall, Entry] = {}
        self.ended: deque[Entry] = deque()
        self.lost = 0
        self.limit = 0
        self.resting = False
        self.stuck = False
        self._wake = wake
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []
        self._held_bytes = 0
        self._parked: WeakKeyDictionary[ToolCall, Entry] = WeakKeyDictionary()

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self._end(event)
        elif not self.limit:
            return
        elif isinstance(event, CallProposed):
            call = event.call
            if call.arguments:
                # Before the tool can change them.
                call.asked_arguments()
            self.open[call] = Entry(call)
        elif isinstance(event, CallStarted | ReviewAsked | ReviewDecided):
            with self._lock:
                self._entry(event.call).changed = True
        if self.resting:
            self.resting = False
            self._wake()

    def _entry(self, call: ToolCall) -> Entry:
        """Return what is known of a call, which is open from now on; the lock is held."""
        entry = self.open.get(call)
        if entry is None:
            entry = self._parked.pop(call) if call in self._parked else Entry(call)
            entry.call = call
            self.open[call] = entry
        return entry

    def _end(self, event: CallFinished) -> None:
        call, record = event.call, event.record
        with self._lock:
            entry = self._entry(call)
            del self.open[call]
            entry.record = record
            entry.call = None
            weight = _weight_of(record)
            if len(self.ended) >= self.limit or self._held_bytes + weight > MOST_HELD_BYTES:
                self.lost += 1
            else:
                entry.weight_bytes = weight
                self._held_bytes += weight
                self.ended.append(entry)
            waiting = entry.waiting
            self._waiting += waiting
            entry.waiting = ()
        if waiting:
            self.hurry()
        count = len(self.ended)
        if count > CROWDED and not count % TOGETHER and not self.stuck:
            sleep(MOMENT_S)

    # What the writer takes

    def take(self, most: int) -> list[Entry]:
        """Return so many ended calls at most, oldest first; they are the caller's now."""
        with self._lock:
            taken = [self.ended.popleft() for _ in range(min(most, len(self.ended)))]
            self._held_bytes -= sum([entry.weight_bytes for entry in taken])
        return taken

    def running(self, longer_than_s: float) -> list[Entry]:
        """Return the calls that need a row, or a changed one; short ones are written once, at their end."""
        latest = perf_counter() - longer_than_s
        return [
            entry
            for call, entry in self.open.copy().items()
            if (entry.changed if entry.row else (call.started <= latest or not longer_than_s))
        ]

    def park(self, entry: Entry) -> None:
        """Let go of a call that waits for its start, which may never come: whoever made it keeps it or not."""
        with self._lock:
            call = entry.call
            if call is None or self.open.get(call) is not entry or entry.changed or entry.waiting:
                return
            if call.response.status is CallStatus.PENDING:
                del self.open[call]
                entry.call = None
                self._parked[call] = entry

    # Whoever waits

    def settled(self, call: ToolCall | str) -> Future[None]:
        """Return what is done once a call ended and is on disk.

        Args:
            call: The call, or its id.
        """
        done: Future[None] = Future()
        with self._lock:
            known = next((one for one in (*self.open, *self._parked) if call in (one, one.id)), None)
            if known is not None:
                entry = self._entry(known)
                entry.waiting = (*entry.waiting, done)
                return done
        self.await_writing(done)
        return done

    def await_writing(self, done: Future[None]) -> None:
        """Tell a future when all that came in until now is on disk."""
        with self._lock:
            self._waiting.append(done)
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
        """Return the futures that wait for what came in until now."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return waiting

    def hurry(self) -> None:
        """Let the writer write now."""
        self.resting = False
        self._wake()


def _weight_of(record: CallRecord) -> int:
    """Return about how many bytes of memory a record holds, as far as that is known and much; else 0."""
    result, weight = record.result, 0
    if type(result) is str:
        if len(result) > SHORT_TEXT:
            weight = len(result)
    elif is_large(result):
        weight = LARGE_WEIGHT_BYTES
    return weight + sum([file.size_bytes for file in record.attachments])
