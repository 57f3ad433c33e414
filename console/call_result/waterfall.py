"""Where the time of a call went, as plain values: rows of the waterfall, its axis, its totals, the calls before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import Enum
from statistics import median
from typing import Final, NamedTuple

from console.call_result.badges import limit_text, retry_text, span_text
from console.call_result.recent import (
    BAD_OUTCOMES,
    ENOUGH_CALLS,
    RECENT_CALLS,
    RecentCall,
    Strip,
    recent_call,
    strip_of,
)
from console.call_result.rows import duration_text
from console.charts.lines import Tick, duration_ticks
from console.language import in_sentence, tr, translated
from console.widgets.formats import format_count
from tools.calls import CallError, CallRecord, CallStatus, StepKind, StepNote, StepOutcome, TraceStep
from tools.spec import Isolation, Policies
from tools.trace_words import TITLE_BY_KIND, WORD_BY_NOTE

_WORD_BY_OUTCOME: Final[Mapping[StepOutcome, str]] = {
    StepOutcome.OK: tr("Done"),
    StepOutcome.SKIPPED: tr("Skipped"),
    StepOutcome.WAITED: tr("Waited"),
    StepOutcome.FAILED: tr("Failed"),
    StepOutcome.DENIED: tr("Denied"),
    StepOutcome.TIMED_OUT: tr("Timed out"),
    StepOutcome.CANCELLED: tr("Cancelled"),
}
_FALLBACKS: Final = frozenset({StepKind.FALLBACK, StepKind.FALLBACK_FUNCTION})
_CACHE_WORDS: Final = {
    StepNote.HIT: tr("Known: nothing had to run"),
    StepNote.MISS: tr("Not known yet"),
    StepNote.BYPASSED: tr("Passed over, as asked"),
    StepNote.NOT_KEPT: tr("Not kept"),
}


class StepDetailLine(NamedTuple):
    """One line of the details of a step.

    Attributes:
        value: The words or numbers.
        tone: `error` for what went wrong, `mono` for a name from code, else empty.
    """

    label: str
    value: str
    tone: str = ""


class StepDetails(NamedTuple):
    """What the panel beside the waterfall says of one step.

    Attributes:
        position: Such as `6 of 13`.
        lines: Status, start, duration and what else is known.
        message: What went wrong, in a sentence; empty for nothing.
        further: What followed and which rule holds.
        glyph: The name of its icon.
        tone: The icon's tone: `ok`, `warn`, `error` or `idle`.
    """

    title: str
    position: str
    lines: tuple[StepDetailLine, ...]
    message: str
    further: tuple[StepDetailLine, ...]
    glyph: str
    tone: str


def glyph_of(step: TraceStep) -> tuple[str, str]:
    """Return icon and tone of a step."""
    if step.outcome in BAD_OUTCOMES:
        return ("circle-slash", "idle") if step.outcome is StepOutcome.CANCELLED else ("circle-x", "error")
    if step.kind in _FALLBACKS:
        return "skip-forward", "warn"
    if step.outcome is StepOutcome.SKIPPED or step.note is StepNote.MISS:
        return "circle-minus", "idle"
    if step.kind is StepKind.BACKOFF:
        return "hourglass", "idle"
    return "circle-check", "ok"


def details_of(record: CallRecord, index: int, usual: str, policies: Policies) -> StepDetails:
    """Say what is known of a step.

    Args:
        usual: How long such a step usually takes, in words; empty when nobody knows.
    """
    steps = record.steps
    step = steps[index]
    bad = step.outcome in BAD_OUTCOMES
    error = _error_of(record, index) if bad else None
    glyph, tone = glyph_of(step)
    return StepDetails(
        title=_title(step),
        position=tr("{index} of {steps}", index=index + 1, steps=len(steps)),
        lines=tuple(_lines(record, step, policies, error)),
        message=translated(error.message) if error is not None else "",
        further=tuple(_further(steps, index, policies, usual)),
        glyph=glyph,
        tone=tone,
    )


def _lines(record: CallRecord, step: TraceStep, policies: Policies, error: CallError | None) -> list[StepDetailLine]:
    bad = step.outcome in BAD_OUTCOMES
    moment = (record.proposed_at + timedelta(seconds=step.started_s)).astimezone()
    at_limit = step.outcome is StepOutcome.TIMED_OUT and step.kind.in_tool and policies.timeout_s
    took = duration_text(step.elapsed_s)
    lines = [
        StepDetailLine(tr("Status"), _WORD_BY_OUTCOME[step.outcome], "error" if bad else ""),
        StepDetailLine(
            tr("Started"), f"{moment:%H:%M:%S}.{moment.microsecond // 1000:03}, +{duration_text(step.started_s)}"
        ),
        StepDetailLine(tr("Duration"), took if not at_limit else tr("{took}, the full limit", took=took)),
    ]
    if step.waiting_s > 0:
        lines.append(StepDetailLine(tr("Waiting"), duration_text(step.waiting_s)))
    type_name = step.error or (error.type_name if error is not None else "")
    if type_name:
        lines.append(StepDetailLine(tr("Error"), type_name, "mono"))
    elif not bad and (step.note is not None or step.answered_by):
        lines.append(_outcome(step))
    if step.kind is StepKind.ATTEMPT:
        lines.append(StepDetailLine(tr("Where"), _place(record)))
    return lines


def _outcome(step: TraceStep) -> StepDetailLine:
    """Say what came of a step that went well."""
    if step.kind is StepKind.CIRCUIT_BREAKER:
        return StepDetailLine(
            tr("Breaker"), tr("Closed") if step.note is StepNote.CLOSED else tr("Half-open: this is the trial call")
        )
    if step.answered_by:
        return StepDetailLine(tr("Answered by"), step.answered_by, "mono")
    words = "" if step.note is None else _CACHE_WORDS.get(step.note) or translated(WORD_BY_NOTE[step.note])
    return StepDetailLine(tr("Outcome"), words)


def _place(record: CallRecord) -> str:
    if record.isolation is Isolation.PROCESS:
        if record.worker_pid is None:
            return tr("Worker process, ended") if record.worker_killed else tr("Worker process")
        words = tr("Worker process {pid}, ended") if record.worker_killed else tr("Worker process {pid}")
        return words.format(pid=record.worker_pid)
    return tr("A thread") if record.isolation is Isolation.THREAD else tr("The engine's event loop")


def _error_of(record: CallRecord, index: int) -> CallError | None:
    """Return what a step failed with; None when nobody kept it."""
    steps = record.steps
    if not any(later.outcome in BAD_OUTCOMES for later in steps[index + 1 :]) and record.error is not None:
        return record.error
    if steps[index].kind is StepKind.ATTEMPT:
        before = sum(step.kind is StepKind.ATTEMPT for step in steps[:index])
        if before < len(record.attempts):
            return record.attempts[before].error
    return record.fallback_reason


def _further(steps: Sequence[TraceStep], index: int, policies: Policies, usual: str) -> list[StepDetailLine]:
    step = steps[index]
    bad = step.outcome in BAD_OUTCOMES
    further = []
    if bad and step.kind.in_tool and policies.retry is not None:
        further.append(StepDetailLine(tr("Retry rule"), retry_text(policies.retry)))
    rule = _rule(step, policies)
    if rule is not None:
        further.append(rule)
    if bad and index + 1 < len(steps):
        further.append(StepDetailLine(tr("Next step"), _next_step(steps, index)))
    if usual and not bad:
        further.append(StepDetailLine(tr("Usual P50"), usual))
    return further


def _rule(step: TraceStep, policies: Policies) -> StepDetailLine | None:
    """Name the declaration that a step obeys."""
    kind, breaker, cache = step.kind, policies.circuit_breaker, policies.cache
    if kind is StepKind.RATE_LIMIT and policies.rate_limit is not None:
        return StepDetailLine(tr("Limit"), limit_text(policies.rate_limit))
    if kind is StepKind.BULKHEAD and policies.max_concurrent is not None:
        return StepDetailLine(tr("Limit"), tr("{most} at a time", most=policies.max_concurrent))
    if kind is StepKind.CIRCUIT_BREAKER and breaker is not None:
        return StepDetailLine(
            tr("Opens after"),
            tr("{count} failures in {span}", count=breaker.failure_threshold, span=span_text(breaker.window_s)),
        )
    if kind in {StepKind.CACHE_LOOKUP, StepKind.CACHE_STORE} and cache is not None:
        return StepDetailLine(tr("Kept for"), span_text(cache.ttl_s))
    if kind.in_tool and step.outcome is not StepOutcome.TIMED_OUT and policies.timeout_s is not None:
        return StepDetailLine(tr("Limit"), span_text(policies.timeout_s))
    return None


def _next_step(steps: Sequence[TraceStep], index: int) -> str:
    following = steps[index + 1]
    again = following.kind is StepKind.BACKOFF and index + 2 < len(steps) and steps[index + 2].kind is StepKind.ATTEMPT
    title = _title(following)
    return tr("{title}, then attempt {number}", title=title, number=steps[index + 2].number) if again else title


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
    """

    started_s: float
    elapsed_s: float
    kind: BarKind


class WaterfallRow(NamedTuple):
    """One step as the waterfall shows it.

    Attributes:
        glyph: The name of its icon.
        tone: The icon's tone: `ok`, `error` or `idle`.
        segments: The parts of its bar, in order; one, or two when only part of it was waiting.
        label: A word for its bar; empty for none.
        duration: Its length in words.
        usual: The usual length in words; empty when nothing is known yet.
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


def _title(step: TraceStep) -> str:
    title = step.name or translated(TITLE_BY_KIND[step.kind])
    if not step.number or step.kind is StepKind.LISTENERS:
        return f"{title} ({step.number})" if step.number else title
    return tr("{title}, attempt {number}", title=title, number=step.number)


def _label(step: TraceStep) -> str:
    if step.kind is StepKind.BACKOFF and step.outcome not in BAD_OUTCOMES:
        return duration_text(step.elapsed_s)
    if step.note is not None:
        return translated(WORD_BY_NOTE[step.note])
    is_plain = step.outcome in {StepOutcome.OK, StepOutcome.SKIPPED}
    return step.error or step.answered_by or ("" if is_plain else in_sentence(_WORD_BY_OUTCOME[step.outcome]))


def _usual(step: TraceStep, usual_s_by_kind: Mapping[StepKind, float] | None) -> str:
    if usual_s_by_kind is None:
        return ""
    usual_s = usual_s_by_kind.get(step.kind)
    return tr("none", "usual length") if usual_s is None else duration_text(usual_s)


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
    if percent >= 0.95 or percent == 0:
        return tr("{percent:.0f}%", percent=percent)
    return tr("{percent:.1f}%", percent=percent)


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
            note = tr("{ratio:.1f} × usual P50", ratio=total_s / usual_s)
    asked = (TimingTotal(tr("Waiting for you"), duration_text(review_s), "", BarKind.WAITING),) if review_s else ()
    return (
        TimingTotal(tr("Total"), duration_text(total_s), note, None),
        TimingTotal(tr("In the tool"), duration_text(in_tool_s), _percent(in_tool_s, total_s), BarKind.IN_TOOL),
        TimingTotal(tr("Waiting"), duration_text(waiting_s), _percent(waiting_s, total_s), BarKind.WAITING),
        TimingTotal(tr("Console overhead"), duration_text(overhead_s), _percent(overhead_s, total_s), BarKind.OVERHEAD),
        *asked,
    )


def timing_of(record: CallRecord, recent: Sequence[RecentCall] = (), policies: Policies = _NO_POLICIES) -> Timing:
    """Draw up everything the Timing tab shows.

    Args:
        record: A call; the history also shows one that still waits or runs, which is not compared.
        recent: The last calls of the same tool, oldest first; this one may be among them already, or not yet.
    """
    steps = record.steps
    if record.status.final and all(known.call_id != record.id for known in recent):
        recent = [*recent, recent_call(record)][-RECENT_CALLS:]
    comparable = _comparable(recent, record.id)
    usual_by_kind = _usual_by_kind(comparable)
    rows = []
    for index, step in enumerate(steps):
        glyph, tone = glyph_of(step)
        usual = _usual(step, usual_by_kind)
        rows.append(
            WaterfallRow(
                name=_title(step),
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
    note = (
        tr("{retried} of the last {calls} calls needed a retry.", retried=retried, calls=format_count(len(recent)))
        if retried
        else ""
    )
    return Timing(
        totals=_totals(record, comparable),
        rows=tuple(rows),
        ticks=duration_ticks(length_s, _MOST_TICKS),
        length_s=length_s,
        strip=strip_of(recent, record.id),
        note=note,
    )
