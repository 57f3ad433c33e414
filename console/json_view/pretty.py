"""Write JSON values as text."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["bounded_json", "json_text", "plain_text"]

_MOST_CHARACTERS: Final = 60_000
_MOST_LINES: Final = 2000


def json_text(value: Any) -> str:
    """Write a value as JSON, two spaces a level."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def plain_text(value: Any) -> str:
    """Write a value for a person: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json_text(value)


def bounded_json(value: Any) -> tuple[str, bool]:
    """Write the beginning of a value as JSON, without looking at the rest.

    Returns:
        The text, and whether it is all of it.
    """
    encoder = json.JSONEncoder(indent=2, ensure_ascii=False, default=str)
    pieces: list[str] = []
    size = lines = 0
    for piece in encoder.iterencode(value):
        pieces.append(piece)
        size += len(piece)
        lines += piece.count("\n")
        if size > _MOST_CHARACTERS or lines > _MOST_LINES:
            return "".join(pieces)[:_MOST_CHARACTERS], False
    return "".join(pieces), True
