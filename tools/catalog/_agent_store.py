"""What agents keep from one call to the next, each project's apart, in the person's data folder."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

FILE: Final = "agents-memory.sqlite"
MOST_ENTRIES: Final = 5_000
"""Most entries of one kind in one project."""

_BUSY_S: Final = 10.0
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS entries (
    project TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
    extra TEXT NOT NULL DEFAULT '', changed_at TEXT NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (project, kind, name)
) WITHOUT ROWID
"""


class AgentStore:
    """Keep named texts of several kinds for a project; from any thread and any process.

    Args:
        data_dir: Says where the file lies.
    """

    def __init__(self, data_dir: Callable[[], Path], project_dir: Path) -> None:
        self._data_dir = data_dir
        self._project = sha256(str(project_dir.resolve()).encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def _opened(self, *, writes: bool) -> Iterator[sqlite3.Connection | None]:
        file = self._data_dir() / FILE
        try:
            if not writes and not file.exists():
                yield None
                return
            if writes:
                file.parent.mkdir(parents=True, exist_ok=True)
            address = file.absolute().as_uri() + ("" if writes else "?mode=ro")
            with closing(sqlite3.connect(address, timeout=_BUSY_S, uri=True)) as database, database:
                if writes:
                    database.execute(_SCHEMA)
                yield database
        except (sqlite3.Error, OSError) as error:
            raise ToolFailure(f"what agents keep cannot be {'written' if writes else 'read'}: {error}") from error

    def rows(self, kind: str) -> list[tuple[str, str, str, str]]:
        """Return name, text, extra and time of all entries of a kind, in the order they were made."""
        with self._opened(writes=False) as database:
            if database is None:
                return []
            return database.execute(
                "SELECT name, text, extra, changed_at FROM entries WHERE project = ? AND kind = ? ORDER BY place",
                (self._project, kind),
            ).fetchall()

    def put(self, kind: str, name: str, text: str, now: str, extra: str = "") -> bool:
        """Keep an entry, in the place of one of the same name; return whether there was one.

        Raises:
            ToolFailure: There are too many.
        """
        with self._opened(writes=True) as database:
            had, count, last = self._one(
                database,
                "SELECT coalesce(sum(name = ?), 0), count(*), coalesce(max(place), 0) FROM entries"
                " WHERE project = ? AND kind = ?",
                (name, self._project, kind),
            )
            if not had and count >= MOST_ENTRIES:
                raise ToolFailure(f"{MOST_ENTRIES:,} entries are kept already; forget some first")
            self._run(
                database,
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " text = excluded.text, extra = excluded.extra, changed_at = excluded.changed_at",
                [(self._project, kind, name, text, extra, now, last + 1)],
            )
            return bool(had)

    def replace_all(self, kind: str, entries: Sequence[tuple[str, str, str]], now: str) -> None:
        """Keep these entries (name, text, extra) and no others of the kind."""
        with self._opened(writes=True) as database:
            self._run(database, "DELETE FROM entries WHERE project = ? AND kind = ?", [(self._project, kind)])
            rows = [
                (self._project, kind, name, text, extra, now, place)
                for place, (name, text, extra) in enumerate(entries)
            ]
            self._run(database, "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def remove(self, kind: str, name: str) -> bool:
        """Forget an entry; return whether there was one."""
        if not any(row[0] == name for row in self.rows(kind)):
            return False
        with self._opened(writes=True) as database:
            self._run(
                database,
                "DELETE FROM entries WHERE project = ? AND kind = ? AND name = ?",
                [(self._project, kind, name)],
            )
        return True

    @staticmethod
    def _one(database: sqlite3.Connection | None, query: str, values: Sequence[Any]) -> Any:
        return None if database is None else database.execute(query, values).fetchone()

    @staticmethod
    def _run(database: sqlite3.Connection | None, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        if database is not None:
            database.executemany(statement, rows)
