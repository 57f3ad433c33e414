"""`History`: what happened, kept on disk, to be searched, replayed and compared."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Final

from tools.errors import HistoryError
from tools.history.database import described, is_damage, is_index_damage
from tools.history.exporting import ExportFormat, write_export
from tools.history.intake import Intake
from tools.history.ledger import Ledger, new_run_name
from tools.history.reads import Reads
from tools.history.records import DecisionPage, HistoryChange, HistoryPage, HistoryQuery, OpenReport, Retention
from tools.history.writer import Writer

if TYPE_CHECKING:
    from tools.calls import CallRecord, ToolCall
    from tools.vault import Vault

FLUSH_TIMEOUT_S: Final = 10.0


class History:
    """Record the calls of executors, and answer questions about them.

    Events come in on any thread and cost a few microseconds; one thread writes. Questions may be asked from any thread;
    they take milliseconds, so a window asks them in a thread.

    Args:
        folder: Where everything is kept; several programs may use one at a time.
        retention: What is kept for how long; None is the usual.
        vault: Seals what tools want encrypted; None keeps nothing of it.
        clock: The time in seconds since the epoch.
        give_way: Called in the writing thread before every few hundred calls; it may wait some milliseconds for a
            thread that must not, such as that of a window. None never waits.
    """

    def __init__(
        self,
        folder: Path,
        *,
        retention: Retention | None = None,
        vault: Vault | None = None,
        clock: Callable[[], float] = time,
        give_way: Callable[[], object] | None = None,
    ) -> None:
        self.run: Final = new_run_name()
        self._retention = retention or Retention()
        self._ledger = Ledger(folder, self.run, clock)
        self._reads = Reads(self._ledger.path, self._ledger.blobs, vault)
        self._writer = Writer(self._ledger, self.run, self._retention, vault, give_way)
        self._is_open = False

    @property
    def receive(self) -> Intake:
        """What an executor tells its events to; it takes a few microseconds a call and never waits."""
        return self._writer.intake

    @property
    def wants(self) -> tuple[type, ...]:
        """The types of events that `receive` is told."""
        return Intake.wants

    @property
    def problem(self) -> str:
        """What keeps calls from being recorded, for a person; empty when all is well."""
        if not self._is_open:
            return "the history is not open"
        problem, lost = self._writer.problem, self.lost
        if not lost:
            return problem
        return f"{problem or 'the disk was slower than the calls'}; {lost:,} calls were not recorded"

    @property
    def lost(self) -> int:
        """How many calls could not be recorded since the history was opened."""
        return self._writer.intake.lost

    def open(self) -> OpenReport:
        """Open the file and begin to record.

        Returns:
            What was found: calls that were running when an earlier program ended, a damaged file that was put aside.

        Raises:
            HistoryError: When nothing can be written; the message says what to do. The program goes on without: events
                are dropped, and questions find nothing.
        """
        report = self._ledger.open()
        self._writer.start()
        self._is_open = True
        return report

    def close(self) -> None:
        """Write what came in, end this run, and let the file go. Calls that still run are given up in it."""
        if self._is_open:
            self._is_open = False
            self._writer.stop()
        self._reads.close()

    def call_record_id(self, call: ToolCall) -> str:
        """Return the id that a call of this run has in the history."""
        return f"{self.run}-{call.id}"

    def flush(self, timeout_s: float = FLUSH_TIMEOUT_S) -> None:
        """Wait until all that was received is on disk, where it survives the program's death, and can be found.

        Args:
            timeout_s: The longest wait.

        Raises:
            HistoryError: When it is not, and why.
        """
        if not self._is_open:
            raise HistoryError(self.problem)
        done: Future[None] = Future()
        self._writer.intake.await_writing(done)
        try:
            done.result(timeout_s)
        except TimeoutError as error:
            msg = f"the disk did not take the newest calls within {timeout_s:g} s"
            raise HistoryError(msg) from error

    async def settled(self, call: ToolCall | str) -> None:
        """Wait until a call of this run ended and is on disk, where it survives the program's death.

        Args:
            call: The call or its id.

        Raises:
            HistoryError: When it cannot be written, and why.
        """
        if not self._is_open:
            raise HistoryError(self.problem)
        await asyncio.wrap_future(self._writer.intake.settled(call))

    def watch(self, watcher: Callable[[HistoryChange], None]) -> Callable[[], None]:
        """Tell a function what changed: once a commit, on the writer's thread.

        Returns:
            The undo.
        """
        self._writer.watchers = (*self._writer.watchers, watcher)

        def unwatch() -> None:
            self._writer.watchers = tuple(other for other in self._writer.watchers if other is not watcher)

        return unwatch

    def search(self, query: HistoryQuery | None = None) -> HistoryPage:
        """Return a page of the calls that a query chooses, newest first.

        Raises:
            HistoryError: When the file cannot be read.
        """
        with self._reading() as reads:
            return reads.search(query or HistoryQuery()) if self._is_open or reads.exist else HistoryPage()

    def get(self, record: str) -> CallRecord | None:
        """Return a whole call; None when there is none of this id.

        Raises:
            HistoryError: When the file cannot be read.
        """
        with self._reading() as reads:
            return reads.get(record) if self._is_open or reads.exist else None

    def decisions(self, query: HistoryQuery | None = None) -> DecisionPage:
        """Return the decisions about a page of the calls that a query chooses, the newest first.

        Questions that wait are not among them. The `limit` counts calls, of which each may have several decisions.

        Raises:
            HistoryError: When the file cannot be read.
        """
        with self._reading() as reads:
            return reads.decisions(query or HistoryQuery()) if self._is_open or reads.exist else DecisionPage()

    def attachment(self, record: str, number: int) -> bytes:
        """Return the content of an attachment, counted from 0.

        Raises:
            HistoryError: When it is not kept any more, or the file cannot be read.
            VaultError: When it is sealed and does not open.
        """
        with self._reading() as reads:
            return reads.attachment(record, number)

    def timings(self, tool: str, limit: int = 50) -> tuple[CallRecord, ...]:
        """Return the newest calls of a tool that ended, newest first, without what is large or sealed of them.

        Raises:
            HistoryError: When the file cannot be read.
        """
        with self._reading() as reads:
            return reads.timings(tool, limit) if self._is_open or reads.exist else ()

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tools and the callers that there are calls of, each sorted.

        Raises:
            HistoryError: When the file cannot be read.
        """
        with self._reading() as reads:
            return reads.names() if self._is_open or reads.exist else ((), ())

    def export(self, query: HistoryQuery, path: Path, form: ExportFormat | None = None) -> int:
        """Write the calls that a query chooses into a file, newest first, at most as many as its `limit` says.

        Args:
            query: Which calls.
            path: The file; it appears when it is whole.
            form: `jsonl` has one object a line with all that is kept, `csv` one row a call with what fits in a table;
                None takes `csv` for a file that is called so, else `jsonl`.

        Returns:
            How many.

        Raises:
            HistoryError: When the history cannot be read or the file not be written.
        """
        with self._reading() as reads:
            return write_export(reads.each(query), path, form)

    def forget(self, records: Sequence[str]) -> int:
        """Take calls away for good; those that run stay.

        Returns:
            How many went.

        Raises:
            HistoryError: When they cannot be taken away.
        """
        with self._reading() as reads:
            ids = reads.row_ids(records)
        return self._do(lambda: self._ledger.forget(ids))

    def prune(self) -> int:
        """Let go what the retention does not keep, now; it happens by itself every minute.

        Returns:
            How many calls went.

        Raises:
            HistoryError: When they cannot be taken away.
        """
        return self._do(lambda: self._ledger.prune(self._retention))

    def _do(self, work: Callable[[], Iterator[int]]) -> int:
        if not self._is_open:
            raise HistoryError(self.problem)
        return self._writer.order(work).result()

    @contextmanager
    def _reading(self) -> Iterator[Reads]:
        try:
            yield self._reads
        except (sqlite3.Error, MemoryError) as error:
            if self._is_open and (is_damage(error) or is_index_damage(error)):
                self._writer.look_for_damage()
            msg = f"the history cannot be read: {described(error, self._ledger.path)}"
            raise HistoryError(msg) from error
