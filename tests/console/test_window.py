"""The window says what the person wants, and its parts stay in step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from console.theme import ThemeMode
from console.widgets import Scrim
from console.window import MainWindow


def form(*names: str) -> QWidget:
    """Return a panel with a field of each name."""
    panel = QWidget()
    column = QVBoxLayout(panel)
    for name in names:
        field = QLineEdit()
        field.setAccessibleName(name)
        column.addWidget(field)
    return panel


def focus() -> str:
    """Return the accessible name of what has the focus."""
    widget = QApplication.focusWidget()
    return "" if widget is None else widget.accessibleName()


def named(parent: QWidget, name: str) -> QAbstractButton:
    return next(button for button in parent.findChildren(QAbstractButton) if button.accessibleName() == name)


def received(spy: QSignalSpy) -> list[list[object]]:
    return [spy.at(number) for number in range(spy.count())]


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window)
    window.left_dock.setWidget(form("filter"))
    window.bottom_dock.setWidget(form("calls"))
    window.rail.add_page("tools", "Tools", "wrench")
    window.add_page("tools", form("argument", "second argument"))
    window.rail.add_page("health", "Health", "puzzle")
    window.add_page("health", QLabel("Nothing new"))
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    return window


def press(qtbot: QtBot, window: QWidget, keys: str) -> None:
    combination = QKeySequence(keys)[0]  # type: ignore[index]  # Qt's stubs forget that it is a sequence
    qtbot.keyClick(window, combination.key(), combination.keyboardModifiers())


def menu_actions(menu: QWidget) -> dict[str, QAction]:
    """Return the actions of a menu and its menus by their texts."""
    found: dict[str, QAction] = {}
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QWidget):
            found |= menu_actions(inner)
        elif action.text():
            found[action.text()] = action
    return found


@pytest.mark.parametrize(
    ("keys", "name", "arguments"),
    [
        ("Ctrl+Shift+O", "plugin_requested", []),
        ("F5", "reload_requested", []),
        ("Ctrl+Shift+P", "oldest_question_requested", []),
        ("Ctrl+Shift+H", "pause_requested", []),
        ("Ctrl+W", "close_tab_requested", []),
        ("Ctrl+Tab", "next_tab_requested", [1]),
        ("Ctrl+Shift+Tab", "next_tab_requested", [-1]),
        ("Ctrl+Q", "closing", []),
    ],
)
def test_a_shortcut_says_what_the_person_wants(
    window: MainWindow, qtbot: QtBot, keys: str, name: str, arguments: list[object]
) -> None:
    spy = QSignalSpy(getattr(window, name))
    press(qtbot, window, keys)

    assert received(spy) == [arguments]


@pytest.mark.parametrize(("keys", "name"), [("Ctrl+O", "folder_requested"), ("Ctrl+/", "help_requested")])
def test_a_shortcut_of_the_top_bar_works_in_the_whole_window(
    window: MainWindow, qtbot: QtBot, keys: str, name: str
) -> None:
    spy = QSignalSpy(getattr(window.top_bar, name))
    press(qtbot, window, keys)

    assert spy.count() == 1


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Add a plugin file…", "plugin_requested", []),
        ("Reload changed plugins", "reload_requested", []),
        ("About Tool Console", "about_requested", []),
        ("Quit", "closing", []),
        ("Light", "theme_chosen", ["light"]),
        ("Dark", "theme_chosen", ["dark"]),
        ("As the system", "theme_chosen", ["system"]),
        ("Settings", "settings_requested", []),
    ],
)
def test_the_menu_says_what_the_person_wants(window: MainWindow, text: str, name: str, arguments: list[object]) -> None:
    spy = QSignalSpy(getattr(window, name))
    menu_actions(window.top_bar.menu_button.menu())[text].trigger()

    assert received(spy) == [arguments]


def test_one_theme_is_marked(window: MainWindow) -> None:
    actions = menu_actions(window.top_bar.menu_button.menu())
    modes: tuple[tuple[ThemeMode, str], ...] = (("dark", "Dark"), ("system", "As the system"))
    for mode, text in modes:
        window.show_theme_mode(mode)
        assert [name for name, action in actions.items() if action.isChecked()] == [text]


def test_a_click_on_the_page_that_shows_changes_nothing(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(named(window.rail, "Tools"), Qt.MouseButton.LeftButton)

    assert window.pages.currentIndex() == 0
    assert named(window.rail, "Tools").isChecked()


def test_the_rail_and_its_numbers_switch_pages(window: MainWindow, qtbot: QtBot) -> None:
    shown = [window.pages.currentIndex()]
    qtbot.mouseClick(named(window.rail, "Health"), Qt.MouseButton.LeftButton)
    shown.append(window.pages.currentIndex())
    assert named(window.rail, "Health").isChecked()
    press(qtbot, window, "Ctrl+1")
    shown.append(window.pages.currentIndex())

    assert shown == [0, 1, 0]
    assert not named(window.rail, "Health").isChecked()
    assert named(window.rail, "Tools").isChecked()


@pytest.mark.parametrize(
    ("keys", "name", "dock"),
    [("Ctrl+B", "Tools panel", "left_dock"), ("Ctrl+J", "Activity panel", "bottom_dock")],
)
def test_a_panel_and_its_switch_stay_in_step(window: MainWindow, qtbot: QtBot, keys: str, name: str, dock: str) -> None:
    panel: QWidget = getattr(window, dock)
    switch = named(window.top_bar, name)
    shown = [(panel.isVisible(), switch.isChecked())]
    press(qtbot, window, keys)
    shown.append((panel.isVisible(), switch.isChecked()))
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    shown.append((panel.isVisible(), switch.isChecked()))
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    shown.append((panel.isVisible(), switch.isChecked()))

    assert shown == [(True, True), (False, False), (True, True), (False, False)]


def test_f6_goes_through_the_regions_and_back(window: MainWindow, qtbot: QtBot) -> None:
    window.left_dock.widget().findChildren(QLineEdit)[0].setFocus()
    forth = []
    for _ in range(4):
        press(qtbot, window, "F6")
        forth.append(focus())
    back = []
    for _ in range(4):
        press(qtbot, window, "Shift+F6")
        back.append(focus())

    assert forth == ["argument", "calls", "Main menu", "filter"]
    assert back == ["Main menu", "calls", "argument", "filter"]


def test_f6_passes_a_hidden_panel_and_a_page_without_a_place_for_the_focus(window: MainWindow, qtbot: QtBot) -> None:
    window.bottom_dock.hide()
    window.show_page("health")
    window.left_dock.widget().findChildren(QLineEdit)[0].setFocus()
    press(qtbot, window, "F6")

    assert focus() == "Main menu"


@pytest.mark.parametrize(("keys", "name"), [("F6", "filter"), ("Shift+F6", "Main menu")])
def test_f6_begins_at_the_near_end_when_nothing_has_the_focus(
    window: MainWindow, qtbot: QtBot, keys: str, name: str
) -> None:
    widget = QApplication.focusWidget()
    if widget is not None:
        widget.clearFocus()
    press(qtbot, window, keys)

    assert focus() == name


def test_the_window_closes_only_when_whoever_decides_says_so(window: MainWindow) -> None:
    spy = QSignalSpy(window.closing)

    assert not window.close()
    assert window.isVisible()
    assert spy.count() == 1
    window.close_now()
    assert not window.isVisible()
    assert spy.count() == 1


def test_the_window_is_dimmed_once_and_bright_again(window: MainWindow) -> None:
    window.dim(dimmed=True)
    window.dim(dimmed=True)
    (scrim,) = window.findChildren(Scrim)
    assert scrim.isVisible()

    gone = QSignalSpy(scrim.destroyed)
    window.dim(dimmed=False)
    window.dim(dimmed=False)
    gone.wait(1_000)
    assert window.findChildren(Scrim) == []


@pytest.mark.parametrize("kept", [b"", b"garbage", b"\x00" * 40], ids=["nothing", "garbage", "zeros"])
def test_what_is_no_layout_gives_the_default_one(window: MainWindow, kept: bytes) -> None:
    window.restore(kept, kept)

    assert window.left_dock.isVisible()
    assert window.bottom_dock.isVisible()
    room = window.screen().availableSize()
    assert window.width() <= max(room.width(), window.minimumWidth())
    assert window.height() < max(room.height(), window.minimumHeight())


def test_size_and_panels_come_back(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 620)
    window.bottom_dock.hide()
    geometry, state = bytes(window.saveGeometry().data()), bytes(window.saveState().data())
    later = MainWindow()
    qtbot.addWidget(later)
    later.restore(geometry, state)

    assert later.size() == window.size()
    assert not later.left_dock.isHidden()
    assert later.bottom_dock.isHidden()
    assert later.restoreState(QByteArray(state))


def test_a_page_that_takes_the_whole_window_gives_the_panels_back(window: MainWindow) -> None:
    window.rail.add_page("history", "History", "history")
    window.add_page("history", form("search"), whole=True)
    window.bottom_dock.hide()

    window.rail.choose("history")

    assert window.pages.currentIndex() == 2
    assert (window.left_dock.isHidden(), window.bottom_dock.isHidden()) == (True, True)
    window.rail.choose("tools")
    assert window.pages.currentIndex() == 0
    assert (window.left_dock.isHidden(), window.bottom_dock.isHidden()) == (False, True)
    assert [action.isChecked() for action in window.rail._group.actions()] == [True, False, False]


def test_a_wide_page_does_not_narrow_the_panel_beside_another_one(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1200, 700)
    wide = QWidget()
    window.add_page("wide", wide, whole=True)
    window.show_page("tools")
    qtbot.waitUntil(window.left_dock.isVisible)
    before = window.left_dock.width()
    window.show_page("wide")
    wide.setMinimumWidth(1140)
    qtbot.waitUntil(lambda: wide.isVisible() and wide.width() >= 1140)
    window.show_page("tools")
    qtbot.waitUntil(lambda: window.left_dock.isVisible() and window.left_dock.width() == before)
