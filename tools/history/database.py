"""The file: opened with the settings that readers and the writer need, known by its place, told apart when it fails."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.errors import HistoryError
from tools.history.schema import check, create

FILE_NAME: Final = "history.sqlite"
BUSY_TIMEOUT_S: Final = 10.0
"""How long somebody else's transaction is waited for; ours take milliseconds."""

CHECKED_BYTES: Final = 64 * 1024**2
"""Files up to this size are looked through when the program before did not close them."""

_COMPANIONS: Final = ("", "-wal", "-shm")
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def is_damage(error: BaseException) -> bool:
    """Return whether an error says that the file itself is broken."""
    return isinstance(error, sqlite3.Error) and _code(error) in _DAMAGED


def is_index_damage(error: BaseException) -> bool:
    """Return whether an error says that only the index of words is broken, which can be made anew."""
    # A length that damage made huge is asked of the memory before it is seen to be wrong.
    return isinstance(error, MemoryError) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB


def damage(words: str) -> sqlite3.DatabaseError:
    """Return what SQLite raises when it sees that its file is broken."""
    error = sqlite3.DatabaseError(words)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _code(error: sqlite3.Error) -> int:
    # The upper bits say more than is needed here.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def described(error: BaseException, path: Path) -> str:
    """Return what failed and what to do, for a person, without a full stop."""
    if isinstance(error, HistoryError):
        return str(error)
    if is_index_damage(error):
        return f"the index of words in {path.name} is damaged; it is made anew"
    code = _code(error) if isinstance(error, sqlite3.Error) else 0
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) == errno.ENOSPC:
        return f"the disk of {path.parent} is full; free some space, and recording goes on by itself"
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM} or isinstance(error, OSError):
        why = _in_words(error)
        return f"{path.parent} cannot be written ({why}); allow writing there, or name another data folder"
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return f"another program keeps {path.name} locked; close it, and recording goes on by itself"
    if code in _DAMAGED:
        return f"{path.name} is damaged ({error})"
    return f"{path.name} cannot be used ({error})"


def _in_words(error: BaseException) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return "a file is in the folder's place"
    # Without its number and the path, which stands before it.
    words = error.strerror if isinstance(error, OSError) else None
    return words.lower() if words else str(error)


def _connect(path: Path) -> sqlite3.Connection:
    """Return the writer's connection; the file is made when there is none."""
    connection = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    try:
        # Before anything is set: a file that is not ours is left as it is.
        check(connection)
        # Only an empty file takes this setting; it is what lets space be given back piece by piece.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            msg = f"{path.parent} does not let several programs share a file (journal mode {mode}); use a local folder"
            raise HistoryError(msg)
        # A crash of the program loses nothing that was committed; a power failure may lose the last commits.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        # In pages: four times the usual, since a stream of calls changes the same pages of the indexes again and again.
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        connection.execute("PRAGMA cache_size = -16000")
        connection.execute("PRAGMA temp_store = MEMORY")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that reads only.

    Raises:
        sqlite3.Error: When there is no file or it cannot be opened.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(
        uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    connection.execute("PRAGMA cache_size = -8000")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def open_file(path: Path) -> sqlite3.Connection:
    """Return the writer's connection to a file with its tables.

    Raises:
        EarlierVersionError: When the file is an earlier program's.
        HistoryError: When the file is a newer program's, or another's.
        sqlite3.Error: When it cannot be opened, or is damaged.
        OSError: When the folder cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = _connect(path)
    try:
        create(connection)
        if path.stat().st_size <= CHECKED_BYTES and _ended_badly(connection):
            _look_through(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do all of what is inside, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has ended some failed transactions by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _ended_badly(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM runs WHERE closed_us IS NULL LIMIT 1").fetchone() is not None


def _look_through(connection: sqlite3.Connection) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damage(found)


def put_aside(path: Path, now: datetime, why: str = "damaged") -> Path:
    """Move a file out of the way, with what belongs to it.

    Args:
        path: The file.
        now: What its new name says.
        why: Likewise, in a word.

    Returns:
        Its new place.

    Raises:
        OSError: When it cannot be moved.
    """
    stem = f"{path.name}.{why}-{now.astimezone(UTC):%Y%m%d-%H%M%S}"
    aside = path.with_name(stem)
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{stem}-{number}")
    for companion in _COMPANIONS:
        part = path.with_name(path.name + companion)
        if part.exists():
            part.replace(aside.with_name(aside.name + companion))
    return aside


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells this file from another one in the same place; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
