from __future__ import annotations

import math
import threading
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tools.calls import ErrorKind
from tools.metrics import CallWindow, ToolStats, WaitTimes, percentile, stats_of

RUNS = st.lists(
    st.tuples(
        st.floats(0, 5),
        st.floats(0, 100),
        st.none() | st.sampled_from(list(ErrorKind)),
        st.none() | st.builds(WaitTimes, st.integers(0, 3), st.floats(0, 9), st.floats(0, 9)),
    ),
    max_size=60,
)


def nearest_rank(values: list[float], percent: int) -> float:
    """Return the smallest value that at least this percentage of all does not exceed."""
    return next(
        value for value in sorted(values) if sum(other <= value for other in values) * 100 >= percent * len(values)
    )


@example([(0.0, 0.0, None, WaitTimes(1)), (0.0, 0.0, None, None)], 1, 0.0, None, 1)
@given(RUNS, st.integers(1, 20), st.floats(0, 200), st.none() | st.integers(0, 30), st.integers(1, 7))
def test_the_window_is_what_a_plain_list_of_runs_says(
    steps: list[Any], most: int, back_s: float, newest: int | None, look_every: int
) -> None:
    window, runs, now_s = CallWindow(most), [], 1.0
    for number, (passed_s, elapsed_s, failure, waits) in enumerate(steps):
        now_s += passed_s
        window.add(now_s, elapsed_s, failure, waits)
        runs.append((now_s, elapsed_s, failure, waits or WaitTimes()))
        if number % look_every == 0:
            window.runs()
    kept = runs[-most:]
    if newest is not None:
        kept = kept[len(kept) - min(newest, len(kept)) :]
    kept = [run for run in kept if run[0] >= now_s - back_s]
    found = window.runs(now_s - back_s, newest)
    assert found.ended_s.tolist() == [run[0] for run in kept]
    assert found.elapsed_s.tolist() == [run[1] for run in kept]
    stats = stats_of(found)
    assert (stats.count, stats.failures) == (len(kept), sum(run[2] is not None for run in kept))
    assert stats.failures_by_kind == {
        kind: count for kind in ErrorKind if (count := sum(run[2] is kind for run in kept))
    }
    assert stats.retries == sum(run[3].retries for run in kept)
    assert stats.waiting_for_review_ms == pytest.approx(sum(run[3].review_s for run in kept) * 1000)
    assert stats.queueing_ms == pytest.approx(sum(run[3].queued_s for run in kept) * 1000)
    if kept:
        elapsed_s = [run[1] for run in kept]
        for percent, found_ms in ((50, stats.p50_ms), (95, stats.p95_ms), (99, stats.p99_ms)):
            assert found_ms == nearest_rank(elapsed_s, percent) * 1000
        assert (stats.min_ms, stats.max_ms) == (min(elapsed_s) * 1000, max(elapsed_s) * 1000)
        assert stats.mean_ms == pytest.approx(math.fsum(elapsed_s) / len(kept) * 1000)


@pytest.mark.reference("A72")
def test_without_runs_there_is_nothing_to_say() -> None:
    stats = stats_of(CallWindow().runs())
    assert stats == ToolStats()
    assert (stats.success_rate, stats.failures, stats.p95_ms, stats.last_error) == (None, 0, None, None)


@pytest.mark.parametrize(
    ("percent", "expected"), [(0, 1.0), (50, 50.0), (57, 57.0), (95, 95.0), (99, 99.0), (100, 100.0)]
)
def test_percentiles_are_of_the_nearest_rank(percent: int, expected: float) -> None:
    window = CallWindow()
    for number in range(100, 0, -1):
        window.add(1.0, float(number))
    assert percentile(window.runs().elapsed_s, percent) == expected


def test_runs_that_come_while_somebody_reads_are_whole_and_none_is_lost() -> None:
    window, seen = CallWindow(5000), list[int]()

    def read() -> None:
        while not seen or seen[-1] < 5000:
            runs = window.runs()
            assert (runs.ended_s == runs.elapsed_s).all()
            seen.append(runs.count)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 5001):
        window.add(float(number), float(number))
    for reader in readers:
        reader.join(20)
    assert seen[-1] == 5000
    assert window.runs().ended_s.tolist() == [float(number) for number in range(1, 5001)]
