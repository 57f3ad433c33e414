"""What the window knows of tools are values: they can be written, read back, and are told as they change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter
from pytestqt.qtbot import QtBot

from console.tool_list import ToolList
from tests.tools.mcp.serving import misbehaving, serving
from tools import (
    CachePolicy,
    CircuitBreaker,
    Contract,
    FailureBlock,
    Hedge,
    Isolation,
    Policies,
    RateLimit,
    Retry,
    Security,
    Tool,
    ToolRegistry,
    make_tool,
    resolve_tools,
    tool,
)
from tools.card import PolicyCard, ToolCard, ToolFacts, policy_card
from tools.catalog import builtin_tools
from tools.discovery import load_plugin, open_plugin
from tools.execution.workers.declarations import declared, read_declarations, told_of
from tools.registry import CardsChange, Disabled

pytestmark = pytest.mark.expects_log("tools.calls")

EVERYTHING = Path(__file__).parents[1] / "tools" / "everything_declared.py"
_CARD = TypeAdapter(ToolCard)
_CHANGE = TypeAdapter(CardsChange)


class LostError(ConnectionError):
    """An exception of our own."""


def is_open(path: str) -> bool:
    return bool(path)


EVERY_POLICY = Policies(
    retry=Retry(
        max_attempts=2, retry_on=(LostError, TimeoutError), no_retry_on=(KeyError,), retry_on_response=("busy",)
    ),
    hedge=Hedge(delay_s=0.5),
    rate_limit=RateLimit(requests=3, burst_size=5, key="shared"),
    cache=CachePolicy(per_caller=True),
    security=Security(allowed_callers=("you",), mask_fields=("token", "result.items[].secret"), review_role="lead"),
    contract=Contract(pre=("len(path) > 1", is_open, lambda path: path), post=("result",), invariants=(is_open,)),
    circuit_breaker=CircuitBreaker(ignore=(LostError, ValueError)),
    failure_block=FailureBlock(failures=2),
    fallback="other",
    max_concurrent=2,
    timeout_s=3.5,
    total_timeout_s=9,
    isolation=Isolation.PROCESS,
)


@tool
def ping() -> str:
    """Answer."""
    return "pong"


def programmed() -> Iterator[Tool]:
    yield from resolve_tools([ping])
    deep: dict[str, Any] = {"type": "string", "enum": ["é", None, 1.5, True]}
    for level in range(40):
        deep = {"type": "object", "properties": {f"level {level}": deep}, "required": [f"level {level}"]}
    yield make_tool("deep", "Take much.", dict, deep)


def loaded_here() -> Iterator[Tool]:
    yield from load_plugin(EVERYTHING).tools


def loaded_in_a_worker() -> Iterator[Tool]:
    plugin, opened = open_plugin(EVERYTHING)
    assert plugin is not None
    yield from declared(read_declarations(told_of(load_plugin(EVERYTHING)), plugin), plugin, opened).tools


def of_a_server() -> Iterator[Tool]:
    async def found() -> list[Tool]:
        async with serving(misbehaving()) as served:
            return list(served.servers.registry)

    yield from asyncio.run(found())


def built_in() -> Iterator[Tool]:
    yield from builtin_tools()


@pytest.mark.parametrize("source", [programmed, loaded_here, loaded_in_a_worker, of_a_server, built_in])
def test_a_card_is_read_back_as_it_was_written_and_says_what_the_tool_says(source: Any) -> None:
    known = list(source())
    assert known
    for one in known:
        card = _CARD.validate_json(_CARD.dump_json(one.card))

        assert card == one.card
        assert set(_foreign(card)) == set()
        facts = [name for name in vars(ToolFacts) if not name.startswith("_") and name not in {"hides", "uses_project"}]
        assert {name: getattr(card, name) for name in facts if name != "masking"} == {
            name: getattr(one, name) for name in facts if name != "masking"
        }
        assert (card.masking is None) == (one.masking is None)
        properties = card.input_schema.get("properties")
        arguments = [*(properties if isinstance(properties, dict) else ()), "other"]
        assert [card.hides(name) for name in arguments] == [one.hides(name) for name in arguments]
        assert (card.isolation, card.has_probe) == (one.isolation, one.probe is not None)


def test_every_policy_is_a_value_on_the_card() -> None:
    assert EVERY_POLICY.model_fields_set == set(Policies.model_fields), "a policy is missing in this test"
    said = policy_card(EVERY_POLICY)

    assert PolicyCard.model_validate_json(said.model_dump_json()) == said
    assert set(_foreign(said)) == set()
    assert said.retry is not None
    assert said.retry.retry_on == ("tests.console.test_tool_cards_cross.LostError", "TimeoutError")
    assert said.contract == Contract(
        pre=("len(path) > 1", "is_open(...)", "function(...)"), post=("result",), invariants=("is_open(...)",)
    )
    own = {"retry", "contract", "circuit_breaker"}
    assert {name: value for name, value in said if name not in own} == {
        name: value for name, value in EVERY_POLICY if name not in own
    }


@given(
    names=st.lists(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), unique=True, max_size=3),
    switched=st.dictionaries(
        st.text(max_size=5), st.none() | st.builds(Disabled, st.text(max_size=5), st.text(max_size=5)), max_size=3
    ),
)
def test_a_change_is_read_back_as_it_was_written(names: list[str], switched: dict[str, Disabled | None]) -> None:
    cards = tuple(make_tool(name, "Do it.", dict, {"type": "object"}).card for name in names)
    change = CardsChange(tuple(switched), cards, switched)

    assert _CHANGE.validate_json(_CHANGE.dump_json(change)) == change


def _foreign(value: object) -> Iterator[str]:
    """Name what is no plain value in a value."""
    if isinstance(value, BaseModel):
        for _, part in value:
            yield from _foreign(part)
    elif isinstance(value, ToolCard):
        for field in fields(value):
            yield from _foreign(getattr(value, field.name))
    elif isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from _foreign(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _foreign(part)
    elif not (value is None or isinstance(value, str | int | float | Enum | Path)):
        yield type(value).__name__


def test_a_list_begins_with_what_is_there_and_follows_every_change(qtbot: QtBot) -> None:
    registry = ToolRegistry(resolve_tools([ping]))
    tools = ToolList()
    heard: list[list[str]] = []

    def hear() -> None:
        heard.append([card.name for card in tools])

    tools.changed.connect(hear)
    unwatch = registry.watch_cards(tools.take)
    assert [card.name for card in tools] == ["ping"]

    unregister = registry.register(make_tool("Later", "Come later.", dict, {"type": "object"}))
    assert "Later" in tools
    assert tools.find("later") is tools.lookup("Later")
    assert tools.lookup("later") is None
    registry.disable("Later")
    assert tools.refusal("Later") == Disabled("is disabled")
    registry.enable("Later")
    assert tools.refusal("Later") is None
    unregister()
    assert (len(tools), tools.lookup("Later")) == (1, None)
    unwatch()
    registry.register(make_tool("unseen", "Come too late.", dict, {"type": "object"}))
    qtbot.waitUntil(lambda: bool(heard))

    assert heard == [["ping"]], "what came together is told once"
