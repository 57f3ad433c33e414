"""The engine: one background thread with an event loop, where every tool runs and nothing of Qt does.

The window awaits it; its events come back as one queued Qt signal, at most 30 times a second. A tool that blocks the
engine's loop, burns a core or floods its log therefore never blocks the window.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, ParamSpec, TypeVar, get_args

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.pace import RETRY_MS, pace
from console.pulse import Pulse
from tools.calls import CallFinished, CallStarted, Event, Logged, Measured, StepFinished, ToolCall, Wrote

Given = ParamSpec("Given")
Result = TypeVar("Result")

FRAME_MS: Final = 33
"""The shortest time between two batches of events."""

BATCH: Final = 200
"""The most events handed over at a time, so that one batch never costs more than a frame; the window paints and takes
keys before the next."""

_READ_FROM_RESPONSE: Final = (Logged, Wrote)

_log = logging.getLogger(__name__)


class Inbox:
    """Take the executor's events for the window; safe from any thread.

    Args:
        wake: Called when something is waiting and nobody was told so before.

    Attributes:
        wants: The events that the window looks at. A call's steps are in its response, what it measured in the metrics.
    """

    wants: Final = tuple(kind for kind in get_args(Event) if kind not in {StepFinished, Measured})

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._waiting: deque[Event] = deque()
        self._logged: set[ToolCall] = set()
        self._is_awake = False

    def __call__(self, event: Event) -> None:
        if isinstance(event, _READ_FROM_RESPONSE):
            if event.call in self._logged:
                return
            self._logged.add(event.call)
        elif type(event) is CallFinished:
            # Made here: secrets in a large result take longer to hide than the window may stand still.
            event = CallFinished(event.call, event.record)
        self._waiting.append(event)
        if not self._is_awake:
            self._is_awake = True
            with contextlib.suppress(RuntimeError):  # the Qt side is gone: the program ends
                self._wake()

    def __len__(self) -> int:
        """Return how many events wait."""
        return len(self._waiting)

    def sleep(self) -> bool:
        """Have `wake` called for the next event; return False when one came at this very moment."""
        self._is_awake = False
        self._is_awake = bool(self._waiting)
        return not self._is_awake

    def take(self) -> list[Event]:
        """Return the next batch, oldest first; of a call that ended in it, nobody is told that it started."""
        batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH))]
        # What is logged or written before this is in its call's response already: whoever is told now finds it there.
        if self._logged:
            self._logged.difference_update(event.call for event in batch if isinstance(event, _READ_FROM_RESPONSE))
        ended = {event.call for event in batch if type(event) is CallFinished}
        return [event for event in batch if type(event) is not CallStarted or event.call not in ended]


class Engine(QObject):
    """Own the thread and loop that tools run in, and bring their events to the window's thread.

    Signals:
        events(list): A batch of `Event`s, oldest first. Of what a call logged and wrote in the meantime one event is
            told: its response has it all, and a flood of it must not become a flood here.
        woken: Something is waiting to be handed over; internal, crosses the threads.

    Attributes:
        receive: Takes one event for the window; the executor's listener, safe from any thread.
        pulse: Tells what works beside the window when to let it go first; it beats while events come.
    """

    events = Signal(list)
    woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run_loop, name="engine", daemon=True)
        self.receive: Final = Inbox(self.woken.emit)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._pace = pace()
        self.pulse: Final = Pulse(self)
        self.woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Start the thread and wait until its loop runs."""
        self._thread.start()
        self._ready.wait()

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._ready.set)
        try:
            while not self._run_until_stopped():
                _log.error("a tool raised what ends programs; the engine goes on")
        finally:
            self._cancel_all()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def _run_until_stopped(self) -> bool:
        """Run the loop, and tell whether it was asked to stop."""
        try:
            self._loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            # asyncio lets these two through a task and out of the loop. Nobody but a tool raises them on this thread.
            return False
        return True

    def _cancel_all(self) -> None:
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self._loop.run_until_complete(asyncio.wait(tasks, timeout=1.0))

    def submit(
        self, function: Callable[Given, Awaitable[Result]], *args: Given.args, **kwargs: Given.kwargs
    ) -> concurrent.futures.Future[Result]:
        """Start `function(...)` on the engine's loop and return its future; safe from any thread."""

        async def run() -> Result:
            return await function(*args, **kwargs)

        return asyncio.run_coroutine_threadsafe(run(), self._loop)

    async def call(
        self, function: Callable[Given, Awaitable[Result]], *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """Await `function(...)`, run on the engine's loop, from the window's loop.

        Cancelling the wait cancels the work as well.
        """
        return await asyncio.wrap_future(self.submit(function, *args, **kwargs))

    async def compute(self, function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
        """Await a plain function, run in a thread of its own, for work that takes more than a frame."""
        with self.pulse.held():
            return await asyncio.to_thread(function, *args, **kwargs)

    def post(self, function: Callable[..., object], *args: object) -> None:
        """Call a plain function on the engine's loop soon; safe from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program ends
            self._loop.call_soon_threadsafe(function, *args)

    @Slot()
    def _on_woken(self) -> None:
        if not self._timer.isActive():
            self.pulse.hold()
            self._hand_over()
            self._timer.start(FRAME_MS)

    @Slot()
    def _on_timer_timeout(self) -> None:
        if not self.receive and self.receive.sleep():
            self._timer.stop()
            self.pulse.release()
        elif self._pace.has_to_wait("engine"):
            self._timer.setInterval(RETRY_MS)
        else:
            self._hand_over()
            # What is more than a batch follows as soon as the window painted and took what was typed.
            self._timer.setInterval(0 if self.receive else FRAME_MS)

    def _hand_over(self) -> None:
        batch = self.receive.take()
        if batch:
            self.events.emit(batch)
            self._pace.note()

    def stop(self, timeout_s: float = 2.0) -> bool:
        """End the loop and the thread.

        Args:
            timeout_s: The longest wait in seconds.

        Returns:
            Whether the thread ended; False when a tool still blocks it.
        """
        self._timer.stop()
        self.pulse.stop()
        self.post(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        if self._thread.is_alive():
            _log.warning("a tool still blocks the engine; the program ends without it")
            return False
        return True
