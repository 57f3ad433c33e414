"""How far a check has come, so that a long one can be done in slices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from jsonschema.exceptions import ValidationError

_MOST_LEVELS: Final = 80


class OutOfStepsError(Exception):
    """A check needs more steps than it was given; what it has found is remembered."""


class HopelessError(Exception):
    """A check gets nowhere, however many steps it is given."""


@dataclass(eq=False)
class CheckProgress:
    """How far the check of one document has come: what each finished part lacks, and where long parts stand.

    What is known by its id is held as well: the id of a thing that is gone may be given to another.
    """

    steps: int = 0
    depth: int = 0
    unfollowed: str = ""
    active: set[tuple[str, int]] = field(default_factory=set)
    finished: dict[tuple[int, int], tuple[Any, Any, list[ValidationError]]] = field(default_factory=dict)
    referred: dict[tuple[str, int], tuple[Any, list[ValidationError]]] = field(default_factory=dict)
    unfinished: dict[tuple[int, int], tuple[Any, Any, int, list[ValidationError]]] = field(default_factory=dict)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Go one level down, where the interpreter's own limit is still far away."""
        if self.depth > _MOST_LEVELS:
            raise HopelessError
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @property
    def reached(self) -> int:
        """Return a number that grows while a check gets somewhere."""
        return len(self.finished) + len(self.referred) + sum(start + 1 for _, _, start, _ in self.unfinished.values())

    def spend(self, steps: int = 1) -> None:
        """Take steps, or stop the check."""
        self.steps -= steps
        if self.steps < 0:
            raise OutOfStepsError


PROGRESS: ContextVar[CheckProgress] = ContextVar("PROGRESS")
"""Of the check that runs now; the library has no place for it."""
