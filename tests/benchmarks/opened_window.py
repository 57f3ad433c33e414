"""The real window in a process of its own, for `bench_start`: when it can be used, what it takes when left alone."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent

from console.app.start import make_application, paint
from console.preferences import Preferences
from console.responsiveness.garbage_collector import GarbageCollector
from console.startup.early_window import EarlyWindow
from console.theme import ThemeController

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
    """Notice when the window was painted first, when it could be used first, and when its first page was painted.

    It can be used when its tree was painted with tools and letters typed into the filter, as soon as that was painted,
    have narrowed them.

    Args:
        early: The window.
        began: When the process was started, as the time of day.

    Attributes:
        painted, usable, filled: When that was; None before.
    """

    def __init__(self, early: EarlyWindow, began: float) -> None:
        super().__init__()
        self.painted: Moment | None = None
        self.usable: Moment | None = None
        self.filled: Moment | None = None
        self._began = began
        self._early = early
        self._count = 0
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self.note)
        # Not `findChildren`, which makes Python know all widgets of Qt: as long as half of what is measured.
        self._tree, self._filter = early.browser_view._tree, early.browser_view._filter
        early.window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
        # The timer comes when the window, or the part of it that changed, is painted.
        if event.type() is QEvent.Type.Paint or (self.painted and event.type() is QEvent.Type.UpdateRequest):
            self._timer.start()
        return False

    def note(self) -> None:
        """Note what is painted by now."""
        # The rows of families are there while they are still empty.
        model = self._tree.model()
        shown = model.rowCount(model.index(0, 0))
        now = Moment.now(self._began)
        if self.painted is None and shown:
            self.painted = now
            self._count = shown
            self._filter.setFocus()
            for letter in "hash":
                key = getattr(Qt.Key, f"Key_{letter.upper()}")
                press = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, letter)
                QCoreApplication.postEvent(self._filter, press)
        if self.usable is None and self._filter.text() == "hash" and shown < self._count:
            self.usable = now
            self._filter.clear()
        if self.filled is None and self._early.window.pages.count():
            self.filled = now


class WatchedWindow(EarlyWindow):
    """A window that is looked at before its first page is made, which keeps the timer from coming."""

    watch: Watch

    def fill(self) -> None:
        """Note what is painted, then fill the window."""
        self.watch.note()
        super().fill()


def open_window(began: float, *, idle: bool) -> None:
    """Open the real window, print when it was painted, filled and ready, and end.

    Args:
        began: When the process was started, as the time of day.
        idle: Whether to leave it open, and print what it takes then.
    """
    application = make_application()
    theme = ThemeController(application, "light")
    with tempfile.TemporaryDirectory() as home:
        early = WatchedWindow(Preferences(Path(home) / "window.ini"))
        watch = early.watch = Watch(early, began)
        early.show_what_is_known()
        paint(application, early)
        import asyncio  # noqa: PLC0415 -- as the program does

        from qasync import QEventLoop  # noqa: PLC0415 -- as above

        with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
            runner.run(_live(theme, early, Path(home), began, watch, idle=idle))
        sys.stdout.flush()
        os._exit(0)


async def _live(
    theme: ThemeController, early: EarlyWindow, home: Path, began: float, watch: Watch, *, idle: bool
) -> None:
    import asyncio  # noqa: PLC0415 -- as the program does

    from console.startup.loading import load_program  # noqa: PLC0415 -- as above

    await load_program(early)
    from console.app.console import Console  # noqa: PLC0415 -- as the program does
    from tools.discovery import PluginList  # noqa: PLC0415 -- as above
    from tools.workbench import Workbench  # noqa: PLC0415 -- as above

    workbench = Workbench(PluginList(home), application=Console)
    preferences = Preferences(home / "window.ini")
    console = Console(theme, preferences, workbench, home, data=home / "data", early=early)
    collector = GarbageCollector(early)
    collector.start()
    loaded, over = asyncio.Event(), asyncio.Event()
    console.loaded.connect(loaded.set)
    console.ended.connect(over.set)
    console.start()
    await loaded.wait()
    moments = [watch.painted, watch.usable, watch.filled, Moment.now(began)]
    from psutil import Process  # noqa: PLC0415 -- the start is over

    print(*(number for moment in moments if moment for number in moment), time.thread_time())
    if idle:
        await asyncio.sleep(SETTLE_S)
        before = resource.getrusage(resource.RUSAGE_SELF)
        await asyncio.sleep(IDLE_S)
        after = resource.getrusage(resource.RUSAGE_SELF)
        worked_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(worked_s / IDLE_S, (after.ru_nvcsw - before.ru_nvcsw) / IDLE_S, Process().memory_info().rss)
    console.end()
    await over.wait()
