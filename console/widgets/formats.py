"""Write numbers, times and long names as the design language says."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from console.language import number, tr, tr_count

_SECOND_MS: Final = 1000.0
_MINUTE_S: Final = 60
_UNITS: Final = ("KB", "MB", "GB", "TB")

_LEAST_REVIEW_S = 0.1
_SHORT_REVIEW_S = 10.0


def format_duration_ms(duration_ms: float | None) -> str:
    """Write a duration: 0.4 ms, 38 ms, 2.69 s, 1:42, 1:02:03.

    Args:
        duration_ms: Milliseconds, 0 or more; None if it is not known.

    Returns:
        The duration; "n/a" for None.
    """
    if duration_ms is None:
        return tr("n/a")
    if duration_ms < 9.95:
        return f"{number(duration_ms, '.1f')} ms"
    if duration_ms < 999.5:
        return f"{duration_ms:.0f} ms"
    seconds = duration_ms / _SECOND_MS
    if seconds < 59.995:
        return f"{number(seconds, '.2f')} s"
    return format_countdown(seconds)


def format_took(elapsed_s: float, review_s: float) -> str:
    """Write how long a call took, and apart from that the wait for a person: 2.10 s, and 34 s waiting for you.

    Args:
        elapsed_s: Seconds from the beginning to the end.
        review_s: The part of it spent waiting for a person; what is shorter than an eye blinks is left out.
    """
    own = format_duration_ms(max(0.0, elapsed_s - review_s) * 1000)
    return own if review_s < _LEAST_REVIEW_S else tr("{own}, and {review}", own=own, review=format_review(review_s))


def format_review(review_s: float) -> str:
    """Write how long a person was waited for: 34 s waiting for you; empty for what is shorter than an eye blinks."""
    if review_s < _LEAST_REVIEW_S:
        return ""
    long = f"{number(review_s, '.1f')} s" if review_s < _SHORT_REVIEW_S else f"{review_s:.0f} s"
    return tr("{long} waiting for you", long=long if review_s < _MINUTE_S else format_countdown(review_s))


def format_countdown(seconds: float) -> str:
    """Write whole seconds as a clock: 0:30, 4:32, 1:02:03.

    Args:
        seconds: Rounded to the nearest second; below 0 counts as 0.

    Returns:
        Minutes and seconds, with hours in front from one hour.
    """
    whole = max(0, round(seconds))
    minutes, second = divmod(whole, _MINUTE_S)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def format_count(count: int | None) -> str:
    """Write a count with separators: 1,204; "n/a" for None."""
    return tr("n/a") if count is None else number(count)


def format_size(size_bytes: int | None) -> str:
    """Write a size in steps of 1024: 812 B, 18 KB, 2.1 MB.

    Args:
        size_bytes: Bytes, 0 or more; None if it is not known.

    Returns:
        The size; "n/a" for None.
    """
    if size_bytes is None:
        return tr("n/a")
    if size_bytes < 1024:
        return f"{size_bytes} B"
    amount, step = size_bytes / 1024, 0
    while amount >= 1023.5 and step < len(_UNITS) - 1:
        amount, step = amount / 1024, step + 1
    unit = _UNITS[step]
    return f"{number(amount, '.1f' if amount < 9.95 else ',.0f')} {unit}"


_LAST_NIGHT: Final = timedelta(hours=12)
"""What is no older is told by the clock, also after midnight."""


def format_time(moment: datetime | None, now: datetime | None = None) -> str:
    """Write when something happened: 14:32:05 today and in the last 12 hours, "yesterday", then "2 days ago".

    Args:
        moment: An aware time; None if it has not happened, which shows as nothing.
        now: The aware time that counts as now; None reads the clock.

    Returns:
        The words, in the local time zone.
    """
    if moment is None:
        return ""
    local = moment.astimezone()
    until = (now or datetime.now(UTC)).astimezone()
    days = (until.date() - local.date()).days
    if days <= 0 or until - local < _LAST_NIGHT:
        return local.strftime("%H:%M:%S")
    return tr_count(days, "yesterday", "{count} days ago")


def format_when(moment: datetime, now: datetime) -> str:
    """Write when something happened, as `format_time`, but older moments with the time of day: `2 days ago, 14:32`."""
    words = format_time(moment, now)
    return words if ":" in words else f"{words}, {moment.astimezone():%H:%M}"


def format_full_time(moment: datetime) -> str:
    """Write an aware time in full for a tooltip: 2026-05-12 14:32:05.412 +0200, in the local time zone."""
    local = moment.astimezone()
    return f"{local:%Y-%m-%d %H:%M:%S}.{local.microsecond // 1000:03} {local:%z}"


def elide_middle(text: str, metrics: QFontMetrics, width: int) -> str:
    """Shorten a path in its middle so that its file name stays readable.

    Args:
        width: Logical pixels there are.

    Returns:
        The text, with an ellipsis in its middle if it is too wide.
    """
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


def home_short(path: Path) -> str:
    """Write a path as people do: `~/projects/shop` for one in the home folder."""
    try:
        return str(Path("~", path.relative_to(Path.home())))
    except ValueError:
        return str(path)
