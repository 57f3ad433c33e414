from __future__ import annotations

import threading

import pytest

from tools import CallStatus, ToolMetrics
from tools.metrics import WINDOW


@pytest.mark.reference("A39")
def test_calls_are_counted_by_how_they_ended() -> None:
    metrics = ToolMetrics()
    metrics.record("a", CallStatus.EXECUTED, 0.1, from_cache=False)
    metrics.record("a", CallStatus.EXECUTED, 0.0, from_cache=True)
    metrics.record("a", CallStatus.FAILED, 0.3, from_cache=False)
    metrics.record("a", CallStatus.FAILED, 0.0, from_cache=True)
    metrics.record("a", CallStatus.DENIED, 9.0, from_cache=False)
    numbers = metrics.numbers("a")
    assert numbers.total == 5
    assert numbers.by_status == {CallStatus.EXECUTED: 2, CallStatus.FAILED: 2, CallStatus.DENIED: 1}
    assert numbers.cache_hits == 2
    assert numbers.durations_s == (0.1, 0.3)
    assert metrics.names() == ("a",)


def test_a_tool_that_never_ran_has_nothing_but_zeros() -> None:
    numbers = ToolMetrics().numbers("a")
    assert tuple(numbers) == (0, {}, 0, ())
    assert numbers.percentile_s(0.5) is None


@pytest.mark.parametrize(
    ("share", "expected"), [(0, 1.0), (0.5, 50.0), (0.57, 57.0), (0.95, 95.0), (0.99, 99.0), (1, 100.0)]
)
def test_percentiles_are_of_the_nearest_rank(share: float, expected: float) -> None:
    metrics = ToolMetrics()
    for duration in range(100, 0, -1):
        metrics.record("a", CallStatus.EXECUTED, float(duration), from_cache=False)
    assert metrics.numbers("a").percentile_s(share) == expected


def test_the_newest_durations_are_kept() -> None:
    metrics = ToolMetrics()
    for duration in range(WINDOW + 5):
        metrics.record("a", CallStatus.EXECUTED, float(duration), from_cache=False)
    numbers = metrics.numbers("a")
    assert numbers.total == WINDOW + 5
    assert (numbers.durations_s[0], len(numbers.durations_s)) == (5.0, WINDOW)


def test_numbers_can_be_read_from_another_thread_while_they_grow() -> None:
    metrics = ToolMetrics()
    seen: list[int] = []

    def read() -> None:
        seen.extend(metrics.numbers("a").total for _ in range(200))

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(2000):
        metrics.record("a", CallStatus.EXECUTED, 0.1, from_cache=False)
    reader.join()
    assert seen == sorted(seen)
