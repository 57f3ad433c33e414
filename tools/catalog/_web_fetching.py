"""Fetching of pages, which most web tools begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from tools.errors import ToolFailure, TransientError
from tools.spec import Concern, Param
from tools.web.addresses import parse_url, private_host_concerns
from tools.web.requests import WebClient, WebReply, WebRequest
from tools.web.text import decode_text

if TYPE_CHECKING:
    from tools.context import ToolContext

Url = Annotated[
    str,
    Param("The full address, starting with http:// or https://"),
    # An address may carry a password or a key; its format tells that people are not to see them.
    Field(json_schema_extra={"format": "uri"}),
]

PAGE_BYTES: Final = 2_000_000
PAGE_TIMEOUT_S: Final = 30.0
SECRET_HEADERS: Final = (
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "Api-Key",
    "X-Api-Key",
    "X-Auth-Token",
    "X-Access-Token",
)
"""Headers whose values people are not to see."""
HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_TEXT_TYPES: Final = ("json", "xml", "javascript", "x-www-form-urlencoded", "yaml", "toml", "csv")


def url_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    """Return the reason to ask when `url` leads to a private network."""
    return private_host_concerns(arguments["url"])


class Fetching:
    """Fetch pages."""

    _client: WebClient

    @asynccontextmanager
    async def _page(self, url: str, ctx: ToolContext, timeout_s: float) -> AsyncIterator[WebReply]:
        request = WebRequest(parse_url(url), grants=ctx.grants, refusal_at=ctx.refusal_at)
        async with self._client.open(request, timeout_s) as reply:
            if reply.response.is_error:
                message = f"{reply.url} answered {reply.status_line}; expected a page, check the address"
                raise (TransientError if reply.response.is_server_error else ToolFailure)(message)
            yield reply

    async def _fetch(self, url: str, ctx: ToolContext) -> tuple[WebReply, bytes, bool]:
        async with self._page(url, ctx, PAGE_TIMEOUT_S) as reply:
            body, cut = await reply.read(PAGE_BYTES)
        if cut:
            ctx.log("warning", f"only the first {PAGE_BYTES:,} bytes of {reply.url} were read")
        return reply, body, cut


def is_text(content_type: str) -> bool:
    """Return whether a media type is that of text."""
    return content_type.startswith("text/") or any(word in content_type for word in _TEXT_TYPES)


def text_of(reply: WebReply, body: bytes) -> str:
    """Return the body of an answer as text."""
    return decode_text(body, reply.response.charset_encoding)
