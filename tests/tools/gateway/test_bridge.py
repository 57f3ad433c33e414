"""The bridge passes lines on, and an agent does not hear that another program serves."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.inbound import NAME_BEARING_METHODS, encode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tests.tools.gateway.killed_program import ASKED, GO, RAN, lines_of
from tests.tools.gateway.programs import Stage, stage
from tests.tools.gateway.raw_agent import LEGACY, MODERN
from tests.tools.running import until
from tools.gateway.bridge import FIRST_MODERN, NAMED_BY, Bridge, encoded

pytestmark = pytest.mark.skipif(os.name == "nt", reason="locks count once there")

INFO = {"name": "raw", "version": "1"}


class BridgedAgent:
    """An agent that writes lines and reads them."""

    def __init__(self, era: str) -> None:
        self.said: list[dict[str, Any]] = []
        self.is_modern = era == "modern"
        self._written: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._last = 0

    def hear(self, line: bytes) -> None:
        assert b"\n" not in line
        self.said.append(json.loads(line))

    async def lines(self) -> AsyncIterator[bytes]:
        while (line := await self._written.get()) is not None:
            yield line

    def write(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> None:
        given = dict(params or {})
        if self.is_modern:
            meta = {"protocolVersion": MODERN, "clientInfo": INFO, "clientCapabilities": {}}
            given["_meta"] = {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}
        message = {"jsonrpc": "2.0", "method": method, "params": given, **more}
        self.write_line(json.dumps(message).encode())

    def write_line(self, line: bytes) -> None:
        self._written.put_nowait(line)

    def close(self) -> None:
        self._written.put_nowait(None)

    async def answer(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self._last += 1
        number = self._last
        self.write(method, params, id=number)
        await until(lambda: self.answers(number))
        (answer,) = self.answers(number)
        return answer

    def answers(self, number: int) -> list[dict[str, Any]]:
        return [one for one in self.said if one.get("id") == number and "method" not in one]

    async def call(self, name: str, /, **arguments: str) -> dict[str, Any]:
        """Call a tool, and come back with the state as clients of the newer era do."""
        params: dict[str, Any] = {"name": name, "arguments": arguments}
        while True:
            answer = await self.answer("tools/call", params)
            state = answer.get("result", {}).get("requestState")
            if state is None:
                return answer
            params["requestState"] = state


@asynccontextmanager
async def bridged(on: Stage, era: str, patience_s: float = 15) -> AsyncIterator[BridgedAgent]:
    agent = BridgedAgent(era)
    bridge = Bridge(lambda: on.address, on.token, agent.hear, patience_s)
    running = asyncio.create_task(bridge.run(agent.lines()))
    try:
        async with asyncio.timeout(40):
            if era == "legacy":
                hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": INFO}
                await agent.answer("initialize", hello)
                agent.write("notifications/initialized")
            yield agent
    finally:
        agent.close()
        await running


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_question_that_another_program_takes_over_is_answered_in_the_same_request(
    tmp_path: Path, era: str
) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("erase", name="x"))
            await first.reviewer.asked.wait()
            second, _ = await on.program("the window", takes_over=True)
            await second.reviewer.asked.wait()
            second.reviewer.answer()
            answer = await calling
            assert answer["result"]["content"] == [{"type": "text", "text": "erased x"}]
            listed = await agent.answer("tools/list")
            assert "erase" in {one["name"] for one in listed["result"]["tools"]}
        assert (first.ran, second.ran) == ([], ["x"])


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_call_that_runs_while_another_program_takes_over_runs_once_and_is_answered(
    tmp_path: Path, era: str
) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("build"))
            await first.runs.wait()
            second, _ = await on.program("the window", takes_over=True)
            first.leave_running.set()
            answer = await calling
            assert answer["result"]["content"] == [{"type": "text", "text": "built"}]
        assert (first.ran, second.ran) == (["build"], [])


async def test_an_agent_with_a_session_hears_that_the_lists_of_another_program_may_differ(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "legacy") as agent:
            await agent.answer("tools/list")
            await on.program("the window", takes_over=True)
            heard = {f"notifications/{listed}/list_changed" for listed in ("tools", "prompts", "resources")}
            await until(lambda: heard <= {one.get("method") for one in agent.said})


async def killed(on: Stage, folder: Path) -> asyncio.subprocess.Process:
    words = ["-m", "tests.tools.gateway.killed_program", str(folder), "YES"]
    program = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    assert program.stdout is not None
    on.address = (await program.stdout.readline()).decode().strip()
    return program


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_crash_is_told_as_an_error_and_the_same_call_does_not_run_twice(tmp_path: Path, era: str) -> None:
    async with stage(tmp_path) as on:
        program = await killed(on, tmp_path)
        async with bridged(on, era) as agent:
            calling = asyncio.create_task(agent.call("erase", item="x"))
            await until(lambda: lines_of(tmp_path / RAN) == ["x"])
            program.kill()
            await program.wait()
            told = await calling
            assert "call again with the same arguments" in told["error"]["message"]
            await on.next_program()
            (tmp_path / GO).touch()
            again = await agent.call("erase", item="x")
            assert "erased" not in json.dumps(again)
            assert lines_of(tmp_path / RAN) == ["x"]
            other = await agent.call("erase", item="y")
            assert other["result"]["content"] == [{"type": "text", "text": "erased y"}]
        assert lines_of(tmp_path / ASKED) == ["asked", "asked"]


async def test_a_request_is_told_when_no_program_serves_and_the_next_one_finds_the_program(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, _ = await on.program("tool-console serve")
        async with bridged(on, "modern", patience_s=0.1) as agent:
            await first.endpoint.aclose()
            answer = await agent.answer("tools/list")
            assert "no program serves the tools now" in answer["error"]["message"]
            await on.program("the window")
            assert "result" in await agent.answer("tools/list")


async def test_a_line_that_is_no_message_does_not_end_the_bridge(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.program("tool-console serve")
        async with bridged(on, "modern") as agent:
            for line in (b"no JSON", b"[]", b"3", b'{"id": null}', b"{}", b'{"id": [1], "method": "tools/list"}'):
                agent.write_line(line)
            assert "result" in await agent.answer("tools/list")


@pytest.mark.parametrize("name", ["", "read", " edge ", "grün", "a\nb", "=?base64?eA==?=", "=?BASE64?eA==?=", "\x7f"])
def test_names_stand_in_headers_as_the_library_writes_them(name: str) -> None:
    assert encoded(name) == encode_header_value(name)


def test_the_bridge_knows_what_the_library_knows_of_the_newer_era() -> None:
    assert dict(NAME_BEARING_METHODS) == NAMED_BY
    assert min(MODERN_PROTOCOL_VERSIONS) == FIRST_MODERN
