"""HTTP connections of a client that stay open between requests; light, and no more than the bridge needs."""

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


class StreamedAnswer:
    """What a request is answered with; its body can be read once.

    Args:
        connection: Where it comes from.
        head: Its status and headers.

    Attributes:
        status: The status of HTTP.
    """

    def __init__(self, connection: _Connection, head: h11.Response) -> None:
        self.status = head.status_code
        self._connection = connection
        self._headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}

    def header(self, name: str) -> str:
        """Return a header by its name in small letters; empty when there is none."""
        return self._headers.get(name, "")

    async def body(self) -> bytes:
        """Return the whole body.

        Raises:
            OSError: The connection broke.
        """
        return b"".join([chunk async for chunk in self._connection.chunks()])

    async def messages(self) -> AsyncGenerator[bytes, None]:
        """Yield the messages of the body, which is one of JSON or a stream of server-sent events, each as one line.

        Raises:
            OSError: The connection broke.
        """
        if not self.header("content-type").startswith(_EVENTS):
            body = await self.body()
            if body:
                # JSON has line ends only between its tokens.
                yield body.replace(b"\r", b" ").replace(b"\n", b" ")
            return
        data: list[bytes] = []
        async for line in self._lines():
            field = line.rstrip(b"\r")
            if field.startswith(b"data:"):
                data.append(field[5:].strip())
            elif not field and data:
                message, data = b" ".join(data), []
                if message:
                    yield message

    async def _lines(self) -> AsyncGenerator[bytes, None]:
        # Pieces of a line are put together once: a result of many megabytes is one line in many chunks.
        pieces: list[bytes] = []
        async for chunk in self._connection.chunks():
            first, *others = chunk.split(b"\n")
            pieces.append(first)
            for following in others:
                yield b"".join(pieces)
                pieces = [following]


class _Address(NamedTuple):
    host: str
    port: int
    path: str
    is_secret: bool


class HttpConnections:
    """Connections to one server.

    Args:
        headers: What every request says.
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = dict(headers)
        self._kept: list[_Connection] = []

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
        return _Connection(reader, writer, where)

    @asynccontextmanager
    async def ask(
        self, connection: _Connection, method: str, headers: Mapping[str, str], body: bytes = b""
    ) -> AsyncIterator[StreamedAnswer]:
        """Ask over a connection, which is kept when its answer is read to the end.

        Raises:
            OSError: The connection broke.
        """
        try:
            yield StreamedAnswer(connection, await connection.ask(method, {**self._headers, **headers}, body))
            await connection.read_rest()
        except BaseException:
            connection.close()
            raise
        if connection.is_usable:
            self._kept.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Close the connections that no request uses."""
        while self._kept:
            self._kept.pop().close()


class _Connection:
    """One connection.

    Attributes:
        where: What it leads to.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, where: _Address) -> None:
        self.where = where
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)
        self._used_s = time.monotonic()

    @property
    def is_usable(self) -> bool:
        """Whether another request can be sent."""
        is_open = not self._reader.at_eof() and not self._writer.is_closing()
        return is_open and self._http.our_state is h11.IDLE and time.monotonic() - self._used_s < KEPT_S

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
