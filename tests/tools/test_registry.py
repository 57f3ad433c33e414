from __future__ import annotations

from dataclasses import replace

import pytest

from tools import DuplicateToolError, Executor, Tool, ToolNotFoundError, ToolRegistry, ToolSource, make_tool
from tools.card import BUILT_IN, PROGRAM, SourceKind
from tools.registry import Disabled, RegistryChange


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


MINE = ToolSource(SourceKind.PLUGIN, "mine.py")


def built_in(name: str, toolkit: str = "Files", answer: str = "ours") -> Tool:
    return replace(make_tool(name, f"Do {name}.", lambda: answer), source=BUILT_IN, toolkit=toolkit)


def of_plugin(name: str, source: ToolSource = MINE) -> Tool:
    return make_tool(name, f"Do {name}.", lambda: source.name).with_source(source)


@pytest.mark.parametrize("source", [MINE, PROGRAM])
@pytest.mark.parametrize("comes_first", [True, False])
def test_a_built_in_tool_gives_way_to_one_of_the_persons(source: ToolSource, comes_first: bool) -> None:
    both = [of_plugin("read_file", source), built_in("read_file")]
    registry = ToolRegistry()
    for tool in both if comes_first else reversed(both):
        registry.register(tool)
    taken, aside = registry.get("read_file"), registry.get("Files.read_file")
    assert (taken.source, taken.replaces, taken.replaced_by) == (source, "Files.read_file", "")
    assert (aside.source, aside.replaces, aside.replaced_by) == (BUILT_IN, "", source.name)
    assert (aside.own_name, aside.qualified_name) == ("read_file", "Files.read_file")
    assert registry.find("files.READ_FILE") is aside
    executor = Executor(registry)
    try:
        assert executor.run("read_file").result == source.name
        assert executor.run("Files.read_file").result == "ours"
    finally:
        executor.close()


def test_a_built_in_tool_has_its_name_back_when_the_other_goes() -> None:
    ours, mine = built_in("read_file"), of_plugin("read_file")
    registry = ToolRegistry([ours])
    undo = registry.register(mine)
    changes: list[RegistryChange] = []
    registry.watch(changes.append)
    undo()
    undo()
    assert list(registry) == [ours]
    (change,) = changes
    assert change.added == (ours,)
    assert {tool.name for tool in change.removed} == {"read_file", "Files.read_file"}


def test_a_watcher_hears_of_all_three_tools_of_a_replacement() -> None:
    ours = built_in("read_file")
    registry = ToolRegistry([ours])
    changes: list[RegistryChange] = []
    registry.watch(changes.append)
    registry.register(of_plugin("read_file"))
    assert [change.removed for change in changes] == [(ours,)]
    assert [tool.name for tool in changes[0].added] == ["read_file", "Files.read_file"]


def test_a_built_in_tool_without_a_toolkit_is_kept_under_its_source() -> None:
    registry = ToolRegistry([built_in("human_input", toolkit=""), of_plugin("human_input")])
    assert registry.get("human_input").source is MINE
    assert registry.get("Built-in.human_input").own_name == "human_input"


def test_two_plugins_of_one_name_are_refused_though_a_built_in_tool_gave_way() -> None:
    registry = ToolRegistry([built_in("read_file"), of_plugin("read_file")])
    with pytest.raises(DuplicateToolError, match="rename one of them"):
        registry.register(of_plugin("read_file", ToolSource(SourceKind.PLUGIN, "other.py")))
    assert registry.get("read_file").source is MINE


@pytest.mark.parametrize("kind", [SourceKind.SERVER, SourceKind.API])
def test_a_tool_of_a_server_never_takes_a_built_in_tools_name(kind: SourceKind) -> None:
    ours, remote = built_in("read_file"), of_plugin("read_file", ToolSource(kind, "far"))
    registry = ToolRegistry([ours])
    with pytest.raises(DuplicateToolError):
        registry.register(remote)
    assert registry.get("read_file") is ours
    with pytest.raises(DuplicateToolError):
        ToolRegistry([remote]).register(ours)


def test_a_server_that_is_called_like_a_toolkit_keeps_its_tools() -> None:
    registry = ToolRegistry([built_in("read_file"), of_plugin("read_file")])
    remote = of_plugin("far", ToolSource(SourceKind.SERVER, "Files"))
    remote = replace(remote, spec=remote.spec.model_copy(update={"name": "Files.read_file"}))
    undo = registry.register(remote)
    assert registry.get("Files.read_file") is remote
    undo()
    assert registry.get("Files.read_file").source is BUILT_IN


def test_a_disabled_built_in_tool_stays_so_under_its_other_name() -> None:
    registry = ToolRegistry([built_in("read_file")])
    registry.disable("read_file", Disabled("is not wanted"))
    registry.register(of_plugin("read_file"))
    assert registry.refusal("Files.read_file") == registry.refusal("read_file") == Disabled("is not wanted")


def test_an_agreement_to_a_built_in_tool_is_none_to_the_one_in_its_place() -> None:
    ours = built_in("read_file")
    registry = ToolRegistry([ours, of_plugin("read_file")])
    assert of_plugin("read_file").digest == ours.digest == registry.get("Files.read_file").digest
    assert registry.get("read_file").digest != ours.digest
