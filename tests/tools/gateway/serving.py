"""Serve agents in a test, and be one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from tests.tools.running import Answers
from tools import Continue, Executor, ReviewDecision, ReviewRequest, ToolContext, ToolFailure, prompt, tool
from tools.card import PromptText
from tools.declare import bundle_of, resolve_tools
from tools.discovery import PluginList
from tools.errors import ToolNotFoundError
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.endpoint import GatewayEndpoint
from tools.policy import Policy
from tools.registry import ToolRegistry
from tools.review import ReviewHandler
from tools.workbench import Workbench

HOLD_S = 0.05
ACCEPT = {"accept": "application/json, text/event-stream"}


@tool(read_only=True)
def add(a: int, b: int) -> dict[str, int]:
    """Add two numbers."""
    return {"sum": a + b}


@tool(destructive=True)
def erase(name: str) -> str:
    """Erase something."""
    return f"erased {name}"


@tool(read_only=True)
async def count(to: int, ctx: ToolContext) -> str:
    """Count."""
    for at in range(1, to + 1):
        ctx.progress(at, to, f"at {at}")
        await asyncio.sleep(0)
    ctx.attach(b"\x89PNG", mime_type="image/png", name="dot.png")
    return "counted"


@prompt(role="user")
def letter(to: str, days: int = 1) -> str:
    """Write a letter."""
    return f"Dear {to}, {days} days"


@tool(read_only=True)
def fail() -> str:
    """Fail."""
    raise ToolFailure("it is broken; mend it")


async def no_prompt(name: str, arguments: Mapping[str, Any]) -> PromptText:
    raise ToolNotFoundError(f"no prompt is called {name!r}; {arguments} is for nobody")


class Reviewer:
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.requests: list[ReviewRequest] = []
        self._answer: asyncio.Future[ReviewDecision] | None = None

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        self.requests.append(request)
        self._answer = asyncio.get_running_loop().create_future()
        self.asked.set()
        return await self._answer

    def answer(self, decision: ReviewDecision | None = None) -> None:
        assert self._answer is not None
        self.asked.clear()
        if not self._answer.done():
            self._answer.set_result(decision or Continue())


class Served(NamedTuple):
    endpoint: GatewayEndpoint
    agents: Agents
    registry: ToolRegistry
    token: str
    reviewer: Answers


@asynccontextmanager
async def served(
    folder: Path,
    tools: tuple[str, ...] = (),
    registry: ToolRegistry | None = None,
    reviewer: ReviewHandler | None = None,
    policy: Policy | None = None,
    **options: Any,
) -> AsyncIterator[Served]:
    bench = Workbench(PluginList(folder / "settings"), installed=())
    if registry is None:
        registry = bench.registry
        registry.register_all(resolve_tools([add, erase, count, fail]), bundle_of(letter).prompts)
    answers = Answers()
    executor = Executor(registry, review_handler=reviewer or answers, policy=policy)
    agents = Agents(folder / AGENTS_FILE)
    token = agents.add("claude", tools).token
    endpoint = GatewayEndpoint(executor, agents, folder, render_prompt=bench.render_prompt, port=0, **options)
    try:
        await endpoint.start()
        yield Served(endpoint, agents, registry, token, answers)
    finally:
        await endpoint.aclose()
        await executor.aclose()
        await bench.aclose()


@asynccontextmanager
async def agent(at: Served, era: str = "auto", token: str = "", **options: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token or at.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(at.endpoint.address, http_client=http), mode=era, **options) as client,
    ):
        yield client


def text_of(result: Any) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


class AskedDesk:
    """Tools that a person is asked about, what they did, and the person."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.reviewer = Reviewer()

        @tool(destructive=True)
        def erase(name: str) -> str:
            """Erase something."""
            self.ran.append(name)
            return f"erased {name}"

        @tool(destructive=True)
        def count(name: str) -> dict[str, int]:
            """Erase something and count it."""
            self.ran.append(name)
            return {"erased": 1}

        self.registry = ToolRegistry()
        self.registry.register_all(resolve_tools([erase, count]))


@asynccontextmanager
async def desk_at(folder: Path, hold_s: float = HOLD_S, **options: Any) -> AsyncIterator[tuple[AskedDesk, Served]]:
    desk = AskedDesk()
    async with served(folder, registry=desk.registry, reviewer=desk.reviewer, hold_s=hold_s, **options) as at:
        yield desk, at
