"""Measure what health costs: recording a run, asking for a percentile and for all numbers, judging many tools.

The goals: at most 0.5 µs to record a run, and 150 µs for the 95th percentile of 1,000 runs, which a page asks for about
the tools that ran since it last looked. A plain deque of tuples is the floor of recording, sorting durations that of
a percentile. The best of many short rounds counts.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable

from tools.calls import CallStatus
from tools.health import HealthMonitor, ToolHealthRegistry
from tools.metrics import CallWindow, EndedCall, ToolMetrics, percentile, stats_of

ROUNDS = 50
RUNS = 1000
TOOLS = 2000
RECORD_GOAL_US = 0.5
QUERY_GOAL_US = 150.0


def best_us(work: Callable[[], object], times: int) -> float:
    """Return the microseconds of one of so many turns in the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best / times * 1e6


def judged(us: float, goal: float) -> str:
    return f"{us:8.2f} µs   {us / goal:.2f} of the goal: {'reached' if us <= goal else 'missed'}"


def recording() -> None:
    window, plain, metrics = CallWindow(), deque[tuple[float, float, int]](maxlen=RUNS), ToolMetrics()

    def into_window() -> None:
        for number in range(RUNS):
            window.add(1.0 + number, 0.1)

    def into_deque() -> None:
        for number in range(RUNS):
            plain.append((1.0 + number, 0.1, 0))

    def into_metrics() -> None:
        for _ in range(RUNS):
            metrics.record(EndedCall("a", CallStatus.EXECUTED, 0.1, caller="you"))

    print(f"a run into the window          {judged(best_us(into_window, RUNS), RECORD_GOAL_US)}")
    print(f"a tuple into a deque           {best_us(into_deque, RUNS):8.2f} µs")
    print(f"a call into all numbers        {best_us(into_metrics, RUNS):8.2f} µs")


def asking() -> None:
    window, chance = CallWindow(), random.Random(1)
    for number in range(RUNS):
        window.add(1.0 + number, chance.lognormvariate(0, 1))
    window.runs()
    durations = [chance.random() for _ in range(RUNS)]

    def p95() -> None:
        for _ in range(20):
            percentile([run.elapsed_s for run in window.runs(5.0)], 95)

    def all_numbers() -> None:
        for _ in range(20):
            stats_of(window.runs(5.0))

    def by_sorting() -> None:
        for _ in range(20):
            assert sorted(durations)[949]

    print(f"P95 of {RUNS:,} runs              {judged(best_us(p95, 20), QUERY_GOAL_US)}")
    print(f"all numbers of {RUNS:,} runs      {best_us(all_numbers, 20):8.2f} µs")
    print(f"P95 of a list, by sorting      {best_us(by_sorting, 20):8.2f} µs")


def judging() -> None:
    now_s, metrics = [1000.0], ToolMetrics(lambda: now_s[0])
    registry = ToolHealthRegistry(metrics)
    registry.register_all([f"tool_{number}" for number in range(TOOLS)])
    for name in registry.names:
        for _ in range(20):
            metrics.record(EndedCall(name, CallStatus.EXECUTED, 0.1))
    monitor = HealthMonitor(registry, metrics)
    for what, at_all in (("all", True), ("only those that ran", False)):
        began = time.perf_counter()
        monitor.look(at_all=at_all)
        print(f"a look at {TOOLS:,} tools, {what:<20} {(time.perf_counter() - began) * 1000:8.1f} ms")


if __name__ == "__main__":
    recording()
    asking()
    judging()
