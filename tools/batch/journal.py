"""The journal of a run: what began and what ended, written down before it counts, so that a killed run can go on.

One file, one JSON value a line, only ever appended to; each carries the checksum of all lines up to it, so that a line
that was taken out, moved or changed is found. A line that the end of the program cut short is the last one and
counts as not written. What the operating system has taken survives the end of the program, be it by `kill -9`; before
a call of a tool that must not run twice, and after it, the disk has it as well. Of such a call the history knows first,
so that none that began by its journal is missing there.

Where a tool of the plan hides anything, everything that may hold a secret is sealed: the plan, what it is given,
results and errors. What is left in plain text tells which steps began and how they ended, and when.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from time import sleep
from typing import Any, Final

from tools.batch.clock import ElapsedClock
from tools.batch.journal_reading import WrittenJournal, gone, has_begun, is_journal, sum_at, summed
from tools.batch.plan import BatchPlan
from tools.batch.result_store import Ended
from tools.errors import HistoryError
from tools.file_lock import claim
from tools.spec import MISSING
from tools.vault import Vault

VERSION: Final = 1
_SECRET: Final = frozenset({"plan", "parameters", "steps", "of", "value", "shown", "error"})
"""What is sealed of a line, by its names, where anything is."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_PIECE: Final = 1 << 16
_TAIL: Final = 64
_PAUSES_S: Final = (0.01, 0.02)
"""Whoever looks whether a run is under way holds its journal for a moment."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows alone tells texts from bytes."""


class Journal(WrittenJournal):
    """Write a run down.

    Args:
        path: The file; it may exist already, and what is written then comes after what is there.
        vault: Seals what may hold a secret; None asks the keyring for the key once something is sealed or opened.
        is_new: Whether it is made, with its folder, when it is not there.

    Attributes:
        path: The file.
        is_sealed: Whether what is written from now on is sealed where it may hold a secret.
        clock: Tells when what is written happened.

    Raises:
        HistoryError: When the file cannot be written, or is not there and not to be made.
    """

    outlives_program = True

    def __init__(self, path: Path, vault: Vault | None = None, *, is_new: bool = True) -> None:
        make = os.O_CREAT if is_new else 0
        try:
            if is_new:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.fdopen(os.open(path, os.O_RDWR | make | _BINARY, 0o600), "r+b", buffering=0)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not is_new:
                raise gone(path) from error
            msg = f"the run cannot be written down in {path}: {error.strerror or error}; name another folder"
            raise HistoryError(msg) from error
        try:
            super().__init__(path, vault)
        except HistoryError:
            self._file.close()
            raise
        self.clock = ElapsedClock()
        self._at = self._file.seek(0, os.SEEK_END)
        self._synced = self._at
        self._sum = 0
        self._syncing: asyncio.Task[None] | None = None
        self._begins: dict[tuple[str, int | None], dict[str, Any]] = {}

    def claim(self) -> None:
        """Take the file for this program alone, to go on with the run; nothing of it is changed yet.

        Raises:
            HistoryError: When another program has it: the run is under way there; or it was deleted meanwhile.
        """
        try:
            is_mine = claim(self._file.fileno())
            for pause_s in () if is_mine else _PAUSES_S:
                sleep(pause_s)
                is_mine = is_mine or claim(self._file.fileno())
            is_gone = not os.fstat(self._file.fileno()).st_nlink
        except OSError as error:
            msg = f"nothing keeps others from writing in {self.path}: {error.strerror or error}; name another folder"
            raise HistoryError(msg) from error
        if not is_mine:
            msg = f"the run in {self.path} is under way in another program; wait until it ends, or end it there"
            raise HistoryError(msg)
        if is_gone:
            raise gone(self.path)

    def mend(self) -> None:
        """Take a last line away that was cut off, so that others can follow; of a claimed journal only.

        Raises:
            HistoryError: When the disk does not let it.
        """
        try:
            self._at = self._synced = _cut_torn_end(self._file)
            self._sum = _last_sum(self._file, self._at)
        except OSError as error:
            raise self._unkept(error) from error

    def seal(self) -> None:
        """Seal from now on what may hold a secret.

        Raises:
            VaultError: When there is no key; a call whose result cannot be written down is better not made.
        """
        self._vault.seal(b"", b"")
        self.is_sealed = True

    def start(
        self,
        plan: BatchPlan,
        parameters: Mapping[str, Any],
        folder: Path,
        *,
        file: Path | None = None,
        project: Path | None = None,
    ) -> None:
        """Write down what runs.

        Args:
            plan: The plan.
            parameters: What it is given.
            folder: What its relative paths start from.
            file: Where the plan stands; None when it stands in no file.
            project: The project folder that its tools work in; None when that is not told.

        Raises:
            HistoryError: When another program writes there, or another run is written down there already, or something
                else.
            VaultError: When it is to be sealed, and there is no key.
        """
        self.claim()
        try:
            is_ours, is_taken = is_journal(self.path), has_begun(self.path)
        except OSError as error:
            raise self._unkept(error) from error
        if not is_ours:
            msg = f"{self.path} holds something else than a run; name another file"
            raise HistoryError(msg)
        if is_taken:
            msg = f"{self.path} holds another run already; resume that one, or name another file"
            raise HistoryError(msg)
        self.mend()
        self._id = os.urandom(8).hex()
        self._write(
            {
                "journal": VERSION,
                "id": self._id,
                "at": datetime.now(UTC).isoformat(),
                "plan": _dumped(plan),
                "parameters": dict(parameters),
                "folder": str(folder),
                **({} if file is None else {"file": str(file.resolve())}),
                **({} if project is None else {"project": str(project)}),
            }
        )

    def begin(self, step: str, row: int | None, digest: int = 0, waited_s: float = 0.0, *, once: bool = False) -> None:
        """Write down that a call begins, at once if it must not be made twice.

        Any other begin waits for `write_begins` or for the call's end: the history writes calls that run some
        milliseconds late, and a call that a kill cuts off must not stand here and be missing there.
        """
        at_s = round(max(0.0, self._now_s() - waited_s), 6) if waited_s else self._now_s()
        of_row = {} if row is None else {"row": row, "of": digest}
        line = {"begin": step, **of_row, "at": at_s}
        if once:
            self._write({**line, "once": True})
        else:
            self._begins[step, row] = line

    @property
    def waiting_begins(self) -> Sequence[tuple[str, int | None]]:
        """The calls, each a step and the number of its row, whose begin is not written yet."""
        return tuple(self._begins)

    def write_begins(self, calls: Iterable[tuple[str, int | None]]) -> None:
        """Write down that calls have begun; those that ended meanwhile stand there already."""
        for call in calls:
            if (line := self._begins.get(call)) is not None:
                self._write(line)
                del self._begins[call]

    def end(self, step: str, row: int | None, ended: Ended) -> int:
        """Write down how a call ended; return the place of its result."""
        self.write_begins([(step, row)])
        line: dict[str, Any] = {"end": step, "state": ended.state.value, "s": round(ended.elapsed_s, 6)}
        if row is not None:
            line["row"] = row
        elif not ended.call:
            # When a step with rows began cannot be told from their lines: they may begin again another day.
            line["at"] = self._now_s()
        facts = {"review_s": round(ended.review_s, 6), "error": ended.error, "call": ended.call}
        line |= {name: fact for name, fact in facts.items() if fact}
        if ended.attempts > 1:
            line["attempts"] = ended.attempts
        if ended.value is not None:
            line["value"] = ended.value
        if ended.shown is not MISSING:
            line["shown"] = ended.shown
        return self._write(line)

    def note(self, **facts: Any) -> None:
        """Write down what somebody asked of the run."""
        self.write_begins(self.waiting_begins)
        self._write(facts)

    async def settle(self) -> None:
        """Return when what was written survives a power cut; many that wait at a time cost one wait of the disk."""
        wanted = self._at
        while self._synced < wanted:
            if self._syncing is None:
                self._syncing = asyncio.get_running_loop().create_task(self._sync())
            await asyncio.shield(self._syncing)

    def close(self) -> None:
        """Write nothing more.

        Raises:
            HistoryError: When the disk does not take what was written.
        """
        if self._file.closed:
            return
        try:
            # A call whose begin is missing simply runs again; that the disk is full was told before.
            with contextlib.suppress(HistoryError):
                self.write_begins(self.waiting_begins)
            os.fsync(self._file)
        except OSError as error:
            raise self._unkept(error) from error
        finally:
            self._file.close()
            super().close()

    async def _sync(self) -> None:
        upto = self._at
        try:
            await asyncio.to_thread(os.fsync, self._file.fileno())
            self._synced = upto
        except OSError as error:
            raise self._unkept(error) from error
        finally:
            self._syncing = None

    def _now_s(self) -> float:
        # Each step pays for it, and `round` takes three times as long.
        return int(self.clock() * 1e6) / 1e6

    def _write(self, facts: Mapping[str, Any]) -> int:
        place = self._at
        if self.is_sealed and not _SECRET.isdisjoint(facts):
            secret = _written({name: value for name, value in facts.items() if name in _SECRET})
            plain = {name: value for name, value in facts.items() if name not in _SECRET}
            facts = {**plain, "sealed": b64encode(self._vault.seal(secret, self._bound_to(place))).decode()}
        line, own = summed(_written(facts), self._sum)
        left = memoryview(line)
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError as error:
            with contextlib.suppress(OSError):
                # Half a line must not come before a whole one; what the disk refuses is said in any case.
                self._file.truncate(self._file.seek(place))
            raise self._unkept(error) from error
        self._at += len(line)
        self._sum = own
        return place

    def _unkept(self, error: OSError) -> HistoryError:
        return HistoryError(
            f"the run cannot be written down in {self.path}: {error.strerror or error}; make room, then resume it"
        )


def _dumped(plan: BatchPlan) -> dict[str, Any]:
    # Step by step: one call over thousands would keep all other threads from the interpreter for as long.
    dumped = plan.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"steps"})
    dumped["steps"] = [step.model_dump(mode="json", by_alias=True, exclude_defaults=True) for step in plan.steps]
    return dumped


def _written(facts: Mapping[str, Any]) -> bytes:
    # Names of files may hold halves of letters, which reading passes as well.
    return _ENCODER.encode(facts).encode("utf-8", "surrogatepass")


def _last_sum(file: FileIO, end: int) -> int:
    """Return the checksum that the next line follows; the file stands at its end then."""
    begin = file.seek(max(0, end - _TAIL))
    tail = file.read(end - begin)
    return sum_at(tail) if tail else 0


def _cut_torn_end(file: FileIO) -> int:
    """Cut off a line that was not written to its end; return where the next one goes."""
    whole = file.seek(0, os.SEEK_END)
    size = whole
    while whole:
        begin = max(0, whole - _PIECE)
        file.seek(begin)
        found = file.read(whole - begin).rfind(b"\n")
        if found >= 0:
            whole = begin + found + 1
            break
        whole = begin
    if whole < size:
        file.truncate(whole)
    return file.seek(whole)
