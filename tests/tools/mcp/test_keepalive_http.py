"""Connections that stay open: the next request takes one, but none that the server may be about to close."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest

from tests.tools.running import until
from tools.mcp.keepalive_http import HttpConnections


class _Site(NamedTuple):
    address: str
    met: list[asyncio.StreamWriter]
    left: list[asyncio.StreamWriter]


@asynccontextmanager
async def site() -> AsyncIterator[_Site]:
    """Answer every request with the same, and keep count of the connections."""
    met: list[asyncio.StreamWriter] = []
    left: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        met.append(writer)
        while (await reader.read(1 << 16)).endswith(b"{}"):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]")
        writer.close()
        left.append(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield _Site(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp", met, left)


@pytest.mark.parametrize(("kept_s", "connections"), [(60.0, 1), (0.0, 2)], ids=["just used", "idle for long"])
async def test_a_connection_is_used_again_while_the_server_surely_keeps_it(kept_s: float, connections: int) -> None:
    http = HttpConnections({}, kept_s=kept_s)
    async with site() as at:
        for _ in range(2):
            async with http.ask(await http.connect(at.address), "POST", {}, b"{}") as answer:
                assert await answer.message() == b"[]"
        assert len(at.met) == connections
        http.close()
        await until(lambda: len(at.left) == connections)


@asynccontextmanager
async def saying(said: bytes, heard: list[bytes] | None = None) -> AsyncIterator[str]:
    """Answer one request on each connection with the same bytes, and close it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"{}")
        if heard is not None:
            heard.append(head)
        writer.write(said)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp?key=1"


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", id="length"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n[]", id="until the end of the connection"),
        pytest.param(b"HTTP/1.0 200 OK\r\n\r\n[]", id="older version"),
        pytest.param(b"HTTP/1.1 200 OK\ncontent-length: 2\n\n[]", id="line feeds alone"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n", id="chunks"
        ),
        pytest.param(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", id="goes on before"
        ),
    ],
)
async def test_an_answer_is_read_however_its_end_is_told(said: bytes) -> None:
    http = HttpConnections({})
    async with saying(said) as address:
        async with http.ask(await http.connect(address), "POST", {}, b"{}") as answer:
            assert (answer.status, await answer.body()) == (200, b"[]")
        http.close()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[]", id="less than promised"),
        pytest.param(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n", id="no last chunk"),
        pytest.param(b"220 mail.example ESMTP\r\n", id="not http"),
        pytest.param(b"HTTP/1.1 200 OK\r\nx: " + b"a" * 1_000_000, id="headers without end"),
        pytest.param(
            b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n", id="other protocol"
        ),
    ],
)
async def test_an_answer_that_is_not_whole_is_a_broken_connection(said: bytes) -> None:
    http = HttpConnections({})
    async with saying(said) as address:
        with pytest.raises(ConnectionResetError):
            async with http.ask(await http.connect(address), "POST", {}, b"{}") as answer:
                await answer.body()


async def test_the_whole_address_is_asked_for() -> None:
    http = HttpConnections({"x-own": "1"})
    heard: list[bytes] = []
    async with saying(b"HTTP/1.1 204 No Content\r\n\r\n", heard) as address:
        async with http.ask(await http.connect(address), "POST", {"x-more": "2"}, b"{}") as answer:
            assert answer.status == 204
        http.close()
    host = address.removeprefix("http://").removesuffix("/mcp?key=1")
    assert heard == [
        f"POST /mcp?key=1 HTTP/1.1\r\nhost: {host}\r\ncontent-length: 2\r\nx-own: 1\r\nx-more: 2\r\n\r\n{{}}".encode()
    ]


async def test_a_header_of_several_lines_is_not_sent() -> None:
    http = HttpConnections({})
    async with site() as at:
        with pytest.raises(ValueError, match="'x-more', got more"):
            async with http.ask(await http.connect(at.address), "POST", {"x-more": "2\r\nx: y"}, b"{}"):
                raise AssertionError
        await until(lambda: len(at.left) == len(at.met) == 1)


async def test_an_answer_that_is_read_slowly_waits_at_the_server() -> None:
    large = 64 << 20
    sent = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"{}")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % large)
        while sent < large:
            writer.write(b"a" * (1 << 20))
            sent += 1 << 20
            await writer.drain()
        writer.close()

    http = HttpConnections({})
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with http.ask(await http.connect(address), "POST", {}, b"{}") as answer:
            for _ in range(200):
                await asyncio.sleep(0)
            assert sent < large
            assert len(await answer.body()) == large
