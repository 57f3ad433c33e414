"""The way in for bridges: messages of MCP in lines, over a socket that only this person's programs reach.

First the program proves to a bridge that it wrote the note in the data folder, then the bridge says its token. Each
line to a bridge begins with the id of the request that it answers, if it does, and a tab, so that the bridge need not
read the message behind it. Without a message, the request is to come again at the program that serves next; a tab alone
says that this program takes no more requests.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import anyio
import mcp_types as types
from mcp.server.runner import serve_dual_era_loop
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError
from starlette.requests import Request

from tools.errors import GatewayError
from tools.gateway.announcements import MOST_SESSIONS
from tools.gateway.bridge_socket import private_socket
from tools.gateway.defaults import CANCELLED, HOST, LARGEST_REQUEST_BYTES, MOST_REQUESTS, MOVES_KEY
from tools.gateway.direct_answers import CallDispatch, CallReader, PlainCall, answered, context_of
from tools.gateway.http_timeouts import READING_S, REQUEST_S, WRITTEN
from tools.gateway.owner_note import proof
from tools.schema import json_bytes

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser

    from tools.gateway.admission import Admission
    from tools.gateway.agent_server import AgentServer
    from tools.gateway.authentication import TokenVerifier

GRACE_S: Final = 2.0
"""How long calls of a connection may take to be answered when another program serves, in seconds."""

_CALLS: Final = frozenset({"tools/call", "tasks/result"})

_log = logging.getLogger(__name__)


class BridgeServer:
    """Serve the agents behind bridges; on one event loop.

    Args:
        server: Answers what agents ask for.
        verifier: Finds the agent that a token belongs to.
        admission: Lets requests in.
        secret: What stands in the note of who serves.

    Attributes:
        connections: The bridges that are connected.
        open: How many requests are open.
        calls: Reads the calls among them.
    """

    def __init__(self, server: AgentServer, verifier: TokenVerifier, admission: Admission, secret: str) -> None:
        self.server = server
        self.verifier = verifier
        self.admission = admission
        self.secret = secret
        self.connections: set[_Connection] = set()
        self.open = 0
        self.calls = CallReader()
        self._closing = ExitStack()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str | int:
        """Listen, and return where: the path of a socket, or a port where there are no such sockets.

        Raises:
            OSError: Nothing can be listened on.
        """
        loop = asyncio.get_running_loop()
        if sys.platform == "win32":
            server = await loop.create_server(lambda: _Connection(self), HOST, 0)
            where: str | int = server.sockets[0].getsockname()[1]
        else:
            with ExitStack() as opened:
                listening = opened.enter_context(private_socket())
                server = await loop.create_unix_server(lambda: _Connection(self), sock=listening)
                where = str(listening.getsockname())
                self._closing = opened.pop_all()
        self._closing.callback(server.close)
        return where

    def stop_listening(self) -> None:
        """Let nobody new in."""
        self._closing.close()

    def move(self) -> None:
        self.keep(asyncio.create_task(self._end_all(), name="bridges go to another program"))

    async def _end_all(self) -> None:
        await asyncio.gather(*(connection.end() for connection in list(self.connections)))

    def keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        self.stop_listening()
        await self._end_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _OpenRequest(NamedTuple):
    """A request that is not answered yet.

    Attributes:
        written: Done when the system took its answer, or cannot any more.
        task: Answers it; None where the SDK does.
    """

    method: str
    written: asyncio.Future[bool]
    task: asyncio.Task[None] | None = None


class _Connection(asyncio.Protocol):
    """One bridge, which is one session of its agent."""

    _transport: asyncio.Transport

    def __init__(self, home: BridgeServer) -> None:
        self._home = home
        self._loop = asyncio.get_running_loop()
        self._id = secrets.token_hex(8)
        self._headers = [(MCP_SESSION_ID_HEADER.encode(), self._id.encode())]
        self._take = self._prove
        self._pieces: list[bytes] = []
        self._size = 0
        self._token = ""
        self._user: AuthenticatedUser | None = None
        self._open: dict[int | str, _OpenRequest] = {}
        self._backlog: deque[bytes] = deque()
        self._sdk: MemoryObjectSendStream[SessionMessage | Exception] | None = None
        self._inside = ExitStack()
        self._line_ends: asyncio.TimerHandle | None = None
        self._reading_ends: asyncio.TimerHandle | None = None
        self._unwritten: list[asyncio.Future[bool]] = []
        self._can_write = asyncio.Event()
        self._said_bytes = 0
        self._calls_answered = asyncio.Event()
        self._is_ending = False
        self._hung_up = asyncio.Event()
        self._lost = asyncio.Event()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        # It is told that all is written only when all is.
        transport.set_write_buffer_limits(high=0)
        self._can_write.set()
        if len(self._home.connections) >= MOST_SESSIONS:
            transport.abort()
            return
        self._home.connections.add(self)
        self._look_at_line()

    def data_received(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"".join((*self._pieces, lines[0]))
            self._pieces, self._size = [], 0
        if rest:
            self._pieces.append(rest)
            self._size += len(rest)
        if self._size > LARGEST_REQUEST_BYTES:
            # No bridge sends such a line.
            self._transport.abort()
        self._look_at_line()
        for line in lines:
            if self._transport.is_closing():
                return
            self._take(line)

    def _look_at_line(self) -> None:
        """End a connection that sends drop by drop."""
        is_whole = not self._pieces and bool(self._token)
        if is_whole and self._line_ends is not None:
            self._line_ends.cancel()
            self._line_ends = None
        elif not is_whole and self._line_ends is None:
            self._line_ends = self._loop.call_later(REQUEST_S, self._transport.abort)

    def eof_received(self) -> bool:
        self._hung_up.set()
        return self._is_ending

    def connection_lost(self, _: Exception | None) -> None:
        self._home.connections.discard(self)
        self._inside.close()
        self._can_write.set()
        self._hung_up.set()
        self._lost.set()
        for timer in (self._line_ends, self._reading_ends):
            if timer is not None:
                timer.cancel()
        for written in self._unwritten:
            written.set_result(False)
        self._unwritten.clear()
        for number in list(self._open):
            self._give_up(number)
        self._backlog.clear()
        if self._sdk is not None:
            self._sdk.close()

    def _prove(self, line: bytes) -> None:
        self._transport.write(proof(self._home.secret, line) + b"\n")
        self._take = self._let_in

    def _let_in(self, line: bytes) -> None:
        self._token = line.decode(errors="replace")
        refusal = self._refusal()
        self._transport.write(refusal.encode() + b"\n")
        if refusal:
            self._transport.close()
            return
        self._inside.enter_context(self._home.admission.inside())
        self._take = self._take_message
        self._look_at_line()

    def _refusal(self) -> str:
        """Return why the agent is not let in; empty when it is, which a person may change at any time."""
        try:
            self._user = self._home.verifier.user(self._token)
        except GatewayError as error:
            return " ".join(str(error).split())
        if self._user is None:
            return "the gateway does not know the token; tool-console agent renew gives another"
        return ""

    def _take_message(self, line: bytes) -> None:
        if self._backlog or self._home.admission.is_behind:
            self._backlog.append(line)
            if len(self._backlog) == 1:
                self._home.keep(self._loop.create_task(self._catch_up(), name="messages of a bridge"))
                self._look_at_flow()
        else:
            self._read(line)

    async def _catch_up(self) -> None:
        while self._backlog:
            await self._home.admission.caught_up()
            if self._backlog:
                self._read(self._backlog[0])
                self._backlog.popleft()
        self._look_at_flow()

    def _look_at_flow(self) -> None:
        """Read on when what was read is taken, and what was said as well.

        At the end all is read: a bridge that waits until it can send hears nothing more, not even that.
        """
        if not self._is_ending and (self._backlog or not self._can_write.is_set()):
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _read(self, line: bytes) -> None:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            # Nobody waits for an answer to what is no message.
            return
        if not isinstance(said, dict):
            return
        if "method" not in said:
            self._take_answer(said)
        elif "id" not in said:
            self._take_notification(said)
        elif type(said["id"]) in {int, str}:
            self._take_request(said, said["id"])

    def _take_request(self, message: dict[str, Any], number: int | str) -> None:
        home = self._home
        if not home.admission.is_open() or self._is_ending:
            self._write(number, b"")
            return
        refusal = self._refusal()
        if home.open >= MOST_REQUESTS:
            refusal = f"{home.open} requests are open already; wait for some of them"
        if refusal:
            self._say_error(number, types.INTERNAL_ERROR, refusal)
            return
        if number in self._open:
            self._give_up(number)
        written: asyncio.Future[bool] = self._loop.create_future()
        request = Request({"type": "http", "headers": self._headers, "user": self._user, WRITTEN: written})
        call = home.calls.read(message)
        task = None
        if call is not None:
            task = self._loop.create_task(self._answer(call, request), name="call of an agent")
            home.keep(task)
        home.open += 1
        self._open[number] = _OpenRequest(str(message["method"]), written, task)
        if task is None:
            self._pass_on(message, request, number)

    async def _answer(self, call: PlainCall, request: Request) -> None:
        dispatch = CallDispatch(call, self._tell)
        said = await answered(call, self._home.server.answer_call(context_of(call, request, dispatch)))
        self._say_answer(call.id, said)

    def _take_notification(self, message: dict[str, Any]) -> None:
        if message["method"] == CANCELLED and isinstance(params := message.get("params"), dict):
            number = params.get("requestId")
            if isinstance(number, int | str) and number in self._open and self._open[number].task is not None:
                self._give_up(number)
                return
        if not self._refusal():
            self._pass_on(message, Request({"type": "http", "headers": self._headers, "user": self._user}))

    def _take_answer(self, message: dict[str, Any]) -> None:
        """Take what the agent answers to a question of this program, and to no other one's."""
        number = message.get("id")
        if isinstance(number, str) and number.startswith(self._id):
            self._pass_on({**message, "id": int(number.removeprefix(self._id))}, None)

    def _pass_on(self, message: dict[str, Any], request: Request | None, number: int | str | None = None) -> None:
        try:
            read = types.jsonrpc_message_adapter.validate_python(message, by_name=False)
        except ValidationError:
            if number is not None:
                self._say_error(number, types.INVALID_REQUEST, "expected a message of JSON-RPC 2.0")
            return
        if self._sdk is None:
            self._sdk, reading = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
            self._home.keep(self._loop.create_task(self._serve(reading), name="bridge of an agent"))

        async def is_unanswered() -> None:
            if number is not None:
                self._settle(number, is_written=False)

        along = ServerMessageMetadata(request_context=request, on_request_unanswered=is_unanswered)
        self._sdk.send_nowait(SessionMessage(read, along))

    async def _serve(self, reading: MemoryObjectReceiveStream[SessionMessage | Exception]) -> None:
        server = self._home.server.server
        try:
            await serve_dual_era_loop(server, reading, _Outgoing(self), lifespan_state=None, session_id=self._id)
        except Exception:  # noqa: BLE001 -- one agent's messages must not end the others' connections
            _log.exception("what an agent asked for over the bridge could not be answered")
            self._transport.abort()

    async def send(self, message: types.JSONRPCMessage) -> None:
        said = message.model_dump(by_alias=True, exclude_unset=True)
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._say_answer(message.id, said)
            return
        if isinstance(message, types.JSONRPCRequest):
            # An answer to it may come to another program, which counts its own requests from 1 as well.
            said["id"] = self._own(message.id)
        elif message.method == CANCELLED and message.params is not None:
            said["params"] = {**message.params, "requestId": self._own(message.params.get("requestId"))}
        await self._tell(said)

    def _own(self, number: object) -> str:
        return f"{self._id}{number}"

    async def _tell(self, message: Mapping[str, Any]) -> None:
        """Tell the agent something that is no answer, when it has read what it was told before."""
        await self._can_write.wait()
        self._write(None, json_bytes(message))

    def _say_answer(self, number: int | str | None, message: dict[str, Any]) -> None:
        if number is not None:
            is_there = not self._transport.is_closing()
            self._write(number, b"" if _moves(message) else json_bytes(message))
            self._settle(number, is_written=is_there)

    def _say_error(self, number: int | str, code: int, text: str) -> None:
        self._say_answer(number, {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}})

    def _settle(self, number: int | str, *, is_written: bool) -> None:
        """Take a request for answered; whoever made its call hears whether the answer arrives."""
        request = self._open.pop(number, None)
        if request is None:
            return
        self._home.open -= 1
        if not is_written or self._can_write.is_set():
            request.written.set_result(is_written)
        else:
            self._unwritten.append(request.written)
        if self._is_ending and not any(request.method in _CALLS for request in self._open.values()):
            self._calls_answered.set()

    def _give_up(self, number: int | str) -> None:
        """Answer a request no more; one of the SDK's ends by itself."""
        task = self._open[number].task
        self._settle(number, is_written=False)
        if task is not None:
            task.cancel()

    def _write(self, number: int | str | None, message: bytes) -> None:
        if not self._transport.is_closing():
            line = b"%b\t%b\n" % (b"" if number is None else json.dumps(number).encode(), message)
            self._said_bytes += len(line)
            self._transport.write(line)

    def pause_writing(self) -> None:
        self._can_write.clear()
        self._look_at_flow()
        self._look_at_reading(-1)

    def _look_at_reading(self, taken_bytes: int) -> None:
        """End a connection whose bridge reads nothing for long."""
        now_taken = self._said_bytes - self._transport.get_write_buffer_size()
        if now_taken == taken_bytes:
            self._transport.abort()
            return
        self._reading_ends = self._loop.call_later(READING_S, self._look_at_reading, now_taken)

    def resume_writing(self) -> None:
        self._can_write.set()
        self._look_at_flow()
        if self._reading_ends is not None:
            self._reading_ends.cancel()
        for written in self._unwritten:
            written.set_result(True)
        self._unwritten.clear()

    async def end(self) -> None:
        """Take no more requests, answer the calls that are open, and close the connection.

        The bridge sends the others again, at the program that serves then.
        """
        if self._transport.is_closing():
            return
        self._is_ending = True
        self._look_at_flow()
        self._write(None, b"")
        if any(request.method in _CALLS for request in self._open.values()):
            self._calls_answered.clear()
        else:
            self._calls_answered.set()
        try:
            async with asyncio.timeout(GRACE_S):
                await self._hung_up.wait()
                await self._calls_answered.wait()
                await self._can_write.wait()
        except TimeoutError:
            self._transport.abort()
        self._transport.close()
        await self._lost.wait()


class _Outgoing:
    """What the SDK writes to."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    async def send(self, item: SessionMessage, /) -> None:
        await self._connection.send(item.message)

    async def aclose(self) -> None:
        """Do nothing: the connection ends by itself."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Do nothing."""


def _moves(message: Mapping[str, Any]) -> bool:
    """Whether an answer says that another program takes over."""
    marked = (message.get("result") or {}).get("_meta") or (message.get("error") or {}).get("data")
    return isinstance(marked, dict) and bool(marked.get(MOVES_KEY))
