"""The words for the steps of a call, for the window and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tools.calls import StepKind, StepNote, StepOutcome, TraceStep

TITLE_BY_KIND: Final[Mapping[StepKind, str]] = MappingProxyType(
    {
        StepKind.VALIDATION: "Validate arguments",
        StepKind.CALL_FILTER: "Call filter",
        StepKind.POLICY: "Policy",
        StepKind.PRECONDITIONS: "Preconditions",
        StepKind.CACHE_LOOKUP: "Cache lookup",
        StepKind.EARLY_REVIEW: "Review ahead",
        StepKind.CALLER_WAIT: "Wait for the caller",
        StepKind.BULKHEAD: "Bulkhead",
        StepKind.RATE_LIMIT: "Rate limit",
        StepKind.SECURITY_CHECK: "Security check",
        StepKind.FAILURE_BLOCK: "Failure block",
        StepKind.CIRCUIT_BREAKER: "Circuit breaker",
        StepKind.ATTEMPT: "Execute",
        StepKind.BACKOFF: "Backoff",
        StepKind.FALLBACK: "Fallback",
        StepKind.FALLBACK_FUNCTION: "Fallback",
        StepKind.RESULT_CHECK: "Result check",
        StepKind.POSTCONDITIONS: "Postconditions",
        StepKind.AUDIT: "Audit",
        StepKind.CACHE_STORE: "Cache store",
        StepKind.METRICS: "Metrics",
        StepKind.LISTENERS: "Listeners",
        StepKind.CUSTOM: "Step of the program",
    }
)

WORD_BY_NOTE: Final[Mapping[StepNote, str]] = MappingProxyType(
    {note: note.value.replace("_", " ") for note in StepNote}
    | {
        StepNote.ROLES_UNKNOWN: "nobody knows the caller's roles",
        StepNote.BYPASSED: "passed over",
        StepNote.TOO_LATE: "no time left",
    }
)


def step_title(step: TraceStep) -> str:
    """Return the name of a step: `Cache lookup`, `Execute, attempt 2`, `Listeners (3)`."""
    title = step.name or TITLE_BY_KIND[step.kind]
    if not step.number:
        return title
    return f"{title} ({step.number})" if step.kind is StepKind.LISTENERS else f"{title}, attempt {step.number}"


def step_detail(step: TraceStep) -> str:
    """Return how a step ended in a word or two; empty when there is nothing to say."""
    if step.note is not None:
        return WORD_BY_NOTE[step.note]
    if step.error or step.answered_by:
        return step.error or step.answered_by
    if step.kind is StepKind.BACKOFF and step.outcome is StepOutcome.WAITED:
        return f"{step.waiting_s * 1000:.0f} ms"
    return "" if step.outcome in {StepOutcome.OK, StepOutcome.SKIPPED} else step.outcome.value.replace("_", " ")
