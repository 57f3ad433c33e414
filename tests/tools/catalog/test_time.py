"""The clock, the zones and the calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.catalog.calling import failure_of, result_of
from tools.catalog.time import Time

NOW = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)


def run(folder: Path, name: str, **arguments: Any) -> Any:
    return result_of(Time(now=lambda: NOW), name, arguments, folder)


def test_the_time_is_told_in_a_zone(tmp_path: Path) -> None:
    moment = run(tmp_path, "current_time", zone="Europe/Berlin")

    assert moment.time.isoformat() == "2026-07-02T00:30:00+02:00"
    assert (moment.abbreviation, moment.utc_offset, moment.is_dst) == ("CEST", "+02:00", True)
    assert (moment.weekday, moment.iso_week, moment.day_of_year) == ("Thursday", "2026-W27", 183)
    assert moment.unix_s == NOW.timestamp()


def test_the_local_time_is_the_same_moment(tmp_path: Path) -> None:
    assert run(tmp_path, "current_time").time == NOW
    assert abs(result_of(Time(), "current_time", {}, tmp_path).time - datetime.now(UTC)) < timedelta(minutes=5)


@pytest.mark.parametrize(
    ("zone", "meant"),
    [("Europe/Berlim", "Europe/Berlin"), ("new york", "America/New_York"), ("../../etc/passwd", ""), ("", "")],
)
def test_an_unknown_zone_is_refused_with_a_suggestion(tmp_path: Path, zone: str, meant: str) -> None:
    message = failure_of(Time(), "current_time", {"zone": zone}, tmp_path)

    assert message.startswith("expected a time zone such as 'Europe/Berlin'")
    assert meant in message


def test_a_meeting_is_shown_everywhere(tmp_path: Path) -> None:
    converted = run(
        tmp_path,
        "convert_time",
        time="2026-03-10T15:00:00",
        from_zone="Europe/Berlin",
        to_zones=["America/New_York", "Asia/Kolkata", "UTC"],
    )

    # New York already has daylight saving time on that day, Berlin has not.
    assert [moment.time.isoformat() for moment in converted.converted] == [
        "2026-03-10T10:00:00-04:00",
        "2026-03-10T19:30:00+05:30",
        "2026-03-10T14:00:00+00:00",
    ]
    assert (converted.source.abbreviation, converted.note) == ("CET", "")


def test_an_offset_of_its_own_decides(tmp_path: Path) -> None:
    converted = run(
        tmp_path, "convert_time", time="2026-07-01T12:00:00-03:00", from_zone="Asia/Tokyo", to_zones=["UTC"]
    )

    assert converted.converted[0].time.isoformat() == "2026-07-01T15:00:00+00:00"
    assert converted.source.utc_offset == "-03:00"


@pytest.mark.parametrize(
    ("time", "utc", "note"),
    [
        ("2026-03-29T02:30:00", "01:30", "skip this time"),
        ("2026-10-25T02:30:00", "00:30", "show this time twice"),
        ("2026-10-25T03:30:00", "02:30", ""),
    ],
)
def test_odd_hours_are_named(tmp_path: Path, time: str, utc: str, note: str) -> None:
    converted = run(tmp_path, "convert_time", time=time, from_zone="Europe/Berlin", to_zones=["UTC"])

    assert f"{converted.converted[0].time:%H:%M}" == utc
    assert note in converted.note
    assert bool(note) == bool(converted.note)


def test_times_at_the_edge_of_the_calendar_fail_in_words(tmp_path: Path) -> None:
    arguments = {"time": "9999-12-31T23:59:00", "from_zone": "UTC", "to_zones": ["Asia/Tokyo"]}

    assert "outside the years 1 to 9999" in failure_of(Time(), "convert_time", arguments, tmp_path)


@pytest.mark.parametrize(
    ("start", "amounts", "result"),
    [
        ("2026-01-31", {"months": 1}, "2026-02-28T00:00:00"),
        ("2024-02-29", {"years": 1}, "2025-02-28T00:00:00"),
        ("2026-03-31T10:00:00", {"months": -1, "days": 1}, "2026-03-01T10:00:00"),
        ("2026-01-01T00:00:00+02:00", {"weeks": 1, "hours": 1.5}, "2026-01-08T01:30:00+02:00"),
        ("2026-01-01", {"seconds": -1}, "2025-12-31T23:59:59"),
        ("2026-05-01", {"weekdays": 1}, "2026-05-04T00:00:00"),
        ("2026-05-02", {"weekdays": 5}, "2026-05-08T00:00:00"),
        ("2026-05-03", {"weekdays": -1}, "2026-05-01T00:00:00"),
        ("2026-05-04", {"weekdays": -10}, "2026-04-20T00:00:00"),
        ("2026-05-04", {}, "2026-05-04T00:00:00"),
    ],
)
def test_dates_are_moved(tmp_path: Path, start: str, amounts: dict[str, float], result: str) -> None:
    assert run(tmp_path, "date_arithmetic", start=start, **amounts).result.isoformat() == result


def test_a_moved_date_knows_its_weekday_and_distance(tmp_path: Path) -> None:
    moved = run(tmp_path, "date_arithmetic", start="2026-01-01", days=-1)

    assert (moved.weekday, moved.days_between) == ("Wednesday", -1)


@pytest.mark.parametrize("amounts", [{"years": 9000}, {"days": -4_000_000}, {"hours": 1e300}])
def test_dates_outside_the_calendar_fail_in_words(tmp_path: Path, amounts: dict[str, float]) -> None:
    message = failure_of(Time(), "date_arithmetic", {"start": "2026-01-01", **amounts}, tmp_path)

    assert "the years 1 to 9999" in message


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(-300, 300))
def test_weekdays_are_counted_one_by_one(start: date, count: int) -> None:
    begin = datetime(start.year, start.month, start.day)  # noqa: DTZ001 -- a date without a zone is the case
    step = timedelta(days=1 if count > 0 else -1)
    expected, left = begin, abs(count)
    while left:
        expected += step
        left -= expected.weekday() < 5

    moved = Time().date_arithmetic(begin, weekdays=count)

    assert moved.result == expected


@pytest.mark.parametrize(
    ("start", "end", "text", "weekdays"),
    [
        ("2026-01-01", "2026-12-24", "11 months, 23 days", 255),
        ("2024-02-29", "2025-03-01", "1 year, 1 day", 262),
        ("2026-03-01T08:00:00Z", "2026-03-01T17:30:00+01:00", "8 hours, 30 minutes", 0),
        ("2026-05-04", "2026-05-01", "3 days earlier", -1),
        ("2026-05-04", "2026-05-04", "no time", 0),
        ("2026-05-04T00:00:00", "2026-05-04T00:00:01.5", "1.5 seconds", 0),
    ],
)
def test_the_time_between_two_dates_is_told(tmp_path: Path, start: str, end: str, text: str, weekdays: int) -> None:
    difference = run(tmp_path, "date_difference", start=start, end=end)

    assert (difference.text, difference.weekdays) == (text, weekdays)


def test_a_difference_has_totals(tmp_path: Path) -> None:
    difference = run(tmp_path, "date_difference", start="2026-01-01T00:00:00", end="2026-01-02T12:00:00")

    assert (difference.days, difference.hours, difference.total_days, difference.total_seconds) == (1, 12, 1.5, 129_600)


def test_dates_with_and_without_an_offset_cannot_be_compared(tmp_path: Path) -> None:
    arguments = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02"}

    assert "give both one, or neither" in failure_of(Time(), "date_difference", arguments, tmp_path)
