"""Read and profile CSV files."""

from __future__ import annotations

import csv
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_CELL_CHARS, MAX_CHARS, MAX_ENTRIES, ProgressThrottle, counted, say_cut
from tools.catalog._documents import SAMPLE_BYTES, file_encoding, need_encoding
from tools.catalog._formats import cell_value, delimiter_of, unique_names
from tools.catalog._paths import need_file, refusals, shown
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_COLUMNS: Final = 1000
_LOGGED_ROWS: Final = 20

CsvPath = Annotated[Path, Param("The CSV file"), PathRole()]
Delimiter = Annotated[str | None, Param("The sign between cells; none finds out"), Field(min_length=1, max_length=1)]
Encoding = Annotated[str | None, Param("Text encoding such as utf-8 or cp1252; none finds out")]
HasHeader = Annotated[bool, Param("The first line holds the names of the columns")]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a CSV file."""

    path: Annotated[str, Field(description="The file.")]
    columns: Annotated[list[str], Field(description="The columns, in order; empty and double names are numbered.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows by column; null for an empty cell.")]
    first_row: Annotated[int, Field(description="Number of the first of them, from 1.")]
    total_rows: Annotated[int, Field(description="How many rows the file has.")]
    uneven_rows: Annotated[int, Field(description="How many rows have too few or too many cells.")]
    encoding: Annotated[str, Field(description="The encoding it was read with.")]
    delimiter: Annotated[str, Field(description="The sign between its cells.")]
    truncated: Annotated[bool, Field(description="Whether rows follow that are not in this result.")]


class Tables:
    """The tools for CSV files."""

    @tool(
        keywords=("table", "spreadsheet", "rows", "columns", "tsv"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "data/orders.csv", "max_rows": 20}, description="The first twenty rows"),
            ToolExample(input={"path": "data/orders.csv", "columns": ["id", "total"]}, description="Two columns"),
        ),
    )
    def read_csv(
        self,
        path: CsvPath,
        *,
        columns: Annotated[tuple[str, ...], Param("Only these columns; none returns all")] = (),
        first_row: Annotated[int, Param("Number of the first row wanted, from 1"), Field(ge=1)] = 1,
        max_rows: Annotated[int, Param("Most rows returned"), Field(ge=1, le=MAX_ENTRIES)] = 200,
        detect_types: Annotated[bool, Param("Turn numbers, true and false into values; else all is text")] = True,
        has_header: HasHeader = True,
        delimiter: Delimiter = None,
        encoding: Encoding = None,
        ctx: ToolContext,
    ) -> Table:
        """Read rows of a CSV file. Encoding and delimiter are detected unless given."""
        rows: list[dict[str, JsonValue]] = []
        room = MAX_CHARS
        total = 0
        with opened_csv(path, ctx, has_header=has_header, delimiter=delimiter, encoding=encoding) as sheet:
            wanted = _wanted(columns, sheet)
            for total, row in enumerate(sheet, 1):
                if total < first_row or len(rows) == max_rows or room < 0:
                    continue
                room -= sum(map(len, row))
                rows.append({sheet.columns[index]: _value(row[index], typed=detect_types) for index in wanted})
        truncated = first_row - 1 + len(rows) < total
        if truncated:
            say_cut(
                ctx, f"{len(rows):,} of {counted(total, 'row')} are kept; go on with first_row={first_row + len(rows)}"
            )
        names = [sheet.columns[index] for index in wanted]
        name = shown(path, ctx.project_dir)
        return Table(name, names, rows, first_row, total, sheet.uneven, sheet.encoding, sheet.delimiter, truncated)


class _Sheet:
    """The rows of an open CSV file, each with exactly as many cells as there are columns.

    Attributes:
        columns: The names of the columns.
        encoding: What the file is read with.
        delimiter: The sign between cells.
        rows: How many rows were read so far.
        uneven: How many rows had another number of cells so far.
    """

    def __init__(self, lines: Iterator[list[str]], facts: _Facts, ctx: ToolContext, *, has_header: bool) -> None:
        self.encoding = facts.encoding
        self.delimiter = facts.delimiter
        self.rows = 0
        self.uneven = 0
        self._name = facts.name
        self._ctx = ctx
        self._pace = ProgressThrottle(ctx)
        first = next(lines, [])
        if len(first) > _MOST_COLUMNS:
            raise ToolFailure(f"{self._name} has {len(first):,} columns; at most {_MOST_COLUMNS:,} can be read")
        self.columns = unique_names(first if has_header else [""] * len(first))
        self._lines = lines if has_header else chain([first] if first else [], lines)

    def __iter__(self) -> Iterator[list[str]]:
        wanted = len(self.columns)
        for number, row in enumerate(self._lines, 1):
            self._pace.step(1, self._name)
            if len(row) != wanted:
                if not row:
                    continue
                self.uneven += 1
                if self.uneven <= _LOGGED_ROWS:
                    self._ctx.log("warning", f"row {number:,} has {counted(len(row), 'cell')} instead of {wanted}")
                row = [*row[:wanted], *[""] * (wanted - len(row))]  # noqa: PLW2901 -- made even
            self.rows += 1
            yield row


class _Facts(NamedTuple):
    name: str
    encoding: str
    delimiter: str


@contextmanager
def opened_csv(
    path: Path,
    ctx: ToolContext,
    *,
    has_header: bool = True,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Iterator[_Sheet]:
    """Open a CSV file.

    Raises:
        ToolFailure: It is missing, no text or no CSV; the message says where.
    """
    name = shown(path, ctx.project_dir)
    need_file(path, ctx.project_dir)
    with refusals(f"read {name!r}"):
        used = need_encoding(encoding) if encoding else file_encoding(path)
        if used is None:
            raise ToolFailure(f"expected a CSV file, but {name!r} is no text; file_info says what it is")
        # A byte order mark would become part of the first column's name.
        used = "utf-8-sig" if used == "utf-8" else used
        with path.open(encoding=used, errors="replace", newline="") as stream:
            sign = delimiter or delimiter_of(stream.read(SAMPLE_BYTES))
            stream.seek(0)
            reader = csv.reader(stream, delimiter=sign)
            try:
                yield _Sheet(reader, _Facts(repr(name), used.removesuffix("-sig"), sign), ctx, has_header=has_header)
            except csv.Error as error:
                raise ToolFailure(f"{name!r} is no CSV: {error} at line {reader.line_num}") from error


def _wanted(columns: tuple[str, ...], sheet: _Sheet) -> list[int]:
    unknown = [name for name in columns if name not in sheet.columns]
    if unknown:
        raise ToolFailure(f"there is no column {unknown[0]!r}; the columns are: {', '.join(sheet.columns)}")
    return [sheet.columns.index(name) for name in columns] if columns else list(range(len(sheet.columns)))


def _value(cell: str, *, typed: bool) -> JsonValue:
    if typed:
        value: Any = cell_value(cell)
        if isinstance(value, Decimal):
            value = float(value)
            # What is too large for a number here stays as it is written.
            return value if abs(value) != float("inf") else cell
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]
    return cell if len(cell) <= MAX_CELL_CHARS else cell[:MAX_CELL_CHARS] + "…"
