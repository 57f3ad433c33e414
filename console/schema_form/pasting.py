"""Values taken from the clipboard: one, several items, entries with names."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from console.schema_form.fields import Field, FieldKind
from console.schema_form.json_text import parse_object, parse_value
from console.schema_form.numbers import number_from_text

_ENVELOPES: Final = ("arguments", "input", "params")
_LABELS: Final = frozenset({"id", "name", "tool", "type"})


def arguments_of(value: Mapping[str, Any], names: Collection[str]) -> Mapping[str, Any]:
    """Take arguments out of the call around them, as a log or a model writes it: `{"name": …, "arguments": {…}}`."""
    for key in _ENVELOPES:
        inner = value.get(key)
        if key not in names and isinstance(inner, Mapping) and value.keys() - {key} <= _LABELS:
            return inner
    return value


def whole_arguments(text: str, names: Collection[str]) -> Mapping[str, Any] | None:
    """Return the arguments that a text is, where it cannot be meant as the text of one field.

    Returns:
        The arguments; None when the text is no JSON object, or one with other names.
    """
    if not text.lstrip().startswith("{"):
        return None
    value, _ = parse_object(text)
    if value is None:
        return None
    arguments = arguments_of(value, names)
    return arguments if arguments and all(name in names for name in arguments) else None


_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "0"})
_DELIMITERS: Final = ("\t", ";", ",")
_AS_JSON: Final = frozenset(
    {
        *(FieldKind.JSON, FieldKind.LIST, FieldKind.SELECTION, FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE),
        *(FieldKind.OBJECT, FieldKind.MAP, FieldKind.VARIANT),
    }
)


def pasted_values(text: str, kind: FieldKind) -> list[Any]:
    """Read the items of a list: a JSON list, or one item in each line.

    Returns:
        The items; a line that is no such item stays text, for the check to name. Nothing for an empty text.
    """
    listed = _json_items(text)
    if listed is not None:
        return listed
    return [value_of_text(line.strip(), kind) for line in text.splitlines() if line.strip()]


def pasted_records(text: str, columns: Sequence[Field]) -> list[Any]:
    """Read the rows of a table: JSON objects, or lines with tabs, semicolons or commas between the cells.

    A first line that names columns is a head; without one, cells go to the columns in their order. Empty cells are
    left out.

    Returns:
        The rows, with values of the kind of their column; nothing when the text is empty or only a head.
    """
    listed = _json_items(text)
    if listed is not None:
        return listed
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or not columns:
        return []
    delimiter = max(_DELIMITERS, key=lines[0].count)
    cells = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if any(cell.strip() for cell in row)]
    known = {name.casefold(): column for column in columns for name in (column.title, column.name) if name}
    head = [known.get(cell.strip().casefold()) for cell in cells[0]]
    is_head = sum(column is not None for column in head) * 2 >= len(head) and any(head)
    places: list[tuple[str, FieldKind]] = [
        (cell.strip(), FieldKind.TEXT) if column is None else (column.name, column.kind)
        for cell, column in (zip(cells[0], head, strict=True) if is_head else (("", column) for column in columns))
    ]
    return [
        {
            name: value_of_text(cell.strip(), kind)
            for (name, kind), cell in zip(places, row, strict=False)
            if name and cell.strip()
        }
        for row in (cells[1:] if is_head else cells)
    ]


def value_of_text(text: str, kind: FieldKind) -> Any:
    """Return the value that a text means in a field; the text itself when it means none."""
    if kind in {FieldKind.INTEGER, FieldKind.NUMBER}:
        number = number_from_text(text, whole=kind is FieldKind.INTEGER)
        return text if number is None else number
    if kind is FieldKind.BOOLEAN:
        return True if text.casefold() in _TRUE else False if text.casefold() in _FALSE else text
    if kind in _AS_JSON:
        value, problem = parse_value(text)
        return text if problem is not None else value
    return text


def _json_items(text: str) -> list[Any] | None:
    """Return the items of a JSON list, one JSON object, or one object a line; None when it is none of them."""
    stripped = text.strip()
    if not stripped.startswith(("[", "{")):
        return None
    value, problem = parse_value(stripped)
    if problem is None:
        return list(value) if isinstance(value, list) else [value]
    parsed = [parse_value(line) for line in stripped.splitlines() if line.strip()]
    if all(issue is None and isinstance(item, Mapping) for item, issue in parsed):
        return [item for item, _ in parsed]
    return None


_LINE: Final = re.compile(r"(?:export\s+)?([^\t:=]+?)\s*[\t:=]\s*(.*)")


def pasted_entries(text: str, kind: FieldKind) -> dict[str, Any]:
    """Read names with their values: a JSON object, or lines such as `name: value`, `NAME=value` or cells of a table.

    Returns:
        The values by name; nothing when a line is none of this.
    """
    stripped = text.strip()
    if stripped.startswith("{"):
        value, problem = parse_value(stripped)
        return dict(value) if problem is None and isinstance(value, Mapping) else {}
    lines = [_LINE.fullmatch(line.strip()) for line in stripped.splitlines() if line.strip()]
    return {
        match[1].strip(): value_of_text(match[2].strip(), kind) for match in lines if match is not None and all(lines)
    }
