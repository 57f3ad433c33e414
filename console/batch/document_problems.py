"""Where in the table of a plan its problems stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from console.batch.rows import PlanColumn
from tools.batch import BatchPlan
from tools.errors import PlanProblem

CellProblems = Mapping[int, Mapping[int, str]]
"""What is wrong with cells: words by column, by the place of the row in the plan."""

_PLACE: Final = re.compile(r"steps\[(\d+)\]\.?(\w*)")
_COLUMNS: Final = {"tool": PlanColumn.TOOL, "arguments": PlanColumn.ARGUMENTS, "depends_on": PlanColumn.AFTER}


def cells_of(problems: Sequence[PlanProblem], plan: BatchPlan) -> CellProblems:
    """Return what is wrong with the cells of a plan's table.

    What has no column of its own, as a condition or a timeout, stands at the step's name.

    Args:
        problems: What is wrong.
        plan: The plan that was looked at.
    """
    places: dict[str, list[int]] = {}
    for place, step in enumerate(plan.steps):
        places.setdefault(step.id, []).append(place)
    found: dict[int, dict[int, list[str]]] = {}
    for problem in problems:
        for place, column, name in _cells(problem, places):
            words = f"{name}: {problem.message}" if name else problem.message
            found.setdefault(place, {}).setdefault(column, []).append(words)
    return {place: {column: "\n".join(words) for column, words in columns.items()} for place, columns in found.items()}


def _cells(problem: PlanProblem, places: Mapping[str, Sequence[int]]) -> list[tuple[int, PlanColumn, str]]:
    match = _PLACE.match(problem.where)
    if match is not None:
        name = match[2]
        inner = problem.where[match.end() :].lstrip(".")
        # What stands at a cell of its own need not say which it is.
        return [(int(match[1]), _COLUMNS.get(name, PlanColumn.STEP), inner if name in _COLUMNS else name)]
    named = places.get(problem.step, ())
    # A name that several steps have, or a circle of steps that wait for each other.
    column = PlanColumn.STEP if len(named) > 1 else PlanColumn.AFTER
    return [(place, column, "") for place in named]
