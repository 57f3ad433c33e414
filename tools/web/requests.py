"""One web request of a tool: redirects followed by hand, every hop judged, every body bounded."""

from __future__ import annotations

import asyncio
import json as json_text
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ToolFailure, ToolTimeoutError, TransientError
from tools.http import USER_AGENT
from tools.network import NetworkTransport, network_now
from tools.network_hosts import Address, address_of
from tools.web.addresses import RefusalAt, Resolve, admitted_addresses, host_of, parse_url, port_of

if TYPE_CHECKING:
    import httpx
    from pydantic import JsonValue

Trace = Callable[[str, Mapping[str, Any]], Awaitable[None]]
"""Is told of a part of an exchange: (its name, what is known of it)."""

MAX_REDIRECTS: Final = 10
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_OURS: Final = frozenset({"connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"})
_HARMLESS: Final = frozenset({"accept", "accept-language", "user-agent"})
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class WebRequest:
    """What to send.

    Attributes:
        headers: Header lines in small letters, without those that belong to the connection.
        body: The bytes to send; None sends none.
        grants: What a person allowed, `host:<host>` among it.
        refusal_at: Says why the policy lets nobody go to an address; None when nothing does.
        trace: Is told of each part of the exchange as it begins and ends; None for nobody.
    """

    url: httpx.URL
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    grants: frozenset[str] = frozenset()
    follow_redirects: bool = True
    refusal_at: RefusalAt | None = None
    trace: Trace | None = None

    def redirected(self, status: int, location: str) -> WebRequest:
        """Return the request a redirect asks for.

        Raises:
            ToolFailure: When it leads nowhere a tool may go, or would send the body to somebody else.
        """
        target = parse_url(str(self.url.join(location)))
        if not target.fragment and self.url.fragment:
            target = target.copy_with(fragment=self.url.fragment)
        same_origin = _origin(target) == _origin(self.url)
        becomes_get = (status == 303 and self.method != "HEAD") or (status in {301, 302} and self.method == "POST")  # noqa: PLR2004
        if becomes_get:
            headers = {name: value for name, value in self.headers.items() if not name.startswith("content-")}
            following = replace(self, url=target, method="GET", body=None, headers=headers)
        elif self.body is not None and not same_origin:
            raise ToolFailure(
                f"{host_of(self.url)} redirects the data to {target}, which was not asked for;"
                " send it there yourself if that is meant"
            )
        else:
            following = replace(self, url=target)
        if same_origin:
            return following
        kept = {name: value for name, value in following.headers.items() if name in _HARMLESS}
        return replace(following, headers=kept)


def _origin(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, host_of(url), port_of(url)


def checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with their names in small letters.

    Raises:
        ToolFailure: When one is malformed or belongs to the connection.
    """
    checked: dict[str, str] = {}
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or any(ord(letter) < 32 and letter != "\t" for letter in value):  # noqa: PLR2004
            raise ToolFailure(f"the header {name!r} is malformed: expected a token and a value of one line")
        if name.lower() in _OURS:
            raise ToolFailure(f"the header {name!r} is set by the connection itself; leave it out")
        checked[name.lower()] = value
    return checked


def with_body(request: WebRequest, json: JsonValue, text: str | None) -> WebRequest:
    """Return a request that sends JSON or text, and says which unless the caller did.

    Raises:
        ToolFailure: When there are two bodies, or a text that cannot be encoded.
    """
    if json is not None and text is not None:
        raise ToolFailure("expected one body, got json and text; leave one of them out")
    if json is None and text is None:
        return request
    kind = "application/json" if text is None else "text/plain; charset=utf-8"
    body = text if text is not None else json_text.dumps(json, ensure_ascii=False)
    try:
        content = body.encode()
    except UnicodeEncodeError as error:
        raise ToolFailure(f"the body has half a character, {body[error.start]!r}, that nobody can send") from error
    return replace(request, headers={"content-type": kind, **request.headers}, body=content)


@dataclass(frozen=True, slots=True)
class WebReply:
    """An answer whose body is still to be read.

    Attributes:
        url: Where it came from, after redirects.
        redirects: The addresses passed on the way.
    """

    url: httpx.URL
    redirects: tuple[str, ...]
    response: httpx.Response

    @property
    def content_type(self) -> str:
        """The media type in small letters without parameters; empty when the server names none."""
        return str(self.response.headers.get("content-type", "")).partition(";")[0].strip().lower()

    @property
    def status_line(self) -> str:
        """The status as people read it, such as `404 Not Found`."""
        return f"{self.response.status_code} {self.response.reason_phrase}".rstrip()

    async def read(self, max_bytes: int) -> tuple[bytes, bool]:
        """Return the decoded body and whether it was cut at `max_bytes`."""
        body = bytearray()
        async for chunk in self.response.aiter_bytes():
            body += chunk
            if len(body) > max_bytes:
                return bytes(body[:max_bytes]), True
        return bytes(body), False


class WebClient:
    """Send requests to admitted addresses only; nothing is shared between requests, proxies are not used.

    Args:
        trust: Whose certificates are trusted; None means the usual authorities.
    """

    def __init__(self, look_up: Resolve, trust: ssl.SSLContext | None = None) -> None:
        self._look_up = look_up
        self._trust = trust

    @asynccontextmanager
    async def open(self, request: WebRequest, timeout_s: float) -> AsyncIterator[WebReply]:
        """Send a request and yield its answer.

        Args:
            timeout_s: Seconds for everything, the reading of the body included.

        Raises:
            ToolFailure: When the address or a redirect is refused.
            TransientError: When the server cannot be reached, breaks off or is too slow.
        """
        import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

        host = host_of(request.url)
        limit = asyncio.timeout(timeout_s)
        try:
            async with limit, self._client(timeout_s) as client:
                reply = await self._follow(client, request)
                try:
                    yield reply
                finally:
                    await reply.response.aclose()
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise ToolTimeoutError(
                f"{host} did not answer in full within {timeout_s:g} s; try again or allow more"
            ) from error
        except httpx.HTTPError as error:
            raise _failure(error, host) from error

    def _client(self, timeout_s: float) -> httpx.AsyncClient:
        import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

        # A kept connection was made for one name; another name at the same address must not inherit its trust.
        limits = httpx.Limits(max_keepalive_connections=0)
        carrier: Any = NetworkTransport(httpx, self._trust, limits=limits)
        return httpx.AsyncClient(
            trust_env=False, transport=carrier, timeout=timeout_s, headers={"user-agent": USER_AGENT}
        )

    async def _follow(self, client: httpx.AsyncClient, request: WebRequest) -> WebReply:
        passed: list[str] = []
        while True:
            response = await self._send(client, request)
            location = response.headers.get("location")
            if response.status_code not in _REDIRECTS or location is None or not request.follow_redirects:
                return WebReply(request.url, tuple(passed), response)
            await response.aclose()
            passed.append(str(request.url))
            if len(passed) > MAX_REDIRECTS:
                raise ToolFailure(
                    f"{passed[0]} redirects more than {MAX_REDIRECTS} times; the last was to {location!r}"
                )
            request = request.redirected(response.status_code, location)

    async def _send(self, client: httpx.AsyncClient, request: WebRequest) -> httpx.Response:
        import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

        host, settings = host_of(request.url), network_now()
        if refusal := settings.refusal(host):
            raise ToolFailure(refusal)
        *others, last = await admitted_addresses(request.url, request.grants, self._look_up, request.refusal_at)
        if settings.proxy_for(request.url.scheme, host) is not None:
            # The proxy looks the name up itself; what was found here has been judged at least.
            return await client.send(_named(client, request), stream=True)
        for address in others:
            try:
                return await client.send(_pinned(client, request, address), stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await client.send(_pinned(client, request, last), stream=True)


def _named(client: httpx.AsyncClient, request: WebRequest) -> httpx.Request:
    extensions = {} if request.trace is None else {"trace": request.trace}
    return client.build_request(
        request.method, request.url, headers=request.headers, content=request.body, extensions=extensions
    )


def _pinned(client: httpx.AsyncClient, request: WebRequest, address: Address) -> httpx.Request:
    """Return the request addressed to one checked address, while the server and its certificate see the name."""
    named = request.url.netloc.decode("ascii")
    extensions: dict[str, Any] = {}
    if address_of(host_of(request.url)) is None:
        extensions["sni_hostname"] = host_of(request.url)
    if request.trace is not None:
        extensions["trace"] = request.trace
    return client.build_request(
        request.method,
        request.url.copy_with(host=str(address), fragment=None),
        headers={**request.headers, "host": named},
        content=request.body,
        extensions=extensions,
    )


def _failure(error: httpx.HTTPError, host: str) -> ToolFailure:
    import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only web tools need

    reason = str(error) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in reason:
        return ToolFailure(f"the certificate of {host} is not trusted: {reason}")
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.DecodingError)):
        return ToolFailure(f"the exchange with {host} cannot work: {reason}")
    if isinstance(error, httpx.TimeoutException):
        return ToolTimeoutError(
            f"{host} did not answer in time ({reason or type(error).__name__}); try again or allow more"
        )
    return TransientError(f"no answer from {host}: {reason}; check the address and try again")
