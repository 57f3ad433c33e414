"""The record of a call: one frozen value with all that readers may know of it, secrets hidden.

`ToolCall` and `ToolResponse` hold the real values for the engine and the caller. Readers of ended calls (history, audit
log, the window's pages, comparison, export) have `CallRecord`, which `record_of` makes at the edge of the engine, where
what is secret is hidden once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from pydantic import JsonValue

from tools.calls.outcome import Attachment, Attempt, CacheUse, CallError, CallStatus, ErrorKind, LogEntry, TraceStep
from tools.schema import json_text
from tools.spec import MISSING, Concern, Isolation


class ArgumentEdit(NamedTuple):
    """One argument that a person changed.

    Attributes:
        before: As it was asked for, as JSON text; None when it was left out.
        after: As it ran, likewise.
    """

    name: str
    before: str | None
    after: str | None

    def words(self, longest: int = 80) -> str:
        """Return the change on one line: `path: "exports" → "exports/2023"`."""
        return f"{self.name}: {_cut(self.before, longest)} → {_cut(self.after, longest)}"


def edits_between(before: object, after: object) -> tuple[ArgumentEdit, ...]:
    """Return what differs between two sets of arguments, in the order of the names; nothing unless both are objects."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ()
    names = dict.fromkeys((*before, *after))
    return tuple(
        ArgumentEdit(name, _written(before, name), _written(after, name))
        for name in names
        if name not in before or name not in after or before[name] != after[name]
    )


def _written(values: Mapping[str, Any], name: str) -> str | None:
    return json.dumps(values[name], ensure_ascii=False) if name in values else None


def _cut(text: str | None, longest: int) -> str:
    if text is None:
        return "(left out)"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


class ToolRef(NamedTuple):
    """The tool that a call named.

    Attributes:
        version: The tool's version; empty when no such tool was known.
        digest: The hash of the tool's definition; empty likewise.
        source: Where the tool comes from; empty likewise.
        sensitive: Whether arguments and result stay out of logs and stores.
        encrypted: Whether a store keeps arguments and result encrypted.
    """

    name: str
    version: str = ""
    digest: str = ""
    source: str = ""
    known: bool = False
    sensitive: bool = False
    encrypted: bool = False


class Decision(NamedTuple):
    """One question about a call and the answer.

    Attributes:
        timing: When in the call's life: `before_execution`, `during_execution`, `after_execution`.
        concerns: The reasons to ask, without what they would grant.
        shown: The arguments that were shown, secrets masked; None when there were none.
        decided_at: When it was answered; None while it is open, or when the program ended first.
        answer: `continue`, `edit` or `exit_early`; empty without an answer.
        by: Who decided: a person, a rule, or `time limit`; empty when nobody said.
        reason: The words that came with the answer; empty for none.
        revised: What an edit put in the arguments' place, or the text that answered; None unless it was an edit.
        timed_out: Whether silence decided.
        risk: What kind of harm the call could do; empty when nobody judged it.
        degree: How much harm: `low`, `medium`, `high` or `unknown`; empty when nobody judged it.
        risk_why: Why that degree, in one sentence.
        why: The rule that asked or decided, word for word; empty when only the tool asked.
        rule: The id of that rule; empty when none did.
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
    concerns: tuple[Concern, ...]
    shown: Any
    asked_at: datetime
    decided_at: datetime | None = None
    answer: str = ""
    by: str = ""
    reason: str = ""
    revised: Any = None
    timed_out: bool = False
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


class CallRecord(NamedTuple):
    """All that may be shown of one call, as it stood when the record was made.

    Attributes:
        id: The call's id: unique within the executor, and `run-call` for a record of the history.
        caller: Who asks: `you`, `agent:name`, `batch: name`.
        proposed_s: When the call was made, in seconds since the epoch.
        arguments: The arguments that were asked for: converted when they fit, as given when not. None when they are
            hidden.
        edited_arguments: The arguments that ran in their place, when a person changed them; else None.
        retry_of: The id of the call that it repeats; empty when it repeats none.
        is_probe: Whether the call only finds out whether the tool works.
        decisions: The questions about the call and their answers, oldest first.
        elapsed_s: Seconds from the proposal to the end, waiting included; 0 while it runs.
        review_s: The part of `elapsed_s` spent waiting for a person.
        attempts: Each start of the tool.
        cache_use: What the cache of known results did.
        fallback: The tool or function that answered in the tool's place; empty when the tool itself did.
        fallback_reason: Why the tool did not answer itself; None when it did.
        isolation: Where the tool ran last.
        worker_pid: The process it ran in last; None when that was the program's own.
        worker_killed: Whether that process was ended to stop the tool.
        error: Why the call did not succeed; None on success.
        result: The result as JSON; `MISSING` when there is none, or when it is hidden.
        own_text: What a model reads, where that is not simply the result or the error; None when it is.
        partial_text: What the tool had written when it was stopped; empty for nothing.
        logs: The lines the tool wrote.
        attachments: The files that came with the result.
        feedback: The reviewer's words; empty for none.
        turns_to_keep: How many turns to keep the result; None inherits.
        model: The language model that asked for it, as its provider names it; empty when none did.
        caller_until_s: When it is given up unless its caller comes back, in seconds since the epoch; 0 while it does
            not wait for that.
        sealed: Whether the history keeps arguments and result encrypted.
        hidden: Why arguments and result are not here; empty when they are.
    """

    id: str
    tool: ToolRef
    caller: str
    proposed_s: float
    status: CallStatus = CallStatus.PENDING
    arguments: dict[str, JsonValue] | None = None
    edited_arguments: dict[str, JsonValue] | None = None
    retry_of: str = ""
    is_probe: bool = False
    decisions: tuple[Decision, ...] = ()
    elapsed_s: float = 0.0
    review_s: float = 0.0
    attempts: tuple[Attempt, ...] = ()
    steps: tuple[TraceStep, ...] = ()
    cache_use: CacheUse = CacheUse.NONE
    fallback: str = ""
    fallback_reason: CallError | None = None
    isolation: Isolation = Isolation.INLINE
    worker_pid: int | None = None
    worker_killed: bool = False
    error: CallError | None = None
    result: Any = MISSING
    own_text: str | None = None
    partial_text: str = ""
    logs: tuple[LogEntry, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    feedback: str = ""
    turns_to_keep: int | None = None
    model: str = ""
    caller_until_s: float = 0.0
    sealed: bool = False
    hidden: str = ""

    @property
    def call_id(self) -> str:
        """The call's id within its run of the program."""
        return self.id.rpartition("-")[2]

    @property
    def proposed_at(self) -> datetime:
        return datetime.fromtimestamp(self.proposed_s, UTC)

    @property
    def succeeded(self) -> bool:
        """Whether the tool ran, or its cached result was used, without failing."""
        return self.status is CallStatus.EXECUTED

    @property
    def error_kind(self) -> ErrorKind | None:
        """Why it did not succeed; None when it did, or has not ended."""
        return None if self.error is None else self.error.kind

    @property
    def from_cache(self) -> bool:
        """Whether nothing ran because the result was known."""
        return self.cache_use is CacheUse.HIT

    @property
    def own_s(self) -> float:
        """Seconds the call took without waiting for a person."""
        return max(0.0, self.elapsed_s - self.review_s)

    @property
    def waited_s(self) -> float:
        """Seconds spent waiting for a person, a permit, a thread or a back-off."""
        return sum(step.waiting_s for step in self.steps)

    @property
    def running_s(self) -> float:
        """Seconds the tool itself ran, in all attempts."""
        return sum(step.elapsed_s - step.waiting_s for step in self.steps if step.kind.in_tool)

    @property
    def text(self) -> str:
        """What a model reads of it: the result as text, or `Error: ...`."""
        if self.own_text is not None:
            return self.own_text
        if self.error is not None:
            return self.error.told(self.status)
        if self.result is MISSING:
            return ""
        return self.result if isinstance(self.result, str) else json_text(self.result)

    @property
    def final_arguments(self) -> dict[str, JsonValue] | None:
        """The arguments that ran, or would have; None when they are hidden."""
        return self.arguments if self.edited_arguments is None else self.edited_arguments

    @property
    def edited(self) -> bool:
        return self.edited_arguments is not None

    @property
    def edits(self) -> tuple[ArgumentEdit, ...]:
        """What a person changed of the arguments; empty when nothing, or when they are hidden."""
        return () if self.edited_arguments is None else edits_between(self.arguments, self.edited_arguments)


ENOUGH_BYTES: Final = 1_000_000
"""From this size on a call is large, however large it is."""
_MOST_PARTS: Final = 2_000
_PART_BYTES: Final = 16


def weight_of(record: CallRecord, enough_bytes: int = ENOUGH_BYTES) -> int:
    """Return about how much memory a record takes, or at least `enough_bytes` when it is more than that."""
    if len(record.logs) > _MOST_PARTS:
        return enough_bytes
    weight = sum([file.size_bytes for file in record.attachments])
    weight += sum([len(entry.text) + _PART_BYTES for entry in record.logs])
    waiting: list[Any] = [(record.result,)]
    parts = 0
    while waiting and weight < enough_bytes:
        inside = waiting.pop()
        parts += len(inside)
        if parts > _MOST_PARTS:
            return enough_bytes
        for value in inside.values() if isinstance(inside, dict) else inside:
            kind = type(value)
            if kind is str:
                weight += len(value)
            elif kind is dict or kind is list:
                waiting.append(value)
    return weight + parts * _PART_BYTES
