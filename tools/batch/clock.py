"""How long a run has been under way: its own time, which stands still while nobody goes on with it."""

from __future__ import annotations

from time import perf_counter


class RunClock:
    """Tell the time of a run; calling it returns the seconds that it has been under way.

    What happened before an interruption and after it stands side by side in this time, however long nobody went on.

    Args:
        elapsed_s: What it says first, in seconds.
    """

    def __init__(self, elapsed_s: float = 0.0) -> None:
        self._elapsed_s = elapsed_s
        self._zero_s: float | None = None

    @property
    def zero_s(self) -> float | None:
        """What `perf_counter` said, or would have said, when it stood at zero; None while it stands still."""
        return self._zero_s

    def __call__(self) -> float:
        """Return the seconds that the run has been under way."""
        return self._elapsed_s if self._zero_s is None else perf_counter() - self._zero_s

    def go(self) -> None:
        """Go on."""
        if self._zero_s is None:
            self._zero_s = perf_counter() - self._elapsed_s

    def stop(self) -> None:
        """Stand still."""
        self._elapsed_s = self()
        self._zero_s = None
