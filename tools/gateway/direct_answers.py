"""Plain calls of tools in the newer era, answered without the SDK's server, which takes longer for one than the tool.

The SDK reads and checks each request and each result several times, over tasks and streams of its own. Only requests
that it would accept as they are, and that need nothing else of it, are answered here; it answers all others.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.runner import modern_error_data
from mcp.server.session import ServerSession
from mcp.server.streamable_http import check_accept_headers
from mcp.server.transport_security import TransportSecurityMiddleware
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PARAM_HEADER_PREFIX,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundModernRoute,
    classify_inbound_request,
)
from mcp.shared.transport_context import TransportContext
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY
from mcp_types.methods import validate_client_request
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request

from tools.schema import json_bytes

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp.shared.dispatcher import CallOptions
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tools.gateway.authentication import TokenVerifier

PING_S: Final = 15.0
"""How long an answer is silent before it says that it is still there, in seconds; proxies end silent ones."""

_METHOD: Final = "tools/call"
_MESSAGE_KEYS: Final = frozenset({"jsonrpc", "id", "method", "params"})
_PLAIN_KEYS: Final = frozenset({"name", "arguments", "_meta"})
_USUAL_META_KEYS: Final = frozenset(
    {PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY, "progressToken"}
)
_MOST_KNOWN: Final = 8
_MOST_HEADS: Final = 64
_PARAM_HEADER: Final = MCP_PARAM_HEADER_PREFIX.lower()
_TOKEN_HEADER: Final = b"authorization"
_NAME_HEADER: Final = MCP_NAME_HEADER.encode()
_OWN_HEADERS: Final = frozenset({_TOKEN_HEADER, _NAME_HEADER, b"content-length"})
"""What is said anew with each request, or is not to be kept."""

_STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]

Answer = Callable[[ServerRequestContext[Any, Any]], Awaitable[dict[str, Any]]]
"""Makes the call of a request, and returns its result as the wire has it."""

Tell = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Sends a client a message."""

HasHeaders = Callable[[ServerRequestContext[Any, Any]], bool]
"""Returns whether arguments of the tool that is called are to stand in headers as well."""


class PlainCall(NamedTuple):
    """A request that is answered here.

    Attributes:
        connection: What the SDK knows of who sent it.
    """

    id: int | str
    params: dict[str, Any]
    connection: Connection


class DirectAnswers:
    """Answer plain calls of tools, and pass every other request on; an ASGI application.

    Args:
        app: Answers the others.
        has_headers: Tells of a tool whose calls the SDK has to look at.
        verifier: Knows whose token a request has.
        security: Which hosts and origins are this computer's own.
        largest_request: The size of the largest request that is read, in bytes.
    """

    def __init__(
        self,
        app: ASGIApp,
        answer: Answer,
        has_headers: HasHeaders,
        *,
        verifier: TokenVerifier,
        security: TransportSecuritySettings,
        path: str,
        largest_request: int,
    ) -> None:
        self._app = app
        self._answer = answer
        self._has_headers = has_headers
        self._verifier = verifier
        self._heads = HeadReader(security)
        self._path = path
        self._largest_request = largest_request
        self._calls = CallReader()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != self._path:
            await self._app(scope, receive, send)
            return
        head = await self._heads.read(scope)
        user = None if head is None else self._verifier.user(head.token)
        if head is None or user is None:
            # Whoever refuses it says why.
            await self._app(scope, receive, send)
            return
        scope["user"] = user
        read: deque[Message] = deque()
        body = await self._body(receive, read)
        call = None if body is None else self._calls.posted(body, head.headers)
        context = None
        if call is not None:
            exchange = _Exchange(call, send)
            context = context_of(call, Request(scope, receive), CallDispatch(call, exchange.tell))
        if context is None or self._has_headers(context):

            async def again() -> Message:
                return read.popleft() if read else await receive()

            await self._app(scope, again, send)
            return
        await exchange.run(self._answer(context))

    async def _body(self, receive: Receive, read: deque[Message]) -> bytes | None:
        """Return what a request says; None when its client is gone or says too much."""
        size = 0
        while True:
            message = await receive()
            read.append(message)
            size += len(message.get("body", b""))
            if message["type"] != "http.request" or size > self._largest_request:
                return None
            if not message.get("more_body", False):
                return b"".join(part.get("body", b"") for part in read)


class _Head(NamedTuple):
    """The head of a request that may be answered here.

    Attributes:
        token: The token that it has, not looked at yet.
        headers: The others, by names in small letters.
    """

    token: str
    headers: Mapping[str, str]


class HeadReader:
    """Read heads of requests; of what a client says the same with each of them, only what is new is looked at.

    Args:
        security: Which hosts and origins are this computer's own.
    """

    def __init__(self, security: TransportSecuritySettings) -> None:
        self._security = TransportSecurityMiddleware(security)
        self._known: dict[tuple[tuple[bytes, bytes], ...], dict[str, str]] = {}

    async def read(self, scope: Scope) -> _Head | None:
        """Return the head of a request; None when the SDK would refuse it, or has to look at more of it."""
        headers = scope["headers"]
        own = {name: value for name, value in headers if name in _OWN_HEADERS}
        usual = tuple(header for header in headers if header[0] not in _OWN_HEADERS)
        scheme, _, token = own.get(_TOKEN_HEADER, b"").decode("latin-1").partition(" ")
        if scheme.lower() != "bearer" or _NAME_HEADER not in own or len(own) + len(usual) < len(headers):
            return None
        known = self._known.get(usual)
        if known is None:
            known = {name.decode("latin-1"): value.decode("latin-1") for name, value in usual}
            if len(known) < len(usual) or not await self._is_good(Request(scope), known):
                return None
            if len(self._known) >= _MOST_HEADS:
                self._known.clear()
            self._known[usual] = known
        return _Head(token, {**known, MCP_NAME_HEADER: own[_NAME_HEADER].decode("latin-1")})

    async def _is_good(self, request: Request, headers: Mapping[str, str]) -> bool:
        return (
            headers.get(MCP_METHOD_HEADER) == _METHOD
            and headers.get(MCP_PROTOCOL_VERSION_HEADER) in MODERN_PROTOCOL_VERSIONS
            and not any(name.startswith(_PARAM_HEADER) for name in headers)
            and all(check_accept_headers(request))
            and await self._security.validate_request(request, is_post=True) is None
        )


class CallReader:
    """Read calls of clients; of what a client says of itself with each of them, only what is new is looked at."""

    def __init__(self) -> None:
        self._known: deque[tuple[InboundModernRoute, Connection]] = deque(maxlen=_MOST_KNOWN)

    def posted(self, body: bytes, headers: Mapping[str, str]) -> PlainCall | None:
        """Return the call that a request over HTTP asks for; None when it is none that is answered here."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return None
        return self.read(message, headers)

    def read(self, message: Any, headers: Mapping[str, str] | None = None) -> PlainCall | None:
        """Return the call that a message asks for; None when it is none that is answered here.

        Args:
            headers: What HTTP says of it beside, by names in small letters; None where it does not come over HTTP.
        """
        if not isinstance(message, dict) or message.keys() != _MESSAGE_KEYS or message["jsonrpc"] != "2.0":
            return None
        number, params = message["id"], message["params"]
        if message["method"] != _METHOD or type(number) not in {int, str}:
            return None
        if not isinstance(params, dict) or not params.keys() <= _PLAIN_KEYS:
            return None
        route = classify_inbound_request(message, headers=headers)
        if not isinstance(route, InboundModernRoute):
            return None
        connection = next((connection for known, connection in self._known if known == route), None)
        if connection is None or not _is_usual(params):
            try:
                validate_client_request(_METHOD, route.protocol_version, params)
            except ValidationError:
                return None
        if connection is None:
            connection = Connection.from_envelope(route.protocol_version, route.client_info, route.client_capabilities)
            self._known.append((route, connection))
        return PlainCall(number, params, connection)


def _is_usual(params: Mapping[str, Any]) -> bool:
    """Whether a call has nothing that the SDK could refuse, but for what its client says of itself."""
    meta = params["_meta"]
    return (
        type(params.get("name")) is str
        and type(params.get("arguments")) is dict
        and meta.keys() <= _USUAL_META_KEYS
        and type(meta.get("progressToken", "")) in {int, str}
    )


def context_of(call: PlainCall, request: Request, dispatch: CallDispatch) -> ServerRequestContext[Any, Any]:
    """Return a call as the SDK's server would hand it on."""
    meta = call.params["_meta"]
    return ServerRequestContext(
        session=ServerSession(dispatch, call.connection, request_meta=meta),
        lifespan_context=None,
        protocol_version=call.connection.protocol_version,
        method=_METHOD,
        params=call.params,
        request_id=call.id,
        meta=meta,
        request=request,
    )


class CallDispatch:
    """What a call can tell its client before the result: the SDK's `DispatchContext` for a request.

    Args:
        tell: Sends the client a message.

    Attributes:
        transport: What the SDK is told of how the request came.
        can_send_request: Servers of this era ask clients nothing.
        request_id: The number of the request.
        message_metadata: Nothing.
    """

    def __init__(self, call: PlainCall, tell: Tell) -> None:
        self.transport = TransportContext(kind="streamable-http", can_send_request=False)
        self.can_send_request = False
        self.request_id = call.id
        self.message_metadata = None
        self._token = call.params["_meta"].get("progressToken")
        self._tell = tell

    @property
    def cancel_requested(self) -> anyio.Event:
        """Set by nobody: a call that is given up is cancelled."""
        return anyio.Event()

    async def send_raw_request(
        self,
        method: str,
        params: Mapping[str, Any] | None,  # noqa: ARG002 -- the SDK passes it
        opts: CallOptions | None = None,  # noqa: ARG002 -- the SDK may pass it
    ) -> dict[str, Any]:
        """Refuse to ask the client."""
        raise NoBackChannelError(method)

    async def notify(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        opts: CallOptions | None = None,  # noqa: ARG002 -- the SDK may pass it
    ) -> None:
        """Tell the client something before the result."""
        said = {} if params is None else {"params": params}
        await self._tell({"jsonrpc": "2.0", "method": method, **said})

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far its call is, if it wants to know."""
        if self._token is None:
            return
        known = {"total": total, "message": message}
        said = {key: value for key, value in known.items() if value is not None}
        await self.notify("notifications/progress", {"progressToken": self._token, "progress": progress, **said})


async def answered(call: PlainCall, answer: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """Return the message that a call is answered with: its result, or the error that its client may know."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": call.id}
    try:
        return {**message, "result": await answer}
    except Exception as error:  # noqa: BLE001 -- the SDK tells what of it the client may know, and logs the rest
        found = modern_error_data(error)
        return {**message, "error": found.model_dump(by_alias=True, mode="json", exclude_none=True)}


class _Exchange:
    """One call over HTTP and its answer: one message of JSON, or a stream once something is told before the result."""

    def __init__(self, call: PlainCall, send: Send) -> None:
        self._call = call
        self._send = send
        self._turn = asyncio.Lock()
        self._is_stream = False
        self._is_over = False
        self._loop = asyncio.get_running_loop()
        self._silence: asyncio.TimerHandle | None = None
        self._pinging: asyncio.Task[None] | None = None

    async def run(self, answer: Awaitable[dict[str, Any]]) -> None:
        self._silence = self._loop.call_later(PING_S, self._ping)
        try:
            answered_with = await answered(self._call, answer)
        finally:
            self._silence.cancel()
            if self._pinging is not None:
                self._pinging.cancel()
        async with self._turn:
            self._is_over = True
            if self._is_stream:
                await self._send({"type": "http.response.body", "body": _event(answered_with)})
                return
            status = HTTPStatus.OK.value
            if "error" in answered_with:
                status = ERROR_CODE_HTTP_STATUS.get(answered_with["error"]["code"], status)
            body = json_bytes(answered_with)
            headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
            await self._send({"type": "http.response.body", "body": body})

    def _ping(self) -> None:
        self._pinging = self._loop.create_task(self._say(b": ping\r\n\r\n"), name="answer to an agent goes on")
        self._silence = self._loop.call_later(PING_S, self._ping)

    async def tell(self, message: Mapping[str, Any]) -> None:
        """Send something that is said before the result."""
        await self._say(_event(message))

    async def _say(self, event: bytes) -> None:
        async with self._turn:
            if self._is_over:
                return
            if not self._is_stream:
                self._is_stream = True
                await self._send(
                    {"type": "http.response.start", "status": HTTPStatus.OK.value, "headers": _STREAM_HEADERS}
                )
            await self._send({"type": "http.response.body", "body": event, "more_body": True})


def _event(message: Mapping[str, Any]) -> bytes:
    # In ASCII: some clients take line ends of Unicode for ends of lines.
    return b"event: message\r\ndata: %b\r\n\r\n" % json.dumps(message, separators=(",", ":")).encode()
