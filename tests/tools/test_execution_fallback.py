from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tests.tools import falling_back
from tests.tools.running import Answers, Recorder, execute, run, start, steps_of, until
from tools import (
    AbstractTool,
    CallFinished,
    CallProposed,
    CallStatus,
    CircuitBreaker,
    DeniedError,
    ExitEarly,
    ExitEarlyError,
    FailureBlock,
    Param,
    PathRole,
    Retry,
    ToolConfigurationError,
    ToolContext,
    ToolFailure,
    ToolResponse,
    ToolResult,
    cached,
    contract,
    rate_limit,
    resilience,
    resolve_tools,
    security,
    tool,
    toolkit,
)
from tools.calls import StepOutcome
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool
@resilience(fallback="backup")
async def search(query: str, limit: int = 5) -> str:
    """Search, which fails."""
    await asyncio.sleep(0)
    raise ToolFailure(f"no network for {query}")


@tool
async def backup(query: str) -> str:
    """Search elsewhere."""
    await asyncio.sleep(0)
    return f"found {query}"


def failing(fallback: str = "backup", **policy: Any) -> Any:
    async def work(number: int = 0) -> str:
        await asyncio.sleep(0)
        raise ToolFailure("boom")

    return tool(resilience(fallback=fallback, **policy)(work))


def neighbour(number: int) -> str:
    """Be beside the tool, and no tool."""
    return f"{number} on {threading.current_thread().name.split('-')[0]}"


async def async_neighbour(number: int, ctx: ToolContext) -> ToolResult:
    ctx.log("info", "from the neighbour")
    ctx.attach(b"x", name="a.bin")
    await asyncio.sleep(0)
    return ToolResult.ok(f"async {number}")


def needs_more(number: int, key: str) -> str:
    return f"{number}{key}"


def fails_too(number: int) -> str:
    raise ToolFailure("me too")


@tool
def unregistered(number: int) -> str:
    return "never"


class TestAnotherTool:
    @pytest.mark.reference("A24")
    def test_it_answers_for_a_tool_that_did_not_succeed(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        response = executor_of(search, backup, listeners=[recorder]).run("search", {"query": "x"})
        assert (response.status, response.text, response.fallback) == (CallStatus.EXECUTED, "found x", "backup")
        assert response.error is None
        assert steps_of(response) == ["Validate arguments", "Execute", "Fallback", "Metrics", "Listeners (1)"]
        assert [(step.outcome, step_detail(step)) for step in response.steps[1:3]] == [
            (StepOutcome.FAILED, "ToolFailure"),
            (StepOutcome.OK, "backup"),
        ]
        assert [(entry.level, entry.text) for entry in response.logs] == [
            ("warning", "search did not succeed (no network for x); backup answered in its place")
        ]
        proposed = [event.call for event in recorder.events if isinstance(event, CallProposed)]
        assert [(call.name, call.caller) for call in proposed] == [("search", "you"), ("backup", "you")]
        assert [event.call.name for event in recorder.events if isinstance(event, CallFinished)] == ["backup", "search"]

    @pytest.mark.reference("A24")
    @pytest.mark.parametrize(
        "policy",
        [
            {"retry": Retry(max_attempts=3, initial_delay_s=0, retry_on=(Exception,))},
            {"circuit_breaker": CircuitBreaker(failure_threshold=1)},
            {"failure_block": FailureBlock(failures=1)},
        ],
    )
    def test_it_answers_after_the_last_attempt_and_when_the_tool_is_not_started(
        self, executor_of: ExecutorOf, policy: dict[str, Any]
    ) -> None:
        declared = failing("second", **policy)

        @tool
        async def second(number: int) -> str:
            return f"second {number}"

        executor = executor_of(declared, second)
        responses = [executor.run("work", {"number": 3}) for _ in range(2)]
        assert [response.text for response in responses] == ["second 3"] * 2
        attempts = [len(response.attempts) for response in responses]
        assert attempts == ([3, 3] if "retry" in policy else [1, 0])

    @pytest.mark.reference("A24")
    def test_it_answers_when_time_permits_or_places_are_short_or_a_promise_is_broken(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool
        @resilience(fallback="backup", timeout_s=0.005)
        async def slow(query: str) -> None:
            await asyncio.Event().wait()

        @tool
        @resilience(fallback="backup", total_timeout_s=0.005)
        async def slow_in_all(query: str) -> None:
            await asyncio.Event().wait()

        @tool
        @contract(post="result > 0")
        @resilience(fallback="backup")
        async def liar(query: str) -> int:
            return -1

        @tool
        @rate_limit(requests=1, per_s=60, throw_on_limit=True)
        @resilience(fallback="backup")
        async def rare(query: str) -> int:
            return 1

        @tool
        @resilience(fallback="backup")
        async def returns_failure(query: str) -> ToolResult:
            return ToolResult.failure("no")

        @tool
        @resilience(fallback="backup", max_concurrent=1, total_timeout_s=0.01)
        async def narrow(query: str) -> str:
            await until(lambda: answered)
            return "first"

        answered: list[bool] = []

        async def crowd() -> list[str]:
            bulkhead = executor._guards.of(executor.registry.get("narrow")).bulkhead
            assert bulkhead is not None
            await bulkhead.acquire()
            return [(await execute(executor, "narrow", {"query": "q"})).text]

        executor = executor_of(slow, slow_in_all, liar, rare, returns_failure, narrow, backup)
        executor.run("rare", {"query": "q"})
        for name in ("slow", "slow_in_all", "liar", "rare", "returns_failure"):
            assert executor.run(name, {"query": "q"}).text == "found q", name
        assert run(crowd()) == ["found q"]

    @pytest.mark.reference("A24")
    def test_it_never_answers_for_a_refusal_or_a_call_that_was_stopped(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(allowed_callers=["you"])
        @contract(pre="len(query) < 5")
        @resilience(fallback="backup")
        async def work(query: str, ctx: ToolContext) -> str:
            if query == "hang":
                await asyncio.Event().wait()
            if query == "deny":
                raise DeniedError("the server says no")
            return "done"

        @tool(requires_confirmation=True)
        @resilience(fallback="backup")
        async def asks(query: str) -> str:
            return "done"

        async def stopped() -> ToolResponse:
            call, task = start(executor, "work", {"query": "hang"})
            await until(lambda: len(call.response.attempts) == 1)
            call.cancel()
            response: ToolResponse = await task
            return response

        executor = executor_of(work, asks, backup, review_handler=Answers(ExitEarly("no")))
        responses = [
            executor.run("work", {"query": "x"}, caller="agent:y"),
            executor.run("work", {"query": "too long"}),
            executor.run("work", {"query": 5}),
            executor.run("work", {"query": "deny"}),
            executor.run("asks", {"query": "x"}),
            run(stopped()),
        ]
        statuses = [response.status.value for response in responses]
        assert statuses == ["denied", "failed", "rejected", "denied", "denied", "cancelled"]
        assert all(response.fallback == "" for response in responses)
        assert executor.metrics.numbers("backup").total == 0

    @pytest.mark.reference("A24")
    def test_its_own_guards_are_not_passed_by(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        async def guarded(number: int) -> str:
            return "ran"

        reviewer = Answers(ExitEarly("not that one"))
        executor = executor_of(failing("guarded"), guarded, review_handler=reviewer)
        response = executor.run("work", {"number": 1})
        assert (response.status, response.text, response.fallback) == (CallStatus.FAILED, "Error: boom", "")
        assert [(step_title(step), step.outcome) for step in response.steps if step_title(step) == "Fallback"] == [
            ("Fallback", StepOutcome.DENIED)
        ]
        assert "its fallback guarded did not succeed either: Rejected by reviewer" in response.logs[0].text
        assert executor.run("work", {"number": 1}).text == "ran"

        nobody = executor_of(failing("guarded"), guarded)
        call = nobody.create_call("work", {})
        with pytest.raises(ToolConfigurationError, match="no review handler"):
            run(nobody.execute(call))

    def test_stopping_everything_stops_everything(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        async def guarded(number: int) -> str:
            return "ran"

        executor = executor_of(failing("guarded"), guarded, review_handler=Answers(ExitEarly("stop it", stop_run=True)))
        call = executor.create_call("work", {})
        with pytest.raises(ExitEarlyError, match="stop it"):
            run(executor.execute(call))

    def test_a_call_that_is_stopped_while_its_fallback_runs_stops_both(self, executor_of: ExecutorOf) -> None:
        running = asyncio.Event()

        @tool
        async def slow(number: int) -> str:
            running.set()
            await asyncio.Event().wait()
            return "never"

        async def main() -> ToolResponse:
            call, task = start(executor, "work")
            await running.wait()
            assert call.response.status is CallStatus.EXECUTING
            assert call.cancel()
            response: ToolResponse = await task
            return response

        recorder = Recorder()
        executor = executor_of(failing("slow"), slow, listeners=[recorder])
        response = run(main())
        assert response.status is CallStatus.CANCELLED
        ended = [event.call for event in recorder.events if isinstance(event, CallFinished)]
        assert [(call.name, call.response.status.value) for call in ended] == [
            ("slow", "cancelled"),
            ("work", "cancelled"),
        ]

    def test_a_chain_of_fallbacks_is_followed_to_its_end(self, executor_of: ExecutorOf) -> None:
        def step(name: str, fallback: str | None) -> Any:
            async def work() -> str:
                if fallback is None:
                    return "last"
                raise ToolFailure(name)

            work.__name__ = name
            return tool(resilience(fallback=fallback)(work))

        executor = executor_of(step("a", "b"), step("b", "c"), step("c", None))
        response = executor.run("a", {})
        assert (response.text, response.fallback) == ("last", "b")

    def test_its_answer_is_not_kept_as_the_tools_own(self, executor_of: ExecutorOf) -> None:
        moods = ["fail", "work"]

        @tool
        @cached(cache_errors=True)
        @resilience(fallback="backup")
        async def work(query: str) -> str:
            if moods.pop(0) == "fail":
                raise ToolFailure("boom")
            return "own"

        executor = executor_of(work, backup)
        texts = [executor.run("work", {"query": "q"}).text for _ in range(3)]
        assert texts == ["found q", "own", "own"]


class TestWrongNames:
    @pytest.mark.reference("A24")
    def test_a_name_that_means_nothing_is_told_at_the_first_call(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(failing("nobody"))
        call = executor.create_call("work", {})
        with pytest.raises(ToolConfigurationError) as caught:
            run(executor.execute(call))
        assert "the fallback 'nobody' of 'work' is no registered tool, no method beside it and no function" in str(
            caught.value
        )
        assert call.response.status is CallStatus.FAILED

    @pytest.mark.reference("A24")
    def test_a_circle_is_refused_whoever_begins_it(self, executor_of: ExecutorOf) -> None:
        def step(name: str, fallback: str) -> Any:
            async def work() -> str:
                raise ToolFailure(name)

            work.__name__ = name
            return tool(resilience(fallback=fallback)(work))

        executor = executor_of(step("a", "b"), step("b", "a"), step("c", "c"), step("d", "a"))
        for name, circle in (("a", "a → b → a"), ("b", "b → a → b"), ("c", "c → c"), ("d", "d → a → b → a")):
            call = executor.create_call(name, {})
            with pytest.raises(ToolConfigurationError, match=f"the fallbacks {circle} lead in a circle"):
                run(executor.execute(call))

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("needs_more", "needs 'key', which 'work' does not take"),
            ("unregistered", "is a tool of its own; register it"),
        ],
    )
    def test_what_cannot_stand_in_is_refused(self, executor_of: ExecutorOf, name: str, message: str) -> None:
        executor = executor_of(failing(name))
        call = executor.create_call("work", {})
        with pytest.raises(ToolConfigurationError, match=message):
            run(executor.execute(call))

    @pytest.mark.reference("A24")
    @pytest.mark.parametrize(
        ("hidden", "message"),
        [
            ({"mask_fields": ("key",)}, "'work_on' masks 'key', but its fallback 'stand_in' does not"),
            ({"mask_fields": ("auth.token",)}, "'work_on' masks 'auth', but its fallback 'stand_in' does not"),
            ({"sensitive": True}, "'work_on' is sensitive, but its fallback 'stand_in' is not"),
        ],
    )
    def test_what_a_tool_hides_its_fallback_hides_too(
        self, executor_of: ExecutorOf, hidden: dict[str, Any], message: str
    ) -> None:
        async def work_on(key: str, auth: dict[str, str], note: str) -> str:
            raise ToolFailure("no")

        async def stand_in(key: str, auth: dict[str, str], note: str) -> str:
            return note

        work_on = resilience(fallback="stand_in")(security(**hidden)(work_on))
        given = {"key": "s3cret", "auth": {"token": "s3cret"}, "note": "hello"}
        leaking = executor_of(tool(work_on), tool(stand_in))
        call = leaking.create_call("work_on", given)
        with pytest.raises(ToolConfigurationError, match=message):
            run(leaking.execute(call))
        tight = executor_of(tool(work_on), tool(security(**hidden)(stand_in)))
        assert tight.run("work_on", given).text == "hello"

    def test_a_fallback_that_came_later_and_shows_more_does_not_answer(self, executor_of: ExecutorOf) -> None:
        async def work_on(key: str) -> str:
            raise ToolFailure("no")

        async def stand_in(key: str) -> str:
            return "answered"

        executor = executor_of(tool(resilience(fallback="stand_in")(security(mask_fields=("key",))(work_on))))
        tight, loose = tool(security(mask_fields=("key",))(stand_in)), tool(name="stand_in")(stand_in_for_all)
        undo = executor.registry.register_all(resolve_tools([tight]))
        assert executor.run("work_on", {"key": "s3cret"}).text == "answered"
        undo()
        executor.registry.register_all(resolve_tools([loose]))
        with pytest.raises(ToolConfigurationError, match="'work_on' masks 'key', but its fallback 'stand_in' does not"):
            executor.run("work_on", {"key": "s3cret"})

    def test_a_fallback_that_is_registered_later_is_found(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(search)
        undo = executor.registry.register_all(resolve_tools([backup]))
        assert executor.run("search", {"query": "x"}).text == "found x"
        undo()
        response = executor.run("search", {"query": "x"})
        assert response.text == "Error: no network for x"
        assert "no tool is called 'backup'" in response.logs[0].text


async def stand_in_for_all(key: str) -> str:
    return "shown"


class TestBesideTheTool:
    @pytest.mark.reference("A24")
    def test_a_function_of_the_same_module_answers(self, executor_of: ExecutorOf) -> None:
        response = executor_of(failing("neighbour")).run("work", {"number": 3})
        assert (response.text, response.fallback) == ("3 on tool", "neighbour")
        assert (len(response.attempts), len(response.steps)) == (1, 4)

    def test_an_async_one_may_log_and_attach(self, executor_of: ExecutorOf) -> None:
        response = executor_of(failing("async_neighbour")).run("work", {"number": 3})
        assert response.text == "async 3"
        assert [entry.text for entry in response.logs][:1] == ["from the neighbour"]
        assert [item.name for item in response.attachments] == ["a.bin"]

    def test_one_that_fails_too_leaves_the_first_failure(self, executor_of: ExecutorOf) -> None:
        response = executor_of(failing("fails_too")).run("work", {"number": 3})
        assert (response.status, response.text, response.fallback) == (CallStatus.FAILED, "Error: boom", "")
        assert response.logs[0].text == (
            "work did not succeed (boom); its fallback fails_too did not succeed either: me too"
        )

    @pytest.mark.reference("A24")
    def test_a_method_of_the_same_object_answers(self, executor_of: ExecutorOf) -> None:
        @toolkit("Weather")
        class Weather:
            def __init__(self) -> None:
                self.known = "rain"

            @tool
            @resilience(fallback="last_known")
            def forecast(self, city: Annotated[str, Param("Where", name="town")]) -> str:
                raise ToolFailure("no station")

            def last_known(self, city: str) -> str:
                return f"{self.known} in {city}"

        assert executor_of(Weather()).run("forecast", {"town": "Bern"}).text == "rain in Bern"

    def test_a_method_of_a_class_tool_answers(self, executor_of: ExecutorOf) -> None:
        @resilience(fallback="plan_b")
        class Translate(AbstractTool):
            description = "Translate."

            def do_execute(self, query: str) -> str:
                raise ToolFailure("no server")

            def plan_b(self, query: str) -> str:
                return query.upper()

        assert executor_of(Translate()).run("translate", {"query": "hi"}).text == "HI"

    @pytest.mark.reference("A24")
    def test_what_guards_the_tool_guards_it_as_well(self, executor_of: ExecutorOf) -> None:
        @toolkit("Files")
        class Files:
            @tool
            @resilience(circuit_breaker=CircuitBreaker(failure_threshold=1), fallback="quietly")
            def remove(self, path: Annotated[Path, PathRole(writes=True)]) -> str:
                raise ToolFailure("busy")

            def quietly(self, path: Path) -> str:
                return f"removed {path.name}"

        reviewer = Answers()
        executor = executor_of(Files(), review_handler=reviewer)
        outside = {"path": "/outside/a.txt"}
        assert executor.run("remove", outside).text == "removed a.txt"
        assert len(reviewer.requests) == 1
        # The breaker is open now, so the tool asks nobody: its fallback has to.
        response = executor.run("remove", outside)
        assert (response.text, len(reviewer.requests)) == ("removed a.txt", 2)
        assert steps_of(response)[1:4] == ["Circuit breaker", "Security check", "Fallback"]

        refusing = executor_of(Files(), review_handler=Answers(ExitEarly("no"), ExitEarly("no")))
        run(execute(refusing, "remove", {"path": "inside.txt"}))
        response = refusing.run("remove", outside)
        assert (response.status, response.fallback) == (CallStatus.DENIED, "")
        assert "Rejected by reviewer" in response.text

    def test_it_has_the_tools_time_limit(self, executor_of: ExecutorOf) -> None:
        @toolkit("Slow")
        class Slow:
            @tool(timeout_s=0.01)
            @resilience(fallback="slower")
            async def work(self) -> str:
                raise ToolFailure("boom")

            async def slower(self) -> str:
                await asyncio.Event().wait()
                return "never"

        response = executor_of(Slow()).run("work", {})
        assert response.text == "Error: boom"
        assert "slower did not succeed either: it took longer than 0.01 s" in response.logs[0].text

    def test_a_sensitive_tool_says_nothing_of_its_failure_in_the_log(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(sensitive=True)
        @resilience(fallback="backup")
        async def work(query: str) -> str:
            raise ToolFailure("s3cret")

        @tool
        @security(sensitive=True)
        async def backup(query: str) -> str:
            return query

        response = executor_of(work, backup).run("work", {"query": "q"})
        assert [entry.text for entry in response.logs] == ["work did not succeed; backup answered in its place"]


class TestProcesses:
    @pytest.mark.reference("A23", "A24")
    def test_a_function_beside_an_isolated_tool_runs_in_a_worker_too_and_a_crash_is_a_failure(
        self, executor_of: ExecutorOf
    ) -> None:
        executor = executor_of(falling_back.fragile)
        responses = [executor.run("fragile", {"how": how}) for how in ("fail", "die", "fail")]
        assert [response.status for response in responses] == [CallStatus.EXECUTED] * 3
        assert all(response.result != os.getpid() for response in responses)
        assert all("from the fallback of" in response.logs[0].text for response in responses)
        assert executor.guards("fragile")[0].state == "open"
        assert "exit" in executor.guards("fragile")[0].last_failure
        assert [len(response.attempts) for response in responses] == [1, 1, 0]
