"""What the gateway bears: large results and requests, many calls, slow clients and many of them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.tools.gateway.raw_agent import raw_agent
from tests.tools.gateway.serving import Served, agent, served, text_of
from tools import ToolContext, tool
from tools.declare import resolve_tools
from tools.gateway import endpoint, http_timeouts
from tools.gateway.defaults import MOST_REQUESTS
from tools.registry import ToolRegistry


@tool(read_only=True)
def spell(letter: str, times: int, ctx: ToolContext) -> str:
    """Say a letter often."""
    ctx.attach(b"\x89PNG", mime_type="image/png", name="dot.png")
    return letter * times


@tool(read_only=True)
def rows() -> dict[str, list[int]]:
    """Say rows."""
    return {"rows": list(range(5_000))}


@tool(read_only=True)
async def rest() -> str:
    """Rest."""
    await asyncio.sleep(0.3)
    return "rested"


@asynccontextmanager
async def small(folder: Path, **options: Any) -> AsyncIterator[Served]:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([spell, rows]))
    async with served(folder, registry=registry, largest_result_bytes=10_000, **options) as at:
        yield at


async def test_a_result_that_fits_is_handed_on_whole(tmp_path: Path) -> None:
    async with small(tmp_path) as at, agent(at) as client:
        assert text_of(await client.call_tool("spell", {"letter": "é", "times": 4_000})) == "é" * 4_000


@pytest.mark.parametrize("letter", ["a", "é", '"', "\n", "𝄞"])
async def test_a_text_that_is_too_large_is_shortened_and_says_so(tmp_path: Path, letter: str) -> None:
    async with small(tmp_path) as at, raw_agent(at.endpoint.address, at.token, "modern") as client:
        arguments = {"letter": letter, "times": 50_000}
        result = await client.result("tools/call", {"name": "spell", "arguments": arguments})
        text, image = result["content"]
        kept, _, words = text["text"].partition("\n\n[")
        assert set(kept) <= {letter}
        assert 3_500 < len(kept.encode()) < 10_000
        assert words.startswith(f"Shortened: these are the first {len(kept):,} of 50,000 characters. Ask for less")
        assert "The whole of it is in the history of Tool Console, call " in words
        assert (image["type"], result["isError"]) == ("image", False)


async def test_a_result_that_cannot_be_shortened_is_an_error_that_says_how_large_it_was(tmp_path: Path) -> None:
    async with small(tmp_path, keeps_history=False) as at, agent(at) as client:
        refused = await client.call_tool("rows", {})
        assert refused.is_error
        assert text_of(refused).startswith("rows ran, but its result has ")
        assert text_of(refused).endswith(
            "more than the 10,000 that are handed on. Ask for less, such as a part of it or fewer rows."
        )


async def opened(at: Served) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(at.endpoint.address)
    return await asyncio.open_connection(parts.hostname, parts.port)


def request(at: Served, *headers: str, token: str = "") -> bytes:
    authorization = f"Authorization: Bearer {token or at.token}"
    host = f"Host: {urlsplit(at.endpoint.address).netloc}"
    return "\r\n".join(["POST /mcp HTTP/1.1", host, authorization, *headers]).encode()


async def dripped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Send drop by drop, and return what is said first; whoever drips on may find the connection reset after it."""
    dripping = asyncio.create_task(drip(writer))
    said = await reader.readline()
    await dripping
    writer.close()
    return said


async def drip(writer: asyncio.StreamWriter, drop: bytes = b"a") -> None:
    """Send drop by drop until the connection is closed."""
    with suppress(ConnectionError):
        while True:
            await asyncio.sleep(0.01)
            writer.write(drop)
            await writer.drain()


BODY = "Content-Length: 9000\r\n\r\n{"


@pytest.mark.parametrize(
    ("begun", "token", "status"),
    [
        pytest.param("X-Slow: ", "", b"408", id="headers"),
        pytest.param(BODY, "", b"408", id="body"),
        pytest.param(BODY, "tc_guess", b"401", id="body that nobody may send"),
    ],
)
async def test_a_request_that_comes_drop_by_drop_is_ended(
    begun: str, token: str, status: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_timeouts, "REQUEST_S", 0.1)
    async with served(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        writer.write(request(at, begun, token=token))
        assert (await dripped(reader, writer)).startswith(b"HTTP/1.1 " + status)


async def test_a_connection_on_which_nothing_comes_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_timeouts, "REQUEST_S", 0.1)
    async with served(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        assert (await reader.read()).startswith(b"HTTP/1.1 408")
        writer.close()


async def test_a_second_request_on_a_connection_may_be_no_slower_than_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_timeouts, "REQUEST_S", 0.1)
    async with served(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        writer.write(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\nNot Found")).startswith(b"HTTP/1.1 404")
        await asyncio.sleep(0.2)
        writer.write(b"GET /nothing HTTP/1.1\r\n")
        assert (await dripped(reader, writer)).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("begun", [False, True], ids=["first", "second"])
async def test_line_ends_are_no_request_that_keeps_a_connection_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, begun: bool
) -> None:
    monkeypatch.setattr(http_timeouts, "REQUEST_S", 0.1)
    async with served(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        if begun:
            writer.write(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            await reader.readuntil(b"\r\n\r\nNot Found")
        writer.write(b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 408")
        writer.close()


@pytest.mark.parametrize(
    "begun",
    ["X-Long: ", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Long: "],
    ids=["header", "header after the body"],
)
async def test_headers_without_end_are_refused(tmp_path: Path, begun: str) -> None:
    async with served(tmp_path) as at, asyncio.timeout(20):
        reader, writer = await opened(at)
        writer.write(request(at, begun))
        with suppress(ConnectionError):
            for _ in range(100):
                writer.write(b"a" * 10_000)
                await writer.drain()
        with suppress(ConnectionError):
            assert b" 431 " in await reader.read()
        assert writer.is_closing() or reader.at_eof()
        writer.close()


@pytest.mark.expects_log("uvicorn.error")
async def test_what_is_no_http_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path) as at, asyncio.timeout(10):
        for said, status in ((b"\x16\x03\x01 hello", b"400"), (b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", b"405")):
            reader, writer = await opened(at)
            writer.write(said)
            assert (await reader.read()).startswith(b"HTTP/1.1 " + status)
            writer.close()


async def test_white_space_around_a_header_is_none_of_it(tmp_path: Path) -> None:
    async with small(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        called = calling(at, "spell", {"letter": "a", "times": 3})
        writer.write(called.replace(b"MCP-Name: spell", b"MCP-Name: \t spell \t "))
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_a_small_answer_comes_in_one_piece(tmp_path: Path) -> None:
    async with small(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        for _ in range(3):
            writer.write(calling(at, "spell", {"letter": "a", "times": 3}))
            head, _, body = (await reader.read(1 << 16)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            assert b'"text":"aaa"' in body
        writer.close()


async def test_a_request_that_asks_for_another_protocol_is_answered_in_this_one(tmp_path: Path) -> None:
    async with small(tmp_path) as at, asyncio.timeout(10):
        reader, writer = await opened(at)
        called = calling(at, "spell", {"letter": "a", "times": 3})
        asking = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n"
        for _ in range(2):
            writer.write(called.replace(b"Accept:", asking + b"Accept:", 1))
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            length = int(head.partition(b"content-length: ")[2].split()[0])
            assert b'"text":"aaa"' in await reader.readexactly(length)
        writer.close()


async def test_a_call_that_takes_longer_than_a_request_may_is_not_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_timeouts, "REQUEST_S", 0.1)
    registry = ToolRegistry()
    registry.register_all(resolve_tools([rest]))
    async with served(tmp_path, registry=registry) as at, agent(at) as client:
        assert text_of(await client.call_tool("rest", {})) == "rested"


def calling(at: Served, name: str, arguments: dict[str, Any]) -> bytes:
    """Return a whole request of a call, as a client of the newer era sends it."""
    meta = {"protocolVersion": "2026-07-28", "clientCapabilities": {}}
    known = {f"io.modelcontextprotocol/{key}": value for key, value in meta.items()}
    params = {"name": name, "arguments": arguments, "_meta": known}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    lines = ["Accept: application/json, text/event-stream", "Content-Type: application/json"]
    lines += ["MCP-Protocol-Version: 2026-07-28", "MCP-Method: tools/call", f"MCP-Name: {name}"]
    return request(at, *lines, f"Content-Length: {len(body)}\r\n\r\n{body}")


async def test_a_result_whose_client_hangs_up_before_it_has_all_of_it_is_there_for_the_same_call_again(
    tmp_path: Path,
) -> None:
    ran: list[str] = []

    @tool(destructive=True)
    def empty(name: str) -> str:
        """Empty something, and say what was in it."""
        ran.append(name)
        return "a" * 20_000_000

    registry = ToolRegistry()
    registry.register_all(resolve_tools([empty]))
    async with served(tmp_path, registry=registry, largest_result_bytes=50_000_000) as at, asyncio.timeout(20):
        reader, writer = await opened(at)
        writer.write(calling(at, "empty", {"name": "bin"}))
        await reader.readexactly(15)
        writer.transport.abort()
        async with agent(at) as client:
            assert text_of(await client.call_tool("empty", {"name": "bin"})) == "a" * 20_000_000
            assert ran == ["bin"]
            await client.call_tool("empty", {"name": "bin"})
            assert ran == ["bin", "bin"]


async def test_a_client_that_does_not_read_loses_its_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_timeouts, "READING_S", 0.1)
    registry = ToolRegistry()
    registry.register_all(resolve_tools([spell]))
    async with served(tmp_path, registry=registry, largest_result_bytes=50_000_000) as at, asyncio.timeout(20):
        reader, writer = await opened(at)
        writer.write(calling(at, "spell", {"letter": "a", "times": 20_000_000}))
        await reader.readexactly(15)
        # Nobody reads on: the reader's own buffer is full soon, and then those of the system are.
        await drip(writer, b"\r\n")
        writer.close()


@pytest.mark.expects_log("uvicorn.error")
async def test_of_too_many_connections_the_last_are_told_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "MOST_REQUESTS", 3)
    async with served(tmp_path) as at, AsyncExitStack() as opening:
        for _ in range(3):
            _, writer = await opened(at)
            opening.callback(writer.close)
        async with httpx2.AsyncClient(headers={"authorization": f"Bearer {at.token}"}) as http:
            assert (await http.post(at.endpoint.address, json={})).status_code == 503


async def test_requests_that_come_while_the_window_is_behind_begin_once_it_has_caught_up(tmp_path: Path) -> None:
    behind = asyncio.Event()
    registry = ToolRegistry()
    registry.register_all(resolve_tools([rows]))
    async with served(tmp_path, registry=registry, is_behind=behind.is_set) as at, agent(at) as client:
        behind.set()
        calling = [asyncio.create_task(client.call_tool("rows", {})) for _ in range(3)]
        await asyncio.wait(calling, timeout=0.1)
        assert not any(call.done() for call in calling)
        assert at.endpoint.use("claude") is None
        behind.clear()
        async with asyncio.timeout(20):
            assert [result.is_error for result in await asyncio.gather(*calling)] == [False] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="programs there may open as many files as they like")
def test_the_program_may_open_a_file_for_each_connection_as_far_as_the_system_lets_it() -> None:
    said = "import resource; from tools.gateway.endpoint import _most_connections; "
    for most, expected in ((400, 300), (4_000, MOST_REQUESTS)):
        limited = f"resource.setrlimit(resource.RLIMIT_NOFILE, (200, {most})); print(_most_connections())"
        assert int(subprocess.check_output([sys.executable, "-c", said + limited])) == expected
