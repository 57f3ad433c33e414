"""What one of two conversations did is not done again by the other without a person's word."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.tools.models.fakes import FakeProvider, calling
from tests.tools.models.test_protocols import Told
from tests.tools.running import Answers
from tools import ExitEarly, OnTimeout, security, tool
from tools.models import CallResult, CallResults, Conversation, ToolOffer
from tools.models.journal import new_file
from tools.models.side_by_side import REPEATED, SideBySide
from tools.policy import Autonomy, Policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.tools.running import ExecutorOf
    from tools import Executor, ToolCall

POST = ("post_text", '{"text": "a"}')
posted: list[str] = []


@tool
def post_text(text: str) -> str:
    """Post a text."""
    posted.append(text)
    return f"posted {text}"


@pytest.fixture(autouse=True)
def nothing_posted() -> None:
    posted.clear()


def talk(executor: Executor, beside: SideBySide, side: str, provider: FakeProvider) -> Conversation:
    async def admit(calls: Sequence[ToolCall]) -> None:
        await beside.admit(side, calls)

    offer = ToolOffer(executor.registry, provider.wire)
    return Conversation(executor, provider, "m", offer, tell=Told(), admit=admit)


def told(provider: FakeProvider) -> CallResult:
    """Return what a model was told of its call."""
    message = provider.requests[1].messages[-1]
    assert isinstance(message, CallResults)
    return message.results[0]


@pytest.mark.parametrize("agrees", [True, False], ids=["again", "once"])
async def test_a_call_with_other_arguments_is_asked_about_as_well(executor_of: ExecutorOf, *, agrees: bool) -> None:
    person = Answers(*([] if agrees else [ExitEarly("once is enough")]))
    executor = executor_of(post_text, review_handler=person)
    beside, provider = SideBySide(executor), FakeProvider(calling(("post_text", '{"text": "b"}')), "done")
    first = talk(executor, beside, "first", FakeProvider(calling(POST), "done"))
    second = talk(executor, beside, "second", provider)
    await first.say("post")
    await second.say("post")
    assert posted == (["a", "b"] if agrees else ["a"])
    assert [concern.title for concern in person.requests[0].concerns] == ["Run already by the other model"]
    assert len(person.requests) == 1
    assert ("once is enough" in told(provider).text) is not agrees


async def test_a_call_that_is_still_under_way_is_waited_for(executor_of: ExecutorOf) -> None:
    person = Answers(ExitEarly(""))
    executor = executor_of(post_text, review_handler=person)
    beside = SideBySide(executor)
    providers = [FakeProvider(calling(POST), "done") for _ in range(2)]
    talks = [talk(executor, beside, str(at), provider) for at, provider in enumerate(providers)]
    await asyncio.gather(*(one.say("post") for one in talks))
    assert posted == ["a"]
    assert told(providers[1]).status == "denied"
    assert "this came of it (executed): posted a" in told(providers[1]).text


async def test_what_was_done_before_a_restart_is_known_after_it(executor_of: ExecutorOf, tmp_path: Path) -> None:
    person = Answers(ExitEarly(""))
    executor = executor_of(post_text, review_handler=person)
    file = new_file(tmp_path / "kept")
    provider = FakeProvider(calling(POST), "done")
    offer = ToolOffer(executor.registry, provider.wire)
    await Conversation(executor, provider, "m", offer, tell=Told(), write=file.write).say("post")
    beside = SideBySide(executor)
    beside.remember("first", file.read(), 0)
    await talk(executor, beside, "second", FakeProvider(calling(POST), "done")).say("post")
    assert posted == ["a"]
    assert person.kinds == [[REPEATED]]


async def test_a_call_that_was_refused_keeps_nobody_from_it(executor_of: ExecutorOf) -> None:
    executor = executor_of(post_text)
    beside = SideBySide(executor)
    first = talk(executor, beside, "first", FakeProvider(calling(("post_text", '{"txt": 1}')), "sorry"))
    await first.say("post")
    await talk(executor, beside, "second", FakeProvider(calling(POST), "done")).say("post")
    assert posted == ["a"]


async def test_no_rule_settles_whether_it_is_done_once_more(executor_of: ExecutorOf) -> None:
    person = Answers(ExitEarly(""))
    executor = executor_of(post_text, review_handler=person, policy=Policy(autonomy=Autonomy.FULL_AUTO))
    beside = SideBySide(executor)
    for side in ("first", "second"):
        await talk(executor, beside, side, FakeProvider(calling(POST), "done")).say("post")
    assert posted == ["a"]
    assert person.kinds == [[REPEATED]]
    assert person.requests[0].why == ""


async def test_silence_is_no_even_where_a_tool_takes_it_for_yes(executor_of: ExecutorOf) -> None:
    @security(on_review_timeout="continue", review_timeout_s=60)
    @tool
    def post_again(text: str) -> str:
        """Post a text."""
        return f"posted {text}"

    person = Answers()
    executor = executor_of(post_again, review_handler=person)
    beside = SideBySide(executor)
    for side in ("first", "second"):
        asked = calling(("post_again", '{"text": "a"}'))
        await talk(executor, beside, side, FakeProvider(asked, "done")).say("post")
    assert [(one.timeout_s, one.on_timeout) for one in person.requests] == [(60, OnTimeout.EXIT_EARLY)]
