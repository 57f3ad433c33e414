"""The activity list after a restart: rows of the history as rows of the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from console.activity.rows import ActivityRow, WrittenArguments
from console.call_storage import CallStorage
from console.language import translated
from console.widgets.status import status_of_call
from tools.calls import PROBE_CALLER, CallStatus
from tools.history import HistoryQuery

if TYPE_CHECKING:
    from tools.history import HistoryRow


async def restored_rows(records: CallStorage, limit: int) -> tuple[Sequence[ActivityRow], int]:
    """Return the newest calls of the history, oldest first, and how many were made in the last hour.

    Args:
        records: Where calls are kept.
    """
    # To look at a tool is no use of it.
    used = HistoryQuery(without_callers=(PROBE_CALLER,))
    newest = await records.search(used._replace(limit=limit))
    hour = await records.search(used._replace(since=datetime.now(UTC) - timedelta(hours=1), limit=1))
    # What still runs belongs to another window, which tells of it itself.
    past = [row for row in reversed(newest.rows) if row.status.final and not records.is_of_this_run(row.id)]
    return [activity_row(row) for row in past], hour.total - len(newest.rows) + len(past)


def activity_row(row: HistoryRow) -> ActivityRow:
    """Return a call of the history as the activity list shows it.

    Args:
        row: A call that ended.
    """
    return ActivityRow(
        call_id=row.id,
        proposed_at=row.proposed_at,
        tool=row.tool,
        caller=row.caller,
        given=WrittenArguments(row.arguments_text),
        status=status_of_call(row.status, from_cache=row.from_cache, error_kind=row.error_kind),
        reason="" if row.status is CallStatus.EXECUTED else translated(row.summary),
        elapsed_s=row.elapsed_s,
        review_s=row.review_s,
    )
