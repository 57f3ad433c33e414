"""Make what the table shows out of a plan, and out of what came of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from console.batch.document_steps import known_needs
from console.batch.rows import WrittenStep
from console.widgets.formats import format_count
from tools.batch import BatchPlan
from tools.schema import json_beginning

_LONGEST: Final = 120
_SHOWN_ARGUMENTS: Final = 12


def planned_steps(plan: BatchPlan) -> list[WrittenStep]:
    """Return the steps of a plan as the table shows them."""
    number_by_step = {step.id: number for number, step in enumerate(plan.steps, 1)}
    found = []
    for number, step in enumerate(plan.steps, 1):
        needs = known_needs(step)
        numbers = sorted(number_by_step[name] for name in needs if name in number_by_step)
        after = ", ".join(map(str, numbers))
        given = _arguments_line(step.arguments)
        found.append(WrittenStep(number, step.id, step.tool, given, needs, after, step.rows is not None))
    return found


def _arguments_line(arguments: Mapping[str, Any]) -> str:
    parts = [f"{name}={_short(value)}" for name, value in islice(arguments.items(), _SHOWN_ARGUMENTS)]
    return " ".join(parts)[:_LONGEST]


def _short(value: Any) -> str:
    # What takes something from another step reads better without its quotes.
    if isinstance(value, str) and value.startswith("${") and value.endswith("}"):
        return value[2:-1].removeprefix("steps.")[:_LONGEST]
    return json_beginning(value, _LONGEST)[:_LONGEST]


def result_words(value: Any) -> str:
    """Say in a few words what came of a step.

    Args:
        value: Its result as JSON.
    """
    if value is None:
        return ""
    if isinstance(value, list):
        return _many(len(value), "items")
    if isinstance(value, Mapping):
        lists = [(name, item) for name, item in value.items() if isinstance(item, list)]
        if len(lists) == 1:
            name, item = lists[0]
            return _many(len(item), str(name).replace("_", " "))
        single = value.get("result", value.get("value")) if len(value) == 1 else None
        return result_words(single) if single is not None else json_beginning(dict(value), _LONGEST)[:_LONGEST]
    if isinstance(value, str):
        return value.strip().partition("\n")[0][:_LONGEST]
    return json_beginning(value, _LONGEST)[:_LONGEST]


def _many(count: int, what: str) -> str:
    if count == 1 and what.endswith("s") and not what.endswith("ss"):
        what = what[:-3] + "y" if what.endswith("ies") else what[:-1]
    return f"{format_count(count)} {what}"
