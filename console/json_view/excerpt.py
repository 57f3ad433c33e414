"""Read a place in a file, with the lines around it, out of a result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_WORD: Final = re.compile(r"\w+|\S")


class Excerpt(NamedTuple):
    """Some lines of a file.

    Attributes:
        file: Its name.
        line: The line that is meant, from 1.
        column: Where in it, from 1; None if the result does not say.
        first: Number of the first line that is there.
        lines: The lines.
        mark: First letter of what is meant in its line and the one past its last; None for the whole line.
    """

    file: str
    line: int
    column: int | None
    first: int
    lines: tuple[str, ...]
    mark: tuple[int, int] | None


def excerpt_of(value: Any) -> Excerpt | None:
    """Return the excerpt that an object describes; None if it describes none.

    What counts: `file` (or `path`), `line`, and a `text` of that line; lines before and after it from `before` and
    `after`, also inside `context`. No file is opened.

    Args:
        value: A JSON value.
    """
    if not isinstance(value, Mapping):
        return None
    file, line, text = value.get("file", value.get("path")), value.get("line"), value.get("text")
    if not isinstance(file, str) or not isinstance(line, int) or isinstance(line, bool) or not isinstance(text, str):
        return None
    context = value.get("context")
    around = context if isinstance(context, Mapping) else value
    before, after = _texts(around.get("before")), _texts(around.get("after"))
    column = value.get("column")
    column = column if isinstance(column, int) and not isinstance(column, bool) else None
    return Excerpt(file, line, column, line - len(before), (*before, text, *after), _mark(text, column))


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(line, str) for line in value):
        return ()
    return tuple(value)


def _mark(text: str, column: int | None) -> tuple[int, int] | None:
    found = _WORD.match(text, column - 1) if column is not None and column >= 1 else None
    return found.span() if found is not None else None
