"""What is counted of calls, and the window of the newest ones."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tools.running import Recorder
from tools import CallStatus, ToolContext, ToolFailure, ToolMetrics, tool
from tools.calls import ErrorKind, Measured
from tools.discovery import load_plugin
from tools.metrics import MOST_CALLS, CallWindow, EndedCall, Measure, ToolStats, WaitTimes, percentile, stats_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.running import ExecutorOf


@pytest.mark.reference("A39")
def test_calls_are_counted_by_how_they_ended() -> None:
    metrics = ToolMetrics()
    metrics.record(EndedCall("a", CallStatus.EXECUTED, 0.1))
    metrics.record(EndedCall("a", CallStatus.EXECUTED, 0.0, from_cache=True))
    metrics.record(EndedCall("a", CallStatus.FAILED, 0.3))
    metrics.record(EndedCall("a", CallStatus.FAILED, 0.0, from_cache=True))
    metrics.record(EndedCall("a", CallStatus.DENIED, 9.0))
    numbers = metrics.numbers("a")
    assert numbers.total == 5
    assert numbers.by_status == {CallStatus.EXECUTED: 2, CallStatus.FAILED: 2, CallStatus.DENIED: 1}
    assert numbers.cache_hits == 2
    assert metrics.stats("a").count == 2
    assert metrics.names() == ("a",)


def test_a_tool_that_never_ran_has_nothing_but_zeros() -> None:
    numbers = ToolMetrics().numbers("a")
    assert tuple(numbers) == (0, {}, 0, 0, 0, 0)
    assert ToolMetrics().stats("a") == ToolStats()


def test_the_newest_runs_are_kept() -> None:
    metrics = ToolMetrics()
    for duration in range(MOST_CALLS + 5):
        metrics.record(EndedCall("a", CallStatus.EXECUTED, float(duration)))
    stats = metrics.stats("a")
    assert metrics.numbers("a").total == MOST_CALLS + 5
    assert (stats.min_ms, stats.count) == (5000.0, MOST_CALLS)


def test_numbers_can_be_read_from_another_thread_while_they_grow() -> None:
    metrics = ToolMetrics()
    seen: list[int] = []

    def read() -> None:
        seen.extend(metrics.numbers("a").total for _ in range(200))

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(2000):
        metrics.record(EndedCall("a", CallStatus.EXECUTED, 0.1))
    reader.join()
    assert seen == sorted(seen)


@pytest.mark.reference("D51")
def test_callers_are_told_apart_and_a_failure_from_an_error(executor_of: ExecutorOf) -> None:
    @tool(isolation="inline")
    def work(how: str) -> str:
        if how == "failure":
            raise ToolFailure(how)
        if how == "error":
            raise KeyError(how)
        return how

    executor = executor_of(work)
    for caller, hows in {"agent:writer": ["well", "well", "failure"], "agent:critic": ["well", "error"]}.items():
        for how in hows:
            executor.run("work", {"how": how}, caller=caller)
    metrics = executor.metrics
    assert metrics.callers("work") == ("agent:writer", "agent:critic")
    writer, critic, all_of_them = (metrics.numbers("work", who) for who in ("agent:writer", "agent:critic", None))
    assert (writer.total, writer.by_status[CallStatus.EXECUTED], writer.failures, writer.errors) == (3, 2, 1, 0)
    assert (critic.total, critic.by_status[CallStatus.EXECUTED], critic.failures, critic.errors) == (2, 1, 0, 1)
    assert (all_of_them.total, all_of_them.failures, all_of_them.errors) == (5, 1, 1)
    assert (writer.runs, critic.runs, all_of_them.runs) == (3, 2, 5)
    assert writer.running_s + critic.running_s == pytest.approx(all_of_them.running_s)
    stats = metrics.stats("work")
    assert stats.mean_ms is not None
    assert all_of_them.running_s * 1000 == pytest.approx(stats.mean_ms * stats.count)
    assert metrics.numbers("work", "agent:nobody").runs == 0


@pytest.mark.reference("D51")
@pytest.mark.parametrize("inline", [True, False])
def test_a_tool_keeps_counters_and_values_of_its_own(executor_of: ExecutorOf, inline: bool) -> None:
    @tool(isolation="inline" if inline else "thread")
    def load(rows: int, ctx: ToolContext) -> None:
        ctx.count("rows", rows)
        ctx.count("files")
        ctx.observe("size_bytes", rows * 10)

    recorder = Recorder()
    executor = executor_of(load, listeners=[recorder])
    for rows in (3, 1, 2):
        executor.run("load", {"rows": rows})
    metrics = executor.metrics
    assert metrics.counters("load") == {"rows": 6, "files": 3}
    assert metrics.counter("rows", tool="load") == 6
    assert metrics.measures("load") == {"size_bytes": Measure(3, 60, 10, 30, 20)}
    size = metrics.measure("size_bytes", tool="load")
    assert size is not None
    assert size.mean == 20
    assert (metrics.counters(), metrics.counter("rows"), metrics.measure("size_bytes")) == ({}, 0, None)
    assert [event.measurement.name for event in recorder.events if isinstance(event, Measured)] == [
        "rows", "files", "size_bytes",
    ] * 3  # fmt: skip


@pytest.mark.reference("D51")
def test_the_program_counts_too_and_what_is_no_number_is_refused() -> None:
    metrics = ToolMetrics()
    metrics.count("turns")
    metrics.count("turns", 2)
    metrics.observe("wait_s", 0.5)
    assert metrics.counters() == {"turns": 3}
    assert metrics.measures() == {"wait_s": Measure(1, 0.5, 0.5, 0.5, 0.5)}
    with pytest.raises(ValueError, match="expected a finite number for 'turns', got nan"):
        metrics.count("turns", math.nan)
    assert metrics.counter("turns") == 3


def test_a_tool_that_counts_what_is_no_number_fails(executor_of: ExecutorOf) -> None:
    @tool
    def work(ctx: ToolContext) -> None:
        ctx.observe("share", math.inf)

    response = executor_of(work).run("work")
    assert response.text == "Error: expected a finite number for 'share', got inf"


def test_names_that_somebody_invents_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.metrics.metrics.MOST_NAMES", 2)
    monkeypatch.setattr("tools.metrics.metrics.MOST_CALLERS", 2)
    metrics = ToolMetrics()
    for number in range(5):
        metrics.record(EndedCall(f"invented_{number}", CallStatus.NOT_FOUND, 0.0))
        metrics.record(EndedCall("real", CallStatus.EXECUTED, 0.1, caller=f"agent:{number}"))
    assert metrics.names() == ("invented_0", "real", "(unknown tools)")
    assert metrics.numbers("(unknown tools)").by_status == {CallStatus.NOT_FOUND: 4}
    assert metrics.callers("real") == ("agent:0", "agent:1", "(others)")
    assert metrics.numbers("real", "(others)").total == 3
    metrics.count("a")
    metrics.count("b")
    with pytest.raises(ValueError, match="'c' would be one name more than the 2 that are kept"):
        metrics.count("c")
    metrics.count("a")
    assert metrics.counters() == {"a": 2, "b": 1}


def test_values_counted_by_many_threads_are_all_there() -> None:
    metrics = ToolMetrics()

    def work() -> None:
        for value in range(1000):
            metrics.count("calls")
            metrics.observe("value", value)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert metrics.counter("calls") == 4000
    measure = metrics.measure("value")
    assert measure is not None
    assert measure[:4] == (4000, 4 * 499_500, 0, 999)


PLUGIN = """
from tools import ToolContext, tool


@tool(isolation="process")
def load(rows: int, ctx: ToolContext) -> list[bool]:
    '''Load rows.'''
    ctx.count("rows", rows)
    ctx.observe("size_bytes", rows * 10)
    ctx.attach(b"draft", name="a.txt")
    ctx.attach(b"good", name="b.txt")
    return [ctx.detach("a.txt"), ctx.detach("a.txt"), ctx.detach("c.txt")]
"""


@pytest.mark.reference("D51", "E25")
def test_a_tool_in_a_process_of_its_own_counts_and_takes_files_out_again(
    executor_of: ExecutorOf, tmp_path: Path
) -> None:
    (tmp_path / "loading.py").write_text(PLUGIN)
    report = load_plugin(tmp_path / "loading.py")
    assert report.error == ""
    executor = executor_of(*report.tools)
    for rows in (1, 2):
        response = executor.run("load", {"rows": rows})
        assert response.json_result == [True, False, False], response.text
        assert [attachment.name for attachment in response.attachments] == ["b.txt"]
    assert executor.metrics.counters("load") == {"rows": 3}
    assert executor.metrics.measures("load") == {"size_bytes": Measure(2, 30, 10, 20, 20)}


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
    assert [run[:2] for run in found] == [run[:2] for run in kept]
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
    assert percentile([run.elapsed_s for run in window.runs()], percent) == expected


def test_runs_that_come_while_somebody_reads_are_whole_and_none_is_lost() -> None:
    window, seen = CallWindow(5000), list[int]()

    def read() -> None:
        while not seen or seen[-1] < 5000:
            runs = window.runs()
            assert all(run.ended_s == run.elapsed_s for run in runs)
            seen.append(len(runs))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 5001):
        window.add(float(number), float(number))
    for reader in readers:
        reader.join(20)
    assert seen[-1] == 5000
    assert [run.ended_s for run in window.runs()] == [float(number) for number in range(1, 5001)]
