from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tests.tools.running import Answers, Recorder, Silence, execute, run, start, steps_of, until
from tools import (
    AbstractTool,
    AutoApproveHandler,
    CallStatus,
    Concern,
    Continue,
    Edit,
    ExitEarly,
    ExitEarlyError,
    OnTimeout,
    PathRole,
    ReviewAsked,
    ReviewDecided,
    ReviewDecision,
    ReviewRequest,
    ReviewTimeoutError,
    ReviewTiming,
    ToolConfigurationError,
    ToolContext,
    ToolResponse,
    contract,
    make_tool,
    security,
    tool,
)
from tools.calls import MASK, StepOutcome
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


@tool(category="code", requires_confirmation=True)
@security(audit="standard")
class FileDelete(AbstractTool):
    """Delete a file."""

    def do_execute(self, path: Annotated[Path, PathRole(writes=True)]) -> str:
        path.unlink()
        return f"Deleted: {path.name}"


@tool(destructive=True)
def wipe(what: str, count: int = 1) -> str:
    """Wipe something.

    It is gone.
    """
    return f"wiped {what} {count}"


def hosts(arguments: Mapping[str, Any], project_dir: Path) -> Iterable[Concern]:
    if arguments["host"] != "example.org":
        yield Concern("private_host", "Private host", f"It calls {arguments['host']}.", f"host:{arguments['host']}")


@tool(concerns=hosts)
async def fetch(host: str, ctx: ToolContext) -> list[str]:
    """Fetch a page."""
    return [host, *sorted(ctx.grants)]


class TestNobodyToAsk:
    @pytest.mark.reference("D31", "D32", "A11", "A34")
    def test_a_guarded_tool_without_a_reviewer_is_an_error_that_names_it_and_reaches_the_caller(
        self, executor_of: ExecutorOf
    ) -> None:
        @tool
        @security(approval_required=True)
        def approved() -> None: ...

        executor = executor_of(FileDelete, wipe, approved, fetch)
        for name, given, why in (
            ("file_delete", {"path": "a"}, "always asks"),
            ("wipe", {"what": "a"}, "destructive"),
            ("approved", {}, "always asks"),
            ("fetch", {"host": "localhost"}, "private host"),
        ):
            call = executor.create_call(name, given)
            with pytest.raises(ToolConfigurationError, match=rf"tool '{name}' asks before it runs \({why}\), but no"):
                run(executor.execute(call))
            assert call.response.status is CallStatus.FAILED
            assert len(call.response.attempts) == 0
        assert executor.run("fetch", {"host": "example.org"}).result == ["example.org"]

    @pytest.mark.reference("D24")
    @pytest.mark.parametrize("handler", [42, "yes", object()])
    def test_a_handler_that_is_none_is_refused_before_the_first_question(
        self, executor_of: ExecutorOf, handler: object
    ) -> None:
        with pytest.raises(ToolConfigurationError, match="review_handler needs an asynchronous review"):
            executor_of(wipe, review_handler=handler)


class TestAnswers:
    @pytest.mark.reference("A19", "A20", "D35")
    def test_an_approved_call_proceeds_unchanged(self, executor_of: ExecutorOf, tmp_path: Path) -> None:
        (tmp_path / "a.txt").touch()
        reviewer = Answers(Continue("fine by me"))
        response = executor_of(FileDelete, review_handler=reviewer).run("file_delete", {"path": "a.txt"})
        assert response.text == "Deleted: a.txt"
        assert not (tmp_path / "a.txt").exists()
        assert (response.feedback, response.modified_arguments) == ("fine by me", None)
        (request,) = reviewer.requests
        assert (request.description, request.timing) == ("Delete a file.", ReviewTiming.BEFORE_EXECUTION)
        assert request.arguments == {"path": "a.txt"}
        assert (request.timeout_s, request.on_timeout) == (300, OnTimeout.EXIT_EARLY)
        assert request.call.caller == "you"

    @pytest.mark.reference("D33", "A19", "E30")
    def test_a_refused_call_never_runs_and_says_what_was_refused_and_why(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        (tmp_path / "a.txt").touch()
        reviewer = Answers(ExitEarly("we need it"), ExitEarly())
        executor = executor_of(FileDelete, review_handler=reviewer)
        response = executor.run("file_delete", {"path": "a.txt"})
        assert response.status is CallStatus.DENIED
        assert response.text == 'Rejected by reviewer: path="a.txt". we need it'
        assert response.feedback == "we need it"
        assert (tmp_path / "a.txt").exists()
        assert executor.run("file_delete", {"path": "a.txt"}).text == 'Rejected by reviewer: path="a.txt"'

    @pytest.mark.reference("D34", "E28")
    def test_an_edit_replaces_the_arguments_converts_them_and_is_reported(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers(Edit({"what": "dust", "count": "3"}, "only the dust"))
        response = executor_of(wipe, review_handler=reviewer).run("wipe", {"what": "all"})
        assert response.text == "wiped dust 3"
        assert response.modified_arguments == {"what": "dust", "count": 3}
        assert response.feedback == "only the dust"
        assert len(reviewer.requests) == 1

    @pytest.mark.reference("D34")
    def test_an_edit_may_be_text(self, executor_of: ExecutorOf) -> None:
        class Shout(AbstractTool):
            """Shout."""

            def do_execute(self, query: str) -> str:
                return query.upper()

        security(approval_required=True)(Shout)
        executor = executor_of(Shout, wipe, review_handler=Answers(Edit("other"), Edit('{"what": "dust"}')))
        assert executor.run("shout", "first").text == "OTHER"
        assert executor.run("wipe", {"what": "all"}).text == "wiped dust 1"

    @pytest.mark.reference("D34", "E15")
    def test_an_edit_that_does_not_fit_is_rejected_and_nothing_runs(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(wipe, review_handler=Answers(Edit({"what": "a", "count": "x"}), Edit("no json")))
        response = executor.run("wipe", {"what": "a"})
        assert (response.status, len(response.attempts)) == (CallStatus.REJECTED, 0)
        assert "count: expected a whole number" in response.text
        assert executor.run("wipe", {"what": "a"}).status is CallStatus.REJECTED

    def test_an_edit_must_keep_the_preconditions(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        @contract(pre="count < 5")
        def few(count: int) -> int:
            return count

        response = executor_of(few, review_handler=Answers(Edit({"count": 9}))).run("few", {"count": 1})
        assert response.text == "Error: the precondition 'count < 5' does not hold (count = 9)"

    def test_an_edit_with_a_new_reason_is_asked_about_again(self, executor_of: ExecutorOf) -> None:
        reviewer = Answers(Edit({"host": "10.0.0.2"}), Continue())
        response = executor_of(fetch, review_handler=reviewer).run("fetch", {"host": "10.0.0.1"})
        assert response.result == ["10.0.0.2", "host:10.0.0.2"]
        assert [request.arguments for request in reviewer.requests] == [{"host": "10.0.0.1"}, {"host": "10.0.0.2"}]
        first, again = reviewer.requests
        assert (first.new_reasons, again.new_reasons) == ((), tuple(concern.title for concern in again.concerns))
        harmless = Answers(Edit({"host": "example.org"}))
        response = executor_of(fetch, review_handler=harmless).run("fetch", {"host": "10.0.0.1"})
        assert (response.result, len(harmless.requests)) == (["example.org"], 1)

    def test_edits_without_end_are_refused(self, executor_of: ExecutorOf) -> None:
        class Restless:
            number = 0

            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                self.number += 1
                return Edit({"host": f"10.0.0.{self.number}"})

        response = executor_of(fetch, review_handler=Restless()).run("fetch", {"host": "localhost"})
        assert response.status is CallStatus.DENIED
        assert "after 10 questions" in response.text

    def test_secrets_are_hidden_in_the_question_and_survive_an_edit(self, executor_of: ExecutorOf) -> None:
        used: list[str] = []

        @tool(requires_confirmation=True)
        @security(mask_fields=["key"])
        def send(key: str, text: str) -> str:
            used.append(key)
            return text

        reviewer = Answers(Edit({"key": MASK, "text": "b"}), Edit({"key": "new", "text": "b"}))
        executor = executor_of(send, review_handler=reviewer)
        for _ in range(2):
            response = executor.run("send", {"key": "s3cret", "text": "a"})
            assert response.modified_arguments == {"key": MASK, "text": "b"}
        assert reviewer.requests[0].arguments == {"key": MASK, "text": "a"}
        assert used == ["s3cret", "new"]

    @pytest.mark.reference("D30")
    @pytest.mark.parametrize("reason", ["enough", ""])
    def test_stopping_the_run_reaches_the_caller_as_an_exception(self, executor_of: ExecutorOf, reason: str) -> None:
        executor = executor_of(wipe, review_handler=Answers(ExitEarly(reason, stop_run=True)))
        call = executor.create_call("wipe", {"what": "a"})
        with pytest.raises(ExitEarlyError, match="Rejected by reviewer"):
            run(executor.execute(call))
        assert call.response.status is CallStatus.DENIED

    @pytest.mark.reference("D30")
    @pytest.mark.parametrize("sync", [True, False])
    @pytest.mark.parametrize("swallowed", [True, False])
    def test_stopping_the_run_from_a_tools_own_question_passes_every_layer(
        self, executor_of: ExecutorOf, sync: bool, swallowed: bool
    ) -> None:
        @tool
        def ask_sync(ctx: ToolContext) -> str:
            try:
                ctx.request_approval("Go on?").wait()
            except ExitEarlyError:
                if not swallowed:
                    raise
            return "went on"

        @tool
        async def ask_async(ctx: ToolContext) -> str:
            try:
                await ctx.request_approval("Go on?")
            except ExitEarlyError:
                if not swallowed:
                    raise
            return "went on"

        executor = executor_of(ask_sync, ask_async, review_handler=Answers(ExitEarly("enough", stop_run=True)))
        with pytest.raises(ExitEarlyError, match="stopped the run" if swallowed else "enough"):
            executor.run("ask_sync" if sync else "ask_async", {})

    @pytest.mark.reference("D25")
    def test_a_tool_that_asks_a_person_works_beside_the_gate_before_it(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        async def human_input(question: str, ctx: ToolContext) -> str:
            decision = await ctx.request_approval(question)
            return str(decision.revised) if isinstance(decision, Edit) else "?"

        reviewer = Answers(Continue(), Edit("blue"))
        response = executor_of(human_input, review_handler=reviewer).run("human_input", {"question": "Which?"})
        assert response.text == "blue"
        assert [request.timing for request in reviewer.requests] == [
            ReviewTiming.BEFORE_EXECUTION,
            ReviewTiming.DURING_EXECUTION,
        ]
        assert len({request.id for request in reviewer.requests}) == 2


class TestSilence:
    @pytest.mark.parametrize("on_timeout", list(OnTimeout))
    def test_silence_means_what_the_question_says(self, executor_of: ExecutorOf, on_timeout: OnTimeout) -> None:
        @tool
        async def ask(ctx: ToolContext) -> list[Any]:
            return list(await ctx.request_approval("Hello?", timeout_s=0.005, on_timeout=on_timeout))

        async def work() -> ToolResponse:
            silence = Silence()
            response = await execute(executor_of(ask, review_handler=silence), "ask")
            assert silence.withdrawn
            return response

        if on_timeout is OnTimeout.FAIL:
            with pytest.raises(ReviewTimeoutError, match=r"nobody answered within 0\.005 s"):
                run(work())
        elif on_timeout is OnTimeout.CONTINUE:
            assert run(work()).result[0] == ""
        else:
            assert run(work()).result[:3] == ["nobody answered within 0.005 s", True, False]

    def test_zero_waits_for_ever(self, executor_of: ExecutorOf) -> None:
        @tool
        async def ask(ctx: ToolContext) -> None:
            await ctx.request_approval("Hello?", timeout_s=0)

        async def work() -> CallStatus:
            silence = Silence()
            call, task = start(executor_of(ask, review_handler=silence), "ask")
            await silence.asked.wait()
            await asyncio.sleep(0.01)
            assert call.response.status is CallStatus.WAITING_FOR_REVIEW
            call.cancel()
            return (await task).status  # type: ignore[no-any-return]

        assert run(work()) is CallStatus.CANCELLED


class TestHandlers:
    @pytest.mark.reference("D29")
    async def test_questions_may_be_open_side_by_side(self, executor_of: ExecutorOf) -> None:
        class Desk:
            def __init__(self) -> None:
                self.open: list[ReviewRequest] = []
                self.all_there = asyncio.Event()

            async def review(self, request: ReviewRequest, /) -> ReviewDecision:
                self.open.append(request)
                if len(self.open) == 2:
                    self.all_there.set()
                await self.all_there.wait()
                return Continue()

        executor = executor_of(wipe, review_handler=Desk())
        assert [
            response.text
            for response in list(await asyncio.gather(*(execute(executor, "wipe", {"what": what}) for what in "ab")))
        ] == ["wiped a 1", "wiped b 1"]

    def test_a_plain_function_answers_in_a_thread_and_may_block(self, executor_of: ExecutorOf) -> None:
        threads: list[bool] = []

        def answer(request: ReviewRequest) -> ReviewDecision:
            threads.append(threading.current_thread() is threading.main_thread())
            return Edit({"what": request.description})

        assert executor_of(wipe, review_handler=answer).run("wipe", {"what": "a"}).text == "wiped Wipe something. 1"
        assert threads == [False]

    def test_a_function_that_blocks_for_ever_is_abandoned_with_its_question(self, executor_of: ExecutorOf) -> None:
        release, asked = threading.Event(), threading.Event()

        def answer(request: ReviewRequest) -> ReviewDecision:
            asked.set()
            release.wait(10)
            return Continue()

        async def work() -> CallStatus:
            executor = executor_of(wipe, review_handler=answer)
            call, task = start(executor, "wipe", {"what": "a"})
            await until(asked.is_set)
            call.cancel()
            status = (await task).status
            assert executor.abandoned_threads == 1
            release.set()
            await until(lambda: executor.abandoned_threads == 0)
            return status  # type: ignore[no-any-return]

        assert run(work()) is CallStatus.CANCELLED

    def test_an_async_function_answers_too(self, executor_of: ExecutorOf) -> None:
        async def answer(request: ReviewRequest) -> ReviewDecision:
            await asyncio.sleep(0)
            return Continue()

        assert executor_of(wipe, review_handler=answer).run("wipe", {"what": "a"}).text == "wiped a 1"

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (lambda request: 1 / 0, "the review handler failed: ZeroDivisionError: division by zero"),
            (lambda request: "yes", "must answer with Continue, Edit or ExitEarly; it answered 'yes'"),
            (lambda request: None, "it answered None"),
        ],
    )
    def test_a_handler_that_breaks_is_an_error_of_the_program_and_nothing_runs(
        self, executor_of: ExecutorOf, answer: Any, said: str
    ) -> None:
        executor = executor_of(wipe, review_handler=answer)
        call = executor.create_call("wipe", {"what": "a"})
        with pytest.raises(ToolConfigurationError, match=said):
            run(executor.execute(call))
        assert (call.response.status, len(call.response.attempts)) == (CallStatus.FAILED, 0)

    def test_auto_approval_continues_after_its_delay(self, executor_of: ExecutorOf) -> None:
        for handler in (AutoApproveHandler(), AutoApproveHandler(delay_s=0.001)):
            assert executor_of(wipe, review_handler=handler).run("wipe", {"what": "a"}).text == "wiped a 1"
        with pytest.raises(ValueError, match="must not be negative"):
            AutoApproveHandler(-1)


class TestTrace:
    @pytest.mark.reference("A41", "A34")
    def test_the_question_and_its_waiting_are_in_the_trace_and_the_events(self, executor_of: ExecutorOf) -> None:
        recorder = Recorder()
        response = executor_of(wipe, review_handler=AutoApproveHandler(0.002), listeners=[recorder]).run(
            "wipe", {"what": "a"}
        )
        (check,) = [step for step in response.steps if step_title(step) == "Security check"]
        assert step_detail(check) == "approved"
        assert 0.002 <= check.waiting_s <= check.elapsed_s
        asked, decided = [event for event in recorder.events if isinstance(event, ReviewAsked | ReviewDecided)]
        assert isinstance(asked, ReviewAsked)
        assert isinstance(decided, ReviewDecided)
        assert (asked.request, decided.decision) == (decided.request, Continue())
        assert decided.by == "AutoApproveHandler"

    def test_the_record_says_who_decided(self, executor_of: ExecutorOf) -> None:
        class Desk(Answers):
            name = "you"

        def doorkeeper(_request: ReviewRequest) -> Continue:
            return Continue()

        def by_whom(handler: object) -> str:
            recorder = Recorder()
            executor_of(wipe, review_handler=handler, listeners=[recorder]).run("wipe", {"what": "a"})
            (decided,) = [event for event in recorder.events if isinstance(event, ReviewDecided)]
            return decided.by

        assert [by_whom(Desk()), by_whom(Answers()), by_whom(doorkeeper)] == ["you", "Answers", "doorkeeper"]

    @pytest.mark.reference("A29")
    @pytest.mark.parametrize("limit_s", [0.0, 12.5])
    def test_a_policy_says_how_long_its_question_stays_open(self, executor_of: ExecutorOf, limit_s: float) -> None:
        @tool(requires_confirmation=True)
        @security(review_timeout_s=limit_s)
        def guarded() -> None:
            """Do something guarded."""

        reviewer = Answers()
        executor_of(guarded, wipe, review_handler=reviewer).run("guarded", {})
        (request,) = reviewer.requests
        assert (request.timeout_s, request.expires_at is None) == (limit_s, limit_s == 0)

    @pytest.mark.reference("D27")
    def test_an_unanswered_gate_denies(self, executor_of: ExecutorOf) -> None:
        @tool(requires_confirmation=True)
        @security(review_timeout_s=0.005)
        def guarded() -> None:
            """Do something guarded."""

        response = executor_of(guarded, review_handler=Silence()).run("guarded", {})
        assert (response.status, response.text) == (CallStatus.DENIED, "Denied: nobody answered within 0.005 s")
        assert [step.outcome for step in response.steps if step_title(step) == "Security check"] == [StepOutcome.DENIED]

    @pytest.mark.parametrize("silence_means", list(OnTimeout))
    def test_silence_is_the_decision_of_the_time_limit(self, executor_of: ExecutorOf, silence_means: OnTimeout) -> None:
        async def ask(ctx: ToolContext) -> str:
            return type(await ctx.request_approval("Go on?", timeout_s=0.001, on_timeout=silence_means)).__name__

        recorder = Recorder()
        executor = executor_of(make_tool("ask", "Ask.", ask), review_handler=Silence(), listeners=[recorder])
        with suppress(ReviewTimeoutError):
            executor.run("ask", {})
        (decided,) = [event for event in recorder.events if isinstance(event, ReviewDecided)]
        assert decided.by == "time limit"
        assert isinstance(decided.decision, Continue if silence_means is OnTimeout.CONTINUE else ExitEarly)

    def test_a_withdrawn_question_is_decided_as_withdrawn(self, executor_of: ExecutorOf) -> None:
        async def work() -> Recorder:
            silence, recorder = Silence(), Recorder()
            call, task = start(executor_of(wipe, review_handler=silence, listeners=[recorder]), "wipe", {"what": "a"})
            await silence.asked.wait()
            call.cancel()
            await task
            return recorder

        recorder = run(work())
        (decided,) = [event for event in recorder.events if isinstance(event, ReviewDecided)]
        assert (decided.decision, decided.by) == (ExitEarly("the question was withdrawn"), "")
        assert recorder.names[-1] == "CallFinished"

    def test_concerns_that_break_keep_the_tool_from_running(self, executor_of: ExecutorOf) -> None:
        def broken(arguments: Mapping[str, Any], project_dir: Path) -> Iterable[Concern]:
            raise OSError("no network")

        @tool(concerns=broken)
        def work() -> None: ...

        response = executor_of(work, review_handler=Answers()).run("work", {})
        assert (response.status, len(response.attempts)) == (CallStatus.FAILED, 0)
        assert steps_of(response) == ["Validate arguments", "Security check", "Metrics"]


def test_a_tool_without_a_reason_to_ask_asks_nobody(executor_of: ExecutorOf) -> None:
    reviewer = Answers()
    executor_of(make_tool("work", "Work.", lambda: 1), review_handler=reviewer).run("work", {})
    assert reviewer.requests == []
