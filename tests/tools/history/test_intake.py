"""Events come in on one thread while the writer takes from it on another: no call is lost, written twice or held."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from typing import TYPE_CHECKING

import pytest

from tests.tools.history.recording import executor_for, found, record_calls
from tests.tools.history.recording import record_of as kept_of
from tests.tools.running import run
from tools import CallStatus, ToolCall, tool
from tools.calls import CallFinished, CallProposed, CallStarted, record_of
from tools.history.intake import CROWDED, MOMENT_S, TOGETHER, Ended, Intake, OpenRow
from tools.trace_words import step_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.history.recording import HistoryOf
    from tests.tools.running import ExecutorOf


@tool
async def add(a: int) -> int:
    """Add one."""
    return a + 1


def nothing() -> None:
    """Wake nobody."""


@pytest.fixture
def intake() -> Intake:
    made = Intake(nothing)
    made.limit = 100_000
    return made


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def written(intake: Intake, call: ToolCall, row: int) -> OpenRow:
    """Let a call be proposed and written before it ends."""
    intake(CallProposed(call))
    slot = intake.take_changed(0.0)[call]
    slot.row = row
    assert intake.changed == {}
    return slot


def end(intake: Intake, call: ToolCall) -> None:
    call.response.status = CallStatus.CANCELLED
    intake(CallFinished(call, record_of(call)))


def ended(intake: Intake) -> list[tuple[str, int]]:
    return [(one.record.id, 0 if one.slot is None else one.slot.row) for one in intake.ended]


def test_a_written_call_keeps_its_row_when_it_ends(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    written(intake, call, 7)

    end(intake, call)

    assert ended(intake) == [(call.id, 7)]
    assert (intake.changed, dict(intake.slots)) == ({}, {})


def test_a_written_call_that_starts_is_written_again(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    slot = written(intake, call, 7)
    assert intake.take_changed(0.0) == {}

    call.response.status = CallStatus.EXECUTING
    intake(CallStarted(call))

    assert intake.take_changed(10.0) == {call: slot}


def test_a_call_that_ends_while_its_row_is_written_has_that_row(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    intake(CallProposed(call))
    slot = intake.take_changed(0.0)[call]
    end(intake, call)
    slot.row = 7
    # As the writer does when the disk did not take it.
    intake.put_back(call)

    assert ended(intake) == [(call.id, 7)]
    assert (intake.changed, dict(intake.slots)) == ({}, {})


def test_a_call_that_could_not_be_written_is_taken_again(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    intake(CallProposed(call))
    slot = intake.take_changed(0.0)[call]

    intake.put_back(call)

    assert intake.take_changed(0.0) == {call: slot}


def test_nobody_holds_a_call_that_waits_for_its_start(executor_of: ExecutorOf, intake: Intake) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    written(intake, call, 7)
    gone = weakref.ref(call)

    del call
    gc.collect()

    assert gone() is None


@pytest.mark.parametrize("is_written", [False, True])
def test_whoever_waits_for_a_call_is_told_after_its_end(
    executor_of: ExecutorOf, intake: Intake, *, is_written: bool
) -> None:
    call = executor_of(add).create_call("add", {"a": 1})
    intake(CallProposed(call))
    if is_written:
        intake.take_changed(0.0)
    done = [intake.settled(call), intake.settled(call.id)]
    assert intake.take_waiting() == []
    end(intake, call)
    assert intake.take_waiting() == done


@pytest.mark.parametrize(("limit", "stuck"), [(0, False), (100_000, True)])
def test_a_history_that_is_closed_or_cannot_write_holds_no_call(intake: Intake, limit: int, *, stuck: bool) -> None:
    intake.limit, intake.stuck = limit, stuck
    # Nobody writes here: a wait would end by its limit, and leave its future behind.
    run(intake.until_recorded())
    assert intake.take_waiting() == []


def test_each_call_ends_once_with_its_row_whatever_the_writer_does_meanwhile(
    executor_of: ExecutorOf, intake: Intake, impatient: None
) -> None:
    executor = executor_of(add)
    calls = [executor.create_call("add", {"a": number}) for number in range(1000)]
    closing = threading.Event()

    def write() -> None:
        rows = 0
        while not closing.is_set():
            for slot in intake.take_changed(0.0).values():
                rows += 1
                slot.row = slot.row or rows

    writer = threading.Thread(target=write)
    writer.start()
    for call in calls:
        intake(CallProposed(call))
        intake(CallStarted(call))
        end(intake, call)
    closing.set()
    writer.join()

    assert [call_id for call_id, _ in ended(intake)] == [call.id for call in calls]
    assert (intake.changed, dict(intake.slots)) == ({}, {})
    rows = [row for _, row in ended(intake) if row]
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("case", [(0, False, 0), (CROWDED, False, 1), (CROWDED, True, 0)])
async def test_a_crowd_of_ended_calls_gives_the_writer_a_moment_unless_that_is_of_no_use(
    executor_of: ExecutorOf, intake: Intake, monkeypatch: pytest.MonkeyPatch, case: tuple[int, bool, int]
) -> None:
    waiting, stuck, moments = case
    given: list[float] = []
    monkeypatch.setattr("tools.history.intake.sleep", given.append)
    executor = executor_of(add, listeners=[intake])
    call = executor.create_call("add", {"a": 0})
    intake.ended.extend([Ended(record_of(call), None, 0)] * waiting)
    intake.stuck = stuck
    for number in range(TOGETHER):
        await executor.execute(executor.create_call("add", {"a": number}))
    assert given == [MOMENT_S] * moments
    assert len(intake.ended) == waiting + TOGETHER


def test_the_trace_of_a_record_is_whole_but_for_its_telling(history_of: HistoryOf) -> None:
    history = history_of()
    [call] = record_calls(history, ("echo", {"text": "a"}))
    *steps, last = call.response.steps

    assert kept_of(history, call).steps == tuple(steps)
    assert step_title(last).startswith("Listeners")


def test_a_running_call_is_found_by_its_words(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history)
    call = executor.create_call("echo", {"text": "unstarted wonders"})
    history.flush()

    assert found(history, "wonders", statuses=(CallStatus.PENDING,)) == ["1"]
    run(executor.execute(call))
    history.flush()
    assert found(history, "wonders", statuses=(CallStatus.PENDING,)) == []
    assert found(history, "wonders", statuses=(CallStatus.EXECUTED,)) == ["1"]
