"""How well a search finds tools: queries as people and models put them, with the tools that answer each.

The tools are the built-in ones and those that servers of other people listed in November 2026: names, descriptions and
schemas of `github-mcp-server` (MIT License, GitHub), `playwright-mcp` (Apache License 2.0, Microsoft) and the
reference servers of the Model Context Protocol (MIT License and Apache License 2.0, their authors), in
`server_tools.json`. The weights of the search were chosen by `queries.tsv`. Those of `held_out.tsv` were written by
somebody who knew the tools but not the search; they never decide anything.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process

from tools.catalog import builtin_tools
from tools.search import SearchDocument, SearchIndex, document_of, find
from tools.wire import ToolDefinition

FOLDER: Final = Path(__file__).parent
BEST: Final = 5
"""How many tools a search may name."""

Ranking = Callable[[str], Sequence[str]]
"""Names the best tools for a query, as `server.tool`."""


class Wanted(NamedTuple):
    """A query and the tools that answer it, as `server.tool`."""

    words: str
    tools: frozenset[str]


class Relevance(NamedTuple):
    """How good a ranking is.

    Attributes:
        recall: The share of the wanted tools among the best five, on average.
        reciprocal_rank: One over the place of the first wanted tool, on average; none of five counts 0.
    """

    recall: float
    reciprocal_rank: float


@cache
def documents() -> dict[str, SearchDocument]:
    """Return what there is to find, by `server.tool`; the built-in tools are of `built-in`."""
    found = {f"built-in.{tool.name}": document_of(tool) for tool in builtin_tools()}
    for listed in json.loads((FOLDER / "server_tools.json").read_text("utf-8")):
        parameters = listed["inputSchema"].get("properties", {})
        texts = (*parameters, *filter(None, (each.get("description") for each in parameters.values())))
        found[f"{listed['server']}.{listed['name']}"] = SearchDocument(
            listed["name"], category=(listed["server"],), description=listed["description"], parameters=texts
        )
    return found


@cache
def server_definitions() -> tuple[ToolDefinition, ...]:
    """Return the tools of the servers as definitions, with the schemas that the servers list."""
    return tuple(
        ToolDefinition(
            name=f"{listed['server']}.{listed['name']}",
            description=listed["description"],
            parameters=listed["inputSchema"],
            results=listed.get("outputSchema"),
        )
        for listed in json.loads((FOLDER / "server_tools.json").read_text("utf-8"))
    )


def queries(file: str) -> list[Wanted]:
    """Return the queries of a file: of people, of models, and with typing errors.

    A line each: words, a tab, the tools that answer them.
    """
    lines = (FOLDER / file).read_text("utf-8").splitlines()
    split = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [Wanted(words, frozenset(tools.split())) for words, tools in split]


def relevance(ranking: Ranking, wanted: Sequence[Wanted]) -> Relevance:
    """Return how good a ranking is for some queries."""
    recall = reciprocal = 0.0
    for words, tools in wanted:
        found = ranking(words)[:BEST]
        recall += len(tools.intersection(found)) / min(BEST, len(tools))
        reciprocal += next((1 / rank for rank, name in enumerate(found, 1) if name in tools), 0.0)
    return Relevance(recall / len(wanted), reciprocal / len(wanted))


def ours() -> Ranking:
    """Return the search of the program."""
    names = list(documents())
    index = SearchIndex(documents().values())
    return lambda words: [names[hit.position] for hit in find(index, words, limit=BEST)]


def _texts() -> dict[str, str]:
    return {name: f"{one.name} {one.description}".casefold() for name, one in documents().items()}


def plain_fuzzy() -> Ranking:
    """Return what people often take: the best partial match of the query in name and description."""
    texts = _texts()

    def ranked(words: str) -> list[str]:
        return [name for _, _, name in process.extract(words.casefold(), texts, scorer=fuzz.partial_ratio, limit=BEST)]

    return ranked


def plain_bm25() -> Ranking:
    """Return BM25 over name and description, words as they are, with the usual constants."""
    counts = {name: Counter(_words(text)) for name, text in _texts().items()}
    lengths = {name: sum(words.values()) for name, words in counts.items()}
    average = sum(lengths.values()) / len(lengths)
    documents_with = Counter(word for words in counts.values() for word in words)

    def weight(word: str) -> float:
        held = documents_with[word]
        return math.log(1 + (len(counts) - held + 0.5) / (held + 0.5))

    def score(name: str, words: Sequence[str]) -> float:
        held = counts[name]
        damped = 1.5 * (0.25 + 0.75 * lengths[name] / average)
        return sum(weight(word) * held[word] * 2.5 / (held[word] + damped) for word in words)

    def ranked(text: str) -> list[str]:
        scores = {name: score(name, _words(text)) for name in counts}
        return sorted((name for name, value in scores.items() if value > 0), key=lambda name: -scores[name])[:BEST]

    return ranked


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.casefold().replace("_", " "))
