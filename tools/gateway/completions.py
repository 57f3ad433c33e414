"""What half-written arguments of prompts and of templates may become, as their servers know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp import MCPError

from tools.errors import ToolError
from tools.gateway.served_prompts import prompts_for
from tools.gateway.verbatim_results import without_envelope
from tools.mcp.prompt_sync import ServerPrompt

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from tools.gateway.agents import Agent
    from tools.gateway.served_resources import ServedResources
    from tools.mcp.connection import Connection
    from tools.registry import ToolRegistry


async def completed(
    context: ServerRequestContext[Any, Any],
    params: types.CompleteRequestParams,
    agent: Agent,
    registry: ToolRegistry,
    resources: ServedResources,
) -> dict[str, Any]:
    """Return what `completion/complete` is answered with: nothing for prompts that no server makes.

    Raises:
        MCPError: There is no such prompt or template, or its server refuses.
    """
    ref = params.ref
    connection: Connection | None = None
    if isinstance(ref, types.ResourceTemplateReference):
        connection, uri = await resources.template_of(context, agent, ref.uri)
        ref = ref.model_copy(update={"uri": uri})
    else:
        prompt = prompts_for(agent, registry).get(ref.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"no prompt is called {ref.name!r}; list the prompts")
        function = prompt.prompt.function
        if isinstance(function, ServerPrompt):
            connection = function.backend.connection
            ref = ref.model_copy(update={"name": function.offered.name})
    if connection is None or not connection.offers.completions:
        return {"completion": {"values": []}}
    asked = types.CompleteRequestParams(ref=ref, argument=params.argument, context=params.context)
    try:
        return without_envelope(await connection.request(types.CompleteRequest(params=asked)))
    except ToolError as error:
        cause = error.__cause__
        code = cause.code if isinstance(cause, MCPError) else types.INTERNAL_ERROR
        raise MCPError(code, str(error)) from error
