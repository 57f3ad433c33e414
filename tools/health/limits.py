"""From where on a tool counts as degraded or down, and how far back that is judged.

A new limit is a field of `HealthLimits`; the limits file, the preview and the command line read it from there.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple, Self

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ConfigDict, model_validator

from tools.card import ToolSource
from tools.metrics import MOST_CALLS

LOOK_BACK_S: Final = 3600.0
"""How far back runs are told of, unless limits look further."""

FAILED_IN_A_ROW: Final = 3
"""How many failures in a row, each at other arguments, say as much of a tool as enough runs do.

One call that was made three times in vain says only that the call is wrong.
"""

Share = Annotated[float, Ge(0), Le(1)]


class LimitsScope(NamedTuple):
    """Say for which tools limits are meant; without anything said, for all that have no others.

    Attributes:
        tool: One tool; empty for more.
        source: The tools of one source; None for those of all.
    """

    tool: str = ""
    source: ToolSource | None = None


class HealthLimits(BaseModel):
    """The limits of one tool, of a source, or of all.

    Attributes:
        success_up: The share of successful runs from which on a tool is up; exactly this is up.
        success_down: The share below which it is down; exactly this is degraded.
        p95_ms: How many milliseconds 95% of the runs may take; exactly this is within.
        window_s: How far back runs count, in seconds.
        window_calls: How many of the newest runs count at most.
        least_calls: How many runs it takes before failures or slowness count against a tool; before that only
            `FAILED_IN_A_ROW` failures do.
        failed_checks: How many probes in a row must fail before the tool counts as down.
        notify: Whether somebody is told when the status changes.

    Source: the customer's first document, "Health Monitoring"; the project's decisions, section 4.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    success_up: Share = 0.95
    success_down: Share = 0.80
    p95_ms: Annotated[float, Gt(0)] = 5000.0
    window_s: Annotated[float, Gt(0)] = 900.0
    window_calls: Annotated[int, Ge(1)] = MOST_CALLS
    least_calls: Annotated[int, Ge(1)] = 20
    failed_checks: Annotated[int, Ge(1)] = 3
    notify: bool = True

    @model_validator(mode="after")
    def _order(self) -> Self:
        if self.success_down > self.success_up:
            raise ValueError(
                f"expected success_down to be at most success_up, got {self.success_down} above {self.success_up}"
            )
        return self
