"""DuckDB: database files, and statements over table files. Neither reaches the network or another file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.catalog._database import ChangeDone, DatabaseKind, Parameters, ResultRows, Watch, one_line
from tools.catalog._extras import optional
from tools.errors import ToolFailure

if TYPE_CHECKING:
    import duckdb

_MEMORY: Final = "1GB"
_FETCHED_ROWS: Final = 500
_CLOSED: Final = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "memory_limit": _MEMORY,
    # Without a folder for what has no room in memory nothing is written beside the database.
    "temp_directory": "",
}


@contextmanager
def opened(path: Path, name: str, watch: Watch, *, writes: bool) -> Iterator[DuckDbSession]:
    """Open a database file for one call.

    Args:
        name: What it is called in messages.
        watch: Stops statements.
        writes: Whether statements may change it.

    Raises:
        ToolFailure: DuckDB refuses a statement, or it was stopped.
    """
    with _connected(str(path), name, watch, read_only=not writes) as database:
        _close_off(database)
        yield DuckDbSession(database)


@contextmanager
def over_files(files: Sequence[Path], name: str, watch: Watch) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open an empty database in memory that reads some files and nothing else.

    Args:
        files: The files that it may read.
        name: What it is called in messages.
        watch: Stops statements.

    Raises:
        ToolFailure: DuckDB refuses a statement, or it was stopped.
    """
    with _connected(":memory:", name, watch, read_only=False) as database:
        database.execute("SET allowed_paths = ?", [[str(path) for path in files]])
        _close_off(database)
        yield database


def _close_off(database: duckdb.DuckDBPyConnection) -> None:
    """Keep what follows from other files, the network and these very settings."""
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


@contextmanager
def _connected(address: str, name: str, watch: Watch, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    library = optional("duckdb", "duckdb")
    try:
        with (
            closing(library.connect(address, read_only=read_only, config=_CLOSED)) as database,
            watch.stopping(database.interrupt),
        ):
            yield database
    except (library.Error, RuntimeError) as error:
        raise ToolFailure(watch.reason or f"DuckDB refuses this on {name!r}: {one_line(error)}") from error


def need_select(database: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Check that a text is one statement that only reads.

    Raises:
        ToolFailure: It is another one, or several.
    """
    statements = database.extract_statements(sql)
    if len(statements) != 1:
        raise ToolFailure(f"expected one statement, got {len(statements)}; run them one at a time")
    kind = str(statements[0].type).rpartition(".")[2]
    if kind not in {"SELECT", "EXPLAIN"}:
        raise ToolFailure(f"expected a statement that only reads, such as SELECT, got {kind}")


class DuckDbSession:
    """One open DuckDB file."""

    kind = DatabaseKind.DUCKDB

    def __init__(self, database: duckdb.DuckDBPyConnection) -> None:
        self._database = database

    def query(self, sql: str, parameters: Parameters) -> ResultRows:
        """Run a statement that only reads; the file itself is open for reading only."""
        need_select(self._database, sql)
        return rows_of(self._database, sql, parameters)

    def change(self, sql: str, parameters: Parameters, *, kept: bool) -> ChangeDone:  # noqa: ARG002 -- all can be undone
        """Run a statement in a transaction."""
        statements = self._database.extract_statements(sql)
        if len(statements) != 1:
            raise ToolFailure(f"expected one statement, got {len(statements)}; run them one at a time")
        self._database.execute("BEGIN TRANSACTION")
        columns, rows = rows_of(self._database, sql, parameters)
        found = list(rows)
        # Without RETURNING a change answers with one number.
        if columns == ["Count"] and len(found) == 1:
            return ChangeDone([], iter(()), int(found[0][0]))
        return ChangeDone(columns, iter(found), len(found) if columns else 0)

    def commit(self) -> None:
        self._database.execute("COMMIT")

    def explain(self, sql: str, parameters: Parameters, *, measured: bool) -> ResultRows:
        """Say how a statement would be run."""
        need_select(self._database, sql)
        found = rows_of(self._database, f"EXPLAIN {'ANALYZE ' if measured else ''}{sql}", parameters)
        return ResultRows(["plan"], ((line,) for row in found.rows for line in str(row[-1]).splitlines()))


def rows_of(database: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters) -> ResultRows:
    """Run a statement and return its rows as they are asked for."""
    cursor = database.execute(sql, parameters or None)
    return ResultRows([column[0] for column in cursor.description or ()], _fetched(cursor))


def _fetched(cursor: Any) -> Iterator[Any]:
    while rows := cursor.fetchmany(_FETCHED_ROWS):
        yield from rows
