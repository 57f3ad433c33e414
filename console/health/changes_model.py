"""The changes of the tools' health as a table, newest first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from PySide6.QtCore import QObject

from console.call_table import now_utc
from console.health.rows import Status, status_word
from console.widgets import Cell, Column, TableModel
from console.widgets.formats import format_full_time, format_when

_COLUMNS: Final = (Column("Time", 140, is_tabular=True), Column("Tool", 200), Column("Change", 216), Column("Why"))


class HealthChangeRow(NamedTuple):
    """One change.

    Attributes:
        at: When it was noticed.
        tool: The tool.
        before: What it was.
        after: What it is since then.
        reason: Why; empty when it is up.
    """

    at: datetime
    tool: str
    before: Status
    after: Status
    reason: str


class HealthChangesModel(TableModel[HealthChangeRow]):
    """List changes, newest first.

    Args:
        clock: Gives the time, for the words of it.
        parent: Its owner.
    """

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        def cells_of(row: HealthChangeRow) -> tuple[Cell, ...]:
            return (
                Cell(format_when(row.at, clock()), tip=format_full_time(row.at)),
                Cell(row.tool, "text", is_strong=True),
                Cell(f"{status_word(row.before)} → {status_word(row.after)}", "status", status=row.after),
                Cell(row.reason),
            )

        super().__init__(_COLUMNS, cells_of, _key_of, parent)


def _key_of(row: HealthChangeRow) -> str:
    return f"{row.at.isoformat()} {row.tool} {row.after}"
