"""Look at databases and query them. Each database itself keeps these tools from writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_ENTRIES, say_cut, stop_if_cancelled
from tools.catalog._cells import BoundedRows
from tools.catalog._database import DatabaseSession, server_address, server_concerns
from tools.catalog._database_opening import DatabaseTarget, opened
from tools.catalog._database_schema import TableDescription, TableInfo, description_of, tables_of
from tools.catalog._formats import unique_names
from tools.catalog._paths import shown
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import security
from tools.spec import Concern, Latency, Param, PathRole, ToolExample

DatabasePath = Annotated[Path | None, Param("An SQLite or DuckDB file; or name a server in url"), PathRole()]
DatabaseUrl = Annotated[
    str | None,
    Param("A server: postgresql://user@host:5432/name or mysql://user@host:3306/name; ?sslmode=require for TLS"),
    Field(max_length=2000, json_schema_extra={"format": "uri"}),
]
Password = Annotated[str | None, Param("The password; better name the variable that holds it"), Field(max_length=1000)]
PasswordVariable = Annotated[
    str | None,
    Param("Environment variable or keyring entry that holds the password, such as PGPASSWORD"),
    # Another variable could be carried to a server of somebody else's choice.
    Field(pattern=r"^[A-Z][A-Z0-9_]*(PASSWORD|PASSWD|PWD)$"),
]
Sql = Annotated[str, Param("One SQL statement"), Field(min_length=1, max_length=100_000)]
SqlValue = str | int | float | bool | None
SqlParameters = Annotated[
    list[SqlValue] | dict[str, SqlValue],
    Param("Values: ? or :name (SQLite), ? or $name (DuckDB), $1 (PostgreSQL), %s or %(name)s (MySQL)"),
    Field(default_factory=list),
]
LimitS = Annotated[float, Param("Stop the statement after this time", unit="s"), Field(gt=0, le=600)]
MaxRows = Annotated[int, Param("Most rows returned"), Field(ge=1, le=MAX_ENTRIES)]
SECRETS: Final = ("password",)
_CATALOGUE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class TableList:
    """The tables of a database."""

    database: Annotated[str, Field(description="The database, without user and password.")]
    kind: Annotated[str, Field(description="sqlite, duckdb, postgresql or mysql.")]
    tables: Annotated[list[TableInfo], Field(description="Tables and views by schema and name.")]
    truncated: Annotated[bool, Field(description="Whether there are more than max_tables.")]


@dataclass(frozen=True, slots=True)
class QueryRows:
    """What a query returned."""

    columns: Annotated[list[str], Field(description="The columns, in order; double names are numbered.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows by column; blobs are base64 text.")]
    row_count: Annotated[int, Field(description="How many rows are in this result.")]
    truncated: Annotated[bool, Field(description="Whether there were more rows, or values were cut.")]


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How a database would run a statement."""

    kind: Annotated[str, Field(description="sqlite, duckdb, postgresql or mysql.")]
    plan: Annotated[str, Field(description="The plan as the database writes it, one step a line.")]
    measured: Annotated[bool, Field(description="Whether the statement was run to measure it.")]
    truncated: Annotated[bool, Field(description="Whether lines are missing.")]


def reading_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> Iterator[Concern]:
    """Name the server that a call connects to."""
    yield from server_concerns(arguments)


class ReadingDatabases:
    """The tools that only read databases."""

    @tool(
        keywords=("schema", "tables", "views", "sql", "sqlite", "postgres", "mysql", "duckdb", "db"),
        latency=Latency.FAST,
        read_only=True,
        open_world=True,
        timeout_s=120,
        concerns=reading_concerns,
        examples=(
            ToolExample(input={"path": "data/shop.db"}, description="The tables of an SQLite file"),
            ToolExample(input={"path": "data/shop.db", "max_tables": 5}, description="The first five"),
        ),
    )
    @security(mask_fields=SECRETS)
    def list_tables(
        self,
        *,
        path: DatabasePath = None,
        url: DatabaseUrl = None,
        password: Password = None,
        password_variable: PasswordVariable = None,
        max_tables: Annotated[int, Param("Most tables returned"), Field(ge=1, le=MAX_ENTRIES)] = 500,
        ctx: ToolContext,
    ) -> TableList:
        """List the tables and views of an SQLite, DuckDB, PostgreSQL or MySQL database, the system's left out."""
        target = DatabaseTarget(path, url, password, password_variable)
        with reading(target, ctx, _CATALOGUE_S) as session:
            found = list(islice(tables_of(session), max_tables + 1))
        if len(found) > max_tables:
            say_cut(ctx, f"{max_tables:,} tables are kept")
        return TableList(place_of(target, ctx), session.kind, found[:max_tables], len(found) > max_tables)

    @tool(
        keywords=("schema", "columns", "keys", "indexes", "sql", "structure", "db"),
        latency=Latency.FAST,
        read_only=True,
        open_world=True,
        timeout_s=120,
        concerns=reading_concerns,
        examples=(
            ToolExample(input={"table": "orders", "path": "data/shop.db"}, description="How a table is built"),
            ToolExample(
                input={"table": "order", "path": "data/shop.db"},
                description="A table that is not there",
                negative=True,
                why_bad="The table is called orders; list_tables tells.",
            ),
        ),
    )
    @security(mask_fields=SECRETS)
    def describe_table(
        self,
        table: Annotated[str, Param("The table or view"), Field(min_length=1, max_length=500)],
        *,
        schema_name: Annotated[str | None, Param("Its schema; none takes the only one with such a table")] = None,
        path: DatabasePath = None,
        url: DatabaseUrl = None,
        password: Password = None,
        password_variable: PasswordVariable = None,
        ctx: ToolContext,
    ) -> TableDescription:
        """Describe one table of a database: columns with types, primary key, foreign keys and indexes."""
        target = DatabaseTarget(path, url, password, password_variable)
        with reading(target, ctx, _CATALOGUE_S) as session:
            return description_of(session, table, schema_name, place_of(target, ctx))

    @tool(
        keywords=("sql", "select", "sqlite", "postgres", "mysql", "mariadb", "duckdb", "rows", "db"),
        latency=Latency.FAST,
        read_only=True,
        open_world=True,
        timeout_s=660,
        concerns=reading_concerns,
        examples=(
            ToolExample(
                input={"path": "data/shop.db", "sql": "SELECT count(*) AS orders FROM orders"},
                description="A count from an SQLite file",
            ),
            ToolExample(
                input={
                    "path": "data/shop.db",
                    "sql": "SELECT * FROM orders WHERE total > :least",
                    "parameters": {"least": 10},
                },
                description="A query with a parameter",
            ),
            ToolExample(
                input={"path": "data/shop.db", "sql": "DELETE FROM orders"},
                description="A statement that would change something",
                negative=True,
                why_bad="This tool only reads; change_database changes, after asking a person.",
            ),
        ),
    )
    @security(mask_fields=SECRETS)
    def query_database(
        self,
        sql: Sql,
        *,
        path: DatabasePath = None,
        url: DatabaseUrl = None,
        password: Password = None,
        password_variable: PasswordVariable = None,
        parameters: SqlParameters,
        max_rows: MaxRows = 200,
        limit_s: LimitS = 30.0,
        ctx: ToolContext,
    ) -> QueryRows:
        """Run one SQL statement that only reads, on an SQLite or DuckDB file, PostgreSQL, MySQL or MariaDB.

        The database itself refuses to write. On a server, a role that may only read is still the better choice.
        """
        with reading(DatabaseTarget(path, url, password, password_variable), ctx, limit_s) as session:
            found = session.query(sql, parameters)
            columns = unique_names(found.columns)
            kept = BoundedRows(columns, max_rows)
            for row in found.rows:
                stop_if_cancelled(ctx)
                if not kept.add(row):
                    break
        kept.say_cut(ctx)
        return QueryRows(columns, kept.rows, len(kept.rows), kept.truncated)

    @tool(
        keywords=("sql", "plan", "slow", "index", "performance", "analyze", "db"),
        latency=Latency.FAST,
        read_only=True,
        open_world=True,
        timeout_s=660,
        concerns=reading_concerns,
        examples=(
            ToolExample(
                input={"path": "data/shop.db", "sql": "SELECT * FROM orders WHERE id = 2"},
                description="Whether an index is used",
            ),
            ToolExample(
                input={"path": "data/shop.db", "sql": "SELECT count(*) FROM orders", "measure": True},
                description="With what it really took",
            ),
        ),
    )
    @security(mask_fields=SECRETS)
    def explain_query(
        self,
        sql: Sql,
        *,
        path: DatabasePath = None,
        url: DatabaseUrl = None,
        password: Password = None,
        password_variable: PasswordVariable = None,
        parameters: SqlParameters,
        measure: Annotated[bool, Param("Run the query and measure each step; not with SQLite")] = False,
        limit_s: LimitS = 30.0,
        ctx: ToolContext,
    ) -> QueryPlan:
        """Show how a database would run a query: which indexes it uses, what it expects to read and in which order."""
        with reading(DatabaseTarget(path, url, password, password_variable), ctx, limit_s) as session:
            found = session.explain(sql, parameters, measured=measure)
            lines = [_plan_line(found.columns, row) for row in islice(found.rows, MAX_PLAN_LINES + 1)]
        if len(lines) > MAX_PLAN_LINES:
            say_cut(ctx, f"{MAX_PLAN_LINES:,} lines are kept")
        return QueryPlan(session.kind, "\n".join(lines[:MAX_PLAN_LINES]), measure, len(lines) > MAX_PLAN_LINES)


MAX_PLAN_LINES: Final = 2000


def reading(target: DatabaseTarget, ctx: ToolContext, limit_s: float) -> AbstractContextManager[DatabaseSession]:
    """Open a database that cannot be written to."""
    return opened(target, ctx, writes=False, limit_s=limit_s)


def place_of(target: DatabaseTarget, ctx: ToolContext) -> str:
    """Return what a database is called, without user and password."""
    return server_address(target.url).name if target.url else shown(target.path or Path(), ctx.project_dir)


def _plan_line(columns: list[str], row: Any) -> str:
    if len(columns) == 1:
        return str(row[0])
    return ", ".join(f"{name}={value}" for name, value in zip(columns, row, strict=True) if value is not None)
