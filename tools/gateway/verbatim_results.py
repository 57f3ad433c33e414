"""Results that agents get as they were written, fields included that no version of the protocol names."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp_types import SERVER_INFO_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from pydantic import BaseModel

_ENVELOPE: Final = frozenset({"resultType", "ttlMs", "cacheScope", "nextCursor"})
"""The fields of a result that are between us and the server, and not for the agent."""

_EMPTY: Final[Mapping[str, BaseModel]] = {
    "tools/list": types.ListToolsResult(tools=[]),
    "tools/call": types.CallToolResult(content=[]),
    "resources/list": types.ListResourcesResult(resources=[]),
    "resources/templates/list": types.ListResourceTemplatesResult(resource_templates=[]),
    "resources/read": types.ReadResourceResult(contents=[]),
    "prompts/list": types.ListPromptsResult(prompts=[]),
    "prompts/get": types.GetPromptResult(messages=[]),
    "completion/complete": types.CompleteResult(completion=types.Completion(values=[])),
}

_written: ContextVar[dict[str, Any]] = ContextVar("written")


def handed_on(context: ServerRequestContext[Any, Any], result: Mapping[str, Any]) -> Any:
    """Have a request answered with a result as it is written here, and return what its handler returns.

    Args:
        result: What the agent gets.
    """
    _written.get().update(result)
    return _EMPTY[context.method]


async def hand_on(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Put what was written into the answer that the SDK makes; a middleware of its server.

    WORKAROUND mcp 2.3.0: its server leaves out every field of a result that its models do not name. It gets an empty
    result, to which it adds what belongs to the version that is spoken.
    """
    written: dict[str, Any] = {}
    token = _written.set(written)
    try:
        answer = await call_next(ctx)
    finally:
        _written.reset(token)
    if not written or not isinstance(answer, dict):
        return answer
    meta = {**(written.get("_meta") or {}), **(answer.get("_meta") or {})}
    return {**answer, **written, **({"_meta": meta} if meta else {})}


def is_older(context: ServerRequestContext[Any, Any]) -> bool:
    """Return whether a client speaks the older era."""
    return context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS


def session_id(context: ServerRequestContext[Any, Any]) -> str:
    """Return the id of the session that a request comes in; empty in the newer era, which has none."""
    if not is_older(context) or context.request is None:
        return ""
    return str(context.request.headers.get(MCP_SESSION_ID_HEADER, ""))


def without_envelope(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a server answered without what it said to us alone."""
    found = {key: value for key, value in result.items() if key not in _ENVELOPE}
    meta = found.get("_meta")
    if isinstance(meta, dict) and SERVER_INFO_META_KEY in meta:
        found["_meta"] = {key: value for key, value in meta.items() if key != SERVER_INFO_META_KEY}
    return found


def definition_for(context: ServerRequestContext[Any, Any], definition: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definition of a tool as the era of a client has it: in the older one, structured results are objects.

    Source: MCP 2025-11-25 and 2026-07-28, `Tool.outputSchema`.
    """
    output = definition.get("outputSchema")
    if not is_older(context) or not isinstance(output, dict) or output.get("type") == "object":
        return definition
    return {key: value for key, value in definition.items() if key != "outputSchema"}


def result_for(context: ServerRequestContext[Any, Any], result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the result of a tool as the era of a client has it, likewise; the text beside says the same."""
    if not is_older(context) or isinstance(result.get("structuredContent", {}), dict):
        return result
    return {key: value for key, value in result.items() if key != "structuredContent"}
