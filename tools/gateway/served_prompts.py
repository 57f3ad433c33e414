"""The prompts that an agent is told of, as MCP lists them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.gateway.profiles import AgentProfile, served_names
from tools.mcp.prompt_sync import ServerPrompt
from tools.wire import restored

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.card import PromptText
    from tools.gateway.agents import Agent
    from tools.registry import ToolRegistry
    from tools.tool import Prompt

RenderPrompt = Callable[[str, Mapping[str, Any]], Awaitable["PromptText"]]
"""Returns what the prompt of this name says for these arguments."""


class ServedPrompt(NamedTuple):
    """One prompt, as agents know it.

    Attributes:
        name: The name that agents ask for.
        profile: What is said otherwise about it.
    """

    name: str
    prompt: Prompt
    profile: AgentProfile

    @property
    def definition(self) -> dict[str, JsonValue]:
        """The entry of `prompts/list`."""
        return self.profile.written(self.prompt, self.name, self._own_definition())

    def _own_definition(self) -> Mapping[str, JsonValue]:
        """Return the entry as the server wrote it, or as the prompt is declared.

        Source: MCP 2025-11-25, `Prompt` and `PromptArgument`.
        """
        if isinstance(self.prompt.function, ServerPrompt):
            return self.prompt.function.offered.raw
        schema: Mapping[str, Any] = self.prompt.arguments.input_schema
        required = schema.get("required", ())
        arguments: list[JsonValue] = []
        for name, node in schema.get("properties", {}).items():
            said = node.get("description") if isinstance(node, dict) else None
            arguments.append(
                {"name": name, "required": name in required, **({"description": said} if isinstance(said, str) else {})}
            )
        title: dict[str, JsonValue] = {"title": self.prompt.title} if self.prompt.title else {}
        return {"name": self.name, "description": self.prompt.description, "arguments": arguments, **title}

    def read(self, arguments: Mapping[str, str]) -> dict[str, JsonValue]:
        """Return arguments, which are texts over MCP, as the prompt takes them."""
        return restored(arguments, self.prompt.arguments.input_schema)


def prompts_for(agent: Agent, registry: ToolRegistry) -> dict[str, ServedPrompt]:
    """Return what an agent may ask for, by the names that it knows; of two with one name, neither."""
    names = served_names(agent.profile, registry.prompts)
    return {name: ServedPrompt(name, prompt, agent.profile) for name, prompt in names.items.items()}
