"""How long the window stands still while the command palette opens and somebody types into it, with 10,000 tools.

Run with `python -m tests.benchmarks.bench_palette`. The real console runs without a display. The design allows no gap
above 50 ms. "New" is the first time, while the index is read beside it.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView

from console.app.console import Console
from console.theme import ThemeController
from tests.benchmarks.bench_search import many
from tests.benchmarks.window import GapTimer, end_process, open_console, run_in_window
from tools import Tool, make_tool

TARGET_MS: Final = 50.0
TYPED: Final = ("search files", "convrt units", "pull reqest merge", "> theme", "delete", "zzqq")
KEY_PAUSE_S: Final = 0.06


def _nothing(text: str = "") -> str:
    return text


def made_tools() -> list[Tool]:
    """Return 10,000 tools made of the real ones, no two alike."""
    return [
        make_tool(f"t_{re.sub(r'[^a-z0-9_]', '', document.name)}"[:64], document.description, _nothing)
        for document in many()
    ]


def report(title: str, timer: GapTimer, more: str = "") -> None:
    worked = max((gap.worked_s for gap in timer.gaps), default=0.0) * 1000
    verdict = f"{'within' if timer.longest_ms <= TARGET_MS else 'OVER'} {TARGET_MS:.0f} ms{more}"
    print(f"{title:<26} longest gap {timer.longest_ms:6.1f} ms (worked {worked:5.1f})  {verdict}")


async def opened(console: Console) -> tuple[QLineEdit, QListView]:
    QTest.keyClick(console.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.3)
    field = console.window.findChild(QLineEdit, "paletteField")
    listed = console.window.findChild(QListView, "paletteList")
    assert field is not None
    assert listed is not None
    return field, listed


async def typed(field: QLineEdit, words: str) -> None:
    """Type as fast as people do."""
    field.clear()
    for letter in words:
        QTest.keyClicks(field, letter)
        await asyncio.sleep(KEY_PAUSE_S)


async def answer_ms(field: QLineEdit, listed: QListView, letter: str) -> float:
    """Return how long a key takes until other rows are listed."""
    came = asyncio.Event()
    listed.model().modelReset.connect(came.set)
    began = perf_counter()
    QTest.keyClicks(field, letter)
    await asyncio.wait_for(came.wait(), 10)
    listed.model().modelReset.disconnect(came.set)
    return (perf_counter() - began) * 1000


async def measure(theme: ThemeController) -> None:
    timer = GapTimer()
    with tempfile.TemporaryDirectory(prefix="tool-console-") as home:
        async with open_console(theme, Path(home), *made_tools()) as console:
            await asyncio.sleep(4)
            timer.begin()
            field, listed = await opened(console)
            timer.end()
            report("open", timer)
            timer.begin()
            began = perf_counter()
            await typed(field, TYPED[0])
            await console.searching.finder.prepare()
            timer.end()
            report("type, new", timer, f", index after {perf_counter() - began:.1f} s")
            for words in TYPED:
                timer.begin()
                await typed(field, words)
                await asyncio.sleep(0.2)
                timer.end()
                report(f"type {words!r}", timer)
            field.clear()
            times = [await answer_ms(field, listed, letter) for letter in "read the file of a customer"]
            print(f"a key until its answer: {median(times):.1f} ms, at most {max(times):.1f}")
            timer.begin()
            console.executor.registry.register(make_tool("one_more", "Do one more thing.", _nothing))
            end = perf_counter()
            await console.searching.finder.prepare()
            timer.end()
            report("one more tool", timer, f", after {perf_counter() - end:.2f} s")
    end_process()


def main() -> None:
    """Measure opening and typing."""
    run_in_window(measure)


if __name__ == "__main__":
    main()
