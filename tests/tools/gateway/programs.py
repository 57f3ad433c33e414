"""Programs that serve one agent, one after the other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.tools.gateway.killed_program import Person, registry_of
from tests.tools.gateway.serving import Reviewer, no_prompt, text_of
from tools import Continue, Executor, ToolContext, tool
from tools.declare import resolve_tools
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.defaults import STARTED_FOLDER
from tools.gateway.endpoint import GatewayEndpoint
from tools.gateway.handover import Handover
from tools.mcp.running_calls import calling_client
from tools.policy import Autonomy, Policy
from tools.registry import ToolRegistry


class Program:
    """One program that serves agents: its tools, who is asked there, and what ran."""

    def __init__(self, folder: Path, name: str) -> None:
        self.ran: list[str] = []
        self.leave_running = asyncio.Event()
        self.runs = asyncio.Event()
        self.reviewer = Reviewer()

        @tool(destructive=True)
        def erase(name: str) -> str:
            """Erase something."""
            self.ran.append(name)
            return f"erased {name}"

        @tool(read_only=False, destructive=False)
        async def build() -> str:
            """Build for long."""
            self.ran.append("build")
            self.runs.set()
            await self.leave_running.wait()
            return "built"

        @tool(read_only=False, destructive=False)
        async def deploy(ctx: ToolContext) -> str:
            """Ask the person while it runs."""
            self.ran.append("deploy")
            answer = await ctx.request_approval("Deploy to the live server?", prompt="which one")
            return f"deployed: {answer.feedback}" if isinstance(answer, Continue) else "not deployed"

        @tool(read_only=False, destructive=False)
        async def greet() -> str:
            """Ask the agent's client while it runs, as a server does."""
            self.ran.append("greet")
            client = calling_client.get()
            assert client is not None
            form = {"type": "object", "properties": {"name": {"type": "string"}}}
            asked = types.ElicitRequestFormParams(message="Who are you?", requested_schema=form)
            answers = await client.ask({"who": types.ElicitRequest(params=asked)})
            answer = answers.get("who")
            return f"hello {answer.content}" if isinstance(answer, types.ElicitResult) else "nobody answered"

        registry = ToolRegistry()
        registry.register_all(resolve_tools([erase, build, deploy, greet]))
        policy = Policy(autonomy=Autonomy.SUPERVISED)
        self.executor = Executor(registry, review_handler=self.reviewer, policy=policy)
        self.agents = Agents(folder / AGENTS_FILE)
        self.endpoint = GatewayEndpoint(self.executor, self.agents, folder, render_prompt=no_prompt, port=0, name=name)

    async def aclose(self) -> None:
        await self.endpoint.aclose()
        await self.executor.aclose()


class Stage:
    """A data folder, an agent, and the programs that serve it one after the other."""

    def __init__(self, folder: Path, opened: AsyncExitStack) -> None:
        self.folder = folder
        self.token = Agents(folder / AGENTS_FILE).add("claude").token
        self.address = ""
        self._opened = opened

    async def program(self, name: str, *, takes_over: bool = False) -> tuple[Program, Handover | None]:
        program = Program(self.folder, name)
        self._opened.push_async_callback(program.aclose)
        handed = await program.endpoint.start(takes_over=takes_over)
        self.address = program.endpoint.address
        return program, handed

    async def call(self, name: str, /, **arguments: Any) -> str:
        """Call a tool as an agent of the older era does that calls again when it is told to, or got no answer."""
        async with asyncio.timeout(40):
            while True:
                with contextlib.suppress(MCPError, httpx2.HTTPError, ExceptionGroup):
                    async with self.client("legacy") as client:
                        said = text_of(await client.call_tool(name, arguments))
                    if not said.startswith("Pending:"):
                        return said
                await asyncio.sleep(0.02)

    @asynccontextmanager
    async def client(self, era: str, **answers: Any) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(self.address, http_client=http), mode=era, **answers) as client,
        ):
            yield client

    async def next_program(self) -> GatewayEndpoint:
        """Serve what a program served that was killed; whoever is asked says yes."""
        executor = Executor(
            registry_of(self.folder),
            review_handler=Person(self.folder, says_yes=True),
            policy=Policy(autonomy=Autonomy.SUPERVISED),
        )
        agents = Agents(self.folder / AGENTS_FILE)
        endpoint = GatewayEndpoint(executor, agents, self.folder, render_prompt=no_prompt, port=0)
        self._opened.push_async_callback(executor.aclose)
        self._opened.push_async_callback(endpoint.aclose)
        await endpoint.start()
        self.address = endpoint.address
        return endpoint

    def marks(self) -> list[str]:
        return [file.name for file in (self.folder / STARTED_FOLDER).iterdir()]


@asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as opened:
        yield Stage(folder, opened)
