"""The changes that were made to a document, to take back and to make again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from console.schema_form.state import State

_MOST_STEPS: Final = 200
_PAUSE_S: Final = 1.0
"""Letters after a pause this long are a change of their own."""


class Steps:
    """Remember the states before and after the present one.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._past: list[State] = []
        self._future: list[State] = []
        self._last_edit: object = None
        self._edited_at = 0.0

    def clear(self) -> None:
        """Forget all of them."""
        self._past.clear()
        self._future.clear()
        self._last_edit = None

    def add(self, before: State, edit: object) -> None:
        """Remember a state that is about to be left.

        Args:
            before: The state.
            edit: What changes it. The same edit again, without a pause, belongs to the same step, as letters typed one
                after the other into a field do; None is always a step of its own.
        """
        now = self._clock()
        if edit is None or edit != self._last_edit or now - self._edited_at > _PAUSE_S:
            self._past.append(before)
            del self._past[:-_MOST_STEPS]
        self._edited_at = now
        self._future.clear()
        self._last_edit = edit

    def back(self, present: State) -> State | None:
        """Return the state before the present one; None when there is none."""
        return self._step(present, self._past, self._future)

    def forth(self, present: State) -> State | None:
        """Return the state that was taken back last; None when there is none."""
        return self._step(present, self._future, self._past)

    def _step(self, present: State, source: list[State], target: list[State]) -> State | None:
        if not source:
            return None
        target.append(present)
        self._last_edit = None
        return source.pop()
