"""How long the window stands still while tools do their worst, measured by a timer that should fire every 5 ms.

Run with `python -m tests.benchmarks.bench_window [WORD...]`; words choose the cases whose names hold one. The real
console runs without a display. The design allows no gap above 50 ms, whatever a tool does.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from console.app.console import Console
from console.call_result.result_header_view import LOGS_TAB, RESULT_TAB
from console.theme import ThemeController
from console.tool_page.presenter import ExecutionPresenter
from console.tool_page.view import ExecutionView
from tests.benchmarks.window import Gap, GapTimer, end_process, open_console, run_in_window
from tools import Executor, Tool, ToolContext, make_tool, resolve_tools, tool

TARGET_MS: Final = 50.0
REST_S: Final = 0.5
MOST_ROUNDS: Final = 3
SIZE_BYTES: Final = 50_000_000
OBJECTS: Final = 500_000
PROPERTIES: Final = 200
TOOLS: Final = 10_000
CALLS_PER_S: Final = 200
LINES_PER_S: Final = 10_000
_LINE: Final = "2024-05-14 09:21:07 INFO  worker-3 The order was packed and left the house in time.\n"
# Made beforehand: while Python makes such a text, no thread gets its turn, and no program can change that.
LINES: Final = _LINE * (SIZE_BYTES // len(_LINE))
LONG_LINE: Final = "x" * SIZE_BYTES


@tool
def burn_a_core(seconds: float) -> int:
    """Count in pure Python for a while."""
    end = perf_counter() + seconds
    count = 0
    while perf_counter() < end:
        count += sum(range(100))
    return count


@tool
async def block_the_loop(seconds: float) -> None:
    """Hold up the event loop that all tools share."""
    time.sleep(seconds)  # noqa: ASYNC251 -- doing it wrong is what this tool is for


@tool
def flood_the_log(context: ToolContext, seconds: float) -> int:
    """Write ten thousand lines a second."""
    began = perf_counter()
    count = 0
    while (passed := perf_counter() - began) < seconds:
        while count < passed * LINES_PER_S:
            count += 1
            context.log("info" if count % 50 else "warning", f"Line {count:,} of the flood: nothing went wrong so far.")
        time.sleep(0.005)
    return count


@tool
def burst_the_log(context: ToolContext, lines: int) -> int:
    """Write lines as fast as it goes."""
    for number in range(lines):
        context.log("info", f"Line {number:,} of the burst.")
    return lines


@tool
def long_text(lines: bool) -> str:
    """Return 50 MB of text, in lines or in one."""
    return LINES if lines else LONG_LINE


@tool
def long_text_inside() -> dict[str, Any]:
    """Return an object with 50 MB of text in it."""
    return {"path": "huge.log", "content": LINES}


def _objects() -> list[dict[str, Any]]:
    return [
        {"file": "src/orders.py", "line": line, "text": "total += item.price", "hit": True} for line in range(OBJECTS)
    ]


@tool
def many_objects() -> list[dict[str, Any]]:
    """Return half a million objects."""
    return _objects()


class Match(NamedTuple):
    file: str
    line: int
    text: str


@tool
def many_typed_objects() -> dict[str, list[Match]]:
    """Return half a million objects of a class, inside an object."""
    return {"matches": [Match("src/orders.py", line, "total += item.price") for line in range(OBJECTS)]}


@tool
def many_untyped_objects():  # type: ignore[no-untyped-def]  # noqa: ANN201 -- what tools without annotations return
    """Return half a million objects, without saying so."""
    return {"matches": _objects()}


@tool(read_only=True, open_world=False)
async def short(number: int) -> int:
    """Return at once; nobody has to be asked."""
    return number + 1


def wide_tool() -> Tool:
    """Make a tool with more properties than anybody should declare."""
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "string"},
        {"type": "integer", "minimum": 0, "maximum": 1_000},
        {"type": "boolean", "default": False},
        {"enum": ["red", "green", "blue"], "default": "red"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "number", "default": 0.5},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        {"type": "string", "format": "date"},
    )
    properties = {
        f"property_{number:03}": {**kinds[number % len(kinds)], "description": "What this one means, in a sentence."}
        for number in range(PROPERTIES)
    }
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": ["property_000", "property_001"]}
    return make_tool("many_properties", "Take far too many arguments.", _take_anything, schema)


def nested_tool() -> Tool:
    """Make a tool that takes many objects, by name."""
    properties = {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}
    part: dict[str, Any] = {"type": "object", "properties": {**properties, "inner": {"type": "object"}}}
    parts: dict[str, Any] = {"type": "object", "additionalProperties": part}
    schema: dict[str, Any] = {"type": "object", "properties": {"parts": parts}, "required": ["parts"]}
    return make_tool("many_parts", "Take many objects.", _take_anything, schema)


def _take_anything(**given: Any) -> int:
    return len(given)


def crowd() -> list[Tool]:
    """Make many tools that differ in their names."""
    schema: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}
    verbs, nouns = ("read", "write", "list", "search", "move"), ("file", "page", "table", "ticket", "mail")
    return [
        make_tool(
            f"{verbs[number % 5]}_{nouns[number // 5 % 5]}_{number:05}",
            "Do one thing with another thing, and say what came of it.",
            _take_anything,
            schema,
            category=f"group {number // 100}",
        )
        for number in range(TOOLS)
    ]


def is_within(gaps: list[Gap]) -> bool:
    return max(gaps).wall_s * 1000 <= TARGET_MS


def report(title: str, gaps: list[Gap]) -> None:
    ordered = sorted(gap.wall_s * 1000 for gap in gaps)
    worst = max(gaps)
    late = sum(gap > TARGET_MS for gap in ordered)
    verdict = f"OVER ({late} times)" if late else "within"
    print(
        f"{title:<44} p50 {ordered[len(ordered) // 2]:5.1f}  p99 {ordered[int(len(ordered) * 0.99)]:6.1f}"
        f"  max {worst.wall_s * 1000:7.1f} ms (worked {worst.worked_s * 1000:6.1f})  {verdict} {TARGET_MS:.0f} ms",
        flush=True,
    )


class Stage:
    """The real console with our tools in it.

    Args:
        console: It runs already and its tools are loaded.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.heart = GapTimer()
        self.kept = True

    async def measure(self, title: str, case: Callable[[], Awaitable[None]], *, repeats: bool = True) -> None:
        """Let the window come to rest, play a case, and let it come to rest again.

        Other programs can only make gaps longer, so a case that is over the target is played again, and its best
        round counts.
        """
        rounds: list[list[Gap]] = []
        while len(rounds) < (MOST_ROUNDS if repeats else 1) and not any(map(is_within, rounds)):
            await asyncio.sleep(REST_S)
            self.heart.begin()
            await case()
            await asyncio.sleep(REST_S)
            self.heart.end()
            rounds.append(self.heart.gaps)
        best = min(rounds, key=max)
        self.kept &= is_within(best)
        report(title, best)

    def open(self, name: str) -> ExecutionView:
        """Open the page of a tool."""
        self.console.open_tools.open(name)
        page = self.console.documents.page(name)
        if not isinstance(page, ExecutionView):
            sys.exit(f"the tool {name} did not open")
        return page

    async def measure_run(self, title: str, name: str, arguments: dict[str, Any], tab: int = RESULT_TAB) -> None:
        """Open a tool, fill its form, and measure its run until its page shows what came of it."""
        page = self.open(name)
        presenter = self.console.open_tools.current
        if presenter is None:
            sys.exit(f"the tool {name} did not open")
        page.document.replace(arguments)
        page.results.show_tab(tab)

        async def run() -> None:
            await self._run(presenter)

        await self.measure(title, run)

    async def _run(self, presenter: ExecutionPresenter) -> None:
        ended = asyncio.Event()
        connection = presenter.ended.connect(ended.set)
        presenter.run()
        await ended.wait()
        presenter.ended.disconnect(connection)
        if presenter.record is None or not presenter.record.succeeded:
            sys.exit(f"the tool {presenter.tool.name} failed: {presenter.record and presenter.record.error}")


RUNS: Final[dict[str, tuple[str, dict[str, Any], int]]] = {
    "a tool burns a core, 3 s": ("burn_a_core", {"seconds": 3.0}, RESULT_TAB),
    "a tool blocks the tools' event loop, 2 s": ("block_the_loop", {"seconds": 2.0}, RESULT_TAB),
    "10,000 log lines/s, Logs in front": ("flood_the_log", {"seconds": 3.0}, LOGS_TAB),
    "10,000 log lines/s, Result in front": ("flood_the_log", {"seconds": 3.0}, RESULT_TAB),
    "100,000 log lines at once, Logs in front": ("burst_the_log", {"lines": 100_000}, LOGS_TAB),
    "50 MB of text, in lines": ("long_text", {"lines": True}, RESULT_TAB),
    "50 MB of text, in one line": ("long_text", {"lines": False}, RESULT_TAB),
    "50 MB of text inside an object": ("long_text_inside", {}, RESULT_TAB),
    "500,000 objects": ("many_objects", {}, RESULT_TAB),
    "500,000 objects, again": ("many_objects", {}, RESULT_TAB),
    "500,000 objects of a class": ("many_typed_objects", {}, RESULT_TAB),
    "500,000 objects without annotation": ("many_untyped_objects", {}, RESULT_TAB),
}
"""The cases that are one run of a tool: its name, its arguments, and the tab in front."""


ONCE: Final = frozenset({"10,000 tools arrive"})
"""The cases that cannot be played twice."""


def cases(stage: Stage) -> dict[str, Callable[[], Coroutine[Any, Any, None]]]:
    console = stage.console

    async def idle() -> None:
        await asyncio.sleep(2)

    async def open_page() -> None:
        console.open_tools.drop("search_files")
        await asyncio.sleep(REST_S)
        console.open_tools.open("search_files")

    async def open_form() -> None:
        console.open_tools.drop("many_properties")
        await asyncio.sleep(REST_S)
        console.open_tools.open("many_properties")

    async def show_objects() -> None:
        console.open_tools.drop("many_parts")
        await asyncio.sleep(REST_S)
        page = stage.open("many_parts")
        await asyncio.sleep(REST_S)
        parts = {f"part {number}": {"name": "x", "tags": ["a", "b"], "inner": {}} for number in range(PROPERTIES)}
        page.document.replace({"parts": parts})

    async def call_often() -> None:
        await console.engine.call(_call_often, console.executor, 5.0)

    async def add_tools() -> None:
        tools = await console.engine.compute(crowd)
        await console.engine.compute(console.executor.registry.register_all, tools)
        await asyncio.sleep(1)

    async def filter_tree() -> None:
        field = console.browser_view.findChild(QLineEdit, "toolsFilter")
        if field is None:
            sys.exit("the tools filter is gone")
        for word in ("file", "search page", "zzz"):
            for letter in word:
                QTest.keyClicks(field, letter)
                await asyncio.sleep(0.1)
            for _ in word:
                QTest.keyClick(field, Qt.Key.Key_Backspace)
                await asyncio.sleep(0.1)

    return {
        "idle": idle,
        "opening a page": open_page,
        "opening a form of 200 properties": open_form,
        "200 objects in a form": show_objects,
        "200 calls/s in Activity, 5 s": call_often,
        "10,000 tools arrive": add_tools,
        "typing in the filter, 10,000 tools": filter_tree,
    }


async def _call_often(executor: Executor, seconds: float) -> None:
    began = perf_counter()
    for number in range(int(seconds * CALLS_PER_S)):
        await asyncio.sleep(max(0.0, began + number / CALLS_PER_S - perf_counter()))
        await executor.execute(executor.create_call("short", {"number": number}, caller="agent: bench"))


def _is_wanted(title: str, words: list[str]) -> bool:
    return not words or any(word in title for word in words)


async def _live(theme: ThemeController, home: Path, words: list[str]) -> bool:
    functions = [burn_a_core, block_the_loop, flood_the_log, burst_the_log, short]
    functions += [long_text, long_text_inside, many_objects, many_typed_objects, many_untyped_objects]
    async with open_console(theme, home, *resolve_tools(functions), wide_tool(), nested_tool()) as console:
        stage = Stage(console)
        for title, (name, arguments, tab) in RUNS.items():
            if _is_wanted(title, words):
                await stage.measure_run(title, name, arguments, tab)
        for title, case in cases(stage).items():
            if _is_wanted(title, words):
                await stage.measure(title, case, repeats=title not in ONCE)
    return stage.kept


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        kept = run_in_window(lambda theme: _live(theme, Path(folder), sys.argv[1:]))
    print("every gap within the target" if kept else f"some gaps above {TARGET_MS:.0f} ms")
    end_process()
