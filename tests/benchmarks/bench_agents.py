"""How long the window stands still while 50 agents have 20 calls each that wait for an answer.

Run with `python -m tests.benchmarks.bench_agents`. The real console runs without a display, and each page that shows
agents or questions is in front once. The calls come over HTTP from a process of their own, all at once. The design
allows no gap above 50 ms.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from console.theme import ThemeController
from tests.benchmarks.bench_mcp import ROOT
from tests.benchmarks.bench_window import REST_S, TARGET_MS, Stage
from tests.benchmarks.window import end_process, open_console, run_in_window
from tools import ExitEarly, resolve_tools, tool
from tools.gateway.agents import AGENTS_FILE, Agents

AGENTS: Final = 50
QUESTIONS: Final = 20
PAGES: Final = ("approvals", "agents", "servers", "tools")
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@tool(destructive=True)
def erase(name: str) -> str:
    """Erase something."""
    return f"erased {name}"


def _request(host: str, path: str, token: str, number: int) -> bytes:
    params = {"name": "erase", "arguments": {"name": f"file {number}"}, "_meta": _META}
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {host}",
        f"Authorization: Bearer {token}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2026-07-28",
        "MCP-Method: tools/call",
        "MCP-Name: erase",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", body]).encode()


async def _be_agents() -> None:
    """Be the programs of the agents: connect, wait for the word, call, and read until the end."""
    address, *tokens = json.loads(sys.stdin.readline())
    parts = urlsplit(address)
    opened = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(AGENTS * QUESTIONS)]
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for place, (_, writer) in enumerate(opened):
        writer.write(_request(parts.netloc, parts.path, tokens[place // QUESTIONS], place % QUESTIONS))
    await asyncio.gather(*(reader.read() for reader, _ in opened))


@contextmanager
def _agents(address: str, tokens: list[str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.benchmarks.bench_agents", "agents"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as program:
        _tell(program, json.dumps([address, *tokens]))
        assert program.stdout is not None
        program.stdout.readline()
        try:
            yield program
        finally:
            program.kill()


def _tell(program: subprocess.Popen[str], line: str) -> None:
    assert program.stdin is not None
    program.stdin.write(f"{line}\n")
    program.stdin.flush()


async def _live(theme: ThemeController, home: Path) -> bool:
    data = home / "data"
    data.mkdir()
    file = Agents(data / AGENTS_FILE)
    tokens = [file.add(f"agent-{number:02}").token for number in range(AGENTS)]
    async with open_console(theme, home, *resolve_tools([erase])) as console:
        stage = Stage(console)
        if problem := await console.gateway.presenter.switch(on=True):
            sys.exit(f"the gateway is not served: {problem}")
        with _agents(console.gateway.presenter.address, tokens) as program:

            async def arrive() -> None:
                _tell(program, "call")
                while len(console.desk.open_requests) < AGENTS * QUESTIONS:  # noqa: ASYNC110 -- widgets set no event
                    await asyncio.sleep(REST_S)

            await stage.measure(f"{AGENTS * QUESTIONS:,} questions arrive", arrive, repeats=False)
            for page in PAGES:

                async def show(page: str = page) -> None:
                    console.window.rail.choose(page)
                    await asyncio.sleep(3)

                await stage.measure(f"the page {page} in front, 3 s", show)

            async def answer() -> None:
                for request in list(console.desk.open_requests):
                    console.desk.answer(request.id, ExitEarly("no"))
                    await asyncio.sleep(0)
                while console.desk.open_requests:  # noqa: ASYNC110 -- as above
                    await asyncio.sleep(REST_S)

            await stage.measure("all are answered", answer, repeats=False)
        return stage.kept


if __name__ == "__main__":
    if sys.argv[1:] == ["agents"]:
        asyncio.run(_be_agents())
        sys.exit()
    with tempfile.TemporaryDirectory() as folder:
        kept = run_in_window(lambda theme: _live(theme, Path(folder)))
    print("every gap within the target" if kept else f"some gaps above {TARGET_MS:.0f} ms")
    end_process()
