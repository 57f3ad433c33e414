"""A person pauses the calls of all agents: nothing starts, what is asked stays, and all goes on afterwards."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from tests.tools.gateway.serving import Served, agent, desk_at, served, text_of
from tests.tools.running import until
from tools import ToolContext, tool
from tools.declare import resolve_tools
from tools.errors import UnavailableError
from tools.gateway import held_calls
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.registry import ToolRegistry

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])


async def paused(at: Served) -> None:
    """Wait until a call is held back."""
    assert at.endpoint._held is not None
    held = at.endpoint._held
    await until(lambda: any(one.is_paused for one in held._held.values()))


@ERAS
async def test_a_new_call_is_not_even_asked_about_and_goes_on_when_the_person_resumes(tmp_path: Path, era: str) -> None:
    told: list[str | None] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert (progress > 0, total) == (True, None)
        told.append(message)

    async with desk_at(tmp_path, hold_s=30) as (desk, at), agent(at, era) as client:
        at.agents.pause()
        calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}, progress_callback=on_progress))
        await paused(at)
        await until(lambda: told == ["paused by a person"])
        assert (desk.reviewer.requests, at.endpoint.waiting("claude")) == ([], 1)
        at.agents.resume()
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        assert text_of(await calling) == "erased x"


async def test_a_call_that_is_allowed_meanwhile_does_not_start(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=30) as (desk, at), agent(at) as client:
        calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
        await desk.reviewer.asked.wait()
        at.agents.pause()
        desk.reviewer.answer()
        await paused(at)
        assert desk.ran == []
        at.agents.resume()
        assert text_of(await calling) == "erased x"
        assert desk.ran == ["x"]


async def test_a_client_that_cannot_wait_is_told_that_a_person_paused_calls(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), agent(at, "legacy") as client:
        at.agents.pause()
        pending = await client.call_tool("erase", {"name": "x"})
        assert text_of(pending).startswith("Pending: a person paused the calls of agents. Nothing ran yet.")
        assert not pending.is_error
        assert desk.reviewer.requests == []


async def test_a_pause_stays_over_a_restart(tmp_path: Path) -> None:
    Agents(tmp_path / AGENTS_FILE).pause()
    async with desk_at(tmp_path) as (_, at), agent(at, "legacy") as client:
        assert "paused the calls of agents" in text_of(await client.call_tool("erase", {"name": "x"}))
    assert Agents(tmp_path / AGENTS_FILE).paused is not None


async def test_calls_that_run_go_on_until_the_person_stops_them_as_well(tmp_path: Path) -> None:
    began = asyncio.Event()

    @tool(read_only=True)
    async def watch(ctx: ToolContext) -> str:
        """Watch."""
        began.set()
        await asyncio.Event().wait()
        return ctx.caller

    registry = ToolRegistry()
    registry.register_all(resolve_tools([watch]))
    async with served(tmp_path, registry=registry) as at, agent(at) as client:
        calling = asyncio.create_task(client.call_tool("watch", {}))
        await began.wait()
        at.agents.pause()
        assert at.endpoint.running == 1
        at.endpoint.stop_running()
        stopped = await calling
        assert stopped.is_error
        assert "A person stopped it. Do not repeat the call" in text_of(stopped)
        assert at.endpoint.running == 0
        at.agents.resume()
        began.clear()
        again = asyncio.create_task(client.call_tool("watch", {}))
        await began.wait()
        # Another program cannot reach the calls; it says so in the file.
        at.agents.pause(stops_running=True)
        assert "A person stopped it" in text_of(await again)


def test_pausing_again_keeps_the_time_of_the_first(tmp_path: Path) -> None:
    agents = Agents(tmp_path / AGENTS_FILE)
    agents.pause()
    first = agents.paused
    assert first is not None
    agents.pause(stops_running=True, now=first.since + timedelta(hours=1))
    again = agents.paused
    assert again is not None
    assert (again.since, again.stops_running) == (first.since, True)


async def test_an_agent_holds_a_number_of_calls_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_calls, "MOST_HELD", 2)
    async with desk_at(tmp_path) as (_, at), agent(at, "legacy") as client:
        for name in "ab":
            await client.call_tool("erase", {"name": name})
        refused = await client.call_tool("erase", {"name": "c"})
        assert refused.is_error
        assert "2 calls of this agent wait already" in text_of(refused)
        assert text_of(await client.call_tool("erase", {"name": "a"})).startswith("Pending")


async def test_a_call_that_is_paused_when_serving_ends_is_answered(tmp_path: Path) -> None:
    async with desk_at(tmp_path, hold_s=30) as (_, at):
        at.agents.pause()
        assert at.endpoint._held is not None
        held = at.endpoint._held
        (known,) = at.agents.all()
        waiting = asyncio.create_task(
            held.outcome(held.attach(known, "erase", {"name": "x"}), held_calls.HeldRequest(lambda _: None, 30))
        )
        await paused(at)
        await held.aclose()
        with pytest.raises(UnavailableError, match="given up before it was made"):
            await waiting
