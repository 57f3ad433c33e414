"""Which calls a query chooses, as SQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, Final

from tools.history import index
from tools.history.encoding import row_bound
from tools.history.query import HistoryQuery
from tools.history.words import CALLER, DECIDED, STATUS, TOOL, any_of, match_expression

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
    of the ids.

    Args:
        connection: To the file.
        query: What is asked.
    """

    def __init__(self, connection: sqlite3.Connection, query: HistoryQuery) -> None:
        self._connection = connection
        self._query = query
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
        filtered = bool(query.tools or query.callers or query.statuses or query.decided)
        by_index = self._match or (filtered and self._among is None)
        self._asked = self._index_question() if indexed and by_index else ""
        if not self._match and index.BELOW in facts:
            # The index is being made anew, and lacks the older calls.
            self._asked = ""
        # Words without a letter or a digit find nothing.
        self._empty = bool(query.text.strip()) and not self._match

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
        return [row_id for (row_id,) in found]

    def _index_question(self) -> str:
        query = self._query
        parts = [self._match] if self._match else []
        for sign, names in ((TOOL, query.tools), (CALLER, query.callers), (STATUS, query.statuses)):
            if names:
                parts.append(any_of(sign, names))
        if query.decided:
            parts.append(any_of(DECIDED, ("",)))
        wanted = " AND ".join(parts)
        return f"({wanted}) NOT {any_of(CALLER, query.without_callers)}" if query.without_callers else wanted

    def _plain_ids(self, high: int, limit: int) -> list[int]:
        """Look at the calls one by one."""
        query = self._query
        conditions = ["id >= ?", "id < ?"]
        values: list[Any] = [self._low, high]
        if self._among is not None:
            conditions.append("id IN (SELECT value FROM json_each(?))")
            values.append(self._among)
        for column, names in (("tool", query.tools), ("caller", query.callers), ("status", query.statuses)):
            if names:
                conditions.append(f"{column} IN ({','.join('?' * len(names))})")
                values += names
        if query.without_callers:
            conditions.append(f"caller NOT IN ({','.join('?' * len(query.without_callers))})")
            values += query.without_callers
        if query.decided:
            conditions.append("decided")
        for word in self._words:
            conditions.append("(tool || ' ' || caller || ' ' || record) LIKE ? ESCAPE '!'")
            values.append(f"%{_escaped(word)}%")
        where = " AND ".join(conditions)
        statement = f"SELECT id FROM calls WHERE {where} ORDER BY id DESC LIMIT ?"  # noqa: S608 -- our own names only
        return [row_id for (row_id,) in self._connection.execute(statement, [*values, limit])]


def row_ids_of(connection: sqlite3.Connection, records: Iterable[str]) -> list[int]:
    """Return the numbers of those records that there are."""
    statement = "SELECT calls.id FROM calls JOIN runs ON runs.id = run WHERE runs.name = ? AND call = ?"
    keys = [record.partition("-") for record in records]
    found = [connection.execute(statement, (run, call)).fetchone() for run, _, call in keys]
    return [columns[0] for columns in found if columns is not None]


def _escaped(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
