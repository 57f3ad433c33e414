"""Put questions to another program over HTTP: signed both ways, safe against replay, and refused on any trouble."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Callable
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json

from tools.calls import Advice, Continue, Edit, ExitEarly, OnTimeout, ReviewDecision, ReviewRequest
from tools.errors import ToolConfigurationError
from tools.network_hosts import is_this_computer

if TYPE_CHECKING:
    import httpx

SIGNATURE: Final = "X-Tool-Console-Signature"
TIMESTAMP: Final = "X-Tool-Console-Timestamp"
NONCE: Final = "X-Tool-Console-Nonce"
TOLERANCE_S: Final = 300.0
"""How far the clocks of both ends may differ."""

SHORTEST_SECRET_BYTES: Final = 16
_MOST_BYTES: Final = 1_000_000
_MARGIN_S: Final = 0.5
_SHORTEST_WAIT_S: Final = 0.2
_LONGEST_WAIT_S: Final = 30.0
_ACCEPTED: Final = 202
_OK: Final = 200


class _Reply(BaseModel):
    """What the other program answers."""

    model_config = ConfigDict(extra="ignore", defer_build=True)

    id: str
    decision: Literal["continue", "edit", "exit_early"]
    revised: dict[str, Any] | str | None = None
    reason: str = Field("", max_length=10_000)
    stop_run: bool = False
    advice: Advice = Advice.NONE
    whatever: list[str] = Field(default_factory=list)


class WebhookReviewHandler:
    """Ask another program, which answers when somebody decided.

    Each question is one POST of JSON; `request_body` says what is in it. The answer is JSON as well:
    `{"id": the question's, "decision": "continue" | "edit" | "exit_early"}`, with `revised` for an edit (all arguments,
    or a text for a tool's own question), and `reason`, `advice` and `stop_run` as in `ExitEarly`, or `whatever` as in
    `Continue`. Whoever needs longer than a connection lasts answers 202, perhaps with `Retry-After`, and is asked the
    same again; where `OpenQuestions.watch` tells `follow`, that says whether the caller still waits.

    Both ways the headers carry a time, a nonce and `v1=` with the HMAC-SHA256 of `time.nonce.body` by the shared
    secret. The answer repeats the nonce of its question, so that none can be used twice.

    Whatever goes wrong refuses the call: no answer in time, another status, a redirect, a wrong signature, an old
    answer, one to another question. Its own silence refuses too, whatever the question says of silence.

    Args:
        url: Where to; `https`, or `http` to this computer only.
        secret: What both ends know, 16 bytes or more.
        timeout_s: Seconds until no answer refuses; the question's own time is never exceeded.
        transport: How to reach it; None is the network.
        now: Seconds since the epoch.

    Raises:
        ToolConfigurationError: When the address or the secret protects nothing.
    """

    name = "webhook"

    def __init__(
        self,
        url: str,
        secret: str | bytes,
        *,
        timeout_s: float = 300.0,
        transport: httpx.AsyncBaseTransport | None = None,
        now: Callable[[], float] = time,
    ) -> None:
        self._url = _checked_url(url)
        self._secret = secret.encode() if isinstance(secret, str) else secret
        if len(self._secret) < SHORTEST_SECRET_BYTES:
            msg = f"expected a secret of at least {SHORTEST_SECRET_BYTES} bytes, got {len(self._secret)}"
            raise ToolConfigurationError(msg)
        if timeout_s <= 0:
            msg = f"timeout_s must be above 0; it is {timeout_s}"
            raise ToolConfigurationError(msg)
        self._timeout_s = timeout_s
        self._transport = transport
        self._now = now
        self._newest: dict[str, ReviewRequest] = {}

    def follow(self, request: ReviewRequest) -> None:
        """Send an open question as it is by now when it is asked the next time; see `OpenQuestions.watch`."""
        if request.id in self._newest:
            self._newest[request.id] = request

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        """Ask, and return the answer, or a refusal that says what went wrong."""
        import httpx  # noqa: PLC0415 -- takes a tenth of a second, which few programs need

        limit = asyncio.timeout(self._limit_s(request))
        self._newest[request.id] = request
        try:
            async with limit, httpx.AsyncClient(transport=self._transport, timeout=None, trust_env=False) as client:  # noqa: S113 -- `limit` is the time limit
                return _decision(request, await self._answer(client, request))
        except TimeoutError:
            if not limit.expired():
                raise
            return ExitEarly(f"the webhook did not answer within {self._limit_s(request):g} s", timed_out=True)
        except (httpx.HTTPError, ValueError) as error:
            return ExitEarly(f"the webhook gave no answer that counts: {_reason(error)}")
        finally:
            del self._newest[request.id]

    def _limit_s(self, request: ReviewRequest) -> float:
        """Return how long to wait: a little less than the question, so that its silence never decides otherwise."""
        if not request.timeout_s:
            return self._timeout_s
        return min(self._timeout_s, max(request.timeout_s - _MARGIN_S, request.timeout_s / 2))

    async def _answer(self, client: httpx.AsyncClient, request: ReviewRequest) -> _Reply:
        """Ask until there is an answer.

        Raises:
            ValueError: It does not count.
        """
        while True:
            body = to_json(request_body(self._newest[request.id]))
            nonce = secrets.token_hex(16)
            headers = {"content-type": "application/json", **self._signed(nonce, body)}
            async with client.stream("POST", self._url, content=body, headers=headers) as response:
                content = bytearray()
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if len(content) > _MOST_BYTES:
                        raise ValueError(f"it is longer than {_MOST_BYTES:,} bytes")
            if response.status_code == _ACCEPTED:
                await asyncio.sleep(_wait_s(response.headers.get("retry-after", "")))
                continue
            if response.status_code != _OK:
                raise ValueError(f"its status is {response.status_code}")
            self._check(response.headers, nonce, bytes(content))
            return _Reply.model_validate_json(bytes(content))

    def _signed(self, nonce: str, body: bytes) -> dict[str, str]:
        stamp = str(int(self._now()))
        return {TIMESTAMP: stamp, NONCE: nonce, SIGNATURE: signature(self._secret, stamp, nonce, body)}

    def _check(self, headers: httpx.Headers, nonce: str, body: bytes) -> None:
        """Check that an answer is from whom it says, new, and to this question.

        Raises:
            ValueError: It is not.
        """
        stamp, said = headers.get(TIMESTAMP, ""), headers.get(SIGNATURE, "")
        if not hmac.compare_digest(said.encode(), signature(self._secret, stamp, nonce, body).encode()):
            raise ValueError("its signature is missing or wrong")
        if headers.get(NONCE, "") != nonce:
            raise ValueError("it answers another question")
        if not stamp.isascii() or not stamp.isdigit() or abs(self._now() - int(stamp)) > TOLERANCE_S:
            raise ValueError("its time is too far from this computer's")


def signature(secret: bytes, stamp: str, nonce: str, body: bytes) -> str:
    """Return what proves who wrote a message, and when, and to which question it belongs."""
    return "v1=" + hmac.new(secret, f"{stamp}.{nonce}.".encode() + body, sha256).hexdigest()


def request_body(request: ReviewRequest) -> dict[str, Any]:
    """Return what is asked, as JSON; secrets are bullets in it already."""
    preview = request.preview
    return {
        "id": request.id,
        "call": request.call.id,
        "tool": request.call.tool.name,
        "caller": request.call.caller,
        "description": request.description,
        "prompt": request.prompt,
        "arguments": None if request.arguments is None else dict(request.arguments),
        "result": request.result,
        "timing": request.timing.value,
        "concerns": [concern._asdict() for concern in request.concerns],
        "new_reasons": list(request.new_reasons),
        "risk": None if request.risk is None else request.risk.value,
        "degree": request.degree,
        "risk_why": request.risk_why,
        "why": request.why,
        "rule": request.rule,
        "required_role": request.required_role,
        "preview": None
        if preview is None
        else {**preview._asdict(), "counts": [count._asdict() for count in preview.counts]},
        "digest": request.digest,
        "plan": [
            {**step._asdict(), "concerns": [concern._asdict() for concern in step.concerns]} for step in request.plan
        ],
        "asked_at": request.asked_at.isoformat(),
        "expires_at": None if request.expires_at is None else request.expires_at.isoformat(),
        "on_timeout": OnTimeout.EXIT_EARLY.value,
        "caller_back_within_s": request.caller_back_within_s,
    }


def _decision(request: ReviewRequest, reply: _Reply) -> ReviewDecision:
    if reply.id != request.id:
        raise ValueError("it answers another question")
    if reply.decision == "continue":
        return Continue(reply.reason, whatever=tuple(reply.whatever))
    if reply.decision == "exit_early":
        return ExitEarly(reply.reason, stop_run=reply.stop_run, advice=reply.advice)
    if reply.revised is None or isinstance(reply.revised, str) is not (request.arguments is None):
        wanted = "a text" if request.arguments is None else "an object with all arguments"
        raise ValueError(f"an edit needs {wanted} as revised")
    return Edit(reply.revised, reply.reason)


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"
    return str(error) or type(error).__name__


def _wait_s(said: str) -> float:
    asked = float(said) if said.isascii() and said.isdigit() else 1.0
    return min(max(asked, _SHORTEST_WAIT_S), _LONGEST_WAIT_S)


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and parts.hostname and is_this_computer(parts.hostname):
        return url
    msg = f"expected an https address of a webhook, or http to this computer, got {url!r}"
    raise ToolConfigurationError(msg)
