"""HTTP connections that do not stay open for clients that send or read drop by drop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

REQUEST_S: Final = 20.0
"""How long a client may take for a whole request, in seconds; for one on this computer that is a lot."""

READING_S: Final = 60.0
"""How long a client may leave what it was sent unread."""

GONE: Final = "tool_console.gone"
"""Where the scope of a request has the future that is done when it is answered or its client is gone; in the older era,
the SDK lets the request go on then."""

WRITTEN: Final = "tool_console.written"
"""Where the scope of a request has the future of whether the system took all of its answer."""

_SAID: Final = b"expected the whole request sooner; send it at once"
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_SAID), _SAID)
)


class TimedHttpProtocol(H11Protocol):
    """Close a connection whose request is not whole in time, and one whose client does not read.

    WORKAROUND uvicorn 0.54: its one limit, `timeout_keep_alive`, counts only while nothing of a request is there, so a
    single byte ends it.
    """

    _request_ends: asyncio.TimerHandle | None = None
    _reading_ends: asyncio.TimerHandle | None = None
    _gone: asyncio.Future[None] | None = None
    _is_lost = False
    _is_unread = False

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
            # What the client does not read waits here.
            await self.flow.drain()
        finally:
            _end(gone)
            written.set_result(is_answered and not self._is_unread)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_at_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look_at_request()

    def _look_at_request(self) -> None:
        is_whole = self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}
        if is_whole and self._request_ends is not None:
            self._request_ends.cancel()
            self._request_ends = None
        elif not is_whole and self._request_ends is None:
            self._request_ends = self.loop.call_later(REQUEST_S, self._end_request)

    def _end_request(self) -> None:
        answering: RequestResponseCycle | None = self.cycle
        if answering is None or answering.response_complete or not answering.response_started:
            self.transport.write(_TOO_SLOW)
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
