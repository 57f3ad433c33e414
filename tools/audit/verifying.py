"""Check an audit log, or an export of one: is every entry there, in its place, and as it was written?"""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Final, NamedTuple

from tools.audit.entries import GENESIS, AuditEntry, EntryError, read_line, seal_of
from tools.audit.folder import ChainHead, HeadError, SegmentLine, key_id_of, lines_of, read_head, segments_of
from tools.errors import AuditError

MOST_PROBLEMS: Final = 100
"""Problems that are told; one is enough to distrust a log."""
MOST_MISSING: Final = 1 << 20
"""A number that is further ahead is forged rather than the next one that is left."""
_HASH_BEGINNING: Final = 16


class AuditFinding(NamedTuple):
    """One thing that is not as it was written.

    Attributes:
        kind: `edited`, `removed`, `reordered`, `duplicated`, `inserted`, `rewritten`, `unsealed`, `anchor`, `recovered`
            or `head`.
        line: The line, from 1; 0 when none is meant.
        last_good: The number of the last entry before it that is whole and in its place; 0 for none.
    """

    kind: str
    message: str
    file: str = ""
    line: int = 0
    last_good: int = 0

    def __str__(self) -> str:
        """Return where it is, what it is, and the last good entry."""
        where = f"{self.file}, line {self.line}: " if self.line else f"{self.file}: " if self.file else ""
        good = f"entry {self.last_good} is the last good one before it" if self.last_good else "no good entry before it"
        return f"{where}{self.kind}: {self.message} ({good})"


class AuditReport(NamedTuple):
    """What came of checking a log.

    Attributes:
        entries: How many entries were read.
        first_time: When the first of them was written, as it says; empty when there is none or an export leaves it out.
        head: The newest entry, to be kept elsewhere and compared later.
        problems: What is not as it was written, in the order of the files; empty when all is well.
        more: How many further problems there are.
        notes: What is worth knowing and no sign of tampering, such as a line torn by a program that was killed.
    """

    entries: int
    first_time: str
    last_time: str
    head: ChainHead
    problems: tuple[AuditFinding, ...]
    more: int
    notes: tuple[str, ...]

    @property
    def intact(self) -> bool:
        """Whether nothing was edited, removed, reordered, duplicated or inserted."""
        return not self.problems


def verify(folder: Path, *, key: bytes | None = None, head: str = "") -> AuditReport:
    """Check the whole log in a folder, which is only read; programs may go on writing meanwhile.

    Args:
        folder: Where the log lives.
        key: What entries are sealed with; without it, seals are not looked at.
        head: A head that was kept elsewhere, `number:hash` or the hash alone, which must still be in the log.

    Raises:
        AuditError: When the folder cannot be read.
    """
    try:
        # Read before the lines: what is written from now on is no concern of this check.
        anchor, damage = _anchor_of(folder, key)
        segments = segments_of(folder)
        walk = _Walk(key, head)
        for number, path in segments.items():
            anchored = anchor.size_bytes if anchor is not None and number == anchor.segment else 0
            last = number == max(segments)
            for line in lines_of(path):
                walk.take(path.name, line, may_be_torn=last and line.end > anchored)
                if anchor is not None and line.end == anchor.size_bytes and number == anchor.segment:
                    walk.anchored_seq = walk.expected - 1
    except OSError as error:
        raise AuditError(f"the audit log in {folder} cannot be read: {error}") from error
    walk.close_gaps()
    if damage or anchor is None:
        if damage or segments:
            walk.report("anchor", damage or "head.json, which names the newest entry, is missing")
        return walk.finished(ChainHead(walk.newest, walk.newest_hash))
    walk.compare_with_anchor(anchor)
    return walk.finished(ChainHead(walk.newest, walk.newest_hash, anchor.segment, anchor.size_bytes, anchor.key_id))


def verify_export(path: Path, *, key: bytes | None = None, head: str = "") -> AuditReport:
    """Check a file that `export` wrote: each entry, and that none is missing between its first and its last one.

    Raises:
        AuditError: When the file cannot be read.
    """
    try:
        walk = _Walk(key, head)
        ending = ""
        for line in lines_of(path):
            if line.number == 1:
                walk.begin(line)
            if not line.torn and line.content == walk.ending.encode():
                ending = walk.ending
                continue
            walk.take(path.name, line, may_be_torn=False)
    except OSError as error:
        raise AuditError(f"the export {path} cannot be read: {error}") from error
    walk.close_gaps()
    if ending != walk.ending:
        walk.report("removed", "the export has lost its end, or what is there is not what was written", path.name)
    return walk.finished(ChainHead(walk.newest, walk.newest_hash))


def _anchor_of(folder: Path, key: bytes | None) -> tuple[ChainHead | None, str]:
    if not folder.is_dir():
        raise AuditError(f"no audit log is at {folder}: expected a folder")
    try:
        return read_head(folder, key), ""
    except HeadError as error:
        return None, str(error)


def ending_line(first: int, last: int, own_hash: str) -> str:
    """Return what an export ends with, so that one whose end is cut off shows it."""
    return f'{{"export":{{"first":{first},"last":{last},"hash":"{own_hash}"}}}}'


class _Gap(NamedTuple):
    first: int
    last: int
    finding: AuditFinding


class _Walk:
    """Go through the lines in order and remember what does not fit."""

    def __init__(self, key: bytes | None, wanted: str) -> None:
        self.expected = 1
        self.newest = 0
        self.newest_hash = GENESIS
        self.anchored_seq = 0
        self._newest_seal = ""
        self._key = key
        self._wanted_seq, _, self._wanted_hash = wanted.rpartition(":")
        self._wanted_found = 0
        self._prev: str | None = GENESIS
        self._last_good = 0
        self._count = 0
        self._times = ["", ""]
        # The beginning of each hash, by number: eight bytes an entry tell a copy from something new.
        self._seen: array[int] = array("Q")
        self._first = 1
        self._unreadable: list[AuditFinding] = []
        self._gaps: list[_Gap] = []
        self._findings: list[AuditFinding] = []
        self._notes: list[str] = []
        self._sealed_from = 0
        self._unsealed = 0

    @property
    def ending(self) -> str:
        """What an export that has come to its end writes last."""
        return ending_line(self._first, self.newest, self.newest_hash)

    def begin(self, line: SegmentLine) -> None:
        """Start with an export's first line, whatever its number."""
        try:
            entry = read_line(line.content)
        except EntryError:
            return
        self.expected = self._first = entry.seq
        self._prev = entry.prev

    def report(self, kind: str, message: str, file: str = "", line: int = 0) -> None:
        self._findings.append(AuditFinding(kind, message, file, line, self._last_good))

    def take(self, file: str, line: SegmentLine, *, may_be_torn: bool) -> None:
        if line.torn and may_be_torn:
            self._notes.append(
                f"{file} ends with {len(line.content)} bytes of a line that is not finished: a program was killed"
                " while it wrote, or writes right now; the next one cuts them off"
            )
            return
        try:
            entry = read_line(line.content)
        except EntryError as error:
            message = f"entry {self.expected} is not as it was written: {error}"
            self._unreadable.append(AuditFinding("edited", message, file, line.number, self._last_good))
            return
        self._settle_unreadable(entry)
        if line.torn:
            self.report("edited", f"the line of entry {entry.seq} has lost its end", file, line.number)
        self._count += 1
        self._look_at(entry)
        if not 0 <= entry.seq - self.expected <= MOST_MISSING:
            self._take_stray(entry, file, line.number)
            return
        if entry.seq > self.expected:
            self._open_gap(entry, file, line.number)
        elif self._prev is not None and entry.prev != self._prev:
            self.report(
                "rewritten",
                f"entry {entry.seq} does not follow the one before it, which was written anew or put in its place",
                file,
                line.number,
            )
        else:
            self._last_good = entry.seq
        self._check_seal(entry, file, line.number)
        self._seen.append(int(entry.hash[:_HASH_BEGINNING], 16))
        self.expected, self._prev = entry.seq + 1, entry.hash
        self.newest, self.newest_hash, self._newest_seal = entry.seq, entry.hash, entry.seal

    def _settle_unreadable(self, entry: AuditEntry | None) -> None:
        """Decide whether lines that are no entries took the place of some, or were put between them."""
        if entry is not None and (entry.seq, entry.prev) == (self.expected, self._prev):
            self._findings += [
                finding._replace(kind="inserted", message="a line that is no entry stands there")
                for finding in self._unreadable
            ]
        elif self._unreadable:
            self._findings += self._unreadable
            self._seen.extend([0] * len(self._unreadable))
            self.expected += len(self._unreadable)
            self._prev = None
        self._unreadable = []

    def _look_at(self, entry: AuditEntry) -> None:
        if entry.hash == self._wanted_hash and self._wanted_seq in {"", str(entry.seq)}:
            self._wanted_found = entry.seq
        if time := entry.facts.get("time", ""):
            self._times = [self._times[0] or time, time]

    def _open_gap(self, entry: AuditEntry, file: str, line: int) -> None:
        first, last = self.expected, entry.seq - 1
        finding = AuditFinding("removed", f"{_entries(first, last)} missing before it", file, line, self._last_good)
        self._gaps.append(_Gap(first, last, finding))
        self._seen.extend([0] * (last - first + 1))

    def _take_stray(self, entry: AuditEntry, file: str, line: int) -> None:
        for index, gap in enumerate(self._gaps):
            if gap.first <= entry.seq <= gap.last:
                self.report("reordered", f"entry {entry.seq} stands behind entry {self.expected - 1}", file, line)
                before = _Gap(gap.first, entry.seq - 1, gap.finding)
                after = _Gap(entry.seq + 1, gap.last, gap.finding)
                self._gaps[index : index + 1] = [part for part in (before, after) if part.first <= part.last]
                return
        place = entry.seq - self._first
        known = 0 <= place < len(self._seen) and self._seen[place] == int(entry.hash[:_HASH_BEGINNING], 16)
        kind = "duplicated" if known else "inserted"
        message = "stands there a second time" if known else "stands there besides another one of that number"
        self.report(kind, f"entry {entry.seq} {message}", file, line)

    def _check_seal(self, entry: AuditEntry, file: str, line: int) -> None:
        if entry.facts.get("kind") == "recovered" and entry.facts.get("trouble"):
            self.report("recovered", f"entry {entry.seq} says that {entry.facts['trouble']}", file, line)
        if self._key is None:
            return
        if entry.seal == seal_of(self._key, entry.hash):
            self._sealed_from = self._sealed_from or entry.seq
        elif entry.seal or self._sealed_from:
            what = "is sealed with another key" if entry.seal else "is not sealed, though those before it are"
            self.report("unsealed", f"entry {entry.seq} {what}", file, line)
        else:
            self._unsealed = entry.seq

    def close_gaps(self) -> None:
        self._settle_unreadable(None)
        self._findings[:0] = [
            gap.finding._replace(message=f"{_entries(gap.first, gap.last)} missing before it") for gap in self._gaps
        ]
        self._findings.sort(key=lambda finding: (finding.file, finding.line))

    def compare_with_anchor(self, anchor: ChainHead) -> None:
        """Check that the newest entries are there, as the anchor names them."""
        beginning = int(anchor.hash[:_HASH_BEGINNING], 16)
        if anchor.seq >= self.expected:
            self.report("removed", f"{_entries(self.expected, anchor.seq)} missing at the end: the anchor names them")
        elif anchor.seq and self._seen[anchor.seq - 1] not in {0, beginning}:
            self.report("anchor", f"entry {anchor.seq} is not the one that the anchor names")
        elif anchor.seq != self.anchored_seq and not self._findings:
            self.report("anchor", f"the anchor names another place than that of entry {anchor.seq}")
        elif self.newest > anchor.seq:
            after = _entries(anchor.seq + 1, self.newest)
            self._notes.append(f"{after} not anchored yet: a program was killed, or writes right now")
        if self._key is not None and anchor.key_id != key_id_of(self._key) and anchor.seq:
            self.report("unsealed", "the anchor is not sealed with this key")
        elif anchor.key_id and self.newest and not self._newest_seal:
            # Without the key nobody looks at the check of a sealed anchor, so anyone could call one sealed.
            self.report("unsealed", f"the anchor says that entries are sealed, and entry {self.newest} is not")

    def finished(self, head: ChainHead) -> AuditReport:
        if self._wanted_hash and not self._wanted_found:
            self.report("head", "the entry with the hash that was kept elsewhere is not in the log")
        elif self._wanted_found:
            since = self.newest - self._wanted_found
            self._notes.append(f"the hash that was kept is that of entry {self._wanted_found}; {since} came after it")
        if self._unsealed:
            self._notes.append(f"{_entries(self._first, self._unsealed)} not sealed: written before there was a key")
        if self._key is not None and self._unsealed and not self._sealed_from:
            self.report("unsealed", "no entry is sealed with the key, though there is one")
        told, rest = self._findings[:MOST_PROBLEMS], len(self._findings[MOST_PROBLEMS:])
        return AuditReport(self._count, self._times[0], self._times[1], head, tuple(told), rest, tuple(self._notes))


def _entries(first: int, last: int) -> str:
    return f"entry {first} is" if first == last else f"entries {first} to {last} are"
