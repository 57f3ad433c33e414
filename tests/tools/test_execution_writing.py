"""Text that a tool writes while it runs: it arrives part by part, wherever the tool runs, and is kept when it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.tools import writing
from tests.tools.running import ExecutorOf, Recorder
from tools import Isolation, Policies, Tool, resolve_tools
from tools.calls import MASK, CallStatus, Event, Wrote

PLACES = ("inline", "thread", "process")
Placed = Callable[[object], Tool]


@pytest.fixture(params=PLACES)
def placed(request: pytest.FixtureRequest) -> Placed:
    def put(target: object) -> Tool:
        (tool,) = resolve_tools([target])
        return replace(tool, policies=tool.policies.merged(Policies(isolation=Isolation(request.param))))

    return put


def written(recorder: Recorder) -> list[str]:
    return [event.text for event in recorder.events if isinstance(event, Wrote)]


def test_parts_arrive_in_order_and_the_result_stands_for_itself(executor_of: ExecutorOf, placed: Placed) -> None:
    recorder = Recorder()
    response = executor_of(placed(writing.dictate), listeners=[recorder]).run("dictate", {})

    assert response.result == "done"
    assert written(recorder) == list(response.parts) == ["one ", "two\n", "three"]


def test_what_came_before_a_failure_is_kept(executor_of: ExecutorOf, placed: Placed) -> None:
    response = executor_of(placed(writing.break_off)).run("break_off", {})

    assert response.status is CallStatus.FAILED
    assert list(response.parts) == ["half of "]


async def test_what_came_before_a_stop_is_kept(executor_of: ExecutorOf, placed: Placed) -> None:
    wrote = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hear(event: Event) -> None:
        if isinstance(event, Wrote):
            loop.call_soon_threadsafe(wrote.set)

    executor = executor_of(placed(writing.dictate_for_ever), listeners=[hear])
    call = executor.create_call("dictate_for_ever", {})
    running = asyncio.create_task(executor.execute(call))
    await asyncio.wait_for(wrote.wait(), 30)
    call.cancel()
    await running

    assert call.response.status is CallStatus.CANCELLED
    assert list(call.response.parts) == ["so far"]
    await executor.aclose()


def test_another_attempt_begins_another_text(executor_of: ExecutorOf) -> None:
    recorder = Recorder()
    response = executor_of(writing.dictate_again, listeners=[recorder]).run("dictate_again", {})

    first, second = written(recorder)
    assert first != second
    assert list(response.parts) == [second]


def test_a_secret_in_two_parts_is_hidden(executor_of: ExecutorOf, placed: Placed) -> None:
    recorder = Recorder()
    response = executor_of(placed(writing.tell), listeners=[recorder]).run("tell", {"key": "swordfish-1234"})

    assert response.succeeded
    shown = "".join(response.parts)
    assert shown == f"the key is {MASK} and\n"
    assert "".join(written(recorder)) == shown


def test_after_the_most_letters_no_more_are_kept(executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.context.MAX_WRITTEN_CHARACTERS", 6)
    response: Any = executor_of(writing.dictate).run("dictate", {})

    assert list(response.parts) == ["one ", "tw"]
