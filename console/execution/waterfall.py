"""Where the time of a call went, as plain values: rows of the waterfall, its axis, its totals, the calls before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from statistics import median
from typing import Final, NamedTuple

from console.charts.ticks import Tick, duration_ticks
from console.execution.recent import (
    BAD_OUTCOMES,
    ENOUGH_CALLS,
    RECENT_CALLS,
    RecentCall,
    Strip,
    recent_call,
    strip_of,
)
from console.execution.rows import duration_text
from console.execution.step_details import StepDetails, details_of, glyph_of
from console.widgets.formats import format_count
from tools.calls import CallRecord, CallStatus, StepKind, TraceStep
from tools.spec import Policies
from tools.trace_words import step_detail, step_title

_MOST_TICKS: Final = 6
_NO_POLICIES: Final = Policies()


class BarKind(Enum):
    """What the time of a bar was spent on."""

    IN_TOOL = "in the tool"
    WAITING = "waiting"
    OVERHEAD = "console overhead"
    FAILED = "failed attempt"


class Segment(NamedTuple):
    """A part of a row's bar.

    Attributes:
        started_s: Seconds since the call was proposed.
        elapsed_s: Its length in seconds.
        kind: What it was spent on.
    """

    started_s: float
    elapsed_s: float
    kind: BarKind


class WaterfallRow(NamedTuple):
    """One step as the waterfall shows it.

    Attributes:
        name: The step.
        glyph: The name of its icon.
        tone: The icon's tone: `ok`, `error` or `idle`.
        segments: The parts of its bar, in order; one, or two when only part of it was waiting.
        label: A word for its bar; empty for none.
        duration: Its length in words.
        usual: The usual length in words; empty when nothing is known yet.
        details: What the panel says of it.
    """

    name: str
    glyph: str
    tone: str
    segments: tuple[Segment, ...]
    label: str
    duration: str
    usual: str
    details: StepDetails

    @property
    def started_s(self) -> float:
        """Seconds from the proposal of the call to the start of the step."""
        return self.segments[0].started_s

    @property
    def elapsed_s(self) -> float:
        """How long the step took, in seconds."""
        return sum(segment.elapsed_s for segment in self.segments)


class TimingTotal(NamedTuple):
    """One of the four totals.

    Attributes:
        label: What was summed.
        value: The sum in words.
        note: A comparison, such as `83%` or `3.6 × usual P50`; empty for none.
        kind: The bars that it sums; None for all.
    """

    label: str
    value: str
    note: str
    kind: BarKind | None


class Timing(NamedTuple):
    """Everything the Timing tab shows of a call.

    Attributes:
        totals: Total, in the tool, waiting, console overhead.
        rows: One for each step.
        ticks: The axis.
        length_s: The length of the axis in seconds.
        strip: The last calls of the tool; None without any.
        note: A sentence about the calls before; empty for none.
    """

    totals: tuple[TimingTotal, ...]
    rows: tuple[WaterfallRow, ...]
    ticks: tuple[Tick, ...]
    length_s: float
    strip: Strip | None
    note: str


def _comparable(recent: Sequence[RecentCall], call_id: str) -> list[RecentCall]:
    """Return the calls that say what is usual: those that ran and succeeded, without the one that is compared."""
    return [
        call
        for call in recent
        if call.call_id != call_id and call.status is CallStatus.EXECUTED and not call.from_cache
    ]


def _segments(step: TraceStep) -> tuple[Segment, ...]:
    own = _own_kind(step)
    waiting_s = min(max(step.waiting_s, 0.0), step.elapsed_s)
    rest_s = step.elapsed_s - waiting_s
    if not waiting_s:
        return (Segment(step.started_s, step.elapsed_s, own),)
    if rest_s <= step.elapsed_s * 0.02:
        return (Segment(step.started_s, step.elapsed_s, BarKind.WAITING),)
    # The trace knows how long a step waited, not when; waiting is drawn first.
    return (
        Segment(step.started_s, waiting_s, BarKind.WAITING),
        Segment(step.started_s + waiting_s, rest_s, own),
    )


def _own_kind(step: TraceStep) -> BarKind:
    if step.outcome in BAD_OUTCOMES:
        return BarKind.FAILED
    return BarKind.IN_TOOL if step.kind.in_tool else BarKind.OVERHEAD


def _label(step: TraceStep) -> str:
    if step.outcome in BAD_OUTCOMES:
        return step_detail(step)
    if step.kind is StepKind.BACKOFF:
        return duration_text(step.elapsed_s)
    return step_detail(step)


def _usual(step: TraceStep, usual_s_by_kind: Mapping[StepKind, float] | None) -> str:
    if usual_s_by_kind is None:
        return ""
    usual_s = usual_s_by_kind.get(step.kind)
    return "none" if usual_s is None else duration_text(usual_s)


def _usual_by_kind(calls: Sequence[RecentCall]) -> Mapping[StepKind, float] | None:
    if len(calls) < ENOUGH_CALLS:
        return None
    lengths: defaultdict[StepKind, list[float]] = defaultdict(list)
    for call in calls:
        for kind, elapsed_s in call.steps_s.items():
            lengths[kind].append(elapsed_s)
    # A step that most calls did without, such as waiting before another attempt, has no usual length.
    return {kind: median(values) for kind, values in lengths.items() if len(values) * 2 >= len(calls)}


def _percent(part_s: float, whole_s: float) -> str:
    if whole_s <= 0:
        return ""
    percent = 100 * part_s / whole_s
    return f"{percent:.0f}%" if percent >= 0.95 or percent == 0 else f"{percent:.1f}%"


def _totals(record: CallRecord, calls: Sequence[RecentCall]) -> tuple[TimingTotal, ...]:
    total_s = max(record.elapsed_s, max((step.started_s + step.elapsed_s for step in record.steps), default=0.0))
    waiting_s = sum(min(step.waiting_s, step.elapsed_s) for step in record.steps)
    # Waiting for a person is no part of how long a call takes, and stands apart.
    review_s = min(record.review_s, waiting_s)
    total_s, waiting_s = total_s - review_s, waiting_s - review_s
    in_tool_s = sum(max(0.0, step.elapsed_s - step.waiting_s) for step in record.steps if step.kind.in_tool)
    # Whatever is neither the tool's nor waiting is ours, the gaps between the steps included.
    overhead_s = max(0.0, total_s - waiting_s - in_tool_s)
    note = ""
    if len(calls) >= ENOUGH_CALLS:
        usual_s = median(call.elapsed_s for call in calls)
        if usual_s > 0:
            note = f"{total_s / usual_s:.1f} × usual P50"
    asked = (TimingTotal("Waiting for you", duration_text(review_s), "", BarKind.WAITING),) if review_s else ()
    return (
        TimingTotal("Total", duration_text(total_s), note, None),
        TimingTotal("In the tool", duration_text(in_tool_s), _percent(in_tool_s, total_s), BarKind.IN_TOOL),
        TimingTotal("Waiting", duration_text(waiting_s), _percent(waiting_s, total_s), BarKind.WAITING),
        TimingTotal("Console overhead", duration_text(overhead_s), _percent(overhead_s, total_s), BarKind.OVERHEAD),
        *asked,
    )


def timing_of(record: CallRecord, recent: Sequence[RecentCall] = (), policies: Policies = _NO_POLICIES) -> Timing:
    """Draw up everything the Timing tab shows.

    Args:
        record: A call that ended.
        recent: The last calls of the same tool, oldest first; this one may be among them already, or not yet.
        policies: The policies of its tool.
    """
    steps = record.steps
    if all(known.call_id != record.id for known in recent):
        recent = [*recent, recent_call(record)][-RECENT_CALLS:]
    comparable = _comparable(recent, record.id)
    usual_by_kind = _usual_by_kind(comparable)
    rows = []
    for index, step in enumerate(steps):
        glyph, tone = glyph_of(step)
        usual = _usual(step, usual_by_kind)
        rows.append(
            WaterfallRow(
                name=step_title(step),
                glyph=glyph,
                tone=tone,
                segments=_segments(step),
                label=_label(step),
                duration=duration_text(step.elapsed_s),
                usual=usual,
                details=details_of(record, index, usual, policies),
            )
        )
    length_s = max([record.elapsed_s, *(step.started_s + step.elapsed_s for step in steps)])
    retried = sum(one.attempts > 1 for one in recent)
    note = f"{retried} of the last {format_count(len(recent))} calls needed a retry." if retried else ""
    return Timing(
        totals=_totals(record, comparable),
        rows=tuple(rows),
        ticks=duration_ticks(length_s, _MOST_TICKS),
        length_s=length_s,
        strip=strip_of(recent, record.id),
        note=note,
    )
