"""A trace in little room: most calls of a tool take the same steps, so only their times are written each time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from struct import Struct
from typing import Any, Final

from pydantic_core import from_json

from tools.calls import Step, StepOutcome
from tools.history.writing import json_of

_FIELDS: Final = len(Step._fields)
_OK: Final = StepOutcome.OK
_PACKERS: Final = [Struct(f"<{3 * steps}d").pack for steps in range(32)]
_MOST_SHAPES: Final = 10_000


class Traces:
    """Take traces apart into what many calls share and what is each one's own."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[Any, ...], str] = {}

    def split(self, steps: Sequence[Step]) -> tuple[str | None, bytes | str]:
        """Return a trace's shape and its times.

        Returns:
            The shape as text, and each step's start, then each one's length, then each one's waiting time, in seconds
            as binary numbers. For a trace that no other call will have, None and all of it as text.
        """
        # Every call passes here, so the fields are taken apart without a look at each step.
        fields: list[Any] = list(chain.from_iterable(steps))
        count = len(fields) // _FIELDS
        outcomes = fields[3::_FIELDS]
        key = (*fields[0::_FIELDS], *fields[4::_FIELDS], *fields[6::_FIELDS])
        if outcomes.count(_OK) != count:
            key += tuple([outcome.value for outcome in outcomes])
        shape = self._shapes.get(key) or self._shape(key, fields)
        if shape is None:
            return None, json_of([fields[start : start + _FIELDS] for start in range(0, len(fields), _FIELDS)])
        numbers = fields[1::_FIELDS] + fields[2::_FIELDS] + fields[5::_FIELDS]
        pack = _PACKERS[count] if count < len(_PACKERS) else Struct(f"<{3 * count}d").pack
        return shape, pack(*numbers)

    def _shape(self, key: tuple[Any, ...], fields: list[Any]) -> str | None:
        details = fields[4::_FIELDS]
        if any(letter.isdigit() for detail in details for letter in detail):
            # Such as a number of milliseconds: it is of this call alone.
            return None
        described = zip(fields[0::_FIELDS], fields[3::_FIELDS], details, fields[6::_FIELDS], strict=True)
        if len(self._shapes) > _MOST_SHAPES:
            self._shapes.clear()
        shape = self._shapes[key] = json_of(list(described))
        return shape


def steps_of(shape: str | None, times: str | bytes) -> tuple[Step, ...]:
    """Return the steps of a trace, from the table of shapes and the row."""
    if isinstance(times, str):
        return tuple(
            Step(name, started_s, elapsed_s, _outcome(outcome), detail, waiting_s, in_tool)
            for name, started_s, elapsed_s, outcome, detail, waiting_s, in_tool in from_json(times)
        )
    described: list[Any] = from_json(shape) if shape else []
    count = len(described)
    numbers = Struct(f"<{3 * count}d").unpack(times)
    return tuple(
        Step(name, numbers[at], numbers[count + at], _outcome(outcome), detail, numbers[2 * count + at], in_tool)
        for at, (name, outcome, detail, in_tool) in enumerate(described)
    )


def waited_s(times: str | bytes) -> float:
    """Return the seconds that all steps together waited."""
    if isinstance(times, str):
        return float(sum(step[5] for step in from_json(times)))
    numbers = Struct(f"<{len(times) // 8}d").unpack(times)
    return float(sum(numbers[len(numbers) * 2 // 3 :]))


def _outcome(word: str) -> StepOutcome:
    try:
        return StepOutcome(word)
    except ValueError:
        # A later version may know more endings.
        return StepOutcome.OK
