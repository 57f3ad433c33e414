"""Pass messages between an agent that speaks on standard streams and the gateway, for programs that know no address.

Messages pass as they are written. The bridge reads only what it needs to send each of them to the program that serves
agents now: a window takes over from `tool-console serve` and gives back while the agent's program runs on, and does
not hear of it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from typing import Any, Final, NamedTuple

from tools.errors import GatewayError
from tools.gateway.defaults import MOVES_KEY
from tools.mcp.keepalive_http import HttpConnections, StreamedAnswer

SESSION_LOST_S: Final = 15.0
"""How long a message waits for a program that serves agents, in seconds."""

FIRST_MODERN: Final = "2026-07-28"
"""The first revision of the protocol that has no sessions."""

NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Which parameter a request of the newer era names in its headers, by method."""

_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
_VERSION_HEADER: Final = "mcp-protocol-version"
_SESSION_HEADER: Final = "mcp-session-id"
_CANCELLED: Final = "notifications/cancelled"
_INITIALIZED: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
_LISTS: Final = ("tools", "prompts", "resources")
_PAUSE_S: Final = 0.05
_LISTEN_S: Final = 0.5
_LEAVE_S: Final = 1.0
_CONNECTION_CLOSED: Final = -32000
_INTERNAL_ERROR: Final = -32603

_OK: Final = 200
_ACCEPTED: Final = 202
_BAD_REQUEST: Final = 400
_UNAUTHORIZED: Final = 401
_NOT_FOUND: Final = 404
_NOT_ALLOWED: Final = 405
_UNAVAILABLE: Final = 503

_PLAIN: Final = re.compile(r"[\x20-\x7e]*")
_ENCODED: Final = re.compile(r"=\?base64\?.*\?=")

_LOST: Final = (
    "the program that serves the tools ended before it answered; call again with the same arguments: the next program"
    " says so if the call was started already"
)


class _Message(NamedTuple):
    """A message of the agent.

    Attributes:
        line: As it was written.
        method: What it asks for; empty for an answer.
        id: Whose answer is waited for; None for none.
        params: What it says.
        version: The revision that it names, as the newer era does; empty for the older.
    """

    line: bytes
    method: str
    id: int | str | None
    params: dict[str, Any]
    version: str

    @property
    def headers(self) -> dict[str, str]:
        """What a message of the newer era says over HTTP of what stands in it."""
        if not self.version:
            return {}
        headers = {_VERSION_HEADER: self.version, "mcp-method": self.method}
        name = self.params.get(NAMED_BY.get(self.method, ""))
        return {**headers, "mcp-name": encoded(name)} if isinstance(name, str) else headers


class _Session(NamedTuple):
    """A session of the older era."""

    id: str
    version: str

    @property
    def headers(self) -> dict[str, str]:
        return {_SESSION_HEADER: self.id, _VERSION_HEADER: self.version}


class Bridge:
    """Pass the messages of one agent; on one event loop.

    Args:
        find: Returns where agents are served now; it may take long, and starts a program if there is none.
        token: The agent's token.
        say: Writes a line to the agent.
        patience_s: How long a message waits for a program that serves, in seconds.
    """

    def __init__(
        self, find: Callable[[], str], token: str, say: Callable[[bytes], None], patience_s: float = SESSION_LOST_S
    ) -> None:
        self._find = find
        self._say = say
        self._patience_s = patience_s
        accepted = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        self._http = HttpConnections({"authorization": f"Bearer {token}", **accepted})
        self._address = ""
        self._turn = asyncio.Lock()
        self._session: _Session | None = None
        self._hello: _Message | None = None
        self._wishes: dict[tuple[str, str], _Message] = {}
        self._open: dict[int | str, asyncio.Task[None]] = {}
        self._cancelled: set[int | str | None] = set()
        self._listening: asyncio.Task[None] | None = None

    async def run(self, lines: AsyncIterator[bytes]) -> None:
        """Pass messages both ways until the agent closes its stream.

        Args:
            lines: What the agent writes.

        Raises:
            GatewayError: The gateway is not reached, or does not know the token.
        """
        self._address = await asyncio.to_thread(self._find)
        await self._look()
        try:
            async for line in lines:
                if line.strip():
                    await self._take(_read(line.strip()))
        finally:
            tasks = [*self._open.values(), *([self._listening] if self._listening else [])]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._leave()
            self._http.close()

    async def _look(self) -> None:
        """See whether the gateway is there and lets the agent in, so that it is told at once and in words."""
        try:
            connection = await self._http.connect(self._address)
            async with self._http.ask(connection, "POST", {}, b"{}") as answer:
                status = answer.status
        except OSError as error:
            raise GatewayError(
                f"no gateway answers at {self._address}; switch it on, or start tool-console serve"
            ) from error
        if status == _UNAUTHORIZED:
            raise GatewayError(self._unknown_words)

    @property
    def _unknown_words(self) -> str:
        return f"the gateway at {self._address} does not know the token; tool-console agent renew gives another"

    async def _leave(self) -> None:
        """Let the gateway forget the session."""
        if self._session is not None:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_LEAVE_S):
                    connection = await self._http.connect(self._address)
                    async with self._http.ask(connection, "DELETE", self._session.headers):
                        pass

    async def _take(self, message: _Message) -> None:
        if message.id is not None and message.method:
            task = self._open[message.id] = asyncio.create_task(self._answer(message), name=f"bridge {message.method}")
            task.add_done_callback(lambda _: self._is_answered(message, task))
            return
        if message.method == _CANCELLED and (message.version or self._session is None):
            # The newer era has no such message over HTTP: the end of a request's connection says it.
            if (task_of := self._open.get(message.params.get("requestId", ""))) is not None:
                task_of.cancel()
            return
        if message.method == _CANCELLED and message.params.get("requestId") in self._open:
            # It must not be sent once more.
            self._cancelled.add(message.params["requestId"])
        # What has no answer keeps its order. When nobody serves, the next request is told.
        with suppress(GatewayError):
            await self._pass(message)
        if message.method == "notifications/initialized" and self._listening is None:
            self._listening = asyncio.create_task(self._listen(), name="bridge listens")

    def _is_answered(self, message: _Message, task: asyncio.Task[None]) -> None:
        if message.id is not None and self._open.get(message.id) is task:
            del self._open[message.id]
            self._cancelled.discard(message.id)

    async def _answer(self, message: _Message) -> None:
        try:
            await self._pass(message)
        except GatewayError as error:
            self._say_error(message, _CONNECTION_CLOSED, str(error))

    async def _pass(self, message: _Message) -> None:
        """Send a message until it reaches a program that serves, and pass on what it is answered with.

        Raises:
            GatewayError: None serves, or the one that had it is gone.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_s
        while message.id not in self._cancelled and not await self._try(message):
            if loop.time() > until:
                raise GatewayError("no program serves the tools now; open Tool Console, then call again")
            await asyncio.sleep(_PAUSE_S)

    async def _try(self, message: _Message) -> bool:
        """Send a message once; return whether nothing is left to do."""
        session = None if message.version or message.method == "initialize" else self._session
        try:
            connection = await self._http.connect(self._address)
        except OSError:
            await self._find_again()
            return False
        headers = message.headers or ({} if session is None else session.headers)
        is_taken = True
        try:
            async with self._http.ask(connection, "POST", headers, message.line) as answer:
                is_foreign = answer.status == _NOT_FOUND and session is not None
                is_taken = not is_foreign and answer.status != _UNAVAILABLE
                if is_taken:
                    return await self._hand_on(message, answer)
        except OSError as error:
            if is_taken and message.method == "tools/call":
                raise GatewayError(_LOST) from error
            return False
        if is_foreign:
            await self._renew(session)
        else:
            # These connections lead to the program that served before.
            self._http.close()
        return False

    async def _find_again(self) -> None:
        """Look where agents are served; one request looks at a time."""
        async with self._turn:
            self._address = await asyncio.to_thread(self._find)

    async def _hand_on(self, message: _Message, answer: StreamedAnswer) -> bool:
        """Pass on what a message is answered with; return whether the answer is there."""
        if answer.status == _UNAUTHORIZED:
            raise GatewayError(self._unknown_words)
        if answer.status >= _BAD_REQUEST:
            await self._hand_on_error(message, answer)
            return True
        if answer.status == _ACCEPTED:
            return True
        if message.method == "initialize":
            await self._begin(message, answer)
            return True
        is_over = message.id is None
        async with aclosing(answer.messages()) as lines:
            async for line in lines:
                if MOVES_KEY.encode() in line and _moves(line):
                    # The same request, sent again, takes the outcome at the program that serves now.
                    return False
                is_over = is_over or b'"method"' not in line or "method" not in json.loads(line)
                self._say(line)
        if not is_over:
            raise ConnectionResetError("the stream of a request ended without its answer")
        if message.method in {"logging/setLevel", "resources/subscribe", "resources/unsubscribe"}:
            self._note_wish(message)
        return True

    async def _hand_on_error(self, message: _Message, answer: StreamedAnswer) -> None:
        body = await answer.body()
        if message.id is None:
            return
        try:
            said = json.loads(body)
        except ValueError:
            said = None
        if isinstance(said, dict) and "error" in said:
            self._say(_line({**said, "id": message.id}))
        else:
            text = body.decode(errors="replace").strip() or "it says no more"
            self._say_error(message, _INTERNAL_ERROR, f"the gateway answered with HTTP status {answer.status}: {text}")

    def _note_wish(self, message: _Message) -> None:
        """Remember what the next program is to be told, too."""
        key = (message.method.removesuffix("unsubscribe").removesuffix("subscribe"), str(message.params.get("uri", "")))
        if message.method == "resources/unsubscribe":
            self._wishes.pop(key, None)
        else:
            self._wishes[key] = message

    async def _begin(self, message: _Message, answer: StreamedAnswer) -> None:
        """Begin a session of the older era."""
        async with aclosing(answer.messages()) as lines:
            async for line in lines:
                version = (json.loads(line).get("result") or {}).get("protocolVersion")
                if version is not None:
                    self._hello = message
                    self._session = _Session(answer.header(_SESSION_HEADER), version)
                self._say(line)

    async def _renew(self, lost: _Session | None) -> None:
        """Begin a session at the program that serves now, which knows nothing of the former one."""
        async with self._turn:
            if self._session is not lost or self._hello is None:
                return
            with suppress(OSError):
                connection = await self._http.connect(self._address)
                async with self._http.ask(connection, "POST", {}, self._hello.line) as answer:
                    found = answer.header(_SESSION_HEADER)
                    if answer.status != _OK or not found or lost is None:
                        return
                begun = lost._replace(id=found)
                for line in (_INITIALIZED, *(wish.line for wish in self._wishes.values())):
                    connection = await self._http.connect(self._address)
                    async with self._http.ask(connection, "POST", begun.headers, line):
                        pass
                self._session = begun
                for listed in _LISTS:
                    self._say(_line({"jsonrpc": "2.0", "method": f"notifications/{listed}/list_changed"}))

    async def _listen(self) -> None:
        """Pass on what the gateway says without being asked, in the older era."""
        while (session := self._session) is not None:
            status = 0
            with suppress(OSError):
                connection = await self._http.connect(self._address)
                async with self._http.ask(connection, "GET", session.headers) as answer:
                    status = answer.status
                    if status == _OK:
                        async with aclosing(answer.messages()) as lines:
                            async for line in lines:
                                self._say(line)
            if status == _NOT_ALLOWED:
                return
            if status == _NOT_FOUND:
                await self._renew(session)
            else:
                await asyncio.sleep(_LISTEN_S)

    def _say_error(self, message: _Message, code: int, text: str) -> None:
        self._say(_line({"jsonrpc": "2.0", "id": message.id, "error": {"code": code, "message": text}}))


def _read(line: bytes) -> _Message:
    try:
        said = json.loads(line)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        # The gateway says what is wrong with it.
        return _Message(line, "", None, {}, "")
    given = said.get("params")
    params: dict[str, Any] = given if isinstance(given, dict) else {}
    meta = params.get("_meta")
    version = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
    is_modern = isinstance(version, str) and version >= FIRST_MODERN
    number = said.get("id")
    # The gateway refuses other kinds of ids.
    is_id = isinstance(number, int | str)
    return _Message(
        line, str(said.get("method", "")), number if is_id else None, params, str(version) if is_modern else ""
    )


def _moves(line: bytes) -> bool:
    """Whether a message says that another program takes over, in its own words and not in those of a tool."""
    said = json.loads(line)
    marked = (said.get("result") or {}).get("_meta") or (said.get("error") or {}).get("data")
    return isinstance(marked, dict) and bool(marked.get(MOVES_KEY))


def encoded(value: str) -> str:
    """Return a text as a header can hold it.

    Source: MCP 2026-07-28, streamable HTTP, `Mcp-Name`.
    """
    if _PLAIN.fullmatch(value) and value == value.strip() and not _ENCODED.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'surrogatepass')).decode()}?="


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()
