"""Form and JSON over one document."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from console.schema_form import ArgumentsEditor, JsonTextEdit
from console.theme import load_theme
from tests.console.test_schema_form_widgets import named, type_into

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["pattern"],
    "properties": {
        "pattern": {"type": "string"},
        "max_results": {"type": "integer", "maximum": 5000, "default": 200},
    },
}


@pytest.fixture
def editor(qtbot: QtBot) -> ArgumentsEditor:
    editor = ArgumentsEditor()
    qtbot.addWidget(editor)
    editor.set_schema(SCHEMA, value={"pattern": "NOTE", "extra": [1]})
    editor.resize(900, 300)
    with qtbot.waitActive(editor):
        editor.show()
        editor.activateWindow()
    return editor


def json_of(editor: ArgumentsEditor) -> QPlainTextEdit:
    return named(editor, "Arguments as JSON", QPlainTextEdit)


def retype(qtbot: QtBot, edit: QPlainTextEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(edit, text)


def test_what_the_form_says_stands_in_the_json(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    type_into(qtbot, named(editor, "argument pattern", QLineEdit), "2")
    assert editor.set_mode("json")

    assert json_of(editor).toPlainText() == '{\n  "pattern": "NOTE2",\n  "extra": [\n    1\n  ]\n}'


def test_what_the_json_says_stands_in_the_form(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    editor.set_mode("json")
    retype(qtbot, json_of(editor), '{"pattern": "x", "max_results": 7, "extra": 1}')
    assert editor.set_mode("form")

    assert named(editor, "argument pattern", QLineEdit).text() == "x"
    assert named(editor, "argument max_results", QAbstractSpinBox).text() == "7"
    type_into(qtbot, named(editor, "argument pattern", QLineEdit), "y")
    assert editor.value() == {"pattern": "xy", "max_results": 7, "extra": 1}


def test_invalid_json_keeps_the_person_there_and_blocks_run(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    told: list[str] = []
    editor.mode_changed.connect(told.append)
    editor.set_mode("json")
    text = '{"pattern": "x" "max_results": 7}'
    retype(qtbot, json_of(editor), text)

    assert not editor.can_run()
    assert editor.json.message == "line 1, column 17: expected a comma"
    assert not editor.set_mode("form")
    assert editor.mode == "json"
    assert told == ["json", "json"]
    assert json_of(editor).toPlainText() == text
    assert json_of(editor).textCursor().position() == 16
    assert editor.value() == {"pattern": "NOTE", "extra": [1]}

    retype(qtbot, json_of(editor), '{"pattern": "x"}')
    assert editor.can_run()
    assert editor.json.message == ""
    assert editor.set_mode("form")


def test_values_that_do_not_fit_are_said_in_json_too(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    editor.set_mode("json")
    retype(qtbot, json_of(editor), '{"max_results": 9000}')

    assert not editor.can_run()
    assert editor.json.message == "pattern is required, and 1 more"
    assert editor.set_mode("form")


def test_the_first_problem_gets_the_focus(editor: ArgumentsEditor) -> None:
    assert editor.reveal_problems() is False
    editor.set_value({"max_results": 9000, "pattern": "x"})
    assert editor.reveal_problems()
    assert named(editor, "argument max_results", QAbstractSpinBox).hasFocus()

    editor.set_value({})
    assert editor.reveal_problems()
    assert named(editor, "argument pattern", QLineEdit).hasFocus()


def test_undo_and_redo_reach_over_both(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    type_into(qtbot, named(editor, "argument pattern", QLineEdit), "1")
    editor.set_mode("json")
    retype(qtbot, json_of(editor), '{"pattern": "new"}')

    assert editor.undo()
    assert editor.value() == {"pattern": "NOTE1", "extra": [1]}
    assert editor.undo()
    assert editor.value() == {"pattern": "NOTE", "extra": [1]}
    assert not editor.undo()
    assert editor.redo()
    assert editor.redo()
    assert json_of(editor).toPlainText() == '{"pattern": "new"}'


def test_the_undo_keys_work_in_every_field_and_go_to_the_change(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    type_into(qtbot, named(editor, "argument pattern", QLineEdit), "1")
    spin = named(editor, "argument max_results", QAbstractSpinBox)
    spin.setFocus()
    qtbot.keyClick(spin, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert editor.value()["pattern"] == "NOTE"
    assert named(editor, "argument pattern", QLineEdit).hasFocus()
    qtbot.keyClick(
        named(editor, "argument pattern", QLineEdit),
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert editor.value()["pattern"] == "NOTE1"
    qtbot.keyClick(named(editor, "argument pattern", QLineEdit), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(named(editor, "argument pattern", QLineEdit), Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert editor.value()["pattern"] == "NOTE1"


def test_undo_in_json_takes_back_what_the_form_did_and_leaves_the_caret_at_the_change(
    editor: ArgumentsEditor, qtbot: QtBot
) -> None:
    type_into(qtbot, named(editor, "argument pattern", QLineEdit), "1")
    editor.set_mode("json")
    edit = json_of(editor)
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert editor.value()["pattern"] == "NOTE"
    assert edit.toPlainText()[: edit.textCursor().position()].endswith("NOTE")


def test_control_return_asks_to_run_from_json(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    editor.set_mode("json")
    before = editor.document.text
    with qtbot.waitSignal(editor.submit_requested):
        qtbot.keyClick(json_of(editor), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert json_of(editor).toPlainText() == before


def test_large_text_is_read_when_it_is_asked_for(editor: ArgumentsEditor, qtbot: QtBot) -> None:
    editor.set_mode("json")
    edit = json_of(editor)
    edit.setPlainText('{"pattern": "' + "x" * 150_000 + '"}')
    assert editor.document.get(("pattern",)) == "NOTE"

    assert editor.can_run()
    assert len(editor.value()["pattern"]) == 150_000
    edit.setPlainText("{" + " " * 150_000)
    qtbot.waitUntil(lambda: not editor.document.validity().valid)
    assert editor.json.message.endswith("but the text ends here")


def test_the_height_that_shows_everything_is_wished_for(editor: ArgumentsEditor) -> None:
    assert editor.sizeHint().height() == editor.form.heightForWidth(editor.width())
    form_height = editor.sizeHint().height()
    editor.set_mode("json")
    assert editor.sizeHint().height() != form_height


def test_return_keeps_the_indent(qtbot: QtBot) -> None:
    edit = JsonTextEdit()
    qtbot.addWidget(edit)
    qtbot.keyClicks(edit, "  [")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.keyClicks(edit, "1")

    assert edit.toPlainText() == "  [\n    1"


def test_json_is_coloured_and_numbered(editor: ArgumentsEditor) -> None:
    editor.set_mode("json")
    image: QImage = json_of(editor).grab().toImage()
    seen = {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(min(80, image.height()))}
    syntax = load_theme("light").syntax

    assert syntax.key.rgb() in seen
    assert syntax.string.rgb() in seen
