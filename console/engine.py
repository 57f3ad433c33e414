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
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, get_args

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.call_events import (
    CallAdded,
    CallBegun,
    CallEnded,
    CallerMissing,
    CallOutput,
    QuestionAsked,
    QuestionDecided,
    WindowEvent,
)
from console.responsiveness.heartbeat import UiHeartbeat
from console.responsiveness.ui_throttle import RETRY_MS, ui_throttle
from tools.calls import (
    CallerAwaited,
    CallFinished,
    CallProposed,
    CallStarted,
    Event,
    GuardChanged,
    LogEntry,
    Logged,
    Measured,
    Progress,
    Progressed,
    ReviewAsked,
    ReviewDecided,
    StepFinished,
    Wrote,
    record_of,
)

Given = ParamSpec("Given")
Result = TypeVar("Result")

FRAME_MS: Final = 33
"""The shortest time between two batches of events."""

BATCH: Final = 200
"""The most events handed over at a time, so that one batch never costs more than a frame; the window paints and takes
keys before the next."""

_log = logging.getLogger(__name__)


_OUTPUT: Final = (Logged, Wrote, Progressed)
"""What a call writes while it runs; these events are told together. A tuple, for each event of a call is looked at."""


class _Output:
    """What a running call wrote that the window was not told of yet."""

    def __init__(self, call_id: str) -> None:
        self.call_id = call_id
        self.is_waiting = False
        self._first_line = 0
        self._logs: list[LogEntry] = []
        self._text_start = 0
        self._parts: list[str] = []
        self._progress: Progress | None = None

    def add(self, event: Logged | Wrote | Progressed) -> None:
        if isinstance(event, Logged):
            self._logs.append(event.entry)
        elif isinstance(event, Progressed):
            self._progress = event.progress
        else:
            if not (event.start and self._parts):
                self._text_start, self._parts = event.start, []
            self._parts.append(event.text)

    def take(self) -> CallOutput:
        """Return what is new, once."""
        text = "".join(self._parts)
        told = CallOutput(self.call_id, self._first_line, tuple(self._logs), text, self._text_start, self._progress)
        self._first_line += len(self._logs)
        self._logs, self._parts, self._progress, self.is_waiting = [], [], None, False
        return told


class Inbox:
    """Take the executor's events for the window, as the values that cross; safe from any thread.

    Args:
        wake: Called when something is waiting and nobody was told so before.

    Attributes:
        wants: The events that the window looks at. A call's steps are in its record, what it measured in the metrics.
    """

    wants: Final = tuple(kind for kind in get_args(Event) if kind not in {StepFinished, Measured})

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._waiting: deque[WindowEvent | _Output] = deque()
        self._output_by_call: dict[str, _Output] = {}
        self._lock = threading.Lock()
        self._is_awake = False

    def __call__(self, event: Event) -> None:
        if isinstance(event, _OUTPUT):
            call = event.call
            with self._lock:
                # Under the lock: a thread of a tool that writes while its call ends must not open an output for good.
                if call.response.status.final:
                    return  # Its record has it.
                output = self._output_by_call.get(call.id)
                if output is None:
                    output = self._output_by_call[call.id] = _Output(call.id)
                output.add(event)
                if output.is_waiting:
                    return
                output.is_waiting = True
                self._waiting.append(output)
        else:
            if isinstance(event, CallFinished):
                with self._lock:
                    self._output_by_call.pop(event.call.id, None)
            self._waiting.append(_value_of(event))
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

    def take(self) -> list[WindowEvent]:
        """Return the next batch, oldest first; of a call that ended in it, neither the start nor the output is told."""
        batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH))]
        ended = {event.record.id for event in batch if type(event) is CallEnded}
        batch = [event for event in batch if not (isinstance(event, (CallBegun, _Output)) and event.call_id in ended)]
        with self._lock:
            return [event.take() if isinstance(event, _Output) else event for event in batch]


def _value_of(event: Event) -> WindowEvent:
    """Return what the window is told of an event; on the thread that runs the call.

    The record of an ended call is made here as well: secrets in a large result take longer to hide than the window may
    stand still.
    """
    match event:
        case CallFinished():
            return CallEnded(event.record)
        case CallProposed(call):
            return CallAdded(record_of(call))
        case CallStarted(call):
            return CallBegun(call.id, call.name)
        case ReviewAsked(call, request):
            return QuestionAsked(call.id, request.id, request.expires_at)
        case ReviewDecided(call, request, decision, by, void):
            return QuestionDecided(call.id, call.name, request.id, decision, by, void)
        case CallerAwaited(call, until):
            return CallerMissing(call.id, until)
        case GuardChanged():
            return event
        case _:
            msg = f"expected an event that is told at once, got {type(event).__name__}"
            raise TypeError(msg)


class Engine(QObject):
    """Own the thread and loop that tools run in, and bring their events to the window's thread.

    Signals:
        events(list): A batch of `WindowEvent`s, oldest first. All that a call logged and wrote in the meantime is one
            event: a flood of it must not become a flood here.
        woken: Something is waiting to be handed over; internal, crosses the threads.

    Attributes:
        receive: Takes one event for the window; the executor's listener, safe from any thread.
        heartbeat: Tells what works beside the window when to let it go first; it beats while events come.
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
        self._throttle = ui_throttle()
        self.heartbeat: Final = UiHeartbeat(self)
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
        self, function: Callable[Given, Coroutine[Any, Any, Result]], *args: Given.args, **kwargs: Given.kwargs
    ) -> concurrent.futures.Future[Result]:
        """Start `function(...)` on the engine's loop and return its future; safe from any thread."""
        return asyncio.run_coroutine_threadsafe(function(*args, **kwargs), self._loop)

    async def call(
        self, function: Callable[Given, Coroutine[Any, Any, Result]], *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """Await `function(...)`, run on the engine's loop, from the window's loop.

        Cancelling the wait cancels the work as well.
        """
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(function(*args, **kwargs), self._loop))

    async def compute(self, function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
        """Await a plain function, run in a thread of its own, for work that takes more than a frame."""
        with self.heartbeat.held():
            return await asyncio.to_thread(function, *args, **kwargs)

    def post(self, function: Callable[..., object], *args: object) -> None:
        """Call a plain function on the engine's loop soon; safe from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program ends
            self._loop.call_soon_threadsafe(function, *args)

    @Slot()
    def _on_woken(self) -> None:
        if not self._timer.isActive():
            self.heartbeat.hold()
            self._hand_over()
            self._timer.start(FRAME_MS)

    @Slot()
    def _on_timer_timeout(self) -> None:
        if not self.receive and self.receive.sleep():
            self._timer.stop()
            self.heartbeat.release()
        elif self._throttle.has_to_wait("engine"):
            self._timer.setInterval(RETRY_MS)
        else:
            self._hand_over()
            # What is more than a batch follows as soon as the window painted and took what was typed.
            self._timer.setInterval(0 if self.receive else FRAME_MS)

    def _hand_over(self) -> None:
        batch = self.receive.take()
        if batch:
            self.events.emit(batch)
            self._throttle.note()

    def stop(self, timeout_s: float = 2.0) -> bool:
        """End the loop and the thread.

        Args:
            timeout_s: The longest wait in seconds.

        Returns:
            Whether the thread ended; False when a tool still blocks it.
        """
        self._timer.stop()
        self.heartbeat.stop()
        self.post(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        if self._thread.is_alive():
            _log.warning("a tool still blocks the engine; the program ends without it")
            return False
        return True


class _UsesEngine(Protocol):
    """What has methods that run elsewhere than on the window's thread."""

    _engine: Engine


Owner = TypeVar("Owner", bound=_UsesEngine)
Asked = Callable[Concatenate[Owner, Given], Coroutine[Any, Any, Result]]


def on_engine(work: Asked[Owner, Given, Result]) -> Asked[Owner, Given, Result]:
    """Run a coroutine method on the loop of its object's engine; the window's loop awaits it."""

    @wraps(work)
    async def asked(self: Owner, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await self._engine.call(work, self, *args, **kwargs)

    return asked


def in_thread(work: Callable[Concatenate[Owner, Given], Result]) -> Asked[Owner, Given, Result]:
    """Run a plain method that takes more than a frame in a thread of its own; the window's loop awaits it."""

    @wraps(work)
    async def asked(self: Owner, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await self._engine.compute(work, self, *args, **kwargs)

    return asked
