"""How long a keystroke in the tools filter takes until it is painted, with 10,000 tools.

Run with `python -m tests.benchmarks.bench_tree_filter`. The design allows two frames: 33 ms.
"""

from __future__ import annotations

import os
from time import perf_counter, process_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from console.browser.tool_tree import ToolRow, ToolSourceRow
from console.browser.view import BrowserView
from console.theme import ThemeController
from console.theme.fonts import load_fonts

TOOLS = 10_000
TARGET_MS = 33.0
ROUNDS = 5
TYPED = ("file", "tool_0", "search page", "zzz", "e")
_VERBS = ("read", "write", "list", "search", "move", "delete", "query", "fetch", "render", "check")
_NOUNS = ("file", "page", "table", "ticket", "branch", "image", "mail", "note", "queue", "user")


def rows(count: int, per_group: int) -> list[ToolRow]:
    """Make rows whose names, groups and keywords look like real ones."""
    source = ToolSourceRow("built-in", "Built-in")
    return [
        ToolRow(
            f"{_VERBS[number % 10]}_{_NOUNS[number // 10 % 10]}_{number:05}",
            source,
            f"Group {number // per_group}",
            description="Do one thing with another thing, and say what came of it.",
            keywords=("tool", _NOUNS[number % 7]),
            asks_first=number % 9 == 0,
            latency=("fast", "medium", "slow")[number % 3],
        )
        for number in range(count)
    ]


def keystrokes_ms(view: BrowserView) -> list[tuple[float, float]]:
    """Type words and take them back, and time each key until the dock is painted: on the wall, and of the processor."""
    field = view.findChild(QLineEdit, "toolsFilter")
    assert field is not None
    times = []
    for _ in range(ROUNDS):
        for word in TYPED:
            for key in (*word, *("\b" * len(word))):
                began, busy = perf_counter(), process_time()
                if key == "\b":
                    QTest.keyClick(field, Qt.Key.Key_Backspace)
                else:
                    QTest.keyClick(field, key)
                view.repaint()
                times.append(((perf_counter() - began) * 1000, (process_time() - busy) * 1000))
                QTest.qWait(1)  # what is opened later is opened now, as between two real keystrokes
    return times


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def report(title: str, times: list[tuple[float, float]]) -> None:
    """Print the middle and the slow end of some times; a busy machine shows as a gap between wall and processor."""
    wall, processor = ([pair[which] for pair in times] for which in (0, 1))
    p95 = percentile(wall, 0.95)
    print(
        f"{title:<24} p50 {percentile(wall, 0.5):6.1f} ms  p95 {p95:6.1f} ms  (processor p50 "
        f"{percentile(processor, 0.5):5.1f}, p95 {percentile(processor, 0.95):5.1f})  "
        f"{'within' if p95 <= TARGET_MS else 'OVER'} {TARGET_MS:.0f} ms, {len(times)} keystrokes"
    )


def main() -> None:
    """Measure with many small groups, with few large ones, with everything open, and with all in one."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    load_fonts()
    controller = ThemeController(application, "light")
    for title, per_group, opened in (
        ("100 groups of 100", 100, False),
        ("10 groups of 1,000", 1_000, False),
        ("100 groups, all opened", 100, True),
        ("1 group of 10,000", 10_000, True),
    ):
        view = BrowserView()
        view.resize(280, 836)
        view.set_rows(rows(TOOLS, per_group))
        view.show()
        if not QTest.qWaitForWindowExposed(view):
            message = "the dock was not shown within 5 s, so nothing can be painted; check QT_QPA_PLATFORM"
            raise RuntimeError(message)
        if opened:
            view.set_groups_open(opened=True)
        view.repaint()
        report(title, keystrokes_ms(view))
        view.close()
    controller.deleteLater()


if __name__ == "__main__":
    main()
