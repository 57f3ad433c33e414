"""Health for other programs: as JSON, and as the text that Prometheus collects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from tools.health.indicator import Health, HealthStatus
from tools.health.monitor import HealthChange
from tools.health.probe_outcome import CheckOutcome, ProbeSummary

_QUANTILES: Final = (("0.5", "p50_ms"), ("0.95", "p95_ms"), ("0.99", "p99_ms"))
_ESCAPES: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def document(healths: Iterable[Health], overall: HealthStatus, changes: Iterable[HealthChange] = ()) -> dict[str, Any]:
    """Return health as plain values, times in milliseconds and moments in ISO 8601.

    Args:
        healths: Of the tools, in the order wanted.
        changes: The changes that are known, in the order wanted.
    """
    return {
        "overall": overall.value,
        "tools": {health.tool_name: _plain(health) for health in healths},
        "changes": plain_changes(changes),
    }


def as_json(healths: Iterable[Health], overall: HealthStatus, changes: Iterable[HealthChange] = ()) -> str:
    """Return health as indented JSON; see `document`."""
    return json.dumps(document(healths, overall, changes), indent=2, ensure_ascii=False)


def as_prometheus(healths: Iterable[Health], changes: Iterable[HealthChange] = ()) -> str:
    """Return health in the text format of Prometheus.

    Every number is of the window that the tool is judged by, or of the changes that are kept, so all of them are gauges
    but for the run times, which are a summary.

    Source: Prometheus, "Exposition formats", text format 0.0.4.
    """
    known, changed = list(healths), list(changes)
    parts = (_statuses(known), _counts(known), _failures(known), _times(known), _probes(known), _changes(changed))
    return "".join(f"{line}\n" for part in parts for line in part)


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
        "probe": None if health.checked is None else _plain_probe(health.checked),
    }


def _plain_probe(checked: ProbeSummary) -> dict[str, Any]:
    latest = checked.latest
    return {
        "outcome": latest.outcome.value,
        "at": latest.at.isoformat(),
        "elapsed_ms": latest.elapsed_ms,
        "message": latest.message,
        "failed_in_a_row": checked.failed_in_a_row,
    }


def plain_changes(changes: Iterable[HealthChange]) -> list[dict[str, Any]]:
    """Return changes as plain values, moments in ISO 8601."""
    return [
        {
            "tool": change.tool_name,
            "before": change.before.value,
            "after": change.after.value,
            "reason": change.reason,
            "at": change.at.isoformat(),
        }
        for change in changes
    ]


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


def _probes(healths: list[Health]) -> Iterator[str]:
    probed = [(health.tool_name, health.checked) for health in healths if health.checked is not None]
    facts = (
        ("tool_probe_success", "1 when the newest probe passed, else 0.", _has_passed),
        ("tool_probe_seconds", "How long the newest probe took.", _took_s),
        ("tool_probe_failed_in_a_row", "Probes that failed since one passed.", _failed_in_a_row),
        ("tool_probe_timestamp_seconds", "When the newest probe ended.", _probed_at_s),
    )
    for name, meaning, fact in facts:
        yield from _head(name, "gauge", meaning)
        for tool, checked in probed:
            yield _sample(name, fact(checked), tool=tool)


def _has_passed(checked: ProbeSummary) -> float:
    return int(checked.latest.outcome is CheckOutcome.PASSED)


def _took_s(checked: ProbeSummary) -> float:
    return checked.latest.elapsed_ms / 1000


def _failed_in_a_row(checked: ProbeSummary) -> float:
    return checked.failed_in_a_row


def _probed_at_s(checked: ProbeSummary) -> float:
    return checked.latest.at.timestamp()


def _changes(changes: list[HealthChange]) -> Iterator[str]:
    counts = Counter((change.tool_name, change.after) for change in changes)
    yield from _head("tool_health_changes", "gauge", "How often the tool came to a status lately.")
    for (tool, status), count in sorted(counts.items()):
        yield _sample("tool_health_changes", count, tool=tool, status=status.value)
    newest: dict[str, datetime] = {}
    for change in changes:
        newest[change.tool_name] = max(change.at, newest.get(change.tool_name, change.at))
    yield from _head("tool_health_changed_timestamp_seconds", "gauge", "When the tool's status changed last.")
    for tool, at in sorted(newest.items()):
        yield _sample("tool_health_changed_timestamp_seconds", at.timestamp(), tool=tool)


def _head(name: str, kind: str, meaning: str) -> tuple[str, str]:
    return f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"


def _sample(name: str, value: float, **labels: str) -> str:
    written = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in labels.items())
    return f"{name}{{{written}}} {value!r}"
