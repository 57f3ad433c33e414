"""A program that serves agents until it is killed: `python -m tests.tools.gateway.killed_program FOLDER YES|WAIT`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.tools.gateway.serving import no_prompt
from tools import Continue, Executor, ReviewDecision, ReviewRequest, tool
from tools.declare import resolve_tools
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.endpoint import GatewayEndpoint
from tools.policy import Autonomy, Policy
from tools.registry import ToolRegistry

ASKED, RAN, GO = "asked.txt", "ran.txt", "go.txt"


def registry_of(folder: Path) -> ToolRegistry:
    @tool(destructive=True)
    async def erase(item: str) -> str:
        """Erase something, when the test lets it."""
        note(folder / RAN, item)
        while not (folder / GO).exists():  # noqa: ASYNC110 -- another process makes it
            await asyncio.sleep(0.01)
        return f"erased {item}"

    registry = ToolRegistry()
    registry.register_all(resolve_tools([erase]))
    return registry


def note(file: Path, text: str) -> None:
    with file.open("a") as lines:
        lines.write(f"{text}\n")


def lines_of(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


class Person:
    """Says yes to everything, or never anything."""

    def __init__(self, folder: Path, *, says_yes: bool) -> None:
        self._folder = folder
        self._says_yes = says_yes

    async def review(self, _: ReviewRequest, /) -> ReviewDecision:
        note(self._folder / ASKED, "asked")
        if not self._says_yes:
            await asyncio.Event().wait()
        return Continue()


async def serve(folder: Path, *, says_yes: bool) -> None:
    executor = Executor(
        registry_of(folder),
        review_handler=Person(folder, says_yes=says_yes),
        policy=Policy(autonomy=Autonomy.SUPERVISED),
    )
    endpoint = GatewayEndpoint(executor, Agents(folder / AGENTS_FILE), folder, render_prompt=no_prompt, port=0)
    await endpoint.start(takes_over=True)
    sys.stdout.write(f"{endpoint.address}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), says_yes=sys.argv[2] == "YES"))
