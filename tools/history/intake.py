"""Where events come in: on the hot path of every call, so it keeps little and never waits."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import sleep
from typing import Any, Final
from weakref import WeakKeyDictionary

from tools.calls import CallFinished, CallProposed, CallStatus, Event, ReviewAsked, ReviewDecided, ToolCall
from tools.errors import HistoryError
from tools.history.capture import Asked, Capture, Parked, arguments_of, weight_of
from tools.history.encoding import Fields

MOST_WAITING: Final = 20_000
"""Most ended calls that wait to be written; what comes on top is counted, not kept."""

CROWDED: Final = MOST_WAITING // 2
"""From so many on the calls give the writer a moment: a stream of tiny ones would else keep the interpreter busy."""

MOMENT_S: Final = 0.006
"""How long they give it for each batch of rows."""

MOST_HELD_BYTES: Final = 256 * 1024**2
"""Most memory that large results hold while they wait."""

TOGETHER: Final = 24
"""Of how many ended calls the rows are made at once: each costs less than between the calls themselves,
whose code and data push this one's out of the processor's caches. Many more would be 700 objects that
wait, and then the garbage collector looks at them each time."""

RECORDED_TIMEOUT_S: Final = 10.0
"""Longest wait of a call for its record: a file that another program keeps locked holds no call for ever."""

OrdinaryRows = Callable[[Sequence[Capture]], Sequence[Fields | None]]
"""Makes the rows of those ended calls that are plain ones, None for the others."""


class Intake:
    """Receive the events of calls, and hold what the writer takes from it.

    Args:
        wake: Wakes the writer when it rests.
        ordinary_rows: Makes the rows of those ended calls that are plain ones.

    Attributes:
        wants: The events it is told.
        open: The calls that have not ended, each with what is known of it.
        ended: The calls that ended and are not written yet, oldest first.
        lost: How many ended calls could not be kept.
        limit: Most calls in `ended`; 0 keeps none.
        resting: Whether the writer waits to be woken.
        stuck: Whether nothing can be written for now, so that giving the writer time is of no use.
    """

    wants: Final = (CallProposed, ReviewAsked, ReviewDecided, CallFinished)

    def __init__(self, wake: Callable[[], None], ordinary_rows: OrdinaryRows) -> None:
        self.open: dict[ToolCall, Capture] = {}
        self.ended: deque[Fields | Capture] = deque()
        self.lost = 0
        self.limit = 0
        self.resting = False
        self.stuck = False
        self._wake = wake
        self._ordinary_rows = ordinary_rows
        self._lock = threading.Lock()
        self._ended_lock = threading.Lock()
        self._fresh = 0
        self._waiting: list[Future[None]] = []
        self._held_bytes = 0
        self._parked: WeakKeyDictionary[ToolCall, Parked] = WeakKeyDictionary()

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        kind = type(event)
        call: Any = event[0]
        if kind is CallFinished:
            capture = self.open.pop(call, None)
            if capture is None:
                with self._lock:
                    # Parked, or just on its way between the two.
                    capture = self.open.pop(call, None) or self._recalled(call)
            if capture.arguments == b"{}":
                # What was refused at once had no converted arguments when it was proposed.
                capture.arguments = arguments_of(call)
            capture.finished = True
            if len(self.ended) >= self.limit:
                self.lost += 1
            elif weight := weight_of(call):
                self._hold(capture, weight)
            else:
                if self._fresh >= TOGETHER:
                    # Without this one: that its end was told is yet to come into its trace.
                    self._make_rows()
                self.ended.append(capture)
                self._fresh += 1
            if capture.waiting is not None:
                self._settle(capture)
        elif kind is CallProposed:
            if self.limit:
                self.open[call] = Capture(call, arguments_of(call))
        else:
            self._note_question(event)
        if self.resting:
            self.resting = False
            self._wake()

    def take(self, most: int) -> list[Fields | Capture]:
        """Return so many ended calls at most, oldest first; they are the caller's now."""
        ended = self.ended
        with self._ended_lock:
            taken = [ended.popleft() for _ in range(min(most, len(ended)))]
        if self._held_bytes:
            with self._lock:
                self._held_bytes -= sum(item.weight_bytes for item in taken if isinstance(item, Capture))
        return taken

    def park(self, capture: Capture) -> None:
        """Let go of a call that waits for its start, which may never come: whoever made it keeps it or not."""
        with self._lock:
            if self.open.pop(capture.call, None) is not None:
                self._parked[capture.call] = capture.parked()

    @property
    def parks(self) -> bool:
        """Whether calls wait for their start, which nobody tells: somebody has to look."""
        return bool(self._parked)

    def recall_started(self) -> None:
        """Take the parked calls back that have started since."""
        for call in self._parked_calls():
            # One that ended has a final status before its end is told: it is kept until then.
            if call.response.status is not CallStatus.PENDING:
                self._bring_back(call)

    def settled(self, call: ToolCall | str) -> Future[None]:
        """Return what is done once a call ended and is on disk.

        Args:
            call: The call, or its id.
        """
        done: Future[None] = Future()
        for known in self._parked_calls():
            if call in (known, known.id):
                self._bring_back(known)
        for capture in list(self.open.values()):
            if call in (capture.call, capture.call.id):
                with self._lock:
                    capture.waiting = [*(capture.waiting or ()), done]
                if capture.finished:
                    # It ended while it was looked for; whoever is first takes all that wait.
                    self._settle(capture)
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
        if not self._waiting:
            return []
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return waiting

    def hurry(self) -> None:
        """Let the writer write now."""
        self.resting = False
        self._wake()

    def _make_rows(self) -> None:
        """Put rows in the place of the newest ended calls that are plain ones; the writer makes those of the others."""
        self._fresh = 0
        ended = self.ended
        with self._ended_lock:
            # Others may append meanwhile, which moves nothing as long as places are counted from the left.
            end = len(ended)
            places = [at for at in range(max(0, end - TOGETHER), end) if type(ended[at]) is Capture]
            captures: list[Any] = [ended[at] for at in places]
            if captures:
                for at, capture, row in zip(places, captures, self._rows_of(captures), strict=True):
                    ended[at] = row or capture
        if end > CROWDED and not self.stuck:
            sleep(MOMENT_S)

    def _rows_of(self, captures: list[Capture]) -> Sequence[Fields | None]:
        try:
            return self._ordinary_rows(captures)
        except Exception:  # noqa: BLE001 -- the writer tries them one by one, and says what is wrong
            return [None] * len(captures)

    def _hold(self, capture: Capture, weight_bytes: int) -> None:
        """Keep an ended call that holds much memory until its row is made, if there is room for it."""
        capture.weight_bytes = weight_bytes
        with self._lock:
            if self._held_bytes + weight_bytes > MOST_HELD_BYTES:
                self.lost += 1
                return
            self._held_bytes += weight_bytes
        self.ended.append(capture)

    def _settle(self, capture: Capture) -> None:
        with self._lock:
            self._waiting += capture.waiting or ()
            capture.waiting = None
        self.hurry()

    def _parked_calls(self) -> list[ToolCall]:
        with self._lock:
            return list(self._parked)

    def _bring_back(self, call: ToolCall) -> None:
        with self._lock:
            parked = self._parked.pop(call, None)
            if parked is not None:
                self.open[call] = Capture.of_parked(call, parked)

    def _recalled(self, call: ToolCall) -> Capture:
        """Return the capture of a call that is not open; the lock is held, so that nobody brings it back meanwhile."""
        parked = self._parked.pop(call, None)
        return Capture(call, arguments_of(call)) if parked is None else Capture.of_parked(call, parked)

    def _note_question(self, event: Event) -> None:
        if not isinstance(event, ReviewAsked | ReviewDecided) or not self.limit:
            return
        with self._lock:
            # Else it might be parked between the look and the change.
            capture = self.open.get(event.call) or self._recalled(event.call)
            self.open[event.call] = capture
            if isinstance(event, ReviewAsked):
                capture.decisions = [*(capture.decisions or ()), Asked(event)]
            else:
                for asked in capture.decisions or ():
                    if asked.request.id == event.request.id:
                        asked.decide(event)
            capture.changed = True
