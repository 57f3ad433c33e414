from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tests.tools.running import Answers, Recorder, Silence, until
from tools import (
    ArgumentsError,
    CallStateError,
    CallStatus,
    Concern,
    Continue,
    Edit,
    ExitEarly,
    ExitEarlyError,
    PathRole,
    Session,
    ToolConfigurationError,
    ToolContext,
    ToolFailure,
    cached,
    response_for_model,
    security,
    tool,
    toolkit,
)
from tools.calls import CallFinished, CallProposed, CallRecord, ErrorKind, GuardChanged, ReviewAsked, ReviewDecided
from tools.history import History
from tools.retention import RetentionMark
from tools.session import TurnResult
from tools.session.context_window import ContextWindow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.running import ExecutorOf
    from tools import ReviewDecision, ToolCall

Asked = tuple[str, dict[str, Any]]
DECISIONS: list[ReviewDecision] = [Continue(), Continue("well"), ExitEarly("no"), Edit({"n": 7})]


@tool
async def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@tool(requires_confirmation=True)
async def publish(text: str) -> str:
    """Publish a text."""
    return f"published {text}"


@tool
async def read(path: Annotated[str, PathRole()]) -> str:
    """Read a file."""
    return path


@tool
async def fail(why: str) -> None:
    """Fail."""
    raise ToolFailure(why)


TOOLS = (add, publish, read, fail)


class TestTurns:
    @pytest.mark.reference("D52")
    async def test_calls_of_one_turn_run_side_by_side(self, executor_of: ExecutorOf) -> None:
        together = asyncio.Barrier(3)

        @tool
        async def meet(name: str) -> str:
            await together.wait()
            return name

        session = Session(executor_of(meet), caller="agent:writer")
        result = await session.run_turn([("meet", {"name": name}) for name in "abc"])
        assert result.texts == ("a", "b", "c")
        assert [call.caller for call in result.calls] == ["agent:writer"] * 3
        assert (result.number, result.waits, result.limit_reached) == (1, False, False)

    @pytest.mark.reference("D52")
    async def test_a_tool_that_wants_no_company_runs_one_at_a_time_in_order(self, executor_of: ExecutorOf) -> None:
        said: list[str] = []

        @tool(parallelizable=False)
        async def alone(name: str) -> None:
            said.append(f"{name} in")
            for _ in range(5):
                await asyncio.sleep(0)
            said.append(f"{name} out")

        session = Session(executor_of(alone, add))
        result = await session.run_turn([("alone", {"name": "a"}), ("add", {"a": 1}), ("alone", {"name": "b"})])
        assert [response.status for response in result.responses] == [CallStatus.EXECUTED] * 3
        assert said == ["a in", "a out", "b in", "b out"]

    async def test_a_call_that_cannot_run_harms_no_other(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS))
        result = await session.run_turn(
            [("ad", {}), ("add", {}), ("add", "{"), ("fail", {"why": "no"}), ("add", {"a": 1})]
        )
        statuses = [response.status.value for response in result.responses]
        assert statuses == ["not_found", "rejected", "rejected", "failed", "executed"]
        assert not result.waits
        assert "Did you mean 'add'?" in result.texts[0]
        assert "a is required" in result.texts[1]
        assert "Correct a and run again." in result.texts[1]

    async def test_an_empty_turn_only_lets_time_pass(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(add))
        assert await session.run_turn([]) == TurnResult(1, (), waits=False, limit_reached=False)
        assert [turn.number for turn in session.turns] == [1]


class TestLimit:
    @pytest.mark.reference("D53")
    async def test_calls_beyond_the_limit_are_skipped_and_the_model_is_told_to_answer(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        recorder = Recorder()
        executor = executor_of(*TOOLS, listeners=[recorder])
        session = Session(executor, max_iterations=3)
        first = await session.run_turn([("add", {"a": 1}), ("publsh", {})])
        assert (first.limit_reached, session.iterations_left) == (False, 1)
        second = await session.run_turn([("add", {"a": 2}), ("add", {"a": 3}), ("publish", {"text": "x"})])
        assert second.limit_reached
        assert not second.waits
        ran, *skipped = second.responses
        assert ran.text == "3"
        for response in skipped:
            assert (response.status, len(response.attempts)) == (CallStatus.REJECTED, 0)
            assert response.error is not None
            assert response.error.kind is ErrorKind.MAX_ITERATIONS
        assert second.texts[1] == (
            "Error: the limit of 3 calls is reached, so 'add' was skipped\n"
            "Make no further calls; answer now with what you have."
        )
        assert session.iterations_left == 0
        assert executor.metrics.counter("skipped_max_iterations", tool="add") == 1
        assert executor.metrics.counter("skipped_max_iterations", tool="publish") == 1
        assert executor.metrics.numbers("add").by_status == {CallStatus.EXECUTED: 2, CallStatus.REJECTED: 1}
        session.begin_task()
        again = await session.run_turn([("add", {"a": 3})])
        assert (again.limit_reached, again.texts) == (False, ("4",))
        names = recorder.names
        assert names.count("CallFinished") == names.count("CallProposed") == 6
        assert "the limit of 3 calls is reached" in caplog.text

    @pytest.mark.reference("D53")
    async def test_a_limit_of_none_is_none_and_of_zero_is_zero(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(add))
        assert session.iterations_left is None
        assert not (await session.run_turn([("add", {"a": n}) for n in range(50)])).limit_reached
        with pytest.raises(ValueError, match="max_iterations must be 0 or more"):
            Session(executor_of(add), max_iterations=-1)

    async def test_nothing_runs_with_a_limit_of_zero(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(add), max_iterations=0)
        assert (await session.run_turn([("add", {"a": 1})])).limit_reached


class TestApproval:
    @pytest.mark.reference("E27")
    @pytest.mark.parametrize("guarded", [("publish", {"text": "x"}), ("read", {"path": "../secret"})])
    async def test_a_turn_waits_as_a_whole_when_one_of_its_calls_asks(
        self, executor_of: ExecutorOf, guarded: Asked
    ) -> None:
        session = Session(executor_of(*TOOLS))
        alone = await session.run_turn([("add", {"a": 1}), ("read", {"path": "inside.txt"})])
        assert not alone.waits
        result = await session.run_turn([("add", {"a": 1}), guarded])
        assert result.waits
        assert [response.status for response in result.responses] == [CallStatus.PENDING] * 2
        turn = session.turns[-1]
        plain, asking = turn.parts
        assert not turn.runs_by_itself
        assert not plain.concerns
        assert len(asking.concerns) == 1
        assert response_for_model(asking.call) == "The call has not run yet: a person decides about it."
        done = await session.start(turn, by="you")
        assert [response.status for response in done.responses] == [CallStatus.EXECUTED] * 2
        assert not done.waits

    @pytest.mark.reference("E27")
    async def test_a_turn_that_waits_lets_no_other_begin(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS))
        await session.run_turn([("publish", {"text": "x"}), ("add", {"a": 1})])
        with pytest.raises(CallStateError, match="turn 1 has 2 calls that wait; start or decline them first"):
            await session.run_turn([("add", {"a": 1})])
        for part in session.turns[0].pending:
            session.decline(part.id)
        assert (await session.run_turn([("add", {"a": 1})])).texts == ("2",)

    @pytest.mark.reference("E27")
    async def test_every_question_is_answered_before_anything_runs(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        answers = Answers(Continue(), ExitEarly("not that one"), Edit({"text": "better"}))
        executor = executor_of(*TOOLS, listeners=[recorder], review_handler=answers)
        session = Session(executor)
        waiting = await session.run_turn(
            [("add", {"a": 1}), *(("publish", {"text": text}) for text in ("first", "second", "third"))]
        )
        assert waiting.waits
        done = await session.start(session.turns[-1])
        assert [response.status.value for response in done.responses] == [
            "executed", "executed", "denied", "executed",
        ]  # fmt: skip
        assert done.texts[3] == ('published better\nA person changed the arguments. It ran with: {"text":"better"}')
        assert len(answers.requests) == 3
        names = recorder.names
        last_decision = max(n for n, name in enumerate(names) if name == "ReviewDecided")
        assert names.index("CallStarted") > last_decision

    @pytest.mark.reference("E27")
    async def test_what_a_person_agreed_to_is_told_and_not_asked_again(self, executor_of: ExecutorOf) -> None:
        recorder, answers = Recorder(), Answers()
        executor = executor_of(*TOOLS, listeners=[recorder], review_handler=answers)
        session = Session(executor)
        await session.run_turn([("publish", {"text": "x"})])
        result = await session.start(session.turns[0], by="mira", feedback="Keep it short.")
        assert result.texts == ("published x\nThe person says: Keep it short.",)
        assert answers.requests == []
        asked = [event for event in recorder.events if isinstance(event, ReviewAsked)]
        decided = [event for event in recorder.events if isinstance(event, ReviewDecided)]
        assert [event.request.arguments for event in asked] == [{"text": "x"}]
        assert [(event.decision, event.by) for event in decided] == [(Continue("Keep it short."), "mira")]

    async def test_a_reason_that_came_later_is_asked_about_all_the_same(self, executor_of: ExecutorOf) -> None:
        reasons: list[Concern] = []

        @tool(requires_confirmation=True, concerns=lambda arguments, folder: reasons)
        async def work_on(text: str) -> str:
            return text

        answers = Answers()
        session = Session(executor_of(work_on, review_handler=answers))
        await session.run_turn([("work_on", {"text": "x"})])
        reasons.append(Concern("new", "New", "It came later."))
        assert (await session.start(session.turns[0], by="you")).texts == ("x",)
        assert answers.kinds == [["confirmation", "new"]]

    async def test_with_nobody_to_ask_the_caller_hears_of_it_and_the_rest_runs(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        session = Session(executor_of(*TOOLS))
        turn = await session.prepare_turn([("publish", {"text": "x"}), ("add", {"a": 1})])
        with pytest.raises(ToolConfigurationError, match="no review handler is configured"):
            await session.start(turn)
        assert [part.response.status.value for part in turn.parts] == ["failed", "pending"]
        assert (await session.start(turn)).texts[1] == "2"

    async def test_stopping_everything_stops_what_runs_and_what_waits(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS, review_handler=Answers(ExitEarly("enough", stop_run=True))))
        turn = await session.prepare_turn([("add", {"a": 1}), ("publish", {"text": "x"}), ("publish", {"text": "y"})])
        with pytest.raises(ExitEarlyError, match="enough"):
            await session.start(turn)
        assert [part.response.status.value for part in turn.parts][:2] == ["cancelled", "denied"]
        assert all(part.response.status.final for part in turn.parts)

    async def test_stopping_everything_from_within_a_tool_stops_its_siblings(self, executor_of: ExecutorOf) -> None:
        @tool
        async def ask(ctx: ToolContext) -> None:
            await ctx.request_approval("May I?")

        @tool
        async def linger() -> None:
            await asyncio.Event().wait()

        session = Session(executor_of(ask, linger, review_handler=Answers(ExitEarly(stop_run=True))))
        with pytest.raises(ExitEarlyError):
            await session.run_turn([("linger", {}), ("ask", {})])
        assert [part.response.status.value for part in session.turns[0].parts] == ["cancelled", "denied"]

    async def test_whoever_gives_up_waiting_leaves_the_question_open(self, executor_of: ExecutorOf) -> None:
        silence = Silence()
        session = Session(executor_of(*TOOLS, review_handler=silence))
        turn = await session.prepare_turn([("publish", {"text": "x"}), ("publish", {"text": "y"})])
        starting = asyncio.ensure_future(session.start(turn))
        await silence.asked.wait()
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert silence.withdrawn
        assert len(turn.pending) == 2
        assert (await session.start(turn, by="you")).texts == ("published x", "published y")

    async def test_closing_ends_open_questions_and_begins_nothing_more(self, executor_of: ExecutorOf) -> None:
        silence = Silence()
        executor = executor_of(*TOOLS, review_handler=silence)
        session = Session(executor)
        turn = await session.prepare_turn([("publish", {"text": "x"}), ("add", {"a": 1})])
        starting = asyncio.ensure_future(session.start(turn))
        await silence.asked.wait()
        assert list(executor.open_calls) == [turn.parts[0].call]
        await executor.aclose()
        result = await starting
        assert [response.status.value for response in result.responses] == ["aborted", "pending"]
        assert not executor.open_calls
        assert silence.withdrawn

    async def test_closing_begins_none_of_the_calls_that_queue(self, executor_of: ExecutorOf) -> None:
        begun = asyncio.Event()

        @tool(parallelizable=False)
        async def alone() -> None:
            begun.set()
            await asyncio.Event().wait()

        executor = executor_of(alone)
        session = Session(executor)
        running = asyncio.ensure_future(session.run_turn([("alone", {}), ("alone", {})]))
        await begun.wait()
        await executor.aclose()
        assert [response.status.value for response in (await running).responses] == ["aborted", "pending"]


class TestDecisions:
    @pytest.mark.reference("E28")
    async def test_arguments_edited_before_the_start_are_recorded_and_reported(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        session = Session(executor_of(*TOOLS, listeners=[recorder]))
        turn = await session.prepare_turn([("publish", {"text": "x"}), ("add", {"a": 1})])
        guarded, plain = turn.parts
        await session.edit(guarded.id, {"text": "y"})
        await session.edit(plain.id, '{"a": 10, "b": 2}', by="mira")
        assert response_for_model(plain.call).endswith('It stands at: {"a":10,"b":2}')
        result = await session.start(turn, by="you")
        assert [response.modified_arguments for response in result.responses] == [{"text": "y"}, {"a": 10, "b": 2}]
        assert result.texts == (
            'published y\nA person changed the arguments. It ran with: {"text":"y"}',
            '12\nA person changed the arguments. It ran with: {"a":10,"b":2}',
        )
        decided = [event for event in recorder.events if isinstance(event, ReviewDecided)]
        assert [(event.request.arguments, event.decision, event.by) for event in decided] == [
            ({"text": "x"}, Edit({"text": "y"}), "you"),
            ({"a": 1, "b": 1}, Edit({"a": 10, "b": 2}), "mira"),
            ({"text": "y"}, Continue(), "you"),
        ]

    @pytest.mark.reference("E28")
    async def test_an_edit_is_checked_and_put_to_the_question_again(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS))
        turn = await session.prepare_turn([("read", {"path": "inside.txt"}), ("read", {"path": "../outside.txt"})])
        inner, outer = turn.parts
        assert ([bool(part.concerns) for part in turn.parts]) == [False, True]
        await session.edit(inner.id, {"path": "../elsewhere.txt"})
        await session.edit(outer.id, {"path": "inside.txt"})
        assert ([bool(part.concerns) for part in turn.parts]) == [True, False]
        with pytest.raises(ArgumentsError, match="path is required"):
            await session.edit(inner.id, {})
        assert inner.call.display_arguments() == {"path": "../elsewhere.txt"}
        session.stop()

    async def test_an_approval_does_not_cover_arguments_that_came_later(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(*TOOLS)
        session = Session(executor)
        (part,) = (await session.prepare_turn([("read", {"path": "../a"})])).parts
        executor.proposals.approve(part.call, part.concerns, by="you")
        await session.edit(part.id, {"path": "../b"})
        assert part.call.approved == ()
        with pytest.raises(ToolConfigurationError):
            await executor.execute(part.call)

    @pytest.mark.reference("E28")
    async def test_a_secret_left_as_bullets_stays_what_it_was(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        @security(mask_fields=("token",))
        async def send(token: str, text: str) -> str:
            return f"{token} {text}"

        recorder = Recorder()
        session = Session(executor_of(send, listeners=[recorder]))
        (part,) = (await session.prepare_turn([("send", {"token": "s3cret", "text": "a"})])).parts
        shown = part.call.display_arguments()
        await session.edit(part.id, {**shown, "text": "b"})
        result = await session.start(session.turns[0], by="you")
        assert result.responses[0].result == "s3cret b"
        assert "s3cret" not in str(result.responses[0].modified_arguments)
        declined = (await session.prepare_turn([("send", {"token": "s3cret", "text": "a"})])).parts[0]
        session.decline(declined.id, "Never send s3cret!")
        assert declined.response.text.endswith("Never send ••••••!")
        decided = [event.decision for event in recorder.events if isinstance(event, ReviewDecided)]
        assert "s3cret" not in str(decided)

    @pytest.mark.reference("E29")
    async def test_a_persons_words_go_back_with_the_response(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS))
        result = await session.run_turn([("add", {"a": 1}), ("fail", {"why": "no paper"})])
        session.give_feedback(1, "That is the sum I wanted.")
        session.give_feedback(2, "Try the other printer.")
        assert result.responses[0].feedback == "That is the sum I wanted."
        assert result.texts == (
            "2\nThe person says: That is the sum I wanted.",
            "Error: no paper\nThe person says: Try the other printer.",
        )

    @pytest.mark.reference("E29", "E30")
    async def test_a_reviewers_words_are_not_said_twice(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS, review_handler=Answers(ExitEarly("Too early."))))
        turn = await session.prepare_turn([("publish", {"text": "x"})])
        (text,) = (await session.start(turn)).texts
        assert text.count("Too early.") == 1

    @pytest.mark.reference("E30")
    async def test_a_declined_call_has_no_result_and_says_so(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        session = Session(executor_of(*TOOLS, listeners=[recorder]))
        turn = await session.prepare_turn([("publish", {"text": "x"}), ("add", {"a": 1})])
        session.decline(1, "Not on a Sunday.")
        session.decline(2, by="mira")
        for part in turn.parts:
            assert part.response.status is CallStatus.DENIED
            assert not part.response.succeeded
            assert len(part.response.attempts) == 0
            with pytest.raises(CallStateError, match="cannot be changed any more: it is denied"):
                session.decline(part.id)
        result = await session.start(turn, by="you")
        advice = "Do not repeat the call as it is; do what the person says, or find another way."
        assert result.texts == (
            f"Declined: the call did not run and has no result. Not on a Sunday.\n{advice}",
            f"Declined: the call did not run and has no result.\n{advice}",
        )
        decided = [event for event in recorder.events if isinstance(event, ReviewDecided)]
        assert [(event.decision, event.by) for event in decided] == [
            (ExitEarly("Not on a Sunday."), "you"), (ExitEarly(), "mira"),
        ]  # fmt: skip
        assert "CallStarted" not in recorder.names
        assert recorder.names.count("CallFinished") == 2

    @pytest.mark.reference("E31")
    async def test_a_running_call_is_stopped_and_the_others_go_on(self, executor_of: ExecutorOf) -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()

        @tool
        async def linger(ever: bool) -> str:
            begun.set()
            await (asyncio.Event() if ever else go_on).wait()
            return "done"

        session = Session(executor_of(linger))
        running = asyncio.ensure_future(session.run_turn([("linger", {"ever": True}), ("linger", {"ever": False})]))
        await begun.wait()
        assert session.stop(1) == 1
        await until(lambda: session.part(1).response.status.final)
        go_on.set()
        result = await running
        assert [response.status.value for response in result.responses] == ["cancelled", "executed"]
        assert "part of its work may be done" in result.texts[0]
        assert session.stop() == 0

    async def test_a_call_can_be_stopped_while_its_question_is_open(self, executor_of: ExecutorOf) -> None:
        silence = Silence()
        session = Session(executor_of(*TOOLS, review_handler=silence))
        turn = await session.prepare_turn([("publish", {"text": "x"})])
        starting = asyncio.ensure_future(session.start(turn))
        await silence.asked.wait()
        assert response_for_model(turn.parts[0].call).startswith("The call has not ended yet")
        assert session.stop() == 1
        assert [response.status.value for response in (await starting).responses] == ["cancelled"]
        assert silence.withdrawn


class TestAgain:
    @pytest.mark.reference("E32")
    async def test_a_call_that_ended_is_run_again_as_a_new_one(self, executor_of: ExecutorOf) -> None:
        results: Iterator[str | Exception] = iter([ToolFailure("not yet"), "second", "third"])

        @cached()
        @tool
        async def next_one(number: int) -> str:
            result = next(results)
            if isinstance(result, Exception):
                raise result
            return result

        recorder = Recorder()
        session = Session(executor_of(next_one, listeners=[recorder]))
        await session.run_turn([("next_one", {"number": 1})])
        part = session.part(1)
        assert part.response.status is CallStatus.FAILED
        assert (await session.run_again(1)).text == "second"
        assert (await session.run_again(1, {"number": 2})).text == "third"
        first, second, third = part.calls
        assert part.call is third
        assert first.origin is not None
        assert first.origin.retry_of == ""
        assert [call.origin.retry_of for call in (second, third) if call.origin] == [first.id] * 2
        assert [call.display_arguments() for call in part.calls] == [{"number": 1}, {"number": 1}, {"number": 2}]
        assert [entry.id for entry in session.turns[0].parts] == [1]
        proposed = [event.call for event in recorder.events if isinstance(event, CallProposed)]
        finished = [event.call for event in recorder.events if isinstance(event, CallFinished)]
        assert proposed == finished
        assert len(proposed) == 3

    @pytest.mark.reference("E32")
    async def test_clearing_puts_a_pending_call_in_its_place(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(*TOOLS))
        turn = await session.prepare_turn([("publish", {"text": "x"})])
        with pytest.raises(CallStateError, match="has not ended"):
            await session.clear(1)
        await session.edit(1, {"text": "y"})
        await session.start(turn, by="you")
        part = await session.clear(1)
        assert part.pending
        assert part.concerns
        assert part.response.text == ""
        assert part.call.display_arguments() == {"text": "y"}
        assert (await session.start(turn, by="you")).texts == ("published y",)
        session.decline((await session.clear(1)).id)
        assert part.response.status is CallStatus.DENIED

    @pytest.mark.reference("E32")
    async def test_running_again_asks_again_unless_the_person_did_it(self, executor_of: ExecutorOf) -> None:
        answers = Answers()
        session = Session(executor_of(*TOOLS, review_handler=answers))
        await session.run_turn([("publish", {"text": "x"})])
        await session.start(session.turns[0])
        assert (await session.run_again(1)).succeeded
        assert len(answers.requests) == 2
        assert (await session.run_again(1, by="you")).succeeded
        assert len(answers.requests) == 2

    @pytest.mark.reference("E32")
    async def test_a_call_that_never_fitted_is_repeated_as_it_came_and_can_be_mended(
        self, executor_of: ExecutorOf
    ) -> None:
        session = Session(executor_of(*TOOLS))
        await session.run_turn([("add", "{"), ("ad", {"a": 1})])
        assert (await session.run_again(1)).status is CallStatus.REJECTED
        assert (await session.run_again(1, {"a": 4})).text == "5"
        assert (await session.run_again(2)).status is CallStatus.NOT_FOUND

    @pytest.mark.reference("E33")
    async def test_a_call_that_runs_is_not_run_again(self, executor_of: ExecutorOf) -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()

        @tool
        async def linger() -> None:
            begun.set()
            await go_on.wait()

        session = Session(executor_of(linger))
        running = asyncio.ensure_future(session.run_turn([("linger", {})]))
        await begun.wait()
        with pytest.raises(CallStateError, match=r"part 1 \(linger\) has not ended \(executing\)"):
            await session.run_again(1)
        with pytest.raises(CallStateError, match="cannot be changed any more: it is executing"):
            session.decline(1)
        go_on.set()
        await running


@toolkit("Notes", turns_to_keep=2)
class Notes:
    @tool
    async def look(self) -> str:
        return "a note"

    @tool(turns_to_keep=0)
    async def glance(self) -> str:
        return "a glimpse"

    @tool(turns_to_keep=-1)
    async def learn(self) -> str:
        return "a lesson"

    @tool
    async def suggest(self, text: str, ctx: ToolContext) -> str:
        """Suggest a change, which a person takes or refuses."""
        decision = await ctx.request_approval(f"Change it to {text!r}?")
        if isinstance(decision, ExitEarly):
            ctx.keep_for(10)
            raise ToolFailure("the change was refused")
        ctx.keep_for(0)
        return "changed"


def seen(session: Session) -> list[int]:
    return [part.id for part in session.visible_parts()]


class TestRetention:
    @pytest.mark.reference("E37", "E38")
    async def test_retention_comes_from_the_part_its_tool_the_toolkit_or_the_session(
        self, executor_of: ExecutorOf
    ) -> None:
        session = Session(executor_of(Notes, add), default_turns_to_keep=3)
        calls: list[Asked] = [("look", {}), ("glance", {}), ("learn", {}), ("add", {"a": 1}), ("add", {"a": 2})]
        await session.run_turn(calls)
        session.set_turns_to_keep(5, 1)
        assert [session.turns_to_keep(session.part(n)) for n in range(1, 6)] == [2, 0, -1, 3, 1]
        ages = [seen(session)]
        for _ in range(4):
            await session.run_turn([])
            ages.append(seen(session))
        assert ages == [[1, 2, 3, 4, 5], [1, 3, 4, 5], [1, 3, 4], [3, 4], [3]]
        assert [session.turns_left(session.part(n)) for n in (1, 3, 4)] == [-2, None, -1]

    @pytest.mark.reference("E37")
    async def test_five_turns_are_the_default(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(add))
        await session.run_turn([("add", {"a": 1})])
        for _ in range(5):
            await session.run_turn([])
            assert seen(session) == [1]
        await session.run_turn([])
        assert seen(session) == []

    @pytest.mark.reference("E34")
    @pytest.mark.parametrize(("decision", "turns"), [(Continue(), 0), (ExitEarly("No."), 10)])
    async def test_a_tool_decides_from_its_outcome(self, executor_of: ExecutorOf, decision: Any, turns: int) -> None:
        session = Session(executor_of(Notes, review_handler=Answers(decision)))
        await session.run_turn([("suggest", {"text": "x"})])
        part = session.part(1)
        assert session.turns_to_keep(part) == turns
        for _ in range(turns):
            await session.run_turn([])
        assert seen(session) == [1]
        await session.run_turn([])
        assert seen(session) == []
        session.set_turns_to_keep(1, -1)
        assert seen(session) == [1]

    @pytest.mark.reference("E36")
    async def test_a_pin_keeps_a_part_and_a_pinned_turn_all_of_its_parts(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(Notes))
        for _ in range(2):
            await session.run_turn([("glance", {}), ("look", {})])
        session.mark(1, RetentionMark.PINNED)
        session.mark(4, RetentionMark.PRUNED)
        assert seen(session) == [1, 2, 3]
        session.mark_turn(2, RetentionMark.PINNED)
        for _ in range(9):
            await session.run_turn([])
        assert seen(session) == [1, 3, 4]
        session.mark_turn(1, RetentionMark.PRUNED)
        assert seen(session) == [1, 3, 4]
        session.mark_turn(2, RetentionMark.AUTO)
        session.mark(1, RetentionMark.AUTO)
        assert seen(session) == []
        with pytest.raises(CallStateError, match="this session has no turn 12; it has 11"):
            session.mark_turn(12, RetentionMark.PINNED)

    async def test_what_has_not_ended_is_never_taken_away(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(Notes))
        await session.run_turn([("glance", {})])
        await session.run_turn([])
        assert seen(session) == []
        await session.clear(1)
        assert seen(session) == [1]
        session.mark(1, RetentionMark.PRUNED)
        assert seen(session) == [1]

    async def test_what_is_hidden_can_be_let_go(self, executor_of: ExecutorOf) -> None:
        session = Session(executor_of(Notes))
        sizes = set()
        for _ in range(50):
            await session.run_turn([("look", {}), ("glance", {}), ("missing", {})])
            session.drop_hidden()
            sizes.add(len(seen(session)))
        # A look is seen for two further turns, a glimpse for none, what has no tool for the session's five.
        assert max(sizes) == 3 + 1 + 6
        assert sum(len(turn.parts) for turn in session.turns) == 10
        assert session.drop_hidden() == 0
        with pytest.raises(CallStateError, match="no part of this session has the id 1; the newest are: "):
            session.mark(1, RetentionMark.PINNED)

    @pytest.mark.reference("E35")
    async def test_a_model_decides_how_long_it_sees_a_part(self, executor_of: ExecutorOf) -> None:
        window = ContextWindow()
        executor = executor_of(Notes, add, window)
        session = Session(executor)
        await session.run_turn([("add", {"a": 1}), ("glance", {})])
        await session.run_turn([("list_context_parts", {})])
        listed = session.part(3).response.json_result
        assert listed == [
            {"part_id": 1, "turn": 1, "tool": "add", "status": "executed", "turns_left": 4, "mark": "auto"}
        ]
        result = await session.run_turn(
            [
                ("set_turns_to_keep", {"part_id": 1, "turns": -1}),
                ("ContextWindow.set_turns_to_keep", {"part_id": 3, "turns": 9}),
                ("set_turns_to_keep", {"part_id": 99, "turns": 1}),
            ]
        )
        assert result.texts == (
            "Part 1 stays for ever.",
            "Part 3 stays 9 turns.",
            "Error: no part of this session has the id 99; the newest are: 1, 2, 3, 4, 5, 6",
        )
        for _ in range(9):
            await session.run_turn([])
        assert seen(session) == [1]
        other = Session(executor)
        with pytest.raises(CallStateError, match="the newest are: none"):
            other.set_turns_to_keep(1, 1)

    def test_outside_a_session_there_is_no_context_to_shape(self, executor_of: ExecutorOf) -> None:
        response = executor_of(ContextWindow()).run("list_context_parts")
        assert response.text == "Error: this call belongs to no session, so there is no context to shape"


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history")
    history.open()
    yield history
    history.close()


class People:
    """Do anything to a session, in any order."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def asked(self) -> list[Asked]:
        names = self._chance.choices(["alone", "guarded", "add", "guarded", "missing"], k=self._chance.randrange(4))
        return [(name, {"a" if name == "add" else "n": self._chance.randrange(20)}) for name in names]

    async def act(self, session: Session) -> None:
        parts = session.visible_parts()
        part = self._chance.choice(parts) if parts else None
        by = self._chance.choice(["", "you"])
        match self._chance.randrange(9):
            case 0 | 1:
                await session.prepare_turn(self.asked())
            case 2:
                await session.run_turn(self.asked())
            case 3 | 4 if session.turns:
                await session.start(session.turns[-1], by=by)
            case 5 if part is not None:
                await session.edit(part.id, {"n": self._chance.randrange(20)})
            case 6 if part is not None:
                session.decline(part.id, "no")
            case 7 if part is not None:
                await session.run_again(part.id, by=by)
            case 8:
                session.stop(None if part is None else part.id)
            case _ if part is not None:
                session.give_feedback(part.id, "hm")
            case _:
                session.begin_task()


class TestAnyOrder:
    @pytest.mark.reference("D52", "E27", "E28", "E30", "E31", "E32", "E33")
    @pytest.mark.parametrize("seed", range(8))
    async def test_whatever_people_do_in_whatever_order_each_call_has_one_life(
        self, executor_of: ExecutorOf, history: History, seed: int
    ) -> None:
        chance = random.Random(seed)
        people, recorder, runs = People(chance), Recorder(), Counter[str]()

        @tool(parallelizable=False)
        async def alone(n: int, ctx: ToolContext) -> int:
            runs[ctx.call.id] += 1
            await asyncio.sleep(0)
            return n

        @tool(requires_confirmation=True)
        async def guarded(n: int, ctx: ToolContext) -> int:
            runs[ctx.call.id] += 1
            for _ in range(n % 4):
                await asyncio.sleep(0)
            if n % 5 == 0:
                raise ToolFailure("five")
            return n

        reviewer = Answers(*chance.choices(DECISIONS, k=500))
        executor = executor_of(alone, guarded, add, listeners=[recorder], review_handler=reviewer, history=history)
        session = Session(executor, max_iterations=200)
        for _ in range(100):
            doing = [asyncio.ensure_future(people.act(session)) for _ in range(chance.randrange(1, 4))]
            for outcome in await asyncio.gather(*doing, return_exceptions=True):
                assert isinstance(outcome, CallStateError | ArgumentsError | None), outcome
        for turn in session.turns:
            await session.start(turn, by="you")
            assert all(call.response.status.final for part in turn.parts for call in part.calls)
        _check_lives(recorder, runs, history)


def _check_lives(recorder: Recorder, runs: Counter[str], history: History) -> None:
    calls = {event.call.id: event.call for event in recorder.events if isinstance(event, CallProposed)}
    assert len(calls) > 20
    assert {call.response.status.value for call in calls.values()} >= {"executed", "not_found"}
    lives: dict[str, list[str]] = defaultdict(list)
    for event in recorder.events:
        if not isinstance(event, GuardChanged):
            lives[event.call.id].append(type(event).__name__)
    history.flush(60)
    for id_, life in lives.items():
        _check_life(calls[id_], life, runs[id_])
        _check_record(history.get(f"{history.run}-{calls[id_].id}"), calls[id_], recorder)


def _check_record(record: CallRecord | None, call: ToolCall, recorder: Recorder) -> None:
    decided = [event for event in recorder.events if isinstance(event, ReviewDecided) and event.call is call]
    assert record is not None
    assert record.status is call.response.status
    assert [decision.by for decision in record.decisions] == [event.by for event in decided]
    assert record.retry_of == (call.origin.retry_of if call.origin is not None else "")


def _check_life(call: ToolCall, life: list[str], runs: int) -> None:
    assert (life[0], life[-1]) == ("CallProposed", "CallFinished")
    assert [life.count(kind) for kind in ("CallProposed", "CallFinished")] == [1, 1], life
    assert life.count("ReviewAsked") == life.count("ReviewDecided")
    assert life.count("CallStarted") <= 1
    assert runs <= life.count("CallStarted")
    if call.name == "guarded" and runs:
        # Nothing guarded ran without a decision.
        decided = life.index("ReviewDecided")
        assert decided < life.index("StepFinished", life.index("CallStarted")), life
