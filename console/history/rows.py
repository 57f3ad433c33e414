"""What the history says, as plain values and words: filters, the words of a row, what was decided about a call."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from console.call_table import caller_words
from console.language import tr, tr_count, translated
from console.widgets.formats import format_duration_ms, format_review, format_when
from console.widgets.status import STATUS, StatusName, status_of_call
from tools.calls import CallStatus
from tools.calls.record import edits_between
from tools.spec import Isolation, RiskDegree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.calls import CallRecord, Decision
    from tools.history import HistoryRow


_LONGEST_EDIT: Final = 80

EXPORT_KINDS: Final = (tr("One JSON object a line (*.jsonl)"), tr("Table (*.csv)"))
"""The kinds of files that calls are exported to."""


class StatusChoice(NamedTuple):
    """One ending that the list can be narrowed to.

    Attributes:
        status: Its glyph and colour.
    """

    status: StatusName
    word: str
    statuses: tuple[CallStatus, ...]


STATUS_CHOICES: Final = (
    StatusChoice("success", tr("Success"), (CallStatus.EXECUTED,)),
    StatusChoice("failed", tr("Failed"), (CallStatus.FAILED,)),
    StatusChoice("timed_out", tr("Timed out"), (CallStatus.TIMED_OUT,)),
    StatusChoice("denied", tr("Denied"), (CallStatus.DENIED,)),
    StatusChoice("cancelled", tr("Cancelled"), (CallStatus.CANCELLED,)),
    StatusChoice("aborted", tr("Aborted"), (CallStatus.ABORTED,)),
    StatusChoice("rejected", tr("Rejected"), (CallStatus.REJECTED, CallStatus.NOT_FOUND)),
)
"""The endings, in the order of their chips."""


class TimeRange(Enum):
    """How far back the list goes."""

    ALL = "all"
    HOUR = "hour"
    TODAY = "today"
    WEEK = "week"
    CUSTOM = "custom"


SPAN_WORDS: Final[Mapping[TimeRange, str]] = {
    TimeRange.ALL: tr("All"),
    TimeRange.HOUR: tr("1 h"),
    TimeRange.TODAY: tr("Today"),
    TimeRange.WEEK: tr("7 days"),
    TimeRange.CUSTOM: tr("Dates"),
}
"""What each span is called, in the order of their buttons."""


class Filters(NamedTuple):
    """What the list is narrowed to.

    Attributes:
        text: Words that must occur.
        tool: The tool; empty admits all.
        caller: The caller; empty admits all.
        statuses: Endings; empty admits all.
        span: How far back.
        since: The first moment of a custom span; None sets none.
        until: The moment before which a custom span ends; None sets none.
    """

    text: str = ""
    tool: str = ""
    caller: str = ""
    statuses: tuple[CallStatus, ...] = ()
    span: TimeRange = TimeRange.ALL
    since: datetime | None = None
    until: datetime | None = None

    @property
    def narrow(self) -> bool:
        return self != Filters()


class DecisionLine(NamedTuple):
    """One decision about a call, in words.

    Attributes:
        status: Its glyph and colour.
        headline: What was decided, by whom, after how long.
        lines: What was asked and why, and the words that came with the answer.
        edits: Each change of an argument, as proposed and as it ran.
    """

    status: StatusName
    headline: str
    lines: tuple[str, ...]
    edits: tuple[str, ...]


def since_of(filters: Filters, now: datetime) -> datetime | None:
    """Give the first moment that filters admit; None sets none.

    Args:
        filters: What the list is narrowed to.
    """
    match filters.span:
        case TimeRange.HOUR:
            return now - timedelta(hours=1)
        case TimeRange.TODAY:
            return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
        case TimeRange.WEEK:
            return now - timedelta(days=7)
        case TimeRange.CUSTOM:
            return filters.since
        case TimeRange.ALL:
            return None


def status_words(row: HistoryRow) -> str:
    """Say how a call ended; one that did not succeed says why."""
    word = STATUS[status_of_call(row.status, from_cache=row.from_cache, error_kind=row.error_kind)].word
    if row.status in {CallStatus.FAILED, CallStatus.TIMED_OUT} and row.summary:
        return f"{word}: {translated(row.summary)}"
    if row.attempts > 1 and row.status is CallStatus.EXECUTED:
        word = tr_count(row.attempts - 1, "{word} after {count} retry", "{word} after {count} retries", word=word)
    return ", ".join(filter(None, (word, tr("edited") if row.edited else "", waiting_words(row))))


def duration_words(row: HistoryRow) -> str:
    """Say how long a call took without waiting for a person; nothing while it runs."""
    return format_duration_ms(row.own_s * 1000) if row.status.final else ""


def waiting_words(row: HistoryRow) -> str:
    """Say how long a person was waited for; empty when nobody was, or not for long."""
    return format_review(row.review_s) if row.status.final else ""


def count_words(total: int, *, exact: bool) -> str:
    """Say how many calls a query found."""
    return tr_count(total, "1 call", "{count:,} calls") if exact else tr("more than {total:,} calls", total=total)


def subtitle_of(record: CallRecord, now: datetime) -> str:
    """Say when, by whom and for which model a call was made, and by which version of its tool."""
    parts = [format_when(record.proposed_at, now), caller_words(record.caller)]
    if record.model:
        parts.append(record.model)
    if record.tool.version:
        parts.append(tr("version {version}", version=record.tool.version))
    if record.isolation is not Isolation.INLINE:
        parts.append(tr("in a thread") if record.isolation is Isolation.THREAD else tr("in a process"))
    return " · ".join(parts)


def not_kept(record: CallRecord) -> str:
    """Say why the arguments of a call are not here; empty when they are."""
    if record.arguments is not None:
        return ""
    return record.hidden or tr("The arguments of this call were not kept.")


def problem_words(why: str, *, reads: bool = False) -> tuple[str, str]:
    """Say what is wrong with the history, and why and what to do; two empty texts when nothing is.

    Args:
        reads: Whether it could not be read, rather than written.
    """
    if not why:
        return "", ""
    fact = tr("The history cannot be read.") if reads else tr("Calls are not recorded.")
    why = translated(why)
    if why.partition(" ")[0].isalpha():  # the name of a file is written as it is
        why = why[0].upper() + why[1:]
    return fact, f"{why.removesuffix('.')}."


def decision_lines(record: CallRecord) -> tuple[DecisionLine, ...]:
    """Tell what was decided about a call, oldest first."""
    return tuple(_decision_line(decision) for decision in record.decisions)


_RISKS: Final[Mapping[str, str]] = {
    RiskDegree.LOW: tr("Low risk."),
    RiskDegree.MEDIUM: tr("Medium risk."),
    RiskDegree.UNKNOWN: tr("Unknown risk."),
    RiskDegree.HIGH: tr("High risk."),
}


def _decision_line(decision: Decision) -> DecisionLine:
    status, word = _decided(decision)
    by = caller_words(decision.by) or (tr("time limit") if decision.timed_out else "")
    headline = tr("{word} by {by}", word=word, by=by) if by and decision.answer else word
    if decision.decided_at is not None:
        took = format_duration_ms((decision.decided_at - decision.asked_at).total_seconds() * 1000)
        headline = tr("{headline} after {took}", headline=headline, took=took)
    concerns = [": ".join(map(translated, filter(None, (one.title, one.detail)))) for one in decision.concerns]
    lines = [translated(decision.question), *concerns]
    if decision.degree:
        lines.append(f"{_RISKS[decision.degree]} {translated(decision.risk_why)}")
    if decision.reason:
        lines.append(tr("“{reason}”", reason=decision.reason))
    return DecisionLine(status, headline, tuple(line for line in lines if line), _edits(decision))


def _decided(decision: Decision) -> tuple[StatusName, str]:
    match decision.answer:
        case "continue":
            return "success", tr("Allowed")
        case "edit":
            return "success", tr("Allowed with changes") if decision.timing == "before_execution" else tr("Answered")
        case "exit_early" if decision.timed_out:
            return "expired", tr("Denied")
        case "exit_early":
            return "denied", tr("Denied")
        case _:
            return "aborted", tr("Not answered: the program ended first")


def _edits(decision: Decision) -> tuple[str, ...]:
    if decision.answer != "edit" or decision.revised is None:
        return ()
    shown, revised = decision.shown, decision.revised
    if not isinstance(shown, dict) or not isinstance(revised, dict):
        return (_short(revised),)
    return tuple(edit.words() for edit in edits_between(shown, revised))


def _short(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= _LONGEST_EDIT else written[: _LONGEST_EDIT - 1] + "…"
