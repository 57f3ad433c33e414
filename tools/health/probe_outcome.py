"""What a probe of a tool came to."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple


class CheckOutcome(StrEnum):
    """What a probe says of the tool; the last one says nothing."""

    PASSED = "passed"
    FAILED = "failed"
    REFUSED = "refused"


class Check(NamedTuple):
    """One probe of a tool.

    Attributes:
        outcome: Whether the tool passed. A probe that could not be made, because something or somebody refused it,
            says nothing of the tool.
        elapsed_ms: How long it took.
        message: What the failure or the refusal said, without secrets; empty when it passed.
        call_id: The id of its call, by which it is found; empty when no call was made.
    """

    tool_name: str
    at: datetime
    outcome: CheckOutcome
    elapsed_ms: float = 0.0
    message: str = ""
    call_id: str = ""


class ProbeSummary(NamedTuple):
    """What the newest probes of a tool say.

    Attributes:
        latest: The newest that passed or failed.
        failed_in_a_row: How many failed since one passed.
        passed: The newest that passed; None when none did.
    """

    latest: Check
    failed_in_a_row: int
    passed: Check | None = None

    def passed_within(self, window_s: float) -> bool:
        """Return whether one passed in the last seconds before the newest."""
        return self.passed is not None and (self.latest.at - self.passed.at).total_seconds() <= window_s
