"""What a profile shows, and as what: names that are legal and mean one tool, marks on all that is said otherwise."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from mcp import MCPError

from tests.tools.gateway.serving import agent, served, text_of
from tests.tools.mcp.serving import misbehaving, serving
from tools import Tool, make_tool
from tools.card import SourceKind, ToolSource
from tools.declare import resolve_tools
from tools.errors import GatewayError
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.profiles import META_KEY, AgentProfile, ToolOverride, check_profile, served_names
from tools.gateway.served_tools import shown_tools
from tools.registry import ToolRegistry
from tools.wire import name_of

(PLAIN,) = resolve_tools([make_tool("plain", "Does it.", lambda: "done")])
ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])


def tool_named(name: str, kind: SourceKind = SourceKind.PLUGIN, source: str = "mine.py", toolkit: str = "") -> Tool:
    spec = PLAIN.spec.model_copy(update={"name": name})
    return replace(PLAIN, spec=spec, source=ToolSource(kind, source), toolkit=toolkit)


def names(profile: AgentProfile, *tools: Tool) -> list[str]:
    return list(served_names(profile, tools).items)


def test_patterns_choose_and_the_order_is_that_of_the_tools_own_names() -> None:
    tools = [tool_named(name) for name in ("write", "read_b", "read_a", "read_secret")]
    profile = AgentProfile(name="x", tools=("read_*",), without=("*secret",))
    assert names(profile, *tools) == names(profile, *reversed(tools)) == ["read_a", "read_b"]


def test_a_prefix_takes_the_place_of_a_server_s_name_and_stands_before_those_of_a_toolkit() -> None:
    push = tool_named("github.push", SourceKind.SERVER, "github")
    read = tool_named("read", toolkit="Files")
    assert names(AgentProfile(), push, read) == ["github__push", "read"]
    assert names(AgentProfile(name="x", prefixes={"github": "gh_", "Files": "f-"}), push, read) == ["gh_push", "f-read"]
    assert names(AgentProfile(name="x", prefixes={"github": ""}), push) == ["push"]


def test_two_tools_of_one_name_are_both_left_out_and_their_owners_named() -> None:
    push = tool_named("github.push", SourceKind.SERVER, "github")
    own = tool_named("push")
    profile = AgentProfile(name="x", prefixes={"github": ""})
    assert names(profile, push, own, tool_named("pull")) == ["pull"]
    with pytest.raises(GatewayError, match=re.escape("'github.push' (github) and 'push' (mine.py)")):
        check_profile(profile, [push, own], [])
    check_profile(profile, [push], [])


def test_what_is_said_otherwise_is_marked_and_all_else_is_as_it_was() -> None:
    registry = ToolRegistry()
    registry.register_all([tool_named("read")])
    (plain,) = shown_tools(AgentProfile(), registry).tools.values()
    assert "_meta" not in plain.definition
    override = ToolOverride(name="see", description="Sees it.", annotations={"readOnlyHint": True})
    shown = shown_tools(AgentProfile(name="x", overrides={"read": override}), registry)
    (seen,) = shown.tools.values()
    own: Any = plain.definition
    mark: Any = {META_KEY: {"tool": "read", "changed": ["name", "description", "annotations.readOnlyHint"]}}
    assert seen.definition == {
        **own,
        "name": "see",
        "description": "Sees it.",
        "annotations": {**own["annotations"], "readOnlyHint": True},
        "_meta": mark,
    }
    assert (seen.tool, shown.tokens) == ("read", seen.tokens)
    assert seen.tokens > 0


def test_a_server_s_definition_keeps_its_own_fields_beside_the_mark() -> None:
    raw: dict[str, Any] = {
        "name": "a",
        "inputSchema": {},
        "annotations": {"title": "A"},
        "_meta": {"theirs": 1},
        "unknown": [1],
    }
    profile = AgentProfile(name="x", overrides={"s.a": ToolOverride(annotations={"destructiveHint": False})})
    mark: dict[str, Any] = {META_KEY: {"tool": "s.a", "changed": ["annotations.destructiveHint"]}}
    assert profile.written(tool_named("s.a", SourceKind.SERVER, "s"), "s__a", raw) == {
        **raw,
        "name": "s__a",
        "annotations": {"title": "A", "destructiveHint": False},
        "_meta": {"theirs": 1, **mark},
    }


@pytest.mark.parametrize("override", [{"name": "two words"}, {"name": "a" * 65}, {"annotations": {"safe": True}}])
def test_what_clients_would_not_take_is_refused(override: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        ToolOverride.model_validate(override)


_GROUPS = st.sampled_from(["github", "Files", "mine.py", ""])
_TOOLS = st.builds(
    tool_named,
    st.from_regex(r"[A-Za-z][A-Za-z0-9_./-]{0,70}", fullmatch=True),
    st.sampled_from([SourceKind.SERVER, SourceKind.PLUGIN]),
    _GROUPS,
    _GROUPS,
)


@given(
    st.lists(_TOOLS, max_size=8, unique_by=lambda tool: tool.name),
    st.dictionaries(_GROUPS, st.from_regex(r"[A-Za-z0-9_-]{0,3}", fullmatch=True)),
    st.integers(0, 7),
)
def test_names_are_legal_for_every_client_and_lead_back_to_one_tool(
    tools: list[Tool], prefixes: dict[str, str], renamed: int
) -> None:
    overrides = {tools[renamed].name: ToolOverride(name="other")} if renamed < len(tools) else {}
    profile = AgentProfile(name="x", prefixes=prefixes, overrides=overrides)
    found = served_names(profile, tools)
    left_out = {tool for each in found.collisions for tool in (each.first, each.second)}
    assert {tool.name for tool in found.items.values()} | left_out == {tool.name for tool in tools}
    assert not left_out & {tool.name for tool in found.items.values()}
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in found.items)
    for name, tool in served_names(AgentProfile(), tools).items.items():
        assert len(tool.name) > 40 or name_of(name) == tool.name


@ERAS
async def test_a_tool_is_called_by_the_name_that_its_profile_gives_it(tmp_path: Path, era: str) -> None:
    async with served(tmp_path) as at:
        at.agents.keep_profile(
            AgentProfile(
                name="sums", tools=("add", "letter"), prefixes={}, overrides={"add": ToolOverride(name="plus")}
            )
        )
        at.agents.give_profile("claude", "sums")
        async with agent(at, era) as client:
            (listed,) = (await client.list_tools()).tools
            assert listed.name == "plus"
            use = at.endpoint.use("claude")
            assert use is not None
            (shown,) = shown_tools(at.agents.profile("sums"), at.registry).tools.values()
            assert (use.lists, use.tokens) == (1, shown.tokens)
            assert listed.meta is not None
            assert listed.meta[META_KEY] == {"tool": "add", "changed": ["name"]}
            assert (await client.call_tool("plus", {"a": 1, "b": 2})).structured_content == {"sum": 3}
            with pytest.raises(MCPError, match="no tool is called 'add'"):
                await client.call_tool("add", {"a": 1, "b": 2})
            assert [each.name for each in (await client.list_prompts()).prompts] == ["letter"]


async def test_an_agent_is_told_when_another_program_changes_its_profile(tmp_path: Path) -> None:
    told = asyncio.Event()

    async def on_message(message: Any) -> None:
        if "tools/list_changed" in str(getattr(message, "method", "")):
            told.set()

    async with served(tmp_path, ("add",)) as at, agent(at, "legacy", message_handler=on_message) as client:
        assert [each.name for each in (await client.list_tools()).tools] == ["add"]
        Agents(tmp_path / AGENTS_FILE).keep_profile(AgentProfile(name="claude", tools=("count",)))
        async with asyncio.timeout(10):
            await told.wait()
        assert [each.name for each in (await client.list_tools()).tools] == ["count"]
        assert text_of(await client.call_tool("count", {"to": 1})) == "counted"


@pytest.mark.expects_log("tools.gateway.served_tools")
async def test_of_two_tools_that_come_to_one_name_later_neither_is_served(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        at.agents.keep_profile(AgentProfile(name="x", overrides={"add": ToolOverride(name="fresh")}))
        at.agents.give_profile("claude", "x")
        async with agent(at) as client:
            assert "fresh" in [each.name for each in (await client.list_tools()).tools]
            at.registry.register_all([tool_named("fresh")])
            assert "fresh" not in [each.name for each in (await client.list_tools()).tools]


async def test_a_server_s_tool_passes_unchanged_under_a_prefix_but_for_name_and_mark(tmp_path: Path) -> None:
    async with serving(misbehaving()) as behind, served(tmp_path, registry=behind.executor.registry) as at:
        source = next(iter(behind.executor.registry)).source.name
        at.agents.keep_profile(AgentProfile(name="x", prefixes={source: "s_"}))
        plain = shown_tools(AgentProfile(), at.registry).tools.values()
        prefixed = shown_tools(at.agents.profile("x"), at.registry).tools.values()
        assert len(plain) == len(prefixed) > 0
        for one, other in zip(plain, prefixed, strict=True):
            assert other.name.startswith("s_")
            assert {**other.definition, "name": one.name, "_meta": one.definition.get("_meta")} == {
                **one.definition,
                "_meta": one.definition.get("_meta"),
            }
