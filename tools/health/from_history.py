"""Take up the newest runs from the history, so that what is known of a tool survives a restart."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from tools.calls import PROBE_CALLER, CallStatus, ErrorKind
from tools.health.limits import LOOK_BACK_S
from tools.history import UNNAMED, History, HistoryQuery, HistoryRow
from tools.metrics import EndedCall, ToolMetrics, WaitTimes

MOST_RECALLED: Final = 20_000
"""How many of the newest calls are looked at: a start of the program waits for it."""
_PAGE: Final = 5000
RAN: Final = (CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.TIMED_OUT)
"""How calls end of which a tool may have been the reason."""


def recall(
    history: History, metrics: ToolMetrics, look_back_s: float = LOOK_BACK_S, tools: tuple[str, ...] = ()
) -> int:
    """Give the metrics the runs that the history still knows of the last time.

    Args:
        history: What was recorded, by this program or another.
        metrics: Where the runs go; they count for health, and not as calls of this program.
        look_back_s: How many seconds.
        tools: Only these tools; empty for all.

    Returns:
        How many runs were taken up.

    Raises:
        HistoryError: When the history cannot be read.
    """
    now = metrics.wall()
    query = HistoryQuery(
        tools=tools,
        statuses=RAN,
        since=now - timedelta(seconds=look_back_s),
        without_callers=(PROBE_CALLER,),
        limit=_PAGE,
    )
    rows: list[HistoryRow] = []
    while len(rows) < MOST_RECALLED:
        page = history.search(query)
        rows += page.rows
        if page.next_before is None:
            break
        query = query._replace(before=page.next_before)
    runs = [row for row in rows if row.attempts and not row.from_cache]
    runs.sort(key=_ended)
    for row in runs:
        ago_s = max(0.0, now.timestamp() - _ended(row))
        waits = (
            WaitTimes(row.attempts - 1, row.review_s, row.waited_s - row.review_s)
            if row.attempts > 1 or row.waited_s
            else None
        )
        ended = EndedCall(
            row.tool,
            row.status,
            max(0.0, row.elapsed_s - row.waited_s),
            failure=ErrorKind.TOOL if row.fallback else row.error_kind,
            message=_message(row),
            waits=waits,
            arguments=row.arguments_text,
        )
        metrics.recall(ended, ago_s)
    return len(runs)


def _message(row: HistoryRow) -> str:
    if not row.fallback:
        return row.summary
    return f"{row.fallback if row.fallback == UNNAMED else repr(row.fallback)} answered in its place"


def _ended(row: HistoryRow) -> float:
    return row.proposed_at.timestamp() + row.elapsed_s
