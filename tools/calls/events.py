"""The events of a call's life. Metrics, history, the Activity list and batches are all fed from them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from tools.calls.call import ToolCall
from tools.calls.guards import GuardState
from tools.calls.outcome import LogEntry, Measurement, Progress, TraceStep
from tools.calls.question import ReviewDecision, ReviewRequest
from tools.calls.record import CallRecord


class CallProposed(NamedTuple):
    """A call was made and checked, its first step is in its trace; it may already have been rejected."""

    call: ToolCall


class CallStarted(NamedTuple):
    """A call began to run through its steps."""

    call: ToolCall


class StepFinished(NamedTuple):
    """One step of a started call ended."""

    call: ToolCall
    step: TraceStep


class ReviewAsked(NamedTuple):
    """A person was asked."""

    call: ToolCall
    request: ReviewRequest


class ReviewDecided(NamedTuple):
    """The question was answered, or silence decided, or it was withdrawn.

    Attributes:
        decision: The answer; what an edit puts in is masked like the call's arguments.
        by: Who decided: the handler's `name` (`you` is the person at the console), else its class or function;
            `rule <id>` when a rule of the policy did; `TIME_LIMIT` when silence did; empty when the question was
            withdrawn.
        void: Why the question counts no more although its call goes on or ends by itself, such as that the tool's
            definition changed meanwhile; empty for any other question.
    """

    call: ToolCall
    request: ReviewRequest
    decision: ReviewDecision
    by: str
    void: str = ""


class CallerAwaited(NamedTuple):
    """A call may run and waits for its caller, who waits for it no more; or the caller is back, and it goes on.

    Attributes:
        until: When it is given up without having run; None when its caller is back.
    """

    call: ToolCall
    until: datetime | None


class Logged(NamedTuple):
    """The tool wrote a line."""

    call: ToolCall
    entry: LogEntry


class Progressed(NamedTuple):
    """The tool said how far it is."""

    call: ToolCall
    progress: Progress


class Wrote(NamedTuple):
    """The tool wrote a further part of the text that is read while it runs.

    Attributes:
        start: How many characters of the text come before it; 0 begins another text, as each attempt does.
    """

    call: ToolCall
    text: str
    start: int = 0


class Measured(NamedTuple):
    """The tool counted or measured something."""

    call: ToolCall
    measurement: Measurement


class GuardChanged(NamedTuple):
    """A guard of a tool began or stopped to refuse calls, or admits a trial call; it belongs to no single call."""

    tool_name: str
    guard: GuardState


class CallFinished(NamedTuple):
    """The call ended, one way or another; its response is final.

    Attributes:
        known: Its record, if somebody made it already.
    """

    call: ToolCall
    known: CallRecord | None = None

    @property
    def record(self) -> CallRecord:
        """All that may be shown of the call; made when it is first read, for many listeners read only a part."""
        return self.known or self.call.final_record()


Event = (
    CallProposed
    | CallStarted
    | StepFinished
    | ReviewAsked
    | ReviewDecided
    | CallerAwaited
    | Logged
    | Progressed
    | Wrote
    | Measured
    | GuardChanged
    | CallFinished
)
"""Everything that leaves the `Executor`. Metrics, history, the Activity list and batches are all fed from it."""
