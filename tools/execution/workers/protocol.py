"""What the program and a worker process say to each other: frames of a length, a kind and a body.

Nothing here is unpickled. The bodies are JSON, texts and plain bytes: a worker runs foreign code, so what it sends is
data of which nothing is believed.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.schema import json_bytes, json_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.tool import ToolResult

HEADER: Final = struct.Struct("<IB")
"""The body's length in bytes, and the frame's kind."""

CALL_HEADER: Final = struct.Struct("<II")
"""With what the body of `CALL` begins: the tool's number, and the length in bytes of what is told about the caller."""

LARGEST_BODY: Final = 1 << 30
"""A longer frame, in bytes, is a broken one."""

LONG_BODY: Final = 64 * 1024
"""From so many bytes on a body gets its own place at once."""

LARGEST_WORDS: Final = 16 << 20
"""The longest body, in bytes, of a frame that is neither a value, a file nor a plugin."""


class FrameKind(IntEnum):
    """What a frame says.

    To the worker: `TOOL` how a tool is found, `CONTEXT` what surrounds calls from now on, `CALL` which tool to run for
    whom with which arguments, `CANCEL` stop, `ANSWER` and `REFUSAL` what came of a question. From the worker: `READY`;
    while a tool runs `SAY` which method of its context it calls with which arguments, `ATTACH` a file, `ASK` a
    question, and `WORN` when the worker should be replaced; `OPEN_LIST` to `CLOSE` the parts of a large value. The rest
    end a call; `RESULT` says whether a `ToolResult` is a success and what went wrong; its text, and what it has
    besides, follow as a list.
    """

    TOOL = 1
    CONTEXT = 2
    CALL = 3
    CANCEL = 4
    ANSWER = 5
    REFUSAL = 6

    READY = 32
    SAY = 33
    ATTACH = 34
    ASK = 35
    WORN = 36

    OPEN_LIST = 48
    OPEN_DICT = 49
    KEY = 50
    ITEMS = 51
    ENTRIES = 52
    TEXT = 53
    PART = 54
    CLOSE = 55

    VALUE = 64
    BUILT = 65
    NOTHING = 66
    BYTES = 67
    RESULT = 68
    FAILED = 69


_LONG: Final = frozenset(
    {
        FrameKind.TOOL,
        FrameKind.CALL,
        FrameKind.ATTACH,
        FrameKind.ITEMS,
        FrameKind.ENTRIES,
        FrameKind.TEXT,
        FrameKind.PART,
        FrameKind.VALUE,
        FrameKind.BYTES,
    }
)
_KINDS: Final = {kind.value: kind for kind in FrameKind}


class WorkerResult(NamedTuple):
    """The JSON that a tool's return value was written as, where it ran; never an object of the worker's.

    Attributes:
        tool_result: The `ToolResult` it came in; None when the tool returned a plain value.
        problem: Why the return value has no JSON form; empty when it has one.
    """

    value: Any = None
    tool_result: ToolResult | None = None
    problem: str = ""


class ProtocolError(Exception):
    """Report bytes that are no frame, or a frame that has no place here."""


def frame(kind: int, body: bytes = b"") -> bytes:
    """Return a frame as bytes."""
    return HEADER.pack(len(body), kind) + body


def read_json(body: bytes) -> Any:
    """Return the JSON value that bytes mean.

    Raises:
        ProtocolError: They are no JSON.
    """
    try:
        return json_value(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"expected JSON, got {body[:40]!r}") from error


def write_with_bytes(words: Any, data: bytes) -> bytes:
    """Return a JSON value and the bytes behind it, as `read_with_bytes` takes them apart."""
    written = json_bytes(words)
    return len(written).to_bytes(4, "little") + written + data


def read_with_bytes(body: bytes) -> tuple[Any, bytes]:
    """Return a JSON value and the bytes behind it."""
    end = 4 + int.from_bytes(body[:4], "little")
    return read_json(body[4:end]), body[end:]


def write_text(text: str) -> bytes:
    """Return a text as bytes, whatever is in it."""
    return text.encode("utf-8", "surrogatepass")


def read_text(body: bytes) -> str:
    """Return the text that bytes mean."""
    try:
        return body.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"expected text, got {body[:40]!r}") from error


class FrameBuffer:
    """Cut a stream of bytes into frames; a long body grows where it stays, without being copied at its end."""

    def __init__(self) -> None:
        self._rest = b""
        self._kind = FrameKind.READY
        self._body: BytesIO | None = None
        self._missing = 0

    def feed(self, data: bytes) -> Iterator[tuple[FrameKind, bytes]]:
        """Return the whole frames that bytes complete, and keep the beginning of the next.

        Raises:
            ProtocolError: The bytes are no frames.
        """
        at = 0
        if self._body is not None:
            at = min(self._missing, len(data))
            self._body.write(data if at == len(data) else data[:at])
            self._missing -= at
            if self._missing:
                return
            body, self._body = self._body.getvalue(), None
            yield self._kind, body
        elif self._rest:
            data = self._rest + data
            self._rest = b""
        end = len(data)
        while end - at >= HEADER.size:
            size, number = HEADER.unpack_from(data, at)
            kind = _KINDS.get(number)
            if kind is None or size > LARGEST_BODY or (size > LARGEST_WORDS and kind not in _LONG):
                raise ProtocolError(f"expected a frame, got {data[at : at + 40]!r}")
            begin = at + HEADER.size
            if end - begin < size:
                if size > LONG_BODY:
                    self._kind, self._missing = kind, size - (end - begin)
                    self._body = BytesIO()
                    self._body.write(data[begin:])
                    return
                break
            at = begin + size
            yield kind, data[begin:at]
        self._rest = data[at:]
