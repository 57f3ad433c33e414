"""How a call goes and ends: its status, its error, the lines and files it leaves, the steps it took."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from tools.errors import ArgumentProblem


class CallStatus(StrEnum):
    """Where a call is in its life, or how it ended."""

    PENDING = "pending"
    WAITING_FOR_REVIEW = "waiting_for_review"
    WAITING_FOR_CALLER = "waiting_for_caller"
    EXECUTING = "executing"
    EXECUTED = "executed"
    FAILED = "failed"
    DENIED = "denied"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    NOT_FOUND = "not_found"
    REJECTED = "rejected"
    ABORTED = "aborted"

    # An enumeration's own hash is a Python function, and every call is counted by its status.
    __hash__ = str.__hash__

    @property
    def final(self) -> bool:
        """Whether nothing more will happen to the call."""
        return self not in _OPEN


_OPEN: Final = frozenset(
    {CallStatus.PENDING, CallStatus.WAITING_FOR_REVIEW, CallStatus.WAITING_FOR_CALLER, CallStatus.EXECUTING}
)


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
    EXPIRED = "expired"
    TOOL = "tool"
    CONFIGURATION = "configuration"
    CRASHED = "crashed"
    ABORTED = "aborted"
    MAX_ITERATIONS = "max_iterations"


class CallError(NamedTuple):
    """Why a call did not succeed.

    Attributes:
        kind: The family of the failure.
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


new_tuple: Final = tuple.__new__
"""Makes a named tuple in a third of the time that its constructor takes.

For the dozen that every call makes: without it, the chain with one listener falls behind the quickest peer in
`bench_call`.
"""


class LogEntry(NamedTuple):
    """One line a tool wrote.

    Attributes:
        offset_s: Seconds since the call was proposed.
        level: `debug`, `info`, `warning` or `error`.
    """

    offset_s: float
    level: str
    text: str


class Attachment(NamedTuple):
    """Bytes that come with a result.

    Attributes:
        mime_type: Such as `image/png`.
        data: The content; empty in a record of the history, which reads it when somebody asks.
        stored_bytes: How large it is where the history has it; 0 elsewhere.
        digest: The SHA-256 of what the history stores, which is where it stands; empty elsewhere.
    """

    name: str
    mime_type: str
    data: bytes
    stored_bytes: int = 0
    digest: str = ""

    @property
    def size_bytes(self) -> int:
        return len(self.data) or self.stored_bytes


class Progress(NamedTuple):
    """How far a running tool says it is.

    Attributes:
        total: Amount in all; None when nobody knows.
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


class StepKind(StrEnum):
    """What a step of a call does, in the order in which a call takes them."""

    VALIDATION = "validation"
    CALL_FILTER = "call_filter"
    POLICY = "policy"
    PRECONDITIONS = "preconditions"
    CACHE_LOOKUP = "cache_lookup"
    EARLY_REVIEW = "early_review"
    """A review before the call waits for anything else, as `Proposals.ask` holds it."""
    BULKHEAD = "bulkhead"
    RATE_LIMIT = "rate_limit"
    SECURITY_CHECK = "security_check"
    FAILURE_BLOCK = "failure_block"
    CIRCUIT_BREAKER = "circuit_breaker"
    CALLER_WAIT = "caller_wait"
    """Waiting for a caller that had given up, before the tool is started."""
    ATTEMPT = "attempt"
    """One start of the tool."""
    BACKOFF = "backoff"
    """Waiting between two attempts."""
    FALLBACK = "fallback"
    """Another tool answers in the tool's place."""
    FALLBACK_FUNCTION = "fallback_function"
    """A function declared with the tool answers in its place."""
    RESULT_CHECK = "result_check"
    POSTCONDITIONS = "postconditions"
    AUDIT = "audit"
    CACHE_STORE = "cache_store"
    METRICS = "metrics"
    LISTENERS = "listeners"
    CUSTOM = "custom"
    """A step of the program's own, see `Executor.add_step`; it stands where the program put it."""

    @property
    def in_tool(self) -> bool:
        return self is StepKind.ATTEMPT or self is StepKind.FALLBACK_FUNCTION

    @property
    def asks(self) -> bool:
        """Whether the step may wait for a person."""
        return self in _ASKS


QUEUES: Final = frozenset({StepKind.RATE_LIMIT, StepKind.BULKHEAD, StepKind.CALLER_WAIT, StepKind.BACKOFF})
"""Steps that wait for their turn or for the caller, not for a person."""
_ASKS: Final = frozenset({StepKind.EARLY_REVIEW, StepKind.SECURITY_CHECK, StepKind.RESULT_CHECK})


class StepOutcome(StrEnum):
    """How one step of a call ended."""

    OK = "ok"
    SKIPPED = "skipped"
    WAITED = "waited"
    FAILED = "failed"
    DENIED = "denied"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"


class StepNote(StrEnum):
    """What else is known of how a step ended."""

    ALLOWED = "allowed"
    APPROVED = "approved"
    REVISED = "revised"
    REDACTED = "redacted"
    WITHHELD = "withheld"
    EDITED = "edited"
    """The filter looked again because a reviewer edited the arguments."""
    GUIDED = "guided"
    BLOCKED = "blocked"
    CALLER_REFUSED = "caller_refused"
    ROLES_UNKNOWN = "roles_unknown"
    DOES_NOT_HOLD = "does_not_hold"
    HIT = "hit"
    MISS = "miss"
    BYPASSED = "bypassed"
    REFRESHED = "refreshed"
    NOT_KEPT = "not_kept"
    NO_PERMIT = "no_permit"
    FULL = "full"
    OPEN = "open"
    HALF_OPEN = "half_open"
    CLOSED = "closed"
    TRIAL_CALL = "trial_call"
    TOO_LATE = "too_late"
    """There was no time left for another attempt."""


class TraceStep(NamedTuple):
    """One timed step of a call's trace.

    Attributes:
        started_s: Seconds since the call was proposed.
        elapsed_s: How long it took, in seconds.
        note: What else is known of that; None for nothing.
        waiting_s: The part of `elapsed_s` spent waiting for a permit, a back-off or a person.
        number: Which attempt of a tool that is repeated, from 1; how many listeners; 0 where nothing is counted.
        error: The class of the exception that it ended with; empty for none.
        answered_by: The tool, function or step that answered in the tool's place; empty for other steps.
        name: The name of a program's own step; empty for other steps.
    """

    kind: StepKind
    started_s: float
    elapsed_s: float
    outcome: StepOutcome = StepOutcome.OK
    note: StepNote | None = None
    waiting_s: float = 0.0
    number: int = 0
    error: str = ""
    answered_by: str = ""
    name: str = ""


class Attempt(NamedTuple):
    """One start of a tool.

    Attributes:
        number: Which start it was, from 1.
        started_s: Seconds since the call was proposed.
        elapsed_s: How long the tool ran, in seconds; 0 while it runs.
        outcome: How it ended; None while it runs.
        error: What it raised, without traceback and without secrets; None when it returned.
    """

    number: int
    started_s: float
    elapsed_s: float = 0.0
    outcome: StepOutcome | None = None
    error: CallError | None = None


class CacheUse(StrEnum):
    """What the cache of known results did for a call."""

    NONE = "none"
    """The tool keeps no results, or the call ended before it was asked."""
    HIT = "hit"
    MISS = "miss"
    BYPASSED = "bypassed"


# Members that every call reads. Python 3.11 takes 0.1 µs to find each in its enumeration, 3.12 no time;
# for the same goal as `new_tuple`.
PENDING: Final = CallStatus.PENDING
EXECUTING: Final = CallStatus.EXECUTING
EXECUTED: Final = CallStatus.EXECUTED
CACHE_HIT: Final = CacheUse.HIT
OK: Final = StepOutcome.OK
VALIDATION: Final = StepKind.VALIDATION
ATTEMPT: Final = StepKind.ATTEMPT
METRICS: Final = StepKind.METRICS
LISTENERS: Final = StepKind.LISTENERS
