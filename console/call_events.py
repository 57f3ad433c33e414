"""The events that cross from the engine to the window: frozen values, which tell the whole story of a call by its id.

What reaches the window of a running call is new each time: the lines, the text and the progress since the event before.
Who comes later asks the engine for the record as it stands, and goes on from there.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from tools.calls import CallRecord, GuardChanged, LogEntry, Progress, ReviewDecision


class CallAdded(NamedTuple):
    """A call was made; of its record there is what is known before it runs."""

    record: CallRecord


class CallBegun(NamedTuple):
    """A call began to run through its steps; not told of a call that ended in the same moment."""

    call_id: str
    tool: str


class CallOutput(NamedTuple):
    """What a running call wrote since the output before.

    Attributes:
        first_line: How many lines its log had before.
        logs: The new lines.
        text: The new part of the text that it writes while it runs; empty for none.
        text_start: How many characters of that text come before; 0 begins another text.
        progress: How far it says it is; None when it said nothing.
    """

    call_id: str
    first_line: int = 0
    logs: tuple[LogEntry, ...] = ()
    text: str = ""
    text_start: int = 0
    progress: Progress | None = None


class QuestionAsked(NamedTuple):
    """A person is asked about a call.

    Attributes:
        expires_at: When silence counts; None when it never does.
    """

    call_id: str
    request_id: str
    expires_at: datetime | None = None


class QuestionDecided(NamedTuple):
    """A question has its outcome; see `ReviewDecided`, of which this has the values.

    Attributes:
        decision: The answer, as people may see it.
        by: Who decided; empty when the question was withdrawn.
        void: Why the question counts no more; empty for any other one.
    """

    call_id: str
    tool: str
    request_id: str
    decision: ReviewDecision
    by: str
    void: str = ""


class CallerMissing(NamedTuple):
    """A call may run and waits for its caller, who has given up waiting.

    Attributes:
        until: When it is given up without having run; None when its caller is back, so that it runs.
    """

    call_id: str
    until: datetime | None


class CallEnded(NamedTuple):
    """A call ended, one way or another."""

    record: CallRecord


WindowEvent = (
    CallAdded | CallBegun | CallOutput | QuestionAsked | QuestionDecided | CallerMissing | GuardChanged | CallEnded
)
"""Everything that the engine tells the window by itself."""
