"""The window before the program behind it is loaded: what a person does meanwhile is kept and done."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLabel, QLineEdit, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from console.app.console import Console
from console.browser.presenter import tool_row
from console.browser.tool_tree import LOOKING, NOTICES
from console.preferences import Preferences
from console.startup.early_window import FIRST_STEPS_ON, ROWS_FILE, EarlyWindow, read_rows, rows_text
from console.theme import ThemeController
from console.theme.files import resource_text
from console.welcome.view import FIRST_TOOL
from tests.console.program import Program
from tools.catalog import snapshot
from tools.chosen_tools import choose_tools
from tools.discovery import PluginList
from tools.workbench import Workbench

FIRST = """
import sys
import console.app.start
print(*sys.modules)
"""


STARTED = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Missing())
from console.__main__ import main

if sys.argv[1] == "PySide6.QtSvg":
    sys.exit(main([]))
from PySide6.QtCore import QTimer
from console.startup.early_window import EarlyWindow

tell_failure = EarlyWindow.tell_failure

def tell_and_accept(self, error):
    box = tell_failure(self, error)
    print(box.text())
    QTimer.singleShot(0, box.accept)
    return box

EarlyWindow.tell_failure = tell_and_accept
sys.exit(main([]))
"""

CLASSES = """
from PySide6 import QtGui, QtWidgets
from console.app.start import make_application, paint
from console.preferences import Preferences
from console.startup.early_window import EarlyWindow
from console.theme import ThemeController

application = make_application()
theme = ThemeController(application, "light")
early = EarlyWindow(Preferences())
early.show_what_is_known()
paint(application, early)
print(*vars(QtGui), *vars(QtWidgets))
early.window.close_now()
"""


ENDED = """
import os, signal, sys

from PySide6.QtCore import QTimer
from console.__main__ import main
from console.startup import loading
from console.startup.early_window import EarlyWindow

way, moment = sys.argv[1].split()
load_program = loading.load_program

def end(window):
    if way == "closed":
        window.resize(1000, 600)
        QTimer.singleShot(0, window.close)
    else:
        os.kill(os.getpid(), signal.SIGTERM)

def then(function):
    def call(self):
        function(self)
        end(self.window)
    return call

def show_and_wait(self, show=EarlyWindow.show):
    self.painted.connect(lambda: end(self.window))
    show(self)

async def load_and_end(early):
    await load_program(early)
    end(early.window)

if moment == "loaded":
    loading.load_program = load_and_end
elif moment == "painted":
    EarlyWindow.show = show_and_wait
else:
    setattr(EarlyWindow, moment, then(getattr(EarlyWindow, moment)))
sys.exit(main([]))
"""


def started(tmp_path: Path, what: str, program: str = STARTED) -> subprocess.CompletedProcess[str]:
    """Start the program without the module of this name, or, with another program, as that says."""
    places = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    return subprocess.run(
        [sys.executable, "-c", program, what],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"},
    )


@pytest.fixture
def early(qtbot: QtBot, tmp_path: Path) -> Iterator[EarlyWindow]:
    early = EarlyWindow(Preferences(tmp_path / "window.ini"))
    qtbot.addWidget(early.window)
    early.show_what_is_known()
    early.fill()
    yield early
    early.window.close_now()


def shown_tools(early: EarlyWindow) -> int:
    (tree,) = early.browser_view.findChildren(QTreeView)
    model = tree.model()
    family = model.index(0, 0)
    return sum(model.rowCount(model.index(row, 0, family)) for row in range(model.rowCount(family)))


def rows_shown(early: EarlyWindow) -> list[tuple[int, str]]:
    """Return how high the rows of the tree stand and what they are, but not what is said of those looked for."""
    (tree,) = early.browser_view.findChildren(QTreeView)
    facts = {LOOKING, *(lines[0] for lines in NOTICES.values() if lines)}
    rows, index = [], tree.model().index(0, 0)
    while index.isValid():
        text = index.data()
        rows.append((tree.visualRect(index).top(), "" if text in facts else text))
        index = tree.indexBelow(index)
    return rows


def shown_widgets(early: EarlyWindow) -> dict[QWidget, tuple[str, QRect]]:
    """Return what each visible widget that has its place says, and where it is."""
    shown = {}
    # The sentence of the status bar takes what is left between both its ends.
    parts = set(early.window.status_bar.findChildren(QWidget))
    for widget in early.window.findChildren(QWidget):
        if widget.isVisible() and widget not in parts:
            text = getattr(widget, "text", "")
            place = QRect(widget.mapTo(early.window, QPoint()), widget.size())
            shown[widget] = (text() if callable(text) else text, place)
    return shown


def test_nothing_of_tools_and_calls_is_imported_for_the_first_picture() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    assert "console.startup.early_window" in loaded
    assert loaded & {"pydantic", "tools.spec", "tools.calls", "tools.registry", "console.engine"} == set()


def test_pyside_makes_no_classes_for_the_first_picture_that_it_does_not_show(tmp_path: Path) -> None:
    made = set(started(tmp_path, "", CLASSES).stdout.split())

    assert {"QPainter", "QTreeView"} <= made
    # Made by the first `fillRect`; by the first `viewport`, with all others.
    assert made & {"QGradient", "QWizard"} == set()


def test_the_shipped_rows_are_those_of_the_built_in_tools() -> None:
    cards = (card for toolkit in snapshot().toolkits for card in toolkit.tools)

    assert resource_text(ROWS_FILE) == rows_text(map(tool_row, cards)), "run `make catalogue`"


def test_the_shipped_tools_are_in_the_tree_those_for_any_project_first(early: EarlyWindow) -> None:
    assert shown_tools(early) == len(choose_tools(None))
    early.browser_view.set_shows_all(shows_all=True)
    assert shown_tools(early) == len(read_rows(resource_text(ROWS_FILE)))


def test_a_tool_that_is_chosen_too_early_opens_when_it_is_there(early: EarlyWindow) -> None:
    opened: list[str] = []
    early.tool_opened.connect(opened.append)

    early.browser_view.opened.emit("list_files")
    assert opened == []
    early.take_tools({"read_file"})
    assert opened == []
    early.take_tools({"read_file", "list_files"})
    assert opened == ["list_files"]
    early.browser_view.opened.emit("read_file")
    assert opened == ["list_files", "read_file"]


def test_the_first_tool_opens_with_its_example_when_it_is_there(early: EarlyWindow) -> None:
    opened: list[str] = []
    examples: list[str] = []
    early.tool_opened.connect(opened.append)
    early.first_tool_opened.connect(examples.append)

    early.browser_view.opened.emit("list_files")
    early.welcome.tool_opened.emit(FIRST_TOOL)
    assert examples == []
    early.take_tools({"list_files", FIRST_TOOL})
    assert (opened, examples) == ([], [FIRST_TOOL])
    early.welcome.tool_opened.emit(FIRST_TOOL)
    assert examples == [FIRST_TOOL, FIRST_TOOL]


def test_a_first_step_that_is_chosen_too_early_is_led_to_when_the_tools_are_there(early: EarlyWindow) -> None:
    steps: list[str] = []
    early.step_requested.connect(steps.append)

    early.first_steps_bar.step_requested.emit("run")
    early.take_tools({FIRST_TOOL})
    assert steps == []
    early.take_tools({FIRST_TOOL}, are_all=True)
    assert steps == ["run"]
    early.first_steps_bar.step_requested.emit("batch")
    assert steps == ["run", "batch"]


def test_a_shipped_tool_that_is_not_there_goes_when_all_are_known(early: EarlyWindow) -> None:
    early.take_tools({"read_file", "list_files"}, are_all=True)

    assert shown_tools(early) == 2


def test_what_was_asked_for_too_early_is_done_once(early: EarlyWindow) -> None:
    early.window.top_bar.search_requested.emit()
    early.window.theme_chosen.emit("light")
    early.window.theme_chosen.emit("dark")
    searches: list[bool] = []
    themes: list[str] = []

    def on_search_requested() -> None:
        searches.append(True)

    early.window.top_bar.search_requested.connect(on_search_requested)
    early.window.theme_chosen.connect(themes.append)
    early.carry_out()

    assert (searches, themes) == ([True], ["dark"])


def test_what_was_asked_for_too_early_is_done_in_that_order(early: EarlyWindow) -> None:
    early.welcome.folder_requested.emit()
    early.window.theme_chosen.emit("light")
    early.window.top_bar.quiet_toggled.emit(True)
    early.welcome.folder_requested.emit()
    done: list[object] = []

    def on_folder_requested() -> None:
        done.append("folder")

    early.welcome.folder_requested.connect(on_folder_requested)
    early.window.theme_chosen.connect(done.append)
    early.window.top_bar.quiet_toggled.connect(done.append)
    early.carry_out()

    assert done == ["light", True, "folder"]


def test_the_filter_that_was_typed_too_early_stays_when_the_tools_come(early: EarlyWindow) -> None:
    (field,) = early.browser_view.findChildren(QLineEdit, "toolsFilter")
    field.setText("hash")
    narrowed = shown_tools(early)
    cards = [card for toolkit in snapshot().toolkits for card in toolkit.tools]

    early.browser_view.apply([tool_row(card) for card in cards], ())
    early.take_tools({card.name for card in cards}, are_all=True)

    assert 0 < narrowed == shown_tools(early) < len(cards)
    assert field.text() == "hash"


def test_the_first_picture_tells_what_is_known(qtbot: QtBot, tmp_path: Path) -> None:
    used = tmp_path / "used last"
    used.mkdir()
    preferences = Preferences(tmp_path / "window.ini")
    preferences.add_recent_project(used, datetime.now(UTC))
    early = EarlyWindow(preferences)
    qtbot.addWidget(early.window)
    early.show_what_is_known()
    early.fill()

    words = {label.text() for label in early.window.findChildren(QLabel)}
    count = len(read_rows(resource_text(ROWS_FILE)))
    assert {f"{count} tools", f"{count} built-in tools", "Project used last"} <= words
    early.window.close_now()


async def test_what_is_known_stands_until_the_tools_are_loaded(theme: ThemeController, tmp_path: Path) -> None:
    count = len(read_rows(resource_text(ROWS_FILE)))
    workbench = Workbench(PluginList(tmp_path / "settings"), application=Console, installed=())
    preferences = Preferences(tmp_path / "window.ini")
    early = EarlyWindow(preferences)
    early.show_what_is_known()
    early.fill()
    start = Program(Console(theme, preferences, workbench, data=tmp_path / "data", early=early))
    loading = asyncio.create_task(start.loaded())
    while not loading.done():
        words = {label.text() for label in early.window.findChildren(QLabel)}
        assert {f"{count} tools", f"{count} built-in tools"} <= words
        await asyncio.sleep(0)
    await loading
    await start.end()


@pytest.mark.parametrize("shows_first_steps", [False, True])
async def test_nothing_that_is_shown_moves_when_the_program_is_there(
    theme: ThemeController, qtbot: QtBot, tmp_path: Path, shows_first_steps: bool
) -> None:
    workbench = Workbench(PluginList(tmp_path / "settings"), application=Console, installed=())
    preferences = Preferences(tmp_path / "window.ini")
    preferences.set_flag(FIRST_STEPS_ON, value=shows_first_steps)
    early = EarlyWindow(preferences)
    early.show_what_is_known()
    with qtbot.waitExposed(early.window):
        early.show()
        early.window.resize(1440, 900)
    first, rows = shown_widgets(early), rows_shown(early)
    early.fill()
    await Program.until(lambda: early.welcome.isVisible() and early.activity_view.isVisible())
    for _ in range(3):  # layouts that wait for layouts
        await asyncio.sleep(0)
    filled = shown_widgets(early)
    audit = early.window.status_bar.findChild(QWidget, "auditState")
    assert audit is not None
    place = audit.mapTo(early.window, QPoint())

    start = Program(Console(theme, preferences, workbench, data=tmp_path / "data", early=early))
    await start.loaded()
    loaded = shown_widgets(early)
    assert first.items() <= filled.items() <= loaded.items()
    assert rows_shown(early) == rows
    await Program.until(audit.isVisible)
    assert audit.mapTo(early.window, QPoint()) == place
    await start.end()


@pytest.mark.parametrize("moment", ["show", "painted", "fill", "loaded", "carry_out"])
def test_a_window_that_is_closed_too_early_ends_the_program(tmp_path: Path, moment: str) -> None:
    done = started(tmp_path, f"closed {moment}", ENDED)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert Preferences(tmp_path / "config" / "tool-console" / "window.ini").window_geometry


@pytest.mark.skipif(sys.platform == "win32", reason="a signal there ends the process")
@pytest.mark.parametrize("moment", ["fill", "loaded", "carry_out"])
def test_a_signal_before_the_program_is_there_ends_it(tmp_path: Path, moment: str) -> None:
    done = started(tmp_path, f"told {moment}", ENDED)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert Preferences(tmp_path / "config" / "tool-console" / "window.ini").window_geometry


def test_a_window_that_is_closed_too_early_remembers_its_size(early: EarlyWindow, qtbot: QtBot) -> None:
    early.show()
    with qtbot.waitSignal(early.closed):
        early.window.close()

    assert not early.window.isVisible()


@pytest.mark.parametrize("name", ["pydantic", "qasync"])
def test_a_part_behind_the_window_that_cannot_be_imported_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    done = started(tmp_path, name)

    assert done.returncode == 1
    assert f"A part of the program cannot be loaded: No module named {name!r}." in done.stdout
    assert f"tool-console: the program cannot be loaded: No module named {name!r}\n" in done.stderr
    assert "Traceback" not in done.stderr
    (log,) = tmp_path.rglob("console.log")
    assert "Traceback" in log.read_text("utf-8")


def test_a_part_of_the_window_that_cannot_be_imported_is_told_in_a_sentence(tmp_path: Path) -> None:
    done = started(tmp_path, "PySide6.QtSvg")

    assert done.returncode == 1
    told = "tool-console: the window cannot be loaded: No module named 'PySide6.QtSvg'. `tool-console doctor` says"
    assert done.stderr == f"{told} what to do.\n"


def test_a_page_that_is_chosen_too_early_is_shown_when_it_is_there(early: EarlyWindow) -> None:
    health, batch = QWidget(), QWidget()

    early.window.rail.choose("health")
    assert early.window.pages.currentWidget() is early.documents
    early.window.add_page("batch", batch, whole=True)
    early.window.add_page("health", health, whole=True)

    assert early.window.pages.currentWidget() is health


def test_a_program_that_cannot_be_loaded_says_so(early: EarlyWindow, qtbot: QtBot) -> None:
    box = early.tell_failure(ImportError("no module named 'pydantic'"))
    qtbot.addWidget(box)

    assert "no module named 'pydantic'" in box.text()
    with qtbot.waitSignal(box.finished):
        box.button(box.StandardButton.Close).click()
