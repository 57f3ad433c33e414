"""A trace in little room: most calls of a tool take the same steps, so only their times are written each time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from struct import pack, unpack
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

from tools.calls import Step, StepKind, StepNote, StepOutcome
from tools.history.writing import json_of

TIMED: Final = 0
"""Each step's start, then each one's length, in seconds as binary numbers; none of them waited."""
WAITED: Final = 1
"""The same, then each one's waiting time."""

_OK: Final = StepOutcome.OK
_BYTES: Final = 8
"""How many a number takes."""
_MOST_SHAPES: Final = 10_000


class Times(NamedTuple):
    """What of a trace is its own.

    Attributes:
        form: How it is written, which the module's constants name.
        content: The times, or all of the trace.
    """

    form: int
    content: bytes


Split = tuple[str | None, int, bytes]
"""A trace's shape, None when nobody shares it, and the form and the content of its `Times`."""


class Traces:
    """Take traces apart into what many calls share and what is each one's own."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[Any, ...], str] = {}

    def split_all(self, traces: Sequence[Sequence[Step]]) -> list[Split]:
        """Return the same as `split` for each of many traces, which costs less when they are all of one shape."""
        count = len(traces[0])
        # Every call passes here, so nothing is done for each step.
        kinds, starts, lengths, outcomes, notes, waits, numbers, errors, others = zip(
            *chain.from_iterable(traces), strict=True
        )
        alike = (
            [*map(len, traces)].count(count) == len(traces)
            and outcomes.count(_OK) == len(outcomes)
            and not any(waits)
            and kinds == kinds[:count] * len(traces)
            and notes == notes[:count] * len(traces)
            and numbers == numbers[:count] * len(traces)
            and not any(errors)
            and not any(others)
        )
        shape, form, _ = self.split(traces[0])
        if not alike or form != TIMED:
            return [self.split(steps) for steps in traces]
        all_starts, all_lengths = _packed(starts), _packed(lengths)
        size = count * _BYTES
        return [
            (shape, form, all_starts[at : at + size] + all_lengths[at : at + size])
            for at in range(0, len(all_starts), size)
        ]

    def split(self, steps: Sequence[Step]) -> Split:
        """Return a trace taken apart."""
        if not steps:
            return "[]", TIMED, b""
        # Every call passes here, so the fields are taken apart without a look at each step.
        columns: tuple[tuple[Any, ...], ...] = tuple(zip(*steps, strict=True))
        kinds, starts, lengths, outcomes, notes, waits, numbers, errors, others = columns
        key: tuple[Any, ...] = kinds, notes, numbers, errors, others
        if outcomes.count(_OK) != len(outcomes):
            key += (tuple([outcome.value for outcome in outcomes]),)
        shape = self._shapes.get(key) or self._shape(key, columns)
        if any(waits):
            return shape, WAITED, _packed(starts + lengths + waits)
        return shape, TIMED, _packed(starts + lengths)

    def _shape(self, key: tuple[Any, ...], columns: tuple[tuple[Any, ...], ...]) -> str:
        kinds, _, _, outcomes, notes, _, numbers, errors, others = columns
        if len(self._shapes) > _MOST_SHAPES:
            self._shapes.clear()
        shape = self._shapes[key] = json_of(list(zip(kinds, outcomes, notes, numbers, errors, others, strict=True)))
        return shape


def _packed(numbers: tuple[float, ...]) -> bytes:
    return pack(f"<{len(numbers)}d", *numbers)


def steps_of(shape: str | None, times: Times) -> tuple[Step, ...]:
    """Return the steps of a trace, from the table of shapes and the row."""
    described: list[Any] = from_json(shape) if shape else []
    count = len(described)
    numbers = _numbers(times)
    waits = numbers[2 * count :] or (0.0,) * count
    return tuple(
        Step(
            StepKind(kind),
            numbers[at],
            numbers[count + at],
            StepOutcome(outcome),
            note and StepNote(note),
            waits[at],
            number,
            error,
            other,
        )
        for at, (kind, outcome, note, number, error, other) in enumerate(described)
    )


def waited_s(times: Times) -> float:
    """Return the seconds that all steps together waited."""
    if times.form == TIMED:
        return 0.0
    numbers = _numbers(times)
    return float(sum(numbers[len(numbers) * 2 // 3 :]))


def _numbers(times: Times) -> tuple[float, ...]:
    return unpack(f"<{len(times.content) // _BYTES}d", times.content)
