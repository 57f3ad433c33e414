"""What people ask the history, and what it tells besides whole records: rows of lists, what changed, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from tools.calls import CallStatus, Decision, ErrorKind

NO_LIMIT: Final = 1 << 62
"""The limit of a query for all calls."""

UNNAMED: Final = "another tool"
"""Stands for a fallback whose name is not kept openly."""


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


class HistoryRow(NamedTuple):
    """One call in a list; made of the record when the record is written, so that no list reads whole records.

    Attributes:
        id: The record's id, `run-call`.
        elapsed_s: Seconds from the proposal to the end, waiting included; 0 while it runs.
        waited_s: The part of it spent waiting for a person, a permit or a back-off.
        review_s: The part of it spent waiting for a person.
        arguments_text: The arguments that ran on one line, shortened; empty when they are not shown.
        asked_text: Those that were asked for, where a person changed them; else empty.
        summary: The result's or the error's beginning on one line; empty when there is none.
        from_cache: Whether nothing ran because the result was known.
        attempts: How often the tool was started.
        edited: Whether a person changed the arguments.
        error_kind: Why it did not succeed; None on success.
        fallback: What answered in the tool's place, `UNNAMED` where its name is not kept openly; empty when the tool
            itself did.
    """

    id: str
    tool: str
    caller: str
    status: CallStatus
    proposed_at: datetime
    elapsed_s: float
    waited_s: float
    review_s: float
    arguments_text: str
    asked_text: str
    summary: str
    from_cache: bool
    attempts: int
    edited: bool
    error_kind: ErrorKind | None = None
    fallback: str = ""

    @property
    def own_s(self) -> float:
        """Seconds it took without waiting for a person."""
        return max(0.0, self.elapsed_s - self.review_s)


class CallerUse(NamedTuple):
    """How a caller's calls of one tool ended in one way.

    Attributes:
        status: How they ended, or how they stand.
        newest_at: When the newest was proposed.
    """

    caller: str
    tool: str
    status: CallStatus
    calls: int
    newest_at: datetime


class DecidedCall(NamedTuple):
    """One decision in a list of the decisions about many calls.

    Attributes:
        id: The call's record.
        number: Which of the call's decisions, from 0.
    """

    id: str
    number: int
    tool: str
    caller: str
    status: CallStatus
    decision: Decision


class DecisionPage(NamedTuple):
    """Some of the decisions about the calls that a query chose, newest first.

    Attributes:
        next_before: Where the next page begins; None on the last one.
    """

    rows: tuple[DecidedCall, ...] = ()
    next_before: int | None = None


class HistoryPage(NamedTuple):
    """Some of the calls that a query chose, newest first.

    Attributes:
        total: How many there are in all, pages before and after included; at least so many unless `total_exact`.
        total_exact: Whether `total` is the whole number.
        next_before: Where the next page begins; None on the last one.
    """

    rows: tuple[HistoryRow, ...] = ()
    total: int = 0
    total_exact: bool = True
    next_before: int | None = None


class Retention(NamedTuple):
    """Say how much of the past is kept; the oldest calls leave first.

    Attributes:
        max_age_days: Calls older than this leave; None keeps them for ever.
        max_size_bytes: The most that the file and its blobs may take together; None sets no limit.
        max_calls: The most calls kept; None sets no limit.
    """

    max_age_days: float | None = 90.0
    max_size_bytes: int | None = 2 * 1024**3
    max_calls: int | None = None


class HistoryChange(NamedTuple):
    """What changed since the last change that was told.

    Attributes:
        written: The ids of records that are new or changed, in the order they were written.
        forgotten: Whether records left.
    """

    written: tuple[str, ...]
    forgotten: bool = False


class OpenReport(NamedTuple):
    """What was found when a history was opened.

    Attributes:
        aborted: The ids of the calls that were running when an earlier program ended.
        kept_aside: Where a damaged file was put; None when there was none.
        message: What a person should know, in one or two sentences; empty when all was well.
    """

    aborted: tuple[str, ...] = ()
    kept_aside: Path | None = None
    message: str = ""
