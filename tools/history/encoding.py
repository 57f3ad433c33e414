"""A record as a row of the table, and a row as the record again: what is read is what was written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import TypeAdapter

from tools.calls import Attachment, CallError, CallRecord, CallStatus, ErrorKind, ToolRef
from tools.errors import HistoryError, VaultError
from tools.history.blobs import LARGE_BYTES, Blob, blob_of
from tools.history.json_text import is_large, json_of, plain_json
from tools.history.records import UNNAMED, HistoryRow
from tools.history.words import indexed_parts, words_of
from tools.schema import json_beginning, json_value
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.vault import Vault

RUN_BITS: Final = 10
"""How many low bits of a row's id tell runs apart; the rest is the moment of the proposal in microseconds."""

OUTSIDE_BYTES: Final = LARGE_BYTES // 4
"""From this size on a part of a large record becomes a file of its own."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NAMES: Final = CallRecord._fields[1:]
_DEFAULTS: Final = [CallRecord._field_defaults.get(name, ...) for name in _NAMES]
_encoded: Final = json.JSONEncoder(ensure_ascii=False).encode
_quoted: Final = json.encoder.encode_basestring
_SHORT: Final = 200
_LISTED: Final = 600
"""How many letters of a part are looked at for a line of a list."""

_SEALED: Final = "sealed"
"""The part that holds the encrypted attributes of a record."""

_SENSITIVE: Final = "The tool is sensitive: its arguments and result are not kept."
_NO_KEY: Final = "The tool wants its arguments and result encrypted, and there was no key: they are not kept."
_UNREADABLE: Final = "The call could not be written down: only that it happened is kept."


class CallRow(NamedTuple):
    """A call as it goes into the table.

    Attributes:
        decided: Whether somebody or something decided about it.
        proposed_us: When it was proposed, in microseconds since the epoch.
        listed: What a list shows of it, as JSON text.
        row_id: The row's id when the call has one; 0 when it is new.
        sealed: What of it is encrypted; None for nothing.
        keeps_words: Whether the words cannot be made of the record alone.
        blobs: The large contents by the part they belong to.
    """

    call: str
    tool: str
    caller: str
    status: CallStatus
    decided: bool
    proposed_us: int
    elapsed_s: float
    listed: str
    record: str
    words: str
    row_id: int = 0
    sealed: bytes | None = None
    keeps_words: bool = False
    blobs: tuple[tuple[str, Blob], ...] = ()

    @property
    def size_bytes(self) -> int:
        blobs = sum(len(blob.content) for _, blob in self.blobs)
        return len(self.record) + len(self.words) + len(self.sealed or b"") + blobs

    def blank(self) -> CallRow:
        """Return the row without what could not be stored: that the call happened, and how it ended."""
        record = CallRecord(self.call, ToolRef(self.tool), self.caller, self.proposed_us / 1e6, self.status)
        return unreadable(record._replace(elapsed_s=self.elapsed_s))._replace(row_id=self.row_id)


def row_of(record: CallRecord, run: str, vault: Vault | None) -> CallRow:
    """Return the row of a record.

    Args:
        record: The record, with the call's id within its run.
        run: The run's name, to which sealed parts are bound.
        vault: Seals what tools want encrypted; None keeps nothing of it.
    """
    tool, whole = record.tool, record
    blobs: list[tuple[str, Blob]] = []
    sealed: bytes | None = None
    if tool.encrypted and vault is not None:
        key = f"{run}-{record.id}"
        whole = _without_data(record, blobs, lambda data, part: vault.seal(data, f"{key}:{part}".encode()))
        record = _closed(whole, "")._replace(sealed=True)
        open_values = _values(record)
        secret = {name: value for name, value in _values(whole).items() if open_values.get(name, ...) != value}
        sealed = vault.seal(_written(secret).encode(), f"{key}:{_SEALED}".encode())
        if len(sealed) > LARGE_BYTES:
            blobs.append((_SEALED, blob_of(sealed)))
            sealed = None
    elif tool.encrypted or tool.sensitive:
        record = _closed(record, _NO_KEY if tool.encrypted else _SENSITIVE)
    elif record.attachments:
        record = _without_data(record, blobs, lambda data, _: data)
    values = _values(record)
    parts = indexed_parts(values)
    words = words_of(values, parts)
    large = is_large(record.result) or is_large(record.arguments) or is_large(record.logs)
    text = "" if large else _written(values)
    outside = large or len(text) > LARGE_BYTES
    if outside:
        text = _without_large_parts(values, blobs)
    return CallRow(
        whole.id,
        _storable(tool.name),
        _storable(record.caller),
        record.status,
        bool(whole.decisions),
        round(record.proposed_s * 1e6),
        record.elapsed_s,
        _written(_listed(record, parts.get("result", ""), is_edited=whole.edited_arguments is not None)),
        text,
        words,
        sealed=sealed,
        keeps_words=outside,
        blobs=tuple(blobs),
    )


def unreadable(record: CallRecord) -> CallRow:
    """Return the row of a call that could not be written down: that it happened, and how it ended."""
    tool = record.tool._replace(name=_storable(record.tool.name))
    least = CallRecord(record.id, tool, _storable(record.caller), record.proposed_s, record.status)
    return row_of(least._replace(elapsed_s=record.elapsed_s, hidden=_UNREADABLE), "", None)


def _values(record: CallRecord) -> dict[str, Any]:
    """Return what a record has beside its id and beyond the defaults, as JSON by name."""
    values = {
        name: value
        for name, value, default in zip(_NAMES, record[1:], _DEFAULTS, strict=True)
        if value is not default and value != default
    }
    # Each member of an enumeration takes the JSON writer 2 µs, which is a fifth of what a recorded call may cost.
    values["status"] = str(record.status)
    if record.steps:
        values["steps"] = [(str(step.kind), *step[1:3], str(step.outcome), *step[4:]) for step in record.steps]
    if record.attempts:
        values["attempts"] = [(*one[:3], one.outcome and str(one.outcome), one.error) for one in record.attempts]
    return values


def _written(values: Any) -> str:
    return plain_json(values).decode()


def _without_large_parts(values: dict[str, Any], blobs: list[tuple[str, Blob]]) -> str:
    """Return a record as JSON text; parts of it that are large go to the blobs."""
    inside: dict[str, Any] = {}
    for name, value in values.items():
        text = json_of(value) if is_large(value) else _written(value)
        if len(text) > OUTSIDE_BYTES:
            blobs.append((name, blob_of(text.encode())))
        else:
            inside[name] = value
    return _written(inside)


def _without_data(
    record: CallRecord, blobs: list[tuple[str, Blob]], stored: Callable[[bytes, str], bytes]
) -> CallRecord:
    """Return a record whose attachments say where their bytes are; those go to the blobs."""
    files: list[Attachment] = []
    for number, file in enumerate(record.attachments):
        part = f"attachment {number}"
        blob = blob_of(stored(file.data, part))
        blobs.append((part, blob))
        files.append(Attachment(file.name, file.mime_type, b"", file.size_bytes, blob.digest))
    return record._replace(attachments=tuple(files))


def _closed(record: CallRecord, hidden: str) -> CallRecord:
    """Return a record without what may quote arguments or result: that it ran, when, and how it ended."""
    return record._replace(
        arguments=None,
        edited_arguments=None,
        decisions=(),
        attempts=tuple(attempt._replace(error=_silenced(attempt.error)) for attempt in record.attempts),
        fallback=UNNAMED if record.fallback else "",
        fallback_reason=_silenced(record.fallback_reason),
        error=_silenced(record.error),
        result=MISSING,
        own_text=None,
        partial_text="",
        logs=(),
        attachments=(),
        feedback="",
        hidden=hidden,
    )


def _silenced(error: CallError | None) -> CallError | None:
    """Return what is kept of an error that may quote what must not be kept: its family."""
    return None if error is None else CallError(error.kind, "", error.type_name)


def _storable(text: str) -> str:
    """Return a text without the lone surrogates that UTF-8 does not know."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _listed(record: CallRecord, result: str, *, is_edited: bool) -> list[Any]:
    """Return what a row of a list has beyond the table's columns, in its order; `result` is its JSON text."""
    error = record.error
    asked = _arguments_line(record.arguments)
    ran = asked if record.edited_arguments is None else _arguments_line(record.edited_arguments)
    return [
        record.waited_s,
        record.review_s,
        ran,
        asked if ran != asked else "",
        _summary(record, result),
        record.from_cache,
        len(record.attempts),
        is_edited,
        None if error is None else error.kind,
        record.fallback,
    ]


def _summary(record: CallRecord, text: str) -> str:
    error = record.error
    if error is not None:
        return _one_line(error.message or error.type_name or error.kind)
    if record.sealed:
        return "Encrypted"
    result = record.result
    return _one_line(result if isinstance(result, str) else text)


def _arguments_line(arguments: Mapping[str, Any] | None) -> str:
    words: list[str] = []
    letters = 0
    for name, value in (arguments or {}).items():
        words.append(f"{name}={_shown(value)}")
        letters += len(words[-1])
        if letters > _LISTED:
            break
    return _one_line(" ".join(words))


def _shown(value: Any) -> str:
    if isinstance(value, dict | list) and is_large(value):
        return json_beginning(value, _SHORT)
    return _quoted(value[:_SHORT]) if isinstance(value, str) else _encoded(value)


def _one_line(text: str) -> str:
    flat = " ".join(text[:_LISTED].split())
    return flat if len(flat) <= _SHORT else flat[: _SHORT - 1] + "…"


LIST_COLUMNS: Final = "calls.id, runs.name, call, tool, caller, status, elapsed_s, listed"
"""What `list_row` takes."""


def list_row(columns: Sequence[Any]) -> HistoryRow:
    """Return a row of a list, from `LIST_COLUMNS`."""
    row_id, run, call, tool, caller, status, elapsed_s, listed = columns
    *shown, error_kind, fallback = json_value(listed)
    moment = moment_of(row_id)
    kind = error_kind and ErrorKind(error_kind)
    return HistoryRow._make(
        (f"{run}-{call}", tool, caller, CallStatus(status), moment, elapsed_s, *shown, kind, fallback)
    )


def moment_of(row_id: int) -> datetime:
    """Return when the call of a row was proposed."""
    return _EPOCH + timedelta(microseconds=row_id >> RUN_BITS)


def row_bound(moment: datetime) -> int:
    """Return the least id of rows proposed at a moment or later."""
    aware = moment if moment.tzinfo is not None else moment.astimezone()
    return ((aware - _EPOCH) // timedelta(microseconds=1)) << RUN_BITS


def aborted(listed: str, record: str, error: CallError) -> tuple[str, str]:
    """Return the `listed` and the `record` of a call that never ended, as one that was given up."""
    shown, values = json_value(listed), json_value(record)
    shown[4], shown[8] = _one_line(error.message), error.kind
    return _written(shown), _written({**values, "status": CallStatus.ABORTED, "error": error})


def record_of_row(
    key: str,
    text: str,
    sealed: bytes | None,
    *,
    vault: Vault | None = None,
    parts: Callable[[], Mapping[str, bytes]] = dict,
) -> CallRecord:
    """Return the record that was written.

    Args:
        key: The record's id, `run-call`.
        sealed: What of it is encrypted; None for nothing, or when it is large.
        vault: Opens what is sealed; None leaves it closed.
        parts: Reads the large contents by the part they belong to.
    """
    values: dict[str, Any] = json_value(text)
    try:
        large = dict(parts())
        sealed = large.pop(_SEALED, sealed)
        values |= {name: json_value(content) for name, content in large.items() if not name.startswith("attachment ")}
        if sealed is not None:
            # A name that stands for another is only in the open part.
            values |= json_value(opened(key, _SEALED, sealed, vault))
    except (HistoryError, VaultError) as closed:
        values["hidden"] = f"Arguments and result cannot be shown: {closed}."
    return _records().validate_python({**values, "id": key})


@cache
def _records() -> TypeAdapter[CallRecord]:
    # Made when the first record is read: a start reads none.
    return TypeAdapter(CallRecord)


def opened(key: str, part: str, content: bytes, vault: Vault | None) -> bytes:
    """Return what was sealed as a part of a record.

    Raises:
        VaultError: When it does not open.
    """
    if vault is None:
        raise VaultError("they are encrypted, and there is no key")
    return vault.open(content, f"{key}:{part}".encode())
