"""What charts are drawn from: round marks, points with gaps, the moment a limit was crossed, a table of values."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.charts.lines import (
    Points,
    count_ticks,
    crossed_at,
    duration_ticks,
    lone_points,
    moment_text,
    points_of,
    share_ticks,
    spread,
    table_of,
    time_ticks,
)
from console.charts.tool_plots import counts_of, in_sight
from tools.health import Slot

NOON = datetime(2026, 5, 12, 12, tzinfo=UTC)
NOON_S = NOON.timestamp()
NAN = math.nan


@pytest.fixture(autouse=True)
def two_hours_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "EAST-2")
        time.tzset()
        yield
    time.tzset()


def slot(minute: int, p95_ms: float | None = 100.0, **changes: object) -> Slot:
    made = Slot(NOON + timedelta(minutes=minute), 60, {"you": 1}, 1, 0, {}, p95_ms, p95_ms, p95_ms)
    return made._replace(**changes)  # type: ignore[arg-type]


def p95(one: Slot) -> float | None:
    return one.p95_ms


@pytest.mark.parametrize(
    ("length_s", "texts"),
    [
        (2.69, ["0", "0.5 s", "1.0 s", "1.5 s", "2.0 s", "2.5 s"]),
        (0.038, ["0", "10 ms", "20 ms", "30 ms"]),
        (0.0021, ["0", "0.5 ms", "1.0 ms", "1.5 ms", "2.0 ms"]),
        (0.0, ["0"]),
        (90.0, ["0", "20 s", "40 s", "60 s", "80 s"]),
    ],
)
def test_durations_have_round_marks(length_s: float, texts: list[str]) -> None:
    assert [tick.text for tick in duration_ticks(length_s, 6)] == texts


@given(st.floats(min_value=1e-7, max_value=1e6))
def test_durations_have_few_marks_inside_their_length(length_s: float) -> None:
    ticks = duration_ticks(length_s, 6)

    assert 2 <= len(ticks) <= 7
    assert ticks[-1].at <= length_s * 1.001
    assert len({tick.text for tick in ticks}) == len(ticks)


@given(st.floats(min_value=1e-4, max_value=1e5), st.integers(2, 6))
def test_marks_can_reach_beyond_the_end_by_less_than_a_step(length_s: float, most: int) -> None:
    ticks = duration_ticks(length_s, most, beyond=True)
    assert 2 <= len(ticks) <= most + 2
    assert ticks[-2].at < length_s <= ticks[-1].at * 1.000001
    assert len({tick.text for tick in ticks}) == len(ticks)


@pytest.mark.parametrize(
    ("greatest", "texts"),
    [
        (0, ["0", "1"]),
        (1, ["0", "1"]),
        (3, ["0", "2", "4"]),
        (33, ["0", "20", "40"]),
        (60, ["0", "50", "100"]),
        (2000, ["0", "1,000", "2,000"]),
    ],
)
def test_counts_have_whole_marks_that_reach_up_to_the_greatest(greatest: int, texts: list[str]) -> None:
    assert [tick.text for tick in count_ticks(greatest, 2)] == texts


@pytest.mark.parametrize(
    ("least", "texts"),
    [
        (1.0, ["80%", "90%", "100%"]),
        (0.8, ["80%", "90%", "100%"]),
        (0.799, ["50%", "75%", "100%"]),
        (0.0, ["0%", "50%", "100%"]),
    ],
)
def test_shares_reach_down_to_the_least(least: float, texts: list[str]) -> None:
    assert [tick.text for tick in share_ticks(least)] == texts


@pytest.mark.parametrize(
    ("minutes", "texts"),
    [
        (5, ["13:58:00", "13:59:00", "14:00:00"]),
        (60, ["13:10", "13:20", "13:30", "13:40", "13:50", "14:00"]),
        (1440, ["18:00", "00:00", "06:00", "12:00"]),
        (10_080, ["Wed 06", "Thu 07", "Fri 08", "Sat 09", "Sun 10", "Mon 11", "Tue 12"]),
    ],
)
def test_times_have_round_local_marks(minutes: int, texts: list[str]) -> None:
    begins_s = NOON_S - minutes * 60 + 7
    found = [tick.text for tick in time_ticks(begins_s, NOON_S + 7, 7)]
    wanted = [text if minutes > 5 else text[:5] for text in texts]
    assert found[-len(wanted) :] == wanted
    assert len(found) <= 8


def test_moments_are_told_as_finely_as_slots_are_long() -> None:
    assert [moment_text(NOON_S + 5, slot_s) for slot_s in (5, 60, 900, 7200)] == [
        "14:00:05",
        "14:00",
        "14:00",
        "Tue 12 14:00",
    ]


def test_points_stand_at_the_middle_of_their_slots_and_the_last_where_time_ends() -> None:
    assert points_of([slot(0, 1.0), slot(1, 2.0)], p95, NOON_S + 70) == [(NOON_S + 30, 1.0), (NOON_S + 70, 2.0)]


def test_a_slot_that_is_missing_is_a_gap_and_so_is_one_in_which_nothing_ran() -> None:
    points = points_of([slot(0), slot(1), slot(4), slot(5, None), slot(6)], p95, NOON_S + 3600)
    assert [math.isnan(number) for _, number in points] == [False, False, True, False, True, False]
    times = [at_s for at_s, _ in points]
    assert times == sorted(times)
    assert lone_points(points) == [(NOON_S + 270, 100.0), (NOON_S + 390, 100.0)]


@pytest.mark.parametrize(
    ("numbers", "since"),
    [
        ([], None),
        ([1, 2, 1], None),
        ([1, 3, 2], None),
        ([1, 3], 0.5),
        ([3, 3], 0.0),
        ([1, 3, 1, 3, 4], 2.5),
        ([1, 3, NAN, 4], 0.5),
        ([1, NAN, 4, 5], 2.0),
        ([1, 3, NAN], 0.5),
        ([2, 4], 0.0),
    ],
)
def test_a_limit_of_2_is_crossed_where_the_line_crosses_it(numbers: list[float], since: float | None) -> None:
    points: Points = [(float(place), float(number)) for place, number in enumerate(numbers)]
    assert crossed_at(points, 2.0) == since


@given(st.lists(st.floats(0, 200), max_size=5))
def test_names_move_apart_and_stay_on_the_plot(places: list[float]) -> None:
    wanted = sorted(places, reverse=True)
    found = spread(wanted, 14, 0, 200)
    assert all(lower - upper >= 14 - 1e-9 for lower, upper in pairwise(found))
    assert all(0 <= place <= 200 for place in found)
    if all(lower - upper >= 14 for lower, upper in pairwise(wanted)):
        assert found == pytest.approx(wanted, abs=1e-9)


@given(
    st.lists(st.floats(0, 1e6) | st.just(NAN), min_size=1, max_size=400),
    st.integers(1, 120),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_thinned_curves_keep_the_least_and_the_greatest_of_what_is_in_sight(
    numbers: list[float], width: int, one: float, other: float
) -> None:
    points = np.column_stack([np.arange(len(numbers), dtype=float), numbers])
    begins, ends = sorted((one * len(numbers), other * len(numbers)))
    found = in_sight(points, begins, ends, width)
    inside = [number for place, number in enumerate(numbers) if begins <= place < ends and not math.isnan(number)]
    if len(numbers) <= 2 * width:
        assert found is points
    else:
        assert len(found) <= 2 * width
    if inside:
        assert np.nanmin(found[:, 1]) <= min(inside)
        assert np.nanmax(found[:, 1]) >= max(inside)
    assert (np.diff(found[:, 0]) >= 0).all()


def test_a_gap_wider_than_a_pixel_stays_one() -> None:
    numbers = [1.0] * 300 + [NAN] * 100 + [1.0] * 300
    points = np.column_stack([np.arange(700.0), numbers])
    assert np.isnan(in_sight(points, 0, 700, 100)[:, 1]).sum() >= 20


@given(
    st.dictionaries(
        st.sampled_from(["you", "agent", "batch", "mcp", "probe"]), st.tuples(st.integers(0, 50), st.integers(0, 50))
    )
)
def test_the_parts_of_a_bar_are_all_calls_and_those_of_failures_all_failures(
    by_caller: dict[str, tuple[int, int]],
) -> None:
    calls = {caller: succeeded + failed for caller, (succeeded, failed) in by_caller.items()}
    failed = {caller: failed for caller, (_, failed) in by_caller.items() if failed}
    counts = counts_of(slot(0, calls=calls, failed=failed, failures=sum(failed.values())))
    assert sum(counts.values()) == sum(calls.values())
    assert counts["failed"] == sum(failed.values())
    assert counts["you"] == by_caller.get("you", (0, 0))[0]
    assert counts["other"] == by_caller.get("mcp", (0, 0))[0] + by_caller.get("probe", (0, 0))[0]


def test_a_table_has_a_line_for_each_slot_and_nothing_where_nothing_is_known() -> None:
    lines = table_of([slot(0, 12.5), slot(1, None, runs=0, calls={"you": 2, "agent": 1})]).splitlines()
    assert [line.split("\t") for line in lines] == [
        ["begins at", "seconds", "calls", "runs", "failed", "P50 ms", "P95 ms", "P99 ms"],
        ["2026-05-12T12:00:00+00:00", "60", "1", "1", "0", "12.500", "12.500", "12.500"],
        ["2026-05-12T12:01:00+00:00", "60", "3", "0", "0", "", "", ""],
    ]
