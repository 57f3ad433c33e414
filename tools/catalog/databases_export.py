"""Export what a query finds into a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tools.catalog._database import server_concerns
from tools.catalog._database_opening import DatabaseTarget
from tools.catalog._dry_runs import telling_failures
from tools.catalog._formats import unique_names
from tools.catalog._outputs import CreateFolders, Overwrite, Target, target_told
from tools.catalog._table_files import write_table
from tools.catalog._tables import table_format
from tools.catalog.databases_read import (
    SECRETS,
    DatabasePath,
    DatabaseUrl,
    LimitS,
    Password,
    PasswordVariable,
    Sql,
    SqlParameters,
    reading,
)
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import security
from tools.spec import Concern, DryRun, Latency, ToolExample


@dataclass(frozen=True, slots=True)
class ExportedRows:
    """What was exported."""

    file: Annotated[MadeFile, Field(description="The file.")]
    columns: Annotated[list[str], Field(description="Its columns, in order.")]
    rows: Annotated[int, Field(description="How many rows it has.")]


def _export_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    yield from server_concerns(arguments)
    yield from overwrite_concerns(arguments, project_dir)


@telling_failures
def _export_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which file would be written; the query is not run."""
    return target_told({**arguments, "path": None}, project_dir)


class ExportingDatabases:
    """The tool that exports query results."""

    @tool(
        keywords=("sql", "export", "csv", "parquet", "dump", "save", "db"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=True,
        timeout_s=660,
        concerns=_export_concerns,
        dry_run=_export_dry_run,
        examples=(
            ToolExample(
                input={"path": "data/shop.db", "sql": "SELECT id, total FROM orders", "target": "data/totals.csv"},
                description="Two columns of an SQLite file as CSV",
            ),
            ToolExample(
                input={"path": "data/shop.db", "sql": "SELECT * FROM orders", "target": "data/orders.json"},
                description="All orders as JSON",
            ),
        ),
    )
    @security(mask_fields=SECRETS)
    def export_query(
        self,
        sql: Sql,
        target: Target,
        *,
        path: DatabasePath = None,
        url: DatabaseUrl = None,
        password: Password = None,
        password_variable: PasswordVariable = None,
        parameters: SqlParameters,
        limit_s: LimitS = 300.0,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> ExportedRows:
        """Write all rows that a query finds into a CSV, JSON, JSON lines, Parquet or XLSX file, by its name."""
        kind = table_format(target, ctx)
        with reading(DatabaseTarget(path, url, password, password_variable), ctx, limit_s) as session:
            found = session.query(sql, parameters)
            columns = unique_names(found.columns)
            file, rows = write_table(
                target, kind, columns, found.rows, ctx, overwrite=overwrite, create_folders=create_folders
            )
        return ExportedRows(file, columns, rows)
