"""What pages say of themselves, their tables, how two of them differ, and how a server answers."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from annotated_types import Ge, Le

from tools.catalog._bounds import cut_text
from tools.catalog._page_parts import PageMetadata, PageTable, metadata_of, tables_of
from tools.catalog._server_answers import ServerReport, answers_of
from tools.catalog._web_fetching import HTML, Fetching, Url, is_text, text_of, url_concerns
from tools.catalog.web_describing_results import PageComparison, PageTables
from tools.catalog.web_pages import read_page
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Concern, Param, ToolExample
from tools.web.addresses import private_host_concerns

_MOST_LINES: Final = 20_000


def _both_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    found = [*private_host_concerns(arguments["old"]), *private_host_concerns(arguments["new"])]
    return list(dict.fromkeys(found))


class PageDescribing(Fetching):
    """Describe pages and servers."""

    @tool(
        keywords=("metadata", "open graph", "json-ld", "title", "description", "seo", "html"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=url_concerns,
        examples=(ToolExample(input={"url": "https://example.org/"}, description="What a page says of itself"),),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def page_metadata(self, url: Url, *, ctx: ToolContext) -> PageMetadata:
        """Read what a web page says of itself: title, description, language, canonical address, Open Graph, JSON-LD."""
        html, address = await self._html(url, ctx)
        return await asyncio.to_thread(metadata_of, html, address)

    @tool(
        keywords=("table", "html", "extract", "rows", "scrape", "data"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/prices"}, description="All tables of a page"),
            ToolExample(
                input={"url": "https://example.org/prices", "containing": "total", "max_rows": 20},
                description="Those that name something",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def page_tables(
        self,
        url: Url,
        *,
        containing: Annotated[str, Param("Only tables with this in caption, header or a cell, in any case")] = "",
        max_tables: Annotated[int, Ge(1), Le(100), Param("The most tables to return")] = 10,
        max_rows: Annotated[int, Ge(1), Le(5000), Param("The most rows of each to return", unit="rows")] = 200,
        ctx: ToolContext,
    ) -> PageTables:
        """Extract the tables of a web page as header and rows of text; cells that span several are repeated."""
        html, address = await self._html(url, ctx)
        tables = await asyncio.to_thread(tables_of, html)
        wanted = containing.casefold()
        matching = [table for table in tables if wanted in table.words]
        shown = tuple(
            PageTable(table.caption, table.header, table.rows[:max_rows], len(table.rows))
            for table in matching[:max_tables]
        )
        cut = len(matching) > max_tables or any(table.found > max_rows for table in shown)
        return PageTables(address, shown, len(matching), truncated=cut)

    async def _html(self, url: str, ctx: ToolContext) -> tuple[str, str]:
        reply, body, _ = await self._fetch(url, ctx)
        if reply.content_type not in HTML:
            raise ToolFailure(f"{reply.url} is {reply.content_type or 'of an unnamed type'}, no HTML page")
        return text_of(reply, body), str(reply.url)

    @tool(
        keywords=("compare", "diff", "changes", "versions", "page", "monitor"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=120,
        concerns=_both_concerns,
        examples=(
            ToolExample(
                input={"old": "https://web.archive.org/web/2024/https://example.org/", "new": "https://example.org/"},
                description="A page then and now",
            ),
            ToolExample(
                input={"old": "https://example.org/v1", "new": "https://example.org/v2", "context": 0},
                description="Changed lines alone",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def compare_pages(
        self,
        old: Annotated[Url, Param("The address of the older page")],
        new: Annotated[Url, Param("The address of the newer page")],
        *,
        context: Annotated[int, Ge(0), Le(50), Param("How many lines around each change to show", unit="lines")] = 2,
        max_characters: Annotated[
            int, Ge(1), Le(200_000), Param("The most of the difference to return", unit="characters")
        ] = 20_000,
        ctx: ToolContext,
    ) -> PageComparison:
        """Compare the readable text of two web pages, such as two versions of one, as a unified diff."""
        before, after = [await self._lines(url, ctx) for url in (old, new)]
        rows = await asyncio.to_thread(
            lambda: list(difflib.unified_diff(before, after, old, new, n=context, lineterm=""))
        )
        body = rows[2:]
        text, cut = cut_text("\n".join(rows), max_characters, ctx)
        return PageComparison(
            same=not rows,
            added=sum(row.startswith("+") for row in body),
            removed=sum(row.startswith("-") for row in body),
            diff=text,
            truncated=cut or max(len(before), len(after)) == _MOST_LINES,
        )

    async def _lines(self, url: str, ctx: ToolContext) -> list[str]:
        reply, body, _ = await self._fetch(url, ctx)
        text = text_of(reply, body)
        if reply.content_type in HTML:
            text = (await asyncio.to_thread(read_page, text, str(reply.url))).text
        elif not is_text(reply.content_type):
            raise ToolFailure(f"{reply.url} is {reply.content_type or 'of an unnamed type'}, not text")
        return text.splitlines()[:_MOST_LINES]

    @tool(
        keywords=("headers", "timing", "redirects", "security", "hsts", "csp", "latency", "status"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=90,
        concerns=url_concerns,
        examples=(ToolExample(input={"url": "https://example.org/"}, description="How a server answers"),),
    )
    async def inspect_http(self, url: Url, *, ctx: ToolContext) -> ServerReport:
        """Ask an address once and tell how the server answers: redirects, timing of each part, headers and faults.

        Names what is missing or weak among the headers that protect a site's visitors, and flags of its cookies.
        """
        return await answers_of(self._client, url, ctx)
