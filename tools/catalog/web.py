"""Read pages, send requests and download files; private addresses only where a person allows the host."""

from __future__ import annotations

import asyncio
import json as json_text
import ssl
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Gt, Le
from pydantic import JsonValue, StringConstraints

from tools.catalog._web_downloads import PartialDownload
from tools.catalog._web_dry_runs import check_download_target, download_dry_run, request_dry_run
from tools.catalog._web_fetching import HTML, SECRET_HEADERS, Fetching, Url, is_text, text_of, url_concerns
from tools.catalog.web_apis import ApiCalling
from tools.catalog.web_describing import PageDescribing
from tools.catalog.web_feeds import FeedReading
from tools.catalog.web_graphql import GraphqlAsking
from tools.catalog.web_pages import ReadPage, read_page
from tools.catalog.web_results import Download, HttpAnswer, PageLinks, PageText
from tools.catalog.web_sites import SiteVisiting
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.declare.decorators import retry, security
from tools.errors import ToolFailure, TransientError
from tools.spec import Concern, Param, PathRole, ToolExample
from tools.web.addresses import Resolve, host_of, parse_url, private_host_concerns, resolve
from tools.web.requests import WebClient, WebRequest, checked_headers, with_body
from tools.web.text import decode_text

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SECRET_PARAMETERS: Final = ("access_token", "api_key", "key", "password", "secret", "signature", "token")
_SECRETS: Final = (
    *(f"headers.{name}" for name in SECRET_HEADERS),
    *(f"query.{name}" for name in _SECRET_PARAMETERS),
    "result.headers.Set-Cookie",
)


def _request_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    concerns = private_host_concerns(arguments["url"])
    method, text, json = arguments["method"], arguments["text"], arguments["json"]
    if method not in _READING or text is not None or json is not None:
        size = len(text) if text is not None else len(json_text.dumps(json)) if json is not None else 0
        what = f" with {size:,} characters of {'text' if text is not None else 'JSON'}" if size else " without a body"
        concerns.append(Concern("sends_data", "Sends data", f"{method} to {arguments['url']}{what}"))
    return concerns


def _download_concerns(arguments: Mapping[str, Any], project_dir: Path) -> list[Concern]:
    concerns = private_host_concerns(arguments["url"])
    target = project_dir / arguments["target"]
    if arguments["overwrite"] and target.exists():
        concerns.append(Concern("destructive", "Replaces a file", f"{target} is replaced and its content lost"))
    return concerns


@toolkit("Web", category="web")
class Web(SiteVisiting, FeedReading, PageDescribing, GraphqlAsking, ApiCalling, Fetching):
    """Read pages, send requests and download files.

    Args:
        look_up: Looks hosts up.
        trust: Whose certificates are trusted; None means the usual authorities.
    """

    def __init__(self, look_up: Resolve = resolve, trust: ssl.SSLContext | None = None) -> None:
        self._client = WebClient(look_up, trust)

    @tool(
        keywords=("web", "html", "article", "read", "url", "browse"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/"}, description="Read a page"),
            ToolExample(
                input={"url": "https://example.org/long", "start": 20000, "include_links": True},
                description="Read on where the last call stopped, links included",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def fetch_page(
        self,
        url: Url,
        *,
        start: Annotated[int, Ge(0), Param("The first character wanted, to read on in a long page")] = 0,
        max_characters: Annotated[
            int, Ge(1), Le(200_000), Param("The most text to return", unit="characters")
        ] = 20_000,
        include_links: Annotated[bool, Param("Whether to list the page's links as well")] = False,
        ctx: ToolContext,
    ) -> PageText:
        """Fetch a web page and return its readable text, without markup, scripts and menus.

        Headings start with #, list items with a dash. Plain text, JSON and the like come as they are.
        """
        reply, body, cut = await self._fetch(url, ctx)
        if reply.content_type in HTML:
            page = await asyncio.to_thread(read_page, text_of(reply, body), str(reply.url))
        elif is_text(reply.content_type):
            page = ReadPage("", text_of(reply, body), ())
        else:
            raise ToolFailure(
                f"{reply.url} is {reply.content_type or 'of an unnamed type'}, not text; use download_file to get it"
            )
        piece = page.text[start : start + max_characters]
        return PageText(
            url=str(reply.url),
            title=page.title,
            text=piece,
            start=start,
            characters=len(page.text),
            truncated=cut or start + len(piece) < len(page.text),
            content_type=reply.content_type,
            links=page.links if include_links else (),
        )

    @tool(
        keywords=("web", "crawl", "urls", "anchors", "href"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=url_concerns,
        examples=(
            ToolExample(input={"url": "https://example.org/"}, description="All links of a page"),
            ToolExample(
                input={"url": "https://example.org/docs/", "containing": "guide", "same_host": True, "limit": 20},
                description="Up to twenty links to guides on the same host",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def page_links(
        self,
        url: Url,
        *,
        containing: Annotated[str, Param("Only links whose address or words contain this, in any case")] = "",
        same_host: Annotated[bool, Param("Whether to list only links to the page's own host")] = False,
        limit: Annotated[int, Ge(1), Le(2000), Param("The most links to return")] = 200,
        ctx: ToolContext,
    ) -> PageLinks:
        """List the links of a web page with their words, each address once, in the page's order."""
        reply, body, cut = await self._fetch(url, ctx)
        if reply.content_type not in HTML:
            raise ToolFailure(
                f"{reply.url} is {reply.content_type or 'of an unnamed type'}, not an HTML page with links"
            )
        import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

        page = await asyncio.to_thread(read_page, text_of(reply, body), str(reply.url))
        wanted = containing.casefold()
        host = host_of(reply.url)
        links = [
            link
            for link in page.links
            if (wanted in link.url.casefold() or wanted in link.text.casefold())
            and (not same_host or httpx.URL(link.url).host == host)
        ]
        return PageLinks(str(reply.url), tuple(links[:limit]), len(links), cut or len(links) > limit)

    @tool(
        keywords=("api", "rest", "get", "post", "json", "curl", "web"),
        latency="medium",
        idempotent=False,
        read_only=False,
        open_world=True,
        concerns=_request_concerns,
        dry_run=request_dry_run,
        examples=(
            ToolExample(
                input={
                    "url": "https://api.example.org/items",
                    "query": {"page": "2"},
                    "headers": {"accept": "application/json"},
                },
                description="Get JSON",
            ),
            ToolExample(
                input={
                    "url": "https://api.example.org/items",
                    "method": "POST",
                    "json": {"name": "Lamp", "price": 12.5},
                },
                description="Post JSON, which asks first",
            ),
        ),
    )
    @security(mask_fields=_SECRETS)
    async def http_request(
        self,
        url: Url,
        *,
        method: Annotated[Method, Param("The HTTP method; all but GET, HEAD and OPTIONS ask first")] = "GET",
        query: Annotated[dict[str, str] | None, Param("Parameters added to the address")] = None,
        headers: Annotated[dict[str, str] | None, Param("Further request headers")] = None,
        json: Annotated[JsonValue, Param("A JSON value to send as the body")] = None,
        text: Annotated[str | None, Param("Text to send as the body, instead of JSON")] = None,
        timeout_s: Annotated[float, Gt(0), Le(300), Param("Time for the whole exchange", unit="s")] = 30.0,
        max_bytes: Annotated[
            int, Ge(1), Le(10_000_000), Param("The most of the body to read", unit="bytes")
        ] = 1_000_000,
        follow_redirects: Annotated[bool, Param("Whether a redirect is followed")] = True,
        ctx: ToolContext,
    ) -> HttpAnswer:
        """Send an HTTP request and return status, headers and body; an error status such as 404 is a result too.

        Sending data asks a person first. A body that is no text comes as an attachment.
        """
        target = parse_url(url)
        request = WebRequest(
            target.copy_merge_params(query) if query else target,
            method,
            checked_headers(headers or {}),
            grants=ctx.grants,
            follow_redirects=follow_redirects,
            refusal_at=ctx.refusal_at,
        )
        began = perf_counter()
        async with self._client.open(with_body(request, json, text), timeout_s) as reply:
            body, cut = await reply.read(max_bytes)
        readable = is_text(reply.content_type) or _looks_like_text(body)
        if body and not readable:
            ctx.attach(body, reply.content_type or None, reply.url.path.rpartition("/")[2] or None)
        words = text_of(reply, body) if readable else ""
        return HttpAnswer(
            url=str(reply.url),
            status=reply.response.status_code,
            reason=reply.response.reason_phrase,
            headers=dict(reply.response.headers),
            body=words,
            json=_json_value(words) if "json" in reply.content_type and not cut else None,
            size_bytes=len(body),
            truncated=cut,
            attached=bool(body) and not readable,
            redirects=reply.redirects,
            elapsed_s=round(perf_counter() - began, 4),
        )

    @tool(
        keywords=("web", "save", "fetch", "url", "get"),
        latency="slow",
        requires_confirmation=True,
        open_world=True,
        concerns=_download_concerns,
        dry_run=download_dry_run,
        examples=(
            ToolExample(
                input={"url": "https://example.org/data.csv", "target": "data.csv"},
                description="Into the project folder",
            ),
            ToolExample(
                input={
                    "url": "https://example.org/big.zip",
                    "target": "downloads/big.zip",
                    "resume": True,
                    "max_size_bytes": 500_000_000,
                },
                description="Go on where an earlier call broke off",
            ),
        ),
    )
    async def download_file(
        self,
        url: Url,
        target: Annotated[Path, PathRole(writes=True), Param("The file to write, its name included")],
        *,
        overwrite: Annotated[bool, Param("Whether to replace a file that is already there")] = False,
        max_size_bytes: Annotated[
            int, Ge(1), Le(10_000_000_000), Param("Refuse anything larger", unit="bytes")
        ] = 100_000_000,
        sha256: Annotated[
            str, StringConstraints(pattern=r"^([0-9A-Fa-f]{64})?$"), Param("The hash it must have; empty for any")
        ] = "",
        resume: Annotated[bool, Param("Whether to go on where an earlier call broke off, and let a later one")] = False,
        timeout_s: Annotated[float, Gt(0), Le(3600), Param("Time for the whole download", unit="s")] = 300.0,
        ctx: ToolContext,
    ) -> Download:
        """Download one file to a path; it appears there whole or not at all.

        With `resume`, what a download that broke off had is kept beside the target and the rest is fetched by the next
        call, if the server can do that and its file is still the same.
        """
        check_download_target(target, overwrite=overwrite)
        part = PartialDownload(target, keep=resume)
        request = WebRequest(parse_url(url), headers=part.headers(), grants=ctx.grants, refusal_at=ctx.refusal_at)
        try:
            async with self._client.open(request, timeout_s) as reply:
                size, digest = await part.fill(reply, max_size_bytes, ctx)
            if sha256 and digest != sha256.lower():
                part.discard()
                raise ToolFailure(f"{url} has the SHA-256 {digest}, not {sha256}; nothing was kept, check both")
            check_download_target(target, overwrite=overwrite)
            part.finish()
        finally:
            part.close()
        return Download(str(target), size, digest, reply.content_type, str(reply.url), part.resumed_at)


def _looks_like_text(body: bytes) -> bool:
    return b"\0" not in body and "\ufffd" not in decode_text(body[:4096], None)


def _json_value(text: str) -> JsonValue:
    try:
        value: JsonValue = json_text.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
