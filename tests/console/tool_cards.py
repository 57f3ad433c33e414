"""Cards of tools for tests: of a bare declaration, and of all that a registry has."""

from __future__ import annotations

from console.tool_list import ToolList
from tools import ToolRegistry
from tools.card import PROGRAM, ToolCard, ToolSource, policy_card
from tools.spec import Isolation, Policies, ToolSpec

__all__ = ["card_for", "tools_of"]


def card_for(spec: ToolSpec, policies: Policies | None = None, source: ToolSource = PROGRAM) -> ToolCard:
    """Return the card of a tool without arguments."""
    said = policies or Policies()
    isolation = said.isolation or spec.isolation or Isolation.THREAD
    return ToolCard(spec, {}, None, policy_card(said), isolation, source=source)


def tools_of(registry: ToolRegistry) -> ToolList:
    """Return the window's list of a registry's tools."""
    tools = ToolList()
    registry.watch_cards(tools.take)
    return tools
