"""The webhook handler: what it sends, which answers count, and that anything else refuses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from tests.tools.running import ExecutorOf, execute, run
from tools import (
    Advice,
    CallStatus,
    Concern,
    Continue,
    Count,
    DryRun,
    Edit,
    ExitEarly,
    OnTimeout,
    ReviewDecision,
    ReviewRequest,
    RiskClass,
    ToolCall,
    ToolConfigurationError,
    WebhookReviewHandler,
    security,
    tool,
)
from tools.calls import record_of
from tools.review.webhook import NONCE, SIGNATURE, TIMESTAMP, signature

SECRET = b"0123456789abcdef"
URL = "https://desk.example/reviews"
NOW_S = 1_800_000_000.0

Change = Callable[[dict[str, Any], dict[str, str]], None]


def question(**fields: Any) -> ReviewRequest:
    asked = ReviewRequest(
        id="review-1",
        call=record_of(ToolCall("7", None, "delete_file", {}, "agent:a", 0.0)),
        description="Delete a file.",
        arguments={"path": "a.txt"},
        concerns=(Concern("destructive", "Destructive", "Gone."),),
        asked_at=datetime.now(UTC),
        risk=RiskClass.DESTRUCTIVE,
        preview=DryRun("Delete it.", (Count("files", 1, "1 file"),), ("a.txt",)),
    )
    return asked._replace(**fields)


class Desk:
    """The other program: checks what it is sent, and answers."""

    def __init__(
        self, reply: dict[str, Any], change: Change | None = None, *, status: int = 200, later: int = 0
    ) -> None:
        self.reply = reply
        self.change = change
        self.status = status
        self.later = later
        self.bodies: list[dict[str, Any]] = []
        self.nonces: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        stamp, nonce = request.headers[TIMESTAMP], request.headers[NONCE]
        assert request.headers[SIGNATURE] == signature(SECRET, stamp, nonce, request.content)
        self.bodies.append(json.loads(request.content))
        self.nonces.append(nonce)
        if len(self.bodies) <= self.later:
            return httpx.Response(202, headers={"retry-after": "0"})
        reply = {"id": self.bodies[-1]["id"], **self.reply}
        headers = {TIMESTAMP: str(int(NOW_S)), NONCE: nonce}
        content = json.dumps(reply).encode()
        headers[SIGNATURE] = signature(SECRET, headers[TIMESTAMP], nonce, content)
        if self.change is not None:
            self.change(reply, headers)
            content = json.dumps(reply).encode()
        return httpx.Response(self.status, headers=headers, content=content)


def ask(desk: Any, asked: ReviewRequest | None = None, **options: Any) -> ReviewDecision:
    handler = WebhookReviewHandler(URL, SECRET, transport=httpx.MockTransport(desk), now=lambda: NOW_S, **options)
    decision: ReviewDecision = run(handler.review(asked or question()))
    return decision


@pytest.mark.reference("D36")
@pytest.mark.parametrize(
    ("reply", "decision"),
    [
        ({"decision": "continue"}, Continue()),
        ({"decision": "continue", "reason": "fine"}, Continue("fine")),
        ({"decision": "edit", "revised": {"path": "b"}}, Edit({"path": "b"})),
        ({"decision": "exit_early", "reason": "no", "advice": "change"}, ExitEarly("no", advice=Advice.CHANGE)),
        ({"decision": "exit_early", "stop_run": True}, ExitEarly(stop_run=True)),
    ],
)
def test_signed_answers_count(reply: dict[str, Any], decision: ReviewDecision) -> None:
    assert ask(Desk(reply)) == decision


def test_a_tools_own_question_is_answered_with_a_text() -> None:
    assert ask(Desk({"decision": "edit", "revised": "blue"}), question(arguments=None)) == Edit("blue")


def test_all_of_the_question_is_sent() -> None:
    desk = Desk({"decision": "continue"})
    ask(desk)
    (body,) = desk.bodies
    assert (body["tool"], body["caller"], body["arguments"]) == ("delete_file", "agent:a", {"path": "a.txt"})
    assert (body["risk"], body["on_timeout"], body["concerns"][0]["kind"]) == (
        "destructive",
        "exit_early",
        "destructive",
    )
    assert body["preview"]["counts"] == [{"kind": "files", "amount": 1, "words": "1 file"}]
    assert (body["new_reasons"], body["caller_back_within_s"]) == ([], None)


def test_why_it_is_asked_again_and_that_the_caller_has_given_up_is_sent() -> None:
    desk = Desk({"decision": "continue"})
    ask(desk, question(new_reasons=("Deletes",), caller_back_within_s=600.0))
    (body,) = desk.bodies
    assert (body["new_reasons"], body["caller_back_within_s"]) == (["Deletes"], 600.0)


def test_whoever_needs_time_is_told_the_next_time_that_the_caller_left_meanwhile() -> None:
    asked, desk = question(), Desk({"decision": "continue"}, later=1)

    def leaves(request: httpx.Request) -> httpx.Response:
        answer = desk(request)
        handler.follow(asked._replace(caller_back_within_s=600.0))
        return answer

    handler = WebhookReviewHandler(URL, SECRET, transport=httpx.MockTransport(leaves), now=lambda: NOW_S)
    assert run(handler.review(asked)) == Continue()
    assert [body["caller_back_within_s"] for body in desk.bodies] == [None, 600.0]
    handler.follow(asked)


def test_whoever_needs_time_is_asked_again_with_another_nonce() -> None:
    desk = Desk({"decision": "continue"}, later=2)
    assert ask(desk) == Continue()
    assert len(set(desk.nonces)) == 3


def _other_nonce(_reply: dict[str, Any], headers: dict[str, str]) -> None:
    headers[NONCE] = "0" * 32


def _replayed(reply: dict[str, Any], headers: dict[str, str]) -> None:
    content = json.dumps(reply).encode()
    headers[NONCE] = "0" * 32
    headers[SIGNATURE] = signature(SECRET, headers[TIMESTAMP], headers[NONCE], content)


def _old(reply: dict[str, Any], headers: dict[str, str]) -> None:
    headers[TIMESTAMP] = str(int(NOW_S) - 301)
    headers[SIGNATURE] = signature(SECRET, headers[TIMESTAMP], headers[NONCE], json.dumps(reply).encode())


def _tampered(reply: dict[str, Any], _headers: dict[str, str]) -> None:
    reply["decision"] = "continue"


def _unsigned(_reply: dict[str, Any], headers: dict[str, str]) -> None:
    del headers[SIGNATURE]


@pytest.mark.parametrize(
    ("desk", "words"),
    [
        (Desk({"decision": "continue"}, _other_nonce), "answers another question"),
        (Desk({"decision": "continue"}, _replayed), "signature"),
        (Desk({"decision": "continue"}, _old), "time"),
        (Desk({"decision": "exit_early"}, _tampered), "signature"),
        (Desk({"decision": "continue"}, _unsigned), "signature"),
        (Desk({"decision": "continue", "id": "review-2"}), "another question"),
        (Desk({"decision": "maybe"}), "decision"),
        (Desk({"decision": "edit"}), "all arguments"),
        (Desk({"decision": "edit", "revised": "text"}), "all arguments"),
        (Desk({"decision": "continue"}, status=500), "500"),
        (Desk({"decision": "continue"}, status=302), "302"),
        (Desk({"decision": "continue", "more": "x" * 1_100_000}), "longer"),
    ],
)
def test_anything_else_refuses(desk: Desk, words: str) -> None:
    decision = ask(desk)
    assert isinstance(decision, ExitEarly)
    assert words in decision.reason
    assert not decision.timed_out


def test_who_cannot_be_reached_refuses() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route")

    assert ask(broken) == ExitEarly("the webhook gave no answer that counts: no route")


@pytest.mark.parametrize("on_timeout", OnTimeout)
def test_silence_refuses_before_the_question_decides(on_timeout: OnTimeout) -> None:
    async def silent(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        return httpx.Response(200)

    decision = ask(silent, question(timeout_s=0.04, on_timeout=on_timeout))
    assert decision == ExitEarly("the webhook did not answer within 0.02 s", timed_out=True)
    assert ask(silent, timeout_s=0.01) == ExitEarly("the webhook did not answer within 0.01 s", timed_out=True)


async def test_a_call_is_refused_in_the_webhooks_words_and_secrets_stay_here(executor_of: ExecutorOf) -> None:
    @security(approval_required=True, mask_fields=["token"])
    @tool
    def send(token: str) -> str:
        "Send."
        return "sent"

    desk = Desk({"decision": "exit_early", "reason": "not today"})
    handler = WebhookReviewHandler(URL, SECRET, transport=httpx.MockTransport(desk), now=lambda: NOW_S)
    response = await execute(executor_of(send, review_handler=handler), "send", {"token": "hush-hush"})
    assert response.status is CallStatus.DENIED
    assert "not today" in response.text
    assert "hush" not in str(desk.bodies)


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("http://desk.example/", SECRET),
        ("ftp://desk.example/", SECRET),
        ("https:///path", SECRET),
        (URL, "short"),
    ],
)
def test_what_protects_nothing_is_refused_at_once(url: str, secret: str | bytes) -> None:
    with pytest.raises(ToolConfigurationError, match="expected"):
        WebhookReviewHandler(url, secret)


def test_this_computer_needs_no_encryption() -> None:
    for host in ("localhost", "127.0.0.1", "[::1]"):
        WebhookReviewHandler(f"http://{host}:8000/", SECRET)
