"""Health for other programs: as JSON, and as the text that Prometheus collects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tools.health.indicator import Health, HealthStatus

_QUANTILES: Final = (("0.5", "p50_ms"), ("0.95", "p95_ms"), ("0.99", "p99_ms"))
_ESCAPES: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def document(healths: Iterable[Health], overall: HealthStatus) -> dict[str, Any]:
    """Return health as plain values, times in milliseconds and moments in ISO 8601.

    Args:
        healths: Of the tools, in the order wanted.
        overall: The worst of all.
    """
    return {"overall": overall.value, "tools": {health.tool_name: _plain(health) for health in healths}}


def as_json(healths: Iterable[Health], overall: HealthStatus) -> str:
    """Return health as indented JSON; see `document`."""
    return json.dumps(document(healths, overall), indent=2, ensure_ascii=False)


def as_prometheus(healths: Iterable[Health]) -> str:
    """Return health in the text format of Prometheus.

    Every number is of the window that the tool is judged by, so all of them are gauges but for the run times, which are
    a summary.

    Args:
        healths: Of the tools.

    Source: Prometheus, "Exposition formats", text format 0.0.4.
    """
    known = list(healths)
    return "".join(f"{line}\n" for line in (*_statuses(known), *_counts(known), *_failures(known), *_times(known)))


def _plain(health: Health) -> dict[str, Any]:
    stats = health.stats
    return {
        "status": health.status.value,
        "reason": health.reason,
        "runs": stats.count,
        "successes": stats.successes,
        "failures_by_kind": {kind.value: count for kind, count in stats.failures_by_kind.items()},
        "success_rate": stats.success_rate,
        "min_ms": stats.min_ms,
        "mean_ms": stats.mean_ms,
        "p50_ms": stats.p50_ms,
        "p95_ms": stats.p95_ms,
        "p99_ms": stats.p99_ms,
        "max_ms": stats.max_ms,
        "retries": stats.retries,
        "waiting_for_review_ms": stats.waiting_for_review_ms,
        "queueing_ms": stats.queueing_ms,
        "cache_hits": stats.cache_hits,
        "last_error": stats.last_error,
        "last_error_at": None if stats.last_error_at is None else stats.last_error_at.isoformat(),
        "last_run_at": None if stats.last_run_at is None else stats.last_run_at.isoformat(),
    }


def _statuses(healths: list[Health]) -> Iterator[str]:
    yield from _head("tool_health", "gauge", "1 for the status that the tool has, 0 for the others.")
    for health in healths:
        for status in HealthStatus:
            yield _sample("tool_health", int(health.status is status), tool=health.tool_name, status=status.value)


def _counts(healths: list[Health]) -> Iterator[str]:
    facts = (
        ("tool_window_runs", "Runs within the window.", "count"),
        ("tool_window_successes", "Runs within the window that succeeded.", "successes"),
        ("tool_window_retries", "Further attempts of the runs within the window.", "retries"),
    )
    for name, meaning, attribute in facts:
        yield from _head(name, "gauge", meaning)
        for health in healths:
            yield _sample(name, getattr(health.stats, attribute), tool=health.tool_name)


def _failures(healths: list[Health]) -> Iterator[str]:
    yield from _head("tool_window_failures", "gauge", "Failed runs within the window, by kind.")
    for health in healths:
        for kind, count in health.stats.failures_by_kind.items():
            yield _sample("tool_window_failures", count, tool=health.tool_name, kind=kind.value)


def _times(healths: list[Health]) -> Iterator[str]:
    name = "tool_window_run_seconds"
    yield from _head(name, "summary", "Seconds in the tool of the runs within the window.")
    for health in healths:
        stats = health.stats
        if stats.mean_ms is None:
            continue
        for quantile, attribute in _QUANTILES:
            yield _sample(name, getattr(stats, attribute) / 1000, tool=health.tool_name, quantile=quantile)
        yield _sample(f"{name}_sum", stats.mean_ms * stats.count / 1000, tool=health.tool_name)
        yield _sample(f"{name}_count", stats.count, tool=health.tool_name)


def _head(name: str, kind: str, meaning: str) -> tuple[str, str]:
    return f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"


def _sample(name: str, value: float, **labels: str) -> str:
    written = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in labels.items())
    return f"{name}{{{written}}} {value!r}"
