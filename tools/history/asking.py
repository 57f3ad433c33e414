"""Which calls a query chooses, as ids: one question to the index of words, the newest first.

The index knows of each call who called what and how it ended, so it answers filters as well as words, in the order of
the ids. A word that is still typed may be the beginning of others, and for a beginning FTS5 reads every call of every
word that begins so: 50 ms where it stands in each of 1,000,000 calls. So the whole word is asked for first, which stops
at the newest calls; where few other calls are left, they are looked at for longer words one by one.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any, Final

from tools.history.database import index_damage, matching_ids
from tools.history.encoding import row_bound
from tools.history.words import CALLER, DECIDED, STATUS, TOOL, any_of, match_expressions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.history.records import HistoryQuery

MOST_LOOKED_AT: Final = 200
"""So many calls are looked at one by one; with more of them the index is asked for the beginning."""


def row_ids(connection: sqlite3.Connection, records: Iterable[str]) -> list[int]:
    """Return the numbers of those records that there are."""
    statement = "SELECT calls.id FROM calls JOIN runs ON runs.id = run WHERE runs.name = ? AND call = ?"
    keys = [record.partition("-") for record in records]
    found = [connection.execute(statement, (run, call)).fetchone() for run, _, call in keys]
    return [columns[0] for columns in found if columns is not None]


def ids_of(connection: sqlite3.Connection, query: HistoryQuery, limit: int) -> list[int]:
    """Return the ids of the calls that a query chooses, newest first, so many at most."""
    words = match_expressions(query.text)
    if query.text.strip() and not words:
        # Words without a letter or a digit find nothing.
        return []
    try:
        if words and words[-1].endswith("*") and (few := _among_few(connection, query, words, limit)) is not None:
            return few
        return _ids(connection, query, words, limit)
    except MemoryError as error:
        raise index_damage() from error


def _among_few(connection: sqlite3.Connection, query: HistoryQuery, words: list[str], limit: int) -> list[int] | None:
    """Return what a query chooses whose last word is a beginning; None when too many calls are to be looked at."""
    most = limit + MOST_LOOKED_AT
    candidates = _ids(connection, query, words[:-1], most)
    if not candidates:
        return []
    whole = _ids(connection, query, [*words[:-1], words[-1].removesuffix("*")], limit)
    oldest = whole[-1] if len(whole) == limit else 0
    if len(candidates) == most and candidates[-1] > oldest:
        return None
    others = {row_id for row_id in candidates if row_id > oldest}.difference(whole)
    if len(others) > MOST_LOOKED_AT:
        return None
    return sorted([*whole, *matching_ids(connection, others, words[-1])], reverse=True)[:limit]


def _ids(connection: sqlite3.Connection, query: HistoryQuery, words: list[str], limit: int) -> list[int]:
    asked = words + [
        any_of(sign, names)
        for sign, names in ((TOOL, query.tools), (CALLER, query.callers), (STATUS, query.statuses))
        if names
    ]
    if query.decided:
        asked.append(any_of(DECIDED, ("",)))
    question = " AND ".join(asked)
    conditions: list[str] = []
    values: list[Any] = []
    if question and query.without_callers:
        question = f"({question}) NOT {any_of(CALLER, query.without_callers)}"
    elif query.without_callers:
        conditions.append(f"caller NOT IN ({','.join('?' * len(query.without_callers))})")
        values += query.without_callers
    table, key = ("words", "rowid") if question else ("calls", "id")
    if question:
        conditions.append("words MATCH ?")
        values.append(question)
    for bound, moment in ((">=", query.since), ("<", query.until)):
        if moment is not None:
            conditions.append(f"{key} {bound} ?")
            values.append(row_bound(moment))
    if query.before is not None:
        conditions.append(f"{key} < ?")
        values.append(query.before)
    if query.ids:
        # The sign keeps the database from asking the index once for each of them.
        conditions += [f"+{key} IN (SELECT value FROM json_each(?))", f"{key} BETWEEN ? AND ?"]  # noqa: S608 -- as below
        chosen = row_ids(connection, query.ids)
        values += json.dumps(chosen), min(chosen, default=0), max(chosen, default=0)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    statement = f"SELECT {key} FROM {table} {where} ORDER BY {key} DESC LIMIT ?"  # noqa: S608 -- our own names only
    return [row_id for (row_id,) in connection.execute(statement, (*values, limit))]
