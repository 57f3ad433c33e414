"""Find where a value stands in JSON text."""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from console.schema_form.paths import Path

_TOKEN: Final = re.compile(r'("(?:[^"\\]|\\.)*")|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class TextPosition(NamedTuple):
    """A place in a text, as people count.

    Attributes:
        line: Counted from 1.
        column: Counted from 1.
    """

    line: int
    column: int


def place_of(text: str, path: Path) -> TextPosition:
    """Return where a value begins, or the nearest one around it that is there.

    Args:
        text: JSON.
        path: Which value.
    """
    start = _start_of(text, path)
    line_start = text.rfind("\n", 0, start) + 1
    return TextPosition(text.count("\n", 0, start) + 1, start - line_start + 1)


def _start_of(text: str, path: Path) -> int:
    """Walk the tokens; `here` is the path of the value that comes next, or of the one that is open."""
    here: list[str | int] = []
    best, depth = 0, -1
    awaits_name = False
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "]}":
            here.pop()
            awaits_name = False
        elif mark == ",":
            last = here.pop()
            awaits_name = isinstance(last, str)
            here.append(last + 1 if isinstance(last, int) else "")
        elif mark == ":":
            awaits_name = False
        elif awaits_name:
            here[-1] = json.loads(mark)
        else:
            if depth < len(here) <= len(path) and tuple(here) == path[: len(here)]:
                best, depth = token.start(), len(here)
            if mark in "[{":
                here.append(0 if mark == "[" else "")
                awaits_name = mark == "{"
    return best
