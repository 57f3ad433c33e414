"""Decisions of the past as a table: the newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QObject

from console.approval.decision_rows import HEADS, DecidedRow
from console.approval.queue_rows import caller_icon, caller_words
from console.widgets import Cell, Column, TableModel
from console.widgets.formats import format_full_time, format_time

_SHAPES: Final = (
    Column("", 80, is_tabular=True),
    Column("", 176),
    Column("", 184, priority=1),
    Column("", 176),
    Column("", least=160),
    Column("", 136, priority=4),
    Column("", 104, priority=3),
    Column("", 84, is_number=True, priority=2),
)
_COLUMNS: Final = tuple(shape._replace(title=title) for shape, title in zip(_SHAPES, HEADS, strict=True))


class DecisionModel(TableModel[DecidedRow]):
    """List decisions, newest first.

    Args:
        now: Gives the aware time, for the words of it.
        parent: Its owner.
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
