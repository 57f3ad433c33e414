"""Resources of the console itself: what is kept of the project, each as the result of a built-in tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import mcp_types as types
from mcp import MCPError

from tools.calls import ToolCall
from tools.card import SourceKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from tools.gateway.held_calls import Outcome, Waiting
    from tools.gateway.served_tools import ServedTool
    from tools.registry import ToolRegistry

_JSON: Final = "application/json"


class BuiltInResource(NamedTuple):
    """A resource that is the result of a tool which needs no arguments and only reads.

    Attributes:
        title: Its name for people.
        tool: The built-in tool; who does not see that one does not see the resource either.
    """

    uri: str
    name: str
    title: str
    description: str
    tool: str


RESOURCES: Final = (
    BuiltInResource(
        "tool-console:project/variables",
        "project_variables",
        "Variables of the project",
        "The variables that were set for this project, with their values.",
        "list_variables",
    ),
    BuiltInResource(
        "tool-console:project/plan",
        "project_plan",
        "Plan of the project",
        "The steps of the plan that was made for this project, and which are done.",
        "show_plan",
    ),
    BuiltInResource(
        "tool-console:project/memory",
        "project_memory",
        "Memory of the project",
        "What was remembered about this project in earlier conversations, the newest last.",
        "recall_memory",
    ),
)
"""All of them, in the order they are listed."""


def seen(registry: ToolRegistry, offered: Iterable[ServedTool]) -> Iterator[BuiltInResource]:
    """Yield the resources whose tools an agent may call."""
    names = {tool.tool for tool in offered}
    for resource in RESOURCES:
        tool = registry.lookup(resource.tool)
        # A plugin's tool may have taken the name, and is no reader of ours.
        if resource.tool in names and tool is not None and tool.source.kind is SourceKind.BUILT_IN:
            yield resource


def definition_of(resource: BuiltInResource) -> dict[str, Any]:
    """Return a resource as `resources/list` has it."""
    return {
        "uri": resource.uri,
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mimeType": _JSON,
    }


async def read(resource: BuiltInResource, run: Callable[[str], Awaitable[Outcome | Waiting]]) -> dict[str, Any]:
    """Return what `resources/read` is answered with.

    Args:
        run: Runs a tool for the agent, as any call of it: judged, recorded, and perhaps asked about.

    Raises:
        MCPError: The call failed, was refused, or waits for a person.
    """
    outcome = await run(resource.tool)
    if not isinstance(outcome, ToolCall):
        raise MCPError(types.INTERNAL_ERROR, f"a person is asked about {resource.uri!r}; read it again in a while")
    if not outcome.response.succeeded:
        raise MCPError(types.INTERNAL_ERROR, outcome.response.text)
    return {"contents": [{"uri": resource.uri, "mimeType": _JSON, "text": outcome.response.text}]}
