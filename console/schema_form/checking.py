"""Check values against the schema of a form: a small one at once, a large one in a thread beside the window's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final

from console.schema_form.flat_schema import Schema
from console.schema_form.formats import FORMAT_CHECKER
from tools.schema.bounded import BoundedCheck, BoundedResult, Memory, Strictness
from tools.schema.soundness import UnreadablePatternError, compiled_pattern

STEPS_AT_ONCE: Final = 1_000
"""About as many rules as can be looked at within half a frame."""

_WITHIN_S: Final = 5.0
_PATTERN_S: Final = 0.01
_PATTERN_A_LETTER_S: Final = 1e-7
_MOST_ERRORS: Final = 200
_MOST_REMEMBERED: Final = 200_000
_TURN_S: Final = 0.003
_REST_S: Final = 0.001


def pattern_found(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; one that takes too long is not."""
    try:
        return compiled_pattern(pattern).search(text, timeout=_PATTERN_S + len(text) * _PATTERN_A_LETTER_S) is not None
    except TimeoutError:
        return False
    except UnreadablePatternError:
        # A pattern of another dialect: the tool itself decides.
        return True


class StepBudgetError(Exception):
    """A check needs more steps than it was given; what it has found is remembered."""


class _CancelledError(Exception):
    """Nobody wants to know any more."""


class SchemaCheck:
    """Check values against one schema.

    Values must not change in place: parts that were checked once are known by their identity.
    """

    def __init__(self, root: Schema, clock: Callable[[], float] = monotonic) -> None:
        self._check = BoundedCheck(root, clock=clock, strictness=Strictness.LENIENT, formats=FORMAT_CHECKER)
        self._memory: Memory = {}

    def fits(self, value: Any, part: Any) -> bool:
        """Tell whether a value fits a part of the schema; one that cannot be checked, or not soon, does not."""
        try:
            found = self._check.errors(
                value, part=part, most=1, within_s=_WITHIN_S, pattern_s=_PATTERN_S, on_step=counting(STEPS_AT_ONCE)
            )
        except StepBudgetError:
            return False
        return not found.errors and found.fault is None and not found.unfollowed

    def errors(self, value: Any, on_step: Callable[[], None] | None = None) -> BoundedResult:
        """Return what is wrong with a document, from any thread; what ends a step ends the check."""
        if len(self._memory) > _MOST_REMEMBERED:
            self._memory = {}
        return self._check.errors(
            value, most=_MOST_ERRORS, within_s=_WITHIN_S, pattern_s=_PATTERN_S, on_step=on_step, memory=self._memory
        )


def counting(steps: int) -> Callable[[], None]:
    """Return what raises `StepBudgetError` when it has been called so many times."""
    left = iter(range(steps))

    def step() -> None:
        if next(left, None) is None:
            raise StepBudgetError

    return step


class CheckThread:
    """Check a document in a thread of its own, which leaves the interpreter to the window's again and again."""

    def __init__(self, check: SchemaCheck, value: Any) -> None:
        self.value = value
        self.result: BoundedResult | None = None
        self._check = check
        self._is_cancelled = False
        self._turn_s = monotonic()
        self._thread = Thread(target=self._run, name="check of arguments", daemon=True)
        self._thread.start()

    def wait(self, within_s: float) -> None:
        self._thread.join(within_s)

    def cancel(self) -> None:
        self._is_cancelled = True

    def _run(self) -> None:
        with suppress(_CancelledError):
            self.result = self._check.errors(self.value, self._step)

    def _step(self) -> None:
        if self._is_cancelled:
            raise _CancelledError
        if monotonic() - self._turn_s > _TURN_S:
            sleep(_REST_S)
            self._turn_s = monotonic()
