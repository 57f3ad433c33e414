"""Where the time went, as values: the numbers of the mock-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.call_events import CallEnded
from console.call_result.recent import RecentCall, RecentCalls, strip_of
from console.call_result.waterfall import BarKind, Segment, timing_of
from tools import make_tool
from tools.calls import (
    Attempt,
    CallError,
    CallRecord,
    CallStatus,
    ErrorKind,
    StepKind,
    StepNote,
    StepOutcome,
    ToolRef,
    TraceStep,
)
from tools.spec import Policies, Retry
from tools.tool import Tool

MS = 0.001


def _tool(**policies: Any) -> Tool:
    def fetch_page() -> str:
        return ""

    return replace(make_tool("fetch_page", "Fetch a page", fetch_page), policies=Policies(**policies))


def _mock_up_steps() -> list[TraceStep]:
    plan = [
        TraceStep(StepKind.VALIDATION, 0, 0.4),
        TraceStep(StepKind.PRECONDITIONS, 0, 1.1),
        TraceStep(StepKind.CACHE_LOOKUP, 0, 0.8, StepOutcome.SKIPPED, StepNote.MISS),
        TraceStep(StepKind.RATE_LIMIT, 0, 184, StepOutcome.WAITED, waiting_s=184),
        TraceStep(StepKind.SECURITY_CHECK, 0, 6.2),
        TraceStep(StepKind.ATTEMPT, 0, 1500, StepOutcome.TIMED_OUT, number=1),
        TraceStep(StepKind.BACKOFF, 0, 250, StepOutcome.WAITED, waiting_s=250),
        TraceStep(StepKind.ATTEMPT, 0, 731, number=2),
        TraceStep(StepKind.POSTCONDITIONS, 0, 4.8),
        TraceStep(StepKind.AUDIT, 0, 3.1),
        TraceStep(StepKind.CACHE_STORE, 0, 1.9),
        TraceStep(StepKind.METRICS, 0, 0.2),
        TraceStep(StepKind.LISTENERS, 0, 2.5, number=3),
    ]
    steps = []
    now_s = 0.0
    for step in plan:
        steps.append(step._replace(started_s=now_s, elapsed_s=step.elapsed_s * MS, waiting_s=step.waiting_s * MS))
        now_s += step.elapsed_s * MS
    return steps


def _record(steps: list[TraceStep], *, id_: str = "call-1", attempts: int = 1, **facts: Any) -> CallRecord:
    moment = datetime(2026, 5, 12, 14, 31, 20, 220_000, tzinfo=UTC).timestamp()
    known = {
        "status": CallStatus.EXECUTED,
        "steps": tuple(steps),
        "elapsed_s": sum(step.elapsed_s for step in steps),
        "attempts": tuple(Attempt(number, 0.0) for number in range(1, attempts + 1)),
    }
    return CallRecord(id_, ToolRef("fetch_page", known=True), "you", moment, **{**known, **facts})


def _recent(
    count: int, elapsed_s: float = 0.742, steps_s: Mapping[StepKind, float] = MappingProxyType({})
) -> list[RecentCall]:
    return [
        RecentCall(f"old-{number}", elapsed_s, CallStatus.EXECUTED, 1, from_cache=False, steps_s=steps_s)
        for number in range(count)
    ]


def test_the_totals_of_the_mock_up() -> None:
    timing = timing_of(_record(_mock_up_steps(), attempts=2), _recent(49))

    assert [(total.label, total.value, total.note) for total in timing.totals] == [
        ("Total", "2.69 s", "3.6 × usual P50"),
        ("In the tool", "2.23 s", "83%"),
        ("Waiting", "434 ms", "16%"),
        ("Console overhead", "21 ms", "0.8%"),
    ]


def test_the_rows_of_the_mock_up() -> None:
    timing = timing_of(
        _record(_mock_up_steps(), attempts=2), _recent(49, steps_s={StepKind.ATTEMPT: 0.712, StepKind.AUDIT: 0.0029})
    )

    rows = {row.name: row for row in timing.rows}
    assert len(rows) == 13
    assert [segment.kind for row in timing.rows for segment in row.segments] == [
        BarKind.OVERHEAD,
        BarKind.OVERHEAD,
        BarKind.OVERHEAD,
        BarKind.WAITING,
        BarKind.OVERHEAD,
        BarKind.FAILED,
        BarKind.WAITING,
        BarKind.IN_TOOL,
        *[BarKind.OVERHEAD] * 5,
    ]
    assert (rows["Cache lookup"].glyph, rows["Cache lookup"].label) == ("circle-minus", "miss")
    assert (rows["Rate limit"].label, rows["Rate limit"].duration) == ("waited", "184 ms")
    failed = rows["Execute, attempt 1"]
    assert (failed.glyph, failed.tone, failed.label, failed.usual) == ("circle-x", "error", "timed out", "712 ms")
    assert (rows["Backoff"].glyph, rows["Backoff"].label, rows["Backoff"].usual) == ("hourglass", "250 ms", "none")
    assert rows["Audit"].usual == "2.9 ms"
    assert failed.started_s == pytest.approx(0.1925)


def test_the_details_of_the_failed_attempt() -> None:
    tool = _tool(timeout_s=1.5, retry=Retry(max_attempts=2, initial_delay_s=0.25))
    error = CallError(ErrorKind.TIMEOUT, "The server sent headers, then no data.", "ReadTimeout")

    details = timing_of(_record(_mock_up_steps(), attempts=2, error=error), policies=tool.policies).rows[5].details

    lines = {line.label: line.value for line in details.lines}
    assert (details.title, details.position) == ("Execute, attempt 1", "6 of 13")
    assert lines["Status"] == "Timed out"
    assert lines["Started"].endswith(".412, +192 ms")
    assert lines["Duration"] == "1.50 s, the full limit"
    assert lines["Error"] == "ReadTimeout"
    assert details.message == "The server sent headers, then no data."
    assert [(line.label, line.value) for line in details.further] == [
        ("Retry rule", "Once, after 250 ms"),
        ("Next step", "Backoff, then attempt 2"),
    ]


def test_an_earlier_failure_keeps_its_class() -> None:
    steps = [
        TraceStep(StepKind.ATTEMPT, 0, 1, StepOutcome.FAILED, error="ValueError", number=1),
        TraceStep(StepKind.ATTEMPT, 1, 1, StepOutcome.FAILED, error="OSError", number=2),
    ]
    error = CallError(ErrorKind.TOOL, "disk full", "OSError")

    first, last = (row.details for row in timing_of(_record(steps, status=CallStatus.FAILED, error=error)).rows)

    assert [line.value for line in first.lines if line.label == "Error"] == ["ValueError"]
    assert (first.message, last.message) == ("", "disk full")


@pytest.mark.parametrize(("attempts", "rule"), [(1, "Never"), (3, "Twice, after 500 ms"), (5, "4 times, after 500 ms")])
def test_retry_rules_in_words(attempts: int, rule: str) -> None:
    step = TraceStep(StepKind.ATTEMPT, 0, 1, StepOutcome.FAILED, error="ValueError")
    tool = _tool(retry=Retry(max_attempts=attempts))

    details = timing_of(_record([step]), policies=tool.policies).rows[0].details

    assert [(line.label, line.value) for line in details.further] == [("Retry rule", rule)]


def test_a_step_that_waited_for_a_person_has_two_parts() -> None:
    step = TraceStep(StepKind.SECURITY_CHECK, 1.0, 5.0, StepOutcome.OK, note=StepNote.APPROVED, waiting_s=4.0)

    row = timing_of(_record([step])).rows[0]

    assert row.segments == (Segment(1.0, 4.0, BarKind.WAITING), Segment(5.0, 1.0, BarKind.OVERHEAD))
    assert (row.started_s, row.elapsed_s) == (1.0, 5.0)
    assert [line.value for line in row.details.lines if line.label == "Waiting"] == ["4.00 s"]


def test_a_step_that_almost_only_waited_is_one_bar() -> None:
    step = TraceStep(StepKind.SECURITY_CHECK, 0.0, 5.0, StepOutcome.OK, note=StepNote.APPROVED, waiting_s=4.99)

    assert timing_of(_record([step])).rows[0].segments == (Segment(0.0, 5.0, BarKind.WAITING),)


def test_a_cancelled_step_is_no_error() -> None:
    step = TraceStep(StepKind.ATTEMPT, 0, 1, StepOutcome.CANCELLED)

    row = timing_of(_record([step], status=CallStatus.CANCELLED)).rows[0]

    assert (row.glyph, row.tone, row.label) == ("circle-slash", "idle", "cancelled")


def test_nothing_is_usual_before_three_calls() -> None:
    few, enough = (
        timing_of(_record(_mock_up_steps()), _recent(count, steps_s={StepKind.ATTEMPT: 0.7})) for count in (2, 3)
    )

    assert (few.totals[0].note, few.rows[7].usual) == ("", "")
    assert (enough.totals[0].note, enough.rows[7].usual) == ("3.6 × usual P50", "700 ms")


def test_failed_and_cached_calls_are_not_usual() -> None:
    recent = [call._replace(from_cache=True) for call in _recent(5)]
    recent += [call._replace(status=CallStatus.FAILED) for call in _recent(5)]

    assert timing_of(_record(_mock_up_steps()), recent).totals[0].note == ""


@given(
    st.lists(
        st.tuples(st.floats(0, 10), st.floats(0, 10), st.booleans(), st.sampled_from(list(StepOutcome))),
        min_size=1,
        max_size=20,
    )
)
def test_no_time_is_lost_or_made_up(parts: list[tuple[float, float, bool, StepOutcome]]) -> None:
    steps, now_s = [], 0.0
    for elapsed_s, waiting_s, in_tool, outcome in parts:
        kind = StepKind.ATTEMPT if in_tool else StepKind.AUDIT
        steps.append(TraceStep(kind, now_s, elapsed_s, outcome, waiting_s=min(waiting_s, elapsed_s)))
        now_s += elapsed_s

    timing = timing_of(_record(steps))

    for step, row in zip(steps, timing.rows, strict=True):
        assert row.elapsed_s == pytest.approx(step.elapsed_s)
        assert row.started_s == step.started_s
    assert timing.length_s >= max(step.started_s + step.elapsed_s for step in steps) - 1e-9


def test_the_strip_of_the_mock_up() -> None:
    recent = _recent(46)
    recent[10:10] = [call._replace(elapsed_s=2.6, attempts=2) for call in _recent(3, 2.6)]
    this = _recent(1)[0]._replace(call_id="call-1", elapsed_s=2.69, attempts=2)

    strip = strip_of([*recent, this], "call-1")

    assert strip is not None
    assert (strip.title, strip.note) == ("Last 50 calls", "4 with a retry · this one last")
    assert strip.median_text == "P50 742 ms"
    assert [bar.failed for bar in strip.bars].count(True) == 4
    assert [bar.this for bar in strip.bars].index(True) == 49
    assert strip.bars[0].share == pytest.approx(0.742 / 2.69)
    assert strip.bars[-1].tip == "2.69 s, executed"


def test_one_slow_call_does_not_flatten_the_others() -> None:
    strip = strip_of([*_recent(10, 0.1), *_recent(1, 60.0)], "x")

    assert strip is not None
    assert strip.bars[0].share == pytest.approx(0.25)
    assert strip.bars[-1].share == 1.0


def test_failures_are_counted_in_the_strip() -> None:
    strip = strip_of([*_recent(2), _recent(1)[0]._replace(status=CallStatus.FAILED)], "x")

    assert strip is not None
    assert strip.note == "1 failed"
    assert strip.median_share is None


def test_a_first_call_has_no_strip() -> None:
    assert timing_of(_record(_mock_up_steps())).strip is None


def test_the_shown_call_is_in_its_strip_once() -> None:
    known = timing_of(_record(_mock_up_steps(), id_="old-1"), _recent(2)).strip
    new = timing_of(_record(_mock_up_steps()), _recent(2)).strip

    assert known is not None
    assert new is not None
    assert (len(known.bars), len(new.bars)) == (2, 3)
    assert new.bars[-1].this


def test_a_call_that_still_waits_is_shown_and_not_compared() -> None:
    waiting = timing_of(_record(_mock_up_steps(), status=CallStatus.WAITING_FOR_REVIEW), _recent(2))

    assert waiting.rows
    assert waiting.strip is not None
    assert [bar.this for bar in waiting.strip.bars] == [False, False]


def test_retries_of_the_last_calls_are_told() -> None:
    recent = [*_recent(8), *[call._replace(attempts=2) for call in _recent(1)]]

    assert timing_of(_record(_mock_up_steps(), attempts=2), recent).note == "2 of the last 10 calls needed a retry."
    assert timing_of(_record(_mock_up_steps()), _recent(3)).note == ""


def test_recent_calls_are_kept_from_the_events() -> None:
    recent = RecentCalls(limit=2)
    calls = [_record(_mock_up_steps(), id_=f"call-{number}", attempts=2) for number in range(3)]
    lost = CallRecord("call-9", ToolRef("nowhere"), "you", 0.0)

    recent.record([*map(CallEnded, calls), CallEnded(lost)])

    kept = recent.of("fetch_page")
    assert [call.call_id for call in kept] == ["call-1", "call-2"]
    assert kept[0].steps_s[StepKind.ATTEMPT] == pytest.approx(0.731)
    assert (kept[0].attempts, kept[0].status) == (2, CallStatus.EXECUTED)
    assert recent.of("nowhere") == ()
