"""The form, driven by click and key through accessible names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QDate, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QWheelEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCalendarWidget,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.schema_form import ArgumentsEditor, Document, FieldEditor, LegendButton, SchemaForm
from console.schema_form.rows import RowMaker
from console.widgets import Switch

_Widget = TypeVar("_Widget", bound=QWidget)

CONTEXT = {
    "type": "object",
    "properties": {
        "before": {"type": "integer", "minimum": 0, "default": 2, "x-unit": "lines"},
        "after": {"type": "integer", "minimum": 0, "default": 4, "x-unit": "lines"},
        "merge_overlaps": {"type": "boolean", "default": True},
    },
}
SEARCH: dict[str, Any] = {
    "type": "object",
    "required": ["pattern", "path"],
    "properties": {
        "pattern": {"type": "string", "description": "What to look for", "minLength": 1},
        "path": {"type": "string", "format": "path"},
        "match": {
            "oneOf": [{"const": "regex", "title": "Regular expression"}, {"const": "word", "title": "Whole word"}],
            "default": "regex",
        },
        "max_results": {"type": "integer", "minimum": 1, "maximum": 5000, "default": 200},
        "include": {"type": "array", "items": {"type": "string", "title": "Pattern"}, "default": ["*.py"]},
        "case_sensitive": {"type": "boolean", "default": False, "description": "Match upper and lower case exactly"},
        "context": {"anyOf": [CONTEXT, {"type": "null"}], "default": None},
    },
}


def named(parent: QWidget, name: str, kind: type[_Widget]) -> _Widget:
    found = [widget for widget in parent.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, f"{len(found)} widgets are called {name!r}"
    return found[0]


@pytest.fixture
def form(qtbot: QtBot) -> SchemaForm:
    return shown(qtbot, SEARCH)


def shown(qtbot: QtBot, schema: dict[str, Any], width: int = 1072, **more: Any) -> SchemaForm:
    form = SchemaForm(base=more.pop("base", None))
    qtbot.addWidget(form)
    form.set_schema(schema, **more)
    form.resize(width, form.heightForWidth(width))
    with qtbot.waitActive(form):
        form.show()
        form.activateWindow()
    return form


def of(schema: Any, qtbot: QtBot, *, required: bool = False, **more: Any) -> SchemaForm:
    return shown(qtbot, {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}, **more)


def type_into(qtbot: QtBot, widget: QWidget, text: str) -> None:
    widget.setFocus()
    qtbot.keyClicks(widget, text)


def parent_name(widget: QWidget) -> str:
    parent = widget.parentWidget()
    return "" if parent is None else parent.accessibleName()


def editor_of(form: SchemaForm, *path: str | int) -> FieldEditor:
    editor = form.editor(path)
    assert editor is not None
    return editor


def message_of(form: SchemaForm, *path: str | int) -> str:
    return editor_of(form, *path).problem


def test_typing_fills_the_document(form: SchemaForm, qtbot: QtBot) -> None:
    type_into(qtbot, named(form, "argument pattern", QLineEdit), "NOTE")
    type_into(qtbot, named(form, "argument path", QLineEdit), "src")

    assert form.value() == {
        "pattern": "NOTE",
        "path": "src",
        "match": "regex",
        "max_results": 200,
        "include": ["*.py"],
        "case_sensitive": False,
    }
    assert form.errors() == []


def test_required_is_said_to_assistive_programs(form: SchemaForm) -> None:
    assert named(form, "argument pattern", QLineEdit).accessibleDescription() == "required. What to look for"
    assert named(form, "argument match", QComboBox).accessibleDescription() == ""


def test_the_count_of_valid_arguments_follows(form: SchemaForm, qtbot: QtBot) -> None:
    told: list[tuple[bool, int, int]] = []

    def hear(valid: bool, fitting: int, total: int) -> None:
        told.append((valid, fitting, total))

    form.validity_changed.connect(hear)
    type_into(qtbot, named(form, "argument pattern", QLineEdit), "ab")
    type_into(qtbot, named(form, "argument path", QLineEdit), ".")

    assert told == [(False, 6, 7), (True, 7, 7)]


def test_what_is_missing_is_said_only_once_it_was_touched(form: SchemaForm, qtbot: QtBot) -> None:
    assert message_of(form, "pattern") == ""

    line = named(form, "argument pattern", QLineEdit)
    type_into(qtbot, line, "a")
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    assert message_of(form, "pattern") == "pattern is required"
    assert line.property("error") == "true"
    assert "pattern is required" in line.accessibleDescription()
    assert message_of(form, "path") == ""

    form.reveal_missing()
    assert message_of(form, "path") == "path is required"


def test_a_number_out_of_range_is_marked_and_said(form: SchemaForm, qtbot: QtBot) -> None:
    spin = named(form, "argument max_results", QAbstractSpinBox)
    spin.selectAll()
    type_into(qtbot, spin, "9000")

    assert form.value()["max_results"] == 9000
    assert message_of(form, "max_results") == "max_results must be from 1 to 5000; it is 9000"
    assert spin.property("error") == "true"


def test_a_number_that_is_none_stays_as_typed(form: SchemaForm, qtbot: QtBot) -> None:
    spin = named(form, "argument max_results", QAbstractSpinBox)
    qtbot.keyClicks(spin, "x")

    assert spin.text().endswith("x")
    assert form.value()["max_results"] == 200
    assert "must be a whole number" in message_of(form, "max_results")
    assert not form.document.validity().valid


def test_arrow_keys_step_within_the_bounds(form: SchemaForm, qtbot: QtBot) -> None:
    spin = named(form, "argument max_results", QAbstractSpinBox)
    form.document.set(("max_results",), 4999)
    qtbot.keyClick(spin, Qt.Key.Key_Up)
    qtbot.keyClick(spin, Qt.Key.Key_Up)
    assert form.value()["max_results"] == 5000
    qtbot.keyClick(spin, Qt.Key.Key_Down)
    assert form.value()["max_results"] == 4999


def test_numbers_of_any_length_are_exact(qtbot: QtBot) -> None:
    form = of({"type": "integer"}, qtbot)
    spin = named(form, "argument x", QAbstractSpinBox)
    type_into(qtbot, spin, "123456789012345678901234567890")
    qtbot.keyClick(spin, Qt.Key.Key_Up)

    assert form.value() == {"x": 123456789012345678901234567891}


def test_decimals_keep_how_they_were_typed(qtbot: QtBot) -> None:
    form = of({"type": "number"}, qtbot)
    spin = named(form, "argument x", QAbstractSpinBox)
    type_into(qtbot, spin, "1.50")

    assert form.value() == {"x": 1.5}
    assert spin.text() == "1.50"


def test_a_cleared_optional_field_is_left_out(form: SchemaForm, qtbot: QtBot) -> None:
    spin = named(form, "argument max_results", QAbstractSpinBox)
    spin.selectAll()
    qtbot.keyClick(spin, Qt.Key.Key_Delete)

    assert "max_results" not in form.value()
    assert message_of(form, "max_results") == ""


def test_a_choice_is_made_by_key(form: SchemaForm, qtbot: QtBot) -> None:
    combo = named(form, "argument match", QComboBox)
    assert combo.currentText() == "Regular expression"
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert form.value()["match"] == "word"
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    assert "match" not in form.value()


def test_a_value_that_is_no_choice_is_shown_and_kept(form: SchemaForm) -> None:
    form.set_value({"match": "other"})
    combo = named(form, "argument match", QComboBox)

    assert combo.currentIndex() == -1
    assert combo.placeholderText() == '"other"'
    assert form.value()["match"] == "other"
    assert message_of(form, "match") == 'match must be "regex" or "word"; it is "other"'


def test_a_click_ticks_and_words_count_as_the_box(form: SchemaForm, qtbot: QtBot) -> None:
    box = named(form, "argument case_sensitive", QCheckBox)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    assert form.value()["case_sensitive"] is True
    words = next(label for label in form.findChildren(QWidget) if getattr(label, "_box", None) is box)
    qtbot.mouseClick(words, Qt.MouseButton.LeftButton)
    assert form.value()["case_sensitive"] is False


def test_an_unset_box_is_neither_and_delete_takes_it_back(qtbot: QtBot) -> None:
    form = of({"type": "boolean"}, qtbot)
    box = named(form, "argument x", QCheckBox)
    assert box.checkState() is Qt.CheckState.PartiallyChecked

    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert form.value() == {"x": True}
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert form.value() == {"x": False}
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    assert form.value() == {}
    assert box.checkState() is Qt.CheckState.PartiallyChecked


def test_enter_and_comma_add_chips_and_backspace_takes_them(form: SchemaForm, qtbot: QtBot) -> None:
    line = named(form, "argument include", QLineEdit)
    assert line.placeholderText() == "Add a pattern"
    type_into(qtbot, line, "*.md,docs")
    assert form.value()["include"] == ["*.py", "*.md", "docs"]
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert line.text() == ""
    assert form.value()["include"] == ["*.py", "*.md", "docs"]

    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    assert len(form.value()["include"]) == 3
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    assert form.value()["include"] == ["*.py", "*.md"]


def test_the_cross_takes_a_chip_away(form: SchemaForm, qtbot: QtBot) -> None:
    form.set_value({"include": ["a", "b", "c"]})
    chip = named(form, "b", QWidget)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(chip.width() - 8, 10))

    assert form.value()["include"] == ["a", "c"]


def test_what_is_typed_and_not_added_counts_already(form: SchemaForm, qtbot: QtBot) -> None:
    line = named(form, "argument include", QLineEdit)
    type_into(qtbot, line, "*.rs")
    assert form.value()["include"] == ["*.py", "*.rs"]

    line.clearFocus()
    assert line.text() == ""
    assert form.value()["include"] == ["*.py", "*.rs"]
    assert named(form, "*.rs", QWidget).isVisibleTo(form)


def test_pasted_lines_become_chips(form: SchemaForm, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("a\nb\r\n\n c ")
    line = named(form, "argument include", QLineEdit)
    qtbot.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert form.value()["include"] == ["*.py", "a", "b", "c"]


def test_lists_of_numbers_take_numbers_only(qtbot: QtBot) -> None:
    form = of({"type": "array", "items": {"type": "integer", "maximum": 9}}, qtbot)
    line = named(form, "argument x", QLineEdit)
    type_into(qtbot, line, "4,")
    assert form.value() == {"x": [4]}
    type_into(qtbot, line, "a")
    assert message_of(form, "x") == 'item must be a whole number; it is "a"'
    assert form.value() == {"x": [4]}
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    type_into(qtbot, line, "12")
    assert message_of(form, "x") == "x[1] must be at most 9; it is 12"


@pytest.mark.parametrize(
    ("name", "words"),
    [("paths", "Add a path"), ("to_zones", "Add a zone"), ("entries", "Add an entry"), ("include", "Add an item")],
)
def test_lists_invite_by_what_they_hold(qtbot: QtBot, name: str, words: str) -> None:
    form = shown(qtbot, {"properties": {name: {"type": "array", "items": {"type": "string"}}}})

    assert named(form, f"argument {name}", QLineEdit).placeholderText() == words


def test_an_optional_object_is_switched_on_and_off(form: SchemaForm, qtbot: QtBot) -> None:
    switch = named(form, "argument context", Switch)
    before = named(form, "argument context.before", QAbstractSpinBox)
    assert not before.isEnabled()

    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert form.value()["context"] == {"before": 2, "after": 4, "merge_overlaps": True}
    before.selectAll()
    type_into(qtbot, before, "7")
    assert form.value()["context"]["before"] == 7

    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert "context" not in form.value()
    assert not before.isEnabled()
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert form.value()["context"]["before"] == 7


def test_the_head_of_an_object_folds_it(form: SchemaForm, qtbot: QtBot) -> None:
    head = named(form, "Fields of context", QWidget)
    before = named(form, "argument context.before", QAbstractSpinBox)
    qtbot.mouseClick(head, Qt.MouseButton.LeftButton)
    assert not before.isVisibleTo(form)
    qtbot.keyClick(head, Qt.Key.Key_Right)
    assert before.isVisibleTo(form)


def test_nested_objects_have_fields_of_their_own(qtbot: QtBot) -> None:
    parts = {"name": {"type": "string"}, "age": {"type": "integer"}}
    inner = {"type": "object", "required": ["name"], "properties": parts}
    form = of({"type": "object", "required": ["owner"], "properties": {"owner": inner}}, qtbot, required=True)
    assert form.value() == {"x": {"owner": {}}}

    type_into(qtbot, named(form, "argument x.owner.name", QLineEdit), "Mira")
    assert form.value() == {"x": {"owner": {"name": "Mira"}}}
    assert form.errors() == []
    form.document.unset(("x", "owner", "name"))
    editor = editor_of(form, "x", "owner", "name")
    assert editor.problem == "x.owner.name is required"
    assert message_of(form, "x") == ""


def test_errors_inside_an_inline_object_are_said_below_it(form: SchemaForm) -> None:
    form.set_value({"context": {"before": -1}})

    assert message_of(form, "context") == "context.before must be at least 0; it is -1"
    assert named(form, "argument context.before", QAbstractSpinBox).property("error") == "true"


def test_several_of_some_are_ticked(qtbot: QtBot) -> None:
    form = of({"type": "array", "items": {"enum": ["red", "green", 3]}}, qtbot, value={"x": ["blue", "green"]})
    qtbot.mouseClick(named(form, "argument x: red", QCheckBox), Qt.MouseButton.LeftButton, pos=QPoint(6, 14))
    assert form.value() == {"x": ["blue", "green", "red"]}
    qtbot.mouseClick(named(form, "argument x: green", QCheckBox), Qt.MouseButton.LeftButton, pos=QPoint(6, 14))
    assert form.value() == {"x": ["blue", "red"]}


def test_many_lines_take_return_and_pass_control_return_on(qtbot: QtBot) -> None:
    form = shown(qtbot, {"properties": {"content": {"type": "string"}}})
    area = named(form, "argument content", QPlainTextEdit)
    type_into(qtbot, area, "a")
    qtbot.keyClick(area, Qt.Key.Key_Return)
    qtbot.keyClicks(area, "b")
    assert form.value() == {"content": "a\nb"}

    with qtbot.waitSignal(form.submit_requested):
        qtbot.keyClick(area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert form.value() == {"content": "a\nb"}


def test_lines_pasted_into_one_line_give_it_more_lines(qtbot: QtBot) -> None:
    form = of({"type": "string"}, qtbot)
    line = named(form, "argument x", QLineEdit)
    line.setFocus()
    QGuiApplication.clipboard().setText("first\nsecond")
    qtbot.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert form.value() == {"x": "first\nsecond"}

    area = named(form, "argument x", QPlainTextEdit)
    assert area.toPlainText() == "first\nsecond"
    assert area.hasFocus()


def test_dates_are_checked_and_picked(qtbot: QtBot) -> None:
    form = of({"type": "string", "format": "date-time"}, qtbot)
    line = named(form, "argument x", QLineEdit)
    type_into(qtbot, line, "soon")
    assert message_of(form, "x") == 'x must be a date and time such as 2026-03-31T09:30:00; it is "soon"'

    line.clear()
    type_into(qtbot, line, "2026-03-31T10:15:00")
    qtbot.mouseClick(named(form, "Pick x", QWidget), Qt.MouseButton.LeftButton)
    calendar = next(found for found in form.findChildren(QCalendarWidget) if found.accessibleName() == "Calendar for x")
    assert calendar.selectedDate() == QDate(2026, 3, 31)
    calendar.clicked.emit(QDate(2026, 4, 1))
    assert form.value() == {"x": f"{date(2026, 4, 1).isoformat()}T10:15:00"}


def test_paths_are_completed_from_the_base_folder(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "alpha").mkdir()
    (tmp_path / "beta.txt").write_text("b", encoding="utf-8")
    form = of({"type": "string", "format": "path"}, qtbot, base=tmp_path)
    line = named(form, "argument x", QLineEdit)
    assert line.completer() is None
    type_into(qtbot, line, "al")
    completer = line.completer()
    assert [Path(part).name for part in completer.splitPath("al")][-1] == "al"
    completer.setCompletionPrefix("al")
    qtbot.waitUntil(lambda: completer.completionCount() == 1)
    assert completer.currentCompletion() == "alpha"


@pytest.mark.parametrize("path", ["~nobody-has-this-name/x", "wide " * 2_000, "a\0b/c"])
def test_a_path_that_cannot_exist_is_typed_completed_and_chosen_anew(qtbot: QtBot, tmp_path: Path, path: str) -> None:
    form = of({"type": "string", "format": "path"}, qtbot, base=tmp_path)
    line = named(form, "argument x", QLineEdit)
    type_into(qtbot, line, "a")
    line.setText(path)
    assert line.completer().splitPath(path)
    button = named(form, "Choose x", QToolButton)
    for action in button.menu().actions():
        action.trigger()
        (dialog,) = (one for one in form.window().findChildren(QFileDialog) if one.isVisible())
        dialog.reject()
        qtbot.waitUntil(lambda: not form.window().findChildren(QFileDialog))


def test_ctrl_enter_closes_the_proposals_takes_none_and_runs(qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("alpha", "alphabet"):
        (tmp_path / name).mkdir()
    form = of({"type": "string", "format": "path"}, qtbot, base=tmp_path)
    line = named(form, "argument x", QLineEdit)
    runs = QSignalSpy(form.submit_requested)
    type_into(qtbot, line, "al")
    completer = line.completer()
    popup = completer.popup()
    assert popup is not None
    line.setFocus()
    completer.setCompletionPrefix("al")
    qtbot.waitUntil(lambda: completer.completionCount() == 2)
    completer.complete()
    assert popup.isVisible()
    # A list takes all keys while it is there.
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not popup.isVisible()
    assert runs.count() == 1
    # A folder that is read only now must not be listed over the run.
    assert line.completer() is None
    assert line.text() in {"al", "alpha", "alphabet"}
    assert line.hasFocus()


def test_ctrl_enter_over_the_proposals_of_a_choice_runs_too(qtbot: QtBot) -> None:
    names = [f"Europe/City {number}" for number in range(60)]
    form = of({"type": "string", "enum": names}, qtbot)
    runs = QSignalSpy(form.submit_requested)
    combo = named(form, "argument x", QComboBox)
    search, completer = combo.lineEdit(), combo.completer()
    assert search is not None
    assert completer is not None
    search.setFocus()
    qtbot.keyClicks(search, "City 1")
    popup = completer.popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not popup.isVisible()
    assert runs.count() == 1


def test_the_folder_button_asks_with_the_systems_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    form = of({"type": "string", "format": "directory-path"}, qtbot, base=tmp_path)
    qtbot.mouseClick(named(form, "Choose x", QWidget), Qt.MouseButton.LeftButton)
    dialog = next(found for found in form.window().findChildren(QFileDialog))
    dialog.fileSelected.emit(str(tmp_path / "sub"))
    dialog.reject()

    assert form.value() == {"x": "sub"}


def test_anything_else_is_json_in_its_place(qtbot: QtBot) -> None:
    form = of({}, qtbot)
    edit = named(form, "argument x", QPlainTextEdit)
    type_into(qtbot, edit, '{"a": 1}')
    assert form.value() == {"x": {"a": 1}}
    assert form.errors() == []

    type_into(qtbot, edit, "]")
    assert form.value() == {"x": {"a": 1}}
    assert message_of(form, "x").startswith("x must be JSON; line 1, column 9")
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    assert form.value() == {}
    assert form.errors() == []


def test_the_menu_offers_null_empty_default_and_leaving_out(qtbot: QtBot) -> None:
    form = of({"type": ["string", "null"], "default": "d"}, qtbot)
    editor = editor_of(form, "x")
    line = named(form, "argument x", QLineEdit)

    def choose(text: str) -> None:
        action = next(action for action in editor.state_actions() if action.text() == text)
        action.trigger()

    assert [action.text() for action in editor.state_actions()] == [
        'Restore default: "d"',
        "Set to empty text",
        "Set to null",
        "Leave out",
    ]
    choose("Set to null")
    assert form.value() == {"x": None}
    assert line.placeholderText() == "null"
    choose("Set to empty text")
    assert form.value() == {"x": ""}
    assert line.placeholderText() == "empty text"
    choose("Leave out")
    assert form.value() == {}
    assert line.placeholderText() == 'default "d"'
    choose('Restore default: "d"')
    assert form.value() == {"x": "d"}


@pytest.fixture
def no_popups() -> Iterator[None]:
    yield
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()


def test_the_context_menu_opens(form: SchemaForm, qtbot: QtBot, no_popups: None) -> None:
    line = named(form, "argument pattern", QLineEdit)
    QApplication.sendEvent(line, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(3, 3), QPoint(3, 3)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Set to empty text" in [action.text() for action in menu.actions()]


def test_scrolling_over_fields_changes_nothing(form: SchemaForm) -> None:
    before = form.value()
    for name, kind in (("argument max_results", QAbstractSpinBox), ("argument match", QComboBox)):
        widget = named(form, name, kind)
        widget.clearFocus()
        wheel = QWheelEvent(
            QPointF(5, 5),
            QPointF(5, 5),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, wheel)
    assert form.value() == before


def test_tab_goes_in_reading_order(form: SchemaForm, qtbot: QtBot) -> None:
    named(form, "argument pattern", QLineEdit).setFocus()
    order = []
    for _ in range(8):
        focused = QApplication.focusWidget()
        assert focused is not None
        order.append(focused.accessibleName() or parent_name(focused))
        qtbot.keyClick(focused, Qt.Key.Key_Tab)

    assert order == [
        "argument pattern",
        "argument path",
        "Choose path",
        "argument match",
        "argument max_results",
        "argument include",
        "argument case_sensitive",
        "Fields of context",
    ]


def test_two_columns_become_one_where_there_is_little_room(form: SchemaForm) -> None:
    def left_and_top(name: str, kind: type[QWidget]) -> QPoint:
        return named(form, name, kind).mapTo(form, QPoint(0, 0))

    pattern, path = left_and_top("argument pattern", QLineEdit), left_and_top("argument path", QLineEdit)
    assert (pattern.x(), path.x(), path.y() - pattern.y()) == (124, 676, 0)
    assert left_and_top("argument match", QComboBox).x() == 124

    form.resize(600, form.heightForWidth(600))
    path = left_and_top("argument path", QLineEdit)
    assert path.x() == 124
    assert path.y() > left_and_top("argument pattern", QLineEdit).y()
    assert form.heightForWidth(600) > form.heightForWidth(1072)


def test_the_focus_goes_to_a_field_by_its_path(form: SchemaForm) -> None:
    assert form.focus_field(("context", "after"))
    form.document.set(("context",), {"before": 1})
    assert form.focus_field(("context", "after"))
    assert named(form, "argument context.after", QAbstractSpinBox).hasFocus()
    assert form.focus_field(("include", 0))
    assert named(form, "argument include", QLineEdit).hasFocus()
    assert not form.focus_field(("nobody",))


def test_examples_show_in_empty_fields(qtbot: QtBot) -> None:
    form = of({"type": "string"}, qtbot, examples=[{"x": "NOTE|FIX"}])

    assert named(form, "argument x", QLineEdit).placeholderText() == "NOTE|FIX"


def test_another_schema_takes_the_place_of_the_first(form: SchemaForm, qtbot: QtBot) -> None:
    form.set_schema({"properties": {"n": {"type": "integer"}}})

    assert form.value() == {}
    assert [field.name for field in form.fields()] == ["n"]
    type_into(qtbot, named(form, "argument n", QAbstractSpinBox), "5")
    assert form.value() == {"n": 5}


def test_a_required_choice_may_be_null(qtbot: QtBot) -> None:
    form = of({"enum": ["a", None]}, qtbot, required=True)
    combo = named(form, "argument x", QComboBox)
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_End)

    assert form.value() == {"x": None}
    assert form.errors() == []


def many(count: int) -> dict[str, Any]:
    return {"properties": {f"field_{number}": {"type": "string"} for number in range(count)}}


def test_of_many_fields_only_those_in_view_are_made(qtbot: QtBot) -> None:
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(many(1250))

    assert len(form.fields()) == 1250
    assert len(form.findChildren(QLineEdit)) < 50


def test_a_field_out_of_view_is_made_when_it_is_asked_for(qtbot: QtBot) -> None:
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(many(1250))

    assert form.focus_field(("field_1200",))
    type_into(qtbot, named(form, "argument field_1200", QLineEdit), "far")
    assert form.value() == {"field_1200": "far"}


def test_fields_are_made_when_they_are_scrolled_to(qtbot: QtBot) -> None:
    editor = ArgumentsEditor()
    qtbot.addWidget(editor)
    editor.resize(900, 300)
    editor.set_schema(many(1250))
    with qtbot.waitExposed(editor):
        editor.show()
    bar = editor.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(bar.maximum())

    qtbot.waitUntil(
        lambda: any(line.accessibleName() == "argument field_1249" for line in editor.findChildren(QLineEdit))
    )
    assert len(editor.findChildren(QLineEdit)) < 150


def test_the_first_screen_is_made_a_few_rows_at_a_time(qtbot: QtBot) -> None:
    editor = ArgumentsEditor(in_slices=True)
    qtbot.addWidget(editor)
    editor.resize(900, 300)
    editor.set_schema(many(60))
    assert 0 < len(editor.findChildren(QLineEdit)) < 10

    with qtbot.waitExposed(editor):
        editor.show()
    qtbot.waitUntil(lambda: len(editor.findChildren(QLineEdit)) >= 16)
    assert len(editor.findChildren(QLineEdit)) < 60


@pytest.mark.parametrize("count", [9, 60])
def test_tab_makes_the_next_rows_before_anybody_sees_them(qtbot: QtBot, count: int) -> None:
    form = SchemaForm(in_slices=True)
    qtbot.addWidget(form)
    form.resize(900, 300)
    form.set_schema(many(count))
    with qtbot.waitActive(form):
        form.show()
        form.activateWindow()
    form.focus_field(("field_0",))
    for number in range(count - 1):
        focused = QApplication.focusWidget()
        assert focused is not None
        assert focused.accessibleName() == f"argument field_{number}"
        qtbot.keyClick(focused, Qt.Key.Key_Tab)


def above_a_field(qtbot: QtBot, schema: dict[str, Any], *, in_slices: bool = False) -> QWidget:
    """Return a page with a form and a field below it."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    form = SchemaForm(in_slices=in_slices, parent=page)
    after = QLineEdit(page)
    after.setAccessibleName("after the form")
    column.addWidget(form)
    column.addWidget(after)
    form.set_schema(schema)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    return page


def test_tab_goes_in_reading_order_through_fields_made_in_another(qtbot: QtBot) -> None:
    page = above_a_field(qtbot, many(600))
    form = page.findChildren(SchemaForm)[0]
    for number in (599, 280, 400, 240):
        assert form.editor((f"field_{number}",)) is not None

    named(form, "argument field_240", QLineEdit).setFocus()
    order = []
    for _ in range(361):
        focused = QApplication.focusWidget()
        assert focused is not None
        order.append(focused.accessibleName())
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert order == [*(f"argument field_{number}" for number in range(240, 600)), "after the form"]


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        (many(9), ["argument field_8", "argument field_7"]),
        (many(600), ["argument field_599", "argument field_598"]),
        (
            {"properties": {"first": {}, "inner": {"type": "object", **many(300)}}, "required": ["inner"]},
            ["argument inner.field_299", "argument inner.field_298"],
        ),
    ],
    ids=["few", "many", "inside another"],
)
def test_shift_tab_from_below_goes_to_the_last_field_before_anybody_saw_it(
    qtbot: QtBot, schema: dict[str, Any], names: list[str]
) -> None:
    page = above_a_field(qtbot, schema, in_slices=True)
    after = named(page, "after the form", QLineEdit)
    after.setFocus()
    qtbot.waitUntil(after.hasFocus)

    order = []
    for _ in names:
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        focused = QApplication.focusWidget()
        assert focused is not None
        order.append(focused.accessibleName())
    assert order == names
    assert len(page.findChildren(QLineEdit)) < 100


def test_fields_inside_others_are_made_a_few_at_a_time(qtbot: QtBot) -> None:
    inner = {"type": "object", **many(40)}
    editor = ArgumentsEditor(in_slices=True)
    qtbot.addWidget(editor)
    editor.resize(900, 900)
    editor.set_schema({"properties": {"one": inner, "two": inner}, "required": ["one", "two"]})
    assert 0 < len(editor.findChildren(QLineEdit)) < 10

    with qtbot.waitExposed(editor):
        editor.show()
    qtbot.waitUntil(lambda: len(editor.findChildren(QLineEdit)) >= 40)


def test_no_arguments_are_said(qtbot: QtBot) -> None:
    form = shown(qtbot, {"type": "object", "properties": {}, "additionalProperties": False})

    assert form.document.validity() == (True, 0, 0)
    assert form.fields() == ()


@pytest.mark.parametrize("name", ["pattern", "max_results", "match", "include", "case_sensitive", "path"])
def test_one_editor_alone_follows_the_document(qtbot: QtBot, name: str) -> None:
    document = Document(SEARCH)
    editor = RowMaker(words="value").editor(document.field((name,)), document)
    qtbot.addWidget(editor)
    assert isinstance(editor, FieldEditor)
    assert editor.target.accessibleName() == f"argument {name}"

    document.set((name,), ["wrong kind"] if name != "include" else 7)
    assert editor.problem.startswith(f"{name} must be")
    document.set((name,), Document(SEARCH).get((name,)) if name not in {"pattern", "path"} else "ok")
    assert editor.problem == ""


def test_the_table_of_an_approval_says_true_and_false(qtbot: QtBot) -> None:
    document = Document(SEARCH)
    editor = RowMaker(words="value").editor(document.field(("case_sensitive",)), document)
    qtbot.addWidget(editor)
    texts = {label.text() for label in editor.findChildren(QWidget) if hasattr(label, "text")}

    assert "false" in texts


def test_a_form_with_large_fields_gets_as_narrow_as_its_page(qtbot: QtBot) -> None:
    editor = ArgumentsEditor()
    qtbot.addWidget(editor)
    editor.set_schema({"type": "object", "properties": {"env": {"type": "object"}, "name": {"type": "string"}}})
    editor.resize(1000, 60)
    with qtbot.waitExposed(editor):
        editor.show()
    editor.resize(500, 60)

    viewport = editor.form.parentWidget()
    assert viewport is not None
    qtbot.waitUntil(lambda: editor.form.width() == viewport.width())


CHOICES = {
    "type": "object",
    "required": ["wanted"],
    "properties": {
        "wanted": {"enum": ["a", "b"], "examples": ["b"]},
        "free": {"enum": ["a", "b"]},
        "usual": {"enum": ["a", "b"], "default": "a"},
        "many": {"enum": [f"city {number}" for number in range(20)], "examples": ["city 7"]},
    },
}


def test_a_choice_that_nobody_made_looks_unset(qtbot: QtBot) -> None:
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(CHOICES, value={}, examples=[{"wanted": "b", "free": "a", "usual": "b", "many": "city 7"}])
    boxes = {name: named(form, f"argument {name}", QComboBox) for name in ("wanted", "free", "usual")}

    assert [(box.currentIndex(), box.placeholderText()) for box in boxes.values()] == [
        (-1, "Choose…"),
        (-1, "not set"),
        (-1, 'not set, default "a"'),
    ]
    assert all(box.property("unset") for box in boxes.values())
    form.document.set(("free",), "b")
    assert not boxes["free"].property("unset")
    form.document.unset(("free",))
    search = named(form, "argument many", QComboBox).lineEdit()
    assert search is not None
    assert (search.text(), search.placeholderText()) == ("", "not set")
    assert boxes["wanted"].toolTip() == "For example b"
    assert form.value() == {}


def test_a_field_says_whether_its_value_is_the_default(qtbot: QtBot) -> None:
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(CHOICES)
    editor = editor_of(form, "usual")
    assert editor.state == "default"
    form.document.set(("usual",), "b")
    assert editor.state == "value"
    form.document.set(("usual",), "a")
    assert editor.state == "default"


@pytest.mark.parametrize("how", ["click", "key"])
def test_the_marks_are_explained_at_the_head_of_the_form(qtbot: QtBot, how: str) -> None:
    button = LegendButton()
    qtbot.addWidget(button)
    with qtbot.waitExposed(button):
        button.show()
    button.setFocus()
    if how == "click":
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(button, Qt.Key.Key_Space)
    (legend,) = button.findChildren(QFrame, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert legend.isVisible()
    for word in ("Set:", "Default:", "Not set:", "Null:"):
        assert word in legend.accessibleDescription()

    qtbot.keyClick(legend, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not button.findChildren(QFrame, options=Qt.FindChildOption.FindDirectChildrenOnly))
