"""Write tables into files."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, Final

from tools.catalog._bounds import ProgressThrottle
from tools.catalog._cells import json_cell
from tools.catalog._database import Watch
from tools.catalog._dry_runs import refuse_target
from tools.catalog._extras import optional
from tools.catalog._formats import json_text
from tools.catalog._paths import need_parent, refusals, shown
from tools.catalog._tables import TableFormat, as_cell
from tools.catalog._tree import replacing
from tools.catalog.files_results import MadeFile
from tools.context import ToolContext

MAX_WRITTEN_ROWS: Final = 10_000_000
_WRITE_S: Final = 600.0


def write_table(
    target: Path,
    kind: TableFormat,
    columns: list[str],
    rows: Iterable[Any],
    ctx: ToolContext,
    *,
    overwrite: bool,
    create_folders: bool,
) -> tuple[MadeFile, int]:
    """Write a table into a file in one go; return the file and how many rows it has.

    Args:
        ctx: The running call.
        overwrite: Whether a file there may be replaced.
        create_folders: Whether missing folders are made.

    Raises:
        ToolFailure: It cannot be written, or the call was cancelled.
    """
    name = shown(target, ctx.project_dir)
    need_parent(target, ctx.project_dir, create=create_folders)
    replaced = refuse_target(target, ctx.project_dir, overwrite=overwrite)
    counted_rows = _Counted(rows, ProgressThrottle(ctx), name)
    with refusals(f"write {name!r}"):
        if kind is TableFormat.PARQUET:
            _write_parquet(target, columns, counted_rows, ctx)
        else:
            with replacing(target) as stream:
                _WRITERS[kind](stream, columns, counted_rows)
        size_bytes = target.stat().st_size
    return MadeFile(name, not replaced, size_bytes), counted_rows.count


class _Counted:
    """Count rows as they pass, and stop when the call is cancelled."""

    def __init__(self, rows: Iterable[Any], pace: ProgressThrottle, name: str) -> None:
        self.count = 0
        self._rows = rows
        self._pace = pace
        self._name = name

    def __iter__(self) -> Iterator[Any]:
        for row in self._rows:
            self._pace.step(1, self._name)
            self.count += 1
            yield row


def _write_csv(stream: IO[bytes], columns: list[str], rows: Iterable[Any]) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([as_cell(value) for value in row] for row in rows)
    text.flush()
    text.detach()


def _write_lines(stream: IO[bytes], columns: list[str], rows: Iterable[Any]) -> None:
    for row in rows:
        stream.write(_object(columns, row).encode() + b"\n")


def _write_json(stream: IO[bytes], columns: list[str], rows: Iterable[Any]) -> None:
    between = b"[\n"
    for row in rows:
        stream.write(between + _object(columns, row).encode())
        between = b",\n"
    stream.write(b"\n]\n" if between == b",\n" else b"[]\n")


def _object(columns: list[str], row: Any) -> str:
    return json_text(dict(zip(columns, map(json_cell, row), strict=True)), None)


def _write_xlsx(stream: IO[bytes], columns: list[str], rows: Iterable[Any]) -> None:
    workbook = optional("openpyxl", "documents").Workbook(write_only=True)
    sheet = workbook.create_sheet("Table")
    cell_class = optional("openpyxl.cell", "documents").WriteOnlyCell
    sheet.append(columns)
    for row in rows:
        cells = []
        for value in row:
            cell = cell_class(
                sheet, value if isinstance(value, str | int | float | Decimal | date | None) else as_cell(value)
            )
            # A text that begins with = must not become something that is computed.
            if isinstance(value, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    workbook.save(stream)


def _write_parquet(target: Path, columns: list[str], rows: Iterable[Any], ctx: ToolContext) -> None:
    from tools.catalog._database_duckdb import over_files  # noqa: PLC0415 -- few tables need it

    with tempfile.TemporaryDirectory(prefix="table-") as folder:
        lines, made = Path(folder, "table.jsonl"), Path(folder, "table.parquet")
        with lines.open("wb") as stream:
            _write_lines(stream, columns, rows)
        with over_files([lines, made], shown(target, ctx.project_dir), Watch(ctx, _WRITE_S)) as database:
            empty = lines.stat().st_size == 0
            source = _nothing(columns) if empty else "SELECT * FROM read_json(?, format = 'newline_delimited')"
            database.execute(f"COPY ({source}) TO '{made.as_posix()}' (FORMAT parquet)", [] if empty else [str(lines)])
        with replacing(target) as stream:
            stream.write(made.read_bytes())


def _nothing(columns: list[str]) -> str:
    named = ", ".join('NULL::VARCHAR AS "{}"'.format(name.replace('"', '""')) for name in columns)
    return f"SELECT {named or 'NULL::VARCHAR AS nothing'} WHERE false"


_WRITERS: Final[dict[TableFormat, Callable[[IO[bytes], list[str], Iterable[Any]], None]]] = {
    TableFormat.CSV: _write_csv,
    TableFormat.JSON: _write_json,
    TableFormat.JSON_LINES: _write_lines,
    TableFormat.XLSX: _write_xlsx,
}
