"""The index of words, which finds calls by what stands in them; written in the transaction of the rows themselves."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from tools.history.database import transaction
from tools.history.encoding import loaded
from tools.history.words import INDEX_VERSION, marks_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MERGED_TOGETHER: Final = 8
"""How many pieces of the index become one at a time: questions take twice as long over 20 pieces as over one, and with
fewer, words are rewritten more often."""

SLICE: Final = 512
"""How many calls a new index takes in at a time."""

BELOW: Final = "index_below"
"""The fact that the index lacks the calls below an id, because it is being made anew."""

_CREATE: Final = """
CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2')
"""
_DELETE: Final = "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)"

Text = tuple[int, str]
"""A row's id and what the index has of it."""


def is_available(connection: sqlite3.Connection) -> bool:
    """Return whether this interpreter's SQLite has the full-text index."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(x)")
        connection.execute("DROP TABLE temp.probe")
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        return False
    return True


def prepare(connection: sqlite3.Connection, *, anew: bool = False) -> None:
    """Make the index if there is none of this version, and note which calls it lacks; within a transaction.

    Args:
        connection: The writer's.
        anew: Whether an index of this version is thrown away.
    """
    known = connection.execute("SELECT value FROM facts WHERE name = 'index_version'").fetchone()
    exists = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'words'").fetchone() is not None
    if exists and known == (INDEX_VERSION,) and not anew:
        return
    if exists:
        connection.execute("DROP TABLE words")
    connection.execute(_CREATE)
    connection.execute("INSERT INTO words (words, rank) VALUES ('automerge', ?)", (MERGED_TOGETHER,))
    newest = connection.execute("SELECT max(id) FROM calls").fetchone()[0]
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('index_version', ?)", (INDEX_VERSION,))
    if newest is not None:
        connection.execute("INSERT OR REPLACE INTO facts VALUES ('index_below', ?)", (newest + 1,))


def forget_version(connection: sqlite3.Connection) -> None:
    """Note that calls are written without the index, so that one is made anew where there is one again."""
    connection.execute("DELETE FROM facts WHERE name IN ('index_version', 'index_below')")


def below(connection: sqlite3.Connection) -> int:
    """Return the id below which the index lacks calls, because it is being made anew; 0 when it lacks none."""
    found = connection.execute("SELECT value FROM facts WHERE name = 'index_below'").fetchone()
    return 0 if found is None else int(found[0])


def enter(connection: sqlite3.Connection, texts: Sequence[Text]) -> None:
    """Add texts to the index; within a transaction."""
    least = below(connection)
    # In the order of the ids: the index writes what it holds in memory before it takes a lower one.
    wanted = sorted([text for text in texts if text[0] >= least])
    connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", wanted)


def leave(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Take entries out of the index, as long as their rows are there; within a transaction."""
    least = below(connection)
    connection.executemany(_DELETE, [text for text in stored_texts(connection, ids) if text[0] >= least])


def stored_texts(connection: sqlite3.Connection, ids: Sequence[int]) -> list[Text]:
    """Return what the index has, or should have, of calls, as their rows tell it."""
    chosen = ",".join("?" * len(ids))
    columns = "id, tool, caller, status, decided, record, words"
    found = connection.execute(f"SELECT {columns} FROM calls WHERE id IN ({chosen}) ORDER BY id", ids)  # noqa: S608 -- question marks
    return [
        (
            row_id,
            marks_of(tool, caller, status, decided=bool(decided))
            + (words_of(loaded(record)) if words is None else words),
        )
        for row_id, tool, caller, status, decided, record, words in found
    ]


def fill(connection: sqlite3.Connection) -> Iterator[int]:
    """Enter into a new index the calls that were there before it, newest first; yields 0 after each slice.

    It goes on where an earlier program stopped.
    """
    while below(connection):
        with transaction(connection):
            # Another program may fill the same index.
            least = below(connection)
            found = connection.execute("SELECT id FROM calls WHERE id < ? ORDER BY id DESC LIMIT ?", (least, SLICE))
            ids = [row_id for (row_id,) in found]
            if ids:
                connection.execute("UPDATE facts SET value = ? WHERE name = 'index_below'", (ids[-1],))
                enter(connection, stored_texts(connection, ids))
            else:
                connection.execute("DELETE FROM facts WHERE name = 'index_below'")
        yield 0
