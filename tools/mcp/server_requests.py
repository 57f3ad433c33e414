"""Answer what a server asks, through the port that a person stands behind."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import mcp_types as types
from mcp import MCPError

from tools.mcp.elicitation import (
    Accepted,
    Answer,
    Cancelled,
    Declined,
    FormElicitation,
    RootsRequest,
    Sampled,
    SamplingRequest,
    UrlElicitation,
)
from tools.mcp.running_calls import RunningCall, current_call

if TYPE_CHECKING:
    from mcp.client import ClientRequestContext

    from tools.mcp.elicitation import Questions
    from tools.mcp.running_calls import CallingClient

MAX_WAITING: Final = 20
"""Questions of one server that may wait; further ones are refused, so that it cannot flood a person."""

Reply = TypeVar("Reply")

_FLOOD: Final = types.ErrorData(code=types.INVALID_REQUEST, message="too many questions are open already")


class ServerRequestHandler:
    """Turn a server's requests into questions, and the answers into what the wire wants.

    One question of a server is open at a time; others wait in order. The time limits of the calls it may belong to
    stand still meanwhile.
    """

    def __init__(self, server: str, questions: Questions, running: set[RunningCall]) -> None:
        self._server = server
        self._questions = questions
        self._running = running
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._visiting: OrderedDict[str, CallingClient] = OrderedDict()

    async def elicit(
        self,
        context: ClientRequestContext,  # noqa: ARG002 -- the SDK passes it
        params: types.ElicitRequestParams,
    ) -> types.ElicitResult | types.ErrorData:
        """Answer `elicitation/create`."""
        call = self._call()
        try:
            passed = await self._passed_on(call, types.ElicitRequest(params=params))
        except MCPError as error:
            return error.error
        if isinstance(passed, types.ElicitResult):
            self._note_visit(call, params)
            return passed
        tool, caller = ("", "") if call is None else (call.tool, call.caller)
        question: FormElicitation | UrlElicitation
        if isinstance(params, types.ElicitRequestURLParams):
            question = UrlElicitation(self._server, tool, params.message, params.url, caller)
        else:
            question = FormElicitation(self._server, tool, params.message, params.requested_schema, caller)
        if self._waiting >= MAX_WAITING:
            return _FLOOD
        answer = await self._asked(call, self._put(question), Cancelled())
        if not isinstance(answer, Accepted):
            return types.ElicitResult(action="cancel" if isinstance(answer, Cancelled) else "decline")
        content = cast("dict[str, Any]", dict(answer.values)) if isinstance(question, FormElicitation) else None
        return types.ElicitResult(action="accept", content=content)

    async def _put(self, question: FormElicitation | UrlElicitation) -> Answer:
        if isinstance(question, UrlElicitation):
            return await self._questions.visit(question)
        return await self._questions.fill_form(question)

    async def visit(self, message: str, url: str, elicitation_id: str | None) -> bool:
        """Have somebody do something at an address that an error names; return whether they opened it."""
        call = self._call()
        asked = types.ElicitRequestURLParams(message=message, url=url, elicitation_id=elicitation_id)
        with suppress(MCPError):
            passed = await self._passed_on(call, types.ElicitRequest(params=asked))
            if isinstance(passed, types.ElicitResult):
                self._note_visit(call, asked)
                return passed.action == "accept"
        tool, caller = ("", "") if call is None else (call.tool, call.caller)
        question = UrlElicitation(self._server, tool, message, url, caller)
        return isinstance(await self._asked(call, self._questions.visit(question), Cancelled()), Accepted)

    def _note_visit(self, call: RunningCall | None, params: types.ElicitRequestParams) -> None:
        if isinstance(params, types.ElicitRequestURLParams) and params.elicitation_id and call and call.client:
            self._visiting[params.elicitation_id] = call.client
            while len(self._visiting) > MAX_WAITING:
                self._visiting.popitem(last=False)

    def complete(self, elicitation_id: str) -> None:
        """Tell the client that was sent to an address that what it was to do there is done."""
        client = self._visiting.pop(elicitation_id, None)
        if client is not None:
            client.complete(elicitation_id)

    async def sample(
        self,
        context: ClientRequestContext,  # noqa: ARG002 -- the SDK passes it
        params: types.CreateMessageRequestParams,
    ) -> types.CreateMessageResult | types.CreateMessageResultWithTools | types.ErrorData:
        """Answer `sampling/createMessage`."""
        call = self._call()
        try:
            passed = await self._passed_on(call, types.CreateMessageRequest(params=params))
        except MCPError as error:
            return error.error
        if isinstance(passed, types.CreateMessageResult | types.CreateMessageResultWithTools):
            return passed
        asked = params.model_dump(by_alias=True, mode="json", exclude_none=True)
        question = SamplingRequest(
            server=self._server,
            tool="" if call is None else call.tool,
            messages=tuple(asked["messages"]),
            system_prompt=params.system_prompt or "",
            max_tokens=params.max_tokens,
            request=asked,
            caller="" if call is None else call.caller,
        )
        if self._waiting >= MAX_WAITING:
            return _FLOOD
        answer = await self._asked(call, self._questions.sample(question), Declined())
        if not isinstance(answer, Sampled):
            return types.ErrorData(code=-1, message="the person rejected the sampling request")
        return types.CreateMessageResult(
            role="assistant",
            content=types.TextContent(type="text", text=answer.text),
            model=answer.model,
            stop_reason=answer.stop_reason,
        )

    async def roots(
        self,
        context: ClientRequestContext,  # noqa: ARG002 -- the SDK passes it
    ) -> types.ListRootsResult | types.ErrorData:
        try:
            passed = await self._passed_on(self._call(), types.ListRootsRequest())
        except MCPError as error:
            return error.error
        if isinstance(passed, types.ListRootsResult):
            return passed
        if self._waiting >= MAX_WAITING:
            return _FLOOD
        found = await self._asked(self._call(), self._questions.roots(RootsRequest(self._server)), ())
        roots = [types.Root.model_validate({"uri": root.uri, "name": root.name or None}) for root in found]
        return types.ListRootsResult(roots=roots)

    async def passed_on(self, requests: Mapping[str, types.InputRequest]) -> Mapping[str, types.InputResponse]:
        """Return what the client of a call answers to requests, by key: of those that it can answer.

        Raises:
            MCPError: The client refuses to.
        """
        call = self._call()
        if call is None or call.client is None or not requests or self._waiting >= MAX_WAITING:
            return {}
        # A client has no turn to wait for: its questions are those of its own call.
        answers = await self._asked(call, call.client.ask(requests), {}, in_turn=False)
        if call.context is not None:
            for key, answer in answers.items():
                said = f": {answer.action}" if isinstance(answer, types.ElicitResult) else ""
                call.context.log("info", f"{self._server} asked the agent, {requests[key].method}{said}")
        return answers

    async def _passed_on(self, call: RunningCall | None, request: types.InputRequest) -> types.InputResponse | None:
        if call is None:
            return None
        key = f"{request.method}-{next(call.numbers)}"
        token = current_call.set(call)
        try:
            return (await self.passed_on({key: request})).get(key)
        finally:
            current_call.reset(token)

    def _call(self) -> RunningCall | None:
        """Return the call that a question belongs to; None when that cannot be told."""
        found = current_call.get()
        if found is None and len(self._running) == 1:
            return next(iter(self._running))
        return found

    async def _asked(
        self,
        call: RunningCall | None,
        asking: Coroutine[Any, Any, Reply],
        withdrawn: Reply,
        *,
        in_turn: bool = True,
    ) -> Reply:
        """Return what a person answers in its turn; a question of a call that has ended meanwhile is withdrawn."""
        with self._counted(call):
            answering = asyncio.create_task(self._in_turn(asking) if in_turn else asking)
            tasks: set[asyncio.Task[Any]] = {answering}
            if call is not None:
                tasks.add(asyncio.create_task(call.over.wait()))
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                return answering.result() if answering.done() else withdrawn
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                asking.close()

    async def _in_turn(self, asking: Coroutine[Any, Any, Reply]) -> Reply:
        async with self._turn:
            return await asking

    @contextmanager
    def _counted(self, call: RunningCall | None) -> Iterator[None]:
        """Count an open question, and let the time limits of the calls stand still that it may belong to."""
        self._waiting += 1
        try:
            with ExitStack() as stack:
                for item in tuple(self._running) if call is None else (call,):
                    if item.context is not None:
                        stack.enter_context(item.context.waiting_for_person())
                yield
        finally:
            self._waiting -= 1
