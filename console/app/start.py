"""Start the Qt application and its event loop, and see both to their end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from console import crash_handler, language
from console.app.console import Console
from console.app.first_window import FirstWindow, Opening, Openings, opening_of
from console.app.support import StartUp
from console.assets import application_icon
from console.crash_reports import CrashReports
from console.interpreter import SWITCH_INTERVAL_S
from console.interpreter.garbage_collector import GarbageCollector
from console.language import tr
from console.preferences import Preferences
from console.theme import ThemeController
from console.theme.fonts import load_fonts
from console.widgets import FocusRing
from tools.discovery import PluginList
from tools.paths import data_folder
from tools.workbench import WINDOW_FILE, Workbench

_SCALE: Final = "QT_SCALE_FACTOR"


class WindowEnd(NamedTuple):
    """How the window ended.

    Attributes:
        code: The exit code.
        is_clean: Whether every thread ended.
        restarts: Whether the program is to start again.
    """

    code: int
    is_clean: bool = True
    restarts: bool = False


def make_application(arguments: Sequence[str] = ()) -> QApplication:
    """Return the Qt application, with fonts and names set."""
    application = QApplication(["tool-console", *arguments])
    application.setApplicationName("tool-console")
    application.setApplicationDisplayName("Tool Console")
    application.setDesktopFileName("tool-console")
    application.setWindowIcon(application_icon())
    # A dialog may be the only window for a moment; the program ends when `Console` says so.
    application.setQuitOnLastWindowClosed(False)
    language.translate_qt(application)
    load_fonts()
    return application


def run_window(
    project_dir: Path | None,
    plugins: Sequence[Path],
    plan: Path | None,
    *,
    safe_mode: bool = False,
    right_to_left: bool = False,
) -> WindowEnd:
    """Show the window until it is closed.

    Args:
        project_dir: The project folder; None takes the one used last.
        plugins: Further plugin files, for this run only.
        plan: A plan to open; None for none.
        safe_mode: Whether no plugins and no servers are started, and settings are default ones that are not kept.
        right_to_left: Whether the window is laid out for people who read that way.

    Returns:
        How it ended.
    """
    problems = []
    try:
        crash_handler.start_logging()
    except OSError as error:
        problems.append(tr("The log cannot be written ({error}). Let your user write there.", error=error))
    crash_handler.catch_crashes(_say)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    first = FirstWindow(data_folder())
    opening = opening_of(project_dir, plugins, plan)
    try:
        if not first.claim():
            if safe_mode:
                _say("the window is open already; close it, then start in safe mode")
                return WindowEnd(1)
            if first.hand_over(opening):
                _say("the window is open already; it comes to the front")
                return WindowEnd(0)
    except OSError as error:
        _say(str(error))
        return WindowEnd(1)
    reports = CrashReports()
    # Only the program with the window looks: the mark of another one that runs is no sign of a crash.
    last_end = reports.begin()
    logging.getLogger().addHandler(reports)
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory())) if safe_mode else None
        begun = StartUp(scratch, reports, last_end, tuple(problems))
        # Qt's own word for it.
        words = ["-reverse"] if right_to_left else []
        console = _shown(first, opening, begun, words)
    first.close()
    reports.end()
    return WindowEnd(0, console.stopped_cleanly, console.restarts)


def _say(text: str) -> None:
    sys.stderr.write(f"tool-console: {text}\n")


def _shown(first: FirstWindow, opening: Opening, begun: StartUp, words: Sequence[str]) -> Console:
    """Show the window until it is closed, and return what was behind it."""
    preferences = Preferences(None if begun.scratch is None else begun.scratch / WINDOW_FILE)
    with _scaled(preferences.scale):
        application = make_application(words)
    collector = GarbageCollector(application)
    collector.start()
    theme = ThemeController(application, preferences.theme_mode, density=preferences.density)
    ring = FocusRing(application)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        console = runner.run(_live(theme, preferences, first, opening, begun))
    # A program that starts again, or that a thread keeps from ending, lets go of nothing by itself.
    theme.close()
    del ring
    return console


@contextlib.contextmanager
def _scaled(percent: int) -> Iterator[None]:
    """Let Qt draw everything larger, but no program that is started from here."""
    before = os.environ.get(_SCALE)
    if percent != 100:
        os.environ[_SCALE] = f"{percent / 100 * float(before or 1):g}"
    try:
        yield
    finally:
        os.environ.pop(_SCALE, None)
        if before is not None:
            os.environ[_SCALE] = before


def console_of(theme: ThemeController, preferences: Preferences, opening: Opening, begun: StartUp) -> Console:
    """Return the program behind the window, as it was asked for."""
    scratch = begun.scratch
    if scratch is None:
        workbench, servers = Workbench(application=Console), None
    else:
        workbench, servers = Workbench(PluginList(scratch), installed=()), scratch / "servers.json"
    return Console(
        theme,
        preferences,
        workbench,
        opening.project,
        opening.plugins,
        plan=opening.plan,
        servers_file=servers,
        begun=begun,
    )


async def _live(
    theme: ThemeController, preferences: Preferences, first: FirstWindow, opening: Opening, begun: StartUp
) -> Console:
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    console = console_of(theme, preferences, opening, begun)
    crash_handler.catch_crashes(console.crashed.emit)
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
