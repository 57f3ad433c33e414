"""The index of a search: which documents have which words, and how much each word says of each document."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.search.documents import SearchDocument
from tools.search.words import stem, words_of

Scores = NDArray[np.float64]
"""How well each document of an index fits, in its order; 0 for not at all, 1 for what was asked for by name."""

_WEIGHTS: Final = {
    "name": 5.0,
    "keywords": 2.0,
    "category": 1.5,
    "description": 3.0,
    "parameters": 0.6,
    "examples": 0.5,
}
"""How much a word says of a document by where it stands."""

_LENGTH_COUNTS: Final = {
    "name": 0.5,
    "keywords": 0.0,
    "category": 0.2,
    "description": 0.55,
    "parameters": 0.7,
    "examples": 0.8,
}
"""How much less a word says among many others: BM25's b, from 0 to 1."""

_SATURATION: Final = 1.9
"""BM25's k1: how soon a further mention of the same word says nothing new."""


LAST_LETTER: Final = chr(0x10FFFF)
"""What sorts after every other letter."""


_FIELDS: Final = tuple(_WEIGHTS)
_NAMING: Final = 2
"""How many of the first fields say what a document is called."""

_FIELD_WEIGHTS: Final = np.array([_WEIGHTS[field] for field in _FIELDS])
_FIELD_SHARES: Final = np.array([_LENGTH_COUNTS[field] for field in _FIELDS])


class _Vocabulary(dict[str, int]):
    """Numbers of stems by word; it only grows, so that an index and the ones made like it can share it."""

    def __init__(self) -> None:
        super().__init__()
        self.number_by_stem: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        """Return the number of a word that was never read before."""
        number = self[word] = self.number_by_stem.setdefault(stem(word), len(self.number_by_stem))
        return number


def _letter_sets(words: list[str]) -> NDArray[np.uint32]:
    """Return which letters words of one length have, a bit for each; rare letters share one."""
    letters = np.array(words).view(np.uint32).reshape(len(words), -1)
    sets: NDArray[np.uint32] = np.bitwise_or.reduce(np.uint32(1) << (letters & np.uint32(31)), axis=1)
    return sets


class _ReadDocument(NamedTuple):
    """What is kept of a document for the next index.

    Attributes:
        keys: One number for each word: that of its stem and that of its field.
        name: The words of its name, joined by blanks.
    """

    keys: NDArray[np.int64]
    name: str


class SearchIndex:
    """Index documents by their words; it never changes.

    Scores are those of BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields",
    2004), divided by the best that a document could reach, so that scores of different queries compare.

    Args:
        documents: What can be found; each is read when the next one is asked for.
        like: An index whose documents are not read again; None reads all.

    Attributes:
        documents: The same, in their order.
        names: The words of each document's name, joined by blanks.
        unknown_rarity: How much a word tells documents apart that none of them has.
    """

    def __init__(self, documents: Iterable[SearchDocument], *, like: SearchIndex | None = None) -> None:
        self._vocabulary: _Vocabulary = _Vocabulary() if like is None else like._vocabulary  # noqa: SLF001 -- its own kind
        known = {} if like is None else like._read_by_document  # noqa: SLF001 -- as above
        self._read_by_document: dict[SearchDocument, _ReadDocument] = {}
        listed: list[SearchDocument] = []
        read: list[_ReadDocument] = []
        for document in documents:
            one = known.get(document) or self._read(document)
            self._read_by_document[document] = one
            listed.append(document)
            read.append(one)
        self.documents = tuple(listed)
        self.names = tuple(one.name for one in read)
        total = max(1, len(read))
        self.unknown_rarity: Final = math.log(1 + (total + 0.5) / 0.5)
        self._make_postings([one.keys for one in read])

    def _read(self, document: SearchDocument) -> _ReadDocument:
        number, width = self._vocabulary.__getitem__, len(_FIELDS)
        texts = document._asdict()
        name = words_of(document.name)
        stems, fields = list(map(number, name)), [0] * len(name)
        for field in range(1, width):
            text = texts[_FIELDS[field]]
            if text:
                words = words_of(text if isinstance(text, str) else " ".join(text))
                stems += map(number, words)
                fields += [field] * len(words)
        keys = np.array(stems, dtype=np.int64) * width + np.array(fields, dtype=np.int64)
        return _ReadDocument(keys, " ".join(name))

    def _make_postings(self, keys: list[NDArray[np.int64]]) -> None:
        """Weigh each stem in each document that has it; in a few operations, for there may be a million of them."""
        width, size = len(_FIELDS), max(1, len(keys))
        position = np.repeat(np.arange(len(keys)), [len(one) for one in keys])
        key = np.concatenate([np.zeros(0, dtype=np.int64), *keys])
        field = key % width
        lengths = np.bincount(position * width + field, minlength=size * width).reshape(size, width)
        average = np.maximum(1.0, lengths.mean(axis=0))
        factor = _FIELD_WEIGHTS / (1 - _FIELD_SHARES + _FIELD_SHARES * lengths / average)
        # Sorted by stem, then by document: what stands together is one posting.
        place, counts = np.unique((key // width * size + position) * width + field, return_counts=True)
        field, place = place % width, place // width
        weight = counts * factor[place % size, field]
        first = np.flatnonzero(np.diff(place, prepend=-1))
        if first.size:
            weight = np.add.reduceat(weight, first)
            naming = np.minimum.reduceat(field, first) < _NAMING
        else:
            naming = np.zeros(0, dtype=bool)
        place = place[first]
        self._positions = place % size
        self._weights = weight / (_SATURATION + weight)
        self._is_naming = naming
        held = np.bincount(place // size)
        self._ends = np.cumsum(held)
        self._rarity = np.log(1 + (size - held + 0.5) / (held + 0.5))
        self._has_naming = np.bincount((place // size)[naming], minlength=len(held)) > 0

    def _posting(self, term: str) -> tuple[int, slice]:
        """Return the number of a stem and where its postings are; -1 and nothing when no document has it."""
        number = self._vocabulary.number_by_stem.get(term, -1)
        if not 0 <= number < len(self._ends):
            return -1, slice(0, 0)
        first = int(self._ends[number - 1]) if number else 0
        return (number, slice(first, int(self._ends[number]))) if first < self._ends[number] else (-1, slice(0, 0))

    def __contains__(self, term: object) -> bool:
        return isinstance(term, str) and self._posting(term)[0] >= 0

    def is_naming(self, term: str) -> bool:
        """Return whether any document has a stem in its name or its keywords."""
        number, _ = self._posting(term)
        return number >= 0 and bool(self._has_naming[number])

    def rarity(self, term: str) -> float:
        """Return how much a stem tells documents apart: the logarithm of how few have it."""
        number, _ = self._posting(term)
        return float(self._rarity[number]) if number >= 0 else self.unknown_rarity

    def nothing(self) -> Scores:
        return np.zeros(len(self.documents))

    def of_terms(self, terms: Iterable[tuple[str, float]]) -> Scores:
        """Return how well documents fit the best of some stems, each with its own weight."""
        best = self.nothing()
        for term, weight in terms:
            number, held = self._posting(term)
            if number >= 0:
                positions = self._positions[held]
                best[positions] = np.maximum(best[positions], self._weights[held] * (weight * self._rarity[number]))
        return best

    def named_by(self, terms: Iterable[tuple[str, float]]) -> Scores:
        """Return the weight of the best of some stems that documents have in their names or keywords."""
        best = self.nothing()
        for term, weight in terms:
            _, held = self._posting(term)
            positions = self._positions[held][self._is_naming[held]]
            best[positions] = np.maximum(best[positions], weight)
        return best

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words of all documents, folded but not stemmed, sorted."""
        stems = list(self._vocabulary.items())
        ends = self._ends
        held = np.diff(ends, prepend=0) > 0
        return tuple(sorted(word for word, number in stems if number < len(ends) and held[number]))

    @cached_property
    def _words_by_length(self) -> dict[int, tuple[list[str], NDArray[np.uint32]]]:
        """The same by how many letters they have, with these as sets; no numbers, for another means another thing."""
        found: dict[int, list[str]] = defaultdict(list)
        for word in filter(str.isalpha, self.words):
            found[len(word)].append(word)
        return {length: (words, _letter_sets(words)) for length, words in found.items()}

    def words_of_letters(self, letters: str, length: int, most: int) -> list[str]:
        """Return the words of a length that so many edits may make of a word, going by which letters they have.

        Most words of a language differ in more letters, and are not compared any further.

        Args:
            length: How many letters the others have.
            most: The most edits; each of them brings and takes away one letter at most.
        """
        words, sets = self._words_by_length.get(length, ([], None))
        if sets is None:
            return words
        near = np.bitwise_count(sets ^ _letter_sets([letters])[0]) <= 2 * most
        return [words[place] for place in np.flatnonzero(near).tolist()]

    def beginning(self, start: str) -> list[str]:
        first = bisect_left(self.words, start)
        return list(self.words[first : bisect_left(self.words, start + LAST_LETTER)])

    @cached_property
    def _sorted_names(self) -> tuple[list[str], NDArray[np.intp]]:
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        return [self.names[position] for position in order], np.array(order, dtype=np.intp)

    def named(self, start: str, end: str) -> NDArray[np.intp]:
        """Return where the documents stand whose names are not before the one text and before the other."""
        names, positions = self._sorted_names
        return positions[bisect_left(names, start) : bisect_left(names, end)]

    @cached_property
    def priorities(self) -> NDArray[np.int64]:
        return np.array([document.priority for document in self.documents], dtype=np.int64)
