"""Ask a provider over HTTP: streams are read event by event, and whatever goes wrong is told in one way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ModelError, ModelFault
from tools.models.format import StreamedError, WireFormat
from tools.models.port import AnswerDelta, ModelRequest

if TYPE_CHECKING:
    import httpx

    from tools.models.format import AnswerDecoder
    from tools.wire import Provider

CONNECT_S: Final = 10.0
FIRST_S: Final = 300.0
"""Seconds until the first event: a local model may have to be loaded."""
IDLE_S: Final = 120.0
"""Seconds between two events; what only keeps the connection open is none."""
AFTER_S: Final = 3.0
"""Seconds that a whole answer's figures may take to come."""
_LIST_S: Final = 10.0
_LONGEST_LINE: Final = 32 * 2**20
LONGEST_ANSWER: Final = 8_000_000
"""Letters of an answer; one that is longer does not end."""
_WRAPPING: Final = 8
"""How much longer events are than what they add to the arguments of a call."""
_LONGEST_MESSAGE: Final = 400

_DONE: Final = "[DONE]"
_TOO_LONG: Final = (
    "context_length", "context length", "context window", "prompt is too long", "maximum context", "too many tokens",
    "exceeds the maximum number of tokens", "exceed_context_size",
)  # fmt: skip
_QUOTA: Final = ("insufficient_quota", "credit balance", "billing")
_FAULT_BY_STATUS: Final = {
    401: ModelFault.KEY,
    402: ModelFault.QUOTA,
    403: ModelFault.KEY,
    404: ModelFault.NOT_FOUND,
    408: ModelFault.SERVER,
    409: ModelFault.SERVER,
    413: ModelFault.TOO_LONG,
    429: ModelFault.RATE_LIMIT,
}
_FAULT_BY_TYPE: Final = {
    "authentication_error": ModelFault.KEY,
    "permission_error": ModelFault.KEY,
    "not_found_error": ModelFault.NOT_FOUND,
    "rate_limit_error": ModelFault.RATE_LIMIT,
    "rate_limit_exceeded": ModelFault.RATE_LIMIT,
    "RESOURCE_EXHAUSTED": ModelFault.RATE_LIMIT,
    "request_too_large": ModelFault.TOO_LONG,
    "invalid_request_error": ModelFault.REQUEST,
    "invalid_prompt": ModelFault.REQUEST,
}


class HttpProvider:
    """Ask a provider that is reached over HTTP.

    Args:
        name: What it is called on a command line.
        title: What people call it.
        address: Where it is, without the path of a request.
        client: Makes the requests; whoever made it closes it.
        key: What it lets us in with; empty for nothing.
        key_name: Where the key comes from, for messages; empty when it needs none.
        first_s: Seconds until the first event.
        idle_s: Seconds between two events.
        after_s: Seconds that the figures of a whole answer may take to come.
        longest: Letters of an answer; one that is longer does not end.
    """

    def __init__(
        self,
        name: str,
        title: str,
        format: WireFormat,  # noqa: A002 -- the field's word
        address: str,
        client: httpx.AsyncClient,
        *,
        key: str = "",
        key_name: str = "",
        first_s: float = FIRST_S,
        idle_s: float = IDLE_S,
        after_s: float = AFTER_S,
        longest: int = LONGEST_ANSWER,
    ) -> None:
        self.name = name
        self._title = title
        self.address = address.rstrip("/")
        self._format = format
        self._client = client
        self._key = key
        self._key_name = key_name
        self._first_s = first_s
        self._idle_s = idle_s
        self._after_s = after_s
        self._longest = longest

    @property
    def wire(self) -> Provider:
        return self._format.wire

    async def stream(self, request: ModelRequest) -> AsyncGenerator[AnswerDelta, None]:
        """Ask a model, and yield its answer as it comes.

        Raises:
            ModelError: When there is no whole answer.
        """
        import httpx  # noqa: PLC0415 -- takes a tenth of a second

        path, body = self._format.write(request)
        timeout = httpx.Timeout(CONNECT_S, read=None)
        try:
            async with asyncio.timeout(self._first_s) as limit:
                sent = self._client.build_request("POST", self._url(path), json=body, headers=self._headers())
                sent.extensions["timeout"] = timeout.as_dict()
                response = await self._client.send(sent, stream=True)
                limit.reschedule(None)
            try:
                await self._check(response, request.model)
                await self._check_streams(response, request.model)
                async with aclosing(self._decoded(response)) as deltas:
                    async for delta in deltas:
                        yield delta
            finally:
                await response.aclose()
        except TimeoutError:
            raise self._silent(self._first_s) from None
        except httpx.HTTPError as error:
            raise self._broken(error) from error

    async def models(self) -> list[str]:
        """Return the names of its models, in its order.

        Raises:
            ModelError: When it does not tell.
        """
        import httpx  # noqa: PLC0415 -- as above

        try:
            response = await self._client.get(
                self._url(self._format.models_path), headers=self._headers(), timeout=_LIST_S
            )
            await self._check(response, "")
            listed = response.json()
            return self._format.models(listed)
        except httpx.HTTPError as error:
            raise self._broken(error) from error
        except (ValueError, AttributeError) as error:
            raise self._malformed(f"expected a list of models, got {_beginning(response.text)!r}") from error

    def _url(self, path: str) -> str:
        return f"{self.address}{path}"

    def _headers(self) -> dict[str, str]:
        return self._format.headers(self._key) if self._key else {}

    async def _decoded(self, response: httpx.Response) -> AsyncGenerator[AnswerDelta, None]:
        decoder, letters, quiet = self._format.decoder(), 0, 0
        events = _lines_of_json(response) if self._format.sends_lines else _server_sent(response)
        limit_s = self._first_s
        async with aclosing(events):
            while (text := await self._next(events, decoder, limit_s)) is not None:
                limit_s = self._after_s if decoder.done else self._idle_s
                told = letters
                try:
                    for delta in decoder.feed(_event(text)):
                        letters += len(delta.text)
                        yield delta
                except StreamedError as error:
                    raise self._told(None, error.body, "") from None
                except (AttributeError, KeyError, TypeError, ValueError) as error:
                    raise self._malformed(
                        f"expected an event of {self._format.name}, got {_beginning(text)!r}"
                    ) from error
                # The arguments of a call come without a word.
                quiet += len(text) if letters == told else 0
                if letters > self._longest or quiet > _WRAPPING * self._longest:
                    raise ModelError(
                        ModelFault.IDLE,
                        f"the answer of {self._title} does not end: {letters + quiet:,} letters came",
                        "ask for less, or limit the answer",
                    )
        if not decoder.done:
            raise ModelError(
                ModelFault.CUT_OFF,
                f"{self._title} ended the stream in the middle of the answer",
                "what came is kept; go on, or ask again",
            )
        try:
            yield decoder.finish()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self._malformed(f"the answer lacks what {self._format.name} has ({type(error).__name__})") from error

    async def _next(self, events: AsyncIterator[str], decoder: AnswerDecoder, limit_s: float) -> str | None:
        """Return the next event; None at the end, and when a whole answer's stream is not closed."""
        if decoder.done:
            limit_s = self._after_s
        try:
            return await asyncio.wait_for(anext(events, None), limit_s)
        except TimeoutError:
            if decoder.done:
                return None
            raise self._silent(limit_s) from None
        except _TooLongError as error:
            raise self._malformed(str(error)) from None

    async def _check(self, response: httpx.Response, model: str) -> None:
        if response.is_success:
            return
        text = (await response.aread()).decode(errors="replace")
        try:
            body: Any = json.loads(text)
        except ValueError:
            body = text
        raise self._told(response, body, model)

    async def _check_streams(self, response: httpx.Response, model: str) -> None:
        """Refuse one document in the place of a stream: an error as some servers tell it, or the page of a website."""
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind != "text/html" and (self._format.sends_lines or kind != "application/json"):
            return
        text = (await response.aread()).decode(errors="replace")
        try:
            body: Any = json.loads(text)
        except ValueError:
            body = None
        if isinstance(body, Mapping) and body.get("error"):
            raise self._told(None, body, model)
        raise self._malformed(f"expected a stream of events, got one document: {_beginning(text)!r}")

    def _told(self, response: httpx.Response | None, body: Any, model: str) -> ModelError:
        """Return the error that a provider told, whatever form it has."""
        said, kinds = _message_of(body)
        if self._key:
            said = said.replace(self._key, "•••")
        status = None if response is None else response.status_code
        fault = self._fault(status, said, kinds)
        retry = None if response is None else _retry_after(response.headers)
        shown = f"{self._title} answered {'with an error' if status is None else status}"
        return ModelError(fault, f"{shown}: {_beginning(said) or 'no reason'}", self._remedy(fault, model), retry)

    def _fault(self, status: int | None, said: str, kinds: tuple[str, ...]) -> ModelFault:
        folded = " ".join((said, *kinds)).casefold()
        if any(word in folded for word in _QUOTA) and status in {None, 400, 402, 403, 429}:
            return ModelFault.QUOTA
        if any(word in folded for word in _TOO_LONG) and status in {None, 400, 413, 422, 500}:
            return ModelFault.TOO_LONG
        if status is None:
            return next((_FAULT_BY_TYPE[kind] for kind in kinds if kind in _FAULT_BY_TYPE), ModelFault.SERVER)
        if status in _FAULT_BY_STATUS:
            return _FAULT_BY_STATUS[status]
        return ModelFault.SERVER if status >= 500 else ModelFault.REQUEST  # noqa: PLR2004 -- HTTP's own

    def _remedy(self, fault: ModelFault, model: str) -> str:
        key = f"set {self._key_name} to a key that may use it" if self._key_name else "name its key with --key"
        return {
            ModelFault.KEY: key,
            ModelFault.NOT_FOUND: f"check the model {model!r} and the address {self.address}"
            if model
            else f"check the address {self.address}",
            ModelFault.RATE_LIMIT: "wait a moment, then go on",
            ModelFault.QUOTA: "look after the account at the provider, or choose another one",
            ModelFault.TOO_LONG: "drop parts of the conversation, or offer fewer tools",
            ModelFault.SERVER: "wait a moment, then go on",
        }.get(fault, "")

    def _silent(self, limit_s: float) -> ModelError:
        return ModelError(
            ModelFault.IDLE, f"nothing came from {self._title} for {limit_s:g} s", "go on, or choose another model"
        )

    def _malformed(self, what: str) -> ModelError:
        return ModelError(
            ModelFault.MALFORMED, f"{self._title}: {what}", f"check that {self.address} speaks {self._format.name}"
        )

    def _broken(self, error: httpx.HTTPError) -> ModelError:
        import httpx  # noqa: PLC0415 -- as above

        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout | httpx.UnsupportedProtocol):
            return ModelError(
                ModelFault.UNREACHABLE,
                f"nothing answers at {self.address}",
                "start the server, or check the address and the network",
            )
        return ModelError(
            ModelFault.CUT_OFF,
            f"the connection with {self._title} broke ({type(error).__name__})",
            "what came is kept; go on, or ask again",
        )


class _TooLongError(Exception):
    """Report a line of a stream that is longer than any may be."""


async def _lines(response: httpx.Response) -> AsyncGenerator[str, None]:
    """Yield the lines of a stream; line feeds alone end one: JSON may hold letters that end lines of other texts."""
    rest = bytearray()
    async for data in response.aiter_bytes():
        rest += data
        if b"\n" in data:
            *whole, last = bytes(rest).split(b"\n")
            rest = bytearray(last)
            for line in whole:
                yield line.removesuffix(b"\r").decode(errors="replace")
        if len(rest) > _LONGEST_LINE:
            raise _TooLongError(f"expected lines of at most {_LONGEST_LINE:,} bytes, got a longer one")
    if rest:
        yield rest.decode(errors="replace")


async def _lines_of_json(response: httpx.Response) -> AsyncGenerator[str, None]:
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            if line.strip():
                yield line


async def _server_sent(response: httpx.Response) -> AsyncGenerator[str, None]:
    """Yield the data of server-sent events until the one that says that none follows; comments and pings are none."""
    data: list[str] = []
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            if line:
                name, _, value = line.partition(":")
                if name == "data":
                    data.append(value.removeprefix(" "))
                continue
            text = "\n".join(data)
            data.clear()
            if text == _DONE:
                return
            if text and not _is_ping(text):
                yield text
    # A stream that was cut off may end in half an event, which is none.
    if data and (text := "\n".join(data)) != _DONE and _is_json(text):
        yield text


def _is_ping(text: str) -> bool:
    return len(text) < 40 and '"ping"' in text  # noqa: PLR2004 -- `{"type": "ping"}` and nothing else


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _event(text: str) -> Mapping[str, Any]:
    event = json.loads(text)
    if not isinstance(event, Mapping):
        raise TypeError
    return event


def _message_of(body: Any) -> tuple[str, tuple[str, ...]]:
    """Return what an error says, and the words for its kind."""
    if isinstance(body, list) and body:
        # Gemini's errors may stand in a list.
        body = body[0]
    if not isinstance(body, Mapping):
        return str(body or ""), ()
    inner = body.get("error") or body.get("detail") or body
    if not isinstance(inner, Mapping):
        return inner if isinstance(inner, str) else json.dumps(inner), ()
    kinds = tuple(str(inner[key]) for key in ("type", "code", "status") if inner.get(key))
    said = inner.get("message") or json.dumps(inner)
    return said if isinstance(said, str) else json.dumps(said), kinds


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}…"


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a provider wants to be left alone. Source: RFC 9110, "Retry-After"."""
    said = headers.get("retry-after-ms")
    if said is not None and said.isdigit():
        return int(said) / 1000
    said = headers.get("retry-after", "")
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
