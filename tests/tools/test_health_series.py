from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from tools import CallStatus, ToolCall
from tools.calls import Attempt, CacheUse, CallError, CallFinished, ErrorKind, StepKind, TraceStep, record_of
from tools.health import SPANS, HealthChange, HealthSeries, HealthStatus, Slot, Transitions
from tools.health.time_slots import KNOWN, bin_of, ms_of

if TYPE_CHECKING:
    from pathlib import Path

NOON = datetime(2026, 3, 31, 12, 0, 1, tzinfo=UTC)


def ended(
    series: HealthSeries,
    at: datetime,
    elapsed_s: float = 0.1,
    *,
    name: str = "search",
    status: CallStatus = CallStatus.EXECUTED,
    caller: str = "you",
    attempts: int = 1,
    from_cache: bool = False,
    waited_s: float = 0.0,
) -> None:
    call = ToolCall("1", None, name, {}, caller, 0.0)
    call.proposed_s = at.timestamp() - elapsed_s
    call.response.status, call.response.elapsed_s = status, elapsed_s
    call.response.attempts = [Attempt(number, 0.0) for number in range(1, attempts + 1)]
    call.response.cache_use = CacheUse.HIT if from_cache else CacheUse.NONE
    if status is not CallStatus.EXECUTED:
        call.response.error = CallError(ErrorKind.TOOL, "no answer")
    if waited_s:
        call.response.steps.append(TraceStep(StepKind.SECURITY_CHECK, 0.0, waited_s, waiting_s=waited_s))
    series(CallFinished(call, record_of(call)))


def read(series: HealthSeries, span: str, tool: str | None = None, now: datetime = NOON) -> list[Slot]:
    series.flush(now)
    return series.slots(SPANS[span], now, tool)


@pytest.mark.parametrize("elapsed_s", [1e-9, 1e-5, 0.00123, 0.5, 1.0, 59.0, 86_400.0])
def test_a_bin_stands_for_its_durations_within_the_stated_error(elapsed_s: float) -> None:
    off = abs(ms_of(bin_of(elapsed_s)) - max(elapsed_s, 1e-5) * 1000) / (max(elapsed_s, 1e-5) * 1000)
    assert off < 0.025


def test_slots_tell_counts_by_caller_failures_and_percentiles(tmp_path: Path) -> None:
    series, chance = HealthSeries(tmp_path), Random(1)
    elapsed = [chance.lognormvariate(0, 1) for _ in range(500)]
    for number, elapsed_s in enumerate(elapsed):
        status = CallStatus.FAILED if number % 10 == 0 else CallStatus.EXECUTED
        ended(series, NOON, elapsed_s, status=status, caller="agent:writer" if number % 2 else "you")
    (slot,) = read(series, "5 min")
    assert (slot.begins_at, slot.length_s) == (NOON - timedelta(seconds=1), 5)
    assert (slot.calls, slot.runs, slot.failures, slot.success_rate) == ({"agent": 250, "you": 250}, 500, 50, 0.9)
    assert slot.failed == {"you": 50}
    for percent, found in ((50, slot.p50_ms), (95, slot.p95_ms), (99, slot.p99_ms)):
        assert found == pytest.approx(sorted(elapsed)[percent * 5 - 1] * 1000, rel=0.025)


def test_gaps_stay_gaps_and_old_slots_go(tmp_path: Path) -> None:
    series = HealthSeries(tmp_path)
    for minutes in (0, 2, 59, 61, 60 * 23, 60 * 25, 60 * 24 * 6, 60 * 24 * 8):
        ended(series, NOON - timedelta(minutes=minutes))
    found = {
        name: [round((NOON - slot.begins_at).total_seconds() / 60) for slot in read(series, name)] for name in SPANS
    }
    assert found == {
        "5 min": [2, 0],
        "1 h": [59, 2, 0],
        "24 h": [1380, 75, 60, 15, 0],
        "7 d": [8640, 1560, 1440, 120, 0],
    }
    with closing(sqlite3.connect(series.path)) as file:
        assert file.execute("SELECT SUM(calls) FROM calls").fetchone() == (2 + 3 + 5 + 7,)


def test_what_did_not_run_is_a_call_and_no_run(tmp_path: Path) -> None:
    series = HealthSeries(tmp_path)
    ended(series, NOON, status=CallStatus.DENIED, attempts=0)
    ended(series, NOON, status=CallStatus.FAILED, attempts=0)
    ended(series, NOON, from_cache=True, attempts=0)
    ended(series, NOON, status=CallStatus.CANCELLED)
    (slot,) = read(series, "1 h")
    assert (slot.calls, slot.runs, slot.failures) == ({"you": 4}, 0, 0)
    assert (slot.success_rate, slot.p50_ms, slot.p95_ms, slot.p99_ms) == (None, None, None, None)
    ended(series, NOON, status=CallStatus.TIMED_OUT, elapsed_s=5.0)
    (slot,) = read(series, "1 h")
    assert (slot.calls, slot.runs, slot.failures) == ({"you": 5}, 1, 1)


def test_tools_are_told_apart_and_together(tmp_path: Path) -> None:
    series = HealthSeries(tmp_path)
    ended(series, NOON, name="search")
    ended(series, NOON, name="fetch")
    assert read(series, "24 h", "fetch")[0].runs == 1
    assert read(series, "24 h")[0].runs == 2
    assert read(series, "24 h", "unknown") == []


def test_a_file_that_has_only_changes_tells_of_no_calls(tmp_path: Path) -> None:
    transitions, series = Transitions(tmp_path), HealthSeries(tmp_path)
    transitions.take([HealthChange("search", HealthStatus.UP, HealthStatus.DOWN, "it fails", NOON)], NOON)
    transitions.flush(NOON)
    assert series.path.exists()
    assert (series.slots(SPANS["1 h"], NOON), series.totals(SPANS["1 h"], NOON)) == ([], {})


def test_several_tools_are_read_at_once_and_each_in_all(tmp_path: Path) -> None:
    series = HealthSeries(tmp_path)
    assert (series.totals(SPANS["1 h"], NOON), series.slots_by_tool(SPANS["1 h"], NOON, ["search"])) == ({}, {})
    chance = Random(2)
    elapsed = [chance.lognormvariate(0, 1) for _ in range(200)]
    for number, elapsed_s in enumerate(elapsed):
        ended(series, NOON - timedelta(seconds=number), elapsed_s, caller="agent:one" if number % 4 else "you")
        ended(series, NOON, name="fetch", status=CallStatus.FAILED, attempts=number % 2)
    ended(series, NOON - timedelta(hours=2), name="old")
    ended(series, NOON, name="it's")
    series.flush(NOON)
    totals = series.totals(SPANS["1 h"], NOON)
    assert sorted(totals) == ["fetch", "it's", "search"]
    search, fetch = totals["search"], totals["fetch"]
    assert (search.begins_at, search.length_s) == (NOON - timedelta(hours=1), 3600)
    assert (search.calls, search.runs, search.failures) == ({"agent": 150, "you": 50}, 200, 0)
    assert search.p95_ms == pytest.approx(sorted(elapsed)[189] * 1000, rel=0.025)
    assert (fetch.calls, fetch.runs, fetch.failures) == ({"you": 200}, 100, 100)
    assert (search.failed, fetch.failed) == ({}, {"you": 100})
    for span in SPANS.values():
        names = ["search", "it's", "unknown"]
        apart = {name: slots for name in names if (slots := series.slots(span, NOON, name))}
        assert series.slots_by_tool(span, NOON, names) == apart


def test_it_survives_a_restart_and_adds_to_what_another_program_wrote(tmp_path: Path) -> None:
    one, other = HealthSeries(tmp_path), HealthSeries(tmp_path)
    assert one.slots(SPANS["1 h"], NOON) == []
    ended(one, NOON)
    one.flush(NOON)
    ended(other, NOON, status=CallStatus.FAILED)
    other.flush(NOON)
    (slot,) = HealthSeries(tmp_path).slots(SPANS["1 h"], NOON)
    assert (slot.calls, slot.runs, slot.failures) == ({"you": 2}, 2, 1)


def test_the_time_that_a_person_takes_is_no_latency(tmp_path: Path) -> None:
    series = HealthSeries(tmp_path)
    ended(series, NOON, elapsed_s=60.1, waited_s=60.0)
    (slot,) = read(series, "5 min")
    assert slot.p99_ms == pytest.approx(100, rel=0.025)


@pytest.mark.expects_log("tools.health.series")
def test_a_damaged_file_is_kept_aside_and_a_new_one_begun(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    series = HealthSeries(tmp_path)
    series.path.write_bytes(b"no database at all" * 100)
    ended(series, NOON)
    (slot,) = read(series, "1 h")
    assert slot.runs == 1
    (aside,) = tmp_path.glob("health.sqlite.damaged-*")
    assert aside.read_bytes().startswith(b"no database at all")
    assert aside.name in caplog.text


def test_nothing_new_touches_no_file(tmp_path: Path) -> None:
    HealthSeries(tmp_path / "data").flush(NOON)
    assert not (tmp_path / "data").exists()


def test_what_cannot_be_written_waits_for_the_next_time(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    series = HealthSeries(tmp_path / "data")
    ended(series, NOON)
    with pytest.raises(OSError, match="data"):
        series.flush(NOON)
    (tmp_path / "data").unlink()
    assert read(series, "1 h")[0].runs == 1


def test_a_day_of_calls_is_rolled_up_as_counted_by_hand(tmp_path: Path) -> None:
    series, chance = HealthSeries(tmp_path), Random(2)
    calls = [(NOON - timedelta(seconds=chance.uniform(0, 85_000)), chance.random() < 0.1) for _ in range(3000)]
    for number, (at, failed) in enumerate(sorted(calls)):
        ended(series, at, status=CallStatus.FAILED if failed else CallStatus.EXECUTED)
        if number % 500 == 0:
            series.flush(NOON)
    slots = read(series, "24 h")
    by_hand: dict[datetime, list[bool]] = {}
    for at, failed in calls:
        begins_at = datetime.fromtimestamp(at.timestamp() // 900 * 900, UTC)
        by_hand.setdefault(begins_at, []).append(failed)
    assert {slot.begins_at: (slot.runs, slot.failures) for slot in slots} == {
        begins_at: (len(failed), sum(failed)) for begins_at, failed in by_hand.items()
    }


@pytest.mark.parametrize("seed", range(6))
def test_who_asks_again_and_again_is_told_the_same_as_who_asks_for_the_first_time(tmp_path: Path, seed: int) -> None:
    chance, now = Random(seed), NOON
    one, other = HealthSeries(tmp_path), HealthSeries(tmp_path)
    for _ in range(60):
        now += timedelta(seconds=chance.choice([0.25, 4, 20, 61, 400]))
        for _ in range(chance.randrange(4)):
            # Our own calls may be told however late, those of another program within the time that slots are open.
            late_s = chance.choice([0, 1, 59, 200, 4000])
            name = chance.choice(["search", "fetch"])
            ended(one, now - timedelta(seconds=late_s), chance.lognormvariate(0, 1), name=name)
            ended(other, now - timedelta(seconds=chance.uniform(0, 50)), caller="agent:one", name=name)
        one.flush(now)
        other.flush(now)
        span = SPANS[chance.choice(["5 min", "1 h", "24 h"])]
        fresh = HealthSeries(tmp_path)
        assert one.slots(span, now) == fresh.slots(span, now)
        names = chance.choice([["search"], ["search", "fetch"]])
        assert one.slots_by_tool(span, now, names) == fresh.slots_by_tool(span, now, names)


def test_what_another_program_adds_very_late_is_seen_soon(tmp_path: Path) -> None:
    one, other = HealthSeries(tmp_path), HealthSeries(tmp_path)
    ended(one, NOON - timedelta(minutes=10))
    assert len(read(one, "1 h")) == 1
    ended(other, NOON - timedelta(minutes=20))
    other.flush(NOON)

    assert len(read(one, "1 h", now=NOON + KNOWN)) == 2
