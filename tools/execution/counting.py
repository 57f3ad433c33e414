"""Count an ended call that is more than a quick success: what of its time was the tool's own, and how it failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tools.calls import CallStatus, ErrorKind, Step, ToolCall
from tools.metrics import ToolMetrics, Waits

NOTABLE_S: Final = 0.001
"""A call that was quicker than this waited for nothing worth telling apart."""
_QUEUES: Final = frozenset({"Rate limit", "Bulkhead", "Backoff"})


def count_call(metrics: ToolMetrics, call: ToolCall, elapsed_s: float) -> None:
    """Add an ended call to the numbers.

    A tool in whose place another one answered has failed, however well the call ended.

    Args:
        metrics: The numbers.
        call: The call; its trace is whole.
        elapsed_s: Seconds from the proposal to the end.
    """
    response, error = call.response, call.response.error
    waits = _waits(response.steps, response.attempts)
    failure, message = None if error is None else error.kind, "" if error is None else error.message
    if response.fallback and response.status is CallStatus.EXECUTED:
        failure, message = ErrorKind.TOOL, f"{response.fallback!r} answered in its place"
    metrics.record(
        call.name,
        response.status,
        max(0.0, elapsed_s - waits.review_s - waits.queued_s),
        from_cache=response.from_cache,
        caller=call.caller,
        raised=error is not None and bool(error.traceback),
        ran=response.attempts > 0,
        failure=failure,
        message=message,
        waits=waits if any(waits) else None,
    )


def _waits(steps: Iterable[Step], attempts: int) -> Waits:
    waiting = [step for step in steps if step.waiting_s]
    queued_s = sum(step.waiting_s for step in waiting if step.name in _QUEUES)
    return Waits(max(0, attempts - 1), sum(step.waiting_s for step in waiting) - queued_s, queued_s)
