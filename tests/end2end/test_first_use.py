"""First use: from an empty home to the call of a real agent that waits for a person in the window."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from tests.end2end.accessibility import Screen
from tests.end2end.desktop import Program
from tests.end2end.person import Person
from tests.tools.mcp.real_servers import typescript_sdk
from tools.gateway.defaults import HOST, PORT

pytestmark = pytest.mark.xvfb

SCRIPT: Final = Path(__file__).with_name("first_call.mjs")
SETTINGS: Final = '{\n  // mine\n  "mcpServers": {}\n}\n'

Agent = Callable[[str, str, str, dict[str, Any]], str]


def python_agent(address: str, authorization: str, tool: str, arguments: dict[str, Any]) -> str:
    async def called() -> str:
        async with (
            httpx2.AsyncClient(headers={"Authorization": authorization}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            result = await client.call_tool(tool, arguments)
            return "\n".join(part.text for part in result.content if isinstance(part, TextContent))

    return asyncio.run(called())


def typescript_agent(address: str, authorization: str, tool: str, arguments: dict[str, Any]) -> str:
    node, sdk = typescript_sdk()
    words = [node, str(SCRIPT), str(sdk), address, authorization, tool, json.dumps(arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home that has a program of agents, and nothing of ours."""
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_text(SETTINGS, "utf-8")
    return tmp_path


def sample_in(home: Path) -> Path:
    return home / "data" / "tool-console" / "support-agent"


@pytest.mark.parametrize("agent", [python_agent, typescript_agent])
def test_an_agent_is_connected_and_its_first_call_approved_within_minutes(home: Path, agent: Agent) -> None:
    if agent is typescript_agent:
        typescript_sdk()
    settings, target = home / ".cursor" / "mcp.json", sample_in(home) / "README.md"
    # The port of the gateway is the usual one: it must be free.
    began = time.monotonic()
    with Program([sys.executable, "-m", "console"], home) as program:
        program.wait_for_window()
        with Screen(program.process.pid) as screen, ThreadPoolExecutor(1) as agents:
            person = Person(program, screen)
            person.click("Open the sample project")
            person.see("^Project support-agent$")
            person.click("Connect an agent…")
            person.see_text("Name of the agent", "^cursor$")
            person.click("Write")
            person.see("^Waiting for the first call of cursor$")
            (line,) = [line for line in settings.read_text("utf-8").splitlines() if "Authorization" in line]
            authorization = line.split('"')[3]
            assert "// mine" in settings.read_text("utf-8")

            address = f"http://{HOST}:{PORT}/mcp"
            called = agents.submit(agent, address, authorization, "delete_file", {"path": "README.md"})
            person.see("^cursor is connected$")
            person.see("delete_file wants to run")
            assert target.exists()
            person.click("Allow once")
            assert "README.md" in called.result(60)
            assert not target.exists()
            print(f"first use with {agent.__name__}: {time.monotonic() - began:.1f} s")

            person.click("Undo")
            person.see_enabled("Write")
            assert settings.read_text("utf-8") == SETTINGS
            person.press("Escape")
            person.see("^Gateway on ")
        assert program.complaints() == []
