"""Calls of the history written down for other programs: as JSON documents, or as a table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from tools.history.records import CallRecord, Decision

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


def document_of(record: CallRecord) -> dict[str, Any]:
    """Return a call as a JSON document."""
    error = record.error
    return {
        "id": record.id,
        "tool": record.tool,
        "version": record.version,
        "digest": record.digest,
        "source": record.source,
        "isolation": record.isolation,
        "caller": record.caller,
        "status": record.status.value,
        "proposed_at": record.proposed_at.isoformat(),
        "elapsed_s": record.elapsed_s,
        "waited_s": record.waited_s,
        "running_s": record.running_s,
        "attempts": record.attempts,
        "from_cache": record.from_cache,
        "fallback": record.fallback,
        "arguments": loaded(record.arguments),
        "edited_arguments": loaded(record.edited_arguments),
        "decisions": [_decision(decision) for decision in record.decisions],
        "result": loaded(record.result),
        "error": None
        if error is None
        else {"kind": error.kind.value, "type": error.type_name, "message": error.message},
        "feedback": record.feedback,
        "logs": [{"offset_s": line.offset_s, "level": line.level, "text": line.text} for line in record.logs],
        "attachments": [
            {"name": file.name, "mime_type": file.mime_type, "size_bytes": file.size_bytes, "sha256": file.digest}
            for file in record.attachments
        ],
        "steps": [{**step._asdict(), "outcome": step.outcome.value} for step in record.steps],
        "hidden": record.hidden,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        **decision._asdict(),
        "concerns": list(decision.concerns),
        "shown": loaded(decision.shown),
        "asked_at": decision.asked_at.isoformat(),
        "decided_at": None if decision.decided_at is None else decision.decided_at.isoformat(),
        "revised": loaded(decision.revised),
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
