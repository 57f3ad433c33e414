"""What the history knows of calls, as values: a row of a list, a whole call, the times of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic_core import from_json

from tools.calls import Attempt, CallError, CallStatus, ErrorKind, LogEntry, Step
from tools.calls.edits import ArgumentEdit, edits_between

if TYPE_CHECKING:
    from pydantic import JsonValue


UNNAMED: Final = "another tool"
"""Stands for a fallback whose name is not kept openly."""


class HistoryRow(NamedTuple):
    """One call in a list.

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


class Decision(NamedTuple):
    """One question about a call and what came of it.

    Attributes:
        question: What was asked, in one sentence.
        timing: When in the call's life: `before_execution`, `during_execution`, `after_execution`.
        concerns: The reasons to ask, each as `Title: detail`.
        shown: The arguments that were shown, as JSON text, secrets masked; None when there were none.
        asked_at: When it was asked.
        decided_at: When it was answered; None when the program ended first.
        answer: `continue`, `edit` or `exit_early`; empty without an answer.
        by: Who decided: a person, a rule, or `time limit`; empty when nobody said.
        reason: The words that came with the answer; empty for none.
        revised: What an edit put in the arguments' place, as JSON text; None unless the answer was an edit.
        timed_out: Whether silence decided.
        risk: What kind of harm the call could do; empty when nobody judged it.
        degree: How much harm: `low`, `medium`, `high` or `unknown`; empty when nobody judged it.
        risk_why: Why that degree, in one sentence.
        why: What asked or decided besides the tool, word for word; empty when only the tool asked.
        rule: The id of the rule that asked or decided; empty when none did.
        required_role: The role that might answer; empty admitted everybody.
        advice: What the caller was told to do: `stop`, `ask`, `change`; empty for none.
        digest: What an approval was bound to: a hash of definition, shown arguments, caller and policy.
        remembered: The id of the rule that was made of the answer; empty when none was.
        attached_to: The id of the question about an identical call whose answer counted; empty when this was asked.
        void: Why the question counted no more; empty for any other one.
        stopped_run: Whether everything that the call belonged to was stopped as well.
    """

    question: str
    timing: str
    concerns: tuple[str, ...]
    shown: str | None
    asked_at: datetime
    decided_at: datetime | None
    answer: str
    by: str
    reason: str
    revised: str | None
    timed_out: bool
    risk: str = ""
    degree: str = ""
    risk_why: str = ""
    why: str = ""
    rule: str = ""
    required_role: str = ""
    advice: str = ""
    digest: str = ""
    remembered: str = ""
    attached_to: str = ""
    void: str = ""
    stopped_run: bool = False

    @property
    def taken_s(self) -> float:
        """Seconds from the question to the answer; 0 without an answer."""
        return 0.0 if self.decided_at is None else max((self.decided_at - self.asked_at).total_seconds(), 0.0)


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


class StoredAttachment(NamedTuple):
    """Bytes that came with a result; `History.attachment` reads them.

    Attributes:
        name: A file name.
        mime_type: Such as `image/png`.
        size_bytes: How large the content is.
        digest: The SHA-256 of the stored content, which is where it stands; empty when it is not kept.
    """

    name: str
    mime_type: str
    size_bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class CallRecord:
    """All that is kept of one call.

    JSON stands here as text, letter by letter as it was written, so that large integers and decimals survive a
    comparison and a second run.

    Attributes:
        id: The record's id, `run-call`.
        call_id: The call's id within its run of the program.
        tool: The tool's name.
        version: The tool's version; empty when no such tool was known.
        digest: The hash of the tool's definition; empty when no such tool was known.
        source: Where the tool comes from.
        isolation: Where the tool ran: `inline`, `thread`, `process`.
        caller: Who asked.
        status: Where the call is, or how it ended.
        proposed_at: When it was made.
        elapsed_s: Seconds from the proposal to the end, waiting included.
        waited_s: The part of it spent waiting for a person, a permit or a back-off.
        review_s: The part of it spent waiting for a person.
        running_s: Seconds the tool itself ran, in all attempts.
        attempts: Each start of the tool.
        from_cache: Whether nothing ran because the result was known.
        fallback: What answered in its place; empty when nothing did.
        fallback_reason: Why the tool did not answer itself; None when it did.
        arguments: The proposed arguments as JSON text, secrets masked; None when they are not kept.
        edited_arguments: The arguments that ran in their place, when a person changed them; else None.
        decisions: What was asked and decided, oldest first.
        error: Why it did not succeed; None on success.
        result: The result as JSON text; None when there is none or it is not kept.
        text: What a model reads of it.
        logs: The lines the tool wrote.
        attachments: What came with the result.
        steps: The trace.
        feedback: The reviewer's words; empty for none.
        turns_to_keep: How many turns to keep the result; None inherits.
        retry_of: The id of the call within the same run that it repeats; empty when it repeats none.
        sealed: Whether arguments and result are stored encrypted.
        hidden: Why arguments and result are not here; empty when they are.
    """

    id: str
    call_id: str
    tool: str
    version: str
    digest: str
    source: str
    isolation: str
    caller: str
    status: CallStatus
    proposed_at: datetime
    elapsed_s: float
    waited_s: float
    review_s: float
    running_s: float
    attempts: tuple[Attempt, ...]
    from_cache: bool
    fallback: str
    fallback_reason: CallError | None
    arguments: str | None
    edited_arguments: str | None
    decisions: tuple[Decision, ...]
    error: CallError | None
    result: str | None
    text: str
    logs: tuple[LogEntry, ...]
    attachments: tuple[StoredAttachment, ...]
    steps: tuple[Step, ...]
    feedback: str
    turns_to_keep: int | None
    retry_of: str
    sealed: bool
    hidden: str

    @property
    def own_s(self) -> float:
        """Seconds it took without waiting for a person."""
        return max(0.0, self.elapsed_s - self.review_s)

    @property
    def edited(self) -> bool:
        """Whether a person changed the arguments."""
        return self.edited_arguments is not None

    @property
    def final_arguments(self) -> str | None:
        """The arguments that ran, or would have, as JSON text; None when they are not kept."""
        return self.arguments if self.edited_arguments is None else self.edited_arguments

    @property
    def edits(self) -> tuple[ArgumentEdit, ...]:
        """What a person changed of the arguments; empty when nothing, or when they are not kept."""
        if self.arguments is None or self.edited_arguments is None:
            return ()
        return edits_between(from_json(self.arguments), from_json(self.edited_arguments))

    def argument_values(self) -> dict[str, JsonValue]:
        """Return the arguments that ran as values; empty when they are not kept."""
        values = from_json(self.final_arguments) if self.final_arguments else {}
        return values if isinstance(values, dict) else {}


class CallTiming(NamedTuple):
    """How long one call took, and where.

    Attributes:
        id: The record's id.
        status: How it ended.
        proposed_at: When it was made.
        elapsed_s: Seconds from the proposal to the end.
        waited_s: The part of it spent waiting.
        attempts: How often the tool was started.
        from_cache: Whether nothing ran because the result was known.
        steps: The trace.
        review_s: The part of the time spent waiting for a person.
    """

    id: str
    status: CallStatus
    proposed_at: datetime
    elapsed_s: float
    waited_s: float
    attempts: int
    from_cache: bool
    steps: tuple[Step, ...]
    review_s: float = 0.0


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
        kept_aside: Where a damaged file was put; None when none was damaged.
        message: What a person should know, in one or two sentences; empty when all was well.
    """

    aborted: tuple[str, ...] = ()
    kept_aside: Path | None = None
    message: str = ""
