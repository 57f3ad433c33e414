"""The one thread that writes: it turns what came in into rows and commits them in batches."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import Final

from tools.calls import CallRecord, ToolCall, record_of
from tools.errors import HistoryError
from tools.history.database import described, is_damage, is_index_damage
from tools.history.encoding import CallRow, row_of, unreadable
from tools.history.intake import CLOSED, MOST_WAITING, Intake, OpenRow
from tools.history.ledger import Ledger
from tools.history.records import HistoryChange, Retention
from tools.vault import Vault

_log = logging.getLogger(__name__)

TICK_S: Final = 0.05
"""How long ended calls gather before they are written."""
BUSY_TICK_S: Final = 0.2
"""The same while many calls end: large batches cost less a call, and whoever waits for one is not kept waiting."""
BUSY_CALLS: Final = 200
"""From so many calls in a batch on, many calls end."""
BATCH: Final = 2_000
"""Most calls of one commit."""
BATCH_BESIDE: Final = 250
"""The same beside somebody who goes first, and would wait for the interpreter meanwhile."""
MOST_WAITING_BYTES: Final = 64 * 1024**2
"""Most text and bytes that wait while nothing can be written."""
RETRY_S: Final = 1.0
BREATH_S: Final = 0.002
"""The pause between two slices of upkeep."""
FIRST_UPKEEP_S: Final = 10.0
UPKEEP_S: Final = 60.0

Watcher = Callable[[HistoryChange], None]


class Writer:
    """Write what the intake takes in.

    Attributes:
        intake: Where events come in.
        problem: What keeps it from writing, for a person; empty when nothing does.
        watchers: Who is told of changes, on the writer's thread.
    """

    def __init__(
        self,
        ledger: Ledger,
        run: str,
        retention: Callable[[], Retention],
        vault: Vault | None,
        yield_to_ui: Callable[[], object] | None = None,
    ) -> None:
        self._wake = threading.Event()
        self.intake = Intake(self._wake.set)
        self.problem = ""
        self.watchers: list[Watcher] = []
        self._ledger = ledger
        self._name = run
        self._vault = vault
        self._retention = retention
        self._yield_to_ui = yield_to_ui
        self._batch = BATCH if yield_to_ui is None else BATCH_BESIDE
        self._backlog: list[CallRow] = []
        self._chores: deque[tuple[Iterator[int], Future[int], list[int]]] = deque()
        self._look: Future[int] | None = None
        self._lock = threading.RLock()
        self._has_ended = False
        self._closing = False
        self._is_busy = False
        self._next_upkeep = 0.0
        self._thread = threading.Thread(target=self._run, name="history-writer", daemon=True)

    def start(self) -> None:
        self.intake.limit = MOST_WAITING
        self._next_upkeep = monotonic() + FIRST_UPKEEP_S
        self._thread.start()

    def stop(self) -> None:
        self._closing = True
        self.intake.hurry()
        self._thread.join()

    def order(self, work: Iterator[int]) -> Future[int]:
        """Have work done in slices on the writer's thread, new calls written between them.

        Args:
            work: Yields a number after each slice.

        Returns:
            The sum of the numbers, once it is done.
        """
        done: Future[int] = Future()
        with self._lock:
            if self._has_ended:
                done.set_exception(HistoryError(CLOSED))
                return done
            self._chores.append((work, done, []))
        self.intake.hurry()
        return done

    def look_for_damage(self) -> None:
        """Have the file looked through, if that is not about to happen: somebody could not read it."""
        with self._lock:
            if self._look is None or self._look.done():
                self._look = self.order(self._ledger.look_through())

    def _run(self) -> None:
        while True:
            closing = self._closing
            waiting = self.intake.close() if closing else self.intake.take_waiting()
            self._write_all(everything=bool(waiting) or closing)
            self._answer(waiting)
            if closing:
                self._end()
                return
            self._do_chore()
            self._rest()

    def _rest(self) -> None:
        """Wait for the next batch, or to be woken when nothing is under way."""
        intake = self.intake
        if self._chores:
            pause_s = BREATH_S
        elif self._backlog:
            pause_s = RETRY_S
        elif intake.ended or intake.changed:
            pause_s = BUSY_TICK_S if self._is_busy else TICK_S
        else:
            intake.resting = True
            # Something may have come in before that was set.
            pause_s = 0.0 if intake.ended or intake.changed else UPKEEP_S
        self._wake.wait(pause_s)
        self._wake.clear()
        intake.resting = False

    def _answer(self, waiting: list[Future[None]]) -> None:
        for done in waiting:
            if not done.set_running_or_notify_cancel():
                # Whoever waited was cancelled; an answer would be an error, and end this thread.
                continue
            if self.problem:
                done.set_exception(HistoryError(self.problem))
            else:
                done.set_result(None)

    def _write_all(self, *, everything: bool) -> None:
        left = len(self.intake.ended)
        self._is_busy = left >= BUSY_CALLS
        changed = self.intake.take_changed(0.0 if everything else TICK_S)
        while True:
            if self._yield_to_ui is not None:
                self._yield_to_ui()
            taken = self.intake.take(self._batch)
            rows = self._backlog + [self._row(record, slot) for record, slot, _ in taken]
            self._backlog = []
            if (rows or changed) and not self._write(rows, changed):
                return
            changed = {}
            left -= self._batch
            if left <= 0:
                return

    def _row(self, record: CallRecord, slot: OpenRow | None) -> CallRow:
        try:
            row = row_of(record, self._name, self._vault)
        except Exception:  # noqa: BLE001 -- one call that breaks all rules must not stop the others
            _log.exception("the call %s of %r could not be written down", record.id, record.tool.name)
            row = unreadable(record)
        return row if slot is None else row._replace(row_id=slot.row)

    def _rows_of_open(self, calls: Mapping[ToolCall, OpenRow]) -> dict[ToolCall, CallRow]:
        """Return the rows of open calls, without those that ended meanwhile: their rows come with the ended ones."""
        rows = {}
        for call, slot in calls.items():
            if call in self.intake.slots:
                try:
                    rows[call] = self._row(record_of(call), slot)
                except Exception:  # noqa: BLE001 -- as above; its end is written
                    _log.exception("the running call %s of %r could not be looked at", call.id, call.name)
        return rows

    def _write(self, rows: list[CallRow], changed: Mapping[ToolCall, OpenRow]) -> bool:
        """Write rows, and those of open calls behind them; return whether they are on disk."""
        opened = self._rows_of_open(changed)
        rows_of_all = [*rows, *opened.values()]
        try:
            if not self._ledger.in_place:
                self._open_anew(damaged=False)
            row_ids = self._ledger.write(rows_of_all)
        except Exception as error:  # noqa: BLE001 -- the thread must live on, and say why it cannot write
            for call in opened:
                self.intake.put_back(call)
            self._keep(rows)
            self._fail(error)
            return False
        for call, row_id in zip(opened, row_ids[len(rows) :], strict=True):
            changed[call].row = row_id
        self.problem = ""
        self.intake.stuck = False
        if self.watchers:
            self._tell(HistoryChange(tuple([f"{self._name}-{row.call}" for row in rows_of_all])))
        return True

    def _keep(self, rows: list[CallRow]) -> None:
        """Hold rows until they can be written, as many as there is room for."""
        size = 0
        for number, row in enumerate(rows):
            size += row.size_bytes
            if size > MOST_WAITING_BYTES:
                self.intake.lost += len(rows) - number
                rows = rows[:number]
                break
        self._backlog = rows

    def _fail(self, error: Exception) -> None:
        """Say what is wrong, and do about it what can be done."""
        if is_index_damage(error):
            self._attempt(self._ledger.make_index_anew, error)
        elif is_damage(error):
            self._attempt(partial(self._open_anew, damaged=True), error)
        else:
            self._complain(described(error, self._ledger.path))

    def _attempt(self, repair: Callable[[], None], error: Exception) -> None:
        try:
            repair()
            # What could not be written is written now.
            self._wake.set()
        except Exception as again:  # noqa: BLE001 -- the thread must live on, also where memory ran out
            self._complain(f"{described(error, self._ledger.path)}; {described(again, self._ledger.path)}")

    def _open_anew(self, *, damaged: bool) -> None:
        # What is under way goes through the connection that is closed now, and means the rows of that file.
        self._refuse_chores("the history's file was replaced before it was done; try again")
        if message := self._ledger.open(damaged=damaged).message:
            _log.warning("%s", message)

    def _refuse_chores(self, why: str) -> None:
        with self._lock:
            refused = list(self._chores)
            self._chores.clear()
        for _, done, _ in refused:
            done.set_exception(HistoryError(why))

    def _complain(self, problem: str) -> None:
        if problem != self.problem:
            _log.warning("calls are not recorded for now: %s", problem)
        self.problem = problem
        self.intake.stuck = True

    def _do_chore(self) -> None:
        """Do one slice of what is to be done beside writing."""
        if monotonic() >= self._next_upkeep and not self.problem:
            self._next_upkeep = monotonic() + UPKEEP_S
            self._chores.append((self._ledger.upkeep(self._retention()), Future(), []))
        if self._chores:
            self._do_slice()

    def _do_slice(self) -> None:
        work, done, gone = self._chores[0]
        try:
            gone.append(next(work))
        except StopIteration:
            self._chores.popleft()
            done.set_result(sum(gone))
        except Exception as error:  # noqa: BLE001 -- the thread must live on, and whoever waits must hear of it
            self._chores.popleft()
            self._fail(error)
            done.set_exception(HistoryError(described(error, self._ledger.path)))
        else:
            if gone[-1]:
                self._tell(HistoryChange((), forgotten=True))

    def _tell(self, change: HistoryChange) -> None:
        for watcher in tuple(self.watchers):
            try:
                watcher(change)
            except Exception:  # noqa: BLE001 -- a watcher is foreign code
                _log.exception("somebody who watches the history failed")

    def _end(self) -> None:
        with self._lock:
            self._has_ended = True
        self._refuse_chores(CLOSED)
        try:
            self._ledger.close()
        except (sqlite3.Error, OSError) as error:
            self._complain(described(error, self._ledger.path))
