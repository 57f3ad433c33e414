"""Append entries to the chain in a folder, and mend what a program that was killed left behind."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tools.audit.entries import AuditEntry, EntryDraft, EntryError, make_lines, read_line, seal_of
from tools.audit.folder import (
    BINARY,
    ChainHead,
    HeadError,
    key_id_of,
    lines_of,
    locked,
    read_head,
    segment_path,
    segments_of,
    write_head,
)
from tools.audit.keys import writing_key
from tools.errors import AuditError

SEGMENT_BYTES: Final = 32 << 20
_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700


class Recovery(NamedTuple):
    """What a writer found when it looked for the end of the chain.

    Attributes:
        adopted: Entries that were whole but not yet anchored.
        cut_bytes: The size of a torn line that was cut off.
        trouble: What was wrong beyond that; empty when a kill explains everything.
    """

    adopted: int = 0
    cut_bytes: int = 0
    trouble: str = ""


NOTHING_RECOVERED: Final = Recovery()


class ChainWriter:
    """Write entries behind each other, whichever program writes the next one.

    Args:
        folder: Where the log lives; made when it is missing at the first use, and never later: a folder that went away
            while the program ran is no place to begin a new chain.
    """

    def __init__(
        self,
        folder: Path,
        *,
        key: bytes | None,
        segment_bytes: int = SEGMENT_BYTES,
        recovered: Callable[[Recovery], EntryDraft],
    ) -> None:
        self._folder = folder
        self._key = key
        self._segment_bytes = segment_bytes
        self._recovered = recovered
        self._known: ChainHead | None = None

    def append(self, drafts: Sequence[EntryDraft]) -> Recovery:
        """Write entries, sync them and move the anchor; all of them or none.

        Raises:
            AuditError: When another program holds the log, or it is sealed with another key.
            VaultError: When the keyring does not tell the key.
            OSError: When it cannot be written.
        """
        if self._known is None:
            self._folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
        if self._key is None:
            # Not under the lock: a person may have to open the keyring first.
            self._key = writing_key(self._folder)
        with locked(self._folder):
            head, recovery = self._end_of_chain()
            if recovery.cut_bytes or recovery.trouble:
                drafts = [self._recovered(recovery), *drafts]
            if drafts:
                head = self._write(head, drafts)
            elif recovery.adopted:
                write_head(self._folder, head, self._key)
            self._known = head
        return recovery

    def _end_of_chain(self) -> tuple[ChainHead, Recovery]:
        trouble = ""
        try:
            head = read_head(self._folder, self._key)
            if head is None and (self._known is not None or segments_of(self._folder)):
                trouble = "the anchor was missing"
        except HeadError as error:
            head, trouble = None, f"the anchor was damaged: {error}"
        if head is None and not trouble:
            head = ChainHead(key_id=key_id_of(self._key))
            # The anchor is there before the first entry, so that a log without one was tampered with.
            write_head(self._folder, head, self._key)
            return head, NOTHING_RECOVERED
        if head is not None and head.key_id not in {"", key_id_of(self._key)}:
            raise AuditError("it is sealed with another key")
        known = self._known
        if head is None:
            head = known or self._last_readable()
        elif known is not None and (head.seq < known.seq or (head.seq == known.seq and head.hash != known.hash)):
            head, trouble = known, f"the anchor names entry {head.seq}, though entry {known.seq} was written"
        return self._after(head, trouble)

    def _after(self, head: ChainHead, trouble: str) -> tuple[ChainHead, Recovery]:
        """Take over the whole lines behind the anchor, and cut off a torn one."""
        path = segment_path(self._folder, head.segment)
        size = path.stat().st_size if path.exists() else 0
        following = segment_path(self._folder, head.segment + 1)
        if size == head.size_bytes and not trouble and not following.exists():
            return head, NOTHING_RECOVERED
        first, cut_bytes = head.seq, 0
        if size < head.size_bytes:
            trouble = trouble or f"the line of entry {head.seq} was cut off"
        while not trouble and path.exists():
            last = not following.exists()
            for line in lines_of(path, head.size_bytes):
                entry = None if line.torn else self._next_entry(head, line.content)
                if entry is not None:
                    head = head._replace(seq=entry.seq, hash=entry.hash, size_bytes=line.end)
                elif line.torn and last:
                    os.truncate(path, head.size_bytes)
                    cut_bytes = len(line.content)
                else:
                    trouble = f"what stands after entry {head.seq} does not follow it"
                    break
            if last:
                break
            head = head._replace(segment=head.segment + 1, size_bytes=0)
            path, following = following, segment_path(self._folder, head.segment + 1)
        if trouble:
            # What is there stays there, for whoever wants to know what happened.
            newest = max([head.segment, *segments_of(self._folder)])
            return head._replace(segment=newest + 1, size_bytes=0), Recovery(head.seq - first, 0, trouble)
        return head, Recovery(head.seq - first, cut_bytes)

    def _next_entry(self, head: ChainHead, content: bytes) -> AuditEntry | None:
        with contextlib.suppress(EntryError):
            entry = read_line(content)
            sealed = self._key is None or entry.seal == seal_of(self._key, entry.hash)
            if sealed and (entry.seq, entry.prev) == (head.seq + 1, head.hash):
                return entry
        return None

    def _last_readable(self) -> ChainHead:
        """Return where the chain seems to end when no anchor tells."""
        head = ChainHead(key_id=key_id_of(self._key))
        for number, path in segments_of(self._folder).items():
            for line in lines_of(path):
                with contextlib.suppress(EntryError):
                    entry = read_line(line.content)
                    if entry.seq >= head.seq:
                        head = head._replace(seq=entry.seq, hash=entry.hash, segment=number, size_bytes=line.end)
        return head

    def _write(self, head: ChainHead, drafts: Sequence[EntryDraft]) -> ChainHead:
        number, size = head.segment, head.size_bytes
        if size >= self._segment_bytes:
            number, size = number + 1, 0
        lines, own = make_lines(drafts, head.seq + 1, head.hash, self._key)
        lines.append("")
        content = "\n".join(lines).encode()
        moved = ChainHead(head.seq + len(drafts), own, number, size + len(content), key_id_of(self._key))
        flags = os.O_WRONLY | os.O_APPEND | BINARY | (0 if size else os.O_CREAT)
        descriptor = os.open(segment_path(self._folder, number), flags, _PRIVATE_FILE)
        try:
            _write_all(descriptor, content)
            os.fsync(descriptor)
            write_head(self._folder, moved, self._key)
        except OSError:
            # A disk that is full takes a part: what was not anchored is taken back, and written anew later.
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, size)
            raise
        finally:
            os.close(descriptor)
        return moved


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
