"""Tests for `console.batch.editors_presenter` and the sheet of a step, over the table and the document as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from console.batch.document import PlanDocument
from console.batch.editors_presenter import PlanEditor
from console.batch.editors_step_view import StepSheet, options_schema, sources_for
from console.batch.editors_table_view import TableEditing
from console.batch.model import PlanModel
from console.batch.rows import PlanColumn, cells_of, planned_steps
from console.batch.table_view import PlanTableView
from tests.console.tool_cards import tools_of
from tools import ToolRegistry
from tools.batch import BatchPlan, Step
from tools.catalog import builtin_tools
from tools.errors import PlanProblem

PLAN = {
    "parameters": {"day": {"type": "string"}},
    "steps": [
        {"id": "load", "tool": "read_file", "arguments": {"path": "a.txt"}},
        {"id": "find", "tool": "search_files", "arguments": {"pattern": "${steps.load.result}"}, "timeout_s": 9},
        {"id": "last", "tool": "gone", "depends_on": ["find"]},
    ],
}


class Desk:
    """A plan, its table and its sheet, without the rest of the page."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.document = PlanDocument(BatchPlan.model_validate(PLAN))
        self.model = PlanModel()
        self.page = QWidget()
        self.table = PlanTableView(self.model)
        self.editing = TableEditing(self.table, self.model)
        self.sheet = StepSheet()
        row = QHBoxLayout(self.page)
        row.addWidget(self.table, 1)
        row.addWidget(self.sheet)
        self.sheet.hide()
        self.problems: list[PlanProblem] = []
        self.notices: list[str] = []
        self.document.subscribe(self._show)
        self._show()
        self.editor = PlanEditor(
            self.document,
            self.editing,
            self.sheet,
            tools=tools_of(ToolRegistry(builtin_tools())),
            problems=lambda: self.problems,
            folder=Path.cwd,
        )
        self.editor.noticed.connect(self.notices.append)
        qtbot.addWidget(self.page)
        self.page.resize(1300, 700)
        self.page.show()
        self.page.activateWindow()
        self.table.setFocus()
        qtbot.waitUntil(self.table.hasFocus)

    def _show(self) -> None:
        self.model.show_plan(planned_steps(self.document.plan))

    @property
    def names(self) -> list[str]:
        return [step.id for step in self.document.plan.steps]

    def step(self, place: int) -> Any:
        return self.document.plan.steps[place]

    def choose(self, *places: int) -> None:
        self.editing.choose(places)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.table, key, modifier)

    def write(self, place: int, column: PlanColumn, text: str) -> None:
        self.editing.edit_requested.emit(place, column)
        field = self.editing.editor
        assert field is not None
        field.selectAll()
        self.qtbot.keyClicks(field, text)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    @property
    def refusal(self) -> str:
        return "" if self.editing.editor is None else self.editing.editor.accessibleDescription()


def _inner(menu: QMenu, name: str, words: str) -> QAction:
    """Return an action of a menu inside a menu."""
    (place,) = [place for place in menu.findChildren(QMenu) if place.title() == name]
    return next(action for action in place.actions() if action.text() == words)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot)
    yield desk
    desk.editing.cancel()
    desk.editor.close_sheet()
    desk.editor.close()


def test_a_new_name_is_written_in_the_table_and_followed(desk: Desk) -> None:
    desk.write(0, PlanColumn.STEP, "read")

    assert desk.names == ["read", "find", "last"]
    assert desk.step(1).arguments == {"pattern": "${steps.read.result}"}
    desk.write(0, PlanColumn.STEP, "find")
    assert desk.refusal == "Another step is called 'find'; give this one a name of its own"


def test_a_renamed_step_stays_selected_unless_another_one_is_by_then(desk: Desk) -> None:
    desk.choose(1)
    desk.write(1, PlanColumn.STEP, "search")
    assert desk.editing.places == [1]
    desk.editor.open_sheet(1)
    desk.sheet.name.setText("seek")
    desk.sheet.apply.click()
    assert (desk.names[1], desk.editing.places) == ("seek", [1])
    desk.choose(0)
    desk.sheet.name.setText("sought")
    desk.sheet.apply.click()
    assert (desk.names[1], desk.editing.places) == ("sought", [0])


def test_a_key_that_is_pressed_again_before_the_table_knows_means_the_same_step(desk: Desk) -> None:
    desk.editing.requested.emit("remove", [1])
    desk.model.show_plan(planned_steps(BatchPlan.model_validate(PLAN)))
    desk.editing.requested.emit("remove", [1])
    desk.editing.moved.emit([2], 0)
    desk.editing.requested.emit("duplicate", [2])
    assert desk.names == ["load", "last", "last_2"]


def test_what_is_taken_back_is_selected_or_else_the_nearest_row(desk: Desk) -> None:
    back = Qt.KeyboardModifier.ControlModifier
    desk.choose(0, 1)
    desk.press(Qt.Key.Key_Delete)
    desk.press(Qt.Key.Key_Z, back)
    assert desk.editing.places == [0, 1]
    desk.choose(2)
    desk.press(Qt.Key.Key_D, back)
    assert desk.editing.places == [3]
    desk.press(Qt.Key.Key_Z, back)
    assert desk.editing.places == [2]
    desk.press(Qt.Key.Key_Z, back | Qt.KeyboardModifier.ShiftModifier)
    assert desk.editing.places == [3]


def test_esc_in_the_sheet_lets_the_keys_move_in_the_table_again(desk: Desk) -> None:
    desk.choose(0)
    desk.press(Qt.Key.Key_F4)
    field = desk.page.focusWidget()
    assert field is not None
    assert desk.sheet.isAncestorOf(field)
    desk.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert desk.sheet.isHidden()
    assert desk.table.hasFocus()


def test_cells_show_what_can_be_written_there(desk: Desk) -> None:
    shown = {}
    for column in (PlanColumn.STEP, PlanColumn.TOOL, PlanColumn.ARGUMENTS, PlanColumn.AFTER):
        desk.editing.edit_requested.emit(1, column)
        assert desk.editing.editor is not None
        shown[column] = desk.editing.editor.text()

    assert list(shown.values()) == ["find", "search_files", "pattern=${steps.load.result}", "1"]


def test_arguments_and_what_a_step_waits_for_are_written_in_short(desk: Desk) -> None:
    desk.write(0, PlanColumn.ARGUMENTS, 'path="b.txt" encoding=utf-8')
    desk.write(2, PlanColumn.AFTER, "1 find")

    assert desk.step(0).arguments == {"path": "b.txt", "encoding": "utf-8"}
    assert desk.step(2).depends_on == ("load", "find")
    desk.write(0, PlanColumn.AFTER, "3")
    assert "would be a circle" in desk.refusal
    desk.editing.cancel()
    desk.write(1, PlanColumn.AFTER, "7")
    assert desk.refusal.startswith("There is no step 7")


def test_an_added_step_wants_its_tool(desk: Desk) -> None:
    desk.choose(0)
    desk.press(Qt.Key.Key_Insert)

    field = desk.editing.editor
    assert field is not None
    assert (field.index.row(), field.index.column()) == (1, PlanColumn.TOOL)
    desk.qtbot.keyClicks(field, "read_csv")
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert desk.names == ["load", "step", "find", "last"]
    assert desk.step(1).tool == "read_csv"
    desk.editor.add_step()
    assert desk.names[-1] == "step_2"


def test_steps_are_copied_and_pasted_as_yaml(desk: Desk) -> None:
    desk.choose(0, 1)
    desk.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert desk.editing.clipboard_text.startswith("- id: load\n  tool: read_file\n")
    desk.choose(2)
    desk.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert desk.names == ["load", "find", "last", "load_2", "find_2"]
    assert desk.step(4).arguments == {"pattern": "${steps.load_2.result}"}
    assert desk.editing.places == [3, 4]
    desk.press(Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier)
    assert desk.names == ["load", "find", "last"]
    assert desk.editing.places == [2]
    desk.editing.put_on_clipboard("hello")
    desk.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert desk.notices[-1].startswith("The clipboard holds no steps")


def test_steps_come_and_go_and_move_and_all_is_taken_back(desk: Desk) -> None:
    desk.choose(2)
    desk.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert desk.names == ["load", "last", "find"]
    assert desk.editing.places == [1]
    desk.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    desk.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert desk.names == ["load", "find", "last"]
    desk.press(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert desk.names == ["load", "find", "last", "last_2"]
    desk.choose(0, 1)
    desk.press(Qt.Key.Key_Delete)
    assert desk.names == ["last", "last_2"]
    assert desk.notices == ["2 steps are taken out; Ctrl+Z brings them back"]
    for _ in range(4):
        desk.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.names == ["load", "find", "last"]
    assert not desk.document.is_dirty
    desk.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert desk.names == ["load", "last", "find"]


def test_the_sheet_writes_all_of_a_step(desk: Desk) -> None:
    desk.choose(1)
    desk.press(Qt.Key.Key_F4)
    sheet = desk.sheet
    assert sheet.isVisible()
    assert sheet.values.arguments == {"pattern": "${steps.load.result}"}
    assert sheet.values.options == {"timeout_s": 9.0}

    sheet.name.selectAll()
    desk.qtbot.keyClicks(sheet.name, "search")
    sheet.arguments.set_value({"pattern": "x", "path": "."})
    sheet.options.set_value({"retries": 2, "depends_on": ["load"], "rows": {"csv": "a.csv"}})
    desk.qtbot.mouseClick(sheet.apply, Qt.MouseButton.LeftButton)

    step = desk.step(1)
    assert (step.id, step.arguments, step.retries) == ("search", {"pattern": "x", "path": "."}, 2)
    assert (step.depends_on, step.timeout_s, step.rows.csv) == (("load",), None, "a.csv")
    assert desk.step(2).depends_on == ("search",)
    assert not sheet.is_dirty
    assert desk.document.undo_words == "Change find"
    desk.document.undo()
    assert sheet.values.name == "find"


def test_what_was_applied_keeps_the_focus(desk: Desk) -> None:
    desk.editor.open_sheet(0)
    editor = desk.sheet.arguments.form.editor(("path",))
    assert editor is not None
    editor.target.setFocus()
    desk.sheet.arguments.set_value({"path": "other.txt"})
    desk.qtbot.keyClick(editor.target, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert desk.step(0).arguments == {"path": "other.txt"}
    assert desk.sheet.arguments.form.editor(("path",)) is editor
    assert editor.target.hasFocus()


def test_ctrl_enter_in_the_sheet_applies_and_does_not_run_the_plan(desk: Desk) -> None:
    ran: list[bool] = []
    run = QShortcut(QKeySequence("Ctrl+Return"), desk.page)
    run.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    run.activated.connect(_listener(ran))
    desk.editor.open_sheet(0)
    desk.sheet.name.setText("first")
    desk.sheet.name.setFocus()
    desk.qtbot.keyClick(desk.sheet.name, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert (desk.names[0], ran) == ("first", [])

    desk.table.setFocus()
    desk.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert ran == [True]


def _listener(heard: list[bool]) -> Callable[[], None]:
    def hear() -> None:
        heard.append(True)

    return hear


def test_what_the_sheet_cannot_say_is_refused_whole(desk: Desk) -> None:
    desk.editor.open_sheet(0)
    desk.sheet.name.setText("find")
    desk.sheet.options.set_value({"retries": 3})
    desk.qtbot.mouseClick(desk.sheet.apply, Qt.MouseButton.LeftButton)

    assert desk.step(0).retries == 0
    assert desk.sheet.is_dirty


def test_another_tool_shows_its_arguments_and_keeps_those_of_the_same_name(desk: Desk) -> None:
    desk.editor.open_sheet(0)
    desk.sheet.tool.setText("search_files")
    desk.sheet.tool_changed.emit("search_files")

    assert "pattern" in desk.sheet.arguments.document.schema["properties"]
    assert desk.sheet.arguments.value()["path"] == "a.txt"


def test_an_argument_is_taken_from_an_earlier_step(desk: Desk) -> None:
    desk.editor.open_sheet(1)
    menu = desk.sheet.take.menu()
    assert menu is not None
    menu.aboutToShow.emit()
    _inner(menu, "max_results", "Result of load").trigger()

    assert desk.sheet.values.arguments["max_results"] == "${steps.load.result}"
    assert not [error for error in desk.sheet.arguments.errors() if error.path == ("max_results",)]
    menu.aboutToShow.emit()
    _inner(menu, "max_results", "Write a value").trigger()
    assert "max_results" not in desk.sheet.values.arguments


def test_nothing_is_taken_from_a_step_that_waits_for_this_one(desk: Desk) -> None:
    desk.document.insert([Step(id="apart", tool="read_file")])

    def offered(place: int) -> list[str]:
        desk.editor.open_sheet(place)
        return [words for words, _ in desk.sheet.card.sources()]

    assert offered(0) == ["Parameter day", "Result of apart"]
    assert offered(1) == ["Parameter day", "Result of load", "Result of apart"]
    assert offered(2) == ["Parameter day", "Result of find", "Result of load", "Result of apart"]


def test_a_circle_over_arguments_is_refused_in_place_as_one_over_runs_after_is(desk: Desk) -> None:
    words = "load → last → find → load would be a circle, each waiting for the next"
    desk.editor.open_sheet(0)
    desk.sheet.arguments.set_value({"path": "${steps.last.result}"})
    desk.sheet.apply.click()

    assert words in [label.text() for label in desk.sheet.findChildren(QLabel) if label.isVisible()]
    assert desk.step(0).arguments == {"path": "a.txt"}
    desk.sheet.arguments.set_value({"path": "a.txt"})
    desk.write(0, PlanColumn.ARGUMENTS, "path=${steps.last.result}")
    assert desk.refusal == words
    assert desk.step(0).arguments == {"path": "a.txt"}


def test_the_sheet_follows_the_selection_unless_something_is_written(desk: Desk) -> None:
    desk.editor.open_sheet(0)
    desk.editor.follow_selection(2)
    assert desk.sheet.values.name == "last"
    desk.sheet.name.setText("other")
    desk.editor.follow_selection(1)
    assert desk.sheet.values.name == "other"


def test_a_tool_that_is_not_here_is_told_and_problems_are_shown(desk: Desk) -> None:
    desk.editor.open_sheet(2)
    desk.problems = [PlanProblem("steps[2].tool", "no tool is called 'gone'", "last"), PlanProblem("steps[0].x", "no")]
    desk.editor.look_again()

    words = next(
        label.text()
        for label in desk.sheet.findChildren(QLabel)
        if label.accessibleName() == "What is wrong with the step"
    )
    assert words == "tool: no tool is called 'gone'"


def test_while_it_runs_a_step_gets_other_arguments_and_nothing_else(desk: Desk) -> None:
    desk.editor.set_running(running=True)
    desk.choose(0)
    desk.press(Qt.Key.Key_Delete)
    desk.editor.open_sheet(0)
    desk.sheet.arguments.set_value({"path": "b.txt"})
    desk.qtbot.mouseClick(desk.sheet.apply, Qt.MouseButton.LeftButton)
    assert desk.step(0).arguments == {"path": "b.txt"}

    desk.sheet.name.setText("other")
    desk.qtbot.mouseClick(desk.sheet.apply, Qt.MouseButton.LeftButton)
    assert desk.names == ["load", "find", "last"]
    desk.editor.set_running(running=False)
    desk.qtbot.mouseClick(desk.sheet.apply, Qt.MouseButton.LeftButton)
    assert desk.names == ["other", "find", "last"]


def test_calls_become_steps_as_they_are(desk: Desk) -> None:
    desk.editor.add_calls([("read_file", {"path": "${x}"}), ("read_file", {})])

    assert desk.names[3:] == ["read_file", "read_file_2"]
    assert desk.step(3).arguments == {"path": "$${x}"}


def test_steps_are_connected_or_why_not(desk: Desk) -> None:
    assert desk.editor.connect_steps("load", "last") == ""
    assert desk.step(2).depends_on == ("find", "load")
    assert "would be a circle" in desk.editor.connect_steps("last", "load")


def test_problems_stand_at_their_cells(desk: Desk) -> None:
    problems = [
        PlanProblem("steps[0].arguments.path", "expected a text", "load"),
        PlanProblem("steps[0].arguments.limit", "no such argument", "load"),
        PlanProblem("steps[2].tool", "no tool is called 'gone'", "last"),
        PlanProblem("steps[2].depends_on", "no step is called 'x'", "last"),
        PlanProblem("steps[1].condition", "expected an expression", "find"),
        PlanProblem("steps", "find waits for itself", "find"),
    ]
    desk.model.show_cell_problems(cells_of(problems, desk.document.plan))

    def at(place: int, column: PlanColumn) -> str:
        return str(desk.model.index(place, column).data(Qt.ItemDataRole.ToolTipRole))

    assert at(0, PlanColumn.ARGUMENTS) == "path: expected a text\nlimit: no such argument"
    assert at(2, PlanColumn.TOOL) == "no tool is called 'gone'"
    assert at(2, PlanColumn.AFTER) == "no step is called 'x'"
    assert at(1, PlanColumn.STEP) == "condition: expected an expression"
    assert at(1, PlanColumn.AFTER) == "find waits for itself"
    desk.editing.edit_requested.emit(2, PlanColumn.TOOL)
    assert desk.refusal == "no tool is called 'gone'"
    desk.editing.cancel()
    assert not desk.table.grab().isNull()
    desk.model.show_cell_problems({})
    assert at(2, PlanColumn.TOOL) == "gone"


def test_two_steps_of_one_name_are_both_wrong() -> None:
    plan = BatchPlan.model_validate({"steps": [{"id": "a", "tool": "t"}, {"id": "a", "tool": "t"}]})

    assert cells_of([PlanProblem("steps", "2 steps are called 'a'", "a")], plan) == {
        0: {PlanColumn.STEP: "2 steps are called 'a'"},
        1: {PlanColumn.STEP: "2 steps are called 'a'"},
    }


def test_of_very_many_steps_the_nearest_are_offered_and_others_written() -> None:
    many = [f"s{number}" for number in range(500)]
    schema = options_schema(many, is_repeatable=True)

    assert schema["properties"]["depends_on"]["items"] == {"type": "string"}
    sources = sources_for(many, ["day"], has_rows=True)
    assert sources[:4] == [
        ("This row", "${row}"),
        ("The row's number", "${index}"),
        ("Parameter day", "${parameters.day}"),
        ("Result of s0", "${steps.s0.result}"),
    ]
    assert len(sources) == 30
    assert sources_for(["a-b"], [], has_rows=False) == [("Result of a-b", '${steps."a-b".result}')]


def draft(desk: Desk, place: int, path: str) -> None:
    """Write an argument in the sheet of a step, and leave it there."""
    desk.editor.open_sheet(place)
    desk.sheet.arguments.set_value({"path": path})
    assert desk.sheet.is_dirty


def test_the_sheet_belongs_to_its_step_wherever_that_goes(desk: Desk) -> None:
    draft(desk, 0, "b.txt")
    desk.document.move([0], 3)
    desk.document.rename(2, "read")
    desk.sheet.applied.emit()

    assert desk.names == ["find", "last", "read"]
    assert desk.step(2).arguments == {"path": "b.txt"}
    assert desk.step(0).tool == "search_files"


def test_a_clean_sheet_follows_its_step(desk: Desk) -> None:
    desk.editor.open_sheet(0)
    desk.document.move([0], 3)

    assert desk.sheet.values.name == "load"
    desk.document.remove([2])
    assert desk.sheet.isHidden()


def test_what_is_written_of_a_step_that_is_taken_out_goes_nowhere_else_and_comes_back_with_it(desk: Desk) -> None:
    draft(desk, 0, "b.txt")
    desk.document.remove([0])
    desk.sheet.applied.emit()

    assert [step.arguments for step in desk.document.plan.steps] == [PLAN["steps"][1]["arguments"], {}]  # type: ignore[index]
    assert any("load is not in the plan any more" in label.text() for label in desk.sheet.findChildren(QLabel))
    assert not desk.editor.take_draft()
    desk.document.undo()
    assert desk.editor.take_draft()
    assert desk.step(0).arguments == {"path": "b.txt"}


def test_what_is_written_in_the_sheet_is_taken_over_before_another_step_is_opened(desk: Desk) -> None:
    draft(desk, 0, "b.txt")
    desk.editor.open_sheet(0)
    assert desk.sheet.is_dirty
    desk.editor.open_sheet(1)

    assert desk.step(0).arguments == {"path": "b.txt"}
    assert desk.sheet.values.name == "find"
    desk.sheet.name.setText("last")
    desk.editor.open_sheet(0)
    assert desk.sheet.values.name == "last"
    assert desk.notices[-1] == "What is written in the sheet of find could not be taken over"


def test_arguments_that_cannot_be_read_are_not_given_up(desk: Desk) -> None:
    desk.editor.open_sheet(0)
    desk.sheet.arguments.set_mode("json")
    desk.sheet.arguments.document.set_text('{"path": ')

    assert desk.sheet.is_dirty
    assert not desk.editor.take_draft()
    assert desk.step(0).arguments == {"path": "a.txt"}
