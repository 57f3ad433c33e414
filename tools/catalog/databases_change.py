"""Change databases in a transaction, and export what a query finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import counted, stop_if_cancelled
from tools.catalog._cells import BoundedRows
from tools.catalog._database import DatabaseKind, server_address, server_concerns
from tools.catalog._database_opening import DatabaseTarget, file_kind, opened
from tools.catalog._dry_runs import telling_failures
from tools.catalog._formats import unique_names
from tools.catalog._paths import need_file, shown
from tools.catalog._sqlite import statement_dry_run
from tools.catalog.databases_read import (
    SECRETS,
    DatabaseUrl,
    LimitS,
    MaxRows,
    Password,
    PasswordVariable,
    Sql,
    SqlParameters,
)
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import security
from tools.errors import ToolFailure
from tools.spec import Concern, DryRun, Latency, Param, PathRole, ToolExample

_SHOWN_SQL_CHARS: Final = 300
_ALL_ROWS: Final = "It has no WHERE: it is about every row."


@dataclass(frozen=True, slots=True)
class DatabaseChange:
    """What a statement changed."""

    changed_rows: Annotated[int | None, Field(description="How many rows were changed; null when it is not known.")]
    committed: Annotated[bool, Field(description="Whether the change was kept; false when it was rolled back.")]
    columns: Annotated[list[str], Field(description="Columns that the statement returned, as with RETURNING.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows it returned, by column.")]
    truncated: Annotated[bool, Field(description="Whether it returned more rows, or values were cut.")]


def _statement(sql: str) -> str:
    words = " ".join(sql.split())
    return words if len(words) <= _SHOWN_SQL_CHARS else words[: _SHOWN_SQL_CHARS - 1] + "…"


def _place(arguments: Mapping[str, Any], project_dir: Path) -> str:
    if arguments["path"] is not None:
        return shown(project_dir / arguments["path"], project_dir)
    return server_address(arguments["url"] or "").name


def _change_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    yield from server_concerns(arguments)
    try:
        place = _place(arguments, project_dir)
    except ToolFailure:
        place = "a database"
    yield Concern(
        "writes_database",
        "May change a database" if arguments["commit"] else "Tries a change and rolls it back",
        f"{place}: {_statement(arguments['sql'])}",
    )


@telling_failures
def _change_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what a statement would change; a server is not connected to before a person agreed."""
    path: Path | None = arguments["path"]
    sql = arguments["sql"]
    if (path is None) == (arguments["url"] is None):
        raise ToolFailure("expected path or url; a file goes in path, a server in url")
    if path is not None:
        need_file(path, project_dir)
        if file_kind(path, project_dir) is DatabaseKind.SQLITE:
            return statement_dry_run(path, sql, arguments["parameters"], project_dir)
    place = _place(arguments, project_dir)
    words = sql.lower().split()
    warnings = (_ALL_ROWS,) if words[:1] in (["update"], ["delete"]) and "where" not in words else ()
    if not arguments["commit"]:
        return DryRun(f"Try this on {place} and roll it back.", (), (_statement(sql),), 0, warnings)
    hint = "How many rows it changes is told by a call with commit=false."
    return DryRun(f"Change {place}.", (), (_statement(sql),), 0, (*warnings, hint))


class ChangingDatabases:
    """The tool that changes databases."""

    @tool(
        keywords=("sql", "insert", "update", "delete", "write", "transaction", "db"),
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=True,
        timeout_s=660,
        concerns=_change_concerns,
        dry_run=_change_dry_run,
        examples=(
            ToolExample(
                input={"path": "data/shop.db", "sql": "UPDATE orders SET total = ? WHERE id = 2", "parameters": [21.5]},
                description="One value of one row",
            ),
            ToolExample(
                input={"path": "data/shop.db", "sql": "UPDATE orders SET total = 0 WHERE id < 3", "commit": False},
                description="How many rows a change would be about; it is rolled back",
            ),
        ),
    )
    @security(mask_fields=SECRETS)
    def change_database(
        self,
        sql: Sql,
        *,
        path: Annotated[
            Path | None, Param("An SQLite or DuckDB file; or name a server in url"), PathRole(writes=True)
        ] = None,
        url: DatabaseUrl = None,
        password: Password = None,
        password_variable: PasswordVariable = None,
        parameters: SqlParameters,
        commit: Annotated[bool, Param("Keep the change; false runs it, tells the rows and rolls it back")] = True,
        max_rows: MaxRows = 200,
        limit_s: LimitS = 30.0,
        ctx: ToolContext,
    ) -> DatabaseChange:
        """Run one SQL statement that changes a database, in a transaction that is committed at the end or rolled back.

        MySQL and MariaDB commit CREATE, ALTER and DROP at once; those cannot be rolled back.
        """
        target = DatabaseTarget(path, url, password, password_variable)
        with opened(target, ctx, writes=True, limit_s=limit_s) as session:
            done = session.change(sql, parameters, kept=commit)
            columns = unique_names(done.columns)
            kept = BoundedRows(columns, max_rows)
            for row in done.rows:
                if not kept.add(row):
                    break
            stop_if_cancelled(ctx)
            if commit:
                session.commit()
        kept.say_cut(ctx)
        if done.changed_rows is not None and not commit:
            ctx.log("info", f"{counted(done.changed_rows, 'row')} would be changed; the change was rolled back")
        return DatabaseChange(done.changed_rows, commit, columns, kept.rows, kept.truncated)
