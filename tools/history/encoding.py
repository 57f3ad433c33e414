"""A call as a row: what the writer's thread makes of a capture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tools.calls import CallStatus
from tools.history.blobs import LARGE_BYTES, Blob, blob_of
from tools.history.facts import rare_facts, words_of
from tools.history.writing import json_of
from tools.spec import MISSING, Isolation

if TYPE_CHECKING:
    from tools.calls import CallError, ToolCall
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

FROM_CACHE: Final = 1
EDITED: Final = 2
SEALED: Final = 4
SENSITIVE: Final = 8
NO_KEY: Final = 16
HAS_BLOBS: Final = 32
UNREADABLE: Final = 64

BEGINNING: Final = 4_000
"""How many letters of a large text stay in the row, to be shown and found."""

RUN_BITS: Final = 10
"""How many low bits of a row's id tell runs apart; the rest is the moment of the proposal in microseconds."""


class Definition(NamedTuple):
    """What is kept of a tool's definition beside its name.

    Attributes:
        version: The tool's version.
        digest: The hash of its definition.
        source: Where it comes from.
    """

    version: str = ""
    digest: str = ""
    source: str = ""


class Row(NamedTuple):
    """A call as it goes into the table, names not yet numbers.

    Attributes:
        call: The call's id: a number where it is one.
        tool: The tool's name.
        definition: The rest of its definition.
        caller: Who asked.
        status: The status's number.
        isolation: The number of where it ran.
        elapsed_us: Microseconds from the proposal to the end.
        waited_us: The part of it spent waiting.
        running_us: Microseconds the tool itself ran.
        attempts: How often it was started.
        flags: What the module's constants name.
        arguments: JSON text, its beginning, sealed bytes or None.
        result: Likewise.
        error: JSON text or None.
        steps: JSON text.
        extra: What few calls have, as JSON text or sealed bytes; None when it has nothing of it.
        more_words: What else the call is found by.
        blobs: The large contents by the part they belong to.
    """

    call: int | str
    tool: str
    definition: Definition
    caller: str
    status: int
    isolation: int = 0
    elapsed_us: int = 0
    waited_us: int = 0
    running_us: int = 0
    attempts: int = 0
    flags: int = 0
    arguments: str | bytes | None = None
    result: str | bytes | None = None
    error: str | None = None
    steps: str = "[]"
    extra: str | bytes | None = None
    more_words: str = ""
    blobs: tuple[tuple[str, Blob], ...] = ()


class Content(NamedTuple):
    """What a call was about, as far as it is kept.

    Attributes:
        arguments: JSON text, its beginning, sealed bytes or None.
        result: Likewise.
        error: JSON text or None.
        extra: What few calls have, as JSON text or sealed bytes; None when it has nothing of it.
        more_words: What else the call is found by.
        blobs: The large contents by the part they belong to.
    """

    arguments: str | bytes | None = None
    result: str | bytes | None = None
    error: str | None = None
    extra: str | bytes | None = None
    more_words: str = ""
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

    def row(self, capture: Capture) -> Row:
        """Return the row of a call as it stands now."""
        call = capture.call
        response = call.response
        definition, flags = self._of_tool(call.tool)
        waited_s = running_s = 0.0
        steps = response.steps.copy()
        for step in steps:
            waiting_s = step[5]
            waited_s += waiting_s
            if step[6]:
                running_s += step[2] - waiting_s
        if response.from_cache:
            flags |= FROM_CACHE
        if response.modified_arguments is not None:
            flags |= EDITED
        if not flags & _GUARDED:
            content = _open_content(capture)
        elif flags & SEALED and self._vault is not None:
            content = _sealed_content(capture, self._vault, record_id(self.run, call))
        else:
            content = Content(error=_silenced(response.error))
        arguments, result, error, extra, more_words, blobs = content
        return Row(
            _number_of(call),
            call.name,
            definition,
            call.caller,
            NUMBER_BY_STATUS[response.status],
            NUMBER_BY_ISOLATION[response.isolation],
            round(response.elapsed_s * 1e6),
            round(waited_s * 1e6),
            round(running_s * 1e6),
            response.attempts,
            flags | HAS_BLOBS if blobs else flags,
            arguments,
            result,
            error,
            json_of(steps),
            extra,
            more_words,
            blobs,
        )

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


_GUARDED: Final = SEALED | SENSITIVE | NO_KEY
_UNKNOWN: Final = (Definition(), 0)
MOST_DEFINITIONS: Final = 10_000


def record_id(run: str, call: ToolCall) -> str:
    """Return the id that a call's record has."""
    return f"{run}-{call.id}"


def blank(row: Row) -> Row:
    """Return a row without what could not be stored: that the call happened, and how it ended."""
    return row._replace(
        flags=UNREADABLE,
        arguments=None,
        result=None,
        error=None,
        steps="[]",
        extra=None,
        more_words="",
        blobs=(),
    )


def unreadable(capture: Capture) -> Row:
    """Return the row of a call that could not be written down."""
    call = capture.call
    status = NUMBER_BY_STATUS[call.response.status]
    elapsed_us = round(call.response.elapsed_s * 1e6)
    return Row(_number_of(call), call.name, Definition(), call.caller, status, elapsed_us=elapsed_us, flags=UNREADABLE)


def _number_of(call: ToolCall) -> int | str:
    return int(call.id) if call.id.isdecimal() else call.id


def _definition(tool: Tool) -> Definition:
    return Definition(tool.spec.version, tool.digest, tool.source.name)


def _open_content(capture: Capture) -> Content:
    response = capture.call.response
    blobs: list[tuple[str, Blob]] = []
    arguments = json_of(capture.arguments)
    if len(arguments) > LARGE_BYTES:
        arguments = _outside(arguments, "arguments", blobs)
    result = None
    if response.json_result is not MISSING:
        result = json_of(capture.call.display_result())
        if len(result) > LARGE_BYTES:
            result = _outside(result, "result", blobs)
    error = None if response.error is None else json_of(response.error)
    facts = rare_facts(capture)
    if facts is None:
        return Content(arguments, result, error, None, "", tuple(blobs)) if blobs else Content(arguments, result, error)
    for number, attachment in enumerate(response.attachments):
        blob = blob_of(attachment.data)
        facts["attachments"][number][3] = blob.digest
        blobs.append((f"attachment {number}", blob))
    extra = json_of(facts)
    words = words_of(facts)
    if len(extra) > LARGE_BYTES:
        blobs.append(("extra", blob_of(extra.encode())))
        extra = json_of({"words": words})
    return Content(arguments, result, error, extra, words, tuple(blobs))


def _outside(text: str, part: str, blobs: list[tuple[str, Blob]]) -> str:
    """Put a large text among the blobs, and return its beginning, which stays in the row."""
    blobs.append((part, blob_of(text.encode())))
    return text[:BEGINNING]


def _sealed_content(capture: Capture, vault: Vault, record: str) -> Content:
    response = capture.call.response
    blobs: list[tuple[str, Blob]] = []

    def seal(part: str, content: bytes) -> bytes | None:
        sealed = vault.seal(content, f"{record}:{part}".encode())
        if len(sealed) <= LARGE_BYTES and not part.startswith("attachment"):
            return sealed
        blobs.append((part, blob_of(sealed)))
        return None

    arguments = seal("arguments", json_of(capture.arguments).encode())
    result = None
    if response.json_result is not MISSING:
        result = seal("result", json_of(capture.call.display_result()).encode())
    facts = rare_facts(capture) or {}
    for number, attachment in enumerate(response.attachments):
        seal(f"attachment {number}", attachment.data)
        facts["attachments"][number][3] = blobs[-1][1].digest
    if response.error is not None:
        facts["error"] = list(response.error)
    extra = seal("extra", json_of(facts).encode()) if facts else None
    return Content(arguments, result, _silenced(response.error), extra, "", tuple(blobs))


def _silenced(error: CallError | None) -> str | None:
    """Return what is kept of an error that may quote what must not be kept: its family."""
    return None if error is None else json_of((error.kind, "", error.type_name, "", (), ""))
