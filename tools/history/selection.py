"""Which calls a query chooses, as SQL."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from tools.history.decoding import row_bound
from tools.history.encoding import DECIDED, NUMBER_BY_STATUS, SEALED
from tools.history.keys import key_of
from tools.history.query import HistoryQuery
from tools.history.words import CALLER_MARK, DECIDED_MARK, STATUS_MARK, TOOL_MARK, any_of, match_expression

COUNTED: Final = 1_000
"""Up to so many calls are counted; beyond it a page says "more than"."""

_END: Final = 1 << 62
_BY_WORDS: Final = (
    "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
)
_BY_WORDS_AMONG: Final = (
    # The sign keeps the database from asking the index once for each of them.
    "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ?"
    " AND +rowid IN (SELECT value FROM json_each(?)) ORDER BY rowid DESC LIMIT ?"
)


class Selection:
    """Answer a query with the ids of calls, newest first.

    The index knows of each call who called what and how it ended, so it answers filters as well as words, in the order
    of the ids. What it does not have yet, calls that run and calls of the last moment, is looked at one by one.

    Args:
        connection: To the file.
        query: What is asked.
    """

    def __init__(self, connection: sqlite3.Connection, query: HistoryQuery) -> None:
        self._connection = connection
        self._tools = numbers_of(connection, query.tools)
        self._callers = numbers_of(connection, query.callers)
        self._left_out = numbers_of(connection, query.without_callers)
        self._statuses = [NUMBER_BY_STATUS[status] for status in query.statuses] or None
        self._decided = query.decided
        self._match = match_expression(query.text)
        self._low = 0 if query.since is None else row_bound(query.since)
        self._high = _END if query.until is None else row_bound(query.until)
        self._among: str | None = None
        if query.ids:
            chosen = row_ids_of(connection, query.ids)
            self._among = json.dumps(chosen)
            self._low = max(self._low, min(chosen, default=_END))
            self._high = min(self._high, max(chosen, default=0) + 1)
        facts = dict(connection.execute("SELECT name, value FROM facts"))
        indexed = bool(facts.get("index_version"))
        self._words = [] if indexed or not self._match else query.text.replace('"', " ").split()
        # Words without a letter or a digit find nothing, as do names that no call ever had.
        nothing = (bool(query.text.strip()) and not self._match) or self._tools == [] or self._callers == []
        filtered = any(numbers is not None for numbers in (self._tools, self._callers, self._statuses))
        by_index = self._match or ((filtered or self._decided) and self._among is None)
        self._asked = self._index_question() if indexed and by_index else ""
        if not self._match and "index_below" in facts:
            # The index is being made anew, and lacks the older calls.
            self._asked = ""
        self._empty = nothing

    def ids(self, limit: int, before: int | None) -> list[int]:
        """Return so many ids at most, those below `before`."""
        if self._empty:
            return []
        high = self._high if before is None else min(self._high, before)
        if not self._asked:
            return self._plain_ids(high, limit)
        if self._among is None:
            found = self._connection.execute(_BY_WORDS, (self._asked, self._low, high, limit))
        else:
            found = self._connection.execute(_BY_WORDS_AMONG, (self._asked, self._low, high, self._among, limit))
        ids = {row_id for (row_id,) in found}
        ids.update(self._unindexed_ids(high, limit))
        return sorted(ids, reverse=True)[:limit]

    def _index_question(self) -> str:
        parts = [self._match] if self._match else []
        for mark, numbers in ((TOOL_MARK, self._tools), (CALLER_MARK, self._callers), (STATUS_MARK, self._statuses)):
            if numbers:
                parts.append(any_of(mark, numbers))
        if self._decided:
            parts.append(any_of(DECIDED_MARK, [1]))
        wanted = " AND ".join(parts)
        return f"({wanted}) NOT {any_of(CALLER_MARK, self._left_out)}" if self._left_out else wanted

    def _unindexed_ids(self, high: int, limit: int) -> list[int]:
        """Return the calls that no word is asked of and that the index does not have yet."""
        if self._match:
            return []
        newest = array("q")
        for (packed,) in self._connection.execute("SELECT ids FROM unindexed"):
            newest.frombytes(packed)
        running = self._connection.execute("SELECT id FROM calls INDEXED BY calls_running WHERE running IS NOT NULL")
        ids = [*newest, *(row_id for (row_id,) in running)]
        return self._plain_ids(high, limit, ids) if ids else []

    def _plain_ids(self, high: int, limit: int, among: Sequence[int] | None = None) -> list[int]:
        conditions = ["id >= ?", "id < ?"]
        values: list[Any] = [self._low, high]
        for chosen in (self._among, None if among is None else json.dumps(among)):
            if chosen is not None:
                conditions.append("id IN (SELECT value FROM json_each(?))")
                values.append(chosen)
        for column, numbers in (("tool", self._tools), ("caller", self._callers), ("status", self._statuses)):
            if numbers is not None:
                wanted = f"{column} IN ({','.join('?' * len(numbers))})"
                conditions.append(f"kind IN (SELECT id FROM kinds WHERE {wanted})")  # noqa: S608 -- our own names only
                values += numbers
        if self._left_out:
            unwanted = ",".join("?" * len(self._left_out))
            conditions.append(f"kind NOT IN (SELECT id FROM kinds WHERE caller IN ({unwanted}))")  # noqa: S608 -- likewise
            values += self._left_out
        if self._decided:
            conditions.append(f"kind IN (SELECT id FROM kinds WHERE flags & {DECIDED})")  # noqa: S608 -- likewise
        if self._words:
            conditions.append(f"kind NOT IN (SELECT id FROM kinds WHERE flags & {SEALED})")  # noqa: S608 -- likewise
        for word in self._words:
            # Its text ends with a zero byte, and so does what is looked at.
            conditions.append("CAST(body AS TEXT) LIKE ? ESCAPE '!'")
            values.append(f"%{_escaped(word)}%")
        where = " AND ".join(conditions)
        statement = f"SELECT id FROM calls WHERE {where} ORDER BY id DESC LIMIT ?"  # noqa: S608 -- our own names only
        return [row_id for (row_id,) in self._connection.execute(statement, [*values, limit])]


def numbers_of(connection: sqlite3.Connection, names: Sequence[str]) -> list[int] | None:
    """Return the numbers of those names that calls had; None when no name is given."""
    if not names:
        return None
    chosen = ",".join("?" * len(names))
    found = connection.execute(f"SELECT id FROM names WHERE name IN ({chosen})", tuple(names))  # noqa: S608 -- likewise
    return [number for (number,) in found]


def row_ids_of(connection: sqlite3.Connection, records: Iterable[str]) -> list[int]:
    """Return the numbers of those records that there are."""
    statement = "SELECT id FROM calls WHERE key = ?"
    found = (connection.execute(statement, (key,)).fetchone() for key in keys_of(connection, records))
    return [columns[0] for columns in found if columns is not None]


def keys_of(connection: sqlite3.Connection, records: Iterable[str]) -> Iterator[int | str]:
    """Yield the keys of those records whose run there was."""
    runs: dict[str, int | None] = {}
    for record in records:
        run, _, call = record.partition("-")
        if run not in runs:
            found = connection.execute("SELECT id FROM runs WHERE name = ?", (run,)).fetchone()
            runs[run] = None if found is None else found[0]
        number = runs[run]
        if number is not None:
            yield key_of(number, int(call) if call.isdecimal() else call)


def _escaped(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
