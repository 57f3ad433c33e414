"""What people ask the history: filters and words, and a page of the answer."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from tools.calls import CallStatus
from tools.history.records import DecidedCall, HistoryRow

NO_LIMIT: Final = 1 << 62
"""The limit of a query for all calls."""


class HistoryQuery(NamedTuple):
    """Choose calls. Different filters must all hold; of several values of one filter any will do.

    Attributes:
        text: What a person types: every word must occur, the last one may be a beginning, quotes make a phrase. Empty
            admits all.
        ids: Ids of records; empty admits all.
        tools: Names of tools; empty admits all.
        callers: Callers; empty admits all.
        statuses: Endings; empty admits all.
        since: The earliest moment of the proposal; None sets none.
        until: The moment before which it was proposed; None sets none.
        decided: Whether only calls are meant that somebody or something decided about.
        limit: The most rows of a page.
        before: Where the page begins: `HistoryPage.next_before` of the one before; None begins with the newest.
        without_callers: Callers whose calls are left out, such as that of probes.
    """

    text: str = ""
    ids: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    callers: tuple[str, ...] = ()
    statuses: tuple[CallStatus, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    decided: bool = False
    limit: int = 50
    before: int | None = None
    without_callers: tuple[str, ...] = ()


class DecisionPage(NamedTuple):
    """Some of the decisions about the calls that a query chose, newest first.

    Attributes:
        rows: The decisions.
        next_before: Where the next page begins; None on the last one.
    """

    rows: tuple[DecidedCall, ...] = ()
    next_before: int | None = None


class HistoryPage(NamedTuple):
    """Some of the calls that a query chose, newest first.

    Attributes:
        rows: The calls.
        total: How many there are in all, pages before and after included; at least so many unless `total_exact`.
        total_exact: Whether `total` is the whole number.
        next_before: Where the next page begins; None on the last one.
    """

    rows: tuple[HistoryRow, ...] = ()
    total: int = 0
    total_exact: bool = True
    next_before: int | None = None
