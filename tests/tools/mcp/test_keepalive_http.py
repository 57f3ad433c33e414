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
                assert [line async for line in answer.messages()] == [b"[]"]
        assert len(at.met) == connections
        http.close()
        await until(lambda: len(at.left) == connections)
