"""Start the Qt application and its event loop, and see both to their end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from console import crash
from console.app.console import Console
from console.app.first_window import FirstWindow, Opening, Openings, opening_of
from console.assets import application_icon
from console.interpreter import SWITCH_INTERVAL_S
from console.interpreter.garbage_collector import GarbageCollector
from console.preferences import Preferences
from console.theme import ThemeController
from console.theme.fonts import load_fonts
from console.widgets import FocusRing
from tools.paths import data_folder
from tools.workbench import Workbench

_log = logging.getLogger(__name__)


def make_application(arguments: Sequence[str] = ()) -> QApplication:
    """Return the Qt application, with fonts and names set."""
    application = QApplication(["tool-console", *arguments])
    application.setApplicationName("tool-console")
    application.setApplicationDisplayName("Tool Console")
    application.setDesktopFileName("tool-console")
    application.setWindowIcon(application_icon())
    # A dialog may be the only window for a moment; the program ends when `Console` says so.
    application.setQuitOnLastWindowClosed(False)
    load_fonts()
    return application


def run_window(project_dir: Path | None, plugins: Sequence[Path], plan: Path | None) -> tuple[int, bool]:
    """Show the window until it is closed.

    Args:
        project_dir: The project folder; None takes the one used last.
        plugins: Further plugin files, for this run only.
        plan: A plan to open; None for none.

    Returns:
        The exit code, and whether every thread ended.
    """
    crash.start_logging()
    crash.catch_crashes(_log.critical)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    first = FirstWindow(data_folder())
    opening = opening_of(project_dir, plugins, plan)
    try:
        if not first.claim() and first.hand_over(opening):
            sys.stderr.write("tool-console: the window is open already; it comes to the front\n")
            return 0, True
    except OSError as error:
        sys.stderr.write(f"tool-console: {error}\n")
        return 1, True
    application = make_application()
    collector = GarbageCollector(application)
    collector.start()
    preferences = Preferences()
    theme = ThemeController(application, preferences.theme_mode)
    ring = FocusRing(application)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        console = runner.run(_live(theme, preferences, first, opening))
    del ring
    first.close()
    return 0, console.stopped_cleanly


async def _live(theme: ThemeController, preferences: Preferences, first: FirstWindow, opening: Opening) -> Console:
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    bench = Workbench(application=Console)
    console = Console(theme, preferences, bench, opening.project, opening.plugins, plan=opening.plan)
    openings = Openings(first.folder, console)
    openings.came.connect(console.take_opening)

    def on_ended() -> None:
        if not over.done():
            over.set_result(None)

    console.ended.connect(on_ended)
    with _ended_by_signals(console.end):
        console.start()
        openings.start()
        await over
    return console


@contextlib.contextmanager
def _ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the program; from inside the running event loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
    # Windows wakes a program for a signal by itself.
    with contextlib.nullcontext() if sys.platform == "win32" else _woken_by_signals(loop):
        yield


@contextlib.contextmanager
def _woken_by_signals(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    # Python runs signal handlers between its own instructions, and a window that waits for the next event runs none:
    # a byte on this socket wakes it.
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.setblocking(False)
        writer.setblocking(False)
        loop.add_reader(reader, reader.recv, 64)
        before = signal.set_wakeup_fd(writer.fileno())
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(reader)
