"""Let the oldest calls go, in slices so small that a new call never waits for long."""

from __future__ import annotations

import json
import logging
import math
import sqlite3
import time
from typing import TYPE_CHECKING, Any, Final

from tools.atomic_write import write_whole
from tools.errors import HistoryError
from tools.history.database import LEAVE, OPEN, transaction
from tools.history.encoding import RUN_BITS
from tools.history.records import Retention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tools.history.blobs import BlobFolder

RETENTION_FILE: Final = "retention.json"
"""Stands beside the calls, so that every program that writes there lets the same ones go."""

_log = logging.getLogger(__name__)

SLICE_ROWS: Final = 200
SLICE_PAGES: Final = 256
SPARE_PAGES: Final = 256
"""Free pages that are kept: the next calls need them again."""

ROOM: Final = 0.95
"""How far below its limit the size is brought, so that the next call is not over it again."""

_SOMETHING_DONE: Final = 2
"""From so many changes on, a step of the index's merge was more than a look. Source: SQLite, FTS5, "merge"."""

FRESH_S: Final = 3600.0
"""Files without a use stay so long: their row may still be on its way."""


def read_retention(folder: Path) -> Retention:
    """Return what a person wants kept in a folder; the usual when nothing was said, or nothing that can be read."""
    try:
        said = json.loads((folder / RETENTION_FILE).read_text("utf-8"))
    except FileNotFoundError:
        return Retention()
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("what the history keeps cannot be read, the usual counts: %s", error)
        return Retention()
    if isinstance(said, dict) and all(map(_is_limit, said.values())) and said.keys() <= set(Retention._fields):
        return Retention(**said)
    _log.warning("expected limits above 0 or null for %s in %s; the usual counts", Retention._fields, RETENTION_FILE)
    return Retention()


def _is_limit(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and value > 0)


def write_retention(folder: Path, retention: Retention) -> None:
    """Keep what a person wants kept in a folder.

    Raises:
        HistoryError: When it cannot be written.
    """
    try:
        write_whole(folder / RETENTION_FILE, json.dumps(retention._asdict()))
    except OSError as error:
        raise HistoryError(f"what is kept cannot be written down: {error}") from error


class Pruning:
    """Forget calls through the writer's connection."""

    def __init__(self, connection: sqlite3.Connection, blobs: BlobFolder, clock: Callable[[], float]) -> None:
        self._connection = connection
        self._blobs = blobs
        self._clock = clock
        self._removed = 0

    def prune(self, retention: Retention) -> Iterator[int]:
        """Do what a retention asks for; yields after each slice how many calls it took away."""
        if retention.max_age_days is not None:
            oldest = int((self._clock() - retention.max_age_days * 86_400) * 1e6) << RUN_BITS
            while gone := self._forget_oldest(SLICE_ROWS, oldest):
                yield gone
        if retention.max_calls is not None:
            yield from self._forget_surplus(self._count() - retention.max_calls)
        if retention.max_size_bytes is not None:
            yield from self._shrink(retention.max_size_bytes)
        if self._removed > max(SLICE_ROWS * 10, self._count() // 10):
            yield from self._tidy_index()
        yield from self._give_back()

    def _shrink(self, most_bytes: int) -> Iterator[int]:
        size = self.size_bytes()
        if size <= most_bytes:
            return
        while size > most_bytes and (count := self._count()):
            yield from self._forget_surplus(math.ceil(count * (1 - most_bytes * ROOM / size)))
            # What left the index is only marked until it is put together anew.
            yield from self._tidy_index()
            smaller = self.size_bytes()
            if smaller >= size:
                return
            size = smaller

    def _forget_surplus(self, surplus: int) -> Iterator[int]:
        while surplus > 0 and (gone := self._forget_oldest(min(SLICE_ROWS, surplus))):
            surplus -= gone
            yield gone

    def _tidy_index(self) -> Iterator[int]:
        """Put the index together anew, a few pages at a time, so that what left it takes no room."""
        self._removed = 0
        # A negative number begins with all of it; each further step goes on until there is nothing left to do.
        pages = -SLICE_PAGES
        done = _SOMETHING_DONE
        while done >= _SOMETHING_DONE:
            before = self._connection.total_changes
            with transaction(self._connection):
                self._connection.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
            pages = SLICE_PAGES
            done = self._connection.total_changes - before
            yield 0

    def _count(self) -> int:
        count: int = self._connection.execute("SELECT count(*) FROM calls").fetchone()[0]
        return count

    def forget(self, ids: Sequence[int]) -> Iterator[int]:
        """Take calls away, those that run excepted; yields after each slice how many."""
        for start in range(0, len(ids), SLICE_ROWS):
            yield self._forget(ids[start : start + SLICE_ROWS])

    def size_bytes(self) -> int:
        """Return what calls and their large contents take, free pages not counted."""
        pages, free, page_bytes = (
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        blobs = self._connection.execute("SELECT total(stored_bytes) FROM blobs").fetchone()[0]
        return int((pages - free) * page_bytes + blobs)

    def _forget_oldest(self, rows: int, before: int = 1 << 62) -> int:
        oldest = f"SELECT id FROM calls WHERE id < ? AND NOT ({OPEN}) ORDER BY id LIMIT ?"  # noqa: S608 -- our own words
        return self._forget([row_id for (row_id,) in self._connection.execute(oldest, (before, rows))])

    def _forget(self, ids: Sequence[int]) -> int:
        with transaction(self._connection):
            chosen = ",".join("?" * len(ids))
            ended = f"SELECT id FROM calls WHERE id IN ({chosen}) AND NOT ({OPEN})"  # noqa: S608 -- question marks
            leaving = self._connection.execute(ended, ids).fetchall()
            self._connection.executemany(LEAVE, leaving)
            self._connection.executemany("DELETE FROM calls WHERE id = ?", leaving)
            chosen = ",".join("?" * len(leaving))
            freed = f"DELETE FROM blob_uses WHERE call IN ({chosen}) RETURNING digest"  # noqa: S608 -- likewise
            digests = self._connection.execute(freed, [row_id for (row_id,) in leaving]).fetchall()
        self._removed += len(leaving)
        for (digest,) in digests:
            self._collect(digest)
        return len(leaving)

    def _collect(self, digest: str) -> None:
        """Let a content go that nothing uses."""
        used = "SELECT 1 FROM blob_uses WHERE digest = ?"
        if self._connection.execute(used, (digest,)).fetchone():
            return
        # Only after the rows are gone for good, and looked up again where nobody can begin to use it meanwhile.
        with transaction(self._connection):
            if self._connection.execute(used, (digest,)).fetchone() is None:
                self._blobs.remove(digest)
                self._connection.execute("DELETE FROM blobs WHERE digest = ?", (digest,))

    def _give_back(self) -> Iterator[int]:
        """Give free pages back to the system, a few at a time."""
        while self._connection.execute("PRAGMA freelist_count").fetchone()[0] > SPARE_PAGES:
            # Each row of the answer is one page that moved, so all of them have to be asked for.
            self._connection.execute(f"PRAGMA incremental_vacuum({SLICE_PAGES})").fetchall()
            yield 0

    def strays(self) -> Iterator[int]:
        """Take away files that no call uses, as a crash may leave; yields after each look."""
        for digest in self._blobs.digests(time.time() - FRESH_S):
            self._collect(digest)
            yield 0
