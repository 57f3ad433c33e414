"""Read pages, send requests and download files; private addresses only where a person allows the host."""

from __future__ import annotations

import asyncio
import hashlib
import json as json_text
import os
import secrets
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Gt, Le
from pydantic import Field, JsonValue

from tools.catalog._web_dry_runs import check_download_target, download_dry_run, request_dry_run
from tools.catalog.web_addresses import Resolve, host_of, parse_url, private_host_concerns, resolve
from tools.catalog.web_pages import ReadPage, decode_text, read_page
from tools.catalog.web_requests import WebClient, WebReply, WebRequest, checked_headers, with_body
from tools.catalog.web_results import Download, HttpAnswer, PageLinks, PageText
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.declare.decorators import retry, security
from tools.errors import ToolFailure, TransientError
from tools.spec import Concern, Param, PathRole, ToolExample

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
Url = Annotated[
    str,
    Param("The full address, starting with http:// or https://"),
    # An address may carry a password or a key; its format tells that people are not to see them.
    Field(json_schema_extra={"format": "uri"}),
]

_PAGE_BYTES: Final = 2_000_000
_PAGE_TIMEOUT_S: Final = 30.0
_CHUNK_BYTES: Final = 1 << 20
_TEXT_TYPES: Final = ("json", "xml", "javascript", "x-www-form-urlencoded", "yaml", "toml", "csv")
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SECRET_HEADERS: Final = (
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "Api-Key",
    "X-Api-Key",
    "X-Auth-Token",
    "X-Access-Token",
)
_SECRET_PARAMETERS: Final = ("access_token", "api_key", "key", "password", "secret", "signature", "token")
_SECRETS: Final = (
    *(f"headers.{name}" for name in _SECRET_HEADERS),
    *(f"query.{name}" for name in _SECRET_PARAMETERS),
    "result.headers.Set-Cookie",
)


def _host_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    return private_host_concerns(arguments["url"])


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
class Web:
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
        concerns=_host_concerns,
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
        if reply.content_type in _HTML:
            page = await asyncio.to_thread(read_page, _text(reply, body), str(reply.url))
        elif _is_text(reply.content_type):
            page = ReadPage("", _text(reply, body), ())
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
        concerns=_host_concerns,
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
        if reply.content_type not in _HTML:
            raise ToolFailure(
                f"{reply.url} is {reply.content_type or 'of an unnamed type'}, not an HTML page with links"
            )
        import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

        page = await asyncio.to_thread(read_page, _text(reply, body), str(reply.url))
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
        readable = _is_text(reply.content_type) or _looks_like_text(body)
        if body and not readable:
            ctx.attach(body, reply.content_type or None, reply.url.path.rpartition("/")[2] or None)
        words = _text(reply, body) if readable else ""
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
                    "overwrite": True,
                    "max_size_bytes": 500_000_000,
                },
                description="Replace what an earlier download left",
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
        timeout_s: Annotated[float, Gt(0), Le(3600), Param("Time for the whole download", unit="s")] = 300.0,
        ctx: ToolContext,
    ) -> Download:
        """Download one file to a path; it appears there whole or not at all."""
        check_download_target(target, overwrite=overwrite)
        async with self._page(url, ctx, timeout_s) as reply:
            expected = _expected_size(reply)
            if expected is not None and expected > max_size_bytes:
                raise _too_large(reply, max_size_bytes)
            part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
            try:
                size, digest = await _save(reply, part, max_size_bytes, expected, ctx)
                check_download_target(target, overwrite=overwrite)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
        return Download(str(target), size, digest, reply.content_type, str(reply.url))

    @asynccontextmanager
    async def _page(self, url: str, ctx: ToolContext, timeout_s: float) -> AsyncIterator[WebReply]:
        request = WebRequest(parse_url(url), grants=ctx.grants, refusal_at=ctx.refusal_at)
        async with self._client.open(request, timeout_s) as reply:
            if reply.response.is_error:
                message = f"{reply.url} answered {reply.status_line}; expected a page, check the address"
                raise (TransientError if reply.response.is_server_error else ToolFailure)(message)
            yield reply

    async def _fetch(self, url: str, ctx: ToolContext) -> tuple[WebReply, bytes, bool]:
        async with self._page(url, ctx, _PAGE_TIMEOUT_S) as reply:
            body, cut = await reply.read(_PAGE_BYTES)
        if cut:
            ctx.log("warning", f"only the first {_PAGE_BYTES:,} bytes of {reply.url} were read")
        return reply, body, cut


def _is_text(content_type: str) -> bool:
    return content_type.startswith("text/") or any(word in content_type for word in _TEXT_TYPES)


def _looks_like_text(body: bytes) -> bool:
    return b"\0" not in body and "\ufffd" not in decode_text(body[:4096], None)


def _text(reply: WebReply, body: bytes) -> str:
    return decode_text(body, reply.response.charset_encoding)


def _json_value(text: str) -> JsonValue:
    try:
        value: JsonValue = json_text.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _expected_size(reply: WebReply) -> int | None:
    """Return the size the server announces; None when it announces none or sends it compressed."""
    length = reply.response.headers.get("content-length", "")
    return int(length) if length.isdecimal() and "content-encoding" not in reply.response.headers else None


def _too_large(reply: WebReply, max_size_bytes: int) -> ToolFailure:
    return ToolFailure(
        f"{reply.url} is larger than {max_size_bytes:,} bytes; nothing was kept, raise max_size_bytes if it may be"
    )


async def _save(
    reply: WebReply, part: Path, max_size_bytes: int, expected: int | None, ctx: ToolContext
) -> tuple[int, str]:
    """Write the body to a new file and return its size and hash."""
    digest = hashlib.sha256()
    size = 0
    try:
        with part.open("xb") as file:
            async for chunk in _in_blocks(reply.response.aiter_bytes()):
                size += len(chunk)
                if size > max_size_bytes:
                    raise _too_large(reply, max_size_bytes)
                digest.update(chunk)
                await asyncio.to_thread(file.write, chunk)
                ctx.progress(size, expected, f"{size:,} bytes")
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
    except OSError as error:
        raise ToolFailure(f"{part.parent} cannot be written to: {error.strerror or error}") from error
    return size, digest.hexdigest()


async def _in_blocks(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Gather small chunks, so that writing them costs few hops to a thread."""
    block = bytearray()
    async for chunk in chunks:
        block += chunk
        if len(block) >= _CHUNK_BYTES:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)
