"""Crews: jobs that belong together share places among the threads, and threads hand these on themselves."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.tools.running import ExecutorOf, run, until
from tools import CallStatus, Isolation, tool
from tools.calls import StepOutcome
from tools.execution.threads import Crew, ToolThreads

pytestmark = pytest.mark.expects_log("tools.calls")


@pytest.fixture
def pool() -> Iterator[ToolThreads]:
    made = ToolThreads()
    yield made
    made.close()
    assert made.join(5) == 0


class Told:
    """Remember what a job heard of its turn."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def on_wait(self) -> None:
        self.words.append("wait")

    def on_turn(self, began: float) -> None:
        assert began <= time.perf_counter()
        self.words.append("turn")


def handed_in(crew: Crew, function: Any, turn: Told | None = None, **arguments: Any) -> asyncio.Task[Any]:
    """Hand a job in."""
    return asyncio.ensure_future(crew.run(function, arguments, turn or Told()))


def test_a_thread_takes_the_next_job_of_its_crew_while_the_event_loop_is_busy(pool: ToolThreads) -> None:
    done = threading.Semaphore(0)
    names: list[str] = []

    def work() -> None:
        names.append(threading.current_thread().name)
        done.release()

    async def main() -> None:
        crew = pool.crew(1)
        told = [Told() for _ in range(3)]
        jobs = [handed_in(crew, work, turn) for turn in told]
        await asyncio.sleep(0)
        # From here on the loop does nothing until all three have run.
        assert all(done.acquire(timeout=10) for _ in jobs)
        await asyncio.gather(*jobs)
        assert [turn.words for turn in told] == [[], ["wait", "turn"], ["wait", "turn"]]
        assert len(set(names)) == 1

    run(main())


def test_no_more_jobs_of_a_crew_run_than_it_has_places_and_other_jobs_do_not_count(pool: ToolThreads) -> None:
    running: list[int] = []
    most: list[int] = []
    lock = threading.Lock()

    def work() -> None:
        with lock:
            running.append(1)
            most.append(len(running))
        time.sleep(0.002)
        with lock:
            running.pop()

    async def main() -> None:
        crew = pool.crew(3)
        jobs = [handed_in(crew, work) for _ in range(20)]
        assert await pool.run(lambda: "beside", {}) == "beside"
        await asyncio.gather(*jobs)

    run(main())
    assert max(most) == 3


def test_a_place_can_be_taken_again_after_all_jobs_ended(pool: ToolThreads) -> None:
    async def main() -> None:
        crew = pool.crew(1)
        for number in range(3):
            told = Told()
            assert await crew.run(lambda number: number, {"number": number}, told) == number
            assert told.words == []

    run(main())


def test_a_job_given_up_before_its_turn_never_runs_and_hears_nothing(pool: ToolThreads) -> None:
    release = threading.Event()
    ran: list[int] = []

    async def main() -> None:
        crew, told = pool.crew(1), Told()
        first = handed_in(crew, release.wait, timeout=10)
        given_up = handed_in(crew, lambda: ran.append(1), told)
        last = handed_in(crew, lambda: ran.append(2))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])
        release.set()
        await asyncio.gather(first, last)
        assert told.words == ["wait"]
        assert pool.abandoned == 0

    run(main())
    assert ran == [2]


def test_a_thread_that_is_given_up_passes_its_place_on_at_once(pool: ToolThreads) -> None:
    begun, release = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        release.wait(10)

    async def main() -> None:
        crew, told = pool.crew(1), Told()
        first = handed_in(crew, work)
        second = handed_in(crew, lambda: "my turn", told)
        await until(begun.is_set)
        first.cancel()
        assert await asyncio.wait_for(second, 10) == "my turn"
        assert told.words == ["wait", "turn"]
        assert pool.abandoned == 1
        # The thread that was left behind has no place to give back.
        release.set()
        await until(lambda: pool.abandoned == 0)
        assert await crew.run(lambda: "free", {}, Told()) == "free"

    run(main())


def test_a_failure_reaches_its_own_job_and_the_next_one_runs(pool: ToolThreads) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    async def main() -> None:
        crew = pool.crew(1)
        first, second = handed_in(crew, fail), handed_in(crew, lambda: 7)
        with pytest.raises(ZeroDivisionError):
            await first
        assert await second == 7

    run(main())


def test_no_time_limit_runs_while_a_call_waits_for_a_thread_and_its_trace_tells_of_the_wait(
    executor_of: ExecutorOf,
) -> None:
    release = threading.Event()

    @tool(isolation=Isolation.THREAD)
    def block() -> None:
        release.wait(10)

    @tool(isolation=Isolation.THREAD, timeout_s=0.2)
    def quick() -> int:
        return 7

    async def main() -> None:
        executor = executor_of(block, quick)
        crew = executor.crew(1)
        first = asyncio.ensure_future(executor.execute(executor.create_call("block", {}), crew=crew))
        call = executor.create_call("quick", {})
        second = asyncio.ensure_future(executor.execute(call, crew=crew))
        await asyncio.sleep(0.3)
        assert call.response.attempts == 0
        release.set()
        await asyncio.gather(first, second)
        response = call.response
        assert (response.status, response.result, response.attempts) == (CallStatus.EXECUTED, 7, 1)
        (waited,) = [step for step in response.steps if step.outcome is StepOutcome.WAITED]
        assert waited.name == "Thread"
        assert waited.waiting_s > 0.2
        (ran,) = [step for step in response.steps if step.in_tool]
        assert ran.started_s >= waited.started_s + waited.elapsed_s
        assert executor.metrics.stats("quick").queueing_ms > 200
        assert (executor.metrics.stats("quick").p50_ms or 0.0) < 200

    run(main())


def test_a_call_stopped_while_it_waits_for_a_thread_did_not_run(executor_of: ExecutorOf) -> None:
    release = threading.Event()
    ran: list[int] = []

    @tool(isolation=Isolation.THREAD)
    def block() -> None:
        release.wait(10)

    @tool(isolation=Isolation.THREAD)
    def note() -> None:
        ran.append(1)

    async def main() -> None:
        executor = executor_of(block, note)
        crew = executor.crew(1)
        first = asyncio.ensure_future(executor.execute(executor.create_call("block", {}), crew=crew))
        call = executor.create_call("note", {})
        second = asyncio.ensure_future(executor.execute(call, crew=crew))
        await asyncio.sleep(0.01)
        call.cancel()
        response = await second
        release.set()
        await first
        assert (response.status, response.attempts, response.text) == (
            CallStatus.CANCELLED,
            0,
            "Error: Stopped on request.",
        )

    run(main())
    assert ran == []
