"""Pictures of the Batch page: a real plan with real calls, from its opening to a failure that is mended."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize

from console.batch.rows import Group
from console.batch.view import BatchView
from tools.calls import ExitEarly

if TYPE_CHECKING:
    from tests.shots import Stage

HERE: Final = Path(__file__).parent
TOOLS: Final = HERE / "digest_tools.py"
PLAN: Final = HERE / "digest.yaml"
NARROW: Final = QSize(1180, 800)

WRONG: Final = """name: wrong
steps:
  - id: load_tickets
    tool: load_table
    arguments: {path: data/tickets.csv}
  - id: lanes
    tool: group_row
    arguments: {rows: "${steps.load_tickets.result.rows}", by: lane}
  - id: chart
    tool: chart
    arguments: {columns: "${steps.lane.result}", column: lane}
  - id: summarise
    tool: summarise
    arguments: {rows: [], priority: high, pace: fast}
"""
ASKING: Final = """name: wipe
approve: plan
steps:
  - {id: read, tool: read_file, arguments: {path: README.md}}
  - {id: wipe, tool: delete_file, arguments: {path: README.md}, depends_on: [read]}
"""
TORN: Final = """name: torn
steps:
  - id: load_tickets
    tool: load_table
    argumants: {path: data/tickets.csv}
"""


async def page_of(stage: Stage) -> BatchView:
    """Bring the page to the front."""
    stage.console.window.rail.choose("batch")
    await stage.until(lambda: stage.console.window.findChildren(BatchView))
    (page,) = stage.console.window.findChildren(BatchView)
    await stage.until(page.isVisible)
    return page


async def open_plan(stage: Stage, page: BatchView, plan: Path) -> None:
    """Open a plan, and wait until it can be run."""
    page.file_chosen.emit("open", str(plan))
    await stage.until(lambda: page.table.model().rowCount() > 1 and page.header.run.isEnabled())


def counts(page: BatchView) -> dict[Group, int]:
    """Return how many steps stand how, as the strip shows it."""
    return {group: button.count for group, button in page.strip.counts.items() if button.count}


async def batch(stage: Stage) -> None:
    """A plan that is opened, runs, fails, and is mended."""
    await stage.open(first_time=False, data=stage.home / f"batch-{stage.theme.mode}", plugins=[TOOLS])
    plan = Path(shutil.copy(PLAN, stage.project / "nightly-ticket-digest.yaml"))
    page = await page_of(stage)
    await stage.take("batch-empty")
    await open_plan(stage, page, plan)
    await stage.take("batch-ready")
    page.header.run.click()
    await stage.until(lambda: page.header.badge.text == "Failed")
    await stage.take("batch-failed")
    page.header.run.click()
    await stage.until(lambda: counts(page).get(Group.FAILED) and counts(page).get(Group.RUNNING))
    page.table.chosen.emit("chart_refunds")
    await asyncio.sleep(1)
    await stage.take("batch")
    await stage.until(lambda: page.header.badge.text == "Failed")
    page.table.chosen.emit("summarise_low")
    page.table.opened.emit("summarise_low")
    await stage.take("batch-step")
    page.table.chosen.emit("customers_note")
    page.table.opened.emit("customers_note")
    await stage.take("batch-step-rows")
    stage.console.window.resize(NARROW)
    await stage.take("batch-narrow")
    page.beside.setSizes([1, 2000])
    await stage.take("batch-narrowest")
    await stage.close()


async def batch_states(stage: Stage) -> None:
    """A file that holds no plan, a plan that cannot run, and a run that was interrupted."""
    data = stage.home / f"batch-states-{stage.theme.mode}"
    await stage.open(first_time=False, data=data, plugins=[TOOLS])
    page = await page_of(stage)
    for name, text in (("torn", TORN), ("wrong", WRONG)):
        plan = stage.project / f"{name}.yaml"
        plan.write_text(text, "utf-8")
        page.file_chosen.emit("open", str(plan))
        await asyncio.sleep(1)
        await stage.take(f"batch-{name}")
    plan = Path(shutil.copy(PLAN, stage.project / "nightly-ticket-digest.yaml"))
    await open_plan(stage, page, plan)
    page.header.run.click()
    await stage.until(lambda: counts(page).get(Group.RUNNING))
    await stage.close()
    await stage.open(first_time=False, data=data, plugins=[TOOLS])
    page = await page_of(stage)
    await stage.until(page.banner.isVisible)
    await stage.take("batch-interrupted")
    page.banner.buttons["first"].click()
    # The run is told before the file of its plan is read.
    await stage.until(lambda: page.header.resume.isEnabled() and counts(page).get(Group.DONE))
    await stage.take("batch-reopened")
    plan = stage.project / "wipe.yaml"
    plan.write_text(ASKING, "utf-8")
    page.file_chosen.emit("open", str(plan))
    await stage.until(lambda: page.header.plan.text() == "wipe" and page.header.run.isEnabled())
    page.header.run.click()
    await stage.until(lambda: bool(stage.console.desk.open_requests))
    await stage.take("batch-asking")
    stage.console.desk.answer(stage.console.desk.open_requests[0].id, ExitEarly("not now"))
    await stage.until(lambda: page.header.badge.text == "Failed")
    await stage.close()
