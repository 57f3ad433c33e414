"""What is shown of a plan that a person is asked about as a whole: worked out without any widget."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tools.calls import PlannedStep
from tools.execution.call_log import one_line
from tools.review.plain_text import asked_words, visible

_MOST_CALLS: Final = 5
"""Of how many calls of a step the arguments stand in the table."""

_MOST_NAMED: Final = 12


class PlanTable(NamedTuple):
    """The steps of a plan that a person is asked about, line by line.

    Attributes:
        heads: What stands above each column.
        cells: One line of texts for each call that is shown; what its step is stands in the first.
        texts: The arguments of each line in full, as JSON text.
        open_steps: The steps whose arguments are known later.
        quiet: A sentence about the steps that nobody is asked about; empty when there are none.
    """

    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    open_steps: tuple[str, ...]
    quiet: str


def plan_table(plan: Sequence[PlannedStep]) -> PlanTable:
    """Put a plan into a table."""
    cells: list[tuple[str, ...]] = []
    texts: list[str] = []
    for step in plan:
        if not asked_words(step):
            continue
        facts = step.name, step.tool, _asking(step)
        shown = step.arguments[:_MOST_CALLS]
        for number, arguments in enumerate(shown):
            first = not number
            cells.append((*(facts if first else ("", "", "")), _line(arguments)))
            texts.append(json.dumps(dict(arguments), ensure_ascii=False, indent=2))
        more = max(step.looked_at, step.calls or 0) - len(shown)
        if more > 0:
            cells.append(("", "", "", f"and {more:,} more"))
            texts.append(_listed(step))
    return PlanTable(
        ("Step", "Tool", "Asks", "Arguments"),
        tuple(cells),
        tuple(texts),
        tuple(step.name for step in plan if step.is_open),
        _quiet([step.name for step in plan if not asked_words(step)]),
    )


def _asking(step: PlannedStep) -> str:
    words = []
    if step.refusal:
        words.append("refused by a rule")
    if step.asking:
        words.append("1 call" if step.asking == step.looked_at == 1 else f"{step.asking:,} of {step.looked_at:,} calls")
    if step.is_open:
        words.append("more later" if step.asking else "when its turn comes")
    return ", ".join(words)


def _line(arguments: Mapping[str, Any]) -> str:
    return visible(one_line(arguments)) if arguments else "none"


def _listed(step: PlannedStep) -> str:
    """Return the arguments of all calls of a step that are known here, one call a line."""
    lines = [json.dumps(dict(arguments), ensure_ascii=False) for arguments in step.arguments]
    unseen = max(step.looked_at, step.calls or 0) - len(lines)
    return "\n".join([*lines, *([f"and {unseen:,} more like these"] if unseen > 0 else [])])


def _quiet(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"Nobody is asked about {', '.join(names[:_MOST_NAMED])}{more}."
