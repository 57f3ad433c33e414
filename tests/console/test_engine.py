"""Tools run on a thread of their own, and the window hears of them in order."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Iterator
from itertools import accumulate

import pytest
from pytestqt.qtbot import QtBot

from console.call_events import CallAdded, CallBegun, CallEnded, CallOutput, WindowEvent
from console.engine import Engine, Inbox
from tools.calls import (
    CallFinished,
    CallProposed,
    CallStarted,
    CallStatus,
    Event,
    LogEntry,
    Logged,
    Progress,
    Progressed,
    ToolCall,
    Wrote,
    record_of,
)


@pytest.fixture
def engine(qapp: object) -> Iterator[Engine]:
    engine = Engine()
    engine.start()
    yield engine
    assert engine.stop()


async def thread_name(*words: str, **more: str) -> tuple[str, tuple[str, ...], dict[str, str]]:
    return threading.current_thread().name, words, more


async def fail() -> None:
    raise ValueError("no such file")


def test_submitted_work_runs_on_the_engines_thread(engine: Engine) -> None:
    future = engine.submit(thread_name, "one", two="2")

    assert future.result(5) == ("engine", ("one",), {"two": "2"})


def test_the_error_of_submitted_work_comes_back(engine: Engine) -> None:
    with pytest.raises(ValueError, match="no such file"):
        engine.submit(fail).result(5)


async def test_the_window_awaits_the_engine(engine: Engine) -> None:
    assert await engine.call(thread_name, "one", two="2") == ("engine", ("one",), {"two": "2"})
    with pytest.raises(ValueError, match="no such file"):
        await engine.call(fail)


async def test_cancelling_the_wait_cancels_the_work(engine: Engine) -> None:
    began, cancelled = threading.Event(), threading.Event()

    async def hold() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    task = asyncio.ensure_future(engine.call(hold))
    assert await asyncio.to_thread(began.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(cancelled.wait, 5)


async def test_long_plain_work_holds_up_neither_loop(engine: Engine) -> None:
    go_on = threading.Event()

    def long_work(words: str) -> tuple[str, bool]:
        return words, go_on.wait(5)

    task = asyncio.ensure_future(engine.compute(long_work, "done"))
    assert (await engine.call(thread_name))[0] == "engine"
    assert not task.done()
    go_on.set()
    assert await task == ("done", True)


def test_a_posted_function_is_called_on_the_engines_thread(engine: Engine) -> None:
    called: concurrent.futures.Future[tuple[str, str]] = concurrent.futures.Future()

    def note(words: str) -> None:
        called.set_result((threading.current_thread().name, words))

    engine.post(note, "stop")

    assert called.result(5) == ("engine", "stop")


def test_events_of_the_engines_thread_reach_the_windows_together_and_in_order(engine: Engine, qtbot: QtBot) -> None:
    calls = [ToolCall(str(number), None, "tool", {}, "you", 0.0) for number in range(50)]
    told: list[Event] = [CallStarted(call) for call in calls]
    told.insert(10, Logged(calls[0], LogEntry(0.0, "info", "one line")))
    expected: list[WindowEvent] = [CallBegun(call.id, "tool") for call in calls]
    expected.insert(10, CallOutput("0", logs=(LogEntry(0.0, "info", "one line"),)))
    received: list[WindowEvent] = []
    threads: list[threading.Thread] = []  # one for each batch

    def on_events(events: list[WindowEvent]) -> None:
        received.extend(events)
        threads.append(threading.current_thread())

    engine.events.connect(on_events)

    async def tell() -> None:
        for event in told:
            engine.receive(event)

    engine.submit(tell).result(5)
    qtbot.waitUntil(lambda: len(received) == len(told))

    assert received == expected
    assert threads == [threading.main_thread()]


def test_start_and_output_are_not_told_together_with_the_end_of_their_call() -> None:
    inbox = Inbox(list)
    first, second = (ToolCall(name, None, "tool", {}, "you", 0.0) for name in "12")
    line = LogEntry(0.0, "info", "one line")
    for call in (first, second):
        for event in (CallProposed(call), CallStarted(call), Logged(call, line)):
            inbox(event)
    inbox(CallFinished(first))
    assert inbox.take() == [
        CallAdded(record_of(first)),
        CallAdded(record_of(second)),
        CallBegun("2", "tool"),
        CallOutput("2", logs=(line,)),
        CallEnded(record_of(first)),
    ]

    inbox(CallFinished(second))
    assert inbox.take() == [CallEnded(record_of(second))]
    assert not inbox.take()


def test_each_output_goes_on_where_the_one_before_ended() -> None:
    inbox = Inbox(list)
    call = ToolCall("1", None, "tool", {}, "you", 0.0)
    lines = [LogEntry(float(number), "info", str(number)) for number in range(5)]
    for line in lines[:2]:
        inbox(Logged(call, line))
    for part, start in (("fir", 0), ("st", 3)):
        inbox(Wrote(call, part, start))
    for done in (1, 2):
        inbox(Progressed(call, Progress(done)))
    assert inbox.take() == [CallOutput("1", 0, tuple(lines[:2]), "first", 0, Progress(2))]

    inbox(Wrote(call, " text", 5))
    for line in lines[2:]:
        inbox(Logged(call, line))
    assert inbox.take() == [CallOutput("1", 2, tuple(lines[2:]), " text", 5)]

    # Another attempt writes another text: nobody needs what is left of the one before.
    for event in (Wrote(call, " lost", 10), Wrote(call, "sec"), Wrote(call, "ond", 3)):
        inbox(event)
    assert inbox.take() == [CallOutput("1", 5, (), "second", 0)]


def test_what_a_call_that_ended_still_says_is_not_told() -> None:
    inbox = Inbox(list)
    call = ToolCall("1", None, "tool", {}, "you", 0.0)
    inbox(Logged(call, LogEntry(0.0, "info", "in time")))
    call.response.status = CallStatus.EXECUTED
    inbox(CallFinished(call))
    inbox(Logged(call, LogEntry(0.0, "info", "too late")))

    assert inbox.take() == [CallEnded(record_of(call))]


def test_lines_of_many_threads_are_told_once_each() -> None:
    inbox = Inbox(list)
    calls = [ToolCall(str(number), None, "tool", {}, "you", 0.0) for number in range(2)]

    def write(thread: int) -> None:
        for number in range(500):
            inbox(Logged(calls[thread % 2], LogEntry(0.0, "info", f"{thread} {number}")))

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    told: list[WindowEvent] = []
    while any(thread.is_alive() for thread in threads):
        told += inbox.take()
    told += inbox.take()

    for call in calls:
        outputs = [event for event in told if isinstance(event, CallOutput) and event.call_id == call.id]
        texts = [entry.text for output in outputs for entry in output.logs]
        writers = int(call.id), int(call.id) + 2
        assert sorted(texts) == sorted(f"{thread} {number}" for thread in writers for number in range(500))
        starts = list(accumulate((len(output.logs) for output in outputs), initial=0))
        assert [output.first_line for output in outputs] == starts[:-1]


def test_a_tool_that_raises_what_ends_programs_does_not_end_the_engine(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    async def leave() -> None:
        raise SystemExit(3)

    leaving = engine.submit(leave)

    assert engine.submit(thread_name).result(5)[0] == "engine"
    with pytest.raises(SystemExit):
        leaving.result(5)
    assert [record.getMessage() for record in caplog.records] == [
        "a tool raised what ends programs; the engine goes on"
    ]


def test_stopping_cancels_what_still_runs(qapp: object) -> None:
    engine = Engine()
    engine.start()
    began, ended = threading.Event(), threading.Event()

    async def hold() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    engine.submit(hold)
    assert began.wait(5)

    assert engine.stop()
    assert ended.is_set()
    assert "engine" not in [thread.name for thread in threading.enumerate()]


def test_a_stopped_engine_takes_late_words_in_silence(qapp: object) -> None:
    engine = Engine()
    engine.start()
    assert engine.stop()
    called: list[str] = []

    engine.post(called.append, "too late")

    assert called == []
    assert engine.stop()


def test_a_tool_that_blocks_the_loop_cannot_keep_the_program(qapp: object, caplog: pytest.LogCaptureFixture) -> None:
    engine = Engine()
    engine.start()
    began, go_on = threading.Event(), threading.Event()

    async def block() -> None:
        began.set()
        go_on.wait(10)

    engine.submit(block)
    assert began.wait(5)
    try:
        assert not engine.stop(timeout_s=0.01)
        assert [record.getMessage() for record in caplog.records] == [
            "a tool still blocks the engine; the program ends without it"
        ]
    finally:
        go_on.set()

    assert engine.stop()
