"""How long 10 MB against 10 MB take to be compared, and how long the window is held up meanwhile.

Run with `python -m tests.benchmarks.bench_comparison`.
"""

from __future__ import annotations

import asyncio
import copy
import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from console.comparison import ComparedSide, ComparisonPresenter, ComparisonView
from console.tasks import TaskScope
from console.theme import ThemeController
from tests.benchmarks.window import GapTimer, run_in_window

MATCHES: Final = 80_000
NUMBERS: Final = 500_000


def _matches() -> dict[str, Any]:
    return {
        "query": "x",
        "matches": [
            {
                "file": f"src/{number % 97}.py",
                "line": number,
                "column": 3,
                "text": f"find {number}",
                "context": {"before": ["a", "b"], "after": [1, 2, True]},
            }
            for number in range(MATCHES)
        ],
    }


def cases() -> Iterator[tuple[str, Any, Any]]:
    left = _matches()
    yield "nothing differs", left, copy.deepcopy(left)
    few = copy.deepcopy(left)
    for match in few["matches"][::400]:
        match["text"] = "something else"
    yield "one match in 400 differs", left, few
    every = copy.deepcopy(left)
    for match in every["matches"]:
        match["text"] += "!"
    yield "every match differs", left, every
    source = random.Random(7)
    yield (
        "numbers that have nothing in common",
        [source.random() for _ in range(NUMBERS)],
        [source.random() for _ in range(NUMBERS)],
    )


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


async def measure(name: str, left: Any, right: Any) -> None:
    """Compare two values as trees, then as text, and go to the last difference."""
    scope, view = TaskScope("bench"), ComparisonView()
    view.resize(1160, 760)
    view.show()
    presenter, window = ComparisonPresenter(view, _compute, scope), GapTimer()
    await asyncio.sleep(0.1)
    size_mb = len(json.dumps(left)) / 1e6
    print(f"{name}, {size_mb:.1f} MB a side")
    sides = ComparedSide("left", "", {}, left), ComparedSide("right", "", {}, right)
    steps: tuple[tuple[str, Callable[[], object]], ...] = (
        ("tree", lambda: view.set_sides(*sides)),
        ("text", lambda: view.bar.mode.select(1)),
    )
    for what, begin in steps:
        window.begin()
        began_s, spent_s = time.perf_counter(), time.process_time()
        begin()
        while scope.busy:  # noqa: ASYNC110 -- the scope sets no event
            await asyncio.sleep(0.005)
        view.grab()
        took_s, spent_s = time.perf_counter() - began_s, time.process_time() - spent_s
        began_s = time.perf_counter()
        view.show_previous()
        view.grab()
        jump_ms = (time.perf_counter() - began_s) * 1000
        print(
            f"  {what}: {took_s:6.2f} s, {spent_s:6.2f} s of processor,"
            f" window held up {window.longest_ms:5.0f} ms,"
            f" last difference shown in {jump_ms:4.0f} ms; {view.head.count.text}"
        )
    window.end()
    presenter.close()
    await scope.close()
    view.deleteLater()


async def work(_: ThemeController) -> None:
    for name, left, right in cases():
        await measure(name, left, right)


if __name__ == "__main__":
    run_in_window(work)
