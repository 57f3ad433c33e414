from __future__ import annotations

import asyncio
import re
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import run
from tools import CallStatus, Continue, ToolCall, ToolFailure, tool
from tools.calls import (
    CallFinished,
    CallProposed,
    ReviewAsked,
    ReviewDecided,
    ReviewRequest,
    ReviewTiming,
    record_of,
)
from tools.calls.question import OnTimeout
from tools.history.body import body_of
from tools.history.capture import Capture
from tools.history.encoding import Encoder, Row
from tools.history.intake import CROWDED, MOMENT_S, TOGETHER, Intake
from tools.history.trace import steps_of
from tools.trace_words import step_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.tools.running import ExecutorOf


@tool
async def add(a: int) -> int:
    """Add one."""
    return a + 1


def nothing() -> None:
    """Wake nobody."""


def not_ordinary(captures: Sequence[Capture]) -> list[None]:
    """Let the writer make the rows."""
    return [None] * len(captures)


@pytest.fixture
def intake() -> Intake:
    made = Intake(nothing, not_ordinary)
    made.limit = 100_000
    return made


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def parked(intake: Intake, call: ToolCall, row: int) -> Capture:
    intake(CallProposed(call))
    capture = intake.open[call]
    capture.row, capture.claimed = row, True
    intake.park(capture)
    assert call not in intake.open
    return capture


def ended(intake: Intake) -> list[Capture]:
    return [taken for taken in intake.ended if isinstance(taken, Capture)]


def test_a_parked_call_whose_end_is_about_to_be_told_keeps_its_row(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    parked(intake, call, 7)
    # The response is final a moment before anybody is told, and the writer looks in that moment.
    call.response.status = CallStatus.CANCELLED
    intake.recall_started()
    intake(CallFinished(call, record_of(call)))
    intake.recall_started()
    assert [(capture.call, capture.row) for capture in ended(intake)] == [(call, 7)]
    assert intake.open == {}
    assert not intake.parks


def test_a_call_that_ended_while_its_row_was_written_is_not_parked(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    intake(CallProposed(call))
    capture = intake.open[call]
    call.response.status = CallStatus.CANCELLED
    intake(CallFinished(call, record_of(call)))
    capture.row = 7
    intake.park(capture)
    intake.recall_started()
    assert [(taken.call, taken.row) for taken in ended(intake)] == [(call, 7)]
    assert intake.open == {}
    assert not intake.parks


def test_whoever_waits_for_a_parked_call_gets_its_own_row_back(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    parked(intake, call, 7)
    done = intake.settled(call)
    assert intake.open[call].row == 7
    call.response.status = CallStatus.CANCELLED
    intake(CallFinished(call, record_of(call)))
    assert [(capture.row, capture.waiting) for capture in ended(intake)] == [(7, None)]
    assert intake.take_waiting() == [done]


@pytest.mark.parametrize(("limit", "stuck"), [(0, False), (100_000, True)])
def test_a_history_that_is_closed_or_cannot_write_holds_no_call(intake: Intake, limit: int, *, stuck: bool) -> None:
    intake.limit, intake.stuck = limit, stuck
    # Nobody writes here: a wait would end by its limit, and leave its future behind.
    run(intake.until_recorded())
    assert intake.take_waiting() == []


def test_each_call_ends_once_with_its_row_and_its_decision_whatever_the_writer_does_meanwhile(
    executor_of: ExecutorOf, intake: Intake, impatient: None
) -> None:
    executor = executor_of(add)
    calls = [executor.create_call("add", {"a": number}) for number in range(1000)]
    request_of = {call: request(call) for call in calls}
    proposed, closing = threading.Event(), threading.Event()

    def write() -> None:
        rows = 0
        while not closing.is_set():
            proposed.wait(1)
            for capture in list(intake.open.values()):
                if not capture.row and capture.call.response.status is CallStatus.PENDING:
                    rows += 1
                    capture.row, capture.claimed = rows, True
                    intake.park(capture)
            intake.recall_started()

    writer = threading.Thread(target=write)
    writer.start()
    for call in calls:
        intake(CallProposed(call))
        proposed.set()
        intake(ReviewAsked(call, request_of[call]))
        intake(ReviewDecided(call, request_of[call], Continue(), "you"))
        call.response.status = CallStatus.CANCELLED
        intake(CallFinished(call, record_of(call)))
    closing.set()
    writer.join()
    intake.recall_started()
    assert [capture.call for capture in ended(intake)] == calls
    assert intake.open == {}
    assert not intake.parks
    assert all([asked.by for asked in capture.decisions or ()] == ["you"] for capture in ended(intake))
    rows = [capture.row for capture in ended(intake) if capture.row]
    assert len(set(rows)) == len(rows)


def request(call: ToolCall) -> ReviewRequest:
    return ReviewRequest(
        id=f"review-{call.id}",
        call=call,
        description="May it?",
        arguments={},
        timing=ReviewTiming.BEFORE_EXECUTION,
        concerns=(),
        timeout_s=0,
        on_timeout=OnTimeout.EXIT_EARLY,
        prompt="",
        required_role="",
        asked_at=call.proposed_at,
    )


@pytest.mark.parametrize("breaks", [False, True])
def test_rows_of_plain_calls_are_made_together_and_the_writer_makes_the_others(
    executor_of: ExecutorOf, *, breaks: bool
) -> None:
    executor = executor_of(add)
    calls = [executor.create_call("add", {"a": number}) for number in range(TOGETHER + 1)]

    def rows_of(captures: Sequence[Capture]) -> list[tuple[str] | None]:
        if breaks:
            raise RuntimeError("no way")
        return [None if capture.call is calls[3] else (capture.call.id,) for capture in captures]

    intake = Intake(nothing, rows_of)
    intake.limit = 100_000
    for call in calls:
        intake(CallProposed(call))
        intake(CallFinished(call, record_of(call)))
    left = [taken.call if isinstance(taken, Capture) else taken[0] for taken in intake.take(len(calls))]

    assert left == [call if breaks or call in {calls[3], calls[-1]} else call.id for call in calls]


@tool
async def repeat(text: str, times: int = 1) -> list[str]:
    """Say it again."""
    return [text] * times


@tool
async def fail(message: str) -> None:
    """Fail."""
    raise ToolFailure(message)


def spoken(row: Row) -> list[bytes]:
    """Return the words that a row is found by."""
    text = row.body.partition(b"\0")[0] if row.words is None else row.words
    return re.findall(rb"[^\W_]+", text)


@pytest.mark.expects_log("tools.calls")
@pytest.mark.parametrize("ask_text", [False, True])
def test_rows_made_together_are_those_that_the_writer_makes(
    executor_of: ExecutorOf, intake: Intake, *, ask_text: bool
) -> None:
    executor = executor_of(add, repeat, fail)
    given: list[tuple[str, dict[str, Any]]] = [
        *[("add", {"a": number}) for number in range(3)],
        *[("repeat", {"text": text, "times": 3}) for text in ("a", 'Grüße\n"und" C:\\new', "long " * 400)],
        ("fail", {"message": "no \\n such"}),
        ("add", {"a": "x"}),
    ]

    async def work() -> None:
        for name, arguments in given:
            call = executor.create_call(name, arguments)
            intake(CallProposed(call))
            response = await executor.execute(call)
            if ask_text:
                assert response.text
            intake(CallFinished(call, record_of(call)))

    asyncio.run(work())
    encoder = Encoder("run", None)
    captures = ended(intake)

    for group in (captures, captures[:3], captures[4:5]):
        for fields, capture in zip(encoder.ordinary_rows(group), group, strict=True):
            assert fields is not None
            row, writers = Row._make(fields), encoder.row(capture)
            assert row._replace(words=None) == writers._replace(words=None)
            assert row.kind is writers.kind
            assert spoken(row) == spoken(writers)


@pytest.mark.parametrize("case", [(0, False, 0), (CROWDED, False, 1), (CROWDED, True, 0)])
def test_a_crowd_of_ended_calls_gives_the_writer_a_moment_unless_that_is_of_no_use(
    executor_of: ExecutorOf, intake: Intake, monkeypatch: pytest.MonkeyPatch, case: tuple[int, bool, int]
) -> None:
    waiting, stuck, moments = case
    given: list[float] = []
    monkeypatch.setattr("tools.history.intake.sleep", given.append)
    executor = executor_of(add, listeners=[intake])
    intake.ended.extend(() for _ in range(waiting))
    intake.stuck = stuck

    async def work() -> None:
        for number in range(TOGETHER + 1):
            await executor.execute(executor.create_call("add", {"a": number}))

    asyncio.run(work())

    assert given == [MOMENT_S] * moments
    assert len(intake.ended) == waiting + TOGETHER + 1


def test_the_trace_of_a_row_is_whole(executor_of: ExecutorOf) -> None:
    intake = Intake(nothing, Encoder("run", None).ordinary_rows)
    intake.limit = 100_000
    executor = executor_of(add, listeners=[intake])

    async def work() -> list[ToolCall]:
        calls = [executor.create_call("add", {"a": number}) for number in range(TOGETHER + 1)]
        for call in calls:
            await executor.execute(call)
        return calls

    calls = asyncio.run(work())
    *rows, newest = intake.take(TOGETHER + 1)

    assert isinstance(newest, Capture)
    for fields, call in zip(rows, calls[:-1], strict=True):
        assert isinstance(fields, tuple)
        row = Row._make(fields)
        assert steps_of(row.kind[-1], body_of(row.body).times) == tuple(call.response.steps)
        assert step_title(call.response.steps[-1]).startswith("Listeners")
