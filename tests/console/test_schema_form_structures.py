"""Fields that hold fields: tables, rows, tuples, free names and kinds to choose, driven by click and key."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.schema_form import Document, SchemaForm
from console.schema_form.table_editor import ItemsModel
from console.widgets import Switch
from tests.console.test_schema_form_widgets import editor_of, message_of

_Widget = TypeVar("_Widget", bound=QWidget)

ITEM: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "size": {"type": "integer", "minimum": 0},
        "on": {"type": "boolean", "default": True},
    },
}
TABLE: dict[str, Any] = {"type": "array", "items": ITEM, "minItems": 1, "maxItems": 4}
NODE: dict[str, Any] = {
    "$defs": {
        "node": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "child": {"$ref": "#/$defs/node"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
        }
    },
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/node"}},
}
PARTY: dict[str, Any] = {
    "oneOf": [
        {
            "title": "Person",
            "type": "object",
            "required": ["kind", "name"],
            "properties": {"kind": {"const": "person"}, "name": {"type": "string"}, "age": {"type": "integer"}},
        },
        {
            "title": "Company",
            "type": "object",
            "required": ["kind", "vat"],
            "properties": {"kind": {"const": "company"}, "name": {"type": "string"}, "vat": {"type": "string"}},
        },
    ]
}
CONDITIONAL: dict[str, Any] = {
    "type": "object",
    "properties": {"mode": {"enum": ["a", "b"]}, "note": {"type": "string"}},
    "if": {"properties": {"mode": {"const": "b"}}, "required": ["mode"]},
    "then": {"properties": {"extra": {"type": "string"}}, "required": ["extra", "note"]},
}
PAIR: dict[str, Any] = {
    "type": "array",
    "prefixItems": [{"type": "integer", "title": "width"}, {"type": "string"}],
    "items": {"type": "boolean"},
}


def named(parent: QWidget, name: str, kind: type[_Widget]) -> _Widget:
    found = [widget for widget in parent.findChildren(kind) if widget.accessibleName() == name and alive(widget)]
    assert len(found) == 1, f"{len(found)} widgets are called {name!r}"
    return found[0]


def alive(widget: QWidget) -> bool:
    """Tell whether a widget is still part of the form: what is let go is hidden first."""
    around: QWidget | None = widget
    while around is not None and not around.isWindow():
        if around.isHidden() and not isinstance(around, Switch):
            return False
        around = around.parentWidget()
    return True


def shown(qtbot: QtBot, schema: dict[str, Any], value: Any = None, *, required: bool = False) -> SchemaForm:
    whole = schema if "$defs" in schema else {"type": "object", "properties": {"x": schema}}
    if required:
        whole = {**whole, "required": ["x"]}
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(whole, value=None if value is None else {"x": value})
    form.resize(1072, form.heightForWidth(1072))
    with qtbot.waitActive(form):
        form.show()
        form.activateWindow()
    return form


def type_into(qtbot: QtBot, widget: QWidget, text: str) -> None:
    """Type behind what is there."""
    widget.setFocus()
    if isinstance(widget, QLineEdit):
        widget.end(False)
    qtbot.keyClicks(widget, text)


def click(qtbot: QtBot, form: QWidget, name: str) -> None:
    qtbot.mouseClick(named(form, name, QAbstractButton), Qt.MouseButton.LeftButton)


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def cells(table: QTableView) -> list[list[str]]:
    model = table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


class TestTable:
    def test_a_list_of_objects_is_a_table_with_the_fields_of_one_item_below(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a", "size": 3}, {"name": "b", "on": False}])
        table = named(form, "argument x", QTableView)

        assert cells(table) == [["a", "3", ""], ["b", "", "false"]]
        table.selectRow(1)
        line = named(form, "argument x[1].name", QLineEdit)
        type_into(qtbot, line, "c")
        assert form.value()["x"][1]["name"] == "bc"
        assert cells(table)[1] == ["bc", "", "false"]

    def test_an_item_is_added_with_its_defaults_and_the_focus_goes_into_it(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE)
        assert form.value() == {}
        click(qtbot, form, "Add to x")

        assert form.value() == {"x": [{"on": True}]}
        assert focused().accessibleName() == "argument x[0].name"
        qtbot.keyClicks(focused(), "first")
        assert form.value() == {"x": [{"name": "first", "on": True}]}

    def test_items_move_double_and_go_by_button(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}, {"name": "b"}, {"name": "c"}])
        table = named(form, "argument x", QTableView)
        table.selectRow(2)
        click(qtbot, form, "Move up in x")
        assert [item["name"] for item in form.value()["x"]] == ["a", "c", "b"]
        assert table.currentIndex().row() == 1
        click(qtbot, form, "Duplicate in x")
        assert [item["name"] for item in form.value()["x"]] == ["a", "c", "c", "b"]
        click(qtbot, form, "Remove in x")
        assert not named(form, "Move down in x", QAbstractButton).isEnabled()
        up = named(form, "Move up in x", QAbstractButton)
        up.setFocus()
        qtbot.keyClick(up, Qt.Key.Key_Space)
        assert up.hasFocus()
        assert [item["name"] for item in form.value()["x"]] == ["a", "b", "c"]
        click(qtbot, form, "Move down in x")
        assert [item["name"] for item in form.value()["x"]] == ["a", "c", "b"]
        assert table.currentIndex().row() == 2

    def test_items_move_double_and_go_by_key_in_the_table(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}, {"name": "b"}])
        table = named(form, "argument x", QTableView)
        table.setFocus()
        qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        assert [item["name"] for item in form.value()["x"]] == ["b", "a"]
        assert table.hasFocus()
        shift = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(table, Qt.Key.Key_Down, shift)
        qtbot.keyClick(table, Qt.Key.Key_Insert, Qt.KeyboardModifier.AltModifier)
        assert form.value()["x"] == [{"name": "b"}, {"name": "a"}, {"name": "a"}, {"on": True}]
        qtbot.keyClick(table, Qt.Key.Key_Delete)
        assert form.value()["x"] == [{"name": "b"}, {"name": "a"}, {"name": "a"}]

    def test_items_move_by_key_from_a_field_of_theirs(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a", "size": 1}, {"name": "b", "size": 2}])
        spin = named(form, "argument x[0].size", QAbstractSpinBox)
        spin.setFocus()
        qtbot.keyClick(spin, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)

        assert [item["size"] for item in form.value()["x"]] == [2, 1]
        assert named(form, "argument x", QTableView).currentIndex().row() == 1

    def test_enter_goes_to_the_field_of_the_column(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a", "size": 1}])
        table = named(form, "argument x", QTableView)
        table.setFocus()
        table.setCurrentIndex(table.model().index(0, 1))
        qtbot.keyClick(table, Qt.Key.Key_Return)

        assert focused().accessibleName() == "argument x[0].size"

    @pytest.mark.parametrize(
        ("text", "rows"),
        [
            ('[{"name": "p"}, {"name": "q", "size": 2}]', [{"name": "p"}, {"name": "q", "size": 2}]),
            ('{"name": "p"}\n{"name": "q"}', [{"name": "p"}, {"name": "q"}]),
            (
                "size\tNAME\ton\n5\tp\tyes\n\tq\tfalse",
                [{"size": 5, "name": "p", "on": True}, {"name": "q", "on": False}],
            ),
            ('name,size,extra\n"p, q",7,z', [{"name": "p, q", "size": 7, "extra": "z"}]),
            ("p;8\nq;many", [{"name": "p", "size": 8}, {"name": "q", "size": "many"}]),
        ],
    )
    def test_rows_are_pasted(self, qtbot: QtBot, text: str, rows: list[dict[str, Any]]) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}])
        QGuiApplication.clipboard().setText(text)
        table = named(form, "argument x", QTableView)
        table.setFocus()
        qtbot.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

        assert form.value() == {"x": [{"name": "a"}, *rows]}
        form.document.undo()
        assert form.value() == {"x": [{"name": "a"}]}

    def test_a_copied_row_can_be_pasted(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a", "size": 12345678901234567890}])
        table = named(form, "argument x", QTableView)
        table.setFocus()
        qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

        assert form.value()["x"] == [{"name": "a", "size": 12345678901234567890}] * 2

    def test_a_copied_row_holds_no_secret(self, qtbot: QtBot) -> None:
        item = {
            "type": "object",
            "properties": {"user": {"type": "string"}, "key": {"type": "string", "writeOnly": True}},
        }
        form = shown(qtbot, {"type": "array", "items": item}, [{"user": "mira", "key": "hunter2"}])
        table = named(form, "argument x", QTableView)
        assert "hunter2" not in str(cells(table))
        table.setFocus()
        qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

        copied = QGuiApplication.clipboard().text()
        assert "mira" in copied
        assert "hunter2" not in copied

    def test_nothing_to_paste_is_said(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}])
        QGuiApplication.clipboard().setText("")
        click(qtbot, form, "Paste into x")

        assert form.value() == {"x": [{"name": "a"}]}
        assert any("nothing to paste" in getattr(label, "text", str)() for label in form.findChildren(QWidget))

    def test_how_many_items_there_may_be_is_said_as_they_come(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": name} for name in "abc"])
        editor = editor_of(form, "x")
        words = editor.words.text  # type: ignore[attr-defined]
        assert words() == "3 items, at least 1, at most 4"
        click(qtbot, form, "Duplicate in x")
        click(qtbot, form, "Duplicate in x")

        assert words() == "5 items, at least 1, at most 4"
        assert message_of(form, "x") == "x must have 1 to 4 items; it has 5"

    def test_what_is_wrong_in_another_item_is_said_at_the_list_and_gone_to(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}, {"name": "b", "size": -1}])
        editor = editor_of(form, "x")
        assert editor.problem == "x[1].size must be at least 0; it is -1"
        table = named(form, "argument x", QTableView)
        assert table.model().headerData(1, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole) == editor.problem

        assert form.focus_field(("x", 1, "size"))
        assert table.currentIndex().row() == 1
        assert focused().accessibleName() == "argument x[1].size"
        assert editor.problem == ""

    def test_an_item_that_is_no_object_is_mended_as_json(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, ["a"])
        edit = named(form, "argument x[0]", QPlainTextEdit)
        edit.selectAll()
        type_into(qtbot, edit, '{"name": "b"}')

        assert form.value() == {"x": [{"name": "b"}]}
        assert form.errors() == []

    def test_names_the_schema_does_not_know_have_columns(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}, {"name": "b", "more": [1, 2]}])

        assert cells(named(form, "argument x", QTableView)) == [["a", "", "", ""], ["b", "", "", "a list of 2"]]

    def test_switched_off_the_list_is_left_out_and_comes_back(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a"}])
        switch = named(form, "argument x", Switch)
        qtbot.keyClick(switch, Qt.Key.Key_Space)
        assert form.value() == {}
        qtbot.keyClick(switch, Qt.Key.Key_Space)
        assert form.value() == {"x": [{"name": "a"}]}

    def test_a_draft_moves_with_its_item(self, qtbot: QtBot) -> None:
        form = shown(qtbot, TABLE, [{"name": "a", "size": 1}, {"name": "b", "size": 2}])
        spin = named(form, "argument x[0].size", QAbstractSpinBox)
        spin.setFocus()
        qtbot.keyClicks(spin, "z")
        qtbot.keyClick(spin, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)

        moved = named(form, "argument x[1].size", QAbstractSpinBox)
        assert "z" in moved.text()
        assert form.document.draft(("x", 1, "size")) is not None


def test_the_model_of_a_table_tells_what_came_went_and_changed(qtmodeltester: ModelTester) -> None:
    document = Document({"properties": {"x": TABLE}}, {"x": [{"name": name} for name in "abc"]})
    model = ItemsModel(document, ("x",))
    model.follow()
    qtmodeltester.check(model)
    told: list[tuple[str, int, int]] = []

    def inserted(_: QModelIndex, first: int, last: int) -> None:
        told.append(("in", first, last))

    def removed(_: QModelIndex, first: int, last: int) -> None:
        told.append(("out", first, last))

    def changed(first: QModelIndex, last: QModelIndex) -> None:
        told.append(("new", first.row(), last.row()))

    model.rowsInserted.connect(inserted)
    model.rowsRemoved.connect(removed)
    model.dataChanged.connect(changed)
    for order, new in (([0, None, 1, 2], [{"name": "n"}]), ([0, 1, 3], []), ([0, 2, 1], [])):
        document.rearrange(("x",), order, new)
        model.follow()
    document.set(("x", 1, "name"), "z")
    model.follow()

    assert told == [("in", 1, 1), ("out", 2, 2), ("new", 1, 2), ("new", 1, 1)]
    assert [model.index(row, 0).data() for row in range(3)] == ["a", "z", "n"]


class TestRows:
    def test_booleans_stand_in_rows(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "boolean"}}, [True])
        click(qtbot, form, "Add to x")
        assert form.value() == {"x": [True, False]}
        qtbot.keyClick(named(form, "argument x[1]", QCheckBox), Qt.Key.Key_Space)

        assert form.value() == {"x": [True, True]}

    def test_lists_in_lists_are_filled_by_key_alone(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}})
        add = named(form, "Add to x", QAbstractButton)
        add.setFocus()
        qtbot.keyClick(add, Qt.Key.Key_Space)
        assert focused().accessibleName() == "argument x[0]"
        qtbot.keyClicks(focused(), "1,2,")
        qtbot.keyClick(focused(), Qt.Key.Key_Insert, Qt.KeyboardModifier.AltModifier)
        qtbot.keyClicks(focused(), "3,")
        assert form.value() == {"x": [[1, 2], [3]]}
        qtbot.keyClick(focused(), Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        assert form.value() == {"x": [[3], [1, 2]]}
        assert focused().accessibleName() == "argument x[0]"
        qtbot.keyClick(focused(), Qt.Key.Key_Delete, Qt.KeyboardModifier.AltModifier)
        assert form.value() == {"x": [[1, 2]]}

    def test_the_menu_of_an_item_offers_the_same(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "boolean"}}, [True, False])
        click(qtbot, form, "More for x[0]")
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert [action.text() for action in menu.actions()] == [
            "Move up",
            "Move down",
            "Duplicate",
            "Add below",
            "Remove",
        ]
        menu.actions()[1].trigger()
        menu.close()

        assert form.value() == {"x": [False, True]}

    def test_an_item_that_is_emptied_stays(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": ["string", "null"]}}, ["a", "b"])
        line = named(form, "argument x[0]", QLineEdit)
        line.selectAll()
        qtbot.keyClick(line, Qt.Key.Key_Delete)

        assert form.value() == {"x": [None, "b"]}
        assert named(form, "argument x[0]", QLineEdit).placeholderText() == "null"

    def test_lines_are_pasted_as_items(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "boolean"}}, [True])
        QGuiApplication.clipboard().setText("no\nyes\nperhaps")
        click(qtbot, form, "Paste into x")

        assert form.value() == {"x": [True, False, True, "perhaps"]}
        assert message_of(form, "x", 3) == 'x[3] must be true or false; it is "perhaps"'

    def test_many_items_are_made_when_they_are_reached(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "boolean"}}, [True] * 500)
        assert len(form.findChildren(QCheckBox)) < 60

        assert form.focus_field(("x", 499))
        assert focused().accessibleName() == "argument x[499]"


class TestTuple:
    def test_each_place_has_its_own_field(self, qtbot: QtBot) -> None:
        form = shown(qtbot, PAIR)
        qtbot.keyClick(named(form, "argument x", Switch), Qt.Key.Key_Space)
        spin = named(form, "argument x[0]", QAbstractSpinBox)
        spin.selectAll()
        type_into(qtbot, spin, "12")
        type_into(qtbot, named(form, "argument x[1]", QLineEdit), "px")

        assert form.value() == {"x": [12, "px"]}
        assert form.errors() == []

    def test_only_what_follows_can_be_taken_away(self, qtbot: QtBot) -> None:
        form = shown(qtbot, PAIR, [1, "a", True])
        assert not [button for button in form.findChildren(QAbstractButton) if button.accessibleName() == "Remove x[1]"]
        click(qtbot, form, "Add to x")
        assert form.value() == {"x": [1, "a", True, False]}
        click(qtbot, form, "Remove x[2]")
        assert form.value() == {"x": [1, "a", False]}

    def test_a_place_behind_a_gap_can_be_filled(self, qtbot: QtBot) -> None:
        form = shown(qtbot, PAIR, [], required=True)
        type_into(qtbot, named(form, "argument x[1]", QLineEdit), "b")

        assert form.value() == {"x": [None, "b"]}
        assert message_of(form, "x", 0) == "x[0] must be a whole number; it is null"

    def test_a_closed_tuple_offers_no_more(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {**PAIR, "items": False}, [1, "a"])

        offered = [button.accessibleName() for button in form.findChildren(QAbstractButton) if alive(button)]
        assert "Add to x" not in offered


class TestMap:
    def test_a_name_is_added_and_the_focus_goes_to_its_value(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "object", "additionalProperties": {"type": "integer"}})
        click(qtbot, form, "Add to x")
        assert form.value() == {"x": {}}
        assert focused().accessibleName() == "new name in x"
        qtbot.keyClicks(focused(), "alpha")
        qtbot.keyClick(focused(), Qt.Key.Key_Return)
        assert focused().accessibleName() == "argument x.alpha"
        qtbot.keyClicks(focused(), "5")

        assert form.value() == {"x": {"alpha": 5}}
        assert form.errors() == []

    def test_a_name_that_is_typed_and_not_added_counts_when_the_tool_runs(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "object", "additionalProperties": {"type": "string"}}, {})
        line = named(form, "new name in x", QLineEdit)
        type_into(qtbot, line, "late")
        with qtbot.waitSignal(form.submit_requested):
            qtbot.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

        assert form.value() == {"x": {"late": ""}}

    def test_a_value_is_renamed_in_its_place_as_one_change(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "object", "additionalProperties": {"type": "string"}}, {"a": "1", "b": "2"})
        line = named(form, "name of x.a", QLineEdit)
        type_into(qtbot, line, "bc")
        assert list(form.value()["x"].items()) == [("abc", "1"), ("b", "2")]
        assert focused() is line
        type_into(qtbot, named(form, "argument x.abc", QLineEdit), "!")
        assert form.value()["x"]["abc"] == "1!"

        form.document.undo()
        form.document.undo()
        assert form.value() == {"x": {"a": "1", "b": "2"}}

    def test_a_name_that_is_taken_stays_as_typed_and_keeps_the_tool_from_running(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "object", "additionalProperties": {"type": "string"}}, {"a": "1", "b": "2"})
        line = named(form, "name of x.b", QLineEdit)
        line.selectAll()
        qtbot.keyClicks(line, "a")

        assert line.text() == "a"
        assert line.property("error") == "true"
        assert [error.message for error in form.errors()] == ['x must have each name once; it has "a" already']
        assert form.value() == {"x": {"a": "1", "b": "2"}}
        qtbot.keyClicks(line, "c")
        assert form.errors() == []
        assert form.value() == {"x": {"a": "1", "ac": "2"}}

    def test_an_emptied_value_keeps_its_name_and_a_removed_one_does_not(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "object", "additionalProperties": {"type": "string"}}, {"a": "1"})
        line = named(form, "argument x.a", QLineEdit)
        line.selectAll()
        line.setFocus()
        qtbot.keyClick(line, Qt.Key.Key_Delete)
        assert form.value() == {"x": {"a": ""}}
        qtbot.keyClick(line, Qt.Key.Key_Delete, Qt.KeyboardModifier.AltModifier)
        assert form.value() == {"x": {}}

    def test_the_rule_for_names_is_said_and_checked(self, qtbot: QtBot) -> None:
        schema = {
            "type": "object",
            "patternProperties": {"^x-": {"type": "integer"}},
            "additionalProperties": False,
            "maxProperties": 3,
        }
        form = shown(qtbot, schema, {"x-one": 1, "two": 2})
        editor = editor_of(form, "x")
        assert editor.words.text() == "2 names, at most 3, names match ^x-"  # type: ignore[attr-defined]
        assert [error.path for error in form.errors()] == [("x", "two")]
        line = named(form, "name of x.two", QLineEdit)
        line.selectAll()
        qtbot.keyClicks(line, "x-two")
        assert form.errors() == []
        assert isinstance(named(form, "argument x.x-two", QAbstractSpinBox), QAbstractSpinBox)

    def test_known_parts_come_before_free_names(self, qtbot: QtBot) -> None:
        schema = {
            "type": "object",
            "properties": {"limit": {"type": "integer"}},
            "additionalProperties": {"type": "string"},
        }
        form = shown(qtbot, schema, {"b": "2"})
        type_into(qtbot, named(form, "argument x.limit", QAbstractSpinBox), "7")

        assert form.value() == {"x": {"limit": 7, "b": "2"}}
        assert named(form, "name of x.b", QLineEdit).text() == "b"

    @pytest.mark.parametrize(
        "text",
        ['{"a": 1, "b": 2}', "a: 1\nb: 2", "export a=1\nb = 2", "a\t1\nb\t2"],
        ids=["json", "colon", "env", "tab"],
    )
    def test_names_with_values_are_pasted(self, qtbot: QtBot, text: str) -> None:
        form = shown(qtbot, {"type": "object", "additionalProperties": {"type": "integer"}}, {"b": 0})
        QGuiApplication.clipboard().setText(text)
        click(qtbot, form, "Paste into x")

        assert form.value() == {"x": {"b": 2, "a": 1}}


class TestVariant:
    def test_the_kind_is_told_from_the_value_and_its_tag_has_no_field(self, qtbot: QtBot) -> None:
        form = shown(qtbot, PARTY, {"kind": "company", "name": "Acme", "vat": "DE1"})

        assert named(form, "kind of argument x", QComboBox).currentText() == "Company"
        assert named(form, "argument x.vat", QLineEdit).text() == "DE1"
        assert not [widget for widget in form.findChildren(QComboBox) if widget.accessibleName() == "argument x.kind"]

    def test_what_fits_stays_and_the_rest_comes_back(self, qtbot: QtBot) -> None:
        form = shown(qtbot, PARTY, {"kind": "company", "name": "Acme", "vat": "DE1"})
        combo = named(form, "kind of argument x", QComboBox)
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Up)
        assert form.value() == {"x": {"kind": "person", "name": "Acme"}}
        assert combo.hasFocus()
        type_into(qtbot, named(form, "argument x.age", QAbstractSpinBox), "40")
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Down)

        assert form.value() == {"x": {"kind": "company", "name": "Acme", "vat": "DE1"}}
        assert named(form, "argument x.vat", QLineEdit).text() == "DE1"
        form.document.undo()
        assert combo.currentText() == "Person"

    def test_kinds_of_one_field_stand_in_the_line(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "boolean"}]})
        combo = named(form, "kind of argument x", QComboBox)
        assert [combo.itemText(index) for index in range(combo.count())] == [
            "a whole number",
            "text",
            "true or false",
        ]
        type_into(qtbot, named(form, "argument x", QAbstractSpinBox), "12")
        assert form.value() == {"x": 12}
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        type_into(qtbot, named(form, "argument x", QLineEdit), "ab")

        assert form.value() == {"x": "ab"}
        assert form.errors() == []

    def test_a_kind_that_is_a_list_has_no_second_head(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"oneOf": [{"type": "string"}, TABLE]}, [{"name": "a"}])

        assert named(form, "Fields of x", QAbstractButton).isVisible()
        type_into(qtbot, named(form, "argument x[0].name", QLineEdit), "b")
        assert form.value() == {"x": [{"name": "ab"}]}
        click(qtbot, form, "Add to x")
        assert form.value()["x"][1] == {"on": True}

    def test_items_of_a_list_have_kinds_of_their_own(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": PARTY}, [{"kind": "company", "vat": "1"}])
        click(qtbot, form, "Add to x")
        combo = named(form, "kind of argument x[1]", QComboBox)
        assert combo.currentText() == "Person"
        qtbot.keyClick(combo, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)

        assert [item["kind"] for item in form.value()["x"]] == ["person", "company"]
        assert named(form, "kind of argument x[0]", QComboBox).currentText() == "Person"


class TestConditions:
    def test_a_field_comes_with_its_condition_and_the_others_stay(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"$defs": {}, **CONDITIONAL})
        combo = named(form, "argument mode", QComboBox)
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_End)

        assert form.value() == {"mode": "b"}
        assert combo.hasFocus()
        type_into(qtbot, named(form, "argument extra", QLineEdit), "now")
        assert {error.path for error in form.errors()} == {("note",)}
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Home)
        assert [field.name for field in form.fields()] == ["mode", "note"]
        assert form.value()["extra"] == "now"

    def test_the_caret_stays_where_a_rule_changes_while_one_types(self, qtbot: QtBot) -> None:
        rule = {"if": {"properties": {"x": {"const": "ab"}}, "required": ["x"]}, "then": {"required": ["x", "y"]}}
        names = {"x": {"type": "string"}, "y": {"type": "string"}}
        form = shown(qtbot, {"$defs": {}, "type": "object", "properties": names, **rule})
        line = named(form, "argument x", QLineEdit)
        type_into(qtbot, line, "abc")

        assert focused() is line
        assert form.value() == {"x": "abc"}


class TestRecursion:
    def test_what_holds_itself_is_opened_level_by_level(self, qtbot: QtBot) -> None:
        form = shown(qtbot, NODE)
        qtbot.keyClick(named(form, "argument x", Switch), Qt.Key.Key_Space)
        path = "x"
        for _ in range(6):
            path = f"{path}.child"
            qtbot.keyClick(named(form, f"argument {path}", Switch), Qt.Key.Key_Space)
        type_into(qtbot, named(form, f"argument {path}.name", QLineEdit), "deep")

        assert str(form.value()).count("child") == 6

    def test_a_deep_place_is_reached_by_its_path(self, qtbot: QtBot) -> None:
        value: dict[str, Any] = {"name": "leaf"}
        for level in range(30):
            value = {"name": f"level {level}", "child": value} if level % 2 else {"name": "l", "children": [value]}
        form = shown(qtbot, NODE, value)
        path: list[str | int] = ["x"]
        node = value
        while node.get("child") or node.get("children"):
            step: list[str | int] = ["child"] if "child" in node else ["children", 0]
            path += step
            node = node["child"] if "child" in node else node["children"][0]

        assert form.focus_field((*path, "name"))
        line = focused()
        assert isinstance(line, QLineEdit)
        assert line.text() == "leaf"


def test_tab_goes_through_a_structure_in_reading_order(qtbot: QtBot) -> None:
    schema = {"type": "object", "additionalProperties": {"type": "string"}}
    form = shown(qtbot, schema, {"a": "1", "b": "2"})
    named(form, "Fields of x", QAbstractButton).setFocus()
    order = []
    for _ in range(11):
        order.append(focused().accessibleName())
        qtbot.keyClick(focused(), Qt.Key.Key_Tab)

    assert order == [
        "Fields of x",
        "argument x",
        "Paste into x",
        "Add to x",
        "name of x.a",
        "argument x.a",
        "Remove x.a",
        "name of x.b",
        "argument x.b",
        "Remove x.b",
        "new name in x",
    ]


def test_an_error_in_a_closed_field_is_said_at_its_head(qtbot: QtBot) -> None:
    inner = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}
    form = shown(qtbot, inner, {"n": "no"})
    head = named(form, "Fields of x", QAbstractButton)
    assert message_of(form, "x") == ""
    qtbot.mouseClick(head, Qt.MouseButton.LeftButton, pos=QPoint(4, 10))

    row = next(row for row in form._rows.rows())
    assert row.message == 'x.n must be a whole number; it is "no"'


class TestList:
    def test_chips_are_gone_through_moved_and_taken_away_by_key(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "string"}}, ["a", "b", "c"])
        line = named(form, "argument x", QLineEdit)
        line.setFocus()
        qtbot.keyClick(line, Qt.Key.Key_Left)
        qtbot.keyClick(line, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert form.value() == {"x": ["a", "c", "b"]}
        qtbot.keyClick(line, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        qtbot.keyClick(line, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert form.value() == {"x": ["c", "a", "b"]}
        qtbot.keyClick(line, Qt.Key.Key_Right)
        qtbot.keyClick(line, Qt.Key.Key_Delete)
        assert form.value() == {"x": ["c", "b"]}
        qtbot.keyClicks(line, "d,")
        assert form.value() == {"x": ["c", "b", "d"]}

    def test_a_chip_is_drawn_to_another_place(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "string"}}, ["aaa", "bbb", "ccc"])
        chip, first = named(form, "ccc", QWidget), named(form, "aaa", QWidget)
        qtbot.mousePress(chip, Qt.MouseButton.LeftButton, pos=QPoint(4, 10))
        qtbot.mouseMove(chip, first.pos() - chip.pos() + QPoint(4, 10))
        qtbot.mouseRelease(chip, Qt.MouseButton.LeftButton, pos=first.pos() - chip.pos() + QPoint(4, 10))

        assert form.value() == {"x": ["ccc", "aaa", "bbb"]}
        form.document.undo()
        assert form.value() == {"x": ["aaa", "bbb", "ccc"]}

    @pytest.mark.parametrize(
        ("kind", "text", "items"),
        [
            ("string", '["p", "q, r"]', ["p", "q, r"]),
            ("string", "p\tq", ["p", "q"]),
            ("integer", "1, 2;3 4", [1, 2, 3, 4]),
            ("number", "1.5\nmany", [1.5, "many"]),
        ],
    )
    def test_a_list_is_pasted(self, qtbot: QtBot, kind: str, text: str, items: list[Any]) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": kind}})
        QGuiApplication.clipboard().setText(text)
        line = named(form, "argument x", QLineEdit)
        line.setFocus()
        qtbot.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

        assert form.value() == {"x": items}

    def test_how_many_there_may_be_is_said_as_they_come(self, qtbot: QtBot) -> None:
        schema = {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True}
        form = shown(qtbot, schema, ["a"])
        editor = editor_of(form, "x")
        assert editor.hint == "1 item, at least 2, each once"
        type_into(qtbot, named(form, "argument x", QLineEdit), "a,")
        assert editor.hint == "2 items, at least 2, each once"
        assert editor.problem == 'x must hold each item once; it holds "a" twice'

    def test_more_than_chips_have_room_for_stands_in_rows(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"type": "array", "items": {"type": "string"}}, ["a"])
        QGuiApplication.clipboard().setText("\n".join(f"line {number}" for number in range(5_000)))
        line = named(form, "argument x", QLineEdit)
        line.setFocus()
        qtbot.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

        assert len(form.value()["x"]) == 5_001
        assert len(form.findChildren(QLineEdit)) < 60
        assert form.focus_field(("x", 4_000))
        line = named(form, "argument x[4000]", QLineEdit)
        assert line.text() == "line 3999"


class TestWholeArguments:
    def test_free_names_of_arguments_are_added(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"$defs": {}, "type": "object", "additionalProperties": {"type": "integer"}})
        line = named(form, "new name in the arguments", QLineEdit)
        type_into(qtbot, line, "limit")
        qtbot.keyClick(line, Qt.Key.Key_Return)
        qtbot.keyClicks(focused(), "5")

        assert form.value() == {"limit": 5}
        assert form.focus_field(("limit",))
        assert focused().accessibleName() == "argument limit"

    def test_one_of_several_sets_of_arguments_is_chosen(self, qtbot: QtBot) -> None:
        form = shown(qtbot, {"$defs": {}, "type": "object", **PARTY})
        combo = named(form, "kind of arguments", QComboBox)
        assert combo.currentText() == "Person"
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        assert [field.name for field in form.fields()] == ["kind", "name", "vat"]
        assert combo.hasFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Tab)
        qtbot.keyClick(focused(), Qt.Key.Key_Tab)

        assert focused().accessibleName() == "argument name"
        form.set_schema({"type": "object", "properties": {"a": {"type": "string"}}})
        assert [field.name for field in form.fields()] == ["a"]
        assert not [box for box in form.findChildren(QComboBox) if alive(box)]


def test_a_value_of_another_kind_is_said_and_begun_anew_by_key(qtbot: QtBot) -> None:
    form = shown(qtbot, TABLE, "no list", required=True)
    editor = editor_of(form, "x")
    assert editor.words.text() == 'holds "no list"'  # type: ignore[attr-defined]
    assert editor.problem == 'x must be a list; it is "no list"'
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(editor.target, Qt.Key.Key_E, both)

    assert form.value() == {"x": []}


def test_what_the_tool_sets_is_read_and_not_changed(qtbot: QtBot) -> None:
    form = shown(qtbot, {**TABLE, "readOnly": True}, [{"name": "a"}])
    assert not named(form, "argument x[0].name", QLineEdit).isEnabled()
    assert not named(form, "Add to x", QAbstractButton).isEnabled()
    qtbot.mouseClick(named(form, "Fields of x", QAbstractButton), Qt.MouseButton.LeftButton, pos=QPoint(4, 10))

    assert not [table for table in form.findChildren(QTableView) if alive(table)]
