from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.tools.running import Answers, Recorder, execute, run, start, steps_of, until
from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    CallStatus,
    CircuitBreaker,
    Continue,
    DeniedError,
    Executor,
    ExitEarly,
    GuardChanged,
    GuardKind,
    GuardState,
    Retry,
    ToolContext,
    ToolFailure,
    ToolNotFoundError,
    ToolRegistry,
    ToolResponse,
    ToolResult,
    UnavailableError,
    cached,
    contract,
    rate_limit,
    resilience,
    resolve_tools,
    security,
    tool,
)
from tools.calls import ErrorKind, StepOutcome
from tools.execution.breaker import Breaker, BreakerToken
from tools.execution.clocks import Clocks
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wall(self) -> datetime:
        return NOON + timedelta(seconds=self.now - 100)

    @property
    def clocks(self) -> Clocks:
        return Clocks(self, self.wall)


def refused(breaker: Breaker) -> str:
    with pytest.raises(UnavailableError) as caught:
        breaker.admit()
    return str(caught.value)


def opened(clock: Clock, **policy: Any) -> Breaker:
    breaker = Breaker("work", CircuitBreaker(failure_threshold=2, cooldown_s=30, **policy), clock.clocks)
    for _ in range(2):
        breaker.settle(breaker.admit(), failed=True, failure="boom")
    return breaker


class TestBreaker:
    @pytest.mark.reference("A23")
    def test_failures_within_the_window_open_it_and_older_ones_do_not_count(self) -> None:
        clock = Clock()
        breaker = Breaker("work", CircuitBreaker(failure_threshold=3, window_s=60), clock.clocks)
        for _ in range(2):
            breaker.settle(breaker.admit(), failed=True, failure="boom")
        clock.now += 60
        breaker.settle(breaker.admit(), failed=True, failure="boom")
        assert breaker.state[:2] == (GuardKind.CIRCUIT_BREAKER, "closed")
        assert breaker.state.description == "1 of 3 failures within 60 s"
        breaker.settle(breaker.admit(), failed=False)
        for _ in range(2):
            breaker.settle(breaker.admit(), failed=True, failure="bang")
        assert breaker.state == GuardState(
            GuardKind.CIRCUIT_BREAKER,
            "open",
            "its circuit breaker opened just now, because it kept failing, the last time just now with 'bang';"
            " a trial call is admitted in 30 s",
            "bang",
            3,
            since=NOON + timedelta(seconds=60),
            until=NOON + timedelta(seconds=90),
        )
        assert breaker.state.until == NOON + timedelta(seconds=90)
        assert breaker.state.refuses

    @pytest.mark.reference("A23")
    def test_an_open_one_says_since_when_why_and_until_when(self) -> None:
        clock = Clock()
        breaker = opened(clock)
        clock.now += 6
        assert refused(breaker) == (
            "'work' was not started: its circuit breaker opened 6.0 s ago, because it kept failing, the last time 6.0 s"
            " ago with 'boom'; a trial call is admitted in 24 s"
        )
        with pytest.raises(UnavailableError) as caught:
            breaker.check()
        assert caught.value.retry_after_s == 24
        assert caught.value.remedy.startswith("Wait for the next trial call, or reset")

    @pytest.mark.reference("A23")
    def test_half_open_it_admits_one_trial_and_a_success_closes_it(self) -> None:
        clock = Clock()
        breaker = opened(clock)
        clock.now += 30
        assert breaker.state.state == "half_open"
        breaker.check()
        trial = breaker.admit()
        assert trial.is_probe
        assert refused(breaker).endswith("a trial call is under way")
        breaker.settle(trial, failed=False)
        assert breaker.state.state == "closed"
        assert breaker.state.failures == 0
        assert not breaker.admit().is_probe

    @pytest.mark.reference("A23")
    def test_each_trial_that_fails_lengthens_the_pause_up_to_its_limit(self) -> None:
        clock = Clock()
        breaker = opened(clock, cooldown_multiplier=3, max_cooldown_s=200)
        pauses = []
        for _ in range(4):
            until_ = breaker.state.until
            assert until_ is not None
            pauses.append((until_ - clock.wall()).total_seconds())
            clock.now += pauses[-1]
            breaker.settle(breaker.admit(), failed=True, failure="boom")
        assert pauses == [30, 90, 200, 200]
        clock.now += 200
        breaker.settle(breaker.admit(), failed=False)
        for _ in range(2):
            breaker.settle(breaker.admit(), failed=True)
        assert breaker.state.until == clock.wall() + timedelta(seconds=30)

    def test_a_trial_that_says_nothing_gives_its_place_to_the_next(self) -> None:
        clock = Clock()
        breaker = opened(clock)
        clock.now += 30
        breaker.settle(breaker.admit(), failed=None)
        assert breaker.state.state == "half_open"
        breaker.settle(breaker.admit(), failed=False)
        assert breaker.state.state == "closed"

    def test_what_was_admitted_before_it_opened_neither_closes_nor_lengthens_it(self) -> None:
        clock = Clock()
        breaker = Breaker("work", CircuitBreaker(failure_threshold=2, cooldown_s=30), clock.clocks)
        slow = [breaker.admit() for _ in range(4)]
        for ticket in slow[:2]:
            breaker.settle(ticket, failed=True)
        breaker.settle(slow[2], failed=False)
        clock.now += 30
        breaker.settle(slow[3], failed=True)
        assert breaker.state.state == "half_open"
        assert breaker.admit().is_probe

    @pytest.mark.reference("A23")
    def test_a_person_closes_it_and_the_trial_of_before_changes_nothing_more(self) -> None:
        clock = Clock()
        changes: list[GuardState] = []
        breaker = Breaker("work", CircuitBreaker(failure_threshold=1, cooldown_s=1), clock.clocks, changes.append)
        assert breaker.reset() is False
        breaker.settle(breaker.admit(), failed=True)
        clock.now += 1
        trial = breaker.admit()
        assert breaker.reset() is True
        breaker.settle(trial, failed=True)
        assert [change.state for change in changes] == ["open", "half_open", "closed"]
        assert breaker.state.state == "closed"


class Machine(RuleBasedStateMachine):
    """Drive a breaker by any events and compare it with a model that keeps every failure and counts in the open."""

    THRESHOLD, WINDOW, COOLDOWN, MULTIPLIER, LONGEST = 3, 10.0, 4.0, 2.0, 14.0

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        policy = CircuitBreaker(
            failure_threshold=self.THRESHOLD,
            window_s=self.WINDOW,
            cooldown_s=self.COOLDOWN,
            cooldown_multiplier=self.MULTIPLIER,
            max_cooldown_s=self.LONGEST,
        )
        self.breaker = Breaker("work", policy, self.clock.clocks)
        self.running: list[tuple[BreakerToken, int]] = []
        # The model: when it opened (None while closed), how long it stays so, what failed while closed.
        self.opened_at: float | None = None
        self.cooldown = 0.0
        self.failures: list[float] = []
        self.era = 0
        self.trial = False

    def may_start(self) -> bool:
        if self.opened_at is None:
            return True
        return not self.trial and self.clock.now >= self.opened_at + self.cooldown

    def open(self, cooldown: float) -> None:
        self.era += 1
        self.trial = False
        self.opened_at, self.cooldown = self.clock.now, min(cooldown, self.LONGEST)

    def close(self) -> None:
        self.era += 1
        self.trial = False
        self.opened_at = None
        self.failures = []

    @rule(seconds=st.sampled_from([0.0, 0.5, 1.0, 3.0, 4.0, 8.0, 14.0, 30.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def a_call_comes(self) -> None:
        expected = self.may_start()
        try:
            ticket = self.breaker.admit()
        except UnavailableError:
            assert not expected
            return
        assert expected
        assert ticket.is_probe == (self.opened_at is not None)
        self.trial = self.trial or ticket.is_probe
        self.running.append((ticket, self.era))

    @precondition(lambda self: self.running)
    @rule(data=st.data(), failed=st.sampled_from([True, True, False, None]))
    def a_call_ends(self, data: st.DataObject, failed: bool | None) -> None:
        ticket, era = self.running.pop(data.draw(st.integers(0, len(self.running) - 1)))
        self.breaker.settle(ticket, failed=failed, failure="boom")
        if era != self.era:
            return
        if ticket.is_probe:
            if failed is None:
                self.trial = False
            elif failed:
                self.open(self.cooldown * self.MULTIPLIER)
            else:
                self.close()
        elif failed:
            self.failures.append(self.clock.now)
            recent = [moment for moment in self.failures if moment > self.clock.now - self.WINDOW]
            if len(recent) >= self.THRESHOLD:
                self.open(self.COOLDOWN)

    @rule()
    def a_person_resets_it(self) -> None:
        assert self.breaker.reset() == (self.opened_at is not None)
        if self.opened_at is not None:
            self.close()
        self.failures = []

    @invariant()
    def they_agree(self) -> None:
        state = self.breaker.state
        if self.opened_at is None:
            recent = [moment for moment in self.failures if moment > self.clock.now - self.WINDOW]
            assert (state.state, state.failures, state.until) == ("closed", len(recent), None)
            return
        assert state.state == ("half_open" if self.trial or self.may_start() else "open")
        assert state.until is not None
        until_s = (state.until - self.clock.wall()).total_seconds() + self.clock.now
        assert until_s == pytest.approx(self.opened_at + self.cooldown)
        assert sum(ticket.is_probe and era == self.era for ticket, era in self.running) <= 1


TestModel = Machine.TestCase
TestModel.settings = settings(max_examples=120, stateful_step_count=40)


def moody(**policy: Any) -> tuple[Any, list[Any]]:
    """Return a tool that does what the list says next, then succeeds."""
    moods: list[Any] = []

    @tool
    @resilience(circuit_breaker=CircuitBreaker(failure_threshold=2, cooldown_s=30, **policy))
    async def work() -> str:
        await asyncio.sleep(0)
        mood = moods.pop(0) if moods else None
        if isinstance(mood, BaseException):
            raise mood
        if isinstance(mood, ToolResult):
            return mood  # type: ignore[return-value]
        return "done"

    return work, moods


def state_of(executor: Executor, name: str = "work") -> GuardState:
    (state,) = (guard for guard in executor.guards(name) if guard.kind is GuardKind.CIRCUIT_BREAKER)
    return state


class TestInTheChain:
    @pytest.mark.reference("A23")
    def test_a_tool_that_keeps_failing_is_not_started_any_more_and_is_tried_again_later(
        self, executor_of: ExecutorOf
    ) -> None:
        declared, moods = moody()
        clock, recorder = Clock(), Recorder()
        executor = executor_of(declared, clock=clock, listeners=[recorder])
        moods += [ToolFailure("boom"), ToolResult.failure("bang"), "never reached"]
        assert [executor.run("work", {}).text for _ in range(2)] == ["Error: boom", "Error: bang"]
        response = executor.run("work", {})
        assert response.status is CallStatus.FAILED
        assert response.error is not None
        assert response.error.kind is ErrorKind.UNAVAILABLE
        assert response.text.startswith("Error: 'work' was not started: its circuit breaker opened just now")
        assert "with 'bang'" in response.text
        assert "reset the circuit breaker" in response.error.remedy
        assert (len(response.attempts), moods) == (0, ["never reached"])
        assert steps_of(response) == ["Validate arguments", "Circuit breaker", "Metrics", "Listeners (1)"]
        clock.now += 30
        response = executor.run("work", {})
        assert response.text == "done"
        assert [step_detail(step) for step in response.steps if step_title(step) == "Circuit breaker"] == ["trial call"]
        changes = [event for event in recorder.events if isinstance(event, GuardChanged)]
        assert [(event.tool_name, event.guard.state) for event in changes] == [
            ("work", "open"),
            ("work", "half_open"),
            ("work", "closed"),
        ]

    @pytest.mark.reference("A23")
    def test_of_many_calls_at_once_exactly_one_is_the_trial(self, executor_of: ExecutorOf) -> None:
        gate = asyncio.Event()
        started: list[int] = []
        broken = True

        @tool
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1, cooldown_s=30))
        async def work() -> str:
            if broken:
                raise ToolFailure("boom")
            started.append(1)
            await gate.wait()
            return "done"

        clock = Clock()

        async def main() -> list[ToolResponse]:
            nonlocal broken
            await execute(executor, "work")
            broken = False
            clock.now += 30
            calls = [asyncio.create_task(execute(executor, "work")) for _ in range(50)]
            await until(lambda: sum(call.done() for call in calls) == 49)
            assert started == [1]
            gate.set()
            return list(await asyncio.gather(*calls))

        executor = executor_of(work, clock=clock)
        statuses = [response.status for response in run(main())]
        assert statuses.count(CallStatus.EXECUTED) == 1
        assert statuses.count(CallStatus.FAILED) == 49

    @pytest.mark.reference("A23")
    def test_a_trial_that_is_stopped_gives_its_place_back(self, executor_of: ExecutorOf) -> None:
        moods = ["fail", "hang", "work"]

        @tool
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1, cooldown_s=30))
        async def work() -> str:
            mood = moods.pop(0)
            if mood == "fail":
                raise ToolFailure("boom")
            if mood == "hang":
                await asyncio.Event().wait()
            return "done"

        clock = Clock()

        async def main() -> tuple[ToolResponse, ToolResponse]:
            await execute(executor, "work")
            clock.now += 30
            call, task = start(executor, "work")
            await until(lambda: moods == ["work"])
            call.cancel()
            return await task, await execute(executor, "work")

        executor = executor_of(work, clock=clock)
        stopped, trial = run(main())
        assert (stopped.status, trial.text) == (CallStatus.CANCELLED, "done")
        assert state_of(executor).state == "closed"

    def test_only_what_the_tool_did_counts(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(allowed_callers=["you"])
        @contract(pre="number < 10")
        @rate_limit(requests=9, per_s=60, throw_on_limit=True)
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1, ignore=(KeyError,)))
        async def work(number: int, ctx: ToolContext) -> str:
            if number == 1:
                raise KeyError("ignored")
            if isinstance(await ctx.request_approval("May I?"), ExitEarly):
                raise DeniedError("a person said no")
            return "done"

        executor = executor_of(work, review_handler=Answers(ExitEarly("no")))
        outcomes = [
            run(execute(executor, "work", {"number": 5}, caller="agent:x")).status,
            executor.run("work", {"number": "x"}).status,
            executor.run("work", {"number": 11}).status,
            executor.run("work", {"number": 1}).status,
            executor.run("work", {"number": 2}).status,
        ]
        assert [status.value for status in outcomes] == ["denied", "rejected", "failed", "failed", "denied"]
        assert state_of(executor).failures == 0
        for _ in range(9):
            executor.run("work", {"number": 2})
        assert state_of(executor).state == "closed"

    def test_a_broken_promise_and_a_passed_limit_count_and_retries_count_once(self, executor_of: ExecutorOf) -> None:
        @tool
        @contract(post="result > 0")
        @resilience(
            circuit_breaker=CircuitBreaker(failure_threshold=2), timeout_s=0.005, retry=Retry(initial_delay_s=0)
        )
        async def work(number: int) -> int:
            if number == 0:
                await asyncio.Event().wait()
            return number

        executor = executor_of(work)
        assert len(executor.run("work", {"number": 0}).attempts) == 3
        assert state_of(executor).failures == 1
        executor.run("work", {"number": -1})
        assert state_of(executor).state == "open"
        assert "the postcondition 'result > 0' does not hold" in state_of(executor).last_failure

    def test_a_person_is_not_asked_about_a_call_that_would_not_start_and_no_permit_is_spent(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool(requires_confirmation=True)
        @rate_limit(requests=2, per_s=60, throw_on_limit=True)
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1, cooldown_s=30))
        async def work() -> str:
            if len(reviewer.requests) == 1:
                raise ToolFailure("boom")
            return "done"

        reviewer, clock = Answers(), Clock()
        executor = executor_of(work, review_handler=reviewer, clock=clock)
        executor.run("work", {})
        for _ in range(5):
            assert len(executor.run("work", {}).attempts) == 0
        assert len(reviewer.requests) == 1
        clock.now += 30
        assert executor.run("work", {}).text == "done"

    def test_a_breaker_that_opens_while_a_person_thinks_refuses_after_the_answer(self, executor_of: ExecutorOf) -> None:
        class Slow(Answers):
            async def review(self, request: Any, /) -> Any:
                if not self.requests:
                    self.requests.append(request)
                    await until(lambda: state_of(executor).state == "open")
                    return Continue()
                return await super().review(request)

        reviewer = Slow()

        @tool(requires_confirmation=True)
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1))
        async def work() -> str:
            raise ToolFailure("boom")

        async def main() -> ToolResponse:
            _, first = start(executor, "work")
            await until(lambda: bool(reviewer.requests))
            await execute(executor, "work")
            response: ToolResponse = await first
            return response

        executor = executor_of(work, review_handler=reviewer)
        response = run(main())
        assert len(response.attempts) == 0
        assert steps_of(response) == ["Validate arguments", "Security check", "Circuit breaker", "Metrics"]

    def test_a_known_result_is_given_out_although_it_is_open(self, executor_of: ExecutorOf) -> None:
        declared, moods = moody()
        executor = executor_of(cached()(declared))
        assert executor.run("work", {}).text == "done"
        moods += [ToolFailure("boom"), ToolFailure("boom")]
        for _ in range(2):
            run(execute(executor, "work", bypass_cache=True))
        assert state_of(executor).state == "open"
        response = executor.run("work", {})
        assert (response.text, response.from_cache) == ("done", True)

    @pytest.mark.reference("A23")
    def test_it_is_reset_by_hand_for_one_tool_or_all(self, executor_of: ExecutorOf) -> None:
        declared, moods = moody()
        executor = executor_of(declared)
        for name in ("work", None):
            moods += [ToolFailure("boom"), ToolFailure("boom")]
            for _ in range(2):
                executor.run("work", {})
            assert state_of(executor).refuses
            assert executor.reset_guards(name) == 1
            assert state_of(executor).state == "closed"
            assert executor.run("work", {}).text == "done"
        assert executor.reset_guards() == 0
        assert executor.guards("WORK") == executor.guards("work")
        with pytest.raises(ToolNotFoundError):
            executor.reset_guards("wrok")

    def test_a_reload_is_no_way_round_it_unless_the_policy_changed(self, executor_of: ExecutorOf) -> None:
        declared, moods = moody()
        executor = executor_of()
        undo = executor.registry.register_all(resolve_tools([declared]))
        moods += [ToolFailure("boom"), ToolFailure("boom")]
        for _ in range(2):
            executor.run("work", {})
        undo()
        again, _ = moody()
        undo = executor.registry.register_all(resolve_tools([again]))
        assert state_of(executor).state == "open"
        assert len(executor.run("work", {}).attempts) == 0
        undo()
        other, _ = moody(window_s=5)
        executor.registry.register_all(resolve_tools([other]))
        assert executor.run("work", {}).text == "done"

    def test_a_tool_that_hides_what_it_works_on_hides_what_it_failed_with(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(sensitive=True)
        @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1))
        async def work() -> str:
            raise ToolFailure("s3cret")

        executor = executor_of(work)
        executor.run("work", {})
        assert "s3cret" not in str(executor.guards("work"))
        assert "s3cret" not in executor.run("work", {}).text

    def test_the_end_of_the_pause_is_told_by_itself(self) -> None:
        recorder = Recorder()
        declared, moods = moody()
        moods += [ToolFailure("boom"), ToolFailure("boom")]

        async def work(loop: VirtualLoop) -> None:
            executor = Executor(ToolRegistry(resolve_tools([declared])), listeners=[recorder], clock=loop.time)
            for _ in range(2):
                await execute(executor, "work")
            await asyncio.sleep(31)
            await executor.aclose()

        run_virtually(work)
        told = [event.guard.state for event in recorder.events if isinstance(event, GuardChanged)]
        assert told == ["open", "half_open"]

    def test_the_step_is_in_the_trace_and_absent_without_one(self, executor_of: ExecutorOf) -> None:
        declared, _ = moody()
        response = executor_of(declared).run("work", {})
        (step,) = (step for step in response.steps if step_title(step) == "Circuit breaker")
        assert (step.outcome, step_detail(step)) == (StepOutcome.OK, "closed")
