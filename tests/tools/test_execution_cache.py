from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import BaseModel

from tests.tools.running import Answers, Clock, execute, run, start, steps_of, until
from tools import (
    ArgumentsError,
    CachePolicy,
    CallStatus,
    Edit,
    GuardKind,
    PathRole,
    ToolContext,
    ToolFailure,
    ToolNotFoundError,
    ToolResponse,
    ToolResult,
    cached,
    make_tool,
    security,
    tool,
)
from tools.execution.cache import PendingResult, ResultCache, private
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.running import ExecutorOf


class Hit(BaseModel):
    tags: list[str]


async def missed(cache: ResultCache[str], key: str) -> PendingResult[str]:
    """Look up what is not known."""
    flight = await cache.look_up(key)
    assert isinstance(flight, PendingResult)
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
    async def test_a_result_gets_too_old(self) -> None:
        clock = Clock()
        cache: ResultCache[str] = ResultCache(CachePolicy(ttl_s=10), clock)
        cache.settle(await missed(cache, "key"), "known")
        clock.now_s += 9.9
        assert await cache.look_up("key") == "known"
        clock.now_s += 0.1
        cache.settle(await missed(cache, "key"), None)

    @pytest.mark.reference("A27", "A112")
    async def test_the_least_recently_used_leaves_first_when_the_store_is_full(self) -> None:
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
        assert "passed over" in [step_detail(step) for step in response.steps]

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


class TestWhoseResult:
    @pytest.mark.reference("A27", "A112")
    def test_results_may_be_kept_for_each_caller_apart(self, executor_of: ExecutorOf) -> None:
        for per_caller in (False, True):
            seen: list[str] = []

            @tool
            @cached(per_caller=per_caller)
            async def work(ctx: ToolContext) -> str:
                seen.append(ctx.caller)  # noqa: B023 -- the executor of this turn runs before the next turn
                return f"secrets of {ctx.caller}"

            executor = executor_of(work)
            texts = [run(execute(executor, "work", caller=caller)).text for caller in ("a", "b", "a", "b")]
            expected = ["secrets of a", "secrets of b"] if per_caller else ["secrets of a"] * 2
            assert texts == expected * 2
            assert seen == (["a", "b"] if per_caller else ["a"])

    @pytest.mark.reference("A27")
    def test_nobody_who_may_not_call_gets_what_is_known(self, executor_of: ExecutorOf) -> None:
        @tool
        @cached()
        @security(allowed_callers=["you"])
        async def work() -> str:
            return "secret"

        executor = executor_of(work)
        assert executor.run("work", {}).text == "secret"
        assert run(execute(executor, "work", caller="agent:b")).status is CallStatus.DENIED

    @pytest.mark.reference("A112")
    def test_whoever_changes_a_result_changes_only_their_own(self, executor_of: ExecutorOf) -> None:
        @tool
        @cached()
        async def plain() -> dict[str, list[int]]:
            return {"numbers": [1, 2]}

        @tool
        @cached()
        async def typed() -> list[Hit]:
            return [Hit(tags=["a"])]

        executor = executor_of(plain, typed)
        for _ in range(3):
            response = executor.run("plain", {})
            assert (response.result, response.json_result) == ({"numbers": [1, 2]}, {"numbers": [1, 2]})
            response.result["numbers"].append(3)
            response.json_result.clear()
            response = executor.run("typed", {})
            assert (response.result, response.json_result) == ([Hit(tags=["a"])], [{"tags": ["a"]}])
            response.result[0].tags.append("b")
            response.json_result[0]["tags"].append("c")
        assert response.from_cache

    def test_what_cannot_be_copied_is_shared(self, executor_of: ExecutorOf) -> None:
        lock = threading.Lock()

        @tool
        @cached()
        async def work() -> ToolResult:
            return ToolResult.ok("done", structured=None)

        assert private([lock]) == [lock]
        nested: list[Any] = []
        nested.append(nested)
        copied = private(nested)
        assert copied is not nested
        assert copied[0] is copied
        executor = executor_of(work)
        assert [executor.run("work", {}).text for _ in range(2)] == ["done", "done"]


class TestForgetting:
    @pytest.mark.reference("A27")
    def test_a_call_that_passes_the_cache_over_refreshes_it(self, executor_of: ExecutorOf) -> None:
        answers: Iterator[str | ToolFailure] = iter(["old", "new", ToolFailure("no network")])

        @tool
        @cached()
        async def work() -> str:
            answer = next(answers)
            if isinstance(answer, ToolFailure):
                raise answer
            return answer

        executor = executor_of(work)
        assert [executor.run("work", {}).text for _ in range(2)] == ["old", "old"]
        response = run(execute(executor, "work", bypass_cache=True))
        assert (response.text, response.from_cache) == ("new", False)
        assert [
            (step_title(step), step_detail(step)) for step in response.steps if step_title(step).startswith("Cache")
        ] == [
            ("Cache lookup", "passed over"),
            ("Cache store", "refreshed"),
        ]
        assert executor.run("work", {}).text == "new"
        # One that fails leaves what is known as it is.
        assert run(execute(executor, "work", bypass_cache=True)).status is CallStatus.FAILED
        response = executor.run("work", {})
        assert (response.text, response.from_cache) == ("new", True)

    @pytest.mark.reference("A27")
    def test_the_result_of_one_call_can_be_forgotten(self, executor_of: ExecutorOf) -> None:
        declared, runs = counted(per_caller=True)
        executor = executor_of(declared)
        for number in (1, 2):
            for caller in ("a", "b"):
                run(execute(executor, "work", {"number": number}, caller=caller))
        assert executor.clear_cache("work", {"number": "1"}) == 2
        assert executor.clear_cache("work", {"number": 9}) == 0
        for number in (1, 2):
            run(execute(executor, "work", {"number": number}, caller="a"))
        assert runs == [1, 1, 2, 2, 1]
        with pytest.raises(ArgumentsError):
            executor.clear_cache("work", {"number": "x"})
        with pytest.raises(ToolNotFoundError):
            executor.clear_cache("nobody")

    def test_forgetting_a_tool_without_a_cache_forgets_nothing(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(make_tool("work", "Work.", lambda: 1))
        assert (executor.clear_cache("work"), executor.clear_cache("work", {}), executor.clear_cache()) == (0, 0, 0)

    @pytest.mark.parametrize("arguments", [None, {}])
    def test_what_was_begun_before_is_not_kept_and_nobody_after_waits_for_it(
        self, executor_of: ExecutorOf, arguments: dict[str, Any] | None
    ) -> None:
        gates = [asyncio.Event(), asyncio.Event()]
        runs: list[int] = []

        @tool
        @cached()
        async def work() -> int:
            number = len(runs)
            runs.append(number)
            await gates[number].wait()
            return number

        async def main() -> list[Any]:
            _, before = start(executor, "work")
            await until(lambda: len(runs) == 1)
            executor.clear_cache("work", arguments)
            _, after = start(executor, "work")
            await until(lambda: len(runs) == 2)
            gates[1].set()
            fresh = await after
            gates[0].set()
            stale = await before
            return [fresh.result, stale.result, (await execute(executor, "work")).result]

        executor = executor_of(work)
        assert run(main()) == [1, 0, 1]

    def test_a_call_that_is_torn_away_leaves_nobody_waiting(self, executor_of: ExecutorOf) -> None:
        runs: list[int] = []

        @tool
        @cached()
        async def work() -> str:
            runs.append(1)
            if len(runs) == 1:
                await asyncio.Event().wait()
            return "second"

        async def main() -> str:
            first = asyncio.create_task(execute(executor, "work"))
            await until(lambda: len(runs) == 1)
            second = asyncio.create_task(execute(executor, "work"))
            await asyncio.sleep(0)
            first.cancel()
            await asyncio.wait([first])
            async with asyncio.timeout(5):
                return (await second).text

        executor = executor_of(work)
        assert run(main()) == "second"

    def test_it_says_how_much_it_holds(self, executor_of: ExecutorOf) -> None:
        declared, _ = counted(max_size=3)
        executor = executor_of(declared)
        for number in range(5):
            executor.run("work", {"number": number})
        (state,) = executor.guards("work")
        assert state[:3] == (GuardKind.CACHE, "filled", "3 of at most 3 results are kept, each for 300 s")
