"""Two calls beside each other, driven by click and key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console import language
from console.comparison import ComparedSide, ComparisonPresenter, ComparisonView, open_comparison
from console.comparison.model import DifferenceModel, RowSide, difference_places
from console.comparison.rows import ARGUMENTS, RESULT, ComparedTree
from console.comparison.structure import compare
from console.tasks import TaskScope
from tests.tools.running import until
from tools.spec import MISSING

LEFT: dict[str, Any] = {
    "query": "TODO",
    "elapsed_s": 0.031,
    "matches": [{"file": f"{name}.py", "line": 7, "text": f"find {name}"} for name in "abcdefgh"],
    "truncated": False,
}
RIGHT: dict[str, Any] = {
    "query": "TODO",
    "elapsed_s": 0.029,
    "matches": [
        *LEFT["matches"][:3],
        {"file": "d.py", "line": 7, "text": "found d"},
        *LEFT["matches"][4:],
        {"file": "z.py", "line": 1, "text": "z"},
    ],
    "truncated": "yes",
}
OLD = ComparedSide("search_files", "14:31:58 · you", {"path": "src", "limit": 200}, LEFT)
NEW = ComparedSide("search_files", "14:32:05 · you", {"path": "src", "limit": 500}, RIGHT)


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


class Stage:
    """A view with its presenter."""

    def __init__(self, qtbot: QtBot, scope: TaskScope, view: ComparisonView) -> None:
        self.qtbot = qtbot
        self.scope = scope
        self.view = view

    def button(self, name: str) -> QAbstractButton:
        return next(
            button
            for button in self.view.findChildren(QAbstractButton)
            if name in {button.accessibleName(), button.text()}
        )

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(self.button(name), Qt.MouseButton.LeftButton)

    until = staticmethod(until)

    async def ready(self) -> None:
        await self.until(lambda: not self.scope.busy)

    @property
    def lines(self) -> list[str]:
        """The rows of the tree that are open, each with what became of it."""
        tree, found = self.view.tree, []
        index = tree.model().index(0, 0)
        while index.isValid():
            row = tree.differences.row_at(index)
            sign = {"added": "+", "removed": "-"}.get(row.change.value, "~" if row.node.moved else " ")
            found.append(f"{sign} {index.data()}")
            index = tree.indexBelow(index)
        return found

    @property
    def count(self) -> str:
        return self.view.head.count.text

    @property
    def position(self) -> str:
        return self.view.head.position.text()

    def copy_as(self, kind: str) -> None:
        self.view.patch_requested.emit(kind)


Compared = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture
def compared(qtbot: QtBot) -> Compared:
    """Return a function that shows the comparison of two calls for a block."""

    @asynccontextmanager
    async def on_stage(left: ComparedSide = OLD, right: ComparedSide = NEW) -> AsyncIterator[Stage]:
        scope = TaskScope("test")
        view = ComparisonView()
        qtbot.addWidget(view)
        view.resize(1100, 700)
        view.show()
        presenter = ComparisonPresenter(view, _compute, scope)
        stage = Stage(qtbot, scope, view)
        view.set_sides(left, right)
        try:
            await stage.ready()
            yield stage
        finally:
            presenter.close()
            await scope.close()

    return on_stage


async def test_differences_are_told_as_a_tree_with_signs(compared: Compared) -> None:
    async with compared() as stage:
        assert (stage.count, stage.position) == ("4 differences", "1 of 4")
        assert stage.view.head.kinds.text == "3 changed · 1 added"
        assert stage.view.head.tabs.accessibleTabName(ARGUMENTS) == "Arguments, 1"
        assert stage.view.head.tabs.accessibleTabName(RESULT) == "Result, 4"
        assert stage.lines[1:9] == [
            '  query: "TODO"',
            "- elapsed_s: 0.031",
            "+ elapsed_s: 0.029",
            "  matches: 9 items",
            '  0: { file: "a.py", line: 7, text: "find a" }',
            '  1: { file: "b.py", line: 7, text: "find b" }',
            '  2: { file: "c.py", line: 7, text: "find c" }',
            '  3: { file: "d.py", line: 7, text: "found d" }',
        ]
        assert "  4 unchanged" in stage.lines
        assert '+ 8: { file: "z.py", line: 1, text: "z" }' in stage.lines
        assert stage.lines[-2:] == ["- truncated: false", '+ truncated: "yes"']


@pytest.mark.parametrize(("forth", "back"), [(Qt.Key.Key_F8, None), (Qt.Key.Key_N, Qt.Key.Key_P)])
async def test_keys_go_through_the_differences_round_and_round(
    compared: Compared, forth: Qt.Key, back: Qt.Key | None
) -> None:
    async with compared() as stage:
        tree, path = stage.view.tree, []
        tree.setFocus()
        for _ in range(4):
            stage.qtbot.keyClick(tree, forth)
            path.append((tree.current_path(), stage.position))
        assert path == [
            ("$.matches[3].text", "2 of 4"),
            ("$.matches[8]", "3 of 4"),
            ("$.truncated", "4 of 4"),
            ("$.elapsed_s", "1 of 4"),
        ]
        if back is None:
            stage.qtbot.keyClick(tree, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
        else:
            stage.qtbot.keyClick(tree, back)
        assert stage.position == "4 of 4"
        tree.setCurrentIndex(tree.model().index(0, 0))
        assert stage.position == ""
        stage.click("Next difference")
        assert stage.position == "1 of 4"


async def test_a_fold_opens_and_everything_can_be_shown(compared: Compared) -> None:
    async with compared() as stage:
        tree = stage.view.tree
        tree.setFocus()
        fold = next(index for index in iter_rows(tree.model()) if tree.differences.row_at(index).side is RowSide.FOLD)
        tree.setCurrentIndex(fold)
        stage.qtbot.keyClick(tree, Qt.Key.Key_Return)
        assert '  4: { file: "e.py", line: 7, text: "find e" }' in stage.lines
        assert tree.differences.path_of(tree.differences.index(0, 0, fold)) == "$.matches[4]"
        stage.click("Only differences")
        assert not any("unchanged" in line for line in stage.lines)
        assert stage.count == "4 differences"


def iter_rows(model: QAbstractItemModel) -> list[QModelIndex]:
    found, waiting = [], [model.index(0, 0)]
    while waiting:
        index = waiting.pop()
        found.append(index)
        waiting += [model.index(row, 0, index) for row in range(model.rowCount(index))]
    return found


async def test_arguments_have_a_tab_of_their_own(compared: Compared) -> None:
    async with compared() as stage:
        stage.qtbot.keyClick(stage.view, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
        assert stage.view.part == ARGUMENTS
        assert stage.lines[1:] == ['  path: "src"', "- limit: 200", "+ limit: 500"]
        assert stage.view.path.notice == ""
        stage.view.tree.copy_value()
        assert QGuiApplication.clipboard().text() == "200"
        stage.click("Copy path")
        assert QGuiApplication.clipboard().text() == "$.limit"


async def test_text_is_compared_when_it_is_wanted(compared: Compared) -> None:
    async with compared() as stage:
        view = stage.view
        assert view.compared_text(RESULT) is None
        stage.click("Text")
        await stage.until(view.text.isVisible)
        assert (stage.count, stage.position) == ("4 differences", "1 of 4")
        rows = [view.text.row_text(row) for row in range(view.text.row_count)]
        assert rows[2:4] == ['-   "elapsed_s": 0.031,', '+   "elapsed_s": 0.029,']
        assert any(row.endswith("unchanged lines") for row in rows)
        assert view.text.place_words() == "line 3 before"
        view.text.setFocus()
        stage.qtbot.keyClick(view.text, Qt.Key.Key_N)
        assert stage.position == "2 of 4"
        stage.qtbot.keyClick(view.text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == '-       "text": "find d"'
        stage.click("Side by side")
        assert view.text.row_text(2) == '-   "elapsed_s": 0.031,\n+   "elapsed_s": 0.029,'
        stage.click("Only differences")
        assert view.text.row_count > len(rows)
        assert not any("unchanged" in view.text.row_text(row) for row in range(view.text.row_count))


async def test_a_fold_of_lines_opens_by_key_and_by_mouse(compared: Compared) -> None:
    async with compared() as stage:
        text = stage.view.text
        stage.click("Text")
        await stage.until(text.isVisible)
        text.setFocus()
        before = text.row_count
        folds = [row for row in range(before) if "unchanged" in text.row_text(row)]
        for _ in range(folds[0]):
            stage.qtbot.keyClick(text, Qt.Key.Key_Down)
        while "unchanged" not in text.row_text(text._caret):
            stage.qtbot.keyClick(text, Qt.Key.Key_Up)
        stage.qtbot.keyClick(text, Qt.Key.Key_Return)
        assert text.row_count > before


async def test_paths_are_passed_over(compared: Compared) -> None:
    async with compared() as stage:
        field = stage.view.findChild(QLineEdit, "ignored paths")
        assert field is not None
        stage.qtbot.keyClicks(field, ".elapsed_s, $.truncated")
        stage.qtbot.keyClick(field, Qt.Key.Key_Return)
        await stage.ready()
        assert stage.count == "2 differences"
        stage.click("Text")
        await stage.until(stage.view.text.isVisible)
        assert stage.count == "2 differences"
        assert "elapsed_s" not in stage.view.text.accessibleDescription()


async def test_identical_calls_say_so(compared: Compared) -> None:
    async with compared(OLD, OLD) as stage:
        assert stage.count == "No differences"
        assert stage.view.state.isVisible()
        assert stage.view.state.accessibleName() == "Identical result. Nothing differs between the two calls."
        assert not stage.button("Next difference").isEnabled()
        stage.click("Only differences")
        assert stage.lines[1] == '  query: "TODO"'
        stage.view.show_next()
        assert stage.position == ""
        for kind in ("unified", "json"):
            stage.copy_as(kind)
            await stage.ready()
            assert stage.view.path.notice == "Nothing differs, so there is nothing to copy."


async def test_sides_are_swapped(compared: Compared) -> None:
    async with compared() as stage:
        stage.click("Swap sides")
        await stage.ready()
        assert (stage.view.left, stage.view.right) == (NEW, OLD)
        assert stage.view.head.kinds.text == "3 changed · 1 removed"
        assert "- elapsed_s: 0.029" in stage.lines


async def test_the_comparison_is_copied_as_a_patch(compared: Compared) -> None:
    async with compared() as stage:
        stage.copy_as("json")
        await stage.ready()
        operations = json.loads(QGuiApplication.clipboard().text())
        assert {"op": "replace", "path": "/elapsed_s", "value": 0.029} in operations
        assert stage.view.path.notice == "The JSON Patch is on the clipboard: 4 operations."
        stage.copy_as("unified")
        await stage.ready()
        patch = QGuiApplication.clipboard().text()
        assert patch.startswith("--- search_files 14:31:58 · you\n+++ search_files 14:32:05 · you\n@@ -1,6 +1,6 @@\n")
        assert stage.view.path.notice == f"The unified diff is on the clipboard: {patch.count(chr(10))} lines."


async def test_texts_are_compared_as_texts_only(compared: Compared) -> None:
    async with compared(ComparedSide("a", result="one\ntwo"), ComparedSide("b", result="one\n2")) as stage:
        await stage.until(stage.view.text.isVisible)
        assert not stage.button("Tree").isEnabled()
        assert stage.view.text.row_text(1) == "- two"
        stage.view.show_part(ARGUMENTS)
        assert stage.view.state.accessibleName().startswith("Neither call has arguments")


async def test_a_call_without_a_result_against_one_with(compared: Compared) -> None:
    async with compared(ComparedSide("a", "", {}, MISSING), NEW) as stage:
        assert stage.view.head.kinds.text == "1 added"
        stage.copy_as("json")
        await stage.ready()
        assert stage.view.path.notice == "A JSON Patch needs a value on both sides."


async def test_a_presenter_that_comes_later_compares_what_is_there(qtbot: QtBot) -> None:
    scope, view = TaskScope("test"), ComparisonView()
    qtbot.addWidget(view)
    view.set_sides(OLD, NEW)
    presenter = ComparisonPresenter(view, _compute, scope)
    stage = Stage(qtbot, scope, view)
    await stage.ready()
    assert stage.count == "4 differences"
    presenter.close()
    await scope.close()


@pytest.mark.expects_log("console.comparison")
async def test_a_comparison_that_fails_says_why(qtbot: QtBot) -> None:
    async def broken(function: Callable[..., Any], *args: Any) -> Any:
        raise MemoryError("too large")

    scope, view = TaskScope("test"), ComparisonView()
    qtbot.addWidget(view)
    presenter = ComparisonPresenter(view, broken, scope)
    view.set_sides(OLD, NEW)
    await Stage(qtbot, scope, view).ready()
    assert view.state.accessibleName() == "The two could not be compared. too large"
    presenter.close()
    await scope.close()


async def test_the_dialog_compares_and_lets_go_when_it_closes(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    scope = TaskScope("test")
    dialog = open_comparison(window, OLD, NEW, compute=_compute, scope=scope)
    stage = Stage(qtbot, scope, dialog.view)
    await stage.ready()
    assert stage.count == "4 differences"
    assert (dialog.width(), dialog.height()) == (min(1160, dialog.screen().availableSize().width() - 4), 760)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    await scope.close()


class TestModel:
    def _model(self, left: Any, right: Any, *, only: bool = True) -> DifferenceModel:
        model = DifferenceModel()
        model.show(compare(left, right).root, only_differences=only)
        return model

    @pytest.mark.parametrize("only", [True, False])
    def test_it_keeps_qts_rules(self, qtmodeltester: ModelTester, only: bool) -> None:
        left = {"numbers": list(range(1_200)), "rows": LEFT["matches"], "gone": [1, {"a": 2}]}
        right = {"numbers": [-1, *range(1_200)], "rows": RIGHT["matches"], "x": None}
        model = self._model(left, right, only=only)
        qtmodeltester.check(model)
        # The tester has made the first rows everywhere; it stays and watches what the model tells.
        model.index_at((0, 1_200))
        model.show(compare(1, 2).root, only_differences=only)
        model.show(None, only_differences=only)

    @pytest.mark.parametrize("only", [True, False])
    def test_every_difference_has_a_row(self, only: bool) -> None:
        left = {"rows": [{"id": number, "v": number % 7} for number in range(1_500)], "gone": [1, {"a": 2}]}
        right = {"rows": [{"id": number, "v": number % 8} for number in range(1, 1_500)], "x": None}
        root = compare(left, right).root
        model = self._model(left, right, only=only)

        for place in difference_places(root)[::50]:
            index = model.index_at(place)
            assert index.isValid()
            assert model.place_of(index) == place
            row = model.row_at(index)
            assert row.node.differs

    @pytest.mark.parametrize("only", [True, False])
    def test_very_many_parts_stand_behind_ranges(self, only: bool) -> None:
        left, right = list(range(5_000)), [-number for number in range(5_000)]
        root = compare(left, right).root
        model = self._model(left, right, only=only)
        top = model.index(0, 0)
        model.make_more(top)

        assert model.rowCount(top) == 10
        assert model.index(1, 0, top).data() == "500 to 999, 500 differences"
        places = difference_places(root)
        for place in (places[0], places[499], places[500], places[-1]):
            assert model.place_of(model.index_at(place)) == place
        assert model.path_of(model.index_at(places[-1])) == "$[4999]"

    def test_parts_of_what_was_removed_were_removed(self) -> None:
        model = self._model({"a": {"b": [1, 2]}}, {})
        index = model.index_at((0,))
        model.fetchMore(index)
        inner = model.index(0, 0, index)

        assert (model.row_at(inner).change.value, model.path_of(inner)) == ("removed", "$.a.b")
        assert inner.data(Qt.ItemDataRole.AccessibleTextRole) == "b: 2 items (removed)"

    def test_a_changed_whole_has_two_rows(self) -> None:
        model = self._model([1], {"a": 2})

        assert model.rowCount() == 2
        for number, inside in ((0, "0: 1"), (1, "a: 2")):
            top = model.index(number, 0)
            model.fetchMore(top)
            assert model.index(0, 0, top).data() == inside

    def test_a_place_that_is_none_has_no_row(self) -> None:
        model = self._model([1], [2])

        assert not model.index_at((7,)).isValid()
        model.show(None, only_differences=True)
        assert not model.index_at(()).isValid()


@pytest.mark.parametrize("other", ["search_files", "read_file"])
def test_calls_of_two_tools_are_compared_with_a_warning(qtbot: QtBot, other: str) -> None:
    view = ComparisonView()
    qtbot.addWidget(view)
    view.show()
    view.set_sides(ComparedSide("search_files", "12:00"), ComparedSide(other, "12:01"))

    assert view.warning.isVisible() is (other == "read_file")
    if other == "read_file":
        assert view.warning.text == "Two tools: search_files and read_file. What differs may only come of that."


def test_a_tab_counts_with_the_separators_of_the_language(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view = ComparisonView()
    qtbot.addWidget(view)
    tree = compare({}, {f"{number}": number for number in range(1_200)})
    monkeypatch.setattr(language, "_catalogue", language.Catalogue("de"))
    view.show_tree(ARGUMENTS, ComparedTree(tree, tuple(difference_places(tree.root))))
    assert view.head.tabs.tabData(ARGUMENTS) == "1.200"
