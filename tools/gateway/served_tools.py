"""The tools that an agent is told of, as MCP lists them, under names that every client takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.mcp.remote_tool import RemoteTool
from tools.wire import PROVIDERS, NameRule, definition_of, wire_name

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.gateway.agents import Agent
    from tools.registry import ToolRegistry
    from tools.tool import Tool

_MCP: Final = PROVIDERS["mcp"]


class ServedTool(NamedTuple):
    """One tool, as agents know it.

    Attributes:
        name: The name that agents call.
        tool: The tool's own name.
        definition: The entry of `tools/list`.
    """

    name: str
    tool: str
    definition: Mapping[str, JsonValue]


class ServedTools:
    """Give the tools of a registry names and definitions, made anew only where a tool changed; from one event loop.

    Args:
        registry: The tools.
    """

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self._made: dict[str, tuple[Tool, str, ServedTool]] = {}

    def of(self, agent: Agent) -> list[ServedTool]:
        """Return what an agent may call, by name."""
        return [offered for offered in self._all().values() if agent.sees(offered.tool)]

    def find(self, agent: Agent, name: str) -> ServedTool | None:
        """Return the tool that an agent means; None when it sees none of that name."""
        found = self._all().get(name)
        return found if found is not None and agent.sees(found.tool) else None

    def _all(self) -> dict[str, ServedTool]:
        enabled = (tool for tool in self._registry if self._registry.is_enabled(tool.name))
        named = _named(sorted(enabled, key=lambda tool: tool.name))
        offered: dict[str, ServedTool] = {}
        made: dict[str, tuple[Tool, str, ServedTool]] = {}
        for name, tool in named:
            known = self._made.get(tool.name)
            if known is None or known[0] is not tool or known[1] != name:
                known = tool, name, ServedTool(name, tool.name, _definition(tool, name))
            made[tool.name] = known
            offered[name] = known[2]
        self._made = made
        return offered


def _named(tools: Iterable[Tool]) -> list[tuple[str, Tool]]:
    """Give each tool a name of letters, digits, `_` and `-`, at most 64 of them; no two have the same."""
    taken: set[str] = set()
    named: list[tuple[str, Tool]] = []
    for tool in tools:
        attempt = 0
        while (name := wire_name(tool.name, attempt, NameRule.DASHES)) in taken:
            attempt += 1
        taken.add(name)
        named.append((name, tool))
    return named


def _definition(tool: Tool, name: str) -> dict[str, Any]:
    if isinstance(tool.origin, RemoteTool):
        # As the server wrote it.
        return {**tool.origin.definition.raw, "name": name}
    return dict(_MCP.write(definition_of(tool), name=name, rewrite=False).document)
