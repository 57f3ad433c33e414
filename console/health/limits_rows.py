"""What the drawer of the limits shows, as frozen values and their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import ValidationError

from console.health.snapshot import span_words
from console.widgets.formats import format_count, format_duration_ms
from tools.health import HealthLimits

if TYPE_CHECKING:
    from tools.health import LimitsPreview


WINDOWS_S: Final = (60.0, 300.0, 900.0, 1800.0, 3600.0)
"""How far back a person can choose to look, in seconds."""


class ScopeRow(NamedTuple):
    """For which tools limits are meant.

    Attributes:
        words: What it is called.
        icon: The name of its icon.
        note: Whether they are its own, in one sentence without a full stop.
    """

    words: str
    icon: str
    note: str = ""


class LimitsForm(NamedTuple):
    """What stands in the fields.

    Attributes:
        p95_ms: Above which P95 a tool is degraded, in milliseconds.
        degraded_percent: Below which success it is degraded.
        down_percent: Below which success it is down.
        failed_checks: How many failed probes in a row make it count as down.
        window_s: How far back runs count, in seconds.
        least_calls: How many runs it takes to judge.
        notify: Whether somebody is told of a change.
    """

    p95_ms: float = 5000.0
    degraded_percent: float = 95.0
    down_percent: float = 80.0
    failed_checks: int = 3
    window_s: float = 900.0
    least_calls: int = 20
    notify: bool = True


class PreviewSheet(NamedTuple):
    """What limits would come to.

    Attributes:
        words: In two sentences.
        counts: How many runs took how long, by bar.
        end_ms: Where the last bar ends, in milliseconds.
        limit_ms: Where the limit stands.
    """

    words: str
    counts: tuple[int, ...]
    end_ms: float
    limit_ms: float


def form_of(limits: HealthLimits) -> LimitsForm:
    """Give what stands in the fields for some limits."""
    return LimitsForm(
        p95_ms=limits.p95_ms,
        degraded_percent=round(limits.success_up * 100, 6),
        down_percent=round(limits.success_down * 100, 6),
        failed_checks=limits.failed_checks,
        window_s=limits.window_s,
        least_calls=limits.least_calls,
        notify=limits.notify,
    )


def limits_of(form: LimitsForm, before: HealthLimits) -> HealthLimits | str:
    """Give the limits that fields say, or why they are none, in one sentence with what to do.

    Args:
        form: What stands in the fields.
        before: Has what no field is for.
    """
    if form.down_percent > form.degraded_percent:
        return (
            f"A tool is down below {form.down_percent:g}% but degraded only below {form.degraded_percent:g}%."
            " Set the share for down to the same or less."
        )
    changes = {
        "p95_ms": form.p95_ms,
        "success_up": form.degraded_percent / 100,
        "success_down": form.down_percent / 100,
        "failed_checks": form.failed_checks,
        "window_s": form.window_s,
        "least_calls": form.least_calls,
        "notify": form.notify,
    }
    try:
        return HealthLimits.model_validate({**before.model_dump(), **changes})
    except ValidationError as error:
        return str(error.errors()[0]["msg"])


def sheet_of(preview: LimitsPreview, limits: HealthLimits) -> PreviewSheet:
    """Say what limits would come to.

    Args:
        preview: What was computed.
        limits: The limits it was computed for.
    """
    limit = format_duration_ms(limits.p95_ms)
    runs = "1 run" if preview.calls == 1 else f"{format_count(preview.calls)} runs"
    what = f"{runs} in the last {_over(preview.over_s)}, {format_count(preview.above)} above {limit}."
    if not preview.calls:
        what = f"No run in the last {_over(preview.over_s)}."
    return PreviewSheet(
        f"{what} {_changes(preview)}", preview.counts, preview.bin_ms * len(preview.counts), limits.p95_ms
    )


def window_words(window_s: float) -> str:
    """Write how far back a limit looks."""
    return span_words(window_s)


def _over(span_s: float) -> str:
    return "hour" if span_s == 3600 else span_words(span_s)


def _changes(preview: LimitsPreview) -> str:
    one = len(preview.tools) == 1
    if not preview.changes:
        stays = {"unknown": "unknown"}.get(preview.before.value, preview.before.value)
        return f"The tool stays {stays}." if one else "No status changes."
    change = preview.changes[0]
    if one:
        return f"The tool is {change.after.value} instead of {change.before.value}."
    others = len(preview.changes) - 1
    first = f"{change.tool_name} is {change.after.value} instead of {change.before.value}"
    if not others:
        return f"{first}; no other status changes."
    return f"{first}; {'1 other status changes' if others == 1 else f'{others:,} other statuses change'}."
