"""Properties files as Java reads them: `name=value` lines with comments, escapes and continued lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_WRITTEN: Final = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"}
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_SEPARATOR: Final = re.compile(r"(?P<name>(?:\\.|[^\\=:\s])*)(?:\s*[=:]\s*|\s+|$)(?P<value>.*)", re.DOTALL)
_IN_NAME: Final = re.compile(r"[=:#! ]")


class Property(NamedTuple):
    """One property of a file.

    Attributes:
        line: The line that it begins in, counted from 1.
        end: The line after it, likewise.
    """

    name: str
    value: str
    line: int
    end: int


def properties_in(text: str) -> Iterator[Property]:
    """Yield the properties of a file, in its order; of several with one name the last counts."""
    lines = [line.rstrip("\r\n") for line in _LINES.findall(text.removeprefix("\ufeff"))]
    at = 0
    while at < len(lines):
        first, line = at + 1, lines[at].lstrip()
        at += 1
        if not line or line[0] in "#!":
            continue
        while _is_continued(line):
            line = line[:-1] + (lines[at].lstrip() if at < len(lines) else "")
            at += 1
        found = _SEPARATOR.match(line)
        if found:
            yield Property(_unescaped(found["name"]), _unescaped(found["value"]), first, at + 1)


def read_properties(text: str) -> dict[str, str]:
    """Return the properties of a file by their names."""
    return {found.name: found.value for found in properties_in(text)}


def property_line(name: str, value: str) -> str:
    """Return the line that sets a property, without its end."""
    written = _escaped(value)
    blank = "\\" if written.startswith(" ") else ""
    return _IN_NAME.sub(r"\\\g<0>", _escaped(name)) + f"={blank}{written}"


def with_property(text: str, name: str, value: str | None) -> str:
    """Return a file's text with a property set in its place, else at the end; None takes it out.

    Everything else stays as it is, comments and the order of lines too.
    """
    lines = _LINES.findall(text)
    known = [found for found in properties_in(text) if found.name == name]
    for found in reversed(known):
        lines[found.line - 1 : found.end - 1] = []
    if value is not None:
        at = known[0].line - 1 if known else len(lines)
        if at and not lines[at - 1].endswith(("\n", "\r")):
            lines[at - 1] += "\n"
        lines.insert(at, f"{property_line(name, value)}\n")
    return "".join(lines)


def _is_continued(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unescaped(text: str) -> str:
    def meant(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else _ESCAPES.get(found[2], found[2])

    return _ESCAPE.sub(meant, text)


def _escaped(text: str) -> str:
    return "".join(_WRITTEN.get(letter, letter) for letter in text)
