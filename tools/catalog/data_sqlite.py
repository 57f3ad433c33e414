"""Query SQLite databases, read-only unless a person agrees to more."""

from __future__ import annotations

import base64
import math
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_CELL_CHARS, MAX_CHARS, MAX_ENTRIES, counted, say_cut
from tools.catalog._formats import unique_names
from tools.catalog._paths import need_file, shown
from tools.catalog._sqlite import SqliteGuard, statement_dry_run
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Concern, Latency, Param, PathRole, ToolExample

_LOOK_EVERY_STEPS: Final = 5000
_SHOWN_SQL_CHARS: Final = 300
_LOCK_WAIT_S: Final = 5.0
_PRIMARY_CODE: Final = 0xFF
_READ_ONLY: Final = "the statement would change the database; set allow_writes=true, which asks a person first"
_LARGEST_VALUE_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SqlResult:
    """What an SQL statement returned."""

    columns: Annotated[list[str], Field(description="The columns, in order; double names are numbered.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows by column; blobs are base64 text.")]
    row_count: Annotated[int, Field(description="How many rows are in this result.")]
    changed_rows: Annotated[int | None, Field(description="How many rows were changed; null when only reading.")]
    truncated: Annotated[bool, Field(description="Whether there were more rows, or values were cut.")]


def write_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    """Say which statement may change which database."""
    if arguments["allow_writes"]:
        statement = " ".join(arguments["sql"].split())
        if len(statement) > _SHOWN_SQL_CHARS:
            statement = statement[: _SHOWN_SQL_CHARS - 1] + "…"
        where = shown(project_dir / arguments["path"], project_dir)
        yield Concern("writes_database", "May change a database", f"{where}: {statement}")


class SqliteDatabases:
    """The tool for SQLite databases."""

    @tool(
        keywords=("sql", "database", "select", "table", "db"),
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        open_world=False,
        timeout_s=600,
        concerns=write_concerns,
        dry_run=statement_dry_run,
        examples=(
            ToolExample(
                input={"path": "data/shop.db", "sql": "SELECT name, type FROM sqlite_master ORDER BY name"},
                description="What the database holds",
            ),
            ToolExample(
                input={
                    "path": "data/shop.db",
                    "sql": "SELECT * FROM orders WHERE total > :least",
                    "parameters": {"least": 10},
                },
                description="A query with a parameter",
            ),
        ),
    )
    def query_sqlite(
        self,
        path: Annotated[Path, Param("The database file"), PathRole()],
        sql: Annotated[str, Param("One SQL statement"), Field(min_length=1, max_length=100_000)],
        *,
        parameters: Annotated[
            list[str | int | float | bool | None] | dict[str, str | int | float | bool | None],
            Param("Values for ? (a list) or :name (an object)"),
            Field(default_factory=list),
        ],
        max_rows: Annotated[int, Param("Most rows returned"), Field(ge=1, le=MAX_ENTRIES)] = 200,
        allow_writes: Annotated[bool, Param("Let the statement change the database; asks first")] = False,
        limit_s: Annotated[float, Param("Stop after this time", unit="s"), Field(gt=0, le=600)] = 30.0,
        ctx: ToolContext,
    ) -> SqlResult:
        """Run one SQL statement on an SQLite database. It can only read unless allow_writes is set."""
        need_file(path, ctx.project_dir)
        watch = _Watch(ctx, limit_s)
        guard = SqliteGuard(allow_writes=allow_writes)
        mode = "rw" if allow_writes else "ro"
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=_LOCK_WAIT_S)) as database:
                database.text_factory = _text
                database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE_BYTES)
                if not allow_writes:
                    database.execute("PRAGMA query_only = ON")
                database.set_authorizer(guard)
                database.set_progress_handler(watch, _LOOK_EVERY_STEPS)
                return _run(database, (sql, parameters), max_rows, ctx, writes=allow_writes)
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            refused = watch.reason or guard.reason
            if not refused and getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE == sqlite3.SQLITE_READONLY:
                refused = _READ_ONLY
            message = refused or f"SQLite refuses this on {shown(path, ctx.project_dir)!r}: {error}"
            raise ToolFailure(message) from error


class _Watch:
    """Stop a statement whose time is over or whose call was cancelled.

    Attributes:
        reason: Why it was stopped; empty when it was not.
    """

    def __init__(self, ctx: ToolContext, limit_s: float) -> None:
        self.reason = ""
        self._ctx = ctx
        self._limit_s = limit_s
        self._deadline = monotonic() + limit_s

    def __call__(self) -> int:
        """Return 1 to stop the statement, 0 to go on."""
        if self._ctx.cancelled:
            self.reason = "the statement was stopped, because the call was cancelled"
        elif monotonic() > self._deadline:
            self.reason = f"the statement was stopped after {self._limit_s:g} s; make it simpler or raise limit_s"
        return int(bool(self.reason))


def _run(
    database: sqlite3.Connection, statement: tuple[str, Any], max_rows: int, ctx: ToolContext, *, writes: bool
) -> SqlResult:
    cursor = database.execute(*statement)
    columns = unique_names(column[0] for column in cursor.description or ())
    rows: list[dict[str, JsonValue]] = []
    room = MAX_CHARS
    truncated = False
    for row in cursor:
        if len(rows) < max_rows and room >= 0:
            values = [_value(value) for value in row]
            room -= sum(len(value) if isinstance(value, str) else 8 for value in values)
            truncated = truncated or any(_is_cut(value) for value in row)
            rows.append(dict(zip(columns, values, strict=True)))
            continue
        truncated = True
        # A changing statement has to run to its end, only its further rows are not kept.
        if not writes:
            break
    if writes:
        database.commit()
    if truncated:
        say_cut(ctx, f"{counted(len(rows), 'row')} and at most {MAX_CELL_CHARS:,} characters of each value are kept")
    return SqlResult(columns, rows, len(rows), database.total_changes if writes else None, truncated)


def _text(value: bytes) -> str:
    return value.decode(errors="replace")


def _is_cut(value: Any) -> bool:
    return isinstance(value, str | bytes) and len(value) > MAX_CELL_CHARS


def _value(value: Any) -> JsonValue:
    if isinstance(value, bytes):
        return base64.b64encode(value[:MAX_CELL_CHARS]).decode()
    if isinstance(value, str):
        return value if len(value) <= MAX_CELL_CHARS else value[:MAX_CELL_CHARS] + "…"
    # JSON has no infinity.
    return str(value) if isinstance(value, float) and math.isinf(value) else value
