"""Recorded calls as a file for other programs."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal

from tools.errors import HistoryError
from tools.history.records import CallRecord
from tools.history.writing import json_of

if TYPE_CHECKING:
    from tools.history.records import Decision

ExportFormat = Literal["jsonl", "csv"]

_RAW: Final = ("arguments", "edited_arguments", "result")
"""Attributes that are JSON already, and stay letter by letter what they are."""

_COLUMNS: Final = (
    "id",
    "proposed_at",
    "tool",
    "version",
    "source",
    "caller",
    "status",
    "elapsed_s",
    "waited_s",
    "review_s",
    "running_s",
    "attempts",
    "from_cache",
    "isolation",
    "arguments",
    "edited_arguments",
    "decisions",
    "error",
    "result",
)
_ASKS_A_SPREADSHEET: Final = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is taken for a formula."""

_PART: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{},:]|[^][{},:"\s]++', re.DOTALL)
_OPENING: Final = frozenset("[{")
_CLOSING: Final = frozenset("]}")


def write_export(records: Iterable[CallRecord], path: Path, form: ExportFormat | None = None) -> int:
    """Write records one after the other; the file appears when it is whole.

    Args:
        records: The calls.
        path: The file.
        form: `jsonl` has one object a line with all that is kept, `csv` one row a call with what fits in a table;
            None takes `csv` for a file that is called so, else `jsonl`.

    Returns:
        How many.

    Raises:
        HistoryError: When the file cannot be written, or the form is unknown.
    """
    form = form or ("csv" if path.suffix.casefold() == ".csv" else "jsonl")
    if form not in _WRITERS:
        msg = f"expected the export format to be one of {', '.join(_WRITERS)}, got {form!r}"
        raise HistoryError(msg)
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            count = _WRITERS[form](records, file)
        beside.replace(path)
    except OSError as error:
        msg = f"{path} cannot be written ({error.strerror or error}); choose another place"
        raise HistoryError(msg) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    return count


def document_of(records: Sequence[CallRecord]) -> str:
    """Return records as one JSON document for a person, letter by letter what is kept: an object, or a list of several.

    Args:
        records: The calls, at least one.
    """
    lines = ["".join(_line(record)) for record in records]
    return _indented(lines[0] if len(lines) == 1 else f"[{','.join(lines)}]")


def _indented(text: str) -> str:
    """Return a JSON text with a line for each part, two spaces a level, its numbers and texts as they were."""
    pieces: list[str] = []
    depth, before = 0, ""
    for part in _PART.findall(text):
        is_first, is_end = before in _OPENING, part in _CLOSING
        depth -= is_end
        if (is_first or is_end or before == ",") and not (is_first and is_end):
            pieces.append("\n" + "  " * depth)
        depth += part in _OPENING
        pieces.append(": " if part == ":" else part)
        before = part
    return "".join(pieces)


def _write_lines(records: Iterable[CallRecord], file: IO[str]) -> int:
    count = 0
    for record in records:
        file.writelines(_line(record))
        count += 1
    return count


def _line(record: CallRecord) -> Iterator[str]:
    before = "{"
    for field in fields(record):
        value = getattr(record, field.name)
        yield f'{before}"{field.name}":'
        yield value if field.name in _RAW and value is not None else json_of(_plain(value))
        before = ","
    yield "}\n"


def _plain(value: Any) -> Any:
    """Return named tuples as objects, with their names."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: _plain(part) for name, part in zip(value._fields, value, strict=True)}
        return [_plain(part) for part in value]
    return value


def _write_table(records: Iterable[CallRecord], file: IO[str]) -> int:
    table = csv.writer(file)
    table.writerow(_COLUMNS)
    count = 0
    for record in records:
        table.writerow([_cell(record, column) for column in _COLUMNS])
        count += 1
    return count


def _cell(record: CallRecord, column: str) -> str | float:
    value = getattr(record, column)
    if column == "decisions":
        value = "; ".join(map(_told, record.decisions))
    elif column == "attempts":
        value = len(record.attempts)
    elif column == "error":
        value = "" if record.error is None else record.error.message
    elif column == "proposed_at":
        value = record.proposed_at.isoformat()
    if isinstance(value, int | float):
        return value
    return harmless(value or "")


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


_WRITERS: Final[dict[str, Callable[[Iterable[CallRecord], IO[str]], int]]] = {
    "jsonl": _write_lines,
    "csv": _write_table,
}
