"""The newest calls, kept in memory as they are: few, and none that is large. The history has the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from console.call_events import CallAdded, CallEnded, WindowEvent
from tools.calls import CallRecord, weight_of

KEPT: Final = 20
"""How many calls that ended are kept."""

LARGE_BYTES: Final = 1_000_000
"""A call whose result, log and attachments together are larger is left to the history."""


class KeptCalls:
    """Remember calls that run, and the last few that ended.

    Args:
        limit: How many calls that ended are kept.
        large_bytes: From which size on a call is not kept.
    """

    def __init__(self, limit: int = KEPT, large_bytes: int = LARGE_BYTES) -> None:
        self._limit = limit
        self._large_bytes = large_bytes
        self._open: dict[str, CallRecord] = {}
        self._ended: dict[str, CallRecord] = {}

    def take(self, events: Iterable[WindowEvent]) -> None:
        ended: list[CallRecord] = []
        for event in events:
            if isinstance(event, CallAdded):
                self._open[event.record.id] = event.record
            elif isinstance(event, CallEnded):
                self._open.pop(event.record.id, None)
                ended.append(event.record)
        # Of a flood only those are weighed that stay.
        for record in ended[-self._limit :]:
            if weight_of(record, self._large_bytes) < self._large_bytes:
                self._ended[record.id] = record
        while len(self._ended) > self._limit:
            self._ended.pop(next(iter(self._ended)))

    def find(self, call_id: str) -> CallRecord | None:
        """Return a call, one that runs as it was when it was made; None when it is not kept, or not any more."""
        return self._open.get(call_id) or self._ended.get(call_id)
