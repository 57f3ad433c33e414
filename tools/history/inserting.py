"""Rows into tables: many with one statement, names as numbers."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.history.encoding import RUN_BITS
from tools.history.index import groups, marks_of, placeholders
from tools.history.words import indexed_text, parts_of_name

if TYPE_CHECKING:
    from tools.history.blobs import BlobFolder
    from tools.history.encoding import Definition, Row

_COLUMNS: Final = (
    "id, run, call, tool, definition, caller, status, isolation, elapsed_us, waited_us, running_us, attempts, flags,"
    " arguments, result, error, steps, extra"
)
_WIDTH: Final = 18
_UPDATE: Final = """
UPDATE calls SET status = ?, isolation = ?, elapsed_us = ?, waited_us = ?, running_us = ?, attempts = ?, flags = ?,
    arguments = ?, result = ?, error = ?, steps = ?, extra = ?
WHERE id = ?
"""
REMEMBERED_MOMENTS: Final = 4_096


class Item(NamedTuple):
    """A row on its way into the table.

    Attributes:
        row: The row.
        proposed_us: When the call was proposed, in microseconds since the epoch.
        row_id: The row's id when the call has one; 0 when it is new.
        final: Whether the call ended.
    """

    row: Row
    proposed_us: int
    row_id: int
    final: bool


class Inserter:
    """Write rows through one connection, within transactions that somebody else begins and ends.

    Args:
        connection: The writer's.
        run: The run's number.
        slot: What tells this run's ids from those of others.
        blobs: Where large contents go.
    """

    def __init__(self, connection: sqlite3.Connection, run: int, slot: int, blobs: BlobFolder) -> None:
        self._connection = connection
        self._run = run
        self._slot = slot
        self._blobs = blobs
        self._names: dict[str, tuple[int, str, str]] = {}
        self._definitions: dict[Definition, int] = {}
        self._moments: dict[int, None] = {}

    def forget_numbers(self) -> None:
        """Look names up anew: the transaction that made their numbers was rolled back."""
        self._names.clear()
        self._definitions.clear()

    def row_id(self, proposed_us: int) -> int:
        """Return an id that no other row of this run has."""
        moments = self._moments
        while proposed_us in moments:
            proposed_us += 1
        moments[proposed_us] = None
        if len(moments) > REMEMBERED_MOMENTS:
            del moments[next(iter(moments))]
        return (proposed_us << RUN_BITS) | self._slot

    def write(self, items: Iterable[Item]) -> tuple[list[int], list[tuple[int, str]]]:
        """Insert new rows and change known ones.

        Returns:
            The id of each row, in order, and the texts to index.

        Raises:
            sqlite3.IntegrityError: When an id is taken; then each row must be written by itself.
        """
        new: list[Any] = []
        changed: list[tuple[Any, ...]] = []
        texts: list[tuple[int, str]] = []
        ids: list[int] = []
        for row, proposed_us, known_id, final in items:
            row_id = known_id or self.row_id(proposed_us)
            ids.append(row_id)
            tool, _, tool_words = self._name(row.tool)
            caller, caller_words, _ = self._name(row.caller)
            if known_id:
                changed.append((*row[4:16], row_id))
            else:
                definition = self._definition(row.definition)
                new.append((row_id, self._run, row.call, tool, definition, caller, *row[4:16]))
            if final:
                marks = marks_of(tool, caller, row.status)
                names = f"{tool_words} {caller_words}"
                text = indexed_text(marks, names, row.arguments, row.result, row.error, row.more_words)
                texts.append((row_id, text))
            if row.blobs:
                self._write_blobs(row_id, row)
        self._insert(new)
        if changed:
            self._connection.executemany(_UPDATE, changed)
        return ids, texts

    def write_one(self, item: Item) -> tuple[list[int], list[tuple[int, str]]]:
        """Do as `write` for one row, under another number where its own is taken."""
        number = 1
        while True:
            try:
                return self.write([item])
            except sqlite3.IntegrityError:
                # Another program proposed a call in the same microsecond, or two executors count their calls alike.
                number += 1
                taken = "SELECT 1 FROM calls WHERE run = ? AND call = ?"
                if self._connection.execute(taken, (self._run, item.row.call)).fetchone():
                    plain = str(item.row.call).partition(".")[0]
                    item = item._replace(row=item.row._replace(call=f"{plain}.{number}"))
                else:
                    item = item._replace(proposed_us=item.proposed_us + 1)

    def note_unindexed(self, ids: Sequence[int]) -> None:
        """Remember ended calls that are not in the index yet, for the case that the program ends before they are."""
        packed = array("q", ids).tobytes()
        self._connection.execute("INSERT INTO unindexed (run, ids) VALUES (?, ?)", (self._run, packed))

    def _insert(self, rows: list[Any]) -> None:
        rows.sort()
        for group in groups(rows):
            values = [value for row in group for value in row]
            into = f"INSERT INTO calls ({_COLUMNS}) VALUES {placeholders(_WIDTH, len(group))}"  # noqa: S608 -- no text of others
            self._connection.execute(into, values)

    def _write_blobs(self, row_id: int, row: Row) -> None:
        for part, blob in row.blobs:
            # Within the transaction, so that nobody collects the file between its writing and its first use.
            stored_bytes = self._blobs.write(blob)
            self._connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (blob.digest, stored_bytes))
            self._connection.execute("INSERT OR REPLACE INTO blob_uses VALUES (?, ?, ?)", (row_id, part, blob.digest))

    def _name(self, name: str) -> tuple[int, str, str]:
        known = self._names.get(name)
        if known is None:
            stored = name if name.isascii() else name.encode("utf-8", "backslashreplace").decode()
            number = self._number("names", "name", (stored,))
            known = self._names[name] = (number, stored, parts_of_name(stored))
        return known

    def _definition(self, definition: Definition) -> int:
        known = self._definitions.get(definition)
        if known is None:
            stored = tuple(text.encode("utf-8", "backslashreplace").decode() for text in definition)
            known = self._number("definitions", "version, digest, source", stored)
            self._definitions[definition] = known
        return known

    def _number(self, table: str, columns: str, values: tuple[str, ...]) -> int:
        marks = ",".join("?" * len(values))
        found = f"SELECT id FROM {table} WHERE ({columns}) = ({marks})"  # noqa: S608 -- no text of others
        self._connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", values)  # noqa: S608
        number: int = self._connection.execute(found, values).fetchone()[0]
        return number
