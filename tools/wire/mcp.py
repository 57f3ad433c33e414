"""The Model Context Protocol: tools as a server lists them, calls and results as they pass between both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import ReceivedCall, Result, read_arguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire.definition import ToolDefinition


def mcp_tool(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:  # noqa: ARG001 -- has no strictness
    """Return a tool of `tools/list`.

    Source: MCP 2025-11-25, `Tool` (an output schema describes an object).
    """
    written: dict[str, JsonValue] = {
        "name": definition.name,
        "description": definition.description,
        "inputSchema": definition.parameters,
    }
    if definition.title:
        written["title"] = definition.title
    if definition.results is not None and definition.results.get("type") == "object":
        written["outputSchema"] = definition.results
    if definition.hints:
        written["annotations"] = dict(definition.hints)
    return written


def mcp_calls(request: Mapping[str, Any]) -> list[ReceivedCall]:
    """Return the call of a `tools/call` request."""
    params = request.get("params") or {}
    if request.get("method") != "tools/call":
        return []
    id_ = request.get("id")
    return [
        ReceivedCall("" if id_ is None else str(id_), params.get("name", ""), read_arguments(params.get("arguments")))
    ]


def mcp_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return what answers each `tools/call`."""
    return [_result(result) for result in results]


def _result(result: Result) -> dict[str, JsonValue]:
    content: list[JsonValue] = [{"type": "text", "text": result.text}]
    content += [{"type": "image", "mimeType": image.mime_type, "data": image.base64} for image in result.images]
    written: dict[str, JsonValue] = {"content": content, "isError": result.is_error}
    return written if result.structured is None else {**written, "structuredContent": result.structured}
