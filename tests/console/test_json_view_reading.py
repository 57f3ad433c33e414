"""Reading a result in its tree: how far it is open, names only, what its schema says, and JMESPath."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from console.json_view import JsonTreeView, SchemaHints
from console.json_view.query import QueryError, picked, picked_path
from console.theme import load_theme

RESULT: dict[str, Any] = {
    "name": "orders",
    "orders": [{"id": number, "lines": [{"odd name": number, "price": number * 2}]} for number in range(30)],
    "note": "price list",
}
SCHEMA: dict[str, Any] = {
    "title": "Orders",
    "properties": {
        "name": {"type": "string", "title": "Name of the list", "description": "As the shop calls it."},
        "orders": {"type": "array", "items": {"$ref": "#/$defs/Order"}},
    },
    "additionalProperties": {"title": "Something else"},
    "$defs": {
        "Order": {"allOf": [{"title": "One order"}, {"properties": {"id": {"title": "Number"}, "next": {"$ref": "#"}}}]}
    },
}


@pytest.fixture
def tree(qtbot: QtBot) -> JsonTreeView:
    tree = JsonTreeView()
    qtbot.addWidget(tree)
    tree.resize(672, 300)
    tree.set_value(RESULT)
    with qtbot.waitActive(tree):
        tree.show()
        tree.activateWindow()
    tree.setFocus()
    return tree


def menu_of(tree: JsonTreeView) -> QMenu:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(20, 20), QPoint(20, 20))
    QApplication.sendEvent(tree.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def is_open(tree: JsonTreeView, *keys: str | int) -> bool:
    return tree.isExpanded(tree.json_model.index_of(list(keys)))


def test_the_tree_opens_to_a_level(tree: JsonTreeView) -> None:
    tree.open_to_level(2)
    assert is_open(tree)
    assert is_open(tree, "orders")
    assert not is_open(tree, "orders", 0)

    tree.open_to_level(3)
    assert is_open(tree, "orders", 29)
    assert not is_open(tree, "orders", 29, "lines")

    tree.open_to_level(1)
    assert is_open(tree)
    assert not is_open(tree, "orders")


def test_a_key_opens_all_inside_a_row(tree: JsonTreeView, qtbot: QtBot) -> None:
    tree.select(("orders", 3))
    qtbot.keyClick(tree, Qt.Key.Key_Asterisk)

    assert is_open(tree, "orders", 3, "lines", 0)
    assert not is_open(tree, "orders", 4)


def test_levels_are_in_the_menu(tree: JsonTreeView) -> None:
    tree.select(("name",))
    menu = menu_of(tree)
    levels = next(action.menu() for action in menu.actions() if action.text() == "Open to level")
    assert isinstance(levels, QMenu)
    assert [action.text() for action in levels.actions()] == ["1", "2", "3", "4", "5"]
    levels.actions()[2].trigger()
    menu.close()

    assert is_open(tree, "orders", 29)


def test_of_a_huge_value_no_more_is_opened_than_a_person_can_use(qtbot: QtBot) -> None:
    tree = JsonTreeView()
    qtbot.addWidget(tree)
    tree.set_value([[number] * 100 for number in range(400)])

    with qtbot.waitSignal(tree.opened_only) as told:
        tree.open_to_level(5)

    assert 5000 <= told.args[0] < 6000


def test_the_path_is_copied_by_key(tree: JsonTreeView, qtbot: QtBot) -> None:
    tree.select(("orders", 2, "lines", 0, "odd name"))
    qtbot.keyClick(tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)

    assert QGuiApplication.clipboard().text() == '$.orders[2].lines[0]["odd name"]'


def test_names_alone_are_found(tree: JsonTreeView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.json_view.finding._FIRST_S", 60.0)
    tree.select(("orders", 29, "lines"))

    assert tree.find("PRICE", names_only=True)
    assert tree.json_model.path_at(tree.currentIndex()) == "$.orders[29].lines[0].price"
    assert tree.find("price")
    assert tree.json_model.path_at(tree.currentIndex()) == "$.note"


@pytest.mark.parametrize(("keys", "offered"), [(("orders",), True), (("name",), False), ((), False)])
def test_a_list_of_objects_can_be_shown_as_a_table(
    tree: JsonTreeView, qtbot: QtBot, keys: tuple[str, ...], offered: bool
) -> None:
    tree.select(keys)
    menu = menu_of(tree)
    actions = [action for action in menu.actions() if action.text() == "Show as table"]
    assert bool(actions) is offered
    if offered:
        with qtbot.waitSignal(tree.table_requested) as asked:
            actions[0].trigger()
        assert asked.args == [keys]
    menu.close()


def test_the_schema_says_what_values_are() -> None:
    hints = SchemaHints(SCHEMA)

    assert hints.words_at(()) == "Orders"
    assert hints.words_at(("name",)) == "Name of the list\nAs the shop calls it."
    assert hints.words_at(("orders", 7)) == "One order"
    assert hints.words_at(("orders", 7, "id")) == "Number"
    assert hints.words_at(("orders", 7, "next", "name")) == "Name of the list\nAs the shop calls it."
    assert hints.words_at(("other",)) == "Something else"
    assert hints.words_at(("name", "deeper")) == ""


def test_a_schema_that_goes_round_says_what_it_can() -> None:
    hints = SchemaHints({"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}], "title": "Round"}}})

    assert hints.words_at(()) == "Round"
    assert SchemaHints({"$ref": "#/$defs/Gone"}).words_at(("x",)) == ""


def test_closed_values_count_what_is_wrong_inside() -> None:
    hints = SchemaHints({}, {("a", 0): "expected text", ("a", 1, "b"): "b is missing", ("a",): "too many"})

    assert hints.problem_at(("a",), is_open=True) == "too many"
    assert hints.problem_at(("a",), is_open=False) == "too many · 2 values inside do not fit"
    assert hints.problem_at((), is_open=False) == "3 values inside do not fit"
    assert hints.problem_at(("a", 1), is_open=False) == "1 value inside does not fit"
    assert hints.problem_at(("b",), is_open=False) == ""


def test_what_does_not_fit_is_marked_and_told(tree: JsonTreeView, qtbot: QtBot) -> None:
    error = load_theme("light").status.error.text.rgb()

    def colors() -> set[int]:
        image = tree.viewport().grab().toImage()
        return {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(image.height())}

    def tip(*keys: str) -> str:
        spot = tree.visualRect(tree.json_model.index_of(list(keys))).center()
        QApplication.sendEvent(
            tree.viewport(), QHelpEvent(QEvent.Type.ToolTip, spot, tree.viewport().mapToGlobal(spot))
        )
        return QToolTip.text()

    assert error not in colors()
    tree.show_hints(SchemaHints(SCHEMA, {("name",): "expected a number"}))
    assert error in colors()
    assert tip("name") == "expected a number\nName of the list\nAs the shop calls it."
    QToolTip.hideText()
    tree.set_value(RESULT)
    assert error not in colors()


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("orders[?id > `27`].id", [28, 29]),
        ('orders[0].lines[0]."odd name"', 0),
        ("length(orders)", 30),
        ("missing", None),
    ],
)
def test_an_expression_picks_values(expression: str, value: Any) -> None:
    assert picked(RESULT, expression) == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("orders[", "Expected a JMESPath expression such as items[0].name; this one cannot be read at its end."),
        ("name orders", "Expected a JMESPath expression such as items[0].name; this one cannot be read at letter 6."),
        ("'", "Expected a JMESPath expression such as items[0].name; this one cannot be read at letter 1."),
        ("nobody(name)", "There is no such function: nobody()."),
        ("length(note, name)", "Expected 1 argument for function length(), received 2."),
        ("sum(orders)", "In function sum(), invalid type for value"),
    ],
)
def test_a_wrong_expression_is_explained(expression: str, message: str) -> None:
    with pytest.raises(QueryError) as raised:
        picked(RESULT, expression)

    assert str(raised.value).startswith(message)
    assert len(str(raised.value)) < 250


def test_an_expression_ends_when_its_time_is_up() -> None:
    ticks = iter(range(10_000))

    with pytest.raises(QueryError, match="took more than 9 s"):
        picked(RESULT, "orders[*].lines[*].price", within_s=9, clock=lambda: float(next(ticks)))


def test_the_path_inside_what_was_picked_picks_it_alone(tree: JsonTreeView) -> None:
    expression = "orders[?id > `27`]"
    keys = (1, "lines", 0, "odd name")

    path = picked_path(expression, keys)
    assert path == f"{expression} | [1].lines[0].{json.dumps('odd name')}"
    assert picked(RESULT, path) == 29
    assert picked(RESULT, picked_path("orders[0]", ("lines",))) == [{"odd name": 0, "price": 0}]
    assert picked_path(expression, ()) == expression
