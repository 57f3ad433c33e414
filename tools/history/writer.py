"""The one thread that writes: it turns what came in into rows and commits them in batches."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from time import monotonic, perf_counter
from typing import Final

from tools.calls import CallStatus
from tools.errors import HistoryError
from tools.history.body import damage
from tools.history.capture import Capture
from tools.history.database import described, is_damage, is_index_damage
from tools.history.encoding import CALL, Encoder, Fields, Row, unreadable
from tools.history.intake import MOST_WAITING, Intake
from tools.history.ledger import Ledger
from tools.history.records import HistoryChange, Retention

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
INDEXED_CALLS: Final = 4_096
"""From so many calls on that wait for the index, it is brought up to date though calls keep coming."""
INDEXED_AFTER_S: Final = 1.0
"""After so long they do not wait for more calls either."""
RETRY_S: Final = 1.0
BREATH_S: Final = 0.002
"""The pause between two slices of upkeep."""
LOOK_S: Final = 0.5
"""How often calls that wait for their start are looked at."""
FIRST_UPKEEP_S: Final = 10.0
UPKEEP_S: Final = 60.0

Watcher = Callable[[HistoryChange], None]


class Writer:
    """Write what the intake takes in.

    Args:
        ledger: The open file.
        encoder: Makes rows.
        retention: What is kept.
        give_way: Called before each commit; None never waits.

    Attributes:
        intake: Where events come in.
        problem: What keeps it from writing, for a person; empty when nothing does.
        watchers: Who is told of changes, on the writer's thread.
    """

    def __init__(
        self,
        ledger: Ledger,
        encoder: Encoder,
        retention: Retention,
        give_way: Callable[[], object] | None = None,
    ) -> None:
        self._wake = threading.Event()
        self.intake = Intake(self._wake.set, encoder.ordinary_rows)
        self.problem = ""
        self.watchers: tuple[Watcher, ...] = ()
        self._ledger = ledger
        self._encoder = encoder
        self._retention = retention
        self._give_way = give_way
        self._batch = BATCH if give_way is None else BATCH_BESIDE
        self._backlog: list[Fields] = []
        self._chores: deque[tuple[Iterator[int], Future[int] | None, list[int]]] = deque()
        self._orders: deque[tuple[Callable[[], Iterator[int]], Future[int] | None]] = deque()
        self._closing = False
        self._is_busy = False
        self._next_upkeep = 0.0
        self._unindexed_since = 0.0
        self._thread = threading.Thread(target=self._run, name="history-writer", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self.intake.limit = MOST_WAITING
        self._next_upkeep = monotonic() + FIRST_UPKEEP_S
        self._orders.append((self._ledger.catch_up, None))
        self._thread.start()

    def stop(self) -> None:
        """Write what came in, and end the thread."""
        self._closing = True
        self.intake.hurry()
        self._thread.join()
        self.intake.limit = 0

    def order(self, work: Callable[[], Iterator[int]]) -> Future[int]:
        """Have work done in slices on the writer's thread, new calls written between them.

        Args:
            work: Makes the slices; each yields a number.

        Returns:
            The sum of the numbers, once it is done.
        """
        done: Future[int] = Future()
        self._orders.append((work, done))
        self.intake.hurry()
        return done

    def look_for_damage(self) -> None:
        """Have the file looked through: somebody could not read it."""

        def look() -> Iterator[int]:
            if not self._ledger.is_whole():
                raise damage("database disk image is malformed")
            yield 0

        self._orders.append((look, None))
        self.intake.hurry()

    def _run(self) -> None:
        while True:
            closing = self._closing
            waiting = self.intake.take_waiting()
            written = self._write_all(everything=bool(waiting) or closing)
            if written and (waiting or closing):
                self._bring_index_up_to_date()
            self._answer(waiting)
            if closing:
                self._end()
                return
            self._do_chore()
            self._rest()

    def _rest(self) -> None:
        """Wait for the next batch, or to be woken when nothing is under way."""
        intake = self.intake
        if self._chores or self._orders:
            pause_s = BREATH_S
        elif self._backlog:
            pause_s = RETRY_S
        elif intake.ended or self._ledger.unindexed or any(not c.row or c.changed for c in list(intake.open.values())):
            pause_s = BUSY_TICK_S if self._is_busy else TICK_S
        else:
            intake.resting = True
            # Something may have come in before that was set.
            pause_s = 0.0 if intake.ended else LOOK_S if intake.parks else UPKEEP_S
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

    def _write_all(self, *, everything: bool) -> bool:
        """Write what came in until now; return whether it is on disk."""
        left = len(self.intake.ended)
        self._is_busy = left >= BUSY_CALLS
        started = self._started(everything=everything)
        while True:
            if self._give_way is not None:
                self._give_way()
            taken = self.intake.take(self._batch)
            if started:
                # Some may have ended since they were claimed.
                ended = {capture for capture in taken if isinstance(capture, Capture)}
                started = [capture for capture in started if capture not in ended]
            rows = self._backlog + [self._row(one) if isinstance(one, Capture) else one for one in taken]
            self._backlog = []
            if (rows or started) and not self._write(rows, started):
                return False
            started = []
            left -= self._batch
            if left <= 0:
                return not self.problem

    def _started(self, *, everything: bool) -> list[Capture]:
        """Return the running calls that need a row, or a changed one; short calls are written once, at their end."""
        now = perf_counter()
        if self.intake.parks:
            self.intake.recall_started()
        claimed = []
        for capture in list(self.intake.open.values()):
            if capture.row:
                wanted = capture.changed or capture.status is not capture.call.response.status
            else:
                wanted = everything or now - capture.call.started > TICK_S
            if wanted:
                # First the claim, then the look: a call that ends meanwhile looks at the claim in its turn.
                capture.claimed = True
                if not capture.finished:
                    claimed.append(capture)
        return claimed

    def _row(self, capture: Capture) -> Row:
        try:
            return self._encoder.row(capture)
        except Exception:  # noqa: BLE001 -- one call that breaks all rules must not stop the others
            _log.exception("the call %s of %r could not be written down", capture.call.id, capture.call.name)
            return unreadable(capture)

    def _write(self, rows: list[Fields], started: list[Capture]) -> bool:
        opened: list[Row] = []
        for capture in started:
            capture.changed = False
            capture.status = capture.call.response.status
            opened.append(self._row(capture)._replace(final=False))
        try:
            if not self._ledger.in_place:
                self._ledger.reopen(damaged=False)
                rows = [Row._make(row)._replace(row_id=0) for row in rows]
                opened = [row._replace(row_id=0) for row in opened]
            row_ids = self._ledger.write([*rows, *opened])
        except Exception as error:  # noqa: BLE001 -- the thread must live on, and say why it cannot write
            for capture in started:
                capture.changed = True
            self._keep(rows)
            self._fail(error)
            return False
        for capture, row_id in zip(started, row_ids[len(rows) :], strict=True):
            capture.row = row_id
            if capture.status is CallStatus.PENDING and not capture.waiting:
                self.intake.park(capture)
        self.problem = ""
        self.intake.stuck = False
        if self._ledger.unindexed and not self._unindexed_since:
            self._unindexed_since = monotonic()
        if self.watchers:
            ids = tuple(f"{self._encoder.run}-{row[CALL]}" for row in (*rows, *opened))
            self._tell(HistoryChange(ids))
        return True

    def _keep(self, rows: list[Fields]) -> None:
        """Hold rows until they can be written, as many as there is room for."""
        size = 0
        for number, row in enumerate(rows):
            size += _size_bytes(Row._make(row))
            if size > MOST_WAITING_BYTES:
                self.intake.lost += len(rows) - number
                rows = rows[:number]
                break
        self._backlog = rows

    def _fail(self, error: Exception) -> None:
        """Say what is wrong, and do about it what can be done."""
        if is_index_damage(error):
            self._attempt(self._ledger.renew_index, error)
        elif is_damage(error):
            self._attempt(self._begin_anew, error)
        else:
            self._complain(described(error, self._ledger.path))

    def _attempt(self, repair: Callable[[], None], error: Exception) -> None:
        try:
            repair()
        except (sqlite3.Error, OSError, HistoryError) as again:
            self._complain(f"{described(error, self._ledger.path)}; {described(again, self._ledger.path)}")
        self._next_upkeep = 0.0

    def _begin_anew(self) -> None:
        report = self._ledger.reopen(damaged=True)
        kept = report.kept_aside.name if report.kept_aside is not None else "nothing"
        _log.warning("the history was damaged; it is kept as %s, and a new one was begun", kept)

    def _complain(self, problem: str) -> None:
        if problem != self.problem:
            _log.warning("calls are not recorded for now: %s", problem)
        self.problem = problem
        self.intake.stuck = True

    def _bring_index_up_to_date(self) -> None:
        try:
            self._ledger.index_pending()
        except Exception as error:  # noqa: BLE001 -- likewise
            self._fail(error)
        self._unindexed_since = 0.0

    def _do_chore(self) -> None:
        """Do one slice of what is to be done beside writing."""
        waiting = self._ledger.unindexed_calls
        quiet = not self.intake.ended
        overdue = self._unindexed_since and monotonic() - self._unindexed_since > INDEXED_AFTER_S
        if waiting and (quiet or overdue or waiting >= INDEXED_CALLS):
            self._bring_index_up_to_date()
        if monotonic() >= self._next_upkeep and not self.problem:
            self._next_upkeep = monotonic() + UPKEEP_S
            self._orders.append((self._upkeep, None))
        while self._orders:
            work, done = self._orders.popleft()
            self._chores.append((work(), done, []))
        if self._chores:
            self._do_slice()

    def _upkeep(self) -> Iterator[int]:
        return self._ledger.upkeep(self._retention)

    def _do_slice(self) -> None:
        work, done, gone = self._chores[0]
        try:
            gone.append(next(work))
            if gone[-1]:
                self._tell(HistoryChange((), forgotten=True))
            return
        except StopIteration:
            if done is not None:
                done.set_result(sum(gone))
        except Exception as error:  # noqa: BLE001 -- the thread must live on, and whoever waits must hear of it
            self._fail(error)
            if done is not None:
                done.set_exception(HistoryError(described(error, self._ledger.path)))
        self._chores.popleft()

    def _tell(self, change: HistoryChange) -> None:
        for watcher in self.watchers:
            try:
                watcher(change)
            except Exception:  # noqa: BLE001 -- a watcher is foreign code
                _log.exception("somebody who watches the history failed")

    def _end(self) -> None:
        for work, done in [*self._orders, *((None, done) for _, done, _ in self._chores)]:
            del work
            if done is not None:
                done.set_exception(HistoryError("the history was closed before it was done"))
        self._answer(self.intake.take_waiting())
        try:
            self._ledger.close()
        except (sqlite3.Error, OSError) as error:
            self._complain(described(error, self._ledger.path))


def _size_bytes(row: Row) -> int:
    return len(row.body) + len(row.words or b"") + sum(len(blob.content) for _, blob in row.blobs)
