"""Past calls as the two sides of a comparison."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from console.comparison import ComparedSide
from console.history.rows import subtitle_of
from console.schema_form import ABSENT
from console.widgets.status import STATUS, status_of_call
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.calls import CallRecord


def side_of(record: CallRecord, now: datetime) -> ComparedSide:
    """Return a past call as one side of a comparison.

    Args:
        record: The call.
        now: The time.
    """
    word = STATUS[status_of_call(record.status, from_cache=record.from_cache)].word
    return ComparedSide(
        title=record.tool.name,
        subtitle=f"{subtitle_of(record, now)} · {word}",
        arguments=ABSENT if record.final_arguments is None else record.final_arguments,
        # What did not succeed left its error in place of a result.
        result=record.result if record.result is not MISSING else record.text or ABSENT,
    )
