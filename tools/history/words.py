"""The words that calls are found by: what is indexed of a call, and what a person's words ask of the index.

The index splits text at everything that is no letter and no digit, so a path or an identifier such as `search_files` is
found by its parts. Three-letter tokens, which find any part of a word, took 15 times as long to write and eight times
the space. Who called what, and how it ended, stands beside the words as marks, so that the index answers filters too,
in the order of the ids: with 1,000,000 calls, ordinary indexes took seconds where two filters have little in common.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from tools.history.json_text import beginning_of
from tools.schema import json_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TOOL: Final = "\ue000"
CALLER: Final = "\ue001"
STATUS: Final = "\ue002"
DECIDED: Final = "\ue003"
"""Before a tool, a caller or a status that is indexed beside the words, and for calls that were decided about: nobody
types these letters, and the words of a call have none of them."""

MOST_LETTERS: Final = 4_000
"""How much is indexed of each part of a call."""

_MARKS: Final = re.compile("[\ue000-\ue003]")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_QUERY_PARTS: Final = re.compile(r'"([^"]*)("?)|([^\s"]+)')
_WORD: Final = re.compile(r"[^\W_]")
_SHORTEST_BEGINNING: Final = 2
_PARTS: Final = ("arguments", "edited_arguments", "result", "own_text", "error")


def mark(sign: str, text: str) -> str:
    """Return a name as one word of the index."""
    return sign + text.encode("utf-8", "backslashreplace").hex()


@lru_cache(maxsize=1_000)
def marks_of(tool: str, caller: str, status: str, *, decided: bool) -> str:
    """Return what stands in the index before a call's words: who called what, and how it ended."""
    humps = _HUMP.sub(" ", tool)
    names = f"{tool} {caller}" if humps == tool else f"{tool} {humps} {caller}"
    marks = f"{mark(TOOL, tool)} {mark(CALLER, caller)} {mark(STATUS, status)}"
    return f"{marks} {mark(DECIDED, '')} {names} " if decided else f"{marks} {names} "


def indexed_text(tool: str, caller: str, status: str, decided: int, *texts: str | None) -> str:
    """Return what the index has of a row of the table, from the row's columns, `record` and `words` last."""
    record, words = texts
    known = words_of(json_value(record or "")) if words is None else words
    return marks_of(tool, caller, status, decided=bool(decided)) + known


def indexed_parts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the parts of a call that are indexed, as JSON text, by name; of large ones the beginning."""
    return {name: beginning_of(values[name], MOST_LETTERS) for name in _PARTS if name in values}


def words_of(values: Mapping[str, Any], parts: Mapping[str, str] | None = None) -> str:
    """Return what a call is found by behind its marks.

    Args:
        values: The call's record, by name.
        parts: Its `indexed_parts`, when they are known.

    The same values give the same words before they are stored and after: entries leave the index by their text. Where
    this changes, the version of the file must.
    """
    found = indexed_parts(values) if parts is None else parts
    text = " ".join([part[:MOST_LETTERS] for part in found.values()])
    if "\\" in text:
        text = _unescaped(text)
    if len(values.keys() & _RARE):
        text += "".join([f" {words}" for words in _rare(values)])
    if not text.isascii():
        text = _MARKS.sub(" ", text.encode("utf-8", "replace").decode())
    return text


_RARE: Final = frozenset({"logs", "attachments", "feedback"})


def _rare(values: Mapping[str, Any]) -> Iterable[str]:
    yield values.get("feedback", "")[:MOST_LETTERS]
    yield from [file[0] for file in values.get("attachments", ())]
    letters = 0
    for entry in values.get("logs", ()):
        yield entry[2][:MOST_LETTERS]
        letters += len(entry[2])
        if letters > MOST_LETTERS:
            return


def _unescaped(text: str) -> str:
    # `\\n` in JSON is a backslash before an n, so pairs are looked at first; what a `\u` names is a control letter.
    text = text.replace("\\\\", "/").replace("\\n", " ").replace("\\t", " ").replace("\\r", " ")
    return text.replace("\\u00", " ")


def match_expressions(text: str) -> list[str]:
    """Return what FTS5 is asked for a person's words, which must all occur; none without a letter or a digit.

    Only the last one may end in a `*` and so be the beginning of a word.

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
    return wanted


def any_of(sign: str, names: Iterable[str]) -> str:
    """Return the expression that one of these names stands beside the words."""
    return "(" + " OR ".join(f'"{mark(sign, name)}"' for name in names) + ")"
