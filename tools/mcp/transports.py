"""How messages reach a server and come back: through pipes, over streamable HTTP, or over the older SSE."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp.shared.message import SessionMessage

from tools.mcp import process as processes
from tools.mcp.config import Transport
from tools.mcp.direct_calls import DirectCalls, LoopbackCalls, PipeCalls, Tell
from tools.mcp.message_log import Channel
from tools.mcp.stdio_framing import (
    MAX_MESSAGE_BYTES,
    UNASKED,
    ClosedByBlock,
    Lines,
    LineThrottle,
    LineWriter,
    MessageTooLargeError,
)
from tools.network import NetworkTransport

if TYPE_CHECKING:
    import contextvars

    from tools.mcp.config import Target
    from tools.mcp.keepalive_http import StreamedAnswer
    from tools.mcp.message_recorder import MessageRecorder
    from tools.mcp.process import ServerProcess

CONNECT_S: Final = 15.0
"""Seconds until a network connection must stand."""

_MOST_CONNECTIONS: Final = 100
"""Connections to a server at once, all of which stay open for the next calls: the library keeps 20, so that of 50 calls
at once 30 connect anew each time."""

_KEPT_S: Final = 3.0
"""How long such a connection stays open. Most servers end it after 5 seconds: who keeps it as long as they do, as the
library does, now and then sends a call into one that is just being closed, and the call is lost."""

_LAST_MOMENT_S: Final = 0.5
_BAD_REQUEST: Final = int(httpx2.codes.BAD_REQUEST)
_SHUT_OUT: Final = frozenset({httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN})
_SECRET_HEADERS: Final = ("authorization", "cookie", "key", "secret", "session", "token")


class WatchedReader(ClosedByBlock):
    """Hand messages of another reader on, with a note of each.

    Args:
        traffic: Takes note.
        on_end: Is called once, when there are no more.
    """

    def __init__(self, inner: Any, traffic: MessageRecorder, on_end: Callable[[Exception | None], None]) -> None:
        self._inner = inner
        self._traffic = traffic
        self._on_end = on_end
        self._pace = LineThrottle()

    @property
    def last_context(self) -> contextvars.Context | None:
        """What variables the sender of the newest message had."""
        found: contextvars.Context | None = getattr(self._inner, "last_context", None)
        return found

    async def receive(self) -> SessionMessage | Exception:
        return await self.__anext__()

    def __aiter__(self) -> Self:
        """Iterate over the messages."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            item: SessionMessage | Exception = await self._inner.__anext__()
        except StopAsyncIteration:
            self._on_end(None)
            raise
        if isinstance(item, SessionMessage):
            self._traffic.received(item.message, item.message.model_dump_json(by_alias=True, exclude_unset=True))
            await self._pace.keep(unasked=isinstance(item.message, UNASKED))
        return item

    async def aclose(self) -> None:
        await self._inner.aclose()


class WatchedWriter(ClosedByBlock):
    """Hand messages on to another writer, with a note of each.

    Args:
        traffic: Takes note.
    """

    def __init__(self, inner: Any, traffic: MessageRecorder) -> None:
        self._inner = inner
        self._traffic = traffic

    async def send(self, item: SessionMessage, /) -> None:
        self._traffic.sent(item.message, item.message.model_dump_json(by_alias=True, exclude_unset=True))
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()


class _BoundedStream(httpx2.AsyncByteStream):
    """Pass a body on until it is longer than a message may be.

    An event stream is as long as it likes; its events have a limit of their own.
    """

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        async for chunk in self._inner:
            total += len(chunk)
            if total > MAX_MESSAGE_BYTES:
                limit = MAX_MESSAGE_BYTES // 1024 // 1024
                raise MessageTooLargeError(f"it sent a body of more than {limit} MiB")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class HttpExchange(NamedTuple):
    """A request and the head of what it was answered with."""

    method: str
    url: httpx2.URL | str
    sent: Mapping[str, str]
    status: int
    received: Mapping[str, str]

    def __str__(self) -> str:
        reason = httpx2.codes.get_reason_phrase(self.status)
        return f"{self.method} {self.url}\n{_headers(self.sent)}\n\n{self.status} {reason}\n{_headers(self.received)}"


class HttpLog:
    """Log HTTP exchanges with their headers, and see to it that no endless body is read.

    Attributes:
        status: The last status; 0 before.
        is_shut_out: Whether the last message was refused for who sent it.
        is_forgotten: Whether the server said that it does not know the session.
    """

    def __init__(self, traffic: MessageRecorder) -> None:
        self._traffic = traffic
        self.status = 0
        self.is_forgotten = False
        self.is_shut_out = False

    async def on_request(self, request: httpx2.Request) -> None:
        """Take note of when a request is sent."""
        request.extensions["began"] = perf_counter()

    async def on_response(self, response: httpx2.Response) -> None:
        """Take note of what came back, whose body is yet to be read."""
        request, status = response.request, response.status_code
        # Source: MCP 2025-11-25, "Session Management".
        self.is_forgotten |= status == httpx2.codes.NOT_FOUND and MCP_SESSION_ID in request.headers
        began = request.extensions.get("began")
        elapsed_s = None if began is None else perf_counter() - began
        self.note(HttpExchange(request.method, request.url, request.headers, status, response.headers), elapsed_s)
        kind = response.headers.get("content-type", "")
        if not kind.startswith("text/event-stream") and isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream)

    def note(self, exchange: HttpExchange, elapsed_s: float | None) -> None:
        self.status = exchange.status
        if exchange.method == "POST":
            self.is_shut_out = exchange.status in _SHUT_OUT
        self._traffic.log.add(
            Channel.HTTP,
            partial(str, exchange),
            level="info" if exchange.status < _BAD_REQUEST else "warning",
            elapsed_s=elapsed_s,
            size_bytes=0,
        )


def _headers(headers: Mapping[str, str]) -> str:
    return "\n".join(f"{name}: {'••••' if _is_secret(name) else value}" for name, value in headers.items())


def _is_secret(name: str) -> bool:
    folded = name.lower()
    return any(word in folded for word in _SECRET_HEADERS)


class OpenTransport:
    """Be the way to one server while it is open.

    Args:
        traffic: Takes note of each message.
        tell: Is told what a server says during a call of a tool that the session does not make.

    Attributes:
        calls: Makes calls of tools past the session; None where only the session can.
        ended: Is set when the other side has ended.
        process: The server's process; None before it started, and over HTTP.
        own_exit: How the process ended by itself; None when it did not.
        error: What ended it; None when it simply ended.
    """

    def __init__(self, target: Target, traffic: MessageRecorder, tell: Tell) -> None:
        self._target = target
        self._traffic = traffic
        self._tell = tell
        self.calls: DirectCalls | None = None
        self.ended = asyncio.Event()
        self.process: ServerProcess | None = None
        self.own_exit: int | None = None
        self.error: Exception | None = None
        self._http = HttpLog(traffic)
        self._stack = contextlib.AsyncExitStack()

    @property
    def status(self) -> int:
        """The last HTTP status; 0 before, and for a process."""
        return self._http.status

    @property
    def is_shut_out(self) -> bool:
        """Whether the last message over HTTP was refused for who sent it."""
        return self._http.is_shut_out

    @property
    def is_forgotten(self) -> bool:
        """Whether the server said that it does not know the session."""
        return self._http.is_forgotten

    async def __aenter__(self) -> tuple[Any, Any]:
        """Open the way; return what reads and what writes."""
        opened: Awaitable[tuple[Any, Any]]
        opened = self._open_pipes() if self._target.transport is Transport.STDIO else self._open_http()
        return await opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        """Close it, and end what was started."""
        return await self._stack.__aexit__(kind, error, traceback)

    async def _open_pipes(self) -> tuple[Any, Any]:
        target = self._target
        cwd = target.cwd or Path.cwd()
        self.process = process = await processes.start(target.argv, target.env, cwd, self._on_stderr)
        self._stack.push_async_callback(self._end_process, process)
        writer = LineWriter(process.stdin, self._traffic)
        calls = self.calls = PipeCalls(writer, self._traffic)
        self._stack.callback(calls.close)
        return Lines(process.stdout, self._traffic, self._on_end, calls.take), writer

    async def _end_process(self, process: ServerProcess) -> None:
        if self.ended.is_set():
            # It went by itself: its exit code tells why, and comes a moment after the end of its output.
            self.own_exit = await process.exited(_LAST_MOMENT_S)
        # Who never said a word has nothing to finish. Whoever gives up meanwhile must not leave it behind.
        grace_s = processes.GRACE_S if self._traffic.messages else _LAST_MOMENT_S
        ending = asyncio.ensure_future(process.end(grace_s))
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            process.kill()
            await asyncio.wait({ending})
            raise

    async def _open_http(self) -> tuple[Any, Any]:
        target = self._target
        inner: Any
        if target.transport is Transport.SSE:
            inner = sse_client(target.url, headers=dict(target.headers), auth=target.auth,
                               timeout=CONNECT_S, httpx_client_factory=self._client)  # fmt: skip
        else:
            client = await self._stack.enter_async_context(self._client(dict(target.headers), None, target.auth))
            inner = streamable_http_client(target.url, http_client=client, max_sse_event_size=MAX_MESSAGE_BYTES)
        reader, writer = await self._stack.enter_async_context(inner)
        if LoopbackCalls.suits(target):
            self.calls = LoopbackCalls(
                target, self._traffic, on_answer=self._on_answer, on_lost=self._on_end, tell=self._tell
            )
            self._stack.callback(self.calls.close)
        return WatchedReader(reader, self._traffic, self._on_end), WatchedWriter(writer, self._traffic)

    def _client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        # How long an answer may take is the request's own affair: streams stay open for hours.
        limits = timeout or httpx2.Timeout(CONNECT_S, read=None)
        hooks: dict[str, list[Callable[..., Any]]] = {
            "request": [self._http.on_request],
            "response": [self._http.on_response],
        }
        kept = httpx2.Limits(
            max_connections=_MOST_CONNECTIONS, max_keepalive_connections=_MOST_CONNECTIONS, keepalive_expiry=_KEPT_S
        )
        carrier: Any = NetworkTransport(httpx2, limits=kept)
        return httpx2.AsyncClient(headers=headers, timeout=limits, auth=auth, event_hooks=hooks, transport=carrier)

    def _on_stderr(self, line: str) -> None:
        self._traffic.log.add(Channel.STDERR, line)

    def _on_answer(self, sent: Mapping[str, str], answer: StreamedAnswer, elapsed_s: float) -> None:
        self._http.note(HttpExchange("POST", self._target.url, sent, answer.status, answer.headers), elapsed_s)

    def _on_end(self, error: Exception | None) -> None:
        self.error = self.error or error
        self.ended.set()
        if self.calls is not None:
            self.calls.close()
