"""Calls as tasks, for clients of the revision that has them."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from tests.tools.gateway.raw_agent import RawAgent, raw_agent
from tests.tools.gateway.serving import AskedDesk, Served, agent, desk_at
from tests.tools.running import until
from tools import ExitEarly
from tools.gateway import agent_tasks


def legacy(at: Served, token: str = "") -> AbstractAsyncContextManager[RawAgent]:
    return raw_agent(at.endpoint.address, token or at.token, "legacy")


async def begun(client: RawAgent, name: str = "x", **task: int) -> dict[str, Any]:
    made = await client.result("tools/call", {"name": "erase", "arguments": {"name": name}, "task": task})
    kept: dict[str, Any] = made["task"]
    return kept


async def about(client: RawAgent, what: str, task: dict[str, Any]) -> dict[str, Any]:
    return await client.result(f"tasks/{what}", {"taskId": task["taskId"]})


async def listed(client: RawAgent) -> list[str]:
    return [task["taskId"] for task in (await client.result("tasks/list", {}))["tasks"]]


async def asked(desk: AskedDesk) -> None:
    async with asyncio.timeout(5):
        await desk.reviewer.asked.wait()


async def test_clients_are_told_that_every_call_may_be_a_task(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (_, at), agent(at, "legacy") as client, agent(at) as modern:
        tasks = client.server_capabilities.tasks
        assert tasks is not None
        assert tasks.model_dump(exclude_none=True) == {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        known = (await client.list_tools()).tools
        assert {tool.execution.task_support if tool.execution else None for tool in known} == {"optional"}
        assert modern.server_capabilities.tasks is None


async def test_a_task_is_made_at_once_and_its_result_is_there_when_the_person_allowed_it(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), legacy(at) as client:
        task = await begun(client)
        assert (task["status"], task["pollInterval"]) == ("working", 1_000)
        await asked(desk)
        waiting = await about(client, "get", task)
        assert waiting["status"] == "working"
        assert waiting["statusMessage"].startswith("waiting for approval, 4:")
        fetching = asyncio.create_task(about(client, "result", task))
        desk.reviewer.answer()
        fetched = await fetching
        assert fetched["content"] == [{"type": "text", "text": "erased x"}]
        assert fetched["_meta"]["io.modelcontextprotocol/related-task"] == {"taskId": task["taskId"]}
        assert (await about(client, "get", task))["status"] == "completed"
        assert await about(client, "result", task) == fetched
        assert desk.ran == ["x"]


async def test_a_task_that_a_person_refuses_says_why(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), legacy(at) as client:
        task = await begun(client)
        await asked(desk)
        desk.reviewer.answer(ExitEarly("that is the live database"))
        result = await about(client, "result", task)
        assert result["isError"] is True
        assert "that is the live database" in result["content"][0]["text"]
        assert desk.ran == []


async def test_a_task_that_is_allowed_runs_when_its_client_asks_after_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_tasks, "PRESENCE_S", 0.01)
    async with desk_at(tmp_path) as (desk, at), legacy(at) as client:
        task = await begun(client)
        await asked(desk)
        assert at.endpoint._held is not None
        (held,) = at.endpoint._held._held.values()
        await until(lambda: not held._requests)
        desk.reviewer.answer()
        await until(lambda: held.waits_for_request)
        assert desk.ran == []
        await about(client, "get", task)
        await until(lambda: desk.ran == ["x"])
        assert (await about(client, "result", task))["content"][0]["text"] == "erased x"


async def test_a_cancelled_task_runs_nothing_and_cannot_be_cancelled_again(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (desk, at), legacy(at) as client:
        task = await begun(client)
        await asked(desk)
        assert (await about(client, "cancel", task))["status"] == "cancelled"
        assert (await about(client, "get", task))["status"] == "cancelled"
        await until(lambda: at.endpoint.waiting("claude") == 0)
        with pytest.raises(MCPError, match="expected a task that works, got one that is cancelled"):
            await about(client, "cancel", task)
        assert desk.ran == []


async def test_tasks_belong_to_their_agent(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as (_, at), legacy(at) as client:
        task = await begun(client)
        assert await listed(client) == [task["taskId"]]
        async with legacy(at, at.agents.add("cursor").token) as stranger:
            with pytest.raises(MCPError, match="no task is called"):
                await about(stranger, "get", task)
            assert await listed(stranger) == []


async def test_a_task_is_kept_as_long_as_it_says_and_given_up_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_tasks, "LEAST_TTL_MS", 20)
    async with desk_at(tmp_path) as (desk, at), legacy(at) as client:
        task = await begun(client, ttl=1)
        assert task["ttl"] == 20
        await asked(desk)
        await until(lambda: at.endpoint.waiting("claude") == 0)
        with pytest.raises(MCPError, match="no task is called"):
            await about(client, "get", task)


async def test_of_too_many_tasks_the_ended_ones_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_tasks, "MOST_TASKS", 2)
    async with desk_at(tmp_path) as (_, at), legacy(at) as client:
        first, second = await begun(client, "a"), await begun(client, "b")
        with pytest.raises(MCPError, match="expected at most 2 tasks that are not ended"):
            await begun(client, "c")
        await about(client, "cancel", first)
        await begun(client, "c")
        with pytest.raises(MCPError, match="no task is called"):
            await about(client, "get", first)
        assert (await about(client, "get", second))["status"] == "working"


async def test_a_task_of_too_many_calls_is_refused_with_the_time_to_wait(tmp_path: Path) -> None:
    async with desk_at(tmp_path, calls_a_minute=1) as (_, at), legacy(at) as client:
        await begun(client)
        with pytest.raises(MCPError, match="1 call"):
            await begun(client, "y")
