from __future__ import annotations

import asyncio
import io
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import run, until
from tools import (
    Concern,
    Continue,
    Count,
    DryRun,
    Edit,
    ExitEarly,
    OnTimeout,
    ReviewDecision,
    ReviewRequest,
    ReviewTiming,
    RiskClass,
    TerminalReviewHandler,
    ToolCall,
    tool,
)
from tools.calls import PlannedStep, record_of
from tools.spec import RiskDegree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.tools.running import ExecutorOf


def request(
    arguments: Mapping[str, Any] | None = None, *, timeout_s: float = 0, on_timeout: OnTimeout = OnTimeout.EXIT_EARLY
) -> ReviewRequest:
    return ReviewRequest(
        id="review-1",
        call=record_of(ToolCall("1", None, "delete_file", {}, "agent:a", 0.0)),
        description="Delete a file.",
        arguments=arguments,
        concerns=(Concern("destructive", "Destructive", "It is gone for good."), Concern("other", "Odd")),
        timeout_s=timeout_s,
        on_timeout=on_timeout,
        prompt="Think twice.",
        asked_at=datetime.now(UTC),
    )


def answered(text: str, asked: ReviewRequest | None = None) -> tuple[ReviewDecision, str]:
    screen = io.StringIO()
    handler = TerminalReviewHandler(io.StringIO(text), screen)
    return run(handler.review(asked or request({"path": "a.txt"}))), screen.getvalue()


class Terminal(io.StringIO):
    """A terminal whose person types when told to."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []
        self._typed = threading.Semaphore(0)
        self.lines_read = 0

    def isatty(self) -> bool:
        return True

    def type(self, *lines: str) -> None:
        self._lines += lines
        self._typed.release(len(lines))

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        self._typed.acquire()
        self.lines_read += 1
        return self._lines.pop(0)


@pytest.mark.reference("D38", "D35", "D33")
@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("c\n", Continue()),
        (" YES \n", Continue()),
        ("x\n", ExitEarly()),
        ("no\n", ExitEarly()),
        ("c go on\n", Continue("go on")),
        ("x take  the copy\n", ExitEarly("take  the copy")),
        ("s\n", ExitEarly(stop_run=True)),
        ("stop it all\n", ExitEarly("it all", stop_run=True)),
        ("edit this\nx\n", ExitEarly()),
        ("", ExitEarly("no answer: the input ended")),
        ("what?\n\nc\n", Continue()),
        ("what?", ExitEarly("no answer: the input ended")),
        ('e\n{"path": "b.txt"}\n', Edit({"path": "b.txt"})),
        ('e\n{"deep": true}\n', Edit({"path": "a.txt", "deep": True})),
        ("e\nnot json\nx\n", ExitEarly()),
        ("e\n[1]\nc\n", Continue()),
        ("e\n", ExitEarly("no answer: the input ended")),
    ],
)
def test_keys_mean_what_they_say_and_silence_refuses(text: str, decision: ReviewDecision) -> None:
    for _ in range(5):  # the reading thread may be quicker or slower than the question
        assert answered(text)[0] == decision


def test_the_question_shows_who_what_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    _, screen = answered("maybe\nc\n", request({"path": "a.txt", "deep": True}, timeout_s=65))
    assert "delete_file asks (agent:a): Delete a file." in screen
    assert "! Destructive: It is gone for good." in screen
    assert "! Odd\n" in screen
    assert 'path = "a.txt"' in screen
    assert "deep = true" in screen
    assert "Think twice." in screen
    assert "(in 1:0" in screen
    assert "silence refuses)" in screen
    assert "Expected c, e, x or s, got 'maybe'." in screen
    assert capsys.readouterr() == ("", "")


@pytest.mark.reference("D37", "D38")
@pytest.mark.parametrize(
    ("on_timeout", "words"),
    [
        (OnTimeout.CONTINUE, "silence continues)"),
        (OnTimeout.EXIT_EARLY, "silence refuses)"),
        (OnTimeout.FAIL, "silence fails the call)"),
    ],
)
def test_the_countdown_says_what_silence_does(on_timeout: OnTimeout, words: str) -> None:
    _, screen = answered("c\n", request({}, timeout_s=5, on_timeout=on_timeout))
    assert words in screen


def test_the_question_shows_what_it_stands_on() -> None:
    preview = DryRun("Delete it.", (Count("files", 12, "12 files"),), tuple("abcdefghijkl"), 3, ("No copy is kept.",))
    asked = request({})._replace(
        risk=RiskClass.DESTRUCTIVE,
        degree=RiskDegree.HIGH,
        risk_why="Deletes a file: a.txt.",
        why="Ask about deletions",
        new_reasons=("Deletes",),
        required_role="admin",
        preview=preview,
        attached=2,
        caller_back_within_s=600.0,
    )
    _, screen = answered("c\n", asked)
    for words in (
        "What it will do: Delete it. 12 files",
        "    j\n    and 5 more",
        "! No copy is kept.",
        "! Asked once more, because the edit gives new reasons: Deletes\n",
        "! Ask about deletions",
        "Risk: high. Deletes a file: a.txt.",
        "role 'admin'",
        "counts for 2 identical calls",
        "The caller has given up waiting; once allowed, the call runs when it asks again within 600 s.",
    ):
        assert words in screen


def test_a_result_whose_caller_is_gone_is_collected_later() -> None:
    asked = request()._replace(timing=ReviewTiming.AFTER_EXECUTION, result="x", caller_back_within_s=600.0)
    _, screen = answered("c\n", asked)
    assert "The caller has given up waiting; it gets the outcome when it asks again." in screen


def test_a_result_is_shown_before_it_is_handed_on() -> None:
    asked = request()._replace(timing=ReviewTiming.AFTER_EXECUTION, result={"text": "x" * 3000})
    _, screen = answered("c\n", asked)
    assert 'result = {"text":"xxx' in screen
    assert "… (3,011 characters)" in screen


def test_nothing_that_is_shown_can_write_over_the_question() -> None:
    asked = request({"path": "a\x1b[2K\rb\x9b1A\u202ec"})._replace(description="Fine.\x1b[1A\u2066\nRisk: none")
    _, screen = answered("c\n", asked)
    assert all(letter.isprintable() or letter == "\n" for letter in screen)
    assert "\\u202e" in screen
    assert "\nRisk" not in screen


@pytest.mark.reference("D34")
def test_a_tools_own_question_is_answered_with_a_text() -> None:
    assert answered("e\nthe blue one\n", request())[0] == Edit("the blue one")
    assert answered("e\n", request())[0] == ExitEarly("no answer: the input ended")


@pytest.mark.reference("D28")
async def test_questions_are_asked_one_at_a_time() -> None:
    terminal, screen = Terminal(), io.StringIO()
    handler = TerminalReviewHandler(terminal, screen)
    first = asyncio.create_task(handler.review(request({"path": "1"})))
    second = asyncio.create_task(handler.review(request({"path": "2"})))
    await until(lambda: 'path = "1"' in screen.getvalue())
    assert 'path = "2"' not in screen.getvalue()
    terminal.type("c\n")
    assert await first == Continue()
    await until(lambda: 'path = "2"' in screen.getvalue())
    terminal.type("x\n")
    assert await second == ExitEarly()
    terminal.type("")


async def test_a_late_answer_to_one_question_is_none_to_the_next() -> None:
    terminal, screen = Terminal(), io.StringIO()
    handler = TerminalReviewHandler(terminal, screen)
    first = asyncio.create_task(handler.review(request({"path": "1"})))
    await until(lambda: "1" in screen.getvalue())
    first.cancel()
    await asyncio.wait([first])
    terminal.type("c\n")
    await until(lambda: terminal.lines_read == 1)
    second = asyncio.create_task(handler.review(request({"path": "2"})))
    await until(lambda: 'path = "2"' in screen.getvalue())
    terminal.type("x\n")
    assert await second == ExitEarly()
    terminal.type("")


def test_a_pipe_answers_several_questions_in_several_loops() -> None:
    handler = TerminalReviewHandler(io.StringIO("c\nx\n"), io.StringIO())
    assert run(handler.review(request({}))) == Continue()
    assert run(handler.review(request({}))) == ExitEarly()
    assert run(handler.review(request({}))) == ExitEarly("no answer: the input ended")
    assert run(handler.review(request({}))) == ExitEarly("no answer: the input ended")


def test_input_that_breaks_refuses() -> None:
    source = io.StringIO("c\n")
    source.close()
    handler = TerminalReviewHandler(source, io.StringIO())
    broken = io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8")
    decision = run(TerminalReviewHandler(broken, io.StringIO()).review(request({})))
    assert decision == ExitEarly("no answer: the input is no UTF-8 text")
    assert run(handler.review(request({}))) == ExitEarly("no answer: the input ended")


@pytest.mark.reference("A11", "D33", "D34")
def test_a_guarded_tool_asks_in_the_terminal(executor_of: ExecutorOf) -> None:
    @tool(requires_confirmation=True)
    def delete_all(path: str) -> str:
        """Delete everything."""
        return f"Deleted: {path}"

    screen = io.StringIO()
    handler = TerminalReviewHandler(io.StringIO('x\ne\n{"path": "b"}\n'), screen)
    executor = executor_of(delete_all, review_handler=handler)
    refused = executor.run("delete_all", {"path": "a"})
    edited = executor.run("delete_all", {"path": "a"})
    assert refused.text == 'Rejected by reviewer: path="a"'
    assert edited.text == "Deleted: b"
    assert "! Always asks" in screen.getvalue()


def planned(*, is_open: bool) -> ReviewRequest:
    always = (Concern("confirmation", "Always asks", "The tool asks a person before each call."),)
    return request()._replace(
        call=record_of(ToolCall("1", None, "tidy up", {}, "batch: tidy up", 0.0)),
        plan=(
            PlannedStep("look", "list_files", 1, 1, 0, ({},)),
            PlannedStep("remove", "delete_file", 30, 30, 30, tuple({"path": f"f{n}"} for n in range(20)), always),
            PlannedStep("later", "delete_file", None, 0, 0, ({"path": "${row}"},), always, is_open=is_open),
        ),
    )


@pytest.mark.reference("D38")
def test_a_plan_is_shown_step_by_step() -> None:
    _, screen = answered("c\n", planned(is_open=True))
    assert "remove: delete_file, 30 calls; 30 of 30 calls ask: always asks" in screen
    assert '{"path":"f2"}' in screen
    assert "f3" not in screen
    assert "later: delete_file, as many calls as there will be rows; may ask (always asks) when its arguments" in screen
    assert "Nothing is asked about: look" in screen
    assert "[c]ontinue, [w]ith whatever arguments, e[x]it without running" in screen


@pytest.mark.parametrize(("typed", "steps"), [("w", ("later",)), ("w later", ("later",)), ("w later,", ("later",))])
def test_steps_of_a_plan_are_agreed_to_with_whatever_arguments(typed: str, steps: tuple[str, ...]) -> None:
    assert answered(f"{typed}\n", planned(is_open=True))[0] == Continue(whatever=steps)


def test_only_steps_whose_arguments_come_later_are_agreed_to_so() -> None:
    decision, screen = answered("w remove\nx\n", planned(is_open=True))
    assert decision == ExitEarly()
    assert "Expected names of steps whose arguments are known later (later), got 'remove'." in screen
    assert "Expected c, w or x, got 'e'." in answered("e\nx\n", planned(is_open=True))[1]
    assert "whatever" not in answered("c\n", planned(is_open=False))[1]
