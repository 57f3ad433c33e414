"""The index of a search: which documents have which words, and how much each word says of each document."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

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


_NONE: Final[Counter[str]] = Counter()


class SearchIndex:
    """Index documents by their words; it never changes.

    Scores are those of BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields",
    2004), divided by the best that a document could reach, so that scores of different queries compare.

    Args:
        documents: What can be found.

    Attributes:
        documents: The same, in their order.
    """

    def __init__(self, documents: Iterable[SearchDocument]) -> None:
        self.documents = tuple(documents)
        self._forms: dict[str, str] = {}
        counts = [self._counted(document) for document in self.documents]
        total = max(1, len(counts))
        average = {field: max(1.0, sum(sum(one[field].values()) for one in counts) / total) for field in _WEIGHTS}
        weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for position, fields in enumerate(counts):
            found: dict[str, float] = defaultdict(float)
            for field, words in fields.items():
                share = _LENGTH_COUNTS[field]
                factor = _WEIGHTS[field] / (1 - share + share * sum(words.values()) / average[field])
                for word, count in words.items():
                    found[word] += count * factor
            for word, weight in found.items():
                weights[word].append((position, weight / (_SATURATION + weight)))
        self._postings: dict[str, tuple[NDArray[np.intp], Scores]] = {
            word: (np.array([position for position, _ in held]), np.array([weight for _, weight in held]))
            for word, held in weights.items()
        }
        self._rarity = {
            word: math.log(1 + (total - len(held) + 0.5) / (len(held) + 0.5)) for word, held in weights.items()
        }
        self.unknown_rarity: Final = math.log(1 + (total + 0.5) / 0.5)

    def _counted(self, document: SearchDocument) -> dict[str, Counter[str]]:
        texts = document._asdict()
        counted: dict[str, Counter[str]] = {}
        for field in _WEIGHTS:
            text = texts[field]
            parts = (text,) if isinstance(text, str) else text
            counted[field] = Counter(self._stems(" ".join(parts))) if parts else _NONE
        return counted

    def _stems(self, text: str) -> Iterator[str]:
        stems = self._forms
        for word in words_of(text):
            stemmed = stems.get(word)
            if stemmed is None:
                stemmed = stems[word] = stem(word)
            yield stemmed

    def __contains__(self, term: object) -> bool:
        """Return whether any document has a stem."""
        return term in self._postings

    def rarity(self, term: str) -> float:
        """Return how much a stem tells documents apart: the logarithm of how few have it."""
        return self._rarity.get(term, self.unknown_rarity)

    def nothing(self) -> Scores:
        """Return that no document fits."""
        return np.zeros(len(self.documents))

    def of_terms(self, terms: Iterable[tuple[str, float]]) -> Scores:
        """Return how well documents fit the best of some stems, each with its own weight."""
        best = self.nothing()
        for term, weight in terms:
            if (held := self._postings.get(term)) is not None:
                positions, weights = held
                best[positions] = np.maximum(best[positions], weights * (weight * self._rarity[term]))
        return best

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words of all documents, folded but not stemmed, sorted."""
        return tuple(sorted(self._forms))

    @cached_property
    def words_by_length(self) -> dict[int, list[str]]:
        """The same by how many letters they have; no numbers, for another number means another thing."""
        found: dict[int, list[str]] = defaultdict(list)
        for word in filter(str.isalpha, self.words):
            found[len(word)].append(word)
        return found

    def beginning(self, start: str) -> list[str]:
        """Return the words that begin like this."""
        first = bisect_left(self.words, start)
        return list(self.words[first : bisect_left(self.words, start + LAST_LETTER)])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The words of each document's name, joined by blanks."""
        return tuple(" ".join(words_of(document.name)) for document in self.documents)

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
        """The documents' priorities."""
        return np.array([document.priority for document in self.documents], dtype=np.int64)
