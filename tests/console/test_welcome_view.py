from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from console.keymap import Keymap, keymap, use_keymap
from console.theme import ThemeController
from console.welcome.view import WelcomeView
from console.widgets import ElidedLabel, IconLabel, KeyCaps


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[WelcomeView]:
    controller = ThemeController(qapp, "light")
    view = WelcomeView()
    qtbot.addWidget(view)
    view.resize(1112, 687)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    qapp.setStyleSheet("")
    controller.deleteLater()


def words(view: WelcomeView) -> list[str]:
    labels = [one for one in view.findChildren(QWidget) if isinstance(one, QLabel | ElidedLabel) and one.isVisible()]
    texts = (label.text if isinstance(label, ElidedLabel) else label.text() for label in labels)
    return [text for text in texts if text]


def opening(view: WelcomeView) -> list[str]:
    """Return what stands beside the button of the first tool."""
    said = words(view)
    return said[said.index("Opens") :][:3]


def button(view: WelcomeView, text: str) -> QAbstractButton:
    return next(found for found in view.findChildren(QAbstractButton) if found.text() == text)


@pytest.mark.reference("A1")
def test_it_counts_the_built_in_tools_and_names_their_groups(view: WelcomeView) -> None:
    view.set_built_in(31, ("Files", "Data", "Git"))

    assert "31 built-in tools" in words(view)
    assert "Files, data and git. None has run yet." in words(view)
    assert "Ready" in [label.text for label in view.findChildren(IconLabel)]

    view.set_ran(1_204)
    assert "Files, data and git. 1,204 calls so far." in words(view)
    view.set_built_in(1, ("Files",))
    view.set_ran(1)
    assert words(view)[2:4] == ["1 built-in tool", "Files. 1 call so far."]


def test_it_says_when_there_are_none(view: WelcomeView) -> None:
    assert "No built-in tools" in words(view)
    assert "They could not be loaded; the log says why." in words(view)
    assert "Missing" in [label.text for label in view.findChildren(IconLabel)]


def test_a_server_can_be_connected(qtbot: QtBot, view: WelcomeView) -> None:
    with qtbot.waitSignal(view.connection_requested):
        qtbot.mouseClick(button(view, "Connect…"), Qt.MouseButton.LeftButton)


def test_an_agent_can_be_connected(qtbot: QtBot, view: WelcomeView) -> None:
    with qtbot.waitSignal(view.agent_requested):
        qtbot.mouseClick(button(view, "Connect an agent…"), Qt.MouseButton.LeftButton)


def test_a_plugin_file_can_be_chosen(qtbot: QtBot, view: WelcomeView) -> None:
    with qtbot.waitSignal(view.plugin_requested):
        qtbot.mouseClick(button(view, "Choose a file…"), Qt.MouseButton.LeftButton)


def test_the_first_tool_is_offered_with_its_example(qtbot: QtBot, view: WelcomeView) -> None:
    first = button(view, "Run your first tool")
    assert not first.isVisible()

    view.set_first_tool("search_files", has_example=True)
    assert opening(view) == ["Opens", "search_files", "with its example"]
    with qtbot.waitSignal(view.tool_opened) as opened:
        qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert opened.args == ["search_files"]

    view.set_first_tool("ping")
    assert opening(view) == ["Opens", "ping", "to be filled in"]


def test_only_shortcuts_that_exist_are_listed(qtbot: QtBot, qapp: QApplication, view: WelcomeView) -> None:
    assert words(view)[-6:] == [
        "Filter the tools tree",
        "Run",
        "Stop",
        "Next tool tab",
        "Add a plugin file",
        "All shortcuts",
    ]
    assert "Ctrl+L" in [caps.accessibleName() for caps in view.findChildren(KeyCaps)]

    keymap().assign("filter_tools", "")
    qtbot.waitUntil(lambda: words(view)[-5] == "Run")
    use_keymap(Keymap())


def test_the_room_above_the_title_is_what_is_left_and_nothing_has_to_be_scrolled(
    qtbot: QtBot, view: WelcomeView
) -> None:
    title = next(label for label in view.findChildren(QLabel) if label.text() == "Welcome to Tool Console")
    scroll_bar = view.findChildren(QScrollArea)[0].verticalScrollBar()

    def top() -> int:
        return title.mapTo(view, QPoint()).y()

    qtbot.waitUntil(lambda: scroll_bar.maximum() == 0 and 20 < top() < 100)
    before = top()
    view.resize(view.width(), view.height() + 3)
    qtbot.waitUntil(lambda: top() == before + 3)
    view.resize(view.width(), 900)
    qtbot.waitUntil(lambda: top() == 100)


def test_it_is_as_wide_as_the_design_and_shrinks_with_the_page(view: WelcomeView) -> None:
    choose = button(view, "Choose a file…")
    right = choose.mapTo(view, choose.rect().topRight()).x()
    assert right == 236 + 640 - 18  # the card's middle column, less its border and padding

    view.resize(500, 400)
    assert choose.mapTo(view, choose.rect().topRight()).x() < 500
