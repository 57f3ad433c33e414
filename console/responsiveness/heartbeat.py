"""Tell whether the window is late, so that what works beside it lets it go first.

All threads get equal shares of the interpreter. Code that works beside the window for more than a millisecond calls
`yield_to_ui` in between, which waits while the window is late. The engine's loop never waits, or tools would seem
slower than they are; a batch starts its next calls later instead (`BatchListener.is_behind`), and so do agents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import get_ident
from time import perf_counter, sleep
from typing import Final, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Slot

Item = TypeVar("Item")

LATE_S: Final = 0.005
"""From so long after its last beat on the window is late: it has work, or waits for the interpreter."""
MOST_S: Final = 0.1
"""A window that has not come round for so long is held up by something else; nobody waits for it any more."""
LINGER_MS: Final = 250
"""How long it beats on after the last work that it was told of: what came of that is still written to disk."""
BEGIN_MS: Final = 20
"""What is over sooner needs no beat: something short is looked up every second, and a computer at rest should rest."""
_BEAT_MS: Final = 3
_PAUSE_S: Final = 0.001


class UiHeartbeat(QObject):
    """Beat in the window's thread while something works in others, and tell them when a beat is overdue.

    Threads take turns at the interpreter, and it treats all of them alike: beside four busy ones, the window gets a
    fifth of the time, and what would take it 30 ms takes 150. So each of the others asks between two pieces of its work
    whether the window is late, and lets it go first. After each beat they have `LATE_S` at least for themselves, and
    they wait for `MOST_S` at most, so that nothing stands still because the window does.

    Made and held in the window's thread, asked from any.

    Args:
        clock: Tells the time in seconds.
        pause: Waits so many seconds.
    """

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = perf_counter,
        pause: Callable[[float], object] = sleep,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._pause = pause
        self._thread = get_ident()
        self._beat_s = -math.inf
        self._holds = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._begin = QTimer(self)
        self._begin.setSingleShot(True)
        self._begin.setInterval(BEGIN_MS)
        self._begin.timeout.connect(self._on_begin_timeout)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(LINGER_MS)
        self._rest.timeout.connect(self._on_rest_timeout)

    def hold(self) -> None:
        """Beat soon, until as many have released it."""
        self._holds += 1
        if self._holds == 1:
            self._begin.start()

    def release(self) -> None:
        """Rest soon, unless somebody else holds it."""
        self._holds -= 1
        if self._holds:
            return
        self._begin.stop()
        if self._timer.isActive() and not self._rest.isActive():
            self._rest.start()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Beat as long as the block takes."""
        self.hold()
        try:
            yield
        finally:
            self.release()

    def is_late(self) -> bool:
        """Return whether the window is to go first; never while it rests."""
        return LATE_S < self._clock() - self._beat_s < MOST_S

    def yield_to_ui(self) -> None:
        """Wait until the window is not late; for the window's own thread that is never."""
        if self.is_late() and get_ident() != self._thread:
            while self.is_late():
                self._pause(_PAUSE_S)

    @Slot()
    def _on_begin_timeout(self) -> None:
        self._rest.stop()
        if not self._timer.isActive():
            self._beat_s = self._clock()
            self._timer.start()

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._beat_s = self._clock()

    @Slot()
    def _on_rest_timeout(self) -> None:
        self._timer.stop()
        self._beat_s = -math.inf

    def stop(self) -> None:
        """Beat no more, and let nobody wait."""
        self._begin.stop()
        self._rest.stop()
        self._on_rest_timeout()


def yielding(items: Iterable[Item], yield_to_ui: Callable[[], object] | None) -> Iterator[Item]:
    """Return items one after the other, and let the window go first before each.

    Args:
        items: They; work on one of them takes less than a millisecond.
        yield_to_ui: Waits for the window; None never waits.
    """
    for item in items:
        if yield_to_ui is not None:
            yield_to_ui()
        yield item
