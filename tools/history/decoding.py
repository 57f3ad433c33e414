"""Rows as values again: what the readers make of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import from_json

from tools.calls import Attempt, CallError, CallStatus, ErrorKind, LogEntry, Step, StepKind, StepOutcome
from tools.errors import ArgumentProblem, HistoryError, VaultError
from tools.history.body import body_of
from tools.history.encoding import (
    ATTEMPTS_SHIFT,
    DECIDED,
    EDITED,
    EPOCH,
    FELL_BACK,
    FROM_CACHE,
    HAS_BLOBS,
    ISOLATION_BITS,
    ISOLATION_SHIFT,
    ISOLATIONS,
    LISTED_ARGUMENTS,
    NO_KEY,
    RUN_BITS,
    SEALED,
    SENSITIVE,
    STATUSES,
    UNREADABLE,
)
from tools.history.keys import RUN_OF_KEY, call_of
from tools.history.records import UNNAMED, CallRecord, CallTiming, Decision, HistoryRow, StoredAttachment
from tools.history.trace import steps_of, waited_s

if TYPE_CHECKING:
    from tools.vault import Vault

_ISOLATION_MASK: Final = (1 << ISOLATION_BITS) - 1
_SHORT: Final = 200
_LISTED_RESULT: Final = 600
_LISTED_ERROR: Final = 2_000
"""How many letters of a part are looked at for a line of a list."""

_HIDDEN: Final = {
    SENSITIVE: "The tool is sensitive: its arguments and result are not kept.",
    NO_KEY: "The tool wants its arguments and result encrypted, and there was no key: they are not kept.",
    UNREADABLE: "The call could not be written down: only that it happened is kept.",
}

_JUDGED: Final = tuple(Decision._field_defaults)
"""What few decisions have."""

LIST_COLUMNS: Final = """
    calls.id, runs.name, calls.key, tools.name, callers.name, kinds.status, kinds.flags, calls.body
"""
"""What `list_row` takes."""

WHOLE_COLUMNS: Final = """
    calls.id, runs.name, calls.key, tools.name, definitions.version, definitions.digest, definitions.source,
    callers.name, kinds.status, kinds.flags, shapes.shape, calls.body
"""
"""What `whole_record` takes."""

TIMING_COLUMNS: Final = """
    calls.id, runs.name, calls.key, kinds.status, kinds.flags, shapes.shape, calls.body
"""
"""What `timing_of` takes."""

TABLES: Final = f"""
    calls
    JOIN runs ON runs.id = {RUN_OF_KEY}
    JOIN kinds ON kinds.id = calls.kind
    JOIN names AS tools ON tools.id = kinds.tool
    JOIN names AS callers ON callers.id = kinds.caller
    JOIN definitions ON definitions.id = kinds.definition
    LEFT JOIN shapes ON shapes.id = kinds.shape
"""
"""Where all of them stand."""


def moment_of(row_id: int) -> datetime:
    """Return when the call of a row was proposed."""
    return EPOCH + timedelta(microseconds=row_id >> RUN_BITS)


def row_bound(moment: datetime) -> int:
    """Return the least id of rows proposed at a moment or later."""
    aware = moment if moment.tzinfo is not None else moment.astimezone()
    return ((aware - EPOCH) // timedelta(microseconds=1)) << RUN_BITS


def values_of(text: str) -> Any:
    """Return the values of a JSON text."""
    try:
        return from_json(text)
    except ValueError:
        # The standard library reads what it wrote of texts that are no valid Unicode.
        return json.loads(text)


def list_row(columns: Sequence[Any]) -> HistoryRow:
    """Return a row of a list, from `LIST_COLUMNS`."""
    row_id, run, key, tool, caller, status, flags, content = columns
    body = body_of(content)
    is_sealed = bool(flags & SEALED)
    error = _beginning(body.error, _LISTED_ERROR)
    asked = "" if is_sealed else _arguments_line(_beginning(body.arguments, LISTED_ARGUMENTS))
    facts = {} if is_sealed else _listed_facts(flags, body.extra)
    ran = _arguments_line(facts["edited"]) if "edited" in facts else asked
    waited = waited_s(body.times)
    return HistoryRow(
        f"{run}-{call_of(key)}",
        tool,
        caller,
        STATUSES[status],
        moment_of(row_id),
        body.elapsed_us / 1e6,
        waited,
        _review_s(facts, flags, waited, is_sealed=is_sealed),
        ran,
        asked if ran != asked else "",
        _summary(_beginning(body.result, _LISTED_RESULT), error, is_sealed=is_sealed),
        bool(flags & FROM_CACHE),
        flags >> ATTEMPTS_SHIFT,
        bool(flags & EDITED),
        None if error is None else _kind_of(error.split('"', 2)[1]),
        "" if not flags & FELL_BACK else str(facts.get("fallback", UNNAMED)),
    )


def _listed_facts(flags: int, extra: bytes | None) -> dict[str, Any]:
    """Return what few calls have and a list shows; nothing for all others, of which it is not even read."""
    if extra is None or not flags & (EDITED | DECIDED | FELL_BACK):
        return {}
    found = values_of(extra.decode(errors="replace"))
    return found if isinstance(found, dict) else {}


def _review_s(facts: dict[str, Any], flags: int, waited: float, *, is_sealed: bool) -> float:
    """Return how long a person was waited for; where that is sealed, all waiting of a call that was decided about."""
    return waited if is_sealed and flags & DECIDED else float(facts.get("review_s", 0.0))


def _beginning(part: bytes | None, letters: int) -> str | None:
    # A letter has four bytes at most.
    return None if part is None else part[: letters * 4].decode(errors="ignore")[:letters]


def _arguments_line(arguments: str | None) -> str:
    if arguments is None:
        return ""
    try:
        values = values_of(arguments)
    except ValueError:
        return one_line(arguments)
    if not isinstance(values, dict):
        return one_line(arguments)
    return one_line(" ".join(f"{name}={_shown(value)}" for name, value in values.items()))


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value[:_SHORT], ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)


def _summary(result: str | None, error: str | None, *, is_sealed: bool) -> str:
    if error is not None:
        try:
            kind, message, type_name = values_of(error)[:3]
        except ValueError:
            # A long traceback was cut off; the message stands before it.
            kind, message, type_name = "", _first_texts(error), ""
        return one_line(message or type_name or kind)
    if is_sealed:
        return "Encrypted"
    if result is None:
        return ""
    if result.startswith('"'):
        try:
            return one_line(values_of(result))
        except ValueError:
            return one_line(result[1:].replace("\\n", " ").replace('\\"', '"'))
    return one_line(result)


def _first_texts(error: str) -> str:
    message = error.split('","', 2)[1] if '","' in error else error
    return message.replace("\\n", " ").replace('\\"', '"')


def one_line(text: str) -> str:
    """Return a text's beginning on one line."""
    flat = " ".join(text[: _SHORT * 3].split())
    return flat if len(flat) <= _SHORT else flat[: _SHORT - 1] + "…"


def timing_of(columns: Sequence[Any]) -> CallTiming:
    """Return a call's times, from `TIMING_COLUMNS`."""
    row_id, run, key, status, flags, shape, content = columns
    body = body_of(content)
    return CallTiming(
        f"{run}-{call_of(key)}",
        STATUSES[status],
        moment_of(row_id),
        body.elapsed_us / 1e6,
        waited_s(body.times),
        flags >> ATTEMPTS_SHIFT,
        bool(flags & FROM_CACHE),
        steps_of(shape, body.times),
        _review_s(
            {} if flags & SEALED else _listed_facts(flags, body.extra),
            flags,
            waited_s(body.times),
            is_sealed=bool(flags & SEALED),
        ),
    )


class Decoder:
    """Make whole records of rows.

    Args:
        vault: Opens what is sealed; None leaves it closed.
        large: Reads a large content: (row, part) -> bytes; None when there is none.
    """

    def __init__(self, vault: Vault | None, large: Callable[[int, str], bytes | None]) -> None:
        self._vault = vault
        self._large = large

    def record(self, columns: Sequence[Any]) -> CallRecord:
        """Return a whole call, from `WHOLE_COLUMNS`."""
        row_id, run, key, tool, version, digest, source, caller, status, flags, shape, content = columns
        hidden = next((words for bit, words in _HIDDEN.items() if flags & bit), "")
        body = body_of(content)
        call = call_of(key)
        record = f"{run}-{call}"
        steps = steps_of(shape, body.times)
        arguments = result = None
        error = None if body.error is None else body.error.decode(errors="replace")
        facts: dict[str, Any] = {}
        try:
            arguments = self._text(row_id, record, flags, "arguments", body.arguments)
            result = self._text(row_id, record, flags, "result", body.result)
            extra = self._text(row_id, record, flags, "extra", body.extra)
            facts = values_of(extra) if extra else {}
        except (HistoryError, VaultError) as closed:
            arguments = result = None
            hidden = f"Arguments and result cannot be shown: {closed}."
        if "error" in facts:
            error = json.dumps(facts["error"])
        status = STATUSES[status]
        failure = None if error is None else _error_of(values_of(error))
        return CallRecord(
            id=record,
            call_id=call,
            tool=tool,
            version=version,
            digest=digest,
            source=source,
            isolation=ISOLATIONS[flags >> ISOLATION_SHIFT & _ISOLATION_MASK].value,
            caller=caller,
            status=status,
            proposed_at=moment_of(row_id),
            elapsed_s=body.elapsed_us / 1e6,
            waited_s=sum(step.waiting_s for step in steps),
            review_s=_review_s(facts, flags, sum(step.waiting_s for step in steps), is_sealed=bool(hidden)),
            running_s=sum(step.elapsed_s - step.waiting_s for step in steps if step.kind.in_tool),
            attempts=_attempts_of(facts, steps),
            from_cache=bool(flags & FROM_CACHE),
            fallback=facts.get("fallback", ""),
            fallback_reason=_error_of(facts["fallback_reason"]) if facts.get("fallback_reason") else None,
            arguments=arguments,
            edited_arguments=facts.get("edited"),
            decisions=tuple(_decision_of(facts_of_one) for facts_of_one in facts.get("decisions", ())),
            error=failure,
            result=result,
            text=facts["text"] if "text" in facts else _text_of(status, failure, result),
            logs=tuple(LogEntry(*entry) for entry in facts.get("logs", ())),
            attachments=tuple(StoredAttachment(*item) for item in facts.get("attachments", ())),
            steps=steps,
            feedback=facts.get("feedback", ""),
            turns_to_keep=facts.get("turns_to_keep"),
            retry_of=facts.get("retry_of", ""),
            sealed=bool(flags & SEALED),
            hidden=hidden,
        )

    def opened(self, record: str, part: str, content: bytes) -> bytes:
        """Return what was sealed as a part of a record.

        Raises:
            VaultError: When it does not open.
        """
        if self._vault is None:
            msg = "they are encrypted, and there is no key"
            raise VaultError(msg)
        return self._vault.open(content, f"{record}:{part}".encode())

    def _text(self, row_id: int, record: str, flags: int, part: str, inside: bytes | None) -> str | None:
        large = self._large(row_id, part) if flags & HAS_BLOBS else None
        content = inside if large is None else large
        if content is None:
            return None
        return (self.opened(record, part, content) if flags & SEALED else content).decode(errors="replace")


def _kind_of(word: str) -> ErrorKind:
    try:
        return ErrorKind(word)
    except ValueError:
        return ErrorKind.TOOL


def _error_of(parts: Sequence[Any]) -> CallError:
    kind, message, type_name, traceback, problems, remedy = parts
    return CallError(
        _kind_of(kind), message, type_name, traceback, tuple(ArgumentProblem(*problem) for problem in problems), remedy
    )


def _attempts_of(facts: dict[str, Any], steps: Sequence[Step]) -> tuple[Attempt, ...]:
    if "attempts" in facts:
        return tuple(
            Attempt(number, started_s, elapsed_s, outcome and StepOutcome(outcome), error and _error_of(error))
            for number, started_s, elapsed_s, outcome, error in facts["attempts"]
        )
    attempts = [step for step in steps if step.kind is StepKind.ATTEMPT]
    return tuple(
        Attempt(number, step.started_s, step.elapsed_s, step.outcome) for number, step in enumerate(attempts, start=1)
    )


def _text_of(status: CallStatus, error: CallError | None, result: str | None) -> str:
    if error is not None:
        return error.told(status)
    if result is None:
        return ""
    return str(values_of(result)) if result.startswith('"') else result


def _decision_of(facts: dict[str, Any]) -> Decision:
    decided_s = facts["decided_s"]
    return Decision(
        facts["question"],
        facts["timing"],
        tuple(facts["concerns"]),
        facts["shown"],
        datetime.fromtimestamp(facts["asked_s"], UTC),
        None if decided_s is None else datetime.fromtimestamp(decided_s, UTC),
        facts["answer"],
        facts["by"],
        facts["reason"],
        facts["revised"],
        facts["timed_out"],
        **{name: facts[name] for name in _JUDGED if name in facts},
    )
