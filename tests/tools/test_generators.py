"""Tools that yield their result in parts, wherever they run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools import isolated
from tools import CallStatus, Event, ToolContext, ToolFailure, make_tool, tool
from tools.calls import Wrote

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


async def spell(word: str) -> AsyncIterator[str]:
    for letter in word:
        await asyncio.sleep(0)
        yield letter


def spell_in_a_thread(word: str) -> Iterator[str]:
    yield from word


async def count(to: int) -> AsyncIterator[int]:
    for number in range(to):
        yield number


def count_plainly(to: int):  # type: ignore[no-untyped-def]  # noqa: ANN201 -- what is annotated is another test
    yield from range(to)


async def break_off(ctx: ToolContext) -> AsyncIterator[str]:
    ctx.log("info", "begun")
    yield "half"
    raise ToolFailure("the other half is gone")


@pytest.mark.parametrize("function", [spell, spell_in_a_thread])
def test_texts_are_shown_as_they_come_and_are_one_result(executor_of: ExecutorOf, function: Any) -> None:
    made = make_tool("spell", "Spell.", function)
    executor = executor_of(made)
    events: list[Event] = []
    executor.add_listener(events.append)

    response = executor.run("spell", {"word": "abc"})

    assert (response.status, response.result) == (CallStatus.EXECUTED, "abc")
    assert "".join(event.text for event in events if isinstance(event, Wrote)) == "abc"
    assert made.output_schema == {"type": "string"}


@pytest.mark.parametrize("function", [count, count_plainly])
def test_other_values_are_a_list(executor_of: ExecutorOf, function: Any) -> None:
    executor = executor_of(make_tool("count", "Count.", function))

    assert executor.run("count", {"to": 3}).result == [0, 1, 2]
    assert executor.run("count", {"to": 0}).result == []


def test_a_generator_that_fails_keeps_what_it_said(executor_of: ExecutorOf) -> None:
    response = executor_of(tool(break_off)).run("break_off", {})

    assert (response.status, response.text) == (CallStatus.FAILED, "Error: the other half is gone")
    assert [entry.text for entry in response.logs] == ["begun"]


def test_a_generator_that_never_ends_is_stopped_at_its_limit_and_closed(executor_of: ExecutorOf) -> None:
    closed: list[bool] = []

    @tool(timeout_s=0.05)
    async def endless() -> AsyncIterator[int]:
        try:
            while True:
                await asyncio.sleep(0)
                yield 1
        finally:
            closed.append(True)

    assert executor_of(endless).run("endless", {}).status is CallStatus.TIMED_OUT
    assert closed == [True]


@pytest.mark.parametrize("function", [isolated.spell_async, isolated.spell_sync])
def test_a_worker_process_yields_as_well(executor_of: ExecutorOf, function: Any) -> None:
    executor = executor_of(function)
    events: list[Event] = []
    executor.add_listener(events.append)

    assert executor.run(function.__name__, {"word": "abc"}).result == "abc"
    assert "".join(event.text for event in events if isinstance(event, Wrote)) == "abc"
