"""Recorded calls as a file for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from tools.calls import Attachment
from tools.errors import HistoryError
from tools.history.json_text import json_of
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.calls import CallRecord, Decision

ExportFormat = Literal["jsonl", "csv"]

_ASKS_A_SPREADSHEET: Final = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is taken for a formula."""


def write_export(records: Iterable[CallRecord], path: Path, form: ExportFormat | None = None) -> int:
    """Write records one after the other; the file appears when it is whole.

    Args:
        form: `jsonl` has one object a line with all that is kept, `csv` one row a call with what fits in a table;
            None takes `csv` for a file that is called so, else `jsonl`.

    Returns:
        How many.

    Raises:
        HistoryError: When the file cannot be written, or the form is unknown.
    """
    form = form or ("csv" if path.suffix.casefold() == ".csv" else "jsonl")
    if form not in _FORMS:
        msg = f"expected the export format to be one of {', '.join(_FORMS)}, got {form!r}"
        raise HistoryError(msg)
    heading, line_of = _FORMS[form]
    beside, count = path.with_name(f".{path.name}.part"), 0
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(heading)
            for record in records:
                file.write(line_of(record))
                count += 1
        beside.replace(path)
    except OSError as error:
        msg = f"{path} cannot be written ({error.strerror or error}); choose another place"
        raise HistoryError(msg) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    return count


def document_of(records: Sequence[CallRecord]) -> str:
    """Return records as one JSON document for a person: an object, or a list of several."""
    documents = [_document(record) for record in records]
    return json.dumps(documents[0] if len(documents) == 1 else documents, indent=2, ensure_ascii=False, default=str)


def _document(record: CallRecord) -> dict[str, Any]:
    """Return a record as an object of names and values, with what follows from it for programs that do not know how."""
    facts: dict[str, Any] = _named(record)
    tool = facts.pop("tool")
    return {
        "id": facts.pop("id"),
        "call_id": record.call_id,
        "tool": tool["name"],
        "version": tool["version"],
        "digest": tool["digest"],
        "source": tool["source"],
        **facts,
        "proposed_at": record.proposed_at,
        "waited_s": record.waited_s,
        "running_s": record.running_s,
        "from_cache": record.from_cache,
        "text": record.text,
    }


def _named(value: Any) -> Any:
    """Return named tuples as objects, with their names."""
    if isinstance(value, Attachment):
        names = ("name", "mime_type", "size_bytes", "digest")
        return {name: getattr(value, name) for name in names}
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: _named(part) for name, part in zip(value._fields, value, strict=True)}
        return [_named(part) for part in value]
    return None if value is MISSING else value


def csv_line(cells: Iterable[Any], end: str = "\r\n") -> str:
    """Return cells as a line of a CSV file."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator=end).writerow(cells)
    return stream.getvalue()


def _cell(value: str | float | None) -> str | float:
    return value if isinstance(value, int | float) else harmless(value or "")


def _json(value: Any) -> str:
    return "" if value is None or value is MISSING else json_of(value)


def harmless(text: str) -> str:
    """Keep a spreadsheet from taking a cell for a formula."""
    return f"'{text}" if text.startswith(_ASKS_A_SPREADSHEET) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _told(decision: Decision) -> str:
    words = f" ({decision.reason})" if decision.reason else ""
    return f"{decision.answer or 'no answer'} by {decision.by or 'nobody'}{words}"


_COLUMNS: Final[dict[str, Callable[[CallRecord], str | float | None]]] = {
    "id": lambda record: record.id,
    "proposed_at": lambda record: record.proposed_at.isoformat(),
    "tool": lambda record: record.tool.name,
    "version": lambda record: record.tool.version,
    "source": lambda record: record.tool.source,
    "caller": lambda record: record.caller,
    "status": lambda record: record.status,
    "elapsed_s": lambda record: record.elapsed_s,
    "waited_s": lambda record: record.waited_s,
    "review_s": lambda record: record.review_s,
    "running_s": lambda record: record.running_s,
    "attempts": lambda record: len(record.attempts),
    "from_cache": lambda record: record.from_cache,
    "isolation": lambda record: record.isolation,
    "arguments": lambda record: _json(record.arguments),
    "edited_arguments": lambda record: _json(record.edited_arguments),
    "decisions": lambda record: "; ".join(map(_told, record.decisions)),
    "error": lambda record: "" if record.error is None else record.error.message,
    "result": lambda record: _json(record.result),
}
_FORMS: Final[dict[str, tuple[str, Callable[[CallRecord], str]]]] = {
    "jsonl": ("", lambda record: f"{json_of(_document(record))}\n"),
    "csv": (csv_line(_COLUMNS), lambda record: csv_line(_cell(value_of(record)) for value_of in _COLUMNS.values())),
}
"""How each form begins, and what it has of a call."""
