"""Tests for `console.batch.editors_table_view`: cells written in place, rows dragged, copied and taken out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from console.batch.editors_table_view import TableEditing
from console.batch.model import PlanModel
from console.batch.rows import Group, PlanColumn, StepFacts, planned_steps
from console.batch.table_view import PlanTableView
from tools.batch import BatchPlan, StepState

NAMES = ("load", "join", "chart", "post")


class Bench:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        steps = [{"id": name, "tool": "t"} for name in NAMES]
        self.model = PlanModel()
        self.model.show_plan(planned_steps(BatchPlan.model_validate({"steps": steps})))
        self.table = PlanTableView(self.model)
        self.editing = TableEditing(self.table, self.model)
        self.heard: list[tuple[Any, ...]] = []
        self.refusal = ""
        self.editing.moved.connect(self._listener("moved"))
        self.editing.requested.connect(self._hear)
        self.editing.refused_late.connect(self._listener("refused_late"))
        self.editing.edit_requested.connect(self._answer)
        self.editing.committed.connect(self._take)
        qtbot.addWidget(self.table)
        self.table.resize(1000, 300)
        self.table.show()
        self.table.activateWindow()
        self.table.setFocus()
        qtbot.waitUntil(self.table.hasFocus)

    def _hear(self, key: str, places: list[int]) -> None:
        self.heard.append((key, places))

    def _listener(self, name: str) -> Any:
        def hear(*facts: Any) -> None:
            self.heard.append((name, *facts))

        return hear

    def _answer(self, place: int, column: int) -> None:
        row = self.model.rows[place].planned
        text = row.step if column == PlanColumn.STEP else row.tool if column == PlanColumn.TOOL else ""
        self.editing.edit(place, column, text, ("read_csv", "write_csv") if column == PlanColumn.TOOL else ())

    def _take(self, place: int, column: int, text: str) -> None:
        self.heard.append(("committed", place, column, text))
        if self.refusal:
            self.editing.refuse(self.refusal)

    def choose(self, *places: int) -> None:
        self.editing.choose(places)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.table, key, modifier)

    def double_click(self, place: int, column: PlanColumn) -> QLineEdit:
        at = self.table.visualRect(self.model.index(place, column)).center()
        self.qtbot.mouseClick(self.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        self.qtbot.mouseDClick(self.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert self.editing.editor is not None
        return self.editing.editor

    def drag(self, place: int, to_y: int, *, drop: bool = True) -> None:
        view = self.table.viewport()
        start = self.table.visualRect(self.model.index(place, PlanColumn.NUMBER)).center()
        self.qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
        for y in (start.y() + 20, to_y):
            here = QPointF(start.x(), y)
            left = Qt.MouseButton.LeftButton
            event = QMouseEvent(
                QEvent.Type.MouseMove, here, view.mapToGlobal(here), left, left, Qt.KeyboardModifier.NoModifier
            )
            QApplication.sendEvent(view, event)
        if drop:
            self.qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(start.x(), to_y))

    def top(self, place: int) -> int:
        return self.table.visualRect(self.model.index(place, 0)).top()


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    bench = Bench(qtbot)
    yield bench
    bench.editing.cancel()


def test_a_double_click_writes_a_cell(bench: Bench) -> None:
    editor = bench.double_click(1, PlanColumn.STEP)

    assert (editor.text(), editor.selectedText(), editor.accessibleName()) == ("join", "join", "Step of step 2")
    bench.qtbot.keyClicks(editor, "merge")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Return)

    assert bench.heard == [("committed", 1, PlanColumn.STEP, "merge")]
    assert bench.editing.editor is None
    assert bench.table.hasFocus()


def test_what_a_run_tells_is_not_written(bench: Bench) -> None:
    at = bench.table.visualRect(bench.model.index(0, PlanColumn.STATUS)).center()
    bench.qtbot.mouseDClick(bench.table.viewport(), Qt.MouseButton.LeftButton, pos=at)

    assert bench.editing.editor is None


def test_what_is_refused_says_why_and_stays_open(bench: Bench) -> None:
    bench.refusal = "Another step is called 'load'"
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "load")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Return)

    assert bench.editing.editor is editor
    assert editor.accessibleDescription() == "Another step is called 'load'"
    bench.qtbot.keyClicks(editor, "2")
    assert editor.accessibleDescription() == ""
    bench.refusal = ""
    bench.qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert bench.heard[-1] == ("committed", 1, PlanColumn.STEP, "load2")
    assert bench.editing.editor is None


def test_esc_gives_up_and_nothing_written_is_nothing_changed(bench: Bench) -> None:
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "x")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Escape)
    bench.qtbot.keyClick(bench.double_click(2, PlanColumn.STEP), Qt.Key.Key_Return)

    assert bench.heard == []
    assert bench.editing.editor is None


def test_tab_goes_on_to_the_next_cell_and_the_next_row(bench: Bench) -> None:
    bench.choose(0)
    bench.press(Qt.Key.Key_F2)
    for key, column, place in (
        (Qt.Key.Key_Tab, PlanColumn.TOOL, 0),
        (Qt.Key.Key_Tab, PlanColumn.ARGUMENTS, 0),
        (Qt.Key.Key_Tab, PlanColumn.AFTER, 0),
        (Qt.Key.Key_Tab, PlanColumn.STEP, 1),
        (Qt.Key.Key_Backtab, PlanColumn.AFTER, 0),
    ):
        assert bench.editing.editor is not None
        bench.qtbot.keyClick(bench.editing.editor, key)
        assert bench.editing.editor is not None
        assert (bench.editing.editor.index.row(), bench.editing.editor.index.column()) == (place, column)
    assert bench.heard == []


def test_tab_passes_over_columns_that_are_left_out(bench: Bench) -> None:
    bench.table.setColumnHidden(PlanColumn.ARGUMENTS, True)
    editor = bench.double_click(0, PlanColumn.TOOL)
    bench.qtbot.keyClick(editor, Qt.Key.Key_Tab)

    assert bench.editing.editor is not None
    assert bench.editing.editor.index.column() == PlanColumn.AFTER


def test_tab_leaves_a_cell_whose_column_was_hidden_meanwhile(bench: Bench) -> None:
    editor = bench.double_click(0, PlanColumn.TOOL)
    bench.table.setColumnHidden(PlanColumn.TOOL, True)

    bench.qtbot.keyClick(editor, Qt.Key.Key_Tab)

    assert bench.editing.editor is not None
    assert bench.editing.editor.index.column() == PlanColumn.ARGUMENTS


def test_rows_are_copied_as_a_table_as_well(bench: Bench) -> None:
    bench.choose(0, 1)
    bench.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)

    assert bench.editing.clipboard_text.startswith("1\tload\tt\t")


def test_tab_stays_where_something_is_refused(bench: Bench) -> None:
    bench.refusal = "no"
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "x")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Tab)

    assert bench.editing.editor is editor


def test_who_goes_elsewhere_has_written(bench: Bench) -> None:
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "merge")
    bench.table.setFocus()
    assert bench.heard == [("committed", 1, PlanColumn.STEP, "merge")]


def test_what_is_refused_stays_in_its_field_when_somebody_goes_elsewhere(bench: Bench) -> None:
    bench.refusal = "no"
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "again")
    bench.table.setFocus()

    assert bench.heard == [("committed", 1, PlanColumn.STEP, "again"), ("refused_late", "Not taken over: no")]
    assert bench.editing.editor is editor
    assert (editor.text(), editor.accessibleDescription(), editor.isVisible()) == ("again", "no", True)
    bench.refusal = ""
    editor.setFocus()
    bench.qtbot.keyClicks(editor, "2")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert bench.heard[2:] == [("committed", 1, PlanColumn.STEP, "again2")]
    assert bench.editing.editor is None


def test_the_next_edit_of_a_cell_begins_with_what_was_refused_there(bench: Bench) -> None:
    bench.refusal = "no"
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "again")
    other = bench.double_click(3, PlanColumn.STEP)
    assert other.text() == "post"
    bench.qtbot.keyClick(other, Qt.Key.Key_Escape)
    bench.model.forget_run()

    editor = bench.double_click(1, PlanColumn.STEP)
    assert (editor.text(), editor.accessibleDescription()) == ("again", "no")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert bench.double_click(1, PlanColumn.STEP).text() == "join"


def test_what_was_refused_is_forgotten_when_the_cell_says_something_else(bench: Bench) -> None:
    bench.refusal = "no"
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "again")
    bench.table.setFocus()
    bench.editing.edit(1, PlanColumn.STEP, "merge")

    assert bench.editing.editor is not None
    assert bench.editing.editor.text() == "merge"


def test_tools_are_completed(bench: Bench) -> None:
    editor = bench.double_click(0, PlanColumn.TOOL)
    completer = editor.completer()
    assert completer is not None
    bench.qtbot.keyClicks(editor, "CSV")

    assert completer.completionCount() == 2


def test_what_is_written_goes_when_the_rows_change(bench: Bench) -> None:
    bench.double_click(0, PlanColumn.STEP)
    bench.model.forget_run()

    assert bench.editing.editor is None


@pytest.mark.parametrize(
    ("key", "modifier", "action"),
    [
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "remove"),
        (Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier, "duplicate"),
        (Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier, "copy"),
        (Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier, "cut"),
        (Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier, "paste"),
        (Qt.Key.Key_Insert, Qt.KeyboardModifier.NoModifier, "add"),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier, "up"),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier, "down"),
        (Qt.Key.Key_F4, Qt.KeyboardModifier.NoModifier, "sheet"),
    ],
)
def test_keys_ask_for_changes_of_the_selected_rows(
    bench: Bench, key: Qt.Key, modifier: Qt.KeyboardModifier, action: str
) -> None:
    bench.choose(1, 2)
    bench.press(key, modifier)

    assert bench.heard == [(action, [1, 2])]


def test_what_can_be_taken_back_is_told(bench: Bench) -> None:
    bench.editing.show_history("Remove load", "")

    assert bench.editing.actions["undo"].text() == "Undo: Remove load"
    assert not bench.editing.actions["redo"].isEnabled()
    bench.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bench.heard == [("undo", [])]


def test_changes_are_taken_back_from_a_panel_but_not_from_its_text_fields(bench: Bench) -> None:
    panel = QWidget()
    bench.qtbot.addWidget(panel)
    column = QVBoxLayout(panel)
    button, field, text = QPushButton("Fit"), QLineEdit(), QPlainTextEdit()
    for part in (button, field, text):
        column.addWidget(part)
    bench.editing.offer_history(panel)
    bench.editing.show_history("Remove load", "Add chart")
    panel.show()
    panel.activateWindow()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

    button.setFocus()
    bench.qtbot.waitUntil(button.hasFocus)
    bench.qtbot.keyClick(button, Qt.Key.Key_Z, control)
    bench.qtbot.keyClick(button, Qt.Key.Key_Z, control | shift)
    assert bench.heard == [("undo", []), ("redo", [])]

    for widget in (field, text):
        widget.setFocus()
        bench.qtbot.keyClicks(widget, "x")
        bench.qtbot.keyClick(widget, Qt.Key.Key_Z, control)
    assert (field.text(), text.toPlainText()) == ("", "")
    for widget in (field, text):
        widget.setFocus()
        bench.qtbot.keyClick(widget, Qt.Key.Key_Z, control)
        bench.qtbot.keyClick(widget, Qt.Key.Key_Z, control | shift)
    assert (field.text(), text.toPlainText()) == ("x", "x")
    assert len(bench.heard) == 2


def test_a_cell_that_is_written_takes_its_own_changes_back(bench: Bench) -> None:
    bench.editing.show_history("Remove load", "")
    editor = bench.double_click(1, PlanColumn.STEP)
    bench.qtbot.keyClicks(editor, "merge")
    bench.qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert editor.text() == "join"
    assert bench.heard == []


def test_while_a_plan_runs_it_is_only_copied(bench: Bench) -> None:
    bench.editing.set_editable(editable=False)
    bench.choose(0)
    for key, modifier in (
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
    ):
        bench.press(key, modifier)
    bench.drag(0, bench.top(3) + 2)
    bench.choose(0)
    bench.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert bench.heard == [("copy", [0])]
    assert bench.editing.editor is None


def test_a_row_is_dragged_by_its_number(bench: Bench) -> None:
    bench.drag(0, bench.top(2) + 4)
    assert bench.heard == [("moved", [0], 2)]
    bench.drag(3, bench.top(1) + 2)
    assert bench.heard[-1] == ("moved", [3], 1)
    bench.drag(1, 290)
    assert bench.heard[-1] == ("moved", [1], 4)


def test_several_rows_are_dragged_together(bench: Bench) -> None:
    bench.choose(0, 1)
    bench.drag(1, bench.top(3) + 25)

    assert bench.heard == [("moved", [0, 1], 4)]


def test_esc_gives_a_drag_up(bench: Bench) -> None:
    bench.drag(0, bench.top(2) + 4, drop=False)
    bench.press(Qt.Key.Key_Escape)
    bench.qtbot.mouseRelease(bench.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, bench.top(2)))

    assert bench.heard == []


def test_rows_are_named_by_their_place_in_the_plan(bench: Bench) -> None:
    bench.model.take({name: StepFacts(name, StepState.DONE) for name in ("load", "chart")}, None)
    bench.model.set_groups({Group.QUEUED})
    bench.choose(0, 1, 3)
    assert bench.editing.places == [1, 3]
    bench.press(Qt.Key.Key_Delete)
    bench.drag(0, 200)

    assert bench.heard == [("remove", [1, 3]), ("moved", [1, 3], 4)]
