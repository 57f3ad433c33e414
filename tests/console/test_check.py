"""The Check tab on a tool's page: what a check will do, how far it is, what it found, and what can be done with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from console.call_result.result_header_view import RESULT_TAB
from console.check.rows import CheckState, ended, going_on, plan_of
from console.check.view import CheckView
from console.theme import ThemeController
from console.widgets import CommandAction
from tests.console.test_app_console import Start, plugin_file, started
from tools.check import CheckFault, CheckFinding, CheckOptions, CheckProgress, CheckReport, CheckSkip, SkipReason

# Calls that fail are logged as those of anybody.
pytestmark = pytest.mark.expects_log("tools.calls")

PLUGIN = '''
import time
from pathlib import Path
from typing import Annotated
from tools import Param, tool

@tool(read_only=True)
def share(total: Annotated[int, Param("What is shared")], people: Annotated[int, Param("By how many")] = 2) -> float:
    """Share something among people."""
    return total / people

@tool(read_only=True)
def double(number: Annotated[int, Param("What is doubled")]) -> int:
    """Double a number."""
    return 2 * number

@tool(read_only=True)
def wait(number: Annotated[int, Param("What comes back")]) -> int:
    """Wait for ever, and leave a sign that it began."""
    Path(__file__).with_name("waits").touch()
    time.sleep(1000)
    return number

@tool
def note(text: Annotated[str, Param("What to keep")]) -> str:
    """Keep a note in the current folder."""
    Path("note.txt").write_text(text, "utf-8")
    return text

@tool(destructive=True, open_world=True)
def post(text: Annotated[str, Param("What to tell")]) -> str:
    """Tell everybody."""
    return text
'''


async def check_tab(start: Start, tool: str) -> CheckView:
    """Open the tab by key, and wait until it says what a check will do."""
    start.console.open_tools.open(tool)
    page = start.page(tool)
    page.results.setFocus()
    QTest.keyClick(page, Qt.Key.Key_8, Qt.KeyboardModifier.AltModifier)
    await start.until(lambda: page.findChildren(CheckView))
    (view,) = page.findChildren(CheckView)
    await start.until(view.sentences.text)
    return view


def press(view: CheckView, name: str) -> None:
    """Press a button by its accessible name, or else by its text."""
    [button] = [
        button
        for button in view.findChildren(QPushButton)
        if name in {button.accessibleName(), button.text()} and button.isVisible()
    ]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def choose_folder(view: CheckView, folder: Path) -> None:
    press(view, "Choose folder…")
    (dialog,) = view.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(folder))
    dialog.close()


def status(view: CheckView) -> str:
    return view.glyph.status


async def test_a_fault_is_found_filled_into_the_form_copied_and_saved_for_pytest(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "shares.py", PLUGIN)) as start:
        view = await check_tab(start, "share")
        assert "It says that it only reads" in view.sentences.text()
        assert "Up to 60 calls, in at most 30 s" in view.sentences.text()
        view.calls.setValue(20)
        await start.until(lambda: "Up to 20 calls" in view.sentences.text())
        press(view, "Start check")
        assert status(view) == "running"
        await start.until(lambda: status(view) == "failed")
        assert view.headline.text.startswith("20 calls, ")
        entry, hint = view.entries
        assert hint.accessibleName() == "Hint: It takes several arguments and has no example."
        assert entry.accessibleName() == (
            "Error: The call raises an error that the tool does not turn into an answer:"
            " ZeroDivisionError: division by zero"
        )
        assert len(start.console.recent.of("share")) == 0, "a check is no call of the person"

        press(view, "Copy the arguments of: Undeclared error")
        smallest = {"people": 0, "total": 0}
        assert json.loads(QGuiApplication.clipboard().text()) == smallest
        await start.until(lambda: "The arguments are on the clipboard." in start.words())

        press(view, "Save for pytest…")
        (dialog,) = view.findChildren(QFileDialog)
        assert dialog.selectedFiles()[0].endswith("test_share_check.py")
        file = tmp_path / "test_share_check.py"
        dialog.fileSelected.emit(str(file))
        dialog.close()
        await start.until(file.exists)
        assert f'"--plugin", {str(tmp_path / "shares.py")!r}' in file.read_text("utf-8")

        press(view, "Fill the form with the arguments of: Undeclared error")
        page = start.page("share")
        assert page.document.value() == smallest
        assert page.results.current_tab == RESULT_TAB
        assert start.console.window.focusWidget() is page.header.run_button


async def test_nothing_found_is_said_and_another_seed_can_be_tried(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "shares.py", PLUGIN)) as start:
        view = await check_tab(start, "double")
        view.calls.setValue(5)
        for seed in (0, 1):
            view.seed.setValue(seed)
            press(view, "Start check")
            await start.until(lambda: status(view) == "success")
            assert view.headline.text.startswith("5 calls, ")
            assert view.entries == []
            assert view.save.isHidden()


async def test_a_check_is_stopped_while_a_call_hangs_and_the_next_one_can_begin(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "shares.py", PLUGIN)) as start:
        view = await check_tab(start, "wait")
        press(view, "Start check")
        press(view, "Stop")
        await start.until(lambda: status(view) == "cancelled")
        assert not (tmp_path / "waits").exists()
        press(view, "Start check")
        await start.until((tmp_path / "waits").exists)
        press(view, "Stop")
        assert not view.stop.isEnabled()
        await start.until(lambda: status(view) == "cancelled")
        assert view.headline.text.endswith("not finished, because it was stopped")
        assert view.start.isVisible()
        press(view, "Start check")
        assert status(view) == "running"
        start.console.open_tools.drop("wait")


async def test_a_tool_that_changes_things_runs_only_in_an_empty_folder_that_was_confirmed(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "shares.py", PLUGIN)) as start:
        view = await check_tab(start, "note")
        assert not view.start.isEnabled()
        assert view.start.toolTip() == "Choose a folder first."

        choose_folder(view, tmp_path)
        await start.until(lambda: any("is not empty" in word for word in start.words()))
        assert start.questions() == []

        project, scratch = tmp_path / "project", tmp_path / "scratch"
        for folder in (project / "empty", scratch):
            folder.mkdir(parents=True)
        start.console._project.choose(project)
        choose_folder(view, project / "empty")
        await start.until(lambda: any("belongs to the project" in word for word in start.words()))
        assert start.questions() == []

        choose_folder(view, scratch)
        await start.until(start.questions)
        [question] = start.questions()
        question.reject()
        assert not view.start.isEnabled()

        choose_folder(view, scratch)
        await start.until(start.questions)
        start.questions()[-1].agreed.emit()
        start.questions()[-1].close()
        await start.until(view.start.isEnabled)
        view.calls.setValue(5)
        press(view, "Start check")
        await start.until(lambda: status(view) not in {"running", "unknown"})
        assert view.headline.text.startswith("5 calls, ")
        assert list(scratch.iterdir()) == []

        (scratch / "mine.txt").write_text("mine", "utf-8")
        press(view, "Start check")
        await start.until(lambda: view.headline.text == "Failed")
        assert (scratch / "mine.txt").read_text("utf-8") == "mine"


async def test_a_tool_that_no_folder_holds_cannot_be_checked_and_the_reason_is_told(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "shares.py", PLUGIN)) as start:
        view = await check_tab(start, "post")
        assert view.obstacle.text() == (
            "It cannot be checked, because it may change something that no scratch folder holds."
        )
        assert not view.start.isEnabled()
        assert view.choose.isHidden()


async def test_the_palette_offers_to_check_the_tool(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        start.console.open_tools.open("echo")
        page = start.page("echo")
        assert not page.findChildren(CheckView)
        [command] = [action for action in page.findChildren(CommandAction) if action.text() == "Check this tool"]
        command.trigger()
        assert page.findChildren(CheckView)


FOUND = CheckFinding(CheckFault.CRASH, "climb", {"depth": 9}, "exit code 3")
OPTIONS = CheckOptions()


@pytest.mark.parametrize(
    ("report", "told"),
    [
        (CheckReport("climb", 0, calls=9, refused=2), ("success", "9 calls, 2 refused because of their arguments")),
        (
            CheckReport("climb", 0, calls=1, skip=CheckSkip(SkipReason.OUT_OF_TIME)),
            ("warning", "1 call, 0 refused because of their arguments; not finished, because the time was over"),
        ),
        (
            CheckReport("climb", 0, skip=CheckSkip(SkipReason.REFUSED, "a rule")),
            ("warning", "Not run, because a check asks nobody, and its calls were refused (a rule)"),
        ),
        (
            CheckReport("climb", 0, findings=(FOUND,), calls=9),
            ("failed", "9 calls, 0 refused because of their arguments"),
        ),
    ],
)
def test_each_end_of_a_check_has_its_words(report: CheckReport, told: tuple[str, str]) -> None:
    state = ended(report)
    assert (state.status, state.headline) == told
    assert state.can_save is bool(report.findings)


def test_what_was_found_so_far_is_shown_while_the_check_runs(qtbot: QtBot, theme: ThemeController) -> None:
    view = CheckView("climb")
    qtbot.addWidget(view)
    progress = CheckProgress("climb", 12, 60, 3, (FOUND,))
    view.show_state(going_on(progress, is_stopping=False))
    [first] = view.entries
    assert view.headline.text == "12 of 60 calls, 3 refused, 1 found"
    view.show_state(going_on(progress._replace(done=13), is_stopping=True))
    assert view.entries == [first], "what did not change is not built again"
    assert view.headline.text == "Stopping, 13 of 60 calls, 3 refused, 1 found"


def test_long_arguments_are_shortened_on_the_page_and_whole_on_the_clipboard() -> None:
    long = FOUND._replace(arguments={"text": "a" * 5_000})
    state: CheckState = ended(CheckReport("climb", 0, findings=(long,)))
    [row] = state.rows
    assert row.shown.endswith("… (5,012 characters)")
    assert json.loads(row.arguments) == long.arguments


def test_what_leaves_this_computer_has_to_be_allowed() -> None:
    skip = CheckSkip(SkipReason.REACHES_OUT)
    plan = plan_of(OPTIONS, skip, None)
    assert (plan.asks_outside, plan.obstacle) == (True, "Allow first that generated arguments leave this computer.")
    allowed = plan_of(OPTIONS._replace(reaches_out=True), None, None)
    assert (allowed.asks_outside, allowed.obstacle) == (True, "")
