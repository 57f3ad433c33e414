"""Take a picture of every screen and dialog, in both themes, of the real program after real calls.

Run by `make shots`; the pictures stand in `build/shots`. Nothing in them is made up: the calls run on a copy of the
sample project that ships with the program.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import traceback
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from PySide6.QtCore import QMessageLogContext, QPoint, QSize, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QAction, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QTreeView,
    QWidget,
)
from qasync import QEventLoop

from console.app.console import Console
from console.app.start import make_application
from console.preferences import Preferences
from console.responsiveness.garbage_collector import GarbageCollector
from console.tasks import TaskScope
from console.theme import ThemeController, ThemeMode, theme_of
from console.tool_page.view import ExecutionView
from console.widgets import FocusRing, set_reduced_motion
from console.window.project import sample_project
from tests.shots_of_agents import agents
from tests.shots_of_apis import apis
from tests.shots_of_approvals import approvals_caller_gone, approvals_page, approvals_plan, approvals_protected
from tests.shots_of_assistant import assistant, assistant_compared
from tests.shots_of_authoring import authoring, findings, settings
from tests.shots_of_batch_editing import batch_closing, batch_editing
from tests.shots_of_batches import batch, batch_states
from tests.shots_of_checks import checks
from tests.shots_of_definitions import definitions
from tests.shots_of_first_hour import first_hour
from tests.shots_of_graphs import batch_graphs
from tests.shots_of_health import health, health_states
from tests.shots_of_palette import palette
from tests.shots_of_permissions import remembered
from tests.shots_of_prompts import prompts
from tests.shots_of_results import results
from tests.shots_of_servers import SceneSkippedError, gateway, servers_page
from tests.shots_of_tool_trees import tool_trees
from tests.shots_of_troubles import comparisons, policies
from tests.shots_of_widgets import widgets
from tools.discovery import PluginList
from tools.workbench import Workbench

SIZE: Final = QSize(1440, 900)
SMALL: Final = QSize(980, 700)
SMALLEST: Final = QSize(900, 600)
FOLDER: Final = Path("build") / "shots"
PATIENCE_S: Final = 20.0

BROKEN_PLUGIN: Final = '''"""A plugin with a mistake, to show how one is reported."""

from tools import tool

@tool
def half_done(text: str -> str:
    return text
'''


Shown = TypeVar("Shown", bound=QWidget)


class SceneError(Exception):
    """A scene does not find what it wants to show."""


class Stage:
    """The program on show, in one theme."""

    def __init__(self, application: QApplication, theme: ThemeController, home: Path) -> None:
        self.application = application
        self.theme = theme
        self.project = sample_project(home)
        self.home = home
        self.console: Console
        self.is_open = False
        self.scope = TaskScope("shots")
        self.taken: list[Path] = []

    async def open(
        self,
        *,
        first_time: bool,
        data: Path | None = None,
        plugins: Sequence[Path] = (),
        servers: Path | None = None,
    ) -> None:
        """Start the program, as on a first start or with the sample project and its plugin.

        Args:
            first_time: Whether nothing is known yet.
            data: Where history, audit log, rules and what the window remembers live; None for a folder that all scenes
                of a theme share.
            plugins: Further plugin files.
            servers: The person's servers; None for none.
        """
        kept = data or self.home
        preferences = Preferences(kept / f"window-{first_time}-{self.theme.mode}.ini")
        workbench = Workbench(PluginList(kept / f"settings-{first_time}"), application=Console)
        project = None if first_time else self.project
        own = [] if first_time else [self.project / "my_tools.py", self.project / "half_done.py"]
        data = data or self.home / f"data-{first_time}-{self.theme.mode}"
        rules = data / "policy.toml"
        self.console = Console(
            self.theme,
            preferences,
            workbench,
            project,
            [*own, *plugins],
            data=data,
            policy_file=rules,
            servers_file=servers or rules.with_name("servers.json"),
        )
        self.is_open = True
        loaded = asyncio.Event()
        self.console.loaded.connect(loaded.set)
        self.console.start()
        self.console.window.resize(SIZE)
        await asyncio.wait_for(loaded.wait(), PATIENCE_S)

    async def close(self) -> None:
        """End the program, if it runs."""
        if not self.is_open:
            return
        self.is_open = False
        over = asyncio.Event()
        self.console.ended.connect(over.set)
        self.console.end()
        await asyncio.wait_for(over.wait(), PATIENCE_S)
        self.console.window.deleteLater()
        self.console.deleteLater()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds; when it does not come to that, leave a picture of what there is instead."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds():  # noqa: ASYNC110 -- what is waited for happens in widgets, which set no event
                    await asyncio.sleep(0.02)
        except TimeoutError:
            await self.take("stuck")
            raise

    async def settle(self) -> None:
        """Let layouts and animations come to rest."""
        await asyncio.sleep(0.35)

    async def take(self, name: str) -> None:
        """Save a picture of the window, dialogs over it included."""
        await self.settle()
        window = self.console.window
        picture = window.grab()
        for dialog in window.findChildren(QDialog):
            if dialog.isVisible():
                _paint_over(picture, window, dialog)
        path = FOLDER / f"{name}-{self.theme.mode}.png"
        picture.save(str(path))
        self.taken.append(path)

    async def run(self, tool: str, arguments: dict[str, Any], *, wait: bool = True, bypass_cache: bool = False) -> None:
        """Open a tool, fill its form and run it."""
        tools = self.console.open_tools
        tools.open(tool)
        presenter, page = tools.current, self.console.documents.page(tool)
        if presenter is None or not isinstance(page, ExecutionView):
            raise SceneError(f"the tool {tool} did not open")
        page.document.replace({**page.document.initial_value(), **arguments})
        await self.settle()
        presenter.run(bypass_cache=bypass_cache)
        if wait:
            await self.until(lambda: presenter.record is not None and not presenter.is_running)

    async def table(self, name: str) -> QTableView:
        """Return a table by its accessible name, once it is there."""

        def shown() -> list[QTableView]:
            found = self.console.window.findChildren(QTableView)
            return [table for table in found if table.isVisible() and table.accessibleName() == name]

        await self.until(shown)
        return shown()[0]

    def page(self, tool: str) -> ExecutionView:
        """Return the page of an open tool."""
        page = self.console.documents.page(tool)
        if not isinstance(page, ExecutionView):
            raise SceneError(f"the tool {tool} is not open")
        return page

    def find(self, name: str, kind: type[Shown] = QWidget) -> Shown:  # type: ignore[assignment]
        """Return the visible widget with an accessible name."""
        over = QApplication.activeModalWidget()
        for widget in self.application.allWidgets():
            if over is not None and not over.isAncestorOf(widget):
                continue
            if isinstance(widget, kind) and widget.isVisible() and widget.accessibleName() == name:
                return widget
        raise SceneError(f"nothing on show is called {name!r}")

    def press(self, text: str) -> None:
        """Press the visible button with a text."""
        button = self._button(text)
        if button is None:
            raise SceneError(f"no button on show says {text!r}")
        button.click()

    async def press_soon(self, text: str) -> None:
        """Press the button with a text as soon as it is on show."""
        await self.until(lambda: self._button(text) is not None)
        self.press(text)

    def _button(self, text: str) -> QPushButton | None:
        buttons = self.console.window.findChildren(QPushButton)
        return next((button for button in buttons if button.isVisible() and button.text() == text), None)


def _paint_over(picture: QPixmap, window: QWidget, dialog: QDialog) -> None:
    """Paint a dialog where a desktop would put it, with a line where that would draw its frame."""
    painter = QPainter(picture)
    if dialog.windowFlags() & Qt.WindowType.FramelessWindowHint:
        painter.drawPixmap(dialog.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint()), dialog.grab())
    else:
        place = dialog.rect()
        place.moveCenter(window.rect().center())
        painter.drawPixmap(place.topLeft(), dialog.grab())
        painter.setPen(theme_of(dialog).color.border_strong)
        painter.drawRect(place.adjusted(-1, -1, 0, 0))
    painter.end()


async def first_run(stage: Stage) -> None:
    """The window as a new person finds it."""
    await stage.open(first_time=True)
    console = stage.console
    await stage.take("first-run")
    console.open_tools.open("search_files")
    await stage.take("first-run-no-project")
    console.open_tools.close_current()
    await stage.press_soon("Run your first tool")
    await stage.until(lambda: console.open_tools.current is not None)
    await stage.settle()
    presenter = console.open_tools.current
    if presenter is not None:
        presenter.run()
    await stage.until(lambda: presenter is not None and presenter.record is not None and not presenter.is_running)
    await stage.take("first-run-sample")
    gone = stage.home / "checkout-service"
    for folder in (gone, stage.home / "handover-notes"):
        folder.mkdir(exist_ok=True)
        console.window.top_bar.project_chosen.emit(folder)
    gone.rmdir()
    console.window.top_bar.project_chosen.emit(stage.project)
    console.open_tools.close_current()
    await stage.take("first-run-recent")
    console.window.resize(SMALL)
    await stage.take("first-run-recent-small")
    console.window.resize(SIZE)
    await stage.close()


async def runs(stage: Stage) -> None:
    """The page of a tool, before, while and after it runs."""
    await stage.open(first_time=False)
    tools = stage.console.open_tools
    tools.open("search_files")
    await stage.take("empty-page")
    stage.find("Tools filter", QLineEdit).setText("file")
    arguments = {"pattern": "TODO|FIXME", "path": ".", "include": ["*.py", "*.md"]}
    await stage.run("search_files", {**arguments, "context": {"before": 2, "after": 4, "merge_overlaps": True}})
    await stage.run("profile_table", {"path": "data/tickets.csv"})
    await stage.run("customer_profile", {"name": "Tanaka"})
    tools.open("search_files")
    await stage.take("main-run")
    stage.page("search_files").results.show_tab(RESULT_TABS.index("Timing"))
    await stage.take("timing")
    stage.page("search_files").results.show_tab(RESULT_TABS.index("Logs"))
    await stage.take("logs")
    stage.page("search_files").results.show_tab(0)
    stage.find("Tools filter", QLineEdit).clear()
    await stage.run("customer_profile", {"name": "Nobody"})
    await stage.take("failed")
    await stage.run("read_file", {"path": "src/agents/router.py"})
    await stage.take("read-file")
    stage.page("read_file").editor.set_mode("json")
    await stage.take("json-arguments")
    stage.page("read_file").editor.set_mode("form")
    await approvals(stage)
    await stage.close()


async def approvals(stage: Stage) -> None:
    """The questions a person is asked, and what becomes of the call."""
    console = stage.console
    await stage.run("delete_file", {"path": "exports/2026-10", "recursive": True}, wait=False)
    await stage.until(lambda: console.desk.open_requests)
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))
    await stage.settle()
    await stage.take("approval")
    path = stage.find("argument path", QLineEdit)
    path.setFocus()
    path.selectAll()
    QTest.keyClicks(path, "exports/2026-10/notes.txt")
    await stage.take("approval-edited")
    stage.find("Deny", QPushButton).click()
    presenter = console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)
    await stage.take("denied")
    await defaults_folded(stage)
    await stage.run("human_input", {"question": "Which order shall be refunded first?"}, wait=False)
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))
    await stage.take("question")
    answer = stage.find("Answer", QPlainTextEdit)
    answer.setFocus()
    QTest.keyClicks(answer, "The lost one, A-1002")
    send = stage.find("Send answer", QPushButton)
    await stage.until(send.isEnabled)
    send.click()
    presenter = console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)
    await stage.take("answered")


async def defaults_folded(stage: Stage) -> None:
    """A question about a call of which most arguments are at their defaults, also in a small window."""
    console = stage.console
    arguments = {"url": "https://api.example.org/v1/tickets", "method": "POST", "json": {"state": "closed"}}
    await stage.run("http_request", arguments, wait=False)
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))
    await stage.take("approval-defaults")
    deny = stage.find("Deny", QPushButton)
    await stage.until(stage.find("Allow once", QPushButton).isEnabled)
    QTest.keyClick(deny, Qt.Key.Key_A)
    await stage.take("approval-chosen")
    console.window.resize(SMALLEST)
    await stage.take("approval-defaults-small")
    console.window.resize(SIZE)
    QTest.keyClick(deny, Qt.Key.Key_M)
    await stage.take("approval-defaults-open")
    deny.click()
    presenter = console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)


async def troubles(stage: Stage) -> None:
    """What goes wrong, and how it is told: a broken plugin, wrong arguments."""
    await stage.open(first_time=False)
    console = stage.console
    tree = stage.find("Tools tree", QTreeView)
    broken = tree.model().match(
        tree.model().index(0, 0), Qt.ItemDataRole.DisplayRole, "half_done.py", 1, Qt.MatchFlag.MatchRecursive
    )
    tree.setCurrentIndex(broken[0])
    QTest.keyClick(tree, Qt.Key.Key_Return)
    await stage.take("broken-plugin")
    for dialog in console.window.findChildren(QDialog):
        dialog.close()
    console.open_tools.open("search_files")
    page = stage.page("search_files")
    page.document.replace({"pattern": "", "path": ".", "max_results": 9000})
    await stage.take("wrong-arguments")
    await stage.close()


async def help_pages(stage: Stage) -> None:
    """The help."""
    await stage.open(first_time=False)
    stage.console.window.top_bar.help_requested.emit()
    await stage.take("help")
    stage.find("Search the help", QLineEdit).setText("web_search")
    await stage.take("help-search")
    await stage.close()


async def history(stage: Stage) -> None:
    """The calls of the past: the page, a tool's tab, a call brought back, two compared."""
    await stage.open(first_time=False, data=stage.home / f"history-{stage.theme.mode}")
    await _calls_to_remember(stage)
    page = stage.page("search_files")
    stage.console.open_tools.open("search_files")
    page.results.show_tab(HISTORY_TAB)
    table = await stage.table("Calls of search_files")
    await stage.until(lambda: table.model().rowCount() == SEARCHES)
    table.selectRow(0)
    await stage.take("history-tab")
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Return)
    await stage.until(page.past.isVisible)
    await stage.take("history-brought-back")
    stage.console.window.rail.choose("history")
    calls = await stage.table("Calls")
    await stage.until(lambda: calls.model().rowCount() > SEARCHES)
    await stage.take("history")
    stage.console.window.resize(SMALL)
    await stage.take("history-small")
    stage.console.window.resize(SIZE)
    model = calls.model()
    calls.selectRow(next(row for row in range(model.rowCount()) if model.index(row, 1).data() == "delete_file"))
    await stage.take("history-edited")
    stage.find("Search the history", QLineEdit).setText("nothing like it")
    await stage.until(lambda: not model.rowCount())
    await stage.take("history-nothing")
    stage.find("Search the history", QLineEdit).setText("queue max_results")
    await stage.until(model.rowCount)
    await compared(stage, calls)
    await stage.close()


async def compared(stage: Stage, calls: QTableView) -> None:
    """Two calls of a list beside each other."""
    calls.selectRow(0)
    QTest.keyClick(calls, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    actions = stage.console.window.findChildren(QAction, "action compare")
    actions[0].trigger()
    await stage.until(lambda: any(dialog.isVisible() for dialog in stage.console.window.findChildren(QDialog)))
    await stage.take("history-compared")
    for dialog in stage.console.window.findChildren(QDialog):
        dialog.close()


async def history_states(stage: Stage) -> None:
    """The History page without calls, and without a place to keep any."""
    await stage.open(first_time=False, data=stage.home / f"empty-{stage.theme.mode}")
    stage.console.window.rail.choose("history")
    await stage.take("history-empty")
    stage.console.window.status_bar.audit_clicked.emit()
    await stage.take("audit-log")
    for dialog in stage.console.window.findChildren(QDialog):
        dialog.close()
    await stage.close()
    broken = stage.home / f"broken-{stage.theme.mode}"
    broken.mkdir()
    (broken / "history").write_text("not a folder", "utf-8")
    await stage.open(first_time=False, data=broken)
    stage.console.window.rail.choose("history")
    await stage.take("history-problem")
    await stage.close()


async def _calls_to_remember(stage: Stage) -> None:
    """Make calls of every kind."""
    console = stage.console
    await stage.run("search_files", {"pattern": "TODO|FIXME", "path": ".", "include": ["*.py", "*.md"]})
    await stage.run("search_files", {"pattern": "queue", "path": "src", "max_results": 3})
    await stage.run("profile_table", {"path": "data/tickets.csv"})
    await stage.run("customer_profile", {"name": "Tanaka"})
    await stage.run("customer_profile", {"name": "Nobody"})
    await stage.run("read_file", {"path": "src/agents/router.py"})
    await stage.run("delete_file", {"path": "exports/2026-10", "recursive": True}, wait=False)
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))
    path = stage.find("argument path", QLineEdit)
    path.setFocus()
    path.selectAll()
    QTest.keyClicks(path, "exports/2026-10/none.txt")
    allow = stage.find("Allow edited", QPushButton)
    await stage.until(allow.isEnabled)
    allow.click()
    presenter = console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)
    await stage.run("search_files", {"pattern": "queue", "path": "src", "max_results": 5})


SCENES: Final[tuple[Callable[[Stage], Awaitable[None]], ...]] = (
    first_run,
    first_hour,
    runs,
    approvals_page,
    approvals_plan,
    approvals_protected,
    approvals_caller_gone,
    remembered,
    results,
    troubles,
    authoring,
    prompts,
    assistant,
    assistant_compared,
    findings,
    settings,
    definitions,
    checks,
    policies,
    comparisons,
    history,
    history_states,
    health,
    health_states,
    batch,
    batch_states,
    batch_graphs,
    batch_editing,
    batch_closing,
    servers_page,
    apis,
    gateway,
    agents,
    palette,
    help_pages,
    tool_trees,
    widgets,
)
RESULT_TABS: Final = ("Result", "Logs", "Attachments", "Timing")
HISTORY_TAB: Final = 5
SEARCHES: Final = 3


async def show(
    application: QApplication, theme: ThemeController, mode: ThemeMode, home: Path, scenes: Sequence[str]
) -> tuple[list[Path], list[str]]:
    """Play scenes in one theme: those that are named, or all. One that fails keeps no other from being shown.

    Returns:
        The pictures, and the scenes that failed.
    """
    theme.set_mode(mode)
    stage = Stage(application, theme, home)
    (stage.project / "half_done.py").write_text(BROKEN_PLUGIN, "utf-8")
    failed: list[str] = []
    for scene in SCENES:
        if scenes and scene.__name__ not in scenes:
            continue
        try:
            await scene(stage)
        except SceneSkippedError as reason:
            print(f"{scene.__name__} ({mode}) skipped: {reason}", file=sys.stderr)
        except Exception:  # noqa: BLE001 -- whatever it is, it is told, and the other scenes are shown
            print(f"{scene.__name__} ({mode}) failed", file=sys.stderr)
            traceback.print_exc()
            failed.append(f"{scene.__name__} ({mode})")
        finally:
            # A program that is not ended has threads, and Qt aborts the process that lets go of a running one.
            await stage.close()
    return stage.taken, failed


def tell(_kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Print what Qt has to say, but not that the offscreen platform is none."""
    if not text.startswith("This plugin does not support "):
        print(text, file=sys.stderr)


def main() -> int:
    """Take all pictures, or those of the scenes that are named on the command line; return the exit code."""
    qInstallMessageHandler(tell)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    FOLDER.mkdir(parents=True, exist_ok=True)
    application = make_application()
    set_reduced_motion(reduced=True)
    theme = ThemeController(application, "light")
    ring = FocusRing(application)
    collector = GarbageCollector(application)
    collector.start()
    taken: list[Path] = []
    failed: list[str] = []
    for mode in ("light", "dark"):
        with (
            tempfile.TemporaryDirectory(prefix="tool-console-") as home,
            asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner,
        ):
            pictures, troubles = runner.run(show(application, theme, mode, Path(home), sys.argv[1:]))
            taken += pictures
            failed += troubles
    del ring
    print(f"{len(taken)} pictures in {FOLDER}")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
