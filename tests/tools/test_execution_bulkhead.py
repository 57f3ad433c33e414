from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import execute, run, start, steps_of, until
from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    CallStatus,
    Executor,
    FailureBlock,
    ToolFailure,
    ToolRegistry,
    ToolResponse,
    UnavailableError,
    resilience,
    resolve_tools,
    tool,
)
from tools.calls import ErrorKind, StepOutcome
from tools.execution.bulkhead import Bulkhead
from tools.trace_words import step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


class Rooms:
    """A tool of which so many run at a time; it counts them, and each leaves when its gate opens."""

    def __init__(self, places: int, **policy: Any) -> None:
        self.inside = self.most = 0
        self.entered: list[int] = []
        self.gates: dict[int, asyncio.Event] = {}

        @tool
        @resilience(max_concurrent=places, **policy)
        async def work(number: int) -> int:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.entered.append(number)
            try:
                await self.gates.setdefault(number, asyncio.Event()).wait()
            finally:
                self.inside -= 1
            return number

        self.work = work


class TestPlaces:
    @pytest.mark.reference("A24")
    def test_so_many_run_at_a_time_and_the_others_follow_in_their_order(self, executor_of: ExecutorOf) -> None:
        rooms = Rooms(3)

        async def main() -> list[ToolResponse]:
            calls = [asyncio.create_task(execute(executor, "work", {"number": number})) for number in range(20)]
            for number in range(20):
                await until(lambda number=number: len(rooms.entered) == min(20, number + 3))  # type: ignore[misc]
                rooms.gates[rooms.entered[number]].set()
            return list(await asyncio.gather(*calls))

        executor = executor_of(rooms.work)
        responses = run(main())
        assert [response.result for response in responses] == list(range(20))
        assert (rooms.most, rooms.entered) == (3, list(range(20)))
        assert executor.guards("work")[0][:3] == ("bulkhead", "free", "0 of 3 places are taken")

    @pytest.mark.reference("A24")
    def test_the_wait_is_a_step_of_the_trace(self, executor_of: ExecutorOf) -> None:
        rooms = Rooms(1)

        async def main() -> list[ToolResponse]:
            _, first = start(executor, "work", {"number": 1})
            await until(lambda: rooms.inside == 1)
            _, second = start(executor, "work", {"number": 2})
            await until(lambda: executor.guards("work")[0].waiting == 1)
            assert executor.guards("work")[0].description == "1 of 1 places are taken, 1 call waits"
            rooms.gates[1].set()
            await until(lambda: rooms.entered == [1, 2])
            rooms.gates[2].set()
            return [await first, await second]

        executor = executor_of(rooms.work)
        first, second = run(main())
        steps = [step for response in (first, second) for step in response.steps if step_title(step) == "Bulkhead"]
        assert [step.outcome for step in steps] == [StepOutcome.OK, StepOutcome.WAITED]
        assert steps[0].waiting_s == 0
        assert 0 < steps[1].waiting_s <= steps[1].elapsed_s
        assert steps_of(second) == ["Validate arguments", "Bulkhead", "Execute", "Metrics"]

    @pytest.mark.reference("A24")
    @pytest.mark.parametrize(("policy", "limit_s"), [({}, 60), ({"total_timeout_s": 5}, 5)])
    def test_who_waits_too_long_is_told_so_in_plain_words(self, policy: dict[str, Any], limit_s: float) -> None:
        @tool
        @resilience(max_concurrent=1, **policy)
        async def work() -> None:
            await asyncio.sleep(1_000)

        async def main(loop: VirtualLoop) -> tuple[ToolResponse, float]:
            executor = Executor(ToolRegistry(resolve_tools([work])), clock=loop.time)
            call, first = start(executor, "work")
            await asyncio.sleep(0)
            # The first has its own limit in total, so the place must stay taken for longer than that.
            executor._guards.of(executor.registry.get("work")).bulkhead._taken += 1  # type: ignore[union-attr]
            began = loop.time()
            _, second = start(executor, "work")
            response: ToolResponse = await second
            passed = loop.time() - began
            call.cancel()
            await first
            await executor.aclose()
            return response, passed

        response, passed = run_virtually(main)
        assert passed == pytest.approx(limit_s)
        assert (response.status, len(response.attempts)) == (CallStatus.FAILED, 0)
        assert response.error is not None
        assert response.error.kind is ErrorKind.UNAVAILABLE
        assert response.text == f"Error: 'work' was not started: its only place was taken for {limit_s} s"
        assert response.error.remedy == "Try again when fewer calls of it run, or stop one of them."
        assert [step.outcome for step in response.steps if step_title(step) == "Bulkhead"] == [StepOutcome.FAILED]

    def test_every_ending_gives_the_place_back(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(max_concurrent=1, timeout_s=0.01)
        async def work(how: str) -> str:
            if how == "fail":
                raise ToolFailure("no")
            if how == "exit":
                raise SystemExit(3)
            if how == "hang":
                await asyncio.Event().wait()
            return "done"

        executor = executor_of(work)
        texts = [executor.run("work", {"how": how}).status.value for how in ("fail", "exit", "hang", "succeed")]
        assert texts == ["failed", "failed", "timed_out", "executed"]
        assert executor.guards("work")[0].state == "free"

    def test_who_is_stopped_while_waiting_or_running_leaves_no_place_taken(self, executor_of: ExecutorOf) -> None:
        rooms = Rooms(1)

        async def main() -> list[CallStatus]:
            calls = [start(executor, "work", {"number": number}) for number in range(4)]
            await until(lambda: rooms.entered == [0] and executor.guards("work")[0].waiting == 3)
            calls[1][0].cancel()
            calls[0][0].cancel()
            await until(lambda: rooms.entered == [0, 2])
            # The place is handed over and the one who gets it is stopped, both before anything else runs.
            rooms.gates[2].set()
            calls[3][0].cancel()
            return [(await task).status for _, task in calls]

        executor = executor_of(rooms.work)
        statuses = run(main())
        assert [status.value for status in statuses] == ["cancelled", "cancelled", "executed", "cancelled"]
        assert executor.guards("work")[0][:3] == ("bulkhead", "free", "0 of 1 places are taken")

    def test_a_call_that_is_refused_after_it_got_its_place_gives_it_back(self, executor_of: ExecutorOf) -> None:
        gate = asyncio.Event()

        @tool
        @resilience(max_concurrent=1, failure_block=FailureBlock(failures=1))
        async def work() -> None:
            await gate.wait()
            raise ToolFailure("boom")

        async def main() -> list[ToolResponse]:
            calls = [asyncio.create_task(execute(executor, "work")) for _ in range(3)]
            await until(lambda: executor.guards("work")[1].waiting == 2)
            gate.set()
            return list(await asyncio.gather(*calls))

        executor = executor_of(work)
        first, *others = run(main())
        assert first.text == "Error: boom"
        assert all("so it was blocked" in response.text for response in others)
        assert executor.guards("work")[1].state == "free"

    def test_without_one_there_is_no_step(self, executor_of: ExecutorOf) -> None:
        @tool
        async def work() -> None: ...

        executor = executor_of(work)
        assert "Bulkhead" not in steps_of(executor.run("work", {}))
        assert executor.guards("work") == ()

    def test_a_reloaded_tool_counts_the_calls_of_before_as_long_as_they_run(self, executor_of: ExecutorOf) -> None:
        rooms, again = Rooms(1), Rooms(1)

        async def main() -> list[int]:
            undo = executor.registry.register_all(resolve_tools([rooms.work]))
            _, first = start(executor, "work", {"number": 1})
            await until(lambda: rooms.inside == 1)
            undo()
            executor.registry.register_all(resolve_tools([again.work]))
            _, second = start(executor, "work", {"number": 2})
            await until(lambda: executor.guards("work")[0].waiting == 1)
            assert again.inside == 0
            rooms.gates[1].set()
            await until(lambda: again.inside == 1)
            again.gates[2].set()
            return [(await first).result, (await second).result]

        executor = executor_of()
        assert run(main()) == [1, 2]


class TestBulkhead:
    def test_whatever_happens_no_place_is_lost_or_given_twice(self) -> None:
        chance = random.Random(3)
        inside = most = done = 0

        async def main(loop: VirtualLoop) -> Bulkhead:
            nonlocal inside, most, done
            bulkhead = Bulkhead("work", 4, wait_s=6)

            async def visit() -> None:
                nonlocal inside, most, done
                await asyncio.sleep(chance.uniform(0, 30))
                try:
                    await bulkhead.acquire()
                except UnavailableError:
                    return
                inside += 1
                most = max(most, inside)
                try:
                    await asyncio.sleep(chance.choice([0, 0.1, 1]))
                    done += 1
                finally:
                    inside -= 1
                    bulkhead.release()

            tasks = [asyncio.create_task(visit()) for _ in range(500)]
            for task in chance.sample(tasks, 200):
                loop.call_later(chance.uniform(0, 40), task.cancel)
            await asyncio.wait(tasks)
            return bulkhead

        bulkhead = run_virtually(main)
        assert (most, inside, bulkhead._taken, len(bulkhead._waiting)) == (4, 0, 0, 0)
        assert done > 100
