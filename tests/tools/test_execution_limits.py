from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.tools.running import run, until
from tools import RateLimit, RateLimitError
from tools.execution.limits import TokenBucket


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


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
    clock.now += after_s
    assert run(taken(bucket)) == more


@pytest.mark.reference("A111")
def test_the_message_says_the_limit_and_when_to_come_back() -> None:
    clock = Clock()

    async def work() -> None:
        bucket = TokenBucket(RateLimit(requests=1, per_s=10, throw_on_limit=True), clock)
        await bucket.acquire()
        clock.now += 4
        with pytest.raises(RateLimitError, match=r"1 calls in 10 s is used up; .* in 6\.0 s") as at:
            await bucket.acquire()
        assert at.value.retry_after_s == pytest.approx(6)

    run(work())


@pytest.mark.reference("A26")
def test_a_wait_that_would_be_too_long_fails_at_once() -> None:
    async def work() -> None:
        bucket = TokenBucket(RateLimit(requests=1, per_s=100, timeout_s=5), Clock())
        assert await bucket.acquire() == 0
        with pytest.raises(RateLimitError):
            await bucket.acquire()

    run(work())


@pytest.mark.reference("A26")
def test_permits_are_given_in_the_order_they_were_asked_for() -> None:
    async def work() -> list[int]:
        clock = Clock()
        bucket = TokenBucket(RateLimit(requests=100, burst_size=1, timeout_s=10), clock)
        served: list[int] = []

        async def ask(number: int) -> None:
            await bucket.acquire()
            served.append(number)

        tasks = [asyncio.create_task(ask(number)) for number in range(5)]
        for count in range(1, 6):
            await until(lambda count=count: len(served) == count)  # type: ignore[misc]
            clock.now += 0.01
        await asyncio.gather(*tasks)
        return served

    assert run(work()) == [0, 1, 2, 3, 4]


def test_whoever_gives_up_loses_the_place_and_costs_nobody_a_permit() -> None:
    async def work() -> list[int]:
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
        clock.now += 0.01
        await until(lambda: len(served) == 2)
        return served

    assert run(work()) == [0, 2]
