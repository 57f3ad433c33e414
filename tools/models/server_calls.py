"""Calls that a provider makes itself, at an MCP server that it reaches: a person lets each of them go on, or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from tools.card import BUILT_IN
from tools.declare import resolve_tools, tool
from tools.spec import Concern, Param

if TYPE_CHECKING:
    from tools.tool import Tool

SERVER_CALL: Final = "call_server_at_provider"
"""The name of the call by which a person is asked."""


def _concerns(arguments: Mapping[str, Any], _: Path) -> Iterator[Concern]:
    detail = f"The model's provider calls {arguments['tool']} of its server {arguments['server']} itself"
    yield Concern("sends_data", "Runs at the provider", detail)


@tool(name=SERVER_CALL, requires_confirmation=True, open_world=True, concerns=_concerns)
async def _call_server_at_provider(
    server: Annotated[str, Param("The server, by its label")],
    tool: Annotated[str, Param("The server's tool")],
    arguments: Annotated[dict[str, Any], Param("What the tool is given")],  # noqa: ARG001 -- what is allowed is theirs
) -> str:
    """Let the model's provider call a tool of an MCP server that it reaches itself."""
    return f"{server} may run {tool}"


@cache
def server_call_tool() -> Tool:
    """Return the tool that stands for such a call; no model is sent it."""
    return resolve_tools([_call_server_at_provider], source=BUILT_IN)[0]
