"""A program's own steps: what they may do with a call, where they stand, and what is seen of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import Answers, execute, run, start, steps_of, until
from tools import (
    CallStatus,
    DeniedError,
    Edit,
    ExitEarly,
    Run,
    StepKind,
    ToolConfigurationError,
    ToolFailure,
    cached,
    contract,
    rate_limit,
    resilience,
    retry,
    security,
    tool,
)
from tools.calls import StepOutcome
from tools.trace_words import step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool
@retry(max_attempts=2)
@rate_limit(requests=1000)
@cached()
@security(approval_required=True)
@contract(pre="number > 0")
@resilience(max_concurrent=2)
async def everything(number: int) -> int:
    """Have many policies."""
    await asyncio.sleep(0)
    return number * 2


@tool
def broken() -> None:
    """Fail."""
    raise ToolFailure("boom")


@tool
async def plain(number: int) -> int:
    """Have no policy."""
    return number * 2


async def pass_on(run: Run, call_next: Any) -> Any:
    """Do nothing."""
    return await call_next(run)


class TestWhatTheyMayDo:
    def test_they_see_the_call_and_its_final_response(self, executor_of: ExecutorOf) -> None:
        seen: list[Any] = []

        async def look(run: Run, call_next: Any) -> Any:
            seen.append((run.call.caller, run.tool.name, dict(run.arguments), run.call.response.status))
            response = await call_next(run)
            seen.append((response.status, response.result))
            return response

        response = executor_of(plain, steps=[look]).run("plain", {"number": 3})
        assert response.result == 6
        assert seen == [("you", "plain", {"number": 3}, CallStatus.EXECUTING), (CallStatus.EXECUTED, 6)]
        assert steps_of(response) == ["Validate arguments", "look", "Execute", "Metrics"]

    def test_a_failed_call_comes_back_as_a_response(self, executor_of: ExecutorOf) -> None:
        seen: list[Any] = []

        async def look(run: Run, call_next: Any) -> Any:
            seen.append((await call_next(run)).error.message)

        assert executor_of(broken, steps=[look]).run("broken").status is CallStatus.FAILED
        assert seen == ["boom"]

    def test_a_refusal_keeps_the_tool_from_running(self, executor_of: ExecutorOf) -> None:
        async def closed(run: Run, call_next: Any) -> Any:
            raise DeniedError("the office is closed")

        response = executor_of(plain, steps=[closed]).run("plain", {"number": 3})
        assert (response.status, response.attempts) == (CallStatus.DENIED, [])
        assert response.text == "the office is closed"
        assert [step.outcome for step in response.steps if step.name == "closed"] == [StepOutcome.DENIED]

    def test_what_it_raises_by_mistake_is_a_failed_call(self, executor_of: ExecutorOf) -> None:
        async def wrong(run: Run, call_next: Any) -> Any:
            raise KeyError("nothing")

        response = executor_of(plain, steps=[wrong]).run("plain", {"number": 3})
        assert (response.status, response.attempts) == (CallStatus.FAILED, [])
        (step,) = (step for step in response.steps if step.name == "wrong")
        assert (step.outcome, step.error) == (StepOutcome.FAILED, "KeyError")

    def test_one_that_does_not_hand_on_answers(self, executor_of: ExecutorOf) -> None:
        async def known(run: Run, call_next: Any) -> Any:
            return 42

        response = executor_of(plain, steps=[known]).run("plain", {"number": 3})
        assert (response.succeeded, response.result, response.text) == (True, 42, "42")
        assert (response.attempts, response.fallback) == ([], "known")

    def test_a_call_runs_once_however_often_it_is_handed_on(self, executor_of: ExecutorOf) -> None:
        async def twice(run: Run, call_next: Any) -> Any:
            await call_next(run)
            return await call_next(run)

        executor = executor_of(plain, steps=[twice])
        call = executor.create_call("plain", {"number": 3})
        with pytest.raises(ToolConfigurationError, match="the step 'twice' handed the call on twice"):
            run(executor.execute(call))
        assert len(call.response.attempts) == 1

    async def test_stopping_the_call_comes_back_as_a_response_too(self, executor_of: ExecutorOf) -> None:
        seen: list[CallStatus] = []

        @tool
        async def endless() -> None:
            await asyncio.Event().wait()

        async def look(run: Run, call_next: Any) -> Any:
            seen.append((await call_next(run)).status)
            await asyncio.sleep(0)

        executor = executor_of(endless, steps=[look])
        call, task = start(executor, "endless")
        await until(lambda: bool(call.response.attempts))
        call.cancel()
        assert (await task).status is CallStatus.CANCELLED
        assert seen == [CallStatus.CANCELLED]


class TestWhereTheyStand:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (StepKind.PRECONDITIONS, "Validate arguments"),
            (StepKind.CACHE_LOOKUP, "Preconditions"),
            (StepKind.RATE_LIMIT, "Cache lookup"),
            (StepKind.SECURITY_CHECK, "Rate limit"),
            (StepKind.BULKHEAD, "Security check"),
            (StepKind.ATTEMPT, "Bulkhead"),
        ],
    )
    def test_it_stands_before_the_step_that_it_names(
        self, executor_of: ExecutorOf, before: StepKind, after: str
    ) -> None:
        executor = executor_of(everything, plain, review_handler=Answers())
        executor.add_step(pass_on, before=before, name="own")
        steps = steps_of(executor.run("everything", {"number": 1}))
        assert steps[steps.index("own") - 1] == after
        # A tool without that step has the place all the same.
        assert steps_of(executor.run("plain", {"number": 1})) == ["Validate arguments", "own", "Execute", "Metrics"]

    def test_of_several_the_oldest_is_first_and_each_can_be_taken_out(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(plain, steps=[pass_on])
        remove = executor.add_step(pass_on, name="second")
        executor.add_step(pass_on, name="third")
        assert steps_of(executor.run("plain", {"number": 1}))[1:4] == ["pass_on", "second", "third"]
        remove()
        assert steps_of(executor.run("plain", {"number": 1}))[1:3] == ["pass_on", "third"]

    def test_they_see_nothing_of_a_known_result_when_they_stand_behind_the_cache(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(everything, review_handler=Answers())
        executor.add_step(pass_on, before=StepKind.RATE_LIMIT, name="behind")
        executor.add_step(pass_on, before=StepKind.CACHE_LOOKUP, name="ahead")
        executor.run("everything", {"number": 1})
        steps = steps_of(executor.run("everything", {"number": 1}))
        assert ("ahead" in steps, "behind" in steps) == (True, False)

    @pytest.mark.parametrize("before", [StepKind.METRICS, StepKind.AUDIT, StepKind.CUSTOM])
    def test_other_places_are_refused_at_once(self, executor_of: ExecutorOf, before: StepKind) -> None:
        with pytest.raises(ToolConfigurationError, match=r"expected one of StepKind.PRECONDITIONS, "):
            executor_of(plain).add_step(pass_on, before=before)

    def test_what_is_no_function_is_refused_at_once(self, executor_of: ExecutorOf) -> None:
        with pytest.raises(ToolConfigurationError, match=r"async def step\(run, call_next\)"):
            executor_of(plain, steps=["pass_on"])


class TestWhatIsGivenBack:
    """Whatever ends a call, nothing that its steps took stays taken."""

    @pytest.mark.parametrize("moment", range(12))
    def test_a_call_stopped_at_any_moment_holds_nothing(self, executor_of: ExecutorOf, moment: int) -> None:
        async def slow(run: Run, call_next: Any) -> Any:
            await asyncio.sleep(0)
            response = await call_next(run)
            await asyncio.sleep(0)
            return response

        async def main() -> None:
            executor = executor_of(everything, review_handler=Answers())
            for before in (StepKind.PRECONDITIONS, StepKind.RATE_LIMIT, StepKind.BULKHEAD, StepKind.ATTEMPT):
                executor.add_step(slow, before=before)
            call, task = start(executor, "everything", {"number": 1})
            for _ in range(moment):
                await asyncio.sleep(0)
            call.cancel()
            await task
            # Two at a time find their places, and the cache waits for nobody.
            again = await asyncio.gather(*(execute(executor, "everything", {"number": 1}) for _ in range(2)))
            assert [response.result for response in again] == [2, 2]
            (bulkhead,) = (state for state in executor.guards("everything") if state.kind.value == "bulkhead")
            assert bulkhead.description == "0 of 2 places are taken"

        run(main())

    def test_an_edit_lets_go_of_the_result_that_others_wait_for(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(everything, review_handler=Answers(Edit({"number": 5}), ExitEarly("no")))
        first = executor.run("everything", {"number": 1})
        assert first.result == 10
        assert "Cache store" not in [step_title(step) for step in first.steps]
        assert executor.run("everything", {"number": 1}).status is CallStatus.DENIED
