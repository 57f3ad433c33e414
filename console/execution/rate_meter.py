"""How fast a running call gets on."""

from __future__ import annotations

from typing import Final

_LEAST_S: Final = 1.0


class RateMeter:
    """Tell the mean speed since the first amount was known; nothing is told before a second has passed."""

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None
        self.rate: float | None = None

    def note(self, done: float, at_s: float) -> None:
        """Take note of an amount.

        Args:
            done: How much is done; less than before begins anew.
            at_s: When, in seconds from any moment.
        """
        if self._first is None or done < self._first[0]:
            self._first, self.rate = (done, at_s), None
            return
        passed_s = at_s - self._first[1]
        if passed_s >= _LEAST_S:
            self.rate = (done - self._first[0]) / passed_s
