"""Steps of a program's own, among those that the tools declare."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.calls import StepKind, StepOutcome
from tools.errors import DeniedError, ToolConfigurationError
from tools.execution.outcomes import accept_result, settled

if TYPE_CHECKING:
    from tools.calls import ToolResponse
    from tools.execution.run import CallNext, Judge, Run, StepFunction

POSITIONS: Final = (
    StepKind.PRECONDITIONS,
    StepKind.CACHE_LOOKUP,
    StepKind.RATE_LIMIT,
    StepKind.SECURITY_CHECK,
    StepKind.BULKHEAD,
    StepKind.ATTEMPT,
)
"""Before which steps a program's own may stand, in the order in which a call takes them."""

HandOn = Callable[["Run"], Awaitable["ToolResponse"]]
"""Does all that comes after a program's step; the response that it returns is final."""

CustomStep = Callable[["Run", HandOn], Awaitable[Any]]
"""A program's own step, `async def step(run, call_next)`; see `Executor.add_step`."""


class Placed(NamedTuple):
    """A step and its place.

    Attributes:
        before: What it stands before, whether or not a tool has that step.
        again: Judges the arguments once more after a reviewer changed them; None when it does not.
    """

    step: StepFunction
    before: StepKind
    again: Judge | None = None


def placed(step: object, before: StepKind, name: str) -> Placed:
    """Return a program's step in its place.

    Raises:
        ToolConfigurationError: When it is no function, or no step can stand there.
    """
    if not callable(step):
        msg = f"a step needs to be `async def step(run, call_next)`; a {type(step).__qualname__} is none"
        raise ToolConfigurationError(msg)
    if before not in POSITIONS:
        possible = ", ".join(f"StepKind.{kind.name}" for kind in POSITIONS)
        msg = f"no step of a program can stand before {before!r}; expected one of {possible}"
        raise ToolConfigurationError(msg)
    return Placed(_Named(step, name or getattr(step, "__name__", type(step).__name__)), before)


def at(before: StepKind, custom: Sequence[Placed]) -> Iterator[StepFunction]:
    """Return the program's steps at one place, the oldest first."""
    return (item.step for item in custom if item.before is before)


class _Named:
    """A program's step, which the trace shows by its name."""

    def __init__(self, step: CustomStep, name: str) -> None:
        self._step = step
        self._name = name

    async def __call__(self, run: Run, call_next: CallNext, /) -> None:
        began, call = perf_counter(), run.call
        handed_on = False

        async def hand_on(run: Run) -> ToolResponse:
            nonlocal began, handed_on
            if handed_on:
                msg = f"the step {self._name!r} handed the call on twice; a call runs once"
                raise ToolConfigurationError(msg)
            handed_on = True
            run.record(StepKind.CUSTOM, began, name=self._name)
            await settled(run, call_next)
            began = perf_counter()
            return call.response

        try:
            result = await self._step(run, hand_on)
            if not handed_on:
                accept_result(call.response, run.tool, result, call)
                call.response.fallback = self._name
                run.record(StepKind.CUSTOM, began, name=self._name, answered_by=self._name)
        except Exception as error:
            denied = isinstance(error, DeniedError)
            outcome, kind = (StepOutcome.DENIED, "") if denied else (StepOutcome.FAILED, type(error).__name__)
            run.record(StepKind.CUSTOM, began, outcome, name=self._name, error=kind)
            raise
