"""Past calls written down: as JSON documents, as a table, as a command, and without what was hidden."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO

from tools.calls import MASK

if TYPE_CHECKING:
    from tools.history import CallRecord, Decision

__all__ = ["Given", "command_of", "document_of", "given_again", "loaded", "write_csv", "write_jsonl"]

_COLUMNS: Final = (
    "proposed_at",
    "tool",
    "version",
    "caller",
    "status",
    "elapsed_s",
    "waited_s",
    "attempts",
    "from_cache",
    "arguments",
    "edited_arguments",
    "result",
    "error",
    "id",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class Given(NamedTuple):
    """Arguments for another run.

    Attributes:
        arguments: What is known of them.
        missing: What was hidden when the call was kept, by path; the person has to fill it in.
    """

    arguments: dict[str, Any]
    missing: tuple[str, ...]


def given_again(record: CallRecord) -> Given:
    """Return the arguments that a call ran with, without those that are hidden.

    Args:
        record: The call.
    """
    missing: list[str] = []
    kept = _without_masks(loaded(record.final_arguments), "", missing)
    return Given(kept if isinstance(kept, dict) else {}, tuple(missing))


def _without_masks(value: Any, path: str, missing: list[str]) -> Any:
    if not isinstance(value, Mapping):
        return value
    kept = {}
    for name, item in value.items():
        where = f"{path}.{name}" if path else name
        # Of an address only a part is hidden, but without it the rest is of no use.
        if isinstance(item, str | list) and MASK in json.dumps(item, ensure_ascii=False):
            missing.append(where)
        else:
            kept[name] = _without_masks(item, where, missing)
    return kept


def command_of(record: CallRecord) -> str:
    """Write a call as a POSIX shell runs it; what is hidden is left out."""
    given = given_again(record).arguments
    words = ["tool-console", "call", record.tool]
    if given:
        words += ["--json", json.dumps(given, ensure_ascii=False)]
    return shlex.join(words)


def document_of(record: CallRecord) -> dict[str, Any]:
    """Return a call as a JSON document."""
    error = record.error
    return {
        "id": record.id,
        "tool": record.tool,
        "version": record.version,
        "source": record.source,
        "caller": record.caller,
        "status": record.status.value,
        "proposed_at": record.proposed_at.isoformat(),
        "elapsed_s": record.elapsed_s,
        "waited_s": record.waited_s,
        "running_s": record.running_s,
        "attempts": record.attempts,
        "from_cache": record.from_cache,
        "arguments": loaded(record.arguments),
        "edited_arguments": loaded(record.edited_arguments),
        "decisions": [_decision(decision) for decision in record.decisions],
        "result": loaded(record.result),
        "error": None
        if error is None
        else {"kind": error.kind.value, "type": error.type_name, "message": error.message},
        "logs": [{"offset_s": line.offset_s, "level": line.level, "text": line.text} for line in record.logs],
        "attachments": [
            {"name": file.name, "mime_type": file.mime_type, "size_bytes": file.size_bytes, "sha256": file.digest}
            for file in record.attachments
        ],
        "steps": [
            {
                "name": step.name,
                "started_s": step.started_s,
                "elapsed_s": step.elapsed_s,
                "outcome": step.outcome.value,
                "detail": step.detail,
                "waiting_s": step.waiting_s,
            }
            for step in record.steps
        ],
        "hidden": record.hidden,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "question": decision.question,
        "concerns": list(decision.concerns),
        "shown": loaded(decision.shown),
        "asked_at": decision.asked_at.isoformat(),
        "decided_at": None if decision.decided_at is None else decision.decided_at.isoformat(),
        "answer": decision.answer,
        "by": decision.by,
        "reason": decision.reason,
        "revised": loaded(decision.revised),
        "timed_out": decision.timed_out,
    }


def write_jsonl(records: Iterable[CallRecord], file: TextIO) -> int:
    """Write one JSON object a line, and say how many."""
    count = 0
    for record in records:
        file.write(json.dumps(document_of(record), ensure_ascii=False) + "\n")
        count += 1
    return count


def write_csv(records: Iterable[CallRecord], file: TextIO) -> int:
    """Write a table with a head, and say how many calls are in it."""
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    count = 0
    for record in records:
        document = document_of(record)
        document["error"] = "" if record.error is None else record.error.message
        writer.writerow([_cell(document[column]) for column in _COLUMNS])
        count += 1
    return count


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # A spreadsheet must not take what a tool returned for a formula.
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def loaded(text: str | None) -> Any:
    """Return what a JSON text says; the text itself when it is no JSON, None for none."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
