"""Calls that ended as the sides of a comparison."""

from __future__ import annotations

from datetime import UTC, datetime

from console.comparison import ComparedSide
from console.schema_form import ABSENT
from console.widgets.formats import format_time, format_took
from console.widgets.status import STATUS, status_of_call
from tools.calls import CallRecord
from tools.spec import MISSING


def side_of_call(record: CallRecord, now: datetime | None = None) -> ComparedSide:
    """Return a call that ended as one side of a comparison.

    Args:
        record: The call.
        now: The aware time that counts as now; None reads the clock.
    """
    moment = format_time(record.proposed_at, now or datetime.now(UTC))
    word = STATUS[status_of_call(record.status, from_cache=record.from_cache)].word
    return ComparedSide(
        title=record.tool.name,
        subtitle=" · ".join((moment, record.caller, word, format_took(record.elapsed_s, record.review_s))),
        arguments=record.final_arguments or {},
        # What did not succeed left its error in place of a result.
        result=(record.text or ABSENT) if record.result is MISSING else record.result,
    )
