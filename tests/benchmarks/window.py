"""The window that benchmarks watch: the real console or a view of it, without a display, beside a timer of 5 ms."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from qasync import QEventLoop

from console.app.console import Console
from console.app.start import make_application
from console.preferences import Preferences
from console.responsiveness import SWITCH_INTERVAL_S
from console.responsiveness.garbage_collector import GarbageCollector
from console.theme import ThemeController
from console.window.project import sample_project
from tools import Tool
from tools.discovery import PluginList
from tools.workbench import Workbench

BEAT_MS: Final = 5

_T = TypeVar("_T")


class Gap(NamedTuple):
    """Between two beats.

    Attributes:
        wall_s: How long the window stood still.
        worked_s: The part of it that the window's own thread worked; the rest it waited for its turn.
    """

    wall_s: float
    worked_s: float


class GapTimer(QObject):
    """Beat every 5 ms on the window's thread, and keep how long that really took."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[Gap] = []
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def longest_ms(self) -> float:
        return max((gap.wall_s for gap in self.gaps), default=0.0) * 1000

    def begin(self) -> None:
        self.gaps = []
        self._wall, self._worked = perf_counter(), time.thread_time()
        self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        self._on_timer_timeout()

    @Slot()
    def _on_timer_timeout(self) -> None:
        wall, worked = perf_counter(), time.thread_time()
        self.gaps.append(Gap(wall - self._wall, worked - self._worked))
        self._wall, self._worked = wall, worked


@asynccontextmanager
async def open_console(theme: ThemeController, home: Path, *tools: Tool) -> AsyncIterator[Console]:
    """Open the real console over a sample project, with further tools once its own are loaded, and end it."""
    workbench = Workbench(PluginList(home), application=Console)
    project, data, policy = sample_project(home), home / "data", home / "policy.toml"
    console = Console(theme, Preferences(home / "window.ini"), workbench, project, data=data, policy_file=policy)
    loaded, over = asyncio.Event(), asyncio.Event()
    console.loaded.connect(loaded.set)
    console.ended.connect(over.set)
    console.start()
    console.window.resize(1440, 900)
    await loaded.wait()
    workbench.registry.register_all(tools)
    yield console
    console.end()
    await over.wait()


def run_in_window(work: Callable[[ThemeController], Coroutine[Any, Any, _T]]) -> _T:
    """Run a coroutine on Qt's event loop, with the settings of the program."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    application = make_application()
    GarbageCollector(application).start()
    theme = ThemeController(application, "light")
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        return runner.run(work(theme))


def end_process() -> None:
    """End at once: a tool's thread may still run."""
    sys.stdout.flush()
    os._exit(0)
