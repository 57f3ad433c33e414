"""How smooth the History page is over 100,000 calls: from a typed word to the painted list, scrolling, new calls.

Run with `python -m tests.benchmarks.bench_history_page`. The window's own thread is what counts: how long it was held
up at a time, and how long a person waits.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject

from console.call_result.recent import RecentCalls
from console.call_storage import CallStorage
from console.history.page import HistoryPane
from console.history.view import HistoryView
from console.responsiveness.heartbeat import UiHeartbeat
from console.tasks import TaskScope
from tests.benchmarks.window import GapTimer, end_process, run_in_window
from tests.console.tool_cards import tools_of
from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.history import History

RECORDED: Final = 100_000
WORDS: Final = ("invoice", "invoice 4711", "order failed", "northern lights", "nothing like it")
ROUNDS: Final = 5


@tool(read_only=True)
async def search_orders(pattern: str, limit: int = 20) -> dict[str, list[str]]:
    """Search orders."""
    if limit == 13:
        raise RuntimeError(f"order failed: {pattern}")
    return {"matches": [pattern, "northern lights" if limit == 7 else "shipped"]}


class Painted(QObject):
    """Notice when a widget was painted."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 0.0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
        if event.type() is QEvent.Type.Paint:
            self.at = time.perf_counter()
        return False


async def fill(folder: Path) -> None:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([search_orders]))
    history = History(folder)
    history.open()
    executor = Executor(registry, listeners=[history.receive])
    logging.getLogger("tools.calls").setLevel(logging.CRITICAL)
    for number in range(RECORDED):
        arguments = {"pattern": f"invoice {number} of customer {number % 977}", "limit": number % 29}
        await executor.execute(executor.create_call("search_orders", arguments))
    await executor.aclose()
    history.flush(60.0)
    await asyncio.sleep(3.0)  # what was written last is indexed a moment later
    history.close()


async def measure(view: HistoryView, painted: Painted, beat: GapTimer) -> None:
    """Type words, scroll, and print what a person waits for."""
    table = view.table
    model = table.model()

    async def until_listed(before: object) -> float:
        """Return when the list stood painted after its next reset."""
        while reset[0] is before:  # noqa: ASYNC110 -- what is waited for happens in widgets, which set no event
            await asyncio.sleep(0.001)
        since = time.perf_counter()
        view.repaint()
        return time.perf_counter() if painted.at < since else painted.at

    reset: list[object] = [object()]

    def on_reset() -> None:
        reset[0] = object()

    model.modelReset.connect(on_reset)
    for words in WORDS:
        waits = []
        for _ in range(ROUNDS):
            for text in (words, ""):
                before, began = reset[0], time.perf_counter()
                view.filters_bar.search.setText(text)
                ended = await until_listed(before)
                if text:
                    waits.append(ended - began)
                    found = model.rowCount()
        print(f"typed {words!r:<22} painted after {min(waits) * 1000:5.1f} ms, {found:,} rows at first")
    await asyncio.sleep(0.5)
    beat.begin()
    began = time.perf_counter()
    while model.rowCount() < 5_000:
        table.scrollToBottom()
        await asyncio.sleep(0.001)
    took = time.perf_counter() - began
    print(f"scrolled through 5,000 calls in {took:.2f} s; the window was held up {beat.longest_ms:.1f} ms")


def refuse(title: str, text: str, yes: str, then: Callable[[], None]) -> None:
    raise NotImplementedError


async def live(home: Path) -> None:
    registry = ToolRegistry()
    registry.register_all(resolve_tools([search_orders]))
    executor = Executor(registry)
    scope = TaskScope("bench")
    records = CallStorage(home, executor, UiHeartbeat())
    await records.open()
    histories = HistoryPane(records, tools_of(registry), scope=scope, recent=RecentCalls().of, ask=refuse)
    painted = Painted()
    began = time.perf_counter()
    histories.widget.resize(1392, 800)
    histories.widget.show()
    view = histories.widget.findChild(HistoryView, "history")
    if view is None:
        sys.exit("the page did not come up")
    view.table.viewport().installEventFilter(painted)
    while not view.table.model().rowCount():  # noqa: ASYNC110 -- as above
        await asyncio.sleep(0.001)
    view.repaint()
    print(f"page made, asked and painted after {(time.perf_counter() - began) * 1000:.0f} ms")
    beat = GapTimer()
    await asyncio.sleep(0.5)
    await measure(view, painted, beat)
    beat.begin()
    for number in range(2_000):
        call = executor.create_call("search_orders", {"pattern": f"new {number}"})
        await executor.execute(call)
        if number % 20 == 0:
            await asyncio.sleep(0.005)
    await asyncio.sleep(1.5)
    newest = view.table.model().index(0, 3).data()
    print(f"2,000 new calls came in ({newest}); the window was held up {beat.longest_ms:.1f} ms")
    beat.end()
    histories.close()
    await scope.close()
    await executor.aclose()
    await records.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fill(Path(folder) / "history"))
        run_in_window(lambda _: live(Path(folder)))
    end_process()
