"""Tell the time, convert it between zones, and calculate with dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from annotated_types import Ge, Le, Len
from dateutil import tz
from dateutil.relativedelta import relativedelta

from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Isolation, Param, ToolExample

Zone = Annotated[str, Param("A time zone such as Europe/Berlin or UTC; local is this computer's")]

_LOCAL: Final = "local"
_DAY_S: Final = 86_400


@dataclass(frozen=True)
class Moment:
    """A point in time as one zone's clocks show it.

    Attributes:
        time: Date and time with the offset from UTC.
        zone: The zone.
        abbreviation: What the zone calls this time, such as `CEST`.
        utc_offset: The offset from UTC, such as `+02:00`.
        is_dst: Whether daylight saving time applies.
        weekday: The day's English name.
        iso_week: Year and week after ISO 8601, such as `2026-W07`.
        day_of_year: 1 to 366.
        unix_s: Seconds since 1970 began in UTC.
    """

    time: datetime
    zone: str
    abbreviation: str
    utc_offset: str
    is_dst: bool
    weekday: str
    iso_week: str
    day_of_year: int
    unix_s: float


@dataclass(frozen=True)
class ConvertedTime:
    """One point in time in several zones.

    Attributes:
        source: As it was given.
        converted: In the zones asked for, in their order.
        note: What is odd about the time given; empty when nothing is.
    """

    source: Moment
    converted: tuple[Moment, ...]
    note: str


@dataclass(frozen=True)
class ShiftedDate:
    """A date that was moved.

    Attributes:
        start: Where it began.
        result: Where it is now.
        weekday: The result's weekday.
        days_between: Whole days from start to result; negative when the result is earlier.
    """

    start: datetime
    result: datetime
    weekday: str
    days_between: int


@dataclass(frozen=True)
class DateDifference:
    """The time from one date to another; every number is negative when the end is the earlier one.

    Attributes:
        text: The difference in words.
        years: Whole years of the calendar.
        months: Whole months beyond the years.
        days: Whole days beyond the months.
        hours: Whole hours beyond the days.
        minutes: Whole minutes beyond the hours.
        seconds: What is left.
        total_days: The whole difference in days.
        total_seconds: The whole difference in seconds.
        weekdays: Days from Monday to Friday in it, the first day counted and the last one not.
    """

    text: str
    years: int
    months: int
    days: int
    hours: int
    minutes: int
    seconds: float
    total_days: float
    total_seconds: float
    weekdays: int


def now_in_utc() -> datetime:
    """Return the time that it is."""
    return datetime.now(UTC)


@toolkit("Time", category="time")
class Time:
    """Tell the time, convert it between zones, and calculate with dates.

    Args:
        now: The clock; it returns an aware time.
    """

    def __init__(self, now: Callable[[], datetime] = now_in_utc) -> None:
        self._now = now

    @tool(
        keywords=("now", "clock", "today", "date", "timezone"),
        latency="fast",
        read_only=True,
        open_world=False,
        idempotent=True,
        isolation=Isolation.INLINE,
        examples=(
            ToolExample(input={}, description="This computer's time"),
            ToolExample(input={"zone": "Asia/Tokyo"}, description="The time in Tokyo"),
        ),
    )
    def current_time(self, zone: Zone = _LOCAL) -> Moment:
        """Tell the current date and time in a time zone, with weekday, week number and offset from UTC."""
        return _moment(self._now(), zone)

    @tool(
        keywords=("timezone", "zone", "utc", "daylight saving", "meeting"),
        latency="fast",
        read_only=True,
        open_world=False,
        isolation=Isolation.INLINE,
        examples=(
            ToolExample(
                input={
                    "time": "2026-03-10T15:00:00",
                    "from_zone": "Europe/Berlin",
                    "to_zones": ["America/New_York", "Asia/Tokyo"],
                },
                description="A meeting in Berlin, as New York and Tokyo see it",
            ),
            ToolExample(
                input={"time": "2026-07-01T12:00:00Z", "to_zones": ["Australia/Sydney"]},
                description="A time that says its own offset",
            ),
        ),
    )
    def convert_time(
        self,
        time: Annotated[datetime, Param("Date and time; its own offset from UTC, if it has one, decides")],
        to_zones: Annotated[list[str], Len(1, 50), Param("The time zones wanted, such as Asia/Tokyo")],
        from_zone: Zone = _LOCAL,
    ) -> ConvertedTime:
        """Convert a date and time from one time zone to others, daylight saving included.

        A time that the clocks skip or show twice is named in the note.
        """
        note = ""
        if time.tzinfo is None:
            zone = zone_of(from_zone)
            if not tz.datetime_exists(time, zone):
                note = f"the clocks of {from_zone} skip this time; it is read with the offset before the change"
            elif tz.datetime_ambiguous(time, zone):
                note = f"the clocks of {from_zone} show this time twice; the first is meant"
            time = time.replace(tzinfo=zone)
            source = _moment(time.astimezone(UTC), from_zone)
        else:
            source = _facts(time, time.tzname() or "UTC")
        return ConvertedTime(source, tuple(_moment(time.astimezone(UTC), name) for name in to_zones), note)

    @tool(
        keywords=("add", "subtract", "days", "months", "deadline", "calendar"),
        latency="fast",
        read_only=True,
        open_world=False,
        isolation=Isolation.INLINE,
        examples=(
            ToolExample(
                input={"start": "2026-01-31", "months": 1}, description="The end of January plus a month: 28 February"
            ),
            ToolExample(
                input={"start": "2026-05-04T09:00:00", "weekdays": -10}, description="Ten working days earlier"
            ),
        ),
    )
    def date_arithmetic(
        self,
        start: Annotated[datetime, Param("The date, with or without a time of day")],
        *,
        years: Annotated[int, Ge(-10_000), Le(10_000), Param("Years to add; negative numbers subtract")] = 0,
        months: Annotated[int, Ge(-100_000), Le(100_000), Param("Months to add")] = 0,
        weeks: Annotated[int, Ge(-500_000), Le(500_000), Param("Weeks to add")] = 0,
        days: Annotated[int, Ge(-4_000_000), Le(4_000_000), Param("Days to add")] = 0,
        weekdays: Annotated[int, Ge(-20_000), Le(20_000), Param("Days from Monday to Friday to add, counted last")] = 0,
        hours: Annotated[float, Param("Hours to add")] = 0,
        minutes: Annotated[float, Param("Minutes to add")] = 0,
        seconds: Annotated[float, Param("Seconds to add")] = 0,
    ) -> ShiftedDate:
        """Add years, months, weeks, days, working days or hours to a date; negative amounts subtract.

        A month later than 31 January is the last day of February. Years and months are added first.
        """
        try:
            moved = start + relativedelta(years=years, months=months)
            moved += timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
            moved = _plus_weekdays(moved, weekdays)
        except (OverflowError, ValueError) as error:
            raise ToolFailure(f"the result lies outside the years 1 to 9999 that a date can have: {error}") from error
        return ShiftedDate(start, moved, f"{moved:%A}", (moved.date() - start.date()).days)

    @tool(
        keywords=("between", "duration", "age", "days until", "interval", "elapsed"),
        latency="fast",
        read_only=True,
        open_world=False,
        isolation=Isolation.INLINE,
        examples=(
            ToolExample(
                input={"start": "2026-01-01", "end": "2026-12-24"}, description="From New Year to Christmas Eve"
            ),
            ToolExample(
                input={"start": "2026-03-01T08:00:00Z", "end": "2026-03-01T17:30:00+01:00"},
                description="Two times with their offsets",
            ),
        ),
    )
    def date_difference(
        self,
        start: Annotated[datetime, Param("The first date, with or without a time of day")],
        end: Annotated[datetime, Param("The second date")],
    ) -> DateDifference:
        """Tell how much time lies between two dates: in years, months and days, in days, in seconds, in weekdays."""
        if (start.tzinfo is None) != (end.tzinfo is None):
            raise ToolFailure("one date has an offset from UTC and the other has none; give both one, or neither")
        total_s = (end - start).total_seconds()
        parts = relativedelta(end.astimezone(UTC), start.astimezone(UTC)) if start.tzinfo else relativedelta(end, start)
        seconds = parts.seconds + parts.microseconds / 1e6
        return DateDifference(
            text=_in_words(parts, seconds, earlier=total_s < 0),
            years=parts.years,
            months=parts.months,
            days=parts.days,
            hours=parts.hours,
            minutes=parts.minutes,
            seconds=seconds,
            total_days=total_s / _DAY_S,
            total_seconds=total_s,
            weekdays=_weekdays_between(start, end),
        )


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name; `local` is this computer's.

    Raises:
        ToolFailure: There is no such zone; the nearest name is suggested.
    """
    if name.strip().casefold() == _LOCAL:
        return tz.tzlocal()
    try:
        return ZoneInfo(name.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        from rapidfuzz import process  # noqa: PLC0415 -- only a wrong name needs it

        near, *_ = process.extractOne(name.strip().replace(" ", "_"), sorted(available_timezones()))
        raise ToolFailure(
            f"expected a time zone such as 'Europe/Berlin' or 'UTC', got {name!r}; did you mean {near!r}?"
        ) from error


def _moment(utc: datetime, zone: str) -> Moment:
    try:
        return _facts(utc.astimezone(zone_of(zone)), zone.strip())
    except OverflowError as error:
        raise ToolFailure(f"{utc.isoformat()} lies outside the years 1 to 9999 in {zone}") from error


def _facts(time: datetime, zone: str) -> Moment:
    year, week, _ = time.isocalendar()
    offset = f"{time:%z}"
    return Moment(
        time=time,
        zone=zone,
        abbreviation=time.tzname() or "",
        utc_offset=f"{offset[:3]}:{offset[3:5]}",
        is_dst=bool(time.dst()),
        weekday=f"{time:%A}",
        iso_week=f"{year}-W{week:02}",
        day_of_year=time.timetuple().tm_yday,
        unix_s=time.timestamp(),
    )


def _plus_weekdays(start: datetime, count: int) -> datetime:
    if count == 0:
        return start
    step = 1 if count > 0 else -1
    moved = start
    # A weekend counts as the weekday it follows on the way.
    while not _is_weekday(moved):
        moved -= timedelta(days=step)
    whole_weeks, left = divmod(abs(count), 5)
    moved += timedelta(weeks=whole_weeks * step)
    while left:
        moved += timedelta(days=step)
        left -= _is_weekday(moved)
    return moved


def _is_weekday(day: datetime) -> bool:
    return day.weekday() < 5  # noqa: PLR2004 -- Saturday is 5


def _weekdays_between(start: datetime, end: datetime) -> int:
    first, last = sorted((start.date(), end.date()))
    whole_weeks, left = divmod((last - first).days, 7)
    count = whole_weeks * 5 + sum((first.weekday() + day) % 7 < 5 for day in range(left))  # noqa: PLR2004 -- likewise
    return count if start.date() <= end.date() else -count


def _in_words(parts: relativedelta, seconds: float, *, earlier: bool) -> str:
    amounts = {
        "year": parts.years,
        "month": parts.months,
        "day": parts.days,
        "hour": parts.hours,
        "minute": parts.minutes,
        "second": seconds,
    }
    words = [f"{abs(count):g} {unit}{'' if abs(count) == 1 else 's'}" for unit, count in amounts.items() if count]
    return (", ".join(words) or "no time") + (" earlier" if earlier else "")
