"""The file: its tables and settings, known by its place, told apart when it fails."""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.errors import HistoryError
from tools.history.words import indexed_text

FILE_NAME: Final = "history.sqlite"
BUSY_TIMEOUT_S: Final = 10.0
"""How long somebody else's transaction is waited for; ours take milliseconds."""

CHECKED_BYTES: Final = 64 * 1024**2
"""Files up to this size are looked through when the program before did not close them."""

APPLICATION_ID: Final = 0x43616C6C
"""Written into the file's header, so that another program's database is not taken for a history: `Call`."""

VERSION: Final = 3

OPEN: Final = "status IN ('pending', 'waiting_for_review', 'waiting_for_caller', 'executing')"
"""The calls that have not ended, as SQL."""

MERGED_TOGETHER: Final = 8
"""How many pieces of the index become one at a time: questions take twice as long over 20 pieces as over one, and with
fewer, words are rewritten more often."""

_TABLES: Final = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        pid INTEGER NOT NULL,
        opened_us INTEGER NOT NULL,
        closed_us INTEGER
    )
    """,
    # An id is the moment of the proposal in microseconds times 1,024, plus a number of the run: newest first is by id.
    # `listed` is what a list shows, `record` the record without what is sealed or stands in the blobs, and `words` what
    # the index has of it where the record alone does not tell.
    """
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        call TEXT NOT NULL,
        tool TEXT NOT NULL,
        caller TEXT NOT NULL,
        status TEXT NOT NULL,
        decided INTEGER NOT NULL,
        elapsed_s REAL NOT NULL,
        listed TEXT NOT NULL,
        record TEXT NOT NULL,
        sealed BLOB,
        words TEXT
    )
    """,
    "CREATE UNIQUE INDEX calls_by_call ON calls (run, call)",
    f"CREATE INDEX calls_open ON calls (run) WHERE {OPEN}",
    "CREATE TABLE names (kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID",
    "CREATE TABLE blobs (digest TEXT PRIMARY KEY, stored_bytes INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE blob_uses (
        call INTEGER NOT NULL,
        part TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (call, part)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX blob_uses_by_digest ON blob_uses (digest)",
)
_TOKENIZER: Final = "unicode61 remove_diacritics 2"
_INDEX: Final = (
    # Where the index looks up the text of a row that leaves it.
    """
    CREATE VIEW IF NOT EXISTS indexed AS
    SELECT id, indexed_text(tool, caller, status, decided, record, words) AS text FROM calls
    """,
    f"""
    CREATE VIRTUAL TABLE words USING fts5(
        text, content='indexed', content_rowid='id', columnsize=0, tokenize='{_TOKENIZER}'
    )
    """,
    f"INSERT INTO words (words, rank) VALUES ('automerge', {MERGED_TOGETHER})",  # noqa: S608 -- our own number
)
ENTER: Final = "INSERT INTO words (rowid, text) VALUES (?, ?)"
LEAVE: Final = "DELETE FROM words WHERE rowid = ?"
"""Takes a row out of the index, as long as the row is as it was entered."""
REENTER: Final = "INSERT INTO words (rowid, text) SELECT id, text FROM indexed WHERE id = ?"

_COMPANIONS: Final = ("", "-wal", "-shm")
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def is_damage(error: BaseException) -> bool:
    """Return whether an error says that the file itself is broken."""
    return isinstance(error, sqlite3.Error) and _code(error) in _DAMAGED


def is_index_damage(error: BaseException) -> bool:
    """Return whether an error says that only the index of words is broken, which can be made anew."""
    return isinstance(error, MemoryError) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB


def index_damage() -> sqlite3.Error:
    """Return the error for a question that memory ran out over: damage made a length in the index huge."""
    error = sqlite3.DatabaseError("a length in the index of words is wrong")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT_VTAB
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
    if "no such module: fts5" in str(error):
        return "this Python's SQLite has no full-text index (FTS5); start the program with a Python that has one"
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
        version_of(connection)
        _teach_words(connection)
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


def _teach_words(connection: sqlite3.Connection) -> None:
    """Let a connection read the view of the words of calls."""
    connection.create_function("indexed_text", 6, indexed_text, deterministic=True)


def matching_ids(connection: sqlite3.Connection, ids: Iterable[int], question: str) -> list[int]:
    """Return those calls whose words fit a question, from an index made for them alone."""
    chosen = json.dumps(list(ids))
    if chosen == "[]":
        return []
    _teach_words(connection)
    connection.execute(f"CREATE VIRTUAL TABLE temp.few USING fts5(text, tokenize='{_TOKENIZER}')")
    connection.execute(
        "INSERT INTO temp.few (rowid, text) SELECT id, text FROM indexed WHERE id IN (SELECT value FROM json_each(?))",
        (chosen,),
    )
    found = connection.execute("SELECT rowid FROM temp.few WHERE few MATCH ?", (question,)).fetchall()
    connection.execute("DROP TABLE temp.few")
    return [row_id for (row_id,) in found]


def open_file(path: Path) -> sqlite3.Connection:
    """Return the writer's connection to a file with its tables; the caller holds the file's lock.

    Raises:
        HistoryError: When another version of this program made the file, or another program altogether.
        sqlite3.Error: When it cannot be opened, or is damaged.
        OSError: When the folder cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = _connect(path)
    try:
        with transaction(connection):
            if not version_of(connection):
                _create(connection)
        ended_badly = "SELECT 1 FROM runs WHERE closed_us IS NULL LIMIT 1"
        if path.stat().st_size <= CHECKED_BYTES and connection.execute(ended_badly).fetchone():
            look_through(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    for statement in (*_TABLES, *_INDEX):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def make_index_anew(connection: sqlite3.Connection) -> None:
    """Throw the index of words away, and make it of what the rows tell."""
    with transaction(connection):
        connection.execute("DROP TABLE words")
        for statement in _INDEX:
            connection.execute(statement)
        connection.execute("INSERT INTO words (words) VALUES ('rebuild')")


def look_through(connection: sqlite3.Connection) -> None:
    """Look the whole file through.

    Raises:
        sqlite3.Error: When it is damaged, or the index is.
    """
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        error = sqlite3.DatabaseError(found)
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error
    connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 0)")


def version_of(connection: sqlite3.Connection) -> int:
    """Return a file's version, 0 for an empty one; nothing is written.

    Raises:
        HistoryError: When another version of this program made it, or another program altogether.
    """
    # One statement sees one moment: another program may make the file meanwhile.
    found, owner, tables = connection.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if owner != APPLICATION_ID and (owner or found or tables):
        msg = "the file in the history's place is another program's database; move it away, or name another data folder"
        raise HistoryError(msg)
    if found not in {0, VERSION}:
        msg = (
            f"the history was written by another version of this program (schema {found}, this one knows {VERSION});"
            " use that version, move the file away, or name another data folder"
        )
        raise HistoryError(msg)
    return int(found)


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


def put_aside(path: Path, now: datetime) -> Path:
    """Move a file out of the way, with what belongs to it; return its new place, whose name says when.

    Raises:
        OSError: When it cannot be moved.
    """
    stem = f"{path.name}.damaged-{now.astimezone(UTC):%Y%m%d-%H%M%S}"
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
