from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.tools.running import Clock
from tools import CallStatus, ToolMetrics, resolve_tools, tool
from tools.calls import ErrorKind
from tools.card import SourceKind, ToolSource
from tools.health import Health, HealthLimits, HealthStatus, ToolHealthIndicator, ToolHealthRegistry, worst
from tools.metrics import EndedCall, ToolStats

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
NO_RUN = (CallStatus.DENIED, CallStatus.CANCELLED, CallStatus.REJECTED, CallStatus.ABORTED)
BILLING = ToolSource(SourceKind.PLUGIN, "billing.py", Path("billing.py"))


@tool
def search(query: str) -> str:
    return query


@tool
def fetch(url: str) -> str:
    return url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def metrics(clock: Clock) -> ToolMetrics:
    return ToolMetrics(clock)


@pytest.fixture
def registry(metrics: ToolMetrics) -> ToolHealthRegistry:
    """Return a registry that watches `search`."""
    registry = ToolHealthRegistry(metrics)
    registry.register("search")
    return registry


def run(metrics: ToolMetrics, name: str, good: int = 0, bad: int = 0, elapsed_s: float = 0.1) -> None:
    for status, times in ((CallStatus.EXECUTED, good), (CallStatus.FAILED, bad)):
        for _ in range(times):
            metrics.record(EndedCall(name, status, elapsed_s))


def judged(good: int, bad: int, p95_ms: float = 100.0, limits: HealthLimits | None = None) -> Health:
    failures = {ErrorKind.TOOL: bad} if bad else {}
    stats = ToolStats(count=good + bad, successes=good, failures_by_kind=failures, p95_ms=p95_ms)
    return ToolHealthIndicator("search", limits or HealthLimits()).judge(stats)


@pytest.mark.reference("A63")
@pytest.mark.reference("A71")
@pytest.mark.parametrize(("good", "bad"), [(1, 0), (100, 0), (96, 4), (955, 45)])
def test_a_tool_that_mostly_succeeds_in_time_is_up_and_there_is_no_reason(good: int, bad: int) -> None:
    health = judged(good, bad)
    assert (health.status, health.reason, health.tool_name) == (UP, None, "search")


@pytest.mark.reference("A64")
@pytest.mark.parametrize(
    ("good", "bad", "p95_ms", "reason"),
    [
        (94, 6, 100.0, "success is 94%, below 95%; failed 6 times"),
        (9499, 501, 100.0, "success is 94.99%, below 95%; failed 501 times"),
        (18, 2, 9000.0, "success is 90%, below 95%; failed twice"),
        (20, 0, 5100.0, "P95 is 5.1 s, above 5 s"),
        (20, 0, 5000.001, "P95 is 5.000001 s, above 5 s"),
    ],
)
def test_a_tool_that_fails_or_dawdles_too_often_is_degraded(good: int, bad: int, p95_ms: float, reason: str) -> None:
    health = judged(good, bad, p95_ms)
    assert (health.status, health.reason) == (DEGRADED, reason)


@pytest.mark.reference("A65")
@pytest.mark.parametrize("p95_ms", [1.0, 90_000.0])
def test_a_tool_that_mostly_fails_is_down_however_quick(p95_ms: float) -> None:
    health = judged(14, 6, p95_ms)
    assert (health.status, health.reason) == (DOWN, "success is 70%, below 80%; failed 6 times")


@pytest.mark.reference("A67")
def test_the_default_limits_are_the_documented_ones() -> None:
    limits = HealthLimits()
    assert (limits.success_up, limits.success_down, limits.p95_ms) == (0.95, 0.80, 5000)
    assert (limits.window_calls, limits.window_s) == (1000, 900)


@pytest.mark.reference("A68")
@pytest.mark.parametrize(
    ("good", "bad", "p95_ms", "status"),
    [
        (95, 5, 100.0, UP),
        (19, 1, 100.0, UP),
        (949, 51, 100.0, DEGRADED),
        (80, 20, 100.0, DEGRADED),
        (16, 4, 100.0, DEGRADED),
        (799, 201, 100.0, DOWN),
        (20, 0, 5000.0, UP),
        (20, 0, 5000.0000001, DEGRADED),
    ],
)
def test_exactly_at_a_limit_is_within(good: int, bad: int, p95_ms: float, status: HealthStatus) -> None:
    assert judged(good, bad, p95_ms).status is status


@pytest.mark.reference("A68")
@given(st.integers(20, 100_000), st.data())
def test_no_number_of_runs_is_rounded_over_a_limit(count: int, data: st.DataObject) -> None:
    near = {0, *(count * share // 20 + step for share in (1, 4) for step in (-1, 0, 1))}
    for bad in {data.draw(st.integers(0, count)), *(number for number in near if 0 <= number <= count)}:
        good = count - bad
        expected = DOWN if good * 5 < count * 4 else DEGRADED if good * 20 < count * 19 else UP
        assert judged(good, bad).status is expected


@pytest.mark.reference("A67")
def test_a_tool_has_its_own_limits_else_those_of_its_source_else_the_default(metrics: ToolMetrics) -> None:
    registry = ToolHealthRegistry(metrics)
    (declared,) = resolve_tools([search])
    registry.register(replace(declared, source=BILLING))
    registry.register("other")
    assert registry.limits("search") == registry.limits("other") == HealthLimits()
    of_source, own = HealthLimits(p95_ms=2000), HealthLimits(success_up=0.90, success_down=0.70, p95_ms=10_000)
    registry.set_source_limits(BILLING, of_source)
    assert (registry.limits("search"), registry.limits("other")) == (of_source, HealthLimits())
    registry.set_limits("search", own)
    assert registry.limits("search") == own
    run(metrics, "search", good=71, bad=29, elapsed_s=9.9)
    assert registry.check("search").status is DEGRADED
    registry.set_limits("search", None)
    assert registry.check("search").status is DOWN
    registry.set_source_limits(BILLING, None)
    changed = HealthLimits(success_up=0.5, success_down=0.5, p95_ms=60_000)
    registry.set_default_limits(changed)
    assert registry.default_limits == registry.limits("search") == changed
    assert registry.check("search").status is UP


@pytest.mark.reference("A69")
def test_registering_can_be_undone_and_twice_is_once(metrics: ToolMetrics) -> None:
    registry = ToolHealthRegistry(metrics)
    undo = registry.register("a", HealthLimits(p95_ms=1))
    undo_all = registry.register_all(["b", "a", *resolve_tools([search])])
    assert [*registry.check_all()] == ["a", "b", "search"]
    assert registry.limits("a") == HealthLimits()
    undo_all()
    undo()
    assert registry.check_all() == {}


@pytest.mark.reference("A69")
def test_those_that_stay_keep_their_limits_when_tools_come_and_go(metrics: ToolMetrics) -> None:
    registry = ToolHealthRegistry(metrics)
    (declared,) = resolve_tools([search])
    own = HealthLimits(p95_ms=1)
    registry.register("gone", own)
    registry.watch_only([declared])
    registry.set_limits("search", own)
    registry.watch_only(resolve_tools([search, fetch]))
    assert registry.names == ("search", "fetch")
    assert (registry.limits("search"), registry.limits("fetch")) == (own, HealthLimits())
    registry.register("gone")
    assert registry.limits("gone") == HealthLimits()


@pytest.mark.reference("A70")
def test_a_check_says_status_name_numbers_and_reason(metrics: ToolMetrics, registry: ToolHealthRegistry) -> None:
    run(metrics, "search", good=18, bad=2, elapsed_s=0.2)
    health = registry.check("search")
    assert (health.status, health.tool_name) == (DEGRADED, "search")
    assert (health.stats.count, health.stats.successes, health.stats.p95_ms) == (20, 18, 200.0)
    assert health.reason == "success is 90%, below 95%; failed twice"


@pytest.mark.reference("A70")
def test_a_tool_that_nobody_watches_is_unknown_and_named(metrics: ToolMetrics) -> None:
    run(metrics, "serach", good=1)
    health = ToolHealthRegistry(metrics).check("serach")
    assert (health.status, health.reason) == (UNKNOWN, "no tool called 'serach' is watched")


@pytest.mark.reference("A73")
def test_all_are_checked_filtered_and_the_worst_that_ran_counts(metrics: ToolMetrics) -> None:
    registry = ToolHealthRegistry(metrics)
    registry.register_all(["good", "slow", "broken", "new"])
    assert registry.overall is UNKNOWN
    run(metrics, "good", good=20)
    assert registry.overall is UP
    run(metrics, "slow", good=20, elapsed_s=6.0)
    assert registry.overall is DEGRADED
    run(metrics, "broken", bad=20)
    assert registry.overall is DOWN
    statuses = {name: health.status for name, health in registry.check_all().items()}
    assert statuses == {"good": UP, "slow": DEGRADED, "broken": DOWN, "new": UNKNOWN}
    assert set(registry.get_by_status(DOWN)) == {"broken"}
    assert set(registry.get_by_status(UNKNOWN)) == {"new"}
    assert worst([UNKNOWN, UP]) is UP
    assert worst([]) is UNKNOWN


@pytest.mark.reference("A63")
def test_only_the_newest_runs_of_the_last_minutes_count(
    metrics: ToolMetrics, registry: ToolHealthRegistry, clock: Clock
) -> None:
    run(metrics, "search", bad=20)
    clock.now_s += 900
    run(metrics, "search", good=1)
    assert registry.check("search").status is DOWN
    clock.now_s += 0.001
    assert registry.check("search").status is UP
    clock.now_s += 901
    assert registry.check("search").status is UNKNOWN
    run(metrics, "search", good=10, bad=10)
    run(metrics, "search", good=995, bad=5)
    assert registry.check("search").stats.count == 1000
    assert registry.check("search").status is UP


def ended(status: CallStatus, times: int = 1, elapsed_s: float = 0.1, **more: Any) -> list[EndedCall]:
    return [EndedCall("search", status, elapsed_s, **more)] * times


def good(times: int, elapsed_s: float = 0.1) -> list[EndedCall]:
    return ended(CallStatus.EXECUTED, times, elapsed_s)


def bad(times: int) -> list[EndedCall]:
    return ended(CallStatus.FAILED, times)


def failed_at(*arguments: object) -> list[EndedCall]:
    return [EndedCall("search", CallStatus.FAILED, 0.1, arguments=each) for each in arguments]


def timed_out_at(*arguments: object) -> list[EndedCall]:
    return [
        EndedCall("search", CallStatus.TIMED_OUT, 5.0, failure=ErrorKind.TIMEOUT, arguments=each) for each in arguments
    ]


@pytest.mark.reference("A66")
@pytest.mark.parametrize(
    ("limits", "calls", "status", "reason"),
    [
        ({}, [], UNKNOWN, "it has not run lately"),
        # One call, and the same call again and again, say only that the call is wrong.
        ({}, failed_at("a"), UNKNOWN, "failed once, too few runs to judge"),
        ({}, failed_at(*["a"] * 10), UNKNOWN, "failed 10 of 10, too few runs to judge"),
        # Three failures in a row at different arguments are evidence; a success between breaks the row.
        ({}, failed_at("a", "b"), UNKNOWN, "failed 2 of 2, too few runs to judge"),
        ({}, failed_at("a", "b", "c"), DOWN, "success is 0%, below 80%; failed 3 times"),
        ({}, failed_at("a", "b") + good(1) + failed_at("c", "d"), UNKNOWN, "failed 4 of 5, too few runs to judge"),
        # Few runs that all succeeded are up however slow; from twenty on the limits hold exactly.
        ({}, good(1, elapsed_s=60.0), UP, None),
        ({}, good(20), UP, None),
        ({}, good(19) + bad(1), UP, None),
        ({}, good(18) + bad(2), DEGRADED, "success is 90%, below 95%; failed twice"),
        ({}, good(16) + bad(4), DEGRADED, "success is 80%, below 95%; failed 4 times"),
        ({}, good(15) + bad(5), DOWN, "success is 75%, below 80%; failed 5 times"),
        # As few runs as asked for are enough, as is a full window that takes fewer.
        ({"least_calls": 3}, bad(2), UNKNOWN, "failed 2 of 2, too few runs to judge"),
        ({"least_calls": 3}, bad(3), DOWN, "success is 0%, below 80%; failed 3 times"),
        ({"window_calls": 5}, bad(5), DOWN, "success is 0%, below 80%; failed 5 times"),
        # A time limit is a failure unless the tool was never started.
        ({}, ended(CallStatus.TIMED_OUT, ran=False), UNKNOWN, "it has not run lately"),
        ({}, timed_out_at(1, 2, 3), DOWN, "success is 0%, below 80%; timed out 3 times"),
        # What the tool could not help is no failure of it, and answers from the cache say nothing about it.
        *(({}, ended(status, 50, 60.0), UNKNOWN, "it has not run lately") for status in NO_RUN),
        *(({}, ended(status, 50, 60.0) + good(1), UP, None) for status in NO_RUN),
        ({}, ended(CallStatus.EXECUTED, from_cache=True), UNKNOWN, "it has not run lately"),
        ({}, ended(CallStatus.EXECUTED, from_cache=True) + bad(20), DOWN, "success is 0%, below 80%; failed 20 times"),
    ],
)
def test_a_tool_is_judged_by_what_ran(
    metrics: ToolMetrics, limits: dict[str, Any], calls: list[EndedCall], status: HealthStatus, reason: str | None
) -> None:
    registry = ToolHealthRegistry(metrics, HealthLimits(**limits))
    registry.register("search")
    for call in calls:
        metrics.record(call)
    health = registry.check("search")
    assert (health.status, health.reason, registry.overall) == (status, reason, status)
    assert health.stats.cache_hits == sum(call.from_cache for call in calls)
    timed_out = sum(call.status is CallStatus.TIMED_OUT and call.ran for call in calls)
    assert health.stats.failures_by_kind.get(ErrorKind.TIMEOUT, 0) == timed_out


def test_a_tool_that_failed_at_many_arguments_before_the_window_is_still_seen_to_fail(
    metrics: ToolMetrics, registry: ToolHealthRegistry, clock: Clock
) -> None:
    for call in failed_at(*range(200)):
        metrics.record(call)
    clock.now_s += registry.limits("search").window_s + 1
    for call in failed_at("a", "b", "c"):
        metrics.record(call)
    assert registry.check("search").status is DOWN


@pytest.mark.parametrize(
    "limits",
    [
        {"success_up": 0.5, "success_down": 0.8},
        {"success_up": 1.1},
        {"p95_ms": 0},
        {"p95_ms": float("nan")},
        {"window_s": float("inf")},
        {"window_calls": 0},
        {"least": 3},
    ],
)
def test_limits_that_mean_nothing_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        HealthLimits.model_validate(limits)


def test_limits_cannot_look_further_back_than_runs_are_kept(clock: Clock) -> None:
    registry = ToolHealthRegistry(ToolMetrics(clock, most_calls=50))
    with pytest.raises(ValueError, match="look at up to 50 runs, which are kept; got 51"):
        registry.register("search", HealthLimits(window_calls=51))
    assert not registry.names
