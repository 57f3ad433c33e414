"""Measure what plots cost: many curves beside bare painting of the same lines, and the Health page under full load.

The goals: 200 series of 600 points at most 1.8 times the cost of painting the same thinned-out lines with nothing but a
QPainter, in the same run; with the Health page in sight and 2,000 calls a second flowing through the engine, no
standstill of the window above 50 ms. Processor time counts where two ways of painting are compared, and the best of
many rounds.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

import numpy as np
from PySide6.QtCore import QMargins, QPointF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from console.charts.lines import Points, Tick, duration_ticks
from console.charts.time_plot import PlotFrame, TimePlot
from console.charts.tool_plots import Curves, in_sight
from console.health.plots_view import PlotsView
from console.theme import Theme, ThemeController, theme_of
from tests.benchmarks.bench_window import REST_S, Stage, short
from tests.benchmarks.thread_times import print_times, times_by_thread
from tests.benchmarks.window import end_process, open_console, run_in_window
from tools import Executor, resolve_tools

SERIES: Final = 200
POINTS: Final = 600
ROUNDS: Final = 20
GOAL: Final = 1.8
CALLS_PER_S: Final = 2000
SECONDS: Final = 10.0
LOADING_S: Final = 4.0
"""For so long after the start the window still loads, piece by piece, what other pages are made of."""
BURST_S: Final = 0.02
GREATEST: Final = 1500.0
SIZES: Final = {"a narrow plot, thinned out": (300, 220), "a wide plot": (740, 260)}


def walks() -> list[Points]:
    """Return series as latencies are: near what they were before."""
    chance, made = Random(1), []
    for _ in range(SERIES):
        level, points = chance.uniform(100, 1000), []
        for place in range(POINTS):
            level = min(max(1.0, level + chance.gauss(0, 15)), GREATEST)
            points.append((float(place), level))
        made.append(points)
    return made


class ManyCurves(TimePlot):
    """A plot of ours with many series in it."""

    def __init__(self, series: list[Points]) -> None:
        self.curves = Curves()
        self._series = series
        super().__init__("Many curves", QMargins(48, 8, 18, 24))
        self.box.addItem(self.curves, ignoreBounds=True)
        self.curves.show_curves(series)
        self.show_frame(PlotFrame(0.0, float(POINTS), 1))

    def refit(self) -> None:
        super().refit()
        self.curves.fit(0.0, float(POINTS), round(self.area.width()))

    def fit(self) -> tuple[Tick, ...]:
        return tuple(tick._replace(at=tick.at * 1000) for tick in duration_ticks(GREATEST / 1000, 3))

    def style_items(self, theme: Theme) -> None:
        self.curves.set_pen(QPen(theme.plot.s1, 1))


class BareLines(QWidget):
    """The same lines where the plot has them, and nothing else."""

    def __init__(self, plot: ManyCurves, series: list[Points]) -> None:
        super().__init__()
        self.resize(plot.size())
        self._color = QColor(theme_of(plot).plot.s1)
        width = round(plot.area.width())
        self._lines = [
            QPolygonF(
                [
                    QPointF(plot.x_of(at), plot.y_of(number))
                    for at, number in in_sight(np.array(points), 0.0, float(POINTS), width)
                ]
            )
            for points in series
        ]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 -- Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme_of(self).color.surface)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._color, 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        for line in self._lines:
            painter.drawPolyline(line)


def best_ms(*works: Callable[[], object]) -> list[float]:
    """Return the processor time of each work in its best round, taking turns."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            began = time.thread_time()
            work()
            best[place] = min(best[place], (time.thread_time() - began) * 1000)
    return best


def painting() -> bool:
    """Print what painting many curves costs beside bare painting, and return whether the goal is reached."""
    series, reached = walks(), True
    print(f"{SERIES} series of {POINTS:,} points, 1 px wide, antialiased")
    for title, size in SIZES.items():
        plot = ManyCurves(series)
        plot.resize(*size)
        plot.show()
        bare = BareLines(plot, series)
        bare.show()
        for widget in (plot, bare):
            QTest.qWaitForWindowExposed(widget)

        def again(plot: ManyCurves = plot) -> None:
            plot.viewport().repaint()

        def anew(plot: ManyCurves = plot) -> None:
            plot.curves.path = None
            plot.viewport().repaint()

        ours_ms, anew_ms, bare_ms = best_ms(again, anew, bare.repaint)
        ratio = anew_ms / bare_ms
        reached &= ratio <= GOAL
        print(f"  {title}, {plot.width()} × {plot.height()}")
        print(f"    bare painting                          {bare_ms:7.2f} ms")
        print(f"    the plot again, as when the cursor moves {ours_ms:5.2f} ms   {ours_ms / bare_ms:.2f} × bare")
        print(f"    the plot with other numbers            {anew_ms:7.2f} ms   {ratio:.2f} × bare, the goal is {GOAL}")
        for widget in (plot, bare):
            widget.hide()
    return reached


async def _call_fast(executor: Executor, seconds: float) -> tuple[int, float]:
    """Call a tool so often, in bursts as close as a timer can tell apart; return how often and for how long."""
    began = perf_counter()
    made = 0
    while (passed := perf_counter() - began) < seconds:
        due = int(passed * CALLS_PER_S) - made
        for number in range(due):
            caller = ("agent: bench", "batch: bench", "you")[number % 3]
            await executor.execute(executor.create_call("short", {"number": number}, caller=caller))
        made += due
        await asyncio.sleep(BURST_S)
    return made, perf_counter() - began


async def _live(theme: ThemeController, home: Path) -> bool:
    async with open_console(theme, home, *resolve_tools([short])) as console:
        stage = Stage(console)
        looks: list[float] = []

        def note_look() -> None:
            looks.append(perf_counter())

        console.healths.looked.connect(note_look)

        async def open_page() -> None:
            console.window.show_page("health")
            await asyncio.sleep(2)

        async def call_fast() -> None:
            looks.clear()
            before = times_by_thread()
            made, took_s = await console.engine.call(_call_fast, console.executor, SECONDS)
            calls, seen = made / took_s, len(looks) / took_s
            print(f"  {calls:,.0f} calls a second were made, {seen:.1f} looks a second came of them")
            print_times(before, made, took_s)

        await asyncio.sleep(LOADING_S)
        await stage.measure("the Health page opens for the first time", open_page, repeats=False)
        await stage.measure(f"{CALLS_PER_S:,} calls/s, the Health page in sight", call_fast)
        view = console.window.findChild(PlotsView)
        if view is None or not view.isVisible():
            sys.exit("the plots were not in sight")
        console.window.show_page("tools")
        await asyncio.sleep(REST_S)
        await stage.measure(f"{CALLS_PER_S:,} calls/s, another page in sight", call_fast)
    return stage.kept


async def work(theme: ThemeController) -> None:
    reached = painting()
    with tempfile.TemporaryDirectory() as home:
        reached &= await _live(theme, Path(home))
    print("all goals reached" if reached else "a goal was missed")


if __name__ == "__main__":
    run_in_window(work)
    end_process()
