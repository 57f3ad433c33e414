"""The guards against a tool that keeps failing: its circuit breaker, and its block after failures in a row.

Both count a call once, after all its attempts.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from tools.calls import GuardKind, GuardState
from tools.errors import UnavailableError
from tools.execution.clocks import Clocks, after, ago
from tools.spec import CircuitBreaker, FailureBlock

CLOSED: Final = "closed"
OPEN: Final = "open"
HALF_OPEN: Final = "half_open"
CLEAR: Final = "clear"
BLOCKED: Final = "blocked"

Tell = Callable[[GuardState], None]


class BreakerToken(NamedTuple):
    """What an admitted call holds until it says how it went.

    Attributes:
        period: The breaker's period in which it was admitted; what it says later, in another one, is old news.
        is_probe: Whether it is the one trial call.
    """

    period: int
    is_probe: bool


class FailureGuard:
    """Count the failures of a tool within a window of time, and refuse calls for a while after too many."""

    kind: GuardKind
    remedy: str

    def __init__(self, name: str, most: int, window_s: float, clocks: Clocks, tell: Tell) -> None:
        self._name = name
        self._most = most
        self._window_s = window_s
        self._clocks = clocks
        self._tell = tell
        self._failed_at: deque[float] = deque(maxlen=most)
        self._last_failure = ""
        self._began_at: float | None = None
        self._refuses_s = 0.0

    @property
    def _until(self) -> float:
        return (self._began_at or 0.0) + self._refuses_s

    def _counting(self, state: str, now: float, within: str) -> GuardState:
        self._forget_old(now)
        count = len(self._failed_at)
        words = f"{count} of {self._most} failures {within} {self._window_s:g} s"
        return GuardState(self.kind, state, words, self._last_failure, count)

    def _refusing(self, state: str, words: str) -> GuardState:
        began, until = self._clocks.when(self._began_at or 0.0), self._clocks.when(self._until)
        return GuardState(self.kind, state, words, self._last_failure, self._most, since=began, until=until)

    def _refusal(self, words: str, now: float) -> UnavailableError:
        left_s = max(0.0, self._until - now) or None
        return UnavailableError(f"{self._name!r} was not started: {words}", left_s, self.remedy)

    def _is_one_too_many(self, failure: str, now: float) -> bool:
        """Count a failure; return whether the guard refuses calls from now on."""
        self._forget_old(now)
        self._failed_at.append(now)
        self._last_failure = failure
        return len(self._failed_at) >= self._most

    def _forget_old(self, now: float) -> None:
        while self._failed_at and self._failed_at[0] <= now - self._window_s:
            self._failed_at.popleft()


class Breaker(FailureGuard):
    """Admit calls while a tool is well, and one at a time while nobody knows.

    What a call says that was admitted before the breaker last opened, closed or was reset counts for nothing.
    """

    kind = GuardKind.CIRCUIT_BREAKER
    remedy = "Wait for the next trial call, or reset the circuit breaker once the cause is mended."

    def __init__(self, name: str, policy: CircuitBreaker, clocks: Clocks, tell: Tell = lambda _: None) -> None:
        super().__init__(name, policy.failure_threshold, policy.window_s, clocks, tell)
        self.policy = policy
        self._period = 0
        self._last_failed_at = -math.inf
        self._probe: BreakerToken | None = None
        self._closed_ticket = BreakerToken(0, is_probe=False)

    @property
    def state(self) -> GuardState:
        now = self._clocks.monotonic()
        if self._began_at is None:
            return self._counting(CLOSED, now, "within")
        half_open = self._probe is not None or now >= self._until
        return self._refusing(HALF_OPEN if half_open else OPEN, self._words(now))

    def check(self) -> None:
        """Refuse now what `admit` would refuse, before anybody is asked and anything is spent on it."""
        if self._began_at is not None:
            now = self._clocks.monotonic()
            if self._probe is not None or now < self._until:
                raise self._refusal(self._words(now), now)

    def admit(self) -> BreakerToken:
        """Let a call start, which then owes `settle`.

        Raises:
            UnavailableError: When the tool is not started.
        """
        if self._began_at is None:
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
        """
        policy = self.policy
        if ticket.period != self._period:
            return
        if ticket.is_probe:
            if failed is None:
                # The place is free again: the next call is the trial.
                self._probe = None
                self._tell(self.state)
            elif failed:
                self._last_failure = failure
                self._open(self._refuses_s * policy.cooldown_multiplier)
            else:
                self.reset()
        elif failed:
            self._last_failed_at = self._clocks.monotonic()
            if self._is_one_too_many(failure, self._last_failed_at):
                self._open(policy.cooldown_s)

    def _open(self, cooldown_s: float) -> None:
        self._period += 1
        self._probe = None
        self._began_at = self._last_failed_at = self._clocks.monotonic()
        self._refuses_s = min(cooldown_s, self.policy.max_cooldown_s)
        self._tell(self.state)
        self._clocks.call_later(self._refuses_s, self._tell_of_probe, self._period)

    def _tell_of_probe(self, period: int) -> None:
        if period == self._period and self._probe is None and self._clocks.monotonic() >= self._until:
            self._tell(self.state)

    def reset(self) -> bool:
        """Close it and forget all failures; return whether it was not closed."""
        was_closed = self._began_at is None
        self._failed_at.clear()
        self._last_failure = ""
        if was_closed:
            return False
        self._period += 1
        self._closed_ticket = BreakerToken(self._period, is_probe=False)
        self._began_at = self._probe = None
        self._tell(self.state)
        return True

    def _words(self, now: float) -> str:
        last = f", the last time {ago(now - self._last_failed_at)}"
        last += f" with {self._last_failure!r}" if self._last_failure else ""
        why = f"its circuit breaker opened {ago(now - (self._began_at or 0.0))}, because it kept failing{last}"
        if self._probe is not None:
            return f"{why}; a trial call is under way"
        left_s = self._until - now
        if left_s <= 0:
            return f"{why}; the next call is its trial"
        return f"{why}; a trial call is admitted {after(left_s)}"


class FailureBlockGuard(FailureGuard):
    """Refuse calls for a while after failures in a row; a success in between begins the row anew.

    What ends while the tool is blocked counts for nothing. Source: seed 4, "Repeated failures".
    """

    kind = GuardKind.FAILURE_BLOCK
    remedy = "Wait until the block ends, or lift it once the cause is mended."

    def __init__(self, name: str, policy: FailureBlock, clocks: Clocks, tell: Tell = lambda _: None) -> None:
        super().__init__(name, policy.failures, policy.window_s, clocks, tell)
        self.policy = policy
        self._refuses_s = policy.blocked_s

    @property
    def state(self) -> GuardState:
        now = self._clocks.monotonic()
        if self._began_at is not None and now < self._until:
            return self._refusing(BLOCKED, self._words(now))
        state = self._counting(CLEAR, now, "in a row within")
        return state if state.failures else state._replace(last_failure="")

    def check(self) -> None:
        """Refuse a call while the tool is blocked."""
        now = self._clocks.monotonic()
        if self._blocks(now):
            raise self._refusal(self._words(now), now)

    def settle(self, *, failed: bool | None, failure: str = "") -> None:
        """Say how a call went that was let through, as a breaker is told."""
        now = self._clocks.monotonic()
        if self._blocks(now):
            return
        if failed is False:
            self._failed_at.clear()
        elif failed and self._is_one_too_many(failure, now):
            self._began_at = now
            self._failed_at.clear()
            self._tell(self.state)
            self._clocks.call_later(self._refuses_s, self._on_time_passed)

    def _blocks(self, now: float) -> bool:
        """Return whether the tool is blocked; a block whose time is over ends."""
        if self._began_at is not None and now >= self._until:
            self._end()
        return self._began_at is not None

    def _on_time_passed(self) -> None:
        self._blocks(self._clocks.monotonic())

    def _end(self) -> None:
        self._began_at = None
        self._last_failure = ""
        self._tell(self.state)

    def reset(self) -> bool:
        """Lift the block and forget the failures; return whether the tool was blocked."""
        self._failed_at.clear()
        if self._began_at is None:
            return False
        self._end()
        return True

    def _words(self, now: float) -> str:
        last = f", the last time with {self._last_failure!r}" if self._last_failure else ""
        began = ago(now - (self._began_at or 0.0))
        return (
            f"it failed {self._most} times in a row{last}, so it was blocked {began};"
            f" it may run again {after(self._until - now)}"
        )
