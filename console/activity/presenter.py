"""Turn the engine's events into the rows and counts of the Activity dock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer, Slot

from console.activity.model import ActivityModel
from console.activity.rows import HIDDEN, ActivityRow, ShownArguments, shown_arguments
from console.call_events import (
    CallAdded,
    CallBegun,
    CallEnded,
    CallerMissing,
    QuestionAsked,
    QuestionDecided,
    WindowEvent,
)
from console.call_table import now_utc
from console.language import translated
from console.widgets.status import StatusName, status_of_call
from tools.calls import CallRecord, ReviewRequest

_TICK_MS: Final = 1_000
_IDLE_TICK_MS: Final = 30_000
_BUCKET_S: Final = 10
_HOUR_S: Final = 3_600
_FLOOD: Final = 24
_PAUSE_MS: Final = 250
_PLACE: Final = ActivityRow("", datetime.fromtimestamp(0, UTC), "", "")
"""Holds the place of a call that ends within the same batch of events."""


class ActivityPort(Protocol):
    """What the presenter needs of `ActivityView`."""

    def set_counts(self, running: int, in_last_hour: int) -> None:
        """Say how many calls run now, and how many were made in the last hour."""


class CallsPerHour:
    """Count calls over the last hour, in steps of ten seconds, so that a million calls cost no more than one."""

    def __init__(self) -> None:
        self._buckets: deque[tuple[int, int]] = deque()
        self._total = 0

    def add(self, moment_s: float) -> None:
        """Count a call made at a moment, in seconds since 1970."""
        bucket = int(moment_s) // _BUCKET_S
        count = 1
        if self._buckets and self._buckets[-1][0] >= bucket:
            bucket, before = self._buckets.pop()
            count += before
        self._buckets.append((bucket, count))
        self._total += 1

    def begin_with(self, moments: Sequence[datetime]) -> None:
        """Count calls from before those that were counted so far, oldest first."""
        later, self._buckets, self._total = self._buckets, deque(), self._total
        for moment in moments:
            self.add(moment.timestamp())
        self._buckets.extend(later)

    def count(self, now: datetime) -> int:
        """Give how many calls were made within the hour before a moment."""
        oldest = (int(now.timestamp()) - _HOUR_S) // _BUCKET_S
        while self._buckets and self._buckets[0][0] <= oldest:
            self._total -= self._buckets.popleft()[1]
        return self._total


class ActivityPresenter(QObject):
    """Feed the list from the one stream of events.

    As long as more rows change at a time than anybody can read, the list is painted four times a second only.

    Args:
        properties: What the schema of a tool, by its name, says of each argument; None when there is no such tool.
        clock: Gives the time.
    """

    def __init__(
        self,
        model: ActivityModel,
        view: ActivityPort,
        properties: Callable[[str], object],
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._properties = properties
        self._clock = clock
        self._open: dict[str, ActivityRow] = {}
        self._changed: dict[str, ActivityRow] = {}
        self._per_hour = CallsPerHour()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._show)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)

    @Slot(list)
    def on_events(self, events: Sequence[WindowEvent]) -> None:
        """Take one batch of events, oldest first; several about one call become one row."""
        # Of a flood most calls begin and end within one batch: nobody sees what was in between.
        ended = {event.record.id for event in events if type(event) is CallEnded}
        for event in events:
            match event:
                case CallAdded(record) if not record.is_probe:
                    self._per_hour.add(record.proposed_s)
                    if record.id not in ended:
                        self._open[record.id] = self._changed[record.id] = self._first_row(record)
                    else:
                        # The calls that it makes itself end before it, and yet are newer.
                        self._changed[record.id] = _PLACE
                case CallEnded(record) if not record.is_probe:
                    self._changed[record.id] = self._last_row(self._open.pop(record.id, None), record)
                case CallBegun(call_id) | QuestionDecided(call_id):
                    self._change(call_id, "running")
                case CallerMissing(call_id, until):
                    self._change(call_id, "running" if until is None else "approved", until)
                case QuestionAsked(call_id, _, expires_at):
                    self._change(call_id, "waiting", expires_at)
                case _:
                    pass
        if not self._pause.isActive():
            self._show()

    def reschedule(self, request: ReviewRequest) -> None:
        """Show that a question waits longer, or shorter, than it said."""
        row = self._open.get(request.call.id)
        if row is not None and row.status == "waiting":
            self._change(row.call_id, "waiting", request.expires_at)
            self._show()

    @Slot()
    def _show(self) -> None:
        if not self._changed:
            return
        rows, self._changed = tuple(self._changed.values()), {}
        if len(rows) > _FLOOD:
            self._pause.start()
        self._model.upsert(rows)
        self._count()

    def restore(self, rows: Sequence[ActivityRow], in_last_hour: int) -> None:
        """Begin the list with calls from before the program started.

        Args:
            rows: The newest of them, oldest first; all have ended.
            in_last_hour: How many were made in the last hour; there may be more than rows.
        """
        self._model.restore(rows)
        recent = [row.proposed_at for row in rows if (self._clock() - row.proposed_at).total_seconds() < _HOUR_S]
        before = recent[:1] * max(0, in_last_hour - len(recent))
        self._per_hour.begin_with([*before, *recent])
        self._count()

    def close(self) -> None:
        """Stop counting time."""
        self._pause.stop()
        self._timer.stop()

    def _change(self, call_id: str, status: StatusName, expires_at: datetime | None = None) -> None:
        row = self._open.get(call_id)
        if row is not None:
            self._open[call_id] = self._changed[call_id] = row._replace(status=status, expires_at=expires_at)

    def _first_row(self, record: CallRecord) -> ActivityRow:
        name = record.tool.name
        if record.tool.sensitive:
            given: ShownArguments = HIDDEN
        else:
            given = shown_arguments(record.final_arguments or {}, self._properties(name))
        return ActivityRow(record.id, record.proposed_at, name, record.caller, given)

    def _last_row(self, before: ActivityRow | None, record: CallRecord) -> ActivityRow:
        row = self._first_row(record) if before is None or record.edited else before
        return row._replace(
            status=status_of_call(
                record.status,
                from_cache=record.from_cache,
                error_kind=record.error_kind,
            ),
            reason="" if record.error is None else _reason(translated(record.error.message)),
            elapsed_s=record.elapsed_s,
            review_s=record.review_s,
            expires_at=None,
        )

    def _count(self) -> None:
        in_last_hour = self._per_hour.count(self._clock())
        self._view.set_counts(self._model.running, in_last_hour)
        wanted_ms = _TICK_MS if self._model.live else _IDLE_TICK_MS if in_last_hour else 0
        if not wanted_ms:
            self._timer.stop()
        elif not self._timer.isActive() or self._timer.interval() != wanted_ms:
            self._timer.start(wanted_ms)

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._model.tick()
        self._count()


def _reason(message: str) -> str:
    return next((line.strip().removesuffix(".") for line in message.splitlines() if line.strip()), "")
