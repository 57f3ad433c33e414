"""The words that calls are found by: what is indexed of a call, and what a person's words ask of the index.

The index splits text at everything that is no letter and no digit, so a path or an identifier such as `search_files` is
found by its parts. Three-letter tokens, which find any part of a word, took 15 times as long to write and eight times
the space.
"""

from __future__ import annotations

import re
from typing import Final

INDEX_VERSION: Final = 1
"""Changes with `searched_words`, and then the index is made anew: entries leave it by the text they came with."""

TOOL_MARK: Final = "\ue000"
CALLER_MARK: Final = "\ue001"
STATUS_MARK: Final = "\ue002"
DECIDED_MARK: Final = "\ue003"
"""Before the number of a tool, a caller or a status that is indexed beside the words, and for calls that were decided
about: nobody types these letters."""

MOST_LETTERS: Final = 4_000
"""How much is indexed of the arguments, and of the result."""

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_QUERY_PARTS: Final = re.compile(r'"([^"]*)("?)|([^\s"]+)')
_WORD: Final = re.compile(r"[^\W_]")
_SHORTEST_BEGINNING: Final = 2


def parts_of_name(name: str) -> str:
    """Return a name, and its parts when it is written like `searchFiles`."""
    parts = _HUMP.sub(" ", name)
    return name if parts == name else f"{name} {parts}"


def searched_words(
    arguments: bytes | None, result: bytes | None, error: bytes | None, more: str = "", *, sealed: bool = False
) -> bytes:
    """Return what the index gets of a call behind the marks and names of its kind.

    Args:
        arguments: What the row has: JSON text or None.
        result: Likewise.
        error: Likewise.
        more: Log lines and a person's words.
        sealed: Whether arguments and result are encrypted.
    """
    parts = (b"" if sealed else arguments or b"", b"" if sealed else result or b"", error or b"")
    text = b" ".join(parts)
    if len(text) > MOST_LETTERS:
        text = " ".join([part.decode(errors="replace")[:MOST_LETTERS] for part in parts]).encode()
    if b"\\" in text:
        text = _unescaped(text)
    return text + b" " + more[:MOST_LETTERS].encode() if more else text


def are_words(text: bytes) -> bool:
    """Return whether the index gets a call's texts as they are, one after the other."""
    return len(text) <= MOST_LETTERS and b"\\" not in text


def _unescaped(text: bytes) -> bytes:
    # `\\n` in JSON is a backslash before an n, so pairs are looked at first; what a `\u` names is a control letter.
    text = text.replace(b"\\\\", b"/").replace(b"\\n", b" ").replace(b"\\t", b" ").replace(b"\\r", b" ")
    return text.replace(b"\\u00", b" ")


def match_expression(text: str) -> str:
    """Return what FTS5 is asked for a person's words; empty when they hold no letter and no digit.

    Every part goes into quotation marks, so nothing a person types is ever an operator.
    """
    wanted: list[str] = []
    last_open = not text[-1:].isspace()
    for match in _QUERY_PARTS.finditer(text.replace("\0", " ")):
        phrase, closed, word = match.groups()
        part = word if phrase is None else phrase
        if not _WORD.search(part):
            continue
        at_end = match.end() == len(text) and last_open
        # The beginning of a word finds too much before its second letter.
        tail = re.split(r"[\W_]+", part)[-1]
        begins = at_end and not closed and len(tail) >= _SHORTEST_BEGINNING
        wanted.append(f'"{part}"{"*" if begins else ""}')
    return " AND ".join(wanted)


def any_of(mark: str, numbers: list[int]) -> str:
    """Return the expression that one of these marked numbers stands beside the words."""
    return "(" + " OR ".join(f'"{mark}{number}"' for number in numbers) + ")"
