"""Plain calls of the newer era, which the gateway answers itself: as the SDK's server would, and no less guarded."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.tools.gateway.raw_agent import MODERN
from tests.tools.gateway.serving import ACCEPT, Served, desk_at, served
from tests.tools.running import until
from tools.gateway import direct_answers
from tools.gateway.agents import AGENTS_FILE, Agents

META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def headers_of(at: Served, name: str = "add", **others: str) -> dict[str, str]:
    routed = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name}
    return {**ACCEPT, **routed, "authorization": f"Bearer {at.token}", "content-type": "application/json", **others}


def message(name: str = "add", arguments: Any = None, **others: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": {"a": 1, "b": 2} if arguments is None else arguments, "_meta": META, **others}
    return {"jsonrpc": "2.0", "id": "7", "method": "tools/call", "params": params}


async def post(at: Served, said: Any, headers: dict[str, str]) -> httpx2.Response:
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        body = said if isinstance(said, str) else json.dumps(said)
        return await http.post(at.endpoint.address, content=body)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(message(), id="a result"),
        pytest.param(message("add", {"a": "x"}), id="arguments that the tool does not take"),
        pytest.param(message("fail", {}), id="a failure"),
        pytest.param(message("nothing", {}), id="no such tool"),
        pytest.param(message("count", {"to": 2}), id="content of several kinds"),
    ],
)
async def test_a_call_is_answered_as_the_sdk_answers_it(said: dict[str, Any], tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        headers = headers_of(at, said["params"]["name"])
        own = await post(at, said, headers)
        # A state that is none makes no difference, but the call is none of the plain ones.
        theirs = await post(at, {**said, "params": {**said["params"], "requestState": None}}, headers)
        assert own.json() == theirs.json()
        assert (own.status_code, own.headers["content-type"]) == (theirs.status_code, theirs.headers["content-type"])


async def test_what_is_told_before_the_result_comes_as_a_stream(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        answer = await post(
            at, message("count", {"to": 3}, _meta={**META, "progressToken": 5}), headers_of(at, "count")
        )
        assert answer.headers["content-type"] == "text/event-stream"
        *told, result = [json.loads(line[5:]) for line in answer.text.splitlines() if line.startswith("data:")]
        assert {one["params"]["progressToken"] for one in told} == {5}
        assert result["result"]["content"][0]["text"] == "counted"


async def test_a_silent_call_says_that_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct_answers, "PING_S", 0.01)
    async with desk_at(tmp_path, hold_s=30.0) as (desk, at):
        headers = headers_of(at, "erase")
        said = json.dumps(message("erase", {"name": "a"}))
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            http.stream("POST", at.endpoint.address, content=said) as answer,
        ):
            lines = answer.aiter_lines()
            assert [await anext(lines) for _ in range(3)] == [": ping", "", ": ping"]
            desk.reviewer.answer()
            assert "erased a" in "".join([line async for line in lines])


async def test_a_tool_is_stopped_when_the_client_hangs_up(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        parts = urlsplit(at.endpoint.address)
        _, writer = await asyncio.open_connection(parts.hostname, parts.port)
        body = json.dumps(message("count", {"to": 10**9}))
        lines = {"host": parts.netloc, "content-length": str(len(body)), **headers_of(at, "count")}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"POST /mcp HTTP/1.1\r\n{head}\r\n{body}".encode())
        await until(lambda: at.endpoint.running == 1)
        writer.close()
        await until(lambda: at.endpoint.running == 0)


@pytest.mark.expects_log("mcp.server.transport_security")
@pytest.mark.parametrize(
    ("changed", "status"),
    [
        pytest.param({"authorization": "Bearer tc_guess"}, 401, id="another token"),
        pytest.param({"host": "evil.example"}, 421, id="another host"),
        pytest.param({"origin": "https://evil.example"}, 403, id="another origin"),
        pytest.param({"content-type": "text/plain"}, 400, id="no JSON"),
        pytest.param({"accept": "application/json"}, 406, id="no stream taken"),
        pytest.param({"mcp-name": "erase"}, 400, id="another name"),
        pytest.param({"mcp-param-a": "1"}, 200, id="a header for an argument that has none"),
    ],
)
async def test_a_call_passes_the_same_checks_as_any_request(
    changed: dict[str, str], status: int, tmp_path: Path
) -> None:
    async with served(tmp_path) as at:
        answer = await post(at, message(), headers_of(at, **changed))
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        pytest.param("authorization", "Bearer tc_guess", 401, id="two tokens"),
        pytest.param("mcp-name", "erase", 400, id="two names"),
        pytest.param("mcp-method", "tools/list", 400, id="two methods"),
        pytest.param("x-mine", "1", 200, id="a header of the client's own"),
    ],
)
async def test_a_header_that_is_said_twice_is_left_to_the_sdk(
    name: str, value: str, status: int, tmp_path: Path
) -> None:
    async with served(tmp_path) as at:
        # A head that was good before is not good with another line in it.
        assert (await post(at, message(), headers_of(at))).status_code == 200
        headers = [(name, value), *headers_of(at).items(), (name, value)]
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            answer = await http.post(at.endpoint.address, content=json.dumps(message()))
        assert answer.status_code == status, answer.text


async def test_a_head_that_was_good_is_good_with_a_good_token_only(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        assert (await post(at, message(), headers_of(at))).status_code == 200
        Agents(tmp_path / AGENTS_FILE).block("claude")
        assert (await post(at, message(), headers_of(at))).status_code == 401


@pytest.mark.parametrize(
    ("said", "status"),
    [
        pytest.param('{"jsonrpc": "2.0"', 400, id="no JSON"),
        pytest.param({**message(), "id": None}, 400, id="no id"),
        pytest.param(message(arguments=[]), 400, id="arguments in a list"),
        pytest.param(message(_meta={}), 400, id="no version"),
        pytest.param({**message(), "result": {}}, 200, id="a field of another kind of message"),
        pytest.param(json.dumps(message()) + " " * 5_000_000, 413, id="too large"),
    ],
)
async def test_a_call_that_is_written_otherwise_is_left_to_the_sdk(said: Any, status: int, tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        answer = await post(at, said, headers_of(at))
        assert answer.status_code == status, answer.text
