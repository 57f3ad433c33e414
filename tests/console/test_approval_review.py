"""One question and what helps to answer it: dry runs, risk, what is hidden, roles, reasons and what is remembered."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from console.approval.model import (
    ONLY_THIS_CALL,
    AnswerSpan,
    Estimate,
    OfferRow,
    Remembering,
    TrialRow,
    approval_model,
    estimate_of,
)
from console.approval.review_view import ReviewView
from console.widgets import DEGREE_STYLES
from tests.console.approval_questions import DESTRUCTIVE, START, question
from tools import Advice, ReviewRequest, ReviewTiming
from tools.spec import Concern, Count, DryRun, RiskClass, RiskDegree

Kind = TypeVar("Kind", bound=QWidget)
MUCH = DryRun(
    "Delete the folder /home/mira/exports/2023 with everything in it.",
    (Count("files", 412, "412 files"), Count("bytes", 96_000_000, "96 MB")),
    ("a.csv", "b.csv"),
    410,
    ("Two of them are open in another program.",),
)
LITTLE = DryRun("Delete the folder tmp.", (Count("files", 38, "38 files"),))
OFFERS = (
    OfferRow("exact", "this tool with these arguments", "Allow delete_file when the arguments are exactly those"),
    OfferRow("folder", "this tool inside /home/mira/exports", "Allow delete_file inside that folder"),
)


def show(qtbot: QtBot, request: ReviewRequest, *, height: int = 900, roles: tuple[str, ...] = ()) -> ReviewView:
    view = ReviewView(approval_model(request, START, roles), Path("/home/mira"))
    qtbot.addWidget(view)
    view.resize(760, height)
    view.show()
    qtbot.waitExposed(view)
    view.set_armed(armed=True)
    return view


def named(view: QWidget, kind: type[Kind], name: str) -> Kind:
    found = [widget for widget in view.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, [widget.accessibleName() for widget in view.findChildren(kind)]
    return found[0]


def spoken(view: QWidget) -> set[str]:
    texts = {widget.accessibleName() for widget in view.findChildren(QWidget) if widget.isVisible()}
    return texts | {str(widget.property("text")) for widget in view.findChildren(QWidget) if widget.isVisible()}


def edit_path(qtbot: QtBot, view: ReviewView, text: str) -> None:
    line = named(view, QLineEdit, "argument path")
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)


def received(spy: QSignalSpy) -> list[list[Any]]:
    return [spy.at(number) for number in range(spy.count())]


def test_a_dry_run_is_counted_listed_and_warned_of(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(preview=MUCH))
    shown = spoken(view)
    assert {MUCH.text, "412 files", "96 MB", MUCH.warnings[0]} <= shown
    assert "what it will touch" not in shown

    named(view, QAbstractButton, "Show list of what it will touch").click()
    assert "what it will touch" in spoken(view)
    assert estimate_of(MUCH).listed == "a.csv\nb.csv\nand 410 more"


def test_an_edit_is_estimated_anew_and_what_was_asked_stays_in_sight(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(preview=MUCH))
    edit_path(qtbot, view, "/home/mira/exports/2023/tmp")
    assert "As asked: 412 files, 96 MB. Looking at what your edit would do." in spoken(view)
    view.show_estimate(estimate_of(LITTLE))
    qtbot.waitUntil(lambda: "38 files" in spoken(view))
    shown = spoken(view)
    assert {"38 files", "As asked, before your edit: 412 files, 96 MB."} <= shown
    assert "96 MB" not in shown

    named(view, QAbstractButton, "Undo the edit of path").click()
    qtbot.waitUntil(lambda: "96 MB" in spoken(view))
    assert "38 files" not in spoken(view)


def test_an_edit_that_nobody_can_estimate_says_so(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(preview=MUCH))
    edit_path(qtbot, view, "/elsewhere")
    view.show_estimate(None)

    assert "As asked: 412 files, 96 MB. Nobody can tell what the edit would do." in spoken(view)


def test_a_dry_run_that_comes_later_is_that_of_the_call_as_asked(qtbot: QtBot) -> None:
    view = show(qtbot, question())
    view.show_estimate(Estimate("Delete one file.", (("files", "1 file"),), "", ()))
    qtbot.waitUntil(lambda: "1 file" in spoken(view))
    edit_path(qtbot, view, "/elsewhere")
    assert "As asked: 1 file. Looking at what your edit would do." in spoken(view)


HIGH: Any = {"degree": RiskDegree.HIGH, "risk_why": "It deletes notes.txt."}


@pytest.mark.parametrize("degree", list(RiskDegree))
def test_each_degree_of_risk_has_a_word_a_shape_and_its_reason(qtbot: QtBot, degree: RiskDegree) -> None:
    why = "It makes something new."
    view = show(qtbot, question()._replace(degree=degree, risk_why=why))
    assert {f"{degree.value.capitalize()} risk. {why}", why} <= spoken(view)
    assert len({style.icon for style in DEGREE_STYLES.values()}) == len(RiskDegree)


def test_a_reason_that_is_shown_already_is_not_told_twice(qtbot: QtBot) -> None:
    concern = Concern("deletes", "Deletes a file", "notes.txt, 3 B; no copy is kept")
    asked = question("delete_file", None, concern)._replace(
        degree=RiskDegree.HIGH, risk_why="Deletes a file: notes.txt, 3 B; no copy is kept."
    )
    assert "Deletes a file: notes.txt, 3 B; no copy is kept." not in spoken(show(qtbot, asked))


def test_the_rule_that_asks_is_shown_word_for_word_with_the_risk(qtbot: QtBot) -> None:
    why = "Supervised: calls of high risk are asked about"
    view = show(qtbot, question("delete_file", None, DESTRUCTIVE)._replace(why=why, **HIGH))

    assert {why, "Your policy asks", "High risk. It deletes notes.txt."} <= spoken(view)
    model = approval_model(question()._replace(why="Ask about delete_*", rule="r1"), START)
    assert [(reason.title, reason.details) for reason in model.reasons] == [("A rule asks", ("Ask about delete_*",))]


def test_a_risky_call_is_allowed_only_when_all_of_it_was_seen(qtbot: QtBot) -> None:
    concern = Concern("command", "Runs a program", "x" * 1_000)
    request = question("delete_file", {"path": f"/home/mira/{'long/' * 30}"}, concern)
    view = show(qtbot, request._replace(risk=RiskClass.DESTRUCTIVE))
    allow = named(view, QAbstractButton, "Allow once")
    spy = QSignalSpy(view.allowed)
    assert not allow.isEnabled()
    assert allow.toolTip() == "Look at everything first: the tool may destroy something, or nobody can tell"
    qtbot.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert received(spy) == []

    named(view, QAbstractButton, "Show what is hidden: 2 parts are still to be seen").click()
    assert not allow.isEnabled()
    named(view, QAbstractButton, "Show what is hidden: 1 part is still to be seen").click()
    qtbot.waitUntil(lambda: allow.isEnabled() or view.footer.reveal.isVisible())
    while not allow.isEnabled():
        view.footer.reveal.click()
    allow.click()
    assert received(spy) == [[]]


def test_what_has_to_be_scrolled_to_counts_as_hidden(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(risk=RiskClass.UNKNOWN), height=320)
    allow = named(view, QAbstractButton, "Allow once")
    assert not allow.isEnabled()
    for _ in range(4):
        view.reveal()

    assert allow.isEnabled()


def test_a_call_of_medium_risk_needs_no_reading_of_everything(qtbot: QtBot) -> None:
    request = question("delete_file", {"path": f"/home/mira/{'long/' * 30}"})
    view = show(qtbot, request._replace(risk=RiskClass.WRITE))

    assert named(view, QAbstractButton, "Allow once").isEnabled()


@pytest.mark.reference("D40")
def test_who_lacks_the_role_reads_and_refuses_only(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(required_role="release manager"))
    view.show_offers(OFFERS)
    allow = named(view, QAbstractButton, "Allow once")
    denied = QSignalSpy(view.denied)
    why = "Only somebody with the role 'release manager' may allow it. You have no role."
    assert why in spoken(view)
    assert not named(view, QLineEdit, "argument path").isEnabled()
    assert not view.remember.isVisible()
    assert (allow.isEnabled(), allow.toolTip()) == (False, why)

    named(view, QAbstractButton, "Deny").click()
    assert received(denied) == [["", False]]


@pytest.mark.reference("D40")
def test_who_has_the_role_decides(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(required_role="release manager"), roles=("release manager",))

    assert named(view, QAbstractButton, "Allow once").isEnabled()
    assert named(view, QLineEdit, "argument path").isEnabled()


@pytest.mark.reference("E29")
def test_a_ready_made_reason_brings_its_advice(qtbot: QtBot) -> None:
    view = show(qtbot, question())
    menu = named(view, QAbstractButton, "Ready-made reasons").menu()  # type: ignore[attr-defined]
    next(action for action in menu.actions() if action.text() == "Stay in the project folder.").trigger()
    denied = QSignalSpy(view.denied)
    assert view.advice is Advice.CHANGE
    assert "If you deny, the caller is also told to change the call and try again." in spoken(view)
    named(view, QAbstractButton, "Deny").click()

    assert received(denied) == [["Stay in the project folder.", False]]


def test_nothing_is_remembered_unless_it_is_chosen(qtbot: QtBot) -> None:
    view = show(qtbot, question())
    assert not view.remember.isVisible()
    view.show_offers(OFFERS)

    assert view.remember.isVisible()
    assert view.remembering == ONLY_THIS_CALL


@pytest.mark.reference("E26")
def test_an_answer_is_remembered_for_what_is_offered_and_as_long_as_wanted(qtbot: QtBot) -> None:
    view = show(qtbot, question())
    view.show_offers(OFFERS)
    changed = QSignalSpy(view.remember_changed)
    radios = [radio for radio in view.findChildren(QRadioButton) if radio.isVisible()]
    assert [radio.text() for radio in radios] == [
        "Only this call",
        "This session",
        "Always, for this tool with these arguments",
    ]
    radios[1].click()
    assert view.remembering == Remembering(AnswerSpan.SESSION, "exact")
    radios[2].click()
    named(view, QComboBox, "Remember for which calls").setCurrentIndex(1)
    assert radios[2].text() == "Always, for this tool inside /home/mira/exports"
    assert "Rule: Allow delete_file inside that folder. If you deny, it denies." in spoken(view)
    named(view, QComboBox, "Remember for how long").setCurrentIndex(1)

    assert view.remembering == Remembering(AnswerSpan.HOUR, "folder")
    assert [choice for (choice,) in received(changed)] == [
        Remembering(AnswerSpan.SESSION, "exact"),
        Remembering(AnswerSpan.ALWAYS, "exact"),
        Remembering(AnswerSpan.ALWAYS, "folder"),
        Remembering(AnswerSpan.HOUR, "folder"),
    ]
    assert named(view, QAbstractButton, "Allow").isEnabled()


def test_a_date_is_the_end_of_its_day(qtbot: QtBot) -> None:
    view = show(qtbot, question())
    view.show_offers(OFFERS)
    [radio for radio in view.findChildren(QRadioButton) if radio.isVisible()][2].click()
    named(view, QComboBox, "Remember for how long").setCurrentIndex(3)
    until = view.remembering.until
    day = view.remember.date_edit.date()

    assert until is not None
    last = until.astimezone().date()
    assert (last.year, last.month, last.day) == (day.addDays(1).year(), day.addDays(1).month(), day.addDays(1).day())


def test_the_choice_stays_when_an_edit_changes_what_is_offered(qtbot: QtBot) -> None:
    view = show(qtbot, question())
    view.show_offers(OFFERS)
    [radio for radio in view.findChildren(QRadioButton) if radio.isVisible()][1].click()
    named(view, QComboBox, "Remember for which calls").setCurrentIndex(1)
    view.show_offers((OFFERS[0]._replace(rule="Another rule"), OFFERS[1]))
    assert view.remembering == Remembering(AnswerSpan.SESSION, "folder")
    view.show_offers(OFFERS[:1])

    assert view.remembering == Remembering(AnswerSpan.SESSION, "exact")


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        (TrialRow(14, 15, "14:02 delete_file"), "Would have allowed 14 of the last 15 calls."),
        (TrialRow(0, 1, ""), "Would have allowed 0 of its 1 earlier call."),
        (TrialRow(0, 0, ""), "There are no earlier calls to try it on."),
    ],
)
def test_a_rule_is_tried_on_the_past(qtbot: QtBot, trial: TrialRow, words: str) -> None:
    view = show(qtbot, question())
    view.show_offers(OFFERS)
    [radio for radio in view.findChildren(QRadioButton) if radio.isVisible()][1].click()
    view.show_tested(trial)
    assert words in spoken(view)
    links = [button for button in view.findChildren(QAbstractButton) if button.text() == "Show them"]
    assert [link.isVisible() for link in links] == [bool(trial.matched)]
    if trial.matched:
        links[0].click()
        assert "past calls that this rule would have allowed" in spoken(view)


def test_a_result_that_waits_is_shown_as_it_would_be_handed_on(qtbot: QtBot) -> None:
    request = question()._replace(timing=ReviewTiming.AFTER_EXECUTION, result={"rows": 3})
    view = show(qtbot, request)
    assert view.result is not None
    assert view.result.text == '{\n  "rows": 3\n}'
    assert view.arguments is None
    allowed = QSignalSpy(view.allowed)
    named(view, QAbstractButton, "Hand on").click()

    assert received(allowed) == [[]]


def test_on_a_page_letters_lead_to_the_answers(qtbot: QtBot) -> None:
    view = ReviewView(approval_model(question(), START), Path("/home/mira"), in_page=True)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitExposed(view)
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.set_armed(armed=True)
    view.focus_edit()
    assert named(view, QLineEdit, "argument path").hasFocus()
    edit_path(qtbot, view, "/elsewhere")
    view.focus_allow()
    assert named(view, QAbstractButton, "Allow edited").hasFocus()
    view.focus_deny()
    assert named(view, QAbstractButton, "Deny").hasFocus()


def test_that_the_agent_has_given_up_stands_above_all_and_goes_when_it_is_back(qtbot: QtBot) -> None:
    view = show(qtbot, question()._replace(caller_back_within_s=600.0))
    fact = "The agent has given up waiting."
    assert fact in spoken(view)
    assert view.caller_gone.y() < view.effects.y() if view.effects is not None else False
    grew = QSignalSpy(view.height_changed)
    view.show_caller_gone("", "")
    qtbot.waitUntil(lambda: fact not in spoken(view))
    qtbot.waitUntil(lambda: grew.count() > 0)
    assert not view.caller_gone.isVisible()
