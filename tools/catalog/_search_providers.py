"""What each provider of web search is asked, and how its answer reads."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from tools.catalog._answers import objects_at, plain, text_at
from tools.catalog._services import Service, ServiceKey, WebServices
from tools.context import find_api_key
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from tools.context import ToolContext

Provider = Literal["auto", "brave", "tavily", "serpapi", "searxng"]
Recency = Literal["any", "day", "week", "month", "year"]

SEARXNG_VARIABLE: Final = "SEARXNG_URL"
_BRAVE: Final = Service(
    "Brave Search", "https://api.search.brave.com", ServiceKey("BRAVE_API_KEY", "x-subscription-token", "")
)
_TAVILY: Final = Service("Tavily", "https://api.tavily.com", ServiceKey("TAVILY_API_KEY"))
_SERPAPI: Final = Service("SerpAPI", "https://serpapi.com", ServiceKey("SERPAPI_API_KEY", query="api_key"))
_BRAVE_MOST: Final = 20
_FRESHNESS: Final = {"any": None, "day": "pd", "week": "pw", "month": "pm", "year": "py"}


@dataclass(frozen=True)
class FoundPage:
    """One page that a search found.

    Attributes:
        title: Its title.
        url: Its address.
        snippet: The words that fit, without markup.
        published: When it appeared, as the provider says it; empty when it does not.
    """

    title: str
    url: str
    snippet: str
    published: str = ""


class WebQuery(NamedTuple):
    """What is looked for.

    Attributes:
        text: The words.
        limit: The most hits wanted.
        site: The only host wanted; empty for all.
        recency: How old pages may be.
        language: Two letters; empty for any.
    """

    text: str
    limit: int
    site: str
    recency: Recency
    language: str

    @property
    def worded(self) -> str:
        """The words with the operator that names the site."""
        return f"{self.text} site:{self.site}" if self.site else self.text


async def _brave(ctx: ToolContext, services: WebServices, query: WebQuery) -> list[FoundPage]:
    answer = await services.json(
        ctx,
        _BRAVE,
        "/res/v1/web/search",
        query={
            "q": query.worded,
            "count": min(query.limit, _BRAVE_MOST),
            "freshness": _FRESHNESS[query.recency],
            "search_lang": query.language,
        },
    )
    return [_hit(item, "description", "age") for item in objects_at(answer, "web", "results")]


async def _tavily(ctx: ToolContext, services: WebServices, query: WebQuery) -> list[FoundPage]:
    wanted: dict[str, Any] = {"query": query.text, "max_results": min(query.limit, 20)}
    if query.site:
        wanted["include_domains"] = [query.site]
    if query.recency != "any":
        wanted["time_range"] = query.recency
    answer = await services.json(ctx, _TAVILY, "/search", method="POST", json=wanted)
    return [_hit(item, "content", "published_date") for item in objects_at(answer, "results")]


async def _serpapi(ctx: ToolContext, services: WebServices, query: WebQuery) -> list[FoundPage]:
    answer = await services.json(
        ctx,
        _SERPAPI,
        "/search.json",
        query={
            "engine": "google",
            "q": query.worded,
            "num": query.limit,
            "hl": query.language,
            "tbs": None if query.recency == "any" else f"qdr:{query.recency[0]}",
        },
    )
    return [_hit(item, "snippet", "date", "link") for item in objects_at(answer, "organic_results")]


async def _searxng(ctx: ToolContext, services: WebServices, query: WebQuery) -> list[FoundPage]:
    address = os.environ.get(SEARXNG_VARIABLE, "").rstrip("/")
    if not address:
        raise ToolFailure(
            f"no SearXNG instance is named: set the environment variable {SEARXNG_VARIABLE} to its address,"
            " such as https://search.example.org"
        )
    answer = await services.json(
        ctx,
        Service("SearXNG (it must allow the format json in its settings)", address),
        "/search",
        query={
            "q": query.worded,
            "format": "json",
            "language": query.language,
            "time_range": None if query.recency == "any" else query.recency,
        },
    )
    return [_hit(item, "content", "publishedDate") for item in objects_at(answer, "results")]


def _hit(item: dict[str, Any], snippet: str, published: str, url: str = "url") -> FoundPage:
    return FoundPage(
        plain(text_at(item, "title"), 300), text_at(item, url), plain(text_at(item, snippet)), text_at(item, published)
    )


PROVIDERS: Final[dict[str, Callable[[ToolContext, WebServices, WebQuery], Awaitable[list[FoundPage]]]]] = {
    "brave": _brave,
    "tavily": _tavily,
    "serpapi": _serpapi,
    "searxng": _searxng,
}


def provider_at_hand() -> str:
    """Return the first provider that has a key or an address; it may wait for the keyring.

    Raises:
        ToolFailure: None has.
    """
    for name, service in (("brave", _BRAVE), ("tavily", _TAVILY), ("serpapi", _SERPAPI)):
        if service.key is not None and find_api_key(service.key.variable):
            return name
    if os.environ.get(SEARXNG_VARIABLE):
        return "searxng"
    raise ToolFailure(
        "no provider of web search is set up: set one of the environment variables BRAVE_API_KEY, TAVILY_API_KEY,"
        f" SERPAPI_API_KEY or {SEARXNG_VARIABLE}, or keep a key of that name in the keyring"
    )
