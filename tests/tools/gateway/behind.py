"""A gateway before servers that really run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.tools.mcp.serving import Served, serving
from tools.card import PromptText
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.endpoint import GatewayEndpoint
from tools.mcp.config import ServerConfig
from tools.mcp.elicitation import Questions

NAME = "claude"


class Behind(NamedTuple):
    """Servers, and the gateway before them."""

    desk: Served
    endpoint: GatewayEndpoint
    agents: Agents
    token: str

    @property
    def address(self) -> str:
        return self.endpoint.address


@asynccontextmanager
async def behind_gateway(
    folder: Path,
    *configs: ServerConfig,
    tools: tuple[str, ...] = (),
    questions: Questions | None = None,
    **options: Any,
) -> AsyncIterator[Behind]:
    """Keep servers and a gateway before them as long as the block is open."""
    async with serving(*configs, questions=questions) as desk:
        registry = desk.executor.registry

        async def said(name: str, arguments: Mapping[str, Any]) -> PromptText:
            prompt = registry.prompt(name)
            text: PromptText = await prompt.function(**prompt.arguments.validate(arguments))
            return text

        agents = Agents(folder / AGENTS_FILE)
        token = agents.add(NAME, tools).token
        endpoint = GatewayEndpoint(desk.executor, agents, folder, render_prompt=said, port=0, **options)
        await desk.servers.settled()
        try:
            await endpoint.start()
            yield Behind(desk, endpoint, agents, token)
        finally:
            await endpoint.aclose()
