"""One program serves agents at a time, and the next one goes on with all that the former one held."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import stat
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import MCPError
from mcp.client import ClientRequestContext

from tests.tools.gateway.killed_program import ASKED, GO, RAN, lines_of
from tests.tools.gateway.programs import Program, Stage, stage
from tests.tools.gateway.raw_agent import RawAgent, raw_agent
from tests.tools.gateway.serving import text_of
from tests.tools.running import until
from tools import Continue, Edit, ExitEarly
from tools.calls import ReviewTiming
from tools.errors import GatewayError
from tools.gateway.defaults import MOVES_KEY, OWNER_FILE, address_of
from tools.gateway.held_calls import HeldCall
from tools.gateway.owner_note import served_port

pytestmark = [
    pytest.mark.expects_log("mcp.client.streamable_http"),
    pytest.mark.skipif(os.name == "nt", reason="locks count once there"),
]


async def test_a_question_is_asked_again_by_the_program_that_takes_over_and_runs_there_once(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        calling = asyncio.create_task(on.call("erase", name="x"))
        await first.reviewer.asked.wait()
        second, handed = await on.program("the window", takes_over=True)
        assert handed is not None
        assert (handed.name, handed.questions, handed.running) == ("tool-console serve", 1, 0)
        assert second.endpoint.address == on.address
        await second.reviewer.asked.wait()
        (asked,) = second.reviewer.requests
        assert (asked.call.caller, asked.arguments) == ("agent:claude", {"name": "x"})
        first.reviewer.answer()
        second.reviewer.answer()
        assert await calling == "erased x"
        assert (first.ran, second.ran) == ([], ["x"])
        assert first.endpoint.handed_over.is_set()


async def test_a_client_of_the_newer_era_comes_back_with_the_state_that_the_former_program_sealed(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with on.client("auto") as client:
            calling = asyncio.create_task(client.call_tool("erase", {"name": "x"}))
            await first.reviewer.asked.wait()
            second, _ = await on.program("the window", takes_over=True)
            await second.reviewer.asked.wait()
            second.reviewer.answer()
            assert text_of(await calling) == "erased x"
        assert (first.ran, second.ran) == ([], ["x"])


async def test_a_call_that_was_allowed_runs_at_the_next_program_without_another_question(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        await leave_a_question(on, first)
        first.reviewer.answer(Edit({"name": "y"}, feedback="not x"))
        await until(lambda: any(one.waits_for_request for one in held(first)))
        second, _ = await on.program("the window", takes_over=True)
        said = await on.call("erase", name="x")
        assert said.startswith("erased y")
        assert 'It ran with: {"name": "y"}' in said
        assert "not x" in said
        assert (first.ran, second.ran, second.reviewer.requests) == ([], ["y"], [])


async def test_a_yes_does_not_count_where_the_rules_are_others(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        await leave_a_question(on, first)
        first.reviewer.answer()
        await until(lambda: first.endpoint.waiting("claude") == 1)
        second = Program(tmp_path, "the window")
        second.executor.project_dir = tmp_path / "elsewhere"
        try:
            await second.endpoint.start(takes_over=True)
            calling = asyncio.create_task(on.call("erase", name="x"))
            await second.reviewer.asked.wait()
            second.reviewer.answer(ExitEarly("not here"))
            assert "not here" in await calling
        finally:
            await second.aclose()
        assert (first.ran, second.ran) == ([], [])


async def test_a_question_that_is_asked_again_has_the_time_that_was_left_of_it(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        await leave_a_question(on, first)
        (asked,) = first.reviewer.requests
        moved = first.executor.questions.reschedule(asked.id, 60)
        assert moved is not None
        second, _ = await on.program("the window", takes_over=True)
        await second.reviewer.asked.wait()
        third, _ = await on.program("tool-console serve", takes_over=True)
        await third.reviewer.asked.wait()
        for later in (*second.reviewer.requests, *third.reviewer.requests):
            assert later.expires_at is not None
            assert moved.expires_at is not None
            assert abs((later.expires_at - moved.expires_at).total_seconds()) < 1


async def test_a_task_goes_on_at_the_next_program_with_its_result_and_those_that_ended(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with raw_agent(on.address, on.token, "legacy") as agent:
            refused = await begun_task(agent, "erase", name="y")
            await first.reviewer.asked.wait()
            first.reviewer.answer(ExitEarly("not that one"))
            assert "not that one" in text_in(await about_task(agent, "result", refused))
            asked = await begun_task(agent, "erase", name="x")
            built = await begun_task(agent, "build")
            await first.reviewer.asked.wait()
            await first.runs.wait()
            fetching = asyncio.create_task(agent.answer("tasks/result", {"taskId": asked}))
            second, _ = await on.program("the window", takes_over=True)
            assert (await fetching)["error"]["data"] == {MOVES_KEY: True}
        async with raw_agent(on.address, on.token, "legacy") as agent:
            listed = (await agent.result("tasks/list"))["tasks"]
            assert [(task["taskId"], task["status"]) for task in listed] == [
                (refused, "completed"),
                (asked, "working"),
                (built, "working"),
            ]
            assert "not that one" in text_in(await about_task(agent, "result", refused))
            fetching = asyncio.create_task(about_task(agent, "result", asked))
            await second.reviewer.asked.wait()
            second.reviewer.answer()
            assert text_in(await fetching) == "erased x"
            first.leave_running.set()
            assert text_in(await about_task(agent, "result", built)) == "built"
        assert (first.ran, second.ran) == (["build"], ["x"])


async def test_a_tool_that_runs_goes_on_where_it_was_started_and_its_outcome_is_passed_on(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        calling = asyncio.create_task(on.call("build"))
        await first.runs.wait()
        second, handed = await on.program("the window", takes_over=True)
        assert handed is not None
        assert (handed.questions, handed.running) == (0, 1)
        ending = asyncio.create_task(first.endpoint.finished())
        await asyncio.sleep(0.05)
        assert not ending.done()
        first.leave_running.set()
        assert await calling == "built"
        await ending
        assert (first.ran, second.ran) == (["build"], [])


async def test_what_a_tool_that_runs_on_asks_is_asked_by_the_program_that_serves_now(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        calling = asyncio.create_task(on.call("deploy"))
        await first.reviewer.asked.wait()
        second, handed = await on.program("the window", takes_over=True)
        assert handed is not None
        assert (handed.questions, handed.running) == (0, 1)
        await second.reviewer.asked.wait()
        (asked,) = second.reviewer.requests
        assert (asked.description, asked.prompt) == ("Deploy to the live server?", "which one")
        assert (asked.timing, asked.call.caller) == (ReviewTiming.DURING_EXECUTION, "agent:claude")
        assert asked.expires_at is not None
        second.reviewer.answer(Continue("the second one"))
        assert await calling == "deployed: the second one"
        assert (first.ran, second.ran) == (["deploy"], [])


async def test_what_is_answered_where_the_tool_runs_is_not_asked_any_more_where_agents_are_served(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        calling = asyncio.create_task(on.call("deploy"))
        await first.reviewer.asked.wait()
        second, _ = await on.program("the window", takes_over=True)
        await second.reviewer.asked.wait()
        first.reviewer.answer(Continue("from the terminal"))
        assert "from the terminal" in await calling
        await until(lambda: len(second.executor.questions) == 0)


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_client_is_asked_on_through_the_program_that_serves_now(tmp_path: Path, era: str) -> None:
    asked = asyncio.Event()
    leave = asyncio.Event()

    async def never(_: ClientRequestContext, __: types.ElicitRequestParams) -> types.ElicitResult:
        asked.set()
        await leave.wait()
        raise MCPError(types.INTERNAL_ERROR, "the former request is over")

    async def answer(_: ClientRequestContext, __: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with on.client(era, elicitation_callback=never) as client:
            calling = asyncio.create_task(client.call_tool("greet", {}))
            await asked.wait()
            second, handed = await on.program("the window", takes_over=True)
            assert handed is not None
            assert handed.running == 1
            async with on.client(era, elicitation_callback=answer) as again:
                assert text_of(await again.call_tool("greet", {})) == "hello {'name': 'Ada'}"
            leave.set()
            await asyncio.gather(calling, return_exceptions=True)
        assert (first.ran, second.ran) == (["greet"], [])


async def test_an_outcome_that_nobody_took_is_handed_over_and_taken_once(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        await leave_a_question(on, first)
        first.reviewer.answer(ExitEarly("that is the live one"))
        await until(lambda: all(one.task.done() for one in held(first)))
        second, _ = await on.program("the window", takes_over=True)
        assert "that is the live one" in await on.call("erase", name="x")
        assert second.reviewer.requests == []
        # It was refused a moment ago, so it is refused again.
        assert "that is the live one" in await on.call("erase", name="x")
        assert (second.reviewer.requests, second.ran) == ([], [])


async def test_of_two_programs_that_take_over_at_once_the_last_one_has_all_of_it(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        calling = asyncio.create_task(on.call("erase", name="x"))
        await first.reviewer.asked.wait()
        (one, _), (other, _) = await asyncio.gather(
            on.program("the window", takes_over=True), on.program("another", takes_over=True)
        )
        serves, gave = (one, other) if one.endpoint.address else (other, one)
        await until(gave.endpoint.handed_over.is_set)
        await serves.reviewer.asked.wait()
        serves.reviewer.answer()
        assert await calling == "erased x"
        assert (first.ran, gave.ran, serves.ran) == ([], [], ["x"])


async def test_a_program_that_does_not_take_over_is_told_that_another_one_serves(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        with pytest.raises(GatewayError, match="another program serves agents already"):
            await on.program("another")
        assert address_of(served_port(tmp_path) or 0) == on.address
    assert served_port(tmp_path) is None
    assert not (tmp_path / OWNER_FILE).exists()


async def test_the_desk_is_given_to_nobody_without_the_secret_which_only_this_person_can_read(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        note = json.loads((tmp_path / OWNER_FILE).read_text())
        assert stat.S_IMODE((tmp_path / OWNER_FILE).stat().st_mode) == 0o600
        for guess in (b"", b"guess\n", note["secret"][:-1].encode() + b"\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", note["desk_port"])
            writer.write(guess)
            writer.write_eof()
            assert await reader.read() == b""
            writer.close()
        assert first.endpoint.address == on.address


async def test_a_request_during_the_change_is_told_to_come_again(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, httpx2.AsyncClient() as http:
        first, _ = await on.program("tool-console serve")
        await first.endpoint.hand_over()
        with contextlib.suppress(httpx2.HTTPError):
            answer = await http.post(on.address, json={})
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


@asynccontextmanager
async def killable(on: Stage, says: str) -> AsyncIterator[Process]:
    """Serve agents in a process of its own."""
    words = ("-m", "tests.tools.gateway.killed_program", str(on.folder), says)
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            on.address = (await process.stdout.readline()).decode().strip()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def begun_task(agent: RawAgent, name: str, /, **arguments: str) -> str:
    made = await agent.result("tools/call", {"name": name, "arguments": arguments, "task": {}})
    task_id: str = made["task"]["taskId"]
    return task_id


async def about_task(agent: RawAgent, what: str, task_id: str) -> dict[str, Any]:
    return await agent.result(f"tasks/{what}", {"taskId": task_id})


def text_in(result: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in result["content"])


async def leave_a_question(on: Stage, program: Program) -> None:
    """Have an agent ask for something and leave before a person answers."""
    calling = asyncio.create_task(on.call("erase", name="x"))
    await program.reviewer.asked.wait()
    calling.cancel()
    await asyncio.gather(calling, return_exceptions=True)


def held(program: Program) -> list[HeldCall]:
    calls = program.endpoint._held
    assert calls is not None
    return list(calls._held.values())


async def test_a_question_that_was_open_when_the_program_was_killed_is_asked_again(tmp_path: Path) -> None:
    async with stage(tmp_path) as on, killable(on, "WAIT") as killed:
        calling = asyncio.create_task(on.call("erase", item="x"))
        await until(lambda: bool(lines_of(tmp_path / ASKED)))
        killed.kill()
        await killed.wait()
        (tmp_path / GO).touch()
        await on.next_program()
        assert await calling == "erased x"
        assert lines_of(tmp_path / RAN) == ["x"]
        assert len(lines_of(tmp_path / ASKED)) == 2


async def test_a_call_that_ran_when_the_program_was_killed_is_not_run_again_unless_its_agent_calls_once_more(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as on, killable(on, "YES") as killed:
        calling = asyncio.create_task(on.call("erase", item="x"))
        await until(lambda: bool(lines_of(tmp_path / RAN)))
        killed.kill()
        await killed.wait()
        (tmp_path / GO).touch()
        await on.next_program()
        assert "it may have run, in whole or in part" in await calling
        assert lines_of(tmp_path / RAN) == ["x"]
        assert await on.call("erase", item="x") == "erased x"
        assert lines_of(tmp_path / RAN) == ["x", "x"]
        assert await on.call("erase", item="y") == "erased y"


async def test_a_call_that_ran_at_the_former_program_when_the_next_one_was_killed_is_not_run_again(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as on:
        first = await on.next_program()
        calling = asyncio.create_task(on.call("erase", item="x"))
        await until(lambda: bool(lines_of(tmp_path / RAN)))
        async with killable(on, "YES") as killed:
            await first.handed_over.wait()
            killed.kill()
            await killed.wait()
        (tmp_path / GO).touch()
        await first.finished()
        await on.next_program()
        assert "it may have run, in whole or in part" in await calling
        assert lines_of(tmp_path / RAN) == ["x"]


async def test_a_call_that_ends_normally_leaves_no_mark(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (tmp_path / GO).touch()
        endpoint = await on.next_program()
        assert await on.call("erase", item="x") == "erased x"
        assert len(on.marks()) == 1
        await endpoint.aclose()
        assert on.marks() == []
