"""The approval dialog, driven by mouse and keyboard through its accessible names."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.approval.approval_queue import ApprovalQueue
from console.approval.dialog import ApprovalDialog
from console.approval.model import ApprovalModel
from console.approval.presenter import ApprovalPresenter
from console.approval.queue_rows import batch_of, pending_row
from console.engine import Engine
from console.schema_form import JsonTextEdit
from console.widgets import Button
from tests.console.approval_questions import (
    DESTRUCTIVE,
    OUTSIDE,
    PLAN,
    TOOLS,
    Clock,
    objections,
    plan_question,
    question,
)
from tools import (
    CallStatus,
    Continue,
    Edit,
    Executor,
    ExitEarly,
    ReviewDecision,
    ReviewRequest,
    RiskClass,
    ToolRegistry,
    ToolResponse,
    resolve_tools,
)
from tools.calls import MASK
from tools.errors import ExitEarlyError

Kind = TypeVar("Kind", bound=QWidget)


@dataclass
class _Console:
    """A window with a desk, its presenter and an engine."""

    qtbot: QtBot
    engine: Engine
    window: QWidget
    desk: ApprovalQueue = field(default_factory=ApprovalQueue)
    clock: Clock = field(default_factory=Clock)
    dialogs: list[ApprovalDialog] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk.set_objections(objections)
        self.presenter = ApprovalPresenter(
            self.desk, self._open, now=self.clock.now, clock=self.clock.seconds, parent=self.desk
        )

    def ask(self, request: ReviewRequest, *, armed: bool = True) -> concurrent.futures.Future[ReviewDecision]:
        waiting = self.presenter.waiting
        asked = self.engine.submit(self.desk.review, request)
        self.qtbot.waitUntil(lambda: self.presenter.waiting == waiting + 1)
        self.qtbot.waitUntil(lambda: bool(self.dialogs) and self.dialog.isActiveWindow())
        if armed:
            self.arm()
        return asked

    def arm(self) -> None:
        self.clock.s += 0.7
        self.presenter.tick()

    def settle(self) -> None:
        """Let the dialog lay itself out and paint."""
        self.qtbot.wait(1)

    @property
    def dialog(self) -> ApprovalDialog:
        return self.dialogs[-1]

    def named(self, kind: type[Kind], name: str) -> Kind:
        found = [widget for widget in self.dialog.findChildren(kind) if widget.accessibleName() == name]
        assert len(found) == 1, [widget.accessibleName() for widget in self.dialog.findChildren(kind)]
        return found[0]

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(self.named(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        self.qtbot.keyClick(focused, key, modifier)

    def type_into(self, name: str, text: str) -> None:
        line = self.named(QLineEdit, name)
        line.setFocus()
        line.selectAll()
        self.qtbot.keyClicks(line, text)

    def type_number(self, name: str, text: str) -> None:
        line = self.named(QWidget, name).findChild(QLineEdit)
        assert line is not None
        line.setFocus()
        line.selectAll()
        self.qtbot.keyClicks(line, text)

    def shown(self, name: str) -> bool:
        return self.named(QAbstractButton, name).isVisible()

    def enabled(self, name: str) -> bool:
        return self.named(QAbstractButton, name).isEnabled()

    def _open(self, model: ApprovalModel) -> ApprovalDialog:
        self.dialogs.append(ApprovalDialog(model, self.window, base=Path("/home/mira")))
        self.dialog.open_soon()
        return self.dialog


@pytest.fixture
def console(qtbot: QtBot) -> Iterator[_Console]:
    window = QWidget()
    window.resize(1180, 800)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    engine = Engine()
    engine.start()
    console = _Console(qtbot, engine, window)
    yield console
    console.presenter.deny_all("the test is over")
    assert engine.stop()


def _answer(asked: concurrent.futures.Future[ReviewDecision]) -> ReviewDecision:
    return asked.result(timeout=5)


def test_deny_has_the_focus_and_enter_presses_it(console: _Console) -> None:
    asked = console.ask(question(), armed=False)

    assert QApplication.focusWidget() is console.named(QAbstractButton, "Deny")
    console.press(Qt.Key.Key_Return)
    assert _answer(asked) == ExitEarly()


@pytest.mark.reference("A11", "D35")
def test_a_click_allows_once(console: _Console) -> None:
    asked = console.ask(question("delete_file", None, DESTRUCTIVE, OUTSIDE))
    assert not console.shown("Allow edited")
    console.click("Allow once")

    assert _answer(asked) == Continue()


def test_a_and_enter_allow_but_only_once_armed(console: _Console) -> None:
    asked = console.ask(question(), armed=False)
    console.press(Qt.Key.Key_A)
    console.click("Allow once")
    console.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not console.enabled("Allow once")
    assert not asked.done()

    console.arm()
    console.press(Qt.Key.Key_A)
    assert QApplication.focusWidget() is console.named(QAbstractButton, "Allow once")
    console.press(Qt.Key.Key_D)
    assert QApplication.focusWidget() is console.named(QAbstractButton, "Deny")
    console.press(Qt.Key.Key_A)
    console.press(Qt.Key.Key_Return)
    assert _answer(asked) == Continue()


def test_control_enter_allows_once_when_nothing_was_edited(console: _Console) -> None:
    asked = console.ask(question())
    console.press(Qt.Key.Key_Enter, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.KeypadModifier)

    assert _answer(asked) == Continue()


@pytest.mark.reference("D34")
def test_an_edit_is_marked_and_allowed(console: _Console) -> None:
    asked = console.ask(question())
    console.type_into("argument path", "/home/mira/exports/2023/tmp")
    arguments = console.dialog.review.arguments
    assert arguments is not None
    row = arguments.rows[0]
    assert row.is_edited
    assert row.diff.accessibleName() == "was /home/mira/exports/2023, is now /home/mira/exports/2023/tmp"
    assert console.named(QAbstractButton, "Allow once").text() == "Allow once as asked"
    console.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    console.qtbot.waitUntil(asked.done)
    assert _answer(asked) == Edit({"path": "/home/mira/exports/2023/tmp", "recursive": True, "missing_ok": False})


def test_an_edited_call_can_still_be_allowed_as_asked(console: _Console) -> None:
    asked = console.ask(question())
    console.named(QCheckBox, "argument recursive").click()
    console.click("Allow once")

    assert _answer(asked) == Continue()


def test_undo_brings_back_what_was_asked(console: _Console) -> None:
    asked = console.ask(question())
    console.type_into("argument path", "/tmp")
    console.named(QCheckBox, "argument missing_ok").click()
    console.click("Undo the edit of path")
    assert console.named(QLineEdit, "argument path").text() == "/home/mira/exports/2023"
    assert console.shown("Allow edited")
    console.click("Undo the edit of missing_ok")

    assert not console.shown("Allow edited")
    assert not asked.done()


def test_an_edit_that_does_not_fit_cannot_be_allowed(console: _Console) -> None:
    asked = console.ask(question("repeat", {"text": "a", "times": 2}))
    console.type_number("argument times", "90")
    arguments = console.dialog.review.arguments
    assert arguments is not None

    assert arguments.rows[1].message.text == "times must be from 1 to 50; it is 90"
    assert not console.enabled("Allow edited")
    console.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    console.click("Allow edited")
    assert not asked.done()

    console.type_number("argument times", "9")
    assert arguments.rows[1].message.text == ""
    console.click("Allow edited")
    console.qtbot.waitUntil(asked.done)
    assert _answer(asked) == Edit({"text": "a", "times": 9})


def test_what_only_the_tool_knows_is_said_below_the_field(console: _Console) -> None:
    console.ask(question("pair", {"count": 2}))
    console.type_number("argument count", "3")
    arguments = console.dialog.review.arguments
    assert arguments is not None

    console.qtbot.waitUntil(lambda: "expected an even number" in arguments.rows[0].message.text)
    assert not console.enabled("Allow edited")


@pytest.mark.reference("D33")
def test_a_reason_goes_with_the_denial(console: _Console) -> None:
    asked = console.ask(question())
    console.type_into("Reason", "that folder is still needed")
    console.press(Qt.Key.Key_Return)
    assert not asked.done()
    console.press(Qt.Key.Key_Return)

    assert _answer(asked) == ExitEarly("that folder is still needed")


def test_letters_in_a_field_are_letters(console: _Console) -> None:
    asked = console.ask(question())
    console.type_into("Reason", "ad")

    assert console.named(QLineEdit, "Reason").text() == "ad"
    assert not asked.done()


@pytest.mark.reference("D36")
def test_the_run_can_be_stopped(console: _Console) -> None:
    asked = console.ask(question())
    console.click("Deny and stop the run")

    assert _answer(asked) == ExitEarly(stop_run=True)


@pytest.mark.parametrize("how", ["escape", "close"])
def test_closing_denies(console: _Console, how: str) -> None:
    asked = console.ask(question(), armed=False)
    if how == "escape":
        console.press(Qt.Key.Key_Escape)
    else:
        console.dialog.close()

    assert _answer(asked) == ExitEarly()


def test_a_single_question_is_left_open_to_be_decided_later(console: _Console) -> None:
    asked = console.ask(question())
    with console.qtbot.waitSignal(console.presenter.all_requested):
        console.click("Decide later")
    assert console.presenter.waiting == 1
    assert not asked.done()


def test_two_questions_follow_each_other(console: _Console) -> None:
    first = console.ask(question())
    second = console.ask(question("repeat", {"text": "a"}))
    assert console.dialog.review.header.position.text() == "1 of 2"
    assert len(console.dialogs) == 1
    console.click("Allow once")
    assert _answer(first) == Continue()

    console.qtbot.waitUntil(console.dialog.isActiveWindow)
    assert console.dialog.windowTitle() == "repeat wants to run"
    assert console.dialog.review.header.position.text() == "Decide later"
    console.press(Qt.Key.Key_A)
    console.press(Qt.Key.Key_Return)
    assert not console.enabled("Allow once")
    assert not second.done()
    console.arm()
    console.press(Qt.Key.Key_Return)
    assert _answer(second) == Continue()


@pytest.mark.reference("D27")
def test_a_question_that_timed_out_says_so_and_closes(console: _Console) -> None:
    asked = console.ask(question())
    console.clock.s = 290
    console.presenter.tick()
    assert console.dialog.review.header.clock.accessibleName() == "Denied automatically in 0:10"
    console.clock.s = 300
    asked.cancel()
    console.qtbot.waitUntil(lambda: console.shown("Close"))

    spoken = {
        widget.accessibleName() for widget in console.dialog.review.footer.findChildren(QWidget) if widget.isVisible()
    }
    assert "Time is up. Nobody answered within 5 min. The call was denied." in spoken
    assert not console.shown("Deny")
    assert not console.shown("Allow once")
    dialog = console.dialog
    with console.qtbot.waitSignal(dialog.destroyed):
        console.clock.s += 3.1
        console.presenter.tick()


def test_a_question_that_was_withdrawn_can_be_closed_by_key(console: _Console) -> None:
    asked = console.ask(question())
    assert console.shown("Decide later")
    asked.cancel()
    console.qtbot.waitUntil(lambda: console.shown("Close"))
    assert not console.shown("Decide later")
    with console.qtbot.waitSignal(console.dialog.destroyed):
        console.press(Qt.Key.Key_Escape)


def test_a_secret_is_shown_as_bullets_and_stays(console: _Console) -> None:
    asked = console.ask(question("upload", {"url": "https://a.example", "api_key": "geheim"}))
    editors = {widget.accessibleName() for widget in console.dialog.findChildren(QLineEdit)}
    assert "argument api_key" not in editors
    assert "argument url" in editors
    console.dialog.review.arguments.toggle_mode()  # type: ignore[union-attr]
    text = console.named(JsonTextEdit, "Arguments as JSON")
    assert MASK in text.toPlainText()
    assert "geheim" not in text.toPlainText()

    text.selectAll()
    text.insertPlainText('{"url": "https://b.example", "api_key": "other"}')
    assert not console.enabled("Allow edited")
    text.selectAll()
    text.insertPlainText(f'{{"url": "https://b.example", "api_key": "{MASK}"}}')
    console.click("Allow edited")
    console.qtbot.waitUntil(asked.done)
    assert _answer(asked) == Edit({"url": "https://b.example", "api_key": MASK})


def test_text_that_is_no_json_keeps_the_person_there(console: _Console) -> None:
    asked = console.ask(question())
    console.press(Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    text = console.named(JsonTextEdit, "Arguments as JSON")
    text.selectAll()
    text.insertPlainText('{"path": ')
    arguments = console.dialog.review.arguments
    assert arguments is not None

    assert not console.enabled("Allow edited")
    arguments.toggle_mode()
    assert arguments.mode_switch.index == 1
    assert text.isVisible()
    console.click("Undo all edits")
    assert not console.shown("Allow edited")
    arguments.toggle_mode()
    assert arguments.mode_switch.index == 0
    assert not asked.done()


@pytest.mark.reference("D22")
def test_a_running_tool_gets_its_answer(console: _Console) -> None:
    asked = console.ask(question("ask_month", asks="Which month?", prompt="Its name is enough"))
    assert not console.shown("Send answer")
    answer = console.named(QPlainTextEdit, "Answer")
    answer.setFocus()
    console.qtbot.keyClicks(answer, "May")
    console.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    console.qtbot.waitUntil(asked.done)
    assert _answer(asked) == Edit("May")


def test_a_running_tool_may_go_on_without_an_answer(console: _Console) -> None:
    asked = console.ask(question("ask_month", asks="Which month?"))
    console.click("Continue")

    assert _answer(asked) == Continue()


def test_long_arguments_can_be_seen_whole(console: _Console) -> None:
    long = "/home/mira/" + "a" * 200
    console.ask(question("delete_file", {"path": long}))
    console.click("Show all of path")
    arguments = console.dialog.review.arguments
    assert arguments is not None

    full = console.named(QWidget, "all of path")
    assert full.property("surface") == "inset"
    assert getattr(full, "text", "") == long
    console.click("Show less of path")
    assert full.isHidden()


def test_a_huge_argument_is_shown_but_not_edited(console: _Console) -> None:
    text = "lorem ipsum\n" * 90_000
    asked = console.ask(question("repeat", {"text": text}))

    full = console.named(QWidget, "argument text")
    assert getattr(full, "text", "") == text
    console.type_number("argument times", "2")
    console.click("Allow edited")
    console.qtbot.waitUntil(asked.done)
    assert _answer(asked) == Edit({"text": text, "times": 2})


def test_the_dialog_never_outgrows_the_window(console: _Console) -> None:
    console.ask(question("repeat", {"text": "line\n" * 500}))
    dialog, window = console.dialog, console.window

    assert dialog.width() == 760
    assert dialog.height() <= window.height() - 48
    assert dialog.geometry().center().x() == window.geometry().center().x()
    window.resize(1000, 500)
    console.qtbot.waitUntil(lambda: dialog.height() <= 452)


def test_tab_goes_in_reading_order(console: _Console) -> None:
    console.ask(question())
    console.named(QCheckBox, "argument recursive").click()
    console.named(QAbstractButton, "Deny").setFocus()
    names: list[str] = []
    for _ in range(13):
        console.press(Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        names.append(focused.accessibleName() or getattr(focused, "text", str)())

    assert names == [
        "Deny and stop the run",
        "Allow once",
        "Allow edited",
        "Decide later",
        "Form",
        "argument path",
        "argument recursive",
        "Undo the edit of recursive",
        "argument missing_ok",
        "Reason",
        "Ready-made reasons",
        "Deny",
        "Deny and stop the run",
    ]


class _Program:
    """The real executor on the engine's thread, asking through the desk."""

    def __init__(self, console: _Console, folder: Path) -> None:
        self.console = console
        self.executor = Executor(
            ToolRegistry(resolve_tools(list(TOOLS))), review_handler=console.desk, project_dir=folder
        )
        console.desk.set_objections(self.executor.objections)

    def start(self, name: str, arguments: dict[str, object]) -> concurrent.futures.Future[ToolResponse]:
        call = self.executor.create_call(name, arguments, caller="agent:scout")
        count = len(self.console.dialogs)
        running = self.console.engine.submit(self.executor.execute, call)
        self.console.qtbot.waitUntil(lambda: len(self.console.dialogs) > count)
        self.console.arm()
        return running


@pytest.fixture
def program(console: _Console, tmp_path: Path) -> Iterator[_Program]:
    program = _Program(console, tmp_path)
    yield program
    program.console.engine.submit(program.executor.aclose).result(timeout=5)


@pytest.mark.reference("A11", "A19", "D35")
def test_a_dangerous_call_runs_once_a_person_allows_it(program: _Program) -> None:
    running = program.start("delete_file", {"path": "tmp"})
    assert not running.done()
    program.console.click("Allow once")

    response = running.result(timeout=5)
    assert (response.status, response.result) == (CallStatus.EXECUTED, "tmp True False")
    assert response.modified_arguments is None


@pytest.mark.reference("D34")
def test_an_edited_call_runs_with_the_edit_and_its_secret(program: _Program) -> None:
    running = program.start("upload", {"url": "https://a.example", "api_key": "geheim"})
    program.console.type_into("argument url", "https://b.example")
    program.console.click("Allow edited")

    program.console.qtbot.waitUntil(running.done)
    response = running.result(timeout=5)
    assert response.result == "https://b.example with geheim"
    assert response.modified_arguments == {"url": "https://b.example", "api_key": MASK}


@pytest.mark.reference("D34", "A29")
def test_an_edit_beside_a_hidden_part_leaves_it_what_it_is(program: _Program) -> None:
    headers = {"Authorization": "geheim", "accept": "x"}
    running = program.start("sign_in", {"account": {"user": "mira", "pin": 4711}, "headers": headers})
    program.console.dialog.review.arguments.toggle_mode()  # type: ignore[union-attr]
    text = program.console.named(JsonTextEdit, "Arguments as JSON")
    assert "geheim" not in text.toPlainText()
    assert "4711" not in text.toPlainText()
    edited = text.toPlainText().replace("mira", "ben")
    text.selectAll()
    text.insertPlainText(edited.replace('"accept"', '"Accept-Language"'))
    program.console.click("Allow edited")

    program.console.qtbot.waitUntil(running.done)
    response = running.result(timeout=5)
    assert response.result == "ben with 4711 and {'Authorization': 'geheim', 'Accept-Language': 'x'}"
    assert response.modified_arguments == {
        "account": {"user": "ben", "pin": MASK},
        "headers": {"Authorization": MASK, "Accept-Language": "x"},
    }


@pytest.mark.reference("A29")
def test_bullets_that_belong_nowhere_are_objected_to(program: _Program) -> None:
    headers = {"Authorization": "geheim"}
    running = program.start("sign_in", {"account": {"user": "mira", "pin": 4711}, "headers": headers})
    program.console.dialog.review.arguments.toggle_mode()  # type: ignore[union-attr]
    text = program.console.named(JsonTextEdit, "Arguments as JSON")
    moved = text.toPlainText().replace('"Authorization"', '"X-Other"')
    text.selectAll()
    text.insertPlainText(moved)
    program.console.qtbot.waitUntil(lambda: not program.console.enabled("Allow edited"))
    program.console.click("Deny")
    assert running.result(timeout=5).status is CallStatus.DENIED


@pytest.mark.reference("A19", "D33")
def test_a_denied_call_never_runs(program: _Program) -> None:
    running = program.start("delete_file", {"path": "tmp"})
    program.console.type_into("Reason", "keep it")
    program.console.click("Deny")

    response = running.result(timeout=5)
    assert response.status is CallStatus.DENIED
    assert response.feedback == "keep it"
    assert "Rejected by reviewer" in response.text


def test_a_stopped_run_stops(program: _Program) -> None:
    running = program.start("delete_file", {"path": "tmp"})
    program.console.click("Deny and stop the run")

    with pytest.raises(ExitEarlyError):
        running.result(timeout=5)


def test_an_edit_that_leaves_the_project_is_asked_about_again(program: _Program) -> None:
    running = program.start("delete_file", {"path": "tmp"})
    program.console.type_into("argument path", "/somewhere/else")
    program.console.click("Allow edited")
    program.console.qtbot.waitUntil(lambda: len(program.console.dialogs) == 2)
    spoken = {widget.accessibleName() for widget in program.console.dialog.findChildren(QWidget)}
    assert "Outside the project folder" in spoken
    program.console.arm()
    program.console.click("Deny")

    assert running.result(timeout=5).status is CallStatus.DENIED


@pytest.mark.reference("D22")
def test_a_tool_waits_for_its_answer(program: _Program) -> None:
    running = program.start("ask_month", {})
    answer = program.console.named(QPlainTextEdit, "Answer")
    answer.setFocus()
    program.console.qtbot.keyClicks(answer, "May")
    program.console.click("Send answer")

    assert running.result(timeout=5).result == repr(Edit("May"))


@pytest.mark.reference("D39")
def test_a_plan_shows_its_steps_and_is_allowed_as_a_whole(console: _Console) -> None:
    asked = console.ask(plan_question())
    table = console.named(QTableView, "Steps").model()
    shown = [[table.index(row, column).data() for column in range(4)] for row in range(table.rowCount())]
    assert shown == [
        ["notes", "repeat", "7 of 7 calls", 'text="0"'],
        *[["", "", "", f'text="{number}"'] for number in range(1, 5)],
        ["", "", "", "and 2 more"],
        ["later", "repeat", "when its turn comes", 'text="${steps.read.result}"'],
    ]
    assert any(label.text() == "Nobody is asked about read." for label in console.dialog.findChildren(QLabel))
    assert not console.shown("Deny and stop the run")
    console.click("Allow the plan")
    assert _answer(asked) == Continue()


def test_a_step_of_a_plan_is_agreed_to_with_whatever_arguments(console: _Console) -> None:
    asked = console.ask(plan_question())
    console.click("Agree to later with whatever arguments")
    console.click("Allow the plan")
    assert _answer(asked) == Continue(whatever=("later",))


def test_the_arguments_of_a_line_are_read_in_full_below(console: _Console) -> None:
    console.ask(plan_question())
    full = console.named(QWidget, "Arguments of the chosen line")
    assert not full.isVisible()
    table = console.named(QTableView, "Steps")
    table.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down):
        console.press(key)
    assert full.isVisible()


def test_a_plan_of_high_risk_is_seen_to_its_end_first(console: _Console) -> None:
    many = tuple(PLAN[1]._replace(name=f"notes-{number}") for number in range(20))
    asked = console.ask(plan_question(*many, risk=RiskClass.DESTRUCTIVE))
    assert not console.enabled("Allow the plan")
    for _ in range(50):
        if console.enabled("Allow the plan"):
            break
        console.dialog.review.reveal()
        console.settle()
    console.click("Allow the plan")
    assert _answer(asked) == Continue()


def test_several_questions_are_never_allowed_together_with_a_plan() -> None:
    rows = [pending_row(plan_question()), pending_row(plan_question())]
    assert batch_of(rows).why_not == "A plan is decided by itself: look at its steps first"


FOLDED = "Show 5 more at their defaults: channel, retries, silent, tags, thread"


def rows_in_sight(console: _Console) -> list[str]:
    arguments = console.dialog.review.arguments
    assert arguments is not None
    return [row.row.name for row in arguments.rows if row.isVisible()]


@pytest.mark.parametrize("how", ["click", "Enter", "M"])
def test_defaults_are_folded_until_somebody_wants_to_see_them(console: _Console, how: str) -> None:
    asked = console.ask(question("notify", {"text": "hi"}))
    assert rows_in_sight(console) == ["text", "everybody", "footer"]
    folded = console.named(QAbstractButton, FOLDED)
    assert folded.text() == "5 more at their defaults"
    assert folded.toolTip().splitlines()[1] == "retries: 3"
    match how:
        case "click":
            console.click(FOLDED)
        case "Enter":
            folded.setFocus()
            console.press(Qt.Key.Key_Return)
        case _:
            console.press(Qt.Key.Key_M)

    assert rows_in_sight(console)[:3] == ["text", "channel", "retries"]
    assert len(rows_in_sight(console)) == 8
    assert not folded.isVisible()
    console.click("Allow once")
    assert _answer(asked) == Continue()


def test_an_edit_of_a_folded_argument_brings_it_into_sight(console: _Console) -> None:
    asked = console.ask(question("notify", {"text": "hi"}))
    review = console.dialog.review
    assert review.arguments is not None
    review.arguments.toggle_mode()
    editor = review.arguments.findChild(JsonTextEdit)
    assert editor is not None
    editor.setPlainText('{"text": "hi", "retries": 9}')
    review.arguments.toggle_mode()

    assert "retries" in rows_in_sight(console)
    console.click("Deny")
    assert isinstance(_answer(asked), ExitEarly)


def test_an_answer_that_a_letter_chose_says_that_enter_gives_it(console: _Console) -> None:
    asked = console.ask(question())
    deny, allow = (console.named(Button, name) for name in ("Deny", "Allow once"))
    assert (deny.shortcut_hint, allow.shortcut_hint) == ("Esc", "Ctrl+Enter")

    console.press(Qt.Key.Key_A)
    assert (deny.shortcut_hint, allow.shortcut_hint) == ("Esc", "Enter to confirm")
    assert allow.accessibleDescription() == "Shortcut Enter to confirm"
    console.press(Qt.Key.Key_D)
    assert (deny.shortcut_hint, allow.shortcut_hint) == ("Enter to confirm", "Ctrl+Enter")
    console.press(Qt.Key.Key_Return)
    assert isinstance(_answer(asked), ExitEarly)
