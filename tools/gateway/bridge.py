"""Pass messages between an agent that speaks on standard streams and the gateway, for programs that know no address.

Messages pass as they are written. The bridge reads of them only what it needs to send those again that are not answered
when another program serves: a window takes over from `tool-console serve` and gives back while the agent's program runs
on, and does not hear of it.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, Final, NamedTuple

from tools.errors import GatewayError
from tools.gateway.defaults import CANCELLED, HOST, LARGEST_REQUEST_BYTES
from tools.gateway.owner_note import OwnerNote, proof

SESSION_LOST_S: Final = 15.0
"""How long a message waits for a program that serves agents, in seconds."""

_INITIALIZED: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
_LISTS: Final = ("tools", "prompts", "resources")
_UNSUBSCRIBE: Final = "resources/unsubscribe"
_WISHES: Final = frozenset({"logging/setLevel", "resources/subscribe", _UNSUBSCRIBE})
_PLAIN_CALL: Final = re.compile(rb'\{"jsonrpc": ?"2\.0", ?"id": ?(0|[1-9][0-9]{0,14}), ?"method": ?"tools/call",')
"""How the Python SDK begins a call. To read all of a call takes as long as the rest of its way through the bridge; the
goal is 1.6 times a direct call, in `tests/benchmarks/bench_gateway`."""

_CHUNK: Final = 1 << 16
_LONGEST_REFUSAL: Final = 1_000
_READY_S: Final = 5.0
_PAUSE_S: Final = 0.05
_LOOK_S: Final = 0.5
_LEAVE_S: Final = 1.0
_CONNECTION_CLOSED: Final = -32000
_INVALID_REQUEST: Final = -32600

_LOST: Final = (
    "the program that serves the tools ended before it answered; call again with the same arguments: the next program"
    " says so if the call was started already"
)
_NOBODY: Final = "no program serves the tools now; open Tool Console, then call again"


class _Request(NamedTuple):
    """A request of the agent that is not answered yet.

    Attributes:
        is_unread: Whether no program has read it.
    """

    line: bytes
    method: str
    params: dict[str, Any]
    is_unread: bool

    @property
    def may_be_sent_again(self) -> bool:
        """Whether nothing can run twice."""
        return self.is_unread or self.method != "tools/call"


class Bridge:
    """Pass the messages of one agent: one thread each way, both of which mostly wait for the system.

    Args:
        look: Returns the note of the program that serves now; None when none does.
        find: Returns it as well; it may take long, and starts a program if there is none.
        token: The agent's token.
        read: Returns some bytes of what the agent writes; none at its end.
        write: Writes lines to the agent.
        patience_s: How long a message waits for a program that serves, in seconds.
    """

    def __init__(
        self,
        look: Callable[[], OwnerNote | None],
        find: Callable[[], OwnerNote],
        token: str,
        *,
        read: Callable[[], bytes],
        write: Callable[[bytes], None],
        patience_s: float = SESSION_LOST_S,
    ) -> None:
        self._look = look
        self._find = find
        self._token = token
        self._read = read
        self._write = write
        self._patience_s = patience_s
        self._turn = Lock()
        self._connection: socket.socket | None = None
        self._hello: _Request | None = None
        self._wishes: dict[tuple[str, str], _Request] = {}
        self._open: dict[bytes, _Request] = {}
        self._repeated: set[bytes] = set()
        self._is_wanted = Event()
        self._is_over = Event()

    def run(self) -> None:
        """Pass messages both ways until the agent closes its stream.

        Raises:
            GatewayError: The gateway is not reached, or does not know the token.
        """
        self._connection = connection = self._first()
        # The agent may leave while a program is being started.
        hearing = Thread(target=self._hear, args=(connection,), name="bridge hears", daemon=True)
        hearing.start()
        try:
            rest = b""
            while chunk := self._read():
                *lines, rest = (rest + chunk).split(b"\n")
                if lines:
                    self._take(lines)
        finally:
            self._is_over.set()
            self._is_wanted.set()
            with self._turn:
                _end(self._connection)
            hearing.join(_LEAVE_S)

    def _first(self) -> socket.socket:
        """Return a connection with the program that serves; one that is taken over from needs a moment."""
        until = time.monotonic() + self._patience_s
        while True:
            try:
                return connected(self._find(), self._token)
            except OSError as error:
                if time.monotonic() >= until:
                    raise GatewayError(f"the program that serves the tools is not reached ({error})") from error
            time.sleep(_PAUSE_S)

    def _take(self, lines: list[bytes]) -> None:
        """Send what the agent writes; what has no answer is lost when nobody serves."""
        with self._turn:
            sent = [line for line in map(bytes.strip, lines) if self._note(line)]
            if self._connection is not None and sent:
                _send(self._connection, sent)

    def _note(self, line: bytes) -> bool:
        """Remember a request until it is answered; return whether there is something to send."""
        if (call := _PLAIN_CALL.match(line)) and len(line) <= LARGEST_REQUEST_BYTES:
            self._remember(call[1], _Request(line, "tools/call", {}, is_unread=self._connection is None))
            return True
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(said, dict):
            return False
        number, method, given = said.get("id"), said.get("method"), said.get("params")
        params: dict[str, Any] = given if isinstance(given, dict) else {}
        if method == CANCELLED:
            # It must not be sent once more.
            self._open.pop(_key(params.get("requestId")), None)
        if method is None or not isinstance(number, int | str):
            return len(line) <= LARGEST_REQUEST_BYTES
        if len(line) > LARGEST_REQUEST_BYTES:
            text = f"expected a request of at most {LARGEST_REQUEST_BYTES // 1024 // 1024} MiB, got {len(line):,} bytes"
            self._say_error(_key(number), _INVALID_REQUEST, text)
            return False
        self._remember(_key(number), _Request(line, str(method), params, is_unread=self._connection is None))
        return True

    def _remember(self, key: bytes, request: _Request) -> None:
        self._open[key] = request
        if not self._is_wanted.is_set():
            self._is_wanted.set()

    def _hear(self, connection: socket.socket) -> None:
        """Pass on what programs say, one after the other."""
        while not self._is_over.is_set():
            self._pass_on(connection)
            with self._turn:
                self._connection = None
                connection.close()
                lost = [key for key, request in self._open.items() if not request.may_be_sent_again]
            for key in lost:
                self._refuse(key, _LOST)
            following = self._next()
            if following is None:
                return
            connection = following
        # The agent left in the moment in which the next program let it in.
        connection.close()

    def _pass_on(self, connection: socket.socket) -> None:
        """Pass on what a program says until it ends or sends the agent to another one."""
        pieces: list[bytes] = []
        while chunk := _received(connection):
            first, *others = chunk.split(b"\n")
            pieces.append(first)
            if not others:
                continue
            # Pieces of a line are put together once: a result of many megabytes is one line in many chunks.
            lines = [b"".join(pieces), *others[:-1]]
            pieces = [others[-1]]
            if said := [message for line in lines if (message := self._heard(line, connection))]:
                self._write(b"\n".join(said) + b"\n")

    def _heard(self, line: bytes, connection: socket.socket) -> bytes:
        """Return what the agent gets of a line; nothing when it is for the bridge."""
        key, _, message = line.partition(b"\t")
        if not message:
            self._move(key, connection)
            return b""
        if not key:
            return message
        if key in self._repeated:
            # The agent has the answer of the program that served before.
            self._repeated.discard(key)
            return b""
        request = self._open.pop(key, None)
        if request is not None:
            self._learn(request, message)
        return message

    def _move(self, key: bytes, connection: socket.socket) -> None:
        """Hear that a request is to come again, or all that come from now on, at the program that serves next."""
        with self._turn:
            if key in self._open:
                self._open[key] = self._open[key]._replace(is_unread=True)
            elif not key:
                self._connection = None
                connection.shutdown(socket.SHUT_WR)

    def _learn(self, request: _Request, answer: bytes) -> None:
        """Remember what the next program is to be told, too."""
        if request.method == "initialize":
            if "result" in json.loads(answer):
                self._hello = request
        elif request.method in _WISHES:
            uri = str(request.params.get("uri", ""))
            if request.method == _UNSUBSCRIBE:
                self._wishes.pop(("resources/subscribe", uri), None)
            else:
                self._wishes[request.method, uri] = request

    def _next(self) -> socket.socket | None:
        """Return a connection with the program that serves next; None when the agent is gone."""
        until = time.monotonic() + self._patience_s
        while not self._is_over.is_set():
            is_wanted = bool(self._open)
            try:
                note = self._find() if is_wanted else self._look()
                if note is not None:
                    return self._begun(connected(note, self._token))
                reason = _NOBODY
            except OSError:
                reason = _NOBODY
            except GatewayError as error:
                until, reason = 0.0, str(error)
            if is_wanted and time.monotonic() >= until:
                for key in list(self._open):
                    self._refuse(key, reason)
            if self._open:
                self._is_over.wait(_PAUSE_S)
                continue
            self._is_wanted.clear()
            if not self._open and self._is_wanted.wait(_LOOK_S):
                until = time.monotonic() + self._patience_s
        return None

    def _begun(self, connection: socket.socket) -> socket.socket:
        """Tell a program what the former one knew, and ask it what is not answered."""
        with self._turn:
            repeated = [] if self._hello is None else [self._hello, *self._wishes.values()]
            lines = [request.line for request in repeated]
            self._repeated = {_key(json.loads(line)["id"]) for line in lines}
            if lines:
                lines.insert(1, _INITIALIZED)
            for key, request in self._open.items():
                self._open[key] = request._replace(is_unread=False)
                lines.append(request.line)
            if lines:
                _send(connection, lines)
            self._connection = connection
            if self._is_over.is_set():
                _end(connection)
        if repeated:
            for listed in _LISTS:
                self._write(_line({"jsonrpc": "2.0", "method": f"notifications/{listed}/list_changed"}))
        return connection

    def _refuse(self, key: bytes, text: str) -> None:
        if self._open.pop(key, None) is not None:
            self._say_error(key, _CONNECTION_CLOSED, text)

    def _say_error(self, key: bytes, code: int, text: str) -> None:
        self._write(_line({"jsonrpc": "2.0", "id": json.loads(key), "error": {"code": code, "message": text}}))


def connected(note: OwnerNote, token: str) -> socket.socket:
    """Return a connection with a program that serves agents, which knows the agent.

    Args:
        token: The agent's token.

    Raises:
        OSError: It is not reached, or another program listens in its place.
        GatewayError: It does not let the agent in.
    """
    connection = _opened(note.bridge)
    try:
        connection.settimeout(_READY_S)
        challenge = secrets.token_hex().encode()
        with connection.makefile("rb", buffering=0) as said:
            connection.sendall(challenge + b"\n")
            if not hmac.compare_digest(said.readline(_LONGEST_REFUSAL).strip(), proof(note.secret, challenge)):
                raise ConnectionRefusedError("another program listens in its place")
            connection.sendall(token.encode() + b"\n")
            answer = said.readline(_LONGEST_REFUSAL)
        if not answer:
            raise ConnectionResetError("it ends")
        if answer.strip():
            raise GatewayError(answer.strip().decode(errors="replace"))
        connection.settimeout(None)
    except BaseException:
        connection.close()
        raise
    return connection


def _opened(where: str | int) -> socket.socket:
    if isinstance(where, int):
        connection = socket.create_connection((HOST, where), _READY_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection
    if sys.platform == "win32":
        raise ConnectionRefusedError("the note is of another system")
    else:  # noqa: RET506 -- else the types of the other system find it unreachable
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(where)
        except OSError:
            connection.close()
            raise
        return connection


def _send(connection: socket.socket, lines: list[bytes]) -> None:
    """Send lines; who hears of the end of the connection does the rest."""
    with suppress(OSError):
        connection.sendall(b"\n".join(lines) + b"\n")


def _received(connection: socket.socket) -> bytes:
    """Return what comes; nothing when the connection ended in any way."""
    try:
        return connection.recv(_CHUNK)
    except OSError:
        return b""


def _end(connection: socket.socket | None) -> None:
    """End a connection for both threads; it may have ended already."""
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def _key(number: Any) -> bytes:
    """Return an id as the program writes it before an answer."""
    return json.dumps(number).encode()


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
