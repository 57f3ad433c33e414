"""A fair rate limit: a token bucket that never lets more through in any period than it says."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import Callable
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.calls import GuardKind, GuardState, StepKind, StepNote, StepOutcome
from tools.errors import RateLimitError
from tools.spec import RateLimit

if TYPE_CHECKING:
    from tools.execution.run import CallNext, Run

NOW_S: Final = 1e-6
"""What is due within a microsecond is due: sums of periods are not exact."""


class TokenBucket:
    """Hand out permits at a rate, with bursts, in the order they are asked for.

    Permits come back one by one, and besides never more are given within any `per_s` than `requests` says, or
    `burst_size` if that is larger. A plain bucket would give nearly twice as many: a whole burst, and then all that
    comes back. Whoever waits sleeps until woken; one timer wakes the first.

    Args:
        policy: The limit. Its `timeout_s` and `throw_on_limit` are the defaults of `acquire`.
    """

    def __init__(self, policy: RateLimit, clock: Callable[[], float] = monotonic) -> None:
        self.policy = policy
        self._clock = clock
        if policy.requests is not None:
            self._period_s = policy.per_s
            self._interval_s = policy.per_s / policy.requests
            burst = policy.burst_size or max(1, math.floor(policy.requests))
            most = max(burst, math.ceil(policy.requests))
        else:
            self._period_s = policy.timeout_s
            burst = most = policy.burst_size or 1
            self._interval_s = policy.timeout_s / burst
        # The bucket as one number: the time at which it would be full again.
        self._full_at = -math.inf
        self._saved_s = (burst - 1) * self._interval_s
        self._given: deque[float] = deque(maxlen=most)
        self._waiting: OrderedDict[asyncio.Future[None], None] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def state(self) -> GuardState:
        missing_s = self._due(1) - self._clock()
        waiting = len(self._waiting)
        if missing_s <= NOW_S and not waiting:
            return GuardState(GuardKind.RATE_LIMIT, "free", f"at most {limit_words(self.policy)}")
        return GuardState(GuardKind.RATE_LIMIT, "full", self._words(max(missing_s, 0.0)), waiting=waiting)

    async def acquire(self, policy: RateLimit | None = None) -> float:
        """Take a permit.

        Args:
            policy: Whose `timeout_s` and `throw_on_limit` count, when several tools share the bucket.

        Returns:
            Seconds spent waiting for it.

        Raises:
            RateLimitError: When none is free, or will be in time; it says how long to wait.
        """
        policy = policy or self.policy
        now = self._clock()
        if not self._waiting and self._due(1) - now <= NOW_S:
            self._give(now)
            return 0.0
        wait_s = self._due(len(self._waiting) + 1) - now
        if policy.throw_on_limit or wait_s > policy.timeout_s + NOW_S:
            raise self._refusal(wait_s)
        return await self._queue(policy.timeout_s)

    async def _queue(self, timeout_s: float) -> float:
        loop = asyncio.get_running_loop()
        began = self._clock()
        permit: asyncio.Future[None] = loop.create_future()
        self._waiting[permit] = None
        # Others may have to wait longer than it looked, so the limit of the wait is kept as well.
        limit = loop.call_later(timeout_s + NOW_S, self._give_up, permit)
        if len(self._waiting) == 1:
            self._set_timer(loop)
        try:
            await permit
        except BaseException:
            # A permit that came together with the cancellation is spent: that is slower, never more than allowed.
            self._leave(permit)
            raise
        finally:
            limit.cancel()
        return self._clock() - began

    def _leave(self, permit: asyncio.Future[None]) -> None:
        if self._waiting.pop(permit, permit) is None and not self._waiting and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self, permit: asyncio.Future[None]) -> None:
        self._wake()
        if not permit.done():
            permit.set_exception(self._refusal(self._due(1) - self._clock()))

    def _set_timer(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._timer is not None:
            self._timer.cancel()
        delay_s = self._due(1) - self._clock()
        self._timer = loop.call_later(max(delay_s, NOW_S), self._wake)

    def _wake(self) -> None:
        """Give out what is due, to those who came first."""
        now = self._clock()
        while self._waiting and self._due(1) - now <= NOW_S:
            permit, _ = self._waiting.popitem(last=False)
            if not permit.done():
                self._give(now)
                permit.set_result(None)
        if self._waiting:
            self._set_timer(asyncio.get_running_loop())
        elif self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give(self, now: float) -> None:
        self._full_at = max(self._full_at, now) + self._interval_s
        self._given.append(now)

    def _due(self, place: int) -> float:
        """Return when a permit is free for whoever stands at this place of the queue, 1 being the first."""
        due = self._full_at - self._saved_s + (place - 1) * self._interval_s
        given = self._given
        most = given.maxlen or 1
        periods, index = divmod(place - 1 + len(given) - most, most)
        if periods >= 0:
            first = given[index] if index < len(given) else self._clock()
            due = max(due, first + (periods + 1) * self._period_s)
        return due

    def _refusal(self, wait_s: float) -> RateLimitError:
        wait_s = max(wait_s, 0.0)
        return RateLimitError(self._words(wait_s), wait_s)

    def _words(self, wait_s: float) -> str:
        return f"the rate limit of {limit_words(self.policy)} is used up; the next permit is free in {wait_s:.1f} s"


def limit_words(policy: RateLimit) -> str:
    """Return a rate limit as people say it."""
    if policy.requests is not None:
        burst = f", {policy.burst_size} at once" if policy.burst_size and policy.burst_size != policy.requests else ""
        return f"{policy.requests:g} {_calls(policy.requests)} in {policy.per_s:g} s{burst}"
    return f"{policy.burst_size} {_calls(policy.burst_size)} in {policy.timeout_s:g} s"


def _calls(count: float | None) -> str:
    return "call" if count == 1 else "calls"


def same_limit(one: RateLimit, other: RateLimit) -> bool:
    """Return whether two policies allow the same, however their callers wait for it."""
    shape_one, shape_other = (
        (policy.requests, policy.per_s, policy.burst_size)
        if policy.requests is not None
        else (None, policy.timeout_s, policy.burst_size)
        for policy in (one, other)
    )
    return shape_one == shape_other


class RateLimiting:
    """Take a permit, or wait for one."""

    def __init__(self, bucket: TokenBucket, policy: RateLimit | None = None) -> None:
        self._bucket = bucket
        self._policy = policy or bucket.policy

    async def __call__(self, run: Run, call_next: CallNext, /) -> Any:
        began = perf_counter()
        try:
            waited_s = await self._bucket.acquire(self._policy)
        except RateLimitError:
            run.record(StepKind.RATE_LIMIT, began, StepOutcome.FAILED, StepNote.NO_PERMIT)
            raise
        outcome = StepOutcome.WAITED if waited_s else StepOutcome.OK
        run.record(StepKind.RATE_LIMIT, began, outcome, waiting_s=waited_s)
        return await call_next(run)
