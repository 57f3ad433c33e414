"""HTTP connections of a client that stay open between requests; light, for what runs on this computer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import h11

KEPT_S: Final = 5.0
"""How long a connection stays open that no request uses, in seconds: not as long as the server keeps it, for what is
sent into one that is just being closed is lost."""

_CHUNK: Final = 1 << 16
_EVENTS: Final = "text/event-stream"


class AnswerTooLargeError(OSError):
    """Report an answer of which more came than is read."""


class StreamedAnswer:
    """What a request is answered with; its body can be read once.

    Args:
        connection: Where it comes from.
        head: Its status and headers.
        largest_bytes: The size of the largest message that is read; None for any.

    Attributes:
        status: The status of HTTP.
        headers: By their names in small letters.
    """

    def __init__(self, connection: _Connection, head: h11.Response, largest_bytes: int | None) -> None:
        self.status = head.status_code
        self.headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}
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
        async for chunk in self._connection.chunks():
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

    async def messages(self) -> AsyncGenerator[bytes, None]:
        """Yield the messages of the body, which is one of JSON or a stream of server-sent events, each as one line.

        Raises:
            OSError: The connection broke, or a message is too large.
        """
        if not self.is_stream:
            body = await self.body()
            if body:
                # JSON has line ends only between its tokens.
                yield body.replace(b"\r", b" ").replace(b"\n", b" ")
            return
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
        async for chunk in self._connection.chunks():
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
    path: str
    is_secret: bool


class HttpConnections:
    """Connections to one server.

    Args:
        headers: What every request says.
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
        reader, writer = await asyncio.open_connection(where.host, where.port, ssl=where.is_secret or None)
        return _Connection(reader, writer, where, self._kept_s)

    @asynccontextmanager
    async def ask(
        self, connection: _Connection, method: str, headers: Mapping[str, str], body: bytes = b""
    ) -> AsyncIterator[StreamedAnswer]:
        """Ask over a connection, which is kept when its answer is read to the end.

        Raises:
            OSError: The connection broke.
        """
        self._used.add(connection)
        try:
            head = await connection.ask(method, {**self._headers, **headers}, body)
            yield StreamedAnswer(connection, head, self._largest_bytes)
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
        """Close the connections that no request uses."""
        while self._kept:
            self._kept.pop().close()

    def end(self) -> None:
        """Close all connections; who waits for an answer is told that its connection broke."""
        self.close()
        for connection in self._used:
            connection.close()


class _Connection:
    """One connection.

    Attributes:
        where: What it leads to.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, where: _Address, kept_s: float
    ) -> None:
        self.where = where
        self._kept_s = kept_s
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)
        self._used_s = time.monotonic()

    @property
    def is_usable(self) -> bool:
        """Whether another request can be sent."""
        is_open = not self._reader.at_eof() and not self.is_closing
        return is_open and self._http.our_state is h11.IDLE and time.monotonic() - self._used_s < self._kept_s

    @property
    def is_closing(self) -> bool:
        """Whether it is closed on this side."""
        return self._writer.is_closing()

    async def ask(self, method: str, headers: Mapping[str, str], body: bytes) -> h11.Response:
        named = {"host": f"{self.where.host}:{self.where.port}", "content-length": str(len(body)), **headers}
        sent = [
            self._http.send(h11.Request(method=method, target=self.where.path, headers=list(named.items()))),
            self._http.send(h11.Data(data=body)),
            self._http.send(h11.EndOfMessage()),
        ]
        self._writer.write(b"".join(filter(None, sent)))
        await self._writer.drain()
        while True:
            event = await self._next()
            if isinstance(event, h11.Response):
                return event

    async def _next(self) -> h11.Event:
        try:
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(_CHUNK))
        except h11.RemoteProtocolError as error:
            raise ConnectionResetError(str(error)) from error
        if not isinstance(event, h11.Event) or isinstance(event, h11.ConnectionClosed):
            raise ConnectionResetError("the server closed the connection")
        return event

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        while self._http.their_state is h11.SEND_BODY:
            event = await self._next()
            if isinstance(event, h11.Data):
                yield bytes(event.data)

    async def read_rest(self) -> None:
        async for _ in self.chunks():
            pass
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            self._used_s = time.monotonic()

    def close(self) -> None:
        self._writer.close()


def _read(address: str) -> _Address:
    parts = urlsplit(address)
    is_secret = parts.scheme == "https"
    return _Address(parts.hostname or "", parts.port or (443 if is_secret else 80), parts.path or "/", is_secret)
