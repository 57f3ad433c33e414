"""The last calls of a tool: what is kept of each to compare others with, and the strip that shows them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple

from console.call_events import CallEnded, WindowEvent
from console.call_result.rows import duration_text
from console.language import tr
from tools.calls import CallRecord, CallStatus, StepKind, StepOutcome, TraceStep

RECENT_CALLS: Final = 50
"""How many calls of a tool the strip shows."""

ENOUGH_CALLS: Final = 3
"""From how many calls on one can speak of the usual."""

BAD_OUTCOMES: Final = frozenset({StepOutcome.FAILED, StepOutcome.DENIED, StepOutcome.TIMED_OUT, StepOutcome.CANCELLED})
"""How a step ended that did not do its work."""

_TALL: Final = 4.0


class RecentCall(NamedTuple):
    """What is kept of an ended call, to compare later ones with.

    Attributes:
        elapsed_s: Seconds it took without waiting for a person.
        attempts: How often the tool was started.
        from_cache: Whether nothing ran.
        steps_s: Length of each step in seconds.
    """

    call_id: str
    elapsed_s: float
    status: CallStatus
    attempts: int
    from_cache: bool
    steps_s: Mapping[StepKind, float]


class StripBar(NamedTuple):
    """One call of the strip.

    Attributes:
        share: Its height, from 0 to 1.
        failed: Whether it did not succeed, or needed a retry.
        tip: The call in words.
    """

    share: float
    failed: bool
    this: bool
    tip: str


class Strip(NamedTuple):
    """The last calls of a tool, oldest first.

    Attributes:
        title: Such as `Last 50 calls`.
        note: Such as `4 with a retry · this one last`.
        median_share: The height of the median line; None without enough calls.
        median_text: Such as `P50 742 ms`.
    """

    title: str
    note: str
    bars: tuple[StripBar, ...]
    median_share: float | None
    median_text: str


class RecentCalls:
    """Keep what is needed of the last calls of each tool, from the one stream of events.

    Args:
        limit: How many calls of a tool are kept.
    """

    def __init__(self, limit: int = RECENT_CALLS) -> None:
        self._calls_by_tool: defaultdict[str, deque[RecentCall]] = defaultdict(lambda: deque(maxlen=limit))

    def record(self, events: Iterable[WindowEvent]) -> None:
        """Take note of the calls that ended among some events; to look at a tool is no use of it."""
        for event in events:
            if isinstance(event, CallEnded) and event.record.tool.known and not event.record.is_probe:
                self._calls_by_tool[event.record.tool.name].append(recent_call(event.record))

    def put_before(self, tool: str, calls: Iterable[RecentCall]) -> None:
        """Take calls of earlier runs, oldest first, as what came before those of this run."""
        own = self._calls_by_tool[tool]
        everything = [*calls, *own]
        own.clear()
        own.extend(everything)

    def of(self, tool: str) -> tuple[RecentCall, ...]:
        """Return the last calls of a tool, oldest first."""
        return tuple(self._calls_by_tool.get(tool, ()))


def recent_call(record: CallRecord) -> RecentCall:
    """Return what is kept of an ended call."""
    return RecentCall(
        record.id,
        record.own_s,
        record.status,
        len(record.attempts),
        record.from_cache,
        lengths_of(record.steps),
    )


def lengths_of(steps: Iterable[TraceStep]) -> dict[StepKind, float]:
    """Return the length of each step that did its work, in seconds; attempts are alike, the last one counts."""
    return {step.kind: step.elapsed_s for step in steps if step.outcome not in BAD_OUTCOMES}


_ENDED: Final = {
    CallStatus.EXECUTED: tr("executed"),
    CallStatus.FAILED: tr("failed"),
    CallStatus.DENIED: tr("denied"),
    CallStatus.CANCELLED: tr("cancelled"),
    CallStatus.TIMED_OUT: tr("timed out"),
    CallStatus.NOT_FOUND: tr("not found", "tool"),
    CallStatus.REJECTED: tr("rejected"),
    CallStatus.ABORTED: tr("aborted"),
}


def strip_of(recent: Sequence[RecentCall], call_id: str) -> Strip | None:
    """Draw up the strip of the last calls; None when there is nothing to compare.

    A bar is as high as its call was long; calls longer than four medians are cut there, so that one slow call does not
    flatten all others.

    Args:
        recent: The last calls, oldest first.
    """
    if len(recent) < 2:
        return None
    ran = [call.elapsed_s for call in recent if call.status is CallStatus.EXECUTED and not call.from_cache]
    median_s = median(ran) if len(ran) >= ENOUGH_CALLS else None
    longest_s = max(call.elapsed_s for call in recent)
    top_s = min(longest_s, median_s * _TALL) if median_s else longest_s
    bars = tuple(
        StripBar(
            share=min(1.0, call.elapsed_s / top_s) if top_s > 0 else 0.0,
            failed=_went_wrong(call),
            this=call.call_id == call_id,
            tip=f"{duration_text(call.elapsed_s)}, {_ENDED[call.status]}",
        )
        for call in recent
    )
    return Strip(
        title=tr("Last {count} calls", count=len(recent)),
        note=_strip_note(recent, call_id),
        bars=bars,
        median_share=min(1.0, median_s / top_s) if median_s and top_s > 0 else None,
        median_text=f"P50 {duration_text(median_s)}" if median_s else "",
    )


def _went_wrong(call: RecentCall) -> bool:
    return call.attempts > 1 or call.status in {CallStatus.FAILED, CallStatus.TIMED_OUT, CallStatus.ABORTED}


def _strip_note(recent: Sequence[RecentCall], call_id: str) -> str:
    retried = sum(call.attempts > 1 for call in recent)
    failed = sum(call.status in {CallStatus.FAILED, CallStatus.TIMED_OUT, CallStatus.ABORTED} for call in recent)
    notes = []
    if failed:
        notes.append(tr("{count} failed", count=failed))
    if retried:
        notes.append(tr("{count} with a retry", count=retried))
    if len(recent) > 1 and recent[-1].call_id == call_id:
        notes.append(tr("this one last"))
    return " · ".join(notes)
