"""Rows into tables: many with one statement, names as numbers."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.history.encoding import OPEN_STATUSES, RUN_BITS, STATUS, Row
from tools.history.index import in_order, insert, marks_of
from tools.history.keys import key_of
from tools.history.second_version import NO_SHAPE
from tools.history.words import parts_of_name

if TYPE_CHECKING:
    from tools.history.blobs import Blob, BlobFolder
    from tools.history.encoding import Fields, Kind

_NEW: Final = "INSERT INTO calls (id, key, kind, body) VALUES "
_ROW: Final = "(?, ?, ?, ?)"
_WIDTH: Final = 4
_RUNNING: Final = "UPDATE calls SET running = ? WHERE id = ?"
_TAKEN: Final = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID, sqlite3.SQLITE_CONSTRAINT_UNIQUE}
)
"""What an id that is taken is called; another number helps against nothing else."""
_UPDATE: Final = "UPDATE calls SET kind = ?, body = ?, running = ? WHERE id = ?"
MOST_REMEMBERED: Final = 10_000
"""How many names, moments and the like are kept at hand."""


class Numbered(NamedTuple):
    """A kind of calls as the tables have it.

    Attributes:
        kind: What the calls share.
        number: Its number.
        beginning: What the index has of such a call before its own words: who called what, and how it ended.
    """

    kind: Kind
    number: int
    beginning: bytearray


class Written(NamedTuple):
    """What came of rows.

    Attributes:
        ids: The id of each, in order.
        texts: What the index gets: an id of an ended call, then its text, and so on.
    """

    ids: list[int]
    texts: list[Any]


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
        # By identity: the encoder gives equal kinds as one object, and to compare them would cost each call more.
        self._kinds: dict[int, Numbered] = {}
        self._moments: set[int] = set()
        self._earlier_moments: set[int] = set()

    def forget_numbers(self) -> None:
        """Look names up anew: the transaction that made their numbers was rolled back."""
        self._kinds.clear()

    def row_id(self, proposed_us: int) -> int:
        """Return an id that no other row of this run has."""
        while proposed_us in self._moments or proposed_us in self._earlier_moments:
            proposed_us += 1
        self._moments.add(proposed_us)
        if len(self._moments) > MOST_REMEMBERED:
            self._moments, self._earlier_moments = set(), self._moments
        return (proposed_us << RUN_BITS) | self._slot

    def write(self, rows: Iterable[Fields]) -> Written:
        """Insert new rows and change known ones.

        Raises:
            sqlite3.IntegrityError: When an id is taken; then each row must be written by itself.
        """
        new: list[Any] = []
        changed: list[tuple[Any, ...]] = []
        running: list[tuple[int, int]] = []
        texts: list[Any] = []
        ids: list[int] = []
        run, numbers = self._run, self._kinds
        for call, kind, proposed_us, known_id, final, body, words, blobs in rows:
            row_id = known_id or self.row_id(proposed_us)
            ids.append(row_id)
            numbered = numbers.get(id(kind)) or self._numbered(kind)
            is_open = not final and kind[STATUS] < OPEN_STATUSES
            if known_id:
                changed.append((numbered.number, body, run if is_open else None, row_id))
            else:
                new += row_id, key_of(run, call), numbered.number, bytearray(body)
                if is_open:
                    running.append((run, row_id))
            if final:
                texts += row_id, numbered.beginning + (body.partition(b"\0")[0] if words is None else words)
            if blobs:
                self._write_blobs(row_id, blobs)
        insert(self._connection, _NEW, _ROW, in_order(new, _WIDTH))
        self._connection.executemany(_RUNNING, running)
        self._connection.executemany(_UPDATE, changed)
        return Written(ids, texts)

    def write_one(self, fields: Fields) -> Written:
        """Do as `write` for one row, under another number where its own is taken."""
        row = Row._make(fields)
        number = 1
        while True:
            try:
                return self.write([row])
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorcode not in _TAKEN:
                    raise
                # Another program proposed a call in the same microsecond, or two executors count their calls alike.
                number += 1
                taken = "SELECT 1 FROM calls WHERE key = ?"
                if self._connection.execute(taken, (key_of(self._run, row.call),)).fetchone():
                    row = row._replace(call=f"{str(row.call).partition('.')[0]}.{number}")
                else:
                    row = row._replace(proposed_us=row.proposed_us + 1)

    def note_unindexed(self, ids: Sequence[int]) -> None:
        """Remember ended calls that are not in the index yet, for the case that the program ends before they are."""
        packed = array("q", ids).tobytes()
        self._connection.execute("INSERT INTO unindexed (run, ids) VALUES (?, ?)", (self._run, packed))

    def _write_blobs(self, row_id: int, blobs: tuple[tuple[str, Blob], ...]) -> None:
        for part, blob in blobs:
            # Within the transaction, so that nobody collects the file between its writing and its first use.
            stored_bytes = self._blobs.write(blob)
            self._connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (blob.digest, stored_bytes))
            self._connection.execute("INSERT OR REPLACE INTO blob_uses VALUES (?, ?, ?)", (row_id, part, blob.digest))

    def _numbered(self, kind: Kind) -> Numbered:
        """Return the number of a kind that was not met before."""
        tool, definition, caller, status, flags, shape = kind
        tool, caller = _storable(tool), _storable(caller)
        tool_number = self._number("names", "name", (tool,))
        caller_number = self._number("names", "name", (caller,))
        definition_number = self._number("definitions", "version, digest, source", tuple(map(_storable, definition)))
        shape_number = NO_SHAPE if shape is None else self._number("shapes", "shape", (shape,))
        columns = tool_number, definition_number, caller_number, status, flags, shape_number
        number = self._number("kinds", "tool, definition, caller, status, flags, shape", columns)
        beginning = bytearray(
            f"{marks_of(tool_number, caller_number, status, flags)} {parts_of_name(tool)} {caller} ".encode()
        )
        if len(self._kinds) >= MOST_REMEMBERED:
            self.forget_numbers()
        # It holds the kind, so that no other object takes over its identity.
        numbered = self._kinds[id(kind)] = Numbered(kind, number, beginning)
        return numbered

    def _number(self, table: str, columns: str, values: tuple[str | int, ...]) -> int:
        marks = ",".join("?" * len(values))
        found = f"SELECT id FROM {table} WHERE ({columns}) = ({marks})"  # noqa: S608 -- no text of others
        self._connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", values)  # noqa: S608
        number: int = self._connection.execute(found, values).fetchone()[0]
        return number


def _storable(text: str) -> str:
    """Return a text without the lone surrogates that UTF-8 does not know."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
