"""The tools that an agent is told of, as MCP lists them, under names that every client takes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcp.shared.inbound import x_mcp_header_map

from tools import schema
from tools.gateway.profiles import AgentProfile, NameCollision, served_names
from tools.lint import estimated_tokens
from tools.mcp.remote_tool import RemoteTool
from tools.wire import PROVIDERS, definition_of

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.gateway.agents import Agent
    from tools.registry import RegistryChange, ToolRegistry
    from tools.tool import Tool

_log = logging.getLogger(__name__)
_MCP: Final = PROVIDERS["mcp"]
_TOLD_TO_MODELS: Final = ("name", "description", "inputSchema")


@dataclass(frozen=True)
class ServedTool:
    """One tool, as agents know it.

    Attributes:
        name: The name that agents call.
        tool: The tool's own name.
        definition: The entry of `tools/list`.
    """

    name: str
    tool: str
    definition: Mapping[str, JsonValue]

    @cached_property
    def tokens(self) -> int:
        """About how many tokens it costs an agent: name, description and input schema, which models are told."""
        return estimated_tokens(
            schema.json_text({key: self.definition[key] for key in _TOLD_TO_MODELS if key in self.definition})
        )

    @cached_property
    def has_headers(self) -> bool:
        """Whether some of its arguments are to stand in the headers of a call as well."""
        return bool(x_mcp_header_map(self.definition.get("inputSchema")))


class ShownTools(NamedTuple):
    """What a profile shows of the tools that there are now.

    Attributes:
        tools: The tools by the names that agents call, in the order of their own names.
        collisions: Those that no agent can call, since they would have the same name.
    """

    profile: AgentProfile
    tools: Mapping[str, ServedTool]
    collisions: tuple[NameCollision, ...] = ()

    @property
    def tokens(self) -> int:
        """About how many tokens an agent's model reads of them with each request."""
        return sum(tool.tokens for tool in self.tools.values())


class ServedTools:
    """Give the tools of a registry names and definitions for each profile, made anew only after a change."""

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self._shown: dict[str, ShownTools] = {}
        self.close: Final = registry.watch(self._forget)

    def of(self, agent: Agent) -> list[ServedTool]:
        """Return what an agent may call, by name."""
        return list(self.shown(agent.profile).tools.values())

    def find(self, agent: Agent, name: str) -> ServedTool | None:
        """Return the tool that an agent means; None when it sees none of that name."""
        return self.shown(agent.profile).tools.get(name)

    def shown(self, profile: AgentProfile) -> ShownTools:
        # A thread may change the registry meanwhile: what is made of the former tools is not kept then.
        shown_by_profile = self._shown
        known = shown_by_profile.get(profile.name)
        if known is None or known.profile != profile:
            known = shown_by_profile[profile.name] = shown_tools(profile, self._registry)
            for collision in known.collisions:
                _log.warning("neither is served, for agents with the profile %r: %s", profile.name, collision)
        return known

    def _forget(self, _: RegistryChange) -> None:
        self._shown = {}


def shown_tools(profile: AgentProfile, registry: ToolRegistry) -> ShownTools:
    """Return what a profile shows of the enabled tools of a registry."""
    names = served_names(profile, (tool for tool in registry if registry.is_enabled(tool.name)))
    return ShownTools(
        profile,
        {
            name: ServedTool(name, tool.name, profile.written(tool, name, _definition(tool)))
            for name, tool in names.items.items()
        },
        names.collisions,
    )


def _definition(tool: Tool) -> Mapping[str, Any]:
    if isinstance(tool.origin, RemoteTool):
        # As the server wrote it.
        return tool.origin.definition.raw
    return _MCP.write(definition_of(tool), name=tool.name, rewrite=False).document
