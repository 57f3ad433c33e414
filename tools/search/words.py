"""The words of a text as the search compares them: split, folded, stemmed; and the words that mean the same."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import Final

from snowballstemmer import stemmer

_WORD: Final = re.compile(r"\b[A-Za-z]{1,4}\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
"""A word of a text or an identifier: `readFile`, `read_file` and `HTTPHeaders` have two each, `sha256` is one."""

_NO_MEANING: Final = """
a about all am an and any are as at be been but by can could did do does each every for from get give had has have how i
if in into is it its just let like make me my need of on one or our out please several should show so some somebody
someone something tell than that the their them then there these this those to tool tools up us use used user using want
was we were what when where which who whose why will with would you your
"""

STOP_WORDS: Final = frozenset(_NO_MEANING.split())
"""Words that say nothing of a tool by themselves; they count only where nothing else was asked for."""

_SAME: Final = (
    "delete remove erase rm unlink clear drop discard forget",
    "create make new add open mkdir generate build",
    "list show enumerate ls browse display view",
    "read open cat view load contents",
    "find search locate lookup grep seek",
    "write save store put persist",
    "folder directory dir mkdir",
    "rename move mv relocate",
    "copy duplicate clone cp",
    "change edit modify update alter",
    "run execute start launch trigger invoke",
    "stop cancel abort kill end",
    "compare diff difference changes changed",
    "download fetch retrieve",
    "upload push send submit post",
    "url link address href",
    "website site page web",
    "image picture photo screenshot png",
    "hash checksum digest",
    "average mean",
    "issue ticket bug",
    "repository repo",
    "pr pull",
    "workflow ci action pipeline",
    "calculate compute evaluate",
    "convert transform translate",
    "check verify validate valid",
    "process program",
    "command shell script terminal bash",
    "zip compress gzip archive",
    "remember memory store note",
    "person people user member",
    "choose select pick option",
    "press click button",
    "fill type enter",
    "spreadsheet csv table",
    "sql query database",
    "config settings configuration",
    "latest newest recent last current now",
    "time clock date today",
    "ask question clarify",
    "random unique uuid guid",
    "vulnerability security alert",
    "secret password token credential leaked",
    "label tag",
    "size space large big biggest",
    "error fail failure problem",
    "log logs history",
    "env environment",
    "js javascript",
    "access collaborator permission allowed",
)
"""Words that people and models use for one another."""

_stem = stemmer("english").stemWord
_STEMMING: Final = Lock()
_LONGEST_STEM: Final = 2


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """Return what a folded word has in common with its inflections."""
    # Numbers and the shortest words have no inflections, and of numbers there are many.
    if len(word) <= _LONGEST_STEM or not word.isascii() or word.isdecimal():
        return word
    # The stemmer works on a text that it keeps: two threads at once would get pieces of each other's words.
    with _STEMMING:
        return str(_stem(word))


def _folded(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def words_of(text: str) -> list[str]:
    """Return the folded words of a text or an identifier, in their order."""
    if not text.isascii():
        text = _folded(text)
    return list(map(str.casefold, _WORD.findall(text)))


def _synonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in _SAME:
        stems = [stem(word) for word in line.split()]
        for one in stems:
            found.setdefault(one, {}).update((other, None) for other in stems if other != one)
    return {one: tuple(others) for one, others in found.items()}


SYNONYMS: Final = _synonyms()
"""The stems that mean about the same as a stem."""
