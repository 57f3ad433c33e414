"""Messages over pipes, one a line; and a pace for servers that talk without end."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Final, Self

from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage

    from tools.mcp.message_recorder import MessageRecorder

MAX_MESSAGE_BYTES: Final = 32 * 1024 * 1024
"""The longest message that is read; whoever sends a longer one is hung up on."""

MAX_GARBAGE_LINES: Final = 1_000
"""So many lines that are no messages, and none that is, are no server."""

UNASKED: Final = (JSONRPCNotification, JSONRPCRequest)
"""Messages that are no answers."""

_READ_BYTES: Final = 1 << 18
_TURN: Final = 20
"""Messages after which others get their turn."""
_BURST: Final = 50
_BURST_S: Final = 0.025
_REST_S: Final = 0.01
"""So many unasked messages in so short a time are followed by a rest."""


UNREADABLE: Final = -32098
"""The code of an error that this side writes in place of an answer that cannot be read."""

_ANSWER: Final = re.compile(rb'"(?:result|error)"\s*:')
_NUMBER: Final = rb'"id"\s*:\s*([0-9]{1,18}|"[^"\\]{0,200}")\s*'
_FIRST_NUMBER: Final = re.compile(_NUMBER)
_LAST_NUMBER: Final = re.compile(_NUMBER + rb'(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')
_TOLD_LETTERS: Final = 1_000
_REASONS: Final = (
    ("recursion limit", "is nested deeper than 200 levels"),
    ("hex escape", "has half a letter (a lone surrogate) in a text"),
    ("surrogate", "has half a letter (a lone surrogate) in a text"),
    ("unicode code point", "is no UTF-8 text"),
    ("out of range", "has a number with more digits than can be read"),
)


class MessageTooLargeError(Exception):
    """Report a server that sends more than is read; the message says how much."""


class MalformedMessageError(Exception):
    """Report a server that writes what is no message; the message quotes it."""


class _Closed(Exception):  # noqa: N818 -- it is no failure
    """The other side has ended."""


class ClosedByBlock:
    """What a block closes at its end, as the library's streams are."""

    async def aclose(self) -> None:
        """Close it."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class LineThrottle:
    """See to it that a server that talks without end leaves room for others on the event loop.

    Answers are never held back: only what comes unasked is, and the server waits meanwhile with a full pipe.
    """

    def __init__(self) -> None:
        self._since = 0
        self._unasked = 0
        self._began_s = perf_counter()

    async def keep(self, *, unasked: bool) -> None:
        """Wait if it is time for others; call it for each message.

        Args:
            unasked: Whether the message is no answer.
        """
        self._since += 1
        if unasked:
            self._unasked += 1
            if self._unasked >= _BURST:
                now_s = perf_counter()
                hurried = now_s - self._began_s < _BURST_S
                self._unasked, self._began_s = 0, now_s
                if hurried:
                    self._since = 0
                    await asyncio.sleep(_REST_S)
                    return
        if self._since >= _TURN:
            self._since = 0
            await asyncio.sleep(0)


def refusal_of(line: bytes, error: ValidationError) -> JSONRPCError | None:
    """Return what tells the request that was answered why its answer cannot be read.

    Args:
        error: Why it is no message.

    Returns:
        None when it is no answer, or to nobody knows which request.
    """
    answer = _ANSWER.search(line)
    if answer is None:
        return None
    # Inside the result there may be anything: only what stands before it, or at the very end, is the answer's own.
    found = _FIRST_NUMBER.search(line, 0, answer.start()) or _LAST_NUMBER.search(line[-_TOLD_LETTERS:])
    if found is None:
        return None
    number = found[1].decode("utf-8", "replace")
    said = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = (words for sign, words in _REASONS if sign in said["msg"])
    is_json = said["type"] != "json_invalid"
    words = next(known, "is no message of JSON-RPC" if is_json else "is no JSON")
    return JSONRPCError(
        jsonrpc="2.0",
        id=number[1:-1] if number.startswith('"') else int(number),
        error=ErrorData(code=UNREADABLE, message=f"the server's answer {words}"),
    )


class Lines(ClosedByBlock):
    """Read messages from a server's output, one a line; what is no message is logged and passed over.

    Args:
        traffic: Takes note of each message.
        on_end: Is called once, when the output ends: with what ended it, or None.
        take: Takes a message that is for nobody who reads here, and tells whether it did.
    """

    def __init__(
        self,
        stdout: asyncio.StreamReader,
        traffic: MessageRecorder,
        on_end: Callable[[Exception | None], None],
        take: Callable[[JSONRPCMessage], bool],
    ) -> None:
        self._stdout = stdout
        self._traffic = traffic
        self._take = take
        self._on_end = on_end
        self._buffer = bytearray()
        self._searched = 0
        self._closed = False
        self._pace = LineThrottle()

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            StopAsyncIteration: When there is none any more.
        """
        return await self.__anext__()

    def __aiter__(self) -> Self:
        """Iterate over the messages."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        while not self._closed:
            try:
                line = await self._line()
            except (_Closed, OSError):
                self._end(None)
                break
            except MessageTooLargeError as error:
                self._end(error)
                break
            if not line.strip():
                continue
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError as error:
                if (refusal := refusal_of(line, error)) is not None:
                    self._traffic.received(refusal, line)
                    if self._take(refusal):
                        continue
                    return SessionMessage(refusal)
                self._traffic.received_garbage(line)
                await self._pace.keep(unasked=True)
                if self._traffic.garbage_lines >= MAX_GARBAGE_LINES and not self._traffic.messages:
                    self._end(MalformedMessageError(self._traffic.garbage))
                continue
            self._traffic.received(message, line)
            await self._pace.keep(unasked=isinstance(message, UNASKED))
            if not self._take(message):
                return SessionMessage(message)
            if isinstance(message, UNASKED):
                # Whoever passes it on does so before the next, or tells the newest alone.
                await asyncio.sleep(0)
        raise StopAsyncIteration

    async def _line(self) -> bytes:
        buffer = self._buffer
        while True:
            end = buffer.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(buffer[:end])
                del buffer[: end + 1]
                self._searched = 0
                return line
            self._searched = len(buffer)
            if len(buffer) > MAX_MESSAGE_BYTES:
                limit = MAX_MESSAGE_BYTES // 1024 // 1024
                raise MessageTooLargeError(f"it sent a message of more than {limit} MiB")
            chunk = await self._stdout.read(_READ_BYTES)
            if not chunk:
                raise _Closed
            buffer += chunk

    def _end(self, error: Exception | None) -> None:
        self._closed = True
        self._buffer.clear()
        self._on_end(error)

    async def aclose(self) -> None:
        self._closed = True


class LineWriter(ClosedByBlock):
    """Write messages to a server's input, one a line; it is closed with the process.

    Args:
        traffic: Takes note of each message.
    """

    def __init__(self, stdin: asyncio.StreamWriter, traffic: MessageRecorder) -> None:
        self._stdin = stdin
        self._traffic = traffic

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message, and wait while the pipe is full."""
        self.write(item.message)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await self._stdin.drain()

    def write(self, message: JSONRPCMessage) -> None:
        """Write a message; what a server that has ended does not read is dropped."""
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        # Its end is noticed where its output ends.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._stdin.write(line + b"\n")
        # The server works meanwhile.
        self._traffic.sent(message, line)
