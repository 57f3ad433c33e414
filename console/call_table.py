"""The columns and cells of a call in the tables that the Activity list and the history show."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from console.language import tr
from console.widgets import CALL_STATUSES, Cell, Column, status_samples
from console.widgets.formats import format_full_time, format_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from console.widgets import StatusName

_CALLER_ICONS: Final = MappingProxyType({"agent": "bot", "batch": "workflow", "you": "user"})
_OTHER_CALLER: Final = "square-terminal"
_CALLER_WORDS: Final = MappingProxyType({"agent": tr("agent"), "batch": tr("batch"), "you": tr("you")})


class CallColumn(IntEnum):
    """The columns, left to right."""

    TIME = 0
    TOOL = 1
    CALLER = 2
    ARGUMENTS = 3
    STATUS = 4
    DURATION = 5


_TITLES: Final[Mapping[CallColumn, str]] = {
    CallColumn.TIME: tr("Time"),
    CallColumn.TOOL: tr("Tool"),
    CallColumn.CALLER: tr("Caller"),
    CallColumn.ARGUMENTS: tr("Arguments"),
    CallColumn.STATUS: tr("Status"),
    CallColumn.DURATION: tr("Duration"),
}


_SAMPLES: Final[Mapping[CallColumn, tuple[Cell, ...]]] = {
    CallColumn.CALLER: tuple(Cell(_CALLER_WORDS[kind], icon=icon) for kind, icon in _CALLER_ICONS.items()),
    CallColumn.STATUS: status_samples(*CALL_STATUSES),
}


EXPIRED: Final = tr("Expired, never run")
"""Says of a call that was allowed that its caller did not come back."""


def approved_until(until: datetime, now: datetime | None = None) -> str:
    """Say of an allowed call until when it waits for its caller.

    Args:
        now: The aware time that counts as now; None reads the clock.
    """
    return tr("Approved, waiting for the caller until {time}", time=format_time(until, now))


def now_utc() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


def caller_icon(caller: str) -> str:
    """Return the name of the icon for a kind of caller."""
    return _CALLER_ICONS.get(caller.partition(":")[0], _OTHER_CALLER)


def caller_words(caller: str) -> str:
    """Return what a person reads of a caller or of who decided: `agent: claude`, `you`; others as they are."""
    kind, _, name = caller.partition(":")
    word = _CALLER_WORDS.get(kind)
    if word is None:
        return caller
    return f"{word}: {name.strip()}" if name.strip() else word


def call_columns(
    widths: Mapping[CallColumn, int], least_arguments: int, priorities: Mapping[CallColumn, int]
) -> tuple[Column, ...]:
    """Give the columns of a table of calls.

    Args:
        widths: What each takes in logical pixels; the arguments take what the others leave.
        priorities: What is left out where there is too little room, the highest first.
    """
    return tuple(
        Column(
            _TITLES[column],
            widths.get(column, 0),
            is_number=column is CallColumn.DURATION,
            is_tabular=column is CallColumn.TIME,
            priority=priorities.get(column, 0),
            least=least_arguments,
            samples=_SAMPLES.get(column, ()),
        )
        for column in CallColumn
    )


def call_cells(
    *,
    at: datetime,
    time: str,
    tool: str,
    caller: str,
    arguments: Cell,
    status: StatusName,
    status_words: str,
    status_tip: str = "",
    duration: str,
    duration_tip: str = "",
) -> tuple[Cell, ...]:
    """Give the cells of a call."""
    return (
        Cell(time, tip=format_full_time(at)),
        Cell(tool, "text", is_strong=True),
        Cell(caller_words(caller), icon=caller_icon(caller)),
        arguments,
        Cell(status_words, "status", status=status, tip=status_tip),
        Cell(duration, "warn" if status == "waiting" else "text2", tip=duration_tip),
    )


def arguments_cell(words: str, tip: str = "") -> Cell:
    """Give the cell of the arguments, which are written as code."""
    return Cell(words, font="caption", is_code=True, tip=tip)
