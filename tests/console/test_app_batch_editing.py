"""Plans written in the real program: on the page, from tools' pages, from past calls and from tables; their runs."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from console.batch.compare_view import RunsDialog
from console.batch.document_csv_view import CsvDialog
from console.batch.document_presenter import OpenPlan
from console.batch.parameters_view import ValuesDialog
from console.batch.parts import BatchParts
from console.batch.rows import Phase, PlanColumn
from console.comparison import ComparisonDialog
from console.theme import ThemeController
from console.widgets.dialogs import QuestionBox
from console.window.project import folder_of
from tests.console.test_app_batches import Page, batch_page, page_of, write
from tests.console.test_app_console import Start, click, started

Dialog = TypeVar("Dialog", bound=QDialog)
pytestmark = pytest.mark.expects_log("tools.calls")

PLAN = """# what is owed
name: sums
parameters:
  rate: {type: integer, description: What an hour costs}
steps:
  - id: hours
    tool: calculate
    arguments: {expression: "6 * 7"}
  - id: owed   # in euros
    tool: calculate
    arguments: {expression: "${steps.hours.result.result} * ${parameters.rate}"}
"""


def _parts(start: Start) -> tuple[BatchParts, OpenPlan]:
    editing, opened = start.console.batches.parts, start.console.batches.opened
    assert editing is not None
    assert opened is not None
    return editing, opened


async def _dialog(start: Start, kind: type[Dialog]) -> Dialog:
    def shown() -> list[Dialog]:
        return [dialog for dialog in start.console.window.findChildren(kind) if dialog.isVisible()]

    await start.until(shown)
    return shown()[0]


async def _open(start: Start, page: Page, path: Path, text: str = PLAN, steps: int = 2) -> None:
    write(path, text)
    page.view.file_chosen.emit("open", str(path))
    await start.until(lambda: page.model.rowCount() == steps and _parts(start)[1].is_checked)


async def _run(start: Start, page: Page, rate: int) -> None:
    parts = start.console.batches.parts
    assert parts is not None
    presenter = parts.presenter
    before = presenter.facts.run
    page.press("Run")
    dialog = await _dialog(start, ValuesDialog)
    dialog.form.set_value({"rate": rate})
    dialog.go.click()
    await start.until(lambda: presenter.facts.run != before and presenter.facts.phase is Phase.OVER)
    assert page.states() == {"hours": "done", "owed": "done"}


async def test_a_plan_is_written_in_the_table_asked_for_values_run_and_compared(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await _open(start, page, tmp_path / "sums.yaml")
        editing, opened = _parts(start)
        editing.table.edit_requested.emit(0, 1)
        field = editing.table.editor
        assert field is not None
        QTest.keyClicks(field, "work")
        QTest.keyClick(field, Qt.Key.Key_Return)
        await start.until(lambda: [row.planned.step for row in page.model.rows] == ["work", "owed"])
        await start.until(lambda: opened.is_checked)
        assert opened.problems == ()
        editing.table.requested.emit("undo", [])
        await start.until(lambda: opened.is_checked and page.view.header.run.isEnabled())
        await _run(start, page, 10)
        opened.document.change(0, arguments={"expression": "6 * 8"})
        await start.until(lambda: opened.is_checked and page.view.header.run.isEnabled())
        await _run(start, page, 11)
        editing.menu.show_runs()
        runs = await _dialog(start, RunsDialog)
        await start.until(lambda: runs.changes.model().rowCount() == 2)
        assert runs.runs.model().rowCount() == 2
        assert runs.summary.text == "2 of 2 steps differ · given otherwise: rate"
        assert runs.changes.model().index(0, 3).data().startswith("Other arguments; ")
        runs.values_requested.emit("owed")
        compared = await _dialog(start, ComparisonDialog)
        compared.reject()
        runs.runs.selectRow(1)
        runs.open_run.click()
        box = await _dialog(start, QuestionBox)
        click(box, "Lose them")
        await start.until(lambda: opened.plan.steps[0].arguments == {"expression": "6 * 7"})


async def test_the_sheet_of_a_step_mends_what_failed(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        text = PLAN.replace("6 * 7", "1 / 0").replace("  rate: {type", "  rate: {default: 2, type")
        await _open(start, page, tmp_path / "sums.yaml", text)
        editing, _ = _parts(start)
        await start.until(page.view.header.run.isEnabled)
        await page.press_until("Run", "Failed")
        page.press("Edit arguments")
        assert editing.sheet.isVisible()
        editing.sheet.arguments.set_value({"expression": "1 + 2"})
        editing.sheet.apply.click()
        await start.until(lambda: "hours is changed; Retry runs it as it is now" in start.words())
        await page.press_until("Retry failed (1)", "Done")
        assert page.states() == {"hours": "done", "owed": "done"}


async def test_what_stands_in_the_sheet_is_taken_over_before_a_plan_is_saved_run_retried_or_left(
    theme: ThemeController, tmp_path: Path
) -> None:
    plan = "steps:\n  - {id: share, tool: calculate, arguments: {expression: 10 / 0}}\n"

    async with batch_page(theme, tmp_path) as (start, page):
        path = tmp_path / "share.yaml"
        await _open(start, page, path, plan, 1)
        editing, opened = _parts(start)

        def put(expression: str) -> None:
            editing.editor.open_sheet(0)
            editing.sheet.arguments.set_value({"expression": expression})

        put("20 / 0")
        assert start.console.batches.unsaved() == "share"
        put("30 / 0")
        page.view.header.file_requested.emit("save")
        await start.until(lambda: "30 / 0" in path.read_text("utf-8"))
        await start.until(lambda: opened.is_checked and page.view.header.run.isEnabled())
        put("40 / 0")
        await page.press_until("Run", "Failed")
        assert opened.plan.steps[0].arguments == {"expression": "40 / 0"}
        assert "40 / 0" in (page.model.rows[0].facts.error or "")
        editing.editor.close_sheet()
        editing.table.edit_requested.emit(0, PlanColumn.ARGUMENTS)
        field = editing.table.editor
        assert field is not None
        field.setText("expression=40 /")
        page.view.header.file_requested.emit("save")
        assert editing.table.editor is field
        assert "40" not in path.read_text("utf-8")
        field.setText('expression="40 / 8"')
        await page.press_until("Retry", "Done")
        assert page.states() == {"share": "done"}
        opened.save()
        await start.until(lambda: not opened.document.is_dirty)


async def test_what_is_written_of_one_plan_is_given_up_with_it_and_not_taken_over_into_the_next(
    theme: ThemeController, tmp_path: Path
) -> None:
    plan = "steps:\n  - {id: share, tool: calculate, arguments: {expression: 10 / 0}}\n"

    async with batch_page(theme, tmp_path) as (start, page):
        await _open(start, page, tmp_path / "share.yaml", plan, 1)
        write(tmp_path / "other.yaml", plan)
        editing, opened = _parts(start)
        editing.editor.open_sheet(0)
        editing.sheet.arguments.set_value({"expression": "1"})
        editing.sheet.name.setText("a name: with a colon")
        page.view.file_chosen.emit("open", str(tmp_path / "other.yaml"))
        click(await _dialog(start, QuestionBox), "Lose them")
        await start.until(lambda: opened.path == tmp_path / "other.yaml")
        assert editing.sheet.isHidden()
        assert opened.plan.steps[0].arguments == {"expression": "10 / 0"}


async def test_calls_of_tools_pages_become_steps(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        tools = start.console.open_tools
        tools.open("echo")
        view = start.page("echo")
        view.document.replace({"text": "${not} taken"})
        tools.focus_arguments("echo")
        field = QApplication.focusWidget()
        assert field is not None
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        await start.until(lambda: "echo is a step of New plan now; the Batch page shows it" in start.words())
        view.header.batch_button.click()
        start.console.browser_view.batch_requested.emit("hold")
        page = await page_of(start)
        await start.until(lambda: page.model.rowCount() == 3)
        _, opened = _parts(start)
        assert [step.id for step in opened.plan.steps] == ["echo", "echo_2", "hold"]
        opened.document.remove([2])
        await start.until(lambda: page.model.rowCount() == 2 and opened.is_checked)
        await start.until(page.view.header.run.isEnabled)
        await page.press_until("Run", "Done")
        assert page.model.index(0, 8).data() == "${not} taken"


async def test_past_calls_run_again_as_a_plan(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        await start.run("echo")
        await start.run("echo")
        await start.run("stumble")
        histories = start.console.histories
        start.console.window.rail.choose("history")
        view = histories._view
        assert view is not None
        await start.until(lambda: view.table.model().rowCount() == 3)
        ids = [str(row.id) for row in view._model.rows]
        view.action_requested.emit("batch", ids[1:])
        page = await page_of(start)
        await start.until(lambda: page.model.rowCount() == 2)
        _, opened = _parts(start)
        assert [(step.id, step.tool) for step in opened.plan.steps] == [("echo", "echo"), ("echo_2", "echo")]
        assert opened.title == "past calls"
        view.action_requested.emit("batch", ids[:1])
        await start.until(lambda: page.model.rowCount() == 3)
        assert opened.plan.steps[2].tool == "stumble"


async def test_a_table_becomes_a_plan_with_one_call_for_each_row(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        editing, opened = _parts(start)
        write(tmp_path / "words.csv", "text\nhello\nworld\n")
        editing.menu.open_table(str(tmp_path / "words.csv"))
        dialog = await _dialog(start, CsvDialog)
        dialog.tool.setText("echo")
        await start.until(dialog.make.isEnabled)
        assert dialog.columns.value() == {"text": "text"}
        dialog.make.click()
        await start.until(lambda: page.model.rowCount() == 1)
        assert opened.title == "words: echo"
        await start.until(page.view.header.run.isEnabled)
        await page.press_until("Run", "Done")
        assert page.model.index(0, 8).data() == "2 of 2"


async def test_changes_that_are_not_saved_are_not_lost_unasked(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        await _open(start, page, tmp_path / "sums.yaml")
        editing, opened = _parts(start)
        editing.menu.settings.open_sheet()
        editing.menu.sheet.form.set_value({**editing.menu.sheet.values, "parallelism": 2})
        editing.menu.sheet.apply.click()
        assert opened.plan.limits.parallelism == 2
        page.view.file_chosen.emit("new", "")
        box = await _dialog(start, QuestionBox)
        click(box, "Cancel")
        await start.until(lambda: not start.questions())
        assert opened.plan.limits.parallelism == 2
        page.view.file_chosen.emit("new", "")
        click(await _dialog(start, QuestionBox), "Lose them")
        await start.until(lambda: not opened.plan.steps)


async def test_changes_are_saved_before_another_plan_takes_the_place(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        file = tmp_path / "sums.yaml"
        await _open(start, page, file)
        _, opened = _parts(start)
        opened.document.change(0, arguments={"expression": "6 * 8"})
        page.view.file_chosen.emit("new", "")
        box = await _dialog(start, QuestionBox)
        QTest.keyClick(box.focusWidget(), Qt.Key.Key_Return)
        await start.until(lambda: not opened.plan.steps)
        assert "6 * 8" in file.read_text("utf-8")
        assert "# what is owed" in file.read_text("utf-8")
        assert opened.path is None


async def test_a_plan_that_cannot_be_saved_stays(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        file = tmp_path / "sums.yaml"
        await _open(start, page, file)
        _, opened = _parts(start)
        opened.document.change(0, arguments={"expression": "6 * 8"})
        write(file, PLAN.replace("6 * 7", "somebody else's"))
        page.view.file_chosen.emit("new", "")
        click(await _dialog(start, QuestionBox), "Save")
        await start.until(lambda: opened.is_changed_elsewhere)
        assert opened.plan.steps[0].arguments == {"expression": "6 * 8"}
        assert "somebody else's" in file.read_text("utf-8")
        # What was asked for is over: the plan is saved later, and stays.
        opened.keep_mine()
        await start.until(lambda: not opened.is_changed_elsewhere)
        page.view.header.file_requested.emit("save")
        await start.until(lambda: not opened.would_lose())
        assert len(opened.plan.steps) == 2


async def test_a_plan_without_a_file_gets_a_name_before_another_one_takes_its_place(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        start.console.batches.begin_calls("mine", [("echo", {"text": "a"})])
        await start.until(lambda: page.model.rowCount() == 1)
        _, opened = _parts(start)
        page.view.file_chosen.emit("new", "")
        click(await _dialog(start, QuestionBox), "Save")
        dialog = await _dialog(start, QFileDialog)
        dialog.reject()
        await start.until(lambda: not dialog_open(start))
        assert opened.plan.name == "mine"
        page.view.file_chosen.emit("new", "")
        click(await _dialog(start, QuestionBox), "Save")
        dialog = await _dialog(start, QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "mine.yaml"))
        await start.until(lambda: not opened.plan.steps)
        assert "name: mine" in (tmp_path / "mine.yaml").read_text("utf-8")


async def test_dialogs_begin_beside_the_plan_or_in_the_project_and_propose_one_name(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        header = page.view.header

        async def asked(key: str) -> tuple[str, list[str]]:
            header.file_requested.emit(key)
            dialog = await _dialog(start, QFileDialog)
            found = dialog.directory().absolutePath(), [Path(name).name for name in dialog.selectedFiles()]
            dialog.reject()
            await start.until(lambda: not dialog_open(start))
            return found

        for key in ("save", "save as"):
            header.file_requested.emit(key)
        assert not dialog_open(start)
        assert any("There is no plan to save yet" in words for words in start.words())
        project = folder_of(start.console.executor)
        assert (await asked("open"))[0] == str(project)
        start.console.batches.begin_calls("mine", [("echo", {"text": "a"})])
        await start.until(lambda: header.plan.text() == "mine •")
        assert await asked("save") == await asked("save as") == (str(project), ["mine.yaml"])
        _, opened = _parts(start)
        folder = tmp_path / "plans"
        folder.mkdir()
        opened.save(folder / "theirs.yaml")
        await start.until(lambda: header.plan.text() == "mine")
        assert await asked("save as") == (str(folder), ["theirs.yaml"])
        header.export_requested.emit("junit")
        dialog = await _dialog(start, QFileDialog)
        assert (dialog.directory().absolutePath(), dialog.defaultSuffix()) == (str(folder), "xml")
        dialog.reject()


async def test_dialogs_begin_where_a_file_was_chosen_last_when_the_project_folder_is_gone(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        start.console.executor.project_dir = tmp_path / "gone"
        last = tmp_path / "last"
        last.mkdir()
        write(last / "bad.yaml", "steps: 1")
        page.view.ask_for_file("open")
        (await _dialog(start, QFileDialog)).fileSelected.emit(str(last / "bad.yaml"))
        await start.until(page.view.banner.isVisible)
        for dialog in start.console.window.findChildren(QFileDialog):
            dialog.reject()
        await start.until(lambda: not dialog_open(start))
        page.view.ask_for_file("open")
        dialog = await _dialog(start, QFileDialog)
        assert dialog.directory().absolutePath() == str(last)
        dialog.reject()


def dialog_open(start: Start) -> bool:
    return any(dialog.isVisible() for dialog in start.console.window.findChildren(QFileDialog))
