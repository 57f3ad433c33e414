"""Several questions about one tool as one table, and whether they may be allowed together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from console.approval.deceptive_text import disguises
from console.approval.queue_rows import PendingRow
from tools.calls import ReviewTiming

LONGEST_VALUE: Final = 200
"""The most letters of a value that can be judged in a table's cell."""


class QuestionGroup(NamedTuple):
    """Questions to decide together.

    Attributes:
        tool: The tool that all calls are of.
        description: What it does.
        heads: What stands above each column: the caller, then the arguments.
        cells: One row of texts for each call.
        why_not: Why the calls cannot be allowed together; empty when they can. They can be denied in any case.
    """

    tool: str
    description: str
    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    why_not: str


def batch_of(rows: Sequence[PendingRow]) -> QuestionGroup:
    """Put questions about one tool into a table.

    Args:
        rows: One at least, all of one tool.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.request.arguments or {}))
    cells = []
    for row in rows:
        given = row.request.arguments or {}
        cells.append((row.caller, *(_text(given[name]) if name in given else "" for name in names)))
    return QuestionGroup(
        rows[0].tool,
        rows[0].request.tool.description.split("\n\n", 1)[0] if rows[0].request.tool is not None else "",
        ("Caller", *names),
        tuple(cells),
        _why_not(rows, cells),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _why_not(rows: Sequence[PendingRow], cells: Sequence[tuple[str, ...]]) -> str:
    if any(row.request.timing is not ReviewTiming.BEFORE_EXECUTION for row in rows):
        return "Questions of running tools and results are answered one by one"
    if any(row.request.plan for row in rows):
        return "A plan is decided by itself: look at its steps first"
    if any(row.request.required_role for row in rows):
        return "A call that takes a role is allowed by itself"
    if any(row.needs_care for row in rows):
        return "They may destroy something, or nobody can tell: each is allowed by itself"
    if any(len(text) > LONGEST_VALUE or "\n" in text for one in cells for text in one):
        return "A value is too long to be judged here"
    if any(disguises(row.request.arguments or {}) for row in rows):
        return "A value has letters that do not show"
    return ""
