"""Write an audit log, or a part of it, for somebody else: without what is not their business, and still checkable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tools.audit.describing import MASKABLE
from tools.audit.entries import AuditEntry, EntryError, bare_line, masked_line, read_line
from tools.audit.folder import SegmentLine, lines_of, segments_of
from tools.audit.verifying import ending_line
from tools.errors import AuditError


class Exported(NamedTuple):
    """What an export holds.

    Attributes:
        first: The number of its first entry; 0 when it is empty.
        shown: How many entries it tells.
        left_out: How many others stand between them without their content, so that the chain stays whole.
    """

    first: int = 0
    last: int = 0
    hash: str = ""
    shown: int = 0
    left_out: int = 0


def export(
    folder: Path,
    write: Callable[[str], object],
    *,
    mask: Collection[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    tools: Collection[str] = (),
) -> Exported:
    """Write entries as lines, oldest first; `verify_export` checks them.

    Args:
        folder: Where the log lives.
        write: Takes each line, with its end.
        mask: The values that are left out, of `MASKABLE`; their commitments stay.
        since: The first time that counts; None begins with the first entry.
        until: The first time that does not count any more; None ends with the newest entry.
        tools: Only these tools' entries are told; empty tells all. Those between them stay in the chain without their
            content.

    Raises:
        AuditError: When a name in `mask` is unknown, the folder cannot be read or a line of it is no entry.
    """
    if unknown := sorted(set(mask) - set(MASKABLE)):
        raise AuditError(f"cannot mask {', '.join(unknown)}; expected some of {', '.join(MASKABLE)}")
    fields = {*mask, *(("result_digest",) if "result" in mask else ())}
    done = Exported()
    for entry in _between(_entries(folder), since, until):
        told = not tools or entry.facts.get("tool") in tools
        write((masked_line(entry, fields) if told else bare_line(entry)) + "\n")
        done = Exported(done.first or entry.seq, entry.seq, entry.hash, done.shown + told, done.left_out + (not told))
    if done.last:
        write(ending_line(done.first, done.last, done.hash) + "\n")
    return done


def _entries(folder: Path) -> Iterator[AuditEntry]:
    try:
        for path in segments_of(folder).values():
            for line in lines_of(path):
                if line.torn:
                    return
                yield _entry(path.name, line)
    except OSError as error:
        raise AuditError(f"the audit log in {folder} cannot be read: {error}") from error


def _entry(file: str, line: SegmentLine) -> AuditEntry:
    try:
        return read_line(line.content)
    except EntryError as error:
        msg = f"{file}, line {line.number} is no entry, so nothing more is exported: {error}; verify tells more"
        raise AuditError(msg) from error


def _between(entries: Iterator[AuditEntry], since: datetime | None, until: datetime | None) -> Iterator[AuditEntry]:
    for entry in entries:
        time = datetime.fromisoformat(entry.facts["time"]).astimezone(UTC)
        if until is not None and time >= until:
            # Entries of several programs may be a moment out of order; the first one that is too late ends it.
            return
        if since is None or time >= since:
            since = None
            yield entry
