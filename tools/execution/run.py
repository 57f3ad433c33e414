"""One execution of one call: what the steps share while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import Step, StepFinished, StepOutcome, ToolCall
from tools.tool import ToolResult

if TYPE_CHECKING:
    from tools.context import ToolContext
    from tools.execution.chain import Chain
    from tools.execution.services import Services


new_tuple: Final = tuple.__new__
"""Makes a named tuple in a third of the time its own constructor takes; for the few that every call makes."""


_OK: Final = StepOutcome.OK


class AttemptTimeoutError(Exception):
    """A limit passed; the message says which, and what became of the thread."""


class Pausable:
    """A deadline that stands still while a person is asked."""

    def __init__(self, timeout: asyncio.Timeout) -> None:
        self._timeout = timeout
        self._paused = 0
        self._left_s = 0.0

    def pause(self) -> None:
        """Stop the clock, unless it ran out already; pauses nest."""
        self._paused += 1
        when = self._timeout.when()
        if self._paused == 1 and when is not None and not self._timeout.expired():
            self._left_s = when - asyncio.get_running_loop().time()
            self._timeout.reschedule(None)

    def resume(self) -> None:
        """Let the clock go on where it stood."""
        self._paused -= 1
        if self._paused == 0 and not self._timeout.expired():
            self._timeout.reschedule(asyncio.get_running_loop().time() + self._left_s)


class Run:
    """Hold the state of one execution.

    Attributes:
        call: The call.
        chain: The compiled steps of its tool.
        services: What the executor lends to steps.
        arguments: What the tool receives: converted, with paths made absolute.
        grants: What a person allowed beyond the ordinary.
        cache_key: The key of the miss this run owes a result for; empty when there is none.
        deadline: The running attempt's time limit; None without one.
        stop_run: Whether the reviewer said to stop everything.
        waited_s: Seconds of the current step spent waiting.
        attempt: The running attempt's name in the trace; empty between attempts.
        attempt_began: The clock's reading when it began.
        context: What the running attempt received to speak through; None when its tool wants none.
        open_questions: How many questions wait for an answer.
        asking: The tasks that ask on behalf of a tool's thread; they end with the call. None before the first.
    """

    grants: frozenset[str] = frozenset()
    cache_key: str = ""
    deadline: Pausable | None = None
    stop_run: bool = False
    waited_s: float = 0.0
    attempt: str = ""
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
        self._add((name, began - self.call.started, perf_counter() - began, outcome, detail, waiting_s, in_tool))

    def _add(self, facts: tuple[str, float, float, StepOutcome, str, float, bool]) -> None:
        call = self.call
        step = new_tuple(Step, facts)
        call.response.steps.append(step)
        if tell := self.services.tell[StepFinished]:
            tell(new_tuple(StepFinished, (call, step)))

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
        began = self.attempt_began
        self._add((name, began - self.call.started, perf_counter() - began, outcome, "", self.waited_s, True))

    def fail_attempt(self, error: BaseException) -> None:
        """Record that the tool raised; nothing when no attempt is under way."""
        if not self.attempt:
            return
        if isinstance(error, asyncio.CancelledError):
            outcome, detail = StepOutcome.CANCELLED, ""
        elif isinstance(error, AttemptTimeoutError):
            outcome, detail = StepOutcome.TIMED_OUT, "timed out"
        else:
            outcome, detail = StepOutcome.FAILED, type(error).__name__
        name, self.attempt = self.attempt, ""
        self.record(name, self.attempt_began, outcome, detail, waiting_s=self.waited_s, in_tool=True)

    async def withdraw_questions(self) -> None:
        """Take back what the tool's thread asked and nobody answered: the call is over."""
        asking = self.asking
        if asking:
            for task in asking:
                task.cancel()
            await asyncio.wait(asking, timeout=1.0)
