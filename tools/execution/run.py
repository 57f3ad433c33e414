"""One execution of one call: what the steps share while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tools.calls import LogEntry, Logged, Step, StepFinished, StepOutcome, ToolCall
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
        attempt: The running attempt's name in the trace; empty between attempts.
        attempt_began: The clock's reading when it began.
        attempt_error: Which attempt raised last, and what; None when none did.
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
    attempt: str = ""
    attempt_began: float = 0.0
    attempt_error: tuple[int, BaseException] | None = None
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
        name: str,
        began: float,
        outcome: StepOutcome = _OK,
        detail: str = "",
        *,
        waiting_s: float = 0.0,
        in_tool: bool = False,
    ) -> None:
        """Add a step that ends now to the trace.

        Args:
            name: The step.
            began: The clock's reading when it began.
            outcome: How it ended.
            detail: A word or two.
            waiting_s: The part of it spent waiting.
            in_tool: Whether the time was the tool's own.
        """
        call = self.call
        facts = (name, began - call.started, perf_counter() - began, outcome, detail, waiting_s, in_tool)
        step = new_tuple(Step, facts)
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
            self.record("Backoff", began, StepOutcome.SKIPPED, f"{max(left_s, 0):.1f} s left")
            return False
        self._tell_of_repetition(delay_s)
        await asyncio.sleep(delay_s)
        waited_s = perf_counter() - began
        self.record("Backoff", began, StepOutcome.WAITED, f"{waited_s * 1000:.0f} ms", waiting_s=waited_s)
        if self.chain.recheck is not None:
            await self.chain.recheck(self)
        return True

    def _tell_of_repetition(self, delay_s: float) -> None:
        """Write into the log why another attempt is made: the response tells only of the last one."""
        call = self.call
        number = call.response.attempts
        why = "came back with what asks for another one"
        if self.attempt_error is not None and self.attempt_error[0] == number:
            error = self.attempt_error[1]
            is_late = isinstance(error, AttemptTimeoutError | ToolTimeoutError)
            why = "ran out of time" if is_late else f"failed with {type(error).__name__}"
            said = "" if self.chain.tool.sensitive else call.scrubbed(str(error))
            why += f": {said}" if said else ""
        text = f"attempt {number} {why}; attempt {number + 1} begins in {delay_s:.3g} s"
        entry = LogEntry(perf_counter() - call.started, "warning", text)
        call.response.logs.append(entry)
        self.services.emit(Logged(call, entry))

    def begin_attempt(self, name: str) -> None:
        """Say that the tool is started now."""
        self.call.response.attempts += 1
        self.attempt = name
        self.waited_s = 0.0
        self.attempt_began = perf_counter()

    def end_attempt(self, result: Any) -> None:
        """Record that the tool returned, be it a failure."""
        outcome = _OK
        if type(result) is ToolResult and not result.success:
            outcome = StepOutcome.FAILED
        name, self.attempt = self.attempt, ""
        began, call = self.attempt_began, self.call
        # Every call comes by here, so what `record` does is done in place.
        facts = (name, began - call.started, perf_counter() - began, outcome, "", self.waited_s, True)
        step = new_tuple(Step, facts)
        call.response.steps.append(step)
        if tell := self.services.tell[StepFinished]:
            tell(new_tuple(StepFinished, (call, step)))

    def fail_attempt(self, error: BaseException) -> None:
        """Record that the tool raised; nothing when no attempt is under way."""
        if not self.attempt:
            return
        if isinstance(error, asyncio.CancelledError):
            outcome, detail = StepOutcome.CANCELLED, ""
        elif isinstance(error, AttemptTimeoutError | ToolTimeoutError):
            outcome, detail = StepOutcome.TIMED_OUT, "timed out"
        else:
            outcome, detail = StepOutcome.FAILED, type(error).__name__
        self.attempt_error = self.call.response.attempts, error
        name, self.attempt = self.attempt, ""
        self.record(name, self.attempt_began, outcome, detail, waiting_s=self.waited_s, in_tool=True)

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
