"""The circuit breaker of one tool: it stops starting what keeps failing, and tries again after a while."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from tools.calls import GuardKind, GuardState
from tools.errors import UnavailableError
from tools.execution.clocks import Clocks, after, ago
from tools.spec import CircuitBreaker

CLOSED: Final = "closed"
OPEN: Final = "open"
HALF_OPEN: Final = "half_open"
REMEDY: Final = "Wait for the next trial call, or reset the circuit breaker once the cause is mended."


class BreakerToken(NamedTuple):
    """What an admitted call holds until it says how it went.

    Attributes:
        period: The breaker's period in which it was admitted; what it says later, in another one, is old news.
        is_probe: Whether it is the one trial call.
    """

    period: int
    is_probe: bool


class Breaker:
    """Admit calls while a tool is well, and one at a time while nobody knows.

    A call counts once, after all its attempts. What a call says that was admitted before the breaker last opened,
    closed or was reset counts for nothing.
    """

    def __init__(
        self, name: str, policy: CircuitBreaker, clocks: Clocks, tell: Callable[[GuardState], None] = lambda _: None
    ) -> None:
        self.policy = policy
        self._name = name
        self._clocks = clocks
        self._tell = tell
        self._period = 0
        self._failed_at: deque[float] = deque(maxlen=policy.failure_threshold)
        self._last_failure = ""
        self._last_failed_at = -math.inf
        self._opened_at: float | None = None
        self._cooldown_s = 0.0
        self._probe: BreakerToken | None = None
        self._closed_ticket = BreakerToken(0, is_probe=False)

    @property
    def _probe_at(self) -> float:
        return (self._opened_at or 0.0) + self._cooldown_s

    @property
    def state(self) -> GuardState:
        now = self._clocks.monotonic()
        if self._opened_at is None:
            self._forget_old(now)
            count, policy = len(self._failed_at), self.policy
            words = f"{count} of {policy.failure_threshold} failures within {policy.window_s:g} s"
            return GuardState(GuardKind.CIRCUIT_BREAKER, CLOSED, words, self._last_failure, count)
        half_open = self._probe is not None or now >= self._probe_at
        return GuardState(
            GuardKind.CIRCUIT_BREAKER,
            HALF_OPEN if half_open else OPEN,
            self._words(now),
            self._last_failure,
            len(self._failed_at),
            since=self._clocks.when(self._opened_at),
            until=self._clocks.when(self._probe_at),
        )

    def check(self) -> None:
        """Refuse now what `admit` would refuse, before anybody is asked and anything is spent on it."""
        if self._opened_at is not None:
            now = self._clocks.monotonic()
            if self._probe is not None or now < self._probe_at:
                left_s = max(0.0, self._probe_at - now) or None
                raise UnavailableError(f"{self._name!r} was not started: {self._words(now)}", left_s, REMEDY)

    def admit(self) -> BreakerToken:
        """Let a call start, which then owes `settle`.

        Raises:
            UnavailableError: When the tool is not started.
        """
        if self._opened_at is None:
            return self._closed_ticket
        self.check()
        self._probe = BreakerToken(self._period, is_probe=True)
        self._tell(self.state)
        return self._probe

    def settle(self, ticket: BreakerToken, *, failed: bool | None, failure: str = "") -> None:
        """Say how an admitted call went.

        Args:
            ticket: What `admit` returned.
            failed: Whether the tool failed; None when nobody can say, as after a cancellation.
            failure: What it failed with.
        """
        if ticket.period != self._period:
            return
        if ticket.is_probe:
            if failed is None:
                # The place is free again: the next call is the trial.
                self._probe = None
                self._tell(self.state)
            elif failed:
                self._open(failure, min(self._cooldown_s * self.policy.cooldown_multiplier, self.policy.max_cooldown_s))
            else:
                self.reset()
        elif failed:
            self._count(failure)

    def _count(self, failure: str) -> None:
        now = self._clocks.monotonic()
        self._forget_old(now)
        self._failed_at.append(now)
        self._last_failure, self._last_failed_at = failure, now
        if len(self._failed_at) >= self.policy.failure_threshold:
            self._open(failure, min(self.policy.cooldown_s, self.policy.max_cooldown_s))

    def _open(self, failure: str, cooldown_s: float) -> None:
        now = self._clocks.monotonic()
        self._period += 1
        self._probe = None
        self._opened_at, self._cooldown_s = now, cooldown_s
        self._last_failure, self._last_failed_at = failure, now
        self._tell(self.state)
        self._clocks.call_later(cooldown_s, self._tell_of_probe, self._period)

    def _tell_of_probe(self, period: int) -> None:
        if period == self._period and self._probe is None and self._clocks.monotonic() >= self._probe_at:
            self._tell(self.state)

    def reset(self) -> bool:
        """Close it and forget all failures; return whether it was not closed."""
        was_closed = self._opened_at is None
        self._failed_at.clear()
        self._last_failure = ""
        if was_closed:
            return False
        self._period += 1
        self._closed_ticket = BreakerToken(self._period, is_probe=False)
        self._opened_at = self._probe = None
        self._tell(self.state)
        return True

    def _forget_old(self, now: float) -> None:
        while self._failed_at and self._failed_at[0] <= now - self.policy.window_s:
            self._failed_at.popleft()

    def _words(self, now: float) -> str:
        last = f", the last time {ago(now - self._last_failed_at)}"
        last += f" with {self._last_failure!r}" if self._last_failure else ""
        why = f"its circuit breaker opened {ago(now - (self._opened_at or 0.0))}, because it kept failing{last}"
        if self._probe is not None:
            return f"{why}; a trial call is under way"
        left_s = self._probe_at - now
        if left_s <= 0:
            return f"{why}; the next call is its trial"
        return f"{why}; a trial call is admitted {after(left_s)}"
