"""Shortcuts: listed, found, pressed anew, kept, put back, and shown wherever they are shown."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTextBrowser, QWidget

from console.keymap import COMMANDS, FIXED_KEYS, Keymap, caps_of, keymap, use_keymap, why_no_shortcut
from console.settings.preference import SettingsSection
from console.settings.shortcuts import Shortcuts
from console.settings.shortcuts_view import ShortcutDialog, ShortcutsView
from console.settings.view import AllSettingsView
from console.support.help_dialogs import HelpDialog
from console.theme import ThemeController
from console.widgets import Button, CommandAction, Menu, MenuKeys
from console.window import MainWindow
from tests.console.test_app_console import started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Page:
    """The page of settings with its shortcuts, and a window whose commands follow them."""

    def __init__(self, qtbot: QtBot, file: Path) -> None:
        use_keymap(Keymap(file))
        self.window = MainWindow()
        self.shortcuts = Shortcuts(keymap())
        self.list = self.shortcuts.make_view()
        self.view = AllSettingsView((), {SettingsSection.SHORTCUTS: self.list})
        for widget in (self.window, self.view):
            qtbot.addWidget(widget)
        self.view.resize(1_000, 800)
        self.view.show_section(SettingsSection.SHORTCUTS)
        self.view.show()

    def listed(self) -> list[str]:
        return [self.list.model.cell(place, 0).text for place in range(self.list.model.rowCount())]

    def keys(self, command: str) -> str:
        return self.list.model.cell(self.list.model.place_of(command), 2).text

    def ask(self, command: str) -> ShortcutDialog:
        assert self.list.table.choose(command)
        self.list.change.click()
        return self.list.findChildren(ShortcutDialog)[-1]

    def action(self, command: str) -> CommandAction:
        (found,) = [one for one in self.window.findChildren(CommandAction) if one.command.key == command]
        return found


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "shortcuts.json"
    use_keymap(Keymap())


def test_no_two_commands_that_meet_are_shipped_with_the_same_keys() -> None:
    keys = Keymap()
    assert [(key, keys.holders(key, command.keys)) for key, command in COMMANDS.items() if command.keys] == [
        (key, []) for key, command in COMMANDS.items() if command.keys
    ]
    assert [command.name for command in COMMANDS.values() if command.keys and why_no_shortcut(command.keys)] == []
    assert all(one != other for one, other in combinations(FIXED_KEYS, 2))


def test_keys_that_are_pressed_call_the_command_and_are_shown_everywhere(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    action, help_button = page.action("help"), page.window.top_bar.findChildren(QAbstractButton)
    (button,) = [one for one in help_button if one.accessibleName() == "Shortcuts and help"]
    assert (action.keys, button.toolTip()) == ("Ctrl+/", "Shortcuts and help (Ctrl+/)")
    dialog = page.ask("help")
    assert not dialog.keep.isEnabled()
    QTest.keyClick(dialog.field, Qt.Key.Key_F1)
    assert dialog.field.text() == "F1"
    assert page.keys("help") == "Ctrl+/"
    dialog.keep.click()
    assert page.keys("help") == "F1"
    assert (action.shortcut().toString(), button.toolTip()) == ("F1", "Shortcuts and help (F1)")
    assert json.loads(file.read_text("utf-8"))["keys"] == {"help": "F1"}
    page.window.show()
    page.window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is page.window)
    with qtbot.waitSignal(page.window.top_bar.help_requested):
        QTest.keyClick(page.window, Qt.Key.Key_F1)
    assert Keymap(file).keys("help") == "F1"


def test_a_menu_that_shows_the_keys_of_a_command_does_not_answer_to_them(qtbot: QtBot, file: Path) -> None:
    use_keymap(Keymap(file))
    window = QWidget()
    qtbot.addWidget(window)
    button, menu = Button("Examples", parent=window), Menu("Examples", window)
    entry = menu.add_entry("paste", "Paste arguments")
    MenuKeys(entry, "tool.paste")
    button.setMenu(menu)
    command = CommandAction("tool.paste", window)
    window.show()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    with qtbot.waitSignal(command.triggered):
        QTest.keyClick(button, Qt.Key.Key_V, CTRL | SHIFT)
    assert entry.text() == "Paste arguments\tCtrl+Shift+V"
    keymap().assign("tool.paste", "F9")
    assert entry.text() == "Paste arguments\tF9"
    keymap().assign("tool.paste", "")
    assert entry.text() == "Paste arguments"


def test_a_conflict_is_told_with_both_names_before_anything_changes(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    dialog = page.ask("new_tool")
    QTest.keyClick(dialog.field, Qt.Key.Key_B, CTRL)
    assert dialog.words.text() == (
        "Ctrl+B is already used by “Show or hide tools”. It loses these keys if you give them to “New tool”."
    )
    dialog.reject()
    assert (page.keys("new_tool"), page.keys("left_panel"), file.exists()) == ("Ctrl+N", "Ctrl+B", False)
    dialog = page.ask("new_tool")
    QTest.keyClick(dialog.field, Qt.Key.Key_B, CTRL)
    dialog.keep.click()
    assert (page.keys("new_tool"), page.keys("left_panel")) == ("Ctrl+B", "None")
    # To put the one back takes the keys from the other, which is asked likewise.
    page.list.table.choose("left_panel")
    page.list.reset.click()
    dialog = page.list.findChildren(ShortcutDialog)[-1]
    assert "“New tool”" in dialog.words.text()
    dialog.keep.click()
    assert (page.keys("new_tool"), page.keys("left_panel")) == ("None", "Ctrl+B")
    page.list.reset_all.click()
    assert (page.keys("new_tool"), page.keys("left_panel")) == ("Ctrl+N", "Ctrl+B")
    assert not page.list.reset_all.isEnabled()


def test_the_list_is_as_tall_as_the_few_rows_that_a_search_finds(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    tall = page.list.table.height()
    assert 0 < page.list.narrow(["new", "tool"])[0] <= 2
    assert page.list.table.height() == page.list.table.rows_height + 2 < 120
    page.list.narrow([])
    assert page.list.table.height() == tall


def test_pages_of_their_own_may_have_the_same_keys(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    dialog = page.ask("history.run_again")
    QTest.keyClick(dialog.field, Qt.Key.Key_S, CTRL)
    assert dialog.words.isHidden()
    dialog.keep.click()
    assert (page.keys("history.run_again"), page.keys("batch.save"), page.keys("tool.save")) == ("Ctrl+S",) * 3


@pytest.mark.parametrize(
    ("key", "modifiers", "words"),
    [
        (Qt.Key.Key_C, CTRL, "Ctrl+C is fixed: Copy"),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "A alone writes text"),
        (Qt.Key.Key_Down, SHIFT, "Shift+Down alone writes text or moves in lists"),
    ],
)
def test_keys_that_are_fixed_or_write_text_are_refused_with_the_reason(
    qtbot: QtBot, file: Path, key: Qt.Key, modifiers: Qt.KeyboardModifier, words: str
) -> None:
    page = Page(qtbot, file)
    dialog = page.ask("help")
    QTest.keyClick(dialog.field, key, modifiers)
    assert words in dialog.problem.text()
    assert not dialog.keep.isEnabled()


def test_fixed_keys_are_listed_and_cannot_be_changed(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    place = page.listed().index("Copy")
    assert page.list.model.cell(place, 3).text == "Fixed"
    page.list.table.choose(page.list.model.key_at(place))
    assert [button.isEnabled() for button in (page.list.change, page.list.remove, page.list.reset)] == [False] * 3
    assert page.list.change.toolTip() == "These keys are fixed"


def test_the_search_of_the_page_finds_commands_by_name_and_by_key(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    everything = page.listed()
    page.view.search.setText("ctrl+shift+p")
    assert page.listed() == ["Answer the oldest question"]
    page.view.search.setText("FORM json")
    assert page.listed() == ["Change between form and JSON"]
    assert page.view.search.accessibleDescription() == f"1 of {len(everything)}"
    page.view.search.setText("shortcuts")
    assert page.listed() == everything
    page.view.search.clear()
    page.view.show_section(SettingsSection.SHORTCUTS)
    assert page.listed() == everything


def test_enter_counts_on_the_number_pad_too(qtbot: QtBot, file: Path) -> None:
    page = Page(qtbot, file)
    dialog = page.ask("close_tab")
    QTest.keyClick(dialog.field, Qt.Key.Key_Enter, ALT | Qt.KeyboardModifier.KeypadModifier)
    dialog.keep.click()
    assert page.keys("close_tab") == "Alt+Enter"
    assert [keys.toString() for keys in page.action("close_tab").shortcuts()] == ["Alt+Return", "Alt+Enter"]


@pytest.mark.expects_log("console.keymap")
@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1, "keys": {"help": 3}}', '{"format": 99, "keys": {}}'])
def test_a_damaged_file_is_told_and_put_aside(qapp: object, file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    keys = Keymap(file)
    assert keys.keys("help") == "Ctrl+/"
    (aside,) = file.parent.iterdir()
    assert aside.read_text("utf-8") == text
    assert (
        keys.problem == f"The file of your shortcuts was damaged; it is kept as {aside.name}, and the defaults count."
    )


def test_a_file_that_cannot_be_written_is_told_and_changes_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("no folder", "utf-8")
    page = Page(qtbot, tmp_path / "missing" / "shortcuts.json")
    (tmp_path / "missing").write_text("no folder", "utf-8")
    dialog = page.ask("help")
    QTest.keyClick(dialog.field, Qt.Key.Key_F1)
    dialog.keep.click()
    assert page.list._problem.text().startswith("The shortcuts could not be kept, and nothing changed")
    assert (page.keys("help"), page.action("help").keys) == ("Ctrl+/", "Ctrl+/")
    use_keymap(Keymap())


@pytest.mark.parametrize(
    ("keys", "caps"),
    [("", ()), ("F5", ("F5",)), ("Ctrl+K", ("Ctrl", "K")), ("Ctrl++", ("Ctrl", "+")), ("+", ("+",))],
)
def test_a_shortcut_is_painted_key_by_key(keys: str, caps: tuple[str, ...]) -> None:
    assert caps_of(keys) == caps


async def test_own_keys_outlast_the_program_and_stand_in_the_help(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        keymap().assign("palette", "Ctrl+Shift+K")
        assert (
            start.console.window.top_bar.findChildren(QAbstractButton, "search")[0].toolTip().endswith("(Ctrl+Shift+K)")
        )
    async with started(theme, tmp_path) as again:
        again.console.window.settings_requested.emit()
        assert again.console.settings.view is not None
        shown = again.console.settings.view.findChildren(ShortcutsView)[0].model
        assert shown.cell(shown.place_of("palette"), 2).text == "Ctrl+Shift+K"
        again.console.window.top_bar.help_requested.emit()
        (dialog,) = again.console.window.findChildren(HelpDialog)
        text = dialog.findChildren(QTextBrowser)[0].toPlainText()
        assert "Yours" in text
        assert text.index("Ctrl+Shift+K") < text.index("Find and move")
        dialog.close()
