"""Calls that ended as the sides of a comparison."""

from __future__ import annotations

from console.comparison import ComparedSide
from console.schema_form import ABSENT
from console.widgets.status import STATUS, status_of_call
from tools.calls import CallRecord
from tools.spec import MISSING


def side_of_call(record: CallRecord, before: str, after: str = "") -> ComparedSide:
    """Return a call that ended as one side of a comparison.

    Args:
        before: What is said of it before its ending, as when it was made.
        after: What is said of it behind that; empty for nothing.
    """
    word = STATUS[status_of_call(record.status, from_cache=record.from_cache, error_kind=record.error_kind)].word
    return ComparedSide(
        title=record.tool.name,
        subtitle=" · ".join(filter(None, (before, word, after))),
        arguments=ABSENT if record.final_arguments is None else record.final_arguments,
        # What did not succeed left its error in place of a result.
        result=record.result if record.result is not MISSING else record.text or ABSENT,
    )
