from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.browser.model import ITEM_ROLE
from console.browser.tool_tree import ToolRow, ToolSourceRow
from console.browser.view import BrowserView
from console.theme import ThemeController, load_theme
from console.theme.tokens import ThemeName
from console.widgets import spinner_clock

BUILT_IN = ToolSourceRow("built-in", "Built-in")
MINE = ToolSourceRow("plugin", "my_tools.py", "/plugins/my_tools.py")
BROKEN = ToolSourceRow(
    "plugin", "broken.py", "/plugins/broken.py", "SyntaxError: invalid syntax\nmore", "Traceback\n  line 3\nSyntaxError"
)
ROWS = (
    ToolRow("read_file", BUILT_IN, "Files", latency="fast"),
    ToolRow("write_file", BUILT_IN, "Files", asks_first=True, latency="fast"),
    ToolRow("fetch_page", BUILT_IN, "Web", latency="slow"),
    ToolRow("ping", MINE, "my_tools.py"),
)

Found = TypeVar("Found", bound=QWidget)


def named(root: QWidget, kind: type[Found], name: str) -> Found:
    found = [widget for widget in root.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, f"{len(found)} widgets are called {name!r}"
    return found[0]


class Screen:
    """The dock as a person has it: its parts by their accessible names, and what it asked for."""

    def __init__(self, view: BrowserView) -> None:
        self.view = view
        self.filter = named(view, QLineEdit, "Tools filter")
        self.tree = named(view, QTreeView, "Tools tree")
        self.asked: list[tuple[object, ...]] = []
        tools = ("opened", "run_again_requested", "batch_requested", "copy_requested")
        for name in (*tools, "star_requested", "plugin_reload_requested", "file_requested"):
            getattr(view, name).connect(self._note(name))
        view.reload_requested.connect(self._note("reload_requested"))
        view.plugin_requested.connect(self._note("plugin_requested"))

    def _note(self, name: str) -> Callable[..., None]:
        def note(*arguments: object) -> None:
            self.asked.append((name, *arguments))

        return note

    def index(self, *texts: str) -> QModelIndex:
        """Find a row by the texts that lead to it."""
        index = QModelIndex()
        for text in texts:
            model = self.tree.model()
            children = [model.index(row, 0, index) for row in range(model.rowCount(index))]
            index = next(child for child in children if child.data() == text)
        return index

    def rect(self, *texts: str) -> QRect:
        rect = self.tree.visualRect(self.index(*texts))
        assert rect.isValid(), f"{texts} is not in sight"
        return rect

    def in_sight(self, *, whole: bool = False) -> list[str]:
        """Return what can be seen, without the servers, of whom most tests have none."""
        lines = []
        index = self.tree.model().index(0, 0)
        while index.isValid() and (whole or index.data() != "MCP servers"):
            lines.append(index.data())
            index = self.tree.indexBelow(index)
        return lines

    def menu(self, *texts: str) -> dict[str, object]:
        place = self.rect(*texts).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, self.tree.viewport().mapToGlobal(place))
        QApplication.sendEvent(self.tree.viewport(), event)
        menu = named(self.view, QMenu, "Tool")
        return {action.text(): action for action in menu.actions() if not action.isSeparator()}

    def choose(self, text: str, *texts: str) -> None:
        action = self.menu(*texts)[text]
        action.trigger()  # type: ignore[attr-defined]
        named(self.view, QMenu, "Tool").close()


@pytest.fixture
def screen(qtbot: QtBot, theme: ThemeController) -> Screen:
    view = BrowserView()
    qtbot.addWidget(view)
    view.resize(280, 600)
    view.set_rows(ROWS)
    with qtbot.waitExposed(view):
        view.show()
    return Screen(view)


def test_families_are_open_and_groups_closed_at_first(screen: Screen) -> None:
    assert screen.in_sight() == ["Built-in", "Files", "Web", "Plugins", "my_tools.py"]


def test_typing_leaves_what_matches_and_says_how_many(qtbot: QtBot, screen: Screen) -> None:
    qtbot.keyClicks(screen.filter, "file")

    assert screen.in_sight() == ["Built-in", "Files", "read_file", "write_file", "Plugins", "my_tools.py"]
    assert screen.filter.accessibleDescription() == "2 of 4"

    qtbot.keyClick(screen.filter, Qt.Key.Key_Escape)
    assert screen.filter.text() == ""
    assert screen.in_sight() == ["Built-in", "Files", "Web", "Plugins", "my_tools.py"]


def test_tools_of_a_kind_are_left(qtbot: QtBot, screen: Screen) -> None:
    button = named(screen.view, QAbstractButton, "Narrow by kind")
    assert not button.isVisible()
    qtbot.keyClicks(screen.filter, "e")
    assert button.isVisible()

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = named(screen.view, QMenu, "Kinds of tools")
    assert menu.isVisible()
    kinds = {action.text(): action for action in menu.actions() if not action.isSeparator()}
    assert list(kinds) == ["Asks before it runs", "Fast", "Medium", "Slow"]
    kinds["Asks before it runs"].trigger()
    menu.close()
    assert screen.in_sight() == ["Built-in", "Files", "write_file", "Plugins", "my_tools.py"]
    assert screen.filter.accessibleDescription() == "1 of 4"

    screen.filter.clear()
    assert button.isVisible()
    assert button.isChecked()
    kinds["Asks before it runs"].trigger()
    assert not button.isVisible()
    assert screen.in_sight() == ["Built-in", "Files", "Web", "Plugins", "my_tools.py"]
    kinds["Slow"].trigger()
    kinds["Medium"].trigger()
    assert screen.in_sight() == ["Built-in", "Web", "fetch_page", "Plugins", "my_tools.py"]


def test_enter_in_the_filter_opens_the_best_match(qtbot: QtBot, screen: Screen) -> None:
    qtbot.keyClick(screen.filter, Qt.Key.Key_Return)
    qtbot.keyClicks(screen.filter, "write")
    qtbot.keyClick(screen.filter, Qt.Key.Key_Return)

    assert screen.asked == [("opened", "write_file")]
    assert screen.tree.currentIndex().data() == "write_file"


def test_down_goes_from_the_filter_into_the_tree_and_up_comes_back(qtbot: QtBot, screen: Screen) -> None:
    screen.view.activateWindow()
    screen.filter.setFocus()
    qtbot.keyClicks(screen.filter, "file")
    qtbot.keyClick(screen.filter, Qt.Key.Key_Down)
    qtbot.waitUntil(screen.tree.hasFocus)
    assert screen.tree.currentIndex().data() == "read_file"

    qtbot.keyClick(screen.tree, Qt.Key.Key_Down)
    qtbot.keyClick(screen.tree, Qt.Key.Key_Return)
    assert screen.asked == [("opened", "write_file")]

    for _ in range(4):
        qtbot.keyClick(screen.tree, Qt.Key.Key_Up)
    qtbot.waitUntil(screen.filter.hasFocus)


def test_down_goes_to_the_best_match_first(qtbot: QtBot, screen: Screen) -> None:
    screen.view.activateWindow()
    screen.filter.setFocus()
    qtbot.keyClicks(screen.filter, "write file")
    qtbot.keyClick(screen.filter, Qt.Key.Key_Down)
    qtbot.waitUntil(screen.tree.hasFocus)
    assert screen.tree.currentIndex().data() == "write_file"

    qtbot.keyClick(screen.tree, Qt.Key.Key_Return)
    assert screen.asked == [("opened", "write_file")]


def test_a_click_opens_a_tool_once_even_when_it_is_double(qtbot: QtBot, screen: Screen) -> None:
    screen.tree.expand(screen.index("Built-in", "Files"))
    place = screen.rect("Built-in", "Files", "read_file").center()

    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert screen.asked == [("opened", "read_file")]
    qtbot.mouseDClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert screen.asked == [("opened", "read_file")]


def test_a_click_on_a_chevron_opens_and_closes(qtbot: QtBot, screen: Screen) -> None:
    row = screen.rect("Built-in", "Files")
    chevron = QPoint(row.x() + 31, row.center().y())

    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron)
    assert screen.tree.isExpanded(screen.index("Built-in", "Files"))
    assert not screen.tree.currentIndex().isValid()
    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron)
    assert not screen.tree.isExpanded(screen.index("Built-in", "Files"))
    assert screen.asked == []


def test_left_and_right_close_and_open(qtbot: QtBot, screen: Screen) -> None:
    files = screen.index("Built-in", "Files")
    screen.tree.setCurrentIndex(files)

    qtbot.keyClick(screen.tree, Qt.Key.Key_Right)
    assert screen.tree.isExpanded(files)
    qtbot.keyClick(screen.tree, Qt.Key.Key_Left)
    assert not screen.tree.isExpanded(files)
    qtbot.keyClick(screen.tree, Qt.Key.Key_Return)
    assert screen.tree.isExpanded(files)


def test_letters_go_to_the_row_that_starts_with_them(qtbot: QtBot, screen: Screen) -> None:
    screen.tree.setCurrentIndex(screen.index("Built-in"))
    qtbot.keyClicks(screen.tree, "we")

    assert screen.tree.currentIndex().data() == "Web"


def test_what_was_open_and_marked_is_so_again_after_filtering(qtbot: QtBot, screen: Screen) -> None:
    screen.tree.expand(screen.index("Built-in", "Web"))
    screen.tree.collapse(screen.index("Plugins"))
    screen.tree.setCurrentIndex(screen.index("Built-in", "Web", "fetch_page"))
    before = screen.in_sight()

    qtbot.keyClicks(screen.filter, "file")
    assert "ping" not in screen.in_sight()
    screen.filter.clear()

    assert screen.in_sight() == before == ["Built-in", "Files", "Web", "fetch_page", "Plugins"]
    assert screen.tree.currentIndex().data() == "fetch_page"
    assert screen.asked == []


def test_what_was_open_and_marked_is_so_again_after_a_reload(screen: Screen) -> None:
    screen.tree.expand(screen.index("Plugins", "my_tools.py"))
    screen.tree.setCurrentIndex(screen.index("Plugins", "my_tools.py", "ping"))

    screen.view.apply([], ["ping"])
    assert screen.in_sight()[-2:] == ["No plugin files yet.", "Choose a Python file…"]
    screen.view.apply([ROWS[-1]], [])

    assert screen.in_sight() == ["Built-in", "Files", "Web", "Plugins", "my_tools.py", "ping"]
    assert screen.tree.currentIndex().data() == "ping"


def test_what_opened_to_show_a_tool_stays_open_when_all_rows_are_set_again(screen: Screen) -> None:
    screen.view.select("ping")
    before = screen.in_sight()
    assert "ping" in before

    screen.view.set_rows([*ROWS, ToolRow("further", BUILT_IN, "Files")])

    assert screen.in_sight() == before


def test_more_than_a_few_hundred_rows_open_between_events(qtbot: QtBot, screen: Screen) -> None:
    screen.view.set_rows([ToolRow(f"tool_{number:04}", BUILT_IN, f"Group {number // 100}") for number in range(1_000)])
    screen.filter.setText("tool")
    assert len(screen.in_sight()) < 600

    qtbot.waitUntil(lambda: len(screen.in_sight()) == 1_000 + 10 + 2)
    screen.filter.setText("tool_0999")
    assert screen.in_sight() == ["Built-in", "Group 9", "tool_0999", "Plugins"]


def test_select_marks_a_tool_and_opens_the_way_to_it(screen: Screen) -> None:
    screen.tree.collapse(screen.index("Built-in"))
    screen.view.select("fetch_page")
    assert screen.tree.currentIndex().data() == "fetch_page"
    assert "fetch_page" in screen.in_sight()

    screen.view.select("nothing like it")
    assert not screen.tree.currentIndex().isValid()
    assert screen.asked == []


def test_one_button_opens_and_closes_all_groups(qtbot: QtBot, screen: Screen) -> None:
    qtbot.mouseClick(named(screen.view, QAbstractButton, "Expand all groups"), Qt.MouseButton.LeftButton)
    assert len(screen.in_sight()) == 9

    qtbot.mouseClick(named(screen.view, QAbstractButton, "Collapse all groups"), Qt.MouseButton.LeftButton)
    assert screen.in_sight() == ["Built-in", "Files", "Web", "Plugins", "my_tools.py"]


def test_the_header_asks_for_plugins_and_for_a_reload(qtbot: QtBot, screen: Screen) -> None:
    qtbot.mouseClick(named(screen.view, QAbstractButton, "Add a plugin file…"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(named(screen.view, QAbstractButton, "Reload changed plugins"), Qt.MouseButton.LeftButton)

    assert screen.asked == [("plugin_requested",), ("reload_requested",)]


def test_the_link_below_no_plugins_asks_for_one(qtbot: QtBot, screen: Screen) -> None:
    screen.view.set_rows(ROWS[:1])
    fact = screen.rect("Plugins", "No plugin files yet.").center()
    link = screen.rect("Plugins", "Choose a Python file…").center()

    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=fact)
    assert screen.asked == []
    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=link)
    assert screen.asked == [("plugin_requested",)]


def test_the_link_below_no_servers_asks_for_one(qtbot: QtBot, screen: Screen) -> None:
    screen.view.set_rows(ROWS[:1])
    assert screen.in_sight(whole=True)[-3:] == ["MCP servers", "No servers connected.", "Connect a server…"]
    link = screen.rect("MCP servers", "Connect a server…").center()

    with qtbot.waitSignal(screen.view.connection_requested):
        qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=link)
    assert screen.asked == []


_COPIES = ("Copy name", "Copy schema", "Copy as command line")


def test_the_menu_of_a_tool(screen: Screen) -> None:
    screen.tree.expand(screen.index("Built-in", "Files"))
    where = ("Built-in", "Files", "read_file")
    assert list(screen.menu(*where)) == ["Open", "Add to batch", "Star, to keep it shown", *_COPIES]
    named(screen.view, QMenu, "Tool").close()

    screen.view.set_runnable(["read_file"])
    for text in ("Open", "Run with last arguments", "Add to batch", *_COPIES):
        screen.choose(text, *where)

    assert screen.asked == [
        ("opened", "read_file"),
        ("run_again_requested", "read_file"),
        ("batch_requested", "read_file"),
        ("copy_requested", "name", "read_file"),
        ("copy_requested", "schema", "read_file"),
        ("copy_requested", "command line", "read_file"),
    ]


def test_the_menu_of_a_tool_that_is_not_there_yet(screen: Screen) -> None:
    screen.tree.expand(screen.index("Built-in", "Files"))
    where = ("Built-in", "Files", "read_file")
    screen.view.set_awaited({"read_file"})
    assert list(screen.menu(*where)) == ["Open", "Copy name"]
    named(screen.view, QMenu, "Tool").close()

    screen.view.set_awaited(())
    assert list(screen.menu(*where)) == ["Open", "Add to batch", "Star, to keep it shown", *_COPIES]
    named(screen.view, QMenu, "Tool").close()


def test_the_menu_of_a_plugin_and_of_its_tools(screen: Screen) -> None:
    screen.tree.expand(screen.index("Plugins", "my_tools.py"))
    own = ["Show file", "Reload plugin", "New tool…", "Add a plugin file…"]
    assert list(screen.menu("Plugins", "my_tools.py", "ping"))[-4:] == own
    named(screen.view, QMenu, "Tool").close()

    screen.choose("Show file", "Plugins", "my_tools.py")
    screen.choose("Reload plugin", "Plugins", "my_tools.py")

    assert screen.asked == [("file_requested", MINE.path), ("plugin_reload_requested", MINE.path)]


def test_copy_takes_the_name_of_the_current_tool(qtbot: QtBot, screen: Screen) -> None:
    screen.view.select("read_file")
    qtbot.keyClick(screen.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert screen.asked == [("copy_requested", "name", "read_file")]


def test_a_failed_plugin_shows_its_whole_traceback(qtbot: QtBot, screen: Screen) -> None:
    screen.view.set_failures([BROKEN])
    place = screen.rect("Plugins", "broken.py").center()
    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)

    dialog = screen.view.findChild(QDialog, "failureDialog")
    assert dialog is not None
    assert dialog.isVisible()
    assert dialog.windowTitle() == "broken.py could not be loaded"
    assert named(dialog, QPlainTextEdit, "Traceback").toPlainText() == BROKEN.traceback
    buttons = {button.text(): button for button in dialog.findChildren(QAbstractButton) if button.text()}
    qtbot.mouseClick(buttons["Copy traceback"], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == BROKEN.traceback
    qtbot.mouseClick(buttons["Show file"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons["Load again"], Qt.MouseButton.LeftButton)

    assert screen.asked == [("file_requested", BROKEN.path), ("plugin_reload_requested", BROKEN.path)]
    assert not dialog.isVisible()


def test_the_menu_of_a_failed_plugin_shows_its_error(qtbot: QtBot, screen: Screen) -> None:
    screen.view.set_failures([BROKEN])
    assert list(screen.menu("Plugins", "broken.py")) == [
        "Show error",
        "Show file",
        "Reload plugin",
        "New tool…",
        "Add a plugin file…",
    ]
    screen.choose("Show error", "Plugins", "broken.py")

    dialog = screen.view.findChild(QDialog, "failureDialog")
    assert dialog is not None
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_rings_turn_while_tools_are_looked_for(screen: Screen) -> None:
    reload = named(screen.view, QAbstractButton, "Reload changed plugins")
    screen.view.set_loading(True)
    assert not reload.isEnabled()
    assert screen.tree.property("toolConsoleTurning")
    screen.view.grab()

    screen.view.set_loading(False)
    assert reload.isEnabled()
    assert not screen.tree.property("toolConsoleTurning")
    assert not spinner_clock().is_active


@pytest.mark.parametrize("name", ["light", "dark"])
def test_matches_are_marked_in_the_themes_colour(
    qtbot: QtBot, theme: ThemeController, screen: Screen, name: ThemeName
) -> None:
    theme.set_mode(name)
    tokens = load_theme(name)
    qtbot.keyClicks(screen.filter, "file")
    row = screen.rect("Built-in", "Files", "read_file")
    image = screen.tree.viewport().grab(row).toImage()

    def found(color: str) -> list[int]:
        return [x for x in range(image.width()) if image.pixelColor(x, 5).name() == color]

    marked = found(tokens.color.match_bg.name())
    assert marked
    assert marked[0] > 63 + 10  # the word read_ stands before it
    assert image.pixelColor(250, 2).name() == tokens.color.panel.name()


def test_a_long_name_is_cut_before_the_shield(screen: Screen) -> None:
    name = "a_name_that_somebody_really_gave_to_a_tool_with_sixty_letters"
    screen.view.set_rows([ToolRow(name, BUILT_IN, "Files", asks_first=True, latency="slow", health="degraded")])
    screen.tree.expand(screen.index("Built-in", "Files"))
    row = screen.rect("Built-in", "Files", name)
    image = screen.tree.viewport().grab(row).toImage()

    panel = load_theme("light").color.panel.name()
    gap = {image.pixelColor(x, y).name() for x in range(229, 233) for y in range(4, 20)}
    assert gap == {panel}


def test_every_row_gives_its_item(screen: Screen) -> None:
    item = screen.index("Built-in", "Files").data(ITEM_ROLE)

    assert (item.key, item.count) == ("built-in/Files", "2")


def test_tools_that_mean_the_same_are_shown_where_no_name_has_the_words(qtbot: QtBot, screen: Screen) -> None:
    wanted: list[str] = []
    screen.view.related_wanted.connect(wanted.append)
    said = next(label for label in screen.view.findChildren(QLabel) if label.objectName() == "toolsGuess")
    screen.filter.setText("file")
    assert (wanted, said.isVisible()) == ([], False)
    screen.filter.setText("store")
    assert wanted == ["store"]
    assert screen.filter.accessibleDescription() == "0 of 4"
    screen.view.set_related("stor", ["ping"], [])
    assert screen.filter.accessibleDescription() == "0 of 4"
    screen.view.set_related("store", ["write_file"], ["ping"])
    assert screen.in_sight() == ["Built-in", "Files", "write_file", "Plugins", "my_tools.py"]
    assert screen.filter.accessibleDescription() == "1 of 4"
    assert (said.isVisible(), said.text()) == (True, "Closest to “store”")
    screen.filter.setText("read")
    assert screen.in_sight() == ["Built-in", "Files", "read_file", "Plugins", "my_tools.py"]
    assert not said.isVisible()
    screen.filter.setText("zzz")
    screen.view.set_related("zzz", [], [])
    assert (said.isVisible(), said.text()) == (True, "Nothing comes close to “zzz”")
    screen.filter.clear()
    assert not said.isVisible()
    assert screen.in_sight() == ["Built-in", "Files", "Web", "Plugins", "my_tools.py"]


def test_enter_opens_the_closest_of_the_tools_that_mean_the_same(qtbot: QtBot, screen: Screen) -> None:
    screen.filter.setText("store")
    screen.view.set_related("store", ["ping", "read_file"], [])
    qtbot.keyClick(screen.filter, Qt.Key.Key_Return)
    assert screen.asked == [("opened", "ping")]


def test_related_tools_are_asked_for_again_when_tools_came(screen: Screen) -> None:
    wanted: list[str] = []
    screen.filter.setText("store")
    screen.view.related_wanted.connect(wanted.append)
    screen.view.apply([ToolRow("keep_note", BUILT_IN, "Files")], [])
    assert wanted == ["store"]


def test_the_last_row_of_the_built_in_tools_asks_for_all_and_back(qtbot: QtBot, screen: Screen) -> None:
    asked: list[bool] = []
    screen.view.all_requested.connect(asked.append)
    screen.view.set_chosen(["read_file"])
    offer = "Show all 3 built-in tools"
    assert screen.in_sight() == ["Built-in", "Files", offer, "Plugins", "my_tools.py"]

    qtbot.mouseClick(screen.tree.viewport(), Qt.MouseButton.LeftButton, pos=screen.rect("Built-in", offer).center())
    assert asked == [True]
    screen.view.set_shows_all(shows_all=True)
    assert screen.in_sight()[1:4] == ["Files", "Web", "Show those chosen for this project"]

    screen.choose("Show those chosen for this project", "Built-in")
    assert asked == [True, False]


def test_a_tool_that_ran_that_is_starred_or_that_is_opened_stays_shown(screen: Screen) -> None:
    screen.view.set_chosen(["read_file"])
    screen.view.set_groups_open(opened=True)

    screen.view.set_runnable(["write_file"])
    assert screen.in_sight()[1:4] == ["Files", "read_file", "write_file"]
    screen.view.set_starred(["fetch_page"])
    screen.view.set_groups_open(opened=True)
    assert screen.in_sight()[4:6] == ["Web", "fetch_page"]
    screen.view.set_starred([])
    assert "Web" not in screen.in_sight()

    screen.view.select("fetch_page")
    assert screen.tree.currentIndex().data() == "fetch_page"
    screen.view.select("")
    assert "fetch_page" in screen.in_sight()


def test_the_menu_of_a_built_in_tool_stars_it_and_takes_the_star_back(screen: Screen) -> None:
    screen.view.set_groups_open(opened=True)

    screen.choose("Star, to keep it shown", "Built-in", "Files", "read_file")
    screen.view.set_starred(["read_file"])
    screen.choose("Remove star", "Built-in", "Files", "read_file")

    assert screen.asked == [("star_requested", "read_file", True), ("star_requested", "read_file", False)]
    assert not any("star" in text for text in screen.menu("Plugins", "my_tools.py", "ping"))
