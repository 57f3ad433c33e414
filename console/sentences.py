"""Recognise the sentences of the framework, which makes them in English, and say them in the language of the window.

`tools` writes its sentences down, hands them to agents and prints them, so they stay English until a person reads them
here. A sentence is found by the pattern that it was made from (`packaging/sentences.py`), its values are taken out,
said as well where they are sentences themselves, and put into the translation of the pattern.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Final, NamedTuple

LONGEST: Final = 4_000
"""Letters of the longest line that is looked at: a longer one is a result or a file, no sentence."""

_DEEPEST: Final = 6
_MOST_KEPT: Final = 2_000
_FEW_LETTERS: Final = 12
_FEWEST_ALONE: Final = 8
_WORD: Final = re.compile(r"(?<![\w\0])\w{2,}(?![\w\0])")
_NUMBER: Final = re.compile(r"-?((\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?|inf|nan)")
_ONE_VALUE: Final = re.compile(r"""\S*|'[^']*'|"[^"]*"|-?[\d.,]+ \S{1,5}|[A-Z]{3,7} /\S*""")
_QUOTED: Final = re.compile(r"""(?:'[^']* [^']*'|"[^"]* [^"]*")""")
_SEVERAL: Final = re.compile(r"; |\. ")
_PART: Final = re.compile(r"(?=[;,] | \(|\. )")
_MOST_JOINTS: Final = 20
_JOINTS: Final = (". ", "; ", ": ", ", ")


class Pattern(NamedTuple):
    """A sentence with places for its values.

    Attributes:
        text: As it was collected, with `{1}` for a value.
        pieces: The words before, between and behind the values.
        forms: How each value is written; "" for what is no number.
        touching: How many values stand side by side at each of the places between two pieces.
    """

    text: str
    pieces: tuple[str, ...]
    forms: tuple[str, ...]
    touching: tuple[int, ...]

    @classmethod
    def read(cls, text: str) -> Pattern:
        """Take a pattern apart."""
        pieces, forms = [""], []
        touching: list[int] = []
        for words, name, form, _ in Formatter().parse(text):
            pieces[-1] += words
            if name is None:
                continue
            forms.append(form or "")
            if not pieces[-1] and touching:
                touching[-1] += 1
            else:
                touching.append(1)
                pieces.append("")
        return cls(text, tuple(pieces), tuple(forms), tuple(touching))

    @property
    def words(self) -> list[str]:
        """The whole words that stand in every sentence of the pattern."""
        return _WORD.findall("\0".join(self.pieces))

    @property
    def size(self) -> int:
        """How many letters of a sentence are fixed."""
        return sum(map(len, self.pieces))

    @property
    def is_count(self) -> bool:
        """Whether it is a number with its noun."""
        return self.forms == (",",) and not self.pieces[0]

    def values_in(self, text: str) -> list[str] | None:
        """Return the values of a sentence; None if it is none of this pattern's."""
        if not self.forms:
            return [] if text == self.pieces[0] else None
        first, *between, last = self.pieces
        at, end = len(first), len(text) - len(last)
        if at > end or not text.startswith(first) or not text.endswith(last):
            return None
        values: list[str] = []
        for piece, count in zip([*between, ""], self.touching, strict=True):
            found = text.find(piece, at, end) if piece else end
            if found < 0:
                return None
            # Of values side by side, all but the first one begin like a part of a sentence, or are empty.
            parts = _PART.split(text[at:found], count - 1) if count > 1 else [text[at:found]]
            values += [*parts, *[""] * (count - len(parts))]
            at = found + len(piece)
        return values


class Sentences:
    """The sentences of the framework in another language.

    Args:
        patterns: Those that hold values or braces.
        say: Returns the translation of a pattern, or of a sentence without values; "" for what it does not know.
        separators: What stands in numbers instead of a comma and a point, as `str.translate` takes it.
    """

    def __init__(self, patterns: Iterable[str], say: Callable[[str], str], separators: Mapping[int, str]) -> None:
        self._say = say
        self._separators = separators
        self._kept: dict[tuple[bool, str], str] = {}
        read = [Pattern.read(text) for text in patterns]
        common = Counter(word for pattern in read for word in set(pattern.words))
        self._by_word: dict[str, list[Pattern]] = {}
        for pattern in read:
            # The rarest word of a pattern finds it: few others are looked at.
            rarest = min(pattern.words, key=lambda word: (common[word], word))
            self._by_word.setdefault(rarest, []).append(pattern)

    def said(self, text: str) -> str:
        """Return a text in the language of the window; a line that is no sentence of the framework stays as it is."""
        return "\n".join(self._recognised(line, 0) or line for line in text.split("\n"))

    def _recognised(self, text: str, depth: int) -> str:
        """Return what is said for a text; "" where it is no sentence."""
        inner = text.strip()
        if depth > _DEEPEST or " " not in inner or len(inner) > LONGEST:
            return ""
        # The parts of a text are met again and again while it is taken apart.
        key = bool(depth), inner
        if (said := self._kept.get(key)) is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            said = self._whole(inner, depth) or self._begun_large(inner, depth) or self._joined(inner, depth)
            self._kept[key] = said
        at = text.index(inner)
        return said and f"{text[:at]}{said}{text[at + len(inner) :]}"

    def _whole(self, text: str, depth: int) -> str:
        if said := self._say(text):
            return said
        matches = [
            (pattern, values)
            for word in set(_WORD.findall(text))
            for pattern in self._by_word.get(word, ())
            # A word or two mean something only within a sentence, unless they are counted.
            if (depth or pattern.size >= _FEWEST_ALONE or pattern.is_count)
            and (values := pattern.values_in(text)) is not None
        ]
        # The more is fixed, the less is left to chance.
        matches.sort(key=lambda match: (-match[0].size, len(match[1]), match[0].text))
        return next(filter(None, (self._filled(pattern, values, depth) for pattern, values in matches)), "")

    def _begun_large(self, text: str, depth: int) -> str:
        """Say a sentence that was given a capital, a full stop or both by the window."""
        dot = "." if text.endswith(".") and not text.endswith("..") else ""
        bare = text.removesuffix(dot)
        if dot and (said := self._whole(bare, depth)):
            return said + dot
        small = bare[:1].lower() + bare[1:]
        if small != bare and (said := self._whole(small, depth)):
            return said[0].upper() + said[1:] + dot
        return ""

    def _joined(self, text: str, depth: int) -> str:
        """Say several sentences, or one behind the name of what it is about."""
        if sum(map(text.count, _JOINTS)) > _MOST_JOINTS:
            return ""
        for joint in _JOINTS:
            at = text.find(joint, 1)
            if at < 0:
                continue
            # A full stop belongs to its sentence; a part of a sentence may begin with the joint.
            cut = at + 1 if joint == ". " else at
            head, between, tail = text[:cut], text[cut : at + len(joint)], text[at + len(joint) :]
            first, behind = self._recognised(head, depth), self._recognised(text[at:], depth)
            last = behind.removeprefix(joint) if behind.startswith(joint) else self._recognised(tail, depth)
            if (first or last) and (first or _ONE_VALUE.fullmatch(head)) and (last or _ONE_VALUE.fullmatch(tail)):
                return f"{first or head}{between}{last or tail}"
        return ""

    def _filled(self, pattern: Pattern, values: list[str], depth: int) -> str:
        written = []
        for value, form in zip(values, pattern.forms, strict=True):
            if form and not _NUMBER.fullmatch(value):
                return ""
            said = value.translate(self._separators) if form else self._value(value, depth)
            if not said and pattern.size < _FEW_LETTERS and not _ONE_VALUE.fullmatch(value):
                return ""  # Too little to go by, and half of it would stay English.
            if pattern.size < _FEW_LETTERS and _SEVERAL.search(value):
                return ""  # Its words reach over the end of a sentence.
            written.append(said or value)
        parts = Formatter().parse(self._say(pattern.text))
        return "".join(words + ("" if name is None else written[int(name) - 1]) for words, name, _, _ in parts)

    def _value(self, value: str, depth: int) -> str:
        if _QUOTED.fullmatch(value):
            said = self._recognised(value[1:-1], depth + 1)
            return said and f"{value[0]}{said}{value[-1]}"
        return self._recognised(value, depth + 1) or self._say(value)
