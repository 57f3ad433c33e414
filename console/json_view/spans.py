"""Find the coloured parts of JSON and of source code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

SpanKind = Literal[
    "text", "key", "string", "number", "boolean", "null", "punctuation", "comment", "keyword", "function"
]

_JSON: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))'
    r'|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<boolean>\b(?:true|false)\b)"
    r"|(?P<null>\bnull\b)"
    r"|(?P<punctuation>[{}\[\],:]+)"
)
_LONGEST_CODE: Final = 200_000
_COMMON: Final = ("a.py", "a.md", "a.js", "a.html", "a.toml", "a.yaml")


class TextSpan(NamedTuple):
    """A part of a line.

    Attributes:
        start: Its first letter.
        end: The one past its last.
        kind: What it is.
    """

    start: int
    end: int
    kind: SpanKind


def json_spans(line: str) -> list[TextSpan]:
    """Find the coloured parts of one line of JSON; values never go over lines.

    Args:
        line: Without its line break; it may be wrong JSON.
    """
    return [TextSpan(found.start(), found.end(), found.lastgroup) for found in _JSON.finditer(line)]  # type: ignore[arg-type]


def code_spans(lines: Sequence[str], file_name: str) -> list[list[TextSpan]]:
    """Find the coloured parts of source code.

    Returns:
        The parts of each line; empty ones for a language nobody knows.
    """
    empty: list[list[TextSpan]] = [[] for _ in lines]
    text = "\n".join(lines)
    if len(text) > _LONGEST_CODE:
        return empty
    lexer = _lexer_for(file_name)
    if lexer is None:
        return empty
    spans, row, column = empty, 0, 0
    for token, piece in lexer.get_tokens(text):
        kind = _kind_of(token)
        for index, part in enumerate(piece.split("\n")):
            if index:
                row, column = row + 1, 0
            if kind != "text" and part.strip() and row < len(spans):
                spans[row].append(TextSpan(column, column + len(part), kind))
            column += len(part)
    return spans


def load_languages() -> None:
    """Load what the colours of the commonest languages need, which takes half a second; from any thread."""
    for file_name in _COMMON:
        code_spans([" "], file_name)


def _lexer_for(file_name: str) -> Any:
    # Not loaded with the program: it costs time that its start has not.
    from pygments.lexers import get_lexer_for_filename  # noqa: PLC0415 -- only source needs it
    from pygments.util import ClassNotFound  # noqa: PLC0415 -- likewise

    try:
        return get_lexer_for_filename(file_name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _kind_of(token: Any) -> SpanKind:
    path = tuple(token)
    if path[:1] == ("Comment",):
        return "comment"
    if path[:2] == ("Keyword", "Constant"):
        return "boolean"
    if path[:1] == ("Keyword",) or path == ("Operator", "Word"):
        return "keyword"
    if path[:2] == ("Name", "Function"):
        return "function"
    if path[:2] == ("Name", "Tag"):
        return "key"
    if path[:2] == ("Literal", "String"):
        return "string"
    return "number" if path[:2] == ("Literal", "Number") else "text"
