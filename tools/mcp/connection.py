"""One open connection to a server: requests with limits, lists as they came, and what ended it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.shared.dispatcher import ProgressFnT
from mcp_types import HEADER_MISMATCH, URL_ELICITATION_REQUIRED
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

from tools.errors import ServerAnswerError, ServerRefusedError, UnavailableError
from tools.mcp.answering import Answering
from tools.mcp.asking import Nobody
from tools.mcp.config import EraPin
from tools.mcp.faults import Scene, fault_of, refused, wrong_in
from tools.mcp.offered import Completion
from tools.mcp.running import RunningCall, current_call
from tools.mcp.state import Era, Fault, Offers, ServerIdentity
from tools.mcp.traffic import Traffic
from tools.mcp.transports import Wire
from tools.mcp.wire_log import Channel

if TYPE_CHECKING:
    from tools.context import LogLevel
    from tools.mcp.asking import Questions
    from tools.mcp.config import ServerConfig
    from tools.mcp.target import Target
    from tools.mcp.wire_log import WireLog

MAX_PAGES: Final = 1_000
"""Pages after which a list is taken as it is: a server may go on for ever."""

MAX_ITEMS: Final = 20_000
"""Items after which a list is taken as it is."""

MAX_ROUNDS: Final = 10
"""How often a server may ask for more before it gives a result."""

CLOSING_S: Final = 10.0
"""Seconds after which closing a connection is given up."""

_LISTENING_AGAIN_S: Final = 5.0
_ANY: Final[TypeAdapter[Any]] = TypeAdapter(Any)
_INPUT_REQUIRED: Final = TypeAdapter(types.InputRequiredResult)
_LEVELS: Final[Mapping[str, LogLevel]] = {"debug": "debug", "info": "info", "notice": "info", "warning": "warning"}

OnProgress = Callable[[float, float | None, str], None]
"""Is told how far a call is: done, in all or None, and words."""

OnNotified = Callable[[str, str], None]
"""Is told of a change: the notification's method, and the resource it is about, if any."""


class Connection:
    """Talk to one server from its start to its end; from one event loop.

    Args:
        config: Its entry.
        target: What is started or reached.
        log: Where lines go.
        questions: Who answers what it asks.
        on_notified: Is told that a list or a resource changed.

    Attributes:
        running: The calls of tools that run.
    """

    def __init__(
        self,
        config: ServerConfig,
        target: Target,
        log: WireLog,
        questions: Questions,
        on_notified: OnNotified,
    ) -> None:
        self.running: set[RunningCall] = set()
        self._config = config
        self._log = log
        self._on_notified = on_notified
        self._traffic = Traffic(log)
        self._wire = Wire(target, self._traffic)
        self._answering = Answering(config.name, questions, self.running)
        self._answers = not isinstance(questions, Nobody)
        self._client: Client | None = None
        self._stop = asyncio.Event()
        self._holding: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._listing = asyncio.Lock()
        self._began = perf_counter()
        self._failure: BaseException | None = None
        self._watched: set[str] = set()

    async def open(self, *, era: Era | None = None) -> None:
        """Connect.

        Args:
            era: What was spoken last time, which saves a question; None asks.

        Raises:
            ServerFaultError: It did not succeed.
        """
        self._began = perf_counter()
        ready = asyncio.get_running_loop().create_future()
        self._holding = asyncio.create_task(self._hold(self._mode(era), ready), name=f"server {self._config.name}")
        try:
            async with asyncio.timeout(self._config.timeout_s):
                await asyncio.shield(ready)
        except BaseException as error:
            ready.cancel()
            fault = await self._gave_up(error)
            if not isinstance(error, Exception):
                raise
            raise ServerFaultError(fault) from error
        if self._client is not None and self.era is Era.MODERN:
            self._listening = asyncio.create_task(self._listen(), name=f"changes of {self._config.name}")

    async def _gave_up(self, error: BaseException) -> Fault:
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

    def _mode(self, era: Era | None) -> str:
        pin = self._config.era
        if pin is EraPin.LEGACY or (pin is EraPin.AUTO and era is Era.LEGACY):
            return "legacy"
        return LATEST_MODERN_VERSION if pin is EraPin.MODERN else "auto"

    def _new_client(self, mode: str) -> Client:
        answering = self._answering if self._answers else None
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
    def fault(self) -> Fault:
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
        """Whether requests can be sent."""
        return self._client is not None and not self._wire.ended.is_set()

    @property
    def pid(self) -> int | None:
        """The server's process; None when it has none."""
        return None if self._wire.process is None else self._wire.process.pid

    @property
    def latency_s(self) -> float | None:
        """How long the last answer took; None before the first."""
        return self._traffic.latency_s

    @property
    def protocol_version(self) -> str:
        """The agreed version."""
        return self._live().protocol_version

    @property
    def era(self) -> Era:
        """Which generation of the protocol is spoken."""
        return Era.MODERN if self.protocol_version in MODERN_PROTOCOL_VERSIONS else Era.LEGACY

    @property
    def identity(self) -> ServerIdentity:
        """Who the server says it is."""
        client = self._live()
        server, instructions = client.server_info, client.instructions or ""
        if server is None:
            return ServerIdentity(instructions=instructions)
        title = server.title or ""
        return ServerIdentity(name=server.name, title=title, version=server.version, instructions=instructions)

    @property
    def offers(self) -> Offers:
        """What the server can do."""
        can = self._live().server_capabilities
        return Offers(
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
        if self.era is Era.LEGACY:
            await self.request(types.PingRequest())
        else:
            async with self._limited("server/discover"):
                await self._live().session.send_discover(self.protocol_version)
        return perf_counter() - began

    async def listed(self, method: str) -> list[dict[str, Any]]:
        """Return all pages of a list, each item as the server wrote it.

        Args:
            method: `tools/list`, `resources/list`, `resources/templates/list` or `prompts/list`.

        Raises:
            UnavailableError: The server did not answer, or is gone.
            ServerRefusedError: It answered with an error.
            ServerAnswerError: Its answer is not what the protocol asks for.
        """
        key, _ = _LISTS[method]
        pages: list[dict[str, Any]] = []
        async with self._listing:
            forget = self._traffic.keep(method, pages.append)
            try:
                async with self._limited(method):
                    await self._turn_pages(method, pages, key)
            finally:
                forget()
        return [item for page in pages for item in page.get(key, ()) if isinstance(item, dict)]

    async def _turn_pages(self, method: str, pages: list[dict[str, Any]], key: str) -> None:
        client = self._live()
        turn: Callable[..., Awaitable[Any]] = getattr(client, _LISTS[method][1])
        cursor: str | None = None
        seen: set[str] = set()
        while True:
            page = await turn(cursor=cursor, cache_mode="refresh")
            cursor = page.next_cursor
            if cursor is None:
                return
            many = sum(len(found.get(key, ())) for found in pages)
            if cursor in seen or len(pages) >= MAX_PAGES or many >= MAX_ITEMS:
                self._log.note(f"{method} goes on and on: it was taken as it is after {len(pages)} pages", "warning")
                return
            seen.add(cursor)

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], call: RunningCall, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Call a tool, and return its result as the server wrote it.

        Cancelling the wait cancels the call on the wire. There is no time limit: whoever calls has one.

        Raises:
            UnavailableError: The server is gone, or went.
            ServerRefusedError: It answered with a protocol error.
            ServerAnswerError: Its answer is not what the protocol asks for.
        """

        def request(answers: Any, state: str | None) -> types.CallToolRequest:
            return types.CallToolRequest(
                params=types.CallToolRequestParams(
                    name=name, arguments=dict(arguments), input_responses=answers, request_state=state
                )
            )

        token = current_call.set(call)
        self.running.add(call)
        try:
            async with self._described("tools/call"):
                try:
                    return await self._driven(request, on_progress)
                except MCPError as error:
                    if error.code != HEADER_MISMATCH:
                        raise
                    # What the headers are made of is known from the list, which changed. Source: MCP 2026-07-28.
                    await self.listed("tools/list")
                    return await self._driven(request, on_progress)
        except ServerRefusedError as error:
            if error.code == URL_ELICITATION_REQUIRED and isinstance(error.__cause__, MCPError):
                await self._visit(error.__cause__)
            raise
        finally:
            self.running.discard(call)
            current_call.reset(token)

    async def _visit(self, error: MCPError) -> None:
        """Ask a person to do what a call needs first; the call is theirs to repeat."""
        if not self._answers or not isinstance(error.data, dict):
            return
        for item in error.data.get("elicitations", ()):
            if isinstance(item, dict) and isinstance(item.get("url"), str):
                await self._answering.visit(str(item.get("message", "")), item["url"])

    async def read(self, uri: str) -> list[dict[str, Any]]:
        """Return the contents of a resource, as the server wrote them."""

        def request(answers: Any, state: str | None) -> types.ReadResourceRequest:
            params = types.ReadResourceRequestParams(uri=uri, input_responses=answers, request_state=state)
            return types.ReadResourceRequest(params=params)

        async with self._limited("resources/read"):
            found = await self._driven(request, None)
        return [item for item in found.get("contents", ()) if isinstance(item, dict)]

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        """Return what a prompt says, as the server wrote it."""

        def request(answers: Any, state: str | None) -> types.GetPromptRequest:
            params = types.GetPromptRequestParams(
                name=name, arguments=dict(arguments), input_responses=answers, request_state=state
            )
            return types.GetPromptRequest(params=params)

        async with self._limited("prompts/get"):
            return await self._driven(request, None)

    async def complete(
        self, prompt: str, uri_template: str, argument: str, value: str, others: Mapping[str, str]
    ) -> Completion:
        """Return what a half-written argument of a prompt, or else of a template, may become."""
        about: types.PromptReference | types.ResourceTemplateReference
        if prompt:
            about = types.PromptReference(type="ref/prompt", name=prompt)
        else:
            about = types.ResourceTemplateReference(type="ref/resource", uri=uri_template)
        asked = types.CompleteRequestParams(
            ref=about,
            argument=types.CompletionArgument(name=argument, value=value),
            context=types.CompletionContext(arguments=dict(others)) if others else None,
        )
        found = types.CompleteResult.model_validate(await self.request(types.CompleteRequest(params=asked)))
        completion = found.completion
        return Completion(tuple(completion.values), completion.total, bool(completion.has_more))

    async def subscribe(self, uri: str) -> None:
        """Ask to be told when a resource changes."""
        if uri in self._watched:
            return
        if self.era is Era.LEGACY:
            await self.request(types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri)))
        self._watched.add(uri)
        self._listen_again()

    async def unsubscribe(self, uri: str) -> None:
        """Ask not to be told any more."""
        if uri not in self._watched:
            return
        if self.era is Era.LEGACY:
            await self.request(types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=uri)))
        self._watched.discard(uri)
        self._listen_again()

    async def request(self, request: Any) -> dict[str, Any]:
        """Send a request, and return its result as the server wrote it.

        Raises:
            UnavailableError: The server did not answer in time, or is gone.
            ServerRefusedError: It answered with an error.
            ServerAnswerError: Its answer is not what the protocol asks for.
        """
        async with self._limited(request.method):
            found: dict[str, Any] = await self._live().session.send_request(request, _ANY)
        return found

    async def _driven(self, make: Callable[[Any, str | None], Any], on_progress: OnProgress | None) -> dict[str, Any]:
        """Send a request as often as it takes to answer what the server asks in between.

        Source: MCP 2026-07-28, results of type `input_required`.
        """
        session = self._live().session
        told = None if on_progress is None else _telling(on_progress)
        found: dict[str, Any] = await session.send_request(make(None, None), _ANY, progress_callback=told)
        for _ in range(MAX_ROUNDS):
            if found.get("resultType") != "input_required":
                return found
            asked = _INPUT_REQUIRED.validate_python(found, by_name=False)
            answers: dict[str, Any] = {}
            for key, wanted in (asked.input_requests or {}).items():
                meta = wanted.params.meta if wanted.params else None
                context = ClientRequestContext(session=session, request_id=key, meta=meta)
                answer = await session.dispatch_input_request(context, wanted)
                if isinstance(answer, types.ErrorData):
                    raise MCPError.from_error_data(answer)
                answers[key] = answer
            again = make(answers or None, asked.request_state)
            found = await session.send_request(again, _ANY, progress_callback=told)
        raise ServerAnswerError(f"{self._config.name} asked {MAX_ROUNDS} times for more and gave no result")

    @asynccontextmanager
    async def _limited(self, method: str) -> AsyncIterator[None]:
        """Let a request take as long as the entry says."""
        limit_s = self._config.timeout_s
        try:
            async with asyncio.timeout(limit_s), self._described(method):
                yield
        except TimeoutError as error:
            message = f"{self._config.name} did not answer {method} within {limit_s:g} s"
            raise UnavailableError(message, remedy="Raise its time limit, or restart it.") from error

    @asynccontextmanager
    async def _described(self, method: str) -> AsyncIterator[None]:
        """Turn what the SDK raises into what a person can read."""
        began = perf_counter()
        try:
            yield
        except MCPError as error:
            if error.code != types.CONNECTION_CLOSED:
                raise refused(method, self._config.name, error) from error
            raise await self._lost(method, perf_counter() - began) from error
        except ValidationError as error:
            said = wrong_in(error)
            message = f"{self._config.name} answered {method} with what the protocol does not allow: {said}"
            raise ServerAnswerError(message) from error
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise
            raise await self._lost(method, perf_counter() - began) from error

    async def _lost(self, method: str, elapsed_s: float) -> UnavailableError:
        """Return what is told of a connection that ended under a request, once it is known why."""
        if self._holding is not None:
            await asyncio.wait({self._holding}, timeout=CLOSING_S)
        fault = self._fault(self._wire.error or self._failure, method, elapsed_s)
        return UnavailableError(f"{self._config.name}: {fault}", remedy=fault.remedy)

    def _live(self) -> Client:
        if self._client is None:
            raise UnavailableError(f"{self._config.name} is not connected", remedy="Start it first.")
        return self._client

    def _under_way(self) -> tuple[str, float]:
        """Return the request that waits longest, and for how long; nothing and the time since the start if none."""
        return next(iter(self._traffic.open_requests), ("", perf_counter() - self._began))

    def _fault(self, error: BaseException | None, request: str, elapsed_s: float) -> Fault:
        process = self._wire.process
        scene = Scene(
            name=self._config.name,
            request=request,
            elapsed_s=elapsed_s,
            stderr="" if process is None else self._log.scrubbed(process.last_words[-2000:]),
            exit_code=self._wire.own_exit,
            has_process=process is not None,
            status=self._wire.status,
            garbage=self._traffic.garbage,
            at=self._log.now(),
        )
        return fault_of(error, scene)

    async def _on_log(self, params: types.LoggingMessageNotificationParams) -> None:
        level = _LEVELS.get(params.level, "error")
        text = params.data if isinstance(params.data, str) else _ANY.dump_json(params.data).decode()
        text = f"{params.logger}: {text}" if params.logger else text
        self._log.add(Channel.LOG, text, level=level)
        call = current_call.get()
        if call is None and len(self.running) == 1:
            call = next(iter(self.running))
        if call is not None and call.context is not None:
            call.context.log(level, self._log.scrubbed(text))

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
        elif isinstance(message, Exception):
            self._log.note(f"{type(message).__name__}: {message}", "warning")

    def _listen_again(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            self._listening = asyncio.create_task(self._listen(), name=f"changes of {self._config.name}")

    async def _listen(self) -> None:
        """Have a server of the newest era tell its changes; it does so only when it is asked to."""
        while self.is_open:
            with contextlib.suppress(MCPError, RuntimeError, TimeoutError, UnavailableError):
                async with self._live().listen(
                    tools_list_changed=True,
                    prompts_list_changed=True,
                    resources_list_changed=True,
                    resource_subscriptions=sorted(self._watched),
                ) as subscription:
                    async for _ in subscription:
                        # The client hears of each as of any notification.
                        continue
            await asyncio.sleep(_LISTENING_AGAIN_S)


_LISTS: Final = {
    "tools/list": ("tools", "list_tools"),
    "resources/list": ("resources", "list_resources"),
    "resources/templates/list": ("resourceTemplates", "list_resource_templates"),
    "prompts/list": ("prompts", "list_prompts"),
}


class ServerFaultError(UnavailableError):
    """Report a server that did not come up.

    Args:
        fault: What happened.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault), remedy=fault.remedy)
        self.fault = fault


def _telling(on_progress: OnProgress) -> ProgressFnT:
    """Return what the SDK tells of progress; what goes backwards is dropped."""
    furthest = float("-inf")

    async def told(progress: float, total: float | None, message: str | None) -> None:
        nonlocal furthest
        if progress > furthest:
            furthest = progress
            on_progress(progress, total, message or "")

    return told
