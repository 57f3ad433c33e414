"""Measure what the audit log costs each call, and how fast a log of 100,000 entries is checked and exported.

A stream of calls of a typed async tool runs without a log, with one, and with a sealed one at the level `full`; the
sides take turns, and each one's best round counts. "Until written" is the time until the last entry is on the disk, so
it holds the writer's whole work. The hot path alone is what the executor spends to hand the events over.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tools import AuditLevel, Executor, ToolRegistry, resolve_tools, tool
from tools.audit import AuditLog, export, verify, verify_export
from tools.audit.describing import note_of
from tools.calls import Event

CALLS = 4_000
ROUNDS = 5
ENTRIES = 100_000
KEY = b"k" * 32


@tool
async def find(pattern: str, limit: int = 20) -> list[str]:
    """Find a pattern."""
    return [pattern] * min(limit, 3)


@contextlib.contextmanager
def folder_for_logs() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "audit"


async def stream(audit: AuditLog | None, calls: int) -> tuple[float, float]:
    """Return the seconds until all calls ended, and until all entries were written."""
    executor = Executor(ToolRegistry(resolve_tools([find])), audit=audit)
    began = time.perf_counter()
    for number in range(calls):
        await executor.execute(executor.create_call("find", {"pattern": f"word {number}"}))
    ended = time.perf_counter()
    if audit is not None and not audit.flush(60):
        raise RuntimeError(audit.problem)
    written = time.perf_counter()
    await executor.aclose()
    return ended - began, written - began


def measure_stream() -> None:
    sides: dict[str, dict[str, Any] | None] = {
        "without": None,
        "standard": {},
        "full, sealed": {"level": AuditLevel.FULL, "key": KEY},
    }
    best = dict.fromkeys(sides, (float("inf"), float("inf")))
    for _ in range(ROUNDS):
        for name, options in sides.items():
            with folder_for_logs() as folder:
                if options is None:
                    times = asyncio.run(stream(None, CALLS))
                else:
                    with AuditLog(folder, **options) as audit:
                        times = asyncio.run(stream(audit, CALLS))
            best[name] = (min(best[name][0], times[0]), min(best[name][1], times[1]))
    floor = best["without"][0] / CALLS * 1e6
    print(f"{'audit log':<14}{'µs a call':>12}{'more':>10}{'until written':>16}")
    for name, (ended, written) in best.items():
        print(
            f"{name:<14}{ended / CALLS * 1e6:>12.1f}{ended / CALLS * 1e6 - floor:>10.1f}{written / CALLS * 1e6:>16.1f}"
        )


def measure_hot_path() -> None:
    """Print what handing a call's events over costs, without writing them."""
    events: list[Event] = []

    def remember(event: Event) -> None:
        events.append(event)

    remember.wants = AuditLog.wants  # type: ignore[attr-defined]

    async def call() -> None:
        executor = Executor(ToolRegistry(resolve_tools([find])), listeners=[remember])
        await executor.execute(executor.create_call("find", {"pattern": "word"}))
        await executor.aclose()

    asyncio.run(call())

    def hand_over() -> None:
        for event in events:
            note_of(event, 0.0, AuditLevel.STANDARD)

    print(f"\nhanding over the {len(events)} events of a call: {_best(hand_over, 2_000) * 1e6:.2f} µs")


def _best(work: Callable[[], object], times: int) -> float:
    best = float("inf")
    for _ in range(10):
        began = time.perf_counter()
        for _ in range(times):
            work()
        best = min(best, (time.perf_counter() - began) / times)
    return best


def measure_reading() -> None:
    with folder_for_logs() as folder:
        with AuditLog(folder, key=KEY) as audit:
            asyncio.run(stream(audit, ENTRIES // 3 + 1))
        size = sum(path.stat().st_size for path in folder.glob("audit-*.jsonl"))
        began = time.perf_counter()
        report = verify(folder, key=KEY)
        checked = time.perf_counter() - began
        target = folder.parent / "export.jsonl"
        began = time.perf_counter()
        with target.open("w", encoding="utf-8") as file:
            export(folder, file.write, mask=["arguments"])
        exported = time.perf_counter() - began
        again = verify_export(target, key=KEY)
        if not (report.intact and again.intact):
            raise RuntimeError(report.problems or again.problems)
    print(f"\n{report.entries:,} entries, {size / report.entries:.0f} bytes each")
    print(f"checked in {checked:.2f} s ({checked / report.entries * 1e6:.1f} µs each)")
    print(f"exported, masked, in {exported:.2f} s ({exported / report.entries * 1e6:.1f} µs each)")


if __name__ == "__main__":
    measure_stream()
    measure_hot_path()
    measure_reading()
