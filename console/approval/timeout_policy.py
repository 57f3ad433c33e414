"""What silence means: how long a question stays open, and what becomes of its call when nobody answers."""

from __future__ import annotations

from typing import Final, NamedTuple

from tools.calls import REVIEW_TIMEOUT_S, OnTimeout, ReviewRequest

MORE_TIME_S: Final = 300.0
"""How much longer a question stays open when a person asks for more time."""

_VERBS: Final = {OnTimeout.EXIT_EARLY: "Deny", OnTimeout.FAIL: "Fail", OnTimeout.CONTINUE: "Continue"}


class TimeoutPolicy(NamedTuple):
    """What silence means.

    Attributes:
        timeout_s: Seconds until it counts; 0 waits for ever.
        on_timeout: What becomes of the call then.
    """

    timeout_s: float = REVIEW_TIMEOUT_S
    on_timeout: OnTimeout = OnTimeout.EXIT_EARLY

    @property
    def words(self) -> str:
        """The same as a button says it: `Deny after 5 min`."""
        if not self.timeout_s:
            return "Wait for an answer"
        minutes = round(self.timeout_s / 60)
        return f"{_VERBS[self.on_timeout]} after {f'{minutes} min' if minutes < 60 else f'{minutes // 60} h'}"

    @property
    def key(self) -> str:
        """What it is called where it is kept."""
        return f"{self.on_timeout}:{self.timeout_s:g}"

    def concerns(self, request: ReviewRequest) -> bool:
        """Say whether it is for a question: one whose tool or rule says nothing else of silence."""
        return request.timeout_s == REVIEW_TIMEOUT_S and request.on_timeout is OnTimeout.EXIT_EARLY


SILENCES: Final = (
    TimeoutPolicy(60.0),
    TimeoutPolicy(),
    TimeoutPolicy(900.0),
    TimeoutPolicy(3_600.0),
    TimeoutPolicy(0.0),
    TimeoutPolicy(REVIEW_TIMEOUT_S, OnTimeout.FAIL),
)
"""What a person can choose. That silence allows anything is for a tool to say, never for everything at once."""
