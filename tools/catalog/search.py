"""Search the web and collections of knowledge: encyclopedia, papers, publications, questions and answers."""

from __future__ import annotations

from tools.catalog.search_knowledge import Knowledge
from tools.catalog.search_papers import Papers
from tools.catalog.search_web import WebSearching
from tools.declare import toolkit


@toolkit("Search", category="search", description="Search the web, Wikipedia, papers, and questions with answers.")
class Search(WebSearching, Knowledge, Papers):
    """Search the web, Wikipedia, papers, and questions with answers."""
