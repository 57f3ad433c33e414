"""Text made from JSON values: the canonical form that keys and digests are taken from, and `${name}` placeholders."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import to_jsonable_python

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_ESCAPE: Final = "$${"
_OPEN: Final = "${"


def canonical_json(value: JsonValue) -> str:
    """Return the one JSON text that equal values share: keys sorted, no spaces."""
    return _ENCODER.encode(value)


def to_base64(value: bytes) -> str:
    """Return bytes as base64 text of the standard alphabet."""
    return base64.b64encode(value).decode("ascii")


def as_text(value: Any) -> str:
    """Return a value as a placeholder shows it: text as it is, anything else as its JSON form without quotes."""
    if isinstance(value, str):
        return str.__str__(value)
    plain = to_jsonable_python(value, fallback=str)
    return plain if isinstance(plain, str) else canonical_json(plain)


def substitute(text: str, values: Mapping[str, Any]) -> str:
    """Replace `${name}` by the value of that name and `${name:-fallback}` by the fallback when there is none.

    `$${` stands for a plain `${`. A name that is unknown (or None) and has no fallback stays as it is written. A fallback
    may hold placeholders; a value never is searched for them, so that nobody smuggles one in.

    Args:
        text: The text with placeholders.
        values: What the names stand for.
    """
    if _OPEN not in text:
        return text
    pieces: list[str] = []
    position = 0
    while (start := text.find(_OPEN, position)) >= 0:
        if start > position and text[start - 1] == "$":
            pieces.append(text[position : start - 1] + _OPEN)
            position = start + len(_OPEN)
            continue
        end = _closing(text, start + len(_OPEN))
        if end < 0:
            break
        pieces.append(text[position:start])
        pieces.append(_resolved(text[start : end + 1], values))
        position = end + 1
    pieces.append(text[position:])
    return "".join(pieces)


def has_placeholders(value: object) -> bool:
    """Tell whether a default has to go through `substitute` before it is used."""
    return isinstance(value, str) and _OPEN in value


def _closing(text: str, start: int) -> int:
    depth = 1
    position = start
    while position < len(text):
        if text.startswith(_OPEN, position):
            depth += 1
            position += len(_OPEN)
            continue
        if text[position] == "}":
            depth -= 1
            if not depth:
                return position
        position += 1
    return -1


def _resolved(placeholder: str, values: Mapping[str, Any]) -> str:
    name, separator, fallback = placeholder[len(_OPEN) : -1].partition(":-")
    value = values.get(name)
    if value is not None:
        return as_text(value)
    return substitute(fallback, values) if separator else placeholder
