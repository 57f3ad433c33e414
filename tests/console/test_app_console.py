"""The whole program behind the window: from its start over calls and questions to its end, and the start after that."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import psutil
import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTableView, QTreeView, QWidget

from console.app import console as console_module
from console.app.console import Console
from console.palette.page import PalettePage
from console.preferences import Preferences
from console.support.help_dialogs import HelpDialog
from console.theme import ThemeController
from console.tool_page.view import ExecutionView
from console.welcome.view import FIRST_TOOL
from console.widgets import IconLabel, SearchField, Switch
from console.widgets.dialogs import QuestionBox
from console.window.project import sample_project
from tests.console.program import PATIENCE_S, Program
from tools import CircuitBreaker, Param, ToolContext, ToolFailure, resilience, resolve_tools, tool
from tools.calls import CallStatus, ErrorKind
from tools.discovery import PluginList
from tools.paths import NO_PROJECT
from tools.workbench import Workbench

RunInQt = Callable[[Coroutine[Any, Any, None]], None]
NONE: tuple[str, ...] = ()


@tool(read_only=True)
async def echo(text: Annotated[str, Param("What comes back")] = "hello") -> str:
    """Return the text."""
    return text


@tool(read_only=True)
async def hold(*, ctx: ToolContext) -> str:
    """Wait until it is stopped."""
    ctx.log("info", "holding")
    await asyncio.Event().wait()
    return "never"


@tool(destructive=True, idempotent=False)
async def erase(name: str = "notes") -> str:
    """Erase something."""
    return f"erased {name}"


@tool(read_only=True)
@resilience(circuit_breaker=CircuitBreaker(failure_threshold=1))
async def fail() -> str:
    """Fail."""
    raise ToolFailure("the server is down")


@tool
def stumble() -> None:
    """Fail each time."""
    raise ToolFailure("a stone lay in the way")


WORKING = """
import os
from tools import tool

@tool
def tell_process() -> int:
    "Tell where it runs."
    return os.getpid()
"""


def plugin_file(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    os.utime(path, ns=(len(text), len(text)))
    return path


class Start(Program):
    """One start of the program, over settings that outlast it."""

    def __init__(self, theme: ThemeController, home: Path, *plugins: Path) -> None:
        self.home = home
        self.preferences = Preferences(home / "window.ini")
        workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
        workbench.registry.register_all(resolve_tools((echo, hold, erase, fail, stumble)))
        super().__init__(Console(theme, self.preferences, workbench, None, plugins, data=home / "data"))

    async def run(self, name: str) -> CallStatus:
        """Run a tool on its page and return how its call ended."""
        self.console.open_tools.run(name)
        await self.call_ended()
        assert self.presenter.record is not None
        return self.presenter.record.status

    async def hold(self) -> None:
        """Run the tool that never ends by itself, until it runs."""
        self.console.open_tools.run("hold")
        presenter = self.presenter
        await self.until(lambda: presenter.call is not None and self.console.executor.live_call(presenter.call.id))

    def questions(self) -> list[QuestionBox]:
        return [box for box in self.console.window.findChildren(QuestionBox) if box.isVisible()]

    def words(self) -> list[str]:
        """Return what the status bar says."""
        bar = self.console.window.status_bar
        texts = [label.text() for label in bar.findChildren(QLabel) if label.isVisible()]
        return [*texts, *(label.text for label in bar.findChildren(IconLabel) if label.isVisible()), bar.notice]


def click_switch(control: QWidget) -> None:
    assert isinstance(control, Switch)
    control.click()


def click(box: QWidget, text: str) -> None:
    next(button for button in box.findChildren(QAbstractButton) if button.text() == text).click()


@asynccontextmanager
async def started(theme: ThemeController, home: Path, *plugins: Path) -> AsyncIterator[Start]:
    async with Start(theme, home, *plugins) as start:
        yield start


@pytest.mark.parametrize("page", ["tools", "health", "settings"])
async def test_ctrl_l_goes_to_the_filter_of_the_tools_from_every_page(
    theme: ThemeController, tmp_path: Path, page: str
) -> None:
    async with started(theme, tmp_path) as start:
        window = start.console.window
        window.activateWindow()
        window.left_dock.hide()
        window.rail.choose(page)
        await start.until(lambda: QApplication.activeWindow() is window)
        (field,) = [one for one in window.left_dock.findChildren(SearchField) if one.accessibleName() == "Tools filter"]
        QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
        await start.until(lambda: field.isVisible() and field.hasFocus())
        window.left_dock.hide()
        start.console.documents.new_requested.emit()
        await start.until(lambda: field.isVisible() and field.hasFocus())


async def test_a_first_start_has_all_tools_the_welcome_page_and_no_project(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        console = start.console
        assert console.window.isVisible()
        assert console.executor.project_dir == NO_PROJECT
        assert console.open_tools.names == NONE
        assert console.welcome.isVisible()
        count = len(console.executor.registry)
        assert count > 50
        assert f"{count} tools" in start.words()
        assert console.executor.registry.find(FIRST_TOOL) is not None
        console.welcome.tool_opened.emit(FIRST_TOOL)
        assert console.open_tools.names == (FIRST_TOOL,)
        assert start.page(FIRST_TOOL).isVisible()


async def test_a_tool_that_works_on_files_asks_for_a_project_before_it_runs(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        console = start.console
        console.open_tools.open(FIRST_TOOL)
        console.open_tools.fill_example(FIRST_TOOL)
        page = start.page(FIRST_TOOL)
        assert page.project.isVisible()
        assert not page.header.run_button.isEnabled()
        page.run_requested.emit()
        assert page.notice.text == f"{FIRST_TOOL} needs a project folder, and no project is open"
        assert len(console.executor.open_calls) == 0

        click(page.project, "Try the sample project")
        assert console.executor.project_dir == sample_project()
        assert not page.project.isVisible()
        assert page.header.run_button.isEnabled()
        assert await start.run(FIRST_TOOL) is CallStatus.EXECUTED


async def test_a_tool_that_works_on_no_files_runs_without_a_project(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        assert await start.run("echo") is CallStatus.EXECUTED
        assert not start.page("echo").project.isVisible()


@pytest.mark.expects_log("tools.calls")
@pytest.mark.reference("E39")
async def test_failing_tools_are_blocked_when_the_setting_says_so_and_the_choice_is_kept(
    theme: ThemeController, tmp_path: Path
) -> None:
    async def kinds(start: Start) -> list[ErrorKind]:
        found = []
        for _ in range(4):
            await start.run("stumble")
            presenter = start.console.open_tools.current
            assert presenter is not None
            assert presenter.record is not None
            assert presenter.record.error is not None
            found.append(presenter.record.error.kind)
        return found

    async with started(theme, tmp_path) as start:
        assert await kinds(start) == [ErrorKind.TOOL] * 4
        start.console.window.settings_requested.emit()
        settings = start.console.settings.view
        assert settings is not None
        click_switch(settings.row_by_key["block_failing_tools"].control)
        await start.until(lambda: start.console.executor.failure_block is not None)
        assert await kinds(start) == [*[ErrorKind.TOOL] * 3, ErrorKind.UNAVAILABLE]
    async with started(theme, tmp_path) as again:
        assert again.console.executor.failure_block is not None


async def test_with_nothing_running_the_window_closes_without_a_question(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        assert await start.run("echo") is CallStatus.EXECUTED
        start.console.window.close()
        assert start.questions() == []
        await asyncio.wait_for(start.over.wait(), PATIENCE_S)
        assert start.console.stopped_cleanly
        assert not start.console.window.isVisible()


@pytest.mark.expects_log("console.app.shutdown")
async def test_the_window_closes_although_a_part_of_the_program_cannot_end(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(theme, tmp_path) as start:
        monkeypatch.setattr(start.console.batches, "stop", lambda: 1 / 0)
        start.console.window.close()
        await asyncio.wait_for(start.over.wait(), PATIENCE_S)
        assert not start.console.stopped_cleanly
        assert not start.console.window.isVisible()


@pytest.mark.expects_log("tools.calls")
async def test_whoever_quits_while_a_call_runs_is_asked_first(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        await start.hold()
        await start.until(lambda: "Running 1" in start.words())
        (call,) = start.console.executor.open_calls
        start.console.window.close()
        (box,) = start.questions()
        click(box, "Cancel")
        assert not call.response.status.final
        assert start.console.window.isVisible()

        start.console.window.close()
        (box,) = start.questions()
        click(box, "Stop and quit")
        await asyncio.wait_for(start.over.wait(), PATIENCE_S)
        assert start.console.executor.open_calls == ()
        assert start.console.stopped_cleanly


@pytest.mark.expects_log("tools.calls")
async def test_a_restart_asks_as_closing_does_and_the_window_closed_later_ends(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        await start.hold()
        await start.until(lambda: "Running 1" in start.words())
        start.console.settings.restart_requested.emit()
        (box,) = start.questions()
        assert box.windowTitle() == "Restart Tool Console?"
        click(box, "Cancel")
        start.console.window.close()
        (box,) = start.questions()
        click(box, "Stop and quit")
        await asyncio.wait_for(start.over.wait(), PATIENCE_S)
        assert not start.console.restarts
    async with started(theme, tmp_path) as again:
        assert not again.console.settings.widget.isVisible()
        await again.hold()
        await again.until(lambda: "Running 1" in again.words())
        again.console.settings.restart_requested.emit()
        (box,) = again.questions()
        click(box, "Stop and restart")
        await asyncio.wait_for(again.over.wait(), PATIENCE_S)
        assert again.console.restarts
    async with started(theme, tmp_path) as third:
        await third.until(third.console.settings.widget.isVisible)
    async with started(theme, tmp_path) as fourth:
        assert not fourth.console.settings.widget.isVisible()


async def test_the_page_of_a_running_tool_closes_only_when_the_person_agrees(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        await start.hold()
        (call,) = start.console.executor.open_calls
        start.console.window.close_tab_requested.emit()
        (box,) = start.questions()
        assert box.windowTitle() == "Close hold?"
        click(box, "Cancel")
        assert start.console.open_tools.names == ("hold",)
        assert not call.response.status.final

        start.console.window.close_tab_requested.emit()
        (box,) = start.questions()
        click(box, "Stop and close")
        assert start.console.open_tools.names == NONE
        await start.until(lambda: call.response.status.final)
        assert call.response.status is CallStatus.CANCELLED
        await start.until(lambda: "Running 1" not in start.words())


def test_tabs_arguments_and_panels_are_there_at_the_next_start(
    theme: ThemeController, tmp_path: Path, run_in_qt: RunInQt
) -> None:
    async def first() -> None:
        async with started(theme, tmp_path) as start:
            tools = start.console.open_tools
            for name in ("echo", "erase", "hold"):
                tools.open(name)
            start.page("echo").document.replace({"text": "remember me"})
            start.console.documents.show_page("erase")
            start.console.window.bottom_dock.hide()

    async def second() -> None:
        async with started(theme, tmp_path) as start:
            assert start.console.open_tools.names == ("echo", "erase", "hold")
            assert start.console.documents.current_key == "erase"
            assert start.page("echo").document.value() == {"text": "remember me"}
            assert not start.console.window.bottom_dock.isVisible()
            assert start.console.window.left_dock.isVisible()

    run_in_qt(first())
    run_in_qt(second())


async def test_a_tab_whose_tool_is_gone_is_left_out(theme: ThemeController, tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "window.ini")
    preferences.open_tabs = ("uninstalled", "echo")
    preferences.current_tab = "uninstalled"
    preferences.save()
    async with started(theme, tmp_path) as start:
        assert start.console.open_tools.names == ("echo",)
        assert start.page("echo").isVisible()


async def test_a_plugin_that_does_not_load_stops_no_other_tool(theme: ThemeController, tmp_path: Path) -> None:
    plugin = tmp_path / "half_done.py"
    plugin.write_text("def half(:\n", "utf-8")
    async with started(theme, tmp_path, plugin) as start:
        assert start.console.executor.registry.find("echo") is not None
        assert "1 plugin did not load" in start.words()


@pytest.mark.reference("E4")
async def test_a_plugin_that_crashes_is_told_of_and_none_is_imported_in_this_process(
    theme: ThemeController, tmp_path: Path
) -> None:
    falling = plugin_file(tmp_path / "falling.py", "import ctypes\nctypes.string_at(0)\n")
    working = plugin_file(tmp_path / "working.py", WORKING)
    async with started(theme, tmp_path, falling, working) as start:
        assert "1 plugin did not load" in start.words()
        errors = {report.source.name: report.error for report in start.console._workbench.reports}
        assert errors["falling.py"].startswith("the file ended its process: SIGSEGV")
        assert errors["working.py"] == ""
        assert await start.run("tell_process") is CallStatus.EXECUTED
        assert [name for name in sys.modules if name.startswith("_tool_console_plugin")] == []

        plugin_file(falling, WORKING.replace("tell_process", "mended"))
        start.console.browser_view.reload_requested.emit()
        await start.until(lambda: "mended" in start.console.executor.registry)
        await start.until(lambda: "1 plugin did not load" not in start.words())


async def test_a_plugin_that_never_ends_loading_keeps_nothing_waiting_not_even_the_end(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_module, "PLUGIN_PATIENCE_S", 0.05)
    working = plugin_file(tmp_path / "working.py", WORKING)
    hanging = plugin_file(tmp_path / "hanging.py", "import time\nprint('hanging')\ntime.sleep(600)\n")

    async with started(theme, tmp_path, working) as first:
        first.console.open_tools.open("tell_process")
        first.console.open_tools.open("echo")
    shown = tmp_path / "shown"
    wait = f"import time\nfrom pathlib import Path\nwhile not Path({str(shown)!r}).exists():\n    time.sleep(0.01)\n"
    plugin_file(working, f"{wait}{WORKING}")
    again = Start(theme, tmp_path, hanging, working)
    again.console.start()
    await again.until(lambda: set(again.console.open_tools.names) == {"echo"})
    shown.touch()
    await again.until(lambda: "tell_process" in again.console.executor.registry)
    assert await again.run("echo") is CallStatus.EXECUTED
    assert await again.run("tell_process") is CallStatus.EXECUTED
    again.console.open_tools.drop("tell_process")
    pids = again.console.executor.workers.pids
    await again.end()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    # What was still to come is not forgotten.
    assert set(again.preferences.open_tabs) == {"echo", "tell_process"}


async def test_a_list_of_plugins_that_cannot_be_read_is_told_and_stops_nothing(
    theme: ThemeController, tmp_path: Path
) -> None:
    settings = tmp_path / "settings"
    settings.mkdir()
    (settings / "plugins.json").write_text("[", "utf-8")
    async with started(theme, tmp_path) as start:
        assert start.console.executor.registry.find(FIRST_TOOL) is not None
        assert any("plugins.json" in words for words in start.words())


@pytest.mark.expects_log("tools.calls")
async def test_a_question_dims_the_window_and_closing_the_program_answers_no(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        start.console.open_tools.run("erase")
        await start.until(lambda: start.console.desk.open_requests and QApplication.activeModalWidget())
        (call,) = start.console.executor.open_calls
        start.console.end()
        await asyncio.wait_for(start.over.wait(), PATIENCE_S)
        assert call.response.status is not CallStatus.EXECUTED
        assert call.response.status.final
        assert start.console.stopped_cleanly


async def test_an_ended_call_is_opened_again_from_the_activity_list(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        await start.run("echo")
        presenter = start.console.open_tools.current
        assert presenter is not None
        call = presenter.record
        assert call is not None
        start.console.open_tools.close("echo")
        assert start.console.open_tools.names == NONE
        await start.until(lambda: start.console.activity_view.findChildren(QTableView)[0].model().rowCount())
        start.console.activity_view.call_opened.emit(call.id)
        # The page may have known of the end before the list did: the call is then followed to its end once more.
        await start.call_ended()
        assert start.presenter.record is not None
        assert start.presenter.record.id == call.id
        start.console.activity_view.call_opened.emit("no such call")
        assert start.console.open_tools.names == ("echo",)


async def test_a_running_call_is_stopped_from_the_activity_list(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        await start.hold()
        (call,) = start.console.executor.open_calls
        start.console.activity_view.stop_requested.emit(call.id)
        await start.until(lambda: call.response.status.final)
        assert call.response.status is CallStatus.CANCELLED


async def test_a_tool_that_appears_is_counted_and_one_that_goes_takes_its_page_along(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        registry = start.console.executor.registry
        count = len(registry)

        @tool
        async def shout(text: str) -> str:
            """Return the text in capitals."""
            return text.upper()

        unregister = registry.register_all(resolve_tools((shout,)))
        await start.until(lambda: f"{count + 1} tools" in start.words())
        start.console.open_tools.open("shout")
        unregister()
        await start.until(lambda: f"{count} tools" in start.words())
        assert start.console.open_tools.names == NONE


async def test_a_page_of_a_tool_that_is_closed_leaves_nothing_behind(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        kept = {start.console, start.console.window}

        def objects() -> Counter[str]:
            return Counter(type(one).__name__ for owner in kept for one in owner.findChildren(QObject))

        async def open_and_close() -> Counter[str]:
            await start.run("echo")
            start.console.open_tools.close("echo")
            await start.until(lambda: not start.console.window.findChildren(ExecutionView))
            return objects()

        # The palette is the last thing that a start makes.
        await start.until(lambda: start.console.findChild(PalettePage) is not None)
        before = await open_and_close()
        for _ in range(3):
            await open_and_close()
        # Docks that make room for another page move a while.
        await start.until(lambda: objects() - before == Counter())


async def test_the_help_opens_at_the_page_that_was_asked_for(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        titles = []
        for signal in (start.console.window.top_bar.help_requested, start.console.window.about_requested):
            signal.emit()
            (dialog,) = [box for box in start.console.window.findChildren(HelpDialog) if box.isVisible()]
            titles.append(dialog.windowTitle())
            dialog.close()
        assert titles == ["Shortcuts and help", "About Tool Console"]


async def test_our_own_failure_is_told_and_logged(
    theme: ThemeController, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise ValueError("no such row")

    async with started(theme, tmp_path) as start:
        await asyncio.wait([start.console._scope.start(fail())])
        await start.until(lambda: "Something in the console itself failed: no such row" in start.words())
    assert "a task of the console failed" in [record.getMessage() for record in caplog.records]


def test_the_usual_times_of_a_tool_survive_a_restart(
    theme: ThemeController, tmp_path: Path, run_in_qt: RunInQt
) -> None:
    async def first() -> None:
        async with started(theme, tmp_path) as start:
            for _ in range(3):
                await start.run("echo")

    async def second() -> None:
        async with started(theme, tmp_path) as start:
            start.console.open_tools.open("echo")
            await start.until(lambda: len(start.console.recent.of("echo")) == 3)
            await start.run("echo")
            rows = start.page("echo").results.timing.steps.rows
            assert [row.usual.endswith(" ms") for row in rows if row.name == "Execute"] == [True]

    run_in_qt(first())
    run_in_qt(second())


@pytest.mark.expects_log("tools.calls")
async def test_a_paused_tool_is_told_on_its_page_and_in_the_tree_until_it_is_reset(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        await start.run("fail")
        page = start.page("fail")
        await start.until(page.guards.isVisible)
        tree = start.console.browser_view.findChildren(QTreeView)[0]
        await start.until(lambda: _spoken(tree, "fail").startswith("fail, Degraded: its calls are held back"))
        click(page, "Reset breaker")
        await start.until(lambda: not page.guards.isVisible())
        await start.until(lambda: _spoken(tree, "fail").startswith("fail, Failed once"))


def _spoken(tree: QTreeView, name: str) -> str:
    """Return what is said of a tool in the tools tree."""
    model = tree.model()
    found = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, name, 1, Qt.MatchFlag.MatchRecursive)
    return str(found[0].data(Qt.ItemDataRole.AccessibleTextRole))
