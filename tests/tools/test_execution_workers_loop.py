"""Coroutines that a worker's event loop begins before it runs."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tools.execution.workers.loop import WorkerLoop


@pytest.fixture(name="loop")
def _loop() -> Iterator[WorkerLoop]:
    loop = WorkerLoop()
    yield loop
    loop.close()


def test_what_never_waits_is_done_at_once(loop: WorkerLoop) -> None:
    async def work() -> int:
        return 3

    task = loop.begin(work())
    assert (task.done(), task.result(), loop.idle) == (True, 3, True)
    assert not loop.is_running()


def test_what_waits_goes_on_when_the_loop_runs(loop: WorkerLoop) -> None:
    steps = []

    async def work() -> str:
        steps.append("first")
        await asyncio.sleep(0)
        steps.append("second")
        return "done"

    task = loop.begin(work())
    assert (steps, task.done(), loop.idle) == (["first"], False, False)
    assert loop.run_until_complete(task) == "done"
    assert steps == ["first", "second"]


def test_the_first_step_knows_its_loop_its_task_and_limits_of_time(loop: WorkerLoop) -> None:
    async def current() -> asyncio.Task[object] | None:
        return asyncio.current_task()

    async def work() -> list[bool]:
        async with asyncio.timeout(60):
            task = await current()
        return [asyncio.get_running_loop() is loop, task is not None, loop.is_running()]

    assert loop.begin(work()).result() == [True, True, True]
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


def test_the_loop_cannot_be_run_from_the_first_step(loop: WorkerLoop) -> None:
    async def nothing() -> None:
        return None

    async def work() -> None:
        running = nothing()
        try:
            loop.run_until_complete(running)
        finally:
            running.close()

    with pytest.raises(RuntimeError, match="already running"):
        loop.begin(work()).result()


def test_a_task_that_is_left_behind_is_noticed(loop: WorkerLoop) -> None:
    async def for_ever() -> None:
        await asyncio.Event().wait()

    async def work() -> asyncio.Task[None]:
        return asyncio.create_task(for_ever())

    left = loop.begin(work()).result()
    assert not loop.idle
    assert asyncio.all_tasks(loop) == {left}
    left.cancel()
    loop.run_until_complete(asyncio.wait([left]))


@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyboardInterrupt, asyncio.CancelledError])
def test_whatever_the_first_step_raises_is_in_the_task(loop: WorkerLoop, kind: type[BaseException]) -> None:
    async def work() -> None:
        raise kind

    task = loop.begin(work())
    with pytest.raises(kind):
        task.result()
    assert not loop.is_running()


def test_a_coroutine_sets_variables_for_itself_only(loop: WorkerLoop) -> None:
    variable = contextvars.ContextVar("variable", default="outside")

    async def work() -> str:
        variable.set("inside")
        return variable.get()

    assert loop.begin(work()).result() == "inside"
    assert variable.get() == "outside"


def test_generators_begun_in_the_first_step_are_closed_by_the_loop(loop: WorkerLoop) -> None:
    closed = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    async def work() -> int:
        return await anext(numbers())

    before = sys.get_asyncgen_hooks()
    assert loop.begin(work()).result() == 1
    assert sys.get_asyncgen_hooks() == before
    gc.collect()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(asyncio.sleep(0))
    assert closed == [True]


def test_a_loop_that_makes_tasks_otherwise_still_runs_them(loop: WorkerLoop) -> None:
    class Counted(asyncio.Task[int]):
        pass

    async def work() -> int:
        await asyncio.sleep(0)
        return 5

    def counted(loop: asyncio.AbstractEventLoop, work: Any, **how: Any) -> Any:
        return Counted(work, loop=loop, **how)

    loop.set_task_factory(counted)
    task = loop.begin(work())
    assert isinstance(task, Counted)
    assert loop.run_until_complete(task) == 5
