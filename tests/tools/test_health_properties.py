"""Whatever runs and probes a tool had, it is judged as a plain reading of the decisions judges it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tools import CallStatus, ToolMetrics
from tools.health import Check, CheckOutcome, HealthLimits, HealthStatus, ToolHealthRegistry
from tools.metrics import EndedCall

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
MORNING = datetime(2026, 3, 31, 6, 0, tzinfo=UTC)
SHARES = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


class Happened(NamedTuple):
    """Something that happened: so many seconds after what was before, a run or a probe, good or bad, so long."""

    after_s: int
    is_run: bool
    good: bool
    elapsed_ms: int = 100


EVENTS = st.lists(
    st.builds(Happened, st.integers(0, 40), st.booleans(), st.booleans(), st.sampled_from([1, 99, 100, 101, 500])),
    max_size=40,
)


@st.composite
def limits(draw: st.DrawFn) -> HealthLimits:
    down, up = sorted((draw(SHARES), draw(SHARES)))
    return HealthLimits(
        success_up=up,
        success_down=down,
        p95_ms=draw(st.sampled_from([99, 100, 101, 500])),
        window_s=draw(st.integers(1, 200)),
        window_calls=draw(st.integers(1, 30)),
        least_calls=draw(st.integers(1, 5)),
        failed_checks=draw(st.integers(1, 4)),
    )


def expected(happened: list[tuple[int, Happened]], limits: HealthLimits, now_s: int) -> HealthStatus:
    """Judge by lists and fractions alone."""
    since_s = now_s - limits.window_s
    all_runs = [(at_s, item) for at_s, item in happened if item.is_run]
    runs = [item for at_s, item in all_runs[-limits.window_calls :] if at_s >= since_s]
    by_runs = UNKNOWN
    # No run of these has arguments that tell it from another, so only enough runs are evidence.
    if runs and len(runs) < min(limits.least_calls, limits.window_calls):
        by_runs = UP if all(item.good for item in runs) else UNKNOWN
    elif runs:
        share = Fraction(sum(item.good for item in runs), len(runs))
        slowest_ms = sorted(item.elapsed_ms for item in runs)[: -(-95 * len(runs) // 100)][-1]
        if share < Fraction(str(limits.success_down)):
            by_runs = DOWN
        elif share < Fraction(str(limits.success_up)) or slowest_ms > limits.p95_ms:
            by_runs = DEGRADED
        else:
            by_runs = UP
    probes = [(at_s, item) for at_s, item in happened if not item.is_run]
    if not probes or probes[-1][0] < since_s:
        return by_runs
    newest_s = probes[-1][0]
    # Of several runs that ended at one moment, any may have been the last.
    last = [item.good for at_s, item in all_runs if at_s == all_runs[-1][0] > newest_s]
    if last and all(last):
        return by_runs
    passed = [at_s for at_s, item in probes if item.good]
    in_a_row = 0
    for _, item in reversed(probes):
        if item.good:
            break
        in_a_row += 1
    if in_a_row >= limits.failed_checks:
        return DOWN
    if by_runs is UNKNOWN and passed and newest_s - passed[-1] <= limits.window_s:
        return UP
    return by_runs


@pytest.mark.reference("A63", "A64", "A65", "A66", "A68")
@example([Happened(0, is_run=True, good=True, elapsed_ms=100)], HealthLimits(p95_ms=100, window_s=5), 5)
@example([Happened(0, is_run=True, good=True, elapsed_ms=100)], HealthLimits(p95_ms=100, window_s=5), 6)
@example([Happened(0, is_run=False, good=True)], HealthLimits(window_s=5), 5)
@example([Happened(0, is_run=False, good=True)], HealthLimits(window_s=5), 6)
@example([Happened(0, is_run=False, good=False)] * 3, HealthLimits(window_s=5), 5)
@example(
    [
        *[Happened(0, is_run=False, good=False)] * 3,
        Happened(1, is_run=True, good=False),
        Happened(0, is_run=True, good=True),
    ],
    HealthLimits(success_up=0, success_down=0),
    0,
)
@given(EVENTS, limits(), st.integers(0, 100))
def test_a_tool_is_judged_as_the_decisions_say(events: list[Happened], limits: HealthLimits, wait_s: int) -> None:
    now_s, happened = 1000, list[tuple[int, Happened]]()
    metrics = ToolMetrics(lambda: float(now_s), wall=lambda: MORNING + timedelta(seconds=now_s))
    registry = ToolHealthRegistry(metrics)
    registry.register("search", limits)
    for item in events:
        now_s += item.after_s
        happened.append((now_s, item))
        if item.is_run:
            status = CallStatus.EXECUTED if item.good else CallStatus.FAILED
            metrics.record(EndedCall("search", status, item.elapsed_ms / 1000))
        else:
            outcome = CheckOutcome.PASSED if item.good else CheckOutcome.FAILED
            registry.take_check(Check("search", MORNING + timedelta(seconds=now_s), outcome))
    now_s += wait_s
    health = registry.check("search")
    assert health.status is expected(happened, limits, now_s)
    assert (health.reason is None) is (health.status is UP)
    assert registry.judged_by("search", limits) == health
