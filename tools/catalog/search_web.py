"""Search the web with a provider of one's own choice."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._search_providers import (
    PROVIDERS,
    SEARXNG_VARIABLE,
    FoundPage,
    Provider,
    Recency,
    WebQuery,
    provider_at_hand,
)
from tools.catalog._services import WebServices
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import TransientError
from tools.spec import Concern, Param, ToolExample
from tools.web.addresses import private_host_concerns

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
Language = Annotated[str, StringConstraints(pattern=r"^([a-z]{2})?$")]
Host = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.-]*$", max_length=253)]


@dataclass(frozen=True)
class WebHits:
    """The pages that a search found.

    Attributes:
        provider: Who searched.
        query: The words that were looked for.
        hits: The pages, the best first.
        truncated: Whether the provider found more than were asked for.
    """

    provider: str
    query: str
    hits: tuple[FoundPage, ...]
    truncated: bool


def _search_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    if arguments["provider"] not in {"searxng", "auto"}:
        return []
    return private_host_concerns(os.environ.get(SEARXNG_VARIABLE, ""))


class WebSearching:
    """Search the web.

    Args:
        services: Asks the providers.
    """

    def __init__(self, services: WebServices | None = None) -> None:
        self._services = services or WebServices()

    @tool(
        keywords=("search", "web", "google", "brave", "tavily", "serpapi", "searxng", "internet"),
        latency="medium",
        probe={"query": "sqlite", "limit": 1},
        probe_on_request=True,
        needs=(
            "Brave Search",
            "Tavily",
            "SerpAPI",
            "SearXNG",
        ),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=_search_concerns,
        examples=(
            ToolExample(input={"query": "sqlite write-ahead log checkpoint"}, description="Pages about a subject"),
            ToolExample(
                input={"query": "release notes", "site": "docs.python.org", "recency": "year", "limit": 5},
                description="New pages of one site",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def web_search(
        self,
        query: Annotated[Words, Param("The words to look for")],
        *,
        provider: Annotated[
            Provider, Param("Who searches; auto takes the first one that has a key or an address")
        ] = "auto",
        limit: Annotated[int, Ge(1), Le(50), Param("The most hits to return")] = 10,
        site: Annotated[Host, Param("Only pages of this host, such as docs.python.org")] = "",
        recency: Annotated[Recency, Param("How old the pages may be")] = "any",
        language: Annotated[Language, Param("Two letters of a language, such as de; empty for any")] = "",
        ctx: ToolContext,
    ) -> WebHits:
        """Search the web and return titles, addresses and snippets; fetch_page reads a page that was found.

        The provider's key comes from BRAVE_API_KEY, TAVILY_API_KEY or SERPAPI_API_KEY, the address of a SearXNG
        instance from SEARXNG_URL.
        """
        chosen = provider if provider != "auto" else await asyncio.to_thread(provider_at_hand)
        hits = await PROVIDERS[chosen](ctx, self._services, WebQuery(query, limit, site, recency, language))
        return WebHits(chosen, query, tuple(hits[:limit]), len(hits) > limit)
