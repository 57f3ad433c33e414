"""Pictures of the Batch page: a real plan with real calls, from its opening to a failure that is mended."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.batch.view import BatchView

if TYPE_CHECKING:
    from tests.shots import Stage

HERE: Final = Path(__file__).parent
TOOLS: Final = HERE / "digest_tools.py"
PLAN: Final = HERE / "digest.yaml"


async def page_of(stage: Stage) -> BatchView:
    """Bring the page to the front."""
    stage.console.window.rail.choose("batch")
    await stage.until(lambda: stage.console.window.findChildren(BatchView))
    (page,) = stage.console.window.findChildren(BatchView)
    await stage.until(page.isVisible)
    return page


async def batch(stage: Stage) -> None:
    """A plan that is opened, runs, fails, and is mended."""
    await stage.open(first_time=False, data=stage.home / f"batch-{stage.theme.mode}", plugins=[TOOLS])
    plan = Path(shutil.copy(PLAN, stage.project / "nightly-ticket-digest.yaml"))
    page = await page_of(stage)
    await stage.take("batch-empty")
    page.file_chosen.emit("open", str(plan))
    await stage.until(lambda: page.table.model().rowCount() > 10 and page.header.run.isEnabled())
    await stage.take("batch-ready")
    page.header.run.click()
    await stage.until(page.failure.isVisible)
    await asyncio.sleep(0.3)
    await stage.take("batch")
    await stage.until(lambda: page.header.badge.text == "Failed")
    await stage.take("batch-failed")
    page.step_opened.emit("summarise_low")
    await stage.take("batch-step")
    page.step_opened.emit("chart_refunds")
    await stage.take("batch-step-failed")
    await stage.close()
