"""One execution of one call: what the steps share while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tools.calls import Step, StepFinished, StepOutcome, ToolCall

if TYPE_CHECKING:
    from tools.execution.chain import Chain
    from tools.execution.services import Services


class Pausable:
    """A deadline that stands still while a person is asked."""

    def __init__(self, timeout: asyncio.Timeout) -> None:
        self._timeout = timeout
        self._paused = 0
        self._left_s = 0.0

    def pause(self) -> None:
        """Stop the clock; pauses nest."""
        self._paused += 1
        when = self._timeout.when()
        if self._paused == 1 and when is not None:
            self._left_s = when - asyncio.get_running_loop().time()
            self._timeout.reschedule(None)

    def resume(self) -> None:
        """Let the clock go on where it stood."""
        self._paused -= 1
        if self._paused == 0:
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
    """

    __slots__ = ("arguments", "cache_key", "call", "chain", "deadline", "grants", "services", "stop_run", "waited_s")

    def __init__(self, call: ToolCall, chain: Chain, services: Services) -> None:
        self.call = call
        self.chain = chain
        self.services = services
        self.arguments: Mapping[str, Any] = call.arguments
        self.grants: frozenset[str] = frozenset()
        self.cache_key = ""
        self.deadline: Pausable | None = None
        self.stop_run = False
        self.waited_s = 0.0

    def record(
        self,
        name: str,
        began: float,
        outcome: StepOutcome = StepOutcome.OK,
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
        step = Step(name, began - call.started, perf_counter() - began, outcome, detail, waiting_s, in_tool)
        call.response.steps.append(step)
        for listener in self.services.listeners[StepFinished]:
            self.services.tell(listener, StepFinished(call, step))
