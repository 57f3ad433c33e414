"""Requests that try to reach the tools through the gateway without being an agent's own, or to end it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import psutil
import pytest

from tests.tools.gateway.raw_agent import raw_agent
from tests.tools.gateway.serving import ACCEPT, Served, agent, desk_at, served, text_of
from tests.tools.running import Answers
from tools import ExitEarly, tool
from tools.declare import resolve_tools
from tools.policy import Effect, Policy, Predicate, Rule, RuleLocation, RuleMoment
from tools.registry import ToolRegistry

pytestmark = pytest.mark.expects_log(
    "tools.calls",
    "mcp.server.transport_security",
    "mcp.server.streamable_http",
    "uvicorn.error",
    "mcp.server.request_state",
)

LIST = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'


async def said(at: Served, lines: list[str], body: str) -> bytes:
    """Return the first line that a raw request is answered with."""
    parts = urlsplit(at.endpoint.address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(("\r\n".join(["POST /mcp HTTP/1.1", *lines]) + f"\r\n\r\n{body}").encode())
    line = await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    return line


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        pytest.param(["Authorization: Bearer {token}"], 421, id="no host"),
        pytest.param(["Host: {host}", "Host: evil.example", "Authorization: Bearer {token}"], 400, id="two hosts"),
        pytest.param(["Host: {host}", "Authorization: x", "Authorization: Bearer {token}"], 401, id="two tokens"),
        pytest.param(["Host: {host}", "Authorization: Bearer {token} x"], 401, id="more than a token"),
        pytest.param(["Host: {host}", "Cookie: token={token}"], 401, id="the token as a cookie"),
        pytest.param(["Host: {host}", "Authorization: Bearer {token}", "X: " + "a" * 70_000], 400, id="endless"),
    ],
)
async def test_a_request_that_can_be_read_in_two_ways_is_refused(tmp_path: Path, lines: list[str], status: int) -> None:
    async with served(tmp_path) as at:
        filled = [line.format(token=at.token, host=urlsplit(at.endpoint.address).netloc) for line in lines]
        filled += ["Accept: application/json, text/event-stream", "Content-Type: application/json"]
        answer = await said(at, [*filled, f"Content-Length: {len(LIST)}"], LIST)
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("[" * 100_000, id="deep"),
        pytest.param("[" + ",".join([LIST] * 1_000) + "]", id="a thousand at once"),
        pytest.param('{"jsonrpc": "2.0", "id": ' + "9" * 100_000 + ', "method": "tools/list"}', id="endless number"),
        pytest.param('{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}', id="no id"),
        pytest.param('"tools/list"', id="no object"),
        pytest.param("\x00", id="no JSON"),
    ],
)
@pytest.mark.parametrize("era", [{}, {"mcp-protocol-version": "2026-07-28"}], ids=["older", "newer"])
async def test_a_body_that_is_no_request_is_refused_and_the_next_one_served(
    tmp_path: Path, body: str, era: dict[str, str]
) -> None:
    async with served(tmp_path) as at:
        headers = {**ACCEPT, **era, "authorization": f"Bearer {at.token}", "content-type": "application/json"}
        async with httpx2.AsyncClient(headers=headers) as http:
            answer = await http.post(at.endpoint.address, content=body)
            assert 400 <= answer.status_code < 500
        async with raw_agent(at.endpoint.address, at.token, "modern") as agent:
            assert (await agent.result("tools/list"))["tools"]


async def test_a_state_made_up_by_an_agent_starts_nothing(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), raw_agent(at.endpoint.address, at.token, "modern") as agent:
        for state in ("", "v1.", "v1." + "A" * 100, '["id", 1]', "x" * 100_000):
            params = {"name": "erase", "arguments": {"name": "x"}, "requestState": state}
            assert (await agent.answer("tools/call", params))["error"]["code"] == -32602
        assert (desk.ran, desk.reviewer.requests) == ([], [])


async def test_a_token_in_the_address_lets_nobody_in(tmp_path: Path) -> None:
    async with served(tmp_path) as at, httpx2.AsyncClient(headers=ACCEPT) as http:
        for query in ("access_token", "token", "authorization"):
            answer = await http.post(f"{at.endpoint.address}?{query}={at.token}", content=LIST)
            assert answer.status_code == 401


async def test_only_this_computer_reaches_it(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        port = urlsplit(at.endpoint.address).port
        listening = [one.laddr for one in psutil.Process().net_connections() if one.status == psutil.CONN_LISTEN]
        assert [address.ip for address in listening if address.port == port] == ["127.0.0.1"]


async def test_a_secret_is_asked_about_when_an_agent_sends_it_and_masked_in_what_it_is_given(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0eF5hJ7"

    @tool(read_only=True)
    def note(text: str) -> str:
        """Note something."""
        return f"noted {text}, with {secret}"

    registry = ToolRegistry()
    registry.register_all(resolve_tools([note]))
    policy = Policy()
    for rule in (
        Rule(id="asks", effect=Effect.ASK, where=(Predicate(path="", holds_secret=True),)),
        Rule(id="hides", effect=Effect.ALLOW, moment=RuleMoment.RESULT, redact_secrets=True),
    ):
        policy.add(rule, RuleLocation.SESSION)
    reviewer = Answers(ExitEarly("not outside"))
    async with (
        served(tmp_path, registry=registry, reviewer=reviewer, policy=policy) as at,
        agent(at) as client,
    ):
        assert text_of(await client.call_tool("note", {"text": "a"})) == "noted a, with ••••••"
        refused = await client.call_tool("note", {"text": f"key {secret}"})
        assert refused.is_error
        assert "not outside" in text_of(refused)
        [asked] = reviewer.requests
        assert asked.call.arguments == {"text": f"key {secret}"}
