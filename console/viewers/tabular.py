"""Tables: what a list of objects or a CSV text has for rows and columns, in which order, and written down."""

from __future__ import annotations

import csv
import io
import json
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from console.json_view import is_container, scalar_text, summary
from tools.spec import MISSING

LONGEST_CELL: Final = 300
_PLAIN_NUMBER: Final = 10**18
_BREAKS: Final = str.maketrans({"\n": " ", "\r": " ", "\t": " "})

Field = str | int


class TableContent(NamedTuple):
    """Rows that have the same kind of cells.

    Attributes:
        names: The columns' names.
        fields: Under what each column's cells are found in a row.
        rows: Objects or lists.
        place: Names and positions from the whole to the list of rows; None when the rows stand in no value.
    """

    names: tuple[str, ...]
    fields: tuple[Field, ...]
    rows: Sequence[Mapping[str, Any] | Sequence[str]]
    place: tuple[str | int, ...] | None = None

    def cell(self, row: int, column: int) -> Any:
        """Return the value of a cell; `MISSING` when the row has none there."""
        return _cell(self.rows[row], self.fields[column])


class Arrangement(NamedTuple):
    """Which rows are shown, in which order.

    Attributes:
        needle: A text that one of the cells must hold; upper and lower case are the same; "" for all rows.
        column: The column by which they are sorted; None leaves them as they come.
        descending: Whether the largest comes first.
        searched: The columns that are searched.
    """

    needle: str = ""
    column: int | None = None
    descending: bool = False
    searched: tuple[int, ...] = ()


def table_of(rows: Sequence[Any], place: tuple[str | int, ...] = ()) -> TableContent:
    """Return a list of objects as a table, its columns in the order they come up; what is no object has no cells."""
    names: dict[str, None] = {}
    last: Any = None
    for row in rows:
        if isinstance(row, Mapping):
            # Rows are alike as a rule, and to compare two sets of names costs less than to join them.
            keys = row.keys()
            if last is None or keys != last:
                names.update(dict.fromkeys(keys))
                last = keys
    return TableContent(tuple(names), tuple(names), rows, place)


def table_of_csv(text: str, delimiter: str) -> TableContent:
    """Return CSV text as a table; the first row names the columns when all of its cells are different words.

    Raises:
        ValueError: The text is no table.

    Source: RFC 4180.
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        msg = f"The text is no table: {error}."
        raise ValueError(msg) from error
    width = max(map(len, rows), default=0)
    if not width:
        msg = "The text is no table: it has no rows."
        raise ValueError(msg)
    first = [name.strip() for name in rows[0]]
    has_names = len(set(first)) == len(first) and all(name and _number(name) is None for name in first)
    names = first if has_names else []
    names += [str(column + 1) for column in range(len(names), width)]
    return TableContent(tuple(names), tuple(range(width)), rows[1:] if has_names else rows)


def cell_text(value: Any) -> str:
    """Write the value of a cell on one line; of what is long its head."""
    if value is MISSING:
        return ""
    if isinstance(value, str):
        text = value[:LONGEST_CELL].translate(_BREAKS)
        return f"{text}…" if len(value) > LONGEST_CELL else text
    return summary(value) if is_container(value) else scalar_text(value)


def arranged(table: TableContent, arrangement: Arrangement) -> Sequence[int]:
    """Return the numbers of the rows that are shown, in their order."""
    chosen: Sequence[int] = range(len(table.rows))
    needle = arrangement.needle.casefold()
    if needle:
        fields = [table.fields[column] for column in arrangement.searched]
        rows = table.rows
        chosen = array("q", (row for row in chosen if _holds(rows[row], fields, needle)))
    if arrangement.column is None:
        return chosen
    field = table.fields[arrangement.column]
    keys = {row: _rank(_cell(table.rows[row], field)) for row in chosen}
    # Rows without a value come last either way, so they take no part in turning the order round.
    with_value = sorted((row for row in chosen if keys[row][0] >= 0), key=keys.__getitem__)
    if arrangement.descending:
        with_value.reverse()
    return array("q", [*with_value, *(row for row in chosen if keys[row][0] < 0)])


def csv_of(table: TableContent, rows: Iterable[int], columns: Sequence[int], delimiter: str = ",") -> str:
    """Write rows as CSV with a line of names; objects and lists are written as JSON."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    writer.writerow([table.names[column] for column in columns])
    writer.writerows([[_plain(table.cell(row, column)) for column in columns] for row in rows])
    return written.getvalue()


def json_of(table: TableContent, rows: Iterable[int], columns: Sequence[int]) -> str:
    """Write rows as a JSON list of objects; see `csv_of`."""
    objects = []
    for row in rows:
        cells = ((table.names[column], table.cell(row, column)) for column in columns)
        objects.append({name: value for name, value in cells if value is not MISSING})
    return json.dumps(objects, indent=2, ensure_ascii=False)


def _cell(row: Any, field: Field) -> Any:
    # A long table asks this half a million times, and `Mapping` takes as long as all else.
    if isinstance(row, (dict, Mapping)):
        return row.get(field, MISSING)
    return row[field] if isinstance(field, int) and isinstance(row, list) and field < len(row) else MISSING


def _holds(row: Any, fields: Sequence[Field], needle: str) -> bool:
    for field in fields:
        value = _cell(row, field)
        kind = type(value)
        if kind is str:
            text = value.casefold()
        elif kind is int:
            text = str(value) if abs(value) < _PLAIN_NUMBER else scalar_text(value)
        else:
            text = cell_text(value).casefold()
        if needle in text:
            return True
    return False


def _rank(value: Any) -> tuple[int, Any]:
    """Return what a cell is sorted by: booleans, numbers, text, the rest by size; below 0 for no value."""
    if value is MISSING or value is None or value == "":
        return -1, 0
    if isinstance(value, bool):
        return 0, value
    if isinstance(value, str):
        number = _number(value)
        return (2, value.casefold()) if number is None else (1, number)
    if isinstance(value, int | float):
        return (-1, 0) if isinstance(value, float) and math.isnan(value) else (1, value)
    return 3, len(value)


def _number(text: str) -> float | None:
    """Return the number that a text is; the cells of CSV are text, whatever they mean."""
    if not text or text[0] not in "+-.0123456789 ":
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _plain(value: Any) -> Any:
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
