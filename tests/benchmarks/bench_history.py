"""Measure what recording a call costs, and how long a question about 1,000,000 recorded calls takes.

The cost: a sustained stream of calls runs through two executors that differ in the history alone, in rounds that take
turns. Counted is the processor time of the whole process, the writer's thread and the index of words included, until
everything of a round is on disk and can be found. The goal is at most 100 µs a call, of which the listener on the
engine's loop takes at most 15 µs.

The questions: as many calls as `HISTORY_CALLS` says, 1,000,000 unless it says otherwise, of 20 tools and four callers,
with words, filters and both. The goal is 50 ms a question at the 95th percentile.

The kills: as many programs as `HISTORY_KILLS` says, 300 unless it says otherwise, record calls and are killed at a
random moment. None may lose a call that it was told is safe.
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
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.benchmarks.bench_call import JOBS, Job
from tests.tools.history.dying import kill_often
from tools import CallStatus, Executor, Tool, ToolFailure, ToolRegistry, make_tool
from tools.calls import Event
from tools.history import History, HistoryQuery

ROUNDS: Final = 8
ROUND_CALLS: Final = 8_000
GOAL_US: Final = 100.0
LISTENER_GOAL_US: Final = 15.0
RECORDED: Final = int(os.environ.get("HISTORY_CALLS", "1000000"))
GOAL_MS: Final = 50.0
ASKED: Final = 7
TOOLS: Final = 20
CALLERS: Final = ("you", "agent:mira", "agent:otto", "batch: nightly")


class Cost(NamedTuple):
    cpu_us: float
    wall_us: float


def only_looking(tool: Tool) -> Tool:
    """Return a tool that says that it changes nothing: the texts of others are looked at for protected places first."""
    return replace(tool, spec=tool.spec.model_copy(update={"read_only_hint": True}))


@contextmanager
def history_in(folder: str) -> Iterator[History]:
    history = History(Path(folder) / "history")
    history.open()
    try:
        yield history
    finally:
        history.close()


def vocabulary() -> list[str]:
    """Return words that nobody knows, the same ones each time."""
    letters = random.Random(7)
    return ["".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=letters.randint(3, 9))) for _ in range(5_000)]


def given_of(job: Job, number: int, words: list[str]) -> bytes:
    """Return other arguments for each call, so that the index has something to do."""
    if job.name == "add":
        return b'{"a": %d, "b": %d}' % (number, number * 7)
    word, folder = words[number % 4_999], words[number * 31 % 4_999]
    return f'{{"pattern": "{word} {number}", "limit": 5, "folders": ["src/{folder}", "docs"]}}'.encode()


def round_of(job: Job, executor: Executor, given: list[bytes], wait: Callable[[], None]) -> Cost:
    """Make the calls of one round one after another, and wait until they are on disk."""

    async def work() -> None:
        for arguments in given:
            response = await executor.execute(executor.create_call(job.name, arguments))
            assert response.text

    cpu, wall = time.process_time(), time.perf_counter()
    asyncio.run(work())
    wait()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Cost(cpu / len(given) * 1e6, wall / len(given) * 1e6)


def no_wait() -> None:
    """Wait for nothing."""


def cost_of_listening(job: Job) -> float:
    """Return the microseconds that the listener takes of the engine's loop a call."""
    tool = only_looking(make_tool(job.name, "Work.", job.function))
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder, history_in(folder) as history:

        def listen(event: Event) -> None:
            nonlocal spent
            began = time.thread_time()
            history.receive(event)
            spent += time.thread_time() - began

        executor = Executor(ToolRegistry([tool]))
        listen.wants = history.receive.wants  # type: ignore[attr-defined]
        executor.add_listener(listen)
        words = vocabulary()
        given = [given_of(job, at, words) for at in range(1_000)]
        round_of(job, executor, given, history.flush)
    # Proposed, started, finished.
    return spent / len(given) * 1e6 - 3 * _cost_of_measuring()


def _cost_of_measuring() -> float:
    """Return the microseconds that two looks at the clock take."""
    began = time.thread_time()
    for _ in range(10_000):
        time.thread_time()
    return (time.thread_time() - began) / 10_000 * 1e6


def cost_of_recording(job: Job) -> None:
    tool = only_looking(make_tool(job.name, "Work.", job.function))
    words = vocabulary()
    with tempfile.TemporaryDirectory() as folder, history_in(folder) as history:
        quiet = Executor(ToolRegistry([tool]))
        recorded = Executor(ToolRegistry([tool]), history=history)
        pairs: list[tuple[Cost, Cost]] = []
        for number in range(ROUNDS + 1):
            given = [given_of(job, number * ROUND_CALLS + at, words) for at in range(ROUND_CALLS)]
            gc.collect()
            pair = round_of(job, quiet, given, no_wait), round_of(job, recorded, given, history.flush)
            if number:
                pairs.append(pair)
        assert history.search(HistoryQuery(tools=(job.name,))).total >= 1_000
        assert not history.lost
        size = (Path(folder) / "history" / "history.sqlite").stat().st_size
    without = statistics.median(plain.cpu_us for plain, _ in pairs)
    extra = [more.cpu_us - plain.cpu_us for plain, more in pairs]
    wall = statistics.median(more.wall_us - plain.wall_us for plain, more in pairs)
    median = statistics.median(extra)
    print(f"{job.title}")
    print(f"  without a history                   {without:8.1f} µs a call")
    print(
        f"  recorded, indexed, on disk          {median:8.1f} µs more of processor time (best round {min(extra):.1f})"
    )
    print(f"                                      {wall:8.1f} µs more on the wall")
    listening = cost_of_listening(job)
    verdict = "reached" if listening <= LISTENER_GOAL_US else "missed"
    print(f"  of it on the engine's loop          {listening:8.1f} µs, goal at most {LISTENER_GOAL_US:g} µs: {verdict}")
    print(f"  {median / without:.2f} times a call itself; {size / (ROUNDS + 1) / ROUND_CALLS:,.0f} bytes a call")
    print(f"  goal: at most {GOAL_US:g} µs more: {'reached' if median <= GOAL_US else 'missed'}")


def fill(history: History) -> None:
    words = vocabulary()
    chance = random.Random(3)

    async def look(pattern: str, folder: str) -> list[dict[str, Any]]:
        if chance.random() < 0.05:
            raise ToolFailure(f"{folder} cannot be read")
        return [
            {"path": f"{folder}/{chance.choice(words)}.py", "line": at, "text": " ".join(chance.choices(words, k=6))}
            for at in range(3)
        ]

    tools = (only_looking(make_tool(f"look_{at:02}", "Look.", look)) for at in range(TOOLS))
    executor = Executor(ToolRegistry(tools), history=history)

    async def work() -> None:
        for number in range(RECORDED):
            given = {"pattern": chance.choice(words), "folder": f"src/{chance.choice(words)}"}
            caller = chance.choices(CALLERS, (80, 10, 9, 1))[0]
            name = f"look_{min(int(chance.expovariate(0.3)), TOOLS - 1):02}"
            await executor.execute(executor.create_call(name, given, caller=caller))
            if not number % 5_000:
                await asyncio.to_thread(history.flush, 60)

    asyncio.run(work())
    history.flush(60)


def questions(history: History) -> dict[str, HistoryQuery]:
    middle = history.search(HistoryQuery(limit=1)).rows[0].proposed_at - timedelta(seconds=3)
    word, other = vocabulary()[11], vocabulary()[12]
    failed = (CallStatus.FAILED,)
    return {
        "the newest": HistoryQuery(),
        "a rare word": HistoryQuery(text=word),
        "two words": HistoryQuery(text=f"{word} {other}"),
        "a word of every call": HistoryQuery(text="src"),
        "a beginning of three letters": HistoryQuery(text=word[:3]),
        "a beginning of two letters": HistoryQuery(text=word[:2]),
        "two beginnings": HistoryQuery(text=f"src {word[:2]}"),
        "a phrase": HistoryQuery(text=f'"path src {word}"'),
        "part of a name": HistoryQuery(text="look 07"),
        "one tool": HistoryQuery(tools=("look_00",)),
        "a rare tool": HistoryQuery(tools=("look_19",)),
        "one caller": HistoryQuery(callers=("agent:mira",)),
        "a rare caller": HistoryQuery(callers=("batch: nightly",)),
        "the failed": HistoryQuery(statuses=failed),
        "denied, of which there are none": HistoryQuery(statuses=(CallStatus.DENIED,)),
        "the failed of two tools": HistoryQuery(tools=("look_00", "look_03"), statuses=failed),
        "until a moment": HistoryQuery(until=middle),
        "tool, caller, ending, moment": HistoryQuery(
            tools=("look_01",), callers=("you",), statuses=failed, until=middle
        ),
        "word, tool": HistoryQuery(text=word, tools=("look_00",)),
        "word of every call, rare tool": HistoryQuery(text="src", tools=("look_19",)),
        "word of every call, rare caller, failed": HistoryQuery(
            text="src", callers=("batch: nightly",), statuses=failed
        ),
        "word of the failed, but executed": HistoryQuery(text="cannot be read", statuses=(CallStatus.EXECUTED,)),
        "beginning, tool, caller, ending, moment": HistoryQuery(
            text=word[:2], tools=("look_00",), callers=("you",), statuses=(CallStatus.EXECUTED,), until=middle
        ),
    }


def ask(folder: Path, history: History) -> None:
    reader = History(folder / "history")
    measured: list[float] = []
    for name, query in questions(history).items():
        times: list[float] = []
        for _ in range(ASKED):
            began = time.perf_counter()
            page = reader.search(query)
            times.append((time.perf_counter() - began) * 1e3)
        measured += times
        total = f"{page.total:,}" if page.total_exact else f"more than {page.total:,}"
        print(f"  {name:42} {statistics.median(times):8.1f} ms, {total} calls")
    p95 = statistics.quantiles(measured, n=20)[-1]
    verdict = "reached" if p95 <= GOAL_MS else "missed"
    print(f"  p95 {p95:.1f} ms, {p95 / GOAL_MS:.2f} of the goal of {GOAL_MS:g} ms: {verdict}")


def main() -> None:
    for job in JOBS:
        cost_of_recording(job)
    with tempfile.TemporaryDirectory() as folder, history_in(folder) as history:
        fill(history)
        size = (Path(folder) / "history" / "history.sqlite").stat().st_size
        print(f"questions about {RECORDED:,} calls in {size / 1e6:.0f} MB")
        ask(Path(folder), history)
    kills = int(os.environ.get("HISTORY_KILLS", "300"))
    with tempfile.TemporaryDirectory() as folder:
        told, wrong = kill_often(Path(folder) / "history", kills, seed=2)
        print(f"{kills} programs killed: {told:,} calls were said to be safe, {len(wrong)} were lost or wrong")
        print("\n".join(f"  {line}" for line in wrong[:10]))


if __name__ == "__main__":
    main()
