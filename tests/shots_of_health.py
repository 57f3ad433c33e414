"""Scenes for the pictures: the Health page after calls of every kind, and where there is little or nothing to tell."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGraphicsView

from console.health.view import HealthView
from tools import Tool, ToolFailure, make_tool
from tools.errors import ToolConfigurationError

if TYPE_CHECKING:
    from tests.shots import Stage
    from tools.calls import ToolResponse

__all__ = ["health", "health_states"]

FAILING_TOOLS: Final = Path(__file__).parent / "failing_tools.py"
ROUNDS: Final = 20
ROUND_S: Final = 1.2
MANY: Final = 2000
LIMIT_MS: Final = 800.0
NARROW: Final = QSize(1180, 760)

CALLS: Final[tuple[tuple[str, str, dict[str, Any], int], ...]] = (
    ("agent:support", "search_files", {"pattern": "TODO|FIXME", "path": "."}, 3),
    ("agent:support", "read_file", {"path": "src/agents/router.py"}, 2),
    ("batch: nightly", "profile_table", {"path": "data/tickets.csv"}, 2),
    ("batch: nightly", "customer_profile", {"name": "Tanaka"}, 1),
    ("you", "list_directory", {"path": "."}, 1),
    ("agent:writer", "exchange_rate", {"currency": "EUR"}, 1),
    ("agent:writer", "send_digest", {"to": "hooks.acme.dev"}, 1),
)


async def call(stage: Stage, caller: str, name: str, arguments: dict[str, Any]) -> None:
    """Make one call, whatever becomes of it."""
    console = stage.console

    async def run() -> ToolResponse:
        return await console.executor.execute(console.executor.create_call(name, arguments, caller=caller))

    try:
        await console.engine.call(run)
    except ToolConfigurationError:
        return


async def use(stage: Stage, rounds: int) -> None:
    """Use the tools for a while, as agents and a batch do."""
    for number in range(rounds):
        calls = [call(stage, caller, name, given) for caller, name, given, times in CALLS for _ in range(times)]
        calls.append(
            call(stage, "agent:support", "fetch_status", {"url": f"https://acme.dev/{number}", "slow_every": 3})
        )
        await asyncio.gather(*calls, asyncio.sleep(ROUND_S))


async def page_of(stage: Stage) -> HealthView:
    """Bring the page to the front, and wait until its plots are drawn."""
    stage.console.window.rail.choose("health")
    await stage.until(lambda: any(page.isVisible() for page in stage.console.window.findChildren(HealthView)))
    (page,) = stage.console.window.findChildren(HealthView)
    page.statuses_chosen.emit(())
    await stage.until(lambda: page.isVisible() and page.table.model().rowCount())
    return page


async def health(stage: Stage) -> None:
    """The page of tools that work, that are slow, and that are down."""
    await stage.open(first_time=False, data=stage.home / f"health-{stage.theme.mode}", plugins=[FAILING_TOOLS])
    page = await page_of(stage)
    page.header.span_chosen.emit("5 min")
    await use(stage, ROUNDS)
    await stage.until(lambda: page.banner.isVisible() and page.table.model().rowCount() > len(CALLS))
    page.tool_chosen.emit("fetch_status")
    await stage.until(lambda: page.plots.findChildren(QGraphicsView))
    await asyncio.sleep(1)
    await stage.take("health")
    page.header.limits.click()
    await stage.until(page.limits.histogram.isVisible)
    page.limits.p95.setValue(LIMIT_MS)
    page.limits.save.click()
    await stage.until(page.limits.undo.isVisible)
    await stage.until(lambda: page.banner.buttons["show"].text() == "Show the 3 tools")
    await stage.take("health-thresholds")
    stage.console.window.resize(NARROW)
    await stage.take("health-small")
    stage.console.window.resize(QSize(1440, 900))
    page.banner.buttons["show"].click()
    await asyncio.sleep(1)
    await stage.take("health-troubled")
    page.banner.buttons["changes"].click()
    await stage.until(page.changes.table.isVisible)
    await stage.take("health-changes")
    await stage.close()


async def health_states(stage: Stage) -> None:
    """The page with nothing to tell, with four calls, and with 2,000 tools."""
    await stage.open(first_time=False, data=stage.home / f"health-empty-{stage.theme.mode}")
    page = await page_of(stage)
    await stage.take("health-empty")
    page.header.span_chosen.emit("5 min")
    for _ in range(3):
        await call(stage, "you", "search_files", {"pattern": "TODO", "path": "."})
    await call(stage, "you", "read_file", {"path": "no such file.txt"})
    await stage.until(page.banner.isVisible)
    await asyncio.sleep(1)
    await stage.take("health-sparse")
    await stage.close()
    await stage.open(first_time=False, data=stage.home / f"health-many-{stage.theme.mode}")
    stage.console.executor.registry.register_all(_sensor(number) for number in range(MANY))
    page = await page_of(stage)
    page.header.span_chosen.emit("5 min")
    await asyncio.gather(*(call(stage, "batch: all", f"measure_{number:04}", {}) for number in range(0, MANY, 7)))
    await stage.until(lambda: page.banner.isVisible() and page.table.model().rowCount() > MANY)
    await stage.until(lambda: page.tiles.model().rowCount() > 4)
    await stage.take("health-many")
    await stage.close()


def _sensor(number: int) -> Tool:
    """Return a tool; of those that run, every hundredth fails."""

    def measure() -> float:
        if number % 700 == 0:
            raise ToolFailure(f"sensor {number} does not answer")
        return number / 7

    return make_tool(f"measure_{number:04}", f"Read sensor {number}.", measure, read_only_hint=True)
