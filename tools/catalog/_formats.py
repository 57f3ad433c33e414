"""JSON, YAML, TOML, CSV and XML as plain values and back. Numbers keep every digit, errors say where they are."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tomli_w

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


MAX_YAML_CHARS: Final = 3_000_000
_MOST_VALUES: Final = 2_000_000
_DEEPEST: Final = 100


Look = Callable[[], object]


def go_on() -> None:
    """Let work go on to its end."""


class Format(StrEnum):
    """How data is written."""

    JSON = "json"
    YAML = "yaml"
    TOML = "toml"
    CSV = "csv"
    XML = "xml"


SUFFIXES: Final = {
    ".json": Format.JSON,
    ".yaml": Format.YAML,
    ".yml": Format.YAML,
    ".toml": Format.TOML,
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".xml": Format.XML,
}


def format_of(text: str, path: Path | None) -> Format:
    """Return the format of a file by its name, or of a text by its first sign.

    Raises:
        ToolFailure: Neither tells.
    """
    found = SUFFIXES.get(path.suffix.lower()) if path is not None else None
    if found is not None:
        return found
    if text.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}:
        return Format.JSON
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return Format.XML
    raise ToolFailure("cannot tell the format of the data; say it in source_format: json, yaml, toml, csv or xml")


def parse(text: str, kind: Format, name: str, look: Look = go_on) -> Any:
    """Return the data in a text.

    Args:
        name: What it is called in messages.
        look: Called now and then; it raises to end the work.

    Raises:
        ToolFailure: It is wrong; the message says at which line and column.
    """
    try:
        if kind is Format.YAML:
            return plain(_parse_yaml(text.removeprefix("\ufeff"), name, look))
        return plain(_PARSERS[kind](text.removeprefix("\ufeff"), name))
    except RecursionError as error:
        raise ToolFailure(f"{name} is nested too deeply") from error


def parse_json(text: str, name: str, number: Callable[[str], Any] = Decimal) -> Any:
    """Return the value of a JSON text.

    Args:
        name: What it is called in messages.
        number: Makes what has a fraction or an exponent.

    Raises:
        ToolFailure: It is no JSON; the message says where.
    """
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            parse_int=_integer,
            parse_float=number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise ToolFailure(f"{name} is no JSON: {error.msg} at line {error.lineno}, column {error.colno}") from error
    except (ValueError, InvalidOperation) as error:
        raise ToolFailure(f"{name} is no JSON: {error}") from error
    except RecursionError as error:
        raise ToolFailure(f"{name} is nested too deeply") from error


# Python's reader stops every other thread for as long as it runs, unless it calls Python now and then.
def _integer(digits: str) -> int:
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the name {twice!r} twice")
    return found


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number in JSON")


def _parse_yaml(text: str, name: str, look: Look) -> Any:
    if len(text) > MAX_YAML_CHARS:
        raise ToolFailure(f"{name} has {len(text):,} characters; at most {MAX_YAML_CHARS:,} of YAML can be read")
    from tools import exact_yaml  # noqa: PLC0415 -- loads a library that only YAML needs

    return exact_yaml.parse(text, name, look)


def _parse_toml(text: str, name: str) -> Any:
    import tomllib  # noqa: PLC0415 -- the tools are listed without it

    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise ToolFailure(f"{name} is no TOML: {error}") from error


def _parse_csv(text: str, name: str) -> list[dict[str, Any]]:
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter_of(text[:64_000]), strict=True)
    rows: list[dict[str, Any]] = []
    try:
        columns = unique_names(next(reader, []))
        for row in reader:
            if not row:
                continue
            if len(row) != len(columns):
                wanted = f"expected {len(columns)} cells as in the first line"
                raise ToolFailure(f"{name}, line {reader.line_num}: {wanted}, got {len(row)}")
            rows.append(dict(zip(columns, map(cell_value, row), strict=True)))
    except csv.Error as error:
        raise ToolFailure(f"{name} is no CSV: {error} at line {reader.line_num}") from error
    return rows


def _parse_xml(text: str, name: str) -> Any:
    from tools.catalog import _xml  # noqa: PLC0415 -- few tools need it

    return _xml.parse(text, name)


def _write_xml(value: Any) -> str:
    from tools.catalog import _xml  # noqa: PLC0415 -- few tools need it

    return _xml.write(value)


_PARSERS: Final[dict[Format, Callable[[str, str], Any]]] = {
    Format.JSON: parse_json,
    Format.TOML: _parse_toml,
    Format.CSV: _parse_csv,
    Format.XML: _parse_xml,
}


class _Counter:
    def __init__(self) -> None:
        self.left = _MOST_VALUES


def plain(value: Any, depth: int = 0, counter: _Counter | None = None) -> Any:
    """Return data as dicts with text keys, lists, scalars and dates; aliases that would explode are refused.

    Raises:
        ToolFailure: There are too many values, or it is nested too deeply.
    """
    counter = counter or _Counter()
    counter.left -= 1
    if counter.left < 0:
        raise ToolFailure(f"the data has more than {_MOST_VALUES:,} values; take a part of it")
    if depth > _DEEPEST:
        raise ToolFailure(f"the data is nested more than {_DEEPEST} levels deep or contains itself")
    if isinstance(value, Mapping):
        return {_key(key): plain(item, depth + 1, counter) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1, counter) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    return key.isoformat() if isinstance(key, date | datetime | time) else str(key)


def write(value: Any, kind: Format) -> str:
    """Return data as text.

    Raises:
        ToolFailure: The format cannot say it; the message names the place.
    """
    return _WRITERS[kind](value)


def json_text(value: Any, indent: int | None = 2, level: int = 0) -> str:
    """Return data as JSON. Decimals keep their digits; dates become text.

    Args:
        value: Plain data.
        indent: Spaces for each level; None writes one line.
        level: How deep it lies.

    Raises:
        ToolFailure: It holds infinity or NaN.
    """
    if isinstance(value, dict):
        items = [
            f"{json.dumps(key, ensure_ascii=False)}: {json_text(item, indent, level + 1)}"
            for key, item in value.items()
        ]
        return _bracketed("{", items, "}", indent, level)
    if isinstance(value, list):
        return _bracketed("[", [json_text(item, indent, level + 1) for item in value], "]", indent, level)
    if isinstance(value, float | Decimal):
        if not (value.is_finite() if isinstance(value, Decimal) else isfinite(value)):
            raise ToolFailure(f"JSON has no {value}; remove it or choose yaml or toml")
        return str(value)
    if isinstance(value, date | datetime | time):
        value = value.isoformat()
    return json.dumps(value, ensure_ascii=False)


def _bracketed(opening: str, items: Sequence[str], closing: str, indent: int | None, level: int) -> str:
    if not items:
        return opening + closing
    if indent is None:
        return opening + ", ".join(items) + closing
    inner, outer = "\n" + " " * (indent * (level + 1)), "\n" + " " * (indent * level)
    return opening + inner + f",{inner}".join(items) + outer + closing


def _write_yaml(value: Any) -> str:
    from tools import exact_yaml  # noqa: PLC0415 -- loads a library that only YAML needs

    return exact_yaml.write(value)


def _write_toml(value: Any) -> str:
    if not isinstance(value, dict):
        raise ToolFailure(f"TOML holds named values at the top, not {_kind_name(value)}; put it into an object first")
    _refuse_nulls(value, "")
    return tomli_w.dumps(value)


def _refuse_nulls(value: Any, where: str) -> None:
    if value is None:
        raise ToolFailure(f"{where.removeprefix('.')} is null, which TOML cannot say; remove it")
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_nulls(item, f"{where}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_nulls(item, f"{where}[{index}]")


def _write_csv(value: Any) -> str:
    rows = value if isinstance(value, list) else [value]
    columns: dict[str, None] = {}
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ToolFailure(f"CSV needs a list of objects, but [{index}] is {_kind_name(row)}")
        columns.update(dict.fromkeys(row))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return stream.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json_text(value, None).strip('"')


def _kind_name(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


_WRITERS: Final[dict[Format, Callable[[Any], str]]] = {
    Format.JSON: lambda value: json_text(value) + "\n",
    Format.YAML: _write_yaml,
    Format.TOML: _write_toml,
    Format.CSV: _write_csv,
    Format.XML: _write_xml,
}
