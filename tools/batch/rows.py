"""The rows that a step is repeated over, read one at a time."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.batch.plan import Rows
from tools.spec import MISSING

_PIECE: Final = 1 << 16
_LARGEST_LOOKED_INTO_BYTES: Final = 4_000_000
"""A list in a JSON file has to be read whole before its first item is known."""
Reader = Callable[[], Iterator[Any]]


class RowSource(NamedTuple):
    """Rows that can be read from the beginning as often as needed.

    Attributes:
        read: Begins to read.
        total: How many there are; None when only reading tells.
    """

    read: Reader
    total: int | None = None


class RowError(Exception):
    """Report rows that cannot be read; the message says which and why."""


def open_rows(rows: Rows, folder: Path, values: Any = None) -> RowSource:
    """Return the rows of a step.

    Raises:
        RowError: When there is no such file, or what should be a list is none.
    """
    if rows.csv is not None:
        path = _existing(folder, rows.csv)
        return RowSource(lambda: _csv_rows(path))
    if rows.json_file is not None:
        path = _existing(folder, rows.json_file)
        return RowSource(lambda: _json_rows(path))
    if rows.files is not None:
        return _file_rows(folder, rows.files)
    if not isinstance(values, list):
        came = "nothing" if values is None else f"a {type(values).__name__}"
        raise RowError(f"expected a list of rows from {rows.values!r:.80}, got {came}")
    found = list(values)
    return RowSource(lambda: iter(found), len(found))


def first_row(rows: Rows, folder: Path) -> Any:
    """Return the first row of a file, or the first file; MISSING when there is none, or finding out takes long.

    Raises:
        RowError: When there is no such file, or it cannot be read.
    """
    if rows.json_file is not None and (folder / rows.json_file).is_file():
        path = folder / rows.json_file
        if path.stat().st_size > _LARGEST_LOOKED_INTO_BYTES:
            return MISSING
    return next(open_rows(rows, folder).read(), MISSING)


def missing_file(rows: Rows, folder: Path) -> str:
    """Return the file that rows are to come from, as the plan calls it; empty when it is there, or there is none."""
    name = rows.csv or rows.json_file
    return name if name and not (folder / name).is_file() else ""


def _existing(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise RowError(f"{name} {what}; expected a file with rows at {path}")
    return path


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8; save it as such"
    if isinstance(error, csv.Error) and "field limit" in str(error):
        # The whole process shares that limit, and others rely on it.
        return f"a cell has more than {csv.field_size_limit():,} letters; put long texts into files of their own"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _csv_rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            names = next(filter(None, reader), None)
            if names is None:
                raise RowError(f"{path}: expected a heading with the names of the columns, got an empty file")
            if len(set(names)) != len(names):
                raise RowError(f"{path}: expected a heading whose names differ, got {', '.join(names)}")
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(names):
                    raise RowError(f"{path}, line {reader.line_num}: expected {len(names)} cells, got {len(cells)}")
                yield dict(zip(names, cells, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RowError(f"{path} cannot be read as CSV: {_why(error)}") from error


def _json_rows(path: Path) -> Iterator[Any]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            beginning = file.read(_PIECE).lstrip()
            file.seek(0)
            if beginning.startswith("["):
                yield from json.load(file)
                return
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _json_line(line, path, number)
    except (OSError, ValueError, RecursionError) as error:
        raise RowError(f"{path} cannot be read as JSON: {_why(error)}") from error


def _json_line(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(
            f"{path}, line {number}: expected a list of rows, or one JSON value a line: {_why(error)}"
        ) from error


def _file_rows(folder: Path, pattern: str) -> RowSource:
    anchor = Path(pattern).anchor
    begin = Path(anchor) if anchor else folder
    try:
        found = sorted(path for path in begin.glob(pattern.removeprefix(anchor)) if path.is_file())
    except (ValueError, OSError) as error:
        raise RowError(f"{pattern!r} is no pattern of file names: {error}") from error

    def read() -> Iterator[dict[str, Any]]:
        for path in found:
            try:
                size_bytes = path.stat().st_size
            except OSError as error:
                raise RowError(
                    f"{path} was there when the step began, and cannot be read any more: {error.strerror or error}"
                ) from error
            yield {"path": str(path), "name": path.name, "size_bytes": size_bytes}

    return RowSource(read, len(found))
