"""What one of two conversations did is not done again by the other without a person's word."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.tools.models.fakes import FakeProvider, calling
from tests.tools.models.test_protocols import Told
from tools import tool
from tools.models import Conversation, ToolOffer
from tools.models.beside import ProposedCalls, RepeatQuestion, SideBySide
from tools.models.journal import new_file

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.running import ExecutorOf
    from tools import Executor

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


class Person:
    def __init__(self, *, agrees: bool) -> None:
        self.agrees = agrees
        self.questions: list[RepeatQuestion] = []

    async def ask(self, question: RepeatQuestion) -> bool:
        self.questions.append(question)
        return self.agrees


def talk(executor: Executor, beside: SideBySide, side: str, provider: FakeProvider) -> Conversation:
    async def admit(calls: ProposedCalls) -> None:
        await beside.admit(side, calls)

    offer = ToolOffer(executor.registry, provider.wire)
    return Conversation(executor, provider, "m", offer, tell=Told(), admit=admit)


@pytest.mark.parametrize("agrees", [True, False], ids=["again", "once"])
def test_a_call_with_other_arguments_is_asked_about_as_well(executor_of: ExecutorOf, *, agrees: bool) -> None:
    async def both() -> None:
        executor, person = executor_of(post_text), Person(agrees=agrees)
        beside = SideBySide(executor, person.ask)
        first = talk(executor, beside, "first", FakeProvider(calling(POST), "done"))
        second = talk(executor, beside, "second", FakeProvider(calling(("post_text", '{"text": "b"}')), "done"))
        await first.say("post")
        await second.say("post")
        assert posted == (["a", "b"] if agrees else ["a"])
        assert person.questions == [RepeatQuestion("second", 1, "post_text", is_same=False, status="executed")]

    asyncio.run(both())


def test_a_call_that_is_still_under_way_is_waited_for(executor_of: ExecutorOf) -> None:
    async def both() -> None:
        executor, person = executor_of(post_text), Person(agrees=False)
        beside = SideBySide(executor, person.ask)
        providers = [FakeProvider(calling(POST), "done") for _ in range(2)]
        talks = [talk(executor, beside, str(at), provider) for at, provider in enumerate(providers)]
        await asyncio.gather(*(one.say("post") for one in talks))
        assert posted == ["a"]
        told = providers[1].requests[1].messages[-1].results[0]  # type: ignore[union-attr]
        assert told.status == "denied"
        assert "posted a" in told.text

    asyncio.run(both())


def test_what_was_done_before_a_restart_is_known_after_it(executor_of: ExecutorOf, tmp_path: Path) -> None:
    async def both() -> None:
        executor, person = executor_of(post_text), Person(agrees=False)
        file = new_file(tmp_path / "kept")
        provider = FakeProvider(calling(POST), "done")
        offer = ToolOffer(executor.registry, provider.wire)
        await Conversation(executor, provider, "m", offer, tell=Told(), write=file.write).say("post")
        beside = SideBySide(executor, person.ask)
        beside.remember("first", file.read(), 0)
        await talk(executor, beside, "second", FakeProvider(calling(POST), "done")).say("post")
        assert posted == ["a"]
        assert [question.is_same for question in person.questions] == [True]

    asyncio.run(both())


@pytest.mark.expects_log("tools.calls")
def test_a_call_that_was_refused_keeps_nobody_from_it(executor_of: ExecutorOf) -> None:
    async def both() -> None:
        executor, person = executor_of(post_text), Person(agrees=False)
        beside = SideBySide(executor, person.ask)
        first = talk(executor, beside, "first", FakeProvider(calling(("post_text", '{"txt": 1}')), "sorry"))
        await first.say("post")
        await talk(executor, beside, "second", FakeProvider(calling(POST), "done")).say("post")
        assert posted == ["a"]
        assert person.questions == []

    asyncio.run(both())
