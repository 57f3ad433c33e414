"""Read, make and change Excel workbooks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field, JsonValue

from tools.catalog._bounds import MAX_ENTRIES, ProgressThrottle
from tools.catalog._cells import BoundedRows, json_cell
from tools.catalog._extras import optional
from tools.catalog._formats import unique_names
from tools.catalog._outputs import CreateFolders, Overwrite, Target, change_dry_run, made_file, target_dry_run
from tools.catalog._packages import need_no_entities, need_writable, opened_package
from tools.catalog._paths import shown
from tools.catalog.documents_word import change_concerns
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from openpyxl.workbook.workbook import Workbook

_MOST_COLUMNS: Final = 1000
_MOST_SCANNED_ROWS: Final = 1_048_576
_RANGE: Final = re.compile(r"([A-Za-z]{1,3})(\d{1,7})?(?::([A-Za-z]{1,3})(\d{1,7})?)?")
_CELL: Final = re.compile(r"[A-Za-z]{1,3}[1-9]\d{0,6}")
_FORMULA: Final = "="

XlsxPath = Annotated[Path, Param("The XLSX file"), PathRole()]
Sheet = Annotated[str | None, Param("The sheet; none takes the first"), Field(max_length=100)]
CellValue = str | int | float | bool | None
SheetRows = Annotated[
    list[list[CellValue]],
    Param("The rows, each a list of cells; a text that begins with = is a formula where formulas are allowed"),
    Field(max_length=100_000),
]


@dataclass(frozen=True, slots=True)
class SheetInfo:
    """One sheet of a workbook."""

    name: Annotated[str, Field(description="Its name.")]
    rows: Annotated[int | None, Field(description="Rows, as the file claims; null when it does not say.")]
    columns: Annotated[int | None, Field(description="Columns, as the file claims.")]
    hidden: Annotated[bool, Field(description="Whether people do not see it.")]


@dataclass(frozen=True, slots=True)
class WorkbookFacts:
    """What a workbook holds."""

    path: Annotated[str, Field(description="The file.")]
    sheets: Annotated[list[SheetInfo], Field(description="Its sheets, in order.")]
    names: Annotated[dict[str, str], Field(description="Defined names and the cells that they mean.")]


@dataclass(frozen=True, slots=True)
class SheetRange:
    """Rows of a sheet."""

    path: Annotated[str, Field(description="The file.")]
    sheet: Annotated[str, Field(description="The sheet.")]
    columns: Annotated[list[str], Field(description="Names of the columns: those of the first row, or A, B, C.")]
    rows: Annotated[list[dict[str, JsonValue]], Field(description="The rows by column; null for an empty cell.")]
    truncated: Annotated[bool, Field(description="Whether rows follow that are not in this result.")]


@dataclass(frozen=True, slots=True)
class ChangedCells:
    """What was changed in a workbook."""

    path: Annotated[str, Field(description="The file.")]
    sheet: Annotated[str, Field(description="The sheet.")]
    changed: Annotated[int, Field(description="How many cells have another value now.")]
    before: Annotated[dict[str, JsonValue], Field(description="What stood in those cells before.")]


@contextmanager
def reading_xlsx(path: Path, ctx: ToolContext, **options: Any) -> Iterator[Workbook]:
    """Open a workbook.

    Raises:
        ToolFailure: It is none, damaged, or unpacks to too much.
    """
    library = optional("openpyxl", "documents")
    name = shown(path, ctx.project_dir)
    with opened_package(path, "XLSX workbook", "xl/workbook.xml", ctx) as package:
        need_no_entities(package, name)
    try:
        with closing(library.load_workbook(path, **options)) as workbook:
            yield workbook
    except (KeyError, ValueError, AttributeError, TypeError, SyntaxError, OSError, IndexError) as error:
        words = str(error).split("\n", 1)[0]
        raise ToolFailure(f"{name!r} is no XLSX workbook that can be read: {words}") from error


def sheet_of(workbook: Workbook, sheet: str | None, name: str) -> Any:
    """Return a sheet of a workbook.

    Raises:
        ToolFailure: It has none of that name.
    """
    names = [item.title for item in workbook.worksheets]
    if sheet is None and names:
        return workbook.worksheets[0]
    if sheet not in names:
        found = f"no sheet {sheet!r}; its sheets are: {', '.join(names)}" if names else "no sheets at all"
        raise ToolFailure(f"{name!r} has {found}")
    return workbook[sheet]


class ExcelDocuments:
    """The tools for XLSX workbooks."""

    @tool(
        extra="documents",
        keywords=("xlsx", "excel", "spreadsheet", "workbook", "sheets"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "data/budget.xlsx"}, description="The sheets of a workbook"),
            ToolExample(
                input={"path": "data/orders.csv"},
                description="A file that is no workbook",
                negative=True,
                why_bad="It is a CSV file; read_csv reads it.",
            ),
        ),
    )
    def list_sheets(self, path: XlsxPath, *, ctx: ToolContext) -> WorkbookFacts:
        """List the sheets and the defined names of an Excel workbook."""
        with reading_xlsx(path, ctx, read_only=True) as workbook:
            sheets = [
                SheetInfo(item.title, item.max_row, item.max_column, item.sheet_state != "visible")
                for item in workbook.worksheets
            ]
            names = {str(name): str(item.attr_text) for name, item in islice(workbook.defined_names.items(), 500)}
        return WorkbookFacts(shown(path, ctx.project_dir), sheets, names)

    @tool(
        extra="documents",
        keywords=("xlsx", "excel", "spreadsheet", "rows", "cells", "range"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "data/budget.xlsx"}, description="The first sheet, with its head"),
            ToolExample(
                input={"path": "data/budget.xlsx", "cells": "A2:B3", "has_header": False},
                description="Some cells",
            ),
        ),
    )
    def read_xlsx(
        self,
        path: XlsxPath,
        *,
        sheet: Sheet = None,
        cells: Annotated[str, Param("Only these, such as A1:D20 or B:C; empty means all"), Field(max_length=30)] = "",
        has_header: Annotated[bool, Param("The first row holds the names of the columns")] = True,
        formulas: Annotated[bool, Param("Return formulas, not the values they had when it was saved")] = False,
        max_rows: Annotated[int, Param("Most rows returned"), Field(ge=1, le=MAX_ENTRIES)] = 200,
        ctx: ToolContext,
    ) -> SheetRange:
        """Read rows of a sheet of an Excel workbook: the whole sheet, or a range of cells."""
        bounds = _bounds(cells)
        with reading_xlsx(path, ctx, read_only=True, data_only=not formulas) as workbook:
            found = sheet_of(workbook, sheet, shown(path, ctx.project_dir))
            columns, rows = sheet_rows(found, bounds, ctx, has_header=has_header)
            kept = BoundedRows(columns, max_rows)
            for row in rows:
                if not kept.add(row):
                    break
            title = found.title
        kept.say_cut(ctx)
        return SheetRange(shown(path, ctx.project_dir), title, columns, kept.rows, kept.truncated)

    @tool(
        extra="documents",
        keywords=("xlsx", "excel", "spreadsheet", "create", "export"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(
                input={"target": "data/new.xlsx", "sheets": {"People": [["name", "age"], ["Mira", 41]]}},
                description="One sheet with a head and a row",
            ),
            ToolExample(
                input={"target": "data/sum.xlsx", "sheets": {"Sum": [[1, 2, "=A1+B1"]]}, "formulas": True},
                description="A sheet that counts",
            ),
        ),
    )
    def write_xlsx(
        self,
        target: Target,
        sheets: Annotated[
            dict[str, SheetRows], Param("Rows by the name of the sheet"), Field(min_length=1, max_length=100)
        ],
        *,
        formulas: Annotated[bool, Param("Let a text that begins with = be a formula")] = False,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFile:
        """Write a new Excel workbook. The first row of each sheet is shown as its head."""
        workbook = optional("openpyxl", "documents").Workbook()
        workbook.remove(workbook.active)
        bold = optional("openpyxl.styles", "documents").Font(bold=True)
        pace = ProgressThrottle(ctx, sum(map(len, sheets.values())))
        for name, rows in sheets.items():
            found = _new_sheet(workbook, name)
            for number, row in enumerate(rows, 1):
                pace.step(1, name)
                for place, value in enumerate(row, 1):
                    cell = _put(found.cell(number, place), value, formulas=formulas)
                    if number == 1:
                        cell.font = bold
            found.freeze_panes = "A2" if len(rows) > 1 else None
        return made_file(target, _bytes(workbook), ctx, overwrite=overwrite, create_folders=create_folders)

    @tool(
        extra="documents",
        keywords=("xlsx", "excel", "spreadsheet", "edit", "set", "append"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        concerns=change_concerns,
        dry_run=change_dry_run,
        examples=(
            ToolExample(input={"path": "data/budget.xlsx", "cells": {"B2": 1200}}, description="One cell"),
            ToolExample(
                input={"path": "data/budget.xlsx", "add_rows": [["Travel", 300]]}, description="One more row at the end"
            ),
        ),
    )
    def update_xlsx(
        self,
        path: Annotated[Path, Param("The XLSX file, changed in place"), PathRole(writes=True)],
        *,
        sheet: Sheet = None,
        cells: Annotated[dict[str, CellValue], Param("Values by cell, such as B2"), Field(default_factory=dict)],
        add_rows: Annotated[SheetRows, Field(default_factory=list)],
        formulas: Annotated[bool, Param("Let a text that begins with = be a formula")] = False,
        ctx: ToolContext,
    ) -> ChangedCells:
        """Set cells of a sheet and add rows at its end; formats and formulas of the rest stay. Shapes are lost."""
        wrong = next((name for name in cells if not _CELL.fullmatch(name)), None)
        if wrong is not None or not (cells or add_rows):
            raise ToolFailure(
                f"expected cells such as B2, or add_rows; got {wrong!r}" if wrong else "nothing to change"
            )
        before: dict[str, JsonValue] = {}
        with reading_xlsx(path, ctx) as workbook:
            found = sheet_of(workbook, sheet, shown(path, ctx.project_dir))
            for name, value in cells.items():
                cell = found[name.upper()]
                before[name] = json_cell(cell.value)
                _put(cell, value, formulas=formulas)
            last = found.max_row if found.max_row > 1 or found["A1"].value is not None else 0
            for number, row in enumerate(add_rows, last + 1):
                for place, value in enumerate(row, 1):
                    _put(found.cell(number, place), value, formulas=formulas)
            content, title = _bytes(workbook), found.title
        made_file(path, content, ctx, overwrite=True, create_folders=False)
        changed = len(cells) + sum(map(len, add_rows))
        return ChangedCells(shown(path, ctx.project_dir), title, changed, before)


def sheet_rows(
    sheet: Any, bounds: dict[str, int], ctx: ToolContext, *, has_header: bool
) -> tuple[list[str], Iterator[Any]]:
    """Return the columns and rows of a sheet, empty rows left out.

    Raises:
        ToolFailure: It has too many columns, or the call was cancelled.
    """
    pace = ProgressThrottle(ctx)
    # A sheet may claim a million columns of which one is filled.
    last = bounds.get("max_col") or min(sheet.max_column or _MOST_COLUMNS, _MOST_COLUMNS)
    limits = {"max_row": _MOST_SCANNED_ROWS, **bounds, "max_col": last}
    rows = _filled(sheet.iter_rows(**limits, values_only=True), pace)
    first = next(rows, ())
    letters = optional("openpyxl.utils", "documents").get_column_letter
    start = bounds.get("min_col", 1)
    plain = [letters(start + index) for index in range(len(first))]
    if not has_header:
        return plain, _even(_chained(first, rows), len(first))
    width = max((place for place, value in enumerate(first, 1) if value is not None), default=0)
    names = unique_names("" if value is None else str(value) for value in first[:width])
    return names, _even(rows, width)


def _chained(first: Any, rows: Iterator[Any]) -> Iterator[Any]:
    if first:
        yield first
    yield from rows


def _filled(rows: Iterator[Any], pace: ProgressThrottle) -> Iterator[Any]:
    for row in rows:
        pace.step()
        if any(value is not None for value in row):
            yield row


def _even(rows: Iterator[Any], width: int) -> Iterator[Any]:
    for row in rows:
        yield (*row[:width], *[None] * (width - len(row)))


def _bounds(cells: str) -> dict[str, int]:
    """Return what a range such as `A1:D20` or `B:C` names, as the library calls it."""
    if not cells:
        return {}
    found = _RANGE.fullmatch(cells.strip().replace("$", ""))
    if found is None:
        raise ToolFailure(f"expected cells such as A1:D20 or B:C, got {cells!r}")
    number = optional("openpyxl.utils", "documents").column_index_from_string
    first, top, last, bottom = found.groups()
    bounds = {"min_col": number(first), "max_col": number(last or first)}
    if top:
        bounds["min_row"] = int(top)
    if bottom or (top and not last):
        bounds["max_row"] = int(bottom or top)
    if bounds["min_col"] > bounds["max_col"] or bounds.get("min_row", 1) > bounds.get("max_row", _MOST_SCANNED_ROWS):
        raise ToolFailure(f"the range {cells!r} ends before it begins")
    return bounds


def _new_sheet(workbook: Any, name: str) -> Any:
    if not 0 < len(name) <= 31 or re.search(r"[\\*?:/\[\]]", name):  # noqa: PLR2004 -- Excel's limit
        raise ToolFailure(f"{name!r} is no name of a sheet: 1 to 31 characters, none of \\ * ? : / [ ]")
    need_writable(name)
    return workbook.create_sheet(name)


def _put(cell: Any, value: CellValue, *, formulas: bool) -> Any:
    try:
        cell.value = value
    except ValueError as error:
        raise ToolFailure(f"the cell {cell.coordinate} cannot hold {str(value)[:50]!r}: {error}") from error
    if isinstance(value, str) and value.startswith(_FORMULA) and not formulas:
        # What somebody typed must not become something that is computed.
        cell.data_type = "s"
    return cell


def _bytes(workbook: Any) -> bytes:
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()
