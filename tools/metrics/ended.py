"""What an ended call says of its tool: whether it ran, how long the tool itself took, and how it failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tools.calls import CallRecord, CallStatus, ErrorKind, Step, ToolResponse
from tools.metrics.window import Waits

NOTABLE_S: Final = 0.001
"""A call that was quicker than this waited for nothing worth telling apart."""
_NO_WAITS: Final = Waits(0, 0.0, 0.0)
_RAN: Final = frozenset({CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.TIMED_OUT})


class Ended(NamedTuple):
    """What an ended call says of its tool.

    Attributes:
        ran: Whether the tool was started, and not withdrawn.
        elapsed_s: Seconds from the proposal to the end without waiting for people, permits and further attempts.
        failure: How the tool failed; None when it did not, or did not run.
        message: What the failure said, without secrets; empty without one.
        waits: What the call took beside.
    """

    ran: bool
    elapsed_s: float
    failure: ErrorKind | None
    message: str
    waits: Waits


def ended_of(outcome: ToolResponse | CallRecord, elapsed_s: float) -> Ended:
    """Return what an ended call says of its tool.

    A tool in whose place another one answered has failed, however well the call ended; unless it was never started.

    Args:
        outcome: What came of the call; the steps that waited are in its trace.
        elapsed_s: Seconds from the proposal to the end.
    """
    error = outcome.error
    waits = _waits(outcome.steps, len(outcome.attempts))
    own_s = max(0.0, elapsed_s - waits.review_s - waits.queued_s)
    ran = bool(outcome.attempts) and not outcome.from_cache and outcome.status in _RAN
    if not ran:
        return Ended(ran, own_s, None, "", waits)
    if error is not None:
        return Ended(ran, own_s, error.kind, error.message, waits)
    if outcome.fallback:
        return Ended(ran, own_s, ErrorKind.TOOL, f"{outcome.fallback!r} answered in its place", waits)
    return Ended(ran, own_s, None, "", waits)


def _waits(steps: Iterable[Step], attempts: int) -> Waits:
    waiting = [step for step in steps if step.waiting_s]
    if not waiting and attempts <= 1:
        return _NO_WAITS
    queued_s = sum(step.waiting_s for step in waiting if step.kind.queues)
    return Waits(max(0, attempts - 1), sum(step.waiting_s for step in waiting) - queued_s, queued_s)
