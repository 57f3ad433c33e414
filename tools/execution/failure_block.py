"""The failure block of one tool: after failures in a row it is left alone for a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from tools.calls import GuardKind, GuardState
from tools.errors import UnavailableError
from tools.execution.clocks import Clocks, after, ago
from tools.spec import FailureBlock

CLEAR: Final = "clear"
BLOCKED: Final = "blocked"
REMEDY: Final = "Wait until the block ends, or lift it once the cause is mended."


class FailureBlockGuard:
    """Refuse calls for a while after failures in a row; a success in between begins the row anew.

    A call counts once, after all its attempts. What ends while the tool is blocked counts for nothing.

    Source: seed 4, "Repeated failures".
    """

    def __init__(
        self, name: str, policy: FailureBlock, clocks: Clocks, tell: Callable[[GuardState], None] = lambda _: None
    ) -> None:
        self.policy = policy
        self._name = name
        self._clocks = clocks
        self._tell = tell
        self._failed_at: deque[float] = deque(maxlen=policy.failures)
        self._last_failure = ""
        self._began_at: float | None = None

    @property
    def _until(self) -> float:
        return (self._began_at or 0.0) + self.policy.blocked_s

    @property
    def state(self) -> GuardState:
        now = self._clocks.monotonic()
        if self._began_at is None or now >= self._until:
            self._forget_old(now)
            count, policy = len(self._failed_at), self.policy
            words = f"{count} of {policy.failures} failures in a row within {policy.window_s:g} s"
            return GuardState(GuardKind.FAILURE_BLOCK, CLEAR, words, self._last_failure if count else "", count)
        return GuardState(
            GuardKind.FAILURE_BLOCK,
            BLOCKED,
            self._words(now),
            self._last_failure,
            self.policy.failures,
            since=self._clocks.when(self._began_at),
            until=self._clocks.when(self._until),
        )

    def check(self) -> None:
        """Refuse a call while the tool is blocked."""
        if self._began_at is not None:
            now = self._clocks.monotonic()
            if now < self._until:
                msg = f"{self._name!r} was not started: {self._words(now)}"
                raise UnavailableError(msg, self._until - now, REMEDY)
            self._end()

    def settle(self, *, failed: bool | None, failure: str = "") -> None:
        """Say how a call went that was let through.

        Args:
            failed: Whether the tool failed; None when nobody can say, as after a cancellation.
            failure: What it failed with.
        """
        now = self._clocks.monotonic()
        if self._began_at is not None:
            if now < self._until:
                return
            self._end()
        if failed is False:
            self._failed_at.clear()
        elif failed:
            self._forget_old(now)
            self._failed_at.append(now)
            self._last_failure = failure
            if len(self._failed_at) >= self.policy.failures:
                self._began_at = now
                self._failed_at.clear()
                self._tell(self.state)
                self._clocks.call_later(self.policy.blocked_s, self._on_time_passed)

    def _on_time_passed(self) -> None:
        if self._began_at is not None and self._clocks.monotonic() >= self._until:
            self._end()

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

    def _forget_old(self, now: float) -> None:
        while self._failed_at and self._failed_at[0] <= now - self.policy.window_s:
            self._failed_at.popleft()

    def _words(self, now: float) -> str:
        last = f", the last time with {self._last_failure!r}" if self._last_failure else ""
        began = ago(now - (self._began_at or 0.0))
        return (
            f"it failed {self.policy.failures} times in a row{last}, so it was blocked {began};"
            f" it may run again {after(self._until - now)}"
        )
