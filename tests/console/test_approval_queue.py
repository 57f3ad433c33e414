"""What the list of open questions shows, in which order, and which may be decided together."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from pytestqt.qtbot import QtBot

from console.approval import approval_queue
from console.approval.approval_queue import SILENCES, ApprovalQueue, TimeoutPolicy
from console.approval.queue_rows import LONGEST_VALUE, QueueOrder, QueueShape, arranged, batch_of, pending_row
from console.approval.queue_table_model import QueueModel
from tests.console.approval_questions import DESTRUCTIVE, START, Clock, question
from tools import Continue, OnTimeout, ReviewDecision, ReviewRequest
from tools.spec import Concern, Count, DryRun, RiskClass, RiskDegree

SENDS = Concern("sends_data", "Sends data out", "Send 6.2 KB to https://hooks.acme.dev/digest")
RUNS = Concern("command", "Runs a program", "Runs in /work: npm audit fix --force")
WANTED = Concern("confirmation", "Wants to be asked", "")


def _asked(
    name: str = "repeat", *, after_s: float = 0.0, timeout_s: float = 300.0, caller: str = "you"
) -> ReviewRequest:
    arguments = {"text": "a"} if name == "repeat" else None
    request = question(name, arguments, timeout_s=timeout_s, caller=caller)
    return request._replace(asked_at=START + timedelta(seconds=after_s))


def test_a_row_says_what_happens_who_asks_and_why() -> None:
    row = pending_row(question("delete_file", None, DESTRUCTIVE))

    assert (row.tool, row.caller_icon, row.caller) == ("delete_file", "bot", "agent: claude-desktop")
    assert (row.tag_icon, row.tag) == ("triangle-alert", "destructive")
    assert row.summary.startswith('path="/home/mira/exports/2023"')
    assert row.is_code


@pytest.mark.parametrize(
    ("concerns", "preview", "summary", "is_code"),
    [
        ((SENDS,), None, "Send 6.2 KB to https://hooks.acme.dev/digest", False),
        ((SENDS,), DryRun("Delete `a` and\nb."), "Delete a and b.", False),
        ((RUNS,), DryRun("Run something."), "npm audit fix --force", True),
    ],
)
def test_the_summary_is_the_most_telling_line(
    concerns: tuple[Concern, ...], preview: DryRun | None, summary: str, is_code: bool
) -> None:
    request = question("repeat", {"text": "npm audit fix --force"}, *concerns)._replace(preview=preview)
    row = pending_row(request)
    assert (row.summary, row.is_code) == (summary, is_code)


def test_a_low_risk_is_shown_calmly_and_a_high_one_is_not() -> None:
    request = question("delete_file", None, DESTRUCTIVE)
    low, high = (pending_row(request._replace(degree=degree)) for degree in (RiskDegree.LOW, RiskDegree.HIGH))
    assert (low.tag, low.is_tag_calm) == ("low risk", True)
    assert (high.tag, high.is_tag_calm) == ("high risk", False)


def test_a_reason_of_this_call_goes_before_the_tools_standing_wish() -> None:
    assert pending_row(question("repeat", {"text": "a"}, WANTED, SENDS)).tag == "leaves this computer"
    assert pending_row(question("repeat", {"text": "a"}, WANTED)).tag == "wants to be asked"


def test_a_tools_own_question_is_told_apart() -> None:
    row = pending_row(question("ask_month", asks="Which month?"))
    assert (row.summary, row.is_code, row.tag) == ("Which month?", False, "asks you something")


def test_questions_that_come_at_once_are_laid_out_together_and_answered_together(qtbot: QtBot) -> None:
    desk = ApprovalQueue()
    changed = QSignalSpy(desk.changed)
    requests = [_asked() for _ in range(1_001)]
    with asyncio.Runner() as engine:
        loop = engine.get_loop()
        *asking, withdrawn = [loop.create_task(desk.review(request)) for request in requests]
        engine.run(asyncio.sleep(0))
        withdrawn.cancel()
        engine.run(asyncio.sleep(0))
        qtbot.waitUntil(lambda: len(desk.open_requests) == 1_000)
        assert changed.count() == 1
        assert desk.answer_all(Continue()) == 1_000
        assert changed.count() == 2
        assert engine.run(_all_of(asking)) == [Continue()] * 1_000


def test_of_many_open_questions_further_ones_are_laid_out_together(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approval_queue, "GATHER_MS", 60_000)
    desk = ApprovalQueue()
    changed = QSignalSpy(desk.changed)
    with asyncio.Runner() as engine:
        loop = engine.get_loop()
        asking = [loop.create_task(desk.review(_asked())) for _ in range(20)]
        engine.run(asyncio.sleep(0))
        qtbot.waitUntil(lambda: len(desk.open_requests) == 20)
        for _ in range(5):
            asking.append(loop.create_task(desk.review(_asked())))
            engine.run(asyncio.sleep(0))
            qtbot.wait(1)
        assert (len(desk.open_requests), changed.count()) == (20, 1)
        # What becomes of one of them is not shown before they are.
        asking.pop().cancel()
        engine.run(asyncio.sleep(0))
        qtbot.waitUntil(lambda: len(desk.open_requests) == 24)
        assert changed.count() == 2
        assert desk.answer_all(Continue()) == 24
        assert engine.run(_all_of(asking)) == [Continue()] * 24


async def _all_of(tasks: list[asyncio.Task[ReviewDecision]]) -> list[ReviewDecision]:
    return await asyncio.gather(*tasks)


def test_rows_stand_in_the_order_that_is_chosen() -> None:
    first = _asked("repeat", timeout_s=0.0, caller="batch: a")
    second = _asked("delete_file", after_s=10, timeout_s=60)._replace(degree=RiskDegree.HIGH)
    third = _asked("repeat", after_s=20, timeout_s=30)._replace(degree=RiskDegree.MEDIUM)
    rows = [pending_row(request) for request in (third, first, second)]

    def ids(order: QueueOrder) -> list[str]:
        return [row.id for row in arranged(rows, QueueShape(order))]

    assert ids(QueueOrder.EXPIRY) == [third.id, second.id, first.id]
    assert ids(QueueOrder.AGE) == [first.id, second.id, third.id]
    assert ids(QueueOrder.RISK) == [second.id, third.id, first.id]
    assert ids(QueueOrder.TOOL) == [second.id, first.id, third.id]
    assert ids(QueueOrder.CALLER) == [first.id, second.id, third.id]


def test_rows_are_narrowed_by_words_and_risk() -> None:
    plain, risky = _asked("repeat"), _asked("delete_file")._replace(degree=RiskDegree.HIGH)
    rows = [pending_row(plain), pending_row(risky)]

    assert [row.id for row in arranged(rows, QueueShape(text="  DELETE you "))] == [risky.id]
    assert [row.id for row in arranged(rows, QueueShape(high_risk_only=True))] == [risky.id]
    assert QueueShape(text=" ").narrows is False


def test_a_row_counts_down_and_may_wait_for_ever() -> None:
    assert pending_row(_asked()).left_s(START + timedelta(seconds=252)) == 48
    assert pending_row(_asked()).left_s(START + timedelta(seconds=400)) == 0
    assert pending_row(_asked(timeout_s=0)).left_s(START) is None


def _model(qtbot: QtBot) -> QueueModel:
    model = QueueModel(Clock().now)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    return model


def test_the_model_moves_as_few_rows_as_it_can(qtbot: QtBot) -> None:
    model = _model(qtbot)
    requests = [_asked(after_s=place) for place in range(4)]
    model.set_requests(requests)
    resets, inserted, removed = (
        QSignalSpy(signal) for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved)
    )

    model.set_requests([*requests[:1], *requests[2:], early := _asked(after_s=-5)])
    assert [row.id for row in model.rows] == [early.id, requests[0].id, requests[2].id, requests[3].id]
    assert (resets.count(), inserted.count(), removed.count()) == (0, 1, 1)

    kept = model.rows[1]
    model.set_requests([requests[0]._replace(timeout_s=900), *requests[2:], early])
    assert model.rows[-1].id == requests[0].id
    assert model.rows[-1] is not kept
    assert resets.count() == 0


@given(st.lists(st.lists(st.integers(0, 9), unique=True, max_size=10), max_size=6), st.sampled_from(list(QueueOrder)))
def test_the_model_shows_what_is_open_in_its_order(rounds: list[list[int]], order: QueueOrder) -> None:
    pool = random.Random(4)
    known = [_POOL[place]._replace(timeout_s=pool.choice([0.0, 30.0, 300.0])) for place in range(10)]
    model = QueueModel(Clock().now)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.set_shape(QueueShape(order))
    for places in rounds:
        open_now = [known[place] for place in places]
        model.set_requests(open_now)
        assert [row.id for row in model.rows] == [
            row.id for row in arranged(map(pending_row, open_now), QueueShape(order))
        ]


_POOL = [_asked("repeat" if place % 2 else "delete_file", after_s=place) for place in range(10)]


def test_only_calls_of_one_tool_are_picked_together(qtbot: QtBot) -> None:
    model = _model(qtbot)
    one, two, other = _asked(), _asked(after_s=1), _asked("delete_file", after_s=2)
    model.set_requests([one, two, other])

    assert model.toggle_picked(one.id)
    assert not model.toggle_picked(other.id)
    assert not model.toggle_picked("gone")
    assert model.toggle_picked(two.id)
    assert [row.id for row in model.picked] == [one.id, two.id]
    assert model.cell(0, 0).is_checked
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole).endswith("5:00 left, picked")

    model.set_requests([two, other])
    assert [row.id for row in model.picked] == [two.id]
    model.drop_picked()
    assert model.toggle_picked(other.id)


def test_a_table_of_calls_shows_each_argument() -> None:
    rows = [
        pending_row(question("repeat", {"text": "a", "times": 2}, caller="batch: x")),
        pending_row(question("repeat", {"text": ""}, caller="you")),
    ]
    batch = batch_of(rows)
    assert batch.heads == ("Caller", "text", "times")
    assert batch.cells == (("batch: x", "a", "2"), ("you", '""', "1"))
    assert (batch.tool, batch.description, batch.why_not) == ("repeat", "Say something several times.", "")


@pytest.mark.parametrize(
    ("changed", "why_not"),
    [
        (question("ask_month", asks="Which month?"), "Questions of running tools"),
        (_asked()._replace(required_role="admin"), "takes a role"),
        (_asked()._replace(risk=RiskClass.DESTRUCTIVE), "may destroy something"),
        (question("repeat", {"text": "a" * (LONGEST_VALUE + 1)}), "too long"),
        (question("repeat", {"text": "one\ntwo"}), "too long"),
        (question("repeat", {"text": "pay\u202eload"}), "do not show"),
    ],
)
def test_what_cannot_be_judged_in_a_table_is_not_allowed_there(changed: ReviewRequest, why_not: str) -> None:
    assert why_not in batch_of([pending_row(_asked()), pending_row(changed)]).why_not


def test_silence_is_said_in_words_and_spares_what_tools_say_of_it() -> None:
    assert [silence.words for silence in SILENCES] == [
        "Deny after 1 min",
        "Deny after 5 min",
        "Deny after 15 min",
        "Deny after 1 h",
        "Wait for an answer",
        "Fail after 5 min",
    ]
    assert len({silence.key for silence in SILENCES}) == len(SILENCES)
    assert TimeoutPolicy(60.0).concerns(_asked())
    assert not TimeoutPolicy(60.0).concerns(_asked(timeout_s=30.0))
    assert not TimeoutPolicy(60.0).concerns(question(on_timeout=OnTimeout.CONTINUE))


def test_a_dry_run_with_counts_is_summed_up_by_its_sentence() -> None:
    found = DryRun("Delete the folder tmp.", (Count("files", 412, "412 files"),))
    assert pending_row(_asked()._replace(preview=found)).summary == "Delete the folder tmp."
    fails = DryRun("Nothing: the call will fail.", warnings=("There is a file already.",))
    summary = pending_row(_asked()._replace(preview=fails)).summary
    assert summary == "Nothing: the call will fail. There is a file already."
