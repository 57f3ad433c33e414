"""What the history's pages need of the rest of the program, as small protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from tools.calls import CallRecord
    from tools.history import HistoryPage, HistoryQuery


class Names(NamedTuple):
    """What calls of the history are called.

    Attributes:
        tools: The names of tools, sorted.
        callers: The callers, sorted.
    """

    tools: tuple[str, ...] = ()
    callers: tuple[str, ...] = ()


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

    async def names(self) -> Names:
        """Return the tools and callers that occur."""
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
