"""How long the calls of earlier runs took, so that "usual" means something from the first call on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from console.call.recent import RecentCall, RecentCalls, lengths_of
from console.records import Records
from console.tasks import TaskScope
from tools.errors import HistoryError

if TYPE_CHECKING:
    from tools.calls import CallRecord


_log = logging.getLogger(__name__)


class PastTimings(QObject):
    """Read the timings of a tool's former calls when its page is opened for the first time.

    Args:
        records: Where calls are kept.
        recent: Where the timings are put.
        scope: Owns the tasks of the window.
        parent: Its owner.
    """

    def __init__(self, records: Records, recent: RecentCalls, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records = records
        self._recent = recent
        self._scope = scope
        self._asked: set[str] = set()

    @Slot(str)
    def recall(self, name: str) -> None:
        """Read the timings of a tool."""
        if name not in self._asked:
            self._asked.add(name)
            self._scope.start(self._read(name), f"read the timings of {name}")  # type: ignore[unused-awaitable]

    async def _read(self, name: str) -> None:
        try:
            timings = await self._records.timings(name)
        except HistoryError as error:
            # That there is no history is told where the history is shown.
            _log.info("the former calls of %s cannot be read: %s", name, error)
            return
        self._recent.put_before(name, recent_calls(timings, self._records.is_of_this_run))


def recent_calls(records: tuple[CallRecord, ...], is_of_this_run: Callable[[str], bool]) -> list[RecentCall]:
    """Return what is known of the calls of earlier runs, oldest first.

    Args:
        records: Newest first.
        is_of_this_run: Whether a record is of this run, whose calls are known already.
    """
    return [
        RecentCall(
            record.id, record.own_s, record.status, len(record.attempts), record.from_cache, lengths_of(record.steps)
        )
        for record in reversed(records)
        if not is_of_this_run(record.id)
    ]
