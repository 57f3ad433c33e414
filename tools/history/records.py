"""What the history tells besides whole records: a row of a list, a decision in one, what changed, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from tools.calls import CallStatus, Decision, ErrorKind

UNNAMED: Final = "another tool"
"""Stands for a fallback whose name is not kept openly."""


class HistoryRow(NamedTuple):
    """One call in a list; made of the record when the record is written, so that no list reads whole records.

    Attributes:
        id: The record's id, `run-call`.
        tool: The tool's name.
        caller: Who asked.
        status: Where the call is, or how it ended.
        proposed_at: When it was made.
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


class DecidedCall(NamedTuple):
    """One decision in a list of the decisions about many calls.

    Attributes:
        id: The call's record.
        number: Which of the call's decisions, from 0.
        tool: The tool's name.
        caller: Who asked for the call.
        status: Where the call is, or how it ended.
        decision: The question and the answer.
    """

    id: str
    number: int
    tool: str
    caller: str
    status: CallStatus
    decision: Decision


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
        kept_aside: Where a file was put that is damaged or of an earlier version; None when there was none.
        message: What a person should know, in one or two sentences; empty when all was well.
    """

    aborted: tuple[str, ...] = ()
    kept_aside: Path | None = None
    message: str = ""
