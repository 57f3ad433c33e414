"""Write JSON values as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeVar

_MOST_CHARACTERS: Final = 60_000
_MOST_LINES: Final = 2000
_PIECES_AT_ONCE: Final = 10_000

Part = TypeVar("Part")


def json_text(value: Any) -> str:
    """Write a value as JSON, two spaces a level."""
    pieces = json.JSONEncoder(indent=2, ensure_ascii=False, default=str).iterencode(value)
    # To join all pieces of a large value at once would keep the interpreter from the window's thread meanwhile.
    return "".join(iter(lambda: "".join(islice(pieces, _PIECES_AT_ONCE)), ""))


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
    beginning = _Beginning()
    for piece in encoder.iterencode(beginning.of(value)):
        pieces.append(piece)
        size += len(piece)
        lines += piece.count("\n")
        if size > _MOST_CHARACTERS or lines > _MOST_LINES:
            return "".join(pieces)[:_MOST_CHARACTERS], False
    return "".join(pieces), not beginning.is_cut


class _Beginning:
    """Copy as much of a value as can be shown; a text of any length would be written whole before it could be cut."""

    def __init__(self) -> None:
        self.is_cut = False
        self._room = _MOST_CHARACTERS

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            self.is_cut |= len(value) > _MOST_CHARACTERS
            self._room -= len(value)
            return value[:_MOST_CHARACTERS]
        if isinstance(value, Mapping):
            return {key: self.of(part) for key, part in self._first(value.items())}
        if isinstance(value, list | tuple):
            return [self.of(part) for part in self._first(value)]
        self._room -= 1
        return value

    def _first(self, parts: Iterable[Part]) -> Iterator[Part]:
        for part in parts:
            if self._room <= 0:
                self.is_cut = True
                return
            self._room -= 1
            yield part
