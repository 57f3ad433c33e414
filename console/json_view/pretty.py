"""JSON in words: a value written out, and what an object or list holds in one line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from console.json_view.text_lines import SpanKind
from console.language import tr, tr_count

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


LONGEST_TEXT: Final = 2000
"""A text longer than this shows its head and its size."""

_MOST_PARTS: Final = 3
_LONGEST_PART: Final = 40
_LONGEST_SUMMARY: Final = 160
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BREAKS: Final = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t"})


class SummaryPart(NamedTuple):
    """A part of a line and its colour.

    Attributes:
        kind: Its colour; "text3" for what is said about a value rather than the value.
    """

    text: str
    kind: SpanKind | str


def is_container(value: Any) -> bool:
    """Tell whether a value has other values inside."""
    return isinstance(value, Mapping | list | tuple)


def is_list_of_rows(value: Any) -> bool:
    """Tell whether a table can show a value: a list that begins with an object."""
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _kind_of(value: Any) -> SpanKind:
    """Return the colour of a value that has no others inside."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "string"


def size_words(value: Any) -> str:
    """Say how much is inside: `14 items`, `5 keys`, `1 key`."""
    count = len(value)
    if isinstance(value, Mapping):
        return tr_count(count, "1 key", "{count:,} keys")
    return tr_count(count, "1 item", "{count:,} items")


def _one_line(text: str, longest: int = LONGEST_TEXT) -> str:
    """Write a text in quotes on one line; of a long one its head."""
    head = text[:longest]
    quoted = json.dumps(head, ensure_ascii=False)
    return quoted if len(text) <= longest else f"{quoted[:-1]}…"


def scalar_text(value: Any, longest: int = LONGEST_TEXT) -> str:
    """Write a value without others inside as JSON does; of a long text its head."""
    if isinstance(value, str):
        return _one_line(value, longest)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 14_000:
        return tr("a number of more than 4,000 digits")
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        return _one_line(str(value), longest)


def summary(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """Say what a closed object or list holds: `{ file: "a.py", line: 64, … }`, `14 items`."""
    if not isinstance(value, Mapping):
        return size_words(value) if value else "[ ]"
    if not value:
        return "{ }"
    parts: list[str] = []
    used = 0
    for name, inner in value.items():
        if len(parts) == _MOST_PARTS or used > _LONGEST_SUMMARY:
            parts.append("…")
            break
        part = f"{_one_key(name)}: {_short(inner)}"
        used += len(part)
        parts.append(part)
    return f"{{ {', '.join(parts)} }}"


def line_of(key: str | int | None, value: Any, *, is_open: bool) -> list[SummaryPart]:
    """Return the parts of the line of a value in the tree.

    Args:
        key: Its name or position; None for the whole.
        is_open: Whether what is inside is shown below.
    """
    pieces: list[SummaryPart] = []
    if key is not None:
        pieces = [SummaryPart(_one_key(key), "key"), SummaryPart(": ", "punctuation")]
    if is_container(value):
        if key is None:
            brackets = "{ }" if isinstance(value, Mapping) else "[ ]"
            return [SummaryPart(f"{brackets} ", "punctuation"), SummaryPart(size_words(value), "text3")]
        said = size_words(value) if is_open and value else summary(value)
        return [*pieces, SummaryPart(said, "text3")]
    pieces.append(SummaryPart(scalar_text(value), _kind_of(value)))
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        pieces.append(SummaryPart(f"  {tr('{count:,} characters', count=len(value))}", "text3"))
    return pieces


def _one_key(key: str | int) -> str:
    """Write a name on one line, shortened if it is very long."""
    text = str(key).translate(_BREAKS)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def json_path(keys: Sequence[str | int]) -> str:
    """Write where a value stands: `$.matches[0].file`, `$["odd name"]`.

    Args:
        keys: Names and positions from the whole to the value.

    Source: RFC 9535, JSONPath normalized paths, with the shorthand for plain names.
    """
    path = "$"
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        elif _PLAIN_KEY.fullmatch(key):
            path += f".{key}"
        else:
            path += f"[{json.dumps(key, ensure_ascii=False)}]"
    return path


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ }" if not value else size_words(value)
    if isinstance(value, list | tuple):
        return size_words(value)
    return scalar_text(value, _LONGEST_PART)
