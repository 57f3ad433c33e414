"""The open questions as a Qt model: which are listed, in which order, and which are picked for one decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.approval.queue_rows import PendingRow, QueueShape, arranged, pending_row
from console.widgets.formats import format_countdown
from tools.calls import ReviewRequest

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Gives the `PendingRow`."""

PICKED_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""Gives whether the question is picked for a decision about several."""

_ROOT: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class QueueModel(QAbstractListModel):
    """List open questions.

    Args:
        now: Gives the aware time, for the countdowns.
    """

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._all: dict[str, PendingRow] = {}
        self._rows: list[PendingRow] = []
        self._shape = QueueShape()
        self._picked: dict[str, None] = {}

    @property
    def rows(self) -> Sequence[PendingRow]:
        """The questions that are listed."""
        return self._rows

    @property
    def total(self) -> int:
        """How many questions are open, listed or not."""
        return len(self._all)

    @property
    def shape(self) -> QueueShape:
        """Which are listed, and how."""
        return self._shape

    @property
    def picked(self) -> tuple[PendingRow, ...]:
        """The questions picked for one decision, in the order of the list."""
        return tuple(row for row in self._rows if row.id in self._picked)

    @property
    def now(self) -> datetime:
        """The aware time that the countdowns count from."""
        return self._now()

    def place_of(self, request_id: str) -> int:
        """Return where a question stands; -1 when it is not listed."""
        return next((place for place, row in enumerate(self._rows) if row.id == request_id), -1)

    def set_requests(self, requests: Iterable[ReviewRequest]) -> None:
        """Take the open questions; what is known already is not worked out again."""
        known, self._all = self._all, {}
        for request in requests:
            row = known.get(request.id)
            self._all[request.id] = row if row is not None and row.request is request else pending_row(request)
        self._arrange()

    def set_shape(self, shape: QueueShape) -> None:
        """List other questions, or in another order."""
        if shape != self._shape:
            self._shape = shape
            self._arrange()

    def toggle_picked(self, request_id: str) -> bool:
        """Pick a listed question for a decision about several, or let it go.

        Returns:
            Whether that was possible: only questions about calls of one tool are decided together.
        """
        if request_id in self._picked:
            del self._picked[request_id]
        else:
            row = next((row for row in self._rows if row.id == request_id), None)
            others = {picked.tool for picked in self.picked}
            if row is None or (others and row.tool not in others):
                return False
            self._picked[request_id] = None
        self._tell_picked()
        return True

    def drop_picked(self) -> None:
        """Let all picked questions go."""
        if self._picked:
            self._picked.clear()
            self._tell_picked()

    def tick(self) -> None:
        """Have the countdowns painted anew."""
        self._tell_changed(Qt.ItemDataRole.DisplayRole)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a question, its words, or whether it is picked."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == PICKED_ROLE:
            return row.id in self._picked
        if role == Qt.ItemDataRole.DisplayRole:
            return row.tool
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.summary
        if role == Qt.ItemDataRole.AccessibleTextRole:
            left_s = row.left_s(self._now())
            left = "" if left_s is None else f", {format_countdown(left_s)} left"
            return f"{row.words}{left}{', picked' if row.id in self._picked else ''}"
        return None

    def _arrange(self) -> None:
        wanted = arranged(self._all.values(), self._shape)
        self._picked = {request_id: None for request_id in self._picked if request_id in self._all}
        ids = {row.id for row in wanted}
        for place in range(len(self._rows) - 1, -1, -1):
            if self._rows[place].id not in ids:
                self.beginRemoveRows(_ROOT, place, place)
                del self._rows[place]
                self.endRemoveRows()
        here = {row.id for row in self._rows}
        if [row.id for row in self._rows] != [row.id for row in wanted if row.id in here]:
            self._reorder([row for row in wanted if row.id in here])
        for place, row in enumerate(wanted):
            if row.id not in here:
                self.beginInsertRows(_ROOT, place, place)
                self._rows.insert(place, row)
                self.endInsertRows()
            elif self._rows[place] is not row:
                self._rows[place] = row
                self.dataChanged.emit(self.index(place), self.index(place))

    def _reorder(self, rows: list[PendingRow]) -> None:
        """Put the same rows into another order, and keep what is selected."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        ids = [self._rows[index.row()].id for index in before]
        self._rows = rows
        place = {row.id: number for number, row in enumerate(rows)}
        self.changePersistentIndexList(before, [self.index(place[request_id]) for request_id in ids])
        self.layoutChanged.emit()

    def _tell_picked(self) -> None:
        self._tell_changed(PICKED_ROLE)

    def _tell_changed(self, role: int) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1), [role])
