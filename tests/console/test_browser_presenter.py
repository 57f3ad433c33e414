from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from console.browser.presenter import SLICE, BrowserPresenter, command_line, tool_row
from console.browser.tool_tree import ToolRow, ToolSourceRow
from console.tasks import TaskScope
from tests.console.tool_cards import tools_of
from tools import DiscoveryError, ToolExample, ToolRegistry, resolve_tools, tool
from tools.calls import GuardChanged, GuardKind, GuardState
from tools.card import SourceKind, ToolSource
from tools.discovery import LoadReport
from tools.registry import Disabled
from tools.tool import Tool

MINE = ToolSource(SourceKind.PLUGIN, "my_tools.py", Path("/plugins/my_tools.py"))
RunInQt = Callable[[Coroutine[Any, Any, Any]], Any]


@tool(
    category="time_travel",
    keywords=("clock",),
    latency="fast",
    requires_confirmation=True,
    examples=(
        ToolExample(input={"place": "nowhere", "year": 0}, negative=True, why_bad="There was no year 0."),
        ToolExample(input={"place": "San José", "year": 1900}),
    ),
)
def travel(place: str, year: int = 2000) -> str:
    """Go somewhere else.

    Args:
        place: Where to.
        year: When to.
    """
    return f"{place} {year}"


@tool
def ping() -> str:
    """Answer."""
    return "pong"


def tools() -> dict[str, Tool]:
    return {made.name: made for made in resolve_tools([travel, ping])}


class FakeView(QObject):
    """Keep what it is told."""

    copy_requested = Signal(str, str)
    reload_requested = Signal()
    plugin_reload_requested = Signal(str)
    file_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.applied: list[tuple[list[str], list[str]]] = []
        self.health: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        self.failures: list[ToolSourceRow] = []
        self.runnable: list[str] = []
        self.loading: list[bool] = []

    def set_rows(self, rows: Iterable[ToolRow]) -> None:
        self.names = [row.name for row in rows]

    def apply(self, added: Sequence[ToolRow], removed: Collection[str]) -> None:
        self.applied.append(([row.name for row in added], list(removed)))
        self.health |= {row.name: row.health for row in added}
        self.reasons |= {row.name: row.health_reason for row in added}

    def set_failures(self, failures: Iterable[ToolSourceRow]) -> None:
        self.failures = list(failures)

    def set_runnable(self, names: Iterable[str]) -> None:
        self.runnable = list(names)

    def set_loading(self, loading: bool) -> None:
        self.loading.append(loading)


class FakePlugins:
    """Report what a test says."""

    def __init__(self) -> None:
        self.reports: list[LoadReport] = []
        self.loaded: list[Path] = []
        self.error: Exception | None = None

    async def load(self, path: Path) -> LoadReport:
        self.loaded.append(path)
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return self.reports[0]

    async def reload_changed(self) -> Sequence[LoadReport]:
        await asyncio.sleep(0)
        return self.reports

    async def load_saved(self, paths: Sequence[Path]) -> Sequence[LoadReport]:
        self.loaded.extend(paths)
        await asyncio.sleep(0)
        return self.reports

    async def trust(self, place: Path, *, trusted: bool) -> Sequence[LoadReport]:
        del place, trusted
        await asyncio.sleep(0)
        return self.reports


class Stage:
    def __init__(self) -> None:
        self.view = FakeView()
        self.registry = ToolRegistry([tools()["ping"]])
        self.plugins = FakePlugins()
        self.scope = TaskScope("browser")
        self.shown: list[str] = []
        self.last: dict[str, Mapping[str, Any]] = {}
        self.presenter = BrowserPresenter(
            self.view,
            tools_of(self.registry),
            self.plugins,
            self.scope,
            last_arguments=self.last.get,
            show_url=self._show,
        )
        self.good: list[str] = []
        self.bad: list[str] = []
        self.presenter.succeeded.connect(self.good.append)
        self.presenter.failed.connect(self.bad.append)

    def _show(self, url: QUrl) -> bool:
        self.shown.append(url.toLocalFile())
        return len(self.shown) < 2

    async def finish(self) -> None:
        running = asyncio.all_tasks() - {asyncio.current_task()}
        if running:
            await asyncio.wait(running)
        await self.scope.close()


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    return Stage()


def test_a_tool_becomes_a_row() -> None:
    row = tool_row(tools()["travel"].card, Disabled("is switched off in the settings"))

    assert (row.name, row.group, row.keywords, row.latency) == ("travel", "Time travel", ("clock",), "fast")
    assert row.source == ToolSourceRow("program", "Program")
    assert row.asks_first
    assert row.disabled == "is switched off in the settings"
    assert row.health == "unknown"


def test_a_plugins_tools_stand_under_their_file() -> None:
    row = tool_row(tools()["ping"].with_source(MINE).card)

    assert (row.group, row.source) == ("my_tools.py", ToolSourceRow("plugin", "my_tools.py", "/plugins/my_tools.py"))


def test_the_registrys_tools_are_shown_at_once(stage: Stage) -> None:
    assert stage.view.names == ["ping"]


def test_a_tool_that_its_guards_hold_back_is_degraded(stage: Stage) -> None:
    breaker = GuardState(GuardKind.CIRCUIT_BREAKER, "open")
    block = GuardState(GuardKind.FAILURE_BLOCK, "blocked")
    told = []
    for guard in (
        breaker,
        block,
        breaker._replace(state="half_open"),
        breaker._replace(state="closed"),
        block._replace(state="clear"),
    ):
        stage.presenter.on_events([GuardChanged("ping", guard), GuardChanged("gone", guard)])
        told.append((len(stage.view.applied), stage.view.health["ping"]))

    assert told == [(1, "degraded"), (1, "degraded"), (1, "degraded"), (1, "degraded"), (2, "unknown")]


def test_a_tool_shows_how_it_does_and_being_held_back_hides_no_worse(stage: Stage) -> None:
    told = []
    held = GuardChanged("ping", GuardState(GuardKind.FAILURE_BLOCK, "blocked"))
    stage.presenter.set_health({"ping": ("up", ""), "gone": ("down", "it is gone")})
    told.append(dict(stage.view.health))
    stage.presenter.on_events([held])
    told.append(dict(stage.view.health))
    stage.presenter.set_health({"ping": ("down", "success is 0%, below 80%; failed once")})
    told.append(dict(stage.view.health))

    assert [health["ping"] for health in told] == ["up", "degraded", "down"]
    assert stage.view.reasons["ping"] == "success is 0%, below 80%; failed once; its calls are held back"


def test_thousands_of_tools_are_shown_again_over_several_turns_of_the_loop(qtbot: QtBot, stage: Stage) -> None:
    many = [
        replace(tools()["ping"], spec=tools()["ping"].spec.model_copy(update={"name": f"p{at}"})) for at in range(450)
    ]
    stage.registry.register_all(many)
    qtbot.waitUntil(lambda: len(stage.view.applied) == 1)

    stage.presenter.set_health({tool.name: ("up", "") for tool in many})
    at_once = len(stage.view.applied[-1][0])
    qtbot.waitUntil(lambda: list(stage.view.health.values()).count("up") == len(many))

    assert at_once == SLICE
    assert len(stage.view.applied) == 1 + 5


def test_changes_on_another_thread_arrive_on_this_one_as_one(qtbot: QtBot, stage: Stage) -> None:
    def change() -> None:
        unregister = stage.registry.register(tools()["travel"])
        unregister()
        stage.registry.register(tools()["travel"])

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    assert stage.view.applied == []

    qtbot.waitUntil(lambda: bool(stage.view.applied))
    assert stage.view.applied == [(["travel"], [])]


def test_a_tool_that_goes_is_taken_away(qtbot: QtBot, stage: Stage) -> None:
    unregister = stage.registry.register(tools()["travel"])
    qtbot.waitUntil(lambda: len(stage.view.applied) == 1)
    unregister()
    qtbot.waitUntil(lambda: len(stage.view.applied) == 2)

    assert stage.view.applied[1] == ([], ["travel"])


def test_after_closing_nothing_is_followed(qtbot: QtBot, stage: Stage) -> None:
    stage.presenter.close()
    stage.registry.register(tools()["travel"])
    qtbot.wait(1)

    assert stage.view.applied == []


async def test_reloading_shows_who_failed_and_says_what_was_loaded(stage: Stage) -> None:
    broken = ToolSource(SourceKind.PLUGIN, "broken.py", Path("/plugins/broken.py"))
    stage.plugins.reports = [
        LoadReport(MINE, ("ping",)),
        LoadReport(broken, error="SyntaxError: invalid syntax.", traceback="Traceback"),
    ]
    stage.view.reload_requested.emit()
    await stage.finish()
    assert stage.view.loading == [True, False]
    assert stage.view.failures == [
        ToolSourceRow("plugin", "broken.py", "/plugins/broken.py", "SyntaxError: invalid syntax.", "Traceback")
    ]
    assert stage.good == ["Loaded 1 tool from my_tools.py"]
    assert stage.bad == ["broken.py could not be loaded: SyntaxError: invalid syntax."]


async def test_it_is_said_which_built_in_tools_gave_way(stage: Stage) -> None:
    aside = tuple(f"Files.tool_{number}" for number in range(5))
    stage.plugins.reports = [LoadReport(MINE, ("ping",), aside=aside)]
    stage.view.reload_requested.emit()
    await stage.finish()
    (said,) = stage.good
    assert said.startswith("Loaded 1 tool from my_tools.py; the built-in tools of the same name can be called as ")
    assert said.endswith("Files.tool_0, Files.tool_1, Files.tool_2 and 2 more")


async def test_reloading_when_nothing_changed_says_so(stage: Stage) -> None:
    stage.view.reload_requested.emit()
    await stage.finish()
    assert stage.good == ["No plugin file changed"]


async def test_a_plugin_that_is_mended_is_no_longer_listed_as_failed(stage: Stage) -> None:
    stage.presenter.set_reports([LoadReport(MINE, ("ping",), error="NameError: x", traceback="T")])
    assert [row.error for row in stage.view.failures] == ["NameError: x"]
    stage.plugins.reports = [LoadReport(MINE, tuple(tools()))]
    stage.view.plugin_reload_requested.emit("/plugins/my_tools.py")
    await stage.finish()
    assert stage.plugins.loaded == [Path("/plugins/my_tools.py")]
    assert stage.view.failures == []
    assert stage.good == ["Loaded 2 tools from my_tools.py"]


async def test_a_plugin_that_broke_is_said_to_keep_its_tools(stage: Stage) -> None:
    stage.plugins.reports = [LoadReport(MINE, ("ping",), error="NameError: x", traceback="T")]
    stage.presenter.add_plugin(Path("/plugins/my_tools.py"))
    await stage.finish()
    assert stage.bad == ["my_tools.py could not be loaded: NameError: x. Its former tools stay."]


async def test_what_goes_wrong_while_loading_is_a_sentence(stage: Stage) -> None:
    stage.plugins.error = DiscoveryError("the plugin list cannot be read; mend or delete it")
    stage.presenter.add_plugin(Path("x.py"))
    await stage.finish()
    assert stage.bad == ["The plugins could not be loaded: the plugin list cannot be read; mend or delete it"]
    assert stage.view.loading == [True, False]


def test_the_folder_of_a_plugin_file_is_shown(stage: Stage) -> None:
    stage.view.file_requested.emit("/plugins/my_tools.py")
    assert stage.shown == ["/plugins"]
    assert stage.bad == []

    stage.view.file_requested.emit("/plugins/my_tools.py")
    assert stage.bad == ["No program shows folders here. The file is /plugins/my_tools.py"]


def test_copying(stage: Stage) -> None:
    stage.registry.register(tools()["travel"])
    clipboard = QGuiApplication.clipboard()

    stage.view.copy_requested.emit("name", "travel")
    assert clipboard.text() == "travel"
    stage.view.copy_requested.emit("schema", "travel")
    assert json.loads(clipboard.text()) == tools()["travel"].input_schema
    stage.view.copy_requested.emit("command line", "travel")
    assert clipboard.text() == "tool-console call travel 'place=San José' year=1900"
    stage.last["travel"] = {"place": "Rome"}
    stage.view.copy_requested.emit("command line", "travel")
    assert clipboard.text() == "tool-console call travel place=Rome"
    stage.view.copy_requested.emit("schema", "nobody")
    stage.view.copy_requested.emit("name", "still_to_come")

    assert clipboard.text() == "still_to_come"
    assert stage.good[0] == "Copied the name of travel"
    assert stage.bad == ["'nobody' is gone, so nothing was copied"]


def test_a_command_line_names_what_is_needed() -> None:
    assert command_line(tools()["travel"].card, {}) == "tool-console call travel place="
    assert command_line(tools()["travel"].card, {"year": 3}) == "tool-console call travel place= year=3"


def test_which_tools_ran_is_passed_on(stage: Stage) -> None:
    stage.presenter.set_ran(["ping"])

    assert stage.view.runnable == ["ping"]


async def test_the_first_tool_of_an_added_file_is_told_once_it_loads(stage: Stage) -> None:
    added: list[str] = []
    stage.presenter.added.connect(added.append)
    path = MINE.path
    assert path is not None
    stage.plugins.reports = [LoadReport(MINE, error="SyntaxError: invalid syntax")]
    stage.presenter.add_plugin(path)
    await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
    assert added == []
    stage.plugins.reports = [LoadReport(MINE, ("ping", "travel"))]
    await stage.presenter.load_saved([path])
    assert added == ["ping"]
    await stage.presenter.load_saved([path])
    assert added == ["ping"]
    await stage.finish()
    assert stage.plugins.loaded == [path, path, path]
