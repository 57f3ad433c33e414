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
import logging
import os
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any, Final, Self
from zlib import crc32

from tools.batch.clock import ElapsedClock
from tools.batch.plan import BatchPlan
from tools.batch.result import StepResult
from tools.errors import HistoryError
from tools.file_lock import claim
from tools.spec import MISSING
from tools.vault import KeyringVault, Vault

VERSION: Final = 1
_SECRET: Final = frozenset({"plan", "parameters", "steps", "of", "value", "shown", "error"})
"""What is sealed of a line, by its names, where anything is."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_BEGIN_DELAY_S: Final = 0.1
"""How late the begin of a call that runs is written: after the history has the call."""
_PAUSES_S: Final = (0.01, 0.02)
"""Whoever looks whether a run is under way holds its journal for a moment."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows alone tells texts from bytes."""
_BEGIN: Final = b'{"journal":'
"""How the first line of every journal begins."""
_SUM: Final = b',"sum":'
"""What stands last in each line: the checksum of this line and all before it."""
_LONGEST_SUM: Final = 32


_log = logging.getLogger(__name__)


def summed(text: bytes, before: int) -> tuple[bytes, int]:
    """Return the line of an object, and its checksum."""
    found = crc32(text, before)
    return b"%b%b%d}\n" % (text[:-1], _SUM, found), found


def sum_at(end: bytes) -> int:
    """Return the checksum of a line, given at least its last bytes; -1 when it has none."""
    digits = end[-_LONGEST_SUM:].rpartition(_SUM)[2].removesuffix(b"}\n")
    return int(digits) if digits.isdigit() else -1


def is_journal(path: Path) -> bool:
    """Return whether a file is a journal, or was to be one when its program ended.

    Raises:
        OSError: When it cannot be read.
    """
    with path.open("rb") as file:
        return _BEGIN.startswith(file.read(len(_BEGIN)))


def has_begun(journal: Path) -> bool:
    """Return whether at least the plan of a run was written down.

    Raises:
        OSError: When it cannot be read.
    """
    with journal.open("rb") as file:
        return file.readline().endswith(b"\n")


def gone(path: Path) -> HistoryError:
    """Return the error of a journal that is not there."""
    return HistoryError(f"there is no run in {path}; it was deleted, or lies elsewhere")


class WrittenJournal:
    """Read a journal, wherever that is possible: nothing of it is changed, and nothing is made where there is none.

    Args:
        vault: Opens what is sealed; None asks the keyring for the key once something is.

    Attributes:
        is_sealed: Whether what may hold a secret is sealed there.

    Raises:
        HistoryError: When there is no such file, or it cannot be read.
    """

    def __init__(self, path: Path, vault: Vault | None = None) -> None:
        self.path = path
        self.is_sealed = False
        self._vault = vault or KeyringVault()
        self._id = ""
        # People look at results from another thread than the one that the run has.
        self._reading = Lock()
        try:
            self._reader = path.open("rb")
        except FileNotFoundError as error:
            raise gone(path) from error
        except OSError as error:
            raise HistoryError(
                f"the run in {path} cannot be read: {error.strerror or error}; look who may read the file"
            ) from error

    @property
    def is_held(self) -> bool:
        """Whether another program is about the run, or somebody else in this one."""
        with contextlib.suppress(OSError):
            return not claim(self._reader.fileno())
        # Some disks let only those lock who may write.
        with contextlib.suppress(OSError), self.path.open("r+b") as file:
            return not claim(file.fileno())
        # Or nobody, so that nobody can be told to be there.
        return False

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        with self._reading:
            if not self._reader.closed:
                self._reader.seek(place)
                line = self._reader.readline()
            else:
                with self.path.open("rb") as file:
                    file.seek(place)
                    line = file.readline()
        facts = self._opened(json.loads(line), place)
        value = facts.get("value")
        return facts.get("shown", value) if shown else value

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Go through what is written, each with its place; what the end of the program cut off is left out.

        Raises:
            OSError: When it cannot be read.
            ValueError: When it is damaged.
            VaultError: When it is sealed, and cannot be opened.
        """
        place = last = 0
        with self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    facts = json.loads(line)
                    last = crc32(line.rpartition(_SUM)[0] + b"}", last)
                    if last != sum_at(line):
                        raise ValueError(
                            f"the line at byte {place} does not follow the one before it: one is missing or changed"
                        )
                    if not isinstance(facts, dict):
                        raise ValueError(f"expected an object at byte {place}, got {line[:40]!r}")
                    yield place, self._opened(facts, place)
                place += len(line)

    def close(self) -> None:
        """Let go of the file; results can still be read."""
        with self._reading:
            self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self, facts: dict[str, Any], place: int) -> dict[str, Any]:
        if "journal" in facts:
            self._id = facts.get("id", "")
            self.is_sealed = "sealed" in facts
        sealed = facts.pop("sealed", None)
        if sealed is not None:
            facts.update(json.loads(self._vault.open(b64decode(sealed), self._bound_to(place))))
        return facts

    def _bound_to(self, place: int) -> bytes:
        """Return what a sealed line belongs to: no other line, and none of another journal, opens in its place."""
        return f"{self._id}:{place}".encode()


class Journal(WrittenJournal):
    """Write a run down.

    Args:
        path: The file; it may exist already, and what is written then comes after what is there.
        vault: Seals what may hold a secret; None asks the keyring for the key once something is sealed or opened.
        is_new: Whether it is made, with its folder, when it is not there.

    Attributes:
        is_sealed: Whether what is written from now on is sealed where it may hold a secret.

    Raises:
        HistoryError: When the file cannot be written, or is not there and not to be made.
    """

    def __init__(self, path: Path, vault: Vault | None = None, *, is_new: bool = True) -> None:
        make = os.O_CREAT if is_new else 0
        try:
            if is_new:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.fdopen(os.open(path, os.O_RDWR | make | _BINARY, 0o600), "r+b", buffering=0)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not is_new:
                raise gone(path) from error
            raise HistoryError(
                f"the run cannot be written down in {path}: {error.strerror or error}; name another folder"
            ) from error
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
        self._has_begins: asyncio.Event | None = None

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
            raise HistoryError(
                f"nothing keeps others from writing in {self.path}: {error.strerror or error}; name another folder"
            ) from error
        if not is_mine:
            raise HistoryError(
                f"the run in {self.path} is under way in another program; wait until it ends, or end it there"
            )
        if is_gone:
            raise gone(self.path)

    def mend(self) -> None:
        """Take a last line away that was cut off, so that others can follow; of a claimed journal only.

        Raises:
            HistoryError: When the disk does not let it.
        """
        try:
            whole, last = 0, b""
            with self.path.open("rb") as file:
                for line in file:
                    if line.endswith(b"\n"):
                        whole, last = whole + len(line), line
            self._file.truncate(self._file.seek(whole))
            self._at = self._synced = whole
            self._sum = sum_at(last) if last else 0
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
            raise HistoryError(f"{self.path} holds something else than a run; name another file")
        if is_taken:
            raise HistoryError(f"{self.path} holds another run already; resume that one, or name another file")
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

    def begin(self, step: str, row: int | None, digest: int = 0) -> None:
        """Write down that a call begins, with its end or by `write_begins`, whichever comes first.

        The history writes calls that run some milliseconds late, and a call that a kill cuts off must not stand here
        and be missing there.
        """
        self._begins[step, row] = self._begin_line(step, row, digest, self._now_s())
        if self._has_begins is not None:
            self._has_begins.set()

    async def begin_once(self, step: str, row: int | None, digest: int, waited_s: float) -> None:
        """Write down that a call begins that must not be made twice, and return when that survives a power cut.

        It waited for so many seconds before.
        """
        at_s = round(max(0.0, self._now_s() - waited_s), 6)
        self._write({**self._begin_line(step, row, digest, at_s), "once": True})
        await self.settle()

    @staticmethod
    def _begin_line(step: str, row: int | None, digest: int, at_s: float) -> dict[str, Any]:
        return {"begin": step, "at": at_s} if row is None else {"begin": step, "row": row, "of": digest, "at": at_s}

    async def write_begins(self, until_recorded: Callable[[], Awaitable[None]]) -> None:
        """Write the begins of calls that still run, each when the history has it; until it is cancelled."""
        # An event belongs to the loop that waits for it first, and a run may go on in another one.
        has_begins = self._has_begins = asyncio.Event()
        if self._begins:
            has_begins.set()
        is_failing = False
        while True:
            await has_begins.wait()
            await asyncio.sleep(_BEGIN_DELAY_S)
            calls = tuple(self._begins)
            has_begins.clear()
            try:
                await until_recorded()
                self._write_begins(calls)
                is_failing = False
            except Exception as error:  # noqa: BLE001 -- whatever the history raises
                # A disk that is full is told by the end of the next call, which stops the run; it may have room before.
                if not is_failing:
                    _log.warning("the begins of running calls cannot be written down yet: %s", error)
                is_failing = True
                has_begins.set()

    def _write_begins(self, calls: Iterable[tuple[str, int | None]]) -> None:
        if begun := {call: line for call in calls if (line := self._begins.get(call)) is not None}:
            self._write(*begun.values())
            for call in begun:
                del self._begins[call]

    def end(self, step: str, row: int | None, ended: StepResult) -> int:
        """Write down how a call ended, of a step or of its row from 0 on; return the place of its result."""
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
        if ended.result is not None:
            line["value"] = ended.result
        if ended.shown is not MISSING:
            line["shown"] = ended.shown
        begun = self._begins.get((step, row))
        if begun is None:
            return self._write(line)
        # At once: a kill between the two would leave a begin whose call the history may not have yet.
        place = self._write(begun, line)
        del self._begins[step, row]
        return place

    def note(self, **facts: Any) -> None:
        self._write_begins(tuple(self._begins))
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
                self._write_begins(tuple(self._begins))
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

    def _write(self, *lines: Mapping[str, Any]) -> int:
        """Write lines, all at once; return the place of the last."""
        start, text, own = self._at, b"", self._sum
        place = start
        for facts in lines:
            place = start + len(text)
            if self.is_sealed and not _SECRET.isdisjoint(facts):
                secret = _written({name: value for name, value in facts.items() if name in _SECRET})
                plain = {name: value for name, value in facts.items() if name not in _SECRET}
                facts = {**plain, "sealed": b64encode(self._vault.seal(secret, self._bound_to(place))).decode()}  # noqa: PLW2901 -- the same, sealed
            line, own = summed(_written(facts), own)
            text += line
        left = memoryview(text)
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError as error:
            with contextlib.suppress(OSError):
                # Half a line must not come before a whole one; what the disk refuses is said in any case.
                self._file.truncate(self._file.seek(start))
            raise self._unkept(error) from error
        self._at += len(text)
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
