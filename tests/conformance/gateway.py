"""The gateway before the conformance suite's own server, as the suite's server scenarios want it.

The suite knows no tokens and calls tools and prompts by the names that its server gave them. So the agent is let in
here without its token, and the names of the server stand for themselves.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from tests.tools.mcp.serving import serving
from tools import Executor, ToolRegistry
from tools.card import PromptText
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.endpoint import GatewayEndpoint
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.elicitation import LeaveToClients
from tools.mcp.prompt_sync import ServerPrompt
from tools.mcp.remote_tool import RemoteTool
from tools.review import AutoApproveHandler

NAME = "suite"


class KnownAgent:
    """Let requests without a token in as those of one agent."""

    def __init__(self, inside: ASGIApp, token: str) -> None:
        self._inside = inside
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], (b"authorization", f"Bearer {self._token}".encode())]
        await self._inside(scope, receive, send)


class OpenEndpoint(GatewayEndpoint):
    """A gateway that needs no token."""

    token = ""

    def _app(self, *given: Any, **named: Any) -> Any:
        return KnownAgent(super()._app(*given, **named), self.token)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@asynccontextmanager
async def own_server(node: Path, script: Path) -> AsyncIterator[str]:
    """Keep the suite's own server running, and give its address."""
    port = free_port()
    program = await asyncio.create_subprocess_exec(
        str(node),
        str(script),
        env={**os.environ, "PORT": str(port)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    reading: asyncio.Task[Any] | None = None
    try:
        assert program.stdout is not None
        await program.stdout.readuntil(b"MCP endpoint")
        # It goes on telling, and nobody may keep it from that.
        reading = asyncio.create_task(program.stdout.read())
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        program.kill()
        await program.wait()
        if reading is not None:
            await reading


def by_own_names(registry: ToolRegistry) -> ToolRegistry:
    """Return the tools and prompts of servers under the names that these gave them."""
    named = ToolRegistry()
    named.register_all(
        [
            replace(tool, spec=tool.spec.model_copy(update={"name": tool.origin.definition.name}))
            for tool in registry
            if isinstance(tool.origin, RemoteTool)
        ],
        [
            replace(prompt, name=prompt.function.offered.name)
            for prompt in registry.prompts
            if isinstance(prompt.function, ServerPrompt)
        ],
    )
    for provider in registry.providers:
        named.add_provider(provider)
    return named


@asynccontextmanager
async def gateway_before(address: str, era: ProtocolChoice, folder: Path) -> AsyncIterator[str]:
    """Keep a gateway before a server, and give the gateway's address."""
    config = ServerConfig(name=NAME, transport=Transport.HTTP, url=address, protocol=era, timeout_s=20, trusted=True)
    async with serving(config, questions=LeaveToClients()) as desk:
        await desk.servers.settled()
        registry = by_own_names(desk.executor.registry)

        async def said(name: str, arguments: Mapping[str, Any]) -> PromptText:
            prompt = registry.prompt(name)
            text: PromptText = await prompt.function(**prompt.arguments.validate(arguments))
            return text

        executor = Executor(registry, review_handler=AutoApproveHandler())
        agents = Agents(folder / AGENTS_FILE)
        endpoint = OpenEndpoint(
            executor, agents, folder, render_prompt=said, port=0, calls_a_minute=10_000, version="1"
        )
        endpoint.token = agents.add(NAME).token
        try:
            await endpoint.start()
            yield endpoint.address
        finally:
            await endpoint.aclose()
            await executor.aclose()
