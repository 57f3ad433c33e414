"""What happens to one call: the call, its response, the question a person may be asked, and the events of its life.

Everything here is a value or a record. A `ToolCall` is paired with its `ToolResponse` from the start: pending until the
`Executor` runs it, and final afterwards. Only the `Executor` changes a response.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from time import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic_core import from_json

from tools.schema import json_text
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.errors import ArgumentProblem
    from tools.spec import Concern
    from tools.tool import Tool


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
        return not (self is CallStatus.PENDING or self is CallStatus.EXECUTING or self is CallStatus.WAITING_FOR_REVIEW)


class ErrorKind(StrEnum):
    """What kind of thing went wrong."""

    ARGUMENTS = "arguments"
    NOT_FOUND = "not_found"
    DISABLED = "disabled"
    DENIED = "denied"
    CALLER = "caller"
    CONTRACT = "contract"
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    TOOL = "tool"
    CONFIGURATION = "configuration"
    ABORTED = "aborted"


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
        waiting_s: The part of `elapsed_s` spent waiting for a permit, a back-off or a person.
        in_tool: Whether the time was the tool's own.
    """

    name: str
    started_s: float
    elapsed_s: float
    outcome: StepOutcome = StepOutcome.OK
    detail: str = ""
    waiting_s: float = 0.0
    in_tool: bool = False


class ReviewTiming(StrEnum):
    """When in a call's life the question is asked."""

    BEFORE_EXECUTION = "before_execution"
    DURING_EXECUTION = "during_execution"
    AFTER_EXECUTION = "after_execution"


class OnTimeout(StrEnum):
    """What silence means."""

    CONTINUE = "continue"
    EXIT_EARLY = "exit_early"
    FAIL = "fail"


REVIEW_TIMEOUT_S: Final = 300.0
"""How long a question stays open unless it says otherwise. Source: seed 3, `requestApproval()`."""


class ReviewRequest(NamedTuple):
    """One question to a person.

    Attributes:
        id: Unique within the program.
        call: The call it is about.
        description: What will happen, in one sentence, or the tool's own question.
        arguments: The arguments as JSON, secrets masked; what an edit replaces. None when there is nothing to edit.
        timing: When in the call's life it is asked.
        concerns: Why it is asked.
        timeout_s: Seconds until silence counts; 0 waits for ever.
        on_timeout: What silence means.
        prompt: A hint for the answer; empty shows none.
        required_role: The role that may answer; empty admits everybody.
        asked_at: When it was asked.
    """

    id: str
    call: ToolCall
    description: str
    arguments: Mapping[str, JsonValue] | None
    timing: ReviewTiming
    concerns: tuple[Concern, ...]
    timeout_s: float
    on_timeout: OnTimeout
    prompt: str
    required_role: str
    asked_at: datetime

    @property
    def expires_at(self) -> datetime | None:
        """When silence counts; None when it never does."""
        return self.asked_at + timedelta(seconds=self.timeout_s) if self.timeout_s else None


class Continue(NamedTuple):
    """Let the call go on as asked.

    Attributes:
        feedback: Words for the caller; empty for none.
    """

    feedback: str = ""


class Edit(NamedTuple):
    """Let the call go on with other arguments, or answer the tool's question with a text.

    Attributes:
        revised: The new arguments, or the answer's text.
        feedback: Words for the caller; empty for none.
    """

    revised: Mapping[str, Any] | str
    feedback: str = ""


class ExitEarly(NamedTuple):
    """Refuse.

    Attributes:
        reason: The person's words; empty for none.
        timed_out: Whether silence decided.
        stop_run: Whether everything this call belongs to stops as well.
    """

    reason: str = ""
    timed_out: bool = False
    stop_run: bool = False


ReviewDecision = Continue | Edit | ExitEarly


class ToolResponse:
    """What came of a call; pending until the `Executor` ran it.

    Attributes:
        status: Where the call is, or how it ended.
        result: The tool's return value, typed; `MISSING` when there is none.
        json_result: The same as JSON; `MISSING` when there is none.
        written: The text, if it was written already: it takes time and memory, and few results are read by a model.
        error: Why it did not succeed; None on success.
        logs: The lines the tool wrote.
        attachments: What came with the result.
        elapsed_s: Seconds from the proposal to the end, waiting included.
        feedback: The reviewer's words; empty for none.
        modified_arguments: The arguments that really ran, as JSON, when a reviewer changed them; else None.
        turns_to_keep: How many turns to keep the result; None inherits.
        steps: The trace.
        from_cache: Whether nothing ran because the result was known.
        attempts: How often the tool was started.
    """

    # The defaults stand on the class: most calls change few of them, and a call costs microseconds in all.
    status: CallStatus = CallStatus.PENDING
    result: Any = MISSING
    json_result: Any = MISSING
    written: str | None = None
    error: CallError | None = None
    elapsed_s: float = 0.0
    feedback: str = ""
    modified_arguments: dict[str, JsonValue] | None = None
    turns_to_keep: int | None = None
    from_cache: bool = False
    attempts: int = 0

    def __init__(self) -> None:
        self.logs: list[LogEntry] = []
        self.attachments: list[Attachment] = []
        self.steps: list[Step] = []

    @property
    def text(self) -> str:
        """What a model reads: the result as text, or `Error: ...`; written when somebody asks for it."""
        if self.written is None and self.json_result is not MISSING and self.status.final:
            self.written = json_text(self.json_result)
        return self.written or ""

    @text.setter
    def text(self, text: str) -> None:
        self.written = text

    @property
    def succeeded(self) -> bool:
        """Whether the tool ran, or its cached result was used, without failing."""
        return self.status is CallStatus.EXECUTED

    def __repr__(self) -> str:
        """Return status and text, shortened."""
        return f"<ToolResponse {self.status.value} {(self.written or '')[:60]!r}>"


class ToolCall:
    """One request to run a tool. Made by `Executor.create_call`, which has already checked it.

    Attributes:
        id: Unique within the executor, in order of creation.
        tool: The tool; None when no tool has that name.
        name: The name asked for.
        given: The arguments as they came.
        arguments: The converted arguments by Python name; empty when they did not fit.
        caller: Who asks: `you`, `agent:name`, `batch: name`.
        started: The clock's reading at that moment, for offsets.
        response: What came of it.
        bypass_cache: Whether a cached result is passed over.
        task: The task that runs it; None when it does not run. The executor sets it, so that `cancel` finds it.
        cancel_requested: Whether somebody asked to stop it.
        aborted: Whether it was the program that asked, because it ends.
    """

    arguments: dict[str, Any]
    bypass_cache: bool = False
    task: asyncio.Task[Any] | None = None
    cancel_requested: bool = False
    aborted: bool = False

    def __init__(  # noqa: PLR0917 -- made in one place, where keywords would cost more than the object
        self,
        id_: str,
        tool: Tool | None,
        name: str,
        given: Mapping[str, Any] | str | bytes,
        caller: str,
        started: float,
    ) -> None:
        self.id = id_
        self.tool = tool
        self.name = name
        self.given = given
        self.arguments = {}
        self.caller = caller
        self.started = started
        self.response = ToolResponse()
        self._proposed = time()

    @property
    def proposed_at(self) -> datetime:
        """When it was made."""
        return datetime.fromtimestamp(self._proposed, UTC)

    def cancel(self) -> bool:
        """Ask to stop the call; from the event loop that runs it.

        Returns:
            Whether there was anything left to stop.
        """
        if self.response.status.final or self.cancel_requested:
            return False
        # A call that has not begun ends as soon as somebody executes it.
        self.cancel_requested = True
        if self.task is not None:
            self.task.cancel()
        return True

    def display_arguments(self) -> dict[str, JsonValue]:
        """Return the arguments as JSON for people: converted when they fit, as given when not, masked fields hidden."""
        if self.tool is None:
            return self._as_given(())
        masked = self.tool.masked
        if not self.arguments and self.response.status is CallStatus.REJECTED:
            return self._as_given(masked)
        try:
            shown = self.tool.arguments.dump(self.arguments)
        except TypeError:
            # A program may pass objects that have no JSON form; people see what Python says of them.
            shown = {name: repr(value) for name, value in self.arguments.items()}
        return mask(shown, masked) if masked else shown

    def unmasked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return edited arguments with each secret put back that the person saw, and left, as bullets."""
        if self.tool is None:
            return dict(values)
        hidden = [name for name in self.tool.masked if values.get(name) == MASK]
        if not hidden:
            return dict(values)
        real = self.tool.arguments.dump(self.arguments)
        return {**values, **{name: real[name] for name in hidden if name in real}}

    def _as_given(self, masked: tuple[str, ...]) -> dict[str, JsonValue]:
        given = self.given
        if isinstance(given, Mapping):
            return mask(given, masked)
        if not masked:
            return {"input": given.decode(errors="replace") if isinstance(given, bytes) else given}
        try:
            values = from_json(given)
        except ValueError:
            values = None
        # Where in a text that is no object a secret stands, nobody can tell.
        return mask(values, masked) if isinstance(values, dict) else {"input": MASK}

    def __repr__(self) -> str:
        """Return id, name and status."""
        return f"<ToolCall {self.id} {self.name} {self.response.status.value}>"


MASK: Final = "••••••"


def mask(values: Mapping[str, JsonValue], fields: tuple[str, ...]) -> dict[str, JsonValue]:
    """Return a copy in which the named arguments are hidden."""
    return {name: MASK if name in fields else value for name, value in values.items()}


class CallProposed(NamedTuple):
    """A call was made and checked, its first step is in its trace; it may already have been rejected."""

    call: ToolCall


class CallStarted(NamedTuple):
    """A call began to run through its steps."""

    call: ToolCall


class StepFinished(NamedTuple):
    """One step of a started call ended."""

    call: ToolCall
    step: Step


class ReviewAsked(NamedTuple):
    """A person was asked."""

    call: ToolCall
    request: ReviewRequest


class ReviewDecided(NamedTuple):
    """The question was answered, or silence decided."""

    call: ToolCall
    request: ReviewRequest
    decision: ReviewDecision


class Logged(NamedTuple):
    """The tool wrote a line."""

    call: ToolCall
    entry: LogEntry


class Progressed(NamedTuple):
    """The tool said how far it is."""

    call: ToolCall
    progress: Progress


class CallFinished(NamedTuple):
    """The call ended, one way or another; its response is final."""

    call: ToolCall


Event = CallProposed | CallStarted | StepFinished | ReviewAsked | ReviewDecided | Logged | Progressed | CallFinished
"""Everything that leaves the `Executor`. Metrics, history, the Activity list and batches are all fed from it."""
