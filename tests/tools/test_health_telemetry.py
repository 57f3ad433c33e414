from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from tools import Executor, ToolConfigurationError, ToolFailure, ToolRegistry, cached, resolve_tools, tool
from tools.health import HealthChange, HealthChecks, HealthLimits, HealthStatus, Telemetry, ToolHealthRegistry


@tool(probe={"word": "probe"})
@cached()
def shout(word: str) -> str:
    return word.upper()


@tool
def fail(word: str) -> str:
    raise ToolFailure(word)


class Collected:
    def __init__(self) -> None:
        self.reader = InMemoryMetricReader()
        self.provider = MeterProvider([self.reader], shutdown_on_exit=False)
        self.meter = self.provider.get_meter("test")

    def points(self) -> dict[str, dict[tuple[str, ...], Any]]:
        """Return the newest value of each series, by metric and by the values of its attributes."""
        found: dict[str, dict[tuple[str, ...], Any]] = {}
        data = self.reader.get_metrics_data()
        assert data is not None
        for metric in data.resource_metrics[0].scope_metrics[0].metrics:
            for point in metric.data.data_points:
                attributes = point.attributes or {}
                key = tuple(str(attributes[name]) for name in sorted(attributes))
                value = getattr(point, "value", None)
                found.setdefault(metric.name, {})[key] = getattr(point, "count", None) if value is None else value
        return found


@pytest.fixture
def collected() -> Iterator[Collected]:
    collected = Collected()
    yield collected
    collected.provider.shutdown()


@pytest.fixture
def executor() -> Iterator[Executor]:
    executor = Executor(ToolRegistry(resolve_tools([shout, fail])))
    yield executor
    executor.close()


def test_calls_runs_and_health_are_collected_and_probes_apart(executor: Executor, collected: Collected) -> None:
    registry = ToolHealthRegistry(executor.metrics, HealthLimits(least_calls=1))
    registry.register_all(executor.registry)
    telemetry = Telemetry(lambda: registry.check_all().values(), collected.meter)
    executor.add_listener(telemetry)
    for word in ("a", "a", "b"):
        executor.run("shout", {"word": word}, caller="agent:writer")
    executor.run("fail", {"word": "x"})
    executor.run("nothing")
    assert executor._runner is not None
    executor._runner.run(HealthChecks(executor, registry).check_now())
    telemetry.take_change(HealthChange("fail", HealthStatus.UNKNOWN, HealthStatus.DOWN, "", datetime.now(UTC)))
    points = collected.points()
    assert points["tool.calls"] == {
        ("shout", "agent", "executed"): 3,
        ("fail", "you", "failed"): 1,
        ("nothing", "you", "not_found"): 1,
    }
    assert points["tool.duration"] == {("shout",): 2, ("tool", "fail"): 1}
    assert points["tool.probes"] == {("shout", "executed"): 1}
    assert points["tool.health.changes"] == {("fail", "down"): 1}
    assert {key for key, value in points["tool.health"].items() if value} == {("shout", "up"), ("fail", "down")}
    assert len(points["tool.health"]) == 8


def test_without_a_meter_that_of_the_program_is_taken(executor: Executor) -> None:
    executor.add_listener(Telemetry())
    assert executor.run("shout", {"word": "a"}).succeeded


def test_without_the_api_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(ToolConfigurationError, match=r"install tool-console\[otel\]"):
        Telemetry()
