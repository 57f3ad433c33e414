"""Fill a list of calls from the history: one query at a time, the newest question wins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from console.call_table import now_utc
from console.history.model import HistoryModel
from console.history.rows import Filters, TimeRange, since_of
from console.language import translated
from console.tasks import TaskScope
from tools.calls import PROBE_CALLER
from tools.errors import HistoryError

if TYPE_CHECKING:
    from pathlib import Path

    from tools.calls import CallRecord
    from tools.history import HistoryPage, HistoryQuery


class HistoryPort(Protocol):
    """Ask the history, somewhere else than on the window's thread. Every method may raise `HistoryError`."""

    @property
    def problem(self) -> str:
        """Why nothing is kept at the moment; empty when all is well."""
        ...

    @property
    def is_open(self) -> bool: ...

    async def search(self, query: HistoryQuery) -> HistoryPage: ...

    async def get(self, record_id: str) -> CallRecord | None:
        """Return a whole call; None when it is gone."""
        ...

    async def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tools and the callers that occur, each sorted."""
        ...

    async def forget(self, ids: Collection[str]) -> None: ...

    async def export(self, query: HistoryQuery, path: Path) -> int:
        """Write the calls that a query chooses: as CSV when the file is called so, else as one JSON object a line.

        Returns:
            How many were written.
        """
        ...

    async def document_of(self, records: Sequence[CallRecord]) -> str: ...


class CallDetailPort(Protocol):
    """Show a call of the history: its result, log, attachments and timing."""

    async def show(self, record: CallRecord) -> None: ...

    def clear(self) -> None: ...


PAGE: Final = 100
"""How many calls are asked for at a time."""

_MOST_REFRESHED: Final = 1_000
_REFRESH_MS: Final = 400
_INDEXED_MS: Final = 1_500
"""After this long a call that ended is found by its words."""


def query_of(filters: Filters, now: datetime, *, limit: int = PAGE, before: int | None = None) -> HistoryQuery:
    """Ask the history for what filters admit: probes only where they are chosen as the caller.

    Args:
        filters: What the list is narrowed to.
        limit: The most rows.
        before: Where the page begins; None begins with the newest.
    """
    from tools.history import HistoryQuery  # noqa: PLC0415 -- no window is shown later for a database

    return HistoryQuery(
        text=filters.text.strip(),
        tools=(filters.tool,) if filters.tool else (),
        callers=(filters.caller,) if filters.caller else (),
        without_callers=() if filters.caller else (PROBE_CALLER,),
        statuses=filters.statuses,
        since=since_of(filters, now),
        until=filters.until if filters.span is TimeRange.CUSTOM else None,
        limit=limit,
        before=before,
    )


class HistoryFeed(QObject):
    """Keep a model in step with the history.

    Args:
        history: Where calls come from.

    Signals:
        counted(int, bool): So many calls fit; whether that is the whole number.
        listed: The first page of a question stands in the model.
        failed(str): A sentence about why nothing can be listed.
        busy_changed(bool): A question is under way, or answered.
    """

    counted = Signal(int, bool)
    listed = Signal()
    failed = Signal(str)
    busy_changed = Signal(bool)

    def __init__(
        self,
        model: HistoryModel,
        history: HistoryPort,
        scope: TaskScope,
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._history = history
        self._scope = scope
        self._clock = clock
        self._filters = Filters()
        self._number = 0
        self._next_before: int | None = None
        self._task: asyncio.Task[Any] | None = None
        self._pending: list[str] = []
        self._changed: set[str] = set()
        self._is_closed = False
        self._timer = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._again = QTimer(self, singleShot=True, interval=_INDEXED_MS)
        self._again.timeout.connect(self._on_again_timeout)
        model.more_wanted.connect(self._on_model_more_wanted)

    @property
    def filters(self) -> Filters:
        return self._filters

    def show(self, filters: Filters) -> None:
        """List what other filters admit; a question that is under way is forgotten."""
        self._filters = filters
        self._number += 1
        self._pending.clear()
        self._ask("first")

    def refresh_soon(self, changed: set[str]) -> None:
        """Take in what changed, within half a second.

        Args:
            changed: The ids of new and changed calls.
        """
        self._changed |= changed
        if not self._timer.isActive() and not self._is_closed:
            self._timer.start()

    def close(self) -> None:
        self._is_closed = True
        self._timer.stop()
        self._again.stop()
        if self._task is not None:
            self._task.cancel()

    def _ask(self, what: str) -> None:
        if self._is_closed:
            return
        if what not in self._pending:
            self._pending.append(what)
        if self._task is None or self._task.done():
            self._task = self._scope.start(self._answer(), "search the history")
            self.busy_changed.emit(True)

    async def _answer(self) -> None:
        """Answer what is asked: never two questions at a time, and none that nobody wants any more."""
        while self._pending:
            what, number = self._pending.pop(0), self._number
            try:
                page = await self._history.search(self._query(what))
            except HistoryError as error:
                self.failed.emit(translated(error.why))
                continue
            if number == self._number:
                self._take(what, page)
        self._task = None
        self.busy_changed.emit(False)

    def _query(self, what: str) -> HistoryQuery:
        now = self._clock()
        if what == "more":
            return query_of(self._filters, now, before=self._next_before)
        if what == "newest":
            places = [place for key in self._changed if (place := self._model.place_of(key)) >= 0]
            limit = max(PAGE, max(places, default=0) + 1 + len(self._changed) - len(places))
            self._changed.clear()
            return query_of(self._filters, now, limit=min(limit, _MOST_REFRESHED))
        return query_of(self._filters, now)

    def _take(self, what: str, page: HistoryPage) -> None:
        has_more = page.next_before is not None
        if what == "more":
            self._next_before = page.next_before
            self._model.append(page.rows, has_more=has_more)
        elif what == "first" or not self._model.merge(page.rows):
            self._next_before = page.next_before
            self._model.show_rows(page.rows, has_more=has_more)
            self.listed.emit()
        self.counted.emit(page.total, page.total_exact)

    def _on_model_more_wanted(self) -> None:
        self._ask("more")

    def _on_timer_timeout(self) -> None:
        self._ask("newest")
        if self._filters.text.strip():
            self._again.start()

    def _on_again_timeout(self) -> None:
        self._ask("newest")
