"""`AuditLog`: receives the events of calls and has them written by a thread of its own."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Final, Self

from tools.audit.describing import Note, draft_of, draft_of_log, note_of, recovered
from tools.audit.entries import EntryDraft
from tools.audit.ledger import SEGMENT_BYTES, ChainWriter, Recovery
from tools.calls import CallFinished, CallProposed, Event, ReviewAsked, ReviewDecided, StepFinished
from tools.errors import AuditError, VaultError
from tools.spec import AuditLevel

BATCH: Final = 1_000
"""Most events written at a time: each time costs two syncs of the disk and a look at the anchor."""
BATCH_BESIDE: Final = 250
"""The same beside somebody who goes first, and would wait for the interpreter meanwhile."""
GATHER_S: Final = 0.1
"""How long the writer lets events gather, unless somebody waits for them."""
CROWDED: Final = 20_000
"""Events that may wait; beyond, calls wait for a healthy log, and a broken one loses events and counts them."""
CROWDED_WAIT_S: Final = 1.0
RETRY_S: Final = 2.0
_log = logging.getLogger(__name__)


def seal(folder: Path, key: bytes) -> None:
    """Seal the entries of a log from now on; an entry says so.

    Args:
        folder: Where the log lives; made when it is missing.
        key: What entries are sealed with; who writes later has to find it in the keyring.

    Raises:
        AuditError: When another program holds the log, or it is sealed with another key.
        OSError: When it cannot be written.
    """
    ledger = ChainWriter(folder, key=key, recovered=lambda recovery: recovered(recovery, "", time()))
    ledger.append([draft_of_log("sealed", "", time())])


class AuditLog:
    """Write what happens to calls into a chain of entries that shows whether somebody changed it.

    Proposed, shown, decided, executed and returned are entries of their own. How much each has is what the tool's
    `Security.audit` says. Entries are written within `GATHER_S` after the event; `flush` waits for that.

    Several programs may write into one folder. A log that cannot be written says so in `problem`, keeps what comes and
    tries again; calls go on.

    Args:
        folder: Where the log lives; made when it is missing.
        level: What is written about tools that declare no security.
        clock: Tells the time, in seconds since 1970.
        key: What entries are sealed with, so that nobody else can write the chain anew; None asks the keyring for the
            key of a log that is sealed already, and leaves another one unsealed.
        run: What entries call this run of the program; empty makes a name. With the history's name for it, `run-call`
            is the record's id.
        segment_bytes: A file that has reached this size is followed by a new one.
        yield_to_ui: Called in the writing thread before each entry is made; it may wait some milliseconds for a thread
            that must not, such as that of a window. None never waits.
    """

    wants = (CallProposed, ReviewAsked, ReviewDecided, StepFinished, CallFinished)

    def __init__(
        self,
        folder: Path,
        *,
        level: AuditLevel = AuditLevel.STANDARD,
        clock: Callable[[], float] = time,
        key: bytes | None = None,
        run: str = "",
        segment_bytes: int = SEGMENT_BYTES,
        yield_to_ui: Callable[[], object] | None = None,
    ) -> None:
        self.folder = folder
        self._yield_to_ui = yield_to_ui
        self._most = BATCH if yield_to_ui is None else BATCH_BESIDE
        self.run = run or f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.urandom(3).hex()}"
        self._level = level
        self._clock = clock
        self._ledger = ChainWriter(folder, key=key, segment_bytes=segment_bytes, recovered=self._recovered)
        self._notes: deque[Note] = deque()
        self._batch: list[EntryDraft] = []
        self._taken = 0
        self._done = 0
        self._lost = 0
        self._problem = ""
        self._changed = threading.Condition()
        self._asleep = False
        self._awaited = 0
        self._closing = False
        self._attempts = 0
        self._writer: threading.Thread | None = None

    @property
    def problem(self) -> str:
        """Why nothing can be written now; empty when all is well."""
        return self._problem

    def open(self) -> Recovery:
        """Make the folder, mend what a program that was killed left behind, and begin to write.

        A log that cannot be written is opened all the same: `problem` says why, and it tries again.

        Returns:
            What was mended.
        """
        found = self._append(())
        self._writer = threading.Thread(target=self._work, name="audit", daemon=True)
        self._writer.start()
        return found

    def __call__(self, event: Event) -> None:
        try:
            note = note_of(event, self._clock(), self._level)
        except Exception:
            with self._changed:
                self._lost += 1
            raise
        if note is None:
            return
        notes = self._notes
        if len(notes) >= CROWDED and not self._has_room():
            return
        notes.append(note)
        if self._asleep:
            with self._changed:
                self._changed.notify_all()

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until everything received so far is on the disk.

        Returns:
            Whether it is; False as soon as writing failed, or when the time ran out.
        """
        with self._changed:
            wanted, attempts = self._taken + len(self._notes), self._attempts
            self._awaited += 1
            self._changed.notify_all()

            def settled() -> bool:
                failed = self._problem and self._attempts > attempts
                return bool(self._done >= wanted or failed or self._writer is None)

            try:
                self._changed.wait_for(settled, timeout_s)
            finally:
                self._awaited -= 1
            return self._done >= wanted and not self._problem

    def close(self) -> None:
        """Write what is left and end the thread; what cannot be written is told to the program's log and gone."""
        writer = self._writer
        if writer is None:
            return
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        writer.join()
        self._writer = None
        if gone := self._taken + len(self._notes) - self._done + self._lost:
            _log.error("%d audit events were never written: %s", gone, self._problem or "they could not be described")

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _has_room(self) -> bool:
        """Make calls that are faster than the disk wait; while nothing can be written, count the event as lost."""
        with self._changed:
            self._awaited += 1
            self._changed.notify_all()
            most = CROWDED - self._most
            self._changed.wait_for(
                lambda: self._problem or self._writer is None or len(self._notes) <= most, CROWDED_WAIT_S
            )
            self._awaited -= 1
            room = len(self._notes) < CROWDED
            if not room:
                self._lost += 1
            return room

    def _work(self) -> None:
        while True:
            with self._changed:
                # An event that comes after this look finds `_asleep` set, and wakes us.
                self._asleep = True
                self._changed.wait_for(lambda: self._notes or self._batch or self._lost or self._closing)
                self._asleep = False
                pause_s = RETRY_S if self._problem else 0.0 if len(self._notes) >= self._most else GATHER_S
                self._changed.wait_for(lambda: self._awaited or self._closing, pause_s)
                closing = self._closing
            self._write_some()
            if closing and (self._problem or not (self._notes or self._batch)):
                return

    def _write_some(self) -> None:
        """Write one batch; one that cannot be written stays for the next time."""
        with self._changed:
            count, self._lost = self._lost, 0
        if count:
            self._batch.append(draft_of_log("lost", self.run, self._clock(), count=count))
        while self._notes and len(self._batch) < self._most:
            if self._yield_to_ui is not None:
                self._yield_to_ui()
            self._describe(self._notes.popleft())
        self._append(self._batch)
        with self._changed:
            self._attempts += 1
            if not self._problem:
                self._batch = []
                self._done = self._taken
            self._changed.notify_all()

    def _describe(self, note: Note) -> None:
        self._taken += 1
        try:
            draft = draft_of(note, self.run, self._level)
        except Exception:  # noqa: BLE001 -- one event that nobody foresaw must not end the log
            _log.exception("an audit event of %s could not be described", type(note.event).__name__)
            with self._changed:
                self._lost += 1
            return
        if draft is not None:
            self._batch.append(draft)

    def _append(self, drafts: Sequence[EntryDraft]) -> Recovery:
        try:
            recovery = self._ledger.append(drafts)
        except (OSError, AuditError, VaultError) as error:
            problem = f"the audit log in {self.folder} cannot be written: {error}"
            if not self._problem:
                _log.error("%s; calls go on, and it tries again", problem)
            self._problem = problem
            return Recovery()
        if recovery.trouble:
            _log.warning("the audit log in %s was changed from outside: %s", self.folder, recovery.trouble)
        self._problem = ""
        return recovery

    def _recovered(self, recovery: Recovery) -> EntryDraft:
        return recovered(recovery, self.run, self._clock())
