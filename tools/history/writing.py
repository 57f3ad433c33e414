"""JSON text of any size, written so that a program with a window goes on meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import PydanticSerializationError, to_json

if TYPE_CHECKING:
    from pydantic import JsonValue

MANY: Final = 500
"""How many parts are written without a breath: the compiled writer keeps the interpreter to itself until it is done."""

LONG: Final = 1_000_000
"""How many letters are written without a breath."""


def json_of(value: Any) -> str:
    """Return a value's JSON text."""
    return "".join(_pieces(value)) if _is_large(value) else _plain_json(value)


def _plain_json(value: Any) -> str:
    try:
        return to_json(value).decode()
    except PydanticSerializationError:
        # File names may hold bytes that are no text; the standard library writes such surrogates as escapes.
        return json.dumps(value, separators=(",", ":"), default=repr)


def _is_large(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return len(value) > LONG
    if kind is dict:
        return len(value) > MANY or any(_is_large(part) for part in value.values() if type(part) not in _SMALL)
    if kind is list:
        return len(value) > MANY or any(_is_large(part) for part in value if type(part) not in _SMALL)
    return False


_SMALL: Final = frozenset({int, float, bool, type(None)})


def _pieces(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield '"'
        for start in range(0, len(value), LONG):
            yield _plain_json(value[start : start + LONG])[1:-1]
        yield '"'
    elif isinstance(value, dict):
        before = "{"
        for name, part in value.items():
            yield f"{before}{_plain_json(name)}:"
            yield json_of(part)
            before = ","
        yield "}" if value else "{}"
    elif isinstance(value, list):
        yield from _pieces_of_list(value)
    else:
        yield _plain_json(value)


def _pieces_of_list(value: list[JsonValue]) -> Iterator[str]:
    yield "["
    for start in range(0, len(value), MANY):
        if start:
            yield ","
        group: list[Any] = value[start : start + MANY]
        if _is_large(group):
            yield ",".join(json_of(part) for part in group)
        else:
            yield _plain_json(group)[1:-1]
    yield "]"
