"""The cards of the built-in tools as they are written down, and what a start imports."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from functools import partial
from importlib.resources import files
from threading import Barrier, Event

import pytest

from tools import Tool, ToolRegistry, catalog
from tools.catalog import HELP_PAGE, TOOLKITS, builtin_tools, declared_tools, help_text, search_of, snapshot
from tools.catalog._lazy_tool import LazyTool
from tools.catalog._snapshot import FILE_NAME, Snapshot, digest, read, written
from tools.execution.executor import Executor


def lazy(tool: Tool, loaded: list[str]) -> LazyTool:
    """Return a tool that is known by its card, and notes when it is loaded."""

    def load() -> Tool:
        loaded.append(tool.name)
        return tool

    return LazyTool(tool.card, tool.toolkit_description, load)


def named(name: str) -> Tool:
    return next(tool for tool in declared_tools() if tool.name == name)


def test_the_written_cards_are_those_of_the_tools() -> None:
    text = files("resources").joinpath(FILE_NAME).read_text(encoding="utf-8")

    assert text == written(snapshot()), "run `make catalogue` after a change of a built-in tool"


def test_the_help_page_of_the_built_in_tools_is_current() -> None:
    text = files("resources").joinpath("help", HELP_PAGE).read_text(encoding="utf-8")

    assert text == help_text(), "run `make catalogue` after a change of a built-in tool"
    for tool in declared_tools():
        line = next(line for line in text.splitlines() if line.startswith(f"- **{tool.name}**: "))
        assert ("asks first" in line.lower()) is tool.asks_first
        assert ("not yet run against the real one" in line) is tool.spec.untried
        assert all(name in line for name in tool.spec.needs)


def test_what_is_written_is_read_back_equal() -> None:
    assert read() == snapshot()
    assert list(TOOLKITS) == [toolkit.class_path for toolkit in read().toolkits][:-2]


def test_a_list_of_all_tools_imports_no_toolkit() -> None:
    program = """
import sys
from tools import ToolRegistry
from tools.catalog import TOOLKITS, builtin_tools, search_of
from tools.execution.executor import Executor

registry = ToolRegistry()
executor = Executor(registry)
registry.register_all([*builtin_tools(), *search_of(registry)])
said = [
    (tool.name, tool.hints, tool.asks_first, tool.sensitive, tool.masking, tool.digest, tool.card)
    for tool in registry
]
print(len(said), [path for path in TOOLKITS if f"tools.catalog.{path.partition('.')[0]}" in sys.modules])
print("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == [str(len(declared_tools()) + 1), "[]", "False"]


async def test_a_search_finds_the_tools_of_its_registry() -> None:
    registry = ToolRegistry([named("fetch_page")])
    (search,) = search_of(registry)
    registry.register(search)

    answer = await search.function(query="read a web page")

    assert [found.name for found in answer.tools][:1] == ["fetch_page"]


def test_a_changed_source_has_the_tools_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "read", lambda: Snapshot("of other sources", ()))
    caches = catalog._known, catalog._written
    for cache in caches:
        cache.cache_clear()
    try:
        assert builtin_tools() == declared_tools()
        assert [type(tool) for tool in search_of(ToolRegistry())] == [Tool]
    finally:
        for cache in caches:
            cache.cache_clear()
    assert digest() == read().sources


def test_what_a_card_says_does_not_load_a_tool() -> None:
    loaded: list[str] = []
    real = named("fetch_page")
    tool = lazy(real, loaded)

    assert (tool.input_schema, tool.output_schema) == (real.input_schema, real.output_schema)
    assert (tool.card, tool.isolation, tool.takes_folder) == (real.card, real.isolation, real.takes_folder)
    assert (tool.asks_first, tool.sensitive, tool.qualified_name) == (
        real.asks_first,
        real.sensitive,
        real.qualified_name,
    )
    assert loaded == []


@pytest.mark.parametrize("field", [field.name for field in fields(Tool)])
def test_each_field_is_that_of_the_tool(field: str) -> None:
    real = named("fetch_page")
    tool = lazy(real, [])

    assert getattr(tool, field) == getattr(real, field)


def test_a_tool_is_loaded_once_and_is_an_ordinary_one_then() -> None:
    loaded: list[str] = []
    real = named("fetch_page")
    tool = lazy(real, loaded)

    assert tool.function is real.function
    assert tool.policies is real.policies
    assert (type(tool), loaded) == (Tool, ["fetch_page"])
    assert replace(tool, owner="another").arguments is real.arguments


def test_threads_that_need_a_toolkit_at_once_share_its_object() -> None:
    path, _, _ = "agent.AgentMemory".partition(":")
    together = Barrier(4, timeout=10)
    catalog._made.cache_clear()

    def first_use(name: str) -> Tool:
        together.wait()
        return catalog._tool(path, name)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(first_use, ["save_memory", "recall_memory", "save_memory", "recall_memory"]))

    objects = {id(tool.function.__self__) for tool in found}  # type: ignore[attr-defined]
    assert len(objects) == 1


async def test_other_calls_go_on_while_the_first_call_of_a_toolkit_imports_it() -> None:
    real, begun, ready = named("make_uuid"), Event(), Event()

    def load() -> Tool:
        begun.set()
        assert ready.wait(10)
        return real

    executor = Executor(ToolRegistry([LazyTool(real.card, "", load), named("calculate")]))
    try:
        slow = [asyncio.create_task(executor.propose("make_uuid", {})) for _ in range(2)]
        assert await asyncio.to_thread(begun.wait, 10)
        call = await executor.propose("calculate", {"expression": "1 + 1"})
        assert (await executor.execute(call)).succeeded
        assert not any(task.done() for task in slow)
        ready.set()
        answers = [await executor.execute(call) for call in await asyncio.gather(*slow)]
    finally:
        ready.set()
        await executor.aclose()

    assert [answer.succeeded for answer in answers] == [True, True]


def test_a_tool_that_cannot_be_loaded_says_why_and_is_tried_again() -> None:
    real = named("fetch_page")
    answers = [ImportError("no module named lamp"), None]

    def load() -> Tool:
        error = answers.pop(0)
        if error is not None:
            raise error
        return real

    tool = LazyTool(real.card, "", partial(load))
    with pytest.raises(ImportError, match="lamp"):
        _ = tool.arguments
    assert ToolRegistry([tool]).get("fetch_page").arguments is real.arguments
