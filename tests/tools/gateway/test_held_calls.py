"""A call that waits for a person outlives its request, runs at most once, and never for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.tools.gateway.serving import Reviewer
from tests.tools.running import until
from tools import CallStatus, Concern, Edit, Executor, ExitEarly, ToolContext, resilience, tool
from tools.calls import (
    CallerAwaited,
    ErrorKind,
    Event,
    Progress,
    ReviewTiming,
    StepKind,
    StepOutcome,
    ToolCall,
    record_of,
)
from tools.declare import resolve_tools
from tools.gateway.agents import Agent
from tools.gateway.answers import answer_of, waiting_answer, waiting_words
from tools.gateway.handover import Handover, KnownAnswer
from tools.gateway.held_calls import HeldCall, HeldCalls, HeldRequest, Outcome, Waiting
from tools.gateway.start_marks import StartedCalls
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation, RuleMoment
from tools.registry import ToolRegistry

AGENT = Agent(name="claude", token_digest="", token_hint="", created_at=datetime(2026, 3, 1, tzinfo=UTC))
OTHER = AGENT.model_copy(update={"name": "cursor"})
HOLD_S = 0.02


def _outside(arguments: Mapping[str, Any], project_dir: Path) -> Iterable[Concern]:
    if arguments["host"] != "example.org":
        yield Concern("host", f"Reaches {arguments['host']}", grants=arguments["host"])


class Desk:
    """An executor with some tools, what they did, and who is asked."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.leave_running = asyncio.Event()
        self.reviewer = Reviewer()

        @tool(destructive=True)
        def erase(name: str) -> str:
            """Erase something."""
            self.ran.append(name)
            return f"erased {name}"

        @tool(read_only=True)
        async def watch(ctx: ToolContext) -> str:
            """Watch for long."""
            ctx.progress(1, 2, "half")
            await self.leave_running.wait()
            return "seen"

        @tool(concerns=_outside)
        def fetch(host: str) -> str:
            """Fetch a page."""
            self.ran.append(host)
            return f"fetched {host}"

        def spare(name: str) -> str:
            """Answer in the place of another tool."""
            self.ran.append("spare")
            return name

        @resilience(fallback="spare")
        @tool(destructive=True)
        def replaced(name: str) -> str:
            """Erase something, or have it answered."""
            self.ran.append(name)
            return name

        registry = ToolRegistry()
        registry.register_all(resolve_tools([erase, watch, fetch, tool(spare), replaced]))
        self.executor = Executor(registry, review_handler=self.reviewer, policy=Policy(autonomy=Autonomy.SUPERVISED))


@asynccontextmanager
async def desk_of(
    keep_s: float = 30.0, tick_s: float = 0.005, away_s: float = 30.0
) -> AsyncIterator[tuple[Desk, HeldCalls]]:
    desk = Desk()
    with TemporaryDirectory() as folder:
        started = StartedCalls(Path(folder))
        held = HeldCalls(desk.executor, started, keep_s=keep_s, tick_s=tick_s, away_s=away_s)
        try:
            yield desk, held
        finally:
            await held.aclose()
            started.close()
            await desk.executor.aclose()


def quiet(_: Progress | Waiting) -> None:
    pass


def request(hold_s: float = HOLD_S, report: Callable[[Any], None] = quiet) -> HeldRequest:
    return HeldRequest(report, hold_s, asyncio.get_running_loop().create_future())


async def erased(
    held: HeldCalls, agent: Agent = AGENT, report: Callable[[Any], None] = quiet, hold_s: float = 30
) -> Outcome | Waiting:
    return await held.outcome(held.attach(agent, "erase", {"name": "x"}), request(hold_s, report))


async def left_by_agent(desk: Desk, held: HeldCalls) -> HeldCall:
    """Have an agent ask for something, and leave while a person is asked."""
    assert isinstance(await erased(held, hold_s=HOLD_S), Waiting)
    await desk.reviewer.asked.wait()
    (waiting,) = held._held.values()
    return waiting


async def test_a_call_that_asks_nobody_answers_at_once() -> None:
    async with desk_of() as (desk, held):
        desk.leave_running.set()
        seen: list[object] = []
        ended = await held.outcome(held.attach(AGENT, "watch", {}), request(report=seen.append))
        assert isinstance(ended, ToolCall)
        assert (ended.response.text, ended.caller) == ("seen", "agent:claude")
        assert seen == [Progress(1, 2, "half")]


async def test_a_request_is_held_and_told_that_it_waits_then_the_agent_is_told_to_ask_again() -> None:
    async with desk_of() as (desk, held):
        seen: list[Any] = []
        asking = asyncio.create_task(erased(held, report=seen.append))
        await until(lambda: len(seen) > 1)
        asking.cancel()
        waiting = await erased(held, hold_s=HOLD_S)
        assert isinstance(waiting, Waiting)
        assert waiting.left_s is not None
        assert 290 < waiting.left_s <= 300
        assert all(isinstance(one, Waiting) for one in seen)
        assert (held.waiting("claude"), held.waiting("cursor")) == (1, 0)
        answer = waiting_answer(waiting)
        assert answer["isError"] is False
        assert str(answer["content"]).startswith("[{'type': 'text', 'text': 'Pending: a person is asked")
        assert desk.ran == []


async def test_a_request_hears_at_once_that_its_call_begins_to_wait() -> None:
    async with desk_of(tick_s=3_600) as (_, held):
        seen: list[Any] = []
        asking = asyncio.create_task(erased(held, report=seen.append))
        await until(lambda: any(isinstance(one, Waiting) for one in seen))
        assert isinstance(await erased(held, OTHER, hold_s=0), Waiting)
        asking.cancel()


async def test_the_same_request_again_is_attached_and_takes_the_outcome_once() -> None:
    async with desk_of() as (desk, held):
        first = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        second = asyncio.create_task(erased(held))
        await asyncio.sleep(0)
        desk.reviewer.answer()
        ended = await asyncio.gather(first, second)
        assert [type(one) for one in ended] == [ToolCall, ToolCall]
        assert ended[0] is ended[1]
        assert desk.ran == ["x"]
        assert len(desk.reviewer.requests) == 1


async def test_the_same_request_of_another_agent_is_another_call() -> None:
    async with desk_of() as (desk, held):
        first = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        desk.reviewer.asked.clear()
        second = asyncio.create_task(erased(held, OTHER))
        await desk.reviewer.asked.wait()
        assert [request.call.caller for request in desk.reviewer.requests] == ["agent:claude", "agent:cursor"]
        second.cancel()
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)


async def test_an_allowed_call_waits_for_its_agent_and_then_runs() -> None:
    async with desk_of() as (desk, held):
        waiting = await left_by_agent(desk, held)
        events: list[Event] = []
        desk.executor.add_listener(events.append)
        desk.reviewer.answer()
        await until(lambda: waiting.caller_until_s is not None)
        call = waiting.call
        assert call is not None
        assert call.response.status is CallStatus.WAITING_FOR_CALLER
        assert 0 < call.caller_until_s - time() <= 30
        assert record_of(call).caller_until_s == call.caller_until_s
        assert (desk.ran, held.waiting("claude"), held.running) == ([], 1, 0)
        ended = await erased(held)
        assert isinstance(ended, ToolCall)
        assert ended.response.text == "erased x"
        assert ended.caller_until_s == 0.0
        assert desk.ran == ["x"]
        told = [event.until for event in events if isinstance(event, CallerAwaited)]
        assert [until is None for until in told] == [False, True]
        (step,) = [step for step in ended.response.steps if step.kind is StepKind.CALLER_WAIT]
        assert step.outcome is StepOutcome.WAITED


async def test_a_call_whose_agent_waits_is_never_said_to_wait_for_it() -> None:
    async with desk_of(away_s=0.0) as (desk, held):
        events: list[Event] = []
        desk.executor.add_listener(events.append)
        asking = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        ended = await asking
        assert isinstance(ended, ToolCall)
        assert not [event for event in events if isinstance(event, CallerAwaited)]
        assert StepKind.CALLER_WAIT not in [step.kind for step in ended.response.steps]


async def test_a_question_says_that_its_agent_has_given_up_and_that_it_is_back() -> None:
    async with desk_of(keep_s=30, away_s=0.01) as (desk, held):
        seen: list[float | None] = []
        desk.executor.questions.watch(lambda request: seen.append(request.caller_back_within_s))
        first = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        (asked,) = desk.reviewer.requests
        assert asked.caller_back_within_s is None
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await until(lambda: seen[-1:] == [30.0])
        open_now = desk.executor.questions.request_of(asked.id)
        assert open_now is not None
        assert open_now.caller_back_within_s == 30.0
        second = asyncio.create_task(erased(held))
        await until(lambda: seen[-1:] == [None])
        desk.reviewer.answer()
        assert isinstance(await second, ToolCall)
        assert desk.ran == ["x"]


async def test_an_agent_that_comes_back_at_once_has_not_given_up() -> None:
    async with desk_of(away_s=30) as (desk, held):
        seen: list[float | None] = []
        desk.executor.questions.watch(lambda request: seen.append(request.caller_back_within_s))
        for _ in range(3):
            assert isinstance(await erased(held, hold_s=HOLD_S), Waiting)
        assert desk.reviewer.asked.is_set()
        assert 30.0 not in seen


async def test_an_allowed_call_whose_agent_stays_away_expires_and_runs_never() -> None:
    async with desk_of(keep_s=0.03) as (desk, held):
        events: list[Event] = []
        desk.executor.add_listener(events.append)
        waiting = await left_by_agent(desk, held)
        desk.reviewer.answer()
        ended = await waiting.task
        assert isinstance(ended, ToolCall)
        assert "did not ask again within 0.03 s, so nothing was run" in ended.response.text
        assert ended.response.status is CallStatus.TIMED_OUT
        assert ended.response.error is not None
        assert ended.response.error.kind is ErrorKind.EXPIRED
        assert ended.caller_until_s == 0.0
        assert desk.ran == []
        assert [event.until is None for event in events if isinstance(event, CallerAwaited)] == [False]
        (step,) = [step for step in ended.response.steps if step.kind is StepKind.CALLER_WAIT]
        assert step.outcome is StepOutcome.TIMED_OUT
        assert step.waiting_s >= 0.03
        # It says nothing about the tool.
        stats = desk.executor.metrics.stats("erase")
        assert (stats.count, stats.failures) == (0, 0)


async def test_an_allowed_call_is_not_run_for_an_agent_that_comes_back_under_other_rules() -> None:
    async with desk_of() as (desk, held):
        waiting = await left_by_agent(desk, held)
        desk.reviewer.answer()
        await until(lambda: waiting.caller_until_s is not None)
        policy = desk.executor.policy
        assert policy is not None
        policy.add(Rule(id="never", effect=Effect.DENY, tool="erase"), RuleLocation.SESSION)
        ended = await erased(held)
        assert isinstance(ended, ToolCall)
        assert ended.response.status is CallStatus.DENIED
        assert desk.ran == []


async def test_an_allowed_call_is_asked_about_again_when_its_agent_comes_back_under_other_rules() -> None:
    async with desk_of() as (desk, held):
        waiting = await left_by_agent(desk, held)
        desk.reviewer.answer()
        await until(lambda: waiting.caller_until_s is not None)
        policy = desk.executor.policy
        assert policy is not None
        policy.add(Rule(id="others", effect=Effect.ALLOW, tool="watch"), RuleLocation.SESSION)
        assert isinstance(await erased(held, hold_s=HOLD_S), Waiting)
        await desk.reviewer.asked.wait()
        assert (len(desk.reviewer.requests), held.waiting("claude"), held.allowed("claude")) == (2, 1, 0)
        desk.reviewer.answer()
        await until(lambda: held.allowed("claude") == 1)
        assert desk.ran == []
        assert isinstance(await erased(held), ToolCall)
        assert desk.ran == ["x"]


async def test_nothing_answers_in_the_place_of_a_call_that_expired() -> None:
    async with desk_of(keep_s=0.03) as (desk, held):
        call = held.attach(AGENT, "replaced", {"name": "x"})
        assert isinstance(await held.outcome(call, request()), Waiting)
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        ended = await call.task
        assert isinstance(ended, ToolCall)
        assert ended.response.error is not None
        assert ended.response.error.kind is ErrorKind.EXPIRED
        assert desk.ran == []


async def test_an_agent_that_leaves_while_a_person_is_asked_may_come_back() -> None:
    async with desk_of() as (desk, held):
        first = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        second = asyncio.create_task(erased(held))
        await asyncio.sleep(0)
        desk.reviewer.answer()
        ended = await second
        assert isinstance(ended, ToolCall)
        assert desk.ran == ["x"]
        assert len(desk.reviewer.requests) == 1


async def test_an_agent_that_leaves_a_running_tool_stops_it_and_may_call_again() -> None:
    async with desk_of() as (desk, held):
        progressed = asyncio.Event()
        watching = request(report=lambda _: progressed.set())
        first = asyncio.create_task(held.outcome(held.attach(AGENT, "watch", {}), watching))
        await progressed.wait()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await until(lambda: not desk.executor.open_calls)
        desk.leave_running.set()
        again = await held.outcome(held.attach(AGENT, "watch", {}), request())
        assert isinstance(again, ToolCall)
        assert again.response.status is CallStatus.EXECUTED


async def test_an_outcome_whose_agent_leaves_at_the_last_moment_is_taken_by_its_next_request() -> None:
    async with desk_of() as (desk, held):
        leaving = request(30)
        call = held.attach(AGENT, "erase", {"name": "x"})
        first = asyncio.create_task(held.outcome(call, leaving))
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        await until(call.task.done)
        assert leaving.gone is not None
        leaving.gone.set_result(None)
        taken = await first
        if not isinstance(taken, ToolCall):
            taken = await erased(held)
        assert isinstance(taken, ToolCall)
        assert taken.response.text == "erased x"
        assert desk.ran == ["x"]


async def test_a_refusal_says_that_it_was_decided_why_and_not_to_repeat_it() -> None:
    async with desk_of() as (desk, held):
        asking = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        desk.reviewer.answer(ExitEarly("that is the live database"))
        ended = await asking
        assert isinstance(ended, ToolCall)
        answer = answer_of(ended)
        assert answer["isError"] is True
        text = str(answer["content"])
        assert "that is the live database" in text
        assert "Do not repeat the call" in text
        assert desk.ran == []


async def test_the_same_call_after_a_refusal_is_refused_without_asking_again() -> None:
    async with desk_of() as (desk, held):
        asking = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        desk.reviewer.answer(ExitEarly("no"))
        await asking
        again = await erased(held)
        assert isinstance(again, ToolCall)
        assert again.response.status is CallStatus.DENIED
        assert len(desk.reviewer.requests) == 1


async def test_an_edited_call_says_what_it_ran_with_and_what_the_person_said() -> None:
    async with desk_of() as (desk, held):
        asking = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        desk.reviewer.answer(Edit({"name": "y"}, feedback="x is still in use"))
        ended = await asking
        assert isinstance(ended, ToolCall)
        text = str(answer_of(ended)["content"])
        assert desk.ran == ["y"]
        assert 'It ran with: {"name": "y"}' in text
        assert "The person said: x is still in use" in text


async def test_what_nobody_takes_is_forgotten() -> None:
    async with desk_of(keep_s=0.01) as (desk, held):
        assert isinstance(await erased(held, hold_s=HOLD_S), Waiting)
        await desk.reviewer.asked.wait()
        desk.reviewer.answer(ExitEarly("no"))
        await until(lambda: not held._held)
        assert desk.ran == []


async def test_a_result_that_a_person_looks_at_first_is_kept_until_it_is_allowed() -> None:
    async with desk_of() as (desk, held):
        assert desk.executor.policy is not None
        rule = Rule(id="look", effect=Effect.ASK, moment=RuleMoment.RESULT, caller=AGENT.caller)
        desk.executor.policy.add(rule, RuleLocation.SESSION)
        desk.leave_running.set()

        async def watched(hold_s: float = 30) -> Outcome | Waiting:
            return await held.outcome(held.attach(AGENT, "watch", {}), request(hold_s))

        waiting = await watched(HOLD_S)
        assert isinstance(waiting, Waiting)
        assert waiting_words(waiting).startswith("waiting for a person to look at the result, 4:")
        text = str(waiting_answer(waiting)["content"])
        assert "Pending: the tool ran, and a person looks at its result first" in text
        assert "it will not run again" in text
        await desk.reviewer.asked.wait()
        (question,) = desk.reviewer.requests
        assert (question.result, question.timing) == ("seen", ReviewTiming.AFTER_EXECUTION)
        desk.reviewer.answer(ExitEarly("it names a customer"))
        ended = await watched()
        assert isinstance(ended, ToolCall)
        answer = str(answer_of(ended)["content"])
        assert "it names a customer" in answer
        assert "seen" not in answer
        assert "The tool ran and did what it does; only its result is withheld." in answer


async def test_closing_gives_up_what_waits() -> None:
    async with desk_of() as (desk, held):
        asking = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        await held.aclose()
        ended = await asking
        assert isinstance(ended, ToolCall)
        assert ended.response.status in {CallStatus.CANCELLED, CallStatus.ABORTED}
        assert desk.ran == []


_MOVES = st.lists(st.sampled_from(["ask", "leave", "wait", "allow", "refuse"]), max_size=12)


@given(_MOVES)
def test_whatever_agents_and_people_do_a_call_runs_once_for_each_yes_and_never_unseen(moves: list[str]) -> None:
    asyncio.run(_play(moves))


async def _play(moves: list[str]) -> None:
    async with desk_of() as (desk, held):
        requests: list[asyncio.Task[Outcome | Waiting]] = []
        allowed = 0
        for move in moves:
            match move:
                case "ask":
                    requests.append(asyncio.create_task(erased(held, hold_s=0.004)))
                case "leave" if requests:
                    requests[-1].cancel()
                case "wait":
                    await asyncio.sleep(0.006)
                case "allow" if desk.reviewer.asked.is_set():
                    allowed += 1
                    desk.reviewer.answer()
                case "refuse" if desk.reviewer.asked.is_set():
                    desk.reviewer.answer(ExitEarly("no"))
            await asyncio.sleep(0)
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await asyncio.gather(*requests, return_exceptions=True)
        ends = [task.result() for task in requests if not task.cancelled()]
        executed = {
            call.id for call in ends if isinstance(call, ToolCall) and call.response.status is CallStatus.EXECUTED
        }
        assert len(desk.ran) <= allowed
        assert len(desk.ran) == len(executed), "a call ran whose outcome no request took"


def answered(outcome: Outcome) -> dict[str, Any]:
    return outcome.answer if isinstance(outcome, KnownAnswer) else answer_of(outcome)


class Moved:
    """What one desk hands over to the next, without a connection between them."""

    def __init__(self, held: HeldCalls) -> None:
        handed = Handover(name="", port=0, state_key="", calls=held.hand_over(answered))
        self.handed = Handover.model_validate_json(handed.model_dump_json())
        self.news = held.news
        self.reply = held.take_reply
        held.is_taken_over()

    def close(self) -> None:
        pass


async def test_a_call_that_was_about_to_be_asked_about_when_another_program_took_over_is_asked_about_there() -> None:
    async with desk_of() as (first, former), desk_of() as (desk, held):
        asking = asyncio.create_task(erased(former))
        await asyncio.sleep(0)
        held.take(Moved(former))
        waiting = await asking
        assert isinstance(waiting, Waiting)
        assert waiting.moves
        again = asyncio.create_task(erased(held))
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        ended = await again
        assert isinstance(ended, ToolCall)
        assert (first.ran, desk.ran) == ([], ["x"])


async def test_a_question_whose_agent_has_given_up_says_so_at_once_in_the_program_that_takes_over() -> None:
    async with desk_of(away_s=0.0) as (desk, former), desk_of() as (other, held):
        waiting = await left_by_agent(desk, former)
        await until(lambda: waiting.is_caller_gone)
        held.take(Moved(former))
        await other.reviewer.asked.wait()
        (asked,) = other.reviewer.requests
        assert asked.caller_back_within_s == 30
        again = asyncio.create_task(erased(held))
        await until(lambda: other.executor.questions.request_of(asked.id) == asked._replace(caller_back_within_s=None))
        other.reviewer.answer()
        await again
        assert (desk.ran, other.ran) == ([], ["x"])


async def test_an_agent_that_does_not_come_to_the_program_that_takes_over_has_given_up() -> None:
    async with desk_of() as (_, former), desk_of(away_s=0.0) as (desk, held):
        asking = asyncio.create_task(erased(former))
        await asyncio.sleep(0)
        held.take(Moved(former))
        await asking
        await desk.reviewer.asked.wait()
        (asked,) = desk.reviewer.requests
        shown = desk.executor.questions.request_of
        await until(lambda: (now := shown(asked.id)) is not None and now.caller_back_within_s == 30)


async def test_an_allowed_call_has_in_the_next_program_the_time_that_was_left_of_it() -> None:
    async with desk_of(keep_s=30) as (desk, former), desk_of(keep_s=600) as (other, held):
        waiting = await left_by_agent(desk, former)
        desk.reviewer.answer()
        await until(lambda: waiting.caller_until_s is not None)
        until_s = waiting.caller_until_s
        events: list[Event] = []
        other.executor.add_listener(events.append)
        held.take(Moved(former))
        await until(lambda: any(isinstance(event, CallerAwaited) for event in events))
        (told,) = [event.until for event in events if isinstance(event, CallerAwaited)]
        assert told is not None
        assert told.timestamp() == pytest.approx(until_s, abs=0.001)
        assert isinstance(await erased(held), ToolCall)
        assert (desk.ran, other.ran, other.reviewer.requests) == ([], ["x"], [])


async def test_a_call_that_the_next_program_asks_about_again_has_its_whole_time_once_it_is_allowed() -> None:
    async with desk_of(keep_s=0.2) as (desk, former), desk_of(keep_s=600) as (other, held):
        waiting = await left_by_agent(desk, former)
        desk.reviewer.answer()
        await until(lambda: waiting.caller_until_s is not None)
        other.executor.project_dir = Path("/elsewhere")
        held.take(Moved(former))
        await other.reviewer.asked.wait()
        await asyncio.sleep(0.2)
        other.reviewer.answer()
        (taken,) = held._held.values()
        await until(lambda: taken.caller_until_s is not None)
        assert taken.caller_until_s is not None
        assert 500 < taken.caller_until_s - time() <= 600
        assert isinstance(await erased(held), ToolCall)
        assert other.ran == ["x"]


async def test_an_edit_that_raised_its_question_again_goes_over_with_its_new_reasons() -> None:
    async with desk_of() as (desk, former), desk_of() as (other, held):
        call = former.attach(AGENT, "fetch", {"host": "one.example"})
        assert isinstance(await former.outcome(call, request()), Waiting)
        await desk.reviewer.asked.wait()
        desk.reviewer.answer(Edit({"host": "two.example"}))
        await until(lambda: len(desk.reviewer.requests) == 2)
        held.take(Moved(former))
        await other.reviewer.asked.wait()
        (asked,) = other.reviewer.requests
        assert asked.arguments == {"host": "two.example"}
        assert asked.new_reasons == desk.reviewer.requests[-1].new_reasons == ("Reaches two.example",)
        other.reviewer.answer()
        ended = await held.outcome(held.attach(AGENT, "fetch", {"host": "one.example"}), request(30))
        assert isinstance(ended, ToolCall)
        assert ended.response.modified_arguments == {"host": "two.example"}
        assert (desk.ran, other.ran) == ([], ["two.example"])


@given(st.lists(st.sampled_from(["ask", "leave", "wait", "allow", "refuse", "move"]), max_size=14))
def test_however_often_another_program_takes_over_a_call_runs_once_for_each_yes(moves: list[str]) -> None:
    asyncio.run(_move_on(moves))


async def _move_on(moves: list[str]) -> None:
    async with AsyncExitStack() as opened:
        desk, held = await opened.enter_async_context(desk_of())
        desks, allowed = [desk], 0
        requests: list[asyncio.Task[Outcome | Waiting]] = []
        for move in moves:
            match move:
                case "ask":
                    requests.append(asyncio.create_task(erased(held, hold_s=0.004)))
                case "leave" if requests:
                    requests[-1].cancel()
                case "wait":
                    await asyncio.sleep(0.006)
                case "allow" if desk.reviewer.asked.is_set():
                    allowed += 1
                    desk.reviewer.answer()
                case "refuse" if desk.reviewer.asked.is_set():
                    desk.reviewer.answer(ExitEarly("no"))
                case "move":
                    former = held
                    desk, held = await opened.enter_async_context(desk_of())
                    desks.append(desk)
                    held.take(Moved(former))
            await asyncio.sleep(0)
        await asyncio.wait([*requests, asyncio.create_task(asyncio.sleep(0))], timeout=1)
        assert sum(len(one.ran) for one in desks) <= allowed
        # Whatever became of it, it can be asked for, and what was allowed runs now at the latest.
        last = asyncio.create_task(erased(held))
        await until(lambda: last.done() or desk.reviewer.asked.is_set())
        if desk.reviewer.asked.is_set():
            allowed += 1
            desk.reviewer.answer()
        await last
        assert sum(len(one.ran) for one in desks) <= allowed


async def test_an_outcome_that_was_lost_on_its_way_waits_for_the_next_request_and_one_that_arrived_does_not() -> None:
    async with desk_of() as (desk, held):
        lost, arrived = (asyncio.get_running_loop().create_future() for _ in range(2))
        first = asyncio.create_task(
            held.outcome(held.attach(AGENT, "erase", {"name": "x"}), HeldRequest(quiet, 30, written=lost))
        )
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        outcome = await first
        lost.set_result(False)
        await asyncio.sleep(0)
        again = held.attach(AGENT, "erase", {"name": "x"})
        assert await held.outcome(again, HeldRequest(quiet, 30, written=arrived)) is outcome
        arrived.set_result(True)
        await asyncio.sleep(0)
        another = held.attach(AGENT, "erase", {"name": "x"})
        assert another is not again
        another.stop()
        assert desk.ran == ["x"]


async def test_a_call_that_is_made_before_the_former_one_is_written_is_another_one() -> None:
    async with desk_of() as (desk, held):
        lost = asyncio.get_running_loop().create_future()
        first = asyncio.create_task(
            held.outcome(held.attach(AGENT, "erase", {"name": "x"}), HeldRequest(quiet, 30, written=lost))
        )
        await desk.reviewer.asked.wait()
        desk.reviewer.answer()
        await first
        newer = held.attach(AGENT, "erase", {"name": "x"})
        lost.set_result(False)
        await asyncio.sleep(0)
        assert held.attach(AGENT, "erase", {"name": "x"}) is newer
        newer.stop()


@pytest.mark.parametrize("known", [frozenset(), frozenset({"a"})], ids=["of a program that was killed", "handed over"])
async def test_the_mark_of_a_call_of_another_program_is_taken_away_at_its_end(
    tmp_path: Path, known: frozenset[str]
) -> None:
    StartedCalls(tmp_path).begin("a")
    started = StartedCalls(tmp_path)
    started.look(known)
    assert (started.has_left, started.was_left("a")) == (not known, not known)
    started.end("a")
    assert not started.has_left
    started.close()
    assert not _names_in(tmp_path)


def _names_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]
