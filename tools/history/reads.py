"""Ask the file: each question on a read-only connection of its own, from any thread."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.errors import HistoryError
from tools.history.blobs import BlobFolder
from tools.history.database import connect_to_read, identity
from tools.history.decoding import (
    LIST_COLUMNS,
    TABLES,
    TIMING_COLUMNS,
    WHOLE_COLUMNS,
    Decoder,
    list_row,
    row_bound,
    timing_of,
)
from tools.history.encoding import NUMBER_BY_STATUS, SEALED
from tools.history.query import HistoryPage, HistoryQuery
from tools.history.words import CALLER_MARK, STATUS_MARK, TOOL_MARK, any_of, match_expression

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.history.records import CallRecord, CallTiming, HistoryRow
    from tools.vault import Vault

COUNTED: Final = 1_000
"""Up to so many calls are counted; beyond it a page says "more than"."""

_END: Final = 1 << 62
_SPARE_CONNECTIONS: Final = 4
_EACH: Final = 100
_USED_NAMES: Final = "SELECT name FROM names WHERE id IN (SELECT DISTINCT {} FROM calls INDEXED BY calls_by_kind)"


class Selection:
    """Turn a query into SQL over the ids of calls.

    Args:
        query: What is asked.
        tools: The numbers of its tools; None when it names none.
        callers: The numbers of its callers; None when it names none.
        indexed: Whether there is an index of words.
    """

    def __init__(
        self, query: HistoryQuery, tools: list[int] | None, callers: list[int] | None, *, indexed: bool
    ) -> None:
        self._tools = tools
        self._callers = callers
        self._statuses = [NUMBER_BY_STATUS[status] for status in query.statuses] or None
        self._match = match_expression(query.text)
        self._words = [] if indexed or not self._match else query.text.replace('"', " ").split()
        self.low = 0 if query.since is None else row_bound(query.since)
        self.high = _END if query.until is None else row_bound(query.until)
        # Words without a letter or a digit find nothing, as do names that no call ever had.
        self.empty = (bool(query.text.strip()) and not self._match) or tools == [] or callers == []
        self._indexed = indexed

    def ids(self, limit: int, before: int | None) -> tuple[str, list[Any]]:
        """Return a statement that yields ids, newest first, and its values."""
        high = self.high if before is None else min(self.high, before)
        if self._match and self._indexed:
            return self._by_words(limit, high)
        conditions = ["id >= ?", "id < ?"]
        values: list[Any] = [self.low, high]
        for column, numbers in (("tool", self._tools), ("caller", self._callers), ("status", self._statuses)):
            if numbers is not None:
                conditions.append(f"{column} IN ({','.join('?' * len(numbers))})")
                values += numbers
        for word in self._words:
            conditions.append("(arguments LIKE ? ESCAPE '!' OR result LIKE ? ESCAPE '!' OR error LIKE ? ESCAPE '!')")
            values += [f"%{_escaped(word)}%"] * 3
        # The index of kinds holds all that these filters look at, and is a tenth of the table.
        hint = "INDEXED BY calls_by_kind" if len(conditions) > 2 and not self._words else ""  # noqa: PLR2004 -- id's
        where = " AND ".join(conditions)
        return f"SELECT id FROM calls {hint} WHERE {where} ORDER BY id DESC LIMIT ?", [*values, limit]  # noqa: S608

    def _by_words(self, limit: int, high: int) -> tuple[str, list[Any]]:
        parts = [self._match]
        for mark, numbers in (
            (TOOL_MARK, self._tools),
            (CALLER_MARK, self._callers),
            (STATUS_MARK, self._statuses),
        ):
            if numbers is not None:
                parts.append(any_of(mark, numbers))
        statement = (
            "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        )
        return statement, [" AND ".join(parts), self.low, high, limit]


def _escaped(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")


class Reads:
    """Answer questions about what was recorded.

    Args:
        path: The file.
        blobs: Where large contents are.
        vault: Opens what is sealed; None leaves it closed.
    """

    def __init__(self, path: Path, blobs: BlobFolder, vault: Vault | None) -> None:
        self._path = path
        self._blobs = blobs
        self._vault = vault
        self._lock = threading.Lock()
        self._spare: list[tuple[tuple[int, int] | None, sqlite3.Connection]] = []

    @property
    def exist(self) -> bool:
        """Whether there is a file to read, and its tables are made."""
        if identity(self._path) is None:
            return False
        with self._connection() as connection:
            version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        return version > 0

    def search(self, query: HistoryQuery) -> HistoryPage:
        """Return a page of the calls that a query chooses."""
        with self._connection() as connection, _snapshot(connection):
            selection = self._selection(connection, query)
            if selection.empty:
                return HistoryPage()
            limit = max(1, query.limit)
            ids = self._ids(connection, selection, limit + 1, query.before)
            rows = self._rows(connection, ids[:limit])
            total, exact = self._count(connection, selection, ids, limit, query.before)
        more = len(ids) > limit
        return HistoryPage(tuple(rows), total, exact, ids[limit - 1] if more else None)

    def get(self, record: str) -> CallRecord | None:
        """Return a whole call; None when there is none."""
        with self._connection() as connection, _snapshot(connection):
            columns = _one(connection, WHOLE_COLUMNS, record)
            return None if columns is None else Decoder(self._vault, self._large(connection)).record(columns)

    def each(self, query: HistoryQuery) -> Iterator[CallRecord]:
        """Yield all calls that a query chooses, newest first, a page at a time; its limit counts them all."""
        before, left = query.before, query.limit
        while left > 0:
            with self._connection() as connection, _snapshot(connection):
                selection = self._selection(connection, query)
                ids = [] if selection.empty else self._ids(connection, selection, min(_EACH, left), before)
                decoder = Decoder(self._vault, self._large(connection))
                statement = f"SELECT {WHOLE_COLUMNS} FROM {TABLES} WHERE calls.id = ?"  # noqa: S608 -- our own names only
                found = [connection.execute(statement, (row_id,)).fetchone() for row_id in ids]
                records = [decoder.record(columns) for columns in found if columns is not None]
            yield from records
            if len(ids) < _EACH:
                return
            before, left = ids[-1], left - len(ids)

    def attachment(self, record: str, number: int) -> bytes:
        """Return an attachment's content.

        Args:
            record: The record's id.
            number: Which of its attachments, from 0.

        Raises:
            HistoryError: When it is not kept any more.
            VaultError: When it is sealed and does not open.
        """
        part = f"attachment {number}"
        with self._connection() as connection, _snapshot(connection):
            columns = _one(connection, "calls.id, calls.flags", record)
            content = None if columns is None else self._large(connection)(columns[0], part)
        if columns is None or content is None:
            msg = f"the history has no attachment {number + 1} of the call {record!r}"
            raise HistoryError(msg)
        return (
            Decoder(self._vault, self._large(connection)).opened(record, part, content)
            if columns[1] & SEALED
            else content
        )

    def timings(self, tool: str, limit: int) -> tuple[CallTiming, ...]:
        """Return how long the newest ended calls of a tool took."""
        with self._connection() as connection:
            number = connection.execute("SELECT id FROM names WHERE name = ?", (tool,)).fetchone()
            if number is None:
                return ()
            statement = (
                f"SELECT {TIMING_COLUMNS} FROM {TABLES} WHERE calls.id IN"  # noqa: S608 -- our own names only
                " (SELECT id FROM calls INDEXED BY calls_by_kind WHERE tool = ? AND status > 2"
                " ORDER BY id DESC LIMIT ?)"
                " ORDER BY calls.id DESC"
            )
            return tuple(map(timing_of, connection.execute(statement, (*number, limit))))

    def row_ids(self, records: Sequence[str]) -> list[int]:
        """Return the numbers of those records that there are."""
        with self._connection() as connection:
            found = (_one(connection, "calls.id", record) for record in records)
            return [columns[0] for columns in found if columns is not None]

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tools and the callers of the recorded calls, each sorted."""
        with self._connection() as connection, _snapshot(connection):
            tools, callers = (
                tuple(sorted(name for (name,) in connection.execute(statement)))
                for statement in (_USED_NAMES.format("tool"), _USED_NAMES.format("caller"))
            )
        return tools, callers

    def close(self) -> None:
        """Let all connections go."""
        with self._lock:
            spare, self._spare = self._spare, []
        for _, connection in spare:
            connection.close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        # A file that was put aside or thrown away is still open in the connections to it.
        here = identity(self._path)
        connection = None
        with self._lock:
            while self._spare and connection is None:
                of, spare = self._spare.pop()
                if of == here:
                    connection = spare
                else:
                    spare.close()
        if connection is None:
            connection = connect_to_read(self._path)
        kept = False
        try:
            yield connection
            with self._lock:
                kept = len(self._spare) < _SPARE_CONNECTIONS
                if kept:
                    self._spare.append((here, connection))
        finally:
            if not kept:
                connection.close()

    def _selection(self, connection: sqlite3.Connection, query: HistoryQuery) -> Selection:
        indexed = connection.execute("SELECT 1 FROM facts WHERE name = 'index_version'").fetchone() is not None
        return Selection(query, _numbers(connection, query.tools), _numbers(connection, query.callers), indexed=indexed)

    def _ids(self, connection: sqlite3.Connection, selection: Selection, limit: int, before: int | None) -> list[int]:
        statement, values = selection.ids(limit, before)
        return [row_id for (row_id,) in connection.execute(statement, values)]

    def _rows(self, connection: sqlite3.Connection, ids: list[int]) -> list[HistoryRow]:
        chosen = ",".join("?" * len(ids))
        statement = f"SELECT {LIST_COLUMNS} FROM {TABLES} WHERE calls.id IN ({chosen}) ORDER BY calls.id DESC"  # noqa: S608
        return [list_row(columns) for columns in connection.execute(statement, ids)]

    def _count(
        self, connection: sqlite3.Connection, selection: Selection, ids: list[int], limit: int, before: int | None
    ) -> tuple[int, bool]:
        if before is None and len(ids) <= limit:
            return len(ids), True
        statement, values = selection.ids(COUNTED + 1, None)
        count = connection.execute(f"SELECT count(*) FROM ({statement})", values).fetchone()[0]  # noqa: S608
        return (COUNTED, False) if count > COUNTED else (count, True)

    def _large(self, connection: sqlite3.Connection) -> Any:
        def read(row_id: int, part: str) -> bytes | None:
            use = "SELECT digest FROM blob_uses WHERE call = ? AND part = ?"
            found = connection.execute(use, (row_id, part)).fetchone()
            return None if found is None else self._blobs.read(found[0])

        return read


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several questions see the same moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def _numbers(connection: sqlite3.Connection, names: Sequence[str]) -> list[int] | None:
    if not names:
        return None
    chosen = ",".join("?" * len(names))
    return [number for (number,) in connection.execute(f"SELECT id FROM names WHERE name IN ({chosen})", tuple(names))]  # noqa: S608


def _one(connection: sqlite3.Connection, columns: str, record: str) -> Any:
    run, _, call = record.partition("-")
    statement = f"SELECT {columns} FROM {TABLES} WHERE runs.name = ? AND calls.call = ?"  # noqa: S608
    return connection.execute(statement, (run, int(call) if call.isdecimal() else call)).fetchone()
