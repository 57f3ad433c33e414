"""Calls past the SDK's session to a server over HTTP on this computer that answers in every way there is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NamedTuple

import hypothesis.strategies as st
import pytest
from hypothesis import given
from mcp_types.methods import SERVER_RESULTS
from pydantic import TypeAdapter

from tests.tools.mcp.serving import Served, serving
from tests.tools.running import until
from tools import CallStatus, ToolResponse
from tools.calls import Progressed
from tools.mcp import direct_calls
from tools.mcp.config import ProtocolChoice, ServerConfig, Target, Transport
from tools.mcp.direct_calls import LoopbackCalls, is_usual
from tools.mcp.keepalive_http import HttpConnections, StreamedAnswer
from tools.mcp.state import ServerStatus

META = "io.modelcontextprotocol"
TOLD = {"content": [{"type": "text", "text": "told"}], "resultType": "complete"}


class Asked(NamedTuple):
    """A request of a call, and where its answer goes."""

    headers: dict[str, str]
    message: dict[str, Any]
    writer: asyncio.StreamWriter
    reader: asyncio.StreamReader

    def result(self, result: dict[str, Any]) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": self.message["id"], "result": result}).encode()

    def refusal(self, code: int, text: str) -> bytes:
        said = {"jsonrpc": "2.0", "id": self.message["id"], "error": {"code": code, "message": text}}
        return json.dumps(said).encode()

    def say(self, body: bytes, status: str = "200 OK", kind: str = "application/json", more: str = "") -> None:
        head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}\r\n"
        self.writer.write(head.encode() + body)

    def stream(self, *events: bytes) -> None:
        self.writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        for event in events:
            chunk = b"event: message\ndata: %b\n\n" % event
            self.writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))

    def told(self, method: str, **params: Any) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()


Script = Callable[[Asked], Awaitable[None] | None]


class Site:
    """A server of the newer era with one tool.

    Args:
        script: Answers calls of the tool.
    """

    def __init__(self, script: Script) -> None:
        self.calls: list[Asked] = []
        self._script = script

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
                message = json.loads(await reader.readexactly(int(headers["content-length"])))
                asked = Asked(headers, message, writer, reader)
                kept = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
                match message["method"]:
                    case "server/discover":
                        can = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
                        asked.say(asked.result(can | kept))
                    case "tools/list":
                        listed = {"tools": [{"name": "tell", "inputSchema": {"type": "object"}}]}
                        asked.say(asked.result(listed | kept))
                    case "tools/call":
                        self.calls.append(asked)
                        answering = self._script(asked)
                        if answering is not None:
                            await answering
                    case _:
                        asked.say(asked.refusal(-32601, "no such method"), "404 Not Found")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def site(script: Script) -> AsyncIterator[tuple[Site, Served]]:
    played = Site(script)
    async with await asyncio.start_server(played.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}/mcp"
        headers = {"X-Team": "red"}
        given: dict[str, Any] = {"protocol": ProtocolChoice.AUTO, "timeout_s": 20.0, "headers": headers}
        async with (
            serving(ServerConfig(name="s", transport=Transport.HTTP, url=url, **given)) as served,
            asyncio.timeout(20),
        ):
            await served.until(ServerStatus.CONNECTED)
            yield played, served


async def told(script: Script) -> tuple[ToolResponse, Served]:
    async with site(script) as (_, served):
        return await served.call("tell", server="s"), served


async def test_a_call_is_one_exchange_with_all_that_a_request_has_to_say() -> None:
    async with site(lambda asked: asked.say(asked.result(TOLD))) as (played, served):
        assert (await served.call("tell", server="s")).text == "told"
        log = served.log("s")
    ((headers, message, *_),) = played.calls
    said = {"mcp-method": "tools/call", "mcp-name": "tell", "mcp-protocol-version": "2026-07-28", "x-team": "red"}
    assert said.items() <= headers.items()
    meta = message["params"]["_meta"]
    assert meta.keys() >= {f"{META}/protocolVersion", f"{META}/clientInfo", f"{META}/clientCapabilities"}
    assert meta["progressToken"] == message["id"] >= direct_calls.FIRST_NUMBER
    assert "x-team: red" in log
    assert f'"id":{message["id"]}' in log


async def test_what_a_server_tells_during_a_call_reaches_the_call() -> None:
    def script(asked: Asked) -> None:
        token = asked.message["id"]
        asked.stream(
            asked.told("notifications/progress", progressToken=token, progress=1, total=2, message="half"),
            asked.told("notifications/progress", progressToken=token, progress=0.5),
            asked.told("notifications/message", level="warning", data="mind the gap"),
            asked.told("notifications/strange", value=1),
            asked.result(TOLD),
        )

    response, served = await told(script)
    assert response.text == "told"
    assert [event.progress for event in served.events if isinstance(event, Progressed)] == [(1.0, 2.0, "half")]
    assert [(entry.level, entry.text) for entry in response.logs] == [("warning", "mind the gap")]


async def test_each_of_many_steps_of_progress_can_be_passed_on_before_the_next() -> None:
    passed_on: list[int] = []
    before: list[int] = []

    def script(asked: Asked) -> None:
        steps = [asked.told("notifications/progress", progressToken=asked.message["id"], progress=n) for n in (1, 2, 3)]
        asked.stream(*steps, asked.result(TOLD))

    def listener(event: object) -> None:
        if isinstance(event, Progressed):
            before.append(len(passed_on))
            asyncio.get_running_loop().call_soon(passed_on.append, 1)

    async with site(script) as (_, served):
        served.executor.add_listener(listener)
        assert (await served.call("tell", server="s")).text == "told"
    assert before == [0, 1, 2]


async def test_an_answer_may_be_for_the_number_as_a_text() -> None:
    def script(asked: Asked) -> None:
        asked.say(asked.result(TOLD).replace(b'"id": %d' % asked.message["id"], b'"id": "%d"' % asked.message["id"]))

    response, _ = await told(script)
    assert response.text == "told"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (lambda asked: asked.say(asked.refusal(-32602, "no such day"), "400 Bad Request"), "no such day"),
        (lambda asked: asked.say(b"oops", "500 Internal Server Error", "text/plain"), "error response"),
        (lambda asked: asked.say(b"", "404 Not Found"), "Not Found"),
        (lambda asked: asked.say(b"", "202 Accepted"), "202 Accepted"),
        (lambda asked: asked.say(b"<p>", kind="text/html"), "text/html"),
        (lambda asked: asked.say(asked.result({"content": 5})), "what the protocol does not allow"),
        (lambda asked: asked.say(b"{"), "without a result"),
        (lambda asked: asked.say(b'{"jsonrpc": "2.0", "id": %d, "result": [}' % asked.message["id"]), "is no JSON"),
        (lambda asked: asked.say(b"", "401 Unauthorized"), "let this program in"),
    ],
    ids=["refused", "broke", "not there", "accepted", "a page", "no result", "no JSON", "half a result", "shut out"],
)
async def test_what_is_no_result_fails_with_words_and_is_sent_once(script: Script, words: str) -> None:
    async with site(script) as (played, served):
        response = await served.call("tell", server="s")
        assert response.status is CallStatus.FAILED
        assert response.error is not None
        assert words in response.error.message
        assert len(played.calls) == 1
        assert served.state.status is ServerStatus.CONNECTED


async def test_a_redirect_within_the_address_is_followed() -> None:
    def script(asked: Asked) -> None:
        if len(seen) == 1:
            asked.say(b"", "307 Temporary Redirect", more="location: /mcp\r\n")
        else:
            asked.say(asked.result(TOLD))

    async with site(script) as (played, served):
        seen = played.calls
        assert (await served.call("tell", server="s")).text == "told"
        assert (await served.call("tell", server="s")).text == "told"


@pytest.mark.parametrize("is_stream", [False, True])
async def test_more_than_a_message_may_have_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch, is_stream: bool
) -> None:
    monkeypatch.setattr(direct_calls, "MAX_MESSAGE_BYTES", 1 << 20)

    def script(asked: Asked) -> None:
        result = asked.result({**TOLD, "content": [{"type": "text", "text": "a" * (1 << 21)}]})
        if is_stream:
            asked.stream(result)
        else:
            asked.say(result)

    response, _ = await told(script)
    assert response.error is not None
    assert "more than 1 MiB" in response.error.message


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n"], ids=["nothing", "half a head"])
async def test_a_server_that_hangs_up_is_lost_and_is_not_called_twice(said: bytes) -> None:
    def script(asked: Asked) -> None:
        asked.writer.write(said)
        asked.writer.close()

    async with site(script) as (played, served):
        response = await served.call("tell", server="s")
        assert response.error is not None
        assert "connection was lost" in response.error.message
        assert len(played.calls) == 1


async def test_a_stream_that_ends_without_a_result_fails_its_call() -> None:
    def script(asked: Asked) -> None:
        asked.stream(asked.told("notifications/message", level="info", data="soon"))
        asked.writer.write(b"0\r\n\r\n")

    response, _ = await told(script)
    assert response.error is not None
    assert "it answered without a result" in response.error.message


async def test_a_call_that_is_given_up_hangs_up_and_leaves_nothing_open() -> None:
    left = asyncio.Event()

    async def script(asked: Asked) -> None:
        came.set()
        assert await asked.reader.read() == b""
        left.set()

    came = asyncio.Event()
    async with site(script) as (_, served):
        calling = asyncio.create_task(served.call("tell", server="s"))
        await came.wait()
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await left.wait()
        assert "notifications/cancelled" in served.log("s")


async def test_a_server_that_is_stopped_ends_the_calls_that_it_has() -> None:
    came = asyncio.Event()

    async def script(asked: Asked) -> None:
        came.set()
        await asked.reader.read()

    async with site(script) as (_, served):
        calling = asyncio.create_task(served.call("tell", server="s"))
        await came.wait()
        await served.servers.stop("s")
        assert (await calling).status is CallStatus.FAILED


async def test_calls_at_once_have_connections_of_their_own_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct_calls, "MOST_CONNECTIONS", 3)
    go_on = asyncio.Event()

    async def script(asked: Asked) -> None:
        await go_on.wait()
        asked.say(asked.result(TOLD))

    async with site(script) as (played, served):
        calling = [asyncio.create_task(served.call("tell", server="s")) for _ in range(7)]
        await until(lambda: len(played.calls) == 3)
        go_on.set()
        assert {response.text for response in await asyncio.gather(*calling)} == {"told"}
        assert len({asked.writer for asked in played.calls}) == 3


_VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, "", "text", "complete", "input_required", [], {}, {"text": "a"}]
)
_PARTS = st.fixed_dictionaries(
    {},
    optional={"type": st.sampled_from(["text", "image", None]), "text": st.text(max_size=3) | _VALUES, "data": _VALUES},
)
_RESULTS = st.fixed_dictionaries(
    {},
    optional={
        "resultType": st.just("complete") | _VALUES,
        "content": st.lists(st.just({"type": "text", "text": "a"}) | _PARTS | _VALUES, max_size=2) | _VALUES,
        "structuredContent": _VALUES,
        "isError": st.booleans() | _VALUES,
        "_meta": _VALUES,
        "inputRequests": _VALUES,
        "other": _VALUES,
    },
)


@given(_RESULTS)
def test_what_is_taken_as_usual_is_what_the_sdk_takes(result: dict[str, Any]) -> None:
    if is_usual(result):
        for (method, _), described in SERVER_RESULTS.items():
            if method == "tools/call":
                taken: Any = described
                TypeAdapter(taken).validate_python(result, by_name=False)


def test_a_text_with_a_structured_value_is_usual_and_anything_else_is_not() -> None:
    usual: dict[str, Any] = {**TOLD, "structuredContent": {"a": 1}, "isError": False, "_meta": {"io.example/a": 1}}
    assert is_usual(usual)
    others: tuple[dict[str, Any], ...] = (
        {"content": []},
        {**usual, "content": [{"type": "image", "data": "", "mimeType": "image/png"}]},
        {**usual, "content": [{"type": "text", "text": 1}]},
        {**usual, "content": {}},
        {**usual, "structuredContent": []},
        {**usual, "isError": None},
        {**usual, "_meta": []},
        {**usual, "resultType": "input_required"},
        {**usual, "requestState": "x"},
    )
    assert not any(map(is_usual, others))


def test_only_what_runs_here_and_needs_no_key_is_called_so() -> None:
    def target(url: str, **rest: Any) -> Any:
        return Target(transport=rest.pop("transport", Transport.HTTP), url=url, **rest)

    assert all(map(LoopbackCalls.suits, map(target, ("http://127.0.0.1:80/mcp", "http://localhost/", "http://[::1]/"))))
    for url in ("https://localhost/", "http://example.org/", "http://me:secret@localhost/", "http://10.0.0.1/"):
        assert not LoopbackCalls.suits(target(url))
    assert not LoopbackCalls.suits(target("http://localhost/", transport=Transport.SSE))


async def test_an_event_of_many_lines_is_limited_as_a_whole() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"{}")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + b"data: aaaaaaaaaaaaa\n" * 100_000)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        http = HttpConnections({}, largest_bytes=1 << 20)
        connection = await http.connect(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        with pytest.raises(OSError, match="more than 1 MiB"):
            await _read(http.ask(connection, "POST", {}, b"{}"))


async def _read(asking: AbstractAsyncContextManager[StreamedAnswer]) -> list[bytes]:
    async with asking as answer:
        return [line async for line in answer.messages()]
