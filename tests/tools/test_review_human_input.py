"""The tool that asks a person: whom it asks, and what each answer becomes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.tools.running import Answers, ExecutorOf, Recorder, execute, run
from tools import (
    CallStatus,
    Continue,
    Edit,
    ExitEarly,
    ExitEarlyError,
    HumanInputTool,
    OnTimeout,
    ReviewDecision,
    ReviewRequest,
    ReviewTimeoutError,
    ReviewTiming,
    ToolConfigurationError,
)
from tools.catalog import builtin_tools
from tools.review.human_input import NO_OBJECTION, NOBODY, PROMPT

QUESTION = {"question": "Which date counts?"}


class Hanging:
    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        await asyncio.Event().wait()
        return Continue()


@pytest.mark.reference("D41", "D25")
@pytest.mark.parametrize(
    ("decision", "text"),
    [
        (Continue(), NO_OBJECTION),
        (Continue("the second"), "the second"),
        (Edit("12 March"), "12 March"),
        (Edit({"day": 12}), '{"day":12}'),
    ],
)
def test_an_executors_reviewer_is_asked_and_the_answer_is_the_result(
    executor_of: ExecutorOf, decision: ReviewDecision, text: str
) -> None:
    own, reviewer, seen = Answers(), Answers(decision), Recorder()
    executor = executor_of(HumanInputTool(own), review_handler=reviewer, listeners=[seen])
    response = run(execute(executor, "human_input", QUESTION))
    assert (response.text, response.status) == (text, CallStatus.EXECUTED)
    (asked,) = reviewer.requests
    assert (asked.description, asked.timing) == (QUESTION["question"], ReviewTiming.DURING_EXECUTION)
    assert (asked.timeout_s, asked.on_timeout) == (300.0, OnTimeout.CONTINUE)
    assert own.requests == []
    assert {"ReviewAsked", "ReviewDecided"} <= set(seen.names)


@pytest.mark.reference("D41")
@pytest.mark.parametrize("own", [True, False])
def test_a_person_may_end_it_all_instead(executor_of: ExecutorOf, own: bool) -> None:
    reviewer = Answers(ExitEarly("enough"))
    executor = executor_of(HumanInputTool(reviewer if own else None), review_handler=None if own else reviewer)
    call = executor.create_call("human_input", QUESTION)
    with pytest.raises(ExitEarlyError, match="enough"):
        run(executor.execute(call))
    assert call.response.status is CallStatus.DENIED


@pytest.mark.reference("D41")
def test_without_anybody_it_says_so_and_goes_on(executor_of: ExecutorOf) -> None:
    response = run(execute(executor_of(HumanInputTool()), "human_input", QUESTION))
    assert response.text == NOBODY
    assert [entry.level for entry in response.logs] == ["warning"]


@pytest.mark.reference("D25")
def test_its_own_reviewer_is_asked_where_there_is_no_other(executor_of: ExecutorOf) -> None:
    own = Answers(Edit("one"), Edit("two"))
    human = HumanInputTool()
    human.inject_review_handler(own)
    assert run(execute(executor_of(human), "human_input", QUESTION)).text == "one"
    assert run(human.do_execute("Which?")) == "two"
    assert [request.description for request in own.requests] == [QUESTION["question"], "Which?"]


def test_a_plain_function_may_answer() -> None:
    assert run(HumanInputTool(lambda request: Edit(request.description.upper())).do_execute("which?")) == "WHICH?"


def test_silence_means_what_the_tool_says() -> None:
    def asked(on_timeout: OnTimeout) -> Any:
        return run(HumanInputTool(Hanging(), timeout_s=0.01, on_timeout=on_timeout).do_execute("Which?"))

    assert asked(OnTimeout.CONTINUE) == NO_OBJECTION
    with pytest.raises(ExitEarlyError, match="nobody answered within"):
        asked(OnTimeout.EXIT_EARLY)
    with pytest.raises(ReviewTimeoutError, match="nobody answered within"):
        asked(OnTimeout.FAIL)


def test_what_cannot_answer_is_refused_at_once() -> None:
    with pytest.raises(ToolConfigurationError):
        HumanInputTool("somebody")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="negative"):
        HumanInputTool(timeout_s=-1)


def test_an_empty_question_is_refused(executor_of: ExecutorOf) -> None:
    reviewer = Answers()
    executor = executor_of(HumanInputTool(), review_handler=reviewer)
    assert run(execute(executor, "human_input", {"question": ""})).status is CallStatus.REJECTED
    blank = run(execute(executor, "human_input", {"question": "  "}))
    assert (blank.status, blank.text) == (CallStatus.FAILED, "Error: expected a question, got only blanks")
    assert reviewer.requests == []


def test_a_hint_says_what_kind_of_answer_is_wanted(executor_of: ExecutorOf) -> None:
    reviewer = Answers(Edit("2"), Edit("3"))
    executor = executor_of(HumanInputTool(), review_handler=reviewer)
    run(execute(executor, "human_input", QUESTION | {"hint": "its number"}))
    run(execute(executor, "human_input", QUESTION))
    assert [request.prompt for request in reviewer.requests] == ["its number", PROMPT]


@pytest.mark.reference("D41", "D56")
def test_the_catalogue_offers_this_one() -> None:
    offered = {tool.name: tool.owner for tool in builtin_tools()}
    assert offered["human_input"] == "tools.review.human_input.HumanInputTool"
