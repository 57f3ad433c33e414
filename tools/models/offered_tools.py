"""The tools that a model is sent: all of them, or a search and what it found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tools.search import SearchAnswer
from tools.wire import WireTools

if TYPE_CHECKING:
    from tools.calls import ToolCall
    from tools.registry import ToolRegistry, Unregister
    from tools.tool import Tool
    from tools.wire import Provider

MOST_TOOLS: Final = 30
"""How many tools a model is sent at once; of more it gets a search."""

SEARCH: Final = "tool_search"
_MOST_FOUND: Final = 40


class ToolOffer:
    """Say which tools of a registry a model may call, and which of them it is sent.

    Of more tools than `most` it is sent `tool_search`, and then what its searches found, the newest of it.

    Args:
        registry: Has the tools; those that are disabled are not sent.
        names: The tools that it may call; None lets it call all.
        most: How many tools are sent without a search.
        own: What the provider runs itself, as it wants it.
        beside: Tools of the conversation itself, which stand in no registry; they are always sent.

    Attributes:
        without: The tools that a person left out.
        on_demand: Whether many tools are searched for; else all are sent.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        provider: Provider,
        *,
        names: Collection[str] | None = None,
        most: int = MOST_TOOLS,
        own: Iterable[Mapping[str, Any]] = (),
        beside: Iterable[Tool] = (),
    ) -> None:
        self._registry = registry
        self._names = None if names is None else frozenset(names)
        self._most = most
        self.beside = tuple(beside)
        self.without: frozenset[str] = frozenset()
        self.on_demand = True
        self._found: dict[str, None] = {}
        self._written: dict[str, tuple[Tool, Unregister]] = {}
        self.wire_tools = WireTools((), provider)
        for document in own:
            self.wire_tools.add_own(document)

    @property
    def searches(self) -> bool:
        many = self.on_demand and len(self._allowed()) > self._most
        return many and self._registry.find(SEARCH) is not None

    def allows(self, name: str) -> bool:
        """Return whether the model may call a tool."""
        if name == SEARCH or any(name == tool.name for tool in self.beside):
            return True
        return name not in self.without and (self._names is None or name in self._names)

    def request(self) -> list[dict[str, Any]]:
        """Return the value of `tools` in the next request."""
        wanted = {tool.name: tool for tool in self._wanted()}
        for name, (tool, take_back) in list(self._written.items()):
            if wanted.get(name) is not tool:
                take_back()
                del self._written[name]
        for name, tool in wanted.items():
            if name not in self._written:
                self._written[name] = tool, self.wire_tools.add(tool)
        return self.wire_tools.request

    def note(self, calls: Iterable[ToolCall]) -> None:
        """Send what searches found from now on."""
        for call in calls:
            answer = call.response.result
            if call.name == SEARCH and isinstance(answer, SearchAnswer):
                details = () if answer.details is None else (answer.details.name,)
                self.find((*(found.name for found in answer.tools), *details))

    def find(self, names: Iterable[str]) -> None:
        """Send some tools from now on, as if a search had found them."""
        for name in names:
            if self.allows(name) and self._registry.find(name) is not None:
                self._found.pop(name, None)
                self._found[name] = None
        for name in list(self._found)[:-_MOST_FOUND]:
            del self._found[name]

    @property
    def advice(self) -> str:
        """What a model has to be told of its tools; empty for nothing."""
        if not self.searches:
            return ""
        count = len(self._allowed())
        return (
            f"There are {count:,} tools; you see few of them. Find the others with {SEARCH} before you say that"
            " something cannot be done: you can call what it names."
        )

    def _allowed(self) -> list[Tool]:
        return [tool for tool in self._registry if self._registry.is_enabled(tool.name) and self.allows(tool.name)]

    def _wanted(self) -> list[Tool]:
        allowed = self._allowed()
        if not self.searches:
            own = [tool for tool in allowed if self._names is None or tool.name in self._names]
            return [*own, *self.beside]
        sent = {SEARCH, *self._found}
        return [*(tool for tool in allowed if tool.name in sent), *self.beside]
