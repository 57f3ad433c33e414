from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tools.running import run, until
from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    AbstractTool,
    ArgumentsError,
    CachedTool,
    CachePolicy,
    ProjectDir,
    RateLimit,
    RateLimitedTool,
    RateLimitError,
    Retry,
    RetryableTool,
    ToolConfigurationError,
    ToolContext,
    ToolFailure,
    ToolResult,
    TransientError,
    cached,
    enhance,
    has_enhancements,
    make_tool,
    rate_limit,
    resilience,
    resolve_tools,
    retry,
    security,
    tool,
    toolkit,
)
from tools.execution.enhance import EnhancedTool

ProjectFolder = Annotated[Path, ProjectDir()]


class Work:
    """Do what the list says, then succeed, and count."""

    def __init__(self, *moods: Any) -> None:
        self.moods = list(moods)
        self.runs = 0

    def __call__(self, number: int = 0) -> Any:
        self.runs += 1
        mood = self.moods.pop(0) if self.moods else f"done {number}"
        if isinstance(mood, BaseException):
            raise mood
        return mood


def declared(work: Work, *decorators: Any) -> Any:
    async def work_(number: int = 0) -> Any:
        await asyncio.sleep(0)
        return work(number)

    work_.__name__ = "work"
    for decorator in decorators:
        decorator(work_)
    return tool(work_)


def enhanced(target: Any, **options: Any) -> EnhancedTool:
    made = enhance(target, **options)
    assert isinstance(made, EnhancedTool)
    return made


def execute(made: EnhancedTool, *given: Any) -> list[Any]:
    """Execute one after the other in one loop; return results and what was raised."""

    async def main() -> list[Any]:
        came: list[Any] = []
        for arguments in given:
            try:
                came.append(await made.execute(arguments))
            except Exception as error:  # noqa: BLE001 -- it is looked at
                came.append(error)
        return came

    results: list[Any] = run(main())
    return results


class TestWhatIsPutAround:
    @pytest.mark.reference("A99", "A100")
    def test_the_cache_is_outermost_then_the_limit_and_the_retries_innermost(self) -> None:
        made = enhanced(declared(Work(), cached(), retry(), rate_limit(requests=5)))
        assert isinstance(made, CachedTool)
        assert isinstance(made.inner, RateLimitedTool)
        assert isinstance(made.inner.inner, RetryableTool)
        assert made.inner.inner.inner is made.tool
        assert (made.name, made.tool.name) == ("work", "work")
        assert repr(made) == "CachedTool(RateLimitedTool(RetryableTool(work)))"

    @pytest.mark.reference("A99", "A114")
    def test_any_of_them_may_be_missing(self) -> None:
        decorators = {"CachedTool": cached(), "RateLimitedTool": rate_limit(requests=5), "RetryableTool": retry()}
        for chosen in range(1, 8):
            names = [name for bit, name in enumerate(decorators) if chosen >> bit & 1]
            made = enhanced(declared(Work(), *(decorators[name] for name in names)))
            assert repr(made) == "".join(f"{name}(" for name in names) + "work" + ")" * len(names)

    @pytest.mark.reference("A101")
    def test_without_any_it_is_the_very_same_object(self) -> None:
        made = make_tool("work", "Work.", lambda: 1)

        @toolkit("Plain")
        class Plain:
            @tool
            def one(self) -> int:
                return 1

            @tool
            def two(self) -> int:
                return 2

        for target in (made, declared(Work()), declared(Work(), retry(max_attempts=1)), Plain(), Plain, print):
            assert enhance(target) is target
        again = enhanced(declared(Work(), cached()))
        assert enhance(again) is again

    @pytest.mark.reference("A102")
    def test_whether_there_are_any_is_told_of_classes_objects_functions_and_tools(self) -> None:
        @cached()
        class Slow(AbstractTool):
            description = "Work."

            def __init__(self, needed: int) -> None:
                self.needed = needed

            def do_execute(self, query: str) -> str:
                return query

        class Plain(AbstractTool):
            description = "Work."

            def do_execute(self, query: str) -> str:
                return query

        limited = declared(Work(), rate_limit(requests=5))
        assert [has_enhancements(target) for target in (Slow, Slow(1), limited, resolve_tools([limited])[0])] == [
            True
        ] * 4
        assert [has_enhancements(target) for target in (Plain, Plain(), declared(Work()), print, 5)] == [False] * 5
        assert not has_enhancements(declared(Work(), retry(max_attempts=1)))

    def test_what_is_not_one_tool_is_refused(self) -> None:
        @cached()
        @toolkit("Two")
        class Two:
            @tool
            def one(self) -> int:
                return 1

            @tool
            def two(self) -> int:
                return 2

        with pytest.raises(ToolConfigurationError, match=r"expected one tool to enhance, got 2 \(one, two\)"):
            enhance(Two())
        plain = resolve_tools([declared(Work())])[0]
        for kind in (CachedTool, RateLimitedTool, RetryableTool):
            with pytest.raises(ToolConfigurationError, match="declares no @"):
                kind(plain)


class TestRetry:
    @pytest.mark.reference("A99", "A103", "A107", "A108")
    def test_it_repeats_as_the_executor_does(self) -> None:
        policy: dict[str, Any] = {"max_attempts": 3, "initial_delay_s": 0, "retry_on": (TransientError,)}
        cases: list[tuple[Work, dict[str, Any], Any, int]] = [
            (Work(TransientError("a"), TransientError("b")), {}, "done 1", 3),
            (Work(*[TransientError("a")] * 3), {}, "a", 3),
            (Work(ToolFailure("final")), {}, "final", 1),
            (Work("busy", "busy"), {"retry_on_response": ("busy",)}, "done 1", 3),
            (Work(ToolResult.failure("busy")), {"retry_on_response": ("busy",)}, "done 1", 2),
        ]
        for work, more, expected, runs in cases:
            (came,) = execute(enhanced(declared(work, retry(**policy, **more))), {"number": 1})
            assert (str(came), work.runs) == (expected, runs)

    @pytest.mark.reference("A104", "A105")
    def test_it_waits_as_its_policy_says(self) -> None:
        work = Work(*[TransientError("a")] * 3)

        async def main(loop: VirtualLoop) -> float:
            began = loop.time()
            await enhanced(declared(work, retry(max_attempts=4, initial_delay_s=1, jitter=False))).execute()
            return loop.time() - began

        assert run_virtually(main) == pytest.approx(1 + 2 + 4)

    def test_a_policy_may_be_given_by_hand(self) -> None:
        work = Work(TransientError("a"))
        made = RetryableTool(resolve_tools([declared(work)])[0], Retry(initial_delay_s=0))
        assert execute(made, {"number": 4}) == ["done 4"]


class TestLimit:
    @pytest.mark.reference("A99", "A100", "A109", "A111")
    def test_one_permit_covers_all_attempts_and_a_known_result_costs_none(self) -> None:
        work = Work(TransientError("a"), TransientError("b"))
        policies = (retry(initial_delay_s=0), rate_limit(requests=2, per_s=60, throw_on_limit=True), cached())
        came = execute(enhanced(declared(work, *policies)), {}, {}, {"number": 1}, {}, {"number": 2})
        assert came[:4] == ["done 0", "done 0", "done 1", "done 0"]
        assert isinstance(came[4], RateLimitError)
        assert work.runs == 4

    def test_tools_share_a_bucket_when_they_are_told_where_it_is(self) -> None:
        buckets: dict[str, Any] = {}
        policy = rate_limit(requests=1, per_s=60, throw_on_limit=True, key="search")
        one, two = (enhanced(declared(Work(), policy), buckets=buckets) for _ in range(2))
        assert execute(one, {}) == ["done 0"]
        assert isinstance(execute(two, {})[0], RateLimitError)
        assert list(buckets) == ["search"]
        assert execute(enhanced(declared(Work(), policy)), {}) == ["done 0"]

    @pytest.mark.reference("A26", "A110")
    def test_it_waits_in_order_where_it_does_not_throw(self) -> None:
        async def main(loop: VirtualLoop) -> list[Any]:
            made = RateLimitedTool(
                resolve_tools([declared(Work())])[0], RateLimit(requests=1, per_s=10), clock=loop.time
            )
            began = loop.time()
            served: list[Any] = []

            async def ask(number: int) -> None:
                await made(number=number)
                served.append((number, round(loop.time() - began)))

            await asyncio.gather(*(ask(number) for number in range(3)))
            return served

        assert run_virtually(main) == [(0, 0), (1, 10), (2, 20)]


class TestCache:
    @pytest.mark.reference("A99", "A112")
    def test_identical_calls_run_once_until_they_are_too_old_or_forgotten(self) -> None:
        work, now = Work(), [100.0]
        made = enhanced(declared(work, cached(ttl_s=10)), clock=lambda: now[0])
        assert isinstance(made, CachedTool)
        assert execute(made, {"number": 1}, '{"number": "1"}', {"number": 2}) == ["done 1", "done 1", "done 2"]
        assert work.runs == 2
        now[0] += 10
        execute(made, {"number": 1})
        assert (work.runs, made.clear()) == (3, 2)
        execute(made, {"number": 1})
        assert work.runs == 4

    @pytest.mark.reference("A113")
    @pytest.mark.parametrize("failure", [ToolFailure("boom"), ToolResult.failure("boom")])
    def test_failures_are_kept_only_on_request(self, failure: Any) -> None:
        for keep in (False, True):
            work = Work(failure)
            came = execute(enhanced(declared(work, cached(cache_errors=keep))), {}, {})
            assert came[0] == failure
            assert came[1] == (came[0] if keep else "done 0")
            assert work.runs == (1 if keep else 2)

    @pytest.mark.reference("A112")
    def test_several_at_a_time_run_once_and_each_gets_its_own(self) -> None:
        gate = asyncio.Event()
        runs: list[int] = []

        @tool
        @cached()
        async def work() -> list[int]:
            runs.append(1)
            await gate.wait()
            return [1]

        async def main() -> list[Any]:
            made = enhanced(work)
            calls = [asyncio.create_task(made.execute()) for _ in range(5)]
            await until(lambda: bool(runs))
            gate.set()
            results = list(await asyncio.gather(*calls))
            results[0].append(2)
            results[1].append(3)
            return [*results, await made.execute()]

        results = run(main())
        assert results == [[1, 2], [1, 3], [1], [1], [1], [1]]
        assert runs == [1]

    async def test_one_that_is_stopped_leaves_the_work_to_the_next(self) -> None:
        runs: list[int] = []

        @tool
        @cached()
        async def work() -> str:
            runs.append(1)
            if len(runs) == 1:
                await asyncio.Event().wait()
            return "second"

        made = enhanced(work)
        first = asyncio.create_task(made.execute())
        await until(lambda: bool(runs))
        second = asyncio.create_task(made.execute())
        await asyncio.sleep(0)
        first.cancel()
        result: str = await second
        assert result == "second"

    def test_a_policy_may_be_given_by_hand(self) -> None:
        work = Work()
        assert execute(CachedTool(resolve_tools([declared(work)])[0], CachePolicy()), {}, {}) == ["done 0"] * 2
        assert work.runs == 1


class TestStarting:
    def test_wrong_arguments_are_told_before_anything_runs(self) -> None:
        work = Work()
        (came,) = execute(enhanced(declared(work, retry())), {"number": "x"})
        assert isinstance(came, ArgumentsError)
        assert work.runs == 0

    def test_a_sync_tool_runs_in_a_thread_an_inline_one_at_once(self) -> None:
        @tool
        @retry()
        def threaded() -> bool:
            return threading.current_thread() is threading.main_thread()

        @tool(isolation="inline")
        @retry()
        def inline() -> bool:
            return threading.current_thread() is threading.main_thread()

        assert [execute(enhanced(target), {}) for target in (threaded, inline)] == [[False], [True]]

    def test_a_class_tool_runs_without_a_context_and_the_project_folder_is_the_current_one(self) -> None:
        @retry()
        class Shout(AbstractTool):
            description = "Shout."

            def do_execute(self, query: str) -> str:
                return f"{query.upper()} {self.context}"

        @tool
        @retry()
        async def where(*, folder: ProjectFolder, project_dir: str) -> bool:
            return folder == Path.cwd() and project_dir == str(Path.cwd())

        assert execute(enhanced(Shout()), {"query": "hi"}) == ["HI None"]
        assert execute(enhanced(where), {}) == [True]

    def test_what_only_an_executor_can_see_to_is_refused(self) -> None:
        @tool(requires_confirmation=True)
        @retry()
        def asks() -> None: ...

        @tool
        @security(allowed_callers=["you"])
        @retry()
        def restricted() -> None: ...

        @tool
        @resilience(isolation="process")
        @retry()
        def isolated() -> None: ...

        for target, why in (
            (asks, "asks a person before it runs"),
            (restricted, "restricts who may call it"),
            (isolated, "runs in a worker process"),
        ):
            with pytest.raises(ToolConfigurationError, match=f"{why}, which only an Executor can see to"):
                enhance(target)

        @tool
        @retry()
        async def wants_context(ctx: ToolContext) -> None: ...

        (came,) = execute(enhanced(wants_context), {})
        assert str(came) == (
            "the tool 'wants_context' needs its parameter 'ctx', which only an Executor gives; run it by one"
        )
