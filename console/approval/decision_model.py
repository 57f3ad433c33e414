"""The table of decisions of the past, newest first, and what is shown of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from PySide6.QtCore import QObject

from console.call_table import caller_icon, caller_words
from console.language import tr, tr_count, translated
from console.widgets import Cell, Column, TableModel
from console.widgets.formats import format_countdown, format_full_time, format_time
from tools.calls import TIME_LIMIT, Advice, ReviewTiming

if TYPE_CHECKING:
    from tools.calls import Decision
    from tools.history import DecidedCall

HEADS: Final = (
    tr("Time"),
    tr("Tool"),
    tr("Caller"),
    tr("Decision"),
    tr("Note"),
    tr("Remembered for"),
    tr("Decided by"),
    tr("Time taken"),
)
"""What stands above the columns."""

Tone = Literal["ok", "error", "idle"]
_RULE: Final = "rule "
_ONCE: Final = tr("Only this call")
_NEVER: Final = tr("none")
_WITHDRAWN: Final = tr("Withdrawn")
_HANDED_ON, _WITHHELD = tr("Result handed on"), tr("Result withheld")
_ALLOWED, _EDITED, _ANSWERED, _DENIED = tr("Allowed"), tr("Allowed, edited"), tr("Answered"), tr("Denied")
_ANSWERS: Final = (_WITHDRAWN, _HANDED_ON, _WITHHELD, _ALLOWED, _EDITED, _ANSWERED, _DENIED)
_LONGEST_VALUE: Final = 80
_MINUTE_S: Final = 60


class DecidedRow(NamedTuple):
    """One decision.

    Attributes:
        call_id: The id of the call's record.
        tone: How it ended: allowed, refused, or neither.
        outcome: How it ended, in words.
        remembered: For how long the answer is remembered.
        taken: How long that took.
    """

    key: str
    call_id: str
    decided_at: datetime
    tool: str
    caller: str
    tone: Tone
    icon: str
    outcome: str
    note: str
    remembered: str
    by: str
    taken: str


def decided_row(decided: DecidedCall, span_of: Callable[[str], str]) -> DecidedRow:
    """Work out what is shown of a decision.

    Args:
        span_of: Says for how long the rule with an id holds.
    """
    decision = decided.decision
    tone, icon, outcome = _outcome(decision)
    return DecidedRow(
        key=f"{decided.id}/{decided.number}",
        call_id=decided.id,
        decided_at=decision.decided_at or decision.asked_at,
        tool=decided.tool,
        caller=decided.caller,
        tone=tone,
        icon=icon,
        outcome=outcome,
        note=_note(decision),
        remembered=_remembered(decision, span_of),
        by=_by(decision.by),
        taken=_taken(decision.taken_s),
    )


def summary_of(rows: Iterable[DecidedRow]) -> str:
    """Say what was decided today.

    Args:
        rows: The decisions of today.
    """
    tones = [(row.tone, row.icon) for row in rows]
    if not tones:
        return tr("no decisions today")
    allowed = sum(tone == "ok" for tone, _ in tones)
    denied = sum(tone == "error" for tone, _ in tones)
    expired = sum(icon == "timer-off" for _, icon in tones)
    counts = (
        tr("{count:,} allowed", count=allowed) if allowed else "",
        tr("{count:,} denied", count=denied) if denied else "",
        tr("{count:,} expired", count=expired) if expired else "",
    )
    decisions = tr_count(len(tones), "today, 1 decision", "today, {count:,} decisions")
    return ": ".join(filter(None, (decisions, ", ".join(filter(None, counts)))))


def _outcome(decision: Decision) -> tuple[Tone, str, str]:
    after = decision.timing == ReviewTiming.AFTER_EXECUTION
    if decision.void or not decision.by:
        return "idle", "ban", _WITHDRAWN
    if decision.timed_out or decision.by == TIME_LIMIT:
        span = _span(decision.taken_s)
        ended = tr("Expired after {span}", span=span) if decision.timed_out else tr("Continued after {span}", span=span)
        return "idle", "timer-off", ended
    match decision.answer:
        case "continue":
            return "ok", "circle-check", _HANDED_ON if after else _ALLOWED
        case "edit":
            asked = decision.timing == ReviewTiming.DURING_EXECUTION
            return "ok", "circle-check", _ANSWERED if asked else _EDITED
        case _:
            outcome = _WITHHELD if after else _DENIED
            stopped = decision.stopped_run
            return "error", "circle-x", tr("{outcome}, run stopped", outcome=outcome) if stopped else outcome


def _note(decision: Decision) -> str:
    """Say the most telling thing there is: the person's words, the edit, the rule."""
    if decision.void:
        return decision.void
    if decision.timed_out:
        return tr("nobody answered")
    if decision.by.startswith(_RULE):
        return translated(decision.why) or decision.reason
    words = []
    if decision.reason:
        # Only a person's own words are quoted.
        words.append(f"“{decision.reason}”" if decision.by else translated(decision.reason))
    if decision.advice == Advice.STOP:
        words.append(tr("told to stop"))
    elif decision.advice == Advice.ASK:
        words.append(tr("told to ask first"))
    elif decision.advice == Advice.CHANGE:
        words.append(tr("told to change something"))
    if decision.answer == "edit":
        words.append(_edit(decision))
    if decision.attached_to:
        words.append(tr("answered with an identical call"))
    return ", ".join(filter(None, words))


def _edit(decision: Decision) -> str:
    before = decision.shown
    now = decision.revised
    if isinstance(now, str):
        return f"“{_cut(now)}”"
    if not isinstance(before, dict) or not isinstance(now, dict):
        return ""
    changed = [name for name in dict.fromkeys((*before, *now)) if before.get(name) != now.get(name)]
    if len(changed) != 1:
        return tr("{names} changed", names=", ".join(changed)) if changed else ""
    name = changed[0]
    return (
        tr("{name} changed to {value}", name=name, value=_cut(_written(now[name])))
        if name in now
        else tr("{name} left out", name=name)
    )


def _remembered(decision: Decision, span_of: Callable[[str], str]) -> str:
    if decision.remembered:
        return span_of(decision.remembered)
    if decision.by.startswith(_RULE):
        return span_of(decision.by.removeprefix(_RULE))
    return _NEVER if decision.void or not decision.by or decision.by == TIME_LIMIT else _ONCE


def _by(by: str) -> str:
    if by.startswith(_RULE):
        return tr("rule")
    return {TIME_LIMIT: tr("timer"), "you": tr("you")}.get(by, by)


def _taken(taken_s: float) -> str:
    return f"{taken_s:.0f} s" if taken_s < _MINUTE_S - 0.5 else format_countdown(taken_s)


def _span(taken_s: float) -> str:
    minutes, seconds = divmod(round(taken_s), _MINUTE_S)
    return tr("{minutes} min", minutes=minutes) if minutes and not seconds else _taken(taken_s)


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_VALUE else f"{line[: _LONGEST_VALUE - 1]}…"


_SHAPES: Final = (
    Column("", 80, is_tabular=True),
    Column("", 176),
    Column("", 184, priority=1),
    Column("", 176, samples=tuple(Cell(words, icon="circle-check") for words in _ANSWERS)),
    Column("", least=160),
    Column("", 136, priority=4, samples=(Cell(_ONCE), Cell(_NEVER))),
    Column("", 104, priority=3, samples=tuple(Cell(_by(by)) for by in (_RULE, TIME_LIMIT, "you"))),
    Column("", 84, is_number=True, priority=2),
)
_COLUMNS: Final = tuple(shape._replace(title=title) for shape, title in zip(_SHAPES, HEADS, strict=True))


class DecisionModel(TableModel[DecidedRow]):
    """List decisions, newest first.

    Args:
        now: Gives the aware time, for the words of it.
    """

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC), parent: QObject | None = None) -> None:
        def cells_of(row: DecidedRow) -> tuple[Cell, ...]:
            return (
                Cell(format_time(row.decided_at, now()), tip=format_full_time(row.decided_at)),
                Cell(row.tool, "text", is_strong=True),
                Cell(caller_words(row.caller), icon=caller_icon(row.caller)),
                Cell(row.outcome, row.tone, icon=row.icon),
                Cell(row.note),
                Cell(row.remembered),
                Cell(row.by),
                Cell(row.taken),
            )

        super().__init__(_COLUMNS, cells_of, attrgetter("key"), parent)
