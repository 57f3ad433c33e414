"""Read large JSON texts without keeping the interpreter to oneself: Python's own reader lets go only at the end."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Final

_AT_ONCE: Final = 200_000
_DEEPEST: Final = 4
_SPACE: Final = re.compile(r"[ \t\n\r]*")


def read_json(text: str) -> Any:
    """Return the value of a JSON text.

    Of a large text the outer levels are read part by part, so that the window's thread gets its turn between them.

    Args:
        text: JSON.

    Raises:
        ValueError: The text is no JSON.
        RecursionError: Too many values are inside each other.

    Source: RFC 8259.
    """
    if len(text) <= _AT_ONCE:
        return json.loads(text)
    reader = _Reader(text)
    value, end = reader.value(reader.after_space(0), 0)
    if reader.after_space(end) != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


class _Reader:
    """Read one text.

    Args:
        text: JSON.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._inner = json.JSONDecoder().raw_decode
        self._space = _SPACE.match

    def after_space(self, at: int) -> int:
        found = self._space(self._text, at)
        return found.end() if found is not None else at

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """Return the value that begins here, and where it ends."""
        first = self._text[at : at + 1]
        if depth < _DEEPEST and first == "[":
            return self._list(at + 1, depth + 1)
        if depth < _DEEPEST and first == "{":
            return self._object(at + 1, depth + 1)
        return self._inner(self._text, at)

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        at = self.after_space(at)
        if self._text[at : at + 1] == "]":
            return values, at + 1
        while True:
            value, at = self.value(at, depth)
            values.append(value)
            at, is_last = self._after_part(at, "]")
            if is_last:
                return values, at

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        at = self.after_space(at)
        if self._text[at : at + 1] == "}":
            return values, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                raise json.JSONDecodeError("Expecting property name enclosed in double quotes", self._text, at)
            name, at = self._inner(self._text, at)
            at = self.after_space(at)
            if self._text[at : at + 1] != ":":
                raise json.JSONDecodeError("Expecting ':' delimiter", self._text, at)
            values[sys.intern(name)], at = self.value(self.after_space(at + 1), depth)
            at, is_last = self._after_part(at, "}")
            if is_last:
                return values, at

    def _after_part(self, at: int, closing: str) -> tuple[int, bool]:
        """Return where the next part begins, or where all of them end."""
        at = self.after_space(at)
        mark = self._text[at : at + 1]
        if mark == closing:
            return at + 1, True
        if mark != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", self._text, at)
        return self.after_space(at + 1), False
