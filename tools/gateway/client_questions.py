"""What servers ask while they work for an agent, passed on to the agent's client, in the way of its era.

Clients of the older era are asked over the stream of their request. Those of the newer one get the questions as the
answer to it, and come back with their own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import mcp_types as types
from mcp.server.connection import allowed_log_levels
from mcp.shared.message import ServerMessageMetadata

from tools.gateway.verbatim_results import is_older

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_T = TypeVar("_T")

_LEVELS: Final[tuple[str, ...]] = get_args(types.LoggingLevel)
_MOST_LOGGED: Final = 1_000

COMPLETED_IN: Final = "2025-11-25"
"""The one revision in which clients are told that what they were sent to an address for is done."""

AskElsewhere = Callable[[Mapping[str, types.InputRequest]], Awaitable[Mapping[str, types.InputResponse]]]
"""Asks the client through another program."""


@dataclass(eq=False)
class ClientRequest:
    """A request of an agent's client that is there, and through which the client is reached.

    Attributes:
        given: What it answers to questions that were asked before.
        log_level: The least that it wants to be told of what is logged.
    """

    context: ServerRequestContext[Any, Any]
    given: Mapping[str, types.InputResponse] = field(default_factory=dict)
    log_level: types.LoggingLevel = "info"

    def can_answer(self, request: types.InputRequest) -> bool:
        can = self.context.session.client_capabilities
        if can is None:
            return False
        match request:
            case types.ElicitRequest(params=types.ElicitRequestURLParams()):
                return can.elicitation is not None and can.elicitation.url is not None
            case types.ElicitRequest():
                # One that names no way has that of forms.
                return can.elicitation is not None and (can.elicitation.url is None or can.elicitation.form is not None)
            case types.CreateMessageRequest(params=params):
                wants_tools = params.tools is not None or params.tool_choice is not None
                return can.sampling is not None and not (wants_tools and can.sampling.tools is None)
            case _:
                return can.roots is not None

    async def send(self, request: types.InputRequest) -> types.InputResponse:
        """Ask the client over the stream of its request.

        Raises:
            MCPError: It refuses to answer.
        """
        session = self.context.session
        along = ServerMessageMetadata(related_request_id=self.context.request_id)
        if isinstance(request, types.ElicitRequest):
            return await session.send_request(request, types.ElicitResult, metadata=along)
        if isinstance(request, types.ListRootsRequest):
            return await session.send_request(request, types.ListRootsResult, metadata=along)
        return await session.send_request(request, types.CreateMessageResultWithTools, metadata=along)

    async def log(self, message: types.LoggingMessageNotificationParams) -> None:
        """Send what is logged, if the client wants it."""
        if message.level in self._wanted:
            await self.context.session.send_notification(
                types.LoggingMessageNotification(params=message), self.context.request_id
            )

    @property
    def _wanted(self) -> frozenset[str]:
        if is_older(self.context):
            return frozenset(_LEVELS[_LEVELS.index(self.log_level) :])
        return frozenset(allowed_log_levels(self.context.protocol_version, self.context.meta))


class _LogRelay:
    """Send what is logged over one request, in its order; most calls log nothing, and cost no task."""

    def __init__(self, request: ClientRequest) -> None:
        self._request = request
        self._waiting: deque[types.LoggingMessageNotificationParams] = deque()
        self._sending: asyncio.Task[None] | None = None

    def add(self, message: types.LoggingMessageNotificationParams) -> None:
        """Send a message, unless too many wait already."""
        if len(self._waiting) >= _MOST_LOGGED:
            return
        self._waiting.append(message)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send(), name="what is logged, for an agent")

    async def _send(self) -> None:
        while self._waiting:
            await self._request.log(self._waiting.popleft())

    async def sent(self) -> None:
        """Wait until all is sent, or cannot be."""
        if self._sending is not None:
            await asyncio.wait({self._sending})

    async def aclose(self) -> None:
        """Send nothing more."""
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)


class ClientQuestions:
    """Be the client of an agent towards servers, whichever of its requests is there; on one event loop.

    Args:
        patience_s: How long a client of the newer era may take to come back, in seconds.

    Attributes:
        requests: What a client of the newer era is to come back with answers to, by key.
        handed_out: Done while there is some of it.
        is_there: Is set while a request of the client is there.
    """

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._present: dict[ClientRequest, _LogRelay] = {}
        self._given: dict[str, types.InputResponse] = {}
        self._waiting: dict[str, asyncio.Future[types.InputResponse]] = {}
        self._leaving: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._elsewhere: AskElsewhere | None = None
        self._visiting: dict[str, ClientRequest] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._moving: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_there = asyncio.Event()
        self.requests: dict[str, types.InputRequest] = {}
        self.handed_out: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def is_asked(self) -> bool:
        """Whether a client of the newer era is to come back with answers."""
        return bool(self.requests)

    async def attended(self, request: ClientRequest, waiting: Coroutine[Any, Any, _T]) -> _T:
        """Reach the client through a request of it while that waits, and take the answers that it brings.

        Args:
            waiting: What the request waits for.
        """
        for key, answer in request.given.items():
            awaited = self._waiting.pop(key, None)
            self.requests.pop(key, None)
            if awaited is None:
                self._given[key] = answer
            elif not awaited.done():
                awaited.set_result(answer)
        self._note_answered()
        logged = self._present[request] = _LogRelay(request)
        self.is_there.set()
        try:
            found = await waiting
            # What was logged comes before the result.
            await logged.sent()
            return found
        finally:
            del self._present[request]
            if not self._present:
                self.is_there.clear()
            leaving, self._leaving = self._leaving, asyncio.get_running_loop().create_future()
            leaving.set_result(None)
            await logged.aclose()

    def _note_answered(self) -> None:
        if not self.requests and self.handed_out.done():
            self.handed_out = asyncio.get_running_loop().create_future()

    async def ask(self, requests: Mapping[str, types.InputRequest]) -> Mapping[str, types.InputResponse]:
        """Return the answers to those requests that the client can answer; none when it is gone.

        Raises:
            MCPError: It refuses to answer.
        """
        answers = await self._asked_here(requests)
        if self._elsewhere is None:
            return answers
        return {**answers, **await self._elsewhere({key: requests[key] for key in requests if key not in answers})}

    def move(self, elsewhere: AskElsewhere) -> None:
        """Have the client asked where it is from now on, what is asked here right now included."""
        self._elsewhere = elsewhere
        if not self._moving.done():
            self._moving.set_result(None)

    async def _asked_here(self, requests: Mapping[str, types.InputRequest]) -> dict[str, types.InputResponse]:
        answers = {key: self._given.pop(key) for key in requests if key in self._given}
        while self._present and self._elsewhere is None:
            client = next(reversed(self._present))
            asked = {key: one for key, one in requests.items() if key not in answers and client.can_answer(one)}
            if not asked:
                break
            if not is_older(client.context):
                return {**answers, **await self._come_back(asked)}
            for key, one in asked.items():
                answer = await self._sent(client, one)
                if answer is None:
                    break
                answers[key] = answer
        return answers

    async def _sent(self, client: ClientRequest, request: types.InputRequest) -> types.InputResponse | None:
        """Return what a client of the older era answers; None when the request is gone that it was asked through."""
        if isinstance(request.params, types.ElicitRequestURLParams) and request.params.elicitation_id is not None:
            self._visiting[request.params.elicitation_id] = client
        sending = asyncio.create_task(client.send(request), name="question for an agent")
        try:
            while client in self._present and self._elsewhere is None:
                ends: set[asyncio.Future[Any]] = {sending, self._leaving, self._moving}
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    return sending.result()
            return None
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _come_back(self, requests: Mapping[str, types.InputRequest]) -> dict[str, types.InputResponse]:
        """Return what a client of the newer era comes back with; less when it does not do so in time."""
        loop = asyncio.get_running_loop()
        waiting = {key: loop.create_future() for key in requests}
        self._waiting.update(waiting)
        self.requests.update(requests)
        if not self.handed_out.done():
            self.handed_out.set_result(None)
        answered = asyncio.ensure_future(asyncio.wait(waiting.values()))
        ends: set[asyncio.Future[Any]] = {answered, self._moving}
        try:
            await asyncio.wait(ends, timeout=self._patience_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            answered.cancel()
            for key in requests:
                self.requests.pop(key, None)
                self._waiting.pop(key, None)
            self._note_answered()
        return {key: answer.result() for key, answer in waiting.items() if answer.done()}

    def complete(self, elicitation_id: str) -> None:
        """Tell the client that something is done which it was asked to have done at an address."""
        client = self._visiting.pop(elicitation_id, None)
        # No other revision has such a message.
        if client is None or client.context.protocol_version != COMPLETED_IN:
            return
        along = client.context.request_id if client in self._present else None
        telling = asyncio.create_task(client.context.session.send_elicit_complete(elicitation_id, along))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def log(self, message: types.LoggingMessageNotificationParams) -> None:
        """Tell the client what a server logs; one that does not keep up misses some of it."""
        for logged in self._present.values():
            logged.add(message)
