"""How documents are compared with a query: by name, by beginning, by words, by words with typing errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from tools.search.index import LAST_LETTER, Scores, SearchIndex
from tools.search.words import STOP_WORDS, SYNONYMS, stem, words_of

_SYNONYM: Final = 0.7
"""What a word of the same meaning counts beside the word itself."""

_BEGINNING: Final = 0.75
"""What a word counts that begins like one of the query."""

_MOST_FORMS: Final = 12
"""The most words that one word of a query may be taken for."""

_SHORTEST_MISSPELT: Final = 4
_SHORTEST_TWICE: Final = 7


class SearchQuery:
    """What is looked for.

    Attributes:
        name: Its words, joined by blanks, to compare with names.
        words: The words that count.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        every = list(dict.fromkeys(words_of(text)))
        self.name = " ".join(words_of(text))
        self.words = [word for word in every if word not in STOP_WORDS] or every


class SearchStrategy(Protocol):
    """One way to compare documents with a query."""

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        """Return how well each document fits, from 0 for not at all to 1 for perfectly."""
        ...


class ExactName:
    """Find what is called exactly so, in whatever spelling of identifiers."""

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        found = index.nothing()
        found[index.named(query.name, query.name + "\0")] = 1.0
        return found


class NameBeginning:
    """Find names that begin like the query."""

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        found = index.nothing()
        if query.name:
            found[index.named(query.name, query.name + LAST_LETTER)] = 0.5
        return found


class NameContains:
    """Find names in which the query stands somewhere."""

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        found = index.nothing()
        if query.name:
            found[[position for position, name in enumerate(index.names) if query.name in name]] = 0.5
        return found


class NameWords:
    """Find documents that have each word of the query in their name or keywords.

    A word that none of them has counts as well: by its synonyms, by what begins like it, else by what differs from it
    by a letter or two.
    """

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        found = index.nothing() + 1.0
        for word in query.name.split():
            found = np.minimum(found, index.named_by(self._terms(index, word)))
        return found

    def _terms(self, index: SearchIndex, word: str) -> Iterator[tuple[str, float]]:
        own = stem(word)
        yield own, 1.0
        yield from ((other, _SYNONYM) for other in SYNONYMS.get(own, ()))
        if own not in SYNONYMS and not index.is_naming(own):
            yield from ((stem(other), likeness) for other, likeness in _alike(index, word))


class WordScores:
    """Find documents by the words they have in common with the query, as BM25F counts them.

    Args:
        synonym: What a word of the same meaning counts, from 0 to 1; 0 leaves them out.
        tolerant: Whether a word that no document has is taken for those that begin like it or differ by a letter.
    """

    def __init__(self, *, synonym: float = _SYNONYM, tolerant: bool = True) -> None:
        self._synonym = synonym
        self._tolerant = tolerant

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        total, best = index.nothing(), 0.0
        for word in query.words:
            terms = list(self._terms(index, word))
            total += index.of_terms(terms)
            best += max((index.rarity(term) for term, _ in terms if term in index), default=index.unknown_rarity)
        for one, other in zip(query.words, query.words[1:], strict=False):
            if (joined := stem(one + other)) in index:
                total += index.of_terms([(joined, 1.0)])
        return total / best if best else total

    def _terms(self, index: SearchIndex, word: str) -> Iterator[tuple[str, float]]:
        own = stem(word)
        yield own, 1.0
        if self._synonym:
            yield from ((other, self._synonym) for other in SYNONYMS.get(own, ()))
        if self._tolerant and own not in index:
            # "theme" was not meant to be "them" or "these".
            meant = ((other, likeness) for other, likeness in _alike(index, word) if other not in STOP_WORDS)
            yield from ((stem(other), likeness) for other, likeness in meant)


def _alike(index: SearchIndex, word: str) -> Iterator[tuple[str, float]]:
    """Yield the words that a word which no document has may have been meant for, with how sure that is."""
    beginning = index.beginning(word)[:_MOST_FORMS] if len(word) > 1 else []
    yield from ((other, _BEGINNING) for other in beginning)
    if len(word) < _SHORTEST_MISSPELT:
        return
    most = 1 if len(word) < _SHORTEST_TWICE else 2
    for length in range(len(word) - most, len(word) + most + 1):
        near = process.extract(
            word, index.words_of_letters(word, length, most), scorer=OSA.distance, score_cutoff=most, limit=_MOST_FORMS
        )
        for other, distance, _ in near:
            likeness = 1 - 1.5 * distance / len(word)
            yield other, likeness if other[0] == word[0] else 0.8 * likeness


class CompositeStrategy:
    """Compare in several ways and add up what each finds.

    Args:
        strategies: The ways, each with its weight.
    """

    def __init__(self, strategies: Sequence[tuple[SearchStrategy, float]]) -> None:
        self._strategies = tuple(strategies)

    @classmethod
    def standard(cls) -> CompositeStrategy:
        """Return the usual one: the name first, then its beginning, then words, typing errors forgiven."""
        return cls(((ExactName(), 1.0), (NameBeginning(), 0.3), (WordScores(), 1.0), (NameWords(), 0.2)))

    @classmethod
    def as_typed(cls) -> CompositeStrategy:
        """Return that for a query whose last word may not be whole: it may stand anywhere in a name."""
        return cls(((cls.standard(), 1.0), (NameContains(), 0.5)))

    def scores(self, index: SearchIndex, query: SearchQuery, /) -> Scores:
        """Return the sum; what is over 1 fits in more ways than one."""
        total = index.nothing()
        for strategy, weight in self._strategies:
            total += weight * strategy.scores(index, query)
        return total
