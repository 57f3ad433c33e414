"""Real servers behind the gateway, real clients before it: each lists the tools, and calls one of each server.

`packaging/bootstrap servers` and `packaging/bootstrap conformance` install what is needed.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.conformance.test_scenarios import MODULES, NODE
from tests.tools.gateway.behind import Behind, behind_gateway
from tests.tools.gateway.serving import text_of
from tests.tools.mcp import real_servers
from tools.gateway.defaults import TOKEN_VARIABLE
from tools.paths import DATA_VARIABLE

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.expects_log("tools.calls", "mcp.server.transport_security", "mcp.server.streamable_http_manager"),
]

INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
PATIENCE = ("--connect-timeout", "60000")
SCRIPT = Path(__file__).with_name("typescript_client.mjs")
WAYS = pytest.mark.parametrize("way", ["http", "stdio"])

Calls = Mapping[str, tuple[Mapping[str, Any], str]]
"""Arguments of a call, and what its result says, by the tool's name."""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("a note", encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)


@asynccontextmanager
async def all_servers(folder: Path) -> AsyncIterator[tuple[Behind, Calls]]:
    """Keep a gateway before real servers, and say what is called of each."""
    calls: Calls = {
        "everything__echo": ({"message": "hello"}, "hello"),
        "filesystem__read_text_file": ({"path": str(folder / "note.txt")}, "a note"),
        "memory__read_graph": ({}, "entities"),
        "time__get_current_time": ({"timezone": "Europe/Berlin"}, "Europe/Berlin"),
        "git__git_status": ({"repo_path": str(folder)}, "note.txt"),
    }
    configs = (
        real_servers.everything(),
        real_servers.filesystem(folder),
        real_servers.memory(folder / "memory.json"),
        real_servers.time(),
        real_servers.git(folder),
    )
    async with behind_gateway(folder, *configs, calls_a_minute=1_000) as at:
        yield at, calls


def bridge() -> list[str]:
    """Return the command that brings programs to the gateway that know no addresses."""
    return [sys.executable, "-m", "console", "bridge"]


async def said(*words: str | Path, **environment: str) -> str:
    """Return what a program says."""
    program = await asyncio.create_subprocess_exec(
        *map(str, words),
        env={**os.environ, **environment},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await program.communicate()
    assert program.returncode == 0, (out + errors).decode()
    return out.decode()


@WAYS
@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_sdk_for_python(way: str, era: str, tmp_path: Path) -> None:
    async with all_servers(tmp_path) as (at, calls), AsyncExitStack() as opened:
        if way == "http":
            headers = {"Authorization": f"Bearer {at.token}"}
            http = await opened.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            client = Client(streamable_http_client(at.address, http_client=http), mode=era)
        else:
            command, *args = bridge()
            known = {**os.environ, TOKEN_VARIABLE: at.token, DATA_VARIABLE: str(tmp_path)}
            client = Client(stdio_client(StdioServerParameters(command=command, args=args, env=known)), mode=era)
        await opened.enter_async_context(client)
        assert calls.keys() <= {tool.name for tool in (await client.list_tools()).tools}
        for name, (arguments, words) in calls.items():
            assert words in text_of(await client.call_tool(name, dict(arguments)))


@WAYS
async def test_the_sdk_for_typescript(way: str, tmp_path: Path) -> None:
    node, sdk = real_servers.typescript_sdk()
    async with all_servers(tmp_path) as (at, calls):
        asked = json.dumps({name: arguments for name, (arguments, _) in calls.items()})
        target = [at.address, at.token] if way == "http" else bridge()
        known = {TOKEN_VARIABLE: at.token, DATA_VARIABLE: str(tmp_path)}
        lines = (await said(node, SCRIPT, sdk, asked, *target, **known)).splitlines()
        names, *results = map(json.loads, lines)
        assert calls.keys() <= set(names)
        for (_, words), result in zip(calls.values(), results, strict=True):
            assert words in result


@WAYS
async def test_the_inspector(way: str, tmp_path: Path) -> None:
    async with all_servers(tmp_path) as (at, all_calls):
        # Each call is a program of its own, and with the bridge two of them: there one call will do.
        calls = all_calls if way == "http" else dict(list(all_calls.items())[:1])
        token = f"{TOKEN_VARIABLE}={at.token}"
        target = (
            [at.address, "--transport", "http", "--header", f"Authorization: Bearer {at.token}"]
            if way == "http"
            else [*bridge(), "-e", token, "-e", f"{DATA_VARIABLE}={tmp_path}"]
        )
        once = asyncio.Semaphore(2)

        async def inspected(method: str, *words: str) -> Any:
            async with once:
                return json.loads(
                    await said(
                        NODE, INSPECTOR, "--cli", *target, *PATIENCE, "--method", method, *words, HOME=str(tmp_path)
                    )
                )

        async def called(name: str, arguments: Mapping[str, Any]) -> str:
            pairs = [f"{key}={value}" for key, value in arguments.items()]
            given = ["--tool-arg", *pairs] if pairs else []
            result = await inspected("tools/call", "--tool-name", name, *given)
            return "".join(str(part.get("text")) for part in result["content"])

        listed, *results = await asyncio.gather(
            inspected("tools/list"), *(called(name, arguments) for name, (arguments, _) in calls.items())
        )
        assert calls.keys() <= {tool["name"] for tool in listed["tools"]}
        for (_, words), result in zip(calls.values(), results, strict=True):
            assert words in result
