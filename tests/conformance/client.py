"""Do with a server of the conformance suite what a person would do with any: connect, sign in, call each tool.

The suite starts this as a program, `python -m tests.conformance.client ADDRESS`, once for each scenario, and judges
what arrives at its servers. It is the console's own client, with somebody in the person's place who agrees to all.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from tests.tools.mcp.kept_secrets import KeptSecrets
from tools import Executor, Tool, ToolRegistry
from tools.errors import ToolError
from tools.mcp.config import ProtocolChoice, ServerConfig, SignInClient, Transport
from tools.mcp.elicitation import (
    Accepted,
    Answer,
    Declined,
    FormElicitation,
    Root,
    RootsRequest,
    Sampled,
    SamplingRequest,
    UrlElicitation,
)
from tools.mcp.secrets import sign_in_names
from tools.mcp.servers import Servers
from tools.mcp.sign_in import sign_in_at
from tools.mcp.state import FaultKind
from tools.mcp.store import ServerStore
from tools.mcp.variables import resolve
from tools.review import AutoApproveHandler

NAME = "suite"
SIGN_INS = 3
"""How often somebody signs in before they give up."""

_PLAIN: Mapping[str, Any] = {"string": "text", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}


class Agreeable:
    """Accept every form as it is filled in beforehand, and let every address do what it does."""

    async def fill_form(self, question: FormElicitation) -> Answer:
        fields = question.schema.get("properties")
        named = fields if isinstance(fields, dict) else {}
        return Accepted(
            {name: field["default"] for name, field in named.items() if isinstance(field, dict) and "default" in field}
        )

    async def visit(self, question: UrlElicitation) -> Answer:
        async with httpx.AsyncClient(follow_redirects=True) as browser:
            await browser.get(question.url)
        return Accepted()

    async def sample(self, question: SamplingRequest) -> Sampled | Declined:
        return Sampled("text")

    async def roots(self, question: RootsRequest) -> tuple[Root, ...]:
        return ()


def arguments_for(tool: Tool) -> dict[str, Any]:
    """Return arguments that fit, one for each that is required."""
    properties, required = tool.input_schema.get("properties"), tool.input_schema.get("required")
    named = properties if isinstance(properties, dict) else {}
    wanted = required if isinstance(required, list) else []
    kinds = {str(name): named.get(str(name)) for name in wanted}
    return {name: _PLAIN[str(kind.get("type"))] for name, kind in kinds.items() if isinstance(kind, dict)}


def known_client() -> SignInClient | None:
    """Return how the suite says that this program is known; None when it does not say."""
    said = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    if "client_id" not in said:
        return None
    return SignInClient(id=said["client_id"], secret=said.get("client_secret", ""))


async def use(servers: Servers, store: ServerStore, executor: Executor) -> None:
    """Connect and call each tool; sign in where that is wanted."""
    for _ in range(1 + SIGN_INS):
        try:
            await servers.start(NAME)
            for tool in tuple(servers.registry):
                response = await executor.execute(executor.create_call(tool.name, arguments_for(tool)))
                sys.stderr.write(f"{tool.name}: {response.status.value} {response.text}\n")
        except ToolError as error:
            sys.stderr.write(f"{error}\n")
        fault = servers.state(NAME).fault
        wants_more = store.secrets.get(sign_in_names(store.find(NAME)).scope) is not None
        if not wants_more and (fault is None or fault.kind is not FaultKind.SIGN_IN):
            return
        await sign_in_at(NAME, servers, store)


async def main(address: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        secrets, registry = KeptSecrets(), ToolRegistry()
        store = ServerStore(Path(folder), Path(folder, "servers.json"), secrets)
        # The suite of this version speaks the older era alone.
        store.add(
            ServerConfig(
                name=NAME,
                transport=Transport.HTTP,
                url=address,
                protocol=ProtocolChoice.OLDER,
                timeout_s=20,
                client=known_client(),
                trusted=True,
            )
        )

        def filled(config: ServerConfig) -> Any:
            return resolve(config, os.environ, secrets)

        servers = Servers(
            registry, resolve=filled, pins=store.pins, consents=store.consents, questions=Agreeable(), back_off_s=()
        )
        executor = Executor(registry, review_handler=AutoApproveHandler())
        try:
            await servers.apply(store.wanted)
            await use(servers, store, executor)
        finally:
            await servers.aclose()
            await executor.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[-1]))
