"""What a tool's guards say of themselves: whether it is started at all, how many may run, when that changes."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple


class GuardKind(StrEnum):
    """What stands between a call and its tool."""

    CIRCUIT_BREAKER = "circuit_breaker"
    FAILURE_BLOCK = "failure_block"
    BULKHEAD = "bulkhead"
    RATE_LIMIT = "rate_limit"
    CACHE = "cache"


class GuardState(NamedTuple):
    """How one guard of a tool stands right now.

    Attributes:
        state: One word: `closed`, `open` or `half_open` for a breaker; `clear` or `blocked` for a block; `free` or
            `full` for a bulkhead and a rate limit; `empty` or `filled` for a cache.
        description: The same as a sentence, with numbers and times.
        last_failure: What the tool failed with last, in its own words; empty when it did not, or hides it.
        failures: Failures that count towards the guard's threshold, or that made it close the way.
        since: When the state began; None where nobody keeps it.
        until: When a block ends or a breaker admits its next trial call; None when nothing ends by itself.
    """

    kind: GuardKind
    state: str
    description: str = ""
    last_failure: str = ""
    failures: int = 0
    since: datetime | None = None
    until: datetime | None = None
    waiting: int = 0

    @property
    def refuses(self) -> bool:
        """Whether a call made now would be refused, whatever its arguments."""
        return self.state in {"open", "blocked"}
