"""Let eight hours of mixed use pass in minutes, and watch the memory: a person, two agents, batches, a dying server.

Run with `python -m tests.benchmarks.bench_mixed_use [QUARTERS]`. What happens in a quarter of an hour stands in
`tests.mixed_use.Quarter`. The real console runs without a display. Growth is that of the second half, when everything
is warm; the types of objects that grew in it are printed.
"""

from __future__ import annotations

import logging
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from console.theme import ThemeController
from tests.benchmarks.window import run_in_window
from tests.mixed_use import Mark, Quarter, workday

QUARTERS: Final = 32
GOAL_MIB: Final = 20.0
"""How much memory the second half may add."""


async def pass_day(theme: ThemeController, quarters: int) -> list[Mark]:
    marks: list[Mark] = []
    quarter = Quarter()
    with tempfile.TemporaryDirectory() as home:
        async with workday(theme, Path(home)) as day:
            marks.append(await day.mark())
            for number in range(1, quarters + 1):
                began = time.perf_counter()
                await day.live(quarter)
                took = time.perf_counter() - began
                marks.append(await day.mark())
                mark = marks[-1]
                print(
                    f"  {number / 4:5.2f} h  {mark.rss_bytes / 2**20:7.1f} MiB  {mark.widgets:6,} widgets"
                    f"  {mark.objects.total():9,} objects  {mark.processes} processes"
                    f"  {day.answered:4} questions  {quarter.events / took:5.0f} events a second",
                    flush=True,
                )
    return marks


def main() -> None:
    # Some calls fail on purpose, and each would write a line.
    logging.getLogger("tools").setLevel(logging.CRITICAL)
    quarters = int(sys.argv[1]) if len(sys.argv) > 1 else QUARTERS
    marks = run_in_window(lambda theme: pass_day(theme, quarters))
    half, last = marks[len(marks) // 2], marks[-1]
    grown = (last.rss_bytes - half.rss_bytes) / 2**20
    word = "reached" if grown <= GOAL_MIB else "missed"
    print(f"  growth of the second half: {grown:.1f} MiB: goal {GOAL_MIB:g} {word}")
    print(f"  widgets {last.widgets - half.widgets:+}, objects {last.objects.total() - half.objects.total():+}")
    for name, count in last.grown(half, 100)[:25]:
        print(f"    {count:+8,} {name}")


if __name__ == "__main__":
    main()
