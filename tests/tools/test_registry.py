from __future__ import annotations

import pytest

from tools import DuplicateToolError, Tool, ToolNotFoundError, ToolRegistry, ToolSource, make_tool
from tools.card import SourceKind
from tools.registry import RegistryChange


def named(name: str, toolkit: str = "") -> Tool:
    return make_tool(name, f"Do {name}.", lambda: name)


def test_tools_are_held_in_order_of_registration() -> None:
    registry = ToolRegistry([named("b"), named("a")])
    registry.register(named("c"))
    assert [tool.name for tool in registry] == ["b", "a", "c"]
    assert len(registry) == 3
    assert "a" in registry
    assert "z" not in registry


def test_a_registration_returns_its_undo_which_works_once() -> None:
    registry = ToolRegistry([named("a")])
    undo = registry.register_all([named("b"), named("c")])
    undo()
    assert [tool.name for tool in registry] == ["a"]
    again = named("b")
    registry.register(again)
    undo()
    assert registry.get("b") is again


@pytest.mark.reference("D17", "B24")
def test_a_duplicate_is_refused_with_both_owners_and_nothing_is_added() -> None:
    registry = ToolRegistry([named("a")])
    with pytest.raises(DuplicateToolError, match=r"make_tool\('a'\) has it, make_tool\('a'\) wants it too"):
        registry.register_all([named("b"), named("a")])
    assert [tool.name for tool in registry] == ["a"]
    with pytest.raises(DuplicateToolError):
        registry.register_all([named("x"), named("x")])


@pytest.mark.reference("C43")
def test_a_name_is_found_in_any_case_if_only_one_is_meant() -> None:
    registry = ToolRegistry([named("Read"), named("write"), named("WRITE")])
    found = registry.find("READ")
    assert found is not None
    assert found.name == "Read"
    exact = registry.find("write")
    assert exact is not None
    assert exact.name == "write"
    assert registry.find("Write") is None
    assert registry.find("nothing") is None


def test_an_unknown_name_says_so_and_the_nearest_is_suggested() -> None:
    registry = ToolRegistry([named("read_file"), named("write_file")])
    with pytest.raises(ToolNotFoundError, match="no tool is called 'raed_file'"):
        registry.get("raed_file")
    assert registry.closest("raed_file") == "read_file"
    assert registry.closest("zzz") is None
    assert ToolRegistry().closest("a") is None


@pytest.mark.reference("E18")
def test_a_disabled_tool_stays_listed_until_it_is_enabled_again() -> None:
    registry = ToolRegistry([named("a")])
    registry.disable("a")
    assert not registry.is_enabled("a")
    assert "a" in registry
    registry.enable("a")
    assert registry.is_enabled("a")
    with pytest.raises(ToolNotFoundError):
        registry.disable("b")


def test_watchers_hear_of_each_change_until_they_stop() -> None:
    registry = ToolRegistry()
    changes: list[RegistryChange] = []
    unwatch = registry.watch(changes.append)
    tool = named("a")
    undo = registry.register(tool)
    undo()
    undo()
    registry.register_all([])
    unwatch()
    unwatch()
    registry.register(named("b"))
    assert changes == [RegistryChange(added=(tool,)), RegistryChange(removed=(tool,))]


def test_sources_are_those_that_have_tools() -> None:
    mine = ToolSource(SourceKind.PLUGIN, "mine.py")
    registry = ToolRegistry([named("a"), named("b").with_source(mine), named("c").with_source(mine)])
    assert [source.name for source in registry.sources] == ["Program", "mine.py"]


def test_tools_are_swapped_as_one_change() -> None:
    old, kept, new = (named(name) for name in ("old", "kept", "new"))
    again = named("old")
    registry = ToolRegistry([old, kept])
    changes: list[RegistryChange] = []
    registry.watch(changes.append)
    registry.swap([old, new], [again, new])
    assert [tool.name for tool in registry] == ["old", "kept", "new"]
    assert registry.get("old") is again
    assert changes == [RegistryChange(added=(again, new), removed=(old,))]
    with pytest.raises(DuplicateToolError):
        registry.swap([again], [kept])
    assert registry.get("old") is again
