"""`History`: what happened, kept on disk, to be searched, replayed and compared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Final

from tools.errors import HistoryError
from tools.history.intake import Intake
from tools.history.ledger import Ledger, new_run_name
from tools.history.reader import HistoryReader, row_ids
from tools.history.records import HistoryChange, OpenReport, Retention
from tools.history.writer import Writer

if TYPE_CHECKING:
    from tools.calls import ToolCall
    from tools.history.retention import Pruning
    from tools.vault import Vault

FLUSH_TIMEOUT_S: Final = 10.0


class History(HistoryReader):
    """Record the calls of executors, and answer questions about them.

    Events come in on any thread and cost a few microseconds; one thread writes. Questions may be asked from any thread;
    they take milliseconds, so a window asks them in a thread.

    Args:
        folder: Where everything is kept; several programs may use one at a time.
        retention: What is kept for how long; None is the usual.
        vault: Seals what tools want encrypted; None keeps nothing of it.
        clock: The time in seconds since the epoch.
        yield_to_ui: Called in the writing thread before every few hundred calls; it may wait some milliseconds for a
            thread that must not, such as that of a window. None never waits.
    """

    wants: Final = Intake.wants
    """The types of events that `receive` is told."""

    def __init__(
        self,
        folder: Path,
        *,
        retention: Retention | None = None,
        vault: Vault | None = None,
        clock: Callable[[], float] = time,
        yield_to_ui: Callable[[], object] | None = None,
    ) -> None:
        self.run: Final = new_run_name()
        self._retention = retention or Retention()
        self._ledger = Ledger(folder, self.run, clock)
        super().__init__(self._ledger.path, self._ledger.blobs, vault)
        self._writer = Writer(self._ledger, self.run, self._retention, vault, yield_to_ui)

    @property
    def receive(self) -> Intake:
        """What an executor tells its events to; it takes a few microseconds a call and never waits."""
        return self._writer.intake

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

    def call_record_id(self, call: ToolCall) -> str:
        """Return the id that a call of this run has in the history."""
        return f"{self.run}-{call.id}"

    def flush(self, timeout_s: float = FLUSH_TIMEOUT_S) -> None:
        """Wait until all that was received is on disk, where it survives the program's death, and can be found.

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

    def forget(self, records: Sequence[str]) -> int:
        """Take calls away for good; those that run stay.

        Returns:
            How many went.

        Raises:
            HistoryError: When they cannot be taken away.
        """
        with self._snapshot() as connection:
            ids = row_ids(connection, records)
        return self._do(lambda pruning: pruning.forget(ids))

    def prune(self) -> int:
        """Let go what the retention does not keep, now; it happens by itself every minute.

        Returns:
            How many calls went.

        Raises:
            HistoryError: When they cannot be taken away.
        """
        return self._do(lambda pruning: pruning.prune(self._retention))

    def _do(self, work: Callable[[Pruning], Iterator[int]]) -> int:
        if not self._is_open:
            raise HistoryError(self.problem)
        return self._writer.order(work(self._ledger.pruning)).result()

    def _look_for_damage(self) -> None:
        if self._is_open:
            self._writer.look_for_damage()
