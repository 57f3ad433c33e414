"""The Approvals page, moved by keys alone: what is current, what is answered, and what becomes of the rest."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from console.approval.approval_queue import ApprovalQueue, TimeoutPolicy
from console.approval.decision_model import DecisionModel
from console.approval.decisions_view import DecisionsView
from console.approval.page_presenter import ApprovalsPresenter
from console.approval.page_view import ApprovalsView
from console.approval.queue_rows import QueueOrder
from console.approval.queue_table_model import QueueModel
from console.engine import Engine
from tests.console.approval_questions import TOOLS, Clock, question
from tools import (
    Continue,
    Edit,
    Executor,
    ExitEarly,
    OnTimeout,
    ReviewDecision,
    ReviewRequest,
    ToolRegistry,
    resolve_tools,
)
from tools.calls import CallStatus, ToolResponse
from tools.spec import RiskClass

Asked = concurrent.futures.Future[ReviewDecision]


@dataclass
class _House:
    """The page with its desk, an engine that asks, and a clock that stands still."""

    qtbot: QtBot
    engine: Engine
    desk: ApprovalQueue = field(default_factory=ApprovalQueue)
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.model = QueueModel(self.clock.now)
        self.view = ApprovalsView(self.model, DecisionsView(DecisionModel()))
        self.qtbot.addWidget(self.view)
        self.presenter = ApprovalsPresenter(
            self.desk, self.model, self.view, now=self.clock.now, clock=self.clock.seconds, parent=self.desk
        )
        self.noticed = QSignalSpy(self.presenter.noticed)
        self.view.resize(1392, 812)
        self.view.show()
        self.qtbot.waitExposed(self.view)
        self.view.activateWindow()
        self.qtbot.waitUntil(lambda: QApplication.activeWindow() is self.view)
        self.view.queue.focus_list()

    def ask(self, *requests: ReviewRequest) -> list[Asked]:
        waiting = self.model.total
        asked = [self.engine.submit(self.desk.review, request) for request in requests]
        self.qtbot.waitUntil(lambda: self.model.total == waiting + len(requests))
        return asked

    def press(self, *keys: Qt.Key) -> None:
        for key in keys:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keyClick(focused, key)

    def pass_s(self, seconds: float) -> None:
        self.clock.s += seconds
        self.presenter.tick()

    @property
    def current(self) -> str:
        current = self.presenter.current
        return "" if current is None else current.id


@pytest.fixture
def house(qtbot: QtBot) -> Iterator[_House]:
    engine = Engine()
    engine.start()
    house = _House(qtbot, engine)
    yield house
    house.desk.answer_all(ExitEarly("the test is over"))
    house.presenter.close()
    assert engine.stop()


def _answer(asked: Asked) -> ReviewDecision:
    return asked.result(timeout=5)


def _repeats(count: int, text: str = "a") -> list[ReviewRequest]:
    return [question("repeat", {"text": f"{text}{place}"}, caller=f"batch: {place}") for place in range(count)]


@pytest.mark.reference("D29", "D39")
def test_j_and_k_move_and_the_current_question_is_shown_whole(house: _House) -> None:
    requests = _repeats(3)
    house.ask(*requests)
    assert house.current == requests[0].id
    assert house.view.review is not None

    house.press(Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_J)
    assert house.current == requests[2].id
    house.press(Qt.Key.Key_K)
    assert house.current == requests[1].id
    assert house.view.tabs.tabData(0) == "3"


def test_a_and_d_only_go_to_the_answer_and_enter_gives_it(house: _House) -> None:
    first, second = house.ask(*_repeats(2))
    house.pass_s(1)
    house.press(Qt.Key.Key_A)
    assert not first.done()
    house.press(Qt.Key.Key_Return)
    assert _answer(first) == Continue()

    house.qtbot.waitUntil(lambda: house.model.total == 1)
    assert QApplication.focusWidget() is house.view.queue.list
    house.pass_s(1)
    house.press(Qt.Key.Key_D, Qt.Key.Key_Return)
    assert _answer(second) == ExitEarly()
    house.qtbot.waitUntil(lambda: house.view.review is None)


def test_nothing_is_allowed_in_the_first_moment(house: _House) -> None:
    (asked,) = house.ask(*_repeats(1))
    house.press(Qt.Key.Key_A, Qt.Key.Key_Return, Qt.Key.Key_Return)
    assert not asked.done()


@pytest.mark.reference("D34", "D39")
def test_e_edits_and_what_stands_is_allowed(house: _House) -> None:
    (asked,) = house.ask(question("repeat", {"text": "old", "times": 2}))
    house.pass_s(1)
    house.press(Qt.Key.Key_E)
    text = QApplication.focusWidget()
    assert isinstance(text, QWidget)
    QTest.keyClick(text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(text, "new")
    QTest.keyClick(text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    house.qtbot.waitUntil(asked.done)
    assert _answer(asked) == Edit({"text": "new", "times": 2})


def test_esc_leaves_a_field_for_the_list_and_answers_nothing(house: _House) -> None:
    (asked,) = house.ask(*_repeats(1))
    house.press(Qt.Key.Key_E, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is house.view.queue.list
    house.press(Qt.Key.Key_Escape)
    assert not asked.done()


@pytest.mark.reference("D39")
def test_a_question_that_ends_says_so_before_the_next_one_comes(house: _House) -> None:
    requests = _repeats(2)
    first, _ = house.ask(*requests)
    house.pass_s(300)
    first.cancel()
    house.qtbot.waitUntil(lambda: house.model.total == 1)

    assert house.current == requests[0].id
    assert house.view.review is not None
    assert house.view.review.footer.close_button.isVisible()
    house.pass_s(3.1)
    assert house.current == requests[1].id


def test_whoever_moves_on_need_not_read_how_a_question_ended(house: _House) -> None:
    requests = _repeats(3)
    first, *_ = house.ask(*requests)
    first.cancel()
    house.qtbot.waitUntil(lambda: house.model.total == 2)
    house.press(Qt.Key.Key_J)
    assert house.current == requests[2].id


def test_the_ending_of_the_last_question_is_read_as_well(house: _House) -> None:
    (asked,) = house.ask(*_repeats(1))
    house.pass_s(1)
    asked.cancel()
    house.qtbot.waitUntil(lambda: house.model.total == 0)
    assert house.view.review is not None
    assert house.view.review.isVisible()
    house.pass_s(3.1)
    assert house.view.review is None


def test_x_picks_calls_of_one_tool_and_one_answer_is_for_all(house: _House) -> None:
    requests = [*_repeats(3), question("pair", {"count": 2})]
    asked = house.ask(*requests)
    house.press(Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_X)
    assert house.noticed.at(0) == ["Only calls of one tool are decided together: repeat is picked already"]
    batch = house.view.batch
    assert batch is not None
    assert batch.table.isVisible()
    assert batch.table.model().rowCount() == 2
    assert not batch.allow.isEnabled()

    house.pass_s(1)
    house.press(Qt.Key.Key_A, Qt.Key.Key_Return)
    assert [_answer(one) for one in asked[:2]] == [Continue(), Continue()]
    assert [one.done() for one in asked[2:]] == [False, False]
    assert house.noticed.at(1) == ["2 calls allowed"]
    house.qtbot.waitUntil(lambda: house.view.batch is None and house.view.review is not None)


def test_several_are_denied_with_one_reason(house: _House) -> None:
    asked = house.ask(*_repeats(2))
    house.press(Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_X)
    batch = house.view.batch
    assert batch is not None
    batch.reason.setFocus()
    QTest.keyClicks(batch.reason, "not today")
    QTest.keyClick(batch.reason, Qt.Key.Key_Return)
    house.press(Qt.Key.Key_Return)
    assert [_answer(one) for one in asked] == [ExitEarly("not today")] * 2


def test_high_risk_is_not_allowed_in_a_heap_but_denied(house: _House) -> None:
    requests = [request._replace(risk=RiskClass.DESTRUCTIVE) for request in _repeats(2)]
    asked = house.ask(*requests)
    house.press(Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_X)
    house.pass_s(1)
    batch = house.view.batch
    assert batch is not None
    assert not batch.allow.isEnabled()
    assert batch.allow.toolTip() == "They may destroy something, or nobody can tell: each is allowed by itself"
    house.press(Qt.Key.Key_D, Qt.Key.Key_Return)
    assert [_answer(one) for one in asked] == [ExitEarly()] * 2


def test_esc_lets_picked_questions_go(house: _House) -> None:
    house.ask(*_repeats(2))
    house.press(Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_X, Qt.Key.Key_Escape)
    assert house.model.picked == ()
    assert house.view.batch is None
    assert house.view.review is not None


def test_a_picked_question_that_ends_leaves_the_table(house: _House) -> None:
    asked = house.ask(*_repeats(3))
    house.press(Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_X)
    house.pass_s(1)
    asked[0].cancel()
    house.qtbot.waitUntil(lambda: house.model.total == 2)
    batch = house.view.batch
    assert batch is not None
    assert batch.table.model().rowCount() == 2
    # The table changed under the person's eyes, so it is looked at anew.
    assert not batch.allow.isEnabled()


def test_a_filter_comes_with_many_questions_and_narrows_the_list(house: _House) -> None:
    house.ask(*_repeats(4))
    assert not house.view.queue.search.isVisible()
    house.press(Qt.Key.Key_Slash)
    assert QApplication.focusWidget() is house.view.queue.search
    QTest.keyClicks(house.view.queue.search, "batch: 3")
    assert [row.caller for row in house.model.rows] == ["batch: 3"]
    assert house.current == house.model.rows[0].id
    assert house.view.queue.search.accessibleDescription() == "1 of 4"
    QTest.keyClicks(house.view.queue.search, "nobody")
    assert house.current == ""
    house.view.queue.clear_filter()
    assert house.model.rowCount() == 4

    house.ask(*_repeats(4, "b"))
    assert house.view.queue.search.isVisible()


def test_the_order_is_chosen_from_the_menu_and_said_in_the_head(house: _House) -> None:
    late, soon = question("repeat", {"text": "late"}), question("repeat", {"text": "soon"}, timeout_s=30)
    house.ask(late, soon)
    assert [row.id for row in house.model.rows] == [soon.id, late.id]
    actions = {action.text(): action for action in house.view.queue.order_actions}
    actions["Oldest first"].trigger()
    assert [row.id for row in house.model.rows] == [late.id, soon.id]
    assert house.model.shape.order is QueueOrder.AGE


def test_everything_is_denied_only_after_a_question(house: _House) -> None:
    asked_for = QSignalSpy(house.presenter.denial_asked)
    asked = house.ask(*_repeats(3))
    house.view.deny_all.click()
    assert asked_for.at(0) == [3]
    assert not any(one.done() for one in asked)
    assert house.desk.answer_all(ExitEarly("enough")) == 3
    assert [_answer(one) for one in asked] == [ExitEarly("enough")] * 3
    house.qtbot.waitUntil(lambda: not house.view.deny_all.isEnabled())


def test_a_page_out_of_sight_shows_no_question(house: _House) -> None:
    house.ask(*_repeats(1))
    house.view.hide()
    assert house.presenter.current is None
    house.view.show()
    assert house.presenter.current is not None


@dataclass
class _Desk:
    """A desk that an executor asks."""

    qtbot: QtBot
    engine: Engine
    desk: ApprovalQueue = field(default_factory=ApprovalQueue)

    def __post_init__(self) -> None:
        self.executor = Executor(ToolRegistry(resolve_tools(list(TOOLS))), review_handler=self.desk)
        self.desk.set_reschedule(self.executor.questions.reschedule)

    def call(self) -> concurrent.futures.Future[ToolResponse]:
        async def run() -> ToolResponse:
            return await self.executor.execute(self.executor.create_call("repeat", {"text": "a"}))

        ended = self.engine.submit(run)
        self.qtbot.waitUntil(lambda: bool(self.desk.open_requests))
        return ended

    @property
    def request(self) -> ReviewRequest:
        return self.desk.open_requests[0]


@pytest.fixture
def asking(qtbot: QtBot) -> Iterator[_Desk]:
    engine = Engine()
    engine.start()
    desk = _Desk(qtbot, engine)
    yield desk
    engine.submit(desk.executor.aclose).result(timeout=5)
    assert engine.stop()


@pytest.mark.reference("D37")
def test_a_question_stays_open_for_longer(asking: _Desk) -> None:
    ended = asking.call()
    before = asking.request.expires_at
    assert before is not None
    moved = QSignalSpy(asking.desk.rescheduled)
    asking.desk.prolong(asking.request.id, 300.0)
    asking.qtbot.waitUntil(lambda: moved.count() == 1)

    after = asking.request.expires_at
    assert after is not None
    assert 299 < (after - before).total_seconds() < 301
    asking.desk.answer(asking.request.id, Continue())
    assert ended.result(timeout=5).status is CallStatus.EXECUTED


@pytest.mark.reference("D37")
@pytest.mark.parametrize(
    ("silence", "left_s"),
    [(TimeoutPolicy(0.0), None), (TimeoutPolicy(900.0), 900), (TimeoutPolicy(300.0, OnTimeout.FAIL), 300)],
)
def test_silence_means_what_the_person_chose(asking: _Desk, silence: TimeoutPolicy, left_s: float | None) -> None:
    asking.desk.set_silence(silence)
    ended = asking.call()
    request = asking.request
    assert request.on_timeout is silence.on_timeout
    if left_s is None:
        assert request.expires_at is None
    else:
        assert request.expires_at is not None
        assert abs((request.expires_at - datetime.now(UTC)).total_seconds() - left_s) < 20
    asking.desk.answer(request.id, ExitEarly("no"))
    assert ended.result(timeout=5).status is CallStatus.DENIED


def test_the_answers_say_that_enter_follows_the_letter(house: _House) -> None:
    house.ask(*_repeats(2))
    house.pass_s(1)
    review = house.view.review
    assert review is not None
    deny, allow = review.footer.deny, review.footer.allow
    assert (deny.shortcut_hint, allow.shortcut_hint) == ("D, then Enter", "A, then Enter")

    house.press(Qt.Key.Key_A)
    assert (deny.shortcut_hint, allow.shortcut_hint) == ("D, then Enter", "Enter to confirm")
    house.press(Qt.Key.Key_D)
    assert (deny.shortcut_hint, allow.shortcut_hint) == ("Enter to confirm", "A, then Enter")


def test_m_shows_the_arguments_at_their_defaults(house: _House) -> None:
    house.ask(question("notify", {"text": "hi"}))
    review = house.view.review
    assert review is not None
    arguments = review.arguments
    assert arguments is not None
    assert [row.row.name for row in arguments.rows if row.isVisible()] == ["text", "everybody", "footer"]

    house.press(Qt.Key.Key_M)
    assert all(row.isVisible() for row in arguments.rows)
    assert not arguments.folded
