"""Tasks are owned: they end with their scope, and none fails in silence."""

from __future__ import annotations

import asyncio

import pytest

from console.tasks import Repeated, TaskScope
from tests.tools.running import until
from tools import ToolError


async def fail() -> None:
    raise ValueError("the plugin is gone")


async def hold(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("ended")


async def test_what_a_task_returns_comes_back() -> None:
    async def answer() -> int:
        return 42

    scope = TaskScope("window")
    task = scope.start(answer(), "answer")
    assert scope.busy
    assert task.get_name() == "window: answer"
    assert await task == 42
    await asyncio.sleep(0)
    assert not scope.busy


async def test_an_error_is_told_to_whoever_asked() -> None:
    told: list[BaseException] = []
    scope = TaskScope("window", told.append)
    await asyncio.wait([scope.start(fail())])
    await asyncio.sleep(0)
    assert not scope.busy
    assert [str(error) for error in told] == ["the plugin is gone"]


@pytest.mark.parametrize("error", [ToolError("the key is gone"), PermissionError("no right to write"), ValueError("?")])
async def test_what_work_was_refused_for_is_told_to_its_page_and_any_other_error_to_the_program(
    error: Exception,
) -> None:
    page: list[str] = []
    program: list[BaseException] = []

    async def raise_it() -> None:
        raise error

    scope = TaskScope("window", program.append)
    await asyncio.wait([scope.start(raise_it(), refused=page.append)])
    await asyncio.sleep(0)
    is_refusal = not isinstance(error, ValueError)
    assert page == ([str(error)] if is_refusal else [])
    assert program == ([] if is_refusal else [error])


async def test_an_error_that_nobody_asked_for_is_logged_with_its_task(caplog: pytest.LogCaptureFixture) -> None:
    await asyncio.wait([TaskScope("window").start(fail(), "load")])
    await asyncio.sleep(0)
    (record,) = caplog.records
    assert record.getMessage() == "window: load failed"
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)


async def test_closing_cancels_what_runs_and_waits_for_its_end() -> None:
    told: list[BaseException] = []
    ended: list[str] = []
    scope = TaskScope("window", told.append)
    tasks = [scope.start(hold(ended)), scope.start(hold(ended))]
    await asyncio.sleep(0)
    await scope.close()
    assert all(task.cancelled() for task in tasks)
    assert not scope.busy
    assert ended == ["ended", "ended"]
    assert told == []


async def test_an_error_while_closing_is_told_as_well() -> None:
    told: list[BaseException] = []

    async def stumble() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("the disk is full")

    scope = TaskScope("window", told.append)
    _task = scope.start(stumble())
    await asyncio.sleep(0)
    await scope.close()
    await asyncio.sleep(0)
    assert [str(error) for error in told] == ["the disk is full"]


@pytest.mark.filterwarnings("error")
async def test_a_closed_scope_starts_nothing_more() -> None:
    scope = TaskScope("window")
    await scope.close()
    with pytest.raises(RuntimeError, match="the task scope 'window' is closed"):
        _task = scope.start(fail())


async def test_work_that_is_asked_for_while_it_runs_runs_once_more() -> None:
    scope, begun, may_end = TaskScope("window"), [0], asyncio.Event()

    async def look() -> None:
        begun[0] += 1
        await may_end.wait()

    looking = Repeated(scope, look, "look")
    for _ in range(3):
        looking.ask()
        await asyncio.sleep(0)
    assert (begun, looking.is_wanted) == ([1], True)
    may_end.set()
    await until(lambda: not scope.busy)
    assert (begun, looking.is_wanted) == ([2], False)
    looking.ask()
    await until(lambda: not scope.busy)
    assert begun == [3]


async def test_cancelled_work_can_be_asked_for_at_once_and_failed_work_later() -> None:
    told: list[BaseException] = []
    ended: list[str] = []
    scope = TaskScope("window", told.append)
    holding = Repeated(scope, lambda: hold(ended), "hold")
    holding.ask()
    await asyncio.sleep(0)
    holding.cancel()
    holding.ask()
    await until(lambda: ended)
    assert scope.busy
    holding.cancel()
    failing = Repeated(scope, fail, "fail")
    for times in (1, 2):
        failing.ask()
        await until(lambda: not scope.busy)
        assert len(told) == times
