"""How a server answers: its redirects, how long each part takes, and the headers that protect visitors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal

from tools.errors import ToolFailure
from tools.web.addresses import parse_url
from tools.web.requests import MAX_REDIRECTS, WebClient, WebRequest

if TYPE_CHECKING:
    import httpx

    from tools.context import ToolContext

_TIMEOUT_S: Final = 30.0
_MOST_BYTES: Final = 1_000_000
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_HALF_A_YEAR_S: Final = 15_768_000
Severity = Literal["info", "low", "medium", "high"]


@dataclass(frozen=True)
class RedirectHop:
    """One address on the way.

    Attributes:
        url: The address.
        status: What it answered.
    """

    url: str
    status: int


@dataclass(frozen=True)
class ServerTiming:
    """How long each part took, in milliseconds; None for a part that was not needed.

    Attributes:
        look_up_ms: Until the address of the host was known.
        connect_ms: Until the connection stood.
        tls_ms: Until it was encrypted.
        first_byte_ms: From the request to the first byte of the answer.
        download_ms: Until the body was read.
        total_ms: Everything together, without the redirects.
    """

    look_up_ms: float | None
    connect_ms: float | None
    tls_ms: float | None
    first_byte_ms: float | None
    download_ms: float
    total_ms: float


@dataclass(frozen=True)
class HeaderFinding:
    """One thing to mend.

    Attributes:
        severity: How bad it is.
        header: The header it is about.
        text: What is wrong and what to do.
    """

    severity: Severity
    header: str
    text: str


@dataclass(frozen=True)
class ServerReport:
    """How a server answers.

    Attributes:
        url: What answered in the end.
        status: Its status code.
        http_version: Such as HTTP/1.1.
        redirects: The addresses passed on the way.
        timing: How long each part took.
        headers: The header lines, values of cookies left out.
        size_bytes: How many bytes of the body were read.
        findings: What to mend, the worst first.
    """

    url: str
    status: int
    http_version: str
    redirects: tuple[RedirectHop, ...]
    timing: ServerTiming
    headers: dict[str, str]
    size_bytes: int
    findings: tuple[HeaderFinding, ...]


class _Watch:
    """Notes when parts of an exchange begin and end; the HTTP library calls it."""

    def __init__(self) -> None:
        self.began = perf_counter()
        self._at: dict[str, float] = {}

    async def __call__(self, event: str, _: Mapping[str, Any]) -> None:
        self._at.setdefault(event.partition(".")[2], perf_counter())

    def between(self, first: str, second: str) -> float | None:
        start, end = self._at.get(first), self._at.get(second)
        return None if start is None or end is None else round((end - start) * 1000, 2)

    def timing(self, ended: float) -> ServerTiming:
        connecting = self._at.get("connect_tcp.started")
        answered = self._at.get("receive_response_headers.complete", ended)
        return ServerTiming(
            look_up_ms=None if connecting is None else round((connecting - self.began) * 1000, 2),
            connect_ms=self.between("connect_tcp.started", "connect_tcp.complete"),
            tls_ms=self.between("start_tls.started", "start_tls.complete"),
            first_byte_ms=self.between("send_request_headers.started", "receive_response_headers.complete"),
            download_ms=round((ended - answered) * 1000, 2),
            total_ms=round((ended - self.began) * 1000, 2),
        )


async def answers_of(client: WebClient, url: str, ctx: ToolContext) -> ServerReport:
    """Ask an address, follow its redirects, and return how the last server answers.

    Raises:
        ToolFailure: An address or a redirect is refused, or there are too many.
        TransientError: A server cannot be reached.
    """
    request = WebRequest(parse_url(url), grants=ctx.grants, follow_redirects=False, refusal_at=ctx.refusal_at)
    hops: list[RedirectHop] = []
    while True:
        watch = _Watch()
        async with client.open(replace(request, trace=watch), _TIMEOUT_S) as reply:
            status, headers = reply.response.status_code, reply.response.headers
            location = headers.get("location")
            if status not in _REDIRECTS or location is None:
                body, _ = await reply.read(_MOST_BYTES)
                return ServerReport(
                    url=str(reply.url),
                    status=status,
                    http_version=reply.response.http_version,
                    redirects=tuple(hops),
                    timing=watch.timing(perf_counter()),
                    headers=_shown(headers),
                    size_bytes=len(body),
                    findings=tuple(sorted(_findings(reply.url, headers, hops), key=_worst_first)),
                )
        hops.append(RedirectHop(str(request.url), status))
        if len(hops) > MAX_REDIRECTS:
            raise ToolFailure(f"{url} redirects more than {MAX_REDIRECTS} times; the last was to {location!r}")
        request = request.redirected(status, location)


def _worst_first(finding: HeaderFinding) -> int:
    return -("info", "low", "medium", "high").index(finding.severity)


def _shown(headers: httpx.Headers) -> dict[str, str]:
    """Return header lines; a cookie's value may let others in, so only its name and flags stay."""
    shown = dict(headers)
    if cookies := headers.get_list("set-cookie"):
        shown["set-cookie"] = ", ".join(_without_value(cookie) for cookie in cookies)
    return shown


def _without_value(cookie: str) -> str:
    pair, semicolon, flags = cookie.partition(";")
    return f"{pair.partition('=')[0]}=…{semicolon}{flags}"


def _findings(url: httpx.URL, headers: httpx.Headers, hops: list[RedirectHop]) -> Iterator[HeaderFinding]:
    if url.scheme == "http":
        yield HeaderFinding("high", "", "the page comes without encryption; serve it over https and redirect to it")
    else:
        yield from _transport_findings(headers)
    if any(hop.url.startswith("https://") for hop in hops) and url.scheme == "http":
        yield HeaderFinding("high", "location", "a redirect leads from https to http; keep it on https")
    policy = headers.get("content-security-policy", "").lower()
    is_html = "html" in headers.get("content-type", "")
    if is_html:
        yield from _policy_findings(policy)
        if "x-frame-options" not in headers and "frame-ancestors" not in policy:
            yield HeaderFinding("medium", "x-frame-options", "other sites may frame the page; send DENY or SAMEORIGIN")
        if "referrer-policy" not in headers:
            yield HeaderFinding("low", "referrer-policy", "missing; send strict-origin-when-cross-origin")
        if "permissions-policy" not in headers:
            yield HeaderFinding("info", "permissions-policy", "missing; it can turn off what the page does not need")
    if headers.get("x-content-type-options", "").lower() != "nosniff":
        yield HeaderFinding("low", "x-content-type-options", "browsers may guess another media type; send nosniff")
    yield from _cookie_findings(headers, is_encrypted=url.scheme == "https")
    for name in ("server", "x-powered-by"):
        if any(letter.isdigit() for letter in headers.get(name, "")):
            yield HeaderFinding("info", name, f"tells the version {headers[name]!r}; leave it out")


def _transport_findings(headers: httpx.Headers) -> Iterator[HeaderFinding]:
    said = headers.get("strict-transport-security", "").lower()
    age = next((part.strip()[8:].strip('"') for part in said.split(";") if part.strip().startswith("max-age=")), "")
    if not said:
        text = "missing, so that the first visit may be unencrypted; send max-age=31536000"
        yield HeaderFinding("medium", "strict-transport-security", text)
    elif not age.isdecimal() or int(age) < _HALF_A_YEAR_S:
        yield HeaderFinding("low", "strict-transport-security", "holds for less than half a year; raise max-age")


def _policy_findings(policy: str) -> Iterator[HeaderFinding]:
    name = "content-security-policy"
    if not policy:
        yield HeaderFinding("medium", name, "missing, so that injected scripts run; allow only what the page needs")
        return
    parts = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.split()}
    scripts = parts.get("script-src", parts.get("default-src"))
    if scripts is None:
        yield HeaderFinding("medium", name, "says nothing of scripts; add script-src or default-src")
    else:
        trusted = any(word.startswith(("'nonce-", "'sha")) for word in scripts)
        for word in ("'unsafe-inline'", "'unsafe-eval'", "*"):
            if word in scripts and not (trusted and word == "'unsafe-inline'"):
                yield HeaderFinding("medium", name, f"lets scripts in by {word}; use nonces or hashes instead")


def _cookie_findings(headers: httpx.Headers, *, is_encrypted: bool) -> Iterator[HeaderFinding]:
    checks: tuple[tuple[str, Severity, Callable[[list[str]], bool]], ...] = (
        ("Secure", "medium", lambda flags: is_encrypted and "secure" not in flags),
        ("HttpOnly", "low", lambda flags: "httponly" not in flags),
        ("SameSite", "low", lambda flags: not any(flag.startswith("samesite") for flag in flags)),
    )
    for cookie in headers.get_list("set-cookie"):
        flags = [flag.strip().lower() for flag in cookie.split(";")[1:]]
        for name, severity, is_missing in checks:
            if is_missing(flags):
                text = f"the cookie {cookie.partition('=')[0].strip()!r} lacks {name}"
                yield HeaderFinding(severity, "set-cookie", text)
