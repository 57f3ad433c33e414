"""The tree of a result and the preview beside it."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.json_view import JsonTreeModel, JsonTreeView, PreviewPane
from console.json_view.model import BLOCK
from console.theme import load_theme

MATCH = {
    "file": "src/agents/router.py",
    "line": 118,
    "column": 7,
    "text": "    # NOTE: fall back",
    "context": {"before": ["def pick_model():", "    queue = 1"], "after": ["    return queue"]},
}
RESULT: dict[str, Any] = {
    "query": "NOTE|HACK",
    "matches": [MATCH, {**MATCH, "file": "src/agents/memory.py", "line": 64}],
    "many": [{"number": number} for number in range(1200)],
    "truncated": False,
}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search end at once however slow the machine is."""
    monkeypatch.setattr("console.json_view.finding._FIRST_S", 60.0)


@pytest.fixture
def tree(qtbot: QtBot) -> JsonTreeView:
    tree = JsonTreeView()
    qtbot.addWidget(tree)
    tree.setAccessibleName("Result")
    tree.resize(672, 300)
    tree.set_value(RESULT)
    with qtbot.waitActive(tree):
        tree.show()
        tree.activateWindow()
    tree.setFocus()
    return tree


def lines_of(model: JsonTreeModel, parent: QModelIndex) -> list[str]:
    return [str(model.data(model.index(row, 0, parent))) for row in range(model.rowCount(parent))]


def center_of(tree: JsonTreeView, *keys: str | int) -> QPoint:
    return tree.visualRect(tree.json_model.index_of(list(keys))).center()


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = JsonTreeModel()
    model.set_value({**RESULT, "many": list(range(1200))})
    qtmodeltester.check(model)
    # The tester has made the first rows everywhere; it stays and watches what the model tells.
    many = model.index(2, 0, model.index(0, 0))
    assert model.rowCount(many) == BLOCK
    model.make_more(many)
    assert model.rowCount(many) == 2 * BLOCK
    model.set_value("text")
    model.clear()


def test_rows_are_made_in_blocks_when_they_are_asked_for() -> None:
    model = JsonTreeModel()
    model.set_value(RESULT)
    whole = model.index(0, 0)
    assert (model.rowCount(), model.rowCount(whole), model.hasChildren(whole)) == (1, 0, True)

    model.fetchMore(whole)
    assert lines_of(model, whole) == [
        'query: "NOTE|HACK"',
        "matches: 2 items",
        "many: 1,200 items",
        "truncated: false",
    ]
    many = model.index(2, 0, whole)
    counts = []
    while model.has_more(many):
        model.make_more(many)
        counts.append(model.rowCount(many))
    assert counts == [BLOCK, 2 * BLOCK, 1200]


def test_a_value_is_found_by_its_names() -> None:
    model = JsonTreeModel()
    model.set_value(RESULT)
    index = model.index_of(["many", 1100, "number"])

    assert model.path_at(index) == "$.many[1100].number"
    assert (model.value_at(index), model.key_at(index)) == (1100, "number")
    assert not model.index_of(["many", 1200]).isValid()
    assert not model.index_of(["nobody"]).isValid()
    assert not model.index_of(["query", "x"]).isValid()


@pytest.mark.parametrize("value", [None, "text", 5, [], {}])
def test_small_values_are_one_row(value: Any) -> None:
    model = JsonTreeModel()
    assert model.rowCount() == 0
    model.set_value(value)

    assert model.rowCount() == 1
    assert not model.hasChildren(model.index(0, 0))


def test_a_result_opens_with_what_fits_into_sight(tree: JsonTreeView) -> None:
    model = tree.json_model

    assert tree.isExpanded(model.index(0, 0))
    assert tree.isExpanded(model.index_of(["matches"]))
    assert not tree.isExpanded(model.index_of(["many"]))


def test_a_chosen_row_is_told(tree: JsonTreeView, qtbot: QtBot) -> None:
    told: list[tuple[str, Any]] = []

    def hear(path: str, value: Any) -> None:
        told.append((path, value))

    tree.path_selected.connect(hear)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=center_of(tree, "query"))
    qtbot.keyClick(tree, Qt.Key.Key_Down)

    assert told == [("$.query", "NOTE|HACK"), ("$.matches", RESULT["matches"])]


def test_the_chevron_opens_and_closes(tree: JsonTreeView, qtbot: QtBot) -> None:
    many = tree.json_model.index_of(["many"])
    chevron = QPoint(34, center_of(tree, "many").y())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron)
    assert tree.isExpanded(many)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron)
    assert not tree.isExpanded(many)

    tree.setCurrentIndex(many)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.isExpanded(many)
    qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=center_of(tree, "many"))
    assert not tree.isExpanded(many)


def test_scrolling_to_the_last_row_makes_more(tree: JsonTreeView, qtbot: QtBot) -> None:
    many = tree.json_model.index_of(["many"])
    tree.expand(many)
    assert tree.json_model.rowCount(many) == BLOCK

    tree.scrollTo(tree.json_model.index(BLOCK - 1, 0, many))
    qtbot.waitUntil(lambda: tree.json_model.rowCount(many) > BLOCK)
    assert tree.json_model.data(tree.json_model.index(BLOCK, 0, many)) == "500: { number: 500 }"


def test_search_goes_through_closed_parts_and_begins_again(tree: JsonTreeView) -> None:
    def here() -> str:
        return tree.json_model.path_at(tree.currentIndex())

    assert tree.find("ROUTER")
    assert here() == "$.matches[0].file"
    assert tree.find("router")
    assert here() == "$.matches[0].file"
    assert tree.find("1199")
    assert here() == "$.many[1199].number"
    assert tree.find("number", backwards=True)
    assert here() == "$.many[1198].number"
    assert tree.find("note")
    assert here() == "$.query"
    assert not tree.find("nowhere to be found")
    assert here() == "$.query"


def test_a_long_search_goes_on_and_tells_how_it_ended(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.json_view.finding._FIRST_S", 0.0)
    tree = JsonTreeView()
    qtbot.addWidget(tree)
    tree.set_value([f"text {number}" for number in range(3000)])

    with qtbot.waitSignal(tree.find_finished) as ended:
        assert tree.find("TEXT 2999")
    assert ended.args == [True]
    assert tree.json_model.path_at(tree.currentIndex()) == "$[2999]"
    with qtbot.waitSignal(tree.find_finished) as ended:
        assert tree.find("nobody")
    assert ended.args == [False]


def test_values_and_paths_are_copied(tree: JsonTreeView, qtbot: QtBot) -> None:
    clipboard = QGuiApplication.clipboard()
    tree.select(("query",))
    qtbot.keyClick(tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "NOTE|HACK"

    def choose(text: str) -> None:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(20, 20), QPoint(20, 20))
        QApplication.sendEvent(tree.viewport(), event)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.close()

    choose("Copy as JSON")
    assert clipboard.text() == '"NOTE|HACK"'
    choose("Copy path")
    assert clipboard.text() == "$.query"
    tree.select(("matches", 0, "context", "after"))
    choose("Copy value")
    assert clipboard.text() == '[\n  "    return queue"\n]'


def test_colours_are_the_themes(tree: JsonTreeView) -> None:
    image = tree.viewport().grab().toImage()
    seen = {image.pixelColor(x, y).rgb() for x in range(500) for y in range(min(200, image.height()))}
    theme = load_theme("light")

    assert theme.syntax.key.rgb() in seen
    assert theme.syntax.string.rgb() in seen
    assert theme.color.guide.rgb() in seen


def test_nothing_is_shown_after_clear(tree: JsonTreeView) -> None:
    tree.clear()

    assert tree.json_model.rowCount() == 0
    assert not tree.find("NOTE")


@pytest.fixture
def preview(qtbot: QtBot) -> PreviewPane:
    preview = PreviewPane(can_open=True)
    qtbot.addWidget(preview)
    preview.resize(440, 300)
    preview.show()
    return preview


def test_an_object_with_file_and_line_shows_as_code(preview: PreviewPane) -> None:
    preview.show_value("$.matches[0]", MATCH)

    assert preview.text.text == "def pick_model():\n    queue = 1\n    # NOTE: fall back\n    return queue"
    places = [child for child in preview.findChildren(QWidget) if "line 118, column 7" in child.accessibleName()]
    assert len(places) == 1
    assert places[0].isVisibleTo(preview)
    image: QImage = preview.grab().toImage()
    seen = {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(image.height())}
    theme = load_theme("light")
    assert theme.syntax.keyword.rgb() in seen
    assert theme.color.match_bg.rgb() in seen


def is_wrapped(preview: PreviewPane) -> bool:
    return preview.text._wrapped


def test_a_text_shows_as_it_is_and_anything_else_as_json(preview: PreviewPane) -> None:
    preview.show_value("$.query", "a\nb")
    assert preview.text.text == "a\nb"
    assert is_wrapped(preview)

    preview.show_value("$.x", {"a": [1]})
    assert preview.text.text == '{\n  "a": [\n    1\n  ]\n}'
    assert not is_wrapped(preview)
    preview.show_value("$.many", list(range(100_000)))
    assert preview.text.text.endswith("… copy the value to read the rest")


def test_a_value_too_deep_to_be_written_is_said(preview: PreviewPane) -> None:
    deep: list[Any] = []
    for _ in range(20_000):
        deep = [deep]
    preview.show_value("$", deep)

    assert preview.text.text.startswith("Too many values inside each other")


def test_the_preview_copies_and_asks_to_open(preview: PreviewPane, qtbot: QtBot) -> None:
    preview.show_value("$.query", "NOTE")
    qtbot.mouseClick(preview.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "NOTE"
    with qtbot.waitSignal(preview.open_requested) as asked:
        qtbot.mouseClick(preview.open_button, Qt.MouseButton.LeftButton)
    assert asked.args == ["$.query", "NOTE"]

    preview.clear()
    assert preview.path == ""
    assert preview.text.text == ""
    assert not preview.copy_button.isEnabled()


def test_a_preview_that_opens_nothing_has_no_button_for_it(qtbot: QtBot) -> None:
    preview = PreviewPane()
    qtbot.addWidget(preview)

    assert preview.open_button.isHidden()
