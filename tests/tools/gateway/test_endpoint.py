"""Agents over the wire: both eras of the protocol, and who is not let in."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import MCPError
from mcp_types import HEADER_MISMATCH, TextContent

from tests.tools.gateway.raw_agent import raw_agent
from tests.tools.gateway.serving import ACCEPT, Served, agent, erase, no_prompt, served, text_of
from tests.tools.mcp.serving import misbehaving, serving
from tests.tools.running import Answers
from tools import Executor, ToolContext, make_tool, tool
from tools.declare import resolve_tools
from tools.errors import GatewayError
from tools.gateway.agent_server import MOST_UNSEEN, AgentUse
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.defaults import OWNER_FILE, STARTED_FOLDER
from tools.gateway.endpoint import GatewayEndpoint
from tools.mcp.remote_tool import RemoteTool
from tools.registry import ToolRegistry

pytestmark = pytest.mark.expects_log("mcp.server.transport_security", "mcp.server.streamable_http_manager")

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
}


@ERAS
async def test_an_agent_lists_the_tools_by_name_and_calls_them(tmp_path: Path, era: str) -> None:
    async with served(tmp_path) as at, agent(at, era) as client:
        listed = (await client.list_tools()).tools
        assert [one.name for one in listed] == ["add", "count", "erase", "fail"]
        added = next(one for one in listed if one.name == "add")
        assert added.annotations is not None
        assert added.annotations.read_only_hint is True
        assert added.output_schema is not None
        result = await client.call_tool("add", {"a": 1, "b": 2})
        assert (result.structured_content, result.is_error) == ({"sum": 3}, False)


@ERAS
async def test_a_person_is_asked_with_the_agent_s_name(tmp_path: Path, era: str) -> None:
    async with served(tmp_path) as at, agent(at, era) as client:
        assert text_of(await client.call_tool("erase", {"name": "x"})) == "erased x"
        assert [request.call.caller for request in at.reviewer.requests] == ["agent:claude"]


@ERAS
async def test_progress_and_pictures_reach_the_agent(tmp_path: Path, era: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with served(tmp_path) as at, agent(at, era) as client:
        result = await client.call_tool("count", {"to": 3}, progress_callback=on_progress)
        assert [part.type for part in result.content] == ["text", "image"]
        assert seen
        assert [done for done, _, _ in seen] == sorted({done for done, _, _ in seen})
        assert seen[-1] == (3, 3, "at 3")


@ERAS
async def test_progress_of_a_tool_in_a_thread_reaches_the_agent(tmp_path: Path, era: str) -> None:
    seen: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    @tool(read_only=True)
    def count_in_thread(ctx: ToolContext) -> str:
        """Count."""
        for done in (1, 2, 3):
            ctx.progress(done, 3)
        return "counted"

    registry = ToolRegistry()
    registry.register_all(resolve_tools([count_in_thread]))
    async with served(tmp_path, registry=registry) as at, agent(at, era) as client:
        await client.call_tool("count_in_thread", {}, progress_callback=on_progress)
        assert seen[-1] == 3


@ERAS
async def test_an_agent_lists_prompts_and_asks_for_their_text(tmp_path: Path, era: str) -> None:
    async with served(tmp_path) as at, agent(at, era) as client:
        (listed,) = (await client.list_prompts()).prompts
        assert (listed.name, listed.description) == ("letter", "Write a letter.")
        assert [(one.name, one.required) for one in listed.arguments or ()] == [("to", True), ("days", False)]
        said = await client.get_prompt("letter", {"to": "Mira", "days": "3"})
        assert [(one.role, one.content) for one in said.messages] == [
            ("user", TextContent(type="text", text="Dear Mira, 3 days"))
        ]
        with pytest.raises(MCPError, match="days: expected a whole number, got 'soon'"):
            await client.get_prompt("letter", {"to": "Mira", "days": "soon"})
        with pytest.raises(MCPError, match="no prompt is called 'poem'"):
            await client.get_prompt("poem", {})


@ERAS
async def test_failures_and_wrong_arguments_are_results_and_unknown_names_errors(tmp_path: Path, era: str) -> None:
    async with served(tmp_path) as at, agent(at, era) as client:
        failed = await client.call_tool("fail", {})
        assert (text_of(failed), failed.is_error) == ("Error: it is broken; mend it", True)
        wrong = await client.call_tool("add", {"a": "one"})
        assert wrong.is_error
        assert "a: expected a whole number, got 'one'" in text_of(wrong)
        with pytest.raises(MCPError, match="no tool is called 'nothing'"):
            await client.call_tool("nothing", {})


async def test_a_call_is_compared_with_its_headers_and_lists_no_tools(tmp_path: Path) -> None:
    document: Any = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    routed = make_tool("routed", "Routed by region.", lambda region: f"from {region}", document, read_only_hint=True)
    async with served(tmp_path) as at:
        at.registry.register(routed)
        async with raw_agent(at.endpoint.address, at.token, "modern") as raw:
            refused = await raw.answer("tools/call", {"name": "routed", "arguments": {"region": "north"}})
            assert refused["error"]["code"] == HEADER_MISMATCH
        async with agent(at, "auto") as client:
            await client.list_tools()
            assert text_of(await client.call_tool("routed", {"region": "north"})) == "from north"
        use = at.endpoint.use("claude")
        assert use is not None
        assert (use.calls, use.lists) == (1, 1)


async def test_an_agent_sees_and_calls_its_own_tools_only(tmp_path: Path) -> None:
    async with served(tmp_path, ("a*",)) as at, agent(at) as client:
        assert [one.name for one in (await client.list_tools()).tools] == ["add"]
        for name in ("erase", "erase", "nothing"):
            with pytest.raises(MCPError, match=f"no tool is called '{name}'"):
                await client.call_tool(name, {"name": "x"})
        use = at.endpoint.use("claude")
        assert use is not None
        assert (use.calls, dict(use.unseen)) == (0, {"erase": 2, "nothing": 1})


def test_only_the_newest_names_of_tools_that_an_agent_does_not_see_are_counted() -> None:
    use = AgentUse(0, 0, 0, datetime.now(UTC))
    for at in range(MOST_UNSEEN + 1):
        use = use.with_unseen(f"t{at}")
    assert (len(use.unseen), "t0" in use.unseen) == (MOST_UNSEEN, False)


async def test_a_session_is_told_of_changed_tools(tmp_path: Path) -> None:
    told = asyncio.Event()

    async def on_message(message: Any) -> None:
        if "list_changed" in str(getattr(message, "method", "")):
            told.set()

    async with served(tmp_path) as at, agent(at, "legacy", message_handler=on_message) as client:
        await client.list_tools()
        at.registry.register_all(resolve_tools([make_tool("new", "New.", lambda: "new")]))
        async with asyncio.timeout(10):
            await told.wait()
        assert "new" in [one.name for one in (await client.list_tools()).tools]


async def test_more_calls_than_a_minute_allows_are_refused_with_the_time_to_wait(tmp_path: Path) -> None:
    async with served(tmp_path, calls_a_minute=2) as at, agent(at) as client:
        for _ in range(2):
            await client.call_tool("add", {"a": 1, "b": 2})
        refused = await client.call_tool("add", {"a": 1, "b": 2})
        assert refused.is_error
        assert "2 calls" in text_of(refused)


async def test_what_a_server_says_of_its_tool_is_passed_on_under_a_name_that_clients_take(tmp_path: Path) -> None:
    async with serving(misbehaving()) as behind, served(tmp_path, registry=behind.executor.registry) as at:
        own = {
            tool.name: tool.origin.definition.raw
            for tool in behind.executor.registry
            if isinstance(tool.origin, RemoteTool)
        }
        async with agent(at) as client:
            listed = {one.name: one for one in (await client.list_tools()).tools}
        assert {name.replace(".", "__") for name in own} == set(listed)
        for name, raw in own.items():
            told = listed[name.replace(".", "__")].model_dump(mode="json", by_alias=True, exclude_unset=True)
            # The SDK's models know no other fields.
            known = {key: value for key, value in raw.items() if key != "vendor/extra"}
            assert told == {**known, "name": name.replace(".", "__")}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer tc_guess"}, 401),
        ({"authorization": "Basic {token}"}, 401),
        ({"authorization": "Bearer {token}", "origin": "https://evil.example"}, 403),
        ({"authorization": "Bearer {token}", "origin": "null"}, 403),
        ({"authorization": "Bearer {token}", "host": "evil.example"}, 421),
        ({"authorization": "Bearer {token}", "host": "127.0.0.1.evil.example:80"}, 421),
    ],
)
async def test_who_has_no_token_or_comes_from_a_web_page_is_refused(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    async with served(tmp_path) as at, httpx2.AsyncClient() as http:
        given = {name: value.replace("{token}", at.token) for name, value in headers.items()}
        answer = await http.post(at.endpoint.address, json=LIST, headers={**ACCEPT, **given})
        assert answer.status_code == status
        assert at.token not in answer.text


@pytest.mark.expects_log("mcp.client.streamable_http")
async def test_a_blocked_agent_is_refused_in_the_middle_of_its_session(tmp_path: Path) -> None:
    async with served(tmp_path) as at, agent(at, "legacy") as client:
        await client.list_tools()
        at.agents.block("claude")
        with pytest.raises(MCPError):
            await client.list_tools()


async def test_a_session_belongs_to_the_agent_that_began_it(tmp_path: Path) -> None:
    async with served(tmp_path) as at, httpx2.AsyncClient() as http:
        mine = {**ACCEPT, "authorization": f"Bearer {at.token}"}
        begun = await http.post(at.endpoint.address, json=HELLO, headers=mine)
        session = {"mcp-session-id": begun.headers["mcp-session-id"]}
        other = {**ACCEPT, "authorization": f"Bearer {at.agents.add('cursor').token}"}
        stolen = await http.post(at.endpoint.address, json=LIST, headers={**other, **session})
        assert stolen.status_code == 404


async def test_a_request_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path) as at, httpx2.AsyncClient() as http:
        headers = {**ACCEPT, "authorization": f"Bearer {at.token}", "content-type": "application/json"}
        answer = await http.post(at.endpoint.address, content=b" " * 5_000_000, headers=headers)
        assert answer.status_code == 413


async def test_two_programs_never_serve_at_once(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        second = GatewayEndpoint(Executor(at.registry), at.agents, tmp_path, render_prompt=no_prompt, port=0)
        with pytest.raises(GatewayError, match="another program serves agents already"):
            await second.start()


async def test_a_taken_port_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        port = int(at.endpoint.address.rpartition(":")[2].removesuffix("/mcp"))
        second = GatewayEndpoint(
            Executor(at.registry), at.agents, tmp_path / "other", render_prompt=no_prompt, port=port
        )
        with pytest.raises(GatewayError, match=f"port {port} cannot be listened on"):
            await second.start()
        assert second.address == ""


async def test_a_request_that_waits_ends_when_serving_ends(tmp_path: Path) -> None:
    class Silent:
        def __init__(self) -> None:
            self.asked = asyncio.Event()

        async def review(self, _: object, /) -> Any:
            self.asked.set()
            await asyncio.Event().wait()

    registry = ToolRegistry()
    registry.register_all(resolve_tools([erase]))
    silent = Silent()
    executor = Executor(registry, review_handler=silent)
    agents = Agents(tmp_path / AGENTS_FILE)
    token = agents.add("claude").token
    endpoint = GatewayEndpoint(executor, agents, tmp_path, render_prompt=no_prompt, port=0)
    await endpoint.start()
    at = Served(endpoint, agents, registry, token, Answers())
    async with agent(at) as client:
        asking = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
        await silent.asked.wait()
        async with asyncio.timeout(15):
            await endpoint.aclose()
            await asyncio.gather(asking, return_exceptions=True)
    await executor.aclose()


@pytest.mark.parametrize("name", [OWNER_FILE, STARTED_FOLDER])
async def test_a_data_folder_that_cannot_be_used_is_told_and_the_port_is_free_again(tmp_path: Path, name: str) -> None:
    if name == OWNER_FILE:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).touch()
    with pytest.raises(GatewayError, match=f"{name}.* cannot be used"):
        async with served(tmp_path):
            pass
    if name == OWNER_FILE:
        (tmp_path / name).rmdir()
    else:
        (tmp_path / name).unlink()
    async with served(tmp_path / "again") as at:
        assert at.endpoint.address
