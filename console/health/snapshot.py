"""One look at all tools for the Health page: what is asked, what is answered, and how the answer is put together.

The page asks only while it is visible, and pauses at least as long as the last answer took. A new kind of trouble is
a branch where the note of a row is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import ValidationError

from console.health.rows import HealthRemedy, HealthRemedyKey, HealthRow, Status, worst_first
from console.language import in_sentence, number, sentence_of, tr, tr_count
from console.tool_list import SOURCE_WORDS, toolkit_words
from console.widgets.formats import format_duration_ms, format_time
from console.widgets.status import STATUS
from tools.calls import GuardState
from tools.card import SourceKind, ToolCard
from tools.health import SPANS, Check, CheckOutcome, Health, HealthLimits, HealthSeries, HealthStatus, Slot, TimeSpan

if TYPE_CHECKING:
    from tools.health import LimitsPreview
    from tools.metrics import ToolStats

WINDOWS_S: Final = (60.0, 300.0, 900.0, 1800.0, 3600.0)
"""How far back a person can choose to look, in seconds."""


class ScopeRow(NamedTuple):
    """For which tools limits are meant.

    Attributes:
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
    """
    if form.down_percent > form.degraded_percent:
        return tr(
            "A tool is down below {down:g}% but degraded only below {degraded:g}%."
            " Set the share for down to the same or less.",
            down=form.down_percent,
            degraded=form.degraded_percent,
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
    """Say what limits would come to."""
    limit = format_duration_ms(limits.p95_ms)
    over, above = span_words(preview.over_s), preview.above
    if preview.calls and preview.over_s == 3600:
        what = tr_count(
            preview.calls,
            "1 run in the last hour, {above:,} above {limit}.",
            "{count:,} runs in the last hour, {above:,} above {limit}.",
            above=above,
            limit=limit,
        )
    elif preview.calls:
        what = tr_count(
            preview.calls,
            "1 run in the last {span}, {above:,} above {limit}.",
            "{count:,} runs in the last {span}, {above:,} above {limit}.",
            span=over,
            above=above,
            limit=limit,
        )
    elif preview.over_s == 3600:
        what = tr("No run in the last hour.")
    else:
        what = tr("No run in the last {span}.", span=over)
    return PreviewSheet(
        f"{what} {_changes(preview)}", preview.counts, preview.bin_ms * len(preview.counts), limits.p95_ms
    )


def window_words(window_s: float) -> str:
    """Write how far back a limit looks."""
    return span_words(window_s)


def _status(status: HealthStatus) -> str:
    return in_sentence(STATUS[status.value].word)


def _changes(preview: LimitsPreview) -> str:
    one = len(preview.tools) == 1
    if not preview.changes:
        return tr("The tool stays {status}.", status=_status(preview.before)) if one else tr("No status changes.")
    change = preview.changes[0]
    after, before = _status(change.after), _status(change.before)
    if one:
        return tr("The tool is {after} instead of {before}.", after=after, before=before)
    first = tr("{tool} is {after} instead of {before}", tool=change.tool_name, after=after, before=before)
    others = len(preview.changes) - 1
    if not others:
        return tr("{first}; no other status changes.", first=first)
    return tr_count(
        others,
        "{first}; 1 other status changes.",
        "{first}; {count:,} other statuses change.",
        first=first,
    )


MOST_TILES: Final = 12
"""Of how many tools the curves are read: no page shows more tiles."""

_PROBED: Final = {
    CheckOutcome.PASSED: tr("The probe of {tool} passed"),
    CheckOutcome.FAILED: tr("The probe of {tool} failed"),
    CheckOutcome.REFUSED: tr("The probe of {tool} refused"),
}
_OPEN_CALL: Final = HealthRemedy(HealthRemedyKey.OPEN_CALL, tr("Open the failed call"))
_RAISE_LIMIT: Final = HealthRemedy(HealthRemedyKey.LIMITS, tr("Raise limit…"))
_CHECK_AGAIN: Final = HealthRemedy(HealthRemedyKey.CHECK, tr("Check again"))
_OPEN_TOOL: Final = HealthRemedy(HealthRemedyKey.OPEN_TOOL, tr("Open tool"))
_UNBLOCK: Final = HealthRemedy(HealthRemedyKey.RESET, tr("Unblock"))
_RESET: Final = HealthRemedy(HealthRemedyKey.RESET, tr("Reset breaker"))
_RESTART: Final = HealthRemedy(HealthRemedyKey.RESTART, tr("Restart server"))


class HealthRequest(NamedTuple):
    """What the page wants to know.

    Attributes:
        span: The range, by the name of one of `SPANS`.
        tool: The chosen tool; empty lets the worst one be chosen.
        statuses: To which statuses tiles are narrowed; empty admits all.
    """

    span: str
    tool: str = ""
    statuses: tuple[Status, ...] = ()


class HealthSnapshot(NamedTuple):
    """What there is to show.

    Attributes:
        rows: All tools, the worst first.
        tool: The tool of the plots; empty when there is none.
        slots: Its slots, oldest first.
        all_slots: Those of all tools together.
        lines: The P95 in milliseconds of each slot of the range by tool, oldest first; None where it did not run.
        limits: Those of the tool of the plots.
    """

    question: HealthRequest
    now: datetime
    rows: tuple[HealthRow, ...]
    tool: str
    slots: Sequence[Slot]
    all_slots: Sequence[Slot]
    lines: Mapping[str, tuple[float | None, ...]]
    limits: HealthLimits

    @property
    def span(self) -> TimeSpan:
        return SPANS[self.question.span]


class HealthInputs(NamedTuple):
    """What is known of the tools before their curves are read.

    Attributes:
        healths: What is announced of them, by name; a tool is missing when nobody has looked yet.
        held: The guards that hold calls back, by tool.
        limits: Gives the limits of a tool.
        troubles: Why servers are not connected that should be, by name.
    """

    tools: Sequence[ToolCard]
    healths: Mapping[str, Health]
    since: Mapping[str, datetime]
    held: Mapping[str, GuardState]
    limits: Callable[[str], HealthLimits]
    troubles: Mapping[str, str]


def survey(question: HealthRequest, judged: HealthInputs, series: HealthSeries, now: datetime) -> HealthSnapshot:
    """Answer the page; reads a file.

    Args:
        question: What it wants to know.
        now: The time of day.

    Raises:
        sqlite3.Error: When the series cannot be read.
    """
    span = SPANS[question.span]
    totals = series.totals(span, now)
    rows = tuple(sorted((row_of(tool, judged, totals.get(tool.name), now) for tool in judged.tools), key=worst_first))
    tiled = [row.tool for row in rows if row.has_run and (not question.statuses or row.status in question.statuses)]
    tool = question.tool if any(row.tool == question.tool for row in rows) else next(iter(tiled), "")
    slots_by_tool = series.slots_by_tool(span, now, {tool, *tiled[:MOST_TILES]})
    return HealthSnapshot(
        question=question,
        now=now,
        rows=rows,
        tool=tool,
        slots=slots_by_tool.get(tool, ()),
        all_slots=series.slots(span, now),
        lines={name: _line(slots, span, now) for name, slots in slots_by_tool.items()},
        limits=judged.limits(tool),
    )


def row_of(tool: ToolCard, judged: HealthInputs, total: Slot | None, now: datetime) -> HealthRow:
    """Put together what is known of a tool.

    Args:
        total: What happened within the range; None for nothing.
        now: The time of day.
    """
    name = tool.name
    health, held, since = judged.healths.get(name), judged.held.get(name), judged.since.get(name)
    limits = judged.limits(name)
    status: Status = "unknown" if health is None else health.status.value
    if held is not None and status != "down":
        status = "degraded"
    note, remedy = _note_of(health, held, limits, since, now)
    if health is not None and status == "up" and _failed_of_few(health, limits):
        answers = (
            tr("The server answers; the tool {failed}, too few runs to judge", failed=_few_words(health.stats))
            if tool.source.kind is SourceKind.SERVER
            else tr("Its probe passed; the tool {failed}, too few runs to judge", failed=_few_words(health.stats))
        )
        note, remedy = f"{answers}{_said(health.stats)}", _OPEN_CALL
    trouble = judged.troubles.get(tool.source.name) if tool.source.kind is SourceKind.SERVER else None
    if trouble is not None and status != "up":
        # Whatever else is wrong with it, nothing helps before this.
        why = trouble.splitlines()[0].rstrip(".")
        note, remedy = tr("{name} is not connected: {why}", name=tool.source.name, why=why), _RESTART
    few = (
        health.stats if health is not None and status in {"unknown", "up"} and _failed_of_few(health, limits) else None
    )
    return HealthRow(
        tool=name,
        source=source_words(tool),
        status=status,
        calls=0 if total is None else sum(total.calls.values()),
        success_rate=None if total is None else total.success_rate,
        p50_ms=None if total is None else total.p50_ms,
        p95_ms=None if total is None else total.p95_ms,
        p99_ms=None if total is None else total.p99_ms,
        limit_ms=limits.p95_ms,
        note=note,
        remedy=remedy,
        since=since if status != "unknown" else None,
        few="" if few is None else _few_words(few),
        few_succeeded="" if few is None else tr("{count} of {total}", count=few.successes, total=few.count),
    )


def source_words(tool: ToolCard) -> str:
    """Say where a tool comes from, as the tools tree groups it: `Built-in › Web`, `Plugins › my_tools.py`."""
    is_named = tool.source.kind in {SourceKind.PLUGIN, SourceKind.SERVER, SourceKind.API}
    group = tool.source.name if is_named else toolkit_words(tool)
    return f"{SOURCE_WORDS[tool.source.kind.value].begin} › {group}"


def _held_words(guard: GuardState, now: datetime) -> str:
    """Say that a tool's calls are held back, and until when."""
    failures = tr_count(guard.failures, "1 failure", "{count:,} failures")
    until = format_time(guard.until, now) if guard.until is not None and guard.until > now else ""
    if guard.state == "blocked":
        if until:
            return tr("Blocked until {until} after {failures} in a row", until=until, failures=failures)
        return tr("Blocked after {failures} in a row", failures=failures)
    if guard.state == "half_open":
        return tr("Paused until a trial call succeeds")
    if until:
        return tr("Paused until {until} after {failures}", until=until, failures=failures)
    return tr("Paused after {failures}", failures=failures)


def _note_of(
    health: Health | None, held: GuardState | None, limits: HealthLimits, since: datetime | None, now: datetime
) -> tuple[str, HealthRemedy | None]:
    """Say in one sentence why a tool is not up, and what helps."""
    if held is not None:
        said = f": {held.last_failure}" if held.last_failure else ""
        return f"{_held_words(held, now)}{said}", _UNBLOCK if held.state == "blocked" else _RESET
    if health is None:
        return tr("No run in the last {span}", span=span_words(limits.window_s)), _OPEN_TOOL
    if health.status is HealthStatus.UP:
        return "", None
    stats, checked = health.stats, health.checked
    when = "" if since is None else f" {tr('since {time}', time=format_time(since, now))}"
    probed = checked.failed_in_a_row if checked is not None else 0
    if probed and (health.status is HealthStatus.UNKNOWN or probed >= limits.failed_checks):
        return sentence_of(health.reason or ""), _CHECK_AGAIN
    if health.status is HealthStatus.UNKNOWN:
        return _unknown_note(health, limits)
    if stats.success_rate is not None and stats.success_rate < limits.success_up:
        failed = tr_count(
            stats.count,
            "{failures:,} of 1 run failed",
            "{failures:,} of {count:,} runs failed",
            failures=stats.failures,
        )
        return f"{failed}{when}{_said(stats)}", _OPEN_CALL
    if stats.p95_ms is not None and stats.p95_ms > limits.p95_ms:
        above = tr("P95 above {limit}", limit=format_duration_ms(limits.p95_ms))
        return f"{above}{when}", _RAISE_LIMIT
    return sentence_of(health.reason or ""), _OPEN_TOOL


def _unknown_note(health: Health, limits: HealthLimits) -> tuple[str, HealthRemedy]:
    """Say why nobody knows how a tool does."""
    stats = health.stats
    if not stats.count:
        return tr("No run in the last {span}", span=span_words(limits.window_s)), _OPEN_TOOL
    few = tr("{failed}, too few runs to judge", failed=sentence_of(_few_words(stats)))
    return f"{few}{_said(stats)}", _OPEN_CALL


def _failed_of_few(health: Health, limits: HealthLimits) -> bool:
    """Return whether runs failed that say nothing yet; such a tool is up all the same when its probe passed."""
    rate = health.stats.success_rate
    return health.status in {HealthStatus.UNKNOWN, HealthStatus.UP} and rate is not None and rate < limits.success_up


def _said(stats: ToolStats) -> str:
    return f": {stats.last_error}" if stats.last_error else ""


def _few_words(stats: ToolStats) -> str:
    if stats.count == 1:
        return tr("failed once")
    return tr("failed {failures:,} of {count:,}", failures=stats.failures, count=stats.count)


def checked_words(checks: Sequence[Check], tool: str) -> str:
    """Say what a round of probes came to."""
    if not checks:
        if tool:
            return tr("{tool} declares no probe: it was judged anew by its runs", tool=tool)
        return tr("No tool declares a probe: all were judged anew by their runs")
    by_outcome = {outcome: [check for check in checks if check.outcome is outcome] for outcome in CheckOutcome}
    passed, failed, refused = (len(by_outcome[outcome]) for outcome in CheckOutcome)
    if len(checks) == 1:
        (check,) = checks
        said = f": {check.message}" if check.message else ""
        return f"{_PROBED[check.outcome].format(tool=check.tool_name)}{said}"
    names = ", ".join(check.tool_name for check in by_outcome[CheckOutcome.FAILED][:3])
    parts = [tr("{count:,} of {total:,} probes passed", count=passed, total=len(checks))]
    if failed:
        parts.append(tr("{count:,} failed: {names}", count=failed, names=f"{names}{'…' if failed > 3 else ''}"))
    if refused:
        parts.append(tr("{count:,} could not be made", count=refused))
    return ", ".join(parts)


def span_words(span_s: float) -> str:
    """Write a span of time in words: 45 s, 15 min, 2 h."""
    minutes = span_s / 60
    if span_s % 60:
        return f"{number(span_s, 'g')} s"
    return f"{number(minutes, 'g')} min" if minutes < 120 else f"{number(minutes / 60, 'g')} h"


def _line(slots: Iterable[Slot], span: TimeSpan, now: datetime) -> tuple[float | None, ...]:
    """Give the P95 of each slot of a span, with gaps where the tool did not run."""
    last = int(now.timestamp() // span.slot_s)
    count = span.length_s // span.slot_s
    by_place = {int(slot.begins_at.timestamp() // span.slot_s) - last + count - 1: slot.p95_ms for slot in slots}
    return tuple(by_place.get(place) for place in range(count))
