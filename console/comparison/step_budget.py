"""How much work a comparison may still do, so that no input makes it endless."""

from __future__ import annotations


class StepBudget:
    """A number of steps that is used up.

    Args:
        steps: How many there are.
    """

    def __init__(self, steps: int) -> None:
        self._steps = steps

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self._steps <= 0

    def take(self, steps: int) -> bool:
        """Use some steps up, and tell whether there were as many."""
        self._steps -= steps
        return self._steps >= 0
