"""The real window in a process of its own, for `bench_start`: when it can be used, what it takes when left alone."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from psutil import Process
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QTreeView
from qasync import QEventLoop

from console.app.console import Console
from console.app.start import make_application
from console.interpreter.garbage_collector import GarbageCollector
from console.preferences import Preferences
from console.theme import ThemeController
from tools.discovery import PluginList
from tools.workbench import Workbench

SETTLE_S: Final = 20.0
"""Seconds after which what is loaded behind the open window is loaded."""

IDLE_S: Final = 30.0
"""Seconds that the open window is left alone."""


class Moment(NamedTuple):
    """When something was there.

    Attributes:
        wall_s: Seconds since the process was started.
        processor_s: Seconds that all its threads had worked by then.
    """

    wall_s: float
    processor_s: float

    @classmethod
    def now(cls, began: float) -> Moment:
        return cls(time.time() - began, time.process_time())


class Watch(QObject):
    """Notice when the window was painted first, and first with tools: the event after its paint event.

    Args:
        console: The window.
        began: When the process was started, as the time of day.

    Attributes:
        moments: When it was painted, and when with tools.
    """

    def __init__(self, console: Console, began: float) -> None:
        super().__init__()
        self.moments: list[Moment] = []
        self._began = began
        self._trees = console.browser_view.findChildren(QTreeView)
        console.window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
        if event.type() is QEvent.Type.UpdateRequest:
            asyncio.get_running_loop().call_soon(self._note)
        return False

    def _note(self) -> None:
        # The rows of families are there while they are still empty.
        has_tools = any(model.rowCount(model.index(0, 0)) > 0 for model in (tree.model() for tree in self._trees))
        if len(self.moments) < 1 + has_tools:
            self.moments.append(Moment.now(self._began))


def open_window(began: float, *, idle: bool) -> None:
    """Open the real window, print when it was painted, filled and ready, and end.

    Args:
        began: When the process was started, as the time of day.
        idle: Whether to leave it open, and print what it takes then.
    """
    application = make_application()
    collector = GarbageCollector(application)
    collector.start()
    theme = ThemeController(application, "light")
    with (
        tempfile.TemporaryDirectory() as home,
        asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner,
    ):
        runner.run(_live(theme, Path(home), began, idle=idle))
        sys.stdout.flush()
        os._exit(0)


async def _live(theme: ThemeController, home: Path, began: float, *, idle: bool) -> None:
    workbench = Workbench(PluginList(home), application=Console)
    console = Console(theme, Preferences(home / "window.ini"), workbench, home, data=home / "data")
    watch = Watch(console, began)
    loaded, over = asyncio.Event(), asyncio.Event()
    console.loaded.connect(loaded.set)
    console.ended.connect(over.set)
    console.start()
    await loaded.wait()
    ready = Moment.now(began)
    moments = [*[*watch.moments, ready, ready][:2], ready]
    print(*(number for moment in moments for number in moment), time.thread_time())
    if idle:
        await asyncio.sleep(SETTLE_S)
        before = resource.getrusage(resource.RUSAGE_SELF)
        await asyncio.sleep(IDLE_S)
        after = resource.getrusage(resource.RUSAGE_SELF)
        worked_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(worked_s / IDLE_S, (after.ru_nvcsw - before.ru_nvcsw) / IDLE_S, Process().memory_info().rss)
    console.end()
    await over.wait()
