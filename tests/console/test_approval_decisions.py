"""What the list of decisions says of each, how it follows the history, and what is written into a file."""

from __future__ import annotations

import asyncio
import csv
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from console.approval.approval_queue import ApprovalQueue
from console.approval.decision_model import DecidedRow, DecisionModel, decided_row, summary_of
from console.approval.decisions_presenter import DecidedCalls, DecisionsPresenter, span_of_rules
from console.approval.decisions_view import DecisionsView
from console.call_storage import CallStorage
from console.responsiveness.heartbeat import UiHeartbeat
from console.tasks import TaskScope
from tests.console.approval_questions import START, TOOLS, Clock
from tests.tools.running import until
from tools import Edit, Executor, ExitEarly, ReviewDecision, ReviewRequest, ToolRegistry, resolve_tools
from tools.calls import TIME_LIMIT, Advice, CallStatus, Continue, Decision
from tools.errors import HistoryError
from tools.history import DecidedCall, DecisionPage
from tools.policy import Effect, Policy, Rule, RuleLocation

PATIENCE_S = 20.0
ONE_FILE = {"path": "a", "recursive": True}


def _decided(number: int = 0, *, by: str = "you", taken_s: float = 12.0, **facts: Any) -> DecidedCall:
    given: dict[str, Any] = {
        "question": "Delete something",
        "timing": "before_execution",
        "concerns": (),
        "shown": ONE_FILE,
        "asked_at": START,
        "decided_at": START + timedelta(seconds=taken_s),
        "answer": "continue",
        "by": by,
        "reason": "",
        "revised": None,
        "timed_out": False,
        **facts,
    }
    return DecidedCall(f"run-{number}", 0, "delete_file", "agent:claude", CallStatus.EXECUTED, Decision(**given))


def _spans(rule_id: str) -> str:
    return f"span of {rule_id}"


def _row(**facts: Any) -> DecidedRow:
    return decided_row(_decided(**facts), _spans)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({}, ("ok", "Allowed", "", "Only this call", "you")),
        ({"remembered": "r1"}, ("ok", "Allowed", "", "span of r1", "you")),
        ({"by": "rule r1", "why": "Notes are in git"}, ("ok", "Allowed", "Notes are in git", "span of r1", "rule")),
        (
            {"answer": "edit", "revised": {"path": "drafts/", "recursive": True}},
            ("ok", "Allowed, edited", "path changed to drafts/", "Only this call", "you"),
        ),
        (
            {"answer": "edit", "revised": {"path": "b", "recursive": False}},
            ("ok", "Allowed, edited", "path, recursive changed", "Only this call", "you"),
        ),
        (
            {"answer": "edit", "revised": {"path": "a"}},
            ("ok", "Allowed, edited", "recursive left out", "Only this call", "you"),
        ),
        (
            {"answer": "edit", "revised": "May", "shown": None, "timing": "during_execution"},
            ("ok", "Answered", "“May”", "Only this call", "you"),
        ),
        (
            {"answer": "exit_early", "reason": "not here", "advice": Advice.ASK},
            ("error", "Denied", "“not here”, told to ask first", "Only this call", "you"),
        ),
        (
            {"answer": "exit_early", "timing": "after_execution"},
            ("error", "Result withheld", "", "Only this call", "you"),
        ),
        (
            {"answer": "exit_early", "reason": "rm is never needed", "stopped_run": True},
            ("error", "Denied, run stopped", "“rm is never needed”", "Only this call", "you"),
        ),
        ({"timing": "after_execution"}, ("ok", "Result handed on", "", "Only this call", "you")),
        (
            {"answer": "exit_early", "timed_out": True, "by": TIME_LIMIT, "taken_s": 300.0},
            ("idle", "Expired after 5 min", "nobody answered", "none", "timer"),
        ),
        ({"by": TIME_LIMIT, "taken_s": 5.0}, ("idle", "Continued after 5 s", "", "none", "timer")),
        ({"answer": "exit_early", "by": ""}, ("idle", "Withdrawn", "", "none", "")),
        (
            {"answer": "exit_early", "void": "the tool changed"},
            ("idle", "Withdrawn", "the tool changed", "none", "you"),
        ),
        ({"attached_to": "q1"}, ("ok", "Allowed", "answered with an identical call", "Only this call", "you")),
    ],
)
def test_a_decision_is_told_in_words(facts: dict[str, Any], told: tuple[str, str, str, str, str]) -> None:
    row = _row(**facts)
    assert (row.tone, row.outcome, row.note, row.remembered, row.by) == told


@pytest.mark.parametrize(("taken_s", "words"), [(0.2, "0 s"), (41.0, "41 s"), (59.7, "1:00"), (300.0, "5:00")])
def test_the_time_taken_is_short(taken_s: float, words: str) -> None:
    assert _row(taken_s=taken_s).taken == words


def test_the_day_is_summed_up() -> None:
    rows = [_row(), _row(), _row(answer="exit_early"), _row(answer="exit_early", by=TIME_LIMIT, timed_out=True)]
    assert summary_of(rows) == "today, 4 decisions: 2 allowed, 1 denied, 1 expired"
    assert summary_of(rows[:1]) == "today, 1 decision: 1 allowed"
    assert summary_of([]) == "no decisions today"


def test_a_rule_is_remembered_for_as_long_as_it_holds() -> None:
    policy = Policy(user_file=None, project_dir=None)
    policy.add(Rule(id="session", effect=Effect.ALLOW, tool="a"), RuleLocation.SESSION)
    policy.add(
        Rule(id="until", effect=Effect.ALLOW, tool="b", expires_at=START + timedelta(days=9_000)), RuleLocation.SESSION
    )
    span_of = span_of_rules(lambda: policy.rules)
    assert span_of("session") == "This session"
    assert span_of("until").startswith("Until ")
    assert span_of("removed") == "Not any more"


def _rows(*numbers: int) -> list[DecidedRow]:
    return [decided_row(_decided(number), _spans) for number in numbers]


def test_the_model_puts_new_decisions_on_top_and_begins_anew_when_it_must(qtbot: QtBot) -> None:
    model = DecisionModel(Clock().now)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    resets, more = QSignalSpy(model.modelReset), QSignalSpy(model.more_wanted)

    assert not model.merge(_rows(5, 4))
    model.show_rows(_rows(5, 4), has_more=True)
    model.fetchMore(model.index(-1, -1))
    model.fetchMore(model.index(-1, -1))
    assert more.count() == 1
    model.append(_rows(3, 2), has_more=False)
    assert not model.canFetchMore(model.index(-1, -1))
    assert model.merge(_rows(7, 6, 5))
    assert [row.call_id for row in model.rows] == [f"run-{number}" for number in (7, 6, 5, 4, 3, 2)]
    assert resets.count() == 1

    assert not model.merge(_rows(20, 19))
    model.show_rows(_rows(20))
    assert [row.call_id for row in model.rows] == ["run-20"]
    assert model.index(0, 2).data() == "agent: claude"


class _History:
    """Decisions that are told as they are asked for."""

    def __init__(self) -> None:
        self.pages: dict[int | None, DecisionPage] = {None: DecisionPage()}
        self.asked: list[tuple[str, int | None]] = []
        self.problem = ""

    async def decisions(
        self, text: str, *, since: object = None, limit: int = 100, before: int | None = None
    ) -> DecisionPage:
        if self.problem:
            raise HistoryError(self.problem)
        if since is None:
            self.asked.append((text, before))
        return self.pages[before]

    async def export_decisions(self, text: str, path: Path) -> int:
        if self.problem:
            raise HistoryError(self.problem)
        return 2


class _House:
    def __init__(self, qtbot: QtBot) -> None:
        self.history = _History()
        self.model = DecisionModel(Clock().now)
        self.view = DecisionsView(self.model)
        qtbot.addWidget(self.view)
        self.view.resize(1300, 300)
        self.view.show()
        self.scope = TaskScope("test")
        self.presenter = DecisionsPresenter(
            self.model, self.view, self.history, scope=self.scope, span_of=_spans, now=Clock().now, parent=self.model
        )
        self.noticed = QSignalSpy(self.presenter.noticed)

    until = staticmethod(until)

    async def close(self) -> None:
        self.presenter.close()
        await self.scope.close()


async def test_the_list_is_filled_page_by_page_and_filtered(qtbot: QtBot) -> None:
    house = _House(qtbot)
    house.history.pages = {
        None: DecisionPage((_decided(2), _decided(1)), next_before=1),
        1: DecisionPage((_decided(0, answer="exit_early"),)),
    }
    house.presenter.refresh()
    # The table is not full, so it asks for the rest by itself.
    await house.until(lambda: len(house.model.rows) == 3)
    assert house.view.table.isVisible()
    assert house.history.asked == [("", None), ("", 1)]

    house.history.pages = {None: DecisionPage((_decided(2),))}
    QTest.keyClicks(house.view.search, "x")
    await house.until(lambda: len(house.model.rows) == 1)
    house.history.pages = {None: DecisionPage()}
    QTest.keyClicks(house.view.search, "y")
    await house.until(lambda: not house.model.rows)
    assert not house.view.export.isEnabled()
    await house.close()


async def test_a_decision_leads_to_its_call(qtbot: QtBot) -> None:
    house = _House(qtbot)
    house.history.pages = {None: DecisionPage((_decided(7),))}
    opened = QSignalSpy(house.view.opened)
    house.presenter.refresh()
    await house.until(lambda: house.model.rows)
    house.view.table.setCurrentIndex(house.model.index(0, 0))
    QTest.keyClick(house.view.table, Qt.Key.Key_Return)
    assert opened.at(0) == ["run-7"]
    await house.close()


async def test_what_cannot_be_read_or_written_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    house = _House(qtbot)
    house.view.export_chosen.emit(str(tmp_path / "decisions.csv"))
    await house.until(house.noticed.count)
    assert house.noticed.at(0) == ["2 decisions written to decisions.csv"]
    house.history.problem = "the disk is gone"
    house.view.export_chosen.emit(str(tmp_path / "decisions.csv"))
    await house.until(lambda: house.noticed.count() == 2)
    assert house.noticed.at(1) == ["The decisions could not be written: the disk is gone"]
    await house.close()


class _Reviewer:
    """Answer by what the text says."""

    name = "you"

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        match (request.arguments or {}).get("text"):
            case "no":
                return ExitEarly("=1+1")
            case "other":
                return Edit({**(request.arguments or {}), "text": "new"})
            case _:
                return Continue()


@pytest.mark.reference("E28", "E29")
async def test_real_decisions_come_back_from_the_history_and_into_a_file(tmp_path: Path) -> None:
    executor = Executor(ToolRegistry(resolve_tools(list(TOOLS))), review_handler=_Reviewer())
    desk = ApprovalQueue()
    records = CallStorage(tmp_path / "data", executor, UiHeartbeat(desk), desk)
    await records.open()
    for text in ("yes", "no", "other"):
        await executor.execute(executor.create_call("repeat", {"text": text}))
    decided = DecidedCalls(records, _spans)
    async with asyncio.timeout(PATIENCE_S):
        while len((await decided.decisions("")).rows) < 3:  # noqa: ASYNC110 -- the history writes when it can
            await asyncio.sleep(0.02)
    rows = [decided_row(one, _spans) for one in (await decided.decisions("")).rows]
    assert [row.outcome for row in rows] == ["Allowed, edited", "Denied", "Allowed"]
    assert rows[0].note == "text changed to new"

    path = tmp_path / "decisions.csv"
    assert await decided.export_decisions("", path) == 3
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    assert table[0][:3] == ["Call", "Time", "Tool"]
    assert [line[4] for line in table[1:]] == ["Allowed, edited", "Denied", "Allowed"]
    await executor.aclose()
    await records.close()
