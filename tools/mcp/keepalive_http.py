"""HTTP connections of a client that stay open between requests; light, for what runs on this computer."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httptools

KEPT_S: Final = 5.0
"""How long a connection stays open that no request uses, in seconds: not as long as the server keeps it, for what is
sent into one that is just being closed is lost."""

_MOST_WAITING: Final = 1 << 18
_LARGEST_HEAD: Final = 1 << 16
_CONTINUE: Final = 100
_OK: Final = 200
_ILLEGAL_TARGET: Final = re.compile(r"[^!-~]")
_ILLEGAL_HEADER: Final = re.compile(r"[\0\r\n]")
_EVENTS: Final = "text/event-stream"


class AnswerTooLargeError(OSError):
    """Report an answer of which more came than is read."""


class StreamedAnswer:
    """What a request is answered with; its body can be read once.

    Args:
        largest_bytes: The size of the largest message that is read; None for any.

    Attributes:
        status: The status of HTTP.
        headers: By their names in small letters.
    """

    def __init__(self, connection: _Connection, largest_bytes: int | None) -> None:
        self.status = connection.status
        self.headers = connection.headers
        self._connection = connection
        self._largest_bytes = largest_bytes

    def header(self, name: str) -> str:
        """Return a header by its name in small letters; empty when there is none."""
        return self.headers.get(name, "")

    @property
    def is_stream(self) -> bool:
        """Whether messages come as events."""
        return self.header("content-type").startswith(_EVENTS)

    async def body(self) -> bytes:
        """Return the whole body.

        Raises:
            OSError: The connection broke, or it is too large.
        """
        chunks, size = [], 0
        while chunk := await self._connection.read():
            size += len(chunk)
            self._check(size)
            chunks.append(chunk)
        return b"".join(chunks)

    def _check(self, size: int) -> None:
        if self._largest_bytes is not None and size > self._largest_bytes:
            raise AnswerTooLargeError(f"it sent a body of more than {self._largest_bytes // 1024 // 1024} MiB")

    def close(self) -> None:
        """Read no more of it, and end its connection."""
        self._connection.close()

    async def message(self) -> bytes:
        """Return the one message of a body of JSON, as one line; empty for none.

        Raises:
            OSError: The connection broke, or the message is too large.
        """
        # JSON has line ends only between its tokens.
        return (await self.body()).replace(b"\r", b" ").replace(b"\n", b" ")

    async def messages(self) -> AsyncGenerator[bytes, None]:
        """Yield the messages of a stream of server-sent events, each as one line.

        Raises:
            OSError: The connection broke, or a message is too large.
        """
        data: list[bytes] = []
        size = 0
        async for line in self._lines():
            field = line.rstrip(b"\r")
            size = size + len(field) if data else 0
            self._check(size)
            if field.startswith(b"data:"):
                data.append(field[5:].strip())
            elif not field and data:
                message, data = b" ".join(data), []
                if message:
                    yield message

    async def _lines(self) -> AsyncGenerator[bytes, None]:
        # Pieces of a line are put together once: a result of many megabytes is one line in many chunks.
        pieces: list[bytes] = []
        size = 0
        while chunk := await self._connection.read():
            first, *others = chunk.split(b"\n")
            pieces.append(first)
            size += len(first)
            self._check(size)
            for following in others:
                yield b"".join(pieces)
                pieces, size = [following], len(following)


class _Address(NamedTuple):
    host: str
    port: int
    named: str
    target: str
    is_secret: bool


class HttpConnections:
    """Connections to one server.

    Args:
        kept_s: How long a connection stays open that no request uses, in seconds.
        largest_bytes: The size of the largest message that is read; None for any.
    """

    def __init__(self, headers: Mapping[str, str], *, kept_s: float = KEPT_S, largest_bytes: int | None = None) -> None:
        self._headers = dict(headers)
        self._kept_s = kept_s
        self._largest_bytes = largest_bytes
        self._kept: list[_Connection] = []
        self._used: set[_Connection] = set()

    async def connect(self, address: str) -> _Connection:
        """Return a connection that no request uses.

        Raises:
            OSError: The server is not reached.
        """
        where = _read(address)
        while self._kept:
            connection = self._kept.pop()
            if connection.where == where and connection.is_usable:
                return connection
            connection.close()
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(
            lambda: _Connection(where, self._kept_s), where.host, where.port, ssl=where.is_secret or None
        )
        return connection

    @asynccontextmanager
    async def ask(
        self, connection: _Connection, method: str, headers: Mapping[str, str], body: bytes = b""
    ) -> AsyncIterator[StreamedAnswer]:
        """Ask over a connection, which is kept when its answer is read to the end.

        Raises:
            OSError: The connection broke.
            ValueError: A header cannot be sent.
        """
        self._used.add(connection)
        try:
            await connection.ask(method, {**self._headers, **headers}, body)
            yield StreamedAnswer(connection, self._largest_bytes)
            if not connection.is_closing:
                await connection.read_rest()
        except BaseException:
            connection.close()
            raise
        finally:
            self._used.discard(connection)
        if connection.is_usable:
            self._kept.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        while self._kept:
            self._kept.pop().close()

    def end(self) -> None:
        """Close all connections; who waits for an answer is told that its connection broke."""
        self.close()
        for connection in self._used:
            connection.close()


class _Connection(asyncio.Protocol):
    """One connection, with one request at a time.

    Args:
        kept_s: How long it can be used again after an answer, in seconds.

    Attributes:
        status: The status of the answer; 0 until it is there.
        headers: The headers of the answer, by their names in small letters.
    """

    _transport: asyncio.Transport

    def __init__(self, where: _Address, kept_s: float) -> None:
        self.where = where
        self.status = 0
        self.headers: dict[str, str] = {}
        self._kept_s = kept_s
        self._used_s = time.monotonic()
        self._parser = httptools.HttpResponseParser(self)
        # Servers that are written by hand end their lines with a line feed alone.
        self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        self._is_asked = False
        self._is_whole = False
        self._can_stay = True
        self._body: list[bytes] = []
        self._body_bytes = 0
        self._head_bytes = 0
        self._coming: asyncio.Future[None] | None = None
        self._is_lost = False
        self._fault = "the server closed the connection"

    @property
    def is_usable(self) -> bool:
        """Whether another request can be sent."""
        is_idle = self._can_stay and not self._is_asked and not self.is_closing
        return is_idle and time.monotonic() - self._used_s < self._kept_s

    @property
    def is_closing(self) -> bool:
        return self._transport.is_closing()

    async def ask(self, method: str, headers: Mapping[str, str], body: bytes) -> None:
        """Send a request, and wait for the status and the headers of its answer."""
        self._is_asked, self._is_whole, self.status = True, False, 0
        if _ILLEGAL_TARGET.search(self.where.target):
            raise ValueError(f"expected an address of letters, digits and signs, got {self.where.target!r}")
        lines = [f"{method} {self.where.target} HTTP/1.1"]
        named = {"host": self.where.named, "content-length": str(len(body)), **headers}
        for name, value in named.items():
            if _ILLEGAL_HEADER.search(value):
                raise ValueError(f"expected one line as the header {name!r}, got more")
            lines.append(f"{name}: {value}")
        self._transport.write("\r\n".join([*lines, "", ""]).encode("ascii") + body)
        while not self.status:
            await self._more()

    async def read(self) -> bytes:
        """Return what came of the body of the answer since it was read last; empty at its end."""
        while not self._body and not self._is_whole:
            await self._more()
        read, self._body = self._body, []
        if self._body_bytes > _MOST_WAITING:
            self._transport.resume_reading()
        self._body_bytes = 0
        return read[0] if len(read) == 1 else b"".join(read)

    async def read_rest(self) -> None:
        """Read the answer to its end, after which another request can be sent."""
        while await self.read():
            pass
        self._is_asked = False
        self._used_s = time.monotonic()

    async def _more(self) -> None:
        if self._is_lost:
            raise ConnectionResetError(self._fault)
        self._coming = asyncio.get_running_loop().create_future()
        await self._coming

    def _wake(self) -> None:
        if self._coming is not None and not self._coming.done():
            self._coming.set_result(None)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._is_asked:
            # What a server says unasked is its goodbye.
            self.close()
            return
        self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fault = str(error)
            self.close()
        if self._head_bytes > _LARGEST_HEAD:
            self._fault = "the server sent headers without end"
            self.close()
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        # A body of which nothing says how long it is ends with the connection.
        if exc is None and self.status and not {"content-length", "transfer-encoding"} & self.headers.keys():
            self._is_whole = True
        self._wake()

    def on_message_begin(self) -> None:
        self.headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        # WORKAROUND httptools 0.9: white space after a value is none of it. Source: RFC 9112, section 5.
        self.headers[name.lower().decode("latin-1")] = value.rstrip(b" \t").decode("latin-1")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        # Before the answer, a server may say that it goes on.
        if not _CONTINUE <= status < _OK:
            self.status = status
        self._head_bytes = 0

    def on_body(self, body: bytes) -> None:
        self._body.append(body)
        self._body_bytes += len(body)
        self._head_bytes = 0
        if self._body_bytes > _MOST_WAITING:
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        if self.status:
            self._is_whole = True
            self._can_stay = self._parser.should_keep_alive()

    def close(self) -> None:
        self._transport.close()


@lru_cache
def _read(address: str) -> _Address:
    parts = urlsplit(address)
    is_secret = parts.scheme == "https"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    named = parts.netloc.rpartition("@")[2]
    return _Address(parts.hostname or "", parts.port or (443 if is_secret else 80), named, target, is_secret)
