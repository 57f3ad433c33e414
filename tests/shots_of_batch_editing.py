"""Pictures of plans that are written: cells, a step, limits, values, tables, runs, and the window that is closed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QScrollArea

from console.batch.compare_view import RunsDialog
from console.batch.document_csv_view import CsvDialog
from console.batch.parameters_view import ValuesDialog
from console.batch.progress_view import ClosingBox
from console.batch.rows import Phase, PlanColumn
from console.widgets.dialogs import QuestionBox
from tests.shots_of_batches import TOOLS, page_of

if TYPE_CHECKING:
    from console.batch.document_presenter import OpenPlan
    from console.batch.parts import BatchParts
    from console.batch.view import BatchView
    from tests.shots import Stage

PLAN = """name: ticket hours
parameters:
  day: {type: string, description: Which day}
  least: {type: integer, default: 3, description: Fewer tickets are no news}
limits: {parallelism: 4, timeout_s: 600, tools: {read_file: 2}}
steps:
  - id: load_tickets
    tool: load_table
    arguments: {path: data/tickets.csv}
  - id: find_todos
    tool: search_files
    arguments: {pattern: TODO|FIXME, path: .}
  - id: read_each
    tool: read_file
    rows: {files: "src/**/*.py"}
    arguments: {path: "${row.path}"}
  - id: report
    tool: write_fil
    arguments: {path: out.txt, text: "${steps.find_todos.result}", mode: 3}
  - id: notes
    tool: read_file
    arguments: {path: docs/none.md}
    depends_on: [load_tickets]
"""


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def _parts(stage: Stage) -> tuple[BatchParts, OpenPlan]:
    editing, opened = stage.console.batches.parts, stage.console.batches.opened
    assert editing is not None
    assert opened is not None
    return editing, opened


async def _shown(stage: Stage, kind: type[QDialog]) -> QDialog:
    await stage.until(lambda: [box for box in stage.console.window.findChildren(kind) if box.isVisible()])
    return next(box for box in stage.console.window.findChildren(kind) if box.isVisible())


async def _run(stage: Stage, page: BatchView) -> None:
    parts = stage.console.batches.parts
    assert parts is not None
    presenter = parts.presenter
    before = presenter.facts.run
    await stage.until(page.header.run.isEnabled)
    page.header.run.click()
    values = await _shown(stage, ValuesDialog)
    assert isinstance(values, ValuesDialog)
    values.form.set_value({"day": "2026-05-12", "least": 3})
    values.go.click()
    await stage.until(lambda: presenter.facts.run != before and presenter.facts.phase is Phase.OVER)


async def batch_editing(stage: Stage) -> None:
    """A plan that is written, mended, given values, and compared with its run before."""
    await stage.open(first_time=False, data=stage.home / f"editing-{stage.theme.mode}", plugins=[TOOLS])
    page = await page_of(stage)
    editing, opened = _parts(stage)
    path = _written(stage.project / "ticket-hours.yaml", PLAN)
    page.file_chosen.emit("open", str(path))
    await stage.until(lambda: page.table.model().rowCount() and opened.problems)
    editing.table.edit_requested.emit(3, PlanColumn.TOOL)
    await stage.take("batch-cell")
    editing.table.cancel()
    page.table.chosen.emit("find_todos")
    editing.editor.open_sheet(1)
    await asyncio.sleep(0.5)
    await stage.take("batch-sheet")
    editing.editor.close_sheet()
    await _settings(stage, editing)
    await _where(stage, editing)
    editing.menu.ask_for_values()
    await stage.take("batch-values")
    (await _shown(stage, ValuesDialog)).reject()
    await _table(stage, editing)
    opened.document.change(3, tool="write_file", arguments={"path": "out.txt", "text": "${steps.find_todos.status}"})
    await stage.until(lambda: opened.is_checked)
    opened.document.remove([3])
    await stage.until(lambda: opened.is_checked)
    await _run(stage, page)
    opened.document.change(3, arguments={"path": "README.md"})
    opened.document.change(1, arguments={"pattern": "def ", "path": "."})
    await stage.until(lambda: opened.is_checked)
    await _run(stage, page)
    editing.menu.show_runs()
    runs = await _shown(stage, RunsDialog)
    assert isinstance(runs, RunsDialog)
    await stage.until(lambda: runs.changes.model().rowCount())
    await stage.take("batch-runs")
    runs.reject()
    await stage.close()


async def _settings(stage: Stage, editing: BatchParts) -> None:
    """Show what holds for the whole plan, from its name to how people are asked."""
    sheet = editing.menu.sheet
    editing.menu.settings.open_sheet()
    await stage.take("batch-settings")
    scroll = sheet.findChild(QScrollArea)
    assert scroll is not None
    bar = scroll.verticalScrollBar()
    while bar.value() < bar.maximum():
        # What comes into sight is made then, and the end is farther away.
        bar.setValue(bar.maximum())
        await asyncio.sleep(0.1)
    sheet.form.focus_field(("approve",))
    await stage.take("batch-settings-approve")
    editing.menu.settings.close_sheet()


async def _where(stage: Stage, editing: BatchParts) -> None:
    """Ask where tools run, and refuse what is no address."""
    editing.menu.ask_for_backend()
    where = await _shown(stage, ValuesDialog)
    await stage.take("batch-where")
    assert isinstance(where, ValuesDialog)
    where.form.set_value({"cluster": "dask://cluster"})
    where.go.click()
    await stage.take("batch-where-wrong")
    where.reject()


async def _table(stage: Stage, editing: BatchParts) -> None:
    editing.menu.open_table(str(stage.project / "data" / "tickets.csv"))
    table = await _shown(stage, CsvDialog)
    assert isinstance(table, CsvDialog)
    table.tool.setText("customer_profile")
    await stage.until(table.make.isEnabled)
    await stage.take("batch-csv")
    table.reject()


async def batch_closing(stage: Stage) -> None:
    """A window that is closed while a plan runs."""
    await stage.open(first_time=False, data=stage.home / f"closing-{stage.theme.mode}", plugins=[TOOLS])
    page = await page_of(stage)
    _, opened = _parts(stage)
    rows = [{"priority": "high", "ticket_id": "SUP-20411", "lane": "delivery"}] * 40
    waiting = {"id": "summarise", "tool": "summarise", "arguments": {"rows": rows, "priority": "high", "pace": 9}}
    steps = [{"id": f"count_{number}", "tool": "calculate", "arguments": {"expression": "6 * 7"}} for number in (1, 2)]
    plan = {"name": "nightly", "steps": [*steps, waiting]}
    path = _written(stage.project / "nightly.json", json.dumps(plan))
    page.file_chosen.emit("open", str(path))
    await stage.until(lambda: opened.path == path and page.header.run.isEnabled())
    page.header.run.click()
    await stage.until(lambda: stage.console.batches.progress.over == 2)
    opened.document.change_plan(description="Counts, and then sums up.")
    stage.console.window.close()
    box = await _shown(stage, ClosingBox)
    await stage.take("batch-closing")
    box.reject()
    await stage.close()
    await stage.open(first_time=False, data=stage.home / f"closing-{stage.theme.mode}", plugins=[TOOLS])
    page = await page_of(stage)
    _, opened = _parts(stage)
    await stage.until(lambda: opened.document.is_dirty)
    await stage.take("batch-draft")
    stage.console.window.close()
    question = await _shown(stage, QuestionBox)
    await stage.take("batch-draft-closing")
    question.reject()
    await stage.close()
