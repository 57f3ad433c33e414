"""Calls that are made ready while every place is taken: never more tools at once, nothing twice, nothing too early."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from threading import Event, Lock
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.running import until
from tools import Executor, Isolation, tool
from tools.batch import BatchExecutor, BatchPlan, Limits, Rows, Step, StepState
from tools.batch.prefetch import CALLS
from tools.calls import CallFinished, StepOutcome
from tools.declare import resolve_tools
from tools.registry import ToolRegistry

pytestmark = pytest.mark.expects_log("tools.calls")


class Bench:
    """Tools that count how many of them run at a time."""

    def __init__(self) -> None:
        self.running = self.most = 0
        self.ran: Counter[int] = Counter()
        self.waited: Counter[str] = Counter()
        self.gate = Event()
        self._lock = Lock()

        @tool(isolation=Isolation.THREAD)
        def quick(number: int) -> int:
            self._enter()
            time.sleep(0.0005)
            return self._leave(number)

        @tool(isolation=Isolation.THREAD, parallelizable=False)
        def alone(number: int) -> int:
            self._enter()
            return self._leave(number)

        @tool(isolation=Isolation.THREAD)
        def gated(number: int) -> int:
            self._enter()
            self.gate.wait(10)
            return self._leave(number)

        @tool
        async def loose(number: int) -> int:
            self._enter()
            await asyncio.sleep(0.001)
            return self._leave(number)

        self.executor = Executor(ToolRegistry(resolve_tools([quick, alone, gated, loose])))
        self.executor.add_listener(self._on_event)

    def _on_event(self, event: Any) -> None:
        if isinstance(event, CallFinished):
            steps = event.call.response.steps
            self.waited[event.call.name] += any(
                step.name == "Thread" and step.outcome is StepOutcome.WAITED for step in steps
            )

    def _enter(self) -> None:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)

    def _leave(self, number: int) -> int:
        with self._lock:
            self.running -= 1
            self.ran[number] += 1
        return number

    async def know(self, name: str) -> None:
        """Let it be known how long a tool usually takes."""
        for _ in range(5):
            await self.executor.execute(self.executor.create_call(name, {"number": -1}))
        self.ran.clear()


def steps_of(names: list[str]) -> tuple[Step, ...]:
    """Return one step for each tool."""
    return tuple(Step(id=f"s{number}", tool=name, arguments={"number": number}) for number, name in enumerate(names))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["quick", "quick", "quick", "alone", "loose"]), min_size=1, max_size=60),
    st.integers(1, 4),
)
def test_never_do_more_tools_run_at_once_than_there_are_places(names: list[str], places: int) -> None:
    async def main() -> None:
        bench = Bench()
        await bench.know("quick")
        plan = BatchPlan(steps=steps_of(names), limits=Limits(parallelism=places))
        result = await BatchExecutor(executor=bench.executor).run(plan)
        assert result.success_rate == 1
        assert bench.most <= places
        assert bench.ran == Counter(range(len(names)))
        await bench.executor.aclose()

    asyncio.run(main())


def test_calls_of_a_quick_tool_wait_at_the_threads_steps_and_rows_alike() -> None:
    async def main() -> None:
        bench = Bench()
        await bench.know("quick")
        rows = Step(id="rows", tool="quick", arguments={"number": "${row}"}, rows=Rows(values=list(range(100, 200))))
        plan = BatchPlan(steps=(*steps_of(["quick"] * 40), rows), limits=Limits(parallelism=2))
        result = await BatchExecutor(executor=bench.executor).run(plan)
        assert result.success_rate == 1
        assert bench.waited["quick"] > 70
        assert bench.most <= 2
        assert bench.ran == Counter([*range(40), *range(100, 200)])
        await bench.executor.aclose()

    asyncio.run(main())


def test_a_tool_of_which_nothing_is_known_gets_its_calls_one_by_one() -> None:
    async def main() -> None:
        bench = Bench()
        plan = BatchPlan(steps=steps_of(["gated"] * 6), limits=Limits(parallelism=2))
        run = BatchExecutor(executor=bench.executor).prepare(plan)
        going = asyncio.ensure_future(run.go())
        await until(lambda: bench.running == 2)
        assert Counter(run.schedule.states.values()) == {StepState.RUNNING: 2, StepState.QUEUED: 4}
        bench.gate.set()
        assert (await going).success_rate == 1
        assert bench.waited["gated"] == 0
        await bench.executor.aclose()

    asyncio.run(main())


def test_what_waits_at_the_threads_is_little_and_can_be_stopped() -> None:
    async def main() -> None:
        bench = Bench()
        bench.gate.set()
        await bench.know("gated")
        bench.gate.clear()
        plan = BatchPlan(steps=steps_of(["gated"] * 9), limits=Limits(parallelism=2))
        run = BatchExecutor(executor=bench.executor).prepare(plan)
        going = asyncio.ensure_future(run.go())
        await until(lambda: bench.running == 2)
        assert Counter(run.schedule.states.values())[StepState.RUNNING] == 2 + CALLS
        run.cancel()
        result = await going
        bench.gate.set()
        assert {item.state for item in result.results.values()} == {StepState.CANCELLED}
        await until(lambda: bench.running == 0)
        assert sum(bench.ran.values()) == 2
        await bench.executor.aclose()

    asyncio.run(main())


def test_a_step_with_a_time_limit_of_the_plan_or_a_lane_of_its_own_does_not_wait_there() -> None:
    async def main() -> None:
        bench = Bench()
        await bench.know("quick")
        limited = tuple(step.model_copy(update={"timeout_s": 5.0}) for step in steps_of(["quick"] * 20))
        batch = BatchExecutor(executor=bench.executor)
        for plan in (
            BatchPlan(steps=limited, limits=Limits(parallelism=2)),
            BatchPlan(steps=steps_of(["quick"] * 20), limits=Limits(parallelism=2, tools={"quick": 2})),
        ):
            assert (await batch.run(plan)).success_rate == 1
        assert bench.waited["quick"] == 0
        await bench.executor.aclose()

    asyncio.run(main())
