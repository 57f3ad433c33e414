"""What an ended call adds to the numbers of its tool: whether it ran, how long the tool took, and how it failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tools.calls import CacheUse, CallRecord, CallStatus, ErrorKind, ToolCall, ToolResponse, TraceStep
from tools.calls.outcome import new_tuple
from tools.metrics.stats import WaitTimes

_NOTABLE_S: Final = 0.001
"""A call that was quicker than this waited for nothing worth telling apart."""
_HIT: Final = CacheUse.HIT
_RAN: Final = frozenset({CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.TIMED_OUT})


class EndedCall(NamedTuple):
    """One ended call, as it is counted.

    Attributes:
        tool: The tool's name.
        status: How the call ended.
        elapsed_s: Seconds from the proposal to the end without waiting for people, permits and further attempts.
        from_cache: Whether nothing ran because the result was known.
        caller: Who asked.
        ran: Whether the tool was started, and not withdrawn.
        failure: How the tool failed; None when it did not, or when the status is all that is known. A call may succeed
            although its tool failed, because another one answered.
        message: What the failure said, without secrets; empty without one.
        raised: Whether the call failed because the tool raised what it did not mean to.
        waits: What the call took beside; None for nothing.
        arguments: What tells calls with other arguments apart; only a hash of it is kept, of failures.
    """

    tool: str
    status: CallStatus
    elapsed_s: float
    from_cache: bool = False
    caller: str = ""
    ran: bool = True
    failure: ErrorKind | None = None
    message: str = ""
    raised: bool = False
    waits: WaitTimes | None = None
    arguments: object = None


def ended_of(call: ToolCall | CallRecord, elapsed_s: float) -> EndedCall:
    """Return how an ended call is counted.

    A tool in whose place another one answered has failed, however well the call ended; unless it was never started.

    Args:
        call: The call, or its record; the steps that waited are in its trace.
        elapsed_s: Seconds from the proposal to the end.
    """
    outcome: ToolResponse | CallRecord
    tool, outcome = (call.name, call.response) if isinstance(call, ToolCall) else (call.tool.name, call)
    error, status, from_cache = outcome.error, outcome.status, outcome.cache_use is _HIT
    ran = bool(outcome.attempts) and not from_cache and status in _RAN
    if elapsed_s < _NOTABLE_S and error is None and not outcome.fallback:
        # For the chain with one listener, which stays ahead of every peer (`bench_call`).
        return new_tuple(
            EndedCall, (tool, status, elapsed_s, from_cache, call.caller, ran, None, "", False, None, None)
        )
    waits = _waits(outcome.steps, len(outcome.attempts))
    failure, message = None, ""
    if ran and error is not None:
        failure, message = error.kind, error.message
    elif ran and outcome.fallback:
        failure, message = ErrorKind.TOOL, f"{outcome.fallback!r} answered in its place"
    return EndedCall(
        tool,
        status,
        elapsed_s if waits is None else max(0.0, elapsed_s - waits.review_s - waits.queued_s),
        from_cache,
        call.caller,
        ran,
        failure,
        message,
        raised=error is not None and bool(error.traceback),
        waits=waits,
        arguments=call.arguments if failure is not None else None,
    )


def _waits(steps: Iterable[TraceStep], attempts: int) -> WaitTimes | None:
    waiting = [step for step in steps if step.waiting_s]
    if not waiting and attempts <= 1:
        return None
    queued_s = sum(step.waiting_s for step in waiting if step.kind.queues)
    return WaitTimes(max(0, attempts - 1), sum(step.waiting_s for step in waiting) - queued_s, queued_s)
