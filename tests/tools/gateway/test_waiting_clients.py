"""Clients that wait for a person longer than a request lives are answered each in its way, and nothing runs twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, InputRequiredResult

from tests.tools.gateway.raw_agent import RawAgent, raw_agent
from tests.tools.gateway.serving import HOLD_S, AskedDesk, Served, agent, desk_at, text_of
from tests.tools.running import until
from tools import ExitEarly, ReviewRequest
from tools.gateway.agents import AGENTS_FILE, MOST_PROGRAMS, Agents
from tools.gateway.hold_times import SHORTEST_HOLD_S, HoldTimes
from tools.gateway.request_states import LAST_ROUND, SealedStates

pytestmark = pytest.mark.expects_log("mcp.server.request_state")


async def begun(client: Client, name: str = "x", state: str | None = None) -> CallToolResult | InputRequiredResult:
    return await client.session.call_tool("erase", {"name": name}, request_state=state, allow_input_required=True)


async def state_of(client: Client) -> str:
    waiting = await begun(client)
    assert isinstance(waiting, InputRequiredResult)
    assert waiting.request_state is not None
    return waiting.request_state


async def test_a_client_of_the_newer_era_comes_back_by_itself_until_the_person_answers(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at) as client:
        calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
        await desk.reviewer.asked.wait()
        # Longer than one request is held; the client's library comes back with the state.
        await asyncio.sleep(3 * HOLD_S)
        assert not calling.done()
        desk.reviewer.answer()
        result = await calling
        assert (text_of(result), result.is_error) == ("erased x", False)
        assert desk.ran == ["x"]
        assert len(desk.reviewer.requests) == 1


async def test_a_state_names_the_held_call_and_tells_the_client_nothing(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at) as client:
        state = await state_of(client)
        assert "erase" not in state
        assert "claude" not in state
        desk.reviewer.answer(ExitEarly("not today"))
        result = await begun(client, state=state)
        assert isinstance(result, CallToolResult)
        assert result.is_error
        assert "not today" in text_of(result)
        assert desk.ran == []


@pytest.mark.parametrize("damage", [lambda state: state[:-1], lambda state: f"{state[:-2]}AA", lambda _: "v1.guess"])
async def test_a_damaged_state_is_refused_and_runs_nothing(tmp_path: Path, damage: Any) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at) as client:
        state = await state_of(client)
        desk.reviewer.answer()
        with pytest.raises(MCPError, match="expected the requestState that was given for this tool"):
            await begun(client, state=damage(state))
        assert desk.ran == []


async def test_a_state_of_other_arguments_or_of_another_agent_is_refused(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at) as client:
        state = await state_of(client)
        desk.reviewer.answer()
        with pytest.raises(MCPError, match="expected the requestState"):
            await begun(client, "y", state)
        with pytest.raises(MCPError, match="expected the requestState"):
            await client.session.call_tool("count", {"name": "x"}, request_state=state, allow_input_required=True)
        other = at.agents.add("cursor").token
        async with agent(at, token=other) as stranger:
            with pytest.raises(MCPError, match="expected the requestState"):
                await begun(stranger, state=state)
        assert desk.ran == []


async def test_a_state_that_is_used_again_is_refused_and_runs_nothing_again(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at) as client:
        state = await state_of(client)
        desk.reviewer.answer()
        assert isinstance(await begun(client, state=state), CallToolResult)
        with pytest.raises(MCPError, match="its outcome was taken"):
            await begun(client, state=state)
        assert desk.ran == ["x"]


async def test_a_state_of_before_a_restart_is_refused_and_the_call_may_be_made_anew(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (_, at), agent(at) as client:
        state = await state_of(client)
    async with desk_at(tmp_path / "again") as (desk, at), agent(at) as client:
        with pytest.raises(MCPError, match=r"since the gateway was started.*without requestState"):
            await begun(client, state=state)
        assert desk.reviewer.requests == []


async def test_an_old_state_is_refused() -> None:
    async def call(context: Any, _: Any) -> Any:
        return InputRequiredResult(request_state="kept")

    server: Server[Any] = Server("tool-console", on_call_tool=call)
    server.middleware.append(SealedStates(bytes(32), lambda _: "claude", "tool-console", ttl_s=0.001))
    async with Client(server) as client:
        state = await state_of(client)
        await asyncio.sleep(0.002)
        with pytest.raises(MCPError, match="expected the requestState"):
            await begun(client, state=state)


async def test_before_a_client_gives_up_coming_back_it_is_told_to_call_again(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=0.001) as (desk, at), agent(at) as client:
        rounds = 0
        answer: CallToolResult | InputRequiredResult = await begun(client)
        while isinstance(answer, InputRequiredResult):
            rounds += 1
            answer = await begun(client, state=answer.request_state)
        assert rounds == LAST_ROUND
        assert text_of(answer).startswith("Pending:")
        assert not answer.is_error
        assert len(desk.reviewer.requests) == 1


async def test_a_client_of_the_older_era_is_told_to_call_again_as_no_error(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at, "legacy") as client:
        pending = await client.call_tool("erase", {"name": "x"})
        assert text_of(pending).startswith("Pending:")
        assert not pending.is_error
        desk.reviewer.answer()
        assert text_of(await client.call_tool("erase", {"name": "x"})) == "erased x"
        assert desk.ran == ["x"]


async def test_a_client_that_checks_the_output_of_a_tool_is_told_to_call_again_as_well(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at, "legacy") as client:
        # The SDK refuses a result without the output that the tool announces, unless it is an error.
        pending = await client.call_tool("count", {"name": "x"})
        assert text_of(pending).startswith("Pending:")
        assert pending.is_error
        desk.reviewer.answer()
        assert (await client.call_tool("count", {"name": "x"})).structured_content == {"erased": 1}


@asynccontextmanager
async def hung_up(at: Served) -> AsyncIterator[RawAgent]:
    """Be a client of the older era that hung up on a call while a person was asked, in the middle of its session."""
    async with raw_agent(at.endpoint.address, at.token, "legacy") as client:
        params = {"name": "erase", "arguments": {"name": "x"}, "_meta": {"progressToken": 1}}
        await client.hang_up("tools/call", params, "waiting for approval")
        await until(lambda: not attended(at))
        yield client


def attended(at: Served) -> bool:
    assert at.endpoint._held is not None
    return any(held._requests for held in at.endpoint._held._held.values())


@pytest.mark.expects_log("mcp.server.streamable_http")
async def test_a_call_whose_client_hung_up_without_a_word_waits_until_it_is_back(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=30) as (desk, at), hung_up(at) as client:
        desk.reviewer.answer()
        await asyncio.sleep(0.02)
        assert (desk.ran, at.endpoint.waiting("claude")) == ([], 1)
        again = await client.result("tools/call", {"name": "erase", "arguments": {"name": "x"}})
        assert again["content"][0]["text"] == "erased x"
        assert desk.ran == ["x"]
        assert len(desk.reviewer.requests) == 1


@asynccontextmanager
async def asked_and_gone(desk: AskedDesk, at: Served) -> AsyncIterator[ReviewRequest]:
    """Have a client of the SDK ask for something, and end its connection while a person is asked."""
    assert at.endpoint._held is not None
    at.endpoint._held._away_s = 0.0
    async with agent(at) as client:
        calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
        await desk.reviewer.asked.wait()
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
    (asked,) = desk.reviewer.requests
    shown = at.endpoint._executor.questions.request_of
    await until(lambda: (now := shown(asked.id)) is not None and now.caller_back_within_s is not None)
    yield asked


async def test_a_client_that_left_comes_back_and_collects_what_was_allowed_meanwhile(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=30) as (desk, at), asked_and_gone(desk, at):
        desk.reviewer.answer()
        await until(lambda: at.endpoint.allowed("claude") == 1)
        assert (desk.ran, at.endpoint.running) == ([], 0)
        async with agent(at) as client:
            assert text_of(await client.call_tool("erase", {"name": "x"})) == "erased x"
        assert (desk.ran, at.endpoint.allowed("claude")) == (["x"], 0)


async def test_a_client_that_left_and_comes_back_before_the_answer_is_seen_to_wait_again(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=30) as (desk, at), asked_and_gone(desk, at) as asked:
        async with agent(at) as client:
            calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
            shown = at.endpoint._executor.questions.request_of
            await until(lambda: (now := shown(asked.id)) is not None and now.caller_back_within_s is None)
            desk.reviewer.answer()
            assert text_of(await calling) == "erased x"
        assert desk.ran == ["x"]


async def test_a_client_that_stays_away_lets_its_call_expire_and_is_told_so_when_it_asks_later(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=30) as (desk, at):
        assert at.endpoint._held is not None
        at.endpoint._held._keep_s = 0.5
        async with asked_and_gone(desk, at):
            # The outcome is kept for longer.
            at.endpoint._held._keep_s = 30
            desk.reviewer.answer()
            await until(lambda: at.endpoint.allowed("claude") == 1)
            await until(lambda: at.endpoint.allowed("claude") == 0)
            async with agent(at) as client:
                said = await client.call_tool("erase", {"name": "x"})
            assert said.is_error
            assert "did not ask again within 0.5 s, so nothing was run" in text_of(said)
            assert desk.ran == []


async def test_a_client_that_hung_up_is_held_shorter_from_then_on_also_after_a_restart(tmp_path: Path) -> None:
    agents = Agents(tmp_path / AGENTS_FILE)
    known = agents.add("claude").agent
    holds = HoldTimes(agents, 50)
    assert holds.of(known, "cli") == 50
    holds.note_left(known, "cli", 30)
    await holds.aclose()
    (known,) = Agents(tmp_path / AGENTS_FILE).all()
    again = HoldTimes(agents, 50)
    assert (again.of(known, "cli"), again.of(known, "other")) == (27, 50)
    again.note_left(known, "cli", 40)
    again.note_left(known, "other", SHORTEST_HOLD_S)
    await again.aclose()
    (known,) = agents.all()
    assert known.hold_s == {"cli": 27, "other": SHORTEST_HOLD_S}
    agents.forget_holds("claude")
    (known,) = agents.all()
    assert again.of(known, "cli") == 50


async def test_a_person_who_stops_the_agent_at_once_teaches_nothing(tmp_path: Path) -> None:
    agents = Agents(tmp_path / AGENTS_FILE)
    known = agents.add("claude").agent
    holds = HoldTimes(agents, 50)
    holds.note_left(known, "cli", 3)
    await holds.aclose()
    assert agents.all()[0].hold_s == {}


async def test_of_many_programs_of_an_agent_the_newest_are_known(tmp_path: Path) -> None:
    agents = Agents(tmp_path / AGENTS_FILE)
    agents.add("claude")
    for number in range(MOST_PROGRAMS + 3):
        agents.note_hold("claude", f"cli {number}", 20)
    (known,) = agents.all()
    assert list(known.hold_s) == [f"cli {number}" for number in range(3, MOST_PROGRAMS + 3)]


@pytest.mark.parametrize("end", ["block", "remove"])
async def test_what_an_agent_waits_for_is_withdrawn_when_it_is_let_in_no_longer(tmp_path: Path, end: str) -> None:
    async with desk_at(tmp_path, hold_s=30) as (desk, at), agent(at) as client:
        calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
        await desk.reviewer.asked.wait()
        getattr(at.agents, end)("claude")
        await until(lambda: at.endpoint.waiting("claude") == 0)
        with suppress(MCPError):
            assert (await calling).is_error
        desk.reviewer.answer()
        assert desk.ran == []


async def test_a_client_that_comes_back_to_a_held_call_made_no_further_call(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at) as client:
        calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
        await desk.reviewer.asked.wait()
        await asyncio.sleep(3 * HOLD_S)
        desk.reviewer.answer()
        await calling
        use = at.endpoint.use("claude")
        assert use is not None
        assert use.calls == 1
