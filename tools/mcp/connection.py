"""One open connection to a server: requests with limits, lists as they came, and what ended it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import Client, MCPError
from mcp_types.methods import parse_server_notification
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from tools.errors import SignInError, UnavailableError
from tools.mcp.config import ProtocolChoice
from tools.mcp.faults import FaultContext, fault_of
from tools.mcp.icons import icons_in
from tools.mcp.message_log import Channel
from tools.mcp.requests import ANY, Requests
from tools.mcp.running_calls import current_call
from tools.mcp.state import ProtocolEra, ServerCapabilities, ServerFault, ServerIdentity
from tools.mcp.transports import OpenTransport

if TYPE_CHECKING:
    from mcp_types import JSONRPCNotification

    from tools.context import LogLevel
    from tools.mcp.config import ServerConfig, Target
    from tools.mcp.direct_calls import DirectCalls
    from tools.mcp.elicitation import Questions
    from tools.mcp.message_log import MessageLog

CLOSING_S: Final = 10.0
"""Seconds after which closing a connection is given up."""

_LISTENING_AGAIN_S: Final = 5.0
_HEARD_S: Final = 2.0
"""How long a server is given to say that it tells of changes, in seconds."""
_LEVELS: Final[Mapping[str, LogLevel]] = {"debug": "debug", "info": "info", "notice": "info", "warning": "warning"}

OnNotified = Callable[[str, str], None]
"""Is told of a change: the notification's method, and the resource it is about, if any."""


class Connection(Requests):
    """Talk to one server from its start to its end; from one event loop.

    Args:
        target: What is started or reached.
        log: Where lines go.
        questions: Who answers what it asks.
        on_notified: Is told that a list or a resource changed.
    """

    def __init__(
        self,
        config: ServerConfig,
        target: Target,
        log: MessageLog,
        questions: Questions,
        on_notified: OnNotified,
    ) -> None:
        super().__init__(config, log, questions)
        self._on_notified = on_notified
        self._url = target.url
        self._wire = OpenTransport(target, self.traffic, self._on_told)
        self._client: Client | None = None
        self._stop = asyncio.Event()
        self._holding: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._began = perf_counter()
        self._failure: BaseException | None = None
        self._watched: set[str] = set()
        self._is_heard = asyncio.Event()

    async def open(self, *, era: ProtocolEra | None = None) -> None:
        """Connect.

        Args:
            era: What was spoken last time, which saves a question; None asks.

        Raises:
            ServerFaultError: It did not succeed.
        """
        self._began = perf_counter()
        ready = asyncio.get_running_loop().create_future()
        self._holding = asyncio.create_task(self._hold(self._mode(era), ready), name=f"server {self.config.name}")
        try:
            async with asyncio.timeout(self.config.timeout_s):
                await asyncio.shield(ready)
        except BaseException as error:
            ready.cancel()
            fault = await self._gave_up(error)
            if not isinstance(error, Exception):
                raise
            raise ServerFaultError(fault) from error
        if self._client is not None and self.era is ProtocolEra.NEWER:
            self._listening = asyncio.create_task(self._listen(), name=f"changes of {self.config.name}")

    async def _gave_up(self, error: BaseException) -> ServerFault:
        """Clean up after a start that did not succeed, and return why that was."""
        request, elapsed_s = self._under_way()
        await self.close()
        return self._fault(self._wire.error or error, request, elapsed_s)

    async def _hold(self, mode: str, ready: asyncio.Future[None]) -> None:
        """Keep the client open, in the one task that may close it."""
        try:
            async with self._new_client(mode) as client:
                if mode == LATEST_MODERN_VERSION:
                    # Without a question the SDK would take a server's abilities for none.
                    found = await client.session.send_discover(mode)
                    client.session.adopt(types.DiscoverResult.model_validate(found))
                self._client = client
                if not ready.done():
                    ready.set_result(None)
                await self._until_over()
        except BaseException as error:
            self._failure = error
            if not ready.done():
                ready.set_exception(error if isinstance(error, Exception) else ConnectionAbortedError())
            if not isinstance(error, Exception):
                raise
        finally:
            self._client = None
            self._wire.ended.set()

    async def _until_over(self) -> None:
        stopped = asyncio.ensure_future(self._stop.wait())
        ended = asyncio.ensure_future(self._wire.ended.wait())
        try:
            await asyncio.wait({stopped, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            ended.cancel()

    def _mode(self, era: ProtocolEra | None) -> str:
        pin = self.config.protocol
        if pin is ProtocolChoice.OLDER or (pin is ProtocolChoice.AUTO and era is ProtocolEra.OLDER):
            return "legacy"
        return LATEST_MODERN_VERSION if pin is ProtocolChoice.NEWER else "auto"

    def _new_client(self, mode: str) -> Client:
        answering = self.answering
        return Client(
            self._wire,
            mode=mode,
            client_info=types.Implementation(name="tool-console", version="1"),
            elicitation_callback=None if answering is None else answering.elicit,
            sampling_callback=None if answering is None else answering.sample,
            list_roots_callback=None if answering is None else answering.roots,
            logging_callback=self._on_log,
            log_level="info",
            message_handler=self._on_message,
        )

    async def lost(self) -> None:
        """Wait until the server ends the connection."""
        await self._wire.ended.wait()

    @property
    def fault(self) -> ServerFault:
        """Why it ended; after `close`."""
        return self._fault(self._wire.error or self._failure, "", perf_counter() - self._began)

    async def close(self) -> None:
        """End the connection, and the server if it is ours."""
        self._stop.set()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._holding is None:
            return
        if not self._holding.done() and self._client is None:
            # It never came up: there is nobody to say goodbye to.
            self._holding.cancel()
        _, late = await asyncio.wait({self._holding}, timeout=CLOSING_S)
        if late:
            self._holding.cancel()
            await asyncio.wait({self._holding}, timeout=CLOSING_S)

    @property
    def is_open(self) -> bool:
        return self._client is not None and not self._wire.ended.is_set()

    @property
    def url(self) -> str:
        """The address that is reached, with all that was filled in; empty for a process."""
        return self._url

    @property
    def pid(self) -> int | None:
        """The server's process; None when it has none."""
        return None if self._wire.process is None else self._wire.process.pid

    @property
    def latency_s(self) -> float | None:
        """How long the last answer took; None before the first."""
        return self.traffic.latency_s

    @property
    def protocol_version(self) -> str:
        return self.client.protocol_version

    @property
    def era(self) -> ProtocolEra:
        return ProtocolEra.NEWER if self.protocol_version in MODERN_PROTOCOL_VERSIONS else ProtocolEra.OLDER

    @property
    def identity(self) -> ServerIdentity:
        client = self.client
        server, instructions = client.server_info, client.instructions or ""
        if server is None:
            return ServerIdentity(instructions=instructions)
        named = [icon.model_dump(by_alias=True, exclude_none=True) for icon in server.icons or ()]
        return ServerIdentity(
            name=server.name,
            title=server.title or "",
            version=server.version,
            instructions=instructions,
            icons=icons_in(named),
        )

    @property
    def offers(self) -> ServerCapabilities:
        can = self.client.server_capabilities
        return ServerCapabilities(
            tools=can.tools is not None,
            resources=can.resources is not None,
            subscriptions=can.resources is not None and bool(can.resources.subscribe),
            prompts=can.prompts is not None,
            completions=can.completions is not None,
            logging=can.logging is not None,
        )

    async def ping(self) -> float:
        """Ask whether the server is there, and return how many seconds the answer took."""
        began = perf_counter()
        if self.era is ProtocolEra.OLDER:
            await self.request(types.PingRequest())
        else:
            await self._limited("server/discover", self.client.session.send_discover(self.protocol_version))
        return perf_counter() - began

    async def subscribe(self, uri: str) -> None:
        """Ask to be told when a resource changes."""
        if uri in self._watched:
            return
        if self.era is ProtocolEra.OLDER:
            await self.request(types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri)))
        self._watched.add(uri)
        await self._listen_again()

    async def unsubscribe(self, uri: str) -> None:
        """Ask not to be told any more."""
        if uri not in self._watched:
            return
        if self.era is ProtocolEra.OLDER:
            await self.request(types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=uri)))
        self._watched.discard(uri)
        await self._listen_again()

    @property
    def is_forgotten(self) -> bool:
        """Whether the server does not know the session any more."""
        return self._wire.is_forgotten

    def hang_up(self) -> None:
        self._wire.ended.set()

    async def lost_during(self, method: str, elapsed_s: float) -> UnavailableError:
        """Return what is told of a connection that ended under a request, once it is known why."""
        if self._holding is not None:
            await asyncio.wait({self._holding}, timeout=CLOSING_S)
        fault = self._fault(self._wire.error or self._failure, method, elapsed_s)
        return ServerFaultError(fault, self.config.name)

    def shut_out_of(self, method: str, elapsed_s: float) -> UnavailableError | None:
        """Return what is told when the server does not answer somebody it does not know; None when it is not that."""
        if not self._wire.is_shut_out:
            return None
        error = SignInError("The server does not let this program in")
        return ServerFaultError(self._fault(error, method, elapsed_s), self.config.name)

    @property
    def client(self) -> Client:
        """The client, while the connection is open."""
        if self._client is None:
            raise UnavailableError(f"{self.config.name} is not connected", remedy="Start it first.")
        return self._client

    @property
    def plain(self) -> DirectCalls | None:
        """What makes calls of tools past the session; None where only the session can."""
        calls = self._wire.calls
        return calls if calls is not None and calls.speaks(self.protocol_version) else None

    def _under_way(self) -> tuple[str, float]:
        """Return the request that waits longest, and for how long; nothing and the time since the start if none."""
        return next(iter(self.traffic.open_requests), ("", perf_counter() - self._began))

    def _fault(self, error: BaseException | None, request: str, elapsed_s: float) -> ServerFault:
        process = self._wire.process
        scene = FaultContext(
            name=self.config.name,
            request=request,
            elapsed_s=elapsed_s,
            stderr="" if process is None else self.log.scrubbed(process.last_words[-2000:]),
            exit_code=self._wire.own_exit,
            has_process=process is not None,
            status=self._wire.status,
            garbage=self.traffic.garbage,
            at=self.log.now(),
            url=self._url,
        )
        return fault_of(error, scene)

    async def _on_log(self, params: types.LoggingMessageNotificationParams) -> None:
        level = _LEVELS.get(params.level, "error")
        text = params.data if isinstance(params.data, str) else ANY.dump_json(params.data).decode()
        text = f"{params.logger}: {text}" if params.logger else text
        self.log.add(Channel.LOG, text, level=level)
        call = current_call.get()
        if call is None and len(self.running) == 1:
            call = next(iter(self.running))
        if call is None:
            return
        if call.context is not None:
            call.context.log(level, self.log.scrubbed(text))
        if call.client is not None:
            call.client.log(params.model_copy(update={"data": self.log.scrubbed_value(params.data)}))

    async def _on_told(self, told: JSONRPCNotification) -> None:
        """Take what a server says during a call past the session, as the session does."""
        try:
            message = parse_server_notification(told.method, self.protocol_version, told.params)
        except (KeyError, ValidationError):
            # It is no message of this revision; the log has it.
            return
        if isinstance(message, types.LoggingMessageNotification):
            await self._on_log(message.params)
        await self._on_message(message)

    async def _on_message(self, message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            self._on_notified(message.method, str(message.params.uri))
        elif isinstance(
            message,
            types.ToolListChangedNotification
            | types.ResourceListChangedNotification
            | types.PromptListChangedNotification,
        ):
            self._on_notified(message.method, "")
        elif isinstance(message, types.ElicitCompleteNotification) and self.answering is not None:
            self.answering.complete(message.params.elicitation_id)
        elif isinstance(message, Exception):
            self.log.note(f"{type(message).__name__}: {message}", "warning")

    async def _listen_again(self) -> None:
        if self._listening is None:
            return
        self._listening.cancel()
        self._is_heard.clear()
        self._listening = asyncio.create_task(self._listen(), name=f"changes of {self.config.name}")
        # A call that is made next may be what changes something, and would be there sooner.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_HEARD_S):
                await self._is_heard.wait()

    async def _listen(self) -> None:
        """Have a server of the newest era tell its changes; it does so only when it is asked to."""
        while self.is_open:
            with contextlib.suppress(MCPError, RuntimeError, TimeoutError, UnavailableError):
                async with self.client.listen(
                    tools_list_changed=True,
                    prompts_list_changed=True,
                    resources_list_changed=True,
                    resource_subscriptions=sorted(self._watched),
                ) as subscription:
                    self._is_heard.set()
                    async for _ in subscription:
                        # The client hears of each as of any notification.
                        continue
            await asyncio.sleep(_LISTENING_AGAIN_S)


class ServerFaultError(UnavailableError):
    """Report a server that did not come up, or went.

    Args:
        server: Which server, for the message; empty where that is said already.
    """

    def __init__(self, fault: ServerFault, server: str = "") -> None:
        super().__init__(f"{server}: {fault}" if server else str(fault), remedy=fault.remedy)
        self.fault = fault
