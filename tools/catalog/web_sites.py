"""Visit a site: its robots.txt, its sitemap, its pages, its links."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urldefrag, urlsplit

from annotated_types import Ge, Gt, Le

from tools.catalog._bounds import ProgressThrottle, say_cut, stop_if_cancelled
from tools.catalog._link_sources import LinkSource, markdown_links, page_link_source
from tools.catalog._robots import FORBIDDEN, MOST_BYTES, Robots, parse_robots
from tools.catalog._sitemaps import Sitemap, read_sitemap_body
from tools.catalog._web_fetching import HTML, PAGE_TIMEOUT_S, Fetching, Url, is_text, text_of, url_concerns
from tools.catalog.web_pages import read_page
from tools.catalog.web_site_results import (
    BrokenLink,
    CrawledPage,
    CrawledSite,
    LinkReport,
    RobotsAnswer,
    SitemapEntry,
    SitemapPages,
)
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import DeniedError, ToolFailure, TransientError
from tools.http import USER_AGENT
from tools.spec import Concern, Param, PathRole, ToolExample
from tools.web.addresses import PrivateHostError, host_of, parse_url, port_of, private_host_concerns
from tools.web.requests import WebRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import httpx

_LONGEST_DELAY_S: Final = 10.0
_SITEMAP_BYTES: Final = 20_000_000
_MOST_SITEMAPS: Final = 50
_AT_A_TIME: Final = 5
_LINK_TIMEOUT_S: Final = 15.0
_NO_HEAD: Final = frozenset({403, 404, 405, 501})


def _link_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    return private_host_concerns(arguments["url"]) if arguments["url"] else []


class SiteVisiting(Fetching):
    """Visit sites."""

    @tool(
        keywords=("crawl", "spider", "website", "pages", "robots", "scrape"),
        latency="slow",
        read_only=True,
        open_world=True,
        timeout_s=900,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/docs/", "max_pages": 20}, description="A part of a site"),
            ToolExample(
                input={"url": "https://example.org/", "max_depth": 1, "max_characters": 5000},
                description="The front page and what it links to, with their text",
            ),
        ),
    )
    async def crawl_site(
        self,
        url: Url,
        *,
        max_pages: Annotated[int, Ge(1), Le(500), Param("The most pages to fetch", unit="pages")] = 50,
        max_depth: Annotated[int, Ge(0), Le(20), Param("How many links away from the first page")] = 3,
        within: Annotated[
            str, Param("Only addresses whose path begins with this; empty for the folder of the first page")
        ] = "",
        max_characters: Annotated[
            int, Ge(0), Le(50_000), Param("How much text of each page to return", unit="characters")
        ] = 500,
        delay_s: Annotated[
            float, Ge(0), Le(60), Param("The least time between two requests; robots.txt may ask for more", unit="s")
        ] = 0.5,
        max_seconds: Annotated[float, Gt(0), Le(800), Param("When to stop and return what is there", unit="s")] = 120.0,
        ctx: ToolContext,
    ) -> CrawledSite:
        """Follow the links of a page to others of the same host, nearest first, and return title and text of each.

        What the site's robots.txt forbids is left out. Only pages below the first one's folder, unless `within` says
        otherwise. For the addresses alone, read_sitemap is quicker.
        """
        start = parse_url(url)
        prefix = within or start.path.rpartition("/")[0] + "/"
        group = (await self._robots(start, ctx)).group_for(USER_AGENT)
        wait_s = max(delay_s, min(group.delay_s or 0.0, _LONGEST_DELAY_S))
        ends_at = time.monotonic() + max_seconds
        waiting = deque([(urldefrag(str(start)).url, 0)])
        seen, pages, failed, forbidden = {waiting[0][0]}, list[CrawledPage](), list[BrokenLink](), 0
        progress = ProgressThrottle(ctx, max_pages)
        while waiting and len(pages) < max_pages and time.monotonic() < ends_at:
            address, depth = waiting.popleft()
            if not group.allows(_path_of(address)):
                forbidden += 1
                continue
            if len(pages) + len(failed):
                await asyncio.sleep(wait_s)
            try:
                page, links = await self._visited(address, depth, max_characters, ctx)
            except DeniedError:
                raise
            except ToolFailure as error:
                if depth == 0:
                    raise
                failed.append(BrokenLink(address, "", str(error)))
                continue
            pages.append(page)
            progress.step(text=f"{len(pages)} of at most {max_pages} pages: {address}")
            if depth < max_depth and _origin(page.url) == _origin(str(start)):
                for link in links:
                    if link not in seen and _origin(link) == _origin(str(start)) and _path_of(link).startswith(prefix):
                        seen.add(link)
                        waiting.append((link, depth + 1))
        if waiting:
            say_cut(ctx, f"{len(waiting):,} more addresses were found and not fetched")
        return CrawledSite(tuple(pages), tuple(failed[:100]), forbidden, len(waiting), truncated=bool(waiting))

    async def _visited(
        self, address: str, depth: int, max_characters: int, ctx: ToolContext
    ) -> tuple[CrawledPage, list[str]]:
        stop_if_cancelled(ctx)
        reply, body, cut = await self._fetch(address, ctx)
        if reply.content_type not in HTML:
            text = text_of(reply, body) if is_text(reply.content_type) else ""
            shown = text[:max_characters]
            return CrawledPage(str(reply.url), "", shown, len(text), depth, 0, cut or len(shown) < len(text)), []
        page = await asyncio.to_thread(read_page, text_of(reply, body), str(reply.url))
        shown = page.text[:max_characters]
        row = CrawledPage(
            url=str(reply.url),
            title=page.title,
            text=shown,
            characters=len(page.text),
            depth=depth,
            links=len(page.links),
            truncated=cut or len(shown) < len(page.text),
        )
        return row, [link.url for link in page.links]

    async def _robots(self, url: httpx.URL, ctx: ToolContext) -> Robots:
        """Return what the robots.txt of a site says; a site that has none allows all, a broken one nothing."""
        request = WebRequest(
            url.copy_with(path="/robots.txt", query=None, fragment=None), grants=ctx.grants, refusal_at=ctx.refusal_at
        )
        try:
            async with self._client.open(request, PAGE_TIMEOUT_S) as reply:
                if reply.response.is_server_error:
                    return FORBIDDEN
                if reply.response.is_error:
                    return Robots()
                body, _ = await reply.read(MOST_BYTES)
        except TransientError:
            return FORBIDDEN
        return parse_robots(body.decode("utf-8", errors="replace"))

    @tool(
        keywords=("robots.txt", "crawl", "allowed", "disallow", "bot", "user agent"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/private/page"}, description="Whether a page may be fetched"),
            ToolExample(
                input={"url": "https://example.org/", "agent": "GPTBot"}, description="Whether another program may"
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def check_robots(
        self,
        url: Url,
        *,
        agent: Annotated[str, Param("The name by which a program calls itself")] = USER_AGENT,
        ctx: ToolContext,
    ) -> RobotsAnswer:
        """Say whether a site's robots.txt lets a program fetch an address, by which rule, and where its sitemaps are.

        A site without a robots.txt allows everything; one whose robots.txt cannot be had because of its own fault
        allows nothing.
        """
        target = parse_url(url)
        robots = await self._robots(target, ctx)
        group = robots.group_for(agent)
        rule = group.rule_for(_path_of(str(target)))
        words = "" if rule is None else f"{'Allow' if rule.allow else 'Disallow'}: {rule.pattern}"
        return RobotsAnswer(
            allowed=rule is None or rule.allow,
            rule=words,
            group=group.agent if robots.groups else "",
            delay_s=group.delay_s,
            sitemaps=robots.sitemaps[:100],
            unavailable=robots is FORBIDDEN,
        )

    @tool(
        keywords=("sitemap", "urls", "website", "pages", "index", "seo"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=180,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/"}, description="The pages a site names"),
            ToolExample(
                input={"url": "https://example.org/sitemap.xml.gz", "containing": "/blog/", "limit": 50},
                description="Some of those in a file",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_sitemap(
        self,
        url: Url,
        *,
        containing: Annotated[str, Param("Only addresses that contain this, in any case")] = "",
        limit: Annotated[int, Ge(1), Le(10_000), Param("The most addresses to return")] = 500,
        ctx: ToolContext,
    ) -> SitemapPages:
        """List the pages that a site's sitemap names, with when they changed.

        The address may be that of a sitemap (XML, text or gzip) or of a site, whose robots.txt or /sitemap.xml leads
        to it. Sitemaps that an index of them names are read too.
        """
        target = parse_url(url)
        waiting = deque([url] if _is_sitemap(target.path) else await self._sitemaps_of(target, ctx))
        wanted, entries, read = containing.casefold(), list[SitemapEntry](), set[str]()
        progress = ProgressThrottle(ctx)
        found = 0
        while waiting and len(read) < _MOST_SITEMAPS:
            address = waiting.popleft()
            if address in read:
                continue
            read.add(address)
            progress.step(text=address)
            sitemap = await self._sitemap(address, ctx)
            waiting += sitemap.sitemaps
            matching = [entry for entry in sitemap.entries if wanted in entry.url.casefold()]
            found += len(matching)
            entries += matching[: limit - len(entries)]
        if waiting:
            say_cut(ctx, f"{_MOST_SITEMAPS} sitemaps were read, there are more")
        return SitemapPages(tuple(entries), found, len(read), truncated=found > len(entries) or bool(waiting))

    async def _sitemaps_of(self, site: httpx.URL, ctx: ToolContext) -> tuple[str, ...]:
        named = (await self._robots(site, ctx)).sitemaps
        return named or (str(site.copy_with(path="/sitemap.xml", query=None, fragment=None)),)

    async def _sitemap(self, address: str, ctx: ToolContext) -> Sitemap:
        async with self._page(address, ctx, PAGE_TIMEOUT_S) as reply:
            body, cut = await reply.read(_SITEMAP_BYTES)
        if cut:
            raise ToolFailure(f"{address} is larger than {_SITEMAP_BYTES:,} bytes, more than a sitemap may be")
        return await asyncio.to_thread(read_sitemap_body, body, address, _SITEMAP_BYTES)

    @tool(
        keywords=("links", "broken", "dead", "404", "markdown", "check", "anchors"),
        latency="slow",
        read_only=True,
        open_world=True,
        timeout_s=600,
        concerns=_link_concerns,
        examples=(
            ToolExample(input={"path": "README.md"}, description="All links of a file"),
            ToolExample(
                input={"url": "https://example.org/", "external": False}, description="A page's links to its own site"
            ),
        ),
    )
    async def check_links(
        self,
        *,
        url: Annotated[str, Param("The address of a page; empty when a file is given")] = "",
        path: Annotated[Path | None, PathRole(), Param("A Markdown file whose links are checked")] = None,
        external: Annotated[bool, Param("Whether links to other hosts are checked")] = True,
        limit: Annotated[int, Ge(1), Le(2000), Param("The most links to check")] = 300,
        ctx: ToolContext,
    ) -> LinkReport:
        """Check the links of a web page or a Markdown file: addresses by asking, files and #anchors by looking.

        Returns those that lead nowhere, with the reason. Links to private addresses are left out unless the page is on
        the same host.
        """
        if bool(url) is (path is not None):
            raise ToolFailure("expected url or path, got both or neither; give one of them")
        if path is not None:
            source = await asyncio.to_thread(markdown_links, path, ctx.project_dir)
        else:
            source = await self._page_source(url, ctx)
        own = host_of(parse_url(url)) if url else ""
        targets = [link for link in source.addresses if external or host_of(parse_url(link.url)) == own]
        left_out = len(source.addresses) - len(targets) + source.left_out
        if len(targets) > limit:
            say_cut(ctx, f"{limit:,} of {len(targets):,} links are checked")
        broken = await self._broken(targets[:limit], ctx)
        return LinkReport(
            checked=min(len(targets), limit) + source.checked,
            broken=(*source.broken, *broken.found),
            left_out=left_out + broken.left_out,
            truncated=len(targets) > limit,
        )

    async def _page_source(self, url: str, ctx: ToolContext) -> LinkSource:
        reply, body, _ = await self._fetch(url, ctx)
        if reply.content_type not in HTML:
            raise ToolFailure(f"{reply.url} is {reply.content_type or 'of an unnamed type'}, no HTML page with links")
        return await asyncio.to_thread(page_link_source, text_of(reply, body), str(reply.url))

    async def _broken(self, links: Iterable[BrokenLink], ctx: ToolContext) -> _Broken:
        links = list(links)
        progress = ProgressThrottle(ctx, len(links))
        places = asyncio.Semaphore(_AT_A_TIME)
        result = _Broken()

        async def look(link: BrokenLink) -> None:
            async with places:
                try:
                    reason = await self._fault_of(link.url, ctx)
                except PrivateHostError:
                    # Nobody allowed this host, so nobody can tell.
                    result.left_out += 1
                    return
                except (DeniedError, ToolFailure) as error:
                    reason = str(error)
            if reason:
                result.found.append(BrokenLink(link.url, link.text, reason))
            progress.step(text=link.url)

        await asyncio.gather(*map(look, links))
        order = {link.url: place for place, link in enumerate(links)}
        result.found.sort(key=lambda link: order[link.url])
        return result

    async def _fault_of(self, url: str, ctx: ToolContext) -> str:
        """Return why an address leads nowhere; empty when it does not."""
        status = ""
        for method in ("HEAD", "GET"):
            request = WebRequest(parse_url(url), method, grants=ctx.grants, refusal_at=ctx.refusal_at)
            async with self._client.open(request, _LINK_TIMEOUT_S) as reply:
                if not reply.response.is_error:
                    return ""
                status = reply.status_line
                # Many servers answer HEAD wrongly.
                if reply.response.status_code not in _NO_HEAD and not reply.response.is_server_error:
                    break
        return status


class _Broken:
    """Links that lead nowhere, and how many nobody could look at."""

    def __init__(self) -> None:
        self.found: list[BrokenLink] = []
        self.left_out = 0


def _path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def _origin(address: str) -> tuple[str, str, int] | None:
    try:
        url = parse_url(address)
    except ToolFailure:
        return None
    return url.scheme, host_of(url), port_of(url)


def _is_sitemap(path: str) -> bool:
    return path.lower().endswith((".xml", ".xml.gz", ".txt", ".gz")) or "sitemap" in path.lower()
