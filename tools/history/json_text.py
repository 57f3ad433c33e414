"""JSON text of any size, written so that a program with a window goes on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from tools.schema import json_beginning, json_bytes

MANY: Final = 500
"""How many parts are written without a breath: the compiled writer keeps the interpreter to itself until it is done."""

LONG: Final = 1_000_000
"""How many letters are written without a breath."""


def json_of(value: Any) -> str:
    """Return a value's JSON text."""
    return "".join(_pieces(value)) if is_large(value) else _short_json(value)


def beginning_of(value: Any, letters: int) -> str:
    """Return at least so many letters of a value's JSON text, or all of it."""
    # Piece by piece takes twenty times as long as all at once, for what is not large.
    return json_beginning(value, letters) if is_large(value) else _short_json(value)


def plain_json(value: Any) -> bytes:
    """Return the JSON text of a value that is not large."""
    return json_bytes(value, _in_json)


def _in_json(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else repr(value)


def _short_json(value: Any) -> str:
    return plain_json(value).decode()


def is_large(value: Any) -> bool:
    """Return whether writing a value takes long enough to be felt."""
    kind = type(value)
    if kind is str:
        return len(value) > LONG
    if kind is not dict and kind is not list and kind is not tuple:
        return False
    parts = len(value)
    if parts <= MANY:
        for part in value.values() if kind is dict else value:
            inside = type(part)
            if inside is dict or inside is list:
                parts += len(part)
            elif inside is str:
                parts += len(part) * MANY // LONG
    return parts > MANY


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield '"'
        for start in range(0, len(value), LONG):
            yield _short_json(value[start : start + LONG])[1:-1]
        yield '"'
    elif isinstance(value, dict):
        before = "{"
        for name, part in value.items():
            yield f"{before}{_short_json(name)}:"
            yield json_of(part)
            before = ","
        yield "}" if value else "{}"
    elif isinstance(value, list | tuple):
        yield from _pieces_of_list(value)
    else:
        yield _short_json(value)


def _pieces_of_list(value: Sequence[Any]) -> Iterator[str]:
    yield "["
    for start in range(0, len(value), MANY):
        if start:
            yield ","
        group = value[start : start + MANY]
        if is_large(group):
            yield ",".join(json_of(part) for part in group)
        else:
            yield _short_json(group)[1:-1]
    yield "]"
