"""SQL over table files, and what makes one table out of another."""

from __future__ import annotations

import math
import random
import re
import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_ENTRIES, ProgressThrottle, stop_if_cancelled
from tools.catalog._cells import BoundedRows, json_cell
from tools.catalog._database import Watch
from tools.catalog._formats import unique_names
from tools.catalog._outputs import CreateFolders, Overwrite, Target, target_dry_run
from tools.catalog._paths import need_file, shown
from tools.catalog._table_files import write_table
from tools.catalog._tables import (
    TableFormat,
    as_cell,
    as_number,
    held_rows,
    opened_table,
    ordered,
    places_of,
    table_format,
)
from tools.catalog.data_compare import FoundRows, MaxRows, Sheet, TablePath
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

_TABLE_NAME: Final = re.compile(r"[A-Za-z_]\w{0,62}")
_READERS: Final = {
    TableFormat.CSV: "read_csv",
    TableFormat.JSON: "read_json",
    TableFormat.JSON_LINES: "read_json",
    TableFormat.PARQUET: "read_parquet",
}
_MOST_PIVOTED: Final = 200


@dataclass(frozen=True, slots=True)
class FileQueryRows:
    """What an SQL statement over files found."""

    columns: Annotated[list[str], Field(description="The columns, in order; double names are numbered.")]
    types: Annotated[list[str], Field(description="Their types, as DuckDB names them.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows by column.")]
    truncated: Annotated[bool, Field(description="Whether there were more rows, or values were cut.")]


@dataclass(frozen=True, slots=True)
class ParquetColumn:
    """One column of a Parquet file."""

    name: Annotated[str, Field(description="Its name; parts of nested ones are joined by dots.")]
    type: Annotated[str, Field(description="Its type.")]
    compression: Annotated[str, Field(description="How it is compressed.")]
    compressed_bytes: Annotated[int, Field(description="What it takes in the file.")]
    minimum: Annotated[str | None, Field(description="Its smallest value, as its statistics say; null without.")]
    maximum: Annotated[str | None, Field(description="Its largest value.")]
    nulls: Annotated[int | None, Field(description="How many values are null; null without statistics.")]


@dataclass(frozen=True, slots=True)
class ParquetFacts:
    """What a Parquet file is."""

    path: Annotated[str, Field(description="The file.")]
    rows: Annotated[int, Field(description="How many rows it has.")]
    row_groups: Annotated[int, Field(description="In how many groups.")]
    created_by: Annotated[str, Field(description="What wrote it.")]
    columns: Annotated[list[ParquetColumn], Field(description="Its columns, in order.")]
    metadata: Annotated[dict[str, str], Field(description="What its makers noted by key.")]


@dataclass(frozen=True, slots=True)
class ConvertedTable:
    """A table in another file."""

    file: Annotated[MadeFile, Field(description="The file.")]
    rows: Annotated[int, Field(description="How many rows it has.")]


class TableFiles:
    """The tools for tables in files."""

    @tool(
        extra="duckdb",
        keywords=("sql", "duckdb", "csv", "parquet", "query", "join", "aggregate"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=660,
        examples=(
            ToolExample(
                input={
                    "files": {"orders": "data/orders.csv"},
                    "sql": "SELECT customer, sum(total) AS total FROM orders GROUP BY customer ORDER BY total DESC",
                },
                description="Totals by customer from a CSV file",
            ),
            ToolExample(
                input={"files": {"orders": "data/orders.csv"}, "sql": "COPY orders TO 'out.csv'"},
                description="A statement that would write",
                negative=True,
                why_bad="It only reads; convert_table writes tables.",
            ),
        ),
    )
    def query_files(
        self,
        sql: Annotated[str, Param("One SELECT in the SQL of DuckDB"), Field(min_length=1, max_length=100_000)],
        files: Annotated[
            dict[str, Annotated[Path, PathRole()]],
            Param("The files by the name that they have in the SQL: CSV, TSV, JSON, JSONL or Parquet"),
            Field(min_length=1, max_length=50),
        ],
        *,
        max_rows: MaxRows = 200,
        limit_s: Annotated[float, Param("Stop after this time", unit="s"), Field(gt=0, le=600)] = 60.0,
        ctx: ToolContext,
    ) -> FileQueryRows:
        """Run SQL over table files: join, group, filter, window. It reaches neither other files nor the network."""
        from tools.catalog._database_duckdb import need_select, over_files, rows_of  # noqa: PLC0415 -- loaded when used

        views = [self._view(name, path, ctx) for name, path in files.items()]
        name = ", ".join(shown(path, ctx.project_dir) for path in files.values())
        with over_files(list(files.values()), name, Watch(ctx, limit_s)) as database:
            for view in views:
                database.execute(view)
            need_select(database, sql)
            found = rows_of(database, sql, [])
            types = [str(column[1]) for column in database.description or ()]
            columns = unique_names(found.columns)
            kept = BoundedRows(columns, max_rows)
            for row in found.rows:
                stop_if_cancelled(ctx)
                if not kept.add(row):
                    break
        kept.say_cut(ctx)
        return FileQueryRows(columns, types, kept.rows, kept.truncated)

    def _view(self, name: str, path: Path, ctx: ToolContext) -> str:
        need_file(path, ctx.project_dir)
        reader = _READERS.get(table_format(path, ctx))
        if reader is None:
            raise ToolFailure(f"{shown(path, ctx.project_dir)!r} is a workbook; convert_table makes a CSV file of it")
        if not _TABLE_NAME.fullmatch(name):
            raise ToolFailure(f"{name!r} is no name of a table; use letters, digits and _")
        quoted = str(path).replace("'", "''")
        # A name with a wildcard would mean other files.
        if re.search(r"[*?\[\]{}]", str(path)):
            raise ToolFailure(f"{shown(path, ctx.project_dir)!r} has signs in its name that mean many files; rename it")
        return f"CREATE VIEW \"{name}\" AS SELECT * FROM {reader}('{quoted}')"  # noqa: S608 -- both are checked above

    @tool(
        extra="duckdb",
        keywords=("parquet", "metadata", "schema", "columns", "row groups"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "data/orders.parquet"}, description="What a Parquet file is"),
            ToolExample(
                input={"path": "data/orders.csv"},
                description="A file that is no Parquet",
                negative=True,
                why_bad="It is a CSV file; profile_table describes it.",
            ),
        ),
    )
    def inspect_parquet(
        self, path: Annotated[Path, Param("The Parquet file"), PathRole()], *, ctx: ToolContext
    ) -> ParquetFacts:
        """Say what a Parquet file is: rows, row groups, columns with types, compression and statistics."""
        from tools.catalog._database_duckdb import over_files, rows_of  # noqa: PLC0415 -- loaded when used

        name = shown(path, ctx.project_dir)
        need_file(path, ctx.project_dir)
        with over_files([path], name, Watch(ctx, 60)) as database:
            ((rows, groups, made),) = rows_of(database, _PARQUET_FILE, [str(path)]).rows
            columns = [ParquetColumn(*row) for row in rows_of(database, _PARQUET_COLUMNS, [str(path)]).rows]
            noted = {
                _readable(key): _readable(value)[:1000]
                for key, value in islice(rows_of(database, _PARQUET_NOTES, [str(path)]).rows, 100)
            }
        return ParquetFacts(name, int(rows), int(groups), made or "", columns, noted)

    @tool(
        keywords=("convert", "csv", "parquet", "xlsx", "json", "export", "table"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=600,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(
                input={"path": "data/orders.csv", "target": "data/orders-again.jsonl"}, description="CSV to JSON lines"
            ),
            ToolExample(
                input={"path": "data/orders.csv", "target": "data/totals.csv", "columns": ["total", "id"]},
                description="Two columns in another order",
            ),
        ),
    )
    def convert_table(
        self,
        path: TablePath,
        target: Target,
        *,
        columns: Annotated[list[str], Param("Only these columns, in this order; empty means all")] = [],  # noqa: B006
        sheet: Sheet = None,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> ConvertedTable:
        """Convert a table between CSV, TSV, JSON, JSON lines, Parquet and XLSX; the names of the files say which."""
        kind = table_format(target, ctx)
        with opened_table(path, ctx, sheet) as table:
            places = places_of(columns or table.columns, table.columns, shown(path, ctx.project_dir))
            rows = (tuple(row[place] for place in places) for row in table.rows)
            names = [table.columns[place] for place in places]
            made = write_table(target, kind, names, rows, ctx, overwrite=overwrite, create_folders=create_folders)
        return ConvertedTable(*made)

    @tool(
        keywords=("sort", "sample", "top", "rows", "filter", "order"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(
                input={"path": "data/orders.csv", "sort_by": ["-total"], "max_rows": 2}, description="The two largest"
            ),
            ToolExample(
                input={"path": "data/orders.csv", "where": {"customer": "Mira"}}, description="Rows with one value"
            ),
            ToolExample(input={"path": "data/orders.csv", "sample": 2}, description="Two rows by chance"),
        ),
    )
    def select_rows(
        self,
        path: TablePath,
        *,
        where: Annotated[dict[str, str | int | float | bool | None], Param("Values that columns must have")] = {},  # noqa: B006
        sort_by: Annotated[list[str], Param("Columns to sort by; - in front for largest first")] = [],  # noqa: B006
        sample: Annotated[
            int | None, Param("So many rows by chance, in their order"), Field(ge=1, le=MAX_ENTRIES)
        ] = None,
        seed: Annotated[int, Param("Another number chooses other rows")] = 0,
        columns: Annotated[list[str], Param("Only these columns; empty means all")] = [],  # noqa: B006
        sheet: Sheet = None,
        max_rows: MaxRows = 200,
        ctx: ToolContext,
    ) -> FoundRows:
        """Take rows of a table: those with certain values, sorted, the first of them or some by chance."""
        name = shown(path, ctx.project_dir)
        with opened_table(path, ctx, sheet) as table:
            names = table.columns
            tests = [
                (place, as_cell(value))
                for place, value in zip(places_of(list(where), names, name), where.values(), strict=True)
            ]
            rows = [
                row for row in held_rows(table, name, ctx) if all(_same(row[place], wanted) for place, wanted in tests)
            ]
        for key in reversed(sort_by):
            (place,) = places_of([key.removeprefix("-") if key not in names else key], names, name)
            _sort(rows, place, largest_first=key not in names and key.startswith("-"))
        total = len(rows)
        if sample is not None and sample < total:
            chosen = sorted(random.Random(seed).sample(range(total), sample))  # noqa: S311 -- no secret
            rows = [rows[place] for place in chosen]
        places = places_of(columns or names, names, name)
        kept = BoundedRows([names[place] for place in places], max_rows)
        for row in rows:
            if not kept.add([row[place] for place in places]):
                break
        kept.say_cut(ctx)
        return FoundRows([names[place] for place in places], kept.rows, total, kept.truncated)

    @tool(
        keywords=("pivot", "group", "aggregate", "sum", "count", "crosstab"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(
                input={"path": "data/orders.csv", "rows": ["customer"], "value": "total", "aggregate": "sum"},
                description="Totals by customer",
            ),
            ToolExample(
                input={"path": "data/orders.csv", "rows": ["paid"], "column": "customer"},
                description="How many orders of whom on which day",
            ),
        ),
    )
    def pivot_table(
        self,
        path: TablePath,
        rows: Annotated[list[str], Param("The columns to group by"), Field(min_length=1, max_length=10)],
        *,
        column: Annotated[str | None, Param("Make a column for each value of this one; none makes one column")] = None,
        value: Annotated[str | None, Param("The column that is aggregated; none counts rows")] = None,
        aggregate: Annotated[
            Literal["count", "sum", "mean", "median", "min", "max", "distinct"], Param("How values become one")
        ] = "count",
        sheet: Sheet = None,
        max_rows: MaxRows = 200,
        ctx: ToolContext,
    ) -> FoundRows:
        """Group the rows of a table and aggregate a column, optionally spread over the values of another column."""
        name = shown(path, ctx.project_dir)
        if value is None and aggregate != "count":
            raise ToolFailure(f"expected value, the column to take the {aggregate} of; got none")
        with opened_table(path, ctx, sheet) as table:
            keys = places_of(rows, table.columns, name)
            (spread,) = places_of([column], table.columns, name) if column else (None,)
            (place,) = places_of([value], table.columns, name) if value else (None,)
            groups = _grouped(table.rows, keys, spread, place, ctx)
        titles = sorted({title for cells in groups.values() for title in cells}, key=ordered) if column else [None]
        if len(titles) > _MOST_PIVOTED:
            raise ToolFailure(f"{column!r} has {len(titles):,} values; at most {_MOST_PIVOTED} columns are made")
        heads = [as_cell(title) or "empty" for title in titles] if column else [_head(value, aggregate)]
        columns = unique_names([*rows, *heads])
        kept = BoundedRows(columns, max_rows)
        for key in sorted(groups, key=lambda key: [ordered(part) for part in key]):
            cells = groups[key]
            kept.add([*key, *(_aggregated(cells.get(title, []), aggregate, value) for title in titles)])
        kept.say_cut(ctx)
        return FoundRows(columns, kept.rows, len(groups), kept.truncated)


_PARQUET_FILE: Final = "SELECT num_rows, num_row_groups, created_by FROM parquet_file_metadata(?)"
_PARQUET_NOTES: Final = "SELECT key, value FROM parquet_kv_metadata(?)"
_PARQUET_COLUMNS: Final = """
    SELECT replace(path_in_schema, ', ', '.'), any_value(type), any_value(compression),
           sum(total_compressed_size)::BIGINT, min(stats_min_value), max(stats_max_value), sum(stats_null_count)::BIGINT
    FROM parquet_metadata(?) GROUP BY path_in_schema, column_id ORDER BY column_id LIMIT 1000"""


def _readable(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _same(value: Any, wanted: str) -> bool:
    number = as_number(value)
    if number is not None and math.isfinite(number):
        try:
            return number == float(wanted)
        except ValueError:
            return False
    return as_cell(value) == wanted


def _sort(rows: list[Any], place: int, *, largest_first: bool) -> None:
    filled = [row for row in rows if row[place] is not None]
    empty = [row for row in rows if row[place] is None]
    filled.sort(key=lambda row: ordered(row[place]), reverse=largest_first)
    # What is empty comes last either way.
    rows[:] = filled + empty


def _grouped(
    rows: Iterable[Any], keys: list[int], spread: int | None, place: int | None, ctx: ToolContext
) -> dict[tuple[Any, ...], dict[Any, list[Any]]]:
    groups: dict[tuple[Any, ...], dict[Any, list[Any]]] = {}
    pace = ProgressThrottle(ctx)
    for row in rows:
        pace.step()
        key = tuple(json_cell(row[index]) if isinstance(row[index], list | dict) else row[index] for index in keys)
        title = None if spread is None else row[spread]
        groups.setdefault(tuple(map(_hashable, key)), {}).setdefault(_hashable(title), []).append(
            1 if place is None else row[place]
        )
    return groups


def _hashable(value: Any) -> Any:
    return as_cell(value) if isinstance(value, list | dict | tuple) else value


def _head(value: str | None, aggregate: str) -> str:
    return "count" if value is None else f"{aggregate} of {value}"


def _aggregated(values: list[Any], aggregate: str, column: str | None) -> Any:
    filled = [value for value in values if value is not None]
    if aggregate == "count":
        return len(filled)
    if aggregate == "distinct":
        return len(set(map(_hashable, filled)))
    if not filled:
        return None
    if aggregate in {"min", "max"}:
        return (min if aggregate == "min" else max)(filled, key=ordered)
    numbers = list(_numbers(filled, column, aggregate))
    if aggregate == "sum":
        return math.fsum(numbers)
    return statistics.fmean(numbers) if aggregate == "mean" else statistics.median(numbers)


def _numbers(values: list[Any], column: str | None, aggregate: str) -> Iterator[float]:
    for value in values:
        number = as_number(value)
        if number is None:
            raise ToolFailure(f"{column!r} holds {as_cell(value)[:50]!r}, of which no {aggregate} can be made")
        yield number
