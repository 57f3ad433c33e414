"""Where an audit log lives: segments of lines, the anchor that names the newest one, and the lock between programs.

```text
audit/
├── audit-000001.jsonl   lines, oldest first; a full segment is never touched again
├── audit-000002.jsonl
├── head.json            the anchor: the newest entry's number and hash, and where its line ends
└── lock                 held while somebody writes
```

Lines are written and synced first, the anchor afterwards. So a program that is killed in between leaves lines which no
anchor names yet, the last of them perhaps torn; the next writer takes over the whole ones and cuts off the torn one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from tools.audit.entries import GENESIS, HASH, seal_of
from tools.errors import AuditError
from tools.file_lock import LOCK_TIMEOUT_S, held

HEAD: Final = "head.json"
LOCK: Final = "lock"
_SEGMENT: Final = re.compile(r"audit-([0-9]{6,})\.jsonl")
_KEY_ID: Final = re.compile(r"[0-9a-f]*")
_LARGEST: Final = 1 << 53
_PRIVATE: Final = 0o600
BINARY: Final[int] = getattr(os, "O_BINARY", 0)
"""Keeps Windows from writing other line ends than those that were hashed."""


class HeadError(AuditError):
    """Report an anchor that is not as it was written."""


class ChainHead(NamedTuple):
    """The anchor: what the newest entry is.

    Attributes:
        seq: Its number; 0 before the first.
        segment: The number of the segment that holds it.
        size_bytes: Where its line ends there.
        key_id: Which key the entries are sealed with; empty for none.
    """

    seq: int = 0
    hash: str = GENESIS
    segment: int = 1
    size_bytes: int = 0
    key_id: str = ""

    @property
    def text(self) -> str:
        """The number and the hash, to be kept elsewhere and compared later."""
        return f"{self.seq}:{self.hash}"


def key_id_of(key: bytes | None) -> str:
    """Return a name for a key that does not tell the key; empty for none."""
    return "" if key is None else seal_of(key, "tool-console audit key")[:8]


def segment_path(folder: Path, number: int) -> Path:
    """Return the file of one segment."""
    return folder / f"audit-{number:06}.jsonl"


def segments_of(folder: Path) -> dict[int, Path]:
    """Return the segments that exist, by number, in order."""
    found = {
        int(match[1]): path for path in folder.iterdir() if (match := _SEGMENT.fullmatch(path.name)) and path.is_file()
    }
    return dict(sorted(found.items()))


def head_line(head: ChainHead, key: bytes | None) -> str:
    """Return the anchor's text."""
    document = head._asdict()
    text = json.dumps(document)
    check = sha256(text.encode()).hexdigest() if key is None else seal_of(key, text)
    return f"{json.dumps({**document, 'check': check})}\n"


def read_head(folder: Path, key: bytes | None = None) -> ChainHead | None:
    """Return the anchor; None when there is none.

    Args:
        folder: The log's folder.
        key: What a sealed anchor is checked with; without it, a sealed one is taken as it is.

    Raises:
        HeadError: When it is not as it was written.
        OSError: When it cannot be read.
    """
    try:
        content = (folder / HEAD).read_bytes()
    except FileNotFoundError:
        return None
    try:
        document = json.loads(content)
        is_written_so = content == f"{json.dumps(document)}\n".encode()
        check, head = document.pop("check"), ChainHead(**document)
        numbers = (head.seq, head.segment - 1, head.size_bytes)
        # Larger ones name no place in a file, and some systems refuse to look there.
        is_written_so &= all(type(number) is int and 0 <= number < _LARGEST for number in numbers)
        # The check of an anchor without a key is anybody's to make, and one of another key is not looked at.
        is_written_so &= bool(HASH.fullmatch(head.hash) and _KEY_ID.fullmatch(head.key_id) and isinstance(check, str))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        is_written_so = False
    if not is_written_so:
        raise HeadError(f"{HEAD} is not written as anchors are")
    if head.key_id and (key is None or key_id_of(key) != head.key_id):
        return head
    if head_line(head, key if head.key_id else None).encode() != content:
        raise HeadError(f"{HEAD} does not have the check that stands in it")
    return head


def write_head(folder: Path, head: ChainHead, key: bytes | None) -> None:
    """Replace the anchor, whole or not at all."""
    fresh = folder / f"{HEAD}.new"
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, _PRIVATE), "wb") as file:
        file.write(head_line(head, key).encode())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / HEAD)


class SegmentLine(NamedTuple):
    """One line of a segment."""

    number: int
    content: bytes
    end: int
    torn: bool


def lines_of(path: Path, start: int = 0) -> Iterator[SegmentLine]:
    """Iterate over the lines of a segment, from one place in bytes to the end."""
    with path.open("rb") as file:
        file.seek(start)
        end = start
        for number, content in enumerate(file, 1):
            end += len(content)
            torn = not content.endswith(b"\n")
            yield SegmentLine(number, content if torn else content[:-1], end, torn)


@contextlib.contextmanager
def locked(folder: Path, timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[None]:
    """Keep other programs from writing."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(held(folder / LOCK, timeout_s))
        except TimeoutError as error:
            msg = f"another program has held the audit log in {folder} for {timeout_s:g} s; end it"
            raise AuditError(msg) from error
        yield
