"""The tools that OpenAI is sent: ours as functions, beside those that it runs itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.errors import DuplicateToolError, ToolConfigurationError
from tools.wire.names import wire_name

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.registry import Unregister
    from tools.tool import Tool

_FUNCTION: Final = "function"
_SERVER: Final = "mcp"


class _Entry(NamedTuple):
    document: dict[str, JsonValue]
    tool: Tool | None = None


def function_tool(tool: Tool, name: str = "") -> dict[str, JsonValue]:
    """Return a tool as OpenAI's Responses API wants a function; the provider fits its arguments to nothing by force.

    Source: seed 1, "Programmatic registration" (`strict` is false), and OpenAI, "Function calling".

    Args:
        tool: The tool.
        name: What it is called on the wire; empty for its own name as the provider allows it.
    """
    return {
        "type": _FUNCTION,
        "name": name or wire_name(tool.name),
        "description": tool.description,
        "parameters": tool.input_schema,
        "strict": False,
    }


class OpenAITools:
    """Hold everything that a model at OpenAI may call: our tools, the provider's web search, servers that it reaches.

    Source: seed 1, "OpenAI-specific functional tools".

    Args:
        tools: The first of ours.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._entries: dict[tuple[str, str], _Entry] = {}
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def __len__(self) -> int:
        """Count all of them."""
        return len(self._entries)

    @property
    def request(self) -> list[dict[str, JsonValue]]:
        """The value of `tools` in a request, in the order in which they were added."""
        return [dict(entry.document) for entry in self._entries.values()]

    def add(self, tool: Tool) -> Unregister:
        """Add one of our tools.

        Returns:
            The undo.

        Raises:
            DuplicateToolError: One of that name is there.
        """
        former = self._tools.get(tool.name)
        if former is not None:
            raise DuplicateToolError(tool.name, former.owner, tool.owner)
        attempt = 0
        while (key := (_FUNCTION, wire_name(tool.name, attempt))) in self._entries:
            attempt += 1
        self._tools[tool.name] = tool
        return self._put(key, _Entry(function_tool(tool, key[1]), tool))

    def add_own(self, document: Mapping[str, JsonValue]) -> Unregister:
        """Add a tool that the provider runs itself, such as its web search, or a server that it reaches.

        Args:
            document: As the provider wants it: a `type`, and for a server (`mcp`) its `server_label`.

        Returns:
            The undo.

        Raises:
            ToolConfigurationError: It has no type, is a function, or is there already.
        """
        kind, label = document.get("type"), document.get("server_label")
        if not isinstance(kind, str) or not kind or kind == _FUNCTION:
            raise ToolConfigurationError(f"expected the type of a provider's own tool, got {kind!r}")
        if kind == _SERVER and not (isinstance(label, str) and label):
            raise ToolConfigurationError(f"expected the server_label of a server, got {label!r}")
        key = (kind, label if isinstance(label, str) else "")
        if key in self._entries:
            said = f"the server {key[1]!r}" if key[1] else f"the provider's {kind}"
            raise ToolConfigurationError(f"{said} is there already; take one of both out")
        return self._put(key, _Entry(dict(document)))

    def find(self, called: str) -> Tool | None:
        """Return the tool that the model means; None when there is none, or more than one spelled alike.

        Args:
            called: The name of the function that it calls, in any case.
        """
        exact = self._entries.get((_FUNCTION, called))
        if exact is not None:
            return exact.tool
        folded = called.casefold()
        alike = [
            entry.tool
            for (kind, name), entry in self._entries.items()
            if kind == _FUNCTION and name.casefold() == folded
        ]
        return alike[0] if len(alike) == 1 else None

    def _put(self, key: tuple[str, str], entry: _Entry) -> Unregister:
        self._entries[key] = entry

        def take_back() -> None:
            if self._entries.get(key) is entry:
                del self._entries[key]
                if entry.tool is not None:
                    del self._tools[entry.tool.name]

        return take_back
