"""Steps of a plan while it is written: what they are called, what they wait for, how calls become them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from tools.batch import Step
from tools.batch.expressions import ExpressionError, needs_of

_LONGEST_NAME: Final = 100


def known_needs(step: Step) -> tuple[str, ...]:
    """Return what a step waits for; while an expression of it cannot be read, what it says itself."""
    try:
        return needs_of(step)
    except ExpressionError:
        return step.depends_on


def steps_of_calls(calls: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Step]:
    """Return steps that call tools with these arguments as they are; several of one tool have one name."""
    return [
        Step(id=free_name(tool.rpartition(".")[2] or "step", ()), tool=tool, arguments=_literal(given))
        for tool, given in calls
    ]


def _literal(value: Any) -> Any:
    """Return a value in which nothing is an expression: what a call was given, it was given as it is."""
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, Mapping):
        return {name: _literal(item) for name, item in value.items()}
    return [_literal(item) for item in value] if isinstance(value, list | tuple) else value


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return a name for a step that is like a wanted one, and free.

    Args:
        wanted: Any text; what no name may hold becomes `_`.
        taken: The names there are.
    """
    name = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_.-") else "_" for letter in wanted)
    name = name[:_LONGEST_NAME] or "step"
    if not (name[0].isalpha() or name[0] == "_"):
        name = f"_{name}"[:_LONGEST_NAME]
    if name not in taken:
        return name
    stem, _, last = name.rpartition("_")
    base = stem if stem and last.isdigit() else name
    number = int(last) + 1 if base is stem else 2
    while (found := f"{base[: _LONGEST_NAME - len(str(number)) - 1]}_{number}") in taken:
        number += 1
    return found
