"""Questions of tools that run in a program which serves no longer, answered through the one that serves now.

The program that runs a tool gives each question away, and takes the answer that comes back; a person who is still
asked there may be quicker. The program that serves asks the agent's client, or its own person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol

import mcp_types as types
from mcp import MCPError
from pydantic import TypeAdapter

from tools.calls import Continue, Edit, ExitEarly
from tools.errors import ToolError
from tools.gateway.handover import HandedNews, HandedQuestion, HandedReply, HandedReview

if TYPE_CHECKING:
    from tools.calls import ReviewRequest
    from tools.execution.executor import Executor
    from tools.gateway.client_questions import ClientQuestions

COME_BACK_S: Final = 30.0
"""How long an agent's client may take to come to the program that serves now, in seconds."""

_REQUESTS: Final[TypeAdapter[types.InputRequest]] = TypeAdapter(types.InputRequest)
_DECISIONS: Final[Mapping[str, TypeAdapter[Any]]] = {
    kind.__name__: TypeAdapter(kind) for kind in (Continue, Edit, ExitEarly)
}


class CallElsewhere(Protocol):
    """A held call whose tool runs in another program.

    Attributes:
        arguments: As the agent gave them.
        client: Reaches the agent's client.
        caller_back_within_s: How long it waits for its caller once it is allowed, in seconds; None while the caller
            waits.
    """

    arguments: Mapping[str, Any]
    client: ClientQuestions

    @property
    def tool(self) -> str: ...

    @property
    def caller(self) -> str:
        """Who calls, for the executor."""
        ...

    @property
    def caller_back_within_s(self) -> float | None: ...

    def note_question(self, question: ReviewRequest | None) -> None:
        """Hear what a person is asked about it now; None for nothing."""
        ...


class QuestionsGiven:
    """The questions of tools that run on in this program; on one event loop.

    Args:
        executor: Runs the tools.

    Attributes:
        news: What the program that serves is told.
    """

    def __init__(self, executor: Executor) -> None:
        self.news: asyncio.Queue[HandedNews] = asyncio.Queue()
        self._executor = executor
        self._numbers = count(1)
        self._clients: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._reviews: dict[int, str] = {}

    async def ask_client(
        self, held_id: str, requests: Mapping[str, types.InputRequest]
    ) -> Mapping[str, types.InputResponse]:
        """Return the answers of an agent's client, as far as it has some."""
        number = next(self._numbers)
        answered = self._clients[number] = asyncio.get_running_loop().create_future()
        written = {key: _written(request) for key, request in requests.items()}
        self._tell(HandedQuestion(held_id=held_id, number=number, client=written))
        try:
            answers = await answered
        finally:
            del self._clients[number]
            self.news.put_nowait(HandedNews(withdrawn=number))
        return {key: _answer_kind(requests[key]).model_validate(answer) for key, answer in answers.items()}

    def ask_person(self, held_id: str, request: ReviewRequest) -> None:
        number = next(self._numbers)
        self._reviews[number] = request.id
        left_s = None if request.expires_at is None else (request.expires_at - datetime.now(UTC)).total_seconds()
        review = HandedReview(
            description=request.description,
            timing=request.timing,
            left_s=left_s,
            on_timeout=request.on_timeout,
            prompt=request.prompt,
            why=request.why,
            required_role=request.required_role,
            result=request.result,
            new_reasons=request.new_reasons,
        )
        self._tell(HandedQuestion(held_id=held_id, number=number, review=review))

    def _tell(self, question: HandedQuestion) -> None:
        self.news.put_nowait(HandedNews(question=question))

    def withdraw(self, request_id: str) -> None:
        """Have a person asked no longer: the question has its outcome."""
        for number, known in list(self._reviews.items()):
            if known == request_id:
                del self._reviews[number]
                self.news.put_nowait(HandedNews(withdrawn=number))

    def take(self, reply: HandedReply) -> None:
        """Take an answer that the program that serves was given."""
        answered = self._clients.get(reply.number)
        if answered is not None and not answered.done():
            answered.set_result(reply.answers)
        request_id = self._reviews.pop(reply.number, "")
        if request_id and reply.decision is not None:
            decision = _DECISIONS[reply.kind].validate_python(reply.decision)
            self._executor.questions.settle(request_id, decision, reply.by)

    def close(self) -> None:
        """Wait for no answer of a client any more."""
        for answered in self._clients.values():
            if not answered.done():
                answered.set_result({})


class QuestionsTaken:
    """The questions of tools that run in the program that served before; on one event loop.

    Args:
        executor: Knows the tools, and whom to ask.
        reply: Tells the other program.
    """

    def __init__(self, executor: Executor, reply: Callable[[HandedReply], None]) -> None:
        self._executor = executor
        self._reply = reply
        self._asking: dict[int, asyncio.Task[None]] = {}

    def take(self, question: HandedQuestion, held: CallElsewhere | None) -> None:
        """Ask a question that the tool of a held call asks; of one that is held no more, the agent is gone."""
        if held is None:
            self._reply(HandedReply(number=question.number))
            return
        asking = asyncio.create_task(self._ask(question, held), name="question of a tool in another program")
        self._asking[question.number] = asking
        asking.add_done_callback(lambda _: self._asking.pop(question.number, None))

    async def _ask(self, question: HandedQuestion, held: CallElsewhere) -> None:
        if question.review is None:
            answers: Mapping[str, types.InputResponse] = {}
            with suppress(TimeoutError, MCPError):
                await asyncio.wait_for(held.client.is_there.wait(), COME_BACK_S)
                answers = await held.client.ask(
                    {key: _REQUESTS.validate_python(request) for key, request in question.client.items()}
                )
            written = {key: _written(answer) for key, answer in answers.items()}
            self._reply(HandedReply(number=question.number, answers=written))
            return
        # Where it cannot be asked here, it stays open there.
        with suppress(ToolError):
            request = self._executor.question_about(
                held.tool, held.arguments, caller=held.caller, description=question.review.description
            )._replace(**question.review.changes, caller_back_within_s=held.caller_back_within_s)
            held.note_question(request)
            try:
                outcome = await self._executor.put_question(request)
            finally:
                held.note_question(None)
            kind = type(outcome.decision).__name__
            decision = _DECISIONS[kind].dump_python(outcome.decision, mode="json")
            self._reply(HandedReply(number=question.number, kind=kind, decision=decision, by=outcome.by))

    def withdraw(self, number: int) -> None:
        if (asking := self._asking.get(number)) is not None:
            asking.cancel()

    def close(self) -> None:
        """Ask nothing any more."""
        for asking in self._asking.values():
            asking.cancel()


def _written(said: Any) -> dict[str, Any]:
    written: dict[str, Any] = said.model_dump(by_alias=True, mode="json", exclude_none=True)
    return written


def _answer_kind(request: types.InputRequest) -> type[Any]:
    match request:
        case types.ElicitRequest():
            return types.ElicitResult
        case types.ListRootsRequest():
            return types.ListRootsResult
        case _:
            return types.CreateMessageResultWithTools
