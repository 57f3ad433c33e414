from __future__ import annotations

import asyncio
import itertools
import math
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.running import Clock, execute, run, until
from tests.tools.virtual_time import VirtualLoop, run_virtually
from tools import (
    Executor,
    GuardKind,
    RateLimit,
    RateLimitError,
    ToolConfigurationError,
    ToolRegistry,
    ToolResponse,
    rate_limit,
    resolve_tools,
    tool,
)
from tools.execution.rate_limits import TokenBucket
from tools.trace_words import step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


async def taken(bucket: TokenBucket, most: int = 100) -> int:
    """Return how many permits are free right now."""
    count = 0
    while count < most:
        try:
            await bucket.acquire()
        except RateLimitError:
            return count
        count += 1
    return count


@pytest.mark.reference("A26", "A109", "A110", "A111")
@pytest.mark.parametrize(
    ("policy", "burst", "after_s", "more"),
    [
        ({"requests": 3, "per_s": 1}, 3, 1, 3),
        ({"requests": 60, "per_s": 60, "burst_size": 2}, 2, 1, 1),
        ({"requests": 0.5, "per_s": 1}, 1, 2, 1),
        ({"burst_size": 10, "timeout_s": 60}, 10, 59, 0),
        ({"requests": 1.5, "per_s": 1}, 1, 1, 1),
        ({"burst_size": 10, "timeout_s": 60}, 10, 60, 10),
        ({"burst_size": 10, "timeout_s": 60}, 10, 6000, 10),
    ],
)
def test_both_shapes_give_a_burst_and_then_permits_at_their_rate(
    policy: dict[str, Any], burst: int, after_s: float, more: int
) -> None:
    clock = Clock()
    bucket = TokenBucket(RateLimit(**policy, throw_on_limit=True), clock)
    assert run(taken(bucket)) == burst
    clock.now_s += after_s
    assert run(taken(bucket)) == more


@pytest.mark.reference("A111")
async def test_the_message_says_the_limit_and_when_to_come_back() -> None:
    clock = Clock()
    bucket = TokenBucket(RateLimit(requests=1, per_s=10, throw_on_limit=True), clock)
    await bucket.acquire()
    clock.now_s += 4
    with pytest.raises(RateLimitError, match=r"1 call in 10 s is used up; .* in 6\.0 s") as at:
        await bucket.acquire()
    assert at.value.retry_after_s == pytest.approx(6)


@pytest.mark.reference("A26")
async def test_a_wait_that_would_be_too_long_fails_at_once() -> None:
    bucket = TokenBucket(RateLimit(requests=1, per_s=100, timeout_s=5), Clock())
    assert await bucket.acquire() == 0
    with pytest.raises(RateLimitError):
        await bucket.acquire()


@pytest.mark.reference("A26")
async def test_permits_are_given_in_the_order_they_were_asked_for() -> None:
    clock = Clock()
    bucket = TokenBucket(RateLimit(requests=100, burst_size=1, timeout_s=10), clock)
    served: list[int] = []

    async def ask(number: int) -> None:
        await bucket.acquire()
        served.append(number)

    tasks = [asyncio.create_task(ask(number)) for number in range(5)]
    for count in range(1, 6):
        await until(lambda count=count: len(served) == count)  # type: ignore[misc]
        clock.now_s += 0.01
    await asyncio.gather(*tasks)
    assert served == [0, 1, 2, 3, 4]


async def test_whoever_gives_up_loses_the_place_and_costs_nobody_a_permit() -> None:
    clock = Clock()
    bucket = TokenBucket(RateLimit(requests=100, burst_size=1, timeout_s=10), clock)
    served: list[int] = []

    async def ask(number: int) -> None:
        await bucket.acquire()
        served.append(number)

    tasks = [asyncio.create_task(ask(number)) for number in range(3)]
    await until(lambda: len(bucket._waiting) == 2)
    tasks[1].cancel()
    await asyncio.wait([tasks[1]])
    clock.now_s += 0.01
    await until(lambda: len(served) == 2)
    assert served == [0, 2]


def windows(moments: list[float], length_s: float) -> int:
    """Return the most moments that lie within any half-open window of a length."""
    moments = sorted(moments)
    most = first = 0
    for last, moment in enumerate(moments):
        while moment - moments[first] >= length_s - 1e-9:
            first += 1
        most = max(most, last - first + 1)
    return most


class TestManyCallers:
    @pytest.mark.reference("A26", "A109", "A110", "A111")
    @pytest.mark.parametrize(
        ("policy", "most", "length_s", "lasts_s"),
        [
            ({"requests": 50, "per_s": 1}, 50, 1, 9),
            ({"requests": 7, "per_s": 0.3}, 7, 0.3, 71 * 0.3),
            ({"requests": 10, "per_s": 1, "burst_size": 25}, 25, 1, 47.5),
            ({"requests": 60, "per_s": 60, "burst_size": 2}, 60, 60, 498),
            ({"requests": 2.5, "per_s": 1}, 3, 1, 199.2),
            ({"burst_size": 100, "timeout_s": 5}, 100, 5, 20),
        ],
    )
    def test_five_hundred_at_once_get_never_more_than_allowed_in_any_window_and_all_in_their_order(
        self, policy: dict[str, Any], most: int, length_s: float, lasts_s: float
    ) -> None:
        served: list[tuple[float, int]] = []

        async def work(loop: VirtualLoop) -> None:
            bucket = TokenBucket(RateLimit(**{"timeout_s": 1_000, **policy}), loop.time)

            async def ask(number: int) -> None:
                await bucket.acquire(RateLimit(requests=1, timeout_s=1_000))
                served.append((loop.time(), number))

            await asyncio.gather(*(ask(number) for number in range(500)))

        run_virtually(work)
        assert [number for _, number in served] == list(range(500))
        moments = [moment for moment, _ in served]
        assert windows(moments, length_s) == most
        # Nor is anybody kept waiting without need: the last one comes when the rate says.
        assert moments[-1] - moments[0] == pytest.approx(lasts_s, rel=0.01)

    @pytest.mark.reference("A26")
    def test_a_thousand_come_when_they_like_and_some_give_up(self) -> None:
        chance = random.Random(7)
        served: list[float] = []
        came: list[int] = []

        async def work(loop: VirtualLoop) -> None:
            bucket = TokenBucket(RateLimit(requests=20, per_s=1, burst_size=30, timeout_s=500), loop.time)

            async def ask(number: int) -> None:
                await asyncio.sleep(chance.uniform(0, 40))
                await bucket.acquire()
                served.append(loop.time())
                came.append(number)

            tasks = [asyncio.create_task(ask(number)) for number in range(1_000)]
            for task in chance.sample(tasks, 150):
                loop.call_later(chance.uniform(0, 60), task.cancel)
            await asyncio.wait(tasks)
            assert not bucket._waiting
            assert bucket._timer is None

        run_virtually(work)
        assert windows(served, 1) <= 30
        assert windows(served, 10) <= 30 + 200
        assert len(came) >= 850

    @pytest.mark.reference("A26")
    def test_five_hundred_calls_of_a_tool_start_as_the_limit_says_and_in_the_order_they_came(self) -> None:
        started: list[tuple[float, int]] = []

        async def main(loop: VirtualLoop) -> list[ToolResponse]:
            @tool
            @rate_limit(requests=40, per_s=1)
            async def work(number: int) -> int:
                started.append((loop.time(), number))
                await asyncio.sleep(3)
                return number

            executor = Executor(ToolRegistry(resolve_tools([work])), clock=loop.time)
            responses = await asyncio.gather(*(execute(executor, "work", {"number": number}) for number in range(500)))
            await executor.aclose()
            return list(responses)

        responses = run_virtually(main)
        assert [response.result for response in responses] == list(range(500))
        assert [number for _, number in started] == list(range(500))
        assert windows([moment for moment, _ in started], 1) == 40
        waits = [
            step.waiting_s for response in responses for step in response.steps if step_title(step) == "Rate limit"
        ]
        assert waits == sorted(waits)
        assert (waits[0], round(waits[-1], 3)) == (0, 12)

    def test_nobody_waits_longer_than_the_policy_says(self) -> None:
        outcomes: list[tuple[float, bool]] = []

        async def work(loop: VirtualLoop) -> None:
            bucket = TokenBucket(RateLimit(requests=2, per_s=1, burst_size=5, timeout_s=10), loop.time)
            began = loop.time()

            async def ask() -> None:
                try:
                    await bucket.acquire()
                except RateLimitError:
                    outcomes.append((loop.time() - began, False))
                else:
                    outcomes.append((loop.time() - began, True))

            await asyncio.gather(*(ask() for _ in range(100)))

        run_virtually(work)
        assert all(passed <= 10.001 for passed, _ in outcomes)
        assert sum(admitted for _, admitted in outcomes) == 25

    def test_waiting_for_a_permit_asks_the_clock_once_for_each_and_not_again_and_again(self) -> None:
        asked = 0

        async def work(loop: VirtualLoop) -> None:
            def clock() -> float:
                nonlocal asked
                asked += 1
                return loop.time()

            bucket = TokenBucket(RateLimit(requests=10, per_s=1, timeout_s=1_000), clock)
            await asyncio.gather(*(bucket.acquire() for _ in range(500)))

        run_virtually(work)
        assert asked < 500 * 6

    def test_a_clock_that_stands_still_lets_nobody_through(self) -> None:
        async def work(loop: VirtualLoop) -> int:
            clock = Clock()
            bucket = TokenBucket(RateLimit(requests=1, per_s=1, timeout_s=30), clock)
            await bucket.acquire()
            with pytest.raises(RateLimitError):
                await bucket.acquire()
            return len(bucket._waiting)

        assert run_virtually(work) == 0


LIMITS = st.one_of(
    st.builds(
        RateLimit,
        requests=st.sampled_from([0.3, 1.0, 1.5, 3.0, 7.0]),
        per_s=st.sampled_from([0.5, 1.0, 4.0]),
        burst_size=st.sampled_from([None, 1, 2, 9]),
        timeout_s=st.just(10_000.0),
    ),
    st.builds(RateLimit, burst_size=st.integers(1, 5), timeout_s=st.sampled_from([1.0, 6.0])),
)


class TestModel:
    @settings(max_examples=150)
    @given(LIMITS, st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.1, 0.5, 1.0, 3.0]), min_size=1, max_size=60))
    def test_everybody_gets_a_permit_as_soon_as_the_limit_allows_and_not_sooner(
        self, policy: RateLimit, gaps: list[float]
    ) -> None:
        patient = RateLimit(requests=1, timeout_s=1e6)
        given_at: list[float] = []
        promised: list[float] = []

        async def main(loop: VirtualLoop) -> list[float]:
            bucket = TokenBucket(policy, loop.time)

            async def ask(at: float) -> None:
                await asyncio.sleep(at)
                place = len(bucket._waiting) + 1
                promised.append(max(loop.time(), bucket._due(place)))
                await bucket.acquire(patient)
                given_at.append(loop.time())

            moments = list(itertools.accumulate(gaps))
            began = loop.time()
            await asyncio.gather(*(ask(moment) for moment in moments))
            return [began + moment for moment in moments]

        came = run_virtually(main)
        period, interval, burst, most = facts_of(policy)
        expected: list[float] = []
        full_at = 0.0
        for number, moment in enumerate(came):
            due = max([moment, full_at - (burst - 1) * interval, *expected[-1:]])
            if number >= most:
                due = max(due, expected[number - most] + period)
            full_at = max(full_at, due) + interval
            expected.append(due)
        assert given_at == pytest.approx(expected, abs=1e-4)
        # What a caller is told when refused is never more than it would have been.
        assert all(words <= real + 1e-4 for words, real in zip(promised, given_at, strict=True))
        assert windows(given_at, period - 1e-4) <= most


def facts_of(policy: RateLimit) -> tuple[float, float, int, int]:
    """Return period, seconds between permits, burst and the most in any period, as the policy's words mean them."""
    if policy.requests is None:
        assert policy.burst_size is not None
        return policy.timeout_s, policy.timeout_s / policy.burst_size, policy.burst_size, policy.burst_size
    burst = policy.burst_size or max(1, int(policy.requests))
    return policy.per_s, policy.per_s / policy.requests, burst, max(burst, math.ceil(policy.requests))


class TestSharedKeys:
    @pytest.mark.reference("A26")
    def test_tools_that_name_one_key_share_one_bucket_within_an_executor(self, executor_of: ExecutorOf) -> None:
        @tool
        @rate_limit(requests=2, per_s=60, key="search", throw_on_limit=True)
        async def one() -> int:
            return 1

        @tool
        @rate_limit(requests=2, per_s=60, key="search", timeout_s=0)
        async def two() -> int:
            return 2

        @tool
        @rate_limit(requests=2, per_s=60, throw_on_limit=True)
        async def alone() -> int:
            return 3

        executor, other = executor_of(one, two, alone), executor_of(one, two)
        statuses = [executor.run(name, {}).status for name in ("one", "two", "two", "one", "alone")]
        assert [status.value for status in statuses] == ["executed", "executed", "failed", "failed", "executed"]
        assert other.run("two", {}).succeeded

    @pytest.mark.reference("A26")
    def test_tools_that_name_one_key_with_different_limits_are_both_named(self, executor_of: ExecutorOf) -> None:
        def declared(name: str, requests: int) -> Any:
            async def work() -> None: ...

            work.__name__ = name
            return tool(rate_limit(requests=requests, key="search")(work))

        executor = executor_of(declared("first", 2), declared("second", 3))
        assert executor.run("first", {}).succeeded
        call = executor.create_call("second", {})
        with pytest.raises(ToolConfigurationError) as caught:
            run(executor.execute(call))
        assert str(caught.value) == (
            "the tools 'first' and 'second' share the rate limit 'search', but declare different ones: 2 calls in 1 s"
            " and 3 calls in 1 s; declare the same, or name different keys"
        )
        undo = executor.registry.register_all(resolve_tools([declared("third", 2)]))
        assert executor.run("third", {}).succeeded
        undo()

    def test_a_key_may_mean_another_limit_when_its_tools_are_gone(self, executor_of: ExecutorOf) -> None:
        executor = executor_of()
        for requests in (2, 3):

            @tool
            @rate_limit(requests=requests, per_s=60, key="search", throw_on_limit=True)
            async def work() -> None: ...

            undo = executor.registry.register_all(resolve_tools([work]))
            assert [executor.run("work", {}).succeeded for _ in range(5)].count(True) == requests
            undo()


class TestState:
    def test_a_bucket_says_whether_a_permit_is_free_and_who_waits(self) -> None:
        async def work(loop: VirtualLoop) -> None:
            bucket = TokenBucket(RateLimit(requests=1, per_s=10), loop.time)
            assert bucket.state[:3] == (GuardKind.RATE_LIMIT, "free", "at most 1 call in 10 s")
            await bucket.acquire()
            waiting = asyncio.create_task(bucket.acquire())
            await asyncio.sleep(4)
            assert bucket.state.state == "full"
            assert bucket.state.waiting == 1
            assert bucket.state.description == (
                "the rate limit of 1 call in 10 s is used up; the next permit is free in 6.0 s"
            )
            assert await waiting == pytest.approx(10)

        run_virtually(work)
