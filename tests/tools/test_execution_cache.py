from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tests.tools.running import Answers, execute, run, start, steps_of, until
from tools import (
    CachePolicy,
    CallStatus,
    Edit,
    PathRole,
    ToolContext,
    ToolFailure,
    ToolResponse,
    cached,
    make_tool,
    security,
    tool,
)
from tools.execution.cache import Flight, ResultCache

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

pytestmark = pytest.mark.expects_log("tools.calls")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def missed(cache: ResultCache[str], key: str) -> Flight[str]:
    """Look up what is not known."""
    flight = await cache.look_up(key)
    assert isinstance(flight, Flight)
    return flight


def counted(**policy: Any) -> tuple[Any, list[int]]:
    runs: list[int] = []

    @tool
    @cached(**policy)
    def work(number: int = 0) -> int:
        runs.append(number)
        if number < 0:
            raise ToolFailure("negative")
        return number * 2

    return work, runs


class TestResults:
    @pytest.mark.reference("A27", "A32", "A38", "A112")
    def test_identical_calls_run_once_and_different_ones_each(self, executor_of: ExecutorOf) -> None:
        declared, runs = counted()
        executor = executor_of(declared)
        results = [executor.run("work", given) for given in ({"number": 1}, {"number": "1"}, '{"number":1}', {})]
        assert [response.result for response in results] == [2, 2, 2, 0]
        assert [response.from_cache for response in results] == [False, True, True, False]
        assert runs == [1, 0]
        assert results[1].text == "2"

    @pytest.mark.reference("A27")
    def test_a_result_gets_too_old(self) -> None:
        async def work() -> None:
            clock = Clock()
            cache: ResultCache[str] = ResultCache(CachePolicy(ttl_s=10), clock)
            cache.settle(await missed(cache, "key"), "known")
            clock.now += 9.9
            assert await cache.look_up("key") == "known"
            clock.now += 0.1
            cache.settle(await missed(cache, "key"), None)

        run(work())

    @pytest.mark.reference("A27", "A112")
    def test_the_least_recently_used_leaves_first_when_the_store_is_full(self) -> None:
        async def work() -> None:
            cache: ResultCache[str] = ResultCache(CachePolicy(max_size=2), Clock())
            for key in ("a", "b"):
                cache.settle(await missed(cache, key), key)
            assert await cache.look_up("a") == "a"
            cache.settle(await missed(cache, "c"), "c")
            cache.settle(await missed(cache, "b"), None)
            assert await cache.look_up("a") == "a"
            assert cache.state.description == "2 of at most 2 results are kept, each for 300 s"
            assert cache.clear() == 2
            assert cache.state.state == "empty"

        run(work())

    @pytest.mark.reference("A113")
    def test_errors_are_kept_only_on_request(self, executor_of: ExecutorOf) -> None:
        for keep in (False, True):
            declared, runs = counted(cache_errors=keep)
            executor = executor_of(declared)
            executor.run("work", {"number": -1})
            again = executor.run("work", {"number": -1})
            assert (again.status, again.text) == (CallStatus.FAILED, "Error: negative")
            assert (again.from_cache, len(runs)) == ((True, 1) if keep else (False, 2))

    def test_a_call_may_pass_the_cache_over(self, executor_of: ExecutorOf) -> None:
        declared, runs = counted()
        executor = executor_of(declared)
        executor.run("work", {})
        response = run(execute(executor, "work", bypass_cache=True))
        assert (response.from_cache, len(runs)) == (False, 2)
        assert "passed over" in [step.detail for step in response.steps]

    def test_the_cache_can_be_emptied(self, executor_of: ExecutorOf) -> None:
        declared, runs = counted()
        executor = executor_of(declared)
        executor.run("work", {})
        assert executor.clear_cache("work") == 1
        executor.run("work", {})
        assert executor.clear_cache() == 1
        assert len(runs) == 2

    def test_another_version_or_project_folder_is_another_result(self, executor_of: ExecutorOf, tmp_path: Path) -> None:
        @cached()
        def where(path: Annotated[Path, PathRole()]) -> str:
            return str(path)

        executor = executor_of(make_tool("where", "Say where.", where))
        first = executor.run("where", {"path": "a"})
        executor.project_dir = tmp_path / "other"
        assert executor.run("where", {"path": "a"}).text != first.text

    def test_attachments_and_retention_are_part_of_the_result(self, executor_of: ExecutorOf) -> None:
        @tool
        @cached()
        def work(ctx: ToolContext) -> str:
            ctx.attach(b"x", name="a.bin")
            ctx.keep_for(7)
            return "done"

        executor = executor_of(work)
        executor.run("work", {})
        response = executor.run("work", {})
        assert (response.from_cache, response.turns_to_keep) == (True, 7)
        assert [item.name for item in response.attachments] == ["a.bin"]

    def test_secrets_of_a_type_that_hides_them_are_different_calls(self, executor_of: ExecutorOf) -> None:
        @tool
        @cached()
        @security(mask_fields=["key"])
        def work(key: str) -> str:
            return key[::-1]

        executor = executor_of(work)
        assert [executor.run("work", {"key": key}).text for key in ("ab", "cd")] == ["ba", "dc"]

    def test_an_edited_call_is_never_the_answer_to_what_was_asked(self, executor_of: ExecutorOf) -> None:
        runs: list[str] = []

        @tool(requires_confirmation=True)
        @cached()
        def work(word: str) -> str:
            runs.append(word)
            return word.upper()

        reviewer = Answers(Edit({"word": "b"}))
        executor = executor_of(work, review_handler=reviewer)
        assert executor.run("work", {"word": "a"}).text == "B"
        response = executor.run("work", {"word": "a"})
        assert (response.text, response.from_cache) == ("A", False)
        assert runs == ["b", "a"]
        assert "Cache store" in steps_of(response)


class TestSingleFlight:
    @pytest.mark.reference("A27")
    def test_concurrent_identical_misses_run_once(self, executor_of: ExecutorOf) -> None:
        release = threading.Event()
        runs: list[int] = []

        @tool
        @cached()
        def work() -> int:
            runs.append(1)
            release.wait(10)
            return len(runs)

        async def main() -> list[ToolResponse]:
            calls = [asyncio.create_task(execute(executor, "work")) for _ in range(5)]
            await until(lambda: bool(runs))
            release.set()
            return list(await asyncio.gather(*calls))

        executor = executor_of(work)
        responses = run(main())
        assert [response.result for response in responses] == [1] * 5
        assert [response.from_cache for response in responses] == [False, True, True, True, True]
        assert runs == [1]

    def test_when_the_first_fails_or_is_stopped_the_next_one_tries(self, executor_of: ExecutorOf) -> None:
        gate = asyncio.Event()
        runs: list[int] = []

        @tool
        @cached()
        async def work() -> str:
            runs.append(1)
            if len(runs) == 1:
                await asyncio.Event().wait()
            if len(runs) == 2:
                await gate.wait()
                raise ToolFailure("second")
            return "third"

        async def main() -> list[ToolResponse]:
            first, first_task = start(executor, "work")
            others = [asyncio.create_task(execute(executor, "work")) for _ in range(3)]
            await until(lambda: len(runs) == 1)
            first.cancel()
            await until(lambda: len(runs) == 2)
            gate.set()
            return [await first_task, *await asyncio.gather(*others)]

        executor = executor_of(work)
        texts = sorted(response.text for response in run(main()))
        assert texts == ["Error: Stopped on request.", "Error: second", "third", "third"]
        assert len(runs) == 3

    def test_a_waiter_that_is_stopped_leaves_the_work_to_the_first(self, executor_of: ExecutorOf) -> None:
        gate = asyncio.Event()

        @tool
        @cached()
        async def work() -> str:
            await gate.wait()
            return "done"

        async def main() -> list[ToolResponse]:
            _, first = start(executor, "work")
            second, waiting = start(executor, "work")
            await asyncio.sleep(0)
            second.cancel()
            stopped = await waiting
            gate.set()
            return [await first, stopped]

        executor = executor_of(work)
        done, stopped = run(main())
        assert (done.text, stopped.status) == ("done", CallStatus.CANCELLED)
