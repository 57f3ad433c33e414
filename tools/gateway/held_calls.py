"""Calls of agents that wait for a person, longer than an agent's request lives.

An agent's request ends after a while, long before a person may have answered. Its call stays: the same request, sent
again, is attached to it, and the first request that is there at the end takes the outcome. A call that is allowed
while no request is there waits for one before its tool starts, so that nothing runs whose outcome nobody takes.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from tools.calls import (
    CallFinished,
    CallOrigin,
    CallStatus,
    Event,
    Progressed,
    ReviewAsked,
    ReviewDecided,
    ReviewRequest,
    ReviewTiming,
    ToolCall,
)
from tools.errors import CallerGoneError, GatewayError, ToolError, UnavailableError
from tools.gateway.agents import caller_of
from tools.gateway.client_questions import ClientQuestions
from tools.gateway.handover import (
    HandedCall,
    HandedEnd,
    HandedNews,
    HandedReply,
    KnownAnswer,
    approval_of,
    edit_of,
    resume,
)
from tools.gateway.handover_questions import QuestionsGiven, QuestionsTaken
from tools.gateway.start_marks import left_answer, mark_of
from tools.mcp.running_calls import calling_client
from tools.schema import canonical_json

if TYPE_CHECKING:
    from tools.calls import Progress
    from tools.execution.executor import Executor
    from tools.execution.open_questions import OpenQuestions
    from tools.execution.run import Run
    from tools.gateway.agents import Agent, Paused
    from tools.gateway.handover import HandoverSource
    from tools.gateway.start_marks import StartedCalls
    from tools.registry import RegistryChange

KEEP_S: Final = 600.0
"""How long an allowed call waits for a request, and an outcome for one that takes it, in seconds."""

MOVE_S: Final = 2.0
"""How long a request is held at most while another program takes over, in seconds."""

TOOL_S: Final = 30.0
"""How long a call that was handed over waits for its tool, in seconds."""

TICK_S: Final = 2.0
"""How often a waiting request is told that it still waits, in seconds."""

AWAY_S: Final = 3.0
"""How long no request of a call may be there before its caller has given up, in seconds: many clients come back."""

MOST_HELD: Final = 200
"""How many calls of an agent are held at once, at most."""

_LOOK_S: Final = 0.25
_LEAST_S: Final = 0.001


class Waiting(NamedTuple):
    """A call waits for a person, or until a person lets calls go on.

    Attributes:
        left_s: Seconds until silence counts; None when it never does, or when the answer is there.
        is_paused: Whether a person paused the calls of agents.
        moves: Whether another program takes over, so that the request is to come again at once.
        timing: Whether the person is asked before, while or after the tool runs.
    """

    left_s: float | None
    held_id: str
    is_paused: bool = False
    moves: bool = False
    timing: ReviewTiming = ReviewTiming.BEFORE_EXECUTION


Outcome: TypeAlias = ToolCall | KnownAnswer
"""What a call ends with."""


class _Key(NamedTuple):
    """What makes two requests the same."""

    agent: str
    tool: str
    arguments: str

    @property
    def mark(self) -> str:
        return mark_of(*self)


def _key(agent: str, tool: str, arguments: Mapping[str, Any]) -> _Key:
    return _Key(agent, tool, sha256(canonical_json(dict(arguments)).encode("utf-8", "surrogatepass")).hexdigest())


Report = Callable[["Progress | Waiting"], None]
"""Is told how far a call is, or that it waits."""

LookForPause = Callable[[], "Paused | None"]
"""Returns whether a person paused the calls of agents."""


@dataclass(frozen=True)
class HeldRequest:
    """One request of an agent, which waits for the outcome of its call.

    Attributes:
        report: Is told how far the call is, or that it waits.
        hold_s: How long it is held while a person is asked, in seconds from its beginning.
        gone: Done when its client is gone; None when the request is cancelled then.
        stops: Whether a tool that runs is stopped when this was the last request that waited.
        takes_questions: Whether it ends when its client is to answer what a server asks, and come back.
        written: Done when it is answered, with whether its client can have all of it; None when whoever waits keeps the
            outcome.
    """

    report: Report
    hold_s: float
    gone: asyncio.Future[None] | None = None
    stops: bool = True
    takes_questions: bool = False
    written: asyncio.Future[bool] | None = None

    @property
    def is_gone(self) -> bool:
        """Whether nobody is there to take an outcome."""
        return self.gone is not None and self.gone.done()


class HeldCall:
    """One call of an agent, with the requests that wait for its outcome.

    Args:
        arguments: As the agent gave them.
        keep_s: How long it waits for a request when it is allowed and none is there.
        away_s: How long no request may be there before its caller has given up.
        questions: Have what a person is asked about it.
        held_id: Which held call it is; empty makes it another one.

    Attributes:
        arguments: As the agent gave them.
        waits_for_request: Whether it is allowed, and waits for a request that takes the outcome.
        is_caller_gone: Whether its caller has given up waiting.
        caller_until_s: Until when it waits for its caller, in seconds since the epoch; None while it does not.
        task: Makes and runs the call.
        call: The call; None while its arguments are checked.
        question: What a person is asked about it right now; None for nothing.
        expiry: Forgets it when nobody takes its outcome; None while it runs.
        is_stopped: Whether it was given up, so that another request makes another call.
        is_paused: Whether it waits until a person lets calls go on.
        client: Answers what a server asks for it.
        has_started: Whether its tool was started.
        is_left: Whether it goes on when no request waits for it: it changes the program, or runs in another one.
        is_told: Whether an agent has its outcome.
        answer_until_s: When the time ends that a person was given in another program, in seconds since the epoch; None
            where nobody was asked there.
    """

    def __init__(
        self,
        key: _Key,
        run: Callable[[HeldCall], Coroutine[None, None, Outcome]],
        arguments: Mapping[str, Any],
        *,
        keep_s: float,
        away_s: float,
        paused: LookForPause,
        questions: OpenQuestions,
        held_id: str = "",
    ) -> None:
        self.key = key
        self.arguments = arguments
        self.call: ToolCall | None = None
        self.question: ReviewRequest | None = None
        self.expiry: asyncio.TimerHandle | None = None
        self.is_stopped = False
        self.client = ClientQuestions(keep_s)
        self.has_started = False
        self.is_left = False
        self.is_told = False
        self.answer_until_s: float | None = None
        self.task = asyncio.create_task(self._run(run), name="call of an agent")
        self.is_paused = self.is_caller_gone = False
        self.caller_until_s: float | None = None
        self._away: asyncio.TimerHandle | None = None
        self._keep_s = keep_s
        self._away_s = away_s
        self._paused = paused
        self._questions = questions
        self._requests: list[HeldRequest] = []
        self._waiters: set[asyncio.Future[None]] = set()
        self._is_attended = asyncio.Event()
        self.waits_for_request = False
        self._given_id = held_id

    @property
    def tool(self) -> str:
        return self.key.tool

    @cached_property
    def id(self) -> str:
        """Unguessable, and never given twice; most calls end before anybody asks for it."""
        return self._given_id or secrets.token_urlsafe()

    @cached_property
    def mark(self) -> str:
        return self.key.mark

    @property
    def caller(self) -> str:
        """Who calls, for the executor."""
        return caller_of(self.key.agent)

    @property
    def waits(self) -> bool:
        """Whether the call waits for a person, or for a request after the answer."""
        asked = self.call is not None and self.call.response.status is CallStatus.WAITING_FOR_REVIEW
        return asked or self.question is not None or self.waits_for_request or self.is_paused

    @property
    def runs(self) -> bool:
        return self.call is not None and not self.task.done() and not self.waits

    @property
    def waiting(self) -> Waiting:
        question = self.question
        if self.is_paused or question is None:
            return Waiting(None, self.id, self.is_paused)
        ends = question.expires_at
        left_s = None if ends is None else max(0.0, (ends - datetime.now(UTC)).total_seconds())
        return Waiting(left_s, self.id, timing=question.timing)

    def attend(self, request: HeldRequest) -> None:
        """Have a request wait for the outcome."""
        self._requests.append(request)
        self._is_attended.set()
        if self._away is not None:
            self._away.cancel()
            self._away = None
            self._note_caller(is_gone=False)
        if self.waits:
            request.report(self.waiting)

    def leave(self, request: HeldRequest) -> None:
        """Have a request wait no more."""
        self._requests.remove(request)
        if not self._requests:
            self._is_attended.clear()
            # An outcome that is there already waits for another request.
            if not self.task.done():
                self._go_on_without(request)

    def _go_on_without(self, request: HeldRequest) -> None:
        """Go on when the last request has left, or stop where nobody is asked and nothing else keeps it."""
        if not request.stops or self.waits or self.client.is_asked or self.is_left:
            self.miss_caller()
        else:
            self.stop()

    def miss_caller(self) -> None:
        """Count the caller as gone after a while without a request."""
        self._away = asyncio.get_running_loop().call_later(self._away_s, self._on_away)

    def _on_away(self) -> None:
        if not self.task.done():
            self._note_caller(is_gone=True)

    def _note_caller(self, *, is_gone: bool) -> None:
        self.is_caller_gone = is_gone
        if self.call is not None:
            self.call.caller_back_within_s = self.caller_back_within_s
        if self.question is not None:
            self._questions.note_caller(self.question.id, self.caller_back_within_s)

    @property
    def caller_back_within_s(self) -> float | None:
        """How long it waits for its caller once it is allowed, in seconds; None while the caller waits."""
        return self._keep_s if self.is_caller_gone else None

    def begin(self, call: ToolCall) -> None:
        """Be about a call from now on."""
        self.call = call
        if self.is_caller_gone:
            call.caller_back_within_s = self.caller_back_within_s

    def stop(self) -> None:
        self.is_stopped = True
        if self.call is not None:
            self.call.cancel()
        else:
            self.task.cancel()

    async def _run(self, run: Callable[[HeldCall], Coroutine[None, None, Outcome]]) -> Outcome:
        try:
            return await run(self)
        finally:
            # Whoever waits goes on in the next turn of the loop, in which the task is done; its callbacks take two.
            self._wake_requests()

    def _wake_requests(self) -> None:
        for waiter in self._waiters:
            _wake(waiter)

    async def wait(self, ends: Iterable[asyncio.Future[Any]], timeout_s: float | None) -> None:
        """Wait until the call ended or begins to wait, or one of some futures is done, or a time passed.

        Args:
            timeout_s: How long it is waited at most, in seconds; None for as long as it takes.
        """
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        wake = partial(_wake, waiter)
        watched = [self.task, *ends]
        for end in watched:
            end.add_done_callback(wake)
        timer = None if timeout_s is None else loop.call_later(timeout_s, wake)
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)
            if timer is not None:
                timer.cancel()
            for end in watched:
                end.remove_done_callback(wake)

    def note_question(self, question: ReviewRequest | None) -> None:
        """Hear what a person is asked about it now; None for nothing."""
        self.question = question
        if question is not None:
            # What is allowed now has its whole time.
            self.caller_until_s = None
            self._wake_requests()

    def tell(self, progress: Progress) -> None:
        for request in self._requests:
            request.report(progress)

    async def unpaused(self) -> None:
        """Wait until a person lets calls go on."""
        try:
            while self._paused() is not None:
                if not self.is_paused:
                    self.is_paused = True
                    self._wake_requests()
                await asyncio.sleep(_LOOK_S)
        finally:
            self.is_paused = False

    async def released(self, run: Run) -> None:
        """Wait until a request takes the outcome and nobody pauses calls, then let the tool start.

        Raises:
            CallerGoneError: No request came in time.
        """
        if self.is_left:
            # The program that took over makes it.
            self.stop()
            await asyncio.sleep(0)
        self.waits_for_request = True
        try:
            while all(request.is_gone for request in self._requests) or self._paused() is not None:
                self._wake_requests()
                await self.unpaused()
                # A request whose client is gone leaves when it is its turn.
                await asyncio.sleep(0)
                if not self._requests:
                    await self._caller_back(run)
                if run.recheck is not None:
                    # Under other rules, or with another tool, what was agreed to counts no more.
                    await run.recheck(run)
        except TimeoutError:
            message = f"the agent left and did not ask again within {self._keep_s:g} s, so nothing was run"
            raise CallerGoneError(message, remedy="The agent may call the tool again.") from None
        finally:
            self.waits_for_request = False
        self.has_started = True

    async def _caller_back(self, run: Run) -> None:
        """Wait until a request is there.

        Raises:
            TimeoutError: None came in time.
        """
        now_s = time()
        # What another program handed over has the time that was left there.
        until_s = self.caller_until_s = now_s + self._keep_s if self.caller_until_s is None else self.caller_until_s
        with run.awaiting_caller(datetime.fromtimestamp(until_s, UTC)):
            async with asyncio.timeout(until_s - now_s):
                await self._is_attended.wait()
        self.caller_until_s = None


class HeldCalls:
    """Make and hold the calls of agents; on the executor's loop.

    Args:
        started: Marks those whose tools are started.
        keep_s: How long a call waits for a request, and an outcome for one that takes it.
        tick_s: How often a request is told that it waits.
        away_s: How long no request of a call may be there before its caller has given up.

    Attributes:
        moving: Done when another program takes over.
        answer_within_s: How long a person may take to allow a call, in seconds; None is as its tool says.
    """

    def __init__(
        self,
        executor: Executor,
        started: StartedCalls,
        *,
        keep_s: float = KEEP_S,
        tick_s: float = TICK_S,
        away_s: float = AWAY_S,
        paused: LookForPause = lambda: None,
    ) -> None:
        self._executor = executor
        self._started = started
        self._keep_s = keep_s
        self._tick_s = tick_s
        self._away_s = away_s
        self._paused = paused
        self.answer_within_s: float | None = None
        self._held: dict[_Key, HeldCall] = {}
        self._by_call: dict[str, HeldCall] = {}
        self._is_closed = False
        loop = asyncio.get_running_loop()
        self.moving: asyncio.Future[None] = loop.create_future()
        self._moved: asyncio.Future[None] = loop.create_future()
        self._running_on: dict[asyncio.Task[Outcome], HeldCall] = {}
        self._given = QuestionsGiven(executor)
        self._relaying: asyncio.Task[None] | None = None
        self._remove_listener = executor.add_listener(_Listener(self._by_call, self._given, loop))

    def waiting(self, agent: str) -> int:
        """Return how many calls of an agent wait for a person, or for its next request."""
        return sum(held.waits for key, held in self._held.items() if key.agent == agent)

    def allowed(self, agent: str) -> int:
        """Return how many of them are allowed and wait for its next request."""
        return sum(
            held.waits_for_request and held.question is None for key, held in self._held.items() if key.agent == agent
        )

    @property
    def running(self) -> int:
        return sum(held.runs for held in self._held.values())

    def withdraw(self, agent: str) -> None:
        """Stop the calls of an agent that wait and were not started, with the questions about them."""
        for key, held in list(self._held.items()):
            if key.agent == agent and held.waits and not held.has_started:
                held.stop()

    def stop_running(self) -> None:
        for held in list(self._held.values()):
            if held.runs:
                held.stop()

    def attach(
        self, agent: Agent, tool: str, arguments: Mapping[str, Any], held_id: str = "", session: str = ""
    ) -> HeldCall:
        """Return the held call for a request, made anew when there is none.

        Args:
            held_id: The held call that is meant; empty for any of these.
            session: The id of the session that the request comes in; empty for none.

        Raises:
            UnavailableError: Calls are made no longer, or too many of the agent are held.
            GatewayError: The held call that is meant is none of these, or its outcome was taken.
        """
        if self._is_closed:
            raise UnavailableError("the program ends or changes, so no call is made; try again later")
        key = _key(agent.name, tool, arguments)
        held = self._held.get(key)
        if held is not None and not held.is_stopped and held_id in {"", held.id}:
            return held
        if held is None and self._started.has_left and self._started.was_left(key.mark):
            held = self._hold(key, _left, arguments)
            held.is_left = True
            return held
        if held_id:
            raise GatewayError(
                "expected the requestState of a call that waits, but that call ended, and its outcome was taken or not"
                " asked for in time; call the tool again without requestState for another call"
            )
        if sum(key.agent == agent.name for key in self._held) >= MOST_HELD:
            raise UnavailableError(f"{MOST_HELD} calls of this agent wait already; wait for some of them")
        return self._hold(key, lambda held: self._run(held, agent.caller, session), arguments)

    async def outcome(self, held: HeldCall, request: HeldRequest) -> Outcome | Waiting:
        """Return a call when it ended, to a request that waits for it.

        Returns:
            The call; or that it waits for a person, when the request was held long enough or its client is gone, or for
            answers of its client.

        Raises:
            UnavailableError: The call was given up before it was made.
        """
        held.attend(request)
        try:
            if not await self._wait(held, request):
                return held.waiting._replace(moves=self.moving.done())
        finally:
            held.leave(request)
        if held.task.cancelled():
            self._forget(held)
            raise UnavailableError("the call was given up before it was made; try again later")
        if request.written is None:
            self._forget(held)
        else:
            # The same request again is another call from now on, unless this one is not answered after all.
            self._let_go(held)
            if self._started.has_left:
                self._started.tell(held.mark)
            request.written.add_done_callback(lambda written: self._note_written(held, is_written=written.result()))
        return held.task.result()

    def _note_written(self, held: HeldCall, *, is_written: bool) -> None:
        """Forget a call whose outcome an agent has, and hold one again whose outcome was lost on its way."""
        if is_written:
            held.is_told = True
            self._let_go(held)
        if held.key in self._held or self._is_closed:
            return
        if held.is_told:
            self._end_mark(held)
        else:
            self._held[held.key] = held
            self._keep(held)

    def _hold(
        self,
        key: _Key,
        run: Callable[[HeldCall], Coroutine[None, None, Outcome]],
        arguments: Mapping[str, Any],
        held_id: str = "",
    ) -> HeldCall:
        held = self._held[key] = HeldCall(
            key,
            run,
            arguments,
            keep_s=self._keep_s,
            away_s=self._away_s,
            paused=self._paused,
            questions=self._executor.questions,
            held_id=held_id,
        )
        held.task.add_done_callback(lambda _: self._keep(held))
        return held

    async def _run(self, held: HeldCall, caller: str, session: str = "", handed: HandedCall | None = None) -> ToolCall:
        await held.unpaused()
        calling_client.set(held.client)
        origin = CallOrigin(session=session) if session else None
        call = await self._executor.propose(held.key.tool, held.arguments, caller=caller, origin=origin)
        held.begin(call)
        self._by_call[call.id] = held
        if handed is not None:
            resume(self._executor, call, handed)
            held.caller_until_s = handed.caller_until_s

        async def released(run: Run) -> None:
            await held.released(run)
            if call.tool is not None and not call.tool.hints.read_only:
                # What changes nothing may run twice.
                self._started.begin(held.mark)

        # Where a reviewer is missing, or stops the whole run, the response says so as well.
        until_s = held.answer_until_s
        left_s = self.answer_within_s if until_s is None else max(until_s - time(), _LEAST_S)
        with suppress(ToolError):
            await self._executor.execute(call, released=released, answer_within_s=left_s)
        return call

    async def _wait(self, held: HeldCall, request: HeldRequest) -> bool:
        """Wait for the end of a call; return whether it is there and somebody to take it."""
        loop = asyncio.get_running_loop()
        until = loop.time() + request.hold_s
        ends: list[asyncio.Future[Any]] = [self.moving]
        if request.gone is not None:
            ends.append(request.gone)
        while True:
            left_s = until - loop.time()
            # A tool that runs is waited for, until it ends or asks something.
            patience_s = min(self._tick_s, max(left_s, 0.0)) if held.waits else None
            asked = [held.client.handed_out] if request.takes_questions else []
            await held.wait([*ends, *asked], patience_s)
            if self.moving.done():
                await self.moved()
                return False
            if request.is_gone:
                return False
            if held.task.done():
                return True
            if request.takes_questions and held.client.is_asked:
                return False
            if not held.waits:
                continue
            if until <= loop.time():
                return False
            request.report(held.waiting)

    async def moved(self) -> None:
        """Wait until another program serves: whoever comes again at once is to find that one."""
        await asyncio.wait({self._moved}, timeout=MOVE_S)

    def _keep(self, held: HeldCall) -> None:
        """Have an ended call forgotten if no request takes its outcome."""
        if self._held.get(held.key) is not held:
            return
        if held.task.cancelled() or (held.call is not None and held.call.response.status is CallStatus.CANCELLED):
            # The agent stopped it; asked again, it is another call.
            self._forget(held)
            return
        held.expiry = asyncio.get_running_loop().call_later(self._keep_s, self._forget, held)

    def _forget(self, held: HeldCall) -> None:
        # Of a call that ends with the program nobody may have heard.
        if self._let_go(held) and not self._is_closed:
            self._end_mark(held)

    def _end_mark(self, held: HeldCall) -> None:
        # Most programs have no marks most of the time: what changes nothing gets none.
        if self._started.has_marks:
            self._started.end(held.mark)

    def _let_go(self, held: HeldCall) -> bool:
        """Hold a call no longer; return whether it was the one that is held."""
        is_held = self._held.get(held.key) is held
        if is_held:
            del self._held[held.key]
        if held.expiry is not None:
            held.expiry.cancel()
        if held.call is not None:
            self._by_call.pop(held.call.id, None)
        return is_held

    def find(self, held_id: str) -> HeldCall | None:
        """Return a held call; None when it is not held any more."""
        return next((held for held in self._held.values() if held.id == held_id), None)

    @property
    def agents(self) -> frozenset[str]:
        return frozenset(key.agent for key in self._held)

    @property
    def marks(self) -> frozenset[str]:
        return frozenset(key.mark for key in self._held)

    def take(self, taken: HandoverSource) -> None:
        """Hold what another program held, and refuse what was refused there a moment ago."""
        running: dict[str, asyncio.Future[dict[str, Any] | None]] = {}
        for refusal in taken.handed.refusals:
            self._executor.questions.heed(refusal)
        for handed in taken.handed.calls:
            key = _key(handed.agent, handed.tool, handed.arguments)
            if handed.runs:
                running[handed.held_id] = asyncio.get_running_loop().create_future()
            run = self._taken(handed, running.get(handed.held_id))
            held = self._hold(key, run, handed.arguments, handed.held_id)
            held.is_left = held.has_started = handed.runs
            held.answer_until_s = handed.answer_until_s
            held.is_caller_gone = handed.is_caller_gone
            held.miss_caller()
        self._relaying = asyncio.create_task(self._relay(taken, running), name="news of another program")

    def _taken(
        self, handed: HandedCall, ending: asyncio.Future[dict[str, Any] | None] | None
    ) -> Callable[[HeldCall], Coroutine[None, None, Outcome]]:
        async def go_on(held: HeldCall) -> Outcome:
            answer = handed.answer if ending is None else await ending
            if answer is not None:
                return KnownAnswer(answer)
            held.has_started = False
            if self._is_closed:
                # It was handed on meanwhile.
                held.stop()
                await asyncio.sleep(0)
            held.is_left = False
            await self._tool_there(handed.tool)
            return await self._run(held, caller_of(handed.agent), handed=handed)

        return go_on

    async def _tool_there(self, name: str) -> None:
        """Wait until there is a tool, which a server may be about to bring; not for ever."""
        registry, loop, there = self._executor.registry, asyncio.get_running_loop(), asyncio.Event()

        def on_change(_: RegistryChange) -> None:
            loop.call_soon_threadsafe(there.set)

        unwatch = registry.watch(on_change)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(TOOL_S):
                    while registry.lookup(name) is None:
                        there.clear()
                        await there.wait()
        finally:
            unwatch()

    async def _relay(self, taken: HandoverSource, running: Mapping[str, asyncio.Future[dict[str, Any] | None]]) -> None:
        """Let calls end that run in another program; of those that it does not tell, nobody knows whether they ran."""
        questions = QuestionsTaken(self._executor, taken.reply)
        try:
            async for said in taken.news():
                if said.question is not None:
                    questions.take(said.question, self.find(said.question.held_id))
                questions.withdraw(said.withdrawn)
                answer = None if said.end is None else running.get(said.end.held_id)
                if said.end is not None and answer is not None and not answer.done():
                    answer.set_result(said.end.answer)
        finally:
            questions.close()
            taken.close()
            for answer in running.values():
                if not answer.done():
                    answer.set_result(left_answer())

    def hand_over(self, answer_of: Callable[[Outcome], dict[str, Any]]) -> tuple[HandedCall, ...]:
        """Make no further call, and return what is held: another program goes on with it, but for what runs already.

        A request that waits is told to come again, once `is_taken_over` was called.

        Args:
            answer_of: Returns what a request is answered with.
        """
        self._answer_of = answer_of
        self._is_closed = True
        self._started.close()
        self.moving.set_result(None)
        handed = []
        for key, held in self._held.items():
            if held.is_stopped or held.task.cancelled():
                continue
            is_over, held.is_left = held.task.done(), True
            waits = held.waits and not held.has_started
            answer = answer_of(held.task.result()) if is_over else None
            approval = approval_of(self._executor, held.call) if held.waits_for_request else None
            runs = not is_over and not waits
            handed.append(
                HandedCall(
                    held_id=held.id,
                    agent=key.agent,
                    tool=key.tool,
                    arguments=dict(held.arguments),
                    approval=approval,
                    edit=edit_of(held.call, held.question) if waits and held.call is not None else None,
                    answer=answer,
                    runs=runs,
                    answer_until_s=self._answer_until_s(held),
                    is_caller_gone=held.is_caller_gone,
                    caller_until_s=held.caller_until_s,
                )
            )
            if runs:
                self._running_on[held.task] = held
                held.client.move(partial(self._given.ask_client, held.id))
                if held.question is not None:
                    self._given.ask_person(held.id, held.question)
            elif waits:
                held.stop()
        return tuple(handed)

    def _answer_until_s(self, held: HeldCall) -> float | None:
        if held.question is None:
            return held.answer_until_s
        asked = self._executor.questions.request_of(held.question.attached_to or held.question.id) or held.question
        return None if asked.expires_at is None else asked.expires_at.timestamp()

    def is_taken_over(self) -> None:
        """Let the requests that wait come again."""
        if not self._moved.done():
            self._moved.set_result(None)

    async def news(self) -> AsyncIterator[HandedNews]:
        """Yield what becomes of the calls that run on here, until there are no more."""
        asked = asyncio.ensure_future(self._given.news.get())
        try:
            while self._running_on:
                done, _ = await asyncio.wait([asked, *self._running_on], return_when=asyncio.FIRST_COMPLETED)
                if asked.done():
                    yield asked.result()
                    asked = asyncio.ensure_future(self._given.news.get())
                for task in self._running_on.keys() & done:
                    held = self._running_on.pop(task)
                    yield HandedNews(end=HandedEnd(held_id=held.id, answer=self._end_of(held)))
        finally:
            asked.cancel()
            self._given.close()

    def take_reply(self, reply: HandedReply) -> None:
        """Hear the answer to a question of a tool that runs on here."""
        self._given.take(reply)

    def _end_of(self, held: HeldCall) -> dict[str, Any] | None:
        if held.is_stopped and not held.has_started:
            return None
        outcome = None if held.task.cancelled() else held.task.result()
        if isinstance(outcome, ToolCall) and outcome.response.status in {CallStatus.CANCELLED, CallStatus.ABORTED}:
            outcome = None
        return left_answer() if outcome is None else self._answer_of(outcome)

    async def aclose(self) -> None:
        """Give every held call up, and make no further one."""
        self._is_closed = True
        self._remove_listener()
        if self._relaying is not None:
            self._relaying.cancel()
        tasks = [held.task for held in self._held.values()]
        for held in self._held.values():
            held.stop()
        await asyncio.gather(*tasks, return_exceptions=True)
        for held in list(self._held.values()):
            self._forget(held)


class _Listener:
    """Tells held calls of their questions and of how far their tools are."""

    wants = (ReviewAsked, ReviewDecided, Progressed, CallFinished)

    def __init__(self, by_call: Mapping[str, HeldCall], given: QuestionsGiven, loop: asyncio.AbstractEventLoop) -> None:
        self._by_call = by_call
        self._given = given
        self._loop = loop

    def __call__(self, event: Event) -> None:
        if not isinstance(event, ReviewAsked | ReviewDecided | Progressed | CallFinished):
            return
        held = self._by_call.get(event.call.id)
        if held is None:
            return
        match event:
            case ReviewAsked():
                if held.is_left and not held.has_started:
                    # The program that took over asks, when the agent calls again.
                    held.stop()
                elif held.is_left:
                    self._given.ask_person(held.id, event.request)
                held.note_question(event.request)
            case Progressed():
                # A synchronous tool says it from its thread.
                self._loop.call_soon_threadsafe(held.tell, event.progress)
            case ReviewDecided():
                self._given.withdraw(event.request.id)
                held.question = None
            case _:
                held.question = None


def _wake(waiter: asyncio.Future[None], *_: object) -> None:
    if not waiter.done():
        waiter.set_result(None)


async def _left(_: HeldCall) -> Outcome:
    return KnownAnswer(left_answer())
