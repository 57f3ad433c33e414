"""How soon large results are seen, how long they hold the window up, and how they scroll; Qt's own views beside.

Run with `python -m tests.benchmarks.bench_results`; `... bench_results 200` measures 200 MB too, without the peers.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import psutil
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractScrollArea, QPlainTextEdit, QTreeView, QWidget

from console.json_view import load_languages
from console.tasks import TaskScope
from console.theme import ThemeController
from console.viewers import Content, ContentKind, ContentPresenter, ContentView, Representation
from tests.benchmarks.window import GapTimer, run_in_window

SIZE_MB: Final = 10
ROWS: Final = 100_000
FRAMES: Final = 60
ROW: Final = {"file": "src/agents/router.py", "line": 118, "column": 7, "text": "a line of a file that was found"}


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


def painted_s(widget: QWidget, show: Callable[[], object]) -> float:
    """Return how long it takes to show something and paint it once."""
    began_s = time.perf_counter()
    show()
    widget.grab()
    return time.perf_counter() - began_s


def frame_ms(area: QAbstractScrollArea) -> float:
    """Return how much processor time a page of scrolling costs, in the middle of the longest steps."""
    bar, costs = area.verticalScrollBar(), []
    if not bar.maximum():
        bar = area.horizontalScrollBar()
    for frame in range(FRAMES):
        began_s = time.thread_time()
        bar.setValue(bar.maximum() * frame // FRAMES)
        area.viewport().grab()
        costs.append(time.thread_time() - began_s)
    return sorted(costs)[FRAMES * 9 // 10] * 1000


def values(size_mb: float) -> list[dict[str, Any]]:
    count = round(size_mb * 1e6 / (len(json.dumps(ROW)) + 2))
    return [{**ROW, "line": number} for number in range(count)]


class Stand:
    def __init__(self) -> None:
        self.scope = TaskScope("bench")
        self.view = ContentView()
        self.view.resize(1100, 700)
        self.view.show()
        self.presenter = ContentPresenter(self.view, _compute, self.scope, notify=print)
        self.beat = GapTimer()

    async def show(self, what: str, content: Content, form: Representation) -> None:
        """Measure the first picture, the longest time the window was held up, and a frame of scrolling."""
        view, beat = self.view, self.beat
        view.choose_form(form)
        await asyncio.sleep(0.1)
        beat.begin()
        first_s = painted_s(view, lambda: view.show_content(content))
        while self.scope.busy:  # noqa: ASYNC110 -- the scope sets no event
            await asyncio.sleep(0.005)
        view.grab()
        # What is still found little by little, such as where lines begin, holds up as well if it is at fault.
        await asyncio.sleep(1.0)
        held_ms = beat.longest_ms
        area: QAbstractScrollArea = view.tree
        if form is Representation.TABLE and view.table is not None:
            area = view.table.rows
        elif form is not Representation.TREE:
            area = view.text
        print(
            f"  ours, {what}: seen in {first_s * 1000:6.1f} ms, window held up {held_ms:6.1f} ms,"
            f" a frame of scrolling {frame_ms(area):5.1f} ms of processor"
        )

    async def arrange(self) -> None:
        table = self.view.table
        if table is None:
            return
        steps: tuple[tuple[str, Callable[[], object]], ...] = (
            ("sorted by text", lambda: table.sort_by(3)),
            ("sorted by number", lambda: table.sort_by(1)),
            ("filtered", lambda: table.filter.setText("9999")),
        )
        for what, act in steps:
            self.beat.begin()
            began_s = time.perf_counter()
            act()
            await asyncio.sleep(0.2)
            while self.scope.busy:  # noqa: ASYNC110 -- the scope sets no event
                await asyncio.sleep(0.005)
            table.grab()
            took_s = time.perf_counter() - began_s
            held_ms = self.beat.longest_ms
            print(f"  ours, {what}: {took_s:5.2f} s, window held up {held_ms:6.1f} ms, {len(table.model.order):,} rows")

    async def close(self) -> None:
        self.beat.end()
        self.presenter.close()
        await self.scope.close()
        self.view.deleteLater()


def peer_text(what: str, text: str) -> None:
    edit = QPlainTextEdit()
    edit.setReadOnly(True)
    edit.resize(1100, 700)
    edit.show()
    edit.grab()
    seen_ms = painted_s(edit, lambda: edit.setPlainText(text)) * 1000
    print(f"  QPlainTextEdit, {what}: seen in {seen_ms:6.1f} ms, a frame of scrolling {frame_ms(edit):5.1f} ms")
    edit.deleteLater()


def peer_tree(rows: list[dict[str, Any]]) -> None:
    tree = QTreeView()
    tree.resize(1100, 700)
    tree.show()
    tree.grab()

    def fill() -> None:
        model = QStandardItemModel(tree)
        for number, row in enumerate(rows):
            item = QStandardItem(str(number))
            item.appendRows([QStandardItem(f"{name}: {value}") for name, value in row.items()])
            model.appendRow(item)
        tree.setModel(model)

    seen_ms = painted_s(tree, fill) * 1000
    print(
        f"  QTreeView with QStandardItemModel, {len(rows):,} objects: seen in {seen_ms:6.1f} ms,"
        f" a frame of scrolling {frame_ms(tree):5.1f} ms"
    )
    tree.deleteLater()


def memory_mb() -> float:
    return float(psutil.Process().memory_info().rss / 1e6)


async def work(_: ThemeController) -> None:
    load_languages()
    stand = Stand()
    print("to warm up")
    await stand.show("a tree", Content(ContentKind.JSON, [ROW]), Representation.TREE)
    await stand.show("a table", Content(ContentKind.JSON, [ROW]), Representation.TABLE)
    await stand.show("text", Content(ContentKind.TEXT, "text"), Representation.TEXT)
    for size_mb in (SIZE_MB, *map(int, sys.argv[1:])):
        rows = values(size_mb)
        lines = "\n".join(json.dumps(row) for row in rows)
        one_line = lines.replace("\n", " ")
        print(f"{size_mb} MB, {len(rows):,} objects; {memory_mb():,.0f} MB held by the data and the program")
        with_peers = size_mb <= SIZE_MB
        await stand.show("a tree", Content(ContentKind.JSON, rows), Representation.TREE)
        if with_peers:
            peer_tree(rows)
        await stand.show("text of many lines", Content(ContentKind.TEXT, lines[1:]), Representation.TEXT)
        if with_peers:
            peer_text("many lines", lines)
        await stand.show("text of one line", Content(ContentKind.TEXT, one_line[1:]), Representation.TEXT)
        if with_peers:
            peer_text("one line", one_line)
        del lines, one_line
        print(f"  {memory_mb():,.0f} MB held")
        await stand.show("JSON as text", Content(ContentKind.JSON, rows), Representation.TEXT)
        await stand.show("JSON in a text, as a tree", Content(ContentKind.TEXT, json.dumps(rows)), Representation.TREE)
        await stand.show("a table", Content(ContentKind.JSON, rows[:ROWS]), Representation.TABLE)
        if with_peers:
            await stand.show("a table", Content(ContentKind.JSON, (rows * 2)[:ROWS]), Representation.TABLE)
            await stand.arrange()
        print(f"  {memory_mb():,.0f} MB held")
    await stand.close()


if __name__ == "__main__":
    run_in_window(work)
