"""`tool_search`, as an agent calls it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tools import Executor, Tool, ToolExample, ToolRegistry, make_tool, prompt, resolve_tools, tool, toolkit
from tools.catalog import builtin_tools
from tools.declare.build import bundle_of
from tools.discovery import PluginList
from tools.search import SearchIndex, SearchQuery, ToolSearch
from tools.search.index import Scores
from tools.workbench import Workbench


@toolkit("Bakery")
class Bakery:
    """Bread."""

    @tool(
        category="food",
        keywords=("loaf", "dough"),
        read_only=True,
        examples=(
            ToolExample(input={"flour_g": -1}, negative=True, why_bad="There is no less than nothing."),
            ToolExample(input={"flour_g": 500}, description="One loaf"),
        ),
    )
    def bake_bread(self, flour_g: int) -> int:
        """Bake bread from flour, water and salt."""
        return flour_g

    @prompt
    def baking(self) -> str:
        """Say how a baker talks."""
        return "You are a baker."


def asked(query: str, *tools: Any, **options: Any) -> dict[str, Any]:
    """Return what an agent gets that calls `tool_search`."""
    registry = ToolRegistry()
    registry.register_all(resolve_tools(tools or [Bakery]), bundle_of(Bakery).prompts)
    return answer(ToolSearch(registry), query, **options)


def answer(search: ToolSearch, query: str, **options: Any) -> dict[str, Any]:
    executor = Executor(ToolRegistry(resolve_tools([search])))
    try:
        response = executor.run("tool_search", {"query": query, **options})
    finally:
        executor.close()
    assert response.error is None
    found: dict[str, Any] = json.loads(response.text)
    return found


def names(found: dict[str, Any]) -> list[str]:
    return [one["name"] for one in found["tools"]]


def plain(name: str, description: str = "Do it.", **card: Any) -> Tool:
    return make_tool(name, description, lambda: 0, **card)


@pytest.mark.reference("A53", "A62")
def test_an_agent_finds_a_tool_by_words_with_category_match_beginning_and_example() -> None:
    (found,) = asked("how do I make a loaf of bread")["tools"]
    assert (found["name"], found["category"]) == ("bake_bread", "food")
    assert 0 < found["match"] <= 100
    assert found["description"] == "Bake bread from flour, water and salt."
    assert found["example"] == '{"flour_g":500}'


@pytest.mark.reference("A54")
def test_words_may_be_misspelt() -> None:
    assert names(asked("bkae braed")) == ["bake_bread"]


@pytest.mark.reference("A55")
def test_a_category_is_listed_whatever_its_case_and_an_unknown_one_names_those_there_are() -> None:
    assert names(asked("category: FOOD")) == ["bake_bread"]
    unknown = asked("category:drinks")
    assert unknown["tools"] == []
    assert unknown["message"] == "No category is called 'drinks'. There are: food."


@pytest.mark.reference("A56")
def test_info_tells_all_of_a_tool_and_an_unknown_name_gets_the_nearest() -> None:
    details = asked("info: Bakery.bake_bread")["details"]
    assert details["description"] == "Bake bread from flour, water and salt."
    assert details["keywords"] == ["loaf", "dough"]
    assert details["arguments"]["required"] == ["flour_g"]
    assert [example["input"] for example in details["examples"]] == [{"flour_g": -1}, {"flour_g": 500}]
    assert details["prompts"] == {"baking": "Say how a baker talks."}
    assert asked("info: bake_bred")["message"] == "No tool is called 'bake_bred'. Did you mean bake_bread?"


@pytest.mark.reference("A57")
@pytest.mark.parametrize("query", ["list", "all", " LIST "])
def test_list_and_all_name_every_tool_by_category(query: str) -> None:
    found = asked(query, plain("b", category="y"), plain("a", category="y"), plain("c", category="x"))
    assert found["categories"] == {"x": ["c"], "y": ["a", "b"]}


@pytest.mark.reference("A58")
def test_the_registry_is_read_at_the_first_search_and_again_when_it_changed() -> None:
    registry = ToolRegistry()
    search = ToolSearch(registry)
    registry.register(plain("paint_wall"))
    assert names(answer(search, "paint")) == ["paint_wall"]
    remove = registry.register(plain("paint_door"))
    assert names(answer(search, "paint")) == ["paint_door", "paint_wall"]
    registry.disable("paint_wall")
    assert names(answer(search, "paint")) == ["paint_door"]
    remove()
    assert answer(search, "paint")["message"] == "No tool fits 'paint'. Try other words, or `list` for all of them."


@pytest.mark.reference("A59")
def test_tools_are_registered_by_hand_as_well() -> None:
    search = ToolSearch()
    search.register(plain("paint_wall"))
    search.register_all([plain("paint_door"), plain("sing")])
    assert names(answer(search, "paint")) == ["paint_door", "paint_wall"]


class Longest:
    """Prefer long names."""

    def scores(self, index: SearchIndex, _: SearchQuery, /) -> Scores:
        scores = index.nothing()
        scores[:] = [len(document.name) / 100 + 0.2 for document in index.documents]
        return scores


@pytest.mark.reference("A60")
def test_how_tools_are_compared_can_be_replaced() -> None:
    search = ToolSearch(ToolRegistry([plain("a"), plain("ccc"), plain("bb")]), strategy=Longest())
    assert names(answer(search, "whatever")) == ["ccc", "bb", "a"]


@pytest.mark.reference("A61")
def test_five_are_named_unless_more_are_asked_for_or_the_program_says_so() -> None:
    registry = ToolRegistry([plain(f"paint_{number}", priority=number) for number in range(12)])
    assert names(answer(ToolSearch(registry), "paint")) == [f"paint_{number}" for number in (11, 10, 9, 8, 7)]
    assert len(names(answer(ToolSearch(registry), "paint", max_results=7))) == 7
    assert len(names(answer(ToolSearch(registry, max_results=10), "paint"))) == 10


def test_every_program_has_it(tmp_path: Any) -> None:
    bench = Workbench(PluginList(tmp_path / "plugins.toml"), installed=())
    try:
        asyncio.run(bench.load())
        assert "tool_search" in bench.registry
        assert len(bench.registry) == len(builtin_tools()) + 1
    finally:
        asyncio.run(bench.aclose())
