"""Pass messages between an agent that speaks on standard streams and the gateway, for programs that know no address."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import PROTOCOL_VERSION_META_KEY, JSONRPCNotification, JSONRPCRequest
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tools.errors import GatewayError

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

_PATIENCE_S: Final = 5.0


async def bridge(address: str, token: str) -> None:
    """Pass messages both ways until the agent closes its stream.

    Args:
        address: Where the gateway is.
        token: The agent's token.

    Raises:
        GatewayError: The gateway is not reached, or does not know the token.
    """
    async with AsyncExitStack() as opened:
        # Calls may wait for a person as long as they like.
        limits = httpx2.Timeout(_PATIENCE_S, read=None)
        http = await opened.enter_async_context(
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=limits)
        )
        await _look(http, address)
        from_agent, to_agent = await opened.enter_async_context(stdio_server())
        from_gateway, to_gateway = await opened.enter_async_context(streamable_http_client(address, http_client=http))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_pass_on, from_gateway, to_agent)
            await _pass_on(_stamped(from_agent), to_gateway)
            tasks.cancel_scope.cancel()


async def _look(http: httpx2.AsyncClient, address: str) -> None:
    """See whether the gateway is there and lets the agent in, so that it is told at once and in words."""
    try:
        answer = await http.post(address, json={}, headers={"accept": "application/json, text/event-stream"})
    except httpx2.HTTPError as error:
        raise GatewayError(f"no gateway answers at {address}; switch it on, or start tool-console serve") from error
    if answer.status_code == httpx2.codes.UNAUTHORIZED:
        raise GatewayError(f"the gateway at {address} does not know the token; tool-console agent renew gives another")


async def _pass_on(messages: Any, into: WriteStream[SessionMessage]) -> None:
    async for message in messages:
        if isinstance(message, SessionMessage):
            await into.send(message)


async def _stamped(messages: ReadStream[SessionMessage | Exception]) -> AsyncIterator[SessionMessage]:
    """Give messages of the newer era the headers that say over HTTP what stands in them."""
    async for message in messages:
        if isinstance(message, SessionMessage):
            headers = _headers_of(message.message)
            yield SessionMessage(message.message, ClientMessageMetadata(headers=headers) if headers else None)


def _headers_of(message: object) -> dict[str, str]:
    if not isinstance(message, JSONRPCRequest | JSONRPCNotification):
        return {}
    params = message.params or {}
    version = (params.get("_meta") or {}).get(PROTOCOL_VERSION_META_KEY)
    if version not in MODERN_PROTOCOL_VERSIONS:
        return {}
    headers = {MCP_PROTOCOL_VERSION_HEADER: str(version), MCP_METHOD_HEADER: message.method}
    named = params.get(NAME_BEARING_METHODS.get(message.method, ""))
    return {**headers, MCP_NAME_HEADER: encode_header_value(named)} if isinstance(named, str) else headers
