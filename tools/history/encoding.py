"""A call as a row: what the writer's thread makes of a capture."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.calls import CallStatus
from tools.history.blobs import LARGE_BYTES, Blob, blob_of
from tools.history.body import Body, body_of, packed, stored
from tools.history.facts import has_rare_facts, is_own, rare_facts, words_of
from tools.history.trace import Traces
from tools.history.words import are_words, searched_words
from tools.history.writing import json_of, plain_json
from tools.spec import MISSING, Isolation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.calls import CallError, ToolCall, ToolResponse
    from tools.history.capture import Capture
    from tools.tool import Tool
    from tools.vault import Vault

STATUSES: Final = (
    CallStatus.PENDING,
    CallStatus.WAITING_FOR_REVIEW,
    CallStatus.EXECUTING,
    CallStatus.EXECUTED,
    CallStatus.FAILED,
    CallStatus.DENIED,
    CallStatus.CANCELLED,
    CallStatus.TIMED_OUT,
    CallStatus.NOT_FOUND,
    CallStatus.REJECTED,
    CallStatus.ABORTED,
)
"""Their places are the numbers in the file; new ones come last, and the first three are the open ones."""

ISOLATIONS: Final = (Isolation.INLINE, Isolation.THREAD, Isolation.PROCESS)
"""Likewise; where a call ran."""

NUMBER_BY_ISOLATION: Final = {isolation.value: number for number, isolation in enumerate(ISOLATIONS)}
NUMBER_BY_STATUS: Final = {status.value: number for number, status in enumerate(STATUSES)}

OPEN_STATUSES: Final = 3
"""How many of them are those of calls that have not ended."""

FROM_CACHE: Final = 1
EDITED: Final = 2
SEALED: Final = 4
SENSITIVE: Final = 8
NO_KEY: Final = 16
HAS_BLOBS: Final = 32
UNREADABLE: Final = 64
FELL_BACK: Final = 128

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

DECIDED: Final = 1 << 14
"""Somebody or something decided about the call."""

ISOLATION_SHIFT: Final = 8
ISOLATION_BITS: Final = 4
ATTEMPTS_SHIFT: Final = 16
"""From this bit on the flags count the attempts; between, they say where the call ran."""

BEGINNING: Final = 4_000
"""How many letters of a large text stay in the row, to be shown and found."""

RUN_BITS: Final = 10
"""How many low bits of a row's id tell runs apart; the rest is the moment of the proposal in microseconds."""


Definition = tuple[str, str, str]
"""What is kept of a tool's definition beside its name: its version, the hash of all of it, and where it comes from."""

Kind = tuple[str, Definition, str, int, int, str | None]
"""What many calls share: the tool's name, the rest of its definition, the caller, the status's number, the flags that
the module's constants name, and the shape of the trace; None when it shares none. Equal ones are one object."""

CALL: Final = 0
"""The place of the call's id in them."""

STATUS: Final = 3
"""The place of the status's number in a kind."""

Fields = tuple[Any, ...]
"""What a `Row` has, in its order. Unlike a named one, a tuple of texts and numbers costs the garbage collector nothing
while it waits."""


class Row(NamedTuple):
    """A call as it goes into the table, its kind not yet a number.

    Attributes:
        call: The call's id: a number where it is one.
        kind: What it shares with others.
        proposed_us: When it was proposed, in microseconds since the epoch.
        row_id: The row's id when the call has one; 0 when it is new.
        final: Whether the call ended.
        body: The rest of what is kept, as it is stored.
        words: What it is found by, behind the marks and names of its kind; None when that is what its body begins with.
        blobs: The large contents by the part they belong to.
    """

    call: int | str
    kind: Kind
    proposed_us: int
    row_id: int
    final: bool
    body: bytes
    words: bytes | None = None
    blobs: tuple[tuple[str, Blob], ...] = ()


class Content(NamedTuple):
    """What a call was about, as far as it is kept.

    Attributes:
        arguments: JSON text, its beginning, sealed bytes or None.
        result: Likewise.
        error: JSON text or None.
        extra: What few calls have, as JSON text or sealed bytes; None when it has nothing of it.
        words: What the call is found by.
        blobs: The large contents by the part they belong to.
    """

    arguments: bytes | None = None
    result: bytes | None = None
    error: bytes | None = None
    extra: bytes | None = None
    words: bytes = b""
    blobs: tuple[tuple[str, Blob], ...] = ()


class Encoder:
    """Make rows of captures.

    Args:
        run: The run's name, to which sealed parts are bound.
        vault: Seals what tools want encrypted; None keeps nothing of it.

    Attributes:
        run: The run's name.
    """

    def __init__(self, run: str, vault: Vault | None) -> None:
        self.run = run
        self._vault = vault
        self._definitions: dict[int, tuple[Tool, Definition, int]] = {}
        self._kinds: dict[Kind, Kind] = {}
        self._traces: Final = Traces()

    def ordinary_rows(self, captures: Sequence[Capture]) -> list[Fields | None]:
        """Return the rows of ended calls that have nothing rare and nothing large; None for any other.

        They are made on the thread of the calls and soon: keeping calls until another thread looks at them costs more
        than this, because all that they consist of stays in memory meanwhile.
        """
        traces = self._traces.split_all([capture.call.response.steps for capture in captures])
        return [self._ordinary_row(capture, *trace) for capture, trace in zip(captures, traces, strict=True)]

    def _ordinary_row(self, capture: Capture, shape: str | None, form: int, times: bytes) -> Fields | None:
        call = capture.call
        response = call.response
        definition, flags = self._of_tool(call.tool)
        arguments = capture.arguments
        if flags or type(arguments) is not bytes or capture.claimed or has_rare_facts(capture):
            return None
        result = _short_result(call)
        if result is None or len(arguments) > LARGE_BYTES or len(result) > LARGE_BYTES:
            return None
        error = b"" if response.error is None else plain_json(response.error)
        if response.from_cache:
            flags = FROM_CACHE
        if response.isolation is not _INLINE:
            flags |= NUMBER_BY_ISOLATION[response.isolation] << ISOLATION_SHIFT
        flags |= len(response.attempts) << ATTEMPTS_SHIFT
        status = response.status
        number = NUMBER_EXECUTED if status is _EXECUTED else NUMBER_BY_STATUS[status]
        key = call.id
        return (
            int(key) if key.isdecimal() else key,
            self._kind((call.name, definition, call.caller, number, flags, shape)),
            int(call.proposed_s * 1e6),
            0,
            True,
            packed(int(response.elapsed_s * 1e6), arguments, result or None, error or None, None, form, times),
            None if are_words(arguments + result + error) else searched_words(arguments, result, error),
            (),
        )

    def row(self, capture: Capture) -> Row:
        """Return the row of a call as it stands now."""
        call = capture.call
        response = call.response
        definition, flags = self._of_tool(call.tool)
        if not flags:
            content = _open_content(capture)
        elif flags & SEALED and self._vault is not None:
            content = _sealed_content(capture, self._vault, record_id(self.run, call))
        else:
            error = _silenced(response.error)
            content = Content(error=error, words=searched_words(None, None, error))
        arguments, result, error, extra, words, blobs = content
        if blobs:
            flags |= HAS_BLOBS
        if response.from_cache:
            flags |= FROM_CACHE
        if response.modified_arguments is not None:
            flags |= EDITED
        if response.fallback:
            flags |= FELL_BACK
        if capture.decisions:
            flags |= DECIDED
        flags |= len(response.attempts) << ATTEMPTS_SHIFT | NUMBER_BY_ISOLATION[response.isolation] << ISOLATION_SHIFT
        number = call.id
        shape, form, times = self._traces.split(response.steps)
        return Row(
            int(number) if number.isdecimal() else number,
            self._kind((call.name, definition, call.caller, NUMBER_BY_STATUS[response.status], flags, shape)),
            int(call.proposed_s * 1e6),
            capture.row,
            capture.finished,
            packed(int(response.elapsed_s * 1e6), arguments, result, error, extra, form, times),
            words,
            blobs,
        )

    def _kind(self, kind: Kind) -> Kind:
        """Return the one of all equal ones, which the writer need not compare."""
        known = self._kinds.get(kind)
        if known is None:
            if len(self._kinds) >= MOST_KINDS:
                self._kinds.clear()
            known = self._kinds[kind] = kind
        return known

    def _of_tool(self, tool: Tool | None) -> tuple[Definition, int]:
        if tool is None:
            return _UNKNOWN
        known = self._definitions.get(id(tool))
        if known is None or known[0] is not tool:
            if len(self._definitions) > MOST_DEFINITIONS:
                self._definitions.clear()
            known = self._definitions[id(tool)] = (tool, _definition(tool), self._flags(tool))
        return known[1], known[2]

    def _flags(self, tool: Tool) -> int:
        security = tool.policies.security
        if security is None or not (security.sensitive or security.encrypt):
            return 0
        if security.encrypt:
            return SEALED if self._vault is not None else NO_KEY
        return SENSITIVE


LISTED_ARGUMENTS: Final = 2_000
"""How many letters of the arguments a list looks at."""

_INLINE: Final = Isolation.INLINE
_EXECUTED: Final = CallStatus.EXECUTED
NUMBER_EXECUTED: Final = NUMBER_BY_STATUS[_EXECUTED]
_NO_DEFINITION: Final = ("", "", "")
_UNKNOWN: Final = (_NO_DEFINITION, 0)
MOST_DEFINITIONS: Final = 1_000
MOST_KINDS: Final = 10_000


def record_id(run: str, call: ToolCall) -> str:
    """Return the id that a call's record has."""
    return f"{run}-{call.id}"


def blank(row: Row) -> Row:
    """Return a row without what could not be stored: that the call happened, and how it ended."""
    tool, definition, caller, status, _, _ = row.kind
    body = stored(Body(body_of(row.body).elapsed_us))
    return row._replace(kind=(tool, definition, caller, status, UNREADABLE, "[]"), body=body, words=b"", blobs=())


def unreadable(capture: Capture) -> Row:
    """Return the row of a call that could not be written down."""
    call = capture.call
    status = NUMBER_BY_STATUS[call.response.status]
    return Row(
        int(call.id) if call.id.isdecimal() else call.id,
        (call.name, _NO_DEFINITION, call.caller, status, UNREADABLE, "[]"),
        int(call.proposed_s * 1e6),
        capture.row,
        capture.finished,
        stored(Body(int(call.response.elapsed_s * 1e6))),
    )


def _definition(tool: Tool) -> Definition:
    return tool.spec.version, tool.digest, tool.source.name


def _short_result(call: ToolCall) -> bytes | None:
    """Return a result that is not large as JSON text, empty when there is none; None when it has a text of its own."""
    response = call.response
    value, written = response.json_result, response.written
    if value is MISSING:
        return b""
    tool = call.tool
    if tool is None or tool.masking is None:
        if written is not None and response.written_of is value:
            # A model read it, so it was written already.
            return written.encode()
    else:
        value = call.display_result()
    result = plain_json(value)
    if written is not None and is_own(written, response, result.decode()):
        return None
    return result


def _open_content(capture: Capture) -> Content:
    response = capture.call.response
    blobs: list[tuple[str, Blob]] = []
    arguments = arguments_text(capture)
    if len(arguments) > LARGE_BYTES:
        arguments = _outside(arguments, "arguments", blobs)
    text = None if response.json_result is MISSING else json_of(capture.call.display_result())
    error = None if response.error is None else json_of(response.error).encode()
    facts = rare_facts(capture, text)
    result = None if text is None else text.encode()
    if result is not None and len(result) > LARGE_BYTES:
        result = _outside(result, "result", blobs)
    extra, more = _open_extra(facts, response, blobs)
    return Content(arguments, result, error, extra, searched_words(arguments, result, error, more), tuple(blobs))


def _open_extra(
    facts: dict[str, Any] | None, response: ToolResponse, blobs: list[tuple[str, Blob]]
) -> tuple[bytes | None, str]:
    """Return what few calls have, and what else they are found by; large contents go to the blobs."""
    if facts is None:
        return None, ""
    for number, attachment in enumerate(response.attachments):
        blob = blob_of(attachment.data)
        facts["attachments"][number][3] = blob.digest
        blobs.append((f"attachment {number}", blob))
    extra = json_of(facts).encode()
    words = words_of(facts)
    if len(extra) > LARGE_BYTES:
        blobs.append(("extra", blob_of(extra)))
        listed = {name: facts[name] for name in ("review_s",) if name in facts}
        if "edited" in facts:
            listed["edited"] = facts["edited"][:LISTED_ARGUMENTS]
        extra = json_of({"words": words, **listed}).encode()
    return extra, words


def arguments_text(capture: Capture) -> bytes:
    """Return the proposed arguments as JSON text."""
    arguments = capture.arguments
    return arguments if isinstance(arguments, bytes) else json_of(arguments).encode()


def _outside(text: bytes, part: str, blobs: list[tuple[str, Blob]]) -> bytes:
    """Put a large text among the blobs, and return its beginning, which stays in the row."""
    blobs.append((part, blob_of(text)))
    # A letter has four bytes at most.
    return text[: BEGINNING * 4].decode(errors="ignore")[:BEGINNING].encode()


def _sealed_content(capture: Capture, vault: Vault, record: str) -> Content:
    response = capture.call.response
    blobs: list[tuple[str, Blob]] = []

    def seal(part: str, content: bytes) -> bytes | None:
        sealed = vault.seal(content, f"{record}:{part}".encode())
        if len(sealed) <= LARGE_BYTES and not part.startswith("attachment"):
            return sealed
        blobs.append((part, blob_of(sealed)))
        return None

    arguments = seal("arguments", arguments_text(capture))
    text = None if response.json_result is MISSING else json_of(capture.call.display_result())
    result = None if text is None else seal("result", text.encode())
    facts = rare_facts(capture, text) or {}
    for number, attachment in enumerate(response.attachments):
        seal(f"attachment {number}", attachment.data)
        facts["attachments"][number][3] = blobs[-1][1].digest
    if response.error is not None:
        facts["error"] = list(response.error)
    extra = seal("extra", json_of(facts).encode()) if facts else None
    error = _silenced(response.error)
    return Content(arguments, result, error, extra, searched_words(None, None, error), tuple(blobs))


def _silenced(error: CallError | None) -> bytes | None:
    """Return what is kept of an error that may quote what must not be kept: its family."""
    return None if error is None else json_of((error.kind, "", error.type_name, "", (), "")).encode()
