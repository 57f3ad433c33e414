"""The open questions as a table: which are listed, in which order, and which are picked for one decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from operator import attrgetter

from PySide6.QtCore import QObject

from console.approval.queue_rows import PendingRow, QueueShape, arranged, pending_row
from console.language import tr
from console.widgets import Cell, Column, TableModel
from console.widgets.formats import format_countdown
from tools.calls import ReviewRequest


class QueueModel(TableModel[PendingRow]):
    """List open questions; the mark of a cell says whether its question is picked for a decision about several.

    Args:
        now: Gives the aware time, for the countdowns.
    """

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC), parent: QObject | None = None) -> None:
        super().__init__((Column(tr("Question")),), self._cells_of, attrgetter("id"), parent)
        self._now = now
        self._shape = QueueShape()
        self._picked: dict[str, None] = {}

    @property
    def total(self) -> int:
        """How many questions are open, listed or not."""
        return len(self._all)

    @property
    def shape(self) -> QueueShape:
        return self._shape

    @property
    def picked(self) -> tuple[PendingRow, ...]:
        """The questions picked for one decision, in the order of the list."""
        return tuple(row for row in self.rows if row.id in self._picked)

    @property
    def now(self) -> datetime:
        """The aware time that the countdowns count from."""
        return self._now()

    def set_requests(self, requests: Iterable[ReviewRequest]) -> None:
        """Take the open questions; what is known already is not worked out again."""
        known = {row.id: row for row in self._all}
        rows = []
        for request in requests:
            row = known.get(request.id)
            rows.append(row if row is not None and row.request is request else pending_row(request))
        self._picked = {row.id: None for row in rows if row.id in self._picked}
        self.show_rows(rows)

    def set_shape(self, shape: QueueShape) -> None:
        """List other questions, or in another order."""
        self._shape = shape
        self._follow()

    def listed(self, rows: Iterable[PendingRow]) -> list[PendingRow]:
        return arranged(rows, self._shape)

    def toggle_picked(self, request_id: str) -> bool:
        """Pick a listed question for a decision about several, or let it go.

        Returns:
            Whether that was possible: only questions about calls of one tool are decided together.
        """
        if request_id in self._picked:
            del self._picked[request_id]
        else:
            others = {picked.tool for picked in self.picked}
            place = self.place_of(request_id)
            if place < 0 or (others and self.rows[place].tool not in others):
                return False
            self._picked[request_id] = None
        self.tick()
        return True

    def drop_picked(self) -> None:
        """Let all picked questions go."""
        self._picked.clear()
        self.tick()

    def tick(self) -> None:
        """Have all rows painted anew: time passed, or others are picked."""
        self.tell_changed(range(len(self.rows)))

    def _cells_of(self, row: PendingRow) -> tuple[Cell, ...]:
        left_s, is_picked = row.left_s(self._now()), row.id in self._picked
        left = "" if left_s is None else tr("{time} left", time=format_countdown(left_s))
        spoken = ", ".join(filter(None, (row.words, left, tr("picked") if is_picked else "")))
        return (Cell(row.tool, tip=row.summary, spoken=spoken, is_checked=is_picked),)
