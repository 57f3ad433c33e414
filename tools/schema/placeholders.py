"""`${name}` placeholders in defaults and in the texts tools return.

Source: seed 1, "Placeholders".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tools.schema.plain_json import plain
from tools.schema.text import canonical_json

_OPEN: Final = "${"


def substitute(text: str, values: Mapping[str, Any]) -> str:
    """Replace `${name}` by the value of that name and `${name:-fallback}` by the fallback when there is none.

    `$${` stands for a plain `${`. A name that is unknown (or None) and has no fallback stays as it is written. A
    fallback may hold placeholders; a value never is searched for them, so that nobody smuggles one in.

    Args:
        values: What the names stand for. Text is put in as it is, anything else as its JSON form.
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
        return _shown(value)
    return substitute(fallback, values) if separator else placeholder


def _shown(value: Any) -> str:
    try:
        written = plain(value)
    except TypeError:
        return str(value)
    return written if isinstance(written, str) else canonical_json(written)
