"""What would be different with other limits, told before they are saved."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from tools.health.indicator import HealthStatus, worst
from tools.health.limits import LOOK_BACK_S, HealthLimits, LimitsScope
from tools.health.registry import ToolHealthRegistry
from tools.metrics import ToolMetrics

BINS: Final = 36
"""How many bars the histogram has."""
_BEYOND_LIMIT: Final = 1.25
"""How much of the axis is wanted behind the limit."""
_STEPS: Final = (1.0, 2.0, 2.5, 4.0, 5.0, 10.0)


class StatusChange(NamedTuple):
    """One tool that would have another status."""

    tool_name: str
    before: HealthStatus
    after: HealthStatus


class LimitsPreview(NamedTuple):
    """What limits would come to.

    Attributes:
        tools: The tools for which they would hold.
        over_s: How far back runs were looked at, in seconds.
        calls: How many runs these are, of those that are kept.
        above: How many of them took longer than the limits' `p95_ms`.
        before: The worst status of these tools by the limits of now.
        after: The worst by the new ones.
        changes: The tools whose status would be another one.
        counts: How many runs took how long: each bar stands for `bin_ms` more; the last one also for all beyond.
        bin_ms: How many milliseconds wide a bar is.
    """

    tools: tuple[str, ...]
    over_s: float
    calls: int
    above: int
    before: HealthStatus
    after: HealthStatus
    changes: tuple[StatusChange, ...]
    counts: tuple[int, ...]
    bin_ms: float


def preview(
    registry: ToolHealthRegistry, metrics: ToolMetrics, limits: HealthLimits, scope: LimitsScope
) -> LimitsPreview:
    """Return what limits would come to, by the runs that are kept. Nothing is changed.

    Args:
        scope: For which tools they would hold.
    """
    names = registry.covered(scope)
    over_s = max(LOOK_BACK_S, limits.window_s)
    elapsed_ms = _elapsed_ms(metrics, names, metrics.clock() - over_s)
    changes, statuses = [], []
    for name in names:
        before, after = registry.check(name).status, registry.judged_by(name, limits).status
        statuses.append((before, after))
        if before is not after:
            changes.append(StatusChange(name, before, after))
    bin_ms = _bin_ms(elapsed_ms, limits.p95_ms)
    return LimitsPreview(
        tools=names,
        over_s=over_s,
        calls=len(elapsed_ms),
        above=sum(ms > limits.p95_ms for ms in elapsed_ms),
        before=worst([before for before, _ in statuses]),
        after=worst([after for _, after in statuses]),
        changes=tuple(changes),
        counts=_counts(elapsed_ms, bin_ms),
        bin_ms=bin_ms,
    )


def _elapsed_ms(metrics: ToolMetrics, names: tuple[str, ...], since_s: float) -> list[float]:
    return [run.elapsed_s * 1000 for name in names for run in metrics.runs(name, since_s)]


def _bin_ms(elapsed_ms: list[float], limit_ms: float) -> float:
    """Return the width of a bar: the axis shows the limit, and nearly all runs, and ends at a plain number."""
    nearly_all = sorted(elapsed_ms)[-(-99 * len(elapsed_ms) // 100) - 1] if elapsed_ms else 0.0
    wanted = max(nearly_all, limit_ms * _BEYOND_LIMIT)
    ten = 10.0 ** math.floor(math.log10(wanted))
    return next(step for step in _STEPS if step * ten >= wanted) * ten / BINS


def _counts(elapsed_ms: list[float], bin_ms: float) -> tuple[int, ...]:
    counts = [0] * BINS
    for ms in elapsed_ms:
        counts[min(BINS - 1, int(ms / bin_ms))] += 1
    return tuple(counts)
