"""A fair token bucket for one tool."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic

from tools.errors import RateLimitError
from tools.spec import RateLimit


class TokenBucket:
    """Hand out permits at a rate, with bursts, in the order they are asked for.

    Args:
        policy: The limit.
        clock: Seconds that only grow.
    """

    def __init__(self, policy: RateLimit, clock: Callable[[], float] = monotonic) -> None:
        self._policy = policy
        self._clock = clock
        if policy.requests is not None:
            self._rate = policy.requests / policy.per_s
            self._capacity = float(policy.burst_size or max(1.0, policy.requests))
        else:
            burst = policy.burst_size or 1
            self._rate = burst / max(policy.timeout_s, 1e-9)
            self._capacity = float(burst)
        self._tokens = self._capacity
        self._updated = clock()
        self._waiting: deque[object] = deque()

    async def acquire(self) -> float:
        """Take a permit.

        Returns:
            Seconds spent waiting for it.

        Raises:
            RateLimitError: When none is free, or will be in time; it says how long to wait.
        """
        self._refill()
        if self._tokens >= 1 and not self._waiting:
            self._tokens -= 1
            return 0.0
        wait_s = (len(self._waiting) + 1 - self._tokens) / self._rate
        if self._policy.throw_on_limit or wait_s > self._policy.timeout_s:
            msg = f"the rate limit of {self._words()} is used up; the next permit is free in {wait_s:.1f} s"
            raise RateLimitError(msg, wait_s)
        return await self._queue()

    async def _queue(self) -> float:
        started = self._clock()
        ticket = object()
        self._waiting.append(ticket)
        try:
            while True:
                place = self._waiting.index(ticket)
                missing = place + 1 - self._tokens
                if place == 0 and missing <= 0:
                    self._tokens -= 1
                    return self._clock() - started
                await asyncio.sleep(max(missing, 0.01) / self._rate)
                self._refill()
        finally:
            self._waiting.remove(ticket)

    def _refill(self) -> None:
        now = self._clock()
        self._tokens = min(self._capacity, self._tokens + (now - self._updated) * self._rate)
        self._updated = now

    def _words(self) -> str:
        policy = self._policy
        if policy.requests is not None:
            return f"{policy.requests:g} calls in {policy.per_s:g} s"
        return f"{policy.burst_size} calls in {policy.timeout_s:g} s"
