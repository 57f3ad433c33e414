"""The index of words, which finds calls by what stands in them."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, Final

from tools.history.decoding import TABLES, values_of
from tools.history.encoding import NUMBER_BY_STATUS
from tools.history.facts import words_of
from tools.history.words import CALLER_MARK, INDEX_VERSION, STATUS_MARK, TOOL_MARK, indexed_text, parts_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GROUPS: Final = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
"""How many rows a statement takes: each one lets go of the interpreter once, however many rows it has."""

MERGED_TOGETHER: Final = 16
"""How many pieces of the index become one at a time; with fewer, words are rewritten more often."""

_CREATE: Final = """
CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2')
"""
_STORED: Final = f"""
    SELECT calls.id, calls.tool, calls.caller, calls.status, tools.name, callers.name, calls.arguments, calls.result,
        calls.error, calls.extra
    FROM {TABLES}
"""  # noqa: S608 -- our own names only
_OPEN: Final = NUMBER_BY_STATUS["executing"]


def groups(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield the items in groups of the few sizes that there are statements for."""
    start = 0
    for size in GROUPS:
        while len(items) - start >= size:
            yield items[start : start + size]
            start += size


def placeholders(columns: int, rows: int) -> str:
    """Return the part of an INSERT behind VALUES."""
    one = "(" + ",".join("?" * columns) + ")"
    return ",".join([one] * rows)


def marks_of(tool: int, caller: int, status: int) -> str:
    """Return the numbers of tool, caller and status as they stand beside the words."""
    return f"{TOOL_MARK}{tool} {CALLER_MARK}{caller} {STATUS_MARK}{status}"


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


def enter(connection: sqlite3.Connection, texts: Sequence[tuple[int, str]]) -> None:
    """Add texts to the index, the row's id beside each; within a transaction."""
    for group in groups(texts):
        values = [value for entry in group for value in entry]
        connection.execute(f"INSERT INTO words (rowid, text) VALUES {placeholders(2, len(group))}", values)  # noqa: S608


def leave(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Take entries out of the index, as long as their rows are there; within a transaction."""
    texts = stored_texts(connection, ids)
    connection.executemany("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", texts)


def stored_texts(connection: sqlite3.Connection, ids: Sequence[int]) -> list[tuple[int, str]]:
    """Return the ids of ended calls with the texts that the index has, or should have, of them."""
    chosen = ",".join("?" * len(ids))
    rows = connection.execute(f"{_STORED} WHERE calls.id IN ({chosen}) ORDER BY calls.id", ids)
    return [(row[0], _stored_text(row)) for row in rows if row[3] > _OPEN]


def _stored_text(row: Sequence[Any]) -> str:
    _, tool, caller, status, tool_name, caller_name, arguments, result, error, extra = row
    more = words_of(values_of(extra)) if isinstance(extra, str) else ""
    beginning = f"{marks_of(tool, caller, status)} {parts_of_name(tool_name)} {caller_name}"
    return indexed_text(beginning, arguments, result, error, more)
