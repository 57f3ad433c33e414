"""Scenes for the pictures: what policies do to calls, how it is told, and calls compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from console.comparison import ComparedSide, ComparisonDialog, open_comparison

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["comparisons", "policies"]

FAILING_TOOLS: Final = Path(__file__).parent / "failing_tools.py"
TIMING_TAB: Final = 3


async def policies(stage: Stage) -> None:
    """Retries, waits, fallbacks, breakers, blocks and crashes, all of them real."""
    await stage.open(first_time=False, plugins=[FAILING_TOOLS])
    await _waterfall(stage)
    await stage.run("exchange_rate", {"currency": "EUR"})
    await stage.take("fallback")
    await stage.run("render_chart", {"table": "data/tickets.csv"})
    await stage.take("worker-crash")
    for _ in range(6):
        await stage.run("send_digest", {"to": "hooks.acme.dev"})
    await stage.until(stage.page("send_digest").guards.isVisible)
    await stage.take("breaker-open")
    stage.page("send_digest").guards.more.click()
    await stage.take("breaker-details")
    for _ in range(3):
        await stage.run("push_report", {"report": "2026-11.pdf"})
    await stage.until(stage.page("push_report").guards.isVisible)
    await stage.take("blocked")
    await stage.close()


async def _waterfall(stage: Stage) -> None:
    """A page that is fetched a few times, at last with an attempt that is not answered in time."""
    arguments: dict[str, Any] = {"url": "https://status.acme.dev/history"}
    for number in range(7):
        await stage.run("fetch_status", {**arguments, "url": f"{arguments['url']}?page={number}"})
    for _ in range(3):
        await stage.run("fetch_status", {**arguments, "slow_every": 2}, bypass_cache=True)
    stage.page("fetch_status").results.show_tab(TIMING_TAB)
    await stage.take("timing-retry")
    stage.page("fetch_status").results.show_tab(0)
    await stage.run("fetch_status", arguments)
    await stage.run("fetch_status", arguments)
    await stage.take("cache-hit")


async def comparisons(stage: Stage) -> None:
    """Two calls of a tool beside each other."""
    await stage.open(first_time=False)
    sides = [
        await _side(stage, {"pattern": "TODO|FIXME", "path": ".", "include": ["*.py"]}),
        await _side(
            stage, {"pattern": "TODO|FIXME|refund", "path": ".", "include": ["*.py", "*.md"], "max_results": 12}
        ),
    ]
    dialog = await _compared(stage, *sides)
    await stage.take("comparison-tree")
    dialog.view.bar.mode.select(1)
    await stage.until(dialog.view.text.isVisible)
    await stage.take("comparison-text")
    dialog.view.bar.layout_choice.select(1)
    await stage.take("comparison-side-by-side")
    dialog.view.bar.mode.select(0)
    dialog.view.show_part(0)
    await stage.take("comparison-arguments")
    dialog.close()
    dialog = await _compared(stage, sides[0], sides[0])
    await stage.take("comparison-identical")
    dialog.close()
    await stage.close()


async def _side(stage: Stage, arguments: dict[str, Any]) -> ComparedSide:
    await stage.run("search_files", arguments)
    presenter = stage.console.open_tools.current
    record = presenter.record if presenter is not None else None
    if record is None:
        raise RuntimeError("search_files did not run")
    subtitle = f"{record.proposed_at.astimezone():%H:%M:%S} · {record.caller} · {record.elapsed_s * 1000:.0f} ms"
    return ComparedSide(record.tool.name, subtitle, record.final_arguments or {}, record.result)


async def _compared(stage: Stage, left: ComparedSide, right: ComparedSide) -> ComparisonDialog:
    console = stage.console
    dialog = open_comparison(console.window, left, right, compute=console.engine.compute, scope=stage.scope)
    await stage.until(lambda: dialog.view.compared_tree(1) is not None)
    return dialog
