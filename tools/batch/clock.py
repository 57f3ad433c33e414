"""The time of a run, which stands still while nobody goes on with it, and the time that people take to answer."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


class ElapsedClock:
    """Tell the time of a run; calling it returns the seconds that it has been under way.

    What happened before an interruption and after it stands side by side in this time, however long nobody went on.

    Attributes:
        zero_s: What `perf_counter` said, or would have said, when it stood at zero; None while it stands still.
    """

    def __init__(self, elapsed_s: float = 0.0) -> None:
        self._elapsed_s = elapsed_s
        self.zero_s: float | None = None

    def __call__(self) -> float:
        return self._elapsed_s if self.zero_s is None else perf_counter() - self.zero_s

    def go(self) -> None:
        if self.zero_s is None:
            self.zero_s = perf_counter() - self._elapsed_s

    def stop(self) -> None:
        self._elapsed_s = self()
        self.zero_s = None


class ReviewClock:
    """Count the time in which nothing of a step runs because a person is asked about its calls.

    With many rows some wait while others run; only what keeps the whole step waiting is counted.
    """

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        self._now = now
        self._running = 0
        self._waiting = 0
        self._since: float | None = None
        self._total_s = 0.0

    @property
    def total_s(self) -> float:
        return self._total_s + (0.0 if self._since is None else self._now() - self._since)

    def begin(self) -> None:
        self._change(1, 0)

    def end(self) -> None:
        self._change(-1, 0)

    def on_review(self, waits: bool) -> None:  # noqa: FBT001 -- called with where the call is
        """Take note that a call waits for a person, or does no more."""
        self._change(-1 if waits else 1, 1 if waits else -1)

    def _change(self, running: int, waiting: int) -> None:
        self._total_s, self._since = self.total_s, None
        self._running += running
        self._waiting += waiting
        if self._waiting and not self._running:
            self._since = self._now()
