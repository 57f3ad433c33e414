"""How far a check has come, so that a long one can be done in slices."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from jsonschema.exceptions import ValidationError

__all__ = ["PROGRESS", "OutOfStepsError", "Progress"]


class OutOfStepsError(Exception):
    """A check needs more steps than it was given; what it has found is remembered."""


@dataclass(eq=False)
class Progress:
    """How far the check of one document has come: what each finished part lacks, and where long parts stand.

    What is known by its id is held as well: the id of a thing that is gone may be given to another.
    """

    steps: int = 0
    unfollowed: str = ""
    finished: dict[tuple[int, int], tuple[Any, Any, list[ValidationError]]] = field(default_factory=dict)
    unfinished: dict[tuple[int, int], tuple[Any, Any, int, list[ValidationError]]] = field(default_factory=dict)

    def spend(self, steps: int = 1) -> None:
        """Take steps, or stop the check."""
        self.steps -= steps
        if self.steps < 0:
            raise OutOfStepsError


PROGRESS: ContextVar[Progress] = ContextVar("PROGRESS")
"""Of the check that runs now; the library has no place for it."""
