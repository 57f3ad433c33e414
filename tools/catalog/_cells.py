"""Values of databases, spreadsheets and table files as JSON has them."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from pydantic import JsonValue

from tools.catalog._bounds import MAX_CELL_CHARS, MAX_CHARS, counted, say_cut
from tools.context import ToolContext


def json_cell(value: Any) -> JsonValue:
    """Return a value as JSON has it: blobs as base64, times as ISO 8601, numbers that JSON lacks as text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return value if len(value) <= MAX_CELL_CHARS else value[:MAX_CELL_CHARS] + "…"
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value[:MAX_CELL_CHARS])).decode()
    if isinstance(value, Decimal):
        return _number(value)
    return _composed(value)


def _composed(value: Any) -> JsonValue:
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): json_cell(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_cell(item) for item in value]
    return json_cell(str(value))


def _number(value: Decimal) -> JsonValue:
    """Return a number where JSON readers keep all its digits, else its text."""
    if not value.is_finite():
        return str(value)
    near = float(value)
    return near if Decimal(repr(near)) == value else str(value)


def is_cut(value: Any) -> bool:
    """Return whether `json_cell` leaves a part of a value out."""
    return isinstance(value, str | bytes | bytearray | memoryview) and len(value) > MAX_CELL_CHARS


class BoundedRows:
    """Keep rows until there are enough of them.

    Attributes:
        rows: The rows kept, by column.
        truncated: Whether rows or parts of values are missing.
    """

    def __init__(self, columns: list[str], most: int) -> None:
        self.rows: list[dict[str, JsonValue]] = []
        self.truncated = False
        self._columns = columns
        self._most = most
        self._room = MAX_CHARS

    def add(self, row: Any) -> bool:
        """Keep one row; return whether there was room for it."""
        if len(self.rows) >= self._most or self._room < 0:
            self.truncated = True
            return False
        values = [json_cell(value) for value in row]
        self._room -= sum(len(value) if isinstance(value, str) else 8 for value in values)
        self.truncated = self.truncated or any(map(is_cut, row))
        self.rows.append(dict(zip(self._columns, values, strict=True)))
        return True

    def say_cut(self, ctx: ToolContext) -> None:
        if self.truncated:
            kept = counted(len(self.rows), "row")
            say_cut(ctx, f"{kept} and at most {MAX_CELL_CHARS:,} characters of each value are kept")
