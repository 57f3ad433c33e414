"""Make 200,000 calls of all kinds, with history and audit, and watch memory, time and what stays open.

The calls are the mixture of the test `tests/tools/test_soak.py`: plain, in threads, from the cache, rate limited,
repeated, guarded by breaker and bulkhead, with a contract, failing, refused, and of tools that do not exist. History
and audit write into a folder that is thrown away. Memory is what the operating system counts (RSS) after a collection
of garbage; growth is the slope of the second half, when everything is warm.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.tools.soaking import TOOLS, Asked, calls, sizes
from tools import Executor, ToolRegistry, resolve_tools
from tools.audit import AuditLog
from tools.history import History

CALLS = 200_000
STEP = 20_000
AT_A_TIME = 25
GOAL_MIB = 10.0
"""How much memory 100,000 calls may leave behind."""
HOUR_CALLS = 360_000
"""Calls of an hour, 100 a second."""
HOUR_GOAL_MIB = 50.0
"""How much more memory than at the start there may be after an hour."""


class Mark(NamedTuple):
    """Where things stand after so many calls.

    Attributes:
        calls: How many were made.
        rss_bytes: The memory of the process.
        elements: What all containers of the executor hold together.
        elapsed_s: How long the step to here took.
        own_s: How much of that the event loop's thread worked, whatever else the machine did.
    """

    calls: int
    rss_bytes: int
    elements: int
    elapsed_s: float
    own_s: float


async def make(executor: Executor, asked: list[Asked]) -> None:
    async def one(what: Asked) -> None:
        call = executor.create_call(what.name, what.arguments, caller=what.caller, bypass_cache=what.bypass_cache)
        await executor.execute(call)

    for start in range(0, len(asked), AT_A_TIME):
        await asyncio.gather(*map(one, asked[start : start + AT_A_TIME]))


async def soak(executor: Executor, settle: Callable[[], None]) -> list[Mark]:
    stream = calls()
    process = psutil.Process()
    marks: list[Mark] = []
    for done in range(STEP, CALLS + 1, STEP):
        began, own = time.perf_counter(), time.thread_time()
        await make(executor, list(islice(stream, STEP)))
        elapsed_s, own_s = time.perf_counter() - began, time.thread_time() - own
        await asyncio.to_thread(settle)
        gc.collect()
        marks.append(Mark(done, process.memory_info().rss, sum(sizes(executor).values()), elapsed_s, own_s))
        mark = marks[-1]
        print(
            f"  {mark.calls:8,} calls  {mark.rss_bytes / 2**20:7.1f} MiB  {mark.elements:7,} elements"
            f"  {mark.elapsed_s / STEP * 1e6:7.1f} µs a call, {mark.own_s / STEP * 1e6:6.1f} of its own thread",
            flush=True,
        )
    return marks


def slope_bytes(marks: list[Mark]) -> float:
    """Return the bytes that a call adds, by least squares."""
    mean_x = sum(mark.calls for mark in marks) / len(marks)
    mean_y = sum(mark.rss_bytes for mark in marks) / len(marks)
    over = sum((mark.calls - mean_x) * (mark.rss_bytes - mean_y) for mark in marks)
    return over / sum((mark.calls - mean_x) ** 2 for mark in marks)


def open_descriptors() -> int:
    """Return how many descriptors this process has open; 0 where nobody can say."""
    return psutil.Process().num_fds() if psutil.POSIX else 0


def measure(title: str, folder: Path | None) -> None:
    """Soak one executor and print what came of it.

    Args:
        title: What is printed above.
        folder: Where history and audit write; None has neither.
    """
    print(title)
    before = open_descriptors()
    history = None if folder is None else History(folder / "history")
    audit = None if folder is None else AuditLog(folder / "audit")
    executor = Executor(ToolRegistry(resolve_tools(TOOLS)), history=history, audit=audit)
    if history is not None and audit is not None:
        history.open()
        audit.open()

    def settle() -> None:
        if history is not None and audit is not None:
            history.flush(60.0)
            audit.flush(60.0)

    async def run() -> list[Mark]:
        marks = await soak(executor, settle)
        await executor.aclose()
        return marks

    gc.collect()
    start_bytes = psutil.Process().memory_info().rss
    marks = asyncio.run(run())
    if history is not None and audit is not None:
        print(f"  lost: {history.lost} of the history; problems: {[history.problem, audit.problem]}")
        history.close()
        audit.close()
        kept = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else 0
        print(f"  on disk: {kept / 2**20:.1f} MiB, {kept / CALLS:.0f} bytes a call")
    time.sleep(0.2)
    hour = (marks[-1].rss_bytes - start_bytes) / 2**20
    half = marks[len(marks) // 2 - 1 :]
    grown = slope_bytes(half) * 100_000 / 2**20
    # The rest of the hour grows as the second half did.
    hour += grown * (HOUR_CALLS - CALLS) / 100_000
    word = "reached" if hour <= HOUR_GOAL_MIB else "missed"
    print(f"  an hour of 100 calls a second: {hour:.1f} MiB more than at the start: goal {HOUR_GOAL_MIB:g} {word}")
    print(f"  threads left: {threading.active_count() - 1}; descriptors left: {open_descriptors() - before}")
    print(
        f"  growth: {grown:.2f} MiB for 100,000 calls: goal {GOAL_MIB:g} {'reached' if grown <= GOAL_MIB else 'missed'}"
    )


def main() -> None:
    # Half of the calls fail on purpose, and each would write a line.
    logging.getLogger("tools.calls").setLevel(logging.CRITICAL)
    measure("calls alone", None)
    with tempfile.TemporaryDirectory() as folder:
        measure("with history and audit", Path(folder))


if __name__ == "__main__":
    main()
