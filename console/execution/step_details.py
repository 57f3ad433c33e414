"""What the panel beside the waterfall says of one step of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from console.execution.badges import limit_text, retry_text, span_text
from console.execution.recent import BAD_OUTCOMES
from console.execution.rows import duration_text
from tools.calls import CallError, CallRecord, StepKind, StepNote, StepOutcome, TraceStep
from tools.spec import Isolation, Policies
from tools.trace_words import note_words, step_title

_WORD_BY_OUTCOME: Final[Mapping[StepOutcome, str]] = {
    StepOutcome.OK: "Done",
    StepOutcome.SKIPPED: "Skipped",
    StepOutcome.WAITED: "Waited",
    StepOutcome.FAILED: "Failed",
    StepOutcome.DENIED: "Denied",
    StepOutcome.TIMED_OUT: "Timed out",
    StepOutcome.CANCELLED: "Cancelled",
}
_FALLBACKS: Final = frozenset({StepKind.FALLBACK, StepKind.FALLBACK_FUNCTION})
_CACHE_WORDS: Final = {
    StepNote.HIT: "Known: nothing had to run",
    StepNote.MISS: "Not known yet",
    StepNote.BYPASSED: "Passed over, as asked",
    StepNote.NOT_KEPT: "Not kept",
}


class StepDetailLine(NamedTuple):
    """One line of the details of a step.

    Attributes:
        label: What it is.
        value: The words or numbers.
        tone: `error` for what went wrong, `mono` for a name from code, else empty.
    """

    label: str
    value: str
    tone: str = ""


class StepDetails(NamedTuple):
    """What the panel beside the waterfall says of one step.

    Attributes:
        title: The step.
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
        record: A call that ended.
        index: Which of its steps.
        usual: How long such a step usually takes, in words; empty when nobody knows.
        policies: The policies of its tool.
    """
    steps = record.steps
    step = steps[index]
    bad = step.outcome in BAD_OUTCOMES
    error = _error_of(record, index) if bad else None
    glyph, tone = glyph_of(step)
    return StepDetails(
        title=step_title(step),
        position=f"{index + 1} of {len(steps)}",
        lines=tuple(_lines(record, step, policies, error)),
        message=error.message if error is not None else "",
        further=tuple(_further(steps, index, policies, usual)),
        glyph=glyph,
        tone=tone,
    )


def _lines(record: CallRecord, step: TraceStep, policies: Policies, error: CallError | None) -> list[StepDetailLine]:
    bad = step.outcome in BAD_OUTCOMES
    moment = (record.proposed_at + timedelta(seconds=step.started_s)).astimezone()
    at_limit = step.outcome is StepOutcome.TIMED_OUT and step.kind.in_tool and policies.timeout_s
    lines = [
        StepDetailLine("Status", _WORD_BY_OUTCOME[step.outcome], "error" if bad else ""),
        StepDetailLine(
            "Started", f"{moment:%H:%M:%S}.{moment.microsecond // 1000:03}, +{duration_text(step.started_s)}"
        ),
        StepDetailLine("Duration", duration_text(step.elapsed_s) + (", the full limit" if at_limit else "")),
    ]
    if step.waiting_s > 0:
        lines.append(StepDetailLine("Waiting", duration_text(step.waiting_s)))
    type_name = step.error or (error.type_name if error is not None else "")
    if type_name:
        lines.append(StepDetailLine("Error", type_name, "mono"))
    elif not bad and (step.note is not None or step.answered_by):
        lines.append(_outcome(step))
    if step.kind is StepKind.ATTEMPT:
        lines.append(StepDetailLine("Where", _place(record)))
    return lines


def _outcome(step: TraceStep) -> StepDetailLine:
    """Say what came of a step that went well."""
    if step.kind is StepKind.CIRCUIT_BREAKER:
        return StepDetailLine(
            "Breaker", "Closed" if step.note is StepNote.CLOSED else "Half-open: this is the trial call"
        )
    if step.answered_by:
        return StepDetailLine("Answered by", step.answered_by, "mono")
    words = "" if step.note is None else _CACHE_WORDS.get(step.note) or note_words(step.note)
    return StepDetailLine("Outcome", words)


def _place(record: CallRecord) -> str:
    if record.isolation is Isolation.PROCESS:
        number = f" {record.worker_pid}" if record.worker_pid is not None else ""
        return f"Worker process{number}{', ended' if record.worker_killed else ''}"
    return "A thread" if record.isolation is Isolation.THREAD else "The engine's event loop"


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
        further.append(StepDetailLine("Retry rule", retry_text(policies.retry)))
    rule = _rule(step, policies)
    if rule is not None:
        further.append(rule)
    if bad and index + 1 < len(steps):
        further.append(StepDetailLine("Next step", _next_step(steps, index)))
    if usual and not bad:
        further.append(StepDetailLine("Usual P50", usual))
    return further


def _rule(step: TraceStep, policies: Policies) -> StepDetailLine | None:
    """Name the declaration that a step obeys."""
    kind, breaker, cache = step.kind, policies.circuit_breaker, policies.cache
    if kind is StepKind.RATE_LIMIT and policies.rate_limit is not None:
        return StepDetailLine("Limit", limit_text(policies.rate_limit))
    if kind is StepKind.BULKHEAD and policies.max_concurrent is not None:
        return StepDetailLine("Limit", f"{policies.max_concurrent} at a time")
    if kind is StepKind.CIRCUIT_BREAKER and breaker is not None:
        return StepDetailLine("Opens after", f"{breaker.failure_threshold} failures in {span_text(breaker.window_s)}")
    if kind in {StepKind.CACHE_LOOKUP, StepKind.CACHE_STORE} and cache is not None:
        return StepDetailLine("Kept for", span_text(cache.ttl_s))
    if kind.in_tool and step.outcome is not StepOutcome.TIMED_OUT and policies.timeout_s is not None:
        return StepDetailLine("Limit", span_text(policies.timeout_s))
    return None


def _next_step(steps: Sequence[TraceStep], index: int) -> str:
    following = steps[index + 1]
    again = following.kind is StepKind.BACKOFF and index + 2 < len(steps) and steps[index + 2].kind is StepKind.ATTEMPT
    return step_title(following) + (f", then attempt {steps[index + 2].number}" if again else "")
