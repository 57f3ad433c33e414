"""The address at which agents reach their server: streamable HTTP on this computer, both eras of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import Route

from tools.errors import GatewayError
from tools.file_lock import claim
from tools.gateway.agent_calls import GONE, AgentCalls
from tools.gateway.agent_server import AgentServer, AgentUse
from tools.gateway.agents import Paused
from tools.gateway.announcements import MOST_SESSIONS
from tools.gateway.defaults import CALLS_A_MINUTE, HOLD_S, HOST, LARGEST_RESULT_BYTES, PATH, PORT, address_of
from tools.gateway.held_calls import HeldCalls
from tools.gateway.hold_times import HoldTimes
from tools.gateway.timed_http import TimedHttpProtocol

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tools.execution import Executor
    from tools.gateway.agents import Agent, Agents
    from tools.gateway.profiles import AgentProfile
    from tools.gateway.served_prompts import RenderPrompt

LOCK_FILE: Final = "gateway.lock"
"""What the one program holds that serves agents, in the data folder."""

_LARGEST_REQUEST: Final = 4 * 1024 * 1024
MOST_CONNECTIONS: Final = 256
_GRACE_S: Final = 2
_LOOK_EVERY_S: Final = 0.25
_PRIVATE: Final = 0o600


class GatewayEndpoint:
    """Serve agents on this computer; from the executor's loop.

    Nothing but the loopback address is ever listened on. A request needs the token of an agent; its `Host` and, from
    a browser, its `Origin` must be this computer's own, so that no web page reaches the tools by a name of its own.

    Args:
        executor: Runs the calls.
        agents: Who may call.
        data: The data folder, which holds the lock.
        render_prompt: Returns what a prompt says, `Workbench.render_prompt`.
        port: Where to listen; 0 takes any free port.
        hold_s: How long a request is held while a person is asked.
        calls_a_minute: How many calls an agent may make in a minute.
        largest_result_bytes: The size of the largest result that is handed on.
        keeps_history: Whether a person finds whole results in the history.
        version: The version of this program.
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
        version: str = "",
    ) -> None:
        self._executor = executor
        self._agents = agents
        self._data = data
        self._render_prompt = render_prompt
        self._port = port
        self._hold_s = hold_s
        self._calls_a_minute = calls_a_minute
        self._largest_result_bytes = largest_result_bytes
        self._keeps_history = keeps_history
        self._version = version
        self._closing = contextlib.AsyncExitStack()
        self._address = ""
        self._held: HeldCalls | None = None
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

    @property
    def running(self) -> int:
        """How many calls of agents run."""
        return 0 if self._held is None else self._held.running

    def stop_running(self) -> None:
        """Stop the calls of agents that run."""
        if self._held is not None:
            self._held.stop_running()

    def _look_for_pause(self) -> Paused | None:
        try:
            return self._agents.paused
        except GatewayError:
            # Nobody is let in either until the file is mended, and nothing starts that a person may have paused.
            return Paused(since=datetime.now(UTC))

    async def start(self) -> None:
        """Listen.

        Raises:
            GatewayError: Another program serves agents, or has the port.
        """
        async with contextlib.AsyncExitStack() as opened:
            opened.callback(os.close, self._claimed())
            listening = opened.enter_context(self._listening())
            held = HeldCalls(self._executor, paused=self._look_for_pause)
            hold_times = HoldTimes(self._agents, self._hold_s)
            agent_server = AgentServer(
                self._executor.registry,
                _agent_of,
                AgentCalls(
                    held,
                    hold_times,
                    calls_a_minute=self._calls_a_minute,
                    largest_result_bytes=self._largest_result_bytes,
                    keeps_history=self._keeps_history,
                ),
                render_prompt=self._render_prompt,
                version=self._version,
            )
            server = _QuietServer(
                uvicorn.Config(
                    self._app(agent_server),
                    http=TimedHttpProtocol,
                    log_config=None,
                    access_log=False,
                    limit_concurrency=MOST_CONNECTIONS,
                    timeout_graceful_shutdown=_GRACE_S,
                    ws="none",
                )
            )
            serving = asyncio.create_task(server.serve(sockets=[listening]), name="gateway")
            telling = asyncio.create_task(_tell_of_profiles(self._agents, agent_server), name="profiles of agents")
            # At the end nobody new is let in, then all who wait get an answer, then the connections are closed.
            opened.push_async_callback(hold_times.aclose)
            opened.push_async_callback(asyncio.wait, {serving})
            opened.push_async_callback(held.aclose)
            opened.push_async_callback(agent_server.aclose)
            opened.push_async_callback(asyncio.wait, {telling})
            opened.callback(telling.cancel)
            opened.callback(setattr, server, "should_exit", True)
            self._held, self._agent_server = held, agent_server
            self._address = address_of(listening.getsockname()[1])
            self._closing = opened.pop_all()

    async def aclose(self) -> None:
        """Listen no longer, and give up what agents wait for."""
        self._address, self._held, self._agent_server = "", None, None
        await self._closing.aclose()

    def _claimed(self) -> int:
        self._data.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._data / LOCK_FILE, os.O_RDWR | os.O_CREAT, _PRIVATE)
        if not claim(lock):
            os.close(lock)
            raise GatewayError("another program serves agents already; end it, or go on there")
        return lock

    def _listening(self) -> socket.socket:
        # asyncio sends small answers at once only on sockets that say that they are TCP; else each takes 40 ms more.
        listening = socket.socket(proto=socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((HOST, self._port))
            listening.listen()
        except OSError as error:
            listening.close()
            raise GatewayError(f"port {self._port} cannot be listened on ({error.strerror}); choose another") from error
        return listening

    def _app(self, agent_server: AgentServer) -> Starlette:
        own = [f"{host}:*" for host in (HOST, "localhost")]
        # The SDK makes the session manager with the application, of which nothing else is of use here.
        agent_server.server.streamable_http_app(
            transport_security=TransportSecuritySettings(
                allowed_hosts=own, allowed_origins=[f"http://{host}" for host in own]
            ),
            max_request_body_size=_LARGEST_REQUEST,
            max_sessions=MOST_SESSIONS,
        )
        manager = agent_server.server.session_manager
        inside = RequireAuthMiddleware(StreamableHTTPASGIApp(manager), required_scopes=[])
        backend = BearerAuthBackend(_Verifier(self._agents))
        return Starlette(
            routes=[Route(PATH, endpoint=inside)],
            middleware=[Middleware(_Leaving), Middleware(AuthenticationMiddleware, backend=backend)],
            lifespan=lambda _: manager.run(),
        )


async def _tell_of_profiles(agents: Agents, agent_server: AgentServer) -> None:
    """Have agents told when a person, or another program, lets them see something else."""
    known: dict[str, AgentProfile] | None = None
    while True:
        # While the file cannot be read, nobody is let in.
        with contextlib.suppress(GatewayError):
            profiles = {agent.name: agent.profile for agent in agents.all()}
            if known is not None and profiles != known:
                agent_server.tell_of_profiles()
            known = profiles
        await asyncio.sleep(_LOOK_EVERY_S)


class _Leaving:
    """Tells a request when its client is gone; in the older era, the SDK lets it go on then."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = scope[GONE] = asyncio.get_running_loop().create_future()
        try:
            await self._app(scope, receive, send)
        finally:
            gone.set_result(None)


class _Verifier:
    """Finds the agent that a token belongs to."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents

    async def verify_token(self, token: str) -> AccessToken | None:
        agent = self._agents.with_token(token)
        if agent is None:
            return None
        return _AgentToken(token="", client_id=agent.name, scopes=[], agent=agent)


class _AgentToken(AccessToken):
    """What the SDK is told of an agent; the token itself goes no further."""

    agent: Any


def _agent_of(context: ServerRequestContext[Any, Any]) -> Agent:
    user = context.request.user if context.request is not None else None
    if not isinstance(user, AuthenticatedUser) or not isinstance(user.access_token, _AgentToken):
        raise GatewayError("expected a request of an agent, got one of nobody")
    agent: Agent = user.access_token.agent
    return agent


class _QuietServer(uvicorn.Server):
    """A server that leaves the signals of the program to the program."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
