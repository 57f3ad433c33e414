"""Find tools, and whatever else has a name, by words.

A `SearchIndex` holds the words of `SearchDocument`s; a `SearchStrategy` compares them with a query, `find` ranks them.
`CompositeStrategy.standard` adds up three ways: the name itself, the name's beginning, and the words, which are
stemmed, have synonyms and forgive typing errors. `tool_search` is the same for agents.
"""

from tools.search.documents import SearchDocument, document_of
from tools.search.index import Scores, SearchIndex
from tools.search.search import SearchHit, ToolMatch, find, search_tools
from tools.search.strategies import (
    CompositeStrategy,
    ExactName,
    NameBeginning,
    NameContains,
    NameWords,
    SearchQuery,
    SearchStrategy,
    WordScores,
)
from tools.search.tool_index import ToolIndex
from tools.search.tool_search import FoundTool, SearchAnswer, ToolDetails, ToolSearch

__all__ = [
    "CompositeStrategy",
    "ExactName",
    "FoundTool",
    "NameBeginning",
    "NameContains",
    "NameWords",
    "Scores",
    "SearchAnswer",
    "SearchDocument",
    "SearchHit",
    "SearchIndex",
    "SearchQuery",
    "SearchStrategy",
    "ToolDetails",
    "ToolIndex",
    "ToolMatch",
    "ToolSearch",
    "WordScores",
    "document_of",
    "find",
    "search_tools",
]
