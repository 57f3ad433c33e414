"""The console's own dialogs: what Enter and Esc do, and that the help is whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QListWidget, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from console.support.help_dialogs import HelpDialog
from console.theme.files import resource_path, resource_text
from console.widgets import SearchField
from console.widgets.dialogs import QuestionBox


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    window.resize(1000, 700)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


class Asked:
    """An open question, and what came of it."""

    def __init__(self, window: QWidget) -> None:
        self.results: list[QDialog.DialogCode] = []
        self.agreed: list[bool] = []
        self.box = QuestionBox("Close erase?", "It still runs.", "Stop and close", window)
        self.box.finished.connect(self._on_finished)
        self.box.agreed.connect(self._on_agreed)
        self.box.open()

    def _on_finished(self, result: int) -> None:
        self.results.append(QDialog.DialogCode(result))

    def _on_agreed(self) -> None:
        self.agreed.append(True)

    def button(self, text: str) -> QAbstractButton:
        return next(button for button in self.box.findChildren(QAbstractButton) if button.text() == text)


@pytest.fixture
def asked(window: QWidget, qtbot: QtBot) -> Asked:
    asked = Asked(window)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    return asked


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Space])
def test_the_key_that_is_pressed_without_reading_loses_nothing(asked: Asked, qtbot: QtBot, key: Qt.Key) -> None:
    assert QApplication.focusWidget() is asked.button("Cancel")
    qtbot.keyClick(QApplication.focusWidget(), key)

    assert asked.results == [QDialog.DialogCode.Rejected]
    assert asked.agreed == []


def test_closing_the_box_loses_nothing(asked: Asked) -> None:
    asked.box.close()

    assert asked.results == [QDialog.DialogCode.Rejected]
    assert asked.agreed == []


def test_the_verb_agrees_once(asked: Asked, qtbot: QtBot) -> None:
    qtbot.mouseClick(asked.button("Stop and close"), Qt.MouseButton.LeftButton)

    assert asked.results == [QDialog.DialogCode.Accepted]
    assert asked.agreed == [True]


@pytest.mark.parametrize("is_safe", [True, False])
def test_where_saving_loses_nothing_enter_saves(window: QWidget, qtbot: QtBot, *, is_safe: bool) -> None:
    box = QuestionBox("Lose it?", "It is new.", "Lose it", window, save="Save", saving_is_safe=is_safe)
    box.open()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QAbstractButton)
    assert focused.text() == ("Save" if is_safe else "Cancel")

    with qtbot.assertNotEmitted(box.agreed):
        if is_safe:
            with qtbot.waitSignal(box.save_requested):
                qtbot.keyClick(focused, Qt.Key.Key_Return)
        else:
            with qtbot.assertNotEmitted(box.save_requested):
                qtbot.keyClick(focused, Qt.Key.Key_Return)


def test_the_help_lists_all_pages_by_their_headings_and_shows_each(window: QWidget) -> None:
    dialog = HelpDialog("Shortcuts and help", "shortcuts.md", window)
    dialog.open()
    (pages,), (text,) = dialog.findChildren(QListWidget), dialog.findChildren(QTextBrowser)
    names = sorted(path.name for path in resource_path("help").glob("*.md"))
    headings = [resource_text("help", name).splitlines()[0].removeprefix("# ") for name in names]

    assert [pages.item(row).text() for row in range(pages.count())] == headings
    assert names[pages.currentRow()] == "shortcuts.md"
    for row, heading in enumerate(headings):
        pages.setCurrentRow(row)
        assert text.toPlainText().startswith(heading)
    dialog.close()


def test_the_help_stands_in_the_middle_of_the_window(window: QWidget) -> None:
    dialog = HelpDialog("About Tool Console", "about.md", window)
    dialog.open()

    offset = dialog.frameGeometry().center() - window.frameGeometry().center()
    assert offset.manhattanLength() <= 2
    dialog.close()


def test_the_help_shows_the_name_of_its_page_in_the_list(qtbot: QtBot, window: QWidget) -> None:
    dialog = HelpDialog("Troubleshooting", "troubleshooting.md", window)
    dialog.resize(860, 320)
    dialog.open()
    (pages,) = dialog.findChildren(QListWidget)

    qtbot.waitUntil(lambda: pages.viewport().rect().contains(pages.visualItemRect(pages.currentItem())))
    dialog.close()


def test_a_dialog_is_no_larger_than_the_screen(window: QWidget) -> None:
    dialog = HelpDialog("About Tool Console", "about.md", window)
    dialog.resize(5000, 5000)
    dialog.open()

    assert dialog.width() < dialog.screen().availableSize().width()
    assert dialog.height() < dialog.screen().availableSize().height()
    dialog.close()


def test_the_help_is_searched_over_all_pages_and_the_place_is_marked(qtbot: QtBot, window: QWidget) -> None:
    dialog = HelpDialog("Shortcuts and help", "shortcuts.md", window)
    dialog.open()
    (pages,), (text,) = dialog.findChildren(QListWidget), dialog.findChildren(QTextBrowser)
    field = dialog.findChild(SearchField)
    assert field is not None

    qtbot.keyClicks(field, "rotate_image")

    left = [pages.item(row).text() for row in range(pages.count()) if not pages.item(row).isHidden()]
    assert left == ["Built-in tools"]
    assert pages.currentItem().text() == "Built-in tools"
    assert text.textCursor().selectedText() == "rotate_image"

    field.setText("tool")
    first = text.textCursor().position()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert text.textCursor().position() > first
    field.setText("zzz nowhere")
    assert all(pages.item(row).isHidden() for row in range(pages.count()))
    field.clear()
    assert not any(pages.item(row).isHidden() for row in range(pages.count()))
    dialog.close()
