"""The address at which agents reach their server: streamable HTTP on this computer, both eras of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tools.errors import GatewayError
from tools.gateway.admission import Admission
from tools.gateway.agent_calls import AgentCalls
from tools.gateway.agent_server import AgentServer, AgentUse
from tools.gateway.agents import Paused
from tools.gateway.announcements import MOST_SESSIONS
from tools.gateway.authentication import TokenVerifier, agent_here, agent_of
from tools.gateway.bridge_server import BridgeServer
from tools.gateway.bridge_socket import remove_left
from tools.gateway.defaults import (
    CALLS_A_MINUTE,
    HOLD_S,
    HOST,
    IDLE_S,
    LARGEST_REQUEST_BYTES,
    LARGEST_RESULT_BYTES,
    MOST_REQUESTS,
    PATH,
    PORT,
    STARTED_FOLDER,
    address_of,
)
from tools.gateway.direct_answers import DirectAnswers
from tools.gateway.handover import HandedNews, HandedReply, Handover, HandoverServer, Ownership
from tools.gateway.held_calls import HeldCalls
from tools.gateway.hold_times import HoldTimes
from tools.gateway.http_timeouts import TimedHttpProtocol
from tools.gateway.owner_note import read_note
from tools.gateway.start_marks import StartedCalls

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tools.execution.executor import Executor
    from tools.gateway.agents import Agents
    from tools.gateway.profiles import AgentProfile
    from tools.gateway.served_prompts import RenderPrompt

_OTHER_FILES: Final = 512
"""How many files of the program's own are open beside them."""
_GRACE_S: Final = 2
_KEPT_S: Final = 9
"""How long a connection stays open that no request uses; the usual libraries of clients keep theirs for 5 seconds, and
who keeps it for longer now and then sends a call into one that is just being closed."""
_LOOK_EVERY_S: Final = 0.25
_BIND_S: Final = 2.0
_PAUSE_S: Final = 0.02


class GatewayEndpoint:
    """Serve agents on this computer; from the executor's loop.

    Nothing but the loopback address is ever listened on. A request needs the token of an agent; its `Host` and, from
    a browser, its `Origin` must be this computer's own, so that no web page reaches the tools by a name of its own.

    Args:
        executor: Runs the calls.
        agents: Who may call.
        data: The data folder, which has the lock.
        render_prompt: Returns what a prompt says, `Workbench.render_prompt`.
        port: Where to listen; 0 takes any free port.
        hold_s: How long a request is held while a person is asked.
        calls_a_minute: How many calls an agent may make in a minute.
        largest_result_bytes: The size of the largest result that is handed on.
        keeps_history: Whether a person finds whole results in the history.
        answer_within_s: How long a person may take to allow a call, in seconds; None is as its tool says.
        name: What this program is called where another one takes over.
        is_behind: Tells whether requests are to begin later, since what came already is not shown yet.

    Attributes:
        handed_over: Set when another program serves agents in this one's place; calls may still run here.
    """

    def __init__(
        self,
        executor: Executor,
        agents: Agents,
        data: Path,
        *,
        render_prompt: RenderPrompt,
        port: int = PORT,
        hold_s: float = HOLD_S,
        calls_a_minute: int = CALLS_A_MINUTE,
        largest_result_bytes: int = LARGEST_RESULT_BYTES,
        keeps_history: bool = True,
        answer_within_s: float | None = None,
        version: str = "",
        name: str = "",
        is_behind: Callable[[], bool] = lambda: False,
    ) -> None:
        self.handed_over = asyncio.Event()
        self._executor = executor
        self._agents = agents
        self._verifier = TokenVerifier(agents)
        self._data = data
        self._render_prompt = render_prompt
        self._port = port
        self._hold_s = hold_s
        self._calls_a_minute = calls_a_minute
        self._largest_result_bytes = largest_result_bytes
        self._keeps_history = keeps_history
        self._answer_within_s = answer_within_s
        self._version = version
        self._name = name
        self._ownership = Ownership(data)
        self._desk = HandoverServer(data, self)
        self._state_key = b""
        self._server: _QuietServer | None = None
        self._bridges: BridgeServer | None = None
        self._admission = Admission(lambda: bool(self._address), is_behind)
        self._closing = contextlib.AsyncExitStack()
        self._address = ""
        self._held: HeldCalls | None = None
        self._calls: AgentCalls | None = None
        self._agent_server: AgentServer | None = None

    @property
    def address(self) -> str:
        """Where agents reach it; empty while it is not served."""
        return self._address

    def use(self, agent: str) -> AgentUse | None:
        """Return what an agent did since it is served; None for nothing."""
        return None if self._agent_server is None else self._agent_server.uses.get(agent)

    def waiting(self, agent: str) -> int:
        """Return how many calls of an agent wait for a person, or for its next request."""
        return 0 if self._held is None else self._held.waiting(agent)

    def allowed(self, agent: str) -> int:
        """Return how many of them are allowed and wait for its next request."""
        return 0 if self._held is None else self._held.allowed(agent)

    def connected(self) -> tuple[str, ...]:
        """Return the names of the agents that asked for something in the last minutes, or whose calls wait."""
        uses = {} if self._agent_server is None else self._agent_server.uses
        latest = datetime.now(UTC) - timedelta(seconds=IDLE_S)
        names = {name for name, use in uses.items() if use.last_at > latest}
        return tuple(sorted(names | (set() if self._held is None else self._held.agents)))

    @property
    def running(self) -> int:
        """How many calls of agents run."""
        return 0 if self._held is None else self._held.running

    def stop_running(self) -> None:
        if self._held is not None:
            self._held.stop_running()

    def limit(self, calls_a_minute: int, answer_within_s: float | None) -> None:
        """Change, for calls to come, how many an agent may make in a minute, and how long a person may take."""
        self._calls_a_minute, self._answer_within_s = calls_a_minute, answer_within_s
        if self._calls is not None and self._held is not None:
            self._calls.limit(calls_a_minute)
            self._held.answer_within_s = answer_within_s

    def _look_for_pause(self) -> Paused | None:
        try:
            return self._agents.paused
        except GatewayError:
            # Nobody is let in either until the file is mended, and nothing starts that a person may have paused.
            return Paused(since=datetime.now(UTC))

    @property
    def idle_s(self) -> float:
        """How long no agent was there: none that waits, none that listens, and no call that is held; in seconds."""
        is_held = self._held is not None and bool(self._held.marks)
        return 0.0 if is_held else self._admission.idle_s

    async def start(self, *, takes_over: bool = False) -> Handover | None:
        """Listen.

        Args:
            takes_over: Whether another program that serves agents is asked to hand over; its port is kept then.

        Returns:
            What was handed over; None when no other program served.

        Raises:
            GatewayError: Another program serves agents, or has the port, or the data folder cannot be used.
        """
        try:
            return await self._start(takes_over=takes_over)
        except OSError as error:
            message = f"{error.filename or self._data} cannot be used ({error.strerror}); mend that, then start again"
            raise GatewayError(message) from error

    async def _start(self, *, takes_over: bool) -> Handover | None:
        owning = self._ownership.taking(takes_over=takes_over)
        async with contextlib.AsyncExitStack() as opened, owning as taken:
            opened.callback(self._ownership.let_go)
            handed = None if taken is None else taken.handed
            if handed is not None:
                self._port = handed.port
            self._state_key = secrets.token_bytes(32) if handed is None else bytes.fromhex(handed.state_key)
            listening = opened.enter_context(await self._listening(0.0 if handed is None else _BIND_S))
            started = StartedCalls(self._data / STARTED_FOLDER)
            opened.callback(started.close)
            held = HeldCalls(self._executor, started, paused=self._look_for_pause)
            held.answer_within_s = self._answer_within_s
            if taken is not None:
                held.take(taken)
            await asyncio.to_thread(self._look_at_left, started, held.marks)
            hold_times = HoldTimes(self._agents, self._hold_s)
            calls = AgentCalls(
                held,
                hold_times,
                calls_a_minute=self._calls_a_minute,
                largest_result_bytes=self._largest_result_bytes,
                keeps_history=self._keeps_history,
            )
            agent_server = AgentServer(
                self._executor.registry,
                agent_of,
                agent_here,
                calls,
                render_prompt=self._render_prompt,
                state_key=self._state_key,
                version=self._version,
            )
            agent_server.tasks.take(() if handed is None else handed.tasks)
            server = _QuietServer(self._http(agent_server))
            self._bridges = bridges = BridgeServer(agent_server, self._verifier, self._admission, self._desk.secret)
            serving = asyncio.create_task(server.serve(sockets=[listening]), name="gateway")
            telling = asyncio.create_task(_follow_agents(self._agents, agent_server, held), name="agents")
            # At the end nobody new is let in, then all who wait get an answer, then the connections are closed.
            opened.push_async_callback(hold_times.aclose)
            opened.push_async_callback(asyncio.wait, {serving})
            opened.push_async_callback(self._desk.aclose)
            opened.push_async_callback(bridges.aclose)
            opened.push_async_callback(held.aclose)
            opened.push_async_callback(agent_server.aclose)
            opened.push_async_callback(asyncio.wait, {telling})
            opened.callback(telling.cancel)
            opened.callback(setattr, server, "should_exit", True)
            opened.callback(bridges.stop_listening)
            self._held, self._calls, self._agent_server, self._server = held, calls, agent_server, server
            self._port = listening.getsockname()[1]
            self._address = address_of(self._port)
            await self._desk.start(self._port, await bridges.start())
            if taken is not None:
                await taken.say_ready()
            self._closing = opened.pop_all()
            return handed

    def _look_at_left(self, started: StartedCalls, known: Collection[str]) -> None:
        """See what a program left that was killed: the calls that it started, and the socket of its bridges."""
        started.look(known)
        note = read_note(self._data)
        if note is not None:
            remove_left(note.bridge)

    async def aclose(self) -> None:
        """Listen no longer, and give up what agents wait for."""
        self._address = ""
        await self._closing.aclose()
        self._held = self._agent_server = None

    async def hand_over(self) -> Handover | None:
        """Serve agents no longer, and return all that is held; None when it is not served any more anyway."""
        if (
            not self._address
            or self._held is None
            or self._calls is None
            or self._agent_server is None
            or self._server is None
            or self._bridges is None
        ):
            return None
        self._address = ""
        calls = self._held.hand_over(self._calls.answer_of)
        self._bridges.stop_listening()
        await self._server.stop_listening()
        self._ownership.let_go()
        return Handover(
            name=self._name,
            port=self._port,
            state_key=self._state_key.hex(),
            calls=calls,
            tasks=self._agent_server.tasks.hand_over(),
            refusals=self._executor.questions.refusals,
        )

    def is_taken_over(self) -> None:
        """Send the requests that wait to the program that serves now."""
        if self._held is not None:
            self._held.is_taken_over()
        if self._bridges is not None:
            self._bridges.move()
        self.handed_over.set()

    async def news(self) -> AsyncIterator[HandedNews]:
        """Yield what becomes of the calls that run on here, until there are no more."""
        if self._held is not None:
            async for said in self._held.news():
                yield said

    def take_reply(self, reply: HandedReply) -> None:
        """Hear the answer to a question of a tool that runs on here."""
        if self._held is not None:
            self._held.take_reply(reply)

    async def finished(self) -> None:
        """Wait until no call runs on here that another program waits for."""
        await self._desk.finished()

    async def _listening(self, patience_s: float) -> socket.socket:
        """Listen; a program that hands over needs a moment to let go of the port."""
        deadline = time.monotonic() + patience_s
        while True:
            # asyncio sends small answers at once only on sockets that say that they are TCP; else each takes 40 ms.
            listening = socket.socket(proto=socket.IPPROTO_TCP)
            try:
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listening.bind((HOST, self._port))
                listening.listen()
                return listening
            except OSError as error:
                listening.close()
                if time.monotonic() >= deadline:
                    message = f"port {self._port} cannot be listened on ({error.strerror}); choose another"
                    raise GatewayError(message) from error
            await asyncio.sleep(_PAUSE_S)

    def _http(self, agent_server: AgentServer) -> uvicorn.Config:
        return uvicorn.Config(
            self._app(agent_server),
            http=TimedHttpProtocol,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            limit_concurrency=_most_connections(),
            timeout_keep_alive=_KEPT_S,
            timeout_graceful_shutdown=_GRACE_S,
            ws="none",
        )

    def _app(self, agent_server: AgentServer) -> ASGIApp:
        own = [f"{host}:*" for host in (HOST, "localhost")]
        security = TransportSecuritySettings(allowed_hosts=own, allowed_origins=[f"http://{host}" for host in own])
        # The SDK makes the session manager with the application, of which nothing else is of use here.
        agent_server.server.streamable_http_app(
            transport_security=security, max_request_body_size=LARGEST_REQUEST_BYTES, max_sessions=MOST_SESSIONS
        )
        manager = agent_server.server.session_manager
        inside = RequireAuthMiddleware(StreamableHTTPASGIApp(manager), required_scopes=[])
        backend = BearerAuthBackend(self._verifier)
        whole = Starlette(
            routes=[Route(PATH, endpoint=inside)],
            middleware=[
                Middleware(_Listening, ends=self.handed_over),
                Middleware(AuthenticationMiddleware, backend=backend),
                Middleware(AuthContextMiddleware),
            ],
            lifespan=lambda _: manager.run(),
        )
        calls = DirectAnswers(
            whole,
            agent_server.answer_call,
            agent_server.has_headers,
            verifier=self._verifier,
            security=security,
            path=PATH,
            largest_request=LARGEST_REQUEST_BYTES,
        )
        return _Door(calls, self._admission)


def _most_connections() -> int:
    """Let this program have a file for each connection, and return how many it can have.

    Many systems give a program 256 or 1,024 files, and let it have more when it asks.
    """
    if sys.platform == "win32":
        return MOST_REQUESTS
    import resource  # noqa: PLC0415, TID251 -- Windows has neither the module nor the limit

    wanted = MOST_REQUESTS + _OTHER_FILES
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != files < wanted:
        files = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return MOST_REQUESTS if files == resource.RLIM_INFINITY else min(MOST_REQUESTS, files * 3 // 4)


async def _follow_agents(agents: Agents, agent_server: AgentServer, held: HeldCalls) -> None:
    """Follow what a person, or another program, changes about agents.

    Agents are told when they see something else; what an agent waits for that is blocked or removed is withdrawn, and
    what runs is stopped when a person says so.
    """
    known: dict[str, AgentProfile] | None = None
    while True:
        # While the file cannot be read, nobody is let in.
        with contextlib.suppress(GatewayError):
            listed = agents.all()
            profiles = {agent.name: agent.profile for agent in listed}
            if known is not None and profiles != known:
                agent_server.tell_of_profiles()
            known = profiles
            for name in held.agents - {agent.name for agent in listed if not agent.is_blocked}:
                held.withdraw(name)
            if (paused := agents.paused) is not None and paused.stops_running:
                held.stop_running()
        await asyncio.sleep(_LOOK_EVERY_S)


class _Door:
    """Sends requests away while agents are not served here, or not any more: they may come again in a moment."""

    def __init__(self, app: ASGIApp, admission: Admission) -> None:
        self._app = app
        self._admission = admission

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] == "http" and not self._admission.is_open():
            app = PlainTextResponse("another program begins to serve; try again", 503, {"retry-after": "1"})
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        with self._admission.inside():
            if self._admission.is_behind:
                await self._admission.caught_up()
            await app(scope, receive, send)


class _Listening:
    """Ends the streams of clients that only listen when another program serves: they are to listen there."""

    def __init__(self, app: ASGIApp, ends: asyncio.Event) -> None:
        self._app = app
        self._ends = ends

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        is_open = False

        async def heard() -> Message:
            waits: list[asyncio.Future[Any]] = [
                asyncio.ensure_future(receive()),
                asyncio.ensure_future(self._ends.wait()),
            ]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                return {"type": "http.disconnect"} if self._ends.is_set() else waits[0].result()
            finally:
                for wait in waits:
                    wait.cancel()

        async def said(message: Message) -> None:
            nonlocal is_open
            is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        await self._app(scope, heard, said)
        if is_open:
            await send({"type": "http.response.body"})


class _QuietServer(uvicorn.Server):
    """A server that leaves the signals of the program to the program."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._is_up.set()

    async def stop_listening(self) -> None:
        """Let nobody new in, so that another program can listen there; whoever is in gets an answer."""
        await self._is_up.wait()
        self.should_exit = True
        for server in self.servers:
            server.close()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
