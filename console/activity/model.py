"""The Activity list as a Qt model: the newest calls first, filtered by itself, never longer than its bound."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime
from operator import attrgetter, neg
from typing import Any, Final, Literal

from PySide6.QtCore import QObject, Signal

from console.activity.rows import LIVE, ActivityRow
from console.call_table import EXPIRED, CallColumn, approved_until, arguments_cell, call_cells, call_columns, now_utc
from console.language import number, tr
from console.widgets import (
    ROOT,
    STATUS,
    Cell,
    StatusName,
    TableModel,
    format_countdown,
    format_duration_ms,
    format_review,
    format_time,
)

Show = Literal["all", "running", "failed", "waiting"]
"""Which calls are listed."""

# How a call ended must stay in sight.
_COLUMNS: Final = call_columns(
    {
        CallColumn.TIME: 80,
        CallColumn.TOOL: 164,
        CallColumn.CALLER: 124,
        CallColumn.STATUS: 180,
        CallColumn.DURATION: 104,
    },
    104,
    {CallColumn.CALLER: 2, CallColumn.TIME: 1},
)
_LIMIT: Final = 5_000
_MINUTE_S: Final = 60
_SHOWN: Final[dict[Show, frozenset[StatusName]]] = {
    "running": frozenset({"running", "queued"}),
    "failed": frozenset({"failed", "timed_out", "rejected", "aborted", "denied"}),
    "waiting": frozenset({"waiting", "approved"}),
}


def status_words(row: ActivityRow) -> str:
    """Say how a call stands; a failed one says why."""
    word = EXPIRED if row.status == "expired" else STATUS[row.status].word
    word = f"{word}: {row.reason}" if row.status == "failed" and row.reason else word
    return ", ".join(filter(None, (word, format_review(row.review_s))))


def duration_words(row: ActivityRow, now: datetime) -> str:
    """Say how long a call took without waiting for a person, runs already, or may still wait for an answer."""
    if row.elapsed_s is not None:
        return format_duration_ms(max(0.0, row.elapsed_s - row.review_s) * 1000)
    if row.expires_at is not None:
        return tr("{time} left", time=format_countdown((row.expires_at - now).total_seconds()))
    if row.status == "queued":
        return ""
    passed_s = max(0.0, (now - row.proposed_at).total_seconds())
    return f"{number(passed_s, '.1f')} s" if passed_s < _MINUTE_S else format_countdown(passed_s)


def _status_tip(row: ActivityRow, now: datetime) -> str:
    if row.status == "approved" and row.expires_at is not None:
        return approved_until(row.expires_at, now)
    return f"{STATUS[row.status].word}: {row.reason}" if row.reason else ""


class _ListedRows(Sequence[ActivityRow]):
    """The rows of the calls that are listed: a list of their own would be copied with each call that comes."""

    def __init__(self, model: ActivityModel) -> None:
        self._model = model

    def __len__(self) -> int:
        return len(self._model._listed)  # noqa: SLF001 -- a part of the model

    def __getitem__(self, place: Any) -> Any:
        model = self._model
        return model._rows[model._listed[place]]  # noqa: SLF001 -- as above


class ActivityModel(TableModel[ActivityRow]):
    """List calls, newest first.

    Rows are kept by a number that grows with each new call. While `set_held` is on, new calls wait and only their count
    is told, so that what a person reads does not move away.

    Args:
        clock: Gives the time for what is still running.
        limit: The most calls that are kept.
    """

    held_changed = Signal(int)

    def __init__(
        self, clock: Callable[[], datetime] = now_utc, *, limit: int = _LIMIT, parent: QObject | None = None
    ) -> None:
        super().__init__(_COLUMNS, self._cells_of, attrgetter("call_id"), parent)
        self._clock = clock
        self._limit = limit
        self._rows: dict[int, ActivityRow] = {}
        self._number_by_call: dict[str, int] = {}
        self._next_number = 0
        self._listed: list[int] = []
        self.rows = _ListedRows(self)
        self._held_numbers: list[int] = []
        self._held = False
        self._live: set[int] = set()
        self._show: Show = "all"
        self._words: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Give how many calls are kept, listed or not."""
        return len(self._rows)

    @property
    def live(self) -> bool:
        """Say whether any kept call changes with the clock."""
        return bool(self._live)

    @property
    def running(self) -> int:
        """Give how many kept calls run."""
        return sum(self._rows[number].status == "running" for number in self._live)

    def upsert(self, rows: Sequence[ActivityRow]) -> None:
        """Take new calls, oldest first, and new states of known ones."""
        new: list[ActivityRow] = []
        for row in rows:
            if row.call_id in self._number_by_call:
                self._change(row)
            else:
                new.append(row)
        self._add(new[-self._limit :])

    def restore(self, rows: Sequence[ActivityRow]) -> None:
        """Take calls from before the first one, oldest first; once."""
        rows = [row for row in rows if row.call_id not in self._number_by_call][-self._limit :]
        restored = dict(enumerate(rows, -len(rows)))
        self._number_by_call.update({row.call_id: number for number, row in restored.items()})
        self._rows = restored | self._rows
        self._list_again()
        self._drop_oldest()

    def set_show(self, show: Show) -> None:
        """List only calls of one kind."""
        if show != self._show:
            self._show = show
            self._list_again()

    def set_filter(self, text: str) -> None:
        """List only calls that contain every word of a text in tool, caller, arguments or reason."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self._list_again()

    def set_held(self, *, held: bool) -> None:
        """Let new calls wait, or list those that waited."""
        if held == self._held:
            return
        self._held = held
        if not held and self._held_numbers:
            waiting, self._held_numbers = self._held_numbers, []
            self._insert(waiting)
            self.held_changed.emit(0)

    def tick(self) -> None:
        """Let elapsed times and countdowns be painted anew."""
        self.tell_changed(
            sorted(place for number in self._live if (place := self._place(number)) >= 0), CallColumn.DURATION
        )

    def place_of(self, key: str) -> int:
        """Give where a call is listed; -1 when it is not."""
        return self._place(self._number_by_call[key]) if key in self._number_by_call else -1

    def _cells_of(self, row: ActivityRow) -> tuple[Cell, ...]:
        now = self._clock()
        return call_cells(
            at=row.proposed_at,
            time=format_time(row.proposed_at, now),
            tool=row.tool,
            caller=row.caller,
            arguments=arguments_cell(row.given.line),
            status=row.status,
            status_words=status_words(row),
            status_tip=_status_tip(row, now),
            duration=duration_words(row, now),
        )

    def _fits(self, row: ActivityRow) -> bool:
        return (self._show == "all" or row.status in _SHOWN[self._show]) and row.contains(self._words)

    def _place(self, number: int) -> int:
        """Give where a call is listed; -1 when it is not. The list runs from the highest number to the lowest."""
        place = bisect_left(self._listed, -number, key=neg)
        return place if place < len(self._listed) and self._listed[place] == number else -1

    def _list_again(self) -> None:
        self.beginResetModel()
        held = set(self._held_numbers)
        self._listed = [
            number for number, row in reversed(self._rows.items()) if number not in held and self._fits(row)
        ]
        self.endResetModel()

    def _change(self, row: ActivityRow) -> None:
        number = self._number_by_call[row.call_id]
        place = self._place(number)
        self._rows[number] = row
        self._note_live(number, row)
        if place >= 0 and self._fits(row):
            self.tell_changed([place])
        elif place >= 0:
            self.beginRemoveRows(ROOT, place, place)
            del self._listed[place]
            self.endRemoveRows()
        elif number not in self._held_numbers:
            self._insert([number])

    def _note_live(self, number: int, row: ActivityRow) -> None:
        if row.live:
            self._live.add(number)
        else:
            self._live.discard(number)

    def _add(self, rows: Sequence[ActivityRow]) -> None:
        if not rows:
            return
        first = self._next_number
        numbers = list(range(first, first + len(rows)))
        self._rows.update(zip(numbers, rows, strict=True))
        self._number_by_call.update({row.call_id: number for number, row in zip(numbers, rows, strict=True)})
        self._live.update([number for number, row in zip(numbers, rows, strict=True) if row.status in LIVE])
        self._next_number = first + len(rows)
        if self._held:
            self._held_numbers += numbers
        else:
            self._insert(numbers)
        self._drop_oldest()
        if self._held:
            self.held_changed.emit(len(self._held_numbers))

    def _insert(self, numbers: Sequence[int]) -> None:
        """List calls, oldest first, that are not listed; they stand together."""
        fitting = [*reversed(numbers)]
        if self._show != "all" or self._words:
            fitting = [number for number in fitting if self._fits(self._rows[number])]
        if not fitting:
            return
        place = bisect_left(self._listed, -fitting[0], key=neg)
        self.beginInsertRows(ROOT, place, place + len(fitting) - 1)
        self._listed[place:place] = fitting
        self.endInsertRows()

    def _drop_oldest(self) -> None:
        excess = len(self._rows) - self._limit
        if excess <= 0:
            return
        gone = [number for number, _ in zip(self._rows, range(excess), strict=False)]
        lost = set(gone)
        kept = bisect_left(self._listed, -gone[-1], key=neg)
        if kept < len(self._listed):
            self.beginRemoveRows(ROOT, kept, len(self._listed) - 1)
            del self._listed[kept:]
            self.endRemoveRows()
        for place in gone:
            del self._number_by_call[self._rows.pop(place).call_id]
        self._live -= lost
        self._held_numbers = [number for number in self._held_numbers if number not in lost]
