"""A change of theme: what is in sight has the new colours at once, everything else once it comes into sight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QCompleter,
    QLabel,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.approval.model import pieces
from console.approval.spans_view import SpanLabel
from console.schema_form.json_editor import JsonTextEdit
from console.schema_form.json_text import TextProblem
from console.servers.start_view import WholeText
from console.theme import ThemeController, ThemeName, load_theme
from console.viewers.rendered_view import RenderedView
from console.widgets import set_reduced_motion
from tests.console.gallery import build_gallery
from tests.console.screens import SCREENS, TOOLS, opened, show_tool
from tests.console.test_app_console import started

Make = Callable[[], QWidget]
CALM_LOOKS = 3
OTHER: dict[ThemeName, ThemeName] = {"light": "dark", "dark": "light"}


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def ink(widget: QWidget) -> str:
    return widget.palette().color(QPalette.ColorRole.WindowText).name()


# --- the whole program


async def settled(widget: QWidget) -> QImage:
    """Return the picture of a widget once it stays the same for a while."""
    last, looks = picture(widget), 0
    while looks < CALM_LOOKS:
        await asyncio.sleep(0.05)
        now = picture(widget)
        last, looks = now, looks + 1 if now == last else 0
    return last


async def pictures(theme: ThemeController, home: Path, began: ThemeName, then: ThemeName) -> dict[str, QImage]:
    """Start the program in one theme, visit every screen, change to another theme and visit every screen again."""
    theme.set_mode(began)
    taken: dict[str, QImage] = {}
    async with started(theme, home) as start:
        start.console.window.resize(1000, 700)
        # A tool that was opened stays in the tree, so all of them are there before the first picture.
        for name in TOOLS:
            await show_tool(start, name)
        for screen in SCREENS:
            async with opened(start, screen) as shown:
                await settled(shown)
        theme.set_mode(then)
        for screen in SCREENS:
            async with opened(start, screen) as shown:
                taken[screen] = await settled(shown)
    return taken


async def test_every_screen_looks_after_a_change_as_if_started_in_the_theme(
    theme: ThemeController, tmp_path: Path
) -> None:
    wanted = await pictures(theme, tmp_path / "one", "dark", "dark")
    changed = await pictures(theme, tmp_path / "two", "light", "dark")
    assert [screen for screen in SCREENS if changed[screen] != wanted[screen]] == []


# --- widgets in sight and out of sight


@pytest.fixture
def pages(theme: ThemeController, qtbot: QtBot) -> QStackedWidget:
    """A window of three pages with words on them, the first in sight."""
    stack = QStackedWidget()
    for name in ("front", "middle", "back"):
        page = QWidget()
        column = QVBoxLayout(page)
        label = QLabel(name)
        label.setObjectName(name)
        column.addWidget(label)
        column.addWidget(QComboBox())
        stack.addWidget(page)
    qtbot.addWidget(stack)
    stack.show()
    for index in (1, 2, 0):
        stack.setCurrentIndex(index)
    return stack


def words(pages: QStackedWidget, name: str) -> QLabel:
    (label,) = pages.findChildren(QLabel, name)
    return label


def test_a_hidden_widget_waits_until_it_is_shown(theme: ThemeController, pages: QStackedWidget) -> None:
    theme.set_mode("dark")
    light, dark = load_theme("light").color.text.name(), load_theme("dark").color.text.name()
    assert ink(words(pages, "front")) == dark
    assert ink(words(pages, "back")) == light
    pages.setCurrentIndex(2)
    assert ink(words(pages, "back")) == dark


def test_a_hidden_widget_is_polished_while_nothing_else_happens(
    theme: ThemeController, pages: QStackedWidget, qtbot: QtBot
) -> None:
    theme.set_mode("dark")
    qtbot.waitUntil(lambda: ink(words(pages, "back")) == load_theme("dark").color.text.name())


def test_a_window_that_was_hidden_during_the_change_is_right(theme: ThemeController, pages: QStackedWidget) -> None:
    pages.hide()
    theme.set_mode("dark")
    pages.show()
    theme.set_mode("light")
    theme.set_mode("dark")
    assert ink(words(pages, "front")) == load_theme("dark").color.text.name()


def test_a_widget_that_moves_to_another_parent_meanwhile_is_right(
    theme: ThemeController, pages: QStackedWidget
) -> None:
    theme.set_mode("dark")
    moved = words(pages, "back")
    moved.setParent(pages.currentWidget())
    moved.show()
    assert ink(moved) == load_theme("dark").color.text.name()


def test_widgets_may_go_while_they_wait(theme: ThemeController, pages: QStackedWidget, qtbot: QtBot) -> None:
    theme.set_mode("dark")
    words(pages, "middle").deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qtbot.waitUntil(lambda: ink(words(pages, "back")) == load_theme("dark").color.text.name())


# --- popups


def make_combo() -> QComboBox:
    combo = QComboBox()
    combo.addItems(["one", "two", "three"])
    return combo


def popup_of(combo: QComboBox) -> QWidget:
    combo.showPopup()
    return combo.view().window()


def test_popups_change_with_the_theme(theme: ThemeController, qtbot: QtBot) -> None:
    def shots(*, before: ThemeName) -> list[QImage]:
        theme.set_mode(before)
        combo, line, menu = make_combo(), QLineEdit(), QMenu()
        menu.addAction("Copy").setEnabled(False)
        menu.addMenu("More").addAction("Paste").setCheckable(True)
        completer = QCompleter(["one", "only"], line)
        line.setCompleter(completer)
        for widget in (combo, line, menu):
            qtbot.addWidget(widget)
        taken: list[QImage] = []
        for name in (before, "dark"):
            theme.set_mode(name)
            taken.clear()
            combo.show()
            taken.append(picture(popup_of(combo)))
            combo.hidePopup()
            line.show()
            completer.setCompletionPrefix("on")
            completer.complete()
            (popup,) = (
                found
                for found in QApplication.topLevelWidgets()
                if found.isVisible() and found.windowType() is Qt.WindowType.Popup
            )
            taken.append(picture(popup))
            popup.hide()
            menu.popup(line.pos())
            taken.append(picture(menu))
            menu.hide()
            QToolTip.showText(line.pos(), "what it is", line)
            taken += [
                picture(found) for found in QApplication.topLevelWidgets() if found.objectName() == "qtooltip_label"
            ]
            QToolTip.hideText()
        return taken

    assert shots(before="light") == shots(before="dark")


# --- widgets that keep colours


@pytest.fixture
def at_rest() -> Iterator[None]:
    """Let nothing move while pictures are compared."""
    set_reduced_motion(reduced=True)
    yield
    set_reduced_motion(reduced=False)


def make_gallery() -> QWidget:
    return build_gallery()


def make_json() -> QWidget:
    edit = JsonTextEdit()
    edit.show_text('{\n  "path": "a.txt",\n  "count": 3,\n  "deep": tru\n}')
    edit.mark_problem(TextProblem(4, 12, "expected a value"))
    return edit


def make_address() -> QWidget:
    text = WholeText()
    text.show_parts((("https://", ""), ("example.org", "host"), ("/%2e", "risk"), (" (port 443)", "quiet")))
    return text


def make_markdown() -> QWidget:
    page = RenderedView()
    page.show_markdown(
        "# Title\n\nSee [the page](https://example.org) and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    return page


def make_sentence() -> QWidget:
    return SpanLabel(pieces("Send `POST` to api.example.org with 19 bytes"), tone="text2")


@pytest.mark.parametrize("make", [make_gallery, make_json, make_address, make_markdown, make_sentence])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_widget_made_in_the_other_theme_looks_the_same(
    name: ThemeName, make: Make, theme: ThemeController, at_rest: None, qtbot: QtBot
) -> None:
    pictures = []
    for began in (OTHER[name], name):
        theme.set_mode(began)
        widget = make()
        qtbot.addWidget(widget)
        widget.show()
        theme.set_mode(name)
        pictures.append(picture(widget))
        widget.hide()
    assert pictures[0] == pictures[1]
