"""What is shown of one step beside the plan, as frozen values and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from console.batch.rows import StepRow, has_run, status_words
from console.widgets.formats import format_count, format_took

if TYPE_CHECKING:
    from console.batch.ports import FailedRow


class StepDetail(NamedTuple):
    """Everything that is known of one step.

    Attributes:
        row: The step, as the plan shows it.
        arguments: What it is given, as far as that is known.
        later: The arguments of which some part is known only later.
        problems: What of the arguments cannot be worked out.
        has_result: Whether there is a result.
        result: The result as JSON.
        failed_rows: The first of its rows that did not succeed.
    """

    row: StepRow
    arguments: Mapping[str, Any]
    later: Sequence[str] = ()
    problems: Sequence[str] = ()
    has_result: bool = False
    result: Any = None
    failed_rows: Sequence[FailedRow] = ()


def facts_line(row: StepRow) -> str:
    """Say in a line which tool a step calls, how it stands, and how long it took."""
    facts = row.facts
    parts = [row.planned.tool, status_words(row)]
    if facts.elapsed_s is not None and facts.state.ended and has_run(facts):
        parts.append(format_took(facts.elapsed_s, facts.review_s))
    if facts.attempts > 1:
        parts.append(f"{facts.attempts} calls")
    return " · ".join(parts)


def given_words(detail: StepDetail) -> str:
    """Say what the arguments that are shown are."""
    if detail.problems:
        return detail.problems[0]
    first = "Those of the first row. " if detail.row.planned.has_rows else ""
    if not detail.later:
        return f"{first}Everything in them is known."
    return f"{first}Known later: {', '.join(detail.later)}."


def rows_line(detail: StepDetail) -> str:
    """Say how the rows of a step ended."""
    counts = detail.row.facts.rows
    if counts is None:
        return "No row has begun."
    total = "" if counts.total is None else f" of {format_count(counts.total)}"
    words = f"{format_count(counts.done)}{total} rows done"
    if not counts.failed:
        return f"{words}, none failed."
    shown = len(detail.failed_rows)
    more = f", the first {format_count(shown)} are listed" if shown < counts.failed else ""
    return f"{words}, {format_count(counts.failed)} failed{more}."
