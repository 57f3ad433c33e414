from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.running import Recorder, execute, run, steps_of
from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    CallStatus,
    Executor,
    FailureBlock,
    GuardChanged,
    GuardKind,
    GuardState,
    ToolFailure,
    ToolRegistry,
    UnavailableError,
    make_tool,
    resilience,
    resolve_tools,
    tool,
)
from tools.calls import ErrorKind
from tools.execution.breaker import FailureBlockGuard
from tools.execution.clocks import Clocks

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    @property
    def clocks(self) -> Clocks:
        return Clocks(self, lambda: NOON + timedelta(seconds=self.now - 100))


def is_blocked(block: FailureBlockGuard) -> bool:
    try:
        block.check()
    except UnavailableError:
        return True
    return False


class TestBlock:
    @pytest.mark.reference("E39")
    def test_three_failures_in_a_row_block_for_five_minutes(self) -> None:
        clock = Clock()
        block = FailureBlockGuard("work", FailureBlock(), clock.clocks)
        for _ in range(3):
            block.check()
            block.settle(failed=True, failure="boom")
        with pytest.raises(UnavailableError) as caught:
            block.check()
        assert str(caught.value) == (
            "'work' was not started: it failed 3 times in a row, the last time with 'boom', so it was blocked just now;"
            " it may run again in 5 min"
        )
        assert caught.value.retry_after_s == 300
        assert block.state == GuardState(
            GuardKind.FAILURE_BLOCK,
            "blocked",
            "it failed 3 times in a row, the last time with 'boom', so it was blocked just now;"
            " it may run again in 5 min",
            "boom",
            3,
            since=NOON,
            until=NOON + timedelta(minutes=5),
        )
        clock.now += 299.9
        assert is_blocked(block)
        clock.now += 0.1
        assert not is_blocked(block)
        assert (block.state.state, block.state.failures) == ("clear", 0)

    @pytest.mark.reference("E39")
    def test_a_success_begins_the_row_anew_and_what_says_nothing_does_not(self) -> None:
        block = FailureBlockGuard("work", FailureBlock(failures=2), Clock().clocks)
        for failed in (True, False, True, None):
            block.settle(failed=failed)
        assert block.state.description == "1 of 2 failures in a row within 300 s"
        block.settle(failed=True)
        assert is_blocked(block)

    def test_failures_too_far_apart_are_no_row(self) -> None:
        clock = Clock()
        block = FailureBlockGuard("work", FailureBlock(failures=2, window_s=10), clock.clocks)
        for _ in range(5):
            block.settle(failed=True)
            clock.now += 10
        assert not is_blocked(block)

    @given(st.lists(st.tuples(st.sampled_from([0.0, 1.0, 4.0, 9.0, 20.0]), st.sampled_from([True, True, False, None]))))
    def test_it_agrees_with_a_model_that_looks_at_the_whole_past(self, events: list[tuple[float, bool | None]]) -> None:
        clock = Clock()
        block = FailureBlockGuard("work", FailureBlock(failures=3, window_s=10, blocked_s=15), clock.clocks)
        row: list[float] = []
        blocked_until = 0.0
        for passed_s, failed in events:
            clock.now += passed_s
            assert is_blocked(block) == (clock.now < blocked_until)
            assert (block.state.state == "blocked") == (clock.now < blocked_until)
            block.settle(failed=failed)
            if clock.now < blocked_until or failed is None:
                continue
            row = [*row, clock.now] if failed else []
            if len([moment for moment in row if moment > clock.now - 10]) >= 3:
                blocked_until, row = clock.now + 15, []


def failing(name: str = "work", **policy: Any) -> tuple[Any, list[bool]]:
    healthy = [False]

    async def work() -> str:
        await asyncio.sleep(0)
        if not healthy[0]:
            raise ToolFailure("boom")
        return "done"

    if policy:
        resilience(failure_block=FailureBlock(**policy))(work)
    return make_tool(name, "Work.", work), healthy


class TestInTheChain:
    @pytest.mark.reference("E39")
    def test_it_is_off_unless_declared_and_may_be_declared_for_all(self, executor_of: ExecutorOf) -> None:
        plain, _ = failing("plain")
        strict, _ = failing("strict", failures=1)
        executor = executor_of(plain, strict)
        blocking = executor_of(plain, strict, failure_block=FailureBlock(failures=3))
        tries = {
            (name, number): [len(each.run(name, {}).attempts) for _ in range(5)]
            for number, each in enumerate((executor, blocking))
            for name in ("plain", "strict")
        }
        assert tries == {
            ("plain", 0): [1] * 5,
            ("strict", 0): [1, 0, 0, 0, 0],
            ("plain", 1): [1, 1, 1, 0, 0],
            ("strict", 1): [1, 0, 0, 0, 0],
        }

    @pytest.mark.reference("E39")
    def test_it_says_so_and_can_be_lifted(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        declared, healthy = failing(failures=2)
        executor = executor_of(declared, listeners=[recorder])
        for _ in range(2):
            executor.run("work", {})
        response = executor.run("work", {})
        assert response.status is CallStatus.FAILED
        assert response.error is not None
        assert response.error.kind is ErrorKind.UNAVAILABLE
        assert response.error.remedy == "Wait until the block ends, or lift it once the cause is mended."
        assert steps_of(response) == ["Validate arguments", "Failure block", "Metrics", "Listeners (1)"]
        healthy[0] = True
        assert executor.reset_guards("work") == 1
        assert executor.run("work", {}).text == "done"
        assert executor.reset_guards("work") == 0
        changes = [event.guard.state for event in recorder.events if isinstance(event, GuardChanged)]
        assert changes == ["blocked", "clear"]

    @pytest.mark.reference("E39")
    def test_it_ends_by_itself_and_tells_so(self) -> None:
        recorder = Recorder()
        declared, _ = failing(failures=1)

        async def work(loop: VirtualLoop) -> list[int]:
            executor = Executor(ToolRegistry(resolve_tools([declared])), listeners=[recorder], clock=loop.time)
            attempts = [len((await execute(executor, "work")).attempts) for _ in range(2)]
            await asyncio.sleep(301)
            told = [event.guard.state for event in recorder.events if isinstance(event, GuardChanged)]
            assert told == ["blocked", "clear"]
            attempts.append(len((await execute(executor, "work")).attempts))
            await executor.aclose()
            return attempts

        assert run_virtually(work) == [1, 0, 1]

    def test_a_reload_is_no_way_round_it(self, executor_of: ExecutorOf) -> None:
        executor = executor_of()
        attempts = []
        for _ in range(3):
            undo = executor.registry.register_all(resolve_tools([failing(failures=1)[0]]))
            attempts.append(len(executor.run("work", {}).attempts))
            undo()
        assert attempts == [1, 0, 0]

    def test_a_call_that_was_stopped_is_no_failure(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(failure_block=FailureBlock(failures=1))
        async def work() -> None:
            await asyncio.Event().wait()

        async def main() -> CallStatus:
            call = executor.create_call("work", {})
            task = asyncio.ensure_future(executor.execute(call))
            await asyncio.sleep(0)
            call.cancel()
            return (await task).status

        executor = executor_of(work)
        assert run(main()) is CallStatus.CANCELLED
        assert executor.guards("work")[0].failures == 0


@pytest.mark.reference("E39")
async def test_the_block_of_all_tools_can_be_turned_on_and_off_while_the_program_runs() -> None:
    @tool
    def fail() -> None:
        """Fail."""
        raise ToolFailure("no")

    seen: list[GuardState] = []

    def listen(event: GuardChanged) -> None:
        seen.append(event.guard)

    listen.wants = (GuardChanged,)  # type: ignore[attr-defined]
    executor = Executor(ToolRegistry(resolve_tools([fail])), listeners=[listen])  # type: ignore[list-item]

    async def kind() -> ErrorKind | None:
        error = (await executor.execute(executor.create_call("fail", {}))).error
        return None if error is None else error.kind

    assert [await kind() for _ in range(4)] == [ErrorKind.TOOL] * 4
    executor.failure_block = FailureBlock()
    assert [await kind() for _ in range(4)] == [*[ErrorKind.TOOL] * 3, ErrorKind.UNAVAILABLE]
    executor.failure_block = None
    assert [await kind() for _ in range(4)] == [ErrorKind.TOOL] * 4
    assert [guard.refuses for guard in seen] == [True, False]
    await executor.aclose()
