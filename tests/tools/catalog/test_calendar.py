"""Events, rules of recurrence, working days and meetings, on dates that anybody can look up."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tests.tools.catalog.calling import failure_of, result_of
from tools.catalog.calendar import Calendar

BERLIN = {"zone": "Europe/Berlin"}


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Calendar(lambda: datetime(2026, 1, 1, 12, tzinfo=UTC)), name, arguments, folder)


def times(folder: Path, rule: str, start: str, **more: Any) -> list[str]:
    found = run(folder, "next_occurrences", rule=rule, start=start, **BERLIN, **more)
    return [one.isoformat(timespec="minutes") for one in found.times]


def test_the_last_friday_of_each_month_is_found_through_the_change_of_clocks(tmp_path: Path) -> None:
    assert times(tmp_path, "FREQ=MONTHLY;BYDAY=-1FR", "2026-01-01T17:00:00", count=4) == [
        "2026-01-30T17:00+01:00",
        "2026-02-27T17:00+01:00",
        "2026-03-27T17:00+01:00",
        "2026-04-24T17:00+02:00",
    ]


def test_cron_leaves_weekends_out_and_a_skipped_hour_comes_late(tmp_path: Path) -> None:
    assert times(tmp_path, "0 9 * * 1-5", "2026-01-02T10:00:00", count=2) == [
        "2026-01-05T09:00+01:00",
        "2026-01-06T09:00+01:00",
    ]
    # At two o'clock on the 29th of March clocks show three.
    assert times(tmp_path, "30 2 * * *", "2026-03-28T12:00:00", count=2) == [
        "2026-03-29T03:30+02:00",
        "2026-03-30T02:30+02:00",
    ]


def test_a_rule_that_ends_says_that_nothing_comes_after(tmp_path: Path) -> None:
    found = run(tmp_path, "next_occurrences", rule="FREQ=DAILY;COUNT=2", start="2026-05-01T08:00:00", **BERLIN)

    assert (len(found.times), found.has_more, found.kind) == (2, False, "rrule")


def test_working_days_of_may_are_counted(tmp_path: Path) -> None:
    may = {"start": "2026-05-01", "end": "2026-05-31"}
    found = run(tmp_path, "working_days", **may, holidays=["2026-05-01", "2026-05-24", "2026-05-25"], limit=2)

    # Of 21 weekdays two are holidays; the 24th is a Sunday anyhow.
    assert (found.count, found.left_out) == (19, (date(2026, 5, 1), date(2026, 5, 25)))
    assert found.days == (date(2026, 5, 4), date(2026, 5, 5))
    assert run(tmp_path, "working_days", **may, weekend=["friday", "saturday"]).count == 21
    assert run(tmp_path, "working_days", **may, weekend=[]).count == 31


def test_a_meeting_follows_the_clocks_of_both_places(tmp_path: Path) -> None:
    zones = {"zones": ["Europe/Berlin", "America/New_York"], "days": 1}
    # New York's clocks change three weeks before those of Berlin.
    march = run(tmp_path, "plan_meeting", first_day="2026-03-10", **zones)
    april = run(tmp_path, "plan_meeting", first_day="2026-04-01", **zones)

    assert (march.slots[0].start.isoformat(), march.slots[-1].end.isoformat()) == (
        "2026-03-10T13:00:00+00:00",
        "2026-03-10T16:00:00+00:00",
    )
    assert (april.slots[0].start.isoformat(), april.slots[-1].end.isoformat()) == (
        "2026-04-01T13:00:00+00:00",
        "2026-04-01T15:00:00+00:00",
    )
    assert [local.hour for local in march.slots[0].local] == [14, 9]
    none = run(tmp_path, "plan_meeting", zones=["Asia/Tokyo", "Europe/London"], first_day="2026-03-10")
    assert none.slots == ()
    assert "never overlap" in none.advice


def test_a_made_event_is_read_back(tmp_path: Path) -> None:
    text = run(
        tmp_path,
        "make_event",
        summary="Review, with Jo",
        start="2026-03-10T14:00:00",
        duration_minutes=45,
        location="Room; 2",
        attendees=["jo@example.org"],
        repeats="FREQ=WEEKLY;COUNT=3",
        **BERLIN,
    )
    (tmp_path / "team.ics").write_text(text, encoding="utf-8", newline="")

    (event,) = run(tmp_path, "read_calendar", path="team.ics").events

    assert (event.summary, event.location, event.all_day) == ("Review, with Jo", "Room; 2", False)
    assert event.start.astimezone(UTC).isoformat() == "2026-03-10T13:00:00+00:00"
    assert (event.end - event.start).total_seconds() == 45 * 60
    assert event.attendees == ("jo@example.org",)
    assert event.repeats == "FREQ=WEEKLY;COUNT=3"


def test_an_end_before_the_start_is_refused(tmp_path: Path) -> None:
    given = {"start": "2026-05-02", "end": "2026-05-01"}

    message = failure_of(Calendar(), "working_days", given, tmp_path)

    assert message == "expected an end on or after the start, got 2026-05-02 to 2026-05-01"
