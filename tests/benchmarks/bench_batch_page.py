"""How smooth the Batch page is with 10,000 steps: opened, run, scrolled and narrowed while they run.

Run with `python -m tests.benchmarks.bench_batch_page`. The real console runs without a display; a timer that should
fire every 5 ms tells how long its thread was held up at a time. The design allows no more than 50 ms. Beside it stands
the processor time that the thread used meanwhile, of which it may need 30 ms: the rest is that of others, whose
threads take turns with it at the interpreter, or on a busy computer that of other programs. Each line says whether that
is good.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from console.app.console import Console
from console.batch.model import PlanModel
from console.batch.rows import Group
from console.batch.view import BatchView
from console.theme import ThemeController
from tests.benchmarks.window import GapTimer, end_process, open_console, run_in_window
from tools import resolve_tools, tool
from tools.batch import BatchPlan, Limits, Step
from tools.batch.files import PlanFile

STEPS: Final = 10_000
WIDTH: Final = 100
PATIENCE_S: Final = 180.0
MOST_HELD_UP_MS: Final = 50.0
MOST_OWN_MS: Final = 30.0


@tool(read_only=True, idempotent=True)
async def note(number: int) -> dict[str, list[int]]:
    """Return a number after a moment; every thousandth fails."""
    await asyncio.sleep(0.004)
    if number % 1000 == 999:
        raise ValueError(f"{number} is not wanted")
    return {"numbers": [number]}


def tell(timer: GapTimer, what: str) -> None:
    longest_ms, used_ms = timer.longest_ms, max(gap.worked_s for gap in timer.gaps) * 1000
    over = sum(gap.wall_s * 1000 > MOST_HELD_UP_MS for gap in timer.gaps)
    limits = {"held up": longest_ms > MOST_HELD_UP_MS, "own work": used_ms > MOST_OWN_MS}
    missed = ", ".join(words for words, is_over in limits.items() if is_over)
    print(
        f"{what:<46} held up {longest_ms:6.1f} ms at most ({over} times over {MOST_HELD_UP_MS:.0f}), own work "
        f"{used_ms:5.1f} ms at most: {'too much: ' + missed if missed else 'good'}"
    )


def plan() -> BatchPlan:
    """Return a plan of many layers, each step of which waits for three of the layer before."""
    steps = []
    for number in range(STEPS):
        above = range(max(0, number - WIDTH - 1), number - WIDTH + 2) if number >= WIDTH else ()
        needs = tuple(f"step_{other}" for other in above)
        arguments = {"number": number}
        step = Step(id=f"step_{number}", tool="note", arguments=arguments, depends_on=needs, continue_on_failure=True)
        steps.append(step)
    return BatchPlan(name="many", limits=Limits(parallelism=16), steps=tuple(steps))


async def until(holds: object) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # type: ignore[operator]  # noqa: ASYNC110 -- what is waited for happens in widgets
            await asyncio.sleep(0.02)


async def scroll(page: BatchView, beat: GapTimer, what: str) -> None:
    bar = page.table.verticalScrollBar()
    beat.begin()
    for place in range(0, bar.maximum(), bar.maximum() // 100):
        bar.setValue(place)
        await asyncio.sleep(0.01)
    tell(beat, what)


async def measure(console: Console, path: Path) -> None:
    """Open the plan, run it, and do what people do meanwhile."""
    beat = GapTimer()
    console.window.rail.choose("batch")
    await until(lambda: console.window.findChildren(BatchView))
    (page,) = console.window.findChildren(BatchView)
    model = page.table.model()
    if not isinstance(model, PlanModel):
        sys.exit("the page shows no plan")
    await asyncio.sleep(2.0)
    beat.begin()
    page.file_chosen.emit("open", str(path))
    await until(lambda: model.rowCount() == STEPS and page.header.run.isEnabled())
    await asyncio.sleep(3.0)
    tell(beat, f"opened {STEPS:,} steps, checked, drawn")
    await scroll(page, beat, "scrolled from top to bottom")
    began_s = perf_counter()
    beat.begin()
    page.header.run.click()
    await until(lambda: model.counts.get(Group.DONE, 0) > STEPS // 4)
    tell(beat, f"ran the first quarter in {perf_counter() - began_s:.1f} s")
    await scroll(page, beat, "scrolled while it ran")
    for group in (Group.RUNNING, Group.QUEUED, Group.DONE):
        beat.begin()
        page.strip.counts[group].click()
        await asyncio.sleep(1.0)
        page.strip.counts[group].click()
        await asyncio.sleep(0.3)
        tell(beat, f"listed only what is {group.value}, while it ran")
    beat.begin()
    await until(lambda: page.header.badge.text in {"Done", "Failed"})
    took_s = perf_counter() - began_s
    await asyncio.sleep(1.0)
    tell(beat, f"ran to the end in {took_s:.1f} s, {STEPS / took_s:,.0f} steps/s")
    print({group.value: count for group, count in model.counts.items() if count})


async def live(theme: ThemeController) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = home / "many.json"
        PlanFile(path).save(plan())
        async with open_console(theme, home, *resolve_tools([note])) as console:
            await measure(console, path)


if __name__ == "__main__":
    run_in_window(live)
    end_process()
