"""One execution of one call: what the steps share while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tools.calls import (
    Attempt,
    CallError,
    ErrorKind,
    LogEntry,
    Logged,
    Step,
    StepFinished,
    StepKind,
    StepNote,
    StepOutcome,
    ToolCall,
)
from tools.errors import ToolTimeoutError
from tools.tool import ToolResult

if TYPE_CHECKING:
    from tools.calls import ToolResponse
    from tools.context import ToolContext
    from tools.execution.breaker import Ticket
    from tools.execution.cache import Flight
    from tools.execution.chain import Chain
    from tools.execution.security import Look
    from tools.execution.services import Services


new_tuple: Final = tuple.__new__
"""Makes a named tuple in a third of the time its own constructor takes; for the few that every call makes."""


_OK: Final = StepOutcome.OK


class AttemptTimeoutError(Exception):
    """A limit passed; the message says which, and what became of the thread."""


class Pausable:
    """A deadline that stands still while a person is asked, and those around it with it.

    Args:
        timeout: The deadline.
        around: The one it runs within; None when it is the outermost.
    """

    def __init__(self, timeout: asyncio.Timeout, around: Pausable | None = None) -> None:
        self._timeout = timeout
        self._around = around
        self._over = False
        self._paused = 0
        self._left_s = 0.0

    @property
    def left_s(self) -> float:
        """Seconds until it passes."""
        when = self._timeout.when()
        return self._left_s if when is None else when - asyncio.get_running_loop().time()

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
    """Hold the state of one execution.

    Attributes:
        call: The call.
        chain: The compiled steps of its tool.
        services: What the executor lends to steps.
        arguments: What the tool receives: converted, with paths made absolute.
        grants: What a person allowed beyond the ordinary.
        flight: What this run owes the cache a result for; None when it owes nothing.
        deadline: The innermost time limit that runs; None without one.
        total: The time limit of all attempts together; None without one.
        has_place: Whether it has a place of the tool's bulkhead.
        admitted: Whether the guards await how it goes.
        ticket: What it owes the tool's circuit breaker an answer for; None when it owes none.
        cleared: Whether the security check is behind it.
        looked: What there was to say of its arguments when they were looked at last; None when they were not.
        addresses: What the hosts among its arguments lead to, where a rule about addresses compares them.
        error: What was raised last; None when nothing was.
        stop_run: Whether the reviewer said to stop everything.
        waited_s: Seconds of the current step spent waiting.
        review_began: When it began to wait for a person, as `perf_counter` said.
        in_attempt: Whether an attempt runs.
        attempt_number: Which attempt it is, if the tool is repeated; 0 for one that is started once.
        attempt_began: The clock's reading when it began.
        context: What the running attempt received to speak through; None when its tool wants none.
        open_questions: How many questions wait for an answer.
        asking: The tasks that ask on behalf of a tool's thread; they end with the call. None before the first.
    """

    grants: frozenset[str] = frozenset()
    flight: Flight[ToolResponse] | None = None
    deadline: Pausable | None = None
    total: Pausable | None = None
    has_place: bool = False
    admitted: bool = False
    ticket: Ticket | None = None
    cleared: bool = False
    looked: Look | None = None
    addresses: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    error: BaseException | None = None
    stop_run: bool = False
    waited_s: float = 0.0
    review_began: float = 0.0
    in_attempt: bool = False
    attempt_number: int = 0
    attempt_began: float = 0.0
    context: ToolContext | None = None
    open_questions: int = 0
    asking: set[asyncio.Task[Any]] | None = None

    def __init__(self, call: ToolCall, chain: Chain, services: Services) -> None:
        self.call = call
        self.chain = chain
        self.services = services
        self.arguments: Mapping[str, Any] = call.arguments

    def record(
        self,
        kind: StepKind,
        began: float,
        outcome: StepOutcome = _OK,
        note: StepNote | None = None,
        *,
        waiting_s: float = 0.0,
        number: int = 0,
        error: str = "",
        answered_by: str = "",
    ) -> None:
        """Add a step that ends now to the trace.

        Args:
            kind: The step.
            began: The clock's reading when it began.
            outcome: How it ended.
            note: What else is known of that.
            waiting_s: The part of it spent waiting.
            number: Which attempt it was, of a tool that is repeated.
            error: The class of the exception that it ended with.
            answered_by: The tool or function that answered in the tool's place.
        """
        call = self.call
        step = Step(
            kind,
            began - call.started,
            perf_counter() - began,
            outcome,
            note,
            waiting_s,
            number,
            error,
            answered_by,
        )
        call.response.steps.append(step)
        if tell := self.services.tell[StepFinished]:
            tell(new_tuple(StepFinished, (call, step)))

    @property
    def is_judged_otherwise(self) -> bool:
        """Whether the policy is another one than when the call began."""
        policy = self.services.policy
        return policy is not None and policy.version != self.chain.policy_version

    async def start(self) -> Any:
        """Start the tool once, and return what it returned."""
        return await self.chain.start(self)

    async def back_off(self, delay_s: float) -> bool:
        """Wait before the next attempt; return False at once when the limit in total would pass meanwhile."""
        began = perf_counter()
        left_s = None if self.total is None else self.total.left_s
        if left_s is not None and delay_s >= left_s:
            self.record(StepKind.BACKOFF, began, StepOutcome.SKIPPED, StepNote.TOO_LATE)
            return False
        self._tell_of_repetition(delay_s)
        await asyncio.sleep(delay_s)
        waited_s = perf_counter() - began
        self.record(StepKind.BACKOFF, began, StepOutcome.WAITED, waiting_s=waited_s)
        if self.chain.recheck is not None:
            await self.chain.recheck(self)
        return True

    def _tell_of_repetition(self, delay_s: float) -> None:
        """Write into the log why another attempt is made: the response tells only of the last one."""
        call = self.call
        attempt = call.response.attempts[-1]
        why = "came back with what asks for another one"
        if attempt.error is not None:
            error = attempt.error
            why = "ran out of time" if error.kind is ErrorKind.TIMEOUT else f"failed with {error.type_name}"
            why += f": {error.message}" if error.message else ""
        text = f"attempt {attempt.number} {why}; attempt {attempt.number + 1} begins in {delay_s:.3g} s"
        entry = LogEntry(perf_counter() - call.started, "warning", text)
        call.response.logs.append(entry)
        self.services.emit(Logged(call, entry))

    def begin_attempt(self, number: int = 0) -> None:
        """Start the clock of an attempt.

        Args:
            number: Which one it is, of a tool that is repeated; 0 for a tool that is started once.
        """
        attempts, now = self.call.response.attempts, perf_counter()
        attempts.append(Attempt(len(attempts) + 1, now - self.call.started))
        self.in_attempt = True
        self.attempt_number = number
        self.waited_s = 0.0
        self.attempt_began = now

    def end_attempt(self, result: Any) -> None:
        """Record that the tool returned, be it a failure."""
        failed = type(result) is ToolResult and not result.success
        self._record_attempt(StepOutcome.FAILED if failed else _OK)

    def fail_attempt(self, error: BaseException) -> None:
        """Record that the tool raised; nothing when no attempt is under way."""
        if not self.in_attempt:
            return
        kind, outcome, name = ErrorKind.TOOL, StepOutcome.FAILED, type(error).__name__
        if isinstance(error, asyncio.CancelledError):
            kind, outcome, name = ErrorKind.CANCELLED, StepOutcome.CANCELLED, ""
        elif isinstance(error, AttemptTimeoutError | ToolTimeoutError):
            kind, outcome, name = ErrorKind.TIMEOUT, StepOutcome.TIMED_OUT, ""
        said = "" if self.chain.tool.sensitive else self.call.scrubbed(str(error))
        self._record_attempt(outcome, CallError(kind, said, name))

    def _record_attempt(self, outcome: StepOutcome, error: CallError | None = None) -> None:
        attempts = self.call.response.attempts
        number, started_s, *_ = attempts[-1]
        attempts[-1] = Attempt(number, started_s, perf_counter() - self.attempt_began, outcome, error)
        self.in_attempt = False
        self.record(
            StepKind.ATTEMPT,
            self.attempt_began,
            outcome,
            waiting_s=self.waited_s,
            number=self.attempt_number,
            error="" if error is None else error.type_name,
        )

    def owe_nothing(self) -> None:
        """Tell the cache that no result will come for what missed it."""
        flight, self.flight = self.flight, None
        if flight is not None and self.chain.cache is not None:
            self.chain.cache.settle(flight, None)

    async def withdraw_questions(self) -> None:
        """Take back what the tool's thread asked and nobody answered: the call is over."""
        asking = self.asking
        if asking:
            for task in asking:
                task.cancel()
            await asyncio.wait(asking, timeout=1.0)
