"""What can be asked of a server over an open connection, with limits, and with errors that a person can read."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

import mcp_types as types
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.shared.dispatcher import ProgressFnT
from mcp_types import HEADER_MISMATCH, URL_ELICITATION_REQUIRED
from pydantic import TypeAdapter, ValidationError

from tools.errors import ServerAnswerError, ServerRefusedError, UnavailableError
from tools.mcp.elicitation import DeclineAll, LeaveToClients
from tools.mcp.faults import refused, wrong_in
from tools.mcp.message_recorder import MessageRecorder
from tools.mcp.running_calls import RunningCall, calling_client, current_call
from tools.mcp.server_primitives import Completion
from tools.mcp.server_requests import ServerRequestHandler
from tools.mcp.stdio_framing import UNREADABLE

if TYPE_CHECKING:
    from tools.mcp.config import ServerConfig
    from tools.mcp.direct_calls import DirectCalls, OnProgress
    from tools.mcp.elicitation import Questions
    from tools.mcp.message_log import MessageLog

_T = TypeVar("_T")

MAX_PAGES: Final = 1_000
"""Pages after which a list is taken as it is: a server may go on for ever."""

MAX_ITEMS: Final = 20_000
"""Items after which a list is taken as it is."""

MAX_ROUNDS: Final = 10
"""How often a server may ask for more before it gives a result."""

ANY: Final[TypeAdapter[Any]] = TypeAdapter(Any)
"""Takes a result as the server wrote it; the SDK has looked at it before."""

_INPUT_REQUIRED: Final = TypeAdapter(types.InputRequiredResult)
_LISTS: Final = {
    "tools/list": ("tools", "list_tools"),
    "resources/list": ("resources", "list_resources"),
    "resources/templates/list": ("resourceTemplates", "list_resource_templates"),
    "prompts/list": ("prompts", "list_prompts"),
}


class Requests(ABC):
    """Ask a server; from one event loop.

    Args:
        log: Where lines go.
        questions: Who answers what it asks.

    Attributes:
        traffic: Takes note of each message.
        running: The calls of tools that run.
        answering: Answers what it asks; None where nobody does.
    """

    def __init__(self, config: ServerConfig, log: MessageLog, questions: Questions) -> None:
        self.config = config
        self.log = log
        self.traffic = MessageRecorder(log)
        self.running: set[RunningCall] = set()
        self._listing = asyncio.Lock()
        self.answering = (
            None
            if isinstance(questions, DeclineAll) and not isinstance(questions, LeaveToClients)
            else ServerRequestHandler(config.name, questions, self.running)
        )

    @property
    @abstractmethod
    def client(self) -> Client:
        """The client, while the connection is open.

        Raises:
            UnavailableError: It is not.
        """

    @property
    @abstractmethod
    def is_forgotten(self) -> bool:
        """Whether the server does not know the session any more."""

    @property
    @abstractmethod
    def plain(self) -> DirectCalls | None:
        """What makes calls of tools past the session; None where only the session can."""

    @abstractmethod
    def hang_up(self) -> None:
        """Take the connection as lost."""

    @abstractmethod
    async def lost_during(self, method: str, elapsed_s: float) -> UnavailableError:
        """Return what is told of a connection that ended under a request, once it is known why."""

    @abstractmethod
    def shut_out_of(self, method: str, elapsed_s: float) -> UnavailableError | None:
        """Return what is told when the server does not answer somebody it does not know; None when it is not that."""

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
            forget = self.traffic.keep(method, pages.append)
            try:
                await self._limited(method, self._turn_pages(method, pages, key))
            finally:
                forget()
        return [item for page in pages for item in page.get(key, ()) if isinstance(item, dict)]

    async def _turn_pages(self, method: str, pages: list[dict[str, Any]], key: str) -> None:
        client = self.client
        turn: Callable[..., Awaitable[Any]] = getattr(client, _LISTS[method][1])
        cursor: str | None = None
        seen: set[str] = set()
        while True:
            page = await turn(cursor=cursor, cache_mode="refresh")
            cursor = page.next_cursor
            if method == "tools/list":
                # The SDK leaves out tools that the protocol tells clients to leave out.
                names = {tool.name for tool in page.tools}
                pages[-1] = {key: [item for item in pages[-1].get(key, ()) if item.get("name") in names]}
            if cursor is None:
                return
            many = sum(len(found.get(key, ())) for found in pages)
            if cursor in seen or len(pages) >= MAX_PAGES or many >= MAX_ITEMS:
                self.log.note(f"{method} goes on and on: it was taken as it is after {len(pages)} pages", "warning")
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

        told = None if on_progress is None else _telling(on_progress)

        async def past_session() -> dict[str, Any] | None:
            client, plain = self.client, self.plain
            if plain is None:
                return None
            return await plain.result(client.session, client.protocol_version, name, arguments, told)

        async def answered() -> dict[str, Any]:
            try:
                return await self._driven(request, told, first=past_session)
            except MCPError as error:
                if error.code != HEADER_MISMATCH:
                    raise
                # What the headers are made of is known from the list, which changed. Source: MCP 2026-07-28.
                await self.listed("tools/list")
                return await self._driven(request, told)

        with self._running(call):
            try:
                return await self._described("tools/call", answered())
            except ServerRefusedError as error:
                if error.code == URL_ELICITATION_REQUIRED and isinstance(error.__cause__, MCPError):
                    await self._visit(error.__cause__)
                raise

    @contextmanager
    def _running(self, call: RunningCall) -> Iterator[None]:
        """Have what the server sends meanwhile belong to a call."""
        token = current_call.set(call)
        self.running.add(call)
        try:
            yield
        finally:
            call.over.set()
            self.running.discard(call)
            current_call.reset(token)

    def _for_client(self) -> AbstractContextManager[None]:
        """Have the client that something is read for be asked what the server asks meanwhile."""
        return nullcontext() if calling_client.get() is None else self._running(RunningCall(""))

    async def _visit(self, error: MCPError) -> None:
        """Ask a person to do what a call needs first; the call is theirs to repeat."""
        if self.answering is None or not isinstance(error.data, dict):
            return
        for item in error.data.get("elicitations", ()):
            if isinstance(item, dict) and isinstance(item.get("url"), str):
                about = item.get("elicitationId")
                await self.answering.visit(
                    str(item.get("message", "")), item["url"], about if isinstance(about, str) else None
                )

    async def read(self, uri: str) -> dict[str, Any]:
        """Return the contents of a resource, as the server wrote them."""

        def request(answers: Any, state: str | None) -> types.ReadResourceRequest:
            params = types.ReadResourceRequestParams(uri=uri, input_responses=answers, request_state=state)
            return types.ReadResourceRequest(params=params)

        with self._for_client():
            reading = self._driven(request, limit_s=self.config.timeout_s)
            return await self._limited("resources/read", reading, whole=False)

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        """Return what a prompt says, as the server wrote it."""

        def request(answers: Any, state: str | None) -> types.GetPromptRequest:
            params = types.GetPromptRequestParams(
                name=name, arguments=dict(arguments), input_responses=answers, request_state=state
            )
            return types.GetPromptRequest(params=params)

        with self._for_client():
            reading = self._driven(request, limit_s=self.config.timeout_s)
            return await self._limited("prompts/get", reading, whole=False)

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

    async def request(self, request: Any) -> dict[str, Any]:
        """Send a request, and return its result as the server wrote it.

        Raises:
            UnavailableError: The server did not answer in time, or is gone.
            ServerRefusedError: It answered with an error.
            ServerAnswerError: Its answer is not what the protocol asks for.
        """
        found: dict[str, Any] = await self._limited(request.method, self.client.session.send_request(request, ANY))
        return found

    async def _driven(
        self,
        make: Callable[[Any, str | None], Any],
        told: OnProgress | None = None,
        limit_s: float | None = None,
        first: Callable[[], Awaitable[dict[str, Any] | None]] | None = None,
    ) -> dict[str, Any]:
        """Send a request as often as it takes to answer what the server asks in between.

        The limit is that of each time, so that a person may take theirs to answer. The first time may go another way,
        which returns None when it cannot.

        Source: MCP 2026-07-28, results of type `input_required`.
        """
        session = self.client.session
        answers: dict[str, Any] = {}
        state: str | None = None
        for _ in range(MAX_ROUNDS + 1):
            found = None if first is None else await first()
            first = None
            if found is None:
                async with asyncio.timeout(limit_s):
                    found = await session.send_request(
                        make(answers or None, state), ANY, progress_callback=_as_session_tells(told)
                    )
            if found.get("resultType") != "input_required":
                return found
            asked = _INPUT_REQUIRED.validate_python(found, by_name=False)
            requests = asked.input_requests or {}
            state, answers = asked.request_state, {}
            if self.answering is not None:
                answers.update(await self.answering.passed_on(requests))
            for key, wanted in requests.items():
                if key in answers:
                    continue
                meta = wanted.params.meta if wanted.params else None
                context = ClientRequestContext(session=session, request_id=key, meta=meta)
                answer = await session.dispatch_input_request(context, wanted)
                if isinstance(answer, types.ErrorData):
                    raise MCPError.from_error_data(answer)
                answers[key] = answer
        raise ServerAnswerError(f"{self.config.name} asked {MAX_ROUNDS} times for more and gave no result")

    async def _limited(self, method: str, asking: Coroutine[Any, Any, _T], *, whole: bool = True) -> _T:
        """Let a request take as long as the entry says; where not the whole is limited, each part is by itself."""
        limit_s = self.config.timeout_s
        try:
            async with asyncio.timeout(limit_s if whole else None):
                return await self._described(method, asking)
        except TimeoutError as error:
            message = f"{self.config.name} did not answer {method} within {limit_s:g} s"
            raise UnavailableError(message, remedy="Raise its time limit, or restart it.") from error

    async def _described(self, method: str, asking: Coroutine[Any, Any, _T]) -> _T:
        """Turn what the SDK raises into what a person can read."""
        began = perf_counter()
        try:
            return await asking
        except MCPError as error:
            if self.is_forgotten:
                # As after a restart of the server: only a new connection helps.
                self.hang_up()
            elif error.code == UNREADABLE:
                raise ServerAnswerError(f"{self.config.name}: {method}: {error.message}") from error
            elif error.code != types.CONNECTION_CLOSED:
                shut_out = self.shut_out_of(method, perf_counter() - began)
                raise shut_out or refused(method, self.config.name, error) from error
            raise await self.lost_during(method, perf_counter() - began) from error
        except ValidationError as error:
            said = wrong_in(error)
            message = f"{self.config.name} answered {method} with what the protocol does not allow: {said}"
            raise ServerAnswerError(message) from error
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise
            raise await self.lost_during(method, perf_counter() - began) from error


def _telling(on_progress: OnProgress) -> OnProgress:
    """Return what is told of progress; what goes backwards is dropped."""
    furthest = float("-inf")

    def told(progress: float, total: float | None, message: str) -> None:
        nonlocal furthest
        if progress > furthest:
            furthest = progress
            on_progress(progress, total, message)

    return told


def _as_session_tells(told: OnProgress | None) -> ProgressFnT | None:
    if told is None:
        return None

    async def session_told(progress: float, total: float | None, message: str | None) -> None:
        told(progress, total, message or "")

    return session_told
