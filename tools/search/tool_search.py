"""`tool_search`: the tool with which an agent finds the other tools, so that it need not be sent all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from annotated_types import Ge, Le
from pydantic import JsonValue

from tools.declare import tool, toolkit
from tools.registry import RegistryChange, ToolRegistry
from tools.schema import json_beginning
from tools.search.index import SearchIndex
from tools.search.search import find
from tools.search.strategies import CompositeStrategy, SearchStrategy
from tools.search.tool_index import ToolIndex
from tools.spec import Isolation, Param, ToolExample
from tools.tool import Tool

MAX_RESULTS: Final = 5
"""How many tools are named unless more are asked for."""

_MOST_RESULTS: Final = 50
_SHORT_LETTERS: Final = 120
_EXAMPLE_LETTERS: Final = 200
_NEAREST: Final = 3


@dataclass(frozen=True)
class FoundTool:
    """A tool that fits what was asked for.

    Attributes:
        match: How well it fits, in per cent; 100 where nothing was compared.
        example: Arguments of a call, as JSON; None when it has no example.
    """

    name: str
    category: str
    match: int
    description: str
    example: str | None = None


@dataclass(frozen=True)
class ToolDetails:
    """Everything an agent needs to call a tool.

    Attributes:
        keywords: Further words for it.
        arguments: The JSON Schema of what it takes.
        examples: Calls, with what they show; those that should not be made say why.
        prompts: What its toolkit has to say to a model: names of prompts with their descriptions.
    """

    name: str
    category: str
    description: str
    keywords: tuple[str, ...]
    arguments: Mapping[str, JsonValue]
    examples: tuple[Mapping[str, JsonValue], ...]
    prompts: Mapping[str, str]


@dataclass(frozen=True)
class SearchAnswer:
    """What a search found; only one of the three parts is there.

    Attributes:
        message: How many there are, or what to ask instead.
        tools: The tools that fit, best first.
        categories: The names of all tools by category.
    """

    message: str
    tools: tuple[FoundTool, ...] = ()
    categories: Mapping[str, tuple[str, ...]] | None = None
    details: ToolDetails | None = None


@toolkit("Discovery")
class ToolSearch:
    """Find tools by words, by category or by name.

    It knows the tools of a registry from the first search on, and those that are registered here by hand.

    Args:
        registry: Has the tools; None knows only those that are registered here.
        strategy: How tools are compared with words; None is the standard.
        max_results: How many tools are named unless the caller asks for another number.
    """

    def __init__(
        self,
        registry: ToolRegistry | None = None,
        *,
        strategy: SearchStrategy | None = None,
        max_results: int = MAX_RESULTS,
    ) -> None:
        self._registry = registry
        self._strategy = strategy or CompositeStrategy.standard()
        self._max_results = max_results
        self._own: dict[str, Tool] = {}
        self._tool_index = ToolIndex[Tool]()
        self._known: tuple[tuple[Tool, ...], SearchIndex] | None = None
        if registry is not None:
            registry.watch(self._on_registry_changed)

    def register(self, found: Tool) -> None:
        """Let a tool be found that no registry has; one of the same name is replaced."""
        self.register_all((found,))

    def register_all(self, tools: Iterable[Tool]) -> None:
        """Let several tools be found that no registry has."""
        self._own.update((one.name, one) for one in tools)
        self._known = None

    def _on_registry_changed(self, _: RegistryChange) -> None:
        self._known = None

    def _tools(self) -> Iterator[Tool]:
        registered = () if self._registry is None else tuple(self._registry)
        for one in (*registered, *self._own.values()):
            if self._registry is None or self._registry.is_enabled(one.name):
                yield one

    def _index(self) -> tuple[tuple[Tool, ...], SearchIndex]:
        known = self._known
        if known is None:
            known = self._known = self._tool_index.update(tuple(self._tools()))
        return known

    @tool(
        name="tool_search",
        category="discovery",
        keywords=("find", "tools", "which tool", "capabilities", "help"),
        read_only=True,
        idempotent=True,
        isolation=Isolation.INLINE,
        latency="fast",
        examples=(
            ToolExample(input={"query": "convert a table to JSON"}, description="By what is to be done"),
            ToolExample(input={"query": "category: web"}, description="Everything of a category"),
            ToolExample(input={"query": "info: read_file"}, description="How one tool is called"),
            ToolExample(input={"query": "list"}, description="Everything there is, by category"),
        ),
    )
    async def search(
        self,
        query: Annotated[
            str,
            Param(
                "What is to be done, in a few words; or `category: NAME`, `info: TOOL`, or `list` for all categories"
            ),
        ],
        max_results: Annotated[int | None, Ge(1), Le(_MOST_RESULTS), Param("The most tools to name")] = None,
    ) -> SearchAnswer:
        """Find the tools that can do something, before calling one of them.

        Words may be misspelt and need not be those of the tools.
        """
        kind, _, rest = query.partition(":")
        asked, rest = kind.strip().casefold(), rest.strip()
        if asked == "category":
            return self._category(rest)
        if asked == "info":
            return self._info(rest)
        if asked in {"list", "all"} and not rest:
            return self._all()
        # The first search reads every tool.
        tools, index = await asyncio.to_thread(self._index)
        hits = find(index, query, limit=max_results or self._max_results, strategy=self._strategy)
        found = tuple(_found(tools[hit.position], round(100 * hit.score)) for hit in hits)
        if not found:
            return SearchAnswer(f"No tool fits {query!r}. Try other words, or `list` for all of them.")
        return SearchAnswer(
            f"The best {len(found)} of {_counted(len(tools))}; `info: {found[0].name}` says how to call it.", found
        )

    def _by_category(self) -> dict[str, list[Tool]]:
        found: dict[str, list[Tool]] = {}
        for one in self._tools():
            found.setdefault(one.spec.category, []).append(one)
        return found

    def _category(self, name: str) -> SearchAnswer:
        by_category = self._by_category()
        held = [one for known, tools in by_category.items() if known.casefold() == name.casefold() for one in tools]
        if not held:
            return SearchAnswer(f"No category is called {name!r}. There are: {', '.join(sorted(by_category))}.")
        return SearchAnswer(f"{_counted(len(held))} in {name!r}.", tuple(_found(one, 100) for one in held))

    def _all(self) -> SearchAnswer:
        by_category = self._by_category()
        names = {category: tuple(sorted(one.name for one in by_category[category])) for category in sorted(by_category)}
        return SearchAnswer(f"{_counted(sum(map(len, names.values())))} by category.", categories=names)

    def _info(self, name: str) -> SearchAnswer:
        tools, index = self._index()
        by_name = {one.name.casefold(): one for one in tools}
        by_name |= {one.qualified_name.casefold(): one for one in tools}
        one = by_name.get(name.casefold())
        if one is None:
            near = [tools[hit.position].name for hit in find(index, name, limit=_NEAREST, strategy=self._strategy)]
            meant = f" Did you mean {' or '.join(near)}?" if near else " `list` names all there are."
            return SearchAnswer(f"No tool is called {name!r}.{meant}")
        return SearchAnswer(f"How to call {one.name}.", details=self._details(one))

    def _details(self, one: Tool) -> ToolDetails:
        prompts = () if self._registry is None else self._registry.prompts
        return ToolDetails(
            one.name,
            one.spec.category,
            one.description,
            tuple(one.spec.keywords),
            one.input_schema,
            tuple(example.model_dump(mode="json", exclude_defaults=True) for example in one.spec.examples),
            {prompt.name: prompt.description for prompt in prompts if prompt.toolkit and prompt.toolkit == one.toolkit},
        )


def _found(one: Tool, match: int) -> FoundTool:
    example: Any = next((example.input for example in one.spec.examples if not example.negative), None)
    return FoundTool(
        one.name,
        one.spec.category,
        match,
        _cut(" ".join(one.description.split()), _SHORT_LETTERS),
        None if example is None else _cut(json_beginning(example, _EXAMPLE_LETTERS + 1), _EXAMPLE_LETTERS),
    )


def _counted(number: int) -> str:
    return "1 tool" if number == 1 else f"{number:,} tools"


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[:letters]}…"
