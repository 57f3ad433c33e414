"""Calendars: read and make events, when something comes back, working days, and when people can meet."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Le, Len

from tools.catalog._cron import read_cron
from tools.catalog._paths import need_file, refusals, shown
from tools.catalog.time import now_in_utc, zone_of
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Param, PathRole, ToolExample

Zone = Annotated[str, Param("A time zone such as Europe/Berlin or UTC; local is this computer's")]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

_LONGEST: Final = 2_000
_MOST_FILE_BYTES: Final = 20_000_000
_MOST_DAYS: Final = 36_600
_MOST_LOOKED_AT: Final = 200_000
_SLOT_MINUTES: Final = 15
_WEEKDAYS: Final[tuple[Weekday, ...]] = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip


@dataclass(frozen=True)
class CalendarEvent:
    """One event of a calendar.

    Attributes:
        summary: What it is.
        start: When it begins; a date alone is a whole day.
        end: When it ends; None when it does not say.
        all_day: Whether it takes whole days; the end is then the day after the last.
        location: Where it is; empty when it does not say.
        description: More about it, shortened.
        uid: Its identity.
        status: Such as `CONFIRMED`; empty when it does not say.
        organizer: Who invites; empty when it does not say.
        attendees: Who is invited.
        repeats: Its rule of recurrence (RRULE); empty when it happens once.
    """

    summary: str
    start: datetime | date
    end: datetime | date | None
    all_day: bool
    location: str
    description: str
    uid: str
    status: str
    organizer: str
    attendees: tuple[str, ...]
    repeats: str


@dataclass(frozen=True)
class CalendarEvents:
    """The events of a calendar that begin within a time, by their beginning.

    Attributes:
        events: The first of them.
        found: How many there are in all.
        truncated: Whether some are missing here.
    """

    events: tuple[CalendarEvent, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class Occurrences:
    """The next times of something that comes back.

    Attributes:
        times: The times, in order.
        has_more: Whether there are later ones.
        kind: How the rule was read, `rrule` or `cron`.
    """

    times: tuple[datetime, ...]
    has_more: bool
    kind: str


@dataclass(frozen=True)
class WorkingDays:
    """The working days between two dates.

    Attributes:
        count: How many there are, both ends counted.
        days: The days, as many as asked for.
        left_out: Holidays that fell on a working day.
    """

    count: int
    days: tuple[date, ...]
    left_out: tuple[date, ...]


@dataclass(frozen=True)
class MeetingSlot:
    """A time at which everybody works.

    Attributes:
        start: When it begins, in UTC.
        end: When it ends, in UTC.
        local: The beginning in each zone, in the order of the zones.
    """

    start: datetime
    end: datetime
    local: tuple[datetime, ...]


@dataclass(frozen=True)
class MeetingSlots:
    """When people in several zones can meet.

    Attributes:
        slots: The first times, in order; empty when they never work at the same time.
        advice: What to change when there are none; empty otherwise.
    """

    slots: tuple[MeetingSlot, ...]
    advice: str


@toolkit("Calendar", category="calendar")
class Calendar:
    """Read and make events, tell when something comes back, count working days, plan meetings.

    Args:
        now: The clock; it returns an aware time.
    """

    def __init__(self, now: Callable[[], datetime] = now_in_utc) -> None:
        self._now = now

    @tool(
        keywords=("ics", "icalendar", "appointments", "schedule", "events", "agenda"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"path": "data/team.ics"}, description="All events of a file", output={"truncated": False}
            ),
            ToolExample(
                input={"path": "data/team.ics", "since": "2026-01-01", "until": "2026-12-31", "words": "review"},
                description="The reviews of one year",
            ),
        ),
    )
    def read_calendar(
        self,
        path: Annotated[Path, Param("The calendar file (.ics)"), PathRole()],
        *,
        since: Annotated[date | None, Param("Only events that begin on this day or later")] = None,
        until: Annotated[date | None, Param("Only events that begin on this day or earlier")] = None,
        words: Annotated[str, Len(0, 200), Param("Only events whose name, place or description has this")] = "",
        limit: Annotated[int, Ge(1), Le(1000), Param("The most events to return")] = 100,
        ctx: ToolContext,
    ) -> CalendarEvents:
        """Read the events of an iCalendar file (.ics), by when they begin.

        An event that comes back stands there once, with its rule; next_occurrences tells its times.
        """
        if need_file(path, ctx.project_dir).st_size > _MOST_FILE_BYTES:
            raise ToolFailure(f"{shown(path, ctx.project_dir)!r} is larger than {_MOST_FILE_BYTES:,} bytes")
        with refusals(f"read {shown(path, ctx.project_dir)!r}"):
            content = path.read_bytes()
        low = words.casefold()
        found = [
            event
            for event in _events(content, shown(path, ctx.project_dir))
            if (since is None or _day(event.start) >= since)
            and (until is None or _day(event.start) <= until)
            and low in f"{event.summary}\n{event.location}\n{event.description}".casefold()
        ]
        found.sort(key=lambda event: (_day(event.start), _clock(event.start)))
        return CalendarEvents(tuple(found[:limit]), len(found), len(found) > limit)

    @tool(
        keywords=("ics", "icalendar", "invitation", "appointment", "schedule"),
        latency="medium",
        idempotent=False,
        read_only=True,
        open_world=False,
        timeout_s=10,
        examples=(
            ToolExample(
                input={
                    "summary": "Design review",
                    "start": "2026-03-10T15:00:00",
                    "zone": "Europe/Berlin",
                    "duration_minutes": 45,
                    "location": "Room 2",
                },
                description="An hour of one afternoon",
            ),
            ToolExample(
                input={"summary": "Backup", "start": "2026-01-04T02:00:00Z", "repeats": "FREQ=WEEKLY;COUNT=10"},
                description="Ten Sundays in a row",
            ),
        ),
    )
    def make_event(
        self,
        summary: Annotated[str, Len(1, 500), Param("What it is")],
        start: Annotated[datetime, Param("When it begins; its own offset from UTC, if it has one, decides")],
        *,
        zone: Zone = "local",
        duration_minutes: Annotated[int, Ge(1), Le(60 * 24 * 60), Param("How long it takes", unit="min")] = 60,
        all_day: Annotated[bool, Param("Take the whole day instead of a time of it")] = False,
        location: Annotated[str, Len(0, 500), Param("Where it is")] = "",
        description: Annotated[str, Len(0, 10_000), Param("More about it")] = "",
        attendees: Annotated[list[str], Len(0, 200), Param("Mail addresses of who is invited")] = [],  # noqa: B006
        repeats: Annotated[str, Len(0, 500), Param("A rule of recurrence, such as FREQ=WEEKLY;BYDAY=MO")] = "",
        remind_minutes: Annotated[int | None, Ge(0), Le(40_320), Param("Remind so long before", unit="min")] = None,
        ctx: ToolContext,
    ) -> str:
        """Make an iCalendar event (.ics) and return its text, which every calendar program imports.

        Nothing is written and nobody is invited; write_file keeps the text.
        """
        import icalendar  # noqa: PLC0415 -- the tools are listed without it

        aware = start if start.tzinfo else start.replace(tzinfo=zone_of(zone))
        event = icalendar.Event()
        event.add("uid", f"{secrets.token_hex(16)}@tool-console")
        event.add("dtstamp", self._now())
        event.add("summary", summary)
        try:
            whole_day = aware.date()
            event.add("dtstart", whole_day if all_day else _in_utc_or_zone(aware))
            ends = whole_day + timedelta(days=1) if all_day else aware + timedelta(minutes=duration_minutes)
            event.add("dtend", ends if all_day else _in_utc_or_zone(ends))  # type: ignore[arg-type]
        except OverflowError as error:
            raise ToolFailure("the event lies outside the years 1 to 9999 that a date can have") from error
        for name, value in (("location", location), ("description", description)):
            if value:
                event.add(name, value)
        for address in attendees:
            if "@" not in address or any(sign.isspace() for sign in address):
                raise ToolFailure(f"expected a mail address such as ada@example.org, got {address!r}")
            event.add("attendee", f"mailto:{address}")
        if repeats:
            _rule(repeats, aware)
            event.add("rrule", icalendar.vRecur.from_ical(repeats.removeprefix("RRULE:")))
        if remind_minutes is not None:
            alarm = icalendar.Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", summary)
            alarm.add("trigger", timedelta(minutes=-remind_minutes))
            event.add_component(alarm)
        whole = icalendar.Calendar()
        whole.add("prodid", "-//Tool Console//EN")
        whole.add("version", "2.0")
        whole.add_component(event)
        if not all_day:
            whole.add_missing_timezones()
        content: bytes = whole.to_ical()
        ctx.attach(content, "text/calendar", "event.ics")
        return content.decode()

    @tool(
        keywords=("rrule", "cron", "crontab", "schedule", "recurring", "repeat"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=20,
        examples=(
            ToolExample(
                input={"rule": "30 8 * * mon-fri", "start": "2026-02-27T12:00:00", "zone": "UTC", "count": 2},
                description="A cron expression: every weekday at 8:30",
                output={"kind": "cron", "times": ["2026-03-02T08:30:00Z", "2026-03-03T08:30:00Z"]},
            ),
            ToolExample(
                input={"rule": "FREQ=MONTHLY;BYDAY=-1FR", "start": "2026-01-01T17:00:00", "zone": "Europe/Berlin"},
                description="A calendar's rule: the last Friday of each month",
            ),
        ),
    )
    def next_occurrences(
        self,
        rule: Annotated[
            str, Len(1, 1000), Param("A rule such as FREQ=WEEKLY;BYDAY=MO (RRULE), or cron such as 0 9 * * 1-5")
        ],
        *,
        start: Annotated[datetime | None, Param("From when on; an RRULE begins here. None is now")] = None,
        zone: Zone = "local",
        count: Annotated[int, Ge(1), Le(500), Param("How many times to return")] = 10,
    ) -> Occurrences:
        """Tell the next times of something that comes back, by a calendar's rule (RRULE) or a cron expression.

        A time that the clocks skip in spring happens when they have been changed.
        """
        where = zone_of(zone)
        begin = start or self._now().astimezone(where).replace(microsecond=0)
        begin = begin.replace(tzinfo=where) if begin.tzinfo is None else begin.astimezone(where)
        if "FREQ" in rule.upper():
            times: Iterator[datetime] = iter(_rule(rule, begin))
            found, kind = list(islice(times, count + 1)), "rrule"
        else:
            wall = begin.replace(tzinfo=None)
            clock = (one.replace(tzinfo=where) for one in read_cron(rule).after(wall))
            found, kind = list(islice(clock, count + 1)), "cron"
        # Through UTC, where every time exists.
        told = tuple(_existing(one, where) for one in found[:count])
        return Occurrences(told, len(found) > count, kind)

    @tool(
        keywords=("business days", "weekdays", "holidays", "deadline", "workdays"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=20,
        examples=(
            ToolExample(
                input={"start": "2026-05-01", "end": "2026-05-31", "holidays": ["2026-05-01", "2026-05-25"]},
                description="The working days of a month with two holidays",
                output={"count": 19},
            ),
            ToolExample(
                input={"start": "2026-05-01", "end": "2026-05-31", "weekend": ["friday", "saturday"]},
                description="Where Sunday is a working day",
            ),
        ),
    )
    def working_days(
        self,
        start: Annotated[date, Param("The first day")],
        end: Annotated[date, Param("The last day; it counts too")],
        *,
        holidays: Annotated[list[date], Len(0, 2000), Param("Days nobody works")] = [],  # noqa: B006
        weekend: Annotated[list[Weekday], Len(0, 6), Param("The days of the week nobody works")] = [  # noqa: B006
            "saturday",
            "sunday",
        ],
        limit: Annotated[int, Ge(0), Le(5000), Param("The most days to list; all are counted")] = 50,
    ) -> WorkingDays:
        """Count and list the working days from one date to another, without weekends and holidays.

        Holidays differ by place and are given, not known.
        """
        if end < start:
            raise ToolFailure(f"expected an end on or after the start, got {start} to {end}")
        if (end - start).days > _MOST_DAYS:
            raise ToolFailure(f"expected at most {_MOST_DAYS:,} days, got {(end - start).days:,}")
        free = {_WEEKDAYS.index(day) for day in weekend}
        off = set(holidays)
        days = [start + timedelta(days=number) for number in range((end - start).days + 1)]
        weekdays = [day for day in days if day.weekday() not in free]
        worked = [day for day in weekdays if day not in off]
        return WorkingDays(len(worked), tuple(worked[:limit]), tuple(day for day in weekdays if day in off))

    @tool(
        keywords=("meeting", "time zones", "schedule", "availability", "overlap"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=20,
        examples=(
            ToolExample(
                input={"zones": ["Europe/Berlin", "America/New_York"], "first_day": "2026-03-10", "days": 2},
                description="Berlin and New York, within two days",
            ),
            ToolExample(
                input={
                    "zones": ["Asia/Tokyo", "Europe/London"],
                    "first_day": "2026-03-10",
                    "work_begins": "07:00:00",
                    "work_ends": "20:00:00",
                    "minutes": 30,
                },
                description="Far apart, with longer days",
            ),
        ),
    )
    def plan_meeting(
        self,
        zones: Annotated[list[str], Len(1, 20), Param("Where people are, such as Europe/Berlin")],
        first_day: Annotated[date, Param("The first day to look at")],
        *,
        days: Annotated[int, Ge(1), Le(31), Param("How many days to look at")] = 5,
        minutes: Annotated[int, Ge(5), Le(720), Param("How long the meeting takes", unit="min")] = 60,
        work_begins: Annotated[time, Param("When people begin to work, on their clocks")] = time(9),
        work_ends: Annotated[time, Param("When they stop")] = time(17),
        weekends: Annotated[bool, Param("Whether Saturdays and Sundays count as well")] = False,
        limit: Annotated[int, Ge(1), Le(200), Param("The most times to return")] = 20,
    ) -> MeetingSlots:
        """Find the times at which people in several time zones all work, in steps of a quarter of an hour."""
        where = [zone_of(name) for name in zones]
        begins, ends = work_begins.replace(tzinfo=None), work_ends.replace(tzinfo=None)
        if begins >= ends:
            raise ToolFailure(f"expected a working day that begins before it ends, got {begins} to {ends}")
        try:
            first = datetime.combine(first_day, time(), UTC) - timedelta(days=1)
            steps = (days + 2) * 24 * 60 // _SLOT_MINUTES
            starts = (first + timedelta(minutes=_SLOT_MINUTES * number) for number in range(steps))
            found: list[MeetingSlot] = []
            for start in starts:
                end = start + timedelta(minutes=minutes)
                local = [start.astimezone(zone) for zone in where]
                leaving = [end.astimezone(zone) for zone in where]
                if not first_day <= local[0].date() < first_day + timedelta(days=days):
                    continue
                if all(
                    here.date() == then.date()
                    and begins <= here.time()
                    and then.time() <= ends
                    and (weekends or here.weekday() < 5)  # noqa: PLR2004 -- Saturday is 5
                    for here, then in zip(local, leaving, strict=True)
                ):
                    found.append(MeetingSlot(start, end, tuple(local)))
        except OverflowError as error:
            raise ToolFailure("the days lie outside the years 1 to 9999 that a date can have") from error
        advice = (
            "" if found else "Their working hours never overlap long enough: begin earlier, end later, or meet shorter."
        )
        return MeetingSlots(tuple(found[:limit]), advice)


def _events(content: bytes, name: str) -> Iterator[CalendarEvent]:
    import icalendar  # noqa: PLC0415 -- the tools are listed without it

    try:
        calendars = icalendar.Calendar.from_ical(content, multiple=True)
        for calendar in calendars:
            for event in calendar.walk("VEVENT"):
                if "DTSTART" in event:
                    yield _event(event)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ToolFailure(f"{name!r} is no calendar that can be read: {error}") from error


def _event(event: Any) -> CalendarEvent:
    start, ends = event["DTSTART"].dt, event.get("DTEND")
    lasts = event.get("DURATION")
    end = ends.dt if ends is not None else start + lasts.dt if lasts is not None else None
    people = event.get("ATTENDEE", [])
    invited = people if isinstance(people, list) else [people]
    rule = event.get("RRULE")
    text = {key: str(event.get(key, ""))[:_LONGEST] for key in ("SUMMARY", "LOCATION", "DESCRIPTION", "UID", "STATUS")}
    return CalendarEvent(
        text["SUMMARY"],
        start,
        end,
        not isinstance(start, datetime),
        text["LOCATION"],
        text["DESCRIPTION"],
        text["UID"],
        text["STATUS"],
        str(event.get("ORGANIZER", "")).removeprefix("mailto:"),
        tuple(str(one).removeprefix("mailto:").removeprefix("MAILTO:") for one in invited),
        rule.to_ical().decode() if rule is not None and not isinstance(rule, list) else "",
    )


def _day(moment: datetime | date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _clock(moment: datetime | date) -> str:
    return moment.time().isoformat() if isinstance(moment, datetime) else ""


def _rule(text: str, start: datetime) -> Any:
    """Read a rule of recurrence that begins at a time."""
    from dateutil.rrule import rrulestr  # noqa: PLC0415 -- one tool of many needs it

    plain = text.strip().removeprefix("RRULE:")
    if "\n" in plain or "DTSTART" in plain.upper():
        raise ToolFailure("expected the rule alone, such as FREQ=DAILY;COUNT=5; the start is an argument of its own")
    if start.tzinfo is not None and "UNTIL=" in plain.upper():
        # An UNTIL without a zone means the clocks of the event, which dateutil refuses.
        head, _, rest = plain.upper().partition("UNTIL=")
        until, _, tail = rest.partition(";")
        plain = (
            f"{head}UNTIL={until if until.endswith('Z') else _as_utc(until, start.tzinfo)}{';' if tail else ''}{tail}"
        )
    try:
        return _Bounded(rrulestr(plain, dtstart=start))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ToolFailure(f"{text!r} is no rule of recurrence: {error}; expected one such as FREQ=WEEKLY") from error


def _as_utc(until: str, zone: tzinfo) -> str:
    pattern = "%Y%m%dT%H%M%S" if "T" in until else "%Y%m%d"
    moment = datetime.strptime(until, pattern).replace(tzinfo=zone)
    if "T" not in until:
        moment = moment.replace(hour=23, minute=59, second=59)
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


class _Bounded:
    """The times of a rule; one that never comes true ends where dates do."""

    def __init__(self, rule: Any) -> None:
        self._rule = rule

    def __iter__(self) -> Iterator[datetime]:
        try:
            yield from islice(self._rule, _MOST_LOOKED_AT)
        except (OverflowError, ValueError, ZeroDivisionError) as error:
            raise ToolFailure(f"the rule leads nowhere: {error}") from error


def _existing(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(UTC).astimezone(zone)
    except OverflowError as error:
        raise ToolFailure("the times lie outside the years 1 to 9999 that a date can have") from error


def _in_utc_or_zone(moment: datetime) -> datetime:
    """Return a time with a zone that calendars know by name, else in UTC."""
    return moment if getattr(moment.tzinfo, "key", None) else moment.astimezone(UTC)
