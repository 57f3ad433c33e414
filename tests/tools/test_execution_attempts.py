from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.error import URLError

import httpx
import pytest

from tests.tools.running import Answers, Silence, execute, run, start, steps_of, until
from tests.tools.virtual_time import run_virtually
from tools import (
    AbstractTool,
    CallStatus,
    Continue,
    DeniedError,
    ExitEarly,
    ExitEarlyError,
    OnTimeout,
    Retry,
    ReviewDecision,
    ReviewRequest,
    ToolContext,
    ToolFailure,
    ToolResponse,
    ToolResult,
    TransientError,
    make_tool,
    resilience,
    retry,
    tool,
)
from tools.calls import StepOutcome
from tools.execution.attempts import delay_s
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


class Flaky:
    """Fail so often with what was given, then succeed."""

    def __init__(self, *failures: BaseException | str) -> None:
        self.failures = list(failures)
        self.runs = 0

    def __call__(self) -> str:
        self.runs += 1
        if not self.failures:
            return "at last"
        failure = self.failures.pop(0)
        if isinstance(failure, str):
            return failure
        raise failure


def _answered(status: int) -> httpx.HTTPStatusError:
    request = httpx.Request("GET", "https://example.org")
    return httpx.HTTPStatusError("no", request=request, response=httpx.Response(status, request=request))


def retried(flaky: Flaky, **policy: Any) -> Any:
    def work() -> str:
        return flaky()

    retry(**{"initial_delay_s": 0, **policy})(work)
    return tool(work)


class TestRetry:
    @pytest.mark.reference("A21", "A25", "A35", "A103")
    def test_failed_attempts_are_repeated_and_each_is_a_step(self, executor_of: ExecutorOf) -> None:
        flaky = Flaky(TransientError("busy"), TimeoutError("slow"))
        response = executor_of(retried(flaky)).run("work", {})
        assert (response.text, len(response.attempts), flaky.runs) == ("at last", 3, 3)
        assert steps_of(response) == [
            "Validate arguments",
            "Execute, attempt 1",
            "Backoff",
            "Execute, attempt 2",
            "Backoff",
            "Execute, attempt 3",
            "Metrics",
        ]
        assert [step_detail(step) for step in response.steps if step_title(step).startswith("Execute")] == [
            "TransientError",
            "TimeoutError",
            "",
        ]
        assert [(entry.level, entry.text) for entry in response.logs] == [
            ("warning", "attempt 1 failed with TransientError: busy; attempt 2 begins in 0 s"),
            ("warning", "attempt 2 failed with TimeoutError: slow; attempt 3 begins in 0 s"),
        ]

    @pytest.mark.reference("A103")
    @pytest.mark.parametrize("attempts_", [1, 2, 3])
    def test_max_attempts_counts_all_of_them(self, executor_of: ExecutorOf, attempts_: int) -> None:
        flaky = Flaky(*[TransientError("busy")] * 9)
        response = executor_of(retried(flaky, max_attempts=attempts_)).run("work", {})
        assert (response.status, response.text) == (CallStatus.FAILED, "Error: busy")
        assert flaky.runs == len(response.attempts) == attempts_

    @pytest.mark.reference("A25", "A107")
    @pytest.mark.parametrize(
        ("policy", "failure", "runs"),
        [
            ({"retry_on": (TransientError,)}, ToolFailure("no"), 1),
            ({"retry_on": (TransientError,)}, TransientError("busy"), 2),
            ({"retry_on": (OSError,)}, ConnectionError("down"), 2),
            ({"no_retry_on": (ValueError,)}, ValueError("no"), 1),
            ({"retry_on": (Exception,), "no_retry_on": (ToolFailure,)}, TransientError("busy"), 1),
            ({}, SystemExit(1), 1),
            ({}, TransientError("busy"), 2),
            ({}, ConnectionResetError("gone"), 2),
            ({}, TimeoutError("slow"), 2),
            ({}, httpx.ReadError("cut off"), 2),
            ({}, URLError(ConnectionRefusedError("down")), 2),
            ({}, _answered(503), 2),
            ({}, _answered(429), 2),
            ({}, _answered(404), 1),
            ({}, URLError("unknown url type"), 1),
            ({}, ToolFailure("no such row"), 1),
            ({}, ValueError("no number"), 1),
            ({}, FileNotFoundError("a.txt"), 1),
            ({"retry_on": (Exception,)}, ValueError("no number"), 2),
        ],
    )
    def test_filters_choose_and_no_retry_on_wins(
        self, executor_of: ExecutorOf, policy: dict[str, Any], failure: BaseException, runs: int
    ) -> None:
        flaky = Flaky(failure)
        executor_of(retried(flaky, **policy)).run("work", {})
        assert flaky.runs == runs

    @pytest.mark.reference("A108")
    def test_a_response_that_asks_for_it_is_retried_and_the_last_one_counts(self, executor_of: ExecutorOf) -> None:
        flaky = Flaky("Rate limit reached", "rate limit reached", "rate limit again")
        response = executor_of(retried(flaky, retry_on_response=(r"(?i)rate limit",))).run("work", {})
        assert (response.text, len(response.attempts), response.status) == ("rate limit again", 3, CallStatus.EXECUTED)

    @pytest.mark.reference("A108")
    def test_returned_failures_and_structures_are_searched_too(self, executor_of: ExecutorOf) -> None:
        answers: list[Any] = [ToolResult.failure("overloaded"), {"state": "overloaded"}, "fine"]

        @tool
        @retry(initial_delay_s=0, retry_on_response=("overloaded",))
        def work() -> Any:
            return answers.pop(0)

        assert executor_of(work).run("work", {}).text == "fine"

    @pytest.mark.reference("A8")
    def test_a_tool_that_is_not_idempotent_is_not_retried(self, executor_of: ExecutorOf) -> None:
        flaky = Flaky(TransientError("busy"))
        made = make_tool("pay", "Pay.", flaky, idempotent=False)
        by_hand = replace(made, policies=made.policies.model_copy(update={"retry": Retry()}))
        response = executor_of(by_hand).run("pay", {})
        assert (response.status, flaky.runs) == (CallStatus.FAILED, 1)

    @pytest.mark.reference("A22", "A104", "A105", "A106")
    def test_pauses_grow_up_to_their_limit_and_jitter_shortens_them(self) -> None:
        def pauses(**policy: Any) -> list[float]:
            retry = Retry(initial_delay_s=1, multiplier=3, max_delay_s=10, **policy)
            return [delay_s(retry, number) for number in range(1, 5)]

        assert pauses(jitter=False) == [1, 3, 9, 10]
        assert pauses(jitter=False, backoff="fixed") == [1, 1, 1, 1]
        assert all(whole / 2 <= part <= whole for part, whole in zip(pauses(), [1, 3, 9, 10], strict=True))
        assert delay_s(Retry(multiplier=1e9, max_attempts=100, jitter=False), 99) == 30

    def test_a_person_who_refuses_is_not_asked_by_another_attempt(self, executor_of: ExecutorOf) -> None:
        @tool
        @retry(initial_delay_s=0)
        async def work(ctx: ToolContext) -> str:
            await ctx.request_approval("May I?")
            return "done"

        reviewer = Answers(ExitEarly("stop it all", stop_run=True))
        executor = executor_of(work, review_handler=reviewer)
        call = executor.create_call("work", {})
        with pytest.raises(ExitEarlyError, match="stop it all"):
            run(executor.execute(call))
        assert (len(reviewer.requests), len(call.response.attempts)) == (1, 1)

    def test_a_cancelled_pause_ends_the_call_and_blames_no_thread(self, executor_of: ExecutorOf) -> None:
        flaky = Flaky(TransientError("busy"))

        async def work() -> Any:
            call, task = start(executor, "work")
            await until(lambda: len(call.response.steps) > 1)
            assert call.cancel()
            return await task

        executor = executor_of(retried(flaky, initial_delay_s=30, jitter=False))
        response = run(work())
        assert (response.status, response.text) == (CallStatus.CANCELLED, "Error: Stopped on request.")
        assert executor.abandoned_threads == 0


class TestTimeout:
    @pytest.mark.reference("A21", "A35")
    def test_an_async_tool_is_cancelled(self, executor_of: ExecutorOf) -> None:
        ended: list[str] = []

        @tool(timeout_s=0.01)
        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("yes")

        executor = executor_of(work)
        response = executor.run("work", {})
        assert response.status is CallStatus.TIMED_OUT
        assert response.text == "Error: it took longer than 0.01 s"
        assert ended == ["yes"]
        assert executor.abandoned_threads == 0
        assert [step.outcome for step in response.steps if step.kind.in_tool] == [StepOutcome.TIMED_OUT]

    @pytest.mark.reference("A35")
    def test_a_thread_is_abandoned_counted_and_said_to_be(self, executor_of: ExecutorOf) -> None:
        release = threading.Event()
        seen: list[bool] = []

        @tool(timeout_s=0.2)
        def work(ctx: ToolContext) -> None:
            release.wait(10)
            seen.append(ctx.cancelled)
            ctx.log("info", "too late")
            ctx.attach(b"too late")
            ctx.progress(1)
            ctx.keep_for(9)

        executor = executor_of(work)
        response = executor.run("work", {})
        assert response.text == (
            "Error: it took longer than 0.2 s; its thread could not be stopped and is left to end by itself"
        )
        assert executor.abandoned_threads == 1
        release.set()
        run(until(lambda: executor.abandoned_threads == 0))
        assert seen == [True]
        assert (response.logs, response.attachments, response.turns_to_keep) == ([], [], None)
        assert response.status is CallStatus.TIMED_OUT

    def test_an_attempt_that_was_given_up_is_not_heard_while_the_next_one_runs(self, executor_of: ExecutorOf) -> None:
        second, first_ended = threading.Event(), threading.Event()
        contexts: list[ToolContext] = []
        seen: list[object] = []

        @tool(timeout_s=0.3)
        @retry(max_attempts=2, initial_delay_s=0)
        def work(ctx: ToolContext) -> str:
            contexts.append(ctx)
            if len(contexts) == 2:
                second.set()
                first_ended.wait(10)
                ctx.log("info", "second")
                return "done"
            second.wait(10)
            ctx.log("info", "first, too late")
            seen.append(ctx.cancelled)
            try:
                ctx.request_approval("May I still?").wait()
            except DeniedError as error:
                seen.append(str(error))
            first_ended.set()
            return "too late"

        async def patient() -> ToolResponse:
            response: ToolResponse = await execute(executor, "work")
            await until(lambda: executor.abandoned_threads == 0)
            return response

        executor = executor_of(work, review_handler=Answers())
        response = run(patient())
        # What is told of the first attempt is that it was given up, and nothing that it says later.
        told = [entry.text for entry in response.logs]
        assert (response.text, told[0][:26], told[1:]) == ("done", "attempt 1 ran out of time:", ["second"])
        assert seen == [True, "the call of 'work' has ended, so nobody can be asked any more"]

    def test_a_tools_own_timeout_error_is_a_failure_not_our_limit(self, executor_of: ExecutorOf) -> None:
        @tool(timeout_s=30)
        async def work() -> None:
            raise TimeoutError("the server was slow")

        response = executor_of(work).run("work", {})
        assert (response.status, response.text) == (CallStatus.FAILED, "Error: the server was slow")
        assert response.error is not None
        assert response.error.type_name == "TimeoutError"

    @pytest.mark.reference("A25", "A107")
    def test_our_limit_counts_as_the_built_in_timeout_for_both_filters(self, executor_of: ExecutorOf) -> None:
        def slow(**policy: Any) -> Any:
            runs: list[int] = []

            @tool(timeout_s=0.005)
            @retry(max_attempts=2, initial_delay_s=0, **policy)
            async def work() -> None:
                runs.append(1)
                await asyncio.Event().wait()

            return work, runs

        for policy, expected in (
            ({"retry_on": (TimeoutError,)}, 2),
            ({"no_retry_on": (TimeoutError,)}, 1),
            ({"retry_on": (ValueError,)}, 1),
        ):
            declared, runs = slow(**policy)
            response = executor_of(declared).run("work", {})
            assert (response.status, len(runs)) == (CallStatus.TIMED_OUT, expected)

    def test_a_person_who_thinks_does_not_eat_the_timeout(self, executor_of: ExecutorOf) -> None:
        class Slow:
            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                await asyncio.sleep(0.35)
                return Continue()

        @tool(timeout_s=0.3)
        async def ask_async(ctx: ToolContext) -> str:
            await ctx.request_approval("First?")
            await asyncio.gather(*(_ask(ctx) for _ in range(2)))
            return "done"

        @tool(timeout_s=0.3)
        def ask_sync(ctx: ToolContext) -> str:
            ctx.request_approval("First?").wait()
            return "done"

        executor = executor_of(ask_async, ask_sync, review_handler=Slow())
        for name in ("ask_async", "ask_sync"):
            response = executor.run(name, {})
            assert (response.status, response.text) == (CallStatus.EXECUTED, "done")
            (execution,) = [step for step in response.steps if step.kind.in_tool]
            assert execution.waiting_s >= 0.35

    def test_the_clock_goes_on_after_the_answer(self, executor_of: ExecutorOf) -> None:
        @tool(timeout_s=0.02)
        async def ask_then_hang(ctx: ToolContext) -> None:
            await ctx.request_approval("Go?")
            await asyncio.Event().wait()

        response = executor_of(ask_then_hang, review_handler=Answers()).run("ask_then_hang", {})
        assert response.status is CallStatus.TIMED_OUT

    def test_a_timeout_with_retries_gives_each_attempt_its_own(self, executor_of: ExecutorOf) -> None:
        runs: list[int] = []

        @tool
        @resilience(timeout_s=0.02, retry=Retry(max_attempts=3, initial_delay_s=0))
        async def work() -> str:
            runs.append(1)
            if len(runs) < 3:
                await asyncio.Event().wait()
            return "third"

        assert executor_of(work).run("work", {}).text == "third"


class TestTotal:
    @pytest.mark.reference("A21")
    def test_all_attempts_and_pauses_together_have_a_limit(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(total_timeout_s=5, retry=Retry(max_attempts=99, initial_delay_s=0))
        async def work() -> None:
            await asyncio.sleep(2)
            raise TransientError("busy")

        response = run_virtually(lambda _: execute(executor_of(work), "work", {}))
        assert response.status is CallStatus.TIMED_OUT
        assert response.error is not None
        assert response.error.message == "it took longer than 5 s in all, 3 attempts together"
        last = [step for step in response.steps if step.kind.in_tool][-1]
        assert (step_title(last), last.outcome) == ("Execute, attempt 3", StepOutcome.TIMED_OUT)

    @pytest.mark.reference("A21")
    def test_a_tool_that_is_started_once_has_it_too(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(total_timeout_s=0.01, timeout_s=30)
        async def work() -> None:
            await asyncio.Event().wait()

        response = executor_of(work).run("work", {})
        assert (response.status, response.text) == (CallStatus.TIMED_OUT, "Error: it took longer than 0.01 s")
        assert steps_of(response) == ["Validate arguments", "Execute", "Metrics"]

    @pytest.mark.reference("A21", "A22")
    def test_each_attempt_keeps_its_own_limit_within_it(self, executor_of: ExecutorOf) -> None:
        runs: list[int] = []

        @tool
        @resilience(total_timeout_s=30, timeout_s=0.01, retry=Retry(max_attempts=3, initial_delay_s=0))
        async def work() -> str:
            runs.append(1)
            if len(runs) < 3:
                await asyncio.Event().wait()
            return "third"

        assert executor_of(work).run("work", {}).text == "third"

    @pytest.mark.reference("A21", "A22")
    def test_a_pause_that_would_pass_it_does_not_begin_and_the_failure_stands(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(total_timeout_s=30, retry=Retry(initial_delay_s=60, max_delay_s=60, jitter=False))
        async def work() -> None:
            raise TransientError("busy")

        response = executor_of(work).run("work", {})
        assert (response.status, response.text, len(response.attempts)) == (CallStatus.FAILED, "Error: busy", 1)
        (pause,) = (step for step in response.steps if step_title(step) == "Backoff")
        assert (pause.outcome, pause.waiting_s) == (StepOutcome.SKIPPED, 0)
        assert step_detail(pause) == "no time left"

    def test_a_returned_failure_is_not_repeated_either_when_no_time_is_left(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(
            total_timeout_s=30, retry=Retry(initial_delay_s=60, max_delay_s=60, retry_on_response=("overloaded",))
        )
        async def work() -> str:
            return "overloaded"

        assert executor_of(work).run("work", {}).text == "overloaded"

    def test_a_person_who_thinks_does_not_eat_it(self, executor_of: ExecutorOf) -> None:
        class Slow:
            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                await asyncio.sleep(0.35)
                return Continue()

        @tool
        @resilience(total_timeout_s=0.3, timeout_s=0.25)
        async def both(ctx: ToolContext) -> str:
            await asyncio.gather(*(_ask(ctx) for _ in range(2)))
            return "done"

        @tool
        @resilience(total_timeout_s=0.3)
        def in_thread(ctx: ToolContext) -> str:
            ctx.request_approval("First?").wait()
            return "done"

        executor = executor_of(both, in_thread, review_handler=Slow())
        assert [executor.run(name, {}).text for name in ("both", "in_thread")] == ["done", "done"]

    def test_a_question_that_outlives_its_attempt_holds_the_limit_only_as_long_as_it_is_open(
        self, executor_of: ExecutorOf
    ) -> None:
        answered = asyncio.Event()
        runs: list[int] = []
        asking: list[asyncio.Task[Any]] = []

        class Late:
            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                await answered.wait()
                return Continue()

        @tool
        @resilience(total_timeout_s=0.1, timeout_s=10, retry=Retry(max_attempts=2, initial_delay_s=0))
        async def work(ctx: ToolContext) -> None:
            runs.append(1)
            if len(runs) == 1:
                asking.append(asyncio.create_task(_ask(ctx)))
                await asyncio.sleep(0)
                raise TransientError("busy")
            answered.set()
            await asyncio.Event().wait()

        response = executor_of(work, review_handler=Late()).run("work", {})
        assert (response.status, len(runs)) == (CallStatus.TIMED_OUT, 2)

    def test_a_thread_is_left_behind_and_not_heard_any_more(self, executor_of: ExecutorOf) -> None:
        release = threading.Event()
        seen: list[bool] = []

        @tool
        @resilience(total_timeout_s=0.3)
        def work(ctx: ToolContext) -> None:
            release.wait(10)
            seen.append(ctx.cancelled)

        executor = executor_of(work)
        response = executor.run("work", {})
        assert response.text.endswith("; its thread could not be stopped and is left to end by itself")
        release.set()
        run(until(lambda: executor.abandoned_threads == 0))
        assert seen == [True]

    def test_a_tools_own_timeout_error_is_a_failure_there_too(self, executor_of: ExecutorOf) -> None:
        @tool
        @resilience(total_timeout_s=30)
        async def work() -> None:
            raise TimeoutError("the server was slow")

        assert executor_of(work).run("work", {}).text == "Error: the server was slow"


async def _ask(ctx: ToolContext) -> ReviewDecision:
    return await ctx.request_approval("Side by side?")


class TestWhereItRuns:
    def test_a_sync_tool_runs_in_a_thread_and_an_inline_one_on_the_loop(self, executor_of: ExecutorOf) -> None:
        @tool
        def threaded() -> bool:
            return threading.current_thread() is threading.main_thread()

        @tool(isolation="inline")
        def inline() -> bool:
            return threading.current_thread() is threading.main_thread()

        executor = executor_of(threaded, inline)
        assert executor.run("threaded", {}).result is False
        assert executor.run("inline", {}).result is True

    def test_a_function_that_returns_an_awaitable_is_awaited(self, executor_of: ExecutorOf) -> None:
        async def later() -> str:
            await asyncio.sleep(0)
            return "later"

        def work() -> Any:
            return later()

        executor = executor_of(make_tool("work", "Work.", work))
        assert executor.run("work", {}).text == "later"

    def test_a_blocking_tool_does_not_stop_the_others(self, executor_of: ExecutorOf) -> None:
        release = threading.Event()

        @tool
        def block() -> str:
            release.wait(10)
            return "released"

        @tool
        async def quick() -> str:
            release.set()
            return "quick"

        async def both() -> list[str]:
            blocked = asyncio.create_task(execute(executor, "block"))
            await asyncio.sleep(0)
            first = await execute(executor, "quick")
            return [first.text, (await blocked).text]

        executor = executor_of(block, quick)
        assert run(both()) == ["quick", "released"]


class TestAsking:
    @pytest.mark.reference("D22", "D26", "D23")
    def test_without_a_reviewer_a_tools_question_is_answered_with_continue(self, executor_of: ExecutorOf) -> None:
        @tool
        async def ask(ctx: ToolContext) -> list[Any]:
            decision = await ctx.request_approval("May I?")
            return [type(decision).__name__, ctx.has_reviewer]

        assert executor_of(ask).run("ask", {}).result == ["Continue", False]

    @pytest.mark.reference("D27")
    def test_a_question_waits_five_minutes_and_then_counts_as_refused_unless_declared_otherwise(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool
        async def ask(ctx: ToolContext) -> str:
            await ctx.request_approval("Plain?")
            await ctx.request_approval("Special?", prompt="a colour", timeout_s=0, on_timeout=OnTimeout.FAIL)
            return "done"

        reviewer = Answers()
        executor_of(ask, review_handler=reviewer).run("ask", {})
        plain, special = reviewer.requests
        assert (plain.timeout_s, plain.on_timeout, plain.prompt) == (300, OnTimeout.EXIT_EARLY, "")
        assert (plain.timing, plain.arguments, plain.description) == ("during_execution", None, "Plain?")
        assert plain.expires_at is not None
        assert (plain.expires_at - plain.asked_at).total_seconds() == 300
        assert (special.timeout_s, special.on_timeout, special.prompt) == (0, OnTimeout.FAIL, "a colour")
        assert special.expires_at is None

    @pytest.mark.reference("D22")
    def test_a_sync_tool_asks_by_waiting_but_never_on_the_loop(self, executor_of: ExecutorOf) -> None:
        class Ask(AbstractTool):
            """Ask."""

            def do_execute(self) -> str:
                return type(self.request_approval("May I?").wait()).__name__

        @tool(isolation="inline")
        def on_the_loop(ctx: ToolContext) -> None:
            ctx.request_approval("May I?").wait()

        executor = executor_of(Ask, on_the_loop, review_handler=Answers())
        assert executor.run("ask", {}).text == "Continue"
        assert "would block the event loop; await the review instead" in executor.run("on_the_loop", {}).text

    @pytest.mark.parametrize("sync", [True, False])
    def test_a_question_is_withdrawn_when_its_call_ends(self, executor_of: ExecutorOf, sync: bool) -> None:
        ended = threading.Event()
        raised: list[BaseException] = []

        @tool
        def ask_sync(ctx: ToolContext) -> None:
            try:
                ctx.request_approval("May I?").wait()
            except DeniedError as error:
                raised.append(error)
            try:
                ctx.request_approval("And now?").wait()
            except DeniedError as error:
                raised.append(error)
            ended.set()

        @tool
        async def ask_async(ctx: ToolContext) -> None:
            await ctx.request_approval("May I?")

        async def work() -> Any:
            silence = Silence()
            executor = executor_of(ask_sync, ask_async, review_handler=silence)
            call, task = start(executor, "ask_sync" if sync else "ask_async")
            await silence.asked.wait()
            assert call.response.status is CallStatus.WAITING_FOR_REVIEW
            call.cancel()
            response = await task
            assert silence.withdrawn
            if sync:
                await until(ended.is_set)
                await until(lambda: executor.abandoned_threads == 0)
            return response

        response = run(work())
        assert response.status is CallStatus.CANCELLED
        assert [str(error) for error in raised] == (
            [
                "the call ended before the question was answered",
                "the call of 'ask_sync' has ended, so nobody can be asked any more",
            ]
            if sync
            else []
        )

    def test_waiting_for_several_answers_at_once_is_waiting_until_the_last(self, executor_of: ExecutorOf) -> None:
        statuses: list[CallStatus] = []

        class Staggered:
            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                await asyncio.sleep(0.001 * int(request.description))
                (call,) = executor.open_calls
                statuses.append(call.response.status)
                return Continue()

        @tool
        async def ask(ctx: ToolContext) -> str:
            async def one(number: int) -> None:
                await ctx.request_approval(str(number))

            await asyncio.gather(*(one(number) for number in (1, 3, 2)))
            return ctx.call.response.status.value

        executor = executor_of(ask, review_handler=Staggered())
        assert executor.run("ask", {}).text == "executing"
        assert statuses == [CallStatus.WAITING_FOR_REVIEW] * 3
