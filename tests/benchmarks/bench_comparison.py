"""How long 10 MB against 10 MB take to be compared, and how long the window is held up meanwhile.

Run with `python -m tests.benchmarks.bench_comparison`.
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from qasync import QEventLoop

from console.app.garbage_collector import GarbageCollector
from console.app.start import SWITCH_INTERVAL_S, make_application
from console.comparison import ComparedSide, ComparisonPresenter, ComparisonView
from console.tasks import TaskScope
from console.theme import ThemeController

MATCHES: Final = 80_000
NUMBERS: Final = 500_000
BEAT_MS: Final = 5


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


class Window:
    """A view of a comparison, and how long its loop was away at a time."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._beat_s = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._timer.start()

    def _on_timer_timeout(self) -> None:
        now_s = time.perf_counter()
        self.longest_s = max(self.longest_s, now_s - self._beat_s)
        self._beat_s = now_s

    def start(self) -> None:
        self.longest_s, self._beat_s = 0.0, time.perf_counter()

    def stop(self) -> None:
        self._timer.stop()


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


async def measure(name: str, left: Any, right: Any) -> None:
    """Compare two values as trees, then as text, and go to the last difference."""
    scope, view = TaskScope("bench"), ComparisonView()
    view.resize(1160, 760)
    view.show()
    presenter, window = ComparisonPresenter(view, _compute, scope), Window()
    await asyncio.sleep(0.1)
    size_mb = len(json.dumps(left)) / 1e6
    print(f"{name}, {size_mb:.1f} MB a side")
    sides = ComparedSide("left", "", {}, left), ComparedSide("right", "", {}, right)
    steps: tuple[tuple[str, Callable[[], object]], ...] = (
        ("tree", lambda: view.set_sides(*sides)),
        ("text", lambda: view.bar.mode.select(1)),
    )
    for what, begin in steps:
        window.start()
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
            f" window held up {window.longest_s * 1000:5.0f} ms,"
            f" last difference shown in {jump_ms:4.0f} ms; {view.head.count.text}"
        )
    window.stop()
    presenter.close()
    await scope.close()
    view.deleteLater()


async def main() -> None:
    for name, left, right in cases():
        await measure(name, left, right)


if __name__ == "__main__":
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    application = make_application()
    theme = ThemeController(application, "light")
    collector = GarbageCollector(application)
    collector.start()
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        runner.run(main())
