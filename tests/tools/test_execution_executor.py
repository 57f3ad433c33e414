from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from tests.tools.running import Recorder, Silence, execute, run, start, until
from tools import (
    CallFinished,
    CallStarted,
    CallStateError,
    CallStatus,
    Event,
    Executor,
    ToolContext,
    ToolMetrics,
    ToolRegistry,
    ToolResponse,
    make_tool,
    rate_limit,
    resolve_tools,
    tool,
)
from tools.calls import ErrorKind, StepOutcome
from tools.remedies import remedy_of

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@dataclass
class TripRecord:
    city: str
    days: int
    note: str = ""


class TripModel(BaseModel):
    city: str
    days: int
    note: str = ""


class TripMapping(TypedDict):
    city: str
    days: int
    note: NotRequired[str]


@tool
async def double(number: int) -> int:
    """Double a number."""
    return number * 2


@tool
async def hang() -> None:
    """Wait for ever."""
    await asyncio.Event().wait()


@tool
async def stubborn(ctx: ToolContext) -> str:
    """Go on although somebody asked to stop."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return "finished anyway"
    return "never"


class TestCreation:
    @pytest.mark.reference("E14", "E19", "C43")
    def test_a_call_is_checked_at_once_and_runs_later(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        call = executor.create_call("double", '{"number": "21"}', caller="agent:a")
        assert (call.arguments, call.caller, call.name) == ({"number": 21}, "agent:a", "double")
        assert (call.response.status, call.response.succeeded) == (CallStatus.PENDING, False)
        assert call.proposed_at.tzinfo is not None
        assert run(executor.execute(call)) is call.response
        assert call.response.result == 42
        assert repr(call) == "<ToolCall 1 double executed>"

    @pytest.mark.reference("A30", "E15", "E16", "C44")
    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({}, "number is required"),
            ({"number": "x"}, "number: expected a whole number"),
            ({"number": 1, "extra": 2}, "extra: expected no argument of this name"),
            ('{"number": ', "expected JSON text"),
            ("[1]", "the arguments"),
            ([1], "the arguments"),
            (b"\xff", "expected JSON text"),
        ],
    )
    def test_bad_arguments_are_refused_with_the_reason_and_never_run(
        self, executor_of: ExecutorOf, given: Any, said: str
    ) -> None:
        recorder = Recorder()
        executor = executor_of(double, listeners=[recorder])
        call = executor.create_call("double", given)
        assert (call.response.status, call.arguments) == (CallStatus.REJECTED, {})
        assert said in call.response.text
        assert call.response.error is not None
        assert call.response.error.kind is ErrorKind.ARGUMENTS
        assert call.response.steps[0].outcome is StepOutcome.FAILED
        assert run(executor.execute(call)) is call.response
        assert recorder.names == ["CallProposed", "CallFinished"]

    @pytest.mark.reference("D54")
    @pytest.mark.parametrize("kind", [TripRecord, TripModel, TripMapping])
    def test_a_typed_input_that_lacks_fields_fails_with_their_names(self, executor_of: ExecutorOf, kind: type) -> None:
        ran: list[Any] = []

        def book(trip: Any) -> str:
            ran.append(trip)
            return type(trip).__name__

        book.__annotations__["trip"] = kind
        executor = executor_of(make_tool("book", "Book a trip.", book))
        lacking = executor.run("book", {"trip": {"note": "by train"}})
        assert lacking.status is CallStatus.REJECTED
        assert lacking.error is not None
        assert [(problem.path, problem.kind) for problem in lacking.error.problems] == [
            ("trip.city", "missing"), ("trip.days", "missing"),
        ]  # fmt: skip
        assert lacking.text == (
            "Error: trip.city is required: expected a text; trip.days is required: expected a whole number"
        )
        assert remedy_of(lacking.error) == "Correct trip.city, trip.days and run again."
        nothing = executor.run("book", {})
        assert nothing.text == "Error: trip is required: expected an object with city, days, note"
        assert ran == []
        assert executor.run("book", {"trip": {"city": "Bern", "days": 2}}).text == (
            "dict" if kind is TripMapping else kind.__name__
        )

    @pytest.mark.reference("E17")
    def test_an_unknown_tool_is_recorded_as_not_found_and_runs_nothing(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        call = executor.create_call("duoble", {"number": 1})
        assert call.response.status is CallStatus.NOT_FOUND
        assert call.response.text == "Error: no tool is called 'duoble'"
        assert call.response.error is not None
        assert call.response.error.remedy == "Did you mean 'double'?"
        assert run(executor.execute(call)) is call.response
        assert call.display_arguments() == {"number": 1}
        far = executor.create_call("zzzzz", "text")
        assert far.response.error is not None
        assert remedy_of(far.response.error) == "List the tools to see their names."
        assert far.display_arguments() == {"input": "text"}

    @pytest.mark.reference("E18")
    def test_a_disabled_tool_is_refused_with_the_reason(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        executor.registry.disable("double")
        response = executor.run("Double", {"number": 1})
        assert (response.status, response.text) == (CallStatus.REJECTED, "Error: the tool 'double' is disabled")
        executor.registry.enable("double")
        assert executor.run("double", {"number": 1}).result == 2

    @pytest.mark.reference("C43")
    def test_a_name_is_found_in_any_case_and_the_call_carries_the_real_one(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        assert executor.create_call("DOUBLE", {"number": 1}).name == "double"

    def test_objects_that_have_no_json_form_can_be_passed_and_are_shown_as_python_says(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Thing:
            def __repr__(self) -> str:
                return "<thing>"

        caplog.set_level("INFO", "tools.calls")
        executor = executor_of(make_tool("kind", "Say which.", lambda thing: type(thing).__name__))
        call = executor.create_call("kind", {"thing": Thing()})
        assert run(executor.execute(call)).text == "Thing"
        assert call.display_arguments() == {"thing": "<thing>"}
        assert "<thing>" in caplog.text


class TestOnce:
    @pytest.mark.reference("E33")
    def test_a_call_is_executed_once(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        call = executor.create_call("double", {"number": 1})
        run(executor.execute(call))
        with pytest.raises(CallStateError, match="call 1 of 'double' was started before"):
            run(executor.execute(call))

    @pytest.mark.reference("E33")
    def test_a_running_call_is_not_started_again(self, executor_of: ExecutorOf) -> None:
        async def work() -> None:
            call, task = start(executor, "hang")
            await until(lambda: call.response.status is CallStatus.EXECUTING)
            with pytest.raises(CallStateError, match="executing"):
                await executor.execute(call)
            assert executor.open_calls == (call,)
            call.cancel()
            await task
            assert not len(executor.open_calls)

        executor = executor_of(hang)
        run(work())

    @pytest.mark.reference("D52")
    def test_several_calls_run_side_by_side(self, executor_of: ExecutorOf) -> None:
        meeting = threading.Barrier(3, timeout=10)

        @tool
        def meet(number: int) -> int:
            meeting.wait()
            return number

        async def work() -> list[ToolResponse]:
            return list(await asyncio.gather(*(execute(executor, "meet", {"number": i}) for i in range(3))))

        executor = executor_of(meet)
        assert [response.result for response in run(work())] == [0, 1, 2]


class TestCancelling:
    @pytest.mark.reference("E31")
    def test_an_async_tool_is_stopped_and_whoever_waits_is_not(self, executor_of: ExecutorOf) -> None:
        async def work() -> ToolResponse:
            call = executor.create_call("hang", {})
            asyncio.get_running_loop().call_soon(call.cancel)
            response = await executor.execute(call)
            await asyncio.sleep(0)
            task = asyncio.current_task()
            assert task is not None
            assert task.cancelling() == 0
            assert not call.cancel()
            return response

        executor = executor_of(hang)
        response = run(work())
        assert (response.status, response.text) == (CallStatus.CANCELLED, "Error: Stopped on request.")
        assert [step.outcome for step in response.steps if step.kind.in_tool] == [StepOutcome.CANCELLED]

    @pytest.mark.reference("E31")
    def test_a_thread_cannot_be_stopped_and_the_response_says_so(self, executor_of: ExecutorOf) -> None:
        release, started = threading.Event(), threading.Event()
        seen: list[bool] = []

        @tool
        def block(ctx: ToolContext) -> None:
            started.set()
            release.wait(10)
            seen.append(ctx.cancelled)

        async def work() -> ToolResponse:
            call, task = start(executor, "block")
            await until(started.is_set)
            call.cancel()
            response = await task
            assert executor.abandoned_threads == 1
            release.set()
            await until(lambda: executor.abandoned_threads == 0)
            return response  # type: ignore[no-any-return]

        executor = executor_of(block)
        assert run(work()).text == (
            "Error: Stopped on request. Its thread could not be stopped and is left to end by itself."
        )
        assert seen == [True]

    async def test_a_call_that_waits_for_a_permit_or_an_answer_is_stopped(self, executor_of: ExecutorOf) -> None:
        @tool
        @rate_limit(requests=1, per_s=50)
        async def limited() -> None: ...

        @tool(requires_confirmation=True)
        async def guarded() -> None: ...

        silence = Silence()
        executor = executor_of(limited, guarded, review_handler=silence)
        await execute(executor, "limited")
        waiting, first = start(executor, "limited")
        asked, second = start(executor, "guarded")
        await silence.asked.wait()
        assert asked.response.status is CallStatus.WAITING_FOR_REVIEW
        waiting.cancel()
        asked.cancel()
        statuses = [(await first).status, (await second).status]
        assert silence.withdrawn
        assert len(asked.response.attempts) == 0
        assert statuses == [CallStatus.CANCELLED] * 2

    def test_a_call_stopped_before_it_began_never_begins(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        executor = executor_of(double, listeners=[recorder])
        call = executor.create_call("double", {"number": 1})
        assert call.cancel()
        assert not call.cancel()
        assert run(executor.execute(call)).status is CallStatus.CANCELLED
        assert recorder.names == ["CallProposed", "CallFinished"]
        assert executor.open_calls == ()

    def test_a_call_that_ended_cannot_be_stopped(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        call = executor.create_call("double", {"number": 1})
        run(executor.execute(call))
        assert not call.cancel()

    def test_a_tool_that_goes_on_regardless_has_its_result_and_harms_no_waiter(self, executor_of: ExecutorOf) -> None:
        async def work() -> ToolResponse:
            call = executor.create_call("stubborn", {})
            asyncio.get_running_loop().call_soon(call.cancel)
            response = await executor.execute(call)
            task = asyncio.current_task()
            assert task is not None
            assert task.cancelling() == 0
            async with asyncio.timeout(5):
                await asyncio.sleep(0)
            return response

        executor = executor_of(stubborn)
        assert run(work()).text == "finished anyway"

    @pytest.mark.parametrize("when", [CallStarted, CallFinished])
    def test_a_listener_that_stops_the_call_stops_nothing_else(
        self, executor_of: ExecutorOf, when: type[CallStarted | CallFinished]
    ) -> None:
        def stop(event: Event) -> None:
            if isinstance(event, when):
                event.call.cancel()

        async def work() -> ToolResponse:
            response = await execute(executor, "double", {"number": 4})
            await asyncio.sleep(0)
            return response

        executor = executor_of(double, listeners=[stop])
        assert run(work()).result == 8

    def test_when_the_task_itself_is_cancelled_the_call_is_aborted_and_the_task_cancelled(
        self, executor_of: ExecutorOf
    ) -> None:
        async def work() -> None:
            call, task = start(executor, "hang")
            await until(lambda: call.response.status is CallStatus.EXECUTING)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert call.response.status is CallStatus.ABORTED
            assert executor.open_calls == ()

        executor = executor_of(hang)
        run(work())

    def test_when_both_are_cancelled_the_task_is(self, executor_of: ExecutorOf) -> None:
        async def work() -> None:
            call, task = start(executor, "hang")
            await until(lambda: call.response.status is CallStatus.EXECUTING)
            call.cancel()
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert call.response.status is CallStatus.CANCELLED

        executor = executor_of(hang)
        run(work())

    def test_the_number_of_a_system_error_is_not_said(self, executor_of: ExecutorOf) -> None:
        def read() -> str:
            raise FileNotFoundError(2, "No such file or directory", "notes.txt")

        response = run(execute(executor_of(make_tool("read", "Read.", read)), "read"))
        assert response.error is not None
        assert response.error.message == "No such file or directory: 'notes.txt'"

    def test_a_tool_that_cancels_itself_has_failed(self, executor_of: ExecutorOf) -> None:
        @tool
        async def broken() -> None:
            inner = asyncio.ensure_future(asyncio.Event().wait())
            inner.cancel()
            await inner

        async def work() -> ToolResponse:
            response = await execute(executor, "broken")
            await asyncio.sleep(0)
            return response

        executor = executor_of(broken)
        response = run(work())
        assert response.status is CallStatus.FAILED
        assert response.text == "Error: the tool ended itself with CancelledError, though nobody asked it to stop"


class TestBlocking:
    def test_run_serves_programs_without_a_loop(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        assert [executor.run("double", {"number": number}).result for number in (1, 2)] == [2, 4]
        assert executor.run("hang").status is CallStatus.NOT_FOUND

    async def test_run_refuses_to_block_a_running_loop(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        executor = executor_of(double, listeners=[recorder])
        with pytest.raises(RuntimeError, match=r"await execute\(create_call\(...\)\) there"):
            executor.run("double", {"number": 1})
        assert recorder.events == []

    def test_one_executor_serves_one_loop_after_another(self, executor_of: ExecutorOf) -> None:
        @tool
        def threaded() -> str:
            return threading.current_thread().name

        executor = executor_of(double, threaded)
        for _ in range(2):
            assert run(execute(executor, "double", {"number": 1})).result == 2
            assert run(execute(executor, "threaded")).text.startswith("tool-")
        assert executor.run("double", {"number": 1}).result == 2

    def test_a_closed_executor_can_be_used_and_closed_again(self) -> None:
        executor = Executor(ToolRegistry(resolve_tools([double])))
        executor.close()
        assert executor.run("double", {"number": 1}).result == 2
        executor.close()
        executor.close()


class TestClosing:
    async def test_open_calls_are_aborted_threads_abandoned_and_everybody_told(self, executor_of: ExecutorOf) -> None:
        release, started = threading.Event(), threading.Event()

        @tool
        def block() -> None:
            started.set()
            release.wait(10)

        recorder = Recorder()
        executor = executor_of(hang, block, listeners=[recorder])
        calls, tasks = zip(start(executor, "hang"), start(executor, "block"), strict=True)
        await until(started.is_set)
        await executor.aclose()
        await asyncio.gather(*tasks)
        assert recorder.names.count("CallFinished") == 2
        release.set()
        await until(lambda: executor.abandoned_threads == 0)
        hanging, blocked = [call.response for call in calls]
        assert (hanging.status, blocked.status) == (CallStatus.ABORTED, CallStatus.ABORTED)
        assert hanging.text == "Error: The program gave the call up before it ended."
        assert blocked.text.endswith("Its thread could not be stopped and is left to end by itself.")

    def test_a_tool_that_will_not_end_does_not_keep_the_executor_open(
        self, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def work() -> str:
            executor = executor_of(stubborn)
            _, task = start(executor, "stubborn")
            await asyncio.sleep(0)
            await executor.aclose()
            return (await task).text  # type: ignore[no-any-return]

        assert run(work()) == "finished anyway"


class TestNumbers:
    @pytest.mark.reference("A39")
    def test_every_ended_call_is_counted(self, executor_of: ExecutorOf) -> None:
        metrics = ToolMetrics()
        executor = executor_of(double, metrics=metrics)
        executor.run("double", {"number": 1})
        executor.run("double", {"number": "x"})
        assert executor.metrics is metrics
        numbers = metrics.numbers("double")
        assert numbers.by_status == {CallStatus.EXECUTED: 1, CallStatus.REJECTED: 1}
        assert metrics.stats("double").count == 1

    def test_calls_are_numbered_in_order(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(double)
        assert [executor.create_call("double", {"number": 1}).id for _ in range(3)] == ["1", "2", "3"]
