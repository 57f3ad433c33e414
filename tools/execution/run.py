"""One execution of one call: what the steps share while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tools.calls import (
    Attempt,
    CallerAwaited,
    CallError,
    CallStatus,
    ErrorKind,
    Event,
    LogEntry,
    Logged,
    StepFinished,
    StepKind,
    StepNote,
    StepOutcome,
    ToolCall,
    TraceStep,
)
from tools.calls.outcome import ATTEMPT, OK, new_tuple
from tools.errors import DeniedError, ToolFailure, ToolTimeoutError
from tools.tool import ToolResult

if TYPE_CHECKING:
    from datetime import datetime

    from tools.context import ToolContext
    from tools.execution.services import Services
    from tools.network_hosts import Address
    from tools.tool import Tool


class AttemptTimeoutError(Exception):
    """A limit passed; the message says which, and what became of the thread."""


class Pausable:
    """A deadline that stands still while a person is asked, and those around it with it."""

    def __init__(self, timeout: asyncio.Timeout, around: Pausable | None = None) -> None:
        self._timeout = timeout
        self._around = around
        self._over = False
        self._paused = 0
        self._left_s = 0.0

    @property
    def left_s(self) -> float:
        when = self._timeout.when()
        return self._left_s if when is None else when - asyncio.get_running_loop().time()

    @property
    def expired(self) -> bool:
        return self._timeout.expired()

    def end(self) -> Pausable | None:
        """Stop for good; return the deadline around it."""
        self._over = True
        return self._around

    def pause(self) -> None:
        """Stop the clock, unless it ran out already; pauses nest."""
        if self._around is not None:
            self._around.pause()
        self._paused += 1
        when = self._timeout.when()
        if self._paused == 1 and when is not None and not self._timeout.expired():
            self._left_s = when - asyncio.get_running_loop().time()
            self._timeout.reschedule(None)

    def resume(self) -> None:
        """Let the clock go on where it stood; what is over stays so."""
        if self._around is not None:
            self._around.resume()
        self._paused -= 1
        if self._paused == 0 and not self._over and not self._timeout.expired():
            self._timeout.reschedule(asyncio.get_running_loop().time() + self._left_s)


class Run:
    """One execution of one call: what its steps share. It knows no policy.

    Attributes:
        tool: Its tool; within a fallback function, that function.
        services: What the executor lends to steps.
        arguments: What the tool receives: converted, with paths made absolute.
        start: Starts the tool once, within the time limit of one attempt.
        recheck: Does the security check anew when something changed since; whoever holds a call up awaits it before the
            tool starts. None where nothing can change.
        released: Awaited before the first attempt, once no step stands before it; None for nobody.
        answer_within_s: How long a person may take to allow it, in seconds; None is as its tool says.
        state: What a step keeps for the way back, or for another step of the same subject, under a key of its own.
        emit: Tells listeners what a run's tool says of itself while it runs; None tells them all of it.
        refusal_at: Returns why a run's tool may not connect to an address; None when it may go anywhere.
        grants: What a person allowed beyond the ordinary.
        deadline: The innermost time limit that runs; None without one.
        repeats: Whether the tool may be started several times, so that the trace numbers its attempts.
        error: What was raised last; None when nothing was.
        raises: What whoever made the call gets besides the response; None for nothing.
        stop_run: Whether the reviewer said to stop everything.
        waited_s: Seconds spent waiting for people, workers and permits so far.
        review_began: When it began to wait for a person, as `perf_counter` said.
        open_questions: How many questions wait for an answer.
        context: What the running attempt received to speak through; None when its tool wants none.
        asking: The tasks that ask on behalf of a tool's thread; they end with the call. None before the first.
    """

    recheck: Callable[[Run], Awaitable[None]] | None = None
    released: Callable[[Run], Awaitable[None]] | None = None
    answer_within_s: float | None = None
    emit: Callable[[Run, Event], None] | None = None
    refusal_at: Callable[[Run, str, Iterable[Address]], str] | None = None
    grants: frozenset[str] = frozenset()
    deadline: Pausable | None = None
    repeats: bool = False
    error: BaseException | None = None
    raises: BaseException | None = None
    stop_run: bool = False
    waited_s: float = 0.0
    review_began: float = 0.0
    open_questions: int = 0
    context: ToolContext | None = None
    asking: set[asyncio.Task[Any]] | None = None

    def __init__(self, call: ToolCall, tool: Tool, services: Services, start: CallNext) -> None:
        self.call = call
        self.tool = tool
        self.services = services
        self.start = start
        self.arguments: Mapping[str, Any] = call.arguments
        self.state: dict[object, Any] = {}

    def record(  # noqa: PLR0917 -- every call comes by here, and names cost time
        self,
        kind: StepKind,
        began: float,
        outcome: StepOutcome = StepOutcome.OK,
        note: StepNote | None = None,
        waiting_s: float = 0.0,
        number: int = 0,
        error: str = "",
        *,
        answered_by: str = "",
        name: str = "",
    ) -> None:
        """Add a step that ends now to the trace.

        Args:
            began: The clock's reading when it began.
            note: What else is known of that.
            waiting_s: The part of it spent waiting.
            number: Which attempt it was, of a tool that is repeated.
            error: The class of the exception that it ended with.
            answered_by: The tool or function that answered in the tool's place.
            name: The name of a program's own step.
        """
        call = self.call
        elapsed_s = perf_counter() - began
        started_s = began - call.started
        facts = (kind, started_s, elapsed_s, outcome, note, waiting_s, number, error, answered_by, name)
        step = new_tuple(TraceStep, facts)
        call.response.steps.append(step)
        if tell := self.services.tell[StepFinished]:
            tell(new_tuple(StepFinished, (call, step)))

    @contextmanager
    def step(
        self, kind: StepKind, notes: Iterable[tuple[type[Exception], StepNote]] = ()
    ) -> Iterator[Callable[..., None]]:
        """Time a step, and record how it ended when it raises; how it ended well, the function says that it receives.

        That function takes outcome and note, as `record` does; a step that never calls it leaves no trace.

        Args:
            notes: What some exceptions mean, so that their class says no more.
        """
        began, waited_s = perf_counter(), self.waited_s

        def end(outcome: StepOutcome = StepOutcome.OK, note: StepNote | None = None, error: str = "") -> None:
            self.record(kind, began, outcome, note, self.waited_s - waited_s, error=error)

        try:
            yield end
        except BaseException as error:
            denied, note = isinstance(error, DeniedError), next((n for e, n in notes if isinstance(error, e)), None)
            outcome = StepOutcome.DENIED if denied else StepOutcome.FAILED
            end(outcome, note, "" if denied or note else type(error).__name__)
            raise

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let time pass that is not the tool's: its limits stand still, and the time counts as waited."""
        began, deadline = perf_counter(), self.deadline
        if deadline is not None:
            deadline.pause()
        try:
            yield
        finally:
            if deadline is not None:
                deadline.resume()
            self.waited_s += perf_counter() - began

    @contextmanager
    def awaiting_caller(self, until: datetime) -> Iterator[None]:
        """Say that the call may run and waits for its caller, who has given up waiting; the time is not the tool's.

        Args:
            until: When it is given up without having run.
        """
        call, services = self.call, self.services
        began, waited_s = perf_counter(), self.waited_s
        call.response.status, call.caller_until_s = CallStatus.WAITING_FOR_CALLER, until.timestamp()
        services.emit(CallerAwaited(call, until))
        outcome = StepOutcome.TIMED_OUT
        try:
            with self.waiting():
                yield
            outcome = StepOutcome.WAITED
        except asyncio.CancelledError:
            outcome = StepOutcome.CANCELLED
            raise
        finally:
            call.caller_until_s = 0.0
            call.response.status = CallStatus.EXECUTING
            self.record(StepKind.CALLER_WAIT, began, outcome, None, self.waited_s - waited_s)
        services.emit(CallerAwaited(call, None))

    async def attempt(self) -> Any:
        """Start the tool once, and return what it returned."""
        call, began, waited_s = self.call, perf_counter(), self.waited_s
        attempts = call.response.attempts
        number = len(attempts) + 1
        started_s = began - call.started
        attempts.append(new_tuple(Attempt, (number, started_s, 0.0, None, None)))
        error = None
        try:
            result = await self.start(self)
            failed = type(result) is ToolResult and not result.success
            outcome = StepOutcome.FAILED if failed else OK
        except BaseException as raised:
            outcome, error = self._described(raised)
            raise
        finally:
            attempts[number - 1] = new_tuple(Attempt, (number, started_s, perf_counter() - began, outcome, error))
            name = "" if error is None else error.type_name
            self.record(ATTEMPT, began, outcome, None, self.waited_s - waited_s, number * self.repeats, name)
        return result

    def _described(self, raised: BaseException) -> tuple[StepOutcome, CallError]:
        error = blamed(self.call, raised)
        kind, outcome, name = ErrorKind.TOOL, StepOutcome.FAILED, type(error).__name__
        if isinstance(error, asyncio.CancelledError) and self.deadline is not None and self.deadline.expired:
            error = AttemptTimeoutError("the time limit of all attempts together passed")
        if isinstance(error, asyncio.CancelledError):
            kind, outcome, name = ErrorKind.CANCELLED, StepOutcome.CANCELLED, ""
        elif isinstance(error, AttemptTimeoutError | ToolTimeoutError):
            kind, outcome, name = ErrorKind.TIMEOUT, StepOutcome.TIMED_OUT, ""
        return outcome, CallError(kind, "" if self.tool.sensitive else self.call.scrubbed(str(error)), name)

    def warn(self, text: str) -> None:
        entry = LogEntry(perf_counter() - self.call.started, "warning", text)
        self.call.response.logs.append(entry)
        self.services.emit(Logged(self.call, entry))

    async def withdraw_questions(self) -> None:
        """Take back what the tool's thread asked and nobody answered: the call is over."""
        if self.asking:
            for task in self.asking:
                task.cancel()
            await asyncio.wait(self.asking, timeout=1.0)


def blamed(call: ToolCall, error: BaseException) -> BaseException:
    """Return what was raised; in the place of a cancellation that nobody asked for, what says so."""
    task = asyncio.current_task()
    asked_for = call.cancel_requested or (task is not None and task.cancelling())
    if isinstance(error, asyncio.CancelledError) and not asked_for:
        return ToolFailure("the tool ended itself with CancelledError, though nobody asked it to stop")
    return error


CallNext = Callable[[Run], Awaitable[Any]]
"""Does all that comes after a step, the tool's start among it."""


Judge = Callable[[Run], Awaitable[None]]
"""Looks at a call, and raises what refuses it."""


StepFunction = Callable[[Run, CallNext], Awaitable[Any]]
"""One step: it does its part, awaits `call_next(run)`, does the rest on the way back, and returns what that returned.

A step that awaits nothing refuses the call by an exception, or answers it in `run.call.response`.
"""


def fold(steps: Iterable[StepFunction], innermost: CallNext) -> CallNext:
    """Return steps, the outermost first, around what they surround."""
    folded = innermost
    for step in reversed(tuple(steps)):
        folded = _around(step, folded)
    return folded


def _around(step: StepFunction, call_next: CallNext) -> CallNext:
    def call(run: Run) -> Awaitable[Any]:
        return step(run, call_next)

    return call
