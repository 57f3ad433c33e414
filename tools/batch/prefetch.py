"""Which calls are made ready while every place is taken, so that a thread that is done finds its next one waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tools.batch.performing import ReadyStep
    from tools.metrics import ToolMetrics

CALLS: Final = 3
"""How many calls wait for a thread at a time; more of them gain nothing."""
QUICK_S: Final = 0.02
"""Seconds that a tool usually takes at most whose calls wait there; to hand out the others late costs them nothing."""
_LOOK_EVERY: Final = 32
"""Ended calls of a tool after which it is looked at anew how long it usually takes."""


class Prefetch:
    """Tell which calls may be made ready ahead of their place.

    The way of a call from the event loop to a thread and back takes a good part of a millisecond, in which the place
    would stand empty. So calls of quick tools wait right at the threads. What they wait for is over in a moment, and so
    their step counts as running already.

    Args:
        metrics: Know how long tools usually take.
    """

    def __init__(self, metrics: ToolMetrics) -> None:
        self._metrics = metrics
        self._is_quick: dict[str, bool] = {}
        self._ended: dict[str, int] = {}

    def admits(self, ready: ReadyStep) -> bool:
        """Return whether a call of a step may wait at the threads now."""
        # A limit that the plan sets counts the wait as well, so such a call must not wait longer than others.
        if not ready.in_thread or ready.timeout_s is not None:
            return False
        quick = self._is_quick.get(ready.called)
        return self._look(ready) if quick is None else quick

    def note_end(self, ready: ReadyStep) -> None:
        """Take note that a call of a step ended."""
        name = ready.called
        ended = self._ended[name] = self._ended.get(name, 0) + 1
        if ended % _LOOK_EVERY == 0:
            self._look(ready)

    def _look(self, ready: ReadyStep) -> bool:
        usual_ms = None if ready.tool is None else self._metrics.stats(ready.tool.name).p50_ms
        quick = self._is_quick[ready.called] = usual_ms is not None and usual_ms <= QUICK_S * 1000
        return quick
