"""What the history's pages need of the rest of the program, as small protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

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
    def is_open(self) -> bool:
        """Whether there is a history to ask."""
        ...

    async def search(self, query: HistoryQuery) -> HistoryPage:
        """Return one page of the calls that a query chooses."""
        ...

    async def get(self, record_id: str) -> CallRecord | None:
        """Return a whole call; None when it is gone."""
        ...

    async def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tools and the callers that occur, each sorted."""
        ...

    async def forget(self, ids: Collection[str]) -> None:
        """Delete calls."""
        ...

    async def export(self, query: HistoryQuery, path: Path) -> int:
        """Write the calls that a query chooses: as CSV when the file is called so, else as one JSON object a line.

        Returns:
            How many were written.
        """
        ...

    async def document_of(self, records: Sequence[CallRecord]) -> str:
        """Return calls as one JSON document for a person."""
        ...


class CallDetailPort(Protocol):
    """Show a call of the history: its result, log, attachments and timing."""

    async def show(self, record: CallRecord) -> None: ...

    def clear(self) -> None: ...
