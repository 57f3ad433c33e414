"""The steps of a plan with what is known of each, as a sequence whose rows are made when somebody looks at them.

A plan may have 10,000 steps: an event costs the rows that changed and those in sight. Code that needs all rows works
on a `copy` in another thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, overload

from console.batch.rows import StepFacts, StepRow, WrittenStep

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class PlanRows(Sequence[StepRow]):
    """List the steps of a plan, in its order.

    What is known is kept by the names of steps, so that another plan, or another run, costs only what is other. It
    changes when what it was made of does; a `copy` stays, and may go to another thread.

    Args:
        planned: What the plan says.
        facts: How far steps are, by name; one that is missing did not begin.
        problems: What is wrong with steps, by name.
        asks: Which ask before they run, in words, by name.

    Attributes:
        planned: The same.
        facts: The same.
        problems: The same.
        asks: The same.
        place_by_step: Where each step stands, from 0 on; of several with one name the last.
    """

    def __init__(
        self,
        planned: Sequence[WrittenStep] = (),
        facts: dict[str, StepFacts] | None = None,
        problems: Mapping[str, str] = _NOTHING,
        asks: Mapping[str, str] = _NOTHING,
    ) -> None:
        self.planned = planned
        self.facts = {} if facts is None else facts
        self.problems = problems
        self.asks = asks
        self.place_by_step: Mapping[str, int] = {step.step: place for place, step in enumerate(planned)}

    def copy(self) -> PlanRows:
        """Return how all of it stands at this moment."""
        made = PlanRows((), self.facts.copy(), self.problems, self.asks)
        made.planned, made.place_by_step = self.planned, self.place_by_step
        return made

    def facts_of(self, step: str) -> StepFacts:
        """Return how far a step is."""
        return self.facts.get(step) or StepFacts(step)

    def waiting_for(self, step: str) -> list[int]:
        """Return the numbers of the steps that a step holds, in order."""
        held = (name for name, facts in self.facts.items() if facts.held_by == step)
        return sorted(self.place_by_step[name] + 1 for name in held if name in self.place_by_step)

    def __len__(self) -> int:
        return len(self.planned)

    @overload
    def __getitem__(self, place: int) -> StepRow: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[StepRow]: ...
    def __getitem__(self, place: int | slice) -> StepRow | Sequence[StepRow]:
        if isinstance(place, slice):
            return [self._row(step) for step in self.planned[place]]
        return self._row(self.planned[place])

    def __iter__(self) -> Iterator[StepRow]:
        return map(self._row, self.planned)

    def _row(self, planned: WrittenStep) -> StepRow:
        step = planned.step
        facts = self.facts.get(step)
        if facts is None:
            return StepRow(planned, StepFacts(step), self.problems.get(step, ""), 0, self.asks.get(step, ""))
        held_by = self.place_by_step.get(facts.held_by, -1) + 1 if facts.held_by else 0
        return StepRow(planned, facts, self.problems.get(step, ""), held_by, self.asks.get(step, ""))
