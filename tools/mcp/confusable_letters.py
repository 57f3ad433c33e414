"""Letters that are not what they seem: hidden ones, ones that turn the order of text, ones that look like others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANKS: Final = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0\ufeff")
_BYTE_ORDER_MARK: Final = "\ufeff"
_JOINERS: Final = frozenset("\u200c\u200d")
_TAGS: Final = range(0xE0000, 0xE0080)
_SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_BLACK_FLAG: Final = "\U0001f3f4"
_PLAIN_CONTROLS: Final = frozenset("\t\n\r")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")

_SHAPES: Final = str.maketrans(
    {
        **dict.fromkeys("0oOоОοΟ", "o"),
        **dict.fromkeys("1lI|іІӏΙι", "l"),
        **dict.fromkeys("аАα", "a"),
        **dict.fromkeys("еЕε", "e"),
        **dict.fromkeys("сС", "c"),
        **dict.fromkeys("рРρ", "p"),
        **dict.fromkeys("хХχ", "x"),
        **dict.fromkeys("уУ", "y"),
        **dict.fromkeys("ѕЅ5", "s"),
        **dict.fromkeys("јЈ", "j"),
        **dict.fromkeys("ԁ", "d"),
        **dict.fromkeys("һ", "h"),
        **dict.fromkeys("ԛ", "q"),
        **dict.fromkeys("ԝ", "w"),
        **dict.fromkeys("кΚκ", "k"),
        **dict.fromkeys("тТτΤ", "t"),
        **dict.fromkeys("мМΜ", "m"),
        **dict.fromkeys("нНΗ", "h"),
        **dict.fromkeys("вВΒ", "b"),
        **dict.fromkeys("ν", "v"),
    }
)
"""Letters of several scripts that look alike, and the one that stands for them."""


def hidden_letters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each run of letters that nobody sees, or that turn the order of others: its start, its end, what it is.

    Joiners and selectors where scripts and emoji need them are no finding.
    """
    if text.isascii() and text.isprintable():
        return
    run: tuple[int, int, str] | None = None
    for place, letter in enumerate(text):
        what = _hidden(text, place, letter)
        if run is not None and (run[1] != place or run[2] != what):
            yield run
            run = None
        if what:
            run = (place if run is None else run[0], place + 1, what)
    if run is not None:
        yield run


def _hidden(text: str, place: int, letter: str) -> str:
    """Return what a hidden letter is; empty for any other."""
    code = ord(letter)
    if code in _TAGS:
        return "" if _in_flag(text, place) else "letters that only a model reads stand here"
    if letter in _BIDI:
        return "a sign turns the order in which text is shown"
    if letter in _JOINERS:
        return "" if _joins(text, place) else "an invisible letter stands here"
    if any(code in part for part in _SELECTORS):
        before = text[place - 1] if place else " "
        # One after a sign chooses its form; more, or one after a plain letter, say something.
        return (
            ""
            if unicodedata.category(before) in {"So", "Sk", "Sm", "Po", "Nd", "Lo"}
            else "an invisible letter stands here"
        )
    if letter in _BLANKS:
        return "" if letter == _BYTE_ORDER_MARK and place == 0 else "an invisible letter stands here"
    category = unicodedata.category(letter)
    if category == "Cc":
        return "" if letter in _PLAIN_CONTROLS else "a control sign stands here"
    if category in {"Cf", "Zl", "Zp"} or (category == "Co"):
        return "an invisible letter stands here"
    return ""


def _in_flag(text: str, place: int) -> bool:
    """Return whether a tag belongs to the flag of a part of a country: a black flag with at most seven behind it."""
    start = place
    while start and ord(text[start]) in _TAGS:
        start -= 1
    longest = 7
    return text[start] == _BLACK_FLAG and place - start <= longest


def _joins(text: str, place: int) -> bool:
    """Return whether a joiner stands between letters of a script that needs it, or between parts of an emoji."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if not before or not after:
        return False
    return all(not letter.isascii() and unicodedata.category(letter) in _JOINED for letter in (before, after))


_JOINED: Final = frozenset({"Lo", "Mn", "Mc", "So", "Sk"})


def plain_letters(text: str) -> tuple[str, list[int]]:
    """Return a text as it is meant to be read, and for each letter where it stands in the text.

    Hidden letters are left out, odd forms of letters are the usual ones, those of other scripts that look like plain
    ones are these, and tags are the letters that they hide.
    """
    if text.isascii():
        return text, list(range(len(text)))
    mixed = [range(start, end) for start, end in mixed_words(text)]
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        code = ord(letter)
        if code in _TAGS:
            meant = chr(code - 0xE0000) if code >= 0xE0020 else ""  # noqa: PLR2004 -- below are no letters
        elif _is_nothing(letter):
            meant = ""
        else:
            meant = unicodedata.normalize("NFKC", letter)
            if any(place in word for word in mixed):
                meant = meant.translate(_SHAPES) if not meant.isascii() else meant
        letters += meant
        places += [place] * len(meant)
    return "".join(letters), places


def _is_nothing(letter: str) -> bool:
    if letter in _BLANKS or letter in _JOINERS or letter in _BIDI:
        return True
    return any(ord(letter) in part for part in _SELECTORS) or unicodedata.category(letter) == "Cf"


def mixed_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a word has Latin letters and ones of another script that look like Latin ones."""
    if text.isascii():
        return
    for word in _WORD.finditer(text):
        scripts = {_script(letter) for letter in word[0]}
        if "LATIN" in scripts and scripts & {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"} and not _is_unit(word[0]):
            yield word.start(), word.end()


def _is_unit(word: str) -> bool:
    """Return whether a word is a measure such as µm or Ωm, or a letter with a Greek one as in Δt."""
    return len(word) <= 3 and word[0] in "μΩΔαβγδεθλπσφωΣ"  # noqa: PLR2004 -- longer ones are words


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def skeleton(name: str) -> str:
    """Return a name in which letters that look alike are the same one: `read_fi1e` and `read_file` share it."""
    return unicodedata.normalize("NFKC", name).translate(_SHAPES).casefold().replace("rn", "m").replace("vv", "w")


def visible_text(text: str) -> str:
    """Return a text on one line, every hidden letter in it as its number."""
    return "".join(_visible(letter) for letter in text)


def _visible(letter: str) -> str:
    if letter in "\n\r\t":
        return " "
    if letter.isprintable() and not _is_nothing(letter):
        return letter
    return f"[U+{ord(letter):04X}]"
