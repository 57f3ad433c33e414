"""Start the Qt application and its event loop, and see both to their end."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import logging
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from console import crash_handler, language
from console.assets import application_icon
from console.crash_reports import END_PATIENCE_S, CrashReports
from console.language import tr
from console.preferences import Preferences
from console.responsiveness import SWITCH_INTERVAL_S
from console.startup.early_window import EarlyWindow
from console.startup.first_window import FirstWindow, Opening, StartUp, WindowEnd, opening_of
from console.theme import ThemeController
from console.theme.fonts import load_fonts
from console.widgets import FocusRing
from tools.paths import WINDOW_FILE, data_folder

if TYPE_CHECKING:
    from console.app.console import Console

PAINT_PATIENCE_MS: Final = 1000
"""How long the program waits for its window to be painted; a minimised one never is."""
_SCALE: Final = "QT_SCALE_FACTOR"


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
    reports.begin()
    logging.getLogger().addHandler(reports)
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory())) if safe_mode else None
        begun = StartUp(scratch, reports, problems=tuple(problems))
        # Qt's own word for it.
        words = ["-reverse"] if right_to_left else []
        end = _shown(first, opening, begun, words)
    first.close()
    reports.end()
    if sys.stderr is not None:
        # What keeps the interpreter from ending after that is told there.
        faulthandler.dump_traceback_later(END_PATIENCE_S, exit=True)
    return end


def _say(text: str) -> None:
    sys.stderr.write(f"tool-console: {text}\n")


def _shown(first: FirstWindow, opening: Opening, begun: StartUp, words: Sequence[str]) -> WindowEnd:
    """Show the window until it is closed, and return how it ended."""
    preferences = Preferences(None if begun.scratch is None else begun.scratch / WINDOW_FILE)
    with _scaled(preferences.scale):
        application = make_application(words)
    # As long as the program is loaded nothing is garbage; from then on a timer looks for it.
    gc.disable()
    theme = ThemeController(application, preferences.theme_mode, density=preferences.density)
    ring = FocusRing(application)
    early = EarlyWindow(preferences, opening.project)
    if begun.reports is not None:
        early.closed.connect(begun.reports.expect_end)
    early.show_what_is_known()
    try:
        paint(application, early)
        if begun.reports is not None:
            begun = begun._replace(last_end=begun.reports.of_last_start())
        if early.is_closed:
            return WindowEnd()
        from console.app.event_loop import run_loop  # noqa: PLC0415 -- asyncio takes as long as the picture

        return run_loop(application, early, first, partial(console_of, theme, preferences, opening, begun, early))
    except Exception as error:
        # Whatever a module raises while it is imported.
        logging.getLogger(__name__).exception("the program behind the window cannot be loaded")
        _say(f"the program cannot be loaded: {error}")
        early.tell_failure(error).finished.connect(application.exit)
        application.exec()
        return WindowEnd(1, is_clean=False)
    finally:
        # A program that starts again, or that a thread keeps from ending, lets go of nothing by itself.
        theme.close()
        del ring


def paint(application: QApplication, early: EarlyWindow) -> None:
    """Show the window, until it is painted and what was typed at once is done."""
    patience, idle = QTimer(interval=PAINT_PATIENCE_MS, singleShot=True), QTimer(interval=0, singleShot=True)
    for timer in (patience, idle):
        # Not `quit`, which closes the windows.
        timer.timeout.connect(application.exit)
    patience.start()
    early.painted.connect(idle.start)
    early.show()
    application.exec()


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


def console_of(
    theme: ThemeController,
    preferences: Preferences,
    opening: Opening,
    begun: StartUp,
    early: EarlyWindow | None = None,
) -> Console:
    """Return the program behind the window, as it was asked for."""
    # After the window was painted; see `load_program`.
    from console.app.console import Console  # noqa: PLC0415
    from tools.discovery import PluginList  # noqa: PLC0415
    from tools.workbench import Workbench  # noqa: PLC0415

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
        early=early,
    )
