"""Cron expressions of five fields, as crontab(5) has them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELDS: Final = (("minute", 0, 59), ("hour", 0, 23), ("day of the month", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_SHORT: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_LONGEST_SEARCH_DAYS: Final = 366 * 30
"""29 February on one weekday comes back within 28 years, 40 at the turn of some centuries."""


class Cron(NamedTuple):
    """A cron expression that was read.

    Attributes:
        weekdays: Days of the week, Sunday is 0.
        either_day: Whether one of both kinds of days is enough, as it is when both are restricted.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    def after(self, start: datetime) -> Iterator[datetime]:
        """Yield the times on a wall clock later than a start, for as long as dates reach; stops when none comes."""
        day, empty = start.date(), 0
        while empty < _LONGEST_SEARCH_DAYS:
            if self._has_day(day):
                for hour in sorted(self.hours):
                    for minute in sorted(self.minutes):
                        found = datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001 -- a wall clock
                        if found > start:
                            empty = 0
                            yield found
            empty += 1
            if day == date.max:
                return
            day += timedelta(days=1)

    def _has_day(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        in_month, in_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return (in_month or in_week) if self.either_day else (in_month and in_week)


def read_cron(text: str) -> Cron:
    """Read an expression of five fields, or a word such as `@daily`.

    Raises:
        ToolFailure: It is none.
    """
    words = _SHORT.get(text.strip().lower(), text).split()
    if len(words) != len(_FIELDS):
        raise ToolFailure(f"expected five fields (minute hour day month weekday), got {len(words)} in {text!r}")
    minutes, hours, days, months, weekdays = (_values(word, *field) for word, field in zip(words, _FIELDS, strict=True))
    either = not words[2].startswith("*") and not words[4].startswith("*")
    return Cron(minutes, hours, days, months, frozenset(day % 7 for day in weekdays), either)


def _values(word: str, name: str, least: int, most: int) -> frozenset[int]:
    found: set[int] = set()
    for part in word.lower().split(","):
        span, slash, step_text = part.partition("/")
        step = int(step_text) if step_text.isascii() and step_text.isdigit() else 0
        if slash and not 0 < step <= most:
            raise ToolFailure(f"expected a step from 1 to {most} after '/' in the {name}, got {step_text!r}")
        first, dash, last = span.partition("-")
        if span == "*":
            low, high = least, most
        else:
            low = _number(first, name, least, most)
            high = _number(last, name, least, most) if dash else (most if slash else low)
        if low > high:
            raise ToolFailure(f"expected a range that rises in the {name}, got {span!r}")
        found.update(range(low, high + 1, step or 1))
    return frozenset(found)


def _number(text: str, name: str, least: int, most: int) -> int:
    names = {"month": _MONTHS, "weekday": _DAYS}.get(name, ())
    if text in names:
        return names.index(text) + (1 if name == "month" else 0)
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and least <= int(text) <= most):  # noqa: PLR2004
        raise ToolFailure(f"expected {least} to {most} for the {name}, got {text!r}")
    return int(text)
