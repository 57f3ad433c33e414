"""The Batch page in the real program: a plan runs, fails, is mended, paused, cancelled, resumed and exported."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTableView

from console.activity.model import ActivityModel
from console.app.console import Console
from console.batch.compare_view import RunsDialog, RunsModel
from console.batch.engine_run import EngineRun, RunWatch
from console.batch.model import PlanModel
from console.batch.parameters_view import ValuesDialog
from console.batch.progress_view import ClosingBox
from console.batch.rows import Group, Phase, PlanColumn, RunFacts, abilities_of, plan_words
from console.batch.runs import told
from console.batch.step_view import StepView
from console.batch.view import BatchView
from console.call_table import CallColumn
from console.preferences import Preferences
from console.startup.first_window import Opening
from console.theme import ThemeController
from tests.console.program import PATIENCE_S, Program
from tests.console.test_app_console import Start, click, echo, plugin_file, started
from tests.tools.running import Answers
from tools import Executor, ToolRegistry, resolve_tools, security, tool
from tools.batch import BatchExecutor, BatchPlan, Step, StepState
from tools.calls import CallStatus, ExitEarly
from tools.discovery import PluginList
from tools.errors import CallStateError
from tools.masking import MASK
from tools.workbench import Workbench

pytestmark = pytest.mark.expects_log("tools.calls")

SUMS = """# What is owed.
name: sums
steps:
  - id: first
    tool: calculate
    arguments: {expression: "6 * 7"}
  - id: broken  # nobody divides by zero
    tool: calculate
    arguments: {expression: "1 / 0"}
  - id: after
    tool: echo
    arguments: {text: "${steps.broken.result.result}"}
  - id: each
    tool: calculate
    rows: {values: ["1 + 1", "1 / 0", "2 + 2"]}
    arguments: {expression: "${row}"}
"""
SLOW_PLUGIN = """
import time
from pathlib import Path
from tools import tool

while not Path(__file__).with_name("go").exists():
    time.sleep(0.01)

@tool(read_only=True)
def answer() -> int:
    "Answer."
    return 42
"""
OF_A_PLUGIN = """name: of a plugin
steps:
  - id: begin
    tool: answer
  - id: wait
    tool: hold
    depends_on: [begin]
"""
HOLDING = """name: holding
limits: {parallelism: 1}
steps:
  - id: begin
    tool: echo
  - id: wait
    tool: hold
  - id: end
    tool: echo
    depends_on: [wait]
"""


class Page:
    """The page of one start, driven as a person does."""

    def __init__(self, start: Start, view: BatchView) -> None:
        self.start = start
        self.view = view
        model = view.table.model()
        assert isinstance(model, PlanModel)
        self.model = model

    async def open(self, path: Path, text: str, steps: int) -> None:
        write(path, text)
        self.view.file_chosen.emit("open", str(path))
        await self.start.until(lambda: self.model.rowCount() == steps and self.view.header.run.isEnabled())

    async def until_phase(self, words: str) -> None:
        await self.start.until(lambda: self.view.header.badge.text == words)

    def states(self) -> dict[str, str]:
        return {row.planned.step: row.facts.state.value for row in self.model.rows}

    def counts(self) -> dict[Group, int]:
        return {group: count for group, count in self.model.counts.items() if count}

    def press(self, text: str) -> None:
        found = [button for button in self.view.findChildren(QAbstractButton) if button.accessibleName() == text]
        (button,) = [
            button
            for button in found or self.view.findChildren(QAbstractButton)
            if button.isVisible() and text in {button.accessibleName(), button.text()}
        ]
        assert button.isEnabled()
        button.click()

    async def press_until(self, text: str, phase: str) -> None:
        """Press a button and wait for the phase that the run comes to."""
        self.press(text)
        await self.until_phase(phase)

    def words(self) -> list[str]:
        return [label.text() for label in self.view.findChildren(QLabel) if label.isVisible()]


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 -- a task's end sets no event
            await asyncio.sleep(0)


def write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


async def page_of(start: Start) -> Page:
    start.console.window.rail.choose("batch")
    await start.until(lambda: start.console.window.findChildren(BatchView))
    (view,) = start.console.window.findChildren(BatchView)
    await start.until(view.isVisible)
    return Page(start, view)


@asynccontextmanager
async def batch_page(theme: ThemeController, home: Path, *plugins: Path) -> AsyncIterator[tuple[Start, Page]]:
    """Start the program and open its batch page."""
    async with started(theme, home, *plugins) as start:
        yield start, await page_of(start)


async def test_plans_that_the_program_is_started_with_are_on_the_page(theme: ThemeController, tmp_path: Path) -> None:
    write(tmp_path / "sums.plan.yaml", SUMS)
    write(tmp_path / "holding.plan.yaml", HOLDING)
    workbench = Workbench(PluginList(tmp_path / "settings"), application=Console, installed=())
    preferences = Preferences(tmp_path / "window.ini")
    first = Console(theme, preferences, workbench, data=tmp_path / "data", plan=tmp_path / "sums.plan.yaml")

    async with Program(first) as start:
        await start.until(lambda: first.window.findChildren(BatchView))
        (view,) = first.window.findChildren(BatchView)
        await start.until(lambda: view.table.model().rowCount() == 4)
        assert view.isVisible()
        # A second start hands over what it was given.
        first.take_opening(Opening(plan=tmp_path / "holding.plan.yaml"))
        await start.until(lambda: view.table.model().rowCount() == 3)


async def test_resetting_the_window_gives_the_timeline_its_first_height(theme: ThemeController, tmp_path: Path) -> None:
    write(tmp_path / "sums.plan.yaml", SUMS)
    async with batch_page(theme, tmp_path) as (start, page):
        page.view.file_chosen.emit("open", str(tmp_path / "sums.plan.yaml"))
        parts = page.view.upright
        await start.until(lambda: parts.count() == 2 and all(parts.sizes()))
        start.console.window.reset()
        await start.until(lambda: sum(parts.sizes()) > 400)
        first = parts.sizes()
        parts.setSizes([first[0] - 100, first[1] + 100])
        assert parts.sizes() != first
        start.console.window.reset()
        await start.until(lambda: parts.sizes() == first)


@pytest.mark.reference("A84")
async def test_a_plan_runs_fails_and_is_mended(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        assert not page.view.header.run.isEnabled()
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        await page.press_until("Run", "Failed")
        assert page.states() == {"first": "done", "broken": "failed", "after": "skipped", "each": "failed"}
        assert page.counts() == {Group.DONE: 1, Group.FAILED: 2, Group.BLOCKED: 1}
        assert page.view.failure.isVisible()
        assert page.view.failure.step == "broken"
        assert "Step 2, broken." in page.words()
        page.view.table.setCurrentIndex(page.model.index(3, PlanColumn.STATUS))
        assert page.view.failure.step == "each"
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change(1, arguments={"expression": "1 / 2"})
        await start.until(lambda: opened.is_checked and page.view.header.run.isEnabled())
        assert page.states()["broken"] == "failed"
        page.press("Retry failed (2)")
        await start.until(lambda: page.states()["after"] == "done")
        await page.until_phase("Failed")
        assert page.states() == {"first": "done", "broken": "done", "after": "done", "each": "failed"}
        assert page.model.index(2, PlanColumn.RESULT).data() == "0.5"
        page.view.table.setCurrentIndex(page.model.index(3, PlanColumn.STATUS))
        page.press("Skip rows")
        await start.until(lambda: page.states()["each"] == "done")
        await page.until_phase("Done")
        opened.save()
        await start.until(lambda: not opened.document.is_dirty)
    assert "# nobody divides by zero" in (tmp_path / "sums.yaml").read_text("utf-8")
    assert start.preferences.recent_plans == (tmp_path / "sums.yaml",)


async def test_a_step_shows_what_it_is_given_what_came_of_it_and_its_failed_rows(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        page.view.table.setFocus()
        page.view.table.setCurrentIndex(page.model.index(2, PlanColumn.STEP))
        QTest.keyClick(page.view.table, Qt.Key.Key_Return)
        (sheet,) = page.view.findChildren(StepView)
        await start.until(sheet.isVisible)
        await start.until(lambda: "Known later: text." in page.words())
        await page.press_until("Run", "Failed")
        page.view.table.opened.emit("each")
        await start.until(lambda: sheet.rows.model().rowCount() == 1)
        assert sheet.rows.model().index(0, 0).data() == "2"
        assert "zero" in sheet.rows.model().index(0, 2).data()
        page.view.table.opened.emit("first")
        await start.until(lambda: sheet.content.content is not None)
        await start.until(lambda: sheet._given.text() == "Everything in them is known.")
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
        assert sheet.isHidden()
        assert page.view.side.isVisible()


async def test_the_empty_page_begins_a_plan_which_cannot_run_before_it_has_steps(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        assert page.view.empty.button is not None
        page.view.empty.button.click()
        await start.until(lambda: page.view.header.plan.text().startswith("New plan"))
        await start.until(lambda: page.view.header.badge.text == "Cannot run")


async def test_a_run_is_paused_resumed_cancelled_and_gone_on_with(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        page.press("Run")
        await start.until(lambda: page.states()["wait"] == "running")
        page.view.file_chosen.emit("new", "")
        await start.until(lambda: any(word.startswith("A run goes on") for word in start.words()))
        await page.press_until("Pause", "Paused")
        await page.press_until("Resume", "Running")
        page.view.strip.counts[Group.RUNNING].click()
        assert page.model.rowCount() == 1
        await page.press_until("Cancel", "Cancelled")
        await start.until(page.view.nothing.isVisible)
        page.view.table.setFocus()
        QTest.keyClick(page.view, Qt.Key.Key_Escape)
        assert page.model.rowCount() == 3
        assert page.counts() == {Group.DONE: 1, Group.CANCELLED: 2}
        page.press("Resume")
        await start.until(lambda: page.states()["wait"] == "running")
        page.view.step_action_requested.emit("cancel", "wait")
        await start.until(lambda: page.states()["wait"] == "cancelled")
        await start.until(lambda: page.states()["end"] == "skipped")
        page.view.step_action_requested.emit("skip", "wait")
        await start.until(lambda: page.states()["end"] == "done")


async def test_an_interrupted_run_is_offered_when_the_plugins_that_it_calls_are_loaded(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin, go = plugin_file(tmp_path / "slow.py", SLOW_PLUGIN), tmp_path / "go"
    go.touch()
    async with batch_page(theme, tmp_path, plugin) as (start, page):
        await page.open(tmp_path / "plan.yaml", OF_A_PLUGIN, 2)
        page.press("Run")
        await start.until(lambda: page.states()["wait"] == "running")
    go.unlink()
    start = Start(theme, tmp_path, plugin)
    loading = asyncio.create_task(start.loaded())
    page = await page_of(start)
    await start.until(lambda: start.console.batches.parts is not None)
    parts = start.console.batches.parts
    assert parts is not None
    assert len(await parts.runs.kept(interrupted=True)) == 1
    await asyncio.sleep(0.05)
    assert not page.view.banner.isVisible()
    go.touch()
    await loading
    await start.until(page.view.banner.isVisible)
    await page.press_until("Show it", "Interrupted")
    await start.end()


async def test_an_interrupted_run_is_offered_and_goes_on(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        page.press("Run")
        await start.until(lambda: page.states()["wait"] == "running")
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(page.view.banner.isVisible)
        assert "A run of holding was interrupted." in page.words()
        assert any("1 of 3 steps are done" in word for word in page.words())
        await page.press_until("Show it", "Interrupted")
        await start.until(lambda: page.states() == {"begin": "done", "wait": "queued", "end": "queued"})
        assert start.console.batches.opened is not None
        assert start.console.batches.opened.path == tmp_path / "holding.yaml"
        page.press("Resume")
        await start.until(lambda: page.states()["wait"] == "running")
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(page.view.banner.isVisible)
        page.press("Leave it")
        await start.until(lambda: not page.view.banner.isVisible())
    async with batch_page(theme, tmp_path) as (start, page):
        parts = start.console.batches.parts
        assert parts is not None
        assert not await parts.runs.kept(interrupted=True)
        kept = await parts.runs.kept(interrupted=False)
        assert [(run.plan, run.done, run.is_over) for run in kept] == [("holding", 1, True)]
        listed = RunsModel()
        listed.show_rows(kept)
        assert listed.index(0, 1).data() == "Stopped"


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Make nothing ready before the event comes."""
    may_go_on = threading.Event()
    prepare = BatchExecutor.prepare

    def prepared(*given: Any, **more: Any) -> Any:
        assert may_go_on.wait(PATIENCE_S)
        return prepare(*given, **more)

    monkeypatch.setattr(BatchExecutor, "prepare", prepared)
    return may_go_on


async def test_other_calls_go_on_while_a_run_is_made_ready_and_the_end_of_the_program_waits_for_it(
    theme: ThemeController, tmp_path: Path, slowly: threading.Event
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        await page.press_until("Run", "Starting")
        assert await start.run("echo") is CallStatus.EXECUTED
        assert page.view.header.badge.text == "Starting"
        asyncio.get_running_loop().call_later(0.05, slowly.set)
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(page.view.banner.isVisible)
        assert "A run of holding was interrupted." in page.words()


async def test_a_run_that_is_made_ready_goes_on_already_for_whoever_wants_to_leave_it(
    theme: ThemeController, tmp_path: Path, slowly: threading.Event
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        await page.press_until("Run", "Starting")
        page.view.file_chosen.emit("open", str(tmp_path / "other.yaml"))
        assert any("A run goes on; let it end" in words for words in start.words())
        start.console.window.close()
        await start.until(lambda: start.console.window.findChildren(ClosingBox))
        (box,) = start.console.window.findChildren(ClosingBox)
        assert box.isVisible()
        parts = start.console.batches.parts
        assert parts is not None
        runs = parts.runs
        with pytest.raises(CallStateError, match="another run is just being made ready"):
            await runs.begin(BatchPlan(), tmp_path, {})
        slowly.set()
        await start.until(lambda: page.states()["wait"] == "running")
        box.reject()
        await page.press_until("Cancel", "Cancelled")


async def test_a_run_that_does_not_begin_after_all_says_why_and_holds_nobody_up(
    theme: ThemeController, tmp_path: Path, slowly: threading.Event
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        await page.press_until("Run", "Starting")
        start.console.window.close()
        await start.until(lambda: start.console.window.findChildren(ClosingBox))
        start.console._workbench.registry.disable("hold")
        slowly.set()
        await page.until_phase("Cannot run")
        await start.until(lambda: any("The plan did not run: " in words for words in start.words()))
        await start.until(lambda: not any(box.isVisible() for box in start.console.window.findChildren(ClosingBox)))
        assert not start.console.batches.goes_on


async def test_a_step_that_was_changed_to_what_cannot_be_read_is_not_run_again_and_says_why(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        await page.press_until("Run", "Failed")
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change(1, arguments={"expression": "${steps.first.result"})
        page.view.header.action_requested.emit("retry_failed")
        await start.until(lambda: any("expected a closing brace after" in words for words in start.words()))
        assert page.states()["broken"] == "failed"
        await start.until(lambda: page.model.rows[1].problem)
        assert "expected a closing brace after" in page.model.rows[1].problem


async def test_what_came_of_a_plan_is_not_shown_at_another_with_steps_of_the_same_names(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", SUMS, 4)
        await page.press_until("Run", "Failed")
        write(tmp_path / "other.yaml", SUMS.replace("name: sums", "name: other"))
        page.view.file_chosen.emit("open", str(tmp_path / "other.yaml"))
        await start.until(lambda: page.view.header.plan.text() == "other")
        await page.until_phase("Ready")
        parts = start.console.batches.parts
        assert parts is not None
        runs = parts.runs
        await start.until(lambda: runs._held is None)
        assert set(page.states().values()) == {"queued"}


async def test_what_is_wrong_with_a_plan_is_said_where_it_is(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        torn = tmp_path / "torn.yaml"
        torn.write_text("steps:\n  - id: a\n    toll: echo\n", "utf-8")
        page.view.file_chosen.emit("open", str(torn))
        await start.until(page.view.banner.isVisible)
        assert "torn.yaml cannot be opened." in page.words()
        wrong = tmp_path / "wrong.yaml"
        unread = tmp_path / "unread.yaml"
        unread.write_text("steps:\n  - {id: a, tool: echo, arguments: {text: '${steps.b'}}\n", "utf-8")
        page.view.file_chosen.emit("open", str(unread))
        await start.until(lambda: page.model.rowCount() == 1 and page.model.rows[0].problem)
        assert "expected a closing brace" in page.model.rows[0].problem
        wrong.write_text("steps:\n  - {id: a, tool: ecco}\n  - {id: b, tool: echo}\n", "utf-8")
        page.view.file_chosen.emit("open", str(wrong))
        await start.until(lambda: page.model.rowCount() == 2 and page.model.rows[0].problem)
        assert not page.view.banner.isVisible()
        assert not page.view.header.run.isEnabled()
        assert page.view.header.run.toolTip() == "a: No tool is called 'ecco'; did you mean 'echo'?"
        assert page.model.index(0, PlanColumn.RESULT).data().startswith("No tool is called 'ecco'")


async def test_steps_say_beforehand_that_they_will_ask_and_wait_for_the_answer(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        text = "steps:\n  - {id: wipe, tool: erase}\n  - {id: tell, tool: echo, depends_on: [wipe]}\n"
        await page.open(tmp_path / "wipe.yaml", text, 2)
        await start.until(lambda: page.model.index(0, PlanColumn.RESULT).data() == "Will ask you first")
        assert page.model.index(1, PlanColumn.RESULT).data() == ""
        page.press("Run")
        await start.until(lambda: page.model.index(0, PlanColumn.STATUS).data() == "Needs you")
        assert page.counts()[Group.WAITING] == 1
        (request,) = start.console.desk.open_requests
        start.console.desk.answer(request.id, ExitEarly("no"))
        await page.until_phase("Failed")
        assert page.model.rows[0].facts.state is StepState.DENIED


async def test_a_plan_that_asks_as_a_whole_says_that_it_waits(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        text = "name: wipe\napprove: plan\nsteps:\n  - {id: wipe, tool: erase}\n  - {id: tell, tool: echo}\n"
        await page.open(tmp_path / "wipe.yaml", text, 2)
        await page.press_until("Run", "Waiting for approval")
        assert page.view.header.badge.accessibleName() == "State: Waiting for approval"
        assert start.console.batches.progress.words == "wipe: waits for your answer"
        assert page.states() == {"wipe": "queued", "tell": "queued"}
        assert not page.view.header.pause.isEnabled()
        (request,) = start.console.desk.open_requests
        start.console.desk.answer(request.id, ExitEarly("no"))
        await page.until_phase("Failed")
        await page.press_until("Run", "Waiting for approval")
        await page.press_until("Cancel", "Cancelled")
        assert not start.console.desk.open_requests


async def test_plans_without_a_name_have_runs_of_their_own(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        for name in ("morning", "evening"):
            await page.open(tmp_path / f"{name}.yaml", "steps: [{id: a, tool: echo}]", 1)
            await start.until(lambda: page.view.header.plan.text() == name)  # noqa: B023 -- it is waited for here
            await page.until_phase("Ready")
            await start.until(page.view.header.run.isEnabled)
            await page.press_until("Run", "Done")
        await page.press_until("Run", "Starting")
        await page.until_phase("Done")
        assert start.console.batches.parts is not None
        start.console.batches.parts.menu.show_runs()
        (dialog,) = start.console.window.findChildren(RunsDialog)
        await start.until(lambda: dialog.runs.model() is not None and dialog.runs.model().rowCount() == 2)
        kept = await start.console.batches.parts.runs.kept(interrupted=False)
        assert [run.title for run in kept] == ["evening", "evening", "morning"]
        dialog.accept()


async def test_a_plan_that_changes_on_disk_while_it_runs_says_what_goes_on(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        path = tmp_path / "holding.yaml"
        await page.open(path, HOLDING, 3)
        page.press("Run")
        await start.until(lambda: page.states()["wait"] == "running")
        write(path, HOLDING.replace("id: end", "id: last"))
        words = "holding.yaml was changed by another program, and is shown as it is now"
        await start.until(lambda: f"{words}; what runs goes on as it began" in start.words())


async def test_another_file_of_the_same_name_shows_no_results_of_the_run_before(
    theme: ThemeController, tmp_path: Path
) -> None:
    plan = "name: mixed\nsteps:\n  - {id: share, tool: calculate, arguments: {expression: 1 / 0}}\n"

    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "mixed.yaml", plan, 1)
        await page.press_until("Run", "Failed")
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change(0, arguments={"expression": "1 / 2"})
        await start.until(lambda: opened.is_checked and page.view.header.run.isEnabled())
        await page.press_until("Retry failed (1)", "Done")
        opened.save(tmp_path / "other.yaml")
        await start.until(lambda: opened.path == tmp_path / "other.yaml")
        # It is the same plan, whatever its file is called now.
        assert page.view.header.badge.text == "Done"
        page.view.file_chosen.emit("open", str(tmp_path / "mixed.yaml"))
        await page.until_phase("Ready")
        await asyncio.sleep(0.1)
        assert (page.view.header.badge.text, page.states()) == ("Ready", {"share": "queued"})
        await page.press_until("Run", "Failed")
        write(tmp_path / "copy.yaml", plan)
        page.view.file_chosen.emit("open", str(tmp_path / "copy.yaml"))
        await page.until_phase("Ready")
        await asyncio.sleep(0.1)
        assert page.view.header.badge.text == "Ready"
        # A run that began as another plan of its file is shown without one, though a copy has the same steps.
        parts = start.console.batches.parts
        assert parts is not None
        runs, files = parts.runs, parts.files
        files.reopen((await runs.kept(interrupted=False))[-1])
        await page.until_phase("Done")
        # How the run ended comes from another thread, and may be shown before the plan.
        await start.until(lambda: (opened.path, opened.title, page.states()) == (None, "mixed", {"share": "done"}))


async def test_a_further_plan_without_a_file_shows_no_results_of_the_one_before(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        batches = start.console.batches
        for text in ("a", "b"):
            batches.begin_calls("mine", [("echo", {"text": text})])
            if text == "b":
                await start.until(start.questions)
                click(start.questions()[0], "Lose them")
            await page.until_phase("Ready")
            await start.until(page.view.header.run.isEnabled)
            assert set(page.states().values()) == {"queued"}
            await page.press_until("Run", "Done")


async def test_a_run_is_listed_as_done_when_only_a_condition_left_something_out(
    theme: ThemeController, tmp_path: Path
) -> None:
    text = """steps:
  - {id: tell, tool: echo}
  - {id: never, tool: echo, condition: "`false`"}
"""

    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "partly.yaml", text, 2)
        await page.press_until("Run", "Done")
        parts = start.console.batches.parts
        assert parts is not None
        runs = parts.runs
        await start.until(lambda: not runs.goes_on)
        (kept,) = await runs.kept(interrupted=False)
        assert (kept.done, kept.steps, kept.is_over) == (2, 2, True)


async def test_rows_that_are_not_there_are_told_before_the_plan_runs(theme: ThemeController, tmp_path: Path) -> None:
    text = """steps:
  - {id: each, tool: echo, rows: {csv: data/none.csv}, arguments: {text: "${row.a}"}}
  - {id: later, tool: echo, depends_on: [each], rows: {csv: data/written.csv}, arguments: {text: "${row.a}"}}
"""

    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "lost.yaml", text, 2)
        said = "Its rows are not there yet: data/none.csv"
        await start.until(lambda: page.model.index(0, PlanColumn.RESULT).data() == said)
        assert page.model.index(1, PlanColumn.RESULT).data() == ""
        await page.press_until("Run", "Failed")
        assert "data/none.csv is not there." in page.view.failure.accessibleName()


async def test_a_plan_can_run_as_soon_as_its_tools_are_there(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        path = tmp_path / "late.yaml"
        write(path, "steps: [{id: enter, tool: sign_in, arguments: {key: k-4711}}]")
        page.view.file_chosen.emit("open", str(path))
        await start.until(lambda: page.view.header.run.toolTip().startswith("enter: No tool is called 'sign_in'"))
        registry = start.console.executor.registry
        unregister = registry.register_all(resolve_tools((sign_in,)))
        await start.until(page.view.header.run.isEnabled)
        unregister()
        await start.until(lambda: not page.view.header.run.isEnabled())


async def test_values_that_tools_hide_are_typed_unseen(theme: ThemeController, tmp_path: Path) -> None:
    text = """parameters: {key: {}, who: {}}
steps:
  - {id: enter, tool: sign_in, arguments: {key: "${parameters.key}"}}
  - {id: tell, tool: echo, arguments: {text: "${parameters.who}"}}
"""

    async with started(theme, tmp_path) as start:
        start.console.executor.registry.register_all(resolve_tools((sign_in,)))
        page = await page_of(start)
        await page.open(tmp_path / "enter.yaml", text, 2)
        page.press("Run")
        await start.until(lambda: start.console.window.findChildren(ValuesDialog))
        (dialog,) = start.console.window.findChildren(ValuesDialog)
        await start.until(lambda: len(dialog.form.findChildren(QLineEdit)) == 2)
        fields = {field.accessibleName(): field for field in dialog.form.findChildren(QLineEdit)}
        assert fields["argument key"].echoMode() is QLineEdit.EchoMode.Password
        assert fields["argument who"].echoMode() is QLineEdit.EchoMode.Normal
        dialog.reject()


def test_the_head_says_how_far_the_look_ahead_is() -> None:
    facts = RunFacts(Phase.LOOKING, "run", looked=3200, to_look_at=10_000)
    assert facts.phase.goes_on
    now = datetime.now(UTC)
    assert plan_words(facts, 2, 4, (), now) == "Looking at what would be asked, 3,200 of 10,000"
    assert plan_words(facts._replace(to_look_at=0), 2, 4, (), now) == "Looking at what would be asked"
    can = abilities_of(facts, failed=0, cancelled=0, is_sound=True)
    assert (can.run, can.pause, can.cancel) == (False, False, True)


@tool(read_only=True, idempotent=True)
@security(mask_fields=("key", "result.token"))
def sign_in(key: str) -> dict[str, str]:
    """Get a token."""
    return {"token": f"token of {key}", "user": "Ada"}


@tool(read_only=True, idempotent=True)
@security(sensitive=True)
def keep(what: str, number: int) -> str:
    """Keep something to yourself."""
    return f"{what} {number}"


async def test_what_tools_hide_is_hidden_on_the_page_too(tmp_path: Path) -> None:
    plan = BatchPlan(
        steps=(
            Step(id="enter", tool="sign_in", arguments={"key": "k-4711"}),
            Step(id="use", tool="echo", arguments={"text": "${steps.enter.result.token}"}),
            Step(id="keep", tool="keep", arguments={"what": "a diary", "number": 7}),
        )
    )
    registry = ToolRegistry()
    registry.register_all(resolve_tools((echo, sign_in, keep)))
    async with aclosing(Executor(registry)) as executor:
        run = BatchExecutor(executor=executor).prepare(plan, folder=tmp_path)
        await run.go()
        assert run.results["enter"].result["token"] == "token of k-4711"
        entered, used = (told(run, plan, name, 10, registry) for name in ("enter", "use"))
        assert entered.arguments == {"key": MASK}
        assert entered.result == {"token": MASK, "user": "Ada"}
        assert used.arguments == {"text": MASK}
        kept = told(run, plan, "keep", 10, registry)
        assert kept.arguments == {"what": MASK, "number": MASK}
        assert kept.result == MASK
        assert told(None, plan, "keep", 10, registry).arguments == {"what": MASK, "number": MASK}


@pytest.mark.expects_log("console.batch.engine_run")
async def test_a_run_that_cannot_be_written_down_ends_and_says_why(tmp_path: Path) -> None:
    plan = BatchPlan(steps=(Step(id="tell", tool="echo"),))
    registry = ToolRegistry()
    registry.register_all(resolve_tools((echo,)))
    async with aclosing(Executor(registry)) as executor:
        published: list[set[str]] = []
        watch = RunWatch(published.append, lambda: False)
        batches = BatchExecutor(executor=executor)
        run = batches.prepare(plan, listener=watch, folder=tmp_path, journal=tmp_path / "run.jsonl")
        held = EngineRun(run, watch, "run", datetime.now(UTC))
        run.close()
        held.go()
        await until(lambda: not held.goes_on and held.update([]).facts.problem)
        facts = held.update(["tell"]).facts
        assert facts.phase is Phase.INTERRUPTED
        assert "closed file" in facts.problem
        await held.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of sizes")
@pytest.mark.expects_log("console.batch.engine_run")
async def test_a_full_disk_ends_a_run_and_is_no_failure_of_the_program(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from tests.full_disk import full_disk  # noqa: PLC0415 -- Windows has nothing of it

    plan = BatchPlan(steps=(Step(id="tell", tool="echo"),))
    registry = ToolRegistry()
    registry.register_all(resolve_tools((echo,)))
    async with aclosing(Executor(registry)) as executor:
        watch = RunWatch(lambda _: None, lambda: False)
        batches = BatchExecutor(executor=executor)
        run = batches.prepare(plan, listener=watch, folder=tmp_path, journal=tmp_path / "run.jsonl")
        held = EngineRun(run, watch, "run", datetime.now(UTC))
        with full_disk():
            held.go()
            await until(lambda: not held.goes_on and held.update([]).facts.problem)
        problem = held.update(["tell"]).facts.problem
        assert "make room, then resume it" in problem
        (record,) = [one for one in caplog.records if one.name == "console.batch.engine_run"]
        assert record.getMessage().endswith(problem)
        assert record.exc_info is None
        await held.close()


@tool(destructive=True)
async def shred(until: str) -> None:
    """Do something that is asked about, until a file is there."""
    while not Path(until).exists():  # noqa: ASYNC110, ASYNC240 -- the test makes it
        await asyncio.sleep(0.001)


@pytest.mark.expects_log("tools.calls")
async def test_a_step_waits_for_nobody_any_more_when_it_runs_again_after_it_was_denied(tmp_path: Path) -> None:
    goes = tmp_path / "goes"
    plan = BatchPlan(steps=(Step(id="papers", tool="shred", arguments={"until": str(goes)}),))
    registry = ToolRegistry()
    registry.register_all(resolve_tools((shred,)))
    async with aclosing(Executor(registry, review_handler=Answers(ExitEarly("no")))) as executor:
        watch = RunWatch(lambda _: None, lambda: False)
        run = BatchExecutor(executor=executor).prepare(plan, listener=watch, folder=tmp_path)
        held = EngineRun(run, watch, "run", datetime.now(UTC))
        held.go()
        await until(lambda: not held.goes_on)
        await until(lambda: not watch.waiting.get("papers"))
        run.retry("papers")
        held.go()
        facts = held.update(["papers"]).steps["papers"]
        while facts.state is not StepState.RUNNING or facts.is_waiting:
            await asyncio.sleep(0)
            facts = held.update(["papers"]).steps["papers"]
        goes.touch()
        await until(lambda: not held.goes_on)
        await held.close()


@pytest.mark.parametrize(("name", "caller"), [("name: tidy up\n", "batch: tidy up"), ("", "batch: sums")])
async def test_the_calls_of_a_plan_are_made_by_the_plan(
    theme: ThemeController, tmp_path: Path, name: str, caller: str
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(tmp_path / "sums.yaml", f"{name}steps:\n  - id: say\n    tool: echo\n", 1)
        page.press("Run")
        await start.until(lambda: page.states() == {"say": "done"})
        console = start.console
        table = console.activity_view.findChild(QTableView)
        assert table is not None
        model = table.model()
        assert isinstance(model, ActivityModel)
        await start.until(model.rowCount)
        assert model.index(0, CallColumn.CALLER).data() == caller
        # The history is written by a thread of its own; to be given the record is to know that it is there.
        assert await console.records.record_of(model.rows[0].call_id) is not None
        assert (await console.records.names())[1] == (caller,)
        folder = console.records.audit_folder
        assert folder is not None

        def audited() -> bool:
            return any(f'"{caller}"' in path.read_text("utf-8") for path in folder.rglob("*.jsonl"))

        await start.until(audited)
