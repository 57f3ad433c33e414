"""A pipeline that is being made of past calls: its steps, and where each of their arguments comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.discovery.templates import name_problem
from tools.spec import MISSING, PipelineErrorStrategy, Security

if TYPE_CHECKING:
    from pydantic import JsonValue


class Own(Enum):
    """Where an argument comes from that no earlier step gives."""

    FIXED = "fixed"
    """It is what it was, in each run."""

    ASKED = "asked"
    """It is an argument of the pipeline."""


class EarlierResult(NamedTuple):
    """A part of what an earlier step returned.

    Attributes:
        step: The place of the step, from 0.
        path: JMESPath from the step on: `result`, `result.items[0].path`, `output`.
    """

    step: int
    path: str


Origin = Own | EarlierResult


@dataclass(frozen=True)
class StepArgument:
    """One argument of a step.

    Attributes:
        schema: What the tool says of it, without references.
        value: What it was; `MISSING` when that is hidden, or was not kept.
        offers: The results it may come from, the best first.
        is_needed: Whether the tool requires it.
        is_secret: Whether nobody is shown its value.
    """

    name: str
    schema: Mapping[str, JsonValue]
    value: Any = MISSING
    origin: Origin = Own.FIXED
    offers: tuple[EarlierResult, ...] = ()
    is_needed: bool = False
    is_secret: bool = False


@dataclass(frozen=True)
class StepDraft:
    """One step of a pipeline that is being made.

    Attributes:
        tool: The tool's name.
        security: What the tool hides; None for nothing.
        hides_result: Whether the tool hides some of its result.
        problem: Why the call cannot be made again; empty when it can.
        note: What else a person should know of it; empty for nothing.
    """

    tool: str
    arguments: tuple[StepArgument, ...] = ()
    security: Security | None = None
    hides_result: bool = False
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class PipelineDraft:
    """A pipeline that is being made.

    Attributes:
        steps: Its steps, in order.
        description: What it does; empty is made of the steps' names.
        error_strategy: What follows when a step does not succeed.
    """

    steps: tuple[StepDraft, ...]
    name: str = ""
    description: str = ""
    error_strategy: PipelineErrorStrategy = PipelineErrorStrategy.FAIL_FAST

    @property
    def problem(self) -> str:
        """Why no file can be made of it; empty when one can."""
        if not self.steps:
            return "a pipeline needs a step; choose calls that can be made again"
        broken = next(
            (f"step {number}: {step.problem}" for number, step in enumerate(self.steps, 1) if step.problem), ""
        )
        return broken or name_problem(self.name)

    def with_origin(self, step: int, argument: str, origin: Origin) -> PipelineDraft:
        steps = list(self.steps)
        changed = (replace(one, origin=origin) if one.name == argument else one for one in steps[step].arguments)
        steps[step] = replace(steps[step], arguments=tuple(changed))
        return replace(self, steps=tuple(steps))

    def without(self, place: int) -> PipelineDraft:
        """Return it without a step; what came from there is asked for."""
        left = (step for number, step in enumerate(self.steps) if number != place)
        return replace(
            self, steps=tuple(replace(step, arguments=tuple(_without(place, step.arguments))) for step in left)
        )


def _without(place: int, arguments: Iterable[StepArgument]) -> Iterator[StepArgument]:
    for argument in arguments:
        offers = tuple(offer._replace(step=offer.step - (offer.step > place)) for offer in argument.offers)
        left = tuple(new for new, old in zip(offers, argument.offers, strict=True) if old.step != place)
        origin = argument.origin
        if isinstance(origin, EarlierResult):
            at_place = origin.step == place
            origin = Own.ASKED if at_place else origin._replace(step=origin.step - (origin.step > place))
        yield replace(argument, offers=left, origin=origin)
