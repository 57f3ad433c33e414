"""The texts that JSON values and bytes have: canonical JSON, which keys and digests are taken from, and base64."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import PydanticSerializationError, from_json, to_json

if TYPE_CHECKING:
    from pydantic import JsonValue

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: JsonValue) -> str:
    """Return the one JSON text that equal values share: keys sorted, no spaces."""
    return _ENCODER.encode(value)


def json_text(value: JsonValue) -> str:
    """Return a value as short JSON text."""
    return json_bytes(value).decode()


def json_bytes(value: Any, default: Callable[[Any], Any] | None = None) -> bytes:
    """Return a value as short JSON text in UTF-8; `default` writes what has no JSON form, None raises."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        # File names may hold bytes that are no text; the standard library writes such surrogates as escapes.
        return json.dumps(value, separators=(",", ":"), default=default).encode()


def json_value(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: When it is none.
    """
    try:
        return from_json(text)
    except ValueError:
        # The standard library reads what it wrote of texts that are no valid Unicode.
        return json.loads(text)


def json_beginning(value: JsonValue, letters: int) -> str:
    """Return at least so many letters of a value's JSON text, or all of it, without looking at the rest."""
    pieces: list[str] = []
    size = 0
    for piece in _pieces(value, letters):
        pieces.append(piece)
        size += len(piece)
        if size > letters:
            break
    return "".join(pieces)


def _pieces(value: JsonValue, letters: int) -> Iterator[str]:
    if isinstance(value, dict):
        before = "{"
        for name, part in value.items():
            yield f"{before}{json.dumps(name[:letters], ensure_ascii=False)}:"
            yield from _pieces(part, letters)
            before = ","
        yield "}" if value else "{}"
    elif isinstance(value, list):
        before = "["
        for part in value:
            yield before
            yield from _pieces(part, letters)
            before = ","
        yield "]" if value else "[]"
    else:
        yield json.dumps(value[:letters] if isinstance(value, str) else value, ensure_ascii=False)


def to_base64(value: bytes) -> str:
    """Return bytes as base64 text of the standard alphabet."""
    return base64.b64encode(value).decode("ascii")
