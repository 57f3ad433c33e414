"""Fields of single values, driven by key and click: their three states, secrets, durations, files, many choices."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.schema_form import ABSENT, Document, FieldEditor, SchemaForm
from console.schema_form.field_row import FieldLabel, FieldNote, StateMark, shown_title
from console.schema_form.text_editors import duration_words, iso_duration, length_words
from console.widgets import ElidedLabel
from tests.console.test_schema_form_widgets import editor_of, message_of, named, of, shown, type_into

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
KINDS: dict[str, Any] = {
    "line": {"type": ["string", "null"], "default": "d"},
    "content": {"type": ["string", "null"], "default": "d"},
    "number": {"type": ["number", "null"], "default": 2},
    "whole": {"type": ["integer", "null"], "default": 2},
    "flag": {"type": ["boolean", "null"], "default": True},
    "choice": {"enum": ["a", "b", None], "default": "b"},
    "many": {"anyOf": [{"enum": [f"v{number}" for number in range(20)]}, {"type": "null"}], "default": "v3"},
    "day": {"type": ["string", "null"], "format": "date", "default": "2026-01-02"},
    "path": {"type": ["string", "null"], "format": "path", "default": "src"},
    "secret": {"type": ["string", "null"], "format": "password", "default": "d"},
    "length": {"type": ["string", "null"], "format": "duration", "default": "PT1H"},
    "file": {"type": ["string", "null"], "contentEncoding": "base64", "default": "YQ=="},
    "chips": {"type": ["array", "null"], "items": {"type": "string"}, "default": ["a"]},
    "some": {"anyOf": [{"type": "array", "items": {"enum": ["a", "b"]}}, {"type": "null"}], "default": ["a"]},
}


def mark_of(form: SchemaForm, name: str) -> StateMark:
    found = [mark for mark in form.findChildren(StateMark) if f"argument {name}:" in mark.accessibleName()]
    assert len(found) == 1
    return found[0]


def menu_of(mark: StateMark, qtbot: QtBot) -> QMenu:
    qtbot.mouseClick(mark, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, start: str) -> None:
    next(action for action in menu.actions() if action.text().startswith(start)).trigger()
    menu.close()


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_field_has_three_states_by_key(qtbot: QtBot, name: str) -> None:
    default = KINDS[name]["default"]
    form = shown(qtbot, {"type": "object", "properties": {name: KINDS[name]}})
    editor = editor_of(form, name)
    target = editor.target.lineEdit() if isinstance(editor.target, QComboBox) and editor.target.isEditable() else None
    widget = target or editor.target
    widget.setFocus()
    assert form.value() == {name: default}
    assert editor.state == "default"

    qtbot.keyClick(widget, Qt.Key.Key_Backspace, BOTH)
    assert form.value() == {}
    assert mark_of(form, name).accessibleName() == f"State of argument {name}: not set"
    qtbot.keyClick(widget, Qt.Key.Key_N, BOTH)
    assert form.value() == {name: None}
    assert editor.state == "null"
    assert "null" in editor.target.accessibleDescription()
    qtbot.keyClick(widget, Qt.Key.Key_D, BOTH)
    assert form.value() == {name: default}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_field_has_three_states_by_mouse(qtbot: QtBot, name: str) -> None:
    form = shown(qtbot, {"type": "object", "properties": {name: KINDS[name]}})
    mark = mark_of(form, name)

    choose(menu_of(mark, qtbot), "Set to null")
    assert form.value() == {name: None}
    assert mark.toolTip().startswith("Null.")
    mark.grab()
    choose(menu_of(mark, qtbot), "Leave out")
    assert form.value() == {}
    mark.grab()
    choose(menu_of(mark, qtbot), "Restore default")
    assert form.value() == {name: KINDS[name]["default"]}
    mark.grab()


def test_text_can_be_empty_on_purpose(qtbot: QtBot) -> None:
    form = of({"type": "string"}, qtbot)
    line = named(form, "argument x", QLineEdit)
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_E, BOTH)

    assert form.value() == {"x": ""}
    assert line.placeholderText() == "empty text"


def test_a_required_field_has_no_mark_unless_it_may_be_null(qtbot: QtBot) -> None:
    assert of({"type": "string"}, qtbot, required=True).findChildren(StateMark) == []
    assert len(of({"type": ["string", "null"]}, qtbot, required=True).findChildren(StateMark)) == 1


def test_title_and_name_are_both_shown(qtbot: QtBot) -> None:
    form = of({"type": "string", "title": "What to look for", "description": "A word"}, qtbot)
    label = form.findChildren(FieldLabel)[0]
    assert label.height() > 28
    assert label.toolTip() == "x\nWhat to look for\nA word"
    label.grab()
    assert form.findChildren(FieldNote)[0].text == "A word"
    assert form.findChildren(FieldNote)[0].isVisible()


@pytest.mark.parametrize(
    ("name", "title", "expected"),
    [
        ("max_results", "Max Results", ""),
        ("maxResults", "Max results", ""),
        ("context", "search.Context", ""),
        ("limit", "How many", "How many"),
        ("x", "", ""),
    ],
)
def test_a_title_that_repeats_the_name_is_left_out(name: str, title: str, expected: str) -> None:
    schema = {"properties": {name: {"type": "string", "title": title}}}
    assert shown_title(Document(schema).field((name,))) == expected


def test_what_the_tool_sets_is_read_and_not_written(qtbot: QtBot) -> None:
    form = of({"type": "string", "readOnly": True}, qtbot, value={"x": "42"})
    line = named(form, "argument x", QLineEdit)
    qtbot.keyClicks(line, "7")
    qtbot.keyClick(line, Qt.Key.Key_Backspace, BOTH)

    assert form.value() == {"x": "42"}
    assert line.isReadOnly()
    assert line.accessibleDescription() == "set by the tool"
    assert form.findChildren(FieldNote)[0].text == "Set by the tool"


def test_a_deprecated_field_says_so(qtbot: QtBot) -> None:
    form = of({"type": "integer", "deprecated": True, "description": "Use y"}, qtbot)
    assert form.findChildren(FieldNote)[0].text == "Deprecated. Use y"
    assert named(form, "argument x", QWidget).accessibleDescription() == "deprecated. not set. Use y"
    form.findChildren(FieldLabel)[0].grab()


def test_the_length_of_a_text_is_counted_while_it_is_typed(qtbot: QtBot) -> None:
    form = of({"type": "string", "minLength": 3, "maxLength": 5}, qtbot)
    editor = editor_of(form, "x")
    type_into(qtbot, named(form, "argument x", QLineEdit), "ab")
    assert editor.hint == "2 of at least 3 characters"
    assert message_of(form, "x") == "x must have 3 to 5 characters; it has 2"
    type_into(qtbot, named(form, "argument x", QLineEdit), "c")
    assert editor.hint == "3 of 5 characters"
    form.findChildren(FieldNote)[0].grab()

    lines = of({"type": "string", "format": "multiline", "minLength": 8}, qtbot)
    type_into(qtbot, named(lines, "argument x", QPlainTextEdit), "ab")
    editor = editor_of(lines, "x")
    assert editor.hint == "2 of at least 8 characters"


def test_steps_stay_inside_bounds_that_are_left_out_themselves(qtbot: QtBot) -> None:
    form = of({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10.5, "multipleOf": 5}, qtbot)
    spin = named(form, "argument x", QAbstractSpinBox)
    spin.setFocus()
    assert [label.text for label in form.findChildren(ElidedLabel) if "steps" in label.text] == [
        "more than 0, less than 10.5, steps of 5"
    ]
    reached = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(spin, key)
        reached.append(form.value()["x"])

    assert reached == [5, 10, 10, 10]
    form.document.set(("x",), 7)
    qtbot.keyClick(spin, Qt.Key.Key_Down)
    assert form.value() == {"x": 5}


def test_steps_of_a_fraction_are_exact(qtbot: QtBot) -> None:
    form = of({"type": "number", "multipleOf": 0.1}, qtbot, value={"x": 0.2})
    spin = named(form, "argument x", QAbstractSpinBox)
    qtbot.keyClick(spin, Qt.Key.Key_Up)
    assert form.document.text == '{\n  "x": 0.3\n}'


def test_a_uuid_can_be_made(qtbot: QtBot) -> None:
    form = of({"type": "string", "format": "uuid"}, qtbot)
    qtbot.mouseClick(named(form, "New UUID for x", QWidget), Qt.MouseButton.LeftButton)
    assert UUID(form.value()["x"]).version == 4
    assert form.errors() == []


@pytest.mark.parametrize(
    ("form", "wrong", "right"),
    [
        ("email", "mira", "mira@example.org"),
        ("uri", "example", "https://example.org"),
        ("uuid", "1", "123e4567-e89b-12d3-a456-426614174000"),
        ("ipv4", "1.2.3", "192.0.2.1"),
        ("ipv6", "1::2::3", "2001:db8::1"),
        ("regex", "(", "a+"),
        ("date", "31.3.2026", "2026-03-31"),
        ("time", "9", "09:30:00Z"),
        ("date-time", "2026-03-31", "2026-03-31T09:30:00Z"),
        ("duration", "PX", "P2D"),
    ],
)
def test_each_format_is_checked_while_it_is_typed(qtbot: QtBot, form: str, wrong: str, right: str) -> None:
    shown_form = of({"type": "string", "format": form}, qtbot)
    line = named(shown_form, "argument x", QLineEdit)
    assert line.placeholderText()
    type_into(qtbot, line, wrong)
    assert message_of(shown_form, "x").startswith("x must be ")
    assert line.property("error") == "true"
    line.selectAll()
    qtbot.keyClicks(line, right)
    assert message_of(shown_form, "x") == ""
    assert shown_form.value() == {"x": right}


def test_a_secret_is_shown_only_while_it_is_looked_at(qtbot: QtBot) -> None:
    form = of({"type": "string", "writeOnly": True, "default": "s3cret"}, qtbot)
    line = named(form, "argument x", QLineEdit)
    assert line.echoMode() is QLineEdit.EchoMode.Password
    line.setFocus()
    qtbot.mouseClick(named(form, "Show x", QWidget), Qt.MouseButton.LeftButton)
    assert line.echoMode() is QLineEdit.EchoMode.Normal
    button = named(form, "Hide x", QWidget)
    form.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    line.setFocus()
    form.setFocus()
    qtbot.waitUntil(lambda: line.echoMode() is QLineEdit.EchoMode.Password)
    assert button.accessibleName() == "Show x"
    editor = editor_of(form, "x")
    assert "s3cret" not in "".join(action.text() for action in editor.state_actions())
    form.document.unset(("x",))
    assert "s3cret" not in line.placeholderText()


def test_a_duration_is_typed_as_people_write_it(qtbot: QtBot) -> None:
    form = of({"type": "string", "format": "duration"}, qtbot)
    editor = editor_of(form, "x")
    line = named(form, "argument x", QLineEdit)
    type_into(qtbot, line, "1h 30 min")
    assert editor.hint == "becomes PT1H30M when the field is left"
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert form.value() == {"x": "PT1H30M"}
    assert editor.hint == "1 hour 30 minutes"
    assert form.errors() == []


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("90 min", "PT90M"),
        ("2 days", "P2D"),
        ("1:30", "PT1H30M"),
        ("0:00:07.5", "PT0H0M7.5S"),
        ("3 weeks", "P3W"),
        ("0.5 s", "PT0.5S"),
        ("1y 2mo 3d 4h 5m 6,5s", "P1Y2M3DT4H5M6.5S"),
        ("30m, 1h", "PT1H30M"),
        ("1 week 2 days", None),
        ("1.5 h", None),
        ("1h 2h", None),
        ("3 apples", None),
        ("PT1H", None),
        ("", None),
        ("7", None),
    ],
)
def test_durations_are_put_into_iso_form(text: str, iso: str | None) -> None:
    assert iso_duration(text) == iso
    assert iso is None or duration_words(iso)


def test_durations_are_read_aloud() -> None:
    assert [duration_words(text) for text in ("P1DT1H", "PT0.5S", "P2W", "P", "x")] == [
        "1 day 1 hour",
        "0.5 seconds",
        "2 weeks",
        "",
        "",
    ]


FILE = {"type": "string", "contentEncoding": "base64"}


def test_a_file_is_chosen_and_saved_again(qtbot: QtBot, tmp_path: Path) -> None:
    source, target = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_bytes(b"hello\n")
    form = of(FILE, qtbot)
    qtbot.mouseClick(named(form, "Choose a file for x", QWidget), Qt.MouseButton.LeftButton)
    dialog = form.window().findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(source))
    dialog.close()
    assert base64.b64decode(form.value()["x"]) == b"hello\n"
    assert named(form, "argument x", QLineEdit).text().startswith("a.txt, ")

    qtbot.mouseClick(named(form, "Save the content of x", QWidget), Qt.MouseButton.LeftButton)
    saving = next(found for found in form.window().findChildren(QFileDialog) if found.isVisible())
    saving.fileSelected.emit(str(target))
    saving.close()
    assert target.read_bytes() == b"hello\n"


def test_a_file_is_dropped_and_pasted(qtbot: QtBot, tmp_path: Path) -> None:
    source = tmp_path / "a.bin"
    source.write_bytes(bytes(range(256)))
    form = of({**FILE, "contentEncoding": "base64url"}, qtbot)
    editor, line = form.editor(("x",)), named(form, "argument x", QLineEdit)
    assert editor is not None
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(source))])
    position, copy = QPointF(5, 5), Qt.DropAction.CopyAction
    event = QDropEvent(position, copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    editor.dropEvent(event)
    assert base64.urlsafe_b64decode(form.value()["x"]) == bytes(range(256))

    qtbot.keyClick(line, Qt.Key.Key_Delete)
    assert form.value() == {}
    QGuiApplication.clipboard().setText("aGk")
    qtbot.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert form.value() == {"x": "aGk"}
    assert line.text().endswith(", 2 B")


def test_a_file_that_is_too_large_or_gone_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(10 * 1024 * 1024 + 1)
    form = of(FILE, qtbot)
    editor: Any = form.editor(("x",))
    editor.take_file(large)
    assert message_of(form, "x").startswith("x takes at most 10 MB; large.bin has ")
    assert named(form, "argument x", QLineEdit).text() == "large.bin"
    editor.take_file(tmp_path / "gone")
    assert message_of(form, "x") == "x: gone cannot be read: No such file or directory"
    assert form.value() == {}


def test_content_that_is_no_base64_is_said(qtbot: QtBot) -> None:
    form = of(FILE, qtbot, value={"x": "!"})
    assert named(form, "argument x", QLineEdit).text() == "no base64"
    assert not named(form, "Save the content of x", QWidget).isEnabled()


MANY = {"enum": [f"city {number}" for number in range(30)]}


def test_one_of_many_is_found_by_typing(qtbot: QtBot) -> None:
    form = of(MANY, qtbot)
    combo = named(form, "argument x", QComboBox)
    line = combo.lineEdit()
    assert line is not None
    type_into(qtbot, line, "29")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert form.value() == {"x": "city 29"}
    assert line.text() == "city 29"

    line.selectAll()
    qtbot.keyClicks(line, "nowhere")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert form.value() == {"x": "city 29"}
    assert line.text() == "city 29"
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert form.value() == {}
    assert line.placeholderText() == "not set"


def test_ten_choices_need_no_search(qtbot: QtBot) -> None:
    assert not named(of({"enum": list(range(10))}, qtbot), "argument x", QComboBox).isEditable()
    assert named(of({"enum": list(range(11))}, qtbot), "argument x", QComboBox).isEditable()


def test_several_of_many_are_searched_and_ticked(qtbot: QtBot) -> None:
    form = of({"type": "array", "items": MANY, "uniqueItems": True}, qtbot, value={"x": ["elsewhere", "city 1"]})
    search, items = named(form, "Search argument x", QLineEdit), named(form, "argument x", QListView)
    editor = editor_of(form, "x")
    type_into(qtbot, search, "city 2")
    assert sum(not items.isRowHidden(row) for row in range(30)) == 11
    qtbot.keyClick(search, Qt.Key.Key_Down)
    assert items.hasFocus()
    qtbot.keyClick(items, Qt.Key.Key_Space)
    assert form.value() == {"x": ["elsewhere", "city 1", "city 2"]}
    qtbot.keyClick(items, Qt.Key.Key_Down)
    qtbot.keyClick(items, Qt.Key.Key_Return)
    assert form.value()["x"][-1] == "city 20"
    assert editor.hint == "4 of 30 chosen"
    qtbot.keyClick(items, Qt.Key.Key_Return)
    assert form.value() == {"x": ["elsewhere", "city 1", "city 2"]}
    assert form.document.get(("y",)) is ABSENT


@pytest.mark.parametrize(
    ("schema", "length", "expected"),
    [
        ({"maxLength": 10_000}, 10, ""),
        ({"maxLength": 10_000}, 9000, "9,000 of 10,000 characters"),
        ({"maxLength": 200}, 1, "1 of 200 characters"),
        ({"minLength": 8}, 3, "3 of at least 8 characters"),
        ({"minLength": 8}, 8, ""),
        ({"minLength": 8, "maxLength": 20}, 0, ""),
        ({}, 5, ""),
    ],
)
def test_a_length_is_said_while_it_matters(schema: dict[str, Any], length: int, expected: str) -> None:
    assert length_words(schema, "x" * length) == expected


def test_tab_goes_through_the_fields_as_they_are_read_and_each_has_a_name(qtbot: QtBot) -> None:
    form = shown(qtbot, {"type": "object", "properties": KINDS})
    first = editor_of(form, "line")
    first.target.setFocus()
    visited: list[str] = []
    for _ in range(60):
        widget = QApplication.focusWidget()
        assert widget is not None
        name = _name_of(widget)
        assert name, f"{type(widget).__name__} has no accessible name"
        around: QWidget | None = widget
        while around is not None and not isinstance(around, FieldEditor):
            around = around.parentWidget()
        if around is None or (visited and around is first):
            break
        if not visited or visited[-1] != around.field.name:
            visited.append(around.field.name)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)

    assert visited == list(KINDS)


def _name_of(widget: QWidget) -> str:
    """Return what assistive programs say; the line in a combo box has the name of the box."""
    parent = widget.parentWidget()
    return widget.accessibleName() or (parent.accessibleName() if parent is not None else "")
