"""What an audit entry says of an event, at each level."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.audit.entries import EntryDraft
from tools.audit.ledger import Recovery
from tools.calls import (
    Advice,
    CallFinished,
    CallProposed,
    CallRecord,
    Continue,
    Edit,
    Event,
    ExitEarly,
    GuardChanged,
    ReviewAsked,
    ReviewDecided,
    StepFinished,
    audit_level_of,
    audited_values,
)
from tools.schema import json_beginning
from tools.spec import MISSING, AuditLevel

if TYPE_CHECKING:
    from pydantic import JsonValue

MASKABLE: Final = ("answer", "arguments", "by", "concerns", "error", "question", "result", "why", "words")
"""The values that an export can leave out; `result` takes its digest with it."""
LONGEST_MESSAGE: Final = 500
LONGEST_FULL: Final = 1 << 20
"""Letters of JSON text beyond which even a full entry has only the beginning of a value."""
_NAME_LETTERS: Final = 200
_DETAILED: Final = frozenset({AuditLevel.STANDARD, AuditLevel.FULL})
_PUBLIC: Final = frozenset({"by"})


class Note(NamedTuple):
    """An event as it is kept until it is written.

    Attributes:
        time: When it came, in seconds since 1970.
        shown: A proposed call's arguments at that moment, as people may see them; None when no entry has them.
    """

    event: Event
    time: float
    shown: dict[str, JsonValue] | None


def note_of(event: Event, time: float, default: AuditLevel) -> Note | None:
    """Return what is to be remembered of an event; None when no entry is written for it.

    This is all that happens while the call waits. A tool may change its arguments in place and a reviewer may replace
    them, so those of a proposal are taken at once; everything else keeps until the entry is written.
    """
    if isinstance(event, CallProposed):
        call = event.call
        shown = call.asked_arguments() if audit_level_of(call.tool, default) in _DETAILED else None
        return Note(event, time, shown)
    if isinstance(event, StepFinished) and not event.step.kind.in_tool:
        return None
    return Note(event, time, None)


def draft_of(note: Note, run: str, default: AuditLevel) -> EntryDraft | None:
    """Return the entry for an event; None when its level has none."""
    event, at_s, _ = note
    if isinstance(event, GuardChanged):
        return None
    call, tool = event.call, event.call.tool
    level = audit_level_of(tool, default)
    described = _described(note, event, level) if level is not AuditLevel.NONE else None
    if described is None:
        return None
    kind, more, values = described
    facts: dict[str, JsonValue] = {
        "time": timestamp(at_s),
        "kind": kind,
        "run": run,
        "call": call.id,
        "caller": call.caller,
        "tool": call.name[:_NAME_LETTERS],
        "version": "" if tool is None else tool.spec.version,
        "digest": "" if tool is None else tool.digest,
        "level": level.value,
        **more,
    }
    security = None if tool is None else tool.security
    if security is not None and (security.sensitive or security.encrypt):
        withheld = {name: value for name, value in values.items() if name not in _PUBLIC}
        return EntryDraft(facts, {name: values[name] for name in values if name in _PUBLIC}, withheld)
    return EntryDraft(facts, values)


def timestamp(seconds: float) -> str:
    """Return a time as entries write it: UTC, with microseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


_Described = tuple[str, dict[str, "JsonValue"], dict[str, "JsonValue"]]
"""The kind of an entry, its further facts, and its values."""


def _described(note: Note, event: Event, level: AuditLevel) -> _Described | None:
    match event:
        case CallProposed():
            return "proposed", {}, {} if note.shown is None else {"arguments": _arguments(note.shown, level)}
        case StepFinished():
            return _executed(event)
        case CallFinished():
            return _returned(event.record, level)
        case ReviewAsked() if level in _DETAILED:
            return _shown(event, level)
        case ReviewDecided() if level in _DETAILED:
            return _decided(event, level)
    return None


def _shown(event: ReviewAsked, level: AuditLevel) -> _Described:
    request = event.request
    facts: dict[str, JsonValue] = {
        "review": request.id,
        "timing": request.timing.value,
        "reasons": [concern.kind for concern in request.concerns],
    }
    if request.risk is not None:
        facts["risk"] = request.risk.value
    if request.degree is not None:
        facts["degree"] = request.degree.value
    for name in ("rule", "required_role", "attached_to"):
        if value := getattr(request, name):
            facts[name] = value
    if request.digest:
        facts["bound_to"] = request.digest
    values: dict[str, JsonValue] = {
        "question": _message(request.description, level),
        "concerns": [_message(f"{concern.title}: {concern.detail}", level) for concern in request.concerns],
    }
    if request.why:
        values["why"] = _message(request.why, level)
    if request.arguments is not None:
        values["arguments"] = _arguments(dict(request.arguments), level)
    return "shown", facts, values


def _decided(event: ReviewDecided, level: AuditLevel) -> _Described:
    decision = event.decision
    values: dict[str, JsonValue] = {"by": event.by}
    facts: dict[str, JsonValue] = {"review": event.request.id, "timing": event.request.timing.value}
    if isinstance(decision, ExitEarly):
        facts |= {"decision": "exit_early", "timed_out": decision.timed_out, "stop_run": decision.stop_run}
        if decision.advice is not Advice.NONE:
            facts["advice"] = decision.advice.value
        words = decision.reason
    else:
        facts["decision"] = "edit" if isinstance(decision, Edit) else "continue"
        words = decision.feedback
    if isinstance(decision, Continue) and decision.whatever:
        facts["whatever_arguments"] = list(decision.whatever)
    if decision.remembered:
        facts["remembered"] = decision.remembered
    if event.void:
        facts["void"] = True
    if words:
        values["words"] = _message(words, level)
    if isinstance(decision, Edit):
        if isinstance(decision.revised, str):
            values["answer"] = _message(decision.revised, level)
        else:
            values["arguments"] = _arguments(dict(decision.revised), level)
    return "decided", facts, values


def _executed(event: StepFinished) -> _Described:
    step = event.step
    facts: dict[str, JsonValue] = {
        "step": step.kind.value,
        "attempt": step.number or 1,
        "outcome": step.outcome.value,
        "elapsed_ms": _ms(step.elapsed_s),
        "isolation": event.call.response.isolation.value,
    }
    return "executed", facts, {}


def _returned(record: CallRecord, level: AuditLevel) -> _Described:
    facts: dict[str, JsonValue] = {
        "status": record.status.value,
        "elapsed_ms": _ms(record.elapsed_s),
        "attempts": len(record.attempts),
        "from_cache": record.from_cache,
    }
    values: dict[str, JsonValue] = {}
    if record.fallback:
        facts["fallback"] = record.fallback
    if record.error is not None:
        facts["error_kind"] = record.error.kind.value
        if level in _DETAILED:
            values["error"] = _message(record.error.message, level)
    if record.edited_arguments is not None and level in _DETAILED:
        values["arguments"] = _arguments(record.edited_arguments, level)
    if level is AuditLevel.FULL and record.result is not MISSING:
        values["result"] = _bounded(record.result)
        values["result_digest"] = _digest(record.result)
    return "returned", facts, values


def draft_of_log(kind: str, run: str, time: float, **facts: JsonValue) -> EntryDraft:
    """Return an entry about the log itself: that it was sealed, mended, or lost events."""
    return EntryDraft({"time": timestamp(time), "kind": kind, "run": run, **facts})


def recovered(recovery: Recovery, run: str, time: float) -> EntryDraft:
    """Return the entry that tells what a writer found behind the anchor."""
    found: dict[str, JsonValue] = recovery._asdict()
    return draft_of_log("recovered", run, time, **found)


def _arguments(shown: dict[str, JsonValue], level: AuditLevel) -> JsonValue:
    kept = audited_values(shown, level)
    return {name: _bounded(value) for name, value in kept.items()} if level is AuditLevel.FULL else kept


def _message(text: str, level: AuditLevel) -> str:
    most = LONGEST_FULL if level is AuditLevel.FULL else LONGEST_MESSAGE
    return text if len(text) <= most else text[: most - 1] + "…"


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


def _bounded(value: JsonValue) -> JsonValue:
    beginning = json_beginning(value, LONGEST_FULL)
    return value if len(beginning) <= LONGEST_FULL else {"beginning": beginning[:LONGEST_FULL]}


_PIECES: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def _digest(value: Any) -> str:
    """Return the SHA-256 of a value's JSON text, taken piece by piece: a large one must not hold everybody up."""
    whole = sha256()
    for piece in _PIECES.iterencode(value):
        whole.update(piece.encode(errors="surrogatepass"))
    return whole.hexdigest()
