"""Calls of tools past the SDK's session, which takes longer for one than most tools do.

The session gives each request two streams, a clock and a span, and its HTTP client a task of its own and objects for
each part of the address. Here a call is one message and one future. All else stays the session's: other requests, what
a server asks and tells, and rounds in which a call is answered to a question.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

import mcp_types as types
from mcp import MCPError
from mcp.shared.dispatcher import coerce_request_id
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from mcp_types.methods import SERVER_RESULTS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

from tools.mcp.config import Transport
from tools.mcp.keepalive_http import AnswerTooLargeError, HttpConnections, StreamedAnswer
from tools.mcp.stdio_framing import (
    MAX_MESSAGE_BYTES,
    UNASKED,
    UNREADABLE,
    LineThrottle,
    MessageTooLargeError,
    refusal_of,
)
from tools.network_hosts import is_this_computer

if TYPE_CHECKING:
    from mcp.client.session import ClientSession

    from tools.mcp.config import Target
    from tools.mcp.message_recorder import MessageRecorder
    from tools.mcp.stdio_framing import LineWriter

OnProgress = Callable[[float, float | None, str], None]
"""Is told how far a call is: done, in all or None, and words."""

Tell = Callable[[JSONRPCNotification], Awaitable[None]]
"""Is told what a server says meanwhile that is not about how far the call is."""

_METHOD: Final = "tools/call"
_PROGRESS: Final = "notifications/progress"
FIRST_NUMBER: Final = 1_000_000_000
"""The session counts its requests from 0, and does not get so far."""

_USUAL_KEYS: Final = frozenset({"_meta", "content", "isError", "resultType", "structuredContent"})
_TEXT_KEYS: Final = frozenset({"text", "type"})
_LATER_KEYS: Final = frozenset({"inputRequests", "requestState", "resultType"})
"""What a result of the older era has no right to say."""

MOST_CONNECTIONS: Final = 100
"""How many calls a server is given at once over HTTP; further ones wait."""

_KEPT_S: Final = 3.0
_JSON: Final = "application/json"
_SAID: Final = {"accept": f"{_JSON}, text/event-stream", "content-type": _JSON}
_OK: Final = 200
_ACCEPTED: Final = 202
_REDIRECTED: Final = 300
_BAD_REQUEST: Final = 400
_NOT_FOUND: Final = 404


class _OpenCall(NamedTuple):
    """A call whose result is awaited."""

    outcome: asyncio.Future[dict[str, Any]]
    on_progress: OnProgress | None


class DirectCalls(ABC):
    """Make calls of tools over one connection.

    Args:
        traffic: Takes note of each message.
    """

    def __init__(self, traffic: MessageRecorder) -> None:
        self._traffic = traffic
        self._numbers = itertools.count(FIRST_NUMBER)
        self._open: dict[int | str, _OpenCall] = {}
        self._is_closed = False

    @abstractmethod
    def speaks(self, version: str) -> bool:
        """Return whether calls are made here in a revision of the protocol."""

    @abstractmethod
    async def _exchange(self, request: JSONRPCRequest, headers: Mapping[str, str]) -> bool:
        """Send a request and wait until its outcome is there; return whether it was sent."""

    @abstractmethod
    def _give_up(self, cancelled: JSONRPCNotification) -> None:
        """Let the server know that nobody waits for a call any more."""

    async def result(
        self,
        session: ClientSession,
        version: str,
        name: str,
        arguments: Mapping[str, Any],
        on_progress: OnProgress | None,
    ) -> dict[str, Any] | None:
        """Call a tool, and return its result as the server wrote it; None when the session has to make the call.

        Raises:
            MCPError: The server refused, or the connection ended.
            ValidationError: The result is not what the protocol asks for.
            OSError: The connection broke.
        """
        if self._is_closed:
            raise _ended()
        data: dict[str, Any] = {"method": _METHOD, "params": {"name": name, "arguments": dict(arguments)}}
        options: dict[str, Any] = {}
        # WORKAROUND mcp 2.3: what a request says of its client is known to the session alone.
        session._stamp(data, options)  # type: ignore[arg-type]  # noqa: SLF001
        number = next(self._numbers)
        if on_progress is not None:
            data["params"].setdefault("_meta", {})["progressToken"] = number
        request = JSONRPCRequest(jsonrpc="2.0", id=number, method=_METHOD, params=data["params"])
        call = self._open[number] = _OpenCall(asyncio.get_running_loop().create_future(), on_progress)
        try:
            if not await self._exchange(request, options.get("headers", {})):
                return None
            found = call.outcome.result()
        except asyncio.CancelledError:
            params = {"requestId": number, "reason": "caller cancelled"}
            self._give_up(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params))
            raise
        finally:
            del self._open[number]
            call.outcome.cancel()
        if not is_usual(found):
            _results(version).validate_python(found, by_name=False)
        if version not in MODERN_PROTOCOL_VERSIONS and not _LATER_KEYS.isdisjoint(found):
            return {key: value for key, value in found.items() if key not in _LATER_KEYS}
        return found

    def take(self, message: JSONRPCMessage) -> bool:
        """Take what a server sent if it belongs to a call that is made here; return whether it does."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            call = None if message.id is None else self._open.get(coerce_request_id(message.id))
            if call is not None and not call.outcome.done():
                if isinstance(message, JSONRPCResponse):
                    call.outcome.set_result(message.result)
                else:
                    call.outcome.set_exception(MCPError.from_error_data(message.error))
            return call is not None
        if not isinstance(message, JSONRPCNotification) or message.method != _PROGRESS:
            return False
        try:
            said = types.ProgressNotificationParams.model_validate(message.params, by_name=False)
        except ValidationError:
            return False
        call = self._open.get(coerce_request_id(said.progress_token))
        if call is not None and call.on_progress is not None:
            call.on_progress(said.progress, said.total, said.message or "")
        return call is not None

    def close(self) -> None:
        """End the calls that are open, and make no further one."""
        self._is_closed = True
        for call in self._open.values():
            if not call.outcome.done():
                call.outcome.set_exception(_ended())


class PipeCalls(DirectCalls):
    """Make calls of tools of a server's process; whoever reads its output hands answers to `take`.

    Args:
        traffic: Takes note of each message.
    """

    def __init__(self, writer: LineWriter, traffic: MessageRecorder) -> None:
        super().__init__(traffic)
        self._writer = writer

    def speaks(self, version: str) -> bool:  # noqa: ARG002 -- over pipes both eras send a call alike
        return True

    async def _exchange(self, request: JSONRPCRequest, headers: Mapping[str, str]) -> bool:  # noqa: ARG002 -- pipes have none
        await self._writer.send(SessionMessage(request))
        await self._open[request.id].outcome
        return True

    def _give_up(self, cancelled: JSONRPCNotification) -> None:
        self._writer.write(cancelled)


class LoopbackCalls(DirectCalls):
    """Make calls of tools of a server that is reached over HTTP on this computer, in the newer era.

    Args:
        traffic: Takes note of each message.
        on_answer: Is told of each exchange: the headers that were sent, what came back, and the seconds between.
        on_lost: Is told what ended the connection.
        tell: Is told what the server says meanwhile.
    """

    def __init__(
        self,
        target: Target,
        traffic: MessageRecorder,
        *,
        on_answer: Callable[[Mapping[str, str], StreamedAnswer, float], None],
        on_lost: Callable[[Exception], None],
        tell: Tell,
    ) -> None:
        super().__init__(traffic)
        self._url = target.url
        self._own_headers = {name.lower(): value for name, value in target.headers.items()} | _SAID
        self._http = HttpConnections(self._own_headers, kept_s=_KEPT_S, largest_bytes=MAX_MESSAGE_BYTES)
        self._room = asyncio.Semaphore(MOST_CONNECTIONS)
        self._on_answer = on_answer
        self._on_lost = on_lost
        self._tell = tell
        self._pace = LineThrottle()
        self._is_elsewhere = False

    @staticmethod
    def suits(target: Target) -> bool:
        """Return whether a server can be called so: on this computer no proxy, no list of hosts and no key counts."""
        where = urlsplit(target.url)
        is_near = where.scheme == "http" and where.hostname is not None and is_this_computer(where.hostname)
        return target.transport is Transport.HTTP and is_near and target.auth is None and where.username is None

    def speaks(self, version: str) -> bool:
        """Return whether a call is one exchange: that is so since there are no sessions."""
        return version in MODERN_PROTOCOL_VERSIONS and not self._is_elsewhere

    async def _exchange(self, request: JSONRPCRequest, headers: Mapping[str, str]) -> bool:
        async with self._room:
            try:
                connection = await self._http.connect(self._url)
            except OSError:
                # The session tells why.
                return False
            text = request.model_dump_json(by_alias=True, exclude_unset=True)
            self._traffic.sent(request, text)
            began = perf_counter()
            try:
                async with self._http.ask(connection, "POST", headers, text.encode()) as answer:
                    self._on_answer({**self._own_headers, **headers}, answer, perf_counter() - began)
                    await self._read(answer, request.id)
            except OSError as error:
                is_large = isinstance(error, AnswerTooLargeError)
                self._on_lost(MessageTooLargeError(str(error)) if is_large else error)
                raise _ended() from error
        return not self._is_elsewhere

    async def _read(self, answer: StreamedAnswer, number: int | str) -> None:
        kind = answer.header("content-type").lower()
        if _REDIRECTED <= answer.status < _BAD_REQUEST:
            # Nothing ran there; the session knows which ways it may go on.
            self._is_elsewhere = True
            self._note_refusal(number, types.ErrorData(code=types.INVALID_REQUEST, message="it is called elsewhere"))
        elif answer.status >= _BAD_REQUEST:
            self._refuse(number, await _error_in(answer, kind))
        elif answer.status != _OK or not (kind.startswith(_JSON) or answer.is_stream):
            words = "202 Accepted" if answer.status == _ACCEPTED else f"content of the type {kind!r}"
            self._refuse(number, types.ErrorData(code=types.INVALID_REQUEST, message=f"it answered with {words}"))
        else:
            if answer.is_stream:
                await self._read_stream(answer)
            elif line := await answer.message():
                await self._take_line(line)
            if not self._is_answered(number):
                self._refuse(number, types.ErrorData(code=UNREADABLE, message="it answered without a result"))

    async def _read_stream(self, answer: StreamedAnswer) -> None:
        async with contextlib.aclosing(answer.messages()) as lines:
            async for line in lines:
                if await self._take_line(line):
                    # What a server would say after that is for nobody.
                    answer.close()
                    break

    def _is_answered(self, number: int | str) -> bool:
        return self._open[number].outcome.done()

    def _refuse(self, number: int | str, said: types.ErrorData) -> None:
        self.take(self._note_refusal(number, said))

    def _note_refusal(self, number: int | str, said: types.ErrorData) -> JSONRPCError:
        refusal = JSONRPCError(jsonrpc="2.0", id=number, error=said)
        self._traffic.received(refusal, refusal.model_dump_json(by_alias=True, exclude_unset=True))
        return refusal

    async def _take_line(self, line: bytes) -> bool:
        """Take a message, and return whether it is the answer; what is none is logged and passed over."""
        message: JSONRPCMessage
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            if (refusal := refusal_of(line, error)) is None:
                self._traffic.received_garbage(line)
                return False
            message = refusal
        self._traffic.received(message, line)
        await self._pace.keep(unasked=isinstance(message, UNASKED))
        is_ours = self.take(message)
        if not isinstance(message, UNASKED):
            return is_ours
        if not is_ours and isinstance(message, JSONRPCNotification):
            await self._tell(message)
        # Several come in one piece; whoever passes them on does so before the next, or tells the newest alone.
        await asyncio.sleep(0)
        return False

    def _give_up(self, cancelled: JSONRPCNotification) -> None:
        # The end of the connection says it.
        self._traffic.sent(cancelled, cancelled.model_dump_json(by_alias=True, exclude_unset=True))

    def close(self) -> None:
        """End the calls that are open, and close the connections."""
        super().close()
        self._http.end()


def is_usual(result: Mapping[str, Any]) -> bool:
    """Whether a result is surely what every revision asks for: texts and a structured value, as most are.

    The SDK's models take longer to say so than a server takes for a small call.
    """
    content = result.get("content")
    return (
        result.keys() <= _USUAL_KEYS
        and result.get("resultType") == "complete"
        and type(content) is list
        and all(type(part) is dict and part.keys() == _TEXT_KEYS for part in content)
        and all(part["type"] == "text" and type(part["text"]) is str for part in content)
        and type(result.get("isError", False)) is bool
        and type(result.get("structuredContent", {})) is dict
        and type(result.get("_meta", {})) is dict
    )


async def _error_in(answer: StreamedAnswer, kind: str) -> types.ErrorData:
    """Return the error that an answer tells, or else the one that its status means."""
    if kind.startswith(_JSON):
        with contextlib.suppress(ValidationError):
            said = jsonrpc_message_adapter.validate_json(await answer.body(), by_name=False)
            if isinstance(said, JSONRPCError):
                return said.error
    if answer.status == _NOT_FOUND:
        return types.ErrorData(code=types.METHOD_NOT_FOUND, message="Not Found")
    return types.ErrorData(code=types.INTERNAL_ERROR, message="Server returned an error response")


@cache
def _results(version: str) -> TypeAdapter[Any]:
    """Return what checks results of a revision; the SDK's own function makes a copy of each as well."""
    described: Any = SERVER_RESULTS[_METHOD, version]
    return TypeAdapter(described)


def _ended() -> MCPError:
    return MCPError(code=types.CONNECTION_CLOSED, message="Connection closed")
