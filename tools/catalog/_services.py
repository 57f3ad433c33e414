"""Web services at known addresses: asked with their keys, and their refusals told as what to do about them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pydantic_core import from_json

from tools.catalog._bounds import readable_size
from tools.context import find_api_key, require_api_key
from tools.errors import ToolFailure, TransientError
from tools.masking import Scrubber
from tools.network_hosts import is_this_computer
from tools.web.addresses import host_of, parse_url, resolve
from tools.web.requests import WebClient, WebReply, WebRequest, checked_headers, with_body
from tools.web.text import decode_text

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.context import ToolContext

TIMEOUT_S: Final = 30.0
MOST_BYTES: Final = 8_000_000
_LONGEST_REASON: Final = 300
_REASONS: Final = (
    "message",
    "error_message",
    "error_description",
    "error",
    "detail",
    "title",
    "reason",
    "msg",
    "errors",
)
_SPACE: Final = re.compile(r"\s+")


class NothingThereError(ToolFailure):
    """Report that a service has nothing at an address."""


@dataclass(frozen=True, slots=True)
class ServiceKey:
    """How a service is told who asks.

    Attributes:
        variable: The environment variable that has the key, which is also the keyring entry's name.
        header: The header that carries it; empty when `query` does.
        prefix: What stands before it in the header.
        query: The part of the query that carries it.
        required: Whether the service answers nobody without one.
    """

    variable: str
    header: str = "authorization"
    prefix: str = "Bearer "
    query: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class Service:
    """One web service.

    Attributes:
        name: What messages call it.
        key: How it is told who asks; None when anybody may.
        headers: What every request carries.
        secrets: Parts of the address that nobody is to see.
    """

    name: str
    address: str
    key: ServiceKey | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """What a service answered.

    Attributes:
        url: Where it came from, after redirects.
        headers: Its header lines, by names in small letters.
        body: What it holds, whole unless `truncated`.
        text: The same as text, without the key.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    text: str
    truncated: bool


class WebServices:
    """Ask web services.

    Args:
        client: Sends the requests.
        moved: Addresses that are served elsewhere, by what they begin with. The program names them, never a caller, so
            that their hosts may be private.
    """

    def __init__(self, client: WebClient | None = None, moved: Mapping[str, str] | None = None) -> None:
        self._client = client or WebClient(resolve)
        self._moved = dict(moved or {})

    async def ask(
        self,
        ctx: ToolContext,
        service: Service,
        path: str,
        *,
        query: Mapping[str, str | int | None] | None = None,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        json: JsonValue = None,
        max_bytes: int = MOST_BYTES,
        timeout_s: float = TIMEOUT_S,
        refuse_cut: bool = True,
    ) -> ServiceAnswer:
        """Send one request and return the answer.

        Args:
            ctx: The running call.
            path: What comes behind the service's address.
            query: Parts of the query; those that are None or empty are left out.
            json: What is sent; None sends nothing.
            max_bytes: How much of the answer is read.
            timeout_s: Seconds for everything.
            refuse_cut: Whether a larger answer is a failure.

        Raises:
            ToolFailure: The service refuses, is told no key or answers with too much.
            TransientError: The service cannot be reached or is broken at the moment.
        """
        secret = await asyncio.to_thread(_secret_of, service)
        scrub = Scrubber([*service.secrets, *([secret] if secret else [])])
        sent = dict(checked_headers({**service.headers, **(headers or {})}))
        parts = {name: str(value) for name, value in (query or {}).items() if value not in {None, ""}}
        if secret and service.key is not None:
            if service.key.query:
                parts[service.key.query] = secret
            else:
                sent[service.key.header] = f"{service.key.prefix}{secret}"
        address, grants = self._placed(f"{service.address}{path}")
        url = parse_url(address)
        if secret and url.scheme != "https" and not is_this_computer(host_of(url)):
            raise ToolFailure(
                f"{service.name} is reached without encryption, so its key is not sent; use an https:// address"
            )
        request = WebRequest(
            url.copy_merge_params(parts) if parts else url,
            method,
            sent,
            grants=ctx.grants | grants,
            refusal_at=ctx.refusal_at,
        )
        try:
            async with self._client.open(with_body(request, json, None), timeout_s) as reply:
                body, cut = await reply.read(max_bytes)
            text = scrub(decode_text(body, reply.response.charset_encoding)) if _is_text(reply) else ""
            if reply.response.is_error:
                raise refusal(service, reply, text, has_key=bool(secret))
        except ToolFailure as error:
            if (clean := scrub(str(error))) != str(error):
                raise type(error)(clean) from None
            raise
        if cut and refuse_cut:
            raise ToolFailure(
                f"{service.name} answered with more than {readable_size(max_bytes)}; ask for less at a time"
            )
        return ServiceAnswer(
            scrub(str(reply.url)), reply.response.status_code, dict(reply.response.headers), body, text, cut
        )

    async def json(self, ctx: ToolContext, service: Service, path: str, **how: Any) -> Any:
        """Send one request and return the JSON value of the answer; see `ask`.

        Raises:
            ToolFailure: As `ask`, and for an answer that is no JSON.
            TransientError: As `ask`.
        """
        answer = await self.ask(
            ctx, service, path, headers={"accept": "application/json", **how.pop("headers", {})}, **how
        )
        try:
            return from_json(answer.text, allow_inf_nan=False)
        except ValueError as error:
            raise ToolFailure(
                f"{service.name} did not answer with JSON, but with {_excerpt(answer.text)!r}; try again later"
            ) from error

    def _placed(self, address: str) -> tuple[str, frozenset[str]]:
        """Return where an address is served, and what that admits."""
        for start, place in self._moved.items():
            if address.startswith(start):
                return place + address.removeprefix(start), frozenset({f"host:{host_of(parse_url(place))}"})
        return address, frozenset()


def _secret_of(service: Service) -> str | None:
    if service.key is None:
        return None
    return require_api_key(service.key.variable) if service.key.required else find_api_key(service.key.variable)


def _is_text(reply: WebReply) -> bool:
    kind = reply.content_type
    return not kind or kind.startswith("text/") or any(word in kind for word in ("json", "xml", "diff", "raw", "plain"))


def refusal(service: Service, reply: WebReply, text: str, *, has_key: bool) -> ToolFailure:
    """Return the failure that an answer with an error status is.

    Args:
        text: Its body, without secrets.
    """
    status, headers = reply.response.status_code, reply.response.headers
    said = reason_in(text)
    words = f"{status}{': ' + said if said else ''}"
    wait = headers.get("retry-after", "")
    spent = headers.get("x-ratelimit-remaining", headers.get("ratelimit-remaining")) == "0"
    if status == 429 or (status == 403 and (spent or wait)):  # noqa: PLR2004 -- too many requests
        when = f"in {wait} s" if wait.isdecimal() else f"after {wait}" if wait else "in some minutes"
        more = "" if has_key or service.key is None else f", or set {service.key.variable} to be allowed more"
        return ToolFailure(f"{service.name} allows no more requests for now ({words}); try again {when}{more}")
    if status in {401, 403}:
        return ToolFailure(_not_allowed(service, words, has_key=has_key))
    if status in {404, 410}:
        hidden = "" if has_key or service.key is None else f"; if it is private, set {service.key.variable}"
        return NothingThereError(f"{service.name} has nothing at {urlsplit(str(reply.url)).path} ({words}){hidden}")
    if status >= 500:  # noqa: PLR2004 -- the server's own errors
        return TransientError(f"{service.name} is out of order ({words}); try again later")
    return ToolFailure(f"{service.name} refused the request ({words}); change what it names")


def _not_allowed(service: Service, words: str, *, has_key: bool) -> str:
    if service.key is None:
        return f"{service.name} lets nobody do that without signing in ({words})"
    variable = service.key.variable
    if not has_key:
        return f"{service.name} asks for a key ({words}); set {variable} in the environment or the keyring"
    if words.startswith("401"):
        return f"{service.name} did not accept the key in {variable} ({words}); renew it"
    return f"the key in {variable} may not do that at {service.name} ({words}); give it the permission, or use another"


def reason_in(text: str) -> str:
    """Return what an error's body says in one line; empty when it says nothing that a person can read."""
    try:
        value = from_json(text)
    except ValueError:
        return "" if "<" in text[:200] else _excerpt(text)
    return _excerpt(_reason(value))


def _reason(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(filter(None, (_reason(item) for item in value[:3])))
    if isinstance(value, dict):
        found = dict.fromkeys(filter(None, (_reason(value.get(name)) for name in _REASONS)))
        return ": ".join(list(found)[:2])
    return ""


def _excerpt(text: str) -> str:
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"
