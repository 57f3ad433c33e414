"""HTTP connections that do not stay open for clients that send or read drop by drop."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

REQUEST_S: Final = 20.0
"""How long a client may take for a whole request, in seconds; for one on this computer that is a lot."""

READING_S: Final = 60.0
"""How long a client may leave what it was sent unread."""

LARGEST_HEAD: Final = 64 * 1024
"""How much of a request may come that is none of its body, in bytes; what one read brings is taken nevertheless."""

_MOST_JOINED: Final = 64 * 1024

GONE: Final = "tool_console.gone"
"""Where the scope of a request has the future that is done when it is answered or its client is gone; in the older era,
the SDK lets the request go on then."""

WRITTEN: Final = "tool_console.written"
"""Where the scope of a request has the future of whether the system took all of its answer."""


class _JoinedWrites(asyncio.Transport):
    """Send what is written in one turn of the loop as one, so that a client wakes once for the head and the body.

    Args:
        loop: Whose turn it is.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(bytes(data))
        self._size += len(data)
        if self._size > _MOST_JOINED:
            self.flush()

    def flush(self) -> None:
        parts, self._parts = self._parts, []
        size, self._size = self._size, 0
        for part in parts if size > _MOST_JOINED else filter(None, [b"".join(parts)]):
            self._transport.write(part)

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)


class TimedHttpProtocol(HttpToolsProtocol):
    """Close a connection whose request is not whole in time or has no end, and one whose client does not read.

    WORKAROUND uvicorn 0.54: its one limit, `timeout_keep_alive`, counts only while nothing of a request is there, so a
    single byte ends it. Headers may have any size. The body of a request that asks for another protocol is lost, as
    Java's client sends each first one.
    """

    _request_ends: asyncio.TimerHandle | None = None
    _reading_ends: asyncio.TimerHandle | None = None
    _gone: asyncio.Future[None] | None = None
    _writes: _JoinedWrites
    _is_begun = False
    _is_lost = False
    _is_unread = False
    _head_bytes = 0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._inside = self.app
        self.app = self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = self._gone = scope[GONE] = self.loop.create_future()
        written = scope[WRITTEN] = self.loop.create_future()
        is_answered = False

        async def said(message: Message) -> None:
            nonlocal is_answered
            await send(message)
            # Of a stream, clients read no further than to their answer.
            is_answered = is_answered or (not self._is_lost and _answers(message.get("body", b"")))

        try:
            await self._inside(scope, receive, said)
            self._writes.flush()
            # What the client does not read waits here.
            await self.flow.drain()
        finally:
            _end(gone)
            written.set_result(is_answered and not self._is_unread)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._writes = _JoinedWrites(transport, self.loop)
        super().connection_made(self._writes)
        self._look_at_request()

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        self._head_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            if self.parser.get_method() == b"CONNECT":
                self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "expected a request of this server, got one for another")
            else:
                self._stay_with_http(data[upgrade.args[0] :])
            return
        except httptools.HttpParserError as error:
            self.logger.warning("a request was no HTTP: %s", error)
            self._refuse(HTTPStatus.BAD_REQUEST, "expected a request of HTTP/1.1, got something else")
            return
        if self._head_bytes > LARGEST_HEAD:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "expected headers of at most 64 KiB")
            return
        self._look_at_request()

    def _stay_with_http(self, rest: bytes) -> None:
        """Read a request that asks for another protocol as if it did not."""
        kept = [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
        head = b"%b %b HTTP/1.1\r\n%b\r\n" % (self.parser.get_method(), self.url, b"".join(kept))
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(head + rest)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_begun = True

    def on_header(self, name: bytes, value: bytes) -> None:
        # WORKAROUND httptools 0.9: white space after a value is none of it. Source: RFC 9112, section 5.
        super().on_header(name, value.rstrip(b" \t"))

    def on_headers_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_headers_complete()
            self._head_bytes = 0

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._head_bytes = 0

    def on_message_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_message_complete()
            self._is_begun = False
            self._head_bytes = 0

    def _look_at_request(self) -> None:
        answering: RequestResponseCycle | None = self.cycle
        is_awaited = self._is_begun or answering is None or answering.response_complete
        if not is_awaited and self._request_ends is not None:
            self._request_ends.cancel()
            self._request_ends = None
        elif is_awaited and self._request_ends is None:
            self._request_ends = self.loop.call_later(REQUEST_S, self._end_request)

    def _end_request(self) -> None:
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, "expected the whole request sooner; send it at once")

    def _refuse(self, status: HTTPStatus, said: str) -> None:
        """Close the connection, and say why unless an answer is on its way."""
        answering: RequestResponseCycle | None = self.cycle
        if answering is None or answering.response_complete or not answering.response_started:
            self.transport.write(
                f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
                f"connection: close\r\ncontent-length: {len(said)}\r\n\r\n{said}".encode()
            )
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading_ends = self.loop.call_later(READING_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading_ends is not None:
            self._reading_ends.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost, self._is_unread = True, self.flow.write_paused
        super().connection_lost(exc)
        if self._gone is not None:
            _end(self._gone)
        for timer in (self._request_ends, self._reading_ends):
            if timer is not None:
                timer.cancel()


def _end(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _answers(body: bytes) -> bool:
    """Whether a part of a body is the answer to a request, and not what is said before it."""
    return b'"result":' in body or b'"error":' in body
