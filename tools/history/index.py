"""The index of words, which finds calls by what stands in them."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, Final

from tools.history.body import body_of
from tools.history.decoding import TABLES, values_of
from tools.history.encoding import DECIDED, OPEN_STATUSES, SEALED
from tools.history.facts import words_of
from tools.history.words import (
    CALLER_MARK,
    DECIDED_MARK,
    INDEX_VERSION,
    STATUS_MARK,
    TOOL_MARK,
    parts_of_name,
    searched_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

GROUPS: Final = (4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
"""How many rows a statement takes: each one lets go of the interpreter once, however many rows it has, and each one
makes a piece of the index, which has to be merged with others later."""

MERGED_TOGETHER: Final = 16
"""How many pieces of the index become one at a time; with fewer, words are rewritten more often."""

_CREATE: Final = """
CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2')
"""
_ENTER: Final = "INSERT INTO words (rowid, text) VALUES "
_ENTRY: Final = "(?, CAST(? AS TEXT))"
"""Bytes go through the interpreter untouched; text of letters that are none of Latin's would be written twice."""

_STORED: Final = f"""
    SELECT calls.id, kinds.tool, kinds.caller, kinds.status, tools.name, callers.name, kinds.flags, calls.body
    FROM {TABLES}
"""  # noqa: S608 -- our own names only


def in_order(values: list[Any], width: int) -> list[Any]:
    """Return the values of rows, one row after the other, in the order of the first value of each, which is its id."""
    ids = values[::width]
    if sorted(ids) == ids:
        return values
    rows = sorted(zip(*[iter(values)] * width, strict=True))
    return [value for row in rows for value in row]


def insert(connection: sqlite3.Connection, into: str, one: str, values: list[Any]) -> None:
    """Insert rows with few statements, of the few sizes that there are statements for.

    Args:
        connection: The writer's.
        into: The statement up to its VALUES.
        one: What stands there for a row, such as `(?, ?)`.
        values: The values of the rows, one row after the other. None are slow: of `bytes`, Python's module first asks
            everybody whether they know something better, which costs ten times as much as a `bytearray`.
    """
    width = one.count("?")
    start = 0
    for rows in GROUPS:
        while len(values) - start >= rows * width:
            connection.execute(into + ",".join([one] * rows), values[start : start + rows * width])
            start += rows * width


def marks_of(tool: int, caller: int, status: int, flags: int) -> str:
    """Return the numbers of tool, caller and status as they stand beside the words, and whether somebody decided."""
    marks = f"{TOOL_MARK}{tool} {CALLER_MARK}{caller} {STATUS_MARK}{status}"
    return f"{marks} {DECIDED_MARK}1" if flags & DECIDED else marks


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


def prepare(connection: sqlite3.Connection) -> None:
    """Make the index if there is none of this version, and note which calls it lacks; within a transaction."""
    known = connection.execute("SELECT value FROM facts WHERE name = 'index_version'").fetchone()
    exists = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'words'").fetchone() is not None
    if exists and known == (INDEX_VERSION,):
        return
    if exists:
        connection.execute("DROP TABLE words")
    connection.execute(_CREATE)
    connection.execute("INSERT INTO words (words, rank) VALUES ('automerge', ?)", (MERGED_TOGETHER,))
    connection.execute("DELETE FROM unindexed")
    newest = connection.execute("SELECT max(id) FROM calls").fetchone()[0] or 0
    facts = [("index_version", INDEX_VERSION), ("index_below", newest + 1)]
    connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)


def enter(connection: sqlite3.Connection, texts: list[Any]) -> None:
    """Add texts to the index; within a transaction.

    Args:
        connection: The writer's.
        texts: A row's id, then its text, and so on.
    """
    insert(connection, _ENTER, _ENTRY, in_order(texts, 2))


def leave(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Take entries out of the index, as long as their rows are there; within a transaction."""
    texts = stored_texts(connection, ids)
    entries = zip(texts[::2], texts[1::2], strict=True)
    connection.executemany("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, CAST(? AS TEXT))", entries)


def stored_texts(connection: sqlite3.Connection, ids: Sequence[int]) -> list[Any]:
    """Return the ids of ended calls, each with the text that the index has, or should have, of it."""
    chosen = ",".join("?" * len(ids))
    rows = connection.execute(f"{_STORED} WHERE calls.id IN ({chosen}) ORDER BY calls.id", ids)
    ended = [row for row in rows if row[3] >= OPEN_STATUSES]
    return [value for row in ended for value in (row[0], _stored_text(row))]


def _stored_text(row: Sequence[Any]) -> bytes:
    _, tool, caller, status, tool_name, caller_name, flags, content = row
    body = body_of(content)
    is_sealed = bool(flags & SEALED)
    more = "" if is_sealed or body.extra is None else words_of(values_of(body.extra.decode()))
    words = searched_words(body.arguments, body.result, body.error, more, sealed=is_sealed)
    return f"{marks_of(tool, caller, status, flags)} {parts_of_name(tool_name)} {caller_name} ".encode() + words
