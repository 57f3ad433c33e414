"""Calls that ended as the sides of a comparison."""

from __future__ import annotations

from datetime import UTC, datetime

from console.comparison import Side
from console.schema_form import ABSENT
from console.widgets.call_status import status_of_call
from console.widgets.formats import format_time, format_took
from console.widgets.status import STATUS
from tools.calls import ToolCall
from tools.spec import MISSING


def side_of_call(call: ToolCall, now: datetime | None = None) -> Side:
    """Return a call that ended as one side of a comparison, its secrets hidden.

    Args:
        call: The call.
        now: The aware time that counts as now; None reads the clock.
    """
    response = call.response
    moment = format_time(call.proposed_at, now or datetime.now(UTC))
    word = STATUS[status_of_call(response.status, from_cache=response.from_cache)].word
    result = call.display_result()
    return Side(
        title=call.name,
        subtitle=" · ".join((moment, call.caller, word, format_took(response.elapsed_s, response.review_s))),
        arguments=call.display_arguments(),
        # What did not succeed left its error in place of a result.
        result=(call.display_text() or ABSENT) if result is MISSING else result,
    )
