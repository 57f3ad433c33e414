"""Bring to the Batch page what changes of a run, in turns that leave the window time for everything else."""

from __future__ import annotations

from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.batch.rows import RunUpdate
from console.engine import FRAME_MS
from console.ui_throttle import RETRY_MS, ui_throttle

if TYPE_CHECKING:
    from console.batch.rows import RunFacts, StepFacts


_MOST_AT_A_TIME: Final = 400
"""Steps that are told of at a time; more would hold the window up."""
_PAUSE_SHARE: Final = 3.0
"""How much longer than a turn took nothing is told of afterwards; it takes longer while tools keep a computer busy."""
_LONGEST_PAUSE_S: Final = 0.25


class RunUpdates(QObject):
    """Put together what is told of a run until its next turn; of each step only the newest counts.

    What comes from the engine's thread comes before everything else that waits in the window's. While it is told of
    directly, and takes longer than the next one takes to come, nothing is painted and no key is taken.

    Args:
        parent: Its owner.

    Signals:
        updated(RunUpdate): What changed since the last time.
    """

    updated = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts: RunFacts | None = None
        self._told: RunFacts | None = None
        self._steps: dict[str, StepFacts] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._throttle = ui_throttle()

    @Slot(object)
    def take(self, update: RunUpdate) -> None:
        """Take in what changed; it is told at once, or after the pause."""
        self._facts = update.facts
        self._steps.update(update.steps)
        if not self._timer.isActive():
            self._timer.start(0)

    @Slot()
    def forget(self) -> None:
        """Drop what was not told yet: it is of another run."""
        self._facts = self._told = None
        self._steps.clear()

    @Slot()
    def _on_timer_timeout(self) -> None:
        facts = self._facts
        if facts is None:
            return
        if self._throttle.has_to_wait("run"):
            self._timer.start(RETRY_MS)
            return
        steps = {name: self._steps.pop(name) for name in list(islice(self._steps, _MOST_AT_A_TIME))}
        if not self._steps:
            self._facts = None
        elif self._told is not None and not facts.phase.goes_on:
            # That it is over is told with the last of it.
            facts = self._told
        self._told = facts
        began_s = perf_counter()
        self.updated.emit(RunUpdate(facts, steps))
        self._throttle.note()
        pause_s = min(_LONGEST_PAUSE_S, (perf_counter() - began_s) * _PAUSE_SHARE)
        self._timer.start(max(FRAME_MS, round(pause_s * 1000)))

    def stop(self) -> None:
        """Tell of nothing any more."""
        self.forget()
        self._timer.stop()
