"""The search itself: the documents of an index, and the tools, that fit some words best."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Generic, NamedTuple

import numpy as np

from tools.search.index import SearchIndex
from tools.search.strategies import CompositeStrategy, SearchQuery, SearchStrategy
from tools.search.tool_index import Found, ToolIndex

_CUTOFF: Final = 0.12
"""What a document must reach to be found at all."""

_STANDARD: Final = CompositeStrategy.standard()


class SearchHit(NamedTuple):
    """A document that fits.

    Attributes:
        position: Where it stands in its index.
        score: How well it fits, from 0 to 1.
    """

    position: int
    score: float


class ToolMatch(NamedTuple, Generic[Found]):
    """A tool that fits.

    Attributes:
        score: How well it fits, from 0 to 1.
    """

    tool: Found
    score: float


def find(index: SearchIndex, text: str, *, limit: int = 5, strategy: SearchStrategy = _STANDARD) -> list[SearchHit]:
    """Return the documents that fit some words best, best first; equal ones by priority, then name."""
    query = SearchQuery(text)
    if not query.words:
        return []
    scores = strategy.scores(index, query)
    fitting = np.flatnonzero(scores >= _CUTOFF)
    if len(fitting) > limit:
        least = np.partition(scores[fitting], -limit)[-limit]
        fitting = fitting[scores[fitting] >= least]
    rows = sorted(fitting.tolist(), key=lambda row: (-scores[row], -index.priorities[row], index.names[row], row))
    return [SearchHit(row, min(1.0, float(scores[row]))) for row in rows[:limit]]


def search_tools(tools: Iterable[Found], text: str, *, limit: int = 20) -> list[ToolMatch[Found]]:
    """Return the tools that fit some words best; see `find`. Whoever asks often keeps a `ToolIndex`."""
    listed, index = ToolIndex[Found]().update(tools)
    return [ToolMatch(listed[hit.position], hit.score) for hit in find(index, text, limit=limit)]
