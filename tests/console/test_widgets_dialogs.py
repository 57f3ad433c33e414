"""Dialogs over a window: it is dimmed as long as one of them is open."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from console.schema_form import ArgumentsEditor
from console.theme import ThemeController
from console.theme.current import set_application_theme
from console.theme.tokens import load_theme
from console.widgets import Scrim, WindowDialog, ask_folder


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(QPushButton("Run"))
    window.resize(600, 400)
    window.show()
    return window


def scrims(window: QWidget) -> list[Scrim]:
    return [scrim for scrim in window.findChildren(Scrim) if scrim.isVisible()]


@pytest.mark.parametrize("end", ["accept", "reject", "close"])
def test_the_window_is_dimmed_until_the_dialog_is_closed(window: QWidget, qtbot: QtBot, end: str) -> None:
    dialog = WindowDialog("Import servers", window)
    assert scrims(window) == []
    dialog.open()
    (scrim,) = scrims(window)
    assert scrim.size() == window.size()
    assert (dialog.windowTitle(), dialog.accessibleName()) == ("Import servers", "Import servers")
    assert dialog.windowModality() is Qt.WindowModality.WindowModal
    with qtbot.waitSignals([dialog.destroyed, scrim.destroyed]):
        getattr(dialog, end)()
    assert window.findChildren(Scrim) == []


def test_a_window_under_two_dialogs_is_dimmed_once_and_until_the_last_is_closed(window: QWidget, qtbot: QtBot) -> None:
    part = window.findChild(QPushButton)
    assert part is not None
    first, second = WindowDialog("First", window), WindowDialog("Second", part)
    first.open()
    second.open()
    (scrim,) = scrims(window)
    with qtbot.waitSignal(first.destroyed):
        first.reject()
    assert scrims(window) == [scrim]
    with qtbot.waitSignal(scrim.destroyed):
        second.reject()
    third = WindowDialog("Third", window)
    third.open()
    assert len(scrims(window)) == 1
    with qtbot.waitSignal(third.destroyed):
        third.reject()


@pytest.mark.parametrize("show_first", [True, False])
def test_a_dialog_keeps_no_name_for_its_window(qapp: QApplication, show_first: bool) -> None:
    window = QWidget()
    window.show()
    gone = weakref.ref(window)
    dialog = WindowDialog("Compare two calls", window)
    if show_first:
        dialog.open()
    # With the window's last name in the dialog, the end of one would delete the other for a second time.
    del window
    gc.collect()
    assert gone() is None
    assert not isValid(dialog)


@pytest.fixture
def dark(qapp: QApplication) -> Iterator[None]:
    controller = ThemeController(qapp, "dark")
    yield
    controller.deleteLater()
    qapp.styleHints().unsetColorScheme()
    qapp.setPalette(QPalette())
    qapp.setStyleSheet("")
    set_application_theme(qapp, None)


def test_a_form_in_a_dialog_has_its_background(window: QWidget, qtbot: QtBot, dark: None) -> None:
    dialog, editor = WindowDialog("A question", window), ArgumentsEditor()
    QVBoxLayout(dialog).addWidget(editor)
    editor.set_schema({"type": "object", "properties": {"name": {"type": "string"}}})
    dialog.resize(500, 400)
    dialog.open()
    place = editor.form.mapTo(dialog, QPoint(3, editor.form.height() - 3))
    assert dialog.grab().toImage().pixelColor(place) == load_theme("dark").color.raised
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()


def test_a_folder_is_asked_for_although_what_was_typed_is_no_path(
    window: QWidget, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = ask_folder(window, "Choose a folder", f"{tmp_path}\0\x1b[31m", window.setWindowTitle)
    assert isinstance(dialog, QFileDialog)
    assert dialog.directory().path() == str(tmp_path)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
