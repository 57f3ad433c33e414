"""What servers write reaches agents as it is: definitions, and results of every kind."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.tools.gateway.behind import behind_gateway
from tests.tools.gateway.raw_agent import RawAgent, raw_agent
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport

pytestmark = pytest.mark.expects_log("mcp.server.transport_security", "mcp.server.streamable_http_manager")

VERBATIM = Path(__file__).parents[2] / "mcp_servers" / "verbatim.py"
ERAS = ("legacy", "modern")
BRIDGES = pytest.mark.parametrize(("behind", "before"), [(behind, before) for behind in ERAS for before in ERAS])

OBJECT = {"type": "object"}
LARGE = 2**70 + 1
TOOLS: list[dict[str, Any]] = [
    {
        "name": "every.kind",
        "title": "Every kind",
        "description": "Give a result of every kind.",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"n": {"$anchor": "n", "type": "integer", "minimum": -LARGE}},
            "properties": {"n": {"$ref": "#/$defs/n"}},
            "allOf": [{"if": {"required": ["n"]}, "then": {"maxProperties": 1}}],
            "vendor/keyword": [1, None],
        },
        "outputSchema": {"type": "object", "properties": {"large": {"type": "integer"}}},
        "annotations": {"readOnlyHint": True, "vendorHint": "kept"},
        "icons": [{"src": "data:image/png;base64,AAAA", "theme": "dark", "vendor/icon": 1}],
        "vendor/extra": {"kept": [1, {"deep": None}]},
        "_meta": {"vendor.example/key": {"kept": True}},
    },
    {"name": "plain", "inputSchema": OBJECT},
    {"name": "fails", "inputSchema": OBJECT},
]
EVERY: dict[str, Any] = {
    "content": [
        {
            "type": "text",
            "text": "for you \N{SNOWMAN}",
            "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z", "x": 1},
            "_meta": {"vendor.example/part": 1},
        },
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png", "vendor/image": 1},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {
            "type": "resource_link",
            "uri": "note://today",
            "name": "today",
            "size": 3,
            "icons": [{"src": "data:image/png;base64,AAAA"}],
        },
        {"type": "resource", "resource": {"uri": "note://t", "text": "a text", "_meta": {"vendor.example/in": 1}}},
        {"type": "resource", "resource": {"uri": "note://b", "blob": "AAEC", "mimeType": "application/x-own"}},
    ],
    "structuredContent": {"large": LARGE, "negative": -LARGE, "nothing": None, "list": [1.5, "two"]},
    "vendor/result": {"kept": None},
    "_meta": {"vendor.example/whole": [1]},
    "isError": False,
}
FAILED = {"content": [{"type": "text", "text": "no", "annotations": {"priority": 1}}], "isError": True, "vendor/why": 1}
PROMPT = {
    "name": "letter",
    "title": "A letter",
    "arguments": [{"name": "to", "title": "To whom", "required": True, "vendor/argument": 1}],
    "_meta": {"vendor.example/prompt": 1},
}
SAID = {
    "description": "A letter",
    "messages": [{"role": "user", "content": EVERY["content"][4], "vendor/message": 1}],
    "_meta": {"vendor.example/said": 1},
}
RESULTS = {
    "tools/list": {"tools": TOOLS},
    "tools/call": {"every.kind": EVERY, "plain": {"content": [], "structuredContent": [1, 2]}, "fails": FAILED},
    "prompts/list": {"prompts": [PROMPT]},
    "prompts/get": {"letter": SAID},
}
SHIPPED_BY_US = {"resultType", "ttlMs", "cacheScope"}


def verbatim(folder: Path, era: str, results: Mapping[str, Any] = RESULTS, name: str = "v") -> ServerConfig:
    """Return the entry of a server that answers these results."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(results), encoding="utf-8")
    words = ("-S", "-E", str(VERBATIM), str(path), era)
    return ServerConfig(
        name=name,
        transport=Transport.STDIO,
        command=sys.executable,
        args=words,
        protocol=ProtocolChoice.OLDER if era == "legacy" else ProtocolChoice.NEWER,
        timeout_s=20,
        trusted=True,
    )


@asynccontextmanager
async def between(folder: Path, behind: str, before: str) -> AsyncIterator[RawAgent]:
    """Be an agent of one era before a server of another."""
    async with (
        behind_gateway(folder, verbatim(folder, behind)) as at,
        raw_agent(at.address, at.token, before) as agent,
    ):
        yield agent


def unwrapped(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without what the gateway adds for the newer era."""
    meta = {key: value for key, value in result.get("_meta", {}).items() if "serverInfo" not in key}
    rest = {key: value for key, value in result.items() if key not in SHIPPED_BY_US and key != "_meta"}
    return {**rest, "_meta": meta} if meta else rest


@BRIDGES
async def test_definitions_reach_agents_with_every_field(tmp_path: Path, behind: str, before: str) -> None:
    async with between(tmp_path, behind, before) as agent:
        listed = (await agent.result("tools/list"))["tools"]
        in_order = sorted(TOOLS, key=lambda tool: tool["name"])
        # Calls may be tasks here whatever the server behind can do.
        ours = {"execution": {"taskSupport": "optional"}} if before == "legacy" else {}
        assert listed == [{**tool, "name": f"v__{tool['name']}".replace(".", "__"), **ours} for tool in in_order]
        assert (await agent.result("prompts/list"))["prompts"] == [{**PROMPT, "name": "v__letter"}]


@BRIDGES
async def test_results_of_every_kind_reach_agents_unchanged(tmp_path: Path, behind: str, before: str) -> None:
    async with between(tmp_path, behind, before) as agent:
        assert unwrapped(await agent.result("tools/call", {"name": "v__every__kind", "arguments": {"n": 1}})) == EVERY
        assert unwrapped(await agent.result("tools/call", {"name": "v__fails"})) == FAILED
        assert unwrapped(await agent.result("prompts/get", {"name": "v__letter", "arguments": {"to": "M"}})) == SAID


@pytest.mark.parametrize(("before", "structured"), [("modern", [1, 2]), ("legacy", None)])
async def test_the_older_era_gets_structured_results_that_are_objects_only(
    tmp_path: Path, before: str, structured: list[int] | None
) -> None:
    async with between(tmp_path, "modern", before) as agent:
        assert (await agent.result("tools/call", {"name": "v__plain"})).get("structuredContent") == structured
