from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import pytest

from tests.tools.running import until
from tools.execution.threads import ToolThreads

WORD: ContextVar[str] = ContextVar("word", default="none")


@pytest.fixture
def pool() -> Iterator[ToolThreads]:
    made = ToolThreads(limit=2)
    yield made
    made.close()
    assert made.join(5) == 0


async def test_a_function_runs_in_a_named_daemon_thread_that_is_reused(pool: ToolThreads) -> None:
    def who() -> tuple[str, bool]:
        thread = threading.current_thread()
        return thread.name, thread.daemon

    first = await pool.run(who, {})
    await until(lambda: pool._idle == 1)
    assert [first, await pool.run(who, {})] == [("tool-1", True), ("tool-1", True)]


async def test_arguments_results_errors_and_context_variables_travel(pool: ToolThreads) -> None:
    def work(a: int, *, b: int) -> tuple[int, str]:
        if b == 0:
            raise ZeroDivisionError("b is 0")
        return a // b, WORD.get()

    WORD.set("set")
    assert await pool.run(work, {"a": 6, "b": 2}) == (3, "set")
    with pytest.raises(ZeroDivisionError, match="b is 0"):
        await pool.run(work, {"a": 6, "b": 0})


async def test_stop_iteration_becomes_an_error_that_keeps_its_cause(pool: ToolThreads) -> None:
    def work() -> Any:
        return next(iter(()))

    with pytest.raises(RuntimeError, match="the tool raised StopIteration") as caught:
        await pool.run(work, {})
    assert isinstance(caught.value.__cause__, StopIteration)


async def test_no_more_threads_work_than_the_limit_and_the_rest_wait_their_turn(pool: ToolThreads) -> None:
    release = threading.Event()
    running: list[int] = []
    most: list[int] = []
    lock = threading.Lock()

    def work(number: int) -> int:
        with lock:
            running.append(number)
            most.append(len(running))
        release.wait(10)
        with lock:
            running.remove(number)
        return number

    jobs = [asyncio.create_task(pool.run(work, {"number": number})) for number in range(6)]
    await until(lambda: len(running) == 2)
    release.set()
    assert list(await asyncio.gather(*jobs)) == list(range(6))
    assert max(most) == 2


async def test_a_cancelled_wait_abandons_its_thread_until_the_function_returns(pool: ToolThreads) -> None:
    release = threading.Event()
    started = threading.Event()

    def work() -> None:
        started.set()
        release.wait(10)

    job = asyncio.create_task(pool.run(work, {}))
    await until(started.is_set)
    job.cancel()
    await asyncio.wait([job])
    assert job.cancelled()
    assert pool.abandoned == 1
    assert await pool.run(lambda: "free", {}) == "free"
    release.set()
    await until(lambda: pool.abandoned == 0)


async def test_jobs_that_wait_are_started_when_the_threads_before_them_are_abandoned(pool: ToolThreads) -> None:
    release = threading.Event()
    begun: list[int] = []

    def work() -> None:
        begun.append(1)
        release.wait(10)

    blocked = [asyncio.create_task(pool.run(work, {})) for _ in range(2)]
    await until(lambda: len(begun) == 2)
    waiting = asyncio.create_task(pool.run(lambda: "my turn", {}))
    await asyncio.sleep(0)
    for job in blocked:
        job.cancel()
    assert await asyncio.wait_for(waiting, 5) == "my turn"
    assert pool.abandoned == 2
    release.set()
    await until(lambda: pool.abandoned == 0)


async def test_a_job_given_up_before_its_turn_never_runs(pool: ToolThreads) -> None:
    release = threading.Event()
    ran: list[int] = []
    blocked = [asyncio.create_task(pool.run(release.wait, {"timeout": 10})) for _ in range(2)]
    given_up = asyncio.create_task(pool.run(lambda: ran.append(1), {}))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.wait([given_up])
    release.set()
    await asyncio.gather(*blocked)
    assert pool.abandoned == 0
    assert ran == []


async def test_a_result_after_the_loop_closed_is_dropped_quietly(pool: ToolThreads) -> None:
    begun, release, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        release.wait(10)
        ended.set()

    started = asyncio.create_task(pool.run(work, {}))
    assert await asyncio.to_thread(begun.wait, 10)
    started.cancel()
    release.set()
    assert ended.wait(10)
