"""An agent that sends and reads JSON itself, so that no library takes anything out of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import httpx2
from mcp import MCPError

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
_META = "io.modelcontextprotocol"


class RawAgent:
    """Ask a gateway in one era.

    Args:
        http: Has the token.
        address: The gateway.
        era: `modern` or `legacy`.
        capabilities: What the client says that it can do.
    """

    def __init__(self, http: httpx2.AsyncClient, address: str, era: str, capabilities: Mapping[str, Any]) -> None:
        self._http = http
        self._address = address
        self._numbers = count(1)
        self.is_modern = era == "modern"
        self._capabilities = dict(capabilities)
        self._headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": MODERN if self.is_modern else LEGACY,
        }

    async def begin(self) -> None:
        """Begin a session, where the era has them."""
        if self.is_modern:
            return
        info = {"name": "raw", "version": "1"}
        hello = {"protocolVersion": LEGACY, "capabilities": self._capabilities, "clientInfo": info}
        answer = await self._http.post(self._address, json=self._message("initialize", hello), headers=self._headers)
        self._headers["mcp-session-id"] = answer.headers["mcp-session-id"]
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await self._http.post(self._address, json=note, headers=self._headers)

    def _message(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}

    async def hang_up(self, method: str, params: Mapping[str, Any], heard: str) -> None:
        """Send a request of the older era, and hang up when something is heard in its stream."""
        asking = self._http.stream("POST", self._address, json=self._message(method, params), headers=self._headers)
        async with asking as answer:
            async for line in answer.aiter_lines():
                if heard in line:
                    return

    async def messages(self, method: str, params: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Send a request, and return all that comes on its stream."""
        given = dict(params or {})
        headers = dict(self._headers)
        if self.is_modern:
            given["_meta"] = {
                f"{_META}/protocolVersion": MODERN,
                f"{_META}/clientInfo": {"name": "raw", "version": "1"},
                f"{_META}/clientCapabilities": self._capabilities,
                **given.get("_meta", {}),
            }
            headers["mcp-method"] = method
            name = given.get("name", given.get("uri"))
            if name is not None:
                headers["mcp-name"] = name
        answer = await self._http.post(self._address, json=self._message(method, given), headers=headers)
        if answer.headers["content-type"].startswith("application/json"):
            return [answer.json()]
        lines = (line.removeprefix("data:").strip() for line in answer.text.splitlines() if line.startswith("data:"))
        return [json.loads(line) for line in lines if line]

    async def answer(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what a request is answered with, error or result."""
        return (await self.messages(method, params))[-1]

    async def result(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of a request; an error is raised as the SDK does."""
        answer = await self.answer(method, params)
        if "error" in answer:
            raise MCPError(**answer["error"])
        found: dict[str, Any] = answer["result"]
        return found


@asynccontextmanager
async def raw_agent(
    address: str, token: str, era: str, capabilities: Mapping[str, Any] | None = None
) -> AsyncIterator[RawAgent]:
    """Be an agent of one era."""
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        agent = RawAgent(http, address, era, capabilities or {})
        await agent.begin()
        yield agent
