from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tools.running import run, until
from tools import (
    AbstractTool,
    DiscoveryError,
    Executor,
    Isolation,
    ToolConfigurationError,
    ToolRegistry,
    make_tool,
    prompt,
    supported_for,
    tool,
    toolkit,
)
from tools.discovery import GROUP, LOADING_S, PluginList, Plugins, SourceReport, load_entry_points, load_plugin


class App: ...


@tool
def one_function() -> str:
    """Be a function."""
    return "function"


@toolkit("Kit")
class OneToolkit:
    @prompt
    def ask(self) -> str:
        """Ask."""
        return "?"

    @tool
    def method(self) -> str:
        """Be a method."""
        return "method"


@supported_for(App)
class ForApps(AbstractTool):
    """Be for some applications."""

    def do_execute(self, query: str) -> str:
        return query


class Provider:
    def __call__(self) -> list[object]:
        return [make_tool("provided", "Be provided.", lambda: "x"), OneToolkit()]


def factory() -> list[object]:
    return Provider()()


def broken() -> None:
    raise RuntimeError("no licence\nfor this machine")


def silent() -> None:
    raise ToolConfigurationError


class FakeEntryPoint:
    """Stands for an `EntryPoint`, whose object it holds instead of importing it."""

    dist: SimpleNamespace | None = None

    def __init__(self, name: str, loaded: object) -> None:
        self.name = name
        self._loaded = loaded

    def load(self) -> object:
        if isinstance(self._loaded, BaseException):
            raise self._loaded
        return self._loaded


def reports(*entries: FakeEntryPoint, application: type | None = None) -> list[Any]:
    return load_entry_points(application, entries)  # type: ignore[arg-type]


class TestEntryPoints:
    @pytest.mark.reference("A42", "A43", "C3", "C6")
    def test_objects_classes_factories_and_modules_are_loaded_in_the_order_found(self) -> None:
        found = reports(
            FakeEntryPoint("a", one_function),
            FakeEntryPoint("b", OneToolkit),
            FakeEntryPoint("c", factory),
            FakeEntryPoint("d", sys.modules[__name__]),
            FakeEntryPoint("e", ForApps()),
            application=App,
        )
        assert [[made.name for made in report.tools] for report in found] == [
            ["one_function"],
            ["method"],
            ["provided", "method"],
            ["one_function", "method", "for_apps"],
            ["for_apps"],
        ]
        assert [report.source.name for report in found] == ["a", "b", "c", "d", "e"]
        assert [len(report.prompts) for report in found] == [0, 1, 1, 1, 0]
        assert {made.source for report in found for made in report.tools} == {report.source for report in found}

    @pytest.mark.reference("A42")
    def test_a_real_entry_point_is_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(tmp_path)
        write(tmp_path / "offered_by_a_package.py", PLUGIN, name="say", said="x")
        entries = [
            EntryPoint("object", "offered_by_a_package:say", GROUP),
            EntryPoint("module", "offered_by_a_package", GROUP),
            EntryPoint("nothing", "offered_by_a_package:nothing", GROUP),
        ]
        found = load_entry_points(None, entries)
        monkeypatch.delitem(sys.modules, "offered_by_a_package")
        assert [[made.name for made in report.tools] for report in found] == [["say"], ["say"], []]
        assert found[2].error.startswith("AttributeError")

    @pytest.mark.reference("C6", "E4")
    def test_several_of_one_distribution_are_told_apart(self) -> None:
        entries = [
            FakeEntryPoint("good", one_function),
            FakeEntryPoint("bad", broken),
            FakeEntryPoint("alone", factory),
        ]
        for entry in entries[:2]:
            entry.dist = SimpleNamespace(name="acme-tools")
        entries[2].dist = SimpleNamespace(name="other-tools")

        found = reports(*entries)

        names = ["acme-tools (good)", "acme-tools (bad)", "other-tools"]
        assert [report.source.name for report in found] == names
        assert [bool(report.error) for report in found] == [False, True, False]
        assert found[0].tools[0].source == found[0].source

    @pytest.mark.reference("E4")
    def test_a_broken_provider_is_reported_with_its_traceback_and_stops_nobody(self) -> None:
        found = reports(
            FakeEntryPoint("a", broken),
            FakeEntryPoint("b", ImportError("no module")),
            FakeEntryPoint("c", SystemExit(3)),
            FakeEntryPoint("d", silent),
            FakeEntryPoint("e", 42),
            FakeEntryPoint("f", one_function),
        )
        assert [report.error for report in found[:4]] == [
            "RuntimeError: no licence",
            "ImportError: no module",
            "SystemExit: 3",
            "ToolConfigurationError",
        ]
        assert "in broken" in found[0].traceback
        assert "tools/discovery/" not in found[0].traceback
        assert "'builtins.int' is no tool" in found[4].error
        assert found[5].tools[0].name == "one_function"

    @pytest.mark.reference("C5")
    def test_a_bundle_for_another_application_brings_nothing(self) -> None:
        (report,) = reports(FakeEntryPoint("a", ForApps), application=Provider)
        assert (report.tools, report.error) == ((), "")


PLUGIN = """
    from typing import Annotated
    from tools import Param, prompt, tool
    from tools import make_tool as not_mine

    @tool
    def {name}(word: Annotated[str, Param("A word")]) -> str:
        '''Say a word.'''
        return "{said} " + word
"""


def write(path: Path, text: str, **fields: str) -> Path:
    path.write_text(textwrap.dedent(text).format(**fields) if fields else textwrap.dedent(text))
    return path


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return write(tmp_path / "mine.py", PLUGIN, name="say", said="first")


class TestPluginFiles:
    @pytest.mark.reference("E4", "C2")
    def test_a_file_is_loaded_by_path_under_a_private_name(self, plugin: Path) -> None:
        report = load_plugin(plugin)
        assert [made.name for made in report.tools] == ["say"]
        assert (report.error, report.source.name, report.source.path) == ("", "mine.py", plugin)
        assert str(plugin.parent) not in sys.path
        assert "mine" not in sys.modules

    @pytest.mark.parametrize(
        ("text", "error", "in_traceback"),
        [
            ("def broken(:\n", "SyntaxError: invalid syntax", "def broken(:"),
            ("import nowhere_to_be_found\n", "ModuleNotFoundError: No module named 'nowhere_to_be_found'", "line 1"),
            ("import sys\nsys.exit(4)\n", "SystemExit: 4", "sys.exit(4)"),
            ("def f():\n    raise ValueError('oops')\nf()\n", "ValueError: oops", "in f"),
            ("x = 1\n", "broken.py declares no tool; put @tool above a function", "DiscoveryError"),
            ("raise KeyboardInterrupt_\n", "NameError", "KeyboardInterrupt_"),
            ("\0", "SyntaxError: source code string cannot contain null bytes", "SyntaxError"),
            (
                "from tools import tool\n@tool(priority=900)\ndef a():\n    ...\n",
                "priority=900 is wrong",
                "Declaration",
            ),
        ],
    )
    def test_a_broken_file_is_a_report_with_its_own_frames(
        self, tmp_path: Path, text: str, error: str, in_traceback: str
    ) -> None:
        report = load_plugin(write(tmp_path / "broken.py", text))
        assert error in report.error
        assert "\n" not in report.error
        assert in_traceback in report.traceback
        assert "tools/discovery/" not in report.traceback
        assert report.tools == ()

    def test_a_file_that_is_not_there_is_a_report(self, tmp_path: Path) -> None:
        report = load_plugin(tmp_path / "gone.py")
        assert report.error.endswith("gone.py cannot be read: No such file or directory")
        assert report.traceback

    def test_interrupting_the_load_is_not_swallowed(self, tmp_path: Path) -> None:
        with pytest.raises(KeyboardInterrupt):
            load_plugin(write(tmp_path / "slow.py", "raise KeyboardInterrupt\n"))

    def test_two_files_of_one_name_do_not_meet(self, tmp_path: Path) -> None:
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
            write(tmp_path / folder / "same.py", PLUGIN, name=f"say_{folder}", said=folder)
        registry = ToolRegistry()
        plugins = Plugins(registry, Here())
        for folder in ("a", "b"):
            assert run(plugins.add(tmp_path / folder / "same.py")).error == ""
        assert [made.name for made in registry] == ["say_a", "say_b"]


class Here:
    """Load files by importing them, each as soon as it may."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._may: dict[str, asyncio.Event] = {}

    def hold(self, *names: str) -> None:
        self._may = {name: asyncio.Event() for name in names}

    def let_go(self, name: str) -> None:
        self._may.pop(name).set()

    async def load(self, path: Path, application: type | None, isolation: Isolation) -> SourceReport:
        self.begun.append(path.name)
        report = load_plugin(path, application, isolation)
        if path.name in self._may:
            await self._may[path.name].wait()
        return report


class TestPlugins:
    def test_an_edited_file_is_loaded_again_even_within_the_same_second(self, plugin: Path) -> None:
        registry = ToolRegistry()
        plugins = Plugins(registry, Here())
        run(plugins.add(plugin))
        executor = Executor(registry)
        try:
            assert executor.run("say", {"word": "a"}).text == "first a"
            assert run(plugins.reload()) == []
            write(plugin, PLUGIN, name="say", said="second")
            os.utime(plugin, ns=(1, 1))
            assert [report.error for report in run(plugins.reload())] == [""]
            assert executor.run("say", {"word": "a"}).text == "second a"
            write(plugin, PLUGIN, name="tell", said="third")
            assert len(run(plugins.reload(everything=True))) == 1
            assert [made.name for made in registry] == ["tell"]
        finally:
            executor.close()

    def test_a_file_that_breaks_keeps_its_former_tools_and_says_what_is_wrong(self, plugin: Path) -> None:
        registry = ToolRegistry()
        plugins = Plugins(registry, Here())
        run(plugins.add(plugin))
        write(plugin, "def broken(:\n")
        os.utime(plugin, ns=(1, 1))
        (report,) = run(plugins.reload())
        assert "SyntaxError" in report.error
        assert [made.name for made in report.tools] == ["say"]
        assert "say" in registry
        write(plugin, PLUGIN, name="say", said="mended")
        assert run(plugins.reload())[0].error == ""
        plugin.unlink()
        assert "cannot be read" in run(plugins.reload())[0].error
        assert "say" in registry

    def test_a_taken_name_is_refused_with_both_owners_and_the_former_tools_come_back(
        self, plugin: Path, tmp_path: Path
    ) -> None:
        registry = ToolRegistry([make_tool("taken", "Be first.", lambda: 0)])
        plugins = Plugins(registry, Here())
        run(plugins.add(plugin))
        write(plugin, PLUGIN, name="taken", said="x")
        report = run(plugins.add(plugin))
        assert "duplicate tool name 'taken': make_tool('taken') has it" in report.error
        assert [made.name for made in registry] == ["taken", "say"]
        other = write(tmp_path / "other.py", PLUGIN, name="say", said="other")
        assert "duplicate tool name 'say'" in run(plugins.add(other)).error
        assert len(plugins.reports) == 2

    def test_a_removed_file_takes_its_tools_along(self, plugin: Path) -> None:
        registry = ToolRegistry()
        plugins = Plugins(registry, Here())
        run(plugins.add(plugin))
        plugins.remove(plugin)
        plugins.remove(plugin)
        assert (len(registry), plugins.reports) == (0, ())

    def test_a_running_call_ends_with_the_tool_it_began_with(self, plugin: Path) -> None:
        registry = ToolRegistry()
        plugins = Plugins(registry, Here())
        run(plugins.add(plugin))
        executor = Executor(registry)
        try:
            call = executor.create_call("say", {"word": "a"})
            plugins.remove(plugin)
            assert run(executor.execute(call)).text == "first a"
        finally:
            executor.close()

    async def test_several_files_are_loaded_at_a_time_and_each_has_its_tools_when_it_is_ready(
        self, tmp_path: Path
    ) -> None:
        files = [write(tmp_path / f"{name}.py", PLUGIN, name=f"say_{name}", said=name) for name in "abc"]

        registry, loader = ToolRegistry(), Here()
        plugins = Plugins(registry, loader)
        loader.hold("a.py", "b.py")
        loading = asyncio.create_task(plugins.add_all(dict.fromkeys(files)))
        await until(lambda: "say_c" in registry)
        assert loader.begun == ["a.py", "b.py", "c.py"]
        assert [report.source.name for report in plugins.reports] == ["c.py"]
        loader.let_go("b.py")
        await until(lambda: "say_b" in registry)
        loader.let_go("a.py")
        assert [report.source.name for report in await loading] == ["a.py", "b.py", "c.py"]
        assert [report.source.name for report in plugins.reports] == ["a.py", "b.py", "c.py"]
        assert len(registry) == 3

    @pytest.mark.parametrize("quickest", ["a.py", "b.py"])
    async def test_of_two_files_with_the_same_tool_the_first_one_has_it_whichever_is_quicker(
        self, tmp_path: Path, quickest: str
    ) -> None:
        files = [write(tmp_path / f"{name}.py", PLUGIN, name="say", said=name) for name in "ab"]
        slower = "b.py" if quickest == "a.py" else "a.py"

        registry, loader = ToolRegistry(), Here()
        plugins = Plugins(registry, loader)
        loader.hold(slower)
        loading = asyncio.create_task(plugins.add_all(dict.fromkeys(files)))
        await until(lambda: "say" in registry)
        loader.let_go(slower)
        first, second = await loading
        assert registry.get("say").source.name == "a.py"
        assert (first, second) == plugins.reports
        assert (first.error, second.tools) == ("", ())
        assert "duplicate tool name 'say'" in second.error

    async def test_a_file_that_came_later_does_not_take_a_tool_away(self, tmp_path: Path) -> None:
        files = [write(tmp_path / f"{name}.py", PLUGIN, name=f"say_{name}", said=name) for name in "ab"]

        registry = ToolRegistry()
        plugins = Plugins(registry, Here())
        await plugins.add_all(dict.fromkeys(files))
        write(files[0], PLUGIN, name="say_b", said="a")
        report = await plugins.add(files[0])
        assert "duplicate tool name 'say_b'" in report.error
        assert [made.source.name for made in registry] == ["a.py", "b.py"]

    async def test_a_file_that_is_removed_or_loaded_once_more_meanwhile_brings_nothing_late(self, plugin: Path) -> None:
        registry, loader = ToolRegistry(), Here()
        plugins = Plugins(registry, loader)
        loader.hold("mine.py")
        loading = asyncio.create_task(plugins.add(plugin))
        await until(lambda: bool(loader.begun))
        plugins.remove(plugin)
        loader.let_go("mine.py")
        await loading
        assert (len(registry), plugins.reports) == (0, ())

        loader.hold("mine.py")
        late = asyncio.create_task(plugins.add(plugin))
        await until(lambda: len(loader.begun) == 2)
        held, loader._may = loader._may, {}
        write(plugin, PLUGIN, name="newer", said="x")
        await plugins.add(plugin)
        held["mine.py"].set()
        await late
        assert [made.name for made in registry] == ["newer"]
        assert [made.name for made in plugins.reports[0].tools] == ["newer"]


class TestPluginList:
    def test_the_folder_and_the_chosen_files_are_remembered(self, tmp_path: Path) -> None:
        chosen = PluginList(tmp_path / "settings")
        assert chosen.paths() == []
        chosen.folder.mkdir(parents=True)
        for name in ("b.py", "a.py", "_private.py", "notes.txt"):
            (chosen.folder / name).touch()
        elsewhere = tmp_path / "else.py"
        chosen.add(elsewhere)
        chosen.add(elsewhere)
        chosen.add(chosen.folder / "a.py")
        assert chosen.paths() == [chosen.folder / "a.py", chosen.folder / "b.py", elsewhere]
        PluginList(tmp_path / "settings").remove(elsewhere)
        assert elsewhere not in chosen.paths()

    def test_it_says_how_long_a_file_may_take_to_be_loaded(self, tmp_path: Path) -> None:
        chosen = PluginList(tmp_path)
        assert chosen.loading_s == LOADING_S
        (tmp_path / "plugins.json").write_text('{"files": [], "loading_s": 60}')
        chosen.add(tmp_path / "a.py")
        chosen.set_isolation(tmp_path, Isolation.THREAD)
        assert PluginList(tmp_path).loading_s == 60
        assert chosen.isolation_of(tmp_path / "a.py") is Isolation.THREAD
        assert chosen.paths() == [tmp_path / "a.py"]

    def test_trust_is_said_of_folders_and_of_files_in_them(self, tmp_path: Path) -> None:
        chosen, folder = PluginList(tmp_path), tmp_path / "mine"
        one, other = folder / "one.py", folder / "other.py"
        chosen.add(one)
        assert chosen.is_trusted(one)
        chosen.set_trusted(folder, trusted=False)
        assert not any(map(PluginList(tmp_path).is_trusted, (one, other, folder)))
        assert chosen.is_trusted(tmp_path / "else.py")
        chosen.set_trusted(one, trusted=True)
        assert [chosen.is_trusted(path) for path in (one, other)] == [True, False]
        chosen.set_trusted(folder, trusted=False)
        assert not chosen.is_trusted(one)
        chosen.set_trusted(folder, trusted=True)
        assert chosen.is_trusted(one)
        assert '"trust"' not in (tmp_path / "plugins.json").read_text()
        assert chosen.paths() == [one]

    @pytest.mark.parametrize(
        "text",
        [
            "{",
            "[]",
            '{"files": [], "trust": {"/a": "no"}}',
            '{"files": [], "trust": ["/a"]}',
            '{"files": 3}',
            '{"other": []}',
            '{"files": [], "loading_s": 0}',
            '{"files": [], "loading_s": "1"}',
        ],
    )
    def test_a_list_that_cannot_be_read_is_left_alone(self, tmp_path: Path, text: str) -> None:
        chosen = PluginList(tmp_path)
        (tmp_path / "plugins.json").write_text(text)
        with pytest.raises(DiscoveryError, match="cannot be read"):
            chosen.paths()
        with pytest.raises(DiscoveryError):
            chosen.add(tmp_path / "a.py")
        assert (tmp_path / "plugins.json").read_text() == text

    def test_a_folder_that_cannot_be_read_is_told_and_is_no_empty_one(self, tmp_path: Path) -> None:
        chosen = PluginList(tmp_path)
        assert chosen.paths() == []
        # Nobody can read a link to itself, root neither.
        chosen.folder.symlink_to(chosen.folder)
        with pytest.raises(DiscoveryError, match=r"plugins cannot be read \(too many levels of symbolic links\)"):
            chosen.paths()
