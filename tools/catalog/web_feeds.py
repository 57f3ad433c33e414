"""Feeds: RSS, Atom and JSON Feed, and where a site has them."""

from __future__ import annotations

import asyncio
import calendar
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final
from urllib.parse import urljoin

from annotated_types import Ge, Le
from pydantic_core import from_json
from selectolax.lexbor import LexborHTMLParser

from tools.catalog._answers import objects_at, plain, text_at
from tools.catalog._web_fetching import HTML, Fetching, Url, text_of, url_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

_FEED_TYPES: Final = (
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/json",
    "application/rdf+xml",
)
_USUAL_PATHS: Final = ("/feed", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml", "/feed.json")


@dataclass(frozen=True)
class FeedEntry:
    """One entry of a feed.

    Attributes:
        title: Its title; empty when it has none.
        url: Its page; empty when it has none.
        published: When it came, in UTC; None when the feed does not say.
        author: Who wrote it; empty when the feed does not say.
        summary: What it says, without markup, shortened.
        enclosures: The addresses of files with it, such as a recording.
    """

    title: str
    url: str
    published: datetime | None
    author: str
    summary: str
    enclosures: tuple[str, ...]


@dataclass(frozen=True)
class Feed:
    """A feed.

    Attributes:
        title: Its title.
        url: Its address, after redirects.
        site: The page it belongs to; empty when it does not say.
        format: What it is, such as rss20, atom10 or json1.
        updated: When it last changed, as it says; empty when it does not.
        entries: Its first entries, in its own order.
        found: How many match in all.
        truncated: Whether some are missing here.
    """

    title: str
    url: str
    site: str
    format: str
    updated: str
    entries: tuple[FeedEntry, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class FoundFeed:
    """One feed of a site.

    Attributes:
        url: Its address, which read_feed takes.
        title: What the page calls it; empty when it does not.
        type: Its media type.
    """

    url: str
    title: str
    type: str


@dataclass(frozen=True)
class FoundFeeds:
    """The feeds of a site.

    Attributes:
        feeds: The feeds, in the page's order.
        guessed: Whether the page names none, and these were found at the usual addresses.
    """

    feeds: tuple[FoundFeed, ...]
    guessed: bool


class FeedReading(Fetching):
    """Read feeds."""

    @tool(
        keywords=("rss", "atom", "feed", "news", "podcast", "blog", "json feed"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/feed.xml", "limit": 10}, description="The newest entries"),
            ToolExample(
                input={"url": "https://example.org/feed.xml", "containing": "release", "since": "2026-01-01T00:00:00Z"},
                description="Some of them",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_feed(
        self,
        url: Url,
        *,
        containing: Annotated[str, Param("Only entries with this in title or text, in any case")] = "",
        since: Annotated[datetime | None, Param("Only entries from then on; those without a time are left out")] = None,
        limit: Annotated[int, Ge(1), Le(500), Param("The most entries to return")] = 30,
        max_characters: Annotated[
            int, Ge(0), Le(20_000), Param("The most of each entry's text to return", unit="characters")
        ] = 500,
        ctx: ToolContext,
    ) -> Feed:
        """Read a feed in RSS, Atom or JSON Feed: its entries with title, address, time, author and text.

        find_feeds tells where a site has its feeds.
        """
        reply, body, cut = await self._fetch(url, ctx)
        address = str(reply.url)
        if "json" in reply.content_type or body.lstrip().startswith(b"{"):
            feed = await asyncio.to_thread(_from_json, body, address, max_characters)
        else:
            feed = await asyncio.to_thread(_from_xml, body, reply.content_type, address, max_characters)
        wanted = containing.casefold()
        start = since if since is None or since.tzinfo else since.replace(tzinfo=UTC)
        entries = [
            entry
            for entry in feed.entries
            if (wanted in entry.title.casefold() or wanted in entry.summary.casefold())
            and (start is None or (entry.published is not None and entry.published >= start))
        ]
        return Feed(
            feed.title,
            feed.url,
            feed.site,
            feed.format,
            feed.updated,
            tuple(entries[:limit]),
            len(entries),
            truncated=cut or len(entries) > limit,
        )

    @tool(
        keywords=("rss", "atom", "feed", "discover", "subscribe", "blog"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=120,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/blog/"}, description="The feeds of a site"),
            ToolExample(
                input={"url": "https://example.org/", "guess": False}, description="Only feeds that the page names"
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def find_feeds(
        self,
        url: Url,
        *,
        guess: Annotated[bool, Param("Whether to try usual addresses when the page names no feed")] = True,
        ctx: ToolContext,
    ) -> FoundFeeds:
        """Find the feeds that a web page names, or that its site has at the usual addresses."""
        reply, body, _ = await self._fetch(url, ctx)
        if reply.content_type not in HTML:
            kind = _feed_type(reply.content_type, body)
            return FoundFeeds((FoundFeed(str(reply.url), "", kind),) if kind else (), guessed=False)
        feeds = tuple(await asyncio.to_thread(_named_feeds, text_of(reply, body), str(reply.url)))
        if feeds or not guess:
            return FoundFeeds(feeds, guessed=False)
        found: dict[str, FoundFeed] = {}
        for done, path in enumerate(_USUAL_PATHS):
            ctx.progress(done, len(_USUAL_PATHS), path)
            try:
                tried, content, _ = await self._fetch(urljoin(str(reply.url), path), ctx)
            except ToolFailure:
                continue
            if kind := _feed_type(tried.content_type, content):
                found.setdefault(str(tried.url), FoundFeed(str(tried.url), "", kind))
        return FoundFeeds(tuple(found.values()), guessed=bool(found))


def _named_feeds(html: str, url: str) -> Iterator[FoundFeed]:
    tree = LexborHTMLParser(html)
    seen: set[str] = set()
    for node in tree.css("link[rel~=alternate][href], a[type][href]"):
        kind = (node.attributes.get("type") or "").partition(";")[0].strip().lower()
        address = urljoin(url, (node.attributes.get("href") or "").strip())
        if kind in _FEED_TYPES and address.startswith(("http://", "https://")) and address not in seen:
            seen.add(address)
            yield FoundFeed(address, (node.attributes.get("title") or "").strip()[:200], kind)


def _feed_type(content_type: str, body: bytes) -> str:
    """Return the media type of a feed; empty when it is none."""
    start = body[:2000].lstrip()
    if start.startswith(b"{") and b"jsonfeed.org/version" in start:
        return "application/feed+json"
    for mark, kind in ((b"<rss", _FEED_TYPES[0]), (b"<feed", _FEED_TYPES[1]), (b"<rdf:RDF", _FEED_TYPES[4])):
        if mark in start:
            return content_type if content_type in _FEED_TYPES else kind
    return ""


def _from_xml(body: bytes, content_type: str, url: str, max_characters: int) -> Feed:
    import feedparser  # noqa: PLC0415 -- takes a tenth of a second, and few calls need it

    # A text would be taken for an address or a file to open.
    feed = feedparser.parse(io.BytesIO(body), response_headers={"content-type": content_type, "content-location": url})
    if not feed.version:
        raise ToolFailure(f"{url} is no feed; find_feeds tells where a site has its feeds")
    entries = tuple(_entry(entry, max_characters) for entry in feed.entries)
    said = feed.feed
    return Feed(
        title=plain(said.get("title", ""), 300),
        url=url,
        site=said.get("link", ""),
        format=feed.version,
        updated=said.get("updated", ""),
        entries=entries,
        found=len(entries),
        truncated=False,
    )


def _entry(entry: Any, max_characters: int) -> FeedEntry:
    contents = entry.get("content") or [{}]
    moment = entry.get("published_parsed") or entry.get("updated_parsed")
    return FeedEntry(
        title=plain(entry.get("title", ""), 300),
        url=entry.get("link", ""),
        published=_moment(calendar.timegm(moment)) if moment else None,
        author=plain(entry.get("author", ""), 200),
        summary=plain(entry.get("summary", "") or contents[0].get("value", ""), max_characters),
        enclosures=tuple(link["href"] for link in entry.get("enclosures", ())[:20] if link.get("href")),
    )


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _from_json(body: bytes, url: str, max_characters: int) -> Feed:
    """Return a JSON Feed. Source: jsonfeed.org, version 1.1."""
    try:
        feed = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise ToolFailure(f"{url} is no feed, and no JSON either: {str(error).splitlines()[0]}") from error
    if "jsonfeed.org/version" not in text_at(feed, "version"):
        raise ToolFailure(f"{url} is JSON, but no feed; http_request reads it")
    entries = tuple(
        FeedEntry(
            title=plain(text_at(item, "title"), 300),
            url=text_at(item, "url"),
            published=_time_of(text_at(item, "date_published") or text_at(item, "date_modified")),
            author=text_at(item, "authors", 0, "name") or text_at(item, "author", "name"),
            summary=plain(
                text_at(item, "summary") or text_at(item, "content_text") or text_at(item, "content_html"),
                max_characters,
            ),
            enclosures=tuple(text_at(file, "url") for file in objects_at(item, "attachments")[:20]),
        )
        for item in objects_at(feed, "items")
    )
    version = text_at(feed, "version").rpartition("/")[2]
    return Feed(
        plain(text_at(feed, "title"), 300),
        url,
        text_at(feed, "home_page_url"),
        f"json{version}",
        "",
        entries,
        len(entries),
        truncated=False,
    )


def _time_of(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
