"""Which question is shown when, and what becomes of the answer; the dialog is a fake."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from PySide6.QtCore import QObject, QTimer, Signal
from pytestqt.qtbot import QtBot

from console.approval.approval_queue import ApprovalQueue
from console.approval.model import ONLY_THIS_CALL, ApprovalModel, Countdown, Ending, Estimate, OfferRow, TrialRow
from console.approval.presenter import ApprovalPresenter
from console.call_events import QuestionDecided
from console.engine import Engine
from tests.console.approval_questions import Clock, objections, question
from tools import Advice, Continue, Edit, ExitEarly, OnTimeout, ReviewDecision, ReviewRequest


class _Dialog(QObject):
    """A dialog and the question in it."""

    denied = Signal(str, bool)
    allowed = Signal()
    edit_allowed = Signal(object)
    answered = Signal(str)
    arguments_edited = Signal(object)
    remember_changed = Signal(object)
    dismissed = Signal()
    more_time_requested = Signal()
    all_requested = Signal()
    advice = Advice.NONE
    remembering = ONLY_THIS_CALL
    whatever: tuple[str, ...] = ()

    def __init__(self, model: ApprovalModel) -> None:
        super().__init__()
        self.model = model
        self.armed = self.closed = False
        self.countdown = Countdown("", None, 0.0)
        self.position = (0, 0)
        self.objections: Mapping[str, str] = {}
        self.caller_gone: tuple[str, str] = model.caller_gone
        self.ending: Ending | None = None
        self.offers: tuple[OfferRow, ...] = ()
        self.tested: TrialRow | None = None
        self.estimate: Estimate | None = None
        self.activations = 0

    @property
    def review(self) -> _Dialog:
        return self

    def set_armed(self, *, armed: bool) -> None:
        self.armed = armed

    def show_countdown(self, countdown: Countdown, /) -> None:
        self.countdown = countdown

    def show_position(self, number: int, total: int, /) -> None:
        self.position = (number, total)

    def show_objections(self, objections: Mapping[str, str], /) -> None:
        self.objections = objections

    def show_offers(self, offers: Sequence[OfferRow], /) -> None:
        self.offers = tuple(offers)

    def show_tested(self, tested: TrialRow | None, /) -> None:
        self.tested = tested

    def show_estimate(self, estimate: Estimate | None, /) -> None:
        self.estimate = estimate

    def show_caller_gone(self, fact: str, consequence: str, /) -> None:
        self.caller_gone = (fact, consequence)

    def show_ending(self, ending: Ending, /) -> None:
        self.ending = ending

    def activate(self) -> None:
        self.activations += 1

    def close_now(self) -> None:
        self.closed = True


@dataclass
class _House:
    """The desk with its presenter, an engine that asks, and what was seen."""

    qtbot: QtBot
    engine: Engine
    desk: ApprovalQueue = field(default_factory=ApprovalQueue)
    clock: Clock = field(default_factory=Clock)
    dialogs: list[_Dialog] = field(default_factory=list)
    seen: list[object] = field(default_factory=list)
    unloaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk.set_objections(objections)
        self.presenter = ApprovalPresenter(
            self.desk,
            self._open,
            load_next=self._load_next,
            now=self.clock.now,
            clock=self.clock.seconds,
            parent=self.desk,
        )
        self.presenter.waiting_changed.connect(self.seen.append)
        self.presenter.dimmed.connect(self._on_dimmed)

    def ask(self, request: ReviewRequest) -> concurrent.futures.Future[ReviewDecision]:
        waiting = self.presenter.waiting
        asked = self.engine.submit(self.desk.review, request)
        self.qtbot.waitUntil(lambda: self.presenter.waiting == waiting + 1 and self.shows_one)
        return asked

    @property
    def shows_one(self) -> bool:
        return any(not dialog.closed for dialog in self.dialogs)

    def pass_s(self, seconds: float) -> None:
        self.clock.s += seconds
        self.presenter.tick()

    @property
    def dialog(self) -> _Dialog:
        return self.dialogs[-1]

    def _load_next(self) -> bool:
        if not self.unloaded:
            return False
        self.seen.append(self.unloaded.pop())
        return True

    def _open(self, model: ApprovalModel) -> _Dialog:
        self.dialogs.append(_Dialog(model))
        return self.dialogs[-1]

    def _on_dimmed(self, is_dimmed: bool) -> None:
        self.seen.append("opened" if is_dimmed else "closed")

    def note_all(self) -> None:
        self.seen.append("all")


@pytest.fixture
def house(qtbot: QtBot) -> Iterator[_House]:
    engine = Engine()
    engine.start()
    house = _House(qtbot, engine)
    yield house
    house.presenter.deny_all("the test is over")
    assert engine.stop()


def _answer(asked: concurrent.futures.Future[ReviewDecision]) -> ReviewDecision:
    return asked.result(timeout=5)


def _answer_in(house: _House, asked: concurrent.futures.Future[ReviewDecision]) -> ReviewDecision:
    house.qtbot.waitUntil(asked.done)
    return _answer(asked)


@pytest.mark.reference("D35", "D36")
def test_an_allowed_call_goes_on_as_asked(house: _House) -> None:
    asked = house.ask(question())
    assert house.seen == [1, "opened"]

    house.pass_s(0.6)
    house.dialog.allowed.emit()

    assert _answer(asked) == Continue()
    assert house.dialog.closed
    assert house.seen == [1, "opened", 0, "closed"]


def test_what_shows_a_question_is_loaded_a_module_at_a_time_before_the_dialog_comes(house: _House) -> None:
    house.unloaded = ["view", "dialog"]
    turns: list[int] = []

    def turn() -> None:
        turns.append(len(house.seen))

    turning = QTimer(interval=0)
    turning.timeout.connect(turn)
    turning.start()

    house.ask(question())

    turning.stop()
    assert house.seen == [1, "opened", "dialog", "view"]
    assert {2, 3} <= set(turns), "the window had no turn between the modules"


def test_a_question_that_goes_at_once_leaves_the_window_free_again(house: _House) -> None:
    def take_back() -> None:
        for request in house.desk.open_requests:
            house.desk.answer(request.id, ExitEarly("never mind"))

    house.desk.changed.connect(take_back)
    asked = house.engine.submit(house.desk.review, question())

    assert _answer_in(house, asked) == ExitEarly("never mind")
    house.qtbot.waitUntil(lambda: house.seen == [1, "opened", 0, "closed"])
    assert not house.dialogs


def test_nothing_is_allowed_before_the_answers_are_armed(house: _House) -> None:
    asked = house.ask(question())

    house.pass_s(0.5)
    house.dialog.allowed.emit()
    house.dialog.edit_allowed.emit({"path": "/x"})
    house.dialog.answered.emit("yes")

    assert not house.dialog.armed
    assert not asked.done()
    assert not house.dialog.closed


def test_the_next_question_is_armed_anew(house: _House) -> None:
    first, second = house.ask(question()), house.ask(question("repeat", {"text": "a"}))
    assert house.dialog.position == (1, 2)
    house.pass_s(5)
    house.dialog.allowed.emit()

    assert _answer(first) == Continue()
    assert [dialog.model.tool_name for dialog in house.dialogs] == ["delete_file", "repeat"]
    assert house.dialog.position == (1, 1)
    assert not house.dialog.armed
    assert "closed" not in house.seen
    house.pass_s(0.7)
    assert house.dialogs[1].armed
    assert not second.done()


@pytest.mark.reference("D33", "D36")
def test_a_denial_carries_the_words_and_may_stop_the_run(house: _House) -> None:
    asked = house.ask(question())
    house.dialog.denied.emit("not this one", True)

    assert _answer(asked) == ExitEarly("not this one", stop_run=True)


@pytest.mark.reference("D34")
def test_an_edit_replaces_the_arguments(house: _House) -> None:
    asked = house.ask(question("repeat", {"text": "a", "times": 2}))
    house.pass_s(1)
    house.dialog.edit_allowed.emit({"text": "b", "times": 3})
    house.qtbot.waitUntil(asked.done)

    assert _answer(asked) == Edit({"text": "b", "times": 3})


def test_an_edit_that_does_not_fit_is_refused(house: _House) -> None:
    asked = house.ask(question("pair", {"count": 2}))
    house.pass_s(1)
    house.dialog.arguments_edited.emit({"count": 3})
    house.qtbot.waitUntil(lambda: list(house.dialog.objections) == ["count"])
    assert "expected an even number" in house.dialog.objections["count"]

    house.dialog.objections = {}
    house.dialog.edit_allowed.emit({"count": 5})
    house.qtbot.waitUntil(lambda: list(house.dialog.objections) == ["count"])
    assert not asked.done()

    house.dialog.arguments_edited.emit({"count": 4})
    house.qtbot.waitUntil(lambda: house.dialog.objections == {})
    assert not asked.done()


def test_what_was_allowed_counts_however_late_an_edit_before_it_is_judged(house: _House) -> None:
    asked = house.ask(question("pair", {"count": 2}))
    house.pass_s(1)
    house.dialog.arguments_edited.emit({"count": 3})
    house.dialog.arguments_edited.emit({"count": 4})
    house.dialog.edit_allowed.emit({"count": 4})
    house.qtbot.waitUntil(asked.done)

    assert _answer(asked) == Edit({"count": 4})


def test_an_edit_after_the_permission_takes_it_back(house: _House) -> None:
    asked = house.ask(question("pair", {"count": 2}))
    house.pass_s(1)
    house.dialog.edit_allowed.emit({"count": 4})
    house.dialog.arguments_edited.emit({"count": 3})
    house.qtbot.waitUntil(lambda: list(house.dialog.objections) == ["count"])

    assert not asked.done()


def test_a_validator_that_breaks_allows_nothing(house: _House) -> None:
    asked = house.ask(question("pair", {"count": 2}))
    house.pass_s(1)
    house.dialog.edit_allowed.emit({"count": 2_000})

    house.qtbot.waitUntil(lambda: list(house.dialog.objections) == [""])
    assert "too much for this tool" in house.dialog.objections[""]
    assert not asked.done()


def test_a_secret_that_stays_hidden_is_no_objection(house: _House) -> None:
    request = question("upload", {"url": "https://a.example", "api_key": "geheim"})
    asked = house.ask(request)
    house.pass_s(1)
    edited: dict[str, Any] = {**(request.arguments or {}), "url": "https://b.example"}
    house.dialog.edit_allowed.emit(edited)
    house.qtbot.waitUntil(asked.done)

    decision = _answer(asked)
    assert decision == Edit(edited)
    assert "geheim" not in repr(decision)


@pytest.mark.reference("D22")
def test_a_tools_question_is_answered_with_text(house: _House) -> None:
    asked = house.ask(question("ask_month", asks="Which month?"))
    house.pass_s(1)
    house.dialog.answered.emit("May")

    assert _answer(asked) == Edit("May")


def test_time_runs_down_by_the_clock(house: _House) -> None:
    house.ask(question())
    assert house.dialog.countdown.clock == "5:00"
    house.pass_s(271)
    assert (house.dialog.countdown.clock, house.dialog.countdown.urgent) == ("0:29", True)


@pytest.mark.reference("D27")
@pytest.mark.parametrize(
    ("passed_s", "title", "detail"),
    [
        (300.0, "Time is up.", "Nobody answered within 5 min. The call was denied."),
        (10.0, "The call was stopped.", "It needs no answer any more. Nothing was allowed."),
    ],
)
def test_a_question_that_ends_by_itself_says_so_for_a_moment(
    house: _House, passed_s: float, title: str, detail: str
) -> None:
    asked = house.ask(question())
    house.pass_s(passed_s)
    asked.cancel()
    house.qtbot.waitUntil(lambda: house.dialog.ending is not None)

    assert house.dialog.ending is not None
    assert (house.dialog.ending.title, house.dialog.ending.detail) == (title, detail)
    house.dialog.allowed.emit()
    house.pass_s(2.9)
    assert not house.dialogs[0].closed
    house.pass_s(0.2)
    assert house.dialog.closed
    assert house.seen == [1, "opened", 0, "closed"]


def test_an_ending_can_be_closed_and_the_next_question_follows(house: _House) -> None:
    asked = house.ask(question(on_timeout=OnTimeout.CONTINUE))
    house.ask(question("repeat", {"text": "a"}))
    house.pass_s(1)
    asked.cancel()
    house.qtbot.waitUntil(lambda: house.dialog.ending is not None)
    house.dialog.dismissed.emit()

    assert [dialog.closed for dialog in house.dialogs] == [True, False]
    assert house.dialog.model.tool_name == "repeat"


def test_a_question_that_is_withdrawn_before_anybody_could_read_it_says_nothing(house: _House) -> None:
    asked = house.ask(question())
    house.ask(question("repeat", {"text": "a"}))
    asked.cancel()
    house.qtbot.waitUntil(lambda: len(house.dialogs) == 2)

    assert house.dialogs[0].closed
    assert house.dialogs[0].ending is None
    assert house.dialog.model.tool_name == "repeat"


def test_a_waiting_question_that_ends_is_never_shown(house: _House) -> None:
    house.ask(question())
    second = house.ask(question("repeat", {"text": "a"}))
    second.cancel()
    house.qtbot.waitUntil(lambda: house.presenter.waiting == 1)

    assert house.dialog.position == (1, 1)
    house.dialog.denied.emit("", False)
    assert len(house.dialogs) == 1


def test_the_oldest_question_comes_to_the_front(house: _House) -> None:
    house.presenter.show_oldest()
    assert house.dialogs == []
    house.ask(question())
    house.presenter.show_oldest()
    assert house.dialog.activations == 1


def test_a_dialog_is_set_aside_for_all_questions_without_an_answer(house: _House) -> None:
    asked = [house.ask(question()), house.ask(question("repeat", {"text": "a"}))]
    house.presenter.all_requested.connect(house.note_all)
    house.dialog.all_requested.emit()

    assert house.dialog.closed
    assert house.seen[-2:] == ["all", "closed"]
    assert not any(one.done() for one in asked)
    assert len(house.dialogs) == 1


def test_everything_can_be_refused_at_once(house: _House) -> None:
    asked = [house.ask(question()), house.ask(question())]
    house.presenter.deny_all("the program ends", from_now_on=True)

    assert [_answer(one) for one in asked] == [ExitEarly("the program ends")] * 2
    assert house.dialog.closed
    assert house.seen[-1] == "closed"
    late = house.engine.submit(house.desk.review, question())
    house.qtbot.waitUntil(late.done)
    assert _answer(late) == ExitEarly("the program ends")
    assert len(house.dialogs) == 1


def test_a_question_that_became_void_says_why_and_allows_nothing(house: _House) -> None:
    request = question()
    asked = house.ask(request)
    house.pass_s(1.0)
    asked.cancel()
    house.qtbot.waitUntil(lambda: house.dialog.ending is not None)
    why = "the tool's definition changed"
    house.desk.take([QuestionDecided(request.call.id, request.call.tool.name, request.id, ExitEarly("x"), "", why)])
    house.dialog.allowed.emit()

    assert house.dialog.ending == Ending(
        "The request is void.", "The tool's definition changed. Nothing was allowed by it.", "ban"
    )
    house.pass_s(9.0)
    assert not house.dialog.closed
    house.pass_s(2.0)
    assert house.dialog.closed


def test_advice_goes_with_a_denial(house: _House) -> None:
    asked = house.ask(question())
    house.dialog.advice = Advice.CHANGE
    house.dialog.denied.emit("too much", False)

    assert _answer(asked) == ExitEarly("too much", advice=Advice.CHANGE)


def test_a_question_says_that_its_agent_has_given_up_and_that_it_is_back(house: _House) -> None:
    asked = house.ask(question())
    assert house.dialog.caller_gone == ("", "")
    (request,) = house.desk.open_requests
    house.desk.follow(request._replace(caller_back_within_s=600.0))
    house.qtbot.waitUntil(lambda: house.dialog.caller_gone[0] == "The agent has given up waiting.")
    assert "asks again within 10 minutes of your answer" in house.dialog.caller_gone[1]
    house.desk.follow(request)
    house.qtbot.waitUntil(lambda: house.dialog.caller_gone == ("", ""))
    house.desk.answer(request.id, Continue())
    assert isinstance(asked.result(timeout=5), Continue)
