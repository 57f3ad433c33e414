"""A filter decides before every call, and call listeners hear of each; whatever breaks there harms nobody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import Answers, Recorder, run, steps_of
from tools import (
    Allow,
    Block,
    CallAction,
    CallStatus,
    CompositeCallListener,
    Edit,
    Event,
    Executor,
    ExitEarly,
    Fallback,
    Guide,
    ToolCall,
    ToolConfigurationError,
    ToolFailure,
    ToolRegistry,
    ToolResult,
    cached,
    resilience,
    resolve_tools,
    security,
    tool,
)
from tools.calls import MASK, CallStarted, ErrorKind, StepOutcome
from tools.session import response_for_model
from tools.trace_words import step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

RAN: list[str] = []


@tool
def search(query: str, limit: int = 3) -> list[str]:
    """Search the web."""
    RAN.append(query)
    return [query] * limit


@tool
def search_here(query: str) -> list[str]:
    """Search this computer."""
    RAN.append(f"here: {query}")
    return [f"local {query}"]


@tool
def fail(query: str) -> str:
    """Fail."""
    raise ToolFailure("no luck")


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    RAN.clear()


@pytest.mark.reference("B22")
class TestFilter:
    def test_it_lets_a_call_go_on_and_is_in_the_trace(self, executor_of: ExecutorOf) -> None:
        seen: list[tuple[str, dict[str, Any], str]] = []

        def call_filter(call: ToolCall) -> CallAction:
            seen.append((call.name, call.arguments, call.caller))
            return Allow()

        response = executor_of(search, call_filter=call_filter).run("search", {"query": "a"}, caller="agent:mira")
        assert response.result == ["a", "a", "a"]
        assert seen == [("search", {"query": "a", "limit": 3}, "agent:mira")]
        assert steps_of(response)[:3] == ["Validate arguments", "Call filter", "Execute"]

    def test_without_one_there_is_no_step(self, executor_of: ExecutorOf) -> None:
        assert "Call filter" not in steps_of(executor_of(search).run("search", {"query": "a"}))

    @pytest.mark.parametrize(
        ("action", "kind", "text", "detail"),
        [
            (Block("not on weekdays"), ErrorKind.DENIED, "Blocked: not on weekdays", "blocked"),
            (Block(), ErrorKind.DENIED, "Blocked: the program's call filter blocks it", "blocked"),
            (Guide("Use `search_here` for this."), ErrorKind.GUIDED, "Use `search_here` for this.", "guided"),
        ],
    )
    def test_it_blocks_or_guides_and_nothing_runs(
        self, executor_of: ExecutorOf, action: CallAction, kind: ErrorKind, text: str, detail: str
    ) -> None:
        executor = executor_of(search, call_filter=lambda call: action)
        call = executor.create_call("search", {"query": "a"})
        response = run(executor.execute(call))
        assert response.error is not None
        assert (response.status, response.error.kind) == (CallStatus.DENIED, kind)
        # The words alone, for a model takes them as the result of its call.
        assert response.text == text
        assert response_for_model(call).startswith(text)
        assert (response_for_model(call) == text) is isinstance(action, Guide)
        assert (RAN, len(response.attempts)) == ([], 0)
        (step,) = [step for step in response.steps if step_title(step) == "Call filter"]
        assert (step.outcome, step.note) == (StepOutcome.DENIED, detail)

    def test_it_answers_with_a_result(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(search, call_filter=lambda call: Fallback(["known"]))
        response = executor.run("search", {"query": "a"})
        assert (response.status, response.result, response.json_result) == (CallStatus.EXECUTED, ["known"], ["known"])
        assert (response.text, response.fallback, RAN) == ('["known"]', "call filter", [])
        none = executor_of(search, call_filter=lambda call: Fallback(None)).run("search", {"query": "a"})
        assert (none.status, none.result) == (CallStatus.EXECUTED, None)
        failure = executor_of(search, call_filter=lambda call: Fallback(ToolResult.failure("closed")))
        assert failure.run("search", {"query": "a"}).text == "Error: closed"

    def test_another_tool_answers_with_what_it_takes_of_the_arguments(self, executor_of: ExecutorOf) -> None:
        def call_filter(call: ToolCall) -> CallAction:
            return Fallback(tool="search_here") if call.name == "search" else Allow()

        recorder = Recorder()
        executor = executor_of(search, search_here, call_filter=call_filter, listeners=[recorder])
        response = executor.run("search", {"query": "a"}, caller="agent:mira")
        assert (response.result, response.fallback) == (["local a"], "search_here")
        assert RAN == ["here: a"]
        started = [event.call for event in recorder.events if isinstance(event, CallStarted)]
        assert [(call.name, call.caller) for call in started] == [
            ("search", "agent:mira"),
            ("search_here", "agent:mira"),
        ]

    def test_the_other_tool_s_end_is_the_call_s_end(self, executor_of: ExecutorOf) -> None:
        def call_filter(call: ToolCall) -> CallAction:
            return Fallback(tool="fail") if call.name == "search" else Allow()

        response = executor_of(search, fail, call_filter=call_filter).run("search", {"query": "a"})
        assert (response.status, response.text) == (CallStatus.FAILED, "Error: no luck")

    @pytest.mark.parametrize(
        ("names", "why"),
        [
            ({"search": "nowhere"}, "no tool has that name"),
            ({"search": "search"}, "search → search leads in a circle"),
            ({"search": "search_here", "search_here": "search"}, "search → search_here → search leads in a circle"),
        ],
    )
    def test_an_answer_that_leads_nowhere_is_a_wrong_program(
        self, executor_of: ExecutorOf, names: dict[str, str], why: str
    ) -> None:
        executor = executor_of(search, search_here, call_filter=lambda call: Fallback(tool=names[call.name]))
        with pytest.raises(ToolConfigurationError, match=why):
            executor.run("search", {"query": "a"})
        assert RAN == []

    def test_it_may_be_asynchronous(self, executor_of: ExecutorOf) -> None:
        async def call_filter(call: ToolCall) -> CallAction:
            await asyncio.sleep(0)
            return Block("slowly")

        assert executor_of(search, call_filter=call_filter).run("search", {"query": "a"}).text == "Blocked: slowly"

    @pytest.mark.expects_log("tools.execution")
    @pytest.mark.parametrize(
        "answer", [ValueError("no rules"), None, True, "allow", Allow, Fallback(), Fallback("both", "search_here")]
    )
    def test_one_that_breaks_refuses(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture, answer: Any
    ) -> None:
        def call_filter(call: ToolCall) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

        response = executor_of(search, search_here, call_filter=call_filter).run("search", {"query": "a"})
        kind = type(answer).__name__ if isinstance(answer, Exception) else "TypeError"
        assert response.status is CallStatus.DENIED
        assert response.text == f"the call filter failed ({kind}), so the call of 'search' was refused"
        assert "the call filter failed on search" in caplog.text
        assert RAN == []

    def test_it_comes_before_known_results_callers_and_questions(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        @cached()
        @security(allowed_callers=("agent:mira",))
        def guarded() -> str:
            """Be guarded."""
            return "done"

        reviewer = Answers(ExitEarly("no"))
        executor = executor_of(guarded, call_filter=lambda call: Guide("Leave it."), review_handler=reviewer)
        assert executor.run("guarded", {}, caller="you").text == "Leave it."
        assert reviewer.requests == []

    @pytest.mark.parametrize(
        ("action", "text"),
        [
            (Allow(), "outside"),
            (Block("not there"), "Blocked: not there"),
            (Guide("Stay inside."), "Stay inside."),
            (Fallback("elsewhere"), "the call filter has something else answer for the edited arguments of 'go'"),
            (None, "the call filter failed (TypeError), so the call of 'go' was refused"),
        ],
    )
    @pytest.mark.expects_log("tools.execution")
    def test_it_judges_what_a_reviewer_writes_as_well(self, executor_of: ExecutorOf, action: Any, text: str) -> None:
        @tool(requires_confirmation=True)
        def go(where: str) -> str:
            """Go somewhere."""
            RAN.append(where)
            return where

        def call_filter(call: ToolCall) -> Any:
            return action if call.arguments["where"] == "outside" else Allow()

        executor = executor_of(go, call_filter=call_filter, review_handler=Answers(Edit({"where": "outside"})))
        response = executor.run("go", {"where": "inside"})
        assert response.text.startswith(text)
        assert response.status is (CallStatus.EXECUTED if RAN else CallStatus.DENIED)
        assert (RAN == ["outside"]) is (action == Allow() and action is not None)

    def test_it_sees_every_entry_and_no_call_that_cannot_run(self, executor_of: ExecutorOf) -> None:
        seen: list[str] = []

        def call_filter(call: ToolCall) -> CallAction:
            seen.append(f"{call.caller}: {call.name}")
            return Allow()

        @tool
        @resilience(fallback="search_here")
        def falls_back(query: str) -> str:
            """Fail."""
            raise ToolFailure("no")

        executor = executor_of(search, search_here, falls_back, call_filter=call_filter)
        executor.run("search", {"query": "a"}, caller="batch: nightly")
        executor.run("search", {"query": 3})
        executor.run("nowhere", {})
        assert executor.run("falls_back", {"query": "a"}).result == ["local a"]
        assert seen == ["batch: nightly: search", "you: falls_back", "you: search_here"]

    def test_a_tool_that_is_registered_later_is_filtered_too(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(call_filter=lambda call: Block("no"))
        executor.registry.register_all(resolve_tools([search]))
        assert executor.run("search", {"query": "a"}).text == "Blocked: no"

    def test_what_is_no_function_is_refused_at_once(self) -> None:
        with pytest.raises(ToolConfigurationError, match="call_filter needs to be a function"):
            Executor(ToolRegistry(), call_filter=Allow())  # type: ignore[arg-type]

    async def test_stopping_a_call_stops_what_answers_for_it(self, executor_of: ExecutorOf) -> None:
        begun = asyncio.Event()

        @tool
        async def endless(query: str) -> None:
            """Go on for ever."""
            begun.set()
            await asyncio.Event().wait()

        def call_filter(call: ToolCall) -> CallAction:
            return Fallback(tool="endless") if call.name == "search" else Allow()

        executor = executor_of(search, endless, call_filter=call_filter)
        call = executor.create_call("search", {"query": "a"})
        task = asyncio.ensure_future(executor.execute(call))
        await begun.wait()
        call.cancel()
        assert ((await task).status, executor.open_calls) == (CallStatus.CANCELLED, ())


class Heard:
    """Remember what a call listener is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def on_tool_call_start(self, name: str, arguments: Mapping[str, Any], /) -> None:
        self.told.append((name, dict(arguments)))

    def on_tool_call_complete(self, name: str, result: Any, success: bool, latency_ms: float, /) -> None:
        assert latency_ms > 0
        self.told.append((name, result, success))


class Broken:
    """Raise whatever one is told."""

    def on_tool_call_start(self, name: str, arguments: Mapping[str, Any], /) -> None:
        raise ValueError("start")

    def on_tool_call_complete(self, name: str, result: Any, success: bool, latency_ms: float, /) -> None:
        raise LookupError("complete")


@pytest.mark.reference("B23")
class TestCallListeners:
    def test_they_hear_of_start_and_end_until_they_are_removed(self, executor_of: ExecutorOf) -> None:
        heard = Heard()
        executor = executor_of(search, fail, call_filter=lambda call: Block("no") if call.caller == "x" else Allow())
        remove = executor.add_call_listener(heard)
        executor.run("search", {"query": "a", "limit": 1})
        executor.run("fail", {"query": "a"})
        executor.run("search", {"query": "a"}, caller="x")
        executor.run("search", {"query": 3})
        remove()
        executor.run("search", {"query": "b"})
        assert heard.told == [
            ("search", {"query": "a", "limit": 1}),
            ("search", ["a"], True),
            ("fail", {"query": "a"}),
            ("fail", "Error: no luck", False),
            ("search", {"query": "a", "limit": 3}),
            ("search", "Blocked: no", False),
        ]

    def test_secrets_stay_hidden_from_them(self, executor_of: ExecutorOf) -> None:
        @tool
        @security(mask_fields=["key", "result.token"])
        def log_in(key: str) -> dict[str, str]:
            """Log in."""
            return {"token": "t0ken", "with": key}

        heard = Heard()
        executor = executor_of(log_in)
        executor.add_call_listener(heard)
        assert executor.run("log_in", {"key": "s3cret"}).result == {"token": "t0ken", "with": "s3cret"}
        assert heard.told == [("log_in", {"key": MASK}), ("log_in", {"token": MASK, "with": MASK}, True)]

    @pytest.mark.expects_log("tools.execution")
    def test_one_that_raises_harms_no_call_and_no_other(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        before, after = Heard(), Heard()
        executor = executor_of(search)
        for listener in (before, Broken(), after, CompositeCallListener(before, Broken(), after)):
            executor.add_call_listener(listener)
        for _ in range(50):
            assert executor.run("search", {"query": "a", "limit": 1}).result == ["a"]
        assert len(before.told) == len(after.told) == 200
        # Once for each listener and each kind of error, not a hundred times.
        assert len(caplog.records) == 4
        assert caplog.text.count("a call listener failed at the start of search") == 1

    @pytest.mark.expects_log("tools.execution")
    def test_any_listener_that_breaks_is_written_down_once_for_each_kind_of_error(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.ERROR)
        errors: list[Exception] = [ValueError("a"), ValueError("b"), OSError("c")]

        def listener(event: Event) -> None:
            if isinstance(event, CallStarted):
                raise errors[RAN.count("a") % 3]

        executor = executor_of(search)
        remove = executor.add_listener(listener)
        for _ in range(9):
            executor.run("search", {"query": "a"})
        assert [record.exc_info is not None for record in caplog.records] == [True, True]
        assert "a listener failed on CallStarted; the call goes on (this kind of error is written once)" in caplog.text
        remove()
        executor.add_listener(listener)
        executor.run("search", {"query": "a"})
        assert len(caplog.records) == 3
