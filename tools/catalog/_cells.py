"""What the cells of CSV say."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]*)")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WIDEST_NUMBER: Final = 300
_BOOLEANS: Final = {"true": True, "false": False}


def delimiter_of(sample: str) -> str:
    """Return the sign that splits the lines of a sample into the same number of cells, `,` when none does."""
    best, best_score = ",", (0, 0)
    for sign in ",;\t|":
        rows = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=sign) if row][:50]
        if not rows or rows[0] == 1:
            continue
        score = (rows.count(rows[0]) * 100 // len(rows), rows[0])
        if score > best_score:
            best, best_score = sign, score
    return best


def unique_names(cells: Iterable[str]) -> list[str]:
    """Return the names of a table's columns: none empty, none twice."""
    names: list[str] = []
    for number, cell in enumerate(cells, 1):
        name = base = cell.strip() or f"column_{number}"
        repeats = 1
        while name in names:
            repeats += 1
            name = f"{base}_{repeats}"
        names.append(name)
    return names


def cell_value(cell: str) -> Any:
    """Return what a CSV cell says: an integer, a Decimal, true, false, None when empty, else the text.

    Only what would be written the same way again becomes a number, so `007` and `1e5 kg` stay text.
    """
    if not cell:
        return None
    if cell[0] in "-0123456789" and len(cell) <= _WIDEST_NUMBER:
        if _INTEGER.fullmatch(cell):
            return int(cell)
        if _NUMBER.fullmatch(cell):
            return Decimal(cell)
    return _BOOLEANS.get(cell.lower(), cell)
