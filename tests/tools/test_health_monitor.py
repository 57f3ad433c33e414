from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tools import CallStatus, ToolMetrics
from tools.health import Health, HealthChange, HealthLimits, HealthMonitor, HealthStatus, ToolHealthRegistry
from tools.metrics import EndedCall

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
MORNING = datetime(2026, 3, 31, 6, 0, tzinfo=UTC)


class Day:
    """A day that passes as fast as a test likes, with two tools on watch."""

    def __init__(self, limits: HealthLimits | None = None) -> None:
        self.now_s = 1000.0
        self.metrics = ToolMetrics(lambda: self.now_s, wall=self.wall)
        self.registry = ToolHealthRegistry(self.metrics, limits or HealthLimits(least_calls=1))
        self.registry.register_all(["search", "fetch"])
        self.monitor = HealthMonitor(self.registry, self.metrics)

    def wall(self) -> datetime:
        return MORNING + timedelta(seconds=self.now_s - 1000)

    def run(self, good: int = 0, bad: int = 0, elapsed_s: float = 0.1, name: str = "search") -> None:
        for status, times in ((CallStatus.EXECUTED, good), (CallStatus.FAILED, bad)):
            for _ in range(times):
                self.metrics.record(EndedCall(name, status, elapsed_s, message="no answer"))

    def changes(self) -> list[tuple[str, HealthStatus, HealthStatus]]:
        return [change[:3] for change in self.monitor.look()]


@pytest.fixture
def day() -> Day:
    return Day()


def test_a_change_is_told_once_with_its_reason_and_its_time(day: Day) -> None:
    assert day.monitor.look() == ()
    day.run(good=9, bad=1)
    reason = "success is 90%, below 95%; failed once"
    change = HealthChange("search", UNKNOWN, DEGRADED, reason, MORNING)
    assert day.monitor.look() == (change,)
    assert day.monitor.look() == ()
    assert list(day.monitor.changes) == [change]
    health = day.monitor.health("search")
    assert (health.status, health.reason, day.monitor.since("search")) == (DEGRADED, reason, MORNING)


def test_worse_is_told_at_once_and_better_when_it_lasted(day: Day) -> None:
    day.run(good=100)
    assert day.changes() == [("search", UNKNOWN, UP)]
    day.now_s += 1
    day.run(bad=30)
    assert day.changes() == [("search", UP, DOWN)]
    day.now_s += 10
    day.run(good=100)
    assert day.changes() == []
    health = day.monitor.health("search")
    assert (health.status, health.reason) == (DOWN, "it does better again, which counts in 30 s")
    assert health.stats.count == 230
    day.now_s += 29.5
    assert day.changes() == []
    assert day.monitor.health("search").reason == "it does better again, which counts in 1 s"
    day.now_s += 0.5
    day.run(good=1)
    assert day.changes() == [("search", DOWN, DEGRADED)]


def test_a_tool_on_the_brink_does_not_flap(day: Day) -> None:
    day.run(good=19, bad=1)
    day.monitor.look()
    for _ in range(30):
        day.now_s += 5
        day.run(bad=1)
        day.monitor.look()
        day.now_s += 5
        day.run(good=19)
        day.monitor.look()
    assert [change[1:3] for change in day.monitor.changes] == [(UNKNOWN, UP), (UP, DEGRADED)]


def test_old_failures_leave_the_window_without_a_new_call(day: Day) -> None:
    day.run(bad=1)
    day.now_s += 890
    day.run(good=3)
    assert day.changes() == [("search", UNKNOWN, DOWN)]
    day.now_s += 10.5
    assert day.changes() == []
    day.now_s += 30
    assert day.changes() == [("search", DOWN, UP)]
    day.now_s += 900
    assert day.changes() == []
    day.now_s += 30
    assert day.changes() == [("search", UP, UNKNOWN)]


def test_only_tools_that_may_have_changed_are_judged(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    check = day.registry.check

    def noted(name: str) -> Health:
        judged.append(name)
        return check(name)

    monkeypatch.setattr(day.registry, "check", noted)
    day.monitor.look()
    day.run(good=1, name="fetch")
    day.now_s += 0.25
    day.monitor.look()
    day.now_s += 0.25
    day.monitor.look()
    assert judged == ["search", "fetch", "fetch"]
    day.now_s += 4.5
    day.monitor.look()
    assert judged[3:] == ["search"]
    day.monitor.look(at_all=True)
    assert judged[4:] == ["search", "fetch"]


def test_new_limits_and_tools_that_go_are_seen(day: Day) -> None:
    day.run(good=10, elapsed_s=3.0)
    assert day.changes() == [("search", UNKNOWN, UP)]
    undo = day.registry.register("search", HealthLimits(p95_ms=2000, least_calls=1))
    assert day.changes() == []
    assert [change.reason for change in day.monitor.look(at_all=True)] == ["P95 is 3 s, above 2 s"]
    undo()
    assert day.monitor.look() == ()
    assert day.monitor.since("search") is None


@pytest.mark.reference("A72")
def test_stats_tell_the_last_run_and_the_last_error(day: Day) -> None:
    day.run(bad=1)
    day.now_s += 60
    day.run(good=1)
    day.now_s += 30
    stats = day.registry.check("search").stats
    assert (stats.last_error, stats.last_error_at) == ("no answer", MORNING)
    assert stats.last_run_at == MORNING + timedelta(seconds=60)
    assert (stats.count, stats.successes, stats.failures, stats.success_rate) == (2, 1, 1, 0.5)


def test_one_failure_after_few_good_runs_is_told_at_once_and_is_no_change() -> None:
    day = Day(HealthLimits())
    day.run(good=5)
    assert day.changes() == [("search", UNKNOWN, UP)]
    day.run(bad=1)
    assert day.changes() == []
    health = day.monitor.health("search")
    assert (health.status, health.reason) == (UNKNOWN, "failed 1 of 6, too few runs to judge")
