"""Collect garbage on the window's thread, and only there."""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from console.responsiveness.ui_throttle import RETRY_MS, ui_throttle

_INTERVAL_MS: Final = 50
_BUSY_INTERVAL_MS: Final = 20
"""While much is made: to walk all that came in the longer one would hold the window up."""
_RESTING_INTERVAL_MS: Final = 250
"""While hardly anything is made: an idle window is woken seldom, and what suddenly comes in it is still soon walked."""
_SLEEPING_INTERVAL_MS: Final = 1000
"""After a while of that: a window that nobody uses takes next to nothing."""
_YOUNG: Final = 5_000
_OLD: Final = 60
"""Closed pages that outlived a walk wait for so many more: with 300, used at random for ten minutes, 96 MB waited."""
_OVERDUE: Final = 12_000
_REST: Final = 60
"""Intervals in a row without work after which nobody feels the oldest generation being walked."""
_SLEEP: Final = 2 * _REST
"""Intervals in a row without work after which the window sleeps: a quarter of a minute after it began to rest."""
_FLOOD: Final = 500_000


class GarbageCollector(QObject):
    """Do Python's cyclic garbage collection from a timer of the window.

    Python collects in whichever thread happens to allocate. When a tool's thread did so and found a closed page, it
    destroyed widgets outside the window's thread, and the program crashed. What is loaded at the start is frozen: it
    stays to the end, and walking it would stop the window for 150 ms.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._throttle = ui_throttle()
        self._quiet = 0

    def start(self) -> None:
        """Take the collection over from Python."""
        gc.freeze()
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Give the collection back. A program whose tools may still run in other threads never does."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def _on_timer_timeout(self) -> None:
        if self._throttle.has_to_wait("collector"):
            self._look_again_in(RETRY_MS)
        elif self.collect_due() is not None:
            self._throttle.note()

    def collect_due(self) -> int | None:
        """Collect what is young, or everything, if that is due.

        What outlives one walk belongs to the oldest generation, which holds most, and is walked when hardly anything
        has happened for a while: with one between them, most would be walked twice while it is needed.

        Returns:
            The generation, 1 for all that is young, or 2; None when none was.
        """
        young, _, old = gc.get_count()
        self._quiet = self._quiet + 1 if young < _YOUNG else 0
        self._look_again_in(_interval_ms_after(self._quiet))
        if young > _FLOOD:
            # So many objects at once are a large result, which has no cycles: to walk it would stop the window for
            # seconds, each time anew.
            gc.freeze()
            return None
        if old >= (_OLD if self._quiet >= _REST else _OVERDUE):
            self._quiet = 0
            generation = 2
        elif self._quiet:
            return None
        else:
            generation = 1
        gc.collect(generation)
        return generation

    def _look_again_in(self, interval_ms: int) -> None:
        if self._timer.interval() != interval_ms:
            self._timer.setInterval(interval_ms)


def _interval_ms_after(quiet: int) -> int:
    """Return how soon to look again after so many looks in a row at which there was nothing to do."""
    if quiet > _SLEEP:
        return _SLEEPING_INTERVAL_MS
    if quiet > _REST:
        return _RESTING_INTERVAL_MS
    return _INTERVAL_MS if quiet else _BUSY_INTERVAL_MS
