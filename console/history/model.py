"""Calls of the history as a Qt model: the newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from console.call_table.model import ROOT, CallColumn, CallTableModel, Index, now_utc, runs_of
from console.history.rows import duration_words, status_words, waiting_words
from console.widgets.formats import format_full_time, format_when
from console.widgets.status import status_of_call

if TYPE_CHECKING:
    from console.widgets.status import StatusName
    from tools.history import HistoryRow


class HistoryModel(CallTableModel):
    """List calls, newest first; the next page is asked for when somebody scrolls to the end.

    Args:
        clock: Gives the time, for the words of it.
        parent: Its owner.

    Signals:
        more_wanted: The next page is wanted; `append` brings it.
    """

    more_wanted = Signal()

    def __init__(self, clock: Callable[[], datetime] = now_utc, parent: QObject | None = None) -> None:
        super().__init__(clock, parent)
        self._rows: list[HistoryRow] = []
        self._ids: set[str] = set()
        self._has_more = False
        self._asked = False

    @property
    def rows(self) -> Sequence[HistoryRow]:
        """Give the calls that are listed so far."""
        return self._rows

    def row_at(self, index: Index) -> HistoryRow:
        """Give the call of a valid index."""
        return self._rows[index.row()]

    def place_of(self, record_id: str) -> int:
        """Give where a call stands; -1 when it is not listed."""
        if record_id not in self._ids:
            return -1
        return next(place for place, row in enumerate(self._rows) if row.id == record_id)

    def places_of(self, ids: Collection[str]) -> dict[str, int]:
        """Give where calls stand, those that are listed; the list is looked through from the top, and no further."""
        missing = self._ids.intersection(ids)
        found: dict[str, int] = {}
        for place, row in enumerate(self._rows):
            if len(found) == len(missing):
                break
            if row.id in missing:
                found[row.id] = place
        return found

    def show(self, rows: Sequence[HistoryRow], *, has_more: bool) -> None:
        """List the first page of another question."""
        self.beginResetModel()
        self._rows = list(rows)
        self._ids = {row.id for row in rows}
        self._has_more = has_more
        self._asked = False
        self.endResetModel()

    def append(self, rows: Sequence[HistoryRow], *, has_more: bool) -> None:
        """List the next page."""
        self._asked = False
        self._has_more = has_more
        new = [row for row in rows if row.id not in self._ids]
        if not new:
            return
        first = len(self._rows)
        self.beginInsertRows(ROOT, first, first + len(new) - 1)
        self._rows += new
        self._ids.update(row.id for row in new)
        self.endInsertRows()

    def merge(self, rows: Sequence[HistoryRow]) -> bool:
        """Take the newest calls anew: new ones are put on top, changed ones change where they stand, lost ones leave.

        Args:
            rows: The newest calls, newest first.

        Returns:
            Whether they follow on what is listed; False when there are calls between, so that `show` must list anew.
        """
        new = [row for row in rows if row.id not in self._ids]
        if len(new) == len(rows):
            return False
        fresh = {row.id: row for row in rows}
        place_by_id = self.places_of(fresh)
        last = max(place_by_id.values())
        self._update(fresh, last)
        self._remove_at([place for place, row in enumerate(self._rows[:last]) if row.id not in fresh])
        if new:
            self.beginInsertRows(ROOT, 0, len(new) - 1)
            self._rows[:0] = new
            self._ids.update(row.id for row in new)
            self.endInsertRows()
        return True

    def remove(self, ids: Collection[str]) -> None:
        """Take calls out of the list."""
        self._remove_at([place for place, row in enumerate(self._rows) if row.id in ids])

    def _remove_at(self, places: Sequence[int]) -> None:
        for first, last in reversed(runs_of(places)):
            self.beginRemoveRows(ROOT, first, last)
            self._ids.difference_update(row.id for row in self._rows[first : last + 1])
            del self._rows[first : last + 1]
            self.endRemoveRows()

    def _update(self, rows: dict[str, HistoryRow], last: int) -> None:
        head = self._rows[: last + 1]
        changed = [place for place, row in enumerate(head) if row.id in rows and rows[row.id] != row]
        for place in changed:
            self._rows[place] = rows[self._rows[place].id]
        self.tell_changed(changed)

    def rowCount(self, parent: Index = ROOT) -> int:
        """Count the calls that are listed so far."""
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        """Say whether there is a next page that nobody asked for yet."""
        return not parent.isValid() and self._has_more and not self._asked

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._asked = True
            self.more_wanted.emit()

    def id_at(self, index: Index) -> str:
        """Give the id of the call of a valid index."""
        return self.row_at(index).id

    def status_at(self, index: Index) -> StatusName:
        """Give how the call of a valid index stands."""
        row = self.row_at(index)
        return status_of_call(row.status, from_cache=row.from_cache)

    def words_at(self, index: Index) -> str:
        """Give what stands in a cell."""
        row = self.row_at(index)
        match CallColumn(index.column()):
            case CallColumn.TIME:
                return format_when(row.proposed_at, self._clock())
            case CallColumn.TOOL:
                return row.tool
            case CallColumn.CALLER:
                return row.caller
            case CallColumn.ARGUMENTS:
                return row.arguments_text
            case CallColumn.STATUS:
                return status_words(row)
            case CallColumn.DURATION:
                return duration_words(row)

    def tooltip_at(self, index: Index) -> str:
        """Give the whole time, or how the call ended and what came of it."""
        row = self.row_at(index)
        words = self.words_at(index)
        if index.column() == CallColumn.TIME:
            return format_full_time(row.proposed_at)
        if index.column() == CallColumn.STATUS and row.summary not in words:
            return f"{words}\n{row.summary}"
        if index.column() == CallColumn.ARGUMENTS and row.asked_text:
            return f"Ran with {row.arguments_text}\nAsked for {row.asked_text}"
        if index.column() == CallColumn.DURATION:
            return ", and ".join(filter(None, (words, waiting_words(row))))
        return words
