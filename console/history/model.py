"""Calls of the history as a table: the newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from console.call_table import CallColumn, arguments_cell, call_cells, call_columns, now_utc
from console.history.rows import duration_words, status_words, waiting_words
from console.language import tr
from console.widgets import Cell, TableModel
from console.widgets.formats import format_when
from console.widgets.status import status_of_call

if TYPE_CHECKING:
    from tools.history import HistoryRow

# When, what and how it ended must stay in sight.
_COLUMNS: Final = call_columns(
    {
        CallColumn.TIME: 120,
        CallColumn.TOOL: 136,
        CallColumn.CALLER: 112,
        CallColumn.STATUS: 148,
        CallColumn.DURATION: 80,
    },
    120,
    {CallColumn.CALLER: 3, CallColumn.DURATION: 2, CallColumn.ARGUMENTS: 1},
)


class HistoryModel(TableModel["HistoryRow"]):
    """List calls, newest first; the next page is asked for when somebody scrolls to the end.

    Args:
        clock: Gives the time, for the words of it.
    """

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, self._cells_of, attrgetter("id"), parent)
        self._clock = clock

    def remove(self, ids: Collection[str]) -> None:
        """Take calls out of the list."""
        self.show_rows([row for row in self.rows if row.id not in ids], has_more=self._has_more)

    def _cells_of(self, row: HistoryRow) -> tuple[Cell, ...]:
        words, took, waited = status_words(row), duration_words(row), waiting_words(row)
        asked = (
            tr(
                "Ran with {arguments_text}\nAsked for {asked_text}",
                arguments_text=row.arguments_text,
                asked_text=row.asked_text,
            )
            if row.asked_text
            else ""
        )
        return call_cells(
            at=row.proposed_at,
            time=format_when(row.proposed_at, self._clock()),
            tool=row.tool,
            caller=row.caller,
            arguments=arguments_cell(row.arguments_text, asked),
            status=status_of_call(row.status, from_cache=row.from_cache, error_kind=row.error_kind),
            status_words=words,
            status_tip="" if row.summary in words else f"{words}\n{row.summary}",
            duration=took,
            duration_tip=tr("{took}, and {waited}", took=took, waited=waited) if waited else took,
        )
