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
    from tools.history.blobs import Blob, BlobFolder
    from tools.history.encoding import Definition, Row

_COLUMNS: Final = (
    "id, run, call, tool, definition, caller, status, elapsed_us, shape, times, flags, arguments, result, error, extra"
)
_WIDTH: Final = 15
_TAKEN: Final = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID, sqlite3.SQLITE_CONSTRAINT_UNIQUE}
)
"""What an id that is taken is called; another number helps against nothing else."""
_UPDATE: Final = """
UPDATE calls SET status = ?, elapsed_us = ?, shape = ?, times = ?, flags = ?, arguments = ?, result = ?, error = ?,
    extra = ?
WHERE id = ?
"""
MOST_REMEMBERED: Final = 10_000
"""How many names, moments and the like are kept at hand."""


class Kind(NamedTuple):
    """What many calls share.

    Attributes:
        tool: The number of the tool's name.
        definition: The number of its definition.
        caller: The number of the caller's name.
        beginning: What the index has of such a call before its own words: who called what, and how it ended.
    """

    tool: int
    definition: int
    caller: int
    beginning: str


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
        self._kinds: dict[tuple[str, Definition, str, int], Kind] = {}
        self._shapes: dict[str, int] = {}
        self._moments: set[int] = set()
        self._earlier_moments: set[int] = set()

    def forget_numbers(self) -> None:
        """Look names up anew: the transaction that made their numbers was rolled back."""
        self._kinds.clear()
        self._shapes.clear()

    def row_id(self, proposed_us: int) -> int:
        """Return an id that no other row of this run has."""
        while proposed_us in self._moments or proposed_us in self._earlier_moments:
            proposed_us += 1
        self._moments.add(proposed_us)
        if len(self._moments) > MOST_REMEMBERED:
            self._moments, self._earlier_moments = set(), self._moments
        return (proposed_us << RUN_BITS) | self._slot

    def write(self, rows: Iterable[Row]) -> tuple[list[int], list[tuple[int, str]]]:
        """Insert new rows and change known ones.

        Returns:
            The id of each row, in order, and the texts to index.

        Raises:
            sqlite3.IntegrityError: When an id is taken; then each row must be written by itself.
        """
        new: list[tuple[Any, ...]] = []
        changed: list[tuple[Any, ...]] = []
        texts: list[tuple[int, str]] = []
        ids: list[int] = []
        kinds, shapes, run = self._kinds, self._shapes, self._run
        for row in rows:
            (call, tool, definition, caller, proposed_us, row_id, final, status, elapsed_us, shape_text, times, flags,
             arguments, result, error, extra, more_words, blobs) = row  # fmt: skip
            known = bool(row_id)
            row_id = row_id or self.row_id(proposed_us)
            ids.append(row_id)
            kind = kinds.get((tool, definition, caller, status)) or self._kind(row)
            shape = None if shape_text is None else shapes.get(shape_text) or self._shape(shape_text)
            if known:
                changed.append((status, elapsed_us, shape, times, flags, arguments, result, error, extra, row_id))
            else:
                new.append((row_id, run, call, kind.tool, kind.definition, kind.caller, status, elapsed_us, shape,
                            times, flags, arguments, result, error, extra))  # fmt: skip
            if final:
                texts.append((row_id, indexed_text(kind.beginning, arguments, result, error, more_words)))
            if blobs:
                self._write_blobs(row_id, blobs)
        self._insert(new)
        if changed:
            self._connection.executemany(_UPDATE, changed)
        return ids, texts

    def write_one(self, row: Row) -> tuple[list[int], list[tuple[int, str]]]:
        """Do as `write` for one row, under another number where its own is taken."""
        number = 1
        while True:
            try:
                return self.write([row])
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorcode not in _TAKEN:
                    raise
                # Another program proposed a call in the same microsecond, or two executors count their calls alike.
                number += 1
                taken = "SELECT 1 FROM calls WHERE run = ? AND call = ?"
                if self._connection.execute(taken, (self._run, row.call)).fetchone():
                    row = row._replace(call=f"{str(row.call).partition('.')[0]}.{number}")
                else:
                    row = row._replace(proposed_us=row.proposed_us + 1)

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

    def _write_blobs(self, row_id: int, blobs: tuple[tuple[str, Blob], ...]) -> None:
        for part, blob in blobs:
            # Within the transaction, so that nobody collects the file between its writing and its first use.
            stored_bytes = self._blobs.write(blob)
            self._connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (blob.digest, stored_bytes))
            self._connection.execute("INSERT OR REPLACE INTO blob_uses VALUES (?, ?, ?)", (row_id, part, blob.digest))

    def _kind(self, row: Row) -> Kind:
        """Return the numbers of a kind of calls that was not met before."""
        tool, caller = _storable(row.tool), _storable(row.caller)
        tool_number = self._number("names", "name", (tool,))
        caller_number = self._number("names", "name", (caller,))
        definition = self._number("definitions", "version, digest, source", tuple(map(_storable, row.definition)))
        beginning = f"{marks_of(tool_number, caller_number, row.status)} {parts_of_name(tool)} {caller}"
        kind = Kind(tool_number, definition, caller_number, beginning)
        self._make_room()
        self._kinds[row.tool, row.definition, row.caller, row.status] = kind
        return kind

    def _shape(self, shape: str) -> int:
        """Return the number of a trace's shape that was not met before."""
        number = self._number("shapes", "shape", (shape,))
        self._make_room()
        self._shapes[shape] = number
        return number

    def _make_room(self) -> None:
        if len(self._kinds) + len(self._shapes) >= MOST_REMEMBERED:
            self.forget_numbers()

    def _number(self, table: str, columns: str, values: tuple[str, ...]) -> int:
        marks = ",".join("?" * len(values))
        found = f"SELECT id FROM {table} WHERE ({columns}) = ({marks})"  # noqa: S608 -- no text of others
        self._connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", values)  # noqa: S608
        number: int = self._connection.execute(found, values).fetchone()[0]
        return number


def _storable(text: str) -> str:
    """Return a text without the lone surrogates that UTF-8 does not know."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
