"""A new plan from a table: one call of a tool for each row of a CSV file."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from console.batch.document import PlanEditError, free_name
from tools.batch import BatchPlan, Rows, Step

_SAMPLES: Final = 3
_MOST_COLUMNS: Final = 1000
_NUMBERS: Final = frozenset({"integer", "number"})


class CsvTable(NamedTuple):
    """What the beginning of a CSV file says.

    Attributes:
        columns: The names of its columns.
        samples: The first rows.
    """

    path: Path
    columns: tuple[str, ...]
    samples: tuple[tuple[str, ...], ...] = ()


def read_table(path: Path) -> CsvTable:
    """Return what the beginning of a CSV file says.

    Raises:
        PlanEditError: When it cannot be read, or its first line names no columns.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(islice(csv.reader(file, strict=True), _SAMPLES + 1))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        msg = f"{path.name} cannot be read as CSV: {reason}"
        raise PlanEditError(msg) from error
    if not rows or not any(rows[0]):
        msg = f"{path.name} is empty; expected a first line that names the columns"
        raise PlanEditError(msg)
    columns = tuple(rows[0])
    if len(set(columns)) != len(columns) or len(columns) > _MOST_COLUMNS:
        msg = f"{path.name}: expected at most {_MOST_COLUMNS} columns whose names differ"
        raise PlanEditError(msg)
    return CsvTable(path, columns, tuple(tuple(row) for row in rows[1:]))


def mapping_schema(arguments: Mapping[str, Any], columns: Sequence[str]) -> Mapping[str, Any]:
    """Return the JSON Schema of which column each argument of a tool is taken from.

    Args:
        arguments: JSON Schema of the arguments.
        columns: The columns.
    """
    choices = [{"const": name, "title": name} for name in columns]
    properties = {}
    for name, part in (arguments.get("properties") or {}).items():
        words = part.get("description", "") if isinstance(part, Mapping) else ""
        properties[name] = {"oneOf": choices, **({"description": words} if words else {})}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in arguments.get("required", ()) if name in properties],
        "additionalProperties": False,
    }


def guessed_columns(arguments: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
    """Return for arguments the column that is called as they are, whatever the case and the spaces."""
    by_plain = {_plain(column): column for column in reversed(columns)}
    names = arguments.get("properties") or {}
    return {name: by_plain[_plain(name)] for name in names if _plain(name) in by_plain}


def plan_of_csv(table: CsvTable, tool: str, arguments: Mapping[str, Any], mapping: Mapping[str, str]) -> BatchPlan:
    """Return a plan that calls a tool for each row.

    Args:
        table: The rows.
        tool: The tool.
        arguments: JSON Schema of its arguments.
        mapping: The column that each argument is taken from.
    """
    properties = arguments.get("properties") or {}
    given = {name: f"${{{_expression(column, properties.get(name))}}}" for name, column in mapping.items()}
    name = free_name(tool.rpartition(".")[2] or "step", ())
    step = Step(id=name, tool=tool, arguments=given, rows=Rows(csv=str(table.path)))
    return BatchPlan(name=f"{table.path.stem}: {tool}", steps=(step,))


def _expression(column: str, part: Any) -> str:
    """Return what takes a column's text as the type that an argument has."""
    name = column if column.isascii() and column.isidentifier() else json.dumps(column)
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind in _NUMBERS:
        return f"to_number(row.{name})"
    if kind == "boolean":
        return f"contains(['true', 'True', 'TRUE', 'yes', '1'], row.{name})"
    return f"row.{name}"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
