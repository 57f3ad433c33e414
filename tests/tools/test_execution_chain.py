from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import Answers, Recorder, execute, run, steps_of, until
from tools import (
    CallStatus,
    ExitEarly,
    GuardChanged,
    ToolContext,
    ToolRegistry,
    ToolResponse,
    ToolResult,
    cached,
    contract,
    make_tool,
    rate_limit,
    resilience,
    resolve_tools,
    retry,
    security,
    tool,
)
from tools.calls import Event, Logged, Progressed, StepOutcome
from tools.execution.attempts import accept
from tools.execution.chain import compile_chain
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf
    from tools import Run

ELEVEN = [
    "Validate arguments",
    "Preconditions",
    "Cache lookup",
    "Rate limit",
    "Security check",
    "Execute, attempt 1",
    "Postconditions",
    "Audit",
    "Cache store",
    "Metrics",
    "Listeners (1)",
]


@tool(timeout_s=5)
@retry(max_attempts=2)
@rate_limit(requests=1000)
@cached()
@security(approval_required=True, allowed_callers=["you"])
@contract(pre="number > 0", post="result > 0")
async def everything(number: int) -> int:
    """Have every policy."""
    await asyncio.sleep(0)
    return number * 2


@tool
async def nothing(number: int) -> int:
    """Have no policy."""
    return number * 2


@tool
async def talkative(ctx: ToolContext) -> str:
    """Log and report."""
    ctx.log("info", "one")
    ctx.progress(1, 2, "half")
    await ctx.request_approval("Go on?")
    return "done"


class TestOrder:
    @pytest.mark.reference("A41", "A30", "A31", "A32", "A33", "A34", "A35", "A36", "A37", "A38", "A39", "A40")
    def test_the_eleven_steps_run_in_their_order_each_timed(self, executor_of: ExecutorOf) -> None:
        response = executor_of(everything, review_handler=Answers(), listeners=[Recorder()]).run(
            "everything", {"number": 3}
        )
        assert response.result == 6
        assert steps_of(response) == ELEVEN
        starts = [step.started_s for step in response.steps]
        assert starts == sorted(starts)
        assert all(step.elapsed_s >= 0 for step in response.steps)
        assert [step.kind.in_tool for step in response.steps] == [name.startswith("Execute") for name in ELEVEN]
        last = response.steps[-1]
        assert response.elapsed_s <= last.started_s + last.elapsed_s

    @pytest.mark.reference("A41")
    def test_steps_that_are_not_declared_do_not_exist(self, executor_of: ExecutorOf) -> None:
        response = executor_of(nothing).run("nothing", {"number": 3})
        assert steps_of(response) == ["Validate arguments", "Execute", "Metrics"]
        assert compile_chain(resolve_tools([nothing])[0]).steps == (accept,)

    @pytest.mark.reference("A32", "A34", "A38")
    def test_a_cached_hit_skips_from_the_lookup_to_the_audit_and_asks_nobody(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers()
        executor = executor_of(everything, review_handler=reviewer, listeners=[Recorder()])
        executor.run("everything", {"number": 3})
        response = executor.run("everything", {"number": 3})
        assert (response.result, response.from_cache, len(response.attempts)) == (6, True, 0)
        assert steps_of(response) == [*ELEVEN[:3], "Audit", "Metrics", "Listeners (1)"]
        assert step_detail(response.steps[2]) == "hit"
        assert len(reviewer.requests) == 1
        assert executor.metrics.numbers("everything").cache_hits == 1

    @pytest.mark.reference("A31", "A29")
    def test_who_may_call_is_checked_before_the_cache_answers(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(everything, review_handler=Answers())
        executor.run("everything", {"number": 3})
        response = run(execute(executor, "everything", {"number": 3}, caller="agent:b"))
        assert response.status is CallStatus.DENIED
        assert response.text == "'agent:b' may not call 'everything'; it admits you"
        assert steps_of(response) == ["Validate arguments", "Preconditions", "Audit", "Metrics"]

    def test_what_fails_ends_the_way_to_the_tool_but_not_the_way_back(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(everything, review_handler=Answers(ExitEarly("no")))
        response = executor.run("everything", {"number": 3})
        assert response.status is CallStatus.DENIED
        assert steps_of(response) == [*ELEVEN[:5], "Audit", "Cache store", "Metrics"]
        outcomes = {step_title(step): step.outcome for step in response.steps}
        assert outcomes["Security check"] is StepOutcome.DENIED
        assert outcomes["Cache store"] is StepOutcome.SKIPPED

    def test_a_tool_registered_later_gets_its_chain_and_loses_it_with_its_name(self, executor_of: ExecutorOf) -> None:
        executor = executor_of()
        undo = executor.registry.register(resolve_tools([nothing])[0])
        assert executor.run("nothing", {"number": 1}).result == 2
        undo()
        executor.registry.register(make_tool("nothing", "Be another.", lambda number: 0))
        assert executor.run("nothing", {"number": 1}).result == 0

    def test_a_clause_that_means_nothing_is_told_at_the_first_call_and_harms_no_other_tool(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool
        @contract(pre="open('x')")
        def odd() -> None: ...

        executor = executor_of(odd, nothing)
        assert executor.run("nothing", {"number": 1}).result == 2
        call = executor.create_call("odd", {})
        with pytest.raises(Exception, match=r"calls 'open'; an expression may call abs, all"):
            run(executor.execute(call))
        assert call.response.status is CallStatus.FAILED

    def test_a_broken_step_on_the_way_back_loses_nothing(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def broken(run: Run, call_next: Any) -> None:
            await call_next(run)
            raise OSError("disk full")

        executor = executor_of(everything, review_handler=Answers(), steps=[broken])
        response = executor.run("everything", {"number": 3})
        assert (response.status, response.text) == (CallStatus.FAILED, "Error: disk full")
        assert "a step after the call 1 failed" in caplog.text
        assert {"Audit", "Cache store"} <= set(steps_of(response))


class TestEvents:
    @pytest.mark.reference("A40")
    def test_events_come_in_the_order_of_a_calls_life(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        executor = executor_of(talkative, review_handler=Answers(), listeners=[recorder])
        response = executor.run("talkative", {})
        assert response.text == "done"
        assert recorder.names == [
            "CallProposed",
            "CallStarted",
            "Logged",
            "Progressed",
            "ReviewAsked",
            "ReviewDecided",
            "StepFinished",
            "CallFinished",
        ]
        assert {event.call.id for event in recorder.events if not isinstance(event, GuardChanged)} == {"1"}

    def test_a_refused_call_is_proposed_and_finished(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        executor_of(nothing, listeners=[recorder]).run("nothing", {"number": "x"})
        assert recorder.names == ["CallProposed", "CallFinished"]

    def test_a_listener_names_the_events_it_wants(self, executor_of: ExecutorOf) -> None:
        class Logs(Recorder):
            wants = (Logged, Progressed)

        logs, others = Logs(), Recorder()
        executor = executor_of(talkative, listeners=[logs])
        remove = executor.add_listener(others)
        executor.run("talkative", {})
        remove()
        response = executor.run("talkative", {})
        assert logs.names == ["Logged", "Progressed"] * 2
        assert others.names.count("CallFinished") == 1
        assert steps_of(response)[-1] == "Metrics"

    @pytest.mark.expects_log("tools.execution")
    def test_a_listener_that_raises_harms_nothing(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()

        def broken(event: Event) -> None:
            raise ValueError(f"no {type(event).__name__}")

        response = executor_of(talkative, listeners=[broken, recorder]).run("talkative", {})
        assert response.text == "done"
        assert recorder.names[-1] == "CallFinished"

    @pytest.mark.reference("E19", "E22", "E23")
    def test_a_call_goes_through_its_statuses_and_its_time_is_recorded(self, executor_of: ExecutorOf) -> None:
        seen: list[tuple[str, CallStatus]] = []

        def listener(event: Event) -> None:
            if not isinstance(event, GuardChanged | Logged | Progressed):
                seen.append((type(event).__name__, event.call.response.status))

        executor = executor_of(talkative, review_handler=Answers(), listeners=[listener])
        call = executor.create_call("talkative", {})
        assert (call.response.status, call.response.text) == (CallStatus.PENDING, "")
        run(executor.execute(call))
        assert seen == [
            ("CallProposed", CallStatus.PENDING),
            ("CallStarted", CallStatus.EXECUTING),
            ("ReviewAsked", CallStatus.WAITING_FOR_REVIEW),
            ("ReviewDecided", CallStatus.EXECUTING),
            ("StepFinished", CallStatus.EXECUTING),
            ("CallFinished", CallStatus.EXECUTED),
        ]
        assert call.response.elapsed_s > 0


class TestContracts:
    @pytest.mark.reference("A31")
    def test_a_precondition_that_fails_keeps_the_tool_from_running_and_shows_the_values(
        self, executor_of: ExecutorOf
    ) -> None:
        ran: list[int] = []

        @tool
        @contract(pre=["number > 0", "number < limit"])
        def work(number: int, limit: int = 10) -> int:
            ran.append(number)
            return number

        executor = executor_of(work)
        response = executor.run("work", {"number": 12})
        assert response.status is CallStatus.FAILED
        assert response.text == ("Error: the precondition 'number < limit' does not hold (limit = 10, number = 12)")
        assert ran == []
        assert executor.run("work", {"number": 2}).result == 2

    @pytest.mark.reference("A36")
    def test_a_postcondition_turns_a_bad_result_into_a_failure(self, executor_of: ExecutorOf) -> None:
        @tool
        @contract(post="result > number")
        def work(number: int) -> int:
            return number

        @tool
        @contract(post=lambda result: result.output != "bad")
        def told() -> ToolResult:
            return ToolResult.ok("bad")

        executor = executor_of(work, told)
        response = executor.run("work", {"number": 5})
        assert (response.status, response.text) == (
            CallStatus.FAILED,
            "Error: the postcondition 'result > number' does not hold (number = 5, result = 5)",
        )
        assert executor.run("told", {}).text.startswith("Error: the postcondition '<lambda>' does not hold")

    def test_invariants_are_checked_before_and_after(self, executor_of: ExecutorOf) -> None:
        checked: list[list[str]] = []

        def holds(words: list[str]) -> bool:
            checked.append(list(words))
            return len(words) < 2

        @tool
        @contract(invariants=holds)
        def work(words: list[str]) -> str:
            words.append("more")
            return "done"

        response = executor_of(work).run("work", {"words": ["one"]})
        assert checked == [["one"], ["one", "more"]]
        assert response.text == "Error: the invariant 'holds' does not hold (words = ['one', 'more'])"


class TestRateLimits:
    @pytest.mark.reference("A33", "A111")
    def test_a_limit_that_throws_says_when_to_come_back(self, executor_of: ExecutorOf) -> None:
        @tool
        @rate_limit(requests=1, per_s=60, throw_on_limit=True)
        def work() -> int:
            return 1

        executor = executor_of(work)
        assert executor.run("work", {}).result == 1
        response = executor.run("work", {})
        assert response.status is CallStatus.FAILED
        assert response.text.startswith(
            "Error: the rate limit of 1 call in 60 s is used up; the next permit is free in"
        )
        assert response.error is not None
        assert response.error.remedy.startswith("Try again in")

    @pytest.mark.reference("A26", "A33")
    def test_a_limit_that_waits_says_how_long_it_did(self, executor_of: ExecutorOf) -> None:
        @tool
        @rate_limit(requests=200, burst_size=1)
        def work() -> int:
            return 1

        now = 0.0
        executor = executor_of(work, clock=lambda: now)

        async def one_after_the_other() -> list[ToolResponse]:
            nonlocal now
            calls = [asyncio.create_task(execute(executor, "work")) for _ in range(3)]
            for passed in range(1, 3):
                await until(lambda passed=passed: sum(task.done() for task in calls) == passed)  # type: ignore[misc]
                now += 0.005
            return list(await asyncio.gather(*calls))

        responses = run(one_after_the_other())
        steps = [step for response in responses for step in response.steps if step_title(step) == "Rate limit"]
        assert [step.outcome for step in steps] == [StepOutcome.OK, StepOutcome.WAITED, StepOutcome.WAITED]
        assert [round(step.waiting_s, 6) for step in steps] == [0, 0.005, 0.01]


def test_policies_of_any_subset_compile() -> None:
    decorators: list[Any] = [cached(), rate_limit(requests=1), contract(post="True"), resilience(timeout_s=1)]
    for chosen in range(2 ** len(decorators)):

        def work(number: int) -> int:
            return number

        for index, decorator in enumerate(decorators):
            if chosen >> index & 1:
                decorator(work)
        registry = ToolRegistry(resolve_tools([tool(work)]))
        assert compile_chain(registry.get("work")).tool.name == "work"
