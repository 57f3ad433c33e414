"""`serve` hands over, takes over, waits for the window and ends by itself."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.tools.gateway.serving import text_of
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.background_program import LOG_FILE, start_in_background
from tools.gateway.defaults import OWNER_FILE, TOKEN_VARIABLE, address_of
from tools.gateway.owner_note import served_port

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals end the programs")

ASKS = """
from pathlib import Path
from tools import tool

@tool(destructive=True)
def erase_note(path: str) -> str:
    \"\"\"Erase a note.\"\"\"
    Path(path).unlink()
    return "erased"
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    folder = tmp_path / "data"
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(folder))
    return folder


@contextlib.contextmanager
def serving(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `serve`, and give out what it says first, up to its address."""
    words = [sys.executable, "-m", "console", "serve", "--port", "0", *options]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stderr is not None
            said = ""
            while "agents reach the tools at" not in said:
                line = program.stderr.readline()
                assert line, said
                said += line
            yield said, program
        finally:
            program.terminate()
            program.wait(30)


def rest_of(program: subprocess.Popen[str]) -> str:
    assert program.stderr is not None
    return program.stderr.read()


async def call(address: str, token: str, name: str, arguments: dict[str, object]) -> str:
    """Call as an agent does that calls again when it got no answer."""
    async with asyncio.timeout(30):
        while True:
            with contextlib.suppress(MCPError, httpx2.HTTPError, ExceptionGroup):
                async with (
                    httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http,
                    Client(streamable_http_client(address, http_client=http), mode="legacy") as client,
                ):
                    said = text_of(await client.call_tool(name, arguments))
                    if not said.startswith("Pending:"):
                        return said
            await asyncio.sleep(0.1)


@pytest.mark.expects_log("mcp.client.streamable_http")
async def test_a_question_that_waits_in_the_background_is_asked_where_another_program_takes_over(
    data: Path, tmp_path: Path
) -> None:
    token = Agents(data / AGENTS_FILE).add("claude").token
    note = tmp_path / "note.txt"
    note.touch()
    plugin = tmp_path / "asking.py"
    plugin.write_text(ASKS)
    with serving("--background", "--plugin", str(plugin)) as (said, first):
        assert "questions wait for the window" in said
        address = address_of(served_port(data) or 0)
        calling = asyncio.create_task(call(address, token, "erase_note", {"path": str(note)}))
        await asyncio.to_thread(read_until, first, "agent:claude asks for erase_note; open Tool Console to answer")
        # Without a terminal, `serve` refuses what would be asked about.
        with serving("--take-over", "--plugin", str(plugin)) as (taken, _):
            assert "taken over from tool-console serve: 1 question" in taken
            assert address_of(served_port(data) or 0) == address
            assert "no answer" in await calling
            assert await asyncio.to_thread(first.wait, 20) == 0
            assert "another program serves agents now, so this one ends" in rest_of(first)
    assert note.exists()


def read_until(program: subprocess.Popen[str], words: str) -> None:
    assert program.stderr is not None
    while words not in (line := program.stderr.readline()):
        assert line, words


def test_a_program_in_the_background_ends_when_no_agent_was_there_for_a_while(data: Path) -> None:
    with serving("--background", "--idle", "0.2") as (_, program):
        assert program.wait(30) == 0
        assert "no agent was there for 0.2 s, so this ends" in rest_of(program)
    assert served_port(data) is None


def test_a_program_in_the_background_logs_into_the_data_folder_and_knows_no_token(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_TOKEN", "tc_secret")
    program = start_in_background(data, port=0)
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            while "agents reach the tools at" not in (data / LOG_FILE).read_text():
                assert program.poll() is None, (data / LOG_FILE).read_text()
                program.wait(0.1)
    finally:
        program.terminate()
        program.wait(30)
    if Path("/proc/self/environ").exists():
        assert "tc_secret" not in (data / LOG_FILE).read_text()
    assert os.environ["TOOL_CONSOLE_TOKEN"] == "tc_secret"


@pytest.mark.expects_log("mcp.client.streamable_http")
async def test_without_a_home_folder_a_call_of_a_plugin_s_tool_is_answered(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = Agents(data / AGENTS_FILE).add("claude").token
    plugin = tmp_path / "asking.py"
    plugin.write_text(ASKS)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    with serving("--plugin", str(plugin)):
        address = address_of(served_port(data) or 0)
        assert "no answer" in await call(address, token, "erase_note", {"path": str(tmp_path / "x")})


def test_a_bridge_starts_a_program_in_the_background_when_none_serves_and_finds_it_the_next_time(
    data: Path, tmp_path: Path
) -> None:
    token = Agents(data / AGENTS_FILE).add("desktop").token
    # No home folder is no reason not to serve.
    environment = {**os.environ, TOKEN_VARIABLE: token, "HOME": str(tmp_path / "none")}
    plugin = tmp_path / "asking.py"
    plugin.write_text(ASKS)

    async def names() -> list[str]:
        words = ["-m", "console", "bridge", "--plugin", str(plugin)]
        program = StdioServerParameters(command=sys.executable, args=words, env=environment)
        async with Client(program) as client:
            return [one.name for one in (await client.list_tools()).tools]

    try:
        assert {"read_file", "erase_note"} <= set(asyncio.run(names()))
        first = json.loads((data / OWNER_FILE).read_text())
        assert "read_file" in asyncio.run(names())
        assert json.loads((data / OWNER_FILE).read_text()) == first
        assert token not in (data / LOG_FILE).read_text()
    finally:
        process = psutil.Process(json.loads((data / OWNER_FILE).read_text())["pid"])
        process.terminate()
        process.wait(30)
