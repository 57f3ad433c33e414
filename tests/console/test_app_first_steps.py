"""The first steps, through the whole program in an empty home: each is ticked when it happened, and not before."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from console.app.console import Console
from console.approval.dialog import ApprovalDialog
from console.browser.new_tool_dialog import NewToolDialog
from console.preferences import Preferences
from console.theme import ThemeController
from console.theme.files import resource_path
from console.welcome.first_steps_view import FIRST_STEPS, FirstStepsBar
from tests.console.program import Program
from tools.discovery import PluginList
from tools.workbench import Workbench

RunInQt = Callable[[Coroutine[Any, Any, None]], None]
KEYS = [step.key for step in FIRST_STEPS]


class FirstHour(Program):
    """A start of the program with its own tools, over settings that outlast it."""

    def __init__(self, theme: ThemeController, home: Path) -> None:
        self.preferences = Preferences(home / "window.ini")
        workbench = Workbench(PluginList(home / "settings"), application=Console)
        data, servers = home / "data", home / "servers.json"
        policy = home / "policy.toml"
        super().__init__(
            Console(theme, self.preferences, workbench, data=data, policy_file=policy, servers_file=servers)
        )
        self.steps = self.console.first_steps
        (self.bar,) = self.console.window.findChildren(FirstStepsBar)

    def button(self, key: str) -> QPushButton:
        return self.bar.findChildren(QPushButton)[KEYS.index(key)]

    def press(self, key: str) -> None:
        """Go to a step by the keyboard alone."""
        button = self.button(key)
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)

    async def run_page(self, name: str) -> None:
        """Press Run on the page of this tool once it is in front."""
        await self.until(lambda: self.console.open_tools.current is not None and self.presenter.tool.name == name)
        QTest.mouseClick(self.page(name).header.run_button, Qt.MouseButton.LeftButton)

    def dialog(self) -> ApprovalDialog | None:
        return next((box for box in self.console.window.findChildren(ApprovalDialog) if box.isVisible()), None)

    async def answer(self, verb: str) -> None:
        """Press a button of the question."""
        await self.until(lambda: self.dialog() is not None)
        dialog = self.dialog()
        assert dialog is not None

        def pressable() -> list[QPushButton]:
            buttons = dialog.findChildren(QPushButton)
            return [one for one in buttons if one.isVisible() and one.isEnabled() and one.text() == verb]

        await self.until(lambda: bool(pressable()))
        QTest.mouseClick(pressable()[0], Qt.MouseButton.LeftButton)
        await self.until(lambda: not self.presenter.is_running)


async def test_the_five_steps_are_ticked_by_what_really_happens(
    theme: ThemeController, tmp_path: Path, run_in_qt: RunInQt
) -> None:
    async with FirstHour(theme, tmp_path) as start:
        assert not start.bar.isVisible()
        start.console.welcome.tool_opened.emit("search_files")
        assert start.bar.isVisible()
        assert start.button("run").accessibleName() == "Run a tool, next"
        # The first tool works on files, and could not run without a project.
        await start.until(start.page("search_files").header.run_button.isEnabled)
        start.press("run")
        assert start.steps.done == set()  # a click is no run

        await _run_a_tool(start)
        await _approve(start)
        await _see_health_move(start)
        await _run_the_batch(start)
        await _write_a_tool(start, tmp_path)
        assert start.bar.sentence.startswith("All five steps are done")
        project = start.console.executor.project_dir
    assert _files(project) == _files(resource_path("samples", project.name))
    kept = Preferences(tmp_path / "window.ini")
    assert [key for key in KEYS if not kept.flag(f"first_step_{key}", default=False)] == []


def _exists(folder: Path) -> bool:
    return folder.exists()


def _files(folder: Path) -> set[Path]:
    found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if "__pycache__" not in path.parts}


async def _run_a_tool(start: FirstHour) -> None:
    # The step opened the sample project, without which the tool could not run.
    await start.until(start.page("search_files").header.run_button.isEnabled)
    await start.run_page("search_files")
    await start.until(lambda: "run" in start.steps.done)
    assert start.button("approve").accessibleName() == "Approve a call, next"


async def _approve(start: FirstHour) -> None:
    start.press("approve")
    await start.until(lambda: start.presenter.tool.name == "delete_file")
    page = start.page("delete_file")
    scratch = Path(page.document.value()["path"])
    assert _files(scratch) == {Path("old-notes.txt"), Path("old-report.txt")}
    await start.run_page("delete_file")
    await start.answer("Deny")
    assert "approve" not in start.steps.done
    assert len(_files(scratch)) == 2

    start.press("approve")
    await start.run_page("delete_file")
    await start.answer("Allow once")
    await start.until(lambda: "approve" in start.steps.done)
    assert not _exists(scratch)


async def _see_health_move(start: FirstHour) -> None:
    start.press("health")
    await start.until(lambda: "health" in start.steps.done)
    assert start.console.health_page.widget.isVisible()

    def runs() -> int:
        latest = start.console.healths.latest
        return 0 if latest is None else latest.healths["search_files"].stats.count

    await start.until(lambda: runs() == 2)


async def _run_the_batch(start: FirstHour) -> None:
    start.press("batch")
    batches = start.console.batches
    await start.until(lambda: batches.opened is not None and batches.opened.title == "First batch")
    assert batches.parts is not None
    run = batches.parts.view.header.run
    await start.until(run.isEnabled)
    QTest.mouseClick(run, Qt.MouseButton.LeftButton)
    await start.until(lambda: "batch" in start.steps.done)


async def _write_a_tool(start: FirstHour, folder: Path) -> None:
    entries = start.button("own").menu().actions()
    next(entry for entry in entries if entry.data() == "tool").trigger()
    (dialog,) = (box for box in start.console.window.findChildren(NewToolDialog) if box.isVisible())
    dialog.folder.setText(str(folder))
    dialog.name.setText("shout_it")
    assert "own" not in start.steps.done
    dialog.make.click()
    await start.until(lambda: "own" in start.steps.done)


async def test_skipped_steps_leave_nothing_and_are_taken_up_again_from_help(
    theme: ThemeController, tmp_path: Path, run_in_qt: RunInQt
) -> None:
    async with FirstHour(theme, tmp_path) as start:
        start.console.window.first_steps_requested.emit()
        assert QApplication.focusWidget() is start.button("run")
        start.press("approve")
        await start.until(lambda: start.console.open_tools.current is not None)
        scratch = Path(start.page("delete_file").document.value()["path"])
        assert len(_files(scratch)) == 2

        QTest.keyClick(start.bar.skip, Qt.Key.Key_Space)
        assert not start.bar.isVisible()
        await start.until(lambda: not _exists(scratch))
        assert not Preferences(tmp_path / "window.ini").flag("first_steps", default=True)

        start.console.window.first_steps_requested.emit()
        assert start.bar.isVisible()
        start.press("approve")
        page = start.page("delete_file")
        await start.until(lambda: page.document.value()["path"] != str(scratch))
        left = Path(page.document.value()["path"])
        assert len(_files(left)) == 2
    assert not _exists(left)
