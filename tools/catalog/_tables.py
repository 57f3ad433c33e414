"""Tables in files of several formats, row by row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.catalog._bounds import ProgressThrottle, counted
from tools.catalog._database import Watch
from tools.catalog._documents import document, file_encoding
from tools.catalog._formats import cell_value, json_text, parse_json, unique_names
from tools.catalog._paths import need_file, refusals, shown
from tools.catalog.data_tables import opened_csv
from tools.catalog.documents_excel import reading_xlsx, sheet_of, sheet_rows
from tools.context import ToolContext
from tools.errors import ToolFailure

MAX_HELD_ROWS: Final = 500_000
"""Most rows of a table that is held as a whole, as for a join."""

_MOST_COLUMNS: Final = 1000
_LONGEST_LINE_CHARS: Final = 10_000_000
_READ_S: Final = 300.0


class TableFormat(StrEnum):
    """How a table is kept in a file."""

    CSV = "csv"
    JSON = "json"
    JSON_LINES = "jsonl"
    PARQUET = "parquet"
    XLSX = "xlsx"


TABLE_SUFFIXES: Final = {
    ".csv": TableFormat.CSV,
    ".tsv": TableFormat.CSV,
    ".json": TableFormat.JSON,
    ".jsonl": TableFormat.JSON_LINES,
    ".ndjson": TableFormat.JSON_LINES,
    ".parquet": TableFormat.PARQUET,
    ".xlsx": TableFormat.XLSX,
}


class TableRows(NamedTuple):
    """An open table.

    Attributes:
        columns: The names of its columns, none twice.
        rows: Its rows, each with as many values as there are columns, read as they are asked for.
    """

    columns: list[str]
    rows: Iterator[Any]


def table_format(path: Path, ctx: ToolContext) -> TableFormat:
    """Return how a table is kept, by the name of its file.

    Raises:
        ToolFailure: The name does not say.
    """
    found = TABLE_SUFFIXES.get(path.suffix.lower())
    if found is None:
        known = ", ".join(TABLE_SUFFIXES)
        raise ToolFailure(f"expected a table ({known}), got {shown(path, ctx.project_dir)!r}")
    return found


@contextmanager
def opened_table(path: Path, ctx: ToolContext, sheet: str | None = None) -> Iterator[TableRows]:
    """Open a table. Numbers are int or Decimal or float, empty cells None.

    Args:
        ctx: The running call.
        sheet: The sheet of a workbook; None takes the first.

    Raises:
        ToolFailure: It is missing, damaged or no table, or the call was cancelled.
    """
    kind = table_format(path, ctx)
    need_file(path, ctx.project_dir)
    if kind is TableFormat.CSV:
        with opened_csv(path, ctx) as found:
            yield TableRows(found.columns, (tuple(map(cell_value, row)) for row in found))
    elif kind is TableFormat.PARQUET:
        from tools.catalog._database_duckdb import over_files, rows_of  # noqa: PLC0415 -- few tables need it

        with over_files([path], shown(path, ctx.project_dir), Watch(ctx, _READ_S)) as database:
            found_rows = rows_of(database, "SELECT * FROM read_parquet(?)", [str(path)])
            yield TableRows(unique_names(found_rows.columns), found_rows.rows)
    elif kind is TableFormat.XLSX:
        with reading_xlsx(path, ctx, read_only=True, data_only=True) as workbook:
            columns, rows = sheet_rows(
                sheet_of(workbook, sheet, shown(path, ctx.project_dir)), {}, ctx, has_header=True
            )
            yield TableRows(columns, rows)
    else:
        yield _of_objects(_objects(path, kind, ctx), path, ctx)


def _objects(path: Path, kind: TableFormat, ctx: ToolContext) -> list[dict[str, Any]]:
    name = repr(shown(path, ctx.project_dir))
    if kind is TableFormat.JSON:
        found = document(None, path, ctx)
        data = parse_json(found.text, found.name)
        rows = data if isinstance(data, list) else [data]
    else:
        rows = list(_lines(path, name, ctx))
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise ToolFailure(f"expected a table of objects, but item {number:,} of {name} is another thing")
    return rows


def _lines(path: Path, name: str, ctx: ToolContext) -> Iterator[Any]:
    pace = ProgressThrottle(ctx)
    with refusals(f"read {name}"):
        encoding = file_encoding(path)
        if encoding is None:
            raise ToolFailure(f"expected lines of JSON, but {name} is no text")
        with path.open(encoding=encoding, errors="replace") as stream:
            number = 0
            while line := stream.readline(_LONGEST_LINE_CHARS):
                number += 1
                pace.step(1, name)
                if line.strip():
                    yield parse_json(line, f"line {number:,} of {name}")
                if number > MAX_HELD_ROWS:
                    raise ToolFailure(f"{name} has more than {MAX_HELD_ROWS:,} lines; query_files takes larger ones")


def _of_objects(rows: list[dict[str, Any]], path: Path, ctx: ToolContext) -> TableRows:
    columns: dict[str, None] = {}
    for row in rows:
        columns.update(dict.fromkeys(row))
        if len(columns) > _MOST_COLUMNS:
            raise ToolFailure(f"{shown(path, ctx.project_dir)!r} has more than {_MOST_COLUMNS:,} columns")
    names = list(columns)
    return TableRows(names, (tuple(row.get(name) for name in names) for row in rows))


def held_rows(table: TableRows, name: str, ctx: ToolContext) -> list[Any]:
    """Return all rows of a table.

    Raises:
        ToolFailure: There are too many, or the call was cancelled.
    """
    pace = ProgressThrottle(ctx)
    rows = []
    for row in table.rows:
        pace.step(1, name)
        rows.append(row)
        if len(rows) > MAX_HELD_ROWS:
            most = counted(MAX_HELD_ROWS, "row")
            raise ToolFailure(f"{name!r} has more than {most}; query_files takes larger ones")
    return rows


def places_of(names: tuple[str, ...] | list[str], columns: list[str], table: str) -> list[int]:
    """Return where columns stand.

    Raises:
        ToolFailure: There is none of that name.
    """
    unknown = [name for name in names if name not in columns]
    if unknown:
        raise ToolFailure(f"{table!r} has no column {unknown[0]!r}; its columns are: {', '.join(columns)}")
    return [columns.index(name) for name in names]


def as_number(value: Any) -> float | None:
    """Return a number; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return float(value)


def ordered(value: Any) -> tuple[int, Any]:
    """Return what a value is sorted by: numbers before texts, and what is empty last."""
    if value is None:
        return 9, 0
    if isinstance(value, bool):
        return 0, value
    if isinstance(value, int | float | Decimal):
        return 1, Decimal(str(value))
    if isinstance(value, datetime):
        return 2, value.isoformat()
    if isinstance(value, date | time):
        return 2, value.isoformat()
    return 3, value if isinstance(value, str) else as_cell(value)


def as_cell(value: Any) -> str:
    """Return a value as a CSV file has it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, float | Decimal | int):
        return json.dumps(value) if isinstance(value, bool) else str(value)
    if isinstance(value, dict | list | tuple):
        return json_text(_plain(value), None)
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | Decimal | bool) or value is None else str(value)
