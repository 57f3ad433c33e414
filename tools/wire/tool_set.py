"""The tools that a provider is sent: ours, beside those that it runs itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.errors import DuplicateToolError, ToolConfigurationError
from tools.wire.definition import definition_of
from tools.wire.messages import MalformedArguments, ReceivedCall, Result, restored, result_of, unread_result
from tools.wire.providers import OPENAI, Provider, WrittenTool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ToolResponse
    from tools.registry import Unregister
    from tools.tool import Tool

_FUNCTION: Final = "function"
_SERVER: Final = "mcp"


class _Entry(NamedTuple):
    written: WrittenTool
    tool: Tool | None = None


class WireTools:
    """Hold everything that a provider's model may call: our tools, the provider's web search, servers that it reaches.

    Source: seed 1, "OpenAI-specific functional tools".

    Args:
        tools: The first of ours.
        strict: Whether the provider shall hold its model to the schemas; nothing where it cannot.
        rewrite: Whether schemas are changed into ones that the provider takes, rather than sent as they are.
    """

    def __init__(
        self, tools: Iterable[Tool] = (), provider: Provider = OPENAI, *, strict: bool = False, rewrite: bool = True
    ) -> None:
        self._provider = provider
        self._strict = strict
        self._rewrite = rewrite
        self._entries: dict[tuple[str, str], _Entry] = {}
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def request(self) -> list[dict[str, JsonValue]]:
        """The value of `tools` in a request, in the order in which they were added."""
        return self._provider.request([dict(entry.written.document) for entry in self._entries.values()])

    @property
    def written(self) -> list[tuple[Tool, WrittenTool]]:
        """Our tools, each with what the provider is sent and what was changed for that."""
        return [(entry.tool, entry.written) for entry in self._entries.values() if entry.tool is not None]

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
        while (key := (_FUNCTION, self._provider.wire_name(tool.name, attempt))) in self._entries:
            attempt += 1
        self._tools[tool.name] = tool
        definition = definition_of(tool)
        written = self._provider.write(definition, name=key[1], strict=self._strict, rewrite=self._rewrite)
        return self._put(key, _Entry(written, tool))

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
        return self._put(key, _Entry(WrittenTool(dict(document), ())))

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

    def calls(self, answer: Mapping[str, Any]) -> list[ReceivedCall]:
        """Return what a provider's answer calls, with the arguments as our tools have them.

        Args:
            answer: The whole answer, or its message.
        """
        return [self._restored(call) for call in self._provider.calls(answer)]

    def results(self, ended: Sequence[tuple[ReceivedCall, ToolResponse | None]]) -> list[dict[str, JsonValue]]:
        """Return the messages that tell a provider how some calls ended.

        Args:
            ended: The calls of one answer with their responses; None for a call that was not made, such as one whose
                arguments could not be read.
        """
        return self._provider.results([_result(call, response) for call, response in ended])

    def _restored(self, call: ReceivedCall) -> ReceivedCall:
        tool = self.find(call.name)
        if tool is None or isinstance(call.arguments, MalformedArguments):
            return call
        return call._replace(arguments=restored(call.arguments, tool.input_schema))

    def _put(self, key: tuple[str, str], entry: _Entry) -> Unregister:
        self._entries[key] = entry

        def take_back() -> None:
            if self._entries.get(key) is entry:
                del self._entries[key]
                if entry.tool is not None:
                    del self._tools[entry.tool.name]

        return take_back


def _result(call: ReceivedCall, response: ToolResponse | None) -> Result:
    return unread_result(call) if response is None else result_of(call, response)
