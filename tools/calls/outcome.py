"""How a call goes and ends: its status, its error, the lines and files it leaves, the steps it took."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tools.errors import ArgumentProblem


class CallStatus(StrEnum):
    """Where a call is in its life, or how it ended."""

    PENDING = "pending"
    WAITING_FOR_REVIEW = "waiting_for_review"
    EXECUTING = "executing"
    EXECUTED = "executed"
    FAILED = "failed"
    DENIED = "denied"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    NOT_FOUND = "not_found"
    REJECTED = "rejected"
    ABORTED = "aborted"

    @property
    def final(self) -> bool:
        """Whether nothing more will happen to the call."""
        # Compared one by one: hashing a member costs more than three comparisons.
        return self is not _EXECUTING and self is not _PENDING and self is not _WAITING_FOR_REVIEW


# Python 3.11 takes as long to find a member in its enumeration as for ten names of a module.
_PENDING: Final = CallStatus.PENDING
_EXECUTING: Final = CallStatus.EXECUTING
_WAITING_FOR_REVIEW: Final = CallStatus.WAITING_FOR_REVIEW


class ErrorKind(StrEnum):
    """What kind of thing went wrong."""

    ARGUMENTS = "arguments"
    NOT_FOUND = "not_found"
    DISABLED = "disabled"
    NO_PROJECT = "no_project"
    DENIED = "denied"
    CALLER = "caller"
    GUIDED = "guided"
    CONTRACT = "contract"
    RATE_LIMIT = "rate_limit"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    TOOL = "tool"
    CONFIGURATION = "configuration"
    CRASHED = "crashed"
    ABORTED = "aborted"
    MAX_ITERATIONS = "max_iterations"


class CallError(NamedTuple):
    """Why a call did not succeed.

    Attributes:
        kind: The family of the failure.
        message: One sentence for a person.
        type_name: The exception's class name; empty when the tool returned its failure.
        traceback: Where it was raised; empty when the message is the whole story.
        problems: The arguments that do not fit; empty otherwise.
        remedy: What to do next; empty when nothing general can be said.
    """

    kind: ErrorKind
    message: str
    type_name: str = ""
    traceback: str = ""
    problems: tuple[ArgumentProblem, ...] = ()
    remedy: str = ""

    def told(self, status: CallStatus) -> str:
        """Return what a caller reads of it: whoever refuses may have said what to do instead."""
        if status is not CallStatus.DENIED:
            return f"Error: {self.message}"
        return f"{self.message.rstrip('.')}. {self.remedy}" if self.remedy else self.message


class LogEntry(NamedTuple):
    """One line a tool wrote.

    Attributes:
        offset_s: Seconds since the call was proposed.
        level: `debug`, `info`, `warning` or `error`.
        text: The line.
    """

    offset_s: float
    level: str
    text: str


class Attachment(NamedTuple):
    """Bytes that come with a result.

    Attributes:
        name: A file name.
        mime_type: Such as `image/png`.
        data: The content.
    """

    name: str
    mime_type: str
    data: bytes


class Progress(NamedTuple):
    """How far a running tool says it is.

    Attributes:
        done: Amount done.
        total: Amount in all; None when nobody knows.
        text: What it is doing.
    """

    done: float
    total: float | None = None
    text: str = ""


class Measurement(NamedTuple):
    """One number a tool told about its own work.

    Attributes:
        name: What is counted or measured, such as `rows`.
        value: By how much a counter grows, or what was measured.
        counted: Whether it adds to a counter; else it is one of many values that have a mean and bounds.
    """

    name: str
    value: float
    counted: bool


class StepOutcome(StrEnum):
    """How one step of a call ended."""

    OK = "ok"
    SKIPPED = "skipped"
    WAITED = "waited"
    FAILED = "failed"
    DENIED = "denied"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"


class Step(NamedTuple):
    """One timed step of a call's trace.

    Attributes:
        name: The step, as people read it (`Validate arguments`, `Execute, attempt 2`).
        started_s: Seconds since the call was proposed.
        elapsed_s: How long it took, in seconds.
        outcome: How it ended.
        detail: A word or two, such as `hit` or `waited 184 ms`.
        waiting_s: The part of `elapsed_s` spent waiting for a permit, a thread, a back-off or a person.
        in_tool: Whether the time was the tool's own.
    """

    name: str
    started_s: float
    elapsed_s: float
    outcome: StepOutcome = StepOutcome.OK
    detail: str = ""
    waiting_s: float = 0.0
    in_tool: bool = False
