"""`Conversation`: a model answers a person and calls tools for it, until it has nothing more to call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.calls import CallFinished, ToolCall
from tools.errors import CallStateError, ExitEarlyError, ModelError, ModelFault
from tools.lint import estimated_tokens
from tools.models.budget import ANSWER_TOKENS, Budget, BudgetQuestion, Prices
from tools.models.context import (
    ContextPart,
    Conversed,
    PartReader,
    PartState,
    StandingRules,
    instructions_of,
    parts_of,
    said_places,
    shown_messages,
)
from tools.models.events import (
    AnswerEnded,
    AskedFor,
    CallAnswered,
    ConversationEvent,
    RequestRetried,
    TaskEnd,
    TaskEnded,
    TurnsSummarised,
)
from tools.models.journal import Begun, CallEndedLine, ContextRules, JournalLine, PartChange, shown_arguments
from tools.models.messages import Answer, CallResult, CallResults, StopReason, TurnsSummary, Usage, UserMessage
from tools.models.port import ModelRequest, TextDelta
from tools.models.server_calls import SERVER_CALL, server_call_tool
from tools.models.summary import NEAR_LIMIT, older_turns, summary_request
from tools.retention import RetentionMark, inherited, is_visible, turns_left
from tools.schema import json_text
from tools.session import KeptPart, Session, TurnPart, response_for_model
from tools.wire import MalformedArguments, name_of, restored, result_of

if TYPE_CHECKING:
    from tools.calls import Event
    from tools.execution.executor import Executor
    from tools.models.journal import KeptConversation
    from tools.models.messages import AskedCall
    from tools.models.offered_tools import ToolOffer
    from tools.models.port import ModelProvider
    from tools.session import Turn
    from tools.wire import Image

CALLER: Final = "agent:model"
MOST_CALLS: Final = 50
MOST_REQUESTS: Final = 50
MOST_ATTEMPTS: Final = 3
LONGEST_WAIT_S: Final = 60.0
"""The longest time that a provider may want to be left alone and is asked again without a person."""
RESULT_LETTERS: Final = 100_000

_SENSITIVE: Final = "(not kept: the tool says that its results stay out of files)"
_END_BY_STOP: Final = {
    StopReason.LENGTH: TaskEnd.LENGTH,
    StopReason.REFUSED: TaskEnd.REFUSED,
}


class ConversationLimits(NamedTuple):
    """How far a model may go for one thing that a person says.

    Attributes:
        calls: Most calls; further ones are skipped, and the model has to answer.
        requests: Most requests to the provider.
        answer_tokens: Most tokens of one answer; None leaves it to the provider.
        result_letters: Most letters of a result that the model is sent.
        attempts: How often a request is sent to a provider that has no time.
    """

    calls: int = MOST_CALLS
    requests: int = MOST_REQUESTS
    answer_tokens: int | None = None
    result_letters: int = RESULT_LETTERS
    attempts: int = MOST_ATTEMPTS


async def _nobody(_: BudgetQuestion) -> Budget | None:
    return None


class Conversation:
    """Talk with a model, and run the tools that it calls.

    A request is sent, its calls are judged, asked about and run, their results are sent, until the model calls nothing.
    All that happens is told to `tell` and written with `write`, so that nothing is lost when the program ends. Use it
    from one event loop, one thing that a person says at a time.

    Args:
        executor: Runs the calls.
        model: The model, as its provider names it.
        offer: The tools that it may call.
        tell: Is told what happens.
        write: Keeps what is said and done; None keeps nothing.
        kept: The conversation that goes on; None begins one.
        instructions: What a person wants of all answers.
        rules: What the model must always and never do.
        limits: How far it may go.
        prices: What the provider asks for tokens; None when nobody knows.
        budget: What the conversation may take.
        ask_budget: Is asked before the budget is passed, and returns a larger one, or None to stop.
        admit: Looks at the calls of an answer before any of them runs, and gives those that a person is to decide about
            an objection; None leaves all to the rules.

    Source: seed 1, "Runtime invocation flow in OpenAIProvider"; seed 3, "Tool System".
    """

    def __init__(
        self,
        executor: Executor,
        provider: ModelProvider,
        model: str,
        offer: ToolOffer,
        *,
        tell: Callable[[ConversationEvent], None],
        write: Callable[[JournalLine], None] | None = None,
        kept: KeptConversation | None = None,
        instructions: str = "",
        rules: StandingRules | None = None,
        limits: ConversationLimits | None = None,
        prices: Prices | None = None,
        budget: Budget | None = None,
        ask_budget: Callable[[BudgetQuestion], Awaitable[Budget | None]] = _nobody,
        caller: str = CALLER,
        admit: Callable[[Sequence[ToolCall]], Awaitable[None]] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._executor = executor
        self._provider = provider
        self._model = model
        self._offer = offer
        self._tell = tell
        self._write = write or (lambda _: None)
        self._instructions = instructions
        self._rules = rules or StandingRules()
        self._limits = limits or ConversationLimits()
        self._prices = prices
        self._budget = budget or Budget()
        self._ask_budget = ask_budget
        self._admit = admit
        self._sleep = sleep
        self._messages: list[Conversed] = [] if kept is None else _readable(kept, provider, model)
        self._changes = {} if kept is None else dict(kept.changes)
        self._summary = None if kept is None else kept.summary
        self._context = ContextRules() if kept is None else kept.rules
        self._follow_offer()
        results = [one for message in self._messages if isinstance(message, CallResults) for one in message.results]
        self._parts_before = max((result.part for result in results), default=0)
        answers = [message for message in self._messages if isinstance(message, Answer)]
        if kept is not None:
            answers.append(Answer(usage=kept.summing_up))
        self._usage = sum((answer.usage for answer in answers), Usage())
        self._cost = self._cost_of(answers)
        self._session = Session(
            executor,
            caller=caller,
            max_iterations=self._limits.calls,
            default_turns_to_keep=self._context.turns_to_keep,
            model=model,
            allows=self._allows,
            owner=self,
            tools=(*offer.beside, server_call_tool()),
        )
        self._running: dict[ToolCall, tuple[TurnPart, int]] = {}
        self._reader = PartReader(self._state_of, self._summary_of, self._turns_left)
        self._work: asyncio.Task[TaskEnded] | asyncio.Task[TurnsSummary] | None = None
        self._unlisten = executor.add_listener(_Ended(self._on_finished))
        self._write_begun()

    @property
    def messages(self) -> tuple[Conversed, ...]:
        """All messages, oldest first."""
        return tuple(self._messages)

    @property
    def usage(self) -> Usage:
        return self._usage

    @property
    def cost(self) -> float | None:
        """What it cost so far; None when no price is known."""
        return self._cost

    @property
    def summary(self) -> TurnsSummary | None:
        """What is sent in the place of the oldest turns; None when all are sent."""
        return self._summary

    @property
    def context_rules(self) -> ContextRules:
        return self._context

    @property
    def instructions(self) -> str:
        return self._instructions

    @property
    def rules(self) -> StandingRules:
        """What the model must always and never do."""
        return self._rules

    def close(self) -> None:
        """Hear no more of the executor's calls."""
        self._unlisten()

    async def aclose(self) -> None:
        """Stop what goes on, return when all that came of it is kept, and hear no more of the executor's calls."""
        work = self._work
        if work is not None:
            self.stop()
            await asyncio.wait([work])
        self.close()

    async def say(self, text: str, images: Iterable[Image] = ()) -> TaskEnded:
        """Say something, and return when the model has answered, or cannot.

        Raises:
            CallStateError: When the model is at work.
            ConversationError: When the conversation cannot be kept.
            ToolConfigurationError: When there is something to ask and nobody to ask, or the program cannot run a tool.
        """
        self._check_idle()
        self._add(UserMessage(text=text, images=tuple(images)))
        return await self.go_on()

    async def go_on(self) -> TaskEnded:
        """Have the model answer what was said last, as after an error; otherwise as `say`."""
        self._check_idle()
        self._session.begin_task()
        work = self._work = asyncio.ensure_future(self._answered())
        try:
            ended = await work
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not work.done() or (task is not None and task.cancelling()):
                raise
            ended = TaskEnded(TaskEnd.STOPPED, why="it was stopped")
        except ExitEarlyError as error:
            ended = TaskEnded(TaskEnd.STOPPED, why=str(error))
        except ModelError as error:
            ended = TaskEnded(TaskEnd.FAILED, why=str(error), error=error)
        finally:
            self._work = None
        self._tell(ended)
        return ended

    def stop(self) -> bool:
        """Stop the answer that comes, and the calls that run; what came of both is kept.

        Returns:
            Whether there was anything to stop.
        """
        if self._work is None:
            return False
        # It was a person who stopped them, not the program that ended.
        self._session.stop()
        return self._work.cancel()

    def context(self) -> tuple[ContextPart, ...]:
        """Return what is sent next, part by part, and what is left out of it."""
        return tuple(
            parts_of(self._all_instructions(), self._offer.request(), self._messages, self._reader, self._summary)
        )

    def change_part(self, part: int, *, mark: RetentionMark | None = None, summary: str | None = None) -> None:
        """Pin or drop the result of a call, leave it to its age, or have a summary sent in its place.

        Args:
            mark: What to do with it; None leaves that as it is.
            summary: What is sent instead, empty for the result itself; None leaves that as it is.

        Raises:
            CallStateError: When there is no such part.
        """
        former = self._change_of(part)
        self._note(
            former.model_copy(
                update={
                    "mark": former.mark if mark is None else mark,
                    "summary": former.summary if summary is None else summary or None,
                }
            )
        )

    def set_turns_to_keep(self, part_id: int, turns: int | None) -> None:
        """Say how long a result stays: 0 is gone next turn, negative is for ever, None leaves it to its tool.

        Raises:
            CallStateError: When there is no such part.
        """
        self._note(self._change_of(part_id).model_copy(update={"turns_to_keep": turns}))

    def kept_parts(self, asking: ToolCall) -> list[KeptPart]:  # noqa: ARG002 -- it is not among the messages yet
        """Return what the model may know of the results that it sees."""
        said, kept = 0, []
        for message in self._messages:
            said += isinstance(message, UserMessage)
            for one in message.results if isinstance(message, CallResults) else ():
                if self._state_of(one) is not PartState.LEFT_OUT:
                    mark = self._changes.get(one.part, PartChange(part=one.part)).mark
                    kept.append(KeptPart(one.part, said, one.name, one.status, self._turns_left(one), mark.value))
        return kept

    def change_context(self, rules: ContextRules) -> None:
        """Have more or less of the conversation sent."""
        if rules != self._context:
            self._context = rules
            self._session.default_turns_to_keep = rules.turns_to_keep
            self._follow_offer()
            self._write(rules)

    def _allows(self, name: str) -> bool:
        return name == SERVER_CALL or self._offer.allows(name)

    def _follow_offer(self) -> None:
        self._offer.without = frozenset(self._context.without)
        self._offer.on_demand = self._context.on_demand

    def change_instructions(self, instructions: str, rules: StandingRules) -> None:
        if (instructions, rules) != (self._instructions, self._rules):
            self._instructions, self._rules = instructions, rules
            self._write_begun()

    async def summarise(self) -> TurnsSummary:
        """Have the model sum up the turns that are older than those which are kept as they are.

        Raises:
            CallStateError: When the model is at work, or there are no older turns.
            ModelError: When the model gives no summary.
        """
        self._check_idle()
        turns = self._older_turns()
        if not turns:
            said = len(said_places(self._messages))
            raise CallStateError(
                f"there are no older turns to sum up: of {said}, the newest {max(1, self._context.turns_to_keep)} are"
                " kept as they are; keep fewer"
            )
        if not await self._is_affordable(sums_up=True):
            raise CallStateError("the budget would be passed, so nothing was summed up")
        work = self._work = asyncio.ensure_future(self._summarised(turns))
        try:
            return await work
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not work.done() or (task is not None and task.cancelling()):
                raise
            raise CallStateError("the summary was stopped; all turns are sent as before") from None
        finally:
            self._work = None

    def change_summary(self, text: str) -> None:
        """Put other words in the place of the oldest turns; none send the turns themselves again.

        Raises:
            CallStateError: When no turns are summed up.
        """
        if self._summary is None:
            raise CallStateError("no turns of this conversation are summed up")
        self._put_summary(TurnsSummary(turns=self._summary.turns if text.strip() else 0, text=text.strip()))

    async def _summarised(self, turns: int) -> TurnsSummary:
        answer = await self._streamed(
            summary_request(self._model, self._messages, turns, self._summary), is_summary=True
        )
        self._count(answer)
        if not answer.text.strip() or answer.stop is not StopReason.ENDED:
            raise ModelError(ModelFault.CUT_OFF, "the model gave no whole summary", "ask again, or keep all turns")
        summary = TurnsSummary(turns=turns, text=answer.text.strip(), usage=answer.usage)
        self._put_summary(summary)
        return summary

    def _put_summary(self, summary: TurnsSummary) -> None:
        self._summary = summary if summary.turns else None
        self._write(summary)
        self._tell(TurnsSummarised(summary.turns, summary.text))

    def _turns_too_many(self) -> int:
        """Return how many turns are to be summed up because what is sent comes near to what the model reads at once."""
        rules = self._context
        if not rules.summarises or rules.tokens is None or self._read_tokens() <= NEAR_LIMIT * rules.tokens:
            return 0
        return self._older_turns()

    def _older_turns(self) -> int:
        """Return how many turns a summary would cover; 0 when none are older than those kept and summed up."""
        turns = older_turns(self._messages, self._context.turns_to_keep)
        return turns if turns > (0 if self._summary is None else self._summary.turns) else 0

    def _read_tokens(self) -> int:
        return sum(part.tokens for part in self.context())

    def _change_of(self, part: int) -> PartChange:
        """Return what was decided about a part.

        Raises:
            CallStateError: When there is no such part.
        """
        known = [one.part for message in self._messages if isinstance(message, CallResults) for one in message.results]
        if part not in known:
            named = ", ".join(map(str, known[-10:])) or "none"
            raise CallStateError(f"no result of this conversation has the id {part}; the newest are: {named}")
        return self._changes.get(part, PartChange(part=part))

    def _note(self, change: PartChange) -> None:
        self._changes[change.part] = change
        self._write(change)

    def _write_begun(self) -> None:
        self._write(
            Begun(
                provider=self._provider.name,
                model=self._model,
                address=self._provider.address,
                instructions=self._instructions,
                always=self._rules.always,
                never=self._rules.never,
                at_s=time.time(),
            )
        )

    def _check_idle(self) -> None:
        if self._work is not None:
            raise CallStateError("the model is at work; stop it, or wait until it has answered")

    async def _answered(self) -> TaskEnded:
        may_call = True
        text = ""
        for _ in range(self._limits.requests):
            turns = self._turns_too_many()
            if not await self._is_affordable(sums_up=turns > 0):
                return TaskEnded(TaskEnd.BUDGET, text, "the budget would be passed")
            if turns:
                await self._summarised(turns)
            answer = await self._ask(may_call=may_call)
            text = answer.text or text
            if answer.calls:
                limit_reached = await self._run(answer)
                if limit_reached and not may_call:
                    return TaskEnded(TaskEnd.CALL_LIMIT, text, f"no more than {self._limits.calls} calls were allowed")
                may_call = not limit_reached
            elif answer.stop is not StopReason.PAUSED:
                # A turn without calls lets the results of earlier ones grow older.
                await self._session.prepare_turn(())
                return _ended(answer, text)
        return TaskEnded(TaskEnd.REQUEST_LIMIT, text, f"no more than {self._limits.requests} requests were allowed")

    async def _is_affordable(self, *, sums_up: bool = False) -> bool:
        """Ask a person as long as the next request, and a summary before it, are expected to pass the budget."""
        while (question := self._budget_question(sums_up=sums_up)).passes:
            larger = await self._ask_budget(question)
            if larger is None:
                return False
            self._budget = larger
        return True

    def _budget_question(self, *, sums_up: bool) -> BudgetQuestion:
        if self._budget == Budget():
            return BudgetQuestion(self._budget, self._usage.tokens, 0)
        times = 2 if sums_up else 1
        written = self._limits.answer_tokens or ANSWER_TOKENS
        usage = Usage(input_tokens=times * self._read_tokens(), output_tokens=times * written)
        cost = None if self._prices is None else self._prices.cost(usage)
        return BudgetQuestion(self._budget, self._usage.tokens, usage.tokens, self._cost, cost)

    def _answer_limit(self) -> int | None:
        """Return the most tokens that the next answer may have, so that it stays within the budget."""
        limit = self._limits.answer_tokens
        if self._budget.tokens is None:
            return limit
        left = self._budget.tokens - self._usage.tokens - self._read_tokens()
        return left if limit is None else min(limit, left)

    async def _ask(self, *, may_call: bool) -> Answer:
        request = ModelRequest(
            model=self._model,
            messages=shown_messages(self._messages, self._reader, self._summary),
            tools=self._offer.request(),
            instructions=self._all_instructions(),
            may_call=may_call,
            max_output_tokens=self._answer_limit(),
        )
        said = len(self._messages)
        for attempt in range(1, self._limits.attempts + 1):
            try:
                answer = await self._streamed(request)
                break
            except ModelError as error:
                wait_s = 2.0 ** (attempt - 1) if error.retry_after_s is None else error.retry_after_s
                # Somebody has read the beginning of an answer that was cut off.
                is_begun = len(self._messages) > said
                if is_begun or not error.may_pass or attempt == self._limits.attempts or wait_s > LONGEST_WAIT_S:
                    raise
                self._tell(RequestRetried(wait_s, str(error)))
                await self._sleep(wait_s)
        if answer.usage.estimated:
            answer = answer.model_copy(update={"usage": self._estimated(answer.text)})
        self._count(answer)
        if not answer.calls:
            self._add(answer)
        return answer

    async def _streamed(self, request: ModelRequest, *, is_summary: bool = False) -> Answer:
        """Return a whole answer; of one that is cut off, keep the words that came, unless it is a summary."""
        came: list[str] = []
        answer: Answer | None = None
        try:
            async with aclosing(self._provider.stream(request)) as deltas:
                async for delta in deltas:
                    if isinstance(delta, Answer):
                        answer = delta
                    else:
                        if isinstance(delta, TextDelta):
                            came.append(delta.text)
                        if not is_summary:
                            self._tell(delta)
        except (ModelError, asyncio.CancelledError):
            if came:
                text = "".join(came)
                cut = Answer(text=text, stop=StopReason.CUT_OFF, usage=self._estimated(text), model=self._model)
                self._count(cut)
                if not is_summary:
                    self._add(cut)
            raise
        if answer is None:
            raise ModelError(
                ModelFault.CUT_OFF, f"{self._provider.name} ended the stream without an answer", "ask again"
            )
        return answer

    def _count(self, answer: Answer) -> None:
        self._usage += answer.usage
        self._cost = self._cost_of([answer], self._cost)
        self._tell(AnswerEnded(answer.stop, answer.usage, self._usage, self._cost))

    def _cost_of(self, answers: Iterable[Answer], before: float | None = None) -> float | None:
        for answer in answers:
            cost = answer.usage.cost
            if cost is None and self._prices is not None:
                cost = self._prices.cost(answer.usage)
            before = before if cost is None else (before or 0.0) + cost
        return before

    def _estimated(self, text: str) -> Usage:
        return Usage(input_tokens=self._read_tokens(), output_tokens=estimated_tokens(text), estimated=True)

    async def _run(self, answer: Answer) -> bool:
        """Run the calls of an answer, and return whether the model has none left."""
        turn = await self._session.prepare_turn(map(self._asked, answer.calls))
        self._running = {part.call: (part, position) for position, part in enumerate(turn.parts)}
        self._add(answer, _hidden(answer, turn.parts))
        for part in turn.parts:
            call = part.call
            status = call.response.status.value
            self._tell(AskedFor(self._id_of(part), call.name, _shown(call), status, call.id))
            if part.response.status.final:
                self._told(part.call)
        try:
            if self._admit is not None:
                await self._admit([part.call for part in turn.parts])
                await self._session.look_again(turn)
            await self._session.start(turn)
        finally:
            await self._settle(turn)
            results = [self._result(part, call) for part, call in zip(turn.parts, answer.calls, strict=True)]
            kept = [self._kept_result(part, result) for part, result in zip(turn.parts, results, strict=True)]
            self._running = {}
            self._add(CallResults(results=tuple(results)), CallResults(results=tuple(kept)))
        self._offer.note(part.call for part in turn.parts)
        return turn.limit_reached

    def _asked(self, call: AskedCall) -> tuple[str, dict[str, object] | str]:
        """Return the name and the arguments that a model means."""
        if call.server:
            given = call.received.arguments
            said = {"text": given.text} if isinstance(given, MalformedArguments) else given
            return SERVER_CALL, {"server": call.server, "tool": call.name, "arguments": said}
        tool = self._offer.wire_tools.find(call.name)
        if tool is None:
            # A tool that it was not sent is known by its own name, or by what becomes of it on the wire.
            tool = self._executor.registry.find(call.name) or self._executor.registry.find(name_of(call.name))
        arguments = call.received.arguments
        if isinstance(arguments, MalformedArguments):
            return (call.name if tool is None else tool.name), arguments.text
        if tool is None:
            return name_of(call.name), dict(arguments)
        return tool.name, dict(restored(arguments, tool.input_schema))

    async def _settle(self, turn: Turn) -> None:
        """End what has not ended, when the turn was stopped."""
        for part in turn.parts:
            if not part.response.status.final:
                part.call.cancel()
                if part.pending:
                    await self._executor.execute(part.call)

    def _result(self, part: TurnPart, asked: AskedCall) -> CallResult:
        call = part.call
        words = _cut(response_for_model(call), self._limits.result_letters)
        told = result_of(asked.received, call.response, words)
        return CallResult(
            part=self._id_of(part),
            name=call.name,
            arguments=_shown(call),
            status=call.response.status.value,
            text=told.text,
            is_error=told.is_error,
            error_kind=_error_kind(call),
            # What is sent as an object alone would lack what people said, and have no limit.
            structured=told.structured if words == call.response.text else None,
            images=told.images,
            attached=told.attached,
            turns_to_keep=self._session.said_turns_to_keep(part),
            elapsed_s=call.response.elapsed_s,
        )

    def _kept_result(self, part: TurnPart, result: CallResult) -> CallResult:
        """Return a result as a file may have it."""
        call = part.call
        if call.sensitive:
            return result.model_copy(update={"text": _SENSITIVE, "structured": None, "images": (), "attached": ()})
        if call.hides_something:
            return result.model_copy(update={"text": call.display_text(), "structured": None, "images": ()})
        return result

    def _on_finished(self, call: ToolCall) -> None:
        known = self._running.get(call)
        if known is not None:
            self._told(call)

    def _told(self, call: ToolCall) -> None:
        part, position = self._running[call]
        status = call.response.status.value
        shown, elapsed_s = call.display_text(), call.response.elapsed_s
        self._tell(CallAnswered(self._id_of(part), call.name, _shown(call), status, shown, elapsed_s, call.id))
        result = CallResult(
            part=self._id_of(part),
            name=call.name,
            arguments=_shown(call),
            status=status,
            text=_SENSITIVE if call.sensitive else _cut(shown, self._limits.result_letters),
            is_error=not call.response.succeeded,
            error_kind=_error_kind(call),
            elapsed_s=elapsed_s,
        )
        self._write(CallEndedLine(position=position, result=result))

    def _id_of(self, part: TurnPart) -> int:
        return self._parts_before + part.id

    def _add(self, message: Conversed, kept: Conversed | None = None) -> None:
        self._messages.append(message)
        kept = message if kept is None else kept
        self._write(kept if isinstance(kept, CallResults) else kept.model_copy(update={"at_s": time.time()}))

    def _all_instructions(self) -> str:
        return instructions_of(self._instructions, self._rules, self._offer.advice)

    def _summary_of(self, part: int) -> str | None:
        change = self._changes.get(part)
        return None if change is None else change.summary

    def _turns_to_keep(self, result: CallResult) -> int:
        change = self._changes.get(result.part)
        own = None if change is None else change.turns_to_keep
        return inherited(own, result.turns_to_keep, default=self._context.turns_to_keep)

    def _age(self, result: CallResult) -> int:
        """Return how many answers came since; one that was cut off is no turn of its own."""
        age = 0
        for message in reversed(self._messages):
            if isinstance(message, CallResults) and any(one is result for one in message.results):
                break
            age += isinstance(message, Answer) and message.stop is not StopReason.CUT_OFF
        return age

    def _turns_left(self, result: CallResult) -> int | None:
        return turns_left(self._turns_to_keep(result), self._age(result))

    def _state_of(self, result: CallResult) -> PartState:
        change = self._changes.get(result.part, PartChange(part=result.part))
        if not is_visible(self._turns_to_keep(result), self._age(result), change.mark):
            return PartState.LEFT_OUT
        if change.summary is not None:
            return PartState.SUMMARISED
        return PartState.PINNED if change.mark is RetentionMark.PINNED else PartState.SENT


class _Ended:
    """Listen for the ends of calls."""

    wants = (CallFinished,)

    def __init__(self, on_finished: Callable[[ToolCall], None]) -> None:
        self._on_finished = on_finished

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self._on_finished(event.call)


def _ended(answer: Answer, text: str) -> TaskEnded:
    end = _END_BY_STOP.get(answer.stop, TaskEnd.ANSWERED)
    why = {
        TaskEnd.LENGTH: "the answer reached its limit; say that it shall go on, or allow longer ones",
        TaskEnd.REFUSED: "the model or its provider refused to answer; say it in other words",
    }.get(end, "")
    return TaskEnded(end, text, why)


def _readable(kept: KeptConversation, provider: ModelProvider, model: str) -> list[Conversed]:
    """Return the messages of a conversation as a model can read them.

    Thoughts are for the model that had them, and ids of calls and names of tools are as its provider allows them. Of
    ids, nine letters and digits are what all providers take.
    """
    if (kept.begun.provider, kept.begun.model) == (provider.name, model):
        return list(kept.messages)
    numbers = count(1)
    return [
        message.model_copy(
            update={"raw": (), "calls": tuple(_renamed(call, provider, numbers) for call in message.calls)}
        )
        if isinstance(message, Answer)
        else message
        for message in kept.messages
    ]


def _renamed(call: AskedCall, provider: ModelProvider, numbers: Iterator[int]) -> AskedCall:
    name = provider.wire.wire_name(name_of(call.name))
    return call.model_copy(update={"id": f"c{next(numbers):08d}", "name": name})


def _hidden(answer: Answer, parts: Iterable[TurnPart]) -> Answer:
    """Return an answer as a file may have it: of a call with secrets, the arguments as people may see them."""
    calls = [part.call for part in parts]
    if not any(call.hides_something or call.sensitive for call in calls):
        return answer
    shown = tuple(
        asked.model_copy(update={"arguments": _shown(call)}) if call.hides_something or call.sensitive else asked
        for asked, call in zip(answer.calls, calls, strict=True)
    )
    return answer.model_copy(update={"calls": shown, "raw": ()})


def _shown(call: ToolCall) -> str:
    return json_text({}) if call.sensitive else shown_arguments(call.display_arguments())


def _error_kind(call: ToolCall) -> str:
    error = call.response.error
    return "" if error is None else error.kind.value


def _cut(text: str, letters: int) -> str:
    if len(text) <= letters:
        return text
    return f"{text[:letters]}\n(cut: {len(text) - letters:,} of {len(text):,} letters are left out)"
